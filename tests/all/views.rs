//! Who asks: phases, cases and positions in which a side must ask, and which side it is where
//! several are named.

use crate::place::{self, Place};
use crate::support;
use sutler::diag::code::PRELUDE;

/// Friends and enemies of areas, and a trace of areas that asks for them.
const VIEWS: &str = r#"
define feared of area = any enemy army here
define watched of area = any feared area adjacent
trace market of area "way to market" {
  called  has_market else has_none
  source  town where home
  leg way
    over    borders
    from    anywhere
    through anywhere
    into    anywhere
    within  1
}
define trading of area = any has_market area adjacent
define beside_market of army = any has_market area adjacent
"#;

/// What a check says of the small example with these lines behind it.
fn said(text: &str) -> String {
    let place = Place::with(&format!("{PRELUDE}{VIEWS}{text}"));
    let said = place.run(&["check", "game", "--format", "concise"]);
    format!("{}{}", said.out, said.err)
}

#[test]
fn a_phase_of_no_side_asks_for_no_friend_or_enemy_in_any_way() {
    let phase = |step: &str| format!("phase night in attrition {{\n  {step}\n}}\n");
    for (step, word) in [
        ("do clear control for areas where enemy", "enemy"),
        ("do clear control for areas where any enemy army here", "enemy"),
        ("do clear control for feared areas", "feared"),
        ("do clear control for areas where watched", "watched"),
        ("do clear control for areas where control is viewer", "viewer"),
        ("do clear control for areas where has_market", "has_market"),
        ("do clear control for areas where length of market at least 1", "market"),
        ("do clear control for areas where trading", "trading"),
        ("do set score to count of enemy armies", "enemy"),
        ("do remove for armies where enemy", "enemy"),
    ] {
        let world = "kind record is world {\n  has score in points from 0 to 99\n}\n";
        let said = said(&format!("{world}{}", phase(step)));
        let expected = format!("error[E0307]: `{word}` is seen by a side, and no side asks here");
        assert_eq!(said.matches("E0307").count(), 1, "{step}: {said}");
        assert!(said.contains(&expected), "{step}: {said}");
    }
    // A unit is asked by its own side, and so is what it reads.
    for step in [
        "do remove for armies where beside_market",
        "do remove for armies where any enemy army here",
    ] {
        assert!(!said(&phase(step)).contains("E0307"), "{step}");
    }
    let judged = "trace post of area {\n  called posted else unposted\n  judged in night\n  \
        lasts until end of turn\n  source town where home\n  leg way\n    over borders\n    \
        from anywhere\n    through anywhere\n    into anywhere\n    within 1\n}\n";
    let said = said(&format!("{judged}{}", phase("judge post for areas")));
    assert!(said.contains("E0307") && said.contains("`post` is seen by a side"), "{said}");
}

#[test]
fn a_case_asks_a_trace_of_spaces_for_a_side_it_names() {
    let case = |lines: &str| format!("case \"who asks\" {{\n  setup opening\n{lines}}}\n");
    for asked in [
        "expect Port is has_market",
        "expect market of Port is has_none",
        "expect length of market of Hill at least 0",
        "expect Hill is trading",
        "expect Hill is not trading",
    ] {
        let without = said(&case(&format!("  {asked}\n")));
        assert!(without.contains("E0307"), "{asked}: {without}");
        let with = said(&case(&format!("  given viewer is Red\n  {asked}\n")));
        assert!(!with.contains("E0307"), "{asked}: {with}");
    }
    let late = said(&case("  expect Hill is trading\n  given viewer is Red\n"));
    assert!(late.contains("E0307"), "{late}");
    // What a unit reads is asked by its owner.
    assert!(!said(&case("  expect Guard is beside_market\n")).contains("E0307"));
    let grid = "  given viewer | expect Port is has_market\n  row Red | yes\n  row Blue | no\n";
    let place = Place::with(&format!("{PRELUDE}{VIEWS}{}", case(grid)));
    let run = place.run(&["test", "game"]);
    assert!(run.out.contains("2 passed, 0 failed"), "{}{}", run.out, run.err);
}

#[test]
fn a_side_of_the_call_comes_before_the_viewer_of_a_position_in_every_command() {
    let place = Place::with(&format!("{PRELUDE}{VIEWS}"));
    let position = r#"{"schema": 1, "setup": "opening", "viewer": "Blue"}"#;
    place.write("one.json", position);
    place.write("many.jsonl", format!("{position}\n"));
    let asked = |command: &str, more: &[&str]| {
        let args = [&[command, "game", "--trace", "market", "--side", "Red"], more].concat();
        let said = place.run(&args);
        assert_eq!(said.code, 0, "{command}: {}", said.err);
        said.out
    };
    let traced = asked("trace", &["--position", "one.json"]);
    assert!(traced.contains("1 to town") || traced.contains("in its source"), "{traced}");
    let line = asked("batch", &["--positions", "many.jsonl"]);
    assert!(line.contains("has_market"), "{line}");
    let explained = asked("explain", &["Port", "--position", "one.json"]);
    assert!(explained.contains("Port of Red"), "{explained}");
    let threat = asked("threat", &["--position", "one.json"]);
    assert!(threat.contains("Red"), "{threat}");
}

