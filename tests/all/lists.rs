//! Lists of tests against all throws of their dice, and mistakes in them.

use crate::common::counts::{seeds_every, share};
use crate::common::small::{SMALL, checked, codes};
use std::collections::BTreeMap;
use std::fmt::Write;

use crate::common::Dice as Picks;
use num_rational::BigRational;
use num_traits::{One, Zero};
use sutler::engine::odds::{
    Cell, Change, End, Odds, Passing, changed, list_odds, odds, odds_within,
};
use sutler::engine::{Dice, DiceFault, Orders, RunFault, run};
use sutler::ir::*;
use sutler::kernel::Position;
use sutler::world::{ThingRef, World, start};

/// A list of tests at random, with a pool of retries that two bands share.
fn list_ruleset(picks: &mut Picks) -> String {
    let mut text = format!(
        "{SMALL}clock turn has day of each side
mark halted_at_all of band
map m {{
  space spot Here
}}
"
    );
    let tests = 1 + picks.below(3);
    for at in 0..tests {
        let sides = 2 + picks.below(2);
        let retry = match picks.below(3) {
            0 => format!("  retry at most 1 when t{at} is bad\n"),
            1 => format!("  retry at most 2 spending spirit when t{at} is bad\n"),
            _ => String::new(),
        };
        let plus = if picks.percent(40) { " + strength" } else { "" };
        writeln!(
            text,
            "test t{at} of band {{\n  roll 1d{sides}{plus}\n  when total at most {} then bad\n  otherwise good\n{retry}}}",
            1 + picks.below(2)
        )
        .unwrap();
    }
    let text = text.replace(
        "has strength in points from 0 to 5",
        "has strength in points from 0 to 5\n  has spirit in points from 0 to 2",
    );
    let mut text = text + "table due of band gives tests by all matches {\n";
    for row in 0..1 + picks.below(3) {
        let when = ["always", "strength at least 1", "strength less than 2", "spirit is 0"]
            [picks.below(4)];
        writeln!(text, "  row r{row} when {when} then t{}", picks.below(tests)).unwrap();
    }
    let until = if picks.percent(70) { "until bad " } else { "" };
    writeln!(
        text,
        "}}\nphase storm in day of owner {{\n  roll due {until}for own bands\n  do mark halted_at_all for own bands where stop of due is r0\n}}"
    )
    .unwrap();
    text.push_str("setup start on m {\n");
    for at in 0..1 + picks.below(2) {
        writeln!(
            text,
            "  put band B{at} of Red in Here with strength {}, spirit {}",
            picks.below(3),
            picks.below(3)
        )
        .unwrap();
    }
    text + "}\n"
}

/// All ends of a phase by all sequences of dice that the engine asks for, each with its chance.
fn by_dice(
    rules: &Ruleset,
    world: &World,
    thrown: &mut Vec<u32>,
    chance: BigRational,
    ends: &mut Vec<(World, BigRational)>,
) {
    let mut end = world.clone();
    match run(
        rules,
        &mut end,
        PhaseId(0),
        Some(SideId(0)),
        &mut Dice::list(thrown.clone()),
        &mut Orders::none(),
    ) {
        Ok(_) => ends.push((end, chance)),
        Err(RunFault::Dice(test, DiceFault::NoDie)) => {
            let Die::Sides(sides) = rules.tests[test.index()].dice[0].die else {
                panic!("plain dice")
            };
            for face in 1..=sides {
                thrown.push(face);
                by_dice(
                    rules,
                    world,
                    thrown,
                    &chance / BigRational::from_integer(sides.into()),
                    ends,
                );
                thrown.pop();
            }
        }
        Err(fault) => panic!("{fault}"),
    }
}

/// What becomes of one unit, whatever becomes of the others.
fn fates(ends: &[End], unit: u32) -> BTreeMap<Vec<Change>, BigRational> {
    let mut found: BTreeMap<Vec<Change>, BigRational> = BTreeMap::new();
    for (changes, chance) in ends {
        let own = changes
            .iter()
            .filter(|(cell, _)| matches!(cell, Cell::Unit(u, _) if *u == unit))
            .copied()
            .collect();
        *found.entry(own).or_insert_with(BigRational::zero) += chance;
    }
    found
}

