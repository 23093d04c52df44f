//! Random rulesets as text, and random positions of them.

use std::fmt::Write;

use sutler::ir::{MapId, PutUnit, Relation, Ruleset, SideId};
use sutler::world::{ThingRef, World};

use super::Dice;

const STANCES: [&str; 5] = ["own", "allied", "friendly", "enemy", "neutral"];
const KINDS: [(&str, &str); 3] = [("army", "armies"), ("fleet", "fleets"), ("force", "forces")];

/// How the rulesets of a run may look.
#[derive(Clone, Copy)]
pub struct Taste {
    /// Conditions that no plane can hold, such as counts.
    pub slow: bool,
    /// The most spaces of a map.
    pub spaces: usize,
}

/// What a ruleset may ask.
#[derive(Clone, Copy)]
struct May {
    slow: bool,
    /// Values of who may not be there, and of another kind than the one that has them.
    absent: bool,
}

const ABSENT_FILTERS: [&str; 5] = [
    " where leader is green",
    " where leader is not sure",
    " where not (left of leader at least 1)",
    " where pull of leader at least 1",
    " where not (leader is lone)",
];

const ABSENT: [&str; 6] = [
    "dry",
    "not dry",
    "any area adjacent where not dry",
    "any force here where keen",
    "any own force here where not keen",
    "no unit here where not (lone or keen)",
];

const ABSENT_VERDICTS: [&str; 6] = [
    "leader is green",
    "leader is not sure",
    "leader is not lone",
    "not dry here",
    "dry here",
    "not keen",
];

/// A condition on an area; `named` is how many named ones it may use.
fn condition(dice: &mut Dice, depth: usize, named: usize, may: May) -> String {
    if depth > 0 && dice.percent(55) {
        let left = condition(dice, depth - 1, named, may);
        if dice.percent(20) {
            return format!("not ({left})");
        }
        let right = condition(dice, depth - 1, named, may);
        let word = dice.pick(&["and", "or"]);
        return format!("({left}) {word} ({right})");
    }
    let stance = *dice.pick(&STANCES);
    let (kind, kinds) = *dice.pick(&KINDS);
    let place = *dice.pick(&[
        "here",
        "here",
        "here",
        "adjacent",
        "adjacent over roads",
        "within 2",
        "within 2 over rivers",
    ]);
    let filter = *dice.pick(&[
        "",
        "",
        "",
        " where zealous",
        " where leader is Old",
        " where (mood is brave or leader is none)",
        " where steady",
        " where terrain here is hill",
    ]);
    let absent = may.absent && dice.percent(30);
    let filter = if absent { *dice.pick(&ABSENT_FILTERS) } else { filter };
    match dice.below(14) {
        4..=7 if absent => (*dice.pick(&ABSENT)).to_owned(),
        0..=3 => format!("{} {stance} {kind} {place}{filter}", dice.pick(&["any", "any", "no"])),
        4 => format!("only {stance} {kind} {place}{filter}"),
        5 => format!("terrain is {}", dice.pick(&["plain", "hill", "marsh"])),
        6 => dice.pick(&["coastal", "own", "allied", "friendly", "enemy", "neutral"]).to_string(),
        7 => format!(
            "control is {}{}",
            dice.pick(&["", "not "]),
            dice.pick(&["none", "Red", "Blue", "Green"])
        ),
        8 => format!(
            "{} {stance} area {}{}",
            dice.pick(&["any", "no"]),
            dice.pick(&["adjacent", "within 2"]),
            dice.pick(&["", " where coastal", " where any enemy army here"])
        ),
        9 => dice
            .pick(&[
                "fog",
                "bystanders is ignored",
                "any unit here",
                "control is enemy_of Red",
                "no unit adjacent",
            ])
            .to_string(),
        10 if may.slow => format!("count of {stance} {kinds} here at least 2"),
        11 if may.slow => dice
            .pick(&[
                "any army here where (leader is Old and any fleet here)",
                "any enemy army",
                "gathered is 2",
            ])
            .to_string(),
        _ if named > 0 => format!("d{}", dice.below(named)),
        _ => format!("any {stance} {kind} here"),
    }
}

