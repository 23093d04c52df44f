//! The best lines of a trace as wholes: over all legs and relays together, not leg by leg.
//!
//! Searches from the ends backward, as [`super::field`] does. A budget bounds what one leg costs,
//! and the whole line is to be the shortest; so each space keeps every amount spent on a leg that
//! pays off later, with the least that the line comes to then. A gate that is shut closes a space,
//! or, where the cause of a no is looked for, makes the line worse.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::answer::Stretch;
use super::costs::Costs;
use super::evaluate::GatesKey;
use super::field::{NONE, neighbours};
use super::gates::{Gates, Plane};
use super::mover::Mover;
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::ThingRef;

/// What a line comes to: what is shut on it in the upper half, its length in the lower.
type Worth = u64;
/// No line.
const NO_LINE: Worth = Worth::MAX;
/// A shut gate that other units or another owner would open.
const SHUT: Worth = 1 << 32;
/// A gate that is shut whoever stands there and whoever controls the space.
const SHUT_FOR_GOOD: Worth = 1 << 44;

/// One way on from a space: what this leg costs until its end, and what the whole line comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    spent: u32,
    worth: Worth,
}

/// The ways on from a space: mostly one at most, which takes no room of its own.
#[derive(Debug, Clone, Default)]
struct Ways {
    first: Option<Way>,
    more: Vec<Way>,
}

impl Ways {
    #[inline]
    fn iter(&self) -> impl Iterator<Item = &Way> {
        self.first.iter().chain(&self.more)
    }

    fn last(&self) -> Option<&Way> {
        self.more.last().or(self.first.as_ref())
    }

    fn push(&mut self, way: Way) {
        match self.first {
            Some(_) => self.more.push(way),
            None => self.first = Some(way),
        }
    }

    /// Keeps a way unless another one spends no more and is no worse.
    fn keep(&mut self, way: Way) {
        if self.iter().any(|w| w.spent <= way.spent && w.worth <= way.worth) {
            return;
        }
        let stays = |w: &Way| w.spent < way.spent || w.worth < way.worth;
        self.more.retain(stays);
        if !self.first.as_ref().is_some_and(stays) {
            self.first = if self.more.is_empty() { None } else { Some(self.more.remove(0)) };
        }
        self.push(way);
    }
}

/// One round of the search: the relays that are reached so far are ends.
#[derive(Debug)]
struct Round {
    /// For each leg and space the ways of a leg that begins there, before `from` is asked.
    begins: Vec<Vec<Ways>>,
    /// For each leg and space the ways of a leg that comes by there.
    passes: Vec<Vec<Ways>>,
    /// For each place of the chain, and the end after the last, the best line that begins there.
    starts: Vec<Vec<Worth>>,
}

/// The gates, costs and budgets that lines are searched among.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub gates: Arc<Gates>,
    /// The gates without what others do, where shut gates are weighed and close nothing.
    pub freed: Option<Arc<Gates>>,
    pub enter: Arc<[Costs]>,
    pub budgets: Vec<Option<u32>>,
}

/// The best lines from all spaces.
#[derive(Debug)]
pub(super) struct Lines {
    terms: Terms,
    rounds: Vec<Round>,
    /// For each relay the round in which its best line was found, else [`NONE`].
    live: Vec<u32>,
}

/// The gate of a leg that is asked of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    From,
    Through,
    Into,
}

impl Lines {
    pub fn search(position: &Position<'_>, rule: &Trace, terms: Terms) -> Lines {
        let mut lines =
            Lines { live: vec![NONE; position.map.spaces.len()], terms, rounds: Vec::new() };
        let sources = lines.terms.gates.source.iter();
        let mut goal: Vec<Worth> = sources.map(|s| if s.is_some() { 0 } else { NO_LINE }).collect();
        loop {
            let round = lines.round(position, rule, &goal);
            let number = u32::try_from(lines.rounds.len()).unwrap_or(NONE);
            let mut more = false;
            for (space, reached) in goal.iter_mut().enumerate() {
                if lines.terms.gates.relay[space] && round.starts[0][space] < *reached {
                    *reached = round.starts[0][space];
                    lines.live[space] = number;
                    more = true;
                }
            }
            lines.rounds.push(round);
            if !more {
                return lines;
            }
        }
    }

    /// How long the shortest line from a space is.
    pub fn length(&self, start: u32) -> Option<u32> {
        let worth = self.rounds.last().map_or(NO_LINE, |r| r.starts[0][start as usize]);
        (worth != NO_LINE).then(|| u32::try_from(worth % SHUT).unwrap_or(NONE))
    }

    /// Whether the rest of a line could begin in a space if only the `from` of this leg were open.
    pub fn serves(&self, leg: usize, space: u32) -> bool {
        self.rounds.last().is_some_and(|r| r.begins[leg][space as usize].first.is_some())
    }

