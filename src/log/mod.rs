//! Runs written down: what happened, line by line, and what players ordered.
//!
//! Takes the events of the engine, gives text and JSON Lines; takes orders and logs as JSON Lines,
//! gives orders, dice and faults. A log holds all that its run began with, so that it can be run
//! again to the same bytes. Decides nothing.

mod given;
mod line;
mod reading;
mod replay;
mod step;
mod text;
mod ways;

pub use given::{Given, Wrong, orders};
pub use line::{Begin, End, Happened, Line, begin, date, digest, end, line};
pub use replay::{Replay, replay};
pub use step::{Printed, Steps, Told, step_text};
pub use text::{Text, heading, said};
pub use ways::ways;

/// The number of the form of a log; it grows when old readers would misread a new one.
pub const LOG_SCHEMA: u32 = 1;

/// More turns than this are not played in one run.
pub const MOST_TURNS: u32 = 10_000;
