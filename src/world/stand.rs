//! Directions as they are written, and as the geometry of tables knows them.

use crate::map::Heading;

/// The direction of so many degrees from north, as the clock goes.
#[must_use]
pub fn heading_of_degrees(degrees: u16) -> Option<Heading> {
    match degrees {
        0 => Heading::called("north"),
        90 => Heading::called("east"),
        180 => Heading::called("south"),
        270 => Heading::called("west"),
        _ => None,
    }
}

/// A direction as positions and orders write it: a word, degrees, or `(3, 4)`.
#[must_use]
pub fn read_heading(text: &str) -> Option<Heading> {
    if let Some(word) = Heading::called(text) {
        return Some(word);
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let (east, north) = inner.split_once(',')?;
        return Heading::toward(east.trim().parse().ok()?, north.trim().parse().ok()?);
    }
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|d| plain && *d < 360).and_then(heading_of_degrees)
}
