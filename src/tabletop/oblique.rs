//! Two blocks at an oblique angle: all that is between them, by fixed numbers with a margin.
//!
//! A block is its place, its facing and half its width and depth. Seen by another it is a middle
//! and how far it extends to both sides and ahead; of those and the sine and cosine between both
//! facings every measure is made. Whatever is within the margin of a limit, as every exact touch
//! is, is not answered here but by whole numbers of any size.
//!
//! The errors, in parts of 2^-46 of a base width: a place is read with 1/4 and turned with two
//! products, each off by 1 and a little for the rounded sine, so it is off by less than 3; half a
//! width along an axis by less than 3 as well. A middle is a place and two such halves at most, a
//! side of the span two more: below 12. Sums of two spans stay below the margin of 32.

use super::Fraction;
use super::body::{Base, Shape};
use super::contact::Edges;
use super::fixed::{Doubt, LEAST_CUT, MARGIN, PLACES, READ, SINE, fixed, times};
use super::measure::{Between, Truth};
use super::number::{HAIR, in_grains};

/// The greatest width and depth of a block that is taken, in base widths.
const WIDEST: i64 = 32;
/// The least sine and cosine between two facings that are taken: 2^-10.
const FLATTEST: u64 = 1 << (SINE - 10);
/// How far off the place is where an edge is cut by a line: the margin over the least sine, and
/// some for the sine itself.
const CUT_ERROR: i64 = MARGIN << 12;
/// A hair, rounded down.
const HAIR_FIXED: i64 = (1 << PLACES) / HAIR;

/// A block in fixed numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Oblique {
    /// Its place.
    x: i64,
    y: i64,
    /// The sine and cosine of its facing.
    sine: i64,
    cosine: i64,
    /// Half its width and half its depth as they are read.
    half: i64,
    deep: i64,
    /// The same as lengths, and its depth.
    wide: i64,
    mid: i64,
    depth: i64,
    /// Its width in grains, rounded down.
    grains: i32,
}

/// One block as another sees it: to the right of its place and ahead of it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// Its place.
    place: (i64, i64),
    /// Its middle.
    middle: (i64, i64),
    /// How far it extends to both sides of its middle, and ahead and back.
    extent: (i64, i64),
    /// Half its width and half its depth along the direction ahead and across it, all of them not
    /// below 0.
    half: (i64, i64),
    deep: (i64, i64),
    /// The sine and cosine of its facing as the other sees it.
    sine: i64,
    cosine: i64,
}

impl Oblique {
    /// A block within the bounds; none of an L or what is too wide.
    pub(super) fn of(base: &Base) -> Option<Oblique> {
        let widest = Fraction::from_integer(WIDEST);
        if base.shape != Shape::Block || base.width > widest || base.depth > widest {
            return None;
        }
        let (half, deep) = (fixed(base.width, READ) / 2, fixed(base.depth, READ) / 2);
        let (sine, cosine) = (fixed(base.facing.sine(), SINE), fixed(base.facing.cosine(), SINE));
        Some(Oblique {
            x: fixed(base.x, READ),
            y: fixed(base.y, READ),
            sine,
            cosine,
            half,
            deep,
            wide: half >> (READ - PLACES),
            mid: deep >> (READ - PLACES),
            depth: deep >> (READ - PLACES - 1),
            grains: i32::try_from(in_grains(base.width)).unwrap_or(i32::MAX),
        })
    }

    /// What lies between two blocks in both orders; none where the margin does not decide it.
    pub(super) fn both(a: &Oblique, b: &Oblique) -> Option<(Between, Between)> {
        // The facing of A as B sees it; that of B as A sees it is the same to the other side.
        let sine = (times(a.sine, b.cosine) - times(a.cosine, b.sine)) << 2;
        let cosine = (times(a.sine, b.sine) + times(a.cosine, b.cosine)) << 2;
        if sine.unsigned_abs() < FLATTEST || cosine.unsigned_abs() < FLATTEST {
            return None;
        }
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let b_seen = b.seen(
            (times(dx, a.cosine) - times(dy, a.sine), times(dx, a.sine) + times(dy, a.cosine)),
            -sine,
            cosine,
        );
        let a_seen = a.seen(
            (times(dy, b.sine) - times(dx, b.cosine), -times(dx, b.sine) - times(dy, b.cosine)),
            sine,
            cosine,
        );
        let shared = a_seen.shared(b).min(b_seen.shared(a));
        let mut doubt = Doubt::default();
        let touch = doubt.above(shared, 0);
        let gap = if touch { 0 } else { gap(&a_seen, b, &b_seen, a, &mut doubt) };
        let mut to = measured(a, &a_seen, b, &b_seen, gap, &mut doubt);
        let mut back = measured(b, &b_seen, a, &a_seen, gap, &mut doubt);
        if touch {
            let overlap = doubt.above(shared, HAIR_FIXED);
            in_contact(&mut to, &a_seen, b, overlap, &mut doubt);
            in_contact(&mut back, &b_seen, a, overlap, &mut doubt);
        }
        let away = |one: &mut Between, other: &Between| {
            // No part of the one lies ahead of the other, that is, the other has it not before
            // itself.
            one.truths |= if other.is(Truth::Before) { 0 } else { Truth::FacingAwayFrom.bit() };
        };
        let (mut there, mut here) = (to, back);
        away(&mut there, &back);
        away(&mut here, &to);
        (!doubt.0).then_some((there, here))
    }