#[test]
fn a_condition_on_a_space_says_where() {
    for slip in [
        "define quiet of area = no enemy army",
        "define quiet of area = coastal and not (any army where strength more than 2)",
        "define full of area = count of armies at least 2",
        "define near of army = any area adjacent where no enemy army",
    ] {
        let said = said(&format!("{slip}\n"));
        assert!(said.contains("W0313") && said.contains(" here`"), "{slip}: {said}");
    }
    for meant in [
        "define quiet of area = no enemy army here",
        "define full of area = count of armies within 1 at least 2",
        "define loved of area = any army where space is the area",
        "define peace = no army where strength at least 5\ndefine calm of area = coastal and peace",
        "define large of army = count of own armies at least 2",
    ] {
        let said = said(&format!("{meant}\n"));
        assert!(!said.contains("W0313"), "{meant}: {said}");
    }
}

#[test]
fn a_name_of_the_clock_is_no_phase() {
    for (name, says) in [("action", "part of the clock"), ("turn", "part of the clock")] {
        let phase = format!("phase {name} in attrition {{\n  do remove for armies\n}}\n");
        let said = said(&phase);
        assert!(said.contains("E0202") && said.contains(says), "{name}: {said}");
    }
    let place = Place::with(&PRELUDE.replace("attrition", "turn"));
    let said = place.run(&["check", "game"]);
    assert!(said.err.contains("E0202") || said.out.contains("E0202"), "{}{}", said.out, said.err);
}

#[test]
fn a_new_unit_of_a_position_has_what_it_must() {
    let kind = "kind garrison is unit {\n  has post an area\n}\n";
    let place = Place::with(&format!("{PRELUDE}{kind}"));
    let unit = |more: &str| {
        place.write(
            "now.json",
            format!(
                r#"{{"schema": 1, "map": "coast", "units": [{{"id": "Watch", "kind": "garrison", "side": "Red"{more}}}]}}"#
            ),
        );
        let said = place.run(&["trace", "game", "--position", "now.json"]);
        (said.code, said.err)
    };
    for without in ["", r#", "facts": {}"#, r#", "space": "Port""#] {
        let (code, err) = unit(without);
        assert!(code == 1 && err.contains("E0810") && err.contains("`post`"), "{without}: {err}");
    }
    // What is wrong with a fact that is written is said once, with its own code.
    let (code, err) = unit(r#", "facts": {"post": 1}"#);
    assert!(code == 1 && err.contains("E0804") && !err.contains("E0810"), "{err}");
    // What play has taken away is written as none.
    let written = [r#", "facts": {"post": "Port"}"#, r#", "facts": {"post": null}"#];
    for with in written.into_iter().chain([r#", "removed": true"#]) {
        assert_eq!(unit(with), (0, String::new()), "{with}");
    }
}

#[test]
fn the_opening_in_the_readme_is_what_the_map_command_draws() {
    let place = Place::with("");
    let rules = support::root().join("rulesets/soldier_kings");
    let mut args = vec!["map", rules.to_str().unwrap(), "--setup", "opening"];
    args.extend(["--around", "A2", "--away", "1", "--out", "opening.svg"]);
    let said = place.run(&args);
    assert_eq!(said.code, 0, "{}", said.err);
    let drawn = std::fs::read_to_string(place.path("opening.svg")).unwrap();
    let path = support::root().join("docs/soldier_kings_opening.svg");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "{} is drawn otherwise; run with BLESS=1 if meant", path.display());
}

#[test]
fn the_readme_shows_lines_of_a_ruleset_and_what_they_answer() {
    let rules = support::text_of("rulesets/soldier_kings/rules.sut");
    let mut rules = rules.lines();
    let blocks = support::blocks("README.md");
    let shown = |mark: &str| blocks.iter().find(|b| b.is(&[mark])).unwrap();
    for line in shown("text").text.lines().filter(|line| !line.is_empty()) {
        assert!(
            rules.any(|of| of == line),
            "README.md: no such line, or not in this order: {line}"
        );
    }
    let console = &shown("console").text;
    let (call, answer) = console.split_once("$ sutler ").unwrap().1.split_once('\n').unwrap();
    let answer = answer.trim_end().strip_suffix("...").unwrap();
    let args: Vec<String> = support::words(call);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let said = place::command(support::root(), &args).env("COLUMNS", "80").output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.starts_with(answer), "{said}");
}
