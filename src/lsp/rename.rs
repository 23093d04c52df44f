//! Another name for a thing, in all files and variants: carried out only if the rules then say the
//! same.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::find::mention;
use super::index::Mention;
use super::publish::all;
use super::unit::{Asked, Unit};
use super::{Answer, Desk, Refusal};
use crate::check::names::Space;
use crate::diag::Severity;
use crate::project::Parsed;
use crate::source::SourceId;
use crate::syntax::is_reserved;

impl Desk<'_> {
    pub(super) fn can_rename(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(found) = mention(&self, index, asked, params)? else { return Ok(Value::Null) };
        let Some(entity) = index.entity(found.entity) else { return Ok(Value::Null) };
        if let Some(why) = fixed(entity.what.space) {
            return Err(Refusal::failed(why));
        }
        let range = asked.lines().span(found.span);
        Ok(json!({ "range": range, "placeholder": entity.what.name }))
    }

    pub(super) fn rename(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let Some(new) = params.get("newName").and_then(Value::as_str) else {
            return Err(Refusal::params("the request has no `newName`"));
        };
        let index = self.unit.index(self.words);
        let Some(found) = mention(&self, index, asked, params)? else {
            return Err(Refusal::failed("there is no name here"));
        };
        let Some(entity) = index.entity(found.entity) else { return Ok(Value::Null) };
        if let Some(why) = fixed(entity.what.space) {
            return Err(Refusal::failed(why));
        }
        let digits = entity.what.name.bytes().all(|b| b.is_ascii_digit());
        if !is_name(new) || digits {
            return Err(Refusal::failed(format!(
                "`{new}` cannot be a name: a name is one word of letters, digits and `_` that begins with a letter, and no word of the language"
            )));
        }
        if new == entity.what.name {
            return Ok(json!({ "changes": {} }));
        }
        let uses = index.of_entity(found.entity);
        let sources = &self.unit.project.sources;
        if let Some(one) = uses.iter().find(|one| sources.sheet(one.span.source).is_some()) {
            let place = sources.place(one.span);
            let old = &entity.what.name;
            return Err(Refusal::failed(format!(
                "`{old}` also stands in a sheet, which is changed in a spreadsheet program: {place}"
            )));
        }
        self.same_rules(&uses, &entity.what.name, new)?;
        let ranges = self.ranges();
        let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for one in &uses {
            let edit = json!({ "range": ranges.range(one.span), "newText": new });
            changes.entry(ranges.uri(one.span.source)).or_default().push(edit);
        }
        Ok(json!({ "changes": changes }))
    }

    /// Checks the rules with the new name: no other error, and each ruleset says as much.
    fn same_rules(&self, uses: &[Mention], old: &str, new: &str) -> Result<(), Refusal> {
        let mut texts: BTreeMap<SourceId, String> = BTreeMap::new();
        for one in uses.iter().rev() {
            let text = texts
                .entry(one.span.source)
                .or_insert_with(|| self.unit.text(self.store, one.span.source).into_owned());
            // Only a word that is the name itself is changed.
            if text.get(one.span.range()) != Some(old) {
                return Err(Refusal::failed(format!("`{old}` is written otherwise in one place")));
            }
            text.replace_range(one.span.range(), new);
        }
        let instead = texts.into_iter().map(|(id, text)| (self.unit.file(id).to_path_buf(), text));
        let instead: BTreeMap<PathBuf, String> = instead.collect();
        let project = self.store.project_with(&self.unit.path, &instead, &mut Parsed::default());
        let changed = Unit::of(project, &self.unit.path);
        let errors =
            |unit: &Unit| all(unit).iter().filter(|d| d.severity == Severity::Error).count();
        let known: Vec<String> = all(self.unit).iter().map(|d| d.message.clone()).collect();
        if errors(&changed) > errors(self.unit) {
            let faults = all(&changed);
            let first = faults
                .iter()
                .find(|d| d.severity == Severity::Error && !known.contains(&d.message));
            let why = first.map_or_else(String::new, |d| format!(": {}", d.message));
            return Err(Refusal::failed(format!("`{new}` would not check{why}")));
        }
        Ok(())
    }
}

/// Why what is looked up there keeps its name.
fn fixed(space: Space) -> Option<&'static str> {
    match space {
        Space::Clause => Some("a clause has the number that the rulebook prints"),
        Space::Case => Some("a case has a title and no name"),
        Space::Ruleset => Some("a ruleset is called like its folder, and others may build on it"),
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !is_reserved(text)
}
