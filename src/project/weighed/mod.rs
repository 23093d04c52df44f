//! What a line says before and after a fix: a fix that loses a word which bears on the meaning, or
//! that turns one round, is none, whatever reads with it.
//!
//! Takes the line of a fix as it stands and as it would stand; gives whether it says another thing.
//! Knows English and no game.

mod bounds;
mod parts;
mod stray;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::phrases::head;
use super::reworded::line_of;
use crate::arrange::gathered;
use crate::diag::Way;
use crate::source::SourceMap;
use crate::syntax::DENYING;
use crate::syntax::tokens::tokens;
#[cfg(feature = "sentences")]
pub(super) use parts::NUMBERS;

/// What denies beside the words of the language: `isn't` ends in `t`.
const DENYING_TOO: [&str; 6] = ["nowhere", "non", "none", "t", "!", "outside"];
/// Other words for what a line without denies.
const SAY_THE_SAME: [&str; 5] = ["maybe", "off", "else", "exception", "barred"];
/// Words that go beyond a bound, where `no` stands before them.
const EXCEEDING: &str = "more less fewer longer farther further exceed exceeds exceeding over above below beyond \
    under greater higher lower than past later earlier worse";
/// Words that bound.
const BOUNDS: [&str; 7] = ["within", "most", "least", "more", "less", "between", "until"];
/// Prefixes that turn a word round.
const CONTRARY: [&str; 7] = ["un", "non_", "non", "not_", "in", "im", "dis"];
/// Words that may be left out and say the same.
const FILLERS: &str = "a an the this that these those it its their is are be being been was were has have had \
    of in on at for by with then so as if when whenever where which who whose into onto \
    along player side owner s rule rules line lines path route way unit units piece pieces \
    just simply counts count considered treated called named also any and to there them they \
    he she do does did will shall would can here said whether else true controlled drm all \
    table trace define test both or but track plural titled title name prefix type sort kind \
    section clause see phase place map same leg first time times";
/// Words that may be left out where a line of a leg begins with its word.
const OF_LEGS: &str = "must may can could might go goes gone pass passes run runs cross travel traced trace \
    move moves";

/// Whether a word is one of several.
fn is_one(of: &str, word: &str) -> bool {
    of.split_whitespace().any(|one| one.eq_ignore_ascii_case(word))
}

/// A line in words, as it stands and with a fix.
struct Weighed<'a> {
    /// The first line of the item in which it stands.
    head: &'a str,
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    /// What stands in the old line and not in the new one.
    lost: Vec<&'a str>,
    /// What stands in the new line and not in the old one.
    gained: Vec<&'a str>,
}

/// What the rules speak of: kinds, dimensions, traces, their legs and their answers, by name.
pub(super) struct Subjects<'a> {
    sources: &'a SourceMap,
    /// Gathered once, for the first line from which a word is left out.
    names: OnceCell<BTreeSet<String>>,
}

