//! `sutler fmt`: files laid out, or what that would change.

use std::path::{Path, PathBuf};

use super::{End, Format, json, message, print, print_and, stderr_style, told};
use crate::diag::{self, Diagnostic, code, counted};
use crate::format::{Formatted, format, unified};
use crate::output::Rewrite;
use crate::project::sut_files;
use crate::source::{MAX_BYTES, SourceMap, read, read_from};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Files, or folders with `.sut` files in them at any depth; `-` reads standard input and
    /// prints the result
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Writes nothing; lists the files that are not laid out, and ends with 1 if there are any
    #[arg(long)]
    check: bool,
    /// Writes nothing; prints the difference as a unified diff, and ends with 1 if there is any
    #[arg(long)]
    diff: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t, conflicts_with = "diff")]
    format: Format,
}

/// What became of one file.
#[derive(serde::Serialize)]
struct Entry {
    file: String,
    /// Whether its layout is another one.
    changed: bool,
    /// Items left as they are, for they have faults.
    left: usize,
}

#[derive(serde::Serialize)]
struct Report<'e> {
    schema: u32,
    /// Whether the files were written.
    written: bool,
    files: &'e [Entry],
}

pub(super) fn run(args: &Args) -> End {
    if args.paths.iter().any(|p| p == Path::new("-")) {
        return if args.paths.len() == 1 {
            stream(args)
        } else {
            message(
                "error: `-` stands alone\n  help: format files and standard input in two calls\n",
            );
            End::Trouble
        };
    }
    let mut files = Vec::new();
    let mut end = End::Clean;
    for path in &args.paths {
        match sut_files(path) {
            Ok(found) => files.extend(found),
            Err(fault) => {
                tell(&[fault], &SourceMap::new());
                end = End::Trouble;
            }
        }
    }
    files.sort();
    files.dedup();
    let mut entries = Vec::new();
    let mut out = String::new();
    for path in &files {
        let written = laid_out(args, path, &mut out).and_then(|(entry, new)| {
            super::rewrite::rewrite(new.as_slice())?;
            Ok(entry)
        });
        match written {
            Ok(entry) => entries.push(entry),
            Err(other) => end = worse(end, other),
        }
    }
    let changed = entries.iter().filter(|e| e.changed).count();
    let writes = !args.check && !args.diff;
    if changed > 0 && !writes {
        end = worse(end, End::Findings);
    }
    if args.format == Format::Json {
        return print_and(&json(&Report { schema: 1, written: writes, files: &entries }), end);
    }
    if let Err(end) = print(&out) {
        return end;
    }
    let what = if writes { "laid out" } else { "to be laid out" };
    message(&format!("{changed} of {} {what}\n", counted(entries.len(), "file")));
    end
}

/// Standard input to standard output.
fn stream(args: &Args) -> End {
    let bytes = match read_from(std::io::stdin().lock(), MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => {
            message(&format!("error: standard input cannot be read: {error}\n"));
            return End::Trouble;
        }
    };
    let Ok(new) = formatted("standard input", &bytes) else { return End::Findings };
    left("standard input", new.left);
    let changed = new.text.as_bytes() != bytes;
    let end = if changed && (args.check || args.diff) { End::Findings } else { End::Clean };
    match (args.check, args.diff) {
        (_, true) => {
            print_and(&unified("standard input", &String::from_utf8_lossy(&bytes), &new.text), end)
        }
        (true, false) => print_and(if changed { "standard input\n" } else { "" }, end),
        (false, false) => print_and(&new.text, end),
    }
}

/// What becomes of a file, and its new bytes where they are to be written.
fn laid_out(args: &Args, path: &Path, out: &mut String) -> Result<(Entry, Option<Rewrite>), End> {
    let bytes = read(path, MAX_BYTES).map_err(|error| {
        tell(&[unreadable(path, &error)], &SourceMap::new());
        End::Trouble
    })?;
    let name = path.display().to_string();
    let new = formatted(&name, &bytes)?;
    left(&name, new.left);
    let changed = new.text.as_bytes() != bytes;
    if changed && args.diff {
        out.push_str(&unified(&name, &String::from_utf8_lossy(&bytes), &new.text));
    } else if changed {
        out.push_str(&format!("{}\n", diag::clean::line(&name)));
    }
    let rewrite = (changed && !args.check && !args.diff).then(|| Rewrite {
        path: path.to_path_buf(),
        old: bytes,
        new: new.text.into_bytes(),
    });
    Ok((Entry { file: name, changed, left: new.left }, rewrite))
}

fn formatted(name: &str, bytes: &[u8]) -> Result<Formatted, End> {
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    format(id, bytes).map_err(|faults| {
        sources.add(name, crate::source::screen(bytes, id).0);
        tell(&faults, &sources);
        End::Findings
    })
}

fn left(name: &str, count: usize) {
    let what = match count {
        0 => return,
        1 => "1 item is left as it is, for it has".to_owned(),
        _ => format!("{count} items are left as they are, for they have"),
    };
    message(&format!("{name}: {what} faults; `sutler check` names them\n"));
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::bare(code::E0006, format!("`{}` cannot be read: {error}", path.display()))
}

fn tell(faults: &[Diagnostic], sources: &SourceMap) {
    told(&diag::render(faults, sources, diag::Format::Full, stderr_style()));
}

fn worse(a: End, b: End) -> End {
    match (a, b) {
        (End::Trouble, _) | (_, End::Trouble) => End::Trouble,
        (End::Findings, _) | (_, End::Findings) => End::Findings,
        _ => End::Clean,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::cli::rewrite::{rewrite, testing};

    #[test]
    fn a_file_that_has_changed_since_it_was_read_is_not_laid_out() {
        let format = Format::Full;
        let args = Args { paths: Vec::new(), check: false, diff: false, format };
        let read = |path: &PathBuf| laid_out(&args, path, &mut String::new()).ok().unwrap().1;
        testing::refuses_what_has_changed(read, |new| rewrite(new.as_slice()));
    }
}
