//! The spaces no line can do without, and the fewest that cut a unit.
//!
//! A space that all lines within reach pass lies on the line that is known, so only the spaces of
//! that line are closed, each once for all units that search the same; and a line found while one
//! is closed answers for all that it avoids. For more than one space the known lines are covered:
//! whatever cuts a unit closes a space on each of its lines.

use super::super::EvalFault;
use super::watch::{One, Watch};
use super::{Least, Watched};
use crate::arrange::Arrange as _;
use crate::ir::SideId;

/// A cut of more spaces than this is not looked for.
const MOST_CLOSED: usize = 3;
/// So many searches are made for the fewest spaces of one question.
const MOST_SEARCHES: usize = 300;
/// So many sets of spaces are looked at for it.
const MOST_SETS: usize = 20_000;
/// So many spaces are searched for all such questions together; beyond, they are answered by what
/// is known.
const MOST_WORK: u64 = 400_000_000;

/// The units, and the fewest spaces for each side.
type Closings = (Vec<Watched>, Vec<(SideId, Option<Least>)>);

/// One question for the fewest spaces.
struct CutSearch<'u> {
    units: &'u [usize],
    sets: usize,
    searches: usize,
    /// Whether it was given up.
    exhausted: bool,
    /// A unit that turned out to have a line through no space but its own.
    never: Option<usize>,
}

impl Watch<'_, '_> {
    /// What the closing of spaces does to each unit and to each side. Of what rests on other
    /// traces, no line of its own shows that, so spaces are closed to the lines of all traces and
    /// it is asked.
    pub fn closings(&mut self) -> Result<Closings, EvalFault> {
        let rests: Vec<usize> = (0..self.ones.len()).filter(|at| self.ones[*at].rests).collect();
        let mut cuts = if rests.len() == self.ones.len() {
            vec![Vec::new(); rests.len()]
        } else {
            self.cut_spaces()
        };
        self.cut_by_trial(&rests, &mut cuts)?;
        for (one, cut) in self.ones.iter_mut().zip(&cuts) {
            one.cut_spaces.clone_from(cut);
        }
        let mut units = Vec::new();
        for (at, cut_spaces) in cuts.into_iter().enumerate() {
            let one = &self.ones[at];
            let line =
                one.lines.first().map_or_else(Vec::new, |l| [&[one.start][..], &l.spaces].concat());
            let least = match cut_spaces.first() {
                Some(first) => Some(Least { number: 1, exact: true, spaces: vec![*first] }),
                None => self.least_of(&[at])?,
            };
            units.push(Watched { thing: self.ones[at].thing, line, cut_spaces, least });
        }
        let mut sides = Vec::new();
        for side in (0..self.position.rules.sides.len()).map(SideId::at) {
            let of_side = |o: &One| self.position.viewer_of(o.thing) == Some(side);
            let all: Vec<usize> =
                (0..self.ones.len()).filter(|at| of_side(&self.ones[*at])).collect();
            if !all.is_empty() {
                sides.push((side, self.least_of(&all)?));
            }
        }
        Ok((units, sides))
    }

    fn least_of(&mut self, units: &[usize]) -> Result<Option<Least>, EvalFault> {
        match units.iter().any(|at| self.ones[*at].rests) {
            true => self.least_by_trial(units),
            false => Ok(self.least(units)),
        }
    }

    /// For each unit the spaces that each of its lines passes.
    fn cut_spaces(&mut self) -> Vec<Vec<u32>> {
        let mut cuts: Vec<Vec<u32>> = vec![Vec::new(); self.ones.len()];
        for shape in 0..self.shapes.len() {
            let of_shape: Vec<usize> =
                (0..self.ones.len()).filter(|at| self.ones[*at].shape == shape).collect();
            let mut spaces: Vec<u32> =
                of_shape.iter().flat_map(|at| first_spaces(&self.ones[*at])).copied().collect();
            spaces.arrange();
            spaces.dedup();
            for space in spaces {
                let stays = |one: &One| {
                    !first_spaces(one).contains(&space)
                        || one.lines.iter().any(|l| !l.spaces.contains(&space) && l.whole)
                };
                let asked: Vec<usize> =
                    of_shape.iter().copied().filter(|at| !stays(&self.ones[*at])).collect();
                if asked.is_empty() || self.is_exhausted() {
                    continue;
                }
                let mut gates = self.gates_of(shape).clone();
                gates.close(self.rule, space);
                let field = self.search(shape, &gates);
                for at in asked {
                    if !self.learn(at, &field, &gates) {
                        cuts[at].push(space);
                    }
                }
            }
        }
        for (one, cut) in self.ones.iter().zip(&mut cuts) {
            let place = |space: &u32| first_spaces(one).iter().position(|s| s == space);
            cut.arrange_by_key(place);
        }
        cuts
    }

