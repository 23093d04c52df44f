//! The examples of a document: its fenced blocks, read, checked and run as they are printed.
//!
//! A block that begins with `edition` is a ruleset of its own, or a variant of the prelude where
//! its head says `extends`; any other stands behind the prelude. A block `rhai NAME.rhai` is a
//! script of the next example, and a block `csv NAME.csv` a sheet.

use std::path::Path;

use sutler::check::{Resolved, fold};
use sutler::diag::{self, Diagnostic, Format, Style};
use sutler::ir::Ruleset;
use sutler::project::{attach, attach_sheets};
use sutler::source::{SourceMap, screen};
use sutler::suite::{mistakes, run_case, run_mistake};
use sutler::syntax::{ast::File, parse};

/// A fenced block of a document.
pub struct Block {
    /// The document, as it is told of: `docs/language.md`.
    pub page: &'static str,
    pub line: usize,
    pub marks: Vec<String>,
    pub text: String,
    /// The scripts of the fenced blocks before it, each with the name of its file.
    pub scripts: Vec<(String, String)>,
}

impl Block {
    pub fn is(&self, marks: &[&str]) -> bool {
        self.marks.len() >= marks.len() && self.marks.iter().zip(marks).all(|(a, b)| a == b)
    }

    /// Where it stands, for a message.
    pub fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }

    pub fn whole(&self) -> bool {
        self.text.starts_with("edition")
    }

    pub fn variant(&self) -> bool {
        self.whole()
            && self.text.lines().any(|l| l.starts_with("ruleset ") && l.contains(" extends "))
    }
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn text_of(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).expect("the document")
}

pub fn blocks(page: &'static str) -> Vec<Block> {
    let text = text_of(page);
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    let mut scripts = Vec::new();
    for (at, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(marks), None) => {
                let marks = marks.split_whitespace().map(str::to_owned).collect();
                open = Some(Block {
                    page,
                    line: at + 1,
                    marks,
                    text: String::new(),
                    scripts: Vec::new(),
                });
            }
            (Some(_), Some(mut block)) => {
                match block.marks.as_slice() {
                    [mark, file] if mark == "rhai" || mark == "csv" => {
                        scripts.push((file.clone(), block.text.clone()))
                    }
                    _ => block.scripts = std::mem::take(&mut scripts),
                }
                found.push(block);
            }
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

/// The game of the reference without its cases.
pub fn game_without_cases() -> String {
    let all = blocks("docs/language.md");
    let (mut out, mut inside) = (String::new(), false);
    for line in prelude(&all).lines() {
        inside |= line.starts_with("case ");
        if !inside {
            out.push_str(line);
            out.push('\n');
        }
        inside &= line != "}";
    }
    out
}

pub fn prelude(all: &[Block]) -> &str {
    let mut found = all.iter().filter(|b| b.is(&["sutler", "prelude"]));
    let one = found.next().expect("the prelude");
    assert!(found.next().is_none(), "there is one prelude");
    &one.text
}

fn read(
    sources: &mut SourceMap,
    name: &str,
    text: &str,
    scripts: &[(String, String)],
) -> (File, Vec<Diagnostic>) {
    let id = sources.next_id();
    let (text, mut faults) = screen(text.as_bytes(), id);
    sources.add(name, text);
    let (mut file, more) = parse(id, sources.text(id));
    faults.extend(more);
    faults.extend(attach(&mut file, sources, |name| {
        let found = scripts
            .iter()
            .find(|(file, _)| file == name)
            .map(|(_, text)| text.clone().into_bytes());
        found.ok_or_else(|| format!("no block `rhai {name}` stands before the example"))
    }));
    let sheets = scripts.iter().map(|(file, text)| (file.into(), text.clone().into_bytes()));
    faults.extend(attach_sheets(&mut file, sources, sheets.collect()));
    (file, faults)
}

/// A block as a ruleset, with the prelude before it where it needs one.
pub fn compile(block: &Block, prelude: &str) -> (SourceMap, Option<Ruleset>, Vec<Diagnostic>) {
    let (sources, resolved, mut faults) = resolve(block, prelude);
    let (rules, more) = sutler::project::compile(&resolved, &sources);
    faults.extend(more);
    (sources, rules, faults)
}

/// The items of a block and of the prelude, variants folded in.
fn resolve(block: &Block, prelude: &str) -> (SourceMap, Resolved, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let (base, mut faults) = read(&mut sources, "prelude.sut", prelude, &[]);
    let edition = if block.whole() { "" } else { "edition 1\n" };
    let (own, more) =
        read(&mut sources, "example.sut", &format!("{edition}{}", block.text), &block.scripts);
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
    (sources, resolved, faults)
}

pub fn page_of(block: &Block, faults: &[Diagnostic], sources: &SourceMap) -> String {
    format!("{}\n{}", block.place(), diag::render(faults, sources, Format::Full, Style::PLAIN))
}

/// Checks a block and runs its cases: what went wrong, in words, and how many cases were run.
pub fn run(block: &Block, prelude: &str) -> (String, usize) {
    let (sources, rules, faults) = compile(block, prelude);
    let mut wrong =
        if faults.is_empty() { String::new() } else { page_of(block, &faults, &sources) };
    let Some(rules) = rules else { return (wrong, 0) };
    for case in &rules.cases {
        for failure in run_case(&rules, case, |span| sources.slice(span)).failures {
            wrong.push_str(&format!("{}\n{}: {}\n", block.place(), case.title, failure.message));
            wrong.push_str(&failure.why.unwrap_or_default());
        }
    }
    let (sources, resolved, _) = resolve(block, prelude);
    for mistake in mistakes(&resolved) {
        for failure in run_mistake(&resolved, mistake, &sources).failures {
            wrong.push_str(&format!(
                "{}\n{}: {}\n",
                block.place(),
                mistake.title.text,
                failure.message
            ));
        }
    }
    (wrong, rules.cases.len())
}

/// The words of a command; single quotes hold one together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
