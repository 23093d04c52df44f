//! `range`: where each of twenty raiders can get to, with hexes that must be stopped in.

use std::fmt::Write;

use super::super::super::common::Dice;
use super::{COLUMNS, Country};

/// Raiders, which are asked about, and as many other troops.
pub const TROOPS: usize = 20;

/// How far a raider may go.
pub fn allowance(number: usize) -> u32 {
    4 + number as u32 % 5
}

const RULES: &str = r#"edition 1
ruleset range "Range" prefix RG
sides Red against Blue
dimension hexes (hex_count)

kind hex, hexes is space {
  has terrain one of clear, rough, wood, marsh, lake
  has road yes or no
}
kind troop, troops is unit
kind raider, raiders is troop {
  has strides in hexes from 0 to 99
}
define may_end of hex = terrain is not lake and no enemy troop here
define in_zone of hex = terrain is not wood and any enemy troop adjacent
# A raider that enters one of these hexes goes no further.
define must_stop of hex = in_zone or (terrain is marsh and not road)
trace raid of raider {
  called  on_the_road else afield
  source  highway where road
  leg march
    over     hexsides
    from     anywhere
    through  may_end
    stopping in must_stop
    into     may_end
    within   strides
}
"#;

/// The text of the game.
pub fn text() -> String {
    let mut dice = Dice::new(2011);
    let country = Country::new(&mut dice);
    let mut out = String::from(RULES);
    out.push_str(&country.text(false));
    out.push_str("setup start on country {\n");
    let middle = COLUMNS / 2;
    for number in 1..=TROOPS {
        let at = country.dry(4, middle + 8, &mut dice);
        let far = allowance(number);
        let _ = writeln!(out, "  put raider R{number} of Red in hex {at} with strides {far}");
        let at = country.dry(middle - 8, COLUMNS - 4, &mut dice);
        let _ = writeln!(out, "  put troop B{number} of Blue in hex {at}");
    }
    out.push_str("}\n");
    out
}
