//! The gates of a trace as they stand on planes, with what has changed of them.

use std::sync::Arc;

use crate::kernel::board::Bits;
use crate::kernel::field::{Gates, LegGates};
use crate::kernel::line_planes::GatePlanes;
use crate::kernel::plane::PlaneId;

/// Gates that are brought up to date from planes.
pub(super) struct Sheet {
    /// As [`GatePlanes::each`] names them, as they were last.
    planes: Vec<Bits>,
    pub gates: Arc<Gates>,
    room: Bits,
}

impl Sheet {
    /// Nothing is a source, and all gates with a condition are shut.
    pub fn new(of: &GatePlanes, rows: usize) -> Sheet {
        let spaces = rows.saturating_sub(1);
        let leg = |leg: &[Option<PlaneId>; 3]| {
            let [from, through, into] = leg.map(|plane| vec![plane.is_none(); spaces]);
            LegGates { from, through, into }
        };
        let gates = Gates {
            source: vec![None; spaces],
            relay: vec![false; spaces],
            legs: of.legs.iter().map(leg).collect(),
        };
        let words = rows.div_ceil(64);
        Sheet {
            planes: of.each().map(|_| Bits::new(words)).collect(),
            gates: Arc::new(gates),
            room: Bits::new(words),
        }
    }

    /// Reads all planes again, and adds the spaces where one has changed to `touched`; `read` gives
    /// a plane, and is told whether it is the gate of a leg.
    pub fn renew(
        &mut self,
        of: &GatePlanes,
        read: impl Fn(PlaneId, bool, &mut Bits),
        touched: &mut Bits,
    ) {
        let mut changed = Bits::new(touched.0.len());
        for ((plane, is_gate), known) in of.each().zip(&mut self.planes) {
            read(plane, is_gate, &mut self.room);
            for ((new, old), changed) in self.room.0.iter().zip(&known.0).zip(&mut changed.0) {
                *changed |= new ^ old;
            }
            std::mem::swap(known, &mut self.room);
        }
        // The row behind the last space is no space.
        let spaces = u32::try_from(self.gates.relay.len()).unwrap_or(u32::MAX);
        changed.put(spaces, false);
        if changed.is_empty() {
            return;
        }
        touched.or(&changed);
        let gates = Arc::make_mut(&mut self.gates);
        for space in changed.cells() {
            let at = space as usize;
            let mut planes = self.planes.iter();
            let mut next = || planes.next().is_some_and(|plane| plane.get(space));
            gates.source[at] = None;
            for nth in 0..of.sources.len() {
                if next() && gates.source[at].is_none() {
                    gates.source[at] = u16::try_from(nth).ok();
                }
            }
            if of.relay.is_some() {
                gates.relay[at] = next();
            }
            for (leg, of) in gates.legs.iter_mut().zip(&of.legs) {
                let cells = [&mut leg.from[at], &mut leg.through[at], &mut leg.into[at]];
                for (cell, _) in cells.into_iter().zip(of).filter(|(_, plane)| plane.is_some()) {
                    *cell = next();
                }
            }
        }
    }
}
