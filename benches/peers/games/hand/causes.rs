//! Lines of one leg with what they rest on, by hand: the route, and what stopped a unit that has
//! none.
//!
//! The cause is what the rules say it is: the line with the fewest shut gates within the limit, and
//! the first gate on it that is shut; else the shortest open line of any length, and the last space
//! within the limit; else both; else where one may not enter. Ties go to the space that comes first
//! on the map.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sutler::kernel::Gate;

use super::super::peer::{Found, NO, YES};
use super::FAR;

/// A step that is barred.
pub const BARRED: u32 = u32::MAX;

/// Shut gates and length of a line; the fewer gates the better, then the shorter.
type Worth = (u32, u32);
const NONE: Worth = (FAR, FAR);

/// What lines of one side and sort of unit are searched among.
pub struct Terms {
    /// For each space its neighbours, ascending.
    pub near: Vec<Vec<u16>>,
    /// For each space and neighbour in that order what a step from there into this space costs.
    pub enter: Vec<Vec<u32>>,
    /// Where lines end.
    pub source: Vec<bool>,
    /// What a line may pass.
    pub through: Vec<bool>,
    /// Where a line may end.
    pub into: Vec<bool>,
}

/// Searches made so far; those that only a no needs are made when one comes.
#[derive(Default)]
pub struct Searches {
    open: Vec<Worth>,
    limited: Option<(u32, Vec<Vec<Worth>>)>,
    endless: Option<Vec<Worth>>,
    lifted: Option<Vec<Worth>>,
}

/// How a search is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// Shut gates close.
    Open,
    /// Shut gates are counted.
    Weighed,
    /// And what is barred costs 1.
    Lifted,
}

impl Terms {
    /// Every step costs 1, and every gate is open.
    pub fn of_ones(near: Vec<Vec<u16>>) -> Terms {
        let spaces = near.len();
        Terms {
            enter: near.iter().map(|n| vec![1; n.len()]).collect(),
            near,
            source: vec![false; spaces],
            through: vec![true; spaces],
            into: vec![true; spaces],
        }
    }

    fn toll(&self, how: How, open: bool) -> Option<u32> {
        match (open, how) {
            (true, _) => Some(0),
            (false, How::Open) => None,
            (false, _) => Some(1),
        }
    }

    fn step(&self, how: How, cost: u32) -> Option<u32> {
        match (cost, how) {
            (BARRED, How::Lifted) => Some(1),
            (BARRED, _) => None,
            (cost, _) => Some(cost),
        }
    }

    /// What a line from each space comes to, of any length.
    fn endless(&self, how: How) -> Vec<Worth> {
        let mut best = vec![NONE; self.source.len()];
        let mut heap = BinaryHeap::new();
        for (space, cell) in best.iter_mut().enumerate().filter(|(s, _)| self.source[*s]) {
            if let Some(toll) = self.toll(how, self.into[space]) {
                *cell = (toll, 0);
                heap.push(Reverse((*cell, space as u16)));
            }
        }
        while let Some(Reverse((worth, space))) = heap.pop() {
            let at = usize::from(space);
            if worth != best[at] {
                continue;
            }
            let Some((shut, length)) = self.passing(how, at, worth) else { continue };
            for (from, cost) in self.near[at].iter().zip(&self.enter[at]) {
                let Some(cost) = self.step(how, *cost) else { continue };
                let whole = (shut, length + cost);
                if whole < best[usize::from(*from)] {
                    best[usize::from(*from)] = whole;
                    heap.push(Reverse((whole, *from)));
                }
            }
        }
        best
    }

    /// What a line that passes a space comes to there; one that ends there passes no gate more.
    fn passing(&self, how: How, at: usize, (shut, length): Worth) -> Option<Worth> {
        if (shut, length) == NONE {
            return None;
        }
        let toll = if length == 0 { 0 } else { self.toll(how, self.through[at])? };
        Some((shut + toll, length))
    }

    /// For each length up to the limit, the fewest shut gates of a line of that length.
    fn limited(&self, limit: u32) -> Vec<Vec<Worth>> {
        let mut best = vec![vec![NONE; self.source.len()]; limit as usize + 1];
        for space in (0..self.source.len()).filter(|s| self.source[*s]) {
            best[0][space] = (u32::from(!self.into[space]), 0);
        }
        for spent in 0..limit {
            for at in 0..self.source.len() {
                let worth = best[spent as usize][at];
                if worth == NONE {
                    continue;
                }
                let Some((shut, _)) = self.passing(How::Weighed, at, worth) else { continue };
                for (from, cost) in self.near[at].iter().zip(&self.enter[at]) {
                    let whole = spent.saturating_add(*cost);
                    if whole <= limit {
                        let cell = &mut best[whole as usize][usize::from(*from)];
                        *cell = (*cell).min((shut, whole));
                    }
                }
            }
        }
        best
    }

