//! Pairs against counting by hand, pairs in gates against the slow twin, what is stated, and lists of tests against all
//! throws of their dice.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may abort")]

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;

use common::Dice as Picks;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Zero};
use sutler::engine::odds::{Cell, Change, End, Odds, Passing, changed, list_odds, odds, odds_within};
use sutler::engine::{Dice, DiceFault, Orders, RunFault, run};
use sutler::ir::*;
use sutler::kernel::hex::Wanted;
use sutler::kernel::{Amount, Batch, Flags, HexKernel, HexScratch, Kernel, Position, Refused, Scratch, Value, reference};
use sutler::project::{Project, check_text};
use sutler::source::SourceId;
use sutler::suite::run_case;
use sutler::world::json::{read, write};
use sutler::world::{Said, ThingRef, World, start};

fn checked(text: &str) -> Ruleset {
    let (_, rules, faults) = check_text("pairs.sut", text.as_bytes());
    rules.unwrap_or_else(|| panic!("{text}\n{faults:#?}"))
}

fn codes(text: &str) -> Vec<String> {
    check_text("pairs.sut", text.as_bytes()).2.iter().map(|f| f.code.to_string()).collect()
}

const TABLE: &str = "edition 1
ruleset table_top \"On a table\" prefix TT
sides Red, Blue
dimension bw (bw)
tabletop in bw
kind thing_, things is unit
kind stand, stands is thing_ {
  has strength in bw from 0 to 6
}
kind wood, woods is space
map field {
  space wood Grove
  space wood Copse
}
setup start on field {
  given Red is enemy_of Blue
}
pair stand shooter is reaching stand foe = gap from shooter to foe at most 2 bw
    and no enemy stand where (it is before shooter and it is not in_contact_with foe)
pair strain from stand a to stand b = greater of (4 - gap from a to b, 0) + lead from a to b
pair stand s is hidden_in wood w = s is standing_on w and strength of s less than 4
pair lead from stand a to stand b = strength of a / 2 - strength of b / 2
define shooters of stand = count of stands where it is reaching the stand
define pressure of stand = sum of strain from it to the stand of stands
define worst of stand = highest strain from the stand to it of stands
define least_gap of stand = lowest gap from it to the stand of stands
define covers of stand = count of woods where the stand is hidden_in it
define linked of stand = any stand where (it is reaching the stand and the stand is reaching it)
";

/// All that is stated of the stands of a random position, kept beside the position.
struct Hand {
    strength: Vec<i64>,
    red: Vec<bool>,
    gap: BTreeMap<(usize, usize), Ratio<i64>>,
    truths: BTreeMap<(Measure, usize, usize), bool>,
    reaching: BTreeMap<(usize, usize), bool>,
    strain: BTreeMap<(usize, usize), Ratio<i64>>,
    on: BTreeMap<(usize, usize), bool>,
}

impl Hand {
    fn truth(&self, measure: Measure, a: usize, b: usize) -> bool {
        self.truths.get(&(measure, a, b)).copied().unwrap_or(false)
    }

    fn reaching(&self, a: usize, b: usize) -> bool {
        if let Some(said) = self.reaching.get(&(a, b)) {
            return *said;
        }
        // The owner of the shooter asks who is an enemy.
        let shaded = (0..self.red.len())
            .any(|c| self.red[c] != self.red[a] && self.truth(Measure::Before, c, a) && !self.truth(Measure::InContactWith, c, b));
        self.gap.get(&(a, b)).is_some_and(|gap| *gap <= Ratio::from_integer(2)) && !shaded
    }

    fn strain(&self, a: usize, b: usize) -> Option<Ratio<i64>> {
        if let Some(said) = self.strain.get(&(a, b)) {
            return Some(*said);
        }
        let half = |n: i64| Ratio::new(n, 2);
        let near = (Ratio::from_integer(4) - self.gap.get(&(a, b))?).max(Ratio::zero());
        Some(near + half(self.strength[a]) - half(self.strength[b]))
    }
}

