//! One search of a trace: from its sources backward, leg by leg, once for all things that share side, budgets and costs.
//!
//! A leg from space `s` passes `s = s0, s1 .. sn`. The first is asked `from`, the last must be where the next leg may
//! begin (or a source, or a relay that is live) and is asked `into`, those between are asked `through`; in a leg of one
//! space that space is first and last. A relay is live when a line runs from it, so relays are found in rounds: a round
//! may end at sources and at the relays of earlier rounds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::evaluate::Step;
use super::{EvalFault, Position, exact};
use crate::ir::*;
use crate::world::ThingRef;

/// No line of any length.
pub const NONE: u32 = u32::MAX;

/// A condition asked of every space.
type Plane = Vec<bool>;

/// The conditions of a trace, asked of every space for one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gates {
    /// For each space the first source, in written order, that it is.
    pub source: Vec<Option<u16>>,
    /// For each space whether it is a relay, live or not.
    pub relay: Plane,
    /// The gates of each leg.
    pub legs: Vec<LegGates>,
}

/// The three gates of a leg, asked of every space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegGates {
    /// Whether a leg may begin there.
    pub from: Plane,
    /// Whether a leg may pass there.
    pub through: Plane,
    /// Whether a leg may end there.
    pub into: Plane,
}

/// What a field depends on beside the position and the trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Profile {
    viewer: Option<SideId>,
    /// The thing itself, where gates or costs read what cannot be told by kind and facts.
    subject: Option<ThingRef>,
    /// The budget of each leg; none for unlimited. Empty for a plain trace, whose lengths are compared at the end.
    budgets: Vec<Option<u32>>,
    /// The kind of the thing and the facts of it that costs read.
    cost_facts: Vec<i64>,
}

/// What is left out of account to find out why there is no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Relaxed {
    /// All gates are open.
    pub gates: bool,
    /// All budgets are unlimited.
    pub budgets: bool,
    /// What is barred costs nothing to enter.
    pub barred: bool,
}

/// The costs of all spaces for one trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// One a round; the last finds no new relay.
    pub rounds: Vec<Round>,
    /// For each space the round after which it is a live relay, or [`NONE`].
    pub live: Vec<u32>,
    /// What entering each space costs on each leg, where that does not depend on the space left.
    enter: Vec<Costs>,
    budgets: Vec<Option<u32>>,
}

/// What entering a space costs.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Costs {
    /// 1 a link
    Even,
    /// by the space entered; none where it is barred
    Space(Vec<Option<u32>>),
    /// by the space left and the space entered, in the order of the neighbours of the space entered
    Step(Vec<Vec<(u32, Option<u32>)>>),
}

/// One round of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// For each leg, for each space, the cost of the cheapest way from there to an end of the leg, before `from` and
    /// the budget are asked; or [`NONE`].
    pub cost: Vec<Vec<u32>>,
    /// For each place of the chain, and the end behind the last, whether the rest of a line may begin in a space.
    pub starts: Vec<Plane>,
}

impl Gates {
    /// Asks the conditions of a trace for the side of a thing; the thing itself is read only by traces that say so.
    pub fn ask(position: &Position<'_>, trace: TraceId, subject: ThingRef) -> Result<Gates, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let spaces = position.map.spaces.len();
        let cx = position.asked_of(subject);
        let ask = |when: ExprId, space: usize| position.holds(when, &cx.with(1, space_ref(space)));
        let plane =
            |when: Option<ExprId>| -> Result<Plane, EvalFault> { (0..spaces).map(|s| when.map_or(Ok(true), |w| ask(w, s))).collect() };
        let mut gates = Gates { source: vec![None; spaces], relay: vec![false; spaces], legs: Vec::new() };
        for space in 0..spaces {
            for (at, source) in rule.sources.iter().enumerate() {
                if ask(source.when, space)? {
                    gates.source[space] = u16::try_from(at).ok();
                    break;
                }
            }
            for relay in &rule.relays {
                gates.relay[space] = gates.relay[space] || ask(relay.when, space)?;
            }
        }
        for leg in &rule.legs {
            gates.legs.push(LegGates { from: plane(leg.from.when)?, through: plane(leg.through.when)?, into: plane(leg.into.when)? });
        }
        Ok(gates)
    }
}

