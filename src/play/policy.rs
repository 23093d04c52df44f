//! A policy in a file: rows that say how often what is offered is taken, and how much each way of
//! it weighs, in the language's own expressions.
//!
//! ```text
//! policy careful
//! take army in march when unsupplied then 0
//! go   field of army in march when any enemy army here then 0
//! ```

use std::ops::Range;

use crate::check::{Resolved, Wanted, all_asked};
use crate::diag::{Diagnostic, code, has_errors, suggest};
use crate::engine::{Lean, Leaning};
use crate::hooks;
use crate::ir::{Effect, KindId, Mode, Phase, PhaseId, Ruleset};
use crate::log;
use crate::source::{SourceId, SourceMap, Span, screen};
use crate::syntax::{self, ast::Expr};
use crate::world::World;

const ROW: &str = "write `take KIND in PHASE when CONDITION then AMOUNT` or \
     `go KIND of KIND in PHASE when CONDITION then AMOUNT`";

/// A policy that is ready to be played with.
pub struct Written {
    /// Its name, with a hash of what it says.
    pub name: String,
    /// The rules, with its expressions behind their own.
    pub rules: Ruleset,
    /// Its rows.
    pub leaning: Leaning,
}

/// A row as it is read.
struct Row {
    phase: Option<PhaseId>,
    of: KindId,
    to: Option<KindId>,
    when: Option<Expr>,
    then: Expr,
}

/// Reads a policy for rules that are played from a position; its text is among the sources.
///
/// # Errors
///
/// What is wrong with it, with its places.
pub fn written(
    (bytes, file): (&[u8], &str),
    (resolved, sources): (&Resolved, &mut SourceMap),
    rules: &Ruleset,
    world: &World,
) -> Result<Written, Vec<Diagnostic>> {
    let id = sources.next_id();
    let (text, faults) = screen(bytes, id);
    sources.add(file, text);
    if has_errors(&faults) {
        return Err(faults);
    }
    let reading = Reading { rules, id, text: sources.text(id) };
    let (name, rows) = reading.all()?;
    let mut wanted = Vec::new();
    for row in &rows {
        let kinds: Vec<KindId> = [Some(row.of), row.to].into_iter().flatten().collect();
        let when = row.when.as_ref().map(|expr| (expr, true));
        for (expr, condition) in when.into_iter().chain([(&row.then, false)]) {
            wanted.push(Wanted { kinds: kinds.clone(), expr, condition });
        }
    }
    let units: Vec<_> = world.units.iter().map(|u| (u.id.clone(), u.kind)).collect();
    let (mut with, asked) = all_asked((resolved, sources), world.map, &units, &wanted)?;
    // The scripts were sound when the ruleset was opened.
    hooks::bind(&mut with);
    with.hash.clone_from(&rules.hash);
    let mut asked = asked.into_iter();
    let mut leaning = Leaning::default();
    for Row { phase, of, to, when, .. } in rows {
        let when = when.and_then(|_| asked.next());
        let Some(then) = asked.next() else { continue };
        leaning.0.push(Lean { phase, of, to, when, then });
    }
    let hash = log::digest(sources.text(id).as_bytes());
    let hash = hash.get(..12).unwrap_or(&hash);
    Ok(Written { name: format!("{name} {hash}"), rules: with, leaning })
}

/// A text that is read line by line.
struct Reading<'t> {
    rules: &'t Ruleset,
    id: SourceId,
    text: &'t str,
}

type Read<T> = Result<T, Box<Diagnostic>>;

