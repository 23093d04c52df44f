//! Exact odds against the dice: every sequence of throws run through the engine, and runs from
//! seeds.

use crate::common::counts::{seeds_every, share};
use std::fmt::Write;
use std::process::Command;

use crate::common::Dice as Picks;
use num_rational::BigRational as Fraction;
use num_traits::{One, Zero};
use sutler::engine::odds::{Cell, Change, End, Odds, Passing, changed, odds, odds_within};
use sutler::engine::{Dice, DiceFault, Orders, RunFault, run};
use sutler::ir::{PhaseId, Ruleset, SetupId};
use sutler::kernel::Position;
use sutler::project::check_text;
use sutler::suite::run_case;
use sutler::world::{ThingRef, World, start};

/// The die with faces of its own in all rulesets below.
const FACES: [u32; 4] = [0, 1, 1, 3];

const HEAD: &str = "edition 1
ruleset small \"Small\" prefix SM
sides Red, Blue
kind field, fields is space
kind road, roads is link
kind chief, chiefs is unit {
  has nerve in points from 0 to 9
}
kind band, bands is unit {
  has strength in points from 0 to 5
  has chief maybe a chief
}
kind tally, tallies is world {
  has lost in points from 0 to 3
}
dimension links, points
mark shaken of band
die odd shows 0, 1, 1, 3
map ground {
  space field Here
  space field There
  link road Here to There
}
";

fn ruleset(text: &str) -> (Ruleset, World) {
    let (sources, rules, faults) = check_text("small.sut", text.as_bytes());
    let rules = rules.unwrap_or_else(|| {
        panic!("{text}\n{faults:#?}\n{}", sources.slice(faults[0].primary().unwrap()))
    });
    let world = start(&rules, SetupId(0));
    (rules, world)
}

fn outcome(chance: i64, of: i64) -> Fraction {
    Fraction::new(chance.into(), of.into())
}

/// A ruleset at random: a test with dice, perhaps a retry, and steps that look at others or not.
fn random(picks: &mut Picks) -> String {
    let mut text = HEAD.replace(
        "  has chief maybe a chief\n}",
        "  has chief maybe a chief\n  has wear on weariness\n}\n\
         track weariness \"Weariness\" {\n  fresh\n  worn\n  spent\n}",
    );
    let dice = *picks.pick(&["1d2", "1d3", "1d4", "2d2", "1 odd", "1d2 + 1 odd"]);
    let plus = *picks.pick(&["", " + strength", " - strength", " + count of bands here", " + 1"]);
    let _ = writeln!(text, "test trial of band {{\n  roll {dice}{plus}");
    if picks.percent(50) {
        let _ = writeln!(text, "  when natural at least 3 then wins");
    }
    let _ = writeln!(text, "  when total at most {} then fails\n  otherwise holds", picks.below(4));
    let when = *picks.pick(&[
        "trial is fails",
        "total at most 2",
        "not trial is holds and natural at most 1",
    ]);
    match picks.below(4) {
        0 => _ = writeln!(text, "  retry at most {} when {when}", picks.below(3)),
        1 => _ = writeln!(text, "  retry spending nerve of chief when {when}"),
        2 => _ = writeln!(text, "  retry at most 1 spending nerve of chief when {when}"),
        _ => {}
    }
    let once = if !text.contains("retry") && picks.percent(30) { " once" } else { "" };
    let _ = writeln!(text, "}}\nphase storm at end of turn {{");
    let steps = [
        "do lower strength by 1 for bands where trial is fails",
        "do raise lost by 1 for bands where trial is fails",
        "do remove for bands where (trial is fails and strength at most 0)",
        "do mark shaken for bands where any band here where shaken",
        "do mark shaken for bands where trial is holds",
        "do clear shaken for bands where count of bands here at most 1",
        "do lower nerve of chief by 1 for bands where (trial is fails and chief is not none)",
        "do set space to none for bands where (lost at least 2 and shaken)",
        "do raise wear by 1 for bands where trial is fails",
        "do mark shaken for bands where wear at least worn",
    ];
    let _ = writeln!(text, "  roll trial{once} for bands where strength at least 1");
    let related = [
        "do make owner enemy_of Blue for bands where trial is fails",
        "do make Blue ally_of owner for bands where trial is holds",
        "do mark shaken for bands where Blue is enemy_of owner",
    ];
    // Dice of their own, for each throw more is as many times more to try.
    let mut aside = Picks::new(text.len() as u64);
    let relates = aside.percent(50);
    for _ in 0..1 + picks.below(4) {
        let _ = writeln!(text, "  {}", picks.pick(&steps));
        if relates && aside.percent(60) {
            let _ = writeln!(text, "  {}", aside.pick(&related));
        }
    }
    if picks.percent(30) {
        let _ =
            writeln!(text, "  roll trial{once} for bands where shaken\n  {}", picks.pick(&steps));
    }
    let _ = writeln!(
        text,
        "}}\nsetup opening on ground {{\n  put chief Old of Red in Here with nerve {}",
        picks.below(3)
    );
    for band in 0..1 + picks.below(2) {
        let chief = if picks.percent(70) { ", chief Old" } else { "" };
        let place = picks.pick(&["Here", "There"]);
        let _ = writeln!(
            text,
            "  put band B{band} of Red in {place} with strength {}{chief}",
            1 + picks.below(2)
        );
    }
    text.push_str("}\n");
    text.replacen("kind field", "clock turn has day\nkind field", 1)
}

