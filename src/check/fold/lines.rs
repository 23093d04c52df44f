//! Lines of an item changed behind `but`: each is called by the words with which it begins, or by
//! the name that it gives. The text of the item is changed, and read again.

use super::body::{Body, Line, of_a_leg, words};
use super::regroup::taken_by;
use super::rope::{Piece, Rope, cited};
use super::{Fold, ResolvedItem};
use crate::diag::{Diagnostic, Way, code, suggest};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;
use crate::syntax::{is_reserved, parse_parts};

const AS_IN_THE_WHOLE: &str = "write the line as it would stand in the whole";

/// The most lines that a message lists.
const MOST_CALLS: usize = 6;

/// The lines before which others are added, by the construct.
const LAST: [(&str, &[&str]); 2] =
    [("table", &["otherwise", "kept"]), ("test", &["otherwise", "retry"])];

/// The pieces of a line that is added, with its clauses.
fn added(line: Span, cites: &Cites) -> Vec<Piece> {
    let mut pieces = vec![Piece::Joint("  "), Piece::Text(line)];
    pieces.extend(cited(cites, false));
    pieces.push(Piece::Joint("\n"));
    pieces
}

impl Fold<'_> {
    /// `override NOUN NAME, but { LINES }`
    pub(super) fn changed(&mut self, noun: &Name, name: &Name, lines: &[ButLine]) {
        let Some(at) = self.place_of(&noun.text, name) else { return };
        let Some(whole) = whole_noun(&noun.text) else { return };
        let mut leg = None;
        for line in &self.with_those_of_legs(lines) {
            let of = self.leg_above(line, &mut leg);
            let what = format!("`{}`{of} of {whole} `{}`", self.said(line.span), name.text);
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
        let lines = &self.with_those_of_legs(lines);
        for line in lines {
            self.with_line(&mut rope, line, what);
        }
        if self.faults.len() > before {
            return None;
        }
        match read(&rope, self.sources) {
            Ok(new) => Some(ResolvedItem { item: new.into(), inherited: item.inherited, rope }),
            Err(fault) => {
                let fault = self.unreadable(item, lines, what).unwrap_or(*fault);
                self.faults.push(fault);
                None
            }
        }
    }

    /// The lines, where `without cost` behind a leg that is added is a line of that leg.
    fn with_those_of_legs(&self, lines: &[ButLine]) -> Vec<ButLine> {
        let mut in_leg = false;
        let of = |line: &ButLine| {
            let place = match line.kind {
                ButKind::Added { line, .. } => line,
                _ => line.span,
            };
            let said = words(self.sources, place);
            let said: Vec<&str> = said.iter().map(String::as_str).collect();
            in_leg = match (&line.kind, said.as_slice()) {
                (ButKind::Added { .. }, ["leg", _, "as", ..]) => true,
                (ButKind::Added { .. }, [word, ..]) => in_leg && of_a_leg(word),
                (ButKind::TakenOut { .. }, ["without", word]) => in_leg && of_a_leg(word),
                _ => false,
            };
            let taken = in_leg && matches!(line.kind, ButKind::TakenOut { .. });
            let kind = match taken {
                true => ButKind::Added { place: None, line: line.span },
                false => line.kind,
            };
            ButLine { kind, ..line.clone() }
        };
        lines.iter().map(of).collect()
    }

    /// Of which added leg an added line is, in words.
    fn leg_above(&self, line: &ButLine, leg: &mut Option<String>) -> String {
        let said = match line.kind {
            ButKind::Added { line, .. } => words(self.sources, line),
            ButKind::TakenOut { .. } | ButKind::Part { .. } => Vec::new(),
        };
        match said.first().map(String::as_str) {
            Some("leg") => *leg = said.get(1).cloned(),
            Some(word) if of_a_leg(word) => {
                return leg.as_ref().map_or_else(String::new, |leg| format!(" of leg `{leg}`"));
            }
            _ => *leg = None,
        }
        String::new()
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
            let help = fault.help.unwrap_or_else(|| AS_IN_THE_WHOLE.to_owned());
            return Some(match self.begins_as_before(line) {
                Some(way) => new.ways(vec![way]).or_else(help),
                None => new.help(help),
            });
        }
        None
    }

    /// `was in Dale now Ford`: what the new words lack that the old ones begin with.
    fn begins_as_before(&self, line: &ButLine) -> Option<Way> {
        let ButKind::Part { was, now, .. } = line.kind else { return None };
        let first = |at| words(self.sources, at).into_iter().next();
        let before = first(was).filter(|word| is_reserved(word))?;
        if first(now).is_none_or(|word| is_reserved(&word)) {
            return None;
        }
        let place = Span::new(now.source, now.start, now.start);
        let help = format!("write `now {before} {}`", self.said(now));
        Some(Way { help, ..Way::near(place, &format!("{before} ")) })
    }

    /// What is put beside words that would take a part of it.
    fn regrouped(&self, now: Span, beside: &str) -> Diagnostic {
        let said = self.said(now);
        let message = format!("`{said}` stands beside `{beside}`, which would take a part of it");
        let with = format!("({said})");
        let way = Way { help: format!("write `now {with}`"), ..Way::near(now, &with) };
        Diagnostic::error(code::E0608, now, message)
            .ways(vec![way])
            .or_else(AS_IN_THE_WHOLE.to_owned())
    }

    fn goes_on(&self, line: &ButLine, lines: &[ButLine]) -> bool {
        let next = lines.iter().skip_while(|l| l.span != line.span).nth(1);
        let first = |l: &ButLine| words(self.sources, l.span).into_iter().next();
        next.and_then(first).is_some_and(|word| of_a_leg(&word))
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
                let Some(range) = found.places(&wanted).into_iter().next() else { return };
                let new = words(self.sources, now);
                if let Some(beside) = taken_by(found, &range, (&wanted, &new)) {
                    self.faults.push(self.regrouped(now, beside));
                    return;
                }
                self.out.cite(rope, (&body, found), &line.cites, self.sources);
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
        if noun == "trace" && first != "leg" && !of_a_leg(&first) {
            return body.before(&|word| word == "leg");
        }
        let last = LAST.iter().find(|(n, _)| *n == noun).map_or(&[][..], |(_, words)| words);
        if last.contains(&first.as_str()) {
            return close;
        }
        body.before(&|word| last.contains(&word))
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
        let near = suggest::the_one(&wanted, names()).map(str::to_owned);
        if let Some(meant) = near.or_else(|| body.meant(&words(self.sources, key))) {
            return fault.help(format!("write `{meant}`")).suggest(key, meant);
        }
        let mut begins: Vec<String> = Vec::new();
        for line in &body.lines {
            let call = format!("`{}`", line.call());
            if !begins.contains(&call) {
                begins.push(call);
            }
        }
        begins.truncate(MOST_CALLS);
        let begins =
            if begins.is_empty() { "here there are none".to_owned() } else { begins.join(", ") };
        fault.help(format!(
            "a line is called by its first words or by the name that it gives: {begins}"
        ))
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

impl super::Resolved {
    /// Puts clauses behind a line that it does not cite yet, into its brackets if it has some.
    pub(super) fn cite(
        &self,
        rope: &mut Rope,
        (body, line): (&Body, &Line),
        cites: &Cites,
        sources: &SourceMap,
    ) {
        let new = self.uncited(&body.cites(line), cites);
        let at = line.cites.last().map_or_else(|| line.end(), |last| last.end);
        rope.splice(at..at, cited(&new, !line.cites.is_empty()), sources);
    }

    /// Those of some clauses that are not among others, each once.
    pub(super) fn uncited(&self, old: &Cites, new: &Cites) -> Cites {
        let full = |cite: &Name| match cite.text.contains('-') {
            true => cite.text.clone(),
            false => format!("{}-{}", self.prefix_of(cite.span), cite.text),
        };
        let mut known: Vec<String> = old.0.iter().map(full).collect();
        let mut found = Cites::default();
        for cite in &new.0 {
            let id = full(cite);
            if !known.contains(&id) {
                known.push(id);
                found.0.push(cite.clone());
            }
        }
        found
    }
}

/// The construct as changes name it.
pub(super) fn whole_noun(noun: &str) -> Option<&'static str> {
    const NOUNS: [&str; 10] =
        ["kind", "map", "setup", "trace", "table", "test", "phase", "ruling", "track", "choice"];
    NOUNS.into_iter().find(|n| *n == noun)
}
