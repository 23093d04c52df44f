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

/// Phases that stand together, and whether each side has them.
type Stretch<'w> = (Vec<&'w str>, bool);

/// `each turn is a month: harbour, then sailing by each side`
pub(super) fn clock(words: &[&str], game: &Lexicon) -> Option<String> {
    let is_turn = words.iter().any(|word| matches!(*word, "turn" | "turns"));
    let track =
        words.iter().position(|word| game.is_named(&["track"], word)).filter(|_| is_turn)?;
    let name = words.get(track)?;
    let is_joint = |word: &&str| matches!(*word, "," | "then" | "and" | "." | ":" | ";");
    let mut phases: Vec<Stretch<'_>> = Vec::new();
    let (mut rest, mut joint) = (words.get(track + 1..)?, "");
    while !rest.is_empty() {
        let length = rest.iter().position(is_joint).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(length);
        add(&mut phases, part, (name, joint))?;
        joint = behind.first().copied().unwrap_or_default();
        rest = behind.get(1..).unwrap_or_default();
    }
    let written = |(phases, each): &Stretch<'_>| match (phases.as_slice(), each) {
        ([one], true) => format!("{one} of each side"),
        (several, true) => format!("({}) of each side", several.join(", ")),
        (several, false) => several.join(", "),
    };
    let several = phases.len() > 1;
    let phases: Vec<String> = phases.iter().map(written).collect();
    several.then(|| format!("clock turn on {name} has {}", phases.join(", ")))
}

/// Adds the phase that stands between two joints.
fn add<'w>(
    phases: &mut Vec<Stretch<'w>>,
    part: &[&'w str],
    (name, joint): (&str, &str),
) -> Option<()> {
    const SPARE: &str = "turn turns one phase phases consists comprises first followed finally last \
        sides both together track goes along calendar made";
    let says = |word: &&&str| {
        let lower = word.to_ascii_lowercase();
        **word != name
            && !says_nothing(&lower)
            && !SPARE.split_whitespace().any(|spare| spare == lower)
    };
    let said: Vec<&str> = part.iter().filter(says).copied().collect();
    let each = part
        .iter()
        .any(|word| matches!(*word, "each" | "every" | "both" | "side" | "sides" | "player"));
    // `each side does its marching and its assault`
    let goes_on = joint == "and" && part.iter().any(|w| matches!(*w, "its" | "their" | "his"));
    // `marching and assault together for each side`
    let together = joint == "and" && each && part.contains(&"together");
    match (said.as_slice(), phases.last_mut()) {
        ([], _) => {}
        ([phase], Some((before, true))) if goes_on => before.push(phase),
        ([phase], Some((before, each @ false))) if together => {
            before.push(phase);
            *each = true;
        }
        ([phase], _) => phases.push((vec![phase], each)),
        _ => return None,
    }
    Some(())
}
