//! The text of an item as lines that can be called by their words.

use std::ops::Range;

use super::rope::Rope;
use crate::check::written::{Sort, split};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{Cites, Name};
use crate::syntax::{Parts, logical_lines};

/// The words that begin the lines of a leg.
pub(super) const OF_A_LEG: [&str; 7] =
    ["over", "from", "through", "stopping", "into", "cost", "within"];

/// Whether a line that begins with a word belongs to the leg above it.
pub(super) fn of_a_leg(word: &str) -> bool {
    word == "without" || OF_A_LEG.contains(&word)
}

/// One line of an item.
pub(super) struct Line {
    /// With the end of the line.
    pub range: Range<usize>,
    /// Its words and signs up to its clauses.
    pub words: Vec<(String, Range<usize>)>,
    /// Its clauses, each in its bracket.
    pub cites: Vec<Range<usize>>,
}

impl Line {
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |(text, _)| text.as_str())
    }

    pub(super) fn end(&self) -> usize {
        self.words.last().map_or(self.range.start, |(_, range)| range.end)
    }

    /// The name that the line gives.
    pub(super) fn name(&self) -> Option<&str> {
        let at = match self.word(0) {
            "put" | "space" => 2,
            "row" | "has" | "source" | "relay" | "leg" => 1,
            _ => return None,
        };
        Some(self.word(at)).filter(|name| !name.is_empty() && !matches!(*name, "when" | "per"))
    }

    /// How the line is named in a message: by its name, or by its first word, two of a `given`.
    pub(super) fn call(&self) -> String {
        match (self.name(), self.word(0), self.word(1)) {
            (Some(name), ..) => name.to_owned(),
            (None, "given", second) => format!("given {second}"),
            (None, first, _) => first.to_owned(),
        }
    }

    pub(super) fn begins(&self, key: &[String]) -> bool {
        key.len() <= self.words.len() && key.iter().zip(&self.words).all(|(k, (w, _))| k == w)
    }

    /// Where these words stand in the line, as often as they do.
    pub(super) fn places(&self, wanted: &[String]) -> Vec<Range<usize>> {
        let windows = self.words.windows(wanted.len().max(1));
        let same = |w: &&[(String, Range<usize>)]| w.iter().map(|(t, _)| t).eq(wanted);
        windows.filter(same).filter_map(|w| Some(w.first()?.1.start..w.last()?.1.end)).collect()
    }
}

/// The text of an item, cut into lines.
pub(super) struct Body {
    pub text: String,
    pub parts: Parts,
    pub lines: Vec<Line>,
    /// Where the block ends; none where there is no block.
    pub close: Option<usize>,
}

impl Body {
    pub(super) fn of(rope: &Rope, sources: &SourceMap) -> Body {
        let (text, parts) = rope.written(sources);
        let mut lines: Vec<Line> =
            logical_lines(&text).into_iter().map(|r| line(&text, r)).collect();
        lines.retain(|line| !line.words.is_empty());
        let opens = |l: &Line| l.words.last().is_some_and(|(word, _)| word == "{");
        let head = lines.iter().position(opens);
        let close = lines.iter().rposition(|l| l.word(0) == "}").filter(|_| head.is_some());
        let at = close.and_then(|close| lines.get(close)).map(|l| l.range.start);
        lines.truncate(close.unwrap_or(0));
        lines.drain(..head.map_or(0, |head| head + 1).min(lines.len()));
        Body { text, parts, lines, close: at }
    }

    /// Where the first line begins whose word is such, or the block ends.
    pub(super) fn before(&self, is: &dyn Fn(&str) -> bool) -> usize {
        let close = self.close.unwrap_or(self.text.len());
        self.lines.iter().find(|l| is(l.word(0))).map_or(close, |l| l.range.start)
    }

    /// A row of a list by its name: where it begins, and its condition.
    pub(super) fn row(&self, name: &str) -> Option<(usize, Range<usize>)> {
        let line = self.lines.iter().find(|l| l.word(0) == "row" && l.word(1) == name)?;
        let then = line.words.iter().rposition(|(word, _)| word == "then")?;
        let (first, last) = (line.words.get(3)?, line.words.get(then.checked_sub(1)?)?);
        (line.word(2) == "when").then_some((line.range.start, first.1.start..last.1.end))
    }

    /// What the one line is called that is meant by more words than its name, or by fewer than it
    /// begins with: `army Guard` for `put army Guard`, `turn` for `given turn is may`.
    pub(super) fn meant(&self, wanted: &[String]) -> Option<String> {
        let names = self.lines.iter().filter_map(Line::name);
        let mut named = names.filter(|name| wanted.iter().any(|word| word == name));
        if let (Some(name), None) = (named.next(), named.next()) {
            return Some(name.to_owned());
        }
        let goes_on = |line: &&Line| {
            let behind = line.words.get(1..).unwrap_or_default();
            behind.len() >= wanted.len() && behind.iter().zip(wanted).all(|((w, _), k)| w == k)
        };
        let mut lines = self.lines.iter().filter(goes_on);
        match (lines.next(), lines.next()) {
            (Some(line), None) => Some(format!("{} {}", line.word(0), wanted.join(" "))),
            _ => None,
        }
    }

