//! What is kept of a map from one step of a run to the next.

use std::cell::RefCell;
use std::rc::Rc;

use crate::ir::{MapId, Ruleset};
use crate::kernel::Position;
use crate::kernel::board::{Board, BoardState};
use crate::world::World;

/// The rules that are played by, with all that was made of the map on the way: each step asks a
/// position of its own, on a board that is warm from the steps before. The answers are those of a
/// new board.
pub struct Ground<'r> {
    rules: &'r Ruleset,
    board: RefCell<Option<(MapId, BoardState)>>,
}

impl std::fmt::Debug for Ground<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ground").field("rules", &self.rules.name).finish_non_exhaustive()
    }
}

impl<'r> Ground<'r> {
    /// Nothing made yet.
    #[must_use]
    pub fn new(rules: &'r Ruleset) -> Ground<'r> {
        Ground { rules, board: RefCell::default() }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &'r Ruleset {
        self.rules
    }

    /// Asks a position; nothing where it has no map. A question within a question has a board of
    /// its own.
    pub fn ask<T>(&self, world: &World, ask: impl FnOnce(&Position<'_>) -> T) -> Option<T> {
        let map = self.rules.maps.get(world.map.index())?;
        let kept = self.board.take().filter(|(of, _)| *of == world.map);
        let kept = kept.map_or_else(BoardState::default, |(_, state)| state);
        let board = Rc::new(Board::resumed(self.rules, map, kept));
        let found = Position::on(&board, world).map(|position| ask(&position));
        if let Some(board) = Rc::into_inner(board) {
            self.board.replace(Some((world.map, board.into_state())));
        }
        found
    }
}
