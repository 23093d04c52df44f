//! The legs of one place of a trace, for one sort of unit.

use super::conditions::Conditions;
use super::repair::{LegField, Work};
use crate::ir::SideId;
use crate::kernel::board::{Bits, Board, Layout};
use crate::kernel::mover::Mover;

/// The conditions of a trace for one side, as kept conditions.
pub(super) struct Side {
    pub viewer: Option<SideId>,
    /// What gates read of the units, where they name them.
    pub mover: Option<Mover>,
    pub source: usize,
    /// For each leg where it may begin, pass and end.
    pub gates: Vec<[usize; 3]>,
}

/// What the legs of a place depend on beside the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sort {
    pub place: usize,
    pub side: usize,
    /// What costs read of the unit.
    pub facts: Vec<i64>,
    /// The budgets of the legs behind, and of these legs themselves where others rest on them.
    pub budgets: Vec<Option<u32>>,
}

/// The legs of one place, for one sort of unit.
pub(super) struct Node {
    pub sort: Sort,
    pub legs: Vec<LegField>,
    /// The node of the place behind; none behind the last.
    pub next: Option<usize>,
    pub optional: bool,
    /// Where the rest of a line may begin; not kept for the first place, where each unit compares
    /// its own budget.
    pub starts: Bits,
    /// Cells where that has changed; for the first place, where it may have changed for some unit.
    pub touched: Vec<u32>,
}

/// Where the legs of a node end, and where that has changed.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a> {
    pub bits: &'a Bits,
    pub flips: &'a [u32],
}

impl Node {
    /// Searches everything.
    pub(super) fn search(
        &mut self,
        layout: &Layout,
        side: &Side,
        goal: Goal<'_>,
        conditions: &Conditions,
        work: &mut Work,
    ) {
        for leg in &mut self.legs {
            let [_, through, into] = side.gates[leg.leg];
            let mut end = goal.bits.clone();
            end.and(conditions.bits(into));
            leg.search(layout, end, conditions.bits(through), work);
        }
        work.changed.clear();
        self.touched.clear();
        if self.sort.place > 0 {
            for cell in layout.spaces.cells() {
                let yes = self.begins(side, goal, conditions, cell);
                self.starts.put(cell, yes);
            }
        }
    }

    /// Repairs what rests on the conditions and on the goal, both as they have changed.
    pub(super) fn update(
        &mut self,
        board: &Board<'_>,
        side: &Side,
        goal: Goal<'_>,
        conditions: &Conditions,
        work: &mut Work,
    ) {
        work.changed.clear();
        for leg in &mut self.legs {
            let [from, through, into] = side.gates[leg.leg];
            let flips = [goal.flips, conditions.flips(through), conditions.flips(into)];
            if flips.iter().any(|f| !f.is_empty()) {
                let is = |cell: u32| {
                    (
                        goal.bits.get(cell) && conditions.holds(into, cell),
                        conditions.holds(through, cell),
                    )
                };
                leg.repair(board.layout(), flips, is, board.map.spaces.len(), work);
            }
            work.changed.extend_from_slice(conditions.flips(from));
        }
        if self.optional {
            work.changed.extend_from_slice(goal.flips);
        }
        self.touched.clear();
        if self.sort.place == 0 {
            self.touched.extend_from_slice(&work.changed);
            return;
        }
        for cell in work.changed.drain(..) {
            let yes = self.begins(side, goal, conditions, cell);
            if self.starts.get(cell) != yes {
                self.starts.put(cell, yes);
                self.touched.push(cell);
            }
        }
    }

    /// Whether the rest of a line may begin in a cell.
    fn begins(&self, side: &Side, goal: Goal<'_>, conditions: &Conditions, cell: u32) -> bool {
        // No line of a leg is longer than its budget, which is the cap of a place that others rest
        // on.
        let begins = |leg: &LegField| {
            leg.length(cell) <= leg.cap && conditions.holds(side.gates[leg.leg][0], cell)
        };
        self.legs.iter().any(begins) || self.optional && goal.bits.get(cell)
    }
}
