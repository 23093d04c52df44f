//! `sutler play`: many games side by side, and what they come to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use super::open::{PositionArgs, open_one, position, side_called};
use super::page::page;
use super::played::Out;
use super::playing::Run;
use super::{End, print, trouble};
use crate::diag;
use crate::ir::Ruleset;
use crate::log;
use crate::play::{
    Asked, Book, MOST_GAMES, Plan, Player, Policy, Record, Written, game_seed, summary_text,
    written,
};
use crate::project::Project;
use crate::world::World;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// How many games to play
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// How many turns a game has
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(log::MOST_TURNS)))]
    turns: u32,
    /// Who decides what the rules leave to players: `random`, which takes or leaves each offer and
    /// takes each way with equal chance; `first`, which does as `sutler run --first-way`; or the
    /// file of a policy
    #[arg(long, value_name = "random|first|FILE", default_value = "random")]
    policy: String,
    /// The seed of the run; each game has one of its own, made of it and of its number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plays the same games by other rules too: a folder, or the file of a variant
    #[arg(long, value_name = "RULESET")]
    against: Option<PathBuf>,
    /// Asks this of each game at its end, in the words of the rules; any number of questions
    #[arg(long = "ask", value_name = "QUESTION")]
    asked: Vec<String>,
    /// The kind of thing that is asked about and counted: one for all questions, or one for each;
    /// the world, if nothing is said
    #[arg(long, value_name = "KIND", requires = "asked")]
    of: Vec<String>,
    /// The side that asks how things stand to it
    #[arg(long, requires = "asked")]
    side: Option<String>,
    /// How many threads; as many as the machine has, if nothing is said
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Begins with the game of this number
    #[arg(long, value_name = "GAME", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    from: u64,
    /// Writes the games, a line each; until all are played they stand in the same file with `.part`
    /// behind its name
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Goes on with the games of the file of `--out`, where a run stopped or played fewer
    #[arg(long, requires = "out")]
    resume: bool,
    /// Prints what was ordered in one game, as `sutler run --orders` reads it, and plays no other
    #[arg(long, value_name = "GAME", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES), conflicts_with_all = ["out", "against", "asked"])]
    orders: Option<u64>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Who decides.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Chosen {
    /// each offer is taken or left with equal chance, each way with equal chance
    #[default]
    Random,
    /// as `sutler run --first-way`: nothing is done that need not be, and else the first way
    First,
}

impl Chosen {
    pub(super) fn policy(self) -> Policy {
        match self {
            Chosen::Random => Policy::Random,
            Chosen::First => Policy::First,
        }
    }
}

/// How to print what games come to.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// the summary, for reading
    #[default]
    Text,
    /// each game as a line of JSON, and the summary as the last one
    Jsonl,
    /// the summary, for programs
    Json,
}

pub(super) fn run(args: &Args) -> End {
    match try_run(args) {
        Ok(end) | Err(end) => end,
    }
}

fn try_run(args: &Args) -> Result<End, End> {
    let plan = plan(args)?;
    let player = Player::new(&plan).map_err(trouble)?;
    if let Some(game) = args.orders {
        return orders(&plan, &player, game).map(|()| End::Clean);
    }
    player.try_questions().map_err(trouble)?;
    drop(player);
    let games = args.from..args.from.saturating_add(args.games);
    let mut run = Run::new(&plan, games, args.format == Format::Jsonl);
    let (mut out, mut next) = (None, args.from);
    if let Some(path) = &args.out {
        let header = run.header();
        let known = |records: &[Record]| {
            run.known(next, records)?;
            next += 1;
            Ok(())
        };
        out = Some(Out::open(path, &header, args.resume, known)?);
    }
    run.rest(next, super::threads(args.jobs), out.as_mut())?;
    out.map_or(Ok(()), Out::finish)?;
    let summary = run.summary();
    print(&match args.format {
        Format::Text => page(&summary_text(&summary)),
        Format::Json => super::json(&summary),
        Format::Jsonl => {
            let line = serde_json::to_string(&summary).unwrap_or_default();
            crate::diag::clean::json(&line) + "\n"
        }
    })?;
    Ok(run.end())
}

