//! A position after a change: the evaluator is made ready only if something is asked of it.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::kernel::Position;
use crate::kernel::board::Board;
use crate::world::World;

/// The units in each space, in the order of the position.
pub(super) type Standing = Arc<Vec<Vec<u32>>>;

/// A position after a change.
pub(super) struct Scene<'a> {
    pub board: &'a Rc<Board<'a>>,
    world: &'a World,
    /// Who stands where, if that is kept.
    standing: Option<&'a Standing>,
    position: OnceCell<Position<'a>>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        board: &'a Rc<Board<'a>>,
        world: &'a World,
        standing: Option<&'a Standing>,
    ) -> Scene<'a> {
        Scene { board, world, standing, position: OnceCell::new() }
    }

    /// The position, to ask the evaluator.
    pub(super) fn position(&self) -> &Position<'a> {
        self.position.get_or_init(|| {
            let position = Position::over(self.board, self.world);
            if let Some(standing) = self.standing {
                let _ = position.standing.set(Arc::clone(standing));
            }
            position
        })
    }
}
