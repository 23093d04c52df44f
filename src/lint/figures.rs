//! Clauses of a parent that still print a number which a variant has changed.

use std::collections::BTreeSet;

use crate::compare::{Change, Kind, PartChange, Side, diff};
use crate::diag::{Diagnostic, code};
use crate::ir::Clause;
use crate::mutate::Given;
use crate::source::Span;

/// Numbers that rulebooks write as words; `one` is left out, for it is most often no number.
const WORDS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// The numbers of a text, in figures or as words.
fn numbers(text: &str) -> BTreeSet<usize> {
    let spelled = |word: &str| WORDS.iter().position(|w| w.eq_ignore_ascii_case(word));
    text.split(|c: char| !c.is_alphanumeric())
        .filter_map(|word| spelled(word).map(|at| at + 2).or_else(|| word.parse().ok()))
        .collect()
}

/// The numbers that a change takes out of a part of an item.
fn gone(part: &PartChange) -> BTreeSet<usize> {
    let of = |text: &Option<String>| text.as_deref().map(numbers).unwrap_or_default();
    &of(&part.was) - &of(&part.now)
}

/// Of each item that a variant changes the numbers that are gone, held against the clauses that the
/// item carries out and that the variant leaves as they were.
pub(super) fn left_behind(main: &Given<'_>, parent: &Given<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for change in diff(side(parent), side(main)).changes {
        if change.what != Kind::Changed {
            continue;
        }
        let clauses = carried_out(main, parent, &change);
        for part in &change.parts {
            let gone = gone(part);
            let Some(span) = place(main, &change, &part.part) else { continue };
            for clause in &clauses {
                if let Some(number) = numbers(&clause.text).intersection(&gone).next() {
                    found.push(finding(&change, part, clause, (*number, span)));
                }
            }
        }
    }
    found
}

fn side<'a>(of: &Given<'a>) -> Side<'a> {
    Side { resolved: of.resolved, sources: of.sources, rules: of.rules }
}

/// The clauses of the parent that an item carries out, in words that the variant has not changed.
fn carried_out<'a>(main: &Given<'a>, parent: &Given<'_>, change: &Change) -> Vec<&'a Clause> {
    let whole = format!("{} {}", change.noun, change.name);
    let is_of = |line: &str| {
        line.strip_prefix(&whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
    };
    let cited: BTreeSet<usize> = main
        .rules
        .lines
        .iter()
        .filter(|line| is_of(&line.name))
        .flat_map(|line| line.clauses.iter().map(|c| c.index()))
        .collect();
    let unchanged = |clause: &&Clause| {
        parent.rules.clauses.iter().any(|c| c.id == clause.id && c.text == clause.text)
    };
    cited.into_iter().filter_map(|at| main.rules.clauses.get(at)).filter(unchanged).collect()
}

/// Where the variant changes a part of an item, or the whole of it.
fn place(main: &Given<'_>, change: &Change, part: &str) -> Option<Span> {
    let whole = format!("{} `{}`", change.noun, change.name);
    let of_it = main.resolved.touched.iter().filter(|t| {
        let owner = t.owner.as_ref().is_some_and(|(n, o)| *n == change.noun && *o == change.name);
        owner || t.what == whole
    });
    let named = |what: &str| format!("{} ", what.replace('`', "")).contains(&format!("{part} "));
    let all: Vec<_> = of_it.collect();
    all.iter().find(|t| named(&t.what)).or(all.first()).map(|t| t.span)
}

fn finding(
    change: &Change,
    part: &PartChange,
    clause: &Clause,
    (number, span): (usize, Span),
) -> Diagnostic {
    let (noun, name, id) = (&change.noun, &change.name, &clause.id);
    let said = format!(
        "`{id}` still says {number}, and {} of {noun} `{name}` does not any more",
        part.part
    );
    let help = format!(
        "say it as it is now, `override clause {id} was \"...\" now \"...\"`, or cite a clause of this ruleset in its place"
    );
    Diagnostic::warning(code::W1213, span, said)
        .at("changed here")
        .label(clause.span, "the clause that it carries out")
        .help(help)
}
