//! What an expression reads of the things that differ between the positions of a batch.

use std::cell::RefCell;

use indexmap::IndexMap;

use super::shape::Shape;
use crate::ir::*;
use crate::world::built_in;

/// What an expression reads: of its subjects by level, and whether it reads anything else that
/// varies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reads {
    /// Something that varies and that is no fact of a subject.
    pub varies: bool,
    /// The levels whose subject it reads at all.
    pub subjects: u128,
    /// The levels whose subject is asked where it stands.
    pub space: u128,
    /// The levels whose subject is asked who controls it.
    pub control: u128,
    /// Varying facts of a level's subject.
    pub facts: Vec<(u8, usize)>,
}

impl Reads {
    fn anything() -> Reads {
        Reads { varies: true, ..Reads::default() }
    }

    fn add(&mut self, other: Reads) {
        self.varies |= other.varies;
        self.subjects |= other.subjects;
        self.space |= other.space;
        self.control |= other.control;
        for fact in other.facts {
            if !self.facts.contains(&fact) {
                self.facts.push(fact);
            }
        }
    }

    /// Whether it reads nothing that varies, and no subject but that of a level, which is a space.
    pub(super) fn fixed_for_space(&self, level: u8) -> bool {
        !self.varies
            && self.control & bit(level) == 0
            && self.facts.is_empty()
            && self.subjects & !bit(level) == 0
    }

    /// Whether all it reads that varies is its own unit, the subject of a level, and where that
    /// stands.
    pub(super) fn of_unit_alone(&self, level: u8) -> bool {
        !self.varies && self.subjects & !bit(level) == 0
    }
}

/// The bit of a level.
pub(super) fn bit(level: u8) -> u128 {
    1u128.checked_shl(u32::from(level)).unwrap_or(0)
}

/// Reads expressions of one ruleset; named values and tables are read once.
pub(super) struct Reader<'a> {
    rules: &'a Ruleset,
    shape: &'a Shape,
    bodies: RefCell<IndexMap<Body, Reads>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Body {
    Define(DefineId),
    Table(TableId),
}

