//! What comments say of a rule: `# sample` marks what the printed rules do not have, `# hidden`
//! what is not for all players. The word begins a comment above the rule or at the end of a line.

use crate::aid::words::tidy;
use crate::source::{SourceMap, Span};

/// What is said of an item.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Remarks {
    /// That it is a sample, and why; empty where no reason is given.
    pub sample: Option<String>,
    /// Parts of it that are samples: how each begins, and why.
    pub parts: Vec<(String, String)>,
    /// Whether it is hidden from players.
    pub hidden: bool,
}

/// Reads the comments of the item that stands there.
pub(super) fn remarks(sources: &SourceMap, place: Span) -> Remarks {
    let line = |byte: u32| sources.line_col(place.source, byte).line;
    let (first, last) = (line(place.start), line(place.end.saturating_sub(1).max(place.start)));
    let mut out = Remarks::default();
    let above = above(sources, place, first);
    let row = if above.is_empty() { row_sample(sources, place, (first, last)) } else { None };
    let own = comment_of(sources.line_text(place.source, first));
    for text in above.iter().map(String::as_str).chain(own.map(|(_, text)| text)) {
        out.sample = out.sample.or_else(|| said(text, "sample"));
        out.hidden |= said(text, "hidden").is_some();
    }
    out.sample = out.sample.or(row);
    // A comment on a line of its own is about the line below it.
    let mut waiting: Option<String> = None;
    for number in first + 1..=last {
        let text = sources.line_text(place.source, number);
        let Some((code, comment)) = comment_of(text).or(Some((text, ""))) else { continue };
        let reason = said(comment, "sample");
        if code.trim().is_empty() {
            waiting = reason.or(waiting.filter(|_| !comment.is_empty()));
            continue;
        }
        if let Some(reason) = reason.or(waiting.take()) {
            let begins: Vec<&str> = code.split_whitespace().take(2).collect();
            out.parts.push((tidy(&begins.join(" ")), reason));
        }
    }
    out
}

/// What a comment says of a row of rules below it, when the item is one of them: no blank line and
/// no other comment stands between, and none of them carries out a clause.
fn row_sample(sources: &SourceMap, place: Span, (first, last): (u32, u32)) -> Option<String> {
    let cites = |number: u32| {
        let text = sources.line_text(place.source, number);
        let code = comment_of(text).map_or(text, |(code, _)| code);
        code.split('"').step_by(2).any(|part| part.contains('['))
    };
    if (first..=last).any(cites) {
        return None;
    }
    for number in (1..first).rev() {
        let text = sources.line_text(place.source, number);
        let (code, _) = comment_of(text).or((!text.trim().is_empty()).then_some((text, "")))?;
        // A comment that stands farther in is about a part of a rule.
        if code.is_empty() {
            let above = above(sources, place, number + 1);
            return above.iter().find_map(|text| said(text, "sample"));
        }
        if cites(number) {
            return None;
        }
    }
    None
}

/// The comments right above a line, each as one text: lines follow each other until one begins with
/// a word that marks.
fn above(sources: &SourceMap, place: Span, first: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for number in (1..first).rev() {
        match comment_of(sources.line_text(place.source, number)) {
            Some((code, comment)) if code.trim().is_empty() => lines.push(comment.trim()),
            _ => break,
        }
    }
    let mut out: Vec<String> = Vec::new();
    for line in lines.into_iter().rev() {
        let begins = ["sample", "hidden"].iter().any(|word| said(line, word).is_some());
        match out.last_mut() {
            Some(text) if !begins => {
                text.push(' ');
                text.push_str(line);
            }
            _ => out.push(line.to_owned()),
        }
    }
    out
}

/// What stands before the comment of a line, and the comment.
fn comment_of(line: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let at = line.char_indices().find(|(_, c)| {
        quoted ^= *c == '"';
        *c == '#' && !quoted
    });
    let (code, rest) = line.split_at(at?.0);
    Some((code, rest.trim_start_matches('#').trim()))
}

/// What a comment says after the word that it begins with.
fn said(comment: &str, word: &str) -> Option<String> {
    let rest = comment.strip_prefix(word)?;
    if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-') {
        return None;
    }
    Some(rest.trim_start_matches([':', ',', '.', ' ']).trim_end_matches('.').to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail loudly")]
mod tests {
    use super::*;

    fn of(text: &str, item: &str) -> Remarks {
        let mut sources = SourceMap::new();
        let source = sources.add("a.sut", text.to_owned());
        let start = text.find(item).unwrap();
        remarks(&sources, Span::of(source, start..start + item.len()))
    }

    #[test]
    fn a_comment_above_or_beside_marks_the_whole() {
        let text = "# sample: ours,\n# until printed\ntable t {\n}\ndie d   # sample\n";
        assert_eq!(of(text, "table t {\n}").sample.as_deref(), Some("ours, until printed"));
        assert_eq!(of(text, "die d").sample.as_deref(), Some(""));
        assert_eq!(of("\"# sample\"\ndie d\n", "die d"), Remarks::default());
        assert_eq!(of("# samples of all\ndie d\n", "die d"), Remarks::default());
        assert_eq!(of("# sample\n\ndie d\n", "die d"), Remarks::default());
        assert!(of("# hidden\ndie d\n", "die d").hidden);
    }

    #[test]
    fn a_comment_marks_the_row_of_rules_below_it() {
        let row = "# sample: how far\ntable t {\n  otherwise 1\n}\ntable u {\n}\ndie v\n";
        for item in ["table u {\n}", "die v"] {
            assert_eq!(of(row, item).sample.as_deref(), Some("how far"));
        }
        for behind in ["\ndie d", "# why\ndie d", "die e [3]\ndie d"] {
            assert_eq!(of(&format!("{row}{behind}\n"), "die d"), Remarks::default(), "{behind}");
        }
        assert_eq!(of(&format!("{row}die d [4]\n"), "die d [4]"), Remarks::default());
    }

    #[test]
    fn a_comment_on_a_line_marks_that_part() {
        let text = "trace t {\n  leg road_net   # sample: ours\n  # sample\n  source a where b\n  # why\n  source c\n}\n";
        let found = of(text, text.trim_end());
        let parts = [("leg road net", "ours"), ("source a", "")];
        let parts: Vec<(String, String)> =
            parts.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!((found.sample, found.parts), (None, parts));
    }
}
