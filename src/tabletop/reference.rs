//! The slow obvious twin of the measures: every point on the table in fractions, every definition
//! word by word.
//!
//! It shares no formula with the fast ways. Where they cut by equations, it collects all places at
//! which anything can change, and asks in the middle between any two of them.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive};

use super::body::{Base, Body, Ground, Shape};
use super::measure::{Between, Truth};
use super::number::{Fraction, GRAIN, HAIR};
use crate::arrange::Arrange as _;

/// Fractions wide enough for what is asked.
pub trait Rational: Signed + Ord + Clone {
    /// A fraction.
    fn of(n: i64, d: i64) -> Self;
    /// Rounded down.
    fn floor(&self) -> i64;
}

impl Rational for Ratio<i64> {
    fn of(n: i64, d: i64) -> Self {
        Ratio::new(n, d)
    }
    fn floor(&self) -> i64 {
        Ratio::floor(self).to_integer()
    }
}

impl Rational for Ratio<i128> {
    fn of(n: i64, d: i64) -> Self {
        Ratio::new(i128::from(n), i128::from(d))
    }
    fn floor(&self) -> i64 {
        Ratio::floor(self).to_integer().to_i64().unwrap_or(i64::MAX)
    }
}

impl Rational for Ratio<BigInt> {
    fn of(n: i64, d: i64) -> Self {
        Ratio::new(BigInt::from(n), BigInt::from(d))
    }
    fn floor(&self) -> i64 {
        Ratio::floor(self).to_integer().to_i64().unwrap_or(i64::MAX)
    }
}

type Point<Q> = (Q, Q);

/// A simple outline; a line is not closed.
#[derive(Clone)]
struct Outline<Q> {
    points: Vec<Point<Q>>,
    closed: bool,
}

/// A front: its left end and right end, the direction in which it looks, how deep it is.
#[derive(Clone)]
struct Front<Q> {
    left: Point<Q>,
    right: Point<Q>,
    ahead: Point<Q>,
    depth: Q,
}

/// A body on the table: a rectangle an arm with its front, or ground with none.
struct Solid<Q> {
    outlines: Vec<Outline<Q>>,
    fronts: Vec<Front<Q>>,
}

fn fraction<Q: Rational>(f: Fraction) -> Q {
    Q::of(*f.numer(), *f.denom())
}

fn plus<Q: Rational>(a: &Point<Q>, b: &Point<Q>) -> Point<Q> {
    (a.0.clone() + b.0.clone(), a.1.clone() + b.1.clone())
}

fn minus<Q: Rational>(a: &Point<Q>, b: &Point<Q>) -> Point<Q> {
    (a.0.clone() - b.0.clone(), a.1.clone() - b.1.clone())
}

fn times<Q: Rational>(a: &Point<Q>, by: &Q) -> Point<Q> {
    (a.0.clone() * by.clone(), a.1.clone() * by.clone())
}

fn dot<Q: Rational>(a: &Point<Q>, b: &Point<Q>) -> Q {
    a.0.clone() * b.0.clone() + a.1.clone() * b.1.clone()
}

fn cross<Q: Rational>(a: &Point<Q>, b: &Point<Q>) -> Q {
    a.0.clone() * b.1.clone() - a.1.clone() * b.0.clone()
}

fn middle<Q: Rational>(a: &Q, b: &Q) -> Q {
    (a.clone() + b.clone()) / Q::of(2, 1)
}

fn right_of<Q: Rational>(ahead: &Point<Q>) -> Point<Q> {
    (ahead.1.clone(), -ahead.0.clone())
}

