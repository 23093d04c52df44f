//! The lines of one item: how deep each stands, and which parts of it stand in columns.
//!
//! Takes lines of words; gives rows. Knows an item by its first word and a line by its own; what it
//! does not know it sets with one space between words.

use super::is_loose;
use super::space::joined;
use super::words::Line;

/// One line of the result.
pub(super) struct Row {
    pub place: Place,
    pub indent: usize,
    /// What stands in columns, in their order; most lines have one part. Unnamed rows have no first
    /// one.
    pub parts: Vec<Option<String>>,
    /// What stands between the parts.
    pub between: Between,
    /// The clauses at the end.
    pub cites: Option<String>,
    pub comment: Option<String>,
    /// Whether a blank line stands before it.
    pub blank: bool,
    /// Whether it begins with a closing brace.
    pub closes: bool,
}

/// Where a row stands, and thus with which others it shares its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// An item without a block, or a line of it.
    Single,
    /// A line that opens or closes a block, or goes on with the opening.
    Edge,
    /// A line of a block.
    Inside,
    /// A comment on a line of its own.
    Loose,
    /// A line that stays as it is.
    Raw,
}

/// What stands between the parts of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    Space,
    Bar,
    /// Bars, and columns of numbers stand to the right.
    BarOfTable,
}

impl Row {
    pub(super) fn raw(text: &str) -> Row {
        Row { parts: vec![Some(text.to_owned())], ..Row::plain(Place::Raw, 0) }
    }

    fn plain(place: Place, indent: usize) -> Row {
        let (parts, between) = (Vec::new(), Between::Space);
        Row {
            place,
            indent,
            parts,
            between,
            cites: None,
            comment: None,
            blank: false,
            closes: false,
        }
    }
}

