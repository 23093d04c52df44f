//! Lines that are read as a whole: a clause as a rulebook numbers it, and what a turn consists of.

use super::gist::says_nothing;
use super::words::Lexicon;

/// `7b. No line passes an enemy.` and `7. Supply`: a clause, a section.
pub(super) fn numbered(body: &str) -> Option<String> {
    let (mark, text) = body.trim().split_once(char::is_whitespace)?;
    let text = text.trim();
    let mark = mark.trim_start_matches(['(', '§', '[']).trim_end_matches(['.', ')', ':', ']']);
    let digits = mark.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let letter = mark.get(digits.len()..)?;
    let number = digits.trim_end_matches('.');
    let is_number = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_text = text.starts_with(char::is_uppercase) && !text.contains(['"', '{', '=', '|']);
    if !is_number || !is_text {
        return None;
    }
    match (number, letter) {
        (_, letter) if letter.len() == 1 && text.contains(' ') => {
            Some(format!("clause {letter} \"{text}\""))
        }
        (number, "") if !number.is_empty() && !text.ends_with('.') => {
            Some(format!("section {number} \"{text}\""))
        }
        _ => None,
    }
}

/// `each turn is a month: harbour, then sailing by each side`
pub(super) fn clock(words: &[&str], game: &Lexicon) -> Option<String> {
    const SPARE: [&str; 13] = [
        "turn",
        "turns",
        "one",
        "phase",
        "phases",
        "consists",
        "comprises",
        "first",
        "followed",
        "finally",
        "last",
        "sides",
        "both",
    ];
    let is_turn = words.iter().any(|word| matches!(*word, "turn" | "turns"));
    let track =
        words.iter().position(|word| game.is_named(&["track"], word)).filter(|_| is_turn)?;
    let name = words.get(track)?;
    let parts = words
        .get(track + 1..)?
        .split(|word| matches!(*word, "," | "then" | "and" | "." | ":" | ";"));
    let mut phases: Vec<String> = Vec::new();
    for part in parts {
        let says = |word: &&&str| {
            let lower = word.to_ascii_lowercase();
            !says_nothing(&lower) && !SPARE.contains(&lower.as_str())
        };
        let said: Vec<&&str> = part.iter().filter(|word| *word != name).filter(says).collect();
        let each =
            |word: &&str| matches!(*word, "each" | "every" | "both" | "side" | "sides" | "player");
        match said.as_slice() {
            [] => {}
            [phase] if part.iter().any(each) => phases.push(format!("{phase} of each side")),
            [phase] => phases.push((**phase).to_owned()),
            _ => return None,
        }
    }
    (phases.len() > 1).then(|| format!("clock turn on {name} has {}", phases.join(", ")))
}
