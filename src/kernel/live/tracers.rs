//! The units of a trace sorted by what its gates see of them, each with what else its lines read:
//! where it stands, the first verdict that holds, and its budgets.

use super::followed::Followed;
use crate::ir::{KindId, Leg, Trace, TraceId};
use crate::kernel::batch::asks_slowly;
use crate::kernel::build::Builder;
use crate::kernel::evaluate::GatesKey;
use crate::kernel::line_planes::{Asker, GatePlanes};
use crate::kernel::lookup::LookupTable;
use crate::kernel::mover::Mover;
use crate::kernel::plane::{PlaneId, Program};
use crate::kernel::shape::Shape;
use crate::kernel::unit_condition::UnitCondition;
use crate::kernel::{BatchFault, EvalFault, Position};
use crate::world::{ThingRef, built_in};

/// A unit of a trace.
pub(super) struct Tracer {
    pub unit: u32,
    verdicts: Vec<UnitCondition>,
    /// Leg by leg; none for unlimited.
    budgets: Vec<Option<LookupTable>>,
}

/// What the lines of a unit rest on beside gates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inputs {
    /// The row where it stands.
    pub row: u32,
    /// The first verdict that holds.
    pub verdict: Option<usize>,
    pub budgets: Vec<Option<u16>>,
}

/// What is made for the units of a sort.
pub(super) struct Compiled {
    pub program: Program,
    pub planes: GatePlanes,
    pub tracers: Vec<Tracer>,
}

/// The units of a trace, in the order of the position, by what gates see of them.
///
/// # Errors
///
/// Where the trace is of spaces, or tells units apart by more than what never changes.
pub(super) fn sorts(
    position: &Position<'_>,
    shape: &Shape,
    trace: TraceId,
) -> Result<Vec<(GatesKey, Vec<u32>)>, BatchFault> {
    let rule = position.rules.traces.get(trace.index()).ok_or(BatchFault::NoTrace)?;
    if position.rules.top(rule.of) != KindId::UNIT {
        return Err(BatchFault::OfSpaces);
    }
    let mut sorts: Vec<(GatesKey, Vec<u32>)> = Vec::new();
    for unit in 0..u32::try_from(shape.template.units.len()).unwrap_or(u32::MAX) {
        if shape.removed(unit as usize) || !position.is_kind(ThingRef::Unit(unit), rule.of) {
            continue;
        }
        let key = sort_key(position, rule, trace, unit)?;
        match sorts.iter_mut().find(|(known, _)| *known == key) {
            Some((_, units)) => units.push(unit),
            None => sorts.push((key, vec![unit])),
        }
    }
    Ok(sorts)
}

fn sort_key(
    position: &Position<'_>,
    rule: &Trace,
    trace: TraceId,
    unit: u32,
) -> Result<GatesKey, BatchFault> {
    let thing = ThingRef::Unit(unit);
    let owner = position.world.owner(unit).ok_or(BatchFault::NotWhole)?;
    let facts = position.board().mover_facts(trace);
    let by_place = facts.gates.as_ref().is_some_and(|facts| facts.contains(&built_in::SPACE));
    let mover = position.mover(trace, thing);
    if rule.per_subject && by_place || matches!(mover, Some(Mover::Thing(_))) {
        return Err(BatchFault::PerSubject);
    }
    Ok((trace, Some(owner), mover))
}

/// The program of the units of a sort; `wants` makes more of it for each unit, and says which of
/// the planes of gates are read.
///
/// # Errors
///
/// What would have to be asked of each position slowly.
pub(super) fn compile<'a>(
    position: &'a Position<'a>,
    shape: &'a Shape,
    (key, units): (&GatesKey, &[u32]),
    mut wants: impl FnMut(&mut Builder<'a>, Asker, &GatePlanes) -> Result<Vec<PlaneId>, BatchFault>,
) -> Result<Compiled, BatchFault> {
    let mut build = Builder::new(position, shape);
    let (trace, viewer, _) = key;
    let rule = &position.rules.traces[trace.index()];
    let first = units.first().copied().ok_or(BatchFault::NoTrace)?;
    let asker = |unit| Asker { trace: *trace, thing: ThingRef::Unit(unit), viewer: *viewer };
    build.bound = rule.per_subject.then_some(first);
    let planes = build.gate_planes(asker(first))?;
    build.bound = None;
    let (mut wanted, mut slow, mut tracers) = (Vec::new(), Vec::new(), Vec::new());
    for unit in units {
        wanted.extend(wants(&mut build, asker(*unit), &planes)?);
        let verdicts: Vec<UnitCondition> = rule
            .verdicts
            .iter()
            .map(|verdict| build.unit_condition(verdict.when, *unit, *viewer, &mut slow))
            .collect();
        verdicts.iter().for_each(|verdict| verdict.planes(&mut |plane| wanted.push(plane)));
        let budgets =
            rule.legs.iter().map(|leg| budget(&build, leg, *unit)).collect::<Result<_, _>>()?;
        tracers.push(Tracer { unit: *unit, verdicts, budgets });
    }
    let (program, _) = build.finish(wanted)?;
    if !slow.is_empty() || asks_slowly(&program) {
        return Err(BatchFault::NotWhole);
    }
    Ok(Compiled { program, planes, tracers })
}

/// The budget of a unit on a leg, wherever it stands.
fn budget(build: &Builder<'_>, leg: &Leg, unit: u32) -> Result<Option<LookupTable>, BatchFault> {
    let Some(amount) = leg.within.amount else { return Ok(None) };
    let ask = |position: &Position<'_>| {
        let budget = position.budget_of(leg, ThingRef::Unit(unit))?;
        budget.and_then(|b| u16::try_from(b).ok()).ok_or(EvalFault::TooLarge(amount))
    };
    let reads = build.reader.of(amount);
    LookupTable::of(build, unit, 0, &reads, ask).map(Some).ok_or(BatchFault::NotWhole)
}

impl Tracer {
    /// What its lines rest on beside gates, as the position is now.
    pub(super) fn inputs(&self, now: &Followed) -> Inputs {
        let row = now.row(self.unit);
        let verdict = self.verdicts.iter().position(|verdict| now.holds(verdict, row));
        let at = |look: &LookupTable| look.at(row as usize, &|_| 0);
        let budgets = self.budgets.iter().map(|look| look.as_ref().map(at)).collect();
        Inputs { row, verdict, budgets }
    }
}
