//! Conditions on what is stored, answered straight from the rows of a position: no value is made,
//! nothing is counted or kept. The evaluator says the same of all of them, and is asked wherever one
//! reads more than is stored.

use super::{Cx, EvalFault, Position};
use crate::ir::*;
use crate::world::ThingRef;

/// A condition with more parts than this, named ones written out, is left to the evaluator.
const MOST_PARTS: u32 = 96;

/// A space with more units is left to the evaluator, which counts what a question costs.
const MOST_UNITS: usize = 1 << 12;

/// What an expression comes to, as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Truth(bool),
    Number(i64),
    Word(u16),
    Thing(Option<ThingRef>),
    Barred,
}

impl Stored {
    /// What is said of what is not there.
    fn nothing(ty: Type) -> Stored {
        match ty {
            Type::Truth => Stored::Truth(false),
            Type::Number { .. } => Stored::Number(0),
            Type::Word(_) => Stored::Word(0),
            Type::Thing { .. } => Stored::Thing(None),
        }
    }
}

/// The subject of one level, and who asks; the subjects of other levels are around it.
#[derive(Clone, Copy)]
struct Scope<'s> {
    around: Around<'s>,
    level: u8,
    subject: ThingRef,
    viewer: Option<SideId>,
}

#[derive(Clone, Copy)]
enum Around<'s> {
    /// A named value has its own thing and no other.
    Nothing,
    Question(&'s Cx),
    Scope(&'s Scope<'s>),
}

impl Scope<'_> {
    fn subject(&self, level: u8) -> ThingRef {
        if level == self.level {
            return self.subject;
        }
        match self.around {
            Around::Nothing => ThingRef::World,
            Around::Question(cx) => cx.subject(level),
            Around::Scope(scope) => scope.subject(level),
        }
    }
}

