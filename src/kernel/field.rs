//! One search of a trace: from its sources backward, once for a side, without regard to any unit's budget.
//!
//! A line from space `s` of length `n` passes `s = s0, s1 .. sn`. The first is asked `from`, the last must be a source
//! and is asked `into`, those between are asked `through`; in a line of no length the one space is first and last.

use super::{Cx, EvalFault, Position};
use crate::ir::{ExprId, KindId, SideId, TraceId};
use crate::world::ThingRef;

/// No line of any length.
pub const NONE: u32 = u32::MAX;

/// The distances of all spaces for one trace and one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// For each space the length of the shortest line that begins there, before `from` is asked; or [`NONE`].
    pub length: Vec<u32>,
    /// For each space the first source, in written order, that it is; with `into` not yet asked.
    pub source: Vec<Option<u16>>,
    /// Whether a line may begin there.
    pub from: Vec<bool>,
    /// Whether a line may pass there.
    pub through: Vec<bool>,
    /// Whether a line may end there.
    pub into: Vec<bool>,
}

impl Field {
    /// Searches a trace for a side; `subject` is read only by traces that say so.
    pub fn search(position: &Position<'_>, trace: TraceId, viewer: Option<SideId>, subject: ThingRef) -> Result<Field, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let spaces = position.map.spaces.len();
        let ask = |when: Option<ExprId>, space: usize| -> Result<bool, EvalFault> {
            let Some(when) = when else { return Ok(true) };
            let space = ThingRef::Space(u32::try_from(space).unwrap_or(u32::MAX));
            position.holds(when, &Cx::of(viewer, subject).with(1, space))
        };
        let mut field = Field {
            length: vec![NONE; spaces],
            source: vec![None; spaces],
            from: Vec::with_capacity(spaces),
            through: Vec::with_capacity(spaces),
            into: Vec::with_capacity(spaces),
        };
        for space in 0..spaces {
            field.from.push(ask(rule.leg.from.when, space)?);
            field.through.push(ask(rule.leg.through.when, space)?);
            field.into.push(ask(rule.leg.into.when, space)?);
            for (at, source) in rule.sources.iter().enumerate() {
                if ask(Some(source.when), space)? {
                    field.source[space] = u16::try_from(at).ok();
                    break;
                }
            }
        }
        field.length = field.flood(position, &rule.leg.links, &field.through, &field.into);
        Ok(field)
    }

    /// Breadth first from the sources; a space without a way on still ends the lines that begin there.
    pub(super) fn flood(&self, position: &Position<'_>, links: &[KindId], through: &[bool], into: &[bool]) -> Vec<u32> {
        let mut length = vec![NONE; self.source.len()];
        let mut edge: Vec<u32> = Vec::new();
        for (space, source) in self.source.iter().enumerate() {
            if source.is_some() && into[space] {
                length[space] = 0;
                edge.push(u32::try_from(space).unwrap_or(u32::MAX));
            }
        }
        let mut steps = 0;
        while !edge.is_empty() {
            steps += 1;
            let mut next = Vec::new();
            for space in edge {
                for neighbour in neighbours(position, links, space) {
                    let cell = &mut length[neighbour as usize];
                    if *cell == NONE {
                        *cell = steps;
                        if through[neighbour as usize] {
                            next.push(neighbour);
                        }
                    }
                }
            }
            edge = next;
        }
        length
    }
}

/// The neighbours of a space over any of these kinds of link.
pub(super) fn neighbours<'p>(position: &'p Position<'_>, links: &'p [KindId], space: u32) -> impl Iterator<Item = u32> + 'p {
    position
        .map
        .links
        .iter()
        .filter(move |l| links.iter().any(|k| position.rules.is_kind(l.kind, *k)))
        .flat_map(move |l| l.of(space).iter().copied())
}
