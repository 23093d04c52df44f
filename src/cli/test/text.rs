//! Outcomes for reading: what is so, what was expected, why, and the map beside it.

use super::Ran;
use super::notes::{Kind, Note, faults, not_run};
use super::select::Task;
use crate::cli::{page, stdout_style};
use crate::diag::{self, counted};
use crate::suite::Failure;

/// Between the reasons and the map beside them.
const GAP: &str = "  |  ";
/// Reasons are not broken into lines shorter than this to make room for a map.
const LEAST: usize = 44;
/// How far in the reasons stand.
const INDENT: usize = 4;

/// What a page has room for.
pub(super) struct Page {
    pub wide: usize,
    pub map: bool,
}

/// How wide a page is: as asked, or as wide as all pages.
pub(super) fn width(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(page::width)
}

/// What is said of rulesets as a whole, every failure with its reasons, then the counts.
pub(super) fn full(all: &[Ran<'_>], notes: &[Note<'_>], rulesets: &[&str], page: &Page) -> String {
    let mut out = String::new();
    for (sources, faults) in faults(notes) {
        out.push_str(&diag::render(&faults, sources, diag::Format::Full, stdout_style()));
        out.push('\n');
    }
    for ran in all {
        for failure in &ran.outcome.failures {
            out.push_str(&failed(ran, failure, page));
        }
    }
    let broken = not_run(notes);
    for name in rulesets {
        let of = all.iter().filter(|r| r.ruleset == *name);
        let (cases, bad) = of.fold((0, 0), |(n, b), r| (n + 1, b + usize::from(r.failed())));
        if cases > 0 {
            out.push_str(&format!("{name}: {} passed, {bad} failed\n", cases - bad));
        }
        if let Some(errors) = broken.get(name).filter(|errors| **errors > 0) {
            out.push_str(&format!("{name}: not run, {}\n", counted(*errors, "error")));
        }
        let whole =
            notes.iter().filter(|n| n.ruleset == *name && !matches!(n.kind, Kind::Fault(_)));
        whole.for_each(|note| out.push_str(&format!("{name}: {}\n", note.message())));
    }
    out + counts(all, notes).as_str()
}

fn failed(ran: &Ran<'_>, failure: &Failure, page: &Page) -> String {
    let at = ran.sources.line_col(failure.span.source, failure.span.start);
    let file = ran.sources.name(failure.span.source);
    let mut out = format!(
        "FAILED {}: {}\n  {file}:{}\n  {}\n",
        ran.ruleset, ran.outcome.title, at.line, failure.message
    );
    out = out.lines().flat_map(|line| broken(line, page.wide)).map(|line| line + "\n").collect();
    let style = stdout_style();
    let style = diag::Style { width: style.width.min(page.wide.saturating_sub(INDENT)), ..style };
    let fault = failure
        .fault
        .as_ref()
        .map(|f| diag::render(std::slice::from_ref(f), ran.sources, diag::Format::Full, style));
    let reasons: Vec<&str> = failure.why.iter().chain(&fault).flat_map(|w| w.lines()).collect();
    let sketch = failure.sketch.as_deref().filter(|_| page.map).unwrap_or_default();
    out.push_str(&beside(&reasons, &sketch.lines().collect::<Vec<_>>(), page.wide));
    out.push('\n');
    out
}

/// The reasons on the left and the map on the right; below them where there is no room, and nowhere
/// where it is too wide.
fn beside(left: &[&str], right: &[&str], wide: usize) -> String {
    let widest = |lines: &[&str]| lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let (longest, map) = (widest(left), widest(right));
    let room = longest.min(wide.saturating_sub(4 + GAP.len() + map));
    let mut out = String::new();
    if map > 0 && (room == longest || room >= LEAST) {
        let left: Vec<String> = left.iter().flat_map(|line| broken(line, room)).collect();
        for at in 0..left.len().max(right.len()) {
            let (reason, line) = (
                left.get(at).map_or("", String::as_str),
                right.get(at).copied().unwrap_or_default(),
            );
            out.push_str(format!("    {reason:<room$}{GAP}{line}").trim_end());
            out.push('\n');
        }
        return out;
    }
    let whole = wide.saturating_sub(INDENT).max(LEAST);
    let lines = left.iter().flat_map(|line| broken(line, whole));
    lines.for_each(|line| out.push_str(&format!("    {line}\n")));
    if map > 0 && 4 + map <= wide {
        out.push('\n');
        right
            .iter()
            .for_each(|line| out.push_str(&format!("{}\n", format!("    {line}").trim_end())));
    }
    out
}

