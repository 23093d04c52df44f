//! The best lines of a trace as wholes: over all legs and relays together, not leg by leg.
//!
//! Searches from the ends backward, as [`super::field`] does, leg by leg with [`super::flood`].

use std::sync::Arc;

use super::answer::Stretch;
use super::board::space_of;
use super::evaluate::GatesKey;
use super::field::{NONE, Profile, onward};
use super::flood::{Flood, NO_LINE, Part, SHUT, Terms, Way, Worth, measure};
use super::gates::Gates;
use super::line_group::{Group, Tail};
use super::mover::Mover;
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::ThingRef;

/// One round of the search: the relays that are reached so far are ends.
#[derive(Debug)]
struct Round {
    /// The ways of each leg.
    floods: Vec<Arc<Flood>>,
    tail: Arc<Tail>,
}

/// The best lines from all spaces.
#[derive(Debug)]
pub(super) struct Lines {
    group: Arc<Group>,
    budgets: Vec<Option<u32>>,
    rounds: Vec<Round>,
    /// For each relay the round in which its best line was found, else [`NONE`]; empty where there
    /// are no relays.
    live: Vec<u32>,
}

impl Lines {
    /// Searches among the gates and costs of a group.
    pub fn search(
        position: &Position<'_>,
        rule: &Trace,
        group: Arc<Group>,
        budgets: Vec<Option<u32>>,
    ) -> Lines {
        let mut lines = Lines { group, budgets, rounds: Vec::new(), live: Vec::new() };
        let first = lines.round(position, rule, None);
        let mut goal = first.tail.goal().to_vec();
        lines.rounds.push(first);
        if rule.relays.is_empty() {
            return lines;
        }
        lines.live = vec![NONE; position.map.spaces.len()];
        loop {
            let number = u32::try_from(lines.rounds.len() - 1).unwrap_or(NONE);
            let mut more = false;
            for (space, reached) in (0u32..).zip(&mut goal) {
                if !lines.group.terms.gates.relay[space as usize] {
                    continue;
                }
                let worth = lines.start((position, rule), lines.rounds.len() - 1, 0, space);
                if worth < *reached {
                    *reached = worth;
                    lines.live[space as usize] = number;
                    more = true;
                }
            }
            if !more {
                return lines;
            }
            lines.rounds.push(lines.round(position, rule, Some(&goal)));
        }
    }

    fn round(&self, position: &Position<'_>, rule: &Trace, goal: Option<&[Worth]>) -> Round {
        let tail = self.group.tail(position, rule, goal, &self.budgets);
        let of_leg = |(leg, behind): (usize, &Option<Arc<Flood>>)| match behind {
            Some(flood) => Arc::clone(flood),
            None => self.group.flood(position, (rule, leg), &tail.starts[0], self.budgets[leg]),
        };
        let floods = tail.floods.iter().enumerate().map(of_leg).collect();
        Round { floods, tail }
    }

