//! A small game of bands and spots, and what a check makes of texts that begin with it.

use sutler::ir::Ruleset;
use sutler::project::check_text;

pub fn checked(text: &str) -> Ruleset {
    let (_, rules, faults) = check_text("pairs.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("{text}\n{faults:#?}"))
}

pub fn codes(text: &str) -> Vec<String> {
    check_text("pairs.sut", text.as_bytes()).2.iter().map(|f| f.code.to_string()).collect()
}

pub const SMALL: &str = "edition 1
ruleset small \"Small\" prefix SM
sides Red against Blue
dimension points (point)
kind band, bands is unit {
  has strength in points from 0 to 5
}
kind chief, chiefs is unit
kind spot, spots is space
named chief Old
clause a \"The stronger one outdoes the weaker.\"
";
