//! The exact geometry of a table against its slow twin on random tables, and laws that turning,
//! mirroring, shifting and reordering must keep.

use num_bigint::BigInt;
use num_rational::Ratio;
use sutler::tabletop::reference::{self, Rational};
use sutler::tabletop::{
    Base, Between, Facing, Facts, Fraction, Ground, Measure, Point, Shape, Table, Thing, Truth,
};

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
    const SMALL: [(i64, i64); 8] =
        [(3, 4), (-4, 3), (5, 12), (-12, -5), (0, 1), (1, 0), (8, -15), (0, -1)];
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
        width: dice.pick(&[
            Fraction::new(1, 1),
            Fraction::new(2, 1),
            Fraction::new(1, 2),
            Fraction::new(5, 3),
        ]),
        depth: dice.pick(&[
            Fraction::new(1, 1),
            Fraction::new(1, 2),
            Fraction::new(1, 4),
            Fraction::new(2, 3),
        ]),
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

fn table(
    dice: &mut Dice,
    bases: usize,
    grounds: usize,
    kind: Facings,
    room: i64,
    corners: i64,
) -> Table {
    Table {
        width: Fraction::from_integer(room),
        depth: Fraction::from_integer(room),
        bases: (0..bases).map(|_| base(dice, kind, room, corners)).collect(),
        grounds: (0..grounds).map(|_| ground(dice, room)).collect(),
    }
}

fn things(table: &Table) -> Vec<Thing> {
    (0..table.bases.len())
        .map(Thing::Base)
        .chain((0..table.grounds.len()).map(Thing::Ground))
        .collect()
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
            assert_eq!(
                fast,
                slow,
                "{a:?} to {b:?}\n{from:?}\n{to:?}\nfast {}\nslow {}",
                words(&fast),
                words(&slow)
            );
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
    twins::<Ratio<i64>>(1, 46_000, Facings::Compass, 0);
}

#[test]
fn compass_tables_with_corners_are_as_the_slow_twin_says() {
    twins::<Ratio<i64>>(2, 46_000, Facings::Compass, 30);
}

#[test]
fn tables_of_small_directions_are_as_the_slow_twin_says() {
    twins::<Ratio<i128>>(3, 8_000, Facings::Small, 15);
}

#[test]
fn tables_of_any_degrees_are_as_the_slow_twin_says() {
    twins::<Ratio<BigInt>>(4, 200, Facings::Degrees, 15);
}

/// A body turned a quarter to the right about (0, 0), or mirrored at the line from south to north,
/// or shifted.
#[derive(Clone, Copy)]
enum Change {
    Quarter,
    Pythagorean,
    Mirror,
    Shift,
}

fn moved(p: Point, change: Change) -> Point {
    let Point { x, y } = p;
    match change {
        Change::Quarter => Point { x: y, y: -x },
        Change::Pythagorean => Point { x: (x * 4 + y * 3) / 5, y: (y * 4 - x * 3) / 5 },
        Change::Mirror => Point { x: -x, y },
        Change::Shift => Point { x: x + Fraction::new(22, 7), y: y - Fraction::new(1, 3) },
    }
}

fn changed(table: &Table, change: Change) -> Table {
    let base = |b: &Base| {
        let Point { x, y } = moved(b.place(), change);
        let (e, n, _) = b.facing.parts();
        let facing = match change {
            Change::Quarter => b.facing.right(),
            Change::Pythagorean => Facing::towards(e * 4 + n * 3, n * 4 - e * 3).unwrap(),
            // The second arm of a mirrored L is the first one of the mirrored outline.
            Change::Mirror if b.shape == Shape::Corner => {
                Facing::towards(-b.facing.right().parts().0, b.facing.right().parts().1).unwrap()
            }
            Change::Mirror => Facing::towards(-e, n).unwrap(),
            Change::Shift => b.facing,
        };
        Base { x, y, facing, ..*b }
    };
    let ground = |g: &Ground| {
        let points = g.points().iter().map(|p| moved(*p, change)).collect();
        if matches!(g, Ground::Area(_)) { Ground::Area(points) } else { Ground::Line(points) }
    };
    Table {
        bases: table.bases.iter().map(base).collect(),
        grounds: table.grounds.iter().map(ground).collect(),
        ..table.clone()
    }
}

const AMOUNTS: [Measure; 5] = [
    Measure::Gap,
    Measure::WidthBehindFlank,
    Measure::WidthBehindRear,
    Measure::WidthBehind,
    Measure::WidthBefore,
];

