//! Noun phrases asked of all spaces at once: the units that meet the condition are found, and then
//! spread.

use super::ask::{Bound, ByFacts};
use super::{Asker, Bits};
use crate::ir::*;
use crate::kernel::EvalFault;
use crate::world::ThingRef;

/// A noun phrase, whether the units that do not meet it are asked for, who asks, and whose line it
/// is asked for where it names that thing.
pub type UnitsKey = (ThingsId, bool, Option<SideId>, Bound);

impl Asker<'_, '_> {
    /// Where `any` or `only` of a noun phrase holds; nothing where that cannot be told from planes.
    pub(super) fn things(
        &mut self,
        id: ExprId,
        level: u8,
        viewer: Option<SideId>,
        need: &Bits,
    ) -> Result<Option<Bits>, EvalFault> {
        let rules = self.board.rules;
        let (only, phrase) = match rules.node(id) {
            Node::Any(things) => (false, *things),
            Node::Only(things) => (true, *things),
            _ => return Ok(None),
        };
        let things = &rules.things[phrase.index()];
        let of = match &things.place {
            Place::Anywhere => return Ok(None),
            Place::In(of)
            | Place::Adjacent(of, _)
            | Place::AdjacentNotOver(of, _)
            | Place::Within(_, of, _) => *of,
        };
        if !self.is_own(of, level)
            || things.condition.is_some_and(|c| self.depends(c, things.level).other)
        {
            return Ok(None);
        }
        let bound = things.condition.and_then(|c| self.bound_in(c));
        let found = match (rules.top(things.kind), only) {
            (KindId::UNIT, _) => {
                let some = self.units_of((phrase, false, viewer, bound))?;
                let mut found = self.reaching(&things.place, &some);
                self.give(some);
                if only {
                    let bad = self.units_of((phrase, true, viewer, bound))?;
                    let spoilt = self.reaching(&things.place, &bad);
                    found.without(&spoilt);
                    self.give(bad);
                    self.give(spoilt);
                }
                found
            }
            (KindId::SPACE, false) => {
                let mut asked = self.reaching(&things.place, need);
                self.keep_kind(&mut asked, things.kind);
                let met = match things.condition {
                    Some(condition) => {
                        let viewer = viewer.or_else(|| self.position.viewer_of(ThingRef::Space(0)));
                        self.truth(condition, things.level, viewer, &asked)?
                    }
                    None => self.copy(&asked),
                };
                let found = self.reaching(&things.place, &met);
                self.give(asked);
                self.give(met);
                found
            }
            (KindId::LINK, false) if things.condition.is_none() => {
                let touched = self.board.net(Some(&[things.kind]));
                match rules.told_by(things.kind) {
                    Some(_) => {
                        let some = self.touched_now(&touched.any, things.kind);
                        let found = self.reaching(&things.place, &some);
                        self.give(some);
                        found
                    }
                    None => self.reaching(&things.place, &touched.any),
                }
            }
            _ => return Ok(None),
        };
        let mut found = found;
        found.and(need);
        Ok(Some(found))
    }

    /// The spaces that a link touches which is of a kind as the position says.
    fn touched_now(&mut self, of: &Bits, kind: KindId) -> Bits {
        let (layout, position) = (self.board.layout(), self.position);
        let mut found = self.empty();
        for cell in of.cells() {
            if position.touching(layout.space(cell), kind) > 0 {
                found.set(cell);
            }
        }
        found
    }

