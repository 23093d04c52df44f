//! Texts and places in them.
//!
//! Takes the bytes of a file and the name the user gave it. Gives screened text,
//! byte spans, lines and columns, and faults for text no later stage should see.
//! Never opens a file, and never knows the language beyond brackets, strings and comments.

pub mod span;

pub mod map;

pub mod sheet;

pub mod chars;

pub mod screen;

pub mod nesting;

mod read;

pub use map::{LineCol, SourceMap};
pub use nesting::{MAX_DEPTH, nesting};
pub use read::{read, read_from};
pub use screen::{MAX_BYTES, MAX_FAULTS, screen};
pub use sheet::{Cell, Sheet, letters};
pub use span::{SourceId, Span};
