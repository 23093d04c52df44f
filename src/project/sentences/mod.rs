//! Whole lines that are written as a rulebook prints them, or as another language says them, and the
//! same line here: `crippled own ships must move to shelter`.
//!
//! Takes the line of a fault; gives texts for it, the likeliest first. Whether one is true is asked
//! where it is offered.

mod amount;
mod claim;
mod noun;
mod pattern;
mod words;

use crate::diag::{Applicability, Suggestion, Way};
use crate::source::{SourceMap, Span};
use pattern::{Held, readings};
use words::{Lexicon, Of, joined};

/// The sentences, one a line, with tabulators between their parts.
const BOOK: &str = include_str!("book.txt");
/// So many texts are given.
const MOST: usize = 8;
/// A line of more words is no sentence.
const LONGEST: usize = 40;
/// How far the likeliest text is from what is written, and the least likely.
pub(super) const FIRST: u8 = 2;
const LAST: u8 = 3;

/// One entry of the book.
struct Sentence {
    /// In which blocks it stands.
    places: &'static str,
    pattern: &'static str,
    write: &'static str,
}

fn book() -> impl Iterator<Item = Sentence> {
    BOOK.lines().filter(|line| !line.starts_with("# ") && *line != "#").filter_map(|line| {
        let mut parts = line.split('\t');
        Some(Sentence { places: parts.next()?, pattern: parts.next()?, write: parts.next()? })
    })
}

/// What the line of a place may have been meant as, but for what the other ways write.
pub(super) fn ways(place: Span, others: &[Way], sources: &SourceMap) -> Vec<Way> {
    let text = sources.text(place.source);
    let at = place.start as usize;
    let Some(start) = text.get(..at).map(|t| t.rfind('\n').map_or(0, |p| p + 1)) else {
        return Vec::new();
    };
    let line = text.get(start..).and_then(|t| t.lines().next()).unwrap_or_default();
    let body = body(line);
    let plain = body.trim_end_matches('.');
    let words = words::split(plain);
    if words.len() < 2 || words.len() > LONGEST {
        return Vec::new();
    }
    let game = Lexicon::of(sources);
    let block = block(text, start, line);
    let spoken = spoken(&words, block, &game);
    let spoken: Vec<&str> = spoken.iter().map(String::as_str).collect();
    let found = texts(&spoken, block, &game);
    let from = start + line.len() - line.trim_start().len();
    let to = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(place.source, to(from), to(from + body.len()));
    let way = |(level, with): (u8, String)| {
        let help = format!("write `{with}`");
        let fix = Suggestion { span, replacement: with, applies: Applicability::Maybe };
        Way { fix, help, rank: (FIRST + level).min(LAST), edit: true }
    };
    // The same line is known where it is a smaller change.
    let known: Vec<String> =
        others.iter().filter_map(|way| line_with(way, span, sources)).collect();
    let same = |with: &String| known.iter().any(|line| words::split(line) == words::split(with));
    found.into_iter().filter(|(_, with)| with != body && !same(with)).map(way).collect()
}

/// A stretch of text with what a way writes in it.
fn line_with(way: &Way, line: Span, sources: &SourceMap) -> Option<String> {
    let fix = &way.fix;
    let within =
        fix.span.source == line.source && line.start <= fix.span.start && fix.span.end <= line.end;
    if !within {
        return None;
    }
    let mut text = sources.slice(line).to_owned();
    let from = (fix.span.start - line.start) as usize;
    text.replace_range(from..from + (fix.span.end - fix.span.start) as usize, &fix.replacement);
    Some(text)
}

/// A line without its clauses, its bracket and its comment.
fn body(line: &str) -> &str {
    let line = line.trim_start();
    let quoted = |at: usize| line.get(..at).unwrap_or_default().matches('"').count() % 2 == 1;
    let comment = line.match_indices('#').map(|(at, _)| at).find(|at| !quoted(*at));
    let line = line.get(..comment.unwrap_or(line.len())).unwrap_or_default().trim_end();
    let line = line.strip_suffix('{').unwrap_or(line).trim_end();
    let Some(clauses) = line.strip_suffix(']').and_then(|front| front.rfind('[')) else {
        return line;
    };
    let cited = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ',' | ' ' | '[' | ']');
    let inner = line.get(clauses..).unwrap_or_default();
    let front = line.get(..clauses).unwrap_or_default().trim_end();
    let names = inner.contains(|c: char| c.is_ascii_digit()) && inner.chars().all(cited);
    // `die cannon = [0, 1]`
    if names && !front.ends_with(['=', ':', ',']) { front } else { line }
}

