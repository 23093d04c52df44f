//! Calls and answers as JSON.
//!
//! Each call is an object with `call` and what that takes; each answer is `{"ok": ...}`, or
//! `{"faults": [...]}` with faults in the form of `sutler check --format json`.
//!
//! ```json
//! {"call": "open", "texts": {"rules.sut": "edition 1\n..."}}
//! {"ok": {"rules": 1, "names": ["winter_road"], "faults": []}}
//! {"call": "game", "rules": 1, "name": "winter_road"}
//! {"ok": {"game": 1, "hash": "...", "traces": ["supply"], "sides": ["Red"], "setups": ["opening"]}}
//! {"call": "setup", "game": 1, "name": "opening"}
//! {"ok": {"position": 1}}
//! {"call": "trace", "position": 1, "trace": "supply"}
//! ```
//!
//! | call | takes, `?` for what may be left out | what it does |
//! | --- | --- | --- |
//! | `open` | `texts` by path | opens them; see [`Rules::of_texts`] |
//! | `game` | `rules`, `name?` | a ruleset of what is open; the first where none is named |
//! | `about`, `schema`, `cases` | `game` | what a page has to know of it; the schema of positions; its cases |
//! | `run_cases` | `game`, `from`, `to` | runs cases by their places, from the first to before the last |
//! | `setup` | `game`, `name?` | the position of a setup; of the first where none is named |
//! | `position` | `game`, `json` | a position from its JSON |
//! | `json`, `copy` | `position` | the position as JSON; a second position like it |
//! | `trace` | `position`, `trace?` | all answers of a trace; of the main one where none is named |
//! | `explain`, `why_not` | `position`, `trace?`, `of` | why a thing has its answer; what would give it a line |
//! | `reach` | `position`, `trace?`, `of` | where a thing can get to by the legs of a trace, with what stops it there, and the ways |
//! | `reach_all` | `position`, `trace?` | where each can get to, and how far that is |
//! | `threat` | `position`, `trace?`, `of?` | what would cut these things, or all if none is named |
//! | `odds` | `position`, `test`, `of?` | what a test can come to for these things, or for all |
//! | `values` | `position`, `of?`, `question` | any condition or amount of each thing of a kind, or of the world |
//! | `draw` | `position`, `show?`, `form` | the position drawn |
//! | `drag` | `position`, `unit`, `to?`, `show?` | puts a unit into a space, and the frame of what is shown then |
//! | `move` | `position`, `unit`, `to?` | puts a unit into a space; off the map where none is named |
//! | `control` | `position`, `space`, `side?` | gives a space to a side; to nobody where none is named |
//! | `remove` | `position`, `unit` | takes a unit out of the game |
//! | `viewer` | `position`, `side?` | says which side asks about spaces |
//! | `given` | `position`, `sentences` | states facts in the words of the rules |
//! | `play` | `position`, `turn`, `seed?`, `dice?`, `orders?`, `first_way?` | plays a turn |
//! | `code` | `text` | the text of an explanation of a code laid out; texts are in `codes.json`, beside the module |
//! | `serve` | `texts` by path | a language server over them |
//! | `message` | `server`, `message` | a message of an editor to it; gives its own messages |
//! | `close` | `rules?`, `game?`, `position?`, `server?` | ends handles |

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sutler::{Faults, Game, Play, Position, Rules, Server, Thing, Trace};

use crate::fields::Fields;
use crate::views::{self, Form, Show};

/// All that a host has open, by number.
#[derive(Default)]
pub struct Desk {
    rules: BTreeMap<u32, Rules>,
    games: BTreeMap<u32, Game>,
    positions: BTreeMap<u32, Position>,
    servers: BTreeMap<u32, Server>,
    last: u32,
}

/// Why a call has no answer.
pub enum Refusal {
    Faults(Faults),
    /// A call that is none.
    Call(String),
}

impl From<Faults> for Refusal {
    fn from(faults: Faults) -> Refusal {
        Refusal::Faults(faults)
    }
}

impl Desk {
    /// Answers one call; total, whatever stands in it.
    pub fn answer(&mut self, call: &[u8]) -> String {
        let done = Fields::of(call).and_then(|call| self.done(call));
        let answer = match done {
            Ok(value) => json!({ "ok": value }),
            Err(Refusal::Faults(faults)) => json!({ "faults": faults.to_vec() }),
            Err(Refusal::Call(message)) => json!({ "faults": [{ "message": message }] }),
        };
        answer.to_string()
    }

