//! The conditions of a trace, kept right cell by cell.
//!
//! A change is told where it happens, and goes on from there: units that come first or leave last
//! turn what is counted in their cell ([`super::counted`]), that turns what is so near it
//! ([`super::spread`]), and that turns the conditions made of both ([`super::formula`]). Where a
//! count stays above nothing, nothing is asked again.

use std::sync::Arc;

use indexmap::IndexSet;

use super::NotLocal;
use super::plan::{Plan, Step, plane};
use super::reach::Reach;
use super::scene::Scene;
use super::tree::{Asking, Id, Local, Tree};
use super::ways::{Around, Ways};
use crate::ir::*;
use crate::kernel::board::{Asker, Bits, Board, Room};
use crate::kernel::{EvalFault, Position};
use crate::world::ThingRef;

/// All conditions of a trace.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    tree: Tree,
    /// What is kept by cell: conditions that gates ask.
    roots: IndexSet<Id>,
    plan: Plan,
    /// Whether things named in the rules count wherever they are.
    pub named: bool,
    around: Around,
    stack: Vec<u64>,
}

impl Conditions {
    /// A condition that is kept for every cell; the space is the subject of level 1.
    pub(super) fn root(
        &mut self,
        position: &Position<'_>,
        when: ExprId,
        (viewer, bound): (Option<SideId>, Option<ThingRef>),
    ) -> Result<usize, NotLocal> {
        self.named |= Reach::of(&position.board, when, 1, bound.is_some())?.named;
        let id = self.tree.translated(position, when, Asking { level: 1, viewer, bound })?;
        Ok(self.roots.insert_full(id).0)
    }

    /// One of these, kept for every cell.
    pub(super) fn one(&mut self, roots: &[usize]) -> usize {
        let parts = roots.iter().filter_map(|r| self.roots.get_index(*r).copied()).collect();
        let id = self.tree.put(Local::One(parts));
        self.roots.insert_full(id).0
    }

    /// What holds everywhere.
    pub(super) fn always(&mut self) -> usize {
        let id = self.tree.put(Local::Always(true));
        self.roots.insert_full(id).0
    }

    /// Whether a kept condition holds in a cell.
    #[inline]
    pub(super) fn holds(&self, root: usize, cell: u32) -> bool {
        self.plan.formulas[root].yes.get(cell)
    }

    /// A kept condition, as bits.
    pub(super) fn bits(&self, root: usize) -> &Bits {
        &self.plan.formulas[root].yes
    }

    /// The cells in which the last change has turned a kept condition.
    pub(super) fn flips(&self, root: usize) -> &[u32] {
        &self.plan.formulas[root].flips
    }

    /// The neighbours over links of some kinds.
    pub(super) fn ways(&mut self, board: &Board<'_>, kinds: Option<&[KindId]>) -> Arc<Ways> {
        let at = self.tree.nets.at(board, kinds);
        Arc::clone(self.tree.nets.get(at))
    }

    /// Works everything out for a position.
    pub(super) fn renew(&mut self, position: &Position<'_>) -> Result<(), EvalFault> {
        let board = position.board();
        let mut room = Room::default();
        let mut asker = Asker::new(&board, position, None, &mut room);
        let all = asker.all();
        for asked in &mut self.tree.asked {
            asker.bind(asked.bound);
            asked.yes = asker.truth(asked.when, asked.level, asked.viewer, &all)?;
        }
        self.tree.counted.iter_mut().try_for_each(|counted| counted.renew(position))?;
        self.plan = Plan::of(&board, &self.tree, &self.roots);
        let Conditions { tree, plan, around, stack, .. } = self;
        let Plan { formulas, spreads, order, .. } = plan;
        for step in order.iter() {
            match *step {
                Step::Spread(at) => spreads[at].renew(board.layout(), tree, formulas, around),
                Step::Formula(at) => formulas[at].renew(
                    &board.layout().spaces,
                    |part| plane(tree, spreads, part),
                    stack,
                ),
            }
        }
        Ok(())
    }

    /// Begins a change: nothing has turned yet.
    pub(super) fn begin(&mut self) {
        self.tree.counted.iter_mut().for_each(|c| c.flips.clear());
        self.plan.formulas.iter_mut().for_each(|f| f.flips.clear());
    }

    /// A unit that stood in a cell now stands in another.
    pub(super) fn moved(
        &mut self,
        scene: &Scene<'_>,
        unit: u32,
        from: Option<u32>,
        to: Option<u32>,
    ) -> Result<(), EvalFault> {
        for counted in &mut self.tree.counted {
            if counted.asks_place {
                counted.asked_again(scene.position(), unit, from, to)?;
            } else {
                counted.moved(unit, from, to);
            }
        }
        Ok(())
    }

    /// A unit in a cell has other facts, or its space has.
    pub(super) fn unit_changed(
        &mut self,
        scene: &Scene<'_>,
        unit: u32,
        cell: Option<u32>,
    ) -> Result<(), EvalFault> {
        let mut counted = self.tree.counted.iter_mut();
        counted.try_for_each(|counted| counted.asked_again(scene.position(), unit, cell, cell))
    }

    /// Whether units are asked where they stand, or what their space is like.
    pub(super) fn members_stand(&self) -> bool {
        self.tree.counted.iter().any(|c| c.asks_place)
    }

    /// Whether any condition asks the evaluator about units near a space.
    pub(super) fn asks_units(&self) -> bool {
        self.tree.asked.iter().any(|a| a.reach.units.is_some())
    }

    /// Asks the evaluator again near cells in which units have changed, or what the space is like.
    pub(super) fn ask_again(
        &mut self,
        scene: &Scene<'_>,
        cells: &[u32],
        spaces: bool,
    ) -> Result<(), EvalFault> {
        let layout = scene.board.layout();
        let Conditions { tree, plan, around, .. } = self;
        let Tree { asked, nets, .. } = tree;
        for (asked, readers) in asked.iter_mut().zip(&plan.readers.asked) {
            let Some(steps) = asked.counts(spaces) else { continue };
            let all = nets.at(scene.board, None);
            around.gather(nets.get(all), steps, cells.iter().copied());
            asked.again(scene.position(), layout, &around.cells, |cell| {
                readers.iter().for_each(|r| plan.formulas[*r].touch(cell))
            })?;
        }
        Ok(())
    }

    /// Ends a change: everything that rests on what has turned is worked out.
    pub(super) fn settle(&mut self, board: &Board<'_>) {
        let Conditions { tree, plan, around, stack, .. } = self;
        let Plan { formulas, spreads, order, readers } = plan;
        for (counted, readers) in tree.counted.iter().zip(&readers.units) {
            for (cell, _) in &counted.flips {
                readers.iter().for_each(|r| formulas[*r].touch(*cell));
            }
        }
        for step in order.iter() {
            match *step {
                Step::Spread(at) => spreads[at].update(tree, formulas, around, &readers.near[at]),
                Step::Formula(at) => formulas[at].update(
                    &board.layout().spaces,
                    |part| plane(tree, spreads, part),
                    stack,
                ),
            }
        }
    }
}
