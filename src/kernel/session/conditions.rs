//! The conditions of a trace, kept right cell by cell.
//!
//! A condition is a tree over what is counted: in which cells units stand that meet a noun phrase, and what a space is by
//! its own facts. A change of either is told by its cell, and only conditions near it are asked again.

use indexmap::{IndexMap, IndexSet};

use super::NotLocal;
use super::reach::Reach;
use crate::ir::*;
use crate::kernel::board::{Asker, Bits, Board, Net, Room};
use crate::kernel::{Cx, EvalFault, Position};
use crate::world::ThingRef;

/// A condition by its place among all.
pub(super) type Id = usize;

/// A condition on a cell; equal ones are kept once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Local {
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

/// Where things are looked for, from a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Near {
    Here,
    /// over the links of one net
    Adjacent(usize),
    /// over the links of one net, and not joined by those of another
    Except(usize, usize),
    /// so many links of a net
    Within(u32, usize),
}

/// What the evaluator is asked of each space.
#[derive(Debug)]
struct Asked {
    when: ExprId,
    level: u8,
    viewer: Option<SideId>,
    reach: Reach,
    yes: Bits,
}

/// The units that meet a noun phrase, or of its top kind those that do not.
#[derive(Debug)]
struct Counted {
    phrase: ThingsId,
    but: bool,
    viewer: Option<SideId>,
    /// By unit, whether it is one of them.
    member: Vec<bool>,
    /// How many stand in each cell.
    count: Vec<u32>,
    some: Bits,
}

/// All conditions of a trace.
pub(super) struct Conditions {
    locals: IndexSet<Local>,
    asked: Vec<Asked>,
    counted: Vec<Counted>,
    nets: Vec<std::rc::Rc<Net>>,
    /// What is kept by cell: conditions that gates ask.
    roots: IndexMap<Id, Bits>,
    /// How far away a change counts at most.
    pub reach: u32,
    /// Whether things named in the rules count wherever they are.
    pub named: bool,
}

impl Conditions {
    pub(super) fn new() -> Conditions {
        Conditions {
            locals: IndexSet::new(),
            asked: Vec::new(),
            counted: Vec::new(),
            nets: Vec::new(),
            roots: IndexMap::new(),
            reach: 0,
            named: false,
        }
    }

    /// A condition that is kept for every cell; the space is the subject of a level.
    pub(super) fn root(&mut self, position: &Position<'_>, when: ExprId, viewer: Option<SideId>) -> Result<usize, NotLocal> {
        let board = position.board();
        let reach = Reach::of(&board, when, 1)?;
        self.reach = self.reach.max(reach.most());
        self.named |= reach.named;
        let id = self.translated(position, &board, when, 1, viewer)?;
        Ok(self.kept(id))
    }

    /// One of these, kept for every cell.
    pub(super) fn one(&mut self, roots: &[usize]) -> usize {
        let parts = roots.iter().filter_map(|r| self.roots.get_index(*r).map(|(id, _)| *id)).collect();
        let id = self.put(Local::One(parts));
        self.kept(id)
    }

    /// What holds everywhere.
    pub(super) fn always(&mut self) -> usize {
        let id = self.put(Local::Always(true));
        self.kept(id)
    }

    fn kept(&mut self, id: Id) -> usize {
        let entry = self.roots.entry(id);
        let at = entry.index();
        entry.or_default();
        at
    }

    fn put(&mut self, local: Local) -> Id {
        self.locals.insert_full(local).0
    }

    /// Whether a kept condition holds in a cell.
    #[inline]
    pub(super) fn holds(&self, root: usize, cell: u32) -> bool {
        self.roots[root].get(cell)
    }

    /// A kept condition, as bits.
    pub(super) fn bits(&self, root: usize) -> &Bits {
        &self.roots[root]
    }

    fn net(&mut self, board: &Board<'_>, kinds: Option<&[KindId]>) -> usize {
        let net = board.net(kinds);
        self.nets.iter().position(|n| std::rc::Rc::ptr_eq(n, &net)).unwrap_or_else(|| {
            self.nets.push(net);
            self.nets.len() - 1
        })
    }

