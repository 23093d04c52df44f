//! A game loop: a position changes move by move, and after each move the game asks who is in
//! supply. What a move does not touch is not worked out again.
//!
//! `cargo run --example game_loop -- rulesets/soldier_kings 20`

use std::error::Error;

use sutler::{Position, Rules, Space, Unit};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let ruleset = args.next().unwrap_or_else(|| "rulesets/soldier_kings".to_owned());
    let moves: u32 = args.next().map_or(Ok(20), |moves| moves.parse())?;

    let game = Rules::open(ruleset).game()?;
    let supply = game.main_trace()?;
    let mut position = game.first_setup()?;
    let mut before = position.all_yes(supply)?;
    for turn in 1..=moves {
        let (unit, space) = next_move(&position, turn);
        position.move_unit(unit, Some(space))?;
        let now = position.all_yes(supply)?;
        println!("{turn}: {} to {}", position.name(unit.into()), position.name(space.into()));
        // What has turned since the last move; a unit that came onto the map is new.
        for (thing, yes) in &now {
            if before.iter().find(|(of, _)| of == thing).is_some_and(|(_, was)| was != yes) {
                let answer = position.ask(supply, *thing)?;
                println!("   {} is {} now", answer.id, answer.state);
            }
        }
        before = now;
    }
    Ok(())
}

/// Where a player would decide; here each unit in turn goes to some space.
fn next_move(position: &Position, turn: u32) -> (Unit, Space) {
    let (units, spaces) = (position.units().count(), position.spaces().count());
    let place = |number: u32, of: usize| number % u32::try_from(of.max(1)).unwrap_or(u32::MAX);
    (Unit(place(turn * 7, units)), Space(place(turn * 13, spaces)))
}
