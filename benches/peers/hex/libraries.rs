//! The country part by the searches of two libraries, from one node that leads to all ends at no
//! cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hexx::{Hex, HexOrientation, OffsetHexMode};
use pathfinding::directed::dijkstra::dijkstra_reach;
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{EdgeFiltered, EdgeRef};

use super::hand::{Board, Common, NONE, Plain};

/// petgraph: one graph for foot and horse, the ends joined to a node of their own.
pub struct Petgraph<'b> {
    board: &'b Board,
    common: Common,
    graph: DiGraph<(), ()>,
    all: NodeIndex,
}

impl<'b> Petgraph<'b> {
    pub fn new(board: &'b Board) -> Petgraph<'b> {
        let mut graph = DiGraph::with_capacity(board.hexes + 1, board.hexes * 6);
        let nodes: Vec<NodeIndex> = (0..=board.hexes).map(|_| graph.add_node(())).collect();
        for (hex, near) in board.near.iter().enumerate() {
            for next in near.iter().filter(|n| **n != NONE) {
                graph.add_edge(nodes[hex], nodes[*next as usize], ());
            }
        }
        Petgraph { board, common: Common::new(board), graph, all: nodes[board.hexes] }
    }

    pub fn ask(&mut self, plain: &Plain) -> &[bool] {
        self.common.place(plain);
        for side in 0..2 {
            self.common.roads(self.board, plain, side);
            let all = self.all;
            let edges: Vec<_> = self
                .common
                .ends
                .iter()
                .map(|end| self.graph.add_edge(all, NodeIndex::new(*end as usize), ()))
                .collect();
            let mut passes = self.common.free.clone();
            self.common.ends.iter().for_each(|end| passes[*end as usize] = true);
            for horse in [false, true] {
                let costs = &self.board.cost[usize::from(horse)];
                let open = EdgeFiltered::from_fn(&self.graph, |e| {
                    e.source() == all || passes[e.source().index()]
                });
                let found = dijkstra(&open, all, None, |e| {
                    if e.source() == all { 0 } else { costs[e.source().index()] }
                });
                self.common.answer(plain, side, horse, |hex| {
                    found.get(&NodeIndex::new(hex as usize)).copied().unwrap_or(NONE)
                });
            }
            // The newest edges last, so that no other edge moves.
            edges.into_iter().rev().for_each(|edge| {
                self.graph.remove_edge(edge);
            });
        }
        &self.common.answers
    }
}

/// pathfinding: the search by steps, which can stop at the longest reach.
pub struct Pathfinding<'b> {
    board: &'b Board,
    common: Common,
    cost: Vec<u32>,
}

impl<'b> Pathfinding<'b> {
    pub fn new(board: &'b Board) -> Pathfinding<'b> {
        Pathfinding { board, common: Common::new(board), cost: vec![NONE; board.hexes] }
    }

    pub fn ask(&mut self, plain: &Plain) -> &[bool] {
        self.common.place(plain);
        for side in 0..2 {
            self.common.roads(self.board, plain, side);
            for horse in [false, true] {
                let longest = plain.longest(side, horse);
                let (board, ends, free) = (self.board, &self.common.ends, &self.common.free);
                let costs = &board.cost[usize::from(horse)];
                let next = |hex: &u32| -> Vec<(u32, u32)> {
                    match board.near.get(*hex as usize) {
                        None => ends.iter().map(|e| (*e, 0)).collect(),
                        // Ends are free, so that only other hexes are asked.
                        Some(near) if free[*hex as usize] => near
                            .iter()
                            .filter(|n| **n != NONE)
                            .map(|n| (*n, costs[*hex as usize]))
                            .collect(),
                        Some(_) => Vec::new(),
                    }
                };
                self.cost.fill(NONE);
                for item in dijkstra_reach(&NONE, next).take_while(|i| i.total_cost <= longest) {
                    if let Some(cell) = self.cost.get_mut(item.node as usize) {
                        *cell = item.total_cost;
                    }
                }
                let cost = &self.cost;
                self.common.answer(plain, side, horse, |hex| cost[hex as usize]);
            }
        }
        &self.common.answers
    }
}

/// hexx: neighbours by its coordinates, costs in an array, a heap of our own, for its own searches
/// have one goal each or are said not to be for production.
pub struct Hexx<'b> {
    board: &'b Board,
    common: Common,
    columns: i32,
    rows: i32,
    cost: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'b> Hexx<'b> {
    pub fn new(board: &'b Board, columns: usize, rows: usize) -> Hexx<'b> {
        let (columns, rows) = (columns as i32, rows as i32);
        Hexx {
            board,
            common: Common::new(board),
            columns,
            rows,
            cost: vec![NONE; board.hexes],
            heap: BinaryHeap::new(),
        }
    }

    pub fn ask(&mut self, plain: &Plain) -> &[bool] {
        self.common.place(plain);
        for side in 0..2 {
            self.common.roads(self.board, plain, side);
            for horse in [false, true] {
                self.search(horse, plain.longest(side, horse));
                let cost = &self.cost;
                self.common.answer(plain, side, horse, |hex| cost[hex as usize]);
            }
        }
        &self.common.answers
    }

    fn search(&mut self, horse: bool, longest: u32) {
        let (columns, rows) = (self.columns, self.rows);
        let (costs, free) = (&self.board.cost[usize::from(horse)], &self.common.free);
        let hex_of = |at: u32| {
            Hex::from_offset_coordinates([at as i32 % columns, at as i32 / columns], OFFSET, POINTY)
        };
        self.cost.fill(NONE);
        self.heap.clear();
        for end in &self.common.ends {
            self.cost[*end as usize] = 0;
            self.heap.push(Reverse((0, *end)));
        }
        while let Some(Reverse((gone, at))) = self.heap.pop() {
            if gone > self.cost[at as usize] {
                continue;
            }
            let whole = gone + costs[at as usize];
            if whole > longest {
                continue;
            }
            for near in hex_of(at).all_neighbors() {
                let [column, row] = near.to_offset_coordinates(OFFSET, POINTY);
                if !(0..columns).contains(&column) || !(0..rows).contains(&row) {
                    continue;
                }
                let next = (row * columns + column) as usize;
                if whole < self.cost[next] {
                    self.cost[next] = whole;
                    if free[next] {
                        self.heap.push(Reverse((whole, next as u32)));
                    }
                }
            }
        }
    }
}

const OFFSET: OffsetHexMode = OffsetHexMode::Odd;
const POINTY: HexOrientation = HexOrientation::Pointy;
