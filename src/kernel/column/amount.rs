//! Amounts as columns, each with its proven interval; a fraction is a whole number over a number
//! that never varies.

use super::graph::{Col, Graph};
use super::lane::Width;
use super::refused::Why;
use super::step::{Mark, Order, Step};
use super::truth::Truth;
use crate::ir::{Comparison, Rounding};

/// An amount: what stands in a column, or one number for all rows, over `under`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    /// The column; none if `low` and `high` are the one number.
    pub col: Option<Col>,
    /// The least it can be, times `under`.
    pub low: i64,
    /// The most it can be, times `under`.
    pub high: i64,
    /// The denominator, positive.
    pub under: i64,
}

/// What a sum is made of: amounts that count where a truth holds.
pub(super) type Terms = Vec<(Truth, Amount)>;

impl Amount {
    /// A whole number.
    pub(super) fn whole(n: i64) -> Amount {
        Amount { col: None, low: n, high: n, under: 1 }
    }

    /// A fraction.
    pub(super) fn part(over: i64, under: i64) -> Amount {
        let common = common(over, under);
        Amount { col: None, low: over / common, high: over / common, under: under / common }
    }
}

fn common(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1).max(1)
}

impl Graph {
    /// A whole column as an amount.
    pub(super) fn amount(&self, col: Col) -> Amount {
        let (low, high) = self.range(col);
        Amount { col: Some(col), low, high, under: 1 }
    }

    /// The column of an amount in a width; of what is wider the low bits.
    pub(super) fn col(&mut self, amount: Amount, width: Width) -> Col {
        let Some(col) = amount.col else { return self.splat(width, amount.low) };
        let from = self.width(col);
        if from == width {
            col
        } else {
            self.step(Step::Cut(width, from, col), amount.low, amount.high)
        }
    }

    fn signed(
        &mut self,
        mark: Mark,
        a: Amount,
        b: Amount,
        (low, high): (i64, i64),
    ) -> Result<Amount, Why> {
        let fits = |x: Amount| Width::of(x.low, x.high);
        let width = Width::of(low, high)
            .and_then(|w| Some(w.max(fits(a)?).max(fits(b)?)))
            .ok_or(Why::TooLarge)?;
        let (x, y) = (self.col(a, width), self.col(b, width));
        let col = self.step(Step::Signed(width, mark, x, y), low, high);
        Ok(Amount { col: Some(col), low, high, under: a.under })
    }

    /// An amount with its numerator and its denominator so many times as large.
    fn widened(&mut self, a: Amount, by: i64) -> Result<Amount, Why> {
        let under = a.under.checked_mul(by).ok_or(Why::TooLarge)?;
        let product = self.product(Amount { under: 1, ..a }, Amount::whole(by))?;
        Ok(Amount { under, ..product })
    }

    /// Two amounts over the same number.
    fn level(&mut self, a: Amount, b: Amount) -> Result<(Amount, Amount), Why> {
        let common = common(a.under, b.under);
        Ok((self.widened(a, b.under / common)?, self.widened(b, a.under / common)?))
    }

    /// Both together.
    pub(super) fn sum(&mut self, a: Amount, b: Amount) -> Result<Amount, Why> {
        self.total(&vec![(Truth::Fixed(true), a), (Truth::Fixed(true), b)])
    }

    /// The first without the second.
    pub(super) fn difference(&mut self, a: Amount, b: Amount) -> Result<Amount, Why> {
        let (a, b) = self.level(a, b)?;
        let (low, high) = (
            a.low.checked_sub(b.high).ok_or(Why::TooLarge)?,
            a.high.checked_sub(b.low).ok_or(Why::TooLarge)?,
        );
        match (a.col, b.col) {
            (None, None) => Ok(Amount { low, high, ..a }),
            (_, None) => {
                let n = b.low.checked_neg().ok_or(Why::TooLarge)?;
                self.sum(a, Amount { low: n, high: n, ..b })
            }
            _ => self.signed(Mark::Minus, a, b, (low, high)),
        }
    }

