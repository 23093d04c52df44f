//! The author's own words, cut from the source and tidied.
//!
//! A condition of the language is near to English already; what a reader does not need is the
//! bracket around it, and the sign that holds the words of one name together.

use crate::check::written::folded;
use crate::ir::{LineId, Ruleset};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{Effect, Name, Step, StepKind, Things};

/// The words of a place as they stand, without comments.
pub(super) fn said(sources: &SourceMap, place: Span) -> String {
    folded(sources, place)
}

/// The same without the brackets around the whole.
pub(super) fn open(sources: &SourceMap, place: Span) -> String {
    opened(folded(sources, place))
}

/// A text without the brackets around the whole.
pub(super) fn opened(text: String) -> String {
    match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) if is_whole(inner) => inner.trim().to_owned(),
        _ => text,
    }
}

/// Whether no bracket in a text closes one that was opened before it.
fn is_whole(text: &str) -> bool {
    let mut depth = 0_i64;
    text.chars().all(|c| {
        depth += i64::from(c == '(') - i64::from(c == ')');
        depth >= 0
    })
}

/// Names of several words read as words.
pub(super) fn tidy(text: &str) -> String {
    text.replace('_', " ")
}

/// A noun phrase, its condition without brackets around it.
pub(super) fn things(sources: &SourceMap, things: &Things) -> String {
    match &things.filter {
        Some(filter) => {
            let before = Span::new(things.span.source, things.span.start, filter.span.start);
            // The place of a claim in brackets begins behind the bracket.
            let before = said(sources, before);
            format!("{} {}", before.trim_end_matches(['(', ' ']), open(sources, filter.span))
        }
        None => said(sources, things.span),
    }
}

/// What a step does and to what, as a sentence without its first capital: `lower steps by 1 for
/// counters where ...`.
pub(super) fn step(sources: &SourceMap, step: &Step) -> String {
    let of = |effect: &Effect, about: Option<&Things>| {
        let about = about.map(|t| things(sources, t));
        match (effect, about) {
            (Effect::Remove(_), Some(about)) => format!("remove {about}"),
            (_, Some(about)) => format!("{} for {about}", effect_words(sources, effect)),
            (_, None) => effect_words(sources, effect),
        }
    };
    match &step.kind {
        StepKind::Judge { trace, things: about } => {
            format!("judge {} for {}", trace.text, things(sources, about))
        }
        StepKind::Do { effect, things } => of(effect, things.as_ref()),
        StepKind::May { effect, things } => format!("may {}", of(effect, Some(things))),
        StepKind::Must { effect, things } => format!("must {}", of(effect, Some(things))),
        StepKind::Roll { test, once, until, things: about } => {
            let once = if once.is_some() { " once" } else { "" };
            let until = until.as_ref().map_or_else(String::new, |u| format!(" until {}", u.text));
            format!("roll {}{once}{until} for {}", test.text, things(sources, about))
        }
    }
}

fn effect_words(sources: &SourceMap, effect: &Effect) -> String {
    match effect {
        Effect::Set { path, value } => {
            format!("set {} to {}", said(sources, path.span), open(sources, value.span))
        }
        Effect::Relate { left, how, right } => {
            format!("make {} {} {}", said(sources, left.span), how.text, said(sources, right.span))
        }
        Effect::Change { raise, path, by } => {
            let verb = if *raise { "raise" } else { "lower" };
            format!("{verb} {} by {}", said(sources, path.span), open(sources, by.span))
        }
        Effect::Mark(mark) => format!("mark {}", mark.text),
        Effect::Clear(path) => format!("clear {}", said(sources, path.span)),
        Effect::Remove(_) => "remove".to_owned(),
        Effect::Move(path) => format!("move to {}", said(sources, path.span)),
        Effect::Follow { trace, within, stopping } => {
            let within = within
                .as_ref()
                .map_or_else(String::new, |w| format!(" within {}", open(sources, w.span)));
            let stopping = stopping
                .as_ref()
                .map_or_else(String::new, |s: &Name| format!(" stopping in {}", s.text));
            format!("follow {}{within}{stopping}", trace.text)
        }
        Effect::Place { span, .. } => said(sources, *span),
    }
}

/// The full ids of the clauses that a line carries out.
pub(super) fn clauses(rules: &Ruleset, line: LineId) -> Vec<String> {
    let cited = rules.lines.get(line.index()).map_or(&[][..], |l| &l.clauses);
    cited.iter().filter_map(|c| rules.clauses.get(c.index())).map(|c| c.id.clone()).collect()
}
