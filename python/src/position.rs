//! A position: asked, explained, changed, played and drawn.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use sutler::{Drawing, Faults, Laid, Play, Thing, Trace};

use crate::refused::{Refusal, refused};
use crate::rules::Rules;
use crate::values::{data, drawing, json, names, told};

/// A position of some rules. Threads may share it; who changes it waits for those who ask.
#[pyclass(frozen, module = "sutler")]
pub struct Position {
    rules: Py<Rules>,
    inner: RwLock<sutler::Position>,
}

impl Position {
    pub fn new(rules: Py<Rules>, inner: sutler::Position) -> Position {
        Position { rules, inner: RwLock::new(inner) }
    }

    /// The position as it is now.
    pub fn now(&self, py: Python<'_>) -> sutler::Position {
        py.detach(|| self.read().clone())
    }

    /// Never while the interpreter's lock is held: whoever holds this one may wait for that.
    fn read(&self) -> RwLockReadGuard<'_, sutler::Position> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&sutler::Position) -> Result<T, Faults> + Send,
    ) -> PyResult<T> {
        py.detach(|| ask(&self.read())).map_err(refused)
    }

    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut sutler::Position) -> Result<T, Faults> + Send,
    ) -> PyResult<T> {
        let write = || self.inner.write().unwrap_or_else(PoisonError::into_inner);
        py.detach(|| change(&mut write())).map_err(refused)
    }
}

/// The trace of a name, or the main one.
pub fn trace_of(game: &sutler::Game, name: Option<&str>) -> Result<Trace, Faults> {
    name.map_or_else(|| game.main_trace(), |name| game.trace(name))
}

/// A unit of an id, or else a space.
fn thing(position: &sutler::Position, id: &str) -> Result<Thing, Faults> {
    position.unit(id).map(Thing::from).or_else(|_| position.space(id).map(Thing::from))
}

fn things(position: &sutler::Position, trace: Trace, of: &[String]) -> Result<Vec<Thing>, Faults> {
    of.iter().map(|id| position.thing(trace, id)).collect()
}

/// Orders as lines of JSON, as the command line reads them.
fn orders(given: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let Some(given) = given else { return Ok(String::new()) };
    if let Ok(text) = given.extract::<String>() {
        return Ok(text);
    }
    let mut lines = String::new();
    for order in given.try_iter()? {
        lines.push_str(&String::from_utf8_lossy(&json(&order?)?));
        lines.push('\n');
    }
    Ok(lines)
}

/// What a drawing shows, by name.
struct Shown {
    trace: Option<String>,
    lines: bool,
    side: Option<String>,
    units: Vec<String>,
    why_not: Option<String>,
    threat: Option<Vec<String>>,
}

impl Shown {
    fn of(&self, position: &sutler::Position) -> Result<Drawing, Faults> {
        let game = position.game();
        // Rules without a trace are drawn without lines.
        let main = || game.main_trace().ok();
        let trace = match &self.trace {
            Some(name) => Some(game.trace(name)?),
            None => main(),
        };
        let trace = trace.filter(|_| self.lines);
        let side = self.side.as_deref().map(|name| game.side(name)).transpose()?;
        let units = self.units.iter().map(|id| position.unit(id)).collect::<Result<_, _>>()?;
        let laid = match (trace, &self.why_not, &self.threat) {
            (Some(trace), Some(of), _) => Laid::WhyNot(position.thing(trace, of)?),
            (Some(trace), None, Some(of)) => Laid::Threat(things(position, trace, of)?),
            _ => Laid::Nothing,
        };
        Ok(Drawing { trace, side, units, laid })
    }
}

#[pymethods]
impl Position {
    /// The rules it is a position of.
    #[getter]
    fn rules(&self, py: Python<'_>) -> Py<Rules> {
        self.rules.clone_ref(py)
    }

