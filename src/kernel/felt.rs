//! How far away a change of units or of control can be felt by a condition, and which facts of whom
//! it reads.
//!
//! Always on the safe side: what is felt at a place is within the distance given here, or said to
//! be felt anywhere.

use std::cell::RefCell;

use indexmap::IndexMap;

use crate::ir::*;
use crate::world::built_in;

/// Where a change is felt by an expression, and what it reads of things.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Felt {
    /// How far around the thing of level 1; none if nothing there matters.
    pub space: Option<u32>,
    /// How far around where the thing of level 0 stands.
    pub home: Option<u32>,
    /// Whether it asks in which space the thing of level 0 stands. Only a change that moves that
    /// very thing is felt by this.
    pub stands: bool,
    /// Whether a change may be felt wherever it happens.
    pub anywhere: bool,
    /// Facts asked of the thing of level 0.
    pub own: Vec<FactId>,
    /// Facts asked of anything else.
    pub others: Vec<FactId>,
    /// Facts asked of the world.
    pub of_world: Vec<FactId>,
    /// Whether more than the facts that stand here may be asked.
    pub more: bool,
    /// Whether it asks who controls a space.
    pub control: bool,
    /// Whether it asks which side asks.
    pub viewed: bool,
}

impl Felt {
    /// Whether no change of units or of control is felt at all, unless it moves the thing of level
    /// 0 itself.
    pub fn nothing(&self) -> bool {
        self.space.is_none() && self.home.is_none() && !self.anywhere
    }

    /// Both together.
    pub fn add(&mut self, other: &Felt) {
        self.space = self.space.max(other.space);
        self.home = self.home.max(other.home);
        self.stands |= other.stands;
        self.anywhere |= other.anywhere;
        self.more |= other.more;
        self.control |= other.control;
        self.viewed |= other.viewed;
        join(&mut self.own, &other.own);
        join(&mut self.others, &other.others);
        join(&mut self.of_world, &other.of_world);
    }
}

fn join(to: &mut Vec<FactId>, from: &[FactId]) {
    for fact in from {
        if !to.contains(fact) {
            to.push(*fact);
        }
    }
}

/// Where a thing is that an expression stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// so far from the thing of level 0
    Home(u32),
    /// so far from the thing of level 1
    Space(u32),
    /// in no place: a side, the world, nothing
    Nowhere,
    /// not known
    Anywhere,
}

impl Where {
    fn farther(self, by: u32) -> Where {
        match self {
            Where::Home(n) => Where::Home(n.saturating_add(by)),
            Where::Space(n) => Where::Space(n.saturating_add(by)),
            other => other,
        }
    }
}

/// Whether a trace is about spaces and asks which side asks, so that without one there is no
/// answer.
#[must_use]
pub fn needs_viewer(rules: &Ruleset, trace: TraceId) -> bool {
    !rules.sides.is_empty() && rules.traces.get(trace.index()).is_some_and(|t| t.viewed)
}

/// Reads expressions of one ruleset; named values and tables are read once.
pub(super) struct Reader<'r> {
    rules: &'r Ruleset,
    bodies: RefCell<IndexMap<(bool, usize), Felt>>,
}

impl<'r> Reader<'r> {
    pub fn new(rules: &'r Ruleset) -> Reader<'r> {
        Reader { rules, bodies: RefCell::default() }
    }

    /// Where a change is felt by an expression with the subject at level 0 and a space at level 1.
    pub fn of(&self, id: ExprId) -> Felt {
        let mut reading = Reading {
            reader: self,
            levels: vec![Where::Home(0), Where::Space(0)],
            found: Felt::default(),
        };
        reading.read(id);
        reading.found
    }

    /// What a named value or a table feels around its own thing, which is its level 0.
    fn body(&self, key: (bool, usize)) -> Felt {
        if let Some(known) = self.bodies.borrow().get(&key) {
            return known.clone();
        }
        let parts = if key.0 {
            self.rules.tables[key.1].parts()
        } else {
            vec![self.rules.defines[key.1].value]
        };
        let mut reading =
            Reading { reader: self, levels: vec![Where::Home(0)], found: Felt::default() };
        reading.all(&parts);
        let found = reading.found;
        self.bodies.borrow_mut().insert(key, found.clone());
        found
    }
}

struct Reading<'b, 'r> {
    reader: &'b Reader<'r>,
    levels: Vec<Where>,
    found: Felt,
}

impl Reading<'_, '_> {
    fn place(&self, id: ExprId) -> Where {
        let rules = self.reader.rules;
        match rules.node(id) {
            Node::Subject(level) => {
                self.levels.get(usize::from(*level)).copied().unwrap_or(Where::Anywhere)
            }
            // Where a unit stands is where it is.
            Node::Fact(built_in::SPACE, of) => self.place(*of),
            Node::Fact(fact, _) | Node::WorldFact(fact) => {
                match rules.facts.get(fact.index()).map(|f| f.ty) {
                    Some(Type::Thing { kind, .. }) if rules.top(kind) != KindId::SIDE => {
                        Where::Anywhere
                    }
                    _ => Where::Nowhere,
                }
            }
            Node::Side(_) | Node::Viewer | Node::NoThing => Where::Nowhere,
            _ => Where::Anywhere,
        }
    }

