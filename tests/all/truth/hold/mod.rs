//! The commands, held against the brute force and so against each other.

mod answers;
mod changes;
mod flips;
mod moves;
mod time;
mod why;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::brute::{Brute, Subject};
use super::game::{Game, Position, Trace};
use super::make::Dice;
use super::write;

/// Positions besides the setup.
pub const POSITIONS: usize = 24;

/// How many comparisons each command has stood.
#[derive(Default, Clone, Copy, Debug)]
pub struct Held {
    pub batch: u64,
    pub trace: u64,
    pub reach: u64,
    pub explain: u64,
    pub why_not: u64,
    pub threat: u64,
    pub impact: u64,
    pub test: u64,
    pub run: u64,
    pub odds: u64,
    pub session: u64,
    /// Answers of games with links that cross, with lanes, with budgets that the source gives.
    pub crossed: u64,
    pub lanes: u64,
    pub hauls: u64,
    /// Crossings that an explanation names.
    pub named: u64,
    /// Answers that were yes: a generator that gives one answer only compares nothing.
    pub yes: u64,
}

impl Held {
    pub fn all(&self) -> u64 {
        self.batch
            + self.trace
            + self.reach
            + self.explain
            + self.why_not
            + self.threat
            + self.impact
            + self.test
            + self.run
            + self.odds
            + self.session
    }

    pub fn add(&mut self, other: &Held) {
        self.batch += other.batch;
        self.trace += other.trace;
        self.reach += other.reach;
        self.explain += other.explain;
        self.why_not += other.why_not;
        self.threat += other.threat;
        self.impact += other.impact;
        self.test += other.test;
        self.run += other.run;
        self.odds += other.odds;
        self.session += other.session;
        self.crossed += other.crossed;
        self.lanes += other.lanes;
        self.hauls += other.hauls;
        self.named += other.named;
        self.yes += other.yes;
    }
}

/// One game, written to a folder, with the program that is asked.
pub struct Bench<'a> {
    program: &'a str,
    pub folder: PathBuf,
    pub game: &'a Game,
    pub positions: Vec<Position>,
}

impl<'a> Bench<'a> {
    pub fn new(
        program: &'a str,
        folder: &Path,
        game: &'a Game,
        positions: Vec<Position>,
    ) -> Bench<'a> {
        let bench = Bench { program, folder: folder.to_path_buf(), game, positions };
        bench.write("game", game);
        bench
    }

    /// Writes a ruleset into a folder of this name.
    pub fn write(&self, name: &str, game: &Game) {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(folder.join("hooks")).unwrap();
        std::fs::write(folder.join("rules.sut"), write::rules(game)).unwrap();
        std::fs::write(folder.join("hooks/levy.rhai"), write::script(game)).unwrap();
    }

    /// A file beside the rulesets.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// What the program prints, with its exit code.
    pub fn run(&self, args: &[&str]) -> Result<(i32, String, String), String> {
        let done = Command::new(self.program)
            .args(args)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| e.to_string())?;
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let Some(code) = done.status.code() else { return Err(format!("{args:?} was killed")) };
        Ok((code, text(done.stdout), text(done.stderr)))
    }

    /// What the program prints as JSON; a finding is no failure, anything else is.
    pub fn json(&self, args: &[&str]) -> Result<Value, String> {
        let (code, out, err) = self.run(args)?;
        if code > 1 {
            return Err(format!("{args:?} ends with {code}: {err}"));
        }
        serde_json::from_str(&out).map_err(|e| format!("{args:?}: {e}\n{out}\n{err}"))
    }

    /// Who is asked a trace in a position: units on the map, or all spaces.
    pub fn subjects(&self, trace: &Trace, at: &Position) -> Vec<Subject> {
        if trace.of_units {
            (0..at.units.len())
                .filter(|u| at.units[*u].space.is_some())
                .map(Subject::Unit)
                .collect()
        } else {
            (0..self.game.spaces()).map(Subject::Space).collect()
        }
    }

    pub fn name(&self, subject: Subject) -> String {
        match subject {
            Subject::Unit(unit) => format!("U{unit}"),
            Subject::Space(space) => self.game.space(space),
        }
    }

    pub fn space_of(&self, name: &str) -> Result<usize, String> {
        (0..self.game.spaces())
            .find(|s| self.game.space(*s) == name)
            .ok_or_else(|| format!("no space is called {name}"))
    }

    pub fn brute<'b>(&'b self, at: &'b Position) -> Brute<'b> {
        Brute::new(self.game, at)
    }
}

pub fn text<'v>(of: &'v Value, field: &str) -> &'v str {
    of[field].as_str().unwrap_or_default()
}

pub fn list<'v>(of: &'v Value, field: &str) -> &'v [Value] {
    of[field].as_array().map_or(&[], Vec::as_slice)
}

/// Compares, and says both where they differ.
pub fn same<T: PartialEq + std::fmt::Debug>(
    got: &T,
    want: &T,
    what: impl Fn() -> String,
) -> Result<(), String> {
    if got == want {
        Ok(())
    } else {
        Err(format!("{}: got {got:?}, the brute force says {want:?}", what()))
    }
}

/// Holds every command against the brute force; a command that differs hides no other.
///
/// # Errors
///
/// What differs, in words, a line for each command.
pub fn all(bench: &Bench<'_>, dice: &mut Dice, held: &mut Held) -> Result<(), String> {
    let done = [
        answers::batch(bench, held),
        answers::trace(bench, held),
        answers::reach(bench, held),
        why::explain(bench, held),
        changes::why_not(bench, held),
        changes::threat(bench, held),
        flips::impact(bench, dice, held),
        time::test(bench, dice, held),
        time::run(bench, held),
        time::odds(bench, held),
        moves::session(bench, dice, held),
    ];
    let faults: Vec<String> = done.into_iter().filter_map(Result::err).collect();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}
