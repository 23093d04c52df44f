//! Legs that are as others: what they give is what the same lines give that are written by hand.

use std::collections::BTreeMap;

use sutler::aid::{doc, markdown};
use sutler::compare::{Side, resolve};
use sutler::project::Project;
use sutler::suite::run_case;

use crate::common::Dice;
use crate::common::counts::seeds;
use crate::place::Place;
use crate::support::{blocks, game_without_cases, prelude};

fn opened(items: &str) -> Project {
    let place = Place::with(&format!("{}{items}", game_without_cases()));
    Project::open(&place.path("game"))
}

/// The full text, words alone, and the hash of the rules.
fn whole(project: &Project, at: usize) -> (String, String) {
    let loaded = &project.rulesets[at];
    let rules = loaded.rules.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.faults));
    let text = resolve(loaded.resolved(), &project.sources, true);
    (text.split_whitespace().collect::<Vec<_>>().join(" "), rules.hash.clone())
}

fn variant(parent: &str, items: &str) -> Project {
    let head = "edition 1\nruleset house \"House\" prefix HR extends winter_road with cases\n";
    let place = Place(tempfile::tempdir().unwrap());
    place.write("winter_road/rules.sut", format!("{}{parent}", game_without_cases()));
    place.write("winter_road/house.sut", format!("{head}{items}"));
    Project::open(&place.path("winter_road/house.sut"))
}