impl Position<'_> {
    /// As [`Position::all`] says: each unit is asked straight where the condition reads only what is
    /// stored.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, in the order of the position.
    pub fn gathered(&self, id: ThingsId, cx: &Cx) -> Result<Vec<ThingRef>, EvalFault> {
        let things = &self.rules.things[id.index()];
        let units = self.rules.top(things.kind) == KindId::UNIT;
        if !units || things.place != Place::Anywhere {
            return self.all(id, cx);
        }
        let direct = things.condition.filter(|condition| self.is_direct(*condition, cx));
        let mut found = Vec::with_capacity(self.world.units.len());
        for (unit, row) in (0u32..).zip(&self.world.units) {
            if row.removed || !self.rules.is_kind(row.kind, things.kind) {
                continue;
            }
            let subject = ThingRef::Unit(unit);
            let viewer = cx.viewer.or_else(|| self.viewer_of(subject));
            let scope =
                Scope { around: Around::Question(cx), level: things.level, subject, viewer };
            let holds = match direct.and_then(|condition| self.truth(condition, &scope)) {
                Some(holds) => holds,
                None => self.meets(things, subject, cx)?,
            };
            if holds {
                found.push(subject);
            }
        }
        Ok(found)
    }

    /// As [`Position::holds`] says, straight where the condition reads only what is stored.
    ///
    /// # Errors
    ///
    /// What cannot be worked out.
    pub fn holds_directly(&self, id: ExprId, cx: &Cx) -> Result<bool, EvalFault> {
        if self.is_direct(id, cx) {
            let (around, subject) = (Around::Question(cx), cx.subject(0));
            let scope = Scope { around, level: 0, subject, viewer: cx.viewer };
            if let Some(holds) = self.truth(id, &scope) {
                return Ok(holds);
            }
        }
        self.holds(id, cx)
    }

    /// Whether a condition may be asked straight: what is counted for a report is counted by the
    /// evaluator, and so is asked what belongs to a step or a roll.
    fn is_direct(&self, id: ExprId, cx: &Cx) -> bool {
        let plain = cx.step.is_none() && cx.found.is_none();
        plain && !self.rules.seen.is_on() && self.board.is_direct(id)
    }

    /// Nothing where the evaluator has to be asked.
    fn truth(&self, id: ExprId, scope: &Scope<'_>) -> Option<bool> {
        match self.rules.node(id) {
            Node::And(parts) => {
                for part in parts {
                    if !self.truth(*part, scope)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Node::Or(parts) => {
                for part in parts {
                    if self.truth(*part, scope)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Node::Not(inner) => Some(!self.truth(*inner, scope)?),
            Node::Same(left, right) => {
                Some(self.stored(*left, scope)? == self.stored(*right, scope)?)
            }
            Node::Compare(left, op, right) => {
                match (self.stored(*left, scope)?, self.stored(*right, scope)?) {
                    (Stored::Number(a), Stored::Number(b)) => Some(op.holds(a.cmp(&b))),
                    _ => Some(false),
                }
            }
            Node::IsKind(of, kind) => {
                Some(self.thing(*of, scope)?.is_some_and(|of| self.is_kind(of, *kind)))
            }
            Node::Stands(of, stance) => {
                let of = self.thing(*of, scope)?;
                Some(of.is_some_and(|of| self.stands(of, *stance, scope.viewer)))
            }
            Node::Sides { left, right, how } => {
                match (self.thing(*left, scope)?, self.thing(*right, scope)?) {
                    (Some(ThingRef::Side(a)), Some(ThingRef::Side(b))) => {
                        Some(self.world.relation(a, b) == *how)
                    }
                    _ => Some(false),
                }
            }
            Node::Removed(of) => Some(match self.thing(*of, scope)? {
                Some(ThingRef::Unit(u)) => {
                    self.world.units.get(u as usize).is_some_and(|unit| unit.removed)
                }
                _ => false,
            }),
            Node::Any(things) => self.any(*things, scope),
            Node::Define(define, of) => {
                let define = &self.rules.defines[define.index()];
                match self.named_scope(*of, define.of, scope)? {
                    Some(scope) => self.truth(define.value, &scope),
                    None => Some(false),
                }
            }
            _ => Some(self.stored(id, scope)? == Stored::Truth(true)),
        }
    }

    fn stored(&self, id: ExprId, scope: &Scope<'_>) -> Option<Stored> {
        Some(match self.rules.node(id) {
            Node::Truth(truth) => Stored::Truth(*truth),
            Node::Number { over, under: 1 } => Stored::Number(*over),
            Node::Word(_, word) => Stored::Word(*word),
            Node::NoThing => Stored::Thing(None),
            Node::Unit(unit) => Stored::Thing(Some(ThingRef::Unit(*unit))),
            Node::Space(space) => Stored::Thing(Some(ThingRef::Space(*space))),
            Node::Side(side) => Stored::Thing(Some(ThingRef::Side(*side))),
            Node::Viewer => Stored::Thing(scope.viewer.map(ThingRef::Side)),
            Node::Subject(level) => Stored::Thing(Some(scope.subject(*level))),
            Node::Fact(fact, of) => self.fact_of(*fact, self.thing(*of, scope)?),
            Node::WorldFact(fact) => self.fact_of(*fact, Some(ThingRef::World)),
            Node::Ruling(ruling) => {
                Stored::Word(self.world.readings.get(ruling.index()).copied().unwrap_or(0))
            }
            Node::Verdict(trace, of, Asked::Kept) => match self.thing(*of, scope)? {
                Some(thing) => Stored::Word(u16::from(!self.world.kept(*trace, thing)?)),
                None => Stored::Word(1),
            },
            Node::Outcome(test, of) => {
                let thing = self.thing(*of, scope)?;
                let outcome = thing.and_then(|thing| self.world.outcome(*test, thing));
                outcome.map_or(Stored::Barred, Stored::Word)
            }
            Node::Rank(word) => match self.stored(*word, scope)? {
                Stored::Word(word) => Stored::Number(i64::from(word)),
                other => other,
            },
            Node::Define(define, of) => {
                let define = &self.rules.defines[define.index()];
                return match self.named_scope(*of, define.of, scope)? {
                    Some(scope) => self.stored(define.value, &scope),
                    None => Some(Stored::nothing(define.ty)),
                };
            }
            Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Same(..)
            | Node::Compare(..)
            | Node::IsKind(..)
            | Node::Stands(..)
            | Node::Sides { .. }
            | Node::Removed(_)
            | Node::Any(_) => Stored::Truth(self.truth(id, scope)?),
            _ => return None,
        })
    }

    fn thing(&self, id: ExprId, scope: &Scope<'_>) -> Option<Option<ThingRef>> {
        match self.rules.node(id) {
            Node::Subject(level) => Some(Some(scope.subject(*level))),
            _ => Some(match self.stored(id, scope)? {
                Stored::Thing(thing) => thing,
                _ => None,
            }),
        }
    }

    /// The question that a value which is said of a kind asks of its thing; none at all where that
    /// is not there, or has no such value.
    fn named_scope(
        &self,
        of: Option<ExprId>,
        said_of: Option<KindId>,
        scope: &Scope<'_>,
    ) -> Option<Option<Scope<'static>>> {
        let subject = match of {
            None => ThingRef::World,
            Some(of) => match self.thing(of, scope)? {
                Some(thing) if self.has(thing, said_of) => thing,
                _ => return Some(None),
            },
        };
        let viewer = scope.viewer.or_else(|| self.viewer_of(subject));
        Some(Some(Scope { around: Around::Nothing, level: 0, subject, viewer }))
    }

    /// Whether one at least of the units in a space is meant.
    fn any(&self, id: ThingsId, scope: &Scope<'_>) -> Option<bool> {
        let things = &self.rules.things[id.index()];
        let Place::In(of) = &things.place else { return None };
        let space = match self.thing(*of, scope)? {
            Some(ThingRef::Space(space)) => Some(space),
            Some(ThingRef::Unit(unit)) => self.world.space_of(unit),
            _ => None,
        };
        let standing = space.map_or(&[][..], |space| self.standing_in(space));
        if standing.len() > MOST_UNITS {
            return None;
        }
        for unit in standing {
            let subject = ThingRef::Unit(*unit);
            if !self.is_kind(subject, things.kind) {
                continue;
            }
            let viewer = scope.viewer.or_else(|| self.viewer_of(subject));
            let inner =
                Scope { around: Around::Scope(scope), level: things.level, subject, viewer };
            if things.condition.map_or(Some(true), |condition| self.truth(condition, &inner))? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// A fact as it is stored; 0 of no thing, or of a thing that has none such.
    fn fact_of(&self, id: FactId, of: Option<ThingRef>) -> Stored {
        let fact = &self.rules.facts[id.index()];
        let cell = match of {
            Some(of) if self.is_kind(of, fact.kind) => self.world.fact(fact, of),
            _ => 0,
        };
        match fact.ty {
            Type::Truth => Stored::Truth(cell != 0),
            Type::Number { .. } => Stored::Number(cell),
            Type::Word(_) => Stored::Word(u16::try_from(cell).unwrap_or(0)),
            Type::Thing { kind, .. } => Stored::Thing(self.decode(kind, cell)),
        }
    }
}

/// Whether a condition reads only what is stored, as far as the rules alone tell.
pub(super) fn is_direct(rules: &Ruleset, id: ExprId) -> bool {
    let mut left = MOST_PARTS;
    direct(rules, id, false, &mut left)
}

/// `listed` is said of what is asked of each unit of a space.
fn direct(rules: &Ruleset, id: ExprId, listed: bool, left: &mut u32) -> bool {
    let Some(fewer) = left.checked_sub(1) else { return false };
    *left = fewer;
    let mut all = |ids: &[ExprId]| ids.iter().all(|id| direct(rules, *id, listed, left));
    match rules.node(id) {
        Node::Truth(_)
        | Node::Number { under: 1, .. }
        | Node::Word(..)
        | Node::NoThing
        | Node::Unit(_)
        | Node::Space(_)
        | Node::Side(_)
        | Node::Viewer
        | Node::Subject(_)
        | Node::WorldFact(_)
        | Node::Ruling(_) => true,
        Node::And(parts) | Node::Or(parts) => all(parts),
        Node::Same(a, b) | Node::Compare(a, _, b) | Node::Sides { left: a, right: b, .. } => {
            all(&[*a, *b])
        }
        Node::Not(of)
        | Node::Fact(_, of)
        | Node::Verdict(_, of, Asked::Kept)
        | Node::Outcome(_, of)
        | Node::Rank(of)
        | Node::IsKind(of, _)
        | Node::Stands(of, _)
        | Node::Removed(of) => all(&[*of]),
        Node::Define(define, of) => {
            let value = rules.defines.get(define.index()).map(|define| define.value);
            let parts: Vec<ExprId> = of.iter().copied().chain(value).collect();
            value.is_some() && all(&parts)
        }
        Node::Any(things) => rules.things.get(things.index()).is_some_and(|things| {
            let units = rules.top(things.kind) == KindId::UNIT;
            match things.place {
                // Units within units would cost more than is counted here.
                Place::In(of) if units && !listed => {
                    let mut parts = things.condition.into_iter().chain([of]);
                    parts.all(|part| direct(rules, part, true, left))
                }
                _ => false,
            }
        }),
        Node::Nothing
        | Node::Number { .. }
        | Node::SpaceCalled(_)
        | Node::Table(..)
        | Node::Pair(..)
        | Node::Hook(..)
        | Node::Verdict(..)
        | Node::Evidence(..)
        | Node::WouldBe { .. }
        | Node::Total
        | Node::Natural
        | Node::Listed(..)
        | Node::Stopped(..)
        | Node::Chance(..)
        | Node::OverStep(_)
        | Node::StepEnd(_)
        | Node::Link(_)
        | Node::World
        | Node::LinkEnd(..)
        | Node::Chosen(..)
        | Node::Only(_)
        | Node::Count(_)
        | Node::Aggregate(..)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Extreme { .. } => false,
    }
}
