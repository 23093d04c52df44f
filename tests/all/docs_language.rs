//! The examples of the language reference, read and run as they are printed.

use crate::support;
use std::process::Command;

use crate::support::{compile, page_of, prelude, root};

const PAGE: &str = "docs/language.md";

fn blocks() -> Vec<support::Block> {
    support::blocks(PAGE)
}

#[test]
fn every_mark_is_known() {
    for block in blocks() {
        let known =
            ["sutler", "sutler prelude", "sutler wrong", "console", "text", "text reserved"];
        let marks = block.marks.iter().take(2).cloned().collect::<Vec<_>>().join(" ");
        let ends = |mark: &str, file: &str| {
            matches!(mark, "rhai" | "csv") && file.ends_with(&format!(".{mark}"))
        };
        let script = matches!(block.marks.as_slice(), [mark, file] if ends(mark, file));
        assert!(
            script || known.contains(&marks.as_str()),
            "docs/language.md:{}: the mark `{marks}` is unknown",
            block.line
        );
    }
}

#[test]
fn examples_are_accepted_and_their_cases_pass() {
    let all = blocks();
    let prelude = prelude(&all);
    let mut wrong = String::new();
    let mut cases = 0;
    for block in all
        .iter()
        .filter(|b| b.is(&["sutler"]) && (b.marks.len() == 1 || b.is(&["sutler", "prelude"])))
    {
        let before = if block.whole() && !block.variant() { "edition 1\n" } else { prelude };
        let (faults, run) = support::run(block, before);
        wrong.push_str(&faults);
        cases += run;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(cases > 20, "only {cases} cases were run");
}

#[test]
fn wrong_examples_raise_their_code_and_nothing_else() {
    let all = blocks();
    let prelude = prelude(&all);
    let mut wrong = String::new();
    for block in all.iter().filter(|b| b.is(&["sutler", "wrong"])) {
        let code = block.marks.get(2).expect("a wrong example names its code");
        let (sources, _, faults) = compile(block, prelude);
        if faults.is_empty() || faults.iter().any(|f| f.code.as_str() != code) {
            wrong.push_str(&format!("expected {code}: {}", page_of(block, &faults, &sources)));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn commands_print_what_is_shown() {
    let mut run = 0;
    for block in blocks().iter().filter(|b| b.is(&["console"])) {
        for call in block.text.split("$ ").filter(|c| !c.is_empty()) {
            let (line, shown) = call.split_once('\n').expect("a command and its output");
            let Some(words) = line.strip_prefix("sutler ") else {
                continue;
            };
            let out = Command::new(env!("CARGO_BIN_EXE_sutler"))
                .env("COLUMNS", "100")
                .args(support::words(words))
                .current_dir(root())
                .env("NO_COLOR", "1")
                .output()
                .expect("the command runs");
            let printed = [out.stdout, out.stderr].concat();
            assert_eq!(
                String::from_utf8_lossy(&printed),
                shown,
                "docs/language.md:{}: {line}",
                block.line
            );
            run += 1;
        }
    }
    assert!(run > 0, "no command was run");
}

#[test]
fn the_list_of_reserved_words_is_that_of_the_grammar() {
    let grammar = std::fs::read_to_string(root().join("grammar/words.pest")).expect("the grammar");
    let (_, rest) = grammar.split_once("reserved = @{").expect("the reserved words");
    let (list, _) = rest.split_once('}').expect("their end");
    let mut reserved: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    reserved.sort_unstable();
    let page = blocks();
    let block = page.iter().find(|b| b.is(&["text", "reserved"])).expect("the list");
    let shown: Vec<&str> = block.text.split_whitespace().collect();
    assert_eq!(shown, reserved);
}
