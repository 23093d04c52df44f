//! Tests: the outcome that dice give, and exact odds.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::evaluate::compares;
use super::{Amount, Cx, EvalFault, Position, exact};
use crate::arrange::Arrange as _;
use crate::ir::{
    Comparison, Die, ExprId, FactId, LineId, Node, Part, Ruleset, TestId, Throw, Type,
};
use crate::world::ThingRef;

/// An exact chance.
pub type Fraction = BigRational;

/// The most retries of one roll that odds are worked out through; beyond, the fractions outgrow
/// any use and any time.
const MOST_RETRIES: u32 = 100;

/// How often one roll may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Retries {
    /// What the rule allows; none if only the amount ends it.
    pub at_most: Option<u32>,
    /// The amount that each takes one from.
    pub pool: Option<Pool>,
}

/// A stored amount that retries are paid from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// Which fact.
    pub fact: FactId,
    /// Whose.
    pub of: ThingRef,
    /// How much of it lies above its least value.
    pub left: u32,
}

impl Retries {
    /// How many there can be when so much of the amount has been spent before.
    #[must_use]
    pub fn most(&self, spent: u32) -> u32 {
        let paid = self.pool.map(|p| p.left.saturating_sub(spent));
        match (self.at_most, paid) {
            (Some(a), Some(b)) => a.min(b),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => 0,
        }
    }
}

/// In how many ways one roll comes to an outcome, and whether it is then made again if it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// The outcome.
    pub outcome: Option<u16>,
    /// Whether the condition of the retry holds.
    pub again: bool,
    /// How many of all throws come to this.
    pub ways: i64,
}

/// How a roll can end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The outcome that counts.
    pub outcome: Option<u16>,
    /// How often it was rolled again.
    pub retries: u32,
    /// How likely that is.
    pub chance: Fraction,
}

