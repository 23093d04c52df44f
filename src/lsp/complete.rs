//! What may stand at a place: the words that the grammar takes there, and the names that fit.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::find::byte;
use super::hover::about;
use super::index::{Entity, Index};
use super::publish::put;
use super::unit::Asked;
use super::{Answer, Desk};
use crate::check::names::Space;
use crate::source::SourceId;
use crate::syntax::STANCES;
use crate::syntax::next::next;

impl Desk<'_> {
    pub(super) fn complete(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let at = byte(asked, params)?;
        let text = asked.screened();
        let start = word_start(&text, at);
        if in_text(&text, start) {
            return Ok(json!([]));
        }
        let source = self.unit.source(&asked.path).unwrap_or_default();
        let allowed = next(&text, start);
        let index = self.unit.index(self.words);
        let range = asked.lines().range(start, at);
        let typed = text.get(start..at).unwrap_or_default();
        let mut items: BTreeMap<(u8, String), Value> = BTreeMap::new();
        let mut add = |rank: u8, label: &str, item: Value| {
            items.entry((rank, label.to_owned())).or_insert(item);
        };
        let item = |label: &str, kind: u8, rank: u8, detail: &str| {
            json!({
                "label": label,
                "kind": kind,
                "detail": detail,
                "sortText": format!("{rank}{label}"),
                "textEdit": { "range": range, "newText": label },
            })
        };
        if allowed.clause {
            for (label, entity) in clauses(index, self.prefix(source)) {
                let mut one = item(&label, 18, 0, &entity.what.about);
                put(&mut one, "documentation", entity.what.about.as_str().into());
                add(0, &label, one);
            }
            return Ok(
                json!({ "isIncomplete": false, "items": Vec::from_iter(items.into_values()) }),
            );
        }
        for word in &allowed.words {
            add(2, word, item(word, 14, 2, "word of the language"));
        }
        if allowed.name {
            let place = Place::of(&text, start, index, source);
            for entity in &index.entities {
                let name = &entity.what.name;
                let Some(rank) = place.rank(entity) else { continue };
                let mut one = item(name, kind_of(entity), rank, &detail(entity));
                // Of a long list only what is being typed is explained.
                if !typed.is_empty() && name.starts_with(typed) {
                    let value = about(self.unit, index, entity, source);
                    let value = json!({ "kind": "markdown", "value": value });
                    put(&mut one, "documentation", value);
                }
                add(rank, name, one);
            }
            if let Some(rank) = place.stance() {
                for word in STANCES {
                    add(rank, word, item(word, 14, rank, "as the side sees it that asks"));
                }
            }
        }
        Ok(json!({ "isIncomplete": false, "items": Vec::from_iter(items.into_values()) }))
    }

    /// What the clauses of a file begin with.
    fn prefix(&self, source: SourceId) -> &str {
        let path = self.unit.file(source);
        let rulesets = &self.unit.project.rulesets;
        let own = rulesets.iter().find(|r| r.file.as_deref() == Some(path));
        let head = own.or(rulesets.first()).and_then(|r| r.resolved().head.as_ref());
        head.map_or("", |h| h.prefix.text.as_str())
    }
}

/// The clauses as a file may write them.
fn clauses<'i>(index: &'i Index, prefix: &str) -> Vec<(String, &'i Entity)> {
    let all = index.entities.iter().filter(|e| e.what.space == Space::Clause);
    all.map(|entity| {
        let id = &entity.what.name;
        let short = id.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
        (short.unwrap_or(id).to_owned(), entity)
    })
    .collect()
}

/// Where the word begins that is being typed.
fn word_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    let cited = before.rsplit('\n').next().unwrap_or_default();
    let cited = cited.rfind('[') > cited.rfind(']');
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || cited && (c == '.' || c == '-');
    before.trim_end_matches(inside).len()
}

/// Whether a place is within quotes or a comment.
fn in_text(text: &str, at: usize) -> bool {
    let line = text.get(..at).and_then(|t| t.rsplit('\n').next()).unwrap_or_default();
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return true,
            _ => {}
        }
    }
    quoted
}

/// What the words before a place say about the names that fit there.
struct Place<'t> {
    /// The words of the line before the place, the last one first.
    before: Vec<&'t str>,
    /// The first word of the item, and the kind that it is about.
    noun: &'t str,
    of: Option<String>,
    /// The words that the fact before `is` may be.
    sets: Vec<String>,
}

