//! Games that are generated as text in the language, with fixed seeds.

pub mod command;
pub mod nets;
pub mod range;

use std::fmt::Write;

use super::super::common::Dice;

/// Columns and rows of the hex maps: 1,311 hexes.
const COLUMNS: usize = 57;
const ROWS: usize = 23;

/// The label of a hex.
fn hex(column: usize, row: usize) -> String {
    format!("{:02}{:02}", column + 1, row + 1)
}

/// A map of 1,311 hexes: clear country with patches of other terrain, roads, and rivers with
/// bridges where the rules know rivers.
struct Country {
    /// The terrain of each hex as a sign, row by row.
    signs: Vec<Vec<char>>,
}

impl Country {
    fn new(dice: &mut Dice) -> Country {
        let mut signs = vec![vec!['.'; COLUMNS]; ROWS];
        for (sign, patches) in [('r', 40), ('w', 50), ('m', 18), ('~', 12)] {
            for _ in 0..patches {
                let (mut c, mut r) = (dice.below(COLUMNS), dice.below(ROWS));
                for _ in 0..8 {
                    signs[r][c] = sign;
                    c = (c + dice.below(3)).saturating_sub(1).min(COLUMNS - 1);
                    r = (r + dice.below(3)).saturating_sub(1).min(ROWS - 1);
                }
            }
        }
        // Every fifth row is a road, and no lake lies on it.
        for r in (2..ROWS).step_by(5) {
            for sign in signs[r].iter_mut().filter(|s| **s == '~') {
                *sign = '.';
            }
        }
        Country { signs }
    }

    fn text(&self, rivers: bool) -> String {
        let mut out = String::from(
            "map country \"The country\" {\n  grid hexes flat even columns lower from 0101\n",
        );
        for (sign, terrain) in
            [('.', "clear"), ('r', "rough"), ('w', "wood"), ('m', "marsh"), ('~', "lake")]
        {
            let _ = writeln!(out, "  legend \"{sign}\" with terrain {terrain}");
        }
        for row in &self.signs {
            let row: Vec<String> = row.iter().map(char::to_string).collect();
            let _ = writeln!(out, "  row \"{}\"", row.join(" "));
        }
        for r in (2..ROWS).step_by(5) {
            for c in 0..COLUMNS {
                let _ = writeln!(out, "  space hex {} with road", hex(c, r));
            }
        }
        if rivers {
            // Straight down between two columns; the hexes beside each other there always touch.
            for c in (6..COLUMNS - 1).step_by(9) {
                for r in 0..ROWS {
                    // An even column, counted from 1, lies half a hex lower.
                    let (high, low) = if c % 2 == 0 { (c, c + 1) } else { (c + 1, c) };
                    let _ = writeln!(out, "  link river {} to {}", hex(high, r), hex(low, r));
                    if r > 0 {
                        let (a, b) = (hex(high, r), hex(low, r - 1));
                        let _ = writeln!(out, "  link river {a} to {b}");
                    }
                    if r % 5 == 2 {
                        let _ = writeln!(out, "  link bridge {} to {}", hex(high, r), hex(low, r));
                    }
                }
            }
        }
        out.push_str("}\n");
        out
    }

    /// A dry hex between two columns.
    fn dry(&self, from: usize, to: usize, dice: &mut Dice) -> String {
        loop {
            let (c, r) = (from + dice.below(to - from), dice.below(ROWS));
            if self.signs[r][c] != '~' {
                return hex(c, r);
            }
        }
    }
}
