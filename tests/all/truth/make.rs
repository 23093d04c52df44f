//! Random games and positions.

use super::game::{
    Boss, CAPTAINS, Cond, Fate, Filter, Game, Leg, Near, PATH, Position, ROAD, SIDES, Stance,
    Steep, Trace, Unit, UnitCond, Within, Worth,
};
use super::links;

/// A small generator with a seed, so that a failure can be played again.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice((seed ^ 0x5DEE_CE66_D1CE_4E5B).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..4 {
            dice.below(2);
        }
        dice
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap() % n.max(1)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// What a condition may name, by where it stands.
#[derive(Clone, Copy)]
struct May {
    tracer: bool,
    joined: bool,
    linked: bool,
    defines: usize,
}

fn near(dice: &mut Dice) -> Near {
    dice.pick(&[
        Near::Here,
        Near::Here,
        Near::Here,
        Near::Adjacent,
        Near::OverRoads,
        Near::Within(1),
        Near::Within(2),
    ])
}

fn cond(dice: &mut Dice, depth: usize, may: May) -> Cond {
    if depth > 0 && dice.below(5) < 2 {
        let left = Box::new(cond(dice, depth - 1, may));
        if dice.one_in(4) {
            return Cond::Not(left);
        }
        let right = Box::new(cond(dice, depth - 1, may));
        return if dice.one_in(2) { Cond::And(left, right) } else { Cond::Or(left, right) };
    }
    loop {
        let stance = dice.pick(&Stance::ALL);
        return match dice.below(17) {
            0 => Cond::Terrain(u8::try_from(dice.below(3)).unwrap()),
            1 => Cond::Control(stance),
            2 => Cond::NoControl,
            3 if dice.one_in(2) => Cond::Winter,
            4 => Cond::Flooded,
            5 if may.tracer => Cond::TracerHorse,
            6 if may.tracer => Cond::TracerLed,
            7 if may.tracer => Cond::TracerMoves(i64::try_from(2 + dice.below(5)).unwrap()),
            8 if may.defines > 0 => Cond::Define(dice.below(may.defines)),
            9 if may.joined => Cond::Joined,
            10 => Cond::Levy(i64::try_from(1 + dice.below(2)).unwrap()),
            11 => Cond::AtLeast {
                count: 1 + u32::try_from(dice.below(2)).unwrap(),
                stance,
                near: near(dice),
            },
            12..17 => Cond::Any {
                none: dice.one_in(2),
                stance,
                near: near(dice),
                filter: filter(dice, may),
            },
            _ => continue,
        };
    }
}

fn filter(dice: &mut Dice, may: May) -> Filter {
    match dice.below(8) {
        0 => Filter::Wagon,
        1 => Filter::Horse,
        2 => Filter::Led,
        3 if may.linked => Filter::Linked,
        4 if may.tracer => Filter::FasterThanTracer,
        _ => Filter::None,
    }
}

fn gate(dice: &mut Dice, may: May) -> Cond {
    if dice.below(5) < 2 { Cond::Always } else { cond(dice, 1, may) }
}

fn leg(dice: &mut Dice, name: &str, place: usize, cost: bool, may: May) -> Leg {
    let within = match (cost, may.tracer) {
        (true, _) => dice.pick(&[
            Within::Move,
            Within::Move,
            Within::Number(3),
            Within::Number(5),
            Within::Unlimited,
        ]),
        (_, true) => {
            dice.pick(&[Within::Reach, Within::Number(1), Within::Number(2), Within::Unlimited])
        }
        _ => dice.pick(&[Within::Number(1), Within::Number(2), Within::Unlimited]),
    };
    Leg {
        name: name.to_owned(),
        place,
        optional: false,
        only: None,
        links: dice.pick(&[ROAD, PATH, ROAD | PATH, ROAD | PATH]),
        but_not: 0,
        for_horse: 0,
        steep: Steep::Any,
        sound: false,
        wide: false,
        from: gate(dice, may),
        through: gate(dice, may),
        stopping: None,
        into: gate(dice, may),
        cost,
        within,
    }
}

