//! The table of a position: how large its units lie on it, what is measured there, and what is
//! wrong with it.

use std::sync::Arc;

use super::{Cx, EvalFault, Position};
use crate::ir::{Measure, Ruleset};
use crate::map::{Coordinate, Heading, Outline, Stand};
use crate::tabletop::{
    Base, Between, FINEST, Facing, Facts, Fault, GRAIN, Ground, Point, Shape, Table, Thing, Truth,
    Wrong, between,
};
use crate::world::{ThingRef, World};

/// Tables with more bodies are measured pair by pair as they are asked for: of all pairs at once
/// there are too many.
const MANY: usize = 256;

/// The bases and the ground of a position on their table.
#[derive(Debug, Clone)]
pub struct Laid {
    table: Table,
    /// The unit of each base, ascending.
    units: Vec<u32>,
    /// The space of each piece of ground, ascending.
    spaces: Vec<u32>,
}

/// What is wrong with a position on a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFault {
    /// a unit lies on the table, and no kind says how large it is
    NoBase(u32),
    /// its width or its depth is not above 0, or cannot be kept
    NoSize(u32),
    /// its size and its place are no fractions of one denominator that is kept
    TooFine(u32),
    /// it reaches over the edge
    OffTable(u32),
    /// two units lie on each other
    Overlap(u32, u32),
}

impl TableFault {
    /// The unit that is to be moved; of two that overlap the second.
    #[must_use]
    pub fn unit(self) -> u32 {
        match self {
            TableFault::NoBase(unit) | TableFault::NoSize(unit) | TableFault::TooFine(unit) => unit,
            TableFault::OffTable(unit) | TableFault::Overlap(_, unit) => unit,
        }
    }

    /// What is wrong, and what to do about it.
    #[must_use]
    pub fn told(self, rules: &Ruleset, world: &World) -> (String, String) {
        let name = |unit: u32| world.units.get(unit as usize).map_or("", |u| u.id.as_str());
        let kind = |unit: u32| {
            world
                .units
                .get(unit as usize)
                .and_then(|u| rules.kinds.get(u.kind.index()))
                .map_or("unit", |k| k.name.as_str())
        };
        match self {
            TableFault::NoBase(unit) => (
                format!("`{}` lies on the table, and no line says how large a {} is", name(unit), kind(unit)),
                format!("write `base 1 by 1/2`, or how large it is, under `kind {}`", kind(unit)),
            ),
            TableFault::NoSize(unit) => (
                format!("the base of `{}` comes to no width and depth above 0", name(unit)),
                format!("look at the line `base` under `kind {}`: what it reads must be known and above 0", kind(unit)),
            ),
            TableFault::TooFine(unit) => (
                format!("the place of `{}` and the size of its base have no common denominator up to {FINEST}", name(unit)),
                "write its place in coarser fractions, such as halves or tenths".to_owned(),
            ),
            TableFault::OffTable(unit) => (
                format!("the base of `{}` reaches over the edge of the table", name(unit)),
                "move it inward: its place is the middle of its front edge, and the base lies behind it".to_owned(),
            ),
            TableFault::Overlap(a, b) => {
                (format!("`{}` and `{}` lie on each other", name(a), name(b)), "bases may touch; move one of the two".to_owned())
            }
        }
    }
}

impl Laid {
    /// The geometry.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The units that lie on it, each with its base.
    pub fn bases(&self) -> impl Iterator<Item = (u32, &Base)> {
        self.units.iter().copied().zip(&self.table.bases)
    }

    /// The number of the base of a unit.
    pub(super) fn at(&self, unit: u32) -> Option<usize> {
        self.units.binary_search(&unit).ok()
    }

    pub(super) fn unit_of(&self, thing: Thing) -> Option<u32> {
        match thing {
            Thing::Base(at) => self.units.get(at).copied(),
            Thing::Ground(_) => None,
        }
    }

