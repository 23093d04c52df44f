//! The things by which something holds: those that are counted, and the witnesses of `any`.

use indexmap::IndexSet;

use super::cx::Cx;
use super::evaluate::compares;
use super::meter::Named;
use super::{EvalFault, Position};
use crate::ir::*;
use crate::world::ThingRef;

/// Causes found so far, and the named values that have been asked for theirs.
struct Found<'o> {
    out: &'o mut Vec<ThingRef>,
    asked: IndexSet<(Named, Cx)>,
}

impl Position<'_> {
    /// Adds the things that make a condition hold, or an amount what it is, each once, in the order
    /// in which they are found. What is not there causes nothing, so that nobody stands behind a
    /// `no` or a `not`.
    pub(super) fn causes(
        &self,
        id: ExprId,
        cx: &Cx,
        out: &mut Vec<ThingRef>,
    ) -> Result<(), EvalFault> {
        self.causes_of(id, cx, &mut Found { out, asked: IndexSet::new() })
    }

    fn causes_of(&self, id: ExprId, cx: &Cx, out: &mut Found<'_>) -> Result<(), EvalFault> {
        match self.rules.node(id) {
            Node::And(parts) => parts.iter().try_for_each(|part| self.causes_of(*part, cx, out))?,
            Node::Or(parts) => {
                for part in parts {
                    if self.holds(*part, cx)? {
                        self.causes_of(*part, cx, out)?;
                    }
                }
            }
            Node::Any(things) | Node::Only(things) | Node::Count(things) => {
                self.all(*things, cx)?.into_iter().for_each(|t| add(out.out, t))
            }
            Node::Aggregate(word, value, things) => {
                self.behind(*word, *value, *things, cx, out.out)?
            }
            Node::Compare(left, _, right)
            | Node::Same(left, right)
            | Node::Arithmetic(left, _, right)
            | Node::Extreme { left, right, .. }
            | Node::Sides { left, right, .. } => {
                self.causes_of(*left, cx, out)?;
                self.causes_of(*right, cx, out)?;
            }
            Node::Rounded(_, inner) | Node::Rank(inner) => self.causes_of(*inner, cx, out)?,
            Node::Define(define, of) => {
                let rule = &self.rules.defines[define.index()];
                let Some(inner) = self.inner(*of, rule.of, cx)? else { return Ok(()) };
                // The same value of the same thing has the same causes.
                if out.asked.insert((Named::Define(*define), inner)) {
                    self.causes_of(rule.value, &inner, out)?;
                }
            }
            Node::Table(table, result, of) => {
                let rule = &self.rules.tables[table.index()];
                let Some(inner) = self.inner(*of, rule.of, cx)? else { return Ok(()) };
                if !out.asked.insert((Named::Table(*table, *result), inner)) {
                    return Ok(());
                }
                for at in self.rows_held(*table, &inner)? {
                    let row = &rule.rows[at];
                    for id in row.when.iter().chain(row.per.iter().map(|(per, _)| per)) {
                        self.causes_of(*id, &inner, out)?;
                    }
                    if rule.policy == Policy::First {
                        break;
                    }
                }
            }
            // A fact or an answer of another unit is caused by that unit.
            Node::Fact(_, of)
            | Node::IsKind(of, _)
            | Node::Stands(of, _)
            | Node::Verdict(_, of, _)
            | Node::Evidence(_, _, of, _)
            | Node::WouldBe { subject: of, .. }
            | Node::Outcome(_, of)
            | Node::Listed(_, of, _)
            | Node::Stopped(_, of)
            | Node::Chance(_, _, of)
            | Node::Removed(of)
            | Node::Hook(_, Some(of)) => self.other(*of, cx, out.out)?,
            Node::Pair(_, from, to) => {
                self.other(*from, cx, out.out)?;
                self.other(*to, cx, out.out)?;
            }
            // What is not so has no witness.
            Node::Not(_) => {}
            Node::Nothing
            | Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::Link(_)
            | Node::World
            | Node::SpaceCalled(_)
            | Node::Side(_)
            | Node::Viewer
            | Node::Subject(_)
            | Node::Chosen(..) => {}
            Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::Hook(_, None)
            | Node::OverStep(_)
            | Node::StepEnd(_)
            | Node::LinkEnd(..)
            | Node::Total
            | Node::Natural => {}
        }
        Ok(())
    }

    /// The things that an amount over many things rests on: those that add to a sum, those that
    /// have the highest or the lowest.
    fn behind(
        &self,
        word: Aggregate,
        value: ExprId,
        things: ThingsId,
        cx: &Cx,
        out: &mut Vec<ThingRef>,
    ) -> Result<(), EvalFault> {
        let level = self.rules.things[things.index()].level;
        let mut amounts = Vec::new();
        for thing in self.all(things, cx)? {
            if let Some(amount) = self.value(value, &cx.with(level, thing))?.amount() {
                amounts.push((thing, amount));
            }
        }
        let all = amounts.iter().map(|(_, amount)| *amount);
        let wanted = match word {
            Aggregate::Sum => None,
            Aggregate::Highest(_) => all.max(),
            Aggregate::Lowest(_) => all.min(),
        };
        for (thing, amount) in amounts {
            let counts = match wanted {
                Some(wanted) => compares(amount, Comparison::Equal, wanted),
                None => *amount.numer() != 0,
            };
            if counts {
                add(out, thing);
            }
        }
        Ok(())
    }

    /// A unit that is not the subject itself.
    fn other(&self, of: ExprId, cx: &Cx, out: &mut Vec<ThingRef>) -> Result<(), EvalFault> {
        if let Some(unit @ ThingRef::Unit(_)) = self.value(of, cx)?.thing()
            && unit != cx.subject(0)
        {
            add(out, unit);
        }
        Ok(())
    }
}

fn add(out: &mut Vec<ThingRef>, thing: ThingRef) {
    // Links that are counted are no things of their own.
    if thing != ThingRef::World && !out.contains(&thing) {
        out.push(thing);
    }
}