impl Position<'_> {
    /// The outcome of a test for a thing when its dice show this sum.
    pub fn outcome(
        &self,
        test: TestId,
        thing: ThingRef,
        natural: i64,
    ) -> Result<Option<u16>, EvalFault> {
        let cx = self.asked_of(thing);
        let total = self.total(test, &cx, natural)?;
        self.rules.seen.line(self.rules.tests[test.index()].line);
        self.band(test, &cx.rolling(natural, total))
    }

    /// Whether a roll that came to this outcome is to be made again, if it can be.
    pub fn again(
        &self,
        test: TestId,
        thing: ThingRef,
        natural: i64,
        outcome: Option<u16>,
    ) -> Result<bool, EvalFault> {
        let cx = self.asked_of(thing);
        let total = self.total(test, &cx, natural)?;
        let again = self.wants_again(test, thing, &cx.rolling(natural, total), outcome)?;
        if let Some(retry) = self.rules.tests[test.index()].retry.as_ref().filter(|_| again) {
            self.rules.seen.line(retry.line);
        }
        Ok(again)
    }

    /// How often a roll for a thing may be made again, as the position stands.
    pub fn retries(&self, test: TestId, thing: ThingRef) -> Result<Retries, EvalFault> {
        let Some(retry) = &self.rules.tests[test.index()].retry else {
            return Ok(Retries::default());
        };
        let cx = self.asked_of(thing);
        let at_most = match retry.at_most {
            Some(most) => {
                let amount = self.value(most, &cx)?.amount().unwrap_or_default();
                Some(
                    u32::try_from(exact::rounded(amount, crate::ir::Rounding::Down).max(0))
                        .unwrap_or(u32::MAX),
                )
            }
            None => None,
        };
        let Some((id, of)) = retry.spending else { return Ok(Retries { at_most, pool: None }) };
        let fact = &self.rules.facts[id.index()];
        let of = match self.rules.node(of) {
            Node::Nothing => Some(ThingRef::World),
            _ => self.value(of, &cx)?.thing().filter(|of| self.is_kind(*of, fact.kind)),
        };
        // Where nobody has such an amount there is nothing to spend.
        let Some(of) = of else { return Ok(Retries { at_most: Some(0), pool: None }) };
        let low = match fact.ty {
            Type::Number { low, .. } => low,
            _ => 0,
        };
        let left =
            u32::try_from(self.world.fact(fact, of).saturating_sub(low).max(0)).unwrap_or(u32::MAX);
        Ok(Retries { at_most, pool: Some(Pool { fact: id, of, left }) })
    }

    pub(super) fn total(&self, test: TestId, cx: &Cx, natural: i64) -> Result<Amount, EvalFault> {
        let rule = &self.rules.tests[test.index()];
        let plus = match rule.plus {
            Some(plus) => self.value(plus, cx)?.amount().unwrap_or_default(),
            None => Amount::default(),
        };
        exact::plus(Amount::from_integer(natural), plus)
            .ok_or(EvalFault::TooLarge(rule.plus.unwrap_or(ExprId(0))))
    }

    fn band(&self, test: TestId, cx: &Cx) -> Result<Option<u16>, EvalFault> {
        for (when, outcome, line) in &self.rules.tests[test.index()].rows {
            let holds = match when {
                Some(when) => self.holds(*when, cx)?,
                None => true,
            };
            if holds {
                self.rules.seen.line(*line);
                return Ok(Some(*outcome));
            }
        }
        Ok(None)
    }

    fn wants_again(
        &self,
        test: TestId,
        thing: ThingRef,
        cx: &Cx,
        outcome: Option<u16>,
    ) -> Result<bool, EvalFault> {
        match (&self.rules.tests[test.index()].retry, outcome) {
            (Some(retry), Some(outcome)) => self.holds(retry.when, &cx.found(test, thing, outcome)),
            _ => Ok(false),
        }
    }

    /// One roll of a test for a thing: every outcome with the number of throws that come to it, in
    /// the order of the outcomes, those that are rolled again apart.
    pub fn tally(&self, test: TestId, thing: ThingRef) -> Result<Vec<Tally>, EvalFault> {
        let rule = &self.rules.tests[test.index()];
        let cx = self.asked_of(thing);
        let plus = self.total(test, &cx, 0)?;
        let mut bands = Bands::of(self.rules, test);
        let mut tally: Vec<Tally> = Vec::new();
        for (natural, ways) in sums(&rule.dice) {
            let total = exact::plus(Amount::from_integer(natural), plus)
                .ok_or(EvalFault::TooLarge(rule.plus.unwrap_or(ExprId(0))))?;
            let cx = cx.rolling(natural, total);
            let outcome = bands.outcome(self, &cx)?;
            let again = self.wants_again(test, thing, &cx, outcome)?;
            match tally.iter_mut().find(|t| t.outcome == outcome && t.again == again) {
                Some(found) => found.ways += ways,
                None => tally.push(Tally { outcome, again, ways }),
            }
        }
        tally.arrange_by_key(|t| (t.outcome, t.again));
        Ok(tally)
    }

    /// How a test for a thing can end when its rolls may be made again so often: each outcome after
    /// each number of retries. The chances add up to exactly 1.
    pub fn endings(
        &self,
        test: TestId,
        thing: ThingRef,
        most: u32,
    ) -> Result<Vec<Ending>, EvalFault> {
        let tally = self.tally(test, thing)?;
        let part = parts(&tally);
        let again: Fraction = tally.iter().filter(|t| t.again).map(|t| part(t.ways)).sum();
        let most = self.tries(test, &again, most)?;
        let mut endings: Vec<Ending> = Vec::new();
        let mut reached = Fraction::one();
        for retries in 0..=most {
            for one in tally.iter().filter(|t| retries == most || !t.again) {
                let chance = &reached * part(one.ways);
                match endings.iter_mut().find(|e| e.outcome == one.outcome && e.retries == retries)
                {
                    Some(found) => found.chance += chance,
                    None => endings.push(Ending { outcome: one.outcome, retries, chance }),
                }
            }
            reached *= &again;
        }
        debug_assert!(
            endings.iter().map(|e| &e.chance).sum::<Fraction>().is_one(),
            "chances add up to 1"
        );
        Ok(endings)
    }

    /// The exact odds of a test for a thing, retries included, in the order of its outcomes. They
    /// add up to exactly 1.
    pub fn odds(
        &self,
        test: TestId,
        thing: ThingRef,
    ) -> Result<Vec<(Option<u16>, Fraction)>, EvalFault> {
        let tally = self.tally(test, thing)?;
        let part = parts(&tally);
        let again: Fraction = tally.iter().filter(|t| t.again).map(|t| part(t.ways)).sum();
        let most = self.tries(test, &again, self.retries(test, thing)?.most(0))?;
        // A roll that counts comes after none, one, two of those that are made again, and so on; the
        // last roll counts whatever it is.
        let last = num_traits::pow(again.clone(), most as usize);
        let before_last = if again.is_one() {
            Fraction::zero()
        } else {
            (Fraction::one() - &last) / (Fraction::one() - &again)
        };
        let mut odds: Vec<(Option<u16>, Fraction)> = Vec::new();
        for one in &tally {
            let whole = if one.again { last.clone() } else { &before_last + &last };
            let found = part(one.ways) * whole;
            match odds.last_mut().filter(|(outcome, _)| *outcome == one.outcome) {
                Some((_, chance)) => *chance += found,
                None => odds.push((one.outcome, found)),
            }
        }
        debug_assert!(
            odds.iter().map(|(_, chance)| chance).sum::<Fraction>().is_one(),
            "chances add up to 1"
        );
        Ok(odds)
    }

    /// How often a roll is made again at most, which odds are worked out through.
    fn tries(&self, test: TestId, again: &Fraction, most: u32) -> Result<u32, EvalFault> {
        let most = if again.is_zero() { 0 } else { most };
        if most > MOST_RETRIES {
            let retry = self.rules.tests[test.index()].retry.as_ref();
            return Err(EvalFault::TooLong(
                retry.and_then(|r| r.at_most).or(retry.map(|r| r.when)).unwrap_or(ExprId(0)),
            ));
        }
        Ok(most)
    }

    /// The exact chance of an outcome, as an amount that rules can work with.
    pub fn chance(&self, test: TestId, outcome: u16, thing: ThingRef) -> Result<Amount, EvalFault> {
        let odds = self.rules.seen.quietly(|| self.odds(test, thing))?;
        self.note_chance(test, outcome, thing)?;
        let Some((_, chance)) = odds.into_iter().find(|(o, _)| *o == Some(outcome)) else {
            return Ok(Amount::zero());
        };
        let rule = &self.rules.tests[test.index()];
        let place = rule.retry.as_ref().map_or(ExprId(0), |r| r.when);
        match (chance.numer().to_i64(), chance.denom().to_i64()) {
            (Some(over), Some(under)) => Ok(Amount::new(over, under)),
            _ => Err(EvalFault::TooLarge(place)),
        }
    }
}

