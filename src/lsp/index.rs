//! One index of all names of a unit: what each is, where it is declared, and every word that
//! refers to it, through all variants.
//!
//! The checker says what most words refer to. What it does not look up by name, such as the units
//! of a setup, is found by its text among what the place can mean.

use std::collections::BTreeMap;

use super::scripted;
use super::unit::{Unit, WordCache};
use crate::arrange::Arrange as _;
use crate::check::names::{Declared, Names, Space};
use crate::check::{Resolved, scripts};
use crate::project::base;
use crate::source::{SourceId, Span};
use crate::syntax::ast::{CaseLine, HookLineKind, ItemKind};
use crate::syntax::words::{Role, Word};

/// Of each name with its space and its owner: the rulesets that declare it, and what it is there.
type Keys = BTreeMap<(Space, String, String), Vec<(usize, usize)>>;

/// One thing that has a name.
#[derive(Debug)]
pub(super) struct Entity {
    pub(super) what: Declared,
    /// Where it is declared: first by the ruleset, then by the variants that replace it.
    pub(super) places: Vec<Span>,
    /// The ruleset that declares it, by its place in the project.
    pub(super) ruleset: usize,
    /// The copies of its owner, whose text it stands in as well.
    copies: Vec<String>,
}

impl Entity {
    fn owned_by(&self, owner: &str) -> bool {
        self.what.owner == owner || self.copies.iter().any(|copy| copy == owner)
    }
}

/// A word that refers to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) span: Span,
    pub(super) entity: usize,
    pub(super) declares: bool,
}

/// An item of a file.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) span: Span,
    /// What its parts belong to: the name of a table, a setup, the title of a case.
    owner: String,
    /// What its item is as, the nearest first: a line that is taken out belongs to one of them.
    originals: Vec<String>,
    /// The setup that a case uses.
    setup: Option<String>,
    /// The kind that it is about.
    pub(super) of: Option<String>,
}

/// All names of a unit.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) entities: Vec<Entity>,
    mentions: BTreeMap<SourceId, BTreeMap<u32, Mention>>,
    items: BTreeMap<SourceId, Vec<Place>>,
    by_text: BTreeMap<String, Vec<usize>>,
}

impl Index {
    pub(super) fn of(unit: &Unit, cache: &mut WordCache) -> Index {
        let mut index = Index::default();
        let mut keys = Keys::new();
        for (ruleset, loaded) in unit.project.rulesets.iter().enumerate() {
            let found = loaded.names(&unit.project.sources);
            let ids = index.declare(unit, ruleset, &found, &mut keys);
            for (span, at) in &found.uses {
                if let Some(entity) = ids.get(*at) {
                    index.mention(*span, *entity, false);
                }
            }
            index.places(loaded.resolved());
        }
        index.items.values_mut().for_each(|all| {
            all.arrange_by_key(|i| i.span);
            all.dedup_by_key(|i| i.span);
        });
        for at in 0..unit.files.len() {
            let source = SourceId(u32::try_from(at).unwrap_or(u32::MAX));
            let path = unit.file(source);
            let in_sheet = unit.project.sources.sheet(source).is_some();
            if !in_sheet && path.extension().is_some_and(|e| e == "sut") {
                let text = unit.project.sources.text(source);
                let words = cache.words(path, text);
                let place = Span::new(source, 0, 0);
                let prefixes = unit.project.rulesets.iter().map(|r| r.resolved().prefix_of(place));
                let prefix = prefixes.into_iter().find(|p| !p.is_empty()).unwrap_or_default();
                index.by_looks(source, text, prefix, &words);
            }
        }
        unit.project.rulesets.iter().for_each(|one| index.in_scripts(unit, one.resolved()));
        index
    }

    /// What a hook reads is called by the same name in its script.
    fn in_scripts(&mut self, unit: &Unit, resolved: &Resolved) {
        for item in resolved.items.iter().filter(|i| !i.inherited) {
            let ItemKind::Hook(hook) = &item.item.kind else { continue };
            let lines = hook.lines.iter().filter_map(|line| match &line.kind {
                HookLineKind::Reads(names) => Some(names),
                _ => None,
            });
            for name in lines.flatten() {
                let read = self.at(name.span.source, name.span.start as usize);
                let Some(read) = read.filter(|m| m.span == name.span) else { continue };
                for source in scripts(hook) {
                    let found = scripted::places(unit.project.sources.text(source), &name.text);
                    for range in found {
                        self.mention(Span::of(source, range), read.entity, false);
                    }
                }
            }
        }
    }