    /// Walks from a space, always to the first neighbour from which the rest comes to what it must;
    /// gives the spaces with the cost so far.
    fn walk(
        &self,
        how: How,
        start: u16,
        mut worth: Worth,
        rest: impl Fn(usize, u32) -> Worth,
    ) -> Vec<(u16, u32)> {
        let (mut at, mut gone) = (start, 0);
        let mut spaces = vec![(start, 0)];
        while worth.1 > 0 {
            if at != start {
                worth.0 -= self.toll(how, self.through[usize::from(at)]).unwrap_or(0);
            }
            let fits = |next: u16| {
                let here = usize::from(next);
                let nth = self.near[here].iter().position(|n| *n == at)?;
                let step = self.step(how, self.enter[here][nth])?;
                let left = worth.1.checked_sub(step)?;
                let passing = self.passing(how, here, rest(here, left))?;
                (passing == (worth.0, left)).then_some((next, step))
            };
            let Some((next, step)) = self.near[usize::from(at)].iter().find_map(|n| fits(*n))
            else {
                break;
            };
            gone += step;
            worth.1 -= step;
            spaces.push((next, gone));
            at = next;
        }
        spaces
    }

    /// The first that stops a line.
    fn first_stop(&self, line: &[(u16, u32)], limit: u32) -> (Gate, Option<u16>) {
        for (nth, (space, cost)) in line.iter().enumerate() {
            let (at, last) = (usize::from(*space), nth + 1 == line.len());
            if nth > 0 {
                let before = line[nth - 1].0;
                let from = self.near[at].iter().position(|n| *n == before);
                if from.is_some_and(|from| self.enter[at][from] == BARRED) {
                    return (Gate::Cost, Some(*space));
                }
                if *cost > limit {
                    return (Gate::Within, Some(before));
                }
                if !last && !self.through[at] {
                    return (Gate::Through, Some(*space));
                }
            }
            if last && !self.into[at] {
                return (Gate::Into, Some(*space));
            }
        }
        (Gate::Source, None)
    }

    /// The answer for a unit that traces.
    pub fn found(&self, searches: &mut Searches, start: u16, limit: u32) -> Found {
        let at = usize::from(start);
        if searches.open.is_empty() {
            searches.open = self.endless(How::Open);
        }
        let open = &searches.open;
        let rest = |space: usize, _: u32| open[space];
        if open[at].1 <= limit {
            let line = self.walk(How::Open, start, open[at], rest);
            return Found {
                answer: YES,
                length: Some(open[at].1),
                route: line.into_iter().map(|(s, _)| s).collect(),
                gate: Gate::Open,
                stop: None,
            };
        }
        if searches.limited.as_ref().is_none_or(|(of, _)| *of != limit) {
            searches.limited = Some((limit, self.limited(limit)));
        }
        let by_length = searches.limited.as_ref().map_or(&[][..], |(_, b)| b);
        let best = by_length.iter().map(|row| row[at]).min().unwrap_or(NONE);
        let line = if best != NONE {
            self.walk(How::Weighed, start, best, |s, left| by_length[left as usize][s])
        } else if open[at] != NONE {
            self.walk(How::Open, start, open[at], rest)
        } else {
            self.without_limit(searches, start)
        };
        let (gate, stop) = self.first_stop(&line, limit);
        Found { answer: NO, gate, stop, ..Found::never() }
    }

    /// A line of any length, over shut gates and at last over what is barred.
    fn without_limit(&self, searches: &mut Searches, start: u16) -> Vec<(u16, u32)> {
        let at = usize::from(start);
        let best = searches.endless.get_or_insert_with(|| self.endless(How::Weighed));
        if best[at] != NONE {
            return self.walk(How::Weighed, start, best[at], |s, _| best[s]);
        }
        let best = searches.lifted.get_or_insert_with(|| self.endless(How::Lifted));
        match best[at] {
            NONE => Vec::new(),
            worth => self.walk(How::Lifted, start, worth, |s, _| best[s]),
        }
    }
}
