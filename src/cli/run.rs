//! `sutler run`: turns played, and a log of all that happened.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::open::{PositionArgs, open_one, position};
use super::page::page;
use super::replay::Replayed;
use super::{End, message, print, stderr_style, step, told};
use crate::diag::{self, Diagnostic, Severity, code};
use crate::engine::{Dice, Order, Orders, RunFault, Watch, What, is_over, play};
use crate::ir::{LineId, Moment, Ruleset};
use crate::log;
use crate::project::Project;
use crate::report::{run_fault_diagnostic, thing_name};
use crate::source::{MAX_BYTES, Span};
use crate::world::World;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// How many turns to play
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(log::MOST_TURNS)))]
    turns: u32,
    /// What players order: one order a line, as JSON
    #[arg(long, value_name = "FILE")]
    orders: Option<PathBuf>,
    /// Takes the first lawful way where something must be done and no order says which
    #[arg(long)]
    first_way: bool,
    /// Rolls the dice from this seed
    #[arg(long, conflicts_with = "dice")]
    seed: Option<u64>,
    /// What the dice show: numbers in the order of the rolls
    #[arg(long, value_name = "FILE")]
    dice: Option<PathBuf>,
    /// Runs a log again and says whether it comes out the same
    #[arg(long, value_name = "LOG", conflicts_with_all = ["setup", "position", "rulings", "given", "turns", "orders", "first_way", "seed", "dice"])]
    replay: Option<PathBuf>,
    /// Goes event by event: what each rule says, what it read, and what came of it; at a terminal
    /// it waits for Enter
    #[arg(long, conflicts_with = "differences")]
    step: bool,
    /// With `--replay`: plays on after the first difference, and lists all of them in place of the
    /// log
    #[arg(long, requires = "replay")]
    differences: bool,
    /// Writes the position at the end; an older file stays as it is until the new one is whole
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How to print a log.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Format {
    /// for reading
    #[default]
    Text,
    /// one JSON object a line; it can be replayed
    Jsonl,
}

/// What one run is made of.
pub(super) struct Run {
    pub world: World,
    pub begin: log::Begin,
    pub dice: Dice,
    /// The orders of each turn, with their place if they were read from a file.
    pub orders: Vec<(u32, Order, Option<Span>)>,
}

pub(super) fn run(args: &Args) -> End {
    match try_run(args) {
        Ok(()) => End::Clean,
        Err(end) => end,
    }
}

fn try_run(args: &Args) -> Result<(), End> {
    let (mut project, rules) = open_one(&args.ruleset)?;
    let (mut run, log) = match &args.replay {
        Some(path) => {
            let (run, log) = Replayed::open(path, &mut project, &rules, args.differences)?;
            (run, Some(log))
        }
        None => (from_args(args, &mut project, &rules)?, None),
    };
    unplayed(&project, &run, run.begin.turns)?;
    let steps = args.step.then(Vec::new);
    let mut out = Out { format: args.format, text: log::Text::default(), log, steps };
    let played = all_turns(&rules, &project, &mut run, &mut out);
    if played.is_ok() {
        out.walk()?;
    }
    match &out.log {
        Some(log) => log.finish(args.format, played)?,
        None => {
            played?;
            left_over(&project, &run);
        }
    }
    match &args.save {
        Some(path) => super::save(path, &crate::world::json::write(&rules, &run.world)),
        None => Ok(()),
    }
}

fn all_turns(rules: &Ruleset, project: &Project, run: &mut Run, out: &mut Out) -> Result<(), End> {
    if is_over(rules, &run.world) {
        fail(project, &run_fault_diagnostic(rules, RunFault::GameOver));
        return Err(End::Findings);
    }
    out.object(&log::begin(
        rules,
        &run.world,
        run.begin.turns,
        run.begin.seed,
        run.begin.first_way,
    ))?;
    let mut played = 0;
    while played < run.begin.turns {
        if is_over(rules, &run.world) {
            message(&format!("the game is over after {played} of {} turns\n", run.begin.turns));
            break;
        }
        played += 1;
        turn_of(rules, project, run, played, out)?;
    }
    unplayed(project, run, played)?;
    out.object(&log::end(rules, &run.world, played))
}