impl<Q: Rational> Front<Q> {
    fn right_way(&self) -> Point<Q> {
        right_of(&self.ahead)
    }
    /// How far ahead of the front line.
    fn ahead_of(&self, p: &Point<Q>) -> Q {
        dot(&minus(p, &self.left), &self.ahead)
    }
    /// How far to the right of the left end.
    fn along(&self, p: &Point<Q>) -> Q {
        dot(&minus(p, &self.left), &self.right_way())
    }
    fn wide(&self) -> Q {
        self.along(&self.right)
    }
    fn at(&self, along: &Q, ahead: &Q) -> Point<Q> {
        plus(&plus(&self.left, &times(&self.right_way(), along)), &times(&self.ahead, ahead))
    }
    fn rectangle(&self) -> Outline<Q> {
        let (zero, wide, back) = (Q::zero(), self.wide(), -self.depth.clone());
        let points = vec![
            self.at(&zero, &zero),
            self.at(&wide, &zero),
            self.at(&wide, &back),
            self.at(&zero, &back),
        ];
        Outline { points, closed: true }
    }
}

impl<Q: Rational> Outline<Q> {
    fn edges(&self) -> Vec<(Point<Q>, Point<Q>)> {
        let mut edges: Vec<_> =
            self.points.iter().cloned().zip(self.points.iter().skip(1).cloned()).collect();
        if let (true, Some(first), Some(last)) =
            (self.closed, self.points.first(), self.points.last())
        {
            edges.push((last.clone(), first.clone()));
        }
        edges
    }

    fn on_edge(&self, p: &Point<Q>) -> bool {
        self.edges().iter().any(|(a, b)| {
            cross(&minus(b, a), &minus(p, a)).is_zero()
                && !dot(&minus(p, a), &minus(p, b)).is_positive()
        })
    }

    /// Inside, not on the edge: a ray to the east crosses the edge an odd number of times.
    fn inside(&self, p: &Point<Q>) -> bool {
        if !self.closed || self.on_edge(p) {
            return false;
        }
        let crossed = self.edges().into_iter().filter(|(a, b)| {
            let (low, high) = if a.1 <= b.1 { (a, b) } else { (b, a) };
            low.1 <= p.1 && p.1 < high.1 && cross(&minus(high, low), &minus(p, low)).is_positive()
        });
        crossed.count() % 2 == 1
    }
}

impl<Q: Rational> Solid<Q> {
    fn of(body: &Body) -> Solid<Q> {
        match body {
            Body::Base(base) => Solid::of_base(base),
            Body::Ground(ground) => {
                let points =
                    ground.points().iter().map(|p| (fraction(p.x), fraction(p.y))).collect();
                Solid {
                    outlines: vec![Outline { points, closed: matches!(ground, Ground::Area(_)) }],
                    fronts: Vec::new(),
                }
            }
        }
    }

    fn of_base(base: &Base) -> Solid<Q> {
        let ahead: Point<Q> = (fraction(base.facing.sine()), fraction(base.facing.cosine()));
        let place: Point<Q> = (fraction(base.x), fraction(base.y));
        let half = fraction::<Q>(base.width) / Q::of(2, 1);
        let right = right_of(&ahead);
        let depth: Q = fraction(base.depth);
        let left_end = minus(&place, &times(&right, &half));
        let fronts = match base.shape {
            Shape::Block => {
                let right_end = plus(&place, &times(&right, &half));
                vec![Front { left: left_end, right: right_end, ahead, depth }]
            }
            Shape::Corner => {
                let back_end = minus(&place, &times(&ahead, &half));
                let first =
                    Front { left: left_end, right: place.clone(), ahead, depth: depth.clone() };
                vec![first, Front { left: place, right: back_end, ahead: right, depth }]
            }
        };
        Solid { outlines: fronts.iter().map(Front::rectangle).collect(), fronts }
    }

    fn points(&self) -> impl Iterator<Item = &Point<Q>> {
        self.outlines.iter().flat_map(|o| &o.points)
    }

    fn edges(&self) -> Vec<(Point<Q>, Point<Q>)> {
        self.outlines.iter().flat_map(Outline::edges).collect()
    }
}

/// Where an edge meets a line given by a height at both of its ends, as a part of its way; none if
/// it does not.
fn root<Q: Rational>(from: &Q, to: &Q) -> Option<Q> {
    let step = to.clone() - from.clone();
    if step.is_zero() {
        return None;
    }
    let at = -from.clone() / step;
    (!at.is_negative() && at <= Q::one()).then_some(at)
}

