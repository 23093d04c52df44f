//! Which facts `why_not` states otherwise: those of a unit itself, of the world, and what the table
//! knows of the thing, its side, the world and the spaces. What is printed of a space stays.

use super::Position;
use super::felt::Felt;
use crate::arrange::Arrange as _;
use crate::ir::*;
use crate::world::ThingRef;

/// An amount with more values than these is tried at the nearest of them.
const MOST_VALUES: i64 = 100;
/// The most things that are tried for a fact that names one.
const MOST_THINGS: usize = 1024;

/// A fact of a thing with the values that are tried for it.
pub(super) struct Restated {
    pub of: ThingRef,
    pub fact: FactId,
    /// Encoded, in the order in which they are tried.
    pub values: Vec<i64>,
    /// Whether the first that restores is enough: of an amount the nearest.
    pub nearest: bool,
}

impl Position<'_> {
    /// All facts that are stated otherwise for a thing; `spaces` are those that a `given` is tried
    /// of.
    pub(super) fn restated(&self, felt: &Felt, thing: ThingRef, spaces: &[u32]) -> Vec<Restated> {
        let mut all = Vec::new();
        for (at, fact) in self.rules.facts.iter().enumerate() {
            let id = FactId::at(at);
            let read = felt.more || felt.own.contains(&id) || felt.others.contains(&id);
            let top = self.rules.top(fact.kind);
            let of_game = top == KindId::WORLD;
            let stated = matches!(fact.origin, FactOrigin::Attribute | FactOrigin::Given);
            // What a position says of links is all that can be otherwise of them.
            let of_link = top == KindId::LINK && self.rules.tells_links(id);
            if !of_link && (!stated || !(read || of_game)) {
                continue;
            }
            let given = fact.origin == FactOrigin::Given;
            let whose: Vec<ThingRef> = match top {
                KindId::WORLD => vec![ThingRef::World],
                KindId::SIDE if given => {
                    self.viewer_of(thing).map(ThingRef::Side).into_iter().collect()
                }
                KindId::SPACE if given => spaces.iter().copied().map(ThingRef::Space).collect(),
                KindId::SPACE => Vec::new(),
                KindId::LINK if of_link => self.links_at(spaces),
                KindId::LINK => Vec::new(),
                _ => vec![thing],
            };
            for of in whose.into_iter().filter(|of| self.is_kind(*of, fact.kind)) {
                // Of the thing itself amounts are left out: its reach is tried for itself.
                let amounts = given || of_game || of_link;
                let (values, nearest) = self.other_values(fact, of, amounts);
                if !values.is_empty() {
                    all.push(Restated { of, fact: id, values, nearest });
                }
            }
        }
        all
    }

    /// The links of which the position says more and that touch some spaces.
    fn links_at(&self, spaces: &[u32]) -> Vec<ThingRef> {
        let all = (0u32..).zip(&self.map.changing);
        all.filter(|(_, link)| spaces.contains(&link.from) || spaces.contains(&link.to))
            .map(|(at, _)| ThingRef::Link(at))
            .collect()
    }

    fn other_values(&self, fact: &Fact, of: ThingRef, amounts: bool) -> (Vec<i64>, bool) {
        let is = self.world.fact(fact, of);
        let upto = |n: usize| 0..i64::try_from(n).unwrap_or(i64::MAX);
        let mut values: Vec<i64> = match fact.ty {
            Type::Truth => vec![0, 1],
            Type::Word(set) => {
                upto(self.rules.word_sets.get(set.index()).map_or(0, |s| s.words.len())).collect()
            }
            Type::Thing { kind, maybe } => self.things_of(kind, maybe, self.viewer_of(of)),
            Type::Number { low, high, .. } if amounts => {
                let (from, to) = (
                    low.max(is.saturating_sub(MOST_VALUES)),
                    high.min(is.saturating_add(MOST_VALUES)),
                );
                let mut near: Vec<i64> = (from..=to).collect();
                near.arrange_by_key(|v| (v.abs_diff(is), *v));
                near.truncate(usize::try_from(MOST_VALUES).unwrap_or(usize::MAX));
                near
            }
            Type::Number { .. } => Vec::new(),
        };
        values.retain(|v| *v != is);
        (values, matches!(fact.ty, Type::Number { .. }))
    }

    /// The things that a fact may name, encoded; 0 is none. Units of other sides than its friends
    /// are none of them.
    fn things_of(&self, kind: KindId, maybe: bool, viewer: Option<SideId>) -> Vec<i64> {
        let world = self.world;
        let friend = |at: u32| match (viewer, world.owner(at)) {
            (Some(viewer), Some(owner)) => {
                matches!(world.relation(viewer, owner), Relation::Own | Relation::Allied)
            }
            _ => true,
        };
        let all: Vec<ThingRef> = match self.rules.top(kind) {
            KindId::UNIT => {
                let there = (0u32..).zip(&world.units).filter(|(at, u)| !u.removed && friend(*at));
                there.map(|(at, _)| ThingRef::Unit(at)).collect()
            }
            KindId::SPACE => (0u32..).take(self.map.spaces.len()).map(ThingRef::Space).collect(),
            KindId::SIDE => {
                (0..self.rules.sides.len()).map(|s| ThingRef::Side(SideId::at(s))).collect()
            }
            _ => Vec::new(),
        };
        let code = |thing: &ThingRef| match thing {
            ThingRef::Unit(at) | ThingRef::Space(at) | ThingRef::Link(at) => i64::from(*at) + 1,
            ThingRef::Side(side) => i64::from(side.0) + 1,
            ThingRef::World => 0,
        };
        let fits =
            all.iter().filter(|thing| self.is_kind(**thing, kind)).take(MOST_THINGS).map(code);
        maybe.then_some(0).into_iter().chain(fits).collect()
    }
}
