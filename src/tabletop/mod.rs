//! The exact geometry of a table of miniatures: bases, ground, what lies between two of them, and
//! moves.
//!
//! Takes places, sizes and facings as fractions of a base width; gives amounts in grains, truths,
//! and new places. Knows no ruleset, no unit and no text. All arithmetic is in whole numbers, so
//! that every machine answers the same.
//!
//! The order of the files is the order of the data: numbers, facings, bodies, one body as another
//! sees it, the measures between two, the facts of a whole table, moves.

mod body;
mod contact;
mod facing;
mod facts;
mod fixed;
mod measure;
mod number;
mod oblique;
mod outline;
mod placement;
mod quick;
pub mod reference;
mod space;
mod square;
mod sweep;
mod table;

pub use body::{Base, Body, Ground, Point, Shape, Zone, beyond, middle};
pub use facing::Facing;
pub use facts::{Facts, Thing};
pub use measure::{Between, Measure, Truth, between};
pub use number::{FINEST, Fraction, GRAIN, HAIR, Wrong, in_grains};
pub use placement::{Corner, Placement, Placements, Stop};
pub use table::{Fault, Table};
