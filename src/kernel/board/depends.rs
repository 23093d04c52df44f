//! What the value of an expression depends on: the facts of its own thing, where that stands, the
//! rest of the position.

use std::sync::Arc;

use super::Board;
use crate::ir::*;
use crate::world::built_in;

/// What an expression reads of the subject of one level, and of anything else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Depends {
    /// Facts of the thing itself.
    pub facts: Vec<FactId>,
    /// Facts of the space where the thing stands.
    pub here: Vec<FactId>,
    /// Whether it asks the kind of that space, or whether there is one.
    pub stands: bool,
    /// The kinds of link it asks the step for.
    pub over: Vec<KindId>,
    /// Whether it asks for the space that the step leaves.
    pub leaves: bool,
    /// Facts of that space; they are among those of `here` too, for either is a space of the map.
    pub last: Vec<FactId>,
    /// Whether it asks who asks.
    pub viewer: bool,
    /// Whether it reads what is the same for all things of a position, and not in the next one.
    pub world: bool,
    /// Whether it reads facts of the world.
    pub values: bool,
    /// Whether some of that is more than readings, relations and the facts of the world and its
    /// sides.
    pub named: bool,
    /// How far away units can be that it counts.
    pub units: Option<u32>,
    /// Whether it reads the subject of another level.
    pub other: bool,
    /// Whether it reads anything else.
    pub beyond: bool,
}

impl Depends {
    /// Whether things with the same facts have the same value.
    pub(in crate::kernel) fn by_facts(&self) -> bool {
        !self.other && !self.beyond && self.units.is_none()
    }

    /// Whether the value is printed on the map.
    pub(in crate::kernel) fn still(&self, still: impl Fn(FactId) -> bool) -> bool {
        self.by_facts()
            && !self.viewer
            && !self.world
            && !self.stands
            && self.here.is_empty()
            && self.facts.iter().all(|f| still(*f))
    }

    pub(in crate::kernel) fn add(&mut self, other: &Depends) {
        let join = |to: &mut Vec<FactId>, from: &[FactId]| {
            for fact in from {
                if !to.contains(fact) {
                    to.push(*fact);
                }
            }
        };
        join(&mut self.facts, &other.facts);
        join(&mut self.here, &other.here);
        join(&mut self.last, &other.last);
        for kind in &other.over {
            if !self.over.contains(kind) {
                self.over.push(*kind);
            }
        }
        self.leaves |= other.leaves;
        self.stands |= other.stands;
        self.viewer |= other.viewer;
        self.world |= other.world;
        self.values |= other.values;
        self.named |= other.named;
        self.units = self.units.max(other.units);
        self.other |= other.other;
        self.beyond |= other.beyond;
    }

    /// Of a thing that is `bound`, the subject of level 0, nothing depends: it is one and the same
    /// for all.
    pub(super) fn of(board: &Board<'_>, id: ExprId, level: u8, bound: bool) -> Depends {
        let (near, found) = (Vec::new(), Depends::default());
        let mut reader = Reader { board, level, bound: bound && level > 0, near, found };
        reader.read(id);
        reader.found
    }
}

/// What an expression stands for, where it is a thing.
enum Whose {
    /// The thing of the level.
    Own,
    /// The space where that thing stands.
    Here,
    /// The space that its step leaves.
    Last,
    /// A unit near that thing, a candidate of a noun phrase.
    Near,
    /// The same for all.
    Fixed,
    /// The thing whose line is asked about, or the space where it stands.
    Bound,
    Other,
}

struct Reader<'b, 'r> {
    board: &'b Board<'r>,
    level: u8,
    /// Whether the subject of level 0 is the same for all.
    bound: bool,
    /// Levels whose subject is a unit that stands near.
    near: Vec<u8>,
    found: Depends,
}

impl Reader<'_, '_> {
    fn whose(&self, id: ExprId) -> Whose {
        match self.board.rules.node(id) {
            Node::Subject(level) if *level == self.level => Whose::Own,
            Node::Subject(level) if self.near.contains(level) => Whose::Near,
            Node::Subject(0) if self.bound => Whose::Bound,
            Node::Fact(built_in::SPACE, of) if matches!(self.whose(*of), Whose::Own) => Whose::Here,
            Node::Fact(built_in::SPACE, of) if matches!(self.whose(*of), Whose::Bound) => {
                Whose::Bound
            }
            Node::StepEnd(next) if self.level == 0 => match next {
                true => Whose::Here,
                false => Whose::Last,
            },
            Node::Unit(_)
            | Node::Space(_)
            | Node::Side(_)
            | Node::NoThing
            | Node::SpaceCalled(_) => Whose::Fixed,
            _ => Whose::Other,
        }
    }

