//! Sutler: a rules language for wargame designers.
//!
//! Text becomes a tree ([`syntax`]), the tree a compiled ruleset ([`check`], [`ir`]), the ruleset
//! and a position ([`world`]) become answers with their evidence ([`kernel`]). The modules are
//! declared in the order in which data flows through them.

pub mod source;

pub mod diag;

pub mod syntax;

pub mod format;

pub mod check;

pub mod ir;

pub mod map;

pub mod tabletop;

pub mod world;

pub mod kernel;

pub mod engine;

pub mod report;

pub mod log;

pub mod hooks;

pub mod draw;

pub mod suite;

pub mod compare;

pub mod aid;

pub mod project;

pub mod mutate;

pub mod lint;

pub mod stream;

#[cfg(feature = "cli")]
pub mod import;

pub mod scaffold;

pub mod migrate;

mod facade;

#[cfg(feature = "cli")]
pub mod output;

#[cfg(feature = "cli")]
pub mod cli;

pub use diag::{Fault, Fix, Place};
pub use facade::{Batch, Faults, Game, Position, Rules, Side, Space, Thing, Trace, Unit};
pub use report::{
    Because, Budgeted, Cited, Explanation, Filled, Frontier, RemedyRow, Rests, Stage, Stretched,
    TraceReport, TraceRow, WhyNotReport,
};
