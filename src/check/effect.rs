//! What a step does to each thing: the effect, and the facts that may be set.

use super::Checker;
use super::scope::{Member, Scope, Ty, Typed};
use crate::diag::{Diagnostic, Way, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast;
use crate::world::built_in;

/// The help where a step that is for units names none.
const FOR_UNITS: &str = "write `for` and the units behind it";

impl Checker<'_> {
    pub(super) fn effect(&mut self, effect: &ast::Effect, scope: &Scope<'_>) -> Option<Effect> {
        match effect {
            ast::Effect::Mark(name) => Some(Effect::Mark(self.mark_called(name, scope)?)),
            ast::Effect::Clear(path) => {
                let (fact, of) = self.settable(path, scope)?;
                self.can_be_cleared(fact, path.span)?;
                let of = of.unwrap_or_else(|| self.node(Node::Nothing, path.span));
                Some(Effect::Clear(fact, of))
            }
            ast::Effect::Set { path, value } => {
                let (fact, of) = self.settable(path, scope)?;
                let ty = self.out.facts.get(fact.index())?.ty;
                let left = self.typed(Node::Nothing, Ty::Of(ty), path.span);
                let value_typed = self.expr(value, scope, Some(ty));
                // What is faulty already is not held against the fact too.
                if value_typed.ty != Ty::Poison && !self.words_of_another(value_typed, ty, path) {
                    self.same(value.span, left, value, scope);
                }
                self.wants_whole(value_typed, "a whole number is kept");
                self.wants_its_kind(value_typed, ty);
                self.can_be_kept(value_typed, ty, value.span);
                let of = of.unwrap_or_else(|| self.node(Node::Nothing, path.span));
                Some(Effect::Set(fact, of, value_typed.id))
            }
            ast::Effect::Relate { left, how, right } => self.relate(left, how, right, scope),
            ast::Effect::Change { raise, path, by } => {
                let (fact, of) = self.settable(path, scope)?;
                let ty = self.out.facts.get(fact.index())?.ty;
                let dimension = match ty {
                    Type::Number { dimension, .. } => dimension,
                    // Stages are counted by whatever amount says how far to go.
                    Type::Word(set) if self.is_track(set) => None,
                    _ => {
                        self.fault(
                            Diagnostic::error(
                                code::E0308,
                                path.span,
                                "only an amount, or a stage of a track, is raised or lowered",
                            )
                            .help("write `set ... to ...`"),
                        );
                        return None;
                    }
                };
                let amount = self.amount(by, scope, dimension);
                self.wants_whole(amount, "a fact changes by a whole number");
                self.changes_its_way(*raise, amount, by);
                let of = of.unwrap_or_else(|| self.node(Node::Nothing, path.span));
                Some(Effect::Change { raise: *raise, fact, of, by: amount.id })
            }
            ast::Effect::Remove(span) => {
                let help = "a control or a mark is cleared: `clear control`";
                let fault =
                    Diagnostic::error(code::E0308, *span, "only units are removed").help(help);
                self.unit_of(scope, fault).map(|_| Effect::Remove)
            }
            ast::Effect::Move(path) => {
                let fault =
                    Diagnostic::error(code::E0308, path.span, "only units move").help(FOR_UNITS);
                let kind = self.unit_of(scope, fault)?;
                let space = self.space_kind_of(kind).unwrap_or(KindId::SPACE);
                Some(Effect::Move(self.thing(path, scope, space)?.id))
            }
            ast::Effect::Follow { trace, within, stopping } => {
                self.follow(trace, within.as_ref(), stopping.as_ref(), scope)
            }
            ast::Effect::Place { span, placement } => {
                self.placement(*span, placement, scope).map(Effect::Place)
            }
        }
    }

    /// The kind of the units that a step is about; the fault where it is about something else.
    fn unit_of(&mut self, scope: &Scope<'_>, fault: Diagnostic) -> Option<KindId> {
        let innermost = scope.innermost().map(|(_, kind)| kind);
        let unit = innermost.filter(|kind| self.out.is_kind(*kind, KindId::UNIT));
        if unit.is_none() {
            self.fault(fault);
        }
        unit
    }

    /// Whether a word is set to what has words of its own, an outcome of a test or a table, by their
    /// names: then the fact must have each of them.
    fn words_of_another(&mut self, value: Typed, ty: Type, path: &ast::Path) -> bool {
        let (Ty::Of(Type::Word(from)), Type::Word(into)) = (value.ty, ty) else { return false };
        if from == into || self.out.declared_type(value.id) != Some(Type::Word(from)) {
            return false;
        }
        let words =
            |set: WordSetId| self.out.word_sets.get(set.index()).map_or(&[][..], |s| &s.words);
        let Some(lacking) = words(from).iter().find(|word| !words(into).contains(word)) else {
            return true;
        };
        let text = |span: Span| self.sources.slice(span).trim().to_owned();
        let (fact, said) = (text(path.span), text(value.span));
        let message = format!("`{said}` can be `{lacking}`, and `{fact}` has no such word");
        let help = format!(
            "give `{fact}` the word, or set it word by word, as in `... where {said} is ...`"
        );
        self.fault(
            Diagnostic::error(code::E0302, value.span, message)
                .label(path.span, "every word that comes must be one of these")
                .help(help),
        );
        true
    }

    /// A thing that is kept in a fact must be of the fact's kind, whatever else its own declaration
    /// allows.
    fn wants_its_kind(&mut self, value: Typed, ty: Type) {
        let (Ty::Of(Type::Thing { kind: is, .. }), Type::Thing { kind: want, .. }) = (value.ty, ty)
        else {
            return;
        };
        // Of another sort it has been refused already; here it may be of a kind that is too wide.
        if self.out.is_kind(want, is) && !self.out.is_kind(is, want) {
            let (is, want) = (self.a_kind(is), self.a_kind(want));
            self.fault(
                Diagnostic::error(
                    code::E0302,
                    value.span,
                    format!("{want} should stand here, and this is {is}"),
                )
                .help(format!("write a value that is always {want}, or widen the fact")),
            );
        }
    }

    /// How a unit is laid anew on its table.
    fn placement(
        &mut self,
        span: Span,
        placement: &ast::Placement,
        scope: &Scope<'_>,
    ) -> Option<Placement> {
        let fault =
            Diagnostic::error(code::E0729, span, "only units are laid anew").help(FOR_UNITS);
        let kind = self.unit_of(scope, fault)?;
        let some_base = |k: &KindId| self.out.is_kind(*k, kind) && self.out.base_of(*k).is_some();
        if !(0..self.out.kinds.len()).map(KindId::at).any(|k| some_base(&k)) {
            let what = self.kind_name(kind);
            self.fault(
                Diagnostic::error(
                    code::E0729,
                    span,
                    format!("a {what} has no base, so it lies on no table"),
                )
                .help(format!("say how large it is, as in `base 1 by 1/2` under `kind {what}`")),
            );
            return None;
        }
        let length = |checker: &mut Self, by: &ast::Expr| {
            let dimension = checker.out.tabletop;
            checker.amount(by, scope, dimension).id
        };
        let unit = |checker: &mut Self, path: &ast::Path| {
            checker.thing(path, scope, KindId::UNIT).map(|found| found.id)
        };
        Some(match placement {
            ast::Placement::Advance { by, short } => {
                Placement::Advance { by: length(self, by), short: *short }
            }
            ast::Placement::FallBack { by } => Placement::FallBack { by: length(self, by) },
            ast::Placement::FallBackToGap => Placement::FallBackToGap,
            ast::Placement::Swap(with) => Placement::Swap(unit(self, with)?),
            ast::Placement::Conform(to) => Placement::Conform(unit(self, to)?),
            ast::Placement::Face(to) => Placement::Face(unit(self, to)?),
            ast::Placement::FaceAbout => Placement::FaceAbout,
            ast::Placement::BreakOff { by } => Placement::BreakOff { by: length(self, by) },
            ast::Placement::Wheel { left, to } => {
                Placement::Wheel { left: *left, to: self.heading(to)? }
            }
        })
    }

    fn follow(
        &mut self,
        trace: &ast::Name,
        within: Option<&ast::Expr>,
        stopping: Option<&ast::Name>,
        scope: &Scope<'_>,
    ) -> Option<Effect> {
        let id = self.trace_called(trace)?;
        let fault =
            Diagnostic::error(code::E0308, trace.span, "only units follow a line").help(FOR_UNITS);
        let units = self.unit_of(scope, fault)?;
        self.is_traced(trace, id, units)?;
        let dimension = self.link_dimension();
        let within = within.map(|w| {
            let found = self.amount(w, scope, dimension);
            self.wants_whole(found, "a way is a whole number of links long");
            found.id
        });
        let (_, kind) = scope.innermost()?;
        let space = self.space_kind_of(kind)?;
        let stopping = stopping.map(|name| {
            let inner = scope.with(space);
            let path = ast::Path {
                span: name.span,
                heads: vec![ast::Head { span: name.span, kind: ast::HeadKind::Name(name.clone()) }],
                here: false,
                between: None,
            };
            let expr = ast::Expr { span: name.span, kind: ast::ExprKind::Path(path) };
            self.truth(&expr, &inner)
        });
        Some(Effect::Follow { trace: id, within, stopping })
    }

    /// A mark of the things of a step.
    fn mark_called(&mut self, name: &ast::Name, scope: &Scope<'_>) -> Option<FactId> {
        // With no things behind it the mark is one of the world.
        let of_world = scope.innermost().is_none();
        let kind = scope.innermost().map_or(KindId::WORLD, |(_, kind)| kind);
        if of_world && self.member(&name.text, kind).is_none() {
            self.fault(
                Diagnostic::error(code::E0308, name.span, "a mark is set on something")
                    .help(format!("write `mark {} for` and the things behind it", name.text)),
            );
            return None;
        }
        match self.member(&name.text, kind) {
            Some(Member::Fact(fact))
                if self
                    .out
                    .facts
                    .get(fact.index())
                    .is_some_and(|f| matches!(f.origin, FactOrigin::Mark(_))) =>
            {
                self.symbols.note(name.span, super::scope::Used::Fact(fact));
                self.symbols.set_facts.push(fact);
                Some(fact)
            }
            Some(_) => {
                self.fault(
                    Diagnostic::error(
                        code::E0308,
                        name.span,
                        format!("`{}` is no mark", name.text),
                    )
                    .help("declare it with `mark NAME of KIND`, or change it with `set`"),
                );
                None
            }
            None => {
                let known: Vec<String> = self
                    .out
                    .facts
                    .iter()
                    .filter(|f| matches!(f.origin, FactOrigin::Mark(_)))
                    .map(|f| f.name.clone())
                    .collect();
                let what = format!("mark of {}", self.a_kind(kind));
                self.unknown(code::E0201, name, &what, known.iter().map(String::as_str));
                None
            }
        }
    }

    /// A stored amount is a whole number; the author writes how it is rounded.
    pub(super) fn wants_whole(&mut self, value: Typed, why: &str) {
        if let Ty::Of(Type::Number { fraction: true, .. }) = value.ty {
            let text = self.sources.slice(value.span).trim().to_owned();
            let bare = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
            let ways = ["down", "up", "nearest"]
                .map(|mode| Way::near(value.span, &format!("rounded {mode} ({bare})")));
            self.fault(
                Diagnostic::error(
                    code::E0306,
                    value.span,
                    format!("{why}, and `{text}` can be a fraction"),
                )
                .ways(ways.into())
                .or_else("say how it rounds, as in `rounded down (...)`")
                .settled(),
            );
        }
    }

    /// A stored fact that a step or case may set, and of which thing; none for the world.
    pub(super) fn settable(
        &mut self,
        path: &ast::Path,
        scope: &Scope<'_>,
    ) -> Option<(FactId, Option<ExprId>)> {
        let found = self.path(path, scope, None, Asked::Kept);
        match self.out.node(found.id).clone() {
            Node::Fact(fact, of) => {
                self.note_set(fact, path.span)?;
                Some((fact, Some(of)))
            }
            Node::WorldFact(fact) => {
                self.note_set(fact, path.span)?;
                Some((fact, None))
            }
            _ if found.ty == Ty::Poison => None,
            _ => {
                let text = self.sources.slice(path.span).to_owned();
                let what = match self.out.node(found.id) {
                    Node::Space(_) | Node::Unit(_) | Node::Side(_) => {
                        format!("`{text}` is a thing; what is said of it is set")
                    }
                    _ => format!("`{text}` is worked out and cannot be set"),
                };
                let fault = Diagnostic::error(code::E0308, path.span, what);
                let help = "set an attribute, a mark, a given fact, or `control`";
                self.fault(match self.out.node(found.id) {
                    Node::Space(_) => fault
                        .ways(vec![Way::near(path.span, &format!("control of {text}"))])
                        .or_else(help),
                    _ => fault.help(help),
                });
                None
            }
        }
    }

    /// Only what has a value that means nothing can be cleared: an amount or a word has none.
    fn can_be_cleared(&mut self, fact: FactId, span: Span) -> Option<()> {
        let fact = self.out.facts.get(fact.index())?;
        let (what, instead) = match fact.ty {
            Type::Truth | Type::Thing { maybe: true, .. } => return Some(()),
            Type::Number { low, .. } => {
                ("an amount", format!("write `set {} to {low}`", fact.name))
            }
            Type::Word(set) => {
                let first = self
                    .out
                    .word_sets
                    .get(set.index())
                    .and_then(|set| set.words.first())
                    .cloned()
                    .unwrap_or_default();
                ("one of some words", format!("write `set {} to {first}`", fact.name))
            }
            Type::Thing { .. } => (
                "never none",
                format!("set it to another, or declare `{}` with `maybe`", fact.name),
            ),
        };
        let message = format!(
            "`{}` is {what}, and only a mark, a truth, a thing or control is cleared",
            fact.name
        );
        self.fault(Diagnostic::error(code::E0308, span, message).help(instead));
        None
    }

    fn note_set(&mut self, fact: FactId, span: Span) -> Option<()> {
        if fact == built_in::OWNER {
            self.fault(
                Diagnostic::error(code::E0308, span, "a unit keeps its owner")
                    .help("set `control`, or remove the unit"),
            );
            return None;
        }
        if self.makes_links(fact, span) {
            return None;
        }
        if self.is_printed_of_link(fact) {
            let name = self.out.facts.get(fact.index()).map_or("", |f| f.name.as_str());
            let message = format!("`{name}` is printed on the map, and nothing changes it");
            self.fault(Diagnostic::error(code::E0308, span, message).help(format!(
                "declare what changes of a link as `given {name} of ...`, or as a mark of it"
            )));
            return None;
        }
        self.symbols.set_facts.push(fact);
        Some(())
    }
}

/// The name of a placement.
pub(super) fn placement_word(word: ast::PlacementWord) -> PlacementWord {
    match word {
        ast::PlacementWord::Advance => PlacementWord::Advance,
        ast::PlacementWord::FallBack => PlacementWord::FallBack,
        ast::PlacementWord::Swap => PlacementWord::Swap,
        ast::PlacementWord::Conform => PlacementWord::Conform,
        ast::PlacementWord::Face => PlacementWord::Face,
        ast::PlacementWord::BreakOff => PlacementWord::BreakOff,
        ast::PlacementWord::Wheel => PlacementWord::Wheel,
    }
}