fn random_table(picks: &mut Picks, rules: &Ruleset) -> (World, Hand) {
    let mut world = start(rules, SetupId(0));
    let count = 1 + picks.below(6);
    let stand = rules.kinds.iter().position(|k| k.name == "stand").map(KindId::at).unwrap();
    let strength = rules.facts.iter().position(|f| f.name == "strength").map(FactId::at).unwrap();
    let (mut strengths, mut red) = (Vec::new(), Vec::new());
    for at in 0..count {
        let (side, value) = (picks.below(2), picks.below(7) as i64);
        let unit = PutUnit {
            id: format!("S{at}"),
            title: format!("S{at}"),
            kind: stand,
            owner: Some(SideId(side as u8)),
            space: None,
            facts: vec![(strength, value)],
        };
        world.put(rules, &unit);
        strengths.push(value);
        red.push(side == 0);
    }
    let mut hand = Hand {
        strength: strengths,
        red,
        gap: BTreeMap::new(),
        truths: BTreeMap::new(),
        reaching: BTreeMap::new(),
        strain: BTreeMap::new(),
        on: BTreeMap::new(),
    };
    let unit = |at: usize| ThingRef::Unit(at as u32);
    for a in 0..count {
        for b in 0..count {
            if picks.percent(60) {
                let gap = Ratio::new(picks.below(20) as i64, 1 + picks.below(4) as i64);
                hand.gap.insert((a, b), gap);
                world.stated.say(PairRef::Measured(Measure::Gap), unit(a), unit(b), Said::Amount(gap));
            }
            for measure in [Measure::Before, Measure::InContactWith] {
                if picks.percent(25) {
                    let yes = picks.percent(70);
                    hand.truths.insert((measure, a, b), yes);
                    world.stated.say(PairRef::Measured(measure), unit(a), unit(b), Said::Truth(yes));
                }
            }
            if picks.percent(10) {
                let yes = picks.percent(50);
                hand.reaching.insert((a, b), yes);
                world.stated.say(PairRef::Own(PairId(0)), unit(a), unit(b), Said::Truth(yes));
            }
            if picks.percent(10) {
                let amount = Ratio::new(picks.below(13) as i64 - 6, 2);
                hand.strain.insert((a, b), amount);
                world.stated.say(PairRef::Own(PairId(1)), unit(a), unit(b), Said::Amount(amount));
            }
        }
        for wood in 0..2 {
            if picks.percent(40) {
                hand.on.insert((a, wood), true);
                world.stated.say(PairRef::Measured(Measure::StandingOn), unit(a), ThingRef::Space(wood as u32), Said::Truth(true));
            }
        }
    }
    (world, hand)
}

fn defined(position: &Position<'_>, name: &str, of: ThingRef) -> Value {
    let define = position.rules.defines.iter().find(|d| d.name == name).unwrap();
    position.value(define.value, &position.asked_of(of)).unwrap()
}

