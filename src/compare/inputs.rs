//! The values that a table or a test is worked out of: where these are the same, it answers the
//! same and rests on the same.
//!
//! Takes what is asked; gives the few expressions whose values decide it, if all of them are read at
//! once: a fact, the answer of a trace. One that looks through things has no such list, for it would
//! be worked out where a cheaper condition before it has decided already.

use crate::ir::*;
use crate::kernel::{Position, Value};
use crate::world::ThingRef;

use super::answers;

/// The expressions that decide what is asked.
pub(super) struct Inputs(Vec<ExprId>);

/// What an expression is to what it stands in.
enum Role {
    /// the same in every position on a map
    Constant,
    /// decided by these alone
    Made(Vec<ExprId>),
    /// read
    Input,
    /// worked out with effort
    Other,
}

impl Inputs {
    /// The inputs of a table or a test that is asked of a kind.
    pub(super) fn of(rules: &Ruleset, asked: answers::Asked, kind: KindId) -> Option<Inputs> {
        let mut open = match asked {
            answers::Asked::Trace(_) => return None,
            answers::Asked::Table(table) => {
                let table = rules.tables.get(table.index())?;
                // Things have other numbers in other positions.
                if table.results.iter().any(|(_, ty)| matches!(ty, Type::Thing { .. })) {
                    return None;
                }
                table.parts()
            }
            answers::Asked::Test(test) => rules.tests.get(test.index())?.parts(),
        };
        let (mut seen, mut inputs) = (vec![false; rules.nodes.len()], Vec::new());
        while let Some(id) = open.pop() {
            if std::mem::replace(seen.get_mut(id.index())?, true) {
                continue;
            }
            match role(rules, id, kind) {
                Role::Constant => {}
                Role::Made(parts) => open.extend(parts),
                Role::Input => inputs.push(id),
                Role::Other => return None,
            }
        }
        Some(Inputs(inputs))
    }

    /// Adds their values to a key; whether all could be worked out.
    pub(super) fn read(
        &self,
        position: &Position<'_>,
        thing: ThingRef,
        key: &mut Vec<Value>,
    ) -> bool {
        let cx = position.asked_of(thing);
        self.0.iter().all(|id| position.value(*id, &cx).map(|value| key.push(value)).is_ok())
    }
}

fn role(rules: &Ruleset, id: ExprId, kind: KindId) -> Role {
    let itself = |of: ExprId| *rules.node(of) == Node::Subject(0);
    // Asked of the same thing, and by the same side.
    let alike = |of: Option<ExprId>, said_of: Option<KindId>| {
        of.is_some_and(itself) && said_of.is_some_and(|of| of == kind || rules.is_top(of))
    };
    let body = |part: Part| Role::Made(rules.expressions_of(part));
    match rules.node(id) {
        Node::Nothing
        | Node::Truth(_)
        | Node::Number { .. }
        | Node::Word(..)
        | Node::NoThing
        | Node::Unit(_)
        | Node::Space(_)
        | Node::SpaceCalled(_)
        | Node::Side(_)
        | Node::World
        | Node::Link(_)
        | Node::Total
        | Node::Natural => Role::Constant,
        Node::And(parts) | Node::Or(parts) => Role::Made(parts.clone()),
        Node::Not(of) | Node::Rank(of) | Node::Rounded(RoundBy::Fixed(_), of) => {
            Role::Made(vec![*of])
        }
        // Whether a thing stands on the map is the same in many spaces.
        Node::Same(left, right)
            if [*left, *right].iter().any(|of| *rules.node(*of) == Node::NoThing)
                && read_at_once(rules, id) =>
        {
            Role::Input
        }
        Node::Same(left, right)
        | Node::Compare(left, _, right)
        | Node::Arithmetic(left, _, right)
        | Node::Extreme { left, right, .. } => Role::Made(vec![*left, *right]),
        Node::Define(define, of) => {
            match alike(*of, rules.defines.get(define.index()).and_then(|d| d.of)) {
                true => body(Part::Define(*define)),
                false => Role::Other,
            }
        }
        Node::Table(table, _, of) => {
            match alike(*of, rules.tables.get(table.index()).and_then(|t| t.of)) {
                true => body(Part::Table(*table)),
                false => Role::Other,
            }
        }
        Node::Chance(test, _, of) => {
            match alike(Some(*of), rules.tests.get(test.index()).map(|t| t.of)) {
                true => body(Part::Test(*test)),
                false => Role::Other,
            }
        }
        // Of another thing it rests on what is not among the inputs.
        Node::Verdict(_, of, _) if itself(*of) => Role::Input,
        Node::Subject(_)
        | Node::Viewer
        | Node::Fact(..)
        | Node::WorldFact(_)
        | Node::Ruling(_)
        | Node::IsKind(..)
        | Node::Stands(..)
        | Node::Sides { .. }
        | Node::Outcome(..)
        | Node::Stopped(..)
        | Node::Removed(_)
        | Node::OverStep(_)
        | Node::StepEnd(_)
        | Node::LinkEnd(..) => match read_at_once(rules, id) {
            true => Role::Input,
            false => Role::Other,
        },
        Node::Verdict(..)
        | Node::Evidence(..)
        | Node::WouldBe { .. }
        | Node::Pair(..)
        | Node::Hook(..)
        | Node::Listed(..)
        | Node::Chosen(..)
        | Node::Rounded(RoundBy::Ruling(..), _)
        | Node::Any(_)
        | Node::Only(_)
        | Node::Count(_)
        | Node::Aggregate(..) => Role::Other,
    }
}

/// Whether an expression goes from a thing to its facts alone, so that reading it costs nothing.
fn read_at_once(rules: &Ruleset, id: ExprId) -> bool {
    let (mut open, mut plain) = (vec![id], true);
    while let Some(of) = open.pop() {
        rules.for_each_part(rules.node(of), &mut |part| match part {
            Part::Expr(id) if is_plain(rules.node(id)) => open.push(id),
            _ => plain = false,
        });
    }
    plain
}

/// Whether it is a thing by its name, or a fact.
fn is_plain(node: &Node) -> bool {
    node.is_object()
        || *node == Node::NoThing
        || matches!(node, Node::Subject(_) | Node::Fact(..) | Node::WorldFact(_))
}
