//! Lines of an item changed behind `but`: each is called by the words with which it begins, or by
//! the name that it gives. The text of the item is changed, and read again.

use std::ops::Range;

use super::rope::{Piece, Rope};
use super::{Fold, ResolvedItem};
use crate::check::written::{Sort, split};
use crate::diag::{Diagnostic, code, suggest};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;
use crate::syntax::{Parts, logical_lines, parse_parts};

/// The words that begin the lines of a leg.
const OF_A_LEG: [&str; 6] = ["over", "from", "through", "into", "cost", "within"];

/// The lines before which others are added, by the construct.
const LAST: [(&str, &[&str]); 2] =
    [("table", &["otherwise", "kept"]), ("test", &["otherwise", "retry"])];

/// One line of an item.
struct Line {
    /// With the end of the line.
    range: Range<usize>,
    /// Its words and signs up to its clauses.
    words: Vec<(String, Range<usize>)>,
    /// Where its clauses end, before the bracket.
    cited: Option<usize>,
}

impl Line {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |(text, _)| text.as_str())
    }

    fn end(&self) -> usize {
        self.words.last().map_or(self.range.start, |(_, range)| range.end)
    }

    /// The name that the line gives.
    fn name(&self) -> Option<&str> {
        let at = match self.word(0) {
            "put" | "space" => 2,
            "row" | "has" | "source" | "relay" | "leg" => 1,
            _ => return None,
        };
        Some(self.word(at)).filter(|name| !name.is_empty() && !matches!(*name, "when" | "per"))
    }

    fn begins(&self, key: &[String]) -> bool {
        key.len() <= self.words.len() && key.iter().zip(&self.words).all(|(k, (w, _))| k == w)
    }

    /// Where these words stand in the line, as often as they do.
    fn places(&self, wanted: &[String]) -> Vec<Range<usize>> {
        let windows = self.words.windows(wanted.len().max(1));
        let same = |w: &&[(String, Range<usize>)]| w.iter().map(|(t, _)| t).eq(wanted);
        windows.filter(same).filter_map(|w| Some(w.first()?.1.start..w.last()?.1.end)).collect()
    }
}

