//! Positions drawn: as pictures, as text, and as data for programs that draw themselves.

use serde_json::Value;

use super::{Faults, Position, Side, Space, Thing, Trace, Unit};
use crate::draw::{self, Answered, Overlay, Picture, Wanted, threat_marks, why_not_marks};
use crate::ir::KindId;
use crate::kernel::{EvalFault, Position as Asked};
use crate::report::{ThreatReport, threat_report};
use crate::world::ThingRef;

/// What a drawing shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The trace whose lines are drawn.
    pub trace: Option<Trace>,
    /// The side whose lines are shown on the spaces.
    pub side: Option<Side>,
    /// The units whose lines are drawn; all if it is empty.
    pub units: Vec<Unit>,
    /// What is laid over the map.
    pub laid: Laid,
}

/// What is laid over the map of a drawing with a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Laid {
    /// nothing
    #[default]
    Nothing,
    /// where every way out of a thing stops, and the cheapest change that restores its line
    WhyNot(Thing),
    /// what would cut these things, or all if none is named
    Threat(Vec<Thing>),
}

impl Position {
    /// The drawing as SVG.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn svg(&self, drawing: &Drawing) -> Result<String, Faults> {
        self.drawn(drawing, draw::svg)
    }

    /// The drawing for a terminal.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn sketch(&self, drawing: &Drawing) -> Result<String, Faults> {
        self.drawn(drawing, draw::text)
    }

    /// The drawing as data, as `sutler map --format json` prints it.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn picture(&self, drawing: &Drawing) -> Result<Value, Faults> {
        self.drawn(drawing, draw::json)
    }

    /// Where the drawing puts the spaces, in tenths of a pixel, with the colours of the sides; the
    /// same for all positions on a map.
    ///
    /// # Errors
    ///
    /// That the ruleset has no map.
    pub fn scene(&self) -> Result<Value, Faults> {
        self.drawn(&Drawing::default(), draw::scene)
    }

    /// What changes from one position to the next: units with their answers and lines, control, and
    /// how spaces stand to the lines of a side. Spaces and sides are numbers, as in the scene.
    ///
    /// After a change this costs what the change makes a difference to, where the rules allow that.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn frame(&self, drawing: &Drawing) -> Result<Value, Faults> {
        let wanted = wanted(drawing);
        let known = match drawing.trace {
            Some(trace) if !self.game().is_about_spaces(trace) => self.answered(trace)?,
            _ => Vec::new(),
        };
        Ok(draw::frame(&self.with(|position| draw::gather_moving(position, &wanted, &known))?))
    }

    /// The answers of all units, as a frame shows them, by their places.
    fn answered(&self, trace: Trace) -> Result<Vec<Option<Answered>>, Faults> {
        let rules = self.game().rules();
        let sources = rules.traces.get(trace.inner().index()).map_or(&[][..], |t| &t.sources);
        let space = |space: &Space| space.0 as usize;
        let mut known = vec![None; self.world().units.len()];
        for row in self.evidence(trace)? {
            let Thing::Unit(Unit(unit)) = row.thing else { continue };
            let Some(place) = known.get_mut(unit as usize) else { continue };
            let source = row.source.and_then(|at| sources.get(usize::from(at)));
            let line: Vec<u32> =
                row.route.iter().map(|space| space.0).filter(|_| row.yes).collect();
            let over = self.with(|position| Ok(draw::gone_over(position, trace.inner(), &line)))?;
            *place = Some(Answered {
                yes: row.yes,
                gate: row.gate,
                stop: row.stop.as_ref().map(space),
                cut: Vec::new(),
                length: row.distance,
                source: source.map(|source| source.name.clone()),
                route: line.iter().map(|space| *space as usize).collect(),
                over,
            });
        }
        Ok(known)
    }

    /// What would cut these things, of those that have their yes; all that the trace is about, if
    /// none is named.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, or asked of such a thing.
    pub fn threat(&self, trace: Trace, of: &[Thing]) -> Result<ThreatReport, Faults> {
        let things = self.threatened(trace, of)?;
        self.with(|position| Ok(threat_report(position, trace.inner(), &things)?.1))
    }

    fn threatened(&self, trace: Trace, of: &[Thing]) -> Result<Vec<ThingRef>, Faults> {
        self.can_ask(trace)?;
        if !of.is_empty() {
            return of.iter().map(|thing| self.checked(trace, *thing)).collect();
        }
        self.with(|position| Ok(all_of(position, trace)))
    }

    fn drawn<T>(&self, drawing: &Drawing, draw: impl FnOnce(&Picture) -> T) -> Result<T, Faults> {
        let laid = self.laid(drawing)?;
        let wanted = wanted(drawing);
        let picture = self.with(|position| {
            let mut picture = draw::gather(position, &wanted)?;
            picture.overlay = laid(position)?.filter(|o| !o.marks.is_empty());
            Ok(picture)
        })?;
        Ok(draw(&picture))
    }

    /// What is to be laid over the map, once the kernel is asked.
    #[expect(clippy::type_complexity, reason = "named nowhere else")]
    fn laid<'d>(
        &self,
        drawing: &'d Drawing,
    ) -> Result<Box<dyn FnOnce(&Asked<'_>) -> Result<Option<Overlay>, EvalFault> + 'd>, Faults>
    {
        let Some(trace) = drawing.trace else { return Ok(Box::new(|_| Ok(None))) };
        let id = trace.inner();
        Ok(match &drawing.laid {
            Laid::Nothing => Box::new(|_| Ok(None)),
            Laid::WhyNot(thing) => {
                let thing = self.checked(trace, *thing)?;
                Box::new(move |position| {
                    let found = position.why_not_restored(id, thing)?;
                    why_not_marks(position, id, thing, &found).map(Some)
                })
            }
            Laid::Threat(of) => {
                let things = self.threatened(trace, of)?;
                Box::new(move |position| {
                    let found = position.threat(id, &things)?;
                    Ok(Some(threat_marks(position, &found)))
                })
            }
        })
    }
}

fn wanted(drawing: &Drawing) -> Wanted {
    Wanted {
        trace: drawing.trace.map(Trace::inner),
        side: drawing.side.map(Side::inner),
        units: drawing.units.iter().map(|unit| unit.0).collect(),
        ..Wanted::default()
    }
}

/// All that a trace is about and that stands on the map.
fn all_of(position: &Asked<'_>, trace: Trace) -> Vec<ThingRef> {
    let Some(of) = position.rules.traces.get(trace.inner().index()).map(|t| t.of) else {
        return Vec::new();
    };
    let count = |all: usize| 0..u32::try_from(all).unwrap_or(u32::MAX);
    let things: Vec<ThingRef> = match position.rules.top(of) {
        KindId::SPACE => count(position.map.spaces.len()).map(ThingRef::Space).collect(),
        _ => count(position.world.units.len())
            .filter(|unit| position.world.space_of(*unit).is_some())
            .map(ThingRef::Unit)
            .collect(),
    };
    things.into_iter().filter(|thing| position.is_kind(*thing, of)).collect()
}
