//! Where a base comes to stand: examples worked by hand, and random tables on which the slow twin
//! judges the end of a move.

use crate::common::counts::{seed_base, share};
use num_bigint::BigInt;
use num_rational::Ratio;
use sutler::project::check_text;
use sutler::suite::run_case;
use sutler::tabletop::{
    Base, Between, Body, Corner, Facing, Fault, Fraction, GRAIN, Ground, Measure, Placement, Point,
    Stop, Table, Thing, Truth, Wrong, reference,
};

fn f(n: i64, d: i64) -> Fraction {
    Fraction::new(n, d)
}

fn block(x: Fraction, y: Fraction, facing: Facing) -> Base {
    Base::block(x, y, facing, f(2, 1), f(1, 1))
}

fn table(bases: Vec<Base>) -> Table {
    Table { width: f(40, 1), depth: f(24, 1), bases, grounds: Vec::new() }
}

fn slow(a: &Base, b: &Base) -> Between {
    reference::between::<Ratio<BigInt>>(Body::Base(a), Body::Base(b))
}

fn stands(placed: &Placement, x: Fraction, y: Fraction, facing: Facing) {
    assert_eq!(
        (placed.base.x, placed.base.y, placed.base.facing, placed.rounded),
        (x, y, facing, false)
    );
}

#[test]
fn an_advance_ends_at_the_first_contact() {
    let t = table(vec![
        block(f(10, 1), f(10, 1), Facing::NORTH),
        block(f(11, 1), f(12, 1), Facing::SOUTH),
        block(f(10, 1), f(16, 1), Facing::SOUTH),
    ]);
    let short = t.advance(0, f(3, 2), Stop::default()).unwrap().unwrap();
    stands(&short, f(10, 1), f(23, 2), Facing::NORTH);
    assert!(short.met.is_empty() && short.free && short.on_table);
    let long = t.advance(0, f(9, 1), Stop::default()).unwrap().unwrap();
    stands(&long, f(10, 1), f(12, 1), Facing::NORTH);
    assert_eq!(long.met, [Thing::Base(1)]);
    let halt = t.halt_short(0, 1, f(1, 20), Stop::default()).unwrap().unwrap();
    stands(&halt, f(10, 1), f(239, 20), Facing::NORTH);
    // The third stands behind the second: what is nearer stops the move.
    let behind = t.halt_short(0, 2, f(1, 20), Stop::default()).unwrap().unwrap();
    assert_eq!((behind.base.y, behind.met), (f(12, 1), vec![Thing::Base(1)]));
}

#[test]
fn ground_stops_only_whom_it_is_said_to() {
    let mut t = table(vec![block(f(10, 1), f(10, 1), Facing::NORTH)]);
    let at = |x: i64, y: i64| Point { x: f(x, 1), y: f(y, 1) };
    t.grounds = vec![Ground::Line(vec![at(0, 10), at(20, 14)])];
    // The stream is nearest at the right corner, where it lies 12 + 1/5 north.
    let free = t.advance(0, f(5, 1), Stop::default()).unwrap().unwrap();
    assert_eq!(free.base.y, f(15, 1));
    let stopped = t.advance(0, f(5, 1), Stop { grounds: &[0] }).unwrap().unwrap();
    assert_eq!((stopped.base.y, stopped.met), (f(59, 5), vec![Thing::Ground(0)]));
}

#[test]
fn a_unit_goes_back_to_the_first_gap_that_holds_it() {
    // Lines 1 deep at 10, 9, 8 and 6 1/2: between 8 and 6 1/2 there is half a base width, behind
    // the last there is room.
    let lines = [f(10, 1), f(9, 1), f(8, 1), f(13, 2)];
    let mut t = table(lines.iter().map(|y| block(f(10, 1), *y, Facing::NORTH)).collect());
    let placed = t.first_gap_behind(0).unwrap().unwrap();
    stands(&placed, f(10, 1), f(11, 2), Facing::NORTH);
    assert_eq!((placed.passed, placed.free), (vec![1, 2, 3], true));
    // With the last line farther back there is room behind the third.
    t.bases[3].y = f(6, 1);
    let placed = t.first_gap_behind(0).unwrap().unwrap();
    assert_eq!((placed.base.y, placed.passed), (f(7, 1), vec![1, 2]));
    // Without anybody behind there is no support, and at the edge of the table no room.
    assert_eq!(t.first_gap_behind(3).unwrap(), None);
    t.bases =
        vec![block(f(10, 1), f(2, 1), Facing::NORTH), block(f(10, 1), f(1, 1), Facing::NORTH)];
    assert_eq!(t.first_gap_behind(0).unwrap(), None);
}

