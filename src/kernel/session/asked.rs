//! What the evaluator is asked of each space, where nothing is counted.

use super::reach::Reach;
use super::tree::Asking;
use crate::ir::{ExprId, SideId};
use crate::kernel::board::{Bits, Layout};
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::ThingRef;

/// What the evaluator is asked of each space.
#[derive(Debug)]
pub(super) struct Asked {
    pub when: ExprId,
    pub level: u8,
    pub viewer: Option<SideId>,
    /// The unit whose line it is, where the condition names that.
    pub bound: Option<ThingRef>,
    pub reach: Reach,
    pub yes: Bits,
}

impl Asked {
    pub(super) fn new(when: ExprId, asking: Asking, reach: Reach) -> Asked {
        let Asking { level, viewer, bound } = asking;
        Asked { when, level, viewer, bound, reach, yes: Bits::default() }
    }

    /// A question about a space.
    fn cx(&self, space: u32) -> Cx {
        let cx = Cx::world(self.viewer);
        self.bound.map_or(cx, |bound| cx.with(0, bound)).with(self.level, ThingRef::Space(space))
    }

    /// How far away a change counts: of units, or of what a space is like; none where it does not.
    pub(super) fn counts(&self, spaces: bool) -> Option<u32> {
        if spaces { Some(self.reach.most()) } else { self.reach.units }
    }

    /// Asks again of some cells, and calls with those where the answer is another.
    pub(super) fn again(
        &mut self,
        position: &Position<'_>,
        layout: &Layout,
        cells: &[u32],
        mut turned: impl FnMut(u32),
    ) -> Result<(), EvalFault> {
        for cell in cells {
            let yes = position.holds(self.when, &self.cx(layout.space(*cell)))?;
            if self.yes.get(*cell) != yes {
                self.yes.put(*cell, yes);
                turned(*cell);
            }
        }
        Ok(())
    }
}
