//! What a change of the rules does to answers: with what it cannot touch left out and positions
//! asked together, and with everything asked of each position. Random rulesets with one change, and
//! every shipped variant.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::common::Dice;
use crate::common::counts::{seeds, share};
use crate::common::random_rules::{self, Taste, random_links};
use sutler::compare::{Both, Comparing, Flip, Side, Suspects, diff, flips};
use sutler::ir::{Ruleset, SetupId};
use sutler::project::Project;
use sutler::world::{ThingRef, World, built_in, start};

/// Changes of the text of a random ruleset: what is replaced, and with what.
const CHANGES: [(&str, &str); 14] = [
    ("row led when leader is not none then 2", "row led when leader is not none then 1"),
    ("row wild when mood is wild then 0\n", ""),
    ("row b when any fleet here then 1", "row b when any fleet here then 2"),
    ("default they_count", "default ignored"),
    ("option fog \"Fog\" default off", "option fog \"Fog\" default on"),
    ("define d0 of area = ", "define d0 of area = coastal or "),
    ("define d1 of area = ", "define d1 of area = not "),
    ("  source s0 where ", "  source s0 where coastal and "),
    ("within reach\n", "within 1\n"),
    ("called linked else cut", "called joined else cut"),
    (
        "trace line of force",
        "table extra of army gives areas by first match {\n  row a when zealous then 1\n  otherwise 2\n}\ntrace line of force",
    ),
    (
        "kind road, roads is link",
        "kind sky, skies is world {\n  has weather one of clear, mud\n}\nkind road, roads is link",
    ),
    ("has steady yes or no\n", "has steady yes or no\n  has weary yes or no\n"),
    ("sides Red, Blue, Green, Grey", "sides Red, Blue, Green, Grey, Black"),
];

/// More that is asked: a list of tests and tables, one of which reads the trace.
const MORE: &str = "table strength of army gives areas by first match {
  row cut_off when cut  then 1
  row old when leader is Old then 3
  otherwise 2
}
test courage of army {
  roll 1d6
  when total at most strength then holds
  otherwise runs
}
";

pub fn project(first: &str, second: &str) -> Project {
    let texts = [("all/a/rules.sut", first), ("all/b/rules.sut", second)];
    let texts: BTreeMap<PathBuf, Vec<u8>> =
        texts.into_iter().map(|(path, text)| (path.into(), text.as_bytes().to_vec())).collect();
    Project::of_texts(texts, "all".as_ref())
}

/// A random position, the same for the same dice.
fn position(dice: &mut Dice, rules: &Ruleset) -> World {
    let mut world = random_rules::template(dice, rules, 6);
    deal(dice, rules, &mut world, ("leader", 4), 5);
    world
}

/// Puts units anywhere, one in ten nowhere, gives each one of so many values of a fact, and each
/// space one of so many values of control, of which the first is none.
pub fn deal(
    dice: &mut Dice,
    rules: &Ruleset,
    world: &mut World,
    (fact, values): (&str, usize),
    control: usize,
) {
    let spaces = rules.maps[0].spaces.len();
    let fact = rules.facts.iter().find(|f| f.name == fact).unwrap();
    for unit in (0..world.units.len() as u32).map(ThingRef::Unit) {
        let space = if dice.percent(10) { 0 } else { dice.below(spaces) as i64 + 1 };
        world.set_fact(&rules.facts[built_in::SPACE.index()], unit, space);
        world.set_fact(fact, unit, dice.below(values) as i64);
    }
    for space in (0..spaces as u32).map(ThingRef::Space) {
        let side = dice.below(control) as i64;
        world.set_fact(&rules.facts[built_in::CONTROL.index()], space, side);
    }
}

