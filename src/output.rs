//! Files written whole or not at all.
//!
//! Takes a path and bytes. Writes a new file beside the old one and renames it, so that an error or
//! a lost machine in the middle leaves the old content. Never knows what the bytes mean.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::diag::{Diagnostic, code};

/// Writes a file, or leaves everything as it was.
///
/// A file that is there keeps its permissions, and a link is followed to the file it names. A
/// device or a pipe is written to, for there is nothing to rename.
///
/// # Errors
///
/// E0007 with the reason of the system; no half-written file and no other new file is left behind.
#[expect(
    clippy::result_large_err,
    reason = "a file is saved once, and the fault is printed as it is"
)]
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    try_save(path, bytes).map_err(|error| unwritable(path, &error))
}

/// New bytes for a file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// Which file.
    pub path: PathBuf,
    /// Its bytes when it was read.
    pub old: Vec<u8>,
    /// What it is to hold.
    pub new: Vec<u8>,
}

/// Writes new bytes into files that were read, into all of them or into none.
///
/// # Errors
///
/// E0011 for a file that holds something else by now, E0007 for one that cannot be written; then
/// all have their old bytes.
#[expect(clippy::result_large_err, reason = "as above")]
pub fn rewrite(files: &[Rewrite]) -> Result<(), Diagnostic> {
    for file in files {
        let now = crate::source::read(&file.path, file.old.len());
        if now.map_err(|error| unwritable(&file.path, &error))? != file.old {
            return Err(Diagnostic::bare(
                code::E0011,
                format!("`{}` has changed since it was read", file.path.display()),
            )
            .help("nothing was changed; run the command again"));
        }
    }
    for (at, file) in files.iter().enumerate() {
        if let Err(fault) = save(&file.path, &file.new) {
            put_back(files.get(..at).unwrap_or_default());
            return Err(fault);
        }
    }
    Ok(())
}

/// Gives files the bytes back that they had.
pub fn put_back(files: &[Rewrite]) {
    for file in files {
        // Where even that fails there is nothing else to do; the fault that led here is reported.
        let _ = save(&file.path, &file.old);
    }
}

/// Whether a path is one where only rules may stand: a file of the language, or a script of a
/// ruleset's hooks.
#[must_use]
pub fn is_of_a_ruleset(path: &Path) -> bool {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let ends =
        |path: &Path, with: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(with));
    let hooks =
        target.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "hooks"));
    let of_rules =
        hooks.and_then(Path::parent).is_some_and(|folder| folder.join("rules.sut").is_file());
    [path, target.as_path()].into_iter().any(|path| ends(path, "sut")) || of_rules
}

fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::bare(code::E0007, format!("`{}` cannot be written: {error}", path.display()))
        .help("nothing was changed; make room or choose another folder")
}

fn try_save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    is_allowed(0, bytes.len())?;
    let mut new = New::begin(path)?;
    new.write_all(bytes)?;
    new.end()
}

/// A file that is written piece by piece; without an end the old content stays.
pub struct New {
    to: To,
    target: PathBuf,
    old: Option<Permissions>,
    written: u64,
}

enum To {
    Beside(tempfile::NamedTempFile),
    /// Renaming over a device would turn it into a plain file.
    Device(File),
}

impl New {
    /// Begins the new content of a file, beside the old.
    ///
    /// # Errors
    ///
    /// E0007 with the reason of the system.
    #[expect(clippy::result_large_err, reason = "as above")]
    pub fn at(path: &Path) -> Result<New, Diagnostic> {
        New::begin(path).map_err(|error| unwritable(path, &error))
    }

    fn begin(path: &Path) -> io::Result<New> {
        let (target, old) = resolve(path)?;
        if let Some(old) = &old {
            if old.is_dir() {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            if !old.is_file() {
                let to = To::Device(File::options().write(true).open(&target)?);
                return Ok(New { to, target, old: None, written: 0 });
            }
            // A rename would not ask: whoever made the file read-only did so for a reason.
            if old.permissions().readonly() {
                let error = io::ErrorKind::PermissionDenied;
                return Err(io::Error::new(error, "the file is read-only"));
            }
        }
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty());
        let new = fresh().tempfile_in(folder.unwrap_or(Path::new(".")));
        let to = To::Beside(new.map_err(|error| plain(&error))?);
        Ok(New { to, target, old: old.map(|old| old.permissions()), written: 0 })
    }

    /// Puts the new content in the place of the old.
    ///
    /// # Errors
    ///
    /// E0007 with the reason of the system; the old content stays.
    #[expect(clippy::result_large_err, reason = "as above")]
    pub fn finish(self) -> Result<(), Diagnostic> {
        let path = self.target.clone();
        self.end().map_err(|error| unwritable(&path, &error))
    }

    fn end(self) -> io::Result<()> {
        let To::Beside(new) = self.to else { return Ok(()) };
        if let Some(old) = self.old {
            new.as_file().set_permissions(old)?;
        }
        // The content is on the disk before its name is: a lost machine leaves the old file or the
        // new one.
        new.as_file().sync_all()?;
        new.persist(&self.target).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for New {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.to {
            To::Beside(new) => {
                is_allowed(self.written, bytes.len())?;
                new.write(bytes)?
            }
            To::Device(file) => file.write(bytes)?,
        };
        self.written += u64::try_from(written).unwrap_or(0);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Beside(new) => new.flush(),
            To::Device(file) => file.flush(),
        }
    }
}

/// Whether the system lets a file grow by so much; past its limit it does not refuse, but ends the
/// program.
#[cfg(unix)]
fn is_allowed(from: u64, more: usize) -> io::Result<()> {
    let most = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
    let end = from.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
    match most {
        Some(most) if end > most => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("a file may have {most} bytes here"),
        )),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn is_allowed(_from: u64, _more: usize) -> io::Result<()> {
    Ok(())
}

/// Whether a stream takes so many bytes more, where it is a file.
///
/// # Errors
///
/// The limit of the system on the size of files.
#[cfg(unix)]
pub fn has_room(stream: impl std::os::fd::AsFd, more: usize) -> io::Result<()> {
    let Ok(stat) = rustix::fs::fstat(&stream) else { return Ok(()) };
    if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() {
        return Ok(());
    }
    is_allowed(rustix::fs::tell(&stream).unwrap_or(0), more)
}

/// Whether a stream takes so many bytes more, where it is a file.
///
/// # Errors
///
/// None where the system has no such limit.
#[cfg(not(unix))]
pub fn has_room<T>(_stream: T, _more: usize) -> io::Result<()> {
    Ok(())
}

/// The file that a path means, and what is there now.
fn resolve(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    if path.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
    }
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            let target = fs::canonicalize(path)?;
            let found = fs::metadata(&target)?;
            Ok((target, Some(found)))
        }
        Ok(found) => Ok((path.to_path_buf(), Some(found))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((path.to_path_buf(), None)),
        Err(error) => Err(error),
    }
}

/// A new file as any other program would make it, not one that only its owner can read.
fn fresh() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sutler-").suffix(".new");
    if let Some(permissions) = usual() {
        builder.permissions(permissions);
    }
    builder
}

#[cfg(unix)]
fn usual() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    // The system takes away what the user's mask takes away.
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual() -> Option<Permissions> {
    None
}

/// The error without the path of the temporary file, which the user has never heard of.
fn plain(error: &io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => {
            io::Error::new(io::ErrorKind::NotFound, "its folder does not exist")
        }
        kind => io::Error::new(kind, kind.to_string()),
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
