//! The ways through what is written: each token as it stands, and what may be meant in place of some,
//! each with its cost. What the grammar lacks, the search inserts.

use std::ops::Range;

use super::grammar::{self, Node};
use super::scan::{self, Looks, Token};
use super::search::Change;
use crate::syntax::fault::LINE_WORDS;

/// What a word or sign that is missing costs.
pub(super) const INSERTED: u8 = 4;

/// Words that are a value or a cell by themselves: where nothing follows them, none is made up.
pub(super) const VALUES: [&str; 6] = ["no", "any", "only", "else", "same", "it"];

/// With one of these a line goes on with the line before it: none is put where a line begins.
pub(super) const CONTINUES: [&str; 4] = ["and", "or", "+", "-"];

/// A token that may be taken.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    pub(super) looks: Looks,
    pub(super) text: String,
    /// Whether no blank stands before it.
    pub(super) glued: bool,
}

/// A step from one place to another.
#[derive(Debug)]
pub(super) struct Step {
    /// The token that is taken, if one is.
    pub(super) takes: Option<u32>,
    pub(super) to: u32,
    pub(super) cost: u8,
    /// The edit that begins with it.
    pub(super) edit: Option<u32>,
}

/// Some tokens in place of others.
#[derive(Debug)]
pub(super) struct Edit {
    /// From which token to which.
    pub(super) range: Range<usize>,
    pub(super) with: Vec<Taken>,
    /// Whether it may be written; else it is only said.
    pub(super) sure: bool,
    /// Whether it mends a slip of the hand.
    pub(super) slip: bool,
    /// Whether it spells a word otherwise.
    pub(super) spells: bool,
}

/// The ways through the tokens. The places before the tokens have their numbers; those within an
/// edit come behind.
#[derive(Debug, Default)]
pub(super) struct Lattice {
    pub(super) steps: Vec<Vec<Step>>,
    pub(super) tokens: Vec<Taken>,
    pub(super) edits: Vec<Edit>,
    pub(super) end: u32,
    /// For each place within an edit, the token that it stands before.
    within: Vec<u32>,
    /// The tokens that may be changed.
    pub(super) window: Range<usize>,
    /// How far beyond them a phrase may begin or end that holds some of them.
    pub(super) reach: usize,
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Lattice {
    /// The ways through some tokens of a text; changes stand in the window alone. `known` says
    /// whether a word stands elsewhere in the text.
    pub(super) fn new(
        text: &str,
        tokens: &[Token],
        (window, reach): (Range<usize>, usize),
        known: &dyn Fn(&str) -> bool,
    ) -> Lattice {
        let mut lattice = Lattice { window, reach, ..Lattice::default() };
        lattice.steps.resize_with(tokens.len() + 1, Vec::new);
        lattice.end = number(tokens.len());
        let mut end = usize::MAX;
        for (at, token) in tokens.iter().enumerate() {
            let glued = token.range.start == std::mem::replace(&mut end, token.range.end);
            lattice.tokens.push(Taken {
                looks: token.looks,
                text: text.get(token.range.clone()).unwrap_or_default().to_owned(),
                glued,
            });
            lattice.step(
                at,
                Step { takes: Some(number(at)), to: number(at + 1), cost: 0, edit: None },
            );
        }
        lattice.change(text, tokens, known);
        lattice
    }

    /// How many tokens stand before a place.
    pub(super) fn tokens_before(&self, place: u32) -> u32 {
        match place.checked_sub(self.end + 1) {
            Some(at) => self.within.get(at as usize).copied().unwrap_or_default(),
            None => place,
        }
    }

    /// Whether one of some changes spells a word otherwise.
    pub(super) fn spells(&self, changes: &[Change]) -> bool {
        let is = |change: &Change| match change {
            Change::Edit(at) => self.edits.get(*at as usize).is_some_and(|edit| edit.spells),
            Change::Insert(..) => false,
        };
        changes.iter().any(is)
    }

    /// Whether something may be inserted at a place.
    pub(super) fn inserts(&self, place: u32) -> bool {
        (self.window.start..=self.window.end).contains(&(place as usize))
    }

    /// Whether this leaf of the grammar may be inserted at a place where something may.
    pub(super) fn may_insert(&self, place: u32, leaf: Node) -> bool {
        let next = self.tokens.get(place as usize);
        let before_name = next.is_some_and(|token| scan::is_name(&token.text));
        let before = place.checked_sub(1).and_then(|at| self.tokens.get(at as usize));
        // Of two brackets beside each other either may have been left out; one way is enough.
        let twice = |text: &str| {
            let next = text != "(" && next.is_some_and(|t| t.text == text);
            next || text != ")" && before.is_some_and(|t| t.text == text)
        };
        // `source is a base`: an article is no name of which something is asked.
        let article = before.is_some_and(|t| matches!(t.text.as_str(), "a" | "an" | "the"));
        let may = |text| {
            let asks = text == "where" && article;
            let alone = before_name || !VALUES.contains(&text);
            let goes_on = CONTINUES.contains(&text) && self.begins_line(place as usize);
            let second = self.begins_as_known(place as usize) && self.is_line_word(text);
            // `rowburden` is `row burden` without its blank, and `giv` is `gives` cut short.
            let glued = next.is_some_and(|t| t.looks == Looks::Word && t.text.starts_with(text));
            let cut = next.is_some_and(|t| t.text.len() > 2 && text.starts_with(&t.text));
            // `Bof Blue` is `B of Blue`.
            let behind = before.is_some_and(|t| t.looks == Looks::Word && t.text.ends_with(text));
            alone && ![twice(text), asks, goes_on, second, glued, cut, behind].contains(&true)
        };
        leaf.literal().is_some_and(may)
    }

    /// Whether lines of this construct begin with a word.
    fn is_line_word(&self, word: &str) -> bool {
        let noun = self.tokens.first().map_or("", |token| token.text.as_str());
        LINE_WORDS.iter().any(|(n, words)| *n == noun && words.contains(&word))
    }

    /// Whether a line begins at a token, with a word that lines of this construct begin with.
    fn begins_as_known(&self, at: usize) -> bool {
        self.begins_line(at) && self.tokens.get(at).is_some_and(|t| self.is_line_word(&t.text))
    }

    /// Whether a token is the first of a line below the head.
    fn begins_line(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| token.looks == Looks::Line)
    }

