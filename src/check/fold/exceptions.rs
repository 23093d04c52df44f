//! Exceptions written out: each becomes a row, a verdict or a part of a condition of what it is to,
//! with its own name, place and clauses.

use std::ops::Range;

use indexmap::IndexMap;

use super::body::Body;
use super::lines::read;
use super::rope::{Piece, cited};
use super::trace::{asked, gate_at, source_at};
use super::{Resolved, ResolvedItem, handle, named};
use crate::diag::{Diagnostic, code, suggest};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;

/// What an exception says once its own exceptions are taken from it.
#[derive(Clone)]
struct Spoken<'r> {
    exception: &'r Exception,
    place: Span,
    /// What it is to, exceptions of exceptions followed to the end.
    to: &'r Excepted,
    /// Its whole condition.
    when: Vec<Piece>,
    /// Its clauses, and those of exceptions to it that only leave it out.
    cites: Cites,
}

/// A ruleset with its exceptions written out; nothing where it has none.
pub fn written_out(
    resolved: &Resolved,
    sources: &SourceMap,
) -> (Option<Resolved>, Vec<Diagnostic>) {
    let is = |i: &ResolvedItem| matches!(i.item.kind, ItemKind::Exception(_));
    if !resolved.items.iter().any(is) {
        return (None, Vec::new());
    }
    let mut all: IndexMap<&str, (&Exception, Span)> = IndexMap::new();
    let mut faults = Vec::new();
    for item in &resolved.items {
        let ItemKind::Exception(exception) = &item.item.kind else { continue };
        let name = &exception.name;
        if let Some((first, _)) = all.get(name.text.as_str()) {
            let message = format!("two exceptions are called `{}`", name.text);
            let fault = Diagnostic::error(code::E0201, name.span, message);
            faults
                .push(fault.label(first.name.span, "the first is here").help("rename one of them"));
        } else {
            all.insert(name.text.as_str(), (exception, item.item.span));
        }
    }
    let mut writing = Writing { out: resolved.clone(), sources, faults, all };
    let spoken: Vec<Spoken<'_>> = writing.spoken();
    for one in spoken.iter().rev() {
        if let Err(fault) = writing.write(one) {
            writing.faults.push(*fault);
        }
    }
    let Writing { mut out, faults, .. } = writing;
    mark(&mut out, &spoken);
    (Some(out), faults)
}

/// Says of the rows of tables and of the verdicts of traces which of them are exceptions.
fn mark(out: &mut Resolved, spoken: &[Spoken<'_>]) {
    let marked =
        |i: &&mut ResolvedItem| matches!(i.item.kind, ItemKind::Trace(_) | ItemKind::Table(_));
    for item in out.items.iter_mut().filter(marked) {
        let item = item.item_mut();
        if let ItemKind::Trace(trace) = &mut item.kind {
            let of = |s: &&Spoken<'_>| s.to.noun.is_none() && s.to.owner.text == trace.name.text;
            let is = |l: &&mut TraceLine| {
                matches!(l.kind, TraceLineKind::Always(_) | TraceLineKind::Never(_))
            };
            let lines = trace.lines.iter_mut().filter(is);
            for (line, one) in lines.zip(spoken.iter().filter(of)) {
                line.exception = Some(one.exception.name.text.clone());
            }
        }
        let ItemKind::Table(Table { name, body: TableBody::List { rows, .. }, .. }) =
            &mut item.kind
        else {
            continue;
        };
        let of = |s: &&Spoken<'_>| s.to.owner.text == name.text;
        let names: Vec<&str> =
            spoken.iter().filter(of).map(|s| s.exception.name.text.as_str()).collect();
        for row in rows {
            row.exception = row.name.as_ref().is_some_and(|n| names.contains(&n.text.as_str()));
        }
    }
}

struct Writing<'r> {
    out: Resolved,
    sources: &'r SourceMap,
    faults: Vec<Diagnostic>,
    all: IndexMap<&'r str, (&'r Exception, Span)>,
}

