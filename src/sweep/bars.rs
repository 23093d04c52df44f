//! A report as a chart.

use super::text::{head, noun, percent};
use super::{Effect, Outcome, Report, Row, Shape, Value};
use crate::draw::{Bar, Chart, Group};
use crate::play::Exact;

/// No more groups are drawn.
const MOST_DRAWN: usize = 16;

/// The numbers that matter most, a bar for each value.
#[must_use]
pub fn chart(report: &Report) -> Chart {
    let groups: Vec<Group> = match report.shape {
        Shape::OneByOne => report.numbers.iter().map(|n| of_number(report, n)).collect(),
        Shape::Grid | Shape::Sample => of_variants(report),
    };
    let more = match groups.len().saturating_sub(MOST_DRAWN) {
        0 => String::new(),
        more => format!("and {more} more with fewer"),
    };
    let most = report.variants.iter().filter_map(|row| row.outcome.flips()).max();
    let mut about = vec![head(report)];
    if report.shape == Shape::OneByOne {
        about.push("▼ lower, ▲ higher than in the rules".to_owned());
    }
    Chart {
        title: format!("{}: {}", report.ruleset, noun(report)),
        about,
        whole: most.unwrap_or_default(),
        groups: groups.into_iter().take(MOST_DRAWN).collect(),
        more,
    }
}

fn bar(report: &Report, row: &Row, (label, rises): (String, Option<bool>)) -> Bar {
    let amount = row.outcome.flips();
    let said = match &row.outcome {
        Outcome::Refused { refused } => format!("refused {refused}"),
        _ => {
            let flips = amount.unwrap_or_default();
            format!("{flips} ({})", percent(&Exact::from_integer(flips.into()), report.answers))
        }
    };
    Bar { label, amount, said, rises }
}

/// A bar for each value of a number.
fn of_number(report: &Report, number: &Effect) -> Group {
    let is = number.number.is;
    let label = |value: Value| match value > is {
        true => (format!("{value} ▲"), Some(true)),
        false => (format!("{value} ▼"), Some(false)),
    };
    let own = report.variants.iter().filter_map(|row| {
        let value = row.values.get(&number.number.name)?;
        Some(bar(report, row, label(*value)))
    });
    Group { name: format!("{}, now {is}", number.number.name), bars: own.collect() }
}

/// A group for each combination, those with the most first.
fn of_variants(report: &Report) -> Vec<Group> {
    let mut rows: Vec<&Row> = report.variants.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.outcome.flips()));
    let name = |row: &Row| {
        let values = row.values.iter().map(|(name, value)| format!("{name} {value}"));
        Some(values.collect::<Vec<_>>().join(", ")).filter(|n| !n.is_empty())
    };
    let one = |row: &&Row| Group {
        name: name(row).unwrap_or_else(|| "as it is in the rules".to_owned()),
        bars: vec![bar(report, row, (String::new(), None))],
    };
    rows.iter().map(one).collect()
}