impl<'a> Subjects<'a> {
    /// The subjects of these texts.
    pub(super) fn of(sources: &'a SourceMap) -> Subjects<'a> {
        Subjects { sources, names: OnceCell::new() }
    }

    /// Whether a line says another thing with a fix.
    pub(super) fn are_said_otherwise(&self, way: &Way) -> bool {
        let span = way.fix.span;
        let Some((_, start)) = line_of(span, self.sources) else { return false };
        let text = self.sources.text(span.source);
        let behind = text.get(span.end as usize..).unwrap_or_default();
        let end = span.end as usize + behind.find('\n').unwrap_or(behind.len());
        let before = text.get(start..span.start as usize).unwrap_or_default();
        let rest = text.get(span.end as usize..end).unwrap_or_default();
        let new = format!("{before}{}{rest}", way.fix.replacement);
        let old = text.get(start..end).unwrap_or_default();
        // What a thing has is none of its title.
        if way.fix.replacement.starts_with('"') && way.fix.replacement.contains(" with ") {
            return true;
        }
        let weighed = Weighed::of(head(text, start), old, &new);
        weighed.is_another() || weighed.leaves_something_out(&|word| self.names().contains(word))
    }

    fn names(&self) -> &BTreeSet<String> {
        self.names.get_or_init(|| {
            let lines = self.sources.ids().flat_map(|source| self.sources.text(source).lines());
            gathered(lines.flat_map(names_in).map(str::to_owned))
        })
    }
}

/// The subjects that a line names.
fn names_in(line: &str) -> Vec<&str> {
    let mut words = tokens(line, true).into_iter().map(|(_, word)| word);
    match words.next() {
        Some("kind" | "dimension") => words.take_while(|word| *word != "is").collect(),
        Some("trace" | "leg") => words.take(1).collect(),
        Some("called") => words.filter(|word| *word != "else").collect(),
        _ => Vec::new(),
    }
}

/// Whether some words stand in others, one behind the other.
fn holds(words: &[&str], stretch: &[&str]) -> bool {
    words.windows(stretch.len()).any(|window| window == stretch)
}

/// Whether a word denies.
fn denies(word: &str) -> bool {
    DENYING.contains(&word) || DENYING_TOO.contains(&word)
}

impl<'a> Weighed<'a> {
    fn of(head: &'a str, old: &'a str, new: &'a str) -> Weighed<'a> {
        let words = |text: &'a str| -> Vec<&'a str> {
            // A title without its quotes has the same words.
            let parts = text.split('"').flat_map(|part| tokens(part, true));
            parts.map(|(_, word)| word).collect()
        };
        let (old, new) = (words(old), words(new));
        let without = |all: &[&'a str], others: &[&'a str]| {
            let mut others = others.to_vec();
            let mut found = all.to_vec();
            let same = |word: &str, other: &str| other.eq_ignore_ascii_case(word);
            found.retain(|word| match others.iter().position(|other| same(word, other)) {
                Some(at) => {
                    others.swap_remove(at);
                    false
                }
                None => true,
            });
            found
        };
        let (lost, gained) = (without(&old, &new), without(&new, &old));
        Weighed { head, old, new, lost, gained }
    }

    fn is_another(&self) -> bool {
        self.loses_a_denial()
            || self.denies_more()
            || self.turns_a_word()
            || self.swaps_words()
            || self.bounds_otherwise()
            || self.joins_otherwise()
            || self.makes_a_name()
            || self.misplaces_a_word()
    }

    fn has_lost(&self, words: &[&str]) -> bool {
        self.lost.iter().any(|word| words.contains(word))
    }

    fn has_gained(&self, words: &[&str]) -> bool {
        self.gained.iter().any(|word| words.contains(word))
    }

    fn has_lost_a_denial(&self) -> bool {
        self.lost.iter().any(|word| denies(word))
    }

    fn begins_with(&self, words: &[&str]) -> bool {
        self.old.first().is_some_and(|first| words.contains(first))
    }

    /// A word that denies is gone, and none that says the same came: `not within 3` is not `within
    /// 3`, but `no more than 3` is.
    fn loses_a_denial(&self) -> bool {
        let says_so = |word: &&str| denies(word) || SAY_THE_SAME.contains(word);
        self.has_lost_a_denial() && !self.gained.iter().any(says_so) && !self.denies_nothing()
    }

    /// Whether what is denied is said otherwise, or was nothing.
    fn denies_nothing(&self) -> bool {
        let bounds = |word: &&str| BOUNDS.contains(word) || *word == "otherwise";
        let bounded =
            self.lost.iter().any(|word| is_one(EXCEEDING, word)) && self.new.iter().any(bounds);
        let freed = self.has_lost(&["longer", "cease", "ceases", "stop", "stops"]);
        let cleared = freed && self.has_gained(&["clear"]);
        // `no army here unless coastal` is `no army here or coastal`.
        let mut denied = self.lost.iter().filter(|word| denies(word));
        let let_through = denied.all(|word| *word == "unless") && self.has_gained(&["or"]);
        let alone = self.has_lost(&["other", "else", "alone"]);
        let unlimited = self.has_lost(&["limit", "limits"]);
        let spoken = ["setup", "exception"];
        let based = self.begins_with(&spoken) || self.new.first() == Some(&"exception");
        // At the end of a line nothing stands behind it.
        let last = self.old.iter().take_while(|word| **word != "[").last();
        let last = self.lost.len() == 1 && self.gained.is_empty() && last == self.lost.last();
        let slip = self.lost == ["except"] && self.gained == ["expect"];
        bounded || cleared || let_through || alone || unlimited || based || last || slip
    }

    /// What was denied once is denied twice, or a line begins with a denial that it did not have.
    fn denies_more(&self) -> bool {
        let denied = self.has_lost_a_denial();
        let gained = self.has_gained(&["no", "not", "never"]);
        let twice = gained && !denied && self.old.iter().any(|word| denies(word));
        let parts = ["all", "every", "each", "only", "both", "either", "but", "<", "other"];
        let turned = self.has_lost(&parts) || self.lost.iter().any(|word| word.starts_with("un"));
        let begins = self.new.first() == Some(&"no") && self.old.first() != Some(&"no");
        // `not tired` as a line of its own bars; `always not tired` lets in.
        let always = self.has_gained(&["always"]) && self.begins_with(&["no", "not"]);
        twice && !turned || begins && !denied || always
    }

    /// `unsupplied` is not `supplied`.
    fn turns_a_word(&self) -> bool {
        let turned = |a: &str, b: &str| {
            CONTRARY.iter().any(|contrary| {
                a.strip_prefix(contrary).is_some_and(|rest| rest == b && b.len() > 2)
            })
        };
        let pair = |a: &&str| self.gained.iter().any(|b| turned(a, b) || turned(b, a));
        self.lost.iter().any(pair) && !self.has_gained(&["no", "not", "never", "nor"])
    }
}

#[cfg(test)]
mod tests;
