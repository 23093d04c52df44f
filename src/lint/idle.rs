//! Lines and parts of conditions that decide nothing, since what stands beside them has decided it.

use std::collections::BTreeSet;

use super::excepted::{Exceptions, told_of_exception};
use super::itself::one_line;
use super::rules::{inside, is_asked_of_links, line, own_conditions};
use crate::arrange::Arrange as _;
use crate::check::{implied, question, told_apart};
use crate::diag::{Diagnostic, code};
use crate::ir::{Choice, ExprId, LineId, Node, Policy, Row, Ruleset, Table, Test, Trace};
use crate::mutate::Given;
use crate::source::Span;

/// Conditions with more parts than this are not looked through.
const MOST_PARTS: usize = 16;

/// Findings about lines of traces, of choices and of tables.
pub(super) fn lines(main: &Given<'_>) -> Vec<Diagnostic> {
    let rules = main.rules;
    let mut found: Vec<Diagnostic> = rules.traces.iter().flat_map(|t| of_trace(main, t)).collect();
    found.extend(rules.choices.iter().flat_map(|choice| of_choice(main, choice)));
    found.extend(rules.tables.iter().filter_map(|table| alike_rows(main, table)));
    found.extend(rules.tests.iter().filter_map(|test| alike_outcomes(main, test)));
    found
}

/// What is asked of a trace and never comes to a later line: by what settles it, and by what is a
/// source before.
fn of_trace(main: &Given<'_>, trace: &Trace) -> Vec<Diagnostic> {
    let verdicts: Vec<(ExprId, LineId)> = trace.verdicts.iter().map(|v| (v.when, v.line)).collect();
    let sources = trace.sources.iter().chain(&trace.relays);
    let sources: Vec<(ExprId, LineId)> = sources.map(|s| (s.when, s.line)).collect();
    let mut found = behind(main, &verdicts);
    found.extend(behind(main, &sources));
    found
}

/// The lines of a list, of which the first that holds counts, that hold nowhere first.
fn behind(main: &Given<'_>, lines: &[(ExprId, LineId)]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, (when, place)) in lines.iter().enumerate() {
        let before: Vec<ExprId> = lines.iter().take(at).map(|(when, _)| *when).collect();
        let Some(span) = line(main, *place) else { continue };
        if before.is_empty() || !implied(main.rules, main.sources, *when, &before) {
            continue;
        }
        let alone = |of: &&(ExprId, LineId)| implied(main.rules, main.sources, *when, &[of.0]);
        let first = lines.iter().take(at).find(alone);
        let first = first.and_then(|(_, place)| main.rules.lines.get(place.index()));
        let fault = told(span, "this line is never reached: wherever it holds, one before it does");
        let fault = fault.help("move it up, say what it adds, or take it out");
        found.push(match first {
            Some(first) => fault.label(first.span, "this one"),
            None => fault,
        });
    }
    found
}

/// What a choice prefers among things that are alike in it.
fn of_choice(main: &Given<'_>, choice: &Choice) -> Vec<Diagnostic> {
    let rules = main.rules;
    let from = rules.things.get(choice.from.index()).and_then(|things| things.condition);
    let (mut found, mut before) = (Vec::new(), Vec::new());
    for prefer in &choice.prefers {
        let vain = match prefer.highest {
            Some(_) => is_written(rules, prefer.value),
            None => !told_apart(rules, main.sources, from, &before, prefer.value),
        };
        if prefer.highest.is_none() {
            before.push(prefer.value);
        }
        if let Some(span) = line(main, prefer.line).filter(|_| vain) {
            found.push(
                told(span, "this prefers nothing: all that are left are alike in it")
                    .help("say what some of them are and others are not, or take it out"),
            );
        }
    }
    found
}

/// Whether an amount is a number as it is written.
fn is_written(rules: &Ruleset, amount: ExprId) -> bool {
    matches!(rules.node(amount), Node::Number { .. })
}

/// A table that gives the same whatever is so.
fn alike_rows(main: &Given<'_>, table: &Table) -> Option<Diagnostic> {
    let counts = matches!(table.policy, Policy::First | Policy::Only);
    let span = line(main, table.line).filter(|_| counts)?;
    let mut rows = table.rows.iter().map(|row| gives(main, row));
    let first = rows.next()?;
    let alike = rows.len() > 0 && rows.all(|other| other == first);
    let message = format!("every row of `{}` gives the same", table.name);
    alike.then(|| told(span, message).help("write what differs, or say the value once"))
}

