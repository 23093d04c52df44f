//! Bounds, amounts and the words for which others stand.

use super::{Weighed, holds, is_one};

/// Words that bound what stands behind them and leave it out.
const STRICT: &str = "more less fewer greater above below over under beyond outside exceeding < >";
/// Words of which one stands where something is bounded.
const BOUNDING: &str = "+ - < > above again all any below better between beyond bigger capped down every exceed \
    exceeding exceeds fewer from greater higher larger least less limit limited long longer \
    lower max maximum min minimum more most no not once only over several shorter smaller \
    some stronger t than times to under until up within worse";
/// Words that are no slip of each other, and of which one says another thing than the other.
const PAIRS: [(&str, &str); 28] = [
    ("exactly", "within"),
    ("exactly", "least"),
    ("exactly", "most"),
    ("one", "each"),
    ("all", "one"),
    ("some", "one"),
    ("none", "one"),
    ("given", "expect"),
    ("order", "expect"),
    ("avoid", "prefer"),
    ("never", "prefer"),
    ("skip", "run"),
    ("unlink", "link"),
    ("unexpected", "expect"),
    ("unexpected", "given"),
    ("deny", "expect"),
    ("deny", "given"),
    ("refute", "expect"),
    ("refute", "given"),
    ("may", "do"),
    ("invariant", "define"),
    ("always", "define"),
    ("remove", "define"),
    ("only", "the"),
    ("only", "never"),
    ("nowhere", "anywhere"),
    ("beyond", "cost"),
    ("outside", "cost"),
];

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The numbers among some words, in one order.
fn numbers<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut found: Vec<&str> = words.iter().copied().filter(|word| is_number(word)).collect();
    found.sort_unstable();
    found
}

impl Weighed<'_> {
    /// Another word stands for one that says something else.
    pub(super) fn swaps_words(&self) -> bool {
        let swapped = |(old, new): &(&str, &str)| self.has_lost(&[old]) && self.has_gained(&[new]);
        PAIRS.iter().any(swapped) || self.swaps_one() || self.counts() || self.does_another_thing()
    }

    /// One word alone stands for one that says something else.
    fn swaps_one(&self) -> bool {
        let one = |old: &str, new: &str| self.lost == [old] && self.gained == [new];
        let from = self.lost == ["from"] && self.has_gained(&["is", "by"]);
        let worse = |three: &[&str]| matches!(three, [number, "or", "worse"] if is_number(number));
        let each = self.head.starts_with("test ") && self.has_lost(&["each"]);
        let worse = self.old.windows(3).any(worse) && self.has_gained(&["least", "most"]);
        // What is said of dice is no slip of a name.
        let die = matches!(self.lost.as_slice(), ["die" | "dice" | "odd" | "even" | "half"])
            && self.gained.len() == 1;
        one("to", "is") || one(",", "is") || one("at", "until") || from || worse || each || die
    }

    /// A truth of all of several becomes a number of them, or `and` a sum.
    fn counts(&self) -> bool {
        let counts = holds(&self.new, &["count", "of"]);
        let counted = self.has_lost(&["all", "every"]) && self.has_gained(&["count"]);
        let sum = self.has_lost(&["and"]) && self.has_gained(&["+"]) && !self.has_lost(&["add"]);
        counts && counted && !self.has_gained(&["per"]) || sum
    }

    /// A step does another thing: `lower to 1` is not `lower by 1`, and what leaves for a place is not
    /// removed.
    fn does_another_thing(&self) -> bool {
        let step = self.new.iter().any(|word| matches!(*word, "raise" | "lower"));
        let by = step && self.has_lost(&["to"]) && self.has_gained(&["by"]);
        let away = self.has_lost(&["map", "board", "game", "play"]);
        let leaves = self.has_lost(&["leave", "leaves"]) && self.has_gained(&["remove"]) && !away;
        let banned = self.has_gained(&["prefer"]) && self.begins_with(&["not", "no"]);
        by || leaves || banned
    }

    /// What is bounded is bounded otherwise: `beyond 3` is not `within 3`, nor is `less than 3`, and
    /// `6` is not `at least 6`.
    pub(super) fn bounds_otherwise(&self) -> bool {
        let closed = ["between", "within", "least", "most"];
        let same = numbers(&self.old) == numbers(&self.new);
        let denied = self.has_lost_a_denial();
        let strict = is_strict(&self.old) && !is_strict(&self.new) && !denied && same;
        let slip = |new: &str| self.lost.iter().any(|old| strsim::osa_distance(old, new) <= 2);
        let bounds = |word: &&&str| matches!(**word, "least" | "most" | "more" | "less");
        let from_nothing = self.gained.iter().filter(bounds).any(|new| !slip(new))
            && !self.old.iter().any(|word| is_one(BOUNDING, word));
        strict && self.has_gained(&closed)
            || from_nothing
            || self.loses_up_to()
            || self.splits_a_number()
    }

    /// `up to 3` is not `3`.
    fn loses_up_to(&self) -> bool {
        let up_to = |words: &[&str]| holds(words, &["up", "to"]);
        let bounded = ["within", "most", "until", "between", "least", "less", "from"];
        let bounds = |words: &[&str]| words.iter().any(|word| bounded.contains(word));
        up_to(&self.old) && !up_to(&self.new) && !bounds(&self.gained) && !bounds(&self.old)
    }

    /// `1.5` is not `1 * 5`.
    fn splits_a_number(&self) -> bool {
        let split = self
            .old
            .windows(3)
            .any(|three| matches!(three, [a, ".", b] if is_number(a) && is_number(b)));
        split && self.has_lost(&["."]) && self.has_gained(&["*", "+", "/", "-", ",", "to", "and"])
    }
}

/// Whether something is bounded by what does not belong to it: `more than 3`, and not `3 or more`.
fn is_strict(words: &[&str]) -> bool {
    let bounds = |behind: &[&str]| match behind {
        [word, "than", ..] => is_one(STRICT, word),
        [word, "-", ..] => is_one(STRICT, word),
        [word, number, ..] => is_one(STRICT, word) && is_number(number),
        _ => false,
    };
    (0..words.len()).any(|at| words.get(at..).is_some_and(bounds))
}
