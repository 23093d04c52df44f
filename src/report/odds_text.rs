//! Exact odds for reading: a line an outcome, with its fraction, its percent and a bar.

use super::bearing::{Modifier, RetryOdds, Roll};
use super::odds::{Chance, ListedRoll, RunOdds, TestOdds, ThingOdds};
use crate::diag::counted;

/// The odds of a test for reading.
#[must_use]
pub fn test_odds_text(report: &TestOdds) -> String {
    test_odds_within(report, usize::MAX)
}

/// The odds of a test for reading, with bars as long as a page of this width has room for.
#[must_use]
pub fn test_odds_within(report: &TestOdds, wide: usize) -> String {
    let mut out = format!("{}: {}\n", report.test, report.dice);
    report.odds.iter().for_each(|thing| write(thing, wide, &mut out));
    if !report.then.is_empty() {
        out.push_str("\nthen, by what comes\n");
    }
    for reader in &report.then {
        out.push_str(&format!("  {}{}\n", reader.line, clause_text(reader.clause.as_deref())));
    }
    out
}

/// The odds of what runs for reading, with bars as long as a page of this width has room for.
#[must_use]
pub fn run_odds_within(report: &RunOdds, wide: usize) -> String {
    let ends = match report.ends {
        Some(1) => "it ends in one way".to_owned(),
        Some(ends) => format!("it can end in {ends} ways"),
        None => "each unit solved alone, for its fate depends on its own roll only".to_owned(),
    };
    let mut out = format!("{}: {ends}\n", report.run.join(", "));
    report.units.iter().chain(&report.others).for_each(|thing| write(thing, wide, &mut out));
    if let Some(joint) = &report.joint {
        out.push_str("\nall together, without what is the same in all ends\n");
        rows(joint, "  ", wide, &mut out);
    }
    out
}

fn write(thing: &ThingOdds, wide: usize, out: &mut String) {
    let side = thing.side.as_deref().map_or_else(String::new, |s| format!(" of {s}"));
    let space = thing.space.as_deref().map_or_else(String::new, |s| format!(", in {s}"));
    out.push_str(&format!("\n{}{side}{space}\n", thing.id));
    thing.rolls.iter().for_each(|roll| listed(roll, wide, out));
    write_roll(&thing.roll, "  ", wide, out);
}

/// One roll of a list: why it is due, then all that bears on it.
fn listed(roll: &ListedRoll, wide: usize, out: &mut String) {
    out.push_str(&format!(
        "  {}: {}, {}{}{}\n",
        roll.row,
        roll.test,
        roll.dice,
        by_text(&roll.by),
        clause_text(roll.clause.as_deref())
    ));
    write_roll(&roll.roll, "    ", wide, out);
}

fn write_roll(roll: &Roll, indent: &str, wide: usize, out: &mut String) {
    roll.modifiers.iter().for_each(|m| modifier(m, indent, out));
    // A test that can add something, and adds nothing here, has nothing to tell.
    if let Some(added) =
        roll.added.as_ref().filter(|added| *added != "0" || !roll.modifiers.is_empty())
    {
        out.push_str(&format!("{indent}{added:>4}  added to the dice in all\n"));
    }
    if let Some(retry) = &roll.retry {
        out.push_str(&format!("{indent}{}\n", retry_text(retry)));
    }
    rows(&roll.odds, indent, wide, out);
}

/// Modifiers, one a line, each with what it is made of.
pub(super) fn modifier_lines(all: &[Modifier], indent: &str, out: &mut String) {
    all.iter().for_each(|m| modifier(m, indent, out));
}

fn modifier(m: &Modifier, indent: &str, out: &mut String) {
    out.push_str(&format!("{indent}{:>4}  {}\n", m.amount, modifier_text(m)));
    let deeper = format!("{indent}      ");
    m.parts.iter().for_each(|part| modifier(part, &deeper, out));
}

/// A modifier without its amount: table, row, how often, by whom, by which clause.
pub(super) fn modifier_text(m: &Modifier) -> String {
    let table = m.table.as_deref().map_or_else(String::new, |table| format!("{table}, "));
    let times = m.times.as_deref().map_or_else(String::new, |times| format!(", {times} times"));
    format!("{table}{}{times}{}{}", m.row, by_text(&m.by), clause_text(m.clause.as_deref()))
}

fn by_text(by: &[String]) -> String {
    if by.is_empty() { String::new() } else { format!(", by {}", by.join(", ")) }
}

fn clause_text(clause: Option<&str>) -> String {
    clause.map_or_else(String::new, |clause| format!(" [{clause}]"))
}

fn retry_text(retry: &RetryOdds) -> String {
    let spending = retry.spending.as_deref().map_or_else(String::new, |pool| format!(" by {pool}"));
    let often = match retry.most {
        0 => "no retry is left".to_owned(),
        most => counted(most, "retry"),
    };
    let clause = clause_text(retry.clause.as_deref());
    format!(
        "{often}{spending}, wanted by {} of the rolls, {}%{clause}",
        retry.wanted, retry.percent
    )
}

fn rows(odds: &[Chance], indent: &str, wide: usize, out: &mut String) {
    let width =
        |of: fn(&Chance) -> &str| odds.iter().map(|c| of(c).chars().count()).max().unwrap_or(0);
    let (what, chance) = (width(|c| &c.what), width(|c| &c.chance));
    let alone = width(|c| c.without.as_ref().map_or("", |w| &w.chance));
    let mut lines = Vec::with_capacity(odds.len());
    for c in odds {
        let without = c.without.as_ref().map_or_else(String::new, |w| {
            format!("  without it {:>alone$}  {:>6}%", w.chance, w.percent)
        });
        let line =
            format!("{indent}{:<what$}  {:>chance$}  {:>6}%{without}", c.what, c.chance, c.percent);
        lines.push((line, c.bar));
    }
    let columns = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
    let longest = lines.iter().map(|(_, bar)| *bar).max().unwrap_or(0);
    let room = wide.saturating_sub(columns + 2).min(longest);
    for (line, bar) in lines {
        let bar = (bar * room).checked_div(longest).unwrap_or(0);
        let line = format!("{line:<columns$}  {}", "#".repeat(bar));
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

impl std::fmt::Display for TestOdds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&test_odds_text(self))
    }
}