fn on_way<Q: Rational>(edge: &(Point<Q>, Point<Q>), at: &Q) -> Point<Q> {
    plus(&edge.0, &times(&minus(&edge.1, &edge.0), at))
}

/// The lengths between neighbouring places for whose middle a question is answered yes, within two
/// ends.
fn total<Q: Rational>(mut places: Vec<Q>, from: &Q, to: &Q, yes: impl Fn(&Q) -> bool) -> Q {
    places.push(from.clone());
    places.push(to.clone());
    places.retain(|p| p >= from && p <= to);
    places.arrange();
    let pairs =
        places.iter().zip(places.iter().skip(1)).filter(|(a, b)| a < b && yes(&middle(*a, *b)));
    pairs.fold(Q::zero(), |sum, (a, b)| sum + b.clone() - a.clone())
}

fn segments_share<Q: Rational>(e: &(Point<Q>, Point<Q>), f: &(Point<Q>, Point<Q>)) -> bool {
    // Two edges share a point if an end of one lies on the other, or each has its ends on both
    // sides of the other.
    let on = |p: &Point<Q>, e: &(Point<Q>, Point<Q>)| {
        cross(&minus(&e.1, &e.0), &minus(p, &e.0)).is_zero()
            && !dot(&minus(p, &e.0), &minus(p, &e.1)).is_positive()
    };
    let split = |e: &(Point<Q>, Point<Q>), f: &(Point<Q>, Point<Q>)| {
        let side = |p: &Point<Q>| cross(&minus(&e.1, &e.0), &minus(p, &e.0));
        (side(&f.0) * side(&f.1)).is_negative()
    };
    on(&e.0, f) || on(&e.1, f) || on(&f.0, e) || on(&f.1, e) || (split(e, f) && split(f, e))
}

fn square_to_segment<Q: Rational>(p: &Point<Q>, e: &(Point<Q>, Point<Q>)) -> Q {
    let way = minus(&e.1, &e.0);
    let long = dot(&way, &way);
    let at = if long.is_zero() {
        Q::zero()
    } else {
        (dot(&minus(p, &e.0), &way) / long).max(Q::zero()).min(Q::one())
    };
    let off = minus(p, &on_way(e, &at));
    dot(&off, &off)
}

fn share<Q: Rational>(a: &Outline<Q>, b: &Outline<Q>) -> bool {
    let (e, f) = (a.edges(), b.edges());
    e.iter().any(|e| f.iter().any(|f| segments_share(e, f)))
        || a.points.first().is_some_and(|p| b.inside(p))
        || b.points.first().is_some_and(|p| a.inside(p))
}

/// In grains, rounded up.
fn gap<Q: Rational>(a: &Solid<Q>, b: &Solid<Q>) -> i64 {
    if a.outlines.iter().any(|o| b.outlines.iter().any(|p| share(o, p))) {
        return 0;
    }
    let (e, f) = (a.edges(), b.edges());
    let from_a = a.points().flat_map(|p| f.iter().map(move |e| square_to_segment(p, e)));
    let from_b = b.points().flat_map(|p| e.iter().map(move |e| square_to_segment(p, e)));
    let Some(square) = from_a.chain(from_b).min() else { return 0 };
    let square = square * Q::of(GRAIN * GRAIN, 1);
    let (mut low, mut high) = (0_i64, 4000 * GRAIN);
    while high - low > 1 {
        let half = i64::midpoint(low, high);
        if Q::of(half * half, 1) < square { low = half } else { high = half }
    }
    high
}

/// How deep two rectangles overlap: the least of what they share along the directions of their
/// edges.
fn depth_of_overlap<Q: Rational>(a: &Outline<Q>, b: &Outline<Q>, ways: &[Point<Q>]) -> Option<Q> {
    let shares = ways.iter().filter_map(|way| {
        let of = |o: &Outline<Q>| {
            (o.points.iter().map(|p| dot(p, way)).min(), o.points.iter().map(|p| dot(p, way)).max())
        };
        let ((Some(a), Some(b)), (Some(c), Some(d))) = (of(a), of(b)) else { return None };
        Some(b.min(d) - a.max(c))
    });
    shares.min()
}

