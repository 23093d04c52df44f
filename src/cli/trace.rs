//! `sutler trace`: who is supplied, by which route.

use std::path::PathBuf;

use super::open::{Question, asked, faulted};
use super::{End, Format, json, printed};
use crate::report::{trace_report, trace_text};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    question: Question,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let (project, rules, trace, world) = args.question.open(&args.ruleset)?;
    let position = asked(&rules, &world)?;
    let report = trace_report(&position, trace).map_err(|fault| faulted(&rules, &project, fault))?;
    Ok(match args.format {
        Format::Json => json(&report),
        format => trace_text(&report, format == Format::Concise),
    })
}
