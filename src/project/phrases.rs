//! The phrase book: what people write in rulebooks, in English and in other languages, and how it is
//! said here.
//!
//! Takes the line of a fault; gives one sentence with an example in the names of the game, and what
//! to write, if that can be said. Whether it is true is asked where it is offered.

use super::names::Names;
use crate::diag::Way;
use crate::source::{SourceMap, Span};
use crate::syntax::tokens::tokens;

/// The entries, one a line, with tabulators between their parts.
const BOOK: &str = include_str!("phrases.txt");
/// A pattern stands so near the fault, in words and signs: what it writes is tried, a sentence
/// alone is not.
const NEAR: usize = 4;
const NEAR_ALONE: usize = 2;

/// One entry.
struct Phrase {
    /// Where it stands: a letter, as the head of the book says.
    place: char,
    pattern: Vec<&'static str>,
    /// Whether it begins its line.
    starts: bool,
    write: &'static str,
    say: &'static str,
    example: &'static str,
}

/// What the phrase book says of a fault.
pub(super) struct Said {
    /// The sentence with its example.
    pub help: String,
    /// What to write, if it says so; of several each is tried.
    pub ways: Vec<Way>,
    /// Whether the fault stands in what is written so.
    pub holds: bool,
    /// Whether the word at the fault is one of the pattern: what is near it is not meant.
    pub exact: bool,
}

fn book() -> impl Iterator<Item = Phrase> {
    BOOK.lines().filter(|line| !line.starts_with("# ") && *line != "#").filter_map(|line| {
        let mut parts = line.split('\t');
        let (place, pattern) = (parts.next()?.chars().next()?, parts.next()?);
        Some(Phrase {
            place,
            pattern: pattern.trim_start_matches("^ ").split(' ').collect(),
            starts: pattern.starts_with("^ "),
            write: parts.next()?,
            say: parts.next()?,
            example: parts.next()?,
        })
    })
}

/// What the book says of the line at a place; the longest pattern near it counts.
pub(super) fn look_up(at: Span, sources: &SourceMap, names: &Names) -> Option<Said> {
    let text = sources.text(at.source);
    let start = at.start as usize;
    let line_start = text.get(..start)?.rfind('\n').map_or(0, |p| p + 1);
    let line = text.get(line_start..)?.split('\n').next()?;
    let comment = line.trim_start().starts_with("//") || line.trim_start().starts_with("/*");
    let tokens = tokens(line, !comment);
    let column = start - line_start;
    let fault = tokens.iter().position(|(p, t)| p + t.len() > column).unwrap_or(tokens.len());
    let places = places(text, line_start, line, names);
    let (phrase, from) = longest(&tokens, fault, &places, names)?;
    let window = tokens.get(from..from + phrase.pattern.len())?;
    let say = names.fill(phrase.say);
    let (first, last) = (window.first()?, window.last()?);
    let place = |p: usize| u32::try_from(line_start + p).unwrap_or(u32::MAX);
    let span = Span::new(at.source, place(first.0), place(last.0 + last.1.len()));
    let ways = written(&phrase, window, names).into_iter().map(|with| {
        let help = format!("{say}: write `{with}`");
        Way { help, rank: 1, ..Way::near(span, &with) }
    });
    let ways = ways.collect();
    let part = fault.checked_sub(from).and_then(|at| phrase.pattern.get(at));
    let exact = part.is_some_and(|part| part.starts_with(char::is_alphabetic));
    let holds = part.is_some();
    Some(Said {
        holds,
        exact,
        help: format!("{say}, as in `{}`", names.fill(phrase.example)),
        ways,
    })
}

