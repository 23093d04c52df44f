//! Costs of steps that are kept from one position to the next, against positions asked afresh.

use std::fmt::Write;

use crate::common::Dice;
use sutler::{Game, Position, Rules};

const RULES: &str = r#"edition 1
ruleset miry "Miry" prefix MI
sides Red against Blue
clock turn has action of each side
dimension points (point)
kind hex, hexes is space {
  has ground one of clear, wood
  has mud yes or no
}
kind river, rivers is hexside
kind army, armies is unit {
  has arm one of foot, horse
  has pace in points from 1 to 9
}
mark frozen of world
mark flooded of hex
table entry of army gives points by first match {
  when over river and not frozen                then barred
  when flooded here                             then 4
  when mud here and arm is horse and not frozen then 3
  when not space is friendly                    then 2
  when ground here is wood                      then pace
  otherwise 1
}
trace supply of army {
  called supplied else cut_off
  source town where friendly
  leg road
    over    hexsides
    from    anywhere
    through no enemy army here
    into    anywhere
    cost    entry
    within  7
}
"#;

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const UNITS: usize = 8;

fn hex(dice: &mut Dice) -> String {
    format!("{:02}{:02}", dice.below(COLUMNS), dice.below(ROWS))
}

/// A game that nothing has been asked of.
fn opened(text: &str) -> Game {
    Rules::of_text(text).game().unwrap_or_else(|faults| panic!("{faults}\n{text}"))
}

/// Rules, a map, and where all begin.
fn text(dice: &mut Dice) -> String {
    let mut text = RULES.to_owned();
    text.push_str("map field {\n  grid hexes pointy odd rows right from 0000\n");
    text.push_str("  legend \".\" with ground clear\n  legend \"w\" with ground wood\n");
    for _ in 0..ROWS {
        let signs: Vec<&str> = (0..COLUMNS).map(|_| *dice.pick(&[".", ".", "w"])).collect();
        let _ = writeln!(text, "  row \"{}\"", signs.join(" "));
    }
    for at in 0..ROWS {
        let _ = writeln!(text, "  link river 03{at:02} to 04{at:02}");
    }
    text.push_str("}\nsetup start on field {\n");
    for side in ["Red", "Blue"] {
        let _ = writeln!(text, "  given control of hex {} is {side}", hex(dice));
    }
    for at in 0..UNITS {
        let (side, arm) = (dice.pick(&["Red", "Blue"]), dice.pick(&["foot", "horse"]));
        let (hex, pace) = (hex(dice), dice.below(3) + 1);
        let _ =
            writeln!(text, "  put army A{at} of {side} in hex {hex} with arm {arm}, pace {pace}");
    }
    text.push_str("}\n");
    text
}

/// One change of all that costs rest on, or of what they do not.
fn change(position: &mut Position, dice: &mut Dice) {
    let (army, hex) = (format!("A{}", dice.below(UNITS)), hex(dice));
    let not = dice.pick(&["", "not "]);
    let sentence = match dice.below(7) {
        0 => format!("mud of hex {hex} is {}", dice.pick(&["yes", "no"])),
        1 => format!("hex {hex} is {not}flooded"),
        2 => format!("{not}frozen"),
        3 => format!("pace of {army} is {}", dice.below(3) + 1),
        4 => format!("control of hex {hex} is {}", dice.pick(&["Red", "Blue", "none"])),
        _ => {
            let unit = position.unit(&army).unwrap();
            let to = position.space(&hex).unwrap();
            return position.move_unit(unit, Some(to)).unwrap();
        }
    };
    position.given([&sentence]).unwrap_or_else(|faults| panic!("{sentence}: {faults}"));
}

#[test]
fn costs_that_are_kept_are_those_worked_out_afresh() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..12 {
        let mut dice = Dice::new(4_100 + seed);
        let text = text(&mut dice);
        let game = opened(&text);
        let mut position = game.setup("start").unwrap();
        for step in 0..40 {
            change(&mut position, &mut dice);
            // What is kept may be old by several changes.
            if dice.percent(30) {
                continue;
            }
            let fresh = opened(&text).position(&position.json()).unwrap();
            let told = |position: &Position| {
                position.ask_all(position.game().main_trace().unwrap()).unwrap()
            };
            let (kept, fresh) = (told(&position), told(&fresh));
            let data = |report: &sutler::TraceReport| serde_json::to_value(report).unwrap();
            assert_eq!(data(&kept), data(&fresh), "seed {seed}, step {step}");
            yes += kept.units.iter().filter(|row| row.yes).count();
            no += kept.units.iter().filter(|row| !row.yes).count();
        }
    }
    assert!(yes > 200 && no > 200, "{yes} and {no}: the positions show too little");
}
