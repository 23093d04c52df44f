//! Links that no map lists: `kind sealane is link from any port to any other with the same sea`.
//!
//! Each two spaces of a map that are as is said are joined, as the map is printed; so all that is
//! asked of a space is what nothing changes.

use std::collections::BTreeMap;

use super::joins::{End, joins_nothing, no_kind_of_space};
use super::links::Found;
use super::scope::{Member, Scope};
use super::{Checker, Resolved, printed};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::map::{MOST_MADE, Map, Space};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Name};

/// Nodes of a condition that are looked at, at most.
const MOST_LOOKED_AT: usize = 1024;

impl<'a> Checker<'a> {
    /// Reads between which spaces links are that no map lists.
    pub(super) fn every_two(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Kind(kind) = &item.item.kind else { continue };
            let Some(said) = &kind.every_two else { continue };
            let Some(id) = self.symbols.kinds.get(&kind.name.text).copied() else { continue };
            self.symbols.every_two.insert(id, said.span);
            if !self.may_be_made(kind, id, said.span) {
                continue;
            }
            let Some((things, mut facts)) = self.which_spaces(&said.things) else { continue };
            let same = match &said.same {
                Some(same) => match self.same_fact(&same.fact, things) {
                    Some(fact) => Some(fact),
                    None => continue,
                },
                None => None,
            };
            facts.extend(same);
            for fact in facts {
                if let Some(fact) = self.out.facts.get_mut(fact.index()) {
                    fact.printed = true;
                }
            }
            if let Some(kind) = self.out.kinds.get_mut(id.index()) {
                kind.every_two = Some(Box::new(EveryTwo { things, same }));
            }
        }
    }

    /// Whether links of a kind may lead from each of some spaces to each other.
    fn may_be_made(&mut self, kind: &ast::Kind, id: KindId, span: Span) -> bool {
        let name = &kind.name.text;
        let fault = if self.out.top(id) != KindId::LINK {
            joins_nothing(name, span)
                .help("`from any` one `to any other` is said of a kind of link")
        } else if self.out.kinds.get(id.index()).is_some_and(|kind| kind.one_way) {
            let message = format!("a {name} leads to any other and back, so it has no direction");
            Diagnostic::error(code::E0731, span, message)
                .help("take out `one way`; a condition on steps stands behind `over`, with `when`")
        } else if self.out.is_kind(id, KindId::HEXSIDE) {
            let message = format!("a {name} lies along one side of a hex and leads nowhere else");
            Diagnostic::error(code::E0731, span, message)
                .help(format!("write `kind {name} is link from any ...`"))
        } else {
            return true;
        };
        self.fault(fault);
        false
    }

    /// The spaces of `any port`, and the facts that they are told by.
    fn which_spaces(&mut self, said: &ast::Things) -> Option<(ThingsId, Vec<FactId>)> {
        if let Some(place) = &said.place {
            let message = "what is joined is told by the spaces alone, not by their place";
            let fault = Diagnostic::error(code::E0304, place.span, message);
            self.fault(fault.help("say it behind `where`"));
            return None;
        }
        let mut said = said.clone();
        let kind = match self.space_with(&said.kind) {
            Some(kind) => {
                said.adjectives.push(said.kind.clone());
                kind
            }
            None => self.kind(&said.kind)?,
        };
        if !self.out.is_kind(kind, KindId::SPACE) {
            self.fault(no_kind_of_space(&said.kind));
            return None;
        }
        let inner = Scope::default().with(kind);
        let level = inner.innermost().map_or(0, |(level, _)| level);
        let faults = self.faults.len();
        let condition = self.seen(true, |c| c.condition_of(&said, kind, &inner));
        if self.faults.len() > faults {
            return None;
        }
        let mut facts = Vec::new();
        if let Some(condition) = condition
            && let Err(part) = self.is_printed((condition, level), &mut facts)
        {
            self.not_printed(part, said.span);
            return None;
        }
        let id = ThingsId::at(self.out.things.len());
        self.out.things.push(Things { kind, place: Place::Anywhere, condition, level });
        Some((id, facts))
    }

    /// The kind of the spaces of which a word is said, where `any port` names no kind.
    fn space_with(&self, name: &Name) -> Option<KindId> {
        let all = self.symbols.members.get(&name.text);
        let all = all.filter(|_| !self.symbols.kinds.contains_key(&name.text))?;
        let mut of =
            all.iter().map(|(kind, _)| *kind).filter(|k| self.out.is_kind(*k, KindId::SPACE));
        of.next().filter(|_| of.next().is_none())
    }

    /// The fact of a space that both ends have alike.
    fn same_fact(&mut self, name: &Name, things: ThingsId) -> Option<FactId> {
        let kind = self.out.things.get(things.index()).map_or(KindId::SPACE, |t| t.kind);
        let Some(member) = self.member(&name.text, kind) else {
            let known = self.members_of(kind);
            let what = format!("fact of {}", self.a_kind(kind));
            self.unknown(code::E0201, name, &what, known.iter().map(String::as_str));
            return None;
        };
        match member {
            Member::Fact(fact) if self.is_fixed(fact) => {
                self.symbols.note(name.span, super::scope::Used::Fact(fact));
                Some(fact)
            }
            _ => {
                let message = format!("`{}` is not printed on the map", name.text);
                self.fault(
                    Diagnostic::error(code::E0731, name.span, message).help(
                        "name an attribute of the space, which its kind `has` and the map says",
                    ),
                );
                None
            }
        }
    }

    /// Whether a fact is an attribute of spaces.
    fn is_fixed(&self, fact: FactId) -> bool {
        self.out.facts.get(fact.index()).is_some_and(|fact| {
            fact.origin == FactOrigin::Attribute && self.out.top(fact.kind) == KindId::SPACE
        })
    }

    /// Gathers the facts that a condition asks of the space of a level; the part that asks anything
    /// else.
    fn is_printed(&self, condition: (ExprId, u8), facts: &mut Vec<FactId>) -> Result<(), ExprId> {
        let mut left = vec![condition];
        let mut looked_at = 0;
        while let Some((id, level)) = left.pop() {
            looked_at += 1;
            let of_space = |of: &ExprId| *self.out.node(*of) == Node::Subject(level);
            let mut more = |id: &ExprId| left.push((*id, level));
            match self.out.node(id) {
                _ if looked_at > MOST_LOOKED_AT => return Err(id),
                Node::Truth(_)
                | Node::Number { under: 1, .. }
                | Node::Word(..)
                | Node::Side(_)
                | Node::NoThing => {}
                Node::Not(of) | Node::Rank(of) => more(of),
                Node::And(parts) | Node::Or(parts) => parts.iter().for_each(more),
                Node::Same(a, b) | Node::Compare(a, _, b) => [a, b].into_iter().for_each(more),
                Node::IsKind(of, _) if of_space(of) => {}
                Node::Fact(fact, of) if of_space(of) && self.is_fixed(*fact) => facts.push(*fact),
                Node::Define(define, Some(of)) if of_space(of) => {
                    let value = self.out.defines.get(define.index()).map(|define| define.value);
                    left.push((value.ok_or(id)?, 0));
                }
                _ => return Err(id),
            }
        }
        Ok(())
    }

    /// What may change, or is of other things, makes no link.
    fn not_printed(&mut self, part: ExprId, whole: Span) {
        let span = self.out.node_spans.get(part.index()).copied().unwrap_or(whole);
        let text = self.sources.slice(span).trim().to_owned();
        let message =
            format!("`{text}` is not printed on the map, and the links would change with it");
        let fault =
            Diagnostic::error(code::E0731, span, message).label(whole, "each two are joined");
        self.fault(fault.help(
            "ask what the kind of the space `has`; what changes is asked where the links are used, as in `over lanes \
             when the next is friendly`",
        ));
    }

    /// Whether links are made by a fact; then nothing may change it.
    pub(super) fn makes_links(&mut self, fact: FactId, span: Span) -> bool {
        let printed = |fact: &&Fact| fact.printed && !self.on_map;
        let Some(of) = self.out.facts.get(fact.index()).filter(printed) else {
            return false;
        };
        let message =
            format!("links are made by `{}` as it is printed, and nothing changes it", of.name);
        self.fault(Diagnostic::error(code::E0731, span, message).help(
            "say it of the space behind `with`; let what changes be another fact, and ask it where the links are used",
        ));
        true
    }

    /// Whether the links of a kind are made, so that no map lists them.
    pub(super) fn is_made(&mut self, name: &Name, kind: KindId) -> bool {
        let Some(made) = self.symbols.every_two.get(&kind).copied() else { return false };
        let message = format!("no map lists {}: each two spaces are joined", self.a_kind(kind));
        let help = "take the line out, or give the link a kind of its own below this one";
        self.fault(
            Diagnostic::error(code::E0731, name.span, message)
                .label(made, "these are joined")
                .help(help),
        );
        true
    }

    /// Adds the links that the rules make and no map lists.
    pub(super) fn make_links(&mut self, map: &Name, out: &Map, all: &mut Found) {
        let made: Vec<(KindId, EveryTwo)> = (0..self.out.kinds.len())
            .map(KindId::at)
            .zip(&self.out.kinds)
            .filter_map(|(id, kind)| Some((id, EveryTwo::clone(kind.every_two.as_deref()?))))
            .collect();
        let mut count = 0u64;
        for (kind, every_two) in made {
            let groups = self.groups(&every_two, out);
            let sizes = groups.iter().map(|group| group.len() as u64);
            count += sizes.map(|size| size * size.saturating_sub(1) / 2).sum::<u64>();
            if count > MOST_MADE {
                let message =
                    format!("{count} links would be made on this map, and {MOST_MADE} is the most");
                let span = self.symbols.every_two.get(&kind).copied().unwrap_or_default();
                self.fault(
                    Diagnostic::error(code::E0215, map.span, message)
                        .label(span, "each two are joined")
                        .help("join fewer spaces, as with `with the same` sea"),
                );
                return;
            }
            let place = self.symbols.every_two.get(&kind).copied().unwrap_or_default();
            let joined = groups.iter().filter(|group| group.len() > 1).flatten();
            all.ends.extend(joined.map(|space| End {
                kind,
                space: *space,
                span: place,
                made: true,
            }));
            let links = all.pairs.entry(kind).or_default();
            for group in &groups {
                for (at, a) in group.iter().enumerate() {
                    links.extend(group.iter().skip(at + 1).map(|b| (*a, *b)));
                }
            }
        }
    }

    /// The spaces of a map of which each two are joined, group by group.
    fn groups(&self, every_two: &EveryTwo, map: &Map) -> Vec<Vec<u32>> {
        let rules = &self.out;
        let Some(wanted) = rules.things.get(every_two.things.index()) else { return Vec::new() };
        // Facts that links are made by change nowhere.
        let changed = vec![false; rules.facts.len()];
        let mut groups: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        for (at, space) in (0u32..).zip(&map.spaces) {
            let asked = wanted.condition.map(|condition| (condition, wanted.level));
            let is_one = rules.is_kind(space.kind, wanted.kind)
                && asked.is_none_or(|asked| {
                    printed::holds(rules, &changed, space, asked) == Some(true)
                });
            let alike = match every_two.same.and_then(|fact| rules.facts.get(fact.index())) {
                Some(fact) => printed_value(rules, space, fact),
                None => Some(0),
            };
            if let Some(alike) = alike.filter(|_| is_one) {
                groups.entry(alike).or_default().push(at);
            }
        }
        groups.into_values().collect()
    }
}

/// What is printed of a space of a fact, encoded; nothing where it has none, or names nothing.
fn printed_value(rules: &Ruleset, space: &Space, fact: &Fact) -> Option<i64> {
    let value = space.facts.get(usize::from(fact.slot)).copied();
    let value = value.filter(|_| rules.is_kind(space.kind, fact.kind))?;
    (value != 0 || !matches!(fact.ty, Type::Thing { .. })).then_some(value)
}
