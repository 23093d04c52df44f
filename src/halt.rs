//! Whether work that nobody waits for any more is to stop.
//!
//! Takes a question that whoever asked for the work answers; long work asks it between its parts.
//! Knows nothing of what the work is.

use std::sync::Arc;

/// Never set by itself. A clone asks the same.
#[derive(Clone, Default)]
pub(crate) struct Halt(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Halt {
    /// Set when this says so.
    #[cfg(feature = "cli")]
    pub(crate) fn when(says: impl Fn() -> bool + Send + Sync + 'static) -> Halt {
        Halt(Some(Arc::new(says)))
    }

    /// Whether the work is to stop.
    pub(crate) fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|says| says())
    }
}
