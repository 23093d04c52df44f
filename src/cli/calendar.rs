//! `sutler calendar`: the events of a turn in the order in which they happen.

use std::path::PathBuf;

use super::open::{open_whole, setup_called};
use super::page::page;
use super::{End, Format, json, printed};
use crate::aid;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// The setup whose dates are told; the first one that has units, if nothing is said
    #[arg(long)]
    setup: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let whole = open_whole(&args.ruleset)?;
    let rules = whole.side().rules;
    let named = args.setup.is_some() || !rules.setups.is_empty();
    let setup = named.then(|| setup_called(args.setup.as_deref(), rules)).transpose()?;
    let calendar = aid::calendar(whole.side(), setup);
    Ok(match args.format {
        Format::Json => json(&calendar),
        Format::Full => page(&aid::calendar_text(&calendar)),
        Format::Concise => aid::calendar_concise(&calendar),
    })
}