/// A leg: its words with the lines of each.
#[derive(Clone, Default)]
struct Leg {
    name: String,
    head: &'static str,
    lines: Vec<(&'static str, String)>,
}

impl Leg {
    fn written(&self, like: &str) -> String {
        let mut out = format!("  leg {}{like}{}\n", self.name, self.head);
        self.lines.iter().for_each(|(_, line)| out.push_str(&format!("    {line}\n")));
        out
    }
}

/// A line of each word, by chance.
fn line(dice: &mut Dice, word: &'static str) -> String {
    let gate = ["anywhere", "no enemy army here", "town", "friendly and not depot"];
    match word {
        "over" => format!(
            "over {}",
            dice.pick(&["roads", "lanes", "links but not lanes", "roads where true_road"])
        )
        .replace(" where true_road", " when veteran"),
        "stopping" => format!("stopping in {}", dice.pick(&["town", "any enemy army here"])),
        "cost" => format!("cost {}", dice.pick(&["2 regions", "(1 region + 1 region)"])),
        "within" => format!("within {}", dice.pick(&["2", "reach", "unlimited", "4"])),
        gate_word => format!("{gate_word} {}", dice.pick(&gate)),
    }
}

const WORDS: [&str; 7] = ["over", "from", "through", "stopping", "into", "cost", "within"];

fn full(dice: &mut Dice, name: String, head: &'static str) -> Leg {
    let mut lines = Vec::new();
    for word in WORDS {
        let times = match word {
            "over" => 1 + dice.below(2),
            "stopping" | "cost" => dice.below(2),
            _ => 1,
        };
        (0..times).for_each(|_| lines.push((word, line(dice, word))));
    }
    Leg { name, head, lines }
}

/// A leg as another, by a rule of its own: the same as two texts, with `as` and by hand.
fn as_another(dice: &mut Dice, original: &Leg, name: String, head: &'static str) -> (Leg, Leg) {
    let (mut own, mut hand) = (Vec::new(), original.lines.clone());
    for word in WORDS {
        let there = hand.iter().any(|(w, _)| *w == word);
        match dice.below(4) {
            0 => {
                let new = line(dice, word);
                let at = hand.iter().position(|(w, _)| *w == word);
                hand.retain(|(w, _)| *w != word);
                hand.insert(at.unwrap_or(hand.len()), (word, new.clone()));
                own.push((word, new));
            }
            1 if there && matches!(word, "stopping" | "cost") => {
                hand.retain(|(w, _)| *w != word);
                own.push((word, format!("without {word}")));
            }
            _ => {}
        }
    }
    let named = |lines| Leg { name: name.clone(), head, lines };
    (named(own), named(hand))
}

#[test]
fn random_legs_say_what_is_written_by_hand() {
    let (mut checked, mut taken) = (0, 0);
    for seed in seeds(220) {
        let mut dice = Dice::new(seed);
        let mut hands: Vec<(usize, Leg)> = Vec::new();
        let (mut short, mut long) = (String::new(), String::new());
        for trace in 0..3 {
            let head = format!(
                "trace way_{trace} of army {{\n  called  yes_{trace} else no_{trace}\n  source  s where depot\n"
            );
            short.push_str(&head);
            long.push_str(&head);
            for leg in 0..1 + dice.below(3) {
                let name = format!("leg_{leg}");
                let of_this: Vec<usize> =
                    (0..hands.len()).filter(|at| hands[*at].0 == trace).collect();
                let place = match (leg, dice.below(3)) {
                    (0, _) | (_, 0) => "",
                    (_, 1) => " optional",
                    _ => " instead of leg_0",
                };
                let new = if hands.is_empty() || dice.below(3) == 0 {
                    let new = full(&mut dice, name, place);
                    short.push_str(&new.written(""));
                    new
                } else {
                    let at = match of_this.as_slice() {
                        [some, ..] if dice.below(2) == 0 => *some,
                        _ => dice.below(hands.len()),
                    };
                    let (from, original) = hands[at].clone();
                    let of = if from == trace { String::new() } else { format!(" of way_{from}") };
                    let (own, hand) = as_another(&mut dice, &original, name, place);
                    short.push_str(&own.written(&format!(" as {}{of}", original.name)));
                    taken += 1;
                    hand
                };
                long.push_str(&new.written(""));
                hands.push((trace, new));
            }
            short.push_str("}\n");
            long.push_str("}\n");
        }
        let (a, b) = (opened(&short), opened(&long));
        let codes = |p: &Project| -> Vec<String> {
            p.rulesets[0].faults.iter().map(|f| f.code.to_string()).collect()
        };
        assert_eq!(codes(&a), codes(&b), "{seed}\n{short}\n{long}");
        if a.rulesets[0].rules.is_none() {
            continue;
        }
        let as_they_stand = |p: &Project| {
            let listing = sutler::ir::print(p.rulesets[0].rules.as_ref().unwrap());
            // The hash is of the words in their order, which is another where a line comes last.
            listing.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(as_they_stand(&a), as_they_stand(&b), "{seed}\n{short}\n{long}");
        let words = |p: &Project| {
            let text = whole(p, 0).0;
            let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            words.sort();
            words
        };
        assert_eq!(words(&a), words(&b), "{seed}\n{short}\n{long}");
        checked += 1;
    }
    assert!(checked > 5 && taken > checked, "{checked} games, {taken} legs");
}

pub(crate) const HOME: &str = "trace way_home of army {
  called  has_way_home else lost_for_good
  source  depot where depot
  leg overland as march of supply
    within  unlimited
  leg ship as overland optional
    over    lanes
    from    town
}
";

/// A change of a variant, and what stands in the full text then.
const CHANGES: &[(&str, &[&str], &[&str])] = &[
    (
        "override through of ship of way_home was no enemy army here now no army here\n",
        &[
            "leg ship optional over lanes from town through no army here",
            "leg overland over roads from anywhere [WR-4c] through no enemy army here",
        ],
        &["leg overland over roads from anywhere [WR-4c] through no army here"],
    ),
    (
        "override through of march of supply was no enemy army here now no army here\n",
        &[
            "leg march over roads from anywhere [WR-4c] through no army here",
            "leg overland over roads from anywhere [WR-4c] through no enemy army here",
        ],
        &[],
    ),
    (
        "override trace way_home, but {\n  through of ship was enemy now friendly\n  over of overland was roads now lanes\n}\n",
        &["through no friendly army here", "leg overland over lanes from anywhere"],
        &[],
    ),
    (
        "override trace way_home, but {\n  leg far as march of supply\n  without through\n  through anywhere\n}\n",
        &[],
        &["far"],
    ),
    (
        "override trace way_home, but {\n  leg far as march of supply instead of overland\n  within 9\n}\n",
        &[
            "leg far instead of overland over roads from anywhere [WR-4c] through no enemy army here [WR-4c] into anywhere [WR-4c] within 9",
        ],
        &[],
    ),
    (
        "add to way_home as leg far as ship instead of overland\n",
        &[
            "leg far instead of overland over lanes from town through no enemy army here [WR-4c] into anywhere [WR-4c] within unlimited }",
        ],
        &[],
    ),
    (
        "override trace way_home, but {\n  leg far as march of supply instead of overland\n  within unlimited\n  leg by_lane as far instead of overland\n  over lanes\n  within unlimited\n}\n",
        &["leg by_lane instead of overland over lanes from anywhere"],
        &[],
    ),
    (
        "trace other of army as way_home \"Another\", but {\n  called was has_way_home else lost_for_good now it_has else it_has_not\n  within of ship was unlimited now 3\n  leg third as ship of way_home optional\n}\n",
        &["within 3 leg third optional over lanes from town"],
        &[],
    ),
];

#[test]
fn variants_change_the_leg_that_they_name() {
    for (items, there, gone) in CHANGES {
        let project = variant(HOME, items);
        if there.is_empty() {
            let faults = &project.rulesets[0].faults;
            assert!(faults.iter().any(|f| f.code.as_str() == "E0403"), "{items}\n{faults:?}");
            continue;
        }
        let (text, _) = whole(&project, 0);
        there.iter().for_each(|part| assert!(text.contains(part), "{items}\n{part}\n{text}"));
        gone.iter().for_each(|part| assert!(!text.contains(part), "{items}\n{part}\n{text}"));
    }
}

#[test]
fn an_exception_is_to_one_leg() {
    let items = "exception old to through of ship of way_home when veteran of the army then yes\n";
    let project = opened(&format!("{HOME}{items}"));
    let rules = project.rulesets[0]
        .rules
        .as_ref()
        .unwrap_or_else(|| panic!("{:?}", project.rulesets[0].faults));
    let listing = sutler::ir::print(rules);
    let of = |leg: &str| {
        let from = listing.find("trace way_home").unwrap();
        let at = listing[from..].find(leg).unwrap() + from;
        listing[at..].lines().take(8).collect::<Vec<_>>().join("\n")
    };
    assert!(of("ship").contains("veteran"), "{listing}");
    assert!(!of("overland").lines().take(4).any(|l| l.contains("veteran")), "{listing}");
}

/// What is refused, with its code and some words of what is said.
const REFUSED: &[(&str, &str, &str)] = &[
    ("  leg a as b\n  leg b as a\n", "E0610", "leg `a` is in the end as itself"),
    ("  leg a as a\n", "E0610", "leg `a` is in the end as itself"),
    ("  leg a as mach of supply\n", "E0602", "trace `supply` has no leg `mach`"),
    ("  leg a as march\n", "E0602", "trace `way` has no leg `march`"),
    ("  leg a as march of suply\n", "E0602", "there is no trace `suply`"),
    ("  leg a as march of supply\n    without cost\n", "E0602", "leg `march` has no line `cost`"),
    (
        "  leg a as march of supply\n    without within\n    within 2\n",
        "E0403",
        "left out and said",
    ),
    ("  leg a as march of supply\n    without through\n", "E0402", "through"),
];

#[test]
fn what_cannot_be_is_refused_once_and_says_why() {
    for (legs, code, words) in REFUSED {
        let project = opened(&format!(
            "trace way of army {{\n  called  here_we_go else there_we_stay\n  source  s where depot\n{legs}}}\n"
        ));
        let faults = &project.rulesets[0].faults;
        assert_eq!(faults.len(), 1, "{legs}\n{faults:?}");
        assert_eq!(faults[0].code.as_str(), *code, "{legs}\n{faults:?}");
        assert!(faults[0].message.contains(words), "{legs}\n{faults:?}");
    }
}

#[test]
fn a_line_that_means_nothing_for_another_kind_says_for_which_leg_it_was_read() {
    let items = "trace led_way of army {
  called  led else unled
  source  s where depot
  leg first
    over    roads
    from    strength of the army at least 2
    through anywhere
    into    anywhere
    within  2
}
trace drive of wagon {
  called  driven else parked
  source  s where depot
  leg second as first of led_way
}
";
    let project = opened(items);
    let faults = &project.rulesets[0].faults;
    let fault = faults.first().expect("a fault");
    let said = format!("{:?}", fault.labels);
    assert!(said.contains("read here for leg `second` of trace `drive`"), "{said}");
    let place = fault.primary().unwrap();
    assert!(project.sources.slice(place).contains("army"), "{}", project.sources.slice(place));
}

