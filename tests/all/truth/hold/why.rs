//! `explain`: the same answer, and a cause that really bars.

use serde_json::Value;

use super::answers::asked;
use super::{Bench, Held, list, same, text};
use crate::truth::brute::{Brute, Gate, Subject};
use crate::truth::game::{Game, Position, Trace, Within};
use crate::truth::ways;
use crate::truth::write::crossed;

pub fn explain(bench: &Bench<'_>, held: &mut Held) -> Result<(), String> {
    let at = &bench.game.start;
    let brute = bench.brute(at);
    for trace in bench.game.traces() {
        let side = (!trace.of_units).then_some(at.viewer);
        let subjects = bench.subjects(trace, at);
        let names: Vec<String> = subjects.iter().map(|s| bench.name(*s)).collect();
        for (subject, name) in subjects.iter().zip(&names) {
            let mut args = asked("explain", trace, side);
            args.insert(2, name);
            let found = bench.json(&args)?;
            let found = &list(&found, "explanations")[0];
            let want = brute.answer(trace, *subject, side);
            let what = |e: String| format!("explain {} {name}: {e}", trace.name);
            same(&found["yes"].as_bool(), &Some(want.yes), || "yes".to_owned()).map_err(what)?;
            held.explain += 1;
            let why = Why { brute: &brute, trace, subject: *subject, side };
            if !want.yes {
                held.explain += why.bars(found).map_err(what)?;
            }
            held.named += why.crossed(list(found, "crossings")).map_err(what)?;
        }
    }
    Ok(())
}

/// A question whose answer is no.
struct Why<'b> {
    brute: &'b Brute<'b>,
    trace: &'b Trace,
    subject: Subject,
    side: Option<usize>,
}