#[test]
fn lists_of_tests_end_as_all_their_dice_do() {
    let (mut stops, mut through, mut alone) = (0, 0, 0);
    for seed in seeds_every(120, 3) {
        let mut picks = Picks::new(seed);
        let text = list_ruleset(&mut picks);
        let rules = checked(&text);
        let world = start(&rules, SetupId(0));
        let mut ends = Vec::new();
        by_dice(&rules, &world, &mut Vec::new(), BigRational::one(), &mut ends);
        assert!(ends.iter().map(|(_, chance)| chance).sum::<BigRational>().is_one());
        // Where the first thing stops: it is rolled before any other, so that nothing is spent
        // before.
        let position = Position::new(&rules, &world).unwrap();
        let first = ThingRef::Unit(rules.named.len() as u32);
        let due = TableId(0);
        let mut by_hand: BTreeMap<u16, BigRational> = BTreeMap::new();
        for (end, chance) in &ends {
            *by_hand.entry(end.stopped(due, first).unwrap()).or_insert_with(BigRational::zero) +=
                chance;
        }
        let exact = list_odds(&position, due, first).unwrap();
        assert!(exact.iter().map(|(_, chance)| chance).sum::<BigRational>().is_one());
        for (at, chance) in &exact {
            let wanted = by_hand
                .remove(&at.map_or(0, |row| row as u16 + 1))
                .unwrap_or_else(BigRational::zero);
            assert_eq!(*chance, wanted, "seed {seed}, {at:?}\n{text}");
            if at.is_some() {
                stops += usize::from(!chance.is_zero())
            } else {
                through += usize::from(!chance.is_zero())
            }
        }
        assert!(by_hand.is_empty(), "seed {seed}\n{text}");
        // And the phase as a whole: what nobody reads again is not told apart.
        let Odds::Joint(found) =
            odds(&rules, &world, &[Passing::Phase(PhaseId(0), Some(SideId(0)))]).unwrap()
        else {
            panic!("{text}")
        };
        let mut left: Vec<(World, BigRational)> = Vec::new();
        for (mut end, chance) in ends {
            (end.rolled, end.stopped) = (world.rolled.clone(), world.stopped.clone());
            match left.iter_mut().find(|(w, _)| *w == end) {
                Some((_, sum)) => *sum += chance,
                None => left.push((end, chance)),
            }
        }
        assert_eq!(found.len(), left.len(), "seed {seed}\n{text}");
        // Solved one by one, each band has the same fates.
        if let Ok(Odds::Alone(units)) =
            odds_within(&rules, &world, &[Passing::Phase(PhaseId(0), Some(SideId(0)))], 1)
        {
            for (unit, ends) in units {
                assert_eq!(
                    fates(&ends, unit),
                    fates(&found, unit),
                    "seed {seed}, unit {unit}\n{text}"
                );
                alone += 1;
            }
        }
        for (changes, chance) in found {
            let end = changed(&world, &changes);
            assert!(
                left.iter().any(|(w, c)| *w == end && *c == chance),
                "seed {seed}, {changes:?}\n{text}"
            );
        }
    }
    assert!(
        stops > share(60) && through > share(60) && alone > share(60),
        "{stops} stops, {through} through, {alone} alone"
    );
}

#[test]
fn mistakes_in_lists_have_their_codes() {
    let tests = "test t of band {
  roll 1d6
  when total at most 2 then bad
  otherwise good
}
test c of chief {
  roll 1d6
  when total at most 2 then bad
  otherwise good
}
";
    let table = "table due of band gives tests by all matches {\n  row a when strength at least 1 then t\n  row b when always then t\n}\n";
    let phase = "phase p at start of day {\n  roll due until bad for bands\n}\n";
    let list =
        |row: &str| format!("table due of band gives tests by all matches {{\n  {row}\n}}\n");
    let cases: Vec<(String, &[&str])> = vec![
        (format!("{table}{phase}"), &[]),
        (format!("{table}{}", phase.replace("until bad ", "")), &[]),
        (list("when always then t"), &["E0531"]),
        (list("row none when always then t"), &["E0531"]),
        (list("row a when always then c"), &["E0303"]),
        (list("row a when always then nothing"), &["E0201"]),
        (list("row a when always then 3"), &["E0530"]),
        (list("row a per strength then t"), &["E0506"]),
        (list("row a when always then t\n  otherwise t"), &["E0530"]),
        (list("row a when always then t\n  row a when always then t"), &["E0202"]),
        (table.replace(" of band", ""), &["E0530"]),
        (table.replace("tests", "points"), &["E0530"]),
        (format!("{table}{}", phase.replace("until bad", "until worse")), &["E0532"]),
        (format!("{table}{}", phase.replace("until bad", "once")), &["E0533"]),
        (format!("{table}{}", phase.replace("roll due", "roll t")), &["E0533"]),
        (format!("{table}{}", phase.replace("for bands", "for chiefs")), &["E0303"]),
        (
            format!(
                "{table}{phase}{}",
                phase.replace("phase p", "phase q").replace("until bad ", "")
            ),
            &["E0533"],
        ),
        (format!("{table}define odd of band = due\n"), &["E0302"]),
        (format!("{table}define odd of band = due is a\n"), &[]),
        (format!("{table}define odd of band = due is c\n"), &["E0206"]),
        (format!("{table}define odd of band = stop of due is b\n"), &[]),
        (format!("{table}define odd of band = length of due is b\n"), &["E0201"]),
    ];
    for (text, wanted) in cases {
        let found = codes(&format!("{SMALL}clock turn has day\n{tests}{text}"));
        assert_eq!(found, wanted, "{text}");
    }
}
