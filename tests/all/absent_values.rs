//! What is worked out of what is not there is 0, no, the first word or none, whatever its rule says
//! of those that are: asked by the evaluator, straight from the rows, of many spaces and of many
//! positions at once, and told with its evidence.

use crate::common::checked;
use sutler::ir::{Define, DefineId, FactId, Ruleset, Seen, SetupId, TableId, TraceId};
use sutler::kernel::column::{Program, What};
use sutler::kernel::{Batch, Flags, Kernel, Position, Scratch, Value};
use sutler::report::{explain, explanation_text, why_text};
use sutler::suite::run_case;
use sutler::world::{ThingRef, World, start};

const GAME: &str = "edition 1
ruleset absent \"What is absent\" prefix AB
sides Red against Blue
dimension points (point), steps (step)
kind spot, spots is space {
  has depot yes or no
}
kind port, ports is spot {
  has berths in points from 1 to 9
}
kind road, roads is link
named spot Poor
kind chief, chiefs is unit {
  has rank in points from 1 to 3
  has colour one of grim, fair
}
kind band, bands is unit {
  has chief maybe a chief
  has size in points from 0 to 2
}
kind guard, guards is band {
  has honours in points from 1 to 2
}
define left of chief = 4 - rank
define green of chief = rank at most 1
define sure of chief = yes
define pay of chief = 3 points
define base of chief = Poor
define alone of chief = no band here
table lead of chief gives points by first match {
  when rank at least 3 then 3
  otherwise 1
}
table merit of chief gives points by sum of matches {
  row all when yes then 2
  row old when rank at least 2 then 1
}
table looks of chief gives colour by first match {
  when rank is 1 then grim
  otherwise fair
}
table worth of chief gives gold in points, fame in steps by only match {
  down   rank
  across   | gold | fame
  row    1 | 1    | 0
  row    2 | 2    | 1
  row    3 | 2    | 2
}
hook zeal of chief gives points {
  reads     left
  kept      between 1 and 9
  otherwise 5
}
define unmarked of guard = 3 - honours
define plain of guard = honours at most 1
table drill of guard gives points by first match {
  otherwise 2
}
define empty of spot = no band here
define open of port = not (berths at least 9)
";

/// What is asked of a band, and what it is of one that has no chief, of one led by Low in Rich, and
/// of Young, a guard led by High.
const ASKED: [(&str, &str, &str, &str); 14] = [
    ("left of chief", "0", "3", "1"),
    ("pay of chief", "0", "3", "3"),
    ("lead of chief", "0", "1", "3"),
    ("merit of chief", "0", "2", "3"),
    ("fame of worth of chief", "0", "0", "2"),
    ("zeal of chief", "0", "5", "5"),
    ("unmarked", "0", "0", "1"),
    ("drill", "0", "0", "2"),
    ("chief is green", "no", "yes", "no"),
    ("chief is sure", "no", "yes", "yes"),
    ("chief is alone", "no", "no", "yes"),
    ("plain", "no", "no", "no"),
    ("base of chief is none", "yes", "no", "no"),
    ("looks of chief is grim", "yes", "yes", "no"),
];

const MAP: &str = "map small {
  space spot Poor with depot
  space port Rich with berths 2
  space spot Far
  link road Poor to Rich to Far
}
setup all on small {
  put chief Low of Red in Rich with rank 1
  put chief High of Red in Far with rank 3
  put band Alone of Red in Poor with size 1
  put band Led of Red in Rich with size 0, chief Low
  put guard Young of Red in Rich with size 1, honours 2, chief High
  put band Off of Red with size 1
}
";

/// The text with a define of bands for each thing that is asked: `n0` and on.
fn text() -> String {
    let mut text = GAME.to_owned();
    for (at, (asked, ..)) in ASKED.iter().enumerate() {
        text.push_str(&format!("define n{at} of band = {asked}\n"));
    }
    text + MAP
}

fn define<'r>(rules: &'r Ruleset, name: &str) -> &'r Define {
    rules.defines.iter().find(|define| define.name == name).unwrap()
}

fn unit(world: &World, id: &str) -> ThingRef {
    ThingRef::Unit(u32::try_from(world.units.iter().position(|u| u.id == id).unwrap()).unwrap())
}

