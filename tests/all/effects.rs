//! Whatever a check accepts has an effect: pieces of accepted rulesets are taken out one by one,
//! and each time the rules mean something else, or are refused, or a diagnostic has said beforehand
//! that the piece does nothing.

use crate::common::counts::{full, seed_base};
use crate::place::Place;
use crate::support::{self, blocks, prelude};
use std::ops::Range;

use serde_json::Value;
use sutler::diag::Severity;
use sutler::ir::Ruleset;
use sutler::project::check_text;

const PRELUDE: &str = include_str!("../../src/diag/prelude.sut");

/// Keys of a compiled ruleset that say where something is written.
const PLACES: [&str; 4] = ["span", "whole", "node_spans", "hash"];

/// What a ruleset means: all that it is compiled to, without places.
fn meaning(rules: Ruleset) -> String {
    // The hash is one of words, so that any word would have an effect.
    let rules = Ruleset { hash: String::new(), ..rules };
    let mut value = serde_json::to_value(&rules).unwrap();
    strip(&mut value);
    value.to_string()
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|key, _| !PLACES.contains(&key.as_str()));
            entries.values_mut().for_each(strip);
        }
        Value::Array(all) => all.iter_mut().for_each(strip),
        _ => {}
    }
}

/// The pieces of a text that can be taken out: lines, words, two words that follow each other, what
/// stands in brackets.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut at, mut in_mistake) = (0, false);
    for line in text.split_inclusive('\n') {
        // What stands in a `mistake` is wrong on purpose, and only its code counts.
        in_mistake = line.starts_with("mistake ") || in_mistake && !line.starts_with('}');
        if in_mistake {
            at += line.len();
            continue;
        }
        let code = line.split('#').next().unwrap_or_default();
        if !code.trim().is_empty() && line.starts_with(' ') {
            found.push(at..at + line.len());
        }
        let words = words(code);
        for (first, word) in words.iter().enumerate() {
            found.push(at + word.start..at + word.end);
            if let Some(next) = words.get(first + 1) {
                found.push(at + word.start..at + next.end);
            }
        }
        for (open, close) in [('[', ']'), ('(', ')')] {
            if let (Some(open), Some(close)) = (code.find(open), code.rfind(close)) {
                found.push(at + open..at + close + 1);
            }
        }
        at += line.len();
    }
    found
}

/// Words, texts in quotes and signs of a line.
fn words(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        match bytes[at] {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += 1;
                }
                at = (at + 1).min(bytes.len());
            }
            b if is_word(b) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
            }
            _ => {
                at += 1;
                while !line.is_char_boundary(at) {
                    at += 1;
                }
            }
        }
        found.push(start..at);
    }
    found
}

/// Whether a piece says what its place says already, as the language allows: the dimension of a
/// written number, `2 regions`, and the trace before the word of its answer, `supply of A is
/// supplied`.
fn says_again(text: &str, piece: &Range<usize>) -> bool {
    let before = text[..piece.start].trim_end_matches(' ');
    let is_number = before.ends_with(|c: char| c.is_ascii_digit());
    let is_word = text[piece.clone()].chars().all(|c| c.is_ascii_alphabetic());
    let of_trace = text[piece.clone()]
        .strip_suffix(" of")
        .is_some_and(|name| text.contains(&format!("\ntrace {name} of ")));
    is_number && is_word || of_trace
}

/// What came of taking pieces out of a text.
#[derive(Default)]
struct Tried {
    pieces: usize,
    changed: usize,
    /// Pieces without which the rules mean the same, and nothing said so.
    idle: Vec<String>,
}

impl Tried {
    /// Takes every so-manieth piece of `text` out, which stands behind `before`.
    fn take_out(&mut self, name: &str, before: &str, text: &str, (every, from): (usize, usize)) {
        let whole = |text: &str| check_text("rules.sut", format!("{before}\n{text}").as_bytes());
        let (_, rules, faults) = whole(text);
        let Some(rules) = rules else { panic!("{name}: {faults:?}") };
        let meant = meaning(rules);
        let shift = before.len() + 1;
        let warnings = faults.iter().filter(|f| f.severity == Severity::Warning);
        let warned: Vec<Range<usize>> =
            warnings.flat_map(|f| f.labels.iter().map(|l| l.span.range())).collect();
        for piece in pieces(text).into_iter().skip(from % every).step_by(every) {
            self.pieces += 1;
            let without = format!("{} {}", &text[..piece.start], &text[piece.end..]);
            let (_, rules, _) = whole(&without);
            if rules.is_none_or(|rules| meaning(rules) != meant) || says_again(text, &piece) {
                self.changed += 1;
            } else if !warned
                .iter()
                .any(|w| w.start < piece.end + shift && piece.start + shift < w.end)
            {
                let line = text[..piece.end].lines().count();
                let all = text.lines().nth(line - 1).unwrap_or_default().trim();
                self.idle.push(format!("{name}:{line}: `{}` in `{all}`", text[piece].trim()));
            }
        }
    }
}

