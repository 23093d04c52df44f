//! What every part of the page is written with: the rulebook, its names, and where each name is
//! explained.

use std::collections::BTreeMap;

use super::page::{Word, Words, plain};
use crate::aid::words::{open, said, tidy};
use crate::compare::Side as Rulebook;
use crate::ir::Ruleset;
use crate::source::Span;
use crate::syntax::ast::{Cites, Expr, ItemKind, Name, Text, Things, TraceLineKind};

/// The rulebook with its names.
pub(super) struct Desk<'a> {
    pub book: Rulebook<'a>,
    /// Each name that is explained somewhere, and where.
    names: BTreeMap<String, String>,
    /// What a space of the game is called, one and many.
    pub space: (String, String),
}

/// The anchor of an item: `trace-supply`. Names hold letters, digits, points and such alone;
/// anything else is left out.
pub(super) fn anchor(noun: &str, name: &str) -> String {
    let kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    format!("{noun}-{}", name.chars().filter(kept).collect::<String>())
}

impl<'a> Desk<'a> {
    pub fn new(book: Rulebook<'a>) -> Desk<'a> {
        Desk { book, names: names(book), space: space(book.rules) }
    }

    /// The words of a place, names in them as links.
    pub fn said(&self, place: Span) -> Words {
        self.linked(&said(self.book.sources, place))
    }

    /// The same of an expression, without brackets around the whole.
    pub fn expr(&self, expr: &Expr) -> Words {
        self.linked(&open(self.book.sources, expr.span))
    }

    pub fn exprs(&self, all: &[Expr]) -> Words {
        super::page::joined(all.iter().map(|e| self.expr(e)).collect(), ", ")
    }

    pub fn things(&self, things: &Things) -> Words {
        self.linked(&crate::aid::words::things(self.book.sources, things))
    }

    /// Text of the language as words: what is explained on the page leads there.
    pub fn linked(&self, text: &str) -> Words {
        let mut out = Words::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
            let (token, behind) = rest.split_at(length);
            match self.names.get(token) {
                Some(to) => out.push(Word::Link { to: to.clone(), text: tidy(token) }),
                None => match out.last_mut() {
                    Some(Word::Plain(before)) => before.push_str(&tidy(token)),
                    _ => out.push(plain(tidy(token))),
                },
            }
            rest = behind;
        }
        out
    }

    /// The clauses of a line in brackets, each a link; nothing where there are none.
    pub fn cites(&self, cites: &Cites) -> Words {
        let ids: Vec<&str> = cites.0.iter().filter_map(|name| self.clause(name)).collect();
        self.clauses(&ids)
    }

    /// The same of full ids.
    pub fn clauses(&self, ids: &[&str]) -> Words {
        let own = format!("{}-", self.book.rules.prefix);
        let link = |id: &&str| {
            vec![Word::Link {
                to: anchor("clause", id),
                text: id.strip_prefix(&own).unwrap_or(id).to_owned(),
            }]
        };
        if ids.is_empty() {
            return Words::new();
        }
        let mut out = vec![plain("[")];
        out.extend(super::page::joined(ids.iter().map(link).collect(), ", "));
        out.push(plain("]"));
        out
    }

    /// The full id of a clause that a line cites.
    fn clause(&self, name: &Name) -> Option<&'a str> {
        let full = format!("{}-{}", self.book.resolved.prefix_of(name.span), name.text);
        let find =
            |id: &str| self.book.rules.clauses.iter().find(|c| c.id == id).map(|c| c.id.as_str());
        find(&full).or_else(|| find(&name.text))
    }

    /// The printed title of a thing, or else its name.
    pub fn title(&self, title: Option<&Text>, name: &Name) -> String {
        super::page::capital(&title.map_or_else(|| tidy(&name.text), |t| t.text.clone()))
    }
}

/// Where each name is explained. A word of the language and a name of two things explain nothing.
fn names(book: Rulebook<'_>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    // Whoever comes first keeps the name.
    let mut put = |name: &str, to: &str| {
        names.entry(name.to_owned()).or_insert_with(|| to.to_owned());
    };
    for item in &book.resolved.items {
        let (noun, name) = match &item.item.kind {
            ItemKind::Count(count) => ("count", &count.name),
            ItemKind::Given(given) => ("given", &given.name),
            other => match crate::check::handle(other) {
                Some(found) => found,
                None => continue,
            },
        };
        let to = anchor(noun, &name.text);
        put(&name.text, &to);
        match &item.item.kind {
            // Only where a table gives several values are these asked for by their own names.
            ItemKind::Table(table) if table.results.len() > 1 => {
                table.results.iter().for_each(|r| put(&r.name.text, &to))
            }
            ItemKind::Trace(trace) => trace.lines.iter().for_each(|line| match &line.kind {
                TraceLineKind::Called { yes, no } => {
                    [yes, no].into_iter().for_each(|n| put(&n.text, &to))
                }
                TraceLineKind::Counts { name, .. } => put(&name.text, &to),
                _ => {}
            }),
            _ => {}
        }
    }
    names
}

/// What a space is called: by its kind, if there is one kind alone.
fn space(rules: &Ruleset) -> (String, String) {
    let mut kinds = rules.kinds.iter().filter(|k| k.parent == Some(crate::ir::KindId::SPACE));
    match (kinds.next(), kinds.next()) {
        (Some(kind), None) => (tidy(&kind.name), tidy(&kind.plural)),
        _ => ("space".to_owned(), "spaces".to_owned()),
    }
}
