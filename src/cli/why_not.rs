//! `sutler why-not`: why a unit is not supplied, and the cheapest changes that would restore it.

use std::path::PathBuf;

use super::asked::{Asking, all_have_it, named, save_svg_of_one};
use super::explain::concise;
use super::open::evaluated;
use super::page::page;
use super::{End, Format, json, printed};
use crate::ir::TraceId;
use crate::kernel::{EvalFault, Position};
use crate::report::{WhyNotReport, why_not_each, why_not_text};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// The units, or the spaces where the trace is about spaces; all that are not supplied, if none
    /// is named
    units: Vec<String>,
    #[command(flatten)]
    asking: Asking,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Draws the position with where every way out of one unit stops, and the cheapest change with
    /// its line
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let (position, trace) = args.asking.open(&args.ruleset)?;
    let all = evaluated(&position, |position, broken| reasons(args, position, trace, broken))?;
    Ok(match args.format {
        Format::Json => json(&serde_json::json!({ "schema": 1, "why_not": all })),
        Format::Concise => all
            .iter()
            .map(|r| {
                let best = r.remedies.first().or(r.removal.as_ref());
                let best =
                    best.map_or_else(String::new, |row| format!(" {} {}", row.cost, row.words));
                format!("{}{best}\n", concise(&r.why).trim_end())
            })
            .collect(),
        Format::Full => page(&all.iter().map(why_not_text).collect::<Vec<_>>().join("\n")),
    })
}

/// What is asked for, and the drawing of one of them.
fn reasons(
    args: &Args,
    position: &Position<'_>,
    trace: TraceId,
    broken: &dyn Fn(EvalFault) -> End,
) -> Result<Vec<WhyNotReport>, End> {
    let wanted = named(&args.units, position, trace, broken)?;
    let wanted = args.asking.of_side(&args.units, wanted, position)?;
    all_have_it(&args.units, !wanted.is_empty(), position, trace);
    let all = why_not_each(position, trace, &wanted).map_err(broken)?;
    if let Some(path) = &args.svg {
        let found = |thing| position.why_not_restored(trace, thing);
        save_svg_of_one(path, position, trace, &wanted, found, broken)?;
    }
    Ok(all)
}
