//! Tables: the rows that hold, and what they give.

use num_traits::Zero;

use super::cx::Cx;
use super::{Amount, EvalFault, Position, Value, exact};
use crate::ir::*;
use crate::world::ThingRef;

impl Position<'_> {
    /// The rows of a table that hold, and what they give.
    pub(super) fn table(&self, id: TableId, result: usize, cx: &Cx) -> Result<Value, EvalFault> {
        let table = &self.rules.tables[id.index()];
        let mut found: Option<Value> = None;
        let mut sum = Amount::zero();
        let counted = |at: usize, row: &Row| {
            self.rules.seen.row(id, at);
            self.rules.seen.line(row.line);
        };
        self.rules.seen.line(table.line);
        for (at, row) in table.rows.iter().enumerate() {
            let last = row.name == "otherwise";
            if last && found.is_some() {
                continue;
            }
            if let Some(when) = row.when
                && !self.holds(when, cx)?
            {
                continue;
            }
            let value = match row.values.get(result).copied().flatten() {
                Some(value) => self.value(value, cx)?,
                None => Value::Barred,
            };
            match table.policy {
                Policy::First => {
                    counted(at, row);
                    return Ok(value);
                }
                Policy::Only if found.is_some() => return Err(EvalFault::SeveralRows(id)),
                Policy::Only => {
                    counted(at, row);
                    found = Some(value);
                }
                // The rows of a list are tests to roll, and no value.
                Policy::All => return Ok(Value::Barred),
                Policy::Sum => {
                    let times = self.times(row, cx)?;
                    if !times.is_zero() {
                        counted(at, row);
                    }
                    let amount = value.amount().unwrap_or_default();
                    let node = row.values.get(result).copied().flatten().unwrap_or(ExprId(0));
                    let added = exact::combine(amount, Sign::Times, times)
                        .ok_or(EvalFault::TooLarge(node))?;
                    sum = exact::plus(sum, added).ok_or(EvalFault::TooLarge(node))?;
                }
            }
        }
        if table.policy == Policy::Sum {
            if let Some((low, high)) = table.kept {
                let (low, high) = (self.value(low, cx)?.amount(), self.value(high, cx)?.amount());
                sum = low.map_or(sum, |l| sum.max(l));
                sum = high.map_or(sum, |h| sum.min(h));
            }
            return Ok(Value::Number(sum));
        }
        found.ok_or(EvalFault::NoRow(id))
    }

    /// The rows of a list of tests that hold for a thing, in order.
    pub fn listed(&self, id: TableId, thing: ThingRef) -> Result<Vec<usize>, EvalFault> {
        match self.has(thing, self.rules.tables[id.index()].of) {
            true => self.rows_held(id, &self.asked_of(thing)),
            false => Ok(Vec::new()),
        }
    }

    /// The rows that make the value of a table: the one that counts, or all of a sum.
    pub fn rows_counted(&self, id: TableId, cx: &Cx) -> Result<Vec<usize>, EvalFault> {
        let table = &self.rules.tables[id.index()];
        let mut found = self.rows_held(id, cx)?;
        match table.policy {
            Policy::First | Policy::Only => found.truncate(1),
            Policy::Sum => {
                let mut counted = Vec::new();
                for at in found {
                    if !self.times(&table.rows[at], cx)?.is_zero() {
                        counted.push(at);
                    }
                }
                return Ok(counted);
            }
            Policy::All => {}
        }
        Ok(found)
    }

    pub(super) fn rows_held(&self, id: TableId, cx: &Cx) -> Result<Vec<usize>, EvalFault> {
        let mut found = Vec::new();
        for (at, row) in self.rules.tables[id.index()].rows.iter().enumerate() {
            let holds = match row.when {
                Some(when) => self.holds(when, cx)?,
                None => true,
            };
            if holds {
                found.push(at);
            }
        }
        Ok(found)
    }

    /// What a table gives a thing, one value a result.
    pub fn table_values(&self, id: TableId, thing: ThingRef) -> Result<Vec<Value>, EvalFault> {
        let (cx, table) = (self.asked_of(thing), &self.rules.tables[id.index()]);
        let has = self.has(thing, table.of);
        let value = |(result, (_, ty)): (usize, &(String, Type))| match has {
            true => self.table(id, result, &cx),
            false => Ok(Value::nothing(*ty)),
        };
        table.results.iter().enumerate().map(value).collect()
    }

    /// How often a row of a sum counts.
    pub(super) fn times(&self, row: &Row, cx: &Cx) -> Result<Amount, EvalFault> {
        let Some((per, beyond)) = row.per else { return Ok(Amount::from_integer(1)) };
        let per_value = self.value(per, cx)?.amount().unwrap_or_default();
        let beyond = match beyond {
            Some(beyond) => self.value(beyond, cx)?.amount().unwrap_or_default(),
            None => Amount::zero(),
        };
        let times =
            exact::combine(per_value, Sign::Minus, beyond).ok_or(EvalFault::TooLarge(per))?;
        Ok(times.max(Amount::zero()))
    }
}
