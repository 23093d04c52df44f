//! `sutler odds`: what a test or a phase can come to, exactly.

use std::path::{Path, PathBuf};

use super::open::{
    PositionArgs, asked, faulted, give, open_one, position, side_called, wrong_id, wrong_name,
};
use super::page::{page, width};
use super::tables::{self, Tables, What};
use super::{End, Format, json, message, printed, stderr_style, told, trouble};
use crate::diag::{self, Diagnostic, code};
use crate::engine::odds::{MOST_STATES, Odds, OddsFault, Passing, odds, odds_of};
use crate::ir::*;
use crate::project::Project;
use crate::report::{
    ChangedThing, RunOdds, Share, TestOdds, ThingOdds, WhatIf, odds_of_test, run_odds,
    run_odds_within, test_odds_within, tested, tested_names, things_of_kind, what_if, what_if_text,
};
use crate::world::{ThingRef, World};

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["test", "phase", "chain"])))]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// The odds of a test, or of where a list of tests stops, for each of its things
    #[arg(long)]
    test: Option<String>,
    /// The odds of a phase
    #[arg(long)]
    phase: Option<String>,
    /// The odds of several that follow each other: phases, or moments such as `end of turn`
    #[arg(long, value_delimiter = ',', value_name = "P1,P2")]
    chain: Vec<String>,
    /// Whose phases run, where each side has its own
    #[arg(long)]
    side: Option<String>,
    /// Speaks of this unit or space alone; may be given several times
    #[arg(long = "unit", value_name = "UNIT")]
    units: Vec<String>,
    /// Also prints all ends with all that differs in them
    #[arg(long, conflicts_with = "test")]
    joint: bool,
    /// Compares with the odds if this were so too; may be given several times, and then all of them
    /// are
    #[arg(long = "what-if", value_name = "SENTENCE", conflicts_with = "joint")]
    what_if: Vec<String>,
    /// Asks a test of a table of positions, a row each: a file whose name ends in `.parquet`
    #[arg(long, value_name = "FILE", requires_all = ["test", "out"],
        conflicts_with_all = ["position", "given", "rulings", "units", "joint", "what_if", "side"])]
    positions: Option<PathBuf>,
    /// Where the chances of a table go: a file whose name ends in `.parquet`
    #[arg(long, value_name = "FILE", requires = "positions")]
    out: Option<PathBuf>,
    /// A column of the table that is no part of a position and goes into the chances as it is; any
    /// number of them
    #[arg(long, value_name = "COLUMN", requires = "out")]
    keep: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    match &args.positions {
        Some(path) => of_table(args, path).unwrap_or_else(|end| end),
        None => printed(report(args)),
    }
}

/// The chances of a test in each row of a table.
fn of_table(args: &Args, path: &Path) -> Result<End, End> {
    let Some((positions, out)) = tables::named(path, args.out.as_deref())? else {
        return Err(trouble(
            "error: `--positions` is a table here: a file that ends in `.parquet`",
        ));
    };
    let tables = Tables {
        ruleset: &args.ruleset,
        positions,
        out,
        what: What::Test(args.test.as_deref().unwrap_or_default()),
        side: None,
        setup: args.position.setup.as_deref(),
        keep: &args.keep,
        jobs: super::threads(None),
    };
    tables.answer()
}

fn report(args: &Args) -> Result<String, End> {
    let (mut project, rules) = open_one(&args.ruleset)?;
    let world = position(&args.position, &mut project, &rules)?;
    let units = args
        .units
        .iter()
        .map(|name| thing_called(name, &rules, &world))
        .collect::<Result<Vec<ThingRef>, End>>()?;
    let found = found(args, (&project, &rules), &world, &units)?;
    if args.what_if.is_empty() {
        return Ok(match (&found, args.format) {
            (Found::Test(report), Format::Json) => json(report),
            (Found::Run(report), Format::Json) => json(report),
            (_, Format::Concise) => concise(&found.into_things()),
            (Found::Test(report), Format::Full) => page(&test_odds_within(report, width())),
            (Found::Run(report), Format::Full) => page(&run_odds_within(report, width())),
        });
    }
    let mut other = world.clone();
    give(&args.what_if, "--what-if", &mut project, &mut other)?;
    // A thing that is named is compared even where it is gone afterwards, or is not there before.
    let after = self::found(args, (&project, &rules), &other, &units)?;
    let of = match &args.test {
        Some(test) => test.clone(),
        None => asked_run(args).join(", "),
    };
    let asked = (rules.name.as_str(), rules.hash.as_str(), of);
    let report = what_if(asked, &args.what_if, found.into_things(), after.into_things());
    Ok(match args.format {
        Format::Json => json(&report),
        Format::Concise => concise_changes(&report),
        Format::Full => page(&what_if_text(&report)),
    })
}

