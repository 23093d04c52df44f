//! Noun phrases: which things come into question, which of them meet the condition, and what is
//! made of them.

use std::sync::Arc;

use super::cx::Cx;
use super::{Amount, EvalFault, Position, exact};
use crate::ir::*;
use crate::world::{ThingRef, World};

impl Position<'_> {
    /// All things of a noun phrase, in the order of the position.
    pub fn all(&self, id: ThingsId, cx: &Cx) -> Result<Vec<ThingRef>, EvalFault> {
        let things = &self.rules.things[id.index()];
        let mut found = Vec::new();
        for thing in self.candidates(things, things.kind, cx)? {
            if self.meets(things, thing, cx)? {
                found.push(thing);
            }
        }
        Ok(found)
    }

    pub(super) fn first(&self, id: ThingsId, cx: &Cx) -> Result<Option<ThingRef>, EvalFault> {
        let things = &self.rules.things[id.index()];
        for thing in self.candidates(things, things.kind, cx)? {
            if self.meets(things, thing, cx)? {
                return Ok(Some(thing));
            }
        }
        Ok(None)
    }

    /// One at least of these, and nothing of the same top kind there that is not.
    pub(super) fn only(&self, id: ThingsId, cx: &Cx) -> Result<bool, EvalFault> {
        let things = &self.rules.things[id.index()];
        let top = self.rules.kinds[things.kind.index()].top;
        let mut some = false;
        for thing in self.candidates(things, top, cx)? {
            if !self.is_kind(thing, things.kind) || !self.meets(things, thing, cx)? {
                return Ok(false);
            }
            some = true;
        }
        Ok(some)
    }

    pub(super) fn meets(
        &self,
        things: &Things,
        thing: ThingRef,
        cx: &Cx,
    ) -> Result<bool, EvalFault> {
        match things.condition {
            Some(condition) => {
                self.meter().step()?;
                // Where no side asks, that of the candidate does.
                let viewer = cx.viewer.or_else(|| self.viewer_of(thing));
                let mut inner = cx.with(things.level, thing);
                inner.viewer = viewer;
                self.holds(condition, &inner)
            }
            None => Ok(true),
        }
    }

    pub(super) fn candidates(
        &self,
        things: &Things,
        kind: KindId,
        cx: &Cx,
    ) -> Result<Candidates<'_>, EvalFault> {
        let top = self.rules.kinds[kind.index()].top;
        if let (KindId::UNIT, Place::In(space)) = (top, &things.place) {
            let here = self.space(*space, cx)?.map_or(&[][..], |s| self.standing_in(s));
            return Ok(Candidates { of: self, kind, here: here.iter(), listed: Vec::new() });
        }
        let mut listed = self.candidate_list(things, kind, cx)?;
        listed.reverse();
        Ok(Candidates { of: self, kind, here: [].iter(), listed })
    }

    /// The same as a list.
    fn candidate_list(
        &self,
        things: &Things,
        kind: KindId,
        cx: &Cx,
    ) -> Result<Vec<ThingRef>, EvalFault> {
        let top = self.rules.kinds[kind.index()].top;
        let spaces: Option<Vec<u32>> = match &things.place {
            Place::Anywhere => None,
            Place::In(space) => Some(self.space(*space, cx)?.into_iter().collect()),
            Place::Adjacent(space, link) => Some(
                self.space(*space, cx)?.map_or_else(Vec::new, |s| self.around(s, 1, *link, false)),
            ),
            Place::AdjacentNotOver(space, link) => Some(match self.space(*space, cx)? {
                Some(s) => self
                    .around(s, 1, None, false)
                    .into_iter()
                    .filter(|to| !self.joined(s, *to, *link))
                    .collect(),
                None => Vec::new(),
            }),
            Place::Within(steps, space, link) => Some(
                self.space(*space, cx)?
                    .map_or_else(Vec::new, |s| self.around(s, *steps, *link, true)),
            ),
        };
        Ok(match top {
            KindId::UNIT => {
                let count = u32::try_from(self.world.units.len()).unwrap_or(u32::MAX);
                let mut units: Vec<u32> = match &spaces {
                    None => (0..count).collect(),
                    Some(spaces) => {
                        spaces.iter().flat_map(|s| self.standing_in(*s)).copied().collect()
                    }
                };
                units.sort_unstable();
                units.retain(|u| {
                    !self.world.units[*u as usize].removed && self.is_kind(ThingRef::Unit(*u), kind)
                });
                units.into_iter().map(ThingRef::Unit).collect()
            }
            KindId::SPACE => {
                let all = spaces.unwrap_or_else(|| {
                    (0..self.map.spaces.len()).filter_map(|s| u32::try_from(s).ok()).collect()
                });
                all.into_iter().map(ThingRef::Space).filter(|s| self.is_kind(*s, kind)).collect()
            }
            KindId::SIDE => {
                (0..self.rules.sides.len()).map(|s| ThingRef::Side(SideId::at(s))).collect()
            }
            // A step is about the links themselves.
            KindId::LINK if spaces.is_none() => {
                let all = (0u32..).zip(&self.map.changing).map(|(at, _)| ThingRef::Link(at));
                all.filter(|link| self.is_kind(*link, kind)).collect()
            }
            // A condition asks how many of a kind touch a space.
            KindId::LINK => {
                let touching = |s: u32| self.touching(s, kind);
                let count = spaces.unwrap_or_default().into_iter().map(touching).sum();
                vec![ThingRef::World; count]
            }
            _ => vec![ThingRef::World],
        })
    }

    /// The units that stand in a space, in the order of the position.
    pub(super) fn standing_in(&self, space: u32) -> &[u32] {
        let all =
            self.standing.get_or_init(|| Arc::new(standing(self.world, self.map.spaces.len())));
        all.get(space as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether a link of a kind joins two spaces.
    #[must_use]
    pub fn joined(&self, a: u32, b: u32, kind: KindId) -> bool {
        match self.rules.told_by(kind) {
            Some(told) => self.world.joins((self.rules, self.map), told, (a, b)),
            None => self
                .map
                .links
                .iter()
                .any(|l| self.rules.is_kind(l.kind, kind) && l.of(a).binary_search(&b).is_ok()),
        }
    }

    /// How many links of a kind touch a space.
    pub(super) fn touching(&self, space: u32, kind: KindId) -> usize {
        let links = self.map.links.iter().filter(|l| self.rules.is_kind(l.kind, kind));
        let near = links.flat_map(|links| links.of(space));
        match self.rules.told_by(kind) {
            Some(_) => near.filter(|to| self.joined(space, **to, kind)).count(),
            None => near.count(),
        }
    }

    fn space(&self, id: ExprId, cx: &Cx) -> Result<Option<u32>, EvalFault> {
        Ok(match self.value(id, cx)?.thing() {
            Some(ThingRef::Space(s)) => Some(s),
            Some(ThingRef::Unit(u)) => self.world.space_of(u),
            _ => None,
        })
    }

    /// The spaces at most so many links away, in ascending order, with or without the space itself.
    pub(super) fn around(
        &self,
        space: u32,
        steps: u32,
        link: Option<KindId>,
        with_itself: bool,
    ) -> Vec<u32> {
        let mut seen = vec![space];
        let mut edge = vec![space];
        for _ in 0..steps {
            let mut next = Vec::new();
            for at in edge {
                for links in self
                    .map
                    .links
                    .iter()
                    .filter(|l| link.is_none_or(|k| self.rules.is_kind(l.kind, k)))
                {
                    for to in links.of(at) {
                        if !seen.contains(to) {
                            seen.push(*to);
                            next.push(*to);
                        }
                    }
                }
            }
            edge = next;
        }
        if !with_itself {
            seen.retain(|s| *s != space);
        }
        seen.sort_unstable();
        seen
    }

    pub(super) fn aggregate(
        &self,
        id: ExprId,
        word: Aggregate,
        value: ExprId,
        things: ThingsId,
        cx: &Cx,
    ) -> Result<Amount, EvalFault> {
        let level = self.rules.things[things.index()].level;
        let mut result: Option<Amount> = None;
        for thing in self.all(things, cx)? {
            // What is barred or not known is no amount, so that it is neither the lowest nor a part
            // of a sum.
            let Some(amount) = self.value(value, &cx.with(level, thing))?.amount() else {
                continue;
            };
            result = Some(match (result, word) {
                (None, _) => amount,
                (Some(sum), Aggregate::Sum) => {
                    exact::plus(sum, amount).ok_or(EvalFault::TooLarge(id))?
                }
                (Some(most), Aggregate::Highest(_)) => most.max(amount),
                (Some(least), Aggregate::Lowest(_)) => least.min(amount),
            });
        }
        Ok(result.unwrap_or_else(|| Amount::from_integer(word.of_none())))
    }
}

/// The things that come into question, in the order of the position.
pub(super) struct Candidates<'p> {
    of: &'p Position<'p>,
    kind: KindId,
    /// Units in one space.
    here: std::slice::Iter<'p, u32>,
    /// All others, the last first.
    listed: Vec<ThingRef>,
}

impl Iterator for Candidates<'_> {
    type Item = ThingRef;

    fn next(&mut self) -> Option<ThingRef> {
        let mut units = self.here.by_ref().map(|unit| ThingRef::Unit(*unit));
        units.find(|unit| self.of.is_kind(*unit, self.kind)).or_else(|| self.listed.pop())
    }
}

/// The units in each space, in the order of the position.
pub(super) fn standing(world: &World, spaces: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new(); spaces];
    for unit in 0..u32::try_from(world.units.len()).unwrap_or(u32::MAX) {
        if let Some(row) = world.space_of(unit).and_then(|s| all.get_mut(s as usize)) {
            row.push(unit);
        }
    }
    all
}
