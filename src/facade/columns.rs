//! Values that rest on facts of the thing alone, worked out for many rows of a table at once.
//!
//! Its slow twin is the question of each position by itself.

use crate::arrange::Arrange as _;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Position;
use super::cells::CellOf;
use crate::ir::{FactId, KindId, Ruleset, Type};
use crate::kernel::Position as Asked;
use crate::kernel::column::{Answers, Constant, Facts, NoRoom, Program, Workspace, cell};
use crate::world::ThingRef;

/// Programs over the facts of each of some things, for positions that are like one of them.
pub(crate) struct Columns {
    programs: Vec<Program>,
    things: Vec<ThingRef>,
    /// What is read of each thing and of the world, as the first position has it.
    like: FxHashMap<CellOf, i64>,
    rulings: Vec<(Constant, i64)>,
    /// The facts that name a unit, and those units that have left the game.
    of_units: Vec<FactId>,
    gone: Vec<i64>,
    idle: Mutex<Vec<Workspace>>,
}

/// The cells of a column of a table, a row a position; none where all rows are like the first
/// position.
pub(crate) type CellsOf<'c> = dyn Fn(CellOf) -> Option<Cow<'c, [i64]>> + 'c;

impl Columns {
    /// Programs of `rules`, which say what those of the position's game do.
    pub(crate) fn new(
        rules: &Ruleset,
        position: &Position,
        programs: Vec<Program>,
        things: Vec<ThingRef>,
    ) -> Option<Columns> {
        let asked = Asked::new(rules, position.world())?;
        let (mut like, mut rulings) = (FxHashMap::default(), Vec::new());
        let mut read = |fact: FactId, of: ThingRef| {
            like.insert(CellOf { fact, of }, cell(&asked, fact, of));
        };
        for program in &programs {
            for fact in program.reads() {
                things.iter().for_each(|thing| read(*fact, *thing));
            }
            for constant in program.constants() {
                match constant {
                    Constant::World(fact) => read(fact, ThingRef::World),
                    Constant::Ruling(ruling) => {
                        let reading = position.world().readings.get(ruling.index());
                        rulings.push((constant, reading.copied().unwrap_or(0).into()));
                    }
                }
            }
        }
        let names_unit = |fact: &FactId| {
            let ty = rules.facts.get(fact.index()).map(|f| f.ty);
            matches!(ty, Some(Type::Thing { kind, .. }) if rules.top(kind) == KindId::UNIT)
        };
        let of_units = (0..rules.facts.len()).map(FactId::at).filter(names_unit).collect();
        let units = (1i64..).zip(&position.world().units);
        let gone = units.filter(|(_, unit)| unit.removed).map(|(cell, _)| cell).collect();
        Some(Columns { programs, things, like, rulings, of_units, gone, idle: Mutex::default() })
    }

    /// The facts of the world that are read; they are the same in all rows of one run.
    pub(crate) fn of_world(&self) -> Vec<CellOf> {
        let constants = self.programs.iter().flat_map(Program::constants);
        let mut found: Vec<CellOf> = constants
            .filter_map(|constant| match constant {
                Constant::World(fact) => Some(CellOf { fact, of: ThingRef::World }),
                Constant::Ruling(_) => None,
            })
            .collect();
        found.arrange();
        found.dedup();
        found
    }

    /// Works out the programs for the nth thing in some rows, which have the same facts of the world;
    /// nothing where a cell holds what its fact cannot be.
    pub(crate) fn run(
        &self,
        nth: usize,
        rows: &[usize],
        cells: &CellsOf<'_>,
    ) -> Option<Vec<Answers>> {
        let thing = self.things.get(nth).copied()?;
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut workspace = idle().pop().unwrap_or_default();
        let run = |program: &Program| {
            let mut facts = program.facts(rows.len());
            self.fill(program, thing, rows, (cells, &mut facts)).ok()?;
            let mut answers = Answers::default();
            program.run(&facts, &mut workspace, &mut answers).ok()?;
            Some(answers)
        };
        let found = self.programs.iter().map(run).collect();
        idle().push(workspace);
        found
    }

    fn fill(
        &self,
        program: &Program,
        of: ThingRef,
        rows: &[usize],
        (cells, facts): (&CellsOf<'_>, &mut Facts),
    ) -> Result<(), NoRoom> {
        for constant in program.constants() {
            let value = match constant {
                Constant::World(fact) => {
                    let at = CellOf { fact, of: ThingRef::World };
                    let own = || self.like.get(&at).copied();
                    let first = cells(at).and_then(|all| all.get(*rows.first()?).copied());
                    first.map(|cell| self.named(fact, cell)).or_else(own)
                }
                Constant::Ruling(_) => {
                    self.rulings.iter().find(|(c, _)| *c == constant).map(|(_, value)| *value)
                }
            };
            facts.hold(constant, value.ok_or(NoRoom)?)?;
        }
        for fact in program.reads() {
            let at = CellOf { fact: *fact, of };
            let own = self.like.get(&at).copied().ok_or(NoRoom)?;
            match cells(at) {
                None => facts.fill(*fact, |_| own)?,
                Some(all) => facts.fill(*fact, |nth| {
                    let cell = rows.get(nth).and_then(|row| all.get(*row));
                    cell.map_or(own, |cell| self.named(*fact, *cell))
                })?,
            }
        }
        Ok(())
    }

    /// A cell as a column holds it: a reference to a removed unit is none.
    fn named(&self, fact: FactId, cell: i64) -> i64 {
        let nobody = !self.gone.is_empty()
            && self.of_units.contains(&fact)
            && self.gone.binary_search(&cell).is_ok();
        if nobody { 0 } else { cell }
    }
}

/// The rows of a run that columns say nothing of.
pub(crate) fn open_rows(answers: &[Answers]) -> FxHashSet<usize> {
    let open = answers.iter().flat_map(|answers| &answers.open);
    open.filter_map(|row| usize::try_from(*row).ok()).collect()
}