    fn done(&mut self, mut call: Fields) -> Result<Value, Refusal> {
        let name: String = call.need("call")?;
        match name.as_str() {
            "open" => {
                let texts = call.only("texts")?;
                Ok(self.open(texts))
            }
            "serve" => {
                let texts: BTreeMap<String, String> = call.only("texts")?;
                self.last += 1;
                self.servers.insert(self.last, Server::of_texts(texts));
                Ok(json!({ "server": self.last }))
            }
            "message" => {
                let (server, message) = (call.need("server")?, call.only("message")?);
                match self.servers.get_mut(&server) {
                    Some(server) => Ok(server.message(&message).into()),
                    None => Err(closed("server", server)),
                }
            }
            "game" => {
                let (rules, name) = (call.need("rules")?, call.only("name")?);
                self.game(rules, name)
            }
            "code" => Ok(data(&sutler::explanation(&call.only::<String>("text")?))),
            "close" => self.close(call),
            "about" | "schema" | "cases" | "run_cases" | "setup" | "position" => {
                let game: u32 = call.need("game")?;
                self.of_game(&name, game, call)
            }
            _ => {
                let position: u32 = call.need("position")?;
                match self.changed(&name, position, &mut call)? {
                    Some(done) => Ok(done),
                    None => self.asked(&name, position, call),
                }
            }
        }
    }

    fn close(&mut self, mut call: Fields) -> Result<Value, Refusal> {
        let (rules, game): (Option<u32>, Option<u32>) = (call.may("rules")?, call.may("game")?);
        let (position, server): (Option<u32>, Option<u32>) =
            (call.may("position")?, call.only("server")?);
        server.map(|at| self.servers.remove(&at));
        rules.map(|at| self.rules.remove(&at));
        game.map(|at| self.games.remove(&at));
        position.map(|at| self.positions.remove(&at));
        Ok(Value::Null)
    }

    fn of_game(&mut self, name: &str, at: u32, mut call: Fields) -> Result<Value, Refusal> {
        let game = found(&self.games, at, "game")?;
        let position = match name {
            "setup" => match call.only::<Option<String>>("name")? {
                Some(name) => game.setup(&name)?,
                None => game.first_setup()?,
            },
            "position" => game.position(&call.only::<String>("json")?)?,
            "run_cases" => {
                let (from, to): (usize, usize) = (call.need("from")?, call.only("to")?);
                let rows = (from..to).map_while(|at| game.run_case(at));
                return Ok(data(&rows.collect::<Vec<_>>()));
            }
            _ => {
                call.end()?;
                return Ok(match name {
                    "about" => views::about(game),
                    "schema" => game.schema(),
                    _ => data(&game.cases()),
                });
            }
        };
        Ok(self.placed(position))
    }

    fn open(&mut self, texts: BTreeMap<String, String>) -> Value {
        let rules = Rules::of_texts(texts);
        let names: Vec<&str> = rules.names().collect();
        self.last += 1;
        let opened = json!({ "rules": self.last, "names": names, "faults": rules.faults() });
        self.rules.insert(self.last, rules);
        opened
    }

    fn game(&mut self, rules: u32, name: Option<String>) -> Result<Value, Refusal> {
        let rules = found(&self.rules, rules, "rules")?;
        let game = name.map_or_else(|| rules.game(), |name| rules.named(&name))?;
        self.last += 1;
        let list =
            |names: &mut dyn Iterator<Item = &str>| Value::from_iter(names.map(str::to_owned));
        let opened = json!({
            "game": self.last,
            "name": game.name(),
            "title": game.title(),
            "hash": game.hash(),
            "traces": list(&mut game.traces()),
            "sides": list(&mut game.sides()),
            "setups": list(&mut game.setups()),
        });
        self.games.insert(self.last, game);
        Ok(opened)
    }

    fn placed(&mut self, position: Position) -> Value {
        self.last += 1;
        self.positions.insert(self.last, position);
        json!({ "position": self.last })
    }

    /// What leaves the position as it is.
    fn asked(&mut self, name: &str, at: u32, mut call: Fields) -> Result<Value, Refusal> {
        let position = self.position(at)?;
        match name {
            "json" => {
                call.end()?;
                return Ok(position.json().into());
            }
            "copy" => {
                call.end()?;
                let position = position.clone();
                return Ok(self.placed(position));
            }
            "odds" => {
                let (test, of): (String, Vec<String>) =
                    (call.need("test")?, call.only::<Option<_>>("of")?.unwrap_or_default());
                let things = of.iter().map(|of| thing(position, of));
                let found = position.odds(&test, &things.collect::<Result<Vec<_>, _>>()?)?;
                return Ok(json!({ "odds": data(&found), "text": found.to_string() }));
            }
            "values" => {
                let (of, question): (Option<String>, String) =
                    (call.may("of")?, call.only("question")?);
                let found = position.game().question(of.as_deref(), &question)?.of(position)?;
                return Ok(json!({ "values": data(&found), "text": found.to_string() }));
            }
            "draw" => {
                let (show, form): (Option<Show>, Form) = (call.may("show")?, call.only("form")?);
                return Ok(views::draw(position, show.unwrap_or_default(), form)?);
            }
            "trace" | "explain" | "why_not" | "reach" | "reach_all" | "threat" => {}
            _ => return Err(Refusal::Call(format!("this is no call: `{name}` is not known"))),
        }
        let trace = trace_of(position, call.may("trace")?)?;
        Ok(match name {
            "trace" => {
                call.end()?;
                data(&position.ask_all(trace)?)
            }
            "explain" => {
                let found = position.explain(trace, one(position, trace, call)?)?;
                json!({ "explanation": data(&found), "text": found.to_string() })
            }
            "why_not" => {
                let found = position.why_not(trace, one(position, trace, call)?)?;
                json!({ "why_not": data(&found), "text": found.to_string() })
            }
            "reach" => {
                let found = position.reach(trace, one(position, trace, call)?)?;
                json!({ "reach": data(&found), "text": found.to_string() })
            }
            "reach_all" => {
                call.end()?;
                views::reaches(position, &position.reach_all(trace)?)
            }
            _ => {
                let of: Option<Vec<String>> = call.only("of")?;
                let of = of.unwrap_or_default();
                let things = of.iter().map(|of| position.thing(trace, of));
                let found = position.threat(trace, &things.collect::<Result<Vec<_>, _>>()?)?;
                json!({ "threat": data(&found), "text": found.to_string() })
            }
        })
    }

