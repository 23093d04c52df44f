//! `sutler bench`: how fast a ruleset is answered on this machine, each fast way against the slow
//! one it must agree with.
//!
//! Answers are compared before anything is timed, and times are the middle of several rounds, taken
//! in turns.

#![allow(clippy::float_arithmetic, reason = "a ratio of times is no amount of a ruleset")]

use crate::diag::counted;
use std::fmt::Write;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use super::open::{Question, faulted};
use super::{End, Format, json, message, printed};
use crate::engine::Dice;
use crate::ir::{Ruleset, TraceId};
use crate::kernel::{EvalFault, Position, Series, Session, reference};
use crate::project::Project;
use crate::world::{ThingRef, World, built_in};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    #[command(flatten)]
    question: Question,
    /// How many positions are made of the first, each unit up to three links away
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(8..=65_536))]
    positions: u32,
    /// How often each way is timed; the middle counts
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=999))]
    rounds: u32,
    /// What the positions are made from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What was measured.
#[derive(Serialize)]
struct Report {
    schema: u32,
    ruleset: String,
    hash: String,
    trace: String,
    spaces: usize,
    units: usize,
    positions: usize,
    /// How many answers were compared before anything was timed.
    compared: usize,
    rows: Vec<Row>,
}

/// One way against another.
#[derive(Serialize)]
struct Row {
    workload: &'static str,
    what: &'static str,
    peer: &'static str,
    /// Nanoseconds that our way takes.
    nanoseconds: u128,
    /// The time of the peer in times of ours.
    ratio: f64,
}

pub(super) fn run(args: &Args) -> End {
    printed(report(args))
}

fn report(args: &Args) -> Result<String, End> {
    let (project, rules, trace, world) = args.question.open(&args.ruleset)?;
    let report = measured(args, &rules, trace, &world, &project)?;
    Ok(match args.format {
        Format::Json => json(&report),
        _ => text(&report),
    })
}

fn measured(
    args: &Args,
    rules: &Ruleset,
    trace: TraceId,
    world: &World,
    project: &Project,
) -> Result<Report, End> {
    let stop = |stop: Stop| match stop {
        Stop::Fault(fault) => faulted(rules, project, fault),
        Stop::Disagree(thing) => {
            let name = crate::report::thing_name(rules, world, thing);
            message(&format!(
                "error: two ways of the kernel disagree about `{name}`; this is a fault of the program, and nothing was timed\n"
            ));
            End::Findings
        }
    };
    let worlds = varied(rules, world, args);
    let mut series = Series::new(rules, trace);
    let compared = compare(rules, trace, &worlds, &mut series).map_err(stop)?;
    let mut rows = vec![
        one(rules, trace, world, args.rounds).map_err(|fault| stop(fault.into()))?,
        many(rules, trace, &worlds, &mut series, args.rounds),
    ];
    rows.extend(moves(rules, trace, world, args).map_err(stop)?);
    let map = rules.maps.get(world.map.index());
    Ok(Report {
        schema: 1,
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        trace: rules.traces.get(trace.index()).map_or_else(String::new, |t| t.name.clone()),
        spaces: map.map_or(0, |m| m.spaces.len()),
        units: (0u32..).zip(&world.units).filter(|(at, _)| world.space_of(*at).is_some()).count(),
        positions: worlds.len(),
        compared,
        rows,
    })
}

/// Positions made of one: each unit goes up to three links.
fn varied(rules: &Ruleset, world: &World, args: &Args) -> Vec<World> {
    let mut dice = Dice::seeded(args.seed);
    let one = |_| {
        let mut varied = world.clone();
        for unit in 0..u32::try_from(world.units.len()).unwrap_or(u32::MAX) {
            for _ in 1..below(&mut dice, 4) {
                step(rules, &mut varied, unit, &mut dice);
            }
        }
        varied
    };
    (0..args.positions).map(one).collect()
}

/// A number from 1 to `sides`.
fn below(dice: &mut Dice, sides: u32) -> u32 {
    dice.next(sides).unwrap_or(1)
}

/// Moves a unit over one link, if one leads away; tells where it stood and stands.
fn step(rules: &Ruleset, world: &mut World, unit: u32, dice: &mut Dice) -> Option<u32> {
    let from = world.space_of(unit)?;
    let map = rules.maps.get(world.map.index())?;
    let near: Vec<u32> = map.links.iter().flat_map(|l| l.of(from)).copied().collect();
    let at = below(dice, u32::try_from(near.len().max(1)).ok()?) - 1;
    let to = near.get(usize::try_from(at).ok()?)?;
    world.set_fact(
        rules.facts.get(built_in::SPACE.index())?,
        ThingRef::Unit(unit),
        i64::from(*to) + 1,
    );
    Some(*to)
}

/// Every answer of the fast way against a search from each unit; how many there were.
fn compare(
    rules: &Ruleset,
    trace: TraceId,
    worlds: &[World],
    series: &mut Series<'_>,
) -> Result<usize, Stop> {
    let mut compared = 0;
    let begun = Instant::now();
    for (world, answers) in worlds.iter().zip(series.ask(worlds)) {
        let Some(position) = Position::new(rules, world) else { continue };
        for (thing, yes) in answers? {
            same(reference::ask(&position, trace, thing)?.0, yes, thing)?;
            compared += 1;
        }
        // The slow way is slow: what it has shown in this time must do.
        if begun.elapsed().as_secs() >= 10 {
            message("note: the slow way takes long, and the first positions alone were compared\n");
            break;
        }
    }
    Ok(compared)
}

/// Why nothing is timed.
enum Stop {
    /// A question of the rules could not be worked out.
    Fault(EvalFault),
    /// Two ways have different answers: a fault of this program.
    Disagree(ThingRef),
}

