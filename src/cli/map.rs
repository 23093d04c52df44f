//! `sutler map`: a position drawn for the terminal, as SVG or as JSON.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::open::{
    Question, asked, faulted, open_one, position, side_called, trace_called, wrong_name,
};
use super::{End, json, message, print_and, save};
use crate::draw::{self, Wanted};
use crate::map::{Coordinate, FARTHEST, FINEST, read_coordinate};
use crate::world::World;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    question: Question,
    /// Shows on every space what the lines of this side can reach
    #[arg(long)]
    side: Option<String>,
    /// Draws the lines of these units alone
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    units: Vec<String>,
    /// On a table: draws the arc, the flanks and the rear of these units
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    zones: Vec<String>,
    /// How far these zones reach, a number or a fraction such as `7/2`; 2, if nothing is said
    #[arg(long, value_name = "LENGTH", requires = "zones")]
    reach: Option<String>,
    /// How to draw; what the name of `--out` ends in, else text
    #[arg(long, value_enum)]
    format: Option<Drawn>,
    /// Writes a file; an older one stays as it is until the new one is whole
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Drawn {
    /// for the terminal
    Text,
    /// a picture
    Svg,
    /// for programs
    Json,
}

pub(super) fn run(args: &Args) -> End {
    match (drawing(args), &args.out) {
        (Ok(text), Some(path)) => save(path, &text).map_or_else(|end| end, |()| End::Clean),
        (Ok(text), None) => print_and(&text, End::Clean),
        (Err(end), _) => end,
    }
}

fn drawing(args: &Args) -> Result<String, End> {
    let (mut project, rules) = open_one(&args.ruleset)?;
    let trace = match &args.question.trace {
        None if rules.traces.is_empty() => None,
        name => Some(trace_called(name.as_deref(), &rules)?),
    };
    let world = position(&args.question.position, &mut project, &rules)?;
    let wanted = Wanted {
        trace,
        side: args.side.as_deref().map(|name| side_called(name, &rules)).transpose()?,
        units: units(&args.units, &world)?,
        zones: units(&args.zones, &world)?,
        reach: reach(args)?,
    };
    let position = asked(&rules, &world)?;
    let picture =
        draw::gather(&position, &wanted).map_err(|fault| faulted(&rules, &project, fault))?;
    let ending = args.out.as_deref().and_then(Path::extension).and_then(|e| e.to_str());
    let format = args.format.unwrap_or(match ending {
        Some("svg") => Drawn::Svg,
        Some("json") => Drawn::Json,
        _ => Drawn::Text,
    });
    Ok(match format {
        Drawn::Text => draw::text(&picture),
        Drawn::Svg => draw::svg(&picture),
        Drawn::Json => json(&draw::json(&picture)),
    })
}

fn reach(args: &Args) -> Result<Option<Coordinate>, End> {
    let Some(text) = &args.reach else { return Ok(None) };
    let most = Coordinate::from_integer(FARTHEST);
    match read_coordinate(text).filter(|reach| {
        *reach > Coordinate::from_integer(0) && *reach <= most && *reach.denom() <= FINEST
    }) {
        Some(reach) => Ok(Some(reach)),
        None => {
            message(&format!(
                "error: zones cannot reach `{text}`\n  help: write a number such as `2` or `7/2`, at most {FARTHEST}\n"
            ));
            Err(End::Trouble)
        }
    }
}

fn units(names: &[String], world: &World) -> Result<Vec<u32>, End> {
    let known = || {
        (0u32..)
            .zip(&world.units)
            .filter(|(at, _)| world.space_of(*at).is_some() || world.stand(*at).is_some())
    };
    let mut wanted = Vec::new();
    for name in names.iter().map(|n| n.trim()) {
        match known().find(|(_, unit)| unit.id == name) {
            Some((at, _)) => wanted.push(at),
            None => {
                wrong_name(
                    "unit on the map",
                    name,
                    &known().map(|(_, unit)| unit.id.as_str()).collect::<Vec<_>>(),
                );
                return Err(End::Trouble);
            }
        }
    }
    Ok(wanted)
}
