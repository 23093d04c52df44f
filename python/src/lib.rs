//! Sutler for Python: rules opened from a folder or from texts, positions asked, explained, changed
//! and played, and tables of positions answered through Arrow.
//!
//! Decides nothing about rules: every call is a call of the library, and what it refuses becomes an
//! exception. The interpreter's lock is not held while rules are read or positions are asked.

mod arrow;
mod games;
mod position;
mod refused;
mod rules;
mod values;

/// What `import sutler` finds in the module that is compiled.
#[pyo3::pymodule]
mod _sutler {
    #[pymodule_export]
    use crate::arrow::{ArrowBatch, ArrowSchema, ArrowStream, Many};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::rules::{Rules, check, explain_code, open};
}