/// Legs in a chain: alternatives in any place, and any place but the first may be skipped.
fn legs(dice: &mut Dice, costs: bool, may: May) -> Vec<Leg> {
    let mixed = dice.one_in(4);
    let all = costs && dice.one_in(2);
    let priced = |dice: &mut Dice| costs && if mixed { dice.one_in(2) } else { all };
    let mut legs = Vec::new();
    let places = dice.pick(&[1, 1, 2, 2, 3]);
    for place in 0..places {
        let cost = priced(dice);
        let mut first = leg(dice, &format!("leg{place}"), place, cost, may);
        if dice.one_in(4) {
            legs.push(first);
            let cost = priced(dice);
            legs.push(leg(dice, &format!("other{place}"), place, cost, may));
        } else {
            first.optional = dice.one_in(3) && place > 0;
            legs.push(first);
        }
    }
    legs
}

fn unit_cond(dice: &mut Dice, defines: usize) -> UnitCond {
    match dice.below(5) {
        0 => UnitCond::Wagon,
        1 => UnitCond::Led,
        2 => UnitCond::Winter,
        3 => UnitCond::Horse,
        _ => UnitCond::Here(dice.below(defines)),
    }
}

pub fn game(dice: &mut Dice) -> Game {
    let hexes = dice.one_in(3).then(|| 2 + dice.below(3));
    let rows = 2 + dice.below(2);
    let (spaces, links) = match hexes {
        Some(columns) => hex_links(dice, columns, rows),
        None => area_links(dice),
    };
    let terrain: Vec<u8> = (0..spaces).map(|_| u8::try_from(dice.below(3)).unwrap()).collect();
    let plain = May { tracer: false, joined: false, linked: false, defines: 0 };
    let defines: Vec<Cond> = (0..3).map(|d| cond(dice, 2, May { defines: d, ..plain })).collect();
    let net = dice.one_in(2).then(|| net(dice, May { defines: 3, ..plain }));
    let may = May { tracer: dice.one_in(2), joined: net.is_some(), defines: 3, linked: false };
    let line = line(dice, may);
    let post = dice.one_in(3).then(|| post(dice, May { linked: true, ..may }));
    let mut game = Game {
        hexes,
        depot: (0..spaces).map(|_| dice.one_in(4)).collect(),
        shoal: vec![false; spaces],
        skill: [1, 1],
        terrain,
        pairs: Vec::new(),
        crossings: Vec::new(),
        lanes: false,
        haul: [0; 3],
        matrix: matrix(spaces, &links),
        links,
        one_way: false,
        worn: Vec::new(),
        fickle: false,
        narrow: Vec::new(),
        defines,
        levy: [0, 1, 2].map(|_| i64::try_from(dice.below(4)).unwrap()),
        net,
        line,
        post,
        fate: Fate::Always,
        start: Position {
            units: Vec::new(),
            control: Vec::new(),
            flooded: Vec::new(),
            worn: Vec::new(),
            winter: false,
            viewer: 0,
        },
    };
    game.start = position(dice, &game);
    // At the end, so that what a seed makes is else what it was.
    let Game { net, line, post, .. } = &mut game;
    for trace in net.iter_mut().chain([line]).chain(post) {
        for leg in &mut trace.legs {
            match dice.below(6) {
                0 if leg.links != ROAD => leg.but_not = ROAD,
                1 if leg.links == PATH && trace.of_units => leg.for_horse = ROAD,
                2 if leg.links == ROAD && trace.of_units => leg.for_horse = PATH,
                _ => {}
            }
        }
    }
    game.fate = Fate::ALL[dice.below(Fate::ALL.len())];
    for (a, b, _) in game.links.iter().filter(|link| link.2 == ROAD) {
        let ends = (*a.min(b), *a.max(b));
        game.worn.extend(dice.one_in(3).then_some(ends));
        game.narrow.extend(dice.one_in(2).then_some(ends));
    }
    let Game { net, line, post, .. } = &mut game;
    for trace in net.iter_mut().chain([line]).chain(post) {
        for leg in trace.legs.iter_mut().filter(|leg| leg.links & ROAD != 0) {
            match dice.below(6) {
                0 => leg.sound = true,
                1 => leg.wide = trace.of_units,
                _ => {}
            }
        }
    }
    let of_units = game.post.iter_mut().chain([&mut game.line]);
    for leg in of_units.flat_map(|trace| &mut trace.legs) {
        if dice.one_in(4) {
            leg.steep = dice.pick(&[Steep::ByTerrain, Steep::ByUnits]);
        }
    }
    let (joined, defines) = (game.net.is_some(), 3);
    for trace in game.net.iter_mut().chain([&mut game.line]).chain(&mut game.post) {
        let may = May { joined: joined && trace.of_units, defines, ..plain };
        for leg in &mut trace.legs {
            leg.stopping = dice.one_in(4).then(|| cond(dice, 1, may));
        }
    }
    for leg in game.net.iter_mut().flat_map(|net| &mut net.legs) {
        if dice.one_in(3) {
            leg.cost = true;
            if let Within::Number(budget) = &mut leg.within {
                *budget *= 2;
            }
        }
        if dice.one_in(4) {
            leg.steep = Steep::ByTerrain;
        }
    }
    game.fickle = dice.one_in(3);
    if game.fickle {
        game.start.worn = worn(dice, &game);
    } else {
        game.start.worn.clone_from(&game.worn);
    }
    absent(dice, &mut game, may.tracer);
    // Without a number, so that what a seed makes is else what it was.
    game.one_way = game.hexes.is_none() && game.links.len().is_multiple_of(3);
    some_alone(&mut Dice(dice.0), &mut game);
    let mut more = Dice(dice.0);
    match more.below(7) {
        0..3 => links::crossings(&mut more, &mut game),
        3 => links::lanes(&mut more, &mut game),
        4 => links::hauls(&mut more, &mut game),
        5 => {
            links::hauls(&mut more, &mut game);
            links::lanes(&mut more, &mut game);
            links::crossings(&mut more, &mut game);
        }
        _ => {}
    }
    game
}

