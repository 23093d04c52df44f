//! The crossings that a line goes straight on over, against the lines as they were drawn.

use super::{Along, Game, TRACES, VIADUCT, asked, is_kind, things, trace};
use crate::common::counts::{seeds_every, share};
use crate::common::{Dice, checked};
use crate::place::Place;
use serde_json::{Value, json};
use sutler::kernel::Position;

impl Game {
    /// The links by which a trace may step between two spaces, as who leaves the first goes along them.
    fn between(&self, trace: usize, space: usize, end: usize) -> Vec<Along> {
        let of = |along: &Along| {
            let used = |leg: &(&'static str, &'static str)| {
                let links = leg.0.trim_end_matches(" where not blown");
                links.split(", ").any(|kind| is_kind(self.lines[along.line].kind, kind))
            };
            (along.from, along.to) == (space, end) && TRACES[trace].legs.iter().any(used)
        };
        self.all().into_iter().filter(of).collect()
    }

    /// The crossings that a way of a trace goes straight on over.
    fn gone_over(&self, trace: usize, way: &[u32]) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for step in way.windows(3) {
            let [before, space, behind] = [0, 1, 2].map(|at| step[at] as usize);
            for (kind, _) in self.crossings.iter().filter(|(_, at)| *at == space) {
                let ends = [before, behind].map(|end| self.between(trace, space, end));
                let one = |group: &Vec<Along>| ends.iter().flatten().all(|a| group.contains(a));
                if self.grouped(kind, space).iter().any(one) {
                    found.push((space, (*kind).trim_end_matches('s').to_owned()));
                }
            }
        }
        found.sort();
        found
    }
}

#[test]
fn lines_name_the_crossings_that_they_go_over() {
    let (mut lines, mut over) = (0, 0);
    for seed in seeds_every(200, 7) {
        let mut dice = Dice::new(seed);
        let (game, traces, text) = asked(seed, &mut dice);
        let rules = checked(&text);
        let world = game.world(&rules);
        let position = Position::new(&rules, &world).unwrap();
        for at in traces {
            let id = trace(&rules, &format!("t{at}"));
            for (thing, _) in things(&game, at) {
                let (_, way) = position.answer_and_route(id, thing).unwrap();
                let crossing = |at: usize| {
                    let crossing = &position.map.crossings[at];
                    (crossing.space as usize, rules.kinds[crossing.kind.index()].name.clone())
                };
                let mut found: Vec<(usize, String)> =
                    position.gone_over(id, &way).into_iter().map(crossing).collect();
                found.sort();
                let wanted = game.gone_over(at, &way);
                assert_eq!(found, wanted, "t{at} of {thing:?}: {way:?}, seed {seed}\n{text}");
                lines += usize::from(!way.is_empty());
                over += found.len();
            }
        }
    }
    println!("{lines} lines go over {over} crossings");
    assert!(over > share(100), "{over} of {lines}");
}

#[test]
fn rows_and_drawings_name_the_crossing() {
    let place = Place::with(VIADUCT);
    let said = |args: &[&str]| {
        let said = place.run(args);
        format!("{}{}", said.out, said.err)
    };
    let read = |args: &[&str]| -> Value { serde_json::from_str(&said(args)).unwrap() };
    let of = |report: &Value, id: &str| {
        let rows = report["units"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{report}"))
    };
    let straight = ["--setup", "start", "--given", "space of First is C"];
    let asked = |what: &[&'static str]| [what, &straight].concat();
    let wanted = json!([{ "kind": "road", "space": "X" }]);
    let row = of(&read(&asked(&["trace", "game", "--format", "json"])), "First");
    assert_eq!((&row["route"], &row["crossings"]), (&json!(["C", "X", "D"]), &wanted));
    let row = of(&read(&asked(&["map", "game", "--format", "json"])), "First");
    assert_eq!((&row["route"], &row["crossings"]), (&json!(["C", "X", "D"]), &wanted));
    for args in [asked(&["trace", "game"]), asked(&["map", "game"])] {
        assert!(said(&args).contains("X (straight on) > D"), "{}", said(&args));
    }
    let svg = said(&asked(&["map", "game", "--format", "svg"]));
    assert!(svg.contains("X (straight on) &gt; D"), "{svg}");
    // Who begins on the crossing goes over none.
    let begun =
        ["trace", "game", "--format", "json", "--setup", "start", "--given", "space of First is X"];
    assert!(of(&read(&begun), "First").get("crossings").is_none());
}