/// An item or the opening of one, with the comments behind it; or comments alone.
pub(super) fn item(lines: &[Line<'_>], indent: usize) -> Vec<Row> {
    laid_out(lines, indent, 0)
}

/// The closing brace of an item, with the comments behind it.
pub(super) fn closing(lines: &[Line<'_>], indent: usize) -> Vec<Row> {
    laid_out(lines, indent, 1)
}

/// The lines that are read while the item is.
struct Walk<'l, 't> {
    lines: &'l [Line<'t>],
    goes_on: Vec<bool>,
    /// The word that says which construct it is.
    noun: &'t str,
    is_grid: bool,
    indent: usize,
    depth: usize,
    in_leg: bool,
    /// Whether the line before begins a leg.
    leg_begins: bool,
    rows: Vec<Row>,
    /// Comments that wait for the line they stand before.
    waiting: usize,
}

fn laid_out(lines: &[Line<'_>], indent: usize, depth: usize) -> Vec<Row> {
    let head = lines.iter().find(|l| !is_loose(l)).map_or(&[][..], |l| l.words.as_slice());
    let noun = match head {
        [first, second, ..] if matches!(*first, "override" | "add") => second,
        [first, ..] => first,
        [] => "",
    };
    let is_grid = noun == "table" && lines.iter().any(|l| l.words.first() == Some(&"across"));
    let goes_on = continuations(lines, depth);
    let mut walk = Walk {
        lines,
        goes_on,
        noun,
        is_grid,
        indent,
        depth,
        in_leg: false,
        leg_begins: false,
        rows: Vec::new(),
        waiting: 0,
    };
    for at in 0..lines.len() {
        walk.line(at);
    }
    let end = walk.body_indent();
    walk.place_comments(end);
    walk.rows
}

/// Of each line, whether it goes on with the one before it: outside a block all do, for an item
/// begins with its first line.
fn continuations(lines: &[Line<'_>], mut depth: usize) -> Vec<bool> {
    let mut found = Vec::with_capacity(lines.len());
    let mut brackets = 0usize;
    let mut last: Option<&str> = None;
    for line in lines {
        let Some(first) = line.words.first() else {
            found.push(false);
            continue;
        };
        let asked_for = last.is_some_and(|w| matches!(w, "," | "=" | "(" | "as" | "was"));
        let leans = matches!(*first, "and" | "or" | "+" | "-" | "[" | ")" | "now" | "then");
        found.push(last.is_some() && (depth == 0 || brackets > 0 || asked_for || leans));
        depth += usize::from(line.words.last() == Some(&"{"));
        for word in &line.words {
            match *word {
                "(" => brackets += 1,
                ")" => brackets = brackets.saturating_sub(1),
                _ => {}
            }
        }
        last = line.words.last().copied();
    }
    found
}

impl Walk<'_, '_> {
    fn body_indent(&self) -> usize {
        self.indent + 2 * self.depth
    }

    fn line(&mut self, at: usize) {
        let Some(line) = self.lines.get(at) else { return };
        if is_loose(line) {
            let comment = line.comment.map(str::to_owned);
            self.rows.push(Row { comment, blank: line.blank, ..Row::plain(Place::Loose, 0) });
            self.waiting += 1;
            return;
        }
        let goes_on = self.goes_on.get(at).copied().unwrap_or_default();
        let first = line.words.first().copied().unwrap_or_default();
        if first == "}" && !goes_on {
            return self.close(line);
        }
        if !goes_on {
            // `without cost` behind `but` is a line of the trace, unless a leg stands above it.
            let left_out = (self.in_leg || self.leg_begins) && takes_out(&line.words);
            let of_leg = is_leg_line(first) || left_out;
            self.in_leg = self.depth > 0 && self.noun == "trace" && of_leg;
            self.leg_begins = first == "leg";
        }
        let deeper = usize::from(self.in_leg) * 2 + usize::from(goes_on) * 2;
        let indent = self.body_indent() + deeper;
        self.place_comments(indent);
        let opens = line.words.last() == Some(&"{");
        let place = match (self.depth, opens) {
            (_, true) => Place::Edge,
            (0, _) => Place::Single,
            _ => Place::Inside,
        };
        let (words, cites) =
            if opens { (line.words.as_slice(), None) } else { split_cites(&line.words) };
        // A row that goes on in the next line stands in no columns.
        let whole = !goes_on && !self.next_goes_on(at);
        let (parts, between) = if self.depth > 0 && !goes_on {
            self.parts(words, whole)
        } else {
            (vec![joined(words)], Between::Space)
        };
        let parts = parts.into_iter().map(|p| Some(p).filter(|p| !p.is_empty())).collect();
        let (cites, comment) = (cites.map(joined), line.comment.map(str::to_owned));
        self.rows.push(Row {
            place,
            indent,
            parts,
            between,
            cites,
            comment,
            blank: line.blank && !goes_on,
            closes: false,
        });
        self.depth += usize::from(opens);
    }

    fn close(&mut self, line: &Line<'_>) {
        // A comment that ends a block stands as deep as the line before it.
        let last = self.rows.iter().rev().find(|r| r.place == Place::Inside).map(|r| r.indent);
        let within = last.unwrap_or_else(|| self.body_indent());
        self.place_comments(within);
        self.depth = self.depth.saturating_sub(1);
        self.in_leg = false;
        let (parts, comment) = (vec![Some(joined(&line.words))], line.comment.map(str::to_owned));
        self.rows.push(Row {
            parts,
            comment,
            closes: true,
            ..Row::plain(Place::Edge, self.body_indent())
        });
    }

    /// Whether the next line that is no comment goes on with this one.
    fn next_goes_on(&self, at: usize) -> bool {
        let next =
            (at + 1..self.lines.len()).find(|n| self.lines.get(*n).is_some_and(|l| !is_loose(l)));
        next.is_some_and(|n| self.goes_on.get(n).copied().unwrap_or_default())
    }

    fn place_comments(&mut self, indent: usize) {
        for row in self.rows.iter_mut().rev().take(self.waiting) {
            row.indent = indent;
        }
        self.waiting = 0;
    }

    /// The parts of a line of a block.
    fn parts(&self, words: &[&str], whole: bool) -> (Vec<String>, Between) {
        let first = words.first().copied().unwrap_or_default();
        match self.noun {
            "table" if self.is_grid => {
                let parts = if first == "kept" { vec![joined(words)] } else { bars(words, 8) };
                (parts, Between::BarOfTable)
            }
            "table" | "test" => {
                let room = if self.noun == "test" { 6 } else { 0 };
                (
                    if whole && words.contains(&"then") {
                        list_row(words, room)
                    } else {
                        vec![keyed(words, room)]
                    },
                    Between::Space,
                )
            }
            "case" => (bars(words, 6), Between::Bar),
            "phase" => (vec![keyed(words, 6)], Between::Space),
            "choice" if first == "left" => (vec![joined(words)], Between::Space),
            "choice" | "hook" => (vec![keyed(words, 7)], Between::Space),
            "trace" if first == "leg" => (vec![joined(words)], Between::Space),
            "trace" if whole && matches!(first, "source" | "relay") => {
                match words.iter().position(|w| *w == "where") {
                    Some(at) => {
                        let (name, rule) = words.split_at(at);
                        (vec![keyed(name, 8), joined(rule)], Between::Space)
                    }
                    None => (vec![keyed(words, 8)], Between::Space),
                }
            }
            "trace" => (vec![keyed(words, 8)], Between::Space),
            _ => (vec![joined(words)], Between::Space),
        }
    }
}

/// `without cost`
fn takes_out(words: &[&str]) -> bool {
    match words {
        ["without", word, rest @ ..] => is_leg_line(word) && matches!(rest, [] | ["[", ..]),
        _ => false,
    }
}

/// Gates, costs and budgets belong to the leg above them.
fn is_leg_line(word: &str) -> bool {
    matches!(word, "over" | "from" | "through" | "stopping" | "into" | "cost" | "within")
}

/// A line whose first word has so much room.
fn keyed(words: &[&str], room: usize) -> String {
    match words.split_first() {
        Some((key, rest)) if !rest.is_empty() && key.len() < room => {
            format!("{key:room$}{}", joined(rest))
        }
        _ => joined(words),
    }
}

/// `row NAME`, `when ...`, `then ...`.
fn list_row(words: &[&str], room: usize) -> Vec<String> {
    let name = words.iter().position(|w| matches!(*w, "when" | "per")).unwrap_or(0);
    let result = words.iter().rposition(|w| *w == "then").unwrap_or(words.len());
    let (head, result) = words.split_at(result);
    let (name, rule) = head.split_at(name.min(head.len()));
    let rule = if name.is_empty() { keyed(rule, room) } else { joined(rule) };
    vec![keyed(name, room), rule, joined(result)]
}

/// The cells of a row, the first with its word.
fn bars(words: &[&str], room: usize) -> Vec<String> {
    let mut cells = words.split(|w| *w == "|");
    let first = cells.next().unwrap_or_default();
    // A column of a case has its own word, and is as wide as it is.
    let is_column = words.contains(&"|") && !matches!(first.first(), Some(&("row" | "across")));
    let first = if is_column { joined(first) } else { keyed(first, room) };
    std::iter::once(first).chain(cells.map(joined)).collect()
}

/// Cuts off the clauses at the end of a line.
fn split_cites<'l, 't>(words: &'l [&'t str]) -> (&'l [&'t str], Option<&'l [&'t str]>) {
    match words.iter().rposition(|w| *w == "[") {
        Some(at) if at > 0 && words.last() == Some(&"]") => {
            let (code, cites) = words.split_at(at);
            (code, Some(cites))
        }
        _ => (words, None),
    }
}