    /// The spaces for which a place holds one of these.
    fn reaching(&mut self, place: &Place, from: &Bits) -> Bits {
        let layout = self.board.layout();
        match place {
            Place::Anywhere | Place::In(_) => self.copy(from),
            Place::Adjacent(_, link) => {
                let net = self.board.net(link.as_ref().map(std::slice::from_ref));
                let mut to = self.empty();
                net.spread(layout, from, &mut to);
                to
            }
            Place::AdjacentNotOver(_, link) => {
                let (net, but) = (self.board.net(None), self.board.net(Some(&[*link])));
                let (mut to, mut some) = (self.empty(), self.copy(from));
                // Most spaces touch no such link, and spread as a whole.
                some.without(&but.any);
                net.spread(layout, &some, &mut to);
                some.copy(from);
                some.and(&but.any);
                for cell in some.cells() {
                    let mut barred = Vec::new();
                    but.each(layout, cell, |n| barred.push(n));
                    net.each(layout, cell, |n| {
                        if !barred.contains(&n) {
                            to.set(n);
                        }
                    });
                }
                self.give(some);
                to
            }
            Place::Within(steps, _, link) => {
                let net = self.board.net(link.as_ref().map(std::slice::from_ref));
                let mut to = self.copy(from);
                for _ in 0..*steps {
                    let edge = self.copy(&to);
                    net.spread(layout, &edge, &mut to);
                    let still = edge == to;
                    self.give(edge);
                    if still {
                        break;
                    }
                }
                to
            }
        }
    }

    fn keep_kind(&self, spaces: &mut Bits, kind: KindId) {
        if kind == KindId::SPACE {
            return;
        }
        let rules = self.board.rules;
        let of_kind: Vec<bool> =
            (0..rules.kinds.len()).map(|k| rules.is_kind(KindId::at(k), kind)).collect();
        for (at, word) in spaces.0.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let space =
                    self.board.layout().space(u32::try_from(at << 6).unwrap_or(u32::MAX) + bit);
                let its = self
                    .board
                    .map
                    .spaces
                    .get(space as usize)
                    .map_or(usize::MAX, |s| s.kind.index());
                if !of_kind.get(its).copied().unwrap_or(false) {
                    *word &= !(1 << bit);
                }
            }
        }
    }

    /// Where the units stand that meet a noun phrase, or those of the same top kind that do not.
    fn units_of(&mut self, key: UnitsKey) -> Result<Bits, EvalFault> {
        if let Some(known) = self.room.units_known(&key) {
            return Ok(known);
        }
        let (phrase, but, viewer, bound) = key;
        let position = self.position;
        let (rules, world) = (self.board.rules, position.world);
        let things = &rules.things[phrase.index()];
        if let Some(bits) = self.by_sorts(things, but, viewer)? {
            let copy = self.copy(&bits);
            self.room.units.insert(key, bits);
            return Ok(copy);
        }
        let mut bits = self.empty();
        // The same condition is asked of every unit; units with the same facts have one answer.
        let mut fact_memo = None;
        if let Some(condition) = things.condition {
            let depends = self.depends(condition, things.level);
            if depends.by_facts() {
                let known = self.room.of_units.get_mut(&(condition, viewer, self.room.asking));
                let known = known.and_then(Option::take);
                let mut known = known.unwrap_or_else(|| {
                    let mut depends = (*depends).clone();
                    let owner = crate::world::built_in::OWNER;
                    if viewer.is_none() && !depends.facts.contains(&owner) {
                        depends.facts.push(owner);
                    }
                    Box::new(ByFacts::new(self.board, &depends))
                });
                if bound.is_some() {
                    known.forget();
                }
                fact_memo = Some(known);
            }
        }
        let standing = self.standing();
        for &(unit, cell) in &standing {
            if bits.get(cell) {
                continue;
            }
            let thing = ThingRef::Unit(unit);
            let mut meets = position.is_kind(thing, things.kind);
            if meets && let Some(condition) = things.condition {
                let viewer = viewer.or_else(|| position.viewer_of(thing));
                let cx = self.cx(viewer, things.level, thing);
                let ask = || position.holds_directly(condition, &cx);
                meets = match &mut fact_memo {
                    Some(known) => known.fact_memo.get(self.board, world, thing, ask)?,
                    None => ask()?,
                };
            }
            if meets != but {
                bits.set(cell);
            }
        }
        self.room.standing = Some(standing);
        if let (Some(fact_memo), Some(condition)) = (fact_memo, things.condition) {
            let key = (condition, viewer, self.room.asking);
            self.room.of_units.insert(key, Some(fact_memo));
        }
        let copy = self.copy(&bits);
        self.room.units.insert(key, bits);
        Ok(copy)
    }
}
