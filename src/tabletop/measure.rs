//! The measures between two bodies, A and B: amounts in grains and truths.
//!
//! All of them are defined on the outlines, with edges and corners belonging to a body. The *front
//! line* of a base is the endless line of its front edge, the *rear line* that of its rear edge; of
//! an L each arm has one of both.

use num_bigint::BigInt;
use num_rational::Ratio;

use super::body::Body;
use super::number::{Cut, Exact, HAIR, Length, Wrong};
use super::outline::{Arm, Outline, Ring, fits, scale, turned};
use super::space::{enters, gap_of_rings, gap_to_rect, is_on, span};
use super::sweep::{Clash, apart};
use crate::arrange::Arrange as _;

/// The amounts, each in parts of a base width; see [`super::GRAIN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// The shortest distance between A and B, rounded up: 0 when they touch or overlap, and only
    /// then.
    Gap,
    /// A is sliced along its own front into strips of its full depth. The width of the strips that
    /// lie entirely behind the front line of B and not entirely behind its rear line, added up and
    /// rounded down. Such a strip stands to a side of B, for two bases that overlap have no flank
    /// to each other. Of an L a strip must lie behind the front lines of both arms and not entirely
    /// behind the rear lines of both: it stands beyond an open end.
    WidthBehindFlank,
    /// The same for the strips that lie entirely behind the rear line of B; of an L behind those of
    /// both arms, inside it.
    WidthBehindRear,
    /// How wide the part of A that lies behind the rear line of B stands within the frontage of B,
    /// rounded down. Of an L the arm counts behind which it is wider.
    WidthBehind,
    /// How wide the part of A that lies ahead of the front line of B stands within the frontage of
    /// B, rounded down. Of an L the arm counts before which it is wider.
    WidthBefore,
    /// How far A can go straight ahead until it touches B, rounded down; none if it never would.
    /// Passing along an edge is no touch, and what A touches in front is 0 ahead. An L goes where
    /// its first arm faces.
    WayAhead,
}

/// The truths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Truth {
    /// A touches B or overlaps it.
    InContactWith,
    /// No part of B lies ahead of a front line of A.
    FacingAwayFrom,
    /// Some part of A lies ahead of a front line of B.
    Before,
    /// Some part of A with a width lies behind the rear line of B, within the frontage of B.
    Behind,
    /// All of A lies behind the rear line of B and within the frontage of B; of an L, of one arm.
    WhollyBehind,
    /// All of A lies behind the front line of B, not all of it behind the rear line, and A does not
    /// overlap B.
    InFlankOf,
    /// All of A lies behind the rear line of B; of an L behind those of both arms.
    InRearOf,
    /// Some part of A lies ahead of the front line of B within the lines that go 45 degrees outward
    /// from the ends of its front edge; of an L, of one arm.
    InArcOf,
    /// All of A lies to the left of the line of B's left side; of an L beyond the open end of its
    /// first arm.
    LeftOf,
    /// All of A lies to the right of the line of B's right side; of an L beyond the open end of its
    /// second arm.
    RightOf,
    /// A touches the front edge of B. What touches B only at a corner of its front touches its
    /// front; what lies along a flank and only so reaches the corner does not. So much as a hair
    /// (1/10000) from a corner counts as the corner.
    TouchingFrontOf,
    /// A touches a side of B, and not only at a corner; of an L, the edge at an open end.
    TouchingFlankOf,
    /// A touches the rear edge of B, with corners as for the front; of an L, the rear edge of an
    /// arm inside it.
    TouchingRearOf,
    /// Some part of the base A lies inside the area B, or the line B crosses the inside of A.
    /// Touching the edge is not enough.
    StandingOn,
    /// All of the base A lies in the area B.
    WhollyOn,
}

impl Truth {
    /// All of them.
    pub const ALL: [Truth; 15] = [
        Truth::InContactWith,
        Truth::FacingAwayFrom,
        Truth::Before,
        Truth::Behind,
        Truth::WhollyBehind,
        Truth::InFlankOf,
        Truth::InRearOf,
        Truth::InArcOf,
        Truth::LeftOf,
        Truth::RightOf,
        Truth::TouchingFrontOf,
        Truth::TouchingFlankOf,
        Truth::TouchingRearOf,
        Truth::StandingOn,
        Truth::WhollyOn,
    ];

