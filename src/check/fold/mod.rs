//! Variants folded in: the items of a parent with the changes that a variant makes, before anything
//! is translated.
//!
//! Takes the items as they were written; gives one list, each item with its origin. What a change
//! says the parent said (`was`) must be what the parent says, compared as text with blanks folded.

mod body;
mod clauses;
mod copies;
mod exceptions;
mod leg_faults;
mod leg_text;
mod legs;
mod lines;
mod regroup;
mod rope;
mod table;
mod trace;

pub(super) use exceptions::written_out;
pub(crate) use legs::LegAs;
pub use rope::{Piece, Rope};

use std::sync::Arc;

use crate::diag::{Diagnostic, code, suggest};
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;
use crate::syntax::tokens::times;
use trace::source_name;

/// The items of one ruleset, variants folded in.
#[derive(Debug, Clone, Default)]
pub struct Resolved {
    /// The head of the ruleset itself.
    pub head: Option<RulesetHead>,
    /// Its items in order, the parent's first.
    pub items: Vec<ResolvedItem>,
    /// Names that broken items would have declared.
    pub lost: Vec<String>,
    /// What a variant has taken away, and where.
    pub removed: Vec<(String, Span)>,
    /// The clause prefix of each file, by its number.
    pub prefixes: Vec<String>,
    /// What its own files change in the parent.
    pub(crate) touched: Vec<Touched>,
    /// The legs that are as others, written out.
    pub(crate) legs_as: Vec<LegAs>,
    /// The items that are as others.
    pub(crate) copies: Vec<CopyOf>,
}

/// An item that is as another of its construct.
#[derive(Debug, Clone)]
pub(crate) struct CopyOf {
    pub noun: String,
    pub name: String,
    pub original: String,
}

/// An item and where it comes from.
#[derive(Debug, Clone)]
pub struct ResolvedItem {
    /// The item, changed as the variants say; of one that is not, the one of the file.
    pub item: Arc<Item>,
    /// Whether a parent declared it.
    pub inherited: bool,
    /// The same as text, with the files that wrote it.
    pub rope: Rope,
}

impl Resolved {
    /// What an item is as, and what that is as in turn, the nearest first.
    pub(crate) fn originals(&self, noun: &str, name: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut of = name;
        while let Some(copy) = self.copies.iter().find(|c| c.noun == noun && c.name == of)
            && !found.contains(&copy.original)
        {
            found.push(copy.original.clone());
            of = &copy.original;
        }
        found
    }
}

impl ResolvedItem {
    /// The item, to be changed: its own from now on.
    fn item_mut(&mut self) -> &mut Item {
        Arc::make_mut(&mut self.item)
    }
}

/// Folds the files of a ruleset into its parent, if it has one.
#[must_use]
pub fn fold(
    parent: Option<&Resolved>,
    files: &[File],
    sources: &SourceMap,
) -> (Resolved, Vec<Diagnostic>) {
    let wanted = |i: &Arc<Item>| matches!(&i.kind, ItemKind::Ruleset(head) if head.cases);
    let cases = files.iter().flat_map(|f| &f.items).any(wanted);
    folded_with(parent, files, sources, cases)
}

/// The same of a variant whose changes stand beside those of another one: all cases are kept.
#[must_use]
pub(crate) fn fold_beside(
    parent: &Resolved,
    files: &[File],
    sources: &SourceMap,
) -> (Resolved, Vec<Diagnostic>) {
    folded_with(Some(parent), files, sources, true)
}

fn folded_with(
    parent: Option<&Resolved>,
    files: &[File],
    sources: &SourceMap,
    cases: bool,
) -> (Resolved, Vec<Diagnostic>) {
    let mut fold = Fold {
        sources,
        out: Resolved::default(),
        faults: Vec::new(),
        touched: Vec::new(),
        copied: Vec::new(),
        cases,
    };
    if let Some(parent) = parent {
        fold.out = parent.clone();
        fold.out.head = None;
        fold.out.items.retain(|i| match i.item.kind {
            ItemKind::Case(_) => cases,
            ItemKind::Mistake(_) | ItemKind::Ruleset(_) => false,
            _ => true,
        });
        fold.out.items.iter_mut().for_each(|i| i.inherited = true);
    }
    for file in files {
        fold.out.lost.extend(file.lost.iter().map(|n| n.text.clone()));
        for item in &file.items {
            fold.item(item);
        }
    }
    fold.copies();
    fold.prefixes(files);
    fold.out.touched = fold.touched;
    (fold.out, fold.faults)
}

