//! `sutler diff`: what two rulesets say otherwise.

use std::path::PathBuf;

use super::open::open_whole;
use super::page::page;
use super::{End, Format, json, print_and};
use crate::compare::{self, Difference};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The first ruleset: its folder, or the file of a variant
    a: PathBuf,
    /// The second
    b: PathBuf,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    match difference(args) {
        Ok(difference) => {
            let same = difference.changes.is_empty();
            let text = if args.format == Format::Json {
                json(&difference)
            } else {
                page(&compare::diff_text(&difference))
            };
            print_and(&text, if same { End::Clean } else { End::Findings })
        }
        Err(end) => end,
    }
}

fn difference(args: &Args) -> Result<Difference, End> {
    let (a, b) = (open_whole(&args.a)?, open_whole(&args.b)?);
    Ok(compare::diff(a.side(), b.side()))
}
