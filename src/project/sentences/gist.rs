//! What a sentence comes to, whatever the order of its words: which words say what is done, and which
//! name what it is done to. Each word must be one of these, or say nothing.

use super::pattern::Held;
use super::words::Lexicon;
use super::write::{accepts, written};
use crate::syntax::DENYING;

/// The gists, one a line, with tabulators between their parts.
const BOOK: &str = include_str!("gists.txt");
/// The longest stretch of words that stands for a part.
const LONGEST: usize = 16;

/// A part of a gist.
enum Need<'a> {
    /// One of these words; further ones say nothing more, if they do not deny.
    One(Vec<&'a str>),
    /// What says nothing here.
    Spare(Vec<&'a str>),
    /// None of these.
    None(Vec<&'a str>),
    /// `$t=trace`: a name of this noun, or of one of several.
    Named(&'a str, Vec<&'a str>),
    /// `$n=new`: a word that is declared nowhere.
    New(&'a str),
    /// `#n`, `"t`: a number, a text.
    Plain(&'a str),
    /// `@c`: words that are read by their letter.
    Stretch(&'a str),
}

fn need(text: &'static str) -> Need<'static> {
    let words = |text: &'static str| text.split('|').collect();
    match text.split_once('=') {
        Some((name, "new")) => return Need::New(name),
        Some((name, nouns)) if name.starts_with('$') => return Need::Named(name, words(nouns)),
        _ => {}
    }
    match text.as_bytes() {
        [b'!', ..] => Need::None(words(text.trim_start_matches('!'))),
        [b'#' | b'"', _, ..] => Need::Plain(text),
        [b'@', _] => Need::Stretch(text),
        [.., b'?'] => Need::Spare(words(text.trim_end_matches('?'))),
        _ => Need::One(words(text)),
    }
}

/// The texts for some words in a block, each with how many of the words it accounts for.
pub(super) fn gists(words: &[&str], block: &str, game: &Lexicon) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for line in BOOK.lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split('\t');
        let (Some(places), Some(needs), Some(write)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        if !places.split(',').any(|place| place == block) {
            continue;
        }
        // A step without its first word may be any.
        let bare = words.first().is_some_and(|first| is_one(&EFFECTS, first));
        if bare && write.starts_with("do ") {
            continue;
        }
        let Some((held, said)) = read(words, block, needs, game) else { continue };
        let text = written(write, &held, game);
        let new = text.filter(|text| !found.iter().any(|(_, known)| known == text));
        found.extend(new.map(|text| (said, text)));
    }
    found
}

/// Words of which some are taken.
struct Taken<'a> {
    words: &'a [&'a str],
    taken: Vec<bool>,
    held: Held<'a>,
    said: usize,
}

/// What stands for the parts of a gist, and how many words do; nothing where a word is left that says
/// something.
fn read<'a>(
    words: &'a [&'a str],
    block: &str,
    needs: &'static str,
    game: &Lexicon,
) -> Option<(Held<'a>, usize)> {
    let mut all = Taken { words, taken: vec![false; words.len()], held: Vec::new(), said: 0 };
    let parts: Vec<Need<'static>> = needs.split(' ').map(need).collect();
    // What is done first, for its words are no part of a name.
    for part in &parts {
        match part {
            Need::One(one_of) => all.take(one_of)?,
            Need::None(none) if words.iter().any(|word| is_one(none, word)) => return None,
            _ => {}
        }
    }
    let spare = |word: &str| {
        parts.iter().any(|part| match part {
            Need::One(one_of) => is_one(one_of, word) && !is_one(&DENYING, word),
            Need::Spare(spare) => is_one(spare, word),
            _ => false,
        })
    };
    for part in &parts {
        match part {
            Need::Named(name, nouns) => all.one(name, |_, word| game.is_named(nouns, word))?,
            Need::Plain(name) => all.one(name, |_, word| super::pattern::fits(name, word))?,
            // What this line itself declares is known from it.
            Need::New(name) => all.one(name, |at, word| {
                !spare(word) && (is_new(word, game) || declares(words, at, block, game))
            })?,
            Need::Stretch(name) => all.stretch(name, &spare, game)?,
            _ => {}
        }
    }
    let twice = |word: &str| all.held.iter().any(|(_, words)| *words == [word]);
    let about = |word: &str| match block {
        "phase" | "item" | "setup" | "case" => game.is_named(&["leg"], word),
        _ => game.is_named(&["leg", "kind"], word),
    };
    let left = words.iter().zip(&all.taken).filter(|(_, taken)| !**taken);
    let mut left = left.map(|(word, _)| *word);
    let all_said = left.all(|word| says_nothing(word) || spare(word) || twice(word) || about(word));
    all_said.then_some((all.held, all.said))
}

impl<'a> Taken<'a> {
    /// Takes the first word that is one of these.
    fn take(&mut self, one_of: &[&str]) -> Option<()> {
        let free = self.words.iter().zip(&self.taken);
        let at = free.enumerate().position(|(_, (word, taken))| !taken && is_one(one_of, word))?;
        *self.taken.get_mut(at)? = true;
        self.said += 1;
        Some(())
    }

    /// Takes the first word that is so.
    fn one(&mut self, name: &'static str, is: impl Fn(usize, &str) -> bool) -> Option<()> {
        let free = self.words.iter().zip(&self.taken);
        let mut free = free.enumerate();
        let at = free.position(|(at, (word, taken))| !taken && is(at, word))?;
        self.hold(name, at, 1)
    }

    fn hold(&mut self, name: &'static str, at: usize, length: usize) -> Option<()> {
        self.held.push((name, self.words.get(at..at + length)?.to_vec()));
        self.taken.get_mut(at..at + length)?.fill(true);
        self.said += length;
        Some(())
    }

    /// Takes the longest stretch of free words that can be read so.
    fn stretch(
        &mut self,
        name: &'static str,
        spare: &dyn Fn(&str) -> bool,
        game: &Lexicon,
    ) -> Option<()> {
        for length in (1..=self.words.len().min(LONGEST)).rev() {
            for at in 0..=self.words.len() - length {
                let free = self.taken.get(at..at + length)?.iter().all(|taken| !taken);
                let words = self.words.get(at..at + length)?;
                // A list ends where the words around it begin.
                let listed = matches!(name, "@o" | "@l");
                let joins = |word: &&str| matches!(*word, "and" | "or" | ",");
                if listed && words.iter().any(|w| !joins(w) && (spare(w) || says_nothing(w))) {
                    continue;
                }
                if free && accepts(name, words, &self.held, game) {
                    return self.hold(name, at, length);
                }
            }
        }
        None
    }
}

/// Words before which stands what a line declares, by the blocks in which it stands.
const HEADS: [(&str, &str); 5] = [
    (
        "item",
        "given mark count kind track define phase table trace test choice die option setup map \
         exception pair",
    ),
    ("kind", "has"),
    ("trace", "leg source relay called counts"),
    ("table", "row"),
    ("test", "otherwise"),
];

/// Whether a line declares the word at a place.
fn declares(words: &[&str], at: usize, block: &str, game: &Lexicon) -> bool {
    let Some((_, heads)) = HEADS.iter().find(|(of, _)| *of == block) else { return false };
    let heads = words.first().is_some_and(|first| heads.split(' ').any(|head| head == *first));
    let skipped = |word: &&str| {
        matches!(*word, "a" | "an" | "the" | "called" | "named" | "new" | ":" | "=" | "(")
    };
    let first = words.iter().skip(1).position(|word| !skipped(word));
    heads
        && at > 0
        && first == Some(at - 1)
        && words.get(at).is_some_and(|word| is_plain_name(word) && !game.is_named(&["kind"], word))
}

/// Whether a word is a name and none of the language.
fn is_plain_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
        && !says_nothing(word)
        && !crate::syntax::is_of_the_language(word)
}

/// What steps begin with, behind `do`, `may` or `must`.
const EFFECTS: [&str; 6] = ["mark", "clear", "raise", "lower", "set", "remove"];

fn is_one(one_of: &[&str], word: &str) -> bool {
    one_of.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a word may be a name that is declared nowhere.
fn is_new(word: &str, game: &Lexicon) -> bool {
    is_plain_name(word) && !game.knows(word)
}

/// Words that say nothing where all the others are accounted for.
const NOTHING: &str = "a an the this that these those its their his it they them there here such any each every \
    all some is are be been being was were has have had having may can could might must \
    shall will should would do does to of in on at for by with and then so also as if when \
    whenever while where which who whose into onto along up own player side owner ' s game \
    rule rules line lines path route way unit units piece pieces always just now again \
    simply counts count considered treated called said called named known too per , . : ; ( \
    ) = { } he she him her his you we us";

pub(super) fn says_nothing(word: &str) -> bool {
    NOTHING.split_whitespace().any(|known| known.eq_ignore_ascii_case(word))
}