/// Of how many pieces one is taken out, and the first of them: all where `SUTLER_EFFECTS` is set,
/// a part in a full run, and a fifth of that part otherwise.
fn share(every: usize) -> (usize, usize) {
    match std::env::var_os("SUTLER_EFFECTS") {
        Some(_) => (1, 0),
        None if full() => (every, seed_base() as usize),
        None => (every * 5, seed_base() as usize),
    }
}

#[test]
fn the_meaning_is_of_what_is_compiled_and_not_of_words() {
    let of = |more: &str| {
        meaning(check_text("rules.sut", format!("{PRELUDE}\n{more}\n").as_bytes()).1.unwrap())
    };
    assert_eq!(
        of("define strong of army = strength at least 2 points"),
        of("define  strong of army = (strength at least 2) # so")
    );
    assert_ne!(
        of("define strong of army = strength at least 2"),
        of("define strong of army = strength at least 3")
    );
}

#[test]
fn every_piece_of_the_small_example_has_an_effect() {
    let mut tried = Tried::default();
    tried.take_out("prelude.sut", "", PRELUDE, (1, 0));
    assert_eq!(tried.idle, Vec::<String>::new());
    assert!(
        tried.pieces > 500 && tried.changed == tried.pieces,
        "{} of {}",
        tried.changed,
        tried.pieces
    );
}

#[test]
fn every_piece_of_the_examples_of_the_language_has_an_effect() {
    let blocks = support::blocks("docs/language.md");
    let prelude = support::prelude(&blocks);
    let mut tried = Tried::default();
    for block in blocks
        .iter()
        .filter(|b| b.is(&["sutler"]) && (b.marks.len() == 1 || b.is(&["sutler", "prelude"])))
    {
        if block.variant() || !block.scripts.is_empty() {
            continue;
        }
        let before = if block.whole() { "" } else { prelude };
        tried.take_out(&block.place(), before, &block.text, share(23));
    }
    eprintln!("{} pieces, {} with an effect", tried.pieces, tried.changed);
    assert_eq!(tried.idle.join("\n"), "");
}

#[test]
fn pieces_of_the_shipped_rulesets_have_an_effect() {
    let mut tried = Tried::default();
    for name in ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"] {
        let folder = support::root().join("rulesets").join(name);
        let mut files: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "sut"));
        files.sort();
        let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
        // A file with a head of its own is a variant, and its changes are of another text.
        let texts: Vec<String> = texts
            .filter(|text| {
                !text.lines().any(|l| l.starts_with("ruleset ") && l.contains(" extends "))
            })
            .collect();
        let text = format!("edition 1\n{}", texts.join("\n").replace("edition 1\n", "\n"));
        let many = pieces(&text).len();
        tried.take_out(name, "", &text, share(many / 24));
    }
    eprintln!("{} pieces, {} with an effect", tried.pieces, tried.changed);
    assert_eq!(tried.idle.join("\n"), "");
}

#[test]
fn what_a_step_leaves_as_it_was_is_no_event() {
    let all = blocks("docs/language.md");
    let rules = prelude(&all).split("\ncase ").next().unwrap().to_owned();
    let rules =
        rules.replace("has veteran yes or no", "has veteran yes or no\n  has foe maybe a piece");
    let rules =
        rules.replace("  put army Guard", "  put wagon Cart of League in Dale\n  put army Guard");
    let run = |steps: &str, foe: &str| {
        let place = Place::with(&format!("{rules}\nphase late at end of turn {{\n{steps}}}\n"));
        let said = place.run(&["run", "game", "--setup", "opening", "--given", foe]);
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    // A unit that has left the game counts as none, so nothing changes.
    let steps = "  do remove for armies where leader is Brandt\n  do clear foe for armies\n";
    let out = run(steps, "foe of First is Guard");
    assert!(out.contains("Guard leaves the game"), "{out}");
    assert!(!out.contains("foe of First"), "{out}");
    let out = run("  do clear foe for armies\n", "foe of First is Guard");
    assert!(out.contains("foe of First: Guard -> none"), "{out}");
    let out = run("  do clear foe for armies\n", "foe of First is none");
    assert!(!out.contains("foe of"), "{out}");
    // A wagon has no strength, and what is not there has none either.
    let steps = "  do set strength of foe to 7 for armies\n";
    for foe in ["foe of First is Cart", "foe of First is none"] {
        let out = run(steps, foe);
        assert!(!out.contains("strength of"), "{out}");
    }
    let out = run(steps, "foe of First is Guard");
    assert!(out.contains("strength of Guard: 4 -> 7"), "{out}");
    let out = run("  do mark starving for pieces\n", "foe of First is none");
    assert!(out.contains("First: starving"), "{out}");
    assert!(!out.contains("Cart: starving"), "{out}");
}
