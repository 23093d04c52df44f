//! The answers of a game, from its data alone: every line is looked for by relaxation until nothing
//! gets shorter.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use super::game::{
    Cond, Filter, Game, Leg, Near, Position, Stance, Steep, Trace, Unit, UnitCond, Within, Worth,
};

/// Who a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Unit(usize),
    Space(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    From,
    /// `through` and `stopping in` together.
    Through,
    Stopping,
    Into,
}

/// Answers of `net` by space and viewer, and of `line` by unit, each worked out once.
type Known = RefCell<HashMap<(bool, usize, Option<usize>), bool>>;

/// A game with one position, and what is supposed to be otherwise.
pub struct Brute<'a> {
    pub game: &'a Game,
    pub at: &'a Position,
    /// The budget of this leg of this trace.
    pub budget: Option<(&'static str, usize, Option<i64>)>,
    /// Of a budget that the end gives, the ends that give so much have that one.
    pub haul: Option<i64>,
    /// No line, of whichever trace, passes, ends or changes its leg in these spaces.
    pub closed: Vec<usize>,
    known: Known,
}

/// A yes with its length, or a no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub yes: bool,
    /// The length of the shortest of all legal lines; none where a verdict settled it or there is
    /// no line.
    pub length: Option<i64>,
    /// The verdict that settled it.
    pub verdict: Option<bool>,
}

