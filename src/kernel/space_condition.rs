//! Translates conditions on spaces into operations on planes.
//!
//! What reads nothing that varies is worked out once; presence of units, control and neighbourhood
//! are planes; all else is asked of every position by the slow evaluator, which is always right.

use super::Cx;
use super::build::{Builder, SlowPlane, cx};
use super::plane::{Op, PlaneId, Query};
use super::reads::{Reads, bit};
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
        let bound = self.bound.filter(|_| level > 0 && self.reader.of(when).subjects & bit(0) != 0);
        if let Some(known) = self.known.get(&(when, level, viewer, bound)) {
            return *known;
        }
        let plane = match self.translated(when, level, viewer) {
            Some(plane) => plane,
            None => self.slow(SlowPlane { when, viewer, level, bound }),
        };
        self.known.insert((when, level, viewer, bound), plane);
        plane
    }

    fn translated(&mut self, when: ExprId, level: u8, viewer: Option<SideId>) -> Option<PlaneId> {
        let reads = self.reader.of(when);
        let moves = self.reads_bound(&reads, level);
        if !moves && self.unbound(reads, level).fixed_for_space(level) {
            let (position, bound) = (self.position, self.bound.filter(|_| level > 0));
            return self.fixed(|thing| position.holds(when, &cx(viewer, level, bound, thing)));
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
                Some(self.named(*define, Row::Subject(level), viewer))
            }
            // What is said of the world says the same of every space.
            Node::Define(define, None) => {
                let value = self.position.rules.defines[define.index()].value;
                (self.reader.of(value).subjects == 0).then(|| self.body(*define, viewer))
            }
            _ => self.leaf(when, Row::Subject(level), viewer),
        }
    }

    /// Whether an expression reads something of the unit whose line it is that varies: where it
    /// stands, or a fact.
    fn reads_bound(&self, reads: &Reads, level: u8) -> bool {
        let own = reads.space & bit(0) != 0 || reads.facts.iter().any(|(of, _)| *of == 0);
        self.bound.is_some() && level > 0 && own
    }

    /// What an expression reads beside the unit whose line it is, of which only what never varies
    /// is asked.
    fn unbound(&self, mut reads: Reads, level: u8) -> Reads {
        if self.bound.is_some() && level > 0 {
            reads.subjects &= !bit(0);
        }
        reads
    }

    /// A named value of the space in question: no where there is none, or none that has it.
    pub(super) fn named(&mut self, define: DefineId, row: Row, viewer: Option<SideId>) -> PlaneId {
        let value = self.body(define, viewer);
        let (position, said_of) = (self.position, self.position.rules.defines[define.index()].of);
        let is_there = matches!(row, Row::Subject(_));
        if is_there && position.board.having(said_of).is_none() {
            return value;
        }
        let has = |thing| match thing {
            ThingRef::World => is_there,
            thing => position.has(thing, said_of),
        };
        match self.fixed(|thing| Ok(has(thing))) {
            Some(having) => self.all(vec![(having, false), (value, false)], false),
            None => value,
        }
    }

    /// What a named value says of each space, the subject of its own level 0; a question without a
    /// side is asked by the world's.
    fn body(&mut self, define: DefineId, viewer: Option<SideId>) -> PlaneId {
        let viewer = viewer.or(self.position.world.viewer);
        // In there the subject of level 0 is the space.
        let bound = self.bound.take();
        let value = self.position.rules.defines[define.index()].value;
        let plane = self.space_condition(value, 0, viewer);
        self.bound = bound;
        plane
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
        if let Some(unit) = self.where_bound(when, row) {
            return Some(self.stands_in(unit));
        }
        match self.position.rules.node(when) {
            Node::Any(things) => self.quantity(*things, row, viewer, false),
            Node::Only(things) => self.quantity(*things, row, viewer, true),
            Node::Stands(of, stance) => self.stands(*of, *stance, row, viewer),
            Node::Same(left, right) if self.is_verdict(*left) => {
                self.verdict(*left, *right, row, viewer)
            }
            Node::Same(left, right) if self.is_verdict(*right) => {
                self.verdict(*right, *left, row, viewer)
            }
            Node::Same(left, right) => {
                let other = self.beside_control(*left, *right, row)?;
                let other = self.side_of(other, row, viewer)?;
                Some(self.control(|s| other == Some(s), other.is_none(), other.is_none()))
            }
            Node::Sides { left, right, how } => {
                let other = self.beside_control(*left, *right, row)?;
                let other = self.side_of(other, row, viewer)?;
                let Some(other) = other else { return Some(self.same(false)) };
                let wanted = self.related(other, &[*how]);
                Some(self.control(wanted, false, false))
            }
            _ => None,
        }
    }

    /// The unit whose line it is, if this asks whether it stands in the space in question.
    fn where_bound(&self, when: ExprId, row: Row) -> Option<u32> {
        let Node::Same(left, right) = self.position.rules.node(when) else { return None };
        let own = |id: ExprId| self.is_row(id, Row::Where(0));
        let both = self.is_row(*left, row) && own(*right) || own(*left) && self.is_row(*right, row);
        self.bound.filter(|_| both && matches!(row, Row::Subject(level) if level > 0))
    }

    /// Where a unit stands.
    fn stands_in(&mut self, unit: u32) -> PlaneId {
        let mut always = vec![false; self.shape.template.units.len()];
        if let Some(cell) = always.get_mut(unit as usize) {
            *cell = !self.shape.removed(unit as usize);
        }
        self.query(Query { always, ..Query::default() })
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
        let (cx, known) = match (row, self.bound) {
            (Row::Where(unit), _) => (Cx::of(viewer, ThingRef::Unit(unit)), bit(0)),
            (Row::Subject(level), Some(unit)) if level > 0 => {
                (Cx::of(viewer, ThingRef::Unit(unit)), bit(0))
            }
            _ => (Cx::world(viewer), 0),
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
        let (of, near) = match &things.place {
            Place::In(of) => (*of, None),
            Place::Adjacent(of, link) => (*of, Some((1, false, self.links_over(link.as_ref())))),
            Place::AdjacentNotOver(of, link) => (*of, Some((1, false, self.links_not_over(*link)))),
            Place::Within(0, of, _) => (*of, None),
            Place::Within(steps, of, link) => {
                (*of, Some((*steps, true, self.links_over(link.as_ref()))))
            }
            Place::Anywhere => return None,
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
        let good = self.spread(good, near);
        if !only {
            return Some(good);
        }
        let bad = self.spread(bad, near);
        Some(self.all(vec![(good, false), (bad, true)], false))
    }

    fn links_over(&mut self, link: Option<&KindId>) -> usize {
        self.links(link.map(std::slice::from_ref))
    }

    /// What is so near: over how many links, whether the space itself counts, and which links.
    fn spread(&mut self, of: PlaneId, near: Option<(u32, bool, usize)>) -> PlaneId {
        let Some((steps, itself, links)) = near else { return of };
        let steps = steps.min(u32::try_from(self.shape.spaces).unwrap_or(u32::MAX).max(1));
        self.op(Op::Spread { of, links, steps, itself })
    }

    fn is_verdict(&self, id: ExprId) -> bool {
        matches!(self.position.rules.node(id), Node::Verdict(..))
    }

    /// Whether the answer of a trace of the space is this word.
    fn verdict(
        &mut self,
        verdict: ExprId,
        word: ExprId,
        row: Row,
        viewer: Option<SideId>,
    ) -> Option<PlaneId> {
        let rules = self.position.rules;
        let (Node::Verdict(trace, of, asked), Node::Word(_, word)) =
            (rules.node(verdict), rules.node(word))
        else {
            return None;
        };
        // What was judged before is kept with the position, and may be another in each.
        let judged = rules.traces[trace.index()].judged.is_some();
        if !self.is_row(*of, row) || judged && *asked == Asked::Kept {
            return None;
        }
        let yes = self.space_trace(*trace, viewer.or(self.position.world.viewer))?;
        match word {
            0 => Some(yes),
            1 => Some(self.all(vec![(yes, true)], false)),
            _ => None,
        }
    }

    /// The planes of the units that a noun phrase means, and of all others.
    fn units(&mut self, things: &Things, viewer: Option<SideId>) -> Option<(PlaneId, PlaneId)> {
        let reads = things.condition.map_or_else(Default::default, |c| self.reader.of(c));
        if self.reads_bound(&reads, things.level) {
            return None;
        }
        let (reads, bound) = (self.unbound(reads, things.level), self.bound);
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
            let look = self.candidate_looked_up(things, &reads, unit, (viewer, bound))?;
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
                let reads = self.unbound(self.reader.of(when), things.level);
                if reads.subjects & !bit(things.level) != 0 {
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
