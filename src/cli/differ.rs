//! `sutler differ`: the smallest position to which two rulesets give different answers.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::page::page;
use super::pair::{Pair, PairArgs};
use super::recorded::Recorded;
use super::trial::{failed_alone, head, tried};
use super::{End, json, message, print, progress};
use crate::compare::Compared;
use crate::diag::counted;
use crate::differ::{Difference, Looked, Search, case_text};
use crate::ir::Ruleset;

/// The schema of what `--format json` prints.
const DIFFER_SCHEMA: u32 = 1;
/// Positions by chance that may be asked for.
const MOST_TRIES: u64 = 1 << 32;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pair: PairArgs,
    /// Asks these recorded positions first, one a line as JSON, or a row each of a table, a file
    /// that ends in `.parquet`
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// The setup that says what a table does not say; the first one that has units, if nothing is
    /// said
    #[arg(long, requires = "positions")]
    setup: Option<String>,
    /// A column of the table that is no part of a position; any number of them
    #[arg(long, value_name = "COLUMN", requires = "positions")]
    keep: Vec<String>,
    /// How many positions to make by chance
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(0..=MOST_TRIES))]
    tries: u64,
    /// How many units those have at most; they grow from 1
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=200))]
    units: u16,
    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Makes no further positions after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    time: Option<u32>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Format {
    /// the difference, as the text of a suite
    #[default]
    Text,
    /// for programs
    Json,
}

/// What was found, for programs.
#[derive(serde::Serialize)]
struct Report {
    schema: u32,
    a: Compared,
    b: Compared,
    seed: u64,
    looked: Looked,
    found: Option<Found>,
}

/// A difference.
#[derive(serde::Serialize)]
struct Found {
    question: String,
    of: String,
    was: Option<String>,
    now: Option<String>,
    decided_before: String,
    decided_now: String,
    by: Vec<String>,
    position: Json,
    /// A case that passes by the first rules and fails by the second, where a case can show it.
    case: Option<String>,
}

impl Args {
    /// Where recorded positions are read.
    fn recorded(&self) -> Option<Recorded<'_>> {
        let path = self.positions.as_deref()?;
        Some(Recorded { path, setup: self.setup.as_deref(), keep: &self.keep })
    }
}

pub(super) fn run(args: &Args) -> End {
    match try_run(args) {
        Ok(end) | Err(end) => end,
    }
}

fn try_run(args: &Args) -> Result<End, End> {
    args.pair.differ()?;
    let pair = Pair::open(&args.pair, false)?;
    let suspects = pair.suspects();
    pair.say_unasked(&suspects);
    let mut search = Search::new(&pair.rules.0, &pair.rules.1, &suspects);
    let (given, read) = match args.recorded() {
        Some(recorded) => positions(recorded, &pair.rules.0)?,
        None => (Vec::new(), End::Clean),
    };
    let difference = searched(args, &mut search, given);
    let looked = search.looked();
    let found = difference.map(|difference| found(args, &pair, difference));
    message(&page(&summary(&looked, found.is_some())));
    let end = if found.is_some() { End::Findings } else { read };
    print(&match (args.format, found) {
        (Format::Text, found) => found.map_or_else(String::new, |found| text(&pair, &found)),
        (Format::Json, found) => json(&Report {
            schema: DIFFER_SCHEMA,
            a: pair.compared.0,
            b: pair.compared.1,
            seed: args.seed,
            looked,
            found,
        }),
    })?;
    Ok(end)
}

/// The smallest difference in recorded positions and setups, or else in positions by chance.
fn searched(args: &Args, search: &mut Search<'_>, mut given: Vec<Json>) -> Option<Difference> {
    given.extend(search.setups());
    let mut best: Option<Difference> = None;
    for position in &given {
        let found = search.given(position);
        best = match (best, found) {
            (Some(best), Some(found)) if found.size() >= best.size() => Some(best),
            (best, found) => found.or(best),
        };
    }
    progress::count("positions", usize::try_from(args.tries).ok());
    let until = args.time.map(|time| Instant::now() + Duration::from_secs(u64::from(time)));
    let go_on = |more: u64| {
        progress::more(more);
        until.is_none_or(|until| Instant::now() < until)
    };
    let random = search.random((args.seed, args.tries), usize::from(args.units), go_on);
    match (best, random) {
        (Some(best), Some(random)) if random.size() >= best.size() => Some(best),
        (best, random) => random.or(best),
    }
}