    /// Whether a line may end this place of the chain in a space.
    pub fn goes_on(&self, place: usize, space: u32) -> bool {
        self.rounds.last().is_some_and(|r| r.starts[place][space as usize] != NO_LINE)
    }

    /// What a shut gate adds to a line.
    #[inline]
    fn toll(&self, leg: usize, part: Part, space: u32) -> Worth {
        let plane = |gates: &Gates| {
            let of = &gates.legs[leg];
            let plane: &Plane = match part {
                Part::From => &of.from,
                Part::Through => &of.through,
                Part::Into => &of.into,
            };
            plane[space as usize]
        };
        match &self.terms.freed {
            _ if plane(&self.terms.gates) => 0,
            None => NO_LINE,
            Some(freed) if plane(freed) => SHUT,
            Some(_) => SHUT_FOR_GOOD,
        }
    }

    fn round(&self, position: &Position<'_>, rule: &Trace, goal: &[Worth]) -> Round {
        let places = usize::from(rule.places);
        let none = || vec![Vec::new(); rule.legs.len()];
        let mut round =
            Round { begins: none(), passes: none(), starts: vec![Vec::new(); places + 1] };
        round.starts[places] = goal.to_vec();
        for place in (0..places).rev() {
            let mut here = vec![NO_LINE; goal.len()];
            for (at, leg) in
                rule.legs.iter().enumerate().filter(|(_, l)| usize::from(l.place) == place)
            {
                let (begins, passes) = self.flood(position, rule, at, &round.starts[place + 1]);
                for (space, cell) in (0u32..).zip(&mut here) {
                    let best =
                        begins[space as usize].iter().map(|w| w.worth).min().unwrap_or(NO_LINE);
                    *cell = (*cell).min(best.saturating_add(self.toll(at, Part::From, space)));
                    if leg.optional {
                        *cell = (*cell).min(round.starts[place + 1][space as usize]);
                    }
                }
                (round.begins[at], round.passes[at]) = (begins, passes);
            }
            round.starts[place] = here;
        }
        round
    }

    /// The least spent first, then the best; without a budget what is spent makes no difference.
    fn flood(
        &self,
        position: &Position<'_>,
        rule: &Trace,
        at: usize,
        ends: &[Worth],
    ) -> (Vec<Ways>, Vec<Ways>) {
        let board = position.board();
        let (net, layout) = (board.net(Some(&rule.legs[at].links)), board.layout());
        let budget = self.terms.budgets[at];
        let empty = || ends.iter().map(|_| Ways::default()).collect::<Vec<_>>();
        let (mut begins, mut passes) = (empty(), empty());
        let mut queue = BinaryHeap::new();
        for (space, end) in (0u32..).zip(ends) {
            let worth = end.saturating_add(self.toll(at, Part::Into, space));
            if worth != NO_LINE {
                begins[space as usize].push(Way { spent: 0, worth });
                queue.push(Reverse((0, worth, space)));
            }
        }
        while let Some(Reverse((spent, worth, into))) = queue.pop() {
            if passes[into as usize].last().is_some_and(|w| w.worth <= worth) {
                continue;
            }
            passes[into as usize].push(Way { spent, worth });
            net.each(layout, layout.cell(into), |cell| {
                let from = layout.space(cell);
                let Some(step) = self.terms.enter[at].step(from, into) else { return };
                let spent = budget.map_or(0, |_| spent.saturating_add(step));
                if budget.is_some_and(|b| spent > b) {
                    return;
                }
                let worth = worth.saturating_add(measure(rule, step));
                begins[from as usize].keep(Way { spent, worth });
                let worth = worth.saturating_add(self.toll(at, Part::Through, from));
                if worth != NO_LINE && passes[from as usize].last().is_none_or(|w| worth < w.worth)
                {
                    queue.push(Reverse((spent, worth, from)));
                }
            });
        }
        (begins, passes)
    }

