//! What a position has worked out so far, apart from the position: kept by whoever asks one
//! position again and again, and free to go to another thread.

use std::cell::{OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use super::Position;
use super::board::Board;
use super::evaluate::{CostsKey, GatesKey, Ground, LegCosts};
use super::field::{Field, Gates, Profile};
use super::hook::Known;
use super::id_map::IdMap;
use super::line_group::Group;
use super::lines::{GroupKey, Lines, LinesKey};
use crate::ir::TraceId;
use crate::world::World;

/// Of the groups of earlier positions so many are kept beside those of the last.
const MOST_EARLIER: usize = 32;

/// Gates, searches and costs of a position.
#[derive(Clone, Default)]
pub(super) struct Worked {
    /// Gates by trace, side and what they read of the thing; equal ones of a trace and side are one.
    pub gates: RefCell<IdMap<GatesKey, Arc<Gates>>>,
    /// Fields by trace and all that they depend on beside the position.
    pub fields: RefCell<IdMap<(TraceId, Profile), Arc<Field>>>,
    /// The best lines as wholes, by all that they depend on.
    pub lines: RefCell<IdMap<LinesKey, Arc<Lines>>>,
    /// What these lines share.
    pub line_groups: RefCell<IdMap<GroupKey, Arc<Group>>>,
    /// The gates without what others do.
    pub freed: RefCell<IdMap<GatesKey, Arc<Gates>>>,
    /// What the steps of each leg cost, by all that this depends on.
    pub costs: RefCell<IdMap<CostsKey, LegCosts>>,
    /// The answers of traces that rules have read, by the side that asks.
    pub verdicts: RefCell<IdMap<Ground, bool>>,
}

/// What a position has worked out, which others may share: nothing is taken for it before something
/// is.
#[derive(Default)]
pub(super) struct Shared(OnceCell<Rc<Worked>>);

impl Shared {
    fn of(worked: Worked) -> Shared {
        Shared(OnceCell::from(Rc::new(worked)))
    }

    /// The same once more: what either works out both have.
    fn share(&self) -> Shared {
        Shared(OnceCell::from(Rc::clone(self.worked())))
    }

    fn worked(&self) -> &Rc<Worked> {
        self.0.get_or_init(Rc::default)
    }

    fn into_worked(self) -> Worked {
        self.0.into_inner().map_or_else(Worked::default, Rc::unwrap_or_clone)
    }
}

impl Deref for Shared {
    type Target = Worked;

    fn deref(&self) -> &Worked {
        self.worked()
    }
}

/// What has been worked out of one position. It is of no use for any other position or rules.
#[derive(Default)]
pub struct PositionState {
    standing: OnceCell<Arc<Vec<Vec<u32>>>>,
    worked: Worked,
    earlier: Vec<Arc<Group>>,
    hooks: RefCell<Known>,
}

impl PositionState {
    /// What is of use for another position on the same map: groups of lines, which are looked
    /// through for those that are searched among the same gates and costs.
    #[must_use]
    pub fn of_another(self) -> PositionState {
        let mut earlier: Vec<Arc<Group>> =
            self.worked.line_groups.into_inner().into_values().collect();
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
        let PositionState { standing, worked, earlier, hooks } = state;
        let worked = Shared::of(worked);
        Position { standing, worked, earlier, hooks, ..Position::over(board, world) }
    }

    /// The same position on a board of the same rules, which may count: both share what either
    /// works out of gates, searches and costs.
    #[must_use]
    pub fn beside<'b>(&self, board: &Rc<Board<'b>>) -> Option<Position<'b>>
    where
        'a: 'b,
    {
        let (worked, standing) = (self.worked.share(), self.standing.clone());
        Some(Position { worked, standing, ..Position::on(board, self.world)? })
    }

    /// What has been worked out so far, for the next question of the same position.
    #[must_use]
    pub fn into_state(self) -> PositionState {
        PositionState {
            standing: self.standing,
            worked: self.worked.into_worked(),
            earlier: self.earlier,
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
