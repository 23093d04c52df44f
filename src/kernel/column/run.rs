//! Runs a program: block by block, operation by operation, each a loop over the rows of a block.

use std::sync::Arc;

use super::facts::Facts;
use super::lane::{Lane, Width, mask};
use super::program::{Fill, Gives, Place, Program};
use super::step::{Join, Mark, Order, Step, Test};

/// Rows of a block: all registers of a program stay in the nearest memory.
const BLOCK: usize = 1024;

/// Registers by width, each a block long.
#[derive(Debug, Clone, Default)]
pub(super) struct Banks {
    pub bytes: Vec<Vec<i8>>,
    pub shorts: Vec<Vec<i16>>,
    pub words: Vec<Vec<i32>>,
}

/// What a run works in; kept between runs, so that none asks for memory.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    banks: Banks,
}

/// What a program gave, a row a thing. The column that the program does not give is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    /// Amounts, over the denominator of the program.
    pub amounts: Vec<i32>,
    /// Truths.
    pub truths: Vec<bool>,
    /// Words by their place in the set.
    pub words: Vec<u16>,
    /// Rows that the column says nothing of, in order: no row of a table holds there, or several of
    /// one that may have only one, or a cell is barred. The slow evaluator knows what that comes
    /// to.
    pub open: Vec<u32>,
}

impl Answers {
    /// Says 0, no or the first word of these rows, which are in order.
    fn clear(&mut self, rows: &[usize]) {
        for row in rows {
            self.amounts.get_mut(*row).into_iter().for_each(|amount| *amount = 0);
            self.truths.get_mut(*row).into_iter().for_each(|truth| *truth = false);
            self.words.get_mut(*row).into_iter().for_each(|word| *word = 0);
        }
        if !rows.is_empty() {
            self.open.retain(|row| rows.binary_search(&(*row as usize)).is_err());
        }
    }
}

/// Facts that were not made for the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the facts were made for another program")]
pub struct OtherFacts;

impl Program {
    /// Works out all rows.
    pub fn run(
        &self,
        facts: &Facts,
        workspace: &mut Workspace,
        answers: &mut Answers,
    ) -> Result<(), OtherFacts> {
        if !Arc::ptr_eq(&self.inputs, &facts.inputs) && self.inputs != facts.inputs {
            return Err(OtherFacts);
        }
        let banks = &mut workspace.banks;
        self.prepare(banks, &facts.constants);
        let rows = |gives: Gives| if self.gives == gives { facts.rows } else { 0 };
        answers.amounts.resize(rows(Gives::Amounts), 0);
        answers.truths.resize(rows(Gives::Truths), false);
        answers.words.resize(rows(Gives::Words), 0);
        answers.open.clear();
        for start in (0..facts.rows).step_by(BLOCK) {
            let len = BLOCK.min(facts.rows - start);
            for (step, to) in &self.steps {
                run_step(step, *to, banks, facts, start, len);
            }
            let sight = Sight { banks, facts, start, len };
            match self.out.0 {
                Width::I8 => self.write::<i8>(&sight, answers),
                Width::I16 => self.write::<i16>(&sight, answers),
                Width::I32 => self.write::<i32>(&sight, answers),
            }
            if let Some((place, contrary)) = self.open {
                let closed = mask(contrary);
                let column = sight.of::<i8>(place);
                if column.iter().fold(false, |any, m| any | (*m != closed)) {
                    answers.open.extend(
                        (start..)
                            .zip(column)
                            .filter(|(_, m)| **m != closed)
                            .filter_map(|(row, _)| u32::try_from(row).ok()),
                    );
                }
            }
        }
        answers.clear(&facts.lacking);
        Ok(())
    }

    /// Registers of a block each, and in some the numbers that no row changes.
    fn prepare(&self, banks: &mut Banks, constants: &[i64]) {
        fn grow<T: Lane>(bank: &mut Vec<Vec<T>>, registers: usize) {
            if bank.len() < registers {
                bank.resize_with(registers, || vec![T::default(); BLOCK]);
            }
        }
        grow(&mut banks.bytes, self.registers[0]);
        grow(&mut banks.shorts, self.registers[1]);
        grow(&mut banks.words, self.registers[2]);
        for (width, at, fill) in &self.fills {
            let n = match fill {
                Fill::Number(n) => *n,
                Fill::Constant(at) => constants[*at],
            };
            match width {
                Width::I8 => banks.bytes[*at].fill(Lane::cut(n)),
                Width::I16 => banks.shorts[*at].fill(Lane::cut(n)),
                Width::I32 => banks.words[*at].fill(Lane::cut(n)),
            }
        }
    }

