//! Every example of every code does what its explanation says: the wrong one raises exactly that
//! code, the right one nothing at all.

use std::fs;

use sutler::diag::code::{self, CodeInfo, Example, PRELUDE};
use sutler::diag::{Diagnostic, Severity};
use sutler::engine::odds::{OddsFault, Passing, odds};
use sutler::ir::{PhaseId, Ruleset, SetupId};
use sutler::lint::lint;
use sutler::mutate::Given;
use sutler::project::{Loaded, Project, check_text};
use sutler::report::position_faults as position_faults_of;
use sutler::source::{SourceMap, screen};
use sutler::suite::run_case;
use sutler::world::json::read;
use sutler::world::start;

/// Parts an example in two files: what belongs to the parent, and a variant of it.
const VARIANT: &str = "# file variant.sut\n";

/// Begins a script or a sheet behind an example, up to its file's name.
const BESIDE: &str = "# file ";

/// Faults of positions: their examples are JSON, and [`position_faults`] runs them.
const OF_POSITIONS: [&str; 16] = [
    "E0801", "E0802", "E0803", "E0804", "E0805", "E0806", "E0807", "E0808", "E0809", "E0810",
    "E0811", "E0812", "E0813", "E0814", "E0815", "E0816",
];

/// Begins an example of a position on a table, of [`TABLE`].
const ON_A_TABLE: &str = "// on a table\n";

/// Begins an example of a position with a kind that must have a fact, of [`GARRISON`].
const WITH_A_GARRISON: &str = "// with a garrison\n";

/// What such an example adds to the game of the examples.
const GARRISON: &str = "kind garrison is unit {\n  has post an area\n}\n";

/// A ruleset with a table.
const TABLE: &str = r#"edition 1
ruleset green "The Green" prefix GR
sides Red, Blue
dimension bw
tabletop in bw
kind stand, stands is unit {
  base 1 by 1/2
}
kind general, generals is unit
map field {
  table 12 by 8
}
"#;

/// Faults that only an answer can raise; their wrong examples check without an error, and their
/// cases raise them.
const AT_RUN_TIME: [&str; 7] = ["E1001", "E1002", "E1003", "E1004", "E1005", "E1006", "E1023"];

/// A fault that only odds can raise; its examples check without a fault, and their last phase
/// raises it or not.
const BY_ODDS: &str = "E1011";

/// What only `sutler lint` looks for; a check has nothing to say of either example.
const BY_LINT: [&str; 18] = [
    "E1060", "E1061", "W1201", "W1202", "W1203", "W1204", "W1205", "W1206", "W1207", "W1208",
    "W1209", "W1210", "W1211", "W1212", "W1213", "W1214", "W1215", "W1216",
];

/// The codes of what is found in an example that no check finds fault with.
fn linted(example: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let (own, variant) = example.split_once(VARIANT).unwrap_or((example, ""));
    fs::write(folder.path().join("rules.sut"), format!("{PRELUDE}\n{own}")).unwrap();
    if !variant.is_empty() {
        fs::write(folder.path().join("variant.sut"), variant).unwrap();
    }
    let project = Project::open(folder.path());
    let given = |one: &Loaded| {
        assert!(one.faults.is_empty(), "{:?}", one.faults);
        (one.resolved().clone(), one.rules.clone().unwrap())
    };
    let all: Vec<_> = project.rulesets.iter().map(given).collect();
    let all: Vec<Given<'_>> = all
        .iter()
        .map(|(resolved, rules)| Given { resolved, rules, sources: &project.sources })
        .collect();
    let found = match all.as_slice() {
        [one] => lint(std::slice::from_ref(one), None, &[]),
        [parent, variant] => lint(std::slice::from_ref(variant), Some(parent), &[]),
        _ => panic!("{} rulesets", all.len()),
    };
    found.iter().map(|f| f.code.to_string()).collect()
}

