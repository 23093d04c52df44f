//! What twice the input costs: at most 2.3 times the work, whatever is wrong with it. The work is
//! counted in allocations and in their bytes, for both are the same on every machine. One test, for
//! the counter is that of the whole program.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test may abort")]

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use sutler::diag::Diagnostic;
use sutler::diag::concise::concise;
use sutler::project::check_text;

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const GAME: &str = r#"edition 1
ruleset small "Small" prefix SM
sides Red against Blue
clock turn has action of each side
dimension points (point)
kind area, areas is space
kind road, roads is link
kind block, blocks is unit {
  has men in points from 0 to 9999
}
section 1 "Losses"
map m {
  space area A
  space area B
  link road A to B
}
setup s on m {
  put block X of Red in A with men 5
  put block Y of Blue in B with men 5
}
"#;

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// The game with words for each block.
fn worded(count: usize) -> String {
    let words: Vec<String> = (0..count).map(|at| format!("word_{at}")).collect();
    GAME.replace("  has men", &format!("  has mood one of {}\n  has men", words.join(", ")))
}

/// The game with a track for each block, in rising order.
fn staged(count: usize) -> String {
    let stages = lines(count, |at| format!("  stage_{at}\n"));
    let game = GAME.replace("  has men", "  has mood on moods\n  has men");
    game.replace("dimension points", &format!("track moods {{\n{stages}}}\ndimension points"))
}

fn cells(count: usize, cell: &str) -> String {
    format!(" | {cell}").repeat(count)
}

/// A name, a code that must be reported or none, and the text of a size.
type Family = (&'static str, Option<&'static str>, fn(usize) -> String);

const FAMILIES: &[Family] = &[
    ("unknown names among twice as many", Some("E0201"), |n| {
        let known = lines(2 * n, |at| format!("define known_value_{at} of block = men\n"));
        let asked = lines(n, |at| format!("define reads_{at} of block = unknown_val_{at} + 1\n"));
        format!("{GAME}{known}{asked}")
    }),
    ("unknown spaces", Some("E0704"), |n| {
        let known = lines(2 * n, |at| format!("  space area Known_{at}\n"));
        let puts = lines(n, |at| format!("  put block P{at} of Red in Unkn_{at}\n"));
        format!("{GAME}map far {{\n{known}}}\nsetup there on far {{\n{puts}}}\n")
    }),
    ("unknown ends of links", Some("E0701"), |n| {
        let known = lines(2 * n, |at| format!("  space area Known_{at}\n"));
        let links = lines(n, |at| format!("  link road Unkn_{at} to Known_{at}\n"));
        format!("{GAME}map far {{\n{known}{links}}}\n")
    }),
    ("unknown kinds", Some("E0203"), |n| {
        let known = lines(2 * n, |at| format!("kind kin_{at}, kins_{at} is unit\n"));
        format!("{GAME}{known}{}", lines(n, |at| format!("define x{at} of kni_{at} = 1\n")))
    }),
    ("unknown clauses", Some("E0204"), |n| {
        let known = lines(2 * n, |at| format!("clause c{at} \"It is so.\"\n"));
        let known = GAME.replace("map m {", &format!("{known}map m {{"));
        format!("{known}{}", lines(n, |at| format!("define d{at} of block = men [1q{at}]\n")))
    }),
    ("unknown words", Some("E0206"), |n| {
        let rows = lines(n, |at| format!("  when mood is wrod_{at} then {at}\n"));
        let game = worded(2 * n);
        format!("{game}table v of block gives points by first match {{\n{rows}  otherwise 0\n}}\n")
    }),
    ("unknown units in one case", Some("E0201"), |n| {
        let asked = lines(n, |at| format!("  expect men of Q{at} is 5 points\n"));
        format!("{GAME}case \"c\" {{\n  setup s\n{asked}}}\n")
    }),
    ("unknown facts of units that stand", Some("E0705"), |n| {
        let puts = lines(n, |at| format!("  put block P{at} of Red in A with mne 5\n"));
        format!("{GAME}setup there on m {{\n{puts}}}\n")
    }),
    ("names declared twice", Some("E0202"), |n| {
        format!("{GAME}{}", lines(n, |at| format!("define same of block = men + {at}\n")))
    }),
    ("values of a wrong kind", Some("E0302"), |n| {
        format!("{GAME}{}", lines(n, |at| format!("define t{at} of block = men + Red\n")))
    }),
    ("items that cannot be read", Some("E0105"), |n| {
        format!("{GAME}{}", lines(n, |at| format!("define t{at} of block === men\n")))
    }),
    ("lines that begin no item", Some("E0108"), |n| {
        format!("{GAME}{}", lines(n, |at| format!("tabel t{at} of block\n")))
    }),
    ("a table over words", None, |n| {
        let rows = lines(n, |at| format!("  when mood is word_{at} then {at}\n"));
        let game = worded(n);
        format!("{game}table v of block gives points by only match {{\n{rows}}}\n")
    }),
    ("a table over the stages of a track", None, |n| {
        let rows =
            lines(n - 1, |at| format!("  when mood at least stage_{} then {at}\n", n - 1 - at));
        let game = staged(n);
        format!("{game}table v of block gives points by first match {{\n{rows}  otherwise 0\n}}\n")
    }),
    ("a table over an amount", None, |n| {
        let rows = lines(n, |at| format!("  when men is {at} then {at}\n"));
        format!("{GAME}table v of block gives points by first match {{\n{rows}  otherwise 0\n}}\n")
    }),
    ("rows that are never reached", Some("W0503"), |n| {
        let rows = lines(n, |at| format!("  when men is 1 then {at}\n"));
        format!("{GAME}table v of block gives points by first match {{\n{rows}  otherwise 0\n}}\n")
    }),
    ("rows of a grid of 20 columns", Some("E0501"), |n| {
        let rows = lines(n, |at| format!("  row {at}{}\n", cells(20, "1")));
        let across = lines(20, |at| format!(" | {at}"));
        format!(
            "{GAME}table v of block gives points by only match {{\n  down men\n  across men{across}\n{rows}}}\n"
        )
    }),
    ("columns of a grid of 20 rows", Some("E0501"), |n| {
        let rows = lines(20, |at| format!("  row {at}{}\n", cells(n, "1")));
        let across = lines(n, |at| format!(" | {at}"));
        format!(
            "{GAME}table v of block gives points by only match {{\n  down men\n  across men{across}\n{rows}}}\n"
        )
    }),
    ("rows of a case", Some("W0721"), |n| {
        let columns = cells(20, "expect men of X");
        let rows = lines(n, |at| format!("  row {at}{}\n", cells(20, &format!("{at} points"))));
        format!("{GAME}case \"c\" {{\n  setup s\n  given men of X{columns}\n{rows}}}\n")
    }),
    ("columns of a case", Some("W0721"), |n| {
        let columns = cells(n, "expect men of X");
        let rows = lines(20, |at| format!("  row {at}{}\n", cells(n, &format!("{at} points"))));
        format!("{GAME}case \"c\" {{\n  setup s\n  given men of X{columns}\n{rows}}}\n")
    }),
    ("tests that roll dice", None, |n| {
        let test = |at| {
            format!(
                "test t{at} of block {{\n  roll 3d6 + 1d10\n  when total at least 9 then holds\n  otherwise breaks\n}}\n\
                 define d{at} of block = chance of holds in t{at} of the block * 2\n"
            )
        };
        format!("{GAME}{}", lines(n, test))
    }),
];

