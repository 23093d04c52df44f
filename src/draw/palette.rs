//! Colours, patterns and styles of lines. What a word means in English it is drawn as: `Red` is
//! red, `sea` is water. Any other word is neutral, and takes what is free by its order.

use crate::map;

/// The colours of sides in order; white letters can be read on each.
const SIDES: [&str; 12] = [
    "#2358a5", "#a85a14", "#33333d", "#b3202c", "#2f7538", "#8f6d00", "#7b3f98", "#0d7c7c",
    "#b83d78", "#6b5545", "#4a63c8", "#66781a",
];

/// The colour of what belongs to nobody.
pub(super) const NOBODY: &str = "#8d867a";

/// The colours of sides: what a name says, and the others in order, as far as no name says them.
/// A name is the side's own, or the look that the map states for it.
pub(super) fn sides(names: &[String]) -> Vec<String> {
    let said: Vec<Option<String>> = names.iter().map(|name| map::colour(name)).collect();
    let is_said = |colour: &&&str| said.iter().flatten().any(|said| said == **colour);
    let free: Vec<&str> = SIDES.iter().filter(|c| !is_said(c)).copied().collect();
    let mut others = free.iter().cycle();
    let other = |said: &Option<String>| {
        said.clone().unwrap_or_else(|| (*others.next().unwrap_or(&NOBODY)).to_owned())
    };
    said.iter().map(other).collect()
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

/// The strokes of one meaning, the first word's first.
const STROKES: [&[Stroke]; 6] = [
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
    &[Stroke { colour: "#4f8fbf", width: 11, dashes: "1 4" }],
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
        let family = map::way(name).unwrap_or(STROKES.len() - 1);
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
        let found = sides(&words(&["France", "Blue", "Austria", "red", "#7a1f2b"]));
        assert_eq!((found[1].as_str(), found[3].as_str()), (SIDES[0], SIDES[3]));
        assert_eq!((found[0].as_str(), found[2].as_str()), (SIDES[1], SIDES[2]));
        assert_eq!(found[4], "#7a1f2b");
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
