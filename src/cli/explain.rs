//! `sutler explain`: why a unit is supplied or not.

use std::path::PathBuf;

use super::asked::{Asking, named, save_svg_of_one};
use super::open::evaluated;
use super::page::page;
use super::{End, Format, json, printed};
use crate::ir::TraceId;
use crate::kernel::{EvalFault, Position, WhyNot};
use crate::report::{Explanation, explain, explanation_text};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// The units to explain; every unit that is not supplied, if none is named
    units: Vec<String>,
    #[command(flatten)]
    asking: Asking,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Draws the position with the line of one unit, or with where every way out of it stops
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let (position, trace) = args.asking.open(&args.ruleset)?;
    let all = evaluated(&position, |position, broken| explained(args, position, trace, broken))?;
    Ok(match args.format {
        Format::Json => json(&serde_json::json!({ "schema": 1, "explanations": all })),
        Format::Concise => all.iter().map(concise).collect(),
        Format::Full => page(&all.iter().map(explanation_text).collect::<Vec<_>>().join("\n")),
    })
}

/// The explanations that are asked for, and the drawing of one of them.
fn explained(
    args: &Args,
    position: &Position<'_>,
    trace: TraceId,
    broken: &dyn Fn(EvalFault) -> End,
) -> Result<Vec<Explanation>, End> {
    let wanted = named(&args.units, position, trace, broken)?;
    let wanted = args.asking.of_side(&args.units, wanted, position)?;
    let mut all = Vec::new();
    for thing in &wanted {
        all.push(explain(position, trace, *thing).map_err(broken)?);
    }
    if let Some(path) = &args.svg {
        let only = |thing| {
            let answer = position.answer(trace, thing)?;
            Ok(WhyNot { answer, remedies: Vec::new(), removal: None, fewest: false, whole: true })
        };
        save_svg_of_one(path, position, trace, &wanted, only, broken)?;
    }
    Ok(all)
}

/// One line: who, what, by which gate and where.
pub(super) fn concise(e: &Explanation) -> String {
    format!(
        "{} {} {}{}\n",
        e.id,
        e.state,
        e.gate,
        e.stop.as_deref().map_or_else(String::new, |s| format!(" {s}"))
    )
}
