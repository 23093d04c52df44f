//! The command line: one file a command.
//!
//! Takes arguments; prints data on standard output and messages on standard error. Exit 0 is clean,
//! 1 means findings or failed cases, 2 a wrong call or a file that cannot be read or written.
//! Decides nothing about rules.

mod ask;
mod asked;
mod baseline;
mod batch;
mod bench;
mod calendar;
mod check;
mod completions;
mod coverage;
mod diff;
mod differ;
mod doc;
mod explain;
mod explain_code;
mod family;
mod fix;
mod fmt;
mod fuzz;
mod github;
mod impact;
mod import;
mod ir;
mod limited;
mod lint;
mod lsp;
mod map;
mod migrate;
mod mutate;
mod new;
mod odds;
mod open;
mod page;
mod pair;
mod placed;
mod play;
mod played;
mod playing;
mod progress;
mod reach;
mod recorded;
mod replay;
mod resolve;
mod rewrite;
mod run;
mod sarif;
mod schema;
mod sheet;
mod step;
mod sweep;
mod swept;
mod table;
mod tables;
mod test;
mod threat;
mod trace;
mod trial;
mod why_not;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::diag::{self, Diagnostic, Style, code};

/// Sutler: a rules language for wargame designers.
#[derive(Parser)]
#[command(name = "sutler", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Colours in what is printed
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Colour,
    /// Shows no progress on a terminal; NO_PROGRESS does the same
    #[arg(long, global = true)]
    quiet: bool,
}

/// When to print in colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Colour {
    /// on a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// also into files and pipes
    Always,
    /// nowhere
    Never,
}

/// What `--color` said, for the whole process.
static COLOUR: std::sync::OnceLock<Colour> = std::sync::OnceLock::new();

#[derive(Subcommand)]
enum Command {
    /// Checks rulesets and reports every fault
    Check(check::Args),
    /// Says which units a trace reaches, and by which route
    Trace(trace::Args),
    /// Asks a trace of many positions, one a line, and answers line by line
    Batch(batch::Args),
    /// Times a ruleset on this machine, each fast way against the slow one
    Bench(bench::Args),
    /// Says why a unit is supplied or not
    Explain(explain::Args),
    /// Says why a unit is not supplied, and which single changes would restore it
    WhyNot(why_not::Args),
    /// Says which enemy placements, moves and losses of control would cut which units
    Threat(threat::Args),
    /// Says where units can get to by the legs of a trace: how far, and where they stop
    Reach(reach::Args),
    /// Says what a test or a phase can come to, with exact chances
    Odds(odds::Args),
    /// Works out any condition or amount for each thing of a kind
    Ask(ask::Args),
    /// Says what happens in a turn, in the order in which it happens
    Calendar(calendar::Args),
    /// Writes the rules as one page for players, in Markdown or HTML
    Doc(doc::Args),
    /// Draws a position: spaces, units, lines traced and lines cut
    Map(map::Args),
    /// Plays turns: from a setup, with dice and orders, to a log that can be replayed
    Run(run::Args),
    /// Plays many games side by side, and says what they come to, with intervals
    Play(play::Args),
    /// Plays at random until something holds that must never hold, and writes a small case of it
    Fuzz(fuzz::Args),
    /// Runs the cases of rulesets
    Test(test::Args),
    /// Shows which clause is carried out by which rule and shown by which case
    Coverage(coverage::Args),
    /// Says what a check does not forbid and an author may not mean
    Lint(lint::Args),
    /// Makes small changes to a ruleset and says which of them no case notices
    Mutate(mutate::Args),
    /// Varies the numbers of a ruleset and says which matters most, and where answers turn
    Sweep(sweep::Args),
    /// Prints the full rules of a variant, each line with the place that wrote it
    Resolve(resolve::Args),
    /// Says what two rulesets say otherwise, rule by rule
    Diff(diff::Args),
    /// Says what a change of the rules does: whose answers flip, and by which change
    Impact(impact::Args),
    /// Finds the smallest position to which two rulesets give different answers
    Differ(differ::Args),
    /// Lays files out: spaces, columns and blank lines, and nothing else
    Fmt(fmt::Args),
    /// Begins a ruleset: a folder with a small game that runs
    New(new::Args),
    /// Rewrites files of an older edition, if their own cases then come out as before
    Migrate(migrate::Args),
    /// Prints the JSON Schema of positions, or of a ruleset's positions
    Schema(schema::Args),
    /// Prints a map in the language, made from a file of another program
    Import(import::Args),
    /// Writes tables, setups, maps and cases as sheets, and carries changed cells into the text
    Sheet(sheet::Args),
    /// Prints what a ruleset compiled to
    Ir(ir::Args),
    /// Serves an editor: faults, fixes, names and what may be written, while one types
    Lsp(lsp::Args),
    /// Explains a diagnostic code, with examples
    ExplainCode(explain_code::Args),
    /// Prints what a shell completes: commands, options and their words
    Completions(completions::CompletionsArgs),
    /// Prints a manual page, or writes those of all commands
    Man(completions::ManArgs),
}

