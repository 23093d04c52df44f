//! `sutler batch`: a trace asked of many positions, a line each or a row of a table each.

use crate::diag::counted;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::open::{open_one, side_called, trace_called};
use super::tables::{self, Tables, What};
use super::{End, message, print, progress, told};
use crate::stream::{Asked, Lines, Pumped, header, pump};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// Positions as JSON, one a line; `-` is standard input. Or a table of positions, a row each: a
    /// file whose name ends in `.parquet`
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// Which trace; the one that a phase judges, if nothing is said
    #[arg(long)]
    trace: Option<String>,
    /// The side that asks, where the trace is about spaces; the `viewer` of each position, if nothing
    /// is said
    #[arg(long)]
    side: Option<String>,
    /// How many threads; as many as the machine has, if nothing is said
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Begins at this line of the input
    #[arg(long, value_name = "LINE", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    from: u64,
    /// Where the answers to a table go: a file whose name ends in `.parquet`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The setup that says what a table does not say; the first one that has units, if nothing is
    /// said
    #[arg(long, requires = "out")]
    setup: Option<String>,
    /// A column of the table that is no part of a position and goes into the answers as it is; any
    /// number of them
    #[arg(long, value_name = "COLUMN", requires = "out")]
    keep: Vec<String>,
    /// Answers how long lines are too, position by position
    #[arg(long, requires = "out")]
    lengths: bool,
}

pub(super) fn run(args: &Args) -> End {
    match try_run(args) {
        Ok(end) | Err(end) => end,
    }
}

fn try_run(args: &Args) -> Result<End, End> {
    if let Some(tables) = tables(args)? {
        return tables.answer();
    }
    let (project, rules) = open_one(&args.ruleset)?;
    let trace = trace_called(args.trace.as_deref(), &rules)?;
    let name = name_of(&args.positions);
    let trouble = |error: std::io::Error| {
        message(&format!("error: `{name}` cannot be read: {error}\n"));
        End::Trouble
    };
    let mut lines = Lines::new(open(&args.positions).map_err(trouble)?);
    let passed = lines.skip(args.from - 1).map_err(trouble)?;
    if passed + 1 < args.from {
        message(&format!("{name} ends at line {passed}, before line {}\n", args.from));
    } else if args.from > 1 {
        message(&format!("begins at line {} of {name}\n", args.from));
    }
    let side = args.side.as_deref().map(|name| side_called(name, &rules)).transpose()?;
    let asked = Asked { rules: &rules, sources: &project.sources, trace, side, name: &name };
    print(&header(&asked, args.from))?;
    let jobs = super::threads(args.jobs);
    let (mut answered, mut bad) = (0, 0);
    progress::count("positions", None);
    let pumped = pump(asked, lines, jobs, |done| {
        if !done.faults.is_empty() {
            told(&done.faults);
        }
        print(&done.answers)?;
        (answered, bad) = (answered + done.positions, bad + done.bad);
        progress::more(done.positions + done.bad);
        Ok(())
    });
    match pumped {
        Pumped::Whole if bad > 0 => {
            message(&format!("{} answered, {bad} without an answer\n", counted(answered, "line")));
            Ok(End::Findings)
        }
        Pumped::Whole => Ok(End::Clean),
        Pumped::Input(error) => Err(trouble(error)),
        Pumped::Output(end) => Err(end),
    }
}

/// The tables that are asked for; nothing where positions come as lines.
fn tables(args: &Args) -> Result<Option<Tables<'_>>, End> {
    let Some((positions, out)) = tables::named(&args.positions, args.out.as_deref())? else {
        return Ok(None);
    };
    if args.from > 1 {
        return Err(super::trouble("error: `--from` counts lines, and a table is answered whole"));
    }
    Ok(Some(Tables {
        ruleset: &args.ruleset,
        positions,
        out,
        what: What::Trace(args.trace.as_deref(), args.lengths),
        side: args.side.as_deref(),
        setup: args.setup.as_deref(),
        keep: &args.keep,
        jobs: super::threads(args.jobs),
    }))
}

/// What an input of lines is called in messages.
pub(super) fn name_of(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// An input of lines: a file, or standard input for `-`.
pub(super) fn open(path: &Path) -> std::io::Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    Ok(Box::new(file(path)?))
}

/// A file that is there, and no folder.
pub(super) fn file(path: &Path) -> std::io::Result<File> {
    // A folder opens, and says only when it is read that it is one.
    if path.is_dir() {
        return Err(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder"));
    }
    File::open(path)
}
