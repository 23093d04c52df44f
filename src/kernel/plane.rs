//! Conditions on spaces as operations on planes: one row of words a space, one bit a position.
//!
//! A program is a list of operations, each of which writes planes of its own behind those it reads.
//! The row behind the last space is what a condition says of no space at all, for units off the
//! map.

use super::lookup::LookupTable;

/// A plane by its place among all planes of a program.
pub(super) type PlaneId = u32;

/// Planes that the search of lines works with, beside those of the last costs.
pub(super) const LINES: usize = 4;

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
        /// over which steps
        way: usize,
        /// the longest, or none for unlimited, which has one plane
        steps: Option<u32>,
    },
    /// the spaces in which a line may begin whose legs are no longer than some fixed numbers
    Lines {
        /// where the whole line may end
        source: PlaneId,
        /// where it may begin again
        relay: Option<PlaneId>,
        /// the places of its chain, the first first
        places: Vec<Place>,
    },
}

/// One place of a chain of legs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// The legs, of which one is enough.
    pub legs: Vec<Leg>,
    /// Whether the place may be skipped.
    pub optional: bool,
}

/// One leg, with no plane for a gate that is open everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Leg {
    /// Where it may begin.
    pub from: Option<PlaneId>,
    /// Where it may pass.
    pub through: Option<PlaneId>,
    /// Where it may end.
    pub into: Option<PlaneId>,
    /// Over which steps.
    pub way: usize,
    /// The longest it may be, counted as its steps are; none for unlimited.
    pub most: Option<u32>,
}

impl Op {
    /// How many planes it writes.
    pub(super) fn planes(&self) -> u32 {
        match self {
            Op::Flood { steps, .. } => steps.unwrap_or(0).saturating_add(1),
            _ => 1,
        }
    }

    /// Calls with every plane that it reads.
    pub(super) fn reads(&self, call: &mut dyn FnMut(PlaneId)) {
        match self {
            Op::Fixed(_) | Op::Control { .. } | Op::Presence(_) | Op::Slow(_) => {}
            Op::All { parts, .. } => parts.iter().for_each(|(plane, _)| call(*plane)),
            Op::Spread { of, .. } => call(*of),
            Op::Flood { ends, through, from, also, .. } => {
                call(*ends);
                through.iter().chain(from).chain(also).for_each(|plane| call(*plane));
            }
            Op::Lines { source, relay, places } => {
                call(*source);
                relay.iter().for_each(|plane| call(*plane));
                for leg in places.iter().flat_map(|place| &place.legs) {
                    [leg.from, leg.through, leg.into].into_iter().flatten().for_each(&mut *call);
                }
            }
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
    pub depends: Vec<(u32, LookupTable)>,
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
    /// Spaces of which each two are neighbours beside: what holds in them is gathered once for all.
    pub groups: Vec<Vec<u32>>,
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
    pub(super) fn of(spaces: impl Iterator<Item = Vec<u32>>, groups: Vec<Vec<u32>>) -> Adjacent {
        let mut degrees: Vec<Degree> = Vec::new();
        for (space, near) in (0u32..).zip(spaces) {
            let at = degrees.binary_search_by_key(&near.len(), |d| d.many).unwrap_or_else(|at| {
                degrees.insert(at, Degree { many: near.len(), ..Degree::default() });
                at
            });
            degrees[at].spaces.push(space);
            degrees[at].to.extend(near);
        }
        Adjacent { degrees, groups }
    }

    /// Calls with each space and each of its neighbours; with some of them twice.
    pub(super) fn each_pair(&self, mut call: impl FnMut(u32, u32)) {
        for degree in &self.degrees {
            for (nth, space) in degree.spaces.iter().enumerate() {
                let near = &degree.to[nth * degree.many..][..degree.many];
                near.iter().for_each(|near| call(*space, *near));
            }
        }
        for group in &self.groups {
            for space in group {
                group.iter().filter(|near| *near != space).for_each(|near| call(*space, *near));
            }
        }
    }
}

/// The steps of a leg by what they cost.
#[derive(Debug, Clone, Default)]
pub(super) struct Way {
    /// Those that cost 1, 2 and so on; the neighbours are those that a step leads into.
    pub by_cost: Vec<Adjacent>,
    /// All together, where there are several costs.
    pub any: Option<Adjacent>,
    /// The spaces of the nodes that stand behind the spaces, where links cross and do not meet.
    pub further: Vec<u32>,
}

impl Way {
    /// All steps, whatever they cost.
    pub(super) fn any(&self) -> Option<&Adjacent> {
        self.any.as_ref().or(self.by_cost.first())
    }

    /// Whether it is searched by nodes and not by spaces.
    pub(super) fn crosses(&self) -> bool {
        !self.further.is_empty()
    }

    /// How many rows of words its search works with, where it is by nodes: the gate between, what is
    /// reached, and what leads on at each of the last costs.
    fn room(&self, spaces: usize) -> usize {
        let planes = 2 + self.by_cost.len().max(1);
        if self.crosses() { planes * (spaces + self.further.len()) } else { 0 }
    }
}

/// How a query is answered: its atoms, and the units that depend.
pub(super) type Presence = (Vec<usize>, Vec<(u32, LookupTable)>);

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
    /// Steps of legs.
    pub ways: Vec<Way>,
    /// How many planes to work with the operations need.
    pub passes: usize,
}

impl Program {
    /// A program of these operations; units are sorted into atoms.
    pub(super) fn new(
        ops: Vec<(Op, PlaneId)>,
        queries: Vec<Query>,
        (links, ways): (Vec<Adjacent>, Vec<Way>),
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
        let dearest = ways.iter().map(|w| w.by_cost.len()).max().unwrap_or(0);
        let has_lines = ops.iter().any(|(op, _)| matches!(op, Op::Lines { .. }));
        let by_nodes = ways.iter().map(|w| w.room(rows - 1)).max().unwrap_or(0).div_ceil(rows);
        let passes = dearest.max(2).max(by_nodes) + if has_lines { LINES } else { 0 };
        let atoms = atoms.into_values().collect();
        Program { ops, planes, rows, atoms, queries, links, ways, passes }
    }
}
