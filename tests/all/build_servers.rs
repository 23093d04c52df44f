//! What a build server sees: one broken ruleset hides no other, every format says it, and nothing
//! passes that was not run.

use crate::place;
use crate::place::Place;
use serde_json::Value;
use sutler::diag::code::PRELUDE;

const FORMATS: [&str; 7] = ["full", "concise", "json", "jsonl", "junit", "github", "sarif"];

const CASE: &str = "case \"near enough\" [1b] {\n  setup opening\n  expect Guard is supplied\n}\n";

/// A game with one case, a variant that is sound, and one whose `was` is no longer so.
fn stale() -> Place {
    let place = Place::with(&format!("{PRELUDE}\n{CASE}"));
    let head =
        |name: &str| format!("edition 1\nruleset {name} \"{name}\" prefix V extends example\n");
    place.write(
        "game/fine.sut",
        format!(
            "{}{}",
            head("fine"),
            CASE.replace(" [1b]", "").replace("near enough", "also near")
        ),
    );
    place.write(
        "game/stale.sut",
        format!(
            "{}override row led of reach was 7 now 4\n{}",
            head("stale"),
            CASE.replace(" [1b]", "")
        ),
    );
    place
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn what_compiles_is_run_and_what_does_not_is_an_error_in_every_format() {
    let place = stale();
    for format in FORMATS {
        let said = place.run(&["test", "game", "--format", format]);
        assert_eq!((said.code, said.err.as_str()), (1, ""), "{format}");
        assert!(
            said.out.contains("E0603") && said.out.contains("game/stale.sut"),
            "{format}: {}",
            said.out
        );
    }
    let run = |format: &str| place.run(&["test", "game", "--format", format]).out;
    let full = run("full");
    let counts = "example: 1 passed, 0 failed\nfine: 1 passed, 0 failed\nstale: not run, 1 error\n2 passed, 0 failed, 1 ruleset not run\n";
    assert!(full.ends_with(counts), "{full}");
    let found = json(&run("json"));
    assert_eq!(
        (found["passed"].as_u64(), found["failed"].as_u64(), found["not_run"].as_u64()),
        (Some(2), Some(0), Some(1))
    );
    let note = &found["notes"][0];
    assert_eq!(
        (note["ruleset"].as_str(), note["code"].as_str(), note["line"].as_u64()),
        (Some("stale"), Some("E0603"), Some(3))
    );
    let rows: Vec<Value> = run("jsonl").lines().map(json).collect();
    assert_eq!(
        (rows.len(), rows[0]["status"].as_str(), rows[3]["not_run"].as_u64()),
        (4, Some("error"), Some(1))
    );
    let junit = run("junit");
    assert!(
        junit.contains("<testsuites tests=\"3\" failures=\"0\" errors=\"1\" time=\""),
        "{junit}"
    );
    assert!(
        junit.contains("<testsuite name=\"stale\" tests=\"1\" failures=\"0\" errors=\"1\" time=\""),
        "{junit}"
    );
    assert!(junit.contains("<error type=\"E0603\" message=\"`was 7`, but"), "{junit}");
    let github = run("github");
    assert!(
        github.starts_with("::error file=game/stale.sut,line=3,")
            && github.contains("title=stale%3A E0603::"),
        "{github}"
    );
    let log = json(&run("sarif"));
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        (result["ruleId"].as_str(), result["level"].as_str()),
        (Some("E0603"), Some("error"))
    );
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], "E0603");
}

#[test]
fn no_format_prints_nothing() {
    let place = stale();
    place.write("alone/rules.sut", format!("{PRELUDE}\ndefine wet of area = terain is sea\n"));
    place.write("fine/rules.sut", format!("{PRELUDE}\n{CASE}"));
    for format in FORMATS {
        for (path, code, word) in [("alone", 1, "E0201"), ("nowhere", 2, "E0006"), ("fine", 0, "")]
        {
            let said = place.run(&["test", path, "--format", format]);
            assert_eq!(said.code, code, "{path} {format}: {}", said.err);
            assert!(
                !said.out.is_empty() && said.out.contains(word),
                "{path} {format}: {}",
                said.out
            );
        }
    }
    for format in ["full", "concise", "json", "github", "sarif"] {
        let said = place.run(&["check", "alone", "--format", format]);
        assert_eq!(said.code, 1);
        assert!(
            said.out.contains("E0201") && said.out.contains("alone/rules.sut"),
            "{format}: {}",
            said.out
        );
    }
    let clean = place.run(&["check", "fine", "--format", "sarif"]);
    assert_eq!(
        (clean.code, json(&clean.out)["runs"][0]["results"].as_array().unwrap().len()),
        (0, 0)
    );
}

