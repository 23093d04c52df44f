//! The search on planes where every two hexes that touch are joined and no link makes a difference:
//! whole words of many lines at once.
//!
//! What is settled at a cost waits what it takes to enter it, then spreads: what spreads at cost
//! `d` is, over all costs `k`, what was settled at `d - k` and costs `k`. Lines stand behind one
//! another in memory and end in a cell that is no hex, so that one loop runs over them all.
//!
//! A band of lines goes some costs ahead before the next band begins ([`super::bands`]). Bands in
//! which nothing is under way are skipped ([`super::frontier_ring`]).

use super::bands::{Shape, TIME_SKEW};
use super::bucket_queue::Ground;
use super::frontier_ring::FrontierRing;
use super::loops::{self, BandWords, Waits};
use super::tolls::Toll;
use super::width::{Width, Work};
use crate::kernel::board::{Bits, Plane};

/// The room of a search.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// Every space reached so far; also all that is no hex.
    pub reached: Plane,
    /// Whether anything is still under way.
    pub runs: bool,
    /// Where a line may pass.
    through: Plane,
    shape: Shape,
    /// The last cost that all bands have met.
    done: usize,
    /// What spreads at the next cost, as gathered at the last and the one before; between two
    /// margins of nothing.
    spread: FrontierRing,
    /// What was settled at the last costs, as many as the dearest step has.
    settled: FrontierRing,
}

impl Sweep {
    /// Whether a leg can be searched like this.
    pub(super) fn fits(toll: &Toll) -> bool {
        toll.net.full && toll.plain && !toll.planes.is_empty()
    }

    /// Begins at the ends of a leg.
    pub(super) fn begin(&mut self, width: Width, ground: Ground<'_>, shape: Shape, ends: &Bits) {
        let layout = ground.layout;
        let done = (self.shape == shape).then_some(self.done);
        self.shape = shape;
        self.settled.reset(&shape, ground.toll.most as usize, 0, done);
        self.spread.reset(&shape, 2, shape.margin, done);
        self.done = 0;
        self.reached.copy(&ends.0);
        self.through.copy(&ground.through.0);
        self.reached
            .words_mut()
            .iter_mut()
            .zip(&layout.hexes.0)
            .take(shape.ground)
            .for_each(|(r, h)| *r |= !h);
        for band in 0..shape.bands {
            let from = &ends.0[shape.words(band, 0)];
            let on = from.iter().any(|w| *w != 0);
            if on {
                self.settled.words(&shape, 0, band).copy_from_slice(from);
            }
            self.settled.say(&shape, 0, band, on);
        }
        self.runs = (0..shape.bands).any(|band| self.settled.is_on(&shape, 0, band));
        width.run(Start { ground, sweep: self });
    }

    /// Goes on by one cost.
    pub(super) fn step(&mut self, width: Width, ground: Ground<'_>) {
        self.advance(width, ground, 1, |_, _, _| {});
    }

    /// Goes on by [`TIME_SKEW`] costs. `look(cost, end, reached)` gets what is reached at a cost
    /// before more is: for each cost of each band, in this order, with the word behind the last of
    /// the band.
    pub(super) fn chunk(
        &mut self,
        width: Width,
        ground: Ground<'_>,
        look: impl FnMut(usize, usize, &Plane),
    ) {
        self.advance(width, ground, TIME_SKEW, look);
    }

    fn advance(
        &mut self,
        width: Width,
        ground: Ground<'_>,
        costs: usize,
        look: impl FnMut(usize, usize, &Plane),
    ) {
        width.run(Advance { ground, sweep: self, costs, look });
        self.done += costs;
        let last = (self.done + 1).saturating_sub(ground.toll.most as usize)..=self.done;
        let (shape, settled) = (&self.shape, &self.settled);
        self.runs = last
            .into_iter()
            .any(|cost| (0..shape.bands).any(|band| settled.is_on(shape, cost, band)));
    }

    /// What spreads at the cost behind this one, where a band is at this one.
    #[inline(always)]
    fn gather(&mut self, toll: &Toll, cost: usize, band: usize) {
        match toll.planes.len() {
            1 => self.gather_costs::<1>(toll, cost, band),
            2 => self.gather_costs::<2>(toll, cost, band),
            3 => self.gather_costs::<3>(toll, cost, band),
            4 => self.gather_costs::<4>(toll, cost, band),
            _ => self.gather_many(toll, cost, band),
        }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn gather_costs<const N: usize>(&mut self, toll: &Toll, cost: usize, band: usize) {
        let Sweep { shape, settled: frontier_ring, spread, .. } = self;
        let words = shape.words(band, cost);
        let mut waits = Waits { settled: [&[]; N], costing: [&[]; N] };
        let mut any = false;
        for ((settled, costing), (wait, plane)) in
            waits.settled.iter_mut().zip(&mut waits.costing).zip(&toll.planes)
        {
            *costing = &plane.words()[words.clone()];
            // Before the first cost nothing was settled: nothing in the last place that is still
            // empty.
            let begun = (cost + 1).checked_sub(*wait as usize);
            any |= begun.is_some_and(|begun| frontier_ring.any(shape, band, cost, begun, 0));
            *settled = &frontier_ring.plane(cost + 1 + frontier_ring.count - *wait as usize)
                [words.clone()];
        }
        if any {
            let on = loops::join(&waits, spread.words(shape, cost, band));
            spread.say(shape, cost, band, on);
        } else {
            spread.clear(shape, cost, band);
        }
    }

    /// The same for more costs than a loop holds.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn gather_many(&mut self, toll: &Toll, cost: usize, band: usize) {
        let Sweep { shape, settled, spread, .. } = self;
        let words = shape.words(band, cost);
        spread.words(shape, cost, band).fill(0);
        let mut on = false;
        for (wait, plane) in &toll.planes {
            let begun = (cost + 1).checked_sub(*wait as usize);
            if let Some(begun) = begun.filter(|begun| settled.any(shape, band, cost, *begun, 0)) {
                let rows =
                    settled.plane(begun)[words.clone()].iter().zip(&plane.words()[words.clone()]);
                spread
                    .words(shape, cost, band)
                    .iter_mut()
                    .zip(rows)
                    .for_each(|(t, (f, p))| *t |= f & p);
                on = true;
            }
        }
        spread.say(shape, cost, band, on);
    }