    /// Adds what a ruleset declares; what it has from the ruleset it builds on is that one's.
    fn declare(
        &mut self,
        unit: &Unit,
        ruleset: usize,
        found: &Names,
        keys: &mut Keys,
    ) -> Vec<usize> {
        let mut ids = Vec::new();
        for one in &found.declared {
            let key = (one.space, one.name.clone(), one.owner.clone());
            let known = keys.entry(key).or_default();
            let same = known.iter().find(|(other, entity)| {
                let declared = self.entities.get(*entity).map_or(&[][..], |e| &e.places);
                declared.contains(&one.span) || builds_on(unit, ruleset, *other)
            });
            let same = same.map(|(_, entity)| *entity);
            let id = match same.or_else(|| copied(&self.mentions, &self.entities, one)) {
                Some(entity) => {
                    if let Some(known) = self.entities.get_mut(entity)
                        && !known.owned_by(&one.owner)
                    {
                        known.copies.push(one.owner.clone());
                    }
                    entity
                }
                None => {
                    let id = self.entities.len();
                    known.push((ruleset, id));
                    self.by_text.entry(written(one).to_owned()).or_default().push(id);
                    let what = one.clone();
                    self.entities.push(Entity {
                        what,
                        places: Vec::new(),
                        ruleset,
                        copies: Vec::new(),
                    });
                    id
                }
            };
            if let Some(entity) = self.entities.get_mut(id)
                && !entity.places.contains(&one.span)
            {
                entity.places.push(one.span);
            }
            self.mention(one.span, id, true);
            ids.push(id);
        }
        ids
    }

    fn mention(&mut self, span: Span, entity: usize, declares: bool) {
        let all = self.mentions.entry(span.source).or_default();
        all.entry(span.start).or_insert(Mention { span, entity, declares });
    }

    /// Where the items of a ruleset stand, and the lines that change parts of an inherited one.
    fn places(&mut self, resolved: &Resolved) {
        for touched in &resolved.touched {
            let Some((_, owner)) = &touched.owner else { continue };
            let (span, owner) = (touched.span, owner.clone());
            let place = Place { span, owner, originals: Vec::new(), setup: None, of: None };
            self.items.entry(span.source).or_default().push(place);
        }
        for item in resolved.items.iter().filter(|i| !i.inherited) {
            let (mut owner, mut setup) = (String::new(), None);
            let mut originals = Vec::new();
            match &item.item.kind {
                ItemKind::Setup(s) => owner.clone_from(&s.name.text),
                ItemKind::Map(m) => owner.clone_from(&m.name.text),
                ItemKind::Case(c) => {
                    owner.clone_from(&c.title.text);
                    setup = c.lines.iter().find_map(|line| match line {
                        CaseLine::UseSetup(name) => Some(name.text.clone()),
                        _ => None,
                    });
                }
                kind => {
                    if let Some((_, name)) = crate::check::handle(kind) {
                        owner.clone_from(&name.text);
                    }
                }
            }
            if let Some((noun, name)) = crate::check::named(&item.item.kind) {
                originals = resolved.originals(noun, &name.text);
            }
            let of = subject(&item.item.kind);
            let span = item.item.span;
            let place = Place { span, owner, originals, setup, of };
            self.items.entry(span.source).or_default().push(place);
        }
    }