fn plan(args: &Args) -> Result<Plan, End> {
    let mut policy = match args.policy.as_str() {
        "random" => Policy::Random,
        "first" => Policy::First,
        _ => Policy::Written(String::new()),
    };
    let mut books = vec![book(args, &args.ruleset, &mut policy)?];
    if let Some(against) = &args.against {
        books.push(book(args, against, &mut policy)?);
    }
    let of: Vec<Option<String>> = match args.of.as_slice() {
        [] => vec![None; args.asked.len()],
        [one] => vec![Some(one.clone()); args.asked.len()],
        each if each.len() == args.asked.len() => each.iter().cloned().map(Some).collect(),
        each => {
            return Err(trouble(format!(
                "error: there are {} questions and {} kinds\n  help: write `--of` once for all questions, or once for each",
                args.asked.len(),
                each.len()
            )));
        }
    };
    let asked = args.asked.iter().cloned().zip(of);
    Ok(Plan {
        books,
        policy,
        seed: args.seed,
        turns: args.turns,
        asked: asked.map(|(question, of)| Asked { question, of }).collect(),
        side: args.side.clone(),
    })
}

/// Rules without a clock cannot be played.
pub(super) fn needs_a_clock(rules: &Ruleset) -> Result<(), End> {
    if rules.clock.is_some() {
        return Ok(());
    }
    Err(trouble(
        "error: the ruleset has no clock, so that no turn can pass\n  help: declare one, such as `clock turn has movement of each side`",
    ))
}

/// Rules with the position from which they are played.
fn book(args: &Args, ruleset: &Path, policy: &mut Policy) -> Result<Book, End> {
    let (mut project, mut rules) = open_one(ruleset)?;
    let start = position(&args.position, &mut project, &rules)?;
    needs_a_clock(&rules)?;
    if let Some(side) = &args.side {
        side_called(side, &rules)?;
    }
    let mut leaning = None;
    if let Policy::Written(name) = policy {
        let found = policy_of(Path::new(&args.policy), &mut project, (&rules, &start))?;
        *name = found.name;
        rules = found.rules;
        leaning = Some(Arc::new(found.leaning));
    }
    Ok(Book { game: super::ask::game_of(&mut project, rules), start, leaning })
}

/// The policy of a file; its faults are told on standard error.
fn policy_of(
    path: &Path,
    project: &mut Project,
    (rules, start): (&Ruleset, &World),
) -> Result<Written, End> {
    let bytes = crate::source::read(path, crate::source::MAX_BYTES).map_err(|error| {
        trouble(format!(
            "error: the policy `{}` cannot be read: {error}\n  \
             help: write `random`, `first`, or the name of a file",
            path.display()
        ))
    })?;
    let mut sources = std::mem::take(&mut project.sources);
    let name = path.display().to_string();
    let resolved = project.rulesets.first().map(crate::project::Loaded::resolved);
    let none = crate::check::Resolved::default();
    let of = (resolved.unwrap_or(&none), &mut sources);
    let found = written((&bytes, &name), of, rules, start);
    project.sources = sources;
    found.map_err(|faults| {
        let style = super::stderr_style();
        super::told(&diag::render(&faults, &project.sources, diag::Format::Full, style));
        End::Trouble
    })
}

/// Prints the orders of one game, with the call that plays it.
fn orders(plan: &Plan, player: &Player<'_>, game: u64) -> Result<(), End> {
    let Some(book) = plan.books.first() else { return Ok(()) };
    let rules = book.game.rules();
    let first = if matches!(plan.policy, Policy::First) { " --first-way" } else { "" };
    let seed = game_seed(plan.seed, game);
    print(&format!("# sutler run --turns {} --seed {seed}{first} --orders\n", plan.turns))?;
    for (turn, order) in player.orders(game) {
        let order = log::Given::order_of(rules, &book.start, order);
        let given = log::Given { turn: Some(turn), ..order };
        let line = serde_json::to_string(&given).unwrap_or_default();
        print(&(crate::diag::clean::json(&line) + "\n"))?;
    }
    Ok(())
}
