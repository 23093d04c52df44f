//! Units that every rule of a trace treats alike, wherever they stand: the sorts of which planes
//! are kept.

use crate::arrange::Arrange as _;
use indexmap::IndexMap;

use super::Kernel;
use super::batch::{Budget, Ending, Plan};
use super::fault::BatchFault;
use super::lookup::LookupTable;
use super::plane::PlaneId;
use super::unit_condition::UnitCondition;
use crate::ir::TraceId;

/// So many combinations of facts are looked through for each class of units.
const MOST_COMBINATIONS: usize = 4096;
/// More sorts than these are not kept as planes.
const MOST_SORTS: usize = 256;

/// Where a sort counts for a query.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Mask {
    Never,
    Always,
    /// a word a row, all bits or none
    Rows(Vec<u64>),
}

/// A condition on a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum When {
    /// a word a row, all bits or none
    Rows(Vec<u64>),
    Plane(PlaneId),
    /// each row in a plane of its own
    ByRow(Vec<PlaneId>),
    All(Vec<When>),
    One(Vec<When>),
    Not(Box<When>),
}

/// How a sort is answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Rule {
    /// what a plane says
    Plane(PlaneId),
    /// by row
    Mixed(When),
}

/// Units that are treated alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Sort {
    /// For each query of the program.
    pub queries: Vec<Mask>,
    /// None for units that the trace is not asked of.
    pub rule: Option<Rule>,
}

/// Units that are treated alike as soon as their facts are the same.
#[derive(Debug, Clone, PartialEq)]
struct Class {
    atom: Option<usize>,
    depends: Vec<(usize, LookupTable)>,
    verdicts: Vec<(bool, UnitCondition)>,
    ending: Option<Ending>,
}

/// The sorts of a kernel.
#[derive(Debug)]
pub(super) struct Sorts {
    pub trace: TraceId,
    pub all: Vec<Sort>,
    /// For each unit its class.
    class: Vec<usize>,
    tables: Vec<Table>,
}

/// The sort of a class by the codes of the facts that count.
#[derive(Debug)]
struct Table {
    /// Which varying facts, and how many values each has.
    facts: Vec<(usize, usize)>,
    sorts: Vec<usize>,
}

impl Sorts {
    pub(super) fn of(kernel: &Kernel<'_>) -> Result<Sorts, BatchFault> {
        if kernel.of_spaces {
            return Err(BatchFault::OfSpaces);
        }
        let mut classes: Vec<Class> = Vec::new();
        let mut class = Vec::new();
        for unit in 0..kernel.shape.template.units.len() {
            let own = Class::of(kernel, unit);
            class.push(classes.iter().position(|c| *c == own).unwrap_or_else(|| {
                classes.push(own);
                classes.len() - 1
            }));
        }
        let mut all: IndexMap<Sort, ()> = IndexMap::new();
        let mut tables = Vec::new();
        for class in &classes {
            let mut facts = Vec::new();
            class.looks(&mut |look| facts.extend(look.facts()));
            facts.arrange();
            facts.dedup();
            let many = facts
                .iter()
                .try_fold(1usize, |n, (_, size)| n.checked_mul(*size))
                .filter(|n| *n <= MOST_COMBINATIONS);
            let mut table = Table { facts, sorts: Vec::new() };
            for nth in 0..many.ok_or(BatchFault::TooLarge)? {
                let codes = table.codes(nth);
                let code =
                    |fact: usize| codes.iter().find(|(f, _)| *f == fact).map_or(0, |(_, c)| *c);
                table.sorts.push(all.insert_full(class.sort(kernel, &code), ()).0);
            }
            tables.push(table);
        }
        if all.len() > MOST_SORTS {
            return Err(BatchFault::TooLarge);
        }
        Ok(Sorts { trace: kernel.trace, all: all.into_keys().collect(), class, tables })
    }

    /// The sort of a unit whose facts have these codes.
    pub(super) fn of_unit(&self, unit: u32, code: impl Fn(usize) -> u16) -> Option<usize> {
        let table = &self.tables[*self.class.get(unit as usize)?];
        // A code that is none counts as the least.
        let clean = |(fact, size): &(usize, usize)| {
            Some(usize::from(code(*fact))).filter(|c| c < size).unwrap_or(0)
        };
        let at = table.facts.iter().fold(0, |at, fact| at * fact.1 + clean(fact));
        table.sorts.get(at).copied()
    }

    /// The sort of a unit, if it is the same whatever its facts are.
    pub(super) fn only(&self, unit: u32) -> Option<&Sort> {
        let sorts = &self.tables[*self.class.get(unit as usize)?].sorts;
        let first = sorts.first()?;
        sorts.iter().all(|s| s == first).then(|| &self.all[*first])
    }
}

impl Table {
    /// The codes of the nth of all combinations; the last fact changes fastest.
    fn codes(&self, mut nth: usize) -> Vec<(usize, u16)> {
        let mut codes = Vec::new();
        for (fact, size) in self.facts.iter().rev() {
            codes.push((*fact, u16::try_from(nth % size).unwrap_or(0)));
            nth /= size;
        }
        codes
    }
}