fn ways_of<Q: Rational>(a: &Front<Q>, b: &Front<Q>) -> Vec<Point<Q>> {
    vec![a.ahead.clone(), a.right_way(), b.ahead.clone(), b.right_way()]
}

/// Whether two bases overlap by more than a hair.
fn overlap<Q: Rational>(a: &Solid<Q>, b: &Solid<Q>) -> bool {
    let pairs = a.fronts.iter().flat_map(|f| b.fronts.iter().map(move |g| (f, g)));
    let hair = Q::of(1, HAIR);
    pairs.into_iter().any(|(f, g)| {
        depth_of_overlap(&f.rectangle(), &g.rectangle(), &ways_of(f, g)).is_some_and(|d| d > hair)
    })
}

/// How far a rectangle goes along a way until it touches another that it then overlaps by more than
/// a hair.
fn way_of_rectangles<Q: Rational>(f: &Front<Q>, g: &Front<Q>, way: &Point<Q>) -> Option<Q> {
    let (a, b, ways) = (f.rectangle(), g.rectangle(), ways_of(f, g));
    let hair = Q::of(1, HAIR);
    let of = |o: &Outline<Q>, dir: &Point<Q>| {
        Some((
            o.points.iter().map(|p| dot(p, dir)).min()?,
            o.points.iter().map(|p| dot(p, dir)).max()?,
        ))
    };
    let spans: Vec<_> =
        ways.iter().filter_map(|dir| Some((of(&a, dir)?, of(&b, dir)?, dot(way, dir)))).collect();
    // What two spans share changes its course only where an end of one meets an end of the other,
    // and is a hair only there, a hair nearer or a hair farther.
    let mut places = vec![Q::zero()];
    for ((a_lo, a_hi), (b_lo, b_hi), pace) in &spans {
        if pace.is_zero() {
            continue;
        }
        for off in [
            b_lo.clone() - a_lo.clone(),
            b_lo.clone() - a_hi.clone(),
            b_hi.clone() - a_lo.clone(),
            b_hi.clone() - a_hi.clone(),
        ] {
            for near in [Q::zero(), hair.clone(), -hair.clone()] {
                places.push((off.clone() + near) / pace.clone());
            }
        }
    }
    places.arrange();
    places.dedup();
    let deep = |at: &Q| {
        let shared = |((a_lo, a_hi), (b_lo, b_hi), pace): &((Q, Q), (Q, Q), Q)| {
            let by = pace.clone() * at.clone();
            (a_hi.clone() + by.clone()).min(b_hi.clone()) - (a_lo.clone() + by).max(b_lo.clone())
        };
        spans.iter().map(shared).min().unwrap_or_else(Q::zero)
    };
    let pairs: Vec<_> = places
        .iter()
        .zip(places.iter().skip(1))
        .map(|(p, q)| (p, q, deep(&middle(p, q))))
        .collect();
    let hit = pairs.iter().position(|(_, q, depth)| *depth > hair && q.is_positive())?;
    let touch =
        pairs.iter().take(hit + 1).rev().take_while(|(_, _, depth)| depth.is_positive()).last()?;
    Some(touch.0.clone().max(Q::zero()))
}

/// How far ahead of a base ground lies in its column; 0 if it stands on it.
fn way_to_ground<Q: Rational>(a: &Solid<Q>, b: &Solid<Q>) -> Option<Q> {
    if stands_on(a, b) {
        return Some(Q::zero());
    }
    let front = a.fronts.first()?;
    let alongs: Vec<Q> = a.points().map(|p| front.along(p)).collect();
    let (left, right) = (alongs.iter().min()?.clone(), alongs.iter().max()?.clone());
    let mut nearest: Option<Q> = None;
    for edge in b.edges() {
        let (from, to) = (front.along(&edge.0), front.along(&edge.1));
        let mut parts = vec![Q::zero(), Q::one()];
        parts.extend(
            [&left, &right]
                .into_iter()
                .filter_map(|s| root(&(from.clone() - s.clone()), &(to.clone() - s.clone()))),
        );
        parts.arrange();
        for (p, q) in parts.iter().zip(parts.iter().skip(1)) {
            let middle = front.along(&on_way(&edge, &middle(p, q)));
            if p < q && middle > left && middle < right {
                let here = front.ahead_of(&on_way(&edge, p)).min(front.ahead_of(&on_way(&edge, q)));
                if !here.is_negative() && nearest.as_ref().is_none_or(|n| here < *n) {
                    nearest = Some(here);
                }
            }
        }
    }
    nearest
}

