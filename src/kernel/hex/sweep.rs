//! The search on planes where every two hexes that touch are joined and no link makes a difference: whole words of many
//! lines at once.
//!
//! What is settled at a cost waits what it takes to enter it, then spreads: what spreads at cost `d` is, over all costs
//! `k`, what was settled at `d - k` and costs `k`. Lines stand behind one another in memory and end in a cell that is no
//! hex, so that one loop runs over them all. Bands of lines in which nothing is under way are skipped.

use super::tolls::Toll;
use super::wave::Ground;
use super::width::{Width, Work};
use crate::kernel::board::{Bits, CHUNK, Layout, Rows, cut, neighbours, rows, words};

/// A band has so many words at least, and a line more than a line has.
const BAND: usize = 256;

/// The room of a search.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// Every space reached so far; also all that is no hex.
    pub reached: Bits,
    /// Whether anything is still under way.
    pub runs: bool,
    shape: Shape,
    /// What spreads at this cost and at the next, by the parity of the cost; between two margins of nothing.
    spread: [Front; 2],
    /// What was settled at the last costs, as many as the dearest step has.
    ring: Vec<Front>,
}

/// How planes are cut into bands.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Shape {
    /// Words of a line.
    line: usize,
    /// Words of all lines.
    ground: usize,
    /// Words of a band.
    band: usize,
    bands: usize,
    /// Words of nothing before and behind a plane that spreads.
    margin: usize,
}

impl Shape {
    fn of(layout: &Layout) -> Shape {
        let margin = (layout.words + 1).next_multiple_of(CHUNK);
        let band = margin.max(BAND);
        Shape { line: layout.words, ground: layout.ground, band, bands: layout.ground.div_ceil(band), margin }
    }

    #[inline(always)]
    fn words(&self, band: usize) -> std::ops::Range<usize> {
        band * self.band..self.ground.min((band + 1) * self.band)
    }
}

/// A plane, and in which of its bands there is a bit; the others are empty.
#[derive(Debug, Default)]
struct Front {
    words: Vec<u64>,
    on: Vec<bool>,
    margin: usize,
}

impl Front {
    /// An empty plane of a shape.
    fn reset(&mut self, shape: &Shape, same: bool, margin: usize) {
        if same && self.on.len() == shape.bands {
            for band in 0..shape.bands {
                self.clear(shape, band);
            }
            return;
        }
        self.margin = margin;
        self.words.clear();
        self.words.resize(shape.ground + 2 * margin, 0);
        self.on.clear();
        self.on.resize(shape.bands, false);
    }

    #[inline(always)]
    fn band(&mut self, shape: &Shape, band: usize) -> &mut [u64] {
        let words = shape.words(band);
        &mut self.words[self.margin + words.start..self.margin + words.end]
    }

    #[inline(always)]
    fn clear(&mut self, shape: &Shape, band: usize) {
        if std::mem::take(&mut self.on[band]) {
            self.band(shape, band).fill(0);
        }
    }
}

impl Sweep {
    /// Whether a leg can be searched like this.
    pub(super) fn fits(toll: &Toll) -> bool {
        toll.net.full && toll.plain && !toll.planes.is_empty()
    }

    /// Begins at the ends of a leg.
    pub(super) fn begin(&mut self, width: Width, ground: Ground<'_>, ends: &Bits) {
        let layout = ground.layout;
        let shape = Shape::of(layout);
        let same = self.shape == shape;
        self.shape = shape;
        self.ring.resize_with((ground.toll.most as usize).max(self.ring.len()), Front::default);
        self.ring.iter_mut().for_each(|front| front.reset(&shape, same, 0));
        self.spread.iter_mut().for_each(|front| front.reset(&shape, same, shape.margin));
        self.reached.copy(ends);
        self.reached.0.iter_mut().zip(&layout.hexes.0).take(shape.ground).for_each(|(r, h)| *r |= !h);
        let first = &mut self.ring[0];
        for band in 0..shape.bands {
            let from = &ends.0[shape.words(band)];
            first.on[band] = from.iter().any(|w| *w != 0);
            if first.on[band] {
                first.band(&shape, band).copy_from_slice(from);
            }
        }
        self.runs = true;
        width.run(Start { ground, sweep: self });
    }

    /// Goes on to a cost, the one behind the last.
    pub(super) fn step(&mut self, width: Width, ground: Ground<'_>, cost: u32) {
        width.run(Step { ground, sweep: self, cost: cost as usize });
    }

    /// What spreads at a cost.
    #[inline(always)]
    fn gather(&mut self, toll: &Toll, cost: usize) {
        for band in 0..self.shape.bands {
            match toll.planes.len() {
                1 => self.gather_band::<1>(toll, cost, band),
                2 => self.gather_band::<2>(toll, cost, band),
                3 => self.gather_band::<3>(toll, cost, band),
                4 => self.gather_band::<4>(toll, cost, band),
                _ => self.gather_many(toll, cost, band),
            }
        }
        let ring = &self.ring[..toll.most as usize];
        self.runs = ring.iter().any(|front| front.on.contains(&true));
    }

