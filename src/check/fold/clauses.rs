//! Clauses that a variant says otherwise or takes out, and cases that it does not take over.

use super::lines::read;
use super::rope::{Piece, Rope};
use super::{Fold, named};
use crate::check::written::{Sort, split};
use crate::diag::{Diagnostic, code, counted, suggest};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;
use crate::syntax::logical_lines;

/// Where a line carries out a clause.
struct Citing {
    /// The line with its end.
    line: std::ops::Range<usize>,
    /// The clause in its bracket.
    cite: std::ops::Range<usize>,
    /// The bracket, from its sign to its sign.
    bracket: std::ops::Range<usize>,
    /// Whether it stands alone in the bracket.
    alone: bool,
    /// Whether the line is the head of its item.
    head: bool,
    /// The words of the line.
    words: Vec<(String, std::ops::Range<usize>)>,
}

impl Fold<'_> {
    /// `override clause 4b was "..." now "..."`, or a section
    pub(super) fn said_otherwise(&mut self, noun: &Name, label: &Name, (was, now): (&Text, &Text)) {
        if !self.touch(format!("{} `{}`", noun.text, label.text), label.span) {
            return;
        }
        let Some(at) =
            (if noun.text == "section" { self.section(label) } else { self.clause(label) })
        else {
            return self.no_clause(&noun.text, label);
        };
        let sources = self.sources;
        let Some(slot) = self.out.items.get_mut(at) else { return };
        let text = match &mut slot.item_mut().kind {
            ItemKind::Clause(clause) => &mut clause.text,
            ItemKind::Section(section) => &mut section.title,
            _ => return,
        };
        let place = text.span;
        if text.text.split_whitespace().ne(was.text.split_whitespace()) {
            let said = format!("\"{}\"", text.text);
            return self.mismatch(was.span, place, &said, &format!("{} {}", noun.text, label.text));
        }
        text.clone_from(now);
        slot.rope.replace(place, now.span, sources);
    }

    /// The item of a clause, by its number with or without its prefix.
    fn clause(&self, label: &Name) -> Option<usize> {
        let ids = self.out.clause_ids();
        let is = |id: &Option<String>| {
            id.as_ref().is_some_and(|id| {
                *id == label.text || id.split_once('-').is_some_and(|(_, rest)| rest == label.text)
            })
        };
        ids.iter().position(is)
    }

    fn section(&self, label: &Name) -> Option<usize> {
        self.out.items.iter().position(|i| match &i.item.kind {
            ItemKind::Section(s) => s.number.as_ref().is_some_and(|n| n.text == label.text),
            _ => false,
        })
    }

    fn no_clause(&mut self, noun: &str, label: &Name) {
        let message = format!("the parent has no {noun} `{}`", label.text);
        let ids = self.out.clause_ids();
        let known: Vec<&str> =
            ids.iter().flatten().filter_map(|id| Some(id.split_once('-')?.1)).collect();
        let fault = Diagnostic::error(code::E0602, label.span, message);
        let near = suggest::the_one(&label.text, known).filter(|_| noun == "clause");
        self.faults.push(match near.map(str::to_owned) {
            Some(near) => fault.help(format!("write `{near}`")).suggest(label.span, near),
            None => fault.help("write the number as lines cite it, `4a`"),
        });
    }

    /// `remove clause 4c [with its lines]`
    pub(super) fn remove_clause(&mut self, label: &Name, lines: bool, item: Span) {
        if !self.touch(format!("clause `{}`", label.text), item) {
            return;
        }
        let Some(at) = self.clause(label) else { return self.no_clause("clause", label) };
        let ids = self.out.clause_ids();
        let Some(id) = ids.get(at).cloned().flatten() else { return };
        let citing: Vec<usize> =
            (0..self.out.items.len()).filter(|at| !self.citing(*at, &id).is_empty()).collect();
        let shows = |at: &&usize| {
            self.out.items.get(**at).is_some_and(|i| matches!(i.item.kind, ItemKind::Case(_)))
        };
        let carrying: Vec<usize> = citing.iter().filter(|at| !shows(at)).copied().collect();
        if !lines && let Some(first) = carrying.first() {
            let message = format!(
                "clause {} is carried out by {}",
                label.text,
                counted(carrying.len(), "item")
            );
            let mut fault = Diagnostic::error(code::E0611, label.span, message);
            for at in [Some(first)]
                .into_iter()
                .chain(carrying.get(1..4).unwrap_or_default().iter().map(Some))
            {
                let place = at.and_then(|at| self.out.items.get(*at)).map(|i| i.item.span);
                fault = fault.label(place.unwrap_or_default(), "it is carried out here");
            }
            let help = format!(
                "write `remove clause {} with its lines`, or change them first",
                label.text
            );
            return self.faults.push(fault.help(help));
        }
        let mut stay = Vec::new();
        for at in citing {
            stay.extend(self.without_clause(at, &id));
        }
        self.what_stays(label, &stay);
        self.out.items.remove(at);
        let gone = |i: &super::ResolvedItem| i.rope.pieces().is_empty();
        self.out.items.retain(|i| !gone(i));
    }

    /// Warns of what carried out a clause that is taken out, and goes on as it is.
    fn what_stays(&mut self, label: &Name, stay: &[Span]) {
        if stay.is_empty() {
            return;
        }
        let message = format!("clause {} is gone, and what carried it out stays", label.text);
        let mut fault = Diagnostic::warning(code::W0614, label.span, message);
        for span in stay.iter().take(3) {
            fault = fault.label(*span, "this goes on as it is");
        }
        let help = "say it otherwise as well: `override define NAME = ...`, or `, but { ... }`";
        self.faults.push(fault.help(help));
    }

    /// Where an item cites a clause.
    fn citing(&self, at: usize, id: &str) -> Vec<Citing> {
        let Some(item) = self.out.items.get(at) else { return Vec::new() };
        let is_it = |span: Span, text: &str| {
            text == id || format!("{}-{text}", self.out.prefix_of(span)) == id
        };
        citing(&item.rope, self.sources, &is_it)
    }

    /// Takes a clause out of the lines of an item, and the lines that carry out nothing else; gives
    /// the item if it carries out nothing else and cannot be taken out.
    fn without_clause(&mut self, at: usize, id: &str) -> Option<Span> {
        let found = self.citing(at, id);
        let sources = self.sources;
        let mut stays = false;
        let slot = self.out.items.get_mut(at)?;
        // From the last to the first, so that places before stay what they are.
        for one in found.into_iter().rev() {
            let rope = &mut slot.rope;
            let word = |at: usize| one.words.get(at).map_or("", |(word, _)| word.as_str());
            match (one.alone, one.head, word(0)) {
                (false, ..) => rope.splice(one.cite.clone(), [], sources),
                (true, true, "phase" | "mark" | "count" | "given" | "case") => {
                    let end = rope.written(sources).0.len();
                    rope.splice(0..end, [], sources);
                    self.out.removed.extend(
                        named(&slot.item.kind).map(|(_, name)| (name.text.clone(), name.span)),
                    );
                    return None;
                }
                (true, true, "define" | "choice") => {
                    rope.splice(one.bracket.clone(), [], sources);
                    stays = true;
                }
                (true, false, "over") => stays |= !over_all(rope, &one, sources),
                (true, false, "from" | "through" | "into") => open(rope, &one, "anywhere", sources),
                (true, false, "within") => open(rope, &one, "unlimited", sources),
                (true, true, _)
                | (true, _, "called" | "leg" | "roll" | "across" | "down" | "otherwise") => {
                    rope.splice(one.bracket.clone(), [], sources);
                }
                (true, false, _) => rope.splice(one.line.clone(), [], sources),
            }
        }
        match read(&slot.rope, sources) {
            Ok(new) => slot.item = new.into(),
            Err(fault) => {
                let message = format!("without clause {id} this cannot be read: {}", fault.message);
                let fault = Diagnostic::error(code::E0608, slot.item.span, message);
                self.faults
                    .push(fault.help("change the item first, in the lines that carry it out"));
            }
        }
        self.out.items.get(at).filter(|_| stays).map(|slot| slot.item.span)
    }

    /// `remove case "title"`
    pub(super) fn remove_case(&mut self, title: &Text) {
        if !self.touch(format!("case \"{}\"", title.text), title.span) {
            return;
        }
        let titled = |i: &super::ResolvedItem| match &i.item.kind {
            ItemKind::Case(case) if i.inherited => Some(case.title.text.clone()),
            _ => None,
        };
        let at = self.out.items.iter().position(|i| titled(i).is_some_and(|t| t == title.text));
        if let Some(at) = at {
            self.out.items.remove(at);
            return;
        }
        let message = format!("no case \"{}\" is taken over from the parent", title.text);
        let fault = Diagnostic::error(code::E0602, title.span, message);
        let known: Vec<String> = self.out.items.iter().filter_map(titled).collect();
        // Where rules alone are read, nobody knows the cases.
        if self.cases && known.is_empty() {
            return;
        }
        self.faults.push(match suggest::the_one(&title.text, known.iter().map(String::as_str)) {
            Some(near) => {
                fault.help(format!("write `\"{near}\"`")).suggest(title.span, format!("\"{near}\""))
            }
            None => {
                fault.help("cases are taken over by `with cases` behind the name of the parent")
            }
        });
    }
}

