//! Tables as columns: a chain of choices, or one sum with masks.

use super::amount::{Amount, Terms};
use super::build::{Asked, Builder, Worth};
use super::refused::{Refused, Why};
use super::truth::Truth;
use crate::ir::{Policy, Row, Table, TableId, Type};

/// A row: when it holds, and its cell; none where that is barred.
type Held = (Truth, Option<Amount>);

impl Builder<'_> {
    /// A result of a table.
    pub(super) fn table(
        &mut self,
        id: TableId,
        result: usize,
        asked: Asked,
    ) -> Result<Worth, Refused> {
        let table = self.rules.tables.get(id.index()).ok_or(Why::NoSuch)?;
        let (_, ty) = table.results.get(result).ok_or(Why::NoSuch)?;
        if table.policy == Policy::Sum {
            return self.sum_of_rows(table, result, asked);
        }
        if table.policy == Policy::All {
            return Err(Why::Chance.into());
        }
        let mut held: Vec<Held> = Vec::new();
        for row in &table.rows {
            let when = self.when(row, asked)?;
            held.push((when, self.cell(row, result, asked)?));
        }
        let found = match table.policy {
            Policy::Only => self.only(table, &held)?,
            _ => self.first(&held)?,
        };
        Ok(if matches!(ty, Type::Word(_)) { Worth::Word(found) } else { Worth::Amount(found) })
    }

    fn when(&mut self, row: &Row, asked: Asked) -> Result<Truth, Refused> {
        row.when.map_or(Ok(Truth::Fixed(true)), |when| self.truth(when, asked))
    }

    /// What a row gives; nothing where its cell is barred.
    fn cell(&mut self, row: &Row, result: usize, asked: Asked) -> Result<Option<Amount>, Refused> {
        let Some(value) = row.values.get(result).copied().flatten() else { return Ok(None) };
        match self.worth(value, asked)? {
            Worth::Amount(amount) | Worth::Word(amount) => Ok(Some(amount)),
            _ => Err(Refused::new(Why::NotProved, value)),
        }
    }

    /// The first row that holds.
    fn first(&mut self, held: &[Held]) -> Result<Amount, Refused> {
        // From the last row to the first, so that each row covers those behind it.
        let mut found: Option<Amount> = None;
        let mut open = Truth::Fixed(true);
        for (when, cell) in held.iter().rev() {
            match cell {
                None => open = self.graph.one(&[open, *when]),
                Some(cell) => {
                    open = if *when == Truth::Fixed(true) {
                        Truth::Fixed(false)
                    } else {
                        self.graph.all(&[open, when.not()])
                    };
                    found = Some(match found {
                        Some(rest) => self.graph.choose(*when, *cell, rest)?,
                        None => *cell,
                    });
                }
            }
        }
        self.open.push(open);
        found.ok_or(Why::NoSuch.into())
    }

    /// The only row that holds; where there is none, or several, the column is open.
    fn only(&mut self, table: &Table, held: &[Held]) -> Result<Amount, Refused> {
        let last = table.rows.last().is_some_and(|r| r.name == "otherwise");
        let rows = if last { held.split_last().map_or(held, |(_, rest)| rest) } else { held };
        let ones: Terms = rows.iter().map(|(when, _)| (*when, Amount::whole(1))).collect();
        let many = self.graph.total(&ones)?;
        let single = self.graph.compare(many, crate::ir::Comparison::Equal, Amount::whole(1))?;
        let none = self.graph.compare(many, crate::ir::Comparison::Equal, Amount::whole(0))?;
        self.open.push(if last {
            self.graph.all(&[single.not(), none.not()])
        } else {
            single.not()
        });
        let mut found: Option<Amount> = None;
        let rest = held.get(rows.len()).map(|(_, cell)| (none, *cell));
        // Where one row alone holds, the order does not matter; the last is what is left over.
        for (when, cell) in rest.into_iter().chain(rows.iter().copied()) {
            match (cell, found) {
                (None, _) => self.open.push(when),
                (Some(cell), None) => found = Some(cell),
                (Some(cell), Some(rest)) => found = Some(self.graph.choose(when, cell, rest)?),
            }
        }
        found.ok_or(Why::NoSuch.into())
    }

    /// All rows that hold, each as often as it counts; a barred cell adds nothing.
    fn sum_of_rows(
        &mut self,
        table: &Table,
        result: usize,
        asked: Asked,
    ) -> Result<Worth, Refused> {
        let mut terms: Terms = Vec::new();
        for row in &table.rows {
            let when = self.when(row, asked)?;
            let Some(value) = self.cell(row, result, asked)? else { continue };
            let counted = match row.per {
                None => value,
                Some((per, beyond)) => {
                    let mut times = self.amount(per, asked)?;
                    if let Some(beyond) = beyond {
                        let beyond = self.amount(beyond, asked)?;
                        times = self.graph.difference(times, beyond)?;
                    }
                    let times = self.graph.extreme(true, times, Amount::whole(0))?;
                    self.graph.product(value, times)?
                }
            };
            terms.push((when, counted));
        }
        let mut sum = self.graph.total(&terms)?;
        if let Some((low, high)) = table.kept {
            let (low, high) = (self.amount(low, asked)?, self.amount(high, asked)?);
            sum = self.graph.kept(sum, low, high)?;
        }
        Ok(Worth::Amount(sum))
    }
}
