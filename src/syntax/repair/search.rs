//! The cheapest changes with which a line derives from the grammar.
//!
//! Takes the ways through what is written, each step with its cost; gives lists of changes, the
//! cheapest first. The search goes through pairs of a place in the text and a stack of what the
//! grammar still wants, in the order of their cost. It ends by its limits, whatever is written.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::grammar::{self, Node};
use super::lattice::{INSERTED, Lattice, Step};

/// No list of changes costs more.
const DEAREST: u8 = 9;
/// One that costs so much more than the cheapest is no rival of it.
pub(super) const APART: u8 = 3;
/// So many states are looked at.
const MOST_STATES: usize = 20_000;
/// So many wait.
const MOST_WAITING: usize = 200_000;
/// So many histories of one state are kept.
const MOST_PASTS: u8 = 24;
/// So many lists are given.
const MOST_FOUND: usize = 64;

/// One change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Change {
    /// A literal of the grammar, before the token of this number.
    Insert(u32, u16),
    /// An edit of the lattice.
    Edit(u32),
}

/// A list of changes, from left to right.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) cost: u8,
    pub(super) changes: Vec<Change>,
}

/// What came of a search.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) found: Vec<Found>,
    /// All that costs no more than this has been found.
    pub(super) complete: u8,
    /// How many states were looked at.
    pub(super) states: usize,
}

struct State {
    cost: u8,
    place: u32,
    stack: u32,
    past: u32,
    /// Whether something is inserted first.
    inserts: bool,
}

struct Search<'l> {
    lattice: &'l Lattice,
    /// What costs more is not looked at.
    dearest: u8,
    /// What costs so much more than the cheapest is no rival of it.
    apart: u8,
    stacks: Stacks,
    waiting: BinaryHeap<Reverse<(u8, Reverse<u32>, u32)>>,
    states: Vec<State>,
    /// Each change with the one before it, and what stands for them all.
    pasts: Vec<(u32, Change, u64)>,
    seen: FxHashSet<(u32, u32, u64)>,
    often: FxHashMap<(u32, u32), u8>,
    /// The steps that take a leaf at a place.
    taken: FxHashMap<(u16, u32), Rc<[u16]>>,
}

/// The cheapest lists of changes after which all tokens are taken, and those that cost so much more
/// at most; at most so many states are looked at.
pub(super) fn search(lattice: &Lattice, budget: usize, apart: u8) -> Outcome {
    let mut search = Search {
        lattice,
        dearest: DEAREST,
        apart,
        stacks: Stacks::default(),
        waiting: BinaryHeap::new(),
        states: Vec::new(),
        pasts: vec![(0, Change::Edit(u32::MAX), 0)],
        seen: FxHashSet::default(),
        often: FxHashMap::default(),
        taken: FxHashMap::default(),
    };
    let start = search.stacks.push(grammar::START, 0);
    search.wait(State { cost: 0, place: 0, stack: start, past: 0, inserts: false });
    search.run(budget.min(MOST_STATES))
}

