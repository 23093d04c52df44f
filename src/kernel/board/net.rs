//! The links of some kinds: six planes of directions for those between hexes that touch, rows for
//! all others.

use std::sync::OnceLock;

use super::Bits;
use super::layout::{Layout, neighbours, or_line, rows, words};
use super::paths::{PathDecomposition, PathsScratch};
use crate::ir::{KindId, Ruleset};
use crate::kernel::id_map::IdMap;
use crate::map::Map;

/// The links of some kinds.
#[derive(Debug, Clone)]
pub struct Net {
    /// Whether every two hexes that touch are joined.
    pub full: bool,
    /// For each direction the hexes from which a link goes there; not kept where all are joined.
    pub ways: [Bits; 6],
    /// Every cell from which a link goes farther than to a hex that touches it.
    pub far: Bits,
    /// Every cell that has a link at all, whichever way it leads.
    pub any: Bits,
    /// The directions of each cell in six bits; not kept where all are joined.
    masks: Vec<u8>,
    starts: Vec<u32>,
    to: Vec<u32>,
    /// Cells of which each two are joined.
    together: Together,
    /// Its cells along roads, laid when first asked for.
    paths: OnceLock<PathDecomposition>,
    /// The neighbours of each space, told when first asked for.
    near: OnceLock<Near>,
}

/// The neighbours of each space in one row: for searches that go from space to space.
#[derive(Debug, Clone, Default)]
pub(in crate::kernel) struct Near {
    starts: Vec<u32>,
    to: Vec<u32>,
}

impl Near {
    /// Those of a space, as spaces.
    #[inline(always)]
    pub(in crate::kernel) fn of(&self, space: u32) -> &[u32] {
        let at = space as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(from), Some(to)) => self.to.get(*from as usize..*to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }
}

/// Cells of which each two are joined, for searches that need to expand a group once only.
#[derive(Debug, Clone, Default)]
struct Together {
    /// The cells of each group.
    groups: Vec<Vec<u32>>,
    /// For each of these cells its groups, and what it is joined with over other links that leave
    /// out the hexes between.
    of: IdMap<u32, (Vec<u32>, Vec<u32>)>,
}

/// The groups of spaces of which some links join each two, where no map lists the pairs.
pub(in crate::kernel) fn groups(rules: &Ruleset, map: &Map, used: &[bool]) -> Vec<Vec<u32>> {
    let used = map.links.iter().zip(used).filter(|(_, used)| **used);
    let made = used.map(|(links, _)| links).filter(|links| rules.joins_each_two(links.kind));
    made.flat_map(crate::map::Links::groups).collect()
}

impl Net {
    /// Some links of a map, and the groups of spaces of which they join each two.
    pub(super) fn of(map: &Map, layout: &Layout, used: &[bool], groups: Vec<Vec<u32>>) -> Net {
        let full = map.links.iter().zip(used).any(|(l, used)| *used && l.kind == KindId::HEXSIDE);
        let empty = || Bits::new(layout.size);
        let mut net = Net {
            full,
            ways: std::array::from_fn(|_| if full { Bits::default() } else { empty() }),
            far: empty(),
            any: empty(),
            masks: vec![0; if full { 0 } else { layout.size * 64 }],
            starts: Vec::new(),
            to: Vec::new(),
            together: Together::default(),
            paths: OnceLock::new(),
            near: OnceLock::new(),
        };
        let mut far: Vec<(u32, u32)> = Vec::new();
        for (links, _) in
            map.links.iter().zip(used).filter(|(l, used)| **used && l.kind != KindId::HEXSIDE)
        {
            for space in 0..u32::try_from(map.spaces.len()).unwrap_or(u32::MAX) {
                for to in links.of(space) {
                    let (from, to) = (layout.cell(space), layout.cell(*to));
                    net.any.set(from);
                    net.any.set(to);
                    if from == to {
                        continue;
                    }
                    match layout.direction(from, to) {
                        Some(_) if full => {}
                        Some(way) => {
                            net.ways[way].set(from);
                            net.masks[from as usize] |= 1 << way;
                        }
                        None => {
                            net.far.set(from);
                            far.push((from, to));
                        }
                    }
                }
            }
        }
        net.rows(layout, far);
        net.gather(layout, groups);
        if full {
            let mut touched = empty();
            net.spread(layout, &layout.hexes, &mut touched);
            net.any.or(&touched);
        }
        net
    }

