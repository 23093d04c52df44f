//! What the search of a thing shares with that of other things: side, budgets, costs.

use super::cx::Step;
use super::{EvalFault, Gate, Position, exact};
use crate::ir::*;
use crate::world::ThingRef;

/// What a field depends on beside the position and the trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Profile {
    pub(super) viewer: Option<SideId>,
    /// The thing itself, where costs read what is not its kind and facts.
    pub(super) subject: Option<ThingRef>,
    /// Which gates of the trace and side are its own.
    gates: usize,
    /// Which are where all others are left out, counted from 1; 0 where that does not count.
    pub(super) freed: usize,
    /// The budget of each leg; none for unlimited. Empty for a plain trace, whose lengths are
    /// compared at the end.
    pub(super) budgets: Vec<Option<u32>>,
    /// The kind of the thing and the facts of it that costs read.
    pub(super) cost_facts: Vec<i64>,
}

impl Profile {
    /// What lines that share their searches have alike.
    pub(super) fn of_group(&self) -> Profile {
        Profile { budgets: Vec::new(), ..self.clone() }
    }

    /// What costs alone depend on.
    pub(super) fn without_budgets(&self) -> Profile {
        let mut costs = self.clone();
        costs.budgets.clear();
        (costs.gates, costs.freed) = (0, 0);
        costs
    }
}

impl Position<'_> {
    /// All that the field of a thing depends on.
    pub(super) fn profile(&self, trace: TraceId, subject: ThingRef) -> Result<Profile, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let mut profile = Profile {
            viewer: self.viewer_of(subject),
            subject: None,
            gates: 0,
            freed: 0,
            budgets: Vec::new(),
            cost_facts: Vec::new(),
        };
        if !rule.is_plain() {
            for leg in &rule.legs {
                profile.budgets.push(self.budget_of(leg, subject)?);
            }
        }
        if rule.legs.iter().any(|leg| leg.cost.is_some()) {
            match self.cost_facts(trace, subject) {
                Some(facts) => profile.cost_facts = facts,
                None => profile.subject = Some(subject),
            }
        }
        profile.gates = self.gates_number(trace, subject)?;
        Ok(profile)
    }

    /// The kind of a thing and the facts of it that costs read; none where they read more.
    pub(super) fn cost_facts(&self, trace: TraceId, subject: ThingRef) -> Option<Vec<i64>> {
        let facts = self.board.mover_facts(trace);
        let kind = match subject {
            ThingRef::Unit(u) => {
                self.world.units.get(u as usize).map_or(0, |u| i64::from(u.kind.0))
            }
            ThingRef::Space(s) => {
                self.map.spaces.get(s as usize).map_or(0, |s| i64::from(s.kind.0))
            }
            ThingRef::Link(_) | ThingRef::Side(_) | ThingRef::World => -1,
        };
        let fact = |f: &FactId| self.world.fact(&self.rules.facts[f.index()], subject);
        Some(std::iter::once(kind).chain(facts.costs.as_ref()?.iter().map(fact)).collect())
    }

    /// The longest a leg of this thing may be; what is barred allows no step at all.
    pub(super) fn budget_of(&self, leg: &Leg, thing: ThingRef) -> Result<Option<u32>, EvalFault> {
        let Some(amount) = leg.within.amount else { return Ok(None) };
        let value = self.value(amount, &self.asked_of(thing))?;
        Ok(Some(value.amount().map_or(0, |a| {
            u32::try_from(exact::rounded(a, Rounding::Down).max(0)).unwrap_or(u32::MAX)
        })))
    }

    /// By what a barred step is barred: by the lines of `over`, or by its cost.
    pub(super) fn barred_step(
        &self,
        leg: &Leg,
        thing: ThingRef,
        from: u32,
        into: u32,
    ) -> Result<Gate, EvalFault> {
        let Some(over) = leg.over.and_then(|over| self.rules.tables.get(over.index())) else {
            return Ok(Gate::Cost);
        };
        let cx = self.asked_of(thing).stepping(Step { mover: thing, from, into });
        let allowing = over.rows.iter().filter(|row| row.values.iter().any(Option::is_some));
        for when in allowing.map(|row| row.when) {
            if when.map_or(Ok(true), |when| self.holds(when, &cx))? {
                return Ok(Gate::Cost);
            }
        }
        Ok(Gate::Over)
    }

    /// By what a space between is shut: by `stopping in` where `through` alone lets by.
    pub(super) fn between_gate(
        &self,
        leg: &Leg,
        thing: ThingRef,
        space: u32,
    ) -> Result<Gate, EvalFault> {
        let Some(stopping) = &leg.stopping else { return Ok(Gate::Through) };
        let cx = self.asked_of(thing).with(1, ThingRef::Space(space));
        let open = |when: Option<ExprId>| when.map_or(Ok(true), |when| self.holds(when, &cx));
        let stops = open(stopping.through)? && !open(stopping.gate.when)?;
        Ok(if stops { Gate::Stopping } else { Gate::Through })
    }

    /// By what a last space is shut: by the budget where its amount has become another.
    pub(super) fn last_gate(
        &self,
        leg: &Leg,
        thing: ThingRef,
        space: u32,
    ) -> Result<Gate, EvalFault> {
        let Some(by) = &leg.by_source else { return Ok(Gate::Into) };
        let is = self.holds(by.is, &self.asked_of(thing).with(1, ThingRef::Space(space)))?;
        Ok(if is { Gate::Into } else { Gate::Within })
    }

    /// What a step costs a thing on a leg; none where it is barred.
    pub(super) fn step_cost(
        &self,
        leg: &Leg,
        thing: ThingRef,
        from: u32,
        into: u32,
    ) -> Result<Option<u32>, EvalFault> {
        let Some(cost) = leg.cost else { return Ok(Some(1)) };
        let cx = self.asked_of(thing).stepping(Step { mover: thing, from, into });
        let amount = self.value(cost, &cx)?.amount();
        // A cost of nothing would let a line run for ever; the checker refuses what can be nothing,
        // and 1 is the least.
        Ok(amount
            .map(|a| u32::try_from(exact::rounded(a, Rounding::Up).max(1)).unwrap_or(u32::MAX)))
    }
}
