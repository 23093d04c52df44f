//! The answers of a trace with what they rest on, kept right while a position changes.
//!
//! The gates of each sort of unit, and the same without others, are planes that follow the changes.
//! A unit is asked anew where it stands elsewhere, another condition on it decides, or a gate has
//! changed so near that its line may be another. The twin is [`Position::answer_and_route`], asked
//! afresh after each change.

use crate::arrange::Arrange as _;
use std::sync::Arc;

use super::followed::Followed;
use super::sheet::Sheet;
use super::tracers::{self, Inputs, Tracer, compile};
use crate::ir::{Relation, Ruleset, SideId, TraceId};
use crate::kernel::board::Bits;
use crate::kernel::evaluate::GatesKey;
use crate::kernel::line_planes::GatePlanes;
use crate::kernel::plane::Program;
use crate::kernel::shape::Shape;
use crate::kernel::{Answer, BatchFault, EvalFault, Gate, Position};
use crate::world::{ThingRef, World};

/// The units of a trace with their answers, which follow the changes of a position.
pub struct LiveEvidence {
    trace: TraceId,
    shape: Shape,
    sorts: Vec<Sort>,
    rows: Vec<Row>,
}

/// Units to which the gates of the trace look the same.
struct Sort {
    key: GatesKey,
    /// By side whether its units are friends, which are never left out.
    friends: Vec<bool>,
    planes: GatePlanes,
    /// The position as it is.
    now: Followed,
    /// Without the units that are no friends.
    bare: Followed,
    /// The same where the own side controls every space.
    turned: Followed,
    gates: Sheet,
    freed: Sheet,
    /// Where a gate has changed since the last update.
    touched: Bits,
}

/// One unit.
struct Row {
    tracer: Tracer,
    sort: usize,
    /// What its answer was worked out of; none where it has to be asked.
    known: Option<Known>,
}

/// What an answer was worked out of.
struct Known {
    inputs: Inputs,
    rests: Rests,
}

/// Which gates an answer rests on.
enum Rests {
    /// none
    Nowhere,
    /// those of these spaces
    Near(Bits),
    /// those of any space
    Anywhere,
}

impl std::fmt::Debug for LiveEvidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveEvidence").field("trace", &self.trace).finish_non_exhaustive()
    }
}

impl LiveEvidence {
    /// A trace of units.
    ///
    /// # Errors
    ///
    /// Why it cannot be followed so.
    pub fn new(rules: &Ruleset, world: &World, trace: TraceId) -> Result<LiveEvidence, BatchFault> {
        let shape = Shape::new(rules, world, &[])?;
        let position = Position::new(rules, &shape.template).ok_or(BatchFault::NoMap)?;
        let (mut sorts, mut rows) = (Vec::new(), Vec::new());
        for (key, units) in tracers::sorts(&position, &shape, trace)? {
            let made = compile(&position, &shape, (&key, &units), |_, _, planes| {
                Ok(planes.each().map(|(plane, _)| plane).collect())
            })?;
            let row = |tracer| Row { tracer, sort: sorts.len(), known: None };
            rows.extend(made.tracers.into_iter().map(row));
            sorts.push(Sort::new(&shape, key, made.planes, &made.program));
        }
        rows.arrange_by_key(|row| row.tracer.unit);
        drop(position);
        Ok(LiveEvidence { trace, shape, sorts, rows })
    }

    /// The trace that is followed.
    #[must_use]
    pub fn trace(&self) -> TraceId {
        self.trace
    }

    /// Puts a unit into a space or off the map; nothing changes if there is no such unit or space,
    /// or if the unit has left the game.
    pub fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        if self.shape.removed(unit as usize) {
            return;
        }
        let owner = self.shape.template.owner(unit);
        for sort in &mut self.sorts {
            sort.move_unit(unit, owner, space);
        }
    }

    /// Gives a space to a side, or to nobody; nothing changes if there is no such space.
    pub fn set_control(&mut self, space: u32, side: Option<SideId>) {
        for sort in &mut self.sorts {
            sort.now.set_control(space, side);
            sort.bare.set_control(space, side);
        }
    }

    /// Asks what has changed since the last call, and calls with each unit whose answer may be
    /// another, in the order of the position: its answer and route, or nothing where it stands off
    /// the map. The position must be that which the changes have led to.
    ///
    /// # Errors
    ///
    /// What cannot be worked out; after that nothing here is right any more.
    pub fn update(
        &mut self,
        position: &Position<'_>,
        mut call: impl FnMut(u32, Option<(Answer, Vec<u32>)>),
    ) -> Result<(), EvalFault> {
        self.sorts.iter_mut().for_each(Sort::update);
        let mut seeded = false;
        for row in &mut self.rows {
            let sort = &self.sorts[row.sort];
            let inputs = row.tracer.inputs(&sort.now);
            if row.known.as_ref().is_some_and(|known| known.holds(&inputs, &sort.touched)) {
                continue;
            }
            row.known = None;
            if inputs.row == sort.now.off() {
                row.known = Some(Known { inputs, rests: Rests::Nowhere });
                call(row.tracer.unit, None);
                continue;
            }
            if !std::mem::replace(&mut seeded, true) {
                self.sorts.iter().for_each(|sort| sort.tell(position));
            }
            let thing = ThingRef::Unit(row.tracer.unit);
            let (answer, route) = position.answer_and_route(self.trace, thing)?;
            let rests = rests_of(position, self.trace, thing, &answer, &inputs)?;
            // Which of `through` and `stopping in` bars a space is no plane, so that a no is asked
            // anew where the two are told apart.
            let kept = answer.yes || !told_apart(position, self.trace);
            row.known = kept.then_some(Known { inputs, rests });
            call(row.tracer.unit, Some((answer, route)));
        }
        Ok(())
    }
}

