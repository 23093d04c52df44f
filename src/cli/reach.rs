//! `sutler reach`: where a unit can get to.

use std::path::PathBuf;

use super::asked::{Asking, named};
use super::open::evaluated;
use super::page::page;
use super::{End, Format, json, printed};
use crate::ir::TraceId;
use crate::kernel::{EvalFault, Position};
use crate::report::{ReachReport, reach_report, reach_text};
use crate::world::ThingRef;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// The units, or the spaces of a trace of spaces; all, if none is named
    units: Vec<String>,
    #[command(flatten)]
    asking: Asking,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let (position, trace) = args.asking.open(&args.ruleset)?;
    let all = evaluated(&position, |position, broken| reached(args, position, trace, broken))?;
    Ok(match args.format {
        Format::Json => json(&serde_json::json!({ "schema": 1, "reaches": all })),
        Format::Concise => all.iter().map(concise).collect(),
        Format::Full => page(&all.iter().map(reach_text).collect::<Vec<_>>().join("\n")),
    })
}

fn reached(
    args: &Args,
    position: &Position<'_>,
    trace: TraceId,
    broken: &dyn Fn(EvalFault) -> End,
) -> Result<Vec<ReachReport>, End> {
    let wanted: Vec<ThingRef> = match args.units.is_empty() {
        true => position.asked_about(trace).collect(),
        false => named(&args.units, position, trace, broken)?,
    };
    let wanted = args.asking.of_side(&args.units, wanted, position)?;
    wanted.into_iter().map(|thing| reach_report(position, trace, thing).map_err(broken)).collect()
}

/// One line for each space: who, where, how far, and by what it stops there.
fn concise(report: &ReachReport) -> String {
    let row = |row: &crate::report::ReachRow| {
        let stop = row.stop.map_or_else(String::new, |stop| format!(" {stop}"));
        format!("{} {} {}{stop}\n", report.id, row.space, row.length)
    };
    report.spaces.iter().map(row).collect()
}
