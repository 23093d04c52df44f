//! A line as it stands: what of it is the sentence, what it is about, and in which block it is.

use super::super::phrases::head;
use super::super::weighed::NUMBERS;
use super::words::{Lexicon, is_whole};

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
    spoken = signed(of_programs(spoken, block, game), game);
    // `a.hull`
    while let Some(at) = spoken.iter().position(|word| word == ".")
        && let (Some(before), Some(fact)) = (at.checked_sub(1), spoken.get(at + 1).cloned())
        && game.is_attribute(&fact)
        && let Some(thing) = spoken.get(before).cloned()
    {
        // `here.terrain`
        let with =
            if thing == "here" { vec![fact, thing] } else { vec![fact, "of".to_owned(), thing] };
        spoken.splice(before..at + 2, with);
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

/// What other languages write for the same word: `WHERE`, `None`, `"Karsk"`, `25 %`, `c.tired` where a
/// loop is over `c`; and a verb for what it marks.
fn of_programs(spoken: Vec<String>, block: &str, game: &Lexicon) -> Vec<String> {
    const OF_TABLES: [&str; 15] = [
        "SELECT", "SUM", "COUNT", "FROM", "WHERE", "AND", "OR", "NOT", "UPDATE", "SET", "ORDER",
        "BY", "None", "AS", "DELETE",
    ];
    let looped = |at: usize| match (spoken.get(at), spoken.get(at + 1), spoken.get(at + 2)) {
        (Some(word), Some(name), _) if word == "lambda" || word == "for" => Some(name.clone()),
        (Some(name), Some(arrow), _) if arrow == "=>" => Some(name.clone()),
        (Some(name), Some(close), Some(arrow)) if close == ")" && arrow == "=>" => {
            Some(name.clone())
        }
        _ => None,
    };
    let looped: Vec<String> = (0..spoken.len()).filter_map(looped).collect();
    let mut found: Vec<String> = Vec::new();
    let mut words = spoken.iter().peekable();
    while let Some(word) = words.next() {
        let dot = words.peek().is_some_and(|next| *next == ".");
        let bare = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
        let kind = word.strip_prefix("named_").filter(|kind| game.kind_of(kind).is_some());
        let marked = marks(word, block, game);
        if dot && looped.contains(word) {
            words.next();
        } else if word == "null" || OF_TABLES.contains(&word.as_str()) {
            found.push(if word == "null" { "none".to_owned() } else { word.to_ascii_lowercase() });
        } else if let Some(bare) = bare.filter(|bare| {
            // `plural = "armies"`
            let before = found.len().checked_sub(2).and_then(|at| found.get(at));
            let plural = before.is_some_and(|word| word == "plural");
            game.knows(bare) || plural && bare.bytes().all(|b| b.is_ascii_alphabetic())
        }) {
            found.push(bare.to_owned());
        } else if let Some(kind) = kind {
            found.extend(["named".to_owned(), kind.to_owned()]);
        } else if let Some(mark) = marked {
            found.extend(["mark".to_owned(), mark]);
        } else if word == "%" {
            let part = found.pop().map(|number| percent(&number));
            found.extend(part);
        } else {
            found.push(word.clone());
        }
    }
    found
}

/// `25` of a hundred as `1/4`.
fn percent(number: &str) -> String {
    let Some(of) = number.parse::<u32>().ok().filter(|of| (1..100).contains(of)) else {
        return format!("{number}/100");
    };
    let divides = |by: &u32| of % by == 0 && 100 % by == 0;
    let by = (1..=of).rev().find(divides).unwrap_or(1);
    format!("{}/{}", of / by, 100 / by)
}

/// The mark for whose verb a word stands in a phase: `entrench` for `entrenched`.
fn marks(verb: &str, block: &str, game: &Lexicon) -> Option<String> {
    if block != "phase" || verb.len() < 4 || game.knows(verb) {
        return None;
    }
    let stem = verb.strip_suffix('s').unwrap_or(verb);
    let forms = [verb, stem].into_iter().flat_map(|verb| {
        let last = verb.chars().last().unwrap_or('e');
        let doubled = format!("{verb}{last}ed");
        let soft = verb.strip_suffix('y').map_or_else(|| format!("{verb}d"), |v| format!("{v}ied"));
        [format!("{verb}ed"), soft, doubled]
    });
    let mut marked = forms.filter(|form| game.is_named(&["mark", "given"], form));
    marked.next()
}

/// `one zone` as a number, and `-1` as one word.
fn signed(spoken: Vec<String>, game: &Lexicon) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, word) in spoken.iter().enumerate() {
        let next = spoken.get(at + 1).map_or("", String::as_str);
        if word == "one" && (game.is_named(&["space", "dimension"], next) || next == "point") {
            found.push("1".to_owned());
            continue;
        }
        let amount = |word: &String| is_whole(word) || word == ")" || game.is_attribute(word);
        let minus = found.last().is_some_and(|last| last == "-") && is_whole(word);
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