/// Recorded positions, as JSON; one that is none is reported and left out.
fn positions(from: Recorded<'_>, rules: &Ruleset) -> Result<(Vec<Json>, End), End> {
    let mut found = Vec::new();
    let all = from.each(rules, |place, text| {
        let read = serde_json::from_slice(text);
        if let Err(error) = &read {
            message(&format!("{place}: this is no JSON: {error}\n"));
        }
        let is_read = read.is_ok();
        found.extend(read);
        is_read
    })?;
    Ok((found, if all { End::Clean } else { End::Findings }))
}

fn found(args: &Args, pair: &Pair, difference: Difference) -> Found {
    let flip = &difference.flip;
    let title = format!("{} of {} differs", flip.question, flip.of);
    let text = |readings: &[String]| case_text(&pair.rules.0, &difference, &title, readings);
    let second = args.pair.b.as_deref().unwrap_or(&args.pair.a);
    let passes = |text: &String| {
        tried(&args.pair.a, text, &title).is_some_and(|outcome| outcome.failures.is_empty())
    };
    let fails =
        |text: String| tried(second, &text, &title).is_some_and(|outcome| failed_alone(&outcome));
    let case = text(&args.pair.rulings)
        .filter(passes)
        .filter(|_| text(&args.pair.against).is_some_and(fails));
    let Difference { flip, position } = difference;
    Found {
        question: flip.question,
        of: flip.of,
        was: flip.was,
        now: flip.now,
        decided_before: flip.decided_before,
        decided_now: flip.decided_now,
        by: flip.by,
        position,
        case,
    }
}

fn summary(looked: &Looked, found: bool) -> String {
    let mut positions = counted(looked.given, "position that is given");
    if looked.given != 1 {
        positions = format!("{} positions that are given", looked.given);
    }
    let random = counted(looked.random, "position");
    let refused = match looked.refused {
        0 => String::new(),
        many => format!(" ({many} not taken by both)"),
    };
    let came = if found { "the smallest that differs is printed" } else { "none differs" };
    format!(
        "{positions}, {random} by chance of at most {}{refused}, {} compared; {came}\n",
        counted(looked.units, "unit"),
        counted(looked.answers, "answer"),
    )
}

/// A difference as the text of a suite: what it is as remarks, and the case or the position.
fn text(pair: &Pair, found: &Found) -> String {
    let said = |said: &Option<String>| said.clone().unwrap_or_else(|| "not asked".to_owned());
    let side = |name: &str, readings: &[String], answer: &Option<String>, decided: &str| {
        let readings: String = readings.iter().map(|reading| format!(", {reading}")).collect();
        let by = if decided.is_empty() { String::new() } else { format!(", by {decided}") };
        format!("#   {name}{readings}: {}{by}\n", said(answer))
    };
    let (a, b) = (&pair.compared.0, &pair.compared.1);
    let mut out = format!("{}\n# {} of {}\n", head(), found.question, found.of);
    out.push_str(&side(&a.ruleset, &a.readings, &found.was, &found.decided_before));
    out.push_str(&side(&b.ruleset, &b.readings, &found.now, &found.decided_now));
    if !found.by.is_empty() {
        out.push_str(&format!("#   changed: {}\n", found.by.join("; ")));
    }
    match &found.case {
        Some(case) => out.push_str(case),
        None => {
            out.push_str("# No sentences of a case state this position and answer:\n");
            let position = serde_json::to_string_pretty(&found.position).unwrap_or_default();
            out.extend(position.lines().map(|line| format!("# {line}\n")));
        }
    }
    out
}
