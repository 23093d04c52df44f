//! Fixes: what a diagnostic offers to write instead, one by one or all that are sure.

use serde_json::{Value, json};

use super::publish::{all, shown};
use super::unit::Asked;
use super::{Answer, Desk, Refusal};
use crate::arrange::Arrange as _;
use crate::diag::{Applicability, Diagnostic, Suggestion};

impl Desk<'_> {
    pub(super) fn actions(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let lines = asked.lines();
        let place =
            |name: &str| params.pointer(&format!("/range/{name}")).and_then(|p| lines.at(p));
        let (Some(start), Some(end)) = (place("start"), place("end")) else {
            return Err(Refusal::params("the request has no `range`"));
        };
        let Some(source) = self.unit.source(&asked.path) else { return Ok(json!([])) };
        let wanted = |kind: &str| {
            let only = params.pointer("/context/only").and_then(Value::as_array);
            only.is_none_or(|only| {
                let under = |k: &str| kind == k || kind.starts_with(&format!("{k}."));
                only.iter().filter_map(Value::as_str).any(under)
            })
        };
        let faults = all(self.unit);
        let ranges = self.ranges();
        let mut found = Vec::new();
        let here = |d: &Diagnostic| {
            d.primary().is_some_and(|p| {
                p.source == source && p.start as usize <= end && p.end as usize >= start
            })
        };
        for fault in faults.iter().filter(|d| here(d) && wanted("quickfix")) {
            let advice = || fault.advice(&self.unit.project.sources).unwrap_or_default();
            let one = fault.suggestion.iter().map(|fix| (fix, advice()));
            let several = fault.choices().iter().map(|way| (&way.fix, way.help.clone()));
            for (fix, title) in one.chain(several) {
                found.push(json!({
                    "title": capitalised(&title),
                    "kind": "quickfix",
                    "diagnostics": [shown(fault, self.unit, &ranges)],
                    "isPreferred": fix.applies == Applicability::Always,
                    "edit": self.edit(&[fix]),
                }));
            }
        }
        let sure: Vec<&Suggestion> = faults
            .iter()
            .filter_map(|d| d.suggestion.as_ref())
            .filter(|fix| fix.span.source == source && fix.applies == Applicability::Always)
            .collect();
        let sure = apart(sure);
        if !sure.is_empty() && wanted("source.fixAll") {
            found.push(json!({
                "title": "Apply all sure fixes of this file",
                "kind": "source.fixAll",
                "edit": self.edit(&sure),
            }));
        }
        Ok(found.into())
    }

    /// The edit of some fixes, each in its file.
    fn edit(&self, fixes: &[&Suggestion]) -> Value {
        let ranges = self.ranges();
        let mut changes = serde_json::Map::new();
        for fix in fixes {
            let edit = json!({ "range": ranges.range(fix.span), "newText": fix.replacement });
            let uri = ranges.uri(fix.span.source);
            if let Some(all) = changes.entry(uri).or_insert_with(|| json!([])).as_array_mut() {
                all.push(edit);
            }
        }
        json!({ "changes": changes })
    }
}

/// Fixes in the order of the text, without those that change the same words.
fn apart(mut fixes: Vec<&Suggestion>) -> Vec<&Suggestion> {
    fixes.arrange_by_key(|fix| fix.span);
    let mut end = None;
    fixes.retain(|fix| {
        let free = end.is_none_or(|end| fix.span.start >= end);
        if free {
            end = Some(fix.span.end.max(fix.span.start + 1));
        }
        free
    });
    fixes
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => "Fix".to_owned(),
    }
}
