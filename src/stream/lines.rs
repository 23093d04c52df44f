//! Lines of a stream, one after another, none of them longer than a limit.

use std::io::{BufRead, BufReader, Read};

use crate::diag::{Diagnostic, code};

/// The longest line that is read, in bytes; the longest that a position in a file may be.
pub const MOST_LINE: usize = crate::source::MAX_BYTES;

/// Bytes that are asked of the system at once.
const BUFFER: usize = 1 << 18;

/// A line of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// Nothing if they are too many.
    pub(super) bytes: Option<Vec<u8>>,
}

impl Line {
    /// Its bytes without the line end, or E1050 where they are too many.
    pub fn bytes(&self) -> Result<&[u8], Box<Diagnostic>> {
        self.bytes.as_deref().ok_or_else(|| {
            let long = format!("a line is longer than {MOST_LINE} bytes");
            let help = "write each position on a line of its own, and no more of it than differs from its setup";
            Box::new(Diagnostic::bare(code::E1050, long).help(help))
        })
    }
}

/// Reads lines; no more than one is held.
#[derive(Debug)]
pub struct Lines<R> {
    input: BufReader<R>,
    /// Lines read so far.
    read: u64,
    /// The longest line that is kept.
    most: usize,
}

impl<R: Read> Lines<R> {
    /// The lines of an input.
    pub fn new(input: R) -> Lines<R> {
        Lines::at_most(input, MOST_LINE)
    }

    pub(super) fn at_most(input: R, most: usize) -> Lines<R> {
        Lines { input: BufReader::with_capacity(BUFFER, input), read: 0, most }
    }

    /// Passes over so many lines; how many there were.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn skip(&mut self, lines: u64) -> std::io::Result<u64> {
        let mut skipped = 0;
        while skipped < lines && self.line(&mut None)? {
            skipped += 1;
        }
        Ok(skipped)
    }

    /// The next line, if there is one.
    pub(crate) fn next_line(&mut self) -> std::io::Result<Option<Line>> {
        let mut bytes = Some(Vec::new());
        if !self.line(&mut bytes)? {
            return Ok(None);
        }
        Ok(Some(Line { number: self.read, bytes }))
    }

    /// Whether a whole line has arrived already, so that nobody need be waited for.
    pub(super) fn is_ready(&self) -> bool {
        self.input.buffer().contains(&b'\n')
    }

    /// Reads a line into `bytes`, which becomes nothing where it is too long; false at the end of
    /// the input.
    fn line(&mut self, bytes: &mut Option<Vec<u8>>) -> std::io::Result<bool> {
        let mut some = false;
        loop {
            let ready = match self.input.fill_buf() {
                Ok(ready) => ready,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if ready.is_empty() {
                self.read += u64::from(some);
                return Ok(some);
            }
            some = true;
            let end = line_end(ready);
            let part = ready.get(..end.unwrap_or(ready.len())).unwrap_or_default();
            if bytes.as_ref().is_some_and(|b| b.len() + part.len() > self.most) {
                *bytes = None;
            }
            if let Some(bytes) = bytes {
                bytes.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                self.read += 1;
                return Ok(true);
            }
        }
    }
}

/// The place of the first line end; a chunk is looked at as a whole, which is several at once.
fn line_end(bytes: &[u8]) -> Option<usize> {
    let ends = |chunk: &[u8]| chunk.iter().fold(false, |any, byte| any | (*byte == b'\n'));
    let at = bytes.chunks(64).position(ends)? * 64;
    Some(at + bytes.get(at..)?.iter().position(|byte| *byte == b'\n')?)
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a failed test may abort")]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let many = self.0.len().min(into.len()).min(3);
            let (now, later) = self.0.split_at(many);
            into[..many].copy_from_slice(now);
            self.0 = later;
            Ok(many)
        }
    }

    fn all(text: &str, most: usize) -> Vec<(u64, Option<String>)> {
        let mut lines = Lines::at_most(Slow(text.as_bytes()), most);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap_or_default();
        std::iter::from_fn(|| lines.next_line().ok().flatten())
            .map(|l| (l.number, l.bytes.map(text)))
            .collect()
    }

    #[test]
    fn lines_are_numbered_and_end_anyhow() {
        let line = |at: u64, text: &str| (at, Some(text.to_owned()));
        assert_eq!(all("", 9), []);
        assert_eq!(all("\n", 9), [line(1, "")]);
        assert_eq!(all("one\n\nthree", 9), [line(1, "one"), line(2, ""), line(3, "three")]);
        assert_eq!(all("one\ntwo\n", 9), [line(1, "one"), line(2, "two")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_counted() {
        assert_eq!(
            all("12345678\n1234567890\nafter\n", 8),
            [(1, Some("12345678".into())), (2, None), (3, Some("after".into()))]
        );
        assert_eq!(all("123456789", 8), [(1, None)]);
    }

    #[test]
    fn lines_are_skipped_as_far_as_there_are_any() {
        let mut lines = Lines::at_most(Slow(b"a\nb\nc"), 8);
        assert_eq!(lines.skip(2).ok(), Some(2));
        assert_eq!(lines.next_line().ok().flatten().map(|l| l.number), Some(3));
        assert_eq!(lines.skip(2).ok(), Some(0));
    }
}
