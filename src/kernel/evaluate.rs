//! The slow and obvious evaluator: an expression, a position, who asks and about what; nothing is
//! prepared.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use num_traits::Zero;

use super::board::Board;
use super::costs::Costs;
use super::cx::Cx;
use super::field::Profile;
use super::id_map::IdSet;
use super::line_group::Group;
use super::meter::{Meter, Named};
use super::mover::Mover;
use super::state::Shared;
use super::{Amount, EvalFault, Value, exact};
use crate::ir::*;
use crate::map::Map;
use crate::world::{ThingRef, World, built_in};

/// What the gates of a trace depend on beside the position: the side, and what they read of the
/// thing.
pub(super) type GatesKey = (TraceId, Option<SideId>, Option<Mover>);

/// Answers whose grounds are counted: the trace, the thing, who asks, and whether lines are counted
/// or readings alone.
pub(super) type Noted = IdSet<(Ground, bool)>;

/// An answer that another rests on: the trace, the thing and who asks.
pub type Ground = (TraceId, ThingRef, Option<SideId>);

/// What costs depend on beside the position: the trace, a profile without budgets, whether what is
/// barred costs something.
pub(super) type CostsKey = (TraceId, Profile, bool);

/// What the steps of each leg cost.
pub(super) type LegCosts = Arc<[Costs]>;

/// A position to ask: rules, map and world, with the fields already searched.
pub struct Position<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The map.
    pub map: &'a Map,
    /// The position.
    pub world: &'a World,
    /// Unlike that of any other position on its board.
    pub(super) number: u64,
    /// The side that asks about spaces while a rule of a side is worked out.
    pub(super) asking: Cell<Option<SideId>>,
    /// The units in each space, gathered when first asked for.
    pub(super) standing: OnceCell<Arc<Vec<Vec<u32>>>>,
    /// The map as bits.
    pub(super) board: Rc<Board<'a>>,
    /// Gates, searches and costs, each worked out once.
    pub(super) worked: Shared,
    /// The groups of the position before, which may have the same gates and costs.
    pub(super) earlier: Vec<Arc<Group>>,
    /// Spaces that are closed to the lines of all traces, but for those that begin there.
    pub(super) closed: Vec<u32>,
    /// What is measured on the table, when it has been asked for.
    pub(super) measured: OnceCell<Result<Option<Arc<super::tabletop::Measured>>, EvalFault>>,
    /// What hooks came to, each asked once.
    pub(super) hooks: RefCell<super::hook::Known>,
    /// What answers rest on, each counted once.
    pub(super) noted: RefCell<Noted>,
    /// Whether an answer that another rests on is named there, and not counted.
    pub(super) apart: Cell<bool>,
    /// What questions cost; made with the first that is asked, so that a position alone takes no
    /// room.
    pub(super) meter: OnceCell<Rc<Meter>>,
}

