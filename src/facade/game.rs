//! A ruleset that is ready to be played with: compiled once, shared by all its positions.

use std::sync::{Arc, Mutex, PoisonError};

use super::warm::Pool;
use super::{Batch, Faults, Position, Side, Trace, names};
use crate::check::Resolved;
use crate::diag::{Diagnostic, has_errors};
use crate::ir::{KindId, Ruleset, SetupId};
use crate::kernel::EvalFault;
use crate::report::{fault_diagnostic, position_faults};
use crate::source::{SourceMap, screen};
use crate::world::World;
use crate::world::json::Known;

/// A ruleset without errors, ready to make positions and to be asked. Cloning is cheap, and all
/// clones share what was compiled.
#[derive(Clone)]
pub struct Game(Arc<Inner>);

/// What all clones share.
pub(super) struct Inner {
    pub rules: Ruleset,
    pub resolved: Resolved,
    /// The texts of the rules, for faults that lie in them.
    pub sources: Arc<SourceMap>,
    /// What is the same in all positions that are read.
    known: Known,
    /// What was made of maps and traces, between one question and the next.
    pub pool: Mutex<Pool>,
}

impl Inner {
    pub(super) fn new(rules: Ruleset, resolved: Resolved, sources: Arc<SourceMap>) -> Inner {
        let known = Known::new(&rules);
        Inner { rules, resolved, sources, known, pool: Mutex::default() }
    }

    pub(super) fn pool(&self) -> std::sync::MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("name", &self.name()).field("hash", &self.hash()).finish()
    }
}

impl Game {
    pub(super) fn new(inner: Inner) -> Game {
        Game(Arc::new(inner))
    }

    /// A game of rules that were checked elsewhere.
    pub(crate) fn of(rules: Ruleset, resolved: Resolved, sources: SourceMap) -> Game {
        Game::new(Inner::new(rules, resolved, Arc::new(sources)))
    }

    /// The texts of its rules.
    pub(crate) fn sources(&self) -> &SourceMap {
        &self.0.sources
    }

    /// What its rules were made of.
    pub(crate) fn resolved(&self) -> &Resolved {
        &self.0.resolved
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.0
    }

    pub(crate) fn rules(&self) -> &Ruleset {
        &self.0.rules
    }