/// What a row gives, as a text that is the same for two rows that give the same.
pub(super) fn gives(main: &Given<'_>, row: &Row) -> String {
    let asked = |value: &Option<ExprId>| value.map(|id| question(main.rules, main.sources, id));
    format!("{:?}", row.values.iter().map(asked).collect::<Vec<_>>())
}

/// A test that comes to the same whatever is rolled, or asks nothing that the dice show.
fn alike_outcomes(main: &Given<'_>, test: &Test) -> Option<Diagnostic> {
    let rules = main.rules;
    let span = line(main, test.line).filter(|_| test.retry.is_none())?;
    let outcomes: BTreeSet<u16> = test.rows.iter().map(|(_, outcome, _)| *outcome).collect();
    if outcomes.len() == 1 && test.rows.len() > 1 {
        let message = format!("every row of `{}` comes to the same", test.name);
        return Some(told(span, message).help("write what differs, or take the test out"));
    }
    let (mut asked, whens) = (false, test.rows.iter().filter_map(|(when, ..)| *when));
    rules.walk(
        whens,
        |_| true,
        |_, id| asked |= matches!(rules.node(id), Node::Total | Node::Natural),
    );
    let message = format!("no row of `{}` asks what the dice show", test.name);
    (!asked).then(|| told(span, message).help("ask the `total`, or make it a table"))
}

/// Parts of conditions that say nothing beside the others: `strength at least 4 and strength at
/// least 2`.
pub(super) fn parts(main: &Given<'_>) -> Vec<Diagnostic> {
    let own = own_conditions(main);
    let is_own = |span: Span| {
        span.start < span.end
            && own.iter().any(|item| inside(span, *item))
            && !is_asked_of_links(main, span)
    };
    let (span, exceptions) = (|id| place(main.rules, id), Exceptions::of(main));
    let mut found: Vec<(Span, Diagnostic)> = Vec::new();
    for node in &main.rules.nodes {
        let (Node::And(all) | Node::Or(all)) = node else { continue };
        if all.len() > MOST_PARTS {
            continue;
        }
        // Of two parts that say the same, the later one is reported.
        let written = all.iter().rev().find(|part| {
            let joined = |other: &ExprId| are_joined(main, span(**part), span(*other));
            is_own(span(**part)) && says_nothing(main, node, **part, &joined)
        });
        found.extend(written.map(|part| (span(*part), told_of_part(main, span(*part)))));
        let excepted = all.iter().rev().find_map(|part| {
            let one = exceptions.around(main.rules, *part)?;
            let apart = |other: &ExprId| exceptions.around(main.rules, *other) != Some(one);
            says_nothing(main, node, *part, &apart).then_some(one)
        });
        found.extend(excepted.map(|one| (one, told_of_exception(one))));
    }
    found.arrange_by_key(|(span, _)| *span);
    found.dedup_by_key(|(span, _)| *span);
    found.into_iter().map(|(_, told)| told).collect()
}

/// Whether a part of a condition adds nothing to one of those beside it.
fn says_nothing(
    main: &Given<'_>,
    whole: &Node,
    part: ExprId,
    beside: &dyn Fn(&ExprId) -> bool,
) -> bool {
    let (Node::And(all) | Node::Or(all)) = whole else { return false };
    let mut others = all.iter().filter(|other| **other != part && beside(other));
    others.any(|other| match whole {
        Node::And(_) => implied(main.rules, main.sources, *other, &[part]),
        _ => implied(main.rules, main.sources, part, &[*other]),
    })
}

/// Where an expression is written.
pub(super) fn place(rules: &Ruleset, id: ExprId) -> Span {
    rules.node_spans.get(id.index()).copied().unwrap_or_default()
}

fn told_of_part(main: &Given<'_>, span: Span) -> Diagnostic {
    let text = one_line(main.sources.slice(span));
    let message = format!("`{text}` says nothing that another part of its condition does not say");
    told(span, message).help("leave it out, or write what was meant")
}

/// Whether a word that joins conditions is written between two of them; what an exception or a
/// range is made of is joined by none.
fn are_joined(main: &Given<'_>, part: Span, other: Span) -> bool {
    let (first, second) = if part.start < other.start { (part, other) } else { (other, part) };
    if first.source != second.source || first.end > second.start {
        return false;
    }
    let between = main.sources.slice(Span::new(first.source, first.end, second.start));
    between.split_whitespace().any(|word| ["and", "or", "where"].contains(&word))
}

pub(super) fn told(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::warning(code::W1216, span, message)
}
