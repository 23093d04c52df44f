//! From the parser's pairs to the tree of what was written.
//!
//! Takes the pairs of one item; gives an AST item. One function a construct; each reads its
//! children in the order of the grammar, so that a change of the grammar fails in one place.

mod expr;
mod hook;
mod play;
mod rules;
mod schema;
mod table;
mod variant;

pub(super) use play::{one_given, one_question};
pub(super) use rules::{SheetRow, grid_row, head, sheet_row};

use std::sync::OnceLock;

use pest::iterators::Pair;

use super::Rule;
use super::ast::{Cites, Item, ItemKind, Name, Text};
use super::parts::Parts;
use crate::source::{SourceId, Span};

/// A pair of the parser.
pub(super) type P<'i> = Pair<'i, Rule>;

/// Where the text of the item being read comes from.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    pub source: SourceId,
    pub base: u32,
    /// The files that wrote the parts of a text, where they are several.
    pub parts: Option<&'a Parts>,
}

impl<'a> Origin<'a> {
    /// A stretch of one file.
    pub(super) fn of(source: SourceId, base: u32) -> Origin<'a> {
        Origin { source, base, parts: None }
    }

    fn span(self, pair: &P<'_>) -> Span {
        let inner = pair.as_span();
        let end = inner.start() + without_tail(inner.as_str());
        self.place(inner.start(), end)
    }

    /// The place of a stretch of the text.
    pub(super) fn place(self, start: usize, end: usize) -> Span {
        match self.parts {
            Some(parts) => parts.place(start, end),
            None => Span::new(self.source, self.base + offset(start), self.base + offset(end)),
        }
    }
}

/// How long a text is without the blanks and comments at its end, which the parser passes over
/// while it looks for more.
fn without_tail(text: &str) -> usize {
    let mut kept = text.trim_end();
    // Few texts hold a sign that may begin a comment.
    if !kept.as_bytes().contains(&b'#') {
        return kept.len();
    }
    loop {
        let line = kept.rfind('\n').map_or(0, |newline| newline + 1);
        let mut quoted = false;
        let comment = kept.get(line..).unwrap_or("").bytes().position(|byte| {
            quoted ^= byte == b'"';
            byte == b'#' && !quoted
        });
        match comment.and_then(|at| kept.get(..line + at)) {
            Some(before) => kept = before.trim_end(),
            None => return kept.len(),
        }
    }
}

/// Texts are at most 16 MiB, so that a place always fits.
fn offset(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// The children of a pair, read from left to right; words and signs are stepped over unless asked
/// for.
struct Kids<'i> {
    origin: Origin<'i>,
    span: Span,
    all: std::iter::Peekable<std::vec::IntoIter<P<'i>>>,
    seen: Vec<Rule>,
}

impl<'i> Kids<'i> {
    fn of(origin: Origin<'i>, pair: P<'i>) -> Kids<'i> {
        let span = origin.span(&pair);
        let all: Vec<P<'i>> = pair.into_inner().collect();
        let seen = all.iter().map(Pair::as_rule).collect();
        Kids { origin, span, all: all.into_iter().peekable(), seen }
    }

    /// Whether a word or sign stands anywhere among the children.
    fn has(&self, rule: Rule) -> bool {
        self.seen.contains(&rule)
    }

    fn skip_words(&mut self) {
        while self.all.next_if(|p| is_word(p.as_rule())).is_some() {}
    }

    /// The next child that is no word.
    fn next(&mut self) -> Option<P<'i>> {
        self.skip_words();
        self.all.next()
    }

    /// The next child that is no word, if it is of this rule.
    fn next_if(&mut self, rule: Rule) -> Option<P<'i>> {
        self.skip_words();
        self.all.next_if(|p| p.as_rule() == rule)
    }

    /// All children of this rule that follow.
    fn rest_of(&mut self, rule: Rule) -> Vec<P<'i>> {
        let mut found = Vec::new();
        while let Some(p) = self.next_if(rule) {
            found.push(p);
        }
        found
    }

    fn name(&mut self) -> Option<Name> {
        let o = self.origin;
        self.next_if(Rule::name).map(|p| name(o, &p))
    }

    fn names(&mut self) -> Option<Vec<Name>> {
        let o = self.origin;
        self.next_if(Rule::names).map(|p| names(o, p))
    }

    fn text(&mut self) -> Option<Text> {
        let o = self.origin;
        self.next_if(Rule::string).map(|p| text(o, &p))
    }

    fn cites(&mut self) -> Cites {
        let o = self.origin;
        self.next_if(Rule::cites).map(|p| cites(o, p)).unwrap_or_default()
    }

    fn subject(&mut self) -> Option<Name> {
        let o = self.origin;
        self.next_if(Rule::subject).and_then(|p| Kids::of(o, p).name())
    }
}

