//! What is wrong with a position on a table: told where the position says where its units lie.

use crate::diag::{Diagnostic, code};
use crate::ir::Ruleset;
use crate::kernel::{EvalFault, Position, TableFault};
use crate::source::{SourceId, Span};
use crate::world::World;
use crate::world::json::places;

/// The faults of a position that was read from a text: bases that overlap, reach over the edge, or
/// have no size.
pub fn position_faults(
    rules: &Ruleset,
    world: &World,
    text: &str,
    source: SourceId,
) -> Result<Vec<Diagnostic>, EvalFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(Vec::new()) };
    let faults = position.table_faults()?;
    if faults.is_empty() {
        return Ok(Vec::new());
    }
    let places = places(text, source);
    let place = |unit: u32| {
        let id = world.units.get(unit as usize).map(|u| u.id.as_str())?;
        places.iter().find(|(of, _)| of == id).map(|(_, span)| *span)
    };
    let told = |fault: TableFault| {
        let (message, help) = fault.told(rules, world);
        let code = match fault {
            TableFault::NoBase(_) | TableFault::NoSize(_) => code::E0814,
            TableFault::TooFine(_) => code::E0812,
            TableFault::OffTable(_) => code::E0815,
            TableFault::Overlap(..) => code::E0816,
        };
        // A unit that a setup has laid is not in the text; then the position as a whole is meant.
        let mut told = Diagnostic::error(
            code,
            place(fault.unit()).unwrap_or(Span::new(source, 0, 0)),
            message,
        )
        .help(help);
        if let TableFault::Overlap(first, _) = fault
            && let Some(span) = place(first)
        {
            told = told.label(span, "the other lies here");
        }
        told
    };
    Ok(faults.into_iter().map(told).collect())
}
