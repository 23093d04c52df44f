//! What follows the changes of a position, trace by trace.

use crate::ir::{SideId, TraceId};
use crate::kernel::BatchFault;

/// The answers of one trace that follow the changes of a position.
pub(super) trait Follows: Sized {
    /// The trace.
    fn trace(&self) -> TraceId;
    /// A unit stands elsewhere, or off the map.
    fn move_unit(&mut self, unit: u32, space: Option<u32>);
    /// Another side controls a space, or none does.
    fn set_control(&mut self, space: u32, side: Option<SideId>);
}

/// All traces that are followed in one way.
pub(super) struct Following<F> {
    each: Vec<F>,
    /// Traces that cannot be followed so.
    refused: Vec<TraceId>,
}

impl<F> Default for Following<F> {
    fn default() -> Following<F> {
        Following { each: Vec::new(), refused: Vec::new() }
    }
}

impl<F: Follows> Following<F> {
    /// Takes out what follows a trace, made if it is not there; nothing where it cannot be.
    pub(super) fn take(
        &mut self,
        trace: TraceId,
        make: impl FnOnce() -> Result<F, BatchFault>,
    ) -> Option<F> {
        if let Some(at) = self.each.iter().position(|of| of.trace() == trace) {
            return Some(self.each.swap_remove(at));
        }
        if self.refused.contains(&trace) {
            return None;
        }
        let made = make().ok();
        self.refused.extend(made.is_none().then_some(trace));
        made
    }

    /// Keeps what was taken out for the next question.
    pub(super) fn keep(&mut self, of: F) {
        self.each.push(of);
    }

    pub(super) fn move_unit(&mut self, unit: u32, space: Option<u32>) {
        self.each.iter_mut().for_each(|of| of.move_unit(unit, space));
    }

    pub(super) fn set_control(&mut self, space: u32, side: Option<SideId>) {
        self.each.iter_mut().for_each(|of| of.set_control(space, side));
    }

    /// All begin afresh with the next question.
    pub(super) fn forget(&mut self) {
        self.each.clear();
    }
}