#[test]
fn random_tables_are_counted_as_by_hand() {
    let rules = checked(TABLE);
    let mut picks = Picks::new(11);
    let (mut reached, mut asked) = (0, 0);
    for _ in 0..400 {
        let (world, hand) = random_table(&mut picks, &rules);
        let position = Position::new(&rules, &world).unwrap();
        let count = hand.red.len();
        for b in 0..count {
            let of = ThingRef::Unit(b as u32);
            let shooters = (0..count).filter(|a| hand.reaching(*a, b)).count();
            assert_eq!(defined(&position, "shooters", of), Value::Number(Amount::from_integer(shooters as i64)));
            let all: Vec<Ratio<i64>> = (0..count).filter_map(|a| hand.strain(a, b)).collect();
            assert_eq!(defined(&position, "pressure", of), Value::Number(all.iter().sum()));
            let out = (0..count).filter_map(|a| hand.strain(b, a)).max().unwrap_or_default();
            assert_eq!(defined(&position, "worst", of), Value::Number(out));
            let gap = (0..count).filter_map(|a| hand.gap.get(&(a, b)).copied()).min().unwrap_or_default();
            assert_eq!(defined(&position, "least_gap", of), Value::Number(gap));
            let covers = (0..2).filter(|w| hand.on.contains_key(&(b, *w)) && hand.strength[b] < 4).count();
            assert_eq!(defined(&position, "covers", of), Value::Number(Amount::from_integer(covers as i64)));
            let linked = (0..count).any(|a| hand.reaching(a, b) && hand.reaching(b, a));
            assert_eq!(defined(&position, "linked", of), Value::Truth(linked));
            (reached, asked) = (reached + shooters, asked + count);
        }
        let json = write(&rules, &world);
        let (again, faults) = read(&json, SourceId(0), &rules);
        assert!(faults.is_empty(), "{faults:?}\n{json}");
        assert_eq!(again.as_ref(), Some(&world), "{json}");
    }
    assert!(reached > asked / 10 && reached < asked * 9 / 10, "{reached} of {asked}");
}

/// A map, bands on it, and a trace whose gates and source ask pairs.
fn gated(picks: &mut Picks) -> String {
    let spots = 4 + picks.below(6);
    let mut text = "edition 1
ruleset gates \"Gates\" prefix GA
sides Red against Blue
dimension links (link), points (point)
tabletop in points
kind spot, spots is space {
  has keep yes or no
}
kind path_, paths is link
kind band, bands is unit {
  has strength in points from 0 to 5
}
pair band a is barring spot s = strength of a at least 3 and any spot adjacent to a where it is s
pair spot s is overlooking spot t = s is before t and no enemy band in s
trace line of band \"line\" {
  called fed else hungry
  source keep where (keep and no enemy band where it is standing_on the spot)
  leg way
    over    paths
    from    anywhere
    through no enemy band where it is barring the spot
    into    no spot where it is overlooking the spot
    within  4
}
map ground {
"
    .to_owned();
    for at in 0..spots {
        let keep = if picks.percent(35) { " with keep" } else { "" };
        writeln!(text, "  space spot P{at}{keep}").unwrap();
    }
    for a in 0..spots {
        for b in a + 1..spots {
            if picks.percent(35) {
                writeln!(text, "  link path_ P{a} to P{b}").unwrap();
            }
        }
    }
    text.push_str("}\nsetup start on ground {\n");
    for at in 0..2 + picks.below(5) {
        let side = if picks.percent(50) { "Red" } else { "Blue" };
        writeln!(text, "  put band B{at} of {side} in P{} with strength {}", picks.below(spots), picks.below(6)).unwrap();
    }
    text + "}\n"
}