    pub(super) fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// All that is measured from A to B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Between {
    pub(super) gap: i32,
    pub(super) flank: i32,
    pub(super) rear: i32,
    pub(super) behind: i32,
    pub(super) before: i32,
    /// Below 0 if never.
    pub(super) ahead: i32,
    pub(super) truths: u32,
}

impl Between {
    /// Nothing between them.
    pub(super) const NONE: Between =
        Between { gap: 0, flank: 0, rear: 0, behind: 0, before: 0, ahead: -1, truths: 0 };

    /// An amount in grains; none only of a way ahead that meets nothing.
    #[must_use]
    pub fn amount(&self, measure: Measure) -> Option<i64> {
        let grains = match measure {
            Measure::Gap => self.gap,
            Measure::WidthBehindFlank => self.flank,
            Measure::WidthBehindRear => self.rear,
            Measure::WidthBehind => self.behind,
            Measure::WidthBefore => self.before,
            Measure::WayAhead => self.ahead,
        };
        (grains >= 0).then_some(i64::from(grains))
    }

    /// Whether a truth holds.
    #[must_use]
    pub fn is(&self, truth: Truth) -> bool {
        self.truths & truth.bit() != 0
    }
}

/// All that is measured from A to B.
///
/// # Errors
/// A body is out of bounds.
pub fn between(a: Body, b: Body) -> Result<Between, Wrong> {
    let scale = scale(&a, &b)?;
    Ok(if fits(&a, &b, scale) {
        measured::<i128>(&a, &b, scale)
    } else {
        measured::<BigInt>(&a, &b, scale)
    })
}

/// The same in one kind of numbers.
pub(super) fn measured<T: Exact>(a: &Body, b: &Body, scale: i128) -> Between {
    let pair = Pair::of(Outline::<T>::of(a, scale), Outline::<T>::of(b, scale), scale);
    pair.measure()
}

/// A cut of a way in base widths.
type Exactly = Ratio<BigInt>;

/// How far A goes straight ahead until it touches B, exactly; none if never.
pub(super) fn way(a: &Body, b: &Body) -> Result<Option<Exactly>, Wrong> {
    let pair = Pair::wide(a, b)?;
    Ok(pair.stop(&pair.clashes(), &pair.hair()).map(|cut| pair.exactly(&cut)))
}

/// Where the base A has passed the rectangles of the base B that it overlaps on its way straight
/// back, exactly.
pub(super) fn passed_back(a: &Body, b: &Body) -> Result<Vec<Exactly>, Wrong> {
    let pair = Pair::wide(a, b)?;
    Ok(pair
        .passes(&pair.clashes(), &pair.hair(), true)
        .iter()
        .map(|(_, leave)| pair.exactly(leave))
        .collect())
}

/// Where the base A meets the rectangles of the base B that it overlaps on its way straight back,
/// exactly.
pub(super) fn met_back(a: &Body, b: &Body) -> Result<Vec<Exactly>, Wrong> {
    let pair = Pair::wide(a, b)?;
    Ok(pair
        .passes(&pair.clashes(), &pair.hair(), true)
        .iter()
        .map(|(touch, _)| pair.exactly(touch))
        .collect())
}

/// Whether two bases overlap by more than a hair.
pub(super) fn overlap(a: &Body, b: &Body) -> Result<bool, Wrong> {
    let pair = Pair::wide(a, b)?;
    Ok(pair.clashes().iter().flatten().any(|c| c.overlaps(&pair.hair())))
}

/// An edge of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Edge {
    /// The front of the first or second arm.
    Front(usize),
    /// The left side, or the open end of the first arm.
    Left,
    /// The right side, or the open end of the second arm.
    Right,
    /// The rear of the first or second arm.
    Rear(usize),
}

/// The edges of the base B that A touches, with corners as in [`Truth::TouchingFrontOf`].
pub(super) fn edges_touched(a: &Body, b: &Body) -> Result<Vec<Edge>, Wrong> {
    let pair = Pair::wide(a, b)?;
    Ok(touches(&pair.views(), &pair.hair()))
}

