//! The conditions of a trace as trees over what can be kept cell by cell.

use indexmap::{IndexMap, IndexSet};

use super::NotLocal;
use super::asked::Asked;
use super::counted::Counted;
use super::near::{Near, Nets};
use super::reach::Reach;
use crate::ir::*;
use crate::kernel::board::Board;
use crate::kernel::{Cx, Position};
use crate::world::ThingRef;

/// A condition by its place among all; behind those that it is made of.
pub(super) type Id = usize;

/// A condition on a cell; equal ones are kept once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Local {
    /// the same everywhere
    Always(bool),
    /// by a plane of answers of the evaluator, each asked again when something near it changes
    Asked(usize),
    /// whether units of a count stand near
    Units(usize, Near),
    /// whether a space near meets another condition
    Spaces(Id, KindId, Near),
    All(Vec<Id>),
    One(Vec<Id>),
    Not(Id),
}

/// All conditions of a trace, and what they are made of.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub locals: IndexSet<Local>,
    pub asked: Vec<Asked>,
    pub counted: Vec<Counted>,
    pub nets: Nets,
    /// Named values that have been translated.
    named: IndexMap<(ExprId, Asking), Id>,
}

/// In which question a condition stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Asking {
    /// The level whose subject is the space.
    pub level: u8,
    /// Who asks.
    pub viewer: Option<SideId>,
    /// The unit whose line it is, the subject of level 0, where conditions may name it: one for all
    /// that look the same to them.
    pub bound: Option<ThingRef>,
}

impl Tree {
    pub(super) fn put(&mut self, local: Local) -> Id {
        self.locals.insert_full(local).0
    }

    /// The tree of a condition; the same steps as those by which a board asks it of all spaces.
    pub(super) fn translated(
        &mut self,
        position: &Position<'_>,
        id: ExprId,
        asking: Asking,
    ) -> Result<Id, NotLocal> {
        let (rules, Asking { level, viewer, .. }) = (position.rules, asking);
        if let Some(truth) = of_unit_alone(position, id, asking) {
            return Ok(self.put(Local::Always(truth)));
        }
        let own = |of: ExprId| matches!(rules.node(of), Node::Subject(l) if *l == level);
        match rules.node(id) {
            Node::Truth(truth) => Ok(self.put(Local::Always(*truth))),
            Node::And(parts) => {
                let parts = self.all_of(position, parts, asking)?;
                Ok(self.put(Local::All(parts)))
            }
            Node::Or(parts) => {
                let parts = self.all_of(position, parts, asking)?;
                Ok(self.put(Local::One(parts)))
            }
            Node::Not(inner) => {
                let inner = self.translated(position, *inner, asking)?;
                Ok(self.put(Local::Not(inner)))
            }
            Node::Define(define, Some(of)) if own(*of) => {
                let define = rules.defines.get(define.index()).ok_or(NotLocal::Beyond)?;
                let value = define.value;
                // In there the subject of level 0 is the space.
                let inner = Asking { level: 0, viewer: asker(position, viewer), bound: None };
                let key = (value, inner);
                if let Some(known) = self.named.get(&key) {
                    return Ok(*known);
                }
                let id = self.translated(position, value, key.1)?;
                let id = match (define.of, position.board.having(define.of)) {
                    // Spaces of other kinds do not have it.
                    (Some(kind), Some(_)) => self.put(Local::Spaces(id, kind, Near::Here)),
                    _ => id,
                };
                self.named.insert(key, id);
                Ok(id)
            }
            Node::Any(things) => match self.things(position, *things, asking)? {
                Some(some) => Ok(some),
                None => self.asked(&position.board, id, asking),
            },
            Node::Only(things) => match self.only(position, *things, asking)? {
                Some(only) => Ok(only),
                None => self.asked(&position.board, id, asking),
            },
            _ => self.asked(&position.board, id, asking),
        }
    }

    fn all_of(
        &mut self,
        position: &Position<'_>,
        parts: &[ExprId],
        asking: Asking,
    ) -> Result<Vec<Id>, NotLocal> {
        parts.iter().map(|part| self.translated(position, *part, asking)).collect()
    }

    /// What the evaluator is asked, where it is known how far away that may change.
    fn asked(
        &mut self,
        board: &Board<'_>,
        when: ExprId,
        mut asking: Asking,
    ) -> Result<Id, NotLocal> {
        let reach = Reach::of(board, when, asking.level, asking.bound.is_some())?;
        asking.bound = asking.bound.filter(|_| board.reads(when, 0));
        let Asking { level, viewer, bound } = asking;
        let is = |a: &Asked| (a.when, a.level, a.viewer, a.bound) == (when, level, viewer, bound);
        let at = self.asked.iter().position(is).unwrap_or_else(|| {
            self.asked.push(Asked::new(when, asking, reach));
            self.asked.len() - 1
        });
        Ok(self.put(Local::Asked(at)))
    }

