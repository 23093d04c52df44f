//! What is known of units without the library, against those who answer one position after another.

use sutler::kernel::{Series, Session};
use sutler::world::{ThingRef, World};

/// A session, if there is one, says of each unit what is told of it.
pub fn session_says(session: Option<&Session<'_>>, told: &[bool], what: &str) {
    let Some(session) = session else { return };
    for (unit, yes) in (0u32..).zip(told) {
        assert_eq!(session.yes(unit), Some(*yes), "session, {what}");
    }
}

/// A series answers for so many units of each world, and of the first ones says what is told of them.
pub fn series_says(
    series: &mut Series<'_>,
    worlds: &[World],
    told: &[Vec<bool>],
    units: usize,
    what: &str,
) {
    for (found, told) in series.ask(worlds).into_iter().zip(told) {
        let found = found.unwrap();
        assert_eq!(found.len(), units, "series, {what}");
        for (at, (thing, yes)) in (0u32..).zip(found) {
            assert_eq!(thing, ThingRef::Unit(at), "series, {what}");
            if let Some(told) = told.get(at as usize) {
                assert_eq!(yes, *told, "series, {what}");
            }
        }
    }
}
