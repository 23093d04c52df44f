//! Amounts in English: `half the hull, rounded down`, `twice the number of own ships here`.

use super::claim::plain;
use super::code::selected;
use super::noun::noun;
use super::words::{Lexicon, Of, arguments, is_whole};

/// Reads words as one amount; nothing if they are one as they stand.
pub(super) fn amount(words: &[&str], game: &Lexicon, depth: usize) -> Option<String> {
    if depth > super::noun::DEEPEST {
        return None;
    }
    let of = |rest: &[&str]| amount(rest, game, depth + 1).or_else(|| known(rest, game));
    if let Some(rounded) = by_ruling(words, game, depth) {
        return Some(rounded);
    }
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
        _ => of_data(words, game, depth),
    }
}

/// Amounts as programs and tables of data say them: `max(8 - load, 0)`, `SELECT SUM(load) FROM trains`.
fn of_data(words: &[&str], game: &Lexicon, depth: usize) -> Option<String> {
    match words {
        [inner @ .., ")", sign @ ("+" | "-"), number] if is_whole(number) => {
            let inner = words.get(..=inner.len())?;
            Some(format!("{} {sign} {number}", amount(inner, game, depth + 1)?))
        }
        ["minus", number] if is_whole(number) => Some(format!("-{number}")),
        [name, "(", inner @ .., ")"] => call(&name.to_ascii_lowercase(), inner, game, depth),
        ["select", "sum", "(", name, ")", "from", kind, "where", said @ ..] => {
            Some(format!("sum of {name} of {}", selected(kind, said, game)?))
        }
        ["select", "count", "(", "*", ")", "from", kind, "where", said @ ..] => {
            Some(format!("count of {}", selected(kind, said, game)?))
        }
        _ => None,
    }
}

/// `max(8 - load, 0)`, `ROUND(strength / 2, halves)`, `SUM(adjacent towns; tax)`
fn call(name: &str, inner: &[&str], game: &Lexicon, depth: usize) -> Option<String> {
    let of = |part: &[&str]| amount(part, game, depth + 1).unwrap_or_else(|| plain(part));
    let parts = arguments(inner);
    match (name, parts.as_slice()) {
        ("max", [one, other]) => Some(format!("greater of ({}, {})", of(one), of(other))),
        ("min", [one, other]) => Some(format!("lesser of ({}, {})", of(one), of(other))),
        ("round", [one, [ruling]]) if game.is_named(&["ruling"], ruling) => {
            Some(format!("rounded {ruling} ({})", of(one)))
        }
        ("floor" | "rounddown" | "int" | "trunc", [one] | [one, ["0"]]) => {
            Some(format!("rounded down ({})", of(one)))
        }
        ("ceil" | "ceiling" | "roundup", [one] | [one, ["0"]]) => {
            Some(format!("rounded up ({})", of(one)))
        }
        ("round", [one] | [one, ["0"]]) => Some(format!("rounded nearest ({})", of(one))),
        ("sum", [things, [name]] | [[name], things]) if game.number(&[name]).is_some() => {
            Some(format!("sum of {name} of {}", noun(things, Of::Unit, game, 1)?.all()?))
        }
        ("count" | "len", [things]) => {
            Some(format!("count of {}", noun(things, Of::Unit, game, 1)?.all()?))
        }
        _ => None,
    }
}

/// `a third of its riders, rounded as the ruling thirds says`
fn by_ruling(words: &[&str], game: &Lexicon, depth: usize) -> Option<String> {
    let at = words.iter().position(|word| matches!(*word, "rounded" | "rounding"))?;
    let (front, behind) = words.split_at(at);
    let spare =
        |word: &&&str| !matches!(**word, "as" | "by" | "per" | "the" | "ruling" | "says" | "to");
    let named: Vec<&&str> = behind.get(1..)?.iter().filter(spare).collect();
    let [ruling] = named.as_slice() else { return None };
    let front = front.strip_suffix([","].as_slice()).unwrap_or(front);
    let front = amount(front, game, depth + 1).or_else(|| known(front, game))?;
    game.is_named(&["ruling"], ruling).then(|| format!("rounded {ruling} ({front})"))
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
