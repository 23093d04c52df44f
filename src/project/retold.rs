//! Faults of layout, told where the layout is wrong: a line that goes on into the next one is read
//! on to a word that means nothing there, which is far from the line end that is missing.
//!
//! Takes a fault with its only true fix; gives the fault at the place of the fix.

use crate::diag::{Diagnostic, Suggestion, code};
use crate::source::{SourceMap, Span};
use crate::syntax::token;

/// Tells a fault of what is not read at its fix, if that is of blanks and line ends alone and stands
/// elsewhere.
pub(super) fn retell(fault: &mut Diagnostic, fix: &Suggestion, sources: &SourceMap) {
    let Some(place) = fault.primary().filter(|_| fault.code.as_str().starts_with("E01")) else {
        return;
    };
    let Some((word, begins)) = word_behind(fix, sources) else { return };
    if (place.source, place.start) == (word.source, word.start) {
        return;
    }
    let (old, new, named) = (sources.slice(fix.span), &fix.replacement, sources.slice(word));
    let (code, message) = if new.contains('\n') && !old.contains('\n') {
        (code::E0103, format!("the line should end before `{named}`"))
    } else if begins && old.is_empty() {
        (code::E0100, format!("`{named}` is a line of a block, and stands at the margin"))
    } else {
        return;
    };
    let told = Diagnostic::error(code, word, message);
    (fault.code, fault.message, fault.labels) = (told.code, told.message, told.labels);
}

/// The word behind a fix of blanks and line ends alone, and whether the fix stands where a line
/// begins.
fn word_behind(fix: &Suggestion, sources: &SourceMap) -> Option<(Span, bool)> {
    if !sources.slice(fix.span).trim().is_empty() || !fix.replacement.trim().is_empty() {
        return None;
    }
    let text = sources.text(fix.span.source);
    let (before, rest) = (text.get(..fix.span.start as usize)?, text.get(fix.span.end as usize..)?);
    let word = rest.trim_start();
    let start = text.len() - word.len();
    let length = token(word).len();
    let at = |p: usize| u32::try_from(p).unwrap_or(u32::MAX);
    let begins = before.is_empty() || before.ends_with('\n');
    Some((Span::new(fix.span.source, at(start), at(start + length)), begins))
}
