//! What is refused, as exceptions with places.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serde_json::{Value, json};
use sutler::{Fault, Faults};

use crate::values::data;

static FINDING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
static REFUSED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Why a call has no answer.
#[derive(Debug)]
pub enum Refusal {
    /// What the library says.
    Faults(Faults),
    /// A call that is wrong in itself: what is wrong, and what to do.
    Call(String, String),
}

impl From<Faults> for Refusal {
    fn from(faults: Faults) -> Refusal {
        Refusal::Faults(faults)
    }
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> PyErr {
        Python::attach(|py| raised(py, &refusal).unwrap_or_else(|error| error))
    }
}

/// The exception of faults.
pub fn refused(faults: Faults) -> PyErr {
    Refusal::Faults(faults).into()
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Faults(faults) => faults.fmt(f),
            Refusal::Call(message, help) if help.is_empty() => write!(f, "error: {message}"),
            Refusal::Call(message, help) => write!(f, "error: {message}\n  help: {help}"),
        }
    }
}

fn raised(py: Python<'_>, refusal: &Refusal) -> PyResult<PyErr> {
    let found = match refusal {
        Refusal::Faults(faults) => findings(py, faults)?,
        Refusal::Call(message, help) => {
            let help = Some(help).filter(|help| !help.is_empty());
            let record = json!({ "code": null, "severity": "error", "message": message, "labels": [],
                "help": help, "notes": [], "suggestion": null, "text": refusal.to_string() });
            vec![finding(py, &record)?]
        }
    };
    let error =
        REFUSED.import(py, "sutler._types", "Refused")?.call1((refusal.to_string(), found))?;
    Ok(PyErr::from_value(error))
}

/// Faults as records of Python.
pub fn findings<'py>(py: Python<'py>, faults: &[Fault]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let one = |fault: &Fault| {
        let mut record = serde_json::to_value(fault).unwrap_or_default();
        if let Value::Object(fields) = &mut record {
            fields.insert("text".to_owned(), fault.to_string().into());
        }
        finding(py, &record)
    };
    faults.iter().map(one).collect()
}

fn finding<'py>(py: Python<'py>, record: &Value) -> PyResult<Bound<'py, PyAny>> {
    FINDING.import(py, "sutler._types", "_finding")?.call1((data(py, record)?,))
}
