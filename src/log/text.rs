//! A log for reading: a heading for each turn and moment, a line for each event, one for all that
//! are judged together.

use super::{Happened, Line};

/// A log for reading, as far as it has been written.
#[derive(Debug, Default)]
pub struct Text {
    turn: u32,
    moment: (String, Option<String>),
    /// What was judged together and is not written yet: where it begins, and for each answer who
    /// has it.
    judged: Option<Judged>,
}

#[derive(Debug)]
struct Judged {
    phase: String,
    trace: String,
    clauses: String,
    answers: Vec<(String, Vec<String>)>,
}

impl Text {
    /// The text of a line, with what it closes and the headings that it opens.
    #[must_use]
    pub fn line(&mut self, line: &Line) -> String {
        let moment = (line.moment.clone(), line.side.clone());
        let mut out = String::new();
        if line.turn != self.turn || moment != self.moment {
            out = self.finish();
            if line.turn != self.turn {
                out.push_str(&heading(line.turn, line.date.as_deref()));
                self.turn = line.turn;
            }
            let side = line.side.as_ref().map_or_else(String::new, |s| format!(" of {s}"));
            out.push_str(&format!("  {}{side}\n", line.moment));
            self.moment = moment;
        }
        let clauses = if line.clauses.is_empty() {
            String::new()
        } else {
            format!("  [{}]", line.clauses.join(", "))
        };
        if let Happened::Judged { trace, answer } = &line.what {
            out.push_str(&self.judge(line, trace, answer, clauses));
            return out;
        }
        out.push_str(&self.finish());
        let order = if line.order.is_some() { ", by order" } else { "" };
        out.push_str(&format!("    {}: {}{order}{clauses}\n", line.phase, happened(line)));
        out
    }

    fn judge(&mut self, line: &Line, trace: &str, answer: &str, clauses: String) -> String {
        let same = self
            .judged
            .as_ref()
            .is_some_and(|j| j.phase == line.phase && j.trace == trace && j.clauses == clauses);
        let out = if same { String::new() } else { self.finish() };
        let judged = self.judged.get_or_insert_with(|| Judged {
            phase: line.phase.clone(),
            trace: trace.to_owned(),
            clauses,
            answers: Vec::new(),
        });
        match judged.answers.iter_mut().find(|(word, _)| word == answer) {
            Some((_, things)) => things.push(line.thing.clone()),
            None => judged.answers.push((answer.to_owned(), vec![line.thing.clone()])),
        }
        out
    }

    /// What is not written yet.
    #[must_use]
    pub fn finish(&mut self) -> String {
        let Some(judged) = self.judged.take() else { return String::new() };
        let line = |(answer, things): &(String, Vec<String>)| {
            format!(
                "    {}: {} of {} is {answer}{}\n",
                judged.phase,
                judged.trace,
                things.join(", "),
                judged.clauses
            )
        };
        judged.answers.iter().map(line).collect()
    }
}

/// The heading of a turn.
#[must_use]
pub fn heading(turn: u32, date: Option<&str>) -> String {
    match date {
        Some(date) if date == turn.to_string() => format!("turn {turn}\n"),
        Some(date) if date.parse::<i64>().is_ok() => format!("turn {turn}, {date} of the game\n"),
        Some(date) => format!("turn {turn}, {date}\n"),
        None => format!("turn {turn}\n"),
    }
}

/// A line by itself: when it happened, in which phase, and what.
#[must_use]
pub fn said(line: &Line) -> String {
    let side = line.side.as_ref().map_or_else(String::new, |s| format!(" of {s}"));
    let order = if line.order.is_some() { ", by order" } else { "" };
    let clauses = if line.clauses.is_empty() {
        String::new()
    } else {
        format!(" [{}]", line.clauses.join(", "))
    };
    format!(
        "turn {}, {}{side}, {}: {}{order}{clauses}",
        line.turn,
        line.moment,
        line.phase,
        happened(line)
    )
}

/// What happened, in a few words.
pub(super) fn happened(line: &Line) -> String {
    let thing = &line.thing;
    match &line.what {
        Happened::Judged { trace, answer } => format!("{trace} of {thing} is {answer}"),
        Happened::Rolled { test, dice, outcome } => {
            let dice: Vec<String> = dice.iter().map(u32::to_string).collect();
            format!(
                "{thing} rolls {} for {test}: {}",
                dice.join(", "),
                outcome.as_deref().unwrap_or("nothing")
            )
        }
        Happened::Listed { list, stop: Some(row) } => format!("{list} of {thing} stops at {row}"),
        Happened::Listed { list, stop: None } => format!("{list} of {thing} goes through"),
        Happened::Changed { fact, of, to, .. } if to == "yes" => format!("{of}: {fact}"),
        Happened::Changed { fact, of, to, .. } if to == "no" => format!("{of}: no longer {fact}"),
        Happened::Changed { fact, of, from, to } if of == "the world" => {
            format!("{fact}: {from} -> {to}")
        }
        Happened::Changed { fact, of, from, to } => format!("{fact} of {of}: {from} -> {to}"),
        Happened::Related { of, with, from, to } => {
            format!("{of} is {to} {with}, and was {from}")
        }
        Happened::Laid { how, from, to } => format!("{how} {thing}: {from} -> {to}"),
        Happened::NotLaid { how, why } => format!("{thing} cannot {how}: {why}"),
        Happened::Removed => format!("{thing} leaves the game"),
        Happened::Open { must } => format!("{thing} must {must}"),
    }
}