    /// This block from its place as another sees it.
    #[inline]
    fn seen(&self, place: (i64, i64), sine: i64, cosine: i64) -> Seen {
        let (s, c) = (sine.abs(), cosine.abs());
        let half = (times(self.half, s), times(self.half, c));
        let deep = (times(self.deep, c), times(self.deep, s));
        // Its middle is half its depth behind its place.
        let middle = (
            place.0 - if sine < 0 { -deep.1 } else { deep.1 },
            place.1 - if cosine < 0 { -deep.0 } else { deep.0 },
        );
        Seen { place, middle, extent: (half.1 + deep.1, half.0 + deep.0), half, deep, sine, cosine }
    }
}

impl Seen {
    /// How much it shares with the block that sees it along the edges of that, the less of both;
    /// below 0 if it is apart.
    #[inline]
    fn shared(&self, by: &Oblique) -> i64 {
        let (left, right) = (self.middle.0 - self.extent.0, self.middle.0 + self.extent.0);
        let (low, high) = (self.middle.1 - self.extent.1, self.middle.1 + self.extent.1);
        (right.min(by.wide) - left.max(-by.wide)).min(high.min(0) - low.max(-by.depth))
    }

    /// Its corners around from the right end of its front.
    fn corners(&self) -> [(i64, i64); 4] {
        let turn = |n: i64, sign: i64| if sign < 0 { -n } else { n };
        let right = (turn(self.half.1, self.cosine), -turn(self.half.0, self.sine));
        let ahead = (turn(self.deep.1, self.sine), turn(self.deep.0, self.cosine));
        let at = |r: i64, a: i64| {
            (self.middle.0 + r * right.0 + a * ahead.0, self.middle.1 + r * right.1 + a * ahead.1)
        };
        [at(1, 1), at(1, -1), at(-1, -1), at(-1, 1)]
    }

    /// The least of the squares of how far its corners are from the block that sees it, with so
    /// many places cut off.
    ///
    /// No length is beyond 2^60 and none that is squared beyond 2^30, so nothing wraps; the checks
    /// would take a third of the time of a pair.
    #[inline]
    fn nearest(&self, by: &Oblique, cut: u32) -> i64 {
        let (u, v) = (self.middle.0, self.middle.1.wrapping_add(by.mid));
        // The front goes to the right and, if it is turned to the right, back.
        let turn = |n: i64, sign: i64| if sign < 0 { n.wrapping_neg() } else { n };
        let (right, back) = (turn(self.half.1, self.cosine), turn(self.half.0, self.sine));
        let (side, ahead) = (turn(self.deep.1, self.sine), turn(self.deep.0, self.cosine));
        // From the middle to the right ends of the front and of the rear.
        let front = (right.wrapping_add(side), ahead.wrapping_sub(back));
        let rear = (right.wrapping_sub(side), back.wrapping_add(ahead).wrapping_neg());
        let off = |n: i64, size: i64| n.wrapping_abs().wrapping_sub(size).max(0) >> cut;
        let square = |u: i64, v: i64| {
            let (u, v) = (off(u, by.wide), off(v, by.mid));
            u.wrapping_mul(u).wrapping_add(v.wrapping_mul(v))
        };
        let both = |(x, y): (i64, i64)| {
            let (there, here) =
                ((u.wrapping_add(x), v.wrapping_add(y)), (u.wrapping_sub(x), v.wrapping_sub(y)));
            square(there.0, there.1).min(square(here.0, here.1))
        };
        both(front).min(both(rear))
    }
}

