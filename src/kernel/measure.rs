//! What is measured on a table: the one place where the kernel asks how two things lie to each other.

use super::{Position, Value};
use crate::ir::Measure;
use crate::world::ThingRef;

impl Position<'_> {
    /// What is measured from one thing to another, a unit or a space each; the same for whoever asks.
    ///
    /// What nobody knows is no amount, which compares with nothing, and no truth. A position keeps no places on a table,
    /// so that nothing is known but what is stated, and that has been looked up before.
    pub(super) fn measured(&self, measure: Measure, _from: ThingRef, _to: ThingRef) -> Value {
        Value::unknown(measure.is_amount())
    }
}