/// The words of a sentence without the capital letter of the first, with numbers as digits, and
/// without what it is about where its block says that.
fn spoken(words: &[&str], block: &str, game: &Lexicon) -> Vec<String> {
    let mut spoken: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    if let Some(first) = spoken.first_mut().filter(|first| !game.is_thing(first)) {
        *first = first.to_ascii_lowercase();
    }
    for word in spoken.iter_mut().skip(1) {
        if let Some(digit) = NUMBERS.iter().position(|number| word == number) {
            *word = (digit + 2).to_string();
        }
    }
    // `The Argo`
    spoken = (0..spoken.len())
        .filter(|at| {
            let article = spoken.get(*at).is_some_and(|word| word == "the" || word == "The");
            !(article && spoken.get(at + 1).is_some_and(|next| game.is_thing(next)))
        })
        .filter_map(|at| spoken.get(at).cloned())
        .collect();
    // `A ship may carry an admiral`, where the kind stands above.
    if block == "kind"
        && let [article, kind, _, ..] = spoken.as_slice()
        && matches!(article.as_str(), "a" | "an" | "each" | "every" | "the")
        && game.kind_of(kind).is_some()
    {
        spoken.drain(..2);
    }
    let about = |starts: &&[&str]| {
        starts.len() < spoken.len() && starts.iter().zip(&spoken).all(|(a, b)| a == b)
    };
    let places = SUBJECTS.iter().find(|(place, _)| *place == block).map(|(_, subjects)| *subjects);
    if let Some(subject) = places.unwrap_or_default().iter().find(|subject| about(subject)) {
        spoken.drain(..subject.len());
    }
    spoken
}

/// Numbers in words, from two on.
const NUMBERS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/// What a line is about in its block, the longer first.
const SUBJECTS: [(&str, &[&[&str]]); 3] = [
    (
        "trace",
        &[
            &["the", "last", "leg"],
            &["the", "first", "leg"],
            &["this", "status"],
            &["the", "status"],
            &["the", "result"],
            &["the", "line"],
            &["a", "line"],
            &["each", "line"],
            &["any", "line"],
            &["no", "line", "may"],
            &["this", "line"],
            &["the", "path"],
            &["the", "route"],
            &["the", "trace"],
            &["the", "leg"],
            &["this", "leg"],
            &["this", "trace"],
            &["lines"],
            &["it"],
        ],
    ),
    (
        "choice",
        &[
            &["if", "there", "is", "still", "a", "tie", ","],
            &["if", "there", "is", "a", "tie", ","],
            &["if", "still", "tied", ","],
            &["in", "a", "tie", ","],
            &["if", "several", "qualify", ","],
            &["it", "runs", "to"],
            &["it", "moves", "to"],
            &["it", "goes", "to"],
            &["it", "retreats", "to"],
            &["it", "prefers"],
            &["it"],
        ],
    ),
    ("test", &[&["then"], &["and"]]),
];

/// The noun of the item in whose block a line stands.
fn block<'a>(text: &'a str, start: usize, line: &str) -> &'a str {
    if !line.starts_with([' ', '\t']) {
        return "item";
    }
    let above = text.get(..start).unwrap_or_default();
    let head = above.lines().rev().find(|l| l.starts_with(|c: char| c.is_alphabetic()));
    head.and_then(|head| head.split_whitespace().next()).unwrap_or_default()
}

/// The texts for some words in a block, each with how much less likely it is than the first.
fn texts(words: &[&str], block: &str, game: &Lexicon) -> Vec<(u8, String)> {
    let mut found = scored(words, block, game);
    found.extend(conditional(words, block, game));
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let mut level = 0;
    let mut last = found.first().map_or(0, |(score, _)| *score);
    let levelled = found.into_iter().map(|(score, text)| {
        level += u8::from(score < last);
        last = score;
        (level, text)
    });
    levelled.take(MOST).collect()
}

