//! From the kernel's records to what is laid over a map.

use super::overlay::{Mark, Overlay, Sign};
use crate::ir::TraceId;
use crate::kernel::{Change, EvalFault, Gate, Position, Remedy, Threat, WhyNot};
use crate::report::{gate_word, thing_name};
use crate::world::ThingRef;

/// Why a thing has no line: every way out with its gate, and the cheapest change that restores it
/// with its line.
pub fn why_not_marks(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    found: &WhyNot,
) -> Result<Overlay, EvalFault> {
    let name = thing_name(position.rules, position.world, thing);
    let mut overlay = Overlay { title: format!("why not {name}"), ..Overlay::default() };
    if found.answer.yes {
        return Ok(overlay);
    }
    for out in position.ways_out(trace, thing)? {
        let sign = if out.gate == Gate::Within { Sign::Edge } else { Sign::Shut };
        overlay.marks.push(Mark {
            space: out.space as usize,
            sign,
            words: format!("{} at {}", gate_word(out.gate), out.length),
        });
    }
    if let Some(restored) = found.remedies.first().or(found.removal.as_ref()) {
        let spaces: Vec<u32> = match &restored.remedy {
            Remedy::Gone(units) => {
                units.iter().filter_map(|u| position.world.space_of(*u)).collect()
            }
            Remedy::Freed(space, _) | Remedy::Turned(space, _) => vec![*space],
            Remedy::Reach { .. } | Remedy::Stated(..) => found.answer.space.into_iter().collect(),
        };
        overlay.marks.extend(spaces.into_iter().map(|s| Mark {
            space: s as usize,
            sign: Sign::Remedy,
            words: "restores the line".to_owned(),
        }));
        let mut line: Vec<usize> = Vec::new();
        for (space, _) in restored.line.iter().flat_map(|s| &s.spaces) {
            if line.last() != Some(&(*space as usize)) {
                line.push(*space as usize);
            }
        }
        overlay.lines.push(line);
    }
    Ok(overlay)
}

/// What would cut units: the spaces that no line can do without, and those in which one more enemy
/// would cut.
#[must_use]
pub fn threat_marks(position: &Position<'_>, found: &Threat) -> Overlay {
    let unit = |thing: ThingRef| thing_name(position.rules, position.world, thing);
    let mut overlay = Overlay { title: "what would cut a line".to_owned(), ..Overlay::default() };
    for watched in &found.units {
        for space in &watched.cut_spaces {
            let words = format!("no line of {} without it", unit(watched.thing));
            overlay.marks.push(Mark { space: *space as usize, sign: Sign::Cut, words });
        }
    }
    for cut in &found.cuts {
        let (space, how) = match &cut.change {
            Change::Placed { space, .. } => (*space, "an enemy here"),
            Change::Moved { to, .. } => (*to, "an enemy that comes here"),
            Change::Turned { space, .. } => (*space, "its loss"),
            Change::Gone(_) | Change::Stated { .. } => continue,
        };
        let units: Vec<String> = cut.units.iter().map(|u| unit(u.thing)).collect();
        let words = format!("{how} cuts {}", units.join(", "));
        if !overlay.marks.iter().any(|m| m.space == space as usize && m.words == words) {
            overlay.marks.push(Mark { space: space as usize, sign: Sign::Threat, words });
        }
    }
    overlay
}
