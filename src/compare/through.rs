//! Tables and tests to which a change of the rules comes by the answers of traces alone: where all
//! of these answer a position alike, nothing has to be asked.
//!
//! Takes what a question is made of under both rulesets; gives the traces on which it hangs. The
//! slow twin is [`super::flips`], which asks everything.

use std::collections::BTreeSet;

use super::answers::{self, word};
use super::prepared::Together;
use super::suspects::Suspects;
use crate::ir::*;
use crate::kernel::Position;
use crate::world::ThingRef;

/// The traces, under the first and the second ruleset, whose answers alone a change reaches
/// something by.
pub(super) type Through = Vec<(TraceId, TraceId)>;

/// The traces on which an item hangs; none where a change can come to it by another way.
pub(super) fn through(
    (a, b): (&Ruleset, &Ruleset),
    (was, now): (answers::Asked, answers::Asked),
    name: &str,
    suspects: &Suspects<'_>,
) -> Option<Through> {
    if !suspects.only_by_traces(name) {
        return None;
    }
    let (before, after) = (read(a, was)?, read(b, now)?);
    let named = |rules: &Ruleset, trace: &TraceId| {
        rules.traces.get(trace.index()).map(|trace| trace.name.clone())
    };
    let names: BTreeSet<String> = before
        .iter()
        .filter_map(|t| named(a, t))
        .chain(after.iter().filter_map(|t| named(b, t)))
        .collect();
    let both = |name: &String| Some((trace_called(a, name)?, trace_called(b, name)?));
    names.iter().filter(|name| suspects.can_touch(name)).map(both).collect()
}

/// The trace of a name.
pub(super) fn trace_called(rules: &Ruleset, name: &str) -> Option<TraceId> {
    rules.traces.iter().position(|trace| trace.name == name).map(TraceId::at)
}

/// The traces of units whose answers a table or a test reads; none where it reads more of a trace
/// than its answer, or something of which nobody can say what it reads.
pub(super) fn read(rules: &Ruleset, asked: answers::Asked) -> Option<BTreeSet<TraceId>> {
    let starts = match asked {
        answers::Asked::Trace(_) => return None,
        answers::Asked::Table(table) => rules.tables.get(table.index())?.parts(),
        answers::Asked::Test(test) => rules.tests.get(test.index())?.parts(),
    };
    let (mut found, mut plain): (BTreeSet<TraceId>, bool) = (BTreeSet::new(), true);
    let stays = |part| !matches!(part, Part::Trace(_));
    rules.walk(starts, stays, |_, id| {
        let node = rules.node(id);
        let answer = matches!(node, Node::Verdict(..));
        rules.for_each_part(node, &mut |part| match part {
            Part::Trace(trace) if answer => found.extend([trace]),
            Part::Trace(_) | Part::Hook(_) => plain = false,
            Part::Expr(_) | Part::Define(_) | Part::Table(_) => {}
            Part::Pair(_) | Part::Test(_) | Part::Choice(_) => {}
        });
    });
    let of_units = |trace: &TraceId| {
        rules.traces.get(trace.index()).is_some_and(|trace| rules.top(trace.of) == KindId::UNIT)
    };
    (plain && found.iter().all(of_units)).then_some(found)
}

/// Whether the traces answer alike, of each unit, under both rulesets.
pub(super) fn alike(
    (before, after): (&Position<'_>, &Position<'_>),
    through: &Through,
    (together, at): (&(Together, Together), usize),
) -> bool {
    let (a, b) = (before.rules, after.rules);
    through.iter().all(|(first, second)| {
        let was = together.0.get(first).and_then(|all| all.get(at)?.as_ref().ok());
        let now = together.1.get(second).and_then(|all| all.get(at)?.as_ref().ok());
        let (Some(was), Some(now)) = (was, now) else { return false };
        was.len() == now.len()
            && was.iter().zip(now).all(|((one, was), (other, now))| {
                one == other && word(a, *first, *was) == word(b, *second, *now)
            })
            && elsewhere((before, *first), (after, *second))
    })
}

/// Whether the traces answer alike of the units that stand nowhere, which are not asked together.
fn elsewhere(first: (&Position<'_>, TraceId), second: (&Position<'_>, TraceId)) -> bool {
    let world = first.0.world;
    let mut nowhere =
        (0u32..).take(world.units.len()).filter(|unit| world.space_of(*unit).is_none());
    nowhere.all(|unit| {
        let (was, now) = (said_of(first, unit), said_of(second, unit));
        was.is_some() && was == now
    })
}

/// What a trace answers of a unit, if it is asked of units of its kind; nothing where that cannot be
/// worked out.
fn said_of<'r>((position, trace): (&Position<'r>, TraceId), unit: u32) -> Option<Option<&'r str>> {
    let (of, unit) = (position.rules.traces.get(trace.index())?.of, ThingRef::Unit(unit));
    let yes = position.is_kind(unit, of).then(|| position.is_yes(trace, unit));
    Some(yes.transpose().ok()?.map(|yes| word(position.rules, trace, yes)))
}
