//! How far away a change can be and still count for a condition; and why that can be anywhere.

use super::NotLocal;
use crate::ir::*;
use crate::kernel::board::Board;
use crate::world::built_in;

/// What a condition reads around its own thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Reach {
    /// A unit that moves counts at most so many links away; none if units do not count.
    pub units: Option<u32>,
    /// What a space is like counts at most so many links away.
    pub spaces: u32,
    /// Whether it reads of things that are named in the rules, wherever they are.
    pub named: bool,
}

impl Reach {
    fn join(self, other: Reach) -> Reach {
        Reach { units: self.units.max(other.units), spaces: self.spaces.max(other.spaces), named: self.named || other.named }
    }

    /// The farthest change that counts.
    pub(super) fn most(self) -> u32 {
        self.spaces.max(self.units.unwrap_or(0))
    }

    /// What an expression reads around the subject of a level.
    pub(super) fn of(board: &Board<'_>, id: ExprId, level: u8) -> Result<Reach, NotLocal> {
        let depends = board.depends(id, level);
        if depends.named && counts_anywhere(board.rules, id, 0) {
            return Err(NotLocal::Anywhere);
        }
        if !depends.other && !depends.beyond {
            return Ok(Reach { units: depends.units, spaces: depends.units.unwrap_or(0), named: depends.named });
        }
        let rules = board.rules;
        let own = |of: &ExprId| matches!(rules.node(*of), Node::Subject(l) if *l == level);
        let here = |of: &ExprId| matches!(rules.node(*of), Node::Fact(built_in::SPACE, of) if own(of));
        match rules.node(id) {
            Node::And(parts) | Node::Or(parts) => {
                parts.iter().try_fold(Reach::default(), |all, part| Ok(all.join(Reach::of(board, *part, level)?)))
            }
            Node::Not(inner) => Reach::of(board, *inner, level),
            Node::Define(define, Some(of)) if own(of) || here(of) => {
                let value = rules.defines.get(define.index()).ok_or(NotLocal::Beyond)?.value;
                Reach::of(board, value, 0)
            }
            Node::Any(things) | Node::Only(things) => {
                let things = rules.things.get(things.index()).ok_or(NotLocal::Beyond)?;
                let (of, steps) = match &things.place {
                    Place::Anywhere => return Err(NotLocal::Anywhere),
                    Place::In(of) => (of, 0),
                    Place::Adjacent(of, _) | Place::AdjacentNotOver(of, _) => (of, 1),
                    Place::Within(steps, of, _) => (of, *steps),
                };
                if !own(of) && !here(of) {
                    return Err(NotLocal::Beyond);
                }
                let inner = match things.condition {
                    Some(condition) => Reach::of(board, condition, things.level)?,
                    None => Reach::default(),
                };
                let units = match rules.top(things.kind) {
                    KindId::UNIT => Some(steps + inner.units.unwrap_or(0)),
                    _ => inner.units.map(|u| u + steps),
                };
                Ok(Reach { units, spaces: steps + inner.spaces, named: inner.named })
            }
            _ => Err(NotLocal::Beyond),
        }
    }
}

/// Whether an expression asks of things anywhere.
fn counts_anywhere(rules: &Ruleset, id: ExprId, depth: usize) -> bool {
    // Named values do not call each other in a ring, and deeper ones than these are taken to.
    if depth > 64 {
        return true;
    }
    let inner = |id: ExprId| counts_anywhere(rules, id, depth + 1);
    let node = rules.node(id);
    let anywhere = |id: &ThingsId| rules.things.get(id.index()).is_none_or(|things| things.place == Place::Anywhere);
    let mut found = match node {
        Node::Any(of) | Node::Only(of) | Node::Count(of) | Node::Aggregate(_, _, of) => anywhere(of),
        _ => false,
    };
    rules.for_each_part(node, &mut |part| {
        found = found
            || match part {
                Part::Expr(_) | Part::Define(_) | Part::Table(_) => rules.expressions_of(part).into_iter().any(inner),
                // These look wherever they like.
                Part::Pair(_) | Part::Hook(_) | Part::Trace(_) | Part::Test(_) | Part::Choice(_) => true,
            };
    });
    found
}
