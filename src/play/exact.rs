//! Statistics without floats: exact fractions, rounded once at the end, so that a summary is the
//! same bytes on every machine.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, Zero};
use serde::{Serialize, Serializer};

/// An exact number.
pub type Exact = Ratio<BigInt>;

/// Places behind the point that roots are worked out to.
const GUARD: u32 = 9;

/// Places behind the point of a figure for programs.
const PLACES: u32 = 4;

/// How many deviations lie on each side of a mean in an interval of 95 %: 1.96.
fn deviations() -> Exact {
    Exact::new(49.into(), 25.into())
}

/// A number of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure(pub Exact);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let text = decimal(&self.0, PLACES);
        match text.trim_end_matches('0').trim_end_matches('.').parse::<i64>() {
            Ok(whole) => to.serialize_i64(whole),
            // The digits are those of the exact number; they are only written as JSON writes them.
            Err(_) => to.serialize_f64(text.parse().unwrap_or_default()),
        }
    }
}

/// A number in digits, rounded to so many places, halves away from zero.
#[must_use]
pub fn decimal(number: &Exact, places: u32) -> String {
    let scale = BigInt::from(10).pow(places);
    let half = Exact::new(1.into(), 2.into());
    let digits = (number.abs() * &scale + half).floor().to_integer();
    let sign = if number.is_negative() && !digits.is_zero() { "-" } else { "" };
    let (whole, rest) = (&digits / &scale, &digits % &scale);
    match places {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{:0>width$}", rest.to_string(), width = places as usize),
    }
}

/// The square root of what is not negative, to a few places.
fn root(of: &Exact) -> Exact {
    let scale = BigInt::from(10).pow(GUARD);
    // Twice the root with one place more, so that the last place is rounded and not cut.
    let four: Exact = of * (&scale * &scale * 4);
    let twice = four.floor().to_integer().sqrt();
    Exact::new((twice + 1) / 2, scale)
}

/// The interval of 95 % of the mean of so many numbers, by the normal approximation; none for fewer
/// than two.
#[must_use]
pub fn spread_of(count: u64, sum: &Exact, squares: &Exact) -> Option<(Exact, Exact)> {
    let n = Exact::from_integer(count.into());
    let less = Exact::from_integer(count.checked_sub(1).filter(|less| *less > 0)?.into());
    let mean = sum / &n;
    let variance = (&n * squares - sum * sum) / (&n * &n * less);
    let half = deviations() * root(&variance.max(Exact::zero()));
    Some((&mean - &half, mean + half))
}

/// The interval of 95 % of a share, by the score of Wilson; none of nothing.
#[must_use]
pub fn shared(yes: u64, count: u64) -> Option<(Exact, Exact)> {
    let whole = |n: u64| Exact::from_integer(n.into());
    let n = Some(whole(count)).filter(|n| !n.is_zero())?;
    let z = deviations();
    let square = &z * &z;
    let all = &n + &square;
    let middle = (whole(yes) + &square / whole(2)) / &all;
    let inner = whole(yes) * whole(count.saturating_sub(yes)) / n + square / whole(4);
    let half = z * root(&inner) / all;
    let (least, most) = (Exact::zero(), whole(1));
    // All and none are in their own intervals, whatever the last place of the root.
    let low = if yes == 0 { least } else { (&middle - &half).max(least) };
    let high = if yes == count { most } else { (middle + half).min(most) };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may abort")]

    use super::*;

    fn whole(n: i64) -> Exact {
        Exact::from_integer(n.into())
    }

    fn over(a: i64, b: i64) -> Exact {
        Exact::new(a.into(), b.into())
    }

    #[test]
    fn digits_are_rounded_halves_away_from_zero() {
        for (number, places, digits) in [
            (whole(3), 2, "3.00"),
            (over(1, 8), 2, "0.13"),
            (over(-1, 8), 2, "-0.13"),
            (over(-1, 1000), 2, "0.00"),
            (over(2, 3), 4, "0.6667"),
            (over(5, 2), 0, "3"),
        ] {
            assert_eq!(decimal(&number, places), digits);
        }
    }

    #[test]
    fn roots_are_rounded() {
        assert_eq!(decimal(&root(&whole(2)), 8), "1.41421356");
        assert_eq!(root(&whole(9)), whole(3));
        assert_eq!(root(&over(1, 4)), over(1, 2));
    }

    #[test]
    fn the_spread_of_a_mean_is_the_one_of_the_textbook() {
        // 2, 4, 4, 4, 5, 5, 7, 9: the mean is 5, the sum of squared differences 32, so that the
        // variance of the mean is 32 / 7 / 8 and half the interval 1.96 times its root, 1.4816.
        let (low, high) = spread_of(8, &whole(40), &whole(232)).unwrap();
        assert_eq!((decimal(&low, 4), decimal(&high, 4)), ("3.5184".into(), "6.4816".into()));
        assert_eq!(spread_of(1, &whole(5), &whole(25)), None);
        assert_eq!(spread_of(3, &whole(6), &whole(12)), Some((whole(2), whole(2))));
    }

    #[test]
    fn the_interval_of_a_share_is_that_of_wilson() {
        // 8 of 10 with 1.96: (0.8 + 0.19208 +- 1.96 * root of (0.016 + 0.009604)) / 1.38416.
        let (low, high) = shared(8, 10).unwrap();
        assert_eq!((decimal(&low, 4), decimal(&high, 4)), ("0.4902".into(), "0.9433".into()));
        let (low, high) = shared(0, 10).unwrap();
        assert_eq!((decimal(&low, 4), decimal(&high, 4)), ("0.0000".into(), "0.2775".into()));
        let (low, high) = shared(10, 10).unwrap();
        assert_eq!((decimal(&low, 4), decimal(&high, 4)), ("0.7225".into(), "1.0000".into()));
        assert_eq!(shared(0, 0), None);
    }

    #[test]
    fn figures_are_numbers_of_json() {
        let json = |number| serde_json::to_string(&Figure(number)).unwrap();
        assert_eq!(json(over(2, 3)), "0.6667");
        assert_eq!(json(whole(-12)), "-12");
        assert_eq!(json(whole(120)), "120");
    }
}