fn space_ref(space: usize) -> ThingRef {
    ThingRef::Space(u32::try_from(space).unwrap_or(u32::MAX))
}

impl Position<'_> {
    /// All that the field of a thing depends on.
    pub(super) fn profile(&self, trace: TraceId, subject: ThingRef) -> Result<Profile, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let mut profile = Profile { viewer: self.viewer_of(subject), subject: None, budgets: Vec::new(), cost_facts: Vec::new() };
        if rule.per_subject {
            profile.subject = Some(subject);
        }
        if !rule.is_plain() {
            for leg in &rule.legs {
                profile.budgets.push(self.budget_of(leg, subject)?);
            }
        }
        let costs: Vec<ExprId> = rule.legs.iter().filter_map(|l| l.cost).collect();
        if !costs.is_empty() {
            let mut facts = Vec::new();
            let told = costs.iter().all(|c| self.subject_facts(*c, &mut facts));
            if told {
                let kind = match subject {
                    ThingRef::Unit(u) => self.world.units.get(u as usize).map_or(0, |u| i64::from(u.kind.0)),
                    _ => -1,
                };
                profile.cost_facts.push(kind);
                profile.cost_facts.extend(facts.iter().map(|f| self.world.fact(&self.rules.facts[f.index()], subject)));
            } else {
                profile.subject = Some(subject);
            }
        }
        Ok(profile)
    }

    /// The facts of the subject that an expression reads; false if it reads more of it than its facts and kind.
    fn subject_facts(&self, id: ExprId, facts: &mut Vec<FactId>) -> bool {
        let is_subject = |id: &ExprId| matches!(self.rules.node(*id), Node::Subject(0));
        let mut all = |ids: &[ExprId]| ids.iter().all(|i| self.subject_facts(*i, facts));
        match self.rules.node(id) {
            Node::Fact(fact, of) if is_subject(of) => {
                if *fact != crate::world::built_in::SPACE && !facts.contains(fact) {
                    facts.push(*fact);
                }
                true
            }
            Node::Fact(_, of) => all(&[*of]),
            Node::Define(define, Some(of)) if is_subject(of) => all(&[self.rules.defines[define.index()].value]),
            Node::Table(table, _, Some(of)) if is_subject(of) => {
                let table = &self.rules.tables[table.index()];
                table.rows.iter().all(|r| {
                    let values: Vec<ExprId> = r.values.iter().flatten().copied().chain(r.when).collect();
                    r.per.is_none() && all(&values)
                }) && table.kept.is_none()
            }
            // Of another thing, a named value reads nothing of the subject but what leads to that thing.
            Node::Define(_, Some(of)) | Node::Table(_, _, Some(of)) => all(&[*of]),
            Node::And(parts) | Node::Or(parts) => all(parts),
            Node::Not(a) | Node::Stands(a, _) | Node::Rounded(_, a) | Node::Rank(a) => all(&[*a]),
            Node::Same(a, b) | Node::Compare(a, _, b) | Node::Arithmetic(a, _, b) | Node::Extreme { left: a, right: b, .. } => {
                all(&[*a, *b])
            }
            Node::IsKind(of, _) => is_subject(of) || all(&[*of]),
            Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::SpaceCalled(_)
            | Node::Side(_)
            | Node::Viewer
            | Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::Define(_, None)
            | Node::Table(_, _, None)
            | Node::OverStep(_)
            | Node::Nothing => true,
            _ => false,
        }
    }

    /// The longest a leg of this thing may be; what is barred allows no step at all.
    pub(super) fn budget_of(&self, leg: &Leg, thing: ThingRef) -> Result<Option<u32>, EvalFault> {
        let Some(amount) = leg.within.amount else { return Ok(None) };
        let value = self.value(amount, &self.asked_of(thing))?;
        Ok(Some(value.amount().map_or(0, |a| u32::try_from(exact::rounded(a, Rounding::Down).max(0)).unwrap_or(u32::MAX))))
    }

    /// What a step costs a thing on a leg; none where it is barred.
    pub(super) fn step_cost(&self, leg: &Leg, thing: ThingRef, from: u32, into: u32) -> Result<Option<u32>, EvalFault> {
        let Some(cost) = leg.cost else { return Ok(Some(1)) };
        let cx = self.asked_of(thing).stepping(Step { mover: thing, from, into });
        let amount = self.value(cost, &cx)?.amount();
        // A cost of nothing would let a line run for ever; the checker refuses what can be nothing, and 1 is the least.
        Ok(amount.map(|a| u32::try_from(exact::rounded(a, Rounding::Up).max(1)).unwrap_or(u32::MAX)))
    }
}

