//! Gathers the operations of a program; equal operations are written once, whichever side they are
//! asked for.

use crate::arrange::Arrange as _;
use std::cell::RefCell;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use super::board::{Board, groups, space_of};
use super::costs::Costs;
use super::fault::BatchFault;
use super::line_planes::StepsKey;
use super::plane::{Adjacent, Op, PlaneId, Program, Query, Way};
use super::reads::Reader;
use super::shape::Shape;
use super::unit_condition::Lookups;
use super::{Cx, EvalFault, Position};
use crate::ir::{ExprId, KindId, Relation, Ruleset, SideId, TraceId};
use crate::map::Map;
use crate::world::{ThingRef, World};

/// More planes than this are not worked out.
const MOST_PLANES: u32 = 1 << 14;

/// A condition on all spaces that is asked of every position by the slow evaluator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SlowPlane {
    /// What is asked.
    pub when: ExprId,
    /// Who asks.
    pub viewer: Option<SideId>,
    /// The level whose subject is the space.
    pub level: u8,
    /// Whose line it is, where that is asked.
    pub bound: Option<u32>,
}

impl SlowPlane {
    /// What is asked of a thing.
    pub(super) fn cx(&self, thing: ThingRef) -> Cx {
        cx(self.viewer, self.level, self.bound, thing)
    }
}

/// A question about the subject of a level, for the line of a unit.
pub(super) fn cx(viewer: Option<SideId>, level: u8, bound: Option<u32>, thing: ThingRef) -> Cx {
    let cx = Cx::world(viewer);
    bound.map_or(cx, |unit| cx.with(0, ThingRef::Unit(unit))).with(level, thing)
}

/// A condition: its expression, the level of the space in it, who asks, and whose line it is where
/// it names that.
type Known = (ExprId, u8, Option<SideId>, Option<u32>);

/// A program while it is made.
pub(super) struct Builder<'a> {
    /// The template, to work out what never varies.
    pub position: &'a Position<'a>,
    /// What varies.
    pub shape: &'a Shape,
    /// The template once more, in which units are put where values are asked for.
    trial: RefCell<World>,
    /// What expressions read.
    pub reader: Reader<'a>,
    /// Conditions asked slowly.
    pub slow: IndexSet<SlowPlane>,
    /// Conditions already translated.
    pub known: IndexMap<Known, PlaneId>,
    /// The unit whose line is asked about; units that look the same to its trace have the same
    /// planes.
    pub(super) bound: Option<u32>,
    /// The answers of traces of spaces; none while they are made, and where they cannot be.
    pub(super) traced: IndexMap<(TraceId, Option<SideId>), Option<PlaneId>>,
    ops: IndexMap<Op, PlaneId>,
    planes: u32,
    /// Named values written out for units so far.
    pub(super) written_out: u32,
    queries: IndexSet<Query>,
    /// Values of units looked up so far.
    pub(super) lookups: Lookups,
    /// What steps cost, by all that costs read.
    pub(super) known_steps: IndexMap<StepsKey, Costs>,
    links: IndexMap<LinksKey, Adjacent>,
    ways: IndexMap<(Vec<bool>, Costs), Way>,
}

/// Which links count, and which of them must not join the same spaces.
type LinksKey = (Vec<bool>, Option<Vec<bool>>);

