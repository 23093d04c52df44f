//! The units of a position, counted in one pass: each has the profile of those with the same facts,
//! which is worked out once and kept from one position to the next, and stands in the plane of its
//! kind and owner.

use super::movers::{Movers, Profile, with_owner};
use super::{HexKernel, HexRow};
use crate::ir::*;
use crate::kernel::EvalFault;
use crate::kernel::board::{Asker, Depends, FactMemo, Key, Sorts};
use crate::world::{ThingRef, built_in};

/// Not yet known for this position, or nowhere.
const NONE: u32 = u32::MAX;

/// What is known of units by their facts.
#[derive(Debug, Default)]
pub(super) struct Census {
    /// The place of the profile of a unit; none where something else than facts is read.
    fact_memo: Option<Option<FactMemo<u32>>>,
    /// Whether it reads what is another in every position.
    named: bool,
    profiles: Vec<(Profile, u32)>,
    /// Kinds and owners of units, and the place of each among the sorts of this position.
    sorts: Vec<(KindId, Option<SideId>, u32)>,
}

impl Census {
    /// Forgets all that was made for another kernel or cache key.
    pub(super) fn renew(&mut self) {
        *self = Census::default();
    }

    /// How many profiles are known.
    pub(super) fn len(&self) -> usize {
        self.profiles.len()
    }

    /// Whether units with the same facts have the same profile.
    pub(super) fn fits(&mut self, kernel: &HexKernel<'_>, rule: &Trace) -> bool {
        if self.fact_memo.is_none() {
            let board = &kernel.board;
            let budgets = rule.legs.iter().filter_map(|l| l.within.amount);
            let asked = rule.verdicts.iter().map(|v| v.when).chain(budgets);
            let mut all = Depends { facts: vec![built_in::OWNER], ..Depends::default() };
            asked.for_each(|expr| all.add(&board.depends(expr, 0)));
            for cost in rule.legs.iter().filter_map(|l| l.cost) {
                let of = board.depends(cost, 0);
                all.add(&Depends { facts: of.facts.clone(), ..Depends::default() });
            }
            if rule.per_subject {
                // Where a unit stands is no part of a key; then each is asked by itself.
                match &board.mover_facts(kernel.made.trace).gates {
                    Some(facts) if !facts.contains(&built_in::SPACE) => {
                        all.add(&Depends { facts: facts.clone(), ..Depends::default() });
                    }
                    _ => all.beyond = true,
                }
            }
            self.named = all.named;
            self.fact_memo =
                Some(all.by_facts().then(|| FactMemo::new(Key::new(board, &with_owner(&all)))));
        }
        self.fact_memo.as_ref().is_some_and(Option::is_some)
    }
}

impl Movers {
    /// Counts the units of a position.
    pub(super) fn count<'r>(
        &mut self,
        kernel: &HexKernel<'r>,
        rule: &Trace,
        asker: &mut Asker<'_, 'r>,
        rows: &mut Vec<HexRow>,
    ) -> Result<(), EvalFault> {
        let Some(Some(mut fact_memo)) = self.census.fact_memo.take() else { return Ok(()) };
        if self.census.named {
            fact_memo.forget();
            self.census.profiles.clear();
        }
        self.census.sorts.iter_mut().for_each(|(_, _, at)| *at = NONE);
        let mut sorts = asker.new_sorts();
        let counted = self.count_by(kernel, rule, asker, &mut fact_memo, &mut sorts, rows);
        self.census.fact_memo = Some(Some(fact_memo));
        asker.know(sorts);
        counted
    }

    fn count_by<'r>(
        &mut self,
        kernel: &HexKernel<'r>,
        rule: &Trace,
        asker: &mut Asker<'_, 'r>,
        fact_memo: &mut FactMemo<u32>,
        sorts: &mut Sorts,
        rows: &mut Vec<HexRow>,
    ) -> Result<(), EvalFault> {
        let position = asker.position();
        let (world, board) = (position.world, &kernel.board);
        let (layout, spaces) = (board.layout(), board.map.spaces.len());
        rows.reserve(world.units.len());
        let codes = fact_memo.has_codes();
        let slots = world.unit_slots;
        let mut facts = world.unit_facts.as_slice();
        for (at, unit) in (0u32..).zip(&world.units) {
            let (row, rest) = facts.split_at_checked(slots).unwrap_or_default();
            facts = rest;
            let space = row
                .get(built_in::SPACE.index())
                .and_then(|s| u32::try_from(s.wrapping_sub(1)).ok());
            let space = space.filter(|s| !unit.removed && (*s as usize) < spaces).unwrap_or(NONE);
            if space == NONE {
                continue;
            }
            let thing = ThingRef::Unit(at);
            let known = if codes {
                fact_memo.code(unit.kind, row).and_then(|code| fact_memo.known(code))
            } else {
                None
            };
            let place = known.map_or_else(
                || {
                    fact_memo.get(board, world, thing, || {
                        let profile = self.profile(kernel, rule, position, thing)?;
                        let sort = self.sort_of(unit.kind, world.owner(at));
                        self.census.profiles.push((profile, sort));
                        Ok(u32::try_from(self.census.profiles.len() - 1).unwrap_or(NONE))
                    })
                },
                Ok,
            )?;
            let (profile, sort) = self.census.profiles[place as usize];
            let cell = layout.cell(space);
            let (kind, owner, known) = &mut self.census.sorts[sort as usize];
            if *known == NONE && sorts.has_room() {
                *known = u32::try_from(sorts.add(Some(*kind), *owner, at, asker.empty()))
                    .unwrap_or(NONE);
            }
            if *known != NONE {
                sorts.put(*known as usize, cell);
            }
            self.put(rule, thing, cell, profile, rows);
        }
        Ok(())
    }

    /// The place of a kind and owner in the list of those that occur.
    fn sort_of(&mut self, kind: KindId, owner: Option<SideId>) -> u32 {
        let sorts = &mut self.census.sorts;
        let at =
            sorts.iter().position(|(k, o, _)| *k == kind && *o == owner).unwrap_or_else(|| {
                sorts.push((kind, owner, NONE));
                sorts.len() - 1
            });
        u32::try_from(at).unwrap_or(NONE)
    }
}