    /// What the best line comes to that begins a place of the chain in a space.
    fn start(
        &self,
        (position, rule): (&Position<'_>, &Trace),
        round: usize,
        place: usize,
        space: u32,
    ) -> Worth {
        let round = &self.rounds[round];
        if let Some(place) = place.checked_sub(1) {
            return round.tail.starts[place][space as usize];
        }
        let first = rule.legs.iter().enumerate().filter(|(_, leg)| leg.place == 0);
        let begun = first.map(|(leg, _)| {
            let (flood, budget) = (&round.floods[leg], self.budgets[leg]);
            self.group.begun(position, (rule, leg), flood, budget, space)
        });
        begun.min().unwrap_or(NO_LINE)
    }

    /// How long the shortest line from a space is.
    pub fn length(&self, position: &Position<'_>, rule: &Trace, start: u32) -> Option<u32> {
        let worth = self.start((position, rule), self.rounds.len() - 1, 0, start);
        (worth != NO_LINE).then(|| u32::try_from(worth % SHUT).unwrap_or(NONE))
    }

    /// Whether the rest of a line could begin in a space if only the `from` of this leg were open.
    pub fn serves(&self, position: &Position<'_>, rule: &Trace, leg: usize, space: u32) -> bool {
        let mut serves = false;
        if let Some(round) = self.rounds.len().checked_sub(1) {
            self.each_way((position, rule), (round, leg), space, |_| serves = true);
        }
        serves
    }

    /// Whether a line may end this place of the chain in a space.
    pub fn goes_on(&self, position: &Position<'_>, rule: &Trace, place: usize, space: u32) -> bool {
        self.start((position, rule), self.rounds.len() - 1, place, space) != NO_LINE
    }

    /// Calls with the ways of a leg that begins in a space and that spend no more than it may.
    fn each_way(
        &self,
        (position, rule): (&Position<'_>, &Trace),
        (round, leg): (usize, usize),
        space: u32,
        mut call: impl FnMut(Way),
    ) {
        let flood = &self.rounds[round].floods[leg];
        flood.begins(position, (rule, leg), &self.group.terms, space, |way| {
            if self.budgets[leg].is_none_or(|budget| way.spent <= budget) {
                call(way);
            }
        });
    }

    /// The best line from a space, ties by the order of legs and of the map; empty if there is
    /// none.
    pub fn line(&self, position: &Position<'_>, rule: &Trace, start: u32) -> Vec<Stretch> {
        let mut line: Vec<Stretch> = Vec::new();
        let (mut at, mut round) = (start, self.rounds.len().saturating_sub(1));
        if !self.goes_on(position, rule, 0, start) {
            return line;
        }
        if let Some(live) = self.begins_again(start) {
            round = live;
        }
        loop {
            for place in 0..usize::from(rule.places) {
                let Some(leg) = self.leg_at((position, rule), round, place, at) else { continue };
                let spaces = self.walk_leg(position, rule, round, leg, at);
                at = spaces.last().map_or(at, |(s, _)| *s);
                line.push(Stretch { leg, spaces, relay: false });
            }
            // At a source the line ends; at a relay it begins again, in an earlier round.
            let Some(live) = self.begins_again(at).filter(|live| *live < round) else {
                return line;
            };
            if let Some(last) = line.last_mut() {
                last.relay = true;
            }
            round = live;
        }
    }

    /// The round of a live relay that is no source.
    fn begins_again(&self, space: u32) -> Option<usize> {
        let live = *self.live.get(space as usize)?;
        let source = self.group.terms.gates.source[space as usize];
        (source.is_none() && live != NONE).then_some(live as usize)
    }

    /// The leg that a best line takes; none where it skips the place.
    fn leg_at(
        &self,
        (position, rule): (&Position<'_>, &Trace),
        round: usize,
        place: usize,
        at: u32,
    ) -> Option<usize> {
        let wanted = self.start((position, rule), round, place, at);
        let legs = || (0..rule.legs.len()).filter(|l| usize::from(rule.legs[*l].place) == place);
        let skipped = || self.start((position, rule), round, place + 1, at) == wanted;
        if legs().any(|l| rule.legs[l].optional) && skipped() {
            return None;
        }
        legs().find(|leg| {
            let from = self.group.terms.toll(*leg, Part::From, at);
            let mut taken = false;
            self.each_way((position, rule), (round, *leg), at, |way| {
                taken = taken || way.worth.saturating_add(from) == wanted;
            });
            taken
        })
    }

    fn walk_leg(
        &self,
        position: &Position<'_>,
        rule: &Trace,
        round: usize,
        leg: usize,
        start: u32,
    ) -> Vec<(u32, u32)> {
        let flood = &self.rounds[round].floods[leg];
        let (ends, terms) = (&flood.ends, &self.group.terms);
        let limited = self.budgets[leg].is_some();
        let mut spaces = vec![(start, 0)];
        let mut best: Option<Way> = None;
        self.each_way((position, rule), (round, leg), start, |way| {
            let better = |best: Way| (way.worth, way.spent) < (best.worth, best.spent);
            if best.is_none_or(better) {
                best = Some(way);
            }
        });
        let Some(Way { mut spent, mut worth }) = best else { return spaces };
        let turns = flood.turns();
        // All nodes of the last space that such a line may have come to.
        let (mut nodes, mut gone) = (vec![start], 0u32);
        loop {
            let at = spaces.last().map_or(start, |(space, _)| *space);
            let end = ends[at as usize].saturating_add(terms.toll(leg, Part::Into, at));
            if end == worth && (spent == 0 || !limited) {
                return spaces;
            }
            if spaces.len() > 1 {
                worth = worth.saturating_sub(terms.toll(leg, Part::Through, at));
            }
            let links = &rule.legs[leg].links;
            let steps = || {
                let onward = nodes.iter().flat_map(|node| onward(position, links, turns, *node));
                onward.filter_map(|node| {
                    let into = space_of(turns, node);
                    let step = terms.enter[leg].step(at, into)?;
                    let spent = if limited { spent.checked_sub(step)? } else { 0 };
                    let way = Way { spent, worth: worth.checked_sub(measure(rule, step))? };
                    flood.passes.of(node).any(|w| w == way).then_some((into, step, way, node))
                })
            };
            let next = steps().min_by_key(|(into, step, ..)| (*into, *step));
            let Some((next, step, way, node)) = next else { return spaces };
            nodes = match turns {
                Some(_) => steps().filter(|step| step.0 == next).map(|step| step.3).collect(),
                None => vec![node],
            };
            gone = gone.saturating_add(step);
            spaces.push((next, gone));
            (spent, worth) = (way.spent, way.worth);
        }
    }
}

/// How long a line is, all its stretches together.
pub(super) fn length_of(rule: &Trace, line: &[Stretch]) -> u32 {
    let of = |stretch: &Stretch| match rule.in_links {
        true => u32::try_from(stretch.spaces.len().saturating_sub(1)).unwrap_or(NONE),
        false => stretch.spaces.last().map_or(0, |(_, cost)| *cost),
    };
    line.iter().map(of).fold(0, u32::saturating_add)
}

/// What a group of lines depends on beside the position: trace, profile without budgets, and whether
/// shut gates are weighed and barred steps lifted.
pub(super) type GroupKey = (TraceId, Profile, bool, bool);

/// What a search of lines depends on beside the position: its group, and the budgets.
pub(super) type LinesKey = (GroupKey, Vec<Option<u32>>);

/// What is left out of account where the cause of a no is looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Leave {
    /// Shut gates are weighed.
    pub gates: bool,
    /// The legs whose budgets are endless.
    pub endless: Vec<usize>,
    /// What is barred costs 1.
    pub barred: bool,
}

impl Position<'_> {
    /// The best lines of a thing, searched once for all things that search the same.
    pub(super) fn lines(
        &self,
        trace: TraceId,
        thing: ThingRef,
        leave: &Leave,
    ) -> Result<Arc<Lines>, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let mut profile = self.profile(trace, thing)?;
        // Things with the same gates may have others once all but themselves are left out.
        if leave.gates && rule.per_subject {
            self.freed_gates(trace, thing)?;
            let freed = self.worked.freed.borrow().get_index_of(&self.freed_key(trace, thing));
            profile.freed = freed.map(|at| at + 1).unwrap_or(0);
        }
        let mut budgets = Vec::new();
        for (at, leg) in rule.legs.iter().enumerate() {
            budgets.push(if leave.endless.contains(&at) {
                None
            } else {
                self.budget_of(leg, thing)?
            });
        }
        let key = ((trace, profile.of_group(), leave.gates, leave.barred), budgets);
        if let Some(lines) = self.worked.lines.borrow().get(&key) {
            return Ok(Arc::clone(lines));
        }
        let group = self.line_group(&key.0, thing)?;
        let lines = Arc::new(Lines::search(self, rule, group, key.1.clone()));
        self.worked.lines.borrow_mut().insert(key, Arc::clone(&lines));
        Ok(lines)
    }