#[test]
fn moves_back_and_turns_are_as_by_hand() {
    let t = table(vec![
        block(f(10, 1), f(10, 1), Facing::NORTH),
        block(f(10, 1), f(17, 2), Facing::EAST),
    ]);
    let back = t.fall_back(0, f(1, 2)).unwrap().unwrap();
    stands(&back, f(10, 1), f(19, 2), Facing::NORTH);
    assert_eq!((back.passed, back.free), (vec![1], false));
    let about = t.about_face(0).unwrap().unwrap();
    stands(&about, f(10, 1), f(9, 1), Facing::SOUTH);
    let off = t.break_off(0, f(4, 1)).unwrap().unwrap();
    stands(&off, f(10, 1), f(5, 1), Facing::SOUTH);
    assert_eq!((off.passed, off.free), (vec![1], true));
    let wheel = t.wheel(0, Corner::Left, Facing::EAST).unwrap().unwrap();
    stands(&wheel, f(9, 1), f(9, 1), Facing::EAST);
    let wheel = t.wheel(0, Corner::Right, Facing::towards(3, 4).unwrap()).unwrap().unwrap();
    // From the corner (11, 10) one base width back along the new front, (-4/5, 3/5).
    stands(&wheel, f(51, 5), f(53, 5), Facing::towards(3, 4).unwrap());
}

#[test]
fn lines_are_exchanged() {
    let mut rear = block(f(21, 2), f(8, 1), Facing::NORTH);
    rear.depth = f(1, 2);
    let t = table(vec![block(f(10, 1), f(10, 1), Facing::NORTH), rear]);
    let (first, second) = t.swap(1, 0).unwrap().unwrap();
    stands(&first, f(10, 1), f(10, 1), Facing::NORTH);
    stands(&second, f(10, 1), f(19, 2), Facing::NORTH);
    assert!(first.free && second.free);
    assert!(slow(&second.base, &first.base).is(Truth::TouchingRearOf));
}

#[test]
fn a_unit_conforms_to_the_edge_that_it_touches() {
    // It touches the east flank of the first with its right corner, looking to the south-west.
    let mut a = block(f(0, 1), f(0, 1), Facing::towards(-4, -3).unwrap());
    // The right end of the front is the place and the way to the right, (-3/5, 4/5): that is at
    // (11, 19/2).
    (a.x, a.y) = (f(58, 5), f(87, 10));
    let t = table(vec![block(f(10, 1), f(10, 1), Facing::NORTH), a]);
    let right = a.front()[0].1;
    assert_eq!((right.x, right.y), (f(11, 1), f(19, 2)));
    let places = t.conform(1, 0).unwrap();
    assert_eq!(places.len(), 1);
    // It is 2 wide, the flank 1 long from 9 to 10: its middle may lie from 9 to 10, and lay south
    // of that.
    stands(&places[0], f(11, 1), f(9, 1), Facing::WEST);
    assert!(places[0].free);
    // The flanked unit turns to it: the flank becomes its front line.
    let t = table(vec![t.bases[0], places[0].base]);
    let turned = t.turn_to(0, 1).unwrap();
    assert_eq!(turned.len(), 1);
    stands(&turned[0], f(11, 1), f(19, 2), Facing::EAST);
    // Out of contact it turns about its middle.
    let t = table(vec![t.bases[0], block(f(15, 1), f(10, 1), Facing::WEST)]);
    let turned = t.turn_to(0, 1).unwrap();
    stands(&turned[0], f(21, 2), f(19, 2), Facing::EAST);
    assert!(t.conform(1, 0).unwrap().is_empty());
}

