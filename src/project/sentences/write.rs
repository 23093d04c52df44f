//! A line of the language from what stands for the parts of a sentence.

use super::pattern::Held;
use super::words::{Lexicon, Of, is_whole, joined};
use super::{amount, claim, noun};

/// A line with what stands for its parts.
pub(super) fn written(write: &str, held: &Held<'_>, game: &Lexicon) -> Option<String> {
    let mut text = write.replace("\\n", "\n");
    let of = of_held(held, game);
    // A longer name first, that `$k2` is not read as `$k`.
    let mut held: Vec<_> = held.iter().collect();
    held.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, words) in held {
        if text.contains(name) {
            text = text.replace(name, &part(name, words, of, game)?);
        }
    }
    let text = filled(text, game)?;
    is_clear(&text).then(|| denied(&with_article(&text)))?
}

/// A line with what stands for its words in braces.
fn filled(mut text: String, game: &Lexicon) -> Option<String> {
    for (hole, sort) in [("{space}", Of::Space), ("{unit}", Of::Unit)] {
        if text.contains(hole) {
            text = text.replace(hole, game.only(sort)?);
        }
    }
    // `frigates are ships`
    if text.contains("{-s}") {
        text = text.contains("s{-s}").then(|| text.replace("s{-s}", ""))?;
    }
    Some(text.replace("{head}", &game.head()))
}

/// Whether a line is one that may have been meant: of a dimension the name for several stands first,
/// and whose things are ordered about is said.
fn is_clear(text: &str) -> bool {
    let turned = |part: &str| {
        let (first, second) = part.trim_end_matches(')').split_once(" (")?;
        Some(second.strip_suffix('s') == Some(first.trim()))
    };
    if let Some(names) = text.strip_prefix("dimension ") {
        return !names.split(',').any(|part| turned(part) == Some(true));
    }
    let ordered = text.starts_with("must ") || text.starts_with("may ");
    let stance = |things: &str| things.split(' ').any(|word| noun::stance(word).is_some());
    !ordered || text.split_once(" for ").is_some_and(|(_, things)| stance(things))
}

/// `maybe a admiral` is `maybe an admiral`.
fn with_article(text: &str) -> String {
    let vowel = |word: &str| word.starts_with(['a', 'e', 'i', 'o', 'u']);
    match text.split_once(" maybe a ") {
        Some((front, kind)) if vowel(kind) => format!("{front} maybe an {kind}"),
        _ => text.to_owned(),
    }
}

/// `not (a)` is `not a`; what is denied twice is nothing that somebody wrote.
fn denied(text: &str) -> Option<String> {
    let Some((front, rest)) = text.split_once("not (") else { return Some(text.to_owned()) };
    let Some(inner) = rest.strip_suffix(')').filter(|inner| !inner.contains(['(', ')'])) else {
        return Some(text.to_owned());
    };
    match inner.split_once(' ') {
        None => Some(format!("{front}not {inner}")),
        Some(("not", _)) => None,
        Some(("any", rest)) if !inner.contains(" and ") => Some(format!("{front}no {rest}")),
        _ if inner.contains(" and ") || inner.contains(" or ") => Some(text.to_owned()),
        _ => Some(format!("{front}not {inner}")),
    }
}

/// A step of a phase for those things alone for which this holds too.
pub(super) fn narrowed(step: &str, claim: &str) -> Option<String> {
    let (_, things) = step.split_once(" for ")?;
    let Some((front, known)) = step.split_once(" where ").filter(|_| things.contains(" where "))
    else {
        return Some(format!("{step} where {}", noun::bracketed(claim.to_owned())));
    };
    let known = known.strip_prefix('(').and_then(|k| k.strip_suffix(')')).unwrap_or(known);
    let both = noun::all_of(&[known.to_owned(), claim.to_owned()]);
    Some(format!("{front} where ({both})"))
}

