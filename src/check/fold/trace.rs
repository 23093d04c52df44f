//! Changes of traces: gates, budgets, costs and sources, each by its name.

use super::rope::{Rope, cited};
use super::{Fold, text};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;

impl Fold<'_> {
    pub(super) fn expression<F>(
        &mut self,
        was: &Expr,
        now: &Expr,
        what: &str,
        cites: &Cites,
        trace: &Name,
        find: F,
    ) where
        F: Fn(&mut Self) -> Option<&mut TraceLine>,
    {
        let sources = self.sources;
        let Some(before) = find(self).map(|line| line.cites.clone()) else { return };
        let cites = &self.out.uncited(&before, cites);
        let Some(line) = find(self) else { return };
        let (of_line, old) = (line.span, line.cites.clone());
        let claim = matches!(line.kind, TraceLineKind::Source { .. } | TraceLineKind::Relay { .. });
        let Some(current) = asked(&mut line.kind) else { return };
        let (said, place) = (text(sources, current.span), current.span);
        if said != text(sources, was.span) {
            return self.mismatch(was.span, place, &said, what);
        }
        now.clone_into(current);
        line.cites.0.extend(cites.0.iter().cloned());
        if let Some(rope) = self.rope("trace", trace) {
            // A source asks one claim, or one bracket.
            if claim {
                rope.replace_bracketed(place, now.span, sources)
            } else {
                rope.replace(place, now.span, sources)
            }
            cite(rope, of_line, &old, cites, sources);
        }
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
