//! Malaya: overland within the printed move, through ground that the enemy neither holds nor
//! watches, to a road or railway, and along it as far as one likes to a source.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::super::board::Board;
use super::super::peer::{NO, Peer, UNASKED, YES};
use super::super::plain::{OFF, Plain};
use super::{FAR, stand};

const CLASSES: usize = 2;

/// What never changes.
pub struct Malaya {
    /// Overland steps: the neighbour, and what it costs each class to enter this hex from there.
    steps: Vec<Vec<(u16, [u32; CLASSES])>>,
    net: Vec<Vec<u16>>,
    /// Where a zone of control reaches from: neighbours over no strait.
    near: Vec<Vec<u16>>,
    /// Whether a zone of each class enters a hex.
    zone_enters: Vec<[bool; CLASSES]>,
    /// Sources by side that do not hang on control, and the ports that do.
    source: [Vec<bool>; 2],
    east_port: Vec<bool>,
    class: Vec<usize>,
    allowance: Vec<u32>,
    owner: Vec<Option<usize>>,
    japan: usize,
    // What a position fills.
    counters: Vec<u8>,
    of_class: [Vec<u8>; CLASSES],
    free: Vec<bool>,
    joined: Vec<bool>,
    cost: Vec<[Vec<u32>; CLASSES]>,
    queue: VecDeque<u16>,
    heap: BinaryHeap<Reverse<(u32, u16)>>,
}

impl Malaya {
    pub fn new(board: &Board<'_>, penang_captured: bool) -> Malaya {
        let near = board.links(&["hexside"]);
        let (straits, net) = (board.links(&["strait"]), board.links(&["road", "rail"]));
        let terrain = board.of_spaces("hex", "terrain");
        let is = |hex: usize, word: &str| terrain[hex] == board.word("terrain", word);
        let open = |hex: usize| ["clear", "cultivated", "city"].iter().any(|t| is(hex, t));
        let enter = |hex: usize| match () {
            () if open(hex) => [1, 1],
            () if is(hex, "jungle") => [2, 4],
            () if is(hex, "swamp") || is(hex, "mountain") => [3, FAR],
            () => [FAR, FAR],
        };
        let step = |from: u16, hex: usize| {
            let from = usize::from(from);
            let by_road = net[from].contains(&(hex as u16));
            let water = straits[from].contains(&(hex as u16));
            enter(hex).map(|cost| match cost {
                _ if water => FAR,
                FAR if by_road => 1,
                cost => cost,
            })
        };
        let steps = |hex: usize| near[hex].iter().map(|from| (*from, step(*from, hex))).collect();
        let port = board.of_spaces("hex", "port");
        let ports = |word| port.iter().map(|p| *p == board.word("port", word)).collect::<Vec<_>>();
        let (thai, west) = (board.where_spaces("hex", "thai_road"), ports("west_coast"));
        let japanese =
            (0..board.spaces).map(|h| thai[h] || penang_captured && west[h]).collect::<Vec<_>>();
        let armour = board.word("class", "armour");
        let mut source = [board.where_spaces("hex", "naval_base"), japanese];
        if board.side("Japan") == 0 {
            source.swap(0, 1);
        }
        Malaya {
            steps: (0..board.spaces).map(steps).collect(),
            near: (0..board.spaces)
                .map(|h| near[h].iter().copied().filter(|n| !straits[h].contains(n)).collect())
                .collect(),
            net,
            zone_enters: (0..board.spaces).map(|h| [open(h) || is(h, "swamp"), open(h)]).collect(),
            source,
            east_port: ports("east_coast"),
            class: board
                .of_units("counter", "class")
                .iter()
                .map(|c| usize::from(*c == armour))
                .collect(),
            allowance: board
                .of_units("counter", "printed_move")
                .iter()
                .map(|m| *m as u32)
                .collect(),
            owner: board.owner.clone(),
            japan: board.side("Japan"),
            counters: vec![0; board.spaces],
            of_class: [vec![0; board.spaces], vec![0; board.spaces]],
            free: vec![false; board.spaces],
            joined: vec![false; board.spaces],
            cost: vec![[vec![FAR; board.spaces], vec![FAR; board.spaces]]; 2],
            queue: VecDeque::new(),
            heap: BinaryHeap::new(),
        }
    }