#[test]
fn turning_mirroring_and_shifting_a_table_change_nothing() {
    let mut dice = Dice::new(7);
    for _ in 0..150 {
        let kind = dice.pick(&[Facings::Compass, Facings::Small, Facings::Small]);
        let table = table(&mut dice, 4, 1, kind, 4, 25);
        let facts = Facts::of(&table).unwrap();
        for change in [Change::Quarter, Change::Pythagorean, Change::Mirror, Change::Shift] {
            let other = Facts::of(&changed(&table, change)).unwrap();
            for (a, b) in things(&table)
                .into_iter()
                .flat_map(|a| things(&table).into_iter().map(move |b| (a, b)))
            {
                let (Some(before), Some(after)) = (facts.between(a, b), other.between(a, b)) else {
                    continue;
                };
                for amount in AMOUNTS {
                    assert_eq!(before.amount(amount), after.amount(amount), "{amount:?}");
                }
                let mirrored = matches!(change, Change::Mirror);
                for truth in Truth::ALL {
                    let swapped = match truth {
                        Truth::LeftOf if mirrored => Truth::RightOf,
                        Truth::RightOf if mirrored => Truth::LeftOf,
                        _ => truth,
                    };
                    assert_eq!(
                        before.is(truth),
                        after.is(swapped),
                        "{truth:?} {:?} {:?}",
                        table.body(a),
                        table.body(b)
                    );
                }
                // A mirrored L looks the other way with its first arm.
                let l = matches!(a, Thing::Base(i) if table.bases[i].shape == Shape::Corner);
                if !(mirrored && l) {
                    assert_eq!(before.amount(Measure::WayAhead), after.amount(Measure::WayAhead));
                }
            }
        }
    }
}

#[test]
fn the_order_of_bases_changes_nothing() {
    let mut dice = Dice::new(8);
    for _ in 0..100 {
        let table = table(&mut dice, 12, 0, Facings::Small, 8, 10);
        let mut other = table.clone();
        other.bases.reverse();
        let (facts, reversed) = (Facts::of(&table).unwrap(), Facts::of(&other).unwrap());
        for (a, b) in (0..12).flat_map(|a| (0..12).map(move |b| (a, b))) {
            let (here, there) = (
                facts.between(Thing::Base(a), Thing::Base(b)),
                reversed.between(Thing::Base(11 - a), Thing::Base(11 - b)),
            );
            assert_eq!(here, there);
        }
    }
}

#[test]
fn the_way_of_spans_is_the_exact_one() {
    let mut dice = Dice::new(9);
    let (mut fast, mut slow) = (Facts::default(), Facts::default());
    for i in 0..85_000 {
        let (bases, room) = if i % 1000 == 0 { (60, 24) } else { (3, 4) };
        let kind = if i % 10 == 0 { Facings::Small } else { Facings::Compass };
        let table = table(&mut dice, bases, 0, kind, room, 5);
        fast.measure(&table).unwrap();
        slow.measure_each(&table).unwrap();
        for (a, b) in
            things(&table).into_iter().flat_map(|a| things(&table).into_iter().map(move |b| (a, b)))
        {
            assert_eq!(
                fast.between(a, b),
                slow.between(a, b),
                "{:?} to {:?}",
                table.body(a),
                table.body(b)
            );
        }
    }
}

/// Turned blocks in room and in a crowd, of plain and of awkward fractions: the margin of the fixed
/// numbers decides most pairs, and what it decides is what whole numbers of any size say.
#[test]
fn the_way_of_fixed_numbers_is_the_exact_one() {
    let mut dice = Dice::new(10);
    let (mut fast, mut slow) = (Facts::default(), Facts::default());
    for i in 0..12_000 {
        let (bases, room) = dice.pick(&[(2, 2), (3, 3), (4, 8), (4, 40), (3, 900)]);
        let kind = if i % 4 == 0 { Facings::Small } else { Facings::Degrees };
        let mut table = table(&mut dice, bases, 0, kind, room, 5);
        if i % 3 == 0 {
            // A place that no facing and no other place has a denominator in common with, and a
            // long thin base.
            table.bases[0].x += Fraction::new(dice.from(1, 1_000_002), 1_000_003);
            table.bases[1].width = Fraction::new(dice.from(1, 400_000), 10_007);
        }
        if i % 5 == 0 {
            // Two blocks that look almost the same way.
            table.bases[1].facing = Facing::degrees(u32::try_from((i + 1) % 360).unwrap()).unwrap();
            table.bases[0].facing = Facing::degrees(u32::try_from(i % 360).unwrap()).unwrap();
        }
        fast.measure(&table).unwrap();
        slow.measure_each(&table).unwrap();
        for (a, b) in
            things(&table).into_iter().flat_map(|a| things(&table).into_iter().map(move |b| (a, b)))
        {
            let (fast, slow) = (fast.between(a, b), slow.between(a, b));
            assert_eq!(fast, slow, "{:?} to {:?}", table.body(a), table.body(b));
        }
    }
}