    fn step(&mut self, from: usize, step: Step) {
        if let Some(steps) = self.steps.get_mut(from) {
            steps.push(step);
        }
    }

    /// Other tokens in place of some.
    pub(super) fn edit(&mut self, range: Range<usize>, with: Vec<Taken>, cost: u8, sure: bool) {
        let continues = with.first().is_some_and(|token| CONTINUES.contains(&token.text.as_str()));
        let beyond = range.start >= self.window.end || range.end <= self.window.start;
        if beyond && !range.is_empty()
            || range.end > self.window.end + self.reach
            || continues && self.begins_line(range.start)
        {
            return;
        }
        let edit = number(self.edits.len());
        let (mut from, last) = (range.start, with.len());
        if with.is_empty() {
            let to = number(range.end);
            self.step(from, Step { takes: None, to, cost, edit: Some(edit) });
        }
        for (at, token) in with.iter().enumerate() {
            let takes = Some(number(self.tokens.len()));
            self.tokens.push(token.clone());
            let first = at == 0;
            let to = if at + 1 == last { range.end } else { self.place(range.start) };
            let cost = if first { cost } else { 0 };
            let edit = Some(edit).filter(|_| first);
            self.step(from, Step { takes, to: number(to), cost, edit });
            from = to;
        }
        self.edits.push(Edit { range, with, sure, slip: false, spells: false });
    }

    /// A place of its own within an edit.
    fn place(&mut self, before: usize) -> usize {
        self.steps.push(Vec::new());
        self.within.push(number(before));
        self.steps.len() - 1
    }
}

/// A word or sign by its text.
pub(super) fn taken(text: &str) -> Taken {
    let first = text.chars().next().unwrap_or(' ');
    let looks = match first {
        '"' => Looks::Text,
        c if c.is_ascii_digit() => Looks::Number,
        c if c.is_ascii_alphanumeric() || c == '_' => Looks::Word,
        _ => Looks::Sign,
    };
    Taken { looks, text: text.to_owned(), glued: false }
}

/// Whether a token is of the language and not of the author.
pub(super) fn is_literal(token: &Taken) -> bool {
    token.looks == Looks::Sign
        || token.looks == Looks::Word && grammar::words().any(|word| word == token.text)
}
