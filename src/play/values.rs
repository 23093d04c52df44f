//! A record as figures: what is counted in it, each under its name.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::Zero;
use serde_json::{Map, Value as Json};

use super::exact::Exact;
use super::{Asked, Record};
use crate::report::ValueReport;

/// What a figure is of; the order of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// how games ended
    Ended,
    /// what happened in them
    Events,
    /// who controls how many spaces
    Control,
    /// who has how many units
    Units,
    /// what was asked, by the place of the question
    Asked(usize),
}

impl Of {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Of::Ended => "ended",
            Of::Events => "events",
            Of::Control => "control",
            Of::Units => "units",
            Of::Asked(_) => "asked",
        }
    }
}

/// A figure of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figured {
    /// yes or no; a game that says nothing says no
    Share(bool),
    /// how often; a game that says nothing says 0
    Count(Exact),
    /// an amount; a game that says nothing has none
    Amount(Exact),
}

impl Figured {
    /// As a number, for differences.
    pub(super) fn number(&self) -> Exact {
        match self {
            Figured::Share(yes) => Exact::from_integer(u8::from(*yes).into()),
            Figured::Count(number) | Figured::Amount(number) => number.clone(),
        }
    }
}

/// The figures of a game by what they are of and by name.
pub type Figures = BTreeMap<(Of, String), Figured>;

/// All figures of a game, and whether each question was answered.
#[must_use]
pub fn figures(record: &Record, asked: &[Asked]) -> (Figures, Vec<bool>) {
    let mut found = Figures::new();
    found.insert((Of::Ended, record.ended.word().to_owned()), Figured::Share(true));
    let counts =
        [(Of::Events, &record.events), (Of::Control, &record.control), (Of::Units, &record.units)];
    for (of, counts) in counts {
        let count = |n: u64| Figured::Count(Exact::from_integer(n.into()));
        found.extend(counts.iter().map(|(name, n)| ((of, name.clone()), count(*n))));
    }
    let mut answered = Vec::new();
    for (at, (question, answer)) in asked.iter().zip(&record.asked).enumerate() {
        let figures = answers(question, answer);
        answered.push(figures.is_some());
        let of = |(name, figure)| ((Of::Asked(at), name), figure);
        found.extend(figures.into_iter().flatten().map(of));
    }
    (found, answered)
}

/// What an answer says; nothing where there is none.
fn answers(asked: &Asked, answer: &Json) -> Option<Vec<(String, Figured)>> {
    let name = match &asked.of {
        Some(of) => format!("{} of {of}", asked.question),
        None => asked.question.clone(),
    };
    let is = |word: &str| vec![(format!("{name} is {word}"), Figured::Share(true))];
    Some(match answer {
        Json::Bool(yes) => vec![(name, Figured::Share(*yes))],
        Json::Object(counts) if counts.contains_key("error") => return None,
        Json::Object(counts) => {
            let count = |(word, n): (&String, &Json)| {
                Some((format!("{name} is {word}"), Figured::Count(number(n)?)))
            };
            counts.iter().filter_map(count).collect()
        }
        other => match (number(other), other) {
            (Some(number), _) => vec![(name, Figured::Amount(number))],
            (None, Json::String(word)) => is(word),
            (None, _) => is("none"),
        },
    })
}

/// A number as answers write it: a whole one, or a fraction as a text.
fn number(json: &Json) -> Option<Exact> {
    match json {
        Json::Number(n) => Some(Exact::from_integer(n.as_i64()?.into())),
        Json::String(text) => {
            let (over, under) = text.split_once('/').unwrap_or((text, "1"));
            let (over, under) = (over.parse::<BigInt>().ok()?, under.parse::<BigInt>().ok()?);
            (!under.is_zero()).then(|| Exact::new(over, under))
        }
        _ => None,
    }
}

/// A report as one answer: the value itself of the world; of things how many say yes, what their
/// amounts come to together, or how many say which word.
pub(super) fn counted(report: &ValueReport) -> Json {
    let values = || report.values.iter().map(|row| &row.value);
    if report.of.is_none() {
        return values().next().cloned().unwrap_or_default();
    }
    if values().all(Json::is_boolean) {
        return values().filter(|value| value.as_bool() == Some(true)).count().into();
    }
    let amounts = || values().filter(|value| !value.is_null()).map(number);
    if let Some(amounts) = amounts().collect::<Option<Vec<Exact>>>().filter(|all| !all.is_empty()) {
        let sum: Exact = amounts.into_iter().sum();
        let whole = sum.is_integer().then(|| i64::try_from(sum.to_integer()).ok()).flatten();
        return whole.map_or_else(|| sum.to_string().into(), Json::from);
    }
    let mut words: BTreeMap<&str, u64> = BTreeMap::new();
    for row in &report.values {
        *words.entry(row.words.as_str()).or_insert(0) += 1;
    }
    Json::Object(
        words.into_iter().map(|(word, n)| (word.to_owned(), n.into())).collect::<Map<_, _>>(),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;
    use serde_json::json;

    fn of(answer: Json) -> Option<Vec<(String, String)>> {
        let asked = Asked { question: "q".into(), of: None };
        let text = |(name, figure): (String, Figured)| (name, format!("{figure:?}"));
        Some(answers(&asked, &answer)?.into_iter().map(text).collect())
    }

    #[test]
    fn answers_are_shares_counts_and_amounts() {
        let one = |answer| of(answer).unwrap().remove(0);
        assert_eq!(one(json!(true)), ("q".into(), "Share(true)".into()));
        assert!(one(json!("3/2")).1.starts_with("Amount(Ratio { numer: 3, denom: 2"));
        assert_eq!(one(json!("calm")), ("q is calm".into(), "Share(true)".into()));
        assert_eq!(one(Json::Null).0, "q is none");
        assert!(one(json!({ "calm": 4 })).1.starts_with("Count(Ratio { numer: 4"));
        assert_eq!(of(json!({ "error": { "code": "E1051" } })), None);
    }
}
