//! `command`: chains of command over 1,311 hexes, with zones of control, rivers, and a gate that
//! names the unit.

use std::fmt::Write;

use super::super::super::common::Dice;
use super::{COLUMNS, Country};

const RULES: &str = r#"edition 1
ruleset command "Command" prefix CM
sides Red against Blue
dimension hexes (hex_count), mp, points (point)

kind hex, hexes is space {
  has terrain one of clear, rough, wood, marsh, lake
  has road yes or no
}
kind river, rivers is hexside
kind bridge, bridges is link
kind troop, troops is unit {
  has arm one of foot, horse, guns
  has elite yes or no
  has shaken yes or no
}
kind staff, staffs is unit

# A zone of control reaches into the next hexes, not over a river and not into a wood; shaken troops
# have none. Who stands in a hex lifts the zones of his enemies there.
define in_zone of hex = terrain is not wood and any enemy troop adjacent not over river where not shaken
define open_ground of hex = any friendly troop here or not (any enemy troop here or in_zone)

table entry of troop gives mp by first match {
  when over river and not over bridge              then barred
  when arm is guns and terrain here is marsh       then barred
  when road here                                   then 1
  when terrain here is clear                       then 1
  when terrain here is one of (rough, wood)        then 2
  when terrain here is marsh                       then 3
  otherwise barred
}
table radius of troop gives mp by first match {
  when arm is horse then 10
  when elite        then 8
  otherwise 6
}
"#;

/// The gate of a line on its way.
pub const NAMING: &str = "open_ground or (arm of the troop is horse and no enemy troop here) \
                          or (elite of the troop and not in_zone)";
/// The same for all.
pub const PLAIN: &str = "open_ground";

/// The text of the game: `troops` troops of `sorts` sorts, arms first, then the elite of each.
pub fn text(troops: usize, sorts: usize, through: &str) -> String {
    let mut dice = Dice::new(1311);
    let country = Country::new(&mut dice);
    let mut out = String::from(RULES);
    let _ = write!(
        out,
        "trace command of troop \"chain of command\" {{\n  called in_command else out_of_command\n  \
         never  shaken\n  source staff where any own staff here\n  leg orders\n    over    hexsides\n    \
         from    anywhere\n    through {through}\n    into    anywhere\n    cost    entry\n    \
         within  radius\n}}\n"
    );
    out.push_str(&country.text(true));
    out.push_str("setup start on country {\n");
    let middle = COLUMNS / 2;
    for (side, from, to) in [("Red", 4, middle + 8), ("Blue", middle - 8, COLUMNS - 4)] {
        for nth in 0..4 {
            let at = country.dry(from, to, &mut dice);
            let _ = writeln!(out, "  put staff {side}_staff_{nth} of {side} in hex {at}");
        }
        for nth in 0..troops / 2 {
            let sort = nth % sorts;
            let arm = ["foot", "horse", "guns"][sort % sorts.div_ceil(2).min(3)];
            let elite = if sort >= sorts.div_ceil(2) { ", elite" } else { "" };
            let at = country.dry(from, to, &mut dice);
            let _ = writeln!(
                out,
                "  put troop {side}_{nth} of {side} in hex {at} with arm {arm}{elite}"
            );
        }
    }
    out.push_str("}\n");
    out
}
