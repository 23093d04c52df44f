//! Bands of a test proven: whether every roll has an outcome, and which row no roll ever reaches.
//!
//! Tried are all throws, where the rows read only what the dice show. Where an amount is added that
//! only a game knows, every total may come, and the rows are tried between and on all the numbers
//! they compare with.

use std::collections::BTreeSet;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};

use crate::ir::*;
use crate::kernel::{Amount, sums};

/// What is known of the bands of a test.
pub(super) struct Bands {
    /// Whether every roll has an outcome.
    pub whole: bool,
    /// Rows that no roll reaches, by their place.
    pub unreached: Vec<usize>,
    /// Two rows that share rolls, each of which has rolls of its own.
    pub shared: Vec<(usize, usize)>,
    /// The least and the most that a roll comes to.
    pub range: Option<(Amount, Amount)>,
}

/// What can be said of a condition or an amount when the roll alone is known.
#[derive(Clone, Copy)]
enum Known {
    Truth(bool),
    Number(Amount),
}

/// What is added to the dice, as far as the checker knows it.
pub(super) enum Plus {
    /// always this much
    Always(Amount),
    /// an amount that only a game knows: whole, or perhaps a fraction, within bounds
    Open { fraction: bool, low: i64, high: i64 },
}

/// The amount of an expression that reads nothing.
pub(super) fn constant(rules: &Ruleset, id: ExprId) -> Option<Amount> {
    match known(rules, id, None) {
        Some(Known::Number(n)) => Some(n),
        _ => None,
    }
}

/// Tries the rows with all rolls.
pub(super) fn bands(
    rules: &Ruleset,
    dice: &[Throw],
    plus: &Plus,
    rows: &[Option<ExprId>],
) -> Bands {
    let naturals = sums(dice).into_iter().map(|(natural, _)| Amount::from_integer(natural));
    let mut rolls: Vec<(Amount, Amount)> = Vec::new();
    // Every roll must have an outcome whatever is added; a row is reached by what can be added.
    let mut possible: Vec<(Amount, Amount)> = Vec::new();
    match plus {
        Plus::Always(plus) => {
            rolls.extend(naturals.filter_map(|n| Some((n, n.checked_add(plus)?))));
            possible.clone_from(&rolls);
        }
        Plus::Open { fraction, low, high } => {
            let (low, high) = (&Amount::from_integer(*low), &Amount::from_integer(*high));
            let simple: Vec<ExprId> =
                rows.iter().flatten().copied().filter(|r| is_simple(rules, *r)).collect();
            let totals = totals(rules, &simple, *fraction);
            for natural in naturals {
                let (least, most) = (natural.checked_add(low), natural.checked_add(high));
                let within = totals.iter().filter(|t| least <= Some(**t) && Some(**t) <= most);
                let ends = least.iter().chain(&most);
                possible.extend(ends.chain(within).map(|t| (natural, *t)));
                rolls.extend(totals.iter().map(|t| (natural, *t)));
            }
        }
    }
    let open = matches!(plus, Plus::Open { .. });
    let shared = shared(rules, &rolls, rows);
    let (whole, _) = tried(rules, &rolls, rows, open);
    let (_, reached) = tried(rules, &possible, rows, open);
    // Where every total must have an outcome, `otherwise` gives it, whether it comes or not; not
    // where the other rows have one for each.
    let others: Vec<Option<ExprId>> = rows.iter().copied().filter(Option::is_some).collect();
    let settled = !open || tried(rules, &rolls, &others, open).0;
    let told = |at: usize| settled || rows.get(at).is_some_and(Option::is_some);
    let unreached = (0..rows.len()).zip(&reached).filter(|(at, r)| !**r && told(*at));
    let unreached = unreached.map(|(at, _)| at).collect();
    let totals = || possible.iter().map(|(_, total)| *total);
    Bands { whole, unreached, shared, range: totals().min().zip(totals().max()) }
}

/// Whether each of these rolls has an outcome, and which rows one of them reaches.
fn tried(
    rules: &Ruleset,
    rolls: &[(Amount, Amount)],
    rows: &[Option<ExprId>],
    open: bool,
) -> (bool, Vec<bool>) {
    let mut reached = vec![false; rows.len()];
    let mut whole = !rolls.is_empty();
    for roll in rolls.iter().copied() {
        let mut settled = false;
        for (when, reached) in rows.iter().zip(&mut reached) {
            let holds = match when {
                None => Some(true),
                // Between the numbers tried, a condition of another form may be anything.
                Some(when) if open && !is_simple(rules, *when) => None,
                Some(when) => match known(rules, *when, Some(roll)) {
                    Some(Known::Truth(holds)) => Some(holds),
                    _ => None,
                },
            };
            *reached |= holds != Some(false);
            if holds == Some(true) {
                settled = true;
                break;
            }
        }
        whole &= settled;
    }
    (whole, reached)
}

