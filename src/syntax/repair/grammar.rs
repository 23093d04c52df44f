//! The grammar as a table of nodes.
//!
//! What only looks ahead is left out: the table takes all that the parser takes, and more. Whoever
//! walks it asks the parser in the end.

use super::scan::{self, Looks};

/// A part of the grammar.
#[derive(Debug, Clone, Copy)]
pub(super) enum Node {
    /// A word of the language.
    Word(&'static str),
    /// A sign of the language.
    Sign(&'static str),
    /// Any token of a class.
    Class(Class),
    /// All of these, one behind the other.
    Seq(&'static [u16]),
    /// One of these.
    Alt(&'static [u16]),
    /// Any number of these.
    Many(u16),
    /// One of these, or nothing.
    Maybe(u16),
}

/// A class of tokens that the author chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Name,
    Numeral,
    Version,
    Dice,
    HexDigits,
    ClauseRef,
    DiagCode,
    WordOrNumber,
    String,
    Line,
    End,
}

include!(concat!(env!("OUT_DIR"), "/grammar.rs"));

/// A node by its number; what is not there takes nothing.
pub(super) fn node(at: u16) -> Node {
    NODES.get(usize::from(at)).copied().unwrap_or(Node::Seq(&[]))
}

/// All words of the language.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    NODES.iter().filter_map(|node| match node {
        Node::Word(word) => Some(*word),
        _ => None,
    })
}

impl Node {
    /// Whether it takes one token as it is written.
    pub(super) fn takes(self, looks: Looks, text: &str) -> bool {
        match self {
            Node::Word(word) => looks == Looks::Word && word == text,
            Node::Sign(sign) => looks == Looks::Sign && sign == text,
            Node::Class(class) => class.takes(looks, text),
            _ => false,
        }
    }

    /// What stands for it, if that is one text alone.
    pub(super) fn literal(self) -> Option<&'static str> {
        match self {
            Node::Word(text) | Node::Sign(text) => Some(text),
            _ => None,
        }
    }
}

impl Class {
    fn takes(self, looks: Looks, text: &str) -> bool {
        match looks {
            Looks::Line => self == Class::Line,
            Looks::End => self == Class::End,
            Looks::Text => self == Class::String && text.len() > 1 && text.ends_with('"'),
            Looks::Sign => false,
            Looks::Word | Looks::Number => match self {
                Class::Name => scan::is_name(text),
                Class::Numeral => scan::is_numeral(text),
                Class::Version => scan::is_version(text),
                Class::Dice => scan::is_dice(text),
                Class::HexDigits => text.bytes().all(|b| b.is_ascii_digit()),
                Class::ClauseRef => scan::is_clause(text),
                Class::DiagCode => text.bytes().all(|b| b.is_ascii_alphanumeric()),
                Class::WordOrNumber => true,
                Class::String | Class::Line | Class::End => false,
            },
        }
    }
}
