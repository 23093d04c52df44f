//! What every part of the page is written with: the rulebook, its names, and where each name is
//! explained.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::chapters::Readers;
use super::page::{Word, Words, plain};
use crate::aid::words::{opened, tidy};
use crate::check::ResolvedItem;
use crate::check::names::{Names, Space, names_of};
use crate::compare::Side as Rulebook;
use crate::ir::Ruleset;
use crate::source::{SourceId, Span};
use crate::syntax::ast::{Cites, Effect, Expr, ItemKind, Name, Step, StepKind, Text, Things};

/// The rulebook with its names.
pub(super) struct Desk<'a> {
    pub book: Rulebook<'a>,
    /// The anchor of each item that has one.
    anchors: Vec<Option<String>>,
    /// Every word that refers to an item with an anchor: where it stands, and that item.
    uses: BTreeMap<(SourceId, u32), usize>,
    /// Pairs and answers whose name nothing else has; the checker does not say where they are read.
    alone: BTreeMap<String, usize>,
    /// Who reads, and the items that are not shown to them.
    readers: Readers,
    hidden: BTreeSet<usize>,
    /// The item that is being described, and how many of its earlier lines have the span of the
    /// current line.
    telling: Cell<Option<(&'a ResolvedItem, usize)>>,
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
    pub fn new(book: Rulebook<'a>, readers: Readers, hidden: BTreeSet<usize>) -> Desk<'a> {
        let anchors = anchors(book);
        let found = names_of(book.resolved, book.sources);
        let (uses, alone) = (uses(book, &found, &anchors), alone(&found, &anchors));
        Desk {
            book,
            anchors,
            uses,
            alone,
            readers,
            hidden,
            telling: Cell::new(None),
            space: space(book.rules),
        }
    }

    /// Who reads.
    pub fn readers(&self) -> Readers {
        self.readers
    }

    /// The anchor of the item that has this name.
    pub fn anchor(&self, noun: &str, name: &Name) -> String {
        let items = &self.book.resolved.items;
        let own = |at: &usize| {
            let named = items.get(*at).and_then(|i| named(&i.item.kind));
            named.is_some_and(|(n, other)| n == noun && other.span == name.span)
        };
        let known = (0..items.len()).find(own).and_then(|at| self.anchors.get(at)).cloned();
        known.flatten().unwrap_or_else(|| anchor(noun, &name.text))
    }

    /// The items of this noun and name: several, if it is said of several kinds.
    pub fn items(&self, noun: &str, name: &str) -> Vec<usize> {
        let items = self.book.resolved.items.iter().enumerate();
        let of = |(_, item): &(usize, &crate::check::ResolvedItem)| {
            named(&item.item.kind).is_some_and(|(n, other)| n == noun && other.text == name)
        };
        items.filter(of).map(|(at, _)| at).collect()
    }

    /// Whether an item is not shown.
    pub fn hides(&self, item: usize) -> bool {
        self.hidden.contains(&item)
    }

    /// The item that a place belongs to, with its anchor; none where that has none or is hidden.
    pub fn item_at(&self, place: Span) -> Option<(usize, &str)> {
        let holds = |span: Span| {
            span.source == place.source && span.start <= place.start && place.start < span.end
        };
        let at = self.book.resolved.items.iter().position(|i| holds(i.item.span))?;
        Some((at, self.anchors.get(at)?.as_deref()?)).filter(|(at, _)| !self.hides(*at))
    }

    /// Sets the item that is described from here on.
    pub fn tell_of(&self, item: &'a ResolvedItem) {
        self.telling.set(Some((item, 0)));
    }

    /// Sets the line of that item: `nth` earlier lines have the same span.
    pub fn tell_line(&self, nth: usize) {
        self.telling.set(self.telling.get().map(|(item, _)| (item, nth)));
    }

    /// The text of a span as the described item has it, since other items may share its lines.
    fn folded(&self, place: Span) -> String {
        match self.telling.get() {
            Some((item, nth)) if item.rope.holds(place) => {
                item.rope.nth_folded(place, nth, self.book.sources)
            }
            _ => self.book.resolved.folded(place, self.book.sources),
        }
    }

    /// The words of a place, names in them as links.
    pub fn said(&self, place: Span) -> Words {
        self.linked(&self.folded(place), place)
    }

    /// The same of an expression, without brackets around the whole.
    pub fn expr(&self, expr: &Expr) -> Words {
        let text = self.folded(expr.span);
        self.linked(&opened(text), expr.span)
    }

    pub fn exprs(&self, all: &[Expr]) -> Words {
        super::page::joined(all.iter().map(|e| self.expr(e)).collect(), ", ")
    }

    pub fn things(&self, things: &Things) -> Words {
        self.linked(&crate::aid::words::things(self.book.sources, things), things.span)
    }

    /// Text of the language, written at this place, as words: what refers to a thing that the page
    /// explains leads there. A word that stands there in two meanings leads nowhere.
    pub fn linked(&self, text: &str, place: Span) -> Words {
        let names = self.names_in(place);
        let mut out = Words::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
            let (token, behind) = rest.split_at(length);
            let alone = || {
                let item = self.alone.get(token).filter(|item| !self.hides(**item))?;
                self.anchors.get(*item)?.as_deref()
            };
            match names.get(token).copied().unwrap_or_else(alone) {
                Some(to) => out.push(Word::Link { to: to.to_owned(), text: tidy(token) }),
                None => match out.last_mut() {
                    Some(Word::Plain(before)) => before.push_str(&tidy(token)),
                    _ => out.push(plain(tidy(token))),
                },
            }
            rest = behind;
        }
        out
    }

    /// The words of a place that refer to what is explained, each with its anchor.
    fn names_in(&self, place: Span) -> BTreeMap<&str, Option<&str>> {
        let text = self.book.sources.text(place.source);
        let mut out: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        let within = (place.source, place.start)..(place.source, place.end);
        for ((_, start), item) in self.uses.range(within) {
            let rest = text.get(*start as usize..).unwrap_or_default();
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let word = rest.get(..rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
            let to = self.anchors.get(*item).and_then(Option::as_deref);
            let Some(word) = word.filter(|_| !self.hides(*item)) else { continue };
            out.entry(word)
                .and_modify(|known| *known = known.filter(|k| to == Some(k)))
                .or_insert(to);
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

/// What an item is, and its name.
pub(super) fn named(kind: &ItemKind) -> Option<(&'static str, &Name)> {
    match kind {
        ItemKind::Count(count) => Some(("count", &count.name)),
        ItemKind::Given(given) => Some(("given", &given.name)),
        other => crate::check::handle(other),
    }
}

/// The anchors of the items; what is said of several kinds under one name has one for each.
fn anchors(book: Rulebook<'_>) -> Vec<Option<String>> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let item = |kind: &ItemKind| {
        let (noun, name) = named(kind)?;
        let first = anchor(noun, &name.text);
        let others = (2..).map(|nth: u32| format!("{first}.{nth}"));
        let free = std::iter::once(first.clone()).chain(others).find(|a| !taken.contains(a))?;
        taken.insert(free.clone());
        Some(free)
    };
    book.resolved.items.iter().map(|i| &i.item.kind).map(item).collect()
}

/// The words that refer to items with anchors, as the checker read them. Attributes and their words
/// are not among them: a page has too many of these.
fn uses(
    book: Rulebook<'_>,
    found: &Names,
    anchors: &[Option<String>],
) -> BTreeMap<(SourceId, u32), usize> {
    let shown = |at: usize| {
        let one = found.declared.get(at)?;
        let meant = match one.space {
            Space::Member => one.noun != "has",
            Space::Name => matches!(one.noun, "ruling" | "option" | "pair"),
            Space::Phase | Space::Track | Space::Die => true,
            _ => false,
        };
        (meant && anchors.get(one.item)?.is_some()).then_some(one.item)
    };
    let place = |(span, at): &(Span, usize)| Some(((span.source, span.start), shown(*at)?));
    let steps = book.resolved.items.iter().flat_map(|item| match &item.item.kind {
        ItemKind::Phase(phase) => phase.steps.as_slice(),
        _ => &[],
    });
    // A step names these at a place where nothing else can stand.
    let of_steps = steps.filter_map(|step| {
        let (noun, name) = named_by(step)?;
        let is = |(_, item): &(usize, &crate::check::ResolvedItem)| {
            named(&item.item.kind).is_some_and(|(n, other)| n == noun && other.text == name.text)
        };
        let (at, _) = book.resolved.items.iter().enumerate().find(is)?;
        anchors.get(at)?.as_ref()?;
        Some(((name.span.source, name.span.start), at))
    });
    found.uses.iter().filter_map(place).chain(of_steps).collect()
}

/// Names that one pair or one answer has, and nothing else.
fn alone(found: &Names, anchors: &[Option<String>]) -> BTreeMap<String, usize> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &found.declared {
        *count.entry(one.name.as_str()).or_default() += 1;
    }
    let meant = found.declared.iter().filter(|one| {
        matches!(one.noun, "pair" | "answer" | "counts")
            && count.get(one.name.as_str()) == Some(&1)
            && anchors.get(one.item).is_some_and(Option::is_some)
    });
    meant.map(|one| (one.name.clone(), one.item)).collect()
}

/// What a step judges, rolls, follows or marks.
fn named_by(step: &Step) -> Option<(&'static str, &Name)> {
    Some(match &step.kind {
        StepKind::Judge { trace, .. } => ("trace", trace),
        StepKind::Roll { test, .. } => ("test", test),
        StepKind::Do { effect, .. }
        | StepKind::May { effect, .. }
        | StepKind::Must { effect, .. } => match effect {
            Effect::Follow { trace, .. } => ("trace", trace),
            Effect::Mark(mark) => ("mark", mark),
            _ => return None,
        },
    })
}

/// What a space is called: by its kind, if there is one kind alone.
fn space(rules: &Ruleset) -> (String, String) {
    let mut kinds = rules.kinds.iter().filter(|k| k.parent == Some(crate::ir::KindId::SPACE));
    match (kinds.next(), kinds.next()) {
        (Some(kind), None) => (tidy(&kind.name), tidy(&kind.plural)),
        _ => ("space".to_owned(), "spaces".to_owned()),
    }
}