#[test]
fn copies_and_legs_wait_for_each_other() {
    let first =
        "trace copy of army as origin, but {\n  called was one else two now three else four\n}\n";
    let second = "trace origin of army {\n  called  one else two\n  source  s where depot\n  leg a as march of supply\n    within 5\n}\n";
    let third = "trace last of army {\n  called  five else six\n  source  s where depot\n  leg b as a of copy\n    within 7\n}\n";
    let mut seen: Option<String> = None;
    for order in [[first, second, third], [third, first, second], [second, third, first]] {
        let project = opened(&order.concat());
        let hash = whole(&project, 0).1;
        assert_eq!(*seen.get_or_insert(hash.clone()), hash);
    }
    let circle = "trace copy of army as origin\ntrace origin of army {\n  called  one else two\n  source  s where depot\n  leg a as a of copy\n}\n";
    let project = opened(circle);
    let codes: Vec<&str> = project.rulesets[0].faults.iter().map(|f| f.code.as_str()).collect();
    assert_eq!(codes, ["E0610"]);
}

#[test]
fn each_leg_is_covered_by_itself_and_changed_where_it_is_written() {
    let case = "case \"by road\" {\n  setup opening\n  expect First is has_way_home\n}\n";
    let place = Place::with(&format!("{}{HOME}{case}", game_without_cases()));
    let said = place.run(&["coverage", "game", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&said.out).expect(&said.err);
    let points: BTreeMap<&str, u64> = found["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["name"].as_str().unwrap(), p["hits"].as_u64().unwrap()))
        .collect();
    let of = |name: &str| points.get(name).copied().unwrap_or_else(|| panic!("{name} {points:?}"));
    assert_eq!(of("trace supply, through, lets by"), 0);
    assert!(of("trace way_home, overland, through, lets by") > 0);
    assert_eq!(of("trace way_home, ship, through, bars"), 0);
    let said = place.run(&["mutate", "game", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&said.out).expect(&said.err);
    let all = found["changes"].as_array().or(found["mutations"].as_array());
    let text = all.map_or_else(|| said.out.clone(), |all| format!("{all:?}"));
    assert!(text.contains("trace way_home, ship, from"), "{text}");
    assert!(!text.contains("ship, through"), "{text}");
}

#[test]
fn the_layout_stays_and_pages_say_the_lines() {
    let place = Place::with(&format!("{}{HOME}", game_without_cases()));
    let said = place.run(&["fmt", "game"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let text = std::fs::read_to_string(place.path("game/rules.sut")).unwrap();
    assert!(text.contains(HOME), "{text}");
    let project = Project::open(&place.path("game"));
    let loaded = &project.rulesets[0];
    let side = Side {
        resolved: loaded.resolved(),
        sources: &project.sources,
        rules: loaded.rules.as_ref().unwrap(),
    };
    let page = markdown(&doc(side, None));
    let line = page.lines().find(|l| l.contains("ship")).expect("the leg");
    assert!(line.contains("lanes") && line.contains("no enemy army"), "{line}");
}

#[test]
fn what_differs_is_told_of_each_leg() {
    let items = "override trace way_home, but {\n  over of overland was roads now lanes\n}\n";
    let project = variant(HOME, items);
    assert!(project.rulesets[0].rules.is_some(), "{:?}", project.rulesets[0].faults);
    let place = Place(tempfile::tempdir().unwrap());
    place.write("winter_road/rules.sut", format!("{}{HOME}", game_without_cases()));
    let head = "edition 1\nruleset house \"House\" prefix HR extends winter_road with cases\n";
    place.write("winter_road/house.sut", format!("{head}{items}"));
    let said = place.run(&["diff", "winter_road", "winter_road/house.sut"]);
    assert!(said.out.contains("over of overland"), "{}{}", said.out, said.err);
    assert!(
        !said.out.contains("over of ship") && !said.out.contains("over of march"),
        "{}",
        said.out
    );
}

#[test]
fn cases_of_the_reference_hold_where_the_leg_is_taken_over() {
    let by_hand = "  leg march\n    over    roads\n    from    anywhere                                       [4c]\n    through no enemy army here                             [4c]\n    into    anywhere                                       [4c]\n    within  reach                                          [4b]\n";
    let all = blocks("docs/language.md");
    let text = prelude(&all);
    assert_eq!(text.matches(by_hand).count(), 1);
    let held =
        "trace held of army {\n  called  is_held else is_not_held\n  source  s where depot\n";
    let rest = text.replace(by_hand, "  leg march as kept_leg of held\n");
    let place =
        Place::with(&format!("{rest}{held}{}}}\n", by_hand.replace("leg march", "leg kept_leg")));
    let project = Project::open(&place.path("game"));
    let rules = project.rulesets[0]
        .rules
        .as_ref()
        .unwrap_or_else(|| panic!("{:?}", project.rulesets[0].faults));
    assert!(!rules.cases.is_empty());
    for case in &rules.cases {
        let done = run_case(rules, case, |span| project.sources.slice(span));
        assert!(done.failures.is_empty(), "{:?}", done.failures);
    }
}
