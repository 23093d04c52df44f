//! What costs and gates of a trace read of the thing whose line it is: things that look the same to
//! them share their searches.

use super::id_map::IdMap;
use super::meter::Named;
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::{ThingRef, built_in};

/// What a trace reads of the thing whose line it is, beside its kind and side; none where that is
/// more than facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MoverFacts {
    /// The facts that costs read. Where it stands is not among them: it stands in the space that it
    /// enters.
    pub costs: Option<Vec<FactId>>,
    /// The facts that gates, sources and relays read; where it stands may be among them.
    pub gates: Option<Vec<FactId>>,
}

/// What tells things apart as far as the gates of a trace read them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Mover {
    /// Its kind and facts.
    Facts(Box<[i64]>),
    /// The thing itself.
    Thing(ThingRef),
}

impl MoverFacts {
    pub(super) fn of(rules: &Ruleset, rule: &Trace) -> MoverFacts {
        let costs: Vec<ExprId> = rule.legs.iter().filter_map(|leg| leg.cost).collect();
        MoverFacts {
            costs: all_read(rules, &costs, 0, false),
            gates: all_read(rules, &rule.gates(), 0, true),
        }
    }
}

/// The facts of the subject of a level that a condition on it reads, where it stands among them;
/// none if it reads more of it than its facts and kind, or the subject of a level below.
pub(super) fn facts_read(rules: &Ruleset, when: ExprId, level: u8) -> Option<Vec<FactId>> {
    all_read(rules, &[when], level, true)
}

fn all_read(rules: &Ruleset, starts: &[ExprId], level: u8, gates: bool) -> Option<Vec<FactId>> {
    let mut reader = Reader { rules, level, gates, facts: Vec::new(), seen: IdMap::default() };
    reader.all(starts).then_some(reader.facts)
}

struct Reader<'r> {
    rules: &'r Ruleset,
    /// The level of the subject; 0 in the body of what is named.
    level: u8,
    /// Whether gates are read, which ask where the thing stands and look around.
    gates: bool,
    facts: Vec<FactId>,
    seen: IdMap<Named, ()>,
}

