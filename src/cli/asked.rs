//! What `explain`, `why-not` and `threat` share: the things that a trace is asked of, and a drawing
//! of the answer.

use std::path::Path;

use super::open::{Question, open_one, position, side_called, trace_called, wrong_id};
use super::{End, ends_in, message, save};
use crate::draw::{self, Overlay, Wanted, why_not_marks};
use crate::facade;
use crate::ir::{KindId, TraceId};
use crate::kernel::{EvalFault, Position, WhyNot, needs_viewer};
use crate::project::Loaded;
use crate::report::thing_name;
use crate::world::ThingRef;

/// A question, asked by a side where it is about spaces.
#[derive(clap::Args)]
pub(super) struct Asking {
    #[command(flatten)]
    pub question: Question,
    /// The side that asks, where the trace is about spaces; else the units of this side alone
    #[arg(long)]
    pub side: Option<String>,
}

impl Asking {
    /// The trace and the position, seen by the side that asks, of the ruleset of a path.
    pub(super) fn open(&self, ruleset: &Path) -> Result<(facade::Position, TraceId), End> {
        let (mut project, rules) = open_one(ruleset)?;
        let trace = trace_called(self.question.trace.as_deref(), &rules)?;
        let mut world = position(&self.question.position, &mut project, &rules)?;
        if let Some(name) = &self.side {
            world.viewer = Some(side_called(name, &rules)?);
        }
        if world.viewer.is_none() && needs_viewer(&rules, trace) {
            message(
                "error: this trace is about spaces, and nobody asks\n  help: name the side that asks with `--side`\n",
            );
            return Err(End::Trouble);
        }
        let resolved = project.rulesets.first_mut().map(Loaded::take_resolved).unwrap_or_default();
        let game = facade::Game::of(rules, resolved, std::mem::take(&mut project.sources));
        Ok((facade::Position::new(game, world), trace))
    }
}

impl Asking {
    /// Of things that were named, all must be of the side that is asked for; of others only those
    /// are kept.
    pub(super) fn of_side(
        &self,
        names: &[String],
        mut things: Vec<ThingRef>,
        position: &Position<'_>,
    ) -> Result<Vec<ThingRef>, End> {
        let Some(name) = &self.side else { return Ok(things) };
        let side = Some(side_called(name, position.rules)?);
        if let (false, Some(other)) =
            (names.is_empty(), things.iter().find(|t| position.viewer_of(**t) != side))
        {
            let other = thing_name(position.rules, position.world, *other);
            message(&format!(
                "error: `{other}` is not of `{name}`\n  help: take `--side` out, or name a unit of that side\n"
            ));
            return Err(End::Trouble);
        }
        things.retain(|t| position.viewer_of(*t) == side);
        Ok(things)
    }
}

/// The things that a trace is about, with their names.
pub(super) fn subjects<'a>(position: &Position<'a>, trace: TraceId) -> Vec<(ThingRef, &'a str)> {
    let Some(of) = position.rules.traces.get(trace.index()).map(|t| t.of) else {
        return Vec::new();
    };
    let world = position.world;
    let mut all: Vec<(ThingRef, &str)> = match position.rules.top(of) {
        KindId::SPACE => (0u32..)
            .zip(&position.map.spaces)
            .map(|(s, space)| (ThingRef::Space(s), space.id.as_str()))
            .collect(),
        _ => (0u32..)
            .zip(&world.units)
            .map(|(u, unit)| (ThingRef::Unit(u), unit.id.as_str()))
            .collect(),
    };
    all.retain(|(thing, _)| position.is_kind(*thing, of));
    all
}

