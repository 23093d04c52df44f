//! Our side of every comparison: the one file that names our calls.

use sutler::kernel::{Batch, Flags, Gate, Kernel, Scratch, Series};
use sutler::world::{ThingRef, World};
use sutler::{Evidence, Thing};

use super::Game;
use super::commands::line;
use super::peer::{Found, NO, UNASKED, YES};
use super::plain::{Move, OFF, Plain};

/// One position that changes by moves, every trace of the game asked of it.
pub struct Warm<'g> {
    game: &'g Game,
    position: sutler::Position,
    traces: Vec<sutler::Trace>,
    said: Vec<Vec<Evidence>>,
}

impl<'g> Warm<'g> {
    pub fn new(game: &'g Game, plain: &Plain) -> Warm<'g> {
        let position = game.handle.position(&line(game, plain, &Plain::start(game))).unwrap();
        let names = (game.shape.traces)();
        let traces = names.iter().map(|name| game.handle.trace(name).unwrap()).collect();
        Warm { game, position, traces, said: Vec::new() }
    }

    pub fn make(&mut self, step: Move) {
        let space = (step.space != OFF).then(|| sutler::Space(u32::from(step.space)));
        self.position.move_unit(sutler::Unit(step.unit as u32), space).unwrap();
    }

    /// Yes or no of all things, or where they can get to.
    pub fn answers(&mut self, out: &mut Vec<u8>) {
        out.clear();
        for trace in &self.traces {
            let first = out.len();
            if self.game.shape.reach.is_some() {
                out.resize(first + self.game.things(), NO);
                let all = self.position.reach_all(*trace).unwrap();
                let mut units = self.game.reaching.iter().enumerate();
                for reached in all {
                    let own = |(_, unit): &(usize, &usize)| reached.thing == unit_of(**unit);
                    let (nth, _) = units.find(own).unwrap();
                    far(&reached.spaces, &mut out[first + nth * self.game.spaces..]);
                }
                continue;
            }
            out.resize(first + self.game.things(), UNASKED);
            for (thing, yes) in self.position.all_yes(*trace).unwrap() {
                let (Thing::Unit(sutler::Unit(at)) | Thing::Space(sutler::Space(at))) = thing;
                out[first + at as usize] = u8::from(yes);
            }
        }
    }

    /// Asks for the same with lengths, routes and causes.
    pub fn evidence(&mut self) {
        self.said.clear();
        self.said.extend(self.traces.iter().map(|t| self.position.evidence(*t).unwrap()));
    }

    /// What was asked last, thing by thing, to be compared.
    pub fn found(&mut self, out: &mut Vec<Found>) {
        self.evidence();
        out.clear();
        for said in &self.said {
            let first = out.len();
            out.resize_with(first + self.game.things(), Found::unasked);
            for row in said {
                let (Thing::Unit(sutler::Unit(at)) | Thing::Space(sutler::Space(at))) = row.thing;
                out[first + at as usize] = Found {
                    answer: if row.yes { YES } else { NO },
                    length: row.distance,
                    route: row.route.iter().map(|space| space.0 as u16).collect(),
                    gate: gate(row.gate),
                    stop: row.stop.map(|space| space.0 as u16),
                };
            }
        }
    }
}

fn unit_of(unit: usize) -> Thing {
    Thing::Unit(sutler::Unit(unit as u32))
}

/// The spaces that are reached, each with its length.
fn far(reached: &[(sutler::Space, u32)], out: &mut [u8]) {
    for (space, length) in reached {
        out[space.0 as usize] = YES + *length as u8;
    }
}

/// A gate by the word that reports use; none for a yes.
fn gate(word: Option<&str>) -> Gate {
    let all = [
        ("never", Gate::Never),
        ("from", Gate::From),
        ("through", Gate::Through),
        ("into", Gate::Into),
        ("within", Gate::Within),
        ("source", Gate::Source),
        ("cost", Gate::Cost),
    ];
    let known = |word| all.iter().find(|(w, _)| *w == word).unwrap_or_else(|| panic!("{word}")).1;
    word.map_or(Gate::Open, known)
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
    /// Where units can get to.
    Reach(Box<Reach>),
}

struct Reach {
    rows: sutler::Rows,
    stands: Vec<u16>,
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
            if game.shape.reach.is_some() {
                let start = game.handle.setup(game.shape.setup).unwrap();
                let trace = game.handle.trace(&game.rules.traces[trace.index()].name).unwrap();
                let rows = start.rows(trace).unwrap();
                return Way::Reach(Box::new(Reach { rows, stands: Vec::new() }));
            }
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
                    for first in (0..plain.len()).step_by(64) {
                        let words = together.words(first / 64);
                        for (at, plain) in plain.iter().enumerate().skip(first).take(64) {
                            spread(&words, at % 64, &mut out[rows(at)..][..each], |thing| {
                                game.of_spaces || plain.space[thing] != OFF
                            });
                        }
                    }
                }
                Way::Reach(reach) => {
                    let reached = reach.ask(plain);
                    for at in 0..plain.len() {
                        let out = &mut out[rows(at)..][..each];
                        out.fill(NO);
                        for nth in 0..game.reaching.len() {
                            far(reached.of(at, nth), &mut out[nth * game.spaces..]);
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

impl Reach {
    fn ask(&mut self, plain: &[Plain]) -> sutler::Reaches {
        self.stands.clear();
        plain.iter().for_each(|plain| self.stands.extend_from_slice(&plain.space));
        let table = sutler::Table { stands: &self.stands, control: &[] };
        self.rows.reach(&table).unwrap()
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

    /// The answers of 64 positions, each with its thing.
    fn words(&self, nth: usize) -> Vec<(usize, u64)> {
        let things = self.flags.units().iter().enumerate();
        things.map(|(at, thing)| (*thing as usize, self.flags.words(at)[nth])).collect()
    }
}

/// The answers to one of 64 positions, a byte each, so that all writes follow each other.
fn spread(words: &[(usize, u64)], at: usize, out: &mut [u8], is_asked: impl Fn(usize) -> bool) {
    for (thing, word) in words {
        if is_asked(*thing) {
            out[*thing] = (word >> at & 1) as u8;
        }
    }
}