/// The text of an item; the rows that live in a sheet stand in it as rows of the text.
fn rope_of(item: &Item) -> Rope {
    let ItemKind::Table(Table { from: Some(from), .. }) = &item.kind else {
        return Rope::of(item.span);
    };
    let Some(read) = from.read else { return Rope::of(item.span) };
    let part = |start: u32, end: u32| Piece::Text(Span::new(item.span.source, start, end));
    let mut pieces = Vec::new();
    match (from.before, read.head) {
        (Some(before), Some(head)) => {
            pieces.push(part(item.span.start, before.end));
            let keyed = matches!(&item.kind, ItemKind::Table(Table { body: TableBody::Grid(grid), .. }) if grid.across.is_some());
            pieces.push(Piece::Joint(if keyed { " " } else { "\n  across " }));
            pieces.push(Piece::Text(head));
            pieces.extend(
                from.cites
                    .map(|cites| [Piece::Joint(" "), Piece::Text(cites)])
                    .into_iter()
                    .flatten(),
            );
            pieces.push(Piece::Joint("\n"));
        }
        _ => pieces.push(part(item.span.start, from.span.start)),
    }
    pieces.push(Piece::Text(read.rows));
    pieces.push(part(from.span.end, item.span.end));
    Rope::of_pieces(pieces)
}

struct Fold<'a> {
    sources: &'a SourceMap,
    out: Resolved,
    faults: Vec<Diagnostic>,
    /// What has been changed already, and where.
    touched: Vec<Touched>,
    /// Items that are as others, with their places.
    copied: Vec<(Copy, Span)>,
    /// Whether the cases of the parent are taken over.
    cases: bool,
}

/// One change of a variant.
#[derive(Debug, Clone)]
pub(crate) struct Touched {
    /// What is changed, in words.
    pub what: String,
    /// The whole of which it is a part.
    pub owner: Option<(&'static str, String)>,
    /// The change.
    pub span: Span,
}

impl Touched {
    /// Whether both change the same, or one a part of what the other replaces.
    pub(crate) fn meets(&self, other: &Touched) -> bool {
        let whole = |t: &Touched| t.owner.as_ref().map(|(noun, name)| format!("{noun} `{name}`"));
        let within = |a: &Touched, b: &Touched| whole(a).is_some_and(|whole| whole == b.what);
        self.what == other.what || within(self, other) || within(other, self)
    }
}

/// A whole and a part of it, both changed: whichever comes last would undo the other.
fn clash(noun: &str, name: &Name, whole: Span, part: Span) -> Diagnostic {
    Diagnostic::error(
        code::E0605,
        part,
        format!("a part of {noun} `{}` is changed, and the whole is replaced", name.text),
    )
    .label(whole, "the whole is replaced or removed here")
    .help("write the change of the part into the whole, and take this line out")
}

/// A program that is older than the ruleset requires.
fn too_old(head: &RulesetHead) -> Option<Diagnostic> {
    const OURS: &str = env!("CARGO_PKG_VERSION");
    let wanted = head.requires.as_ref()?;
    let parts = |text: &str| -> Vec<u64> {
        let all = text.split('.').map(|part| part.parse().unwrap_or(u64::MAX));
        all.chain(std::iter::repeat(0)).take(3).collect()
    };
    (parts(&wanted.text) > parts(OURS)).then(|| {
        let message = format!("the ruleset requires sutler {}, and this is {OURS}", wanted.text);
        let help = format!("install version {} or a newer one", wanted.text);
        Diagnostic::error(code::E0607, wanted.span, message).help(help)
    })
}

impl Fold<'_> {
    fn prefixes(&mut self, files: &[File]) {
        let prefix = self.out.head.as_ref().map_or_else(String::new, |h| h.prefix.text.clone());
        for source in files.iter().flat_map(|f| f.sheets.iter().chain([&f.source])) {
            let at = source.0 as usize;
            if self.out.prefixes.len() <= at {
                self.out.prefixes.resize(at + 1, String::new());
            }
            if let Some(cell) = self.out.prefixes.get_mut(at) {
                cell.clone_from(&prefix);
            }
        }
    }