impl From<EvalFault> for Stop {
    fn from(fault: EvalFault) -> Stop {
        Stop::Fault(fault)
    }
}

fn same(slow: bool, fast: bool, thing: ThingRef) -> Result<(), Stop> {
    if slow == fast { Ok(()) } else { Err(Stop::Disagree(thing)) }
}

/// All units of one position.
fn one(rules: &Ruleset, trace: TraceId, world: &World, rounds: u32) -> Result<Row, EvalFault> {
    let position = Position::new(rules, world);
    let mut series = Series::new(rules, trace);
    let things: Vec<ThingRef> = match series.ask(std::slice::from_ref(world)).pop() {
        Some(answers) => answers?.into_iter().map(|(thing, _)| thing).collect(),
        None => Vec::new(),
    };
    let mut fast = || drop(black_box(series.ask(std::slice::from_ref(world))));
    let mut slow = || {
        for thing in &things {
            let _ = black_box(position.as_ref().map(|p| reference::ask(p, trace, *thing)));
        }
    };
    Ok(row(
        "one position, all its units",
        "a search from each unit",
        1,
        rounds,
        &mut fast,
        &mut slow,
    ))
}

/// All units of many positions, for each position.
fn many(
    rules: &Ruleset,
    trace: TraceId,
    worlds: &[World],
    series: &mut Series<'_>,
    rounds: u32,
) -> Row {
    let mut alone = Series::new(rules, trace);
    let mut fast = || drop(black_box(series.ask(worlds)));
    let mut slow =
        || worlds.iter().for_each(|w| drop(black_box(alone.ask(std::slice::from_ref(w)))));
    row(
        "a position of many asked together",
        "one position after the other",
        worlds.len(),
        rounds,
        &mut fast,
        &mut slow,
    )
}

/// One move after another, with the answers kept right; nothing where a session cannot keep them.
fn moves(rules: &Ruleset, trace: TraceId, world: &World, args: &Args) -> Result<Option<Row>, Stop> {
    let Some(mut session) = Session::new(rules, world.clone(), trace)? else { return Ok(None) };
    if session.not_local().is_some() {
        return Ok(None);
    }
    let mut dice = Dice::seeded(args.seed);
    let mut series = Series::new(rules, trace);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let movers: Vec<u32> = (0u32..)
        .zip(&world.units)
        .map(|(at, _)| at)
        .filter(|at| world.space_of(*at).is_some())
        .collect();
    for _ in 0..args.rounds.saturating_mul(20) {
        let at = below(&mut dice, u32::try_from(movers.len().max(1)).unwrap_or(1)) - 1;
        let Some(unit) = usize::try_from(at).ok().and_then(|at| movers.get(at)).copied() else {
            break;
        };
        let mut moved = session.world().clone();
        let Some(to) = step(rules, &mut moved, unit, &mut dice) else { continue };
        let begun = Instant::now();
        session.move_unit(unit, Some(to))?;
        ours.push(begun.elapsed().as_nanos());
        let begun = Instant::now();
        let fresh = series.ask(std::slice::from_ref(&moved)).pop();
        theirs.push(begun.elapsed().as_nanos());
        for (thing, yes) in fresh.transpose()?.unwrap_or_default() {
            if let ThingRef::Unit(unit) = thing {
                same(yes, session.yes(unit).unwrap_or(false), thing)?;
            }
        }
    }
    Ok((!ours.is_empty()).then(|| {
        told(
            "one move, its answers kept right",
            "the whole position anew",
            middle(ours),
            middle(theirs),
        )
    }))
}

/// Two ways timed in turns, a part of each run.
fn row(
    what: &'static str,
    peer: &'static str,
    parts: usize,
    rounds: u32,
    fast: &mut dyn FnMut(),
    slow: &mut dyn FnMut(),
) -> Row {
    let time = |way: &mut dyn FnMut()| {
        let begun = Instant::now();
        way();
        begun.elapsed().as_nanos()
    };
    // The first run of each fills what it keeps.
    fast();
    slow();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(time(fast));
        theirs.push(time(slow));
    }
    let parts = parts.max(1) as u128;
    told(what, peer, middle(ours) / parts, middle(theirs) / parts)
}

fn told(what: &'static str, peer: &'static str, ours: u128, theirs: u128) -> Row {
    let ratio = theirs as f64 / ours.max(1) as f64;
    Row { workload: "own", what, peer, nanoseconds: ours, ratio: (ratio * 10.0).round() / 10.0 }
}

fn middle(mut times: Vec<u128>) -> u128 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0)
}

fn text(report: &Report) -> String {
    let mut text = format!(
        "{}, trace {}: {}, {} on the map\n{} of {} compared with the slow way: all the same\n\n",
        report.ruleset,
        report.trace,
        counted(report.spaces, "space"),
        counted(report.units, "unit"),
        counted(report.compared, "answer"),
        counted(report.positions, "position")
    );
    let wide = report.rows.iter().map(|r| r.what.len()).max().unwrap_or(0);
    for row in &report.rows {
        let _ = writeln!(
            text,
            "{:<wide$}  {:>10}  {:>7.1} times as fast as {}",
            row.what,
            spoken(row.nanoseconds),
            row.ratio,
            row.peer
        );
    }
    text
}

/// A time in a unit that fits it.
fn spoken(nanoseconds: u128) -> String {
    match nanoseconds {
        0..10_000 => format!("{nanoseconds} ns"),
        10_000..10_000_000 => format!("{} us", nanoseconds / 1_000),
        _ => format!("{} ms", nanoseconds / 1_000_000),
    }
}
