//! Makes any text fit to be printed.
//!
//! Takes text of the user or of the system. Gives text without a character that steers a
//! terminal or hides, on one line or on several, and wrapped where asked for.

use crate::source::chars::{escaped, hazard};

/// On one line: what is refused in source texts is escaped, blanks and line ends are spaces.
pub(crate) fn line(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => clean.push(' '),
            c => push(&mut clean, c),
        }
    }
    clean
}

/// Appends one character, escaped if it must not be printed.
pub(crate) fn push(clean: &mut String, c: char) {
    if hazard(c).is_some() {
        clean.push_str(&escaped(c));
    } else {
        clean.push(c);
    }
}

/// JSON with every refused character as a `\u` escape; such characters stand in strings only.
pub(crate) fn json(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut units = [0u16; 2];
    let mut rest = text;
    loop {
        // Plain text, which is nearly all there is, is taken as a whole.
        let plain = rest.bytes().position(|b| !matches!(b, b' '..=b'~')).unwrap_or(rest.len());
        let (run, more) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        clean.push_str(run);
        let mut chars = more.chars();
        let Some(c) = chars.next() else { return clean };
        rest = chars.as_str();
        if hazard(c).is_none() {
            clean.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut units) {
            clean.push_str(&format!("\\u{unit:04x}"));
        }
    }
}

/// The lines of a paragraph, broken at spaces to fit a width; a longer word stays whole.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = String::new();
    let mut used = 0;
    for word in line(text).split(' ').filter(|word| !word.is_empty()) {
        let chars = word.chars().count();
        if used > 0 && used + 1 + chars > width {
            lines.push(std::mem::take(&mut current));
            used = 0;
        }
        if used > 0 {
            current.push(' ');
            used += 1;
        }
        current.push_str(word);
        used += chars;
    }
    if used > 0 {
        lines.push(current);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_without_controls() {
        assert_eq!(line("a\tb\nc\u{1b}[31m"), "a b c\\u{1b}[31m");
        assert_eq!(line("x\u{202e}y\r"), "x\\u{202e}y\\u{d}");
        assert_eq!(line("é 漢"), "é 漢");
    }

    #[test]
    fn json_escapes_mean_the_same_character() {
        let hostile = "a\u{7f}\u{9b}\u{202e}\u{e0041}é";
        let text = serde_json::to_string(hostile).unwrap_or_default();
        let clean = json(&text);
        assert_eq!(clean, "\"a\\u007f\\u009b\\u202e\\udb40\\udc41é\"");
        assert_eq!(serde_json::from_str::<String>(&clean).ok().as_deref(), Some(hostile));
    }

    #[test]
    fn wrapping_keeps_words_whole() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable a", 3), ["unbreakable", "a"]);
        assert_eq!(wrap("", 10), [""; 0]);
    }
}
