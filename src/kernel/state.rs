//! What a position has worked out so far, apart from the position: kept by whoever asks one
//! position again and again, and free to go to another thread.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::Position;
use super::board::Board;
use super::evaluate::{CostsKey, GatesKey, LegCosts};
use super::field::{Field, Gates, Profile};
use super::hook::Known;
use super::id_map::IdMap;
use super::line_group::Group;
use super::lines::{GroupKey, Lines, LinesKey};
use crate::ir::TraceId;
use crate::world::World;

/// Of the groups of earlier positions so many are kept beside those of the last.
const MOST_EARLIER: usize = 32;

/// What has been worked out of one position. It is of no use for any other position or rules.
#[derive(Default)]
pub struct PositionState {
    standing: OnceCell<Arc<Vec<Vec<u32>>>>,
    gates: RefCell<IdMap<GatesKey, Arc<Gates>>>,
    fields: RefCell<IdMap<(TraceId, Profile), Arc<Field>>>,
    lines: RefCell<IdMap<LinesKey, Arc<Lines>>>,
    line_groups: RefCell<IdMap<GroupKey, Arc<Group>>>,
    earlier: Vec<Arc<Group>>,
    freed: RefCell<IdMap<GatesKey, Arc<Gates>>>,
    costs: RefCell<IdMap<CostsKey, LegCosts>>,
    hooks: RefCell<Known>,
}

impl PositionState {
    /// What is of use for another position on the same map: groups of lines, which are looked
    /// through for those that are searched among the same gates and costs.
    #[must_use]
    pub fn of_another(self) -> PositionState {
        let mut earlier: Vec<Arc<Group>> = self.line_groups.into_inner().into_values().collect();
        for group in self.earlier {
            if earlier.len() >= MOST_EARLIER {
                break;
            }
            if !earlier.iter().any(|known| Arc::ptr_eq(known, &group)) {
                earlier.push(group);
            }
        }
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
        let PositionState {
            standing,
            gates,
            fields,
            lines,
            line_groups,
            earlier,
            freed,
            costs,
            hooks,
        } = state;
        Position {
            standing,
            gates,
            fields,
            lines,
            line_groups,
            earlier,
            freed,
            costs,
            hooks,
            ..Position::over(board, world)
        }
    }

    /// What has been worked out so far, for the next question of the same position.
    #[must_use]
    pub fn into_state(self) -> PositionState {
        PositionState {
            standing: self.standing,
            gates: self.gates,
            fields: self.fields,
            lines: self.lines,
            line_groups: self.line_groups,
            earlier: self.earlier,
            freed: self.freed,
            costs: self.costs,
            hooks: self.hooks,
        }
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
