//! Facts that a thing must have: its kind names another thing without `maybe`, so that nothing is
//! not a value.

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;

impl Checker<'_> {
    /// Reports units put without a thing that their kind says they have, unless something states it
    /// of them.
    pub(super) fn has_what_it_must(
        &mut self,
        kind: KindId,
        (name, span): (&str, Span),
        said: &[FactId],
    ) {
        let lacking: Vec<String> = self
            .must_have(kind)
            .into_iter()
            .filter(|(fact, _)| !said.contains(fact))
            .map(|(_, n)| n)
            .collect();
        for fact in lacking {
            self.fault(
                Diagnostic::error(
                    code::E0718,
                    span,
                    format!("`{name}` has no `{fact}`, and its kind says that it has one"),
                )
                .help(format!("state it, as in `with {fact} ...`, or declare it with `maybe`")),
            );
        }
    }

    /// Reports what stands in a setup without being put: named pieces, the spaces of its map, the
    /// sides and the world.
    pub(super) fn setup_has_what_it_must(
        &mut self,
        map: MapId,
        (setup, span): (&str, Span),
        states: &[State],
    ) {
        let must: Vec<FactId> = (0..self.out.facts.len())
            .map(FactId::at)
            .filter(|fact| self.must_be_said(*fact))
            .collect();
        for id in must {
            let Some(fact) = self.out.facts.get(id.index()) else { continue };
            let (name, holders) = (fact.name.clone(), self.holders(map, fact));
            let stated = |node: &Node| {
                states.iter().any(|state| match state {
                    State::Fact(fact, of, _) => {
                        *fact == id
                            && of.map_or(*node == Node::Nothing, |of| self.out.node(of) == node)
                    }
                    _ => false,
                })
            };
            let lacking: Vec<String> = holders
                .into_iter()
                .filter(|(node, _)| !stated(node))
                .map(|(_, name)| name)
                .collect();
            let Some(first) = lacking.first() else { continue };
            let more = match lacking.len() - 1 {
                0 => String::new(),
                1 => " and 1 more".to_owned(),
                more => format!(" and {more} more"),
            };
            let has = if lacking.len() == 1 { "has" } else { "have" };
            let message = format!(
                "{first}{more} {has} no `{name}` in `{setup}`, and the kind says that each has one"
            );
            let help =
                format!("state it, as in `given {name} of ... is ...`, or declare it with `maybe`");
            self.fault(Diagnostic::error(code::E0718, span, message).help(help));
        }
    }

    fn must_be_said(&self, fact: FactId) -> bool {
        self.out.facts.get(fact.index()).is_some_and(Fact::is_required)
    }

    /// What has a fact in every position on a map, where the map does not say it: as rules name it,
    /// and in words.
    fn holders(&self, map: MapId, fact: &Fact) -> Vec<(Node, String)> {
        let at = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let quoted = |name: &str| format!("`{name}`");
        match self.out.top(fact.kind) {
            KindId::UNIT => {
                let named = self
                    .out
                    .named
                    .iter()
                    .enumerate()
                    .filter(|(_, unit)| self.out.is_kind(unit.kind, fact.kind));
                named.map(|(n, unit)| (Node::Unit(at(n)), quoted(&unit.name))).collect()
            }
            KindId::SPACE => {
                let spaces = self
                    .out
                    .maps
                    .get(map.index())
                    .into_iter()
                    .flat_map(|map| &map.spaces)
                    .enumerate();
                let lacks = |space: &crate::map::Space| {
                    self.out.is_kind(space.kind, fact.kind)
                        && space.facts.get(usize::from(fact.slot)).is_none_or(|value| *value == 0)
                };
                spaces
                    .filter(|(_, space)| lacks(space))
                    .map(|(n, space)| (Node::Space(at(n)), quoted(&space.id)))
                    .collect()
            }
            KindId::SIDE => {
                let sides = self.out.sides.iter().enumerate();
                sides.map(|(n, side)| (Node::Side(SideId::at(n)), quoted(&side.name))).collect()
            }
            KindId::WORLD => vec![(Node::Nothing, "the world".to_owned())],
            _ => Vec::new(),
        }
    }

    /// The facts of a kind of thing that name another thing, which is never none.
    fn must_have(&self, kind: KindId) -> Vec<(FactId, String)> {
        let facts = self.out.facts.iter().enumerate();
        let must = |fact: &Fact| self.out.must_have(kind, fact);
        facts
            .filter(|(_, fact)| must(fact))
            .map(|(at, fact)| (FactId::at(at), fact.name.clone()))
            .collect()
    }

    /// The facts that statements give a unit.
    pub(super) fn stated_of<'s>(
        &self,
        unit: u32,
        states: impl Iterator<Item = &'s State>,
    ) -> Vec<FactId> {
        let of_unit = |state: &State| match state {
            State::Fact(fact, Some(of), _) if *self.out.node(*of) == Node::Unit(unit) => {
                Some(*fact)
            }
            _ => None,
        };
        states.filter_map(of_unit).collect()
    }
}
