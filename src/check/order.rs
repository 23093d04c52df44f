//! What a case lets happen: orders that players give, and parts of the clock that pass whole.

use super::Checker;
use super::effect::placement_word;
use super::scope::{Objects, Scope, Ty};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast::{self, Name, OrderEffect};

impl Checker<'_> {
    pub(super) fn order_step(&mut self, order: &ast::Order, objects: &Objects) -> Option<CaseStep> {
        let scope = Scope { objects: Some(objects), ..Scope::default() };
        let subject = self.path(&order.subject, &scope, None, Asked::Kept);
        let Ty::Of(Type::Thing { kind, .. }) = subject.ty else {
            if subject.ty != Ty::Poison {
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        subject.span,
                        "a thing should stand behind `order`",
                    )
                    .help("write it as in `order Guard mark out`"),
                );
            }
            return None;
        };
        if matches!(
            order.effect,
            OrderEffect::Follow { .. }
                | OrderEffect::Move(_)
                | OrderEffect::Remove
                | OrderEffect::Place { .. }
        ) {
            self.moves(subject.span, kind)?;
        }
        let deed = match &order.effect {
            OrderEffect::Follow { trace, to } => {
                let id = self.trace_called(trace)?;
                self.is_traced(trace, id, kind)?;
                OrderedDeed::Follow(id, self.thing(to, &scope, KindId::SPACE)?.id)
            }
            OrderEffect::Mark(name) => OrderedDeed::Mark(self.mark_of(name, kind)?),
            OrderEffect::Clear(name) => OrderedDeed::Clear(self.fact_marked(name, kind)?),
            OrderEffect::Change(name) => OrderedDeed::Change(self.fact_changed(name)?),
            OrderEffect::Remove => OrderedDeed::Remove,
            OrderEffect::Move(to) => OrderedDeed::Move(self.thing(to, &scope, KindId::SPACE)?.id),
            OrderEffect::Choose { choice, is } => {
                let id = self.choice_called(choice)?;
                self.is_chosen_by(choice, id, kind)?;
                let kind = self.out.choices.get(id.index())?.kind;
                OrderedDeed::Choose(id, self.thing(is, &scope, kind)?.id)
            }
            OrderEffect::Place { word, to } => {
                let to = match to.as_deref() {
                    Some(placed) => Some(self.named_place(placed, objects.map)?),
                    None => None,
                };
                OrderedDeed::Place(placement_word(*word), to)
            }
        };
        Some(CaseStep { kind: CaseStepKind::Order { subject: subject.id, deed }, span: order.span })
    }

    /// The fact that a step changes may be one of another thing, so that its name alone is looked
    /// up.
    fn fact_changed(&mut self, name: &Name) -> Option<FactId> {
        let found = self.out.facts.iter().position(|f| f.name == name.text).map(FactId::at);
        if found.is_none() {
            let known = self.gathered(self.out.facts.iter().map(|f| f.name.clone()));
            self.unknown(code::E0201, name, "fact", known.iter().map(String::as_str));
        }
        found
    }

    /// Things by name; none if one of them is unknown.
    pub(super) fn things_named(
        &mut self,
        paths: &[ast::Path],
        scope: &Scope<'_>,
        kind: KindId,
    ) -> Option<Vec<ExprId>> {
        let found: Vec<ExprId> =
            paths.iter().filter_map(|p| self.thing(p, scope, kind)).map(|t| t.id).collect();
        (found.len() == paths.len()).then_some(found)
    }

    /// `run turn`, `run impulse`, `run supply of Red`: the clock, or one of its parts, from its
    /// start to its end.
    pub(super) fn run_part(&mut self, name: &Name, of: Option<&Name>) -> Option<CaseStep> {
        let clock = self.out.clock.clone();
        self.symbols.note(name.span, super::scope::Used::Clock);
        let step = |kind| Some(CaseStep { kind, span: name.span });
        if clock.as_ref().is_some_and(|c| c.name == name.text) {
            if let Some(of) = of {
                self.side(of)?;
                let (span, turn) = (of.span, &name.text);
                let fault = Diagnostic::error(code::E0710, span, "a turn is of all sides");
                self.fault(fault.help(format!("write `run {turn}`, or a part of it by its name")));
                return None;
            }
            return step(CaseStepKind::Turn);
        }
        let parts = clock.map(|c| c.parts).unwrap_or_default();
        if let Some(at) = parts.iter().position(|p| p.name == name.text) {
            let side = match of {
                Some(of) => Some(self.side(of)?),
                None => None,
            };
            return step(CaseStepKind::Part(u8::try_from(at).ok()?, side));
        }
        let known: Vec<String> =
            self.symbols.phases.keys().cloned().chain(parts.into_iter().map(|p| p.name)).collect();
        self.unknown(code::E0201, name, "phase", known.iter().map(String::as_str));
        None
    }
}
