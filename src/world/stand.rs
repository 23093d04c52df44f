//! Directions as they are written, and as the geometry of tables knows them.

use crate::map::Heading;
use crate::tabletop::Facing;

/// The direction of so many degrees from north, as the clock goes.
#[must_use]
pub fn heading_of_degrees(degrees: u16) -> Option<Heading> {
    let (east, north, _) = Facing::degrees(u32::from(degrees)).ok()?.parts();
    Heading::toward(east, north)
}

/// A direction as positions and orders write it: a word, degrees, or `(3, 4)`.
#[must_use]
pub fn read_heading(text: &str) -> Option<Heading> {
    if let Some(word) = Heading::called(text) {
        return Some(word);
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let (east, north) = inner.split_once(',')?;
        let (east, north, _) =
            Facing::towards(east.trim().parse().ok()?, north.trim().parse().ok()?).ok()?.parts();
        return Heading::toward(east, north);
    }
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|d| plain && *d < 360).and_then(heading_of_degrees)
}
