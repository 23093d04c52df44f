//! Data of the library as dictionaries, lists, texts and numbers of Python.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;
use serde::Serialize;

static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static TOLD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static DRAWING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Data in the order in which the command line prints it.
pub fn data<'py>(py: Python<'py>, value: &(impl Serialize + Sync)) -> PyResult<Bound<'py, PyAny>> {
    // Plain records of strings and numbers always serialise.
    let text = py.detach(|| serde_json::to_string(value).unwrap_or_default());
    LOADS.import(py, "json", "loads")?.call1((text,))
}

/// Data that also reads as text: `str()` of it is what the command line prints.
pub fn told<'py>(
    py: Python<'py>,
    value: &(impl Serialize + std::fmt::Display + Sync),
) -> PyResult<Bound<'py, PyAny>> {
    TOLD.import(py, "sutler._types", "Told")?.call1((data(py, value)?, value.to_string()))
}

/// A picture that a notebook shows.
pub fn drawing<'py>(py: Python<'py>, svg: &str) -> PyResult<Bound<'py, PyAny>> {
    DRAWING.import(py, "sutler._types", "Drawing")?.call1((svg,))
}

/// JSON text of what is a text already, or of data.
pub fn json(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = value.extract::<String>() {
        return Ok(text.into_bytes());
    }
    if let Ok(bytes) = value.extract::<Vec<u8>>() {
        return Ok(bytes);
    }
    let text = DUMPS.import(value.py(), "json", "dumps")?.call1((value,))?;
    Ok(text.extract::<String>()?.into_bytes())
}

/// One name, several, or none where nothing is said.
pub fn names(value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    match value {
        None => Ok(Vec::new()),
        Some(value) => match value.extract::<String>() {
            Ok(one) => Ok(vec![one]),
            Err(_) => value.try_iter()?.map(|name| name?.extract::<String>()).collect(),
        },
    }
}

/// Names as a list.
pub fn list<'py, 'n>(
    py: Python<'py>,
    names: impl Iterator<Item = &'n str>,
) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, names.collect::<Vec<_>>())
}