    /// The ids of its units, in the order of the position.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = py.detach(|| self.read().units().map(str::to_owned).collect::<Vec<_>>());
        PyList::new(py, names)
    }

    /// The ids of the spaces of its map, in the order of the map.
    #[getter]
    fn spaces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = py.detach(|| self.read().spaces().map(str::to_owned).collect::<Vec<_>>());
        PyList::new(py, names)
    }

    /// Where a unit stands: the id of a space, or None off the map.
    fn space_of(&self, py: Python<'_>, unit: &str) -> PyResult<Option<String>> {
        self.ask(py, |position| {
            let space = position.space_of(position.unit(unit)?);
            Ok(space.map(|space| position.name(space.into())))
        })
    }

    /// The side that controls a space, or None.
    fn control_of(&self, py: Python<'_>, space: &str) -> PyResult<Option<String>> {
        self.ask(py, |position| {
            let side = position.control(position.space(space)?);
            let name = |side: sutler::Side| position.game().sides().nth(usize::from(side.0));
            Ok(side.and_then(name).map(str::to_owned))
        })
    }

    /// The answers of a trace with lengths, routes and what decided them.
    ///
    /// Args:
    ///     trace: its name; the main one, if none is named.
    ///     of: the id of a unit or a space; all that the trace is about, if none is named.
    ///
    /// Returns:
    ///     For one thing a dictionary: `state` is the word of the answer, `yes` whether it is the
    ///     yes of the trace, `distance` the length of its line as the trace counts it (None where
    ///     there is no line), `route` the ids of spaces from its own to the source, `clause`, `gate`
    ///     and `stop` what decided. For all of them the report, whose `units` holds one of these
    ///     for each unit on the map, or for each space, in the order of the position.
    #[pyo3(name = "ask", signature = (trace=None, of=None))]
    fn ask_<'py>(
        &self,
        py: Python<'py>,
        trace: Option<&str>,
        of: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match of {
            Some(id) => {
                let row = self.ask(py, |position| {
                    let trace = trace_of(position.game(), trace)?;
                    position.ask(trace, position.thing(trace, id)?)
                })?;
                data(py, &row)
            }
            None => {
                let report =
                    self.ask(py, |position| position.ask_all(trace_of(position.game(), trace)?))?;
                data(py, &report)
            }
        }
    }

    /// Yes or no for each thing of a trace: a dictionary of ids, in the order of the position. After
    /// a change it costs what the change makes a difference to.
    #[pyo3(signature = (trace=None))]
    fn flags<'py>(&self, py: Python<'py>, trace: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let all = self.ask(py, |position| {
            let all = position.all_yes(trace_of(position.game(), trace)?)?;
            let named = all.into_iter().map(|(thing, yes)| (position.name(thing), yes));
            Ok(named.collect::<Vec<_>>())
        })?;
        let found = PyDict::new(py);
        for (name, yes) in all {
            found.set_item(name, yes)?;
        }
        Ok(found)
    }

    /// All that bears on one answer: the line with its costs, or where every way out stops. `print`
    /// of it is for reading.
    #[pyo3(signature = (of, trace=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        of: &str,
        trace: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(py, |position| {
            let trace = trace_of(position.game(), trace)?;
            position.explain(trace, position.thing(trace, of)?)
        })?;
        told(py, &found)
    }

    /// Why a thing has no line, and the cheapest changes that would give it one. `print` of it is
    /// for reading.
    #[pyo3(signature = (of, trace=None))]
    fn why_not<'py>(
        &self,
        py: Python<'py>,
        of: &str,
        trace: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(py, |position| {
            let trace = trace_of(position.game(), trace)?;
            position.why_not(trace, position.thing(trace, of)?)
        })?;
        told(py, &found)
    }

    /// Where the lines of a unit can end by the legs of a trace, whether or not a source is there.
    /// `print` of it is for reading.
    ///
    /// Returns:
    ///     `spaces`, each with `space`, `length` in units of the trace, what is `left` of the budget
    ///     (None without limit), the gate of a `stop`, its `clause`, and the `way` there; `sources`,
    ///     each with the nearest space that is one; `barred` where a `never` leaves it no line.
    #[pyo3(signature = (of, trace=None))]
    fn reach<'py>(
        &self,
        py: Python<'py>,
        of: &str,
        trace: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(py, |position| {
            let trace = trace_of(position.game(), trace)?;
            position.reach(trace, position.thing(trace, of)?)
        })?;
        told(py, &found)
    }

    /// Where the lines of each unit on the map, or of each space, can end, in numbers.
    ///
    /// After a move this costs what the move makes a difference to, where the rules allow that.
    ///
    /// Returns:
    ///     By id a dict: the spaces that it reaches, each with the length of the shortest line, in
    ///     units of the trace.
    #[pyo3(signature = (trace=None))]
    fn reach_all<'py>(&self, py: Python<'py>, trace: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let (all, spaces): (Vec<(String, sutler::Reached)>, Vec<String>) =
            self.ask(py, |position| {
                let all = position.reach_all(trace_of(position.game(), trace)?)?;
                let named = all.into_iter().map(|reached| (position.name(reached.thing), reached));
                Ok((named.collect(), position.spaces().map(String::from).collect()))
            })?;
        let out = PyDict::new(py);
        for (id, reached) in all {
            let row = PyDict::new(py);
            for (space, length) in reached.spaces.iter() {
                if let Some(name) = spaces.get(space.0 as usize) {
                    row.set_item(name, length)?;
                }
            }
            out.set_item(id, row)?;
        }
        Ok(out)
    }

    /// What would cut these things, of those that have their yes: one id, several, or all.
    #[pyo3(signature = (of=None, trace=None))]
    fn threat<'py>(
        &self,
        py: Python<'py>,
        of: Option<&Bound<'py, PyAny>>,
        trace: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let of = names(of)?;
        let found = self.ask(py, |position| {
            let trace = trace_of(position.game(), trace)?;
            position.threat(trace, &things(position, trace, &of)?)
        })?;
        told(py, &found)
    }

    /// What a test can come to, exactly, for these things or for all that it is about. Each chance
    /// is a fraction such as `"3/10"` and a percentage such as `"30.00"`, as text.
    #[pyo3(signature = (test, of=None))]
    fn odds<'py>(
        &self,
        py: Python<'py>,
        test: &str,
        of: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let of = names(of)?;
        let found = self.ask(py, |position| {
            let things = of.iter().map(|id| thing(position, id)).collect::<Result<Vec<_>, _>>()?;
            position.odds(test, &things)
        })?;
        told(py, &found)
    }

    /// Any condition or amount, in the words of the rules, of each thing of a kind that has not left
    /// the game, or of the world where no kind is named. `values` has a row a thing; a value is a
    /// truth, a number, a text, or None.
    #[pyo3(signature = (question, of=None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        question: &str,
        of: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found =
            self.ask(py, |position| position.game().question(of, question)?.of(position))?;
        told(py, &found)
    }

    /// Puts a unit into a space; off the map for None. Gives the position back.
    #[pyo3(name = "move", signature = (unit, to))]
    fn move_<'py>(
        slf: Bound<'py, Position>,
        unit: &str,
        to: Option<&str>,
    ) -> PyResult<Bound<'py, Position>> {
        slf.get().change(slf.py(), |position| {
            let to = to.map(|to| position.space(to)).transpose()?;
            position.move_unit(position.unit(unit)?, to)
        })?;
        Ok(slf)
    }

    /// Gives a space to a side; to nobody for None. Gives the position back.
    #[pyo3(signature = (space, side))]
    fn control<'py>(
        slf: Bound<'py, Position>,
        space: &str,
        side: Option<&str>,
    ) -> PyResult<Bound<'py, Position>> {
        slf.get().change(slf.py(), |position| {
            let side = side.map(|side| position.game().side(side)).transpose()?;
            position.set_control(position.space(space)?, side)
        })?;
        Ok(slf)
    }

    /// Takes a unit out of the game. Gives the position back.
    fn remove<'py>(slf: Bound<'py, Position>, unit: &str) -> PyResult<Bound<'py, Position>> {
        slf.get().change(slf.py(), |position| position.remove(position.unit(unit)?))?;
        Ok(slf)
    }

    /// Says which side asks about spaces. Gives the position back.
    #[pyo3(signature = (side))]
    fn viewer<'py>(
        slf: Bound<'py, Position>,
        side: Option<&str>,
    ) -> PyResult<Bound<'py, Position>> {
        slf.get().change(slf.py(), |position| {
            let side = side.map(|side| position.game().side(side)).transpose()?;
            position.set_viewer(side)
        })?;
        Ok(slf)
    }

    /// Puts a reading of a ruling in force, or `on` or `off` for an option. Gives the position back.
    fn ruling<'py>(
        slf: Bound<'py, Position>,
        ruling: &str,
        reading: &str,
    ) -> PyResult<Bound<'py, Position>> {
        slf.get().change(slf.py(), |position| position.set_ruling(ruling, reading))?;
        Ok(slf)
    }

    /// States facts in the words of the rules: `season is winter`, `control of Hill is Red`. If one
    /// of them is wrong the position stays as it was. Gives the position back.
    #[pyo3(signature = (*sentences))]
    fn given<'py>(
        slf: Bound<'py, Position>,
        sentences: Vec<String>,
    ) -> PyResult<Bound<'py, Position>> {
        slf.get().change(slf.py(), |position| position.given(&sentences))?;
        Ok(slf)
    }

    /// Plays a turn with dice and orders, and leaves the position as it is then.
    ///
    /// Args:
    ///     turn: its number, for the log; orders of other turns are left aside.
    ///     seed: the seed of the dice.
    ///     dice: what the dice show, where there is no seed.
    ///     orders: dictionaries as `sutler run --orders` reads them, or the text of such lines.
    ///     first_way: takes the first lawful way where no order says which.
    ///
    /// Returns:
    ///     A dictionary: `steps` moment by moment, `whole` whether the turn came to its end, `open`
    ///     the orders that would decide what must be decided, `faults`, `dice`, and `position` as
    ///     JSON text.
    #[pyo3(signature = (turn=1, *, seed=None, dice=Vec::new(), orders=None, first_way=false))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        turn: u32,
        seed: Option<u64>,
        dice: Vec<u32>,
        orders: Option<&Bound<'py, PyAny>>,
        first_way: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let play = Play { turn, seed, dice, orders: self::orders(orders)?, first_way };
        let played = self.change(py, |position| position.play(&play))?;
        data(py, &played)
    }

    /// The position drawn.
    ///
    /// Args:
    ///     trace: the trace whose lines are drawn; the main one, if none is named.
    ///     lines: whether lines are drawn at all.
    ///     side: the side whose lines are shown on the spaces.
    ///     units: the units whose lines are drawn; all, if none is named.
    ///     why_not: lays over the map why this thing has no line.
    ///     threat: lays over the map what would cut these things; all, if the list is empty.
    ///     form: `svg`, `text` for a terminal, or `json`, `scene` and `frame` for programs.
    ///
    /// Returns:
    ///     A text for `svg` and `text`; a notebook shows the first as a picture. Else a dictionary;
    ///     places are in tenths of a pixel.
    #[pyo3(signature = (trace=None, *, lines=true, side=None, units=None, why_not=None, threat=None, form="svg"))]
    #[allow(clippy::too_many_arguments, reason = "each may be named by the caller")]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        trace: Option<String>,
        lines: bool,
        side: Option<String>,
        units: Option<&Bound<'py, PyAny>>,
        why_not: Option<String>,
        threat: Option<&Bound<'py, PyAny>>,
        form: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let threat = threat.map(|of| names(Some(of))).transpose()?;
        let shown = Shown { trace, lines, side, units: names(units)?, why_not, threat };
        match form {
            "svg" => {
                let svg = self.ask(py, |position| position.svg(&shown.of(position)?))?;
                drawing(py, &svg)
            }
            "text" => {
                let text = self.ask(py, |position| position.sketch(&shown.of(position)?))?;
                Ok(text.into_pyobject(py)?.into_any())
            }
            "json" => data(py, &self.ask(py, |position| position.picture(&shown.of(position)?))?),
            "scene" => data(py, &self.ask(py, sutler::Position::scene)?),
            "frame" => data(py, &self.ask(py, |position| position.frame(&shown.of(position)?))?),
            other => {
                let help = "write `svg`, `text`, `json`, `scene` or `frame`".to_owned();
                Err(Refusal::Call(format!("no form of a drawing is called `{other}`"), help).into())
            }
        }
    }

    /// The picture that a notebook shows; without lines, where the main trace cannot be asked.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let shown = |lines| Shown {
            trace: None,
            lines,
            side: None,
            units: Vec::new(),
            why_not: None,
            threat: None,
        };
        self.ask(py, |position| {
            let drawn = |lines: bool| position.svg(&shown(lines).of(position)?);
            drawn(true).or_else(|_| drawn(false))
        })
    }

    /// The position as JSON text; reading it gives the same position.
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| self.read().json())
    }

    /// The position as a dictionary, in the same form.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.getattr("loads")?.call1((self.json(py),))
    }

    /// A second position like this one.
    fn copy(&self, py: Python<'_>) -> Position {
        Position::new(self.rules.clone_ref(py), self.now(py))
    }

    fn __copy__(&self, py: Python<'_>) -> Position {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Position {
        self.copy(py)
    }

    /// Positions are equal that say the same of the same rules.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Position>() else { return false };
        // One after the other: two locks at once could wait for each other.
        let (own, other) = (self.now(py), other.get().now(py));
        py.detach(|| own == other)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let units = py.detach(|| self.read().units().count());
        format!("<sutler.Position {}: {units} units>", self.rules.get().game.name())
    }

    /// Another process reads the same JSON.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let read = self.rules.bind(py).getattr("position")?;
        (read, (self.json(py),)).into_pyobject(py)
    }
}
