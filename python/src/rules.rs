//! Rules opened: a ruleset that is ready to be played with, its variants, and what is wrong.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyTuple};
use sutler::{Faults, Game};

use crate::arrow::{self, ArrowSchema, Asked, Key, Many, What};
use crate::games::Run;
use crate::position::Position;
use crate::refused::{Refusal, findings, refused};
use crate::values::{data, json, list, names};

/// Where rules came from, so that another process can open them too.
#[derive(Debug, Clone)]
enum Source {
    /// As it was named, so that places name it so too.
    Path(PathBuf),
    Texts(Arc<Vec<(String, Vec<u8>)>>),
}

impl Source {
    fn of(source: &Bound<'_, PyAny>) -> PyResult<Source> {
        let Ok(texts) = source.cast::<PyMapping>() else {
            return Ok(Source::Path(source.extract()?));
        };
        let mut found = Vec::new();
        for item in texts.items()?.iter() {
            let (path, text): (String, Bound<'_, PyAny>) = item.extract()?;
            let text = match text.extract::<String>() {
                Ok(text) => text.into_bytes(),
                Err(_) => text.cast::<PyBytes>()?.as_bytes().to_vec(),
            };
            found.push((path, text));
        }
        Ok(Source::Texts(Arc::new(found)))
    }

    fn open(&self) -> sutler::Rules {
        match self {
            Source::Path(path) => sutler::Rules::open(path),
            Source::Texts(texts) => {
                sutler::Rules::of_texts(texts.iter().map(|(path, text)| (path, text.clone())))
            }
        }
    }

    fn to_py<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Source::Path(path) => {
                // The other process may stand in another folder.
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                Ok(path.into_pyobject(py)?.into_any())
            }
            Source::Texts(texts) => {
                let found = PyDict::new(py);
                for (path, text) in texts.iter() {
                    found.set_item(path, PyBytes::new(py, text))?;
                }
                Ok(found.into_any())
            }
        }
    }
}

/// Opens a ruleset: a folder, one file of it, or texts by path.
///
/// Args:
///     source: the path of a folder with `rules.sut`, of one file, or of a folder of such folders;
///         or a dictionary of texts by path, such as `{"rules.sut": "edition 1\n..."}`, from which
///         nothing is read from a disk.
///     name: the ruleset or variant to take; the first, if none is named.
///
/// Returns:
///     The rules, with what is worth knowing about them in `findings`.
///
/// Raises:
///     Refused: the rules have an error; its `findings` say where, and what to write.
#[pyfunction]
#[pyo3(signature = (source, name=None))]
pub fn open(py: Python<'_>, source: &Bound<'_, PyAny>, name: Option<String>) -> PyResult<Rules> {
    let source = Source::of(source)?;
    let found = py.detach(|| {
        let opened = source.open();
        let game = match &name {
            Some(name) => opened.named(name),
            None => opened.game(),
        };
        game.map(|game| (opened, game))
    });
    let (opened, game) = found.map_err(refused)?;
    Ok(Rules { opened, game, source, name, kept: Mutex::default() })
}

/// All that is wrong with rules, or worth knowing, in the order of the files; raises nothing of it.
///
/// Args:
///     source: as for `open`.
///
/// Returns:
///     A list of `Finding`; errors, warnings and notes.
#[pyfunction]
pub fn check<'py>(py: Python<'py>, source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let source = Source::of(source)?;
    let opened = py.detach(|| source.open());
    PyList::new(py, findings(py, opened.faults())?)
}

/// What a code such as `E0201` means, with a wrong and a right example; None for what is no code.
#[pyfunction]
pub fn explain_code(code: &str) -> Option<String> {
    sutler::explain_code(code)
}

/// A ruleset without errors. Threads may share it; positions of it are made by `setup` and
/// `position`.
#[pyclass(frozen, module = "sutler")]
pub struct Rules {
    opened: sutler::Rules,
    pub game: Game,
    source: Source,
    name: Option<String>,
    /// What was prepared for the last question about many positions.
    kept: Mutex<Option<(Key, Arc<Asked>)>>,
}

