//! Files that were parsed, kept while their texts stay: a program that reads a folder again and
//! again, such as an editor, parses what has changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::diag::Diagnostic;
use crate::source::SourceId;
use crate::syntax::{Part, ast, parse_part};

/// Parsed files by path, by how much of them was read, and by the number of their text, of which
/// all places in them are. A clone keeps in the same place.
#[derive(Clone, Default)]
pub struct Parsed(Arc<Mutex<BTreeMap<Key, Kept>>>);

type Key = (PathBuf, SourceId, bool);

struct Kept {
    text: String,
    file: ast::File,
    faults: Vec<Diagnostic>,
}

impl Parsed {
    /// The items and faults of a screened text, parsed unless they are known.
    pub(super) fn get(
        &self,
        path: &Path,
        id: SourceId,
        text: &str,
        part: Part,
    ) -> (ast::File, Vec<Diagnostic>) {
        let key = (path.to_path_buf(), id, part == Part::Whole);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = all.get(&key).filter(|kept| kept.text == text) {
            return (kept.file.clone(), kept.faults.clone());
        }
        let (file, faults) = parse_part(id, text, part);
        let kept = Kept { text: text.to_owned(), file: file.clone(), faults: faults.clone() };
        all.insert(key, kept);
        (file, faults)
    }
}
