//! What the search of a thing shares with that of other things: side, budgets, costs.

use indexmap::IndexSet;

use super::cx::Step;
use super::meter::Named;
use super::{EvalFault, Position, exact};
use crate::ir::*;
use crate::world::ThingRef;

/// What a field depends on beside the position and the trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Profile {
    pub(super) viewer: Option<SideId>,
    /// The thing itself, where gates or costs read what cannot be told by kind and facts.
    subject: Option<ThingRef>,
    /// The budget of each leg; none for unlimited. Empty for a plain trace, whose lengths are
    /// compared at the end.
    pub(super) budgets: Vec<Option<u32>>,
    /// The kind of the thing and the facts of it that costs read.
    pub(super) cost_facts: Vec<i64>,
}

impl Profile {
    /// What costs alone depend on.
    pub(super) fn without_budgets(&self) -> Profile {
        let mut costs = self.clone();
        costs.budgets.clear();
        costs
    }
}

impl Position<'_> {
    /// All that the field of a thing depends on.
    pub(super) fn profile(&self, trace: TraceId, subject: ThingRef) -> Result<Profile, EvalFault> {
        let rule = &self.rules.traces[trace.index()];
        let mut profile = Profile {
            viewer: self.viewer_of(subject),
            subject: None,
            budgets: Vec::new(),
            cost_facts: Vec::new(),
        };
        if rule.per_subject {
            profile.subject = Some(subject);
        }
        if !rule.is_plain() {
            for leg in &rule.legs {
                profile.budgets.push(self.budget_of(leg, subject)?);
            }
        }
        let costs: Vec<ExprId> = rule.legs.iter().filter_map(|l| l.cost).collect();
        if !costs.is_empty() {
            let (mut facts, mut seen) = (Vec::new(), IndexSet::new());
            let told = costs.iter().all(|c| self.subject_facts(*c, &mut facts, &mut seen));
            if told {
                let kind = match subject {
                    ThingRef::Unit(u) => {
                        self.world.units.get(u as usize).map_or(0, |u| i64::from(u.kind.0))
                    }
                    _ => -1,
                };
                profile.cost_facts.push(kind);
                profile.cost_facts.extend(
                    facts.iter().map(|f| self.world.fact(&self.rules.facts[f.index()], subject)),
                );
            } else {
                profile.subject = Some(subject);
            }
        }
        Ok(profile)
    }

    /// The facts of the subject that an expression reads; false if it reads more of it than its
    /// facts and kind.
    fn subject_facts(
        &self,
        id: ExprId,
        facts: &mut Vec<FactId>,
        seen: &mut IndexSet<Named>,
    ) -> bool {
        let is_subject = |id: &ExprId| matches!(self.rules.node(*id), Node::Subject(0));
        let mut all = |ids: &[ExprId]| ids.iter().all(|i| self.subject_facts(*i, facts, seen));
        match self.rules.node(id) {
            Node::Fact(fact, of) if is_subject(of) => {
                if *fact != crate::world::built_in::SPACE && !facts.contains(fact) {
                    facts.push(*fact);
                }
                true
            }
            Node::Fact(_, of) => all(&[*of]),
            Node::Define(define, Some(of)) if is_subject(of) => {
                !seen.insert(Named::Define(*define))
                    || self.subject_facts(self.rules.defines[define.index()].value, facts, seen)
            }
            // What has been read once reads no more the second time.
            Node::Table(table, result, Some(of)) if is_subject(of) => {
                if !seen.insert(Named::Table(*table, *result)) {
                    return true;
                }
                let mut all =
                    |ids: &[ExprId]| ids.iter().all(|i| self.subject_facts(*i, facts, seen));
                let table = &self.rules.tables[table.index()];
                table.rows.iter().all(|r| {
                    let values: Vec<ExprId> =
                        r.values.iter().flatten().copied().chain(r.when).collect();
                    r.per.is_none() && all(&values)
                }) && table.kept.is_none()
            }
            // Of another thing, a named value reads nothing of the subject but what leads to that
            // thing.
            Node::Define(_, Some(of)) | Node::Table(_, _, Some(of)) => all(&[*of]),
            Node::And(parts) | Node::Or(parts) => all(parts),
            Node::Not(a) | Node::Stands(a, _) | Node::Rounded(_, a) | Node::Rank(a) => all(&[*a]),
            Node::Same(a, b)
            | Node::Compare(a, _, b)
            | Node::Arithmetic(a, _, b)
            | Node::Extreme { left: a, right: b, .. } => all(&[*a, *b]),
            Node::IsKind(of, _) => is_subject(of) || all(&[*of]),
            Node::Truth(_)
            | Node::Number { .. }
            | Node::Word(..)
            | Node::NoThing
            | Node::Unit(_)
            | Node::Space(_)
            | Node::SpaceCalled(_)
            | Node::Side(_)
            | Node::Viewer
            | Node::WorldFact(_)
            | Node::Ruling(_)
            | Node::Define(_, None)
            | Node::Table(_, _, None)
            | Node::OverStep(_)
            | Node::Nothing => true,
            _ => false,
        }
    }

    /// The longest a leg of this thing may be; what is barred allows no step at all.
    pub(super) fn budget_of(&self, leg: &Leg, thing: ThingRef) -> Result<Option<u32>, EvalFault> {
        let Some(amount) = leg.within.amount else { return Ok(None) };
        let value = self.value(amount, &self.asked_of(thing))?;
        Ok(Some(value.amount().map_or(0, |a| {
            u32::try_from(exact::rounded(a, Rounding::Down).max(0)).unwrap_or(u32::MAX)
        })))
    }

    /// What a step costs a thing on a leg; none where it is barred.
    pub(super) fn step_cost(
        &self,
        leg: &Leg,
        thing: ThingRef,
        from: u32,
        into: u32,
    ) -> Result<Option<u32>, EvalFault> {
        let Some(cost) = leg.cost else { return Ok(Some(1)) };
        let cx = self.asked_of(thing).stepping(Step { mover: thing, from, into });
        let amount = self.value(cost, &cx)?.amount();
        // A cost of nothing would let a line run for ever; the checker refuses what can be nothing,
        // and 1 is the least.
        Ok(amount
            .map(|a| u32::try_from(exact::rounded(a, Rounding::Up).max(1)).unwrap_or(u32::MAX)))
    }
}
