//! `why-not` and `threat`: all single changes tried by the brute force, and no other named.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::answers::asked;
use super::{Bench, Held, list, same, text};
use crate::truth::brute::{Brute, Subject};
use crate::truth::game::{CAPTAINS, Game, Position, SIDES, Stance, Trace, Unit, Within};
use crate::truth::write;

/// Every single change that restores a line, in the words of `why-not`, and no other.
pub fn why_not(bench: &Bench<'_>, held: &mut Held) -> Result<(), String> {
    let at = &bench.game.start;
    for trace in bench.game.traces() {
        let side = (!trace.of_units).then_some(at.viewer);
        for subject in bench.subjects(trace, at) {
            if bench.brute(at).answer(trace, subject, side).yes {
                continue;
            }
            let name = bench.name(subject);
            let mut args = asked("why-not", trace, side);
            args.insert(2, &name);
            let found = bench.json(&args)?;
            let found = &list(&found, "why_not")[0];
            let asked = Asked { bench, trace, subject, side };
            let (want, tried) = asked.restoring();
            let got: BTreeSet<String> = list(found, "remedies").iter().map(words).collect();
            same(&got, &want, || format!("what restores {} of {name}", trace.name))?;
            asked.removal(&found["removal"], want.is_empty())?;
            held.why_not += tried;
        }
    }
    Ok(())
}

/// The words of a remedy without what differs in form only.
fn words(row: &Value) -> String {
    let words = text(row, "words");
    match text(row, "change") {
        "reach" => {
            let words = words.split(',').next().unwrap_or_default();
            words.split(" from ").next().unwrap_or_default().to_owned()
        }
        "unit_gone" => format!("{} gone", words.split(' ').next().unwrap_or_default()),
        "space_freed" => format!("{} freed", text(row, "space")),
        _ => words.to_owned(),
    }
}

struct Asked<'b> {
    bench: &'b Bench<'b>,
    trace: &'b Trace,
    subject: Subject,
    side: Option<usize>,
}