impl Search<'_> {
    fn run(&mut self, budget: usize) -> Outcome {
        let mut outcome = Outcome { complete: DEAREST, ..Outcome::default() };
        while let Some(Reverse((cost, _, number))) = self.waiting.pop() {
            let Some(state) = self.states.get(number as usize) else { break };
            let (place, stack, past) = (state.place, state.stack, state.past);
            let inserts = state.inserts;
            if cost > self.dearest {
                break;
            }
            let full = outcome.states >= budget || self.waiting.len() > MOST_WAITING;
            if full || outcome.found.len() >= MOST_FOUND {
                outcome.complete = cost.saturating_sub(1);
                break;
            }
            if inserts {
                self.insert(cost, place, stack, past);
                continue;
            }
            if !self.is_new(place, stack, past) {
                continue;
            }
            outcome.states += 1;
            if stack == 0 && place == self.lattice.end {
                if past != 0 {
                    self.dearest = self.dearest.min(cost + self.apart);
                    outcome.found.push(Found { cost, changes: self.changes(past) });
                }
                continue;
            }
            self.go_on(cost, place, stack, past);
        }
        outcome
    }

    /// Whether a state has not been looked at with these changes behind it, nor with many others.
    fn is_new(&mut self, place: u32, stack: u32, past: u32) -> bool {
        let said = self.pasts.get(past as usize).map_or(0, |past| past.2);
        let often = self.often.entry((place, stack)).or_default();
        if *often >= MOST_PASTS || !self.seen.insert((place, stack, said)) {
            return false;
        }
        *often += 1;
        true
    }

    fn wait(&mut self, state: State) {
        if state.cost > self.dearest {
            return;
        }
        let number = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        let far = self.lattice.tokens_before(state.place);
        self.waiting.push(Reverse((state.cost, Reverse(far), number)));
        self.states.push(state);
    }

    fn go_on(&mut self, cost: u8, place: u32, stack: u32, past: u32) {
        let lattice = self.lattice;
        let steps = lattice.steps.get(place as usize).map_or(&[][..], Vec::as_slice);
        for step in steps.iter().filter(|step| step.takes.is_none()) {
            let past = self.changed(past, step.edit.map(Change::Edit));
            let cost = cost + step.cost;
            self.wait(State { cost, place: step.to, stack, past, inserts: false });
        }
        for at in self.stacks.leaves(stack) {
            let Some((leaf, rest)) = self.stacks.leaves.get(at).copied() else { continue };
            let taken =
                self.taken.entry((leaf, place)).or_insert_with(|| fitting(lattice, leaf, steps));
            for step in taken.clone().iter().filter_map(|at| steps.get(usize::from(*at))) {
                let past = self.changed(past, step.edit.map(Change::Edit));
                let cost = cost + step.cost;
                self.wait(State { cost, place: step.to, stack: rest, past, inserts: false });
            }
        }
        if lattice.inserts(place) {
            let cost = cost + INSERTED;
            self.wait(State { cost, place, stack, past, inserts: true });
        }
    }

    /// Each word and sign that may come next, put before a place; the state has its cost already.
    fn insert(&mut self, cost: u8, place: u32, stack: u32, past: u32) {
        for at in self.stacks.leaves(stack) {
            let Some((leaf, rest)) = self.stacks.leaves.get(at).copied() else { continue };
            if self.lattice.may_insert(place, grammar::node(leaf)) {
                let past = self.changed(past, Some(Change::Insert(place, leaf)));
                self.wait(State { cost, place, stack: rest, past, inserts: false });
            }
        }
    }

    fn changed(&mut self, past: u32, change: Option<Change>) -> u32 {
        let Some(change) = change else { return past };
        let before = self.pasts.get(past as usize).map_or(0, |past| past.2);
        let mut hasher = FxHasher::default();
        (before, change).hash(&mut hasher);
        self.pasts.push((past, change, hasher.finish()));
        u32::try_from(self.pasts.len() - 1).unwrap_or(0)
    }

    fn changes(&self, mut past: u32) -> Vec<Change> {
        let mut found = Vec::new();
        while let Some((before, change, _)) = self.pasts.get(past as usize).filter(|_| past != 0) {
            found.push(*change);
            past = *before;
        }
        found.reverse();
        found
    }
}

/// Which of the steps from a place take what a leaf of the grammar wants.
fn fitting(lattice: &Lattice, leaf: u16, steps: &[Step]) -> Rc<[u16]> {
    let node = grammar::node(leaf);
    let fits = |step: &Step| {
        let token = step.takes.and_then(|at| lattice.tokens.get(at as usize));
        token.is_some_and(|token| node.takes(token.looks, &token.text))
    };
    (0u16..).zip(steps).filter(|(_, step)| fits(step)).map(|(at, _)| at).collect()
}

/// Stacks of nodes, each kept once, with what their tops may begin with.
struct Stacks {
    all: Vec<(u16, u32)>,
    numbers: FxHashMap<(u16, u32), u32>,
    /// Leaves of the grammar, each with the stack that is left behind it.
    leaves: Vec<(u16, u32)>,
    known: FxHashMap<u32, Range<usize>>,
}

impl Default for Stacks {
    fn default() -> Stacks {
        Stacks {
            all: vec![(0, 0)],
            numbers: FxHashMap::default(),
            leaves: Vec::new(),
            known: FxHashMap::default(),
        }
    }
}

impl Stacks {
    fn push(&mut self, node: u16, below: u32) -> u32 {
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry((node, below)).or_insert(next);
        if number == next {
            self.all.push((node, below));
        }
        number
    }

    /// Which leaves may come next.
    fn leaves(&mut self, stack: u32) -> Range<usize> {
        if let Some(range) = self.known.get(&stack) {
            return range.clone();
        }
        let start = self.leaves.len();
        let (mut work, mut seen) = (vec![stack], FxHashSet::default());
        while let Some(top) = work.pop() {
            if top == 0 || !seen.insert(top) {
                continue;
            }
            let Some((number, below)) = self.all.get(top as usize).copied() else { continue };
            match grammar::node(number) {
                Node::Word(_) | Node::Sign(_) | Node::Class(_) => self.leaves.push((number, below)),
                Node::Seq(parts) => {
                    let whole =
                        parts.iter().rev().fold(below, |below, part| self.push(*part, below));
                    work.push(whole);
                }
                Node::Alt(parts) => {
                    for part in parts.iter().rev() {
                        let one = self.push(*part, below);
                        work.push(one);
                    }
                }
                Node::Many(part) => {
                    let again = self.push(part, top);
                    work.extend([below, again]);
                }
                Node::Maybe(part) => {
                    let one = self.push(part, below);
                    work.extend([below, one]);
                }
            }
        }
        let range = start..self.leaves.len();
        self.known.insert(stack, range.clone());
        range
    }
}
