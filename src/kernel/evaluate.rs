//! The slow and obvious evaluator: an expression, a position, who asks and about what; nothing is prepared.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;
use num_traits::Zero;

use super::field::{Field, Gates, Profile, Relaxed};
use super::{Amount, Answer, EvalFault, Value, exact};
use crate::ir::*;
use crate::map::Map;
use crate::world::{ThingRef, World, built_in};

/// What the gates of a trace depend on beside the position: the side, and the thing where a trace reads it.
type GatesKey = (TraceId, Option<SideId>, Option<ThingRef>);

/// A position to ask: rules, map and world, with the fields already searched.
pub struct Position<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The map.
    pub map: &'a Map,
    /// The position.
    pub world: &'a World,
    /// The side that asks about spaces while a rule of a side is worked out.
    pub(super) asking: Cell<Option<SideId>>,
    /// The units in each space, gathered when first asked for.
    standing: OnceCell<Vec<Vec<u32>>>,
    /// Gates by trace, side and thing (the thing only where a trace reads it).
    gates: RefCell<IndexMap<GatesKey, Rc<Gates>>>,
    /// Fields by trace and all that they depend on beside the position.
    fields: RefCell<IndexMap<(TraceId, Profile, Relaxed), Rc<Field>>>,
    /// What hooks came to, each asked once.
    pub(super) hooks: RefCell<super::hook::Known>,
}

/// Who asks, and about what.
#[derive(Debug, Clone, Copy)]
pub struct Cx {
    /// The side that asks.
    pub viewer: Option<SideId>,
    /// The step that a cost is asked of; its thing is taken to stand in the space it enters.
    pub(super) step: Option<Step>,
    /// The dice of the test whose rows are read: alone, and with what is added.
    rolled: Option<(i64, Amount)>,
    /// What the choice of a step has come to.
    chosen: Option<ThingRef>,
    subjects: [ThingRef; MOST_LEVELS],
}

/// One step of a line, counted from the unit outward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Whose line it is.
    pub mover: ThingRef,
    /// The space it leaves.
    pub from: u32,
    /// The space it enters.
    pub into: u32,
}

/// Subjects within subjects, at most; the checker refuses more.
pub const MOST_LEVELS: usize = 8;

impl Cx {
    /// A question about nothing in particular.
    #[must_use]
    pub fn world(viewer: Option<SideId>) -> Cx {
        Cx { viewer, step: None, rolled: None, chosen: None, subjects: [ThingRef::World; MOST_LEVELS] }
    }

    /// A question about a thing.
    #[must_use]
    pub fn of(viewer: Option<SideId>, subject: ThingRef) -> Cx {
        Cx::world(viewer).with(0, subject)
    }

    /// The same question with the subject of a level set.
    #[must_use]
    pub fn with(mut self, level: u8, subject: ThingRef) -> Cx {
        if let Some(cell) = self.subjects.get_mut(usize::from(level)) {
            *cell = subject;
        }
        self
    }

    /// The same question about a step.
    #[must_use]
    pub fn stepping(mut self, step: Step) -> Cx {
        self.step = Some(step);
        self
    }

    /// The same question about a roll: the dice alone, and with what is added.
    #[must_use]
    pub fn rolling(mut self, natural: i64, total: Amount) -> Cx {
        self.rolled = Some((natural, total));
        self
    }

    /// The same question with a choice made.
    #[must_use]
    pub fn choosing(mut self, chosen: Option<ThingRef>) -> Cx {
        self.chosen = chosen;
        self
    }

    pub(super) fn subject(&self, level: u8) -> ThingRef {
        self.subjects.get(usize::from(level)).copied().unwrap_or(ThingRef::World)
    }
}

