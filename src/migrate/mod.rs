//! Files of an older edition rewritten into the newest.
//!
//! Takes files and the steps from one edition to the next; gives the new texts, if the cases of the
//! rulesets then come out as they did before. Writes nothing. A step is a list of edits, so that
//! all that it does not touch stays to the byte.

mod results;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, Severity, code};
use crate::project::{Project, sut_files};
use crate::source::{MAX_BYTES, SourceId, SourceMap, Span, screen};
use crate::syntax::ast::ItemKind;
use crate::syntax::{EDITION, parse};

/// What is written in place of a stretch of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The old bytes.
    pub range: Range<usize>,
    /// The new text.
    pub new: String,
}

/// A step from one edition to a later one, or from an old spelling to the one that all editions
/// read.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The edition that it reads.
    pub from: u32,
    /// The edition that it writes.
    pub to: u32,
    /// What changes, for the author: `the word uses is dropped`.
    pub title: &'static str,
    /// The edits that one file needs. The line of the edition is not among them.
    pub edits: fn(&str) -> Vec<Edit>,
}

/// The steps known to this version, in their order. There is one edition, so there are none.
pub const STEPS: &[Step] = &[];

/// A file that is to be written anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which file.
    pub path: PathBuf,
    /// Its old bytes.
    pub old: Vec<u8>,
    /// Its new text.
    pub new: String,
    /// The titles of the steps that changed it.
    pub steps: Vec<&'static str>,
}

/// What a migration would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How many files were read.
    pub files: usize,
    /// The files that change, in name order.
    pub changes: Vec<Change>,
    /// How many cases and mistakes came out the same.
    pub cases: usize,
}

/// Why nothing is done.
pub struct Refusal {
    /// The reasons.
    pub faults: Vec<Diagnostic>,
    /// The texts they point into.
    pub sources: SourceMap,
}

impl Refusal {
    fn bare(fault: Diagnostic) -> Box<Refusal> {
        Box::new(Refusal { faults: vec![fault], sources: SourceMap::new() })
    }
}

/// Rewrites the files of a path by these steps, in memory, and runs all cases on the old and on the
/// new ones.
///
/// # Errors
///
/// E0006 for a file that cannot be read, the faults of its bytes, E1068 for an edition that nothing
/// is known of, and E1069 if the rulesets have errors before, or if anything comes out otherwise
/// afterwards.
pub fn plan(path: &Path, steps: &[Step]) -> Result<Plan, Box<Refusal>> {
    let files = sut_files(path).map_err(Refusal::bare)?;
    let mut changes = Vec::new();
    for file in &files {
        let old = crate::source::read(file, MAX_BYTES).map_err(|error| {
            Refusal::bare(Diagnostic::bare(
                code::E0006,
                format!("`{}` cannot be read: {error}", file.display()),
            ))
        })?;
        changes.extend(migrated(file, old, steps)?);
    }
    let mut cases = 0;
    if !changes.is_empty() {
        let new: BTreeMap<PathBuf, Vec<u8>> = crate::arrange::gathered(
            changes.iter().map(|c| (c.path.clone(), c.new.clone().into_bytes())),
        );
        cases = results::compare(&Project::open(path), &Project::open_with(path, new))
            .map_err(Refusal::bare)?;
    }
    Ok(Plan { files: files.len(), changes, cases })
}

/// One file by all the steps it needs; none if it needs none.
fn migrated(path: &Path, old: Vec<u8>, steps: &[Step]) -> Result<Option<Change>, Box<Refusal>> {
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    let (screened, faults) = screen(&old, id);
    sources.add(path.display().to_string(), screened);
    let refused =
        |faults: Vec<Diagnostic>, sources: SourceMap| Box::new(Refusal { faults, sources });
    if faults.iter().any(|f| f.severity == Severity::Error) {
        return Err(refused(faults, sources));
    }
    let mut text = String::from_utf8_lossy(&old).into_owned();
    let mut taken = Vec::new();
    for step in steps {
        let Some((edition, place)) = edition_of(&text, id) else { break };
        if edition != Some(step.from) {
            continue;
        }
        let mut edits = (step.edits)(&text);
        if edits.is_empty() && step.from == step.to {
            continue;
        }
        if step.from != step.to {
            edits.push(Edit { range: place.range(), new: step.to.to_string() });
        }
        text = edited(&text, edits).ok_or_else(|| {
            let message = format!(
                "the step `{}` would write over its own edits in `{}`",
                step.title,
                path.display()
            );
            Refusal::bare(
                Diagnostic::bare(code::E1069, message)
                    .help("nothing was written; this is a fault of the program, please report it"),
            )
        })?;
        taken.push(step.title);
    }
    // A file without an edition is not ours to guess; `sutler check` says what it lacks.
    if let Some((edition, place)) = edition_of(&text, id)
        && edition != Some(EDITION)
    {
        let message = format!(
            "this version knows edition {EDITION}, and no way from the one that stands here"
        );
        let fault = Diagnostic::error(code::E1068, place, message)
            .help("a newer edition needs a newer version of the program");
        return Err(refused(vec![fault], sources));
    }
    Ok((!taken.is_empty() && text.as_bytes() != old).then(|| Change {
        path: path.to_path_buf(),
        old,
        new: text,
        steps: taken,
    }))
}

/// The edition that a text names, and where; no number if it is none.
fn edition_of(text: &str, id: SourceId) -> Option<(Option<u32>, Span)> {
    let (screened, _) = screen(text.as_bytes(), id);
    let (file, _) = parse(id, &screened);
    file.items.iter().find_map(|item| match &item.kind {
        ItemKind::Edition(number) => Some((number.text.parse().ok(), number.span)),
        _ => None,
    })
}

/// The text with all edits made; nothing if two of them reach over each other, or one out of the
/// text.
fn edited(text: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.arrange_by_key(|e| (e.range.start, e.range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(text.get(at..edit.range.start)?);
        out.push_str(&edit.new);
        text.get(edit.range.clone())?;
        at = edit.range.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}