    /// One as often as the other says.
    pub(super) fn product(&mut self, a: Amount, b: Amount) -> Result<Amount, Why> {
        let under = a.under.checked_mul(b.under).ok_or(Why::TooLarge)?;
        let mut corners = [0; 4];
        for (corner, (x, y)) in corners.iter_mut().zip([
            (a.low, b.low),
            (a.low, b.high),
            (a.high, b.low),
            (a.high, b.high),
        ]) {
            *corner = x.checked_mul(y).ok_or(Why::TooLarge)?;
        }
        let (low, high) =
            (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0));
        match (a.col, b.col) {
            (None, None) => Ok(Amount::part(low, under)),
            (Some(_), None) if (b.low, b.under) == (1, 1) => Ok(a),
            (None, Some(_)) if (a.low, a.under) == (1, 1) => Ok(b),
            _ => Ok(Amount { under, ..self.signed(Mark::Times, a, b, (low, high))? }),
        }
    }

    /// The first over the second, which must be one number for all rows.
    pub(super) fn quotient(&mut self, a: Amount, b: Amount) -> Result<Amount, Why> {
        if b.col.is_some() || b.low == 0 {
            return Err(Why::Division);
        }
        let sign = b.low.signum();
        self.product(
            a,
            Amount::part(
                sign.checked_mul(b.under).ok_or(Why::TooLarge)?,
                b.low.checked_abs().ok_or(Why::TooLarge)?,
            ),
        )
    }

    /// The lesser or the greater of two.
    pub(super) fn extreme(&mut self, greater: bool, a: Amount, b: Amount) -> Result<Amount, Why> {
        let (a, b) = self.level(a, b)?;
        let join = |x: i64, y: i64| if greater { x.max(y) } else { x.min(y) };
        let (low, high) = (join(a.low, b.low), join(a.high, b.high));
        let settled =
            |x: Amount, y: Amount| if greater { x.low >= y.high } else { x.high <= y.low };
        match (a.col, b.col) {
            _ if settled(a, b) => Ok(a),
            _ if settled(b, a) => Ok(b),
            // One end alone is a clamp whose other end is never met.
            (Some(_), None) => self.clamp(a, low, high),
            (None, Some(_)) => self.clamp(b, low, high),
            _ => self.signed(if greater { Mark::Most } else { Mark::Least }, a, b, (low, high)),
        }
    }

    /// Held between two ends, which lie over the same number as the amount.
    fn clamp(&mut self, a: Amount, low: i64, high: i64) -> Result<Amount, Why> {
        let width = Width::of(a.low, a.high).ok_or(Why::TooLarge)?;
        let col = self.col(a, width);
        Ok(Amount {
            col: Some(self.step(Step::Clamp(width, col, low, high), low, high)),
            low,
            high,
            under: a.under,
        })
    }

    /// Raised to the lower end, then lowered to the upper one.
    pub(super) fn kept(&mut self, a: Amount, low: Amount, high: Amount) -> Result<Amount, Why> {
        if let (
            Amount { col: Some(_), under: 1, .. },
            Amount { col: None, under: 1, .. },
            Amount { col: None, under: 1, .. },
        ) = (a, low, high)
            && low.low <= high.low
        {
            let (least, most) = (a.low.clamp(low.low, high.low), a.high.clamp(low.low, high.low));
            return if (least, most) == (a.low, a.high) {
                Ok(a)
            } else {
                self.clamp(a, least, most)
            };
        }
        let raised = self.extreme(true, a, low)?;
        self.extreme(false, raised, high)
    }

    /// A whole number near an amount.
    pub(super) fn rounded(&mut self, a: Amount, by: Rounding) -> Result<Amount, Why> {
        if a.under == 1 {
            return Ok(a);
        }
        let double = a.under.checked_mul(2).ok_or(Why::TooLarge)?;
        let (times, plus, under) = match by {
            Rounding::Down => (1, 0, a.under),
            Rounding::Up => (1, a.under - 1, a.under),
            Rounding::Nearest => (2, a.under, double),
        };
        // Numerators fit into 32 bits and so must denominators, so that nothing on the way leaves
        // 64.
        Width::of(a.low.min(-double), a.high.max(double)).ok_or(Why::TooLarge)?;
        let round = |n: i64| (n * times + plus).div_euclid(under);
        let (low, high) = (round(a.low), round(a.high));
        if a.col.is_none() {
            return Ok(Amount::whole(low));
        }
        let wide = self.col(a, Width::I32);
        let col = self.step(Step::Divide(wide, times, plus, under), low, high);
        Ok(Amount { col: Some(col), low, high, under: 1 })
    }

    /// One amount where a condition holds, else the other.
    pub(super) fn choose(&mut self, when: Truth, a: Amount, b: Amount) -> Result<Amount, Why> {
        if let Truth::Fixed(truth) = when {
            return Ok(if truth { a } else { b });
        }
        if a == b {
            return Ok(a);
        }
        let (a, b) = self.level(a, b)?;
        let (low, high) = (a.low.min(b.low), a.high.max(b.high));
        let width = Width::of(low, high).ok_or(Why::TooLarge)?;
        let (mask, contrary) = self.mask(when);
        let (yes, no) = if contrary { (b, a) } else { (a, b) };
        let (yes, no) = (self.col(yes, width), self.col(no, width));
        Ok(Amount {
            col: Some(self.step(Step::Choose(width, mask, yes, no), low, high)),
            low,
            high,
            under: a.under,
        })
    }

    /// How two amounts compare.
    pub(super) fn compare(&mut self, a: Amount, op: Comparison, b: Amount) -> Result<Truth, Why> {
        let (a, b) = self.level(a, b)?;
        let (a, op, b) = match (a.col, b.col) {
            (None, Some(_)) => (b, op.mirrored(), a),
            _ => (a, op, b),
        };
        if b.col.is_none() {
            let n = b.low;
            let (low, high) = match op {
                Comparison::Equal => (n, n),
                Comparison::AtLeast => (n, i64::MAX),
                Comparison::AtMost => (i64::MIN, n),
                Comparison::More => (n.saturating_add(1), i64::MAX),
                Comparison::Less => (i64::MIN, n.saturating_sub(1)),
            };
            return Ok(match a.col {
                Some(col) => self.between(col, low, high),
                None => Truth::Fixed((low..=high).contains(&a.low)),
            });
        }
        let width = Width::of(a.low.min(b.low), a.high.max(b.high)).ok_or(Why::TooLarge)?;
        let (x, y) = (self.col(a, width), self.col(b, width));
        let (order, x, y, contrary) = match op {
            Comparison::Equal => (Order::Equal, x, y, false),
            Comparison::Less => (Order::Less, x, y, false),
            Comparison::AtLeast => (Order::Less, x, y, true),
            Comparison::More => (Order::Less, y, x, false),
            Comparison::AtMost => (Order::Less, y, x, true),
        };
        Ok(Truth::Mask(self.truths(Step::Compare(width, order, x, y)), contrary))
    }

    /// The sum of all terms that count.
    pub(super) fn total(&mut self, terms: &Terms) -> Result<Amount, Why> {
        let mut under = 1i64;
        for (_, amount) in terms {
            under = under
                .checked_mul(amount.under / common(under, amount.under))
                .ok_or(Why::TooLarge)?;
        }
        let (mut low, mut high, mut base) = (0i64, 0i64, 0i64);
        let mut fixed: Vec<(Col, i64)> = Vec::new();
        let mut varying: Vec<(Option<(Col, bool)>, Amount)> = Vec::new();
        for (when, amount) in terms.iter().filter(|(when, _)| *when != Truth::Fixed(false)) {
            let amount = self.widened(*amount, under / amount.under)?;
            Width::of(amount.low, amount.high).ok_or(Why::TooLarge)?;
            let always = *when == Truth::Fixed(true);
            let (least, most) = if always {
                (amount.low, amount.high)
            } else {
                (amount.low.min(0), amount.high.max(0))
            };
            low = low.checked_add(least).ok_or(Why::TooLarge)?;
            high = high.checked_add(most).ok_or(Why::TooLarge)?;
            match (always, amount.col) {
                (true, None) => base += amount.low,
                (true, Some(_)) => varying.push((None, amount)),
                (false, None) => {
                    // What counts unless a truth holds counts always, and is taken away where it
                    // does.
                    let (mask, contrary) = self.mask(*when);
                    base += if contrary { amount.low } else { 0 };
                    fixed.push((mask, if contrary { -amount.low } else { amount.low }));
                }
                (false, Some(_)) => varying.push((Some(self.mask(*when)), amount)),
            }
        }
        let whole = Amount { col: None, low, high, under };
        if fixed.is_empty() && varying.is_empty() {
            return Ok(whole);
        }
        // Only the end of a sum must fit: what wraps around on the way comes back, so that nothing
        // is known of it there.
        let width = Width::of(low, high).ok_or(Why::TooLarge)?;
        let (least, most) = width.ends();
        let first = varying
            .iter()
            .position(|(when, _)| when.is_none())
            .filter(|_| base == 0)
            .map(|at| varying.remove(at).1);
        let mut sum = match first {
            Some(amount) => self.col(amount, width),
            None => self.splat(width, base),
        };
        for four in fixed.chunks(4) {
            let spare = four.first().map_or(sum, |(col, _)| *col);
            let part = |at: usize| four.get(at).copied().unwrap_or((spare, 0));
            sum = self.step(
                Step::Tally(width, sum, [part(0), part(1), part(2), part(3)]),
                least,
                most,
            );
        }
        for (when, amount) in varying {
            let col = self.col(amount, width);
            let step = match when {
                None => Step::Signed(width, Mark::Plus, sum, col),
                Some((mask, false)) => Step::AddIf(width, sum, mask, col),
                Some((mask, true)) => {
                    let none = self.splat(width, 0);
                    let counted = self.step(
                        Step::Choose(width, mask, none, col),
                        amount.low.min(0),
                        amount.high.max(0),
                    );
                    Step::Signed(width, Mark::Plus, sum, counted)
                }
            };
            sum = self.step(step, least, most);
        }
        self.prove(sum, low, high);
        Ok(Amount { col: Some(sum), ..whole })
    }
}
