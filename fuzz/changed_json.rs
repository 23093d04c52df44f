//! JSON with parts changed: numbers at their ends, things of another form, keys twice, ids without
//! end.

use serde_json::Value;

use super::choices::Choices;
use super::seeds::NUMBERS;

/// A value as it is written; unlike a map of JSON it can hold a key twice.
#[derive(Debug, Clone)]
enum Written {
    Raw(String),
    List(Vec<Written>),
    Map(Vec<(String, Written)>),
}

/// Values that few readers expect.
const ODD: [&str; 16] = [
    "null",
    "true",
    "[]",
    "{}",
    "\"\"",
    "-1",
    "-0",
    "0.5",
    "1e400",
    "1E3",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\u202e\"",
    "[[[[[[[[[[1]]]]]]]]]]",
    "NaN",
    "\"none\"",
];

/// A text of JSON with some of its parts changed for others, of itself or of `words`.
pub fn changed(text: &str, words: &[String], choices: &mut Choices<'_>) -> String {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
    let mut value = of(&value);
    for _ in 0..1 + choices.below(4) {
        let mut all = Vec::new();
        gather(&value, &mut all);
        let new = other(&all, words, choices);
        let at = choices.below(all.len());
        change(&mut value, &mut at.clone(), &new, words, choices);
    }
    let mut out = String::new();
    write(&value, &mut out);
    out
}

fn of(value: &Value) -> Written {
    match value {
        Value::Array(all) => Written::List(all.iter().map(of).collect()),
        Value::Object(all) => {
            Written::Map(all.iter().map(|(key, value)| (key.clone(), of(value))).collect())
        }
        other => Written::Raw(other.to_string()),
    }
}

fn gather(value: &Written, all: &mut Vec<Written>) {
    all.push(value.clone());
    match value {
        Written::Raw(_) => {}
        Written::List(parts) => parts.iter().for_each(|p| gather(p, all)),
        Written::Map(parts) => parts.iter().for_each(|(_, p)| gather(p, all)),
    }
}

fn text(word: &str) -> Written {
    Written::Raw(Value::from(word).to_string())
}

fn other(all: &[Written], words: &[String], choices: &mut Choices<'_>) -> Written {
    match choices.below(8) {
        0 => Written::Raw((*choices.pick(&NUMBERS)).to_owned()),
        1 => text((*choices.pick(&NUMBERS)).trim()),
        2 => Written::Raw((*choices.pick(&ODD)).to_owned()),
        3 if choices.once_in(8) => text(&"A".repeat(20_000)),
        3 => Written::List(vec![choices.pick(all).clone(), choices.pick(all).clone()]),
        4 | 5 if !words.is_empty() => text(choices.pick(words).as_str()),
        _ => choices.pick(all).clone(),
    }
}

/// Changes the part at a place, counted as parts are gathered.
fn change(
    value: &mut Written,
    left: &mut usize,
    new: &Written,
    words: &[String],
    choices: &mut Choices<'_>,
) -> bool {
    if *left == 0 {
        *value = changed_part(value, new, words, choices);
        return true;
    }
    *left -= 1;
    match value {
        Written::Raw(_) => false,
        Written::List(parts) => parts.iter_mut().any(|p| change(p, left, new, words, choices)),
        Written::Map(parts) => parts.iter_mut().any(|(_, p)| change(p, left, new, words, choices)),
    }
}

fn changed_part(
    value: &Written,
    new: &Written,
    words: &[String],
    choices: &mut Choices<'_>,
) -> Written {
    let mut value = value.clone();
    match &mut value {
        Written::List(parts) if !parts.is_empty() => {
            let at = choices.below(parts.len());
            match choices.below(4) {
                0 => drop(parts.remove(at)),
                1 => parts.push(parts[at].clone()),
                2 => parts.push(new.clone()),
                _ => return new.clone(),
            }
        }
        Written::Map(parts) if !parts.is_empty() => {
            let at = choices.below(parts.len());
            match choices.below(6) {
                0 => drop(parts.remove(at)),
                1 => parts.push(parts[at].clone()),
                2 => parts.push((parts[at].0.clone(), new.clone())),
                3 if !words.is_empty() => parts.push((choices.pick(words).clone(), new.clone())),
                4 if !words.is_empty() => parts[at].0 = choices.pick(words).clone(),
                _ => return new.clone(),
            }
        }
        _ => return new.clone(),
    }
    value
}

fn write(value: &Written, out: &mut String) {
    match value {
        Written::Raw(text) => out.push_str(text),
        Written::List(parts) => {
            out.push('[');
            for (at, part) in parts.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(part, out);
            }
            out.push(']');
        }
        Written::Map(parts) => {
            out.push('{');
            for (at, (key, part)) in parts.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(part, out);
            }
            out.push('}');
        }
    }
}