/// The text of a ruleset with its map.
pub fn text(dice: &mut Dice, taste: Taste, link: impl Fn(&mut Dice, usize, &mut String)) -> String {
    let may = May { slow: taste.slow, absent: dice.aside() };
    let mut out = String::from(
        "edition 1\nruleset random \"Random\" prefix RR\nsides Red, Blue, Green, Grey\ndimension areas (area)\n\
         kind area, areas is space {\n  has terrain one of plain, hill, marsh\n  has coastal yes or no\n}\n\
         kind road, roads is link\nkind river, rivers is link\nkind slide, slides is link one way\n\
         kind force, forces is unit {\n  has leader maybe a leader\n  has zealous yes or no\n  has mood one of calm, brave, wild\n  has steady yes or no\n}\n\
         kind army, armies is force\nkind fleet, fleets is force\n\
         kind leader, leaders is unit {\n  has rank from 0 to 3\n}\nnamed leader Old, Young, Quick\n\
         kind port, ports is area\n\
         define left of leader = 3 - rank\ndefine green of leader = rank at most 1\ndefine sure of leader = yes\n\
         define lone of leader = no army here\ndefine dry of port = not coastal\ndefine keen of fleet = not zealous\n\
         table pull of leader gives areas by first match {\n  row high when rank at least 2 then 2\n  otherwise 1\n}\n\
         option fog \"Fog\" default off\n\
         ruling bystanders {\n  asks \"do they count?\"\n  readings they_count, ignored\n  default they_count\n}\n\
         table gathered of area gives areas by sum of matches {\n  row a when any army here then 1\n  row b when any fleet here then 1\n}\n\
         table reach of force gives areas by first match {\n  row old when leader is Old then 3\n  row led when leader is not none then 2\n  row wild when mood is wild then 0\n  otherwise 1\n}\n",
    );
    out = out.replace("has rank from 0 to 3", "has rank in areas from 0 to 3");
    for d in 0..3 {
        let _ = writeln!(out, "define d{d} of area = {}", condition(dice, 2, d, may));
    }
    out.push_str("trace line of force \"line\" {\n  called linked else cut\n");
    for _ in 0..dice.below(4) {
        let condition = match dice.below(9) {
            0 => "fleet".to_owned(),
            1 => "zealous".to_owned(),
            2 => format!("d{} here", dice.below(3)),
            3 => format!("mood is brave and d{} here", dice.below(3)),
            4 => format!("any {} {} here", dice.pick(&STANCES), dice.pick(&KINDS).0),
            5 => format!("terrain here is {}", dice.pick(&["hill", "marsh"])),
            6 => format!("not (leader is none and d{} here) and steady", dice.below(3)),
            7 => format!("{} area within 1", dice.pick(&["any enemy", "no own", "any coastal"])),
            _ => dice
                .pick(&[
                    "control here is none",
                    "control here is owner",
                    "leader is Young and coastal here",
                    "only own force here",
                ])
                .to_string(),
        };
        let _ = writeln!(out, "  {} {condition}", dice.pick(&["always", "never"]));
    }
    if may.absent && dice.percent(60) {
        let (word, when) = (dice.pick(&["always", "never"]), dice.pick(&ABSENT_VERDICTS));
        let _ = writeln!(out, "  {word} {when}");
    }
    for s in 0..1 + dice.below(2) {
        let _ = writeln!(out, "  source s{s} where ({})", condition(dice, 2, 3, may));
    }
    let gate = |dice: &mut Dice| {
        if dice.percent(40) { "anywhere".to_owned() } else { condition(dice, 1, 3, may) }
    };
    let mut aside = dice.clone();
    aside.next();
    let one_way =
        [None, None, Some("slides"), Some("roads, slides"), Some("rivers but not slides")];
    let one_way = *aside.pick(&one_way);
    let over = *dice.pick(&["roads", "rivers", "roads, rivers", "roads"]);
    let over = one_way.unwrap_or(over);
    let (from, through, into) = (gate(dice), gate(dice), gate(dice));
    let mut within = *dice.pick(&["reach", "reach", "reach", "unlimited", "2", "reach + 1"]);
    if may.absent && dice.percent(30) {
        within = "1 + pull of leader";
    }
    let _ = write!(
        out,
        "  leg march\n    over {over}\n    from {from}\n    through {through}\n    into {into}\n    within {within}\n}}\nmap m {{\n"
    );
    let spaces = if taste.spaces <= 5 { taste.spaces } else { 5 + dice.below(taste.spaces - 4) };
    for s in 0..spaces {
        let coastal = if dice.percent(40) { ", coastal" } else { "" };
        let _ = writeln!(
            out,
            "  space {} a{s} with terrain {}{coastal}",
            if may.absent && dice.percent(50) { "port" } else { "area" },
            dice.pick(&["plain", "hill", "marsh"])
        );
    }
    link(dice, spaces, &mut out);
    out.push_str("}\n");
    out
}