impl Rules {
    fn over(&self, game: Game, name: Option<String>) -> Rules {
        let (opened, source) = (self.opened.clone(), self.source.clone());
        Rules { opened, game, source, name, kept: Mutex::default() }
    }

    /// What is ready for a question about many positions; made where it is not that of before.
    fn ready(slf: &Bound<'_, Rules>, key: Key) -> PyResult<Arc<Asked>> {
        let lock = || slf.get().kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, asked)) = lock().as_ref().filter(|(of, _)| *of == key) {
            return Ok(Arc::clone(asked));
        }
        let asked = arrow::prepared(slf, &key)?;
        *lock() = Some((key, Arc::clone(&asked)));
        Ok(asked)
    }
}

#[pymethods]
impl Rules {
    /// The name of the ruleset.
    #[getter]
    fn name(&self) -> &str {
        self.game.name()
    }

    /// Its title in print.
    #[getter]
    fn title(&self) -> &str {
        self.game.title()
    }

    /// A hash of the resolved rules, the same on every machine: 32 hexadecimal digits.
    #[getter]
    fn hash(&self) -> &str {
        self.game.hash()
    }

    /// What is wrong or worth knowing in all that was opened: a list of `Finding`.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, findings(py, self.opened.faults())?)
    }

    /// The rulesets and variants that were opened together, by name.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, self.opened.names())
    }

    /// The names of its traces.
    #[getter]
    fn traces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, self.game.traces())
    }

    /// The traces that are about spaces: a side has to ask.
    #[getter]
    fn traces_of_spaces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let about =
            |name: &&str| self.game.trace(name).is_ok_and(|trace| self.game.is_about_spaces(trace));
        list(py, self.game.traces().filter(about))
    }

    /// The trace that is asked where none is named: one that a phase judges, or else the first.
    #[getter]
    fn main_trace(&self) -> Option<&str> {
        let main = self.game.main_trace().ok()?;
        self.game.traces().nth(usize::from(main.0))
    }

    /// The names of its tests, and of its lists of tests.
    #[getter]
    fn tests<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, self.game.tests())
    }

    /// The names of its sides.
    #[getter]
    fn sides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, self.game.sides())
    }

    /// The names of its setups.
    #[getter]
    fn setups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, self.game.setups())
    }

    /// The names of its maps.
    #[getter]
    fn maps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, self.game.maps())
    }

    /// Whether turns can be played.
    #[getter]
    fn has_clock(&self) -> bool {
        self.game.has_clock()
    }

    /// Another ruleset or variant of those that were opened together.
    ///
    /// Raises:
    ///     Refused: there is none of that name, or it has an error.
    fn variant(&self, name: String) -> PyResult<Rules> {
        let game = self.opened.named(&name).map_err(refused)?;
        Ok(self.over(game, Some(name)))
    }

    /// The position at the start of a setup; of the first with units, if none is named.
    #[pyo3(signature = (name=None))]
    fn setup(slf: &Bound<'_, Rules>, name: Option<&str>) -> PyResult<Position> {
        let found = started(&slf.get().game, name).map_err(refused)?;
        Ok(Position::new(slf.clone().unbind(), found))
    }

    /// A position from JSON, as text or as a dictionary, in the form that `json_schema` describes.
    ///
    /// Raises:
    ///     Refused: all that is wrong with it; the file of its places is `name`.
    #[pyo3(signature = (value, name="position"))]
    fn position(
        slf: &Bound<'_, Rules>,
        value: &Bound<'_, PyAny>,
        name: &str,
    ) -> PyResult<Position> {
        let text = json(value)?;
        let game = &slf.get().game;
        let found = slf.py().detach(|| game.position_called(name, &text)).map_err(refused)?;
        Ok(Position::new(slf.clone().unbind(), found))
    }

    /// The JSON Schema of positions, as a dictionary.
    fn json_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        data(py, &py.detach(|| self.game.schema()))
    }

    /// The cases of the suites: a list of `{"name", "file", "line"}`.
    fn cases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        data(py, &py.detach(|| self.game.cases()))
    }

    /// Runs cases: those of the names, or all.
    ///
    /// Returns:
    ///     A list with `name`, `file`, `line`, `status` (`passed` or `failed`), `covers`, and
    ///     `failures` where there are any.
    #[pyo3(signature = (*names))]
    fn test<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let heads = self.game.cases();
        if let Some(name) = names.iter().find(|name| heads.iter().all(|head| head.name != **name)) {
            let help = "`cases()` lists them".to_owned();
            return Err(Refusal::Call(format!("no case is called `{name}`"), help).into());
        }
        let asked = |at: &usize| {
            names.is_empty() || heads.get(*at).is_some_and(|head| names.contains(&head.name))
        };
        let rows = py.detach(|| {
            let places = (0..heads.len()).filter(asked);
            places.filter_map(|at| self.game.run_case(at)).collect::<Vec<_>>()
        });
        data(py, &rows)
    }

    /// What is to be asked of many positions, prepared once: a trace, a question or a test.
    ///
    /// Args:
    ///     trace: its name; the main one, if nothing is named.
    ///     question: a define, a table, a condition, an amount, in the words of the rules.
    ///     of: the kind of thing that the question is about; the world, if none is named.
    ///     test: a test, or a list of tests, for its exact odds.
    ///     like: the name of a setup, or a position: what a table does not say is as there.
    ///     side: the side that asks, where the trace is about spaces.
    ///     lengths: whether the lengths of lines are answered too, position by position.
    #[pyo3(signature = (trace=None, *, question=None, of=None, test=None, like=None, side=None,
        lengths=false))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of the call")]
    fn many(
        slf: &Bound<'_, Rules>,
        trace: Option<String>,
        question: Option<String>,
        of: Option<String>,
        test: Option<String>,
        like: Option<&Bound<'_, PyAny>>,
        side: Option<&str>,
        lengths: bool,
    ) -> PyResult<Many> {
        Many::new(slf, &Key::of(What::of(trace, question, of, test)?, like, side, lengths)?)
    }

    /// Asks a trace, a question or a test of many positions: a row of an Arrow table each.
    ///
    /// Args:
    ///     positions: anything with `__arrow_c_array__` (a record batch) or `__arrow_c_stream__` (a
    ///         table, a reader, a data frame), with columns as in `schema()`: `F1.space` is where a
    ///         unit stands, null off the map; `Hesse.control` is a side, null for nobody;
    ///         `F1.strength` or `season` is a fact. What has no column is as in `like`.
    ///     trace: its name; the main one, if nothing is named.
    ///     question: a define, a table, a condition, an amount, in the words of the rules.
    ///     of: the kind of thing that the question is about; the world, if none is named.
    ///     test: a test, or a list of tests, for its exact odds.
    ///     like: the name of a setup, or a position.
    ///     side: the side that asks, where it matters who does.
    ///     lengths: whether to answer `F1.length` of a trace too.
    ///     keep: columns that are no part of a position and go into the answers as they are.
    ///
    /// Returns:
    ///     `ArrowBatch` for a record batch; for a stream `ArrowStream`, which answers batch by batch
    ///     while it is read. A row each, in the same order: `F1.yes` is true, false, or null for a
    ///     unit off the map; `F1.length` in units of the trace. A question answers `F1.value`: true
    ///     or false, a whole number, a number with a fraction, or a text, by what it is; null for no
    ///     thing. A test answers `F1.taken` for each result `taken`: its chance, from 0 to 1. Last
    ///     comes `error`, null where there is none, or its code, batch, row, column and message.
    ///
    /// Raises:
    ///     Refused: columns that are nothing of a position, or of a type that cannot be one.
    #[pyo3(signature = (positions, trace=None, *, question=None, of=None, test=None, like=None,
        side=None, lengths=false, keep=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of the call")]
    fn ask_many<'py>(
        slf: &Bound<'py, Rules>,
        positions: &Bound<'py, PyAny>,
        trace: Option<String>,
        question: Option<String>,
        of: Option<String>,
        test: Option<String>,
        like: Option<&Bound<'py, PyAny>>,
        side: Option<&str>,
        lengths: bool,
        keep: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let what = What::of(trace, question, of, test)?;
        let asked = Rules::ready(slf, Key::of(what, like, side, lengths)?)?;
        arrow::asked(&asked, positions, keep)
    }

    /// Plays many games from one position, each by itself: as `sutler play`.
    ///
    /// Args:
    ///     games: how many.
    ///     turns: how many turns a game has.
    ///     policy: who decides what the rules leave to players: `random`, `first`, the path of a
    ///         policy as `sutler play` takes it, or a function of an offer and the position. An offer has `ways`, each an order as `Position.play`
    ///         takes it, and `must`, whether one of them has to be taken; the function gives the
    ///         place of the way that is taken, from 0, or None. It is asked in the thread that calls.
    ///     seed: that of the run; each game has one of its own, made of it and of its number.
    ///     like: the name of a setup, or a position.
    ///     ask: a question, or several, asked of each game at its end.
    ///     of: the kind of thing that is asked about and counted; the world, if none is named.
    ///     side: the side that asks.
    ///     first: the number of the first game.
    ///     jobs: how many threads play, where no function decides.
    ///     each: called with each game as it ends: a dictionary, as a line of `sutler play --format
    ///         jsonl`. What it raises ends the run.
    ///
    /// Returns:
    ///     What the games come to; `print` of it is for reading.
    ///
    /// Raises:
    ///     Refused: rules without a clock, or a question that cannot be asked; and whatever a
    ///         function raises.
    #[pyo3(signature = (games=100, *, turns=10, policy=None, seed=1, like=None, ask=None, of=None,
        side=None, first=1, jobs=1, each=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of the call")]
    fn play<'py>(
        slf: &Bound<'py, Rules>,
        games: u64,
        turns: u32,
        policy: Option<&Bound<'py, PyAny>>,
        seed: u64,
        like: Option<&Bound<'py, PyAny>>,
        ask: Option<&Bound<'py, PyAny>>,
        of: Option<&str>,
        side: Option<&str>,
        first: u64,
        jobs: usize,
        each: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let like = arrow::like(slf, &Key::of(What::Trace(None), like, None, false)?)?;
        let asked = Run { numbers: (first, games), turns, seed, jobs, ask: names(ask)?, of, side };
        asked.play(slf, &like, (policy, each))
    }

    /// The columns of positions as an Arrow schema: of units and spaces, with `facts` of all facts.
    ///
    /// Args:
    ///     like: the name of a setup, or a position; the first setup with units, if nothing is said.
    ///     facts: whether columns of facts are listed too.
    #[pyo3(signature = (like=None, *, facts=false))]
    fn schema(
        slf: &Bound<'_, Rules>,
        like: Option<&Bound<'_, PyAny>>,
        facts: bool,
    ) -> PyResult<ArrowSchema> {
        let like = arrow::like(slf, &Key::of(What::Trace(None), like, None, false)?)?;
        let game = &slf.get().game;
        Ok(ArrowSchema(slf.py().detach(|| arrow::schema(game, &like, facts))))
    }

    fn __repr__(&self) -> String {
        format!("<sutler.Rules {} {}>", self.game.name(), self.game.hash())
    }

    /// Another process opens the same path or the same texts, and finds the same rules there, or
    /// nothing.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let args = (self.source.to_py(py)?, self.name.as_deref(), self.hash()).into_pyobject(py)?;
        (py.import("sutler._types")?.getattr("_reopened")?, args).into_pyobject(py)
    }
}

/// The position of a setup; of the first with units, if none is named.
pub fn started(game: &Game, setup: Option<&str>) -> Result<sutler::Position, Faults> {
    match setup {
        Some(name) => game.setup(name),
        None => game.first_setup(),
    }
}
