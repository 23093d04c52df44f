//! Tests: the outcome that dice give, and exact chances.

use super::{Amount, Cx, EvalFault, Position, exact};
use crate::ir::{ExprId, TestId};
use crate::world::ThingRef;

impl Position<'_> {
    /// The outcome of a test for a thing when its dice show this sum.
    pub fn outcome(&self, test: TestId, thing: ThingRef, natural: i64) -> Result<Option<u16>, EvalFault> {
        let rule = &self.rules.tests[test.index()];
        let cx = self.asked_of(thing);
        let plus = match rule.plus {
            Some(plus) => self.value(plus, &cx)?.amount().unwrap_or_default(),
            None => Amount::default(),
        };
        let total = exact::plus(Amount::from_integer(natural), plus).ok_or(EvalFault::TooLarge(rule.plus.unwrap_or(ExprId(0))))?;
        self.band(test, &cx.rolling(natural, total))
    }

    fn band(&self, test: TestId, cx: &Cx) -> Result<Option<u16>, EvalFault> {
        for (when, outcome, _) in &self.rules.tests[test.index()].rows {
            let holds = match when {
                Some(when) => self.holds(*when, cx)?,
                None => true,
            };
            if holds {
                return Ok(Some(*outcome));
            }
        }
        Ok(None)
    }

    /// The exact chance of an outcome: the dice counted through the rows.
    pub fn chance(&self, test: TestId, outcome: u16, thing: ThingRef) -> Result<Amount, EvalFault> {
        let rule = &self.rules.tests[test.index()];
        let ways = ways(rule.dice, rule.sides);
        let (mut hits, mut all) = (0i64, 0i64);
        for (natural, count) in (i64::from(rule.dice)..).zip(ways) {
            all += count;
            if self.outcome(test, thing, natural)? == Some(outcome) {
                hits += count;
            }
        }
        Ok(Amount::new(hits, all.max(1)))
    }
}

/// In how many ways dice show each sum, from the least sum upward. The checker keeps the number of all throws below
/// 2^53, so that no count overflows.
#[must_use]
pub fn ways(dice: u32, sides: u32) -> Vec<i64> {
    let mut ways = vec![1i64];
    for _ in 0..dice {
        let mut next = vec![0i64; ways.len() + sides as usize - 1];
        for (sum, count) in ways.iter().enumerate() {
            for cell in &mut next[sum..sum + sides as usize] {
                *cell += count;
            }
        }
        ways = next;
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::ways;

    #[test]
    fn two_dice_show_seven_in_six_ways() {
        assert_eq!(ways(2, 6), [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
        assert_eq!(ways(1, 4), [1, 1, 1, 1]);
        assert_eq!(ways(3, 6).iter().sum::<i64>(), 216);
    }
}
