//! An amount with its bound, as English says it: `2 or more`, `at most 3 zones`.

use super::noun::noun;
use super::words::{Lexicon, Of};

/// An amount with its bound, in any order: `2 or more months dry`, `hull of 5 or less`.
pub(super) fn compared(words: &[&str], of: Of, game: &Lexicon) -> Option<String> {
    const ORDERS: [(&[&str], &str); 17] = [
        (&["+"], "at least"),
        (&["or", "more"], "at least"),
        (&["or", "better"], "at least"),
        (&["or", "higher"], "at least"),
        (&["or", "greater"], "at least"),
        (&["or", "worse"], "at least"),
        (&["or", "above"], "at least"),
        (&["or", "over"], "at least"),
        (&["or", "stronger"], "at least"),
        (&["or", "later"], "at least"),
        (&["or", "less"], "at most"),
        (&["or", "fewer"], "at most"),
        (&["or", "lower"], "at most"),
        (&["or", "below"], "at most"),
        (&["or", "under"], "at most"),
        (&["or", "weaker"], "at most"),
        (&["or", "earlier"], "at most"),
    ];
    const BEFORE: [(&[&str], &str); 12] = [
        (&[">"], "more than"),
        (&[">="], "at least"),
        (&["<"], "less than"),
        (&["<="], "at most"),
        (&["at", "least"], "at least"),
        (&["at", "most"], "at most"),
        (&["more", "than"], "more than"),
        (&["less", "than"], "less than"),
        (&["fewer", "than"], "less than"),
        (&["exactly"], "is"),
        (&["up", "to"], "at most"),
        (&["no", "more", "than"], "at most"),
    ];
    for at in 0..words.len() {
        let (front, rest) = words.split_at(at);
        // `two months or more`
        if let [bound, unit, behind @ ..] = rest
            && is_number(bound)
            && let Some((order, op)) = ORDERS.iter().find(|(o, _)| behind.starts_with(o))
        {
            let rest = behind.get(order.len()..)?;
            let behind: Vec<&str> = std::iter::once(*unit).chain(rest.iter().copied()).collect();
            return bounded((front, &behind), bound, op, game, of);
        }
        if let Some((bound, behind)) = rest.split_first()
            && let Some((order, op)) = ORDERS.iter().find(|(o, _)| behind.starts_with(o))
        {
            let behind = behind.get(order.len()..)?;
            return bounded((front, behind), bound, op, game, of);
        }
        if let Some((order, op)) = BEFORE.iter().rev().find(|(o, _)| rest.starts_with(o))
            && let Some((bound, behind)) = rest.get(order.len()..)?.split_first()
            && is_number(bound)
        {
            return bounded((front, behind), bound, op, game, of);
        }
    }
    None
}

/// The amount that words around a bound name.
fn bounded(
    (front, behind): (&[&str], &[&str]),
    bound: &str,
    op: &str,
    game: &Lexicon,
    of: Of,
) -> Option<String> {
    const SPARE: [&str; 14] = [
        "for", "of", "a", "an", "the", "has", "have", "been", "is", "are", "with", "it", "they",
        "in",
    ];
    let all: Vec<&str> =
        front.iter().chain(behind).copied().filter(|w| !SPARE.contains(w)).collect();
    // `dry for two months (months_dry)`
    let told = all.windows(3).find_map(|window| match window {
        ["(", name, ")"] => game.number(&[name]).map(|(name, of, _)| (name, of)),
        _ => None,
    });
    let named = game.number(&all).filter(|(.., length)| *length == all.len());
    let named =
        named.map(|(name, of, _)| (name, of)).or_else(|| game.number_of_parts(&all)).or(told);
    // `leaking or worse` names the attribute by its value.
    let named = match (named, all.as_slice()) {
        (None, []) if !is_number(bound) => game.attribute_of(bound),
        (None, [one]) if !is_number(bound) => {
            game.attribute_of(bound).filter(|(name, _)| name == one)
        }
        (named, _) => named,
    };
    if let Some((name, owner)) = named {
        return Some(format!("{name}{} {op} {bound}", owner.place_for(of)));
    }
    // `3 or more own ships here`, `own ships here > 3`
    let things = match (front, behind) {
        ([], things) | (things, []) if is_number(bound) => things,
        _ => return None,
    };
    let noun = noun(things, Of::Unit, game, 1)?;
    if matches!((op, bound), ("more than", "0") | ("at least", "1")) {
        return noun.any();
    }
    Some(format!("count of {} {op} {bound}", noun.all()?))
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}