/// Legs that only some units may use, where others leave them out or go another way.
fn some_alone(dice: &mut Dice, game: &mut Game) {
    for trace in game.post.iter_mut().chain([&mut game.line]).filter(|trace| trace.of_units) {
        let places: Vec<usize> = trace.legs.iter().map(|leg| leg.place).collect();
        let of_place = |place| places.iter().filter(|other| **other == place).count();
        for leg in trace.legs.iter_mut().filter(|leg| leg.optional || of_place(leg.place) > 1) {
            leg.only = dice.one_in(3).then(|| unit_cond(dice, 3));
        }
    }
}

/// Asks here and there what is worked out of who need not be there, and of shoals alone.
fn absent(dice: &mut Dice, game: &mut Game, tracer: bool) {
    game.skill = [0, 0].map(|_: i64| 1 + i64::try_from(dice.below(3)).unwrap());
    let areas = game.hexes.is_none();
    for shoal in &mut game.shoal {
        *shoal = areas && dice.one_in(3);
    }
    for trace in game.net.iter_mut().chain([&mut game.line]).chain(&mut game.post) {
        if trace.of_units && dice.one_in(4) {
            let (always, so) = (dice.one_in(2), dice.one_in(2));
            trace.verdicts.push((always, UnitCond::Boss(so, boss(dice))));
        }
        for leg in &mut trace.legs {
            if !leg.cost && trace.of_units && dice.one_in(5) {
                leg.within = Within::Lead;
            }
            for gate in [&mut leg.from, &mut leg.through, &mut leg.into] {
                let more = match dice.below(14) {
                    0 if tracer && trace.of_units => Cond::TracerBoss(boss(dice)),
                    1 if areas => Cond::Wet,
                    2 => Cond::Any {
                        none: dice.one_in(2),
                        stance: dice.pick(&Stance::ALL),
                        near: near(dice),
                        filter: Filter::Boss(dice.one_in(2), boss(dice)),
                    },
                    _ => continue,
                };
                let more = if dice.one_in(2) { more } else { Cond::Not(Box::new(more)) };
                let before = std::mem::replace(gate, Cond::Always);
                *gate = match before {
                    Cond::Always => more,
                    before if dice.one_in(2) => Cond::And(Box::new(before), Box::new(more)),
                    before => Cond::Or(Box::new(before), Box::new(more)),
                };
            }
        }
    }
}

