//! The words of a text, line by line, with the comments.
//!
//! Takes screened text; gives its lines without spaces. Knows of the language only what belongs
//! together: a text in quotes, a fraction, the name of a clause.

/// The lines of a stretch that hold anything.
pub(super) struct Lines<'t> {
    pub lines: Vec<Line<'t>>,
    /// Whether a blank line stands behind the last of them.
    pub blank_end: bool,
}

/// One line: its words, then its comment.
pub(super) struct Line<'t> {
    pub words: Vec<&'t str>,
    /// From `#` on, without the blanks at the end.
    pub comment: Option<&'t str>,
    /// Whether a blank line stands before it.
    pub blank: bool,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Lines<'t> {
        let mut lines = Vec::new();
        let mut blank = false;
        // A stretch that begins within a line begins with the end of that line.
        for whole in text.lines() {
            let (words, comment) = cut(whole);
            if words.is_empty() && comment.is_none() {
                blank = true;
                continue;
            }
            lines.push(Line { words, comment, blank });
            blank = false;
        }
        Lines { lines, blank_end: blank }
    }
}

/// All comments of a text in their order.
pub(super) fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| cut(line).1).collect()
}

fn cut(line: &str) -> (Vec<&str>, Option<&str>) {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = line.trim();
    let mut in_cites = false;
    while !rest.is_empty() {
        if rest.starts_with('#') {
            return (words, Some(rest));
        }
        let names_a_clause = match words.as_slice() {
            ["override" | "remove", noun] | [noun] => matches!(*noun, "clause" | "section"),
            _ => false,
        };
        let (word, tail) = rest.split_at(length(rest, in_cites || names_a_clause));
        match word {
            "[" => in_cites = true,
            "]" => in_cites = false,
            _ => {}
        }
        words.push(word);
        rest = tail.trim_start();
    }
    (words, None)
}

/// How many bytes the word at the beginning of a text has; never none.
fn length(text: &str, clause: bool) -> usize {
    let run = |text: &str, more: &str| {
        text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && !more.contains(c))
            .unwrap_or(text.len())
    };
    let first = text.chars().next().unwrap_or(' ');
    if first == '"' {
        return text.get(1..).and_then(|t| t.find('"')).map_or(text.len(), |at| at + 2);
    }
    if clause && first.is_ascii_alphanumeric() {
        return run(text, "-.");
    }
    let word = run(text, "");
    if word == 0 {
        return first.len_utf8();
    }
    let (number, rest) = text.split_at(word);
    // `3/4` is one number; with a space in it, it is a division.
    let digits = |r: &str| r.find(|c: char| !c.is_ascii_digit()).unwrap_or(r.len());
    let is_number = number.bytes().all(|b| b.is_ascii_digit());
    match rest.strip_prefix('/').map(digits) {
        Some(digits) if digits > 0 && is_number => return word + 1 + digits,
        _ if !is_number => return word,
        _ => {}
    }
    // So is a version, `0.1.2`.
    let mut end = word;
    while let Some(more) = text.get(end..).and_then(|t| t.strip_prefix('.')).map(digits) {
        if more == 0 {
            break;
        }
        end += 1 + more;
    }
    end
}