impl Pair<BigInt> {
    /// Two bodies in numbers of any size.
    fn wide(a: &Body, b: &Body) -> Result<Pair<BigInt>, Wrong> {
        let scale = scale(a, b)?;
        Ok(Pair::of(Outline::of(a, scale), Outline::of(b, scale), scale))
    }

    /// A cut in base widths.
    fn exactly(&self, cut: &Cut<BigInt>) -> Exactly {
        (Ratio::new(cut.part.clone(), cut.over.clone()) + &cut.whole) / &self.width
    }
}

/// Two bodies, each as the other sees it.
struct Pair<T> {
    a: Outline<T>,
    b: Outline<T>,
    /// The rings of A in the frame of B, and those of B in the frame of A.
    a_seen: Vec<Ring<T>>,
    b_seen: Vec<Ring<T>>,
    /// The rectangles of each in its own frame.
    a_rects: Vec<[T; 4]>,
    b_rects: Vec<[T; 4]>,
    /// The product of the lengths of the facings.
    lengths: T,
    /// A base width.
    width: T,
}

impl<T: Exact> Pair<T> {
    fn of(a: Outline<T>, b: Outline<T>, scale: i128) -> Pair<T> {
        let lengths = a.length.clone() * b.length.clone();
        let (a_seen, b_seen) = (b.sees(&a), a.sees(&b));
        let (a_rects, b_rects) = (a.rects_at(&lengths), b.rects_at(&lengths));
        let width = T::from(scale) * lengths.clone();
        Pair { a, b, a_seen, b_seen, a_rects, b_rects, lengths, width }
    }

    fn measure(&self) -> Between {
        let mut found = Between::NONE;
        let mut truths = 0;
        let mut say = |truth: Truth, holds: bool| truths |= if holds { truth.bit() } else { 0 };
        let clashes = self.clashes();
        let hair = self.hair();
        found.gap = self.gap(&clashes);
        found.ahead = self.ahead(&clashes, &hair);
        say(Truth::InContactWith, found.gap == 0);
        let base_on_ground = |test: fn(&[T; 4], &Ring<T>) -> bool| {
            self.b.arms.is_empty().then(|| {
                self.a_rects
                    .iter()
                    .map(|r| self.b_seen.iter().any(|g| test(r, g)))
                    .collect::<Vec<_>>()
            })
        };
        if let Some(on) = base_on_ground(enters) {
            say(Truth::StandingOn, on.contains(&true));
        }
        if let Some(on) = base_on_ground(is_on) {
            say(Truth::WhollyOn, !on.is_empty() && !on.contains(&false));
        }
        let away = |rings: &[Ring<T>]| {
            span(rings.iter().flat_map(|r| r.points.iter().map(|p| p.1.clone()))).1 <= T::zero()
        };
        if !self.a.arms.is_empty() {
            let both = self.a.arms.len() < 2 || away(&turned_all(&self.b_seen));
            say(Truth::FacingAwayFrom, both && away(&self.b_seen));
        }
        if !self.b.arms.is_empty() {
            let views = self.views();
            let overlap =
                clashes.iter().flatten().any(|c| c.overlaps(&hair)) || self.ground_overlaps();
            let all = |test: &dyn Fn(&View<T>) -> bool| views.iter().all(test);
            let any = |test: &dyn Fn(&View<T>) -> bool| views.iter().any(test);
            let in_front_lines = all(&|v| v.ahead.1 <= T::zero());
            let in_rear = all(&|v| v.ahead.1 <= -v.arm.depth.clone());
            say(Truth::Before, any(&|v| v.ahead.1.is_positive()));
            say(Truth::InRearOf, in_rear);
            say(Truth::InFlankOf, in_front_lines && !in_rear && !overlap);
            say(Truth::WhollyBehind, any(&View::wholly_behind));
            say(Truth::LeftOf, views.first().is_some_and(|v| v.across.1 <= v.arm.lo));
            say(Truth::RightOf, views.last().is_some_and(|v| v.across.0 >= v.arm.hi));
            say(Truth::InArcOf, any(&View::in_arc));
            for edge in touches(&views, &hair) {
                match edge {
                    Edge::Front(_) => say(Truth::TouchingFrontOf, true),
                    Edge::Left | Edge::Right => say(Truth::TouchingFlankOf, true),
                    Edge::Rear(_) => say(Truth::TouchingRearOf, true),
                }
            }
            let mut stands = false;
            for view in &views {
                let (behind, any) = view.width(false).grains(&self.width);
                found.behind = found.behind.max(behind);
                stands |= any;
                found.before = found.before.max(view.width(true).grains(&self.width).0);
            }
            say(Truth::Behind, stands);
            if !self.a.arms.is_empty() {
                let (flank, rear) = self.strips(&views);
                found.flank = if overlap { 0 } else { flank };
                found.rear = rear;
            }
        }
        found.truths = truths;
        found
    }

