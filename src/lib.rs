//! Sutler: a rules language for wargame designers, as a library.
//!
//! A ruleset says, in words close to a printed rulebook, how far supply reaches and for whom, what
//! is a source and what cuts a line. A program opens it, asks it of positions, changes positions
//! move by move and asks again; every answer comes with what it rests on.
//!
//! ```
//! use sutler::Rules;
//!
//! let rules = Rules::open("rulesets/soldier_kings");
//! let game = rules.game()?;
//! let supply = game.trace("supply")?;
//!
//! let mut position = game.setup("opening")?;
//! let unit = position.unit("F3")?;
//! let answer = position.ask(supply, unit)?;
//! assert_eq!(answer.state, "out_of_supply");
//! assert_eq!(answer.stop.as_deref(), Some("Mecklenburg"));
//! println!("{}", position.explain(supply, unit)?);
//!
//! // A move, and the same question again.
//! let home = position.space("Ile_de_France")?;
//! position.move_unit(unit, Some(home))?;
//! assert!(position.is_yes(supply, unit)?);
//! # Ok::<(), sutler::Faults>(())
//! ```
//!
//! # Handles
//!
//! [`Rules`] are what was opened, with all faults in them; a [`Game`] is one ruleset without an
//! error; a [`Position`] is one of its positions. [`Batch`] and [`Rows`] ask one trace of many
//! positions. All are owned, `Send + Sync + 'static`, and may be shared between threads; the
//! library starts no thread of its own, prints nothing, and reads files only where it is given a
//! path. What is compiled for one question stays in the handle for the next.
//!
//! # Faults
//!
//! What is wrong is data: a [`Fault`] has a code, a message, its places by byte, line and column,
//! what to do, and what to write instead. [`Faults`] are an error of one or more of them, and print
//! as text.
//!
//! ```
//! let head = "edition 1\nruleset tiny \"Tiny\" prefix T\nsides Red, Blue\n";
//! let rules = sutler::Rules::of_text(&format!("{head}define far = raech\n"));
//! for fault in rules.faults() {
//!     let place = fault.place().map_or((0, 0), |place| (place.line, place.column));
//!     println!("{} {place:?} {}", fault.code, fault.message);
//! }
//! assert!(!rules.is_sound());
//! ```
//!
//! # Features
//!
//! `cli`, on by default, is the command `sutler` with its dependencies; a program that embeds the
//! library leaves it out (`default-features = false`). `hooks`, on by default, runs the scripts that
//! fill hooks; without it a hook gives what `otherwise` says. `lsp`, on by default, is `Server`, a
//! language server for an editor or a page. `arrow` is [`arrow`](crate::arrow): tables of positions
//! and answers as Arrow record batches; `parquet`, part of `cli`, adds Parquet files. `sheets`, part of `cli`, reads and writes tables as CSV,
//! XLSX and ODS; without it a table that lives in a sheet is refused. `sentences`, on by default, offers a fix
//! for lines that are written as a rulebook prints them. `internals` shows the modules that the
//! tests of this package reach into; nothing of them is promised.

// Without the tests and benches not all that they hold against each other is reached.
#![cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]

#[doc = include_str!("../docs/library.md")]
#[cfg(doctest)]
struct ReadMe;

// A module reads only those that are declared before it.
mod arrange;

mod halt;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod source;
#[cfg(not(feature = "internals"))]
mod source;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod diag;
#[cfg(not(feature = "internals"))]
mod diag;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod syntax;
#[cfg(not(feature = "internals"))]
mod syntax;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod format;
#[cfg(not(feature = "internals"))]
mod format;

mod ids;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod map;
#[cfg(not(feature = "internals"))]
mod map;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod ir;
#[cfg(not(feature = "internals"))]
mod ir;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tabletop;
#[cfg(not(feature = "internals"))]
mod tabletop;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod world;
#[cfg(not(feature = "internals"))]
mod world;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod check;
#[cfg(not(feature = "internals"))]
mod check;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod kernel;
#[cfg(not(feature = "internals"))]
mod kernel;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod engine;
#[cfg(not(feature = "internals"))]
mod engine;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod report;
#[cfg(not(feature = "internals"))]
mod report;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod log;
#[cfg(not(feature = "internals"))]
mod log;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod hooks;
#[cfg(not(feature = "internals"))]
mod hooks;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod draw;
#[cfg(not(feature = "internals"))]
mod draw;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod suite;
#[cfg(not(feature = "internals"))]
mod suite;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod compare;
#[cfg(not(feature = "internals"))]
mod compare;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod aid;
#[cfg(not(feature = "internals"))]
mod aid;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod sheet;
#[cfg(not(feature = "internals"))]
mod sheet;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod project;
#[cfg(not(feature = "internals"))]
mod project;

#[cfg(all(feature = "sheets", feature = "internals"))]
#[doc(hidden)]
pub mod pages;
#[cfg(all(feature = "sheets", not(feature = "internals")))]
mod pages;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod mutate;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod mutate;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod lint;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod lint;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod stream;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod stream;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod import;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod import;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod scaffold;
#[cfg(not(feature = "internals"))]
mod scaffold;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod migrate;
#[cfg(not(feature = "internals"))]
mod migrate;

mod facade;

#[cfg(feature = "arrow")]
pub mod arrow;

#[cfg(all(feature = "lsp", feature = "internals"))]
#[doc(hidden)]
pub mod lsp;
#[cfg(all(feature = "lsp", not(feature = "internals")))]
mod lsp;

#[cfg(all(feature = "play", feature = "internals"))]
#[doc(hidden)]
pub mod play;
#[cfg(all(feature = "play", not(feature = "internals")))]
mod play;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod sweep;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod sweep;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod fuzz;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod fuzz;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod differ;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod differ;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod output;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod output;

#[cfg(all(feature = "cli", feature = "internals"))]
#[doc(hidden)]
pub mod cli;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod cli;

/// Runs the command that the process was called with.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::main as command;
pub use diag::{Fault, Fix, Place};
#[cfg(not(target_family = "wasm"))]
pub use facade::explain_code;
pub use facade::{
    Batch, Bits, CaseHead, Drawing, Evidence, Faults, Game, Laid, OFF_MAP, Play, Played, Position,
    Question, Reached, Reaches, Rows, Rules, Side, Space, Step, Table, Thing, Trace, Unit,
    explanation,
};
#[cfg(feature = "lsp")]
pub use lsp::Server;
#[cfg(feature = "play")]
pub use play::{Games, MOST_GAMES, Offered, Record as GameRecord, Summary as GamesSummary};
pub use report::{
    Because, Budgeted, Chance, Cited, Crossed, CrossedAt, Explanation, Filled, Frontier,
    ListedRoll, Modifier, ReachReport, ReachRow, ReachedSource, Reader, RemedyRow, Rests,
    RetryOdds, Roll, Share, Stage, Stretched, TestOdds, ThingOdds, ThreatReport, TraceReport,
    TraceRow, ValueReport, ValueRow, WhyNotReport,
};
pub use suite::{CaseRow, FailureRow};
