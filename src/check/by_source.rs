//! `within AMOUNT of the source`: how far a leg may run by the space in which its line ends.
//!
//! Such a leg becomes one leg for each value of the amount: it ends only where the amount has that
//! value, and is no longer than that. So no search knows of it.

use super::Checker;
use super::scope::{Scope, Ty, Typed};
use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::Name;

/// More values than these make more legs than a search should have.
const MOST_VALUES: usize = 16;

/// What is read of `the source` while the lines of a trace are.
#[derive(Default)]
pub(super) struct OfSources {
    /// Whether a budget is being read.
    in_budget: bool,
    /// Where it stands in the budget of this leg.
    named: Vec<ExprId>,
    /// The budget of this leg, if it asks the source.
    budget: Option<SourceBudget>,
    /// Where budgets of this trace that ask the source are written, with the place of their leg.
    written: Vec<(u8, Span)>,
}

/// A budget that asks the source.
struct SourceBudget {
    amount: ExprId,
    whole: ExprId,
    /// Each once, the lowest first.
    values: Vec<u32>,
    span: Span,
}

impl Checker<'_> {
    /// `the source`: the space in which the line of a leg ends.
    pub(super) fn the_source(&mut self, name: &Name, scope: &Scope<'_>) -> Option<Typed> {
        if name.text != "source" || self.symbols.kinds.contains_key("source") {
            return None;
        }
        let subject = scope.levels.first().copied().filter(|_| scope.levels.len() == 1);
        let kind = subject.and_then(|of| self.space_kind_of(of));
        let Some(kind) = kind.filter(|_| self.read.of_sources.in_budget) else {
            let fault =
                Diagnostic::error(code::E0418, name.span, "no source is asked about here").help(
                    "`the source` is the space in which a line ends; it stands behind `within` of a \
                     leg, outside of any `where`",
                );
            self.fault(fault);
            return Some(self.poison(name.span));
        };
        let found = self.typed(Node::Subject(1), Ty::thing(kind), name.span);
        self.read.of_sources.named.push(found.id);
        Some(found)
    }

    /// The amount of a budget, in which `the source` may stand.
    pub(super) fn budget_amount(
        &mut self,
        amount: &crate::syntax::ast::Expr,
        subject: &Scope<'_>,
        dimension: Option<DimensionId>,
    ) -> Typed {
        self.read.of_sources.named.clear();
        self.read.of_sources.in_budget = true;
        let found = self.amount(amount, subject, dimension);
        self.read.of_sources.in_budget = false;
        if let (false, Ty::Of(Type::Number { low, high, .. })) =
            (self.read.of_sources.named.is_empty(), found.ty)
        {
            self.read.of_sources.budget = self.source_budget(found, (low, high));
        }
        found
    }

    fn source_budget(&mut self, found: Typed, range: (i64, i64)) -> Option<SourceBudget> {
        let Some(amount) = self.amount_of_source(found.id) else {
            let message = "what is asked of the source stands among what is asked of others";
            let fault = Diagnostic::error(code::E0418, found.span, message);
            self.fault(fault.help(
                "an amount, a table or a define of the space stands alone, or in `lesser of (..., ...)` \
                 or `greater of (..., ...)` beside an amount of the tracer",
            ));
            return None;
        };
        let bounds = match amount == found.id {
            true => Some(range),
            false => self.declared_range(amount),
        };
        let values = self.values_of(amount, bounds);
        if values.as_ref().is_none_or(|values| values.len() > MOST_VALUES) {
            let message = format!("the amount of the source has more than {MOST_VALUES} values");
            let fault = Diagnostic::error(code::E0418, found.span, message);
            self.fault(fault.help(
                "give a narrower range where it is declared, or ask a table with few values",
            ));
            return None;
        }
        let mut values: Vec<u32> =
            values?.into_iter().filter_map(|value| u32::try_from(value).ok()).collect();
        values.arrange();
        Some(SourceBudget { amount, whole: found.id, values, span: found.span })
    }

    /// The part of a budget that is asked of the source; none if it is not told apart from the rest.
    fn amount_of_source(&self, id: ExprId) -> Option<ExprId> {
        if self.is_of_source(id) {
            return Some(id);
        }
        let Node::Extreme { left, right, .. } = self.out.node(id) else { return None };
        let side = match (self.names_source(*left), self.names_source(*right)) {
            (true, false) => left,
            (false, true) => right,
            _ => return None,
        };
        // How much may come of a sum is known only where it is the whole budget.
        self.amount_of_source(*side).filter(|amount| self.declared_range(*amount).is_some())
    }

    fn declared_range(&self, id: ExprId) -> Option<(i64, i64)> {
        match self.out.declared_type(id) {
            Some(Type::Number { low, high, .. }) => Some((low, high)),
            _ => None,
        }
    }

    fn names_source(&self, id: ExprId) -> bool {
        let mut names = false;
        let named = &self.read.of_sources.named;
        self.out.walk([id], |_| false, |_, part| names = names || named.contains(&part));
        names
    }

    /// Whether an amount is asked of the source and of no other thing.
    fn is_of_source(&self, id: ExprId) -> bool {
        let (mut names, mut alone) = (false, true);
        let named = &self.read.of_sources.named;
        self.out.walk(
            [id],
            |_| false,
            |_, part| {
                names = names || named.contains(&part);
                let node = self.out.node(part);
                let read = matches!(
                    node,
                    Node::Fact(..) | Node::WorldFact(_) | Node::Define(..) | Node::Table(..)
                );
                let counted = matches!(
                    node,
                    Node::Number { .. }
                        | Node::Rank(_)
                        | Node::Rounded(..)
                        | Node::Arithmetic(..)
                        | Node::Extreme { .. }
                );
                alone = alone && (read || counted || named.contains(&part));
            },
        );
        names && alone
    }

    /// The values that an amount can have; none if they are too many to be told one by one.
    fn values_of(&self, id: ExprId, range: Option<(i64, i64)>) -> Option<Vec<i64>> {
        if let Some(values) = self.listed_values(id) {
            return Some(values);
        }
        let (low, high) = range?;
        let few = high.saturating_sub(low) <= i64::try_from(MOST_VALUES).unwrap_or(0);
        few.then(|| (low.max(0)..=high).collect())
    }

    /// The values of a table, or of a define that asks one, where each row gives a number.
    fn listed_values(&self, id: ExprId) -> Option<Vec<i64>> {
        match self.out.node(id) {
            Node::Number { over, under: 1 } => Some(vec![*over]),
            Node::Define(define, _) => {
                self.listed_values(self.out.defines.get(define.index())?.value)
            }
            Node::Table(table, result, _) => {
                let table = self.out.tables.get(table.index())?;
                if table.policy != Policy::First || table.kept.is_some() || table.rows.is_empty() {
                    return None;
                }
                let mut found = Vec::new();
                for row in &table.rows {
                    // What is barred has no value, and no line ends there.
                    let Some(value) = row.values.get(usize::from(*result))? else { continue };
                    let Node::Number { over, under: 1 } = self.out.node(*value) else {
                        return None;
                    };
                    if !found.contains(over) {
                        found.push(*over);
                    }
                }
                (!found.is_empty()).then_some(found)
            }
            _ => None,
        }
    }

    /// Puts one leg for each value in the place of a leg whose budget asks the source, the longest
    /// first.
    pub(super) fn split_leg(&mut self, id: TraceId) {
        let Some(budget) = self.read.of_sources.budget.take() else { return };
        let Some(leg) = self.out.traces.get_mut(id.index()).and_then(|t| t.legs.pop()) else {
            return;
        };
        self.read.of_sources.written.push((leg.place, budget.span));
        let mut again = false;
        for value in budget.values.iter().rev() {
            let new = self.leg_of_value(&leg, &budget, *value, again);
            again = true;
            self.change(id, |t| t.legs.push(new));
        }
    }

    fn leg_of_value(&mut self, leg: &Leg, budget: &SourceBudget, value: u32, again: bool) -> Leg {
        // An empty span: an editor that asks what stands at a place does not find these nodes.
        let at = Span { end: budget.span.start, ..budget.span };
        let number = Node::Number { over: i64::from(value), under: 1 };
        let number = self.node(number, at);
        let is = self.node(Node::Compare(budget.amount, Comparison::Equal, number), at);
        let into = leg.into.when;
        let both = into.map_or(is, |into| self.node(Node::And(vec![into, is]), at));
        let amount = self.budget_of_value(budget.whole, budget, value);
        let high = match amount == budget.whole {
            true => leg.within.high,
            false => self.most(budget.whole, budget.amount, value).min(leg.within.high),
        };
        let by_source = BySource { amount: budget.amount, whole: budget.whole, is, into, again };
        let mut new = leg.clone();
        new.into.when = Some(both);
        new.within = Budget { amount: Some(amount), high, line: leg.within.line };
        new.by_source = Some(by_source);
        new
    }

    /// The most that a budget comes to where the amount of the source has a value.
    fn most(&self, whole: ExprId, amount: ExprId, value: u32) -> u32 {
        match self.out.node(whole) {
            _ if whole == amount => value,
            Node::Extreme { greater: false, left, right } => {
                let side = if self.names_source(*left) { left } else { right };
                self.most(*side, amount, value)
            }
            _ => u32::MAX,
        }
    }

    /// The budget with a value in the place of the amount of the source.
    fn budget_of_value(&mut self, id: ExprId, budget: &SourceBudget, value: u32) -> ExprId {
        if id == budget.amount {
            let number = Node::Number { over: i64::from(value), under: 1 };
            return self.node(number, budget.span);
        }
        let Node::Extreme { greater, left, right } = *self.out.node(id) else { return id };
        let (left, right) = match self.names_source(left) {
            true => (self.budget_of_value(left, budget, value), right),
            false => (left, self.budget_of_value(right, budget, value)),
        };
        self.node(Node::Extreme { greater, left, right }, budget.span)
    }

    /// Only the leg in which a line ends knows its source.
    pub(super) fn source_budgets(&mut self, id: TraceId) {
        let written = std::mem::take(&mut self.read.of_sources.written);
        let Some(trace) = self.out.traces.get(id.index()) else { return };
        let (places, relays) = (trace.places, !trace.relays.is_empty());
        for (place, span) in written {
            let (message, help) = if relays {
                (
                    "a leg that may end at a relay has no source there",
                    "say in a number or in an amount of the tracer how long the leg may be",
                )
            } else if place + 1 < places {
                ("this leg ends before the source", "ask the source in the last leg of the line")
            } else {
                continue;
            };
            self.fault(Diagnostic::error(code::E0418, span, message).help(help));
        }
    }
}