    /// Everything beside what spreads that is new is settled, and what spreads next is gathered.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn meet(&mut self, ground: Ground<'_>, cost: usize, band: usize) {
        let toll = ground.toll;
        if !self.spread.any(&self.shape, band, cost, cost - 1, 1) {
            self.settled.clear(&self.shape, cost, band);
            self.gather(toll, cost, band);
            return;
        }
        match toll.planes.as_slice() {
            [(1, _)] => self.settle_and_gather::<0>(ground, cost, band),
            [(1, _), _] => self.settle_and_gather::<1>(ground, cost, band),
            [(1, _), _, _] => self.settle_and_gather::<2>(ground, cost, band),
            [(1, _), _, _, _] => self.settle_and_gather::<3>(ground, cost, band),
            _ => {
                self.settle(ground, cost, band);
                self.gather(toll, cost, band);
            }
        }
    }

    /// Both in one loop, where there are steps of 1 and of so many other costs.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn settle_and_gather<const N: usize>(&mut self, ground: Ground<'_>, cost: usize, band: usize) {
        let Sweep { reached, shape, spread, settled, through, .. } = self;
        let words = shape.words(band, cost);
        let ring = settled.count;
        let mut slot = std::mem::take(&mut settled.planes[cost % settled.count]);
        let mut next = std::mem::take(&mut spread.planes[cost % 2]);
        let mut waits = Waits { settled: [&[]; N], costing: [&[]; N] };
        let mut planes = ground.toll.planes.iter();
        let at_once = planes.next().map_or(&[][..], |(_, plane)| &plane.words()[words.clone()]);
        for ((then, costing), (wait, plane)) in
            waits.settled.iter_mut().zip(&mut waits.costing).zip(planes)
        {
            *then = &settled.plane(cost + 1 + ring - *wait as usize)[words.clone()];
            *costing = &plane.words()[words.clone()];
        }
        let band_words = BandWords {
            around: shape.around(spread.plane(cost - 1), &words),
            shifted: &ground.layout.shifted_lines.words()[words.clone()],
            through: &through.words()[words.clone()],
            reached: &mut reached.words_mut()[words.clone()],
            settled: &mut slot.words_mut()[words.clone()],
        };
        let to = &mut next.words_mut()[shape.margin + words.start..shape.margin + words.end];
        let (on, spreads) = loops::settle_and_join(band_words, at_once, &waits, to);
        settled.planes[cost % settled.count] = slot;
        spread.planes[cost % 2] = next;
        settled.say(shape, cost, band, on);
        spread.say(shape, cost, band, spreads);
    }

    /// Everything beside what spreads that is new is settled.
    #[inline(always)]
    fn settle(&mut self, ground: Ground<'_>, cost: usize, band: usize) {
        let Sweep { reached, shape, spread, settled, through, .. } = self;
        let words = shape.words(band, cost);
        let on = loops::settle(BandWords {
            around: shape.around(spread.plane(cost - 1), &words),
            shifted: &ground.layout.shifted_lines.words()[words.clone()],
            through: &through.words()[words.clone()],
            reached: &mut reached.words_mut()[words],
            settled: settled.words(shape, cost, band),
        });
        settled.say(shape, cost, band, on);
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
        for band in 0..self.sweep.shape.bands {
            self.sweep.gather(self.ground.toll, 0, band);
        }
    }
}

struct Advance<'a, L> {
    ground: Ground<'a>,
    sweep: &'a mut Sweep,
    costs: usize,
    look: L,
}

impl<L: FnMut(usize, usize, &Plane)> Work for Advance<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let Advance { ground, sweep, costs, look } = &mut self;
        let (shape, done) = (sweep.shape, sweep.done);
        for band in 0..shape.bands {
            for cost in done + 1..=done + *costs {
                sweep.meet(*ground, cost, band);
                // Behind the last line of hexes there may be other spaces.
                let end =
                    if band + 1 == shape.bands { usize::MAX } else { shape.words(band, cost).end };
                look(cost, end, &sweep.reached);
            }
        }
    }
}
