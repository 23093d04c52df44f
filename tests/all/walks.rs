//! Walks of the rules: a match on many sorts of nodes, steps or statements names all of them, so
//! that a new sort cannot be forgotten. The matches that say one thing of all others are listed
//! with what that is, and the list only shrinks.

use std::collections::BTreeSet;

use crate::layers::{File, files};

/// What a ruleset is made of, and what cases and positions state.
const SORTS: &[&str] = &[
    "CaseStepKind",
    "ChosenEffect",
    "Effect",
    "EvidenceField",
    "Node",
    "OrderedDeed",
    "PairRef",
    "Part",
    "Place",
    "Placement",
    "State",
];

/// A match on no more sorts than these picks some out, and is no walk.
const FEW: usize = 3;

/// Files whose matches have an arm for all other sorts, and what that arm says of them.
const REST: &[(&str, &str)] = &[
    ("aid/doc/rolls.rs", "it has no chance that is known without a position"),
    ("check/every_two.rs", "it is not printed, which is refused"),
    ("check/expr.rs", "it says more than who stands somewhere, and may be compared"),
    ("check/map.rs", "it is no value of an attribute, which is refused"),
    ("check/phase.rs", "the subject stands to no side in it, or in a part of it"),
    ("check/printed.rs", "it is not printed, so it may hold"),
    ("check/prover.rs", "it is a question of its own, or has the type of its declaration"),
    ("check/selection.rs", "it is left to be asked of the step"),
    ("engine/odds/unread.rs", "it goes through the visitor"),
    ("facade/odds.rs", "it may read more than its thing, so each row is asked by itself"),
    ("ir/walk.rs", "it looks through no things"),
    ("kernel/board/ask.rs", "each space is asked by the evaluator"),
    ("kernel/board/depends.rs", "it is another thing, of which nothing is known"),
    ("kernel/column/build.rs", "it is refused, with the reason that stands below"),
    ("kernel/direct.rs", "it is a value as it is stored, or the evaluator is asked"),
    ("kernel/felt.rs", "it may be anywhere"),
    ("kernel/hex/still.rs", "it is asked anew of each position"),
    ("kernel/reads.rs", "it may be a space"),
    ("kernel/reasons.rs", "it is a reason as it stands"),
    ("kernel/session/tree.rs", "the evaluator is asked; phrases that differ are told apart"),
    ("kernel/space_condition.rs", "it is a leaf, or the evaluator is asked"),
    ("kernel/unit_condition.rs", "it is a leaf, or the evaluator is asked"),
    ("lint/views.rs", "it says of no side, or goes through the visitor"),
    ("report/reason.rs", "it is printed as the ruleset writes it"),
    ("suite/choice.rs", "the offer is not of what is expected"),
    ("suite/why.rs", "a failed case shows its value, and no more"),
    ("world/start.rs", "it is no constant, and no value of a fact"),
];

