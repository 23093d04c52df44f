//! `sutler explain`: why a unit is supplied or not.

use std::path::PathBuf;

use super::asked::{Asking, all_have_it, named, save_svg_of_one};
use super::open::evaluated;
use super::page::page;
use super::{End, Format, json, printed, step};
use crate::ir::TraceId;
use crate::kernel::{EvalFault, Position, WhyNot};
use crate::report::{Explanation, Settling, explain, explanation_text, settling, settling_text};
use crate::world::ThingRef;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// The units to explain; every unit that is not supplied, if none is named
    units: Vec<String>,
    #[command(flatten)]
    asking: Asking,
    /// Goes space by space as the search settles them: how far, which gates are shut and why, and
    /// which steps lead on; at a terminal it waits for Enter
    #[arg(long)]
    step: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Draws the position with the line of one unit, or with where every way out of it stops
    #[arg(long, value_name = "FILE", conflicts_with = "step")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> End {
    if args.step {
        return match steps(args) {
            Ok(()) => End::Clean,
            Err(end) => end,
        };
    }
    printed(report(args))
}

/// The search of each thing space by space, and then its explanation.
fn steps(args: &Args) -> Result<(), End> {
    let (position, trace) = args.asking.open(&args.ruleset)?;
    let all = evaluated(&position, |position, broken| {
        let mut all = Vec::new();
        for thing in wanted(args, position, trace, broken)? {
            all.extend(
                settling(position, trace, thing).map_err(broken)?.into_iter().map(Step::Space),
            );
            all.push(Step::Whole(Box::new(explain(position, trace, thing).map_err(broken)?)));
        }
        Ok(all)
    })?;
    match args.format {
        Format::Json => step::lines(&all),
        Format::Full | Format::Concise => {
            let text = |step: &Step| match step {
                Step::Space(settling) => settling_text(settling),
                Step::Whole(explanation) => explanation_text(explanation),
            };
            step::show(&all.iter().map(|step| page(&text(step))).collect::<Vec<_>>())
        }
    }
}

/// One step: a space that is settled, or the whole of it.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Step {
    Space(Settling),
    Whole(Box<Explanation>),
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

/// The things that are asked about.
fn wanted(
    args: &Args,
    position: &Position<'_>,
    trace: TraceId,
    broken: &dyn Fn(EvalFault) -> End,
) -> Result<Vec<ThingRef>, End> {
    let wanted = named(&args.units, position, trace, broken)?;
    let wanted = args.asking.of_side(&args.units, wanted, position)?;
    all_have_it(&args.units, !wanted.is_empty(), position, trace);
    Ok(wanted)
}

/// The explanations that are asked for, and the drawing of one of them.
fn explained(
    args: &Args,
    position: &Position<'_>,
    trace: TraceId,
    broken: &dyn Fn(EvalFault) -> End,
) -> Result<Vec<Explanation>, End> {
    let wanted = wanted(args, position, trace, broken)?;
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
