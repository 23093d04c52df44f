//! Who is asked about: the things of a trace, and the groups of them that share a search.

use super::{HexKernel, HexRow};
use crate::ir::*;
use crate::kernel::board::{Board, Depends, Key, Keyed};
use crate::kernel::{EvalFault, Position};
use crate::world::{ThingRef, built_in};

/// Things that share side, costs, and the budgets that a search must know beforehand.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The place of the side in the list of those that ask.
    pub viewer: usize,
    /// A thing of the group, whose costs are those of all.
    pub mover: ThingRef,
    /// What its costs depend on.
    pub toll: u32,
    /// The budget of each leg; of legs whose budgets are compared at the end, the longest.
    pub budgets: Vec<Option<u32>>,
    /// Its things.
    pub members: Vec<Member>,
}

/// One thing of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// Its place in the answers.
    pub row: u32,
    /// Where it stands.
    pub cell: u32,
    /// Its own budget for the one leg of the first place; for several, and with relays, the group tells.
    pub budget: Option<u32>,
}

/// All things of a position.
#[derive(Debug, Default)]
pub(super) struct Movers {
    viewers: Vec<Option<SideId>>,
    groups: Vec<Group>,
    used: usize,
}

/// Whether the first place is one leg whose budgets are compared at the end, each thing its own.
pub(super) fn compares_at_end(rule: &Trace) -> bool {
    rule.relays.is_empty() && rule.legs.iter().filter(|l| l.place == 0).count() == 1
}

/// An expression asked of things: by facts where these tell all, else of each.
struct Question {
    keyed: Option<Keyed<Option<u32>>>,
}

impl Question {
    fn new(board: &Board<'_>, id: ExprId) -> Question {
        let depends = board.depends(id, 0);
        let keyed = depends.by_facts().then(|| Keyed::new(Key::new(board, &with_owner(&depends))));
        Question { keyed }
    }

    fn ask(
        &mut self,
        position: &Position<'_>,
        thing: ThingRef,
        ask: impl FnOnce() -> Result<Option<u32>, EvalFault>,
    ) -> Result<Option<u32>, EvalFault> {
        match &mut self.keyed {
            Some(keyed) => keyed.get(&position.board(), position.world, thing, ask),
            None => ask(),
        }
    }
}

/// A thing is asked by its own side.
fn with_owner(depends: &Depends) -> Depends {
    let mut depends = depends.clone();
    if depends.viewer && !depends.facts.contains(&built_in::OWNER) {
        depends.facts.push(built_in::OWNER);
    }
    depends
}

impl Movers {
    pub(super) fn viewers(&self) -> &[Option<SideId>] {
        &self.viewers
    }

    pub(super) fn groups(&mut self) -> &mut [Group] {
        &mut self.groups[..self.used]
    }

    /// Gathers all things of a trace with their rows; those that a verdict settles are settled.
    pub(super) fn gather(
        &mut self,
        kernel: &HexKernel<'_>,
        rule: &Trace,
        position: &Position<'_>,
        rows: &mut Vec<HexRow>,
    ) -> Result<(), EvalFault> {
        let (rules, world, board) = (kernel.rules, position.world, &kernel.board);
        self.viewers.clear();
        self.used = 0;
        rows.clear();
        let units = rules.top(rule.of) == KindId::UNIT;
        let count = if units { world.units.len() } else { board.map.spaces.len() };
        let mut verdicts: Vec<Question> = rule.verdicts.iter().map(|v| Question::new(board, v.when)).collect();
        let mut budgets: Vec<Option<Question>> = rule.legs.iter().map(|l| l.within.amount.map(|a| Question::new(board, a))).collect();
        let mut sorts = Keyed::new(Key::new(board, &sort_of_mover(board, rule)));
        let mut sorts_so_far = 0u32;
        let at_end = compares_at_end(rule);
        let mut own: Vec<Option<u32>> = Vec::new();
        let mut last = 0;
        for at in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            let thing = if units { ThingRef::Unit(at) } else { ThingRef::Space(at) };
            let space = if units { world.space_of(at) } else { Some(at) };
            let Some(space) = space.filter(|s| (*s as usize) < board.map.spaces.len() && position.is_kind(thing, rule.of)) else {
                continue;
            };
            let row = u32::try_from(rows.len()).unwrap_or(u32::MAX);
            rows.push(HexRow { thing, yes: false, length: None });
            let mut settled = None;
            for (verdict, question) in rule.verdicts.iter().zip(&mut verdicts) {
                let holds = || Ok(Some(u32::from(position.holds(verdict.when, &position.asked_of(thing))?)));
                if question.ask(position, thing, holds)? == Some(1) {
                    settled = Some(verdict.always);
                    break;
                }
            }
            if let Some(yes) = settled {
                rows[row as usize].yes = yes;
                continue;
            }
            own.clear();
            for (leg, question) in rule.legs.iter().zip(&mut budgets) {
                own.push(match question {
                    Some(question) => question.ask(position, thing, || position.budget_of(leg, thing))?,
                    None => None,
                });
            }
            let sort = sorts.get(board, world, thing, || {
                sorts_so_far += 1;
                Ok::<u32, EvalFault>(sorts_so_far)
            })?;
            let viewer = position.viewer_of(thing);
            let viewer = self.viewers.iter().position(|v| *v == viewer).unwrap_or_else(|| {
                self.viewers.push(viewer);
                self.viewers.len() - 1
            });
            let first = rule.legs.iter().position(|l| l.place == 0).unwrap_or(0);
            let budget = own.get(first).copied().flatten();
            let is_late = |leg: usize| !(at_end && leg == first);
            let fits = |g: &Group| {
                g.viewer == viewer && g.toll == sort && g.budgets.iter().zip(&own).enumerate().all(|(leg, (a, b))| !is_late(leg) || a == b)
            };
            if !self.groups[..self.used].get(last).is_some_and(fits) {
                last = match self.groups[..self.used].iter().position(fits) {
                    Some(at) => at,
                    None => self.group(viewer, thing, sort, &own),
                };
            }
            let group = &mut self.groups[last];
            group.members.push(Member { row, cell: board.layout().cell(space), budget });
            if at_end && let Some(longest) = group.budgets.get_mut(first) {
                *longest = longest.zip(budget).map(|(a, b)| a.max(b));
            }
        }
        Ok(())
    }

    /// A new group, in the room of an old one where there is one.
    fn group(&mut self, viewer: usize, mover: ThingRef, toll: u32, own: &[Option<u32>]) -> usize {
        let at = self.used;
        self.used += 1;
        match self.groups.get_mut(at) {
            Some(group) => {
                (group.viewer, group.mover, group.toll) = (viewer, mover, toll);
                group.budgets.clear();
                group.budgets.extend_from_slice(own);
                group.members.clear();
            }
            None => self.groups.push(Group { viewer, mover, toll, budgets: own.to_vec(), members: Vec::new() }),
        }
        at
    }
}

/// All that costs read of the thing itself.
fn sort_of_mover(board: &Board<'_>, rule: &Trace) -> Depends {
    let mut all = Depends::default();
    for cost in rule.legs.iter().filter_map(|l| l.cost) {
        let of = board.depends(cost, 0);
        all.facts.extend(of.facts.iter().filter(|f| !all.facts.contains(f)).copied().collect::<Vec<_>>());
        all.viewer |= of.viewer;
    }
    with_owner(&all)
}