    /// The tree of a condition; the same steps as those by which a board asks it of all spaces.
    fn translated(
        &mut self,
        position: &Position<'_>,
        board: &Board<'_>,
        id: ExprId,
        level: u8,
        viewer: Option<SideId>,
    ) -> Result<Id, NotLocal> {
        let rules = board.rules;
        let own = |of: ExprId| matches!(rules.node(of), Node::Subject(l) if *l == level);
        match rules.node(id) {
            Node::Truth(truth) => Ok(self.put(Local::Always(*truth))),
            Node::And(parts) => {
                let parts: Result<Vec<Id>, NotLocal> = parts.iter().map(|p| self.translated(position, board, *p, level, viewer)).collect();
                let parts = parts?;
                Ok(self.put(Local::All(parts)))
            }
            Node::Or(parts) => {
                let parts: Result<Vec<Id>, NotLocal> = parts.iter().map(|p| self.translated(position, board, *p, level, viewer)).collect();
                let parts = parts?;
                Ok(self.put(Local::One(parts)))
            }
            Node::Not(inner) => {
                let inner = self.translated(position, board, *inner, level, viewer)?;
                Ok(self.put(Local::Not(inner)))
            }
            Node::Define(define, Some(of)) if own(*of) => {
                let value = rules.defines.get(define.index()).ok_or(NotLocal::Beyond)?.value;
                // A question without a side is asked by the side that asks about spaces.
                let viewer = viewer.or_else(|| position.viewer_of(ThingRef::Space(0)));
                self.translated(position, board, value, 0, viewer)
            }
            Node::Any(things) => match self.things(position, board, *things, (level, viewer))? {
                Some((some, _)) => Ok(some),
                None => self.asked(board, id, level, viewer),
            },
            Node::Only(things) => match self.things(position, board, *things, (level, viewer))? {
                Some((some, Some(bad))) => {
                    let not = self.put(Local::Not(bad));
                    Ok(self.put(Local::All(vec![some, not])))
                }
                _ => self.asked(board, id, level, viewer),
            },
            _ => self.asked(board, id, level, viewer),
        }
    }

    /// What the evaluator is asked, where it is known how far away that may change.
    fn asked(&mut self, board: &Board<'_>, when: ExprId, level: u8, viewer: Option<SideId>) -> Result<Id, NotLocal> {
        let reach = Reach::of(board, when, level)?;
        let is = |a: &Asked| (a.when, a.level, a.viewer) == (when, level, viewer);
        let at = self.asked.iter().position(is).unwrap_or_else(|| {
            self.asked.push(Asked { when, level, viewer, reach, yes: Bits::default() });
            self.asked.len() - 1
        });
        Ok(self.put(Local::Asked(at)))
    }

    /// Where things of a phrase are near, and of units where others of their top kind are; nothing if that is no count.
    fn things(
        &mut self,
        position: &Position<'_>,
        board: &Board<'_>,
        phrase: ThingsId,
        (level, viewer): (u8, Option<SideId>),
    ) -> Result<Option<(Id, Option<Id>)>, NotLocal> {
        let rules = board.rules;
        let things = rules.things.get(phrase.index()).ok_or(NotLocal::Beyond)?;
        let own = |of: &ExprId| matches!(rules.node(*of), Node::Subject(l) if *l == level);
        let near = match &things.place {
            Place::In(of) if own(of) => Near::Here,
            Place::Adjacent(of, link) if own(of) => Near::Adjacent(self.net(board, link.as_ref().map(std::slice::from_ref))),
            Place::AdjacentNotOver(of, link) if own(of) => {
                let (all, but) = (self.net(board, None), self.net(board, Some(&[*link])));
                Near::Except(all, but)
            }
            Place::Within(steps, of, link) if own(of) => Near::Within(*steps, self.net(board, link.as_ref().map(std::slice::from_ref))),
            _ => return Ok(None),
        };
        match rules.top(things.kind) {
            KindId::UNIT => {
                if things.condition.is_some_and(|c| !board.depends(c, things.level).by_facts()) {
                    return Ok(None);
                }
                let [some, bad] = [false, true].map(|but| {
                    let at = self.counted(phrase, but, viewer);
                    self.put(Local::Units(at, near))
                });
                Ok(Some((some, Some(bad))))
            }
            KindId::SPACE => {
                let inner = match things.condition {
                    Some(condition) => {
                        let viewer = viewer.or_else(|| position.viewer_of(ThingRef::Space(0)));
                        self.translated(position, board, condition, things.level, viewer)?
                    }
                    None => self.put(Local::Always(true)),
                };
                Ok(Some((self.put(Local::Spaces(inner, things.kind, near)), None)))
            }
            KindId::LINK if things.condition.is_none() => Ok(None),
            _ => Ok(None),
        }
    }