/// `own ships may become becalmed if the wind is calm`, and the condition first.
fn conditional(words: &[&str], block: &str, game: &Lexicon) -> Vec<(usize, String)> {
    if block != "phase" {
        return Vec::new();
    }
    let Some(at) = words.iter().position(|word| ["if", "when", "whenever", "while"].contains(word))
    else {
        return Vec::new();
    };
    let (front, back) = words.split_at(at);
    let rest = back.get(1..).unwrap_or_default();
    let (step, said) = if front.is_empty() {
        let comma = rest.iter().position(|word| matches!(*word, "," | "then" | ":"));
        let Some((said, step)) = comma.map(|comma| rest.split_at(comma)) else { return Vec::new() };
        (step.get(1..).unwrap_or_default(), said)
    } else {
        (front, rest)
    };
    let Some(said) = claim::claim(said, Of::Unit, game, 0) else { return Vec::new() };
    let steps = scored(step, block, game).into_iter();
    steps.filter_map(|(score, step)| Some((score + 4, narrowed(&step, &said)?))).collect()
}

/// The texts for some words in a block, each with how much of its sentence is in words.
fn scored(words: &[&str], block: &str, game: &Lexicon) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for sentence in book().filter(|s| s.places.split(',').any(|place| place == block)) {
        for (plain, held) in readings(sentence.pattern, words) {
            let score = 5 * plain + held.len();
            for write in sentence.write.split("||") {
                let text = written(write, &held, game);
                let new = text.filter(|text| !found.iter().any(|(_, known)| known == text));
                found.extend(new.map(|text| (score, text)));
            }
        }
    }
    found
}

/// A line with what stands for its parts.
fn written(write: &str, held: &Held<'_>, game: &Lexicon) -> Option<String> {
    let mut text = write.replace("\\n", "\n");
    let of = held.iter().find(|(name, _)| *name == "$k").and_then(|(_, words)| words.first());
    let of = of.map_or(Of::Other, |kind| game.of_kind(kind));
    // A longer name first, that `$k2` is not read as `$k`.
    let mut held: Vec<_> = held.iter().collect();
    held.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, words) in held {
        if text.contains(name) {
            text = text.replace(name, &part(name, words, of, game)?);
        }
    }
    if text.contains("{unit}") {
        text = text.replace("{unit}", game.only_unit()?);
    }
    denied(&text)
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

/// Behind `where` stands one claim, or several in brackets.
fn bracketed(claim: String) -> String {
    let joined = claim.contains(" and ") || claim.contains(" or ");
    if joined && !claim.starts_with('(') { format!("({claim})") } else { claim }
}

/// A step of a phase for those things alone for which this holds too.
fn narrowed(step: &str, claim: &str) -> Option<String> {
    let (_, things) = step.split_once(" for ")?;
    let Some((front, known)) = step.split_once(" where ").filter(|_| things.contains(" where "))
    else {
        return Some(format!("{step} where {}", bracketed(claim.to_owned())));
    };
    let known = known.strip_prefix('(').and_then(|k| k.strip_suffix(')')).unwrap_or(known);
    Some(format!("{front} where ({known} and {claim})"))
}

/// What is written for one part.
fn part(name: &str, words: &[&str], of: Of, game: &Lexicon) -> Option<String> {
    let plain = || claim::plain(words);
    let said = |of: Of| Some(claim::claim(words, of, game, 0).unwrap_or_else(plain));
    match name.as_bytes() {
        [b'$', b'k', ..] => {
            let (one, ..) = game.kind_of(words.first()?)?;
            Some(one.to_owned())
        }
        [b'@', b'u', ..] => noun::noun(words, Of::Unit, game, 0)?.all(),
        [b'@', b'b', ..] => noun::noun(words, Of::Space, game, 0)?.all(),
        [b'@', b'i', ..] => {
            let noun = noun::noun(words, Of::Unit, game, 0)?;
            noun::with_place(&noun, "here").or_else(|| noun.any())
        }
        [b'@', b'j', ..] => {
            let noun = noun::noun(words, Of::Unit, game, 0)?;
            noun.any().map(|any| any.replacen("any ", "", 1))
        }
        [b'@', b'p', ..] => noun::noun(words, Of::Unit, game, 0)?.said(),
        [b'@', b'c' | b'g', ..] => said(Of::Unit),
        [b'@', b'd', ..] => said(Of::Space),
        [b'@', b'h', ..] => said(Of::Space).map(bracketed),
        [b'@', b'f', ..] => said(Of::Other),
        [b'@', b'x', ..] => said(of),
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
            words.iter().all(is_word).then(|| words.join("_").to_ascii_lowercase())
        }
        _ => Some(plain()),
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

#[cfg(test)]
mod tests;
