//! Placements: where a base comes to stand, as new bases; the table itself is left as it is.
//!
//! A place is exact as long as its numbers have a common denominator within the bounds. Beyond that
//! it is rounded to 1/72000 of a base width, and so that what it touched it still touches; see
//! [`super::HAIR`].

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive, Zero};

use super::body::{Base, Body, Shape};
use super::facing::Facing;
use super::facts::Thing;
use super::measure::{Edge, Truth, between, edges_touched, overlap, passed_back, way};
use super::number::{FARTHEST, Fraction, Wrong};
use super::table::Table;
use crate::arrange::Arrange as _;

type Exactly = Ratio<BigInt>;

/// Rounded places are multiples of one over this.
const FINE: i64 = 72_000;

/// The corner of its front about which a base wheels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Corner {
    /// The left end of its front edge.
    Left,
    /// The right end.
    Right,
}

/// Where a base comes to stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The base in its new place.
    pub base: Base,
    /// Whether it lies on the table whole.
    pub on_table: bool,
    /// Whether it overlaps no other base.
    pub free: bool,
    /// What stopped it, in the order of the table.
    pub met: Vec<Thing>,
    /// The bases that it passed through, in the order of the table.
    pub passed: Vec<usize>,
    /// Whether the place had to be rounded.
    pub rounded: bool,
}

/// Places to choose from.
pub type Placements = Vec<Placement>;

/// What stops a base on its way besides the other bases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stop<'a> {
    /// The ground that it may not enter, by number.
    pub grounds: &'a [usize],
}

/// A point or a way in exact numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spot {
    x: Exactly,
    y: Exactly,
}

fn exactly(f: Fraction) -> Exactly {
    Ratio::new(BigInt::from(*f.numer()), BigInt::from(*f.denom()))
}

fn half(f: Fraction) -> Exactly {
    exactly(f) / BigInt::from(2)
}

impl Spot {
    fn of(base: &Base) -> Spot {
        Spot { x: exactly(base.x), y: exactly(base.y) }
    }

    /// So far along a facing from here.
    fn along(&self, facing: Facing, by: &Exactly) -> Spot {
        Spot {
            x: &self.x + exactly(facing.sine()) * by,
            y: &self.y + exactly(facing.cosine()) * by,
        }
    }

    /// How far from here along a facing another spot lies.
    fn reach(&self, facing: Facing, to: &Spot) -> Exactly {
        (&to.x - &self.x) * exactly(facing.sine()) + (&to.y - &self.y) * exactly(facing.cosine())
    }
}

/// A base at a spot, and whether it had to be rounded.
fn at(base: &Base, facing: Facing, spot: &Spot) -> Result<(Base, bool), Wrong> {
    let far = Exactly::from_integer(BigInt::from(FARTHEST));
    if spot.x.abs() > far || spot.y.abs() > far {
        return Err(Wrong::TooFar);
    }
    let plain = |n: &Exactly| Some(Fraction::new(n.numer().to_i64()?, n.denom().to_i64()?));
    if let (Some(x), Some(y)) = (plain(&spot.x), plain(&spot.y)) {
        let exact = Base { x, y, facing, ..*base };
        if exact.unit().is_ok() {
            return Ok((exact, false));
        }
    }
    let round = |n: &Exactly| {
        let fine = (n * BigInt::from(FINE)).round().to_integer().to_i64().ok_or(Wrong::TooFar)?;
        Ok(Fraction::new(fine, FINE))
    };
    let rounded = Base { x: round(&spot.x)?, y: round(&spot.y)?, facing, ..*base };
    rounded.unit()?;
    Ok((rounded, true))
}

impl Table {
    fn base(&self, a: usize) -> Option<&Base> {
        self.bases.get(a)
    }

    /// The other bases.
    fn others(&self, a: usize) -> impl Iterator<Item = (usize, &Base)> {
        self.bases.iter().enumerate().filter(move |(i, _)| *i != a)
    }

