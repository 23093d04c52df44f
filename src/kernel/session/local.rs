//! The answers of one trace, kept right by local repair.

use super::NotLocal;
use super::answers::Answers;
use super::chain::{Chain, most};
use super::conditions::Conditions;
use super::occupants::Occupants;
use super::reach::Reach;
use super::scene::Scene;
use super::ways::Around;
use crate::ir::*;
use crate::kernel::board::Board;
use crate::kernel::field::NONE;
use crate::kernel::{EvalFault, Position};
use crate::world::{ThingRef, World, built_in};

/// What local repair works with.
pub(super) struct IncrementalTrace {
    trace: TraceId,
    conditions: Conditions,
    chain: Chain,
    occupants: Occupants,
    unit_plan: Vec<UnitPlan>,
    /// By unit and leg the longest that its line may be.
    budgets: Vec<u32>,
    legs: usize,
    pub reads: Reads,
    around: Around,
}

/// What is known of one unit.
#[derive(Debug, Clone, Copy, Default)]
struct UnitPlan {
    /// Whether it is one that the trace is asked of.
    asked: bool,
    /// What the first verdict that holds says.
    verdict: Option<bool>,
    /// The node of the first legs.
    node: Option<usize>,
}

/// What must be asked again, and when.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reads {
    /// Verdicts and budgets read where a unit stands, or more than that.
    place: bool,
    /// How far away units count for them.
    units: Option<u32>,
    /// How far away spaces count for them.
    spaces: u32,
    /// Costs read facts of the space that is entered.
    pub costs_here: bool,
    /// Things named in the rules count wherever they are.
    pub named: bool,
}

/// What a repair came to: how many lengths were settled, or nothing where it cannot be told what
/// has changed.
type Done = Result<Option<usize>, EvalFault>;

impl Reads {
    /// What a trace needs to be repaired; whether it can be is seen from its rules alone.
    fn of(rules: &Ruleset, board: &Board<'_>, trace: TraceId) -> Result<Reads, NotLocal> {
        let rule = &rules.traces[trace.index()];
        if rules.top(rule.of) != KindId::UNIT {
            return Err(NotLocal::OfSpaces);
        }
        if board.has_turns(rule) {
            return Err(NotLocal::Crossings);
        }
        let movers = board.mover_facts(trace);
        let mover = movers.gates.as_ref().filter(|facts| !facts.contains(&built_in::SPACE));
        if rule.per_subject && mover.is_none() {
            return Err(NotLocal::PerSubject);
        }
        if !rule.relays.is_empty() || rule.legs.is_empty() {
            return Err(NotLocal::Relays);
        }
        let mut reads = Reads::default();
        for cost in rule.legs.iter().filter_map(|l| l.cost) {
            let depends = board.depends(cost, 0);
            if !depends.by_facts() {
                return Err(NotLocal::Cost);
            }
            reads.named |= depends.named;
            reads.costs_here |= depends.stands || !depends.here.is_empty();
        }
        for id in rule
            .verdicts
            .iter()
            .map(|v| v.when)
            .chain(rule.legs.iter().filter_map(|l| l.within.amount))
        {
            let reach = Reach::of(board, id, 0, false)?;
            let depends = board.depends(id, 0);
            reads.named |= reach.named;
            reads.units = reads.units.max(reach.units);
            reads.spaces = reads.spaces.max(reach.most());
            reads.place |= depends.beyond
                || depends.stands
                || !depends.here.is_empty()
                || reach.units.is_some();
        }
        Ok(reads)
    }
}

impl IncrementalTrace {
    /// Works everything out for a position and answers all units.
    pub(super) fn begin(
        scene: &Scene<'_>,
        world: &World,
        trace: TraceId,
        answers: &mut Answers,
    ) -> Result<IncrementalTrace, NotLocal> {
        let (board, position) = (scene.board, scene.position());
        let reads = Reads::of(board.rules, board, trace)?;
        let rule = &board.rules.traces[trace.index()];
        let count = u32::try_from(world.units.len()).unwrap_or(u32::MAX);
        let (legs, units) = (rule.legs.len(), world.units.len());
        let mut kept = IncrementalTrace {
            trace,
            conditions: Conditions::default(),
            chain: Chain::default(),
            occupants: Occupants::new(units, board.layout().size),
            unit_plan: vec![UnitPlan::default(); units],
            budgets: vec![NONE - 1; units * legs],
            legs,
            reads,
            around: Around::default(),
        };
        for unit in 0..count {
            kept.occupants.put(unit, world.space_of(unit).map(|s| board.layout().cell(s)));
            let thing = ThingRef::Unit(unit);
            if position.is_kind(thing, rule.of) {
                kept.unit_plan[unit as usize].asked = true;
                kept.chain.declare(position, trace, thing, &mut kept.conditions)?;
            }
        }
        kept.reads.named |= kept.conditions.named;
        kept.conditions.renew(position).map_err(|_| NotLocal::Fault)?;
        for unit in 0..count {
            kept.know(position, unit).map_err(|_| NotLocal::Fault)?.ok_or(NotLocal::Fault)?;
            kept.answer(unit, answers);
        }
        Ok(kept)
    }

    /// Whether a unit that moves makes the evaluator ask who stands where.
    pub(super) fn asks_standing(&self) -> bool {
        self.reads.place || self.conditions.asks_units() || self.conditions.members_stand()
    }