    fn thing(&self, thing: ThingRef) -> Option<Thing> {
        match thing {
            ThingRef::Unit(unit) => self.at(unit).map(Thing::Base),
            ThingRef::Space(space) => self.spaces.binary_search(&space).ok().map(Thing::Ground),
            ThingRef::Link(_) | ThingRef::Side(_) | ThingRef::World => None,
        }
    }

    /// Lays a unit that lies on it anew.
    pub fn lay(&mut self, unit: u32, to: Stand) {
        let at = self.at(unit);
        if let (Some(facing), Some(base)) =
            (facing_of(to.facing), at.and_then(|at| self.table.bases.get_mut(at)))
        {
            *base = Base { x: to.x, y: to.y, facing, ..*base };
        }
    }
}

/// A table with all that is measured on it.
#[derive(Debug)]
pub(super) struct Measured {
    laid: Laid,
    /// All of it at once, where that is not too much.
    facts: Option<Facts>,
}

impl Measured {
    /// What is measured from one thing to another; nothing where one of them does not lie on the
    /// table.
    pub(super) fn between(&self, from: ThingRef, to: ThingRef) -> Option<Between> {
        let (from, to) = (self.laid.thing(from)?, self.laid.thing(to)?);
        if from == to {
            return None;
        }
        match &self.facts {
            Some(facts) => facts.between(from, to).copied(),
            None => {
                let body = |thing| self.laid.table.body(thing);
                between(body(from)?, body(to)?).ok()
            }
        }
    }
}

impl Position<'_> {
    /// The table with all that lies on it; none for a map that is no table. Units without a size
    /// are left out.
    pub fn laid(&self) -> Result<Option<Laid>, EvalFault> {
        Ok(self.laid_with_faults()?.map(|(laid, _)| laid))
    }

    /// All that is wrong with the position on its table, in the order of the units.
    pub fn table_faults(&self) -> Result<Vec<TableFault>, EvalFault> {
        let Some((laid, mut faults)) = self.laid_with_faults()? else { return Ok(Vec::new()) };
        let unit = |at: usize| laid.units.get(at).copied().unwrap_or(u32::MAX);
        faults.extend(laid.table.faults().into_iter().filter_map(|fault| match fault {
            Fault::OffTable(at) => Some(TableFault::OffTable(unit(at))),
            Fault::Overlap(a, b) => Some(TableFault::Overlap(unit(a), unit(b))),
            // Sizes and bounds are looked at before, ground when its map is read.
            Fault::Size | Fault::Bounds(..) | Fault::FewPoints(_) | Fault::Crosses(_) => None,
        }));
        Ok(faults)
    }

    fn laid_with_faults(&self) -> Result<Option<(Laid, Vec<TableFault>)>, EvalFault> {
        let Some(top) = &self.map.tabletop else { return Ok(None) };
        let (mut bases, mut units, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for unit in 0..u32::try_from(self.world.units.len()).unwrap_or(u32::MAX) {
            let Some(stand) = self.world.stand(unit) else { continue };
            match self.base(unit, stand)? {
                Ok(base) => {
                    bases.push(base);
                    units.push(unit);
                }
                Err(fault) => faults.push(fault),
            }
        }
        let (spaces, grounds) =
            top.grounds.iter().map(|outline| (outline.space, ground(outline))).unzip();
        Ok(Some((
            Laid {
                table: Table { width: top.width, depth: top.depth, bases, grounds },
                units,
                spaces,
            },
            faults,
        )))
    }

    /// How a unit lies: its width, its depth and its form are rules of its kind, asked of the unit.
    fn base(&self, unit: u32, stand: Stand) -> Result<Result<Base, TableFault>, EvalFault> {
        let kind = self.world.units[unit as usize].kind;
        let Some(rule) = self.rules.base_of(kind) else { return Ok(Err(TableFault::NoBase(unit))) };
        let thing = ThingRef::Unit(unit);
        let cx = Cx::of(self.viewer_of(thing), thing);
        let bent = match rule.bent {
            Some(bent) => self.holds(bent, &cx)?,
            None => false,
        };
        let (width, depth) =
            (self.value(rule.width, &cx)?.amount(), self.value(rule.depth, &cx)?.amount());
        let shape = if bent { Shape::Corner } else { Shape::Block };
        let base = width.zip(depth).zip(facing_of(stand.facing)).map(|((width, depth), facing)| {
            Base { x: stand.x, y: stand.y, facing, width, depth, shape }
        });
        let Some(base) = base else { return Ok(Err(TableFault::NoSize(unit))) };
        Ok(match base.unit() {
            Ok(_) => Ok(base),
            // A size that can be kept by itself is not what is wrong.
            Err(Wrong::TooFine)
                if Base { x: Coordinate::ZERO, y: Coordinate::ZERO, ..base }.unit().is_ok() =>
            {
                Err(TableFault::TooFine(unit))
            }
            Err(_) => Err(TableFault::NoSize(unit)),
        })
    }

    /// What is measured on the table, worked out when something is first asked; none for a map that
    /// is no table.
    pub(super) fn measures(&self) -> Result<Option<Arc<Measured>>, EvalFault> {
        if let Some(known) = self.measured.get() {
            return known.clone();
        }
        let found = self.laid().map(|laid| {
            laid.map(|laid| {
                let few = laid.table.bases.len() + laid.table.grounds.len() <= MANY;
                let facts = if few { Facts::of(&laid.table).ok() } else { None };
                Arc::new(Measured { laid, facts })
            })
        });
        self.measured.get_or_init(|| found).clone()
    }
}