    /// Whether a base would stand free of all but one: the one that moves.
    fn is_free(&self, a: usize, base: &Base, but: Option<usize>) -> Result<bool, Wrong> {
        for (i, other) in self.others(a) {
            if Some(i) != but && overlap(&Body::Base(base), &Body::Base(other))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A placement without anything on the way.
    fn put(&self, a: usize, facing: Facing, spot: &Spot) -> Result<Option<Placement>, Wrong> {
        let Some(base) = self.base(a) else { return Ok(None) };
        let (base, rounded) = at(base, facing, spot)?;
        let placement = Placement {
            base,
            on_table: self.holds(&base),
            free: self.is_free(a, &base, None)?,
            met: Vec::new(),
            passed: Vec::new(),
            rounded,
        };
        Ok(Some(placement))
    }

    /// Straight ahead, at most so far, to the first contact with another base or with ground that
    /// stops it. `met` says what it touches there; it is empty if the base went all the way
    /// without.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn advance(&self, a: usize, by: Fraction, stop: Stop) -> Result<Option<Placement>, Wrong> {
        self.ahead(a, &exactly(by), stop, None)
    }

    /// The same; it is another word for the move of a pursuer, who goes the full distance or to
    /// what he meets.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn pursue(&self, a: usize, by: Fraction, stop: Stop) -> Result<Option<Placement>, Wrong> {
        self.advance(a, by, stop)
    }