/// The middles of the parts into which the edges of one outline are cut by those of another.
fn part_middles<Q: Rational>(a: &Outline<Q>, b: &Outline<Q>) -> Vec<Point<Q>> {
    let mut middles = Vec::new();
    for edge in a.edges() {
        let mut parts = vec![Q::zero(), Q::one()];
        for other in b.edges() {
            let way = minus(&other.1, &other.0);
            let side = |p: &Point<Q>| cross(&way, &minus(p, &other.0));
            parts.extend(root(&side(&edge.0), &side(&edge.1)));
            // Along one line the parts end where the other edge ends.
            let along = minus(&edge.1, &edge.0);
            let long = dot(&along, &along);
            if !long.is_zero() {
                parts.extend(
                    [&other.0, &other.1].map(|p| dot(&minus(p, &edge.0), &along) / long.clone()),
                );
            }
        }
        parts.retain(|p| !p.is_negative() && *p <= Q::one());
        parts.arrange();
        parts.dedup();
        middles.extend(
            parts.iter().zip(parts.iter().skip(1)).map(|(p, q)| on_way(&edge, &middle(p, q))),
        );
    }
    middles
}

fn centre<Q: Rational>(o: &Outline<Q>) -> Point<Q> {
    let sum = o.points.iter().fold((Q::zero(), Q::zero()), |sum, p| plus(&sum, p));
    times(&sum, &Q::of(1, i64::try_from(o.points.len()).unwrap_or(1).max(1)))
}

/// Whether some of the inside of a base is inside an area or on a line.
fn stands_on<Q: Rational>(base: &Solid<Q>, ground: &Solid<Q>) -> bool {
    let pairs = base.outlines.iter().flat_map(|o| ground.outlines.iter().map(move |g| (o, g)));
    pairs.into_iter().any(|(o, g)| {
        part_middles(g, o).iter().any(|p| o.inside(p))
            || (g.closed
                && (part_middles(o, g).iter().any(|p| g.inside(p)) || g.inside(&centre(o))))
    })
}

fn wholly_on<Q: Rational>(base: &Solid<Q>, ground: &Solid<Q>) -> bool {
    let Some(g) = ground.outlines.first().filter(|g| g.closed) else { return false };
    base.outlines.iter().all(|o| {
        part_middles(o, g).iter().all(|p| g.inside(p) || g.on_edge(p))
            && !part_middles(g, o).iter().any(|p| o.inside(p))
    })
}

/// How wide what lies on the wanted side of a line stands in a frontage.
fn width_beyond<Q: Rational>(a: &Solid<Q>, front: &Front<Q>, before: bool) -> Q {
    let line = if before { Q::zero() } else { -front.depth.clone() };
    let off = |p: &Point<Q>| {
        if before { front.ahead_of(p) - line.clone() } else { line.clone() - front.ahead_of(p) }
    };
    let mut places: Vec<Q> = a.points().map(|p| front.along(p)).collect();
    for edge in a.edges() {
        places
            .extend(root(&off(&edge.0), &off(&edge.1)).map(|at| front.along(&on_way(&edge, &at))));
    }
    // Somewhere on the upright line through this place some edge lies beyond.
    let beyond = |along: &Q| {
        a.edges().iter().any(|e| {
            let side = |p: &Point<Q>| front.along(p) - along.clone();
            root(&side(&e.0), &side(&e.1)).is_some_and(|at| off(&on_way(e, &at)).is_positive())
        })
    };
    total(places, &Q::zero(), &front.wide(), beyond)
}

