//! `sutler ir`: what a ruleset compiled to.

use std::path::PathBuf;

use super::open::open_whole;
use super::{End, Format, json, print_and};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    match open_whole(&args.ruleset) {
        Ok(whole) => print_and(
            &if args.format == Format::Json {
                json(&whole.rules)
            } else {
                crate::ir::print(&whole.rules)
            },
            End::Clean,
        ),
        Err(end) => end,
    }
}