impl<'a> Position<'a> {
    /// A position to ask; `world` must have been made for `rules`.
    #[must_use]
    pub fn new(rules: &'a Ruleset, world: &'a World) -> Option<Position<'a>> {
        let map = rules.maps.get(world.map.index())?;
        Position::on(&Rc::new(Board::new(rules, map)), world)
    }

    /// A position to ask on a board made before; nothing where the board is of another map.
    #[must_use]
    pub fn on(board: &Rc<Board<'a>>, world: &'a World) -> Option<Position<'a>> {
        let same =
            board.rules.maps.get(world.map.index()).is_some_and(|map| std::ptr::eq(map, board.map));
        same.then(|| Position::over(board, world))
    }

    /// A position to ask on the board of its own map.
    pub(super) fn over(board: &Rc<Board<'a>>, world: &'a World) -> Position<'a> {
        Position {
            rules: board.rules,
            map: board.map,
            world,
            number: board.number_position(),
            asking: Cell::new(None),
            standing: OnceCell::new(),
            board: Rc::clone(board),
            worked: Shared::default(),
            earlier: Vec::new(),
            closed: Vec::new(),
            measured: OnceCell::new(),
            hooks: RefCell::default(),
            noted: RefCell::default(),
            apart: Cell::new(false),
            meter: OnceCell::new(),
        }
    }

    /// The same position with some spaces closed to the lines of all traces.
    pub(super) fn with_closed(&self, closed: Vec<u32>) -> Option<Position<'a>> {
        let mut on = Position::on(&self.board, self.world)?;
        on.asking.set(self.asking.get());
        on.closed = closed;
        Some(on)
    }

    /// What questions of this position cost.
    pub(super) fn meter(&self) -> &Rc<Meter> {
        self.meter.get_or_init(Rc::default)
    }

    /// What answers on planes are kept for.
    pub(super) fn cache_key(&self) -> (u64, Option<SideId>) {
        (self.number, self.asking.get())
    }

    /// The map as bits.
    pub(super) fn board(&self) -> Rc<Board<'a>> {
        Rc::clone(&self.board)
    }

    /// The side that asks when nothing else is said: the owner of a unit, a side itself, else the
    /// world's viewer.
    #[must_use]
    pub fn viewer_of(&self, thing: ThingRef) -> Option<SideId> {
        match thing {
            ThingRef::Unit(u) => self.world.owner(u),
            ThingRef::Side(s) => Some(s),
            ThingRef::Space(_) | ThingRef::Link(_) | ThingRef::World => {
                self.asking.get().or(self.world.viewer)
            }
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
            Node::World => Value::Thing(Some(ThingRef::World)),
            Node::Link(l) => Value::Thing(Some(ThingRef::Link(*l))),
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
                    Some(step) if *fact == built_in::SPACE && of == Some(step.mover) => {
                        Value::Thing(Some(ThingRef::Space(step.into)))
                    }
                    _ => self.fact(*fact, of),
                }
            }
            Node::WorldFact(fact) => self.fact(*fact, Some(ThingRef::World)),
            Node::Define(define_id, of) => {
                let define = &self.rules.defines[define_id.index()];
                let Some(cx) = self.inner(*of, define.of, cx)? else {
                    return Ok(Value::nothing(define.ty));
                };
                self.rules.seen.line(define.line);
                self.named(id, Named::Define(*define_id), &cx, || self.value(define.value, &cx))?
            }
            Node::Table(table_id, result, of) => {
                let (table, at) = (&self.rules.tables[table_id.index()], usize::from(*result));
                let Some(cx) = self.inner(*of, table.of, cx)? else {
                    let ty = table.results.get(at).map(|(_, ty)| *ty);
                    return Ok(ty.map_or(Value::Barred, Value::nothing));
                };
                let work = || self.table(*table_id, at, &cx);
                self.named(id, Named::Table(*table_id, *result), &cx, work)?
            }
            Node::Pair(pair, a, b) => {
                let (a, b) = (self.value(*a, cx)?.thing(), self.value(*b, cx)?.thing());
                self.pair(id, *pair, (a, b), cx)?
            }
            Node::Hook(hook_id, of) => {
                let hook = &self.rules.hooks[hook_id.index()];
                let Some(cx) = self.inner(*of, Some(hook.of), cx)? else {
                    return Ok(Value::nothing(hook.ty));
                };
                self.named(id, Named::Hook(*hook_id), &cx, || self.hook(*hook_id, &cx))?
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
            Node::Ruling(ruling) => Value::Word(self.reading(*ruling)),
            Node::IsKind(of, kind) => {
                let thing = self.value(*of, cx)?.thing();
                Value::Truth(thing.is_some_and(|t| self.is_kind(t, *kind)))
            }
            Node::Stands(of, stance) => {
                let thing = self.value(*of, cx)?.thing();
                Value::Truth(thing.is_some_and(|t| self.stands(t, *stance, cx.viewer)))
            }
            Node::Sides { left, right, how } => {
                let (left, right) = (self.side(*left, cx)?, self.side(*right, cx)?);
                Value::Truth(
                    matches!((left, right), (Some(a), Some(b)) if self.world.relation(a, b) == *how),
                )
            }
            Node::Total => cx.rolled.map_or(Value::Barred, |(_, total)| Value::Number(total)),
            Node::Natural => cx
                .rolled
                .map_or(Value::Barred, |(natural, _)| Value::Number(Amount::from_integer(natural))),
            Node::Outcome(test, of) => {
                let thing = self.value(*of, cx)?.thing();
                match cx.found {
                    Some((found, of, outcome)) if found == *test && thing == Some(of) => {
                        Value::Word(outcome)
                    }
                    _ => thing
                        .and_then(|t| self.world.outcome(*test, t))
                        .map_or(Value::Barred, Value::Word),
                }
            }
            Node::Listed(table, of, rows) => {
                let said_of = self.rules.tables[table.index()].of;
                let Some(cx) = self.inner(Some(*of), said_of, cx)? else {
                    return Ok(Value::Truth(false));
                };
                let held = self.rows_held(*table, &cx)?;
                Value::Truth(held.iter().copied().eq(rows.iter().map(|row| usize::from(*row))))
            }
            Node::Stopped(table, of) => {
                let at = self
                    .value(*of, cx)?
                    .thing()
                    .and_then(|thing| self.world.stopped(*table, thing));
                let through =
                    u16::try_from(self.rules.tables[table.index()].rows.len()).unwrap_or(u16::MAX);
                at.map_or(Value::Barred, |at| Value::Word(at.checked_sub(1).unwrap_or(through)))
            }
            Node::Chance(test, word, of) => match self.value(*of, cx)?.thing() {
                Some(thing) => Value::Number(self.chance(*test, *word, thing)?),
                None => Value::Barred,
            },
            Node::Removed(of) => {
                let thing = self.value(*of, cx)?.thing();
                Value::Truth(
                    matches!(thing, Some(ThingRef::Unit(u)) if self.world.units.get(u as usize).is_some_and(|u| u.removed)),
                )
            }
            Node::OverStep(kind) => {
                Value::Truth(cx.step.is_some_and(|s| self.joined(s.from, s.into, *kind)))
            }
            Node::StepEnd(next) => {
                let end = cx.step.map(|s| if *next { s.into } else { s.from });
                Value::Thing(end.map(ThingRef::Space))
            }
            Node::LinkEnd(of, later) => {
                let link = match self.value(*of, cx)?.thing() {
                    Some(ThingRef::Link(at)) => self.map.changing.get(at as usize),
                    _ => None,
                };
                let end = link.map(|link| if *later { link.to } else { link.from });
                Value::Thing(end.map(ThingRef::Space))
            }
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
            Node::Same(left, right) => {
                Value::Truth(self.value(*left, cx)? == self.value(*right, cx)?)
            }
            Node::Compare(left, op, right) => {
                let (left, right) = (self.value(*left, cx)?, self.value(*right, cx)?);
                // What is barred, or not there, compares with nothing.
                Value::Truth(
                    matches!((left.amount(), right.amount()), (Some(a), Some(b)) if compares(a, *op, b)),
                )
            }
            Node::Any(things) => Value::Truth(self.part(id, || self.first(*things, cx))?.is_some()),
            Node::Only(things) => Value::Truth(self.part(id, || self.only(*things, cx))?),
            Node::Count(things) => {
                let count = self.part(id, || self.all(*things, cx))?.len();
                Value::Number(Amount::from_integer(
                    i64::try_from(count).map_err(|_| EvalFault::TooLarge(id))?,
                ))
            }
            Node::Aggregate(word, value, things) => {
                Value::Number(self.part(id, || self.aggregate(id, *word, *value, *things, cx))?)
            }
            Node::Arithmetic(left, sign, right) => self.arithmetic(id, *left, *sign, *right, cx)?,
            Node::Rounded(by, value) => match self.value(*value, cx)? {
                Value::Number(n) => {
                    Value::Number(Amount::from_integer(exact::rounded(n, self.rounding(by))))
                }
                other => other,
            },
            Node::Extreme { greater, left, right } => {
                match (self.value(*left, cx)?.amount(), self.value(*right, cx)?.amount()) {
                    (Some(a), Some(b)) => Value::Number(if *greater { a.max(b) } else { a.min(b) }),
                    _ => Value::Barred,
                }
            }
        })
    }

    /// Works out a part of a question that counts as a step.
    fn part<T>(
        &self,
        id: ExprId,
        work: impl FnOnce() -> Result<T, EvalFault>,
    ) -> Result<T, EvalFault> {
        self.meter().part(id, work)
    }

    /// Works out a named value, whose subjects the question already has.
    pub(super) fn named(
        &self,
        id: ExprId,
        what: Named,
        cx: &Cx,
        work: impl FnOnce() -> Result<Value, EvalFault>,
    ) -> Result<Value, EvalFault> {
        let key = || (what, *cx, self.asking.get(), self.rules.seen.is_on());
        self.meter().named(id, key, work)
    }

    /// The question that a value which is said of a kind asks of its thing; of the world, the
    /// question keeps its viewer alone. Nothing where the thing is not there, or has no such value:
    /// that is then [`Value::nothing`], whatever its rule says.
    pub fn inner(
        &self,
        of: Option<ExprId>,
        said_of: Option<KindId>,
        cx: &Cx,
    ) -> Result<Option<Cx>, EvalFault> {
        let thing = match of {
            None => ThingRef::World,
            Some(of) => match self.value(of, cx)?.thing() {
                Some(thing) if self.has(thing, said_of) => thing,
                _ => return Ok(None),
            },
        };
        // A question without a side is asked by the side of the thing itself.
        let viewer = cx.viewer.or_else(|| self.viewer_of(thing));
        let mut inner = Cx::of(viewer, thing);
        (inner.step, inner.found) = (cx.step, cx.found);
        Ok(Some(inner))
    }

    /// Whether a thing has the values that are said of a kind.
    pub(super) fn has(&self, thing: ThingRef, said_of: Option<KindId>) -> bool {
        said_of.is_none_or(|kind| self.rules.is_top(kind) || self.is_kind(thing, kind))
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

    pub(super) fn decode(&self, kind: KindId, cell: i64) -> Option<ThingRef> {
        let at = u32::try_from(cell - 1).ok()?;
        match self.rules.kinds[kind.index()].top {
            KindId::UNIT => self.world.named_unit(cell).map(ThingRef::Unit),
            KindId::SPACE => Some(ThingRef::Space(at)),
            KindId::SIDE => u8::try_from(at).ok().map(|s| ThingRef::Side(SideId(s))),
            _ => None,
        }
    }

    /// Whether a thing is of a kind.
    #[must_use]
    pub fn is_kind(&self, thing: ThingRef, kind: KindId) -> bool {
        match thing {
            ThingRef::Unit(u) => {
                self.world.units.get(u as usize).is_some_and(|u| self.rules.is_kind(u.kind, kind))
            }
            ThingRef::Space(s) => {
                self.map.spaces.get(s as usize).is_some_and(|s| self.rules.is_kind(s.kind, kind))
            }
            ThingRef::Link(l) => {
                let link = self.map.changing.get(l as usize);
                link.is_some_and(|link| self.rules.is_kind(link.kind, kind))
            }
            ThingRef::Side(_) => self.rules.kinds[kind.index()].top == KindId::SIDE,
            ThingRef::World => self.rules.kinds[kind.index()].top == KindId::WORLD,
        }
    }

    pub(crate) fn side(&self, id: ExprId, cx: &Cx) -> Result<Option<SideId>, EvalFault> {
        Ok(match self.value(id, cx)?.thing() {
            Some(ThingRef::Side(side)) => Some(side),
            _ => None,
        })
    }

    pub(super) fn stands(&self, thing: ThingRef, stance: Stance, viewer: Option<SideId>) -> bool {
        let side = match thing {
            ThingRef::Unit(u) => self.world.owner(u),
            ThingRef::Space(s) => self.world.control(s),
            ThingRef::Side(s) => Some(s),
            ThingRef::Link(_) | ThingRef::World => None,
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

    fn arithmetic(
        &self,
        id: ExprId,
        left: ExprId,
        sign: Sign,
        right: ExprId,
        cx: &Cx,
    ) -> Result<Value, EvalFault> {
        let (Some(a), Some(b)) = (self.value(left, cx)?.amount(), self.value(right, cx)?.amount())
        else {
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
                readings.get(usize::from(self.reading(*ruling))).copied().unwrap_or(Rounding::Down)
            }
        }
    }

    /// The reading of a ruling that is in force.
    fn reading(&self, ruling: RulingId) -> u16 {
        let reading = self.world.readings.get(ruling.index()).copied().unwrap_or(0);
        self.rules.seen.reading(ruling, reading);
        reading
    }
}

pub(super) fn compares(a: Amount, op: Comparison, b: Amount) -> bool {
    op.holds(a.cmp(&b))
}
