//! The exact geometry of a table against its slow twin on random tables, and laws that turning, mirroring, shifting and
//! reordering must keep.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

use num_bigint::BigInt;
use num_rational::Ratio;
use sutler::tabletop::reference::{self, Rational};
use sutler::tabletop::{Base, Between, Body, Facing, Facts, Fraction, Ground, Measure, Point, Shape, Table, Thing, Truth};

/// A generator of random numbers that gives the same on every machine.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// From one number to another.
    fn from(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.next() % u64::try_from(high - low + 1).unwrap()).unwrap()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.next()).unwrap() % from.len()]
    }
}

/// Which facings a table has.
#[derive(Clone, Copy, PartialEq)]
enum Facings {
    /// The four compass words.
    Compass,
    /// Those and small whole numbers.
    Small,
    /// Any degrees.
    Degrees,
}

fn facing(dice: &mut Dice, kind: Facings) -> Facing {
    const SMALL: [(i64, i64); 8] = [(3, 4), (-4, 3), (5, 12), (-12, -5), (0, 1), (1, 0), (8, -15), (0, -1)];
    match kind {
        Facings::Compass => Facing::degrees(u32::try_from(90 * dice.from(0, 3)).unwrap()).unwrap(),
        Facings::Small => {
            let (a, b) = dice.pick(&SMALL);
            Facing::towards(a, b).unwrap()
        }
        Facings::Degrees => Facing::degrees(u32::try_from(dice.from(0, 359)).unwrap()).unwrap(),
    }
}

fn base(dice: &mut Dice, kind: Facings, room: i64, corners: i64) -> Base {
    // Few denominators, so that edges meet and corners coincide often.
    let unit = dice.pick(&[1, 1, 2, 2, 4, 5]);
    Base {
        x: Fraction::new(dice.from(0, room * unit), unit),
        y: Fraction::new(dice.from(0, room * unit), unit),
        facing: facing(dice, kind),
        width: dice.pick(&[Fraction::new(1, 1), Fraction::new(2, 1), Fraction::new(1, 2), Fraction::new(5, 3)]),
        depth: dice.pick(&[Fraction::new(1, 1), Fraction::new(1, 2), Fraction::new(1, 4), Fraction::new(2, 3)]),
        shape: if dice.from(0, 99) < corners { Shape::Corner } else { Shape::Block },
    }
}

/// A simple polygon around a middle, or a line.
fn ground(dice: &mut Dice, room: i64) -> Ground {
    let (x, y) = (dice.from(0, room), dice.from(0, room));
    let mut point = |dx: i64, dy: i64| {
        let far = dice.from(1, 6);
        Point { x: Fraction::new(2 * x + dx * far, 2), y: Fraction::new(2 * y + dy * far, 2) }
    };
    // Points in order around a middle make a simple polygon, which is often concave.
    const AROUND: [(i64, i64); 6] = [(0, 1), (1, 1), (1, 0), (1, -1), (-1, -1), (-1, 1)];
    let points: Vec<Point> = AROUND.iter().map(|(dx, dy)| point(*dx, *dy)).collect();
    if dice.from(0, 2) == 0 { Ground::Line(points[..3].to_vec()) } else { Ground::Area(points) }
}

fn table(dice: &mut Dice, bases: usize, grounds: usize, kind: Facings, room: i64, corners: i64) -> Table {
    Table {
        width: Fraction::from_integer(room),
        depth: Fraction::from_integer(room),
        bases: (0..bases).map(|_| base(dice, kind, room, corners)).collect(),
        grounds: (0..grounds).map(|_| ground(dice, room)).collect(),
    }
}

fn things(table: &Table) -> Vec<Thing> {
    (0..table.bases.len()).map(Thing::Base).chain((0..table.grounds.len()).map(Thing::Ground)).collect()
}

/// Every pair of a table is what the slow twin says.
fn agree<Q: Rational>(table: &Table, facts: &Facts) {
    for a in things(table) {
        for b in things(table) {
            if a == b {
                assert!(facts.between(a, b).is_none());
                continue;
            }
            let (from, to) = (table.body(a).unwrap(), table.body(b).unwrap());
            let slow = reference::between::<Q>(from, to);
            let fast = *facts.between(a, b).unwrap();
            assert_eq!(fast, slow, "{a:?} to {b:?}\n{from:?}\n{to:?}\nfast {}\nslow {}", words(&fast), words(&slow));
        }
    }
}

fn words(between: &Between) -> String {
    Truth::ALL.iter().filter(|t| between.is(**t)).map(|t| format!("{t:?} ")).collect()
}

fn twins<Q: Rational>(seed: u64, tables: usize, kind: Facings, corners: i64) {
    let mut dice = Dice::new(seed);
    let mut facts = Facts::default();
    for _ in 0..tables {
        let bases = usize::try_from(dice.from(2, 4)).unwrap();
        let grounds = if dice.from(0, 7) == 0 { 1 } else { 0 };
        let table = table(&mut dice, bases, grounds, kind, 4, corners);
        facts.measure(&table).unwrap();
        agree::<Q>(&table, &facts);
    }
}

#[test]
fn compass_tables_are_as_the_slow_twin_says() {
    twins::<Ratio<i128>>(1, 60_000, Facings::Compass, 0);
    twins::<Ratio<i128>>(2, 10_000, Facings::Compass, 30);
}

#[test]
fn tables_of_small_directions_are_as_the_slow_twin_says() {
    twins::<Ratio<i128>>(3, 27_000, Facings::Small, 15);
}

#[test]
fn tables_of_any_degrees_are_as_the_slow_twin_says() {
    twins::<Ratio<BigInt>>(4, 2_000, Facings::Degrees, 15);
}