impl Class {
    fn of(kernel: &Kernel<'_>, unit: usize) -> Class {
        let is = |u: &u32| *u as usize == unit;
        let program = &kernel.program;
        let plan: Option<&Plan> = kernel.plans.iter().find(|p| is(&p.unit));
        let depends = |(nth, (_, depends)): (usize, &super::plane::Presence)| {
            depends
                .iter()
                .filter(|(u, _)| is(u))
                .map(|(_, look)| (nth, look.clone()))
                .collect::<Vec<_>>()
        };
        Class {
            atom: program.atoms.iter().position(|a| a.iter().any(is)),
            depends: program.queries.iter().enumerate().flat_map(depends).collect(),
            verdicts: plan.map_or_else(Vec::new, |p| p.verdicts.clone()),
            ending: plan.map(|p| p.ending.clone()),
        }
    }

    /// Calls with everything that is looked up by facts or place.
    fn looks(&self, call: &mut dyn FnMut(&LookupTable)) {
        fn condition(of: &UnitCondition, call: &mut dyn FnMut(&LookupTable)) {
            match of {
                UnitCondition::LookupTable(look) => call(look),
                UnitCondition::All(parts) | UnitCondition::One(parts) => {
                    parts.iter().for_each(|p| condition(p, call))
                }
                UnitCondition::Not(inner) => condition(inner, call),
                UnitCondition::Always(_) | UnitCondition::Plane(_) | UnitCondition::Slow(_) => {}
            }
        }
        self.depends.iter().for_each(|(_, look)| call(look));
        self.verdicts.iter().for_each(|(_, when)| condition(when, call));
        if let Some(Ending::Line(_, Budget::LookupTable(look))) = &self.ending {
            call(look);
        }
    }

    /// The sort of a unit with these facts.
    fn sort(&self, kernel: &Kernel<'_>, code: &dyn Fn(usize) -> u16) -> Sort {
        let rows = kernel.program.rows;
        let values =
            |look: &LookupTable| -> Vec<u16> { (0..rows).map(|row| look.at(row, code)).collect() };
        let mask = |look: &LookupTable| -> Vec<u64> {
            values(look).into_iter().map(|v| if v == 0 { 0 } else { u64::MAX }).collect()
        };
        let always = kernel
            .program
            .queries
            .iter()
            .map(|(atoms, _)| self.atom.is_some_and(|a| atoms.contains(&a)));
        let mut queries: Vec<Mask> =
            always.map(|a| if a { Mask::Always } else { Mask::Never }).collect();
        for (query, look) in &self.depends {
            let mask = mask(look);
            queries[*query] = match mask.as_slice() {
                rows if rows.iter().all(|w| *w == 0) => Mask::Never,
                rows if rows.iter().all(|w| *w != 0) => Mask::Always,
                _ => Mask::Rows(mask),
            };
        }
        let rule = self.ending.as_ref().map(|ending| {
            let mut when = match ending {
                Ending::Settled(yes) => When::Rows(vec![if *yes { u64::MAX } else { 0 }; rows]),
                Ending::Line(first, Budget::Fixed(nth)) => When::Plane(first + u32::from(*nth)),
                Ending::Line(first, Budget::LookupTable(look)) => {
                    let planes: Vec<PlaneId> =
                        values(look).into_iter().map(|nth| first + u32::from(nth)).collect();
                    match planes.first() {
                        Some(one) if planes.iter().all(|p| p == one) => When::Plane(*one),
                        _ => When::ByRow(planes),
                    }
                }
                // A kernel that is whole asks nothing slowly, and one for spaces has no sorts.
                Ending::Space(..) => When::Rows(vec![0; rows]),
                Ending::Line(_, Budget::Slow(_)) => When::Rows(vec![0; rows]),
            };
            // The first verdict that holds decides, so the last is applied first.
            for (always, condition) in self.verdicts.iter().rev() {
                let holds = of_row(condition, &mask, rows);
                when = if *always {
                    When::One(vec![when, holds])
                } else {
                    When::All(vec![when, When::Not(Box::new(holds))])
                };
            }
            match when {
                When::Plane(plane) => Rule::Plane(plane),
                when => Rule::Mixed(when),
            }
        });
        Sort { queries, rule }
    }
}

fn of_row(
    condition: &UnitCondition,
    mask: &impl Fn(&LookupTable) -> Vec<u64>,
    rows: usize,
) -> When {
    let all = |parts: &[UnitCondition]| parts.iter().map(|p| of_row(p, mask, rows)).collect();
    match condition {
        UnitCondition::Always(value) => When::Rows(vec![if *value { u64::MAX } else { 0 }; rows]),
        UnitCondition::LookupTable(look) => When::Rows(mask(look)),
        UnitCondition::Plane(plane) => When::Plane(*plane),
        UnitCondition::All(parts) => When::All(all(parts)),
        UnitCondition::One(parts) => When::One(all(parts)),
        UnitCondition::Not(inner) => When::Not(Box::new(of_row(inner, mask, rows))),
        UnitCondition::Slow(_) => When::Rows(vec![0; rows]),
    }
}
