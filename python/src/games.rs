//! Many games played, by chance or by a function of Python.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use sutler::{Games, Offered};

use crate::position::Position;
use crate::refused::refused;
use crate::rules::Rules;
use crate::values::{data, told};

/// What a run is played with.
pub struct Run<'a> {
    /// The number of the first game, and how many there are.
    pub numbers: (u64, u64),
    pub turns: u32,
    pub seed: u64,
    pub jobs: usize,
    pub ask: Vec<String>,
    pub of: Option<&'a str>,
    pub side: Option<&'a str>,
}

/// A function of Python.
type Function<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// What a function has raised; after that no function is called.
#[derive(Clone, Default)]
struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn is_none(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What a call gave, unless it raised something, now or before.
    fn unless<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        if !self.is_none() {
            return None;
        }
        Python::attach(call)
            .map_err(|error| *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error))
            .ok()
    }
}

impl Run<'_> {
    pub fn play<'py>(
        &self,
        rules: &Bound<'py, Rules>,
        like: &sutler::Position,
        (policy, each): (Function<'_, 'py>, Function<'_, 'py>),
    ) -> PyResult<Bound<'py, PyAny>> {
        let (first, games) = self.numbers;
        let numbers = first..first.saturating_add(games);
        if !(1..=sutler::MOST_GAMES).contains(&games) || first == 0 || self.turns == 0 {
            let most = sutler::MOST_GAMES;
            let message = format!("1 to {most} games of at least one turn are played, from 1 on");
            return Err(PyValueError::new_err(message));
        }
        let (py, raised) = (rules.py(), Raised::default());
        let mut run = Games::new(like, self.turns, self.seed).map_err(refused)?;
        for question in &self.ask {
            run = run.asking(question, self.of);
        }
        if let Some(side) = self.side {
            run = run.seen_by(rules.get().game.side(side).map_err(refused)?);
        }
        let (run, called) = decided(run, rules, policy, &raised)?;
        // A function is asked in the thread that calls, one game after the other.
        let jobs = if called { 1 } else { self.jobs.clamp(1, 1024) };
        let each = each.map(|each| each.clone().unbind());
        let summary = py.detach(|| {
            run.play(numbers, jobs, |record| {
                let call = |py: Python<'_>| {
                    if let Some(each) = &each {
                        each.call1(py, (data(py, record)?,))?;
                    }
                    py.check_signals()
                };
                raised.unless(call).is_some()
            })
        });
        match raised.take() {
            Some(error) => Err(error),
            None => told(py, &summary.map_err(refused)?),
        }
    }
}

/// Games with whoever decides, and whether it is a function.
fn decided(
    games: Games,
    rules: &Bound<'_, Rules>,
    policy: Function<'_, '_>,
    raised: &Raised,
) -> PyResult<(Games, bool)> {
    let Some(policy) = policy else { return Ok((games, false)) };
    match policy.extract::<String>().as_deref() {
        Ok("random") => Ok((games, false)),
        Ok("first") => Ok((games.first(), false)),
        Err(_) if policy.is_callable() => {
            let name = policy.getattr("__name__").and_then(|name| name.extract::<String>());
            let (function, rules) = (policy.clone().unbind(), rules.clone().unbind());
            let raised = raised.clone();
            let decide = move |offered: &Offered, position: &sutler::Position| {
                raised.unless(|py| chosen(py, (&function, &rules), offered, position)).flatten()
            };
            Ok((games.decided(&name.unwrap_or_else(|_| "function".to_owned()), decide), true))
        }
        _ => match policy.extract::<PathBuf>() {
            Ok(path) => {
                let file = path.display().to_string();
                let text = std::fs::read(&path).map_err(|error| {
                    let help = "write `random`, `first`, the path of a file, or give a function";
                    let message = format!("the policy `{file}` cannot be read: {error}; {help}");
                    std::io::Error::new(error.kind(), message)
                })?;
                Ok((games.written(&file, &text).map_err(refused)?, false))
            }
            Err(_) => {
                let message = "a policy is `random`, `first`, the path of a file, or a function";
                Err(PyValueError::new_err(message))
            }
        },
    }
}

/// What a function takes of an offer.
fn chosen(
    py: Python<'_>,
    (function, rules): (&Py<PyAny>, &Py<Rules>),
    offered: &Offered,
    position: &sutler::Position,
) -> PyResult<Option<usize>> {
    let position = Position::new(rules.clone_ref(py), position.clone());
    let taken: Option<usize> = function
        .call1(py, (data(py, offered)?, position))?
        .extract(py)
        .map_err(|_| PyValueError::new_err("a policy gives the place of a way, from 0, or None"))?;
    let ways = offered.ways.len();
    if taken.is_some_and(|at| at >= ways) {
        return Err(PyIndexError::new_err(format!("a policy gave a place beyond {ways} ways")));
    }
    Ok(taken)
}