    /// Ground free of the enemy and his zones; a friend in a hex lifts both.
    fn clear_ground(&mut self, side: usize) {
        let (own, enemy) = (1 << side, 1 << (1 - side));
        let free = &mut self.free;
        for (hex, counters) in self.counters.iter().enumerate() {
            free[hex] = counters & enemy == 0;
        }
        for class in 0..CLASSES {
            for (hex, there) in self.of_class[class].iter().enumerate() {
                if there & enemy != 0 {
                    for near in &self.near[hex] {
                        let near = usize::from(*near);
                        if self.zone_enters[near][class] {
                            free[near] = false;
                        }
                    }
                }
            }
        }
        for (hex, counters) in self.counters.iter().enumerate() {
            free[hex] |= counters & own != 0;
        }
    }

    /// The hexes that roads and railways join to a source.
    fn join(&mut self, side: usize, control: &[u8]) {
        let (own, enemy) = (side as u8 + 1, 2 - side as u8);
        let free_line = |hex: usize| self.free[hex] && control[hex] != enemy;
        self.joined.fill(false);
        for (hex, holder) in control.iter().enumerate() {
            let port = side == self.japan && self.east_port[hex] && *holder == own;
            if (self.source[side][hex] || port) && free_line(hex) {
                self.joined[hex] = true;
                self.queue.push_back(hex as u16);
            }
        }
        while let Some(hex) = self.queue.pop_front() {
            for to in &self.net[usize::from(hex)] {
                let at = usize::from(*to);
                if !self.joined[at] && free_line(at) {
                    self.joined[at] = true;
                    self.queue.push_back(*to);
                }
            }
        }
    }

    /// What it costs each class to come to the net from every hex.
    fn march(&mut self, side: usize, class: usize) {
        let cost = &mut self.cost[side][class];
        cost.fill(FAR);
        for (hex, joined) in self.joined.iter().enumerate() {
            if *joined && !self.net[hex].is_empty() {
                cost[hex] = 0;
                self.heap.push(Reverse((0, hex as u16)));
            }
        }
        while let Some(Reverse((so_far, hex))) = self.heap.pop() {
            let at = usize::from(hex);
            if so_far > cost[at] || so_far > 0 && !self.free[at] {
                continue;
            }
            for (from, enter) in &self.steps[at] {
                if enter[class] == FAR {
                    continue;
                }
                let whole = so_far + enter[class];
                let from_at = usize::from(*from);
                if whole < cost[from_at] && whole <= 12 {
                    cost[from_at] = whole;
                    self.heap.push(Reverse((whole, *from)));
                }
            }
        }
    }
}

impl Peer for Malaya {
    fn answers(&mut self, position: &Plain, out: &mut Vec<u8>) {
        stand(&mut self.counters, &position.space, &self.owner, |_| true);
        for class in 0..CLASSES {
            let of_class = |u: usize| self.class[u] == class;
            stand(&mut self.of_class[class], &position.space, &self.owner, of_class);
        }
        for side in 0..2 {
            self.clear_ground(side);
            self.join(side, &position.control);
            for class in 0..CLASSES {
                self.march(side, class);
            }
        }
        out.clear();
        for (unit, space) in position.space.iter().enumerate() {
            let (Some(side), false) = (self.owner[unit], *space == OFF) else {
                out.push(UNASKED);
                continue;
            };
            let cost = self.cost[side][self.class[unit]][usize::from(*space)];
            out.push(if cost <= self.allowance[unit] { YES } else { NO });
        }
    }
}
