//! `sutler ask`: any condition or amount, of each thing of a kind.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::batch;
use super::open::{PositionArgs, open_one, position, side_called};
use super::page::page;
use super::tables::{self, Tables, What};
use super::{End, Format, message, print, printed, trouble};
use crate::facade::{Faults, Game, Position, Question, Side};
use crate::ir::Ruleset;
use crate::project::{Loaded, Project};
use crate::report::{ValueReport, values_text};
use crate::stream::Lines;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// What is asked, in the words of the rules: `reach`, `any enemy army here`, `strength + 1`
    question: String,
    /// The kind of thing that is asked about; the world, if nothing is said
    #[arg(long, value_name = "KIND")]
    of: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// The side that asks how things stand to it; of units, only those of this side, but for a
    /// table, which has the columns of all
    #[arg(long)]
    side: Option<String>,
    /// Positions as JSON, one a line, in place of one; `-` is standard input. Or a table of
    /// positions, a row each: a file whose name ends in `.parquet`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "given", "rulings"])]
    positions: Option<PathBuf>,
    /// Where the answers to a table go: a file whose name ends in `.parquet`
    #[arg(long, value_name = "FILE", requires = "positions")]
    out: Option<PathBuf>,
    /// A column of the table that is no part of a position and goes into the answers as it is; any
    /// number of them
    #[arg(long, value_name = "COLUMN", requires = "out")]
    keep: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    match &args.positions {
        Some(path) => many(args, path).unwrap_or_else(|end| end),
        None => printed(one(args)),
    }
}

fn one(args: &Args) -> Result<String, End> {
    let (mut project, rules) = open_one(&args.ruleset)?;
    let mut world = position(&args.position, &mut project, &rules)?;
    if let Some(name) = &args.side {
        world.viewer = Some(side_called(name, &rules)?);
    }
    let game = game_of(&mut project, rules);
    let question = question(args, &game)?;
    let report = question.of(&Position::new(game, world)).map_err(trouble)?;
    let report = of_side(args, report);
    Ok(match args.format {
        Format::Json => super::json(&report),
        Format::Concise => values_text(&report, true),
        Format::Full => page(&values_text(&report, false)),
    })
}

/// Rules with their texts, ready to be asked.
pub(super) fn game_of(project: &mut Project, rules: Ruleset) -> Game {
    let resolved = project.rulesets.first_mut().map(Loaded::take_resolved).unwrap_or_default();
    Game::of(rules, resolved, std::mem::take(&mut project.sources))
}

fn question(args: &Args, game: &Game) -> Result<Question, End> {
    game.question(args.of.as_deref(), &args.question).map_err(trouble)
}

/// Of units those of the side that asks.
fn of_side(args: &Args, mut report: ValueReport) -> ValueReport {
    if let Some(side) = &args.side
        && report.values.iter().any(|row| row.space.is_some())
    {
        report.values.retain(|row| row.side.as_ref() == Some(side));
    }
    report
}

/// A line of values for each line of positions.
fn many(args: &Args, path: &Path) -> Result<End, End> {
    if let Some((positions, out)) = tables::named(path, args.out.as_deref())? {
        let tables = Tables {
            ruleset: &args.ruleset,
            positions,
            out,
            what: What::Question(&args.question, args.of.as_deref()),
            side: args.side.as_deref(),
            setup: args.position.setup.as_deref(),
            keep: &args.keep,
            jobs: super::threads(None),
        };
        return tables.answer();
    }
    if args.position.setup.is_some() {
        return Err(trouble("error: each line says itself which setup it is like"));
    }
    let (mut project, rules) = open_one(&args.ruleset)?;
    let side = args.side.as_deref().map(|name| side_called(name, &rules)).transpose()?;
    let game = game_of(&mut project, rules);
    let question = question(args, &game)?;
    let name = batch::name_of(path);
    let unread = |error| trouble(format!("error: `{name}` cannot be read: {error}"));
    let mut lines = Lines::new(batch::open(path).map_err(unread)?);
    let head = json!({
        "schema": 1, "ruleset": game.name(), "hash": game.hash(), "question": args.question, "of": args.of,
    });
    print(&format!("{head}\n"))?;
    let (mut end, mut told) = (End::Clean, String::new());
    while let Some(line) = lines.next_line().map_err(unread)? {
        let bytes = line.bytes().map_err(|fault| Faults::bare(*fault));
        if bytes.as_ref().is_ok_and(|bytes| bytes.trim_ascii().is_empty()) {
            continue;
        }
        let found =
            bytes.and_then(|bytes| game.position_called(&name, bytes)).and_then(|mut position| {
                if let Some(side) = side {
                    position.set_viewer(Some(Side(side.0)))?;
                }
                question.of(&position)
            });
        let values = match found {
            Ok(report) => {
                let rows = of_side(args, report).values.into_iter();
                let values: serde_json::Map<String, Json> = rows.map(|r| (r.id, r.value)).collect();
                json!({ "line": line.number, "values": values })
            }
            Err(faults) => {
                end = End::Findings;
                // What is wrong with the question is so on each line, and is said once.
                let text = faults.to_string();
                if text != told {
                    message(&format!("{name}, line {}: {text}\n", line.number));
                    told = text;
                }
                let fault = faults.first();
                let (code, said) = fault.map_or(("", ""), |f| (f.code, f.message.as_str()));
                json!({ "line": line.number, "error": { "code": code, "message": said } })
            }
        };
        print(&format!("{values}\n"))?;
    }
    Ok(end)
}
