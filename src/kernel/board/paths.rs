//! The links of a thin net as paths: its cells are numbered along roads, so that a stretch of
//! road without a gap is a stretch of bits, and is run along 64 cells at a time.

use super::{Bits, Layout, Net};

/// No thread.
const NONE: u32 = u32::MAX;

/// The cells of a net in the order of its paths.
#[derive(Debug, Clone)]
pub struct PathDecomposition {
    /// The cell of each place.
    cells: Vec<u32>,
    /// For each word of the board how many cells of the net stand before it.
    ranks: Vec<u32>,
    /// The place of each cell, in the order of the cells.
    places: Vec<u32>,
    /// Places that are joined with the next one.
    joined: Bits,
    /// Places with further links.
    forks: Bits,
    /// Where these stand in `to`, by place.
    starts: Vec<u32>,
    to: Vec<u32>,
}

/// The room of floods.
#[derive(Debug, Default)]
pub struct PathsScratch {
    shut: Bits,
    reached: Bits,
    stack: Vec<u32>,
}

impl PathDecomposition {
    /// Lays paths over a net: each runs on as long as there is a cell that lies in none.
    pub(super) fn of(layout: &Layout, net: &Net) -> PathDecomposition {
        let mut ranks = Vec::with_capacity(net.any.0.len());
        let mut count = 0;
        for word in &net.any.0 {
            ranks.push(count);
            count += word.count_ones();
        }
        let size = count as usize;
        let words = size.div_ceil(64) + 1;
        let mut paths = PathDecomposition {
            cells: Vec::with_capacity(size),
            ranks,
            places: vec![NONE; size],
            joined: Bits::new(words),
            forks: Bits::new(words),
            starts: vec![0],
            to: Vec::new(),
        };
        let near = |cell: u32, list: &mut Vec<u32>| {
            list.clear();
            net.each(layout, cell, |to| list.push(to));
            list.sort_unstable();
            list.dedup();
        };
        let mut list = Vec::new();
        // Ends first, for a thread that begins in the middle of a road leaves two pieces.
        let ends: Vec<u32> =
            net.any.cells().filter(|cell| (near(*cell, &mut list), list.len()).1 == 1).collect();
        for start in ends.into_iter().chain(net.any.cells()) {
            let mut next = Some(start).filter(|cell| paths.place(net, *cell).is_none());
            let mut first = true;
            while let Some(cell) = next {
                let place = u32::try_from(paths.cells.len()).unwrap_or(NONE);
                if !first {
                    paths.joined.set(place - 1);
                }
                first = false;
                paths.cells.push(cell);
                let rank = paths.rank(net, cell);
                paths.places[rank] = place;
                near(cell, &mut list);
                next = list.iter().copied().find(|to| paths.place(net, *to).is_none());
            }
        }
        for place in 0..u32::try_from(size).unwrap_or(NONE) {
            near(paths.cells[place as usize], &mut list);
            let before = place.checked_sub(1).filter(|p| paths.joined.get(*p));
            let after = Some(place + 1).filter(|_| paths.joined.get(place));
            for to in &list {
                let other =
                    paths.place(net, *to).filter(|to| Some(*to) != before && Some(*to) != after);
                paths.to.extend(other);
            }
            let end = u32::try_from(paths.to.len()).unwrap_or(NONE);
            if paths.starts.last() != Some(&end) {
                paths.forks.set(place);
            }
            paths.starts.push(end);
        }
        paths
    }

    #[inline]
    fn rank(&self, net: &Net, cell: u32) -> usize {
        let before = net.any.0[cell as usize >> 6] & ((1 << (cell & 63)) - 1);
        (self.ranks[cell as usize >> 6] + before.count_ones()) as usize
    }

    /// The place of a cell that has a link and lies in a thread already.
    #[inline]
    fn place(&self, net: &Net, cell: u32) -> Option<u32> {
        Some(cell)
            .filter(|cell| net.any.get(*cell))
            .map(|cell| self.places[self.rank(net, cell)])
            .filter(|place| *place != NONE)
    }

    /// Adds all cells from which the given ones are reached over the net, where lines pass
    /// `through` and enter what is `open`; the given cells themselves need not be passed, only
    /// entered.
    pub(in crate::kernel) fn flood(
        &self,
        net: &Net,
        (through, open): (&Bits, &Bits),
        room: &mut PathsScratch,
        reached: &mut Bits,
    ) {
        let PathsScratch { shut, reached: known, stack } = room;
        shut.reset(self.joined.0.len());
        known.reset(self.joined.0.len());
        stack.clear();
        for (at, any) in net.any.0.iter().enumerate() {
            let mut left = any & !(through.0[at] & open.0[at]);
            while left != 0 {
                let cell = u32::try_from(at << 6).unwrap_or(NONE) + left.trailing_zeros();
                left &= left - 1;
                shut.set(self.places[self.rank(net, cell)]);
            }
            let mut begins = any & reached.0[at] & open.0[at];
            while begins != 0 {
                let cell = u32::try_from(at << 6).unwrap_or(NONE) + begins.trailing_zeros();
                begins &= begins - 1;
                stack.push(self.places[self.rank(net, cell)]);
            }
        }
        stack.iter().for_each(|place| known.set(*place));
        while let Some(place) = stack.pop() {
            self.fork(place, shut, known, stack);
            self.run_on(place, shut, known, stack);
            self.run_back(place, shut, known, stack);
        }
        for place in known.cells() {
            reached.set(self.cells[place as usize]);
        }
    }

