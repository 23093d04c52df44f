//! Whether each unit's fate depends on its own roll alone, proven from what the steps read and
//! change.
//!
//! Everything before the first roll happens in one way. The roll itself reads a position that is
//! the same for all. What comes behind it may read of the thing in question whatever it likes; of
//! anything else, only what no step changes.

use std::cell::RefCell;

use indexmap::IndexSet;

use super::OddsFault;
use super::plan::Op;
use crate::arrange::Arrange as _;
use crate::engine::phase::things;
use crate::ir::*;
use crate::kernel::Position;
use crate::world::{ThingRef, World, built_in};

/// The units that roll, if it is proven that each can be solved alone; the plan begins with the
/// first roll.
pub(super) fn rolling(
    rules: &Ruleset,
    world: &World,
    plan: &[Op],
) -> Result<Option<Vec<u32>>, OddsFault> {
    if !proven(rules, plan) {
        return Ok(None);
    }
    let Some(position) = Position::new(rules, world) else { return Ok(None) };
    let mut units = Vec::new();
    for (at, op) in plan.iter().enumerate().filter(|(_, op)| op.rolls(rules).is_some()) {
        let (Some(step), Op::Step(_, _, side)) = (op.step(rules), op) else { continue };
        // A later roll may be for others than it seems now: whoever it could be for is among those
        // of its kind.
        let rolling = match step.things {
            Some(phrase) if at > 0 => {
                let kind = rules.things[phrase.index()].kind;
                let all =
                    (0..u32::try_from(world.units.len()).unwrap_or(u32::MAX)).map(ThingRef::Unit);
                all.filter(|unit| position.is_kind(*unit, kind)).collect()
            }
            _ => things(&position, step, *side)?,
        };
        for thing in rolling {
            match thing {
                ThingRef::Unit(unit) => units.push(unit),
                // What is rolled for a space or the world is rolled for nobody alone.
                _ => return Ok(None),
            }
        }
    }
    units.arrange();
    units.dedup();
    Ok(Some(units))
}

fn proven(rules: &Ruleset, plan: &[Op]) -> bool {
    let mut proof = Proof { rules, changed: Vec::new(), removes: false, read: RefCell::default() };
    let steps: Vec<&Step> = plan.iter().filter_map(|op| op.step(rules)).collect();
    // What ends at a moment ends for all alike, but it is a change that somebody may read of
    // another.
    for op in plan {
        if let Op::Expire(..) = op {
            let ends = |f: &FactId| {
                matches!(
                    rules.facts[f.index()].origin,
                    FactOrigin::Mark(Some(_)) | FactOrigin::Count(_)
                )
            };
            proof.changed.extend((0..rules.facts.len()).map(FactId::at).filter(ends));
        }
    }
    // That a phase has happened, and the turn, are the world's.
    let noted = |op: &Op| match op {
        Op::Begin(phase, _) => rules.phases[phase.index()].once,
        Op::NextTurn => rules.clock.as_ref().and_then(|c| c.counted).map(|c| c.turn),
        Op::Expire(..) | Op::Step(..) => None,
    };
    proof.changed.extend(plan.iter().filter_map(noted));
    for step in &steps {
        if !proof.note(step) {
            return false;
        }
    }
    let begins = plan.iter().filter_map(|op| op.when(rules));
    begins.into_iter().all(|when| proof.safe(when, false))
        && steps.iter().enumerate().all(|(at, step)| at == 0 || proof.step(step))
}

struct Proof<'r> {
    rules: &'r Ruleset,
    /// Facts that some step changes.
    changed: Vec<FactId>,
    /// Whether units leave the game.
    removes: bool,
    /// What has been read, of the thing in question or of another. One that is not safe ends the
    /// proof.
    read: RefCell<IndexSet<(ExprId, bool)>>,
}

