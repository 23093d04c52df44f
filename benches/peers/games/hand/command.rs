//! Command: for each side, arm and elite a search from the staffs back, through zones that only
//! some of them may pass.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::board::Board;
use super::super::peer::{Found, NO, Peer, UNASKED, YES};
use super::super::plain::{OFF, Plain};
use super::causes::{BARRED, Searches, Terms};
use super::{FAR, stand};

/// Foot, horse and guns, and the elite of each.
const SORTS: usize = 6;
const HORSE: usize = 1;
const GUNS: usize = 2;

pub struct Command {
    /// Whether the gate names the unit.
    naming: bool,
    /// The hexes next to each, over a river, and what a step from there costs by arm.
    ways: Vec<Vec<(u16, [u32; 3])>>,
    /// Where the zones of a hex reach: neighbours over no river that are no wood.
    zone: Vec<Vec<u16>>,
    troop: Vec<bool>,
    staff: Vec<bool>,
    /// The arm, and three more for the elite.
    sort: Vec<usize>,
    /// The sorts that each side has.
    sorts: [[bool; SORTS]; 2],
    owner: Vec<Option<usize>>,
    // What a position fills.
    troops: Vec<u8>,
    steady: Vec<u8>,
    staffs: Vec<u8>,
    in_zone: Vec<bool>,
    passes: Vec<bool>,
    cost: Vec<Vec<u32>>,
    heap: BinaryHeap<Reverse<(u32, u16)>>,
    /// By arm.
    terms: [Terms; 3],
}

impl Command {
    pub fn new(board: &Board<'_>, naming: bool) -> Command {
        let near = board.links(&["hexside"]);
        let (rivers, bridges) = (board.links(&["river"]), board.links(&["bridge"]));
        let terrain = board.of_spaces("hex", "terrain");
        let road = board.where_spaces("hex", "road");
        let is = |hex: usize, word: &str| terrain[hex] == board.word("terrain", word);
        let enter = |hex: usize, arm: usize| match () {
            () if arm == GUNS && is(hex, "marsh") => FAR,
            () if road[hex] || is(hex, "clear") => 1,
            () if is(hex, "rough") || is(hex, "wood") => 2,
            () if is(hex, "marsh") => 3,
            () => FAR,
        };
        let ways = |hex: usize| {
            let bridged = |n: &u16| !rivers[hex].contains(n) || bridges[hex].contains(n);
            let costs = [0, 1, 2].map(|arm| enter(hex, arm));
            near[hex].iter().filter(|n| bridged(n)).map(|n| (*n, costs)).collect()
        };
        let terms = [0, 1, 2].map(|arm| {
            let mut terms = Terms::of_ones(near.clone());
            for (hex, costs) in terms.enter.iter_mut().enumerate() {
                for (from, cost) in near[hex].iter().zip(costs) {
                    let water = rivers[hex].contains(from) && !bridges[hex].contains(from);
                    *cost = if water { BARRED } else { enter(hex, arm) };
                }
            }
            terms
        });
        let zone = |hex: usize| {
            let reaches = |n: &u16| !rivers[hex].contains(n) && !is(usize::from(*n), "wood");
            near[hex].iter().copied().filter(reaches).collect()
        };
        let (arm, elite) = (board.of_units("troop", "arm"), board.where_units("troop", "elite"));
        let troop = board.are("troop");
        let sort: Vec<usize> =
            (0..board.units).map(|u| arm[u] as usize + 3 * usize::from(elite[u])).collect();
        let mut sorts = [[false; SORTS]; 2];
        for unit in (0..board.units).filter(|u| troop[*u]) {
            sorts[board.owner[unit].unwrap()][sort[unit]] = true;
        }
        Command {
            naming,
            ways: (0..board.spaces).map(ways).collect(),
            zone: (0..board.spaces).map(zone).collect(),
            troop,
            staff: board.are("staff"),
            sort,
            sorts,
            owner: board.owner.clone(),
            troops: vec![0; board.spaces],
            steady: vec![0; board.spaces],
            staffs: vec![0; board.spaces],
            in_zone: vec![false; board.spaces],
            passes: vec![false; board.spaces],
            cost: vec![vec![FAR; board.spaces]; 2 * SORTS],
            heap: BinaryHeap::new(),
            terms,
        }
    }

