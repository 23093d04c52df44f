//! `sutler impact`: what a change of the rules does to the answers of positions and cases.

use std::path::{Path, PathBuf};

use super::open::{asked, read_position, wrong_name};
use super::page::page;
use super::pair::{Pair, PairArgs, reading_changes, word};
use super::recorded::Recorded;
use super::{End, Format, json, message, print_and};
use crate::compare::{
    self, Asked, Both, CaseFlips, Comparing, Flip, Impact, ReadingImpact, Suspects,
};
use crate::draw;
use crate::ir::{KindId, Ruleset, SetupId, SideId};
use crate::project;
use crate::world::json::Positions;
use crate::world::start;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pair: PairArgs,
    /// Asks this setup alone; all that both rulesets have, if nothing is said. Of a table of
    /// positions it says what the table does not say
    #[arg(long)]
    setup: Option<String>,
    /// Asks recorded positions instead, one a line as JSON, or a row each of a table, a file that
    /// ends in `.parquet`
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// A column of the table that is no part of a position, and names it; any number of them
    #[arg(long, value_name = "COLUMN", requires = "positions")]
    keep: Vec<String>,
    /// Runs the cases of the first ruleset under both
    #[arg(long)]
    cases: bool,
    /// Tries every other reading of every ruling and option of the ruleset
    #[arg(long, conflicts_with_all = ["b", "rulings", "against", "svg"])]
    all_rulings: bool,
    /// Draws the first position in which an answer of a trace flips, each flipped unit marked
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    let done = if args.all_rulings { all_readings(args) } else { one(args) };
    match done {
        Ok((text, same)) => print_and(&text, if same { End::Clean } else { End::Findings }),
        Err(end) => end,
    }
}

impl Args {
    /// Where recorded positions are read.
    fn recorded(&self) -> Option<Recorded<'_>> {
        let path = self.positions.as_deref()?;
        Some(Recorded { path, setup: self.setup.as_deref(), keep: &self.keep })
    }
}

/// What was asked.
struct Whole {
    positions: Vec<Asked>,
    flips: Vec<Flip>,
    /// Whether each position could be read.
    all: bool,
}

fn one(args: &Args) -> Result<(String, bool), End> {
    args.pair.differ()?;
    if let Some(path) = &args.svg {
        super::ends_in(path, &["svg"])?;
    }
    let pair = Pair::open(&args.pair, args.cases)?;
    let suspects = pair.suspects();
    pair.say_unasked(&suspects);
    let Whole { positions, flips, all } = pair.ask(args, &suspects)?;
    let cases = if args.cases { Some(pair.cases()) } else { None };
    let impact = Impact {
        schema: 1,
        a: pair.compared.0.clone(),
        b: pair.compared.1.clone(),
        positions,
        flips,
        cases,
    };
    if let Some(path) = &args.svg {
        pair.draw(args, &impact, path)?;
    }
    let same = all
        && impact.flips.is_empty()
        && impact.cases.as_ref().is_none_or(|c| c.flips.is_empty() && c.refused.is_empty());
    Ok((
        if args.format == Format::Json {
            json(&impact)
        } else {
            page(&compare::impact_text(&impact))
        },
        same,
    ))
}

impl Pair {
    fn ask(&self, args: &Args, suspects: &Suspects<'_>) -> Result<Whole, End> {
        let (mut positions, mut flips) = (Vec::new(), Vec::new());
        let (a, b) = (&self.rules.0, &self.rules.1);
        let mut comparing = Comparing::new(a, b, suspects);
        let mut ask = |both: &[Both]| {
            for (asked, found) in comparing.flips(both).into_iter().flatten() {
                positions.push(asked);
                flips.extend(found);
            }
        };
        if let Some(recorded) = args.recorded() {
            let all = each_position(recorded, a, b, ask)?;
            return Ok(Whole { positions, flips, all });
        }
        for (first, second) in self.setups(args.setup.as_deref())? {
            let name = format!("setup {}", a.setups.get(first.index()).map_or("", |s| &s.name));
            ask(&[(name, start(a, first), start(b, second))]);
        }
        Ok(Whole { positions, flips, all: true })
    }

