//! The file of the games of a run, which a stopped run leaves for the next.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{End, message, refuse_rules};
use crate::output::has_room;
use crate::play::{Header, Record};
use crate::stream::Lines;

/// Games are written into a file beside the one that was named, which gets its name when it is
/// whole.
pub(super) struct Out {
    path: PathBuf,
    part: PathBuf,
    file: File,
}

/// What went wrong with a file, and what to do.
type Wrong = (String, &'static str);

impl Out {
    /// Begins a file, or goes on with the one of an earlier run, whose games `known` takes.
    pub(super) fn open(
        path: &Path,
        header: &Header,
        resume: bool,
        known: impl FnMut(&[Record]) -> Result<(), String>,
    ) -> Result<Out, End> {
        refuse_rules(path)?;
        // A link is followed to the file it names.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut name = OsString::from(path.as_os_str());
        name.push(".part");
        let part = PathBuf::from(name);
        let opened = match resume {
            true => resumed(&path, &part, header, known),
            false => begun(&part, header),
        };
        match opened {
            Ok(file) => Ok(Out { path, part, file }),
            Err((text, help)) => {
                message(&format!("error: {text}\n  help: {help}\n"));
                Err(End::Trouble)
            }
        }
    }

    /// Writes a game.
    pub(super) fn add(&mut self, records: &[Record]) -> Result<(), End> {
        let lines: String = records.iter().map(Record::line).collect();
        let written = write(&mut self.file, &lines);
        written.map_err(|error| unwritten(&self.part, &error))
    }

    /// All games are there: the file gets its name.
    pub(super) fn finish(self) -> Result<(), End> {
        // The content is on the disk before its name is.
        let done = self.file.sync_all().and_then(|()| fs::rename(&self.part, &self.path));
        done.map_err(|error| unwritten(&self.path, &error))
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> End {
    message(&format!(
        "error: `{}` cannot be written: {error}\n  help: the games so far are kept; make room, and go on with `--resume`\n",
        path.display()
    ));
    End::Trouble
}

fn write(file: &mut File, lines: &str) -> std::io::Result<()> {
    has_room(&*file, lines.len())?;
    file.write_all(lines.as_bytes())
}

const ELSEWHERE: &str = "nothing was changed; make room or choose another folder";

fn begun(part: &Path, header: &Header) -> Result<File, Wrong> {
    let mut file = File::options().write(true).create_new(true).open(part).map_err(|error| {
        match error.kind() {
            std::io::ErrorKind::AlreadyExists => (
                format!("`{}` holds the games of a run that stopped", part.display()),
                "go on with it by `--resume`, or take it away",
            ),
            _ => (format!("`{}` cannot be written: {error}", part.display()), ELSEWHERE),
        }
    })?;
    let written = write(&mut file, &header.line());
    written.map_err(|e| (format!("`{}` cannot be written: {e}", part.display()), ELSEWHERE))?;
    Ok(file)
}

fn resumed(
    path: &Path,
    part: &Path,
    header: &Header,
    mut known: impl FnMut(&[Record]) -> Result<(), String>,
) -> Result<File, Wrong> {
    let from = match (part.exists(), path.exists()) {
        (true, _) => part,
        (false, true) => path,
        (false, false) => return begun(part, header),
    };
    let unread = |error: std::io::Error| {
        (format!("`{}` cannot be read: {error}", from.display()), "name the file of an earlier run")
    };
    let kept = read(from, header, &mut known)?;
    let open = || File::options().read(true).write(true).open(from);
    let mut file = open().map_err(unread)?;
    // A line that was cut off, or a game of one of two rules alone, is played again.
    let cut = file.set_len(kept).and_then(|()| file.seek(SeekFrom::End(0)));
    cut.map_err(unread)?;
    if kept == 0 {
        let written = write(&mut file, &header.line());
        written.map_err(|e| (format!("`{}` cannot be written: {e}", from.display()), ELSEWHERE))?;
    }
    if from != part {
        fs::rename(path, part).map_err(unread)?;
    }
    Ok(file)
}

/// Reads the whole lines of an earlier run; how many bytes of it are kept.
fn read(
    path: &Path,
    header: &Header,
    known: &mut impl FnMut(&[Record]) -> Result<(), String>,
) -> Result<u64, Wrong> {
    const HELP: &str = "name the file of a run with the same call, or leave `--resume` out and choose another file";
    let wrong =
        |line: u64, what: &str| (format!("line {line} of `{}`: {what}", path.display()), HELP);
    let unread =
        |error: std::io::Error| (format!("`{}` cannot be read: {error}", path.display()), HELP);
    let file = File::open(path).map_err(unread)?;
    let all = file.metadata().map_err(unread)?.len();
    let mut lines = Lines::new(file);
    let (mut read, mut kept, mut records) = (0u64, 0u64, Vec::new());
    while let Some(line) = lines.next_line().map_err(unread)? {
        let bytes = line.bytes().map_err(|_| wrong(line.number, "it is too long for a game"))?;
        read = read.saturating_add(bytes.len() as u64).saturating_add(1);
        // The last line has no end where the run was stopped in the middle of it.
        if read > all {
            break;
        }
        if line.number == 1 {
            let found: Header = serde_json::from_slice(bytes).map_err(|error| {
                wrong(1, &format!("it is not the first line of a run: {error}"))
            })?;
            if let Some((what, here, there)) = header.difference(&found) {
                return Err(wrong(
                    1,
                    &format!("{what} is `{there}` there, and `{here}` in this call"),
                ));
            }
            kept = read;
            continue;
        }
        let record = serde_json::from_slice::<Record>(bytes)
            .map_err(|error| wrong(line.number, &format!("it is no game: {error}")))?;
        records.push(record);
        if records.len() == header.records() {
            known(&records).map_err(|what| wrong(line.number, &what))?;
            records.clear();
            kept = read;
        }
    }
    Ok(kept)
}
