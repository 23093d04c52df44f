//! Migration: the frame, with steps made for the test, for there is one edition and so no step of
//! the program's own.

use std::path::Path;

use sutler::migrate::{Edit, STEPS, Step, plan};
use sutler::scaffold::scaffold;

fn ruleset() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, text) in scaffold("first_game", None, None).expect("a scaffold").files {
        std::fs::write(folder.path().join(file), text).expect("a file");
    }
    folder
}

fn every(text: &str, old: &str, new: &str) -> Vec<Edit> {
    text.match_indices(old)
        .map(|(at, _)| Edit { range: at..at + old.len(), new: new.to_owned() })
        .collect()
}

const NO_CHANGE_OF_MEANING: Step =
    Step { from: 1, to: 1, title: "Copse is called Wood", edits: |t| every(t, "Copse", "Wood") };
const SHORTER: Step =
    Step { from: 1, to: 1, title: "three become one", edits: |t| every(t, "then 3", "then 1") };
const BROKEN: Step = Step {
    from: 1,
    to: 1,
    title: "a word is lost",
    edits: |t| every(t, "define depot", "define lost"),
};
const NEXT: Step = Step { from: 1, to: 2, title: "edition 2", edits: |_| Vec::new() };
const OVER_ITSELF: Step = Step {
    from: 1,
    to: 1,
    title: "over itself",
    edits: |t| [every(t, "Copse", "A"), every(t, "opse", "b")].concat(),
};

fn refusal(path: &Path, steps: &[Step]) -> (String, String) {
    let refusal = plan(path, steps).expect_err("a refusal");
    (refusal.faults[0].code.as_str().to_owned(), refusal.faults[0].message.clone())
}

#[test]
fn with_one_edition_nothing_is_to_be_done() {
    let folder = ruleset();
    let plan = plan(folder.path(), STEPS).map_err(|r| r.faults).expect("a plan");
    assert_eq!((plan.files, plan.changes.len()), (4, 0));
}

#[test]
fn a_step_that_keeps_all_results_changes_the_files_it_touches() {
    let folder = ruleset();
    let plan = plan(folder.path(), &[NO_CHANGE_OF_MEANING]).map_err(|r| r.faults).expect("a plan");
    let names: Vec<_> =
        plan.changes.iter().map(|c| c.path.file_name().expect("a name").to_owned()).collect();
    assert_eq!(names, ["map.sut", "setups.sut"]);
    assert!(plan.changes.iter().all(|c| c.new.contains("Wood") && !c.new.contains("Copse")));
    // The grid is three cases, and the case above it one.
    assert_eq!(plan.cases, 4);
    // A plan writes nothing.
    assert!(
        std::fs::read_to_string(folder.path().join("map.sut")).expect("the map").contains("Copse")
    );
}

#[test]
fn a_step_that_changes_a_result_is_refused_with_the_case() {
    let folder = ruleset();
    let (code, message) = refusal(folder.path(), &[SHORTER]);
    assert_eq!(code, "E1069");
    assert!(
        message.contains("a captain leads farther")
            && message.contains("before it passed, now it failed"),
        "{message}"
    );
}

#[test]
fn errors_before_and_after_are_told_apart() {
    let folder = ruleset();
    let (code, message) = refusal(folder.path(), &[BROKEN]);
    assert_eq!(code, "E1069");
    assert!(message.starts_with("the new text has an error"), "{message}");
    std::fs::write(
        folder.path().join("more.sut"),
        "edition 1\ndefine a of army = nonsense\n# Copse\n",
    )
    .expect("a file");
    let (code, message) = refusal(folder.path(), &[NO_CHANGE_OF_MEANING]);
    assert_eq!(code, "E1069");
    assert!(message.starts_with("the rules have errors already"), "{message}");
}

#[test]
fn an_edition_that_this_version_does_not_read_is_refused() {
    let folder = ruleset();
    let (code, _) = refusal(folder.path(), &[NEXT]);
    assert_eq!(code, "E1068", "the step to edition 2 is not one that this version can run");
    std::fs::write(folder.path().join("more.sut"), "edition 7\n").expect("a file");
    let (code, _) = refusal(folder.path(), STEPS);
    assert_eq!(code, "E1068");
}

#[test]
fn edits_over_each_other_are_refused() {
    let folder = ruleset();
    let (code, message) = refusal(folder.path(), &[OVER_ITSELF]);
    assert_eq!(code, "E1069");
    assert!(message.contains("over its own edits"), "{message}");
}