/// The chance of a number of all throws.
fn parts(tally: &[Tally]) -> impl Fn(i64) -> Fraction {
    let all: i64 = tally.iter().map(|t| t.ways).sum();
    move |ways| Fraction::new(BigInt::from(ways), BigInt::from(all.max(1)))
}

/// The rows of a test for all its rolls: what the roll is compared with is worked out once.
struct Bands<'r> {
    rows: &'r [(Option<ExprId>, u16, LineId)],
    /// Of each row that compares the roll with something else how it does so.
    compared: Vec<Option<Band>>,
}

/// A comparison of the roll with something that is the same for all rolls.
struct Band {
    /// Whether the roll is read with what is added to it.
    total: bool,
    roll_is_left: bool,
    op: Comparison,
    with: ExprId,
    /// What that has come to, once it has been asked.
    other: Option<Option<Amount>>,
}

impl<'r> Bands<'r> {
    fn of(rules: &'r Ruleset, test: TestId) -> Bands<'r> {
        let rows = &rules.tests[test.index()].rows[..];
        let is_roll = |id: ExprId| matches!(rules.node(id), Node::Total | Node::Natural);
        let band = |when: ExprId| {
            let Node::Compare(left, op, right) = *rules.node(when) else { return None };
            let roll_is_left = is_roll(left);
            let (roll, with) = if roll_is_left { (left, right) } else { (right, left) };
            let fixed = is_roll(roll) && !reads_roll(rules, with);
            let total = matches!(rules.node(roll), Node::Total);
            fixed.then_some(Band { total, roll_is_left, op, with, other: None })
        };
        Bands { rows, compared: rows.iter().map(|(when, ..)| when.and_then(band)).collect() }
    }

    fn outcome(&mut self, position: &Position<'_>, cx: &Cx) -> Result<Option<u16>, EvalFault> {
        for ((when, outcome, line), band) in self.rows.iter().zip(&mut self.compared) {
            let holds = match (when, band) {
                (None, _) => true,
                (Some(when), None) => position.holds(*when, cx)?,
                (Some(_), Some(band)) => band.holds(position, cx)?,
            };
            if holds {
                position.rules.seen.line(*line);
                return Ok(Some(*outcome));
            }
        }
        Ok(None)
    }
}

impl Band {
    fn holds(&mut self, position: &Position<'_>, cx: &Cx) -> Result<bool, EvalFault> {
        let other = match self.other {
            Some(known) => known,
            None => *self.other.insert(position.value(self.with, cx)?.amount()),
        };
        let roll = cx.rolled.map(|(natural, total)| match self.total {
            true => total,
            false => Amount::from_integer(natural),
        });
        let (left, right) = if self.roll_is_left { (roll, other) } else { (other, roll) };
        Ok(matches!((left, right), (Some(a), Some(b)) if compares(a, self.op, b)))
    }
}

/// Whether an expression reads the roll itself; named values never do.
fn reads_roll(rules: &Ruleset, id: ExprId) -> bool {
    let node = rules.node(id);
    let mut reads = matches!(node, Node::Total | Node::Natural);
    rules.for_each_part(node, &mut |part| {
        if let Part::Expr(id) = part {
            reads = reads || reads_roll(rules, id);
        }
    });
    reads
}

/// All sums that dice can show, ascending, each with its number of throws. The checker keeps the
/// number of all throws below 2^53, so that no count overflows.
#[must_use]
pub fn sums(dice: &[Throw]) -> Vec<(i64, i64)> {
    let highest = |throw: &Throw| match &throw.die {
        Die::Sides(sides) => *sides as usize,
        Die::Faces(shown) => shown.iter().max().map_or(0, |most| *most as usize),
    };
    // One row for all dice; each die is added in place, the highest sum first.
    let mut ways =
        vec![0i64; dice.iter().map(|t| t.count as usize * highest(t)).sum::<usize>() + 1];
    ways[0] = 1;
    let mut top = 0;
    for throw in dice {
        for _ in 0..throw.count {
            top += highest(throw);
            match &throw.die {
                Die::Sides(sides) => add_die(&mut ways[..=top], *sides as usize),
                Die::Faces(shown) => add_faces(&mut ways[..=top], &times(shown)),
            }
        }
    }
    (0..).zip(ways).filter(|(_, count)| *count > 0).collect()
}

/// Adds a die that shows 1 to `sides`: each sum comes from as many sums below it, which slide.
fn add_die(ways: &mut [i64], sides: usize) {
    let mut below = 0;
    for way in ways.iter_mut() {
        below += *way;
        *way = below;
    }
    for sum in (0..ways.len()).rev() {
        let upto = |below: Option<usize>| below.map_or(0, |at| ways[at]);
        ways[sum] = upto(sum.checked_sub(1)) - upto(sum.checked_sub(sides + 1));
    }
}

/// Adds a die with faces of its own, each with how often it stands there.
fn add_faces(ways: &mut [i64], faces: &[(usize, i64)]) {
    for sum in (0..ways.len()).rev() {
        let from = faces.iter().filter_map(|(face, times)| Some((sum.checked_sub(*face)?, times)));
        ways[sum] = from.map(|(below, times)| ways[below] * times).sum();
    }
}

/// The numbers on a die, each with how often it stands there.
fn times(shown: &[u32]) -> Vec<(usize, i64)> {
    let mut sorted = shown.to_vec();
    sorted.arrange();
    sorted.chunk_by(|a, b| a == b).map(|same| (same[0] as usize, same.len() as i64)).collect()
}

#[cfg(test)]
mod tests {
    use rand_pcg::Pcg32;
    use rand_pcg::rand_core::Rng;
    use std::collections::BTreeMap;

