//! Two blocks whose facings are quarter turns apart: spans of whole numbers and nothing else.
//!
//! Such blocks stand along the axes of one frame. All numbers are multiples of one unit of the
//! frame, in which places, halves and a hair are whole: a base width is at most 2^40 units and a
//! distance at most 2^12 base widths, so everything stays below 2^53, and times 240 below 2^61.
//! Only the square of a gap may need 128 bits.

use num_traits::ToPrimitive;

use super::body::{Base, Shape};
use super::measure::{Between, Truth};
use super::number::{GRAIN, HAIR, common, root};
use super::outline::units;
use super::{Facing, Fraction};

/// The finest unit of a frame.
const FINEST: i128 = 1 << 40;

/// A frame of blocks whose facings are quarter turns apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// What looks ahead in it: to the north, or between north and east.
    facing: Facing,
    /// Half a base width, before the facing comes in.
    unit: i128,
    /// A base width and a hair, with the length of the facing.
    width: i64,
    hair: i64,
}

impl Frame {
    /// A frame that looks so, to which no block belongs yet.
    fn new(facing: Facing) -> Frame {
        Frame { facing, unit: i128::from(HAIR) / 2, width: 0, hair: 0 }
    }

    /// The frame of a base and how many quarter turns to the right it looks there.
    fn of(base: &Base) -> (Facing, u8) {
        let mut facing = base.facing;
        for turns in 0..4 {
            let (east, north, _) = facing.parts();
            if east >= 0 && north > 0 {
                return (facing, turns);
            }
            facing = facing.left();
        }
        (facing, 0)
    }

    fn ends(&mut self) {
        let (_, _, length) = self.facing.parts();
        self.width = (2 * self.unit * i128::from(length)).to_i64().unwrap_or(i64::MAX);
        self.hair = self.width / HAIR;
    }

    /// Whether its unit is not too fine.
    fn fits(&self) -> bool {
        2 * self.unit * i128::from(self.facing.parts().2) <= FINEST
    }
}

/// A block as a rectangle in its frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Square {
    /// Which frame.
    pub frame: usize,
    /// From left to right, and from rear to front, as the frame looks.
    x: (i64, i64),
    y: (i64, i64),
    /// Quarter turns of its facing.
    turns: u8,
}

/// The frames of some blocks, and the blocks in them.
pub(super) fn frames(bases: &[Base], frames: &mut Vec<Frame>, squares: &mut Vec<Option<Square>>) {
    frames.clear();
    squares.clear();
    for base in bases {
        let (facing, turns) = Frame::of(base);
        if base.shape != Shape::Block {
            squares.push(None);
            continue;
        }
        let frame = frames.iter().position(|f| f.facing == facing).unwrap_or_else(|| {
            frames.push(Frame::new(facing));
            frames.len() - 1
        });
        squares.push(Some(Square { frame, x: (0, 0), y: (0, 0), turns }));
        if let Some(frame) = frames.get_mut(frame) {
            for f in [base.x, base.y, base.width, base.depth] {
                if frame.fits() {
                    frame.unit = common(frame.unit, i128::from(*f.denom()));
                }
            }
        }
    }
    frames.iter_mut().for_each(Frame::ends);
    for (slot, base) in squares.iter_mut().zip(bases) {
        *slot = slot.and_then(|square| square.laid(base, frames.get(square.frame)?));
    }
}

impl Square {
    /// The rectangle of a base in its frame; none if its unit is too fine.
    fn laid(self, base: &Base, frame: &Frame) -> Option<Square> {
        if !frame.fits() {
            return None;
        }
        let unit = |f: Fraction| units(f, 2 * frame.unit).to_i64();
        let (east, north, length) = frame.facing.parts();
        let (x, y) = (unit(base.x)?, unit(base.y)?);
        let (x, y) = (north * x - east * y, east * x + north * y);
        let (half, depth) = (unit(base.width)? / 2 * length, unit(base.depth)? * length);
        let (x, y) = match self.turns {
            0 => ((x - half, x + half), (y - depth, y)),
            1 => ((x - depth, x), (y - half, y + half)),
            2 => ((x - half, x + half), (y, y + depth)),
            _ => ((x, x + depth), (y - half, y + half)),
        };
        Some(Square { x, y, ..self })
    }