    fn counted(&mut self, phrase: ThingsId, but: bool, viewer: Option<SideId>) -> usize {
        let is = |c: &Counted| (c.phrase, c.but, c.viewer) == (phrase, but, viewer);
        self.counted.iter().position(is).unwrap_or_else(|| {
            self.counted.push(Counted { phrase, but, viewer, member: Vec::new(), count: Vec::new(), some: Bits::default() });
            self.counted.len() - 1
        })
    }

    /// Works everything out for a position.
    pub(super) fn renew(&mut self, position: &Position<'_>) -> Result<(), EvalFault> {
        let board = position.board();
        let layout = board.layout();
        let mut room = Room::default();
        let mut asker = Asker::new(&board, position, None, &mut room);
        let all = asker.all();
        for asked in &mut self.asked {
            asked.yes = asker.truth(asked.when, asked.level, asked.viewer, &all)?;
        }
        let units = u32::try_from(position.world.units.len()).unwrap_or(u32::MAX);
        for counted in &mut self.counted {
            counted.count = vec![0; layout.size * 64];
            counted.some = Bits::new(layout.size);
            counted.member = vec![false; units as usize];
            for unit in 0..units {
                let member = counted.is_member(position, unit)?;
                counted.member[unit as usize] = member;
                if let Some(space) = position.world.space_of(unit).filter(|_| member) {
                    let cell = layout.cell(space);
                    counted.count[cell as usize] += 1;
                    counted.some.set(cell);
                }
            }
        }
        for root in 0..self.roots.len() {
            let id = self.roots.get_index(root).map_or(0, |(id, _)| *id);
            let mut bits = Bits::new(layout.size);
            for cell in layout.spaces.cells().filter(|cell| self.is_so(&board, id, *cell)) {
                bits.set(cell);
            }
            self.roots[root] = bits;
        }
        Ok(())
    }

    /// Counts a unit anew, which stood in a cell and now stands in another or has other facts; adds the cells where
    /// that made a difference.
    pub(super) fn recount(
        &mut self,
        position: &Position<'_>,
        unit: u32,
        (from, to): (Option<u32>, Option<u32>),
        facts: bool,
        cells: &mut Vec<u32>,
    ) -> Result<(), EvalFault> {
        for counted in &mut self.counted {
            let before = counted.member[unit as usize];
            let after = if facts { counted.is_member(position, unit)? } else { before };
            counted.member[unit as usize] = after;
            if before && after && from == to {
                continue;
            }
            if let Some(cell) = from.filter(|_| before) {
                let count = &mut counted.count[cell as usize];
                *count -= 1;
                if *count == 0 {
                    put(&mut counted.some, cell, false);
                    cells.push(cell);
                }
            }
            if let Some(cell) = to.filter(|_| after) {
                let count = &mut counted.count[cell as usize];
                *count += 1;
                if *count == 1 {
                    counted.some.set(cell);
                    cells.push(cell);
                }
            }
        }
        Ok(())
    }

    /// Whether units are asked where they stand, or what their space is like.
    pub(super) fn members_stand(&self, board: &Board<'_>) -> bool {
        self.counted.iter().any(|c| {
            let things = &board.rules.things[c.phrase.index()];
            things.condition.is_some_and(|condition| {
                let depends = board.depends(condition, things.level);
                depends.stands || !depends.here.is_empty()
            })
        })
    }

    /// Whether any condition asks the evaluator about units near a space.
    pub(super) fn asks_units(&self) -> bool {
        self.asked.iter().any(|a| a.reach.units.is_some())
    }

