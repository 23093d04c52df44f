//! The legs of a trace for each sort of unit, from the last to the first: where one leg may begin, the one before it may end.

use super::NotLocal;
use super::conditions::{Conditions, put};
use super::repair::{LegField, Work};
use crate::ir::*;
use crate::kernel::board::{Bits, Board};
use crate::kernel::costs::Costs;
use crate::kernel::field::NONE;
use crate::kernel::{EvalFault, Position};
use crate::world::ThingRef;

/// The conditions of the trace for one side, as kept conditions.
struct Side {
    viewer: Option<SideId>,
    source: usize,
    /// For each leg where it may begin, pass and end.
    gates: Vec<[usize; 3]>,
}

/// What the legs of a place depend on beside the position.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sort {
    place: usize,
    side: usize,
    /// What costs read of the unit.
    facts: Vec<i64>,
    /// The budgets of the legs behind, and of these legs themselves where others rest on them.
    budgets: Vec<Option<u32>>,
}

/// The legs of one place, for one sort of unit.
struct Node {
    sort: Sort,
    legs: Vec<LegField>,
    /// The node of the place behind; none behind the last.
    next: Option<usize>,
    optional: bool,
    /// Where the rest of a line may begin; not kept for the first place, where each unit compares its own budget.
    starts: Bits,
    /// Cells where something has changed.
    touched: Vec<u32>,
}

/// All legs of a trace.
pub(super) struct Chain {
    sides: Vec<Side>,
    /// Each behind those that it rests on.
    nodes: Vec<Node>,
    work: Work,
}

impl Chain {
    pub(super) fn new() -> Chain {
        Chain { sides: Vec::new(), nodes: Vec::new(), work: Work::default() }
    }

    /// Declares the conditions of a side; they are worked out by [`Conditions::renew`].
    pub(super) fn declare(
        &mut self,
        position: &Position<'_>,
        rule: &Trace,
        viewer: Option<SideId>,
        conditions: &mut Conditions,
    ) -> Result<(), NotLocal> {
        if self.sides.iter().any(|s| s.viewer == viewer) {
            return Ok(());
        }
        let sources: Result<Vec<usize>, NotLocal> = rule.sources.iter().map(|s| conditions.root(position, s.when, viewer)).collect();
        let source = conditions.one(&sources?);
        let mut gates = Vec::new();
        for leg in &rule.legs {
            let mut gate = |gate: &Gate| match gate.when {
                Some(when) => conditions.root(position, when, viewer),
                None => Ok(conditions.always()),
            };
            gates.push([gate(&leg.from)?, gate(&leg.through)?, gate(&leg.into)?]);
        }
        self.sides.push(Side { viewer, source, gates });
        Ok(())
    }

