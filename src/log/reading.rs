//! One line of a file of orders as JSON, and what is wrong with its words.

use serde_json::Value;

use super::given::{DEEDS, Given, Wrong};
use crate::diag::suggest;

/// What a word of an order says.
#[derive(Clone, Copy)]
enum Says {
    Turn,
    Name,
    Yes,
    Place,
}

/// The words of an order.
const WORDS: [(&str, Says); 15] = [
    ("turn", Says::Turn),
    ("phase", Says::Name),
    ("thing", Says::Name),
    ("mark", Says::Name),
    ("clear", Says::Name),
    ("change", Says::Name),
    ("remove", Says::Yes),
    ("move", Says::Name),
    ("follow", Says::Name),
    ("to", Says::Name),
    ("place", Says::Name),
    ("at", Says::Place),
    ("facing", Says::Name),
    ("choose", Says::Name),
    ("is", Says::Name),
];

/// The order of a line.
pub(super) fn read(line: &str) -> Result<Given, Wrong> {
    let value: Value = serde_json::from_str(line).map_err(|error| no_json(line, &error))?;
    let Value::Object(words) = &value else {
        return Err((
            "this is no order: it stands in no braces".to_owned(),
            "write `{\"thing\": ...}`, one order a line, without `[ ]` around all".to_owned(),
        ));
    };
    for (word, value) in words {
        fits(word, value)?;
    }
    // A word that stands twice is told by the reader itself.
    serde_json::from_str(line).map_err(|error| {
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        (format!("this is no order: {said}"), DEEDS.to_owned())
    })
}

fn fits(word: &str, value: &Value) -> Result<(), Wrong> {
    let Some((_, says)) = WORDS.iter().find(|(known, _)| *known == word) else {
        let near = suggest::closest(word, WORDS.iter().map(|(known, _)| *known));
        let help = near.map_or_else(|| DEEDS.to_owned(), |near| format!("write `{near}`"));
        return Err((format!("an order has no word `{word}`"), help));
    };
    let text = |value: &Value| value.is_string();
    // A word without a value is as if it were not there.
    let absent = value.is_null() && !matches!(word, "thing" | "remove");
    let (fits, want) = match says {
        Says::Turn => (
            absent || value.as_u64().is_some_and(|turn| u32::try_from(turn).is_ok()),
            "a number without quotes, as in `\"turn\": 2`",
        ),
        Says::Name => (absent || text(value), "a name in double quotes"),
        Says::Yes => (value.is_boolean(), "`true`, without quotes"),
        Says::Place => (
            absent || value.as_array().is_some_and(|all| all.len() == 2 && all.iter().all(text)),
            "two coordinates in quotes, as in `[\"1\", \"1/2\"]`",
        ),
    };
    if fits {
        return Ok(());
    }
    let message = format!("`{word}` says {want}, and here stands `{value}`");
    let help = match (says, value) {
        (Says::Turn, Value::String(text)) if text.trim().parse::<u32>().is_ok() => {
            format!("write `\"turn\": {}`", text.trim())
        }
        (Says::Name, Value::Number(_) | Value::Bool(_)) => {
            format!("write `\"{word}\": \"{value}\"`")
        }
        (Says::Yes, _) => "write `\"remove\": true`".to_owned(),
        _ => format!("write {want}"),
    };
    Err((message, help))
}

/// What the reader of JSON stumbled over, with the words at that place.
fn no_json(line: &str, error: &serde_json::Error) -> Wrong {
    let at = error.column().saturating_sub(1);
    let rest = line.get(at..).unwrap_or_default();
    let found: String = rest.chars().take(12).collect();
    let begins = line.trim_start().starts_with('{');
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    let (what, help) = if error.is_eof() {
        ("it does not end".to_owned(), "close quotes with `\"` and the order with `}`")
    } else if !begins {
        ("it begins with no brace".to_owned(), "write `{\"thing\": ...}`, one order a line")
    } else if said.starts_with("trailing characters") {
        (
            format!("`{found}` stands behind its end"),
            "end the line behind `}`, without a comma; an order has a line of its own",
        )
    } else if said.starts_with("trailing comma") {
        ("a comma stands before its end".to_owned(), "write no comma before `}`")
    } else if said.starts_with("key must be a string") {
        (
            format!("`{found}` stands where a word in double quotes should"),
            "write each word in straight double quotes, as in `\"thing\": \"Guard\"`",
        )
    } else {
        (
            format!("{said}, and there stands `{found}`"),
            "write names in straight double quotes, a `:` behind each word and a comma between them",
        )
    };
    (format!("this is no order: {what}"), help.to_owned())
}