/// What was asked for.
enum Found {
    Test(TestOdds),
    Run(RunOdds),
}

impl Found {
    fn into_things(self) -> Vec<ThingOdds> {
        match self {
            Found::Test(report) => report.odds,
            Found::Run(report) => report.units.into_iter().chain(report.others).collect(),
        }
    }
}

fn found(
    args: &Args,
    of: (&Project, &Ruleset),
    world: &World,
    units: &[ThingRef],
) -> Result<Found, End> {
    match &args.test {
        Some(name) => of_test(of, world, name, units).map(Found::Test),
        None => of_run(args, of, world, units).map(Found::Run),
    }
}

/// The phases and moments that run, as they were asked.
fn asked_run(args: &Args) -> Vec<String> {
    args.phase.iter().chain(&args.chain).map(|r| r.trim().to_owned()).collect()
}

fn of_test(
    (project, rules): (&Project, &Ruleset),
    world: &World,
    name: &str,
    units: &[ThingRef],
) -> Result<TestOdds, End> {
    let Some((test, of)) = tested(rules, name) else {
        wrong_name("test", name, &tested_names(rules).collect::<Vec<_>>());
        return Err(End::Trouble);
    };
    let position = asked(rules, world)?;
    let mut things = units.to_vec();
    for thing in &things {
        if !position.is_kind(*thing, of) {
            let kind = rules.kinds.get(of.index()).map_or("", |k| k.plural.as_str());
            message(&format!(
                "error: `{name}` is a test of {kind}\n  help: name some of them, or leave `--unit` out\n"
            ));
            return Err(End::Trouble);
        }
    }
    if things.is_empty() {
        things = things_of_kind(&position, of);
    }
    odds_of_test(&position, test, &things).map_err(|fault| match fault {
        OddsFault::Eval(fault) => faulted(rules, project, fault),
        other => {
            message(&format!(
                "error: {other}\n  help: the list has too many rolls to follow all of them\n"
            ));
            End::Findings
        }
    })
}

fn of_run(
    args: &Args,
    (project, rules): (&Project, &Ruleset),
    world: &World,
    things: &[ThingRef],
) -> Result<RunOdds, End> {
    asked(rules, world)?;
    let mut units: Vec<u32> = Vec::new();
    for thing in things {
        let ThingRef::Unit(unit) = thing else {
            message(
                "error: a phase tells of units\n  help: name a unit behind `--unit`, or leave it out\n",
            );
            return Err(End::Trouble);
        };
        units.push(*unit);
    }
    let units = units.as_slice();
    let run = asked_run(args);
    let passing = run
        .iter()
        .map(|r| passing(r, args.side.as_deref(), rules))
        .collect::<Result<Vec<_>, End>>()?;
    let refused = |fault: OddsFault| match fault {
        OddsFault::Eval(fault) => faulted(rules, project, fault),
        OddsFault::Open(line) => {
            let help = "ask for the odds of phases in which nothing is left to a player, or order it first in `sutler run`";
            let text = fault.to_string();
            let fault = match rules.lines.get(line.index()).map(|l| l.span) {
                Some(span) => {
                    Diagnostic::error(code::E1020, span, text).at("demanded here").help(help)
                }
                None => Diagnostic::bare(code::E1020, text).help(help),
            };
            told(&diag::render(&[fault], &project.sources, diag::Format::Full, stderr_style()));
            End::Findings
        }
        OddsFault::TooMany => {
            let fault = too_many(
                rules,
                &passing,
                "rolled here, and what follows looks beyond each unit's own roll",
            )
            .help("ask about fewer phases, or take a position with fewer units that roll");
            told(&diag::render(&[fault], &project.sources, diag::Format::Full, stderr_style()));
            End::Findings
        }
    };
    let found = odds(rules, world, &passing).map_err(refused)?;
    let joint = match (&found, args.joint) {
        (_, false) => None,
        (Odds::Joint(ends), true) => Some(ends.clone()),
        (Odds::Alone(_), true) if units.is_empty() => {
            let fault = too_many(rules, &passing, "rolled here, by many units")
                .help("leave `--joint` out, for each unit can be solved alone; or name the units you want together with `--unit`");
            told(&diag::render(&[fault], &project.sources, diag::Format::Full, stderr_style()));
            return Err(End::Findings);
        }
        (Odds::Alone(_), true) => Some(odds_of(rules, world, &passing, units).map_err(refused)?),
    };
    Ok(run_odds(rules, world, run, &found, units, joint.as_deref()))
}

fn concise(odds: &[ThingOdds]) -> String {
    let line = |thing: &ThingOdds| -> String {
        thing.roll.odds.iter().map(|c| format!("{}: {} {}\n", thing.id, c.chance, c.what)).collect()
    };
    odds.iter().map(line).collect()
}