impl Asked<'_> {
    fn game(&self) -> &Game {
        self.bench.game
    }

    fn yes(&self, at: &Position) -> bool {
        Brute::new(self.game(), at).answer(self.trace, self.subject, self.side).yes
    }

    fn with(&self, change: impl FnOnce(&mut Position)) -> bool {
        let mut at = self.game().start.clone();
        change(&mut at);
        self.yes(&at)
    }

    /// All that restores the line, in words, and how many changes were tried.
    fn restoring(&self) -> (BTreeSet<String>, u64) {
        let (game, start) = (self.game(), &self.game().start);
        let mut found = BTreeSet::new();
        let mut tried = 0;
        let mut note = |yes: bool, words: String| {
            tried += 1;
            if yes {
                found.insert(words);
            }
        };
        let others: Vec<usize> = (0..start.units.len())
            .filter(|u| Subject::Unit(*u) != self.subject && start.units[*u].space.is_some())
            .collect();
        for unit in &others {
            note(self.with(|at| at.units[*unit].space = None), format!("U{unit} gone"));
        }
        let viewer = Brute::new(game, start).viewer(self.subject, self.side);
        for space in 0..game.spaces() {
            if start.control[space] != viewer {
                let words =
                    format!("{} controlled by {}", game.space(space), SIDES[viewer.unwrap()]);
                note(self.with(|at| at.control[space] = viewer), words);
            }
            let named = game.space(space);
            let flooded = if start.flooded[space] { "no" } else { "yes" };
            note(
                self.with(|at| at.flooded[space] = !at.flooded[space]),
                format!("{named} with flooded {flooded}"),
            );
        }
        for road in game.fickle.then(|| write::roads(game)).into_iter().flatten() {
            let (from, to) = (game.space(road.0), game.space(road.1));
            let worn = if start.worn.contains(&road) { "no" } else { "yes" };
            let other = |at: &mut Position| match at.worn.iter().position(|worn| *worn == road) {
                Some(known) => drop(at.worn.remove(known)),
                None => at.worn.push(road),
            };
            note(self.with(other), format!("road {from} to {to} with worn {worn}"));
        }
        let season = if start.winter { "summer" } else { "winter" };
        note(self.with(|at| at.winter = !at.winter), format!("season is {season}"));
        if let Subject::Unit(unit) = self.subject {
            self.facts(unit, &mut note);
        }
        self.reaches(&mut note);
        self.freed(&others, viewer, &mut found, &mut tried);
        (found, tried)
    }

    fn facts(&self, unit: usize, note: &mut impl FnMut(bool, String)) {
        let it = &self.game().start.units[unit];
        let wagon = if it.wagon { "no" } else { "yes" };
        note(
            self.with(|at| at.units[unit].wagon = !it.wagon),
            format!("U{unit} with wagon {wagon}"),
        );
        let arm = if it.horse { "foot" } else { "horse" };
        note(self.with(|at| at.units[unit].horse = !it.horse), format!("U{unit} with arm {arm}"));
        for leader in [None, Some(0), Some(1)] {
            if it.leader != leader {
                let name = leader.map_or("none", |l| CAPTAINS[l]);
                note(
                    self.with(|at| at.units[unit].leader = leader),
                    format!("U{unit} with leader {name}"),
                );
            }
        }
    }

    fn reaches(&self, note: &mut impl FnMut(bool, String)) {
        let brute = Brute::new(self.game(), &self.game().start);
        if brute.answer(self.trace, self.subject, self.side).verdict.is_some() {
            return;
        }
        for (at, leg) in self.trace.legs.iter().enumerate() {
            let Some(budget) = brute.budget_of(leg, self.subject) else { continue };
            // Where the end says how far, the ends that say the same are one.
            let budgets: BTreeSet<(i64, Option<i64>)> = match leg.within {
                Within::Haul => self.game().haul.iter().map(|far| (*far, Some(*far))).collect(),
                _ => BTreeSet::from([(budget, None)]),
            };
            for (budget, haul) in budgets {
                let yes = |budget: Option<i64>| {
                    let mut other = brute.afresh();
                    (other.budget, other.haul) = (Some((self.trace.name, at, budget)), haul);
                    other.answer(self.trace, self.subject, self.side).yes
                };
                let least = yes(None).then(|| (budget + 1..200).find(|b| yes(Some(*b)))).flatten();
                let several = self.trace.legs.len() > 1;
                let on = if several { format!(" on {}", leg.name) } else { String::new() };
                note(least.is_some(), format!("a reach of {}{on}", least.unwrap_or(0)));
            }
        }
    }

    /// A space without all that are no friends, where they are several and none of them alone does
    /// it.
    fn freed(
        &self,
        others: &[usize],
        viewer: Option<usize>,
        found: &mut BTreeSet<String>,
        tried: &mut u64,
    ) {
        let start = &self.game().start;
        for space in 0..self.game().spaces() {
            let here: Vec<usize> = others
                .iter()
                .copied()
                .filter(|u| start.units[*u].space == Some(space))
                .filter(|u| !Stance::Friendly.holds(viewer, Some(start.units[*u].side)))
                .collect();
            if here.len() < 2 || here.iter().any(|u| found.contains(&format!("U{u} gone"))) {
                continue;
            }
            *tried += 1;
            if self.with(|at| here.iter().for_each(|u| at.units[*u].space = None)) {
                found.insert(format!("{} freed", self.game().space(space)));
            }
        }
    }

    /// Units whose going together restores the line, where nothing does alone.
    fn removal(&self, row: &Value, needed: bool) -> Result<(), String> {
        let viewer = Brute::new(self.game(), &self.game().start).viewer(self.subject, self.side);
        let units: Vec<usize> = list(row, "units")
            .iter()
            .filter_map(|u| u.as_str()?.trim_start_matches('U').parse().ok())
            .collect();
        let without =
            |gone: &[usize]| self.with(|at| gone.iter().for_each(|u| at.units[*u].space = None));
        if !units.is_empty() && !without(&units) {
            return Err(format!("{units:?} gone restores nothing"));
        }
        let hostile = |u: &usize| {
            Subject::Unit(*u) != self.subject
                && !Stance::Friendly.holds(viewer, Some(self.game().start.units[*u].side))
        };
        let all: Vec<usize> = (0..self.game().start.units.len()).filter(hostile).collect();
        if needed && units.is_empty() && without(&all) {
            return Err(
                "the going of all that are no friends restores it, and nothing is named".to_owned()
            );
        }
        Ok(())
    }
}

/// Change, where, and the units that it cuts.
type Cuts = BTreeMap<(String, String, String), BTreeSet<String>>;

/// What cuts whom, which spaces alone do, and how few together.
pub fn threat(bench: &Bench<'_>, held: &mut Held) -> Result<(), String> {
    let start = &bench.game.start;
    for trace in bench.game.traces().filter(|t| t.of_units) {
        let found = bench.json(&asked("threat", trace, None))?;
        let supplied: Vec<usize> = bench
            .subjects(trace, start)
            .into_iter()
            .filter(|s| bench.brute(start).answer(trace, *s, None).yes)
            .filter_map(|s| if let Subject::Unit(unit) = s { Some(unit) } else { None })
            .collect();
        let named: BTreeSet<&str> = list(&found, "units").iter().map(|u| text(u, "id")).collect();
        let want: Vec<String> = supplied.iter().map(|u| format!("U{u}")).collect();
        same(&named, &want.iter().map(String::as_str).collect(), || {
            "who has a line in threat".to_owned()
        })?;
        let mut got = Cuts::new();
        for cut in list(&found, "cuts") {
            let what = text(cut, "what").split(" of ").last().unwrap_or_default();
            let what = what.split(' ').next().unwrap_or_default().to_owned();
            let key = (text(cut, "change").to_owned(), what, text(cut, "space").to_owned());
            let units = list(cut, "units").iter().map(|u| text(u, "id").to_owned());
            got.entry(key).or_default().extend(units);
        }
        let (want, tried) = cuts(bench, trace, &supplied);
        same(&got, &want, || format!("what cuts whom, {}", trace.name))?;
        held.threat += tried;
        for row in list(&found, "units") {
            held.threat += spaces(bench, trace, row)?;
        }
    }
    Ok(())
}

