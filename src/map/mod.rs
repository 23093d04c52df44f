//! Maps: spaces with what is printed on them, and links.
//!
//! Takes the checked lines of a map; gives flat arrays. Knows no unit and no rule.

mod crossing;
mod grid;
mod links;
mod look;
mod tabletop;

pub use crossing::{Crossing, OnLines, goes_on};
pub use grid::{Grid, Layout, NoRow};
pub use links::Links;
pub use look::{Drawn, Look, colour, ground, way, words as look_words};
pub use tabletop::{
    Coordinate, FARTHEST, FINEST, Heading, Outline, Stand, Tabletop, is_within, read_coordinate,
};

/// More spaces than this are not one map.
pub const MOST_SPACES: usize = 1 << 21;

/// The most links of a map that the rules make, each between two of some spaces.
pub const MOST_MADE: u64 = 1 << 18;

use serde::{Deserialize, Serialize};

use crate::arrange::Arrange as _;
use crate::ids::{FactId, KindId};

/// A map: the hexes of a grid if it has one, then the spaces with names of their own.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// Its spaces: hexes row by row from the top left, then the others in written order.
    pub spaces: Vec<Space>,
    /// Its links, one entry a kind of link that the map uses.
    pub links: Vec<Links>,
    /// What it says of some of its links, sorted by kind and ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<SaidOfLink>,
    /// Its links of which a position says more, sorted; their place is their number in a position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changing: Vec<OneLink>,
    /// The steps that its one-way links do not make: kind, from, to; sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<(KindId, u32, u32)>,
    /// Where links pass over each other and do not meet, sorted by space and kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crossings: Vec<Crossing>,
    /// The layout of its hexes, if it is a hex map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// The table, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tabletop: Option<Tabletop>,
    /// What it says of its drawing. No rule reads it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<Look>,
    /// The spaces that are no hexes, sorted by id; see [`Map::index`].
    #[serde(default)]
    pub named: Vec<u32>,
}

/// One space.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Space {
    /// Its id, a name or a label, always text.
    pub id: String,
    /// For printed output.
    pub title: String,
    /// Its kind.
    pub kind: KindId,
    /// Where it is drawn, in hundredths: x grows to the east, y to the south. No rule reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(i64, i64)>,
    /// Its facts at the start of every setup, encoded, one a slot of space facts.
    pub facts: Vec<i64>,
}

/// What a map says of one link.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SaidOfLink {
    /// The kind of the link, and its ends, the lower first.
    pub link: (KindId, u32, u32),
    /// Its facts, encoded; those of which nothing is said are as they are by themselves.
    pub facts: Vec<(FactId, i64)>,
}

/// One link, by its ends, the lower first, and its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OneLink {
    /// The lower of its ends.
    pub from: u32,
    /// The other.
    pub to: u32,
    /// Its kind.
    pub kind: KindId,
}

impl OneLink {
    /// The link of a kind that joins two spaces, in whichever order they are named.
    #[must_use]
    pub fn of(kind: KindId, a: u32, b: u32) -> OneLink {
        OneLink { from: a.min(b), to: a.max(b), kind }
    }
}

impl Map {
    /// The number of a link of which a position says more.
    #[must_use]
    pub fn number_of(&self, link: OneLink) -> Option<u32> {
        self.changing.binary_search(&link).ok().and_then(|at| u32::try_from(at).ok())
    }

    /// The numbers of the links of which a position says more and that join two spaces.
    pub fn changing_between(&self, a: u32, b: u32) -> impl Iterator<Item = (u32, OneLink)> {
        let ends = (a.min(b), a.max(b));
        let first = self.changing.partition_point(|link| (link.from, link.to) < ends);
        let numbered = (u32::try_from(first).unwrap_or(u32::MAX)..)
            .zip(self.changing.get(first..).unwrap_or_default());
        numbered.map(|(at, link)| (at, *link)).take_while(move |(_, l)| (l.from, l.to) == ends)
    }

    /// Whether a link of a kind that joins two spaces leads from the one to the other.
    #[must_use]
    pub fn leads(&self, kind: KindId, from: u32, to: u32) -> bool {
        self.against.binary_search(&(kind, from, to)).is_err()
    }

    /// What it says of a link.
    #[must_use]
    pub fn said_of(&self, kind: KindId, a: u32, b: u32) -> &[(FactId, i64)] {
        let link = (kind, a.min(b), a.max(b));
        let found = self.said.binary_search_by(|said| said.link.cmp(&link)).ok();
        found.and_then(|at| self.said.get(at)).map_or(&[], |said| &said.facts)
    }

    /// Sorts the names of the spaces, so that [`Map::find`] need not look at every one. A map is
    /// indexed when all its spaces are there.
    pub fn index(&mut self) {
        let hexes = self.hexes();
        let mut named: Vec<u32> =
            (hexes..self.spaces.len()).filter_map(|s| u32::try_from(s).ok()).collect();
        named.arrange_by(|a, b| self.id(*a).cmp(self.id(*b)));
        self.named = named;
    }

    /// The space of this id: by arithmetic for the label of a hex, else by its name.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<u32> {
        if let Some(hex) = self.grid.as_ref().and_then(|grid| grid.find(id)) {
            return Some(hex);
        }
        let at = self.named.binary_search_by(|s| self.id(*s).cmp(id)).ok()?;
        self.named.get(at).copied()
    }

    /// The ids of the spaces that are no hexes, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|s| self.id(*s))
    }

    /// How many of the spaces are hexes; they stand first.
    #[must_use]
    pub fn hexes(&self) -> usize {
        self.grid.as_ref().map_or(0, |grid| grid.places.len())
    }

    /// The neighbours of a space over one kind of link.
    #[must_use]
    pub fn neighbours(&self, kind: KindId, space: u32) -> &[u32] {
        self.links.iter().find(|l| l.kind == kind).map_or(&[], |l| l.of(space))
    }

    fn id(&self, space: u32) -> &str {
        self.spaces.get(space as usize).map_or("", |s| &s.id)
    }
}
