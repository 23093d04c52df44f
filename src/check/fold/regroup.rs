//! What a change puts beside words that bind closer than its own: `A or B` in the place of what stands
//! before `and` would be read as `A or (B and ...)`.

use std::ops::Range;

use super::body::Line;

/// How closely a word or sign joins what stands beside it, `or` the least.
fn closeness(word: &str) -> Option<u8> {
    match word {
        "or" => Some(0),
        "and" => Some(1),
        "not" => Some(2),
        "+" | "-" => Some(3),
        "*" | "/" => Some(4),
        _ => None,
    }
}

/// How closely the parts of a text hang together that stand in no bracket; none where it is one part.
fn hold(words: &[String]) -> Option<u8> {
    let (mut depth, mut bounds) = (0usize, false);
    let mut least: Option<u8> = None;
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            "between" if depth == 0 => bounds = true,
            // `between 2 and 4`
            "and" if depth == 0 && bounds => bounds = false,
            // What begins with a sign or with `not` is one part.
            word if depth == 0 && at > 0 && word != "not" => {
                let close = closeness(word);
                least = least.into_iter().chain(close).min();
            }
            _ => {}
        }
    }
    least
}

/// The word beside a place of a line that would take a part of what is put there.
pub(super) fn taken_by<'l>(
    line: &'l Line,
    place: &Range<usize>,
    (was, now): (&[String], &[String]),
) -> Option<&'l str> {
    let loose = hold(now)?;
    if hold(was).is_some_and(|was| was <= loose) {
        return None;
    }
    let words = || line.words.iter().map(|(word, at)| (word.as_str(), at));
    let before = words().rfind(|(_, at)| at.end <= place.start).map(|(word, _)| word);
    let behind = words().find(|(_, at)| at.start >= place.end).map(|(word, _)| word);
    let closer = |word: &&str| closeness(word).is_some_and(|close| close > loose);
    // `a - (b + c)`, `a / (b * c)`
    let turns = |word: &&str| matches!((*word, loose), ("-", 3) | ("/", 4));
    before.filter(|word| closer(word) || turns(word)).or_else(|| behind.filter(closer))
}