/// Every sequence of throws that a phase can ask for, run through the engine, with its chance.
fn every_throw(
    rules: &Ruleset,
    start: &World,
    thrown: &mut Vec<u32>,
    chance: &Fraction,
    ends: &mut Vec<(World, Fraction)>,
) {
    let attempt = |thrown: &[u32]| {
        let mut world = start.clone();
        run(
            rules,
            &mut world,
            PhaseId(0),
            None,
            &mut Dice::list(thrown.to_vec()),
            &mut Orders::none(),
        )
        .map(|_| world)
    };
    match attempt(thrown) {
        Ok(mut world) => {
            world.rolled.clone_from(&start.rolled);
            match ends.iter_mut().find(|(w, _)| *w == world) {
                Some((_, sum)) => *sum += chance,
                None => ends.push((world, chance.clone())),
            }
        }
        Err(RunFault::Dice(_, DiceFault::NoDie)) => {
            // A number that no die shows tells which die is thrown next.
            let probe = [thrown.as_slice(), &[1_000_000]].concat();
            let faces: Vec<u32> = match attempt(&probe) {
                Err(RunFault::Dice(_, DiceFault::WrongDie { sides, .. })) => (1..=sides).collect(),
                Err(RunFault::Dice(_, DiceFault::NoFace(_))) => FACES.to_vec(),
                other => panic!("{other:?}"),
            };
            let each = chance / Fraction::from_integer(faces.len().into());
            for face in faces {
                thrown.push(face);
                every_throw(rules, start, thrown, &each, ends);
                thrown.pop();
            }
        }
        Err(other) => panic!("{other}"),
    }
}

fn ends_of(odds: Odds) -> Vec<End> {
    match odds {
        Odds::Joint(ends) => ends,
        Odds::Alone(_) => panic!("so few ends are found together"),
    }
}

fn of_unit(ends: &[End], unit: u32) -> Vec<(Vec<Change>, Fraction)> {
    let mut found: Vec<(Vec<Change>, Fraction)> = Vec::new();
    for (changes, chance) in ends {
        let own = |cell: &Cell| matches!(cell, Cell::Unit(u, _) | Cell::Removed(u) if *u == unit);
        let own: Vec<Change> = changes.iter().filter(|(cell, _)| own(cell)).copied().collect();
        match found.iter_mut().find(|(c, _)| *c == own) {
            Some((_, sum)) => *sum += chance,
            None => found.push((own, chance.clone())),
        }
    }
    found.sort();
    found
}