    /// The group of these lines, with what others of it have searched: in this position, or in the
    /// one before where that has the same gates and costs, which a move leaves to most things.
    pub(super) fn line_group(
        &self,
        key: &GroupKey,
        thing: ThingRef,
    ) -> Result<Arc<Group>, EvalFault> {
        if let Some(group) = self.worked.line_groups.borrow().get(key) {
            return Ok(Arc::clone(group));
        }
        let (trace, profile, weighed, barred) = key;
        let terms = Terms {
            gates: self.gates(*trace, thing)?,
            freed: if *weighed { Some(self.freed_gates(*trace, thing)?) } else { None },
            enter: self.costs(*trace, thing, profile, *barred)?,
            others: if *weighed { self.ends_of_others(*trace, thing)? } else { Vec::new() },
        };
        let same = |group: &&Arc<Group>| group.trace == *trace && group.terms == terms;
        let group = match self.earlier.iter().find(same) {
            Some(group) => Arc::clone(group),
            None => Arc::new(Group::new(*trace, terms)),
        };
        self.worked.line_groups.borrow_mut().insert(key.clone(), Arc::clone(&group));
        Ok(group)
    }

    /// The gates as they would be without the units that are no friends, and as they would be if
    /// the thing's own side controlled every space besides: open where either is.
    pub(super) fn freed_gates(
        &self,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<Arc<Gates>, EvalFault> {
        let key = self.freed_key(trace, thing);
        if let Some(gates) = self.worked.freed.borrow().get(&key) {
            return Ok(Arc::clone(gates));
        }
        let mut world = self.changed(&super::Change::Gone(self.others(thing).collect()), &[]);
        let mut freed = self.gates_in(&world, trace, thing)?;
        if let Some(to) = key.1 {
            for space in 0..u32::try_from(self.map.spaces.len()).unwrap_or(NONE) {
                super::Change::Turned { space, to }.make(self.rules, &[], &mut world);
            }
            freed.open_also(&self.gates_in(&world, trace, thing)?);
        }
        let freed = Arc::new(freed);
        self.worked.freed.borrow_mut().insert(key, Arc::clone(&freed));
        Ok(freed)
    }

    /// What these gates depend on. All others are left out, but friends: of these the thing is one,
    /// so that things that look the same share them.
    fn freed_key(&self, trace: TraceId, thing: ThingRef) -> GatesKey {
        let of_thing = self.rules.traces[trace.index()].per_subject;
        let mover = match thing {
            ThingRef::Unit(unit) if self.world.owner(unit).is_some() => self.mover(trace, thing),
            _ => of_thing.then_some(Mover::Thing(thing)),
        };
        (trace, self.viewer_of(thing), mover)
    }

    fn gates_in(
        &self,
        world: &crate::world::World,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<Gates, EvalFault> {
        let Some(on) = Position::on(&self.board(), world) else {
            return Ok((*self.gates(trace, thing)?).clone());
        };
        on.asking.set(self.asking.get());
        self.rules.seen.quietly(|| Gates::ask(&on, trace, thing))
    }
}