    /// The line that begins a leg.
    pub(super) fn leg(&self, name: &str) -> Option<usize> {
        self.lines.iter().position(|l| l.word(0) == "leg" && l.word(1) == name)
    }

    /// The lines of a leg, without the one that begins it.
    pub(super) fn lines_of_leg(&self, at: usize) -> &[Line] {
        let behind = self.lines.get(at + 1..).unwrap_or_default();
        let end = behind.iter().position(|l| !of_a_leg(l.word(0))).unwrap_or(behind.len());
        behind.get(..end).unwrap_or_default()
    }

    /// What a gate, a budget or a cost of a leg asks, with the line that says it.
    pub(super) fn asked_of(&self, gate: &str, leg: &str) -> Option<(&Line, Range<usize>)> {
        let lines = self.lines_of_leg(self.leg(leg)?);
        let line = lines.iter().find(|l| l.word(0) == gate)?;
        let first = if gate == "stopping" { 2 } else { 1 };
        Some((line, line.words.get(first)?.1.start..line.end()))
    }

    /// The stretch of the text that a place is.
    pub(super) fn range_of(&self, place: Span) -> Option<Range<usize>> {
        self.parts.range_of(place)
    }

    /// The line that holds a byte of the text, be it the head.
    pub(super) fn line_at(&self, at: usize) -> Option<Line> {
        let range = logical_lines(&self.text).into_iter().find(|r| r.contains(&at))?;
        Some(line(&self.text, range))
    }

    /// The clauses of a line, each with the place that wrote it.
    pub(super) fn cites(&self, line: &Line) -> Cites {
        let name = |range: &Range<usize>| Name {
            text: self.text.get(range.clone()).unwrap_or("").to_owned(),
            span: self.parts.place(range.start, range.end),
        };
        Cites(line.cites.iter().map(name).collect())
    }

    pub(super) fn place(&self, line: &Line) -> Span {
        let start = line.words.first().map_or(line.range.start, |(_, range)| range.start);
        self.parts.place(start, line.end())
    }

    /// The lines that some words call.
    pub(super) fn called(&self, key: &[String]) -> Vec<usize> {
        let all = || self.lines.iter().enumerate();
        if let [gate, of, leg] = key
            && of == "of"
            && OF_A_LEG.contains(&gate.as_str())
        {
            let Some(start) = self.leg(leg) else { return Vec::new() };
            let of_leg = all().skip(start + 1).take_while(|(_, l)| l.word(0) != "leg");
            return of_leg.filter(|(_, l)| l.word(0) == gate).map(|(at, _)| at).collect();
        }
        let begins: Vec<usize> = all().filter(|(_, l)| l.begins(key)).map(|(at, _)| at).collect();
        match key {
            [name] if begins.is_empty() => {
                all().filter(|(_, l)| l.name() == Some(name)).map(|(at, _)| at).collect()
            }
            _ => begins,
        }
    }

    /// A line with those that belong to it: the lines of a leg.
    pub(super) fn whole(&self, at: usize) -> Range<usize> {
        let Some(line) = self.lines.get(at) else { return 0..0 };
        let mut end = line.range.end;
        if line.word(0) == "leg" {
            let inner = self.lines.iter().skip(at + 1).take_while(|l| of_a_leg(l.word(0)));
            end = inner.last().map_or(end, |l| l.range.end);
        }
        line.range.start..end
    }
}

fn line(text: &str, range: Range<usize>) -> Line {
    let (mut cites, mut inside) = (false, false);
    let mut found = Line { range: range.clone(), words: Vec::new(), cites: Vec::new() };
    for (sort, inner) in split(text.get(range.clone()).unwrap_or(""), &mut cites) {
        let inner = range.start + inner.start..range.start + inner.end;
        let word = text.get(inner.clone()).unwrap_or("");
        match sort {
            Sort::Blank | Sort::Newline | Sort::Comment => {}
            Sort::Cite => found.cites.push(inner),
            Sort::Sign if word == "[" || word == "]" => inside = word == "[",
            Sort::Sign if inside => {}
            Sort::Word | Sort::Quoted | Sort::Sign => found.words.push((word.to_owned(), inner)),
        }
    }
    found
}

/// The words and signs of a place.
pub(super) fn words(sources: &SourceMap, place: Span) -> Vec<String> {
    let text = sources.slice(place);
    line(text, 0..text.len()).words.into_iter().map(|(word, _)| word).collect()
}
