//! What is printed on a map and never changes: asked once.

use super::Refused;
use crate::ir::*;
use crate::kernel::Position;
use crate::kernel::board::{Asker, Bits, Board, Room};
use crate::kernel::id_map::IdMap;
use crate::world::World;

/// For each fact whether it is an attribute of spaces that no step of a phase changes.
pub(super) fn printed(rules: &Ruleset) -> Vec<bool> {
    let printed = |(fact, changed): (&Fact, bool)| {
        let of_space = rules.top(fact.kind) == KindId::SPACE;
        of_space && fact.origin == FactOrigin::Attribute && !changed
    };
    rules.facts.iter().zip(rules.changed_by_steps()).map(printed).collect()
}

/// The parts of the conditions of a trace that are printed on the map, each with the spaces where
/// it holds.
pub(super) fn conditions(
    board: &Board<'_>,
    template: &World,
    rule: &Trace,
    printed: &[bool],
) -> Result<IdMap<(ExprId, u8), Bits>, Refused> {
    let mut found = IdMap::default();
    let mut open: Vec<(ExprId, u8)> = rule.gates().into_iter().map(|when| (when, 1)).collect();
    let position = Position::new(board.rules, template).ok_or(Refused::NoMap)?;
    let mut room = Room::default();
    let mut asker = Asker::new(board, &position, None, &mut room);
    let all = asker.all();
    while let Some((id, level)) = open.pop() {
        let is_own = |of: &ExprId| matches!(board.rules.node(*of), Node::Subject(l) if *l == level);
        if found.contains_key(&(id, level)) {
            continue;
        }
        if board.depends(id, level).still(|f| printed.get(f.index()).copied().unwrap_or(false)) {
            // What cannot be worked out everywhere is left to be asked where it must be.
            if let Ok(bits) = asker.truth(id, level, None, &all) {
                found.insert((id, level), bits);
            }
            continue;
        }
        match board.rules.node(id) {
            Node::And(parts) | Node::Or(parts) => open.extend(parts.iter().map(|p| (*p, level))),
            Node::Not(inner) => open.push((*inner, level)),
            Node::Define(define, Some(of)) if is_own(of) => {
                open.extend(board.rules.defines.get(define.index()).map(|d| (d.value, 0)));
            }
            Node::Any(things) => {
                let things = board.rules.things.get(things.index());
                let of_spaces = things.filter(|t| board.rules.top(t.kind) == KindId::SPACE);
                open.extend(of_spaces.and_then(|t| Some((t.condition?, t.level))));
            }
            _ => {}
        }
    }
    Ok(found)
}
