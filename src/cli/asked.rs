//! What `explain`, `why-not` and `threat` share: the things that a trace is asked of, and a drawing of the answer.

use std::path::Path;

use super::open::{Question, open_one, position, trace_called, wrong_name};
use super::{End, message, stderr_style, told};
use crate::diag;
use crate::draw::{self, Overlay, Wanted};
use crate::ir::{KindId, Ruleset, SideId, TraceId};
use crate::kernel::{EvalFault, Position};
use crate::project::Project;
use crate::source::SourceMap;
use crate::world::{ThingRef, World};

/// A question, asked by a side where it is about spaces.
#[derive(clap::Args)]
pub(super) struct Asking {
    #[command(flatten)]
    pub question: Question,
    /// The side that asks, where the trace is about spaces
    #[arg(long)]
    pub side: Option<String>,
}

impl Asking {
    /// The ruleset of a path with its project, the trace and the position, seen by the side that asks.
    pub(super) fn open(&self, ruleset: &Path) -> Result<(Project, Ruleset, TraceId, World), End> {
        let (mut project, rules) = open_one(ruleset)?;
        let trace = trace_called(self.question.trace.as_deref(), &rules)?;
        let mut world = position(&self.question.position, &mut project, &rules)?;
        if let Some(name) = &self.side {
            world.viewer = Some(side_called(name, &rules)?);
        }
        let about_spaces = rules.traces.get(trace.index()).is_some_and(|t| rules.top(t.of) == KindId::SPACE);
        if about_spaces && world.viewer.is_none() && !rules.sides.is_empty() {
            message("error: this trace is about spaces, and nobody asks\n  help: name the side that asks with `--side`\n");
            return Err(End::Trouble);
        }
        Ok((project, rules, trace, world))
    }
}

/// The side of a name.
pub(super) fn side_called(name: &str, rules: &Ruleset) -> Result<SideId, End> {
    match rules.sides.iter().position(|s| s.name == name) {
        Some(at) => Ok(SideId::at(at)),
        None => {
            wrong_name("side", name, &rules.sides.iter().map(|s| s.name.as_str()).collect::<Vec<_>>());
            Err(End::Trouble)
        }
    }
}

/// The things that a trace is about, with their names.
pub(super) fn subjects<'a>(position: &Position<'a>, trace: TraceId) -> Vec<(ThingRef, &'a str)> {
    let Some(of) = position.rules.traces.get(trace.index()).map(|t| t.of) else { return Vec::new() };
    let world = position.world;
    let mut all: Vec<(ThingRef, &str)> = match position.rules.top(of) {
        KindId::SPACE => (0u32..).zip(&position.map.spaces).map(|(s, space)| (ThingRef::Space(s), space.id.as_str())).collect(),
        _ => (0u32..).zip(&world.units).map(|(u, unit)| (ThingRef::Unit(u), unit.id.as_str())).collect(),
    };
    all.retain(|(thing, _)| position.is_kind(*thing, of));
    all
}

/// The things of these names; if there are none, all that stand on the map and have the no of the trace.
pub(super) fn named(
    names: &[String],
    position: &Position<'_>,
    trace: TraceId,
    broken: impl Fn(EvalFault) -> End,
) -> Result<Vec<ThingRef>, End> {
    let known = subjects(position, trace);
    let mut wanted = Vec::new();
    for name in names {
        match known.iter().find(|(_, id)| id == name) {
            Some((thing, _)) => wanted.push(*thing),
            None => {
                let what = if matches!(known.first(), Some((ThingRef::Space(_), _))) { "space" } else { "unit" };
                wrong_name(what, name, &known.iter().map(|(_, id)| *id).collect::<Vec<_>>());
                return Err(End::Trouble);
            }
        }
    }
    if names.is_empty() {
        for (thing, _) in known {
            let stands = !matches!(thing, ThingRef::Unit(u) if position.world.space_of(u).is_none());
            if stands && !position.answer(trace, thing).map_err(&broken)?.yes {
                wanted.push(thing);
            }
        }
    }
    Ok(wanted)
}

/// Draws the position with the lines of some units and something laid over it, and writes that to a file.
pub(super) fn save_svg(
    path: &Path,
    position: &Position<'_>,
    trace: TraceId,
    units: Vec<u32>,
    overlay: Option<Overlay>,
    broken: impl Fn(EvalFault) -> End,
) -> Result<(), End> {
    let wanted = Wanted { trace: Some(trace), units, ..Wanted::default() };
    let mut picture = draw::gather(position, &wanted).map_err(broken)?;
    picture.overlay = overlay;
    crate::output::save(path, draw::svg(&picture).as_bytes()).map_err(|fault| {
        told(&diag::render(&[fault], &SourceMap::new(), diag::Format::Full, stderr_style()));
        End::Trouble
    })
}
