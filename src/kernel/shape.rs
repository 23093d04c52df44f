//! What all positions of a batch share, and which facts of units may differ between them.

use super::fault::BatchFault;
use crate::ir::{FactId, KindId, Ruleset, Type};
use crate::world::{World, built_in};

/// The common part of many positions: everything but where units stand, who controls a space and
/// the varying facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    /// The position all others are told apart from.
    pub template: World,
    /// The facts of units that vary.
    pub varying: Vec<Varying>,
    /// How many spaces the map has; the row behind the last stands for no space.
    pub spaces: usize,
    /// How many sides there are.
    pub sides: usize,
}

/// A fact of units that varies, and the values it can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Varying {
    /// Which fact.
    pub fact: FactId,
    /// Its slot in the row of a unit.
    pub slot: usize,
    /// Its least value; a code is what a value lies above it.
    pub least: i64,
    /// How many values it has.
    pub size: usize,
}

impl Shape {
    pub(super) fn new(
        rules: &Ruleset,
        template: &World,
        varying: &[FactId],
    ) -> Result<Shape, BatchFault> {
        let map = rules.maps.get(template.map.index()).ok_or(BatchFault::NoMap)?;
        let spaces = map.spaces.len();
        if spaces >= usize::from(u16::MAX) || rules.sides.len() >= usize::from(u8::MAX) {
            return Err(BatchFault::TooLarge);
        }
        let mut template = template.clone();
        let gone: Vec<u32> = template
            .units
            .iter()
            .zip(0u32..)
            .filter(|(u, _)| u.removed)
            .map(|(_, at)| at)
            .collect();
        for unit in gone {
            // What has left the game stands nowhere, whatever its row still says.
            if let Some(cell) = template.row_mut(unit).get_mut(built_in::SPACE.index()) {
                *cell = 0;
            }
        }
        let mut shape = Shape { template, varying: Vec::new(), spaces, sides: rules.sides.len() };
        for fact in varying {
            let one = shape.domain(rules, *fact)?;
            if shape.varying.iter().all(|v| v.fact != *fact) {
                shape.varying.push(one);
            }
        }
        Ok(shape)
    }

    /// All values a fact can have: those of its type, its default, and what the template says.
    fn domain(&self, rules: &Ruleset, id: FactId) -> Result<Varying, BatchFault> {
        let fact = rules.facts.get(id.index()).ok_or(BatchFault::NotOfUnits(id))?;
        let of_units = rules.kinds.get(fact.kind.index()).is_some_and(|k| k.top == KindId::UNIT);
        if !of_units || [built_in::OWNER, built_in::SPACE].contains(&id) {
            return Err(BatchFault::NotOfUnits(id));
        }
        let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let (mut low, mut high) = match fact.ty {
            Type::Truth => (0, 1),
            Type::Word(set) => {
                (0, count(rules.word_sets.get(set.index()).map_or(1, |s| s.words.len())) - 1)
            }
            Type::Number { low, high, .. } => (low, high),
            Type::Thing { kind, .. } => match rules.kinds.get(kind.index()).map(|k| k.top) {
                Some(KindId::UNIT) => (0, count(self.template.units.len())),
                Some(KindId::SPACE) => (0, count(self.spaces)),
                Some(KindId::SIDE) => (0, count(self.sides)),
                _ => (0, count(rules.named.len()).max(1)),
            },
        };
        let slot = usize::from(fact.slot);
        for value in self
            .template
            .unit_facts
            .iter()
            .skip(slot)
            .step_by(self.template.unit_slots.max(1))
            .chain([&fact.default])
        {
            (low, high) = (low.min(*value), high.max(*value));
        }
        let size = high
            .checked_sub(low)
            .and_then(|d| usize::try_from(d).ok())
            .filter(|d| *d < usize::from(u16::MAX));
        let size = size.ok_or(BatchFault::TooWide(id))? + 1;
        Ok(Varying { fact: id, slot, least: low, size })
    }

    pub(super) fn removed(&self, unit: usize) -> bool {
        self.template.units.get(unit).is_none_or(|u| u.removed)
    }

    pub(super) fn varying_at(&self, fact: FactId) -> Option<usize> {
        self.varying.iter().position(|v| v.fact == fact)
    }
}

impl Varying {
    /// The code of a value, if it is one the fact can have.
    pub(super) fn code(&self, value: i64) -> Option<u16> {
        let code = value.checked_sub(self.least)?;
        u16::try_from(code).ok().filter(|c| usize::from(*c) < self.size)
    }

    /// The value of a code; a code that is none counts as the least.
    pub(super) fn value(&self, code: u16) -> i64 {
        if usize::from(code) < self.size { self.least + i64::from(code) } else { self.least }
    }
}
