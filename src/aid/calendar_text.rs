//! A calendar for reading: a heading for each moment at which something happens, a line for each
//! thing.

use super::calendar::{Brought, Calendar, Passed, Stretch};
use super::dates::dates_text;

/// A calendar for reading.
#[must_use]
pub fn calendar_text(calendar: &Calendar) -> String {
    if calendar.stretches.is_empty() {
        return format!("{} has no clock: nothing in it happens in turns\n", calendar.ruleset);
    }
    let mut out = format!("{}: a {} from its start to its end\n", calendar.title, calendar.turn);
    for stretch in &calendar.stretches {
        write(stretch, &mut out);
    }
    if !calendar.dates.is_empty() {
        out.push_str(&format!("\nby date\n{}", dates_text(&calendar.dates)));
    }
    out
}

fn write(stretch: &Stretch, out: &mut String) {
    // The edges of the whole turn are told only where they bring something; a part is told in any
    // case.
    let folded = heading(stretch);
    let depth = if folded.is_some() { 1 } else { 0 };
    if let Some(heading) = folded {
        out.push_str(&format!("\n{heading}\n"));
    }
    for moment in &stretch.moments {
        if quiet(stretch, moment) {
            out.push_str(&format!("{}{}: nothing in these rules\n", lead(depth), moment.moment));
        } else if !moment.brings.is_empty() {
            out.push_str(&format!("{}{}\n", lead(depth), moment.moment));
            moment.brings.iter().for_each(|b| brought(b, stretch, depth, out));
        }
    }
}

/// What comes several times, and how, where it does.
pub(super) fn heading(stretch: &Stretch) -> Option<String> {
    let parts = stretch.parts.join(", ");
    let times = if stretch.times > 1 { format!("{} times", stretch.times) } else { String::new() };
    let sides = if stretch.sides.is_empty() {
        String::new()
    } else {
        format!("for each side in turn: {}", stretch.sides.join(", "))
    };
    match (times.is_empty(), sides.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("{parts}, {times}")),
        (true, false) => Some(format!("{parts}, {sides}")),
        (false, false) => Some(format!("{parts}, {times}, {sides}")),
    }
}

/// Whether a moment is the middle of a part in which nothing happens from its start to its end.
pub(super) fn quiet(stretch: &Stretch, moment: &Passed) -> bool {
    let part = part_of(moment);
    stretch.parts.contains(&moment.moment)
        && stretch.moments.iter().all(|m| part_of(m) != part || m.brings.is_empty())
}

/// The part of the clock that a moment belongs to.
fn part_of(moment: &Passed) -> &str {
    let name = moment.moment.as_str();
    name.strip_prefix("start of ").or_else(|| name.strip_prefix("end of ")).unwrap_or(name)
}

/// Moments that stand alone begin a paragraph; those under a heading do not.
fn lead(depth: usize) -> &'static str {
    if depth == 0 { "\n" } else { "  " }
}

fn brought(brought: &Brought, stretch: &Stretch, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth + 1);
    match brought {
        Brought::Phase { phase, once, when, sides, clauses, steps } => {
            let of = format!("{}{}", whose(sides, stretch), occasion(*once, when.as_deref()));
            out.push_str(&format!("{indent}phase {phase}{of}{}\n", cited(clauses)));
            for step in steps {
                out.push_str(&format!("{indent}  {}{}\n", step.does, cited(&step.clauses)));
            }
        }
        other => out.push_str(&format!("{indent}{}\n", ended(other))),
    }
}

/// For whom a phase is run, where the heading does not say it.
pub(super) fn whose(sides: &[String], stretch: &Stretch) -> String {
    match sides {
        [] => String::new(),
        all if *all == *stretch.sides => String::new(),
        some if stretch.sides.is_empty() => format!(", for each side in turn: {}", some.join(", ")),
        some => format!(", of {} alone", some.join(", ")),
    }
}

/// How often a phase happens, and when, where that is said.
pub(super) fn occasion(once: bool, when: Option<&str>) -> String {
    let when = when.map_or_else(String::new, |when| format!(", when {when}"));
    format!("{}{when}", if once { ", once" } else { "" })
}

/// What ends by itself, as a sentence; a phase has none.
pub(super) fn ended(brought: &Brought) -> String {
    let words = super::words::tidy;
    match brought {
        Brought::MarkEnds { mark, of } => {
            format!("the mark {} ends for {}", words(mark), words(of))
        }
        Brought::CountBack { count, of, to } => {
            format!("{} goes back to {to} for {}", words(count), words(of))
        }
        Brought::RollsForgotten => "what was rolled before is forgotten".to_owned(),
        Brought::AnswerEnds { trace, of } => {
            format!("the kept answer of {} ends for {}", words(trace), words(of))
        }
        Brought::NextTurn { turn, last } => {
            let (turn, last) = (words(turn), words(last));
            format!("{turn} goes on to the next; behind {last} the game is over")
        }
        Brought::Phase { .. } => String::new(),
    }
}

/// A line for each phase and each thing that ends, behind its moment.
#[must_use]
pub fn calendar_concise(calendar: &Calendar) -> String {
    let mut out = String::new();
    for stretch in &calendar.stretches {
        for moment in &stretch.moments {
            for brought in &moment.brings {
                let what = match brought {
                    Brought::Phase { phase, once, when, sides, .. } => {
                        let occasion = occasion(*once, when.as_deref());
                        format!("phase {phase}{}{occasion}", whose(sides, stretch))
                    }
                    other => ended(other),
                };
                out.push_str(&format!("{}: {what}\n", moment.moment));
            }
        }
    }
    out.push_str(dates_text(&calendar.dates).replace("\n  ", "\n").trim_start());
    out
}

fn cited(clauses: &[String]) -> String {
    if clauses.is_empty() { String::new() } else { format!("  [{}]", clauses.join(", ")) }
}
