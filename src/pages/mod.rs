//! Rulesets as pages of cells, and changed cells as edits of their text.
//!
//! Takes an opened ruleset; gives a page for each table, setup and map that it writes itself, and
//! one for its cases. Every cell knows the words that it shows, so that a changed cell changes their
//! bytes alone. Opens no file; what a cell means is asked when the edited text is checked.

mod align;
mod back;
mod case;
mod edit;
mod map;
mod setup;
mod spot;
mod table;
mod withs;

pub use back::{Given, carry};
pub use edit::{Edit, applied};
pub use spot::{At, Make, Row, Sheet, Spot};

use crate::project::Loaded;
use crate::sheet::{self, Page, Value};
use crate::source::SourceMap;
use crate::syntax::ast::{ItemKind, Table};

/// The pages of what a ruleset writes itself, in the order of its files.
#[must_use]
pub fn sheets(loaded: &Loaded, sources: &SourceMap) -> Vec<Sheet> {
    let mut all = Vec::new();
    let mut cases = case::begin();
    for item in loaded.resolved().items.iter().filter(|item| !item.inherited) {
        let item = &item.item;
        match &item.kind {
            ItemKind::Table(table) if table.from.is_none() => {
                all.push(table::sheet(table, item.span, sources));
            }
            ItemKind::Setup(setup) => all.push(setup::sheet(setup, item.span, sources)),
            ItemKind::Map(map) => {
                all.extend(map::sheets(map, item.span, sources, loaded.rules.as_ref()))
            }
            ItemKind::Case(case) => case::add(&mut cases, case, item.span, sources),
            _ => {}
        }
    }
    if !cases.rows.is_empty() {
        all.push(cases);
    }
    name_apart(&mut all);
    all
}

/// The tables of a ruleset whose rows live in a sheet already.
#[must_use]
pub fn in_sheets(loaded: &Loaded) -> Vec<(String, String)> {
    let items = loaded.resolved().items.iter().filter(|item| !item.inherited);
    let named =
        |table: &Table| Some((table.name.text.clone(), table.from.as_ref()?.file.text.clone()));
    items
        .filter_map(|item| match &item.item.kind {
            ItemKind::Table(table) => named(table),
            _ => None,
        })
        .collect()
}

/// Excel takes names of 31 characters, each once whatever its letters' case.
const LONGEST: usize = 31;

fn name_apart(all: &mut [Sheet]) {
    let mut taken: Vec<String> = Vec::new();
    for sheet in all {
        let whole = sheet.name.clone();
        let cut = |end: usize| whole.chars().take(end).collect::<String>();
        let mut name = cut(LONGEST);
        let mut number = 2;
        while taken.contains(&name.to_ascii_lowercase()) {
            let tail = format!(" {number}");
            name = cut(LONGEST - tail.len()) + tail.as_str();
            number += 1;
        }
        taken.push(name.to_ascii_lowercase());
        sheet.name = name;
    }
}

/// A page as a workbook has it.
#[must_use]
pub fn page(sheet: &Sheet) -> Page {
    let mut cells = Vec::new();
    let heads = (!sheet.heads.is_empty()).then_some(&sheet.heads);
    let rows = heads.into_iter().chain(sheet.rows.iter().map(|row| &row.spots));
    for (row, spots) in (1..).zip(rows) {
        for (column, spot) in (1..).zip(spots) {
            // What has no words may have a colour.
            if !spot.shown.is_empty() || spot.colour.is_some() {
                let value = Value::written(&spot.shown);
                cells.push(sheet::Cell { row, column, value, colour: spot.colour });
            }
        }
    }
    Page { name: sheet.name.clone(), cells }
}
