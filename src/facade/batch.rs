//! One trace asked of many positions.

use std::sync::{Mutex, PoisonError};

use super::{Faults, Game, Position, Thing, Trace};
use crate::kernel::{Series, SeriesState};
use crate::world::World;

/// A trace asked of many positions; what was prepared for some serves the next. Threads may share
/// it: each that asks has its own room.
pub struct Batch {
    game: Game,
    trace: Trace,
    idle: Mutex<Vec<SeriesState>>,
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch").field("game", &self.game).field("trace", &self.trace).finish()
    }
}

impl Batch {
    pub(super) fn new(game: Game, trace: Trace) -> Batch {
        Batch { game, trace, idle: Mutex::default() }
    }

    /// For each position what [`Position::all_yes`] says of it. Positions that differ only in where
    /// units stand, who controls what and the facts of units are answered together.
    pub fn ask(&self, positions: &[Position]) -> Vec<Result<Vec<(Thing, bool)>, Faults>> {
        let mut found: Vec<Result<Vec<(Thing, bool)>, Faults>> = Vec::new();
        let mut worlds: Vec<&World> = Vec::new();
        for position in positions {
            let own = position.game().hash() == self.game.hash();
            found.push(if own { position.can_ask(self.trace) } else { Err(other_game()) }.map(
                |()| {
                    worlds.push(position.world());
                    Vec::new()
                },
            ));
        }
        let answers = self.with(|series| series.ask(&worlds));
        for (place, answers) in found.iter_mut().filter(|f| f.is_ok()).zip(answers) {
            let thing = |(thing, yes)| Some((Thing::of(thing)?, yes));
            let answers = answers.map(|all| all.into_iter().filter_map(thing).collect());
            *place = answers.map_err(|fault| self.game.broken(fault));
        }
        found
    }

    /// Asks with what an earlier question has prepared.
    fn with<T>(&self, ask: impl FnOnce(&mut Series<'_>) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let state = idle().pop().unwrap_or_else(|| SeriesState::new(self.trace.inner()));
        let mut series = Series::resumed(self.game.rules(), state);
        let found = ask(&mut series);
        let state = series.into_state();
        idle().push(state);
        found
    }
}

fn other_game() -> Faults {
    super::names::absent("the position is of another game", "make it with the game that is asked")
}
