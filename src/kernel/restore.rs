//! What would restore a line: the single changes that do, each made and asked again, the cheapest
//! first.
//!
//! The changes are a closed set: one unit gone, one space freed of all that are no friends, a
//! longer reach, a space turned, another fact of the unit itself or of the world, another `given`.
//! If none of them does it, two units gone are tried, and then as few as can be found.

use std::sync::Arc;

use super::answer::Stretch;
use super::felt::{Felt, Reader};
use super::field::Gates;
use super::lines::{Lines, Terms, length_of};
use super::{Answer, Change, EvalFault, Gate, Position};
use crate::ir::*;
use crate::world::{ThingRef, World};

/// Why a thing has no line, and what would give it one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhyNot {
    /// The answer as it is.
    pub answer: Answer,
    /// Every single change that restores it, the cheapest first.
    pub remedies: Vec<Restored>,
    /// If there is none: as few units as were found whose going restores it.
    pub removal: Option<Restored>,
    /// Whether no fewer units than those of the removal would do.
    pub fewest: bool,
    /// Whether every change of the closed set was tried; on very large maps the farther spaces are
    /// left out.
    pub whole: bool,
}

/// A change that restores a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What is changed.
    pub remedy: Remedy,
    /// Its cost: units that go, points of reach, 1 for a space turned or a fact.
    pub cost: u32,
    /// How long the line is that it has then; none if it then needs no line.
    pub length: Option<u32>,
    /// The source of that line.
    pub source: Option<u16>,
    /// The line itself.
    pub line: Vec<Stretch>,
}

/// What is changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// These units are gone.
    Gone(Vec<u32>),
    /// A space is free of all units that are no friends: which, and the units.
    Freed(u32, Vec<u32>),
    /// A leg may be so much longer, and is then so long.
    Reach {
        /// which leg
        leg: usize,
        /// by how much
        more: u32,
        /// how long it may be then
        to: u32,
    },
    /// A space is controlled by the thing's own side.
    Turned(u32, SideId),
    /// The thing, its side, the world or a space has another fact, encoded.
    Stated(ThingRef, FactId, i64),
}

/// So many spaces are turned at most, the nearest first.
const MOST_TURNED: usize = 4096;
/// So many pairs of units are tried.
const MOST_PAIRS: usize = 6000;

/// What the changes are tried on.
struct Trial<'p, 'a> {
    position: &'p Position<'a>,
    trace: TraceId,
    thing: ThingRef,
    gates: Arc<Gates>,
    felt: Felt,
    /// Whether more than gates may change, so that only asking tells.
    asks: bool,
    /// Whether the line itself decided, and no `never`.
    traced: bool,
}

impl Position<'_> {
    /// Why a thing has no line, and what would give it one.
    pub fn why_not_restored(&self, trace: TraceId, thing: ThingRef) -> Result<WhyNot, EvalFault> {
        let answer = self.answer(trace, thing)?;
        let mut found =
            WhyNot { answer, remedies: Vec::new(), removal: None, fewest: false, whole: true };
        let Some(start) = found.answer.space.filter(|_| !found.answer.yes) else {
            return Ok(found);
        };
        let trial = Trial::new(self, trace, thing, &found.answer)?;
        trial.gone(&mut found.remedies)?;
        if trial.traced {
            trial.reach(start, &mut found.remedies)?;
        }
        found.whole = trial.turned(start, &mut found.remedies)?;
        found.whole &= trial.stated(start, &mut found.remedies)?;
        found.remedies.sort_by(|a, b| (a.cost, &a.remedy).cmp(&(b.cost, &b.remedy)));
        if found.remedies.is_empty() {
            (found.removal, found.fewest) = trial.removal(start)?;
        }
        Ok(found)
    }
}

