//! Findings W1216 against a brute force over all combinations of facts: taking out or reversing what
//! is reported changes no answer, and doing so to what is not reported changes one.

use crate::common::Dice;
use crate::common::counts::seeds;
use crate::place::Place;
use sutler::diag::Severity;
use sutler::ir::{Ruleset, SetupId};
use sutler::kernel::{Cx, Position};
use sutler::lint::lint;
use sutler::mutate::Given;
use sutler::project::{Project, check_text};
use sutler::world::{ThingRef, start};

const WORLD: &str = r#"edition 1
ruleset idle "Idle" prefix ID
sides Red against Blue
dimension points (point)
kind area is space {
  has town yes or no
}
kind road is link
kind troop, troops is unit {
  has n in points from 0 to 4
  has brave yes or no
  has fed yes or no
  has arm one of foot, horse
}
map m {
  space area A
}
"#;

/// A troop for each combination of what can be asked.
fn setup() -> String {
    let mut text = "setup s on m {\n".to_owned();
    for at in 0..40 {
        let fact =
            |bit: usize, name: &str| if at & bit > 0 { format!(", {name}") } else { String::new() };
        let arm = if at & 1 > 0 { "horse" } else { "foot" };
        let (brave, fed) = (fact(2, "brave"), fact(4, "fed"));
        text +=
            &format!("  put troop X{at} of Red in A with n {}, arm {arm}{brave}{fed}\n", at / 8);
    }
    text + "}\n"
}

fn atom(dice: &mut Dice) -> String {
    let number = dice.below(4) + 1;
    match dice.below(8) {
        0 => "brave".to_owned(),
        1 => "not brave".to_owned(),
        2 => "fed".to_owned(),
        3 => "arm is foot".to_owned(),
        4 => "arm is not foot".to_owned(),
        5 => format!("n less than {number}"),
        6 => format!("n is {number}"),
        _ => format!("n at least {number}"),
    }
}

fn condition(dice: &mut Dice) -> String {
    match dice.below(3) {
        0 => format!("{} and {}", atom(dice), atom(dice)),
        1 => format!("{} or {}", atom(dice), atom(dice)),
        _ => atom(dice),
    }
}

/// Rules, a line each that can be taken out.
fn rules(dice: &mut Dice) -> Vec<String> {
    let mut lines: Vec<String> =
        vec!["trace supply of troop {".into(), "  called supplied else cut".into()];
    for _ in 0..3 {
        let word = if dice.percent(50) { "always" } else { "never" };
        lines.push(format!("  {word} {}", condition(dice)));
    }
    lines.push("  source depot where town\n  leg walk\n  over road\n  from anywhere\n  through anywhere\n  into anywhere\n  within 1\n}".into());
    lines.push("table level of troop gives points by first match {".into());
    for row in ["one", "two"] {
        lines.push(format!("  row {row} when {} then {}", condition(dice), dice.below(2)));
    }
    lines.push("  otherwise 0\n}".into());
    lines.push(format!("exception high to level when {} then {}", condition(dice), dice.below(2)));
    lines.push(format!("exception low to row one of level when {}", condition(dice)));
    lines.push(format!(
        "define odd of troop = {} {} {}",
        atom(dice),
        dice.pick(&["and", "or"]),
        atom(dice)
    ));
    lines.push("define has_line of troop = supplied\ndefine leads of troop = level is 1".into());
    lines
}

fn text(lines: &[String]) -> String {
    format!("{WORLD}{}{}\n", setup(), lines.join("\n"))
}

/// What the defines say of every troop; nothing where the rules are refused.
fn answers(lines: &[String]) -> Option<Vec<bool>> {
    let rules: Ruleset = check_text("idle.sut", text(lines).as_bytes()).1?;
    let world = start(&rules, SetupId(0));
    let position = Position::new(&rules, &world).unwrap();
    let asked = ["odd", "has_line", "leads"]
        .map(|name| rules.defines.iter().find(|define| define.name == name).unwrap().value);
    let of = |troop| {
        asked.map(|value| position.holds(value, &Cx::of(None, ThingRef::Unit(troop))).unwrap())
    };
    Some((0..40).flat_map(of).collect())
}

/// The findings, each with the place of its line among `lines`.
fn told(lines: &[String]) -> Vec<(usize, &'static str, String)> {
    let text = text(lines);
    let place = Place::with(&text);
    let mut project = Project::open(&place.path("game"));
    let loaded = project.rulesets.remove(0);
    let rules = loaded.rules.clone().unwrap_or_else(|| panic!("{text}\n{:?}", loaded.faults));
    let given = Given { resolved: loaded.resolved(), rules: &rules, sources: &project.sources };
    let before = WORLD.len() + setup().len();
    let line_of = |start: usize| {
        let mut end = before;
        lines.iter().position(|line| {
            end += line.len() + 1;
            start < end
        })
    };
    lint(&[given], None, &loaded.faults)
        .into_iter()
        .filter_map(|f| {
            let start = f.primary()?.start as usize;
            let line = (start >= before).then(|| line_of(start))??;
            Some((line, f.code.as_str(), f.message))
        })
        .collect()
}

