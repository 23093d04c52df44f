//! Which games are measured, and how their positions differ.

use super::peer::Peer;
use super::{Game, hand, made};

/// What a game is, and how its positions differ.
pub struct Shape {
    pub name: &'static str,
    pub setup: &'static str,
    /// The traces that are asked, all of them of one kind.
    pub traces: fn() -> Vec<String>,
    /// The fact of units that differs, with the kind that has it.
    pub varying: Option<(&'static str, &'static str)>,
    /// The links that units walk along at random.
    pub walks: &'static [&'static str],
    /// Where none walks: a kind of space, a fact and a word.
    pub no_steps_into: Option<(&'static str, &'static str, &'static str)>,
    /// Whether who controls what counts.
    pub control: bool,
    /// The kind of units of which it is asked where they can get to; others are asked yes or no.
    pub reach: Option<&'static str>,
    /// The text of a game that is generated.
    pub text: Option<fn() -> String>,
    /// The same rules by hand.
    pub by_hand: fn(&Game) -> Box<dyn Peer>,
}

fn supply() -> Vec<String> {
    vec!["supply".into()]
}

pub const GAMES: [Shape; 7] = [
    Shape {
        name: "soldier_kings",
        setup: "opening",
        traces: supply,
        varying: Some(("force", "leader")),
        walks: &["border", "shore", "sea_lane"],
        no_steps_into: None,
        control: true,
        reach: None,
        text: None,
        by_hand: |g| Box::new(hand::soldier_kings::SoldierKings::new(&g.board())),
    },
    Shape {
        name: "malaya",
        setup: "december",
        traces: supply,
        varying: None,
        walks: &["hexside"],
        no_steps_into: Some(("hex", "terrain", "sea")),
        control: true,
        reach: None,
        text: None,
        by_hand: |g| Box::new(hand::malaya::Malaya::new(&g.board(), false)),
    },
    Shape {
        name: "sgs",
        setup: "campaign",
        traces: supply,
        varying: Some(("piece", "inside")),
        walks: &["path_link", "sea_link"],
        no_steps_into: None,
        control: true,
        reach: None,
        text: None,
        by_hand: |g| Box::new(hand::sgs::Sgs::new(&g.board())),
    },
    Shape {
        name: "blockade_siege",
        setup: "autumn",
        traces: supply,
        varying: Some(("block", "garrison")),
        walks: &["hexside"],
        no_steps_into: None,
        control: false,
        reach: None,
        text: None,
        by_hand: |g| Box::new(hand::blockade_siege::BlockadeSiege::new(&g.board())),
    },
    Shape {
        name: "nets",
        setup: "start",
        traces: supply,
        varying: None,
        walks: &["track"],
        no_steps_into: None,
        control: true,
        reach: None,
        text: Some(made::nets::text),
        by_hand: |g| Box::new(hand::nets::Nets::new(&g.board())),
    },
    Shape {
        name: "command",
        setup: "start",
        traces: || vec!["command".into()],
        varying: Some(("troop", "shaken")),
        walks: &["hexside"],
        no_steps_into: Some(("hex", "terrain", "lake")),
        control: false,
        reach: None,
        text: Some(|| made::command::text(60, 6, made::command::NAMING)),
        by_hand: |g| Box::new(hand::command::Command::new(&g.board(), g.naming)),
    },
    Shape {
        name: "range",
        setup: "start",
        traces: || vec!["raid".into()],
        varying: None,
        walks: &["hexside"],
        no_steps_into: Some(("hex", "terrain", "lake")),
        control: false,
        reach: Some("raider"),
        text: Some(made::range::text),
        by_hand: |g| Box::new(hand::range::Range::new(&g.board())),
    },
];

/// A variant to compare each shipped game with, and a fact to state of it.
pub const SHIPPED: [(&str, &str, &str); 4] = [
    ("soldier_kings", "house.sut", "control of Hesse is France"),
    ("malaya", "jungle_tracks.sut", "control of hex 0205 is Commonwealth"),
    ("sgs", "full_fortress.sut", "control of Far_Field is Blue"),
    ("blockade_siege", "cavalry.sut", "control of hex 0101 is Prussia"),
];
