//! An item that stands elsewhere in its text: the same tree with all its places moved.
//!
//! Each form is taken apart by name, so that a new field is moved too, or nothing compiles.

use std::sync::Arc;

use super::*;
use crate::source::SourceId;

/// What has places in a text.
pub(in crate::syntax) trait Shift {
    /// Moves all places by so many bytes.
    fn shift(&mut self, by: i64);
}

impl Shift for u32 {
    fn shift(&mut self, by: i64) {
        *self = u32::try_from(i64::from(*self) + by).unwrap_or(0);
    }
}

impl Shift for Span {
    fn shift(&mut self, by: i64) {
        self.start.shift(by);
        self.end.shift(by);
    }
}

impl<T: Shift> Shift for Option<T> {
    fn shift(&mut self, by: i64) {
        self.iter_mut().for_each(|part| part.shift(by));
    }
}

impl<T: Shift> Shift for Vec<T> {
    fn shift(&mut self, by: i64) {
        self.iter_mut().for_each(|part| part.shift(by));
    }
}

impl<T: Shift, const N: usize> Shift for [T; N] {
    fn shift(&mut self, by: i64) {
        self.iter_mut().for_each(|part| part.shift(by));
    }
}

impl<T: Shift> Shift for Box<T> {
    fn shift(&mut self, by: i64) {
        T::shift(self, by);
    }
}

impl<T: Shift + Clone> Shift for Arc<T> {
    fn shift(&mut self, by: i64) {
        Arc::make_mut(self).shift(by);
    }
}

impl<A: Shift, B: Shift> Shift for (A, B) {
    fn shift(&mut self, by: i64) {
        self.0.shift(by);
        self.1.shift(by);
    }
}

impl Shift for Cites {
    fn shift(&mut self, by: i64) {
        self.0.shift(by);
    }
}

/// What says nothing of places.
macro_rules! placeless {
    ($($name:ty),*) => {
        $(impl Shift for $name {
            fn shift(&mut self, _: i64) {}
        })*
    };
}

