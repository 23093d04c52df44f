//! How long what rules note is there: a turn walked through twice, stride by stride.

use std::collections::BTreeMap;

use crate::engine::{Stride, ending, moments, strides};
use crate::ir::{
    Effect, ExprId, FactId, FactOrigin, KindId, Moment, Node, Part, PhaseId, Ruleset, SideId,
    Stance, State, Step, TestId, Things, Whose,
};
use crate::world::built_in;

/// Turns of more moments than this are not walked through.
const MOST_MOMENTS: usize = 1 << 12;

/// What rules note, and what ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Noted {
    /// a mark or a count
    Fact(FactId),
    /// what a test has come to
    Outcome(TestId),
}

impl Noted {
    /// Whether an expression asks it.
    pub(super) fn is_asked_by(self, node: &Node) -> bool {
        match (self, node) {
            (Noted::Fact(noted), Node::Fact(fact, _) | Node::WorldFact(fact)) => noted == *fact,
            (Noted::Outcome(noted), Node::Outcome(test, _)) => noted == *test,
            _ => false,
        }
    }

    /// Whether a step notes it.
    fn is_set_by(self, rules: &Ruleset, effect: &Effect) -> bool {
        match effect {
            Effect::Mark(fact) | Effect::Set(fact, ..) | Effect::Change { fact, .. } => {
                self == Noted::Fact(*fact)
            }
            Effect::Judge(trace) => {
                let counter = rules.traces.get(trace.index()).and_then(|trace| trace.counter);
                counter.is_some_and(|fact| self == Noted::Fact(fact))
            }
            Effect::Roll { .. } | Effect::RollList { .. } => {
                effect.tests(rules).iter().any(|test| self == Noted::Outcome(*test))
            }
            Effect::Relate(..)
            | Effect::Clear(..)
            | Effect::Remove
            | Effect::Move(_)
            | Effect::Follow { .. }
            | Effect::Place(_) => false,
        }
    }
}

/// A turn in its strides, each with the moment to which it belongs.
pub(super) struct Course<'r> {
    rules: &'r Ruleset,
    strides: Vec<(usize, Stride)>,
    /// Whether units change sides, so that what is a side's now may be another's later.
    owners_change: bool,
}

/// A step by its phase and its place in it.
pub(super) type StepAt = (PhaseId, usize);

/// Where a phase asks: as it begins, or in one of its steps.
pub(super) type Asking = (PhaseId, Option<usize>);

/// Where something is noted, and what each asking of a phase may find.
pub(super) struct Life {
    pub noted: Noted,
    pub set_at: Vec<StepAt>,
    /// Of a phase as it begins or of a step: whether it may be there for the things of its own
    /// side, and for any.
    found: BTreeMap<Asking, (bool, bool)>,
}

impl Life {
    /// Whether it may be there where a phase asks it, of its own side's things or of any.
    pub(super) fn ever_there(&self, asking: Asking, own: bool) -> bool {
        // A phase that no moment brings may be run at any.
        let (of_own, of_any) = self.found.get(&asking).copied().unwrap_or((true, true));
        if own { of_own } else { of_any }
    }
}

/// Whether things are the side's that asks.
pub(super) fn is_own(rules: &Ruleset, things: &Things) -> bool {
    let says = |when: ExprId| match rules.node(when) {
        Node::Stands(of, Stance::Own) => {
            matches!(rules.node(*of), Node::Subject(level) if *level == things.level)
        }
        _ => false,
    };
    things.condition.is_some_and(|when| match rules.node(when) {
        Node::And(parts) => parts.iter().any(|part| says(*part)),
        _ => says(when),
    })
}

impl<'r> Course<'r> {
    /// The turn of a ruleset; none where there is no clock, or one of too many moments.
    pub(super) fn of(rules: &'r Ruleset) -> Option<Self> {
        let clock = rules.clock.as_ref()?;
        let sides = rules.sides.len().max(1);
        let times =
            clock.rounds.iter().map(|round| usize::from(round.parts) * round.times as usize);
        if times.sum::<usize>().saturating_mul(3 * sides) > MOST_MOMENTS {
            return None;
        }
        let all = moments(rules).into_iter().enumerate();
        let strides =
            all.flat_map(|(at, moment)| strides(rules, moment).into_iter().map(move |s| (at, s)));
        let changes = |step: &Step| {
            matches!(
                step.effect,
                Effect::Set(built_in::OWNER, ..) | Effect::Clear(built_in::OWNER, _)
            )
        };
        let owners_change = rules.phases.iter().flat_map(|phase| &phase.steps).any(changes);
        Some(Self { rules, strides: strides.collect(), owners_change })
    }