    fn rows(&mut self, layout: &Layout, mut far: Vec<(u32, u32)>) {
        if far.is_empty() {
            return;
        }
        far.sort_unstable();
        far.dedup();
        let mut at = 0;
        for cell in 0..=layout.size * 64 {
            while far.get(at).is_some_and(|(from, _)| (*from as usize) < cell) {
                at += 1;
            }
            self.starts.push(u32::try_from(at).unwrap_or(u32::MAX));
        }
        self.to = far.into_iter().map(|(_, to)| to).collect();
    }

    /// Keeps which cells are joined each with each.
    fn gather(&mut self, layout: &Layout, groups: Vec<Vec<u32>>) {
        if groups.is_empty() {
            return;
        }
        let mut of: IdMap<u32, (Vec<u32>, Vec<u32>)> = IdMap::default();
        let cells = |group: Vec<u32>| group.into_iter().map(|space| layout.cell(space)).collect();
        let groups: Vec<Vec<u32>> = groups.into_iter().map(cells).collect();
        for (at, group) in (0u32..).zip(&groups) {
            group.iter().for_each(|cell| of.entry(*cell).or_default().0.push(at));
        }
        for (cell, (own, apart)) in &mut of {
            let mut near: Vec<u32> =
                own.iter().flat_map(|at| &groups[*at as usize]).copied().collect();
            near.sort_unstable();
            let is_apart = |to: &&u32| near.binary_search(to).is_err();
            apart.extend(self.far_from(*cell).iter().filter(is_apart));
        }
        self.together = Together { groups, of };
    }

    /// How many groups there are of cells of which each two are joined.
    pub(in crate::kernel) fn groups(&self) -> usize {
        self.together.groups.len()
    }

    /// Calls with the neighbours of a cell, where a step costs the same over all links: not with
    /// those in a group that is expanded, for a cell settled earlier has reached these already.
    pub(in crate::kernel) fn each_unexpanded(
        &self,
        layout: &Layout,
        cell: u32,
        expanded: &mut [bool],
        mut call: impl FnMut(u32),
    ) {
        let Some((own, apart)) = self.together.of.get(&cell) else {
            return self.each(layout, cell, call);
        };
        self.each_touching(layout, cell, &mut call);
        apart.iter().for_each(|to| call(*to));
        for at in own {
            if !std::mem::replace(&mut expanded[*at as usize], true) {
                let others = self.together.groups[*at as usize].iter().filter(|to| **to != cell);
                others.for_each(|to| call(*to));
            }
        }
    }

    /// The cells joined with a cell that does not touch them.
    pub(in crate::kernel) fn far_from(&self, cell: u32) -> &[u32] {
        let at = cell as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(a), Some(b)) => self.to.get(*a as usize..*b as usize).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Adds all neighbours of the cells of one plane to another.
    pub(in crate::kernel) fn spread(&self, layout: &Layout, from: &Bits, to: &mut Bits) {
        let inner = if self.full { self.spread_inside(layout, &from.0, &mut to.0) } else { 0..0 };
        for line in (0..layout.lines).filter(|line| !inner.contains(line)) {
            if self.full {
                self.spread_into_line(
                    layout,
                    &from.0,
                    line,
                    &mut to.0[line * layout.words..][..layout.words],
                );
            } else {
                for way in 0..6 {
                    self.spread_from_line(layout, from, way, line, to);
                }
            }
        }
        self.spread_far(from, to);
    }

    /// The same for all lines but the outermost two on each side, in one loop, where all hexes are
    /// joined; gives these lines.
    fn spread_inside(
        &self,
        layout: &Layout,
        from: &[u64],
        to: &mut [u64],
    ) -> std::ops::Range<usize> {
        let (lines, line) = (2..layout.lines.saturating_sub(2), layout.words);
        if lines.is_empty() {
            return 0..0;
        }
        let (first, count) = (lines.start * line, lines.len() * line);
        let (before, own, behind) = (
            rows(from, first - line, count),
            rows(from, first, count),
            rows(from, first + line, count),
        );
        let (shifted, hexes) = (
            &layout.shifted_lines.words()[first..first + count],
            &layout.hexes.0[first..first + count],
        );
        let to = &mut to[first..first + count];
        for at in 0..count {
            to[at] |=
                neighbours([words(before, at), words(own, at), words(behind, at)], shifted[at])
                    & hexes[at];
        }
        lines
    }

    /// The neighbours of hexes that lie in one line, where all hexes are joined.
    #[inline]
    pub(in crate::kernel) fn spread_into_line(
        &self,
        layout: &Layout,
        from: &[u64],
        line: usize,
        to: &mut [u64],
    ) {
        let words = layout.words;
        let own = &from[line * words..][..words];
        or_line(to, own, 1);
        or_line(to, own, -1);
        for other in [line.checked_sub(1), Some(line + 1).filter(|l| *l < layout.lines)]
            .into_iter()
            .flatten()
        {
            let row = &from[other * words..][..words];
            or_line(to, row, 0);
            or_line(to, row, if layout.shifted(other) { 1 } else { -1 });
        }
        to.iter_mut().zip(&layout.hexes.0[line * words..]).for_each(|(t, h)| *t &= h);
    }