/// Orders of turns that a run of so many turns does not have.
fn unplayed(project: &Project, run: &Run, turns: u32) -> Result<(), End> {
    let late = run.orders.iter().filter(|(turn, ..)| *turn > turns);
    let fault = |(turn, _, span): &(u32, Order, Option<Span>)| {
        let text = format!("turn {turn} is not played: the run ends with turn {turns}");
        let help = match *turn > run.begin.turns {
            true => format!("play it with `--turns {turn}`, or take the order out"),
            false => "the game is over before it: take the order out".to_owned(),
        };
        Some(Diagnostic::error(code::E1022, (*span)?, text).help(help))
    };
    let faults: Vec<Diagnostic> = late.filter_map(fault).collect();
    if faults.is_empty() {
        return Ok(());
    }
    told(&diag::render(&faults, &project.sources, diag::Format::Full, stderr_style()));
    Err(End::Findings)
}

/// Dice of a list that nothing rolled.
fn left_over(project: &Project, run: &Run) {
    let left = run.dice.left();
    if let Some(first) = left.first() {
        let dice = if left.len() == 1 { "die" } else { "dice" };
        let text =
            format!("{} {dice} of the list were not rolled; the first shows {first}", left.len());
        let fault = Diagnostic::bare(code::W1026, text).with_severity(Severity::Warning);
        fail(project, &fault.help("look in the log for the roll that is missing"));
    }
}

/// Plays a turn and prints what happened, even where it could not be played to its end.
fn turn_of(
    rules: &Ruleset,
    project: &Project,
    run: &mut Run,
    turn: u32,
    out: &mut Out,
) -> Result<(), End> {
    let date = log::date(rules, &run.world);
    let mut orders = if run.begin.first_way { Orders::first_way() } else { Orders::none() };
    let given: Vec<(Order, Option<Span>)> =
        run.orders.iter().filter(|(t, ..)| *t == turn).map(|(_, o, span)| (*o, *span)).collect();
    given.iter().for_each(|(order, _)| orders.give(*order));
    let mut steps = log::Steps::default();
    let mut events: Vec<(Moment, crate::engine::Event)> = Vec::new();
    let watch: &mut dyn Watch = if out.steps.is_some() { &mut steps } else { &mut events };
    let played = play(rules, &mut run.world, &mut run.dice, &mut orders, watch);
    let mut shown = Vec::new();
    if out.steps.is_some() {
        events = steps.events();
        shown = steps.told(rules, &project.sources, turn);
    }
    let mut shown = shown.into_iter();
    for (moment, event) in &events {
        let line = log::line(rules, &run.world, turn, *moment, event);
        out.line(&log::Line { date: date.clone(), ..line }, shown.next())?;
    }
    let idle = events.is_empty().then(|| log::heading(turn, date.as_deref()));
    out.turn_over(idle)?;
    let faults: Vec<Diagnostic> = match played {
        Err(fault) => {
            let fault = run_fault_diagnostic(rules, fault);
            let help = "let them fall with `--seed 7`, or list what they show, one number a die, with `--dice`";
            vec![if fault.code == code::E1023 { fault.help(help) } else { fault }]
        }
        Ok(false) => open(rules, &run.world, &events),
        Ok(true) => orders
            .waiting()
            .iter()
            .map(|order| untaken((rules, project), &run.world, order, &given, turn))
            .collect(),
    };
    if faults.is_empty() {
        return Ok(());
    }
    out.walk()?;
    told(&diag::render(&faults, &project.sources, diag::Format::Full, stderr_style()));
    Err(End::Findings)
}

