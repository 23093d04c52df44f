//! One truth for all commands: random games, an independent brute force, and the commands held
//! against it.
//!
//! A game here is plain data ([`game`]), made at random ([`make`]), written out as a ruleset
//! ([`write`]) and answered from the data alone ([`brute`]): nothing of the engine is used for an
//! expectation. Each file of [`hold`] asks one command of the built program and compares.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_range_loop,
    reason = "a test that cannot go on has found a fault, and each user takes a part of it"
)]

pub mod brute;
pub mod game;
pub mod hold;
pub mod links;
pub mod make;
pub mod route;
pub mod ways;
pub mod write;

use hold::Held;

/// Holds every command against the brute force on the game of one seed, in a folder that is made
/// anew.
///
/// # Errors
///
/// What differs, in words, with the text of the game.
pub fn one_game(program: &str, seed: u64, folder: &std::path::Path) -> Result<Held, String> {
    let mut dice = make::Dice::new(seed);
    let game = make::game(&mut dice);
    let positions = make::positions(&mut dice, &game);
    let bench = hold::Bench::new(program, folder, &game, positions);
    let mut held = Held::default();
    let place = |what: String| format!("seed {seed}: {what}\n{}", write::rules(&game));
    hold::all(&bench, &mut dice, &mut held).map_err(place)?;
    Ok(held)
}
