//! Positions written and read again: every setup that is shipped, and games made at random in which
//! kinds say what each of them must have.

use crate::common::Dice as Picks;
use crate::common::counts::{seeds, share};
use crate::place::Place;
use crate::support;
use std::fmt::Write;
use sutler::engine::{Dice, Orders, run};
use sutler::ir::{PhaseId, Ruleset, SetupId};
use sutler::project::{Project, check_text};
use sutler::source::SourceId;
use sutler::world::{World, json, start};

/// What is written of a position is accepted, and is that position.
fn there_and_back(rules: &Ruleset, world: &World, whose: &str) {
    let text = json::write(rules, world);
    let (found, faults) = json::read(&text, SourceId(0), rules);
    assert!(faults.is_empty(), "{whose}: {faults:#?}\n{text}");
    assert_eq!(found.as_ref(), Some(world), "{whose}\n{text}");
    assert_eq!(json::write(rules, &found.unwrap()), text, "{whose}");
}

fn every_setup(project: &Project) -> usize {
    let mut setups = 0;
    for one in &project.rulesets {
        let Some(rules) = &one.rules else { panic!("{:?}", one.faults) };
        for at in 0..rules.setups.len() {
            let name = format!("{} {}", rules.name, rules.setups[at].name);
            there_and_back(rules, &start(rules, SetupId::at(at)), &name);
            setups += 1;
        }
    }
    setups
}

#[test]
fn every_setup_that_is_shipped_is_written_and_read_again() {
    let shipped = every_setup(&Project::open(&support::root().join("rulesets")));
    assert!(shipped >= 10, "only {shipped} setups");
    let place = Place::with("");
    assert_eq!(place.run(&["new", "fresh"]).code, 0);
    assert!(every_setup(&Project::open(&place.path("fresh"))) >= 1);
}

/// A game whose kinds say what each must have, and whether its setup gives all of it.
fn game(picks: &mut Picks) -> (String, bool) {
    let (mut kinds, mut lines, mut whole) = (String::new(), String::new(), true);
    // Mostly all is said.
    let mut says = |picks: &mut Picks| {
        let says = picks.percent(92);
        whole &= says;
        says
    };
    let _ = write!(
        kinds,
        "kind scout, scouts is unit {{\n  has post a town\n  has goal maybe a town\n  has owed maybe a side\n}}\n\
         kind chief, chiefs is unit {{\n  has seat a town\n  has patron a side\n  has goal maybe a town\n  has owed maybe a side\n}}\n"
    );
    let mut spaces = String::new();
    for town in ["A", "B", "C"] {
        let printed = picks.percent(50);
        let _ = write!(spaces, "  space town {town}");
        let _ = writeln!(spaces, "{}", if printed { " with lord Red" } else { "" });
        if !printed && says(picks) {
            let _ = writeln!(lines, "  given lord of {town} is Blue");
        }
    }
    for (fact, of) in [("capital", "Red"), ("capital", "Blue")] {
        if says(picks) {
            let _ = writeln!(lines, "  given {fact} of {of} is {}", picks.pick(&["A", "B"]));
        }
    }
    for line in ["given host is Red", "given seat of Old is C", "given patron of Old is Blue"] {
        if says(picks) {
            let _ = writeln!(lines, "  {line}");
        }
    }
    let mut puts = String::new();
    for at in 0..picks.below(4) {
        let goal = picks.pick(&["", ", goal A", ", owed Blue"]);
        let post = if says(picks) { " with post B" } else { " with goal C" };
        let goal = if post.contains("goal") { "" } else { goal };
        let _ = writeln!(puts, "  put scout S{at} of Red in A{post}{goal}");
    }
    let mut steps = String::new();
    for step in [
        "do set post to goal for scouts",
        "do set seat to goal for chiefs",
        "do set patron to owed for chiefs",
        "do set lord to peer for towns",
        "do set capital of Red to refuge",
        "do remove for scouts where owed is Blue",
    ] {
        if picks.percent(60) {
            let _ = writeln!(steps, "  {step}");
        }
    }
    let text = format!(
        "edition 1\nruleset must \"Must\" prefix MU\nsides Red, Blue\nclock turn has noon\n\
         kind town, towns is space {{\n  has lord a side\n  has peer maybe a side\n}}\n\
         kind purse, purses is side {{\n  has capital a town\n}}\n\
         kind record is world {{\n  has host a side\n  has refuge maybe a town\n}}\n{kinds}named chief Old\n\
         phase go at start of noon {{\n  do set goal to none for scouts where owed is Blue\n{steps}}}\n\
         map m {{\n{spaces}}}\nsetup s on m {{\n{puts}{lines}}}\n"
    );
    (text, whole)
}

#[test]
fn what_each_must_have_is_asked_alike_of_setups_and_of_positions() {
    let (mut taken, mut refused, mut lost) = (0, 0, 0);
    for seed in seeds(400) {
        let (text, whole) = game(&mut Picks::new(seed));
        let (_, rules, faults) = check_text("must.sut", text.as_bytes());
        let lacks = faults.iter().filter(|f| f.code.to_string() == "E0718").count();
        assert_eq!(lacks == 0, whole, "seed {seed}: {faults:#?}\n{text}");
        if !whole {
            assert!(rules.is_none(), "seed {seed}");
            refused += 1;
            continue;
        }
        let rules = rules.unwrap_or_else(|| panic!("seed {seed}: {faults:#?}\n{text}"));
        taken += 1;
        let world = start(&rules, SetupId(0));
        there_and_back(&rules, &world, &format!("seed {seed}"));
        let (mut after, mut dice, mut orders) = (world, Dice::seeded(seed), Orders::none());
        let ran = run(&rules, &mut after, PhaseId(0), None, &mut dice, &mut orders);
        ran.unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}"));
        there_and_back(&rules, &after, &format!("seed {seed}, after a turn"));
        let text = json::write(&rules, &after);
        lost += usize::from(text.contains("null"));
        // What is left out of a position is refused, whoever wrote it.
        let gone = text.replace(r#""host": "Red""#, "");
        let (found, faults) = json::read(&gone, SourceId(0), &rules);
        assert!(found.is_none(), "seed {seed}: {gone}");
        assert!(faults.iter().any(|f| f.code.to_string() == "E0810"), "{faults:#?}\n{gone}");
    }
    let enough = taken >= share(60) && refused >= share(60) && lost >= share(40);
    assert!(enough, "{taken} taken, {refused} refused, {lost} lost something");
}