    /// The node of a unit, made if there is none; nothing if its side was not declared. `own` are its budgets, leg by leg.
    pub(super) fn node_of(
        &mut self,
        position: &Position<'_>,
        trace: TraceId,
        unit: u32,
        own: &[Option<u32>],
        conditions: &Conditions,
    ) -> Result<Option<usize>, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let thing = ThingRef::Unit(unit);
        let Some(side) = self.sides.iter().position(|s| s.viewer == position.viewer_of(thing)) else { return Ok(None) };
        let facts = position.profile(trace, thing)?.cost_facts;
        let mut next = None;
        for place in (0..usize::from(rule.places)).rev() {
            let behind = |leg: &&Leg| usize::from(leg.place) >= place;
            let costs = rule.legs.iter().filter(behind).any(|l| l.cost.is_some());
            // The units of the first place compare their own budgets.
            let kept = rule.legs.iter().zip(own).filter(|(l, _)| usize::from(l.place) >= place.max(1));
            let sort =
                Sort { place, side, facts: if costs { facts.clone() } else { Vec::new() }, budgets: kept.map(|(_, b)| *b).collect() };
            let at = match self.nodes.iter().position(|n| n.sort == sort) {
                Some(at) => at,
                None => self.make(position, rule, thing, sort, own, next, conditions)?,
            };
            self.widen(position, at, own, conditions);
            next = Some(at);
        }
        Ok(next)
    }

    #[allow(clippy::too_many_arguments, reason = "one step of the walk above, kept apart to be read alone")]
    fn make(
        &mut self,
        position: &Position<'_>,
        rule: &Trace,
        thing: ThingRef,
        sort: Sort,
        own: &[Option<u32>],
        next: Option<usize>,
        conditions: &Conditions,
    ) -> Result<usize, EvalFault> {
        let board = position.board();
        let mut legs = Vec::new();
        let here = rule.legs.iter().enumerate().filter(|(_, l)| usize::from(l.place) == sort.place);
        for (at, leg) in here.clone() {
            let costs = Costs::of(position, leg, thing, false)?;
            legs.push(LegField::new(&board, at, board.net(Some(&leg.links)), costs, own[at].unwrap_or(NONE - 1)));
        }
        let optional = here.clone().any(|(_, l)| l.optional);
        let starts = Bits::new(board.layout().size);
        self.nodes.push(Node { sort, legs, next, optional, starts, touched: Vec::new() });
        self.search(&board, self.nodes.len() - 1, conditions);
        Ok(self.nodes.len() - 1)
    }

    /// Lets lines of a node be as long as a unit may have them.
    fn widen(&mut self, position: &Position<'_>, at: usize, own: &[Option<u32>], conditions: &Conditions) {
        let mut wider = false;
        for leg in &mut self.nodes[at].legs {
            let wanted = own[leg.leg].unwrap_or(NONE - 1);
            wider |= wanted > leg.cap;
            leg.cap = leg.cap.max(wanted);
        }
        if wider {
            self.search(&position.board(), at, conditions);
        }
    }

    /// Searches the legs of a node from the beginning.
    fn search(&mut self, board: &Board<'_>, at: usize, conditions: &Conditions) {
        let (before, rest) = self.nodes.split_at_mut(at);
        let Some(node) = rest.first_mut() else { return };
        let side = &self.sides[node.sort.side];
        let goal = match node.next {
            Some(next) => &before[next].starts,
            None => conditions.bits(side.source),
        };
        for leg in &mut node.legs {
            let [_, through, into] = side.gates[leg.leg];
            let mut end = goal.clone();
            end.and(conditions.bits(into));
            leg.search(board, end, conditions.bits(through).clone(), &mut self.work);
        }
        self.work.changed.clear();
        if node.sort.place > 0 {
            for cell in board.layout().spaces.cells() {
                let yes = node.begins(side, goal, conditions, cell);
                put(&mut node.starts, cell, yes);
            }
        }
    }

    /// Repairs everything after conditions have changed in some cells.
    pub(super) fn update(&mut self, board: &Board<'_>, conditions: &Conditions, changed: &[u32]) {
        (self.work.steps, self.work.whole) = (0, false);
        for at in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(at);
            let Some(node) = rest.first_mut() else { return };
            let side = &self.sides[node.sort.side];
            let goal = match node.next {
                Some(next) => &before[next].starts,
                None => conditions.bits(side.source),
            };
            node.touched.clear();
            node.touched.extend_from_slice(changed);
            node.touched.extend(node.next.iter().flat_map(|next| &before[*next].touched));
            self.work.changed.clear();
            for leg in &mut node.legs {
                let [_, through, into] = side.gates[leg.leg];
                let is = |cell: u32| (goal.get(cell) && conditions.holds(into, cell), conditions.holds(through, cell));
                leg.repair(board, &node.touched, is, &mut self.work);
            }
            node.touched.extend_from_slice(&self.work.changed);
            if node.sort.place > 0 {
                let Node { touched, .. } = node;
                let mut touched = std::mem::take(touched);
                touched.retain(|cell| {
                    let yes = node.begins(side, goal, conditions, *cell);
                    let differs = node.starts.get(*cell) != yes;
                    put(&mut node.starts, *cell, yes);
                    differs
                });
                node.touched = touched;
            }
        }
    }

    /// Where something may have changed for the units of the first places.
    pub(super) fn touched(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter().filter(|n| n.sort.place == 0).flat_map(|n| n.touched.iter().copied())
    }

    /// Whether a line leads from a cell, for a unit of a node with these budgets.
    pub(super) fn leads(&self, conditions: &Conditions, node: usize, own: &[Option<u32>], cell: u32) -> bool {
        let node = &self.nodes[node];
        let side = &self.sides[node.sort.side];
        let begins = |leg: &LegField| {
            let length = leg.dist[cell as usize];
            length != NONE && own[leg.leg].is_none_or(|b| length <= b) && conditions.holds(side.gates[leg.leg][0], cell)
        };
        let skipped = || match node.next {
            Some(next) => self.nodes[next].starts.get(cell),
            None => conditions.holds(side.source, cell),
        };
        node.legs.iter().any(begins) || node.optional && skipped()
    }

    /// How many cells the last repair settled, and whether a leg was searched from the beginning.
    pub(super) fn done(&self) -> (usize, bool) {
        (self.work.steps, self.work.whole)
    }
}

impl Node {
    /// Whether the rest of a line may begin in a cell.
    fn begins(&self, side: &Side, goal: &Bits, conditions: &Conditions, cell: u32) -> bool {
        // No line of a leg is longer than its budget, which is the cap of a place that others rest on.
        let begins = |leg: &LegField| leg.dist[cell as usize] <= leg.cap && conditions.holds(side.gates[leg.leg][0], cell);
        self.legs.iter().any(begins) || self.optional && goal.get(cell)
    }
}
