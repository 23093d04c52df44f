//! Where dice come from, and what can go wrong in a run.

use crate::kernel::EvalFault;

/// Dice that are shown one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dice {
    shown: Vec<u32>,
    at: usize,
}

/// What can go wrong in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RunFault {
    /// a value could not be worked out
    #[error("{0}")]
    Eval(#[from] EvalFault),
    /// a roll without a die
    #[error("a die is rolled and none is left")]
    NoDie,
    /// a die that shows more than it has
    #[error("a die with {sides} sides cannot show {shown}")]
    WrongDie {
        /// what it shows
        shown: u32,
        /// how many sides it has
        sides: u32,
    },
}

impl Dice {
    /// Dice that show these numbers in order.
    #[must_use]
    pub fn list(shown: Vec<u32>) -> Dice {
        Dice { shown, at: 0 }
    }

    /// The next die.
    pub fn next(&mut self, sides: u32) -> Result<u32, RunFault> {
        let shown = *self.shown.get(self.at).ok_or(RunFault::NoDie)?;
        self.at += 1;
        if (1..=sides).contains(&shown) { Ok(shown) } else { Err(RunFault::WrongDie { shown, sides }) }
    }
}