impl<'p, 'a> Trial<'p, 'a> {
    fn new(
        position: &'p Position<'a>,
        trace: TraceId,
        thing: ThingRef,
        answer: &Answer,
    ) -> Result<Trial<'p, 'a>, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let reader = Reader::new(position.rules);
        let mut felt = Felt::default();
        rule.gates().into_iter().for_each(|g| felt.add(&reader.of(g)));
        let mut rest = Felt::default();
        let others = rule.legs.iter().flat_map(|l| [l.cost, l.within.amount]).flatten();
        others.chain(rule.verdicts.iter().map(|v| v.when)).for_each(|e| rest.add(&reader.of(e)));
        let asks = felt.anywhere || felt.home.is_some() || !rest.nothing();
        // A never is told by its own line; the gate alone is also that of a unit off the map.
        let traced = answer.gate != Gate::Never;
        Ok(Trial {
            position,
            trace,
            thing,
            gates: position.gates(trace, thing)?,
            felt,
            asks,
            traced,
        })
    }

    fn rule(&self) -> &'p Trace {
        &self.position.rules.traces[self.trace.index()]
    }

    /// The line that the thing has after a change, if it has one.
    fn after(&self, change: &Change) -> Result<Option<Restored>, EvalFault> {
        let world = self.position.changed(change, &[]);
        if !self.may_help(change, &world)? {
            return Ok(None);
        }
        let Some(on) = Position::on(&self.position.board(), &world) else { return Ok(None) };
        on.asking.set(self.position.asking.get());
        let answer = on.answer(self.trace, self.thing)?;
        if !answer.yes {
            return Ok(None);
        }
        let line = on.line(self.trace, self.thing)?;
        let remedy = Remedy::Gone(Vec::new());
        Ok(Some(Restored { remedy, cost: 1, length: answer.length, source: answer.source, line }))
    }

    /// Whether a change opens anything at all; what is felt nowhere need not be asked.
    fn may_help(&self, change: &Change, world: &World) -> Result<bool, EvalFault> {
        if self.asks || !self.traced || matches!(change, Change::Stated { .. }) {
            return Ok(true);
        }
        let Some(on) = Position::on(&self.position.board(), world) else { return Ok(false) };
        on.asking.set(self.position.asking.get());
        let mut gates = (*self.gates).clone();
        for place in change.places(self.position.world) {
            for space in self.position.around(place, self.felt.space.unwrap_or(0), None, true) {
                gates.ask_again(&on, self.rule(), self.thing, space)?;
            }
        }
        Ok(gates != *self.gates)
    }

    /// One unit gone, or all of one space that are no friends.
    fn gone(&self, out: &mut Vec<Restored>) -> Result<(), EvalFault> {
        let mut spaces: Vec<(u32, Vec<u32>)> = Vec::new();
        for unit in self.everybody() {
            let change = Change::Gone(vec![unit]);
            out.extend(
                self.after(&change)?.map(|r| Restored { remedy: Remedy::Gone(vec![unit]), ..r }),
            );
        }
        for unit in self.position.others(self.thing) {
            let Some(space) = self.position.world.space_of(unit) else { continue };
            match spaces.iter_mut().find(|(s, _)| *s == space) {
                Some((_, units)) => units.push(unit),
                None => spaces.push((space, vec![unit])),
            }
        }
        for (space, units) in spaces.into_iter().filter(|(_, u)| u.len() > 1) {
            // Where one of them is enough, the others may stay.
            let single = out.iter().any(|r| matches!(&r.remedy, Remedy::Gone(gone) if gone.iter().all(|g| units.contains(g))));
            if single {
                continue;
            }
            let cost = u32::try_from(units.len()).unwrap_or(u32::MAX);
            let after = self.after(&Change::Gone(units.clone()))?;
            out.extend(after.map(|r| Restored { remedy: Remedy::Freed(space, units), cost, ..r }));
        }
        Ok(())
    }

    /// All units on the map but the thing itself.
    fn everybody(&self) -> impl Iterator<Item = u32> + '_ {
        let all = 0..u32::try_from(self.position.world.units.len()).unwrap_or(u32::MAX);
        all.filter(|u| {
            ThingRef::Unit(*u) != self.thing && self.position.world.space_of(*u).is_some()
        })
    }

    /// The least more that each leg must reach.
    fn reach(&self, start: u32, out: &mut Vec<Restored>) -> Result<(), EvalFault> {
        let rule = self.rule();
        let profile = self.position.profile(self.trace, self.thing)?;
        let enter = self.position.costs(self.trace, self.thing, &profile, false)?;
        let mut budgets = Vec::new();
        for leg in &rule.legs {
            budgets.push(self.position.budget_of(leg, self.thing)?);
        }
        let search = |leg: usize, budget: Option<u32>| {
            let mut budgets = budgets.clone();
            budgets[leg] = budget;
            let terms = Terms {
                gates: Arc::clone(&self.gates),
                freed: None,
                enter: Arc::clone(&enter),
                budgets,
            };
            let line = Lines::search(self.position, rule, terms).line(self.position, rule, start);
            (!line.is_empty()).then_some(line)
        };
        for (leg, budget) in budgets.iter().enumerate() {
            let Some(budget) = *budget else { continue };
            let Some(line) = search(leg, None) else { continue };
            let used = line
                .iter()
                .filter(|s| s.leg == leg)
                .filter_map(|s| s.spaces.last())
                .map(|(_, cost)| *cost)
                .max()
                .unwrap_or(0);
            // With `used` there is a line, with the budget there is none; a longer reach never
            // hurts.
            let (mut low, mut high) = (budget, used.max(budget.saturating_add(1)));
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if search(leg, Some(middle)).is_some() { high = middle } else { low = middle }
            }
            let Some(line) = search(leg, Some(high)) else { continue };
            let more = high - budget;
            let end = line.last().and_then(|s| s.spaces.last()).map_or(start, |(s, _)| *s);
            out.push(Restored {
                remedy: Remedy::Reach { leg, more, to: high },
                cost: more,
                length: Some(length_of(rule, &line)),
                source: self.gates.source[end as usize],
                line,
            });
        }
        Ok(())
    }

    /// One space turned to the thing's own side, the nearest first; whether all were tried.
    fn turned(&self, start: u32, out: &mut Vec<Restored>) -> Result<bool, EvalFault> {
        let Some(to) = self.position.viewer_of(self.thing) else { return Ok(true) };
        if !self.position.felt(self.trace).control {
            return Ok(true);
        }
        let near = self.nearest(start);
        let whole = near.len() <= MOST_TURNED;
        for space in near.into_iter().take(MOST_TURNED) {
            if self.position.world.control(space) != Some(to) {
                let after = self.after(&Change::Turned { space, to })?;
                out.extend(after.map(|r| Restored { remedy: Remedy::Turned(space, to), ..r }));
            }
        }
        Ok(whole)
    }

    /// All spaces by their distance, then those that no link reaches.
    fn nearest(&self, start: u32) -> Vec<u32> {
        let map = self.position.map;
        let mut seen = vec![false; map.spaces.len()];
        let mut order = vec![start];
        seen[start as usize] = true;
        let mut at = 0;
        while let Some(space) = order.get(at).copied() {
            at += 1;
            for to in map.links.iter().flat_map(|l| l.of(space)) {
                if !std::mem::replace(&mut seen[*to as usize], true) {
                    order.push(*to);
                }
            }
        }
        order.extend((0u32..).zip(&seen).filter(|(_, s)| !**s).map(|(space, _)| space));
        order
    }

    /// Another value of a fact: of the thing itself, of the world, or one that the table knows.
    fn stated(&self, start: u32, out: &mut Vec<Restored>) -> Result<bool, EvalFault> {
        let mut near = self.nearest(start);
        let whole = near.len() <= MOST_TURNED;
        near.truncate(MOST_TURNED);
        for restated in self.position.restated(&self.position.felt(self.trace), self.thing, &near) {
            let (of, fact) = (restated.of, restated.fact);
            for value in restated.values {
                let after = self.after(&Change::Stated { of, fact, value })?;
                let found = after.is_some();
                out.extend(
                    after.map(|r| Restored { remedy: Remedy::Stated(of, fact, value), ..r }),
                );
                if found && restated.nearest {
                    break;
                }
            }
        }
        Ok(whole)
    }

    /// As few units as can be found whose going restores the line, and whether fewer would not do.
    fn removal(&self, start: u32) -> Result<(Option<Restored>, bool), EvalFault> {
        let mut set: Vec<u32> = self.position.others(self.thing).collect();
        let gone = |set: &[u32]| self.after(&Change::Gone(set.to_vec()));
        let Some(mut best) = gone(&set)? else { return Ok((None, false)) };
        // From the farthest inward each is put back that is not needed.
        let order = self.nearest(start);
        let far = |unit: &u32| {
            self.position.world.space_of(*unit).and_then(|s| order.iter().position(|o| *o == s))
        };
        set.sort_by_key(|u| std::cmp::Reverse((far(u), *u)));
        let all = set.clone();
        let mut at = 0;
        while at < set.len() {
            let mut fewer = set.clone();
            fewer.remove(at);
            match gone(&fewer)? {
                Some(found) => (set, best) = (fewer, found),
                None => at += 1,
            }
        }
        let mut fewest = set.len() <= 2;
        if !fewest {
            let pairs = all.len() * all.len().saturating_sub(1) / 2;
            let mut tried = 0;
            'pairs: for (nth, a) in all.iter().enumerate().rev() {
                for b in all[..nth].iter().rev() {
                    tried += 1;
                    if tried > MOST_PAIRS {
                        break 'pairs;
                    }
                    if let Some(found) = gone(&[*a, *b])? {
                        (set, best, fewest) = (vec![*a, *b], found, true);
                        break 'pairs;
                    }
                }
            }
            // With no pair a set of three is the smallest there is.
            fewest |= set.len() == 3 && tried >= pairs && pairs <= MOST_PAIRS;
        }
        set.sort_unstable();
        let cost = u32::try_from(set.len()).unwrap_or(u32::MAX);
        Ok((Some(Restored { remedy: Remedy::Gone(set), cost, ..best }), fewest))
    }
}