    /// Straight ahead towards another base, to so far before the place where it would touch it,
    /// measured along its way. None if it would never touch it. What stands nearer in its way stops
    /// it sooner, and is then met.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn halt_short(
        &self,
        a: usize,
        b: usize,
        gap: Fraction,
        stop: Stop,
    ) -> Result<Option<Placement>, Wrong> {
        let (Some(base), Some(other)) = (self.base(a), self.base(b)) else { return Ok(None) };
        let Some(way) = way(&Body::Base(base), &Body::Base(other))? else { return Ok(None) };
        let by = (way - exactly(gap)).max(Exactly::zero());
        self.ahead(a, &by, stop, Some(b))
    }

    fn ahead(
        &self,
        a: usize,
        by: &Exactly,
        stop: Stop,
        short_of: Option<usize>,
    ) -> Result<Option<Placement>, Wrong> {
        let Some(base) = self.base(a) else { return Ok(None) };
        let bases =
            self.others(a).filter(|(i, _)| Some(*i) != short_of).map(|(i, _)| Thing::Base(i));
        let grounds = stop.grounds.iter().map(|g| Thing::Ground(*g));
        let mut nearest = by.max(&Exactly::zero()).clone();
        let mut met = Vec::new();
        for thing in bases.chain(grounds) {
            let Some(body) = self.body(thing) else { continue };
            let Some(way) = way(&Body::Base(base), &body)? else { continue };
            if way < nearest {
                met.clear();
            }
            if way <= nearest {
                met.push(thing);
                nearest = way;
            }
        }
        let placed = self.put(a, base.facing, &Spot::of(base).along(base.facing, &nearest))?;
        let Some(mut placed) = placed else { return Ok(None) };
        if placed.rounded {
            placed = self.against(a, &nearest, &met, placed)?;
        }
        placed.met = met;
        Ok(Some(placed))
    }

    /// A rounded place may lie short of what was met: the base goes on by the least step that
    /// brings it there.
    fn against(
        &self,
        a: usize,
        way: &Exactly,
        met: &[Thing],
        short: Placement,
    ) -> Result<Placement, Wrong> {
        let Some(base) = self.base(a) else { return Ok(short) };
        for step in 0..6 {
            let further = way + Exactly::new(BigInt::from(step), BigInt::from(FINE));
            let Some(placed) =
                self.put(a, base.facing, &Spot::of(base).along(base.facing, &further))?
            else {
                continue;
            };
            let mut touches = placed.free;
            for body in met.iter().filter_map(|t| self.body(*t)) {
                touches &= between(Body::Base(&placed.base), body)?.is(Truth::InContactWith);
            }
            if touches {
                return Ok(placed);
            }
        }
        Ok(short)
    }

    /// Straight back so far, keeping its facing, through other bases; `passed` says through which,
    /// and `free` whether it can stand where it ends.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn fall_back(&self, a: usize, by: Fraction) -> Result<Option<Placement>, Wrong> {
        let Some(base) = self.base(a) else { return Ok(None) };
        let spot = Spot::of(base).along(base.facing, &-exactly(by));
        let Some(mut placed) = self.put(a, base.facing, &spot)? else { return Ok(None) };
        placed.passed = self.passes(a, &exactly(by), base)?;
        Ok(Some(placed))
    }

    /// The same: what pushes it needs no other rule.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn push_back(&self, a: usize, by: Fraction) -> Result<Option<Placement>, Wrong> {
        self.fall_back(a, by)
    }

    /// The bases through which a base goes on its way straight back.
    fn passes(&self, a: usize, by: &Exactly, base: &Base) -> Result<Vec<usize>, Wrong> {
        let mut passed = Vec::new();
        for (i, other) in self.others(a) {
            // The way back is the way ahead of the same outline with its front behind; its corners
            // are the same.
            let ways = super::measure::met_back(&Body::Base(base), &Body::Base(other))?;
            if ways.iter().any(|way| way < by) {
                passed.push(i);
            }
        }
        Ok(passed)
    }

    /// Straight back, keeping its facing, to the first place behind another base where it fits, as
    /// far as needed; it then touches the base behind which it stands. None if there is no such
    /// base or the table ends before.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn first_gap_behind(&self, a: usize) -> Result<Option<Placement>, Wrong> {
        let Some(base) = self.base(a) else { return Ok(None) };
        let mut ways = Vec::new();
        for (_, other) in self.others(a) {
            ways.extend(passed_back(&Body::Base(base), &Body::Base(other))?);
        }
        ways.arrange();
        ways.dedup();
        for way in ways {
            let placed =
                self.put(a, base.facing, &Spot::of(base).along(base.facing, &-way.clone()))?;
            let Some(mut placed) = placed.filter(|p| p.on_table) else { return Ok(None) };
            if placed.free {
                placed.passed = self.passes(a, &way, base)?;
                return Ok(Some(placed));
            }
        }
        Ok(None)
    }

    /// Lines exchanged: `a` takes the place and facing of `b`, and `b` stands directly behind it,
    /// touching. First `a`, then `b`; each says whether it is free of all bases but the other.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn swap(&self, a: usize, b: usize) -> Result<Option<(Placement, Placement)>, Wrong> {
        let (Some(front), Some(rear)) = (self.base(b), self.base(a)) else { return Ok(None) };
        let here = Spot::of(front);
        let behind = here.along(front.facing, &-exactly(rear.depth));
        let (Some(mut first), Some(mut second)) =
            (self.put(a, front.facing, &here)?, self.put(b, front.facing, &behind)?)
        else {
            return Ok(None);
        };
        first.free = self.is_free(a, &first.base, Some(b))?;
        second.free = self.is_free(b, &second.base, Some(a))?;
        Ok(Some((first, second)))
    }

    /// Laid with its front along the edge of `b` that it touches, facing it, and slid along that
    /// edge no farther than gives the fullest contact. One place for each edge that it touches;
    /// none if it touches none.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn conform(&self, a: usize, b: usize) -> Result<Placements, Wrong> {
        let (Some(base), Some(other)) = (self.base(a), self.base(b)) else { return Ok(Vec::new()) };
        let mut places = Vec::new();
        for edge in edges_touched(&Body::Base(base), &Body::Base(other))? {
            let (outward, from, long) = side(other, edge);
            let facing = outward.back();
            // Along the edge to the right of the base that is laid there, from the right end of the
            // edge as it looks out.
            let way = facing.right();
            let wide = exactly(base.width);
            // The front of an L is that of its first arm, to the left of its place.
            let (left, right) = match base.shape {
                Shape::Block => (-half(base.width), half(base.width)),
                Shape::Corner => (-half(base.width), Exactly::zero()),
            };
            let wide = if base.shape == Shape::Block { wide } else { half(base.width) };
            let here = from.reach(way, &Spot::of(base));
            // Its front lies from `at + left` to `at + right` on an edge from 0 to `long`.
            let (low, high) =
                if wide <= long { (-&left, &long - &right) } else { (&long - &right, -&left) };
            let at = here.max(low).min(high);
            places.extend(self.put(a, facing, &from.along(way, &at))?);
        }
        Ok(places)
    }

    /// Turned by quarter turns so that its front faces `b`, about its middle. If it touches `b`
    /// with a side or its rear, that edge becomes its front line; else it turns to where `b` lies
    /// most. More than one place where two turns tie. An L turns about its place.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn turn_to(&self, a: usize, b: usize) -> Result<Placements, Wrong> {
        let (Some(base), Some(other)) = (self.base(a), self.base(b)) else { return Ok(Vec::new()) };
        let mut turns: Vec<(Facing, bool)> = Vec::new();
        for edge in edges_touched(&Body::Base(other), &Body::Base(base))? {
            let turn = (side(base, edge).0, true);
            if !turns.contains(&turn) {
                turns.push(turn);
            }
        }
        if turns.is_empty() {
            let middle = middle(base);
            let to = self::middle(other);
            let facings =
                [base.facing, base.facing.right(), base.facing.back(), base.facing.left()];
            let reach = facings.map(|f| middle.reach(f, &to));
            let most = reach.iter().max().cloned();
            turns.extend(
                facings
                    .into_iter()
                    .zip(reach)
                    .filter(|(_, r)| Some(r) == most.as_ref())
                    .map(|(f, _)| (f, false)),
            );
        }
        let mut places = Vec::new();
        for (facing, touched) in turns {
            let sideways = facing == base.facing.right() || facing == base.facing.left();
            let ahead = if sideways && touched { half(base.width) } else { half(base.depth) };
            let spot = match base.shape {
                Shape::Block => middle(base).along(facing, &ahead),
                Shape::Corner => Spot::of(base),
            };
            places.extend(self.put(a, facing, &spot)?);
        }
        Ok(places)
    }

    /// Turned about where it stands, front to rear. An L turns about its place.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn about_face(&self, a: usize) -> Result<Option<Placement>, Wrong> {
        let Some(base) = self.base(a) else { return Ok(None) };
        self.put(a, base.facing.back(), &turned_about(base))
    }

    /// Turned to a new facing about an end of its front edge; of an L about an end of the front of
    /// its first arm.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn wheel(
        &self,
        a: usize,
        pivot: Corner,
        facing: Facing,
    ) -> Result<Option<Placement>, Wrong> {
        let Some(base) = self.base(a) else { return Ok(None) };
        let end = match (base.shape, pivot) {
            (_, Corner::Left) => -half(base.width),
            (Shape::Block, Corner::Right) => half(base.width),
            (Shape::Corner, Corner::Right) => Exactly::zero(),
        };
        let corner = Spot::of(base).along(base.facing.right(), &end);
        self.put(a, facing, &corner.along(facing.right(), &-end))
    }

    /// Turned about, and then straight ahead so far through other bases; `passed` says through
    /// which.
    ///
    /// # Errors
    /// A body is out of bounds.
    pub fn break_off(&self, a: usize, by: Fraction) -> Result<Option<Placement>, Wrong> {
        let Some(base) = self.base(a) else { return Ok(None) };
        let facing = base.facing.back();
        let Some(mut placed) =
            self.put(a, facing, &turned_about(base).along(facing, &exactly(by)))?
        else {
            return Ok(None);
        };
        placed.passed = self.passes(a, &exactly(by), base)?;
        Ok(Some(placed))
    }
}