    /// What lies between two blocks of one frame in both orders.
    pub(super) fn both(&self, b: &Square, frame: &Frame) -> (Between, Between) {
        let off = |a: (i64, i64), b: (i64, i64)| (a.0 - b.1).max(b.0 - a.1).max(0);
        let gap = gap(off(self.x, b.x), off(self.y, b.y), frame.width);
        (self.to(b, gap, frame.width, frame.hair), b.to(self, gap, frame.width, frame.hair))
    }

    /// Another rectangle as this one sees it: to the right from west's place, and ahead.
    fn sees(&self, other: &Square) -> ((i64, i64), (i64, i64)) {
        let back = |s: (i64, i64)| (-s.1, -s.0);
        match self.turns {
            0 => (other.x, other.y),
            1 => (back(other.y), other.x),
            2 => (back(other.x), back(other.y)),
            _ => (other.y, back(other.x)),
        }
    }

    fn to(&self, b: &Square, gap: i32, width: i64, hair: i64) -> Between {
        let mut truths = 0;
        let mut say = |truth: Truth, holds: bool| truths |= u32::from(holds) * truth.bit();
        // A as B sees it, and B as it sees itself: its front line is at `front`, its rear line at
        // `rear`.
        let ((left, right), (low, high)) = b.sees(self);
        let ((b_left, b_right), (rear, front)) = b.sees(b);
        // What they share to the right and ahead; below 0 if they are apart there.
        let (across, along) =
            (right.min(b_right) - left.max(b_left), high.min(front) - low.max(rear));
        let overlap = across > hair && along > hair;
        let contact = across >= 0 && along >= 0;
        let in_front_lines = high <= front;
        let in_rear = high <= rear;
        let before = high > front;
        say(Truth::InContactWith, contact);
        say(Truth::Before, before);
        say(Truth::InRearOf, in_rear);
        say(Truth::InFlankOf, in_front_lines && !in_rear && !overlap);
        say(Truth::LeftOf, right <= b_left);
        say(Truth::RightOf, left >= b_right);
        say(Truth::WhollyBehind, in_rear && left >= b_left && right <= b_right);
        // Ahead, the arc is the wider the farther; the farthest corners decide.
        say(
            Truth::InArcOf,
            before && right >= b_left - (high - front) && left <= b_right + (high - front),
        );
        let behind = if low < rear { across.max(0) } else { 0 };
        say(Truth::Behind, behind > 0);
        let ahead_of_b = if before { across.max(0) } else { 0 };
        if contact {
            let [at_front, at_side, at_rear] =
                touched((left, right, low, high), (b_left, b_right, rear, front), hair);
            say(Truth::TouchingFrontOf, at_front);
            say(Truth::TouchingFlankOf, at_side);
            say(Truth::TouchingRearOf, at_rear);
        }
        // The same turned round: B as A sees it.
        let ((other_left, other_right), (other_low, other_high)) = self.sees(b);
        let ((a_left, a_right), (a_rear, a_front)) = self.sees(self);
        say(Truth::FacingAwayFrom, other_high <= a_front);
        let beside = other_right.min(a_right) - other_left.max(a_left);
        // It leaves B a hair before its rear has passed it.
        let meets = beside > hair
            && other_high - a_rear > hair
            && other_high - other_low + a_front - a_rear > 2 * hair;
        let way = if meets { (other_low - a_front).max(0) } else { -width };
        let (flank, behind_rear) = strips(self, b, ((left, right), (low, high)), (rear, front));
        let whole = right - left;
        // Most often it is all or nothing, so the whole width is divided once at most.
        let full = std::cell::OnceCell::new();
        let divided = |n: i64| i32::try_from(n * GRAIN / width).unwrap_or(i32::MAX);
        let grains = |n: i64| match n {
            0 => 0,
            n if n == whole => *full.get_or_init(|| divided(n)),
            n => divided(n),
        };
        Between {
            gap,
            flank: if overlap { 0 } else { grains(flank) },
            rear: grains(behind_rear),
            behind: grains(behind),
            before: grains(ahead_of_b),
            ahead: if way < 0 { -1 } else { grains(way) },
            truths,
        }
    }
}

