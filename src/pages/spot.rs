//! A page while its cells still know where their words stand.

use crate::source::{SourceMap, Span};
use crate::syntax::ast::{Cites, Name};

/// A page.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// What it is called.
    pub name: String,
    /// The cells of its first row; none if it has no headings.
    pub heads: Vec<Spot>,
    /// Its other rows.
    pub rows: Vec<Row>,
    /// How a new row is written.
    pub make: Make,
    /// By how many columns, from the first, a row is known.
    pub keys: usize,
    /// The item.
    pub item: Span,
}

/// A row with its line in the text.
#[derive(Debug, Clone)]
pub struct Row {
    /// The line.
    pub span: Span,
    /// Its cells.
    pub spots: Vec<Spot>,
    /// What stands behind `with`.
    pub withs: Option<Withs>,
}

/// The facts behind `with`: from the end of what stands before it to the end of the last.
#[derive(Debug, Clone)]
pub struct Withs {
    /// The whole, empty where nothing is said.
    pub place: Span,
    /// Each fact by its name, and where it is said.
    pub facts: Vec<(String, Span)>,
}

/// A cell: what it shows, and where that stands.
#[derive(Debug, Clone)]
pub struct Spot {
    /// What it shows.
    pub shown: String,
    /// Where that stands.
    pub at: At,
    /// Its background as `0xRRGGBB`.
    pub colour: Option<u32>,
}

/// Where the words of a cell stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// The words of a place.
    Words(Span),
    /// A text in quotes; the place has them.
    Quoted(Span),
    /// Words that may be left out, with all that goes with them; in quotes or not.
    Optional { words: Span, whole: Span, quoted: bool },
    /// Nothing yet: where it would stand, between what.
    Absent { at: Span, before: &'static str, after: &'static str },
    /// A fact behind `with`, by its name.
    With(String),
    /// What no cell changes.
    Fixed,
}

/// How a new row is written from its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Make {
    /// A row of a grid with n keys; the clauses stand last.
    Grid(usize),
    /// A row of a list; the clauses stand last.
    List,
    /// A unit of a setup.
    Put,
    /// A space of a map.
    Space,
    /// A link of a map.
    Link,
    /// A row of links between hexes.
    Line,
    /// A line of a case.
    Case,
    /// None: each row is one of the text.
    Nothing,
}

impl Spot {
    pub(super) fn fixed(shown: impl Into<String>) -> Spot {
        Spot { shown: shown.into(), at: At::Fixed, colour: None }
    }

    pub(super) fn words(sources: &SourceMap, span: Span) -> Spot {
        Spot { shown: one_line(sources.slice(span)), at: At::Words(span), colour: None }
    }

    pub(super) fn absent(at: Span, before: &'static str, after: &'static str) -> Spot {
        Spot { shown: String::new(), at: At::Absent { at, before, after }, colour: None }
    }

    /// Words that may be left out with what stands before them in the line, from `from`.
    pub(super) fn optional(sources: &SourceMap, words: Span, from: u32) -> Spot {
        let whole = Span::new(words.source, from, words.end);
        let shown = one_line(sources.slice(words));
        Spot { shown, at: At::Optional { words, whole, quoted: false }, colour: None }
    }

    /// A title in quotes, or the place where one would stand.
    pub(super) fn title(title: Option<(&str, Span)>, behind: Span) -> Spot {
        match title {
            Some((text, span)) => {
                let words = Span::new(span.source, span.start + 1, span.end.saturating_sub(1));
                let whole = Span::new(span.source, behind.end, span.end);
                let at = At::Optional { words, whole, quoted: true };
                Spot { shown: text.to_owned(), at, colour: None }
            }
            None => Spot::absent(end(behind), " \"", "\""),
        }
    }

    /// The clauses of a line, or the place where they would stand.
    pub(super) fn cites(cites: &Cites, behind: Span, sources: &SourceMap) -> Spot {
        let all: Vec<&Name> = cites.0.iter().collect();
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return Spot::absent(end(behind), " [", "]");
        };
        let words = first.span.to(last.span);
        let text = sources.text(words.source);
        let close = text.get(words.end as usize..).and_then(|t| t.find(']')).unwrap_or(0);
        let close = words.end.saturating_add(u32::try_from(close + 1).unwrap_or(0));
        let whole = Span::new(words.source, behind.end.min(words.start), close);
        let shown = one_line(sources.slice(words));
        Spot { shown, at: At::Optional { words, whole, quoted: false }, colour: None }
    }
}

/// The end of a place.
pub(super) fn end(span: Span) -> Span {
    Span::new(span.source, span.end, span.end)
}

/// The words of a text on one line, without comments between them.
pub(super) fn one_line(text: &str) -> String {
    if !text.contains('\n') {
        return text.trim().to_owned();
    }
    let bare = |line: &str| -> String {
        let mut quoted = false;
        let comment = line.find(|c: char| {
            quoted ^= c == '"';
            c == '#' && !quoted
        });
        line.get(..comment.unwrap_or(line.len())).unwrap_or(line).trim().to_owned()
    };
    let lines: Vec<String> = text.lines().map(bare).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}
