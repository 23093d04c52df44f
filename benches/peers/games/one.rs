//! One position, one unit moved since the last question; and many positions, from rows to answers.

use std::hint::black_box;

use serde_json::Value;

use super::Game;
use super::ours::{Many, Warm};
use super::pairs::{Wanted, pairs, ratio};
use super::plain::{self, Plain};

/// Moves that are made again and again.
const MOVES: usize = 256;
/// Moves of one round.
const SOME: usize = 16;
/// Moves of one round where an answer rests on all that can be said.
const FEW: usize = 4;

const ANSWERS: Wanted = Wanted { floor: 1.0, goal: 8.0 };
const EVIDENCE: Wanted = Wanted { floor: 0.5, goal: 3.0 };
const TOGETHER: Wanted = Wanted { floor: 10.0, goal: 40.0 };
const NAMING: Wanted = Wanted { floor: 0.33, goal: 0.8 };

/// Yes or no of all units after each move.
pub fn answers(game: &Game) -> Value {
    let start = Plain::start(game);
    let steps = plain::moves(game, &start, MOVES, 7);
    let (mut warm, mut peer) = (Warm::new(game, &start), (game.shape.by_hand)(game));
    let (mut here, mut out, mut out_2) = (start.clone(), Vec::new(), Vec::new());
    let (mut at, mut at_2) = (0, 0);
    let some = game.fewer(SOME);
    let (found, ours) = pairs(
        &mut |_| {
            for _ in 0..some {
                warm.make(steps[at % MOVES]);
                warm.answers(&mut out);
                black_box(&out);
                at += 1;
            }
        },
        &mut |_| {
            for _ in 0..some {
                let step = steps[at_2 % MOVES];
                here.space[step.unit] = step.space;
                peer.answers(&here, &mut out_2);
                black_box(&out_2);
                at_2 += 1;
            }
        },
    );
    report(game, "one move", ours / some as f64, found);
    ratio(&game.title(), "one position, one unit moved", "tidy", found, ANSWERS)
}

/// The same with lengths, routes and causes; nothing where the peer has none.
pub fn evidence(game: &Game) -> Option<Value> {
    let start = Plain::start(game);
    let mut peer = (game.shape.by_hand)(game);
    let mut out_2 = Vec::new();
    if !peer.found(&start, &mut out_2) {
        return None;
    }
    let steps = plain::moves(game, &start, MOVES, 8);
    let (mut warm, mut here) = (Warm::new(game, &start), start.clone());
    let (mut at, mut at_2) = (0, 0);
    let (found, ours) = pairs(
        &mut |_| {
            for _ in 0..FEW {
                warm.make(steps[at % MOVES]);
                warm.evidence();
                at += 1;
            }
        },
        &mut |_| {
            for _ in 0..FEW {
                let step = steps[at_2 % MOVES];
                here.space[step.unit] = step.space;
                peer.found(&here, &mut out_2);
                black_box(&out_2);
                at_2 += 1;
            }
        },
    );
    report(game, "one move, evidence", ours / FEW as f64, found);
    Some(ratio(&game.title(), "the same with lengths, routes, causes", "tidy", found, EVIDENCE))
}

/// Many positions from rows to answers; the peer is asked of all of them too, one after another.
pub fn together(game: &Game) -> Value {
    let many = game.fewer(1024);
    let positions = plain::rows(game, many, 9);
    let (mut ours, mut peer) = (Many::new(game, many), (game.shape.by_hand)(game));
    let (mut out, mut out_2) = (Vec::new(), Vec::new());
    let (found, time) = pairs(
        &mut |_| {
            ours.ask(black_box(&positions), &mut out);
            black_box(&out);
        },
        &mut |_| {
            for position in &positions {
                peer.answers(black_box(position), &mut out_2);
                black_box(&out_2);
            }
        },
    );
    report(game, "together", time / many as f64, found);
    ratio(&game.title(), &format!("{many} positions from rows"), "tidy", found, TOGETHER)
}

fn report(game: &Game, what: &str, ours: f64, found: f64) {
    println!(
        "{}, {what}: {:.1} us a position, by hand {:.1}",
        game.shape.name,
        ours / 1e3,
        ours * found / 1e3
    );
}

/// The same trace with a gate that names the unit and without it, 100 units of 4 sorts.
pub fn naming(with: &Game, without: &Game) -> Value {
    let start = Plain::start(with);
    let steps = plain::moves(with, &start, MOVES, 10);
    let (mut warm, mut warm_2) = (Warm::new(with, &start), Warm::new(without, &start));
    let (mut out, mut out_2) = (Vec::new(), Vec::new());
    let (mut at, mut at_2) = (0, 0);
    let (found, ours) = pairs(
        &mut |_| {
            warm.make(steps[at % MOVES]);
            warm.answers(&mut out);
            black_box(&out);
            at += 1;
        },
        &mut |_| {
            warm_2.make(steps[at_2 % MOVES]);
            warm_2.answers(&mut out_2);
            black_box(&out_2);
            at_2 += 1;
        },
    );
    report(with, "a gate that names the unit", ours, found);
    let what = "a gate that names the unit, 100 units of 4 sorts";
    ratio("games: command", what, "the same without it", found, NAMING)
}
