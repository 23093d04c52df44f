//! What a position has worked out so far, apart from the position: kept by whoever asks one
//! position again and again, and free to go to another thread.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::Position;
use super::board::Board;
use super::costs::Costs;
use super::evaluate::{CostsKey, GatesKey};
use super::field::{Field, Gates, Profile};
use super::hook::Known;
use super::id_map::IdMap;
use super::lines::{Lines, LinesKey};
use crate::ir::TraceId;
use crate::world::World;

/// What has been worked out of one position. It is of no use for any other position or rules.
#[derive(Default)]
pub struct PositionState {
    standing: OnceCell<Arc<Vec<Vec<u32>>>>,
    gates: RefCell<IdMap<GatesKey, Arc<Gates>>>,
    fields: RefCell<IdMap<(TraceId, Profile), Arc<Field>>>,
    lines: RefCell<IdMap<LinesKey, Arc<Lines>>>,
    earlier: IdMap<LinesKey, Arc<Lines>>,
    freed: RefCell<IdMap<GatesKey, Arc<Gates>>>,
    costs: RefCell<IdMap<CostsKey, Arc<[Costs]>>>,
    hooks: RefCell<Known>,
}

impl PositionState {
    /// What is of use for another position on the same map: lines, which are looked through for
    /// those that are searched among the same gates, costs and budgets.
    #[must_use]
    pub fn of_another(self) -> PositionState {
        let lines = self.lines.into_inner();
        let earlier = if lines.is_empty() { self.earlier } else { lines };
        PositionState { earlier, ..PositionState::default() }
    }
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
        let PositionState { standing, gates, fields, lines, earlier, freed, costs, hooks } = state;
        let position = Position::over(board, world);
        Position { standing, gates, fields, lines, earlier, freed, costs, hooks, ..position }
    }

    /// What has been worked out so far, for the next question of the same position.
    #[must_use]
    pub fn into_state(self) -> PositionState {
        let Position { standing, gates, fields, lines, earlier, freed, costs, hooks, .. } = self;
        PositionState { standing, gates, fields, lines, earlier, freed, costs, hooks }
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
