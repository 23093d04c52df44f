//! Faults of one form for which there is no fix become one message: a missing line of a map, or the
//! missing head of a block, is one slip, however many places depend on it.

use std::collections::BTreeMap;

use super::follow::{OF_MAPS, UNKNOWN, with_places};
use crate::diag::{Code, Diagnostic, Severity, code};
use crate::source::{SourceId, SourceMap, Span};

/// What is reported of lines where they do not belong.
const OF_LINES: [Code; 2] = [code::E0103, code::E0107];
/// What is reported of those who read what a lost line declares, in other words than that it is not
/// known.
const OF_READERS: [Code; 2] = [code::E0308, code::E0602];
/// Up to this many faults that differ in a name alone stay messages of their own.
const MOST_APART: usize = 3;

/// The faults in their order; repeated ones become further places of the first.
pub(super) fn told_once(faults: Vec<Diagnostic>, sources: &SourceMap) -> Vec<Diagnostic> {
    let mut forms: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, fault) in faults.iter().enumerate().filter(|(_, fault)| is_bare(fault)) {
        forms.entry(form(&fault.message)).or_default().push(at);
    }
    // For each repeated fault the first of its kind, and for that one the places of the others.
    let mut first_of: Vec<Option<usize>> = vec![None; faults.len()];
    let mut places: Vec<Vec<Span>> = vec![Vec::new(); faults.len()];
    for all in forms.values() {
        let many = all.len() > MOST_APART;
        for (at, next) in all.iter().zip(all.iter().skip(1)) {
            let (Some(one), Some(other)) = (faults.get(*at), faults.get(*next)) else { continue };
            if !repeats(sources, one, other, many) {
                continue;
            }
            let first = first_of.get(*at).copied().flatten().unwrap_or(*at);
            if let (Some(cell), Some(all)) = (first_of.get_mut(*next), places.get_mut(first)) {
                *cell = Some(first);
                all.extend(other.primary());
            }
        }
    }
    let kept = faults.into_iter().zip(first_of).zip(places);
    let kept = kept.filter(|((_, first), _)| first.is_none());
    kept.map(|((fault, _), places)| with_others(fault, &places)).collect()
}

/// Whether a fault repeats the one before it of the same form.
fn repeats(sources: &SourceMap, one: &Diagnostic, other: &Diagnostic, many: bool) -> bool {
    let code = other.code;
    if OF_LINES.contains(&code) {
        let next = line(sources, one).map(|(source, line)| (source, line + 1));
        return next.is_some() && next == line(sources, other);
    }
    let by_form = OF_MAPS.contains(&code) || OF_READERS.contains(&code) || code == code::E0204;
    one.message == other.message || many && by_form
}

fn with_others(fault: Diagnostic, places: &[Span]) -> Diagnostic {
    let of_lines = OF_LINES.contains(&fault.code) && !places.is_empty();
    let fault = with_places(fault, places);
    match of_lines {
        true => fault.note("the line that begins their block may be missing above them"),
        false => fault,
    }
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
fn line(sources: &SourceMap, fault: &Diagnostic) -> Option<(SourceId, u32)> {
    let at = fault.primary()?;
    Some((at.source, sources.line_col(at.source, at.start).line))
}