impl Proof<'_> {
    /// Notes what a step changes; false if it changes a unit that is not its own thing.
    fn note(&mut self, step: &Step) -> bool {
        let mut change = |fact: FactId, own: bool| {
            self.changed.push(fact);
            own || self.rules.top(self.rules.facts[fact.index()].kind) != KindId::UNIT
        };
        match &step.effect {
            Effect::Mark(fact) => change(*fact, true),
            Effect::Set(fact, of, _)
            | Effect::Clear(fact, of)
            | Effect::Change { fact, of, .. } => {
                change(*fact, *self.rules.node(*of) == Node::Subject(0))
            }
            Effect::Remove => {
                self.removes = true;
                true
            }
            Effect::Roll { .. } | Effect::RollList { .. } => {
                let rules = self.rules;
                let spending = |test: &TestId| {
                    rules.tests[test.index()].retry.as_ref().and_then(|r| r.spending)
                };
                let spent: Vec<(FactId, ExprId)> =
                    step.effect.tests(rules).iter().filter_map(spending).collect();
                self.changed.extend(spent.iter().map(|(fact, _)| *fact));
                // An amount that several spend is no affair of one.
                spent.iter().all(|(_, of)| *rules.node(*of) == Node::Subject(0))
            }
            // How sides stand is read of every unit.
            Effect::Relate(..)
            | Effect::Judge(_)
            | Effect::Move(_)
            | Effect::Follow { .. }
            | Effect::Place(_) => false,
        }
    }

    /// Whether a step reads nothing that another's roll could change.
    fn step(&self, step: &Step) -> bool {
        let things = match step.things {
            Some(things) => {
                let phrase = &self.rules.things[things.index()];
                self.place(&phrase.place, false)
                    && phrase.condition.is_none_or(|c| self.safe(c, true))
            }
            None => true,
        };
        things
            && match &step.effect {
                Effect::Mark(_) | Effect::Remove => true,
                Effect::Clear(_, of) => self.target(*of),
                Effect::Set(_, of, value) | Effect::Change { of, by: value, .. } => {
                    self.target(*of) && self.safe(*value, true)
                }
                Effect::Roll { test, .. } => self.test(*test),
                Effect::RollList { table, .. } => {
                    let table = &self.rules.tables[table.index()];
                    table.rows.iter().filter_map(|r| r.when).all(|when| self.safe(when, true))
                        && table.tests.iter().all(|t| self.test(*t))
                }
                Effect::Relate(..)
                | Effect::Judge(_)
                | Effect::Move(_)
                | Effect::Follow { .. }
                | Effect::Place(_) => false,
            }
    }

    fn test(&self, test: TestId) -> bool {
        let test = &self.rules.tests[test.index()];
        let retry = test.retry.iter().flat_map(|r| r.at_most.iter().chain([&r.when]));
        test.plus
            .iter()
            .chain(test.rows.iter().filter_map(|r| r.0.as_ref()))
            .chain(retry)
            .all(|e| self.safe(*e, true))
    }

    fn target(&self, of: ExprId) -> bool {
        *self.rules.node(of) == Node::Nothing || self.safe(of, true)
    }

    /// Whether a fact that is not of the thing in question never changes.
    fn fixed(&self, fact: FactId) -> bool {
        !self.changed.contains(&fact)
    }

    fn place(&self, place: &Place, own: bool) -> bool {
        match place {
            Place::Anywhere => true,
            Place::In(of)
            | Place::Adjacent(of, _)
            | Place::AdjacentNotOver(of, _)
            | Place::Within(_, of, _) => self.safe(*of, own),
        }
    }

    /// Whether an expression reads of others only what never changes; `own` says that level 0 is
    /// the thing in question.
    fn safe(&self, id: ExprId, own: bool) -> bool {
        if !self.read.borrow_mut().insert((id, own)) {
            return true;
        }
        let rules = self.rules;
        let is_own = |id: ExprId| own && *rules.node(id) == Node::Subject(0);
        let body = |of: &Option<ExprId>, parts: &[ExprId]| {
            of.is_none_or(|of| self.safe(of, own))
                && parts.iter().all(|e| self.safe(*e, of.is_some_and(is_own)))
        };
        match rules.node(id) {
            Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World => true,
            Node::SpaceCalled(_)
            | Node::Side(_)
            | Node::Viewer
            | Node::Subject(_)
            | Node::Ruling(_)
            | Node::Total
            | Node::Natural => true,
            Node::Fact(fact, of) => {
                // A unit that has left is no longer anybody's leader.
                let names_unit = matches!(rules.facts[fact.index()].ty, Type::Thing { kind, .. } if rules.top(kind) == KindId::UNIT);
                self.safe(*of, own)
                    && (is_own(*of) || self.fixed(*fact))
                    && !(names_unit && self.removes)
            }
            Node::WorldFact(fact) => self.fixed(*fact),
            Node::Define(define, of) => body(of, &[rules.defines[define.index()].value]),
            // What is measured may change with whatever moves.
            Node::Pair(PairRef::Measured(_), ..) => false,
            Node::Pair(PairRef::Own(pair), a, b) => {
                self.safe(*a, own)
                    && self.safe(*b, own)
                    && self.safe(rules.pairs[pair.index()].value, is_own(*a))
            }
            Node::Table(table, _, of) => body(of, &rules.tables[table.index()].parts()),
            Node::Outcome(_, of) | Node::Stopped(_, of) => is_own(*of),
            Node::Listed(table, of, _) => body(&Some(*of), &rules.tables[table.index()].parts()),
            Node::Removed(of) => is_own(*of) || (!self.removes && self.safe(*of, own)),
            Node::IsKind(of, _) | Node::Not(of) | Node::Rounded(_, of) | Node::Rank(of) => {
                self.safe(*of, own)
            }
            // How a space stands is by its control; how a unit or a side stands never changes.
            Node::Stands(of, _) => {
                (is_own(*of) || self.fixed(built_in::CONTROL)) && self.safe(*of, own)
            }
            Node::Sides { left, right, .. }
            | Node::Same(left, right)
            | Node::Compare(left, _, right) => self.safe(*left, own) && self.safe(*right, own),
            Node::Arithmetic(left, _, right) | Node::Extreme { left, right, .. } => {
                self.safe(*left, own) && self.safe(*right, own)
            }
            Node::And(parts) | Node::Or(parts) => parts.iter().all(|p| self.safe(*p, own)),
            Node::Any(things) | Node::Only(things) | Node::Count(things) => {
                self.things(*things, None, own)
            }
            Node::Aggregate(_, value, things) => self.things(*things, Some(*value), own),
            // Answers of traces look far, a script wherever it likes, and a chance at what is rolled.
            Node::Verdict(..) | Node::Evidence(..) | Node::WouldBe { .. } | Node::Hook(..) => false,
            Node::Chance(..)
            | Node::OverStep(_)
            | Node::StepEnd(_)
            | Node::LinkEnd(..)
            | Node::Chosen(..)
            | Node::Nothing => false,
        }
    }

    fn things(&self, id: ThingsId, value: Option<ExprId>, own: bool) -> bool {
        let things = &self.rules.things[id.index()];
        let units = self.rules.top(things.kind) == KindId::UNIT;
        let still = !units || (!self.removes && self.fixed(built_in::SPACE));
        still
            && self.place(&things.place, own)
            && things.condition.iter().chain(&value).all(|e| self.safe(*e, own))
    }
}
