//! What came, written in place of what a case expected: the edit of `sutler test --bless`.

use crate::diag::counted;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Answer, Desk, Refusal};
use crate::source::SourceId;
use crate::suite::{Edit, Mend, bless, run_case};

impl Desk<'_> {
    /// Runs the cases of a title, and gives the edit with which they pass.
    pub(super) fn bless(&self, argument: &Value) -> Answer {
        let title = title(argument)?;
        let sources = &self.unit.project.sources;
        let mut edits: BTreeMap<SourceId, Vec<Edit>> = BTreeMap::new();
        let mut refused = Vec::new();
        let cases = self.cases(title)?;
        for (rules, case) in cases {
            for failure in run_case(rules, case, |span| sources.slice(span)).failures {
                match failure.mend {
                    Mend::Write(span, new) => {
                        let edit = Edit { range: span.range(), new };
                        let all = edits.entry(span.source).or_default();
                        // A line above a grid fails once in each of its rows.
                        if !all.contains(&edit) {
                            all.push(edit);
                        }
                    }
                    Mend::Refused(why) => refused.push(format!("{}: {why}", failure.message)),
                }
            }
        }
        let written: usize = edits.values().map(Vec::len).sum();
        let mut message = match (written, refused.len()) {
            (0, 0) => format!("case \"{title}\" passes as it is"),
            (0, _) => format!("case \"{title}\": no value can be written"),
            (1, _) => format!("case \"{title}\": 1 value is written"),
            (n, _) => format!("case \"{title}\": {} are written", counted(n, "value")),
        };
        refused.iter().for_each(|why| message.push_str(&format!("\nnot written: {why}")));
        if written == 0 {
            return Ok(json!({ "message": message, "written": written }));
        }
        let edit = self.blessed(&edits);
        Ok(json!({ "message": message, "written": written, "edit": edit }))
    }

    /// The edits as those of an editor: line by line, for columns of grids may become wider.
    fn blessed(&self, edits: &BTreeMap<SourceId, Vec<Edit>>) -> Value {
        let ranges = self.ranges();
        let mut changes = serde_json::Map::new();
        for (source, edits) in edits {
            let old = self.unit.text(self.store, *source);
            let new = bless(&old, edits);
            let lines = super::place::Lines::of(&*old, self.encoding);
            let mut found = Vec::new();
            let mut at = 0;
            for (old, new) in old.split_inclusive('\n').zip(new.split_inclusive('\n')) {
                if old != new {
                    let range = lines.range(at, at + old.len());
                    found.push(json!({ "range": range, "newText": new }));
                }
                at += old.len();
            }
            changes.insert(ranges.uri(*source), found.into());
        }
        json!({ "changes": changes })
    }
}

/// The title of a case that a command names.
pub(super) fn title(argument: &Value) -> Result<&str, Refusal> {
    let title = argument.get("title").and_then(Value::as_str);
    title.ok_or_else(|| Refusal::params("the command has no `title`"))
}
