//! Rows about commands: `batch` against a script, `impact` against two of `batch`, and start-up.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Game;
use super::board::facts_as_json;
use super::pairs::{Wanted, absent, middle, milliseconds, ratio};
use super::plain::{self, OFF, Plain};
use super::processes::Process;

const SCRIPT: &str = include_str!("batch.js");

const BATCH: Wanted = Wanted { floor: 2.0, goal: 6.0 };
const IMPACT: Wanted = Wanted { floor: 0.33, goal: 0.67 };
/// Most milliseconds of CPU that `trace` may take, and a command beyond loading.
const START: f64 = 15.0;
const BEYOND: f64 = 50.0;

/// Lines from which it is seen how long a line takes.
const FEW: usize = 40;
const MOST: usize = 4000;
/// Milliseconds that a process should take, about.
const RUN: f64 = 1500.0;

/// How many lines a process should have, whose positions are written over with few of them to see
/// how long a line takes beyond the start.
fn enough(game: &Game, process: &Process) -> usize {
    let of = |lines| {
        files(game, lines);
        process.cpu(2).unwrap_or(RUN)
    };
    let (one, few) = (of(1), of(FEW));
    let each = (few - one) / (FEW - 1) as f64;
    ((RUN / each.max(0.01)) as usize).clamp(FEW, MOST)
}

/// A position as a line of JSON: the setup and all that may differ.
pub fn line(game: &Game, plain: &Plain, start: &Plain) -> String {
    let map = &game.rules.maps[game.start.map.index()];
    let mut out = format!("{{\"schema\":1,\"setup\":\"{}\",\"units\":[", game.shape.setup);
    let mut first = true;
    for (unit, space) in plain.space.iter().enumerate() {
        if start.space[unit] == OFF {
            continue;
        }
        let place = match *space {
            OFF => Value::Null,
            at => Value::from(map.spaces[usize::from(at)].id.as_str()),
        };
        let comma = if std::mem::take(&mut first) { "" } else { "," };
        let id = Value::from(game.start.units[unit].id.as_str());
        let _ = write!(out, "{comma}{{\"id\":{id},\"space\":{place}");
        if let (Some((_, name)), true) = (game.shape.varying, game.takes_fact[unit]) {
            let value = match (game.fact_values, plain.fact[unit]) {
                (2, value) => Value::from(value != 0),
                (_, 0) => Value::Null,
                (_, thing) => Value::from(game.rules.named[usize::from(thing) - 1].name.as_str()),
            };
            let _ = write!(out, ",\"facts\":{{\"{name}\":{value}}}");
        }
        out.push('}');
    }
    out.push_str("],\"spaces\":{");
    let mut first = true;
    for (space, side) in plain.control.iter().enumerate() {
        if *side != start.control[space] {
            let comma = if std::mem::take(&mut first) { "" } else { "," };
            let id = Value::from(map.spaces[space].id.as_str());
            let side = match side {
                0 => Value::Null,
                side => Value::from(game.rules.sides[usize::from(*side) - 1].name.as_str()),
            };
            let _ = write!(out, "{comma}{id}:{{\"control\":{side}}}");
        }
    }
    out.push_str("}}\n");
    out
}

/// Files that commands read.
struct Files {
    positions: PathBuf,
    data: PathBuf,
    script: PathBuf,
}

fn files(game: &Game, many: usize) -> Files {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/games");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |end: &str| folder.join(format!("{}{end}", game.shape.name));
    let files =
        Files { positions: file(".jsonl"), data: file(".json"), script: folder.join("batch.js") };
    let start = Plain::start(game);
    let lines = plain::positions(game, many, 11).iter().map(|p| line(game, p, &start)).collect();
    let text: String = lines;
    std::fs::write(&files.positions, text).unwrap();
    std::fs::write(&files.data, facts_as_json(&game.rules, &game.start, game.shape).to_string())
        .unwrap();
    std::fs::write(&files.script, SCRIPT).unwrap();
    files
}

fn batch(game: &Game, folder: &Path, positions: &Path) -> Process {
    let trace = &(game.shape.traces)()[0];
    let [folder, positions] = [folder, positions].map(|p| p.display().to_string());
    Process::sutler(&["batch", &folder, "--positions", &positions, "--trace", trace, "--jobs", "1"])
}

