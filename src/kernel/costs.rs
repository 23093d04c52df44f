//! What entering each space costs a thing: worked out once for all spaces that look the same to it.

use std::sync::Arc;

use super::board::{Board, Depends, FactMemo, Key};
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::ThingRef;

/// What entering a space costs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Costs {
    /// 1 a link
    Even,
    /// by the space entered, none where it is barred; and by the space left where a link on the way
    /// makes a difference
    Space(Vec<Option<u32>>, Steps),
}

/// What steps cost of which the link makes a difference, by the space entered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Steps {
    /// For each space its place in `rows`, for most have none; empty where no space has one.
    places: Vec<u32>,
    rows: Vec<Row>,
}

/// A space entered, and what that costs from each of its neighbours.
type Row = (u32, Vec<(u32, Option<u32>)>);

impl Steps {
    fn put(&mut self, spaces: usize, row: Row) {
        self.places.resize(spaces, u32::MAX);
        self.places[row.0 as usize] = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        self.rows.push(row);
    }

    #[inline]
    fn of(&self, into: u32) -> Option<&Row> {
        self.rows.get(*self.places.get(into as usize)? as usize)
    }

    /// The spaces that have steps of their own.
    pub(super) fn spaces(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows.iter().map(|(into, _)| *into)
    }

    /// The costs of all these steps.
    pub(super) fn costs(&self) -> impl Iterator<Item = &Option<u32>> + Clone + '_ {
        self.rows.iter().flat_map(|(_, row)| row.iter().map(|(_, cost)| cost))
    }
}

impl Costs {
    /// What a step costs; none where it is barred.
    #[inline(always)]
    pub(super) fn step(&self, from: u32, into: u32) -> Option<u32> {
        match self {
            Costs::Even => Some(1),
            Costs::Space(costs, steps) => {
                match steps.of(into).and_then(|(_, row)| row.iter().find(|(f, _)| *f == from)) {
                    Some((_, cost)) => *cost,
                    None => costs[into as usize],
                }
            }
        }
    }

    /// The greatest number of which all costs are multiples.
    pub(super) fn unit(&self) -> u32 {
        fn common(a: u32, b: u32) -> u32 {
            if b == 0 { a } else { common(b, a % b) }
        }
        match self {
            Costs::Even => 1,
            Costs::Space(costs, steps) => {
                let all = costs.iter().chain(steps.costs()).flatten();
                all.fold(0, |unit, cost| common(unit, *cost)).max(1)
            }
        }
    }

    /// The dearest step.
    pub(super) fn most(&self) -> u32 {
        match self {
            Costs::Even => 1,
            Costs::Space(costs, steps) => {
                costs.iter().chain(steps.costs()).flatten().copied().max().unwrap_or(1)
            }
        }
    }

    /// The costs of a leg for a thing; what is barred costs 1 where that is left out of account.
    pub(super) fn of(
        position: &Position<'_>,
        leg: &Leg,
        subject: ThingRef,
        barred: bool,
    ) -> Result<Costs, EvalFault> {
        let Some(cost) = leg.cost else { return Ok(Costs::Even) };
        let board = position.board();
        let lift = |cost: Option<u32>| if barred { cost.or(Some(1)) } else { cost };
        let mut teller = Teller::new(&board, cost);
        let spaces = u32::try_from(position.map.spaces.len()).unwrap_or(u32::MAX);
        let mut all = Vec::with_capacity(position.map.spaces.len());
        let asks_step = teller.leaves || !teller.over.is_empty();
        let net = board.net(Some(&leg.links));
        let over = if teller.leaves { Arc::clone(&net) } else { board.net(Some(&teller.over)) };
        for into in 0..spaces {
            let cell = board.layout().cell(into);
            // Of a link on the way only real steps are asked.
            let asked = !asks_step || net.any.get(cell) && !over.any.get(cell);
            all.push(if asked {
                lift(teller.cost(position, leg, subject, into, into)?)
            } else {
                None
            });
        }
        let mut steps = Steps::default();
        if asks_step {
            for cell in over.any.cells() {
                let into = board.layout().space(cell);
                let mut near = Vec::new();
                net.each(board.layout(), cell, |from| near.push(board.layout().space(from)));
                let mut row = Vec::new();
                for from in near {
                    row.push((from, lift(teller.cost(position, leg, subject, from, into)?)));
                }
                match row.as_slice() {
                    // From wherever it comes, the step costs the same.
                    [(_, first), rest @ ..] if rest.iter().all(|(_, cost)| cost == first) => {
                        if let Some(cell) = all.get_mut(into as usize) {
                            *cell = *first;
                        }
                    }
                    _ => steps.put(all.len(), (into, row)),
                }
            }
        }
        Ok(Costs::Space(all, steps))
    }
}

