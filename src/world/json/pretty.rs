//! JSON text with a fixed order of keys, short things on one line.

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
    let mut out = String::new();
    put(value, 0, &mut out);
    out.push('\n');
    out
}

fn put(value: &Json, indent: usize, out: &mut String) {
    // A position itself is always spread, so that its fields begin their lines.
    if indent > 0 || !matches!(value, Json::Object(fields) if !fields.is_empty()) {
        let mut line = String::new();
        if flat(value, WIDTH.saturating_sub(indent), &mut line) {
            out.push_str(&line);
            return;
        }
    }
    match value {
        Json::List(items) => {
            spread(out, indent, ['[', ']'], items.iter(), |item, out| put(item, indent + 2, out))
        }
        Json::Object(fields) => {
            spread(out, indent, ['{', '}'], fields.iter(), |(key, value), out| {
                text(key, out);
                out.push_str(": ");
                put(value, indent + 2, out);
            })
        }
        simple => {
            // Too long for a line, and nothing to break.
            flat(simple, usize::MAX, out);
        }
    }
}

fn spread<'v, T: 'v>(
    out: &mut String,
    indent: usize,
    [open, close]: [char; 2],
    items: impl Iterator<Item = &'v T>,
    mut each: impl FnMut(&'v T, &mut String),
) {
    out.push(open);
    let mut sep = "";
    for item in items {
        out.push_str(sep);
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent + 2));
        each(item, out);
        sep = ",";
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
    out.push(close);
}

/// The value on one line; false, with part of it written, as soon as it is too long.
fn flat(value: &Json, width: usize, out: &mut String) -> bool {
    match value {
        Json::Null => out.push_str("null"),
        Json::Truth(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Json::Number(number) => out.push_str(&number.to_string()),
        Json::Text(string) => text(string, out),
        Json::List(items) => {
            out.push('[');
            let mut sep = "";
            for item in items {
                out.push_str(sep);
                if !flat(item, width, out) {
                    return false;
                }
                sep = ", ";
            }
            out.push(']');
        }
        Json::Object(fields) => {
            out.push('{');
            let mut sep = "";
            for (key, value) in fields {
                out.push_str(sep);
                text(key, out);
                out.push_str(": ");
                if !flat(value, width, out) {
                    return false;
                }
                sep = ", ";
            }
            out.push('}');
        }
    }
    out.len() <= width
}

fn text(text: &str, out: &mut String) {
    out.push_str(&super::reader::quoted(text));
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
