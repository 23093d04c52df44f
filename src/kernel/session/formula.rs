//! A condition made of others, worked out for 64 cells at a time, and only where one of those has
//! changed.

use crate::kernel::board::Bits;

/// What a formula is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Always(bool),
    /// what the evaluator was asked
    Asked(usize),
    /// where units of a count stand
    Units(usize),
    /// what is so near a cell
    Near(usize),
}

/// A step of a formula, on the values that wait: those of the parts before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Part(Part),
    /// the last two made one: where both hold
    And,
    /// where one of them holds
    Or,
    Not,
}

/// A condition, kept for every cell.
#[derive(Debug, Default)]
pub(super) struct Formula {
    pub ops: Vec<Op>,
    pub yes: Bits,
    /// Words in which a part has changed.
    words: Vec<u32>,
    is_changed: Bits,
    /// Cells in which this change has turned it.
    pub flips: Vec<u32>,
}

impl Formula {
    pub(super) fn new(ops: Vec<Op>) -> Formula {
        Formula { ops, ..Formula::default() }
    }

    /// The parts that it reads.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        self.ops.iter().filter_map(|op| match op {
            Op::Part(part) => Some(*part),
            _ => None,
        })
    }

    /// A part has changed in a cell.
    #[inline]
    pub(super) fn touch(&mut self, cell: u32) {
        let word = cell >> 6;
        if !self.is_changed.get(word) {
            self.is_changed.set(word);
            self.words.push(word);
        }
    }

    /// Works everything out: `part` gives the word of a part, `spaces` are the cells that there
    /// are.
    pub(super) fn renew<'a>(
        &mut self,
        spaces: &Bits,
        part: impl Fn(Part) -> Option<&'a Bits>,
        stack: &mut Vec<u64>,
    ) {
        let words = spaces.0.len();
        self.yes = Bits::new(words);
        self.is_changed = Bits::new(words.div_ceil(64));
        self.words.clear();
        self.flips.clear();
        for at in 0..words {
            self.yes.0[at] = self.word(at, &part, stack) & spaces.0[at];
        }
    }

    /// Works it out again where a part has changed.
    pub(super) fn update<'a>(
        &mut self,
        spaces: &Bits,
        part: impl Fn(Part) -> Option<&'a Bits>,
        stack: &mut Vec<u64>,
    ) {
        while let Some(word) = self.words.pop() {
            self.is_changed.put(word, false);
            let at = word as usize;
            let now = self.word(at, &part, stack) & spaces.0[at];
            let mut turned = now ^ std::mem::replace(&mut self.yes.0[at], now);
            while turned != 0 {
                self.flips.push(word << 6 | turned.trailing_zeros());
                turned &= turned - 1;
            }
        }
    }

    fn word<'a>(
        &self,
        at: usize,
        part: &impl Fn(Part) -> Option<&'a Bits>,
        stack: &mut Vec<u64>,
    ) -> u64 {
        // Each step puts one value more there, or makes one of two.
        stack.resize(self.ops.len() + 1, 0);
        let mut top = 0;
        for op in &self.ops {
            match op {
                Op::Part(which) => {
                    top += 1;
                    stack[top] = match which {
                        Part::Always(value) => u64::from(*value).wrapping_neg(),
                        which => part(*which).map_or(0, |bits| bits.0[at]),
                    };
                }
                Op::And => {
                    stack[top - 1] &= stack[top];
                    top -= 1;
                }
                Op::Or => {
                    stack[top - 1] |= stack[top];
                    top -= 1;
                }
                Op::Not => stack[top] = !stack[top],
            }
        }
        stack[top]
    }
}