#[test]
fn what_is_idle_changes_no_answer_and_what_is_not_does() {
    let (mut idle, mut busy, mut parts) = (0, 0, 0);
    for seed in seeds(1500) {
        let lines = rules(&mut Dice::new(seed));
        let Some(all) = answers(&lines) else { continue };
        let told = told(&lines);
        let says = |at: usize, codes: &[&str]| {
            told.iter().any(|(line, code, _)| *line == at && codes.contains(code))
        };
        for (at, line) in lines.iter().enumerate() {
            let mut other = lines.clone();
            let (same, idles) = if let Some(rest) = line.strip_prefix("  always ") {
                other[at] = format!("  never {rest}");
                (answers(&other), says(at, &["W1216", "W1204"]))
            } else if let Some(rest) = line.strip_prefix("  never ") {
                other[at] = format!("  always {rest}");
                (answers(&other), says(at, &["W1216", "W1204"]))
            } else if line.starts_with("exception") {
                other.remove(at);
                (answers(&other), says(at, &["W1216", "W1204", "W0503"]))
            } else {
                continue;
            };
            let Some(same) = same else { continue };
            // A part that says nothing stands in a line that does something.
            let of_part =
                told.iter().any(|(line, _, said)| *line == at && said.contains("another part"));
            if of_part {
                continue;
            }
            // An exception to one row may be idle for what another exception takes.
            if same == all && line.starts_with("exception low") {
                continue;
            }
            if same == all {
                assert!(
                    idles,
                    "seed {seed}: `{line}` is idle and not told\n{}\n{told:?}",
                    lines.join("\n")
                );
                idle += 1;
            } else {
                assert!(
                    !says(at, &["W1216"]),
                    "seed {seed}: `{line}` is not idle\n{}\n{told:?}",
                    lines.join("\n")
                );
                busy += 1;
            }
        }
        parts += without_parts(seed, &lines, &all, &told);
    }
    assert!(idle > 50 && busy > 100 && parts > 10, "{idle} {busy} {parts}");
}

/// Takes the parts out of `odd` by turns, and says how many were told.
fn without_parts(
    seed: u64,
    lines: &[String],
    all: &[bool],
    told: &[(usize, &'static str, String)],
) -> usize {
    let at = lines.iter().position(|line| line.starts_with("define odd")).unwrap();
    let (head, body) = lines[at].split_once(" = ").unwrap();
    let joint = if body.contains(" and ") { " and " } else { " or " };
    let (first, second) = body.split_once(joint).unwrap();
    let mut idle = 0;
    for part in [first, second] {
        let mut other = lines.to_vec();
        other[at] = format!("{head} = {part}");
        idle += usize::from(answers(&other).as_deref() == Some(all));
    }
    let says = told.iter().any(|(line, code, _)| *line == at && ["W1216", "W1204"].contains(code));
    let mut odd = all.iter().step_by(3);
    let always = odd.clone().all(|holds| *holds) || odd.all(|holds| !holds);
    assert_eq!(says, idle > 0 || always, "seed {seed}: {}\n{told:?}", lines[at]);
    idle.min(1)
}

/// The errors of these rules.
fn refused(rules: &str) -> Vec<String> {
    let text = format!("{}\n{rules}\n", sutler::diag::code::PRELUDE);
    let faults = check_text("lost.sut", text.as_bytes()).2;
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error);
    errors.map(|fault| fault.code.as_str().to_owned()).collect()
}

#[test]
fn what_would_be_lost_is_refused() {
    let guard = "kind guard is army {\n  has pride in points from 0 to 3\n}\n";
    let of_setup = |unit: &str, given: &str| {
        format!(
            "{guard}setup odd on coast {{\n  put {unit} A of Red in Hill with strength 2\n  given {given}\n}}"
        )
    };
    assert_eq!(refused(&of_setup("army", "pride of A is 2")), ["E0705"]);
    assert_eq!(refused(&of_setup("guard", "pride of A is 2")), [""; 0]);
    let of_case = |unit: &str| {
        format!(
            "{guard}case \"odd\" {{\n  on coast\n  put {unit} A of Red in Hill with strength 2\n  given pride of A is 2\n  expect strength of A is 2\n}}"
        )
    };
    assert_eq!(refused(&of_case("army")), ["E0705"]);
    assert_eq!(refused(&of_case("guard")), [""; 0]);

    let map = |given: &str| format!("map odd {{\n  space area Here\n  space area There\n{given}}}");
    assert_eq!(
        refused(&map("  given control is Red in Here\n  given control is Blue in Here\n")),
        ["E0202"]
    );
    assert_eq!(
        refused(&map("  given control is Red in Here\n  given control is Blue in There\n")),
        [""; 0]
    );

    let die = |faces: &str| format!("die lame shows {faces}");
    assert_eq!(refused(&die("2, 2, 2")), ["E0210"]);
    assert_eq!(refused(&die("2, 2, 3")), [""; 0]);

    let share = |by: &str| format!("define share of army = rounded down (strength / {by})");
    assert_eq!(refused(&share("0")), ["E0210"]);
    assert_eq!(refused(&share("2")), [""; 0]);

    let hook = |otherwise: &str| {
        format!(
            "hook levy of army gives points {{\n  reads strength\n  kept between 2 and 4\n  otherwise {otherwise}\n}}"
        )
    };
    assert_eq!(refused(&hook("5")), ["E1106"]);
    assert_eq!(refused(&hook("strength")), [""; 0]);
    assert_eq!(refused(&hook("4")), [""; 0]);

    let lines = "  source depot where friendly\n  over borders\n  from anywhere\n  through anywhere\n  into anywhere\n  within 1\n";
    assert_eq!(
        refused(&format!("trace odd of army {{\n  called fine else lost\n{lines}}}")),
        ["E0402"]
    );
}
