//! What cuts units: found by their lines, and by trying everything. Random rulesets and every
//! shipped one.

use crate::common::counts::{seeds_every, share};
use crate::common::random_rules::{self, Taste, random_links};
use crate::common::{Dice, random_legs};
use sutler::ir::{Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::threat::{Least, Threat, by_trial, cut_by_trial};
use sutler::kernel::{Change, Position, reference};
use sutler::project::{Project, check_text};
use sutler::world::{ThingRef, World, built_in};

fn checked(text: &str, seed: u64) -> Ruleset {
    let (_, rules, faults) = check_text("random.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("seed {seed}: {faults:#?}\n{text}"))
}

fn unit(thing: ThingRef) -> u32 {
    match thing {
        ThingRef::Unit(unit) => unit,
        other => panic!("{other:?} is no unit"),
    }
}

fn things(units: &[u32]) -> Vec<ThingRef> {
    units.iter().copied().map(ThingRef::Unit).collect()
}

fn units(position: &Position<'_>, trace: TraceId) -> Vec<u32> {
    let of = position.rules.traces[trace.index()].of;
    (0..position.world.units.len() as u32)
        .filter(|u| {
            position.is_kind(ThingRef::Unit(*u), of) && position.world.space_of(*u).is_some()
        })
        .collect()
}

fn ids(found: &Threat) -> Vec<(Change, Vec<u32>)> {
    found
        .cuts
        .iter()
        .map(|c| (c.change.clone(), c.units.iter().map(|u| unit(u.thing)).collect()))
        .collect()
}

/// Whether a unit has a line with these spaces closed, its own never.
fn stays(position: &Position<'_>, trace: TraceId, unit: u32, closed: &[u32]) -> bool {
    let own = position.world.space_of(unit).unwrap();
    let closed: Vec<u32> = closed.iter().copied().filter(|s| *s != own).collect();
    reference::ask_without(position, trace, ThingRef::Unit(unit), &closed).unwrap().0
}

/// The smallest number of spaces whose closing leaves none of these units a line; none beyond
/// three, or if nothing does.
fn fewest(position: &Position<'_>, trace: TraceId, units: &[u32]) -> Option<usize> {
    let all: Vec<u32> = (0..position.map.spaces.len() as u32).collect();
    let units: Vec<u32> =
        units.iter().copied().filter(|u| !stays(position, trace, *u, &all)).collect();
    let cuts = |closed: &[u32]| units.iter().all(|u| !stays(position, trace, *u, closed));
    if units.is_empty() {
        return None;
    }
    let n = all.len() as u32;
    if all.iter().any(|a| cuts(&[*a])) {
        return Some(1);
    }
    if (0..n).any(|a| (a + 1..n).any(|b| cuts(&[a, b]))) {
        return Some(2);
    }
    let three = (0..n).any(|a| (a + 1..n).any(|b| (b + 1..n).any(|c| cuts(&[a, b, c]))));
    Some(if three { 3 } else { 4 })
}

fn same_least(
    position: &Position<'_>,
    trace: TraceId,
    units: &[u32],
    least: Option<&Least>,
    what: &dyn Fn() -> String,
) {
    let fewest = fewest(position, trace, units);
    match least {
        None => assert_eq!(fewest, None, "{}", what()),
        Some(least) => {
            assert_eq!(fewest, Some(least.number), "{least:?} {}", what());
            assert_eq!(least.exact, least.number < 4, "{least:?} {}", what());
            for unit in units.iter().filter(|_| least.exact) {
                let all: Vec<u32> = (0..position.map.spaces.len() as u32).collect();
                assert!(
                    !stays(position, trace, *unit, &least.spaces)
                        || stays(position, trace, *unit, &all),
                    "{least:?} {}",
                    what()
                );
            }
        }
    }
}

/// Whether the record says what trying says; how many changes cut, and how many spaces.
fn agree(
    position: &Position<'_>,
    trace: TraceId,
    sets: bool,
    what: &dyn Fn() -> String,
) -> (usize, usize) {
    let units = units(position, trace);
    let found = position.threat(trace, &things(&units)).unwrap();
    assert!(found.whole);
    assert_eq!(ids(&found), by_trial(position, trace, &units).unwrap(), "{}", what());
    let mut spaces = 0;
    for watched in &found.units {
        let thing = watched.thing;
        let watched_unit = unit(thing);
        assert!(reference::ask(position, trace, thing).unwrap().0);
        let own = position.world.space_of(watched_unit).unwrap();
        let mut cut: Vec<u32> = (0..position.map.spaces.len() as u32)
            .filter(|s| *s != own && !stays(position, trace, watched_unit, &[*s]))
            .collect();
        let mut ours = watched.cut_spaces.clone();
        ours.sort_unstable();
        cut.sort_unstable();
        // A unit that needs no line has none to close.
        if watched.line.is_empty() {
            cut.clear();
        }
        assert_eq!(ours, cut, "unit {} {}", watched_unit, what());
        spaces += ours.len();
        if sets {
            same_least(position, trace, &[watched_unit], watched.least.as_ref(), what);
        }
    }
    for (side, least) in found.sides.iter().filter(|_| sets) {
        let of_side: Vec<u32> = found
            .units
            .iter()
            .map(|w| unit(w.thing))
            .filter(|u| position.world.owner(*u) == Some(*side))
            .collect();
        same_least(position, trace, &of_side, least.as_ref(), what);
    }
    (found.cuts.len(), spaces)
}

#[test]
fn random_rulesets_of_one_leg() {
    let (mut cuts, mut spaces) = (0, 0);
    for seed in seeds_every(400, 1) {
        let mut dice = Dice::new(seed);
        let text =
            random_rules::text(&mut dice, Taste { slow: seed % 3 == 0, spaces: 9 }, random_links);
        let rules = checked(&text, seed);
        let mut world = random_rules::template(&mut dice, &rules, 4 + (seed as usize % 7));
        scatter(&mut dice, &rules, &mut world);
        let position = Position::new(&rules, &world).unwrap();
        let (c, s) = agree(&position, TraceId(0), seed % 4 == 0, &|| {
            format!("seed {seed}, {:?}\n{text}", world.relations)
        });
        cuts += c;
        spaces += s;
    }
    println!("{cuts} cuts, {spaces} cut spaces");
    assert!(
        cuts > share(150) && spaces > share(50),
        "there should be something to find: {cuts} cuts, {spaces} cut spaces"
    );
}

fn scatter(dice: &mut Dice, rules: &Ruleset, world: &mut World) {
    let spaces = rules.maps[0].spaces.len();
    for unit in 0..world.units.len() as u32 {
        let space = if dice.percent(10) { 0 } else { dice.below(spaces) as i64 + 1 };
        world.set_fact(&rules.facts[built_in::SPACE.index()], ThingRef::Unit(unit), space);
    }
    for space in 0..spaces as u32 {
        let side = if dice.percent(30) { 0 } else { dice.below(rules.sides.len()) as i64 + 1 };
        world.set_fact(&rules.facts[built_in::CONTROL.index()], ThingRef::Space(space), side);
    }
}

#[test]
fn random_rulesets_of_several_legs() {
    let (mut cuts, mut spaces) = (0, 0);
    for seed in seeds_every(250, 7) {
        let mut dice = random_legs::Dice::new(seed);
        let text = random_legs::ruleset(&mut dice);
        let rules = checked(&text, seed);
        let world = sutler::world::start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        let (c, s) =
            agree(&position, TraceId(0), seed % 2 == 0, &|| format!("seed {seed}\n{text}"));
        cuts += c;
        spaces += s;
    }
    println!("{cuts} cuts, {spaces} cut spaces");
    assert!(
        cuts > share(450) && spaces > share(50),
        "there should be something to find: {cuts} cuts, {spaces} cut spaces"
    );
}

/// So many of some changes, from the first to the last.
fn spread<'c>(of: &[&'c Change], most: usize) -> impl Iterator<Item = &'c Change> {
    let step = of.len().div_ceil(most).max(1);
    of.iter().skip(step / 2).step_by(step).copied()
}

