//! Files and streams read as far as a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file, of one that has more than `most` the first `most` and one more.
///
/// # Errors
///
/// What the system says.
pub fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?, most)
}

/// The bytes of a stream, as [`read`] gives those of a file.
///
/// # Errors
///
/// What the system says.
pub fn read_from(input: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    input.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_stream_is_read_one_byte_past_the_limit() {
        assert_eq!(read_from(io::repeat(7), 1000).map(|b| b.len()).ok(), Some(1001));
        assert_eq!(read_from(&b"abc"[..], 3).ok(), Some(b"abc".to_vec()));
    }
}
