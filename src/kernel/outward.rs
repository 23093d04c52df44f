//! Where the lines of a thing can end, whether or not a source stands there: forward from the
//! thing, cheapest first, leg by leg and from each relay anew.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::costs::Costs;
use super::field::{Gates, neighbours};
use super::{EvalFault, Gate, Position};
use crate::ir::{Leg, LineId, Trace, TraceId};
use crate::world::ThingRef;

/// Where the lines of a thing can end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reachable {
    /// The `never` that leaves no line to be traced.
    pub never: Option<LineId>,
    /// The spaces, in the order of the map.
    pub spaces: Vec<ReachedSpace>,
}

/// A space in which a line can end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedSpace {
    /// The space.
    pub space: u32,
    /// How long the shortest line to it is, all legs and relays together.
    pub length: u32,
    /// What the budget of its last leg leaves; none where that is unlimited.
    pub left: Option<u32>,
    /// By which gate the leg that came there goes no farther.
    pub stop: Option<Gate>,
    /// The line of the ruleset that says so.
    pub line: Option<LineId>,
    /// Every source that the space is, by its place in the trace.
    pub sources: Vec<u16>,
    /// The spaces of the line, the first and the last included.
    pub way: Vec<u32>,
}

/// A space and the place of the leg that is next; behind the last place a line ends.
type Joint = (u8, u32);

/// The shortest line that is known to a joint.
#[derive(Debug, Clone)]
struct Known {
    length: u32,
    from: Option<Joint>,
    /// The leg that came there with its spaces, and what it has cost.
    stretch: Option<(usize, Vec<u32>, u32)>,
}

/// A space that one leg comes to from where it begins: how far that is, what it costs, and the way.
struct Come {
    space: u32,
    length: u32,
    spent: u32,
    way: Vec<u32>,
}

impl Position<'_> {
    /// Where the lines of a thing can end, by the legs of a trace.
    pub fn reach(&self, trace: TraceId, thing: ThingRef) -> Result<Reachable, EvalFault> {
        let Some(rule) = self.rules.traces.get(trace.index()) else {
            return Ok(Reachable::default());
        };
        let Some(start) = self.begins(thing) else { return Ok(Reachable::default()) };
        let cx = self.asked_of(thing);
        for verdict in &rule.verdicts {
            if self.holds(verdict.when, &cx)? {
                if !verdict.always {
                    return Ok(Reachable { never: Some(verdict.line), spaces: Vec::new() });
                }
                break;
            }
        }
        let budgets: Result<Vec<Option<u32>>, EvalFault> =
            rule.legs.iter().map(|leg| self.budget_of(leg, thing)).collect();
        let mut outward = Outward {
            position: self,
            rule,
            thing,
            gates: self.gates(trace, thing)?,
            enter: self.costs(trace, thing, &self.profile(trace, thing)?, false)?,
            budgets: budgets?,
            known: BTreeMap::new(),
            open: BTreeSet::new(),
            come: vec![BTreeMap::new(); rule.legs.len()],
        };
        outward.run(start);
        let spaces = outward.ends()?;
        Ok(Reachable { never: None, spaces })
    }
}

struct Outward<'p, 'a> {
    position: &'p Position<'a>,
    rule: &'p Trace,
    thing: ThingRef,
    gates: Arc<Gates>,
    enter: Arc<[Costs]>,
    budgets: Vec<Option<u32>>,
    known: BTreeMap<Joint, Known>,
    /// Joints to go on from, the nearest first.
    open: BTreeSet<(u32, Joint)>,
    /// Of each leg without a budget the least length of a line that it has come to a space with.
    come: Vec<BTreeMap<u32, u32>>,
}

