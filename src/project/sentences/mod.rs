//! Whole lines that are written as a rulebook prints them, or as another language says them, and the
//! same line here: `crippled own ships must move to shelter`.
//!
//! Takes the line of a fault; gives texts for it, the likeliest first. Whether one is true is asked
//! where it is offered.

mod amount;
mod bound;
mod claim;
mod code;
mod gist;
mod line;
mod noun;
mod pattern;
mod whole;
mod words;
mod write;

use std::cell::OnceCell;

use super::reworded::{at, line_of, written};
use crate::diag::Way;
use crate::source::{SourceMap, Span};
use pattern::readings;
use words::{Lexicon, Of};
use write::narrowed;

/// The sentences, one a line, with tabulators between their parts.
const BOOK: &str = include_str!("book.txt");
/// At most this many texts are given for a line.
const MOST: usize = 8;
/// Longer lines, in words, are not read.
const LONGEST: usize = 40;
/// How far the likeliest text is from what is written, and the least likely.
const FIRST: u8 = super::fixes::OF_SENTENCES;
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

/// The sentences of some texts, with the words of their game.
pub(super) struct Sentences<'a> {
    sources: &'a SourceMap,
    /// Read once, for the first line that is asked about.
    game: OnceCell<Lexicon>,
}

impl<'a> Sentences<'a> {
    /// The sentences of these texts.
    pub(super) fn of(sources: &'a SourceMap) -> Sentences<'a> {
        Sentences { sources, game: OnceCell::new() }
    }

    /// What the line of a place may have been meant as, but for what the other ways write.
    pub(super) fn ways(&self, place: Span, others: &[Way]) -> Vec<Way> {
        let Some((line, start)) = line_of(place, self.sources) else { return Vec::new() };
        let (line, dot) = line::undotted(line);
        let body = line::body(line);
        let words = words::split(body.trim_end_matches('.'));
        // `from and open`: what stood before `and` is missing.
        let missing = matches!(words.as_slice(), [first, "and" | "or", ..]
            if crate::syntax::is_of_the_language(first));
        if words.len() < 2 || words.len() > LONGEST || missing {
            return Vec::new();
        }
        let game = self.game.get_or_init(|| Lexicon::of(self.sources));
        let text = self.sources.text(place.source);
        let block = line::block(text, start, line);
        game.begin(line::named(text, start));
        let spoken = line::spoken(&words, block, game);
        let spoken: Vec<&str> = spoken.iter().map(String::as_str).collect();
        let from = start + line.len() - line.trim_start().len();
        // Behind its clauses no full stop may stay.
        let clauses = match dot {
            true => line.trim_start().get(body.len()..).unwrap_or_default().trim(),
            false => "",
        };
        let end = from + if dot { line.trim_start().len() + 1 } else { body.len() };
        let span = Span::new(place.source, at(from), at(end));
        // The same line is known where it is a smaller change.
        let known: Vec<String> = others
            .iter()
            .filter(|way| way.edit && way.rank <= FIRST)
            .filter_map(|way| line_with(way, span, self.sources))
            .collect();
        let known = |with: &str| known.iter().any(|line| words::split(line) == words::split(with));
        let found = match whole::numbered(body).filter(|_| block == "item") {
            Some(line) => vec![(0, line)],
            None => texts(&spoken, block, game),
        };
        let new = found.into_iter();
        let new = new.filter(|(_, with)| with != body && !known(with));
        let way = |(level, with): (u8, String)| {
            let with = if clauses.is_empty() { with } else { format!("{with} {clauses}") };
            let help = format!("write `{with}`");
            written(span, with, help, (FIRST + level).min(LAST))
        };
        new.map(way).collect()
    }
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

/// The texts for some words in a block, each with how much less likely it is than the first.
fn texts(words: &[&str], block: &str, game: &Lexicon) -> Vec<(u8, String)> {
    let mut found = scored(words, block, game);
    found.extend(conditional(words, block, game));
    if block == "item" {
        found.extend(whole::clock(words, game).map(|line| (5 * words.len(), line)));
    }
    found.extend(code::program(words, block, game).map(|line| (5 * words.len(), line)));
    // What is read word by word goes before what only names the same things.
    let gists = gist::gists(words, block, game).into_iter();
    let new = gists.filter(|(_, text)| !found.iter().any(|(_, known)| known == text));
    let new: Vec<(usize, String)> = new.map(|(said, text)| (said.min(4), text)).collect();
    found.extend(new);
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
    let is_joint = |word: &&str| ["if", "when", "whenever", "while", "unless"].contains(word);
    let Some(at) = words.iter().position(is_joint) else {
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
    let Some(mut said) = claim::claim(said, Of::Unit, game, 0) else { return Vec::new() };
    if words.get(at) == Some(&"unless") {
        said = format!("not {}", noun::bracketed(said));
    }
    let mut steps = scored(step, block, game);
    steps
        .extend(gist::gists(step, block, game).into_iter().map(|(said, text)| (said.min(4), text)));
    let steps = steps.into_iter();
    steps.filter_map(|(score, step)| Some((score + 4, narrowed(&step, &said)?))).collect()
}

/// The texts for some words in a block, each with how much of its sentence is in words.
fn scored(words: &[&str], block: &str, game: &Lexicon) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for sentence in book().filter(|s| s.places.split(',').any(|place| place == block)) {
        for (plain, held) in readings(sentence.pattern, words) {
            let score = 5 * plain + held.len();
            for line in sentence.write.split("||") {
                let text = write::written(line, &held, game);
                let new = text.filter(|text| !found.iter().any(|(_, known)| known == text));
                found.extend(new.map(|text| (score, text)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