/// The text of an item, cut into lines.
pub(super) struct Body {
    text: String,
    parts: Parts,
    lines: Vec<Line>,
    /// Where the block ends; none where there is no block.
    close: Option<usize>,
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
        (line.word(2) == "when").then(|| (line.range.start, first.1.start..last.1.end))
    }

    /// The stretch of the text that a place is.
    pub(super) fn range_of(&self, place: Span) -> Option<Range<usize>> {
        self.parts.range_of(place)
    }

    fn place(&self, line: &Line) -> Span {
        let start = line.words.first().map_or(line.range.start, |(_, range)| range.start);
        self.parts.place(start, line.end())
    }

    /// The lines that some words call.
    fn called(&self, key: &[String]) -> Vec<usize> {
        let all = || self.lines.iter().enumerate();
        if let [gate, of, leg] = key
            && of == "of"
            && OF_A_LEG.contains(&gate.as_str())
        {
            let start = self.lines.iter().position(|l| l.word(0) == "leg" && l.word(1) == leg);
            let Some(start) = start else { return Vec::new() };
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
    fn whole(&self, at: usize) -> Range<usize> {
        let Some(line) = self.lines.get(at) else { return 0..0 };
        let mut end = line.range.end;
        if line.word(0) == "leg" {
            let inner =
                self.lines.iter().skip(at + 1).take_while(|l| OF_A_LEG.contains(&l.word(0)));
            end = inner.last().map_or(end, |l| l.range.end);
        }
        line.range.start..end
    }
}

fn line(text: &str, range: Range<usize>) -> Line {
    let mut cites = false;
    let mut found = Line { range: range.clone(), words: Vec::new(), cited: None };
    for (sort, inner) in split(text.get(range.clone()).unwrap_or(""), &mut cites) {
        let inner = range.start + inner.start..range.start + inner.end;
        let word = text.get(inner.clone()).unwrap_or("");
        match sort {
            Sort::Blank | Sort::Newline | Sort::Comment => {}
            Sort::Cite => found.cited = Some(inner.end),
            Sort::Sign if word == "[" || word == "]" => {}
            Sort::Word | Sort::Quoted | Sort::Sign => found.words.push((word.to_owned(), inner)),
        }
    }
    found
}

/// The words and signs of a place.
fn words(sources: &SourceMap, place: Span) -> Vec<String> {
    let text = sources.slice(place);
    line(text, 0..text.len()).words.into_iter().map(|(word, _)| word).collect()
}

/// The pieces of a line that is added, with its clauses.
fn added(line: Span, cites: &Cites) -> Vec<Piece> {
    let mut pieces = vec![Piece::Joint("  "), Piece::Text(line)];
    for (at, cite) in cites.0.iter().enumerate() {
        pieces.push(Piece::Joint(if at == 0 { "  [" } else { ", " }));
        pieces.push(Piece::Text(cite.span));
    }
    pieces.push(Piece::Joint(if cites.0.is_empty() { "\n" } else { "]\n" }));
    pieces
}

impl Fold<'_> {
    /// `override NOUN NAME, but { LINES }`
    pub(super) fn changed(&mut self, noun: &Name, name: &Name, lines: &[ButLine]) {
        let Some(at) = self.place_of(&noun.text, name) else { return };
        let Some(whole) = whole_noun(&noun.text) else { return };
        for line in lines {
            let what = format!("`{}` of {whole} `{}`", self.said(line.span), name.text);
            if !self.touch_part(what, (whole, name), line.span) {
                return;
            }
        }
        let Some(item) = self.out.items.get(at).cloned() else { return };
        // What could not be read of the parent has been said.
        if item.item.broken {
            return;
        }
        let what = format!("{whole} `{}`", name.text);
        if let Some(new) = self.with_lines(&item, lines, &what)
            && let Some(slot) = self.out.items.get_mut(at)
        {
            *slot = new;
        }
    }

    /// An item with some of its lines changed; none where one of the changes cannot be made.
    pub(super) fn with_lines(
        &mut self,
        item: &ResolvedItem,
        lines: &[ButLine],
        what: &str,
    ) -> Option<ResolvedItem> {
        let mut rope = item.rope.clone();
        let before = self.faults.len();
        for line in lines {
            self.with_line(&mut rope, line, what);
        }
        if self.faults.len() > before {
            return None;
        }
        match read(&rope, self.sources) {
            Ok(new) => Some(ResolvedItem { item: new, inherited: item.inherited, rope }),
            Err(fault) => {
                let fault = self.unreadable(item, lines, what).unwrap_or(*fault);
                self.faults.push(fault);
                None
            }
        }
    }

    /// The first line with which the item cannot be read any more.
    fn unreadable(
        &mut self,
        item: &ResolvedItem,
        lines: &[ButLine],
        what: &str,
    ) -> Option<Diagnostic> {
        let mut rope = item.rope.clone();
        for line in lines {
            self.with_line(&mut rope, line, what);
            let Err(fault) = read(&rope, self.sources) else { continue };
            // The lines of a leg may follow it.
            if matches!(line.kind, ButKind::Added { .. }) && self.goes_on(line, lines) {
                continue;
            }
            let message = format!("with this line {what} cannot be read: {}", fault.message);
            let new = Diagnostic::error(code::E0608, line.span, message);
            return Some(match fault.help {
                Some(help) => new.help(help),
                None => new.help("write the line as it would stand in the whole"),
            });
        }
        None
    }

    fn goes_on(&self, line: &ButLine, lines: &[ButLine]) -> bool {
        let next = lines.iter().skip_while(|l| l.span != line.span).nth(1);
        let first = |l: &ButLine| words(self.sources, l.span).into_iter().next();
        next.and_then(first).is_some_and(|word| OF_A_LEG.contains(&word.as_str()))
    }

    fn with_line(&mut self, rope: &mut Rope, line: &ButLine, what: &str) {
        let body = Body::of(rope, self.sources);
        match line.kind {
            ButKind::TakenOut { key } => {
                if let Some(at) = self.one(&body, key, None, what) {
                    rope.splice(body.whole(at), [], self.sources);
                }
            }
            ButKind::Part { key, was, now } => {
                let wanted = words(self.sources, was);
                let Some(at) = self.one(&body, key, Some((&wanted, was)), what) else { return };
                let Some(found) = body.lines.get(at) else { return };
                let [range] = found.places(&wanted).try_into().unwrap_or([0..0]);
                cite(rope, found, &line.cites, self.sources);
                rope.splice(range, [Piece::Text(now)], self.sources);
            }
            ButKind::Added { place, line: new } => {
                let at = match place {
                    None => self.end_of(&body, new),
                    Some((before, key)) => {
                        let Some(at) = self.one(&body, key, None, what) else { return };
                        let whole = body.whole(at);
                        if before { whole.start } else { whole.end }
                    }
                };
                self.put(rope, &body, at, added(new, &line.cites));
            }
        }
    }

    /// Puts a line into a block, which a kind without facts does not have yet.
    fn put(&self, rope: &mut Rope, body: &Body, at: usize, line: Vec<Piece>) {
        if body.close.is_some() {
            return rope.splice(at..at, line, self.sources);
        }
        let end = body.text.trim_end().len();
        let all = [Piece::Joint(" {\n")].into_iter().chain(line).chain([Piece::Joint("}")]);
        rope.splice(end..end, all.collect::<Vec<_>>(), self.sources);
    }

    /// Where a line comes that nothing says a place for.
    fn end_of(&self, body: &Body, new: Span) -> usize {
        let close = body.close.unwrap_or(body.text.len());
        let noun = body.text.split_whitespace().next().unwrap_or("");
        let first = words(self.sources, new).into_iter().next().unwrap_or_default();
        let before = |found: &dyn Fn(&Line) -> bool| {
            body.lines.iter().find(|l| found(l)).map_or(close, |l| l.range.start)
        };
        if noun == "trace" && first != "leg" && !OF_A_LEG.contains(&first.as_str()) {
            return before(&|l| l.word(0) == "leg");
        }
        let last = LAST.iter().find(|(n, _)| *n == noun).map_or(&[][..], |(_, words)| words);
        if last.contains(&first.as_str()) {
            return close;
        }
        before(&|l| last.contains(&l.word(0)))
    }

    /// The one line that some words call, and that holds some others.
    fn one(
        &mut self,
        body: &Body,
        key: Span,
        holds: Option<(&[String], Span)>,
        what: &str,
    ) -> Option<usize> {
        let called = body.called(&words(self.sources, key));
        if called.is_empty() {
            self.faults.push(self.no_line(body, key, what));
            return None;
        }
        let times =
            |at: usize, wanted: &[String]| body.lines.get(at).map_or(0, |l| l.places(wanted).len());
        let fits: Vec<usize> = match holds {
            Some((wanted, _)) => {
                called.iter().copied().filter(|at| times(*at, wanted) > 0).collect()
            }
            None => called.clone(),
        };
        match (fits.as_slice(), holds) {
            ([one], Some((wanted, was))) if times(*one, wanted) > 1 => {
                let message = format!("`{}` stands there more than once", self.said(was));
                let fault = Diagnostic::error(code::E0609, was, message);
                let place = body.lines.get(*one).map(|l| body.place(l)).unwrap_or_default();
                let fault = fault.label(place, "in this line");
                self.faults.push(fault.help("write more of the line, so that it is one place"));
                None
            }
            ([one], _) => Some(*one),
            ([], Some((_, was))) => {
                let line = called.first().and_then(|at| body.lines.get(*at))?;
                let said = body.text.get(line.words.first()?.1.start..line.end()).unwrap_or("");
                let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
                let place = body.place(line);
                let message = format!("`was {}`, but the line says `{said}`", self.said(was));
                let fault =
                    Diagnostic::error(code::E0603, was, message).label(place, "it says so here");
                self.faults
                    .push(fault.help("write behind `was` words of this line that you change"));
                None
            }
            _ => {
                let message = format!("`{}` calls {} lines of {what}", self.said(key), fits.len());
                let mut fault = Diagnostic::error(code::E0609, key, message);
                for line in fits.iter().take(3).filter_map(|at| body.lines.get(*at)) {
                    fault = fault.label(body.place(line), "one is here");
                }
                self.faults.push(fault.help("write more of the words with which the line begins"));
                None
            }
        }
    }

    fn no_line(&self, body: &Body, key: Span, what: &str) -> Diagnostic {
        let wanted = self.said(key);
        let fault = Diagnostic::error(code::E0602, key, format!("{what} has no line `{wanted}`"));
        let names = || body.lines.iter().filter_map(Line::name);
        match suggest::closest(&wanted, names()) {
            Some(near) => fault.help(format!("write `{near}`")).suggest(key, near.to_owned()),
            None => {
                let begins: Vec<String> = body
                    .lines
                    .iter()
                    .take(4)
                    .map(|l| match l.name() {
                        Some(name) => format!("`{name}`"),
                        None => format!("`{}`", l.word(0)),
                    })
                    .collect();
                fault.help(format!(
                    "a line is called by its first words or by the name that it gives: {}",
                    if begins.is_empty() {
                        "here there are none".to_owned()
                    } else {
                        begins.join(", ")
                    }
                ))
            }
        }
    }

    /// The words of a place with one blank between them.
    pub(super) fn said(&self, place: Span) -> String {
        super::text(self.sources, place)
    }
}

/// The item that a rope writes.
pub(super) fn read(rope: &Rope, sources: &SourceMap) -> Result<Item, Box<Diagnostic>> {
    let (text, parts) = rope.written(sources);
    parse_parts(&text, &parts)
}

/// Puts clauses behind a line, into its brackets if it has some.
fn cite(rope: &mut Rope, line: &Line, cites: &Cites, sources: &SourceMap) {
    if cites.0.is_empty() {
        return;
    }
    let mut pieces = Vec::new();
    for (at, cite) in cites.0.iter().enumerate() {
        pieces.push(Piece::Joint(if at == 0 && line.cited.is_none() { "  [" } else { ", " }));
        pieces.push(Piece::Text(cite.span));
    }
    if line.cited.is_none() {
        pieces.push(Piece::Joint("]"));
    }
    let at = line.cited.unwrap_or_else(|| line.end());
    rope.splice(at..at, pieces, sources);
}

/// The construct as changes name it.
pub(super) fn whole_noun(noun: &str) -> Option<&'static str> {
    const NOUNS: [&str; 10] =
        ["kind", "map", "setup", "trace", "table", "test", "phase", "ruling", "track", "choice"];
    NOUNS.into_iter().find(|n| *n == noun)
}