/// The longest pattern near a fault, and where it begins.
fn longest(
    tokens: &[(usize, &str)],
    fault: usize,
    places: &[char],
    names: &Names,
) -> Option<(Phrase, usize)> {
    let mut best: Option<(usize, Phrase, usize)> = None;
    for phrase in book() {
        // A row may begin with `when`, a condition may not.
        let begins = matches!(phrase.pattern.first(), Some(&("if" | "when" | "for" | "return")));
        let condition = matches!(places.first(), Some('E' | 'S'));
        let foreign = begins && phrase.place == 'E' && !condition;
        let foreign = foreign || names.has_grid() && phrase.say.contains("without a grid");
        if foreign || !places.contains(&phrase.place) {
            continue;
        }
        let length = phrase.pattern.len();
        let starts = usize::from(phrase.starts);
        let near = if phrase.write.is_empty() { NEAR_ALONE } else { NEAR };
        let filled: Vec<String> = phrase.pattern.iter().map(|word| names.fill(word)).collect();
        let fits = (0..tokens.len()).filter(|from| from * starts == 0).find(|from| {
            tokens.get(*from..from + length).is_some_and(|window| {
                *from <= fault + near
                    && from + length + near >= fault
                    && window.iter().zip(&filled).all(|((_, word), part)| matches(part, word))
            })
        });
        let Some(from) = fits else { continue };
        let words = phrase.pattern.iter().filter(|p| !p.starts_with(['$', '#'])).count();
        let own = places.first() == Some(&phrase.place);
        let rank = 2 * words + length + if own { 3 } else { 0 };
        if best.as_ref().is_none_or(|(known, ..)| rank > *known) {
            best = Some((rank, phrase, from));
        }
    }
    best.map(|(_, phrase, from)| (phrase, from))
}

/// What the entry writes, with what stands in its places; `||` stands between several texts.
fn written(phrase: &Phrase, window: &[(usize, &str)], names: &Names) -> Vec<String> {
    if phrase.write.is_empty() || phrase.pattern.iter().filter(|p| **p == "#").count() > 2 {
        return Vec::new();
    }
    let filled = |text: &str| {
        let mut with = names.fill(text.trim());
        for (part, (_, word)) in phrase.pattern.iter().zip(window) {
            if part.starts_with('$') {
                with = with.replace(part, word);
            } else if *part == "#" {
                with = with.replacen('#', word, 1);
            }
        }
        with
    };
    let texts = phrase.write.split("||");
    let asks = phrase.pattern.iter().any(|part| part.contains("{unit"));
    let units = names.units();
    // Which of several kinds is meant, the phrase does not say.
    if asks || units.len() < 2 || !phrase.write.contains("{unit}") {
        return texts.map(filled).collect();
    }
    let of_kinds = |text: &str| {
        units.iter().map(|unit| filled(&text.replace("{unit}", unit))).collect::<Vec<_>>()
    };
    texts.flat_map(of_kinds).collect()
}

/// Whether a part of a pattern stands for a word or sign.
fn matches(part: &str, word: &str) -> bool {
    match part {
        "#" => word.chars().all(|c| c.is_ascii_digit()),
        _ if part.starts_with('$') => {
            word.starts_with(|c: char| c.is_alphabetic()) && !crate::syntax::is_reserved(word)
        }
        _ if part.chars().any(char::is_uppercase) => part == word,
        _ => part.eq_ignore_ascii_case(word),
    }
}

/// Where a line stands, in the letters of the book.
fn places(text: &str, line_start: usize, line: &str, names: &Names) -> Vec<char> {
    let head = head(text, line_start);
    let mut words = head.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let noun = words.next().unwrap_or_default();
    let first = line.split_whitespace().next().unwrap_or_default();
    if !line.starts_with([' ', '\t']) {
        let space = format!("of {} ", names.fill("{space}"));
        return match noun {
            "define" if line.contains(&space) => vec!['S', 'E', 'I'],
            "define" | "pair" => vec!['E', 'I'],
            _ => vec!['I'],
        };
    }
    match noun {
        "table" | "hook" => vec!['R', 'E'],
        "trace" if matches!(first, "source" | "relay") => vec!['T', 'S', 'E'],
        "trace" => vec!['T', 'S'],
        "phase" => vec!['P', 'E'],
        "test" if first == "roll" => vec!['L', 'E'],
        "test" => vec!['X', 'R', 'E'],
        "setup" => vec!['U'],
        "case" => vec!['C', 'U', 'E'],
        "map" => vec!['M'],
        "kind" => vec!['K'],
        "define" => vec!['E'],
        _ => Vec::new(),
    }
}

/// The first line of the item in which a line stands.
pub(super) fn head(text: &str, line_start: usize) -> &str {
    let begins = |line: &&str| line.starts_with(|c: char| c.is_ascii_alphabetic());
    let here = text.get(line_start..).and_then(|t| t.split('\n').next()).filter(begins);
    let before = text.get(..line_start).unwrap_or_default();
    here.or_else(|| before.lines().rev().find(begins)).unwrap_or_default()
}
