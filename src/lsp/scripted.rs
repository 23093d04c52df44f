//! Names in a script, which belongs to another language: its words, without its texts and comments.

use std::ops::Range;

/// Where a name stands in a script as a word of its own.
pub(super) fn places(script: &str, name: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = script.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let until = |end: &str| rest.get(2..).and_then(|r| r.find(end)).map(|to| to + 2);
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => until("*/").map_or(rest.len(), |to| to + 2),
            '"' | '\'' | '`' => quoted(rest, first),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        // What stands behind a dot is a field of something else.
        let field = script.get(..at).is_some_and(|before| before.ends_with('.'));
        if !field && rest.get(..length) == Some(name) {
            found.push(at..at + length);
        }
        at += length;
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// How long the text in quotes is that begins here; one without an end goes on to the end.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn words_of_texts_and_comments_are_no_names() {
        let script =
            "// cold\nif cold { \"cold \\\" cold\" } else { cold_one + x.cold /* cold */ + cold }";
        let found = places(script, "cold");
        let starts: Vec<usize> = found.iter().map(|r| r.start).collect();
        assert_eq!(starts, [11, script.len() - "cold }".len()]);
        assert!(places("\"cold", "cold").is_empty() && places("/* cold", "cold").is_empty());
        assert_eq!(places("cold", "cold"), [std::ops::Range { start: 0, end: 4 }]);
    }
}
