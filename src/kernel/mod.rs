//! The fixed kernel: evaluates what a ruleset compiled to, over numbers.
//!
//! Takes an IR, a map and a position; gives values, fields of distances and answers with their
//! evidence. Knows no game: no rule of any is written here. Knows no text but the words for what is
//! wrong on a table, no place in a file, no script, and does no I/O.
//!
//! `ARCHITECTURE.md` has the groups of its files and their order.
//!
//! Every fast way has a slow and obvious twin that must always agree: [`mod@reference`] searches
//! forward from each unit, where [`field`] searches backward from the sources, once for each side.
//! [`batch`] answers for many positions at once, and must agree with both.

#![allow(
    clippy::indexing_slicing,
    reason = "ids were proved by the checker, and arrays are built to their length"
)]

pub mod answer;
mod asked;
mod barred;
pub mod batch;
mod bearing;
pub mod board;
mod build;
mod candidates;
mod causes;
mod chance;
mod change;
pub mod column;
pub mod columns;
mod costs;
mod crossed;
mod crossing_planes;
mod cx;
mod direct;
mod evaluate;
pub(crate) mod exact;
mod fault;
mod felt;
pub mod field;
pub mod flags;
mod flood;
mod gates;
pub mod hex;
mod hook;
mod id_map;
mod ingest;
mod laying;
mod line_group;
mod line_planes;
mod lines;
mod live;
mod lookup;
mod machine;
mod measure;
mod meter;
mod mover;
mod note;
mod one_hot;
mod outward;
mod pair;
mod plane;
pub mod planes;
mod profile;
mod reaching;
mod reads;
mod reasons;
pub mod reference;
mod refused;
mod restate;
mod restore;
pub mod route;
pub mod rows;
mod run;
mod series;
pub mod session;
mod shape;
mod sorts;
mod space_condition;
mod standing;
mod state;
mod table;
pub mod tabletop;
pub mod threat;
mod transpose;
mod unit_condition;
mod value;
mod ways_out;

pub use answer::{Answer, Gate};
pub use barred::Barred;
pub use batch::{Compiled, Kernel};
pub use bearing::{Bearing, BearingFrom};
pub use chance::{Ending, Fraction, Pool, Retries, Tally, sums};
pub use change::{Change, Sort};
pub use columns::Batch;
pub use crossed::Crossed;
pub use cx::{Cx, Step};
pub use evaluate::{Ground, Position};
pub use fault::BatchFault;
pub use felt::needs_viewer;
pub use flags::{Flags, Scratch};
pub use hex::{HexFault, HexKernel, HexRow, HexScratch, Refused};
pub use hook::AskedHook;
pub use ingest::PositionColumns;
pub use laying::{Hindrance, Laying, Way};
pub use live::{Live, LiveEvidence, LiveReach};
pub use outward::{Reachable, ReachedSpace};
pub use planes::{PlaneFlags, PlaneScratch, Planes};
pub use reasons::{Reason, RestsOn};
pub use refused::{Line, Refusal};
pub use restore::{Remedy, Restored, Restoring, WhyNot};
pub use rows::{Cell, RowScratch, Rows};
pub use series::{Answers, Series, SeriesState};
pub use session::{NotLocal, Repair, Session, SessionState};
pub use state::PositionState;
pub use tabletop::{Laid, TableFault};
pub use threat::Threat;
pub use value::{Amount, EvalFault, Value};
pub use ways_out::{Came, Settled, Tried, WayOut};
