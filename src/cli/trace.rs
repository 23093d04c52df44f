//! `sutler trace`: who is supplied, by which route.

use std::path::PathBuf;

use super::asked::Asking;
use super::open::evaluated;
use super::page::page;
use super::{End, Format, json, printed};
use crate::report::{trace_report, trace_text};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    asking: Asking,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let (position, trace) = args.asking.open(&args.ruleset)?;
    let mut report =
        evaluated(&position, |position, broken| trace_report(position, trace).map_err(broken))?;
    if let Some(side) = &args.asking.side {
        report.units.retain(|row| row.side.as_ref() == Some(side));
    }
    Ok(match args.format {
        Format::Json => json(&report),
        Format::Concise => trace_text(&report, true),
        Format::Full => page(&trace_text(&report, false)),
    })
}
