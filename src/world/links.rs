//! What a position says of links.

use super::World;
use crate::ir::{FactId, KindId, LinkFacts, Ruleset};
use crate::map::{Map, OneLink};

/// The facts of the links of which a position says more, row by row, as the map says them.
pub(super) fn printed(rules: &Ruleset, map: &Map) -> Vec<i64> {
    let of_links =
        || rules.facts.iter().zip(0u16..).filter(|(f, _)| rules.top(f.kind) == KindId::LINK);
    let mut rows = Vec::with_capacity(map.changing.len() * of_links().count());
    for link in &map.changing {
        let said = map.said_of(link.kind, link.from, link.to);
        rows.extend(of_links().map(|(fact, at)| {
            let said = said.iter().find(|(known, _)| *known == FactId(at));
            said.map_or(fact.default, |(_, value)| *value)
        }));
    }
    rows
}

/// A fact of a link as the map says it, encoded; 0 for a link whose kind has none such.
fn printed_fact(rules: &Ruleset, map: &Map, link: OneLink, fact: FactId) -> i64 {
    let declared = rules.facts.get(fact.index()).filter(|f| rules.is_kind(link.kind, f.kind));
    let said = map.said_of(link.kind, link.from, link.to).iter().find(|(of, _)| *of == fact);
    declared.map_or(0, |declared| said.map_or(declared.default, |(_, value)| *value))
}

/// Whether the facts of a link are one of the combinations that are told apart.
fn fits(told_by: &LinkFacts, value: impl Fn(FactId) -> i64) -> bool {
    let values = || told_by.facts.iter().map(|fact| value(*fact));
    told_by.rows.iter().any(|row| row.iter().copied().eq(values()))
}

impl World {
    /// Whether a link joins two spaces that is one of some, told by facts of which this position
    /// says more.
    #[must_use]
    pub fn joins(
        &self,
        (rules, map): (&Ruleset, &Map),
        (kind, told_by): (KindId, &LinkFacts),
        (a, b): (u32, u32),
    ) -> bool {
        let leads =
            |of: KindId| rules.is_kind(of, kind) && (!told_by.directed || map.leads(of, a, b));
        let mut between = map.changing_between(a, b).filter(|(_, link)| leads(link.kind));
        between.any(|(at, link)| fits(told_by, |fact| self.of_link(rules, (at, link.kind), fact)))
            || map.links.iter().filter(|links| leads(links.kind)).any(|links| {
                let link = OneLink::of(links.kind, a, b);
                // Of a link that changes the position says all.
                links.of(a).binary_search(&b).is_ok()
                    && map.number_of(link).is_none()
                    && fits(told_by, |fact| printed_fact(rules, map, link, fact))
            })
    }

    /// A fact of a link, encoded; 0 for a link whose kind has none such.
    fn of_link(&self, rules: &Ruleset, (at, kind): (u32, KindId), fact: FactId) -> i64 {
        let declared = rules.facts.get(fact.index()).filter(|f| rules.is_kind(kind, f.kind));
        let slot = declared.map(|f| at as usize * self.link_slots + usize::from(f.slot));
        slot.and_then(|slot| self.link_facts.get(slot)).copied().unwrap_or(0)
    }
}
