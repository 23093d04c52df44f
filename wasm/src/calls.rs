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

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use sutler::{Faults, Game, Play, Position, Rules, Server, Thing, Trace};

use crate::views::{self, Form, Show};

/// What a host can ask for.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    /// Opens texts by path; see [`Rules::of_texts`].
    Open { texts: BTreeMap<String, String> },
    /// A ruleset of what is open; the first where none is named.
    Game { rules: u32, name: Option<String> },
    /// The position of a setup; of the first where none is named.
    Setup { game: u32, name: Option<String> },
    /// A position from its JSON.
    Position { game: u32, json: String },
    /// The position as JSON.
    Json { position: u32 },
    /// The schema of positions.
    Schema { game: u32 },
    /// All answers of a trace; of the main one where none is named.
    Trace { position: u32, trace: Option<String> },
    /// Why a unit or a space has its answer.
    Explain { position: u32, trace: Option<String>, of: String },
    /// What would give it a line.
    WhyNot { position: u32, trace: Option<String>, of: String },
    /// What would cut these things, or all if none is named.
    Threat {
        position: u32,
        trace: Option<String>,
        #[serde(default)]
        of: Vec<String>,
    },
    /// What a test can come to for these things, or for all that it is about if none is named.
    Odds {
        position: u32,
        test: String,
        #[serde(default)]
        of: Vec<String>,
    },
    /// Any condition or amount of each thing of a kind, or of the world.
    Values { position: u32, of: Option<String>, question: String },
    /// The position drawn.
    Draw {
        position: u32,
        #[serde(default)]
        show: Show,
        form: Form,
    },
    /// Puts a unit into a space and gives the frame of what is shown then, in one call.
    Drag {
        position: u32,
        unit: String,
        to: Option<String>,
        #[serde(default)]
        show: Show,
    },
    /// What a page has to know of a game before it shows it.
    About { game: u32 },
    /// The cases of a game.
    Cases { game: u32 },
    /// Runs cases by their places, from the first to before the last.
    RunCases { game: u32, from: usize, to: usize },
    /// Plays a turn.
    Play {
        position: u32,
        turn: u32,
        seed: Option<u64>,
        #[serde(default)]
        dice: Vec<u32>,
        #[serde(default)]
        orders: String,
        #[serde(default)]
        first_way: bool,
    },
    /// The text of an explanation of a code laid out; texts are in `codes.json`, beside the module.
    Code { text: String },
    /// Puts a unit into a space; off the map where none is named.
    Move { position: u32, unit: String, to: Option<String> },
    /// Gives a space to a side; to nobody where none is named.
    Control { position: u32, space: String, side: Option<String> },
    /// Takes a unit out of the game.
    Remove { position: u32, unit: String },
    /// Says which side asks about spaces.
    Viewer { position: u32, side: Option<String> },
    /// States facts in the words of the rules.
    Given { position: u32, sentences: Vec<String> },
    /// A second position like this one.
    Copy { position: u32 },
    /// A language server over texts by path.
    Serve { texts: BTreeMap<String, String> },
    /// A message of an editor to it; gives its own messages.
    Message { server: u32, message: Value },
    /// Ends a handle.
    Close { rules: Option<u32>, game: Option<u32>, position: Option<u32>, server: Option<u32> },
}

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
enum Refusal {
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
        let done = serde_json::from_slice(call)
            .map_err(|error| Refusal::Call(format!("this is no call: {error}")))
            .and_then(|call| self.done(call));
        let answer = match done {
            Ok(value) => json!({ "ok": value }),
            Err(Refusal::Faults(faults)) => json!({ "faults": faults.to_vec() }),
            Err(Refusal::Call(message)) => json!({ "faults": [{ "message": message }] }),
        };
        answer.to_string()
    }

    fn done(&mut self, call: Call) -> Result<Value, Refusal> {
        match call {
            Call::Open { texts } => Ok(self.open(texts)),
            Call::Game { rules, name } => self.game(rules, name.as_deref()),
            Call::Setup { game, name } => {
                let game = found(&self.games, game, "game")?;
                let position = match name {
                    Some(name) => game.setup(&name)?,
                    None => game.first_setup()?,
                };
                Ok(self.placed(position))
            }
            Call::Position { game, json } => {
                let position = found(&self.games, game, "game")?.position(&json)?;
                Ok(self.placed(position))
            }
            Call::Schema { game } => Ok(found(&self.games, game, "game")?.schema()),
            Call::Copy { position } => {
                let position = self.position(position)?.clone();
                Ok(self.placed(position))
            }
            Call::Serve { texts } => {
                self.last += 1;
                self.servers.insert(self.last, Server::of_texts(texts));
                Ok(json!({ "server": self.last }))
            }
            Call::Message { server, message } => match self.servers.get_mut(&server) {
                Some(server) => Ok(server.message(&message).into()),
                None => Err(closed("server", server)),
            },
            Call::Close { rules, game, position, server } => {
                server.map(|at| self.servers.remove(&at));
                rules.map(|at| self.rules.remove(&at));
                game.map(|at| self.games.remove(&at));
                position.map(|at| self.positions.remove(&at));
                Ok(Value::Null)
            }
            Call::Json { position } => Ok(self.position(position)?.json().into()),
            Call::Trace { .. }
            | Call::Explain { .. }
            | Call::WhyNot { .. }
            | Call::Threat { .. }
            | Call::Odds { .. }
            | Call::Values { .. }
            | Call::Draw { .. } => self.asked(call),
            Call::Drag { position, unit, to, show } => {
                let position = self.position_mut(position)?;
                moved(position, &unit, to.as_deref())?;
                Ok(views::draw(position, show, Form::Frame)?)
            }
            Call::About { game } => Ok(views::about(found(&self.games, game, "game")?)),
            Call::Cases { game } => Ok(data(&found(&self.games, game, "game")?.cases())),
            Call::RunCases { game, from, to } => {
                let game = found(&self.games, game, "game")?;
                let rows = (from..to).map_while(|at| game.run_case(at));
                Ok(data(&rows.collect::<Vec<_>>()))
            }
            Call::Play { position, turn, seed, dice, orders, first_way } => {
                let play = Play { turn, seed, dice, orders, first_way };
                Ok(data(&self.position_mut(position)?.play(&play)?))
            }
            Call::Code { text } => Ok(data(&sutler::explanation(&text))),
            changed => self.changed(changed).map(|()| Value::Null),
        }
    }

    fn open(&mut self, texts: BTreeMap<String, String>) -> Value {
        let rules = Rules::of_texts(texts);
        let names: Vec<&str> = rules.names().collect();
        self.last += 1;
        let opened = json!({ "rules": self.last, "names": names, "faults": rules.faults() });
        self.rules.insert(self.last, rules);
        opened
    }

    fn game(&mut self, rules: u32, name: Option<&str>) -> Result<Value, Refusal> {
        let rules = found(&self.rules, rules, "rules")?;
        let game = name.map_or_else(|| rules.game(), |name| rules.named(name))?;
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

    fn asked(&self, call: Call) -> Result<Value, Refusal> {
        Ok(match call {
            Call::Trace { position, trace } => {
                let position = self.position(position)?;
                data(&position.ask_all(trace_of(position, trace)?)?)
            }
            Call::Explain { position, trace, of } => {
                let position = self.position(position)?;
                let trace = trace_of(position, trace)?;
                let found = position.explain(trace, position.thing(trace, &of)?)?;
                json!({ "explanation": data(&found), "text": found.to_string() })
            }
            Call::WhyNot { position, trace, of } => {
                let position = self.position(position)?;
                let trace = trace_of(position, trace)?;
                let found = position.why_not(trace, position.thing(trace, &of)?)?;
                json!({ "why_not": data(&found), "text": found.to_string() })
            }
            Call::Threat { position, trace, of } => {
                let position = self.position(position)?;
                let trace = trace_of(position, trace)?;
                let things = of.iter().map(|of| position.thing(trace, of));
                let found = position.threat(trace, &things.collect::<Result<Vec<_>, _>>()?)?;
                json!({ "threat": data(&found), "text": found.to_string() })
            }
            Call::Odds { position, test, of } => {
                let position = self.position(position)?;
                let things = of.iter().map(|of| thing(position, of));
                let found = position.odds(&test, &things.collect::<Result<Vec<_>, _>>()?)?;
                json!({ "odds": data(&found), "text": found.to_string() })
            }
            Call::Values { position, of, question } => {
                let position = self.position(position)?;
                let found = position.game().question(of.as_deref(), &question)?.of(position)?;
                json!({ "values": data(&found), "text": found.to_string() })
            }
            Call::Draw { position, show, form } => {
                views::draw(self.position(position)?, show, form)?
            }
            _ => Value::Null,
        })
    }

    fn changed(&mut self, call: Call) -> Result<(), Refusal> {
        match call {
            Call::Move { position, unit, to } => {
                moved(self.position_mut(position)?, &unit, to.as_deref())?;
            }
            Call::Control { position, space, side } => {
                let position = self.position_mut(position)?;
                let side = side.map(|side| position.game().side(&side)).transpose()?;
                position.set_control(position.space(&space)?, side)?;
            }
            Call::Remove { position, unit } => {
                let position = self.position_mut(position)?;
                position.remove(position.unit(&unit)?)?;
            }
            Call::Viewer { position, side } => {
                let position = self.position_mut(position)?;
                let side = side.map(|side| position.game().side(&side)).transpose()?;
                position.set_viewer(side)?;
            }
            Call::Given { position, sentences } => self.position_mut(position)?.given(sentences)?,
            _ => {}
        }
        Ok(())
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