#[test]
fn pairs_in_gates_agree_with_the_slow_twin_in_every_way() {
    let (mut fed, mut asked, mut ready) = (0, 0, 0);
    for seed in 0..90 {
        let mut picks = Picks::new(seed);
        let text = gated(&mut picks);
        let rules = checked(&text);
        let mut template = start(&rules, SetupId(0));
        let (units, spots) = (template.units.len() as u32, rules.maps[0].spaces.len() as u32);
        let says = |world: &mut World, picks: &mut Picks, pair, from, to| {
            if picks.percent(20) {
                let yes = picks.percent(50);
                world.stated.say(pair, from, to, Said::Truth(yes));
            }
        };
        for to in (0..spots).map(ThingRef::Space) {
            for from in (0..units).map(ThingRef::Unit) {
                says(&mut template, &mut picks, PairRef::Own(PairId(0)), from, to);
                says(&mut template, &mut picks, PairRef::Measured(Measure::StandingOn), from, to);
            }
            for from in (0..spots).map(ThingRef::Space) {
                says(&mut template, &mut picks, PairRef::Measured(Measure::Before), from, to);
            }
        }
        let strength = rules.facts.iter().position(|f| f.name == "strength").map(FactId::at).unwrap();
        let kernel = Kernel::compile(&rules, &template, TraceId(0), &[strength]).unwrap();
        let mut batch = Batch::new(&rules, &template, 70, &[strength]).unwrap();
        for position in 0..batch.positions() {
            for unit in 0..units {
                assert!(batch.set_space(position, unit, picks.percent(90).then(|| picks.below(spots as usize) as u32)));
                assert!(batch.set_fact(position, unit, strength, picks.below(6) as i64));
            }
            for space in 0..spots {
                assert!(batch.set_control(position, space, None));
            }
        }
        let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
        kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
        let hex = match HexKernel::compile(&rules, &template, TraceId(0)) {
            Ok(kernel) => Some(kernel),
            Err(Refused::PerSubject) => None,
            Err(fault) => panic!("{fault}\n{text}"),
        };
        ready += usize::from(hex.is_some());
        let mut room = HexScratch::default();
        for at in 0..batch.positions() {
            let world = batch.world(at);
            assert_eq!(world.stated, template.stated);
            let position = Position::new(&rules, &world).unwrap();
            if let Some(hex) = &hex {
                hex.ask(&world, Wanted::Lengths, &mut room).unwrap();
            }
            for unit in 0..units {
                let thing = ThingRef::Unit(unit);
                let slow = reference::ask(&position, TraceId(0), thing).unwrap();
                let field = position.answer(TraceId(0), thing).unwrap();
                assert_eq!((field.yes, field.length), slow, "seed {seed}, position {at}, unit {unit}\n{text}");
                assert_eq!(flags.get(at, unit), Some(slow.0), "planes, seed {seed}, position {at}, unit {unit}\n{text}");
                if let Some(row) = room.rows().iter().find(|r| r.thing == thing).filter(|_| hex.is_some()) {
                    assert_eq!((row.yes, row.length), slow, "hexes, seed {seed}, position {at}, unit {unit}\n{text}");
                }
                (fed, asked) = (fed + usize::from(slow.0), asked + 1);
            }
        }
    }
    assert!(fed > asked / 10 && fed < asked * 9 / 10, "{fed} of {asked}");
    assert!(ready > 60, "{ready} traces could be searched for all units together");
}

const SMALL: &str = "edition 1
ruleset small \"Small\" prefix SM
sides Red against Blue
dimension points (point)
kind band, bands is unit {
  has strength in points from 0 to 5
}
kind chief, chiefs is unit
kind spot, spots is space
named chief Old
clause a \"The stronger one outdoes the weaker.\"
";

#[test]
fn mistakes_in_pairs_have_their_codes() {
    let pair = "pair band a is outdoing band b = strength of a more than strength of b [a]\n";
    let amount = "pair lead from band a to band b = strength of a - strength of b [a]\n";
    let cases: [(&str, &[&str]); 21] = [
        ("pair band a is outdoing band b = strength of a\n", &["E0316"]),
        ("pair lead from band a to band b = strength of a is 2\n", &["E0316"]),
        ("pair band a is outdoing band b = strength more than 2\n", &["E0317"]),
        ("pair band a is outdoing band b = own\n", &["E0317"]),
        ("pair band a is outdoing band b = strength of the band more than 2\n", &["E0317"]),
        ("pair band a is outdoing band b = any band here\n", &["E0317"]),
        ("pair band a is outdoing band b = any chief where strength more than 2\n", &["E0317"]),
        ("pair band a is outdoing band a = strength of a more than 2\n", &["E0202"]),
        ("pair world w is outdoing band a = strength of a more than 2\n", &["E0207"]),
        ("pair bnad a is outdoing band b = strength of b more than 2\n", &["E0203"]),
        ("pair band a is outdoing band b = b is outdoing a\n", &["E0411"]),
        ("pair band a is outdoing band b = bold of a\ndefine bold of band = any band where it is outdoing the band\n", &["E0411"]),
        ("PAIRdefine bold of band = outdoing\n", &["E0318"]),
        ("PAIRdefine bold of band = any outdoing band\n", &["E0318"]),
        ("PAIRdefine bold of band = any band where it is outdoin the band\n", &["E0201"]),
        ("PAIRdefine bold of band = any band where outdoing from it to the band is 2\n", &["E0318"]),
        ("PAIRdefine bold of band = any spot where it is outdoing the band\n", &["E0318"]),
        ("PAIRPAIR", &["E0202"]),
        ("PAIRdefine outdoing of band = strength more than 2\n", &["E0202"]),
        ("define far of band = any band where (gap from it to the band more than 2)\n", &["E0201"]),
        ("tabletop in points\npair gap from band a to band b = strength of a + strength of b\n", &["E0202"]),
    ];
    for (text, wanted) in cases {
        let text = text.replace("PAIR", pair);
        assert_eq!(codes(&format!("{SMALL}{text}")), wanted, "{text}");
    }
    for text in [pair, amount] {
        assert_eq!(codes(&format!("{SMALL}{text}")), [] as [&str; 0]);
    }
}