#[test]
fn faults_of_a_table() {
    let mut t = table(vec![
        block(f(10, 1), f(10, 1), Facing::NORTH),
        block(f(11, 1), f(9, 1), Facing::NORTH),
    ]);
    assert_eq!(t.faults(), []);
    t.bases[1].y = f(19, 2);
    assert_eq!(t.faults(), [Fault::Overlap(0, 1)]);
    t.bases[1] = block(f(1, 2), f(9, 1), Facing::NORTH);
    assert_eq!(t.faults(), [Fault::OffTable(1)]);
    t.bases[1] = Base { width: f(0, 1), ..t.bases[0] };
    assert_eq!(t.faults(), [Fault::Bounds(Thing::Base(1), Wrong::NotPositive)]);
    t.bases[1] = block(f(1001, 1), f(0, 1), Facing::NORTH);
    assert_eq!(t.faults(), [Fault::Bounds(Thing::Base(1), Wrong::TooFar)]);
    t.bases.pop();
    let at = |x: i64, y: i64| Point { x: f(x, 1), y: f(y, 1) };
    t.grounds = vec![
        Ground::Area(vec![at(1, 1), at(3, 3), at(3, 1), at(1, 3)]),
        Ground::Area(vec![at(1, 1), at(3, 3)]),
        Ground::Area(vec![at(1, 1), at(3, 1), at(3, 3), at(2, 2)]),
        Ground::Line(vec![at(1, 1)]),
    ];
    assert_eq!(t.faults(), [Fault::FewPoints(1), Fault::FewPoints(3), Fault::Crosses(0)]);
}

#[test]
fn facings_that_are_none_and_whole_degrees() {
    for (a, b) in [(0, 0), (1, 2), (1, 1), (i64::MIN, i64::MIN), (i64::MAX, 1)] {
        assert_eq!(Facing::towards(a, b), Err(Wrong::NoFacing(a, b)));
    }
    assert_eq!(Facing::degrees(360), Err(Wrong::NoDegrees(360)));
    assert_eq!(Facing::towards(6, 8), Facing::towards(3, 4));
    for d in 0..360 {
        let (east, north, length) = Facing::degrees(d).unwrap().parts();
        assert_eq!(east * east + north * north, length * length);
        assert_eq!(Facing::degrees((d + 90) % 360).unwrap(), Facing::degrees(d).unwrap().right());
        // Mirrored at the north, but for the middles between two axes.
        if d % 90 != 45 {
            assert_eq!(Facing::degrees((360 - d) % 360).unwrap().parts(), (-east, north, length));
        }
        // The angle itself, by the arc tangent of the machine, which is good to far more than a
        // thousandth of a degree.
        #[allow(clippy::float_arithmetic, reason = "an independent judge")]
        {
            let angle = (east as f64).atan2(north as f64).to_degrees();
            let off = (angle - f64::from(d) + 540.0) % 360.0 - 180.0;
            assert!(off.abs() < 0.001, "{d} is {angle}");
        }
    }
}

/// A generator of random numbers that gives the same on every machine.
struct Dice(u64);

impl Dice {
    fn from(&mut self, low: i64, high: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + i64::try_from((self.0 >> 33) % u64::try_from(high - low + 1).unwrap()).unwrap()
    }

    fn base(&mut self, kind: i64) -> Base {
        let facing = match kind {
            0 => Facing::degrees(u32::try_from(90 * self.from(0, 3)).unwrap()),
            1 => [Facing::towards(3, 4), Facing::towards(-12, 5), Facing::towards(0, -1)]
                [usize::try_from(self.from(0, 2)).unwrap()],
            _ => Facing::degrees(u32::try_from(self.from(0, 359)).unwrap()),
        };
        block(f(self.from(12, 36), 2), f(self.from(12, 36), 2), facing.unwrap())
    }
}

