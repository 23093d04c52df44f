//! Files that were parsed: a program that reads a folder again and again, such as an editor, parses
//! the items that have changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::diag::Diagnostic;
use crate::halt::Halt;
use crate::source::SourceId;
use crate::syntax::{Part, Read, ast, parse_again};

/// Parsed files by path, by how much of them was read, and by the number of their text, of which
/// all places in them are. A clone keeps in the same place.
#[derive(Clone, Default)]
pub struct Parsed {
    kept: Arc<Mutex<BTreeMap<Key, Kept>>>,
    halt: Halt,
}

type Key = (PathBuf, SourceId, bool);

struct Kept {
    text: String,
    read: Read,
}

impl Parsed {
    /// Files that are read until this is set: then no fix is tried any more.
    #[cfg(feature = "cli")]
    pub(crate) fn until(halt: &Halt) -> Parsed {
        Parsed { halt: halt.clone(), ..Parsed::default() }
    }

    pub(super) fn halt(&self) -> &Halt {
        &self.halt
    }

    /// The items and faults of a screened text, parsed unless they are known.
    pub(super) fn get(
        &self,
        path: &Path,
        id: SourceId,
        text: &str,
        part: Part,
    ) -> (ast::File, Vec<Diagnostic>) {
        let key = (path.to_path_buf(), id, part == Part::Whole);
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let before = all.get(&key);
        if let Some(Kept { read, .. }) = before.filter(|kept| kept.text == text) {
            return (read.file.clone(), read.faults.clone());
        }
        let read = parse_again(id, text, part, before.map(|kept| (kept.text.as_str(), &kept.read)));
        let found = (read.file.clone(), read.faults.clone());
        all.insert(key, Kept { text: text.to_owned(), read });
        found
    }
}
