//! `sutler sweep`: the numbers of a ruleset varied, which of them matters most, and where answers
//! turn.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::open::{Whole, open_whole};
use super::page::page;
use super::play::Chosen;
use super::recorded::Recorded;
use super::swept::{asked_games, asked_positions};
use super::{End, message, print_and, progress, told, trouble};
use crate::arrow::{Plain, save_plain};
use crate::compare::Suspects;
use crate::diag::{self, Diagnostic};
use crate::draw;
use crate::facade::Faults;
use crate::log;
use crate::mutate::Given;
use crate::output::New;
use crate::source::SourceMap;
use crate::sweep::{
    Asked, Cells, Column, Design, Parameter, Report, Swept, Value, Vary, bearing, chart, columns,
    csv_rows, parameters, report_text,
};
use crate::syntax::ast::ItemKind;

/// The most games that are played by each variant.
const MOST_GAMES: u64 = 100_000;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    pub ruleset: PathBuf,
    /// Gives a number these values: `reach.led=1..6`, `reach.led=1,2,4`; of several numbers all
    /// combinations. Every number one step down and one up, if nothing is said
    #[arg(long, value_name = "NAME=VALUES")]
    vary: Vec<String>,
    /// Only numbers in files or of rules whose name holds this text
    #[arg(long, value_name = "TEXT", conflicts_with = "vary")]
    only: Option<String>,
    /// Tries so many of the variants, drawn by the seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// The seed of the sample and of the games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Asks recorded positions, one a line as JSON, or a row each of a table, a file that ends in
    /// `.parquet`; those of the cases at their expectations, if nothing is said
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    pub positions: Option<PathBuf>,
    /// A column of the table that is no part of a position, and names it; any number of them
    #[arg(long, value_name = "COLUMN", requires = "positions")]
    keep: Vec<String>,
    /// Counts the answers to this trace, table or test alone, any number of them; all traces and
    /// tests and the tables that no other rule reads, if nothing is said
    #[arg(long = "question", value_name = "NAME", conflicts_with = "games")]
    pub questions: Vec<String>,
    /// Plays so many games by each variant, with the same seeds, and compares these
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: Option<u64>,
    #[command(flatten)]
    pub play: PlayArgs,
    /// How many threads; as many as the machine has, if nothing is said
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Says which numbers there are, and tries none
    #[arg(long)]
    list: bool,
    /// Draws the numbers that matter most
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Also writes a row a variant as a table, for programs: a file that ends in `.parquet`
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    out: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How games are played.
#[derive(clap::Args)]
pub(super) struct PlayArgs {
    /// The setup that games begin with, or that says what a table does not say; the first one that
    /// has units, if nothing is said
    #[arg(long)]
    pub setup: Option<String>,
    /// How many turns a game has
    #[arg(long, default_value_t = 10, requires = "games", value_parser = clap::value_parser!(u32).range(1..=i64::from(log::MOST_TURNS)))]
    pub turns: u32,
    /// Who decides what the rules leave to players
    #[arg(long, value_enum, default_value_t, requires = "games")]
    pub policy: Chosen,
    /// Asks this of each game at its end, in the words of the rules; any number of questions
    #[arg(long = "ask", value_name = "QUESTION", requires = "games")]
    pub asked: Vec<String>,
    /// The kind of thing that is asked about and counted; the world, if nothing is said
    #[arg(long, value_name = "KIND", requires = "asked")]
    pub of: Option<String>,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// for reading
    #[default]
    Full,
    /// for programs
    Json,
    /// a row a variant, for sheets
    Csv,
}

pub(super) fn run(args: &Args) -> End {
    match try_run(args) {
        Ok(end) | Err(end) => end,
    }
}

/// A fault of the call.
pub(super) fn wrong(fault: &Diagnostic) -> End {
    let faults = std::slice::from_ref(fault);
    let style = super::stderr_style();
    told(&diag::render(faults, &SourceMap::new(), diag::Format::Full, style));
    End::Trouble
}

impl Args {
    /// Where recorded positions are read.
    pub(super) fn recorded<'a>(&'a self, path: &'a Path) -> Recorded<'a> {
        Recorded { path, setup: self.play.setup.as_deref(), keep: &self.keep }
    }
}

