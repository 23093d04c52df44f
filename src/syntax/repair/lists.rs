//! Lists of names as other languages write them: `is a, b or c`, `in [a, b]`, `: a | b`, `("a", "b")`.

use super::lattice::{Taken, taken};
use super::scan::{self, Looks};

/// What stands before a list elsewhere.
const BEFORE: [&str; 15] = [
    "is", "=", "==", "in", "one", "of", "any", "either", ":", "enum", "which", "among", "are",
    "from", "as",
];
/// A list has at most so many tokens.
const LONGEST: usize = 40;

/// A list in what is written: how many tokens it takes, and what it is here.
pub(super) struct List {
    pub(super) length: usize,
    pub(super) with: Vec<Taken>,
}

/// The names of a list.
struct Names {
    all: Vec<Taken>,
    /// The place behind them.
    end: usize,
    /// Whether `and` stands between them.
    both: bool,
}

/// The lists that begin with the first of some tokens.
pub(super) fn lists(rest: &[Taken]) -> Vec<List> {
    let rest = rest.get(..rest.len().min(LONGEST)).unwrap_or_default();
    let is_before = |t: &&Taken| BEFORE.contains(&t.text.as_str());
    let before = rest.iter().take_while(is_before).count();
    let at = |at: usize| rest.get(at).map_or("", |token| token.text.as_str());
    let denied = before > 0 && at(before) == "not";
    let more = rest.iter().skip(before + 1).take_while(is_before).count();
    let open = if denied { before + 1 + more } else { before };
    let close = match at(open) {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        _ => "",
    };
    let bracket = usize::from(!close.is_empty());
    let mut runs = runs(rest, open + bracket);
    if bracket > 0 {
        runs.retain(|run| at(run.end) == close);
    }
    let alone = before + bracket == 0;
    let written = |run: &Names| {
        let length = run.end + bracket;
        // `has terrain clear, forest or hills`
        let all = if alone { vec![one_of(run)] } else { written(run, denied, before > 0) };
        all.into_iter().map(|with| List { length, with }).collect::<Vec<_>>()
    };
    runs.iter().flat_map(written).collect()
}

/// What is written for a list here: its names alone, a list of words, or a condition.
fn written(run: &Names, denied: bool, asks: bool) -> Vec<Vec<Taken>> {
    let words = |words: &[&str]| words.iter().map(|word| taken(word)).collect::<Vec<_>>();
    let plain = joined(&run.all);
    let mut all = Vec::new();
    if !denied {
        all.extend([plain.clone(), one_of(run)]);
    }
    if asks && !run.both {
        let not: &[&str] = if denied { &["is", "not"] } else { &["is"] };
        all.push([words(not), words(&["one", "of", "("]), plain, words(&[")"])].concat());
    }
    all
}

/// The lists of at least two names at a place: up to each name behind `or` or `and`, and to the last.
fn runs(rest: &[Taken], mut place: usize) -> Vec<Names> {
    let (mut all, mut both, mut ends) = (Vec::new(), false, false);
    let mut found = Vec::new();
    while let Some((name, length)) = name(rest.get(place..).unwrap_or_default()) {
        all.push(name);
        place += length;
        let signs = rest.iter().skip(place);
        let joins =
            signs.take_while(|t| matches!(t.text.as_str(), "," | "or" | "|" | "/" | "and" | ";"));
        let joins: Vec<&Taken> = joins.take(2).collect();
        let next = rest.get(place + joins.len()..).unwrap_or_default();
        // `a, b {` and `a or big at least 3` end before what joins them to something else.
        let last = joins.is_empty() || self::name(next).is_none();
        // `is one of a, b or big` goes on with another condition, or with a third name.
        let parts = joins.iter().any(|token| matches!(token.text.as_str(), "or" | "and"));
        if all.len() > 1 && (ends || last || parts) {
            found.push(Names { all: all.clone(), end: place, both });
        }
        if last {
            break;
        }
        ends = parts;
        both |= joins.iter().any(|token| token.text == "and");
        place += joins.len();
    }
    found
}

/// A list of words behind the name of a fact.
fn one_of(run: &Names) -> Vec<Taken> {
    [vec![taken("one"), taken("of")], joined(&run.all)].concat()
}

fn joined(names: &[Taken]) -> Vec<Taken> {
    let mut all: Vec<Taken> = Vec::new();
    for name in names {
        if !all.is_empty() {
            all.push(taken(","));
        }
        all.push(name.clone());
    }
    all
}

/// A name, in quotes or not, and how many tokens it takes.
fn name(rest: &[Taken]) -> Option<(Taken, usize)> {
    let (first, second, third) = (rest.first()?, rest.get(1), rest.get(2));
    let quote = |token: &Taken| token.text == "'";
    if quote(first) && third.is_some_and(quote) {
        return second.filter(|t| scan::is_name(&t.text)).map(|t| (taken(&t.text), 3));
    }
    let inner = first.text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let text = match (first.looks, inner) {
        (Looks::Text, Some(inner)) => inner.replace(' ', "_"),
        _ => first.text.clone(),
    };
    // `a leader or none` names no word: what is absent stands in no list.
    let is_word = !matches!(text.as_str(), "none" | "yes" | "no") && scan::is_name(&text);
    is_word.then(|| (taken(&text), 1))
}