    fn write<T: Lane>(&self, sight: &Sight<'_>, answers: &mut Answers) {
        let column = sight.of::<T>(self.out.1);
        let rows = sight.start..sight.start + sight.len;
        match self.gives {
            Gives::Amounts => {
                for (to, n) in answers.amounts[rows].iter_mut().zip(column) {
                    *to = (*n).into();
                }
            }
            Gives::Truths => {
                for (to, n) in answers.truths[rows].iter_mut().zip(column) {
                    *to = *n != T::default();
                }
            }
            Gives::Words => {
                for (to, n) in answers.words[rows].iter_mut().zip(column) {
                    // The place of a word is never negative and has room in two bytes.
                    let n: i32 = (*n).into();
                    *to = i16::narrowed(n).cast_unsigned();
                }
            }
        }
    }
}

/// What an operation reads.
struct Sight<'s> {
    banks: &'s Banks,
    facts: &'s Facts,
    start: usize,
    len: usize,
}

impl Sight<'_> {
    /// The rows of the block.
    fn of<T: Lane>(&self, place: Place) -> &[T] {
        match place {
            Place::Register(at) => &T::bank(self.banks)[at][..self.len],
            Place::Input(at) => {
                &T::column(&self.facts.columns[at])[self.start..self.start + self.len]
            }
        }
    }
}

fn run_step(
    step: &Step<Place>,
    to: usize,
    banks: &mut Banks,
    facts: &Facts,
    start: usize,
    len: usize,
) {
    match step.width() {
        Width::I8 => {
            written::<i8>(banks, to, facts, start, len, |sight, out| truths(step, sight, out))
        }
        Width::I16 => {
            written::<i16>(banks, to, facts, start, len, |sight, out| numbers(step, sight, out))
        }
        Width::I32 => written::<i32>(banks, to, facts, start, len, |sight, out| match step {
            Step::Divide(a, times, plus, by) => {
                for (to, n) in out.iter_mut().zip(sight.of::<i32>(*a)) {
                    *to = i32::cut((i64::from(*n) * times + plus).div_euclid(*by));
                }
            }
            _ => numbers(step, sight, out),
        }),
    }
}