/// How wide the strips behind the flank and behind the rear are.
fn strips<Q: Rational>(a: &Solid<Q>, b: &Solid<Q>) -> (Q, Q) {
    let (mut flank, mut rear) = (Q::zero(), Q::zero());
    for arm in &a.fronts {
        let zero = Q::zero();
        let ends = |along: &Q| [arm.at(along, &zero), arm.at(along, &-arm.depth.clone())];
        let mut places = Vec::new();
        for front in &b.fronts {
            for (from, to) in ends(&zero).into_iter().zip(ends(&arm.wide())) {
                for line in [Q::zero(), -front.depth.clone()] {
                    let at = root(
                        &(front.ahead_of(&from) - line.clone()),
                        &(front.ahead_of(&to) - line),
                    );
                    places.extend(at.map(|at| at * arm.wide()));
                }
            }
        }
        let behind = |along: &Q| {
            b.fronts.iter().all(|f| ends(along).iter().all(|p| !f.ahead_of(p).is_positive()))
        };
        let in_rear = |along: &Q| {
            b.fronts.iter().all(|f| ends(along).iter().all(|p| f.ahead_of(p) <= -f.depth.clone()))
        };
        flank = flank + total(places.clone(), &zero, &arm.wide(), |at| behind(at) && !in_rear(at));
        rear = rear + total(places, &zero, &arm.wide(), in_rear);
    }
    (flank, rear)
}

/// Whether an edge has a point ahead within the arc.
fn in_arc<Q: Rational>(a: &Solid<Q>, front: &Front<Q>) -> bool {
    a.edges().iter().any(|e| {
        let ahead = |p: &Point<Q>| front.ahead_of(p);
        let left = |p: &Point<Q>| front.along(p) + front.ahead_of(p);
        let right = |p: &Point<Q>| front.wide() - front.along(p) + front.ahead_of(p);
        let mut parts = vec![Q::zero(), Q::one()];
        for side in [&ahead as &dyn Fn(&Point<Q>) -> Q, &left, &right] {
            parts.extend(root(&side(&e.0), &side(&e.1)));
        }
        parts.arrange();
        let middles: Vec<Q> =
            parts.iter().zip(parts.iter().skip(1)).map(|(p, q)| middle(p, q)).collect();
        parts.iter().chain(&middles).any(|at| {
            let p = on_way(e, at);
            ahead(&p).is_positive() && !left(&p).is_negative() && !right(&p).is_negative()
        })
    })
}

/// Whether A touches the front, a side, the rear.
fn touches<Q: Rational>(a: &Solid<Q>, b: &Solid<Q>) -> [bool; 3] {
    let (zero, hair) = (Q::zero(), Q::of(1, HAIR));
    let edges = a.edges();
    let meets = |from: &Point<Q>, to: &Point<Q>, way: &Point<Q>, trim: bool| {
        let cut = if trim { times(way, &hair) } else { times(way, &zero) };
        let (from, to) = (plus(from, &cut), minus(to, &cut));
        let goes = !dot(&minus(&to, &from), way).is_negative();
        goes && edges.iter().any(|e| segments_share(e, &(from.clone(), to.clone())))
    };
    let corner = b.fronts.len() > 1;
    let (mut sides, mut fronts, mut rears) = (false, [false; 2], [false; 2]);
    for (i, f) in b.fronts.iter().enumerate() {
        let (wide, back) = (f.wide(), -f.depth.clone());
        let right = f.right_way();
        if i == 0 {
            sides |= meets(&f.at(&zero, &back), &f.left, &f.ahead, true);
        }
        if i + 1 == b.fronts.len() {
            sides |= meets(&f.at(&wide, &back), &f.right, &f.ahead, true);
        }
        // The rear edge of an arm ends at the inner corner of the L.
        let (from, to) = match (corner, i) {
            (true, 0) => (zero.clone(), wide.clone() - f.depth.clone()),
            (true, _) => (f.depth.clone(), wide.clone()),
            (false, _) => (zero.clone(), wide.clone()),
        };
        for (trim, (front, rear)) in
            [true, false].into_iter().zip(fronts.iter_mut().zip(rears.iter_mut()))
        {
            *front |= meets(&f.left, &f.right, &right, trim);
            *rear |= meets(&f.at(&from, &back), &f.at(&to, &back), &right, trim);
        }
    }
    let ([front, front_corner], [rear, rear_corner]) = (fronts, rears);
    let at_front = front || (front_corner && !sides);
    [at_front, sides, rear || (rear_corner && !sides && !at_front)]
}