    fn item(&mut self, item: &Arc<Item>) {
        match &item.kind {
            ItemKind::Edition(_) => {}
            ItemKind::Ruleset(head) => match &self.out.head {
                Some(first) => {
                    let fault =
                        Diagnostic::error(code::E0208, head.name.span, "a ruleset has one head")
                            .label(first.name.span, "the first is here")
                            .help("take this line out, or put it into a file of a variant");
                    self.faults.push(fault);
                }
                None => {
                    self.faults.extend(too_old(head));
                    self.out.head = Some(head.clone());
                }
            },
            ItemKind::Override(change) => self.override_(change, item),
            ItemKind::Copy(copy) => self.copied.push((copy.clone(), item.span)),
            ItemKind::Add(add) => self.add(add, item.span),
            ItemKind::Remove(remove) => self.remove(remove, item.span),
            _ => {
                let rope = rope_of(item);
                self.out.items.push(ResolvedItem {
                    item: Arc::clone(item),
                    inherited: false,
                    rope,
                });
            }
        }
    }

    /// Two changes of one thing in one variant: which one is meant cannot be told. True for the
    /// first.
    fn touch(&mut self, what: String, span: Span) -> bool {
        self.touched_once(Touched { what, owner: None, span })
    }

    /// The same for a part of a whole, which must not be replaced beside it.
    fn touch_part(
        &mut self,
        what: String,
        (noun, owner): (&'static str, &Name),
        span: Span,
    ) -> bool {
        let whole = format!("{noun} `{}`", owner.text);
        if let Some(first) = self.touched.iter().find(|t| t.what == whole) {
            self.faults.push(clash(noun, owner, first.span, span));
            return false;
        }
        self.touched_once(Touched { what, owner: Some((noun, owner.text.clone())), span })
    }

    fn touched_once(&mut self, new: Touched) -> bool {
        if let Some(first) = self.touched.iter().find(|t| t.what == new.what) {
            self.faults.push(
                Diagnostic::error(code::E0604, new.span, format!("{} is changed twice", new.what))
                    .label(first.span, "changed here first")
                    .help("keep one of the two changes"),
            );
            false
        } else {
            self.touched.push(new);
            true
        }
    }

    /// The text of an item that a change refers to.
    fn rope(&mut self, noun: &str, name: &Name) -> Option<&mut Rope> {
        let at = self.position(noun, name)?;
        self.out.items.get_mut(at).map(|i| &mut i.rope)
    }

    fn override_(&mut self, change: &Override, item: &Item) {
        match &change.kind {
            OverrideKind::Whole(new) => self.whole(new),
            OverrideKind::Lines { noun, name, lines } => self.changed(noun, name, lines),
            OverrideKind::Said { noun, label, was, now } => {
                self.said_otherwise(noun, label, (was, now))
            }
            OverrideKind::Row { row, table, was, now } => {
                if !self.touch_part(
                    format!("row `{}` of `{}`", row.text, table.text),
                    ("table", table),
                    item.span,
                ) {
                    return;
                }
                let sources = self.sources;
                let Some(values) = self.row_values(row, table) else { return };
                let (said, place) = (texts(sources, values), spans(values));
                if said != texts(self.sources, was) {
                    return self.mismatch(
                        spans(was),
                        place,
                        &said,
                        &format!("row `{}` of `{}`", row.text, table.text),
                    );
                }
                if let Some(values) = self.row_values(row, table) {
                    values.clone_from(now);
                }
                if let Some(rope) = self.rope("table", table) {
                    rope.replace(place, spans(now), sources);
                }
                self.cite_row(row, table, &change.cites);
            }
            OverrideKind::Cell { keys, table, was, now } => {
                self.cell(keys, table, was, now, &change.cites)
            }
            OverrideKind::Gate { gate, leg, trace, was, now } => {
                let what = format!("`{}` of leg `{}` of `{}`", gate.text, leg.text, trace.text);
                if !self.touch_part(what.clone(), ("trace", trace), item.span) {
                    return;
                }
                self.gate_changed((gate, leg, trace), (was, now), &change.cites, &what);
            }
            OverrideKind::Source { noun, name, trace, was, now } => {
                let what = format!("{} `{}` of `{}`", noun.text, name.text, trace.text);
                if !self.touch_part(what.clone(), ("trace", trace), item.span) {
                    return;
                }
                self.source_changed((noun, name, trace), (was, now), &change.cites, &what);
            }
        }
    }

    fn mismatch(&mut self, was: Span, place: Span, said: &str, what: &str) {
        self.faults.push(
            Diagnostic::error(
                code::E0603,
                was,
                format!("`was {}`, but {what} says `{said}`", text(self.sources, was)),
            )
            .label(place, "it says so here")
            // Which of the two is the slip is not known here, so that nothing is written.
            .help(format!("write `was {said}` if the change is still meant")),
        );
    }

    fn whole(&mut self, new: &Item) {
        let Some((noun, name)) = handle(&new.kind) else { return };
        let (noun, name) = (noun, name.clone());
        if !self.touch(format!("{noun} `{}`", name.text), new.span) {
            return;
        }
        let part = self
            .touched
            .iter()
            .find(|t| t.owner.as_ref().is_some_and(|(n, o)| *n == noun && *o == name.text));
        if let Some(part) = part {
            self.faults.push(clash(noun, &name, new.span, part.span));
        }
        match self.position(noun, &name) {
            Some(at) => {
                if let Some(slot) = self.out.items.get_mut(at) {
                    slot.item = Arc::new(new.clone());
                    slot.rope = rope_of(new);
                }
            }
            None => self.missing(noun, &name),
        }
    }

    fn position(&self, noun: &str, name: &Name) -> Option<usize> {
        self.out.items.iter().position(|i| {
            named(&i.item.kind).is_some_and(|(n, m)| n == noun && m.text == name.text)
        })
    }

    /// The place of an item that a change names; a fault where there is none.
    fn place_of(&mut self, noun: &str, name: &Name) -> Option<usize> {
        let at = self.position(noun, name);
        if at.is_none() {
            self.missing(noun, name);
        }
        at
    }

    fn missing(&mut self, noun: &str, name: &Name) {
        // Each suggestion reads all names there are.
        let many = self.faults.len() >= super::name::MOST_SUGGESTED;
        let handles = self.out.items.iter().filter(|_| !many).filter_map(|i| named(&i.item.kind));
        let known: Vec<String> =
            handles.filter(|(n, _)| *n == noun).map(|(_, m)| m.text.clone()).collect();
        let fault = Diagnostic::error(
            code::E0602,
            name.span,
            format!("the ruleset has no {noun} `{}` to change", name.text),
        );
        self.faults.push(match suggest::the_one(&name.text, known.iter().map(String::as_str)) {
            // A name that nothing else reads may be the one that slipped.
            Some(near) if self.stands(near) < 2 => fault
                .help(format!("write `{near}`, or call it `{}` where it is declared", name.text)),
            Some(near) => fault.help(format!("write `{near}`")).suggest(name.span, near.to_owned()),
            None => fault.help("a new one is declared without `override`"),
        });
    }

    /// How often a name stands in all texts.
    fn stands(&self, name: &str) -> usize {
        self.sources.ids().map(|id| times(self.sources.text(id), name)).sum()
    }

    fn no_such(&mut self, name: &Name, what: &str) {
        self.faults.push(Diagnostic::error(
            code::E0602,
            name.span,
            format!("{what} has no `{}` to change", name.text),
        ));
    }

    fn add(&mut self, add: &Add, item: Span) {
        let sources = self.sources;
        match add {
            Add::Line { trace, line } => {
                if !self.touch_part(
                    format!("`{}` of `{}`", text(sources, line.span), trace.text),
                    ("trace", trace),
                    item,
                ) {
                    return;
                }
                let (line, written) =
                    (line.as_ref().clone(), Span::new(item.source, line.span.start, item.end));
                let Some(target) = self.trace(trace) else { return };
                // Lines of the trace itself stand before its first leg, another leg behind the last.
                let leg = |l: &TraceLine| matches!(l.kind, TraceLineKind::Leg { .. });
                let first = target.lines.iter().position(leg).filter(|_| !leg(&line));
                let at = first.unwrap_or(target.lines.len());
                let next = target.lines.get(at).map(|l| l.span);
                target.lines.insert(at, line);
                if let Some(rope) = self.rope("trace", trace) {
                    match next {
                        Some(next) => rope.line_above(next, written, sources),
                        None => rope.last_line(written, sources),
                    }
                }
            }
            Add::Row { table, before, anchor, row } => {
                self.add_row(table, *before, anchor.as_ref(), row, item)
            }
        }
    }

    fn remove(&mut self, remove: &Remove, item: Span) {
        let sources = self.sources;
        match &remove.kind {
            RemoveKind::Item { noun, name, span } => {
                let part = self.touched.iter().find(|t| {
                    t.owner.as_ref().is_some_and(|(n, o)| *n == noun.text && *o == name.text)
                });
                if let Some(part) = part {
                    self.faults.push(clash(&noun.text, name, item, part.span));
                }
                if !self.touch(format!("{} `{}`", noun.text, name.text), item) {
                    return;
                }
                match self.position(&noun.text, name) {
                    Some(at) => {
                        self.out.items.remove(at);
                        self.out.removed.push((name.text.clone(), *span));
                    }
                    None => self.missing(&noun.text, name),
                }
            }
            RemoveKind::Clause { label, lines } => self.remove_clause(label, *lines, item),
            RemoveKind::Case(title) => self.remove_case(title),
            RemoveKind::Row { row, table } => self.remove_row(row, table, item),
            RemoveKind::Source { noun, name, trace } => {
                if !self.touch_part(
                    format!("{} `{}` of `{}`", noun.text, name.text, trace.text),
                    ("trace", trace),
                    item,
                ) {
                    return;
                }
                let Some(target) = self.trace(trace) else { return };
                let at = target.lines.iter().position(|l| {
                    source_name(&l.kind, &noun.text).is_some_and(|n| n.text == name.text)
                });
                let Some(at) = at else {
                    return self.no_such(name, &format!("trace `{}`", trace.text));
                };
                let gone = target.lines.remove(at).span;
                if let Some(rope) = self.rope("trace", trace) {
                    rope.remove_lines(gone, sources);
                }
            }
        }
    }
}

/// The noun and name by which a change refers to an item.
#[must_use]
pub fn handle(kind: &ItemKind) -> Option<(&'static str, &Name)> {
    Some(match kind {
        ItemKind::Define(d) => ("define", &d.name),
        ItemKind::Pair(p) => ("pair", &p.name),
        ItemKind::Table(t) => ("table", &t.name),
        ItemKind::Trace(t) => ("trace", &t.name),
        ItemKind::Die(d) => ("die", &d.name),
        ItemKind::Test(t) => ("test", &t.name),
        ItemKind::Phase(p) => ("phase", &p.name),
        ItemKind::Hook(h) => ("hook", &h.name),
        ItemKind::Ruling(r) => ("ruling", &r.name),
        ItemKind::Option(o) => ("option", &o.name),
        ItemKind::Choice(c) => ("choice", &c.name),
        ItemKind::Track(t) => ("track", &t.name),
        ItemKind::Mark(m) => ("mark", &m.name),
        ItemKind::Exception(e) => ("exception", &e.name),
        _ => return None,
    })
}

/// The same for all that a change can name.
pub(crate) fn named(kind: &ItemKind) -> Option<(&'static str, &Name)> {
    match kind {
        ItemKind::Kind(k) => Some(("kind", &k.name)),
        ItemKind::Map(m) => Some(("map", &m.name)),
        ItemKind::Setup(s) => Some(("setup", &s.name)),
        other => handle(other),
    }
}

fn spans(values: &[Expr]) -> Span {
    values.iter().map(|e| e.span).reduce(Span::to).unwrap_or_default()
}

fn texts(sources: &SourceMap, values: &[Expr]) -> String {
    values.iter().map(|e| text(sources, e.span)).collect::<Vec<_>>().join(", ")
}

fn keys_text(sources: &SourceMap, keys: &[KeyCell]) -> String {
    keys.iter().map(|k| text(sources, k.span)).collect::<Vec<_>>().join(", ")
}

/// The text of a place with comments gone and blanks folded, without the brackets around it.
fn text(sources: &SourceMap, span: Span) -> String {
    let plain: Vec<&str> = sources
        .slice(span)
        .lines()
        .flat_map(|l| l.split('#').next().unwrap_or_default().split_whitespace())
        .collect();
    let joined = plain.join(" ");
    match joined.strip_prefix('(').and_then(|j| j.strip_suffix(')')) {
        Some(inner) if !inner.contains([')', '(']) => inner.to_owned(),
        _ => joined,
    }
}
