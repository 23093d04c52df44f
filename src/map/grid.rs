//! The geometry of a hex map: labels, places, neighbours, distances.
//!
//! A hex has a place, its column and row counted from 0 at the first hex, and a label, its column
//! and row as printed. Columns count to the right, rows downward. Which columns or rows are shifted
//! is told by the label, as on the print.

use serde::{Deserialize, Serialize};

use super::Links;
use crate::ids::KindId;

/// How the hexes of a grid lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Flat hexes stand in columns, pointy ones in rows.
    pub flat: bool,
    /// Which columns (of flat hexes) stand half a hex lower, or which rows (of pointy ones) half a
    /// hex farther right: those with an odd label, else those with an even one.
    pub odd: bool,
}

/// The hexes of a map; they are its first spaces, row by row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// How they lie.
    pub layout: Layout,
    /// The kind of space that a hex is, if nothing more is said of it.
    pub kind: KindId,
    /// The digits of a column in a label, and of a row.
    pub digits: u8,
    /// Column and row in the label of the first place, which may itself lie outside.
    pub from: (u32, u32),
    /// Columns of the rectangle that holds the hexes.
    pub columns: u32,
    /// Rows of that rectangle.
    pub rows: u32,
    /// For each hex its column and row, from 0.
    pub places: Vec<(u16, u16)>,
    /// For each place, row by row, the hex that is there, or [`Grid::OUTSIDE`].
    pub cells: Vec<u32>,
}

/// Why no straight row of hexes leads from one space to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRow {
    /// one of them is no hex
    NoHex,
    /// it would bend, at this hex if at one alone
    Bent(Option<u32>),
    /// a place between, by its label, is no hex
    Outside(String),
}

/// The six steps to a neighbour as column and row, in the order of the places, so that rows of
/// links come out sorted.
type Steps = [(i32, i32); 6];