#[test]
fn exact_odds_are_those_of_every_throw() {
    let (mut most, mut alone, mut retried) = (0, 0, 0);
    for seed in seeds_every(75, 1) {
        let text = random(&mut Picks::new(seed));
        let (rules, world) = ruleset(&text);
        let passing = [Passing::Phase(PhaseId(0), None)];
        let exact = ends_of(odds(&rules, &world, &passing).unwrap());
        assert!(exact.iter().map(|(_, c)| c).sum::<Fraction>().is_one(), "{text}");
        let mut brute = Vec::new();
        every_throw(&rules, &world, &mut Vec::new(), &Fraction::one(), &mut brute);
        (most, retried) = (most.max(brute.len()), retried + usize::from(text.contains("retry")));
        assert_eq!(brute.len(), exact.len(), "seed {seed}\n{text}");
        for (changes, chance) in &exact {
            let world = changed(&world, changes);
            let found = brute.iter().find(|(w, _)| *w == world).map(|(_, c)| c);
            assert_eq!(found, Some(chance), "seed {seed}\n{text}");
        }
        // Where units can be solved alone, each comes to what it comes to among the others.
        if let Ok(Odds::Alone(units)) = odds_within(&rules, &world, &passing, 1) {
            alone += 1;
            for (unit, ends) in units {
                assert_eq!(
                    of_unit(&ends, unit),
                    of_unit(&exact, unit),
                    "seed {seed}, alone\n{text}"
                );
            }
        }
    }
    assert!(
        most >= 8 && alone >= share(5) && retried >= share(25),
        "{most} ends, {alone} alone, {retried} retried"
    );
}

/// How far counts may lie from their means: six deviations of the binomial, so that a right program
/// fails once in 10^8 counts. The square is compared, in whole numbers: (count * under - runs *
/// over)^2 <= 36 * runs * over * (under - over).
fn within_six_deviations(count: i64, runs: i64, chance: &Fraction) -> bool {
    let (over, under) = (chance.numer(), chance.denom());
    let off = under * count - over * runs;
    let bound: num_bigint::BigInt = over * (under - over) * runs * 36;
    &off * &off <= bound
}

#[test]
fn a_million_throws_of_a_test_agree_with_its_odds() {
    let text = format!(
        "{HEAD}test trial of band {{
  roll 1d6 + 1 odd + strength
  when natural at least 8 then wins
  when total at most 4 then fails
  otherwise holds
  retry at most 1 when trial is fails
}}
setup opening on ground {{
  put band Band of Red in Here with strength 1
}}
"
    );
    let (rules, world) = ruleset(&text);
    let position = Position::new(&rules, &world).unwrap();
    let test = sutler::ir::TestId(0);
    let band = ThingRef::Unit(0);
    let exact = position.odds(test, band).unwrap();
    // By hand: of 24 throws, 1d6 + odd is 8 or more in 2 (5+3, 6+3), at most 3 in 6 (1+0, 2+0, 3+0,
    // 1+1 and 2+1 twice each make 7): 0 with 1, 2, 3; 1 with 1, 2, twice; that is 3 + 4 = 7. So a
    // first roll fails with 7/24.
    let fails = outcome(7, 24);
    let wins = outcome(2, 24);
    assert_eq!(exact[1], (Some(1), &fails * &fails));
    assert_eq!(exact[0], (Some(0), &wins + &fails * &wins));
    assert_eq!(exact.iter().map(|(_, c)| c).sum::<Fraction>(), Fraction::one());
    // What one roll comes to is the same whenever the dice are the same, so that the engine is
    // asked once for each sum.
    let found: Vec<Option<u16>> =
        (0..=9).map(|natural| position.outcome(test, band, natural).unwrap()).collect();
    let mut dice = Dice::seeded(1);
    let rule = &rules.tests[0];
    let mut throw = || -> usize {
        let shown: u32 = rule.dice.iter().map(|t| dice.throw(&t.die).unwrap()).sum();
        shown as usize
    };
    let runs = 1_000_000;
    let mut counts = [0i64; 3];
    for _ in 0..runs {
        let first = found[throw()].unwrap();
        let last = if first == 1 { found[throw()].unwrap() } else { first };
        counts[usize::from(last)] += 1;
    }
    for (word, chance) in &exact {
        let count = counts[usize::from(word.unwrap())];
        assert!(
            within_six_deviations(count, runs, chance),
            "{word:?}: {count} of {runs}, {chance}"
        );
    }
    // The bound is one that can fail: a chance off by one in a hundred is told apart.
    let off = &exact[1].1 + outcome(1, 100);
    assert!(!within_six_deviations(counts[1], runs, &off));
}