impl<'a> Position<'a> {
    /// A position to ask; `world` must have been made for `rules`.
    #[must_use]
    pub fn new(rules: &'a Ruleset, world: &'a World) -> Option<Position<'a>> {
        let map = rules.maps.get(world.map.index())?;
        Some(Position {
            rules,
            map,
            world,
            asking: Cell::new(None),
            standing: OnceCell::new(),
            gates: RefCell::default(),
            fields: RefCell::default(),
            hooks: RefCell::default(),
        })
    }

    /// The side that asks when nothing else is said: the owner of a unit, a side itself, else the world's viewer.
    #[must_use]
    pub fn viewer_of(&self, thing: ThingRef) -> Option<SideId> {
        match thing {
            ThingRef::Unit(u) => self.world.owner(u),
            ThingRef::Side(s) => Some(s),
            ThingRef::Space(_) | ThingRef::World => self.asking.get().or(self.world.viewer),
        }
    }

    /// A question about a thing, asked by its own side.
    #[must_use]
    pub fn asked_of(&self, thing: ThingRef) -> Cx {
        Cx::of(self.viewer_of(thing), thing)
    }

    /// Whether a condition holds.
    pub fn holds(&self, id: ExprId, cx: &Cx) -> Result<bool, EvalFault> {
        Ok(self.value(id, cx)?.is_true())
    }

    /// The value of an expression.
    pub fn value(&self, id: ExprId, cx: &Cx) -> Result<Value, EvalFault> {
        Ok(match self.rules.node(id) {
            Node::Nothing => Value::Barred,
            Node::Truth(t) => Value::Truth(*t),
            Node::Number { over, under } => Value::Number(Amount::new(*over, *under)),
            Node::Word(_, word) => Value::Word(*word),
            Node::NoThing => Value::Thing(None),
            Node::Unit(u) => Value::Thing(Some(ThingRef::Unit(*u))),
            Node::Space(s) => Value::Thing(Some(ThingRef::Space(*s))),
            Node::SpaceCalled(label) => {
                let label = self.rules.labels.get(label.index()).map_or("", String::as_str);
                Value::Thing(self.map.find(label).map(ThingRef::Space))
            }
            Node::Side(s) => Value::Thing(Some(ThingRef::Side(*s))),
            Node::Viewer => Value::Thing(cx.viewer.map(ThingRef::Side)),
            Node::Subject(level) => Value::Thing(Some(cx.subject(*level))),
            Node::Fact(fact, of) => {
                let of = self.value(*of, cx)?.thing();
                match cx.step {
                    Some(step) if *fact == built_in::SPACE && of == Some(step.mover) => Value::Thing(Some(ThingRef::Space(step.into))),
                    _ => self.fact(*fact, of),
                }
            }
            Node::WorldFact(fact) => self.fact(*fact, Some(ThingRef::World)),
            Node::Define(define, of) => {
                let cx = self.inner(*of, cx)?;
                self.value(self.rules.defines[define.index()].value, &cx)?
            }
            Node::Table(table, result, of) => {
                let cx = self.inner(*of, cx)?;
                self.table(*table, usize::from(*result), &cx)?
            }
            Node::Hook(hook, of) => {
                let cx = self.inner(*of, cx)?;
                self.hook(*hook, &cx)?
            }
            Node::Verdict(trace, of, asked) => match self.value(*of, cx)?.thing() {
                Some(thing) => Value::Word(u16::from(!self.verdict(*trace, thing, *asked, cx)?)),
                None => Value::Word(1),
            },
            Node::Evidence(trace, field, of, _) => match self.value(*of, cx)?.thing() {
                Some(thing) => self.evidence(*trace, *field, thing, cx)?,
                None => Value::Thing(None),
            },
            Node::WouldBe { trace, subject, space, yes } => {
                let subject = self.value(*subject, cx)?.thing();
                let space = self.value(*space, cx)?.thing();
                Value::Truth(self.would_be(*trace, subject, space)? == *yes)
            }
            Node::Ruling(ruling) => Value::Word(self.world.readings.get(ruling.index()).copied().unwrap_or(0)),
            Node::IsKind(of, kind) => {
                let thing = self.value(*of, cx)?.thing();
                Value::Truth(thing.is_some_and(|t| self.is_kind(t, *kind)))
            }
            Node::Stands(of, stance) => {
                let thing = self.value(*of, cx)?.thing();
                Value::Truth(thing.is_some_and(|t| self.stands(t, *stance, cx.viewer)))
            }
            Node::Sides { left, right, war } => {
                let (left, right) = (self.side(*left, cx)?, self.side(*right, cx)?);
                let wanted = if *war { Relation::Enemy } else { Relation::Allied };
                Value::Truth(matches!((left, right), (Some(a), Some(b)) if self.world.relation(a, b) == wanted))
            }
            Node::Total => cx.rolled.map_or(Value::Barred, |(_, total)| Value::Number(total)),
            Node::Natural => cx.rolled.map_or(Value::Barred, |(natural, _)| Value::Number(Amount::from_integer(natural))),
            Node::Outcome(test, of) => {
                let thing = self.value(*of, cx)?.thing();
                thing.and_then(|t| self.world.outcome(*test, t)).map_or(Value::Barred, Value::Word)
            }
            Node::Chance(test, word, of) => match self.value(*of, cx)?.thing() {
                Some(thing) => Value::Number(self.chance(*test, *word, thing)?),
                None => Value::Barred,
            },
            Node::Removed(of) => {
                let thing = self.value(*of, cx)?.thing();
                Value::Truth(matches!(thing, Some(ThingRef::Unit(u)) if self.world.units.get(u as usize).is_some_and(|u| u.removed)))
            }
            Node::OverStep(kind) => Value::Truth(cx.step.is_some_and(|s| self.joined(s.from, s.into, *kind))),
            Node::Rank(word) => match self.value(*word, cx)? {
                Value::Word(word) => Value::Number(Amount::from_integer(i64::from(word))),
                other => other,
            },
            Node::Chosen(..) => Value::Thing(cx.chosen),
            Node::And(parts) => {
                for part in parts {
                    if !self.holds(*part, cx)? {
                        return Ok(Value::Truth(false));
                    }
                }
                Value::Truth(true)
            }
            Node::Or(parts) => {
                for part in parts {
                    if self.holds(*part, cx)? {
                        return Ok(Value::Truth(true));
                    }
                }
                Value::Truth(false)
            }
            Node::Not(inner) => Value::Truth(!self.holds(*inner, cx)?),
            Node::Same(left, right) => Value::Truth(self.value(*left, cx)? == self.value(*right, cx)?),
            Node::Compare(left, op, right) => {
                let (left, right) = (self.value(*left, cx)?, self.value(*right, cx)?);
                // What is barred, or not there, compares with nothing.
                Value::Truth(matches!((left.amount(), right.amount()), (Some(a), Some(b)) if compares(a, *op, b)))
            }
            Node::Any(things) => Value::Truth(self.first(*things, cx)?.is_some()),
            Node::Only(things) => Value::Truth(self.only(*things, cx)?),
            Node::Count(things) => {
                let count = self.all(*things, cx)?.len();
                Value::Number(Amount::from_integer(i64::try_from(count).map_err(|_| EvalFault::TooLarge(id))?))
            }
            Node::Aggregate(word, value, things) => Value::Number(self.aggregate(id, *word, *value, *things, cx)?),
            Node::Arithmetic(left, sign, right) => self.arithmetic(id, *left, *sign, *right, cx)?,
            Node::Rounded(by, value) => match self.value(*value, cx)? {
                Value::Number(n) => Value::Number(Amount::from_integer(exact::rounded(n, self.rounding(by)))),
                other => other,
            },
            Node::Extreme { greater, left, right } => match (self.value(*left, cx)?.amount(), self.value(*right, cx)?.amount()) {
                (Some(a), Some(b)) => Value::Number(if *greater { a.max(b) } else { a.min(b) }),
                _ => Value::Barred,
            },
        })
    }

    /// The question that a named value of a thing asks; of the world, the question keeps its viewer alone.
    fn inner(&self, of: Option<ExprId>, cx: &Cx) -> Result<Cx, EvalFault> {
        let thing = match of {
            Some(of) => self.value(of, cx)?.thing(),
            None => None,
        };
        let thing = thing.unwrap_or(ThingRef::World);
        // A question without a side is asked by the side of the thing itself.
        let viewer = cx.viewer.or_else(|| self.viewer_of(thing));
        let mut inner = Cx::of(viewer, thing);
        inner.step = cx.step;
        Ok(inner)
    }

    pub(super) fn fact(&self, id: FactId, of: Option<ThingRef>) -> Value {
        let fact = &self.rules.facts[id.index()];
        // A fact of no thing, or of a thing that has none such, is no, 0 or none.
        let cell = match of {
            Some(of) if self.is_kind(of, fact.kind) => self.world.fact(fact, of),
            _ => 0,
        };
        match fact.ty {
            Type::Truth => Value::Truth(cell != 0),
            Type::Number { .. } => Value::Number(Amount::from_integer(cell)),
            Type::Word(_) => Value::Word(u16::try_from(cell).unwrap_or(0)),
            Type::Thing { kind, .. } => Value::Thing(self.decode(kind, cell)),
        }
    }

    fn decode(&self, kind: KindId, cell: i64) -> Option<ThingRef> {
        let at = u32::try_from(cell - 1).ok()?;
        match self.rules.kinds[kind.index()].top {
            KindId::UNIT => self.world.units.get(at as usize).filter(|u| !u.removed).map(|_| ThingRef::Unit(at)),
            KindId::SPACE => Some(ThingRef::Space(at)),
            KindId::SIDE => u8::try_from(at).ok().map(|s| ThingRef::Side(SideId(s))),
            _ => None,
        }
    }

    /// Whether a thing is of a kind.
    #[must_use]
    pub fn is_kind(&self, thing: ThingRef, kind: KindId) -> bool {
        match thing {
            ThingRef::Unit(u) => self.world.units.get(u as usize).is_some_and(|u| self.rules.is_kind(u.kind, kind)),
            ThingRef::Space(s) => self.map.spaces.get(s as usize).is_some_and(|s| self.rules.is_kind(s.kind, kind)),
            ThingRef::Side(_) => kind == KindId::SIDE,
            ThingRef::World => self.rules.kinds[kind.index()].top == KindId::WORLD,
        }
    }

    fn side(&self, id: ExprId, cx: &Cx) -> Result<Option<SideId>, EvalFault> {
        Ok(match self.value(id, cx)?.thing() {
            Some(ThingRef::Side(side)) => Some(side),
            _ => None,
        })
    }

    fn stands(&self, thing: ThingRef, stance: Stance, viewer: Option<SideId>) -> bool {
        let side = match thing {
            ThingRef::Unit(u) => self.world.owner(u),
            ThingRef::Space(s) => self.world.control(s),
            ThingRef::Side(s) => Some(s),
            ThingRef::World => None,
        };
        let Some(viewer) = viewer else { return false };
        let relation = side.map_or(Relation::Neutral, |side| self.world.relation(viewer, side));
        match stance {
            Stance::Own => relation == Relation::Own,
            Stance::Allied => relation == Relation::Allied,
            Stance::Friendly => matches!(relation, Relation::Own | Relation::Allied),
            Stance::Enemy => relation == Relation::Enemy,
            Stance::Neutral => relation == Relation::Neutral,
        }
    }

    /// The rows of a table that hold, and what they give.
    fn table(&self, id: TableId, result: usize, cx: &Cx) -> Result<Value, EvalFault> {
        let table = &self.rules.tables[id.index()];
        let mut found: Option<Value> = None;
        let mut sum = Amount::zero();
        for row in &table.rows {
            let last = row.name == "otherwise";
            if last && found.is_some() {
                continue;
            }
            if let Some(when) = row.when
                && !self.holds(when, cx)?
            {
                continue;
            }
            let value = match row.values.get(result).copied().flatten() {
                Some(value) => self.value(value, cx)?,
                None => Value::Barred,
            };
            match table.policy {
                Policy::First => return Ok(value),
                Policy::Only if found.is_some() => return Err(EvalFault::SeveralRows(id)),
                Policy::Only => found = Some(value),
                Policy::Sum => {
                    let times = self.times(row, cx)?;
                    let amount = value.amount().unwrap_or_default();
                    let node = row.values.get(result).copied().flatten().unwrap_or(ExprId(0));
                    let counted = exact::combine(amount, Sign::Times, times).ok_or(EvalFault::TooLarge(node))?;
                    sum = exact::plus(sum, counted).ok_or(EvalFault::TooLarge(node))?;
                }
            }
        }
        if table.policy == Policy::Sum {
            if let Some((low, high)) = table.kept {
                let (low, high) = (self.value(low, cx)?.amount(), self.value(high, cx)?.amount());
                sum = low.map_or(sum, |l| sum.max(l));
                sum = high.map_or(sum, |h| sum.min(h));
            }
            return Ok(Value::Number(sum));
        }
        found.ok_or(EvalFault::NoRow(id))
    }

    /// How often a row of a sum counts.
    fn times(&self, row: &Row, cx: &Cx) -> Result<Amount, EvalFault> {
        let Some((per, beyond)) = row.per else { return Ok(Amount::from_integer(1)) };
        let per_value = self.value(per, cx)?.amount().unwrap_or_default();
        let beyond = match beyond {
            Some(beyond) => self.value(beyond, cx)?.amount().unwrap_or_default(),
            None => Amount::zero(),
        };
        let times = exact::combine(per_value, Sign::Minus, beyond).ok_or(EvalFault::TooLarge(per))?;
        Ok(times.max(Amount::zero()))
    }

    fn arithmetic(&self, id: ExprId, left: ExprId, sign: Sign, right: ExprId, cx: &Cx) -> Result<Value, EvalFault> {
        let (Some(a), Some(b)) = (self.value(left, cx)?.amount(), self.value(right, cx)?.amount()) else {
            return Ok(Value::Barred);
        };
        if sign == Sign::Divide && b.is_zero() {
            return Err(EvalFault::Division(id));
        }
        exact::combine(a, sign, b).map(Value::Number).ok_or(EvalFault::TooLarge(id))
    }

    fn rounding(&self, by: &RoundBy) -> Rounding {
        match by {
            RoundBy::Fixed(fixed) => *fixed,
            RoundBy::Ruling(ruling, readings) => {
                let reading = self.world.readings.get(ruling.index()).copied().unwrap_or(0);
                readings.get(usize::from(reading)).copied().unwrap_or(Rounding::Down)
            }
        }
    }

    /// All things of a noun phrase, in the order of the position.
    pub fn all(&self, id: ThingsId, cx: &Cx) -> Result<Vec<ThingRef>, EvalFault> {
        let things = &self.rules.things[id.index()];
        let mut found = Vec::new();
        for thing in self.candidates(things, things.kind, cx)? {
            if self.meets(things, thing, cx)? {
                found.push(thing);
            }
        }
        Ok(found)
    }

    fn first(&self, id: ThingsId, cx: &Cx) -> Result<Option<ThingRef>, EvalFault> {
        let things = &self.rules.things[id.index()];
        for thing in self.candidates(things, things.kind, cx)? {
            if self.meets(things, thing, cx)? {
                return Ok(Some(thing));
            }
        }
        Ok(None)
    }

    /// One at least of these, and nothing of the same top kind there that is not.
    fn only(&self, id: ThingsId, cx: &Cx) -> Result<bool, EvalFault> {
        let things = &self.rules.things[id.index()];
        let top = self.rules.kinds[things.kind.index()].top;
        let mut some = false;
        for thing in self.candidates(things, top, cx)? {
            if !self.is_kind(thing, things.kind) || !self.meets(things, thing, cx)? {
                return Ok(false);
            }
            some = true;
        }
        Ok(some)
    }

    pub(super) fn meets(&self, things: &Things, thing: ThingRef, cx: &Cx) -> Result<bool, EvalFault> {
        match things.condition {
            Some(condition) => {
                // Nobody asks: each candidate is asked by its own side.
                let viewer = cx.viewer.or_else(|| self.viewer_of(thing));
                let mut inner = cx.with(things.level, thing);
                inner.viewer = viewer;
                self.holds(condition, &inner)
            }
            None => Ok(true),
        }
    }

    fn candidates(&self, things: &Things, kind: KindId, cx: &Cx) -> Result<Vec<ThingRef>, EvalFault> {
        let top = self.rules.kinds[kind.index()].top;
        let spaces: Option<Vec<u32>> = match &things.place {
            Place::Anywhere => None,
            Place::In(space) => Some(self.space(*space, cx)?.into_iter().collect()),
            Place::Adjacent(space, link) => Some(self.space(*space, cx)?.map_or_else(Vec::new, |s| self.around(s, 1, *link, false))),
            Place::AdjacentNotOver(space, link) => Some(match self.space(*space, cx)? {
                Some(s) => self.around(s, 1, None, false).into_iter().filter(|to| !self.joined(s, *to, *link)).collect(),
                None => Vec::new(),
            }),
            Place::Within(steps, space, link) => {
                Some(self.space(*space, cx)?.map_or_else(Vec::new, |s| self.around(s, *steps, *link, true)))
            }
        };
        Ok(match top {
            KindId::UNIT => {
                let count = u32::try_from(self.world.units.len()).unwrap_or(u32::MAX);
                let mut units: Vec<u32> = match &spaces {
                    None => (0..count).collect(),
                    Some(spaces) => spaces.iter().flat_map(|s| self.standing_in(*s)).copied().collect(),
                };
                units.sort_unstable();
                units.retain(|u| !self.world.units[*u as usize].removed && self.is_kind(ThingRef::Unit(*u), kind));
                units.into_iter().map(ThingRef::Unit).collect()
            }
            KindId::SPACE => {
                let all = spaces.unwrap_or_else(|| (0..self.map.spaces.len()).filter_map(|s| u32::try_from(s).ok()).collect());
                all.into_iter().map(ThingRef::Space).filter(|s| self.is_kind(*s, kind)).collect()
            }
            KindId::SIDE => (0..self.rules.sides.len()).map(|s| ThingRef::Side(SideId::at(s))).collect(),
            // A link has no facts of its own; what is asked is how many of a kind touch a space.
            KindId::LINK => {
                let touching = |s: u32| self.map.links.iter().filter(|l| self.rules.is_kind(l.kind, kind)).map(move |l| l.of(s).len());
                let count = spaces.unwrap_or_default().into_iter().flat_map(touching).sum();
                vec![ThingRef::World; count]
            }
            _ => vec![ThingRef::World],
        })
    }

    /// The units that stand in a space, in the order of the position.
    fn standing_in(&self, space: u32) -> &[u32] {
        let all = self.standing.get_or_init(|| {
            let mut all = vec![Vec::new(); self.map.spaces.len()];
            for unit in 0..u32::try_from(self.world.units.len()).unwrap_or(u32::MAX) {
                if let Some(row) = self.world.space_of(unit).and_then(|s| all.get_mut(s as usize)) {
                    row.push(unit);
                }
            }
            all
        });
        all.get(space as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether a link of a kind joins two spaces.
    #[must_use]
    pub fn joined(&self, a: u32, b: u32, kind: KindId) -> bool {
        self.map.links.iter().any(|l| self.rules.is_kind(l.kind, kind) && l.of(a).binary_search(&b).is_ok())
    }

    fn space(&self, id: ExprId, cx: &Cx) -> Result<Option<u32>, EvalFault> {
        Ok(match self.value(id, cx)?.thing() {
            Some(ThingRef::Space(s)) => Some(s),
            Some(ThingRef::Unit(u)) => self.world.space_of(u),
            _ => None,
        })
    }

    /// The spaces at most so many links away, in ascending order, with or without the space itself.
    fn around(&self, space: u32, steps: u32, link: Option<KindId>, with_itself: bool) -> Vec<u32> {
        let mut seen = vec![space];
        let mut edge = vec![space];
        for _ in 0..steps {
            let mut next = Vec::new();
            for at in edge {
                for links in self.map.links.iter().filter(|l| link.is_none_or(|k| self.rules.is_kind(l.kind, k))) {
                    for to in links.of(at) {
                        if !seen.contains(to) {
                            seen.push(*to);
                            next.push(*to);
                        }
                    }
                }
            }
            edge = next;
        }
        if !with_itself {
            seen.retain(|s| *s != space);
        }
        seen.sort_unstable();
        seen
    }

    fn aggregate(&self, id: ExprId, word: Aggregate, value: ExprId, things: ThingsId, cx: &Cx) -> Result<Amount, EvalFault> {
        let level = self.rules.things[things.index()].level;
        let mut result: Option<Amount> = None;
        for thing in self.all(things, cx)? {
            let amount = self.value(value, &cx.with(level, thing))?.amount().unwrap_or_default();
            result = Some(match (result, word) {
                (None, _) => amount,
                (Some(sum), Aggregate::Sum) => exact::plus(sum, amount).ok_or(EvalFault::TooLarge(id))?,
                (Some(most), Aggregate::Highest) => most.max(amount),
                (Some(least), Aggregate::Lowest) => least.min(amount),
            });
        }
        Ok(result.unwrap_or_default())
    }

    /// A trace asked about a space is asked by the side whose rule asks.
    fn answer_for(&self, trace: TraceId, thing: ThingRef, viewer: Option<SideId>) -> Result<Answer, EvalFault> {
        let before = self.asking.replace(viewer.or(self.asking.get()));
        let answer = self.answer(trace, thing);
        self.asking.set(before);
        answer
    }

    fn verdict(&self, trace: TraceId, thing: ThingRef, asked: Asked, cx: &Cx) -> Result<bool, EvalFault> {
        if asked == Asked::Kept
            && let Some(kept) = self.world.kept(trace, thing)
        {
            return Ok(kept);
        }
        Ok(self.answer_for(trace, thing, cx.viewer)?.yes)
    }

    fn evidence(&self, trace: TraceId, field: EvidenceField, thing: ThingRef, cx: &Cx) -> Result<Value, EvalFault> {
        let answer = self.answer_for(trace, thing, cx.viewer)?;
        let space = |s: Option<u32>| Value::Thing(s.map(ThingRef::Space));
        Ok(match field {
            // A length that is not there compares with nothing.
            EvidenceField::Length => answer.length.map_or(Value::Barred, |l| Value::Number(Amount::from_integer(i64::from(l)))),
            EvidenceField::Source => answer.source.map_or(Value::Barred, Value::Word),
            EvidenceField::End => space(answer.end),
            EvidenceField::Stop => space(answer.stop),
            EvidenceField::Gate => Value::Word(answer.gate as u16),
        })
    }

    /// The answer as if the unit stood in a space: asked of a position in which it does.
    fn would_be(&self, trace: TraceId, subject: Option<ThingRef>, space: Option<ThingRef>) -> Result<bool, EvalFault> {
        let (Some(ThingRef::Unit(unit)), Some(ThingRef::Space(space))) = (subject, space) else { return Ok(false) };
        if self.world.space_of(unit) == Some(space) {
            return Ok(self.answer(trace, ThingRef::Unit(unit))?.yes);
        }
        let mut moved = self.world.clone();
        moved.set_fact(&self.rules.facts[built_in::SPACE.index()], ThingRef::Unit(unit), i64::from(space) + 1);
        let there = Position {
            rules: self.rules,
            map: self.map,
            world: &moved,
            asking: Cell::new(None),
            standing: OnceCell::new(),
            gates: RefCell::default(),
            fields: RefCell::default(),
            hooks: RefCell::default(),
        };
        Ok(there.answer(trace, ThingRef::Unit(unit))?.yes)
    }

    /// The gates of a trace for a side, asked once; for a trace that reads its unit, once for each unit.
    pub fn gates(&self, trace: TraceId, subject: ThingRef) -> Result<Rc<Gates>, EvalFault> {
        let of_unit = self.rules.traces[trace.index()].per_subject.then_some(subject);
        let key = (trace, self.viewer_of(subject), of_unit);
        if let Some(gates) = self.gates.borrow().get(&key) {
            return Ok(Rc::clone(gates));
        }
        let gates = Rc::new(Gates::ask(self, trace, subject)?);
        self.gates.borrow_mut().insert(key, Rc::clone(&gates));
        Ok(gates)
    }

    /// The field of a trace for a thing, searched once for all things that share its side, budgets and costs.
    pub fn field(&self, trace: TraceId, subject: ThingRef, relaxed: Relaxed) -> Result<Rc<Field>, EvalFault> {
        let profile = self.profile(trace, subject)?;
        let key = (trace, profile.clone(), relaxed);
        if let Some(field) = self.fields.borrow().get(&key) {
            return Ok(Rc::clone(field));
        }
        let field = Rc::new(Field::search(self, trace, subject, &profile, relaxed)?);
        self.fields.borrow_mut().insert(key, Rc::clone(&field));
        Ok(field)
    }
}

pub(super) fn compares(a: Amount, op: Comparison, b: Amount) -> bool {
    match op {
        Comparison::Equal => a == b,
        Comparison::AtLeast => a >= b,
        Comparison::AtMost => a <= b,
        Comparison::More => a > b,
        Comparison::Less => a < b,
    }
}