impl<'r> Writing<'r> {
    /// What each exception says. One that is to another and gives something itself is one to what
    /// the other is to, where both hold.
    fn spoken(&mut self) -> Vec<Spoken<'r>> {
        let all: Vec<(&'r Exception, Span)> = self.all.values().copied().collect();
        let mut found = Vec::new();
        for (exception, place) in all {
            let mut way = vec![exception];
            while let Some(next) = way.last().and_then(|e| self.of_exception(e)) {
                if way.iter().any(|e| e.name.span == next.name.span) {
                    let message =
                        format!("`{}` is an exception to itself in the end", exception.name.text);
                    let fault = Diagnostic::error(code::E0610, exception.to.span, message);
                    self.faults.push(fault.help("let one of them be to a rule"));
                    way.clear();
                    break;
                }
                way.push(next);
            }
            let (Some(last), true) = (way.last(), way.len() == 1 || exception.then.is_some())
            else {
                continue;
            };
            let to = &last.to;
            let mut when = Vec::new();
            for (nth, one) in way.iter().enumerate() {
                when.extend((nth > 0).then_some(Piece::Joint(" and ")));
                when.extend([Piece::Joint("("), Piece::Text(one.when.span), Piece::Joint(")")]);
            }
            self.without_its_own(exception, &mut when, 0);
            let mut cites = exception.cites.clone();
            self.silent(exception, &mut cites, 0);
            let cites = self.out.uncited(&Cites::default(), &cites);
            found.push(Spoken { exception, place, to, when, cites });
        }
        found
    }

