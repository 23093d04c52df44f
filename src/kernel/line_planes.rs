//! Translates the gates and legs of a trace into operations on planes: for the units that look the
//! same to it, or for spaces.

use super::batch::{Budget, LONGEST};
use super::board::Nodes;
use super::build::Builder;
use super::costs::Costs;
use super::fault::BatchFault;
use super::plane::{Leg as LegPlanes, Op, Place, PlaneId};
use crate::ir::*;
use crate::world::{ThingRef, built_in};

/// Whose lines are asked about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asker {
    pub trace: TraceId,
    pub thing: ThingRef,
    pub viewer: Option<SideId>,
}

/// The steps of a leg, and in parts of what its costs are counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    pub way: usize,
    pub unit: u32,
    /// The dearest step, in parts.
    dearest: u32,
}

/// The planes of the gates of a trace for one sort of thing, one by one.
#[derive(Debug, Clone)]
pub(super) struct GatePlanes {
    /// Of each source, in written order.
    pub sources: Vec<PlaneId>,
    /// Where a line may begin again; none where there are no relays.
    pub relay: Option<PlaneId>,
    /// Of each leg where it may begin, pass and end; none for a gate without a condition.
    pub legs: Vec<[Option<PlaneId>; 3]>,
}

impl GatePlanes {
    /// All planes, sources first, then relays, then gates leg by leg; the second says whether it is
    /// the gate of a leg.
    pub fn each(&self) -> impl Iterator<Item = (PlaneId, bool)> + '_ {
        let ends = self.sources.iter().chain(&self.relay).map(|plane| (*plane, false));
        ends.chain(self.legs.iter().flatten().flatten().map(|plane| (*plane, true)))
    }
}

