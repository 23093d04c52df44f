//! What a text says apart from its spacing: the tree that the grammar reads, with the words in its
//! leaves.
//!
//! Takes screened text; gives a shape for each of its items. The tree of an item is made of nothing
//! but its shape, so two texts of one shape mean the same. Knows no spans and no comments.

use std::ops::Range;

use pest::{Parser, Token};

use super::split::{self, Piece};
use super::{Grammar, Rule, limit_work};
use crate::source::{SourceId, nesting};

/// One item of a text, or what should have been one.
#[derive(Debug)]
pub(crate) struct Shape<'t> {
    /// Where it stands, with all blank lines and comments behind it.
    pub(crate) range: Range<usize>,
    content: Content<'t>,
}

#[derive(Debug, PartialEq)]
enum Content<'t> {
    /// The grammar reads it.
    Sound(Vec<Node<'t>>),
    /// A mistake: its own words, then where its text stands.
    Mistake(Vec<Node<'t>>, Body<'t>),
    /// The grammar does not read it; its lines without the blanks at their ends.
    Faulty(Vec<&'t str>),
}

/// The text of a mistake.
#[derive(Debug)]
pub(crate) struct Body<'t> {
    /// Where it stands, from behind the opening brace to the closing one.
    pub(crate) range: Range<usize>,
    /// Its items.
    pub(crate) items: Vec<Shape<'t>>,
}

impl PartialEq for Shape<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.content == other.content
    }
}

impl PartialEq for Body<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

/// A step through the tree: into a rule, out of it, or a leaf with its word.
#[derive(Debug, PartialEq)]
enum Node<'t> {
    Into(Rule),
    Out,
    Leaf(Rule, &'t str),
}

impl<'t> Shape<'t> {
    /// Whether the grammar reads it.
    pub(crate) fn is_sound(&self) -> bool {
        !matches!(self.content, Content::Faulty(_))
    }

    /// The text of a mistake.
    pub(crate) fn body(&self) -> Option<&Body<'t>> {
        match &self.content {
            Content::Mistake(_, body) => Some(body),
            _ => None,
        }
    }
}

/// The shapes of the items of a text.
pub(crate) fn shapes(text: &str) -> Vec<Shape<'_>> {
    limit_work();
    split::pieces(text).iter().map(|piece| shape(text, piece)).collect()
}

fn shape<'t>(text: &'t str, piece: &Piece) -> Shape<'t> {
    let slice = piece.of(text);
    let start = piece.start as usize;
    let content = read(text, slice, piece)
        .unwrap_or_else(|| Content::Faulty(slice.trim_end().lines().map(str::trim_end).collect()));
    Shape { range: start..start + slice.len(), content }
}

fn read<'t>(text: &'t str, slice: &'t str, piece: &Piece) -> Option<Content<'t>> {
    // What is too deep is not given to the parser, here as elsewhere.
    if !piece.is_item || nesting(slice, SourceId::default(), 0).is_some() {
        return None;
    }
    let pairs = Grammar::parse(Rule::one_item, slice).ok()?;
    let mut nodes = Vec::new();
    let mut body = None;
    let mut open: Option<(Rule, usize)> = None;
    for token in pairs.tokens() {
        match token {
            Token::Start { rule, pos } => {
                if let Some((outer, _)) = open.replace((rule, pos.pos())) {
                    nodes.push(Node::Into(outer));
                }
            }
            Token::End { pos, .. } => match open.take() {
                Some((Rule::mistake_text, from)) => {
                    body = Some(piece.start as usize + from..piece.start as usize + pos.pos())
                }
                // A comma takes the line end behind it along, and the space between.
                Some((Rule::comma, _)) => nodes.push(Node::Leaf(Rule::comma, ",")),
                Some((rule, from)) => nodes.push(Node::Leaf(
                    rule,
                    slice.get(from..pos.pos()).unwrap_or_default().trim_end(),
                )),
                None => nodes.push(Node::Out),
            },
        }
    }
    let Some(range) = body else { return Some(Content::Sound(nodes)) };
    let items = split::pieces_within(text, range.clone());
    let items = items
        .iter()
        .map(
            |inner| {
                if inner.begins_mistake(text) { faulty(text, inner) } else { shape(text, inner) }
            },
        )
        .collect();
    Some(Content::Mistake(nodes, Body { range, items }))
}

/// A mistake in a mistake is none of the language.
fn faulty<'t>(text: &'t str, piece: &Piece) -> Shape<'t> {
    let slice = piece.of(text);
    let start = piece.start as usize;
    Shape {
        range: start..start + slice.len(),
        content: Content::Faulty(slice.trim_end().lines().map(str::trim_end).collect()),
    }
}
