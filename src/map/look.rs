//! What names look like on a drawing: by what their words mean in English, or as a map states it.

use serde::{Deserialize, Serialize};

/// A look that a map states: `legend "as forest" with terrain taiga`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// What is drawn so.
    pub of: Drawn,
    /// The word that it is drawn like, or for a side a colour such as `#7a1f2b`.
    pub like: String,
}

/// What has a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Drawn {
    /// a side
    Side(String),
    /// a word of an attribute of spaces
    Terrain(String, String),
    /// a kind of link
    Link(String),
}

/// Words that mean the same, with the place of what they mean.
type Meanings = [(&'static str, usize)];

/// The words of terrain. The places are those of the patterns of a drawing.
const GROUNDS: [(&str, usize); 11] = [
    ("plain clear open land flat grass steppe meadow ground lowland", 0),
    ("sea ocean water lake river gulf bay strait channel stream canal pond lagoon sound", 1),
    ("mountain peak alp alpine massif summit", 2),
    ("forest wood woods orchard grove taiga tree", 3),
    ("jungle thicket bush scrub brush bocage hedge", 4),
    ("hill ridge highland upland slope", 5),
    ("swamp marsh bog fen mangrove wetland", 6),
    ("city town urban village suburb fort fortress castle built bridge", 7),
    ("desert sand beach dune", 8),
    ("cultivated farm crop paddy field", 9),
    ("ice snow glacier tundra", 10),
];

/// The words of links: water, roads, rails, borders, shores.
const LINKS: [(&str, usize); 5] = [
    ("river stream brook sea ocean lake water canal naval ferry strait ship", 0),
    ("road path track trail highway motorway street route", 1),
    ("rail railroad railway", 2),
    ("border frontier adjacent land", 3),
    ("shore coast", 4),
];

/// Words that are colours. White letters can be read on each of these, so white itself is gray.
const COLOURS: [(&str, &str); 13] = [
    ("blue navy azure", "#2358a5"),
    ("orange amber", "#a85a14"),
    ("black", "#33333d"),
    ("red crimson scarlet", "#b3202c"),
    ("green emerald", "#2f7538"),
    ("yellow gold golden", "#8f6d00"),
    ("purple violet lilac", "#7b3f98"),
    ("teal cyan turquoise", "#0d7c7c"),
    ("pink rose magenta", "#b83d78"),
    ("brown tan", "#6b5545"),
    ("indigo", "#4a63c8"),
    ("olive khaki", "#66781a"),
    ("white gray grey silver", "#77746e"),
];

/// The words of a name, in small letters: `Red_Army` is `red` and `army`.
fn tokens(name: &str) -> Vec<String> {
    let split = name.split(|c: char| !c.is_alphanumeric());
    split.filter(|t| !t.is_empty()).map(str::to_lowercase).collect()
}

/// What a name means, by the last of its words that means anything: `open_sea` is sea. A word means
/// the longest of these that it is, begins or ends with; short ones must be the whole word.
fn meant(name: &str, meanings: &Meanings) -> Option<usize> {
    let is = |token: &str, stem: &str| {
        let one = token.strip_suffix('s').unwrap_or(token);
        let long = stem.len() >= 4;
        token == stem || one == stem || long && (token.starts_with(stem) || one.ends_with(stem))
    };
    let all = || meanings.iter().flat_map(|(words, of)| words.split(' ').map(move |w| (w, *of)));
    tokens(name).iter().rev().find_map(|token| {
        let fits = all().filter(|(stem, _)| is(token, stem));
        fits.max_by_key(|(stem, _)| stem.len()).map(|(_, of)| of)
    })
}

/// The pattern of a word of terrain, by its place; none for a word that means nothing.
#[must_use]
pub fn ground(name: &str) -> Option<usize> {
    meant(name, &GROUNDS)
}

/// What a kind of link is: 0 water, 1 a road, 2 a rail, 3 a border, 4 a shore.
#[must_use]
pub fn way(name: &str) -> Option<usize> {
    meant(name, &LINKS)
}

/// The colour that a name says, or that it is.
#[must_use]
pub fn colour(name: &str) -> Option<String> {
    if let Some(digits) = name.strip_prefix('#') {
        return is_dark(digits).then(|| name.to_lowercase());
    }
    let is = |token: &str, word: &str| token == word || token.strip_suffix('s') == Some(word);
    tokens(name).iter().find_map(|token| {
        let said = COLOURS.iter().find(|(words, _)| words.split(' ').any(|w| is(token, w)));
        said.map(|(_, colour)| (*colour).to_owned())
    })
}

/// Whether six digits are a colour on which white letters can be read.
fn is_dark(digits: &str) -> bool {
    if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return false;
    }
    let part = |at: usize| {
        digits.get(at..at + 2).and_then(|d| u32::from_str_radix(d, 16).ok()).unwrap_or(255)
    };
    part(0) * 299 + part(2) * 587 + part(4) * 114 <= 140_000
}

/// The words that a side, a word of terrain or a kind of link may be drawn like.
#[must_use]
pub fn words(of: &Drawn) -> Vec<&'static str> {
    let split = |all: &'static Meanings| all.iter().flat_map(|(w, _)| w.split(' ')).collect();
    match of {
        Drawn::Side(_) => COLOURS.iter().flat_map(|(w, _)| w.split(' ')).collect(),
        Drawn::Terrain(..) => split(&GROUNDS),
        Drawn::Link(_) => split(&LINKS),
    }
}

impl Look {
    /// Whether the word that it is drawn like means anything.
    #[must_use]
    pub fn is_known(&self) -> bool {
        match &self.of {
            Drawn::Side(_) => colour(&self.like).is_some(),
            Drawn::Terrain(..) => ground(&self.like).is_some(),
            Drawn::Link(_) => way(&self.like).is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_means_what_it_is_in_english_and_any_other_nothing() {
        for (all, place) in [
            (&["plain", "plains", "clear", "grassland", "open_ground"][..], 0),
            (&["sea", "open_sea", "lake", "all_sea_box", "coastal_waters"], 1),
            (&["mountain", "mountainous", "Alps"], 2),
            (&["forest", "light_woods", "woodland", "wood"], 3),
            (&["jungle"], 4),
            (&["hill", "hills", "hilly", "highland"], 5),
            (&["swamp", "marshes"], 6),
            (&["city", "town", "urban", "fortress"], 7),
            (&["desert", "sandy"], 8),
            (&["cultivated", "farmland"], 9),
        ] {
            for word in all {
                assert_eq!(ground(word), Some(place), "{word}");
            }
        }
        assert_eq!([ground("seat"), ground("rough"), ground("zeal"), ground("")], [None; 4]);
        let ways = ["river", "waterway", "sea_lane", "road", "railway", "border"].map(way);
        assert_eq!(ways, [Some(0), Some(0), Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(["shore", "coastline", "quux"].map(way), [Some(4), Some(4), None]);
    }

    #[test]
    fn a_colour_is_said_by_a_whole_word_or_by_six_digits() {
        let red = colour("Red");
        assert_eq!((colour("Red_Army"), colour("reds")), (red.clone(), red));
        assert_eq!((colour("Redoubt"), colour("France")), (None, None));
        assert_eq!(colour("#7A1F2B").as_deref(), Some("#7a1f2b"));
        // White letters are not read on these, and these are no colours.
        assert_eq!([colour("#ffffff"), colour("#7a1f2"), colour("#7a1f2x")], [None, None, None]);
    }
}