/// Lets a register be written while all others are read.
fn written<T: Lane>(
    banks: &mut Banks,
    to: usize,
    facts: &Facts,
    start: usize,
    len: usize,
    write: impl FnOnce(&Sight<'_>, &mut [T]),
) {
    let mut out = std::mem::take(&mut T::bank_mut(banks)[to]);
    write(&Sight { banks, facts, start, len }, &mut out[..len]);
    T::bank_mut(banks)[to] = out;
}

/// Operations that give truths; all others on bytes are those on numbers.
fn truths(step: &Step<Place>, sight: &Sight<'_>, out: &mut [i8]) {
    match step {
        Step::Within(Width::I8, a, low, high) => within(out, sight.of::<i8>(*a), *low, *high),
        Step::Within(Width::I16, a, low, high) => within(out, sight.of::<i16>(*a), *low, *high),
        Step::Within(Width::I32, a, low, high) => within(out, sight.of::<i32>(*a), *low, *high),
        Step::Both([a, b]) => {
            let (Test { low, span, .. }, Test { low: other_low, span: other_span, .. }) = (*a, *b);
            each2(out, sight.of(a.of), sight.of(b.of), |a: i8, b: i8| {
                mask(a.within(low, span)) & mask(b.within(other_low, other_span))
            });
        }
        Step::Compare(Width::I8, order, a, b) => compare::<i8>(out, sight, *order, *a, *b),
        Step::Compare(Width::I16, order, a, b) => compare::<i16>(out, sight, *order, *a, *b),
        Step::Compare(Width::I32, order, a, b) => compare::<i32>(out, sight, *order, *a, *b),
        Step::Masks(join, a, b) => {
            let (a, b) = (sight.of::<i8>(*a), sight.of::<i8>(*b));
            match join {
                Join::And => each2(out, a, b, |a, b| a & b),
                Join::AndNot => each2(out, a, b, |a, b| a & !b),
                Join::Or => each2(out, a, b, |a, b| a | b),
            }
        }
        _ => numbers(step, sight, out),
    }
}

/// Operations that give numbers of one width.
fn numbers<T: Lane>(step: &Step<Place>, sight: &Sight<'_>, out: &mut [T]) {
    match step {
        Step::Tally(_, sum, parts) => {
            let [p, q, r, s] = parts.map(|(p, _)| &sight.of::<i8>(p)[..out.len()]);
            let [i, j, k, l] = parts.map(|(_, n)| T::cut(n));
            let sum = &sight.of::<T>(*sum)[..out.len()];
            for at in 0..out.len() {
                let (one, two) = (
                    (T::from(p[at]) & i).plus(T::from(q[at]) & j),
                    (T::from(r[at]) & k).plus(T::from(s[at]) & l),
                );
                out[at] = sum[at].plus(one.plus(two));
            }
        }
        Step::AddIf(_, a, mask, b) => {
            let (a, mask, b) = (
                &sight.of::<T>(*a)[..out.len()],
                &sight.of::<i8>(*mask)[..out.len()],
                &sight.of::<T>(*b)[..out.len()],
            );
            for at in 0..out.len() {
                out[at] = a[at].plus(T::from(mask[at]) & b[at]);
            }
        }
        Step::Choose(_, mask, a, b) => {
            let (a, mask, b) = (
                &sight.of::<T>(*a)[..out.len()],
                &sight.of::<i8>(*mask)[..out.len()],
                &sight.of::<T>(*b)[..out.len()],
            );
            for at in 0..out.len() {
                out[at] = b[at] ^ ((a[at] ^ b[at]) & T::from(mask[at]));
            }
        }
        Step::Signed(_, mark, a, b) => {
            let (a, b) = (sight.of::<T>(*a), sight.of::<T>(*b));
            match mark {
                Mark::Plus => each2(out, a, b, T::plus),
                Mark::Minus => each2(out, a, b, T::minus),
                Mark::Times => each2(out, a, b, T::times),
                Mark::Least => each2(out, a, b, T::min),
                Mark::Most => each2(out, a, b, T::max),
            }
        }
        Step::Clamp(_, a, low, high) => {
            let (low, high) = (T::cut(*low), T::cut(*high));
            each(out, sight.of::<T>(*a), |n| n.max(low).min(high));
        }
        Step::Cut(_, Width::I8, a) => each(out, sight.of::<i8>(*a), |n| T::narrowed(n.into())),
        Step::Cut(_, Width::I16, a) => each(out, sight.of::<i16>(*a), |n| T::narrowed(n.into())),
        Step::Cut(_, Width::I32, a) => each(out, sight.of::<i32>(*a), T::narrowed),
        // Truths are bytes and quotients four bytes: both are written elsewhere.
        Step::Within(..)
        | Step::Both(_)
        | Step::Compare(..)
        | Step::Masks(..)
        | Step::Divide(..) => {}
    }
}

fn each<A: Lane, T>(out: &mut [T], a: &[A], make: impl Fn(A) -> T) {
    for (to, a) in out.iter_mut().zip(a) {
        *to = make(*a);
    }
}

fn each2<A: Lane, T>(out: &mut [T], a: &[A], b: &[A], make: impl Fn(A, A) -> T) {
    for ((to, a), b) in out.iter_mut().zip(a).zip(b) {
        *to = make(*a, *b);
    }
}

fn within<A: Lane>(out: &mut [i8], a: &[A], low: i64, high: i64) {
    let (low, span) = (A::cut(low), A::cut(high - low));
    each(out, a, |n| mask(n.within(low, span)));
}

fn compare<A: Lane>(out: &mut [i8], sight: &Sight<'_>, order: Order, a: Place, b: Place) {
    let (a, b) = (sight.of::<A>(a), sight.of::<A>(b));
    match order {
        Order::Less => each2(out, a, b, |a, b| mask(a < b)),
        Order::Equal => each2(out, a, b, |a, b| mask(a == b)),
    }
}