/// One line a chance: before, after, and what comes.
fn concise_changes(report: &WhatIf) -> String {
    let line = |thing: &ChangedThing| -> String {
        let share = |share: &Option<Share>| {
            share.as_ref().map_or_else(|| "-".to_owned(), |s| s.chance.clone())
        };
        let odds = thing.odds.iter().filter(|c| c.roll.is_none());
        odds.map(|c| format!("{}: {} {} {}\n", thing.id, share(&c.before), share(&c.after), c.what))
            .collect()
    };
    report.things.iter().map(line).collect()
}

/// More ends than are counted, told at the first test that is rolled.
fn too_many(rules: &Ruleset, passing: &[Passing], why: &str) -> Diagnostic {
    let phases = passing.iter().filter_map(|p| match p {
        Passing::Phase(phase, _) => rules.phases.get(phase.index()),
        Passing::Moment(_) => None,
    });
    let place = phases
        .flat_map(|p| &p.steps)
        .find(|s| matches!(s.effect, Effect::Roll { .. } | Effect::RollList { .. }))
        .and_then(|s| rules.lines.get(s.line.index()));
    let words = format!("this can end in more than {MOST_STATES} ways");
    match place {
        Some(line) => Diagnostic::error(code::E1011, line.span, words).at(why),
        None => Diagnostic::bare(code::E1011, words),
    }
}

fn thing_called(name: &str, rules: &Ruleset, world: &World) -> Result<ThingRef, End> {
    let units = (0u32..).zip(&world.units).map(|(at, u)| (ThingRef::Unit(at), u.id.as_str()));
    let map = rules.maps.get(world.map.index()).map_or(&[][..], |map| &map.spaces);
    let spaces = (0u32..).zip(map).map(|(at, s)| (ThingRef::Space(at), s.id.as_str()));
    let known: Vec<(ThingRef, &str)> = units.chain(spaces).collect();
    match known.iter().find(|(_, id)| *id == name) {
        Some((thing, _)) => Ok(*thing),
        None => {
            let units = world.units.iter().map(|u| (u.id.as_str(), u.title.as_str()));
            let spaces = map.iter().map(|s| (s.id.as_str(), s.title.as_str()));
            wrong_id("unit or space", name, &units.chain(spaces).collect::<Vec<_>>());
            Err(End::Trouble)
        }
    }
}

/// `hunger`, `hunger of Crown`, `end of turn`, `start of supply of Crown`: what a case writes
/// behind `run`.
fn passing(text: &str, side: Option<&str>, rules: &Ruleset) -> Result<Passing, End> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let side_called = |name: &str| side_called(name, rules);
    if let [edge @ ("start" | "end"), "of", part, rest @ ..] = words.as_slice() {
        let edge = if *edge == "start" { Edge::Start } else { Edge::End };
        let clock = rules.clock.as_ref();
        let at = clock.and_then(|c| c.parts.iter().position(|p| p.name == *part));
        if at.is_none() && clock.is_none_or(|c| c.name != *part) {
            let known: Vec<&str> = clock
                .iter()
                .flat_map(|c| c.parts.iter().map(|p| p.name.as_str()).chain([c.name.as_str()]))
                .collect();
            wrong_name("part of the clock", part, &known);
            return Err(End::Trouble);
        }
        let each = at.and_then(|at| clock?.parts.get(at)).is_some_and(|p| p.each_side);
        let whose = match (rest, side) {
            (["of", name], _) => Whose::Side(side_called(name)?),
            ([], Some(name)) if each => Whose::Side(side_called(name)?),
            _ => Whose::All,
        };
        return Ok(Passing::Moment(Moment {
            edge,
            part: at.and_then(|a| u8::try_from(a).ok()),
            whose,
        }));
    }
    let (name, own) = match words.as_slice() {
        [name, "of", side] => (*name, Some(*side)),
        [name] => (*name, None),
        _ => (text, None),
    };
    let Some(at) = rules.phases.iter().position(|p| p.name == name) else {
        wrong_name(
            "phase",
            name,
            &rules.phases.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(),
        );
        return Err(End::Trouble);
    };
    let of_sides =
        rules.phases.get(at).is_some_and(|p| p.moments.iter().all(|m| m.whose == Whose::Owner));
    let side = match own.or(side.filter(|_| of_sides)) {
        Some(name) => Some(side_called(name)?),
        None if of_sides => {
            message(&format!(
                "error: each side has its own `{name}`\n  help: say whose with `--side SIDE`, or write `{name} of SIDE`\n"
            ));
            return Err(End::Trouble);
        }
        None => None,
    };
    Ok(Passing::Phase(PhaseId::at(at), side))
}
