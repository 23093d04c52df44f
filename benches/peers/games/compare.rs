//! Answers first: every way must give the same, for every position, before anything is timed.

use super::Game;
use super::ours::{Many, Warm};
use super::peer::{NO, UNASKED};
use super::plain::{self, Plain};

/// Compares all answers of some positions, by moves and together; ends the program with 1 and shows
/// the first that differs.
pub fn answers(game: &Game, many: usize) {
    let mut peer = (game.shape.by_hand)(game);
    let positions = plain::positions(game, many, 14);
    let (mut ours, mut theirs, mut yes) = (Vec::new(), Vec::new(), 0);
    let mut together = Vec::new();
    Many::new(game, positions.len()).ask(&positions, &mut together);
    let each = game.things() * game.traces.len();
    for (at, position) in positions.iter().enumerate() {
        peer.answers(position, &mut theirs);
        same(game, position, &format!("position {at}"), &together[at * each..][..each], &theirs);
        yes += theirs.iter().filter(|a| ![NO, UNASKED].contains(a)).count();
    }
    let no = together.iter().filter(|a| **a == NO).count();

    let mut plain = Plain::start(game);
    let mut warm = Warm::new(game, &plain);
    for (at, step) in plain::moves(game, &plain, many, 41).into_iter().enumerate() {
        plain.space[step.unit] = step.space;
        warm.make(step);
        warm.answers(&mut ours);
        peer.answers(&plain, &mut theirs);
        same(game, &plain, &format!("move {at}"), &ours, &theirs);
    }
    println!("{}: {many} positions and {many} moves agree, {yes} yes and {no} no", game.shape.name);
}

fn same(game: &Game, position: &Plain, called: &str, ours: &[u8], theirs: &[u8]) {
    assert_eq!(ours.len(), theirs.len(), "{}: as many answers", game.shape.name);
    let Some(at) = ours.iter().zip(theirs).position(|(o, t)| o != t) else { return };
    let things = game.things();
    let (ours, theirs) = (ours[at], theirs[at]);
    let trace = &game.rules.traces[game.traces[at / things].index()].name;
    let map = &game.rules.maps[game.start.map.index()];
    let at = at % things;
    let unit = |at: usize| &game.start.units[at].id;
    let thing = match (game.of_spaces, game.shape.reach) {
        (true, _) => map.spaces[at].id.clone(),
        (false, None) => unit(at).clone(),
        (false, Some(_)) => {
            let (unit, space) = (unit(game.reaching[at / game.spaces]), at % game.spaces);
            format!("{unit} to {}", map.spaces[space].id)
        }
    };
    eprintln!(
        "{}, {called}: {trace} of {thing} is {ours} by the engine and {theirs} by hand (0 no, \
         1 yes, of what is reached 1 more than its length)",
        game.shape.name
    );
    eprintln!("{}", sutler::world::json::write(&game.rules, &position.world(game)));
    std::process::exit(1);
}

/// Compares lengths, routes and causes after each of some moves, where the peer has them.
pub fn evidence(game: &Game, many: usize) {
    let mut peer = (game.shape.by_hand)(game);
    let mut plain = Plain::start(game);
    let mut warm = Warm::new(game, &plain);
    let (mut ours, mut theirs, mut lines) = (Vec::new(), Vec::new(), 0);
    for (at, step) in plain::moves(game, &plain, many, 42).into_iter().enumerate() {
        plain.space[step.unit] = step.space;
        warm.make(step);
        if !peer.found(&plain, &mut theirs) {
            return;
        }
        warm.found(&mut ours);
        assert_eq!(ours.len(), theirs.len(), "{}: as many answers", game.shape.name);
        if let Some(unit) = ours.iter().zip(&theirs).position(|(o, t)| o != t) {
            let name = &game.start.units[unit].id;
            eprintln!("{}, move {at}: what the answer of {name} rests on", game.shape.name);
            eprintln!("by the engine {:?}\nby hand       {:?}", ours[unit], theirs[unit]);
            eprintln!("{}", sutler::world::json::write(&game.rules, &plain.world(game)));
            std::process::exit(1);
        }
        lines += theirs.iter().filter(|f| f.length.is_some()).count();
    }
    println!("{}: evidence of {many} moves agrees, {lines} lines", game.shape.name);
}
