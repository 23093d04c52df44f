//! How little and how much a sum of rows can come to.

use super::scope::Ty;
use crate::ir::Type;

/// So often a row counts at most, as far as types tell; and so many cells of a grid hold.
const MOST_TIMES: i64 = 64;

/// What the rows of a sum add up to at least and at most, result by result.
pub(super) struct Sums(Vec<Bounds>);

#[derive(Clone, Copy, Default)]
struct Bounds {
    low: i64,
    high: i64,
    fraction: bool,
}

impl Sums {
    pub(super) fn of(results: &[(String, Type)]) -> Sums {
        Sums(vec![Bounds::default(); results.len()])
    }

    /// The results as a row begins to say them, so that its own bounds are known.
    pub(super) fn fresh(&self, results: &[(String, Type)]) -> Vec<(String, Type)> {
        let bare = |ty: Type| match ty {
            Type::Number { dimension, .. } => {
                Type::Number { dimension, low: i64::MAX, high: i64::MIN, fraction: false }
            }
            other => other,
        };
        results.iter().map(|(name, ty)| (name.clone(), bare(*ty))).collect()
    }

    /// Adds what a row gives; one that does not always hold may give nothing.
    pub(super) fn add(&mut self, row: &[(String, Type)], always: bool, per: Option<Ty>) {
        for (sum, (_, ty)) in self.0.iter_mut().zip(row) {
            // A barred value adds nothing.
            let Type::Number { low, high, fraction, .. } = *ty else { continue };
            sum.fraction |= fraction;
            if low > high {
                continue;
            }
            let (low, high) = match per {
                None if always => (low, high),
                None => (low.min(0), high.max(0)),
                Some(ty) => {
                    let times = times(ty);
                    (low.min(0).saturating_mul(times), high.max(0).saturating_mul(times))
                }
            };
            sum.low = sum.low.saturating_add(low);
            sum.high = sum.high.saturating_add(high);
        }
    }

    /// Gives the results the bounds of their sums.
    pub(super) fn bound(&self, results: &mut [(String, Type)]) {
        for (sum, (_, ty)) in self.0.iter().zip(results) {
            if let Type::Number { dimension, .. } = *ty {
                let Bounds { low, high, fraction } = *sum;
                *ty = Type::Number { dimension, low, high, fraction };
            }
        }
    }
}

/// How often a row counts at most that counts by an amount.
fn times(per: Ty) -> i64 {
    match per {
        Ty::Of(Type::Number { low, high, fraction: false, .. }) if low >= 0 => {
            high.clamp(0, MOST_TIMES)
        }
        _ => MOST_TIMES,
    }
}

/// The bounds of a grid that is added up: of its cells several may hold, or none.
pub(super) fn bound_grid(results: &mut [(String, Type)]) {
    for (_, ty) in results {
        if let Type::Number { low, high, .. } = ty {
            (*low, *high) = (
                (*low).min(0).saturating_mul(MOST_TIMES),
                (*high).max(0).saturating_mul(MOST_TIMES),
            );
        }
    }
}
