//! Kinds of things and the facts that a position stores of them: attributes, named units, marks,
//! given facts.

use super::declare::MOST;
use super::name::with_article;
use super::scope::Member;
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, Way, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, AttributeType, ItemKind};

impl Checker<'_> {
    /// Kinds may be written in any order; a parent is found when all names are known.
    pub(super) fn kinds(&mut self, resolved: &Resolved) {
        let all: Vec<&ast::Kind> = resolved
            .items
            .iter()
            .filter_map(|i| match &i.item.kind {
                ItemKind::Kind(k) => Some(k),
                _ => None,
            })
            .collect();
        for kind in &all {
            if !self.declare_name("name", &kind.name) {
                continue;
            }
            let id = KindId::at(self.out.kinds.len());
            let plural =
                kind.plural.as_ref().map_or_else(|| kind.name.text.clone(), |p| p.text.clone());
            self.symbols.kinds.insert(kind.name.text.clone(), id);
            self.symbols.kinds.entry(plural.clone()).or_insert(id);
            self.out.kinds.push(Kind {
                name: kind.name.text.clone(),
                plural,
                parent: None,
                top: id,
                one_way: false,
                every_two: None,
                some_of: None,
                told_by: None,
            });
        }
        for kind in &all {
            let Some(id) = self.symbols.kinds.get(&kind.name.text).copied() else { continue };
            let parent = self.kind(&kind.parent);
            if parent.is_none() {
                let names = [Some(&kind.name), kind.plural.as_ref()].into_iter().flatten();
                self.symbols.lost.extend(names.map(|name| name.text.clone()));
            }
            let parent = parent.unwrap_or(KindId::UNIT);
            if self.out.is_kind(parent, id) {
                self.fault(
                    Diagnostic::error(
                        code::E0214,
                        kind.parent.span,
                        format!("`{}` would be a kind of itself", kind.name.text),
                    )
                    .help("a kind lies below `unit`, `space`, `link` or `world` in the end"),
                );
                continue;
            }
            if let Some(k) = self.out.kinds.get_mut(id.index()) {
                k.parent = Some(parent);
            }
        }
        for at in 0..self.out.kinds.len() {
            let mut top = KindId::at(at);
            while let Some(parent) = self.out.kinds.get(top.index()).and_then(|k| k.parent) {
                top = parent;
            }
            if let Some(kind) = self.out.kinds.get_mut(at) {
                kind.top = top;
            }
        }
        self.ways_of_links(&all);
    }

    /// `kind chute, chutes is link one way`; kinds below it lead one way too.
    fn ways_of_links(&mut self, all: &[&ast::Kind]) {
        for kind in all {
            let id = self.symbols.kinds.get(&kind.name.text).copied();
            let (Some(id), Some(span)) = (id, kind.one_way) else { continue };
            if self.is_lost(&kind.name.text) {
                continue;
            }
            if self.out.top(id) != KindId::LINK {
                let message = format!("a {} leads nowhere: it is no kind of link", kind.name.text);
                self.fault(
                    Diagnostic::error(code::E0207, span, message)
                        .help("`one way` is said of a kind of link"),
                );
                continue;
            }
            let below: Vec<KindId> = (0..self.out.kinds.len())
                .map(KindId::at)
                .filter(|k| self.out.is_kind(*k, id))
                .collect();
            for kind in below {
                if let Some(kind) = self.out.kinds.get_mut(kind.index()) {
                    kind.one_way = true;
                }
            }
        }
    }

    pub(super) fn built_in_facts(&mut self) {
        let side = Type::Thing { kind: KindId::SIDE, maybe: true };
        let space = Type::Thing { kind: KindId::SPACE, maybe: true };
        for (name, kind, ty) in [
            ("owner", KindId::UNIT, side),
            ("space", KindId::UNIT, space),
            ("control", KindId::SPACE, side),
        ] {
            self.add_fact(name, name, kind, ty, 0, FactOrigin::BuiltIn);
        }
    }

    pub(super) fn add_fact(
        &mut self,
        name: &str,
        title: &str,
        kind: KindId,
        ty: Type,
        default: i64,
        origin: FactOrigin,
    ) -> FactId {
        let top = self.out.kinds.get(kind.index()).map_or(kind, |k| k.top);
        let slot = self
            .out
            .facts
            .iter()
            .filter(|f| self.out.kinds.get(f.kind.index()).is_some_and(|k| k.top == top))
            .count();
        let id = FactId::at(self.out.facts.len());
        let slot = u16::try_from(slot).unwrap_or(u16::MAX);
        self.out.facts.push(Fact {
            name: name.to_owned(),
            title: title.to_owned(),
            kind,
            ty,
            default,
            origin,
            slot,
            printed: false,
        });
        self.add_member(name, kind, Member::Fact(id));
        id
    }

    pub(super) fn add_member(&mut self, name: &str, kind: KindId, member: Member) {
        self.symbols.members.entry(name.to_owned()).or_default().push((kind, member));
    }

    /// A name said of a kind; a second one in sight of the same things is a fault.
    pub(super) fn declare_member(&mut self, name: &ast::Name, kind: KindId) -> bool {
        self.is_no_condition(name);
        let key = ("name", format!("{} of {}", name.text, kind.0));
        let clash = self.symbols.members.get(&name.text).is_some_and(|all| {
            all.iter().any(|(k, _)| self.out.is_kind(*k, kind) || self.out.is_kind(kind, *k))
        });
        if clash {
            let first = self.symbols.places.get(&key).copied();
            let what = self.kind_name(kind);
            let mut fault = Diagnostic::error(
                code::E0202,
                name.span,
                format!("`{}` of {} is declared twice", name.text, with_article(&what)),
            )
            .help("take another name for one of them; a variant changes a name with `override`");
            if let Some(first) = first {
                fault = fault.label(first, "first declared here");
                fault = self.changed_by_override(name, first, fault);
            }
            self.fault(fault);
            return false;
        }
        self.symbols.places.insert(key, name.span);
        true
    }

    /// A name that a variant declares again: it may mean to change the item.
    fn changed_by_override(&self, name: &ast::Name, first: Span, fault: Diagnostic) -> Diagnostic {
        let text = self.sources.text(name.span.source);
        let before = text.get(..name.span.start as usize).unwrap_or_default();
        let noun = before.rsplit('\n').next().unwrap_or_default();
        if first.source == name.span.source || noun.starts_with([' ', '\t']) {
            return fault;
        }
        let start = name.span.start - u32::try_from(noun.len()).unwrap_or_default();
        let place = Span { start, end: name.span.end, ..name.span };
        let way = Way::near(place, &format!("override {noun}{}", name.text));
        let otherwise =
            "take another name for one of them; a variant changes a name with `override`";
        fault.ways(vec![way]).or_else(otherwise)
    }

    pub(super) fn attributes(&mut self, kind: &ast::Kind) {
        let Some(id) = self.symbols.kinds.get(&kind.name.text).copied() else { return };
        self.said_twice(&kind.twice);
        for attribute in &kind.attributes {
            if self.declare_member(&attribute.name, id)
                && let Some((ty, default)) = self.attribute_type(&attribute.name, &attribute.ty)
                && self.fits_link(id, &attribute.name, ty)
            {
                self.add_fact(
                    &attribute.name.text,
                    &attribute.name.text,
                    id,
                    ty,
                    default,
                    FactOrigin::Attribute,
                );
            }
        }
    }

    pub(super) fn attribute_type(
        &mut self,
        name: &ast::Name,
        ty: &AttributeType,
    ) -> Option<(Type, i64)> {
        match ty {
            AttributeType::Truth => Some((Type::Truth, 0)),
            AttributeType::Word(words) => Some((Type::Word(self.word_set(&name.text, words)), 0)),
            AttributeType::Thing { kind: named, maybe } => {
                let kind = self.kind(named)?;
                if !matches!(self.out.top(kind), KindId::UNIT | KindId::SPACE | KindId::SIDE) {
                    self.fault(
                        Diagnostic::error(
                            code::E0207,
                            named.span,
                            format!("nothing that is {} can be named", with_article(&named.text)),
                        )
                        .help("a fact names a unit, a space or a side"),
                    );
                    self.symbols.lost.push(name.text.clone());
                    return None;
                }
                Some((Type::Thing { kind, maybe: *maybe }, 0))
            }
            AttributeType::Track(track) => match self.symbols.tracks.get(&track.text).copied() {
                Some(set) => Some((Type::Word(set), 0)),
                None => {
                    let known = self.gathered(self.symbols.tracks.keys().cloned());
                    self.unknown(code::E0201, track, "track", known.iter().map(String::as_str));
                    self.symbols.lost.push(name.text.clone());
                    None
                }
            },
            AttributeType::Number { dimension, low, high } => {
                let dimension = dimension.as_ref().and_then(|name| self.dimension(name));
                let (low_value, high_value) = (self.whole(low)?, self.whole(high)?);
                if low_value > high_value {
                    let (first, last) = (&low.text, &high.text);
                    let span = low.span.to(high.span);
                    let title = format!("nothing lies from {first} to {last}");
                    let help = format!("write `from {last} to {first}`");
                    let way = Way { help, ..Way::near(span, &format!("{last} to {first}")) };
                    self.fault(Diagnostic::error(code::E0210, span, title).ways(vec![way]));
                    return None;
                }
                let default = 0i64.clamp(low_value, high_value);
                Some((
                    Type::Number { dimension, low: low_value, high: high_value, fraction: false },
                    default,
                ))
            }
        }
    }

    /// The set of words of an attribute or ruling.
    pub(super) fn word_set(&mut self, name: &str, words: &[ast::Name]) -> WordSetId {
        let mut texts: Vec<String> = Vec::new();
        for word in words {
            if texts.contains(&word.text) {
                self.fault(
                    Diagnostic::error(
                        code::E0202,
                        word.span,
                        format!("`{}` stands twice in the list", word.text),
                    )
                    .help("take one of the two out"),
                );
            } else {
                texts.push(word.text.clone());
            }
        }
        let id = WordSetId::at(self.out.word_sets.len());
        self.out.word_sets.push(WordSet { name: name.to_owned(), words: texts, ordered: false });
        id
    }

    pub(super) fn dimension(&mut self, name: &ast::Name) -> Option<DimensionId> {
        let found = self.symbols.dimensions.get(&name.text).copied();
        self.symbols.note(name.span, super::scope::Used::Dimension);
        if found.is_none() {
            let known = self.gathered(self.symbols.dimensions.keys().cloned());
            self.unknown(code::E0205, name, "dimension", known.iter().map(String::as_str));
        }
        found
    }

    /// A whole number as written; amounts of rules stay far from the ends of the machine's numbers.
    pub(super) fn whole(&mut self, bound: &ast::Bound) -> Option<i64> {
        match bound.text.parse::<i64>() {
            Ok(value) if (-MOST..=MOST).contains(&value) => Some(value),
            _ => {
                self.fault(
                    Diagnostic::error(
                        code::E0210,
                        bound.span,
                        format!("`{}` is out of range", bound.text),
                    )
                    .help(format!("a whole number here lies between -{MOST} and {MOST}")),
                );
                None
            }
        }
    }

    pub(super) fn named(&mut self, named: &ast::Named) {
        let Some(kind) = self.kind(&named.kind) else { return };
        if self.out.is_kind(kind, KindId::SPACE) {
            return self.named_places(named, kind);
        }
        if !self.out.is_kind(kind, KindId::UNIT) {
            self.fault(
                Diagnostic::error(
                    code::E0207,
                    named.kind.span,
                    format!("`{}` is no kind of unit or space", named.kind.text),
                )
                .help("a ruleset names units, and spaces that each of its maps has"),
            );
            return;
        }
        for name in &named.names {
            if self.declare_name("name", name) {
                let at = u32::try_from(self.out.named.len()).unwrap_or(u32::MAX);
                self.symbols.named.insert(name.text.clone(), at);
                self.out.named.push(NamedUnit { name: name.text.clone(), kind });
            }
        }
    }

    /// Whether things of a kind can be asked: a link is known by its facts, where it is gone over or
    /// counted.
    pub(super) fn can_be_asked(&mut self, kind: KindId, place: Span, name: &ast::Name) -> bool {
        if self.out.top(kind) != KindId::LINK {
            return true;
        }
        self.symbols.lost.push(name.text.clone());
        let link = self.kind_name(kind);
        let message = format!(
            "`{}` is asked of {} by itself, and a link is known by its facts",
            name.text,
            with_article(&link)
        );
        self.fault(Diagnostic::error(code::E0321, place, message).help(format!(
            "ask the facts of the link where it is gone over or counted, as in `over {link} where ...` or `any {link} here where ...`"
        )));
        false
    }

    pub(super) fn mark(&mut self, mark: &ast::Mark) {
        let Some(kind) = self.kind(&mark.of) else { return };
        let until = mark.until.as_ref().and_then(|u| self.moment_point(u));
        if self.declare_member(&mark.name, kind) {
            let title = mark.title.as_ref().map_or(&mark.name.text, |t| &t.text);
            self.add_fact(&mark.name.text, title, kind, Type::Truth, 0, FactOrigin::Mark(until));
            if !mark.cites.0.is_empty() {
                self.line(format!("mark {}", mark.name.text), mark.name.span, &mark.cites);
            }
        }
    }

    pub(super) fn given(&mut self, given: &ast::GivenDecl) {
        let Some(kind) = self.kind(&given.of) else { return };
        let ty = match &given.ty {
            None => Some((Type::Truth, 0)),
            Some(ty) => self.attribute_type(&given.name, ty),
        };
        if let Some((ty, default)) = ty
            && self.fits_link(kind, &given.name, ty)
            && self.declare_member(&given.name, kind)
        {
            let title = given.title.as_ref().map_or(&given.name.text, |t| &t.text);
            self.add_fact(&given.name.text, title, kind, ty, default, FactOrigin::Given);
            if !given.cites.0.is_empty() {
                self.line(format!("given {}", given.name.text), given.name.span, &given.cites);
            }
        }
    }
}
