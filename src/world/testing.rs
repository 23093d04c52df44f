//! Rulesets for the tests of this module.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test may abort")]

use std::path::Path;

use crate::ir::Ruleset;

/// Every type of fact, on every sort of thing.
const SMALL: &str = r#"edition 1
ruleset small "Small" prefix SM
sides Red, Blue, Green
dimension steps (step)
kind area, areas is space {
  has terrain one of land, sea
  has supports in steps from 0 to 20
  has gate maybe an area
  has holder maybe a side
}
kind town, towns is area {
  has walls yes or no
  has lord a side
}
kind road, roads is link
kind force, forces is unit {
  has leader maybe a leader
}
kind army, armies is force {
  has strength in steps from -3 to 12
  has aboard yes or no
  has stance one of ready, tired, broken
  has goal maybe an area
  has ally maybe a side
}
kind leader, leaders is unit
kind guard, guards is force {
  has post an area
  has master a side
}
kind calendar, calendars is world {
  has season one of spring, summer, autumn, winter
  has year in steps from 1700 to 1800
}
kind purse, purses is side {
  has gold in steps from 0 to 99
}
named leader Old, Young
tabletop in steps
pair army a is watching force b = strength of a more than 3 and b is not removed
pair lead from army a to army b = strength of a - strength of b
mark besieging of army "besieges"
given muddy of area
given torn of road
given wear of road in steps from 0 to 5
clause a "A line needs no more than one road."
ruling edges [a] {
  asks "do edges hold?"
  readings hold, do_not
  default hold
}
option fog "Fog" default off [a]
trace supply of army "supply" {
  called fed else hungry [a]
  source home where walled [a]
  leg march
    over roads [a]
    from anywhere
    through anywhere
    into anywhere
    within 3
}
trace trade of area "trade" {
  called open else shut [a]
  source home where walled [a]
  leg march
    over roads [a]
    from anywhere
    through anywhere
    into anywhere
    within 3
}
define walled of area = supports more than 3 [a]
map first "First" {
  space area Moor with terrain land, supports 2
  space town Port "The Port" with terrain land, walls, lord Red
  space area Bay with terrain sea
  link road Moor to Port to Bay
}
map other "Other" {
  space area Hill
  space town Moor with lord Blue
  link road Hill to Moor
}
setup begin on first "Beginning" {
  put army A1 "First army" of Red in Moor with strength 5, leader Old
  put army B1 of Blue in Port with stance tired, aboard
  given control of Moor is Red
  given Red is enemy_of Blue
  given viewer is Blue
  given B1 is hungry
  given season is winter
}
setup later on other {
  put force C1 of Green in Hill
}
"#;

/// A small ruleset.
pub(crate) fn small() -> Ruleset {
    let (sources, rules, faults) = crate::project::check_text("small.sut", SMALL.as_bytes());
    rules.unwrap_or_else(|| {
        panic!("{}", crate::diag::render(&faults, &sources, Default::default(), Default::default()))
    })
}

/// Of the shipped rulesets the one with the most sides.
pub(crate) fn many_sided() -> Ruleset {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/soldier_kings");
    let all = crate::project::Project::open(&path).rulesets.into_iter().filter_map(|r| r.rules);
    all.max_by_key(|r| r.sides.len()).unwrap()
}