/// What nobody has decided: one fault for each line of the rules that demands something.
fn open(
    rules: &Ruleset,
    world: &World,
    events: &[(Moment, crate::engine::Event)],
) -> Vec<Diagnostic> {
    let mut demands: Vec<(LineId, Vec<String>)> = Vec::new();
    for (_, event) in events.iter().filter(|(_, event)| matches!(event.what, What::Open(_))) {
        let name = format!("`{}`", thing_name(rules, world, event.thing));
        match demands.iter_mut().find(|(line, _)| *line == event.line) {
            Some((_, names)) => names.push(name),
            None => demands.push((event.line, vec![name])),
        }
    }
    let help = "the log lists all ways: name a file with `--orders`, or let the program take the first ones with `--first-way`";
    let fault = |(line, names): (LineId, Vec<String>)| {
        let text = format!("no order says what {} must do", names.join(", "));
        match rules.lines.get(line.index()).map(|l| l.span) {
            Some(span) => Diagnostic::error(code::E1020, span, text).at("demanded here").help(help),
            None => Diagnostic::bare(code::E1020, text).help(help),
        }
    };
    demands.into_iter().map(fault).collect()
}

fn untaken(
    (rules, project): (&Ruleset, &Project),
    world: &World,
    order: &Order,
    given: &[(Order, Option<Span>)],
    turn: u32,
) -> Diagnostic {
    let span = given.iter().find(|(o, _)| o == order).and_then(|(_, span)| *span);
    let text = format!(
        "nothing in turn {turn} offered this to `{}`",
        thing_name(rules, world, order.thing)
    );
    let help = offered_by(rules, project, order);
    match span {
        Some(span) => Diagnostic::error(code::E1022, span, text).help(help),
        None => Diagnostic::bare(code::E1022, text).help(help),
    }
}

/// Which lines of the rules offer what an order says, in their own words.
fn offered_by(rules: &Ruleset, project: &Project, order: &Order) -> String {
    let lines: Vec<String> = order
        .offered_by(rules)
        .into_iter()
        .filter_map(|line| rules.lines.get(line.index()))
        .map(|line| {
            let text = project.sources.slice(line.span);
            let words: Vec<&str> = text.split_whitespace().collect();
            let phase = line.name.trim_start_matches("phase ").split(',').next().unwrap_or("");
            format!("`{}` in phase `{phase}`", cut(&words.join(" ")))
        })
        .collect();
    if lines.is_empty() {
        let phase = order.phase.and_then(|phase| rules.phases.get(phase.index()));
        return match phase {
            Some(phase) => format!("phase `{}` offers no such thing to anything", phase.name),
            None => "no phase offers such a thing to anything".to_owned(),
        };
    }
    format!(
        "only {} could; it did not name this thing then, or this was not one of its ways",
        lines.join(" and ")
    )
}

fn from_args(args: &Args, project: &mut Project, rules: &Ruleset) -> Result<Run, End> {
    let world = position(&args.position, project, rules)?;
    if rules.clock.is_none() {
        message(
            "error: the ruleset has no clock, so that no turn can pass\n  help: declare one, such as `clock turn has movement of each side`\n",
        );
        return Err(End::Trouble);
    }
    let orders = match &args.orders {
        Some(path) => read_orders(path, project, rules, &world)?,
        None => Vec::new(),
    };
    let dice = match (args.seed, &args.dice) {
        (Some(seed), _) => Dice::seeded(seed),
        (None, Some(path)) => Dice::list(read_dice(path)?),
        (None, None) => Dice::default(),
    };
    let begin = log::begin(rules, &world, args.turns, args.seed, args.first_way);
    Ok(Run { world, begin, dice, orders })
}

fn read_orders(
    path: &Path,
    project: &mut Project,
    rules: &Ruleset,
    world: &World,
) -> Result<Vec<(u32, Order, Option<Span>)>, End> {
    let bytes = read_bytes(path)?;
    let id = project.sources.next_id();
    let (text, mut faults) = crate::source::screen(&bytes, id);
    project.sources.add(path.display().to_string(), text);
    let (orders, more) = log::orders(project.sources.text(id), id, rules, world);
    faults.extend(more);
    if faults.is_empty() {
        return Ok(orders
            .into_iter()
            .map(|(turn, order, span)| (turn, order, Some(span)))
            .collect());
    }
    told(&diag::render(&faults, &project.sources, diag::Format::Full, stderr_style()));
    Err(End::Findings)
}

