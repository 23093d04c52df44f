//! A few lines of positions become as many lines of answers.

use std::fmt::Write;

use serde::Serialize;

use super::lines::Line;
use super::pump::Done;
use crate::diag::{self, Diagnostic, clean, code, counted};
use crate::ir::{Ruleset, SideId, TraceId};
use crate::kernel::{Answers, Series, needs_viewer};
use crate::report::{fault_diagnostic, name_of_thing};
use crate::source::{SourceMap, screen};
use crate::world::World;
use crate::world::json::Positions;

/// The number of the form; it grows when old readers would misread a new one.
pub const STREAM_SCHEMA: u32 = 1;

/// Numbers of positions that are held at once, at most; a position with more is held alone.
const MOST_NUMBERS: usize = 1 << 22;

/// What is asked of every position.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'r> {
    /// The rules.
    pub rules: &'r Ruleset,
    /// The texts of the rules, for faults that lie in them.
    pub sources: &'r SourceMap,
    /// The trace.
    pub trace: TraceId,
    /// The side that asks, whatever a position names.
    pub side: Option<SideId>,
    /// What the input is called in messages.
    pub name: &'r str,
}

/// The line that stands before all answers.
#[derive(Serialize)]
struct Header<'r> {
    schema: u32,
    ruleset: &'r str,
    hash: &'r str,
    trace: &'r str,
    answers: &'r [String],
    from: u64,
}

/// The line for a line that has no answer.
#[derive(Serialize)]
struct Bad<'d> {
    line: u64,
    error: Reason<'d>,
}

#[derive(Serialize)]
struct Reason<'d> {
    code: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    message: &'d str,
}

/// The first line of the output, with its line end.
#[must_use]
pub fn header(asked: &Asked<'_>, from: u64) -> String {
    let rules = asked.rules;
    let Some(trace) = rules.traces.get(asked.trace.index()) else { return String::new() };
    let header = Header {
        schema: STREAM_SCHEMA,
        ruleset: &rules.name,
        hash: &rules.hash,
        trace: &trace.name,
        answers: words(asked),
        from,
    };
    written(&header)
}

/// The two answers of the trace, yes first.
fn words<'r>(asked: &Asked<'r>) -> &'r [String] {
    let set = asked
        .rules
        .traces
        .get(asked.trace.index())
        .and_then(|t| asked.rules.word_sets.get(t.answers.index()));
    set.map_or(&[], |s| &s.words)
}

/// A text as JSON writes it, what no file may hold as escapes.
fn quote(to: &mut String, text: &str) {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        to.push('"');
        to.push_str(text);
        to.push('"');
    } else {
        to.push_str(&clean::json(&serde_json::Value::from(text).to_string()));
    }
}

/// A value as a line.
fn written(value: &impl Serialize) -> String {
    // Plain records of strings and numbers always serialise.
    clean::json(&serde_json::to_string(value).unwrap_or_default()) + "\n"
}

/// Answers lines, keeping what it has prepared.
pub(super) struct Answerer<'r> {
    asked: Asked<'r>,
    positions: Positions<'r>,
    series: Series<'r>,
    /// Whether no answer is there without a side that asks.
    viewed: bool,
    /// Positions that wait to be asked together, with the numbers of their lines.
    waiting: Vec<World>,
    numbers: Vec<u64>,
    size: usize,
    done: Done,
}

