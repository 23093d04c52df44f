//! The fast way for two blocks that look along the axes: spans of whole numbers and nothing else.
//!
//! All numbers are multiples of one unit of the whole table, of which a hair has a whole number, too. A base width is at
//! most 2^21 units and a distance at most 2^12 base widths, so everything stays below 2^33, and times 240 below 2^41. Only
//! the square of a gap is taken in 128 bits.

use num_traits::ToPrimitive;

use super::body::{Base, Body, Shape};
use super::measure::{Between, Truth};
use super::number::{GRAIN, HAIR, common};
use super::outline::units;
use super::table::Table;

/// The finest unit of a table for which this way is taken.
const FINEST: i128 = 1 << 20;

/// A block that looks along an axis, as a rectangle on the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain {
    /// From west to east, and from south to north.
    x: (i64, i64),
    y: (i64, i64),
    /// Quarter turns of its facing from north.
    turns: u8,
}

/// Some of the bases of a table in one unit.
#[derive(Debug, Default)]
pub(super) struct Quick {
    /// For each base its rectangle, if it is such a block.
    plain: Vec<Option<Plain>>,
    /// A base width, and a hair.
    width: i64,
    hair: i64,
}

impl Quick {
    /// The blocks of a table that look along the axes; none at all where the unit of the table would be too fine.
    pub(super) fn take(&mut self, table: &Table) {
        self.plain.clear();
        self.plain.resize(table.bases.len(), None);
        // Halves of widths are whole at twice the unit, and so is a hair.
        let mut unit = i128::from(HAIR) / 2;
        for base in &table.bases {
            if turns(base).is_none() {
                continue;
            }
            for f in [base.x, base.y, base.width, base.depth] {
                unit = common(unit, i128::from(*f.denom()));
                if unit > FINEST {
                    return;
                }
            }
        }
        let scale = 2 * unit;
        self.width = scale.to_i64().unwrap_or(0);
        self.hair = self.width / HAIR;
        for (slot, base) in self.plain.iter_mut().zip(&table.bases) {
            *slot = Plain::of(base, scale);
        }
    }

    /// What is measured between two bases, if both are such blocks.
    pub(super) fn between(&self, a: usize, b: usize) -> Option<Between> {
        let (a, b) = (self.plain.get(a)?.as_ref()?, self.plain.get(b)?.as_ref()?);
        Some(a.to(b, self.width, self.hair))
    }
}

/// Quarter turns from north; none if a base does not look along an axis or is an L.
fn turns(base: &Base) -> Option<u8> {
    match (base.shape, base.facing.parts()) {
        (Shape::Block, (0, 1, 1)) => Some(0),
        (Shape::Block, (1, 0, 1)) => Some(1),
        (Shape::Block, (0, -1, 1)) => Some(2),
        (Shape::Block, (-1, 0, 1)) => Some(3),
        _ => None,
    }
}

impl Plain {
    fn of(base: &Base, scale: i128) -> Option<Plain> {
        let turns = turns(base)?;
        Body::Base(base).unit().ok()?;
        let unit = |f| units(f, scale).to_i64();
        let (x, y, half, depth) = (unit(base.x)?, unit(base.y)?, unit(base.width)? / 2, unit(base.depth)?);
        let (x, y) = match turns {
            0 => ((x - half, x + half), (y - depth, y)),
            1 => ((x - depth, x), (y - half, y + half)),
            2 => ((x - half, x + half), (y, y + depth)),
            _ => ((x, x + depth), (y - half, y + half)),
        };
        Some(Plain { x, y, turns })
    }

    /// Another rectangle as this one sees it: to the right from west's place, and ahead.
    fn sees(&self, other: &Plain) -> ((i64, i64), (i64, i64)) {
        let back = |s: (i64, i64)| (-s.1, -s.0);
        match self.turns {
            0 => (other.x, other.y),
            1 => (back(other.y), other.x),
            2 => (back(other.x), back(other.y)),
            _ => (other.y, back(other.x)),
        }
    }