impl<'t> Reading<'t> {
    /// The name and the rows, or what is wrong with any of them.
    fn all(&self) -> Result<(String, Vec<Row>), Vec<Diagnostic>> {
        let (mut name, mut rows, mut faults) = (None, Vec::new(), Vec::new());
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let own = line.split('#').next().unwrap_or_default();
            let at = start + (own.len() - own.trim_start().len());
            start += line.len();
            let range = at..at + own.trim().len();
            if range.is_empty() {
                continue;
            }
            let read = match name {
                None => self.head(&range).map(|found| name = Some(found)),
                Some(_) => self.row(range).map(|row| rows.push(row)),
            };
            faults.extend(read.err().map(|fault| *fault));
            name.get_or_insert_default();
        }
        match name {
            _ if !faults.is_empty() => Err(faults),
            Some(name) => Ok((name, rows)),
            None => Err(vec![*self.unread(&(0..0), "the policy is empty")]),
        }
    }

    fn span(&self, range: &Range<usize>) -> Span {
        Span::of(self.id, range.clone())
    }

    fn unread(&self, range: &Range<usize>, why: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(code::E1074, self.span(range), why.to_owned()).help(ROW))
    }

    fn head(&self, line: &Range<usize>) -> Read<String> {
        let words: Vec<&str> = self.slice(line).split_whitespace().collect();
        match words.as_slice() {
            ["policy", name] if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                Ok((*name).to_owned())
            }
            _ => {
                let fault = self.unread(line, "the first line is `policy` and a name");
                Err(Box::new(fault.help("write `policy careful`, say")))
            }
        }
    }

    fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The next word of what is left of a line.
    fn word(&self, rest: &mut Range<usize>) -> Range<usize> {
        let text = self.slice(rest);
        let long = text.find(char::is_whitespace).unwrap_or(text.len());
        let word = rest.start..rest.start + long;
        let behind = text.get(long..).unwrap_or_default();
        rest.start = word.end + (behind.len() - behind.trim_start().len());
        word
    }

    fn row(&self, line: Range<usize>) -> Read<Row> {
        let text = self.slice(&line);
        let Some(then) = text.rfind(" then ") else {
            return Err(self.unread(&line, "the row has no `then` with an amount behind it"));
        };
        let amount = line.start + then + 6..line.end;
        let mut rest =
            line.start..line.start + text.get(..then).unwrap_or_default().trim_end().len();
        let first = self.word(&mut rest);
        let (to, of) = match self.slice(&first) {
            "take" => (None, self.word(&mut rest)),
            "go" => {
                let to = self.word(&mut rest);
                let word = self.word(&mut rest);
                if self.slice(&word) != "of" {
                    return Err(self.unread(&line, "a row `go` says of whom behind the kind"));
                }
                (Some(self.kind(&to)?), self.word(&mut rest))
            }
            _ => return Err(self.unread(&first, "a row begins with `take` or `go`")),
        };
        let of = self.kind(&of)?;
        let (mut phase, mut when) = (None, None);
        let mut word = self.word(&mut rest);
        if self.slice(&word) == "in" {
            phase = Some(self.phase(&self.word(&mut rest))?);
            word = self.word(&mut rest);
        }
        match self.slice(&word) {
            "" => {}
            "when" if !rest.is_empty() => when = Some(self.expr(&rest)?),
            _ => {
                return Err(
                    self.unread(&(word.start..rest.end), "`in`, `when` or `then` stands here")
                );
            }
        }
        self.offered(&line, phase, to.is_some())?;
        Ok(Row { phase, of, to, when, then: self.expr(&amount)? })
    }

    /// An expression, read at its place.
    fn expr(&self, range: &Range<usize>) -> Read<Expr> {
        let padded = " ".repeat(range.start) + self.slice(range);
        syntax::question(self.id, &padded)
    }

    fn kind(&self, word: &Range<usize>) -> Read<KindId> {
        let name = self.slice(word);
        let kinds = &self.rules.kinds;
        let found = kinds.iter().position(|k| k.name == name || k.plural == name);
        let known = kinds.iter().map(|k| k.name.as_str());
        found.map(KindId::at).ok_or_else(|| self.absent(word, "kind", known))
    }

    fn phase(&self, word: &Range<usize>) -> Read<PhaseId> {
        let (name, phases) = (self.slice(word), &self.rules.phases);
        let found = phases.iter().position(|p| p.name == name);
        let known = phases.iter().map(|p| p.name.as_str());
        found.map(PhaseId::at).ok_or_else(|| self.absent(word, "phase", known))
    }

    fn absent<'k>(
        &self,
        word: &Range<usize>,
        noun: &str,
        known: impl Iterator<Item = &'k str>,
    ) -> Box<Diagnostic> {
        let name = self.slice(word);
        let fault = Diagnostic::error(
            code::E1075,
            self.span(word),
            format!("the rules have no {noun} `{name}`"),
        );
        let known: Vec<&str> = known.collect();
        Box::new(match suggest::closest(name, known.iter().copied()) {
            Some(near) => fault.help(format!("write `{near}`")),
            None => fault.help(format!("write one of {}", known.join(", "))),
        })
    }

    /// Refuses a row that could never decide anything.
    fn offered(&self, line: &Range<usize>, phase: Option<PhaseId>, way: bool) -> Read<()> {
        let offers = |phase: &Phase| {
            let choosing = |step: &crate::ir::Step| {
                let follows = matches!(step.effect, Effect::Follow { .. });
                step.mode != Mode::Do || step.choice.is_some() || follows
            };
            phase.steps.iter().any(|step| if way { choosing(step) } else { step.mode == Mode::May })
        };
        let found = match phase {
            Some(id) => self.rules.phases.get(id.index()).is_some_and(offers),
            None => self.rules.phases.iter().any(offers),
        };
        if found {
            return Ok(());
        }
        let what = if way { "chosen among several ways" } else { "offered that may be left" };
        let place = if phase.is_some() { "in this phase" } else { "in any phase" };
        let said = format!("nothing is {what} {place}, so that the row decides nothing");
        Err(Box::new(
            Diagnostic::error(code::E1075, self.span(line), said)
                .help("name a phase with a step `may` or `must`, or leave the row out"),
        ))
    }
}
