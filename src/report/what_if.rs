//! Two odds side by side: as the position is, and as it would be.

use num_bigint::BigInt;
use num_traits::Zero;
use serde::Serialize;

use super::bearing::{Modifier, Roll};
use super::odds::{ListedRoll, Share, ThingOdds};
use super::odds_text::modifier_text;
use crate::kernel::Fraction;

/// What changed facts change.
#[derive(Debug, Clone, Serialize)]
pub struct WhatIf {
    /// The schema of this report.
    pub schema: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// What is asked: a test, a list of tests, or what runs.
    pub of: String,
    /// The sentences that are so afterwards.
    pub what_if: Vec<String>,
    /// Each thing, before and after.
    pub things: Vec<ChangedThing>,
}

/// One thing before and after.
#[derive(Debug, Clone, Serialize)]
pub struct ChangedThing {
    /// Its id.
    pub id: String,
    /// Its side, before if it was there.
    pub side: Option<String>,
    /// Whether anything about it differs.
    pub changed: bool,
    /// The modifiers that differ, in the order of the rules; parts of parts too.
    pub modifiers: Vec<ChangedModifier>,
    /// What is added to the dice in all, before.
    pub added_before: Option<String>,
    /// And after.
    pub added_after: Option<String>,
    /// What can come, all of it.
    pub odds: Vec<ChangedChance>,
    /// All that was known of it before; none if nothing could become of it.
    pub before: Option<ThingOdds>,
    /// And after.
    pub after: Option<ThingOdds>,
    /// The rows of modifiers for reading, also those that are the same.
    #[serde(skip)]
    pub(super) lines: Vec<ChangedModifier>,
}

/// A modifier before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedModifier {
    /// The row of the list of tests that it bears on, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
    /// The table, and those around it.
    pub table: Vec<String>,
    /// The row, or the amount as it is written.
    pub row: String,
    /// The first clause it cites.
    pub clause: Option<String>,
    /// What it adds before; none where it does not count.
    pub before: Option<String>,
    /// And after.
    pub after: Option<String>,
    /// Who causes it before.
    pub by_before: Vec<String>,
    /// And after.
    pub by_after: Vec<String>,
}

/// A chance before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedChance {
    /// The row of the list of tests that is rolled, where it is one of these rolls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
    /// What comes.
    pub what: String,
    /// How likely before; none where it is not rolled.
    pub before: Option<Share>,
    /// And after.
    pub after: Option<Share>,
    /// The difference with its sign, where it is rolled both times.
    pub difference: Option<String>,
}

/// What a comparison is of: the ruleset, its hash, and what was asked.
pub type Asked<'a> = (&'a str, &'a str, String);

/// Compares odds thing by thing, those of before in their order and then those that are there only
/// after.
#[must_use]
pub fn what_if(
    (ruleset, hash, of): Asked<'_>,
    sentences: &[String],
    before: Vec<ThingOdds>,
    after: Vec<ThingOdds>,
) -> WhatIf {
    let mut rest: Vec<Option<ThingOdds>> = after.into_iter().map(Some).collect();
    let mut pairs: Vec<(Option<ThingOdds>, Option<ThingOdds>)> = Vec::new();
    for thing in before {
        let same = rest
            .iter_mut()
            .find(|other| other.as_ref().is_some_and(|o| answers(&thing, o)))
            .and_then(Option::take);
        pairs.push((Some(thing), same));
    }
    pairs.extend(rest.into_iter().flatten().map(|thing| (None, Some(thing))));
    WhatIf {
        schema: 1,
        ruleset: ruleset.to_owned(),
        hash: hash.to_owned(),
        of,
        what_if: sentences.to_vec(),
        things: pairs.into_iter().map(|(before, after)| changed(before, after)).collect(),
    }
}

/// Whether the odds of before and of after are about the same. A side or the world has odds for
/// each of its amounts; the words of their outcomes tell them apart.
fn answers(before: &ThingOdds, after: &ThingOdds) -> bool {
    let unit = |thing: &ThingOdds| {
        thing.space.is_some() || !thing.rolls.is_empty() || !thing.roll.modifiers.is_empty()
    };
    let shared =
        || before.roll.odds.iter().any(|a| after.roll.odds.iter().any(|b| a.what == b.what));
    before.id == after.id && (unit(before) || unit(after) || shared())
}

