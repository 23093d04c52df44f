//! Our side of every comparison: the one file that names our calls.

use std::rc::Rc;

use sutler::kernel::board::Board;
use sutler::kernel::{Batch, Flags, Kernel, Position, Scratch, Series, Session};
use sutler::world::{ThingRef, World};

use super::Game;
use super::peer::{Found, NO, UNASKED, YES};
use super::plain::{Move, OFF, Plain};

/// One position that changes by moves, every trace of the game asked of it.
pub struct Warm<'g> {
    game: &'g Game,
    world: World,
    board: Rc<Board<'g>>,
    traces: Vec<Kept<'g>>,
}

/// How the answers of one trace are had again after a move.
enum Kept<'g> {
    /// Repaired where the move counts.
    Session(Box<Session<'g>>),
    /// Asked anew.
    Series(Box<Series<'g>>),
}

impl<'g> Warm<'g> {
    pub fn new(game: &'g Game, plain: &Plain) -> Warm<'g> {
        let world = plain.world(game);
        let kept = |trace: &sutler::ir::TraceId| {
            let session = Session::new(&game.rules, world.clone(), *trace).unwrap();
            match session.filter(|s| s.not_local().is_none()) {
                Some(session) => Kept::Session(Box::new(session)),
                None => Kept::Series(Box::new(Series::new(&game.rules, *trace))),
            }
        };
        let traces = game.traces.iter().map(kept).collect();
        let board = Rc::new(Board::new(&game.rules, &game.rules.maps[world.map.index()]));
        Warm { game, world, board, traces }
    }

    pub fn make(&mut self, step: Move) {
        let space = (step.space != OFF).then(|| u32::from(step.space));
        let fact = &self.game.rules.facts[sutler::world::built_in::SPACE.index()];
        let unit = step.unit as u32;
        self.world.set_fact(fact, ThingRef::Unit(unit), space.map_or(0, |s| i64::from(s) + 1));
        for trace in &mut self.traces {
            if let Kept::Session(session) = trace {
                session.move_unit(unit, space).unwrap();
            }
        }
    }

    /// Yes or no of all things.
    pub fn answers(&mut self, out: &mut Vec<u8>) {
        out.clear();
        for trace in &mut self.traces {
            let first = out.len();
            out.resize(first + self.game.things(), UNASKED);
            match trace {
                Kept::Session(session) => {
                    for (unit, cell) in out.iter_mut().enumerate() {
                        if let Some(yes) = session.yes(unit as u32) {
                            *cell = u8::from(yes);
                        }
                    }
                }
                Kept::Series(series) => {
                    let answers = series.ask(std::slice::from_ref(&self.world)).pop().unwrap();
                    put(&answers.unwrap(), &mut out[first..]);
                }
            }
        }
    }

    /// The thing that a trace is asked of, where it is one of its kind that stands on the map.
    fn asked(&self, trace: sutler::ir::TraceId, thing: u32) -> Option<ThingRef> {
        let rules = &self.game.rules;
        if self.game.of_spaces {
            return Some(ThingRef::Space(thing));
        }
        let kind = self.world.units[thing as usize].kind;
        let of = rules.traces[trace.index()].of;
        (rules.is_kind(kind, of) && self.world.space_of(thing).is_some())
            .then_some(ThingRef::Unit(thing))
    }

    /// The same with lengths, routes and causes.
    pub fn found(&mut self, out: &mut Vec<Found>) {
        out.clear();
        let position = Position::on(&self.board, &self.world).unwrap();
        for trace in &self.game.traces {
            for thing in 0..self.game.things() as u32 {
                out.push(self.asked(*trace, thing).map_or_else(Found::unasked, |of| {
                    let answer = position.answer(*trace, of).unwrap();
                    let line = position.line(*trace, of).unwrap();
                    let mut route: Vec<u16> =
                        line.iter().flat_map(|s| s.spaces.iter().map(|(s, _)| *s as u16)).collect();
                    route.dedup();
                    Found {
                        answer: if answer.yes { YES } else { NO },
                        length: answer.length,
                        route,
                        gate: answer.gate,
                        stop: answer.stop.map(|s| s as u16),
                    }
                }));
            }
        }
    }
}

fn put(answers: &[(ThingRef, bool)], out: &mut [u8]) {
    for (thing, yes) in answers {
        if let ThingRef::Unit(at) | ThingRef::Space(at) = thing {
            out[*at as usize] = u8::from(*yes);
        }
    }
}

/// Many positions, from rows to answers.
pub struct Many<'g> {
    game: &'g Game,
    ways: Vec<Way<'g>>,
    worlds: Vec<World>,
}

enum Way<'g> {
    /// One bit a position.
    Together(Box<Together<'g>>),
    /// Whatever the series thinks best.
    Series(Box<Series<'g>>),
}

struct Together<'g> {
    kernel: Kernel<'g>,
    batch: Batch,
    scratch: Scratch,
    flags: Flags,
    units: Vec<u32>,
}

impl<'g> Many<'g> {
    pub fn new(game: &'g Game, many: usize) -> Many<'g> {
        let varying: Vec<_> = game.varying.into_iter().collect();
        let units: Vec<u32> =
            (0..game.start.units.len() as u32).filter(|u| game.takes_fact[*u as usize]).collect();
        let way = |trace: &sutler::ir::TraceId| {
            let kernel = Kernel::compile(&game.rules, &game.start, *trace, &varying).ok();
            match kernel.filter(Kernel::is_whole) {
                Some(kernel) => Way::Together(Box::new(Together {
                    batch: kernel.batch(many),
                    kernel,
                    scratch: Scratch::default(),
                    flags: Flags::default(),
                    units: units.clone(),
                })),
                None => Way::Series(Box::new(Series::new(&game.rules, *trace))),
            }
        };
        Many { game, ways: game.traces.iter().map(way).collect(), worlds: Vec::new() }
    }

    /// The answers position by position.
    pub fn ask(&mut self, plain: &[Plain], out: &mut Vec<u8>) {
        let game = self.game;
        let (each, traces) = (game.things(), self.ways.len());
        out.clear();
        out.resize(plain.len() * traces * each, UNASKED);
        if self.ways.iter().any(|w| matches!(w, Way::Series(_))) {
            self.worlds.resize_with(plain.len(), || game.start.clone());
            for (world, plain) in self.worlds.iter_mut().zip(plain) {
                plain.write(game, world);
            }
        }
        for (nth, way) in self.ways.iter_mut().enumerate() {
            let rows = |at: usize| (at * traces + nth) * each;
            match way {
                Way::Together(together) => {
                    together.ask(game, plain);
                    let units: Vec<u32> = together.flags.units().to_vec();
                    for at in 0..plain.len() {
                        for unit in units.iter().filter(|u| plain[at].space[**u as usize] != OFF) {
                            let yes = together.flags.get(at, *unit).unwrap();
                            out[rows(at) + *unit as usize] = u8::from(yes);
                        }
                    }
                }
                Way::Series(series) => {
                    for (at, answers) in series.ask(&self.worlds).into_iter().enumerate() {
                        put(&answers.unwrap(), &mut out[rows(at)..][..each]);
                    }
                }
            }
        }
    }
}

impl Together<'_> {
    fn ask(&mut self, game: &Game, plain: &[Plain]) {
        self.batch.fill_spaces(|position, unit| plain[position].space[unit]);
        self.batch.fill_control(|position| &plain[position].control);
        if let Some(varying) = game.varying {
            let units = &self.units;
            self.batch.fill_fact(varying, units, |at, nth| plain[at].fact[units[nth] as usize]);
        }
        self.kernel.flags(&self.batch, &mut self.scratch, &mut self.flags).unwrap();
    }
}
