//! `sutler resolve`: the full rules of a ruleset or variant, as text of the language.

use std::path::PathBuf;

use super::open::open_whole;
use super::{End, printed};
use crate::compare;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// Without the file and line that wrote each line
    #[arg(long)]
    plain: bool,
}

pub(super) fn run(args: &Args) -> End {
    printed(
        open_whole(&args.ruleset)
            .map(|whole| compare::resolve(&whole.resolved, &whole.project.sources, args.plain)),
    )
}