/// How far two blocks that do not touch are apart: some corner of one is nearest to the other.
#[inline]
fn gap(a_seen: &Seen, b: &Oblique, b_seen: &Seen, a: &Oblique, doubt: &mut Doubt) -> i32 {
    // No corner is farther off than the places and both blocks together.
    let far = a_seen.place.0.abs() + a_seen.place.1.abs() + 2 * (a.wide + a.mid + b.wide + b.mid);
    let cut = (64 - far.leading_zeros()).saturating_sub(30).max(LEAST_CUT);
    doubt.root(a_seen.nearest(b, cut).min(b_seen.nearest(a, cut)), cut)
}

/// What is measured from A to B, but for who faces away.
#[inline]
fn measured(
    a: &Oblique,
    seen: &Seen,
    b: &Oblique,
    back: &Seen,
    gap: i32,
    doubt: &mut Doubt,
) -> Between {
    let (left, right) = (seen.middle.0 - seen.extent.0, seen.middle.0 + seen.extent.0);
    let (low, high) = (seen.middle.1 - seen.extent.1, seen.middle.1 + seen.extent.1);
    let before = doubt.above(high, 0);
    let in_rear = !doubt.above(high, -b.depth);
    let is_left = !doubt.above(right, -b.wide);
    let is_right = doubt.above(left, b.wide);
    let (mut behind, mut ahead_of) = ((0, false), (0, false));
    if !(is_left || is_right) {
        behind = seen.frontage(b, false, doubt);
        ahead_of = seen.frontage(b, true, doubt);
    }
    let within = in_rear && doubt.above(left, -b.wide) && !doubt.above(right, b.wide);
    let (flank, rear) = strips(a, seen, b, (before, in_rear), doubt);
    let truth = |t: Truth, holds: bool| u32::from(holds) * t.bit();
    let truths = truth(Truth::Before, before)
        | truth(Truth::InRearOf, in_rear)
        | truth(Truth::InFlankOf, !before && !in_rear)
        | truth(Truth::LeftOf, is_left)
        | truth(Truth::RightOf, is_right)
        | truth(Truth::WhollyBehind, within)
        | truth(Truth::InArcOf, before && in_arc(a, seen, b, back, doubt))
        | truth(Truth::Behind, behind.1);
    let ahead = way(a, ((left, right), (low, high)), seen, b, back, doubt);
    Between { gap, flank, rear, behind: behind.0, before: ahead_of.0, ahead, truths }
}

impl Seen {
    /// How wide the part ahead of the front line of a block, or behind its rear line, stands within
    /// its frontage, in grains; and whether there is such a part.
    fn frontage(&self, b: &Oblique, ahead: bool, doubt: &mut Doubt) -> (i32, bool) {
        // Beyond the line is above 0; behind the rear line the picture is upside down.
        let beyond = if ahead { self.middle.1 } else { -b.depth - self.middle.1 };
        if !doubt.above(beyond + self.extent.1, 0) {
            return (0, false);
        }
        let leans_right = ((self.sine < 0) == (self.cosine < 0)) == ahead;
        let lean = if leans_right { self.deep.0 - self.half.0 } else { self.half.0 - self.deep.0 };
        // How far the right and the left corner are beyond. From one that is not, the edge that
        // leads up is cut.
        let (right, left) = (beyond + lean, beyond - lean);
        let (steep, flat) =
            if leans_right { (self.sine, self.cosine) } else { (self.cosine, self.sine) };
        let cut = |off: i64, run: i64, rise: i64| {
            let way = i128::from(off).wrapping_mul(i128::from(run.abs())) / i128::from(rise.abs());
            i64::try_from(way).unwrap_or(i64::MIN)
        };
        let mut error = 2 * MARGIN;
        let (mut from, mut to) = (self.middle.0 - self.extent.0, self.middle.0 + self.extent.0);
        if right < 0 {
            to += cut(right, flat, steep);
            error = CUT_ERROR;
        }
        if left < 0 {
            from -= cut(left, steep, flat);
            error = CUT_ERROR;
        }
        if from < -b.wide - error && to > b.wide + error {
            return (b.grains, true);
        }
        let length = to.min(b.wide) - from.max(-b.wide);
        doubt.0 |= length.abs() <= error;
        (doubt.grains(length, error), length > 0)
    }
}

/// Of A, which touches B, what a touch changes.
fn in_contact(to: &mut Between, seen: &Seen, b: &Oblique, overlap: bool, doubt: &mut Doubt) {
    let edges = Edges { wide: b.wide, depth: b.depth, hair: HAIR_FIXED };
    let [front, side, rear] = edges.touched(&seen.corners(), doubt);
    let truth = |t: Truth, holds: bool| u32::from(holds) * t.bit();
    to.truths |= truth(Truth::TouchingFrontOf, front)
        | truth(Truth::TouchingFlankOf, side)
        | truth(Truth::TouchingRearOf, rear);
    to.truths |= Truth::InContactWith.bit();
    if overlap {
        to.truths &= !Truth::InFlankOf.bit();
        to.flank = 0;
    }
}