impl<'a> Brute<'a> {
    pub fn new(game: &'a Game, at: &'a Position) -> Brute<'a> {
        Brute { game, at, budget: None, haul: None, closed: Vec::new(), known: Known::default() }
    }

    /// The same position, with nothing worked out yet.
    pub fn afresh(&self) -> Brute<'a> {
        let Brute { budget, haul, .. } = *self;
        Brute { budget, haul, closed: self.closed.clone(), ..Brute::new(self.game, self.at) }
    }

    fn known(&self, key: (bool, usize, Option<usize>), ask: impl FnOnce() -> bool) -> bool {
        if let Some(yes) = self.known.borrow().get(&key) {
            return *yes;
        }
        let yes = ask();
        self.known.borrow_mut().insert(key, yes);
        yes
    }

    pub fn start(&self, subject: Subject) -> Option<usize> {
        match subject {
            Subject::Unit(unit) => self.at.units[unit].space,
            Subject::Space(space) => Some(space),
        }
    }

    pub fn answer(&self, trace: &Trace, subject: Subject, viewer: Option<usize>) -> Answer {
        let viewer = self.viewer(subject, viewer);
        if let Subject::Unit(unit) = subject {
            if self.at.units[unit].space.is_none() {
                return Answer { yes: false, length: None, verdict: None };
            }
            for (always, when) in &trace.verdicts {
                if self.unit_holds(when, unit) {
                    return Answer { yes: *always, length: None, verdict: Some(*always) };
                }
            }
        }
        let last = trace.places();
        let reached = self.reached(trace, subject, viewer);
        let ends = reached[last].iter().enumerate();
        let length = ends
            .filter(|(space, _)| self.is_source(trace, *space, subject, viewer))
            .filter_map(|(_, length)| *length)
            .min();
        Answer { yes: length.is_some(), length, verdict: None }
    }

    pub fn viewer(&self, subject: Subject, viewer: Option<usize>) -> Option<usize> {
        match subject {
            Subject::Unit(unit) => Some(self.at.units[unit].side),
            Subject::Space(_) => viewer,
        }
    }

    pub fn is_source(
        &self,
        trace: &Trace,
        space: usize,
        subject: Subject,
        viewer: Option<usize>,
    ) -> bool {
        trace.sources.iter().any(|(_, when)| self.holds(when, space, viewer, subject))
    }

    /// The least length to each space, by how many places of the chain lie behind: the last row is
    /// where lines may end.
    pub fn reached(
        &self,
        trace: &Trace,
        subject: Subject,
        viewer: Option<usize>,
    ) -> Vec<Vec<Option<i64>>> {
        let (n, last) = (self.game.spaces(), trace.places());
        let mut all = vec![vec![None; n]; last + 1];
        let Some(start) = self.start(subject) else { return all };
        all[0][start] = Some(0);
        let hops: Vec<Vec<Vec<Option<i64>>>> = trace
            .legs
            .iter()
            .enumerate()
            .map(|(i, leg)| {
                (0..n).map(|s| self.leg_ends(trace, (i, leg), s, subject, viewer)).collect()
            })
            .collect();
        loop {
            let before = all.clone();
            for place in 0..last {
                for space in 0..n {
                    let Some(so_far) = all[place][space] else { continue };
                    for (i, leg) in trace.legs.iter().enumerate().filter(|(_, l)| l.place == place)
                    {
                        for (end, more) in hops[i][space].iter().enumerate() {
                            let Some(more) = more else { continue };
                            shorten(&mut all[place + 1][end], so_far + more);
                        }
                        if leg.optional {
                            shorten(&mut all[place + 1][space], so_far);
                        }
                    }
                }
            }
            for space in 0..n {
                let Some(so_far) = all[last][space] else { continue };
                if trace.relays.iter().any(|(_, when)| self.holds(when, space, viewer, subject)) {
                    shorten(&mut all[0][space], so_far);
                }
            }
            if all == before {
                return all;
            }
        }
    }

    pub fn is_closed(&self, space: usize) -> bool {
        self.closed.contains(&space)
    }

    /// Whether a gate of a leg lets a line into its place in a space.
    pub fn gate(
        &self,
        leg: &Leg,
        gate: Gate,
        space: usize,
        asked: (Subject, Option<usize>),
    ) -> bool {
        let holds = |when: &Cond| self.holds(when, space, asked.1, asked.0);
        let goes_on = || leg.stopping.as_ref().is_none_or(|stops| !holds(stops));
        let begins = gate == Gate::From && leg.place == 0;
        (begins || !self.is_closed(space))
            && match gate {
                Gate::From => self.may_use(leg, asked.0) && holds(&leg.from),
                Gate::Through => holds(&leg.through) && goes_on(),
                Gate::Stopping => goes_on(),
                Gate::Into => holds(&leg.into),
            }
    }

    /// Whether a leg is for this unit.
    fn may_use(&self, leg: &Leg, subject: Subject) -> bool {
        match (&leg.only, subject) {
            (Some(when), Subject::Unit(unit)) => self.unit_holds(when, unit),
            _ => true,
        }
    }

    /// The least length of one leg from a space to each space where it may end.
    fn leg_ends(
        &self,
        trace: &Trace,
        (index, leg): (usize, &Leg),
        begin: usize,
        subject: Subject,
        viewer: Option<usize>,
    ) -> Vec<Option<i64>> {
        let n = self.game.spaces();
        let mut ends = vec![None; n];
        if !self.gate(leg, Gate::From, begin, (subject, viewer)) {
            return ends;
        }
        let other = self.budget.filter(|(of, at, _)| (*of, *at) == (trace.name, index));
        let other = other.map(|(.., budget)| budget);
        let of_end = leg.within == Within::Haul;
        let budget = match other {
            _ if of_end => None,
            Some(budget) => budget,
            None => self.budget_of(leg, subject),
        };
        let open: Vec<bool> = (0..n)
            .map(|s| s == begin || self.gate(leg, Gate::Through, s, (subject, viewer)))
            .collect();
        // By space, and along which link the leg came there where links cross.
        let mut best: BTreeMap<(usize, Option<usize>), i64> = BTreeMap::from([((begin, None), 0)]);
        loop {
            let before = best.clone();
            for (node, so_far) in before.iter().filter(|((space, _), _)| open[*space]) {
                for into in self.game.onward(*node, leg) {
                    let Some(step) = self.step(leg, node.0, into.0, subject) else { continue };
                    let whole = so_far + step;
                    if budget.is_none_or(|b| whole <= b) {
                        let known = best.entry(into).or_insert(whole);
                        *known = whole.min(*known);
                    }
                }
            }
            if best == before {
                break;
            }
        }
        for ((space, _), length) in best {
            let far = match other.filter(|_| self.haul == Some(self.haul(space))) {
                Some(budget) => budget,
                None => Some(self.haul(space)),
            };
            let reaches = !of_end || far.is_none_or(|far| length <= far);
            if reaches && self.gate(leg, Gate::Into, space, (subject, viewer)) {
                shorten(&mut ends[space], length);
            }
        }
        ends
    }

    /// How far a line may run that ends in a space, where the space says so.
    pub fn haul(&self, space: usize) -> i64 {
        let [flooded, hill, else_] = self.game.haul;
        match self.game.terrain[space] {
            _ if self.at.flooded[space] => flooded,
            1 => hill,
            _ => else_,
        }
    }

    pub fn budget_of(&self, leg: &Leg, subject: Subject) -> Option<i64> {
        let unit = match subject {
            Subject::Unit(unit) => Some(&self.at.units[unit]),
            Subject::Space(_) => None,
        };
        match leg.within {
            Within::Number(n) => Some(n),
            Within::Unlimited => None,
            Within::Move => unit.map(|u| u.moves),
            Within::Haul => self.game.haul.into_iter().max(),
            Within::Lead => unit.map(|u| Worth::Lead.of(self.skill(u))),
            Within::Reach => {
                unit.map(|u| if u.leader.is_some() { 3 } else { 1 + i64::from(u.horse) })
            }
        }
    }

    /// Whether one of the lines of `over` allows a step.
    pub fn may_step(&self, leg: &Leg, from: usize, into: usize, subject: Subject) -> bool {
        let joined = self.game.along(from, into);
        let (is_horse, moves) = match subject {
            Subject::Unit(unit) => (self.at.units[unit].horse, self.at.units[unit].moves),
            Subject::Space(_) => (false, 0),
        };
        let straight = super::game::PATH | super::game::LANE;
        let wide =
            !leg.wide || joined & leg.links & straight != 0 || self.game.width(from, into) >= moves;
        let sound = !(leg.sound && self.game.fickle)
            || joined & leg.links & straight != 0
            || !self.at.worn.contains(&(from.min(into), from.max(into)));
        let viewer = self.viewer(subject, None);
        let (stance, near, filter) = (Stance::Friendly, Near::Here, Filter::None);
        let manned = Cond::Any { none: false, stance, near, filter };
        let manned = |space: usize| self.holds(&manned, space, viewer, subject);
        let terrain = &self.game.terrain;
        let steep = match leg.steep {
            Steep::Any => true,
            Steep::ByTerrain => terrain[from] != 2 || terrain[into] == 0,
            Steep::ByUnits => manned(from) || !manned(into),
        };
        self.game.on(leg, (from, into), joined)
            && wide
            && sound
            && steep
            && joined & leg.but_not == 0
            || is_horse && joined & leg.for_horse != 0
    }

    /// What a step costs: the table `toll` of a unit or `fare` of a space, or one.
    pub fn step(&self, leg: &Leg, from: usize, into: usize, subject: Subject) -> Option<i64> {
        if !self.may_step(leg, from, into, subject) {
            return None;
        }
        if !leg.cost || self.game.joined(from, into) & super::game::ROAD != 0 {
            return Some(1);
        }
        let wades = match subject {
            Subject::Unit(unit) => !self.at.units[unit].horse,
            Subject::Space(_) => false,
        };
        match self.game.terrain[into] {
            2 if !wades => None,
            1 => Some(3),
            _ => Some(2),
        }
    }

    /// The skill of the captain of a unit, if it has one.
    fn skill(&self, unit: &Unit) -> Option<i64> {
        unit.leader.map(|captain| self.game.skill[captain])
    }

    fn linked(&self, unit: usize) -> bool {
        self.known((true, unit, None), || {
            self.answer(&self.game.line, Subject::Unit(unit), None).yes
        })
    }

    pub fn unit_holds(&self, when: &UnitCond, unit: usize) -> bool {
        let it = &self.at.units[unit];
        match when {
            UnitCond::Wagon => it.wagon,
            UnitCond::Horse => it.horse,
            UnitCond::Led => it.leader.is_some(),
            UnitCond::Boss(so, boss) => boss.holds(self.skill(it)) == *so,
            UnitCond::Winter => self.at.winter,
            UnitCond::Here(define) => it.space.is_some_and(|s| {
                self.holds(&self.game.defines[*define], s, Some(it.side), Subject::Unit(unit))
            }),
            UnitCond::Linked(yes) => self.linked(unit) == *yes,
        }
    }

    /// Whether a condition holds in a space.
    pub fn holds(&self, when: &Cond, space: usize, viewer: Option<usize>, tracer: Subject) -> bool {
        let here = |c: &Cond| self.holds(c, space, viewer, tracer);
        let unit = match tracer {
            Subject::Unit(unit) => Some(&self.at.units[unit]),
            Subject::Space(_) => None,
        };
        match when {
            Cond::Always => true,
            Cond::Terrain(terrain) => self.game.terrain[space] == *terrain,
            Cond::Depot => self.game.depot[space],
            Cond::Control(stance) => stance.holds(viewer, self.at.control[space]),
            Cond::NoControl => self.at.control[space].is_none(),
            Cond::Winter => self.at.winter,
            Cond::Flooded => self.at.flooded[space],
            Cond::Any { none, stance, near, filter } => {
                let found = (0..self.at.units.len()).any(|u| {
                    self.stands(u, *near, space)
                        && stance.holds(viewer, Some(self.at.units[u].side))
                        && self.passes(*filter, u, tracer)
                });
                found != *none
            }
            Cond::AtLeast { count, stance, near } => {
                let found = (0..self.at.units.len()).filter(|u| {
                    self.stands(*u, *near, space)
                        && stance.holds(viewer, Some(self.at.units[*u].side))
                });
                u32::try_from(found.count()).unwrap() >= *count
            }
            Cond::Levy(least) => self.game.levy[usize::from(self.game.terrain[space])] >= *least,
            Cond::TracerHorse => unit.is_some_and(|u| u.horse),
            Cond::TracerLed => unit.is_some_and(|u| u.leader.is_some()),
            Cond::TracerMoves(least) => unit.is_some_and(|u| u.moves >= *least),
            Cond::TracerBoss(boss) => unit.is_some_and(|u| boss.holds(self.skill(u))),
            Cond::Wet => self.game.shoal[space] && !self.at.flooded[space],
            Cond::Define(define) => here(&self.game.defines[*define]),
            Cond::Joined => {
                let net = self.game.net.as_ref().unwrap();
                self.known((false, space, viewer), || {
                    self.answer(net, Subject::Space(space), viewer).yes
                })
            }
            Cond::Not(a) => !here(a),
            Cond::And(a, b) => here(a) && here(b),
            Cond::Or(a, b) => here(a) || here(b),
        }
    }

    fn stands(&self, unit: usize, near: Near, space: usize) -> bool {
        let Some(at) = self.at.units[unit].space else { return false };
        match near {
            Near::Here => at == space,
            Near::Adjacent => self.game.joined(at, space) != 0,
            Near::OverRoads => self.game.joined(at, space) & super::game::ROAD != 0,
            Near::Within(links) => self.far(at, space, links),
        }
    }

    fn far(&self, a: usize, b: usize, links: u8) -> bool {
        let every = u8::MAX;
        a == b || (links > 0 && self.game.neighbours(a, every).any(|c| self.far(c, b, links - 1)))
    }

    fn passes(&self, filter: Filter, unit: usize, tracer: Subject) -> bool {
        let it = &self.at.units[unit];
        match filter {
            Filter::None => true,
            Filter::Wagon => it.wagon,
            Filter::Horse => it.horse,
            Filter::Led => it.leader.is_some(),
            Filter::Boss(so, boss) => boss.holds(self.skill(it)) == so,
            Filter::Linked => self.linked(unit),
            Filter::FasterThanTracer => {
                let Subject::Unit(tracer) = tracer else { return false };
                it.moves > self.at.units[tracer].moves
            }
        }
    }
}

fn shorten(cell: &mut Option<i64>, to: i64) {
    if cell.is_none_or(|now| to < now) {
        *cell = Some(to);
    }
}
