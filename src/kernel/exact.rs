//! Exact arithmetic that never aborts.
//!
//! Takes amounts, gives amounts, or nothing where the result has no room in an amount. Everything
//! between is worked out twice as wide, for a library that stays in 64 bits panics on its way at
//! the ends of their range.

use super::Amount;
use crate::ir::{Rounding, Sign};

/// `a sign b`; nothing if it has no room, or divides by 0.
#[must_use]
pub fn combine(a: Amount, sign: Sign, b: Amount) -> Option<Amount> {
    let ((over, under), (by_over, by_under)) = (wide(a), wide(b));
    // Numerators are at most 2^63 and denominators below it, so that no product and no sum of two
    // leaves 128 bits.
    match sign {
        Sign::Plus => narrow(over * by_under + by_over * under, under * by_under),
        Sign::Minus => narrow(over * by_under - by_over * under, under * by_under),
        Sign::Times => narrow(over * by_over, under * by_under),
        Sign::Divide => narrow(over * by_under, under * by_over),
    }
}

/// The sum, if there is room for it.
#[must_use]
pub fn plus(a: Amount, b: Amount) -> Option<Amount> {
    combine(a, Sign::Plus, b)
}

/// A whole number near an amount. There is always room: a fraction is at most half of what an
/// amount can be.
#[must_use]
pub fn rounded(n: Amount, by: Rounding) -> i64 {
    let (over, under) = (*n.numer(), (*n.denom()).max(1));
    let (down, rest) = (over.div_euclid(under), over.rem_euclid(under));
    let up = match by {
        Rounding::Down => false,
        Rounding::Up => rest > 0,
        // Half of the denominator, without doubling the rest.
        Rounding::Nearest => rest > 0 && rest >= under - rest,
    };
    if up { down + 1 } else { down }
}

fn wide(n: Amount) -> (i128, i128) {
    (i128::from(*n.numer()), i128::from(*n.denom()))
}

/// The fraction in its lowest terms, if it has room.
fn narrow(over: i128, under: i128) -> Option<Amount> {
    let (mut a, mut b) = (over.unsigned_abs(), under.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let common = i128::try_from(a).ok().filter(|c| *c != 0)?;
    let common = if under < 0 { -common } else { common };
    let under = i64::try_from(under / common).ok().filter(|u| *u > 0)?;
    Some(Amount::new_raw(i64::try_from(over / common).ok()?, under))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: i64 = i64::MAX;
    const LEAST: i64 = i64::MIN;

    fn whole(n: i64) -> Amount {
        Amount::from_integer(n)
    }

    fn part(over: i64, under: i64) -> Amount {
        Amount::new_raw(over, under)
    }

    #[test]
    fn the_ends_of_the_range_are_kept() {
        assert_eq!(plus(whole(MOST - 1), whole(1)), Some(whole(MOST)));
        assert_eq!(plus(whole(MOST), whole(1)), None);
        assert_eq!(combine(whole(LEAST + 1), Sign::Minus, whole(1)), Some(whole(LEAST)));
        assert_eq!(combine(whole(LEAST), Sign::Minus, whole(1)), None);
        assert_eq!(combine(whole(LEAST), Sign::Divide, whole(-1)), None);
        assert_eq!(combine(whole(LEAST), Sign::Divide, whole(LEAST)), Some(whole(1)));
        assert_eq!(combine(whole(LEAST), Sign::Times, whole(LEAST)), None);
        assert_eq!(combine(whole(LEAST), Sign::Times, whole(0)), Some(whole(0)));
        assert_eq!(combine(whole(MOST), Sign::Divide, whole(0)), None);
    }

    #[test]
    fn what_cancels_needs_no_room() {
        assert_eq!(combine(part(MOST, 3), Sign::Times, part(3, MOST)), Some(whole(1)));
        assert_eq!(combine(part(1, MOST), Sign::Plus, part(1, MOST)), Some(part(2, MOST)));
        assert_eq!(combine(part(1, 2), Sign::Divide, part(-1, 4)), Some(whole(-2)));
        // Two to the 63rd is no denominator of an amount.
        assert_eq!(combine(whole(1), Sign::Divide, whole(LEAST)), None);
        assert_eq!(combine(part(1, MOST), Sign::Times, part(1, 2)), None);
    }

    #[test]
    fn a_half_goes_up_and_the_ends_have_room() {
        let all =
            |n: Amount| [Rounding::Down, Rounding::Up, Rounding::Nearest].map(|by| rounded(n, by));
        assert_eq!(all(part(5, 2)), [2, 3, 3]);
        assert_eq!(all(part(-5, 2)), [-3, -2, -2]);
        assert_eq!(all(part(7, 3)), [2, 3, 2]);
        assert_eq!(all(part(8, 3)), [2, 3, 3]);
        assert_eq!(all(whole(MOST)), [MOST; 3]);
        assert_eq!(all(whole(LEAST)), [LEAST; 3]);
        assert_eq!(all(part(MOST, 2)), [MOST / 2, MOST / 2 + 1, MOST / 2 + 1]);
        assert_eq!(all(part(LEAST + 1, MOST - 1)), [-2, -1, -1]);
        assert_eq!(all(part(1, MOST)), [0, 1, 0]);
    }
}
