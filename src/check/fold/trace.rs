//! Changes of traces: gates, budgets, costs and sources, each by its name.

use super::body::Body;
use super::rope::{Piece, Rope, cited};
use super::{Fold, text};
use crate::check::written::bare;
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;

impl Fold<'_> {
    /// `override through of LEG of TRACE was C now C`
    pub(super) fn gate_changed(
        &mut self,
        (gate, leg, trace): (&Name, &Name, &Name),
        (was, now): (&Expr, &Expr),
        cites: &Cites,
        what: &str,
    ) {
        let found = self.expression(was, now, cites, what, |fold| fold.gate(gate, leg, trace));
        let Some((_, _, cites)) = found else { return };
        let sources = self.sources;
        let Some(at) = self.position("trace", trace) else { return };
        let Some(mut rope) = self.out.items.get(at).map(|i| i.rope.clone()) else { return };
        // By its leg: the same line may stand in several that are as one.
        let body = Body::of(&rope, sources);
        let Some((line, asked)) = body.asked_of(&gate.text, &leg.text) else { return };
        self.out.cite(&mut rope, (&body, line), &cites, sources);
        rope.splice(asked, [Piece::Text(bare(sources, now.span))], sources);
        if let Some(item) = self.out.items.get_mut(at) {
            item.rope = rope;
        }
    }

    /// `override source NAME of TRACE was C now C`
    pub(super) fn source_changed(
        &mut self,
        (noun, name, trace): (&Name, &Name, &Name),
        (was, now): (&Expr, &Expr),
        cites: &Cites,
        what: &str,
    ) {
        let found = self.expression(was, now, cites, what, |fold| fold.source(noun, name, trace));
        let Some((place, (line, old), cites)) = found else { return };
        let sources = self.sources;
        if let Some(rope) = self.rope("trace", trace) {
            // A source asks one claim, or one bracket.
            rope.replace_bracketed(place, now.span, sources);
            cite(rope, line, &old, &cites, sources);
        }
    }

    /// Changes what a line asks; gives where that stood, the line with its clauses, and the new ones.
    fn expression<F>(
        &mut self,
        was: &Expr,
        now: &Expr,
        cites: &Cites,
        what: &str,
        find: F,
    ) -> Option<(Span, (Span, Cites), Cites)>
    where
        F: Fn(&mut Self) -> Option<&mut TraceLine>,
    {
        let sources = self.sources;
        let before = find(self).map(|line| line.cites.clone())?;
        let cites = self.out.uncited(&before, cites);
        let line = find(self)?;
        let (of_line, old) = (line.span, line.cites.clone());
        let current = asked(&mut line.kind)?;
        let (said, place) = (text(sources, current.span), current.span);
        if said != text(sources, was.span) {
            self.mismatch(was.span, place, &said, what);
            return None;
        }
        now.clone_into(current);
        line.cites.0.extend(cites.0.iter().cloned());
        Some((place, (of_line, old), cites))
    }

    pub(super) fn trace(&mut self, name: &Name) -> Option<&mut Trace> {
        let Some(at) = self.position("trace", name) else {
            self.missing("trace", name);
            return None;
        };
        match self.out.items.get_mut(at).map(|i| &mut i.item_mut().kind) {
            Some(ItemKind::Trace(trace)) => Some(trace),
            _ => None,
        }
    }

    pub(super) fn gate(&mut self, gate: &Name, leg: &Name, trace: &Name) -> Option<&mut TraceLine> {
        let Some(at) = gate_at(self.trace(trace)?, &gate.text, &leg.text) else {
            self.no_such(gate, &format!("leg `{}` of trace `{}`", leg.text, trace.text));
            return None;
        };
        self.trace(trace)?.lines.get_mut(at)
    }

    pub(super) fn source(
        &mut self,
        noun: &Name,
        wanted: &Name,
        trace: &Name,
    ) -> Option<&mut TraceLine> {
        let Some(at) = source_at(self.trace(trace)?, &noun.text, &wanted.text) else {
            self.no_such(wanted, &format!("trace `{}`", trace.text));
            return None;
        };
        self.trace(trace)?.lines.get_mut(at)
    }
}

/// Puts new clauses behind a line, into its brackets if it has some.
pub(super) fn cite(rope: &mut Rope, line: Span, old: &Cites, new: &Cites, sources: &SourceMap) {
    let behind = old.0.last().map_or(line, |last| last.span);
    rope.insert(behind, cited(new, !old.0.is_empty()), sources);
}

/// Where a gate, a budget or a cost of a leg stands among the lines of a trace.
pub(super) fn gate_at(trace: &Trace, gate: &str, leg: &str) -> Option<usize> {
    let is = |l: &TraceLine| matches!(&l.kind, TraceLineKind::Leg { name, .. } if name.text == leg);
    let start = trace.lines.iter().position(is)?;
    let of_leg = trace.lines.iter().enumerate().skip(start + 1);
    let mut of_leg = of_leg.take_while(|(_, l)| !matches!(l.kind, TraceLineKind::Leg { .. }));
    of_leg.find(|(_, l)| gate_word(&l.kind) == gate).map(|(at, _)| at)
}

/// Where a source or a relay stands among the lines of a trace.
pub(super) fn source_at(trace: &Trace, noun: &str, wanted: &str) -> Option<usize> {
    let is = |l: &TraceLine| source_name(&l.kind, noun).is_some_and(|n| n.text == wanted);
    trace.lines.iter().position(is)
}

/// What a gate, a budget, a cost or a source asks.
pub(super) fn asked(line: &mut TraceLineKind) -> Option<&mut Expr> {
    match line {
        TraceLineKind::From(e)
        | TraceLineKind::Through(e)
        | TraceLineKind::Stopping(e)
        | TraceLineKind::Into(e)
        | TraceLineKind::Within(e)
        | TraceLineKind::Cost(e)
        | TraceLineKind::Source { filter: e, .. }
        | TraceLineKind::Relay { filter: e, .. } => Some(e),
        _ => None,
    }
}

pub(super) fn source_name<'l>(line: &'l TraceLineKind, noun: &str) -> Option<&'l Name> {
    match line {
        TraceLineKind::Source { name, .. } if noun == "source" => Some(name),
        TraceLineKind::Relay { name, .. } if noun == "relay" => Some(name),
        _ => None,
    }
}

pub(super) fn gate_word(line: &TraceLineKind) -> &'static str {
    match line {
        TraceLineKind::From(_) => "from",
        TraceLineKind::Through(_) => "through",
        TraceLineKind::Stopping(_) => "stopping",
        TraceLineKind::Into(_) => "into",
        TraceLineKind::Within(_) => "within",
        TraceLineKind::Cost(_) => "cost",
        _ => "",
    }
}