impl Outward<'_, '_> {
    fn run(&mut self, start: u32) {
        self.better((0, start), Known { length: 0, from: None, stretch: None });
        while let Some((length, joint)) = self.open.pop_first() {
            let (place, space) = joint;
            if place == self.rule.places {
                if self.gates.relay.get(space as usize) == Some(&true) {
                    self.better((0, space), Known { length, from: Some(joint), stretch: None });
                }
                continue;
            }
            let rule = self.rule;
            for (at, leg) in rule.legs.iter().enumerate().filter(|(_, l)| l.place == place) {
                let next = |space| (place + 1, space);
                if leg.optional {
                    self.better(next(space), Known { length, from: Some(joint), stretch: None });
                }
                for come in self.leg(at, leg, (length, space)) {
                    let length = length.saturating_add(come.length);
                    let stretch = Some((at, come.way, come.spent));
                    self.better(next(come.space), Known { length, from: Some(joint), stretch });
                }
            }
        }
    }

    fn is_better(&self, joint: Joint, length: u32) -> bool {
        self.known.get(&joint).is_none_or(|known| length < known.length)
    }

    fn better(&mut self, joint: Joint, new: Known) {
        if self.is_better(joint, new.length) {
            if let Some(old) = self.known.get(&joint) {
                self.open.remove(&(old.length, joint));
            }
            self.open.insert((new.length, joint));
            self.known.insert(joint, new);
        }
    }

    /// Where one leg can end, from a space to which a line of a length has come.
    fn leg(&mut self, at: usize, leg: &Leg, (gone, begin): (u32, u32)) -> Vec<Come> {
        let begins = self.gates.legs.get(at).and_then(|g| g.from.get(begin as usize));
        let mut found = match begins {
            Some(true) if self.rule.in_links => self.by_links(at, leg, begin),
            Some(true) => self.by_cost(at, leg, (gone, begin)),
            _ => Vec::new(),
        };
        let into = self.gates.legs.get(at).map_or(&[][..], |gates| &gates.into);
        found.retain(|come| into.get(come.space as usize) == Some(&true));
        found
    }

    /// Whether a leg goes on from a space that it has come to.
    fn goes_on(&self, at: usize, space: u32) -> bool {
        self.gates.legs.get(at).and_then(|g| g.through.get(space as usize)) == Some(&true)
    }

    fn fits(&self, at: usize, cost: u32) -> bool {
        self.budgets.get(at).copied().flatten().is_none_or(|budget| cost <= budget)
    }

    fn step(&self, at: usize, from: u32, into: u32) -> Option<u32> {
        self.enter.get(at).and_then(|costs| costs.step(from, into))
    }

    /// Cheapest first. Without a budget a leg that has come somewhere by a shorter line has all
    /// that lies behind it.
    fn by_cost(&mut self, at: usize, leg: &Leg, (gone, begin): (u32, u32)) -> Vec<Come> {
        let endless = self.budgets.get(at).copied().flatten().is_none();
        let mut comes: BTreeMap<u32, (u32, Option<u32>)> = BTreeMap::from([(begin, (0, None))]);
        let mut waiting = BTreeSet::from([(0, begin)]);
        while let Some((cost, space)) = waiting.pop_first() {
            let whole = gone.saturating_add(cost);
            let new = !endless || space == begin || self.is_nearest(at, space, whole);
            if !new || space != begin && !self.goes_on(at, space) {
                continue;
            }
            for to in neighbours(self.position, &leg.links, space) {
                let Some(step) = self.step(at, space, to) else { continue };
                let whole = cost.saturating_add(step);
                let old = comes.get(&to).map(|(cost, _)| *cost);
                if self.fits(at, whole) && old.is_none_or(|old| whole < old) {
                    if let Some(old) = old {
                        waiting.remove(&(old, to));
                    }
                    comes.insert(to, (whole, Some(space)));
                    waiting.insert((whole, to));
                }
            }
        }
        let before = |space| comes.get(&space).and_then(|(_, before)| *before);
        let come = |(space, (cost, _)): (&u32, &(u32, Option<u32>))| {
            let mut way = vec![*space];
            way.extend(std::iter::successors(before(*space), |space| before(*space)));
            way.reverse();
            Come { space: *space, length: *cost, spent: *cost, way }
        };
        comes.iter().map(come).collect()
    }

