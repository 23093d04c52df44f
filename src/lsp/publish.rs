//! Diagnostics as the editor shows them: of every file of a unit, with all their places.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::store::Store;
use super::unit::{Ranges, Unit};
use super::{Encoding, Server};
use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, Severity, code};
use crate::project::own_faults;
use crate::source::{SourceId, Span};

impl Server {
    /// What has changed in what is published.
    pub(super) fn publish(&mut self) -> Vec<Value> {
        let mut now: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::new();
        for unit in self.units.values() {
            for (path, found) in by_file(unit, &self.store, self.encoding) {
                let all = now.entry(path).or_default();
                for one in found {
                    if !all.contains(&one) {
                        all.push(one);
                    }
                }
            }
        }
        let mut out = Vec::new();
        let none = Vec::new();
        let mut paths: Vec<&PathBuf> = now.keys().chain(self.published.keys()).collect();
        paths.arrange();
        paths.dedup();
        for path in paths {
            let new = now.get(path).unwrap_or(&none);
            if self.published.get(path).is_some_and(|old| old == new) {
                continue;
            }
            let mut params = json!({ "uri": self.store.uri(path), "diagnostics": new });
            if let Some(open) = self.store.open.get(path) {
                put(&mut params, "version", open.version.clone());
            }
            out.push(json!({
                "jsonrpc": "2.0",
                "method": "textDocument/publishDiagnostics",
                "params": params,
            }));
        }
        self.published = now;
        out
    }
}

/// All that is wrong in a unit, by file; a file without a fault has none.
fn by_file(unit: &Unit, store: &Store, encoding: Encoding) -> BTreeMap<PathBuf, Vec<Value>> {
    let files = unit.files.iter().filter(|f| f.parent() == Some(folder(unit).as_path()));
    let mut found: BTreeMap<PathBuf, Vec<Value>> =
        crate::arrange::gathered(files.map(|f| (f.clone(), Vec::new())));
    let head = folder(unit).join("rules.sut");
    let ranges = Ranges::of(unit, store, encoding);
    for diagnostic in all(unit) {
        let path = diagnostic.primary().map_or(head.clone(), |p| unit.file(p.source).to_path_buf());
        let shown = shown(diagnostic, unit, &ranges);
        found.entry(path).or_default().push(shown);
    }
    found
}

fn folder(unit: &Unit) -> PathBuf {
    if unit.path.extension().is_some_and(|e| e == "sut") {
        unit.path.parent().map_or_else(PathBuf::new, PathBuf::from)
    } else {
        unit.path.clone()
    }
}

/// The faults of a unit, each once.
pub(super) fn all(unit: &Unit) -> Vec<&Diagnostic> {
    let own = own_faults(&unit.project).into_iter().flatten();
    unit.project.faults.iter().chain(own).collect()
}

/// One diagnostic in the form of the protocol.
pub(super) fn shown(diagnostic: &Diagnostic, unit: &Unit, ranges: &Ranges<'_>) -> Value {
    let range = |span: Span| ranges.range(span);
    let start = Span::new(SourceId(0), 0, 0);
    let mut value = json!({
        "range": diagnostic.primary().map_or_else(
            || json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } }),
            range,
        ),
        "severity": match diagnostic.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Note => 3,
        },
        "code": diagnostic.code.as_str(),
        "source": "sutler",
        "message": message(diagnostic, unit),
    });
    let primary = diagnostic.primary().unwrap_or(start);
    let others: Vec<Value> = diagnostic
        .labels
        .iter()
        .filter(|label| label.span != primary)
        .map(|label| {
            let text = if label.text.is_empty() { "here" } else { &label.text };
            json!({ "location": ranges.location(label.span), "message": text })
        })
        .collect();
    if !others.is_empty() {
        put(&mut value, "relatedInformation", others.into());
    }
    if is_unused(diagnostic) {
        put(&mut value, "tags", json!([1]));
    }
    value
}

/// Adds a key to an object.
pub(super) fn put(object: &mut Value, key: &str, value: Value) {
    if let Some(map) = object.as_object_mut() {
        map.insert(key.to_owned(), value);
    }
}

/// What is said: the message, what stands at the place, and what to do.
fn message(diagnostic: &Diagnostic, unit: &Unit) -> String {
    let mut text = diagnostic.message.clone();
    let sources = &unit.project.sources;
    if let Some(place) = diagnostic.primary().filter(|p| sources.sheet(p.source).is_some()) {
        text = format!("{}: {text}", sources.place(place));
    }
    let primary = diagnostic.labels.iter().find(|label| label.primary);
    if let Some(label) = primary.filter(|label| !label.text.is_empty()) {
        text.push_str(&format!(": {}", label.text));
    }
    if let Some(advice) = diagnostic.advice(&unit.project.sources) {
        text.push_str(&format!("\nhelp: {advice}"));
    }
    for note in &diagnostic.notes {
        text.push_str(&format!("\nnote: {note}"));
    }
    text
}

/// Whether it is about something that nothing uses, which editors show faded.
fn is_unused(diagnostic: &Diagnostic) -> bool {
    [code::W0212, code::W0216, code::W0217].contains(&diagnostic.code)
}