impl Reader<'_> {
    fn is_subject(&self, id: ExprId) -> bool {
        *self.rules.node(id) == Node::Subject(self.level)
    }

    fn all(&mut self, ids: &[ExprId]) -> bool {
        ids.iter().all(|id| self.read(*id))
    }

    /// What is named has its thing at level 0.
    fn body(&mut self, ids: &[ExprId]) -> bool {
        let level = std::mem::replace(&mut self.level, 0);
        let plain = self.all(ids);
        self.level = level;
        plain
    }

    fn fact(&mut self, fact: FactId) -> bool {
        if (self.gates || fact != built_in::SPACE) && !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
        true
    }

    /// The facts of the subject that an expression reads; false if it reads more of it than its
    /// facts and kind.
    fn read(&mut self, id: ExprId) -> bool {
        let rules = self.rules;
        match rules.node(id) {
            Node::Fact(fact, of) if self.is_subject(*of) => self.fact(*fact),
            Node::Stands(of, _) if self.gates && self.is_subject(*of) => {
                self.fact(built_in::OWNER) && self.fact(built_in::CONTROL)
            }
            Node::Fact(_, of) => self.read(*of),
            Node::Define(define, Some(of)) if self.is_subject(*of) => {
                self.seen.insert(Named::Define(*define), ()).is_some()
                    || self.body(&[rules.defines[define.index()].value])
            }
            // What has been read once reads no more the second time.
            Node::Table(table, result, Some(of)) if self.is_subject(*of) => {
                if self.seen.insert(Named::Table(*table, *result), ()).is_some() {
                    return true;
                }
                let table = &rules.tables[table.index()];
                table.kept.is_none()
                    && table.rows.iter().all(|row| {
                        let values = row.values.iter().flatten().copied().chain(row.when);
                        row.per.is_none() && self.body(&values.collect::<Vec<_>>())
                    })
            }
            // Of another thing, a named value reads nothing of the subject but what leads to that
            // thing.
            Node::Define(_, Some(of)) | Node::Table(_, _, Some(of)) => self.read(*of),
            // Candidates of a gate have levels of their own.
            Node::Subject(level) => self.gates && *level > self.level,
            Node::Any(things) | Node::Only(things) | Node::Count(things) if self.gates => {
                self.things(*things, None)
            }
            Node::Aggregate(_, value, things) if self.gates => self.things(*things, Some(*value)),
            Node::And(parts) | Node::Or(parts) => self.all(parts),
            Node::Not(a) | Node::Stands(a, _) | Node::Rounded(_, a) | Node::Rank(a) => {
                self.read(*a)
            }
            Node::Same(a, b)
            | Node::Compare(a, _, b)
            | Node::Arithmetic(a, _, b)
            | Node::Extreme { left: a, right: b, .. } => self.all(&[*a, *b]),
            Node::Sides { left, right, .. } if self.gates => self.all(&[*left, *right]),
            Node::IsKind(of, _) => self.is_subject(*of) || self.read(*of),
            Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::SpaceCalled(_)
            | Node::Side(_)
            | Node::Viewer
            | Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::Define(_, None)
            | Node::Table(_, _, None)
            | Node::OverStep(_)
            | Node::StepEnd(_)
            | Node::LinkEnd(..)
            | Node::Nothing => true,
            // What else is asked of other things alone reads nothing of this one.
            Node::Any(_)
            | Node::Only(_)
            | Node::Count(_)
            | Node::Aggregate(..)
            | Node::Sides { .. }
            | Node::Pair(..)
            | Node::Hook(..)
            | Node::Verdict(..)
            | Node::Evidence(..)
            | Node::WouldBe { .. }
            | Node::Total
            | Node::Natural
            | Node::Outcome(..)
            | Node::Listed(..)
            | Node::Stopped(..)
            | Node::Chance(..)
            | Node::Removed(_)
            | Node::Chosen(..) => {
                self.gates && (0..=self.level).all(|level| !rules.reads_level(id, level))
            }
        }
    }

    fn things(&mut self, id: ThingsId, value: Option<ExprId>) -> bool {
        let Some(things) = self.rules.things.get(id.index()) else { return false };
        let place = match things.place.space() {
            Some(of) if self.is_subject(of) => self.fact(built_in::SPACE),
            Some(of) => self.read(of),
            None => true,
        };
        let parts: Vec<ExprId> = things.condition.into_iter().chain(value).collect();
        things.level > self.level && place && self.all(&parts)
    }
}

impl Position<'_> {
    /// What tells a thing apart as far as the gates of a trace read it; none where they do not.
    pub(super) fn mover(&self, trace: TraceId, thing: ThingRef) -> Option<Mover> {
        if !self.rules.traces[trace.index()].per_subject {
            return None;
        }
        let facts = self.board.mover_facts(trace);
        let row = |kind: Option<KindId>, facts: &Vec<FactId>| {
            let kind = kind.map_or(-1, |kind| i64::from(kind.0));
            let fact = |fact: &FactId| {
                let fact = self.rules.facts.get(fact.index());
                fact.map_or(0, |fact| self.world.fact(fact, thing))
            };
            std::iter::once(kind).chain(facts.iter().map(fact)).collect()
        };
        Some(match (thing, &facts.gates) {
            (ThingRef::Unit(unit), Some(facts)) => {
                Mover::Facts(row(self.world.units.get(unit as usize).map(|u| u.kind), facts))
            }
            // A space stands in itself alone.
            (ThingRef::Space(space), Some(facts)) if !facts.contains(&built_in::SPACE) => {
                Mover::Facts(row(self.map.spaces.get(space as usize).map(|s| s.kind), facts))
            }
            (
                ThingRef::Unit(_)
                | ThingRef::Space(_)
                | ThingRef::Link(_)
                | ThingRef::Side(_)
                | ThingRef::World,
                Some(_) | None,
            ) => Mover::Thing(thing),
        })
    }

    /// The place of the gates of a thing among the different ones of its trace and side; always the
    /// same where the gates do not read it.
    pub(super) fn gates_number(&self, trace: TraceId, thing: ThingRef) -> Result<usize, EvalFault> {
        if !self.rules.traces[trace.index()].per_subject {
            return Ok(0);
        }
        let gates = self.gates(trace, thing)?;
        let known = self.worked.gates.borrow();
        Ok(known.values().position(|other| std::sync::Arc::ptr_eq(other, &gates)).unwrap_or(0))
    }
}
