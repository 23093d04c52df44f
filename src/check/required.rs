//! Facts that a thing must have: its kind names another thing without `maybe`, so that nothing is not a value.

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;

impl Checker<'_> {
    /// Tells of units put without a thing that their kind says they have, unless something states it of them.
    pub(super) fn has_what_it_must(&mut self, kind: KindId, (name, span): (&str, Span), said: &[FactId]) {
        let lacking: Vec<String> = self.must_have(kind).into_iter().filter(|(fact, _)| !said.contains(fact)).map(|(_, n)| n).collect();
        for fact in lacking {
            self.fault(
                Diagnostic::warning(code::W0718, span, format!("`{name}` has no `{fact}`, and its kind says that it has one"))
                    .help(format!("state it, as in `with {fact} ...`, or declare it with `maybe`")),
            );
        }
    }

    /// The facts of a kind of thing that name another thing, which is never none.
    fn must_have(&self, kind: KindId) -> Vec<(FactId, String)> {
        let facts = self.out.facts.iter().enumerate();
        let must = |fact: &Fact| {
            fact.origin == FactOrigin::Attribute && matches!(fact.ty, Type::Thing { maybe: false, .. }) && self.out.is_kind(kind, fact.kind)
        };
        facts.filter(|(_, fact)| must(fact)).map(|(at, fact)| (FactId::at(at), fact.name.clone())).collect()
    }

    /// The facts that statements give a unit.
    pub(super) fn stated_of<'s>(&self, unit: u32, states: impl Iterator<Item = &'s State>) -> Vec<FactId> {
        let of_unit = |state: &State| match state {
            State::Fact(fact, Some(of), _) if *self.out.node(*of) == Node::Unit(unit) => Some(*fact),
            _ => None,
        };
        states.filter_map(of_unit).collect()
    }
}