    /// The name of the ruleset.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.rules.name
    }

    /// Its title in print.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.0.rules.title
    }

    /// A hash of the resolved rules, the same on every machine.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.0.rules.hash
    }

    /// The names of its traces; the number of a [`Trace`] is its place here.
    pub fn traces(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.rules.traces.iter().map(|t| t.name.as_str())
    }

    /// The names of its sides; the number of a [`Side`] is its place here.
    pub fn sides(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.rules.sides.iter().map(|s| s.name.as_str())
    }

    /// The names of its setups.
    pub fn setups(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.rules.setups.iter().map(|s| s.name.as_str())
    }

    /// The names of its maps.
    pub fn maps(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.rules.maps.iter().map(|m| m.name.as_str())
    }

    /// Whether a trace is about spaces, so that a side has to ask.
    #[must_use]
    pub fn is_about_spaces(&self, trace: Trace) -> bool {
        let rules = self.rules();
        let of = rules.traces.get(trace.inner().index()).map(|rule| rules.top(rule.of));
        of == Some(KindId::SPACE)
    }

    /// Whether turns can be played.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        self.rules().clock.is_some()
    }

    /// A trace by its name.
    ///
    /// # Errors
    ///
    /// E1052 where there is none.
    pub fn trace(&self, name: &str) -> Result<Trace, Faults> {
        names::place("trace", name, self.traces())
            .map(|at| Trace(u16::try_from(at).unwrap_or(u16::MAX)))
    }

    /// The trace that a phase judges, or else the first.
    ///
    /// # Errors
    ///
    /// E1052 where there is none.
    pub fn main_trace(&self) -> Result<Trace, Faults> {
        let traces = &self.0.rules.traces;
        let at = traces.iter().position(|t| t.judged.is_some()).or(Some(0));
        match at.filter(|at| *at < traces.len()) {
            Some(at) => Ok(Trace(u16::try_from(at).unwrap_or(u16::MAX))),
            None => Err(names::absent(
                "the ruleset has no trace",
                &format!(
                    "write one, such as `trace supply of {} {{ ... }}`",
                    self.0.rules.example_of(KindId::UNIT)
                ),
            )),
        }
    }

    /// A side by its name.
    ///
    /// # Errors
    ///
    /// E1052 where there is none.
    pub fn side(&self, name: &str) -> Result<Side, Faults> {
        names::place("side", name, self.sides()).map(|at| Side(u8::try_from(at).unwrap_or(u8::MAX)))
    }

    /// The position at the start of a setup.
    ///
    /// # Errors
    ///
    /// E1052 where there is none of that name.
    pub fn setup(&self, name: &str) -> Result<Position, Faults> {
        let at = names::place("setup", name, self.setups())?;
        Ok(self.start(SetupId::at(at)))
    }

    /// The position at the start of the first setup that has units, or else of the first.
    ///
    /// # Errors
    ///
    /// E1052 where there is no setup.
    pub fn first_setup(&self) -> Result<Position, Faults> {
        let setups = &self.0.rules.setups;
        let at = setups.iter().position(|s| !s.units.is_empty()).unwrap_or(0);
        if at >= setups.len() {
            return Err(names::absent(
                "the ruleset has no setup",
                "write one, such as `setup opening on valley { ... }`, or read a position",
            ));
        }
        Ok(self.start(SetupId::at(at)))
    }

    fn start(&self, setup: SetupId) -> Position {
        Position::new(self.clone(), crate::world::start(&self.0.rules, setup))
    }

    /// A position from JSON, in the form that [`Game::schema`] describes.
    ///
    /// # Errors
    ///
    /// All that is wrong with the text; the file of its places is called `position`.
    pub fn position(&self, json: &str) -> Result<Position, Faults> {
        self.position_called("position", json.as_bytes())
    }

    /// The same of bytes that come from somewhere: `name` is the file of its places.
    ///
    /// # Errors
    ///
    /// All that is wrong with the text.
    pub fn position_called(&self, name: &str, bytes: &[u8]) -> Result<Position, Faults> {
        let rules = &self.0.rules;
        let mut sources = SourceMap::new();
        let id = sources.next_id();
        let (text, mut faults) = screen(bytes, id);
        let (world, more) = self.0.known.read(rules, &text, id);
        faults.extend(more);
        if let Some(world) = &world {
            let found = position_faults(rules, world, &text, id);
            faults.extend(found.map_err(|fault| self.broken(fault))?);
        }
        match world.filter(|_| !has_errors(&faults)) {
            Some(world) => Ok(Position::new(self.clone(), world)),
            None => {
                sources.add(name, text);
                Err(Faults::of(&faults, &sources))
            }
        }
    }

    /// The JSON Schema of this game's positions.
    #[must_use]
    pub fn schema(&self) -> serde_json::Value {
        crate::world::json::schema(&self.0.rules)
    }

    /// A trace asked of many positions, for as long as the handle is kept.
    #[must_use]
    pub fn batch(&self, trace: Trace) -> Batch {
        Batch::new(self.clone(), trace)
    }

    /// What cannot be worked out, with its place in the rules.
    pub(super) fn broken(&self, fault: EvalFault) -> Faults {
        Faults::of(&[fault_diagnostic(&self.0.rules, fault)], &self.0.sources)
    }

    /// States sentences of a position.
    pub(super) fn give(&self, world: &mut World, sentences: &[String]) -> Result<(), Faults> {
        let mut sources = SourceMap::clone(&self.0.sources);
        let given: Result<(), Vec<Diagnostic>> =
            crate::project::give(&self.0.resolved, &mut sources, world, sentences, "given");
        given.map_err(|faults| Faults::of(&faults, &sources))
    }
}
