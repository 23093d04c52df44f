//! Who is asked about: the things of a trace, and the groups of them that share a search.

use std::sync::Arc;

use super::census::Census;
use super::tolls::{Toll, Tolls};
use super::{HexKernel, HexRow, SideGates};
use crate::ir::*;
use crate::kernel::board::{Asker, Board, Depends, FactMemo, Key};
use crate::kernel::mover::Mover;
use crate::kernel::{EvalFault, Position};
use crate::world::{ThingRef, built_in};

/// More groups or profiles than these are not kept from one position to the next.
const MOST_KEPT: usize = 1 << 14;

/// Things that share side, costs, and the budgets that a search must know beforehand.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// Whose gates it has.
    pub asker: usize,
    /// A thing of the group, whose gates and costs are those of all.
    pub mover: ThingRef,
    /// What its costs depend on.
    pub toll: u32,
    /// The budget of each leg; of legs whose budgets are compared at the end, the longest.
    pub budgets: Vec<Option<u32>>,
    /// Its things.
    pub members: Vec<Member>,
    /// What the steps of each leg cost it; empty where that has to be told.
    pub tolls: Vec<Arc<Toll>>,
}

/// One thing of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// Its place in the answers.
    pub row: u32,
    /// Where it stands.
    pub cell: u32,
    /// Its own budget for the one leg of the first place; for several, and with relays, the group
    /// tells.
    pub budget: Option<u32>,
}

/// All things of a position.
#[derive(Debug, Default)]
pub(super) struct Movers {
    /// Who asks: the side, and what gates read of the thing.
    pub(super) askers: Vec<(Option<SideId>, Option<Mover>)>,
    pub(super) groups: Vec<Group>,
    pub(super) census: Census,
    /// Where the costs of a group come from what all its things have in common.
    sorts: Option<FactMemo<u32>>,
    own: Vec<Option<u32>>,
}

/// Whether the first place is one leg whose budgets are compared at the end, each thing its own.
pub(super) fn compares_at_end(rule: &Trace) -> bool {
    rule.relays.is_empty() && rule.legs.iter().filter(|l| l.place == 0).count() == 1
}

/// A thing is asked by its own side.
pub(super) fn with_owner(depends: &Depends) -> Depends {
    let mut depends = depends.clone();
    if depends.viewer && !depends.facts.contains(&built_in::OWNER) {
        depends.facts.push(built_in::OWNER);
    }
    depends
}

/// What is known of a thing beside its place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Profile {
    /// It is no thing of the trace.
    Other,
    /// A verdict settles it.
    Settled(bool),
    /// It is searched for with a group, and with this budget for the one leg of the first place.
    Searched(u32, Option<u32>),
}

impl Movers {
    /// Forgets what was made for another kernel, cache key, reading or war.
    pub(super) fn renew(&mut self) {
        self.askers.clear();
        self.groups.clear();
        self.census.renew();
        self.sorts = None;
    }

