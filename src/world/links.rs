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
        let of_kind = |link: &OneLink| rules.is_kind(link.kind, kind);
        let mut between = map.changing_between(a, b).filter(|(_, link)| of_kind(link));
        between.any(|(at, link)| {
            let values =
                || told_by.facts.iter().map(|fact| self.of_link(rules, (at, link.kind), *fact));
            told_by.rows.iter().any(|row| row.iter().copied().eq(values()))
        })
    }

    /// A fact of a link, encoded; 0 for a link whose kind has none such.
    fn of_link(&self, rules: &Ruleset, (at, kind): (u32, KindId), fact: FactId) -> i64 {
        let declared = rules.facts.get(fact.index()).filter(|f| rules.is_kind(kind, f.kind));
        let slot = declared.map(|f| at as usize * self.link_slots + usize::from(f.slot));
        slot.and_then(|slot| self.link_facts.get(slot)).copied().unwrap_or(0)
    }
}