    fn hair(&self) -> T {
        self.width.clone() / T::from(i128::from(HAIR))
    }

    /// For each rectangle of A and each of B how they lie to each other; none if one of both is
    /// ground.
    fn clashes(&self) -> Vec<Vec<Clash<T>>> {
        let one = |(rect, seen): (&[T; 4], &Ring<T>)| {
            let of =
                |(other, other_seen): (&[T; 4], &Ring<T>)| Clash::of(rect, seen, other, other_seen);
            self.b_rects.iter().zip(&self.b_seen).map(of).collect()
        };
        self.a_rects.iter().zip(&self.a_seen).map(one).collect()
    }

    fn gap(&self, clashes: &[Vec<Clash<T>>]) -> i32 {
        match (self.a.arms.is_empty(), self.b.arms.is_empty()) {
            (false, false) => {
                if clashes.iter().flatten().any(Clash::touches) {
                    return 0;
                }
                let squares = self.a_rects.iter().zip(&self.a_seen).flat_map(|(rect, seen)| {
                    self.b_rects
                        .iter()
                        .zip(&self.b_seen)
                        .map(move |(other, other_seen)| apart(rect, seen, other, other_seen))
                });
                super::number::root_grains(
                    &squares.min().unwrap_or_else(T::zero),
                    &T::one(),
                    &self.width,
                )
            }
            (false, true) => self.gap_to_ground(&self.a_rects, &self.b_seen),
            (true, false) => self.gap_to_ground(&self.b_rects, &self.a_seen),
            (true, true) => {
                let pairs =
                    self.a.rings.iter().flat_map(|r| self.b.rings.iter().map(move |s| (r, s)));
                pairs.map(|(r, s)| gap_of_rings(r, s, &self.width)).min().unwrap_or(0)
            }
        }
    }

    fn gap_to_ground(&self, rects: &[[T; 4]], rings: &[Ring<T>]) -> i32 {
        let pairs = rects.iter().flat_map(|r| rings.iter().map(move |g| (r, g)));
        pairs.map(|(r, g)| gap_to_rect(r, g, &self.width)).min().unwrap_or(0)
    }

    /// Whether the ground A has anything of the inside of the base B.
    fn ground_overlaps(&self) -> bool {
        self.a.arms.is_empty()
            && self.b_rects.iter().any(|r| self.a_seen.iter().any(|g| enters(r, g)))
    }

    /// How far A goes until it touches B, in grains; below 0 if never.
    fn ahead(&self, clashes: &[Vec<Clash<T>>], hair: &T) -> i32 {
        self.stop(clashes, hair).map_or(-1, |cut| {
            let mut way = Length::new();
            way.add(&Cut::whole(T::zero()), &cut);
            way.grains(&self.width).0
        })
    }

    fn stop(&self, clashes: &[Vec<Clash<T>>], hair: &T) -> Option<Cut<T>> {
        if self.a.arms.is_empty() {
            None
        } else if self.b.arms.is_empty() {
            self.ahead_to_ground()
        } else {
            let stops = self
                .passes(clashes, hair, false)
                .into_iter()
                .map(|(touch, _)| touch.max(Cut::whole(T::zero())));
            stops.min()
        }
    }