impl<'t> Place<'t> {
    fn of(text: &'t str, at: usize, index: &Index, source: SourceId) -> Place<'t> {
        let head = text.get(..at).unwrap_or(text);
        let line = head.rsplit('\n').next().unwrap_or_default();
        let words = |line: &'t str| {
            line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty())
        };
        let before: Vec<&str> = words(line).rev().collect();
        let item = head.lines().rev().find(|l| l.starts_with(|c: char| c.is_ascii_lowercase()));
        let mut first = words(item.unwrap_or_default());
        let noun = first.next().unwrap_or_default();
        let rest: Vec<&str> = first.collect();
        let said = rest.iter().position(|w| *w == "of").and_then(|at| rest.get(at + 1));
        let byte = u32::try_from(at).unwrap_or(u32::MAX);
        let known = index.item_at(source, byte).and_then(|i| i.of.clone());
        let of = said.map(|w| (*w).to_owned()).or(known);
        let fact = before
            .iter()
            .position(|w| *w == "is" || *w == "with")
            .and_then(|is| before.iter().skip(is + 1).find(|w| !matches!(**w, "here" | "not")));
        let fact = if before.first() == Some(&"not") || before.first() == Some(&"is") {
            fact.copied()
        } else {
            before.first().copied()
        };
        let sets = fact.into_iter().map(str::to_owned).collect();
        Place { before, noun, of, sets }
    }

    fn last(&self) -> &str {
        self.before.first().copied().unwrap_or_default()
    }

    /// Whether the line begins with a word.
    fn begins(&self, word: &str) -> bool {
        self.before.last() == Some(&word)
    }

    /// How well a word fits that says how a thing stands to a side: before a noun, and in a
    /// condition by itself.
    fn stance(&self) -> Option<u8> {
        let plays = matches!(self.noun, "setup" | "map" | "kind" | "named");
        let last = self.last();
        if plays || STANCES.contains(&last) || matches!(last, "is" | "with") {
            return None;
        }
        Some(if before_a_kind(last) { 0 } else { 3 })
    }

    /// How well a name fits: 0 best; none if it cannot stand there.
    fn rank(&self, entity: &Entity) -> Option<u8> {
        let what = &entity.what;
        let second = self.before.get(1).copied().unwrap_or_default();
        let head = self.before.len() <= 3 && self.before.last() == Some(&self.noun);
        let only = |spaces: &[Space]| spaces.contains(&what.space).then_some(0);
        match (self.noun, self.last()) {
            (_, "of")
                if head
                    && matches!(
                        self.noun,
                        "define"
                            | "table"
                            | "trace"
                            | "test"
                            | "mark"
                            | "given"
                            | "count"
                            | "choice"
                            | "hook"
                    ) =>
            {
                only(&[Space::Kind])
            }
            ("kind", "is") if head => only(&[Space::Kind]),
            (_, "put" | "over" | "link" | "line" | "grid" | "named") => only(&[Space::Kind]),
            ("map", "space") => only(&[Space::Kind]),
            ("map", "of") if self.begins("no") => only(&[Space::Kind]),
            ("setup", "on") | ("case", "on") => only(&[Space::Map]),
            ("case", "setup") => only(&[Space::Setup]),
            ("case", "run") => only(&[Space::Phase, Space::Clock]),
            ("case", "ruling" | "option") => {
                (what.space == Space::Name && what.noun == self.last()).then_some(0)
            }
            // `leg back as march of supply instead of ...`
            (_, "as") if self.begins("leg") => (what.noun == "leg").then_some(0),
            (_, "of") if self.begins("leg") => {
                let wanted = if second == "instead" { "leg" } else { "trace" };
                (what.noun == wanted).then_some(0)
            }
            (_, "judge" | "follow") => (what.noun == "trace").then_some(0),
            (_, "mark" | "clear") => (what.noun == "mark").then_some(0),
            (_, "roll") => matches!(what.noun, "test" | "table" | "die").then_some(0),
            (_, "on") if second.is_empty() || self.noun == "kind" => only(&[Space::Track]),
            (_, "extends") => only(&[Space::Ruleset]),
            ("setup" | "case" | "map", "in" | "to" | "at") => {
                only(&[Space::Place, Space::Unit, Space::Name])
            }
            (_, "in") if self.noun == "kind" => only(&[Space::Dimension]),
            (_, last) if before_a_kind(last) || STANCES.contains(&last) => match what.space {
                Space::Kind => Some(0),
                // What is true of some things stands before their kind.
                Space::Member => Some(3),
                _ => None,
            },
            _ => self.plain(entity),
        }
    }

    /// In a condition or an amount.
    fn plain(&self, entity: &Entity) -> Option<u8> {
        let what = &entity.what;
        let play = matches!(self.noun, "setup" | "case" | "map" | "mistake");
        match what.space {
            Space::Word => self.sets.contains(&what.owner).then_some(0),
            Space::Member if Some(&what.owner) == self.of.as_ref() => Some(1),
            Space::Member => Some(3),
            Space::Unit | Space::Place if play => Some(1),
            Space::Kind | Space::Name => Some(4),
            Space::Dimension if self.last().bytes().all(|b| b.is_ascii_digit()) => Some(0),
            _ => None,
        }
    }
}

/// Whether a kind, or what stands before one, follows this word.
fn before_a_kind(word: &str) -> bool {
    matches!(word, "any" | "no" | "only")
}

fn detail(entity: &Entity) -> String {
    let what = &entity.what;
    let of = match what.space {
        Space::Member | Space::Word | Space::Part | Space::Place | Space::Unit => {
            format!(" of {}", what.owner)
        }
        _ => String::new(),
    };
    format!("{}{of}", what.noun)
}

/// Kinds of completions of the protocol.
fn kind_of(entity: &Entity) -> u8 {
    match (entity.what.space, entity.what.noun) {
        (Space::Kind, _) => 7,
        (Space::Member, "table" | "test" | "hook") | (Space::Name, "pair") => 3,
        (Space::Member, "define" | "choice") => 6,
        (Space::Member, _) => 10,
        (Space::Word, _) => 20,
        (Space::Name, "ruling" | "option") => 13,
        (Space::Dimension, _) => 11,
        (Space::Phase | Space::Clock, _) => 23,
        (Space::Map | Space::Setup, _) => 9,
        _ => 21,
    }
}