    /// Where things of a phrase are near; nothing if that is no count.
    fn things(
        &mut self,
        position: &Position<'_>,
        phrase: ThingsId,
        asking: Asking,
    ) -> Result<Option<Id>, NotLocal> {
        let rules = position.rules;
        let things = rules.things.get(phrase.index()).ok_or(NotLocal::Beyond)?;
        let Some(near) = self.near(&position.board, &things.place, asking.level) else {
            return Ok(None);
        };
        match rules.top(things.kind) {
            KindId::UNIT => Ok(self.units(&position.board, phrase, (false, asking.viewer), near)),
            KindId::SPACE => {
                let inner = match things.condition {
                    Some(condition) => self.translated(
                        position,
                        condition,
                        Asking {
                            level: things.level,
                            viewer: asker(position, asking.viewer),
                            ..asking
                        },
                    )?,
                    None => self.put(Local::Always(true)),
                };
                Ok(Some(self.put(Local::Spaces(inner, things.kind, near))))
            }
            _ => Ok(None),
        }
    }

    /// Where units of a phrase are near and no others of their top kind; nothing if that is no
    /// count.
    fn only(
        &mut self,
        position: &Position<'_>,
        phrase: ThingsId,
        Asking { level, viewer, .. }: Asking,
    ) -> Result<Option<Id>, NotLocal> {
        let rules = position.rules;
        let things = rules.things.get(phrase.index()).ok_or(NotLocal::Beyond)?;
        if rules.top(things.kind) != KindId::UNIT {
            return Ok(None);
        }
        let board = &position.board;
        let Some(near) = self.near(board, &things.place, level) else { return Ok(None) };
        let Some(some) = self.units(board, phrase, (false, viewer), near) else { return Ok(None) };
        let Some(others) = self.units(board, phrase, (true, viewer), near) else { return Ok(None) };
        let none = self.put(Local::Not(others));
        Ok(Some(self.put(Local::All(vec![some, none]))))
    }

    /// Where units of a phrase are near, or those others; nothing if more than their own facts says
    /// which they are.
    fn units(
        &mut self,
        board: &Board<'_>,
        phrase: ThingsId,
        (but, viewer): (bool, Option<SideId>),
        near: Near,
    ) -> Option<Id> {
        let things = board.rules.things.get(phrase.index())?;
        if things.condition.is_some_and(|c| !board.depends(c, things.level).by_facts()) {
            return None;
        }
        let is = |c: &Counted| {
            let known = board.rules.things.get(c.phrase.index());
            (c.but, c.viewer) == (but, viewer)
                && known.is_some_and(|known| same_units(board.rules, known, things))
        };
        let at = self.counted.iter().position(is).unwrap_or_else(|| {
            self.counted.push(Counted::new(board, phrase, but, viewer));
            self.counted.len() - 1
        });
        Some(self.put(Local::Units(at, near)))
    }

    /// Where things are looked for, if that is around the subject of a level.
    fn near(&mut self, board: &Board<'_>, place: &Place, level: u8) -> Option<Near> {
        let own = |of: &ExprId| matches!(board.rules.node(*of), Node::Subject(l) if *l == level);
        let mut net =
            |link: &Option<KindId>| self.nets.at(board, link.as_ref().map(std::slice::from_ref));
        match place {
            Place::In(of) if own(of) => Some(Near::Here),
            Place::Adjacent(of, link) if own(of) => Some(Near::Adjacent(net(link))),
            Place::AdjacentNotOver(of, link) if own(of) => {
                Some(Near::Except(net(&None), net(&Some(*link))))
            }
            Place::Within(steps, of, link) if own(of) => Some(Near::Within(*steps, net(link))),
            _ => None,
        }
    }
}

/// What a condition says that reads of the unit whose line it is alone; nothing where it reads more.
fn of_unit_alone(position: &Position<'_>, id: ExprId, asking: Asking) -> Option<bool> {
    let (board, bound) = (&position.board, asking.bound?);
    if !board.reads(id, 0) || board.reads(id, asking.level) {
        return None;
    }
    let depends = board.depends_bound(id, asking.level);
    if !depends.by_facts() || depends.world || depends.named {
        return None;
    }
    position.holds(id, &Cx::of(asking.viewer, bound)).ok()
}

/// A question without a side is asked by the side that asks about spaces.
fn asker(position: &Position<'_>, viewer: Option<SideId>) -> Option<SideId> {
    viewer.or_else(|| position.viewer_of(ThingRef::Space(0)))
}

/// Whether two phrases mean the same units, wherever they look for them; on the safe side.
fn same_units(rules: &Ruleset, a: &Things, b: &Things) -> bool {
    let conditions = match (a.condition, b.condition) {
        (Some(a), Some(b)) => alike(rules, a, b),
        (a, b) => a == b,
    };
    a.kind == b.kind && a.level == b.level && conditions
}

/// Whether two expressions are written alike, as far as conditions on units mostly are.
fn alike(rules: &Ruleset, a: ExprId, b: ExprId) -> bool {
    let both = |a: &[ExprId], b: &[ExprId]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(rules, *a, *b))
    };
    match (rules.node(a), rules.node(b)) {
        (Node::And(a), Node::And(b)) | (Node::Or(a), Node::Or(b)) => both(a, b),
        (Node::Not(a), Node::Not(b)) => alike(rules, *a, *b),
        (Node::Stands(a, to), Node::Stands(b, other)) => to == other && alike(rules, *a, *b),
        (Node::Fact(fact, a), Node::Fact(other, b)) => fact == other && alike(rules, *a, *b),
        (Node::Same(a, with), Node::Same(b, other)) => {
            alike(rules, *a, *b) && alike(rules, *with, *other)
        }
        (a, b) => a == b,
    }
}
