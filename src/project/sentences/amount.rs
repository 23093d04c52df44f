//! Amounts in English: `half the hull, rounded down`, `twice the number of own ships here`.

use super::claim::plain;
use super::noun::noun;
use super::words::{Lexicon, Of};

/// Reads words as one amount; nothing if they are one as they stand.
pub(super) fn amount(words: &[&str], game: &Lexicon, depth: usize) -> Option<String> {
    if depth > super::noun::DEEPEST {
        return None;
    }
    let of = |rest: &[&str]| amount(rest, game, depth + 1).or_else(|| known(rest, game));
    match words {
        ["(", inner @ .., ")", "rounded" | "rounding", way @ ("up" | "down" | "nearest")] => {
            Some(format!("rounded {way} ({})", of(inner)?))
        }
        [rest @ .., ",", "rounded" | "rounding" | "round", way]
        | [rest @ .., "rounded" | "rounding", way]
        | [rest @ .., "(", "rounded" | "rounding" | "round", way, ")"]
        | ["rounded" | "rounding" | "round", way, rest @ ..]
            if rest.first().is_none_or(|first| *first != "(") =>
        {
            let way = if *way == "off" { "nearest" } else { way };
            Some(format!("rounded {way} ({})", of(rest)?))
        }
        [
            rest @ ..,
            "," | "(",
            "dropping" | "ignoring" | "discarding" | "drop",
            "fractions" | "remainders",
        ]
        | [rest @ .., "(", "dropping" | "ignoring" | "discarding" | "drop", "fractions", ")"]
        | [rest @ .., ",", "fractions", "rounded", "down"] => {
            Some(format!("rounded down ({})", of(rest)?))
        }
        [rest @ .., ",", "fractions" | "remainders", "dropped" | "ignored" | "discarded"] => {
            Some(format!("rounded down ({})", of(rest)?))
        }
        ["half", "of", rest @ ..] | ["half", rest @ ..] => {
            Some(format!("{} / 2", factor(&of(rest)?)))
        }
        ["a" | "one", "third", "of", rest @ ..] => Some(format!("{} / 3", factor(&of(rest)?))),
        ["a" | "one", "quarter", "of", rest @ ..] => Some(format!("{} / 4", factor(&of(rest)?))),
        ["twice" | "double", rest @ ..] => Some(format!("2 * {}", factor(&of(rest)?))),
        ["three", "times", rest @ ..] => Some(format!("3 * {}", factor(&of(rest)?))),
        ["the", rest @ ..] => of(rest),
        ["number", "of", rest @ ..] => {
            let noun = noun(rest, Of::Unit, game, 1)?;
            Some(format!("count of {}", noun.all()?))
        }
        ["total" | "combined", rest @ ..] => {
            let (name, _, length) = game.number(rest)?;
            let things = rest.get(length..)?;
            let things = things.strip_prefix(["of"].as_slice()).unwrap_or(things);
            Some(format!("sum of {name} of {}", noun(things, Of::Unit, game, 1)?.all()?))
        }
        _ => None,
    }
}

/// An amount of the game, or what stands as it is.
pub(super) fn known(words: &[&str], game: &Lexicon) -> Option<String> {
    let words = match words {
        // `the ship's range`
        ["the" | "a" | "its", kind, "'", "s", rest @ ..] if game.kind_of(kind).is_some() => rest,
        ["the" | "its" | "their", rest @ ..] => rest,
        words => words,
    };
    match game.number(words) {
        Some((name, _, length)) => {
            let rest = plain(words.get(length..)?);
            Some(if rest.is_empty() { name.to_owned() } else { format!("{name} {rest}") })
        }
        None => (!words.is_empty()).then(|| plain(words)),
    }
}

/// An amount as one part of a product.
fn factor(text: &str) -> String {
    if text.contains([' ']) && !text.ends_with(')') { format!("({text})") } else { text.to_owned() }
}

/// What is preferred: `the zone with the lowest duty`.
pub(super) fn extreme(words: &[&str], game: &Lexicon) -> Option<String> {
    const LOW: [&str; 7] =
        ["lowest", "least", "smallest", "fewest", "minimum", "cheapest", "weakest"];
    const HIGH: [&str; 6] = ["highest", "most", "largest", "biggest", "greatest", "maximum"];
    let at = words.iter().position(|word| LOW.contains(word) || HIGH.contains(word))?;
    let way = if LOW.contains(words.get(at)?) { "lowest" } else { "highest" };
    let rest = words.get(at + 1..)?;
    let (name, _, length) = game.number(rest)?;
    (length == rest.len()).then(|| format!("{way} {name}"))
}
