//! A summary for reading.

use super::exact::{Exact, Figure, decimal};
use super::figures::{digits, ends, named, short, table};
use super::summary::{Part, Summary};
use super::sums::{Length, Mean, Share};
use crate::diag::counted;

/// The summary as tables: shares, means and lengths, of the other rules too, and what is different.
#[must_use]
pub fn summary_text(summary: &Summary) -> String {
    let header = &summary.header;
    let (first, second) = header.names();
    let mut out = format!(
        "{first}{}: {} of {}, policy {}, seed {}\n",
        second.map_or_else(String::new, |name| format!(" against {name}")),
        counted(summary.games, "game"),
        counted(header.turns(), "turn"),
        header.policy(),
        header.seed(),
    );
    match (second, &summary.summary_against, &summary.differences) {
        (Some(second), Some(against), Some(differences)) => {
            out.push_str(&format!("\n{first}\n{}", part(&summary.summary)));
            out.push_str(&format!("\n{second}\n{}", part(against)));
            let title = format!("{second} more than {first}");
            out.push_str(&means(&title, differences));
        }
        _ => out.push_str(&part(&summary.summary)),
    }
    out
}

fn part(part: &Part) -> String {
    let mut out = shares(&part.shares);
    out.push_str(&means("a game has", &part.means));
    out.push_str(&lengths(&part.lasted));
    out
}

fn shares(rows: &[Share]) -> String {
    let head = ["games in which", "games", "share", "95 %"];
    let percent = |figure: &Figure| decimal(&(&figure.0 * Exact::from_integer(100.into())), 1);
    let row = |row: &Share| {
        let ends = row.low.as_ref().zip(row.high.as_ref());
        let ends = ends.map(|(low, high)| format!("{} to {} %", percent(low), percent(high)));
        vec![
            named(row.of, &row.name),
            row.yes.to_string(),
            format!("{} %", percent(&row.share)),
            ends.unwrap_or_default(),
        ]
    };
    table(&head, rows.iter().map(row).collect(), &[0])
}

fn means(title: &str, rows: &[Mean]) -> String {
    let head = [title, "mean", "95 %", "least", "most"];
    let row = |row: &Mean| {
        vec![
            named(row.of, &row.name),
            digits(&row.mean),
            ends(row.low.as_ref(), row.high.as_ref()),
            short(&row.least),
            short(&row.most),
        ]
    };
    table(&head, rows.iter().map(row).collect(), &[0])
}

fn lengths(rows: &[Length]) -> String {
    let head = ["turns that it lasts", "mean", "95 %", "least", "most", "ended", "open"];
    let row = |row: &Length| {
        let when = |figure: &u64| if row.ended > 0 { figure.to_string() } else { String::new() };
        vec![
            row.name.clone(),
            row.mean.as_ref().map(digits).unwrap_or_default(),
            ends(row.low.as_ref(), row.high.as_ref()),
            when(&row.least),
            when(&row.most),
            row.ended.to_string(),
            row.unended.to_string(),
        ]
    };
    table(&head, rows.iter().map(row).collect(), &[0])
}