    /// Finds out what a unit brings along; nothing if it is of a side that was not there before.
    fn know(&mut self, position: &Position<'_>, unit: u32) -> Result<Option<()>, EvalFault> {
        let rule = &position.rules.traces[self.trace.index()];
        let thing = ThingRef::Unit(unit);
        let UnitPlan { asked: true, .. } = self.unit_plan[unit as usize] else {
            return Ok(Some(()));
        };
        let mut unit_plan = UnitPlan { asked: true, verdict: None, node: None };
        for verdict in &rule.verdicts {
            if position.holds(verdict.when, &position.asked_of(thing))? {
                unit_plan.verdict = Some(verdict.always);
                break;
            }
        }
        // Where a verdict settles it, or nobody stands, the evaluator does not ask for budgets.
        if unit_plan.verdict.is_none() && position.world.space_of(unit).is_some() {
            let budgets: Result<Vec<Option<u32>>, EvalFault> =
                rule.legs.iter().map(|l| position.budget_of(l, thing)).collect();
            let budgets = budgets?;
            unit_plan.node =
                self.chain.node_of(position, self.trace, unit, &budgets, &mut self.conditions)?;
            if unit_plan.node.is_none() {
                return Ok(None);
            }
            let row = &mut self.budgets[unit as usize * self.legs..][..self.legs];
            row.iter_mut().zip(budgets).for_each(|(cell, budget)| *cell = most(budget));
        }
        self.unit_plan[unit as usize] = unit_plan;
        Ok(Some(()))
    }

    /// Answers a unit from what is known.
    fn answer(&self, unit: u32, answers: &mut Answers) {
        let unit_plan = self.unit_plan[unit as usize];
        let cell = self.occupants.cell_of(unit).filter(|_| unit_plan.asked);
        let own = &self.budgets[unit as usize * self.legs..][..self.legs];
        let leads = |cell: u32| {
            unit_plan.node.is_some_and(|node| self.chain.leads(&self.conditions, node, own, cell))
        };
        answers.set(unit, cell.map(|cell| unit_plan.verdict.unwrap_or_else(|| leads(cell))));
    }

    /// A unit stands in another space, or left the map or came onto it.
    pub(super) fn moved(
        &mut self,
        scene: &Scene<'_>,
        answers: &mut Answers,
        unit: u32,
        to: Option<u32>,
    ) -> Done {
        let (from, to) = (self.occupants.cell_of(unit), to.map(|s| scene.board.layout().cell(s)));
        self.occupants.put(unit, to);
        self.conditions.begin();
        self.conditions.moved(scene, unit, from, to)?;
        self.units_changed(scene, answers, [from, to])?;
        // One that comes onto the map is asked for its budgets there.
        if (self.reads.place || from.is_none()) && self.know(scene.position(), unit)?.is_none() {
            return Ok(None);
        }
        self.answer(unit, answers);
        self.near_again(scene, answers, self.reads.units.map(|_| [from, to]))
    }

    /// A unit has another fact.
    pub(super) fn unit_changed(
        &mut self,
        scene: &Scene<'_>,
        answers: &mut Answers,
        unit: u32,
    ) -> Done {
        let cell = self.occupants.cell_of(unit);
        self.conditions.begin();
        self.conditions.unit_changed(scene, unit, cell)?;
        self.units_changed(scene, answers, [cell, None])?;
        if self.know(scene.position(), unit)?.is_none() {
            return Ok(None);
        }
        self.answer(unit, answers);
        self.near_again(scene, answers, self.reads.units.map(|_| [cell, None]))
    }

    /// A space has another fact.
    pub(super) fn space_changed(
        &mut self,
        scene: &Scene<'_>,
        answers: &mut Answers,
        space: u32,
    ) -> Done {
        let cell = scene.board.layout().cell(space);
        self.conditions.begin();
        if self.conditions.members_stand() {
            for unit in self.occupants.in_cell(cell) {
                self.conditions.unit_changed(scene, unit, Some(cell))?;
            }
        }
        self.conditions.ask_again(scene, &[cell], true)?;
        self.repair(scene, answers);
        self.near_again(scene, answers, self.reads.place.then_some([Some(cell), None]))
    }

    /// Repairs what rests on the units in some cells.
    fn units_changed(
        &mut self,
        scene: &Scene<'_>,
        answers: &mut Answers,
        cells: [Option<u32>; 2],
    ) -> Result<(), EvalFault> {
        if self.conditions.asks_units() {
            let cells: Vec<u32> = cells.into_iter().flatten().collect();
            self.conditions.ask_again(scene, &cells, false)?;
        }
        self.repair(scene, answers);
        Ok(())
    }

    /// Repairs what rested on the conditions that have turned, and answers again where that made a
    /// difference.
    fn repair(&mut self, scene: &Scene<'_>, answers: &mut Answers) {
        self.conditions.settle(scene.board);
        self.chain.update(scene.board, &self.conditions);
        for (node, cells) in self.chain.touched() {
            for cell in cells {
                for unit in self.occupants.in_cell(*cell) {
                    if self.unit_plan[unit as usize].node == Some(node) {
                        self.answer(unit, answers);
                    }
                }
            }
        }
    }

    /// Asks those units again whose verdicts and budgets read what is in some cells.
    fn near_again(
        &mut self,
        scene: &Scene<'_>,
        answers: &mut Answers,
        cells: Option<[Option<u32>; 2]>,
    ) -> Done {
        let steps = self.chain.steps();
        let Some(cells) = cells else { return Ok(Some(steps)) };
        let all = self.conditions.ways(scene.board, None);
        self.around.gather(&all, self.reads.spaces, cells.into_iter().flatten());
        for at in 0..self.around.cells.len() {
            let near: Vec<u32> = self.occupants.in_cell(self.around.cells[at]).collect();
            for unit in near {
                if self.know(scene.position(), unit)?.is_none() {
                    return Ok(None);
                }
                self.answer(unit, answers);
            }
        }
        Ok(Some(steps))
    }
}
