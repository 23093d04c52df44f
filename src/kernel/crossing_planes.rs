//! Legs over links that cross and do not meet, searched on planes: behind the rows of the spaces stand
//! those of the nodes that they are come to by.
//!
//! A condition is asked of the space of a node, and an answer is read in the rows of the spaces, from
//! which all steps lead; so no other operation knows of nodes.

use super::plane::{Op, Program, Way};
use super::reaching::Ground;
use super::run::{Block, Row, plane};

/// A leg that is searched by nodes.
pub(super) struct ByNodes<'n, const W: usize> {
    ground: Ground<'n, W>,
    /// Where a line may begin.
    reached: &'n mut [Row<W>],
    /// What leads on at each of the last costs, one plane a cost.
    leads: &'n mut [Row<W>],
}

impl<'n, const W: usize> ByNodes<'n, W> {
    /// Begins at the ends, in room of as many rows as [`Program::passes`] counts for it.
    #[inline(always)]
    pub(super) fn begin(
        way: &'n Way,
        ends: &[Row<W>],
        through: Option<&[Row<W>]>,
        room: &'n mut [Row<W>],
    ) -> ByNodes<'n, W> {
        let nodes = ends.len() - 1 + way.further.len();
        let (open, room) = room.split_at_mut(nodes);
        let (reached, leads) = room.split_at_mut(nodes);
        by_nodes(way, ends, reached);
        leads[..nodes].copy_from_slice(reached);
        let through = match through {
            Some(through) => {
                by_nodes(way, through, open);
                Some(&*open)
            }
            None => None,
        };
        ByNodes { ground: Ground { way, through }, reached, leads }
    }

    /// All that is reached within a length; none for any.
    #[inline(always)]
    pub(super) fn go(&mut self, most: Option<u32>) {
        self.ground.go(most, self.leads, self.reached);
    }

    /// Writes where a line may begin to a plane of spaces.
    #[inline(always)]
    pub(super) fn take(&self, out: &mut [Row<W>]) {
        let spaces = out.len() - 1;
        out[..spaces].copy_from_slice(&self.reached[..spaces]);
        out[spaces] = [0; W];
    }
}

impl<const W: usize> Block<'_, W> {
    /// A flood by nodes: a plane a cost, each with those before it.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn crossed_flood(&mut self, program: &Program, op: &Op, at: u32) {
        let Op::Flood { ends, through, way, steps, .. } = op else { return };
        let rows = program.rows;
        let (before, own) = self.planes.split_at_mut(at as usize * rows);
        let through = through.map(|t| plane(before, rows, t));
        let ends = plane(before, rows, *ends);
        let mut nodes = ByNodes::begin(&program.ways[*way], ends, through, self.pass);
        match steps {
            None => {
                nodes.go(None);
                nodes.take(&mut own[..rows]);
            }
            Some(steps) => {
                nodes.take(&mut own[..rows]);
                for cost in 1..=*steps as usize {
                    nodes.ground.step(cost, nodes.leads, nodes.reached);
                    nodes.take(&mut own[cost * rows..][..rows]);
                }
            }
        }
    }
}

/// What holds in the space of each node.
#[inline(always)]
fn by_nodes<const W: usize>(way: &Way, of: &[Row<W>], out: &mut [Row<W>]) {
    let (spaces, further) = out.split_at_mut(of.len() - 1);
    spaces.copy_from_slice(&of[..of.len() - 1]);
    for (out, space) in further.iter_mut().zip(&way.further) {
        *out = of[*space as usize];
    }
}
