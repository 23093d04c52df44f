//! Files that were parsed, kept while their texts stay: a program that reads a folder again and
//! again, such as an editor, parses what has changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::diag::Diagnostic;
use crate::source::SourceId;
use crate::syntax::ast;

/// Parsed files by path and by the number of their text, of which all places in them are.
#[derive(Default)]
pub struct Parsed(BTreeMap<(PathBuf, SourceId), Kept>);

struct Kept {
    text: String,
    file: ast::File,
    faults: Vec<Diagnostic>,
}

impl Parsed {
    /// The items and faults of a screened text, parsed by `parse` unless they are known.
    pub(super) fn get(
        &mut self,
        path: &Path,
        id: SourceId,
        text: &str,
        parse: impl FnOnce() -> (ast::File, Vec<Diagnostic>),
    ) -> (ast::File, Vec<Diagnostic>) {
        let key = (path.to_path_buf(), id);
        if let Some(kept) = self.0.get(&key).filter(|kept| kept.text == text) {
            return (kept.file.clone(), kept.faults.clone());
        }
        let (file, faults) = parse();
        let kept = Kept { text: text.to_owned(), file: file.clone(), faults: faults.clone() };
        self.0.insert(key, kept);
        (file, faults)
    }
}
