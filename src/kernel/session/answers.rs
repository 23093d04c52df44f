//! The answers of all units, and what a change has made of them.

use crate::kernel::board::Bits;

/// By unit whether it is answered yes; none for what is not on the map or not of the trace.
#[derive(Debug, Default)]
pub(super) struct Answers {
    all: Vec<Option<bool>>,
    /// Those that this change has touched, each once and as it was.
    touched: Vec<(u32, Option<bool>)>,
    is_touched: Bits,
}

impl Answers {
    /// No answer yet for so many units.
    pub(super) fn none(units: usize) -> Answers {
        Answers {
            all: vec![None; units],
            touched: Vec::new(),
            is_touched: Bits::new(units.div_ceil(64)),
        }
    }

    pub(super) fn get(&self, unit: u32) -> Option<bool> {
        self.all.get(unit as usize).copied().flatten()
    }

    #[inline]
    pub(super) fn set(&mut self, unit: u32, answer: Option<bool>) {
        let before = std::mem::replace(&mut self.all[unit as usize], answer);
        if before != answer && !self.is_touched.get(unit) {
            self.is_touched.set(unit);
            self.touched.push((unit, before));
        }
    }

    /// Ends a change: the units whose answer is another than before, ascending.
    pub(super) fn settled(&mut self, changed: &mut Vec<u32>) {
        for (unit, before) in self.touched.drain(..) {
            self.is_touched.put(unit, false);
            // What was changed twice may be as it was.
            if self.all[unit as usize] != before {
                changed.push(unit);
            }
        }
        changed.sort_unstable();
    }

    /// Takes back what this change has touched.
    pub(super) fn take_back(&mut self) {
        for (unit, before) in self.touched.drain(..) {
            self.is_touched.put(unit, false);
            self.all[unit as usize] = before;
        }
    }

    /// The units that are answered otherwise than by others, ascending.
    pub(super) fn unlike<'a>(&'a self, others: &'a Answers) -> impl Iterator<Item = u32> + 'a {
        self.all
            .iter()
            .zip(&others.all)
            .zip(0u32..)
            .filter(|((a, b), _)| a != b)
            .map(|(_, unit)| unit)
    }
}
