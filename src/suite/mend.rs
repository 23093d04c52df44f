//! What to write so that an expectation says what came.
//!
//! Only a plain value is put in the place of a plain value. A comparison was written loose on
//! purpose, and a sentence that is turned round is another sentence; both are left to the author.

use super::run::Mend;
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position, Value};
use crate::report::value_text;
use crate::source::Span;

const COMPARISON: &str = "it compares, and how loosely is the author's choice";
const TRUTH: &str = "it is a truth, and only the author can turn the sentence round";
const MISSING: &str = "there is no such value to write";

/// The text that an expectation would need; `value` is the column of a grid, whose cell `span` is.
pub(super) fn mend<'t>(
    position: &Position<'_>,
    holds: ExprId,
    value: Option<ExprId>,
    span: Span,
    cx: &Cx,
    text: &impl Fn(Span) -> &'t str,
) -> Result<Mend, EvalFault> {
    let rules = position.rules;
    if let Some(value) = value {
        let found = position.value(value, cx)?;
        let plain = match rules.node(holds) {
            Node::Same(..) | Node::Compare(_, Comparison::Equal, _) => true,
            Node::Not(inner) => *inner == value,
            _ => holds == value,
        };
        // `not a` denies what it is the same as, and `one of` is a choice.
        return Ok(if !plain || text(span).trim_start().starts_with("not ") {
            Mend::Refused(COMPARISON)
        } else {
            written(position, value, found, text(span))
                .map_or(Mend::Refused(MISSING), |new| Mend::Write(span, new))
        });
    }
    let (left, right) = match rules.node(holds) {
        Node::Same(left, right) | Node::Compare(left, Comparison::Equal, right) => (*left, *right),
        Node::Compare(..) => return Ok(Mend::Refused(COMPARISON)),
        _ => return Ok(Mend::Refused(TRUTH)),
    };
    let place = rules.node_spans.get(right.index()).copied().unwrap_or_default();
    let old = text(place).trim_end();
    let found = position.value(left, cx)?;
    // What stands there must be the value and nothing else, or something else would be lost.
    if !is_text_of(position, left, right, old, cx)? {
        return Ok(Mend::Refused(TRUTH));
    }
    Ok(written(position, left, found, old).map_or(Mend::Refused(MISSING), |new| {
        let end = place.start + u32::try_from(old.len()).unwrap_or(0);
        Mend::Write(Span::new(place.source, place.start, end), new)
    }))
}

/// Whether a text is the value of the right side, as `value_text` or a rule writes it.
fn is_text_of(
    position: &Position<'_>,
    left: ExprId,
    right: ExprId,
    old: &str,
    cx: &Cx,
) -> Result<bool, EvalFault> {
    let value = position.value(right, cx)?;
    let said = value_text(position, left, value);
    let bare = old.strip_prefix("hex ").unwrap_or(old).trim_start();
    let first = bare.split_whitespace().next().unwrap_or_default();
    Ok(!said.is_empty() && (bare == said || matches!(value, Value::Number(_)) && first == said))
}

/// A value as a case writes it, in the form of what stood there: with its dimension, or with the
/// word `hex`.
fn written(position: &Position<'_>, id: ExprId, found: Value, old: &str) -> Option<String> {
    if matches!(found, Value::Barred) {
        return None;
    }
    let said = value_text(position, id, found);
    if said.is_empty() {
        return None;
    }
    let amount = matches!(found, Value::Number(_));
    let word = old.split_whitespace().nth(1).filter(|_| amount);
    let dimension = word
        .and_then(|w| position.rules.dimensions.iter().find(|d| d.name == w || d.singular == w));
    Some(match dimension {
        Some(d) if said == "1" => format!("{said} {}", d.singular),
        Some(d) => format!("{said} {}", d.name),
        None if !amount && said.starts_with(|c: char| c.is_ascii_digit()) => format!("hex {said}"),
        None => said,
    })
}
