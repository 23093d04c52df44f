//! `sutler batch`: a trace asked of many positions, a line each.

use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::open::{open_one, side_called, trace_called};
use super::{End, message, print, told};
use crate::stream::{Asked, Done, Lines, Pumped, header, pump};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// Positions as JSON, one a line; `-` is standard input
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
}

pub(super) fn run(args: &Args) -> End {
    match try_run(args) {
        Ok(end) | Err(end) => end,
    }
}

fn try_run(args: &Args) -> Result<End, End> {
    let (project, rules) = open_one(&args.ruleset)?;
    let trace = trace_called(args.trace.as_deref(), &rules)?;
    let name = if args.positions == Path::new("-") {
        "standard input".to_owned()
    } else {
        args.positions.display().to_string()
    };
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
    let jobs = args
        .jobs
        .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let mut progress = Progress::new();
    let pumped = pump(asked, lines, jobs, |done| {
        if !done.faults.is_empty() {
            progress.clear();
            told(&done.faults);
        }
        print(&done.answers)?;
        progress.count(&done);
        Ok(())
    });
    progress.clear();
    match pumped {
        Pumped::Whole if progress.bad > 0 => {
            message(&format!(
                "{} lines answered, {} without an answer\n",
                progress.positions, progress.bad
            ));
            Ok(End::Findings)
        }
        Pumped::Whole => Ok(End::Clean),
        Pumped::Input(error) => Err(trouble(error)),
        Pumped::Output(end) => Err(end),
    }
}

fn open(path: &Path) -> std::io::Result<Box<dyn Read + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin()));
    }
    // A folder opens, and says only when it is read that it is one.
    if path.is_dir() {
        return Err(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder"));
    }
    Ok(Box::new(File::open(path)?))
}

/// How far it has come, shown on a terminal when it takes a while.
struct Progress {
    shows: bool,
    start: Instant,
    /// When it was last shown.
    last: Instant,
    /// Whether something of it stands on the screen.
    stands: bool,
    positions: u64,
    bad: u64,
}

/// Quicker work shows nothing.
const QUICK: Duration = Duration::from_secs(1);
/// Between one showing and the next.
const PAUSE: Duration = Duration::from_millis(200);

impl Progress {
    fn new() -> Progress {
        let start = Instant::now();
        // Answers on the same screen are progress enough.
        let shows = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal();
        Progress { shows, start, last: start, stands: false, positions: 0, bad: 0 }
    }

    fn count(&mut self, done: &Done) {
        self.positions += done.positions;
        self.bad += done.bad;
        let (whole, pause) = (self.start.elapsed(), self.last.elapsed());
        if self.shows && whole > QUICK && pause > PAUSE {
            let each = u128::from(self.positions + self.bad) * 1000 / whole.as_millis().max(1);
            let _ = write!(
                std::io::stderr(),
                "\r{} positions, {each} a second",
                self.positions + self.bad
            );
            self.last = Instant::now();
            self.stands = true;
        }
    }

    /// Wipes the line, before anything else is printed there.
    fn clear(&mut self) {
        if self.stands {
            let _ = write!(std::io::stderr(), "\r{:60}\r", "");
            self.stands = false;
        }
    }
}
