//! A rulebook as one page: clauses as they are numbered, each with the rules that carry it out, the
//! rules in words, tables as printed, the order of play.
//!
//! Takes a ruleset as it was resolved and compiled; gives a page, which Markdown and HTML are made
//! of.

mod changes;
mod chapters;
mod desk;
mod facts;
mod html;
mod lines;
mod markdown;
mod page;
mod play;
mod questions;
mod remarks;
mod rolls;
mod tables;

pub use chapters::{Readers, doc, doc_for};
pub use html::html;
pub use markdown::markdown;
pub use page::{Block, Chapter, Group, Page, Table, Word, Words};
pub use rolls::band_chances;
