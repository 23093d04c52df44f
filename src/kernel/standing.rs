//! Planes of where units stand, as the ground of a program: units that all queries treat alike
//! share a plane.

use super::plane::Program;
use super::run::{Ground, Row};
use super::sorts::Mask;
use super::transpose::{Line, WIDE};

/// For each query the planes that it asks for, and where they count.
#[derive(Debug, Clone)]
pub(super) struct Presences {
    queries: Vec<Presence>,
}

#[derive(Debug, Clone, Default)]
struct Presence {
    /// Planes that count everywhere.
    always: Vec<usize>,
    /// Planes that count in some rows: a word a row, all bits or none.
    masked: Vec<(usize, Vec<u64>)>,
}

/// Where units of one block stand, and who controls what.
pub(super) struct Standing<'p> {
    pub presences: &'p Presences,
    /// `[plane][row]`.
    pub stands: &'p [Line],
    /// From one plane to the next.
    pub stride: usize,
    /// `[side][space]`.
    pub control: &'p [Line],
}

impl Presences {
    /// Of planes, each with what every query makes of it.
    pub(super) fn of<'m>(planes: impl Iterator<Item = &'m [Mask]>) -> Presences {
        let mut queries: Vec<Presence> = Vec::new();
        for (plane, masks) in planes.enumerate() {
            queries.resize(queries.len().max(masks.len()), Presence::default());
            for (query, mask) in queries.iter_mut().zip(masks) {
                match mask {
                    Mask::Never => {}
                    Mask::Always => query.always.push(plane),
                    Mask::Rows(rows) => query.masked.push((plane, rows.clone())),
                }
            }
        }
        Presences { queries }
    }
}

impl Ground<WIDE> for Standing<'_> {
    #[inline(always)]
    fn place(&self, _: &Program, _: &mut [Row<WIDE>]) {}

    #[inline(always)]
    fn presence(&self, _: &Program, query: usize, _: &[Row<WIDE>], out: &mut [Row<WIDE>]) {
        let rows = out.len();
        let plane = |at: usize| &self.stands[at * self.stride..][..rows];
        let Some(query) = self.presences.queries.get(query) else { return out.fill([0; WIDE]) };
        let (pairs, odd) = query.always.as_chunks::<2>();
        match odd {
            [] => out.fill([0; WIDE]),
            [odd, ..] => {
                for (out, row) in out.iter_mut().zip(plane(*odd)) {
                    *out = row.0;
                }
            }
        }
        for pair in pairs {
            for ((out, a), b) in out.iter_mut().zip(plane(pair[0])).zip(plane(pair[1])) {
                for ((out, a), b) in out.iter_mut().zip(a.0).zip(b.0) {
                    *out |= a | b;
                }
            }
        }
        for (at, mask) in &query.masked {
            for ((out, row), mask) in out.iter_mut().zip(plane(*at)).zip(mask) {
                for (out, word) in out.iter_mut().zip(row.0) {
                    *out |= word & mask;
                }
            }
        }
    }

    #[inline(always)]
    fn control(&self, side: usize, first: bool, out: &mut [Row<WIDE>]) {
        let plane = &self.control[side * out.len()..];
        if first {
            for (out, row) in out.iter_mut().zip(plane) {
                *out = row.0;
            }
            return;
        }
        for (out, row) in out.iter_mut().zip(plane) {
            for (out, word) in out.iter_mut().zip(row.0) {
                *out |= word;
            }
        }
    }
}
