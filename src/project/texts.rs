//! Where the files of rulesets come from: the disk, with other texts in place of some of them, or
//! texts in memory alone.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{scripts, sheets};
use crate::arrange::Arrange as _;
use crate::source::{MAX_BYTES, read as read_at_most};

/// The files that a project reads.
#[derive(Default, Clone)]
pub(super) struct Texts {
    /// Texts that are read in place of files, or beside them.
    instead: BTreeMap<PathBuf, Vec<u8>>,
    /// Whether there is nothing else.
    alone: bool,
}

impl Texts {
    /// The disk, with these texts in place of files.
    pub(super) fn over_disk(instead: BTreeMap<PathBuf, Vec<u8>>) -> Texts {
        Texts { instead, alone: false }
    }

    /// These texts and nothing else.
    pub(super) fn in_memory(texts: BTreeMap<PathBuf, Vec<u8>>) -> Texts {
        Texts { instead: texts, alone: true }
    }

    /// The same with another text in place of one.
    pub(super) fn with(&self, path: PathBuf, text: Vec<u8>) -> Texts {
        let mut other = self.clone();
        other.instead.insert(path, text);
        other
    }

    pub(super) fn is_file(&self, path: &Path) -> bool {
        self.instead.contains_key(path) || !self.alone && path.is_file()
    }

    pub(super) fn is_folder(&self, path: &Path) -> bool {
        if !self.alone {
            return path.is_dir();
        }
        self.instead.keys().any(|file| file != path && file.starts_with(path))
    }

    /// The entries of a folder in name order; links are left out.
    pub(super) fn entries(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let within = self.instead.keys().filter_map(|file| file.strip_prefix(folder).ok());
        let mut found: Vec<PathBuf> =
            within.filter_map(|rest| Some(folder.join(rest.components().next()?))).collect();
        if !self.alone {
            let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let plain = |e: &fs::DirEntry| e.file_type().is_ok_and(|t| !t.is_symlink());
            match fs::read_dir(here) {
                Ok(entries) => {
                    let entries = entries.flatten().filter(plain);
                    found.extend(entries.map(|e| folder.join(e.file_name())));
                }
                // A folder that is not there yet has the files that are not saved yet.
                Err(error) if found.is_empty() => return Err(error),
                Err(_) => {}
            }
        }
        found.arrange();
        found.dedup();
        Ok(found)
    }

    /// The bytes of a file, no more of them than a text may have and one.
    pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.instead.get(path) {
            Some(text) => Ok(text.clone()),
            None if self.alone => Err(io::ErrorKind::NotFound.into()),
            None => read_at_most(path, MAX_BYTES),
        }
    }

    /// The bytes of a script in the folder `hooks` of a ruleset's folder.
    pub(super) fn script(&self, folder: &Path, name: &str) -> Result<Vec<u8>, String> {
        match self.instead.get(&folder.join("hooks").join(name)) {
            Some(text) => Ok(text.clone()),
            None if self.alone => {
                Err(format!("there is no file `hooks/{name}` in the ruleset's folder"))
            }
            None => scripts::from_folder(folder, name),
        }
    }

    /// What stands in place of a file, or of the rows of a sheet.
    pub(super) fn instead_of(&self, path: &Path) -> Option<&[u8]> {
        self.instead.get(path).map(Vec::as_slice)
    }

    /// The bytes of a sheet in a ruleset's folder.
    pub(super) fn sheet(&self, folder: &Path, name: &str) -> Result<Vec<u8>, String> {
        match self.instead.get(&folder.join(name)) {
            Some(bytes) => Ok(bytes.clone()),
            None if self.alone => Err(format!("there is no file `{name}` in the ruleset's folder")),
            None => sheets::from_folder(folder, name),
        }
    }
}
