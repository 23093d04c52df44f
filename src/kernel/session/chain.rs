//! The legs of a trace for each sort of unit, from the last to the first: where one leg may begin,
//! the one before it may end.

use std::sync::Arc;

use super::NotLocal;
use super::conditions::Conditions;
use super::node::{Goal, Node, Side, Sort};
use super::repair::{LegField, Work};
use super::tolls::Tolls;
use crate::ir::*;
use crate::kernel::board::{Bits, Board};
use crate::kernel::costs::Costs;
use crate::kernel::field::NONE;
use crate::kernel::mover::Mover;
use crate::kernel::{EvalFault, Position};
use crate::world::ThingRef;

/// Gates that tell more sorts of units apart than these are asked anew with every change.
const MOST_SIDES: usize = 64;

/// All legs of a trace.
#[derive(Default)]
pub(super) struct Chain {
    sides: Vec<Side>,
    /// Each behind those that it rests on.
    nodes: Vec<Node>,
    work: Work,
}

impl Chain {
    /// Declares the conditions of the side of a unit, and of the units that look the same to gates
    /// which name them; they are worked out by [`Conditions::renew`].
    pub(super) fn declare(
        &mut self,
        position: &Position<'_>,
        trace: TraceId,
        thing: ThingRef,
        conditions: &mut Conditions,
    ) -> Result<(), NotLocal> {
        let (viewer, mover) = (position.viewer_of(thing), position.mover(trace, thing));
        if self.side(viewer, &mover).is_some() {
            return Ok(());
        }
        if self.sides.len() >= MOST_SIDES {
            return Err(NotLocal::PerSubject);
        }
        let rule = &position.rules.traces[trace.index()];
        let asking = (viewer, mover.as_ref().map(|_| thing));
        let sources: Result<Vec<usize>, NotLocal> =
            rule.sources.iter().map(|s| conditions.root(position, s.when, asking)).collect();
        let source = conditions.one(&sources?);
        let mut gates = Vec::new();
        for leg in &rule.legs {
            let mut gate = |gate: &Gate| match gate.when {
                Some(when) => conditions.root(position, when, asking),
                None => Ok(conditions.always()),
            };
            gates.push([gate(&leg.from)?, gate(&leg.through)?, gate(&leg.into)?]);
        }
        self.sides.push(Side { viewer, mover, source, gates });
        Ok(())
    }

    fn side(&self, viewer: Option<SideId>, mover: &Option<Mover>) -> Option<usize> {
        self.sides.iter().position(|s| s.viewer == viewer && s.mover == *mover)
    }