const FLAT_HIGH: Steps = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const FLAT_LOW: Steps = [(0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const POINTY_LEFT: Steps = [(-1, -1), (0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)];
const POINTY_RIGHT: Steps = [(0, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (1, 1)];

impl Grid {
    /// What `cells` says of a place that is no hex.
    pub const OUTSIDE: u32 = u32::MAX;

    /// The hex at a place.
    #[must_use]
    pub fn at(&self, column: i64, row: i64) -> Option<u32> {
        let (column, row) = (u32::try_from(column).ok()?, u32::try_from(row).ok()?);
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let cell = row as usize * self.columns as usize + column as usize;
        self.cells.get(cell).copied().filter(|hex| *hex != Grid::OUTSIDE)
    }

    /// The column and row of a label as printed; nothing for a text of another width, or one that
    /// is no label.
    #[must_use]
    pub fn read_label(&self, label: &str) -> Option<(u32, u32)> {
        let digits = usize::from(self.digits);
        if label.len() != 2 * digits || !label.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let (column, row) = label.split_at_checked(digits)?;
        Some((column.parse().ok()?, row.parse().ok()?))
    }

    /// The hex of a label.
    #[must_use]
    pub fn find(&self, label: &str) -> Option<u32> {
        let (column, row) = self.read_label(label)?;
        self.at(i64::from(column) - i64::from(self.from.0), i64::from(row) - i64::from(self.from.1))
    }

    /// The label of a place.
    #[must_use]
    pub fn label(&self, column: u32, row: u32) -> String {
        let width = usize::from(self.digits);
        format!("{:0width$}{:0width$}", self.from.0 + column, self.from.1 + row)
    }

    /// The column and row of a hex, from 0; nothing for a space that is no hex.
    #[must_use]
    pub fn place(&self, space: u32) -> Option<(u32, u32)> {
        self.places.get(space as usize).map(|&(column, row)| (u32::from(column), u32::from(row)))
    }

    /// Whether a place stands half a hex lower (flat), or half a hex farther right (pointy), than
    /// those beside it.
    #[must_use]
    pub fn is_shifted(&self, column: u32, row: u32) -> bool {
        let label = if self.layout.flat { self.from.0 + column } else { self.from.1 + row };
        (label % 2 == 1) == self.layout.odd
    }

    /// The hexes that share a side with a place, in ascending order.
    pub fn around(&self, column: u32, row: u32) -> impl Iterator<Item = u32> {
        let steps = match (self.layout.flat, self.is_shifted(column, row)) {
            (true, false) => FLAT_HIGH,
            (true, true) => FLAT_LOW,
            (false, false) => POINTY_LEFT,
            (false, true) => POINTY_RIGHT,
        };
        steps.into_iter().filter_map(move |(right, down)| {
            self.at(i64::from(column) + i64::from(right), i64::from(row) + i64::from(down))
        })
    }

    /// Whether two spaces are hexes that share a side.
    #[must_use]
    pub fn are_neighbours(&self, a: u32, b: u32) -> bool {
        self.place(a).is_some_and(|(column, row)| self.around(column, row).any(|hex| hex == b))
    }

    /// The cube coordinates of a hex, which add up to 0 and change by one in two of three at each
    /// step.
    #[must_use]
    pub fn cube(&self, space: u32) -> Option<[i64; 3]> {
        let (column, row) = self.place(space)?;
        let (column, row) = (i64::from(self.from.0 + column), i64::from(self.from.1 + row));
        // Half of the lines before this one are shifted; which half is a matter of the parity of
        // the label.
        let half =
            |line: i64| if self.layout.odd { line.div_euclid(2) } else { (line + 1).div_euclid(2) };
        let (q, r) =
            if self.layout.flat { (column, row - half(column)) } else { (column - half(row), row) };
        Some([q, r, -q - r])
    }

    /// The column and row of cube coordinates, as printed.
    fn printed(&self, [q, r, _]: [i64; 3]) -> (i64, i64) {
        let half =
            |line: i64| if self.layout.odd { line.div_euclid(2) } else { (line + 1).div_euclid(2) };
        if self.layout.flat { (q, r + half(q)) } else { (q + half(r), r) }
    }

    /// The hexes of the straight row from one hex to another, both with it.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn row(&self, a: u32, b: u32) -> Result<Vec<u32>, NoRow> {
        let (Some(from), Some(to)) = (self.cube(a), self.cube(b)) else {
            return Err(NoRow::NoHex);
        };
        let way = sum(to, from.map(|part| -part));
        if !way.contains(&0) {
            return Err(NoRow::Bent(self.bend(from, way)));
        }
        self.straight(from, way)
    }

    /// The hexes from one place along one of the six directions.
    fn straight(&self, from: [i64; 3], way: [i64; 3]) -> Result<Vec<u32>, NoRow> {
        let steps = way.iter().map(|part| part.abs()).max().unwrap_or(0);
        let mut row = Vec::new();
        for step in 0..=steps {
            let (column, line) = self.printed(sum(from, way.map(|part| part.signum() * step)));
            let hex = self.at(column - i64::from(self.from.0), line - i64::from(self.from.1));
            let digits = usize::from(self.digits);
            let label = || format!("{column:0digits$}{line:0digits$}");
            row.push(hex.ok_or_else(|| NoRow::Outside(label()))?);
        }
        Ok(row)
    }

    /// A hex from which a straight row leads to both ends of a way that is none.
    fn bend(&self, from: [i64; 3], [q, r, s]: [i64; 3]) -> Option<u32> {
        // The longest part is the other two together, and a row goes along each of these.
        let rows = if q.abs() > r.abs().max(s.abs()) {
            [[-r, r, 0], [-s, 0, s]]
        } else if r.abs() > s.abs() {
            [[q, -q, 0], [0, -s, s]]
        } else {
            [[q, 0, -q], [0, r, -r]]
        };
        let [one, other] = rows;
        [(one, other), (other, one)].into_iter().find_map(|(first, rest)| {
            let bend = self.straight(from, first).ok()?.last().copied();
            self.straight(sum(from, first), rest).ok().and(bend)
        })
    }

    /// How many steps two hexes lie apart, as if every place between were a hex.
    #[must_use]
    pub fn distance(&self, a: u32, b: u32) -> Option<u32> {
        let (a, b) = (self.cube(a)?, self.cube(b)?);
        let sum: u64 = a.iter().zip(b).map(|(x, y)| x.abs_diff(y)).sum();
        u32::try_from(sum / 2).ok()
    }

    /// Every side that two hexes share, as links; `spaces` counts all spaces of the map. The rows
    /// are written in order, for sorting millions of pairs would take longer than all the rest of a
    /// large map.
    #[must_use]
    pub fn hexsides(&self, kind: KindId, spaces: usize) -> Links {
        let mut starts = Vec::with_capacity(spaces + 1);
        let mut to = Vec::with_capacity(self.places.len().saturating_mul(6));
        let here = |to: &Vec<u32>| u32::try_from(to.len()).unwrap_or(u32::MAX);
        for &(column, row) in &self.places {
            starts.push(here(&to));
            to.extend(self.around(u32::from(column), u32::from(row)));
        }
        starts.resize(spaces + 1, here(&to));
        to.shrink_to_fit();
        Links { kind, starts, to }
    }
}

/// Two places of cube coordinates, one on the other.
fn sum([q, r, s]: [i64; 3], [x, y, z]: [i64; 3]) -> [i64; 3] {
    [q + x, r + y, s + z]
}

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;
