//! What is measured on a table: the one place where the kernel asks how two things lie to each
//! other.

use super::tabletop::{amount, truth};
use super::{EvalFault, Position, Value};
use crate::ir::Measure;
use crate::world::ThingRef;

impl Position<'_> {
    /// What is measured from one thing to another, a unit or a space each; the same for whoever
    /// asks.
    ///
    /// What nobody knows is no amount, which compares with nothing, and no truth: on a map that is
    /// no table, and of what does not lie on it. What is stated has been looked up before.
    pub(super) fn measured(
        &self,
        measure: Measure,
        from: ThingRef,
        to: ThingRef,
    ) -> Result<Value, EvalFault> {
        let unknown = Value::unknown(measure.is_amount());
        let Some(between) = self.measures()?.and_then(|measures| measures.between(from, to)) else {
            return Ok(unknown);
        };
        Ok(match measure.is_amount() {
            true => amount(&between, measure).map_or(unknown, Value::Number),
            false => Value::Truth(truth(&between, measure)),
        })
    }
}