    /// What a part reads that stands in the same scope, with the same subject of level 0.
    fn beside(&self, id: ExprId, level: u8) -> Arc<Depends> {
        if self.bound { self.board.depends_bound(id, level) } else { self.board.depends(id, level) }
    }

    fn all<'e>(&mut self, ids: impl IntoIterator<Item = &'e ExprId>) {
        ids.into_iter().for_each(|id| self.read(*id));
    }

    fn read(&mut self, id: ExprId) {
        match self.board.rules.node(id) {
            Node::Nothing
            | Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing => {}
            Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::SpaceCalled(_)
            | Node::Side(_) => {}
            Node::Viewer => self.found.viewer = true,
            Node::Ruling(_) => self.found.world = true,
            Node::WorldFact(_) => {
                self.found.world = true;
                self.found.values = true;
            }
            Node::Subject(level) if *level == self.level || self.near.contains(level) => {
                self.found.beyond = true
            }
            Node::Subject(0) if self.bound => {}
            Node::Subject(_) => self.found.other = true,
            Node::Fact(fact, of) => self.fact(*fact, *of),
            Node::Define(define, of) => {
                self.inner(*of, &[self.board.rules.defines[define.index()].value])
            }
            Node::Table(table, _, of) => {
                let parts = self.board.rules.tables[table.index()].parts();
                self.inner(*of, &parts);
            }
            Node::OverStep(kind) => self.found.over.push(*kind),
            Node::LinkEnd(of, _) => self.beyond(&[*of]),
            Node::StepEnd(next) => {
                self.found.beyond = true;
                self.found.leaves |= !next;
            }
            Node::IsKind(of, _) => self.thing(*of, None),
            Node::Stands(of, _) => {
                self.found.viewer = true;
                self.found.world = true;
                let unit = match self.whose(*of) {
                    Whose::Own => Some([built_in::OWNER, built_in::CONTROL].as_slice()),
                    Whose::Here | Whose::Last => Some([built_in::CONTROL].as_slice()),
                    _ => None,
                };
                match unit {
                    Some(facts) => facts.iter().for_each(|f| self.thing(*of, Some(*f))),
                    None => self.thing(*of, None),
                }
            }
            Node::And(parts) | Node::Or(parts) => self.all(parts),
            Node::Not(a) | Node::Rounded(_, a) | Node::Rank(a) => self.read(*a),
            Node::Sides { left, right, .. } => {
                self.found.world = true;
                self.all([left, right]);
            }
            Node::Same(a, b)
            | Node::Compare(a, _, b)
            | Node::Arithmetic(a, _, b)
            | Node::Extreme { left: a, right: b, .. } => {
                self.all([a, b]);
            }
            Node::Any(things) | Node::Only(things) | Node::Count(things) => {
                self.things(*things, None)
            }
            Node::Aggregate(_, value, things) => self.things(*things, Some(*value)),
            // Whose answer it is belongs to what is read: a condition on far things may ask it of
            // this very thing.
            Node::Verdict(_, of, _)
            | Node::Evidence(_, _, of, _)
            | Node::Outcome(_, of)
            | Node::Chance(_, _, of) => self.beyond(&[*of]),
            Node::WouldBe { subject, space, .. } => self.beyond(&[*subject, *space]),
            // What a script makes of what it reads is nobody's to say, and a choice is made in a
            // step.
            Node::Hook(_, of) => self.beyond(of.as_slice()),
            Node::Chosen(_, of) | Node::Removed(of) => self.beyond(&[*of]),
            Node::Listed(_, of, _) | Node::Stopped(_, of) => self.seen(&[*of]),
            // Two things at once are no facts of one of them; the owner of one of them, or who
            // asks, sees them.
            Node::Pair(_, a, b) => self.seen(&[*a, *b]),
            Node::Total | Node::Natural => self.found.beyond = true,
        }
        // How a ruling rounds is a reading of the position.
        self.found.world |=
            matches!(self.board.rules.node(id), Node::Rounded(RoundBy::Ruling(..), _));
    }

    /// More is read of these than their facts.
    fn beyond(&mut self, of: &[ExprId]) {
        self.found.beyond = true;
        self.all(of);
    }

    /// The same, as somebody sees it.
    fn seen(&mut self, of: &[ExprId]) {
        self.found.viewer = true;
        self.beyond(of);
    }

    /// A thing is asked its kind, or a fact.
    fn thing(&mut self, of: ExprId, fact: Option<FactId>) {
        match self.whose(of) {
            Whose::Own => self.found.facts.extend(fact.filter(|f| !self.found.facts.contains(f))),
            Whose::Here => {
                self.found.stands = true;
                self.found.here.extend(fact.filter(|f| !self.found.here.contains(f)));
            }
            Whose::Last => {
                self.found.leaves = true;
                let new = |all: &Vec<FactId>| fact.filter(|f| !all.contains(f));
                self.found.here.extend(new(&self.found.here));
                self.found.last.extend(new(&self.found.last));
            }
            Whose::Near | Whose::Bound => {}
            Whose::Fixed => {
                self.found.world = true;
                self.found.named = true;
            }
            Whose::Other => {
                self.found.beyond = true;
                self.read(of);
            }
        }
    }

    fn fact(&mut self, fact: FactId, of: ExprId) {
        // A unit that a fact names may leave the game, which the fact itself does not tell.
        let names_unit = match self.board.rules.facts.get(fact.index()).map(|f| f.ty) {
            Some(Type::Thing { kind, .. }) => self.board.rules.top(kind) == KindId::UNIT,
            _ => false,
        };
        self.found.world |= names_unit;
        self.found.named |= names_unit;
        // Where a thing stands is a key of its own only as far as that space is asked for its
        // facts.
        if fact == built_in::SPACE && matches!(self.whose(of), Whose::Own) {
            self.found.beyond = true;
        }
        self.thing(of, Some(fact));
    }

    /// A named value or a table, asked of a thing.
    fn inner(&mut self, of: Option<ExprId>, parts: &[ExprId]) {
        let mut inner = Depends::default();
        for part in parts {
            inner.add(&self.board.depends(*part, 0));
        }
        self.found.viewer |= inner.viewer;
        self.found.named |= inner.named;
        self.found.values |= inner.values;
        let Some(of) = of else {
            self.found.world = true;
            self.found.named |= !inner.by_facts();
            return;
        };
        // Its own subjects are not those of this question.
        inner.beyond |= inner.other;
        inner.other = false;
        match self.whose(of) {
            Whose::Own => self.found.add(&inner),
            Whose::Here => {
                self.found.stands = true;
                let by_facts = inner.by_facts() && !inner.stands && inner.here.is_empty();
                let here = std::mem::take(&mut inner.facts);
                inner.here = here;
                inner.beyond |= !by_facts;
                inner.units = None;
                self.found.add(&inner);
            }
            Whose::Last => {
                let by_facts = inner.by_facts() && !inner.stands && inner.here.is_empty();
                inner.here = std::mem::take(&mut inner.facts);
                inner.last.clone_from(&inner.here);
                inner.leaves = true;
                inner.beyond |= !by_facts;
                inner.units = None;
                self.found.add(&inner);
            }
            Whose::Near if inner.by_facts() && !inner.stands && inner.here.is_empty() => {
                inner.facts.clear();
                self.found.add(&inner);
            }
            Whose::Fixed => {
                self.found.world = true;
                self.found.named = true;
            }
            Whose::Bound => {}
            _ => {
                self.found.beyond = true;
                self.read(of);
            }
        }
    }

    fn things(&mut self, id: ThingsId, value: Option<ExprId>) {
        let things = &self.board.rules.things[id.index()];
        let units = self.board.rules.top(things.kind) == KindId::UNIT;
        let (place, reach) = match &things.place {
            Place::Anywhere => (None, 0),
            Place::In(of) => (Some(*of), 0),
            Place::Adjacent(of, _) | Place::AdjacentNotOver(of, _) => (Some(*of), 1),
            Place::Within(n, of, _) => (Some(*of), *n),
        };
        let parts: Vec<ExprId> = things.condition.into_iter().chain(value).collect();
        match place {
            Some(of) if units && matches!(self.whose(of), Whose::Own) => {
                self.found.units = self.found.units.max(Some(reach));
                self.near.push(things.level);
                self.all(&parts);
                self.near.pop();
            }
            // The same of all things, if the condition reads nothing but its own candidates.
            None if parts.iter().all(|p| !self.beside(*p, things.level).other) => {
                self.found.world = true;
                self.found.named = true;
                self.found.viewer |= parts.iter().any(|p| self.beside(*p, things.level).viewer);
            }
            _ => {
                self.found.beyond = true;
                if let Some(of) = place {
                    self.read(of);
                }
                self.near.push(things.level);
                self.all(&parts);
                self.near.pop();
            }
        }
    }
}
