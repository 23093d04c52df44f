//! JSON text with a fixed order of keys, short things on one line.

use std::io::Write as _;

/// A value to be written.
pub(super) enum Json {
    Null,
    Truth(bool),
    Number(i64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// What is no longer than this stands on one line.
const WIDTH: usize = 100;

/// The text of a value, with a newline at its end.
pub(super) fn pretty(value: &Json) -> String {
    let mut out = Vec::new();
    put(value, 0, &mut out);
    out.push(b'\n');
    String::from_utf8(out).unwrap_or_default()
}

fn put(value: &Json, indent: usize, out: &mut Vec<u8>) {
    // A position itself is always spread, so that its fields begin their lines.
    if indent > 0 || !matches!(value, Json::Object(fields) if !fields.is_empty()) {
        let before = out.len();
        if flat(value, before + WIDTH.saturating_sub(indent), out) {
            return;
        }
        out.truncate(before);
    }
    match value {
        Json::List(items) => {
            spread(out, indent, *b"[]", items.iter(), |item, out| put(item, indent + 2, out))
        }
        Json::Object(fields) => spread(out, indent, *b"{}", fields.iter(), |(key, value), out| {
            text(key, out);
            out.extend(b": ");
            put(value, indent + 2, out);
        }),
        simple => {
            // Too long for a line, and nothing to break.
            flat(simple, usize::MAX, out);
        }
    }
}

fn spread<'v, T: 'v>(
    out: &mut Vec<u8>,
    indent: usize,
    [open, close]: [u8; 2],
    items: impl Iterator<Item = &'v T>,
    mut each: impl FnMut(&'v T, &mut Vec<u8>),
) {
    out.push(open);
    for (at, item) in items.enumerate() {
        out.extend(if at > 0 { ",\n" } else { "\n" }.bytes());
        out.extend(std::iter::repeat_n(b' ', indent + 2));
        each(item, out);
    }
    out.push(b'\n');
    out.extend(std::iter::repeat_n(b' ', indent));
    out.push(close);
}

/// The value on one line; false, with part of it written, as soon as the text is longer than this.
fn flat(value: &Json, end: usize, out: &mut Vec<u8>) -> bool {
    match value {
        Json::Null => out.extend(b"null"),
        Json::Truth(truth) => out.extend(if *truth { "true" } else { "false" }.bytes()),
        // Nothing can go wrong in memory.
        Json::Number(number) => _ = write!(out, "{number}"),
        Json::Text(string) => text(string, out),
        Json::List(items) => {
            out.push(b'[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.extend(b", ");
                }
                if !flat(item, end, out) {
                    return false;
                }
            }
            out.push(b']');
        }
        Json::Object(fields) => {
            out.push(b'{');
            for (at, (key, value)) in fields.iter().enumerate() {
                if at > 0 {
                    out.extend(b", ");
                }
                text(key, out);
                out.extend(b": ");
                if !flat(value, end, out) {
                    return false;
                }
            }
            out.push(b'}');
        }
    }
    out.len() <= end
}

fn text(text: &str, out: &mut Vec<u8>) {
    // Nothing can go wrong in memory.
    _ = serde_json::to_writer(out, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_things_stand_on_one_line() {
        let long = Json::List((0..60).map(Json::Number).collect());
        let value = Json::Object(vec![
            (
                "a".to_owned(),
                Json::List(vec![Json::Null, Json::Truth(true), Json::Text("\"\n".to_owned())]),
            ),
            ("b".to_owned(), Json::Object(vec![("c".to_owned(), long)])),
            ("d".to_owned(), Json::Object(Vec::new())),
        ]);
        let text = pretty(&value);
        assert!(
            text.starts_with(
                "{\n  \"a\": [null, true, \"\\\"\\n\"],\n  \"b\": {\n    \"c\": [\n      0,\n"
            ),
            "{text}"
        );
        assert!(text.ends_with("\n  \"d\": {}\n}\n"), "{text}");
    }
}