#[test]
fn the_slow_twin_finds_the_end_of_every_move_right() {
    let mut dice = Dice(5 + seed_base());
    let (mut met, mut rounded, mut laid, mut gaps) = (0, 0, 0, 0usize);
    for i in 0..share(400).max(150) {
        let kind = i64::try_from(i % 3).unwrap();
        let t = table((0..4).map(|_| dice.base(kind)).collect());
        if t.faults().iter().any(|fault| matches!(fault, Fault::Overlap(..))) {
            continue;
        }
        let by = f(dice.from(1, 40), 4);
        let placed = t.advance(0, by, Stop::default()).unwrap().unwrap();
        rounded += usize::from(placed.rounded);
        let ways: Vec<_> =
            t.bases[1..].iter().map(|b| slow(&t.bases[0], b).amount(Measure::WayAhead)).collect();
        let nearest = ways.iter().flatten().min();
        // Amounts are rounded down to a grain, so that within a grain of the end both are right.
        let far = (by * GRAIN).to_integer();
        if nearest.is_none_or(|n| *n > far) {
            assert!(placed.met.is_empty(), "{placed:?}");
        }
        if nearest.is_some_and(|n| *n < far) {
            assert!(!placed.met.is_empty());
        }
        assert!(placed.free, "{t:?} {placed:?}");
        for thing in &placed.met {
            met += 1;
            let Thing::Base(b) = *thing else { panic!("there is no ground") };
            assert!(slow(&placed.base, &t.bases[b]).is(Truth::InContactWith), "{t:?} {placed:?}");
            let after = Table { bases: vec![placed.base, t.bases[b]], ..t.clone() };
            for place in after.conform(0, 1).unwrap() {
                laid += 1;
                let (to, from) = (slow(&place.base, &t.bases[b]), slow(&t.bases[b], &place.base));
                assert!(to.is(Truth::InContactWith) || place.rounded, "{after:?} {place:?}");
                // All blocks are 2 wide and 1 deep: the whole of an edge, or as much as the front
                // has.
                let full = from.amount(Measure::WidthBefore).unwrap();
                assert!(
                    [GRAIN, 2 * GRAIN]
                        .contains(&(full + i64::from(place.rounded && full % GRAIN > 0))),
                    "{full} {place:?}"
                );
            }
        }
        if let Some(back) = t.first_gap_behind(0).unwrap() {
            gaps += 1;
            assert!(back.free && back.on_table && !back.passed.is_empty());
            assert!(
                t.bases[1..]
                    .iter()
                    .all(|b| !slow(&back.base, b).is(Truth::InContactWith) || back.free)
            );
        }
        let about = t.about_face(0).unwrap().unwrap();
        let twice = Table { bases: vec![about.base], ..t.clone() }.about_face(0).unwrap().unwrap();
        if !about.rounded {
            assert_eq!(twice.base, t.bases[0]);
        }
    }
    assert!(
        met > share(50) && rounded > share(10) && laid > share(50) && gaps > share(10),
        "{met} {rounded} {laid} {gaps}"
    );
}

/// A column of three, the rear named before the middle.
const COLUMN: &str = "edition 1
ruleset col \"Column\" prefix CO
sides Red against Blue
clock turn has movement of each side
dimension bw
tabletop in bw
kind stand, stands is unit {
  base 1 by 1/2
}
section 1 \"Moves\"
clause 1 \"A stand goes half a width ahead.\"
phase forced in movement of owner [1.1] {
  do advance 1/2 for own stands
}
phase free in movement of owner [1.1] {
  may advance 1/2 for own stands
}
phase twice in movement of owner [1.1] {
  may advance 1/2 for own stands
  may advance 1/2 for own stands
}
map field {
  table 12 by 8
}
setup start on field {
  put stand A of Red at (6, 3) facing north
  put stand B of Red at (6, 2) facing north
  put stand C of Red at (6, 5/2) facing north
}
";

#[test]
fn what_happens_goes_one_after_the_other_and_what_is_offered_was_free_before() {
    let failures = |lines: &str| -> Vec<String> {
        let text = format!("{COLUMN}case \"a column\" {{\n  setup start\n{lines}}}\n");
        let (sources, rules, faults) = check_text("column.sut", text.as_bytes());
        let rules = rules.unwrap_or_else(|| panic!("{faults:?}"));
        let case = rules.cases.first().unwrap();
        let outcome = run_case(&rules, case, |span| sources.slice(span));
        outcome.failures.into_iter().map(|failure| failure.message).collect()
    };
    let whole = "  run forced of Red\n  expect A at (6, 7/2)\n  expect B at (6, 5/2)\n  expect C at (6, 3)\n";
    assert_eq!(failures(whole), [] as [String; 0]);
    let offered = "  expect A may advance to (6, 7/2) facing north\n  expect B may not advance\n  \
        expect C may not advance\n";
    assert_eq!(failures(offered), [] as [String; 0]);
    let orders = "  order A advance\n  order C advance\n";
    let once = failures(&format!("{orders}  run free of Red\n  expect A at (6, 7/2)\n"));
    assert_eq!(once.len(), 1, "{once:?}");
    assert!(once[0].contains("`order C advance`"), "{once:?}");
    let twice =
        format!("{orders}  run twice of Red\n  expect A at (6, 7/2)\n  expect C at (6, 3)\n");
    assert_eq!(failures(&twice), [] as [String; 0]);
}