/// How many threads are asked for; as many as the machine has, if nothing is said.
fn threads(jobs: Option<u16>) -> usize {
    jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// for reading
    #[default]
    Full,
    /// one line a finding
    Concise,
    /// for programs
    Json,
}

/// How to print what stands at places of files, which other programs show there.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum PlacedFormat {
    /// for reading
    #[default]
    Full,
    /// one line each: a finding, a clause, or what is missing
    Concise,
    /// for programs
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// annotations of GitHub Actions
    Github,
}

/// How a command ended.
enum End {
    /// Nothing was found wrong.
    Clean,
    /// Findings, or failed cases.
    Findings,
    /// A wrong call, or a file that cannot be read or written.
    Trouble,
}

/// Runs the command that the process was called with.
#[must_use]
pub fn main() -> ExitCode {
    if let Some(code) = limited::watched() {
        return code;
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are data; anything else is a wrong call, and tells what was typed. A
            // closed pipe is nobody's fault.
            if error.use_stderr() {
                message(&error.render().to_string());
                return ExitCode::from(2);
            }
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
    };
    let _ = COLOUR.set(cli.color);
    if let Some(what) = long(&cli.command) {
        progress::begin(what, cli.quiet);
    }
    let end = run(&cli.command);
    progress::end();
    ExitCode::from(match end {
        End::Clean => 0,
        End::Findings => 1,
        End::Trouble => 2,
    })
}

/// What a command does that may take a while; nothing for one that answers at once, or that talks
/// with somebody.
fn long(command: &Command) -> Option<&'static str> {
    Some(match command {
        Command::Check(_) => "checking",
        Command::Batch(_) => "reading",
        Command::Bench(_) => "measuring",
        Command::WhyNot(_) | Command::Threat(_) | Command::Reach(_) => "searching",
        Command::Odds(_) => "working out chances",
        Command::Test(args) if !args.watches() => "reading",
        Command::Coverage(_) | Command::Lint(_) => "running cases",
        Command::Mutate(_) | Command::Sweep(_) => "reading",
        Command::Play(_) | Command::Fuzz(_) => "playing",
        Command::Impact(_) | Command::Differ(_) => "comparing",
        _ => return None,
    })
}

fn run(command: &Command) -> End {
    match command {
        Command::Check(args) => check::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Batch(args) => batch::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Explain(args) => explain::run(args),
        Command::WhyNot(args) => why_not::run(args),
        Command::Threat(args) => threat::run(args),
        Command::Reach(args) => reach::run(args),
        Command::Odds(args) => odds::run(args),
        Command::Ask(args) => ask::run(args),
        Command::Calendar(args) => calendar::run(args),
        Command::Doc(args) => doc::run(args),
        Command::Map(args) => map::run(args),
        Command::Run(args) => run::run(args),
        Command::Play(args) => play::run(args),
        Command::Fuzz(args) => fuzz::run(args),
        Command::Test(args) => test::run(args),
        Command::Coverage(args) => coverage::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Mutate(args) => mutate::run(args),
        Command::Sweep(args) => sweep::run(args),
        Command::Resolve(args) => resolve::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Impact(args) => impact::run(args),
        Command::Differ(args) => differ::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::New(args) => new::run(args),
        Command::Migrate(args) => migrate::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Import(args) => import::run(args),
        Command::Sheet(args) => sheet::run(args),
        Command::Ir(args) => ir::run(args),
        Command::Lsp(args) => lsp::run(args),
        Command::ExplainCode(args) => explain_code::run(args),
        Command::Completions(args) => completions::completions(args),
        Command::Man(args) => completions::man(args),
    }
}

