//! Pairs against counting by hand, and pairs in gates against the slow twin.

use crate::common::counts::seeds;
use crate::common::small::checked;
use std::collections::BTreeMap;
use std::fmt::Write;

use crate::common::Dice as Picks;
use num_rational::Ratio;
use num_traits::Zero;
use sutler::ir::*;
use sutler::kernel::hex::Wanted;
use sutler::kernel::{
    Amount, Batch, Flags, HexKernel, HexScratch, Kernel, Position, Scratch, Value, reference,
};
use sutler::source::SourceId;
use sutler::world::json::{read, write};
use sutler::world::{Said, ThingRef, World, start};

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
        let shaded = (0..self.red.len()).any(|c| {
            self.red[c] != self.red[a]
                && self.truth(Measure::Before, c, a)
                && !self.truth(Measure::InContactWith, c, b)
        });
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
                world.stated.say(
                    PairRef::Measured(Measure::Gap),
                    unit(a),
                    unit(b),
                    Said::Amount(gap),
                );
            }
            for measure in [Measure::Before, Measure::InContactWith] {
                if picks.percent(25) {
                    let yes = picks.percent(70);
                    hand.truths.insert((measure, a, b), yes);
                    world.stated.say(
                        PairRef::Measured(measure),
                        unit(a),
                        unit(b),
                        Said::Truth(yes),
                    );
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
                world.stated.say(
                    PairRef::Measured(Measure::StandingOn),
                    unit(a),
                    ThingRef::Space(wood as u32),
                    Said::Truth(true),
                );
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
            assert_eq!(
                defined(&position, "shooters", of),
                Value::Number(Amount::from_integer(shooters as i64))
            );
            let all: Vec<Ratio<i64>> = (0..count).filter_map(|a| hand.strain(a, b)).collect();
            assert_eq!(defined(&position, "pressure", of), Value::Number(all.iter().sum()));
            let out = (0..count).filter_map(|a| hand.strain(b, a)).max().unwrap_or_default();
            assert_eq!(defined(&position, "worst", of), Value::Number(out));
            let gap =
                (0..count).filter_map(|a| hand.gap.get(&(a, b)).copied()).min().unwrap_or_default();
            assert_eq!(defined(&position, "least_gap", of), Value::Number(gap));
            let covers =
                (0..2).filter(|w| hand.on.contains_key(&(b, *w)) && hand.strength[b] < 4).count();
            assert_eq!(
                defined(&position, "covers", of),
                Value::Number(Amount::from_integer(covers as i64))
            );
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
        writeln!(
            text,
            "  put band B{at} of {side} in P{} with strength {}",
            picks.below(spots),
            picks.below(6)
        )
        .unwrap();
    }
    text + "}\n"
}

#[test]
fn pairs_in_gates_agree_with_the_slow_twin_in_every_way() {
    let (mut fed, mut asked, mut searched) = (0, 0, 0);
    for seed in seeds(90) {
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
        let strength =
            rules.facts.iter().position(|f| f.name == "strength").map(FactId::at).unwrap();
        let kernel = Kernel::compile(&rules, &template, TraceId(0), &[strength]).unwrap();
        let mut batch = Batch::new(&rules, &template, 70, &[strength]).unwrap();
        for position in 0..batch.positions() {
            for unit in 0..units {
                assert!(batch.set_space(
                    position,
                    unit,
                    picks.percent(90).then(|| picks.below(spots as usize) as u32)
                ));
                assert!(batch.set_fact(position, unit, strength, picks.below(6) as i64));
            }
            for space in 0..spots {
                assert!(batch.set_control(position, space, None));
            }
        }
        let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
        kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
        let hex = HexKernel::compile(&rules, &template, TraceId(0)).unwrap();
        let mut room = HexScratch::default();
        for at in 0..batch.positions() {
            let world = batch.world(at);
            assert_eq!(world.stated, template.stated);
            let position = Position::new(&rules, &world).unwrap();
            hex.ask(&world, Wanted::Lengths, &mut room).unwrap();
            for unit in 0..units {
                let thing = ThingRef::Unit(unit);
                let slow = reference::ask(&position, TraceId(0), thing).unwrap();
                let field = position.answer(TraceId(0), thing).unwrap();
                assert_eq!(
                    (field.yes, field.length),
                    slow,
                    "seed {seed}, position {at}, unit {unit}\n{text}"
                );
                assert_eq!(
                    flags.get(at, unit),
                    Some(slow.0),
                    "planes, seed {seed}, position {at}, unit {unit}\n{text}"
                );
                if let Some(row) = room.rows().iter().find(|r| r.thing == thing) {
                    searched += 1;
                    assert_eq!(
                        (row.yes, row.length),
                        slow,
                        "hexes, seed {seed}, position {at}, unit {unit}\n{text}"
                    );
                }
                (fed, asked) = (fed + usize::from(slow.0), asked + 1);
            }
        }
    }
    assert!(fed > asked / 10 && fed < asked * 9 / 10, "{fed} of {asked}");
    assert!(searched > asked / 2, "{searched} of {asked} were searched as bits");
}