    use super::{Die, Throw, sums};

    fn ways(dice: &[(u32, Die)]) -> Vec<(i64, i64)> {
        sums(
            &dice
                .iter()
                .map(|(count, die)| Throw { count: *count, die: die.clone() })
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn two_dice_show_seven_in_six_ways() {
        let two = ways(&[(2, Die::Sides(6))]);
        assert_eq!(two.first(), Some(&(2, 1)));
        assert_eq!(
            two.iter().map(|(_, w)| *w).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
        );
        assert_eq!(ways(&[(3, Die::Sides(6))]).iter().map(|(_, w)| w).sum::<i64>(), 216);
    }

    #[test]
    fn dice_of_several_kinds_add_up() {
        // Each of 4 faces with each of 2: 2 comes of 1 and 1, 3 of 1 and 2 or 2 and 1, and so on.
        assert_eq!(
            ways(&[(1, Die::Sides(4)), (1, Die::Sides(2))]),
            [(2, 1), (3, 2), (4, 2), (5, 2), (6, 1)]
        );
    }

    #[test]
    fn faces_of_their_own_count_as_often_as_they_stand_there() {
        let average = Die::Faces(vec![2, 3, 3, 4, 4, 5]);
        assert_eq!(ways(&[(1, average)]), [(2, 1), (3, 2), (4, 2), (5, 1)]);
        // A blank with probability 2/3, two of them, by hand: 0 in 4 ways, 6 in 4, 12 in 1; gaps
        // are left out.
        assert_eq!(ways(&[(2, Die::Faces(vec![6, 0, 0]))]), [(0, 4), (6, 4), (12, 1)]);
    }

    /// All throws one by one.
    fn slow(dice: &[Throw]) -> Vec<(i64, i64)> {
        let mut all: BTreeMap<i64, i64> = BTreeMap::from([(0, 1)]);
        for throw in dice {
            let faces: Vec<u32> = match &throw.die {
                Die::Sides(sides) => (1..=*sides).collect(),
                Die::Faces(shown) => shown.clone(),
            };
            for _ in 0..throw.count {
                let mut next = BTreeMap::new();
                for (sum, ways) in &all {
                    for face in &faces {
                        *next.entry(sum + i64::from(*face)).or_insert(0) += ways;
                    }
                }
                all = next;
            }
        }
        all.into_iter().collect()
    }

    #[test]
    fn dice_add_up_as_when_they_are_thrown_one_by_one() {
        let mut random = Pcg32::new(7, 11);
        let mut upto = |most: u32| random.next_u32() % most;
        for _ in 0..200 {
            let dice: Vec<Throw> = (0..=upto(3))
                .map(|_| {
                    let die = if upto(2) == 0 {
                        Die::Sides(2 + upto(9))
                    } else {
                        Die::Faces((0..2 + upto(5)).map(|_| upto(12)).collect())
                    };
                    Throw { count: 1 + upto(4), die }
                })
                .collect();
            assert_eq!(sums(&dice), slow(&dice), "{dice:?}");
        }
    }
}