    fn zones(&mut self, enemy: u8) {
        self.in_zone.fill(false);
        for (hex, steady) in self.steady.iter().enumerate() {
            if steady & enemy != 0 {
                for near in &self.zone[hex] {
                    self.in_zone[usize::from(*near)] = true;
                }
            }
        }
    }

    fn radius(sort: usize) -> u32 {
        match sort {
            s if s % 3 == HORSE => 10,
            s if s >= 3 => 8,
            _ => 6,
        }
    }

    fn place(&mut self, Plain { space, fact: shaken, .. }: &Plain) {
        stand(&mut self.troops, space, &self.owner, |u| self.troop[u]);
        stand(&mut self.steady, space, &self.owner, |u| self.troop[u] && shaken[u] == 0);
        stand(&mut self.staffs, space, &self.owner, |u| self.staff[u]);
    }

    /// What a line of a sort may pass.
    fn pass(&mut self, side: usize, sort: usize) {
        let (own, enemy) = (1u8 << side, 1u8 << (1 - side));
        for (hex, passes) in self.passes.iter_mut().enumerate() {
            let (ours, theirs) = (self.troops[hex] & own != 0, self.troops[hex] & enemy != 0);
            let open = ours || !theirs && !self.in_zone[hex];
            let named = sort % 3 == HORSE && !theirs || sort >= 3 && !self.in_zone[hex];
            *passes = open || self.naming && named;
        }
    }

    fn search(&mut self, side: usize, sort: usize) {
        let own = 1u8 << side;
        self.pass(side, sort);
        let Command { cost, heap, staffs, passes, ways, .. } = self;
        let cost = &mut cost[side * SORTS + sort];
        cost.fill(FAR);
        for (hex, staffs) in staffs.iter().enumerate() {
            if staffs & own != 0 {
                cost[hex] = 0;
                heap.push(Reverse((0, hex as u16)));
            }
        }
        let (arm, most) = (sort % 3, Command::radius(sort));
        while let Some(Reverse((so_far, hex))) = heap.pop() {
            let at = usize::from(hex);
            if so_far > cost[at] || so_far > 0 && !passes[at] {
                continue;
            }
            for (from, enter) in &ways[at] {
                let whole = so_far.saturating_add(enter[arm]);
                let from_at = usize::from(*from);
                if whole <= most && whole < cost[from_at] {
                    cost[from_at] = whole;
                    heap.push(Reverse((whole, *from)));
                }
            }
        }
    }
}

impl Peer for Command {
    fn answers(&mut self, position: &Plain, out: &mut Vec<u8>) {
        let Plain { space, fact: shaken, .. } = position;
        self.place(position);
        for side in 0..2 {
            self.zones(1 << (1 - side));
            for sort in 0..SORTS {
                if self.sorts[side][sort] {
                    self.search(side, sort);
                }
            }
        }
        out.clear();
        for (unit, space) in space.iter().enumerate() {
            let (true, Some(side), false) = (self.troop[unit], self.owner[unit], *space == OFF)
            else {
                out.push(UNASKED);
                continue;
            };
            let reached = self.cost[side * SORTS + self.sort[unit]][usize::from(*space)] != FAR;
            out.push(if shaken[unit] == 0 && reached { YES } else { NO });
        }
    }
    fn found(&mut self, position: &Plain, out: &mut Vec<Found>) -> bool {
        let Plain { space, fact: shaken, .. } = position;
        self.place(position);
        out.clear();
        out.resize_with(space.len(), Found::unasked);
        for side in 0..2 {
            self.zones(1 << (1 - side));
            for sort in (0..SORTS).filter(|s| self.sorts[side][*s]).collect::<Vec<_>>() {
                self.pass(side, sort);
                let terms = &mut self.terms[sort % 3];
                terms.through.copy_from_slice(&self.passes);
                for (hex, staffs) in self.staffs.iter().enumerate() {
                    terms.source[hex] = staffs & 1 << side != 0;
                }
                let mut searches = Searches::default();
                for (unit, at) in space.iter().enumerate() {
                    let of_these = self.troop[unit]
                        && self.owner[unit] == Some(side)
                        && self.sort[unit] == sort;
                    if !of_these || *at == OFF {
                        continue;
                    }
                    out[unit] = match shaken[unit] {
                        0 => terms.found(&mut searches, *at, Command::radius(sort)),
                        _ => Found::never(),
                    };
                }
            }
        }
        true
    }
}