    /// The fewest spaces that cut all of these units that spaces can cut; none if that is none of
    /// them.
    fn least(&mut self, units: &[usize]) -> Option<Least> {
        let mut units: Vec<usize> =
            units.iter().copied().filter(|at| self.can_be_cut(*at)).collect();
        let mut number = 1;
        let (mut sets, mut searches) = (0, 0);
        while number <= MOST_CLOSED {
            if units.is_empty() {
                return None;
            }
            let mut closed = Vec::new();
            let mut cut_search =
                CutSearch { units: &units, sets, searches, exhausted: false, never: None };
            if self.hitting_set(&mut cut_search, &mut closed, number) {
                return Some(Least { number, exact: true, spaces: closed });
            }
            (sets, searches) = (cut_search.sets, cut_search.searches);
            if let Some(never) = cut_search.never {
                units.retain(|at| *at != never);
                continue;
            }
            if cut_search.exhausted {
                return Some(Least { number, exact: false, spaces: Vec::new() });
            }
            number += 1;
        }
        Some(Least { number: MOST_CLOSED + 1, exact: false, spaces: Vec::new() })
    }

    /// A unit that stands in its source, or that needs no line, is cut by no space.
    fn can_be_cut(&self, at: usize) -> bool {
        let one = &self.ones[at];
        !one.lines.is_empty() && one.lines.iter().all(|l| !l.spaces.is_empty())
    }

    /// Whether so many more spaces can be closed that no unit of the search has a line.
    fn hitting_set(
        &mut self,
        cut_search: &mut CutSearch<'_>,
        closed: &mut Vec<u32>,
        more: usize,
    ) -> bool {
        cut_search.sets += 1;
        if cut_search.exhausted
            || cut_search.sets > MOST_SETS
            || cut_search.searches > MOST_SEARCHES
            || self.is_exhausted()
        {
            cut_search.exhausted = true;
            return false;
        }
        let mut left = None;
        for at in cut_search.units {
            left = self.line_beside(cut_search, *at, closed);
            if left.as_ref().is_some_and(Vec::is_empty) {
                cut_search.never = Some(*at);
                return false;
            }
            if left.is_some() {
                break;
            }
        }
        let Some(line) = left else { return true };
        // Lines that share no space need a space each.
        if more == 0 || self.apart(cut_search, closed, more) {
            return false;
        }
        for space in line {
            closed.push(space);
            if self.hitting_set(cut_search, closed, more - 1) {
                return true;
            }
            closed.pop();
            if cut_search.exhausted || cut_search.never.is_some() {
                return false;
            }
        }
        false
    }

    /// Whether more lines than so many are known that share no space with each other or with what
    /// is closed.
    fn apart(&self, cut_search: &CutSearch<'_>, closed: &[u32], more: usize) -> bool {
        cut_search.units.iter().any(|at| {
            let one = &self.ones[*at];
            let mut taken: Vec<u32> = closed.iter().copied().filter(|s| *s != one.start).collect();
            let mut found = 0;
            for line in &one.lines {
                if line.spaces.iter().all(|s| !taken.contains(s)) && line.whole {
                    taken.extend(&line.spaces);
                    found += 1;
                }
            }
            found > more
        })
    }

    /// The spaces of a line of a unit that avoids what is closed; its own space counts as open.
    fn line_beside(
        &mut self,
        cut_search: &mut CutSearch<'_>,
        at: usize,
        closed: &[u32],
    ) -> Option<Vec<u32>> {
        let one = &self.ones[at];
        let (start, shape) = (one.start, one.shape);
        let avoids =
            |l: &&super::watch::Line| l.spaces.iter().all(|s| !closed.contains(s)) && l.whole;
        if let Some(line) = one.lines.iter().find(avoids) {
            return Some(line.spaces.clone());
        }
        cut_search.searches += 1;
        let mut gates = self.gates_of(shape).clone();
        closed.iter().filter(|s| **s != start).for_each(|s| gates.close(self.rule, *s));
        let field = self.search(shape, &gates);
        self.line_in(at, &field, &gates)
    }

    /// Whether more was asked than is searched for.
    pub fn is_exhausted(&self) -> bool {
        let spaces = u64::try_from(self.position.map.spaces.len()).unwrap_or(u64::MAX);
        spaces.saturating_mul(u64::try_from(self.searches).unwrap_or(u64::MAX)) > MOST_WORK
    }
}

fn first_spaces(one: &One) -> &[u32] {
    one.lines.first().map_or(&[], |l| &l.spaces)
}
