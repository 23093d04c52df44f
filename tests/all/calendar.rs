//! The calendar of a turn, held against turns that are played.

use std::path::Path;

use sutler::aid::{Brought, Calendar, calendar, calendar_text};
use sutler::check::fold;
use sutler::compare::Side;
use sutler::engine::{Dice, Orders, moments, pass, play};
use sutler::ir::{Ruleset, SetupId};
use sutler::log;
use sutler::project::Project;
use sutler::source::SourceMap;
use sutler::syntax::parse;
use sutler::world::{ThingRef, World, start};

/// One thing that a calendar says, with everything that comes several times written out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    moment: String,
    side: Option<String>,
    what: String,
}

/// The phases of a turn as a calendar tells them, by its own record alone.
fn phases(calendar: &Calendar) -> Vec<Entry> {
    let mut found = Vec::new();
    for stretch in &calendar.stretches {
        let each: Vec<Option<&String>> = match stretch.sides.as_slice() {
            [] => vec![None],
            sides => sides.iter().map(Some).collect(),
        };
        for side in (0..stretch.times).flat_map(|_| each.iter().copied()) {
            for moment in &stretch.moments {
                for brought in &moment.brings {
                    let Brought::Phase { phase, sides, .. } = brought else { continue };
                    let runs = match side {
                        Some(side) => usize::from(sides.is_empty() || sides.contains(side)),
                        None => sides.len().max(1),
                    };
                    let entry = Entry {
                        moment: moment.moment.clone(),
                        side: side.cloned(),
                        what: phase.clone(),
                    };
                    found.extend(std::iter::repeat_n(entry, runs));
                }
            }
        }
    }
    found
}

/// A turn played from a setup, as its log tells it: what happened together stands once.
fn played(rules: &Ruleset, mut world: World, seed: u64) -> Vec<Entry> {
    let mut events = Vec::new();
    play(rules, &mut world, &mut Dice::seeded(seed), &mut Orders::first_way(), &mut events)
        .unwrap();
    let mut found: Vec<Entry> = Vec::new();
    for (moment, event) in &events {
        let line = log::line(rules, &world, 1, *moment, event);
        let entry = Entry { moment: line.moment, side: line.side, what: line.phase };
        if found.last() != Some(&entry) {
            found.push(entry);
        }
    }
    found
}

/// Whether all of one list stands in another in the same order.
fn follows(part: &[Entry], whole: &[Entry]) -> Result<(), Entry> {
    let mut rest = whole.iter();
    part.iter()
        .try_for_each(|entry| rest.any(|e| e == entry).then_some(()).ok_or_else(|| entry.clone()))
}

#[test]
fn the_turns_of_all_rulesets_happen_as_their_calendars_say() {
    let project = Project::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets"));
    let (mut seen, mut turns) = (0, 0);
    for loaded in &project.rulesets {
        let rules = loaded.rules.as_ref().unwrap();
        let whole = Side { resolved: loaded.resolved(), sources: &project.sources, rules };
        let told = phases(&calendar(whole, None));
        for at in 0..rules.setups.len() {
            for seed in 0..3 {
                let log = played(rules, start(rules, SetupId::at(at)), seed);
                let fault = follows(&log, &told);
                assert_eq!(
                    fault,
                    Ok(()),
                    "{}, setup {}: not where the calendar says",
                    rules.name,
                    rules.setups[at].name
                );
                seen += log.len();
                turns += 1;
            }
        }
    }
    assert!(
        turns > 20 && seen > 100,
        "{turns} turns with {seen} happenings are too few to judge by"
    );
}

/// A game in which every phase does something to somebody of every side, and something ends at most
/// moments.
const GAME: &str = r#"edition 1
ruleset rounds "Rounds" prefix RD
sides Red against Blue
clock turn has dawn, (march, fight) of each side, impulse 3 times, dusk
dimension points (point)
kind area, areas is space
kind road, roads is link
kind block, blocks is unit {
  has worn in points from 0 to 99
}
mark tired of block until end of fight of owner
mark alert of block until start of impulse
mark bold of block until end of turn
mark seen of block until end of march of Blue
count shots of block per impulse from 0 to 9
phase tiring in march of owner {
  do raise worn by 1 for own blocks
  do mark tired for own blocks
}
phase late at end of impulse and at start of dusk {
  do raise worn by 1 for blocks
}
phase blue_alone at start of fight of Blue {
  do raise worn by 1 for own blocks
  do mark seen for blocks
}
phase waking in dawn {
  do raise worn by 1 for blocks
  do mark alert for blocks
  do mark bold for blocks
}
phase resting in dusk {
  do raise worn by 1 for blocks where stands
}
define stands of block = worn at least 1
phase ambush in march {
  do raise worn by 1 for blocks
}
phase shooting in impulse {
  do raise shots by 1 for blocks
}
map field {
  space area Town
}
setup start on field {
  put block A of Red in Town
  put block B of Blue in Town
}
"#;