/// Whether one change cuts whom the record says.
fn trial(
    position: &Position<'_>,
    trace: TraceId,
    supplied: &[u32],
    change: &Change,
    found: &Threat,
    what: &str,
) {
    let said = found.cuts.iter().find(|c| c.change == *change).map_or(&[][..], |c| &c.units);
    let said: Vec<u32> = said.iter().map(|u| unit(u.thing)).collect();
    assert_eq!(
        cut_by_trial(position, trace, supplied, change, &found.sorts).unwrap(),
        said,
        "{what} {change:?}"
    );
}

/// Every setup and trace of every shipped ruleset with its variants; of the changes that cut, and
/// of those that do not, some are tried.
#[test]
fn shipped_rulesets() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets");
    let (mut cuts, mut tried) = (0, 0);
    for name in ["soldier_kings", "malaya", "sgs", "blockade_siege"] {
        let project = Project::open(&root.join(name));
        for rules in project.rulesets.iter().filter_map(|r| r.rules.as_ref()) {
            for setup in 0..rules.setups.len() {
                let world = sutler::world::start(rules, SetupId::at(setup));
                let position = Position::new(rules, &world).unwrap();
                for trace in (0..rules.traces.len()).map(TraceId::at) {
                    let what = format!(
                        "{} {} {}",
                        rules.name,
                        rules.setups[setup].name,
                        rules.traces[trace.index()].name
                    );
                    let watched = units(&position, trace);
                    let found = position.threat(trace, &things(&watched)).unwrap();
                    let supplied: Vec<u32> = found.units.iter().map(|w| unit(w.thing)).collect();
                    let all = position.threat_changes(trace, &things(&watched)).unwrap();
                    assert_eq!(all.len(), found.tried);
                    let (cutting, others): (Vec<&Change>, Vec<&Change>) = all
                        .iter()
                        .partition(|change| found.cuts.iter().any(|c| c.change == **change));
                    assert_eq!(cutting.len(), found.cuts.len(), "{what}");
                    cuts += spread(&cutting, 4)
                        .map(|change| trial(&position, trace, &supplied, change, &found, &what))
                        .count();
                    tried += spread(&others, 3)
                        .map(|change| trial(&position, trace, &supplied, change, &found, &what))
                        .count();
                    assert!(found.sides.iter().all(|(s, _)| *s < SideId::at(rules.sides.len())));
                }
            }
        }
    }
    println!("{cuts} cuts, {tried} others tried");
    assert!(cuts > 40 && tried > 40, "{cuts} cuts, {tried} others tried");
}
