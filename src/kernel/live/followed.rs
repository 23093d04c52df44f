//! The operations of a program with where units stand and who controls what, both of which may
//! change.

use super::operations::Operations;
use crate::ir::SideId;
use crate::kernel::board::Bits;
use crate::kernel::plane::Program;
use crate::kernel::shape::Shape;
use crate::kernel::unit_condition::UnitCondition;

/// Operations that follow the changes of a position.
pub(super) struct Followed {
    pub operations: Operations,
    /// By unit the row where it stands, the last off the map.
    rows: Vec<u32>,
    /// By unit the queries that it meets, wherever it stands.
    queries: Vec<Vec<u32>>,
    /// By unit the queries that it meets in some rows.
    depends: Vec<Vec<(u32, Bits)>>,
    /// By query and row how many units that meet it stand there.
    counts: Vec<Vec<u32>>,
}

impl Followed {
    /// All of so many units stand off the map, and nobody controls anything.
    pub fn of(program: Program, units: usize) -> Followed {
        let off = program.rows.saturating_sub(1);
        let mut followed = Followed {
            rows: vec![u32::try_from(off).unwrap_or(u32::MAX); units],
            queries: vec![Vec::new(); units],
            depends: vec![Vec::new(); units],
            counts: vec![vec![0; off + 1]; program.queries.len()],
            operations: Operations::of(program),
        };
        followed.sort_units();
        followed
    }

    /// All as the template of a shape has it, worked out.
    pub fn begun(program: Program, shape: &Shape) -> Followed {
        let world = &shape.template;
        let mut followed = Followed::of(program, world.units.len());
        for unit in 0..u32::try_from(world.units.len()).unwrap_or(u32::MAX) {
            followed.move_unit(unit, world.space_of(unit));
        }
        for space in 0..u32::try_from(shape.spaces).unwrap_or(u32::MAX) {
            followed.set_control(space, world.control(space));
        }
        followed.operations.begin();
        followed
    }

    /// Which queries each unit meets.
    fn sort_units(&mut self) {
        let program: &Program = self.operations.program();
        for (query, (atoms, depends)) in (0u32..).zip(&program.queries) {
            for unit in atoms.iter().flat_map(|atom| &program.atoms[*atom]) {
                self.queries[*unit as usize].push(query);
            }
            for (unit, look) in depends {
                let mut meets = Bits::new(program.rows.div_ceil(64));
                for row in 0..program.rows {
                    meets.put(u32::try_from(row).unwrap_or(0), look.at(row, &|_| 0) != 0);
                }
                self.depends[*unit as usize].push((query, meets));
            }
        }
    }

    /// The row where a unit stands.
    #[inline]
    pub fn row(&self, unit: u32) -> u32 {
        self.rows[unit as usize]
    }

    /// The row off the map.
    #[inline]
    pub fn off(&self) -> u32 {
        self.operations.off()
    }

    /// Puts a unit into a space or off the map; nothing changes if there is no such unit or space.
    pub fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        let off = self.off();
        let known = (unit as usize) < self.rows.len();
        if !known || space.is_some_and(|space| space >= off) {
            return;
        }
        let to = space.unwrap_or(off);
        let from = std::mem::replace(&mut self.rows[unit as usize], to);
        if from == to {
            return;
        }
        for query in &self.queries[unit as usize] {
            let count = &mut self.counts[*query as usize];
            leave(count, &mut self.operations, *query, (from, off));
            enter(count, &mut self.operations, *query, (to, off));
        }
        for (query, meets) in &self.depends[unit as usize] {
            let count = &mut self.counts[*query as usize];
            if meets.get(from) {
                leave(count, &mut self.operations, *query, (from, off));
            }
            if meets.get(to) {
                enter(count, &mut self.operations, *query, (to, off));
            }
        }
    }

    /// Gives a space to a side, or to nobody; nothing changes if there is no such space.
    pub fn set_control(&mut self, space: u32, side: Option<SideId>) {
        if space < self.off() {
            self.operations.set_control(space, side);
        }
    }

    /// Whether a condition on a unit holds in a row.
    pub fn holds(&self, condition: &UnitCondition, row: u32) -> bool {
        match condition {
            UnitCondition::Always(value) => *value,
            UnitCondition::LookupTable(look) => look.at(row as usize, &|_| 0) != 0,
            UnitCondition::Plane(plane) => self.operations.bit(*plane, row),
            UnitCondition::All(parts) => parts.iter().all(|part| self.holds(part, row)),
            UnitCondition::One(parts) => parts.iter().any(|part| self.holds(part, row)),
            UnitCondition::Not(inner) => !self.holds(inner, row),
            // What must be asked slowly is refused.
            UnitCondition::Slow(_) => false,
        }
    }
}

/// A unit that meets a query leaves a row; off the map nothing stands.
#[inline]
fn leave(count: &mut [u32], operations: &mut Operations, query: u32, (row, off): (u32, u32)) {
    if row == off {
        return;
    }
    let many = &mut count[row as usize];
    *many = many.saturating_sub(1);
    if *many == 0 {
        operations.set_presence(query, row, false);
    }
}

#[inline]
fn enter(count: &mut [u32], operations: &mut Operations, query: u32, (row, off): (u32, u32)) {
    if row == off {
        return;
    }
    let many = &mut count[row as usize];
    *many += 1;
    if *many == 1 {
        operations.set_presence(query, row, true);
    }
}
