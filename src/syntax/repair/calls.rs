//! Calls and spare brackets: `count(armies here)`, `exists (a)`, `big(army)`.

use super::lattice::{Taken, taken};
use super::scan;

/// What is called elsewhere, and what stands before the same here.
const CALLED: [(&str, &[&str]); 18] = [
    ("count", &["count", "of"]),
    ("number", &["count", "of"]),
    ("len", &["count", "of"]),
    ("size", &["count", "of"]),
    ("sum", &["sum", "of"]),
    ("total", &["sum", "of"]),
    ("exists", &["any"]),
    ("exist", &["any"]),
    ("any", &["any"]),
    ("some", &["any"]),
    ("no", &["no"]),
    ("none", &["no"]),
    ("not", &["not"]),
    ("max", &["highest"]),
    ("min", &["lowest"]),
    ("ceil", &["rounded", "up", "("]),
    ("floor", &["rounded", "down", "("]),
    ("round", &["rounded", "nearest", "("]),
];
/// What is called of an amount and of things.
const OVER: [&str; 4] = ["sum", "total", "max", "min"];
/// A call has at most so many tokens.
const LONGEST: usize = 40;

/// What is written for a call or a bracket at the first of some tokens, and how many it takes.
pub(super) fn calls(rest: &[Taken]) -> Vec<(usize, Vec<Taken>)> {
    let text = |at: usize| rest.get(at).map_or("", |token| token.text.as_str());
    if text(0) == "[" {
        return bracketed(rest).into_iter().collect();
    }
    let open = usize::from(text(0) != "(");
    let Some(close) = closing(rest, open) else { return Vec::new() };
    let inner = rest.get(open + 1..close).unwrap_or_default();
    // `and ( or led)`: what stood before the word is missing.
    if inner.first().is_some_and(|token| matches!(token.text.as_str(), "and" | "or" | ",")) {
        return Vec::new();
    }
    let words = |words: &[&str]| words.iter().map(|word| taken(word)).collect::<Vec<_>>();
    let length = close + 1;
    // Without its brackets a condition of two parts says another thing.
    let joined = inner.iter().any(|token| matches!(token.text.as_str(), "and" | "or"));
    if open == 0 {
        return if joined { Vec::new() } else { vec![(length, inner.to_vec())] };
    }
    let mut found = Vec::new();
    let called = |name: &str| name.eq_ignore_ascii_case(text(0)) && !(joined && name == "not");
    for (_, front) in CALLED.iter().filter(|(name, _)| called(name)) {
        let mut with = [words(front), inner.to_vec()].concat();
        if front.last() == Some(&"(") {
            with.push(taken(")"));
        }
        found.push((length, with));
    }
    // `SUM(hull, friendly ships here)`, in either order.
    let over = |name: &str| OVER.contains(&name) && name.eq_ignore_ascii_case(text(0));
    if let Some((_, front)) = CALLED.iter().find(|(name, _)| over(name))
        && let Some(comma) = inner.iter().position(|token| token.text == ",")
        && let (one, [_, rest @ ..]) = inner.split_at(comma)
    {
        let (amount, things) = if one.len() == 1 { (one, rest) } else { (rest, one) };
        if amount.len() == 1 && things.len() > 1 {
            let of = words(&["of"]);
            found.push((length, [&words(front), amount, &of, things].concat()));
        }
    }
    // `big(army)` is `big of army`, and so is `supply(First)`.
    if scan::is_name(text(0)) && inner.len() == 1 {
        let with = [rest.get(..1).unwrap_or_default(), words(&["of"]).as_slice(), inner].concat();
        found.push((length, with));
    }
    // `AND(a; b)`.
    let joint = text(0).to_ascii_lowercase();
    if matches!(joint.as_str(), "and" | "or") {
        let with = |token: &Taken| match token.text.as_str() {
            "," | ";" => taken(&joint),
            _ => token.clone(),
        };
        let plain = !inner.iter().any(|token| token.text == "(");
        // With one part alone it is what stood before the word that is missing.
        let plain = plain && inner.iter().any(|token| matches!(token.text.as_str(), "," | ";"));
        found.extend(plain.then(|| (length, inner.iter().map(with).collect())));
    }
    found
}

/// `[Crown, Duchy]`: names in square brackets.
fn bracketed(rest: &[Taken]) -> Option<(usize, Vec<Taken>)> {
    let close = rest.iter().take(LONGEST).position(|token| token.text == "]")?;
    let inner = rest.get(1..close).filter(|inner| !inner.is_empty())?;
    let is = |(at, token): (usize, &Taken)| {
        if at % 2 == 0 { scan::is_name(&token.text) } else { token.text == "," }
    };
    inner.iter().enumerate().all(is).then(|| (close + 1, inner.to_vec()))
}

/// The bracket that closes the one at a place.
fn closing(rest: &[Taken], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in rest.iter().enumerate().skip(open).take(LONGEST) {
        match token.text.as_str() {
            "(" => depth += 1,
            _ if depth == 0 => return None,
            ")" if depth == 1 => return Some(at),
            ")" => depth -= 1,
            _ => {}
        }
    }
    None
}
