//! Slips of one token in a text of rules, made by a seed: a word deleted, doubled, swapped with the
//! next, misspelled, or replaced by another of its class.

use crate::common::Dice;

/// Words that are easily taken for one another, by what they do in a line.
const CLASSES: [&[&str]; 10] = [
    &["of", "for", "in", "at", "on", "to", "from", "by", "with"],
    &["when", "where", "then", "than", "if"],
    &["any", "a", "an", "no", "the", "only", "every"],
    &["and", "or", "but", ","],
    &["is", "has", "are", "="],
    &["least", "most", "more", "less"],
    &["define", "table", "trace", "phase", "kind", "mark", "given", "test"],
    &["over", "from", "through", "into", "within", "cost", "along"],
    &["row", "otherwise", "else", "default", "when"],
    &["judge", "do", "may", "must", "roll", "put", "expect", "given"],
];

pub const SORTS: [&str; 5] = ["deleted", "doubled", "swapped", "misspelled", "another word"];

/// Slips of how words are written and laid out.
pub const LAYOUT: [&str; 8] = [
    "another number",
    "run together",
    "taken apart",
    "capital letter",
    "line end missing",
    "line end too many",
    "indented",
    "not indented",
];

/// Where the tokens of a text stand, texts in quotes and comments left out.
pub fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut quoted = false;
        let mut word: Option<usize> = None;
        for (at, c) in line.char_indices() {
            let joins = !quoted && (c.is_alphanumeric() || c == '_');
            if let Some(from) = word.filter(|_| !joins) {
                found.push(start + from..start + at);
                word = None;
            }
            match c {
                '"' => quoted = !quoted,
                '#' if !quoted => break,
                _ if joins => word = word.or(Some(at)),
                _ if quoted || c.is_whitespace() => {}
                _ => found.push(start + at..start + at + c.len_utf8()),
            }
        }
        start += line.len();
    }
    found
}

/// A text with one slip.
pub struct Slip {
    pub text: String,
    /// What stands in the text in place of what was right; empty where something is missing.
    pub wrong: std::ops::Range<usize>,
    /// What was right.
    pub right: String,
    pub sort: usize,
}

/// A slip of this sort in a text, somewhere.
pub fn slip(text: &str, sort: usize, dice: &mut Dice) -> Option<Slip> {
    let all = tokens(text);
    let at = dice.below(all.len());
    let here = all.get(at)?.clone();
    let word = text.get(here.clone())?;
    let (range, with) = match sort {
        0 => (here.clone(), String::new()),
        1 => (here.clone(), format!("{word} {word}")),
        2 => {
            let next = all.get(at + 1)?.clone();
            let between = text.get(here.end..next.start)?;
            let other = text.get(next.clone())?;
            if between.contains('\n') || other == word {
                return None;
            }
            (here.start..next.end, format!("{other}{between}{word}"))
        }
        3 => (here.clone(), misspelled(word, dice)?),
        _ => {
            let class: Vec<_> = CLASSES.iter().filter(|c| c.contains(&word)).collect();
            let class = class.get(dice.below(class.len().max(1)))?;
            let other = class[dice.below(class.len())];
            (here.clone(), Some(other).filter(|o| *o != word)?.to_owned())
        }
    };
    // A word that comes to stand where a sign stood does not run into its neighbour.
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let runs_on = |a: &str, b: &str| letter(a.chars().next_back()) && letter(b.chars().next());
    let before = if runs_on(&text[..range.start], &with) { " " } else { "" };
    let behind = if runs_on(&with, &text[range.end..]) { " " } else { "" };
    let with = format!("{before}{with}{behind}");
    let right = text.get(range.clone())?.to_owned();
    let wrong = range.start..range.start + with.len();
    let text = format!("{}{with}{}", &text[..range.start], &text[range.end..]);
    Some(Slip { text, wrong, right, sort })
}

/// One letter left out, doubled, swapped with the next or replaced.
fn misspelled(word: &str, dice: &mut Dice) -> Option<String> {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.len() < 3 || !letters.iter().all(|c| c.is_ascii_alphabetic() || *c == '_') {
        return None;
    }
    let at = dice.below(letters.len() - 1);
    match dice.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters.swap(at, at + 1),
        _ => letters[at] = char::from(b'a' + u8::try_from(dice.below(26)).ok()?),
    }
    let new: String = letters.into_iter().collect();
    (new != word).then_some(new)
}

/// A slip of layout of this sort in a text, somewhere.
pub fn layout_slip(text: &str, sort: usize, dice: &mut Dice) -> Option<Slip> {
    let all = tokens(text);
    let at = dice.below(all.len());
    let here = all.get(at)?.clone();
    let word = text.get(here.clone())?;
    let next = all.get(at + 1);
    let between = next.map_or("", |next| &text[here.end..next.start]);
    let start = text[..here.start].rfind('\n').map_or(0, |p| p + 1);
    let blanks = &text[start..here.start];
    let begins = blanks.trim().is_empty();
    let (range, with) = match sort {
        0 => (here.clone(), other_number(word, dice)?),
        1 if between == " " => (here.end..here.end + 1, String::new()),
        2 if word.len() > 5 && is_word(word) => {
            let cut = here.start + 2 + dice.below(word.len() - 3);
            (cut..cut, " ".to_owned())
        }
        3 if is_word(word) => {
            let (first, rest) = word.split_at(1);
            let first = if first == first.to_uppercase() {
                first.to_lowercase()
            } else {
                first.to_uppercase()
            };
            (here.clone(), format!("{first}{rest}"))
        }
        4 if between.contains('\n') && between.trim().is_empty() => {
            (here.end..next?.start, " ".to_owned())
        }
        5 if !between.is_empty() && !between.contains('\n') => {
            let indent = blanks.len() - blanks.trim_start().len();
            (here.end..next?.start, format!("\n{}", &blanks[..indent]))
        }
        6 if begins && blanks.is_empty() => (start..start, "  ".to_owned()),
        7 if begins && !blanks.is_empty() => (start..here.start, String::new()),
        _ => return None,
    };
    let right = text.get(range.clone())?.to_owned();
    let wrong = range.start..range.start + with.len();
    let text = format!("{}{with}{}", &text[..range.start], &text[range.end..]);
    (right != text[wrong.clone()]).then_some(Slip { text, wrong, right, sort })
}

fn is_word(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
}

/// A plural as one forms it who does not think, or the singular.
fn other_number(word: &str, dice: &mut Dice) -> Option<String> {
    if word.len() < 3 || !is_word(word) || word.starts_with(|c: char| c.is_uppercase()) {
        return None;
    }
    let one = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let one = one.or_else(|| word.strip_suffix("es").map(str::to_owned));
    let one = one.or_else(|| word.strip_suffix('s').map(str::to_owned));
    Some(match (one, dice.below(3)) {
        (Some(one), 0) => one,
        (Some(one), 1) => format!("{one}s"),
        (Some(_), _) => {
            word.strip_suffix("es").map_or_else(|| format!("{word}es"), |stem| format!("{stem}s"))
        }
        (None, 0) => format!("{word}'s"),
        (None, _) => format!("{word}s"),
    })
}