fn changed(before: Option<ThingOdds>, after: Option<ThingOdds>) -> ChangedThing {
    let lines = merged(&flat_of(before.as_ref()), &flat_of(after.as_ref()));
    let one = before.as_ref().or(after.as_ref());
    let differs =
        |line: &&ChangedModifier| line.before != line.after || line.by_before != line.by_after;
    let roll =
        |thing: &Option<ThingOdds>| thing.as_ref().map(|t| t.roll.clone()).unwrap_or_default();
    let (was, is) = (roll(&before), roll(&after));
    ChangedThing {
        id: one.map(|t| t.id.clone()).unwrap_or_default(),
        side: one.and_then(|t| t.side.clone()),
        changed: before != after,
        modifiers: lines.iter().filter(differs).cloned().collect(),
        odds: chances_of(before.as_ref(), after.as_ref()),
        added_before: was.added,
        added_after: is.added,
        before,
        after,
        lines,
    }
}

/// The modifiers of a thing in one row, each as if it were only before.
fn flat_of(thing: Option<&ThingOdds>) -> Vec<ChangedModifier> {
    fn flat(
        modifiers: &[Modifier],
        roll: Option<&str>,
        around: &[String],
        out: &mut Vec<ChangedModifier>,
    ) {
        for m in modifiers {
            let table: Vec<String> = around.iter().chain(&m.table).cloned().collect();
            out.push(ChangedModifier {
                roll: roll.map(str::to_owned),
                table: table.clone(),
                row: m.row.clone(),
                clause: m.clause.clone(),
                before: Some(m.amount.clone()),
                after: None,
                by_before: m.by.clone(),
                by_after: Vec::new(),
            });
            flat(&m.parts, roll, &table, out);
        }
    }
    let mut out = Vec::new();
    if let Some(thing) = thing {
        thing
            .rolls
            .iter()
            .for_each(|roll| flat(&roll.roll.modifiers, Some(&roll.row), &[], &mut out));
        flat(&thing.roll.modifiers, None, &[], &mut out);
    }
    out
}

/// Both rows in one, each part where it stands in either.
fn merged(before: &[ChangedModifier], after: &[ChangedModifier]) -> Vec<ChangedModifier> {
    let same = |a: &ChangedModifier, b: &ChangedModifier| {
        (&a.roll, &a.table, &a.row) == (&b.roll, &b.table, &b.row)
    };
    let mut all: Vec<ChangedModifier> = before.to_vec();
    let mut place = 0;
    for line in after {
        match all.iter().position(|known| same(known, line) && known.after.is_none()) {
            Some(at) => {
                if let Some(known) = all.get_mut(at) {
                    known.after.clone_from(&line.before);
                    known.by_after.clone_from(&line.by_before);
                }
                place = at + 1;
            }
            None => {
                let new = ChangedModifier {
                    before: None,
                    after: line.before.clone(),
                    by_before: Vec::new(),
                    by_after: line.by_before.clone(),
                    ..line.clone()
                };
                all.insert(place.min(all.len()), new);
                place += 1;
            }
        }
    }
    all
}

/// All that can come of a thing: of each roll of a list, then in the end.
fn chances_of(before: Option<&ThingOdds>, after: Option<&ThingOdds>) -> Vec<ChangedChance> {
    let rolls = |thing: Option<&ThingOdds>| thing.map(|t| t.rolls.clone()).unwrap_or_default();
    let (was, is) = (rolls(before), rolls(after));
    let mut names: Vec<&str> = was.iter().map(|r| r.row.as_str()).collect();
    names
        .extend(is.iter().map(|r| r.row.as_str()).filter(|row| !was.iter().any(|r| r.row == *row)));
    let of = |rolls: &'_ [ListedRoll], row: &str| {
        rolls.iter().find(|r| r.row == row).map(|r| r.roll.clone())
    };
    let mut all = Vec::new();
    for row in names {
        all.extend(chances(Some(row), of(&was, row).as_ref(), of(&is, row).as_ref()));
    }
    all.extend(chances(None, before.map(|t| &t.roll), after.map(|t| &t.roll)));
    all
}

