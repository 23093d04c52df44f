//! What a report says beside its cases: what could not be opened, what does not compile, what has
//! too few cases.

use std::collections::BTreeMap;

use super::select::What;
use crate::cli::family::own_errors;
use crate::cli::placed::Placed;
use crate::diag::{Diagnostic, counted};
use crate::project::{Loaded, Project};
use crate::source::SourceMap;

/// What one path of the call has opened.
pub(super) struct Opened {
    pub path: String,
    pub project: Project,
}

/// One thing that is said of a ruleset as a whole.
pub(super) struct Note<'p> {
    /// The ruleset, or the path where none was opened.
    pub ruleset: String,
    pub kind: Kind<'p>,
    /// Where it is said, if it is no diagnostic.
    file: String,
}

/// What is said.
pub(super) enum Kind<'p> {
    /// a fault of its text or of its path
    Fault(Placed<'p>),
    /// what it builds on has faults, so that it was not run
    NotRun,
    /// it has fewer cases than were asked for
    TooFew { has: usize, least: usize },
    /// it has no case
    Empty,
}

impl Note<'_> {
    /// All but a ruleset without cases, where none was asked for, is an error.
    pub(super) fn is_error(&self) -> bool {
        !matches!(self.kind, Kind::Empty)
    }

    /// Whether the ruleset was not run.
    pub(super) fn is_broken(&self) -> bool {
        matches!(self.kind, Kind::Fault(_) | Kind::NotRun)
    }

    pub(super) fn level(&self) -> &'static str {
        if self.is_error() { "error" } else { "warning" }
    }

    /// The code of a diagnostic, or what it is in two words.
    pub(super) fn code(&self) -> &'static str {
        match &self.kind {
            Kind::Fault(fault) => fault.found.code.as_str(),
            Kind::NotRun => "not-run",
            Kind::TooFew { .. } => "too-few-cases",
            Kind::Empty => "no-cases",
        }
    }

    /// What is wrong; of a diagnostic also the other places and what to do, a line each.
    pub(super) fn message(&self) -> String {
        match &self.kind {
            Kind::Fault(fault) => fault.message(),
            Kind::NotRun => "not run, because what it builds on has faults".to_owned(),
            Kind::TooFew { has, least } => {
                format!("has {}, and `--min-cases` asks for {least}", cases(*has))
            }
            Kind::Empty => "has no cases, so that nothing was tested".to_owned(),
        }
    }

    /// Its file, line and column.
    pub(super) fn place(&self) -> (String, u32, u32) {
        match &self.kind {
            Kind::Fault(fault) => fault.place(),
            _ => (self.file.clone(), 1, 1),
        }
    }
}

fn cases(count: usize) -> String {
    counted(count, "case")
}

/// What is to be said of all that was opened, in its order.
pub(super) fn notes(opened: &[Opened], least: Option<usize>) -> Vec<Note<'_>> {
    opened.iter().flat_map(|one| of_one(one, least)).collect()
}

fn of_one(one: &Opened, least: Option<usize>) -> Vec<Note<'_>> {
    let (sources, path) = (&one.project.sources, one.path.as_str());
    let fault = |found| Kind::Fault(Placed { found, sources, path });
    let mut all: Vec<Note<'_>> = one
        .project
        .faults
        .iter()
        .map(|f| Note { ruleset: path.to_owned(), kind: fault(f), file: path.to_owned() })
        .collect();
    for (loaded, faults) in one.project.rulesets.iter().zip(own_errors(&one.project)) {
        let note = |kind| Note { ruleset: loaded.name.clone(), kind, file: file(loaded) };
        match (&loaded.rules, count(loaded)) {
            (None, _) if faults.is_empty() => all.push(note(Kind::NotRun)),
            (None, _) => all.extend(faults.into_iter().map(|f| note(fault(f)))),
            (_, has) if least.is_some_and(|least| has < least) => {
                all.push(note(Kind::TooFew { has, least: least.unwrap_or(0) }));
            }
            (_, 0) => all.push(note(Kind::Empty)),
            _ => {}
        }
    }
    all
}

/// How many cases and mistakes a ruleset has.
fn count(loaded: &Loaded) -> usize {
    What::all(loaded).count()
}

/// The file of a variant, or the one with the head.
fn file(loaded: &Loaded) -> String {
    loaded.file.clone().unwrap_or_else(|| loaded.folder.join("rules.sut")).display().to_string()
}

/// The diagnostics among the notes, those of one set of texts together.
pub(super) fn faults<'p>(notes: &[Note<'p>]) -> Vec<(&'p SourceMap, Vec<Diagnostic>)> {
    let mut all: Vec<(&SourceMap, Vec<Diagnostic>)> = Vec::new();
    for note in notes {
        let Kind::Fault(fault) = &note.kind else { continue };
        match all.last_mut().filter(|(sources, _)| std::ptr::eq(*sources, fault.sources)) {
            Some((_, found)) => found.push(fault.found.clone()),
            None => all.push((fault.sources, vec![fault.found.clone()])),
        }
    }
    all
}

/// How many errors each ruleset has that was not run.
pub(super) fn not_run<'n>(notes: &'n [Note<'_>]) -> BTreeMap<&'n str, usize> {
    let mut found = BTreeMap::new();
    for note in notes.iter().filter(|n| n.is_broken()) {
        *found.entry(note.ruleset.as_str()).or_insert(0) +=
            usize::from(matches!(note.kind, Kind::Fault(_)));
    }
    found
}
