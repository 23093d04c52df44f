//! What would restore a line: found where a change may be felt, and by making every change and
//! asking afresh. Random rulesets, every kind of fact, and every shipped ruleset.

use crate::common::counts::{seeds, share};
use crate::common::random_rules::{self, Taste, random_links};
use crate::common::{Dice, random_legs};
use sutler::ir::{FactId, Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::{Position, Remedy, Restoring, WhyNot};
use sutler::project::{Project, check_text};
use sutler::world::{ThingRef, World, built_in, start};

fn checked(text: &str, what: &str) -> Ruleset {
    let (_, rules, faults) = check_text("random.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("{what}: {faults:#?}\n{text}"))
}

/// What was found, counted by sort.
#[derive(Default, Debug)]
struct Found {
    noes: usize,
    gone: usize,
    freed: usize,
    reach: usize,
    turned: usize,
    stated: usize,
    removals: usize,
}

impl Found {
    fn add(&mut self, found: &WhyNot) {
        self.noes += usize::from(!found.answer.yes);
        self.removals += usize::from(found.removal.is_some());
        for restored in &found.remedies {
            *match restored.remedy {
                Remedy::Gone(_) => &mut self.gone,
                Remedy::Freed(..) => &mut self.freed,
                Remedy::Reach { .. } => &mut self.reach,
                Remedy::Turned(..) => &mut self.turned,
                Remedy::Stated(..) => &mut self.stated,
            } += 1;
        }
    }
}

/// Asks things both ways, all of one position together.
fn agree(position: &Position<'_>, trace: TraceId, things: &[ThingRef], what: &str) -> Found {
    let (ours, twin) = (Restoring::new(position, trace), Restoring::by_trial(position, trace));
    let mut all = Found::default();
    for thing in things {
        let found = ours.why_not(*thing).unwrap();
        assert_eq!(found, twin.why_not(*thing).unwrap(), "{what}, {thing:?}");
        all.add(&found);
    }
    all
}

fn things(position: &Position<'_>, trace: TraceId) -> Vec<ThingRef> {
    let of = position.rules.traces[trace.index()].of;
    let units = (0..position.world.units.len() as u32).map(ThingRef::Unit);
    let spaces = (0..position.map.spaces.len() as u32).map(ThingRef::Space);
    units.chain(spaces).filter(|thing| position.is_kind(*thing, of)).collect()
}

fn sum(all: impl Iterator<Item = Found>) -> Found {
    all.fold(Found::default(), |a, b| Found {
        noes: a.noes + b.noes,
        gone: a.gone + b.gone,
        freed: a.freed + b.freed,
        reach: a.reach + b.reach,
        turned: a.turned + b.turned,
        stated: a.stated + b.stated,
        removals: a.removals + b.removals,
    })
}

#[test]
fn random_chains_of_legs() {
    let found = sum(seeds(500).map(|seed| {
        let text = random_legs::ruleset(&mut random_legs::Dice::new(seed));
        let what = format!("seed {seed}\n{text}");
        let rules = checked(&text, &what);
        let world = start(&rules, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        agree(&position, TraceId(0), &things(&position, TraceId(0)), &what)
    }));
    println!("{found:?}");
    assert!(found.gone > share(20) && found.reach > share(20) && found.removals >= share(5));
    assert!(found.turned > share(20) && found.stated > share(40) && found.noes > share(300));
}

/// A random position of a template: units anywhere or nowhere, spaces of any side, any facts.
fn scatter(dice: &mut Dice, rules: &Ruleset, world: &mut World) {
    let spaces = rules.maps[0].spaces.len();
    let fact = |name: &str| rules.facts.iter().position(|f| f.name == name).unwrap();
    let values = [(fact("leader"), 4), (fact("mood"), 3), (fact("zealous"), 2)];
    for unit in (0..world.units.len() as u32).map(ThingRef::Unit) {
        let space = if dice.percent(8) { 0 } else { dice.below(spaces) as i64 + 1 };
        world.set_fact(&rules.facts[built_in::SPACE.index()], unit, space);
        for (fact, count) in values {
            world.set_fact(&rules.facts[fact], unit, dice.below(count) as i64);
        }
    }
    for space in (0..spaces as u32).map(ThingRef::Space) {
        let side = dice.below(rules.sides.len() + 1) as i64;
        world.set_fact(&rules.facts[built_in::CONTROL.index()], space, side);
    }
}

#[test]
fn random_conditions_that_look_anywhere() {
    let found = sum(seeds(300).map(|seed| {
        let mut dice = Dice::new(seed);
        let taste = Taste { slow: dice.percent(50), spaces: 9 };
        let text = random_rules::text(&mut dice, taste, random_links);
        let what = format!("seed {seed}\n{text}");
        let rules = checked(&text, &what);
        let mut world = random_rules::template(&mut dice, &rules, 7);
        scatter(&mut dice, &rules, &mut world);
        let position = Position::new(&rules, &world).unwrap();
        agree(&position, TraceId(0), &things(&position, TraceId(0)), &what)
    }));
    println!("{found:?}");
    assert!(found.noes > share(120) && found.turned + found.stated > share(20));
}

/// Facts of every kind in every part of a trace: of the unit, of others, of the world, of spaces
/// and of sides, read straight, through a table, and of whoever another fact names.
const FACTS: &str = "edition 1
ruleset facts \"Facts\" prefix FA
sides Red against Blue
dimension steps (step), points (point)
kind area, areas is space {
  has depot yes or no
}
kind road, roads is link
kind game, games is world {
  has cold yes or no
}
kind man, men is unit {
  has legs in steps from 0 to 5
  has brave yes or no
  has chief maybe a man
  has mood one of calm, wild
}
given thaw of game \"the river is open\"
given snow of area \"deep snow\"
given spirit of side in steps from 0 to 3 \"how far its men go\"
given shaken of man \"shaken\"
table far of man gives steps by first match {
  when brave                       then legs + 1
  when (any own man here where brave) then legs
  otherwise                             spirit of owner
}
table toll of man gives points by first match {
  when snow here          then 3
  when mood is wild   then 2
  otherwise                1
}
define led of man = any own man within 1 where brave
";

const PARTS: [(&str, &str, &str, &str, &str); 8] = [
    ("", "depot", "anywhere", "", "far"),
    ("  always led\n", "depot", "not snow", "", "2 steps"),
    ("", "(depot and thaw)", "no enemy man here", "    cost toll\n", "3 points"),
    ("  never shaken\n", "depot", "not any enemy man here where brave", "", "far"),
    ("", "depot", "(thaw or not snow)", "", "far"),
    ("", "depot", "(brave of the man or no enemy man adjacent)", "", "2 steps"),
    ("  always thaw\n", "(depot and friendly)", "anywhere", "    cost toll\n", "4 points"),
    ("", "depot", "any own man within 1 where shaken", "", "unlimited"),
];

#[test]
fn every_kind_of_fact() {
    let found = sum(seeds(160).map(|seed| {
        let mut dice = Dice::new(seed);
        let (verdict, source, through, cost, within) = PARTS[dice.below(PARTS.len())];
        let mut text = FACTS.to_owned();
        text.push_str(&format!(
            "trace line of man {{\n  called joined else cut\n{verdict}  source depot where {source}\n  leg way\n    over roads\n    from anywhere\n    through {through}\n    into anywhere\n{cost}    within {within}\n}}\nmap field {{\n"
        ));
        for space in 0..8 {
            let depot = if dice.percent(20) { ", depot" } else { "" };
            let control = *dice.pick(&["", "Red", "Blue"]);
            let control = if control.is_empty() { String::new() } else { format!(", control {control}") };
            let with = format!("{depot}{control}").trim_start_matches(", ").to_owned();
            let with = if with.is_empty() { with } else { format!(" with {with}") };
            text.push_str(&format!("  space area S{space}{with}\n"));
        }
        for space in 0..8 {
            text.push_str(&format!("  link road S{space} to S{}\n", (space + 1 + dice.below(3)) % 8));
        }
        text.push_str("}\nsetup start on field {\n");
        for man in 0..6 {
            let (side, space) = (dice.pick(&["Red", "Blue"]), dice.below(8));
            let brave = if dice.percent(30) { ", brave" } else { "" };
            let (legs, mood) = (dice.below(4), dice.pick(&["calm", "wild"]));
            text.push_str(&format!(
                "  put man M{man} of {side} in S{space} with legs {legs}, mood {mood}{brave}\n"
            ));
        }
        text.push_str("}\n");
        let what = format!("seed {seed}\n{text}");
        let rules = checked(&text, &what);
        let mut world = start(&rules, SetupId(0));
        let given = |name: &str| {
            let at = rules.facts.iter().position(|f| f.name == name).unwrap();
            &rules.facts[FactId::at(at).index()]
        };
        world.set_fact(given("thaw"), ThingRef::World, i64::from(dice.percent(50)));
        for space in (0..8).map(ThingRef::Space) {
            world.set_fact(given("snow"), space, i64::from(dice.percent(30)));
        }
        for side in (0..2).map(|s| ThingRef::Side(SideId(s))) {
            world.set_fact(given("spirit"), side, dice.below(4) as i64);
        }
        for man in (0..6).map(ThingRef::Unit) {
            world.set_fact(given("shaken"), man, i64::from(dice.percent(40)));
        }
        let position = Position::new(&rules, &world).unwrap();
        agree(&position, TraceId(0), &things(&position, TraceId(0)), &what)
    }));
    println!("{found:?}");
    assert!(found.stated > share(100) && found.noes > share(100));
    assert!(found.gone + found.turned > share(10));
}

/// Every setup and trace of every shipped ruleset; of the things that have no line the first and
/// the last, by trial.
#[test]
fn shipped_rulesets() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets");
    let mut all = Vec::new();
    for name in ["soldier_kings", "malaya", "sgs", "blockade_siege"] {
        let project = Project::open_rules(&root.join(name));
        for rules in project.rulesets.iter().filter_map(|r| r.rules.as_ref()) {
            for setup in 0..rules.setups.len() {
                let mut world = start(rules, SetupId::at(setup));
                world.viewer = world.viewer.or(Some(SideId(0)));
                let position = Position::new(rules, &world).unwrap();
                for trace in (0..rules.traces.len()).map(TraceId::at) {
                    let what = format!("{name}, setup {setup}, trace {}", trace.index());
                    let no = |t: &ThingRef| !position.answer(trace, *t).unwrap().yes;
                    let mut noes: Vec<ThingRef> =
                        things(&position, trace).into_iter().filter(no).collect();
                    if noes.len() > 2 {
                        noes.drain(1..noes.len() - 1);
                    }
                    all.push(agree(&position, trace, &noes, &what));
                }
            }
        }
    }
    let found = sum(all.into_iter());
    println!("{found:?}");
    assert!(found.noes > 10 && found.turned > 0 && found.reach > 0 && found.stated > 0);
}