    /// The place in the ring of what was settled when a step must have begun that ends now.
    #[inline(always)]
    fn slot(toll: &Toll, cost: usize, wait: u32) -> usize {
        let ring = toll.most as usize;
        // Nothing was settled before the first cost, and those places of the ring are empty.
        (cost + ring - wait as usize) % ring
    }

    #[inline(always)]
    fn gather_band<const N: usize>(&mut self, toll: &Toll, cost: usize, band: usize) {
        let (shape, ring) = (&self.shape, &self.ring);
        let words = shape.words(band);
        let (mut settled, mut costing): ([&[u64]; N], [&[u64]; N]) = ([&[]; N], [&[]; N]);
        let mut any = false;
        for ((settled, costing), (wait, plane)) in settled.iter_mut().zip(&mut costing).zip(&toll.planes) {
            let front = &ring[Sweep::slot(toll, cost, *wait)];
            any |= front.on[band];
            (*settled, *costing) = (&front.words[words.clone()], &plane.0[words.clone()]);
        }
        let to = &mut self.spread[cost & 1];
        if any {
            to.on[band] = join(to.band(shape, band), settled, costing);
        } else {
            to.clear(shape, band);
        }
    }

    /// The same for more costs than a loop holds.
    #[inline(always)]
    fn gather_many(&mut self, toll: &Toll, cost: usize, band: usize) {
        let (shape, to) = (&self.shape, &mut self.spread[cost & 1]);
        to.clear(shape, band);
        for (wait, plane) in &toll.planes {
            let front = &self.ring[Sweep::slot(toll, cost, *wait)];
            if front.on[band] {
                let words = shape.words(band);
                let rows = front.words[words.clone()].iter().zip(&plane.0[words]);
                to.band(shape, band).iter_mut().zip(rows).for_each(|(t, (f, p))| *t |= f & p);
                to.on[band] = true;
            }
        }
    }

    /// Everything beside what spreads that is new is settled.
    #[inline(always)]
    fn settle(&mut self, ground: Ground<'_>, cost: usize) {
        let Sweep { reached, shape, spread, ring, .. } = self;
        let spread = &spread[cost & 1];
        let slot = &mut ring[cost % ground.toll.most as usize];
        for band in 0..shape.bands {
            let near = band.saturating_sub(1)..shape.bands.min(band + 2);
            if !spread.on[near].contains(&true) {
                slot.clear(shape, band);
                continue;
            }
            let words = shape.words(band);
            let (at, line, count) = (shape.margin + words.start, shape.line, words.len());
            let from = &spread.words;
            let around = [rows(from, at - line, count), rows(from, at, count), rows(from, at + line, count)];
            let shifted = &ground.layout.shifted_lines[words.clone()];
            let (reached, through) = (&mut reached.0[words.clone()], &ground.through.0[words]);
            slot.on[band] = spread_on(around, shifted, reached, through, slot.band(shape, band));
        }
    }
}

struct Start<'a> {
    ground: Ground<'a>,
    sweep: &'a mut Sweep,
}

impl Work for Start<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.sweep.gather(self.ground.toll, 1);
    }
}

struct Step<'a> {
    ground: Ground<'a>,
    sweep: &'a mut Sweep,
    cost: usize,
}

impl Work for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.sweep.settle(self.ground, self.cost);
        self.sweep.gather(self.ground.toll, self.cost + 1);
    }
}

/// What was settled and costs as much, over all costs; tells whether there is any.
#[inline(always)]
fn join<const N: usize>(to: &mut [u64], mut settled: [&[u64]; N], mut costing: [&[u64]; N]) -> bool {
    let count = to.len();
    for nth in 0..N {
        (settled[nth], costing[nth]) = (&settled[nth][..count], &costing[nth][..count]);
    }
    let mut any = 0;
    for at in 0..count {
        let mut word = 0;
        for nth in 0..N {
            word |= settled[nth][at] & costing[nth][at];
        }
        to[at] = word;
        any |= word;
    }
    any != 0
}

/// Settles the new neighbours of what spreads: of the lines before, of these and behind the words one place back, in place
/// and one place on. Gives whether anything passes on from there.
#[inline(always)]
fn spread_on(around: [Rows<'_>; 3], shifted: &[u64], reached: &mut [u64], through: &[u64], slot: &mut [u64]) -> bool {
    let count = slot.len();
    let [before, own, behind] = around;
    let (before, own, behind) = (cut(before, count), cut(own, count), cut(behind, count));
    let (shifted, reached, through) = (&shifted[..count], &mut reached[..count], &through[..count]);
    let mut any = 0;
    for at in 0..count {
        let new = neighbours([words(before, at), words(own, at), words(behind, at)], shifted[at]) & !reached[at];
        reached[at] |= new;
        // What a leg may not pass still begins legs.
        let passing = new & through[at];
        slot[at] = passing;
        any |= passing;
    }
    any != 0
}
