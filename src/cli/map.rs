//! `sutler map`: a position drawn for the terminal, as SVG or as JSON.

use std::path::PathBuf;

use clap::ValueEnum;

use super::asked::named;
use super::open::{
    Question, asked, faulted, open_one, position, side_called, trace_called, wrong_id, wrong_name,
};
use super::page::width;
use super::{End, ends_in, json, message, print_and, save};
use crate::draw::{self, Nearby, Picture, Wanted};
use crate::ir::{KindId, TraceId};
use crate::kernel::Position;
use crate::map::{Coordinate, FARTHEST, FINEST, read_coordinate};
use crate::world::{ThingRef, World};

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
    /// Shows on every space whether this unit can get there by the legs of the trace, how far it
    /// is, and where it stops
    #[arg(long, value_name = "UNIT", conflicts_with = "side")]
    reach_of: Option<String>,
    /// Draws what lies around these units or spaces, and nothing else of the map
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    around: Vec<String>,
    /// How far around: links from area to area, hexes, or lengths on a table
    #[arg(long, value_name = "NUMBER", requires = "around")]
    away: Option<usize>,
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
    /// a picture as a page, for a browser or a phone
    Html,
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
    let format = format(args)?;
    let (mut project, rules) = open_one(&args.ruleset)?;
    let trace = match &args.question.trace {
        None if rules.traces.is_empty() => None,
        name => Some(trace_called(name.as_deref(), &rules)?),
    };
    let world = position(&args.question.position, &mut project, &rules)?;
    let position = asked(&rules, &world)?;
    let reach_of = reach_of(args, &position, trace)?;
    let side = args.side.as_deref().map(|name| side_called(name, &rules)).transpose()?;
    let wanted = Wanted {
        trace,
        side: reach_of.and_then(|unit| world.owner(unit)).or(side),
        units: match args.units.is_empty() {
            true => reach_of.into_iter().collect(),
            false => units(&args.units, &world)?,
        },
        reach_of,
        zones: units(&args.zones, &world)?,
        reach: reach(args)?,
    };
    let mut picture =
        draw::gather(&position, &wanted).map_err(|fault| faulted(&rules, &project, fault))?;
    if !args.around.is_empty() {
        nearby(args, format, &picture)?.crop(&mut picture);
    }
    Ok(match format {
        Drawn::Text => draw::text_within(&picture, width().min(draw::WIDE)),
        Drawn::Svg => draw::svg(&picture),
        Drawn::Html => draw::html(&picture),
        Drawn::Json => json(&draw::json(&picture)),
    })
}

/// The unit of which spaces say where it can get to.
fn reach_of(
    args: &Args,
    position: &Position<'_>,
    trace: Option<TraceId>,
) -> Result<Option<u32>, End> {
    let Some(name) = &args.reach_of else { return Ok(None) };
    let about = |trace: TraceId| position.rules.traces.get(trace.index()).map(|t| t.of);
    let of_units = trace
        .filter(|trace| about(*trace).is_some_and(|of| position.rules.top(of) == KindId::UNIT));
    let Some(trace) = of_units else {
        message(
            "error: no trace of units says where a unit can get to\n  help: name one with `--trace`\n",
        );
        return Err(End::Trouble);
    };
    let found = named(std::slice::from_ref(name), position, trace, |_| End::Trouble)?;
    Ok(found.into_iter().find_map(|thing| match thing {
        ThingRef::Unit(unit) => Some(unit),
        _ => None,
    }))
}

/// What `--around` names.
fn nearby(args: &Args, format: Drawn, picture: &Picture) -> Result<Nearby, End> {
    let whole = match format {
        Drawn::Json => Some("data"),
        Drawn::Text if picture.table.is_some() => Some("the sketch of a table"),
        _ => None,
    };
    if let Some(whole) = whole {
        message(&format!(
            "error: `--around` crops a drawing, and {whole} is whole\n  help: leave `--around` out, or add `--format svg` or `--format html`\n"
        ));
        return Err(End::Trouble);
    }
    let mut near = Nearby { away: args.away, ..Nearby::default() };
    let bases = || picture.table.iter().flat_map(|table| &table.bases);
    for name in args.around.iter().map(|n| n.trim()) {
        let unit = picture.units.iter().find(|unit| unit.id == name).map(|unit| unit.space);
        let space = || picture.spaces.iter().position(|space| space.id == name);
        if let Some(base) = bases().position(|base| base.id == name) {
            near.bases.push(base);
        } else if let Some(space) = unit.or_else(space) {
            near.spaces.push(space);
        } else {
            let units = picture.units.iter().map(|u| (u.id.as_str(), u.title.as_str()));
            let known: Vec<(&str, &str)> = units
                .chain(bases().map(|b| (b.id.as_str(), b.title.as_str())))
                .chain(picture.spaces.iter().map(|s| (s.id.as_str(), s.title.as_str())))
                .collect();
            wrong_id("unit on the map or space", name, &known);
            return Err(End::Trouble);
        }
    }
    Ok(near)
}

/// How to draw, and whether the name of the file agrees.
fn format(args: &Args) -> Result<Drawn, End> {
    const ENDINGS: [(Drawn, &str); 5] = [
        (Drawn::Svg, "svg"),
        (Drawn::Html, "html"),
        (Drawn::Html, "htm"),
        (Drawn::Json, "json"),
        (Drawn::Text, "txt"),
    ];
    let Some(path) = &args.out else { return Ok(args.format.unwrap_or(Drawn::Text)) };
    let of = |format: Drawn| ENDINGS.iter().filter(move |(drawn, _)| *drawn == format);
    let known: Vec<&str> = match args.format {
        Some(format) => of(format).map(|(_, ending)| *ending).collect(),
        None => ENDINGS.iter().map(|(_, ending)| *ending).collect(),
    };
    ends_in(path, &known)?;
    let named = ENDINGS
        .iter()
        .find(|(_, ending)| path.extension().is_some_and(|of| of.eq_ignore_ascii_case(ending)));
    Ok(args.format.or(named.map(|(drawn, _)| *drawn)).unwrap_or(Drawn::Text))
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
