//! Answers in words and in JSON.
//!
//! Takes the evidence of the kernel; gives text and serialisable rows. Decides nothing: every word
//! is a view of a record.

#![allow(
    clippy::indexing_slicing,
    reason = "ids were proved by the checker, and arrays are built to their length"
)]

mod bearing;
mod crossed;
mod explain;
mod fate;
mod fault;
mod grounds;
mod never;
mod odds;
mod odds_text;
mod reach;
mod reason;
mod restore;
mod settled;
mod speak;
mod table;
mod threat;
mod trace;
mod values;
mod ways;
mod what_if;

pub use bearing::{Modifier, RetryOdds, Roll};
pub use crossed::{Crossed, CrossedAt};
pub use explain::{
    Budgeted, Cited, Explanation, Filled, Frontier, Stage, Stretched, explain, explanation_text,
};
pub(crate) use explain::{Decision, decision};
pub use fault::{fault_diagnostic, run_fault_diagnostic};
pub use grounds::{Grounds, Worked, grounds, grounds_text};
pub use never::{Held, holds_of};
pub use odds::{
    Chance, ListedRoll, Reader, RunOdds, Share, TestOdds, Tested, ThingOdds, list_odds,
    odds_of_test, percent, results, run_odds, test_odds, tested, tested_names, things_of_kind,
};
pub use odds_text::{run_odds_within, test_odds_text, test_odds_within};
pub use reach::{ReachReport, ReachRow, ReachedSource, reach_report, reach_text};
pub use reason::{Because, Rests, lacking_text, why_text};
pub use restore::{RemedyRow, WhyNotReport, why_not, why_not_each, why_not_text};
pub use settled::{Settling, Shut, Stepping, settling, settling_text};
pub use speak::{fact_text, gate_word, moment_text, name_of_thing, thing_name, value_text};
pub use table::position_faults;
pub use threat::{ThreatReport, threat_report, threat_text};
pub(crate) use trace::straight_on;
pub use trace::{TraceReport, TraceRow, trace_report, trace_row, trace_text};
pub use values::{ValueReport, ValueRow, all_of_kind, id_of, value_rows, values_text};
pub use ways::ways_text;
pub use what_if::{ChangedChance, ChangedModifier, ChangedThing, WhatIf, what_if, what_if_text};
