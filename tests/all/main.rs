//! All integration tests, as modules of one program: the crate is linked once, and all tests share
//! one pool of threads. No test changes what belongs to the whole process.
//!
//! `hex_steady` counts allocations of a whole process and stands apart.

#![recursion_limit = "256"]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    reason = "a failed test may abort"
)]

mod common;
#[path = "../../fuzz/entry.rs"]
mod entry;
mod place;
mod support;
mod truth;

mod absent;
mod absent_values;
mod alike;
mod api;
mod ask;
mod batch;
mod bearings;
mod build_servers;
mod c_header;
mod calendar;
mod changing_links;
mod checks;
mod choosing;
mod cli;
mod codes;
mod column_twins;
mod comments;
#[cfg(feature = "hooks")]
mod conformance;
mod coverage;
mod crossings;
mod dates;
mod denied;
mod differ;
mod direct;
mod doc;
mod docs_language;
mod docs_patterns;
mod docs_workbench;
mod drawings;
mod editors;
mod effects;
mod engine_laws;
mod examples;
mod exceptions;
mod facade;
mod faults;
mod faults_bounds;
mod faults_explain;
mod format;
mod fuzz;
mod fuzzing;
mod hex_country;
mod hex_twins;
mod hexmaps;
#[cfg(feature = "hooks")]
mod hooks;
mod hostile;
mod idle;
mod impact_causes;
mod impact_twins;
mod imports;
mod kept_costs;
mod kernel_differential;
mod kernel_laws;
mod layers;
mod legs_as;
mod library;
mod library_views;
mod lint;
mod lists;
mod live;
mod lives;
mod lsp;
mod map;
mod meant;
mod migrate;
mod mistakes;
mod mutate;
mod none_and_outcomes;
mod odds;
mod one_truth;
mod one_way;
mod opening;
mod pair_mistakes;
mod pairs;
mod phrases;
mod planes;
mod play;
mod policy;
mod ports;
mod positions;
mod reached;
mod relations_set;
mod run;
mod session;
mod sheets;
mod slips;
mod small_stack;
mod source_budget;
mod spreadsheet;
mod steps;
mod suite;
mod sweep;
mod sweep_twins;
mod table_columns;
mod tables;
mod tabletop_language;
mod tabletop_moves;
mod tabletop_twins;
mod terminal;
mod threat_twins;
mod trace_twins;
#[cfg(feature = "hooks")]
mod true_fixes;
mod tutorial;
mod variant_lines;
mod variants;
mod versions;
mod views;
mod walks;
mod why_not;
mod why_not_twins;