impl<'a> Builder<'a> {
    pub(super) fn new(position: &'a Position<'a>, shape: &'a Shape) -> Builder<'a> {
        Builder {
            position,
            shape,
            trial: RefCell::new(shape.template.clone()),
            reader: Reader::new(position.rules, shape),
            slow: IndexSet::new(),
            known: IndexMap::new(),
            bound: None,
            traced: IndexMap::new(),
            ops: IndexMap::new(),
            planes: 0,
            written_out: 0,
            queries: IndexSet::new(),
            lookups: Lookups::default(),
            known_steps: IndexMap::new(),
            links: IndexMap::new(),
            ways: IndexMap::new(),
        }
    }

    /// Tries values in a world like the template; the row of the unit is as it was after that.
    pub(super) fn tried<T>(
        &self,
        unit: u32,
        work: impl FnOnce(&mut World, &Rc<Board<'_>>) -> T,
    ) -> T {
        let mut world = self.trial.borrow_mut();
        let found = work(&mut world, &self.position.board());
        world.row_mut(unit).copy_from_slice(self.shape.template.row(unit));
        found
    }

    /// The program that works out some planes, and all that these rest on.
    pub(super) fn finish(
        mut self,
        wanted: impl IntoIterator<Item = PlaneId>,
    ) -> Result<(Program, Vec<SlowPlane>), BatchFault> {
        if self.planes > MOST_PLANES {
            return Err(BatchFault::TooLarge);
        }
        let mut used = vec![false; self.planes as usize];
        wanted.into_iter().for_each(|plane| used[plane as usize] = true);
        for (op, first) in self.ops.iter().rev() {
            let own = *first as usize..(*first + op.planes()) as usize;
            if used[own.clone()].contains(&true) {
                used[own].fill(true);
                op.reads(&mut |plane| used[plane as usize] = true);
            }
        }
        self.ops.retain(|_, first| used[*first as usize]);
        let queries = self.queries.into_iter().collect();
        let links = (self.links.into_values().collect(), self.ways.into_values().collect());
        let units = self.shape.template.units.len();
        let program = Program::new(
            self.ops.into_iter().collect(),
            queries,
            links,
            self.shape.spaces + 1,
            units,
        );
        Ok((program, self.slow.into_iter().collect()))
    }

    /// The first plane of an operation.
    pub(super) fn op(&mut self, op: Op) -> PlaneId {
        if let Some(known) = self.ops.get(&op) {
            return *known;
        }
        let at = self.planes;
        self.planes = self.planes.saturating_add(op.planes());
        self.ops.insert(op, at);
        at
    }

    pub(super) fn query(&mut self, query: Query) -> PlaneId {
        if query.depends.is_empty() && !query.always.contains(&true) {
            return self.same(false);
        }
        let (at, _) = self.queries.insert_full(query);
        self.op(Op::Presence(at))
    }

    pub(super) fn slow(&mut self, slow: SlowPlane) -> PlaneId {
        let (at, _) = self.slow.insert_full(slow);
        self.op(Op::Slow(at))
    }

    pub(super) fn same(&mut self, value: bool) -> PlaneId {
        self.op(Op::Fixed(vec![value; self.shape.spaces + 1]))
    }

    /// A plane worked out beforehand: `ask` for each space, and for no space.
    pub(super) fn fixed(
        &mut self,
        ask: impl Fn(ThingRef) -> Result<bool, EvalFault>,
    ) -> Option<PlaneId> {
        let rows: Result<Vec<bool>, EvalFault> = self.rows().map(ask).collect();
        Some(self.op(Op::Fixed(rows.ok()?)))
    }

    /// The things that a row is: each space, then the world, which is what a fact of no space is
    /// asked of.
    pub(super) fn rows(&self) -> impl Iterator<Item = ThingRef> + use<> {
        (0..u32::try_from(self.shape.spaces).unwrap_or(0))
            .map(ThingRef::Space)
            .chain([ThingRef::World])
    }

    /// All of these planes, or the contrary; parts that are the same everywhere fall away.
    pub(super) fn all(&mut self, parts: Vec<(PlaneId, bool)>, contrary: bool) -> PlaneId {
        let mut kept: Vec<(PlaneId, bool)> = Vec::new();
        for (plane, not) in parts {
            match self.fixed_rows(plane) {
                Some(rows) if rows.iter().all(|r| *r != not) => {}
                Some(rows) if rows.iter().all(|r| *r == not) => return self.same(contrary),
                _ if kept.contains(&(plane, not)) => {}
                _ => kept.push((plane, not)),
            }
        }
        kept.arrange();
        match kept.as_slice() {
            [] => self.same(!contrary),
            [(plane, not)] if *not == contrary => *plane,
            _ => self.op(Op::All { parts: kept, contrary }),
        }
    }

    /// One of these planes.
    pub(super) fn one<P: IntoIterator<Item = PlaneId>>(&mut self, parts: P) -> PlaneId {
        let parts = parts.into_iter().map(|p| (p, true)).collect();
        self.all(parts, true)
    }

    /// Whether a plane is the same in all positions and says yes everywhere.
    pub(super) fn always(&self, plane: PlaneId) -> bool {
        self.fixed_rows(plane).is_some_and(|rows| !rows.contains(&false))
    }

    fn fixed_rows(&self, plane: PlaneId) -> Option<&[bool]> {
        // Planes are numbered in the order of the operations.
        let at = self.ops.binary_search_by(|_, first| first.cmp(&plane)).ok()?;
        match self.ops.get_index(at) {
            Some((Op::Fixed(rows), _)) => Some(rows),
            _ => None,
        }
    }

    /// Who controls a space: any side of which this holds, or nobody.
    pub(super) fn control(
        &mut self,
        wanted: impl Fn(SideId) -> bool,
        nobody: bool,
        nowhere: bool,
    ) -> PlaneId {
        let sides: Vec<bool> = (0..self.shape.sides).map(|s| wanted(SideId::at(s))).collect();
        self.op(Op::Control { sides, nobody, nowhere })
    }

    /// The sides that stand to a viewer in one of these ways.
    pub(super) fn related(
        &self,
        viewer: SideId,
        ways: &[Relation],
    ) -> impl Fn(SideId) -> bool + use<> {
        let found: Vec<bool> = (0..self.shape.sides)
            .map(|s| ways.contains(&self.position.world.relation(viewer, SideId::at(s))))
            .collect();
        move |side: SideId| found.get(side.index()).copied().unwrap_or(false)
    }

    /// The neighbours over these kinds of link; none given means all.
    pub(super) fn links(&mut self, kinds: Option<&[KindId]>) -> usize {
        let used = self.used(kinds);
        self.adjacent((used, None))
    }

    /// The neighbours over all links but those that links of a kind join.
    pub(super) fn links_not_over(&mut self, kind: KindId) -> usize {
        let (all, but) = (self.used(None), self.used(Some(&[kind])));
        self.adjacent((all, Some(but)))
    }

    fn used(&self, kinds: Option<&[KindId]>) -> Vec<bool> {
        let rules = self.position.rules;
        let wanted = |kind: KindId| kinds.is_none_or(|k| k.iter().any(|k| rules.is_kind(kind, *k)));
        self.position.map.links.iter().map(|l| wanted(l.kind)).collect()
    }

    fn adjacent(&mut self, key: LinksKey) -> usize {
        let map = self.position.map;
        let spaces = 0..u32::try_from(map.spaces.len()).unwrap_or(0);
        let rules = self.position.rules;
        let entry = self.links.entry(key);
        let at = entry.index();
        entry.or_insert_with_key(|(used, but)| {
            let (listed, groups) = match but {
                None => grouped(rules, map, used),
                Some(_) => (used.clone(), Vec::new()),
            };
            let row = |space| {
                let barred = but.as_ref().map(|but| neighbours(map, but, space));
                let is_barred = |n: &u32| barred.as_ref().is_some_and(|b| b.contains(n));
                neighbours(map, &listed, space).into_iter().filter(|n| !is_barred(n)).collect()
            };
            Adjacent::of(spaces.map(row), groups)
        });
        at
    }

    /// The steps of a leg that cost so much, in parts of `unit`.
    pub(super) fn way(&mut self, kinds: &[KindId], costs: &Costs, unit: u32) -> usize {
        let map = self.position.map;
        let spaces = 0..u32::try_from(map.spaces.len()).unwrap_or(0);
        let rules = self.position.rules;
        let turns = self.position.board().turns(kinds);
        let space = |node: u32| space_of(turns.as_deref(), node);
        let entry = self.ways.entry((self.used(Some(kinds)), costs.clone()));
        let at = entry.index();
        entry.or_insert_with_key(|(used, costs)| {
            // Where steps differ in cost, or links cross, each pair is a step of its own.
            let (listed, groups) = match costs {
                Costs::Even if turns.is_none() => grouped(rules, map, used),
                Costs::Even | Costs::Space(..) => (used.clone(), Vec::new()),
            };
            let near: Vec<Vec<u32>> = match &turns {
                Some(turns) => turns.nodes().map(|node| turns.next(node).to_vec()).collect(),
                None => spaces.map(|space| neighbours(map, &listed, space)).collect(),
            };
            let rows = |of: &dyn Fn(Option<u32>) -> bool| {
                let leads = |from: u32, into: &u32| of(costs.step(space(from), space(*into)));
                let row = |(from, near): (u32, &Vec<u32>)| {
                    near.iter().copied().filter(|into| leads(from, into)).collect()
                };
                Adjacent::of((0u32..).zip(&near).map(row), groups.clone())
            };
            let dearest = costs.most() / unit.max(1);
            let by_cost: Vec<Adjacent> =
                (1..=dearest).map(|cost| rows(&|c| c == Some(cost * unit))).collect();
            let any = (dearest > 1).then(|| rows(&|c| c.is_some()));
            let further = turns.as_ref().map_or(&[][..], |turns| turns.further()).to_vec();
            Way { by_cost, any, further }
        });
        at
    }
}

/// Some links without those that join each two of a group, and these groups.
fn grouped(rules: &Ruleset, map: &Map, used: &[bool]) -> (Vec<bool>, Vec<Vec<u32>>) {
    let listed = map.links.iter().zip(used);
    let listed = listed.map(|(links, used)| *used && !rules.joins_each_two(links.kind));
    (listed.collect(), groups(rules, map, used))
}

/// The other spaces that some of the links join with one.
fn neighbours(map: &Map, used: &[bool], space: u32) -> Vec<u32> {
    let mut near: Vec<u32> = Vec::new();
    for (links, _) in map.links.iter().zip(used).filter(|(_, used)| **used) {
        near.extend(links.of(space).iter().filter(|n| **n != space));
    }
    near.sort_unstable();
    near.dedup();
    near
}
