//! Answers of a brute force about units, against a session and a series that answer one position after
//! another.

use sutler::ir::Ruleset;
use sutler::kernel::{Series, Session};
use sutler::world::{ThingRef, World, built_in};

/// A unit moves to a space, in a session, if there is one, and in a world.
pub fn unit_moves(
    rules: &Ruleset,
    (session, world): (Option<&mut Session<'_>>, &mut World),
    unit: u32,
    space: u32,
) {
    if let Some(session) = session {
        session.move_unit(unit, Some(space)).unwrap();
    }
    let fact = &rules.facts[built_in::SPACE.index()];
    world.set_fact(fact, ThingRef::Unit(unit), i64::from(space) + 1);
}

/// A session, if there is one, answers for each unit as the brute force does.
pub fn session_says(session: Option<&Session<'_>>, told: &[bool], what: &str) {
    let Some(session) = session else { return };
    for (unit, yes) in (0u32..).zip(told) {
        assert_eq!(session.yes(unit), Some(*yes), "session, {what}");
    }
}

/// A series answers for this many units of each world, and for the first of them as the brute force
/// does.
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
