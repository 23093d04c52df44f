//! The small changes of what a variant changes in its parent: rows, cells, gates, sources, whole
//! items, lines added.

use super::change::Sort;
use super::expr::Maker;
use crate::check::{Resolved, handle};
use crate::syntax::ast::*;

impl Maker<'_> {
    /// A change that a variant makes: it is left out, and what it says is changed.
    pub(super) fn of_variant(&mut self, item: &Item, resolved: &Resolved) {
        match &item.kind {
            ItemKind::Override(change) => self.override_(item, change, resolved),
            ItemKind::Add(add) => self.add(item, add, resolved),
            ItemKind::Remove(remove) => self.remove(item, remove, resolved),
            _ => {}
        }
    }

    fn override_(&mut self, item: &Item, change: &Override, resolved: &Resolved) {
        match &change.kind {
            OverrideKind::Row { row, table, now, .. } => {
                self.begin(
                    "table",
                    table,
                    format!("override row {} of {}", row.text, table.text),
                    resolved,
                );
                self.left_out(item);
                now.iter().for_each(|e| self.expr(e));
            }
            OverrideKind::Cell { table, now, .. } => {
                self.begin("table", table, format!("override cell of {}", table.text), resolved);
                self.left_out(item);
                self.expr(now);
            }
            OverrideKind::Gate { gate, leg, trace, now, .. } => {
                let owner = format!("override {} of {} of {}", gate.text, leg.text, trace.text);
                self.begin("trace", trace, owner, resolved);
                self.left_out(item);
                self.gate(
                    now,
                    if matches!(gate.text.as_str(), "within") { "unlimited" } else { "anywhere" },
                );
            }
            OverrideKind::Source { noun, name, trace, now, .. } => {
                let owner = format!("override {} {} of {}", noun.text, name.text, trace.text);
                self.begin("trace", trace, owner, resolved);
                self.left_out(item);
                self.condition(now);
            }
            OverrideKind::Lines { noun, name, lines } => {
                for line in lines {
                    let owner = format!("override {} {}", noun.text, name.text);
                    self.begin(&noun.text, name, owner, resolved);
                    self.drop_lines(Sort::OverrideDropped, line.span, &Cites::default());
                }
            }
            // What a clause says changes no answer.
            OverrideKind::Said { .. } => {}
            OverrideKind::Whole(new) => {
                let Some((noun, name)) = handle(&new.kind) else { return };
                self.begin(noun, name, format!("override {noun} {}", name.text), resolved);
                self.left_out(item);
                self.of(new);
            }
        }
    }

    fn add(&mut self, item: &Item, add: &Add, resolved: &Resolved) {
        match add {
            Add::Line { trace, line } => {
                self.begin("trace", trace, format!("add to {}", trace.text), resolved);
                self.left_out(item);
                match &line.kind {
                    TraceLineKind::Always(e)
                    | TraceLineKind::Never(e)
                    | TraceLineKind::Source { filter: e, .. }
                    | TraceLineKind::Relay { filter: e, .. } => self.condition(e),
                    _ => {}
                }
            }
            Add::Row { table, row, .. } => {
                self.begin("table", table, format!("add row to {}", table.text), resolved);
                self.left_out(item);
                match row.as_ref() {
                    AddedRow::List(row) => {
                        row.when.iter().for_each(|e| self.condition(e));
                        row.per
                            .iter()
                            .chain(&row.beyond)
                            .chain(&row.values)
                            .for_each(|e| self.expr(e));
                    }
                    AddedRow::Grid(row) => {
                        row.keys.iter().for_each(|key| self.key(key));
                        row.values.iter().for_each(|v| self.expr(v));
                    }
                }
            }
        }
    }

    fn remove(&mut self, item: &Item, remove: &Remove, resolved: &Resolved) {
        match &remove.kind {
            RemoveKind::Row { row, table } => {
                self.begin(
                    "table",
                    table,
                    format!("remove row {} of {}", row.text, table.text),
                    resolved,
                );
            }
            RemoveKind::Source { noun, name, trace } => {
                let owner = format!("remove {} {} of {}", noun.text, name.text, trace.text);
                self.begin("trace", trace, owner, resolved);
            }
            // Of what is taken away whole only a phase does anything by itself; nothing reads the
            // rest any more.
            RemoveKind::Item { noun, name, .. } if noun.text == "phase" => {
                self.begin("phase", name, format!("remove phase {}", name.text), resolved);
            }
            RemoveKind::Item { .. } | RemoveKind::Clause { .. } | RemoveKind::Case(_) => return,
        }
        self.left_out(item);
    }

    /// What follows is of this change of that item.
    fn begin(&mut self, noun: &str, name: &Name, owner: String, resolved: &Resolved) {
        let is_it =
            |kind: &ItemKind| handle(kind).is_some_and(|(n, m)| n == noun && m.text == name.text);
        self.item = resolved.items.iter().position(|i| is_it(&i.item.kind)).unwrap_or(usize::MAX);
        self.owner = owner;
    }

    fn left_out(&mut self, item: &Item) {
        self.drop_lines(Sort::OverrideDropped, item.span, &Cites::default());
    }
}
