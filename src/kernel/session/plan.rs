//! What is kept of the conditions of a trace, and in which order a change goes on through it.

use indexmap::IndexSet;

use super::formula::{Formula, Op, Part};
use super::near::Near;
use super::spread::{From, Spread};
use super::tree::{Id, Local, Tree};
use crate::arrange::Arrange as _;
use crate::ir::KindId;
use crate::kernel::board::{Bits, Board};

/// What is kept by cell, and who reads what.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The conditions that gates ask in their order, then others that spaces near are asked for.
    pub formulas: Vec<Formula>,
    pub spreads: Vec<Spread>,
    /// Each behind what it reads.
    pub order: Vec<Step>,
    pub readers: Readers,
}

/// What is worked out next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Spread(usize),
    Formula(usize),
}

/// By what is read, which formulas read it.
#[derive(Debug, Default)]
pub(super) struct Readers {
    pub asked: Vec<Vec<usize>>,
    pub units: Vec<Vec<usize>>,
    pub near: Vec<Vec<usize>>,
}

impl Plan {
    /// What the conditions that gates ask need.
    pub(super) fn of(board: &Board<'_>, tree: &Tree, roots: &IndexSet<Id>) -> Plan {
        let mut kept = roots.clone();
        let mut near: IndexSet<Id> = IndexSet::new();
        let mut left: Vec<Id> = roots.iter().copied().collect();
        let mut seen: IndexSet<Id> = IndexSet::new();
        while let Some(id) = left.pop() {
            if !seen.insert(id) {
                continue;
            }
            match tree.locals.get_index(id) {
                Some(Local::All(parts) | Local::One(parts)) => left.extend(parts),
                Some(Local::Not(inner)) => left.push(*inner),
                Some(Local::Spaces(inner, ..)) => {
                    near.insert(id);
                    kept.insert(*inner);
                    left.push(*inner);
                }
                Some(Local::Units(_, at)) if *at != Near::Here => _ = near.insert(id),
                _ => {}
            }
        }
        near.sort_unstable();
        let mut plan = Plan::default();
        for id in &near {
            plan.spreads.extend(match tree.locals.get_index(*id) {
                Some(Local::Units(at, near)) => Some(Spread::new(From::Units(*at), *near)),
                Some(Local::Spaces(inner, kind, near)) => kept
                    .get_index_of(inner)
                    .map(|inner| Spread::new(From::Spaces(inner, spaces_of(board, *kind)), *near)),
                _ => None,
            });
        }
        for id in &kept {
            let mut ops = Vec::new();
            write(tree, &near, *id, &mut ops);
            plan.formulas.push(Formula::new(ops));
        }
        // What is near comes before the condition that it is.
        let mut order: Vec<(Id, bool, Step)> =
            near.iter().enumerate().map(|(at, id)| (*id, false, Step::Spread(at))).collect();
        order.extend(kept.iter().enumerate().map(|(at, id)| (*id, true, Step::Formula(at))));
        order.arrange_by_key(|(id, formula, _)| (*id, *formula));
        plan.order = order.into_iter().map(|(_, _, step)| step).collect();
        plan.readers = Readers::of(tree, &plan);
        plan
    }
}

impl Readers {
    fn of(tree: &Tree, plan: &Plan) -> Readers {
        let by = |reads: &dyn Fn(Part) -> Option<usize>, count: usize| {
            let mut readers = vec![Vec::new(); count];
            for (at, formula) in plan.formulas.iter().enumerate() {
                for part in formula.parts().filter_map(reads) {
                    if !readers[part].contains(&at) {
                        readers[part].push(at);
                    }
                }
            }
            readers
        };
        Readers {
            asked: by(
                &|part| if let Part::Asked(at) = part { Some(at) } else { None },
                tree.asked.len(),
            ),
            units: by(
                &|part| if let Part::Units(at) = part { Some(at) } else { None },
                tree.counted.len(),
            ),
            near: by(
                &|part| if let Part::Near(at) = part { Some(at) } else { None },
                plan.spreads.len(),
            ),
        }
    }
}

/// Where a part of a formula is so.
pub(super) fn plane<'a>(tree: &'a Tree, spreads: &'a [Spread], part: Part) -> Option<&'a Bits> {
    match part {
        Part::Always(_) => None,
        Part::Asked(at) => Some(&tree.asked[at].yes),
        Part::Units(at) => Some(&tree.counted[at].some),
        Part::Near(at) => Some(&spreads[at].some),
    }
}

/// Writes a condition as the steps of a formula.
fn write(tree: &Tree, near: &IndexSet<Id>, id: Id, ops: &mut Vec<Op>) {
    let Some(local) = tree.locals.get_index(id) else { return };
    match local {
        Local::Always(value) => ops.push(Op::Part(Part::Always(*value))),
        Local::Asked(at) => ops.push(Op::Part(Part::Asked(*at))),
        Local::Units(at, Near::Here) => ops.push(Op::Part(Part::Units(*at))),
        Local::Units(..) | Local::Spaces(..) => {
            ops.extend(near.get_index_of(&id).map(|at| Op::Part(Part::Near(at))))
        }
        Local::All(parts) | Local::One(parts) => {
            let all = matches!(local, Local::All(_));
            for (at, part) in parts.iter().enumerate() {
                write(tree, near, *part, ops);
                if at > 0 {
                    ops.push(if all { Op::And } else { Op::Or });
                }
            }
            if parts.is_empty() {
                ops.push(Op::Part(Part::Always(all)));
            }
        }
        Local::Not(inner) => {
            write(tree, near, *inner, ops);
            ops.push(Op::Not);
        }
    }
}

/// The cells of all spaces of a kind.
fn spaces_of(board: &Board<'_>, kind: KindId) -> Bits {
    let layout = board.layout();
    let mut all = Bits::new(layout.size);
    for (space, row) in (0u32..).zip(&board.map.spaces) {
        if board.rules.is_kind(row.kind, kind) {
            all.set(layout.cell(space));
        }
    }
    all
}
