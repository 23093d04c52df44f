//! Large hex maps as ordinary texts: a ruleset with a map and a setup, drawn from a seed.

use std::fmt::Write;

use super::super::common::Dice;

/// How large a game is.
#[derive(Clone, Copy)]
pub struct Size {
    pub name: &'static str,
    pub columns: usize,
    pub rows: usize,
    pub units: usize,
    /// No unit reaches farther.
    pub budget: usize,
    pub rounds: usize,
}

const RULES: &str = "edition 1
ruleset plains \"Plains\" prefix PL
sides Red against Blue
clock turn has action of each side
dimension points (point)
kind hex, hexes is space {
  has terrain one of clear, wood, hill
  has depot yes or no
}
kind road, roads is link
kind counter, counters is unit {
  has arm one of foot, horse
  has reach in points from 0 to 99
}
table entry of counter gives points by first match {
  when terrain here is hill and arm is horse then 4
  when terrain here is hill                  then 3
  when terrain here is wood                  then 2
  otherwise 1
}
define free of hex = any friendly counter here or not (any enemy counter here or any enemy counter adjacent)
define on_road of hex = any road here
trace supply of counter {
  called supplied else unsupplied
  source depot where (depot and friendly)
  leg overland
    over    hexsides
    from    anywhere
    through free
    into    free and on_road
    cost    entry
    within  reach
  leg road
    over    roads
    from    free
    through free
    into    anywhere
    within  unlimited
}
";

/// One road, in pieces: here and there a stretch is missing.
fn road(out: &mut String, dice: &mut Dice, hexes: &[String]) {
    for piece in hexes.chunks(25) {
        let missing = if dice.percent(30) { 3 } else { 0 };
        let kept = &piece[..piece.len().saturating_sub(missing)];
        if kept.len() > 1 {
            let _ = writeln!(out, "  link road {}", kept.join(" to "));
        }
    }
}

/// The text of a game.
pub fn text(size: Size, seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let digits = size.columns.max(size.rows).to_string().len();
    let label = |column: usize, row: usize| format!("{column:0digits$}{row:0digits$}");
    let mut out = RULES.to_owned();
    let _ = writeln!(out, "map field {{\n  grid hexes pointy odd rows right from {}", label(0, 0));
    out.push_str("  legend \".\" with terrain clear\n  legend \"w\" with terrain wood\n  legend \"h\" with terrain hill\n");
    out.push_str("  legend \"D\" with terrain clear, depot\n");
    // Roads run along rows and aslant between them, about as far apart as a unit reaches, and not
    // everywhere whole.
    let step = size.budget * 3 / 4;
    let across: Vec<usize> = (step / 2..size.rows).step_by(step).collect();
    // Depots lie where roads meet, at some of the crossings of each half.
    let mut depots: Vec<(usize, usize, &str)> = Vec::new();
    for row in &across {
        for column in (step / 2..size.columns).step_by(step) {
            if dice.percent(25) {
                depots.push((column, *row, if column < size.columns / 2 { "Red" } else { "Blue" }));
            }
        }
    }
    for row in 0..size.rows {
        out.push_str("  row \"");
        for column in 0..size.columns {
            let sign = match dice.below(10) {
                _ if depots.iter().any(|d| (d.0, d.1) == (column, row)) => 'D',
                0..=5 => '.',
                6..=8 => 'w',
                _ => 'h',
            };
            out.push(sign);
            out.push(if column + 1 < size.columns { ' ' } else { '"' });
        }
        out.push('\n');
    }
    for row in &across {
        let all: Vec<String> = (0..size.columns).map(|c| label(c, *row)).collect();
        road(&mut out, &mut dice, &all);
    }
    for start in (step / 2..size.columns).step_by(step) {
        // Down the map: to the right from a row that is not shifted is the same column, and back is
        // one less.
        let all: Vec<String> = (0..size.rows).map(|r| label(start, r)).collect();
        road(&mut out, &mut dice, &all);
    }
    out.push_str("}\nsetup start on field {\n");
    for (column, row, side) in &depots {
        let _ = writeln!(out, "  given control of hex {} is {side}", label(*column, *row));
    }
    for unit in 0..size.units {
        let red = unit % 2 == 0;
        // Each side holds its half, and many have come among the others and cut their roads.
        let deep = if dice.percent(20) { size.columns } else { size.columns / 2 };
        let from_edge = dice.below(deep);
        let column = if red { from_edge } else { size.columns - 1 - from_edge };
        let arm = dice.pick(&["foot", "horse"]);
        let reach = size.budget - dice.below(size.budget / 2);
        let (side, at) = (if red { "Red" } else { "Blue" }, label(column, dice.below(size.rows)));
        let _ = writeln!(
            out,
            "  put counter U{unit} of {side} in hex {at} with arm {arm}, reach {reach}"
        );
    }
    out.push_str("}\n");
    out
}