/// Tells of a name that a trace is not asked about: a thing of another kind, one that stands
/// nowhere, or none at all.
pub(super) fn not_asked(
    name: &str,
    position: &Position<'_>,
    trace: TraceId,
    known: &[(ThingRef, &str)],
    unit: &str,
) {
    const MOST_LISTED: usize = 8;
    let rules = position.rules;
    let Some(trace) = rules.traces.get(trace.index()) else { return };
    let kind = |of: KindId| rules.kinds.get(of.index());
    let units = position.world.units.iter().map(|u| (u.id.as_str(), u.kind));
    let spaces = position.map.spaces.iter().map(|s| (s.id.as_str(), s.kind));
    let found = units.chain(spaces).find(|(id, _)| *id == name);
    let what = if rules.top(trace.of) == KindId::SPACE { "space" } else { unit };
    let ids: Vec<&str> = known.iter().map(|(_, id)| *id).collect();
    let Some((_, is)) = found else {
        let all: Vec<(&str, &str)> =
            known.iter().map(|(thing, id)| (*id, title_of(position, *thing))).collect();
        return wrong_id(what, name, &all);
    };
    let listed: Vec<String> = ids.iter().take(MOST_LISTED).map(|id| format!("`{id}`")).collect();
    let more = if ids.len() > MOST_LISTED { " and others" } else { "" };
    let whose = if listed.is_empty() {
        "none is there; name another trace with `--trace`".to_owned()
    } else {
        format!("name one of {}{more}, or another trace with `--trace`", listed.join(", "))
    };
    if rules.is_kind(is, trace.of) {
        message(&format!("error: `{name}` is not on the map\n  help: {whose}\n"));
        return;
    }
    let is = kind(is).map_or_else(String::new, |k| format!("of the kind `{}`", k.name));
    let about = kind(trace.of).map_or("", |k| k.plural.as_str());
    message(&format!(
        "error: `{name}` is {is}, and the trace `{}` is about {about}\n  help: {whose}\n",
        trace.name
    ));
}

fn title_of<'a>(position: &Position<'a>, thing: ThingRef) -> &'a str {
    let at = |index: u32| usize::try_from(index).unwrap_or(usize::MAX);
    match thing {
        ThingRef::Unit(unit) => position.world.units.get(at(unit)).map_or("", |u| u.title.as_str()),
        ThingRef::Space(space) => {
            position.map.spaces.get(at(space)).map_or("", |s| s.title.as_str())
        }
        _ => "",
    }
}

/// Says so where no thing was named and each has the yes of the trace: else nothing is printed.
pub(super) fn all_have_it(names: &[String], found: bool, position: &Position<'_>, trace: TraceId) {
    let Some(trace_of) = position.rules.traces.get(trace.index()) else { return };
    let words = position.rules.word_sets.get(trace_of.answers.index());
    let no = words.and_then(|set| set.words.get(1)).map_or("no", String::as_str);
    if names.is_empty() && !found {
        let named = subjects(position, trace);
        let such = named.first().map_or_else(String::new, |(_, id)| format!(", as in `{id}`"));
        message(&format!("nothing is {no}; name what you ask about{such}, to read its line\n"));
    }
}

/// The things of these names; if there are none, all that stand on the map and have the no of the
/// trace.
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
                not_asked(name, position, trace, &known, "unit");
                return Err(End::Trouble);
            }
        }
    }
    if names.is_empty() {
        for (thing, _) in known {
            let stands =
                !matches!(thing, ThingRef::Unit(u) if position.world.space_of(u).is_none());
            if stands && !position.answer(trace, thing).map_err(&broken)?.yes {
                wanted.push(thing);
            }
        }
    }
    Ok(wanted)
}

/// Draws the position with the lines of some units and something laid over it, and writes that to a
/// file.
pub(super) fn save_svg(
    path: &Path,
    position: &Position<'_>,
    trace: TraceId,
    units: Vec<u32>,
    overlay: Option<Overlay>,
    broken: impl Fn(EvalFault) -> End,
) -> Result<(), End> {
    ends_in(path, &["svg"])?;
    let wanted = Wanted { trace: Some(trace), units, ..Wanted::default() };
    let mut picture = draw::gather(position, &wanted).map_err(broken)?;
    picture.overlay = overlay;
    save(path, &draw::svg(&picture))
}

/// Draws the one thing that was asked about, with what was found of it laid over the map, and
/// writes that to a file.
pub(super) fn save_svg_of_one(
    path: &Path,
    position: &Position<'_>,
    trace: TraceId,
    wanted: &[ThingRef],
    found: impl Fn(ThingRef) -> Result<WhyNot, EvalFault>,
    broken: impl Fn(EvalFault) -> End,
) -> Result<(), End> {
    let [thing] = wanted else {
        message(&format!(
            "error: a drawing is of one thing, and {} are asked for\n  help: name one\n",
            wanted.len()
        ));
        return Err(End::Trouble);
    };
    let overlay = found(*thing)
        .and_then(|found| why_not_marks(position, trace, *thing, &found))
        .map_err(&broken)?;
    let units = if let ThingRef::Unit(unit) = thing { vec![*unit] } else { Vec::new() };
    save_svg(path, position, trace, units, Some(overlay).filter(|o| !o.marks.is_empty()), broken)
}