    /// Asks all conditions of some cells again; adds those cells where one has changed. What reads spaces alone is asked
    /// again only if these have changed.
    pub(super) fn again(
        &mut self,
        position: &Position<'_>,
        board: &Board<'_>,
        cells: &[u32],
        spaces: bool,
        changed: &mut Vec<u32>,
    ) -> Result<(), EvalFault> {
        for asked in self.asked.iter_mut().filter(|a| spaces || a.reach.units.is_some()) {
            for cell in cells {
                let cx = Cx::world(asked.viewer).with(asked.level, ThingRef::Space(board.layout().space(*cell)));
                let yes = position.holds(asked.when, &cx)?;
                put(&mut asked.yes, *cell, yes);
            }
        }
        for root in 0..self.roots.len() {
            let Some((id, _)) = self.roots.get_index(root) else { continue };
            let id = *id;
            for cell in cells {
                let yes = self.is_so(board, id, *cell);
                let bits = &mut self.roots[root];
                if bits.get(*cell) != yes {
                    put(bits, *cell, yes);
                    changed.push(*cell);
                }
            }
        }
        Ok(())
    }

    /// Whether a condition holds in a cell, from what is counted.
    fn is_so(&self, board: &Board<'_>, id: Id, cell: u32) -> bool {
        let Some(local) = self.locals.get_index(id) else { return false };
        match local {
            Local::Always(value) => *value,
            Local::Asked(at) => self.asked[*at].yes.get(cell),
            Local::Units(at, near) => {
                let some = &self.counted[*at].some;
                self.near(board, *near, cell, &|c| some.get(c))
            }
            Local::Spaces(inner, kind, near) => self.near(board, *near, cell, &|c| {
                let space = board.layout().space(c) as usize;
                board.map.spaces.get(space).is_some_and(|s| board.rules.is_kind(s.kind, *kind)) && self.is_so(board, *inner, c)
            }),
            Local::All(parts) => parts.iter().all(|p| self.is_so(board, *p, cell)),
            Local::One(parts) => parts.iter().any(|p| self.is_so(board, *p, cell)),
            Local::Not(inner) => !self.is_so(board, *inner, cell),
        }
    }

    fn near(&self, board: &Board<'_>, near: Near, cell: u32, is: &dyn Fn(u32) -> bool) -> bool {
        let layout = board.layout();
        let mut found = false;
        match near {
            Near::Here => return is(cell),
            Near::Adjacent(net) => self.nets[net].each(layout, cell, |c| found = found || is(c)),
            Near::Except(all, but) => {
                let mut barred = Vec::new();
                self.nets[but].each(layout, cell, |c| barred.push(c));
                self.nets[all].each(layout, cell, |c| found = found || !barred.contains(&c) && is(c));
            }
            Near::Within(steps, net) => {
                let mut cells = vec![cell];
                ball(&self.nets[net], board, steps, &mut cells);
                return cells.into_iter().any(is);
            }
        }
        found
    }
}

impl Counted {
    fn is_member(&self, position: &Position<'_>, unit: u32) -> Result<bool, EvalFault> {
        let things = &position.rules.things[self.phrase.index()];
        let thing = ThingRef::Unit(unit);
        if position.world.units.get(unit as usize).is_none_or(|u| u.removed) {
            return Ok(false);
        }
        let meets = position.is_kind(thing, things.kind) && position.meets(things, thing, &Cx::world(self.viewer))?;
        Ok(meets != self.but)
    }
}

/// Sets or clears a cell.
pub(super) fn put(bits: &mut Bits, cell: u32, yes: bool) {
    let word = &mut bits.0[cell as usize >> 6];
    let bit = 1 << (cell & 63);
    *word = if yes { *word | bit } else { *word & !bit };
}

/// Adds all cells at most so many links away from some.
pub(super) fn ball(net: &Net, board: &Board<'_>, steps: u32, cells: &mut Vec<u32>) {
    cells.sort_unstable();
    cells.dedup();
    let mut edge = cells.clone();
    for _ in 0..steps {
        let mut next = Vec::new();
        for cell in edge {
            net.each(board.layout(), cell, |c| {
                if let Err(at) = cells.binary_search(&c) {
                    cells.insert(at, c);
                    next.push(c);
                }
            });
        }
        edge = next;
        if edge.is_empty() {
            return;
        }
    }
}