placeless!(bool, String, &'static str, SourceId, crate::diag::Diagnostic);
placeless!(CompareOp, ArithmeticOp, QuantifierWord, AggregateWord, Policy, PlacementWord);

macro_rules! structs {
    ($($name:ident { $($field:ident),* })*) => {
        $(impl Shift for $name {
            fn shift(&mut self, by: i64) {
                let $name { $($field),* } = self;
                $($field.shift(by);)*
            }
        })*
    };
}

macro_rules! enums {
    ($($name:ident {
        $($form:ident $({ $($field:ident),* })? $(( $($part:ident),* ))?),* $(,)?
    })*) => {
        $(impl Shift for $name {
            fn shift(&mut self, by: i64) {
                match self {
                    $($name::$form $({ $($field),* })? $(($($part),*))? => {
                        $($($field.shift(by);)*)?
                        $($($part.shift(by);)*)?
                    })*
                }
            }
        })*
    };
}

structs! {
    Item { span, broken, kind }
    Name { text, span }
    Text { text, span }
    Expr { span, kind }
    Things { span, adjectives, kind, place, filter }
    Place { span, kind }
    Path { span, heads, here, between }
    Way { name, filter }
    Head { span, kind }
    OneLink { kind, ends }
    RulesetHead { name, title, prefix, extends, also, base_hash, cases, scripts, requires }
    Section { number, title }
    Clause { label, of, text }
    Ruling { name, asks, readings, default, cites }
    OptionRule { name, title, on, cites }
    Sides { names, against }
    Clock { name, counted, parts }
    ClockPart { names, each_side, times }
    Track { name, title, stages, cites }
    CountDecl { name, of, dimension, per, range, title, cites }
    DimensionName { name, singular }
    Kind { name, plural, parent, one_way, every_two, attributes, joins, twice, bases }
    EveryTwo { span, things, same }
    Same { span, fact }
    Base { span, width, depth, bent, cites }
    Attribute { name, ty }
    Bound { text, span }
    Named { kind, names }
    Mark { name, of, title, until, cites }
    GivenDecl { name, of, ty, title, cites }
    MomentPoint { span, start, part, of }
    Define { name, of, title, never, value, cites }
    Table { name, of, title, results, policy, policy_span, cites, body, from, twice }
    RowsFrom { span, file, sheet, cites, before, read }
    SheetText { head, rows }
    TableResult { name, dimension }
    ListRow { span, name, exception, per, beyond, when, values, cites }
    Otherwise { span, values, cites }
    Kept { span, low, high, cites }
    Grid { down, across, columns, rows, kept, cites }
    GridRow { span, keys, values, cites }
    KeyCell { span, kind }
    Exception { name, to, when, then, cites }
    Excepted { span, noun, part, owner }
    Trace { name, of, title, cites, lines }
    TraceLine { span, kind, exception, cites }
    Like { leg, of }
    Test { name, of, title, cites, dice, plus, roll_cites, rows, otherwise, retries, twice }
    Throw { span, dice, die }
    Retry { span, at_most, spending, when, cites }
    Die { name, faces, cites }
    Choice { name, of, title, cites, from, from_cites, prefers, left_to }
    Prefer { span, highest, value, cites }
    Phase { name, moments, once, when, cites, steps }
    Step { span, kind, cites }
    Map { name, title, lines }
    Point { span, x, y }
    Placed { span, at, facing }
    Outline { span, along, points }
    GridHead { span, kind, flat, odd, from }
    MapSpace { kind, name, title, outline, with }
    With { name, value }
    Setup { name, map, title, lines }
    Put { span, kind, name, title, owner, place, at, with }
    Given { span, kind }
    Case { title, cites, lines }
    Mistake { title, cites, code, text, items, lost, faults }
    Order { span, subject, effect }
    Expect { span, kind }
    CaseGrid { columns, rows }
    CaseColumn { span, kind }
    CaseRow { span, cells, cites }
    CaseCell { span, kind }
    Pair { name, amount, parties, title, value, cites }
    Party { kind, name }
    Hook { name, of, title, result, cites, lines }
    HookLine { span, kind }
    ScriptFile { name, source }
    Override { kind, cites }
    ButLine { span, kind, cites }
    Copy { noun, name, of, original, title, lines }
    Remove { kind, cites }
}

enums! {
    ItemKind {
        Edition(a), Ruleset(a), Section(a), Clause(a), Ruling(a), Option(a), Sides(a), Clock(a),
        Dimension(a), Kind(a), Named(a), Mark(a), Given(a), Track(a), Count(a), Choice(a),
        Tabletop(a), Define(a), Pair(a), Table(a), Trace(a), Die(a), Test(a), Phase(a), Hook(a),
        Map(a), Setup(a), Case(a), Mistake(a), Exception(a), Copy(a), Override(a), Add(a),
        Remove(a),
    }
    ExprKind {
        Or(a), And(a), Not(a), Is { left, negated, right }, IsPair { left, negated, name, right },
        IsOneOf { left, negated, options }, Compare { left, op, right },
        Between { left, low, high }, WouldBe { subject, adjective }, Quantifier { word, things },
        Count(a), Aggregate { word, value, things, none }, Arithmetic { first, rest }, Negate(a),
        Number { text, dimension }, Path(a), Now(a), Rounded { mode, value },
        Extreme { greater, left, right }, GateName(a), Paren(a), Chance { outcome, of },
        OverStep(a), Quoted,
    }
    PlaceKind { Here, In(a), Adjacent { to, over, not_over }, Within { distance, of, over } }
    HeadKind { Name(a), Link(a), The(a), It, Hex(a) }
    AttributeType {
        Number { dimension, low, high }, Truth, Word(a), Thing { kind, maybe }, Track(a),
    }
    TableBody { List { rows, otherwise, kept }, Grid(a) }
    KeyCellKind { Any, Else, No, Is(a), Not(a), OneOf(a), Compare(a, b), Between(a, b) }
    TraceLineKind {
        Called { yes, no }, Judged(a), Lasts(a), Counts { name, low, high }, Always(a), Never(a),
        Source { name, filter }, Relay { name, filter },
        Leg { name, like, optional, instead, when },
        Over { links, but_not, when }, From(a), Through(a), Stopping(a), Into(a), Cost(a), Within(a),
        Without(a),
    }
    Moment { At(a), In { part, of } }
    StepKind {
        Judge { trace, things }, Do { effect, things }, May { effect, things },
        Must { effect, things }, Roll { test, once, until, things },
    }
    Effect {
        Set { path, value }, Relate { left, how, right }, Change { raise, path, by }, Mark(a),
        Clear(a), Remove(a), Move(a), Follow { trace, within, stopping }, Place { span, placement },
    }
    Placement {
        Advance { by, short }, FallBack { by }, FallBackToGap, Swap(a), Conform(a), Face(a),
        FaceAbout, BreakOff { by }, Wheel { left, to },
    }
    MapLine {
        Space(a), Link { kind, ends, filled, with }, NoJunction { kind, spaces }, Given(a), Grid(a), Legend { sign, with },
        Row(a), Table { span, width, depth },
    }
    Direction { Word(a), Degrees(a), Toward(a) }
    SetupLine { Put(a), Given(a) }
    GivenKind { Fact { fact, spaces }, Place { unit, at } }
    CaseLine {
        Setup(a), On(a), UseSetup(a), Ruling { name, reading }, Option { name, on }, Dice(a),
        Order(a), Run(a), Expect(a), Grid(a),
    }
    Run { Phase { name, of }, Moment(a) }
    OrderEffect {
        Follow { trace, to }, Mark(a), Clear(a), Change(a), Remove, Move(a), Choose { choice, is },
        Place { word, to },
    }
    ExpectKind {
        Holds(a), Place { unit, at }, List { left, negated, rows },
        Choice { subject, negated, must, effect },
    }
    ExpectEffect {
        Follow { trace, to }, Mark(a), Clear(a), Remove, Move(a), Choose { choice, from },
        Place { word, to },
    }
    CaseColumnKind {
        Given(a), GivenPair { left, name, right }, Ruling(a), Choice(a), Dice, Run, Expect(a),
    }
    CaseCellKind { Same, Any, No, Key(a), Several(a) }
    HookLineKind { Reads(a), Kept(a, b), Script(a), Otherwise(a) }
    OverrideKind {
        Row { row, table, was, now }, Cell { keys, table, was, now },
        Gate { gate, leg, trace, was, now }, Source { noun, name, trace, was, now },
        Lines { noun, name, lines }, Said { noun, label, was, now }, Whole(a),
    }
    ButKind { TakenOut { key }, Part { key, was, now }, Added { place, line } }
    Add { Row { table, before, anchor, row }, Line { trace, line } }
    AddedRow { List(a), Grid(a) }
    RemoveKind {
        Row { row, table }, Source { noun, name, trace }, Clause { label, lines }, Case(a),
        Item { noun, name, span },
    }
}