#[test]
fn what_was_sought_may_stand_in_what_does_not_compile() {
    let place = stale();
    let said = place.run(&["test", "game/stale.sut", "--filter", "near", "--format", "json"]);
    assert_eq!((said.code, json(&said.out)["not_run"].as_u64()), (1, Some(1)));
    let listed = place.run(&["test", "game", "--list"]);
    assert_eq!((listed.code, listed.out.lines().count()), (1, 2), "{}", listed.out);
    assert!(listed.err.contains("E0603"), "{}", listed.err);
    let blessed = place.run(&["test", "game", "--bless"]);
    assert_eq!((blessed.code, blessed.out.as_str()), (1, ""));
    assert!(blessed.err.contains("error: a ruleset with faults is not blessed"), "{}", blessed.err);
}

#[test]
fn a_fault_of_a_base_is_reported_once() {
    let place = Place::with(&format!("{PRELUDE}\n{CASE}define wet of area = terain is sea\n"));
    for name in ["one", "two", "three"] {
        let text = format!("edition 1\nruleset {name} \"{name}\" prefix V extends example\n");
        place.write(&format!("game/{name}.sut"), text);
    }
    // A variant's own fault is reported with it, beside that of the base.
    place.write("game/own.sut", "edition 1\nruleset own \"own\" prefix V extends example\ndefine dry of area = terrane is sea\n");
    let said = place.run(&["check", "game", "--format", "concise"]);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", said.out);
    assert!(lines[0].contains("`terain`") && lines[1].contains("`terrane`"), "{}", said.out);
    let tested = json(&place.run(&["test", "game", "--format", "json"]).out);
    let codes: Vec<&str> =
        tested["notes"].as_array().unwrap().iter().map(|n| n["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["E0201", "not-run", "E0201", "not-run", "not-run"]);
    assert_eq!(tested["not_run"], 5);
    // Asked of a variant alone it is reported all the same.
    let one = place.run(&["check", "game/one.sut", "--format", "concise"]);
    assert_eq!((one.code, one.out.lines().count()), (1, 1), "{}", one.out);
    // The other commands say it once too.
    assert_eq!(place.run(&["lint", "game"]).err.matches("error[E0201]").count(), 2);
}

#[test]
fn a_copy_of_a_file_is_one_message_that_names_both() {
    for (file, text) in [
        ("suite (1).sut", format!("edition 1\n{CASE}")),
        (
            "suite copy.sut",
            format!(
                "edition 1\n\n# edited\n{CASE}case \"new\" {{\n  setup opening\n  expect Guard is supplied\n}}\n"
            ),
        ),
        ("other.sut", format!("edition 1\n{CASE}")),
        ("rules - Copy.sut", PRELUDE.to_owned()),
    ] {
        let place = Place::with(PRELUDE);
        place.write("game/suite.sut", format!("edition 1\n{CASE}"));
        place.write(&format!("game/{file}"), text);
        let said = place.run(&["check", "game", "--format", "concise"]);
        assert_eq!((said.code, said.out.lines().count()), (1, 1), "{file}: {}", said.out);
        assert!(said.out.contains("error[E0013]"), "{file}: {}", said.out);
        let copy = if file == "other.sut" { "suite.sut" } else { file };
        let original = if file.starts_with("rules") {
            "`rules.sut`"
        } else if file == "other.sut" {
            "`other.sut`"
        } else {
            "`suite.sut`"
        };
        assert!(
            said.out.contains(&format!("`{copy}`")) && said.out.contains(original),
            "{file}: {}",
            said.out
        );
    }
    // Files that only begin alike are two files.
    let place = Place::with(PRELUDE);
    place.write("game/suite.sut", format!("edition 1\n{CASE}"));
    place.write(
        "game/suite (1).sut",
        "edition 1\ncase \"another\" {\n  setup opening\n  expect strength of Guard is 4\n}\n",
    );
    assert_eq!(place.run(&["check", "game"]).code, 0);
}

#[test]
fn warnings_fail_where_they_are_denied() {
    // An expectation that says what was given is a warning.
    let place = Place::with(&format!(
        "{PRELUDE}\n{CASE}case \"again\" [1b] {{\n  setup opening\n  given leader of Guard is Marlow\n  expect leader of Guard is Marlow\n}}\n"
    ));
    let free = place.run(&["check", "game", "--format", "github"]);
    assert_eq!(free.code, 0, "{}", free.out);
    assert!(free.out.starts_with("::warning file=game/rules.sut,line="), "{}", free.out);
    let denied = place.run(&["check", "game", "--deny", "warnings", "--format", "sarif"]);
    assert_eq!((denied.code, denied.err.as_str()), (1, "1 warning, and warnings are denied\n"));
    assert_eq!(json(&denied.out)["runs"][0]["results"][0]["level"], "warning");
    place.write("game/rules.sut", format!("{PRELUDE}\n{CASE}"));
    assert_eq!(place.run(&["check", "game", "--deny", "warnings"]).code, 0);
}

#[test]
fn a_ruleset_without_cases_says_so_and_may_be_denied() {
    let place = Place::with(PRELUDE);
    for format in FORMATS {
        let said = place.run(&["test", "game", "--format", format]);
        assert_eq!(said.code, 0, "{format}");
        let word = if matches!(format, "full" | "concise") { "has no cases" } else { "no-cases" };
        assert!(said.out.contains(word), "{format}: {}", said.out);
        let denied = place.run(&["test", "game", "--format", format, "--min-cases", "1"]);
        assert_eq!(denied.code, 1, "{format}");
        let word = if matches!(format, "full" | "concise") {
            "has 0 cases, and `--min-cases` asks for 1"
        } else {
            "too-few-cases"
        };
        assert!(denied.out.contains(word), "{format}: {}", denied.out);
    }
    place.write("game/suite.sut", format!("edition 1\n{CASE}"));
    assert_eq!(place.run(&["test", "game", "--min-cases", "1"]).code, 0);
    let few = place.run(&["test", "game", "--min-cases", "2", "--filter", "near"]);
    assert_eq!(few.code, 1);
    assert!(few.out.contains("has 1 case, and `--min-cases` asks for 2"), "{}", few.out);
}

#[test]
fn a_build_server_blesses_nothing_unless_told_to() {
    let place = Place::with(PRELUDE);
    let wrong = "edition 1\ncase \"reach\" {\n  setup opening\n  expect reach of Guard is 2\n}\n";
    place.write("game/suite.sut", wrong);
    let run = |ci: &str, more: &[&str]| {
        let args = [&["test", "game", "--bless"][..], more].concat();
        place::said(&place.command(&args).env("CI", ci).output().unwrap())
    };
    let read = || std::fs::read_to_string(place.path("game/suite.sut")).unwrap();
    let refused = run("true", &[]);
    assert_eq!((refused.code, refused.out.as_str(), read().as_str()), (2, "", wrong));
    assert!(
        refused.err.contains("CI is set") && refused.err.contains("--force"),
        "{}",
        refused.err
    );
    assert_eq!((run("true", &["--dry-run"]).code, read().as_str()), (1, wrong));
    assert_eq!((run("true", &["--force"]).code, read()), (0, wrong.replace("is 2", "is 1")));
    place.write("game/suite.sut", wrong);
    assert_eq!((run("false", &[]).code, read()), (0, wrong.replace("is 2", "is 1")));
}

/// A parent, and a variant that adds a clause which no case shows; beside them another game.
fn two_games() -> Place {
    let place = Place::with(&format!(
        "{PRELUDE}\n{CASE}case \"led\" [1a] {{\n  setup opening\n  expect Guard is supplied\n}}\n"
    ));
    place.write(
        "game/extra.sut",
        "edition 1\nruleset extra \"More\" prefix MO extends example\nsection 9 \"More\"\nclause z \"Shown by no case.\"\ndefine far of army = strength at least 3 [9z]\n",
    );
    place.write("able/rules.sut", PRELUDE.replace("ruleset example", "ruleset able"));
    place
}

#[test]
fn coverage_and_lint_count_the_same_clauses() {
    let place = two_games();
    let lacking = |path: &str| -> Vec<String> {
        let found = json(&place.run(&["coverage", path, "--missing", "--format", "json"]).out);
        found["clauses"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let linted = |path: &str| -> Vec<String> {
        let found = json(&place.run(&["lint", path, "--format", "json"]).out);
        let all = found["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|d| d["code"] == "W1201" || d["code"] == "W1202");
        let mut ids: Vec<String> = all
            .map(|d| d["message"].as_str().unwrap().split('`').nth(1).unwrap().to_owned())
            .collect();
        ids.dedup();
        ids
    };
    // The variant's own clause is one of the folder, for both.
    assert_eq!(lacking("game"), ["MO-9z"]);
    assert_eq!(linted("game"), ["MO-9z"]);
    // In a folder of games each has its own variants, whichever stands first: a clause that a case
    // shows is shown.
    assert!(
        !linted(".").iter().any(|id| lacking("able").is_empty() && id.starts_with("EX-")),
        "{:?}",
        linted(".")
    );
    assert!(linted(".").contains(&"MO-9z".to_owned()));
}

#[test]
fn commands_about_one_ruleset_refuse_a_folder_of_several() {
    let place = two_games();
    for call in [&["coverage", "."][..], &["mutate", "."], &["trace", "."], &["ir", "."]] {
        let said = place.run(call);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{call:?}");
        assert!(
            said.err.contains("holds 2 rulesets") && said.err.contains("game`"),
            "{call:?}: {}",
            said.err
        );
    }
}

#[test]
fn a_variant_of_what_does_not_check_is_not_run_alone_either() {
    let lost = "define lost_rule of = \n";
    let place = Place::with(&format!("{PRELUDE}\n{CASE}\n{lost}"));
    place.write(
        "game/far.sut",
        format!(
            "edition 1\nruleset far \"Far\" prefix V extends example\n{}",
            CASE.replace(" [1b]", "")
        ),
    );
    for path in ["game", "game/far.sut"] {
        for command in ["check", "test", "coverage"] {
            let said = place.run(&[command, path]);
            assert_eq!(said.code, 1, "{command} {path}: {}{}", said.out, said.err);
        }
    }
}