/// Words and signs carry no content of their own; their rules are told apart by name, once.
fn is_word(rule: Rule) -> bool {
    static WORDS: OnceLock<Vec<bool>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        const SIGNS: [&str; 12] = [
            "open", "close", "lparen", "rparen", "lcite", "rcite", "comma", "bar", "equals", "EOI",
            "plus", "times",
        ];
        let mut words = vec![false; Rule::all_rules().len() + 1];
        for rule in Rule::all_rules().iter().chain([&Rule::EOI]) {
            let name = format!("{rule:?}");
            if let Some(cell) = words.get_mut(*rule as usize) {
                *cell = name.starts_with("k_")
                    || SIGNS.contains(&name.as_str())
                    || matches!(rule, Rule::minus | Rule::divide);
            }
        }
        words
    });
    words.get(rule as usize).copied().unwrap_or(false)
}

fn name(origin: Origin, pair: &P<'_>) -> Name {
    Name { text: pair.as_str().trim_end().to_owned(), span: origin.span(pair) }
}

fn names(origin: Origin, pair: P<'_>) -> Vec<Name> {
    pair.into_inner().filter(|p| p.as_rule() == Rule::name).map(|p| name(origin, &p)).collect()
}

fn text(origin: Origin, pair: &P<'_>) -> Text {
    let quoted = pair.as_str();
    let inner = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"')).unwrap_or(quoted);
    Text { text: inner.to_owned(), span: origin.span(pair) }
}

fn cites(origin: Origin, pair: P<'_>) -> Cites {
    Cites(
        pair.into_inner()
            .filter(|p| p.as_rule() == Rule::clause_ref)
            .map(|p| name(origin, &p))
            .collect(),
    )
}

/// The AST of one `one_item` pair; `None` only if grammar and builder disagree.
pub(super) fn item(origin: Origin, pair: P<'_>) -> Option<Item> {
    let inner = pair.into_inner().find(|p| p.as_rule() == Rule::item)?.into_inner().next()?;
    construct(origin, inner)
}

fn construct(origin: Origin, inner: P<'_>) -> Option<Item> {
    let span = origin.span(&inner);
    let kids = |p| Kids::of(origin, p);
    let kind = match inner.as_rule() {
        Rule::edition => ItemKind::Edition(kids(inner).next().map(|p| name(origin, &p))?),
        Rule::ruleset => ItemKind::Ruleset(schema::ruleset(kids(inner))?),
        Rule::section => ItemKind::Section(schema::section(kids(inner))?),
        Rule::clause => ItemKind::Clause(schema::clause(kids(inner))?),
        Rule::ruling => ItemKind::Ruling(schema::ruling(kids(inner))?),
        Rule::option => ItemKind::Option(schema::option(kids(inner))?),
        Rule::sides => ItemKind::Sides(schema::sides(kids(inner))?),
        Rule::clock => ItemKind::Clock(schema::clock(kids(inner))?),
        Rule::dimension => ItemKind::Dimension(schema::dimension(kids(inner))),
        Rule::kind => ItemKind::Kind(schema::kind(kids(inner))?),
        Rule::named => ItemKind::Named(schema::named(kids(inner))?),
        Rule::mark_decl => ItemKind::Mark(schema::mark(kids(inner))?),
        Rule::given_decl => ItemKind::Given(schema::given(kids(inner))?),
        Rule::define => ItemKind::Define(rules::define(kids(inner))?),
        Rule::table => ItemKind::Table(rules::table(kids(inner))?),
        Rule::trace => ItemKind::Trace(rules::trace(kids(inner))?),
        Rule::die => ItemKind::Die(rules::die(kids(inner))?),
        Rule::test => ItemKind::Test(rules::test(kids(inner))?),
        Rule::phase => ItemKind::Phase(rules::phase(kids(inner))?),
        Rule::hook => ItemKind::Hook(hook::hook(kids(inner))?),
        Rule::map => ItemKind::Map(play::map(kids(inner))?),
        Rule::setup => ItemKind::Setup(play::setup(kids(inner))?),
        Rule::case => ItemKind::Case(play::case(kids(inner))?),
        Rule::mistake => ItemKind::Mistake(play::mistake(kids(inner))?),
        Rule::exception => ItemKind::Exception(rules::exception(kids(inner))?),
        Rule::copy => ItemKind::Copy(variant::copy(kids(inner))?),
        Rule::override_ => ItemKind::Override(variant::override_(kids(inner))?),
        Rule::add_ => ItemKind::Add(variant::add(kids(inner))?),
        Rule::remove_ => ItemKind::Remove(variant::remove(kids(inner))?),
        Rule::track => ItemKind::Track(schema::track(kids(inner))?),
        Rule::count_decl => ItemKind::Count(schema::count(kids(inner))?),
        Rule::tabletop => ItemKind::Tabletop(kids(inner).name()?),
        Rule::pair => ItemKind::Pair(rules::pair(kids(inner))?),
        Rule::choice => ItemKind::Choice(rules::choice(kids(inner))?),
        _ => return None,
    };
    Some(Item { span, broken: false, kind })
}
