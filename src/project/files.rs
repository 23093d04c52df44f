//! The files of the language below a path, whatever they hold.

use std::fs;
use std::path::{Path, PathBuf};

use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code};

/// Folders in folders, this deep at most.
const DEEPEST: usize = 64;

/// The file that a path names, or the `.sut` files of a folder at any depth, in name order. Links
/// within folders are left out, as everywhere.
///
/// # Errors
///
/// E0006 if a folder cannot be read, or holds no such file.
#[expect(
    clippy::result_large_err,
    reason = "a folder is read once, and the fault is printed as it is"
)]
pub fn sut_files(path: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    gather(path, 0, &mut files)?;
    if files.is_empty() {
        let fault =
            Diagnostic::bare(code::E0006, format!("`{}` holds no `.sut` file", path.display()));
        return Err(fault.help("name a file, a ruleset, or a folder of rulesets"));
    }
    Ok(files)
}

#[expect(clippy::result_large_err, reason = "as above")]
fn gather(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Diagnostic> {
    let unreadable = |error: std::io::Error| {
        Diagnostic::bare(code::E0006, format!("`{}` cannot be read: {error}", folder.display()))
    };
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        entries.push((folder.join(entry.file_name()), kind));
    }
    entries.arrange_by(|a, b| a.0.cmp(&b.0));
    for (path, kind) in entries {
        if kind.is_dir() && depth < DEEPEST {
            gather(&path, depth + 1, files)?;
        } else if kind.is_file() && path.extension().is_some_and(|e| e == "sut") {
            files.push(path);
        }
    }
    Ok(())
}