fn boss(dice: &mut Dice) -> Boss {
    let worth = dice.pick(&Worth::ALL);
    let n = i64::try_from(1 + dice.below(3)).unwrap();
    dice.pick(&[
        Boss::Green,
        Boss::Sure,
        Boss::Idle,
        Boss::AtLeast(worth, n),
        Boss::AtMost(worth, n),
        Boss::AtMost(worth, n - 1),
    ])
}

fn matrix(spaces: usize, links: &[(usize, usize, u8)]) -> Vec<u8> {
    let mut matrix = vec![0; spaces * spaces];
    for (a, b, kind) in links {
        matrix[a * spaces + b] |= kind;
        matrix[b * spaces + a] |= kind;
    }
    matrix
}

fn net(dice: &mut Dice, may: May) -> Trace {
    Trace {
        name: "net",
        yes: "joined",
        no: "apart",
        of_units: false,
        judged: false,
        verdicts: Vec::new(),
        sources: sources(dice, may),
        relays: Vec::new(),
        legs: legs(dice, false, may),
    }
}

fn sources(dice: &mut Dice, may: May) -> Vec<(&'static str, Cond)> {
    let friendly = Cond::Control(Stance::Friendly);
    let first = match dice.below(4) {
        0 => Cond::Depot,
        1 if may.joined => Cond::Joined,
        2 => cond(dice, 1, may),
        _ => Cond::And(Box::new(Cond::Depot), Box::new(friendly)),
    };
    let mut all = vec![("base", first)];
    if dice.one_in(3) {
        all.push(("camp", Cond::And(Box::new(cond(dice, 1, may)), Box::new(Cond::Terrain(1)))));
    }
    all
}

fn line(dice: &mut Dice, may: May) -> Trace {
    let verdicts = dice.pick(&[0, 0, 1, 2]);
    let verdicts = (0..verdicts).map(|_| (dice.one_in(2), unit_cond(dice, 3))).collect();
    let wagon = Cond::Any {
        none: false,
        stance: Stance::Friendly,
        near: Near::Here,
        filter: Filter::Wagon,
    };
    let relays = match dice.below(3) {
        0 => vec![("train", wagon)],
        1 if dice.one_in(2) => vec![("hub", cond(dice, 1, may))],
        _ => Vec::new(),
    };
    Trace {
        name: "line",
        yes: "linked",
        no: "cut",
        of_units: true,
        judged: dice.one_in(2),
        verdicts,
        sources: sources(dice, may),
        relays,
        legs: legs(dice, true, may),
    }
}

/// A trace that rests on the trace `line`.
fn post(dice: &mut Dice, may: May) -> Trace {
    let friend = Cond::Any {
        none: false,
        stance: Stance::Friendly,
        near: Near::Here,
        filter: Filter::Linked,
    };
    let mut verdicts = Vec::new();
    if dice.one_in(2) {
        verdicts.push((dice.one_in(3), UnitCond::Linked(dice.one_in(2))));
    }
    Trace {
        name: "post",
        yes: "posted",
        no: "lost",
        of_units: true,
        judged: false,
        verdicts,
        sources: vec![("friend", Cond::And(Box::new(friend), Box::new(cond(dice, 1, may))))],
        relays: Vec::new(),
        legs: legs(dice, true, may),
    }
}