#[test]
fn phases_run_from_seeds_agree_with_their_odds() {
    let text = format!(
        "{HEAD}
test trial of band {{
  roll 1d6 - strength
  when total at most 2 then fails
  otherwise holds
  retry spending nerve of chief when trial is fails
}}
phase storm at end of turn {{
  roll trial for bands
  do   lower strength by 1 for bands where trial is fails
  do   remove for bands where (trial is fails and any band here where trial is holds)
}}
setup opening on ground {{
  put chief Old of Red in Here with nerve 1
  put band One of Red in Here with strength 1, chief Old
  put band Two of Red in Here with strength 2, chief Old
  put band Three of Red in There with strength 3
}}
"
    )
    .replacen("kind field", "clock turn has day\nkind field", 1);
    let (rules, world) = ruleset(&text);
    let exact = ends_of(odds(&rules, &world, &[Passing::Phase(PhaseId(0), None)]).unwrap());
    let worlds: Vec<World> = exact.iter().map(|(changes, _)| changed(&world, changes)).collect();
    let mut counts = vec![0i64; exact.len()];
    let runs = 20_000;
    let mut dice = Dice::seeded(2);
    for _ in 0..runs {
        let mut end = world.clone();
        run(&rules, &mut end, PhaseId(0), None, &mut dice, &mut Orders::none()).unwrap();
        end.rolled.clone_from(&world.rolled);
        counts[worlds.iter().position(|w| *w == end).unwrap()] += 1;
    }
    for (count, (changes, chance)) in counts.iter().zip(&exact) {
        assert!(
            !chance.is_zero() && within_six_deviations(*count, runs, chance),
            "{changes:?}: {count} of {runs}, {chance}"
        );
    }
}

/// The failures of the cases of a text.
/// The odds of a test in one step, and the sum of all its endings, retry by retry.
#[test]
fn the_odds_of_a_test_are_the_sum_of_its_endings() {
    let mut picks = Picks::new(23);
    for _ in 0..60 {
        let (most, below, high) = (picks.below(9), picks.below(13), picks.below(12));
        let text = format!(
            "{HEAD}test luck of band {{\n  roll 1d6 + 1 odd\n  retry at most {most} when total at most {below}\n  \
             when total at least {high} then good\n  otherwise bad\n}}\n\
             setup start on ground {{\n  put band One of Red in Here\n}}\n"
        );
        let (sources, rules, _) = check_text("small.sut", text.as_bytes());
        // What can never be, or always is, is refused.
        let Some(rules) = rules else { continue };
        drop(sources);
        let world = start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        let (test, thing) = (sutler::ir::TestId(0), ThingRef::Unit(0));
        let mut summed: Vec<(Option<u16>, Fraction)> = Vec::new();
        let most = position.retries(test, thing).unwrap().most(0);
        for ending in position.endings(test, thing, most).unwrap() {
            match summed.iter_mut().find(|(outcome, _)| *outcome == ending.outcome) {
                Some((_, chance)) => *chance += ending.chance,
                None => summed.push((ending.outcome, ending.chance)),
            }
        }
        summed.sort_by_key(|(outcome, _)| *outcome);
        assert_eq!(position.odds(test, thing).unwrap(), summed, "{text}");
    }
}

fn failures(text: &str) -> Vec<String> {
    let (sources, rules, faults) = check_text("small.sut", text.as_bytes());
    let rules = rules.unwrap_or_else(|| panic!("{faults:#?}"));
    let all = rules
        .cases
        .iter()
        .flat_map(|case| run_case(&rules, case, |span| sources.slice(span)).failures);
    all.map(|failure| failure.message).collect()
}

