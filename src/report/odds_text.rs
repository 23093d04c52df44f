//! Exact odds for reading: a line an outcome, with its fraction, its percent and a bar.

use super::odds::{Chance, RunOdds, TestOdds, ThingOdds};

/// The odds of a test for reading.
#[must_use]
pub fn test_odds_text(report: &TestOdds) -> String {
    let mut out = format!("{}: {}\n", report.test, report.dice);
    report.odds.iter().for_each(|thing| write(thing, &mut out));
    out
}

/// The odds of what runs for reading.
#[must_use]
pub fn run_odds_text(report: &RunOdds) -> String {
    let ends = match report.ends {
        Some(1) => "it ends in one way".to_owned(),
        Some(ends) => format!("it can end in {ends} ways"),
        None => "each unit solved alone, for its fate depends on its own roll only".to_owned(),
    };
    let mut out = format!("{}: {ends}\n", report.run.join(", "));
    report.units.iter().chain(&report.others).for_each(|thing| write(thing, &mut out));
    if let Some(joint) = &report.joint {
        out.push_str("\nall together, without what is the same in all ends\n");
        rows(joint, &mut out);
    }
    out
}

fn write(thing: &ThingOdds, out: &mut String) {
    let side = thing.side.as_deref().map_or_else(String::new, |s| format!(" of {s}"));
    let space = thing.space.as_deref().map_or_else(String::new, |s| format!(", in {s}"));
    out.push_str(&format!("\n{}{side}{space}\n", thing.id));
    for m in &thing.modifiers {
        let clause = m.clause.as_deref().map_or_else(String::new, |c| format!(" [{c}]"));
        out.push_str(&format!("  {:>4}  {}, {}{clause}\n", m.amount, m.table, m.row));
    }
    rows(&thing.odds, out);
}

fn rows(odds: &[Chance], out: &mut String) {
    let width = |of: fn(&Chance) -> &str| odds.iter().map(|c| of(c).chars().count()).max().unwrap_or(0);
    let (what, chance) = (width(|c| &c.what), width(|c| &c.chance));
    for c in odds {
        let line = format!("  {:<what$}  {:>chance$}  {:>6}%  {}", c.what, c.chance, c.percent, "#".repeat(c.bar));
        out.push_str(line.trim_end());
        out.push('\n');
    }
}
