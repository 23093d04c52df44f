//! Colours, patterns and styles of lines. What a word means in English it is drawn as: `Red` is
//! red, `sea` is water. Any other word is neutral, and takes what is free by its order.

use super::meaning::{looks_like, tokens};

/// The colours of sides in order; white letters can be read on each.
const SIDES: [&str; 12] = [
    "#2358a5", "#a85a14", "#33333d", "#b3202c", "#2f7538", "#8f6d00", "#7b3f98", "#0d7c7c",
    "#b83d78", "#6b5545", "#4a63c8", "#66781a",
];

/// The colour of what belongs to nobody.
pub(super) const NOBODY: &str = "#8d867a";

/// Words that are colours, each with the colour that they name. A white side is gray, for its
/// letters are white.
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

/// The colour that a name says.
pub(super) fn said(name: &str) -> Option<&'static str> {
    let is = |token: &str, word: &str| token == word || token.strip_suffix('s') == Some(word);
    tokens(name).find_map(|token| {
        let said = COLOURS.iter().find(|(words, _)| words.split(' ').any(|w| is(&token, w)));
        said.map(|(_, colour)| *colour)
    })
}

/// The colours of sides: what a name says, and the others in order, as far as no name says them.
pub(super) fn sides(names: &[String]) -> Vec<&'static str> {
    let said: Vec<Option<&str>> = names.iter().map(|name| said(name)).collect();
    let free: Vec<&str> = SIDES.into_iter().filter(|c| !said.contains(&Some(c))).collect();
    let mut others = free.iter().cycle();
    said.iter().map(|said| said.or_else(|| others.next().copied()).unwrap_or(NOBODY)).collect()
}

/// The stroke of a kind of link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stroke {
    /// Its colour.
    pub colour: &'static str,
    /// Its width in tenths of a pixel.
    pub width: i64,
    /// Its dashes.
    pub dashes: &'static str,
}

const WATER: usize = 0;
const ROAD: usize = 1;
const RAIL: usize = 2;
const BORDER: usize = 3;

/// What the words of links mean.
const MEANINGS: [(&str, usize); 4] = [
    ("river stream brook sea ocean lake water canal naval ferry strait shore coast ship", WATER),
    ("road path track trail highway motorway street route", ROAD),
    ("rail railroad railway", RAIL),
    ("border frontier adjacent land", BORDER),
];

/// The strokes of one meaning, the first word's first.
const STROKES: [&[Stroke]; 5] = [
    &[
        Stroke { colour: "#2f6f9f", width: 14, dashes: "none" },
        Stroke { colour: "#2f6f9f", width: 13, dashes: "8 4" },
        Stroke { colour: "#4f8fbf", width: 12, dashes: "2 4" },
    ],
    &[
        Stroke { colour: "#8a5a2b", width: 16, dashes: "none" },
        Stroke { colour: "#8a5a2b", width: 13, dashes: "6 3" },
        Stroke { colour: "#8a5a2b", width: 12, dashes: "2 3" },
    ],
    &[Stroke { colour: "#26221c", width: 20, dashes: "2 4" }],
    &[
        Stroke { colour: "#6f6656", width: 12, dashes: "none" },
        Stroke { colour: "#6f6656", width: 12, dashes: "4 3" },
    ],
    // Of a word that means nothing here: gray, and apart by dashes alone.
    &[
        Stroke { colour: "#5b564e", width: 15, dashes: "10 3" },
        Stroke { colour: "#5b564e", width: 15, dashes: "8 3 2 3" },
        Stroke { colour: "#5b564e", width: 15, dashes: "3 3" },
        Stroke { colour: "#5b564e", width: 15, dashes: "5 2 1 2 1 2" },
        Stroke { colour: "#5b564e", width: 15, dashes: "none" },
    ],
];

/// The strokes of links by what their words mean; those that lie along the side of a hex are broad.
pub(super) fn strokes<'n>(links: impl Iterator<Item = (&'n str, bool)>) -> Vec<Stroke> {
    let mut met = [0_usize; STROKES.len()];
    let stroke = |(name, hexside): (&str, bool)| {
        let family = looks_like(name, &MEANINGS).unwrap_or(STROKES.len() - 1);
        let nth = met.get_mut(family).map_or(0, |count| std::mem::replace(count, *count + 1));
        let all = STROKES.get(family).copied().unwrap_or_default();
        let plain = Stroke { colour: NOBODY, width: 10, dashes: "none" };
        let found = all.get(nth % all.len().max(1)).copied().unwrap_or(plain);
        let width = if hexside { found.width * 5 / 2 } else { found.width };
        Stroke { width, ..found }
    };
    links.map(stroke).collect()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail loudly")]
mod tests {
    use super::*;

    fn words(all: &[&str]) -> Vec<String> {
        all.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn a_side_has_the_colour_that_its_name_says_and_others_have_none_that_is_said() {
        let red = said("Red");
        assert_eq!(said("Red_Army"), red);
        assert_eq!(said("reds"), red);
        assert_eq!((said("Redoubt"), said("France")), (None, None));
        let found = sides(&words(&["France", "Blue", "Austria", "red"]));
        assert_eq!((found[1], found[3]), (SIDES[0], SIDES[3]));
        assert_eq!((found[0], found[2]), (SIDES[1], SIDES[2]));
    }

    #[test]
    fn water_is_blue_and_no_other_link_is() {
        let found = strokes(
            [("river", true), ("road", false), ("waterway", false), ("quux", false)].into_iter(),
        );
        let blue = |stroke: &Stroke| {
            let channel = |at: usize| i64::from_str_radix(&stroke.colour[at..at + 2], 16);
            channel(5).ok() > channel(1).ok().map(|red| red + 30)
        };
        assert_eq!(found.iter().map(blue).collect::<Vec<_>>(), [true, false, true, false]);
        assert_ne!(found[0].dashes, found[2].dashes);
    }
}
