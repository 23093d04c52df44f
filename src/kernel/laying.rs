//! How units can be laid anew on their table: every way exact, what cannot be done with its reason.

use super::tabletop::{Laid, facing_of, stand_of};
use super::{Amount, Cx, EvalFault, Position};
use crate::ir::{self, ExprId, PlacementWord};
use crate::map::{Heading, Stand};
use crate::tabletop::{Corner, Placement, Stop, Thing, Wrong};
use crate::world::ThingRef;

/// How a unit is to be laid anew, its amounts and things worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Laying {
    /// straight ahead
    Advance {
        /// how far
        by: Amount,
        /// whether it halts just before what it would touch
        short: bool,
    },
    /// straight back
    FallBack {
        /// how far
        by: Amount,
    },
    /// straight back to the first place that holds it
    FallBackToGap,
    /// exchange places with a unit
    Swap(u32),
    /// along the edge of a unit that it touches
    Conform(u32),
    /// turned by quarters toward a unit
    Face(u32),
    /// turned round
    FaceAbout,
    /// turned round and gone
    BreakOff {
        /// how far
        by: Amount,
    },
    /// swung round a corner of its front
    Wheel {
        /// round the left corner, else the right one
        left: bool,
        /// until it faces there
        to: Heading,
    },
}

impl Laying {
    /// Its name.
    #[must_use]
    pub fn word(self) -> PlacementWord {
        match self {
            Laying::Advance { .. } => PlacementWord::Advance,
            Laying::FallBack { .. } | Laying::FallBackToGap => PlacementWord::FallBack,
            Laying::Swap(_) => PlacementWord::Swap,
            Laying::Conform(_) => PlacementWord::Conform,
            Laying::Face(_) | Laying::FaceAbout => PlacementWord::Face,
            Laying::BreakOff { .. } => PlacementWord::BreakOff,
            Laying::Wheel { .. } => PlacementWord::Wheel,
        }
    }
}

/// Why a unit cannot be laid anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hindrance {
    /// it does not lie on the table
    NotOnTable,
    /// another lies where it would lie
    Taken,
    /// it would leave the table
    OffTable,
    /// it does not touch what it should
    NoContact,
    /// there is no place that holds it
    NoRoom,
}

impl Hindrance {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Hindrance::NotOnTable => "it is not on the table",
            Hindrance::Taken => "another unit is in the way",
            Hindrance::OffTable => "it would leave the table",
            Hindrance::NoContact => "it does not touch it",
            Hindrance::NoRoom => "no place holds it",
        }
    }
}

/// One way in which units are laid anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Who lies where in the end; more than one unit where two exchange places.
    pub stands: Vec<(u32, Stand)>,
    /// The units that stopped it on the way.
    pub met: Vec<u32>,
}

impl Way {
    /// Where a unit lies in the end.
    #[must_use]
    pub fn of(&self, unit: u32) -> Option<Stand> {
        self.stands.iter().find(|(u, _)| *u == unit).map(|(_, stand)| *stand)
    }
}

/// A unit that halts short of contact keeps this much from what it would touch: 1/20 of a length of
/// 1.
const SHORT: (i64, i64) = (1, 20);

impl Laid {
    /// All ways in which a unit can be laid anew as the table is: more than one only where several
    /// places tie.
    pub fn ways(&self, unit: u32, laying: Laying) -> Result<Vec<Way>, Hindrance> {
        let a = self.at(unit).ok_or(Hindrance::NotOnTable)?;
        let table = self.table();
        let other = |unit: u32| self.at(unit).filter(|b| *b != a).ok_or(Hindrance::NoContact);
        let one = |found: Result<Option<Placement>, Wrong>| {
            found.map(|placement| placement.into_iter().collect::<Vec<_>>())
        };
        let stop = Stop::default();
        let found = match laying {
            Laying::Advance { by, short: false } => one(table.advance(a, by, stop)),
            Laying::Advance { by, short: true } => one(self.short_of_contact(a, by)),
            Laying::FallBack { by } => one(table.fall_back(a, by)),
            Laying::FallBackToGap => one(table.first_gap_behind(a)),
            Laying::Swap(with) => return self.swapped(unit, a, with, other(with)?),
            Laying::Conform(to) => table.conform(a, other(to)?),
            Laying::Face(to) => table.turn_to(a, other(to)?),
            Laying::FaceAbout => one(table.about_face(a)),
            Laying::BreakOff { by } => one(table.break_off(a, by)),
            Laying::Wheel { left, to } => match facing_of(to) {
                Some(facing) => {
                    one(table.wheel(a, if left { Corner::Left } else { Corner::Right }, facing))
                }
                None => return Err(Hindrance::NoRoom),
            },
        };
        // What lies beyond the bounds of the geometry lies beyond every table.
        let found = found.map_err(|_| Hindrance::OffTable)?;
        if found.is_empty() {
            return Err(if matches!(laying, Laying::Conform(_)) {
                Hindrance::NoContact
            } else {
                Hindrance::NoRoom
            });
        }
        let mut ways = Vec::new();
        let mut hindered = Hindrance::OffTable;
        for placement in found {
            if !placement.on_table {
                continue;
            }
            if !placement.free {
                hindered = Hindrance::Taken;
                continue;
            }
            let met = placement.met.iter().filter_map(|thing| self.unit_of(*thing)).collect();
            ways.extend(
                stand_of(&placement.base).map(|stand| Way { stands: vec![(unit, stand)], met }),
            );
        }
        if ways.is_empty() { Err(hindered) } else { Ok(ways) }
    }