    /// Words that the checker has not looked up.
    fn by_looks(&mut self, source: SourceId, text: &str, prefix: &str, words: &[Word]) {
        let word = |at: usize| -> &str {
            words.get(at).and_then(|w| text.get(w.range.clone())).unwrap_or_default()
        };
        let named = |w: &Word| matches!(w.role, Role::Name | Role::Clause);
        for (at, one) in words.iter().enumerate().filter(|(_, w)| named(w)) {
            let span = Span::of(source, one.range.clone());
            let known = self.mentions.get(&source).is_some_and(|m| m.contains_key(&span.start));
            if known {
                continue;
            }
            // What begins a line behind `but` calls a line of the item, as behind `without`.
            let line = text.get(..one.range.start).and_then(|t| t.rsplit('\n').next());
            let before = match line.map(str::trim) {
                Some("") => "without",
                _ => at.checked_sub(1).map_or("", word),
            };
            let behind = (word(at + 1), word(at + 2));
            let found = match one.role {
                Role::Clause => self.clause(word(at), prefix),
                _ => self.meant(word(at), span, before, behind),
            };
            if let Some(entity) = found {
                self.mention(span, entity, false);
            }
        }
    }

    /// A clause that the text of a mistake cites, which the checker does not read.
    fn clause(&self, cite: &str, prefix: &str) -> Option<usize> {
        let full = format!("{prefix}-{cite}");
        let found = self.by_text.get(&full).or_else(|| self.by_text.get(cite))?;
        let is_clause =
            |at: &&usize| self.entities.get(**at).is_some_and(|e| e.what.space == Space::Clause);
        found.iter().find(is_clause).copied()
    }

    /// What a word means by its place.
    fn meant(&self, text: &str, span: Span, before: &str, behind: (&str, &str)) -> Option<usize> {
        let all = self.by_text.get(text)?;
        let item = self.item_at(span.source, span.start);
        let owners = item.map_or([None, None], |i| [Some(i.owner.as_str()), i.setup.as_deref()]);
        // What a copy takes out is a line of what it is as.
        let originals = item.filter(|_| before == "without").map_or(&[][..], |i| &i.originals);
        let of_original = |at: &usize| {
            self.entities.get(*at).is_some_and(|e| originals.iter().any(|o| e.owned_by(o)))
        };
        let fits = |at: &&usize| {
            let Some(entity) = self.entities.get(**at) else { return false };
            let owned = |by: &Option<&str>| by.is_some_and(|by| entity.owned_by(by));
            match entity.what.space {
                // `row led of reach` names a part of another item.
                Space::Part => {
                    owned(&owners[0])
                        || behind.0 == "of" && entity.owned_by(behind.1)
                        || of_original(at)
                }
                Space::Unit => owners.iter().any(owned) || of_original(at),
                Space::Case | Space::Clause => false,
                _ => true,
            }
        };
        let fitting: Vec<usize> = all.iter().filter(fits).copied().collect();
        if let Some(taken) = fitting.iter().find(|at| of_original(at)) {
            return Some(*taken);
        }
        if let [one] = fitting.as_slice() {
            return Some(*one);
        }
        let space = |at: &usize| self.entities.get(*at).map(|e| e.what.space);
        for wanted in order(before) {
            let of: Vec<usize> =
                fitting.iter().filter(|at| space(at) == Some(*wanted)).copied().collect();
            match of.as_slice() {
                [] => {}
                [one] => return Some(*one),
                // Of several the one that is said of what the item is about.
                more => {
                    let kind = item.and_then(|i| i.of.as_deref());
                    let owner = |at: &&usize| {
                        self.entities.get(**at).is_some_and(|e| Some(e.what.owner.as_str()) == kind)
                    };
                    return more.iter().find(owner).copied();
                }
            }
        }
        None
    }

    /// The item that holds a byte.
    pub(super) fn item_at(&self, source: SourceId, byte: u32) -> Option<&Place> {
        let all = self.items.get(&source)?;
        let at = all.partition_point(|item| item.span.start <= byte).checked_sub(1)?;
        all.get(at).filter(|item| byte <= item.span.end)
    }

    /// The word at a byte, also right behind it.
    pub(super) fn at(&self, source: SourceId, byte: usize) -> Option<Mention> {
        let byte = u32::try_from(byte).ok()?;
        let (_, found) = self.mentions.get(&source)?.range(..=byte).next_back()?;
        (byte <= found.span.end).then_some(*found)
    }

    pub(super) fn entity(&self, at: usize) -> Option<&Entity> {
        self.entities.get(at)
    }

