//! Every pattern of `docs/patterns.md` is a small game that checks clean and whose cases pass.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::expect_used, reason = "tests fail by panicking")]

use sutler::diag::{Format, Style, render};
use sutler::project::check_text;
use sutler::suite::run_case;

#[test]
fn every_pattern_runs() {
    let page = include_str!("../docs/patterns.md");
    let mut numbers = Vec::new();
    let mut run = 0;
    for section in page.split("\n## ").skip(1) {
        let Some(number) = section.split('.').next().and_then(|n| n.parse::<u32>().ok()) else { continue };
        numbers.push(number);
        let games: Vec<&str> = section.split("```sutler\n").skip(1).map(|b| b.split("```").next().unwrap()).collect();
        for game in &games {
            let (sources, rules, faults) = check_text("pattern.sut", game.as_bytes());
            assert!(faults.is_empty(), "pattern {number}\n{}", render(&faults, &sources, Format::Full, Style::PLAIN));
            let rules = rules.unwrap();
            assert!(!rules.cases.is_empty(), "pattern {number} has no case");
            for case in &rules.cases {
                let outcome = run_case(&rules, case, |span| sources.slice(span));
                assert!(outcome.failures.is_empty(), "pattern {number}, {}: {:?}", outcome.title, outcome.failures);
            }
        }
        run += usize::from(!games.is_empty());
    }
    assert_eq!(numbers, (1..=30).collect::<Vec<u32>>());
    assert!(run >= 24, "only {run} patterns run");
}
