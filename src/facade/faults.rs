//! What is wrong with a call: faults as an error.

use std::fmt;
use std::ops::Deref;

use crate::diag::{self, Diagnostic, Fault, Style};
use crate::source::SourceMap;

/// Why a call has no answer: one fault or more, as data and as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    pub(super) fn new(faults: Vec<Fault>) -> Faults {
        Faults(faults)
    }

    pub(crate) fn of(diagnostics: &[Diagnostic], sources: &SourceMap) -> Faults {
        Faults(diagnostics.iter().map(|d| Fault::of(d, sources)).collect())
    }

    /// Faults without a place.
    pub(crate) fn bare(fault: Diagnostic) -> Faults {
        Faults::of(&[fault], &SourceMap::new())
    }
}

impl Deref for Faults {
    type Target = [Fault];

    fn deref(&self) -> &[Fault] {
        &self.0
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// What a code means, with a wrong and a right example; nothing for what is no code. Not in
/// WebAssembly, which carries no explanations: see [`explanation`].
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn explain_code(code: &str) -> Option<String> {
    diag::code::find(code).map(|info| explanation(info.text))
}

/// An explanation of a code as [`explain_code`](crate::explain_code) lays it out, from its text
/// in Markdown: a file of `src/diag/codes`.
#[must_use]
pub fn explanation(text: &str) -> String {
    diag::explain_code(text, Style { colour: false, unicode: true, width: 80 })
}