    /// The words of one file.
    pub(super) fn of_file(&self, source: SourceId) -> impl Iterator<Item = &Mention> {
        self.mentions.get(&source).into_iter().flat_map(BTreeMap::values)
    }

    /// All words that refer to something, in the order of the files.
    pub(super) fn of_entity(&self, entity: usize) -> Vec<Mention> {
        let all = self.mentions.values().flat_map(BTreeMap::values);
        all.filter(|m| m.entity == entity).copied().collect()
    }

    /// What else is the same thing by another name: the plural of a kind.
    pub(super) fn family(&self, entity: usize) -> Vec<usize> {
        let Some(one) = self.entities.get(entity).map(|e| (&e.what.space, &e.places, e.what.item))
        else {
            return Vec::new();
        };
        if !matches!(one.0, Space::Kind | Space::Dimension) {
            return vec![entity];
        }
        // A kind and its plural stand in one item; so does a dimension, beside others.
        let near = |e: &Entity| {
            e.what.space == *one.0
                && e.what.item == one.2
                && (e.what.space == Space::Kind || Some(e.places.as_slice()) == Some(one.1))
        };
        self.entities.iter().enumerate().filter(|(_, e)| near(e)).map(|(at, _)| at).collect()
    }
}

/// What a copied item has from its original: it stands in the same place, whoever owns it.
fn copied(
    mentions: &BTreeMap<SourceId, BTreeMap<u32, Mention>>,
    entities: &[Entity],
    one: &Declared,
) -> Option<usize> {
    let known = mentions.get(&one.span.source)?.get(&one.span.start)?;
    let entity = entities.get(known.entity).filter(|_| known.declares)?;
    let same = entity.what.space == one.space && entity.what.name == one.name;
    same.then_some(known.entity)
}

/// A name as it is written where it is used: a clause loses nothing here, for the checker says
/// what brackets mean.
fn written(one: &Declared) -> &str {
    &one.name
}

/// Whether a ruleset is a variant of another one.
fn builds_on(unit: &Unit, ruleset: usize, other: usize) -> bool {
    let mut next = base(&unit.project, ruleset);
    for _ in 0..unit.project.rulesets.len() {
        match next {
            Some(at) if at == other => return true,
            Some(at) => next = base(&unit.project, at),
            None => return false,
        }
    }
    false
}

/// The kind that an item is about.
fn subject(kind: &ItemKind) -> Option<String> {
    let of = match kind {
        ItemKind::Define(d) => d.of.as_ref(),
        ItemKind::Table(t) => t.of.as_ref(),
        ItemKind::Trace(t) => Some(&t.of),
        ItemKind::Test(t) => Some(&t.of),
        ItemKind::Choice(c) => Some(&c.of),
        ItemKind::Hook(h) => Some(&h.of),
        ItemKind::Kind(k) => Some(&k.name),
        _ => None,
    };
    of.map(|name| name.text.clone())
}

/// What a word means first, by the word before it.
fn order(before: &str) -> &'static [Space] {
    // What calls a line is first a part of the item.
    const CALLED: [Space; 16] = [
        Space::Part,
        Space::Unit,
        Space::Place,
        Space::Member,
        Space::Name,
        Space::Kind,
        Space::Word,
        Space::Part,
        Space::Dimension,
        Space::Phase,
        Space::Clock,
        Space::Setup,
        Space::Map,
        Space::Track,
        Space::Die,
        Space::Ruleset,
    ];
    let [_, plain @ ..] = &CALLED;
    match before {
        "without" | "before" | "after" => &CALLED,
        "on" | "map" => &[Space::Map, Space::Track, Space::Name],
        "setup" => &[Space::Setup],
        "run" | "phase" => &[Space::Phase, Space::Clock],
        "extends" => &[Space::Ruleset],
        "row" | "leg" | "source" | "relay" => &[Space::Part],
        "kind" | "put" | "over" => &[Space::Kind],
        "ruling" | "option" => &[Space::Name],
        "is" | "then" | "default" => {
            &[Space::Word, Space::Unit, Space::Place, Space::Member, Space::Name, Space::Kind]
        }
        _ => plain,
    }
}