/// All that is measured from A to B.
#[must_use]
pub fn between<Q: Rational>(a: Body, b: Body) -> Between {
    let (a, b) = (Solid::<Q>::of(&a), Solid::<Q>::of(&b));
    let grains = |length: Q| i32::try_from((length * Q::of(GRAIN, 1)).floor()).unwrap_or(i32::MAX);
    let mut found = Between::NONE;
    let mut truths = 0;
    let mut say = |truth: Truth, holds: bool| truths |= if holds { truth.bit() } else { 0 };
    found.gap = i32::try_from(gap(&a, &b)).unwrap_or(i32::MAX);
    say(Truth::InContactWith, found.gap == 0);
    let base = !a.fronts.is_empty();
    if let Some(first) = a.fronts.first() {
        say(
            Truth::FacingAwayFrom,
            a.fronts.iter().all(|f| b.points().all(|p| !f.ahead_of(p).is_positive())),
        );
        let way = if b.fronts.is_empty() {
            say(Truth::StandingOn, stands_on(&a, &b));
            say(Truth::WhollyOn, wholly_on(&a, &b));
            way_to_ground(&a, &b)
        } else {
            let pairs = a.fronts.iter().flat_map(|f| b.fronts.iter().map(move |g| (f, g)));
            pairs.filter_map(|(f, g)| way_of_rectangles(f, g, &first.ahead)).min()
        };
        found.ahead = way.map_or(-1, grains);
    }
    if b.fronts.is_empty() {
        found.truths = truths;
        return found;
    }
    let overlap = if base { overlap(&a, &b) } else { stands_on(&b, &a) };
    let all = |test: &dyn Fn(&Front<Q>, &Point<Q>) -> bool| {
        b.fronts.iter().all(|f| a.points().all(|p| test(f, p)))
    };
    let in_front_lines = all(&|f, p| !f.ahead_of(p).is_positive());
    let in_rear = all(&|f, p| f.ahead_of(p) <= -f.depth.clone());
    say(Truth::Before, !in_front_lines);
    say(Truth::InRearOf, in_rear);
    say(Truth::InFlankOf, in_front_lines && !in_rear && !overlap);
    let wholly = |f: &Front<Q>| {
        let within = |p: &Point<Q>| {
            let along = f.along(p);
            f.ahead_of(p) <= -f.depth.clone() && !along.is_negative() && along <= f.wide()
        };
        a.points().all(within)
    };
    say(Truth::WhollyBehind, b.fronts.iter().any(wholly));
    say(
        Truth::LeftOf,
        b.fronts.first().is_some_and(|f| a.points().all(|p| !f.along(p).is_positive())),
    );
    say(
        Truth::RightOf,
        b.fronts.last().is_some_and(|f| a.points().all(|p| f.along(p) >= f.wide())),
    );
    say(Truth::InArcOf, b.fronts.iter().any(|f| in_arc(&a, f)));
    let [front, flank, rear] = touches(&a, &b);
    say(Truth::TouchingFrontOf, front);
    say(Truth::TouchingFlankOf, flank);
    say(Truth::TouchingRearOf, rear);
    let widest = |before: bool| {
        b.fronts.iter().map(|f| width_beyond(&a, f, before)).max().unwrap_or_else(Q::zero)
    };
    let behind = widest(false);
    say(Truth::Behind, behind.is_positive());
    found.behind = grains(behind);
    found.before = grains(widest(true));
    if base {
        let (flank, rear) = strips(&a, &b);
        found.flank = if overlap { 0 } else { grains(flank) };
        found.rear = grains(rear);
    }
    found.truths = truths;
    found
}