/// A line broken at blanks to fit, what follows indented by two more; a longer word stays whole.
fn broken(line: &str, room: usize) -> Vec<String> {
    let indent = line.len() - line.trim_start().len() + 2;
    let (mut out, mut rest) = (Vec::new(), line.to_owned());
    while rest.chars().count() > room && indent * 2 <= room {
        let end = rest.char_indices().nth(room).map_or(rest.len(), |(at, _)| at);
        // A blank right behind the last sign that fits is a good place too.
        let head = rest.get(..=end).or_else(|| rest.get(..end)).unwrap_or_default();
        let Some(cut) = head.rfind(' ').filter(|at| *at >= indent) else { break };
        out.push(rest.get(..cut).unwrap_or_default().trim_end().to_owned());
        rest =
            format!("{}{}", " ".repeat(indent), rest.get(cut..).unwrap_or_default().trim_start());
    }
    out.push(rest);
    out
}

/// One line a note, one line a failure, then the counts.
pub(super) fn concise(all: &[Ran<'_>], notes: &[Note<'_>]) -> String {
    let mut out = String::new();
    for note in notes {
        match &note.kind {
            Kind::Fault(fault) => {
                let found = std::slice::from_ref(fault.found);
                out.push_str(&diag::render(
                    found,
                    fault.sources,
                    diag::Format::Concise,
                    stdout_style(),
                ));
            }
            _ => out.push_str(&format!(
                "{}: {}: {}: {}\n",
                note.place().0,
                note.level(),
                note.ruleset,
                note.message()
            )),
        }
    }
    for ran in all {
        for failure in &ran.outcome.failures {
            let at = ran.sources.line_col(failure.span.source, failure.span.start);
            let file = ran.sources.name(failure.span.source);
            out.push_str(&format!(
                "{file}:{}:{}: {}: {}\n",
                at.line, at.column, ran.outcome.title, failure.message
            ));
        }
    }
    out + counts(all, notes).as_str()
}

fn counts(all: &[Ran<'_>], notes: &[Note<'_>]) -> String {
    let failed = all.iter().filter(|r| r.failed()).count();
    let not_run = match not_run(notes).len() {
        0 => String::new(),
        count => format!(", {} not run", counted(count, "ruleset")),
    };
    format!("{} passed, {failed} failed{not_run}\n", all.len() - failed)
}

/// One line a case: its place, its title, its clauses.
pub(super) fn list(tasks: &[Task<'_>]) -> String {
    let line = |task: &Task<'_>| {
        let span = task.span();
        let (file, at) =
            (task.sources.name(span.source), task.sources.line_col(span.source, span.start).line);
        let covers = task.covers();
        let clauses =
            if covers.is_empty() { String::new() } else { format!(" [{}]", covers.join(", ")) };
        format!("{file}:{at}: {}: {}{clauses}\n", task.ruleset, task.title())
    };
    tasks.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{beside, broken};

    #[test]
    fn a_long_line_is_broken_at_blanks_and_indented() {
        let line = "  one   two three unbreakable_word_here end";
        assert_eq!(broken(line, 80), [line]);
        assert_eq!(broken(line, 15), ["  one   two", "    three", "    unbreakable_word_here end"]);
        assert_eq!(broken("äöü äöü äöü äöü", 11), ["äöü äöü äöü", "  äöü"]);
        assert_eq!(broken("abcdefghij", 4), ["abcdefghij"]);
    }

    #[test]
    fn the_map_stands_beside_the_reasons_where_there_is_room() {
        let (left, right) = (["a", "bcd"], ["MAP", "", "map"]);
        assert_eq!(beside(&left, &right, 15), "    a    |  MAP\n    bcd  |\n         |  map\n");
        assert_eq!(beside(&left, &right, 14), "    a\n    bcd\n\n    MAP\n\n    map\n");
        assert_eq!(beside(&left, &right, 6), "    a\n    bcd\n");
        assert_eq!(beside(&left, &[], 80), "    a\n    bcd\n");
    }
}