/// An amount in the dimension of the table.
pub(super) fn amount(between: &Between, measure: Measure) -> Option<Coordinate> {
    use crate::tabletop::Measure as M;
    let measure = match measure {
        Measure::Gap => M::Gap,
        Measure::WidthBehindFlank => M::WidthBehindFlank,
        Measure::WidthBehindRear => M::WidthBehindRear,
        Measure::WidthBehind => M::WidthBehind,
        Measure::WidthBefore => M::WidthBefore,
        Measure::WayAhead => M::WayAhead,
        _ => return None,
    };
    between.amount(measure).map(|grains| Coordinate::new(grains, GRAIN))
}

/// A truth of the table.
pub(super) fn truth(between: &Between, measure: Measure) -> bool {
    let truth = match measure {
        Measure::InContactWith => Truth::InContactWith,
        Measure::FacingAwayFrom => Truth::FacingAwayFrom,
        Measure::Before => Truth::Before,
        Measure::Behind => Truth::Behind,
        Measure::WhollyBehind => Truth::WhollyBehind,
        Measure::InFlankOf => Truth::InFlankOf,
        Measure::InRearOf => Truth::InRearOf,
        Measure::InArcOf => Truth::InArcOf,
        Measure::LeftOf => Truth::LeftOf,
        Measure::RightOf => Truth::RightOf,
        Measure::TouchingFrontOf => Truth::TouchingFrontOf,
        Measure::TouchingFlankOf => Truth::TouchingFlankOf,
        Measure::TouchingRearOf => Truth::TouchingRearOf,
        Measure::StandingOn => Truth::StandingOn,
        Measure::WhollyOn => Truth::WhollyOn,
        Measure::Gap | Measure::WidthBehindFlank | Measure::WidthBehindRear => return false,
        Measure::WidthBehind | Measure::WidthBefore | Measure::WayAhead => return false,
    };
    between.is(truth)
}

/// A piece of ground as the geometry knows it.
#[must_use]
pub fn ground(outline: &Outline) -> Ground {
    let points = outline.points.iter().map(|(x, y)| Point { x: *x, y: *y }).collect();
    if outline.closed { Ground::Area(points) } else { Ground::Line(points) }
}

/// A direction as the geometry knows it.
pub(super) fn facing_of(heading: Heading) -> Option<Facing> {
    Facing::towards(heading.east, heading.north).ok()
}

/// Where a base lies.
pub(super) fn stand_of(base: &Base) -> Option<Stand> {
    let (east, north, _) = base.facing.parts();
    Heading::toward(east, north).map(|facing| Stand { x: base.x, y: base.y, facing })
}
