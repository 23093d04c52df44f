//! `sutler test`: the cases of one or more rulesets, and the mistakes that they expect.

mod bless;
mod machine;
mod play;
mod select;
mod text;
mod watch;

use std::path::PathBuf;

use clap::ValueEnum;

use super::open::{Hashed, hashes, open};
use super::{End, message, print_and};
use crate::project::Project;
use crate::source::SourceMap;
use crate::suite::Outcome;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Ruleset folders, files of a ruleset, or folders of rulesets
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    wanted: select::Wanted,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// So many cases at a time; as many as the machine has processors, if nothing is said
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
    /// Stops at the first case that fails
    #[arg(long)]
    fail_fast: bool,
    /// Says which cases there are, and runs none
    #[arg(long, conflicts_with_all = ["bless", "watch", "fail_fast"])]
    list: bool,
    /// Writes what came into the text, in place of expected values that failed; shows the difference first
    #[arg(long, conflicts_with_all = ["watch", "fail_fast"])]
    bless: bool,
    /// With `--bless`: shows the difference and writes nothing
    #[arg(long, requires = "bless")]
    dry_run: bool,
    /// Runs again whenever a file of the rulesets changes, until standard input is closed
    #[arg(long)]
    watch: bool,
    /// Shows no map beside a failed case
    #[arg(long)]
    no_map: bool,
    /// How wide the page is; COLUMNS, or 100, if nothing is said
    #[arg(long, value_name = "N")]
    width: Option<usize>,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// for reading
    #[default]
    Full,
    /// one line a failure
    Concise,
    /// for programs
    Json,
    /// for programs, one line a case
    Jsonl,
    /// XML as JUnit writes it, for build servers
    Junit,
    /// annotations of GitHub Actions
    Github,
}

/// A case that was run.
struct Ran<'p> {
    ruleset: &'p str,
    sources: &'p SourceMap,
    outcome: Outcome,
}

impl Ran<'_> {
    fn failed(&self) -> bool {
        !self.outcome.failures.is_empty()
    }

    /// Its file and line.
    fn place(&self) -> (&str, u32) {
        let span = self.outcome.span;
        (self.sources.name(span.source), self.sources.line_col(span.source, span.start).line)
    }
}

pub(super) fn run(args: &Args) -> End {
    if args.watch { watch::watch(args) } else { once(args) }
}

/// All cases run once, and reported.
fn once(args: &Args) -> End {
    let mut opened: Vec<Project> = Vec::new();
    for path in &args.paths {
        match open(path) {
            Ok(project) => opened.push(project),
            Err(end) => return end,
        }
    }
    let tasks = match select::tasks(&opened, &args.wanted) {
        Ok(tasks) => tasks,
        Err(said) => {
            message(&said);
            return End::Trouble;
        }
    };
    if args.list {
        return print_and(&text::list(&tasks), End::Clean);
    }
    let ran = play::play(&tasks, args.jobs, args.fail_fast);
    let failed = ran.iter().filter(|r| r.failed()).count();
    if args.bless && failed > 0 {
        return bless::bless(&ran, args.dry_run);
    }
    let end = if failed > 0 { End::Findings } else { End::Clean };
    let hashed: Vec<Hashed> = opened.iter().flat_map(hashes).collect();
    let text = match args.format {
        Format::Full => text::full(&ran, &text::Page { wide: text::width(args.width), map: !args.no_map }),
        Format::Concise => text::concise(&ran),
        Format::Json => machine::json(&ran, &hashed),
        Format::Jsonl => machine::jsonl(&ran, &hashed),
        Format::Junit => machine::junit(&ran),
        Format::Github => machine::github(&ran),
    };
    print_and(&text, end)
}
