//! All commands say the same: a slice of what `cargo bench --bench truth` holds a million times.

use crate::common::counts::seeds_every;
use crate::truth;
use crate::truth::brute::{Brute, Subject};
use crate::truth::game::{Game, LANE, Position};
use crate::truth::hold::Held;
use crate::truth::make;

#[test]
fn every_command_agrees_with_the_brute_force() {
    let seeds: Vec<u64> = seeds_every(40, 7).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut held = Held::default();
    for seed in &seeds {
        let place = folder.path().join(seed.to_string());
        match truth::one_game(env!("CARGO_BIN_EXE_sutler"), *seed, &place) {
            Ok(more) => held.add(&more),
            Err(what) => panic!("{what}"),
        }
    }
    println!("seeds {seeds:?}: {held:?}");
    let each = [
        held.batch,
        held.trace,
        held.reach,
        held.explain,
        held.why_not,
        held.threat,
        held.impact,
        held.test,
        held.run,
    ];
    assert!(
        each.iter().all(|n| *n > seeds.len() as u64),
        "something was compared hardly ever: {held:?}"
    );
    assert!(held.yes > held.batch / 10 && held.yes < held.batch * 9 / 10, "one-sided: {held:?}");
}

/// Links that cross, links between each two and budgets that the source gives are drawn, and answers
/// turn on each of them.
#[test]
fn the_games_have_every_construct() {
    let mut turned = [0; 3];
    for seed in seeds_every(900, 4) {
        let mut dice = make::Dice::new(seed);
        let game = make::game(&mut dice);
        let others = [
            Game { crossings: Vec::new(), ..game.clone() },
            Game {
                matrix: game.matrix.iter().map(|kinds| kinds & !LANE).collect(),
                ..game.clone()
            },
            Game { haul: [9; 3], ..game.clone() },
        ];
        let answers = |game: &Game, at: &Position| -> Vec<_> {
            let brute = Brute::new(game, at);
            let units = (0..at.units.len()).map(Subject::Unit);
            let of_units = units.map(|unit| brute.answer(&game.line, unit, None));
            let net = game.net.iter().flat_map(|net| {
                let spaces = (0..game.spaces()).map(Subject::Space);
                spaces.map(|space| brute.answer(net, space, Some(at.viewer)))
            });
            of_units.chain(net).collect()
        };
        let positions = make::positions(&mut dice, &game);
        let now: Vec<_> = positions.iter().map(|at| answers(&game, at)).collect();
        for (turned, other) in turned.iter_mut().zip(&others) {
            let differs = positions.iter().zip(&now).any(|(at, now)| answers(other, at) != *now);
            *turned += usize::from(differs);
        }
    }
    println!("{turned:?} games are otherwise without crossings, lanes, and short hauls");
    assert!(turned.iter().all(|games| *games > 2), "{turned:?}");
}