    /// The best line from a space, ties by the order of legs and of the map; empty if there is
    /// none.
    pub fn line(&self, position: &Position<'_>, rule: &Trace, start: u32) -> Vec<Stretch> {
        let mut line: Vec<Stretch> = Vec::new();
        let (mut at, mut round) = (start, self.rounds.len().saturating_sub(1));
        if !self.goes_on(0, start) {
            return line;
        }
        if let Some(live) = self.begins_again(start) {
            round = live;
        }
        loop {
            for place in 0..usize::from(rule.places) {
                let Some(leg) = self.leg_at(rule, round, place, at) else { continue };
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
        let live = self.live[space as usize];
        (self.terms.gates.source[space as usize].is_none() && live != NONE).then_some(live as usize)
    }

    /// The leg that a best line takes; none where it skips the place.
    fn leg_at(&self, rule: &Trace, round: usize, place: usize, at: u32) -> Option<usize> {
        let round = &self.rounds[round];
        let wanted = round.starts[place][at as usize];
        let legs = || (0..rule.legs.len()).filter(|l| usize::from(rule.legs[*l].place) == place);
        if legs().any(|l| rule.legs[l].optional) && round.starts[place + 1][at as usize] == wanted {
            return None;
        }
        legs().find(|leg| {
            let from = self.toll(*leg, Part::From, at);
            round.begins[*leg][at as usize].iter().any(|w| w.worth.saturating_add(from) == wanted)
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
        let round = &self.rounds[round];
        let ends = &round.starts[usize::from(rule.legs[leg].place) + 1];
        let limited = self.terms.budgets[leg].is_some();
        let mut spaces = vec![(start, 0)];
        let best = round.begins[leg][start as usize].iter().min_by_key(|w| (w.worth, w.spent));
        let Some(Way { mut spent, mut worth }) = best.copied() else { return spaces };
        let (mut at, mut gone) = (start, 0u32);
        loop {
            let end = ends[at as usize].saturating_add(self.toll(leg, Part::Into, at));
            if end == worth && (spent == 0 || !limited) {
                return spaces;
            }
            if spaces.len() > 1 {
                worth = worth.saturating_sub(self.toll(leg, Part::Through, at));
            }
            let next = neighbours(position, &rule.legs[leg].links, at)
                .filter_map(|n| self.terms.enter[leg].step(at, n).map(|step| (n, step)))
                .filter_map(|(n, step)| {
                    let spent = if limited { spent.checked_sub(step)? } else { 0 };
                    let way = Way { spent, worth: worth.checked_sub(measure(rule, step))? };
                    round.passes[leg][n as usize]
                        .iter()
                        .any(|w| *w == way)
                        .then_some((n, step, way))
                })
                .min_by_key(|(n, step, _)| (*n, *step));
            let Some((next, step, way)) = next else { return spaces };
            gone = gone.saturating_add(step);
            spaces.push((next, gone));
            (at, spent, worth) = (next, way.spent, way.worth);
        }
    }
}

/// What a step adds to the length of a line: its cost, or 1 where legs count in different things.
fn measure(rule: &Trace, step: u32) -> Worth {
    if rule.in_links { 1 } else { Worth::from(step) }
}

/// How long a line is, all its stretches together.
pub(super) fn length_of(rule: &Trace, line: &[Stretch]) -> u32 {
    let of = |stretch: &Stretch| match rule.in_links {
        true => u32::try_from(stretch.spaces.len().saturating_sub(1)).unwrap_or(NONE),
        false => stretch.spaces.last().map_or(0, |(_, cost)| *cost),
    };
    line.iter().map(of).fold(0, u32::saturating_add)
}

/// What a search of lines depends on beside the position: trace, profile, budgets, and whether
/// shut gates are weighed and barred steps lifted.
pub(super) type LinesKey = (TraceId, super::field::Profile, Vec<Option<u32>>, bool, bool);

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
            let freed = self.freed.borrow().get_index_of(&self.freed_key(trace, thing));
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
        let key = (trace, profile, budgets, leave.gates, leave.barred);
        if let Some(lines) = self.lines.borrow().get(&key) {
            return Ok(Arc::clone(lines));
        }
        let terms = Terms {
            gates: self.gates(trace, thing)?,
            freed: if leave.gates { Some(self.freed_gates(trace, thing)?) } else { None },
            enter: self.costs(trace, thing, &key.1, leave.barred)?,
            budgets: key.2.clone(),
        };
        let lines = match self.searched_before(&key, &terms) {
            Some(lines) => lines,
            None => Arc::new(Lines::search(self, rule, terms)),
        };
        self.lines.borrow_mut().insert(key, Arc::clone(&lines));
        Ok(lines)
    }

    /// Lines of the position before that were searched among the same: a move leaves the gates and
    /// costs of most things as they were.
    fn searched_before(&self, key: &LinesKey, terms: &Terms) -> Option<Arc<Lines>> {
        let same = |lines: &&Arc<Lines>| lines.terms == *terms;
        let (trace, _, budgets, ..) = key;
        // Profiles number gates in the order in which they were asked, which may be another now.
        let others = || self.earlier.iter().filter(|((t, _, b, ..), _)| (t, b) == (trace, budgets));
        let found = self.earlier.get(key).filter(same);
        found.or_else(|| others().map(|(_, lines)| lines).find(same)).cloned()
    }

    /// The gates as they would be without the units that are no friends, and as they would be if
    /// the thing's own side controlled every space besides: open where either is.
    pub(super) fn freed_gates(
        &self,
        trace: TraceId,
        thing: ThingRef,
    ) -> Result<Arc<Gates>, EvalFault> {
        let key = self.freed_key(trace, thing);
        if let Some(gates) = self.freed.borrow().get(&key) {
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
        self.freed.borrow_mut().insert(key, Arc::clone(&freed));
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