/// How wide the strips of A behind the flank and behind the rear of B are, in grains.
#[inline]
fn strips(
    a: &Oblique,
    seen: &Seen,
    b: &Oblique,
    (before, in_rear): (bool, bool),
    doubt: &mut Doubt,
) -> (i32, i32) {
    if in_rear {
        return (0, a.grains);
    }
    // The highest points of the strips rise along the front of A by its width times the sine.
    let rise = 2 * seen.half.0;
    let lowest = seen.middle.1 + seen.extent.1 - rise;
    let (behind_front, behind_rear) = (-lowest, -b.depth - lowest);
    let sine = seen.sine.abs();
    let cut = doubt.above(behind_rear, 0);
    let rear = if cut { doubt.quotient(behind_rear, sine) } else { 0 };
    let taken = if cut { behind_rear } else { 0 };
    let flank = match (before, cut) {
        (false, false) => a.grains,
        (false, true) => doubt.quotient(rise - taken, sine),
        (true, _) if behind_front > taken => doubt.quotient(behind_front - taken, sine),
        (true, _) => 0,
    };
    (flank, rear)
}

/// Whether A, of which some part is ahead of B, has a part within the arc of B.
///
/// The arc is convex, and so is A: they are apart exactly if an edge of the one or of the other
/// separates them.
#[inline]
fn in_arc(a: &Oblique, seen: &Seen, b: &Oblique, back: &Seen, doubt: &mut Doubt) -> bool {
    let ((u, v), half, deep) = (seen.middle, seen.half, seen.deep);
    let (sums, offs) =
        ((half.0 + half.1, deep.0 + deep.1), ((half.0 - half.1).abs(), (deep.0 - deep.1).abs()));
    // How far A extends along the two lines that go outward, on either side.
    let same = (seen.sine < 0) == (seen.cosine < 0);
    let (to_right, to_left) =
        if same { (offs.0 + sums.1, sums.0 + offs.1) } else { (sums.0 + offs.1, offs.0 + sums.1) };
    if !doubt.above(u + v + to_right, -b.wide) || !doubt.above(v - u + to_left, -b.wide) {
        return false;
    }
    // The edge of A that looks away from B within 45 degrees; the arc beyond it is nearest at an
    // end of the front of B.
    let (beyond, reach) = if seen.sine.abs() > seen.cosine.abs() {
        (if seen.sine < 0 { -back.place.0 } else { back.place.0 }, (a.wide, back.half.1))
    } else {
        let off = -a.mid - back.place.1;
        (if seen.cosine < 0 { -off } else { off }, (a.mid, back.half.0))
    };
    doubt.above(beyond + reach.0, -reach.1)
}

/// From the least to the greatest.
type Span = (i64, i64);

/// How far A goes straight ahead until it touches B, in grains; below 0 if never.
///
/// Along each direction of an edge of one of both A moves at some pace; it touches B when the last
/// of them lets it, and passes if they never all overlap by more than a hair at once.
#[inline]
fn way(
    a: &Oblique,
    ((left, right), (low, high)): (Span, Span),
    seen: &Seen,
    b: &Oblique,
    back: &Seen,
    doubt: &mut Doubt,
) -> i32 {
    let ((u, v), (beside, along)) = (back.middle, back.extent);
    let shared = a.wide.min(u + beside) - (-a.wide).max(u - beside);
    if !doubt.above(shared, HAIR_FIXED) {
        return -1;
    }
    let far = v + along + a.depth;
    if !doubt.above(far, HAIR_FIXED) {
        return -1;
    }
    let across = if seen.sine < 0 {
        (left - b.wide, right + b.wide)
    } else {
        (-b.wide - right, b.wide - left)
    };
    let ahead = if seen.cosine < 0 { (low, high + b.depth) } else { (-b.depth - high, -low) };
    let ways =
        [((v - along, far), 1 << SINE), (across, seen.sine.abs()), (ahead, seen.cosine.abs())];
    for ((near, _), pace) in ways {
        for ((_, far), other) in ways {
            if !doubt.later((far - HAIR_FIXED, other), (near + HAIR_FIXED, pace))
                || !doubt.above(far, HAIR_FIXED)
            {
                return -1;
            }
        }
    }
    let [first, rest @ ..] = ways.map(|((near, _), pace)| (near, pace));
    let (near, pace) = rest
        .into_iter()
        .fold(first, |last, next| if doubt.later(next, last) { next } else { last });
    if near > 0 { doubt.quotient(near, pace) } else { 0 }
}
