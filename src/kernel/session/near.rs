//! Where things are looked for, from a cell.

use std::sync::Arc;

use super::ways::{Around, Ways};
use crate::ir::KindId;
use crate::kernel::board::Board;

/// Where things are looked for, from a cell. Links lead both ways, so that a cell is near all that
/// are near it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Near {
    Here,
    /// over the links of one net
    Adjacent(usize),
    /// over the links of one net, and not joined by those of another
    Except(usize, usize),
    /// so many links of a net
    Within(u32, usize),
}

/// The nets that are asked for.
#[derive(Debug, Default)]
pub(super) struct Nets(Vec<Arc<Ways>>);

impl Nets {
    /// The place of a net; of all links where no kinds are given.
    pub(super) fn at(&mut self, board: &Board<'_>, kinds: Option<&[KindId]>) -> usize {
        let net = board.net(kinds);
        self.0.iter().position(|ways| ways.is_of(&net)).unwrap_or_else(|| {
            self.0.push(Arc::new(Ways::of(board, &net)));
            self.0.len() - 1
        })
    }

    /// The neighbours over a net.
    pub(super) fn get(&self, at: usize) -> &Arc<Ways> {
        &self.0[at]
    }

    /// Calls with every cell near one.
    #[inline]
    pub(super) fn each(&self, near: Near, cell: u32, room: &mut Around, mut call: impl FnMut(u32)) {
        match near {
            Near::Here => call(cell),
            Near::Adjacent(net) => self.0[net].each(cell, call),
            Near::Except(all, but) => self.0[all].each(cell, |c| {
                if !self.0[but].joins(cell, c) {
                    call(c);
                }
            }),
            Near::Within(steps, net) => {
                room.gather(&self.0[net], steps, [cell]);
                room.cells.iter().for_each(|c| call(*c));
            }
        }
    }
}