    /// Gathers all things of a trace with their rows; those that a verdict settles are settled.
    pub(super) fn gather<'r>(
        &mut self,
        kernel: &HexKernel<'r>,
        rule: &Trace,
        asker: &mut Asker<'_, 'r>,
        rows: &mut Vec<HexRow>,
    ) -> Result<(), EvalFault> {
        rows.clear();
        let units = kernel.rules.top(rule.of) == KindId::UNIT;
        let by_facts = units && self.census.fits(kernel, rule);
        // What gates read of things without number is another in every position.
        let fleeting = rule.per_subject && !by_facts;
        if fleeting || self.groups.len() > MOST_KEPT || self.census.len() > MOST_KEPT {
            self.renew();
        }
        let keeps = rule.legs.iter().all(|leg| Tolls::keeps(kernel, leg));
        for group in &mut self.groups {
            group.members.clear();
            if !keeps {
                group.tolls.clear();
            }
        }
        if by_facts && self.census.fits(kernel, rule) {
            return self.count(kernel, rule, asker, rows);
        }
        let position = asker.position();
        let (world, board) = (position.world, &kernel.board);
        let count = if units { world.units.len() } else { board.map.spaces.len() };
        for at in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            let thing = if units { ThingRef::Unit(at) } else { ThingRef::Space(at) };
            let space = if units { world.space_of(at) } else { Some(at) };
            let Some(space) = space.filter(|s| (*s as usize) < board.map.spaces.len()) else {
                continue;
            };
            let profile = self.profile(kernel, rule, position, thing)?;
            self.put(rule, thing, board.layout().cell(space), profile, rows);
        }
        Ok(())
    }

    /// Puts a thing among the others of its profile.
    #[inline]
    pub(super) fn put(
        &mut self,
        rule: &Trace,
        thing: ThingRef,
        cell: u32,
        profile: Profile,
        rows: &mut Vec<HexRow>,
    ) {
        let (group, budget) = match profile {
            Profile::Other => return,
            Profile::Settled(yes) => {
                rows.push(HexRow { thing, yes, length: None });
                return;
            }
            Profile::Searched(group, budget) => (&mut self.groups[group as usize], budget),
        };
        let row = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        rows.push(HexRow { thing, yes: false, length: None });
        let first = group.members.is_empty();
        if first {
            group.mover = thing;
        }
        group.members.push(Member { row, cell, budget });
        if compares_at_end(rule)
            && let Some(at) = rule.legs.iter().position(|l| l.place == 0)
        {
            let longest = &mut group.budgets[at];
            *longest = if first { budget } else { longest.zip(budget).map(|(a, b)| a.max(b)) };
        }
    }

    /// Puts the things of groups together whose gates turned out to be equal, and all else too.
    pub(super) fn share(&mut self, rule: &Trace, gates: &[SideGates]) {
        if !rule.per_subject {
            return;
        }
        let late = rule.legs.iter().position(|l| compares_at_end(rule) && l.place == 0);
        for at in 1..self.groups.len() {
            let (before, group) = self.groups.split_at_mut(at);
            let Some(group) = group.first_mut().filter(|g| !g.members.is_empty()) else { continue };
            let same = |other: &&mut Group| {
                let sides = (&self.askers[other.asker].0, &self.askers[group.asker].0);
                let mut budgets = other.budgets.iter().zip(&group.budgets).enumerate();
                !other.members.is_empty()
                    && (other.toll, sides.0) == (group.toll, sides.1)
                    && budgets.all(|(leg, (a, b))| Some(leg) == late || a == b)
                    && gates[other.asker] == gates[group.asker]
            };
            let Some(other) = before.iter_mut().find(same) else { continue };
            if let Some(leg) = late {
                other.budgets[leg] =
                    other.budgets[leg].zip(group.budgets[leg]).map(|(a, b)| a.max(b));
            }
            other.members.append(&mut group.members);
        }
    }

    /// What is known of a thing beside its place.
    pub(super) fn profile(
        &mut self,
        kernel: &HexKernel<'_>,
        rule: &Trace,
        position: &Position<'_>,
        thing: ThingRef,
    ) -> Result<Profile, EvalFault> {
        if !position.is_kind(thing, rule.of) {
            return Ok(Profile::Other);
        }
        for verdict in &rule.verdicts {
            if position.holds(verdict.when, &position.asked_of(thing))? {
                return Ok(Profile::Settled(verdict.always));
            }
        }
        let mut own = std::mem::take(&mut self.own);
        own.clear();
        for leg in &rule.legs {
            own.push(position.budget_of(leg, thing)?);
        }
        let group = self.group(kernel, rule, position, thing, &own)?;
        let first = rule.legs.iter().position(|l| l.place == 0).unwrap_or(0);
        let budget = own.get(first).copied().flatten();
        self.own = own;
        Ok(Profile::Searched(group, budget))
    }

    /// The group of a thing with these budgets.
    fn group(
        &mut self,
        kernel: &HexKernel<'_>,
        rule: &Trace,
        position: &Position<'_>,
        thing: ThingRef,
        own: &[Option<u32>],
    ) -> Result<u32, EvalFault> {
        let board = &kernel.board;
        let sorts = self
            .sorts
            .get_or_insert_with(|| FactMemo::new(Key::new(board, &sort_of_mover(board, rule))));
        let next = self.groups.iter().map(|g| g.toll + 1).max().unwrap_or(0);
        let toll = sorts.get(board, position.world, thing, || Ok::<u32, EvalFault>(next))?;
        let asker = (position.viewer_of(thing), position.mover(kernel.made.trace, thing));
        let asker = self.askers.iter().position(|a| *a == asker).unwrap_or_else(|| {
            self.askers.push(asker);
            self.askers.len() - 1
        });
        let first = rule.legs.iter().position(|l| l.place == 0).unwrap_or(0);
        let is_late = |leg: usize| !(compares_at_end(rule) && leg == first);
        let fits = |g: &Group| {
            g.asker == asker
                && g.toll == toll
                && g.budgets
                    .iter()
                    .zip(own)
                    .enumerate()
                    .all(|(leg, (a, b))| !is_late(leg) || a == b)
        };
        let at = self.groups.iter().position(fits).unwrap_or_else(|| {
            let (budgets, members, tolls) = (own.to_vec(), Vec::new(), Vec::new());
            self.groups.push(Group { asker, mover: thing, toll, budgets, members, tolls });
            self.groups.len() - 1
        });
        Ok(u32::try_from(at).unwrap_or(u32::MAX))
    }
}

/// All that costs read of the thing itself.
fn sort_of_mover(board: &Board<'_>, rule: &Trace) -> Depends {
    let mut all = Depends::default();
    for cost in rule.legs.iter().filter_map(|l| l.cost) {
        let of = board.depends(cost, 0);
        all.facts.extend(
            of.facts.iter().filter(|f| !all.facts.contains(f)).copied().collect::<Vec<_>>(),
        );
        all.viewer |= of.viewer;
    }
    with_owner(&all)
}
