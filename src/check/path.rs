//! Paths: `strength of commander of the fortress`, read from the thing behind to the fact in front.

use super::Checker;
use super::scope::{Member, Scope, Ty, Typed};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast::{Head, HeadKind, Name, Path};

impl Checker<'_> {
    /// A path; a single word may be any name in sight.
    pub(super) fn path(
        &mut self,
        path: &Path,
        scope: &Scope<'_>,
        expect: Option<Type>,
        asked: Asked,
    ) -> Typed {
        if let Some(parties) = &path.between {
            return self.amount_between(path, parties, scope);
        }
        let Some((last, front)) = path.heads.split_last() else { return self.poison(path.span) };
        if path.here {
            return self.fact_here(path, last, scope, asked);
        }
        let mut found = if front.is_empty() {
            self.lone(last, scope, expect, asked)
        } else {
            self.owner_of_fact(last, scope, asked)
        };
        for head in front.iter().rev() {
            found = self.fact_of(head, found, path, asked);
        }
        Typed { span: path.span, ..found }
    }

    /// `terrain here`: a fact of the space in which the innermost subject stands.
    fn fact_here(&mut self, path: &Path, head: &Head, scope: &Scope<'_>, asked: Asked) -> Typed {
        match self.here(path.span, scope) {
            Some(space) => self.fact_of(head, space, path, asked),
            None => self.poison(path.span),
        }
    }

    /// The space in which the innermost subject stands, or which it is.
    pub(super) fn here(&mut self, span: crate::source::Span, scope: &Scope<'_>) -> Option<Typed> {
        if let Some((party, _)) = scope.parties.filter(|_| scope.between_parties()) {
            self.fault(
                Diagnostic::error(
                    code::E0317,
                    span,
                    "two parties stand somewhere, and `here` does not say which",
                )
                .help(format!("name the space, as in `in space of {party}`")),
            );
            return None;
        }
        let Some((level, kind)) = scope.innermost() else {
            self.fault(
                Diagnostic::error(code::E0304, span, "nothing stands `here`")
                    .help("name the space behind `in`, or say of what this is, as in `of army`"),
            );
            return None;
        };
        if self.out.is_kind(kind, KindId::UNIT) {
            let unit = self.node(Node::Subject(level), span);
            let space = self.space_kind_of(kind).unwrap_or(KindId::SPACE);
            return Some(self.typed(
                Node::Fact(crate::world::built_in::SPACE, unit),
                Ty::Of(Type::Thing { kind: space, maybe: true }),
                span,
            ));
        }
        if self.out.is_kind(kind, KindId::SPACE) {
            return Some(self.typed(Node::Subject(level), Ty::thing(kind), span));
        }
        let what = self.a_kind(kind);
        self.fault(
            Diagnostic::error(
                code::E0304,
                span,
                format!("{what} stands in no space, so nothing is `here`"),
            )
            .help("name the space, as in `any army in Hill`, or leave `here` out"),
        );
        None
    }

    /// The thing at the end of a path: an object, or a fact of the innermost subject that is a
    /// thing.
    fn owner_of_fact(&mut self, head: &Head, scope: &Scope<'_>, asked: Asked) -> Typed {
        self.lone(head, scope, None, asked)
    }

    /// A word on its own.
    fn lone(
        &mut self,
        head: &Head,
        scope: &Scope<'_>,
        expect: Option<Type>,
        asked: Asked,
    ) -> Typed {
        match &head.kind {
            HeadKind::It => match scope.innermost().filter(|(level, _)| *level > 0) {
                Some((level, kind)) => self.typed(Node::Subject(level), Ty::thing(kind), head.span),
                None => {
                    self.fault(
                        Diagnostic::error(
                            code::E0304,
                            head.span,
                            "`it` is the thing that `where` asks about, and there is none here",
                        )
                        .help("a fact of the subject stands by itself, without `it`"),
                    );
                    self.poison(head.span)
                }
            },
            HeadKind::The(name) => self.the(head, name, scope),
            HeadKind::Hex(label) => match scope.objects {
                Some(objects) => self.object(label, scope).unwrap_or_else(|| {
                    self.no_space(code::E0701, label, objects.map);
                    self.poison(head.span)
                }),
                None => self.labelled(label, head.span),
            },
            HeadKind::Link(link) => self.link_by_ends(link, head.span, scope),
            HeadKind::Name(name) => self.named_value(name, scope, expect, asked),
        }
    }

    /// `the army`: the nearest subject of that kind outside the candidate.
    fn the(&mut self, head: &Head, name: &Name, scope: &Scope<'_>) -> Typed {
        if let Some(party) = self.party(name, scope) {
            return party;
        }
        if let Some(end) = self.step_end(name, scope) {
            return end;
        }
        if let Some(source) = self.the_source(name, scope) {
            return source;
        }
        let Some(kind) = self.kind(name) else { return self.poison(head.span) };
        // In the body of a pair the two parties are called by their names.
        let named = if scope.parties.is_some() { 2 } else { 0 };
        let of_kind = |k: &KindId| self.out.is_kind(*k, kind) || self.out.is_kind(kind, *k);
        // Inside `where` the candidate is `it`; `the` looks past it to the thing outside.
        let outer = scope.levels.len().saturating_sub(1);
        let said = |(level, _): &(usize, &KindId)| !scope.of_tracer || *level != 1;
        let levels = || scope.levels.iter().enumerate().skip(named).filter(said);
        let around = levels().rev().filter(|(l, _)| *l < outer).find(|(_, k)| of_kind(k));
        let found = around.or_else(|| levels().next_back().filter(|(_, k)| of_kind(k)));
        match found {
            Some((level, kind)) => {
                if level == 0 && scope.levels.len() > 1 {
                    self.reads_subject = true;
                }
                let level = u8::try_from(level).unwrap_or(u8::MAX);
                self.typed(Node::Subject(level), Ty::thing(*kind), head.span)
            }
            None if scope.parties.is_some() => {
                let (first, second) = scope.parties.unwrap_or_default();
                self.fault(
                    Diagnostic::error(
                        code::E0317,
                        head.span,
                        format!(
                            "`the {}` does not say which of the two parties is meant",
                            name.text
                        ),
                    )
                    .help(format!("write `{first}` or `{second}`")),
                );
                self.poison(head.span)
            }
            None => {
                self.fault(
                    Diagnostic::error(code::E0304, head.span, format!("no {} is the subject here", name.text))
                        .help("`the` names the thing a rule is asked of, or one that an outer `where` asks about"),
                );
                self.poison(head.span)
            }
        }
    }

    /// `the last` and `the next`: the space that a step of a line leaves, and the one that it enters.
    fn step_end(&mut self, name: &Name, scope: &Scope<'_>) -> Option<Typed> {
        let next = match name.text.as_str() {
            "last" => false,
            "next" => true,
            _ => return None,
        };
        let subject = scope.levels.first().filter(|_| scope.objects.is_none())?;
        let asks = scope.parties.is_none() && !self.symbols.kinds.contains_key(&name.text);
        let kind = self.space_kind_of(*subject).filter(|_| asks)?;
        Some(self.typed(Node::StepEnd(next), Ty::thing(kind), name.span))
    }

    fn object(&mut self, name: &Name, scope: &Scope<'_>) -> Option<Typed> {
        let objects = scope.objects?;
        if let Some((at, kind)) = objects.units.get(&name.text) {
            return Some(self.typed(Node::Unit(*at), Ty::thing(*kind), name.span));
        }
        let (at, kind) = self.space_of(objects, &name.text)?;
        Some(self.typed(Node::Space(at), Ty::thing(kind), name.span))
    }

    /// A word of the set that the place wants.
    pub(super) fn word(&mut self, name: &Name, expect: Type) -> Option<Typed> {
        let Type::Word(set) = expect else { return None };
        let at = self.out.word_sets.get(set.index())?.words.iter().position(|w| *w == name.text)?;
        let at = u16::try_from(at).ok()?;
        Some(self.typed(Node::Word(set, at), Ty::Of(expect), name.span))
    }

    /// A bare name: what the place wants first, then facts of the innermost subject, then what the
    /// whole ruleset knows.
    fn named_value(
        &mut self,
        name: &Name,
        scope: &Scope<'_>,
        expect: Option<Type>,
        asked: Asked,
    ) -> Typed {
        if scope.rolled
            && let Some(node) = match name.text.as_str() {
                "total" => Some(Node::Total),
                "natural" => Some(Node::Natural),
                _ => None,
            }
        {
            return self.typed(
                node,
                Ty::number(None, -super::declare::MOST, super::declare::MOST),
                name.span,
            );
        }
        // A party is called by its name everywhere but where a word of some set is wanted.
        if !matches!(expect, Some(Type::Word(_)))
            && let Some(party) = self.party(name, scope)
        {
            return party;
        }
        if let Some(found) = expect.and_then(|e| self.expected(name, scope, e)) {
            return found;
        }
        if let Some(party) = self.party(name, scope) {
            return party;
        }
        if let Some((level, kind)) = scope.innermost() {
            if let Some(member) = self.member(&name.text, kind) {
                let subject = self.typed(Node::Subject(level), Ty::thing(kind), name.span);
                return match self.apply(member, subject, name, asked) {
                    Some(found) => found,
                    None => self.poison(name.span),
                };
            }
            // `space` of a space, `hex` of a hex: the thing itself by the name of its kind.
            if let Some(own) = self.symbols.kinds.get(&name.text).copied()
                && self.out.is_kind(kind, own)
            {
                return self.typed(Node::Subject(level), Ty::thing(kind), name.span);
            }
        }
        if let Some(found) = self.object(name, scope) {
            return found;
        }
        if let Some(found) = self.global(name, scope, asked) {
            return found;
        }
        match expect {
            // What gives its words has a fault of its own, and may have had this one.
            Some(Type::Word(set)) if self.is_broken(set) => {}
            Some(Type::Word(set)) => {
                let words = self.out.word_sets.get(set.index()).into_iter().flat_map(|s| &s.words);
                let words = self.gathered(words.cloned());
                let what = self
                    .out
                    .word_sets
                    .get(set.index())
                    .map_or_else(String::new, |s| format!("word of `{}`", s.name));
                self.unknown(code::E0206, name, &what, words.iter().map(String::as_str));
            }
            // A condition that holds always or never, where nothing is called so.
            None | Some(Type::Truth) if matches!(name.text.as_str(), "yes" | "no") => {
                return self.typed(Node::Truth(name.text == "yes"), Ty::TRUTH, name.span);
            }
            _ => self.unknown_fact(name, scope),
        }
        self.poison(name.span)
    }

    /// What the place wants: one of its words, `none`, a named thing of its kind, or yes and no.
    fn expected(&mut self, name: &Name, scope: &Scope<'_>, expect: Type) -> Option<Typed> {
        match expect {
            Type::Word(_) => self.word(name, expect),
            Type::Thing { kind, .. } => {
                if name.text == "none" {
                    return Some(self.typed(Node::NoThing, Ty::None, name.span));
                }
                if let Some(at) = self.symbols.named.get(&name.text).copied() {
                    let of = self.out.named.get(at as usize).map_or(KindId::UNIT, |n| n.kind);
                    if self.out.is_kind(of, kind) {
                        return Some(self.typed(Node::Unit(at), Ty::thing(of), name.span));
                    }
                }
                if self.out.top(kind) == KindId::SPACE
                    && scope.objects.is_none()
                    && let Some(place) = self.named_space(name)
                {
                    return Some(place);
                }
                if self.out.top(kind) == KindId::SIDE
                    && let Some(side) = self.symbols.sides.get(&name.text).copied()
                {
                    return Some(self.typed(Node::Side(side), Ty::thing(KindId::SIDE), name.span));
                }
                self.object(name, scope).filter(|t| matches!(t.ty, Ty::Of(Type::Thing { kind: k, .. }) if self.out.is_kind(k, kind)))
            }
            Type::Truth => match name.text.as_str() {
                "yes" => Some(self.typed(Node::Truth(true), Ty::TRUTH, name.span)),
                "no" => Some(self.typed(Node::Truth(false), Ty::TRUTH, name.span)),
                _ => None,
            },
            Type::Number { .. } => None,
        }
    }

    /// What the whole ruleset knows: sides, rulings, facts of the world, named units, sub-kinds.
    fn global(&mut self, name: &Name, scope: &Scope<'_>, asked: Asked) -> Option<Typed> {
        if name.text == "viewer" {
            self.viewed = Some(name.clone());
            return Some(self.typed(Node::Viewer, Ty::thing(KindId::SIDE), name.span));
        }
        if let Some(side) = self.symbols.sides.get(&name.text).copied() {
            return Some(self.typed(Node::Side(side), Ty::thing(KindId::SIDE), name.span));
        }
        if let Some(ruling) = self.symbols.rulings.get(&name.text).copied() {
            self.symbols.read.insert(name.text.clone());
            let (set, option) =
                self.out.rulings.get(ruling.index()).map(|r| (r.readings, r.option))?;
            let value = self.node(Node::Ruling(ruling), name.span);
            if option {
                let on = self.node(Node::Word(set, 1), name.span);
                return Some(self.typed(Node::Same(value, on), Ty::TRUTH, name.span));
            }
            return Some(Typed { id: value, ty: Ty::Of(Type::Word(set)), span: name.span });
        }
        if let Some(member) = self.world_member(&name.text) {
            let world = self.typed(Node::Nothing, Ty::thing(KindId::WORLD), name.span);
            return self.apply(member, world, name, asked);
        }
        if let Some(at) = self.symbols.named.get(&name.text).copied() {
            let kind = self.out.named.get(at as usize).map_or(KindId::UNIT, |n| n.kind);
            return Some(self.typed(Node::Unit(at), Ty::thing(kind), name.span));
        }
        if let Some(place) = self.named_space(name) {
            return Some(place);
        }
        if let Some(stance) = super::things::stance(&name.text)
            && let Some((level, _)) = scope.innermost()
        {
            self.viewed = Some(name.clone());
            let subject = self.node(Node::Subject(level), name.span);
            return Some(self.typed(Node::Stands(subject, stance), Ty::TRUTH, name.span));
        }
        let (level, kind) = scope.innermost()?;
        let sub = self
            .symbols
            .kinds
            .get(&name.text)
            .copied()
            .filter(|sub| self.out.is_kind(*sub, kind))?;
        let subject = self.node(Node::Subject(level), name.span);
        Some(self.typed(Node::IsKind(subject, sub), Ty::TRUTH, name.span))
    }

    fn world_member(&mut self, name: &str) -> Option<Member> {
        let all = self.symbols.members.get(name)?;
        let found = all
            .iter()
            .find(|(k, _)| self.out.kinds.get(k.index()).is_some_and(|k| k.top == KindId::WORLD))
            .map(|(_, m)| *m);
        if found.is_some() {
            self.symbols.read.insert(name.to_owned());
        }
        found
    }
}
