//! Where the units of a trace can get to, kept right while a position changes.
//!
//! A unit is searched anew where it stands elsewhere, another condition on it decides, its budget
//! is another, or a gate has changed in a space that its search has come to. The twin is
//! [`Position::reach`], asked afresh after each change.

use super::followed::Followed;
use super::search::{Ground, Lists, Searcher};
use super::tracers::{self, Inputs, Tracer, compile};
use crate::arrange::Arrange as _;
use crate::ir::{Ruleset, SideId, Trace, TraceId};
use crate::kernel::board::Bits;
use crate::kernel::line_planes::{GatePlanes, Steps};
use crate::kernel::shape::Shape;
use crate::kernel::{BatchFault, Position};
use crate::world::World;

/// The units of a trace with where they can get to, which follow the changes of a position.
pub struct LiveReach {
    trace: TraceId,
    shape: Shape,
    optional: bool,
    /// By verdict of the trace whether it leaves every line.
    always: Vec<bool>,
    sorts: Vec<Sort>,
    rows: Vec<Row>,
    room: Room,
}

/// What searches work with.
struct Room {
    searcher: Searcher,
    /// Where one search has come to.
    here: Bits,
    /// Where the unit can get to, in the order of the map, and how far that is.
    found: Vec<(u32, u32)>,
}

/// Units to which the gates of the trace look the same.
struct Sort {
    planes: GatePlanes,
    now: Followed,
    /// By set of steps whither they lead.
    onto: Vec<Lists>,
    /// The planes of the gates as they were last.
    last: Vec<Bits>,
    /// Where a gate has changed since the last update.
    touched: Bits,
}

/// One unit.
struct Row {
    tracer: Tracer,
    sort: usize,
    /// The steps of each leg.
    steps: Vec<Steps>,
    /// What its reach was worked out of; none where it has to be searched.
    known: Option<Inputs>,
    /// The spaces that its search has come to.
    near: Bits,
}

impl std::fmt::Debug for LiveReach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveReach").field("trace", &self.trace).finish_non_exhaustive()
    }
}

impl LiveReach {
    /// A trace of units whose lines are one leg, or one of several.
    ///
    /// # Errors
    ///
    /// Why it cannot be followed so.
    pub fn new(rules: &Ruleset, world: &World, trace: TraceId) -> Result<LiveReach, BatchFault> {
        let shape = Shape::new(rules, world, &[])?;
        let position = Position::new(rules, &shape.template).ok_or(BatchFault::NoMap)?;
        let rule = rules.traces.get(trace.index()).ok_or(BatchFault::NoTrace)?;
        if !is_plain(rule) {
            return Err(BatchFault::NotPlain);
        }
        let words = (shape.spaces + 1).div_ceil(64);
        let (mut sorts, mut rows) = (Vec::new(), Vec::new());
        for (key, units) in tracers::sorts(&position, &shape, trace)? {
            let mut steps = Vec::new();
            let made = compile(&position, &shape, (&key, &units), |build, asker, planes| {
                let of = |leg| build.steps(asker, leg);
                steps.push((0..rule.legs.len()).map(of).collect::<Result<Vec<Steps>, _>>()?);
                Ok(planes.legs.iter().flatten().flatten().copied().collect())
            })?;
            let row = |(tracer, steps)| Row {
                tracer,
                sort: sorts.len(),
                steps,
                known: None,
                near: Bits::default(),
            };
            rows.extend(made.tracers.into_iter().zip(steps).map(row));
            let onto = made.program.ways.iter().map(|way| Lists::onto(&way.by_cost)).collect();
            let now = Followed::begun(made.program, &shape);
            let last = Vec::new();
            sorts.push(Sort { planes: made.planes, now, onto, last, touched: Bits::new(words) });
        }
        rows.arrange_by_key(|row| row.tracer.unit);
        drop(position);
        Ok(LiveReach {
            trace,
            optional: rule.legs.iter().any(|leg| leg.optional),
            always: rule.verdicts.iter().map(|verdict| verdict.always).collect(),
            room: Room {
                searcher: Searcher::new(shape.spaces + 1),
                here: Bits::default(),
                found: Vec::new(),
            },
            shape,
            sorts,
            rows,
        })
    }

