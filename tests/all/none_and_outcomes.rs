//! The highest and lowest of nothing, and words that a step sets to what has words of its own:
//! random positions against what is counted by hand.

use crate::common::counts::seeds;
use crate::common::small::codes;
use crate::common::{Dice, checked};
use sutler::suite::run_case;

const GAME: &str = "edition 1
ruleset none \"None\" prefix NO
sides Red against Blue
clock turn has dawn
dimension areas (area), steps (step)
kind area, areas is space
kind road, roads is link
kind army, armies is unit {
  has strength in steps from 1 to 9
  has mood one of calm, grim, wild, lost
}
kind almanac, almanacs is world {
  has weather one of fair, hail, mud, snow
}
test sky of almanac {
  roll 1d6
  when total at most 2 then snow
  when total at most 4 then mud
  otherwise fair
}
test nerve of army {
  roll 1d6 + strength
  when total at least 10 then wild
  when total at least 7  then calm
  otherwise lost
}
table temper of army gives mood by first match {
  when strength at least 6 then grim
  otherwise calm
}
phase dawning in dawn {
  roll sky for almanacs
  roll nerve for armies where strength at least 3
  do   set mood to nerve for armies
  do   set weather to sky for almanacs
}
phase cooling in dawn {
  do   set mood to temper for armies
}
map line {
  space area P
  space area Q
  space area R
  space area S
  link road P to Q to R to S
}
";

/// What a `highest` or `lowest` says, and of whom it is asked.
const ASKED: [(&str, &str); 4] =
    [("highest", "here"), ("lowest", "here"), ("highest", "adjacent"), ("lowest", "adjacent")];

struct Army {
    id: String,
    at: usize,
    strength: i64,
}

fn armies(dice: &mut Dice) -> Vec<Army> {
    let army = |at: usize, dice: &mut Dice| Army {
        id: format!("A{at}"),
        at: dice.below(4),
        strength: 1 + dice.below(9) as i64,
    };
    (0..1 + dice.below(4)).map(|at| army(at, dice)).collect()
}

fn setup(armies: &[Army]) -> String {
    let put = |army: &Army| {
        let (id, space) = (&army.id, ["P", "Q", "R", "S"][army.at]);
        format!("  put army {id} of Red in {space} with strength {}\n", army.strength)
    };
    format!("setup all on line {{\n{}}}\n", armies.iter().map(put).collect::<String>())
}

/// What it must come to by hand: of those that stand there and are strong enough.
fn by_hand(armies: &[Army], (word, place): (&str, &str), at: usize, least: i64, none: i64) -> i64 {
    let near = |army: &&Army| match place {
        "here" => army.at == at,
        _ => army.at.abs_diff(at) == 1,
    };
    let found = armies.iter().filter(near).map(|a| a.strength).filter(|s| *s >= least);
    let found = if word == "highest" { found.max() } else { found.min() };
    found.unwrap_or(none)
}

fn passes(text: &str) {
    let rules = checked(text);
    for case in &rules.cases {
        let failures = run_case(&rules, case, |_| "").failures;
        assert!(failures.is_empty(), "{text}\n{failures:?}");
    }
}

#[test]
fn the_highest_and_lowest_of_nothing_are_what_is_said() {
    let mut of_nothing = 0;
    for seed in seeds(300) {
        let mut dice = Dice::new(seed);
        let armies = armies(&mut dice);
        let (mut text, mut expected) = (format!("{GAME}{}", setup(&armies)), String::new());
        for (nth, asked) in ASKED.into_iter().enumerate() {
            let (least, none) = (1 + dice.below(9) as i64, dice.below(40) as i64 - 20);
            let (word, place) = asked;
            let _ = std::fmt::Write::write_fmt(
                &mut text,
                format_args!(
                    "define d{nth} of area = {word} strength of armies {place} where strength at least {least} or {none} if none\n"
                ),
            );
            for (at, space) in ["P", "Q", "R", "S"].into_iter().enumerate() {
                let value = by_hand(&armies, asked, at, least, none);
                of_nothing += usize::from(value == none);
                expected += &format!("  expect d{nth} of {space} is {value}\n");
            }
        }
        passes(&format!("{text}case \"by hand\" {{\n  setup all\n{expected}}}\n"));
    }
    assert!(of_nothing > 20, "{of_nothing}");
}

#[test]
fn words_are_set_to_outcomes_and_tables_by_their_names() {
    let mut unrolled = 0;
    for seed in seeds(300) {
        let mut dice = Dice::new(seed);
        let armies = armies(&mut dice);
        let mut throw = |thrown: &mut Vec<String>| {
            let die = 1 + dice.below(6) as i64;
            thrown.push(die.to_string());
            die
        };
        let mut thrown = Vec::new();
        let sky = match throw(&mut thrown) {
            1 | 2 => "snow",
            3 | 4 => "mud",
            _ => "fair",
        };
        let (mut moods, mut tempers) = (String::new(), String::new());
        for army in &armies {
            // Who does not roll keeps what was said of it.
            let mood = match army.strength {
                0..3 => "grim",
                strength => match throw(&mut thrown) + strength {
                    10.. => "wild",
                    7..10 => "calm",
                    _ => "lost",
                },
            };
            unrolled += usize::from(mood == "grim");
            moods += &format!("  expect mood of {} is {mood}\n", army.id);
            let temper = if army.strength >= 6 { "grim" } else { "calm" };
            tempers += &format!("  expect mood of {} is {temper}\n", army.id);
        }
        let grim: String =
            armies.iter().map(|a| format!("  given mood of {} is grim\n", a.id)).collect();
        passes(&format!(
            "{GAME}{}case \"by hand\" {{\n  setup all\n{grim}  given weather is hail\n  dice {}\n  run dawning\n  expect weather is {sky}\n{moods}  run cooling\n{tempers}}}\n",
            setup(&armies),
            thrown.join(", ")
        ));
    }
    assert!(unrolled > 5, "{unrolled}");
}

#[test]
fn a_word_that_the_fact_has_not_is_refused() {
    let lacking = GAME.replace("fair, hail, mud, snow", "fair, hail, mud");
    assert_eq!(codes(&lacking), ["E0302"]);
    let of_table =
        GAME.replace("when strength at least 6 then grim", "when strength at least 6 then cross");
    assert_eq!(codes(&of_table), ["E0302"]);
    let half =
        format!("{GAME}define half of area = lowest strength of armies here or 1/2 if none\n");
    assert_eq!(codes(&half), ["E0306"]);
}
