//! What bears on a test in words: its modifiers one by one, and what a retry changes.

use num_rational::BigRational;
use serde::Serialize;

use super::odds::{Chance, percent};
use super::thing_name;
use crate::ir::*;
use crate::kernel::{Amount, Bearing, BearingFrom, EvalFault, Fraction, Position};
use crate::world::ThingRef;

/// One part of a sum that bears on a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Modifier {
    /// The table; none for an amount that is written in the test itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The row, the limits of its table such as `kept between -3 and 6`, or the amount as it is
    /// written.
    pub row: String,
    /// What it adds, as often as it counts: `-2`, `+1`.
    pub amount: String,
    /// How often it counts, where that is not once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
    /// The units and spaces that cause it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<String>,
    /// The first clause it cites.
    pub clause: Option<String>,
    /// What it is made of, where it is worked out from a table itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Modifier>,
}

/// What is known of one roll of a test for a thing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Roll {
    /// What bears on it: first what is added to the dice, then what its rows measure by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<Modifier>,
    /// What is added to the dice in all, if anything can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<String>,
    /// The retry, if this roll may come to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<RetryOdds>,
    /// What can come, and how likely.
    pub odds: Vec<Chance>,
}

/// How a roll may be made again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetryOdds {
    /// How often, as the position stands.
    pub most: u32,
    /// What each of them is paid from: `luck of Blucher`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spending: Option<String>,
    /// How likely one roll comes to what is rolled again.
    pub wanted: String,
    /// The same in percent to two places.
    pub percent: String,
    /// The first clause it cites.
    pub clause: Option<String>,
}

/// What is known of a roll of a test for a thing, with its exact odds.
pub(super) fn roll(
    position: &Position<'_>,
    test: TestId,
    thing: ThingRef,
) -> Result<Roll, EvalFault> {
    let rules = position.rules;
    let rule = &rules.tests[test.index()];
    let odds = position.odds(test, thing)?;
    let retry = retry(position, test, thing)?;
    let without = if retry.as_ref().is_some_and(|r| r.most > 0) {
        Some(position.endings(test, thing, 0)?)
    } else {
        None
    };
    let words =
        rules.word_sets.get(rule.outcomes.index()).map(|s| s.words.as_slice()).unwrap_or_default();
    let chances = words.iter().enumerate().map(|(at, word)| {
        let is = |outcome: Option<u16>| outcome.map(usize::from) == Some(at);
        let with: Fraction = odds.iter().filter(|(o, _)| is(*o)).map(|(_, chance)| chance).sum();
        let alone = without
            .as_ref()
            .map(|all| all.iter().filter(|e| is(e.outcome)).map(|e| &e.chance).sum());
        Chance::new(word.clone(), with, alone)
    });
    let both = [position.bearings(test, thing)?, position.measured_by(test, thing)?].concat();
    Ok(Roll {
        odds: chances.collect(),
        modifiers: both.iter().map(|part| modifier(position, part)).collect(),
        added: position.added(test, thing)?.map(signed),
        retry,
    })
}

fn retry(
    position: &Position<'_>,
    test: TestId,
    thing: ThingRef,
) -> Result<Option<RetryOdds>, EvalFault> {
    let rules = position.rules;
    let Some(rule) = &rules.tests[test.index()].retry else { return Ok(None) };
    let tally = position.tally(test, thing)?;
    let ways =
        |again: bool| tally.iter().filter(|t| t.again || !again).map(|t| t.ways).sum::<i64>();
    let wanted = BigRational::new(ways(true).into(), ways(false).max(1).into());
    let retries = position.retries(test, thing)?;
    let spending = retries.pool.map(|pool| {
        let fact = rules.facts.get(pool.fact.index()).map_or("", |f| f.name.as_str());
        if pool.of == ThingRef::World {
            fact.to_owned()
        } else {
            format!("{fact} of {}", thing_name(rules, position.world, pool.of))
        }
    });
    let clause = rules.first_clause(rule.line).map(str::to_owned);
    let (percent, any) = (percent(&wanted), ways(true) > 0);
    Ok(any.then(|| RetryOdds {
        most: retries.most(0),
        spending,
        wanted: wanted.to_string(),
        percent,
        clause,
    }))
}

pub(super) fn modifier(position: &Position<'_>, part: &Bearing) -> Modifier {
    let rules = position.rules;
    let clause = |line: LineId| rules.first_clause(line).map(str::to_owned);
    let (table, row, clause) = match part.from {
        BearingFrom::Row(table, at) => {
            let table = &rules.tables[table.index()];
            (Some(table.name.clone()), table.rows[at].name.clone(), clause(table.rows[at].line))
        }
        BearingFrom::Kept(table, low, high) => {
            let table = &rules.tables[table.index()];
            let end = |end: Option<Amount>| {
                end.map_or_else(|| "nothing".to_owned(), |end| end.to_string())
            };
            (
                Some(table.name.clone()),
                format!("kept between {} and {}", end(low), end(high)),
                clause(table.line),
            )
        }
        // What is asked of the thing itself is written without it, as the ruleset writes it.
        BearingFrom::Written(id) => {
            let text = own_text(rules, id);
            let bare = text
                .strip_prefix('(')
                .and_then(|t| t.strip_suffix(')'))
                .filter(|t| !t.contains(['(', ')']));
            (None, bare.unwrap_or(&text).to_owned(), None)
        }
    };
    Modifier {
        table,
        row,
        clause,
        amount: signed(part.amount),
        times: (part.times != Amount::from_integer(1)).then(|| part.times.to_string()),
        by: part.causes.iter().map(|thing| thing_name(rules, position.world, *thing)).collect(),
        parts: part.parts.iter().map(|part| modifier(position, part)).collect(),
    }
}

/// An expression as it is asked of the thing itself, whose name it leaves out.
pub(super) fn own_text(rules: &Ruleset, id: ExprId) -> String {
    let mut text = print_expr(rules, id).replace(" in $0", " here");
    for level in 0..8 {
        text = text.replace(&format!("(${level})"), "").replace(&format!("${level}"), "it");
    }
    text
}

/// An amount with its sign, also above 0.
pub(super) fn signed(amount: Amount) -> String {
    if *amount.numer() > 0 { format!("+{amount}") } else { amount.to_string() }
}