impl<'r> Answerer<'r> {
    pub(super) fn new(asked: Asked<'r>) -> Answerer<'r> {
        let series = Series::new(asked.rules, asked.trace);
        let viewed = needs_viewer(asked.rules, asked.trace);
        Answerer {
            asked,
            positions: Positions::new(asked.rules),
            series,
            viewed,
            waiting: Vec::new(),
            numbers: Vec::new(),
            size: 0,
            done: Done::default(),
        }
    }

    /// The answers of some lines.
    pub(super) fn answer(&mut self, lines: &[Line]) -> Done {
        for line in lines {
            self.line(line);
        }
        self.ask();
        std::mem::take(&mut self.done)
    }

    fn line(&mut self, line: &Line) {
        let bytes = match line.bytes() {
            Ok(bytes) => bytes,
            Err(fault) => return self.bad(line.number, None, &[*fault], &SourceMap::new()),
        };
        if bytes.trim_ascii().is_empty() {
            return;
        }
        let mut sources = SourceMap::new();
        let id = sources.next_id();
        let (text, mut faults) = screen(bytes, id);
        // A sound line needs no places.
        if faults.is_empty()
            && let Some(world) = self.positions.read_sound(&text)
        {
            return self.wait(line.number, world);
        }
        sources.add(self.asked.name, text);
        let (world, more) = self.positions.read(sources.text(id), id);
        faults.extend(more);
        diag::sort(&mut faults);
        match world.filter(|_| !diag::has_errors(&faults)) {
            Some(world) => self.wait(line.number, world),
            None => {
                let column = faults
                    .first()
                    .and_then(Diagnostic::primary)
                    .map(|span| sources.line_col(id, span.start).column);
                self.bad(line.number, column, &faults, &sources);
            }
        }
    }

    /// Keeps a position until it is asked together with others.
    fn wait(&mut self, number: u64, mut world: World) {
        world.viewer = self.asked.side.or(world.viewer);
        if self.viewed && world.viewer.is_none() {
            let fault = Diagnostic::bare(code::E1051, "the trace is about spaces, and nobody asks")
                .help("name the side that asks with `--side`, or with `viewer` in the position");
            return self.bad(number, None, &[fault], &SourceMap::new());
        }
        let size = world.units.len() * 8 + world.unit_facts.len() + world.space_facts.len();
        if self.size + size > MOST_NUMBERS {
            self.ask();
        }
        self.size += size;
        self.waiting.push(world);
        self.numbers.push(number);
    }

    /// Answers what waits.
    fn ask(&mut self) {
        let (waiting, numbers) =
            (std::mem::take(&mut self.waiting), std::mem::take(&mut self.numbers));
        self.size = 0;
        for ((answers, world), number) in
            self.series.ask(&waiting).into_iter().zip(&waiting).zip(numbers)
        {
            match answers {
                Ok(answers) => self.good(number, world, &answers),
                Err(fault) => self.bad(
                    number,
                    None,
                    &[fault_diagnostic(self.asked.rules, fault)],
                    self.asked.sources,
                ),
            }
        }
    }

    fn good(&mut self, number: u64, world: &World, answers: &Answers) {
        let words = words(&self.asked);
        let states = [0, 1].map(|at| {
            let mut state = String::from(":");
            quote(&mut state, words.get(at).map_or("", String::as_str));
            state
        });
        let line = &mut self.done.answers;
        let _ = write!(line, "{{\"line\":{number},\"states\":{{");
        for (at, (thing, yes)) in answers.iter().enumerate() {
            if at > 0 {
                line.push(',');
            }
            quote(line, &name_of_thing(self.asked.rules, world, *thing));
            line.push_str(if *yes { &states[0] } else { &states[1] });
        }
        line.push_str("}}\n");
        self.done.positions += 1;
    }

    /// A line without an answer: told on both streams, by its first fault.
    fn bad(
        &mut self,
        number: u64,
        column: Option<u32>,
        faults: &[Diagnostic],
        sources: &SourceMap,
    ) {
        // Answers stand in the order of the lines.
        self.ask();
        let Some(fault) = faults.first() else { return };
        let place = column.map(|c| format!(":{c}")).unwrap_or_default();
        let told = &mut self.done.faults;
        let name = clean::line(self.asked.name);
        let _ = write!(
            told,
            "{name}:{number}{place}: error[{}]: {}",
            fault.code,
            clean::line(&fault.message)
        );
        if let (None, Some(span)) = (column, fault.primary()) {
            let at = sources.line_col(span.source, span.start);
            let _ = write!(
                told,
                " ({}:{}:{})",
                clean::line(sources.name(span.source)),
                at.line,
                at.column
            );
        }
        if let Some(advice) = fault.advice(sources) {
            let _ = write!(told, " (help: {})", clean::line(&advice));
        }
        let _ = match faults.len() - 1 {
            0 => writeln!(told),
            more => writeln!(told, " (and {})", counted(more, "more fault")),
        };
        let reason = Reason { code: fault.code.as_str(), column, message: &fault.message };
        self.done.answers.push_str(&written(&Bad { line: number, error: reason }));
        self.done.bad += 1;
    }
}