impl Why<'_> {
    /// Holds the crossings that are named: each alone, made a junction, gives a line or a shorter one.
    fn crossed(&self, rows: &[Value]) -> Result<u64, String> {
        let game = self.brute.game;
        let better = |junctions: &[(u8, usize)]| {
            let mut other = game.clone();
            other.crossings.retain(|crossing| !junctions.contains(crossing));
            let brute = Brute::new(&other, self.brute.at);
            let now = self.brute.answer(self.trace, self.subject, self.side);
            let then = brute.answer(self.trace, self.subject, self.side);
            let shorter = self.trace.one_measure() && then.length < now.length;
            then.yes && (!now.yes || then.length.is_some() && shorter)
        };
        let mut named = Vec::new();
        for row in rows {
            let known = |at: &Value| {
                let is = |(kinds, space): &&(u8, usize)| {
                    crossed(*kinds) == text(at, "kind") && game.space(*space) == text(at, "space")
                };
                game.crossings
                    .iter()
                    .find(is)
                    .copied()
                    .ok_or_else(|| format!("{at} is no crossing"))
            };
            let at: Vec<(u8, usize)> =
                list(row, "at").iter().map(known).collect::<Result<_, _>>()?;
            named.push(at);
        }
        let yes = self.brute.answer(self.trace, self.subject, self.side).yes;
        // Lengths of several measures cannot be told apart here.
        if yes && !self.trace.one_measure() {
            return Ok(0);
        }
        if let Some(bad) = named.iter().find(|junctions| !better(junctions)) {
            return Err(format!("junctions at {bad:?} give no better line"));
        }
        let found = u64::try_from(named.len()).unwrap();
        let alone: Vec<_> = game.crossings.iter().filter(|c| better(&[**c])).collect();
        if alone.is_empty() {
            let all = !named.is_empty() || !better(&game.crossings);
            return if all {
                Ok(found)
            } else {
                Err("crossings bar, and none is named".to_owned())
            };
        }
        let mut named: Vec<_> = named.iter().flatten().collect();
        let mut alone = alone;
        named.sort_unstable();
        alone.sort_unstable();
        same(&named, &alone, || "the crossings that bar".to_owned())?;
        Ok(found)
    }

    /// Holds the headline and every way out: each names a gate that bars. Returns how many.
    fn bars(&self, found: &Value) -> Result<u64, String> {
        let verdict = self.brute.answer(self.trace, self.subject, self.side).verdict;
        let gate = text(found, "gate");
        same(&(gate == "never"), &(verdict == Some(false)), || format!("the gate {gate}"))?;
        if gate == "never" {
            return Ok(1);
        }
        let ways = ways::out(self.brute, self.trace, self.subject, self.side);
        let named = |row: &Value, space: &str| -> Result<(String, usize), String> {
            Ok((text(row, "gate").to_owned(), space_of(self.brute.game, text(row, space))?))
        };
        // Where the end says how far, a line to one may stop that goes on to another.
        let by_end = self.trace.legs.iter().any(|leg| leg.within == Within::Haul);
        let to_ends = ways::to_ends(self.brute, self.trace, self.subject, self.side);
        let bars = |(gate, space): &(String, usize)| {
            ways.contains(&(gate.as_str(), *space))
                || by_end && gate == "within"
                || to_ends.contains(&(gate.as_str(), *space))
        };
        let listed: Result<Vec<_>, String> =
            list(found, "frontiers").iter().map(|w| named(w, "space")).collect();
        let listed = listed?;
        if found["stop"].is_string() {
            let headline = named(found, "stop")?;
            if !bars(&headline) {
                return Err(format!("the headline {headline:?} bars nothing; {ways:?} do"));
            }
            let there =
                listed.iter().any(|(gate, space)| *gate == headline.0 && *space == headline.1);
            if !there && headline.0 != "within" {
                return Err(format!("the headline {headline:?} is no way out of {listed:?}"));
            }
        }
        if listed.is_empty() && !ways.is_empty() {
            return Err(format!("no way out is listed; {ways:?} are there"));
        }
        let mut held = 1;
        for (way, row) in listed.iter().zip(list(found, "frontiers")) {
            if !bars(way) {
                return Err(format!("the way out {way:?} bars nothing; {ways:?} do"));
            }
            held += 1 + self.shut_by(&way.0, text(row, "space"), list(row, "by"))?;
        }
        Ok(held)
    }

    /// The gate stays shut if one of the units named is the only one near that is no friend; where
    /// it takes more than one, if all of them are the only ones.
    fn shut_by(&self, gate: &str, space: &str, by: &[Value]) -> Result<u64, String> {
        let at = space_of(self.brute.game, space)?;
        let unit = |by: &Value| {
            let name = by.as_str().unwrap_or_default();
            name.trim_start_matches('U').parse().map_err(|_| format!("`{name}` is no unit"))
        };
        let units: Vec<usize> = by.iter().map(unit).collect::<Result<_, String>>()?;
        let alone: Vec<bool> = units.iter().map(|u| self.shut_with(gate, at, &[*u])).collect();
        if units.is_empty() || alone.iter().all(|shut| *shut) {
            return Ok(u64::try_from(units.len()).unwrap_or_default());
        }
        if alone.contains(&true) || !self.shut_with(gate, at, &units) {
            return Err(format!("{by:?}: alone they shut {gate} at {space} so: {alone:?}"));
        }
        Ok(1)
    }

    /// Whether a gate is shut at a space where only these units are no friends.
    fn shut_with(&self, gate: &str, at: usize, units: &[usize]) -> bool {
        let mut alone: Position = self.brute.at.clone();
        let viewer = self.brute.viewer(self.subject, self.side);
        for (other, it) in alone.units.iter_mut().enumerate() {
            let friend = crate::truth::game::Stance::Friendly.holds(viewer, Some(it.side));
            if !units.contains(&other) && !friend && Subject::Unit(other) != self.subject {
                it.space = None;
            }
        }
        let brute = Brute::new(self.brute.game, &alone);
        let shut = |gate: Gate| {
            let asked = (self.subject, viewer);
            self.trace.legs.iter().any(|leg| !brute.gate(leg, gate, at, asked))
        };
        match gate {
            "from" => shut(Gate::From),
            "through" => shut(Gate::Through),
            "stopping" => shut(Gate::Stopping),
            "into" => shut(Gate::Into),
            _ => true,
        }
    }
}

fn space_of(game: &Game, name: &str) -> Result<usize, String> {
    (0..game.spaces())
        .find(|s| game.space(*s) == name)
        .ok_or_else(|| format!("no space is called {name}"))
}