    /// As far ahead as it may go, but not into contact: it halts just before the first thing that
    /// it would touch.
    fn short_of_contact(&self, a: usize, by: Amount) -> Result<Option<Placement>, Wrong> {
        let table = self.table();
        let Some(whole) = table.advance(a, by, Stop::default())? else { return Ok(None) };
        let gap = Amount::new(SHORT.0, SHORT.1);
        // A thing that it would all but touch at the end of its way is kept off as well.
        let Some(further) = table.advance(a, by + gap, Stop::default())? else {
            return Ok(Some(whole));
        };
        match further
            .met
            .iter()
            .find_map(|thing| if let Thing::Base(b) = thing { Some(*b) } else { None })
        {
            Some(b) => {
                let mut short = table.halt_short(a, b, gap, Stop::default())?;
                if let Some(short) = &mut short {
                    short.met = further.met;
                }
                Ok(short)
            }
            None => Ok(Some(whole)),
        }
    }

    fn swapped(&self, unit: u32, a: usize, with: u32, b: usize) -> Result<Vec<Way>, Hindrance> {
        let found = self.table().swap(a, b).map_err(|_| Hindrance::OffTable)?;
        let Some((first, second)) = found else { return Err(Hindrance::NoRoom) };
        if !first.on_table || !second.on_table {
            return Err(Hindrance::OffTable);
        }
        if !first.free || !second.free {
            return Err(Hindrance::Taken);
        }
        let stands = [(unit, stand_of(&first.base)), (with, stand_of(&second.base))];
        let stands = stands.into_iter().filter_map(|(unit, stand)| Some((unit, stand?))).collect();
        Ok(vec![Way { stands, met: Vec::new() }])
    }
}

impl Position<'_> {
    /// How a unit is to be laid anew; none where what it should be laid by is not there.
    pub fn laying(&self, placement: &ir::Placement, cx: &Cx) -> Result<Option<Laying>, EvalFault> {
        let length = |id: &ExprId| {
            self.value(*id, cx).map(|value| value.amount().filter(|a| *a > Amount::from_integer(0)))
        };
        let unit = |id: &ExprId| {
            self.value(*id, cx).map(|value| match value.thing() {
                Some(ThingRef::Unit(unit)) => Some(unit),
                _ => None,
            })
        };
        Ok(match placement {
            ir::Placement::Advance { by, short } => {
                length(by)?.map(|by| Laying::Advance { by, short: *short })
            }
            ir::Placement::FallBack { by } => length(by)?.map(|by| Laying::FallBack { by }),
            ir::Placement::FallBackToGap => Some(Laying::FallBackToGap),
            ir::Placement::Swap(with) => unit(with)?.map(Laying::Swap),
            ir::Placement::Conform(to) => unit(to)?.map(Laying::Conform),
            ir::Placement::Face(to) => unit(to)?.map(Laying::Face),
            ir::Placement::FaceAbout => Some(Laying::FaceAbout),
            ir::Placement::BreakOff { by } => length(by)?.map(|by| Laying::BreakOff { by }),
            ir::Placement::Wheel { left, to } => Some(Laying::Wheel { left: *left, to: *to }),
        })
    }
}
