//! Translates conditions on spaces into operations on planes.
//!
//! What reads nothing that varies is worked out once; presence of units, control and neighbourhood
//! are planes; all else is asked of every position by the slow evaluator, which is always right.

use super::Cx;
use super::build::{Builder, SlowPlane};
use super::look::Look;
use super::plane::{Op, PlaneId, Query};
use super::reads::bit;
use crate::ir::*;
use crate::world::{ThingRef, built_in};

/// How an expression names the space in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// the subject of a level is the space
    Subject(u8),
    /// the subject of level 0 is this unit, and the space is where it stands
    Where(u32),
}

impl Builder<'_> {
    /// The plane of a condition whose space is the subject of a level.
    pub(super) fn space_condition(
        &mut self,
        when: ExprId,
        level: u8,
        viewer: Option<SideId>,
    ) -> PlaneId {
        if let Some(known) = self.known.get(&(when, level, viewer)) {
            return *known;
        }
        let plane = match self.translated(when, level, viewer) {
            Some(plane) => plane,
            None => self.slow(SlowPlane { when, viewer, level }),
        };
        self.known.insert((when, level, viewer), plane);
        plane
    }

    fn translated(&mut self, when: ExprId, level: u8, viewer: Option<SideId>) -> Option<PlaneId> {
        if self.reader.of(when).fixed_for_space(level) {
            let position = self.position;
            return self.fixed(|thing| position.holds(when, &Cx::world(viewer).with(level, thing)));
        }
        match self.position.rules.node(when) {
            Node::And(parts) => {
                let parts = parts
                    .iter()
                    .map(|p| (self.space_condition(*p, level, viewer), false))
                    .collect();
                Some(self.all(parts, false))
            }
            Node::Or(parts) => {
                let parts: Vec<PlaneId> =
                    parts.iter().map(|p| self.space_condition(*p, level, viewer)).collect();
                Some(self.one(parts))
            }
            Node::Not(inner) => {
                let inner = self.space_condition(*inner, level, viewer);
                Some(self.all(vec![(inner, true)], false))
            }
            Node::Define(define, Some(of)) if self.is_row(*of, Row::Subject(level)) => {
                Some(self.named(*define, viewer))
            }
            _ => self.leaf(when, Row::Subject(level), viewer),
        }
    }

    /// A named value of a space, the subject of its own level 0; a question without a side is asked
    /// by the world's.
    pub(super) fn named(&mut self, define: DefineId, viewer: Option<SideId>) -> PlaneId {
        let viewer = viewer.or(self.position.world.viewer);
        self.space_condition(self.position.rules.defines[define.index()].value, 0, viewer)
    }

    /// Whether an expression is the space in question.
    pub(super) fn is_row(&self, id: ExprId, row: Row) -> bool {
        match (self.position.rules.node(id), row) {
            (Node::Subject(level), Row::Subject(wanted)) => *level == wanted,
            (Node::Fact(built_in::SPACE, of), Row::Where(_)) => {
                *self.position.rules.node(*of) == Node::Subject(0)
            }
            _ => false,
        }
    }

    /// Presence, control and neighbourhood.
    pub(super) fn leaf(
        &mut self,
        when: ExprId,
        row: Row,
        viewer: Option<SideId>,
    ) -> Option<PlaneId> {
        match self.position.rules.node(when) {
            Node::Any(things) => self.quantity(*things, row, viewer, false),
            Node::Only(things) => self.quantity(*things, row, viewer, true),
            Node::Stands(of, stance) => self.stands(*of, *stance, row, viewer),
            Node::Same(left, right) => {
                let other = self.beside_control(*left, *right, row)?;
                let other = self.side_of(other, row, viewer)?;
                Some(self.control(|s| other == Some(s), other.is_none(), other.is_none()))
            }
            Node::Sides { left, right, war } => {
                let other = self.beside_control(*left, *right, row)?;
                let other = self.side_of(other, row, viewer)?;
                let Some(other) = other else { return Some(self.same(false)) };
                let wanted =
                    self.related(other, &[if *war { Relation::Enemy } else { Relation::Allied }]);
                Some(self.control(wanted, false, false))
            }
            _ => None,
        }
    }

    /// Of two expressions the one that is not the control of the space, if the other is.
    fn beside_control(&self, left: ExprId, right: ExprId, row: Row) -> Option<ExprId> {
        if self.is_control(left, row) {
            return Some(right);
        }
        self.is_control(right, row).then_some(left)
    }

    fn is_control(&self, id: ExprId, row: Row) -> bool {
        matches!(self.position.rules.node(id), Node::Fact(built_in::CONTROL, of) if self.is_row(*of, row))
    }

    /// A side that never varies, or none; nothing if it may vary or is no side.
    fn side_of(&self, id: ExprId, row: Row, viewer: Option<SideId>) -> Option<Option<SideId>> {
        let reads = self.reader.of(id);
        let (cx, known) = match row {
            Row::Where(unit) => (Cx::of(viewer, ThingRef::Unit(unit)), bit(0)),
            Row::Subject(_) => (Cx::world(viewer), 0),
        };
        if reads.varies
            || reads.subjects & !known != 0
            || reads.space != 0
            || !reads.facts.is_empty()
        {
            return None;
        }
        match self.position.value(id, &cx).ok()? {
            super::Value::Thing(Some(ThingRef::Side(side))) => Some(Some(side)),
            super::Value::Thing(None) => Some(None),
            _ => None,
        }
    }

    /// How the space, or the side that controls it, stands to the viewer.
    fn stands(
        &mut self,
        of: ExprId,
        stance: Stance,
        row: Row,
        viewer: Option<SideId>,
    ) -> Option<PlaneId> {
        let by_side = self.is_control(of, row);
        if !by_side && !self.is_row(of, row) {
            return None;
        }
        let Some(viewer) = viewer else { return Some(self.same(false)) };
        let ways: &[Relation] = match stance {
            Stance::Own => &[Relation::Own],
            Stance::Allied => &[Relation::Allied],
            Stance::Friendly => &[Relation::Own, Relation::Allied],
            Stance::Enemy => &[Relation::Enemy],
            Stance::Neutral => &[Relation::Neutral],
        };
        let wanted = self.related(viewer, ways);
        // A space of nobody's is neutral; no side at all stands in no way. The world, asked as a
        // space, is nobody's.
        let nobody = stance == Stance::Neutral && !by_side;
        Some(self.control(wanted, nobody, nobody && matches!(row, Row::Subject(_))))
    }

    /// `any` or `only` of things in, beside or around the space.
    fn quantity(
        &mut self,
        id: ThingsId,
        row: Row,
        viewer: Option<SideId>,
        only: bool,
    ) -> Option<PlaneId> {
        let things = &self.position.rules.things[id.index()];
        let (of, steps, itself, link) = match &things.place {
            Place::In(of) => (*of, 0, true, None),
            Place::Adjacent(of, link) => (*of, 1, false, *link),
            Place::Within(steps, of, link) => (*of, *steps, true, *link),
            Place::Anywhere | Place::AdjacentNotOver(..) => return None,
        };
        // A unit that is named as a place is the space it stands in.
        let unit_itself =
            matches!(row, Row::Where(_)) && *self.position.rules.node(of) == Node::Subject(0);
        if !self.is_row(of, row) && !unit_itself {
            return None;
        }
        let (good, bad) = match self.position.rules.kinds[things.kind.index()].top {
            KindId::UNIT => self.units(things, viewer)?,
            KindId::SPACE => self.spaces(things, viewer)?,
            _ => return None,
        };
        let good = self.spread(good, steps, itself, link);
        if !only {
            return Some(good);
        }
        let bad = self.spread(bad, steps, itself, link);
        Some(self.all(vec![(good, false), (bad, true)], false))
    }

    fn spread(&mut self, of: PlaneId, steps: u32, itself: bool, link: Option<KindId>) -> PlaneId {
        if steps == 0 {
            return of;
        }
        let links = self.links(link.as_ref().map(std::slice::from_ref));
        let steps = steps.min(u32::try_from(self.shape.spaces).unwrap_or(u32::MAX).max(1));
        self.op(Op::Spread { of, links, steps, itself })
    }

    /// The planes of the units that a noun phrase means, and of all others.
    fn units(&mut self, things: &Things, viewer: Option<SideId>) -> Option<(PlaneId, PlaneId)> {
        let reads = things.condition.map_or_else(Default::default, |c| self.reader.of(c));
        if reads.varies || reads.subjects & !bit(things.level) != 0 {
            return None;
        }
        let units = self.shape.template.units.len();
        let (mut good, mut bad) = (Query::default(), Query::default());
        for query in [&mut good, &mut bad] {
            query.always = vec![false; units];
        }
        for unit in 0..u32::try_from(units).unwrap_or(0) {
            let thing = ThingRef::Unit(unit);
            if self.shape.removed(unit as usize) {
                continue;
            }
            if !self.position.is_kind(thing, things.kind) {
                bad.always[unit as usize] = true;
                continue;
            }
            let meets =
                |p: &super::Position<'_>| p.meets(things, thing, &Cx::world(viewer)).map(u16::from);
            let look = Look::of(self, unit, things.level, &reads, meets)?;
            match look.fixed() {
                Some(0) => bad.always[unit as usize] = true,
                Some(_) => good.always[unit as usize] = true,
                None => {
                    bad.depends.push((unit, look.clone().map(|v| u16::from(v == 0))));
                    good.depends.push((unit, look));
                }
            }
        }
        Some((self.query(good), self.query(bad)))
    }

    /// The planes of the spaces that a noun phrase means, and of all others; no space is neither.
    fn spaces(&mut self, things: &Things, viewer: Option<SideId>) -> Option<(PlaneId, PlaneId)> {
        let viewer = viewer.or(self.position.world.viewer);
        let (position, kind) = (self.position, things.kind);
        let of_kind =
            self.fixed(|t| Ok(matches!(t, ThingRef::Space(_)) && position.is_kind(t, kind)))?;
        let somewhere = self.fixed(|t| Ok(t != ThingRef::World))?;
        let good = match things.condition {
            Some(when) => {
                if self.reader.of(when).subjects & !bit(things.level) != 0 {
                    return None;
                }
                let holds = self.space_condition(when, things.level, viewer);
                self.all(vec![(of_kind, false), (holds, false)], false)
            }
            None => of_kind,
        };
        let bad = self.all(vec![(somewhere, false), (good, true)], false);
        Some((good, bad))
    }
}
