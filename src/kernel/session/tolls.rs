//! What entering each cell costs on a leg, a byte a cell.

use crate::kernel::board::{Board, Layout};
use crate::kernel::costs::Costs;

/// Nothing enters.
const BARRED: u8 = 0;
/// The cost does not fit into a byte, or the cell left makes a difference.
const ASK: u8 = u8::MAX;

/// What entering each cell costs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tolls {
    cells: Vec<u8>,
    /// All costs, where some cell needs them.
    costs: Option<Costs>,
}

impl Tolls {
    pub(super) fn of(board: &Board<'_>, costs: Costs) -> Tolls {
        let layout = board.layout();
        let mut cells = vec![BARRED; layout.size * 64];
        let mut asked = false;
        for cell in layout.spaces.cells() {
            let toll = match &costs {
                Costs::Even => Some(1),
                Costs::Space(all, _) => all[layout.space(cell) as usize],
            };
            cells[cell as usize] = toll.map_or(BARRED, |toll| u8::try_from(toll).unwrap_or(ASK));
            asked |= cells[cell as usize] == ASK;
        }
        if let Costs::Space(_, steps) = &costs {
            for space in steps.spaces() {
                cells[layout.cell(space) as usize] = ASK;
                asked = true;
            }
        }
        Tolls { cells, costs: asked.then_some(costs) }
    }

    /// What entering a cell costs, from wherever.
    #[inline(always)]
    pub(super) fn into(&self, cell: u32) -> Toll {
        match self.cells[cell as usize] {
            BARRED => Toll::Barred,
            ASK => Toll::ByStep,
            toll => Toll::Of(u32::from(toll)),
        }
    }

    /// What a step costs; none where it is barred.
    #[inline(always)]
    pub(super) fn step(&self, layout: &Layout, from: u32, into: u32) -> Option<u32> {
        match self.into(into) {
            Toll::Barred => None,
            Toll::Of(toll) => Some(toll),
            Toll::ByStep => self.by_step(layout, from, into),
        }
    }

    /// What a step costs, by all that can make a difference.
    #[cold]
    pub(super) fn by_step(&self, layout: &Layout, from: u32, into: u32) -> Option<u32> {
        self.costs.as_ref().and_then(|costs| costs.step(layout.space(from), layout.space(into)))
    }
}

/// What entering one cell costs.
pub(super) enum Toll {
    Barred,
    Of(u32),
    /// the cell left makes a difference, or the cost is large
    ByStep,
}
