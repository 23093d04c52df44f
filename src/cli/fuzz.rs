//! `sutler fuzz`: play at random until something holds that must never hold.

use crate::diag::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;

use super::open::{PositionArgs, open_one, position, readings_of};
use super::page::page;
use super::trial::{failed_alone, head, tried};
use super::{End, message, print, progress};
use crate::engine::Ground;
use crate::fuzz::{After, Broken, Hunt, Start, Wrong, case_text};
use crate::ir::Ruleset;
use crate::log;
use crate::play::{MOST_GAMES, pump};
use crate::project::Project;

/// The schema of what `--format json` prints.
const FUZZ_SCHEMA: u32 = 1;
/// Games that a thread plays before it hands over.
const PARCEL: u64 = 4;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// A setup to begin with; each that has units in turn, if neither this nor `--position` is said
    #[arg(long, conflicts_with = "position")]
    setup: Option<String>,
    /// A position as JSON to begin with
    #[arg(long, value_name = "FILE")]
    position: Option<PathBuf>,
    /// Another reading of a ruling, or `on` or `off` for an option
    #[arg(long = "ruling", value_name = "NAME=READING")]
    rulings: Vec<String>,
    /// States a fact of each position at the start, as `given` does in a case
    #[arg(long = "given", value_name = "SENTENCE")]
    given: Vec<String>,
    /// How many games to play
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// How many turns a game has
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=i64::from(log::MOST_TURNS)))]
    turns: u32,
    /// The seed of the run; game `k` is game `k` of `sutler play` with this seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// When it is asked whether something holds that never must
    #[arg(long, value_enum, default_value_t)]
    after: Behind,
    /// Begins with the game of this number
    #[arg(long, value_name = "GAME", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    from: u64,
    /// Begins no further games when so many seconds have passed
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    time: Option<u32>,
    /// How many threads; as many as the machine has, if nothing is said
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// When it is asked.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Behind {
    /// behind every step
    #[default]
    Step,
    /// behind every phase, and not between its steps
    Phase,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// what was found, as the text of a suite
    #[default]
    Text,
    /// for programs
    Json,
}

/// What came of a run, for programs.
#[derive(serde::Serialize)]
struct Report {
    schema: u32,
    ruleset: String,
    hash: String,
    seed: u64,
    /// How many games were played.
    games: u64,
    found: Vec<Found>,
}

/// Something that was wrong.
#[derive(serde::Serialize)]
struct Found {
    /// What must never hold; none for a fault.
    define: Option<String>,
    /// The code of a fault.
    code: Option<String>,
    /// What the author says of it.
    title: Option<String>,
    setup: Option<String>,
    game: u64,
    turn: u32,
    thing: String,
    why: String,
    /// What prints the orders of the game.
    orders: String,
    /// A case that fails because of it, where a case can show it.
    case: Option<String>,
}

pub(super) fn run(args: &Args) -> End {
    match try_run(args) {
        Ok(end) | Err(end) => end,
    }
}

fn try_run(args: &Args) -> Result<End, End> {
    let (mut project, mut rules) = open_one(&args.ruleset)?;
    super::play::needs_a_clock(&rules)?;
    let starts = starts(args, &mut project, &mut rules)?;
    let after = match args.after {
        Behind::Step => After::Step,
        Behind::Phase => After::Phase,
    };
    let hunt = Hunt { rules: &rules, starts, seed: args.seed, turns: args.turns, after };
    let (games, broken) = hunted(args, &hunt)?;
    let ground = Ground::new(&rules);
    let found: Vec<Found> =
        broken.iter().map(|broken| found(args, &hunt, &ground, broken)).collect();
    let nevers = rules.defines.iter().filter(|define| define.never).count();
    message(&page(&summary(games, args.turns, nevers, &found)));
    let end = if found.is_empty() { End::Clean } else { End::Findings };
    print(&match args.format {
        Format::Text if found.is_empty() => String::new(),
        Format::Text => {
            std::iter::once(head()).chain(found.iter().map(text)).collect::<Vec<_>>().join("\n")
        }
        Format::Json => super::json(&Report {
            schema: FUZZ_SCHEMA,
            ruleset: rules.name.clone(),
            hash: rules.hash.clone(),
            seed: args.seed,
            games,
            found,
        }),
    })?;
    Ok(end)
}

/// The positions that games begin with: each setup that has units, if none is named.
fn starts(args: &Args, project: &mut Project, rules: &mut Ruleset) -> Result<Vec<Start>, End> {
    readings_of(&args.rulings, rules)?;
    let mut starts = Vec::new();
    let with_units = rules.setups.iter().filter(|setup| !setup.units.is_empty());
    let mut setups: Vec<Option<String>> = with_units.map(|s| Some(s.name.clone())).collect();
    if args.setup.is_some() || args.position.is_some() || setups.is_empty() {
        setups = vec![args.setup.clone()];
    }
    for setup in setups {
        let asked = PositionArgs {
            setup: setup.clone(),
            position: args.position.clone(),
            rulings: Vec::new(),
            given: args.given.clone(),
        };
        starts.push(Start { setup, world: position(&asked, project, rules)? });
    }
    Ok(starts)
}

