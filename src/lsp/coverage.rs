//! What of a file the cases reach, for the margin of an editor.

use serde_json::{Value, json};

use super::unit::Asked;
use super::{Answer, Desk, Refusal};
use crate::suite::{Suite, coverage_while};

impl Desk<'_> {
    /// Runs all cases, and gives for each line with something to reach what is reached of it and
    /// what is not, and why not.
    pub(super) fn coverage(&self, asked: &Asked<'_>) -> Answer {
        let project = &self.unit.project;
        let Some(source) = self.unit.source(&asked.path) else { return Ok(Value::Null) };
        let suites: Vec<Suite<'_>> = project
            .rulesets
            .iter()
            .filter_map(|loaded| loaded.rules.as_ref())
            .map(|rules| Suite { rules, sources: &project.sources })
            .collect();
        if suites.is_empty() {
            return Err(Refusal::failed("the rules have errors, so that no case runs"));
        }
        let found = coverage_while(&suites, &|| !self.halt.is_set());
        self.waited_for()?;
        let file = project.sources.name(source);
        let points = found.points.iter().filter(|point| point.file == file);
        let points: Vec<Value> = points
            .map(|point| {
                json!({
                    // Lines of an editor begin at 0.
                    "line": point.line.saturating_sub(1),
                    "kind": point.kind,
                    "name": point.name,
                    "hits": point.hits,
                    "why": point.why,
                })
            })
            .collect();
        Ok(json!({ "cases": found.cases_run, "measures": found.measures, "points": points }))
    }
}
