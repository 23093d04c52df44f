//! `sutler explain`: why a unit is supplied or not.

use std::path::PathBuf;

use super::open::{Question, asked, faulted, wrong_name};
use super::{End, Format, json, printed};
use crate::report::{explain, explanation_text};
use crate::world::ThingRef;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// The units to explain; every unit that is not supplied, if none is named
    units: Vec<String>,
    #[command(flatten)]
    question: Question,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let (project, rules, trace, world) = args.question.open(&args.ruleset)?;
    let position = asked(&rules, &world)?;
    let broken = |fault| faulted(&rules, &project, fault);
    let of = rules.traces.get(trace.index()).map(|t| t.of).ok_or(End::Trouble)?;
    let known: Vec<(u32, &str)> = (0u32..)
        .zip(&world.units)
        .filter(|(u, _)| position.is_kind(ThingRef::Unit(*u), of))
        .map(|(u, unit)| (u, unit.id.as_str()))
        .collect();
    let mut wanted: Vec<u32> = Vec::new();
    for name in &args.units {
        match known.iter().find(|(_, id)| id == name) {
            Some((u, _)) => wanted.push(*u),
            None => {
                wrong_name("unit", name, &known.iter().map(|(_, id)| *id).collect::<Vec<_>>());
                return Err(End::Trouble);
            }
        }
    }
    if args.units.is_empty() {
        for (u, _) in &known {
            if world.space_of(*u).is_some() && !position.answer(trace, ThingRef::Unit(*u)).map_err(broken)?.yes {
                wanted.push(*u);
            }
        }
    }
    let mut all = Vec::new();
    for unit in wanted {
        all.push(explain(&position, trace, ThingRef::Unit(unit)).map_err(broken)?);
    }
    Ok(match args.format {
        Format::Json => json(&serde_json::json!({ "schema": 1, "explanations": all })),
        Format::Concise => all
            .iter()
            .map(|e| format!("{} {} {}{}\n", e.id, e.state, e.gate, e.stop.as_deref().map_or_else(String::new, |s| format!(" {s}"))))
            .collect(),
        Format::Full => all.iter().map(explanation_text).collect::<Vec<_>>().join("\n"),
    })
}