/// How many games were played, and the first of each that is wrong, in the order of the rules.
fn hunted(args: &Args, hunt: &Hunt<'_>) -> Result<(u64, Vec<Broken>), End> {
    let jobs = super::threads(args.jobs);
    let until = args.time.map(|time| Instant::now() + Duration::from_secs(u64::from(time)));
    let (mut played, mut broken) = (0, BTreeMap::<Wrong, Broken>::new());
    progress::count("games", usize::try_from(args.games).ok());
    let make = || {
        let (ground, mut known) = (Ground::new(hunt.rules), BTreeSet::new());
        move |games: Range<u64>| {
            let mut found = Vec::new();
            for game in games.clone() {
                found.extend(hunt.play(&ground, game, &known));
                // A thread plays its games in order, so that what it met is not met earlier again.
                known.extend(found.iter().map(|b: &Broken| b.wrong.clone()));
            }
            (games.end - games.start, found)
        }
    };
    let games = args.from..args.from.saturating_add(args.games);
    let pumped = pump(games, (jobs, PARCEL), make, |(count, found)| {
        played += count;
        progress::more(count);
        for one in found {
            broken.entry(one.wrong.clone()).or_insert(one);
        }
        if until.is_some_and(|until| Instant::now() >= until) { Err(()) } else { Ok(()) }
    });
    if let Err(error) = pumped {
        message(&format!("error: no thread can be begun: {error}\n"));
        return Err(End::Trouble);
    }
    Ok((played, broken.into_values().collect()))
}

fn found(args: &Args, hunt: &Hunt<'_>, ground: &Ground<'_>, broken: &Broken) -> Found {
    let (rules, seed) = (hunt.rules, args.seed);
    let define = match &broken.wrong {
        Wrong::Never(define) => rules.defines.get(define.index()),
        Wrong::Fault(_) => None,
    };
    let code = match &broken.wrong {
        Wrong::Fault(code) => Some(code.clone()),
        Wrong::Never(_) => None,
    };
    let setup = hunt.start(broken.game).and_then(|start| start.setup.clone());
    let case = define.and_then(|define| {
        let title = format!("{}: game {} of seed {seed}", define.title, broken.game);
        // The small one where a case says it, else the one that it was made of.
        let samples = [hunt.shrunk(ground, broken), broken.sample.clone()];
        let texts = samples.into_iter().flatten();
        let texts = texts.filter_map(|sample| case_text(rules, &sample, &broken.wrong, &title));
        texts.into_iter().find(|text| fails(&args.ruleset, text, &title))
    });
    Found {
        define: define.map(|define| define.name.clone()),
        code,
        title: define
            .map(|d| d.title.clone())
            .filter(|title| define.is_some_and(|d| d.name != *title)),
        orders: orders_of(args, setup.as_deref(), broken.game),
        setup,
        game: broken.game,
        turn: broken.turn,
        thing: broken.thing.clone(),
        why: broken.why.split_whitespace().collect::<Vec<_>>().join(" "),
        case,
    }
}

/// Whether a case checks, and fails by its expectation alone.
fn fails(ruleset: &Path, text: &str, title: &str) -> bool {
    tried(ruleset, text, title).is_some_and(|outcome| failed_alone(&outcome))
}

/// The call that prints what was ordered in a game.
fn orders_of(args: &Args, setup: Option<&str>, game: u64) -> String {
    let quoted = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-=".contains(c);
        if text.chars().all(plain) {
            text.to_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    let mut call = format!("sutler play {}", quoted(&args.ruleset.display().to_string()));
    let position = args.position.as_ref().map(|path| path.display().to_string());
    let more = [("--setup", setup.map(str::to_owned)), ("--position", position)];
    let rulings = args.rulings.iter().map(|r| ("--ruling", Some(r.clone())));
    let given = args.given.iter().map(|g| ("--given", Some(g.clone())));
    for (name, value) in more.into_iter().chain(rulings).chain(given) {
        if let Some(value) = value {
            call.push_str(&format!(" {name} {}", quoted(&value)));
        }
    }
    format!("{call} --turns {} --seed {} --orders {game}", args.turns, args.seed)
}

fn summary(games: u64, turns: u32, nevers: usize, found: &[Found]) -> String {
    let sought = match nevers {
        0 => "no define says `never`, so that faults alone were looked for".to_owned(),
        1 => "1 define says `never`".to_owned(),
        many => format!("{} say `never`", counted(many, "define")),
    };
    let came = match found.len() {
        0 => "nothing was found".to_owned(),
        count => format!("{count} found"),
    };
    let (games, turns) = (counted(games, "game"), counted(turns, "turn"));
    format!("{games} of at most {turns}; {sought}; {came}\n")
}

/// Something that was found, as the text of a suite: what it is as remarks, and the case.
fn text(found: &Found) -> String {
    let of = if found.thing.is_empty() { String::new() } else { format!(" of {}", found.thing) };
    let place = format!("turn {} of game {}", found.turn, found.game);
    let mut out = match (&found.define, &found.code) {
        (Some(define), _) => {
            let title = found.title.as_ref().map_or_else(String::new, |t| format!("\"{t}\": "));
            format!("# {title}{define} holds{of} in {place}, for {}\n", found.why)
        }
        (None, code) => {
            format!(
                "# {place} ends by error[{}]: {}\n",
                code.as_deref().unwrap_or_default(),
                found.why
            )
        }
    };
    out.push_str(&format!("# {}\n", found.orders));
    match &found.case {
        Some(case) => out.push_str(case),
        None if found.define.is_some() => {
            out.push_str(
                "# No case of one phase or one turn shows it. Where it holds only between two steps of a phase,\n# `--after phase` passes it over; else play the game itself.\n",
            );
        }
        None => {}
    }
    out
}
