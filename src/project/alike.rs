//! Faults of one form for which there is no fix, told once: what a lost line of a map, or the lost
//! head of a block, does to all that stands behind it is one slip.

use std::collections::BTreeMap;

use super::follow::{OF_MAPS, UNKNOWN, with_places};
use crate::diag::{Code, Diagnostic, Severity, code};
use crate::source::{SourceMap, Span};

/// What is reported of lines where they do not belong.
const OF_LINES: [Code; 2] = [code::E0103, code::E0107];
/// What is reported of those who read what a lost line declares, in other words than that it is not
/// known.
const OF_READERS: [Code; 2] = [code::E0308, code::E0602];
/// So many places of a map, clauses and readers of what is not there are told apart.
const MOST_APART: usize = 3;

/// The faults in their order, those of one form with the places of the others.
pub(super) fn told_once(faults: Vec<Diagnostic>, sources: &SourceMap) -> Vec<Diagnostic> {
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, fault) in faults.iter().enumerate().filter(|(_, fault)| is_bare(fault)) {
        alike.entry(form(&fault.message)).or_default().push(at);
    }
    // For each that is not told the one with which it is.
    let mut with: Vec<Option<usize>> = vec![None; faults.len()];
    for all in alike.values() {
        let of = |at: &usize| faults.get(*at);
        let of_lines = all.first().and_then(of).is_some_and(|f| OF_LINES.contains(&f.code));
        for (first, other) in all.iter().zip(all.iter().skip(1)) {
            let (Some(one), Some(next)) = (of(first), of(other)) else { continue };
            let follows = if of_lines {
                line(sources, next).is_some_and(|(source, line)| {
                    line > 0 && self::line(sources, one) == Some((source, line - 1))
                })
            } else {
                let many = all.len() > MOST_APART
                    && (OF_MAPS.contains(&next.code)
                        || OF_READERS.contains(&next.code)
                        || next.code == code::E0204);
                one.message == next.message || many
            };
            if follows {
                let told = with.get(*first).copied().flatten().unwrap_or(*first);
                with.iter_mut().skip(*other).take(1).for_each(|cell| *cell = Some(told));
            }
        }
    }
    let places = |at: usize| -> Vec<Span> {
        let others = with.iter().zip(&faults).filter(|(first, _)| **first == Some(at));
        others.filter_map(|(_, other)| other.primary()).collect()
    };
    let kept = faults.iter().enumerate().filter(|(at, _)| with.get(*at) == Some(&None));
    let told = |(at, fault): (usize, &Diagnostic)| {
        let places = places(at);
        let fault = with_places(fault.clone(), &places);
        match OF_LINES.contains(&fault.code) && !places.is_empty() {
            true => fault.note("the line that begins their block may be missing above them"),
            false => fault,
        }
    };
    kept.map(told).collect()
}

/// Whether a fault is of a sort that follows from lost lines, and nothing mends it.
fn is_bare(fault: &Diagnostic) -> bool {
    let sorts = [&UNKNOWN[..], &OF_MAPS, &OF_LINES, &OF_READERS];
    fault.severity == Severity::Error
        && fault.suggestion.is_none()
        && fault.meant.as_ref().is_none_or(|meant| meant.ways.is_empty())
        && sorts.iter().any(|codes| codes.contains(&fault.code))
}

/// A message without the names in it.
fn form(message: &str) -> String {
    message.split('`').step_by(2).collect()
}

/// The line in which a fault stands, with its text.
fn line(sources: &SourceMap, fault: &Diagnostic) -> Option<(crate::source::SourceId, u32)> {
    let at = fault.primary()?;
    Some((at.source, sources.line_col(at.source, at.start).line))
}