impl Field {
    /// Searches a trace for a thing and all that share its profile.
    pub fn search(
        position: &Position<'_>,
        trace: TraceId,
        subject: ThingRef,
        profile: &Profile,
        relaxed: Relaxed,
    ) -> Result<Field, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let gates = position.gates(trace, subject)?;
        let spaces = position.map.spaces.len();
        let budgets = if relaxed.budgets { vec![None; rule.legs.len()] } else { profile.budgets.clone() };
        let mut enter = Vec::new();
        for leg in &rule.legs {
            enter.push(costs(position, leg, subject, relaxed.barred)?);
        }
        let mut field = Field { rounds: Vec::new(), live: vec![NONE; spaces], enter, budgets };
        let mut goal: Plane = gates.source.iter().map(Option::is_some).collect();
        loop {
            let round = field.round(position, rule, &gates, &goal, relaxed);
            let number = u32::try_from(field.rounds.len()).unwrap_or(NONE);
            let mut more = false;
            for (space, reached) in goal.iter_mut().enumerate() {
                if gates.relay[space] && !*reached && round.starts[0][space] {
                    *reached = true;
                    field.live[space] = number;
                    more = true;
                }
            }
            field.rounds.push(round);
            if !more {
                return Ok(field);
            }
        }
    }

    /// Whether a leg's cost is within its budget; without budgets every cost is.
    pub(super) fn fits_budget(&self, leg: usize, cost: u32) -> bool {
        cost != NONE && self.budgets.get(leg).copied().flatten().is_none_or(|b| cost <= b)
    }

    fn round(&self, position: &Position<'_>, rule: &Trace, gates: &Gates, goal: &Plane, relaxed: Relaxed) -> Round {
        let places = usize::from(rule.places);
        let mut starts: Vec<Plane> = vec![Vec::new(); places + 1];
        let mut cost = vec![Vec::new(); rule.legs.len()];
        starts[places].clone_from(goal);
        for place in (0..places).rev() {
            let mut here = vec![false; goal.len()];
            for (at, leg) in rule.legs.iter().enumerate().filter(|(_, l)| usize::from(l.place) == place) {
                cost[at] = self.flood(position, at, leg, &gates.legs[at], &starts[place + 1], relaxed);
                for (space, cell) in here.iter_mut().enumerate() {
                    *cell |= (relaxed.gates || gates.legs[at].from[space]) && self.fits_budget(at, cost[at][space]);
                    *cell |= leg.optional && starts[place + 1][space];
                }
            }
            starts[place] = here;
        }
        Round { cost, starts }
    }

    /// Cheapest first from the ends of a leg; a space that a leg may not pass still begins legs.
    fn flood(&self, position: &Position<'_>, at: usize, leg: &Leg, gates: &LegGates, ends: &Plane, relaxed: Relaxed) -> Vec<u32> {
        let mut cost = vec![NONE; ends.len()];
        let mut queue = BinaryHeap::new();
        for (space, end) in ends.iter().enumerate() {
            if *end && (relaxed.gates || gates.into[space]) {
                cost[space] = 0;
                queue.push(Reverse((0u32, u32::try_from(space).unwrap_or(NONE))));
            }
        }
        while let Some(Reverse((gone, into))) = queue.pop() {
            if gone > cost[into as usize] {
                continue;
            }
            for from in neighbours(position, &leg.links, into) {
                let Some(step) = self.step(at, from, into) else { continue };
                let whole = gone.saturating_add(step);
                if whole < cost[from as usize] {
                    cost[from as usize] = whole;
                    if relaxed.gates || gates.through[from as usize] {
                        queue.push(Reverse((whole, from)));
                    }
                }
            }
        }
        cost
    }

    /// What a step costs on a leg; none where it is barred.
    #[must_use]
    pub fn step(&self, leg: usize, from: u32, into: u32) -> Option<u32> {
        match &self.enter[leg] {
            Costs::Even => Some(1),
            Costs::Space(costs) => costs[into as usize],
            Costs::Step(costs) => costs[into as usize].iter().find(|(f, _)| *f == from).and_then(|(_, c)| *c),
        }
    }

    /// The first round in which a line may begin in a space.
    #[must_use]
    pub fn round_of(&self, space: u32) -> Option<usize> {
        self.rounds.iter().position(|r| r.starts[0][space as usize])
    }
}

