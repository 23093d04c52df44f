//! What is said otherwise in English and in other languages, as data.

use std::sync::OnceLock;

use super::lattice::{Taken, taken};
use super::scan::{self, Looks};

/// The table, one entry a line, with tabulators between its parts.
const TABLE: &str = include_str!("synonyms.txt");

/// Some tokens, and what is written for them here.
#[derive(Debug)]
pub(super) struct Synonym {
    /// How far it is from what is written.
    pub(super) cost: u8,
    /// Whether it may be written; else it is only said.
    pub(super) sure: bool,
    written: Vec<&'static str>,
    instead: Vec<Vec<Taken>>,
}

/// All entries.
pub(super) fn all() -> &'static [Synonym] {
    static ALL: OnceLock<Vec<Synonym>> = OnceLock::new();
    ALL.get_or_init(|| {
        TABLE.lines().filter(|line| !line.starts_with("# ")).filter_map(entry).collect()
    })
}

fn entry(line: &'static str) -> Option<Synonym> {
    let mut parts = line.split('\t');
    let cost = parts.next()?;
    let sure = !cost.ends_with('?');
    let cost = cost.trim_end_matches('?').parse().ok()?;
    let written = parts.next()?.split(' ').collect();
    let instead = parts.map(tokens).collect();
    Some(Synonym { cost, sure, written, instead })
}

/// The tokens of what is written here; `nothing` stands for none. Those without a blank between them
/// stay so.
fn tokens(text: &'static str) -> Vec<Taken> {
    let mut found: Vec<Taken> = Vec::new();
    let mut end = usize::MAX;
    let mut holds = false;
    for token in scan::scan(text, 0..text.len()).iter().filter(|_| text != "nothing") {
        let part = text.get(token.range.clone()).unwrap_or_default();
        // `$a` is one token that stands for another.
        if holds && let Some(last) = found.last_mut() {
            last.text += part;
        } else {
            let glued = token.range.start == end;
            found.push(Taken { looks: token.looks, text: part.to_owned(), glued });
        }
        holds = part == "$";
        end = token.range.end;
    }
    found
}

impl Synonym {
    /// How many tokens it stands for.
    pub(super) fn length(&self) -> usize {
        self.written.len()
    }

    /// Its words and signs, without what stands for others.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.written.iter().copied().filter(|part| !part.starts_with('$'))
    }

    /// What is written here for the first of some tokens; nothing where they are others.
    pub(super) fn of(&self, rest: &[Taken]) -> Vec<Vec<Taken>> {
        let Some(window) = rest.get(..self.written.len()) else { return Vec::new() };
        if !self.written.iter().zip(window).all(|(part, token)| fits(part, token)) {
            return Vec::new();
        }
        let filled = |token: &Taken| {
            let at = self.written.iter().position(|p| p.starts_with('$') && *p == token.text);
            let Some(held) = at.and_then(|at| window.get(at)) else { return token.clone() };
            Taken { glued: token.glued, ..held.clone() }
        };
        self.instead.iter().map(|all| all.iter().map(filled).collect()).collect()
    }
}

/// `$n` and `$m` are numbers, `$c` a clause, `$t` a text, what else begins so a name.
fn fits(part: &str, token: &Taken) -> bool {
    match part {
        "$n" | "$m" => scan::is_numeral(&token.text),
        "$t" => token.looks == Looks::Text,
        "$c" => token.looks == Looks::Number && scan::is_clause(&token.text),
        _ if part.starts_with('$') && part.len() > 1 => scan::is_name(&token.text),
        // `AND` is `and`, but the `The` of `The Tower` is a part of a name.
        _ if token.text.bytes().any(|b| b.is_ascii_lowercase()) => part == token.text,
        _ => part.eq_ignore_ascii_case(&token.text),
    }
}

/// A token that is written as it stands in the grammar.
pub(super) fn literal(text: &str) -> Taken {
    let glued = matches!(text, "," | ")" | "]");
    Taken { glued, ..taken(text) }
}
