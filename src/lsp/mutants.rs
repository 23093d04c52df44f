//! Small changes of a row that no case notices, as `sutler mutate` finds them.

use crate::diag::counted;
use serde_json::{Value, json};

use super::place::Lines;
use super::unit::Asked;
use super::{Answer, Desk, Refusal};
use crate::mutate::{Change, Extent, Fate, Given, changes, mutate};
use crate::source::SourceId;

impl Desk<'_> {
    /// Tries all changes within a range of a file, and gives those that live.
    pub(super) fn mutants(&self, asked: &Asked<'_>, argument: &Value) -> Answer {
        let lines = asked.lines();
        let place =
            |name: &str| argument.pointer(&format!("/range/{name}")).and_then(|p| lines.at(p));
        let (Some(start), Some(end)) = (place("start"), place("end")) else {
            return Err(Refusal::params("the command has no `range`"));
        };
        let source = self.unit.source(&asked.path).unwrap_or_default();
        // A row that is left out takes its whole line with it.
        let start = lines.start(lines.line(start).0);
        let Some((given, inside)) = self.changes_within(source, start, end) else {
            return Ok(json!({ "message": "there is nothing to change here", "mutants": [] }));
        };
        let tries = mutate((given, &self.unit.path), inside, None, &|_| !self.halt.is_set())
            .map_err(|title| {
                Refusal::failed(format!(
                    "the case \"{title}\" fails as it is, and notices no change"
                ))
            })?;
        self.waited_for()?;
        let ranges = self.ranges();
        let living = tries.0.iter().filter_map(|tried| match &tried.fate {
            Fate::Missed { witness } => Some(json!({
                "location": ranges.location(tried.change.span),
                "owner": tried.change.owner,
                "what": tried.change.what,
                "witness": witness,
                "advice": tried.change.sort.advice(),
            })),
            _ => None,
        });
        let living: Vec<Value> = living.collect();
        let all = counted(tries.caught() + tries.missed(), "change");
        let message = match living.len() {
            0 => format!("a case notices each of {all}"),
            n => format!("no case notices {n} of {all}"),
        };
        Ok(json!({ "message": message, "mutants": living }))
    }

    /// The changes that begin in a stretch of a file, with the ruleset that has them. What a variant changes in
    /// its parent would be read from the disk again, and is not tried here.
    fn changes_within(
        &self,
        source: SourceId,
        start: usize,
        end: usize,
    ) -> Option<(Given<'_>, Vec<Change>)> {
        let project = &self.unit.project;
        project.rulesets.iter().find_map(|loaded| {
            let rules = loaded.rules.as_ref()?;
            let given = Given { resolved: loaded.resolved(), rules, sources: &project.sources };
            let mut all = changes(given, Extent { files: &[source], positions: false });
            all.retain(|c| {
                let from = c.span.start as usize;
                c.span.source == source && !c.folded && start <= from && from < end
            });
            (!all.is_empty()).then_some((given, all))
        })
    }

    /// At each row of a table: which changes of it live.
    pub(super) fn row_lenses(&self, asked: &Asked<'_>, lines: &Lines<'_>, uri: &str) -> Vec<Value> {
        use crate::syntax::ast::{ItemKind, TableBody};
        let (file, _) = crate::syntax::parse(SourceId::default(), &asked.screened());
        let tables = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Table(table) => Some(table),
            _ => None,
        });
        let rows = tables.flat_map(|table| match &table.body {
            TableBody::List { rows, .. } => rows.iter().map(|row| row.span).collect::<Vec<_>>(),
            TableBody::Grid(grid) => grid.rows.iter().map(|row| row.span).collect(),
        });
        rows.map(|span| {
            let range = lines.span(span);
            let argument = json!({ "uri": uri, "range": range });
            let title = "mutants of this row that live";
            json!({
                "range": range,
                "command": { "title": title, "command": "sutler.mutants", "arguments": [argument] },
            })
        })
        .collect()
    }
}
