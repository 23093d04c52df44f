//! What a position has worked out so far, apart from the position: kept by whoever asks one
//! position again and again, and free to go to another thread.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;

use super::Position;
use super::board::Board;
use super::costs::Costs;
use super::evaluate::{CostsKey, GatesKey};
use super::field::{Field, Gates, Profile, Relaxed};
use super::hook::Known;
use super::lines::{Lines, LinesKey};
use crate::ir::TraceId;
use crate::world::World;

/// What has been worked out of one position. It is of no use for any other position or rules.
#[derive(Default)]
pub struct PositionState {
    standing: OnceCell<Arc<Vec<Vec<u32>>>>,
    gates: RefCell<IndexMap<GatesKey, Arc<Gates>>>,
    fields: RefCell<IndexMap<(TraceId, Profile, Relaxed), Arc<Field>>>,
    lines: RefCell<IndexMap<LinesKey, Arc<Lines>>>,
    freed: RefCell<IndexMap<GatesKey, Arc<Gates>>>,
    costs: RefCell<IndexMap<CostsKey, Arc<[Costs]>>>,
    hooks: RefCell<Known>,
}

impl<'a> Position<'a> {
    /// A position to ask that goes on with what was worked out of it before; the board must be of
    /// its map.
    #[must_use]
    pub fn over_state(
        board: &Rc<Board<'a>>,
        world: &'a World,
        state: PositionState,
    ) -> Position<'a> {
        let PositionState { standing, gates, fields, lines, freed, costs, hooks } = state;
        let position = Position::over(board, world);
        Position { standing, gates, fields, lines, freed, costs, hooks, ..position }
    }

    /// What has been worked out so far, for the next question of the same position.
    #[must_use]
    pub fn into_state(self) -> PositionState {
        let Position { standing, gates, fields, lines, freed, costs, hooks, .. } = self;
        PositionState { standing, gates, fields, lines, freed, costs, hooks }
    }
}

#[cfg(test)]
mod tests {
    use super::PositionState;
    use crate::kernel::board::BoardState;
    use crate::kernel::{SeriesState, SessionState};

    #[test]
    fn what_is_kept_may_go_to_another_thread() {
        const fn goes<T: Send + 'static>() {}
        const {
            goes::<PositionState>();
            goes::<BoardState>();
            goes::<SeriesState>();
            goes::<SessionState>();
        }
    }
}
