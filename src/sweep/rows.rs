//! A report as rows for a sheet.

use super::{Effect, Outcome, Report, Row, Shape};

/// A row a variant, behind a row of heads.
#[must_use]
pub fn csv_rows(report: &Report) -> Vec<Vec<String>> {
    let one_by_one = report.shape == Shape::OneByOne;
    let names = report.numbers.iter().map(|n| n.number.name.clone());
    let mut head: Vec<String> = match one_by_one {
        true => ["number", "is", "value"].map(str::to_owned).to_vec(),
        false => names.collect(),
    };
    let measures =
        ["refused", "flips", "of", "things", "position", "question", "thing", "was", "now"];
    head.extend(measures.map(str::to_owned));
    let rows = report.variants.iter().map(|row| csv_row(report, row, one_by_one));
    std::iter::once(head).chain(rows).collect()
}

fn csv_row(report: &Report, row: &Row, one_by_one: bool) -> Vec<String> {
    let is = |name: &str| {
        let found = report.numbers.iter().find(|n| n.number.name == name);
        found.map_or_else(String::new, |n| n.number.is.to_string())
    };
    let mut cells: Vec<String> = match (one_by_one, row.values.iter().next()) {
        (true, Some((name, value))) => vec![name.clone(), is(name), value.to_string()],
        _ => {
            let value = |n: &Effect| row.values.get(&n.number.name).copied().unwrap_or(n.number.is);
            report.numbers.iter().map(|n| value(n).to_string()).collect()
        }
    };
    let whole = report.answers.to_string();
    let (refused, flips, things, first) = match &row.outcome {
        Outcome::Refused { refused } => (refused.clone(), String::new(), String::new(), None),
        Outcome::Positions(found) => {
            let first = found.first.as_ref();
            (String::new(), found.flips.to_string(), found.things.len().to_string(), first)
        }
        Outcome::Games(found) => (String::new(), found.flips.to_string(), String::new(), None),
    };
    cells.extend([refused, flips, whole, things]);
    let told = first.map(|f| [&f.position, &f.question, &f.of, &f.was, &f.now].map(Clone::clone));
    cells.extend(told.unwrap_or_default());
    cells
}
