//! Another name for a thing, in all files and variants: carried out only if the rules then say the
//! same.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::find::byte;
use super::index::{Entity, Index, Mention};
use super::publish::all;
use super::spell::{Spelling, called, fixed, nothing};
use super::unit::{Asked, Unit};
use super::{Answer, Desk, Refusal};
use crate::check::names::Space;
use crate::diag::Severity;
use crate::ir::{Ruleset, print};
use crate::project::Parsed;
use crate::source::SourceId;

impl<'a> Desk<'a> {
    pub(super) fn can_rename(mut self, asked: &Asked<'_>, params: &Value) -> Answer {
        let (found, entity) = self.named(asked, params)?;
        if let Some(why) = fixed(&entity.what) {
            return Err(Refusal::failed(why));
        }
        let mut range = found.span.range();
        if entity.what.space == Space::Case {
            // The quotes stay.
            range = range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
        }
        let here = asked.text.get(range.clone()).unwrap_or_default();
        let shown = asked.lines().range(range.start, range.end);
        Ok(json!({ "range": shown, "placeholder": here }))
    }

    pub(super) fn rename(mut self, asked: &Asked<'_>, params: &Value) -> Answer {
        let Some(new) = params.get("newName").and_then(Value::as_str) else {
            return Err(Refusal::params("the request has no `newName`"));
        };
        let (found, entity) = self.named(asked, params)?;
        let here = asked.text.get(found.span.range()).unwrap_or_default();
        let label = entity.places.first().map_or("", |at| self.unit.project.sources.slice(*at));
        let spelling = Spelling::of(&entity.what, label, here, new).map_err(Refusal::failed)?;
        let index = self.unit.index(self.words);
        let uses = index.of_entity(found.entity);
        let name = spelling.name(&entity.what);
        if name == entity.what.name {
            return Ok(json!({ "changes": {} }));
        }
        let sources = &self.unit.project.sources;
        if let Some(one) = uses.iter().find(|one| sources.sheet(one.span.source).is_some()) {
            let place = sources.place(one.span);
            let old = &entity.what.name;
            return Err(Refusal::failed(format!(
                "`{old}` also stands in a sheet, which is changed in a spreadsheet program: {place}"
            )));
        }
        self.same_rules(&uses, entity, &spelling)?;
        let ranges = self.ranges();
        let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for one in &uses {
            let text = self.unit.text(self.store, one.span.source);
            let new = text.get(one.span.range()).and_then(|here| spelling.at(here));
            let edit = json!({ "range": ranges.range(one.span), "newText": new });
            changes.entry(ranges.uri(one.span.source)).or_default().push(edit);
        }
        Ok(json!({ "changes": changes }))
    }

    /// What has a name at the position of a request; or what stands there instead.
    fn named(
        &mut self,
        asked: &Asked<'_>,
        params: &Value,
    ) -> Result<(Mention, &'a Entity), Refusal> {
        let at = byte(asked, params)?;
        let unit: &'a Unit = self.unit;
        let index: &'a Index = unit.index(self.words);
        let source = unit.source(&asked.path);
        if let Some(found) = source.and_then(|source| index.at(source, at))
            && let Some(entity) = index.entity(found.entity)
        {
            return Ok((found, entity));
        }
        let text = asked.screened();
        let words = self.words.words(&asked.path, &text);
        let word = words.iter().find(|w| w.range.start <= at && at <= w.range.end);
        let written = word.and_then(|w| text.get(w.range.clone())).unwrap_or_default();
        Err(Refusal::failed(nothing(written, word.map(|w| w.role))))
    }

    /// Checks the rules with the new name: no other error, and each ruleset says as much.
    fn same_rules(
        &self,
        uses: &[Mention],
        entity: &Entity,
        spelling: &Spelling,
    ) -> Result<(), Refusal> {
        let old = &entity.what.name;
        let new = spelling.name(&entity.what);
        let mut texts: BTreeMap<SourceId, String> = BTreeMap::new();
        for one in uses.iter().rev() {
            let text = texts
                .entry(one.span.source)
                .or_insert_with(|| self.unit.text(self.store, one.span.source).into_owned());
            // Only a word that is the name itself is changed.
            let Some(word) = text.get(one.span.range()).and_then(|here| spelling.at(here)) else {
                return Err(Refusal::failed(format!("`{old}` is written otherwise in one place")));
            };
            text.replace_range(one.span.range(), &word);
        }
        let instead = texts.into_iter().map(|(id, text)| (self.unit.file(id).to_path_buf(), text));
        let instead: BTreeMap<PathBuf, String> = crate::arrange::gathered(instead);
        let project =
            self.store.project_with(&self.unit.path, &instead, (&Parsed::default(), true));
        let changed = Unit::of(project, &self.unit.path);
        if let Some(why) = new_error(self.unit, &changed) {
            return Err(Refusal::failed(format!("`{new}` would not check{why}")));
        }
        let both = self.unit.project.rulesets.iter().zip(&changed.project.rulesets);
        let rules = both.filter_map(|(a, b)| Some((a.rules.as_ref()?, b.rules.as_ref()?)));
        for (before, after) in rules {
            if listing(before, old, &new) != listing(after, old, &new) {
                let name = &before.name;
                return Err(Refusal::failed(format!(
                    "with `{new}` the ruleset `{name}` would say something else: the name is taken"
                )));
            }
        }
        Ok(())
    }
}

/// The rules as text, both names as one; without the hash and the lengths of scripts, which every
/// word changes.
fn listing(rules: &Ruleset, old: &str, new: &str) -> String {
    let text = print(rules);
    let lines = text.lines().skip(1).filter(|line| !line.starts_with("  script hooks/"));
    called(&lines.collect::<Vec<_>>().join("\n"), new, old).into_owned()
}

/// What is wrong with the new texts and not with the old ones.
fn new_error(old: &Unit, new: &Unit) -> Option<String> {
    let errors = |unit: &Unit| all(unit).iter().filter(|d| d.severity == Severity::Error).count();
    if errors(new) <= errors(old) {
        return None;
    }
    let known: Vec<String> = all(old).iter().map(|d| d.message.clone()).collect();
    let faults = all(new);
    let first =
        faults.iter().find(|d| d.severity == Severity::Error && !known.contains(&d.message));
    Some(first.map_or_else(String::new, |d| format!(": {}", d.message)))
}