/// Two spaces of a step, or the places of their kinds.
type Pair = (u32, u32);

/// Tells costs, and asks only for the first of all steps that look the same.
struct Teller<'b, 'r> {
    board: &'b Board<'r>,
    depends: Depends,
    /// The kinds of link that a step is asked for.
    over: Vec<KindId>,
    /// Whether the space that it leaves is asked for.
    leaves: bool,
    /// What tells the spaces that it leaves apart, and the sort of each of them.
    sorts: (Vec<Box<[i64]>>, Vec<u32>),
    /// What is known of steps over each set of links and from each sort of space; such are few.
    known: Vec<(Pair, FactMemo<Option<u32>>)>,
}

impl<'b, 'r> Teller<'b, 'r> {
    fn new(board: &'b Board<'r>, cost: ExprId) -> Teller<'b, 'r> {
        let depends = board.depends(cost, 0);
        let over = depends.over.clone();
        // The thing is always the same; what differs are the facts of the space it enters.
        let mut of_space = (*depends).clone();
        of_space.facts = std::mem::take(&mut of_space.here);
        of_space.stands = false;
        let leaves = depends.leaves;
        let sorts = (Vec::new(), Vec::new());
        Teller { board, depends: of_space, over, leaves, sorts, known: Vec::new() }
    }

    /// The sort of a space that a step leaves, by its kind and facts.
    fn sort(&mut self, position: &Position<'_>, from: u32) -> u32 {
        if !self.leaves {
            return 0;
        }
        let (sorts, known) = (&mut self.sorts.0, &mut self.sorts.1);
        if known.is_empty() {
            let rules = position.rules;
            for (space, printed) in (0u32..).zip(&position.map.spaces) {
                let fact = |fact: &FactId| {
                    let declared = rules.facts.get(fact.index());
                    let has = declared.filter(|f| rules.is_kind(printed.kind, f.kind));
                    has.map_or(0, |f| position.world.fact(f, ThingRef::Space(space)))
                };
                let kind = std::iter::once(i64::from(printed.kind.0));
                let row: Box<[i64]> = kind.chain(self.depends.last.iter().map(fact)).collect();
                let at = sorts.iter().position(|sort| *sort == row).unwrap_or_else(|| {
                    sorts.push(row);
                    sorts.len() - 1
                });
                known.push(u32::try_from(at).unwrap_or(u32::MAX));
            }
        }
        known.get(from as usize).copied().unwrap_or(u32::MAX)
    }

    fn cost(
        &mut self,
        position: &Position<'_>,
        leg: &Leg,
        subject: ThingRef,
        from: u32,
        into: u32,
    ) -> Result<Option<u32>, EvalFault> {
        let ask = || position.step_cost(leg, subject, from, into);
        if !self.depends.by_facts() || self.over.len() > 31 {
            return ask();
        }
        let joined = self
            .over
            .iter()
            .enumerate()
            .filter(|(_, k)| position.joined(from, into, **k))
            .fold(0u32, |bits, (at, _)| bits | 1 << at);
        let step = (joined, self.sort(position, from));
        let at = self.known.iter().position(|(known, _)| *known == step).unwrap_or_else(|| {
            self.known.push((step, FactMemo::new(Key::new(self.board, &self.depends))));
            self.known.len() - 1
        });
        self.known[at].1.get(self.board, position.world, ThingRef::Space(into), ask)
    }
}