    /// The node of a unit, made if there is none; nothing if its side was not declared. `own` are
    /// its budgets, leg by leg.
    pub(super) fn node_of(
        &mut self,
        position: &Position<'_>,
        trace: TraceId,
        unit: u32,
        own: &[Option<u32>],
        conditions: &mut Conditions,
    ) -> Result<Option<usize>, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let thing = ThingRef::Unit(unit);
        let mover = position.mover(trace, thing);
        let Some(side) = self.side(position.viewer_of(thing), &mover) else { return Ok(None) };
        let facts = position.cost_facts(trace, thing).unwrap_or_default();
        let mut next = None;
        for place in (0..usize::from(rule.places)).rev() {
            let behind = |leg: &&Leg| usize::from(leg.place) >= place;
            let costs = rule.legs.iter().filter(behind).any(|l| l.cost.is_some());
            // The units of the first place compare their own budgets.
            let kept =
                rule.legs.iter().zip(own).filter(|(l, _)| usize::from(l.place) >= place.max(1));
            let sort = Sort {
                place,
                side,
                facts: if costs { facts.clone() } else { Vec::new() },
                budgets: kept.map(|(_, b)| *b).collect(),
            };
            let at = match self.nodes.iter().position(|n| n.sort == sort) {
                Some(at) => at,
                None => self.make(position, rule, thing, sort, own, next, conditions)?,
            };
            self.widen(position, at, own, conditions);
            next = Some(at);
        }
        Ok(next)
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one step of the walk above, kept apart to be read alone"
    )]
    fn make(
        &mut self,
        position: &Position<'_>,
        rule: &Trace,
        thing: ThingRef,
        sort: Sort,
        own: &[Option<u32>],
        next: Option<usize>,
        conditions: &mut Conditions,
    ) -> Result<usize, EvalFault> {
        let board = position.board();
        let mut legs = Vec::new();
        let here = rule.legs.iter().enumerate().filter(|(_, l)| usize::from(l.place) == sort.place);
        for (at, leg) in here.clone() {
            let tolls = self.shared(Tolls::of(&board, Costs::of(position, leg, thing, false)?));
            let ways = conditions.ways(&board, Some(&leg.links));
            legs.push(LegField::new(&board, at, ways, tolls, most(own[at])));
        }
        let optional = here.clone().any(|(_, l)| l.optional);
        let starts = Bits::new(board.layout().size);
        self.nodes.push(Node { sort, legs, next, optional, starts, touched: Vec::new() });
        self.search(&board, self.nodes.len() - 1, conditions);
        Ok(self.nodes.len() - 1)
    }

    /// The same tolls as another leg has, where one has.
    fn shared(&self, tolls: Tolls) -> Arc<Tolls> {
        let mut known = self.nodes.iter().flat_map(|n| &n.legs).map(LegField::tolls);
        known.find(|k| ***k == tolls).map_or_else(|| Arc::new(tolls), Arc::clone)
    }

    /// Lets lines of a node be as long as a unit may have them.
    fn widen(
        &mut self,
        position: &Position<'_>,
        at: usize,
        own: &[Option<u32>],
        conditions: &Conditions,
    ) {
        let mut wider = false;
        for leg in &mut self.nodes[at].legs {
            let wanted = most(own[leg.leg]);
            wider |= wanted > leg.cap;
            leg.cap = leg.cap.max(wanted);
        }
        if wider {
            self.search(&position.board(), at, conditions);
        }
    }

    /// Searches the legs of a node from the beginning.
    fn search(&mut self, board: &Board<'_>, at: usize, conditions: &Conditions) {
        let Chain { sides, nodes, work } = self;
        let (before, rest) = nodes.split_at_mut(at);
        let Some(node) = rest.first_mut() else { return };
        let side = &sides[node.sort.side];
        node.search(
            board.layout(),
            side,
            goal_of(node.next, before, side, conditions),
            conditions,
            work,
        );
    }

    /// Repairs everything after conditions have changed in some cells.
    pub(super) fn update(&mut self, board: &Board<'_>, conditions: &Conditions) {
        let Chain { sides, nodes, work } = self;
        work.steps = 0;
        for at in 0..nodes.len() {
            let (before, rest) = nodes.split_at_mut(at);
            let Some(node) = rest.first_mut() else { return };
            let side = &sides[node.sort.side];
            node.update(
                board,
                side,
                goal_of(node.next, before, side, conditions),
                conditions,
                work,
            );
        }
    }

    /// Where something may have changed for the units of the first places: each node with its
    /// cells.
    pub(super) fn touched(&self) -> impl Iterator<Item = (usize, &[u32])> + '_ {
        let first = self.nodes.iter().enumerate().filter(|(_, n)| n.sort.place == 0);
        first.map(|(at, n)| (at, n.touched.as_slice()))
    }

    /// Whether a line leads from a cell, for a unit of a node with these budgets, leg by leg.
    pub(super) fn leads(
        &self,
        conditions: &Conditions,
        node: usize,
        own: &[u32],
        cell: u32,
    ) -> bool {
        let node = &self.nodes[node];
        let side = &self.sides[node.sort.side];
        let begins = |leg: &LegField| {
            leg.length(cell) <= own[leg.leg] && conditions.holds(side.gates[leg.leg][0], cell)
        };
        node.legs.iter().any(begins)
            || node.optional && goal_of(node.next, &self.nodes, side, conditions).bits.get(cell)
    }

    /// How many cells the last repair settled.
    pub(super) fn steps(&self) -> usize {
        self.work.steps
    }
}

/// The longest that a line may be with a budget, or without one.
pub(super) fn most(budget: Option<u32>) -> u32 {
    budget.map_or(NONE - 1, |budget| budget.min(NONE - 1))
}

/// Where the legs of a node end: where the next begins, or at a source.
fn goal_of<'a>(
    next: Option<usize>,
    nodes: &'a [Node],
    side: &Side,
    conditions: &'a Conditions,
) -> Goal<'a> {
    match next {
        Some(next) => Goal { bits: &nodes[next].starts, flips: &nodes[next].touched },
        None => Goal { bits: conditions.bits(side.source), flips: conditions.flips(side.source) },
    }
}