    /// For each rectangle of A and each of B where A touches it on its way straight ahead, or
    /// straight back, and where it has passed it; only of those that it would overlap.
    fn passes(&self, clashes: &[Vec<Clash<T>>], hair: &T, back: bool) -> Vec<(Cut<T>, Cut<T>)> {
        let (f, g) = (&self.a.facing, &self.b.facing);
        let right = f.0.clone() * g.1.clone() - f.1.clone() * g.0.clone();
        let ahead = f.0.clone() * g.0.clone() + f.1.clone() * g.1.clone();
        let rates =
            [T::zero(), self.lengths.clone(), right, ahead].map(|r| if back { -r } else { r });
        clashes.iter().flatten().filter_map(|c| c.pass(&rates, &self.lengths, hair)).collect()
    }

    /// How far the front of A goes until it touches the ground B: of every edge the part that lies
    /// in the column ahead.
    fn ahead_to_ground(&self) -> Option<Cut<T>> {
        if self.a_rects.iter().any(|r| self.b_seen.iter().any(|g| enters(r, g))) {
            return Some(Cut::whole(T::zero()));
        }
        let sides = self.a_rects.iter().flat_map(|r| [r[0].clone(), r[1].clone()]);
        let (lo, hi) = span(sides);
        let mut nearest: Option<Cut<T>> = None;
        for (p, q) in self.b_seen.iter().flat_map(Ring::edges) {
            let (p, q) = if p.0 <= q.0 { (p, q) } else { (q, p) };
            if q.0 <= lo || p.0 >= hi {
                continue;
            }
            let at = |side: &T| {
                let rise = (q.1.clone() - p.1.clone()) * (side.clone() - p.0.clone());
                Cut::at(p.1.clone(), rise, q.0.clone() - p.0.clone())
            };
            let from = if p.0 < lo { at(&lo) } else { Cut::whole(p.1.clone()) };
            let to = if q.0 > hi { at(&hi) } else { Cut::whole(q.1.clone()) };
            let here = from.min(to);
            if !here.whole.is_negative() {
                nearest = Some(nearest.map_or(here.clone(), |n| n.min(here)));
            }
        }
        nearest
    }

    /// A as each arm of B sees it.
    fn views(&self) -> Vec<View<T>> {
        let view = |(i, arm): (usize, Arm<T>)| {
            let rings = if i == 0 { self.a_seen.clone() } else { turned_all(&self.a_seen) };
            View::of(arm, rings)
        };
        self.b.arms_at(&self.lengths).into_iter().enumerate().map(view).collect()
    }

    /// How wide the strips of A are that lie behind the flank of B, and behind its rear.
    fn strips(&self, views: &[View<T>]) -> (i32, i32) {
        let (mut flank, mut rear) = (Length::new(), Length::new());
        for i in 0..self.a.arms.len() {
            let arms = views.iter().filter_map(|v| v.rings.get(i).map(|r| (r, &v.arm)));
            let wide = self
                .a
                .arms
                .get(i)
                .map_or_else(T::zero, |a| (a.hi.clone() - a.lo.clone()) * self.lengths.clone());
            let mut fronts = Some((Cut::whole(T::zero()), Cut::whole(wide)));
            let mut rears = fronts.clone();
            for (ring, arm) in arms {
                let slope = self.slope(ring, i);
                fronts = fronts.and_then(|f| self.cut_strips(f, ring, &slope, &T::zero()));
                rears = rears.and_then(|r| self.cut_strips(r, ring, &slope, &-arm.depth.clone()));
            }
            if let Some((from, to)) = &fronts {
                flank.add(from, to);
            }
            if let Some((from, to)) = &rears {
                flank.take(from, to);
                rear.add(from, to);
            }
        }
        (flank.grains(&self.width).0, rear.grains(&self.width).0)
    }

    /// How fast the front of an arm of A rises in the view of an arm of B, on a way of `lengths`.
    fn slope(&self, ring: &Ring<T>, arm: usize) -> T {
        let wide = self.a.arms.get(arm).map_or_else(T::one, |a| a.hi.clone() - a.lo.clone());
        match ring.points.as_slice() {
            // The rise over the whole front is that of the facings times its width, so nothing is
            // left over.
            [left, right, ..] => (right.1.clone() - left.1.clone()) / wide,
            _ => T::zero(),
        }
    }

