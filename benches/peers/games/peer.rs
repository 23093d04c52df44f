//! What a peer gives: yes or no for each thing that is asked of, or all that an answer rests on.

use sutler::kernel::Gate;

use super::plain::Plain;

/// A no.
pub const NO: u8 = 0;
/// A yes; of a space that is reached so much more as it is far.
pub const YES: u8 = 1;
/// Not asked: the unit stands nowhere, or is of another kind.
pub const UNASKED: u8 = u8::MAX;

/// The rules of one game by hand.
pub trait Peer {
    /// The answers for all units, or for all spaces, trace by trace; where reach is asked for, for
    /// all spaces, unit by unit.
    fn answers(&mut self, position: &Plain, out: &mut Vec<u8>);
    /// The same with lengths, routes and causes; false where this peer has none.
    fn found(&mut self, _position: &Plain, _out: &mut Vec<Found>) -> bool {
        false
    }
}

/// An answer with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// [`NO`], [`YES`] or [`UNASKED`].
    pub answer: u8,
    /// How long the line is.
    pub length: Option<u32>,
    /// Its spaces from the unit on; ties go to the space that comes first on the map.
    pub route: Vec<u16>,
    /// What decided.
    pub gate: Gate,
    /// The space that stopped it.
    pub stop: Option<u16>,
}

impl Found {
    /// A unit that stands nowhere, or is of another kind.
    pub fn unasked() -> Found {
        Found { answer: UNASKED, length: None, route: Vec::new(), gate: Gate::Never, stop: None }
    }

    /// A yes without a line.
    pub fn always() -> Found {
        Found { answer: YES, gate: Gate::Open, ..Found::unasked() }
    }

    /// A no before any line.
    pub fn never() -> Found {
        Found { answer: NO, gate: Gate::Never, ..Found::unasked() }
    }
}