/// A value in words.
fn said(value: Value) -> String {
    match value {
        Value::Truth(truth) => if truth { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_evaluator_asks_nothing_of_what_is_not_there() {
    let rules = checked(&text());
    let world = start(&rules, SetupId(0));
    let position = Position::new(&rules, &world).unwrap();
    for (at, (asked, alone, led, young)) in ASKED.iter().enumerate() {
        let id = define(&rules, &format!("n{at}")).value;
        for (name, expected) in [("Alone", alone), ("Led", led), ("Young", young)] {
            let thing = unit(&world, name);
            let cx = position.asked_of(thing);
            assert_eq!(said(position.value(id, &cx).unwrap()), *expected, "{asked} of {name}");
            let direct = position.holds_directly(id, &cx).unwrap();
            assert_eq!(direct, *expected == "yes", "{asked} of {name}, straight");
        }
    }
}

#[test]
fn who_has_left_and_a_space_of_a_unit_off_the_map_are_nothing() {
    let rules = checked(
        &(text()
            + "define here_empty of band = empty of space\ndefine here_open of band = open of space\n"),
    );
    let mut world = start(&rules, SetupId(0));
    let holds = |world: &World, name: &str, of: &str| {
        let position = Position::new(&rules, world).unwrap();
        let (id, cx) = (define(&rules, name).value, position.asked_of(unit(world, of)));
        let slow = position.holds(id, &cx).unwrap();
        assert_eq!(position.holds_directly(id, &cx).unwrap(), slow);
        slow
    };
    assert!(holds(&world, "here_open", "Led"));
    assert!(!holds(&world, "here_open", "Alone"), "Poor is no port");
    for name in ["here_open", "here_empty"] {
        assert!(!holds(&world, name, "Off"), "{name}");
    }
    assert!(holds(&world, "n8", "Led"));
    let ThingRef::Unit(low) = unit(&world, "Low") else { panic!() };
    world.units[low as usize].removed = true;
    assert!(!holds(&world, "n8", "Led"));
    // Asked by its own name it keeps its facts, and what is worked out from them.
    let position = Position::new(&rules, &world).unwrap();
    let cx = position.asked_of(ThingRef::Unit(low));
    let green = define(&rules, "green").value;
    assert!(position.holds(green, &cx).unwrap());
}

#[test]
fn the_words_of_cases_say_the_same() {
    let mut text = text() + "case \"of nobody\" {\n  setup all\n";
    for (asked, expected) in [
        ("left of chief of Alone", "is 0 points"),
        ("looks of chief of Alone", "is grim"),
        ("base of chief of Alone", "is none"),
        ("chief of Alone", "is not green"),
        ("chief of Led", "is green"),
        ("left of Low", "is 3 points"),
    ] {
        text.push_str(&format!("  expect {asked} {expected}\n"));
    }
    let rules = checked(&(text + "}\n"));
    let failures = run_case(&rules, &rules.cases[0], |_| "").failures;
    assert!(failures.is_empty(), "{failures:?}");
}

/// The text with a trace of bands that is settled, or let through, by each truth that is asked.
fn traced(condition: &str) -> String {
    format!(
        "{}trace line of band \"line\" {{\n  called linked else cut\n  source depot where depot\n  \
         leg way\n    over    roads\n    from    anywhere\n    through anywhere\n    into    ({condition})\n    \
         within  unlimited\n}}\n",
        text()
    )
}

#[test]
fn many_positions_at_once_ask_nothing_of_what_is_not_there() {
    let conditions = [
        "depot and chief of the band is green",
        "depot and not (chief of the band is green)",
        "depot and left of chief of the band at least 1",
        "depot and lead of chief of the band at least 1",
        "depot and plain of the band",
        "depot and not (plain of the band)",
        "not open",
        "open or depot",
        "any band here where chief is sure",
        "any band here where not (left of chief at least 1)",
        "any band here where open of space",
        "any band here where not (empty of space)",
        "any spot adjacent where not open",
    ];
    let verdicts =
        ["chief is green", "not (chief is sure)", "open of space", "empty of space", "plain"];
    let mut texts: Vec<String> = conditions.iter().map(|c| traced(c)).collect();
    for verdict in verdicts {
        for word in ["always", "never"] {
            let line = format!("else cut\n  {word} {verdict}\n");
            texts.push(traced("yes").replace("else cut\n", &line));
        }
    }
    let (mut yes, mut refused) = (0, 0);
    for text in &texts {
        let rules = checked(text);
        let world = start(&rules, SetupId(0));
        let chief = rules.facts.iter().position(|f| f.name == "chief").map(FactId::at).unwrap();
        for varying in [&[][..], &[chief]] {
            let Ok(kernel) = Kernel::compile(&rules, &world, TraceId(0), varying) else {
                refused += 1;
                continue;
            };
            let mut batch = Batch::new(&rules, &world, 12, varying).unwrap();
            for at in 0..12 {
                for unit in 2..6 {
                    let space = u32::try_from((at + unit) % 4).unwrap();
                    let of = u32::try_from(unit).unwrap();
                    assert!(batch.set_space(at, of, Some(space).filter(|s| *s < 3)));
                    for fact in varying {
                        assert!(batch.set_fact(at, of, *fact, i64::try_from(at % 3).unwrap()));
                    }
                }
            }
            let (mut scratch, mut flags) = (Scratch::default(), Flags::default());
            kernel.flags(&batch, &mut scratch, &mut flags).unwrap();
            for at in 0..12 {
                let world = batch.world(at);
                let position = Position::new(&rules, &world).unwrap();
                for unit in flags.units() {
                    let slow = position.answer(TraceId(0), ThingRef::Unit(*unit)).unwrap().yes;
                    assert_eq!(flags.get(at, *unit), Some(slow), "position {at}, {unit}: {text}");
                    yes += usize::from(slow);
                }
            }
        }
    }
    assert!(yes > 100 && refused < texts.len() / 2, "{yes}, {refused} of {}", texts.len());
}

#[test]
fn a_column_is_refused_what_some_rows_lack() {
    let rules = checked(&text());
    for (at, (asked, ..)) in ASKED.iter().enumerate() {
        let id = define(&rules, &format!("n{at}")).value;
        assert!(Program::compile(&rules, What::Expression(id)).is_err(), "{asked}");
    }
    let named =
        |name: &str| DefineId::at(rules.defines.iter().position(|d| d.name == name).unwrap());
    assert!(Program::compile(&rules, What::Define(named("unmarked"))).is_ok());
}

#[test]
fn nothing_stands_behind_what_is_not_there() {
    let rules = checked(&text());
    let world = start(&rules, SetupId(0));
    let position = Position::new(&rules, &world).unwrap();
    let alone = position.asked_of(unit(&world, "Alone"));
    for (at, (asked, ..)) in ASKED.iter().enumerate().take(8) {
        let id = define(&rules, &format!("n{at}")).value;
        let parts = position.amount_parts(id, &alone).unwrap();
        assert_eq!(parts, [], "{asked}");
    }
    let sources = ["n8", "n9", "n10", "n11"].map(|name| define(&rules, name).value);
    let why = sources.map(|id| why_text(&position, id, &alone).unwrap());
    assert_eq!(
        why,
        [
            "not green, for chief is none",
            "not sure, for chief is none",
            "not alone, for chief is none",
            "not plain, for Alone is not guard",
        ]
    );
}

#[test]
fn a_reach_of_nobody_names_no_row() {
    let text = traced("yes").replace("within  unlimited", "within  lead of chief");
    let rules = checked(&text);
    let world = start(&rules, SetupId(0));
    let position = Position::new(&rules, &world).unwrap();
    let told =
        |name: &str| explanation_text(&explain(&position, TraceId(0), unit(&world, name)).unwrap());
    assert!(told("Led").contains("  reach    1 point (lead, otherwise)\n"), "{}", told("Led"));
    assert!(
        told("Alone").contains("  reach    0 points (chief of Alone is none)\n"),
        "{}",
        told("Alone")
    );
}

#[test]
fn a_rule_of_what_is_not_there_is_not_carried_out() {
    let case = |of: &str| -> String {
        format!(
            "case \"{of}\" {{\n  setup all\n  expect lead of chief of {of} at most 1\n  expect pay of chief of {of} at most 3\n}}\n"
        )
    };
    let mut rules = checked(&(text() + case("Alone").as_str() + case("Led").as_str()));
    let lead = TableId::at(rules.tables.iter().position(|t| t.name == "lead").unwrap());
    let pay = define(&rules, "pay").line;
    for (at, times) in [(0, 0), (1, 1)] {
        rules.seen = Seen::counting(&rules);
        let failures = run_case(&rules, &rules.cases[at], |_| "").failures;
        assert!(failures.is_empty(), "{failures:?}");
        assert_eq!(rules.seen.of_row(lead, 1).min(1), times, "case {at}");
        assert_eq!(rules.seen.of_line(pay).min(1), times, "case {at}");
    }
}

#[test]
fn a_failed_expectation_says_that_there_is_nobody() {
    let case = "case \"a\" {\n  setup all\n  expect lead of chief of Alone is 1 point\n}\n";
    let rules = checked(&(text() + case));
    let failures = run_case(&rules, &rules.cases[0], |_| "").failures;
    let why = failures.first().and_then(|failure| failure.why.as_deref());
    assert_eq!(why, Some("because  chief of Alone is none\n"), "{failures:?}");
}
