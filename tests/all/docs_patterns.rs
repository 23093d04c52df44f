//! The patterns of published games: every example is a whole ruleset, checked and run as it is
//! printed.

use crate::support;

const PAGE: &str = "docs/patterns.md";
/// How many patterns there are, and how many of them must run with no script beside them.
const PATTERNS: usize = 57;
const AT_LEAST: usize = 45;

/// The number of a heading such as `## 7. A chain of secondary sources`.
fn number(line: &str) -> Option<usize> {
    line.strip_prefix("## ")?.split_once(". ")?.0.parse().ok()
}

/// The sections, as a number and the line of its heading.
fn sections() -> Vec<(usize, usize)> {
    support::text_of(PAGE)
        .lines()
        .enumerate()
        .filter_map(|(at, line)| Some((number(line)?, at + 1)))
        .collect()
}

#[test]
fn every_pattern_has_its_section_in_order() {
    let numbers: Vec<usize> = sections().iter().map(|(n, _)| *n).collect();
    assert_eq!(numbers, (1..=PATTERNS).collect::<Vec<_>>());
}

#[test]
fn every_example_is_accepted_and_its_cases_pass() {
    let sections = sections();
    let mut wrong = String::new();
    let mut runs = Vec::new();
    for block in support::blocks(PAGE).iter().filter(|b| b.is(&["sutler"])) {
        assert!(
            block.marks.len() == 1 && block.whole() && !block.variant(),
            "{}: not a whole ruleset",
            block.place()
        );
        let (faults, cases) = support::run(block, "edition 1\n");
        let asked = block.text.lines().filter(|l| l.trim_start().starts_with("expect ")).count();
        if cases < 2 && asked < 2 {
            wrong.push_str(&format!(
                "{}: a rule is shown where it holds and where it does not\n",
                block.place()
            ));
        }
        if faults.is_empty() && !block.text.lines().any(|l| l.starts_with("hook ")) {
            let (pattern, _) = sections
                .iter()
                .rfind(|(_, line)| *line < block.line)
                .expect("a block stands in a section");
            runs.push(*pattern);
        }
        wrong.push_str(&faults);
    }
    assert!(wrong.is_empty(), "{wrong}");
    runs.dedup();
    println!("{} of {PATTERNS} patterns run", runs.len());
    assert!(runs.len() >= AT_LEAST, "only {} patterns run: {runs:?}", runs.len());
}