const TRIAL: &str = "
test trial of band {
  roll 1d6
  when total at most 3 then fails
  otherwise holds
  retry spending nerve of chief when trial is fails
}
phase storm at end of turn {
  roll trial for bands
}
setup opening on ground {
  put chief Old of Red in Here with nerve 2
  put band One of Red in Here with strength 1, chief Old
  put band Two of Red in Here with strength 1, chief Old
}
";

fn with_clock(rest: &str) -> String {
    format!("{HEAD}{rest}").replacen("kind field", "clock turn has day\nkind field", 1)
}

#[test]
fn who_comes_first_spends_first_and_the_last_roll_counts() {
    // One fails twice and holds at its third roll; then nothing is left, and the first roll of Two
    // counts.
    let case = "case \"one pool\" {
  setup opening
  dice  1, 2, 4, 3
  run   storm
  expect trial of One is holds
  expect trial of Two is fails
  expect nerve of Old is 0 points
}
";
    assert_eq!(failures(&with_clock(&format!("{TRIAL}{case}"))), [] as [String; 0]);
    // By hand: One ends after no retry with 1/2, after one with 1/4, after two with 1/4, of which
    // 1/8 holds. Two has 2, 1 or 0 retries left then, and fails with 1/8, 1/4 or 1/2: in all 1/16 +
    // 1/16 + 1/8.
    let (rules, world) = ruleset(&with_clock(&format!(
        "{TRIAL}phase toll at end of turn {{
  do raise lost by 1 for bands where (trial is fails and strength at least 1)
}}
"
    )));
    let storm = Passing::Phase(PhaseId(0), None);
    let toll = Passing::Phase(PhaseId(1), None);
    let exact = ends_of(odds(&rules, &world, &[storm, toll]).unwrap());
    let lost = |wanted: i64| -> Fraction {
        let is = |changes: &[Change]| {
            changes.iter().find(|(c, _)| matches!(c, Cell::World(_))).map_or(0, |(_, v)| *v)
                == wanted
        };
        exact.iter().filter(|(changes, _)| is(changes)).map(|(_, chance)| chance).sum()
    };
    // One fails with 1/8, having spent all: then Two fails with 1/2. So both fail with 1/16, and
    // just one with 1/8 + 1/4 - 2/16.
    assert_eq!([lost(2), lost(1), lost(0)], [outcome(1, 16), outcome(1, 4), outcome(11, 16)]);
}

#[test]
fn dice_that_nobody_throws_fail_a_case() {
    let case = |dice: &str| {
        format!(
            "{TRIAL}case \"left\" {{\n  setup opening\n  dice {dice}\n  run storm\n  expect trial of One is holds\n}}\n"
        )
    };
    assert_eq!(failures(&with_clock(&case("4, 5"))), [] as [String; 0]);
    assert_eq!(failures(&with_clock(&case("4, 5, 6"))), ["the die 6 is left when all is rolled"]);
    assert_eq!(
        failures(&with_clock(&case("4, 5, 6, 1"))),
        ["the dice 6, 1 are left when all is rolled"]
    );
}

/// The codes of the faults of a test with these rows.
fn codes(roll: &str, rows: &str) -> Vec<String> {
    let text = with_clock(&format!("test trial of band {{\n  roll {roll}\n{rows}\n}}\n"));
    let (_, _, faults) = check_text("small.sut", text.as_bytes());
    faults.iter().map(|f| f.code.to_string()).filter(|c| c != "W0212").collect()
}