    /// The setups that both have, on a map that both have.
    fn setups(&self, wanted: Option<&str>) -> Result<Vec<(SetupId, SetupId)>, End> {
        let (a, b) = (&self.rules.0, &self.rules.1);
        let found: Vec<(SetupId, SetupId)> = (0..a.setups.len())
            .filter_map(|first| {
                let name = &a.setups.get(first)?.name;
                let second = b.setups.iter().position(|s| s.name == *name)?;
                wanted.is_none_or(|w| w == name).then(|| (SetupId::at(first), SetupId::at(second)))
            })
            .collect();
        if found.is_empty() {
            let known: Vec<&str> = a
                .setups
                .iter()
                .filter(|s| b.setups.iter().any(|t| t.name == s.name))
                .map(|s| s.name.as_str())
                .collect();
            match wanted {
                Some(name) => wrong_name("setup of both rulesets", name, &known),
                None => message(
                    "error: the two rulesets have no setup in common\n  help: name recorded positions with `--positions FILE`\n",
                ),
            }
            return Err(End::Trouble);
        }
        Ok(found)
    }

    fn cases(&self) -> CaseFlips {
        let sources = &self.whole.project.sources;
        let Some(second) = &self.second else {
            return compare::case_flips(&self.rules.0, &self.rules.1, sources);
        };
        let mut both = compare::with_cases_of(&self.whole.resolved, second);
        let mut refused = Vec::new();
        let mut compiled = project::compile(&both, sources);
        if compiled.0.is_none() {
            refused = compare::without_faulty(&mut both, &compiled.1);
            compiled = project::compile(&both, sources);
        }
        let mut found = match compiled.0 {
            Some(mut rules) => {
                copy_readings(&self.rules.1, &mut rules);
                compare::case_flips(&self.rules.0, &rules, sources)
            }
            None => CaseFlips::default(),
        };
        found.refused = refused;
        found
    }

    fn draw(&self, args: &Args, impact: &Impact, path: &Path) -> Result<(), End> {
        let flip = impact.flips.iter().find(|f| f.question.starts_with("trace "));
        let (Some(flip), None) = (flip, &args.positions) else {
            message("note: no answer of a trace flips in a setup, so nothing is drawn\n");
            return Ok(());
        };
        let b = &self.rules.1;
        let here = |f: &&Flip| f.position == flip.position && f.question == flip.question;
        let setup = b
            .setups
            .iter()
            .position(|s| flip.position.strip_prefix("setup ") == Some(s.name.as_str()));
        let trace = b
            .traces
            .iter()
            .position(|t| flip.question.strip_prefix("trace ") == Some(t.name.as_str()));
        let (Some(setup), Some(trace)) = (setup, trace) else { return Ok(()) };
        let world = start(b, SetupId::at(setup));
        let position = asked(b, &world)?;
        let flipped: Vec<&Flip> = impact.flips.iter().filter(here).collect();
        let units = (0u32..)
            .zip(&world.units)
            .filter(|(_, u)| flipped.iter().any(|f| f.of == u.id))
            .map(|(at, _)| at)
            .collect();
        // A space is asked by a side, whose name stands behind its own; a drawing has one side.
        let seen_by = flip.of.rsplit_once(" as ").map(|(_, side)| side);
        let side = b.sides.iter().position(|s| seen_by == Some(s.name.as_str()));
        let wanted = draw::Wanted {
            trace: Some(crate::ir::TraceId::at(trace)),
            side: side.map(SideId::at),
            units,
            ..draw::Wanted::default()
        };
        let mut picture = draw::gather(&position, &wanted)
            .map_err(|fault| super::open::faulted(b, &self.whole.project, fault))?;
        mark(&mut picture, b, &flipped, trace);
        super::save(path, &draw::svg(&picture))
    }
}

