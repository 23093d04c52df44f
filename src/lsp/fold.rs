//! Folding: blocks in braces, sections with their clauses, and comments of several lines.

use serde_json::{Value, json};

use super::unit::Asked;
use crate::arrange::Arrange as _;
use crate::syntax::words::{Role, words};

pub(super) fn ranges(asked: &Asked<'_>) -> Value {
    let text = asked.screened();
    let lines = asked.lines();
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut section: Option<usize> = None;
    let mut comment: Option<(usize, usize)> = None;
    let mut last = 0;
    for word in words(&text) {
        let (line, start) = lines.line(word.range.start);
        let said = text.get(word.range.clone()).unwrap_or_default();
        if word.role == Role::Comment
            && text.get(start..word.range.start).is_some_and(|t| t.trim().is_empty())
        {
            comment = match comment {
                Some((from, to)) if to + 1 == line => Some((from, line)),
                _ => {
                    found.extend(comment.map(|(from, to)| (from, to, "comment")));
                    Some((line, line))
                }
            };
            continue;
        }
        found.extend(comment.take().map(|(from, to)| (from, to, "comment")));
        if word.range.start == start && word.role == Role::Keyword && said != "clause" {
            found.extend(section.take().map(|from| (from, last, "region")));
            section = (said == "section").then_some(line);
        }
        match said {
            "{" if word.role == Role::Sign => open.push(line),
            "}" if word.role == Role::Sign => {
                // The brace itself stays to be seen.
                found.extend(open.pop().map(|from| (from, line.saturating_sub(1), "region")));
            }
            _ => {}
        }
        last = line;
    }
    found.extend(comment.map(|(from, to)| (from, to, "comment")));
    found.extend(section.map(|from| (from, last, "region")));
    found.retain(|(from, to, _)| to > from);
    found.arrange();
    let shown = |(from, to, kind): &(usize, usize, &str)| json!({ "startLine": from, "endLine": to, "kind": kind });
    found.iter().map(shown).collect()
}