    /// What lies over the further links of a place.
    fn fork(&self, place: u32, shut: &Bits, known: &mut Bits, stack: &mut Vec<u32>) {
        if !self.forks.get(place) {
            return;
        }
        let links = self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize;
        for to in &self.to[links] {
            if !known.get(*to) {
                known.set(*to);
                if !shut.get(*to) {
                    stack.push(*to);
                }
            }
        }
    }

    /// Along the thread from a place on, as far as it goes and nothing is shut; what is known has
    /// gone on by itself.
    fn run_on(&self, place: u32, shut: &Bits, known: &mut Bits, stack: &mut Vec<u32>) {
        let mut word = place as usize >> 6;
        // Of the place itself only counts whether it is joined with the next.
        let mut own = 1u64 << (place & 63);
        let mut after = own.wrapping_neg();
        loop {
            let stops = (!self.joined.0[word] | (shut.0[word] | known.0[word]) & !own) & after;
            // All from here to the first stop, with it.
            let run = after & if stops == 0 { u64::MAX } else { stops ^ stops.wrapping_sub(1) };
            self.mark(word, run, shut, known, stack);
            if stops != 0 {
                return;
            }
            (word, own, after) = (word + 1, 0, u64::MAX);
        }
    }

    /// The same back.
    fn run_back(&self, place: u32, shut: &Bits, known: &mut Bits, stack: &mut Vec<u32>) {
        let mut at = place;
        while at > 0 && self.joined.get(at - 1) {
            let word = (at - 1) as usize >> 6;
            let below = u64::MAX >> (63 - ((at - 1) & 63));
            // A run ends at a place that is shut or known, or that is not joined with the one
            // before it.
            let starts = !(self.joined.0[word] << 1
                | if word > 0 { self.joined.0[word - 1] >> 63 } else { 0 });
            let stops = (starts | shut.0[word] | known.0[word]) & below;
            let run =
                if stops == 0 { below } else { below & (u64::MAX << (63 - stops.leading_zeros())) };
            self.mark(word, run, shut, known, stack);
            if stops != 0 {
                return;
            }
            at = u32::try_from(word << 6).unwrap_or(0);
        }
    }

    /// What is new in a stretch is known, and its forks are looked at.
    fn mark(&self, word: usize, run: u64, shut: &Bits, known: &mut Bits, stack: &mut Vec<u32>) {
        let new = run & !known.0[word];
        known.0[word] |= run;
        let mut forks = new & self.forks.0[word] & !shut.0[word];
        while forks != 0 {
            let place = u32::try_from(word << 6).unwrap_or(NONE) + forks.trailing_zeros();
            forks &= forks - 1;
            self.fork(place, shut, known, stack);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::KindId;
    use crate::map::{Links, Map, Space};

    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((self.0 >> 33) % u64::from(n)).unwrap_or(0)
        }
    }

    /// Spaces in a row, mostly joined with the next, here and there with any other.
    fn links(dice: &mut Dice) -> (u32, Vec<(u32, u32)>) {
        let spaces = 1 + dice.below(300);
        let pairs = (0..dice.below(2 * spaces + 1)).map(|_| {
            let from = dice.below(spaces);
            (from, if dice.below(10) < 8 { (from + 1) % spaces } else { dice.below(spaces) })
        });
        (spaces, pairs.filter(|(a, b)| a != b).collect())
    }

    fn some(dice: &mut Dice, spaces: u32, percent: u32, size: usize) -> Bits {
        let mut bits = Bits::new(size);
        (0..spaces).filter(|_| dice.below(100) < percent).for_each(|space| bits.set(space));
        bits
    }

    #[test]
    fn a_flood_along_threads_is_a_search_by_spaces() {
        let mut dice = Dice(1);
        let mut room = PathsScratch::default();
        let (mut reached, mut barred) = (0, 0);
        for _ in 0..2000 {
            let (spaces, pairs) = links(&mut dice);
            let space = |at: u32| Space {
                id: at.to_string(),
                title: String::new(),
                kind: KindId::SPACE,
                at: None,
                facts: Vec::new(),
            };
            let links = Links::from_pairs(KindId::LINK, spaces as usize, &pairs);
            let map = Map {
                name: String::new(),
                title: String::new(),
                spaces: (0..spaces).map(space).collect(),
                links: vec![links.clone()],
                said: Vec::new(),
                changing: Vec::new(),
                against: Vec::new(),
                crossings: Vec::new(),
                grid: None,
                named: Vec::new(),
                tabletop: None,
                looks: Vec::new(),
            };
            let layout = Layout::of(&map);
            let net = Net::of(&map, &layout, &[true], Vec::new());
            let cut = dice.below(30);
            let (through, open) = (
                some(&mut dice, spaces, 100 - cut, layout.size),
                some(&mut dice, spaces, 97, layout.size),
            );
            let ends = some(&mut dice, spaces, 3, layout.size);
            let mut found = ends.clone();
            net.flood(&layout, (&through, &open), &mut room, &mut found);
            let mut slow = ends.clone();
            let mut stack: Vec<u32> = ends.cells().collect();
            while let Some(into) = stack.pop().map(|cell| layout.space(cell)) {
                for from in links.of(into).iter().filter(|_| open.get(into)) {
                    if !slow.get(*from) {
                        slow.set(*from);
                        stack.extend(Some(*from).filter(|from| through.get(*from)));
                    }
                }
            }
            assert_eq!(found, slow, "{pairs:?}\n{ends:?}\n{through:?}\n{open:?}");
            reached += slow.cells().count() - ends.cells().count();
            barred += usize::try_from(spaces).unwrap_or(0) - slow.cells().count();
        }
        assert!(reached > 20_000 && barred > 20_000, "{reached}, {barred}: too one-sided");
    }
}