/// Marks what flips: units, or for a trace of spaces these, whichever side asks.
fn mark(picture: &mut draw::Picture, rules: &Ruleset, flipped: &[&Flip], trace: usize) {
    let before = |f: &Flip| f.was.clone().unwrap_or_else(|| "not asked".to_owned());
    if rules.traces.get(trace).is_some_and(|t| rules.top(t.of) != KindId::SPACE) {
        for unit in &mut picture.units {
            unit.was = flipped.iter().find(|f| f.of == unit.id).map(|f| before(f));
        }
        return;
    }
    for space in &mut picture.spaces {
        let said = |f: &&Flip| match f.of.strip_prefix(&space.id)?.strip_prefix(" as ") {
            Some(side) => Some(format!("{} for {side}", before(f))),
            None => (f.of == space.id).then(|| before(f)),
        };
        let all: Vec<String> = flipped.iter().filter_map(said).collect();
        space.was = (!all.is_empty()).then(|| all.join(", "));
    }
}

/// The most positions that are compared together.
const MOST_TOGETHER: usize = 256;

/// Recorded positions under both rulesets, some at a time, and whether each could be read. One that
/// either cannot read is reported and left out.
fn each_position(
    recorded: Recorded<'_>,
    a: &Ruleset,
    b: &Ruleset,
    mut ask: impl FnMut(&[Both]),
) -> Result<bool, End> {
    let mut waiting = Vec::new();
    let (first, second) = (Positions::new(a), Positions::new(b));
    let all = recorded.each(a, |place, text| {
        // What the first cannot read is said once.
        let before = read_position(text, place, &first);
        let both = before.and_then(|before| Some((before, read_position(text, place, &second)?)));
        let Some((before, after)) = both else { return false };
        waiting.push((place.to_owned(), before, after));
        if waiting.len() >= MOST_TOGETHER {
            ask(&waiting);
            waiting.clear();
        }
        true
    })?;
    ask(&waiting);
    Ok(all)
}

fn copy_readings(from: &Ruleset, to: &mut Ruleset) {
    for ruling in &mut to.rulings {
        if let Some(same) = from.rulings.iter().find(|r| r.name == ruling.name) {
            ruling.default = same.default;
        }
    }
}

/// What every other reading of every ruling changes.
fn all_readings(args: &Args) -> Result<(String, bool), End> {
    let (mut rows, mut read_all) = (Vec::<ReadingImpact>::new(), true);
    let mut pair = Pair::open(&args.pair, args.cases)?;
    let own = pair.rules.0.clone();
    for at in 0..own.rulings.len() {
        let Some(ruling) = own.rulings.get(at) else { continue };
        let words = own.word_sets.get(ruling.readings.index()).map_or(&[][..], |s| &s.words);
        for (reading, name) in (0u16..).zip(words).filter(|(reading, _)| *reading != ruling.default)
        {
            pair.rules.1 = own.clone();
            if let Some(tried) = pair.rules.1.rulings.get_mut(at) {
                tried.default = reading;
            }
            pair.changes = reading_changes(&pair.rules.0, &pair.rules.1, &own, None);
            let suspects = pair.suspects();
            let Whole { flips, all, .. } = pair.ask(args, &suspects)?;
            read_all &= all;
            let mut units: Vec<String> = flips.iter().map(|f| f.of.clone()).collect();
            units.sort();
            units.dedup();
            rows.push(ReadingImpact {
                noun: if ruling.option { "option" } else { "ruling" },
                name: ruling.name.clone(),
                default: word(&own, ruling.readings, ruling.default).unwrap_or_default(),
                reading: name.clone(),
                flips: flips.len(),
                cases: args.cases.then(|| pair.cases().flips.len()),
                units,
            });
        }
    }
    let same = read_all && rows.iter().all(|r| r.flips == 0 && r.cases.unwrap_or(0) == 0);
    let text = match args.format {
        Format::Json => {
            json(&Readings { schema: 1, ruleset: &own.name, hash: &own.hash, readings: &rows })
        }
        _ if rows.is_empty() => "the ruleset has no ruling and no option\n".to_owned(),
        _ => page(&compare::readings_text(&rows)),
    };
    Ok((text, same))
}

/// All readings as JSON.
#[derive(serde::Serialize)]
struct Readings<'r> {
    schema: u32,
    ruleset: &'r str,
    hash: &'r str,
    readings: &'r [ReadingImpact],
}
