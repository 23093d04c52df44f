//! `batch`, `trace` and `reach`: yes or no, the shortest length, a legal route of that length; and where
//! lines can end.

use serde_json::Value;

use super::{Bench, Held, list, same, text};
use crate::truth::brute::Brute;
use crate::truth::game::{SIDES, Trace, Within};
use crate::truth::{route, write};

/// Every trace of all positions.
pub fn batch(bench: &Bench<'_>, held: &mut Held) -> Result<(), String> {
    let lines: Vec<String> =
        bench.positions.iter().map(|p| write::position(bench.game, p)).collect();
    let file = bench.file("positions.jsonl", &(lines.join("\n") + "\n"));
    for trace in bench.game.traces() {
        let args = ["batch", "game", "--positions", &file, "--trace", trace.name];
        let (code, out, err) = bench.run(&args)?;
        let mut answers = out.lines().skip(1).map(|l| serde_json::from_str::<Value>(l).unwrap());
        same(&code, &0, || format!("batch {}: {err}", trace.name))?;
        for (number, at) in bench.positions.iter().enumerate() {
            let answer = answers.next().ok_or("batch: an answer is missing")?;
            let brute = bench.brute(at);
            let subjects = bench.subjects(trace, at);
            for subject in &subjects {
                let yes = brute.answer(trace, *subject, Some(at.viewer)).yes;
                let want = if yes { trace.yes } else { trace.no };
                let got = text(&answer["states"], &bench.name(*subject));
                same(&got, &want, || {
                    format!("batch, line {}, {} {subject:?}", number + 1, trace.name)
                })?;
                held.batch += 1;
                held.crossed += u64::from(!bench.game.crossings.is_empty());
                held.lanes += u64::from(bench.game.lanes);
                held.hauls += u64::from(trace.legs.iter().any(|l| l.within == Within::Haul));
                held.yes += u64::from(yes);
            }
            let count = answer["states"].as_object().map_or(0, serde_json::Map::len);
            same(&count, &subjects.len(), || format!("batch, line {}, answers", number + 1))?;
        }
    }
    Ok(())
}

/// The arguments of a command that asks a trace of the setup.
pub fn asked<'a>(command: &'a str, trace: &'a Trace, side: Option<usize>) -> Vec<&'a str> {
    let mut args =
        vec![command, "game", "--setup", "start", "--trace", trace.name, "--format", "json"];
    args.extend(side.into_iter().flat_map(|s| ["--side", SIDES[s]]));
    args
}

/// Every trace of the setup.
pub fn trace(bench: &Bench<'_>, held: &mut Held) -> Result<(), String> {
    let at = &bench.game.start;
    let brute = bench.brute(at);
    for trace in bench.game.traces() {
        let side = (!trace.of_units).then_some(at.viewer);
        let found = bench.json(&asked("trace", trace, side))?;
        let rows = [list(&found, "units"), list(&found, "spaces")].concat();
        for subject in bench.subjects(trace, at) {
            let name = bench.name(subject);
            let row = rows.iter().find(|r| text(r, "id") == name);
            let row = row.ok_or_else(|| format!("trace {}: no row of {name}", trace.name))?;
            answer(&brute, trace, (subject, side), row)
                .map_err(|e| format!("trace {}, {name}: {e}", trace.name))?;
            held.trace += 3;
        }
    }
    Ok(())
}

/// A row with `yes`, `distance` and `route`.
fn answer(
    brute: &Brute<'_>,
    trace: &Trace,
    (subject, side): (crate::truth::brute::Subject, Option<usize>),
    row: &Value,
) -> Result<(), String> {
    let want = brute.answer(trace, subject, side);
    same(&row["yes"].as_bool(), &Some(want.yes), || "yes".to_owned())?;
    if trace.one_measure() {
        same(&row["distance"].as_i64(), &want.length, || "distance".to_owned())?;
    }
    if want.length.is_some() {
        let route: Vec<usize> = list(row, "route")
            .iter()
            .map(|s| {
                (0..brute.game.spaces())
                    .find(|at| brute.game.space(*at) == s.as_str().unwrap_or(""))
                    .unwrap()
            })
            .collect();
        let length = route::length(brute, trace, subject, side, &route);
        let Some(length) = length else { return Err(format!("{route:?} is no legal line")) };
        if trace.one_measure() {
            same(&Some(length), &want.length, || format!("the length of {route:?}"))?;
        }
    }
    Ok(())
}

/// Where the lines of every trace of the setup can end.
pub fn reach(bench: &Bench<'_>, held: &mut Held) -> Result<(), String> {
    let at = &bench.game.start;
    let brute = bench.brute(at);
    for trace in bench.game.traces() {
        let side = (!trace.of_units).then_some(at.viewer);
        let found = bench.json(&asked("reach", trace, side))?;
        let rows = list(&found, "reaches");
        for subject in bench.subjects(trace, at) {
            let name = bench.name(subject);
            let row = rows.iter().find(|r| text(r, "id") == name);
            let row = row.ok_or_else(|| format!("reach {}: no row of {name}", trace.name))?;
            let spaces = list(row, "spaces");
            let viewer = brute.viewer(subject, side);
            let never = brute.answer(trace, subject, viewer).verdict == Some(false);
            let ends = brute.reached(trace, subject, viewer);
            for (space, length) in ends[trace.places()].iter().enumerate() {
                let want = length.filter(|_| !never);
                let got = spaces.iter().find(|s| text(s, "space") == bench.game.space(space));
                let what = || format!("reach {}, {name} to {space}", trace.name);
                same(&got.is_some(), &want.is_some(), what)?;
                if let Some(got) = got.filter(|_| trace.one_measure()) {
                    same(&got["length"].as_i64(), &want, what)?;
                }
                held.reach += 1;
            }
            for (source, when) in &trace.sources {
                let is_one = |(at, _): &(usize, &Option<i64>)| {
                    !never && brute.holds(when, *at, viewer, subject)
                };
                let of = ends[trace.places()].iter().enumerate().filter(is_one);
                let want = of.filter_map(|(_, length)| *length).min();
                let rows = list(row, "sources");
                let got = rows.iter().find(|s| text(s, "source") == *source);
                let got = got.and_then(|s| s["length"].as_i64());
                let what = || format!("reach {}, {name} to the source {source}", trace.name);
                same(&got.is_some(), &want.is_some(), what)?;
                if trace.one_measure() {
                    same(&got, &want, what)?;
                }
                held.reach += 1;
            }
        }
    }
    Ok(())
}