/// Rows made of comparisons of the roll alone that overlap, neither of which takes all that the
/// other takes.
fn shared(
    rules: &Ruleset,
    rolls: &[(Amount, Amount)],
    rows: &[Option<ExprId>],
) -> Vec<(usize, usize)> {
    let holds = |when: ExprId| -> Vec<bool> {
        let one = |roll: &(Amount, Amount)| {
            matches!(known(rules, when, Some(*roll)), Some(Known::Truth(true)))
        };
        rolls.iter().map(one).collect()
    };
    let bands = rows
        .iter()
        .enumerate()
        .filter_map(|(at, when)| Some((at, when.filter(|when| is_simple(rules, *when))?)));
    let bands: Vec<(usize, bool, Vec<bool>)> =
        bands.filter_map(|(at, when)| Some((at, is_natural(rules, when)?, holds(when)))).collect();
    let mut found = Vec::new();
    for (at, (first, of_first, a)) in bands.iter().enumerate() {
        for (second, _, b) in
            bands.iter().skip(at + 1).filter(|(_, of_second, _)| of_second == of_first)
        {
            let some = |wanted: (bool, bool)| a.iter().zip(b).any(|(a, b)| (*a, *b) == wanted);
            if some((true, true)) && some((true, false)) && some((false, true)) {
                found.push((*first, *second));
            }
        }
    }
    found
}

/// Totals that stand for all others: every number compared with, and one between each two and
/// beyond the ends.
fn totals(rules: &Ruleset, rows: &[ExprId], fraction: bool) -> Vec<Amount> {
    let numbers = numbers_in(rules, rows);
    let one = Amount::from_integer(1);
    let mut all = BTreeSet::from([Amount::zero()]);
    for number in &numbers {
        let down = Amount::from_integer(number.numer().div_euclid(*number.denom()));
        let up = if number.is_integer() { Some(down) } else { down.checked_add(&one) };
        all.extend(
            [down.checked_sub(&one), Some(down), up, up.and_then(|up| up.checked_add(&one))]
                .into_iter()
                .flatten(),
        );
        if fraction {
            all.insert(*number);
        }
    }
    if fraction {
        let half = Ratio::new(1, 2);
        let between: Vec<Amount> = numbers
            .iter()
            .zip(numbers.iter().skip(1))
            .filter_map(|(a, b)| a.checked_add(b)?.checked_mul(&half))
            .collect();
        all.extend(between);
    }
    all.into_iter().collect()
}

/// Whether a condition is about the dice alone, and not about what they come to with what is added;
/// nothing where it is about both, or neither.
fn is_natural(rules: &Ruleset, when: ExprId) -> Option<bool> {
    let (mut natural, mut total) = (false, false);
    rules.walk(
        [when],
        |_| false,
        |_, id| match rules.node(id) {
            Node::Natural => natural = true,
            Node::Total => total = true,
            _ => {}
        },
    );
    (natural != total).then_some(natural)
}

/// Whether a condition is made of comparisons of the roll with numbers alone.
fn is_simple(rules: &Ruleset, id: ExprId) -> bool {
    match rules.node(id) {
        Node::Truth(_) => true,
        Node::And(parts) | Node::Or(parts) => parts.iter().all(|p| is_simple(rules, *p)),
        Node::Not(inner) => is_simple(rules, *inner),
        Node::Compare(left, _, right) => {
            let side = |id: &ExprId| match rules.node(*id) {
                Node::Total | Node::Natural => true,
                _ => constant(rules, *id).is_some(),
            };
            // Two amounts of the roll against each other have no numbers to try between.
            side(left)
                && side(right)
                && (constant(rules, *left).is_some() || constant(rules, *right).is_some())
        }
        Node::Nothing
        | Node::Word(..)
        | Node::NoThing
        | Node::Unit(_)
        | Node::Space(_)
        | Node::Link(_)
        | Node::World
        | Node::SpaceCalled(_)
        | Node::Side(_)
        | Node::Viewer
        | Node::Subject(_)
        | Node::Chosen(..) => false,
        Node::Fact(..)
        | Node::WorldFact(_)
        | Node::Define(..)
        | Node::Table(..)
        | Node::Pair(..)
        | Node::Hook(..)
        | Node::Ruling(_) => false,
        Node::Verdict(..)
        | Node::Evidence(..)
        | Node::WouldBe { .. }
        | Node::OverStep(_)
        | Node::StepEnd(_)
        | Node::LinkEnd(..) => false,
        Node::IsKind(..) | Node::Stands(..) | Node::Sides { .. } | Node::Removed(_) => false,
        Node::Outcome(..) | Node::Listed(..) | Node::Stopped(..) | Node::Chance(..) => false,
        Node::Any(_) | Node::Only(_) | Node::Count(_) | Node::Aggregate(..) => false,
        Node::Same(..) | Node::Number { .. } | Node::Total | Node::Natural => false,
        Node::Rank(_) | Node::Arithmetic(..) | Node::Rounded(..) | Node::Extreme { .. } => false,
    }
}