/// Whether answers tell apart what the gates of a leg ask together.
fn told_apart(position: &Position<'_>, trace: TraceId) -> bool {
    let rule = position.rules.traces.get(trace.index());
    rule.is_some_and(|rule| {
        rule.legs.iter().any(|leg| leg.stopping.is_some() || leg.by_source.is_some())
    })
}

impl Sort {
    fn new(shape: &Shape, key: GatesKey, planes: GatePlanes, program: &Program) -> Sort {
        let (world, viewer) = (&shape.template, key.1);
        let friend = |side: usize| {
            let relation = viewer.map(|viewer| world.relation(viewer, SideId::at(side)));
            matches!(relation, Some(Relation::Own | Relation::Allied))
        };
        let units = world.units.len();
        let followed = || Followed::of(program.clone(), units);
        let sheet = Sheet::new(&planes, program.rows);
        let mut sort = Sort {
            friends: (0..shape.sides).map(friend).collect(),
            now: followed(),
            bare: followed(),
            turned: followed(),
            freed: Sheet::new(&planes, program.rows),
            gates: sheet,
            touched: Bits::new(program.rows.div_ceil(64)),
            planes,
            key,
        };
        for unit in 0..u32::try_from(units).unwrap_or(u32::MAX) {
            sort.move_unit(unit, world.owner(unit), world.space_of(unit));
        }
        for space in 0..u32::try_from(shape.spaces).unwrap_or(u32::MAX) {
            let side = world.control(space);
            sort.now.set_control(space, side);
            sort.bare.set_control(space, side);
            sort.turned.set_control(space, viewer);
        }
        for followed in [&mut sort.now, &mut sort.bare, &mut sort.turned] {
            followed.operations.begin();
        }
        sort
    }

    fn move_unit(&mut self, unit: u32, owner: Option<SideId>, space: Option<u32>) {
        self.now.move_unit(unit, space);
        let friend = owner.and_then(|owner| self.friends.get(owner.index()).copied());
        if friend == Some(true) {
            self.bare.move_unit(unit, space);
            self.turned.move_unit(unit, space);
        }
    }

    /// Works out again what has changed, and where gates have.
    fn update(&mut self) {
        let Sort { now, bare, turned, planes, touched, .. } = self;
        for followed in [&mut *now, &mut *bare, &mut *turned] {
            followed.operations.update();
        }
        touched.reset(touched.0.len());
        self.gates.renew(planes, |plane, _, out| out.copy(now.operations.plane(plane)), touched);
        let without = |plane, is_gate, out: &mut Bits| {
            out.copy(bare.operations.plane(plane));
            if is_gate {
                out.or(turned.operations.plane(plane));
            }
        };
        self.freed.renew(planes, without, touched);
    }

    /// Tells a position the gates, which it then need not ask.
    fn tell(&self, position: &Position<'_>) {
        let mut known = position.worked.gates.borrow_mut();
        // Equal gates of a trace and side are one.
        let same = known.iter().find(|((trace, side, _), gates)| {
            (*trace, *side) == (self.key.0, self.key.1) && **gates == self.gates.gates
        });
        let gates = Arc::clone(same.map_or(&self.gates.gates, |(_, gates)| gates));
        known.insert(self.key.clone(), gates);
        position.worked.freed.borrow_mut().insert(self.key.clone(), Arc::clone(&self.freed.gates));
    }
}

impl Known {
    fn holds(&self, inputs: &Inputs, touched: &Bits) -> bool {
        self.inputs == *inputs
            && match &self.rests {
                Rests::Nowhere => true,
                Rests::Near(near) => !near.meets(touched),
                Rests::Anywhere => touched.is_empty(),
            }
    }
}

/// Which gates an answer rests on. A line rests on those that are no farther from its beginning
/// than it is long; a gate that stops every line within the budget, on those within the budget.
fn rests_of(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    answer: &Answer,
    inputs: &Inputs,
) -> Result<Rests, EvalFault> {
    if inputs.verdict.is_some() {
        return Ok(Rests::Nowhere);
    }
    let rule = &position.rules.traces[trace.index()];
    let [leg] = rule.legs.as_slice() else { return Ok(Rests::Anywhere) };
    // Where lengths count links, a line that is cheaper may be longer.
    let local = rule.relays.is_empty() && !leg.optional && !(rule.in_links && leg.cost.is_some());
    let Some(start) = answer.space.filter(|_| local) else { return Ok(Rests::Anywhere) };
    let stopped = matches!(answer.gate, Gate::From | Gate::Through | Gate::Stopping | Gate::Into);
    let far = match answer.length {
        Some(length) => Some(length),
        None if stopped && position.is_stopped_within(trace, thing, start)? => {
            inputs.budgets.first().copied().flatten().map(u32::from)
        }
        None => None,
    };
    let Some(far) = far else { return Ok(Rests::Anywhere) };
    let words = (position.map.spaces.len() + 1).div_ceil(64);
    let board = position.board();
    let net = board.net(Some(&leg.links));
    let near = net.near(board.layout(), position.map.spaces.len());
    let mut found = Bits::new(words);
    found.set(start);
    let (mut edge, mut next) = (vec![start], Vec::new());
    // No step costs less than 1.
    for _ in 0..far {
        for space in edge.drain(..).flat_map(|space: u32| near.of(space).iter().copied()) {
            if !found.get(space) {
                found.set(space);
                next.push(space);
            }
        }
        if next.is_empty() {
            break;
        }
        std::mem::swap(&mut edge, &mut next);
    }
    Ok(Rests::Near(found))
}
