//! Clauses in brackets whose points, dashes or brackets slipped: the letters and digits that are left
//! say which clauses are meant.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::arrange::Arrange as _;
use crate::diag::Way;
use crate::source::{SourceMap, Span};

/// More clauses than this in one bracket are not read.
const MOST: usize = 8;
/// Nor are longer brackets.
const LONGEST: usize = 120;
/// So many words before a bracket that lacks its other one may begin it.
const MOST_STARTS: usize = 16;

/// What to write for the clauses at the end of the line of a place, if their letters and digits are
/// those of clauses that are cited elsewhere, and of no others.
pub(super) fn way(place: Span, sources: &SourceMap) -> Option<Way> {
    let text = sources.text(place.source);
    let start = text.get(..place.start as usize)?.rfind('\n').map_or(0, |p| p + 1);
    let line = text.get(start..)?.lines().next()?.split(" #").next()?;
    let tail = line.rfind('"').map_or(0, |p| p + 1);
    let line = line.get(tail..)?;
    let stretches = stretches(line);
    if stretches.is_empty() {
        return None;
    }
    let known = clauses_of(sources);
    let labels: Vec<(String, &str)> = known.iter().map(|k| (bare(k), k.as_str())).collect();
    let (range, with) = stretches.into_iter().find_map(|range| {
        let with = written(line.get(range.clone())?, &labels)?;
        Some((range, with))
    })?;
    let at = |p: usize| u32::try_from(start + tail + p).unwrap_or(u32::MAX);
    let span = Span::new(place.source, at(range.start), at(range.end));
    Some(Way { rank: 1, ..Way::near(span, &with) })
}

/// All clauses that are declared, as they are cited: alone, and behind the prefix of their ruleset.
fn clauses_of(sources: &SourceMap) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in sources.ids().map(|id| sources.text(id)) {
        let (mut section, mut prefix) = ("", "");
        for line in text.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("ruleset") => {
                    prefix = words.skip_while(|w| *w != "prefix").nth(1).unwrap_or("")
                }
                Some("section") => {
                    section = words.next().filter(|w| !w.starts_with('"')).unwrap_or("")
                }
                Some("clause") => {
                    let label = format!("{section}{}", words.next().unwrap_or(""));
                    found.extend([format!("{prefix}-{label}"), label]);
                }
                _ => {}
            }
        }
    }
    found
}

/// Where the clauses of a line may stand: between its brackets, with a word that slipped over one of
/// them, or before a bracket whose other one is missing.
fn stretches(line: &str) -> Vec<Range<usize>> {
    let Some(close) = line.rfind(']') else { return Vec::new() };
    let joins = |c: char| c.is_ascii_alphanumeric();
    let before = |at: usize| line.get(..at).map_or(0, |t| t.trim_end_matches(joins).len());
    let behind = |at: usize| {
        let rest = line.get(at..).unwrap_or_default();
        line.len() - rest.trim_start_matches(joins).len()
    };
    let Some(open) = line.get(..close).and_then(|t| t.rfind('[')) else {
        let starts = line.char_indices().filter(|(at, c)| *at < close && joins(*c));
        let starts = starts.map(|(at, _)| at).filter(|at| before(*at) == *at);
        let starts: Vec<usize> = starts.filter(|at| close - at < LONGEST).collect();
        let first = starts.len().saturating_sub(MOST_STARTS);
        return starts.into_iter().skip(first).map(|from| from..close + 1).collect();
    };
    let ends = [close + 1, behind(close + 1)];
    let starts = [open, before(open)];
    starts.into_iter().flat_map(|from| ends.map(|to| from..to)).collect()
}

/// The letters and digits of a text.
fn bare(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The clauses that are meant by a text, in brackets; nothing where other letters, or more than one
/// sign, would be lost or made up.
fn written(old: &str, labels: &[(String, &str)]) -> Option<String> {
    if old.len() > LONGEST {
        return None;
    }
    let old = without_a_double(old);
    let count = Some(old.matches(',').count() + 1).filter(|count| *count <= MOST)?;
    let mut reading = Reading { labels, dead: HashSet::new(), found: Vec::new() };
    // `6 7` lacks a comma: words that are clauses as they stand are no parts of others.
    match as_they_stand(&old, labels) {
        Some(clauses) => reading.found.push(clauses),
        None => reading.read(&bare(&old), count, &mut Vec::new()),
    }
    let [one] = reading.found.as_slice() else { return None };
    let new = format!("[{}]", one.join(", "));
    let signs = |text: &str| {
        let mut all: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        all.retain(|c| !matches!(c, '[' | ']'));
        all.arrange();
        all
    };
    let (was, is) = (signs(&old), signs(&new));
    let one_less = was.len() == is.len() + 1
        && ["..", "--"].iter().any(|two| old.split_whitespace().collect::<String>().contains(two));
    let one_more = is.len() == was.len() + 1;
    (was == is || one_less || one_more).then_some(new)
}

/// The clauses of a text in which each word is one.
fn as_they_stand<'k>(text: &str, labels: &[(String, &'k str)]) -> Option<Vec<&'k str>> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
    let clause = |word: &str| labels.iter().find(|(_, cited)| *cited == word).map(|(_, k)| *k);
    let found: Option<Vec<&str>> = words.filter(|word| !word.is_empty()).map(clause).collect();
    found.filter(|found| !found.is_empty())
}

/// A text without a word that stands in it twice behind one blank.
fn without_a_double(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let joins = |c: char| c.is_ascii_alphanumeric();
    let twice = words.windows(2).position(|pair| {
        let [one, two] = pair else { return false };
        let last = one.get(one.trim_end_matches(joins).len()..).unwrap_or_default();
        let first = two.get(..two.len() - two.trim_start_matches(joins).len());
        !last.is_empty() && Some(last) == first
    });
    let Some(at) = twice else { return text.to_owned() };
    let (before, behind) = words.split_at(at + 1);
    let before = before.join(" ");
    format!("{}{}", before.trim_end_matches(joins), behind.join(" "))
}

/// All ways to read letters and digits as so many clauses; two are enough to know that it is not one.
struct Reading<'k> {
    /// The letters and digits of each clause, and how it is cited.
    labels: &'k [(String, &'k str)],
    /// How many letters and clauses are left where nothing was found.
    dead: HashSet<(usize, usize)>,
    found: Vec<Vec<&'k str>>,
}

impl<'k> Reading<'k> {
    fn read(&mut self, rest: &str, count: usize, taken: &mut Vec<&'k str>) {
        if self.found.len() > 1 || count == 0 {
            if rest.is_empty() {
                self.found.push(taken.clone());
            }
            return;
        }
        if self.dead.contains(&(rest.len(), count)) {
            return;
        }
        let before = self.found.len();
        for (bare, label) in self.labels {
            if let Some(rest) = rest.strip_prefix(bare.as_str()) {
                taken.push(label);
                self.read(rest, count - 1, taken);
                taken.pop();
            }
        }
        if self.found.len() == before {
            self.dead.insert((rest.len(), count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_clauses_are_no_parts_of_others() {
        let cited = ["1", "4", "5", "6", "7", "13", "14"];
        let labels: Vec<(String, &str)> = cited.iter().map(|c| (bare(c), *c)).collect();
        assert_eq!(written("[1, 4, 5, 6 7, 13]", &labels).as_deref(), Some("[1, 4, 5, 6, 7, 13]"));
        assert_eq!(written("[]", &labels), None);
    }
}
