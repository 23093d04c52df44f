//! Straight rows of hexes: `line road 0201 to 0207`, filled in hex by hex.

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::map::{Map, NoRow};
use crate::syntax::ast::Name;

impl Checker<'_> {
    /// Whether rows of hexes may be drawn with a kind of link.
    pub(super) fn may_fill(&mut self, name: &Name, kind: KindId) -> bool {
        let along_sides = self.out.is_kind(kind, KindId::HEXSIDE);
        if along_sides {
            let link = self.a_kind(kind);
            let message = format!("{link} lies along the sides of hexes, and a row crosses them");
            self.fault(
                Diagnostic::error(code::E0730, name.span, message)
                    .help("write `link`, with the two hexes on both sides of each side"),
            );
        }
        !along_sides
    }

    /// The steps of a straight row from one hex to another; none where a fault stands in it.
    pub(super) fn filled(
        &mut self,
        (a, b): (u32, u32),
        names: (&Name, &Name),
        out: &Map,
    ) -> Vec<(u32, u32)> {
        let id = |at: u32| out.spaces.get(at as usize).map_or("", |space| space.id.as_str());
        let (from, to) = (id(a), id(b));
        let row = out.grid.as_ref().map_or(Err(NoRow::NoHex), |grid| grid.row(a, b));
        let (message, help) = match row {
            Ok(row) => return row.iter().copied().zip(row.iter().copied().skip(1)).collect(),
            Err(NoRow::NoHex) => (
                format!("no row of hexes runs from `{from}` to `{to}`"),
                "a row begins and ends at a hex of a grid; write `link` for what joins two spaces"
                    .to_owned(),
            ),
            Err(NoRow::Outside(label)) => (
                format!("the row from `{from}` to `{to}` leaves the map at {label}"),
                "name the hexes at which it bends around what is outside".to_owned(),
            ),
            Err(NoRow::Bent(bend)) => (
                format!("`{from}` and `{to}` lie on no straight row of hexes"),
                match bend {
                    Some(bend) => format!("it may bend at {0}: `{from} to {0} to {to}`", id(bend)),
                    None => "name the hexes at which it bends".to_owned(),
                },
            ),
        };
        self.fault(
            Diagnostic::error(code::E0730, names.1.span, message)
                .label(names.0.span, "from here")
                .help(help),
        );
        Vec::new()
    }
}