/// What is written for one part.
fn part(name: &str, words: &[&str], of: Of, game: &Lexicon) -> Option<String> {
    let plain = || claim::plain(words);
    if let Some(of) = of_letter(name, of) {
        let said = claim::claim(words, of, game, 0).unwrap_or_else(plain);
        return Some(if name.starts_with("@h") { noun::bracketed(said) } else { said });
    }
    match name.as_bytes() {
        [b'$', b'k', ..] => {
            let (one, ..) = game.kind_of(words.first()?)?;
            Some(one.to_owned())
        }
        [b'@', b'u', ..] => noun::noun(words, Of::Unit, game, 0)?.all(),
        [b'@', b'b', ..] => noun::noun(words, Of::Space, game, 0)?.all(),
        [b'@', b'i', ..] => {
            let noun = noun::noun(words, Of::Unit, game, 0).filter(|noun| !noun.is_space(game))?;
            noun::with_place(&noun, "here").or_else(|| noun.any())
        }
        [b'@', b'j', ..] => {
            let noun = noun::noun(words, Of::Unit, game, 0)?;
            noun.any().map(|any| any.replacen("any ", "", 1))
        }
        [b'@', b'p', ..] => noun::noun(words, Of::Unit, game, 0)?.said(),
        [b'@', b'v', ..] => Some(
            amount::amount(words, game, 0)
                .or_else(|| amount::known(words, game))
                .unwrap_or_else(plain),
        ),
        [b'@', b'm', ..] => amount::extreme(words, game),
        [b'@', b't', ..] => game.titled(words).map(str::to_owned),
        [b'@', b'w', ..] => Some(facts(words, game)),
        [b'@', b'o', ..] => Some(listed(words)?.join(", ")),
        [b'@', b'l', ..] => {
            let stages = listed(words)?.into_iter().map(|stage| format!("  {stage}"));
            Some(stages.collect::<Vec<_>>().join("\n"))
        }
        [b'@', b'n', ..] => {
            let is_word = |word: &&str| word.starts_with(|c: char| c.is_alphabetic());
            // `row led: ...` is no row called `row led`.
            let is_row = words.first() == Some(&"row");
            words
                .iter()
                .all(|word| is_word(word) && !is_row)
                .then(|| words.join("_").to_ascii_lowercase())
        }
        _ => Some(plain()),
    }
}

/// What the kind that stands for `$k` is of.
fn of_held(held: &Held<'_>, game: &Lexicon) -> Of {
    let kind = held.iter().find(|(name, _)| *name == "$k").and_then(|(_, words)| words.first());
    kind.map_or(Of::Other, |kind| game.of_kind(kind))
}

/// What a condition of this letter is said of; none if it stands for something else.
fn of_letter(name: &str, of: Of) -> Option<Of> {
    match name.as_bytes() {
        [b'@', b'c' | b'g', ..] => Some(Of::Unit),
        [b'@', b'd' | b'h', ..] => Some(Of::Space),
        [b'@', b'f', ..] => Some(Of::Other),
        [b'@', b'x', ..] => Some(of),
        _ => None,
    }
}

/// Whether words can be read as a part of this letter.
pub(super) fn accepts(name: &str, words: &[&str], held: &Held<'_>, game: &Lexicon) -> bool {
    let of = of_held(held, game);
    match (of_letter(name, of), name) {
        (Some(of), _) => claim::claim(words, of, game, 0).is_some(),
        (_, "@v") => {
            matches!(words, [one] if is_whole(one))
                || game.number(words).is_some_and(|(.., length)| length == words.len())
                || amount::amount(words, game, 0).is_some()
        }
        (_, "@l" | "@o") => listed(words).is_some_and(|words| !words.iter().any(|w| game.knows(w))),
        _ => part(name, words, of, game).is_some(),
    }
}

/// The words of a list, however they are joined.
fn listed<'a>(words: &[&'a str]) -> Option<Vec<&'a str>> {
    let signs = [",", "|", "/", ";", "or", "and", "-", "->", ">", "<", "then", "→"];
    let names: Vec<&str> = words.iter().copied().filter(|word| !signs.contains(word)).collect();
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic());
    (names.len() > 1 && names.iter().all(is_name) && names.len() < words.len()).then_some(names)
}

/// Facts behind `with`: `hull of 6`, `6 hull`, `hull: 6`, `clear terrain` and `coppered`.
fn facts(words: &[&str], game: &Lexicon) -> String {
    let parts = words.split(|word| matches!(*word, "," | "and" | ";" | "&"));
    let fact = |part: &[&str]| {
        let spare = |word: &&str| matches!(*word, "of" | "=" | ":" | "a" | "an" | "the" | "is");
        let bare = part.iter().map(|word| word.trim_matches('"'));
        let words: Vec<&str> = bare.filter(|word| !spare(word)).collect();
        match words.as_slice() {
            [number, name] if number.starts_with(|c: char| c.is_ascii_digit()) => {
                format!("{name} {number}")
            }
            [value, name] if game.is_attribute(name) && !game.is_attribute(value) => {
                format!("{name} {value}")
            }
            [thing, "as", name] => format!("{name} {thing}"),
            [name, "true" | "yes"] => (*name).to_owned(),
            [name, "false" | "no"] => format!("{name} no"),
            [value] => game.attribute_of(value).map_or_else(
                || (*value).to_owned(),
                |(attribute, _)| format!("{attribute} {value}"),
            ),
            words => joined(words),
        }
    };
    parts.filter(|part| !part.is_empty()).map(fact).collect::<Vec<_>>().join(", ")
}
