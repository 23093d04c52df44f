//! By which changes an answer flips, held against the answers under some of the changes: of several
//! at once, those that `impact` names make the same difference alone, or none is made without them.

use std::collections::BTreeMap;

use crate::common::Dice;
use crate::common::counts::{seeds, share};
use crate::impact_twins::{agree, deal, project};
use sutler::compare::{Both, Flip};
use sutler::ir::{Ruleset, SetupId};
use sutler::world::{World, start};

const GAME: &str = r#"edition 1
ruleset small "Small" prefix SM
sides Red against Blue
clock turn has action of each side
dimension steps (step)
dimension percent (percent)
kind area, areas is space {
  has terrain one of plain, marsh, bog
  has depot yes or no
  has port yes or no
}
kind road, roads is link
kind block, blocks is unit {
  has mood one of calm, wild
}
section 1 "Supply"
define free of area = not enemy
define slow of block = terrain here is marsh
trace supply of block {
  called fed else hungry
  source base where (depot and friendly)
  source harbour where port
  leg line
    over roads
    from anywhere
    through free
    into free
    within 2 steps
}
table loss of block gives percent by sum of matches {
  row basic when hungry then 30
  row wild when (hungry and mood is wild) then 20
  row mud when slow then 10
}
table pace of block gives steps by first match {
  row weak when hungry then 1
  row mud when slow then 1
  row fast when mood is wild then 3
  otherwise 2
}
test panic of block {
  roll 1d100
  when total at most loss then runs
  otherwise stays
}
map m {
  space area A with terrain plain, depot yes
  space area B with terrain marsh
  space area C with terrain bog
  space area D with terrain plain, port yes
  space area E with terrain bog
  space area F with terrain marsh, depot yes
  link road A to B
  link road B to C
  link road C to D
  link road D to E
  link road E to F
  link road F to A
}
setup s on m {
  put block X of Red in A
  put block Y of Blue in D
  put block Z of Red in C
  put block W of Blue in F
}
"#;

/// A change: what is replaced, with what, and how `impact` begins to tell it.
const CHANGES: [(&str, &str, &str); 8] = [
    ("where (depot and friendly)", "where depot", "source base"),
    ("within 2 steps", "within 1 step", "within"),
    ("then 20", "then 10", "row wild of loss"),
    ("row mud when slow then 10", "row mud when slow then 5", "row mud of loss"),
    ("row weak when hungry then 1", "row weak when hungry then 0", "row weak of pace"),
    ("row fast when mood is wild then 3\n", "", "row fast of pace"),
    ("here is marsh", "here is one of (marsh, bog)", "define slow"),
    ("define free of area = not enemy", "define free of area = (not enemy or port)", "define free"),
];

/// The game with the changes of a mask.
fn changed(mask: usize) -> String {
    let mut text = GAME.replace("ruleset small", &format!("ruleset changed_{mask}"));
    for (_, (from, to, _)) in CHANGES.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1) {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// The changes that a flip names, as a mask.
fn named(flip: &Flip) -> usize {
    let of = |by: &String| CHANGES.iter().position(|(.., told)| by.starts_with(told));
    flip.by.iter().map(|by| 1 << of(by).unwrap_or_else(|| panic!("{by}"))).sum()
}

fn position(dice: &mut Dice, rules: &Ruleset) -> World {
    let mut world = start(rules, SetupId::at(0));
    deal(dice, rules, &mut world, ("mood", 2), 3);
    world
}

/// All flips from the game to one with the changes of a mask, by what was asked.
fn flips(mask: usize, seed: u64) -> BTreeMap<(String, String, String), Flip> {
    let text = changed(mask);
    let project = project(GAME, &text);
    let [a, b] = [0, 1].map(|at| project.rulesets[at].rules.as_ref().unwrap());
    let positions: Vec<Both> = (0..16)
        .map(|at| {
            let of = |rules| position(&mut Dice::new(seed * 100 + at), rules);
            (format!("position {at}"), of(a), of(b))
        })
        .collect();
    let (_, flips) = agree(&project, &positions, &text);
    let asked = |f: &Flip| (f.position.clone(), f.question.clone(), f.of.clone());
    flips.into_iter().map(|flip| (asked(&flip), flip)).collect()
}

#[test]
fn the_changes_that_are_named_are_enough_or_needed() {
    let (mut held, mut spared) = (0, 0);
    for seed in seeds(4) {
        let all: Vec<_> = (0..1 << CHANGES.len()).map(|mask| flips(mask, seed)).collect();
        for (mask, flips) in all.iter().enumerate() {
            for (asked, flip) in flips {
                let named = named(flip);
                let alone = all[named].get(asked).map(|flip| &flip.now);
                let without = all[mask & !named].get(asked).map(|flip| &flip.now);
                assert!(
                    named & !mask == 0 && (alone == Some(&flip.now) || without.is_none()),
                    "{flip:?} of {mask:b}; alone {alone:?}, without {without:?}"
                );
                held += 1;
                spared += usize::from(named != mask);
            }
        }
    }
    println!("{held} flips, {spared} of them by some of the changes alone");
    assert!(held > share(60_000) && spared > share(40_000));
}