/// The numbers that simple conditions compare with.
fn numbers_in(rules: &Ruleset, rows: &[ExprId]) -> BTreeSet<Amount> {
    let mut found = BTreeSet::new();
    rules.walk(
        rows.iter().copied(),
        |_| false,
        |_, id| {
            if let Node::Compare(left, _, right) = rules.node(id) {
                found.extend([*left, *right].into_iter().filter_map(|side| constant(rules, side)));
            }
        },
    );
    found
}

/// The value of an expression that reads nothing but a roll: the dice alone, and with what is
/// added.
fn known(rules: &Ruleset, id: ExprId, roll: Option<(Amount, Amount)>) -> Option<Known> {
    let number = |id: ExprId| match known(rules, id, roll) {
        Some(Known::Number(n)) => Some(n),
        _ => None,
    };
    let truth = |id: ExprId| match known(rules, id, roll) {
        Some(Known::Truth(t)) => Some(t),
        _ => None,
    };
    Some(match rules.node(id) {
        Node::Truth(t) => Known::Truth(*t),
        Node::Number { over, under } => Known::Number(Amount::new(*over, (*under).max(1))),
        Node::Natural => Known::Number(roll?.0),
        Node::Total => Known::Number(roll?.1),
        Node::And(parts) => Known::Truth(all(parts.iter().map(|p| truth(*p)), false)?),
        Node::Or(parts) => Known::Truth(!all(parts.iter().map(|p| truth(*p).map(|t| !t)), false)?),
        Node::Not(inner) => Known::Truth(!truth(*inner)?),
        Node::Compare(left, op, right) => {
            let order = number(*left)?.cmp(&number(*right)?);
            Known::Truth(op.holds(order))
        }
        Node::Arithmetic(left, sign, right) => {
            let (a, b) = (number(*left)?, number(*right)?);
            Known::Number(match sign {
                Sign::Plus => a.checked_add(&b)?,
                Sign::Minus => a.checked_sub(&b)?,
                Sign::Times => a.checked_mul(&b)?,
                Sign::Divide if b.is_zero() => return None,
                Sign::Divide => a.checked_div(&b)?,
            })
        }
        Node::Extreme { greater, left, right } => {
            let (a, b) = (number(*left)?, number(*right)?);
            Known::Number(if *greater { a.max(b) } else { a.min(b) })
        }
        // A position, or a reading, says more than the roll.
        Node::Nothing
        | Node::Word(..)
        | Node::NoThing
        | Node::Unit(_)
        | Node::Space(_)
        | Node::Link(_)
        | Node::World
        | Node::SpaceCalled(_)
        | Node::Side(_)
        | Node::Viewer
        | Node::Subject(_)
        | Node::Chosen(..) => return None,
        Node::Fact(..)
        | Node::WorldFact(_)
        | Node::Define(..)
        | Node::Table(..)
        | Node::Pair(..)
        | Node::Hook(..)
        | Node::Ruling(_) => return None,
        Node::Verdict(..)
        | Node::Evidence(..)
        | Node::WouldBe { .. }
        | Node::OverStep(_)
        | Node::StepEnd(_)
        | Node::LinkEnd(..) => {
            return None;
        }
        Node::IsKind(..) | Node::Stands(..) | Node::Sides { .. } | Node::Removed(_) => return None,
        Node::Outcome(..) | Node::Listed(..) | Node::Stopped(..) | Node::Chance(..) => return None,
        Node::Any(_) | Node::Only(_) | Node::Count(_) | Node::Aggregate(..) => return None,
        Node::Same(..) | Node::Rank(_) | Node::Rounded(..) => return None,
    })
}

/// Whether all hold; one that does not settles it, whatever is not known of the others.
fn all(parts: impl Iterator<Item = Option<bool>>, settles: bool) -> Option<bool> {
    let mut sure = true;
    for part in parts {
        match part {
            Some(part) if part == settles => return Some(settles),
            Some(_) => {}
            None => sure = false,
        }
    }
    sure.then_some(!settles)
}
