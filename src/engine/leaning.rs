//! What a player who plays by chance leans to: how often an offer is taken, and which of its ways
//! weighs how much, said by expressions of the rules.

use crate::ir::{ExprId, KindId, PhaseId};
use crate::kernel::{Cx, EvalFault, Position, Value};
use crate::world::ThingRef;

use super::Deed;

/// An offer is taken so many times of a hundred where no row says otherwise.
const EVEN: u32 = 50;

/// A way weighs as much where no row says otherwise.
const PLAIN: u32 = 1;

/// No way weighs more.
const HEAVIEST: i64 = 10_000;

/// A row: what it is of, when it holds, and what it says.
#[derive(Debug, Clone)]
pub struct Lean {
    /// In which phase; in any, if nothing is said.
    pub phase: Option<PhaseId>,
    /// The kind of thing to which something is offered.
    pub of: KindId,
    /// The kind of thing to which a way leads; none for a row on taking the offer.
    pub to: Option<KindId>,
    /// When it holds; always, if nothing is said.
    pub when: Option<ExprId>,
    /// How often of a hundred, or how much it weighs.
    pub then: ExprId,
}

/// All rows; of each thing and each way the first that holds decides.
#[derive(Debug, Clone, Default)]
pub struct Leaning(pub Vec<Lean>);

impl Leaning {
    /// Of a hundred times how often what is offered to a thing is taken.
    pub(super) fn taken(
        &self,
        position: &Position<'_>,
        (thing, phase): (ThingRef, PhaseId),
        cx: &Cx,
    ) -> Result<u32, EvalFault> {
        let rows = self.rows(phase).filter(|row| row.to.is_none());
        let found = first(position, rows.filter(|row| position.is_kind(thing, row.of)), cx)?;
        Ok(found.map_or(EVEN, |said| said.min(100)))
    }

    /// How much each way weighs.
    pub(super) fn weights(
        &self,
        position: &Position<'_>,
        (thing, phase): (ThingRef, PhaseId),
        cx: &Cx,
        deeds: &[Deed],
    ) -> Result<Vec<u32>, EvalFault> {
        let weight = |deed: &Deed| {
            let to = match deed {
                Deed::Follow(_, space) | Deed::Move(space) => ThingRef::Space(*space),
                Deed::Choose(_, thing) => *thing,
                _ => return Ok(PLAIN),
            };
            let fits = |row: &&Lean| {
                let leads = row.to.is_some_and(|kind| position.is_kind(to, kind));
                leads && position.is_kind(thing, row.of)
            };
            let cx = cx.with(1, to);
            Ok(first(position, self.rows(phase).filter(fits), &cx)?.unwrap_or(PLAIN))
        };
        deeds.iter().map(weight).collect()
    }

    fn rows(&self, phase: PhaseId) -> impl Iterator<Item = &Lean> {
        self.0.iter().filter(move |row| row.phase.is_none_or(|of| of == phase))
    }
}

/// What the first row says that holds. Parts of one are left out, and less than nothing is nothing.
fn first<'l>(
    position: &Position<'_>,
    rows: impl Iterator<Item = &'l Lean>,
    cx: &Cx,
) -> Result<Option<u32>, EvalFault> {
    for row in rows {
        let holds = match row.when {
            Some(when) => position.holds_directly(when, cx)?,
            None => true,
        };
        if !holds {
            continue;
        }
        let said = match position.value(row.then, cx)? {
            Value::Number(amount) => amount.to_integer().clamp(0, HEAVIEST),
            _ => 0,
        };
        return Ok(Some(u32::try_from(said).unwrap_or_default()));
    }
    Ok(None)
}
