//! The numbers of a ruleset as parameters: by name, by clause, with their place.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Value;
use crate::compare::Suspects;
use crate::diag::{Diagnostic, code, suggest};
use crate::mutate::{Given, NumberAt, numbers};
use crate::source::SourceMap;

/// Names of numbers that are listed in a message.
const FEW: usize = 8;

/// A number that can be varied.
#[derive(Debug, Clone, Serialize)]
pub struct Parameter {
    /// Its name: `reach.led`, `supply.within`.
    pub name: String,
    /// What it is in the rules.
    pub is: Value,
    /// What it belongs to, in words: `table reach, row led`.
    pub owner: String,
    /// The clauses of the line in which it stands.
    pub clauses: Vec<String>,
    /// `rules.sut:12`.
    pub place: String,
    /// Whether any rule reads it.
    #[serde(skip)]
    pub read: bool,
    /// The noun and the name of its item.
    #[serde(skip)]
    pub item: (String, String),
    /// Where it is written.
    #[serde(skip)]
    pub at: NumberAt,
}

/// All numbers of a ruleset, in the order of its rules.
#[must_use]
pub fn parameters(given: Given<'_>, suspects: &Suspects<'_>) -> Vec<Parameter> {
    let of = |at: NumberAt| {
        let item = at.owner.split(", ").next().unwrap_or_default();
        let (noun, name) = item.split_once(' ')?;
        let (noun, name) = (noun.to_owned(), name.to_owned());
        let (is, place) = (Value::read(&at.text)?, place(given.sources, &at));
        // What is asked, and what happens by itself, need not be read by anything else.
        let by_itself = !["define", "pair", "hook", "choice"].contains(&noun.as_str());
        let read = by_itself || suspects.is_read(&name);
        let item = (noun, name);
        let clauses = clauses(given, &at);
        let (name, owner) = (at.name.clone(), at.owner.clone());
        Some(Parameter { name, is, owner, clauses, place, read, item, at })
    };
    numbers(given).into_iter().filter_map(of).collect()
}

fn place(sources: &SourceMap, at: &NumberAt) -> String {
    if sources.sheet(at.span.source).is_some() {
        return sources.place(at.span);
    }
    let line = sources.line_col(at.span.source, at.span.start).line;
    format!("{}:{line}", sources.name(at.span.source))
}

/// The clauses of the smallest line of the rules that holds the number and has any.
fn clauses(given: Given<'_>, at: &NumberAt) -> Vec<String> {
    let holds = |span: crate::source::Span| {
        span.source == at.span.source && span.start <= at.span.start && at.span.end <= span.end
    };
    let around = given.rules.lines.iter().filter(|l| holds(l.span) && !l.clauses.is_empty());
    // What no line of its own carries out, its item does.
    let item = at.owner.split(", ").next().unwrap_or_default();
    let whole = || given.rules.lines.iter().find(|line| line.name == item);
    let found = around.min_by_key(|line| line.span.len()).or_else(whole);
    let ids = found.into_iter().flat_map(|line| &line.clauses);
    ids.filter_map(|id| given.rules.clauses.get(id.index())).map(|c| c.id.clone()).collect()
}

/// The number that a call names: by its name, or by the clause that it alone carries out.
///
/// # Errors
///
/// E1070 where there is none, or several; E1071 where nothing reads it.
pub fn find(all: &[Parameter], text: &str) -> Result<usize, Box<Diagnostic>> {
    let wanted = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let named = all.iter().position(|p| p.name == wanted);
    let at = match named {
        Some(at) => at,
        None => of_clause(all, &wanted)?,
    };
    match all.get(at) {
        Some(found) if !found.read => Err(Box::new(
            Diagnostic::bare(code::E1071, format!("no rule reads `{}`", found.name)).help(format!(
                "`{}` at {} is a name that nothing asks for: use it in a rule, or vary another number",
                found.owner, found.place
            )),
        )),
        _ => Ok(at),
    }
}

fn of_clause(all: &[Parameter], wanted: &str) -> Result<usize, Box<Diagnostic>> {
    let is_it = |id: &String| id == wanted || id.ends_with(&format!("-{wanted}"));
    let carries = |p: &Parameter| p.clauses.iter().any(is_it);
    let found: Vec<usize> = (0..).zip(all).filter(|(_, p)| carries(p)).map(|(at, _)| at).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Box::new(unknown(all, wanted))),
        several => {
            let names: Vec<String> = several
                .iter()
                .filter_map(|at| all.get(*at))
                .map(|p| format!("`{}`", p.name))
                .collect();
            let said = format!("clause `{wanted}` is carried out by {} numbers", names.len());
            let few = names.get(..FEW.min(names.len())).unwrap_or_default().join(", ");
            let more = if names.len() > FEW { " and others" } else { "" };
            Err(Box::new(
                Diagnostic::bare(code::E1070, said).help(format!("name one of {few}{more}")),
            ))
        }
    }
}

fn unknown(all: &[Parameter], wanted: &str) -> Diagnostic {
    let fault =
        Diagnostic::bare(code::E1070, format!("no number of the rules is called `{wanted}`"));
    // Of an item with several numbers each has a name of its own.
    let below = format!("{wanted}.");
    let inner: BTreeSet<&str> =
        all.iter().map(|p| p.name.as_str()).filter(|n| n.starts_with(&below)).collect();
    if !inner.is_empty() {
        let few: Vec<String> = inner.iter().take(FEW).map(|n| format!("`{n}`")).collect();
        let more = if inner.len() > FEW { " and others" } else { "" };
        return fault.help(format!("name one of its numbers: {}{more}", few.join(", ")));
    }
    match suggest::closest(wanted, all.iter().map(|p| p.name.as_str())) {
        Some(near) => fault.help(format!("write `{near}`; `--list` says which there are")),
        None if all.is_empty() => fault.help("the rules have no number that could be another"),
        None => fault.help("`--list` says which there are"),
    }
}
