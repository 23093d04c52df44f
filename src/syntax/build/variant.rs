//! What a variant changes.

use super::super::Rule;
use super::super::ast::*;
use super::expr::expr;
use super::rules::{grid_row, key_cell, list_row, trace_line, values};
use super::{Kids, Origin, P, construct, name};
use crate::source::Span;

pub(super) fn override_(mut k: Kids<'_>) -> Option<Override> {
    let o = k.origin;
    let inner = k.next()?;
    match inner.as_rule() {
        Rule::changed => return changed(Kids::of(o, inner)),
        Rule::override_clause | Rule::override_section => {
            let noun = gate_word(o, &inner)?;
            let mut k = Kids::of(o, inner);
            let label = name(o, &k.next_if(Rule::clause_ref)?);
            let kind = OverrideKind::Said { noun, label, was: k.text()?, now: k.text()? };
            return Some(Override { kind, cites: Cites::default() });
        }
        _ => {}
    }
    if !matches!(inner.as_rule(), Rule::override_row | Rule::override_cell | Rule::override_line) {
        let item = construct(o, inner)?;
        return Some(Override {
            kind: OverrideKind::Whole(Box::new(item)),
            cites: Cites::default(),
        });
    }
    let rule = inner.as_rule();
    let gate = gate_word(o, &inner);
    let mut k = Kids::of(o, inner);
    let last = gate.clone().filter(|word| rule == Rule::override_row && word.text == "otherwise");
    let kind = match rule {
        Rule::override_row => {
            // The last row of a list has no name of its own; it is called by its word.
            let row = match &last {
                Some(word) => word.clone(),
                None => k.name()?,
            };
            let table = k.name()?;
            OverrideKind::Row { row, table, was: values(o, k.next()?)?, now: values(o, k.next()?)? }
        }
        Rule::override_cell => {
            let keys = k
                .rest_of(Rule::key_cell)
                .into_iter()
                .map(|p| key_cell(o, p))
                .collect::<Option<Vec<_>>>()?;
            let table = k.name()?;
            OverrideKind::Cell {
                keys,
                table,
                was: Box::new(expr(o, k.next()?)?),
                now: Box::new(expr(o, k.next()?)?),
            }
        }
        _ => {
            let noun = gate?;
            let (first, second) = (k.name()?, k.name()?);
            let (was, now) =
                (Box::new(unwrapped(o, k.next()?)?), Box::new(unwrapped(o, k.next()?)?));
            if matches!(noun.text.as_str(), "source" | "relay") {
                OverrideKind::Source { noun, name: first, trace: second, was, now }
            } else {
                OverrideKind::Gate { gate: noun, leg: first, trace: second, was, now }
            }
        }
    };
    Some(Override { kind, cites: k.cites() })
}

/// `NOUN NAME, but { LINES }`
fn changed(mut k: Kids<'_>) -> Option<Override> {
    let o = k.origin;
    let noun = word(o, &k.next_if(Rule::changed_noun)?);
    let kind = OverrideKind::Lines { noun, name: k.name()?, lines: but_lines(&mut k)? };
    Some(Override { kind, cites: Cites::default() })
}

pub(super) fn copy(mut k: Kids<'_>) -> Option<Copy> {
    let o = k.origin;
    let noun = word(o, &k.next_if(Rule::copied_noun)?);
    let (name, of, original) = (k.name()?, k.subject(), k.name()?);
    Some(Copy { noun, name, of, original, title: k.text(), lines: but_lines(&mut k)? })
}

/// The lines behind `but`; none where nothing is different.
fn but_lines(k: &mut Kids<'_>) -> Option<Vec<ButLine>> {
    let Some(block) = k.next_if(Rule::but_block) else { return Some(Vec::new()) };
    let lines = Kids::of(k.origin, block).rest_of(Rule::but_line);
    lines.into_iter().map(|line| but_line(Kids::of(k.origin, line))).collect()
}

fn but_line(mut k: Kids<'_>) -> Option<ButLine> {
    let o = k.origin;
    let inner = k.next()?;
    let (rule, span) = (inner.as_rule(), o.span(&inner));
    let mut parts = Kids::of(o, inner);
    let mut words = |rule: Rule| parts.next_if(rule).map(|p| o.span(&p));
    let kind = match rule {
        Rule::taken_out => ButKind::TakenOut { key: words(Rule::called_words)? },
        Rule::part_changed => ButKind::Part {
            key: words(Rule::called_words)?,
            was: words(Rule::was_words)?,
            now: words(Rule::now_words)?,
        },
        _ => {
            let key = words(Rule::called_words);
            let line = words(Rule::now_words)?;
            ButKind::Added { place: key.map(|key| (parts.has(Rule::k_before), key)), line }
        }
    };
    Some(ButLine { span, kind, cites: k.cites() })
}

fn unwrapped(o: Origin, pair: P<'_>) -> Option<Expr> {
    let e = expr(o, pair)?;
    Some(match e.kind {
        ExprKind::Paren(inner) => *inner,
        _ => e,
    })
}

/// The word of the line that is changed, such as `through`; it is the first child.
fn gate_word(o: Origin, pair: &P<'_>) -> Option<Name> {
    let first = pair.clone().into_inner().next()?;
    Some(Name { text: first.as_str().trim_end().to_owned(), span: o.span(&first) })
}

pub(super) fn add(mut k: Kids<'_>) -> Option<Add> {
    let o = k.origin;
    let inner = k.next()?;
    let rule = inner.as_rule();
    let mut k = Kids::of(o, inner);
    if rule == Rule::add_line {
        return Some(Add::Line { trace: k.name()?, line: Box::new(trace_line(o, k.next()?)?) });
    }
    let before = if k.has(Rule::k_before) {
        Some(true)
    } else if k.has(Rule::k_after) {
        Some(false)
    } else {
        None
    };
    let table = k.name()?;
    let anchor = k.name();
    let row = k.next()?;
    let row = if row.as_rule() == Rule::grid_row {
        AddedRow::Grid(grid_row(o, row)?)
    } else {
        AddedRow::List(Box::new(list_row(o, row)?))
    };
    Some(Add::Row { table, before, anchor, row: Box::new(row) })
}

pub(super) fn remove(mut k: Kids<'_>) -> Option<Remove> {
    let o = k.origin;
    let kind = if let Some(clause) = k.next_if(Rule::remove_clause) {
        let mut k = Kids::of(o, clause);
        let label = name(o, &k.next_if(Rule::clause_ref)?);
        RemoveKind::Clause { label, lines: k.next_if(Rule::with_lines).is_some() }
    } else if let Some(title) = k.text() {
        RemoveKind::Case(title)
    } else if let Some(noun) = k.next_if(Rule::item_noun) {
        let noun = word(o, &noun);
        RemoveKind::Item { noun, name: k.name()?, span: k.span }
    } else {
        let of_row = k.has(Rule::k_row);
        let noun = if k.has(Rule::k_source) { "source" } else { "relay" };
        let span: Span = k.span;
        let (name, owner) = (k.name()?, k.name()?);
        if of_row {
            RemoveKind::Row { row: name, table: owner }
        } else {
            RemoveKind::Source { noun: Name { text: noun.to_owned(), span }, name, trace: owner }
        }
    };
    Some(Remove { kind, cites: k.cites() })
}

fn word(o: Origin, pair: &P<'_>) -> Name {
    Name { text: pair.as_str().trim_end().to_owned(), span: o.span(pair) }
}