/// The allocations of a check with its messages, and their bytes.
fn work(text: &str, code: Option<&str>) -> (usize, usize) {
    let before = Region::new(COUNTED);
    let (sources, _, faults) = check_text("costs.sut", text.as_bytes());
    let said = concise(&faults, &sources);
    let change = before.change();
    let has = |fault: &Diagnostic| Some(fault.code.as_str()) == code;
    assert!(code.is_none() || faults.iter().any(has), "{code:?}: {said}");
    assert!(code.is_some() || !sutler::diag::has_errors(&faults), "{said}");
    (change.allocations, change.bytes_allocated)
}

/// A name, how large it is at first, and the roll.
type Pool = (&'static str, usize, fn(usize) -> String);

/// Pools of dice whose odds are asked.
const POOLS: &[Pool] = &[
    ("more dice", 10, |n| format!("roll {n}d6")),
    ("more sides", 500, |n| format!("roll 3d{n}")),
    ("more faces of its own", 250, |n| {
        let faces: Vec<String> = (0..n).map(|face| (2 * face).to_string()).collect();
        format!("die odd shows {}\n  roll 3 odd", faces.join(", "))
    }),
    ("more tries", 50, |n| format!("roll 2d6\n  retry at most {n} when total at most 3")),
];

/// The allocations of the odds of a test for a unit, and their bytes.
fn odds_of(roll: &str) -> (usize, usize) {
    let (die, roll) = roll.split_once("\n  roll").map_or(("", roll.to_owned()), |(die, rest)| {
        if die.starts_with("die") { (die, format!("roll{rest}")) } else { ("", roll.to_owned()) }
    });
    let text = format!(
        "{GAME}{die}\ntest t of block {{\n  {roll}\n  when total at least 9 then holds\n  otherwise breaks\n}}\n"
    );
    let (sources, rules, faults) = check_text("costs.sut", text.as_bytes());
    assert!(!sutler::diag::has_errors(&faults), "{}", concise(&faults, &sources));
    let rules = rules.unwrap();
    let world = sutler::world::start(&rules, sutler::ir::SetupId(0));
    let position = sutler::kernel::Position::new(&rules, &world).unwrap();
    let before = Region::new(COUNTED);
    let odds = position.odds(sutler::ir::TestId(0), sutler::world::ThingRef::Unit(0)).unwrap();
    let change = before.change();
    let all = odds.iter().map(|(_, chance)| chance).sum::<sutler::kernel::Fraction>();
    assert_eq!(all, sutler::kernel::Fraction::from_integer(1.into()));
    (change.allocations, change.bytes_allocated)
}

#[test]
fn twice_the_input_is_twice_the_work() {
    for (name, size, roll) in POOLS {
        let [once, twice] = [*size, 2 * size].map(|size| odds_of(&roll(size)));
        println!("{name}: {once:?}, {twice:?}");
        for (what, once, twice) in [("allocations", once.0, twice.0), ("bytes", once.1, twice.1)] {
            assert!(twice * 10 <= once * 23, "{name}: {once} {what}, then {twice}");
        }
    }
    for (name, code, text) in FAMILIES {
        let [once, twice] = [300, 600].map(|size| work(&text(size), *code));
        for (what, once, twice) in [("allocations", once.0, twice.0), ("bytes", once.1, twice.1)] {
            assert!(twice * 10 <= once * 23, "{name}: {once} {what}, then {twice}");
        }
        println!("{name}: {once:?}, {twice:?}");
    }
}
