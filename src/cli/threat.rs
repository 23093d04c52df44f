//! `sutler threat`: what would cut which units, and the spaces that no line can do without.

use std::path::PathBuf;

use super::asked::{save_svg, subjects};
use super::open::{Question, asked, faulted, side_called, wrong_name};
use super::{End, Format, json, message, printed};
use crate::draw::threat_marks;
use crate::ir::KindId;
use crate::kernel::Position;
use crate::report::{threat_report, threat_text};
use crate::world::ThingRef;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    question: Question,
    /// These units alone
    #[arg(long = "unit", value_name = "UNIT")]
    units: Vec<String>,
    /// The units of this side alone
    #[arg(long)]
    side: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Draws the position with the spaces that matter
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let (project, rules, trace, world) = args.question.open(&args.ruleset)?;
    if rules.traces.get(trace.index()).is_some_and(|t| rules.top(t.of) != KindId::UNIT) {
        message("error: this trace is about spaces, and what threatens is asked of units\n  help: name a trace of units with `--trace`\n");
        return Err(End::Trouble);
    }
    let position = asked(&rules, &world)?;
    let side = args.side.as_deref().map(|name| side_called(name, &rules)).transpose()?;
    let mut units = units(args, &position, trace)?;
    units.retain(|u| side.is_none() || world.owner(*u) == side);
    let (found, report) = threat_report(&position, trace, &units).map_err(|fault| faulted(&rules, &project, fault))?;
    if let Some(path) = &args.svg {
        let watched = found.units.iter().map(|u| u.unit).collect();
        let overlay = Some(threat_marks(&position, &found));
        save_svg(path, &position, trace, watched, overlay, |fault| faulted(&rules, &project, fault))?;
    }
    Ok(match args.format {
        Format::Json => json(&report),
        Format::Concise => report
            .cuts
            .iter()
            .map(|c| {
                let units: Vec<&str> = c.units.iter().map(|u| u.id.as_str()).collect();
                format!("{} {} {}: {}\n", c.change, c.what, c.space, units.join(" "))
            })
            .collect(),
        Format::Full => threat_text(&report),
    })
}

/// The units of the call that stand on the map; all of them if none is named.
fn units(args: &Args, position: &Position<'_>, trace: crate::ir::TraceId) -> Result<Vec<u32>, End> {
    let known: Vec<(u32, &str)> = subjects(position, trace)
        .into_iter()
        .filter_map(|(thing, id)| match thing {
            ThingRef::Unit(unit) if position.world.space_of(unit).is_some() => Some((unit, id)),
            _ => None,
        })
        .collect();
    for name in &args.units {
        if !known.iter().any(|(_, id)| id == name) {
            wrong_name("unit on the map", name, &known.iter().map(|(_, id)| *id).collect::<Vec<_>>());
            return Err(End::Trouble);
        }
    }
    let wanted = |id: &str| args.units.is_empty() || args.units.iter().any(|u| u == id);
    Ok(known.into_iter().filter(|(_, id)| wanted(id)).map(|(unit, _)| unit).collect())
}
