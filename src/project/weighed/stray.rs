//! Words that a reader cannot place, and what they must not become: another line, another name,
//! a part of a turn, a side.

use super::{Weighed, denies};

/// Nouns and verbs that begin an item or a line, and mean that.
const BEGINNINGS: [&str; 13] = [
    "sides",
    "clock",
    "kind",
    "mark",
    "count",
    "hook",
    "reads",
    "pair",
    "source",
    "remove",
    "order",
    "dimension",
    "track",
];
/// What `otherwise` is called.
const ELSE: [&str; 10] = [
    "else",
    "default",
    "other",
    "others",
    "any",
    "all",
    "rest",
    "remaining",
    "anything",
    "normally",
];
/// Words of a turn that are none of its parts.
const OF_A_TURN: [&str; 8] =
    ["phases", "phase", "parts", "steps", "order", "in", "then", "sequence"];

impl Weighed<'_> {
    /// A stray word is made something that it is not.
    pub(super) fn misplaces_a_word(&self) -> bool {
        self.begins_otherwise()
            || self.numbers_otherwise()
            || self.swaps_a_word()
            || self.adds_a_sign()
            || self.adds_a_side()
            || self.ends_otherwise()
    }

    fn both(&self, old: &str, new: &str) -> bool {
        self.has_lost(&[old]) && self.has_gained(&[new])
    }

    /// `reads stack of hex` is not `otherwise stack of hex`.
    fn begins_otherwise(&self) -> bool {
        let (Some(old), Some(new)) = (self.old.first(), self.new.first()) else { return false };
        let swapped = self.has_lost(&[*old]) || self.has_gained(&[*new]);
        // `mark tired for armies` is a step, whose first word is missing.
        let step =
            matches!(self.new.as_slice(), ["do" | "may" | "must", second, ..] if second == old);
        let begun = BEGINNINGS.contains(old) && *new != *old && swapped && !step;
        let otherwise = *new == "otherwise" && *old != "otherwise";
        let near =
            |a: &str, b: &str| a.bytes().zip(b.bytes()).take(3).filter(|(a, b)| a == b).count() > 1;
        let removed = *old == "remove" && *new == "define";
        begun && !near(old, new)
            || removed
            || otherwise
                && !near(old, new)
                && !self.lost.iter().any(|word| ELSE.contains(word) || denies(word))
    }

    /// `winter_1703` is not `winter_1701`.
    fn numbers_otherwise(&self) -> bool {
        let is_name = |word: &&&str| {
            word.starts_with(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit())
        };
        let letters = |word: &str| word.replace(|c: char| c.is_ascii_digit(), "0");
        let same = |a: &str| self.gained.iter().filter(is_name).any(|b| letters(a) == letters(b));
        self.lost.iter().filter(is_name).any(|word| same(word))
    }

    /// Words near each other that are contraries, or others.
    fn swaps_a_word(&self) -> bool {
        let cleared = self.lost.is_empty() && self.has_gained(&["clear"]);
        let each = self.gained == ["of", "owner"] && self.has_lost(&["each", "every"]);
        let paid = self.both("owner", "side") || self.both("owner", "sides");
        let nothing = self.both("on", "no") || self.both("none", "no");
        let place = |words: &[&str]| words.iter().position(|word| *word == "for");
        let moved =
            self.lost.is_empty() && self.gained.is_empty() && place(&self.old) != place(&self.new);
        let before_an_amount = |two: &[&str]| matches!(two, ["less", n] if n.starts_with(|c: char| c.is_ascii_digit()));
        let less = self.gained == ["than"]
            && self.old.windows(2).any(before_an_amount)
            && self.old.contains(&"=");
        cleared || each || paid && !self.has_gained(&["own"]) || nothing || moved || less
    }

    /// `is - strength`, and a tenth for ten in a hundred.
    fn adds_a_sign(&self) -> bool {
        let minus = |words: &[&str]| words.windows(2).any(|two| matches!(two, ["is", "-"]));
        let sum = |words: &[&str]| words.iter().any(|word| matches!(*word, "+" | "-"));
        minus(&self.new) && !minus(&self.old) || self.both("%", "/") && sum(&self.old)
    }

    /// `neutral Corva` is no side beside `Corva`, nor is `phases` a part of a turn.
    fn adds_a_side(&self) -> bool {
        let neutral = self.begins_with(&["sides"])
            && self.has_gained(&["against"])
            && self.old.contains(&"neutral");
        let beside =
            |two: &[&str]| matches!(two, [",", word] | [word, ","] if OF_A_TURN.contains(word));
        let parts = |words: &[&str]| words.windows(2).filter(|two| beside(two)).count();
        neutral || self.begins_with(&["clock"]) && parts(&self.new) > parts(&self.old)
    }

    /// `until removed` is not `until end of turn`, and `in combat and movement of owner` is both of
    /// the owner.
    fn ends_otherwise(&self) -> bool {
        let turn = self.old.contains(&"until") && self.has_gained(&["turn"]);
        let whose = self.begins_with(&["phase"])
            && self.gained == ["in"]
            && self.lost.is_empty()
            && self.old.contains(&"of");
        turn || whose
    }
}
