//! Legs that are as others, `leg back as march of supply`: their lines are written out where they
//! stand, with the places that wrote them.

use std::collections::{BTreeMap, BTreeSet};

use super::Fold;
use super::body::Body;
use super::leg_text::{taken_out, with_lines_of};
use super::lines::read;
use crate::source::Span;
use crate::syntax::ast::*;

/// A leg by the place of its trace among the items, and its name.
pub(super) type At = (usize, String);

/// More legs than this are refused, and none of them is written out.
const MOST_LEGS: usize = 8;

/// A leg that is as another, and the words that say so.
#[derive(Debug, Clone)]
pub(crate) struct LegAs {
    /// The leg itself.
    pub name: Name,
    /// The name of the other leg, where it stands behind `as`.
    pub leg: Name,
    /// Its trace.
    pub trace: String,
    /// Where that is named, if it is.
    pub of: Option<Span>,
    /// The lines that it gives.
    pub lines: Vec<Span>,
}

impl LegAs {
    /// Whether it gives a line to the leg whose name stands here.
    pub(crate) fn gives(&self, leg: Span, line: Span) -> bool {
        let at = |span: &Span| (span.source, span.start);
        self.name.span == leg && self.lines.iter().any(|one| at(one) == at(&line))
    }
}

impl Fold<'_> {
    /// The traces in which legs are as others.
    pub(super) fn with_legs_as(&mut self) -> Vec<usize> {
        let mut found = Vec::new();
        for (at, item) in self.out.items.iter_mut().enumerate() {
            if item.item.broken || legs_as(&item.item).is_empty() {
                continue;
            }
            if legs(&item.item) > MOST_LEGS {
                item.item_mut().broken = true;
            } else {
                found.push(at);
            }
        }
        found
    }

    /// The last item, where legs of it are as others.
    pub(super) fn last_with_legs_as(&self) -> Option<usize> {
        let item = self.out.items.last()?;
        let is = !item.item.broken && !legs_as(&item.item).is_empty();
        is.then(|| self.out.items.len() - 1)
    }

    /// Whether a trace has legs that are still to be written out.
    pub(super) fn has_legs_as(&self, name: &str) -> bool {
        let is = |i: &super::ResolvedItem| match &i.item.kind {
            ItemKind::Trace(trace) => trace.name.text == name,
            _ => false,
        };
        self.out
            .items
            .iter()
            .find(|i| is(i))
            .is_some_and(|i| !i.item.broken && !legs_as(&i.item).is_empty())
    }

    /// Writes out the legs of these traces; gives those that are as a leg of a trace that is still
    /// to be written out as a copy.
    pub(super) fn legs(&mut self, open: Vec<usize>, copies: &BTreeSet<String>) -> Vec<usize> {
        if open.is_empty() {
            return open;
        }
        let mut traces = BTreeMap::new();
        for (at, item) in self.out.items.iter().enumerate() {
            if let ItemKind::Trace(trace) = &item.item.kind {
                traces.entry(trace.name.text.clone()).or_insert(at);
            }
        }
        for at in &open {
            let legs = self.out.items.get(*at).map(|i| legs_as(&i.item)).unwrap_or_default();
            for (name, _) in legs {
                self.written((*at, name.text), &traces, copies);
            }
        }
        let waits = |at: &usize| {
            self.out.items.get(*at).is_some_and(|i| !i.item.broken && !legs_as(&i.item).is_empty())
        };
        open.into_iter().filter(waits).collect()
    }

    /// Follows a leg to the one that stands in full, and writes out all on the way.
    fn written(&mut self, first: At, traces: &BTreeMap<String, usize>, copies: &BTreeSet<String>) {
        let mut way: Vec<(At, Like)> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut next = first;
        loop {
            if self.out.items.get(next.0).is_none_or(|i| i.item.broken) {
                return self.give_up(&way);
            }
            let Some(like) = self.like(&next) else { break };
            if !seen.insert(next.clone()) {
                self.in_a_circle(&next, &way);
                return self.give_up(&way);
            }
            let trace = like.of.as_ref();
            let to = match trace {
                None => Some(next.0),
                Some(of) => traces.get(&of.text).copied(),
            };
            if trace.is_some_and(|of| to.is_none() && copies.contains(&of.text)) {
                return;
            }
            way.push((next, like.clone()));
            let Some(to) = to else {
                self.no_trace(&like, traces);
                return self.give_up(&way);
            };
            next = (to, like.leg.text.clone());
            if !self.has_leg(&next) {
                self.no_leg(&like, to);
                return self.give_up(&way);
            }
        }
        while let Some((at, like)) = way.pop() {
            if !self.write_out(&at, &like, &next) {
                way.push((at, like));
                return self.give_up(&way);
            }
            next = at;
        }
    }

    fn trace_at(&self, at: usize) -> Option<&Trace> {
        match &self.out.items.get(at)?.item.kind {
            ItemKind::Trace(trace) => Some(trace),
            _ => None,
        }
    }

    /// What a leg is as.
    fn like(&self, (item, leg): &At) -> Option<Like> {
        self.trace_at(*item)?.lines.iter().find_map(|l| match &l.kind {
            TraceLineKind::Leg { name, like, .. } if name.text == *leg => Some(like.clone()),
            _ => None,
        })?
    }

    fn has_leg(&self, (item, leg): &At) -> bool {
        let is =
            |l: &TraceLine| matches!(&l.kind, TraceLineKind::Leg { name, .. } if name.text == *leg);
        self.trace_at(*item).is_some_and(|trace| trace.lines.iter().any(is))
    }

    /// Writes out one leg as another that stands in full; whether it could be done.
    fn write_out(&mut self, at: &At, like: &Like, original: &At) -> bool {
        let sources = self.sources;
        let Some(trace) = self.trace_at(original.0).map(|t| t.name.text.clone()) else {
            return false;
        };
        let rope = |at: &At| self.out.items.get(at.0).map(|i| i.rope.clone());
        let (Some(mut rope), Some(mut from)) = (rope(at), rope(original)) else { return false };
        let bodies = (Body::of(&rope, sources), Body::of(&from, sources));
        let (Some(own), Some(other)) = (bodies.0.leg(&at.1), bodies.1.leg(&original.1)) else {
            return false;
        };
        if let Err(fault) = taken_out((&bodies.0, own), (&bodies.1, other), like) {
            self.faults.push(*fault);
            return false;
        }
        let mut part = |range| from.part(range, sources);
        let (edits, lines) = with_lines_of((&bodies.0, own), (&bodies.1, other), &mut part);
        // From the last to the first, so that places before stay what they are.
        for (range, pieces) in edits.into_iter().rev() {
            rope.splice(range, pieces, sources);
        }
        let new = match read(&rope, sources) {
            Ok(new) => new,
            Err(fault) => {
                self.faults.push(*fault);
                return false;
            }
        };
        let Some(name) = named_leg(&new, &at.1) else { return false };
        if let Some(slot) = self.out.items.get_mut(at.0) {
            (slot.item, slot.rope) = (new.into(), rope);
        }
        let of = like.of.as_ref().map(|of| of.span);
        self.out.legs_as.push(LegAs { name, leg: like.leg.clone(), trace, of, lines });
        true
    }
}

/// The name of a leg where it stands.
fn named_leg(item: &Item, leg: &str) -> Option<Name> {
    let ItemKind::Trace(trace) = &item.kind else { return None };
    trace.lines.iter().find_map(|l| match &l.kind {
        TraceLineKind::Leg { name, .. } if name.text == leg => Some(name.clone()),
        _ => None,
    })
}

/// The legs of an item that are as others.
fn legs_as(item: &Item) -> Vec<(Name, Like)> {
    let ItemKind::Trace(trace) = &item.kind else { return Vec::new() };
    let of = |l: &TraceLine| match &l.kind {
        TraceLineKind::Leg { name, like: Some(like), .. } => Some((name.clone(), like.clone())),
        _ => None,
    };
    trace.lines.iter().filter_map(of).collect()
}

fn legs(item: &Item) -> usize {
    let ItemKind::Trace(trace) = &item.kind else { return 0 };
    trace.lines.iter().filter(|l| matches!(l.kind, TraceLineKind::Leg { .. })).count()
}