#[test]
fn bands_are_proven_whole_and_reached() {
    let none = [] as [String; 0];
    // Whatever is added, a whole total is at most 3 or at least 4; half a point lies between.
    let (low, high) = ("  when total at most 3 then a", "  when total at least 4 then b");
    for roll in ["1d6", "1d6 + 2", "1d6 + strength", "1 odd + strength - 3"] {
        assert_eq!(codes(roll, &format!("{low}\n{high}")), none, "{roll}");
    }
    assert_eq!(codes("1d6 + strength / 2", &format!("{low}\n{high}")), ["E0508"]);
    assert_eq!(
        codes("1d6 + strength / 2", &format!("{low}\n  when total more than 3 then b")),
        none
    );
    assert_eq!(codes("1d6 + 1/2", &format!("{low}\n{high}")), ["E0508"]);
    assert_eq!(
        codes("1d6", "  when natural at most 2 then a\n  when natural at least 4 then b"),
        ["E0508"]
    );
    // What a fact decides is not proven, even where it is certain.
    assert_eq!(codes("1d6", "  when strength at least 0 then a"), ["E0508"]);
    assert_eq!(codes("2d6", "  when total at most 12 then a\n  otherwise b"), ["W0522"]);
    assert_eq!(codes("2d6 + strength", "  when total at most 12 then a\n  otherwise b"), none);
    // What is added counts with its range; `otherwise` is wanted for all that is not proven.
    let beyond = "  when total at most 0 then a\n  when total at least 90 then b\n  otherwise c";
    assert_eq!(codes("1d6 + strength", beyond), ["W0522", "W0522"]);
    assert_eq!(codes("1d6 + strength", "  when total at least 1 then a\n  otherwise b"), none);
    assert_eq!(codes("1d6 - strength", "  when total at most 0 then a\n  otherwise b"), none);
    assert_eq!(codes("1 odd", "  when natural between 2 and 2 then a\n  otherwise b"), ["W0522"]);
    assert_eq!(
        codes(
            "2d6",
            "  when strength at most 3 then a\n  when total at most 1 then b\n  otherwise c"
        ),
        ["W0522"]
    );
    // Dice and retries that cannot be.
    let rows = "  when total at most 3 then a\n  otherwise b";
    assert_eq!(codes("21d6", rows), ["E0210"]);
    assert_eq!(codes("1d6 + 1 even", rows), ["E0201"]);
    assert_eq!(codes("1d6", &format!("{rows}\n  retry when trial is a")), ["E0520"]);
    assert_eq!(codes("1d6", &format!("{rows}\n  retry spending chief when trial is a")), ["E0308"]);
    assert_eq!(
        codes(
            "1d6",
            &format!(
                "{rows}\n  retry at most 1 when trial is a\n  retry at most 1 when trial is b"
            )
        ),
        ["E0202"]
    );
}

/// What the program prints, from the folder of the project.
fn printed(arguments: &str) -> (Option<i32>, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
        .env("COLUMNS", "10000")
        .args(arguments.split_whitespace())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    (out.status.code(), String::from_utf8([out.stdout, out.stderr].concat()).unwrap())
}

#[test]
fn the_four_terrains_of_a_printed_table_have_their_printed_chances() {
    // The source: 30 in a hundred, 20 more in jungle, 30 more in mountains, 10 less in cultivated
    // land or a city.
    let units = "--unit J22 --unit J10 --unit J11 --unit J24";
    let (code, json) = printed(&format!(
        "odds rulesets/malaya --setup december --test attrition {units} --format json"
    ));
    assert_eq!(code, Some(0), "{json}");
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["schema"], 1);
    let found: Vec<(&str, &str, &str)> = report["odds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|unit| {
            let loses =
                unit["odds"].as_array().unwrap().iter().find(|c| c["what"] == "loses").unwrap();
            (
                unit["id"].as_str().unwrap(),
                loses["chance"].as_str().unwrap(),
                loses["percent"].as_str().unwrap(),
            )
        })
        .collect();
    let wanted = [
        ("J22", "3/10", "30.00"),
        ("J10", "1/2", "50.00"),
        ("J11", "3/5", "60.00"),
        ("J24", "1/5", "20.00"),
    ];
    assert_eq!(found, wanted);
}

