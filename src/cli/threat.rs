//! `sutler threat`: what would cut which units, and the spaces that no line can do without.

use std::path::PathBuf;

use super::asked::{Asking, not_asked, save_svg, subjects};
use super::open::{evaluated, side_called};
use super::page::page;
use super::{End, Format, json, printed};
use crate::draw::threat_marks;
use crate::ir::TraceId;
use crate::kernel::{EvalFault, Position};
use crate::report::{ThreatReport, threat_report, threat_text};
use crate::world::ThingRef;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    asking: Asking,
    /// These units alone, or these spaces where the trace is about spaces
    #[arg(long = "unit", value_name = "UNIT")]
    units: Vec<String>,
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
    let (position, trace) = args.asking.open(&args.ruleset)?;
    let report = evaluated(&position, |position, broken| found(args, position, trace, broken))?;
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
        Format::Full => page(&threat_text(&report)),
    })
}

/// What threatens whom, and the drawing of it.
fn found(
    args: &Args,
    position: &Position<'_>,
    trace: TraceId,
    broken: &dyn Fn(EvalFault) -> End,
) -> Result<ThreatReport, End> {
    let side = args.asking.side.as_deref();
    let side = side.map(|name| side_called(name, position.rules)).transpose()?;
    let mut things = things(args, position, trace)?;
    things.retain(|t| side.is_none() || position.viewer_of(*t) == side);
    let (found, report) = threat_report(position, trace, &things).map_err(broken)?;
    if let Some(path) = &args.svg {
        let units = |thing| if let ThingRef::Unit(unit) = thing { Some(unit) } else { None };
        let watched = found.units.iter().filter_map(|u| units(u.thing)).collect();
        // What cuts nothing is drawn without marks, and not called so.
        let overlay = Some(threat_marks(position, &found)).filter(|o| !o.marks.is_empty());
        save_svg(path, position, trace, watched, overlay, broken)?;
    }
    Ok(report)
}

/// The units of the call that stand on the map, or the spaces; all of them if none is named.
fn things(args: &Args, position: &Position<'_>, trace: TraceId) -> Result<Vec<ThingRef>, End> {
    let stands = |thing: ThingRef| match thing {
        ThingRef::Unit(unit) => position.world.space_of(unit).is_some(),
        _ => true,
    };
    let known: Vec<(ThingRef, &str)> =
        subjects(position, trace).into_iter().filter(|(t, _)| stands(*t)).collect();
    for name in &args.units {
        if !known.iter().any(|(_, id)| id == name) {
            not_asked(name, position, trace, &known, "unit on the map");
            return Err(End::Trouble);
        }
    }
    let wanted = |id: &str| args.units.is_empty() || args.units.iter().any(|u| u == id);
    Ok(known.into_iter().filter(|(_, id)| wanted(id)).map(|(thing, _)| thing).collect())
}
