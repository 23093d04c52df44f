//! `range`: where each of twenty troops can get to, with hexes that must be stopped in.
//!
//! The language asks whether a line can be drawn, so each troop has a trace of hexes that ends
//! where it stands; "must stop" is the gate `through`, into but not through. A trace of spaces has
//! no `cost` yet, so that each hex costs one.

use std::fmt::Write;

use super::super::super::common::Dice;
use super::{COLUMNS, Country};

/// Troops that are asked about.
pub const TROOPS: usize = 20;

/// How far a troop may go.
pub fn allowance(number: usize) -> u32 {
    4 + number as u32 % 5
}

const RULES: &str = r#"edition 1
ruleset range "Range" prefix RG
sides Red against Blue
dimension hexes (hex_count), points (point)

kind hex, hexes is space {
  has terrain one of clear, rough, wood, marsh, lake
  has road yes or no
}
kind troop, troops is unit {
  has number in points from 0 to 99
}
define in_zone of hex = terrain is not wood and any enemy troop adjacent
define may_end of hex = terrain is not lake and no enemy troop here
# A troop that enters one of these hexes goes no further.
define must_stop of hex = in_zone or (terrain is marsh and not road)
"#;

/// The text of the game.
pub fn text() -> String {
    let mut dice = Dice::new(2011);
    let country = Country::new(&mut dice);
    let mut out = String::from(RULES);
    for number in 1..=TROOPS {
        let _ = write!(
            out,
            "trace range_{number} of hex {{\n  called in_range_{number} else beyond_{number}\n  \
             source troop where any own troop here where number is {number}\n  leg march\n    \
             over    hexsides\n    from    may_end\n    through may_end and not must_stop\n    \
             into    anywhere\n    within  {}\n}}\n",
            allowance(number)
        );
    }
    out.push_str(&country.text(false));
    out.push_str("setup start on country {\n  given viewer is Red\n");
    let middle = COLUMNS / 2;
    for number in 1..=TROOPS {
        let at = country.dry(4, middle + 8, &mut dice);
        let _ = writeln!(out, "  put troop R{number} of Red in hex {at} with number {number}");
        let at = country.dry(middle - 8, COLUMNS - 4, &mut dice);
        let _ = writeln!(out, "  put troop B{number} of Blue in hex {at}");
    }
    out.push_str("}\n");
    out
}