    /// The part of some strips of A that lies behind a line: both the front and the rear end of a
    /// strip must.
    fn cut_strips(
        &self,
        strips: (Cut<T>, Cut<T>),
        ring: &Ring<T>,
        slope: &T,
        line: &T,
    ) -> Option<(Cut<T>, Cut<T>)> {
        let [left, _, _, rear_left] = ring.points.as_slice() else { return None };
        let highest = left.1.clone().max(rear_left.1.clone());
        if slope.is_zero() {
            return (highest <= *line).then_some(strips);
        }
        let here =
            Cut::at(T::zero(), (line.clone() - highest) * self.lengths.clone(), slope.clone());
        let (from, to) = strips;
        let kept = if slope.is_positive() { (from, to.min(here)) } else { (from.max(here), to) };
        (kept.0 < kept.1).then_some(kept)
    }
}

fn turned_all<T: Exact>(rings: &[Ring<T>]) -> Vec<Ring<T>> {
    rings.iter().map(turned).collect()
}

/// A as one arm of B sees it.
struct View<T> {
    arm: Arm<T>,
    rings: Vec<Ring<T>>,
    /// From where to where A lies to the right, and ahead.
    across: (T, T),
    ahead: (T, T),
}

impl<T: Exact> View<T> {
    fn of(arm: Arm<T>, rings: Vec<Ring<T>>) -> View<T> {
        let across = span(rings.iter().flat_map(|r| r.points.iter().map(|p| p.0.clone())));
        let ahead = span(rings.iter().flat_map(|r| r.points.iter().map(|p| p.1.clone())));
        View { arm, rings, across, ahead }
    }

    /// Whether A meets a level or upright line from one end to another, both ends shortened by so
    /// much.
    fn meets(&self, upright: bool, at: &T, ends: &(T, T), trim: &T) -> bool {
        let (from, to) = (ends.0.clone() + trim.clone(), ends.1.clone() - trim.clone());
        from <= to
            && self
                .rings
                .iter()
                .any(|r| r.edges().any(|(p, q)| cuts(p, q, upright, at, &from, &to)))
    }

    fn wholly_behind(&self) -> bool {
        self.ahead.1 <= -self.arm.depth.clone()
            && self.across.0 >= self.arm.lo
            && self.across.1 <= self.arm.hi
    }

    /// How wide the part of A ahead of the front line, or behind the rear line, stands within the
    /// frontage.
    fn width(&self, before: bool) -> Length<T> {
        let line = if before { T::zero() } else { -self.arm.depth.clone() };
        let mut spans = Vec::new();
        for ring in &self.rings {
            // Below 0 is on the wanted side, so that both sides are cut alike.
            let off = |p: &(T, T)| {
                if before { line.clone() - p.1.clone() } else { p.1.clone() - line.clone() }
            };
            if !ring.points.iter().any(|p| off(p).is_negative()) {
                continue;
            }
            for (p, q) in ring.edges() {
                let (from, to) = (off(p), off(q));
                // An edge along the line has nothing beyond it.
                if !from.is_negative() && !to.is_negative() {
                    continue;
                }
                let mut ends = Vec::with_capacity(2);
                if !from.is_positive() {
                    ends.push(Cut::whole(p.0.clone()));
                }
                if !to.is_positive() {
                    ends.push(Cut::whole(q.0.clone()));
                }
                if ends.len() < 2 {
                    let way = (q.0.clone() - p.0.clone()) * -from.clone();
                    ends.push(Cut::at(p.0.clone(), way, to - from));
                }
                if let (Some(a), Some(b)) = (ends.iter().min(), ends.iter().max()) {
                    spans.push((a.clone(), b.clone()));
                }
            }
        }
        self.in_frontage(spans)
    }

    /// How much of the frontage some spans cover together.
    fn in_frontage(&self, mut spans: Vec<(Cut<T>, Cut<T>)>) -> Length<T> {
        let mut covered = Length::new();
        let mut from = Cut::whole(self.arm.lo.clone());
        let end = Cut::whole(self.arm.hi.clone());
        spans.arrange();
        let mut run: Option<(Cut<T>, Cut<T>)> = None;
        for (a, b) in spans {
            let (a, b) = (a.max(from.clone()), b.min(end.clone()));
            if a >= b {
                continue;
            }
            run = Some(match run {
                Some((start, stop)) if a <= stop => (start, stop.max(b)),
                Some((start, stop)) => {
                    covered.add(&start, &stop);
                    from = stop;
                    (a, b)
                }
                None => (a, b),
            });
        }
        if let Some((start, stop)) = run {
            covered.add(&start, &stop);
        }
        covered
    }