impl<'a> Reader<'a> {
    pub(super) fn new(rules: &'a Ruleset, shape: &'a Shape) -> Reader<'a> {
        Reader { rules, shape, bodies: RefCell::default() }
    }

    fn all<'e>(&self, parts: impl IntoIterator<Item = &'e ExprId>) -> Reads {
        let mut reads = Reads::default();
        for part in parts {
            reads.add(self.of(*part));
        }
        reads
    }

    /// What an expression reads.
    pub(super) fn of(&self, id: ExprId) -> Reads {
        match self.rules.node(id) {
            Node::Nothing
            | Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World => Reads::default(),
            Node::Side(_)
            | Node::Viewer
            | Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::SpaceCalled(_) => Reads::default(),
            Node::Subject(level) if bit(*level) == 0 => Reads::anything(),
            Node::Subject(level) => Reads { subjects: bit(*level), ..Reads::default() },
            Node::Fact(fact, of) => self.fact(*fact, *of),
            Node::Define(define, of) => self.inner(*of, Body::Define(*define)),
            Node::Table(table, _, of) => self.inner(*of, Body::Table(*table)),
            Node::Verdict(..) | Node::Evidence(..) | Node::WouldBe { .. } => Reads::anything(),
            Node::Outcome(..) | Node::Chance(..) | Node::Listed(..) | Node::Stopped(..) => {
                Reads::anything()
            }
            // What a script makes of what it reads is nobody's to say.
            Node::Hook(..) => Reads::anything(),
            // What is measured may depend on anything, and so may what is read of two things at
            // once.
            Node::Pair(..) => Reads::anything(),
            Node::Total
            | Node::Natural
            | Node::OverStep(_)
            | Node::StepEnd(_)
            | Node::LinkEnd(..)
            | Node::Chosen(..) => Reads::anything(),
            Node::Rank(of)
            | Node::IsKind(of, _)
            | Node::Not(of)
            | Node::Rounded(_, of)
            | Node::Removed(of) => self.of(*of),
            Node::Stands(of, _) => self.stands(*of),
            Node::Sides { left, right, .. }
            | Node::Same(left, right)
            | Node::Compare(left, _, right) => self.all([left, right]),
            Node::Arithmetic(left, _, right) | Node::Extreme { left, right, .. } => {
                self.all([left, right])
            }
            Node::And(parts) | Node::Or(parts) => self.all(parts),
            Node::Any(things) | Node::Only(things) | Node::Count(things) => {
                self.things(*things, None)
            }
            Node::Aggregate(_, value, things) => self.things(*things, Some(*value)),
        }
    }

    fn fact(&self, fact: FactId, of: ExprId) -> Reads {
        let mut reads = self.of(of);
        let varying = self.shape.varying_at(fact);
        match (self.rules.node(of), fact) {
            (Node::Subject(level), built_in::SPACE) => reads.space |= bit(*level),
            (Node::Subject(level), built_in::CONTROL) => reads.control |= bit(*level),
            (Node::Subject(level), _) => reads.facts.extend(varying.map(|v| (*level, v))),
            (_, built_in::SPACE | built_in::CONTROL) => reads.varies = true,
            _ => reads.varies |= varying.is_some(),
        }
        reads
    }

    /// How a space stands is by its control; how a unit or a side stands never varies.
    fn stands(&self, of: ExprId) -> Reads {
        let mut reads = self.of(of);
        match self.rules.node(of) {
            Node::Subject(level) => reads.control |= bit(*level),
            _ => reads.varies |= self.may_be_space(of),
        }
        reads
    }

    fn may_be_space(&self, id: ExprId) -> bool {
        match self.rules.node(id) {
            Node::Fact(fact, _) => match self.rules.facts.get(fact.index()).map(|f| f.ty) {
                Some(Type::Thing { kind, .. }) => {
                    self.rules.kinds.get(kind.index()).is_none_or(|k| k.top == KindId::SPACE)
                }
                _ => false,
            },
            Node::Viewer | Node::Side(_) | Node::Unit(_) | Node::NoThing => false,
            _ => true,
        }
    }

    /// A named value or a table asked of a thing: what it reads of its own subject it reads of that
    /// thing.
    fn inner(&self, of: Option<ExprId>, body: Body) -> Reads {
        let inner = self.body(body);
        let Some(of) = of else {
            return Reads { varies: inner.varies, ..Reads::default() };
        };
        let mut reads = self.of(of);
        reads.varies |= inner.varies;
        let own = [inner.space & 1 != 0, inner.control & 1 != 0, !inner.facts.is_empty()];
        match self.rules.node(of) {
            Node::Subject(level) => {
                reads.space |= if own[0] { bit(*level) } else { 0 };
                reads.control |= if own[1] { bit(*level) } else { 0 };
                reads.facts.extend(inner.facts.iter().map(|(_, v)| (*level, *v)));
            }
            _ => reads.varies |= own.contains(&true),
        }
        reads
    }

    fn body(&self, body: Body) -> Reads {
        if let Some(known) = self.bodies.borrow().get(&body) {
            return known.clone();
        }
        let reads = match body {
            Body::Define(define) => self.of(self.rules.defines[define.index()].value),
            Body::Table(table) => {
                let table = &self.rules.tables[table.index()];
                let mut reads = Reads::default();
                for row in &table.rows {
                    let (per, beyond) = row.per.map_or((None, None), |(p, b)| (Some(p), b));
                    reads.add(
                        self.all(
                            row.when
                                .iter()
                                .chain(&per)
                                .chain(&beyond)
                                .chain(row.values.iter().flatten()),
                        ),
                    );
                }
                let (low, high) = table.kept.map_or((None, None), |(l, h)| (Some(l), Some(h)));
                reads.add(self.all(low.iter().chain(&high)));
                reads
            }
        };
        self.bodies.borrow_mut().insert(body, reads.clone());
        reads
    }

    fn things(&self, id: ThingsId, value: Option<ExprId>) -> Reads {
        let things = &self.rules.things[id.index()];
        let mut reads = Reads::default();
        reads.varies |= matches!(things.place, Place::AdjacentNotOver(..));
        if let Place::In(of) | Place::Adjacent(of, _) | Place::Within(_, of, _) = &things.place {
            reads.add(self.of(*of));
            match self.rules.node(*of) {
                Node::Subject(level) => reads.space |= bit(*level),
                // A unit as a place is the space it stands in.
                Node::Fact(..) if self.may_be_space(*of) => {}
                Node::Space(_) | Node::Link(_) | Node::World => {}
                _ => reads.varies = true,
            }
        }
        let top = self.rules.kinds.get(things.kind.index()).map_or(KindId::UNIT, |k| k.top);
        reads.varies |= top == KindId::UNIT && things.place != Place::Anywhere;
        let mut inner = self.all(things.condition.iter().chain(&value));
        let own = bit(things.level);
        reads.varies |= inner.facts.iter().any(|(l, _)| *l == things.level);
        reads.varies |= top == KindId::UNIT && inner.space & own != 0;
        reads.varies |= top == KindId::SPACE && inner.control & own != 0;
        reads.varies |= own == 0;
        inner.facts.retain(|(l, _)| *l != things.level);
        for levels in [&mut inner.subjects, &mut inner.space, &mut inner.control] {
            *levels &= !own;
        }
        reads.add(inner);
        reads
    }
}
