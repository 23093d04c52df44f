//! The examples of the language reference, read and run as they are printed.
//!
//! A block marked `sutler` is checked, and its cases must pass. One that begins with `edition` is a ruleset of its own,
//! or a variant of the prelude where its head says `extends`; any other stands behind the prelude.

#![allow(clippy::expect_used, reason = "a test may stop where its input is missing")]

use std::path::Path;
use std::process::Command;

use sutler::check::{Resolved, check, fold};
use sutler::diag::{self, Diagnostic, Format, Style};
use sutler::ir::Ruleset;
use sutler::source::{SourceMap, screen};
use sutler::suite::run_case;
use sutler::syntax::{ast::File, parse};

/// The blocks marked `sutler later NAME`: constructs that are read and not yet carried out. A construct that has landed
/// loses its mark in the reference and its name here.
const LATER: [&str; 1] = ["conditions"];

/// A fenced block of the reference.
struct Block {
    line: usize,
    marks: Vec<String>,
    text: String,
}

impl Block {
    fn is(&self, marks: &[&str]) -> bool {
        self.marks.len() >= marks.len() && self.marks.iter().zip(marks).all(|(a, b)| a == b)
    }

    fn whole(&self) -> bool {
        self.text.starts_with("edition")
    }

    fn variant(&self) -> bool {
        self.whole() && self.text.lines().any(|l| l.starts_with("ruleset ") && l.contains(" extends "))
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn blocks() -> Vec<Block> {
    let page = std::fs::read_to_string(root().join("docs/language.md")).expect("the reference");
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(marks), None) => {
                let marks = marks.split_whitespace().map(str::to_owned).collect();
                open = Some(Block { line: at + 1, marks, text: String::new() });
            }
            (Some(_), Some(block)) => found.push(block),
            (None, Some(mut block)) => {
                block.text.push_str(line);
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is never closed");
    found
}

fn prelude(all: &[Block]) -> &str {
    let mut found = all.iter().filter(|b| b.is(&["sutler", "prelude"]));
    let one = found.next().expect("the prelude");
    assert!(found.next().is_none(), "there is one prelude");
    &one.text
}

fn read(sources: &mut SourceMap, name: &str, text: &str) -> (File, Vec<Diagnostic>) {
    let id = sources.next_id();
    let (text, mut faults) = screen(text.as_bytes(), id);
    sources.add(name, text);
    let (file, more) = parse(id, sources.text(id));
    faults.extend(more);
    (file, faults)
}

/// A block as a ruleset, with the prelude before it where it needs one.
fn compile(block: &Block, prelude: &str) -> (SourceMap, Option<Ruleset>, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let (base, mut faults) = read(&mut sources, "prelude.sut", prelude);
    let edition = if block.whole() { "" } else { "edition 1\n" };
    let (own, more) = read(&mut sources, "example.sut", &format!("{edition}{}", block.text));
    faults.extend(more);
    let (resolved, more): (Resolved, _) = if block.variant() {
        let (parent, more) = fold(None, &[base], &sources);
        faults.extend(more);
        fold(Some(&parent), &[own], &sources)
    } else if block.whole() {
        fold(None, &[own], &sources)
    } else {
        fold(None, &[base, own], &sources)
    };
    faults.extend(more);
    let (rules, more) = check(&resolved, &sources);
    faults.extend(more);
    (sources, rules, faults)
}

fn page_of(block: &Block, faults: &[Diagnostic], sources: &SourceMap) -> String {
    format!("docs/language.md:{}\n{}", block.line, diag::render(faults, sources, Format::Full, Style::PLAIN))
}

#[test]
fn every_mark_is_known() {
    for block in blocks() {
        let known = ["sutler", "sutler prelude", "sutler wrong", "sutler later", "console", "text", "text reserved"];
        let marks = block.marks.iter().take(2).cloned().collect::<Vec<_>>().join(" ");
        assert!(known.contains(&marks.as_str()), "docs/language.md:{}: the mark `{marks}` is unknown", block.line);
    }
}

#[test]
fn examples_are_accepted_and_their_cases_pass() {
    let all = blocks();
    let prelude = prelude(&all);
    let mut wrong = String::new();
    let mut cases = 0;
    for block in all.iter().filter(|b| b.is(&["sutler"]) && (b.marks.len() == 1 || b.is(&["sutler", "prelude"]))) {
        let (sources, rules, faults) = compile(block, if block.whole() && !block.variant() { "edition 1\n" } else { prelude });
        if !faults.is_empty() {
            wrong.push_str(&page_of(block, &faults, &sources));
        }
        let Some(rules) = rules else { continue };
        for case in &rules.cases {
            cases += 1;
            for failure in run_case(&rules, case, |span| sources.slice(span)).failures {
                wrong.push_str(&format!("docs/language.md:{}\n{}: {}\n", block.line, case.title, failure.message));
                wrong.push_str(&failure.why.unwrap_or_default());
            }
        }
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
fn what_lands_later_can_be_read() {
    let all = blocks();
    let later: Vec<&Block> = all.iter().filter(|b| b.is(&["sutler", "later"])).collect();
    let names: Vec<&str> = later.iter().map(|b| b.marks.get(2).map_or("", String::as_str)).collect();
    assert_eq!(names, LATER);
    for block in later {
        let mut sources = SourceMap::new();
        let edition = if block.whole() { "" } else { "edition 1\n" };
        let (_, faults) = read(&mut sources, "later.sut", &format!("{edition}{}", block.text));
        assert!(faults.is_empty(), "{}", page_of(block, &faults, &sources));
    }
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
                .args(words.split_whitespace())
                .current_dir(root())
                .env("NO_COLOR", "1")
                .output()
                .expect("the command runs");
            let printed = [out.stdout, out.stderr].concat();
            assert_eq!(String::from_utf8_lossy(&printed), shown, "docs/language.md:{}: {line}", block.line);
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
