//! A name that is missing: one that others read and that nobody declares, or a kind.

use super::fixes::MOST_WAYS;
use super::follow::UNKNOWN;
use super::names::Names;
use super::number::is_one;
use crate::diag::Applicability;
use crate::diag::{Diagnostic, Severity, Suggestion, Way, code};
use crate::source::{SourceMap, Span};
use crate::syntax::STANCES;

/// How far a name that others read is from a line that lacks one, and how far a kind.
const READ: u8 = 2;
const KIND: u8 = 3;
const LONE: u8 = 5;

const BEFORE: [&str; 12] =
    ["of", "for", "space", "put", "any", "no", "only", "a", "an", "the", "pair", "joins"];

/// The names that may be missing where a fault wants one.
pub(super) fn ways(
    fault: &Diagnostic,
    all: &[Diagnostic],
    names: &Names,
    sources: &SourceMap,
) -> Vec<Way> {
    let Some(place) = fault.primary() else { return Vec::new() };
    // `any own where big`: no kind stands behind the adjective.
    let lone = fault.code == code::E0203 && STANCES.contains(&sources.slice(place));
    let wanted = fault.message.contains("expected a name") || fault.code == code::E0104;
    if !wanted && !lone {
        return Vec::new();
    }
    let text = sources.text(place.source);
    let behind = text.get(place.end as usize..).and_then(|t| t.lines().next()).unwrap_or_default();
    let is_last = lone || behind.trim().is_empty();
    let at = if is_last { place.end } else { place.start };
    let before = text.get(..at as usize).unwrap_or_default();
    let mut line = before.rsplit('\n').next().unwrap_or_default();
    // `space Hill "a hill"`: what was read as the kind is the name.
    let (mut at, mut words) = (at, line.split_whitespace());
    if let (Some("space" | "put"), Some(name), None) = (words.next(), words.next(), words.next()) {
        // Behind a kind the name is missing, and no text says what it is.
        if names.kinds(true).iter().any(|kind| kind == name) {
            return Vec::new();
        }
        line = line.get(..line.rfind(name).unwrap_or_default()).unwrap_or_default();
        at = u32::try_from(before.rfind(name).unwrap_or_default()).unwrap_or(at);
    }
    let way = |name: &str, rank: u8| {
        let with = if is_last { format!(" {name}") } else { format!("{name} ") };
        let span = Span::new(place.source, at, at);
        let fix = Suggestion { span, replacement: with, applies: Applicability::Maybe };
        let word = line.split_whitespace().next_back().unwrap_or_default();
        let word = if lone { sources.slice(place) } else { word };
        Way { fix, help: format!("write `{name}` behind `{word}`"), rank, edit: true }
    };
    let mut read: Vec<&str> = Vec::new();
    for other in all.iter().filter(|f| f.severity == Severity::Error && UNKNOWN.contains(&f.code)) {
        let name = other.primary().map_or("", |at| sources.slice(at));
        let plain = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if plain && name.chars().all(|c| c.is_alphanumeric() || c == '_') && !read.contains(&name) {
            read.push(name);
        }
        // Of more than are tried none would be offered.
        if read.len() > MOST_WAYS {
            break;
        }
    }
    let last = line.split_whitespace().next_back().unwrap_or_default();
    let takes_kind = BEFORE.contains(&last) || STANCES.contains(&last);
    let kinds = if takes_kind { names.kinds(is_one(line).unwrap_or_default()) } else { Vec::new() };
    // `armies own`: the kind is there, and stands before the adjective.
    let stands = line.split_whitespace().nth_back(1).filter(|_| lone).unwrap_or_default();
    let other = |kind: &&String| kind.as_str() != stands && !read.contains(&kind.as_str());
    let kinds = kinds.iter().filter(other).take(MOST_WAYS + 1);
    let far = if lone { LONE } else { KIND };
    read.iter().map(|name| way(name, READ)).chain(kinds.map(|kind| way(kind, far))).collect()
}