    /// The trace that is followed.
    #[must_use]
    pub fn trace(&self) -> TraceId {
        self.trace
    }

    /// Puts a unit into a space or off the map; nothing changes if there is no such unit or space,
    /// or if the unit has left the game.
    pub fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        if !self.shape.removed(unit as usize) {
            self.sorts.iter_mut().for_each(|sort| sort.now.move_unit(unit, space));
        }
    }

    /// Gives a space to a side, or to none; nothing changes if there is no such space.
    pub fn set_control(&mut self, space: u32, side: Option<SideId>) {
        self.sorts.iter_mut().for_each(|sort| sort.now.set_control(space, side));
    }

    /// Searches what the changes since the last call have touched, and calls with each unit whose
    /// reach may be another, in the order of the position: the spaces in the order of the map, each
    /// with how far it is; nothing where the unit stands off the map.
    pub fn update(&mut self, mut call: impl FnMut(u32, Option<&[(u32, u32)]>)) {
        self.sorts.iter_mut().for_each(Sort::update);
        let LiveReach { sorts, rows, room, always, optional, .. } = self;
        for row in rows {
            let sort = &sorts[row.sort];
            let inputs = row.tracer.inputs(&sort.now);
            if row.known.as_ref() == Some(&inputs) && !row.near.meets(&sort.touched) {
                continue;
            }
            row.near.reset(sort.touched.0.len());
            room.found.clear();
            let off = inputs.row == sort.now.off();
            let barred = inputs.verdict.is_some_and(|verdict| always.get(verdict) == Some(&false));
            if !off && !barred {
                row.search(sort, room, &inputs);
                let Room { found, .. } = room;
                if *optional {
                    found.push((inputs.row, 0));
                }
                // Of the ways of several legs the shortest to each space; one leg is in order.
                if *optional || row.steps.len() > 1 {
                    found.arrange();
                    found.dedup_by_key(|(space, _)| *space);
                }
            }
            row.known = Some(inputs);
            call(row.tracer.unit, (!off).then_some(room.found.as_slice()));
        }
    }
}

/// Whether each line is one leg, in which the cheapest way is the shortest.
fn is_plain(rule: &Trace) -> bool {
    let counted = rule.in_links && rule.legs.iter().any(|leg| leg.cost.is_some());
    rule.places == 1 && rule.relays.is_empty() && !counted
}

impl Sort {
    /// Works out again what has changed, and where gates have.
    fn update(&mut self) {
        let Sort { planes, now, last, touched, .. } = self;
        now.operations.update();
        touched.reset(touched.0.len());
        let gates = planes.legs.iter().flatten().flatten();
        last.resize(gates.clone().count(), Bits::default());
        for (plane, last) in gates.zip(last) {
            let plane = now.operations.plane(*plane);
            last.0.resize(plane.0.len(), 0);
            for ((new, old), touched) in plane.0.iter().zip(&mut last.0).zip(&mut touched.0) {
                *touched |= new ^ *old;
                *old = *new;
            }
        }
    }
}

impl Row {
    /// The spaces to which each leg leads from where the unit stands.
    fn search(&mut self, sort: &Sort, room: &mut Room, inputs: &Inputs) {
        let (near, Room { searcher, here, found }) = (&mut self.near, room);
        near.set(inputs.row);
        for ((gates, steps), budget) in
            sort.planes.legs.iter().zip(&self.steps).zip(&inputs.budgets)
        {
            let [from, through, into] =
                gates.map(|plane| plane.map(|plane| sort.now.operations.plane(plane)));
            if from.is_some_and(|from| !from.get(inputs.row)) {
                continue;
            }
            let Some(way) = sort.onto.get(steps.way) else { continue };
            let most = budget.map(|budget| u32::from(budget) / steps.unit);
            searcher.search(&Ground { way, through, most }, std::iter::once(inputs.row));
            searcher.take_in_order(here, |space, length| {
                if into.is_none_or(|into| into.get(space)) {
                    found.push((space, length * steps.unit));
                }
            });
            near.or(here);
        }
    }
}
