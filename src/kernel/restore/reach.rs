//! The least more that each leg must reach.

use std::sync::Arc;

use super::super::EvalFault;
use super::super::answer::Stretch;
use super::super::flood::Terms;
use super::super::line_group::Group;
use super::super::lines::{Lines, length_of};
use super::trial::Trial;
use super::{Remedy, Restored};

impl Trial<'_, '_, '_> {
    /// For each leg that is limited the least reach with which there is a line, if there is any.
    pub fn reach(&self, out: &mut Vec<Restored>) -> Result<(), EvalFault> {
        for (leg, budget) in self.budgets.iter().enumerate() {
            let Some(budget) = *budget else { continue };
            let Some(line) = self.with_reach(leg, None) else { continue };
            let used = line
                .iter()
                .filter(|s| s.leg == leg)
                .filter_map(|s| s.spaces.last())
                .map(|(_, cost)| *cost)
                .max()
                .unwrap_or(0);
            // With `used` there is a line, with the budget there is none; a longer reach never
            // hurts.
            let (mut low, mut high) = (budget, used.max(budget.saturating_add(1)));
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if self.is_in_reach(leg, Some(middle)) { high = middle } else { low = middle }
            }
            let Some(line) = self.with_reach(leg, Some(high)) else { continue };
            let more = high - budget;
            let end = line.last().and_then(|s| s.spaces.last()).map_or(self.start, |(s, _)| *s);
            out.push(Restored {
                remedy: Remedy::Reach { leg, more, to: high },
                cost: more,
                length: Some(length_of(self.rule(), &line)),
                source: self.gates.source[end as usize],
                line,
            });
        }
        Ok(())
    }

    fn other_budgets(&self, leg: usize, budget: Option<u32>) -> Vec<Option<u32>> {
        let mut budgets = self.budgets.clone();
        budgets[leg] = budget;
        budgets
    }

    /// Whether there is a line with another budget of a leg: a search without its lengths.
    fn is_in_reach(&self, leg: usize, budget: Option<u32>) -> bool {
        let field = self.search(&self.gates, self.other_budgets(leg, budget));
        field.round_of(self.start).is_some()
    }

    /// The best line with another budget of a leg.
    fn with_reach(&self, leg: usize, budget: Option<u32>) -> Option<Vec<Stretch>> {
        if !self.is_in_reach(leg, budget) {
            return None;
        }
        let terms = Terms {
            gates: Arc::clone(&self.gates),
            freed: None,
            enter: Arc::clone(&self.enter),
            others: Vec::new(),
        };
        let group = Arc::new(Group::new(self.trace, terms));
        let (position, rule) = (self.position, self.rule());
        let lines = Lines::search(position, rule, group, self.other_budgets(leg, budget));
        let line = lines.line(position, rule, self.start);
        (!line.is_empty()).then_some(line)
    }
}