    /// Whether some part of A lies ahead, within the lines that go outward from the ends of the
    /// front edge. If so, a corner of A does, or an edge of A crosses one of those lines: A cannot
    /// hold the whole arc, which is endless.
    fn in_arc(&self) -> bool {
        let left = |p: &(T, T)| p.0.clone() + p.1.clone() - self.arm.lo.clone();
        let right = |p: &(T, T)| self.arm.hi.clone() - p.0.clone() + p.1.clone();
        let inside =
            |p: &(T, T)| p.1.is_positive() && !left(p).is_negative() && !right(p).is_negative();
        let crosses = |p: &(T, T), q: &(T, T), side: &dyn Fn(&(T, T)) -> T| {
            let (p, q) = if side(p) < side(q) { (p, q) } else { (q, p) };
            let (out, in_) = (side(p), side(q));
            // How far ahead the crossing is, times how far the edge goes across the line.
            out.is_negative()
                && in_.is_positive()
                && (p.1.clone() * in_ - q.1.clone() * out).is_positive()
        };
        self.rings.iter().any(|r| r.points.iter().any(inside))
            || self
                .rings
                .iter()
                .flat_map(Ring::edges)
                .any(|(p, q)| crosses(p, q, &left) || crosses(p, q, &right))
    }
}

/// The edges of B that A touches. A corner counts only where no side is touched, and first as the
/// front.
fn touches<T: Exact>(views: &[View<T>], hair: &T) -> Vec<Edge> {
    let last = views.len().saturating_sub(1);
    let mut sides = Vec::new();
    for (i, view) in views.iter().enumerate() {
        let ends = (-view.arm.depth.clone(), T::zero());
        if i == 0 && view.meets(true, &view.arm.lo, &ends, hair) {
            sides.push(Edge::Left);
        }
        if i == last && view.meets(true, &view.arm.hi, &ends, hair) {
            sides.push(Edge::Right);
        }
    }
    let none = T::zero();
    let trim = |corners: bool| if corners { &none } else { hair };
    let fronts = |corners: bool| {
        let front = move |(_, v): &(usize, &View<T>)| {
            v.meets(false, &T::zero(), &(v.arm.lo.clone(), v.arm.hi.clone()), trim(corners))
        };
        views.iter().enumerate().filter(front).map(|(i, _)| Edge::Front(i)).collect::<Vec<_>>()
    };
    let rears = |corners: bool| {
        let rear = move |(_, v): &(usize, &View<T>)| {
            v.meets(false, &-v.arm.depth.clone(), &v.arm.rear, trim(corners))
        };
        views.iter().enumerate().filter(rear).map(|(i, _)| Edge::Rear(i)).collect::<Vec<_>>()
    };
    let mut found = fronts(false);
    if found.is_empty() && sides.is_empty() {
        found = fronts(true);
    }
    let mut back = rears(false);
    if back.is_empty() && sides.is_empty() && found.is_empty() {
        back = rears(true);
    }
    found.append(&mut sides);
    found.append(&mut back);
    found
}

/// Whether an edge meets a level or upright one at a place, from one end to another.
fn cuts<T: Exact>(p: &(T, T), q: &(T, T), upright: bool, at: &T, from: &T, to: &T) -> bool {
    let turn = |n: &(T, T)| if upright { (n.1.clone(), n.0.clone()) } else { n.clone() };
    let (p, q) = (turn(p), turn(q));
    let (p, q) = if p.1 <= q.1 { (p, q) } else { (q, p) };
    if q.1 < *at || p.1 > *at {
        return false;
    }
    if p.1 == q.1 {
        return p.0.clone().min(q.0.clone()) <= *to && p.0.max(q.0) >= *from;
    }
    // Where it crosses, times how far it rises.
    let rise = q.1 - p.1.clone();
    let here = p.0.clone() * rise.clone() + (q.0 - p.0) * (at.clone() - p.1);
    here >= from.clone() * rise.clone() && here <= to.clone() * rise
}