/// Every outcome of before in its order, then those that can come only after.
fn chances(roll: Option<&str>, was: Option<&Roll>, is: Option<&Roll>) -> Vec<ChangedChance> {
    let of = |roll: &Roll, what: &str| {
        roll.odds.iter().find(|c| c.what == what).map_or_else(Fraction::zero, |c| c.exact.clone())
    };
    let words = |roll: Option<&Roll>| {
        roll.iter().flat_map(|r| &r.odds).map(|c| c.what.clone()).collect::<Vec<String>>()
    };
    let mut all = words(was);
    let more: Vec<String> = words(is).into_iter().filter(|what| !all.contains(what)).collect();
    all.extend(more);
    let one = |what: String| {
        let (before, after) = (was.map(|r| of(r, &what)), is.map(|r| of(r, &what)));
        let difference = before.as_ref().zip(after.as_ref()).map(|(before, after)| {
            let difference = after - before;
            let sign = if *difference.numer() > BigInt::zero() { "+" } else { "" };
            format!("{sign}{difference}")
        });
        ChangedChance {
            roll: roll.map(str::to_owned),
            what,
            difference,
            before: before.map(Share::of),
            after: after.map(Share::of),
        }
    };
    all.into_iter().map(one).collect()
}

/// A comparison for reading: before, after and the difference, each in a column.
#[must_use]
pub fn what_if_text(report: &WhatIf) -> String {
    let mut out = format!("{}, what if: {}\n", report.of, report.what_if.join("; "));
    for thing in &report.things {
        let side = thing.side.as_deref().map_or_else(String::new, |s| format!(" of {s}"));
        let same = if thing.changed { "" } else { ": nothing changes" };
        out.push_str(&format!("\n{}{side}{same}\n", thing.id));
        let mut rows: Vec<[String; 4]> =
            vec![["before".to_owned(), "after".to_owned(), String::new(), String::new()]];
        rows.extend(thing.lines.iter().map(line));
        if thing.added_before.is_some() || thing.added_after.is_some() {
            let shown = |added: &Option<String>| added.clone().unwrap_or_else(none);
            rows.push([
                shown(&thing.added_before),
                shown(&thing.added_after),
                "added to the dice in all".to_owned(),
                String::new(),
            ]);
        }
        rows.extend(thing.odds.iter().map(|c| {
            let shown = |share: &Option<Share>| {
                share.as_ref().map_or_else(none, |s| format!("{} {:>6}%", s.chance, s.percent))
            };
            let difference = c.difference.clone().filter(|d| d != "0").unwrap_or_default();
            [
                shown(&c.before),
                shown(&c.after),
                format!("{}{}", in_roll(c.roll.as_deref()), c.what),
                difference,
            ]
        }));
        let width = |at: usize| {
            rows.iter()
                .filter_map(|row| row.get(at))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let (first, second, third) = (width(0), width(1), width(2));
        for [before, after, what, difference] in &rows {
            let line =
                format!("  {before:>first$}  {after:>second$}  {what:<third$}  {difference}");
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out
}

fn none() -> String {
    "-".to_owned()
}

fn in_roll(roll: Option<&str>) -> String {
    roll.map_or_else(String::new, |roll| format!("{roll}: "))
}

fn line(m: &ChangedModifier) -> [String; 4] {
    let by = if m.after.is_some() { &m.by_after } else { &m.by_before };
    let shown = Modifier {
        table: m.table.last().cloned(),
        row: m.row.clone(),
        amount: String::new(),
        times: None,
        by: by.clone(),
        clause: m.clause.clone(),
        parts: Vec::new(),
    };
    let roll = in_roll(m.roll.as_deref());
    let within = "  ".repeat(m.table.len().saturating_sub(1));
    let change = match (&m.before, &m.after) {
        (None, Some(_)) => "comes",
        (Some(_), None) => "goes",
        (before, after) if before != after => "changes",
        _ if m.by_before != m.by_after => "by others",
        _ => "",
    };
    let cell = |amount: &Option<String>| amount.clone().unwrap_or_else(none);
    [
        cell(&m.before),
        cell(&m.after),
        format!("{within}{roll}{}", modifier_text(&shown)),
        change.to_owned(),
    ]
}
