//! Which gates a line from a thing comes to, and from which a line goes on to an end.
//!
//! A line that a change makes possible uses what the change opened. Up to the first such gate it
//! is a line as the position is now, and from the last such gate on it is one as well. So a change
//! that opens no gate to which a line comes, or none from which one goes on, makes no line possible.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::Position;
use super::super::board::{Nodes, space_of};
use super::super::costs::Costs;
use super::super::field::{Field, Gates, NONE, onward};
use super::super::gates::Plane;
use super::rows::Row;
use crate::ir::*;

/// The gates that lines from a thing come to, open or shut.
pub(super) struct Front {
    /// Of each leg, of each space: `from`, `through` and `into`.
    legs: Vec<Vec<[bool; 3]>>,
    /// Whether a chain of legs ends there, so that a source or a relay would count.
    ends: Plane,
    /// Whether any of these is so.
    any: Plane,
}

/// What a search forward from a thing is made among.
pub(super) struct Among<'s> {
    pub rule: &'s Trace,
    pub gates: &'s Gates,
    pub enter: &'s [Costs],
    pub budgets: &'s [Option<u32>],
}

/// A search under way.
struct Search<'s, 'p> {
    position: &'s Position<'p>,
    among: &'s Among<'s>,
    front: Front,
    /// Of each leg and node what the leg has cost so far, at least.
    spent: Vec<Vec<u32>>,
    /// The places of the chain at which lines have begun in each space, and those to be looked at.
    begun: Vec<Plane>,
    waiting: Vec<(usize, u32)>,
}

impl Front {
    /// All gates that lines from a space come to.
    pub fn of(position: &Position<'_>, among: &Among<'_>, start: u32) -> Front {
        let (legs, spaces) = (among.rule.legs.len(), position.map.spaces.len());
        let board = position.board();
        let nodes = |leg: &Leg| board.turns(&leg.links).map_or(spaces, |turns| turns.count());
        let mut search = Search {
            position,
            among,
            front: Front {
                legs: vec![vec![[false; 3]; spaces]; legs],
                ends: vec![false; spaces],
                any: vec![false; spaces],
            },
            spent: among.rule.legs.iter().map(|leg| vec![NONE; nodes(leg)]).collect(),
            begun: vec![vec![false; spaces]; usize::from(among.rule.places) + 1],
            waiting: Vec::new(),
        };
        search.begin(0, start);
        while let Some((place, space)) = search.waiting.pop() {
            search.go_on(place, space);
        }
        search.front
    }

    /// Whether a line comes to any gate of a space.
    pub fn comes_to(&self, space: u32) -> bool {
        self.any[space as usize]
    }

    /// Whether a line comes to a gate that a change has opened.
    pub fn comes_to_opened(&self, base: &Gates, space: u32, row: &Row) -> bool {
        let at = space as usize;
        let end = row.source.is_some() && base.source[at].is_none() || row.relay && !base.relay[at];
        self.ends[at] && end || opened(base, space, row).any(|(leg, part)| self.legs[leg][at][part])
    }
}

/// Whether a line goes on to an end from a gate that a change has opened, by what was searched
/// without that change.
pub(super) fn goes_on_from_opened(
    rule: &Trace,
    field: &Field,
    base: &Gates,
    space: u32,
    row: &Row,
) -> bool {
    let at = space as usize;
    let Some(last) = field.rounds.last() else { return true };
    let goes_on = |(leg, part): (usize, usize)| match part {
        0 => field.fits_budget(leg, last.cost[leg][at]),
        1 => last.cost[leg][at] != NONE,
        _ => last.starts[usize::from(rule.legs[leg].place) + 1][at],
    };
    row.source.is_some() && base.source[at].is_none()
        || row.relay && !base.relay[at] && last.starts[0][at]
        || opened(base, space, row).any(goes_on)
}

/// The gates of legs that are open in a row and were shut: the leg, and 0 for `from`, 1 for
/// `through`, 2 for `into`.
fn opened<'s>(
    base: &'s Gates,
    space: u32,
    row: &'s Row,
) -> impl Iterator<Item = (usize, usize)> + 's {
    let at = space as usize;
    base.legs.iter().zip(&row.legs).enumerate().flat_map(move |(leg, (was, is))| {
        let was = [was.from[at], was.through[at], was.into[at]];
        (0..3).filter(move |part| is[*part] && !was[*part]).map(move |part| (leg, part))
    })
}

impl Search<'_, '_> {
    fn begin(&mut self, place: usize, space: u32) {
        if !std::mem::replace(&mut self.begun[place][space as usize], true) {
            self.waiting.push((place, space));
        }
    }

    fn mark(&mut self, leg: usize, part: usize, space: u32) {
        self.front.legs[leg][space as usize][part] = true;
        self.front.any[space as usize] = true;
    }

    /// Goes on with a line that has come to a place of the chain in a space.
    fn go_on(&mut self, place: usize, space: u32) {
        let (rule, gates) = (self.among.rule, self.among.gates);
        if place == usize::from(rule.places) {
            self.front.ends[space as usize] = true;
            self.front.any[space as usize] = true;
            if gates.relay[space as usize] {
                self.begin(0, space);
            }
            return;
        }
        for (at, leg) in rule.legs.iter().enumerate() {
            if usize::from(leg.place) != place {
                continue;
            }
            if leg.optional {
                self.begin(place + 1, space);
            }
            self.mark(at, 0, space);
            if gates.legs[at].from[space as usize] {
                self.leg(at, space);
            }
        }
    }

    /// One leg from a space, cheapest first.
    fn leg(&mut self, at: usize, start: u32) {
        let (position, among) = (self.position, self.among);
        let (leg, gates, budget) = (&among.rule.legs[at], &among.gates.legs[at], among.budgets[at]);
        let turns = position.board().turns(&leg.links);
        let turns = turns.as_deref();
        let mut queue = BinaryHeap::from([Reverse((0u32, start))]);
        self.spent[at][start as usize] = 0;
        while let Some(Reverse((spent, node))) = queue.pop() {
            if spent > self.spent[at][node as usize] {
                continue;
            }
            let space = space_of(turns, node);
            self.mark(at, 2, space);
            if gates.into[space as usize] {
                self.begin(usize::from(leg.place) + 1, space);
            }
            if spent > 0 {
                self.mark(at, 1, space);
                if !gates.through[space as usize] {
                    continue;
                }
            }
            for to in onward(position, &leg.links, turns, node) {
                let Some(step) = among.enter[at].step(space, space_of(turns, to)) else { continue };
                let whole = spent.saturating_add(step);
                if whole < self.spent[at][to as usize] && budget.is_none_or(|b| whole <= b) {
                    self.spent[at][to as usize] = whole;
                    queue.push(Reverse((whole, to)));
                }
            }
        }
    }
}
