//! Which edges of a block another touches that lies obliquely on it, in fixed numbers with a
//! margin.

use super::fixed::Doubt;

/// A corner as the block sees it: to the right and ahead.
type Corner = (i64, i64);

/// A block as it sees itself: half its width, its depth, and a hair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edges {
    pub wide: i64,
    pub depth: i64,
    pub hair: i64,
}

impl Edges {
    /// Whether a rectangle that shares a point with the block touches its front, a side, its rear;
    /// a corner counts only where no side is touched, and first as the front.
    pub(super) fn touched(&self, corners: &[Corner; 4], doubt: &mut Doubt) -> [bool; 3] {
        let turned = corners.map(|(u, v)| (v, u));
        let side = |at: i64, doubt: &mut Doubt| {
            meets(&turned, at, (-self.depth + self.hair, -self.hair), doubt)
        };
        let sides = side(-self.wide, doubt) | side(self.wide, doubt);
        let level = |at: i64, trim: i64, doubt: &mut Doubt| {
            meets(corners, at, (-self.wide + trim, self.wide - trim), doubt)
        };
        let front = level(0, self.hair, doubt) || (!sides && level(0, 0, doubt));
        let rear = level(-self.depth, self.hair, doubt)
            || (!sides && !front && level(-self.depth, 0, doubt));
        [front, sides, rear]
    }
}

/// Whether an edge of a rectangle meets a level line from one end to another; none does if they are
/// the wrong way round.
fn meets(corners: &[Corner; 4], at: i64, (from, to): (i64, i64), doubt: &mut Doubt) -> bool {
    let [a, b, c, d] = *corners;
    let mut met = false;
    for (p, q) in [(a, b), (b, c), (c, d), (d, a)] {
        let (p, q) = if p.1 <= q.1 { (p, q) } else { (q, p) };
        if doubt.above(at, q.1) || doubt.above(p.1, at) {
            continue;
        }
        // How far inside either end it crosses, times how far it rises: no edge of a block is level
        // here.
        let (rise, run, up) = (i128::from(q.1 - p.1), i128::from(q.0 - p.0), i128::from(at - p.1));
        let inside = |off: i64, sign: i128| i128::from(off) * rise + sign * run * up;
        met |= doubt.is_positive(inside(p.0 - from, 1)) && doubt.is_positive(inside(to - p.0, -1));
    }
    met
}