    /// What changes the position; nothing for a call that does not.
    fn changed(
        &mut self,
        name: &str,
        at: u32,
        call: &mut Fields,
    ) -> Result<Option<Value>, Refusal> {
        match name {
            "move" => {
                let (unit, to): (String, Option<String>) = (call.need("unit")?, call.only("to")?);
                moved(self.position_mut(at)?, &unit, to.as_deref())?;
            }
            "drag" => {
                let (unit, to): (String, Option<String>) = (call.need("unit")?, call.may("to")?);
                let show: Option<Show> = call.only("show")?;
                let position = self.position_mut(at)?;
                moved(position, &unit, to.as_deref())?;
                return Ok(Some(views::draw(position, show.unwrap_or_default(), Form::Frame)?));
            }
            "control" => {
                let (space, side): (String, Option<String>) =
                    (call.need("space")?, call.only("side")?);
                let position = self.position_mut(at)?;
                let side = side.map(|side| position.game().side(&side)).transpose()?;
                position.set_control(position.space(&space)?, side)?;
            }
            "remove" => {
                let unit: String = call.only("unit")?;
                let position = self.position_mut(at)?;
                position.remove(position.unit(&unit)?)?;
            }
            "viewer" => {
                let side: Option<String> = call.only("side")?;
                let position = self.position_mut(at)?;
                let side = side.map(|side| position.game().side(&side)).transpose()?;
                position.set_viewer(side)?;
            }
            "given" => {
                let sentences: Vec<String> = call.only("sentences")?;
                self.position_mut(at)?.given(sentences)?;
            }
            "play" => {
                let (turn, seed) = (call.need("turn")?, call.may("seed")?);
                let (dice, orders) = (call.may("dice")?, call.may("orders")?);
                let first_way: Option<bool> = call.only("first_way")?;
                let (dice, orders): (Option<Vec<u32>>, Option<String>) = (dice, orders);
                let play = Play {
                    turn,
                    seed,
                    dice: dice.unwrap_or_default(),
                    orders: orders.unwrap_or_default(),
                    first_way: first_way.unwrap_or_default(),
                };
                return Ok(Some(data(&self.position_mut(at)?.play(&play)?)));
            }
            _ => return Ok(None),
        }
        Ok(Some(Value::Null))
    }

    fn position(&self, at: u32) -> Result<&Position, Refusal> {
        found(&self.positions, at, "position")
    }

    fn position_mut(&mut self, at: u32) -> Result<&mut Position, Refusal> {
        self.positions.get_mut(&at).ok_or_else(|| closed("position", at))
    }
}

fn found<'d, T>(all: &'d BTreeMap<u32, T>, at: u32, what: &str) -> Result<&'d T, Refusal> {
    all.get(&at).ok_or_else(|| closed(what, at))
}

/// The trace of a name, or the main one.
pub fn trace_of(position: &Position, name: Option<String>) -> Result<Trace, Faults> {
    name.map_or_else(|| position.game().main_trace(), |name| position.game().trace(&name))
}

/// The thing that a call is about.
fn one(position: &Position, trace: Trace, mut call: Fields) -> Result<Thing, Refusal> {
    Ok(position.thing(trace, &call.only::<String>("of")?)?)
}

/// A unit of an id, or else a space.
fn thing(position: &Position, id: &str) -> Result<Thing, Faults> {
    position.unit(id).map(Thing::from).or_else(|_| position.space(id).map(Thing::from))
}

fn moved(position: &mut Position, unit: &str, to: Option<&str>) -> Result<(), Faults> {
    let to = to.map(|to| position.space(to)).transpose()?;
    position.move_unit(position.unit(unit)?, to)
}

fn closed(what: &str, at: u32) -> Refusal {
    Refusal::Call(format!("the {what} {at} is not open"))
}

/// Plain records of strings and numbers always serialise.
pub fn data(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
