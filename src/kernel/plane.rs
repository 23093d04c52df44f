//! Conditions on spaces as operations on planes: one row of words a space, one bit a position.
//!
//! A program is a list of operations, each of which writes planes of its own behind those it reads.
//! The row behind the last space is what a condition says of no space at all, for units off the
//! map.

use super::look::Look;

/// A plane by its place among all planes of a program.
pub(super) type PlaneId = u32;

/// One operation; equal ones are worked out once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// the same in all positions
    Fixed(Vec<bool>),
    /// who controls a space
    Control {
        /// these sides
        sides: Vec<bool>,
        /// or nobody
        nobody: bool,
        /// what is said of no space
        nowhere: bool,
    },
    /// whether a unit of a query stands there
    Presence(usize),
    /// all of these, each as it is or its contrary; the whole as it is or its contrary
    All {
        /// the planes, with whether the contrary is meant
        parts: Vec<(PlaneId, bool)>,
        /// whether the contrary of the whole is meant
        contrary: bool,
    },
    /// whether it holds so many links away at most
    Spread {
        /// what
        of: PlaneId,
        /// over which links
        links: usize,
        /// how many, 1 at least
        steps: u32,
        /// whether the space itself counts
        itself: bool,
    },
    /// asked of every position, one after another
    Slow(usize),
    /// the spaces from which a line leads to an end: a plane a length, each with those before it
    Flood {
        /// where a line may end
        ends: PlaneId,
        /// where it may pass
        through: Option<PlaneId>,
        /// where it may begin
        from: Option<PlaneId>,
        /// what says yes without a line
        also: Vec<PlaneId>,
        /// over which links
        links: usize,
        /// the longest, or none for unlimited, which has one plane
        steps: Option<u32>,
    },
}

impl Op {
    /// How many planes it writes.
    pub(super) fn planes(&self) -> u32 {
        match self {
            Op::Flood { steps, .. } => steps.unwrap_or(0).saturating_add(1),
            _ => 1,
        }
    }
}

/// The units that a condition asks for: those that always meet the rest of it, and those whose
/// facts decide.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Query {
    /// By unit.
    pub always: Vec<bool>,
    /// Units with what their facts say.
    pub depends: Vec<(u32, Look)>,
}

/// Neighbours over some kinds of link; no space is its own neighbour.
///
/// Spaces with equally many stand together, for a loop whose number of turns changes with every
/// space is guessed wrong with every space, which costs more than the words of 512 positions that
/// it joins.
#[derive(Debug, Clone, Default)]
pub(super) struct Adjacent {
    /// By number of neighbours, ascending; each space stands in one of them.
    pub degrees: Vec<Degree>,
}

/// Spaces with equally many neighbours.
#[derive(Debug, Clone, Default)]
pub(super) struct Degree {
    /// How many.
    pub many: usize,
    /// The spaces, ascending.
    pub spaces: Vec<u32>,
    /// The neighbours of each, one space after another.
    pub to: Vec<u32>,
}

impl Adjacent {
    /// From the neighbours of each space.
    pub(super) fn of(spaces: impl Iterator<Item = Vec<u32>>) -> Adjacent {
        let mut degrees: Vec<Degree> = Vec::new();
        for (space, near) in (0u32..).zip(spaces) {
            let at = degrees.binary_search_by_key(&near.len(), |d| d.many).unwrap_or_else(|at| {
                degrees.insert(at, Degree { many: near.len(), ..Degree::default() });
                at
            });
            degrees[at].spaces.push(space);
            degrees[at].to.extend(near);
        }
        Adjacent { degrees }
    }
}

/// How a query is answered: its atoms, and the units that depend.
pub(super) type Presence = (Vec<usize>, Vec<(u32, Look)>);

/// All operations of one trace, ready to run.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    /// The operations and the first plane of each.
    pub ops: Vec<(Op, PlaneId)>,
    /// How many planes they write.
    pub planes: usize,
    /// Spaces and one more.
    pub rows: usize,
    /// The units of each atom: those that all queries treat alike, so that each unit is placed
    /// once.
    pub atoms: Vec<Vec<u32>>,
    /// For each query its atoms and the units that depend.
    pub queries: Vec<Presence>,
    /// Link sets.
    pub links: Vec<Adjacent>,
}

impl Program {
    /// A program of these operations; units are sorted into atoms.
    pub(super) fn new(
        ops: Vec<(Op, PlaneId)>,
        queries: Vec<Query>,
        links: Vec<Adjacent>,
        rows: usize,
        units: usize,
    ) -> Program {
        let planes = ops.last().map_or(0, |(op, first)| (first + op.planes()) as usize);
        let mut atoms: indexmap::IndexMap<Vec<bool>, Vec<u32>> = indexmap::IndexMap::new();
        for unit in 0..units {
            let of: Vec<bool> =
                queries.iter().map(|q| q.always.get(unit).copied().unwrap_or(false)).collect();
            if of.contains(&true) {
                atoms.entry(of).or_default().extend(u32::try_from(unit).ok());
            }
        }
        let of_query = |nth: usize| {
            (0..atoms.len())
                .filter(|a| atoms.get_index(*a).is_some_and(|(of, _)| of[nth]))
                .collect()
        };
        let queries =
            queries.iter().enumerate().map(|(nth, q)| (of_query(nth), q.depends.clone())).collect();
        Program { ops, planes, rows, atoms: atoms.into_values().collect(), queries, links }
    }
}