/// What the rows of a test compare with the roll is worked out once for all rolls; the twin asks
/// each roll by itself.
#[test]
fn a_tally_is_what_its_rolls_come_to_one_by_one() {
    const ROWS: [&str; 9] = [
        "total at most reach",
        "reach less than total",
        "total at least 4",
        "natural is 7",
        "natural at most count of men here",
        "(total at least 5 and brave)",
        "brave",
        "total at most natural",
        "total more than highest legs of men here",
    ];
    let mut several = 0;
    for seed in crate::common::counts::seeds(120) {
        let mut dice = crate::common::Dice::new(seed);
        let mut text = "edition 1\nruleset rolls \"Rolls\" prefix RO\nsides Red, Blue\ndimension steps (step)\nkind area, areas is space\nkind road, roads is link\nkind man, men is unit {\n  has brave yes or no\n  has legs in steps from 0 to 9\n}\ntable reach of man gives steps by first match {\n  row brave when brave then legs + 2\n  otherwise legs\n}\ntest courage of man {\n  roll 2d6\n".to_owned();
        for word in ["wins", "holds", "runs"] {
            text.push_str(&format!("  when {} then {word}\n", dice.pick(&ROWS)));
        }
        text.push_str("  otherwise falls\n}\nmap field {\n  space area A\n  space area B\n  link road A to B\n}\nsetup start on field {\n");
        for man in 0..4 {
            let brave = if dice.percent(50) { ", brave" } else { "" };
            let (space, legs) = (dice.pick(&["A", "B"]), dice.below(10));
            text.push_str(&format!("  put man M{man} of Red in {space} with legs {legs}{brave}\n"));
        }
        text.push_str("}\n");
        let (_, rules, faults) = sutler::project::check_text("rolls.sut", text.as_bytes());
        let rules = rules.unwrap_or_else(|| panic!("seed {seed}: {faults:#?}\n{text}"));
        let world = sutler::world::start(&rules, sutler::ir::SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        let test = sutler::ir::TestId(0);
        for man in (0..4).map(ThingRef::Unit) {
            let mut wanted = std::collections::BTreeMap::new();
            for (natural, ways) in sutler::kernel::sums(&rules.tests[0].dice) {
                *wanted.entry(position.outcome(test, man, natural).unwrap()).or_insert(0) += ways;
            }
            let tally = position.tally(test, man).unwrap();
            let found: std::collections::BTreeMap<_, _> =
                tally.iter().map(|t| (t.outcome, t.ways)).collect();
            assert_eq!(found, wanted, "seed {seed}, {man:?}\n{text}");
            several += usize::from(wanted.len() > 2);
        }
    }
    assert!(several > crate::common::counts::share(30), "{several}");
}

#[test]
fn who_reads_a_stage_of_its_own_is_solved_alone() {
    let steps = ["nerve is shaken", "nerve at least shaken", "not (nerve less than shaken)"];
    let found = steps.map(|when| {
        let bands: Vec<String> =
            (0..24).map(|at| format!("  put band B{at} of Red in Here\n")).collect();
        let bands = bands.concat();
        let (rules, world) = ruleset(&format!(
            "edition 1\nruleset small \"Small\" prefix SM\nsides Red, Blue\n\
             track stage \"Stage\" {{\n  whole\n  shaken\n  broken\n}}\n\
             kind field, fields is space\nkind band, bands is unit {{\n  has nerve on stage\n}}\n\
             mark gone of band\nclock turn has noon\n\
             test trial of band {{\n  roll 1d2\n  when total at most 1 then fails\n  otherwise holds\n}}\n\
             phase trials at start of noon {{\n  roll trial for bands\n  \
             do raise nerve by 1 for bands where trial is fails\n  do mark gone for bands where {when}\n}}\n\
             map ground {{\n  space field Here\n}}\nsetup s on ground {{\n{bands}}}\n"
        ));
        match odds(&rules, &world, &[Passing::Phase(PhaseId(0), None)]) {
            Ok(Odds::Alone(units)) => units.len(),
            other => panic!("{when}: {other:?}"),
        }
    });
    assert_eq!(found, [24; 3]);
}