/// The middle of a base; of an L its place.
fn middle(base: &Base) -> Spot {
    match base.shape {
        Shape::Block => Spot::of(base).along(base.facing, &-half(base.depth)),
        Shape::Corner => Spot::of(base),
    }
}

/// The place of a base once it has turned about.
fn turned_about(base: &Base) -> Spot {
    match base.shape {
        Shape::Block => Spot::of(base).along(base.facing, &-exactly(base.depth)),
        Shape::Corner => Spot::of(base),
    }
}

/// An edge of a base: where it looks, its end to the right as one looks out of it, and how long it
/// is.
fn side(base: &Base, edge: Edge) -> (Facing, Spot, Exactly) {
    let (wide, deep, half) = (exactly(base.width), exactly(base.depth), half(base.width));
    let zero = Exactly::zero();
    let forward = base.facing;
    let spot = |right: &Exactly, ahead: &Exactly| {
        Spot::of(base).along(forward.right(), right).along(forward, ahead)
    };
    match (base.shape, edge) {
        (Shape::Block, Edge::Front(_)) => (forward, spot(&half, &zero), wide),
        (Shape::Block, Edge::Left) => (forward.left(), spot(&-&half, &zero), deep),
        (Shape::Block, Edge::Right) => (forward.right(), spot(&half, &-&deep), deep),
        (Shape::Block, Edge::Rear(_)) => (forward.back(), spot(&-&half, &-&deep), wide),
        (Shape::Corner, Edge::Front(0)) => (forward, spot(&zero, &zero), half),
        (Shape::Corner, Edge::Front(_)) => (forward.right(), spot(&zero, &-&half), half),
        (Shape::Corner, Edge::Left) => (forward.left(), spot(&-&half, &zero), deep),
        (Shape::Corner, Edge::Right) => (forward.back(), spot(&-&deep, &-&half), deep),
        (Shape::Corner, Edge::Rear(0)) => (forward.back(), spot(&-&half, &-&deep), &half - &deep),
        (Shape::Corner, Edge::Rear(_)) => (forward.left(), spot(&-&deep, &-&deep), &half - &deep),
    }
}