fn game() -> (SourceMap, sutler::check::Resolved, Ruleset) {
    let mut sources = SourceMap::new();
    let id = sources.add("rules.sut", GAME.to_owned());
    let (file, faults) = parse(id, sources.text(id));
    assert!(faults.is_empty(), "{faults:?}");
    let (resolved, faults) = fold(None, &[file], &sources);
    assert!(faults.is_empty(), "{faults:?}");
    let (rules, faults) = sutler::project::compile(&resolved, &sources);
    (sources, resolved, rules.unwrap_or_else(|| unreachable!("{faults:?}")))
}

#[test]
fn a_turn_in_which_every_phase_shows_is_its_calendar() {
    let (sources, resolved, rules) = game();
    let mut told =
        phases(&calendar(Side { resolved: &resolved, sources: &sources, rules: &rules }, None));
    told.dedup();
    assert_eq!(told, played(&rules, start(&rules, SetupId(0)), 1));
    let names: Vec<&str> = told.iter().map(|e| e.what.as_str()).collect();
    // By hand from the clock: dawn, Red and then Blue, three impulses, dusk.
    let by_hand = "waking tiring ambush tiring ambush blue_alone shooting late shooting late shooting late late resting";
    assert_eq!(names.join(" "), by_hand);
}

#[test]
fn what_ends_is_told_where_it_ends() {
    let (sources, resolved, rules) = game();
    let told = calendar(Side { resolved: &resolved, sources: &sources, rules: &rules }, None);
    let mut world = start(&rules, SetupId(0));
    let mut ended = 0;
    for moment in moments(&rules) {
        // Whatever stands in the position before the moment, and its phases do not set anew, ends
        // in it.
        let mut full = world.clone();
        for fact in rules
            .facts
            .iter()
            .filter(|f| ["tired", "alert", "bold", "seen", "shots"].contains(&f.name.as_str()))
        {
            (0..2).for_each(|unit| full.set_fact(fact, ThingRef::Unit(unit), 1));
        }
        pass(&rules, &mut full, moment, &mut Dice::default(), &mut Orders::none()).unwrap();
        let (name, _) = sutler::report::moment_text(&rules, moment);
        let passed =
            told.stretches.iter().flat_map(|s| &s.moments).find(|m| m.moment == name).unwrap();
        for fact in rules
            .facts
            .iter()
            .filter(|f| ["tired", "alert", "bold", "seen", "shots"].contains(&f.name.as_str()))
        {
            let gone = (0..2).any(|unit| full.fact(fact, ThingRef::Unit(unit)) == 0);
            let says = passed.brings.iter().any(|b| match b {
                Brought::MarkEnds { mark: name, .. } | Brought::CountBack { count: name, .. } => {
                    *name == fact.name
                }
                _ => false,
            });
            // A stretch speaks for all its sides: what ends for Blue alone is told once, though
            // Red's moment leaves it.
            let of_another = fact.name == "seen"
                && moment.whose == sutler::ir::Whose::Side(sutler::ir::SideId(0));
            assert_eq!(gone, says && !of_another, "{} at {name}", fact.name);
            ended += usize::from(gone);
        }
        pass(&rules, &mut world, moment, &mut Dice::default(), &mut Orders::none()).unwrap();
    }
    // `tired` of each side, `seen` once, `alert` and `shots` in each of three impulses, `bold`
    // once.
    assert_eq!(ended, 2 + 1 + 3 + 3 + 1);
}

#[test]
fn a_calendar_reads_in_order() {
    let (sources, resolved, rules) = game();
    let text = calendar_text(&calendar(
        Side { resolved: &resolved, sources: &sources, rules: &rules },
        None,
    ));
    let wanted = "Rounds: a turn from its start to its end

dawn
  phase waking
    raise worn by 1 for blocks
    mark alert for blocks
    mark bold for blocks

march, fight, for each side in turn: Red, Blue
  march
    phase tiring
      raise worn by 1 for own blocks
      mark tired for own blocks
    phase ambush
      raise worn by 1 for blocks
  end of march
    the mark seen ends for blocks of Blue
  start of fight
    phase blue_alone, of Blue alone
      raise worn by 1 for own blocks
      mark seen for blocks
  end of fight
    the mark tired ends for own blocks

impulse, 3 times
  start of impulse
    the mark alert ends for blocks
  impulse
    phase shooting
      raise shots by 1 for blocks
  end of impulse
    phase late
      raise worn by 1 for blocks
    shots goes back to 0 for blocks

start of dusk
  phase late
    raise worn by 1 for blocks

dusk
  phase resting
    raise worn by 1 for blocks where stands

end of turn
  the mark bold ends for blocks
";
    assert_eq!(text, wanted);
}
