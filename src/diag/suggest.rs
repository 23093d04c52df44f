//! The did-you-mean of the whole project.
//!
//! Takes a word nobody knows and the words that would have been possible. Gives the ones
//! near enough to be a slip, nearest first. Never knows where the words come from.

use strsim::damerau_levenshtein;

use crate::arrange::Arrange as _;

/// Longer words are no slips of names, and comparing them costs their product.
const MAX_CHARS: usize = 64;

/// The nearest candidate that may be a slip of the word.
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The first of equals wins, so the order of the candidates decides.
    ranked(word, candidates)
        .into_iter()
        .min_by_key(|&(rank, _)| rank)
        .map(|(_, candidate)| candidate)
}

/// The nearest candidate that may be a slip of the word, if no other is as near.
#[must_use]
pub fn the_one<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    match equally_close(word, candidates, 2).as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

/// The candidates that are equally near, nearer than all others; at most `limit`, each once.
#[must_use]
pub fn equally_close<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    let ranked = ranked(word, candidates);
    let best = ranked.iter().map(|(rank, _)| *rank).min();
    let mut few: Vec<&str> = Vec::new();
    for (_, candidate) in ranked.iter().filter(|(rank, _)| Some(*rank) == best) {
        if few.len() < limit && !few.contains(candidate) {
            few.push(candidate);
        }
    }
    few
}

/// The nearest candidates, at most `limit` and each once; equals keep their order.
#[must_use]
pub fn closest_few<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<&'a str> {
    let mut ranked = ranked(word, candidates);
    ranked.arrange_by_key(|&(rank, _)| rank);
    let mut few: Vec<&str> = Vec::new();
    for (_, candidate) in ranked {
        if few.len() == limit {
            break;
        }
        if !few.contains(&candidate) {
            few.push(candidate);
        }
    }
    few
}

/// The candidates that may be a slip of the word, each with how near it is.
fn ranked<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<(usize, &'a str)> {
    let word = Word::new(word);
    candidates.into_iter().filter_map(|c| Some((word.rank(c)?, c))).collect()
}

/// The word as it is compared: without case, with its number of characters.
struct Word {
    lower: String,
    chars: usize,
}

impl Word {
    fn new(word: &str) -> Self {
        let lower = word.to_lowercase();
        let chars = lower.chars().count();
        Self { lower, chars }
    }

    /// How near a candidate is: 0 but for case, 1 but for number, then 2 and up by edits.
    fn rank(&self, candidate: &str) -> Option<usize> {
        let chars = candidate.chars().count();
        if self.chars.max(chars) > MAX_CHARS {
            return None;
        }
        let limit = (self.chars / 3).max(1);
        // Nothing of it would be near, not even as a plural, which is two letters longer at most.
        if chars.abs_diff(self.chars) > limit.max(2) {
            return None;
        }
        let lower = candidate.to_lowercase();
        if lower == self.lower {
            return Some(0);
        }
        if is_plural(&lower, &self.lower) || is_plural(&self.lower, &lower) {
            return Some(1);
        }
        if chars.abs_diff(self.chars) > limit {
            return None;
        }
        let edits = damerau_levenshtein(&self.lower, &lower);
        // A word with every letter changed is another word.
        (edits <= limit && edits < self.chars.max(chars)).then_some(edits + 1)
    }
}

/// `supplies` of `supply`, `hexes` of `hex`, `units` of `unit`.
pub(crate) fn is_plural(many: &str, one: &str) -> bool {
    let Some(stem) = many.strip_suffix('s').filter(|_| !one.is_empty()) else {
        return false;
    };
    stem == one
        || stem.strip_suffix('e') == Some(one)
        || stem.strip_suffix("ie").is_some_and(|stem| one.strip_suffix('y') == Some(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word() {
        let words = ["supply", "source", "siege"];
        assert_eq!(closest("suply", words), Some("supply"));
        assert_eq!(closest("soruce", words), Some("source"));
        assert_eq!(closest("seige", words), Some("siege"));
    }

    #[test]
    fn far_words_are_not_offered() {
        assert_eq!(closest("cavalry", ["supply", "source"]), None);
        assert_eq!(closest("a", ["b", "c"]), None);
        assert_eq!(closest("", ["a", "s"]), None);
        assert_eq!(closest("road", ["toad", "rail"]), Some("toad"));
        assert_eq!(closest("mp", ["hp"]), Some("hp"));
    }

    #[test]
    fn case_then_number_then_edits() {
        assert_eq!(closest("ARMY", ["arm", "armies", "Army"]), Some("Army"));
        assert_eq!(closest("armies", ["armied", "army"]), Some("army"));
        assert_eq!(closest("hexs", ["hexa", "hex"]), Some("hex"));
        assert_eq!(closest("hex", ["hey", "hexes"]), Some("hexes"));
    }

    #[test]
    fn the_order_breaks_ties() {
        assert_eq!(closest("lane", ["line", "lake"]), Some("line"));
        assert_eq!(closest("lane", ["lake", "line"]), Some("lake"));
    }

    #[test]
    fn a_few_come_nearest_first() {
        let words = ["garrisoned", "garrison", "garrison", "mission", "Garison"];
        assert_eq!(closest_few("garison", words, 3), ["Garison", "garrison"]);
        assert_eq!(closest_few("garison", words, 1), ["Garison"]);
        assert_eq!(closest_few("garison", words, 0), [""; 0]);
    }

    #[test]
    fn equals_come_together() {
        assert_eq!(
            equally_close("lane", ["lake", "line", "plane", "late"], 3),
            ["lake", "line", "plane"]
        );
        assert_eq!(equally_close("lane", ["lake", "Lane", "lane"], 3), ["Lane", "lane"]);
        assert_eq!(equally_close("lane", ["supply"], 3), [""; 0]);
    }

    #[test]
    fn hostile_length_is_not_compared() {
        let long = "a".repeat(100_000);
        assert_eq!(closest(&long, [long.as_str()]), None);
    }
}