/// Links without the condition on them; false if there is none, and the line stays as it is.
fn over_all(rope: &mut Rope, one: &Citing, sources: &SourceMap) -> bool {
    let condition =
        one.words.iter().find(|(word, _)| matches!(word.as_str(), "where" | "when" | "but"));
    rope.splice(one.bracket.clone(), [], sources);
    let (Some((_, first)), Some((_, last))) = (condition, one.words.last()) else { return false };
    rope.splice(first.start..last.end, [], sources);
    true
}

/// A gate that asks nothing any more.
fn open(rope: &mut Rope, one: &Citing, word: &'static str, sources: &SourceMap) {
    let (Some((_, first)), Some((_, last))) = (one.words.get(1), one.words.last()) else { return };
    rope.splice(one.bracket.clone(), [], sources);
    rope.splice(first.start..last.end, [Piece::Joint(word)], sources);
}

/// The lines of an item that cite a clause.
fn citing(rope: &Rope, sources: &SourceMap, is_it: &dyn Fn(Span, &str) -> bool) -> Vec<Citing> {
    let (text, parts) = rope.written(sources);
    let mut all = Vec::new();
    for (nth, line) in logical_lines(&text).into_iter().enumerate() {
        let (mut cited, mut words, mut cites) = (false, Vec::new(), Vec::new());
        let mut bracket = line.start..line.start;
        for (sort, inner) in split(text.get(line.clone()).unwrap_or(""), &mut cited) {
            let inner = line.start + inner.start..line.start + inner.end;
            let word = text.get(inner.clone()).unwrap_or("");
            match sort {
                Sort::Blank | Sort::Newline | Sort::Comment => {}
                Sort::Cite => cites.push(inner),
                Sort::Sign if word == "[" => bracket.start = inner.start,
                Sort::Sign if word == "]" => bracket.end = inner.end,
                Sort::Word | Sort::Quoted | Sort::Sign if cites.is_empty() => {
                    words.push((word.to_owned(), inner));
                }
                Sort::Word | Sort::Quoted | Sort::Sign => {}
            }
        }
        let found = cites
            .iter()
            .position(|c| is_it(parts.place(c.start, c.end), text.get(c.clone()).unwrap_or("")));
        let Some((at, cite)) = found.and_then(|at| Some((at, cites.get(at)?))) else { continue };
        // The comma before it goes with it, or the one behind.
        let cite = match (at.checked_sub(1).and_then(|before| cites.get(before)), cites.get(at + 1))
        {
            (Some(before), _) => before.end..cite.end,
            (None, Some(after)) => cite.start..after.start,
            (None, None) => cite.clone(),
        };
        let alone = cites.len() == 1;
        all.push(Citing { line, cite, bracket, alone, head: nth == 0, words });
    }
    all
}