impl Builder<'_> {
    /// The gates of a trace for a thing and all that look the same to them, for a search by spaces;
    /// what steps cost must be the same in all positions.
    pub(super) fn gate_planes(&mut self, asker: Asker) -> Result<GatePlanes, BatchFault> {
        let rule = &self.position.rules.traces[asker.trace.index()];
        if self.position.board().has_turns(rule) {
            return Err(BatchFault::Crossings);
        }
        let fixed = |leg: &Leg| leg.cost.is_none_or(|cost| self.cost_is_fixed(cost));
        // What bars a step, cost or `over`, is a part of what it costs.
        if !rule.legs.iter().all(fixed) {
            return Err(BatchFault::NotPlain);
        }
        let viewer = asker.viewer;
        let sources = rule.sources.iter().map(|s| self.gate_plane(s.when, viewer)).collect();
        let relays: Vec<PlaneId> =
            rule.relays.iter().map(|r| self.gate_plane(r.when, viewer)).collect();
        let relay = if relays.is_empty() { None } else { Some(self.one(relays)) };
        let legs = rule.legs.iter().map(|leg| {
            [&leg.from, &leg.through, &leg.into]
                .map(|gate| gate.when.map(|when| self.gate_plane(when, viewer)))
        });
        let legs = legs.collect();
        Ok(GatePlanes { sources, relay, legs })
    }

    /// Where the lines of a leg, the only one of its place, begin by their lengths: the first plane
    /// of a flood, and in parts of what it counts. `far` is the longest that counts.
    pub(super) fn flood(
        &mut self,
        asker: Asker,
        leg: usize,
        far: Option<u32>,
        also: Vec<PlaneId>,
    ) -> Result<(PlaneId, u32), BatchFault> {
        let position = self.position;
        let rule = &position.rules.traces[asker.trace.index()];
        let steps = self.steps(asker, leg)?;
        let goal = self.goal(asker, usize::from(rule.legs[leg].place) + 1)?;
        let planes = self.leg_planes(asker, leg, steps.way, None);
        let ends = match planes.into {
            Some(into) => self.all(vec![(goal, false), (into, false)], false),
            None => goal,
        };
        let mut also = also;
        if rule.legs[leg].optional {
            also.push(goal);
        }
        let far = far.map(|far| far / steps.unit);
        if far.is_some_and(|far| far > LONGEST) {
            return Err(BatchFault::TooLarge);
        }
        let LegPlanes { from, through, way, .. } = planes;
        let flood = Op::Flood { ends, through, from, also, way, steps: far };
        Ok((self.op(flood), steps.unit))
    }

    /// Where lines may begin whose budgets are all fixed: `budgets` leg by leg.
    pub(super) fn lines(
        &mut self,
        asker: Asker,
        budgets: &[Option<u32>],
    ) -> Result<PlaneId, BatchFault> {
        let rule = &self.position.rules.traces[asker.trace.index()];
        if rule.relays.is_empty() {
            return self.begins(asker, 0, budgets);
        }
        let source = self.source(asker);
        let relays = rule.relays.iter().map(|r| self.gate_plane(r.when, asker.viewer)).collect();
        let relay = Some(self.one::<Vec<PlaneId>>(relays));
        let places: Result<Vec<Place>, BatchFault> =
            (0..rule.places).map(|place| self.place(asker, usize::from(place), budgets)).collect();
        Ok(self.op(Op::Lines { source, relay, places: places? }))
    }

    /// Where the rest of a line may begin, from a place of the chain on.
    fn begins(
        &mut self,
        asker: Asker,
        place: usize,
        budgets: &[Option<u32>],
    ) -> Result<PlaneId, BatchFault> {
        let rule = &self.position.rules.traces[asker.trace.index()];
        if place >= usize::from(rule.places) {
            return Ok(self.source(asker));
        }
        let source = self.begins(asker, place + 1, budgets)?;
        let places = vec![self.place(asker, place, budgets)?];
        Ok(self.op(Op::Lines { source, relay: None, places }))
    }

    /// Where the rest of a line may begin that is asked behind the first place, whose budgets are
    /// those of the thing.
    fn goal(&mut self, asker: Asker, place: usize) -> Result<PlaneId, BatchFault> {
        let rule = &self.position.rules.traces[asker.trace.index()];
        if place >= usize::from(rule.places) {
            return Ok(self.source(asker));
        }
        let legs = 0..rule.legs.len();
        let budgets: Result<Vec<Option<u32>>, BatchFault> = legs
            .map(|leg| match usize::from(rule.legs[leg].place) >= place {
                true => self.fixed_budget(asker, leg),
                false => Ok(None),
            })
            .collect();
        self.begins(asker, place, &budgets?)
    }

    /// The budget of a leg, where it is the same in all positions.
    pub(super) fn fixed_budget(&self, asker: Asker, leg: usize) -> Result<Option<u32>, BatchFault> {
        let position = self.position;
        let leg = &position.rules.traces[asker.trace.index()].legs[leg];
        let Some(amount) = leg.within.amount else { return Ok(None) };
        let reads = self.reader.of(amount);
        let of_space = matches!(asker.thing, ThingRef::Space(_));
        if reads.varies
            || !reads.facts.is_empty()
            || (reads.space | reads.control) != 0
            || of_space && reads.subjects != 0
        {
            return Err(BatchFault::NotPlain);
        }
        Ok(position.seen_by(asker.viewer, || position.budget_of(leg, asker.thing))?)
    }

    fn source(&mut self, asker: Asker) -> PlaneId {
        let rule = &self.position.rules.traces[asker.trace.index()];
        let sources = rule.sources.iter().map(|s| self.gate_plane(s.when, asker.viewer)).collect();
        self.one::<Vec<PlaneId>>(sources)
    }

    fn place(
        &mut self,
        asker: Asker,
        place: usize,
        budgets: &[Option<u32>],
    ) -> Result<Place, BatchFault> {
        let rule = &self.position.rules.traces[asker.trace.index()];
        let mut found = Place { legs: Vec::new(), optional: false };
        let here = |(_, leg): &(usize, &Leg)| usize::from(leg.place) == place;
        for (at, leg) in rule.legs.iter().enumerate().filter(here) {
            let steps = self.steps(asker, at)?;
            let budget = budgets.get(at).copied().flatten();
            let most = budget.map(|b| (b / steps.unit).min(self.longest(leg, steps)));
            found.legs.push(self.leg_planes(asker, at, steps.way, most));
            found.optional |= leg.optional;
        }
        Ok(found)
    }

    fn leg_planes(&mut self, asker: Asker, leg: usize, way: usize, most: Option<u32>) -> LegPlanes {
        let leg = &self.position.rules.traces[asker.trace.index()].legs[leg];
        let [from, through, into] = [&leg.from, &leg.through, &leg.into].map(|gate| {
            let plane = self.gate_plane(gate.when?, asker.viewer);
            (!self.always(plane)).then_some(plane)
        });
        LegPlanes { from, through, into, way, most }
    }

    /// A gate or source: the space is the subject of level 1.
    fn gate_plane(&mut self, when: ExprId, viewer: Option<SideId>) -> PlaneId {
        self.space_condition(when, 1, viewer)
    }

    /// No leg is longer than the dearest way through all other spaces.
    fn longest(&self, leg: &Leg, steps: Steps) -> u32 {
        self.most_steps(leg).saturating_mul(steps.dearest)
    }

    /// The steps of a way through all other spaces, each come to once along each line of a crossing.
    pub(super) fn most_steps(&self, leg: &Leg) -> u32 {
        let turns = self.position.board().turns(&leg.links);
        let nodes = turns.map_or(self.shape.spaces, |turns| turns.count());
        u32::try_from(nodes.saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// The steps of a leg for a thing, where they cost the same in all positions.
    pub(super) fn steps(&mut self, asker: Asker, leg: usize) -> Result<Steps, BatchFault> {
        let position = self.position;
        let leg = &position.rules.traces[asker.trace.index()].legs[leg];
        if leg.cost.is_some_and(|cost| !self.cost_is_fixed(cost)) {
            return Err(BatchFault::NotPlain);
        }
        let key = self.steps_key(asker, leg);
        let known = key.as_ref().and_then(|key| self.known_steps.get(key));
        let costs = match known {
            Some(costs) => costs.clone(),
            None => {
                let ask = || Costs::of(position, leg, asker.thing, false);
                let costs = position.seen_by(asker.viewer, ask)?;
                self.known_steps.extend(key.map(|key| (key, costs.clone())));
                costs
            }
        };
        let unit = costs.unit();
        let dearest = (costs.most() / unit).max(1);
        // Of each cost there is a plane to work with.
        if dearest > MOST_COSTS {
            return Err(BatchFault::TooLarge);
        }
        Ok(Steps { way: self.way(&leg.links, &costs, unit), unit, dearest })
    }

    /// What the costs of a leg read of the thing.
    fn steps_key(&self, asker: Asker, leg: &Leg) -> Option<StepsKey> {
        let facts = self.position.board().mover_facts(asker.trace);
        let world = self.position.world;
        let kind = match asker.thing {
            ThingRef::Unit(unit) => world.units.get(unit as usize).map(|u| u.kind),
            _ => None,
        };
        let fact = |fact: &FactId| {
            let row = self.position.rules.facts.get(fact.index());
            row.map_or(0, |row| world.fact(row, asker.thing))
        };
        let facts = facts.costs.as_ref()?.iter().map(fact).collect();
        Some((leg.cost?, leg.links.clone(), asker.viewer, kind, facts))
    }

    /// Whether what a step costs a thing is the same in all positions.
    fn cost_is_fixed(&self, cost: ExprId) -> bool {
        let depends = self.position.board().depends(cost, 0);
        let varies = |fact: &FactId| {
            *fact == built_in::SPACE || self.shape.varying.iter().any(|v| v.fact == *fact)
        };
        depends.by_facts()
            && !depends.named
            && !depends.here.contains(&built_in::CONTROL)
            && !depends.facts.iter().any(varies)
    }

    /// The answers of a trace of spaces, as a side asks it; nothing where it cannot be on planes.
    pub(super) fn space_trace(
        &mut self,
        trace: TraceId,
        viewer: Option<SideId>,
    ) -> Option<PlaneId> {
        if let Some(known) = self.traced.get(&(trace, viewer)) {
            return *known;
        }
        // Whoever asks it while it is made asks in a circle.
        self.traced.insert((trace, viewer), None);
        let bound = self.bound.take();
        let found = self.space_trace_of(trace, viewer).ok();
        self.bound = bound;
        self.traced.insert((trace, viewer), found);
        found
    }

    fn space_trace_of(
        &mut self,
        trace: TraceId,
        viewer: Option<SideId>,
    ) -> Result<PlaneId, BatchFault> {
        let position = self.position;
        let rule = &position.rules.traces[trace.index()];
        if position.rules.top(rule.of) != KindId::SPACE {
            return Err(BatchFault::NotPlain);
        }
        // One search is for all spaces, so nothing may read the one that its line begins in.
        let of_own = |cost: ExprId| reads_own(position.rules, cost);
        if rule.per_subject || rule.legs.iter().any(|leg| leg.cost.is_some_and(of_own)) {
            return Err(BatchFault::PerSubject);
        }
        // A table answers for things of its kind alone.
        let spaces =
            (0..u32::try_from(position.map.spaces.len()).unwrap_or(u32::MAX)).map(ThingRef::Space);
        let mut of_kind = spaces.filter(|space| position.is_kind(*space, rule.of));
        let thing = of_kind.next().unwrap_or(ThingRef::Space(0));
        let asker = Asker { trace, thing, viewer };
        let budgets: Result<Vec<Option<u32>>, BatchFault> =
            (0..rule.legs.len()).map(|leg| self.fixed_budget(asker, leg)).collect();
        let mut yes = self.lines(asker, &budgets?)?;
        // The first verdict that holds decides, so the last is applied first.
        for verdict in rule.verdicts.iter().rev() {
            let holds = self.space_condition(verdict.when, 0, viewer);
            yes = match verdict.always {
                true => self.one([yes, holds]),
                false => self.all(vec![(yes, false), (holds, true)], false),
            };
        }
        let somewhere = self.fixed(|thing| Ok(thing != ThingRef::World));
        let somewhere = somewhere.ok_or(BatchFault::NotPlain)?;
        Ok(self.all(vec![(yes, false), (somewhere, false)], false))
    }

    /// The budget of a unit in parts of what a flood counts.
    pub(super) fn in_parts(&self, budget: Budget, unit: u32) -> Result<Budget, BatchFault> {
        let part = u16::try_from(unit).unwrap_or(u16::MAX).max(1);
        match budget {
            budget if part == 1 => Ok(budget),
            Budget::Fixed(budget) => Ok(Budget::Fixed(budget / part)),
            Budget::LookupTable(look) => Ok(Budget::LookupTable(look.map(|v| v / part))),
            Budget::Slow(_) => Err(BatchFault::NotPlain),
        }
    }
}

/// Whether a cost reads the space in which a line begins, and does not only hand it to a table that
/// asks the step alone.
fn reads_own(rules: &Ruleset, cost: ExprId) -> bool {
    match rules.node(cost) {
        Node::Table(table, _, Some(of)) if matches!(rules.node(*of), Node::Subject(0)) => {
            rules.expressions_of(Part::Table(*table)).into_iter().any(|id| rules.reads_level(id, 0))
        }
        _ => rules.reads_level(cost, 0),
    }
}

/// Steps of more different costs than these are searched one position after another.
const MOST_COSTS: u32 = 32;

/// What the costs of a leg read of the thing that goes.
pub(super) type StepsKey = (ExprId, Vec<KindId>, Option<SideId>, Option<KindId>, Vec<i64>);
