//! A turn step by step: each event of the log, with the words of its rule and what that rule read.

use serde::Serialize;

use super::Line;
use super::line::{date, line};
use super::text::happened;
use crate::engine::{Dice, Event, Stride, Watch};
use crate::ir::*;
use crate::kernel::Position;
use crate::report::{Cited, Grounds, grounds, grounds_text};
use crate::source::{SourceMap, Span};
use crate::world::World;

/// The strides of a turn of which something came, each with the position that it read.
#[derive(Debug, Default)]
pub struct Steps {
    before: Vec<(Stride, World)>,
    /// With the number of the stride.
    events: Vec<(usize, Moment, Event)>,
}

/// One event, with what its rule read.
#[derive(Debug, Clone, Serialize)]
pub struct Told {
    /// The line of the log.
    #[serde(flatten)]
    pub line: Line,
    /// The rule that did it.
    pub rule: Printed,
    /// What it read, in the position before it.
    pub read: Grounds,
}

/// A rule as it is printed in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Printed {
    /// Its words.
    pub text: String,
    /// Its file and line.
    pub place: String,
    /// Its clauses, with their words.
    pub clauses: Vec<Cited>,
}

impl Watch for Steps {
    fn before(&mut self, stride: Stride, world: &World, _: &Dice) {
        // A stride of which nothing came is not kept.
        if self.events.last().is_none_or(|(at, ..)| at + 1 != self.before.len()) {
            self.before.pop();
        }
        self.before.push((stride, world.clone()));
    }

    fn happened(&mut self, moment: Moment, event: Event) {
        self.events.push((self.before.len().saturating_sub(1), moment, event));
    }
}

impl Steps {
    /// The events, as a plain run has them.
    #[must_use]
    pub fn events(&self) -> Vec<(Moment, Event)> {
        self.events.iter().map(|(_, moment, event)| (*moment, event.clone())).collect()
    }

    /// Each event of a turn with what its rule read.
    #[must_use]
    pub fn told(&self, rules: &Ruleset, sources: &SourceMap, turn: u32) -> Vec<Told> {
        let mut told = Vec::new();
        for (at, (stride, world)) in self.before.iter().enumerate() {
            let position = Position::new(rules, world);
            for (_, moment, event) in self.events.iter().filter(|(of, ..)| *of == at) {
                // What cannot be worked out a second time is not said; the event has happened.
                let mut read = position.as_ref().and_then(|p| read(p, *stride, event));
                if let Some(value) = read.as_mut().and_then(|read| read.value.as_mut())
                    && let Some(span) = rules.node_spans.get(value.id.index())
                {
                    value.says = words(sources, *span);
                }
                told.push(Told {
                    line: Line {
                        date: date(rules, world),
                        ..line(rules, world, turn, *moment, event)
                    },
                    rule: printed(rules, sources, event.line),
                    read: read.unwrap_or_default(),
                });
            }
        }
        told
    }
}

fn read(position: &Position<'_>, stride: Stride, event: &Event) -> Option<Grounds> {
    let Stride::Step(phase, at, side) = stride else { return None };
    let step = position.rules.phases.get(phase.index())?.steps.get(at)?;
    position.rules.seen.quietly(|| grounds(position, step, side, event)).ok()
}

fn printed(rules: &Ruleset, sources: &SourceMap, line: LineId) -> Printed {
    let Some(rule) = rules.lines.get(line.index()) else {
        return Printed { text: String::new(), place: String::new(), clauses: Vec::new() };
    };
    let clauses = rule.clauses.iter().filter_map(|c| rules.clauses.get(c.index()));
    Printed {
        text: words(sources, rule.span),
        place: format!(
            "{}:{}",
            sources.name(rule.span.source),
            sources.line_col(rule.span.source, rule.span.start).line
        ),
        clauses: clauses.map(|c| Cited { id: c.id.clone(), text: c.text.clone() }).collect(),
    }
}

/// What stands at a place, on one line.
fn words(sources: &SourceMap, span: Span) -> String {
    sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One event for reading: when, what, by which words of which rule, and what that read.
#[must_use]
pub fn step_text(told: &Told) -> String {
    let line = &told.line;
    let side = line.side.as_ref().map_or_else(String::new, |s| format!(" of {s}"));
    let order = if line.order.is_some() { ", by order" } else { "" };
    let mut out = format!("turn {}, {}{side}, {}\n", line.turn, line.moment, line.phase);
    out.push_str(&format!("  {}{order}\n", happened(line)));
    out.push_str(&format!("  rule     {}  ({})\n", told.rule.text, told.rule.place));
    for clause in &told.rule.clauses {
        out.push_str(&format!("  {}  {}\n", clause.id, clause.text));
    }
    out.push_str(&grounds_text(&told.read));
    out
}