#[test]
fn mistakes_in_what_is_stated_have_their_codes() {
    let rules = "map m {
  space spot Here
}
pair band a is outdoing band b = strength of a more than strength of b
pair lead from band a to band b = strength of a - strength of b
case \"one\" {
  on     m
  put    band A of Red
  put    band B of Blue
  given  GIVEN
  expect A is outdoing B
}
";
    let cases: [(&str, &[&str]); 9] = [
        ("A is outdoing B", &[]),
        ("not A is outdoing B", &[]),
        ("lead from A to B is -3", &[]),
        ("lead from A to B is 6", &["E0319"]),
        ("lead from A to B is 1/2", &["E0319"]),
        ("lead from A to B is strength of A", &["E0319"]),
        ("A is outdoing Here", &["E0318"]),
        ("A is outdoin B", &["E0201"]),
        ("lead from A to B is A", &["E0302"]),
    ];
    for (given, wanted) in cases {
        assert_eq!(codes(&format!("{SMALL}{}", rules.replace("GIVEN", given))), wanted, "{given}");
    }
    let setup = "map m {
  space spot Here
}
pair band a is outdoing band b = strength of a more than strength of b
setup s on m {
  put band A of Red
  put band B of Blue
  given A is outdoing B
}
case \"a setup states it too\" {
  setup  s
  expect A is outdoing B
  expect B is not outdoing A
}
";
    let (sources, rules, faults) = check_text("small.sut", format!("{SMALL}{setup}").as_bytes());
    assert!(faults.is_empty(), "{faults:?}");
    let rules = rules.unwrap();
    let found = run_case(&rules, &rules.cases[0], |span| sources.slice(span)).failures;
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn faults_in_a_position_have_their_codes() {
    let rules = checked(&format!(
        "{SMALL}tabletop in points
pair band a is outdoing band b = strength of a more than strength of b
map m {{
  space spot Here
}}
setup s on m {{
  put band A of Red
  put band B of Blue
}}
"
    ));
    let read = |entries: &str| read(&format!("{{\"schema\": 1, \"setup\": \"s\", \"stated\": {entries}}}"), SourceId(0), &rules);
    let cases = [
        (r#"[{"pair": "outdoing", "from": "A", "to": "B", "value": true}]"#, ""),
        (r#"[{"pair": "gap", "from": "A", "to": "Here", "value": "7/3"}]"#, ""),
        (r#"[{"pair": "gap", "from": "A", "to": "Here", "value": 2}]"#, ""),
        (r#"[{"pair": "outdoin", "from": "A", "to": "B", "value": true}]"#, "E0806"),
        (r#"[{"pair": "outdoing", "from": "A", "to": "C", "value": true}]"#, "E0806"),
        (r#"[{"pair": "outdoing", "from": "A", "to": "Here", "value": true}]"#, "E0806"),
        (r#"[{"pair": "outdoing", "from": "A", "to": "B", "value": 1}]"#, "E0804"),
        (r#"[{"pair": "outdoing", "from": "A", "to": "B"}]"#, "E0804"),
        (r#"[{"pair": "outdoing", "to": "B", "value": true}]"#, "E0804"),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": "1/0"}]"#, "E0804"),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": "half"}]"#, "E0804"),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": -1}]"#, "E0809"),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": 1}, {"pair": "gap", "from": "A", "to": "B", "value": 1}]"#, "E0802"),
        (r#"[{"pair": "gap", "from": "A", "to": "B", "value": 1, "by": 2}]"#, "E0803"),
        (r#"{"gap": 1}"#, "E0804"),
    ];
    for (entries, code) in cases {
        let (world, faults) = read(entries);
        let found: Vec<String> = faults.iter().map(|f| f.code.to_string()).collect();
        assert_eq!(found.join(" "), code, "{entries}\n{faults:?}");
        assert_eq!(world.is_some(), code.is_empty());
        if let Some(world) = world {
            assert!(!world.stated.is_empty(), "{entries}");
        }
    }
}

#[test]
fn a_variant_changes_and_removes_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let pair = "pair band a is outdoing band b = strength of a more than strength of b\n";
    let case = "case \"NAME\" {
  on     m
  put    band A of Red with strength 3
  put    band B of Blue with strength 3
  expect A is VERB outdoing B
}
";
    let parent = format!("{SMALL}{pair}pair band a is lost_to band b = b is outdoing a\nmap m {{\n  space spot Here\n}}\n");
    let parent = parent + case.replace("NAME", "equal bands").replace("VERB", "not").as_str();
    std::fs::write(folder.path().join("rules.sut"), parent).unwrap();
    let variant = format!(
        "edition 1\nruleset loose \"Loose\" prefix LO extends small\noverride {}remove pair lost_to\n{}",
        pair.replace("more than", "at least"),
        case.replace("NAME", "equal bands outdo each other").replace("VERB ", ""),
    );
    std::fs::write(folder.path().join("loose.sut"), variant).unwrap();
    let project = Project::open(folder.path());
    let text = |rules: &Ruleset| print(rules);
    let found: Vec<(String, usize, usize)> = project
        .rulesets
        .iter()
        .map(|r| {
            let rules = r.rules.as_ref().unwrap_or_else(|| panic!("{:?}", r.faults));
            let failed = rules.cases.iter().flat_map(|c| run_case(rules, c, |span| project.sources.slice(span)).failures).count();
            assert!(text(rules).contains("pair outdoing of band and band"), "{}", text(rules));
            (rules.name.clone(), rules.pairs.len(), failed)
        })
        .collect();
    assert_eq!(found, [("small".to_owned(), 2, 0), ("loose".to_owned(), 1, 0)]);
}

/// A list of tests at random, with a pool of retries that two bands share.
fn list_ruleset(picks: &mut Picks) -> String {
    let mut text = format!(
        "{SMALL}clock turn has day of each side
mark halted_at_all of band
map m {{
  space spot Here
}}
"
    );
    let tests = 1 + picks.below(3);
    for at in 0..tests {
        let sides = 2 + picks.below(2);
        let retry = match picks.below(3) {
            0 => format!("  retry at most 1 when t{at} is bad\n"),
            1 => format!("  retry at most 2 spending spirit when t{at} is bad\n"),
            _ => String::new(),
        };
        let plus = if picks.percent(40) { " + strength" } else { "" };
        writeln!(
            text,
            "test t{at} of band {{\n  roll 1d{sides}{plus}\n  when total at most {} then bad\n  otherwise good\n{retry}}}",
            1 + picks.below(2)
        )
        .unwrap();
    }
    let text = text.replace("has strength in points from 0 to 5", "has strength in points from 0 to 5\n  has spirit in points from 0 to 2");
    let mut text = text + "table due of band gives tests by all matches {\n";
    for row in 0..1 + picks.below(3) {
        let when = ["always", "strength at least 1", "strength less than 2", "spirit is 0"][picks.below(4)];
        writeln!(text, "  row r{row} when {when} then t{}", picks.below(tests)).unwrap();
    }
    let until = if picks.percent(70) { "until bad " } else { "" };
    writeln!(
        text,
        "}}\nphase storm in day of owner {{\n  roll due {until}for own bands\n  do mark halted_at_all for own bands where stop of due is r0\n}}"
    )
    .unwrap();
    text.push_str("setup start on m {\n");
    for at in 0..1 + picks.below(2) {
        writeln!(text, "  put band B{at} of Red in Here with strength {}, spirit {}", picks.below(3), picks.below(3)).unwrap();
    }
    text + "}\n"
}

/// All ends of a phase by all sequences of dice that the engine asks for, each with its chance.
fn by_dice(rules: &Ruleset, world: &World, thrown: &mut Vec<u32>, chance: BigRational, ends: &mut Vec<(World, BigRational)>) {
    let mut end = world.clone();
    match run(rules, &mut end, PhaseId(0), Some(SideId(0)), &mut Dice::list(thrown.clone()), &mut Orders::none()) {
        Ok(_) => ends.push((end, chance)),
        Err(RunFault::Dice(test, DiceFault::NoDie)) => {
            let Die::Sides(sides) = rules.tests[test.index()].dice[0].die else { panic!("plain dice") };
            for face in 1..=sides {
                thrown.push(face);
                by_dice(rules, world, thrown, &chance / BigRational::from_integer(sides.into()), ends);
                thrown.pop();
            }
        }
        Err(fault) => panic!("{fault}"),
    }
}

/// What becomes of one unit, whatever becomes of the others.
fn fates(ends: &[End], unit: u32) -> BTreeMap<Vec<Change>, BigRational> {
    let mut found: BTreeMap<Vec<Change>, BigRational> = BTreeMap::new();
    for (changes, chance) in ends {
        let own = changes.iter().filter(|(cell, _)| matches!(cell, Cell::Unit(u, _) if *u == unit)).copied().collect();
        *found.entry(own).or_insert_with(BigRational::zero) += chance;
    }
    found
}

#[test]
fn lists_of_tests_end_as_all_their_dice_do() {
    let (mut stops, mut through, mut alone) = (0, 0, 0);
    for seed in 0..120 {
        let mut picks = Picks::new(seed);
        let text = list_ruleset(&mut picks);
        let rules = checked(&text);
        let world = start(&rules, SetupId(0));
        let mut ends = Vec::new();
        by_dice(&rules, &world, &mut Vec::new(), BigRational::one(), &mut ends);
        assert!(ends.iter().map(|(_, chance)| chance).sum::<BigRational>().is_one());
        // Where the first thing stops: it is rolled before any other, so that nothing is spent before.
        let position = Position::new(&rules, &world).unwrap();
        let first = ThingRef::Unit(rules.named.len() as u32);
        let due = TableId(0);
        let mut by_hand: BTreeMap<u16, BigRational> = BTreeMap::new();
        for (end, chance) in &ends {
            *by_hand.entry(end.stopped(due, first).unwrap()).or_insert_with(BigRational::zero) += chance;
        }
        let exact = list_odds(&position, due, first).unwrap();
        assert!(exact.iter().map(|(_, chance)| chance).sum::<BigRational>().is_one());
        for (at, chance) in &exact {
            let wanted = by_hand.remove(&at.map_or(0, |row| row as u16 + 1)).unwrap_or_else(BigRational::zero);
            assert_eq!(*chance, wanted, "seed {seed}, {at:?}\n{text}");
            if at.is_some() { stops += usize::from(!chance.is_zero()) } else { through += usize::from(!chance.is_zero()) }
        }
        assert!(by_hand.is_empty(), "seed {seed}\n{text}");
        // And the phase as a whole: what nobody reads again is not told apart.
        let Odds::Joint(found) = odds(&rules, &world, &[Passing::Phase(PhaseId(0), Some(SideId(0)))]).unwrap() else { panic!("{text}") };
        let mut left: Vec<(World, BigRational)> = Vec::new();
        for (mut end, chance) in ends {
            (end.rolled, end.stopped) = (world.rolled.clone(), world.stopped.clone());
            match left.iter_mut().find(|(w, _)| *w == end) {
                Some((_, sum)) => *sum += chance,
                None => left.push((end, chance)),
            }
        }
        assert_eq!(found.len(), left.len(), "seed {seed}\n{text}");
        // Solved one by one, each band has the same fates.
        if let Ok(Odds::Alone(units)) = odds_within(&rules, &world, &[Passing::Phase(PhaseId(0), Some(SideId(0)))], 1) {
            for (unit, ends) in units {
                assert_eq!(fates(&ends, unit), fates(&found, unit), "seed {seed}, unit {unit}\n{text}");
                alone += 1;
            }
        }
        for (changes, chance) in found {
            let end = changed(&world, &changes);
            assert!(left.iter().any(|(w, c)| *w == end && *c == chance), "seed {seed}, {changes:?}\n{text}");
        }
    }
    assert!(stops > 60 && through > 60 && alone > 60, "{stops} stops, {through} through, {alone} alone");
}

#[test]
fn mistakes_in_lists_have_their_codes() {
    let tests = "test t of band {
  roll 1d6
  when total at most 2 then bad
  otherwise good
}
test c of chief {
  roll 1d6
  when total at most 2 then bad
  otherwise good
}
";
    let table = "table due of band gives tests by all matches {\n  row a when strength at least 1 then t\n  row b when always then t\n}\n";
    let phase = "phase p at start of day {\n  roll due until bad for bands\n}\n";
    let list = |row: &str| format!("table due of band gives tests by all matches {{\n  {row}\n}}\n");
    let cases: Vec<(String, &[&str])> = vec![
        (format!("{table}{phase}"), &[]),
        (format!("{table}{}", phase.replace("until bad ", "")), &[]),
        (list("when always then t"), &["E0531"]),
        (list("row none when always then t"), &["E0531"]),
        (list("row a when always then c"), &["E0303"]),
        (list("row a when always then nothing"), &["E0201"]),
        (list("row a when always then 3"), &["E0530"]),
        (list("row a per strength then t"), &["E0506"]),
        (list("row a when always then t\n  otherwise t"), &["E0530"]),
        (list("row a when always then t\n  row a when always then t"), &["E0202"]),
        (table.replace(" of band", ""), &["E0530"]),
        (table.replace("tests", "points"), &["E0530"]),
        (format!("{table}{}", phase.replace("until bad", "until worse")), &["E0532"]),
        (format!("{table}{}", phase.replace("until bad", "once")), &["E0533"]),
        (format!("{table}{}", phase.replace("roll due", "roll t")), &["E0533"]),
        (format!("{table}{}", phase.replace("for bands", "for chiefs")), &["E0303"]),
        (format!("{table}{phase}{}", phase.replace("phase p", "phase q").replace("until bad ", "")), &["E0533"]),
        (format!("{table}define odd of band = due\n"), &["E0302"]),
        (format!("{table}define odd of band = due is a\n"), &[]),
        (format!("{table}define odd of band = due is c\n"), &["E0206"]),
        (format!("{table}define odd of band = stop of due is b\n"), &[]),
        (format!("{table}define odd of band = length of due is b\n"), &["E0201"]),
    ];
    for (text, wanted) in cases {
        let found = codes(&format!("{SMALL}clock turn has day\n{tests}{text}"));
        assert_eq!(found, wanted, "{text}");
    }
}