/// Numbers with blanks, commas or line ends between them; what follows `#` is passed over.
fn read_dice(path: &Path) -> Result<Vec<u32>, End> {
    let bytes = read_bytes(path)?;
    if bytes.len() > MAX_BYTES {
        message(&format!("error: `{}` is no list of dice: it is too long\n", path.display()));
        return Err(End::Trouble);
    }
    let text = String::from_utf8_lossy(&bytes);
    let words = text
        .lines()
        .flat_map(|l| l.split('#').next().unwrap_or_default().split([' ', ',', '\t']))
        .filter(|w| !w.is_empty());
    let mut shown = Vec::new();
    for word in words {
        match word.parse() {
            Ok(number) => shown.push(number),
            Err(_) => {
                let word = cut(word);
                message(&format!(
                    "error: `{word}` in `{}` is no number that a die shows\n",
                    path.display()
                ));
                return Err(End::Trouble);
            }
        }
    }
    Ok(shown)
}

/// A text of no more signs than a message has room for.
pub(super) fn cut(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    shown
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, End> {
    crate::source::read(path, MAX_BYTES).map_err(|error| {
        message(&format!("error: `{}` cannot be read: {error}\n", path.display()));
        End::Trouble
    })
}

pub(super) fn fail(project: &Project, fault: &Diagnostic) {
    told(&diag::render(
        std::slice::from_ref(fault),
        &project.sources,
        diag::Format::Full,
        stderr_style(),
    ));
}

/// Where the lines of a log go, and the log that they must be the same as.
struct Out {
    format: Format,
    text: log::Text,
    log: Option<Replayed>,
    /// With `--step`: what has happened and is not shown yet, in place of the log.
    steps: Option<Vec<log::Told>>,
}

impl Out {
    /// Shows the steps so far, one after the other.
    fn walk(&mut self) -> Result<(), End> {
        let Some(steps) = &mut self.steps else { return Ok(()) };
        let steps = std::mem::take(steps);
        match self.format {
            Format::Jsonl => step::lines(&steps),
            Format::Text => {
                let texts: Vec<String> = steps.iter().map(|s| page(&log::step_text(s))).collect();
                step::show(&texts)
            }
        }
    }

    /// A line of the log, with its step where steps are shown in place of it.
    fn line(&mut self, line: &log::Line, step: Option<log::Told>) -> Result<(), End> {
        if let Some(steps) = &mut self.steps {
            steps.extend(step);
        }
        match self.compared(line)? {
            Some(json) if self.format == Format::Jsonl => print(&(json + "\n")),
            Some(_) => print(&self.text.line(line)),
            None => Ok(()),
        }
    }

    /// The first and the last line, which have no place in a log for reading.
    fn object(&mut self, value: &impl serde::Serialize) -> Result<(), End> {
        match self.compared(value)? {
            Some(json) if self.format == Format::Jsonl => print(&(json + "\n")),
            _ => Ok(()),
        }
    }

    /// What is left to write of a turn, or its heading where nothing happened in it; such a turn has
    /// no line in a log for programs.
    fn turn_over(&mut self, idle: Option<String>) -> Result<(), End> {
        match (self.format, idle) {
            _ if self.steps.is_some() => Ok(()),
            (Format::Jsonl, _) => Ok(()),
            _ if self.log.as_ref().is_some_and(Replayed::lists) => Ok(()),
            (Format::Text, Some(heading)) => print(&format!("{heading}  nothing happens\n")),
            (Format::Text, None) => print(&self.text.finish()),
        }
    }

    /// A line as JSON; nothing where steps or differences are shown in place of the log. The steps so
    /// far come before the fault of a line that differs.
    fn compared(&mut self, value: &impl serde::Serialize) -> Result<Option<String>, End> {
        let json = diag::clean::json(&serde_json::to_string(value).unwrap_or_default());
        if self.log.as_ref().is_some_and(|log| !log.is_next(&json)) {
            self.walk()?;
        }
        let line = match &mut self.log {
            Some(log) => log.next(json)?,
            None => Some(json),
        };
        Ok(line.filter(|_| self.steps.is_none()))
    }
}
