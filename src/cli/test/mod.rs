//! `sutler test`: the cases of one or more rulesets, and the mistakes that they expect.

mod bless;
mod junit;
mod machine;
mod notes;
mod play;
mod sarif;
mod select;
mod text;
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use self::notes::{Note, Opened};
use super::open::{Hashed, hashes};
use super::{End, json, message, print_and, stderr_style, told};
use crate::diag;
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
    /// The number of cases run at a time; as many as the machine has processors by default
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
    /// Stops at the first case that fails
    #[arg(long)]
    fail_fast: bool,
    /// Says which cases there are, and runs none
    #[arg(long, conflicts_with_all = ["bless", "watch", "fail_fast"])]
    list: bool,
    /// Writes what came into the text, in place of expected values that failed; shows the
    /// difference first
    #[arg(long, conflicts_with_all = ["watch", "fail_fast"])]
    bless: bool,
    /// With `--bless`: shows the difference and writes nothing
    #[arg(long, requires = "bless")]
    dry_run: bool,
    /// With `--bless`: writes even where CI is set, as build servers do
    #[arg(long, requires = "bless")]
    force: bool,
    /// Fails where a ruleset has fewer cases, whichever of them are run
    #[arg(long, value_name = "N")]
    min_cases: Option<usize>,
    /// Runs again whenever a file of the rulesets changes, until standard input is closed
    #[arg(long)]
    watch: bool,
    /// Shows no map beside a failed case
    #[arg(long)]
    no_map: bool,
    /// How wide the page is; if nothing is said, as COLUMNS says, as wide as the terminal, or 80
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
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// A case that was run.
struct Ran<'p> {
    ruleset: &'p str,
    sources: &'p SourceMap,
    outcome: Outcome,
    /// How long it took.
    time: Duration,
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

impl Args {
    /// Whether it runs until somebody ends it.
    pub(super) fn watches(&self) -> bool {
        self.watch
    }
}

pub(super) fn run(args: &Args) -> End {
    if args.watch { watch::watch(args) } else { once(args) }
}

/// All cases run once, and reported.
fn once(args: &Args) -> End {
    if args.bless && !args.dry_run && !args.force && in_ci() {
        message(
            "error: `--bless` writes expected values, and CI is set\n  help: look with `--dry-run`, \
             run it where the result is read by a person, or add `--force`\n",
        );
        return End::Trouble;
    }
    let open =
        |path: &PathBuf| Opened { path: path.display().to_string(), project: Project::open(path) };
    let opened: Vec<Opened> = args.paths.iter().map(open).collect();
    let notes = notes::notes(&opened, args.min_cases);
    let broken = notes.iter().any(Note::is_broken);
    let tasks = match select::tasks(&opened, &args.wanted) {
        Ok(tasks) => tasks,
        Err(said) => {
            message(&said);
            // What was looked for may stand in what does not compile.
            if !broken {
                return End::Trouble;
            }
            Vec::new()
        }
    };
    let end = match () {
        () if opened.iter().any(|o| !o.project.faults.is_empty()) => End::Trouble,
        () if notes.iter().any(Note::is_error) => End::Findings,
        () => End::Clean,
    };
    if args.list || args.bless && broken {
        for (sources, faults) in notes::faults(&notes) {
            told(&diag::render(&faults, sources, diag::Format::Full, stderr_style()));
        }
    }
    if args.list {
        return print_and(&text::list(&tasks), end);
    }
    if args.bless && broken {
        message("error: a ruleset with faults is not blessed\n  help: nothing was changed\n");
        return end;
    }
    let ran = play::play(&tasks, args.jobs, args.fail_fast);
    let failed = ran.iter().filter(|r| r.failed()).count();
    if args.bless && failed > 0 {
        return bless::bless(&ran, args.dry_run);
    }
    let end = if failed > 0 && matches!(end, End::Clean) { End::Findings } else { end };
    print_and(&report(args, &opened, &ran, &notes), end)
}

fn report(args: &Args, opened: &[Opened], ran: &[Ran<'_>], notes: &[Note<'_>]) -> String {
    let hashed: Vec<Hashed> = opened.iter().flat_map(|o| hashes(&o.project)).collect();
    let mut rulesets: Vec<&str> = Vec::new();
    for name in opened.iter().flat_map(|o| o.project.rulesets.iter().map(|r| r.name.as_str())) {
        if !rulesets.contains(&name) {
            rulesets.push(name);
        }
    }
    match args.format {
        Format::Full => {
            let page = text::Page { wide: text::width(args.width), map: !args.no_map };
            text::full(ran, notes, &rulesets, &page)
        }
        Format::Concise => text::concise(ran, notes),
        Format::Json => machine::json(ran, notes, &hashed),
        Format::Jsonl => machine::jsonl(ran, notes, &hashed),
        Format::Junit => junit::junit(ran, notes, &rulesets),
        Format::Github => machine::github(ran, notes),
        Format::Sarif => json(&sarif::sarif(ran, notes)),
    }
}

/// Whether a build server runs this: they set CI, most to `true`.
fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|v| !v.is_empty() && v != "false" && v != "0")
}