    fn to(&self, b: &Plain, width: i64, hair: i64) -> Between {
        let mut truths = 0;
        let mut say = |truth: Truth, holds: bool| truths |= u32::from(holds) * truth.bit();
        // A as B sees it, and B as it sees itself: its front line is at `front`, its rear line at `rear`.
        let ((left, right), (low, high)) = b.sees(self);
        let ((b_left, b_right), (rear, front)) = b.sees(b);
        // What they share to the right and ahead; below 0 if they are apart there.
        let (across, along) = (right.min(b_right) - left.max(b_left), high.min(front) - low.max(rear));
        let gap = gap(-across.min(0), -along.min(0), width);
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
        say(Truth::InArcOf, before && right >= b_left - (high - front) && left <= b_right + (high - front));
        let behind = if low < rear { across.max(0) } else { 0 };
        say(Truth::Behind, behind > 0);
        let ahead_of_b = if before { across.max(0) } else { 0 };
        if contact {
            let [at_front, at_side, at_rear] = touched((left, right, low, high), (b_left, b_right, rear, front), hair);
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
        let meets = beside > hair && other_high - a_rear > hair && other_high - other_low + a_front - a_rear > 2 * hair;
        let way = if meets { (other_low - a_front).max(0) } else { -width };
        let (flank, behind_rear) = strips(self, b, ((left, right), (low, high)), (rear, front));
        let grains = |n: i64| if n == 0 { 0 } else { i32::try_from(n * GRAIN / width).unwrap_or(i32::MAX) };
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

/// How wide the strips of A behind the flank and behind the rear of B are. Where both look along one axis all strips reach
/// equally far ahead; else each strip is one line across, and those between two lines count.
fn strips(a: &Plain, b: &Plain, (across, along): ((i64, i64), (i64, i64)), (rear, front): (i64, i64)) -> (i64, i64) {
    if a.turns % 2 == b.turns % 2 {
        let wide = across.1 - across.0;
        let in_rear = along.1 <= rear;
        return (if along.1 <= front && !in_rear { wide } else { 0 }, if in_rear { wide } else { 0 });
    }
    let (low, high) = along;
    let behind = |line: i64| (high.min(line) - low).max(0);
    (behind(front) - behind(rear), behind(rear))
}

/// Whether a rectangle that touches another touches its front, a side, its rear.
fn touched(a: (i64, i64, i64, i64), b: (i64, i64, i64, i64), hair: i64) -> [bool; 3] {
    let (left, right, low, high) = a;
    let (b_left, b_right, rear, front) = b;
    // Whether the edges of A meet a level line from one end to another: a level edge of A lies on it, or an upright one
    // crosses it.
    let meets = |(left, right, low, high): (i64, i64, i64, i64), at: i64, from: i64, to: i64| {
        let level = (low == at || high == at) && left <= to && right >= from;
        let upright = low <= at && at <= high && ((from <= left && left <= to) || (from <= right && right <= to));
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
    // The least number of grains whose square is not below. On a table of plain fractions 64 bits hold the squares.
    let narrow = |n: i64| u64::try_from(n).ok()?.checked_mul(u64::try_from(n).ok()?);
    let below = narrow(across)
        .zip(narrow(along))
        .and_then(|(a, b)| a.checked_add(b)?.checked_mul(GRAIN.unsigned_abs() * GRAIN.unsigned_abs()))
        .zip(narrow(width))
        .map(|(sum, wide)| (sum - 1) / wide);
    let below = below.unwrap_or_else(|| {
        let square = |n: i64| i128::from(n) * i128::from(n);
        let (sum, grain, wide) = (square(across) + square(along), i128::from(GRAIN * GRAIN), square(width));
        // A distance is below 2^12 base widths, so this is below 2^40.
        u64::try_from((sum * grain - 1) / wide).unwrap_or(u64::MAX)
    });
    i32::try_from(below.isqrt() + 1).unwrap_or(i32::MAX)
}