/// How wide the strips of A behind the flank and behind the rear of B are. Where both look along
/// one axis all strips reach equally far ahead; else each strip is one line across, and those
/// between two lines count.
fn strips(
    a: &Square,
    b: &Square,
    (across, along): ((i64, i64), (i64, i64)),
    (rear, front): (i64, i64),
) -> (i64, i64) {
    if a.turns % 2 == b.turns % 2 {
        let wide = across.1 - across.0;
        let in_rear = along.1 <= rear;
        return (
            if along.1 <= front && !in_rear { wide } else { 0 },
            if in_rear { wide } else { 0 },
        );
    }
    let (low, high) = along;
    let behind = |line: i64| (high.min(line) - low).max(0);
    (behind(front) - behind(rear), behind(rear))
}

/// Whether a rectangle that touches another touches its front, a side, its rear.
fn touched(a: (i64, i64, i64, i64), b: (i64, i64, i64, i64), hair: i64) -> [bool; 3] {
    let (left, right, low, high) = a;
    let (b_left, b_right, rear, front) = b;
    // Whether the edges of A meet a level line from one end to another: a level edge of A lies on
    // it, or an upright one crosses it.
    let meets = |(left, right, low, high): (i64, i64, i64, i64), at: i64, from: i64, to: i64| {
        let level = (low == at || high == at) && left <= to && right >= from;
        let upright = low <= at
            && at <= high
            && ((from <= left && left <= to) || (from <= right && right <= to));
        from <= to && (level || upright)
    };
    let (as_it_is, turned) = ((left, right, low, high), (low, high, left, right));
    let side = |at| meets(turned, at, rear + hair, front - hair);
    let sides = side(b_left) || side(b_right);
    let at = |line, trim| meets(as_it_is, line, b_left + trim, b_right - trim);
    let at_front = at(front, hair) || (!sides && at(front, 0));
    [at_front, sides, at(rear, hair) || (!sides && !at_front && at(rear, 0))]
}

/// The gap in grains, rounded up, from how far two rectangles are apart in both directions.
fn gap(across: i64, along: i64, width: i64) -> i32 {
    let up = |n: i64| i32::try_from((n * GRAIN + width - 1) / width).unwrap_or(i32::MAX);
    if across == 0 || along == 0 {
        return up(across + along);
    }
    // The least number of grains whose square is not below. On a table of plain fractions 64 bits
    // hold the squares.
    let narrow = |n: i64| u64::try_from(n).ok()?.checked_mul(u64::try_from(n).ok()?);
    let below = narrow(across)
        .zip(narrow(along))
        .and_then(|(a, b)| {
            a.checked_add(b)?.checked_mul(GRAIN.unsigned_abs() * GRAIN.unsigned_abs())
        })
        .zip(narrow(width))
        .map(|(sum, wide)| (sum - 1) / wide);
    let below = below.unwrap_or_else(|| {
        let square = |n: i64| i128::from(n) * i128::from(n);
        let (sum, grain, wide) =
            (square(across) + square(along), i128::from(GRAIN * GRAIN), square(width));
        // A distance is below 2^12 base widths, so this is below 2^40.
        u64::try_from((sum * grain - 1) / wide).unwrap_or(u64::MAX)
    });
    i32::try_from(root(below) + 1).unwrap_or(i32::MAX)
}
