//! What programs that have Sutler built in call: rules opened, positions asked and changed.
//!
//! Takes texts, names and numbers; gives owned handles and plain data. Every handle is
//! `Send + Sync + 'static`, starts no thread, prints nothing and exits nowhere. Decides nothing
//! about rules: it opens them with [`crate::project`], asks the kernel, and passes on what
//! [`crate::report`] says. What was compiled for one question stays in the handle for the next.

mod batch;
mod cases;
mod cells;
mod columns;
mod drawing;
mod evidence;
mod faults;
mod following;
mod game;
mod names;
mod odds;
mod play;
mod position;
mod reach_rows;
mod reached;
mod rows;
mod rules;
mod things;
mod values;
mod warm;

pub use batch::Batch;
pub use cases::CaseHead;
pub(crate) use cells::{CellOf, Differing, Owner, Plain};
pub(crate) use columns::{Columns, open_rows};
pub use drawing::{Drawing, Laid};
pub use evidence::Evidence;
#[cfg(not(target_family = "wasm"))]
pub use faults::explain_code;
pub use faults::{Faults, explanation};
pub use game::Game;
pub use play::{Play, Played, Step};
pub use position::Position;
pub use reach_rows::Reaches;
pub use reached::Reached;
pub(crate) use rows::ColumnTable;
pub use rows::{Bits, OFF_MAP, Rows, Table};
pub(crate) use rows::{cell_of_space, off_map};
pub use rules::Rules;
pub use things::{Side, Space, Thing, Trace, Unit};
pub use values::Question;
pub(crate) use values::{Gives, ValueColumns};

/// Every handle may be kept anywhere and shared between threads.
const _: () = {
    const fn is_a_handle<T: Send + Sync + 'static>() {}
    is_a_handle::<Rules>();
    is_a_handle::<Game>();
    is_a_handle::<Position>();
    is_a_handle::<Batch>();
    is_a_handle::<Rows>();
    is_a_handle::<Faults>();
};
