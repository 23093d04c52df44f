//! `sutler why-not`: why a unit is not supplied, and the cheapest changes that would restore it.

use std::path::PathBuf;

use super::asked::{Asking, named, save_svg_of_one};
use super::explain::concise;
use super::open::{asked, faulted};
use super::{End, Format, json, printed};
use crate::report::{why_not, why_not_text};

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
    let (project, rules, trace, world) = args.asking.open(&args.ruleset)?;
    let position = asked(&rules, &world)?;
    let broken = |fault| faulted(&rules, &project, fault);
    let wanted = named(&args.units, &position, trace, broken)?;
    let wanted = args.asking.of_side(&args.units, wanted, &position)?;
    let mut all = Vec::new();
    for thing in &wanted {
        all.push(why_not(&position, trace, *thing).map_err(broken)?);
    }
    if let Some(path) = &args.svg {
        save_svg_of_one(
            path,
            &position,
            trace,
            &wanted,
            |thing| position.why_not_restored(trace, thing),
            broken,
        )?;
    }
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
        Format::Full => all.iter().map(why_not_text).collect::<Vec<_>>().join("\n"),
    })
}
