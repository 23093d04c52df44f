//! The descriptions inside a Parquet file, walked before they are believed.
//!
//! A reader makes room for as many entries as a list declares and as many bytes as a page declares;
//! a walk of the compact Thrift protocol sees both before any room is made.

/// Entries of a list, at most: a file has no more columns or groups of rows.
const MOST_ENTRIES: u64 = 1 << 16;
/// Structures inside structures, at most.
const DEEPEST: usize = 24;

/// A description that is walked field by field.
pub(super) struct Walk<'b> {
    bytes: &'b [u8],
    at: usize,
    path: Vec<i16>,
}

impl<'b> Walk<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Walk<'b> {
        Walk { bytes, at: 0, path: Vec::new() }
    }

    /// Walks a structure, and shows each whole number with the numbers of the fields that lead to
    /// it. Gives its length in bytes; nothing where it is broken, too deep or has too long a list.
    pub(super) fn structure(&mut self, see: &mut dyn FnMut(&[i16], i64)) -> Option<usize> {
        let mut field = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(self.at);
            }
            field = match head >> 4 {
                0 => i16::try_from(self.number()?).ok()?,
                more => field.checked_add(i16::from(more))?,
            };
            self.path.push(field);
            match head & 15 {
                // A truth as a field lies in its head.
                1 | 2 => {}
                kind => self.value(kind, see)?,
            }
            self.path.pop();
        }
    }

    fn value(&mut self, kind: u8, see: &mut dyn FnMut(&[i16], i64)) -> Option<()> {
        match kind {
            1..=3 => self.skip(1),
            4..=6 => {
                let number = self.number()?;
                see(&self.path, number);
                Some(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            9 | 10 => {
                let head = self.byte()?;
                let entries = match head >> 4 {
                    15 => self.varint()?,
                    few => u64::from(few),
                };
                self.deeper(entries, |walk| walk.value(head & 15, see))
            }
            11 => {
                let entries = self.varint()?;
                let kinds = if entries == 0 { 0 } else { self.byte()? };
                self.deeper(entries, |walk| {
                    walk.value(kinds >> 4, see)?;
                    walk.value(kinds & 15, see)
                })
            }
            12 => self.deeper(1, |walk| walk.structure(see).map(drop)),
            13 => self.skip(16),
            _ => None,
        }
    }

    fn deeper(
        &mut self,
        entries: u64,
        mut one: impl FnMut(&mut Walk<'b>) -> Option<()>,
    ) -> Option<()> {
        if entries > MOST_ENTRIES || self.path.len() > DEEPEST {
            return None;
        }
        self.path.push(0);
        for _ in 0..entries {
            one(self)?;
        }
        self.path.pop();
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn skip(&mut self, length: u64) -> Option<()> {
        let end = self.at.checked_add(usize::try_from(length).ok()?)?;
        self.at = end;
        (end <= self.bytes.len()).then_some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut found = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            found |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(found);
            }
        }
        None
    }

    /// A whole number as Thrift packs it: the sign in the lowest bit.
    fn number(&mut self) -> Option<i64> {
        let packed = self.varint()?;
        let magnitude = i64::try_from(packed >> 1).ok()?;
        Some(if packed & 1 == 1 { !magnitude } else { magnitude })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A structure whose first field is a list of so many bytes.
    fn list(entries: u64) -> Vec<u8> {
        let mut bytes = vec![0x19, 0xF3];
        let mut rest = entries;
        while rest > 127 {
            bytes.push((rest & 127) as u8 | 128);
            rest >>= 7;
        }
        bytes.push(rest as u8);
        bytes.extend(vec![7; entries as usize]);
        bytes.push(0);
        bytes
    }

    fn walked(bytes: &[u8]) -> Option<usize> {
        Walk::new(bytes).structure(&mut |_, _| {})
    }

    #[test]
    fn a_list_is_walked_up_to_its_limit_and_no_further() {
        for entries in [0, 1, 200, MOST_ENTRIES] {
            let bytes = list(entries);
            assert_eq!(walked(&bytes), Some(bytes.len()), "{entries}");
        }
        assert_eq!(walked(&list(MOST_ENTRIES + 1)), None);
        // What is declared and not there.
        assert_eq!(walked(&[0x19, 0xF3, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0, 0]), None);
        let bytes = list(200);
        assert!(
            (0..bytes.len()).all(|end| bytes.get(..end).is_some_and(|cut| walked(cut).is_none()))
        );
    }

    #[test]
    fn structures_are_walked_up_to_a_depth() {
        let nested = |depth: usize| [vec![0x1C; depth], vec![0; depth + 1]].concat();
        assert_eq!(walked(&nested(5)), Some(11));
        assert_eq!(walked(&nested(100_000)), None);
    }

    #[test]
    fn numbers_are_shown_with_the_fields_that_lead_to_them() {
        // 2: -3, 5: { 1: 300, 2: true }, 6: "ab".
        let bytes = [0x25, 0x05, 0x3C, 0x15, 0xD8, 0x04, 0x11, 0, 0x18, 2, b'a', b'b', 0];
        let mut seen = Vec::new();
        let end =
            Walk::new(&bytes).structure(&mut |path, number| seen.push((path.to_vec(), number)));
        assert_eq!(end, Some(bytes.len()));
        assert_eq!(seen, [(vec![2], -3), (vec![5, 0, 1], 300)]);
    }
}