/// Data, on standard output. A reader that has gone away ends the command quietly; any other
/// failure is trouble.
fn print(text: &str) -> Result<(), End> {
    // On one screen what is printed is progress enough.
    if std::io::stdout().is_terminal() {
        progress::end();
    }
    let mut out = std::io::stdout().lock();
    let room = crate::output::has_room(&out, text.len());
    match room.and_then(|()| out.write_all(text.as_bytes())).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(End::Clean),
        Err(error) => {
            message(&format!("error: standard output cannot be written: {error}\n"));
            Err(End::Trouble)
        }
    }
}

/// Prints data and ends as said, unless printing itself fails.
fn print_and(text: &str, end: End) -> End {
    match print(text) {
        Ok(()) => end,
        Err(other) => other,
    }
}

/// Prints a report, or ends as making it has ended.
fn printed(report: Result<String, End>) -> End {
    match report {
        Ok(text) => print_and(&text, End::Clean),
        Err(end) => end,
    }
}

/// Writes what a command has made, whole; an older file stays as it is until the new one is there.
/// A file of a ruleset is not written over.
fn save(path: &std::path::Path, text: &str) -> Result<(), End> {
    refuse_rules(path)?;
    crate::output::save(path, text.as_bytes()).map_err(unwritten)
}

/// Refuses a place where only rules may stand.
fn refuse_rules(path: &std::path::Path) -> Result<(), End> {
    if !crate::output::is_of_a_ruleset(path) {
        return Ok(());
    }
    let fault = Diagnostic::bare(code::E0012, format!("`{}` is a place for rules", path.display()))
        .help("nothing was written; choose a name that does not end in `.sut`, outside the folder `hooks`");
    Err(unwritten(fault))
}

/// Refuses a file whose ending promises another form than what is written into it. A place for
/// rules is refused by [`save`], whatever it is called.
fn ends_in(path: &std::path::Path, endings: &[&str]) -> Result<(), End> {
    let Some(ending) = path.extension() else { return Ok(()) };
    let for_rules = crate::output::is_of_a_ruleset(path);
    if for_rules || endings.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
        return Ok(());
    }
    let known: Vec<String> = endings.iter().map(|known| format!("`.{known}`")).collect();
    message(&format!(
        "error: what is written is no `.{}`\n  help: nothing was written; end `{}` in {}\n",
        ending.display(),
        path.display(),
        known.join(" or ")
    ));
    Err(End::Trouble)
}

fn unwritten(fault: Diagnostic) -> End {
    told(&diag::render(
        &[fault],
        &crate::source::SourceMap::new(),
        diag::Format::Full,
        stderr_style(),
    ));
    End::Trouble
}

/// A message, on standard error. Names that were typed or found on the disk stand in it, and may
/// hold anything.
fn message(text: &str) {
    let clean: Vec<String> = text.split('\n').map(diag::clean::line).collect();
    told(&clean.join("\n"));
}

/// Says why a command cannot go on.
fn trouble(why: impl std::fmt::Display) -> End {
    message(&format!("{why}\n"));
    End::Trouble
}

/// Diagnostics, on standard error; if that is closed there is nobody left to tell.
fn told(text: &str) {
    let mut stream = std::io::stderr();
    if crate::output::has_room(&stream, text.len()).is_ok() {
        let _ = progress::aside(|| stream.write_all(text.as_bytes()));
    }
}

/// A value as JSON with a final newline.
fn json(value: &impl serde::Serialize) -> String {
    diag::clean::json(&serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}

/// How to draw on a stream: colours as asked, or on a terminal alone, and not where NO_COLOR asks
/// for none.
fn style(terminal: bool) -> Style {
    let plain = || std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let colour = match COLOUR.get().copied().unwrap_or_default() {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => terminal && !plain(),
    };
    Style { colour, unicode: terminal, ..Style::PLAIN }
}

fn stderr_style() -> Style {
    style(std::io::stderr().is_terminal())
}

fn stdout_style() -> Style {
    style(std::io::stdout().is_terminal())
}