fn try_run(args: &Args) -> Result<End, End> {
    if args.play.setup.is_some() && args.games.is_none() && args.positions.is_none() {
        return Err(trouble("error: `--setup` is for games and for a table of positions"));
    }
    if let Some(path) = &args.chart {
        super::ends_in(path, &["svg"])?;
    }
    if let Some(path) = &args.out {
        super::ends_in(path, &["parquet"])?;
    }
    let vary: Vec<Vary> = args
        .vary
        .iter()
        .map(|text| Vary::read(text).map_err(|fault| wrong(&fault)))
        .collect::<Result<_, End>>()?;
    let mut whole = open_whole(&args.ruleset)?;
    // Cases are positions here, and nothing is expected of a variant.
    let is_rule = |kind: &ItemKind| !matches!(kind, ItemKind::Case(_) | ItemKind::Mistake(_));
    whole.resolved.items.retain(|item| is_rule(&item.item.kind));
    let sources = whole.project.sources.clone();
    let Whole { resolved, rules, .. } = &whole;
    let suspects = Suspects::new(&[], &[(resolved, &sources)]);
    let given = Given { resolved, rules, sources: &sources };
    let all = parameters(given, &suspects);
    if args.list {
        return listed(args, &all);
    }
    let (asked, end) = match args.games {
        Some(_) => (asked_games(args, given)?, End::Clean),
        None => asked_positions(args, rules)?,
    };
    let bearing = match &asked {
        Asked::Positions(corpus) => bearing(&all, corpus, &suspects),
        Asked::Games(_) => Vec::new(),
    };
    let bears = |p: &Parameter| {
        let of = all.iter().position(|q| q.name == p.name).and_then(|at| bearing.get(at));
        p.read && (args.games.is_some() || of.is_some_and(|of| of.contains(&true)))
    };
    let wanted = |p: &Parameter| bears(p) && named(args, p);
    let sample = args.sample.map(|count| (count, args.seed));
    let design = Design::of(&all, &vary, &wanted, sample).map_err(|fault| wrong(&fault))?;
    let jobs = super::threads(args.jobs);
    progress::count("variants", Some(design.variants.len()));
    let swept = Swept { given, path: &args.ruleset, all: &all, bearing: &bearing };
    let mut report = swept.run(&design, &asked, jobs, &mut || progress::more(1));
    if vary.is_empty() {
        let unread = all.iter().filter(|p| named(args, p) && !bears(p));
        report.unread = unread.map(|p| p.name.clone()).collect();
    }
    finish(args, &report)?;
    Ok(end)
}

/// Whether `--only` lets a number through.
fn named(args: &Args, p: &Parameter) -> bool {
    let holds = |text: &String| {
        p.name.contains(text.as_str())
            || p.owner.contains(text.as_str())
            || p.place.contains(text.as_str())
    };
    args.only.as_ref().is_none_or(holds)
}

fn listed(args: &Args, all: &[Parameter]) -> Result<End, End> {
    let shown: Vec<&Parameter> = all.iter().filter(|p| named(args, p)).collect();
    if args.format == Format::Json {
        return Ok(print_and(&super::json(&shown), End::Clean));
    }
    let width = |of: fn(&Parameter) -> String| {
        shown.iter().map(|p| of(p).chars().count()).max().unwrap_or_default()
    };
    let (name, is) = (width(|p| p.name.clone()), width(|p| p.is.to_string()));
    let line = |p: &&Parameter| {
        let clauses = match p.clauses.is_empty() {
            true => String::new(),
            false => format!(" [{}]", p.clauses.join(", ")),
        };
        let value = p.is.to_string();
        format!("{:name$}  {value:>is$}  {}{clauses}  {}\n", p.name, p.owner, p.place)
    };
    Ok(print_and(&shown.iter().map(line).collect::<String>(), End::Clean))
}

fn finish(args: &Args, report: &Report) -> Result<(), End> {
    if let Some(path) = &args.chart {
        super::save(path, &draw::chart(&chart(report)))?;
    }
    if let Some(path) = &args.out {
        save_columns(path, report)?;
    }
    if report.variants.is_empty() {
        message("note: there is no number to vary\n  help: `--list` says which there are\n");
    }
    let text = match args.format {
        Format::Full => page(&report_text(report)),
        Format::Json => super::json(report),
        Format::Csv => csv(report),
    };
    super::print(&text)
}

fn save_columns(path: &Path, report: &Report) -> Result<(), End> {
    let plain = |column: Column| {
        let cells = match column.cells {
            Cells::Words(cells) => Plain::Words(cells),
            Cells::Numbers(cells) => {
                Plain::Real(cells.iter().map(|cell| cell.map(Value::nearest)).collect())
            }
            Cells::Counts(cells) => {
                let whole = |cell: &Option<u64>| cell.and_then(|count| i64::try_from(count).ok());
                Plain::Whole(cells.iter().map(whole).collect())
            }
        };
        (column.head, cells)
    };
    let plain = columns(report).into_iter().map(plain).collect();
    let new = New::at(path).map_err(|fault| trouble(Faults::bare(fault)))?;
    let new = save_plain(new, plain, report.variants.len()).map_err(trouble)?;
    new.finish().map_err(|fault| trouble(Faults::bare(fault)))
}

fn csv(report: &Report) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in csv_rows(report) {
        // Memory takes whatever is written.
        let _ = writer.write_record(row.iter().map(|cell| diag::clean::line(cell)));
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
