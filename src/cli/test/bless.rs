//! `--bless`: what came is written in place of what was expected, where that is a plain value.

use std::path::PathBuf;

use indexmap::IndexMap;

use super::Ran;
use crate::cli::rewrite::{rewrite as write, unchanged};
use crate::cli::{End, message, print};
use crate::diag;
use crate::output::Rewrite;
use crate::source::{SourceId, SourceMap, screen};
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
            Err(end) => return end,
        }
    }
    if dry_run {
        return if files.is_empty() && refused == 0 { End::Clean } else { End::Findings };
    }
    if let Err(end) = write(&made) {
        return end;
    }
    if refused > 0 { End::Findings } else { End::Clean }
}

/// The new bytes of a file, and the difference to the old ones.
fn rewritten(name: &str, changes: &Changes<'_>) -> Result<(Rewrite, String), End> {
    let bytes = unchanged(changes.sources, changes.source)?;
    // The text as it was read has a byte for every byte of the file, so that the places hold in
    // both, and a mark or line ends of another kind stay as they are.
    let refused = |why: &str| {
        message(&format!("error: `{name}` {why}\n  help: nothing was changed\n"));
        End::Trouble
    };
    let old = String::from_utf8(bytes).map_err(|_| refused("is no text"))?;
    let new = rewrite(&old, &changes.edits);
    // What cannot be read any more is not written.
    let (text, mut faults) = screen(new.as_bytes(), changes.source);
    faults.extend(syntax::parse(changes.source, &text).1);
    if diag::has_errors(&faults) {
        return Err(refused("could not be read any more"));
    }
    let shown = difference(name, &old, &new);
    Ok((Rewrite { path: PathBuf::from(name), old: old.into_bytes(), new: new.into_bytes() }, shown))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cli::rewrite::testing;
    use crate::project::Project;
    use crate::suite::run_case;

    #[test]
    fn a_file_that_has_changed_since_it_was_read_is_not_blessed() {
        testing::refuses_what_has_changed(
            |path| Project::open(path),
            |project| {
                let sources = &project.sources;
                let rules = project.rulesets[0].rules.as_ref().unwrap();
                let outcome = run_case(rules, &rules.cases[0], |span| sources.slice(span));
                let ran = Ran { ruleset: "small", sources, outcome, time: Duration::ZERO };
                match bless(&[ran], false) {
                    End::Trouble => Err(End::Trouble),
                    End::Clean | End::Findings => Ok(()),
                }
            },
        );
    }
}