/// The faults of a position of the prelude, read as a program would have it read.
fn position_faults(json: &str) -> Vec<String> {
    let garrison = format!("{PRELUDE}{GARRISON}");
    let (prelude, json) = if let Some(json) = json.strip_prefix(ON_A_TABLE) {
        (TABLE, json)
    } else if let Some(json) = json.strip_prefix(WITH_A_GARRISON) {
        (garrison.as_str(), json)
    } else {
        (PRELUDE, json)
    };
    let (mut sources, rules, _) = check_text("example.sut", prelude.as_bytes());
    let rules = rules.unwrap();
    let id = sources.next_id();
    let (text, mut faults) = screen(json.as_bytes(), id);
    sources.add("position.json", text);
    let (world, more) = read(sources.text(id), id, &rules);
    assert_eq!(
        world.is_none(),
        !more.is_empty(),
        "a position is given if and only if there is no fault"
    );
    faults.extend(more);
    // Whether bases overlap is known when the rules have said how large they are.
    if let Some(world) = &world {
        faults.extend(position_faults_of(&rules, world, sources.text(id), id).unwrap());
    }
    said(&faults)
}

#[test]
fn the_prelude_is_without_a_fault() {
    assert_eq!(run(""), [] as [String; 0]);
}

#[test]
fn every_wrong_example_raises_its_code_and_every_right_one_nothing() {
    let mut bad = Vec::new();
    for info in code::all() {
        for (at, example) in code::examples(info).iter().enumerate() {
            if BY_LINT.contains(&info.code.as_str()) {
                let found = linted(example.text);
                assert_eq!(
                    found.contains(&info.code.to_string()),
                    !example.right,
                    "{}, example {}: {found:?}",
                    info.code,
                    at + 1
                );
                continue;
            }
            let Some(found) = faults_of(example) else { continue };
            let wanted = wanted(info, example);
            if AT_RUN_TIME.contains(&info.code.as_str()) {
                let raised = raised(example.text);
                let right =
                    if example.right { raised.is_empty() } else { raised == [info.code.as_str()] };
                assert!(right, "{}, example {}: {raised:?}", info.code, at + 1);
            }
            if info.code.as_str() == BY_ODDS {
                assert_eq!(
                    too_many_ends(example.text),
                    !example.right,
                    "{}, example {}",
                    info.code,
                    at + 1
                );
            }
            if !wanted(&found) {
                let side = if example.right { "right" } else { "wrong" };
                bad.push(format!(
                    "{}, example {}, {side}: {found:#?}\n{}",
                    info.code,
                    at + 1,
                    example.text
                ));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn no_explanation_is_missing() {
    for info in code::all() {
        assert!(!info.text.contains("To be written"), "{}", info.code);
        let language = if OF_POSITIONS.contains(&info.code.as_str()) { "json" } else { "sutler" };
        // A file cannot show a fault of bytes, of the file system, of the program itself, of a run
        // and its orders, or of a command that writes files.
        let unshown = info.code.as_str() < "E0100"
            || ("E1065"..="E1078").contains(&info.code.as_str())
            || matches!(
                info.code.as_str(),
                "E0190"
                    | "E1020"
                    | "E1021"
                    | "E1022"
                    | "E1024"
                    | "E1025"
                    | "E1027"
                    | "E1050"
                    | "E1051"
                    | "E1052"
                    | "W1026"
                    | "W1110"
            );
        for example in code::examples(info) {
            assert!(unshown || example.language == language, "{}: {}", info.code, example.language);
            assert!(
                example.text.lines().all(|l| l.chars().count() <= 100),
                "{}: a line is too long",
                info.code
            );
        }
    }
}

/// What an example should raise: its own code alone; a warning alone for a code that only an answer
/// can raise.
fn wanted(info: &CodeInfo, example: &Example) -> impl Fn(&[String]) -> bool {
    let (code, right) = (info.code.as_str(), example.right);
    move |found| match right {
        true => found.is_empty(),
        false if code == BY_ODDS => found.is_empty(),
        false if AT_RUN_TIME.contains(&code) => found.iter().all(|f| f.starts_with('W')),
        false => !found.is_empty() && found.iter().all(|f| f.starts_with(code)),
    }
}

/// The faults of an example, each with its code first; none if nothing can run it.
fn faults_of(example: &Example) -> Option<Vec<String>> {
    match example.language {
        "sutler" => Some(run(example.text)),
        "json" => Some(position_faults(example.text)),
        _ => None,
    }
}

fn run(example: &str) -> Vec<String> {
    if let Some((parent, variant)) = example.split_once(VARIANT) {
        return run_variant(parent, variant);
    }
    let text = if example.starts_with("edition") {
        example.to_owned()
    } else {
        format!("{PRELUDE}\n{example}")
    };
    let (_, rules, faults) = checked(&text);
    let errors = faults.iter().any(|f| f.severity == Severity::Error);
    assert_eq!(rules.is_none(), errors, "rules are given if and only if there is no error");
    said(&faults)
}

/// A text as a ruleset; with a script or a sheet behind it, from a folder as a designer would have it.
fn checked(text: &str) -> (SourceMap, Option<Ruleset>, Vec<Diagnostic>) {
    let Some((rules, other)) = text.split_once(BESIDE) else {
        return check_text("example.sut", text.as_bytes());
    };
    let (file, other) = other.split_once('\n').unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("hooks")).unwrap();
    fs::write(folder.path().join("rules.sut"), rules).unwrap();
    fs::write(folder.path().join(file), other).unwrap();
    let mut project = Project::open(folder.path());
    assert!(project.faults.is_empty(), "{:?}", project.faults);
    let one = project.rulesets.remove(0);
    (project.sources, one.rules, one.faults)
}

/// What the cases of an example come to: the code of each fault and the words of each other
/// failure.
fn raised(example: &str) -> Vec<String> {
    let text = format!("{PRELUDE}\n{example}");
    let (sources, rules, _) = checked(&text);
    let rules = rules.unwrap();
    assert!(!rules.cases.is_empty(), "a case shows what happens at run time");
    let mut found = Vec::new();
    for failure in rules
        .cases
        .iter()
        .flat_map(|case| run_case(&rules, case, |span| sources.slice(span)).failures)
    {
        match failure.fault {
            Some(fault) => {
                let place = fault.primary().unwrap();
                // The place lies in the example, not in the case that asks.
                assert!(
                    place.start as usize > PRELUDE.len() && !sources.slice(place).contains("case"),
                    "{fault:?}"
                );
                found.push(fault.code.to_string());
            }
            None => found.push(failure.message),
        }
    }
    found
}

/// Whether the odds of the last phase of an example, from its last setup, are refused.
fn too_many_ends(example: &str) -> bool {
    let (_, rules, _) = check_text("example.sut", format!("{PRELUDE}\n{example}").as_bytes());
    let rules = rules.unwrap();
    let world = start(&rules, SetupId::at(rules.setups.len() - 1));
    let phase = Passing::Phase(PhaseId::at(rules.phases.len() - 1), None);
    matches!(odds(&rules, &world, &[phase]), Err(OddsFault::TooMany))
}

/// A parent and its variant, from a folder as a designer would have it.
fn run_variant(parent: &str, variant: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("example");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("rules.sut"), format!("{PRELUDE}\n{parent}")).unwrap();
    fs::write(folder.join("variant.sut"), variant).unwrap();
    let project = Project::open(&folder);
    let mut found = said(&project.faults);
    assert_eq!(project.rulesets.len(), 2, "the parent and its variant");
    project.rulesets.iter().for_each(|r| found.extend(said(&r.faults)));
    found
}

fn said(faults: &[Diagnostic]) -> Vec<String> {
    faults.iter().map(|f| format!("{}: {}", f.code, f.message)).collect()
}