fn cuts(bench: &Bench<'_>, trace: &Trace, supplied: &[usize]) -> (Cuts, u64) {
    let (game, start) = (bench.game, &bench.game.start);
    let mut found = Cuts::new();
    let mut tried = 0;
    let mut note = |at: &Position, by: usize, key: (&str, String, String)| {
        for unit in supplied {
            if !Stance::Enemy.holds(Some(start.units[*unit].side), Some(by)) {
                continue;
            }
            tried += 1;
            if !Brute::new(game, at).answer(trace, Subject::Unit(*unit), None).yes {
                let key = (key.0.to_owned(), key.1.clone(), key.2.clone());
                found.entry(key).or_default().insert(format!("U{unit}"));
            }
        }
    };
    for space in 0..game.spaces() {
        for side in 0..SIDES.len() {
            let plain =
                Unit { side, space: None, horse: false, moves: 0, wagon: false, leader: None };
            let mut like: Vec<Unit> =
                start.units.iter().filter(|u| u.side == side).cloned().collect();
            // One of each sort that the side has; where it has none, one of each kind.
            if like.is_empty() {
                like.push(plain);
            }
            for unit in like {
                let mut at = start.clone();
                at.units.push(Unit { space: Some(space), ..unit });
                note(&at, side, ("placed", SIDES[side].to_owned(), game.space(space)));
            }
            if Stance::Enemy.holds(start.control[space], Some(side)) {
                let mut at = start.clone();
                at.control[space] = Some(side);
                note(&at, side, ("turned", SIDES[side].to_owned(), game.space(space)));
            }
        }
        for (unit, it) in start.units.iter().enumerate() {
            if it.space.is_some_and(|from| from != space && game.joined(from, space) != 0) {
                let mut at = start.clone();
                at.units[unit].space = Some(space);
                note(&at, it.side, ("moved", format!("U{unit}"), game.space(space)));
            }
        }
    }
    (found, tried)
}

/// The cut spaces of one unit, and the fewest that cut it.
fn spaces(bench: &Bench<'_>, trace: &Trace, row: &Value) -> Result<u64, String> {
    let game = bench.game;
    let unit: usize =
        text(row, "id").trim_start_matches('U').parse().map_err(|_| "no unit".to_owned())?;
    let own = game.start.units[unit].space.unwrap();
    let subject = Subject::Unit(unit);
    let brute = bench.brute(&game.start);
    if brute.answer(trace, subject, None).verdict.is_some() {
        return Ok(0);
    }
    let cut = |closed: &[usize]| {
        let mut other = brute.afresh();
        other.closed = closed.iter().copied().filter(|s| *s != own).collect();
        !other.answer(trace, subject, None).yes
    };
    let want: BTreeSet<String> =
        (0..game.spaces()).filter(|s| cut(&[*s])).map(|s| game.space(s)).collect();
    let got: BTreeSet<String> =
        list(row, "cut_spaces").iter().filter_map(|s| s.as_str().map(str::to_owned)).collect();
    same(&got, &want, || format!("cut spaces of U{unit}, {}", trace.name))?;
    let all: Vec<usize> = (0..game.spaces()).collect();
    // A trace that asks that another has no line may hold again where more is closed.
    let fewest = if !want.is_empty() {
        Some(1)
    } else if !cut(&all) {
        None
    } else if all.iter().any(|a| all[a + 1..].iter().any(|b| cut(&[*a, *b]))) {
        Some(2)
    } else {
        let three = |a: &usize| {
            all[a + 1..].iter().any(|b| all[b + 1..].iter().any(|c| cut(&[*a, *b, *c])))
        };
        Some(if all.iter().any(three) { 3 } else { 4 })
    };
    let got = row["least"]["number"].as_u64();
    // What is not exact says `or more`, and is as much as three at least.
    if row["least"]["exact"] == false && got >= Some(3) && fewest >= got {
        return Ok(u64::try_from(game.spaces()).unwrap());
    }
    same(&got, &fewest, || {
        format!("the fewest spaces that cut U{unit}, {}: {:#}", trace.name, row["least"])
    })?;
    Ok(u64::try_from(game.spaces()).unwrap() + 1)
}