    /// What phases note and what ends by itself.
    pub(super) fn noted(&self) -> Vec<Noted> {
        let ends = |origin| matches!(origin, FactOrigin::Mark(Some(_)) | FactOrigin::Count(_));
        let facts = self.rules.facts.iter().enumerate().filter(|(_, fact)| ends(fact.origin));
        let facts = facts.map(|(at, _)| Noted::Fact(FactId::at(at)));
        let tests = (0..self.rules.tests.len()).map(|at| Noted::Outcome(TestId::at(at)));
        facts.chain(tests).filter(|noted| !self.set_at(*noted).is_empty()).collect()
    }

    fn step(&self, phase: PhaseId, step: usize) -> Option<&'r Step> {
        self.rules.phases.get(phase.index())?.steps.get(step)
    }

    fn set_at(&self, noted: Noted) -> Vec<StepAt> {
        let phases = self.rules.phases.iter().enumerate();
        let steps = phases.flat_map(|(at, phase)| {
            (0..).zip(&phase.steps).map(move |(step, said)| (PhaseId::at(at), step, said))
        });
        steps
            .filter(|(.., said)| noted.is_set_by(self.rules, &said.effect))
            .map(|(phase, step, _)| (phase, step))
            .collect()
    }

    /// Walks through two turns: what a turn leaves behind is there at the beginning of the next.
    pub(super) fn life(&self, noted: Noted) -> Life {
        let mut life = Life { noted, set_at: self.set_at(noted), found: BTreeMap::new() };
        let mut there = vec![self.is_stated(noted); self.rules.sides.len().max(1)];
        for (_, stride) in self.strides.iter().chain(&self.strides) {
            match *stride {
                Stride::Ends(moment, side) => self.end(noted, (moment, side), &mut there),
                Stride::Begins(phase, side) => {
                    life.ask((phase, None), side, &there);
                    if matches!(noted, Noted::Outcome(_))
                        && life.set_at.iter().any(|(by, _)| *by == phase)
                    {
                        there.fill(false);
                    }
                }
                Stride::Step(phase, step, side) => {
                    life.ask((phase, Some(step)), side, &there);
                    if life.set_at.contains(&(phase, step)) {
                        self.set((phase, step), side, &mut there);
                    }
                }
                Stride::NextTurn => {}
            }
        }
        life
    }

    /// Whether a setup says it, so that it is there before anything has set it.
    fn is_stated(&self, noted: Noted) -> bool {
        let Noted::Fact(noted) = noted else { return false };
        let says = |state: &State| matches!(state, State::Fact(fact, ..) if *fact == noted);
        self.rules.setups.iter().any(|setup| {
            let mut of_units = setup.units.iter().flat_map(|unit| &unit.facts);
            setup.facts.iter().any(says) || of_units.any(|(fact, _)| *fact == noted)
        })
    }

    /// Whether whose a thing is may be another when it ends than when it was set.
    fn changes_hands(&self, noted: Noted) -> bool {
        let Noted::Fact(fact) = noted else { return false };
        let kind = self.rules.facts.get(fact.index()).map(|fact| self.rules.top(fact.kind));
        self.owners_change || kind != Some(KindId::UNIT)
    }

    fn end(&self, noted: Noted, (moment, side): (Moment, Option<SideId>), there: &mut [bool]) {
        let ending = ending(self.rules, moment, side);
        let fact = match noted {
            Noted::Outcome(_) if ending.rolls => return there.fill(false),
            Noted::Outcome(_) => return,
            Noted::Fact(fact) => fact,
        };
        match ending.facts.iter().find(|(ended, _)| *ended == fact).map(|(_, whose)| *whose) {
            None => {}
            Some(Whose::Owner) if side.is_some() && self.changes_hands(noted) => {}
            Some(Whose::Owner) => match side.and_then(|side| there.get_mut(side.index())) {
                Some(of_side) => *of_side = false,
                None => there.fill(false),
            },
            Some(Whose::All | Whose::Side(_)) => there.fill(false),
        }
    }

    fn set(&self, (phase, step): StepAt, side: Option<SideId>, there: &mut [bool]) {
        let things = self.step(phase, step).and_then(|step| step.things);
        let things = things.and_then(|things| self.rules.things.get(things.index()));
        let own = side.filter(|_| things.is_some_and(|things| is_own(self.rules, things)));
        match own.and_then(|side| there.get_mut(side.index())) {
            Some(of_side) => *of_side = true,
            None => there.fill(true),
        }
    }

    /// The steps that set it where it always ends before any rule could ask it and before a player
    /// could see it.
    pub(super) fn set_in_vain(&self, noted: Noted) -> Vec<StepAt> {
        let set_at = if matches!(noted, Noted::Fact(_)) { self.set_at(noted) } else { Vec::new() };
        let in_vain = |set: &StepAt| {
            let mut places =
                (0..self.strides.len()).filter(|at| self.is_step(*at, *set)).peekable();
            places.peek().is_some() && places.all(|at| self.ends_unseen(noted, at))
        };
        set_at.into_iter().filter(in_vain).collect()
    }

    fn is_step(&self, at: usize, set: StepAt) -> bool {
        matches!(self.strides.get(at), Some((_, Stride::Step(phase, step, _))) if (*phase, *step) == set)
    }

    /// Whether what is set at a stride ends in the same moment, unasked.
    fn ends_unseen(&self, noted: Noted, at: usize) -> bool {
        let Some((moment, Stride::Step(phase, step, side))) = self.strides.get(at) else {
            return false;
        };
        let mut there = vec![false; self.rules.sides.len().max(1)];
        self.set((*phase, *step), *side, &mut there);
        let rest = self.strides.iter().skip(at + 1).take_while(|(of, _)| of == moment);
        for (_, stride) in rest {
            match *stride {
                Stride::Ends(moment, side) => self.end(noted, (moment, side), &mut there),
                Stride::Begins(phase, _) if self.may_ask(noted, (phase, None)) => return false,
                Stride::Step(phase, step, _) if self.may_ask(noted, (phase, Some(step))) => {
                    return false;
                }
                Stride::Begins(..) | Stride::Step(..) | Stride::NextTurn => {}
            }
        }
        !there.contains(&true)
    }

    /// Whether a phase asks it, by itself or by what it names.
    fn may_ask(&self, noted: Noted, (phase, step): Asking) -> bool {
        let starts: Vec<ExprId> = match step {
            None => self
                .rules
                .phases
                .get(phase.index())
                .and_then(|phase| phase.when)
                .into_iter()
                .collect(),
            Some(step) => {
                self.step(phase, step).map_or_else(Vec::new, |step| all_parts(self.rules, step))
            }
        };
        let mut asks = false;
        self.rules.walk(starts, |_| true, |_, id| asks |= noted.is_asked_by(self.rules.node(id)));
        asks
    }
}

impl Life {
    fn ask(&mut self, asking: Asking, side: Option<SideId>, there: &[bool]) {
        let any = there.contains(&true);
        let own = side.and_then(|side| there.get(side.index())).copied().unwrap_or(any);
        let found = self.found.entry(asking).or_default();
        *found = (found.0 | own, found.1 | any);
    }
}

/// The expressions of a step, and those of what it judges, follows or rolls.
fn all_parts(rules: &Ruleset, step: &Step) -> Vec<ExprId> {
    let mut found = step.parts(rules);
    if let Effect::Judge(trace) | Effect::Follow { trace, .. } = step.effect {
        found.extend(rules.expressions_of(Part::Trace(trace)));
    }
    if let Effect::RollList { table, .. } = step.effect {
        found.extend(rules.expressions_of(Part::Table(table)));
    }
    for test in step.effect.tests(rules) {
        found.extend(rules.expressions_of(Part::Test(*test)));
    }
    found
}
