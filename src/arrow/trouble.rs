//! Why a row has no answer, and why a table has none.

use crate::diag::{Code, Diagnostic, code};
use crate::facade::Faults;

/// Why a row has no answer.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    pub(super) column: Option<String>,
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl Trouble {
    pub(super) fn of(faults: &Faults) -> Trouble {
        let Some(fault) = faults.first() else { return Trouble::cell("there is no answer") };
        let mut message = fault.message.clone();
        if let Some(help) = &fault.help {
            message.push_str("; ");
            message.push_str(help);
        }
        Trouble { column: None, code: fault.code, message }
    }

    /// A cell that says nothing of a position.
    pub(super) fn cell(message: impl Into<String>) -> Trouble {
        Trouble { column: None, code: code::E1077.as_str(), message: message.into() }
    }

    pub(super) fn at(self, column: &str) -> Trouble {
        Trouble { column: Some(column.to_owned()), ..self }
    }
}

/// A fault of a whole table: what is wrong, and what to do.
pub(super) fn refused(code: Code, message: impl Into<String>, help: &str) -> Faults {
    let fault = Diagnostic::bare(code, message);
    Faults::bare(if help.is_empty() { fault } else { fault.help(help) })
}