/// The patterns of the arms of a match, from behind its brace on.
fn arms(code: &str) -> Vec<&str> {
    let (bytes, mut found, mut start, mut at) = (code.as_bytes(), Vec::new(), 0, 0);
    loop {
        let Some(arrow) = outside(bytes, at, |rest| rest.starts_with(b"=>")) else { return found };
        found.push(code[start..arrow].trim());
        at = arrow + 2 + blanks(&bytes[arrow + 2..]);
        if bytes.get(at) == Some(&b'{') {
            let Some(end) = closing(bytes, at) else { return found };
            at = end + 1 + blanks(&bytes[end + 1..]);
            if !matches!(bytes.get(at), Some(b',' | b'.' | b'?')) {
                start = at;
                continue;
            }
        }
        let Some(comma) = outside(bytes, at, |rest| rest.starts_with(b",")) else { return found };
        (start, at) = (comma + 1, comma + 1);
    }
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// Where something stands outside of all brackets, before the bracket that closes these.
fn outside(bytes: &[u8], from: usize, is: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let mut depth = 0_usize;
    for at in from..bytes.len() {
        if depth == 0 && is(&bytes[at..]) {
            return Some(at);
        }
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// Where the bracket is closed that stands at a place.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Whether a pattern takes whatever comes: `_`, a name, or a tuple of these, without a condition.
fn takes_all(pattern: &str) -> bool {
    let name = |part: &str| {
        let part = part.trim();
        !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    let inner = pattern.strip_prefix('(').and_then(|p| p.strip_suffix(')')).unwrap_or(pattern);
    inner.split(',').all(name)
}

/// How many sorts of one enum the patterns name.
fn named(patterns: &[&str], of: &str) -> usize {
    let mut names = BTreeSet::new();
    for pattern in patterns.iter().map(|p| p.split(" if ").next().unwrap_or(p)) {
        for (at, _) in pattern.match_indices(&format!("{of}::")) {
            let before = pattern[..at].chars().next_back();
            let name: String = pattern[at + of.len() + 2..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                names.insert(name);
            }
        }
    }
    names.len()
}

/// The matches of a file on many sorts: how many they name, of what, and whether one arm takes all
/// others.
fn walks(code: &str) -> Vec<(usize, &'static str, bool)> {
    // A bracket that stands for itself opens nothing.
    let code = ["'('", "')'", "'['", "']'", "'{'", "'}'"]
        .iter()
        .fold(code.to_owned(), |code, bracket| code.replace(bracket, "' '"));
    let mut found = Vec::new();
    for (at, word) in code.match_indices("match ") {
        let before = code[..at].chars().next_back();
        let from = at + word.len();
        let brace = outside(code.as_bytes(), from, |rest| rest.starts_with(b"{"));
        let Some(brace) = brace.filter(|_| !before.is_some_and(char::is_alphanumeric)) else {
            continue;
        };
        let patterns = arms(&code[brace + 1..]);
        let rest = patterns.iter().any(|p| takes_all(p));
        found.extend(
            SORTS.iter().map(|of| (named(&patterns, of), *of, rest)).filter(|(n, ..)| *n > FEW),
        );
    }
    found
}

#[test]
fn a_walk_names_all_that_rules_are_made_of() {
    let (mut wrong, mut seen, mut whole) = (String::new(), BTreeSet::new(), 0);
    for File { path, code } in files() {
        if path.starts_with("syntax/") || path.starts_with("format/") {
            continue;
        }
        for (named, of, rest) in walks(&code) {
            whole += usize::from(!rest);
            if rest && !REST.iter().any(|(file, _)| *file == path) {
                wrong += &format!("{path}: {named} sorts of {of} are named, and not the others\n");
            }
            if rest {
                seen.insert(path.clone());
            }
        }
    }
    for (file, what) in REST {
        assert!(!what.is_empty());
        if !seen.contains(*file) {
            wrong += &format!("{file} names all sorts: take it from the list\n");
        }
    }
    assert!(whole > 40, "only {whole} walks were found");
    assert_eq!(wrong, "");
}

#[test]
fn arms_are_read_as_they_are_written() {
    let code = "match node {\n Node::A(x) | Node::B { y, .. } if x => { one(2, 3) }\n \
                Node::C => vec![*a, *b],\n (a, b) => a == b,\n}";
    let patterns = arms(&code[code.find('{').unwrap() + 1..]);
    assert_eq!(patterns, ["Node::A(x) | Node::B { y, .. } if x", "Node::C", "(a, b)"]);
    assert!(takes_all("_") && takes_all("other") && takes_all("(a, b)"));
    assert!(!takes_all("None") && !takes_all("_ if x"));
    assert_eq!(named(&patterns, "Node"), 3);
    let code = "match a { Node::A | Node::B | Node::C | Node::D => 1, _ => 2 }";
    assert_eq!(walks(code), [(4, "Node", true)]);
}
