//! A line as it stands: what of it is the sentence, what it is about, and in which block it is.

use super::super::phrases::head;
use super::words::Lexicon;

/// Numbers in words, from two on.
const NUMBERS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/// What a line is about in its block, the longer first.
const SUBJECTS: [(&str, &[&[&str]]); 3] = [
    (
        "trace",
        &[
            &["the", "last", "leg"],
            &["the", "first", "leg"],
            &["this", "status"],
            &["the", "status"],
            &["the", "result"],
            &["the", "line"],
            &["a", "line"],
            &["each", "line"],
            &["any", "line"],
            &["no", "line", "may"],
            &["this", "line"],
            &["the", "path"],
            &["the", "route"],
            &["the", "trace"],
            &["the", "leg"],
            &["this", "leg"],
            &["this", "trace"],
            &["lines"],
            &["it"],
        ],
    ),
    (
        "choice",
        &[
            &["if", "there", "is", "still", "a", "tie", ","],
            &["if", "there", "is", "a", "tie", ","],
            &["if", "still", "tied", ","],
            &["in", "a", "tie", ","],
            &["if", "several", "qualify", ","],
            &["it", "runs", "to"],
            &["it", "moves", "to"],
            &["it", "goes", "to"],
            &["it", "retreats", "to"],
            &["it", "prefers"],
            &["it"],
        ],
    ),
    ("test", &[&["then"], &["and"]]),
];

/// A line without the full stop behind its clauses, and whether one stood there.
pub(super) fn undotted(line: &str) -> (&str, bool) {
    match line.trim_end().strip_suffix('.').filter(|front| front.ends_with(']')) {
        Some(front) => (front, true),
        None => (line, false),
    }
}

/// A line without its clauses, its bracket and its comment.
pub(super) fn body(line: &str) -> &str {
    let line = line.trim_start();
    let quoted = |at: usize| line.get(..at).unwrap_or_default().matches('"').count() % 2 == 1;
    let comment = line.match_indices('#').map(|(at, _)| at).find(|at| !quoted(*at));
    let line = line.get(..comment.unwrap_or(line.len())).unwrap_or_default().trim_end();
    let line = line.strip_suffix('{').unwrap_or(line).trim_end();
    let Some(clauses) = line.strip_suffix(']').and_then(|front| front.rfind('[')) else {
        return line;
    };
    let cited = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ',' | ' ' | '[' | ']');
    let inner = line.get(clauses..).unwrap_or_default();
    let front = line.get(..clauses).unwrap_or_default().trim_end();
    let names = inner.contains(|c: char| c.is_ascii_digit()) && inner.chars().all(cited);
    // `die cannon = [0, 1]`
    if names && !front.ends_with(['=', ':', ',']) { front } else { line }
}

/// The words of a sentence without the capital letter of the first, with numbers as digits, and
/// without what it is about where its block says that.
pub(super) fn spoken(words: &[&str], block: &str, game: &Lexicon) -> Vec<String> {
    let mut spoken: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    if let Some(first) =
        spoken.first_mut().filter(|first| !game.is_thing(first) && !game.is_capital(first))
    {
        *first = first.to_ascii_lowercase();
    }
    for word in spoken.iter_mut().skip(1) {
        if let Some(digit) = NUMBERS.iter().position(|number| word == number) {
            *word = (digit + 2).to_string();
        }
    }
    spoken = signed(spoken, game);
    // `a.hull`
    while let Some(at) = spoken.iter().position(|word| word == ".")
        && let (Some(before), Some(fact)) = (at.checked_sub(1), spoken.get(at + 1).cloned())
        && game.is_attribute(&fact)
        && let Some(thing) = spoken.get(before).cloned()
    {
        spoken.splice(before..at + 2, [fact, "of".to_owned(), thing]);
    }
    // `The Argo`
    spoken = (0..spoken.len())
        .filter(|at| {
            let article = spoken.get(*at).is_some_and(|word| word == "the" || word == "The");
            !(article && spoken.get(at + 1).is_some_and(|next| game.is_thing(next)))
        })
        .filter_map(|at| spoken.get(at).cloned())
        .collect();
    // `A ship may carry an admiral`, where the kind stands above.
    if block == "kind"
        && let [article, kind, _, ..] = spoken.as_slice()
        && matches!(article.as_str(), "a" | "an" | "each" | "every" | "the")
        && game.kind_of(kind).is_some()
    {
        spoken.drain(..2);
    }
    let about = |starts: &&[&str]| {
        starts.len() < spoken.len() && starts.iter().zip(&spoken).all(|(a, b)| a == b)
    };
    let places = SUBJECTS.iter().find(|(place, _)| *place == block).map(|(_, subjects)| *subjects);
    if let Some(subject) = places.unwrap_or_default().iter().find(|subject| about(subject)) {
        spoken.drain(..subject.len());
    }
    spoken
}

/// `one zone` as a number, and `-1` as one word.
fn signed(spoken: Vec<String>, game: &Lexicon) -> Vec<String> {
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let mut found: Vec<String> = Vec::new();
    for (at, word) in spoken.iter().enumerate() {
        let next = spoken.get(at + 1).map_or("", String::as_str);
        if word == "one" && (game.is_named(&["space", "dimension"], next) || next == "point") {
            found.push("1".to_owned());
            continue;
        }
        let amount = |word: &String| is_number(word) || word == ")" || game.is_attribute(word);
        let minus = found.last().is_some_and(|last| last == "-") && is_number(word);
        let before = found.len().checked_sub(2).and_then(|at| found.get(at));
        if minus && !before.is_some_and(amount) {
            found.pop();
            found.push(format!("-{word}"));
        } else {
            found.push(word.clone());
        }
    }
    found
}

/// The name of the item in whose block a line stands.
pub(super) fn named(text: &str, start: usize) -> &str {
    head(text, start).split_whitespace().nth(1).unwrap_or_default()
}

/// The noun of the item in whose block a line stands.
pub(super) fn block<'a>(text: &'a str, start: usize, line: &str) -> &'a str {
    if !line.starts_with([' ', '\t']) {
        return "item";
    }
    head(text, start).split_whitespace().next().unwrap_or_default()
}