    /// Whether an expression is the subject; where there is none, level 0 is one of the things
    /// looked through.
    fn is_subject(&self, id: ExprId) -> bool {
        matches!(self.reader.rules.node(id), Node::Subject(0))
            && self.levels.first() == Some(&Where::Home(0))
    }

    /// A change at a place is felt, or that far around it.
    fn feel(&mut self, at: Where, around: u32) {
        match at.farther(around) {
            Where::Home(n) => self.found.home = self.found.home.max(Some(n)),
            Where::Space(n) => self.found.space = self.found.space.max(Some(n)),
            Where::Nowhere => {}
            Where::Anywhere => self.found.anywhere = true,
        }
    }

    fn all(&mut self, ids: &[ExprId]) {
        ids.iter().for_each(|id| self.read(*id));
    }

    fn read(&mut self, id: ExprId) {
        match self.reader.rules.node(id) {
            Node::Nothing
            | Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing => {}
            Node::Viewer => self.found.viewed = true,
            Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::SpaceCalled(_)
            | Node::Side(_)
            | Node::Subject(_) => {}
            Node::Ruling(_)
            | Node::Total
            | Node::Natural
            | Node::OverStep(_)
            | Node::StepEnd(_)
            | Node::LinkEnd(..) => {}
            Node::WorldFact(fact) => join(&mut self.found.of_world, &[*fact]),
            // What was rolled stays as it is; of which thing it is asked may be a fact.
            Node::Outcome(_, of) | Node::Stopped(_, of) => self.read(*of),
            Node::Fact(fact, of) => {
                let at = self.place(*of);
                match *fact {
                    built_in::SPACE if self.is_subject(*of) => self.found.stands = true,
                    built_in::SPACE => self.feel(at, 0),
                    built_in::CONTROL => {
                        self.found.control = true;
                        self.feel(at, 0);
                    }
                    _ => {}
                }
                let own = self.is_subject(*of);
                join(if own { &mut self.found.own } else { &mut self.found.others }, &[*fact]);
                self.read(*of);
            }
            Node::Stands(of, _) => {
                self.found.control = true;
                self.found.viewed = true;
                let at = self.place(*of);
                self.feel(at, 0);
                self.read(*of);
            }
            Node::Define(define, of) => self.inner(*of, (false, define.index())),
            Node::Table(table, _, of) => self.inner(*of, (true, table.index())),
            // Another answer looks as far as its lines run, a script as far as what it reads, and
            // two things lie anywhere.
            Node::Hook(..)
            | Node::Verdict(..)
            | Node::Evidence(..)
            | Node::WouldBe { .. }
            | Node::Chance(..)
            | Node::Chosen(..)
            | Node::Pair(..)
            | Node::Listed(..) => {
                self.found.anywhere = true;
                self.found.more = true;
                self.found.control = true;
                self.found.viewed = true;
            }
            Node::And(parts) | Node::Or(parts) => self.all(parts),
            Node::IsKind(a, _)
            | Node::Not(a)
            | Node::Rounded(_, a)
            | Node::Rank(a)
            | Node::Removed(a) => self.read(*a),
            Node::Sides { left: a, right: b, .. }
            | Node::Same(a, b)
            | Node::Compare(a, _, b)
            | Node::Arithmetic(a, _, b)
            | Node::Extreme { left: a, right: b, .. } => self.all(&[*a, *b]),
            Node::Any(things) | Node::Only(things) | Node::Count(things) => {
                self.things(*things, None)
            }
            Node::Aggregate(_, value, things) => self.things(*things, Some(*value)),
        }
    }

    fn inner(&mut self, of: Option<ExprId>, key: (bool, usize)) {
        let body = self.reader.body(key);
        let at = of.map_or(Where::Nowhere, |of| self.place(of));
        let own = of.is_some_and(|of| self.is_subject(of));
        if let Some(around) = body.home {
            self.feel(at, around);
        }
        if body.stands && own {
            self.found.stands = true;
        } else if body.stands {
            self.feel(at, 0);
        }
        self.found.anywhere |= body.anywhere;
        self.found.more |= body.more;
        self.found.control |= body.control;
        self.found.viewed |= body.viewed;
        join(if own { &mut self.found.own } else { &mut self.found.others }, &body.own);
        join(&mut self.found.others, &body.others);
        join(&mut self.found.of_world, &body.of_world);
        if let Some(of) = of {
            self.read(of);
        }
    }

    fn things(&mut self, id: ThingsId, value: Option<ExprId>) {
        let things = &self.reader.rules.things[id.index()];
        let top = self.reader.rules.top(things.kind);
        let at = match &things.place {
            Place::Anywhere if top == KindId::SIDE || top == KindId::WORLD => Where::Nowhere,
            Place::Anywhere => Where::Anywhere,
            Place::In(of) => self.around(*of, 0),
            Place::Adjacent(of, _) | Place::AdjacentNotOver(of, _) => self.around(*of, 1),
            Place::Within(n, of, _) => self.around(*of, *n),
        };
        if top == KindId::UNIT {
            self.feel(at, 0);
        }
        let level = usize::from(things.level);
        let before = self.levels.clone();
        self.levels.resize(self.levels.len().max(level + 1), Where::Anywhere);
        self.levels[level] = at;
        self.all(&things.condition.into_iter().chain(value).collect::<Vec<_>>());
        self.levels = before;
    }

    fn around(&mut self, of: ExprId, by: u32) -> Where {
        self.read(of);
        self.place(of).farther(by)
    }
}
