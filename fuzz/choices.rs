//! Bytes read as choices, so that whoever changes bytes changes what is generated.

/// Choices left to take; where the bytes end, each further one is the first.
pub struct Choices<'b> {
    bytes: &'b [u8],
}

impl<'b> Choices<'b> {
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices { bytes }
    }

    /// A number below `n`, of one byte where that is enough.
    pub fn below(&mut self, n: usize) -> usize {
        let wide = if n > 256 { 2 } else { 1 };
        let number = (0..wide).fold(0, |number, _| (number << 8) | usize::from(self.byte()));
        number % n.max(1)
    }

    /// Yes, once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    pub fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }
}