/// `batch`, lines to lines, against a script for node that does the same.
pub fn stream(game: &Game, quick: bool) -> Option<Value> {
    if game.of_spaces || game.shape.reach.is_some() {
        return None;
    }
    let few = files(game, FEW);
    let ours = batch(game, &game.folder, &few.positions);
    let many = if quick { 20 } else { enough(game, &ours) };
    let files = files(game, many);
    let paths = [&files.script, &files.data, &files.positions].map(|p| p.display().to_string());
    let node = Process::of("node", &[&paths[0], &paths[1], &paths[2]]);
    let (what, peer) = (format!("batch of {many} lines"), "node");
    let Some(theirs) = node.output() else {
        return Some(absent(&game.title(), &what, peer, "there is no node"));
    };
    same_lines(game, &ours.output().unwrap_or_default(), &theirs);
    if quick {
        return None;
    }
    let mut ratios = Vec::new();
    let mut times = Vec::new();
    for _ in 0..5 {
        let (Some(a), Some(b)) = (ours.cpu(1), node.cpu(1)) else {
            return Some(absent(&game.title(), &what, peer, "the system counts no CPU"));
        };
        times.push(a);
        ratios.push(b / a.max(1.0));
    }
    let found = middle(ratios);
    println!("{}, batch: {:.0} us a line", game.shape.name, middle(times) * 1e3 / many as f64);
    Some(ratio(&game.title(), &what, peer, found, BATCH))
}

/// All lines but our first, which names the ruleset.
fn same_lines(game: &Game, ours: &str, theirs: &str) {
    let (mut ours, mut theirs) = (ours.lines().skip(1), theirs.lines());
    let mut lines = 0;
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => break,
            (a, b) if a == b => lines += 1,
            (a, b) => {
                let name = game.shape.name;
                eprintln!("{name}, batch, line {}:\n  {a:?}\n  {b:?}", lines + 1);
                std::process::exit(1);
            }
        }
    }
    println!("{}, batch: {lines} lines agree with the script", game.shape.name);
}

/// `impact` of a game and a variant against two runs of `batch`.
pub fn impact(game: &Game, variant: &str) -> Option<Value> {
    let few = files(game, FEW);
    let other = game.folder.join(variant);
    let [first, second, positions] =
        [&game.folder, &other, &few.positions].map(|p| p.display().to_string());
    let ours = Process::sutler(&[
        "impact",
        &first,
        &second,
        "--positions",
        &positions,
        "--format",
        "json",
    ]);
    let files = files(game, enough(game, &ours));
    let two = [batch(game, &game.folder, &files.positions), batch(game, &other, &files.positions)];
    let what = format!("impact of {variant}");
    let peer = "two batch";
    if !ours.is_answered() || !two.iter().all(Process::is_answered) {
        return Some(absent(&game.title(), &what, peer, "a command did not answer"));
    }
    let mut ratios = Vec::new();
    for _ in 0..3 {
        let (a, b, c) = (ours.cpu(1)?, two[0].cpu(1)?, two[1].cpu(1)?);
        ratios.push((b + c) / a.max(1.0));
    }
    Some(ratio(&game.title(), &what, peer, middle(ratios), IMPACT))
}

/// Start-up, and what commands take beyond it.
pub fn starts(game: &Game, given: &str) -> Vec<Value> {
    let folder = game.folder.display().to_string();
    let of = |command: &str, more: &[&str]| {
        let mut arguments = vec![command, &folder, "--setup", game.shape.setup];
        arguments.extend_from_slice(more);
        Process::sutler(&arguments)
    };
    let trace = of("trace", &[]);
    let others = [
        ("why-not", of("why-not", &[])),
        ("threat", of("threat", &[])),
        ("--given", of("trace", &["--given", given])),
    ];
    for (name, process) in others.iter().chain([&("trace", trace.clone())]) {
        if !process.is_answered() {
            eprintln!("{}: {name} did not answer", game.shape.name);
            std::process::exit(1);
        }
    }
    let title = game.title();
    let start = cpu(&trace, 10);
    let Some(start) = start else {
        return vec![absent(&title, "start-up of trace", "ms of CPU", "the system counts no CPU")];
    };
    let mut rows = vec![milliseconds(&title, "start-up of trace", start, START)];
    for (name, process) in &others {
        let beyond = cpu(process, 4).unwrap_or(0.0) - start;
        rows.push(milliseconds(&title, &format!("{name} beyond trace"), beyond.max(0.0), BEYOND));
    }
    rows
}

/// CPU of a run in the middle of five series; one run is enough of what takes long.
fn cpu(process: &Process, runs: u32) -> Option<f64> {
    let first = process.cpu(1)?;
    if first > 300.0 {
        return Some(first);
    }
    let series: Option<Vec<f64>> = (0..5).map(|_| process.cpu(runs)).collect();
    series.map(middle)
}