fn costs(position: &Position<'_>, leg: &Leg, subject: ThingRef, barred: bool) -> Result<Costs, EvalFault> {
    let Some(cost) = leg.cost else { return Ok(Costs::Even) };
    let spaces = u32::try_from(position.map.spaces.len()).unwrap_or(NONE);
    let lift = |cost: Option<u32>| if barred { cost.or(Some(1)) } else { cost };
    if asks_step(position.rules, cost) {
        let mut all = Vec::new();
        for into in 0..spaces {
            let mut row = Vec::new();
            for from in neighbours(position, &leg.links, into) {
                row.push((from, lift(position.step_cost(leg, subject, from, into)?)));
            }
            all.push(row);
        }
        return Ok(Costs::Step(all));
    }
    let all = (0..spaces).map(|into| Ok(lift(position.step_cost(leg, subject, into, into)?))).collect::<Result<_, EvalFault>>()?;
    Ok(Costs::Space(all))
}

/// Whether an expression asks about the link of a step.
fn asks_step(rules: &Ruleset, id: ExprId) -> bool {
    let any = |ids: &[ExprId]| ids.iter().any(|i| asks_step(rules, *i));
    match rules.node(id) {
        Node::OverStep(_) => true,
        Node::Define(define, _) => any(&[rules.defines[define.index()].value]),
        Node::Table(table, ..) => {
            rules.tables[table.index()].rows.iter().any(|r| any(&r.values.iter().flatten().copied().chain(r.when).collect::<Vec<_>>()))
        }
        Node::And(parts) | Node::Or(parts) => any(parts),
        Node::Not(a) | Node::Rounded(_, a) | Node::Rank(a) => any(&[*a]),
        Node::Same(a, b) | Node::Compare(a, _, b) | Node::Arithmetic(a, _, b) | Node::Extreme { left: a, right: b, .. } => any(&[*a, *b]),
        _ => false,
    }
}

/// The neighbours of a space over any of these kinds of link; a space joined by two kinds comes twice.
pub(super) fn neighbours<'p>(position: &'p Position<'_>, links: &'p [KindId], space: u32) -> impl Iterator<Item = u32> + 'p {
    position
        .map
        .links
        .iter()
        .filter(move |l| links.iter().any(|k| position.rules.is_kind(l.kind, *k)))
        .flat_map(move |l| l.of(space).iter().copied())
}

impl Field {
    /// The lengths of a plain trace: for each space that of the shortest line that begins there, before `from` is
    /// asked.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.rounds[0].cost[0]
    }

    /// How long the first leg of a line from a space is, in the first round in which there is one.
    #[must_use]
    pub fn first_length(&self, rule: &Trace, space: usize) -> Option<u32> {
        let round = self.rounds.iter().find(|r| r.starts[0][space]).or_else(|| self.rounds.first().filter(|_| rule.is_plain()))?;
        let first = rule.legs.iter().zip(&round.cost).filter(|(leg, _)| leg.place == 0);
        first.map(|(_, cost)| cost[space]).filter(|c| *c != NONE).min()
    }
}
