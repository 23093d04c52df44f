//! `sutler coverage`: what the cases of a ruleset reach, and what they do not, with the reason in
//! words.

mod sarif;
mod text;

use std::path::PathBuf;

use super::family::one_family;
use super::open::open;
use super::page::page;
use super::{End, PlacedFormat, json, message, print_and};
use crate::suite::{Coverage, PointKind, Suite, coverage};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, variants included, or the file of a variant
    ruleset: PathBuf,
    /// Only what no case reaches
    #[arg(long)]
    missing: bool,
    /// Fails where less than so many hundredths of a kind are reached, as in `clause=100,row=90`
    #[arg(long, value_name = "KIND=N", value_delimiter = ',', value_parser = threshold)]
    fail_under: Vec<(PointKind, usize)>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: PlacedFormat,
}

pub(super) fn run(args: &Args) -> End {
    let project = match open(&args.ruleset) {
        Ok(project) => project,
        Err(end) => return end,
    };
    let family = match one_family(&args.ruleset, &project) {
        Ok(family) => family,
        Err(end) => return end,
    };
    let rulesets = family.iter().filter_map(|at| project.rulesets.get(*at)?.rules.as_ref());
    let sources = &project.sources;
    let all: Vec<Suite<'_>> = rulesets.map(|rules| Suite { rules, sources }).collect();
    let mut found = coverage(&all);
    let bare = found.clauses.iter().any(|c| c.lack().is_some());
    if args.missing {
        found.clauses.retain(|c| c.lack().is_some());
        found.points.retain(|p| p.hits == 0);
    }
    let text = match args.format {
        PlacedFormat::Full => page(&text::full(&found, args.missing)),
        PlacedFormat::Concise => text::concise(&found),
        PlacedFormat::Json => json(&found),
        PlacedFormat::Sarif => json(&sarif::sarif(&found, sources)),
        PlacedFormat::Github => text::github(&found, sources),
    };
    let low =
        args.fail_under.iter().filter(|(kind, least)| too_little(&found, *kind, *least)).count();
    print_and(&text, if bare || low > 0 { End::Findings } else { End::Clean })
}

/// Whether less than so many hundredths are reached; said so as a message.
fn too_little(found: &Coverage, kind: PointKind, least: usize) -> bool {
    let Some(measure) = found.measures.iter().find(|m| m.kind == kind) else { return false };
    if measure.all == 0 {
        message(&format!("{}: the ruleset has none, so that nothing was measured\n", kind.word()));
    }
    // Not the rounded number: 99 and a half is less than 100, and just as much less than 99 and
    // three quarters.
    let low = measure.reached * 100 < least * measure.all;
    if low {
        let (reached, all, word) = (measure.reached, measure.all, kind.word());
        message(&format!(
            "{word}: {reached} of {all} reached, {}%, and {least}% asked for\n",
            measure.percent()
        ));
    }
    low
}

/// `row=90`.
fn threshold(text: &str) -> Result<(PointKind, usize), String> {
    let kinds = || [PointKind::Clause].into_iter().chain(PointKind::RULES);
    let all = || kinds().map(PointKind::word).collect::<Vec<_>>().join(", ");
    let (name, least) = text.split_once('=').ok_or_else(|| "write it as `row=90`".to_owned())?;
    let kind =
        kinds().find(|k| k.word() == name).ok_or_else(|| {
            match crate::diag::suggest::closest(name, kinds().map(PointKind::word)) {
                Some(near) => format!("nothing of the kind `{name}` is counted; write `{near}`"),
                None => format!("nothing of the kind `{name}` is counted; there are {}", all()),
            }
        })?;
    let least: usize = least.parse().map_err(|_| format!("`{least}` is no whole number"))?;
    if least > 100 {
        Err(format!("`{least}` is more than all; at most 100"))
    } else {
        Ok((kind, least))
    }
}
