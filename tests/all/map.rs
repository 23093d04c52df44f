//! Drawings of whole rulesets, and the places of spaces in the language.

use std::path::Path;

use sutler::draw::{self, Wanted};
use sutler::ir::{Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::Position;
use sutler::project::Project;
use sutler::report::trace_report;

const HEAD: &str = "edition 1\nruleset tiny \"Tiny\" prefix T\nkind area, areas is space\nkind road, roads is link\n";

/// A ruleset with these lines on its map, and the messages about it.
fn compiled(lines: &str) -> (Option<Ruleset>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("rules.sut"), format!("{HEAD}map m {{\n{lines}}}\n"))
        .expect("a file");
    let mut project = Project::open(folder.path());
    let mut loaded = project.rulesets.remove(0);
    let messages = loaded.faults.iter().map(|f| format!("{} {}", f.code, f.message)).collect();
    (loaded.rules.take(), messages)
}

fn own() -> Ruleset {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/soldier_kings");
    let mut project = Project::open(&folder);
    project.rulesets.remove(0).rules.take().expect("the ruleset has no error")
}

#[test]
fn places_are_read_in_hundredths_and_leave_the_rules_alone() {
    let (placed, faults) = compiled(
        "  space area A \"Ay\" at (7, 13/2)\n  space area B at (-1/3, 0)\n  space area C\n",
    );
    let placed = placed.unwrap_or_else(|| panic!("{faults:?}"));
    let at: Vec<_> = placed.maps[0].spaces.iter().map(|s| s.at).collect();
    assert_eq!(at, [Some((700, 650)), Some((-34, 0)), None]);
    let (bare, _) = compiled("  space area A \"Ay\"\n  space area B\n  space area C\n");
    let mut bare = bare.expect("no fault");
    // The hash is of what a map says, and it says where its spaces are drawn. Nothing else is
    // another.
    assert_ne!(placed.hash, bare.hash);
    for (space, at) in bare.maps[0].spaces.iter_mut().zip(&at) {
        space.at = *at;
    }
    assert_eq!(format!("{:?}", bare.maps), format!("{:?}", placed.maps));
}

#[test]
fn places_are_numbers_and_not_too_far_out() {
    for (line, code) in [
        ("at (1000000, 0)", "E0309"),
        ("at (0, 1 is 1)", "E0"),
        ("at (0, 1 = 1)", "E0"),
        ("at (7)", "E0"),
    ] {
        let (rules, faults) = compiled(&format!("  space area A {line}\n"));
        assert!(rules.is_none(), "{line}");
        assert!(faults.iter().any(|f| f.starts_with(code)), "{line}: {faults:?}");
    }
}

#[test]
fn the_sample_map_has_a_place_for_every_space_and_draws_what_the_trace_says() {
    let rules = own();
    let setup = rules.setups.iter().position(|s| s.units.len() > 10).expect("a setup with units");
    let world = sutler::world::start(&rules, SetupId::at(setup));
    let position = Position::new(&rules, &world).expect("a map");
    assert!(position.map.spaces.iter().all(|s| s.at.is_some()));
    let wanted = Wanted { trace: Some(TraceId(0)), side: Some(SideId(0)), ..Wanted::default() };
    let picture = draw::gather(&position, &wanted).expect("a picture");
    let report = trace_report(&position, TraceId(0)).expect("a report");
    assert_eq!(picture.units.len(), report.units.len());
    for (drawn, said) in picture.units.iter().zip(&report.units) {
        let answer = drawn.answer.as_ref().expect("an answer");
        assert_eq!((&drawn.id, answer.yes, answer.length), (&said.id, said.yes, said.distance));
    }
    // Drawn afresh from a position of its own, the bytes are the same.
    let again = Position::new(&rules, &world).expect("a map");
    assert_eq!(draw::svg(&picture), draw::svg(&draw::gather(&again, &wanted).expect("a picture")));
    let text = draw::text(&picture);
    assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
}

#[test]
fn two_places_are_never_the_same() {
    let rules = own();
    let mut places: Vec<_> = rules.maps[0].spaces.iter().filter_map(|s| s.at).collect();
    let all = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), all);
}
