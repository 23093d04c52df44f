//! The parts of a packed workbook, each unpacked under one limit for all of them.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::Trouble;

/// What all parts together may unpack to.
const MOST_BYTES: u64 = 64 << 20;
/// More parts than this are no workbook.
const MOST_PARTS: usize = 10_000;

/// A packed workbook.
pub(super) struct Pack<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    left: u64,
}

impl<'b> Pack<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Pack<'b>, Trouble> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| no_workbook())?;
        if archive.len() > MOST_PARTS {
            return Err(Trouble::large("has too many parts"));
        }
        Ok(Pack { archive, left: MOST_BYTES })
    }

    /// The text of a part; none if there is no such part.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<String>, Trouble> {
        let Some(at) = self.archive.index_for_name(name) else { return Ok(None) };
        let part = self.archive.by_index(at).map_err(|_| no_workbook())?;
        let mut bytes = Vec::new();
        // What the head of a part says of its size may be a lie, so that it is counted.
        part.take(self.left + 1).read_to_end(&mut bytes).map_err(|_| no_workbook())?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.left = match self.left.checked_sub(size) {
            Some(left) => left,
            None => return Err(Trouble::large("unpacks to more than 64 MiB")),
        };
        String::from_utf8(bytes).map(Some).map_err(|_| no_workbook())
    }

    /// The text of a part that every workbook has.
    pub(super) fn needed(&mut self, name: &str) -> Result<String, Trouble> {
        self.part(name)?.ok_or_else(no_workbook)
    }
}

pub(super) fn no_workbook() -> Trouble {
    Trouble::new("is no workbook that can be read", "save it anew as XLSX, ODS or CSV")
}

pub(super) fn no_page(name: &str, pages: &[String]) -> Trouble {
    let known: Vec<String> = pages.iter().take(10).map(|page| format!("`{page}`")).collect();
    let help = format!("it has {}; name one with `sheet \"...\"`", known.join(", "));
    Trouble::new(format!("has no sheet `{name}`"), help)
}
