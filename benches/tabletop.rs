//! The facts of a table of sixty units: first that both ways and the slow twin say the same, then
//! tables a second.
//!
//! Nothing is asserted about time. With `--test` only the answers are compared.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "a measurement, not a rule"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_rational::Ratio;
use sutler::tabletop::{Base, Facing, Facts, Fraction, Table, Thing, reference};

/// How many units a table has.
const UNITS: i64 = 60;

/// Two armies in lines of blocks, a little apart, some of them turned a few degrees.
fn armies(turned: i64) -> Table {
    let base = |i: i64| {
        let (line, file) = (i / 10, i % 10);
        let south = line < 3;
        let y = if south { 6 - 2 * line } else { 9 + 2 * (line - 3) };
        let facing = match (turned > 0 && i % turned == 0, south) {
            (true, _) => Facing::degrees(u32::try_from(i * 7 % 360).unwrap()).unwrap(),
            (false, true) => Facing::NORTH,
            (false, false) => Facing::SOUTH,
        };
        let x = Fraction::new(6 + 6 * file + line % 2, 2);
        Base::block(
            x,
            Fraction::new(2 * y + i % 2, 2),
            facing,
            Fraction::new(2, 1),
            Fraction::new(1, 2),
        )
    };
    let size = Fraction::from_integer(40);
    Table { width: size, depth: size, bases: (0..UNITS).map(base).collect(), grounds: Vec::new() }
}

fn compare(table: &Table, every: usize) {
    let (mut fast, mut each) = (Facts::default(), Facts::default());
    fast.measure(table).unwrap();
    each.measure_each(table).unwrap();
    for a in 0..table.bases.len() {
        for b in 0..table.bases.len() {
            let (a, b) = (Thing::Base(a), Thing::Base(b));
            assert_eq!(fast.between(a, b), each.between(a, b));
        }
    }
    for i in (0..table.bases.len()).step_by(every) {
        for j in (0..table.bases.len()).filter(|j| *j != i) {
            let slow = reference::between::<Ratio<BigInt>>(
                table.body(Thing::Base(i)).unwrap(),
                table.body(Thing::Base(j)).unwrap(),
            );
            assert_eq!(fast.between(Thing::Base(i), Thing::Base(j)), Some(&slow));
        }
    }
}

/// How often a second something is done.
fn rate(mut work: impl FnMut()) -> f64 {
    work();
    let (start, mut done) = (Instant::now(), 0_u32);
    while start.elapsed() < Duration::from_secs(1) {
        work();
        done += 1;
    }
    f64::from(done) / start.elapsed().as_secs_f64()
}

fn main() {
    let only_test = std::env::args().any(|a| a == "--test");
    for (name, turned) in [("all along the axes", 0), ("every sixth turned", 6), ("all turned", 1)]
    {
        let table = armies(turned);
        compare(&table, if only_test { 30 } else { 12 });
        if only_test {
            println!("{name}: the answers agree");
            continue;
        }
        let mut facts = Facts::default();
        let fast = rate(|| facts.measure(black_box(&table)).unwrap());
        let each = rate(|| facts.measure_each(black_box(&table)).unwrap());
        let (a, b) = (table.body(Thing::Base(0)).unwrap(), table.body(Thing::Base(35)).unwrap());
        let slow = rate(|| _ = black_box(reference::between::<Ratio<BigInt>>(a, b)));
        let pairs = (UNITS * (UNITS - 1)) as f64;
        println!(
            "{name}: {fast:.0} tables a second, {:.1} times each pair alone, {:.0} times the slow twin",
            fast / each,
            fast * pairs / slow
        );
    }
}