/// Random links of two kinds.
pub fn random_links(dice: &mut Dice, spaces: usize, out: &mut String) {
    let many = spaces + dice.below(spaces * 2);
    let mut seen = Vec::new();
    for _ in 0..many {
        let (a, b) = (dice.below(spaces), dice.below(spaces));
        let kind = *dice.pick(&["road", "road", "river"]);
        let link = (kind, a.min(b), a.max(b));
        if a != b && !seen.contains(&link) {
            seen.push(link);
            let _ = writeln!(out, "  link {kind} a{a} to a{b}");
            if dice.aside() {
                let _ = writeln!(out, "  link slide a{a} to a{b}");
            }
        }
    }
}

/// A roster without places: kinds, owners, relations, rulings and the facts that do not vary.
pub fn template(dice: &mut Dice, rules: &Ruleset, units: usize) -> World {
    let mut world = World::new(rules, MapId(0));
    let kind = |name: &str| {
        rules.kinds.iter().position(|k| k.name == name).map(sutler::ir::KindId::at).unwrap()
    };
    let fact = |name: &str| {
        rules.facts.iter().position(|f| f.name == name).map(sutler::ir::FactId::at).unwrap()
    };
    for u in 0..units {
        let unit = PutUnit {
            id: format!("u{u}"),
            title: format!("u{u}"),
            kind: kind(["army", "army", "fleet", "force"][dice.below(4)]),
            owner: (!dice.percent(4)).then(|| SideId(dice.below(4) as u8)),
            space: None,
            facts: vec![
                (fact("steady"), i64::from(dice.percent(50))),
                (fact("mood"), dice.below(3) as i64),
            ],
        };
        let at = world.put(rules, &unit);
        world.units[at as usize].removed = dice.percent(3);
    }
    for a in 0..4 {
        for b in a + 1..4 {
            world.relate(
                SideId(a),
                SideId(b),
                *dice.pick(&[
                    Relation::Enemy,
                    Relation::Enemy,
                    Relation::Allied,
                    Relation::Neutral,
                ]),
            );
        }
    }
    let (rank, mut ranks) = (&rules.facts[fact("rank").index()], dice.clone());
    for named in 0..u32::try_from(rules.named.len()).unwrap() {
        world.set_fact(rank, ThingRef::Unit(named), ranks.below(4) as i64);
    }
    world.viewer = dice.percent(50).then(|| SideId(dice.below(4) as u8));
    for (reading, ruling) in world.readings.iter_mut().zip(&rules.rulings) {
        *reading = dice.below(rules.word_sets[ruling.readings.index()].words.len()) as u16;
    }
    world
}