    /// What lies one direction away from the cells of a line; gives the line that it lies in.
    pub(in crate::kernel) fn spread_from_line(
        &self,
        layout: &Layout,
        from: &Bits,
        way: usize,
        line: usize,
        to: &mut Bits,
    ) -> Option<usize> {
        let words = layout.words;
        let range = line * words..line * words + words;
        let (down, along) = layout.step(way, line);
        let target = line.checked_add_signed(down).filter(|t| *t < layout.lines)?;
        let mut carry = 0;
        let rows = from.0[range.clone()].iter().zip(&self.ways[way].0[range]);
        let out = &mut to.0[target * words..target * words + words];
        match along {
            0 => out.iter_mut().zip(rows).for_each(|(t, (f, w))| *t |= f & w),
            1 => out.iter_mut().zip(rows).for_each(|(t, (f, w))| {
                *t |= (f & w) << 1 | carry;
                carry = (f & w) >> 63;
            }),
            _ => out.iter_mut().zip(rows).rev().for_each(|(t, (f, w))| {
                *t |= (f & w) >> 1 | carry;
                carry = (f & w) << 63;
            }),
        }
        Some(target)
    }

    /// Adds what is joined over links that leave out the hexes between.
    pub(in crate::kernel) fn spread_far(&self, from: &Bits, to: &mut Bits) {
        if self.to.is_empty() {
            return;
        }
        for (at, (from, far)) in from.0.iter().zip(&self.far.0).enumerate() {
            let mut left = from & far;
            while left != 0 {
                let cell = u32::try_from(at << 6).unwrap_or(u32::MAX) + left.trailing_zeros();
                left &= left - 1;
                self.far_from(cell).iter().for_each(|to_cell| to.set(*to_cell));
            }
        }
    }

    /// Adds all cells from which those of a plane are reached at any cost, where lines pass the
    /// first of two planes and enter the second.
    pub(in crate::kernel) fn flood(
        &self,
        layout: &Layout,
        gates: (&Bits, &Bits),
        room: &mut PathsScratch,
        reached: &mut Bits,
    ) {
        self.paths
            .get_or_init(|| PathDecomposition::of(layout, self))
            .flood(self, gates, room, reached);
    }

    /// The neighbours of each of so many spaces.
    pub(in crate::kernel) fn near(&self, layout: &Layout, spaces: usize) -> &Near {
        self.near.get_or_init(|| {
            let mut near = Near { starts: vec![0], to: Vec::new() };
            for space in 0..u32::try_from(spaces).unwrap_or(u32::MAX) {
                self.each(layout, layout.cell(space), |cell| near.to.push(layout.space(cell)));
                near.starts.push(u32::try_from(near.to.len()).unwrap_or(u32::MAX));
            }
            near
        })
    }

    /// Calls with every neighbour of a cell.
    #[inline]
    pub(in crate::kernel) fn each(&self, layout: &Layout, cell: u32, mut call: impl FnMut(u32)) {
        self.each_touching(layout, cell, &mut call);
        if !self.to.is_empty() && self.far.get(cell) {
            self.far_from(cell).iter().for_each(|to| call(*to));
        }
    }

    /// The same with those that touch it alone.
    #[inline(always)]
    fn each_touching(&self, layout: &Layout, cell: u32, call: &mut impl FnMut(u32)) {
        let row = layout.words * 64;
        let line = cell as usize / row;
        if self.full && layout.hexes.get(cell) {
            let place = cell as usize % row;
            for way in 0..6 {
                let (down, along) = layout.step(way, line);
                let target = line.checked_add_signed(down).filter(|l| *l < layout.lines);
                let place = place.checked_add_signed(along).filter(|p| *p < row);
                let to = target.zip(place).and_then(|(l, p)| u32::try_from(l * row + p).ok());
                if let Some(to) = to.filter(|to| layout.hexes.get(*to)) {
                    call(to);
                }
            }
        }
        let mut ways = self.masks.get(cell as usize).copied().unwrap_or(0);
        while ways != 0 {
            let (down, along) = layout.step(ways.trailing_zeros() as usize, line);
            ways &= ways - 1;
            // A link is there, and with it the hex at its other end.
            if let Ok(to) =
                u32::try_from((cell as usize).wrapping_add_signed(down * row.cast_signed() + along))
            {
                call(to);
            }
        }
    }
}