fn area_links(dice: &mut Dice) -> (usize, Vec<(usize, usize, u8)>) {
    let spaces = 3 + dice.below(6);
    let mut links: Vec<(usize, usize, u8)> = Vec::new();
    for _ in 0..spaces + dice.below(spaces) {
        let (a, b, kind) = (dice.below(spaces), dice.below(spaces), dice.pick(&[ROAD, PATH]));
        let link = (a.min(b), a.max(b), kind);
        if a != b && !links.contains(&link) {
            links.push(link);
        }
    }
    (spaces, links)
}

/// Flat hexes, the even columns half a hex lower: neighbours are joined by hexsides, which are the
/// paths here.
fn hex_links(dice: &mut Dice, columns: usize, rows: usize) -> (usize, Vec<(usize, usize, u8)>) {
    let mut links = Vec::new();
    let mut join = |dice: &mut Dice, a: usize, b: usize| {
        links.push((a.min(b), a.max(b), PATH));
        if dice.one_in(3) {
            links.push((a.min(b), a.max(b), ROAD));
        }
    };
    for row in 0..rows {
        for column in 0..columns {
            let at = row * columns + column;
            if row + 1 < rows {
                join(dice, at, at + columns);
            }
            if column + 1 < columns {
                join(dice, at, at + 1);
                // Column 1, 3, ... from 0 is the lower one.
                if column % 2 == 1 && row + 1 < rows {
                    join(dice, at, at + 1 + columns);
                } else if column % 2 == 0 && row > 0 {
                    join(dice, at, at + 1 - columns);
                }
            }
        }
    }
    (columns * rows, links)
}

fn unit(dice: &mut Dice, spaces: usize) -> Unit {
    Unit {
        side: dice.below(SIDES.len()),
        space: (!dice.one_in(12)).then(|| dice.below(spaces)),
        horse: dice.one_in(2),
        moves: i64::try_from(dice.below(10)).unwrap(),
        wagon: dice.one_in(4),
        leader: dice.one_in(4).then(|| dice.below(CAPTAINS.len())),
    }
}

fn position(dice: &mut Dice, game: &Game) -> Position {
    let (spaces, units) = (game.spaces(), 2 + dice.below(5));
    Position {
        units: (0..units).map(|_| unit(dice, spaces)).collect(),
        control: (0..spaces).map(|_| dice.one_in(2).then(|| dice.below(SIDES.len()))).collect(),
        flooded: (0..spaces).map(|_| dice.one_in(5)).collect(),
        worn: game.worn.clone(),
        winter: dice.one_in(2),
        viewer: dice.below(SIDES.len()),
    }
}

/// The position of the setup, and others with the same units elsewhere.
pub fn positions(dice: &mut Dice, game: &Game) -> Vec<Position> {
    let mut all = vec![game.start.clone()];
    for _ in 0..super::hold::POSITIONS {
        let mut other = position(dice, game);
        other.units.clone_from(&game.start.units);
        for it in &mut other.units {
            *it = Unit { side: it.side, ..unit(dice, game.spaces()) };
        }
        all.push(other);
    }
    if game.fickle {
        all.iter_mut().skip(1).for_each(|at| at.worn = worn(dice, game));
    }
    all
}

/// A third of the roads.
fn worn(dice: &mut Dice, game: &Game) -> Vec<(usize, usize)> {
    let roads = game.links.iter().filter(|link| link.2 == ROAD);
    roads.map(|(a, b, _)| (*a.min(b), *a.max(b))).filter(|_| dice.one_in(3)).collect()
}
