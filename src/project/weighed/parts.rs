//! What joins and parts the words of a line: lists, conditions that are joined, what belongs to a
//! noun, and names that are none.

use super::{FILLERS, OF_LEGS, Weighed, denies, holds, is_one};
use crate::syntax::STANCES;

/// Words that are no names.
const FUNCTION: [&str; 26] = [
    "before", "after", "neutral", "against", "both", "but", "allied", "and", "or", "either",
    "without", "with", "default", "twice", "once", "two", "three", "not", "never", "of", "from",
    "to", "turn", "than", "then", "until",
];
/// Numbers in words, from two on.
pub(in crate::project) const NUMBERS: [&str; 9] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

fn is_stance(word: &str) -> bool {
    STANCES.contains(&word) || word == "neutral"
}

impl Weighed<'_> {
    /// What is joined, or belongs together, is joined otherwise.
    pub(super) fn joins_otherwise(&self) -> bool {
        self.parts_stances()
            || self.lists_what_is_either()
            || self.denies_both()
            || self.moves_a_word()
            || self.joins_links()
            || self.counts_once()
    }

    /// `own or allied armies` are not `own allied armies`, and `no enemy` is not `not enemy`.
    fn parts_stances(&self) -> bool {
        let joined = |words: &[&str]| {
            words
                .windows(3)
                .any(|three| matches!(three, [a, "or" | "and", b] if is_stance(a) && is_stance(b)))
        };
        let beside = |words: &[&str]| {
            words
                .windows(2)
                .any(|two| matches!(two, [a, b] if is_stance(a) && (is_stance(b) || *b == "or")))
        };
        let denied = |words: &[&str], by: &str| {
            words.windows(2).any(|two| matches!(two, [a, b] if *a == by && is_stance(b)))
        };
        joined(&self.old) && !joined(&self.new) && beside(&self.new)
            || denied(&self.old, "no") && !denied(&self.new, "no") && denied(&self.new, "not")
    }

    /// `port or town` is not `port, town`, but in a list of words; nor is `but` an `and`.
    fn lists_what_is_either(&self) -> bool {
        let list = holds(&self.new, &["one", "of"]) || self.begins_with(&["over"]);
        let joins = ["or", "but"];
        let either = self.has_lost(&joins) && self.has_gained(&[","]) && !list;
        // `over roads but rails` is another thing than either.
        let either = either || self.begins_with(&["over"]) && self.has_lost(&["but"]);
        let last = self.old.iter().position(|word| *word == "but");
        let behind = last.and_then(|at| self.old.get(at + 1..)).unwrap_or_default();
        let plain = !behind.iter().any(|word| denies(word));
        let all = self.has_lost(&["but"]) && self.has_gained(&["and"]) && plain;
        let says_nothing =
            |words: &[&str]| holds(words, &["no", "is"]) || words.ends_with(&["where", "no"]);
        let nothing = says_nothing(&self.new) && !says_nothing(&self.old);
        either || all || nothing
    }

    /// `no a and b` is not `not (a and b)`.
    fn denies_both(&self) -> bool {
        let joins = ["and", "&", "or", "|"];
        let first = self.has_lost(&["no"])
            && self.has_gained(&["("])
            && self.has_gained(&["any"])
            && self.old.iter().any(|word| joins.contains(word));
        let joined =
            ["and", "both", "&", "nor", "neither", "or", "unless", "but", ",", "|", "except"];
        let wrapped = holds(&self.new, &["not", "("])
            && !holds(&self.old, &["not", "("])
            && self.has_gained(&["and"])
            && !self.has_lost(&joined);
        first || wrapped
    }

    /// The same words in another order say another thing.
    fn moves_a_word(&self) -> bool {
        let any_not = |words: &[&str]| {
            words.windows(2).any(|two| matches!(two, ["any" | "of" | "no" | "all", "not"]))
        };
        let not_any =
            |words: &[&str]| holds(words, &["not", "any"]) || holds(words, &["not", "count"]);
        let moved = any_not(&self.old) && !any_not(&self.new) && not_any(&self.new);
        let of_a_mark = |three: &[&str]| matches!(three, ["remove", _, "for"]);
        let removes = holds(&self.new, &["remove", "for"]) && self.old.windows(3).any(of_a_mark);
        let same = self.lost.is_empty() && self.gained.is_empty() && self.old != self.new;
        let counted = self.old.iter().any(|word| *word == "per" || NUMBERS.contains(word));
        let over = |words: &[&str]| {
            words.windows(2).any(|two| matches!(two, ["and" | "or" | "not", "over"]))
        };
        let over = over(&self.new) && !over(&self.old) && self.old.contains(&"adjacent");
        moved || removes || same && counted || over
    }

    /// A link goes the other way, or on to a third place.
    fn joins_links(&self) -> bool {
        let to = self.gained.iter().filter(|word| **word == "to").count();
        self.begins_with(&["link"])
            && to > 0
            && (self.old.contains(&"to")
                || self.has_lost(&["from", "into"])
                || to > 1 && self.has_lost(&["and", "between"]))
    }

    /// What counts for each of several counts once.
    fn counts_once(&self) -> bool {
        self.begins_with(&["row", "otherwise"])
            && self.has_lost(&["each", "per"])
            && !self.has_gained(&["each", "per", "for"])
    }

    /// A word that is no name is made one: `supply before combat` has no part `before`.
    pub(super) fn makes_a_name(&self) -> bool {
        let beside = |words: &[&str]| {
            let among =
                |two: &[&str]| matches!(two, [",", word] | [word, ","] if FUNCTION.contains(word));
            words.windows(2).filter(|two| among(two)).count()
        };
        let between =
            |three: &[&str]| matches!(three, ["from", word, "to"] if FUNCTION.contains(word));
        let from = self.new.windows(3).any(between) && !self.old.windows(3).any(between);
        let of = self.has_gained(&["of"])
            && self.new.windows(2).any(|two| matches!(two, ["of", "twice" | "once" | "again"]));
        let named = matches!(self.new.as_slice(), ["source" | "relay" | "leg", name, ..]
            if is_stance(name) && self.has_gained(&["where"]));
        let is_thing = |word: &&str| word.starts_with(char::is_uppercase);
        let side = self.has_gained(&["side"])
            && self.begins_with(&["do", "may", "must"])
            && self.lost.iter().any(is_thing);
        let declared = self.begins_with(&["kind"]) && self.new.first() == Some(&"named");
        beside(&self.new) > beside(&self.old) && !self.begins_with(&["setup"])
            || declared
            || from
            || of
            || named
            || side
    }

    /// A word that says something is left out, and nothing stands for it; the kind of what is spoken
    /// of may be, where it is the only one.
    pub(super) fn leaves_something_out(&self, is_subject: &dyn Fn(&str) -> bool) -> bool {
        let is_sign = |word: &str| !word.starts_with(|c: char| c.is_alphanumeric());
        let sums = self.has_gained(&["*", "/", "+", "-", "="]);
        if sums || self.gained.iter().any(|word| !is_sign(word)) {
            return self.loses_a_noun(is_subject);
        }
        let stands = |word: &&&str| {
            let number = word.starts_with(|c: char| c.is_ascii_digit());
            let link = self.begins_with(&["link"]) && **word == "from";
            self.new.contains(word) || link || number && self.begins_with(&["clause", "section"])
        };
        let first = self.new.first().copied().unwrap_or_default();
        let leg = ["through", "from", "into", "over", "within", "stopping"].contains(&first);
        // What a gate does not name is shut.
        let gate = ["through", "from", "into"].contains(&first);
        // `at least 5 or more`
        let twice =
            self.lost.contains(&"or") && self.new.iter().any(|w| matches!(*w, "least" | "most"));
        let spare = |word: &str| {
            twice && matches!(word, "more" | "less" | "fewer")
                || is_one(FILLERS, word)
                || leg && is_one(OF_LEGS, word)
                || gate && word == "only"
        };
        let says = |word: &&&str| !is_sign(word) && !spare(word) && !denies(word);
        let joins = self.has_lost(&["and", ","]) && self.lost.len() < 5;
        let mut lost = self.lost.iter().filter(|word| joins || !stands(word)).filter(says);
        let bounded = self.has_lost_a_denial() && self.new.contains(&"within");
        let once = self.head.contains(" by first match") || self.head.contains(" by only match");
        let plus = self.lost == ["+"]
            && self.gained.is_empty()
            && (once || self.begins_with(&["exception", "override"]));
        let other = |word: &str| is_subject(word) && !self.head.split(' ').any(|w| w == word);
        plus || self.loses_a_noun(&other) || !bounded && lost.any(|word| joins || !is_subject(word))
    }

    /// `enemy army` is not `enemy`.
    fn loses_a_noun(&self, is_subject: &dyn Fn(&str) -> bool) -> bool {
        let of = |words: &[&str]| {
            let noun = |two: &[&str]| matches!(two, [a, b] if is_stance(a) && is_subject(b));
            words.windows(2).any(noun)
        };
        self.lost.iter().any(|word| is_subject(word))
            && self.new.iter().any(|word| is_stance(word))
            && of(&self.old)
            && !of(&self.new)
            && !self.new.iter().any(|word| is_subject(word))
    }
}
