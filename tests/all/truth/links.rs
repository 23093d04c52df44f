//! Links that cross, links between each two, and budgets that the space gives in which a line ends,
//! drawn into a game.

use super::game::{Cond, Game, LANE, Leg, PATH, ROAD, Steep, Within};
use super::make::Dice;

/// Draws some links as one line, and has lines cross where they meet.
pub fn crossings(dice: &mut Dice, game: &mut Game) {
    opened(dice, game);
    let areas = game.hexes.is_none();
    let joins = |link: &(usize, usize, u8), at: usize| link.0 == at || link.1 == at;
    let ends = |link: &(usize, usize, u8)| (link.0.min(link.1), link.0.max(link.1));
    for at in 0..game.spaces() {
        for (first, a) in game.links.iter().enumerate() {
            let straight = match a.2 {
                PATH => areas && !game.one_way,
                _ => true,
            };
            let alike = |b: &(usize, usize, u8)| {
                let worn = |link| !game.fickle && game.worn.contains(&ends(link));
                a.2 == b.2
                    && (a.2 == PATH
                        || worn(a) == worn(b)
                            && game.narrow.contains(&ends(a)) == game.narrow.contains(&ends(b)))
            };
            for (second, b) in game.links.iter().enumerate().skip(first + 1) {
                let drawn = |link| game.pairs.iter().any(|(a, b, _)| *a == link || *b == link);
                let may = straight && joins(a, at) && joins(b, at) && alike(b);
                if may && !drawn(first) && !drawn(second) && dice.one_in(2) {
                    game.pairs.push((first, second, at));
                }
            }
        }
    }
    let kinds: &[u8] = if areas { &[ROAD, PATH, ROAD | PATH] } else { &[ROAD] };
    for at in 0..game.spaces() {
        for kinds in kinds {
            let here: Vec<usize> = (0..game.links.len())
                .filter(|link| game.links[*link].2 & kinds != 0 && joins(&game.links[*link], at))
                .collect();
            let pairs = game.pairs.iter().filter(|(a, _, space)| *space == at && here.contains(a));
            let lines = here.len() - pairs.count();
            let often = if *kinds == ROAD | PATH { 6 } else { 2 };
            if lines > 1 && tells_lines(game, at) && dice.one_in(often) {
                game.crossings.push((*kinds, at));
            }
        }
    }
}

/// Whether no leg asks along which of several links a step goes that leads to a space or from it.
fn tells_lines(game: &Game, at: usize) -> bool {
    let asks = |leg: &Leg| {
        let which = leg.sound || leg.wide || leg.but_not != 0 || leg.for_horse != 0;
        which || leg.steep != Steep::Any || game.one_way
    };
    let several = |leg: &Leg| {
        let of_leg = leg.links | leg.for_horse | leg.but_not;
        (0..game.spaces()).any(|other| (game.joined(at, other) & of_leg).count_ones() > 1)
    };
    !game.traces().flat_map(|trace| &trace.legs).any(|leg| asks(leg) && several(leg))
}

/// Has links between each two depots on the same ground, and legs that go along them.
pub fn lanes(dice: &mut Dice, game: &mut Game) {
    opened(dice, game);
    game.lanes = true;
    game.depot.iter_mut().for_each(|depot| *depot |= dice.one_in(3));
    let n = game.spaces();
    for a in 0..n {
        for b in (0..n).filter(|b| *b != a && game.terrain[a] == game.terrain[*b]) {
            if game.depot[a] && game.depot[b] {
                game.matrix[a * n + b] |= LANE;
            }
        }
    }
    let Game { net, line, post, .. } = game;
    for leg in net.iter_mut().chain([line]).chain(post).flat_map(|trace| &mut trace.legs) {
        match dice.below(5) {
            0 | 1 => leg.links |= LANE,
            2 if leg.for_horse == 0 && leg.but_not == 0 && !leg.sound && !leg.wide => {
                leg.links = LANE;
            }
            _ => {}
        }
    }
}

/// Opens gates, so that lines come so far as to meet what is drawn.
fn opened(dice: &mut Dice, game: &mut Game) {
    let Game { net, line, post, .. } = game;
    for leg in net.iter_mut().chain([line]).chain(post).flat_map(|trace| &mut trace.legs) {
        for gate in [&mut leg.from, &mut leg.through, &mut leg.into] {
            if dice.below(3) > 0 {
                *gate = Cond::Always;
            }
        }
    }
}

/// Has the space in which lines end say how far they may run.
pub fn hauls(dice: &mut Dice, game: &mut Game) {
    opened(dice, game);
    game.haul = [0, 0, 0].map(|_: i64| i64::try_from(dice.below(4)).unwrap());
    let Game { net, line, post, .. } = game;
    for trace in net.iter_mut().chain([line]).chain(post) {
        let last = trace.places().saturating_sub(1);
        // Behind a relay the line begins again, so that no leg is the last.
        if dice.one_in(2) {
            trace.relays.clear();
        }
        if !trace.relays.is_empty() {
            continue;
        }
        for leg in trace.legs.iter_mut().filter(|leg| leg.place == last) {
            leg.cost = false;
            leg.within = Within::Haul;
        }
    }
}
