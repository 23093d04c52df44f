//! Semantic tokens: every word with what it is, for colours that know the rules.

use serde_json::{Value, json};

use super::unit::Asked;
use super::{Answer, Desk};
use crate::check::names::Space;
use crate::syntax::words::{Role, Word};

/// The types of tokens, in the order of their numbers.
pub(super) const TYPES: [&str; 13] = [
    "keyword",
    "type",
    "property",
    "variable",
    "function",
    "enumMember",
    "enum",
    "namespace",
    "event",
    "number",
    "string",
    "comment",
    "decorator",
];
/// The modifiers, in the order of their bits.
pub(super) const MODIFIERS: [&str; 1] = ["declaration"];

impl Desk<'_> {
    pub(super) fn colours(self, asked: &Asked<'_>, range: Option<&Value>) -> Answer {
        let lines = asked.lines();
        let place = |name: &str| range.and_then(|r| r.get(name)).and_then(|p| lines.at(p));
        let (from, to) = (place("start").unwrap_or(0), place("end").unwrap_or(usize::MAX));
        let text = asked.screened();
        let words = self.words.words(&asked.path, &text);
        let index = self.unit.index(self.words);
        let source = self.unit.source(&asked.path);
        let mut data: Vec<usize> = Vec::new();
        let mut last = (0, 0);
        for word in words.iter().filter(|w| w.range.start < to && w.range.end > from) {
            let found = source.and_then(|s| index.at(s, word.range.start));
            let found = found.filter(|m| m.span.start as usize == word.range.start);
            let space =
                found.and_then(|m| index.entity(m.entity)).map(|e| (e.what.space, e.what.noun));
            let Some(kind) = kind(word, space) else { continue };
            let (line, column) = lines.line_and_column(word.range.start);
            let (end_line, end) = lines.line_and_column(word.range.end);
            if end_line != line || end <= column {
                continue;
            }
            let behind = if line == last.0 { column - last.1 } else { column };
            let declares = found.is_some_and(|m| m.declares);
            data.extend([line - last.0, behind, end - column, kind, usize::from(declares)]);
            last = (line, column);
        }
        Ok(json!({ "data": data }))
    }
}

/// The number of the type of a word; signs have none.
fn kind(word: &Word, space: Option<(Space, &str)>) -> Option<usize> {
    let name = match (word.role, space) {
        (Role::Sign, _) => return None,
        (Role::Keyword, _) => "keyword",
        (Role::Comment, _) => "comment",
        (Role::Text, _) => "string",
        (Role::Number, _) => "number",
        (Role::Clause, _) => "decorator",
        (Role::Name, None) => "variable",
        (Role::Name, Some(space)) => match space {
            (Space::Kind, _) => "type",
            (Space::Member, "table" | "test" | "hook" | "trace" | "define" | "choice") => {
                "function"
            }
            (Space::Member, _) => "property",
            (Space::Word, _) | (Space::Name, "side" | "named") => "enumMember",
            (Space::Name, "pair") => "function",
            (Space::Name, _) | (Space::Track, _) => "enum",
            (Space::Ruleset | Space::Map | Space::Setup | Space::Dimension, _) => "namespace",
            (Space::Phase | Space::Clock, _) => "event",
            _ => "variable",
        },
    };
    TYPES.iter().position(|t| *t == name)
}