/// Compares both ways; how many answers there are, and those that flip.
pub fn agree(project: &Project, positions: &[Both], what: &str) -> (usize, Vec<Flip>) {
    let [a, b] = &project.rulesets[..] else { panic!("{what}: two rulesets") };
    let (Some(first), Some(second)) = (&a.rules, &b.rules) else { return (0, Vec::new()) };
    let sources = &project.sources;
    let side = |resolved, rules| Side { resolved, sources, rules };
    let changes = diff(side(a.resolved(), first), side(b.resolved(), second)).changes;
    let suspects = Suspects::new(&changes, &[(a.resolved(), sources), (b.resolved(), sources)]);
    let mut comparing = Comparing::new(first, second, &suspects);
    let (mut asked, mut all) = (0, Vec::new());
    for ((place, before, after), found) in positions.iter().zip(comparing.flips(positions)) {
        let twin = flips((first, before), (second, after), place, &suspects);
        let (ours, found) = found.unwrap();
        let (theirs, twin) = twin.unwrap();
        assert_eq!(found, twin, "{what}, {place}");
        let count =
            |asked: &sutler::compare::Asked| (asked.position.clone(), asked.answers, asked.flips);
        assert_eq!(count(&ours), count(&theirs), "{what}, {place}");
        asked += ours.answers;
        all.extend(found);
    }
    (asked, all)
}

#[test]
fn random_rulesets_with_one_change() {
    let (mut asked, mut flipped, mut compared) = (0, 0, 0);
    for seed in seeds(200) {
        let mut dice = Dice::new(seed);
        let taste = Taste { slow: dice.percent(40), spaces: 8 };
        let text = random_rules::text(&mut dice, taste, random_links)
            .replace("\nmap m {", &format!("\n{MORE}map m {{"));
        let (from, to) = CHANGES[dice.below(CHANGES.len())];
        let other = text.replacen(from, to, 1).replace("ruleset random", "ruleset other");
        let project = project(&text, &other);
        let what = format!("seed {seed}, {from:?} to {to:?}\n{text}");
        let [Some(a), Some(b)] = [0, 1].map(|at| project.rulesets[at].rules.as_ref()) else {
            // A change may not fit what was made at random; the first text always does.
            assert!(
                project.rulesets[0].rules.is_some(),
                "{:?}\n{what}",
                project.rulesets[0].faults
            );
            continue;
        };
        compared += 1;
        let positions: Vec<Both> = (0..12)
            .map(|at| {
                let roll = seed * 100 + at;
                let mut after = position(&mut Dice::new(roll), b);
                if dice.percent(10) {
                    after.units[2].id = "another".to_owned();
                }
                (format!("position {at}"), position(&mut Dice::new(roll), a), after)
            })
            .collect();
        let (answers, flips) = agree(&project, &positions, &what);
        asked += answers;
        flipped += flips.len();
    }
    println!("{flipped} of {asked} answers flip in {compared} pairs of rulesets");
    assert!(flipped > share(500) && asked > share(20_000) && compared > share(100));
}

/// Every setup of every shipped ruleset, under it and under each of its variants.
#[test]
fn shipped_variants() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets");
    let mut flipped = 0;
    for (name, variant) in [
        ("soldier_kings", "house.sut"),
        ("soldier_kings", "soldier_raj.sut"),
        ("malaya", "jungle_tracks.sut"),
        ("sgs", "fair_weather.sut"),
        ("sgs", "full_fortress.sut"),
        ("blockade_siege", "cavalry.sut"),
    ] {
        let folder = root.join(name);
        let project = Project::open_two_rules(&folder, &folder.join(variant));
        let [a, b] = [0, 1].map(|at| project.rulesets[at].rules.as_ref().unwrap());
        let both = a.setups.iter().enumerate().filter_map(|(first, setup)| {
            let second = b.setups.iter().position(|s| s.name == setup.name)?;
            let place = format!("setup {}", setup.name);
            Some((place, start(a, SetupId::at(first)), start(b, SetupId::at(second))))
        });
        let positions: Vec<Both> = both.collect();
        flipped += agree(&project, &positions, variant).1.len();
    }
    assert!(flipped > 10, "{flipped} answers flip");
}
