//! Spaces by name or label: which one is meant, and why there is none.

use super::Checker;
use super::scope::{Objects, Ty, Typed};
use crate::diag::{Code, Diagnostic, code, suggest};
use crate::ir::*;
use crate::map::{Grid, Map};
use crate::source::Span;
use crate::syntax::ast::{ItemKind, MapLine, Name, Named};

/// Whether a text has the form of a label: digits alone, which no name has.
pub(super) fn is_label(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

impl Checker<'_> {
    /// The space of a name or label on the map of a setup or case, with its kind.
    pub(super) fn space_of(&self, objects: &Objects, name: &str) -> Option<(u32, KindId)> {
        let map = self.out.maps.get(objects.map?.index())?;
        let at = map.find(name)?;
        map.spaces.get(at as usize).map(|space| (at, space.kind))
    }

    /// Says that a map has no space of this name, or no hex of this label.
    pub(super) fn no_space(&mut self, code: Code, name: &Name, map: Option<MapId>) {
        let map = map.and_then(|m| self.out.maps.get(m.index()));
        let fault = match map {
            Some(map) if is_label(&name.text) => Diagnostic { code, ..no_hex(map, name) },
            _ => {
                let names = map.into_iter().flat_map(|m| m.names().map(str::to_owned));
                let known = self.gathered(names);
                return self.unknown(
                    code,
                    name,
                    "space of the map",
                    known.iter().map(String::as_str),
                );
            }
        };
        self.fault(fault);
    }

    /// The kind of hexes that rules speak of, known before any map is read.
    pub(super) fn kind_of_hexes(&mut self, resolved: &super::Resolved) {
        let mut kinds: Vec<Option<KindId>> = Vec::new();
        for item in &resolved.items {
            let ItemKind::Map(map) = &item.item.kind else { continue };
            kinds.extend(map.lines.iter().filter_map(|line| match line {
                MapLine::Grid(grid) => Some(self.symbols.kinds.get(&grid.kind.text).copied()),
                _ => None,
            }));
        }
        kinds.dedup();
        self.symbols.hex = match kinds.as_slice() {
            [one] => *one,
            _ => None,
        };
    }

    /// A label in a rule, which is asked of any map.
    pub(super) fn labelled(&mut self, label: &Name, span: Span) -> Typed {
        let label = self.label(label);
        let kind =
            self.symbols.hex.or_else(|| self.space_kind_of(KindId::UNIT)).unwrap_or(KindId::SPACE);
        self.typed(Node::SpaceCalled(label), Ty::thing(kind), span)
    }

    fn label(&mut self, label: &Name) -> LabelId {
        LabelId::at(self.out.labels.iter().position(|l| *l == label.text).unwrap_or_else(|| {
            self.out.labels.push(label.text.clone());
            self.symbols.labels.push(label.span);
            self.out.labels.len() - 1
        }))
    }

    /// `named region London`: a space that every map has, and that rules may name.
    pub(super) fn named_places(&mut self, named: &Named, kind: KindId) {
        for name in &named.names {
            if self.declare_name("name", name) {
                let label = self.label(name);
                self.symbols.named_places.insert(name.text.clone(), (label, kind, name.span));
            }
        }
    }

    pub(super) fn named_space(&mut self, name: &Name) -> Option<Typed> {
        let (label, kind, _) = *self.symbols.named_places.get(&name.text)?;
        Some(self.typed(Node::SpaceCalled(label), Ty::thing(kind), name.span))
    }

    /// Says which of the spaces that rules name a map has not, or has as something else.
    pub(super) fn has_named_places(&mut self, map: &Name) {
        let places = self.symbols.named_places.clone();
        for (name, (_, kind, said)) in places {
            let Some(out) = self.out.maps.iter().find(|m| m.name == map.text) else { return };
            let found = out.find(&name).and_then(|at| out.spaces.get(at as usize)).map(|s| s.kind);
            if found.is_some_and(|found| self.out.is_kind(found, kind)) || self.is_lost(&name) {
                continue;
            }
            let near = suggest::the_one(&name, out.names()).map(str::to_owned);
            let noun = self.kind_name(kind);
            let message = match found {
                Some(other) => {
                    let other = self.a_kind(other);
                    let named = self.a_kind(kind);
                    format!("`{name}` of the map `{}` is {other}, and rules name {named}", map.text)
                }
                None => format!("the map `{}` has no {noun} `{name}`, which rules name", map.text),
            };
            let fault = Diagnostic::error(code::E0219, map.span, message)
                .label(said, "every map must have it");
            self.fault(match (found, near) {
                (None, Some(near)) => {
                    fault.help(format!("the map has `{near}`; call it `{name}`, or name that one"))
                }
                _ => fault.help(format!("write `space {noun} {name}` on the map")),
            });
        }
    }

    /// A label that rules name must be on one map at least.
    pub(super) fn labels_of_rules(&mut self) {
        let places = std::mem::take(&mut self.symbols.labels);
        for (at, span) in places.into_iter().enumerate() {
            let Some(text) = self.out.labels.get(at).cloned() else { continue };
            // What is named with its kind is asked of each map.
            if self.symbols.named_places.contains_key(&text) {
                continue;
            }
            let name = Name { text, span };
            if self.out.maps.iter().any(|m| m.find(&name.text).is_some()) {
                continue;
            }
            // Of several maps, the first with hexes says what its labels look like.
            let map = self.out.maps.iter().find(|m| m.grid.is_some());
            let fault = match map {
                Some(map) => no_hex(map, &name),
                None => Diagnostic::error(
                    code::E0701,
                    span,
                    format!("no map has a hex `{}`", name.text),
                )
                .help("a map has hexes when it has a `grid`"),
            };
            // A map with faults of its own may have lost its grid.
            if map.is_some() || !crate::diag::has_errors(&self.faults) {
                self.fault(fault);
            }
        }
    }
}

/// Why a map has no hex of this label.
pub(super) fn no_hex(map: &Map, label: &Name) -> Diagnostic {
    let Some(grid) = &map.grid else {
        return Diagnostic::error(
            code::E0701,
            label.span,
            format!("no hex is called `{}`: the map `{}` has no grid", label.text, map.name),
        )
        .help("name a space of the map, or give the map a `grid`");
    };
    let width = usize::from(grid.digits);
    let corners =
        (grid.label(0, 0), grid.label(grid.columns.saturating_sub(1), grid.rows.saturating_sub(1)));
    let help = format!(
        "the labels of the map `{}` run from {} to {}, column before row",
        map.name, corners.0, corners.1
    );
    let Some((column, row)) = grid.read_label(&label.text) else {
        let message = format!(
            "`{}` is no label of the map: a label here has {} digits",
            label.text,
            2 * width
        );
        return Diagnostic::error(code::E0701, label.span, message).help(help);
    };
    let message = match outside(grid, column, row) {
        Some(what) => format!("no hex is called `{}`: the map has no {what}", label.text),
        None => format!("no hex is called `{}`: that place is `outside`", label.text),
    };
    Diagnostic::error(code::E0701, label.span, message).help(help)
}

/// The column or row that a label names and the grid has not.
fn outside(grid: &Grid, column: u32, row: u32) -> Option<String> {
    let width = usize::from(grid.digits);
    if column.checked_sub(grid.from.0).is_none_or(|c| c >= grid.columns) {
        return Some(format!("column {column:0width$}"));
    }
    row.checked_sub(grid.from.1)
        .is_none_or(|r| r >= grid.rows)
        .then(|| format!("row {row:0width$}"))
}