    /// The exception that another one is to.
    fn of_exception(&self, exception: &Exception) -> Option<&'r Exception> {
        let plain = exception.to.noun.is_none();
        self.all.get(exception.to.owner.text.as_str()).filter(|_| plain).map(|(e, _)| *e)
    }

    /// Adds to a condition that none of the exceptions to it holds.
    fn without_its_own(&self, exception: &Exception, when: &mut Vec<Piece>, depth: usize) {
        for (own, _) in self.all.values() {
            let to_it = self.of_exception(own).is_some_and(|e| e.name.span == exception.name.span);
            if !to_it || depth > self.all.len() {
                continue;
            }
            when.extend([
                Piece::Joint(" and not (("),
                Piece::Text(own.when.span),
                Piece::Joint(")"),
            ]);
            self.without_its_own(own, when, depth + 1);
            when.push(Piece::Joint(")"));
        }
    }

    /// Adds the clauses of the exceptions to it that give nothing themselves: no line is theirs.
    fn silent(&self, exception: &Exception, cites: &mut Cites, depth: usize) {
        for (own, _) in self.all.values().filter(|(own, _)| own.then.is_none()) {
            let to_it = self.of_exception(own).is_some_and(|e| e.name.span == exception.name.span);
            if to_it && depth <= self.all.len() {
                cites.0.extend(own.cites.0.iter().cloned());
                self.silent(own, cites, depth + 1);
            }
        }
    }

    fn write(&mut self, one: &Spoken<'_>) -> Result<(), Box<Diagnostic>> {
        let owner = &one.to.owner;
        let is_it = |i: &ResolvedItem| {
            let noun = match one.to.noun {
                Some("row") => &["table"][..],
                Some(_) => &["trace"],
                None => &["define", "table", "trace"],
            };
            handle(&i.item.kind).is_some_and(|(n, m)| noun.contains(&n) && m.text == owner.text)
        };
        let Some(at) = self.out.items.iter().position(is_it) else {
            // What cannot be read has a fault of its own.
            let lost = self.out.lost.contains(&owner.text);
            return if lost { Ok(()) } else { Err(self.unknown(one)) };
        };
        let Some(item) = self.out.items.get(at).filter(|i| !i.item.broken) else { return Ok(()) };
        let mut new = item.clone();
        match (one.to.noun, &item.item.kind) {
            (None, ItemKind::Trace(trace)) => self.verdict(&mut new, trace, one)?,
            (None, ItemKind::Table(table)) => self.table(&mut new, table, one)?,
            (None, ItemKind::Define(define)) => {
                let (asked, body) = (define.value.span, Body::of(&new.rope, self.sources));
                if let Some(range) = body.range_of(asked) {
                    self.condition(&mut new, (asked, range), one)?;
                }
            }
            (Some("row"), _) => self.row(&mut new, one)?,
            (Some(noun @ ("source" | "relay")), ItemKind::Trace(trace)) => {
                self.source(&mut new, trace, (noun, one))?;
            }
            (Some(gate), ItemKind::Trace(trace)) => self.gate(&mut new, trace, (gate, one))?,
            _ => return Err(self.unknown(one)),
        }
        let read = read(&new.rope, self.sources).map_err(|fault| {
            let name = &one.exception.name.text;
            let message =
                format!("with the exception `{name}` this cannot be read: {}", fault.message);
            Box::new(
                Diagnostic::error(code::E0608, one.place, message)
                    .help("write it as it would stand there"),
            )
        })?;
        new.item = read.into();
        if let Some(slot) = self.out.items.get_mut(at) {
            *slot = new;
        }
        Ok(())
    }

    fn unknown(&self, one: &Spoken<'_>) -> Box<Diagnostic> {
        let owner = &one.to.owner;
        let all = || self.out.items.iter().filter_map(|i| named(&i.item.kind));
        let other = all().find(|(_, name)| name.text == owner.text && one.to.noun.is_none());
        if let Some((noun, _)) = other {
            let message = format!("`{}` is a {noun}, and no exception is to one", owner.text);
            let fault = Diagnostic::error(code::E0612, owner.span, message);
            return Box::new(fault.help(instead(noun)).settled());
        }
        let message = format!("there is no rule `{}` to except from", owner.text);
        let fault = Diagnostic::error(code::E0602, owner.span, message);
        let known =
            all().filter(|(noun, _)| matches!(*noun, "define" | "table" | "trace" | "exception"));
        let known: Vec<&str> = known.map(|(_, name)| name.text.as_str()).collect();
        Box::new(match suggest::the_one(&owner.text, known) {
            Some(near) => fault.help(format!("write `{near}`")).suggest(owner.span, near.to_owned()),
            None => fault.help("an exception is to a trace, a table, a row, a source, a gate, a condition or another exception"),
        })
    }

    fn refused(&self, one: &Spoken<'_>, what: &str, help: &str) -> Box<Diagnostic> {
        let message = format!("the exception `{}` {what}", one.exception.name.text);
        Box::new(Diagnostic::error(code::E0612, one.exception.to.span, message).help(help))
    }

    /// `then supplied`: a verdict before all others.
    fn verdict(
        &self,
        new: &mut ResolvedItem,
        trace: &Trace,
        one: &Spoken<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        let said = one.exception.then.map_or("", |then| self.sources.slice(then)).trim();
        let called = trace.lines.iter().find_map(|l| match &l.kind {
            TraceLineKind::Called { yes, no } => Some((yes.text.as_str(), no.text.as_str())),
            _ => None,
        });
        // A trace that does not call its answers is a fault of its own.
        let Some((yes, no)) = called else { return Ok(()) };
        let word = match said {
            _ if said == yes => "  always ",
            _ if said == no => "  never ",
            _ => {
                let help = format!("write `then {yes}` or `then {no}`");
                return Err(self.refused(one, "does not say what the trace then answers", &help));
            }
        };
        let body = Body::of(&new.rope, self.sources);
        let first = |word: &str| matches!(word, "always" | "never" | "source" | "relay" | "leg");
        let at = body.before(&first);
        new.rope.splice(at..at, self.line(word, one, &[]), self.sources);
        Ok(())
    }

    /// `  WORD CONDITION REST [clauses]`, as a line of its own.
    fn line(&self, word: &'static str, one: &Spoken<'_>, rest: &[Piece]) -> Vec<Piece> {
        let mut line = vec![Piece::Joint(word)];
        line.extend(one.when.iter().copied().chain(rest.iter().copied()));
        line.extend(cited(&one.cites, false));
        line.push(Piece::Joint("\n"));
        line
    }

    /// A row before all others.
    fn table(
        &self,
        new: &mut ResolvedItem,
        table: &Table,
        one: &Spoken<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(then) = one.exception.then else {
            let help = "write what the table then gives, `then 2`; a row alone is left out by `to row NAME of TABLE`";
            return Err(self.refused(one, "does not say what the table then gives", help));
        };
        let list = matches!(table.body, TableBody::List { .. });
        if !list {
            let help = format!(
                "write a table by first match with `otherwise {}`, let the rules read that one, and make the exception to it",
                table.name.text
            );
            return Err(self.refused(one, "is to a grid, whose rows do not hold or fail", &help));
        }
        if table.policy != Policy::First {
            let help = "write `to row NAME of TABLE`, for its rows are not looked at in order";
            return Err(self.refused(
                one,
                "is to a whole table that is no list by first match",
                help,
            ));
        }
        let at = Body::of(&new.rope, self.sources).before(&|_| true);
        new.rope.splice(at..at, self.as_row(one, &[], then), self.sources);
        Ok(())
    }

    fn as_row(&self, one: &Spoken<'_>, before: &[Piece], then: Span) -> Vec<Piece> {
        let name = one.exception.name.span;
        let mut row = vec![Piece::Joint("  row "), Piece::Text(name), Piece::Joint(" when ")];
        row.extend(before);
        row.extend(self.line("", one, &[Piece::Joint(" then "), Piece::Text(then)]));
        row
    }

    /// A row that does not hold, or gives something else.
    fn row(&self, new: &mut ResolvedItem, one: &Spoken<'_>) -> Result<(), Box<Diagnostic>> {
        let name = one.to.part.as_ref().map_or("", |p| p.text.as_str());
        let body = Body::of(&new.rope, self.sources);
        let Some((line, when)) = body.row(name) else {
            let help = "name a row of a list that has a name and a condition";
            return Err(self.refused(
                one,
                &format!("is to a row `{name}` that is not there"),
                help,
            ));
        };
        let mut old = vec![Piece::Joint("(")];
        old.extend(new.rope.part(when.clone(), self.sources));
        old.push(Piece::Joint(")"));
        let mut narrowed = old.clone();
        narrowed.push(Piece::Joint(" and not ("));
        narrowed.extend(one.when.iter().copied().chain([Piece::Joint(")")]));
        if one.exception.then.is_none() {
            self.cite(new, (&body, when.start), one);
        }
        new.rope.splice(when, narrowed, self.sources);
        if let Some(then) = one.exception.then {
            old.push(Piece::Joint(" and "));
            new.rope.splice(line..line, self.as_row(one, &old, then), self.sources);
        }
        Ok(())
    }

    /// A source that is none.
    fn source(
        &self,
        new: &mut ResolvedItem,
        trace: &Trace,
        (noun, one): (&str, &Spoken<'_>),
    ) -> Result<(), Box<Diagnostic>> {
        let part = one.to.part.as_ref().map_or("", |p| p.text.as_str());
        let filter = source_at(trace, noun, part).and_then(|at| asked_at(trace, at));
        if one.exception.then.is_some() {
            let help = format!("leave `then` out: the {noun} is none where the exception holds");
            return Err(self.refused(one, &format!("is to a {noun}, which gives nothing"), &help));
        }
        let Some(filter) = filter else {
            let what = format!("is to a {noun} `{part}` that is not there");
            return Err(self.refused(one, &what, "name one of the trace"));
        };
        if let Some(range) = Body::of(&new.rope, self.sources).range_of(filter) {
            self.replaced(new, (filter, range), one, Says::Never);
        }
        Ok(())
    }

    fn gate(
        &self,
        new: &mut ResolvedItem,
        trace: &Trace,
        (gate, one): (&str, &Spoken<'_>),
    ) -> Result<(), Box<Diagnostic>> {
        let part = one.to.part.as_ref().map_or("", |p| p.text.as_str());
        let asked = gate_at(trace, gate, part).and_then(|at| asked_at(trace, at));
        let Some(asked) = asked else {
            let what = format!("is to a leg `{part}` that is not there");
            return Err(self.refused(one, &what, "name a leg of the trace"));
        };
        let body = Body::of(&new.rope, self.sources);
        match body.asked_of(gate, part) {
            Some((_, range)) => self.condition(new, (asked, range), one),
            None => Ok(()),
        }
    }

    /// A condition that is something else where the exception holds.
    fn condition(
        &self,
        new: &mut ResolvedItem,
        (asked, range): (Span, Range<usize>),
        one: &Spoken<'_>,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(then) = one.exception.then else {
            let help = "write `then yes`, `then no` or a condition";
            return Err(self.refused(one, "does not say what then holds", help));
        };
        let (old, new_one) = (self.sources.slice(asked), self.sources.slice(then));
        if is_amount(new_one) {
            let help = "an amount has exceptions where it is a table by first match, with the amount behind `otherwise`";
            return Err(self.refused(one, "is to a condition, and says an amount", help));
        }
        let says = match settled(new_one) {
            Some(known) if settled(old) == Some(known) => {
                let what = format!("changes nothing, for `{}` stands there already", old.trim());
                let help = "write what is otherwise where it holds, or take it out";
                return Err(self.refused(one, &what, help));
            }
            Some(true) => Says::Always,
            Some(false) => Says::Never,
            None => Says::Asks(then),
        };
        self.replaced(new, (asked, range), one, says);
        Ok(())
    }

    /// Puts the clauses of an exception behind the line of a byte.
    fn cite(&self, new: &mut ResolvedItem, (body, at): (&Body, usize), one: &Spoken<'_>) {
        if let Some(line) = body.line_at(at) {
            self.out.cite(&mut new.rope, (body, &line), &one.cites, self.sources);
        }
    }

    fn replaced(
        &self,
        new: &mut ResolvedItem,
        (asked, range): (Span, Range<usize>),
        one: &Spoken<'_>,
        says: Says,
    ) {
        let body = Body::of(&new.rope, self.sources);
        self.cite(new, (&body, range.start), one);
        let mut old = vec![Piece::Joint("(")];
        old.extend(new.rope.part(range.clone(), self.sources));
        old.push(Piece::Joint(")"));
        let everywhere = self.sources.slice(asked).trim() == "anywhere";
        // Both sides of `or` stand in brackets, so that no reader has to know which binds closer.
        let when = |pieces: &mut Vec<Piece>, before: &'static str, behind: &'static str| {
            pieces.push(Piece::Joint(before));
            pieces.extend(one.when.iter().copied().chain([Piece::Joint(behind)]));
        };
        let and_old = |pieces: &mut Vec<Piece>| {
            if !everywhere {
                pieces.push(Piece::Joint(" and "));
                pieces.extend(old.iter().copied());
            }
        };
        let mut pieces = Vec::new();
        match says {
            Says::Always => {
                when(&mut pieces, "((", ") or ");
                pieces.extend(old.iter().copied());
            }
            Says::Never => {
                when(&mut pieces, "(not (", ")");
                and_old(&mut pieces);
            }
            Says::Asks(then) => {
                when(&mut pieces, "((", " and (");
                pieces.extend([Piece::Text(then), Piece::Joint(")) or (")]);
                when(&mut pieces, "not (", ")");
                and_old(&mut pieces);
                pieces.push(Piece::Joint(")"));
            }
        }
        pieces.push(Piece::Joint(")"));
        new.rope.splice(range, pieces, self.sources);
    }
}

fn asked_at(trace: &Trace, at: usize) -> Option<Span> {
    asked(&mut trace.lines.get(at)?.kind.clone()).map(|e| e.span)
}

/// What a condition says that needs no position.
fn settled(text: &str) -> Option<bool> {
    match text.trim() {
        "yes" | "always" | "anywhere" => Some(true),
        "no" | "never" => Some(false),
        _ => None,
    }
}

/// What to write where an exception is to something that has none.
fn instead(noun: &str) -> &'static str {
    match noun {
        "pair" => {
            "say the condition in a `define`, ask it in the pair, and make the exception to the define"
        }
        "choice" => {
            "say what stands behind `where` or `prefer` in a `define`, and make the exception to that"
        }
        "phase" => {
            "say what stands behind `where` of its step in a `define`, and make the exception to that"
        }
        "test" => "add a table to its `roll`, and make the exception to a row of that table",
        "hook" => {
            "write a table by first match with the hook behind `otherwise`, and make the exception to that"
        }
        _ => "make the exception to the table, trace or define that reads it",
    }
}

/// Whether a text is a number, with or without its dimension.
fn is_amount(text: &str) -> bool {
    text.trim().trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
}

/// What holds instead.
enum Says {
    Always,
    Never,
    Asks(Span),
}
