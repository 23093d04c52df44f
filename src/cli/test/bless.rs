//! `--bless`: what came is written in place of what was expected, where that is a plain value.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::Ran;
use crate::cli::{End, message, print};
use crate::diag;
use crate::output::Rewrite;
use crate::source::{MAX_BYTES, SourceId, SourceMap, screen};
use crate::suite::{Edit, Mend, bless as rewrite, difference};
use crate::syntax;

/// The edits of one file.
struct Changes<'p> {
    sources: &'p SourceMap,
    source: SourceId,
    edits: Vec<Edit>,
}

/// Shows the difference, and writes it unless this is a dry run. What cannot be rewritten is said,
/// and still failed.
pub(super) fn bless(ran: &[Ran<'_>], dry_run: bool) -> End {
    let mut files: IndexMap<String, Changes<'_>> = IndexMap::new();
    let mut refused = 0;
    for ran in ran {
        for failure in &ran.outcome.failures {
            match &failure.mend {
                Mend::Write(span, new) => {
                    let name = ran.sources.name(span.source).to_owned();
                    let file = files.entry(name).or_insert_with(|| Changes {
                        sources: ran.sources,
                        source: span.source,
                        edits: Vec::new(),
                    });
                    let edit = Edit { range: span.range(), new: new.clone() };
                    // A line above a grid fails once in each of its rows.
                    if !file.edits.contains(&edit) {
                        file.edits.push(edit);
                    }
                }
                Mend::Refused(why) => {
                    refused += 1;
                    let line = ran.sources.line_col(failure.span.source, failure.span.start).line;
                    let file = ran.sources.name(failure.span.source);
                    message(&format!(
                        "{file}:{line}: not rewritten: {why}\n  {}\n",
                        failure.message
                    ));
                }
            }
        }
    }
    let mut made = Vec::new();
    for (name, changes) in &files {
        match rewritten(name, changes) {
            Ok((rewrite, shown)) => {
                if let Err(end) = print(&shown) {
                    return end;
                }
                made.push(rewrite);
            }
            Err(why) => {
                message(&format!("error: {why}\n  help: nothing was changed\n"));
                return End::Trouble;
            }
        }
    }
    if dry_run {
        return if files.is_empty() && refused == 0 { End::Clean } else { End::Findings };
    }
    if let Err(end) = crate::cli::rewrite(&made) {
        return end;
    }
    if refused > 0 { End::Findings } else { End::Clean }
}

/// The new bytes of a file, and the difference to the old ones.
fn rewritten(name: &str, changes: &Changes<'_>) -> Result<(Rewrite, String), String> {
    let read = changes.sources.text(changes.source);
    let bytes = crate::source::read(Path::new(name), MAX_BYTES)
        .map_err(|error| format!("`{name}` cannot be read: {error}"))?;
    if screen(&bytes, changes.source).0 != read {
        return Err(format!("`{name}` has changed since it was read"));
    }
    // The text as it was read has a byte for every byte of the file, so that the places hold in
    // both, and a mark or line ends of another kind stay as they are.
    let old = String::from_utf8(bytes).map_err(|_| format!("`{name}` is no text"))?;
    let new = rewrite(&old, &changes.edits);
    // What cannot be read any more is not written.
    let (text, mut faults) = screen(new.as_bytes(), changes.source);
    faults.extend(syntax::parse(changes.source, &text).1);
    if diag::has_errors(&faults) {
        return Err(format!("`{name}` could not be read any more"));
    }
    let shown = difference(name, &old, &new);
    Ok((Rewrite { path: PathBuf::from(name), old: old.into_bytes(), new: new.into_bytes() }, shown))
}
