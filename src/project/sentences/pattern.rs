//! Patterns of sentences: which words of a line stand for which part of one.

/// The most readings of a line for one pattern, and the most steps of the search for them.
const MOST_READINGS: usize = 6;
const MOST_STEPS: usize = 4000;

/// A part of a pattern.
enum Part<'a> {
    /// One of these words, or none of them.
    Word { one_of: Vec<&'a str>, optional: bool },
    /// A name, a number or a text.
    One(&'a str),
    /// One word or more.
    Stretch(&'a str),
}

/// What stands for a part of a pattern, by the name of the part.
pub(super) type Held<'a> = Vec<(&'static str, Vec<&'a str>)>;

/// `must|shall to? $x #n @u "t`: words, a word that may be left out, a name, a number, a stretch of
/// words, a text.
fn part(text: &'static str) -> Part<'static> {
    match text.as_bytes() {
        [b'$' | b'#' | b'"', _, ..] => Part::One(text),
        [b'@', _, ..] => Part::Stretch(text),
        _ => {
            let optional = text.len() > 1 && text.ends_with('?');
            let words = if optional { text.trim_end_matches('?') } else { text };
            let one_of = if words.len() > 1 { words.split('|').collect() } else { vec![words] };
            Part::Word { one_of, optional }
        }
    }
}

/// The readings of a line by a pattern, each with how many of its words are those of the pattern.
pub(super) fn readings<'a>(pattern: &'static str, words: &[&'a str]) -> Vec<(usize, Held<'a>)> {
    let parts: Vec<Part<'static>> = pattern.split(' ').map(part).collect();
    let mut search = Search { found: Vec::new(), held: Vec::new(), plain: 0, steps: 0 };
    search.go(&parts, words);
    search.found
}

struct Search<'a> {
    found: Vec<(usize, Held<'a>)>,
    held: Held<'a>,
    plain: usize,
    steps: usize,
}

impl<'a> Search<'a> {
    fn go(&mut self, parts: &[Part<'static>], words: &[&'a str]) {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.found.len() >= MOST_READINGS {
            return;
        }
        let Some((first, parts)) = parts.split_first() else {
            if words.is_empty() {
                self.found.push((self.plain, self.held.clone()));
            }
            return;
        };
        match first {
            Part::Word { one_of, optional } => {
                let is = |word: &&str| one_of.iter().any(|known| known.eq_ignore_ascii_case(word));
                if let Some((_, rest)) = words.split_first().filter(|(word, _)| is(word)) {
                    self.plain += 1;
                    self.go(parts, rest);
                    self.plain -= 1;
                } else if *optional {
                    self.go(parts, words);
                }
            }
            Part::One(name) => {
                if let Some((word, rest)) = words.split_first().filter(|(word, _)| fits(name, word))
                {
                    self.hold(name, vec![word], parts, rest);
                }
            }
            Part::Stretch(name) => {
                for length in 1..=words.len() {
                    let (held, rest) = words.split_at(length);
                    self.hold(name, held.to_vec(), parts, rest);
                }
            }
        }
    }

    fn hold(
        &mut self,
        name: &'static str,
        words: Vec<&'a str>,
        parts: &[Part<'static>],
        rest: &[&'a str],
    ) {
        self.held.push((name, words));
        self.go(parts, rest);
        self.held.pop();
    }
}

/// Whether a word may be a name, a number or a text.
pub(super) fn fits(part: &str, word: &str) -> bool {
    match part.as_bytes().first() {
        Some(b'#') => {
            let digits = word.strip_prefix('-').unwrap_or(word);
            super::words::is_whole(digits)
        }
        Some(b'"') => word.starts_with('"'),
        _ => word.starts_with(|c: char| c.is_alphabetic()),
    }
}