    /// Whether a leg has come to a space by no line as short as this one.
    fn is_nearest(&mut self, at: usize, space: u32, length: u32) -> bool {
        let Some(come) = self.come.get_mut(at) else { return true };
        let nearest = come.get(&space).is_none_or(|before| length < *before);
        if nearest {
            come.insert(space, length);
        }
        nearest
    }

    /// The fewest links first: all ways of one link, then of two, and so on, of each space the
    /// cheapest. A way is only as long as it has spaces.
    fn by_links(&self, at: usize, leg: &Leg, begin: u32) -> Vec<Come> {
        let mut found = vec![Come { space: begin, length: 0, spent: 0, way: vec![begin] }];
        let mut known = BTreeSet::from([begin]);
        // Of each number of links the spaces with what they cost and the space before each.
        let mut layers: Vec<BTreeMap<u32, (u32, u32)>> = Vec::new();
        let mut layer = BTreeMap::from([(begin, (0u32, begin))]);
        for links in 0..u32::try_from(self.position.map.spaces.len()).unwrap_or(u32::MAX) {
            let mut next: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
            for (space, (cost, _)) in &layer {
                if links > 0 && !self.goes_on(at, *space) {
                    continue;
                }
                for to in neighbours(self.position, &leg.links, *space) {
                    let Some(step) = self.step(at, *space, to) else { continue };
                    let whole = cost.saturating_add(step);
                    let old = next.get(&to).map(|(cost, _)| *cost);
                    if self.fits(at, whole) && old.is_none_or(|old| whole < old) {
                        next.insert(to, (whole, *space));
                    }
                }
            }
            layers.push(std::mem::replace(&mut layer, next));
            if layer.is_empty() {
                break;
            }
            for (to, (spent, before)) in &layer {
                if known.insert(*to) {
                    let mut way = vec![*to, *before];
                    let mut at = *before;
                    for layer in layers.iter().skip(1).rev() {
                        at = layer.get(&at).map_or(at, |(_, before)| *before);
                        way.push(at);
                    }
                    way.reverse();
                    found.push(Come { space: *to, length: links + 1, spent: *spent, way });
                }
            }
        }
        found
    }

    fn ends(&self) -> Result<Vec<ReachedSpace>, EvalFault> {
        let places = self.rule.places;
        let mut found = Vec::new();
        for (joint, known) in self.known.range((places, 0)..=(places, u32::MAX)) {
            found.push(self.reached(*joint, known)?);
        }
        Ok(found)
    }

    fn reached(&self, joint: Joint, known: &Known) -> Result<ReachedSpace, EvalFault> {
        let space = joint.1;
        let (mut left, mut stop, mut line) = (None, None, None);
        if let Some((at, spaces, spent)) = &known.stretch
            && let Some(leg) = self.rule.legs.get(*at)
        {
            let budget = self.budgets.get(*at).copied().flatten();
            left = budget.map(|budget| budget.saturating_sub(*spent));
            if spaces.len() > 1 && !self.goes_on(*at, space) {
                let gate = self.position.between_gate(leg, self.thing, space)?;
                (stop, line) = (Some(gate), Some(gate.line_of(leg)));
            }
        }
        let mut ways = Vec::new();
        let mut at = Some(joint);
        while let Some(known) = at.and_then(|joint| self.known.get(&joint)) {
            ways.extend(known.stretch.as_ref().map(|(_, spaces, _)| spaces.as_slice()));
            at = known.from;
        }
        let mut way: Vec<u32> = ways.into_iter().rev().flatten().copied().collect();
        way.dedup();
        if way.is_empty() {
            way.push(space);
        }
        let sources = self.sources(space)?;
        Ok(ReachedSpace { space, length: known.length, left, stop, line, sources, way })
    }

    fn sources(&self, space: u32) -> Result<Vec<u16>, EvalFault> {
        let cx = self.position.asked_of(self.thing).with(1, ThingRef::Space(space));
        let mut found = Vec::new();
        for (at, source) in (0u16..).zip(&self.rule.sources) {
            if self.position.holds(source.when, &cx)? {
                found.push(at);
            }
        }
        Ok(found)
    }
}
