//! Aids for players and authors, made of the rules alone: the calendar of a turn, and the rulebook
//! in words.
//!
//! Takes a ruleset as it was resolved, as text and as compiled; gives records, text, Markdown and
//! HTML. Decides no rule, and knows no position but the setup whose dates are asked for: what a line
//! says is said in its author's words, and the order of a turn is the engine's.

mod calendar;
mod calendar_text;
mod dates;
mod doc;
mod words;

pub use calendar::{Brought, Calendar, Deed, Passed, Stretch, calendar};
pub use calendar_text::{calendar_concise, calendar_text};
pub use dates::{Coming, Dated, Due};
pub use doc::{
    Block, Chapter, Group, Page, Readers, Table, Word, Words, band_chances, doc, doc_for, html,
    markdown,
};
