//! A baseline: the findings that an older ruleset has and lives with, so that a new one stands out.
//!
//! A line for each sort of finding: how often it stands, its code, its file and its words. Lines of
//! the file do not count, for they move with every edit; errors are never held back.

use std::collections::BTreeMap;
use std::path::Path;

use super::{End, message, save};
use crate::diag::{Diagnostic, Severity, counted};
use crate::source::{MAX_BYTES, SourceMap, read_from};

/// What stands at the head of the file.
const HEAD: &str = "# findings of sutler that are known: how often, code, file, words\n";

/// What makes two findings the same: code, file, words.
type Sort = (String, String, String);

/// Known findings, each sort with how often it stands.
#[derive(Default)]
pub(super) struct Baseline(BTreeMap<Sort, usize>);

impl Baseline {
    /// Reads a file; what is no line of a baseline is refused.
    pub fn read(file: &Path) -> Result<Baseline, End> {
        let refused = |what: String| {
            message(&format!(
                "error: {what}\n  help: write a baseline with `--write-baseline {}`\n",
                file.display()
            ));
            End::Trouble
        };
        let cannot = |e: std::io::Error| refused(format!("cannot read `{}`: {e}", file.display()));
        let bytes = read_from(std::fs::File::open(file).map_err(cannot)?, MAX_BYTES);
        let text = String::from_utf8(bytes.map_err(cannot)?)
            .map_err(|_| refused(format!("`{}` is no text", file.display())))?;
        let mut known = BTreeMap::new();
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
            let mut parts = line.splitn(4, '\t');
            let mut part = || parts.next().map(str::to_owned);
            let (count, sort) = (part().and_then(|n| n.parse().ok()), (part(), part(), part()));
            let (Some(count), (Some(code), Some(name), Some(words))) = (count, sort) else {
                let place = format!("line {} of `{}`", number + 1, file.display());
                return Err(refused(format!("{place} is no line of a baseline")));
            };
            known.insert((code, name, words), count);
        }
        Ok(Baseline(known))
    }

    /// Knows the findings of today too.
    pub fn add(&mut self, found: &[Diagnostic], sources: &SourceMap, root: &Path) {
        for fault in found.iter().filter(|f| f.severity != Severity::Error) {
            *self.0.entry(sort(fault, sources, root)).or_default() += 1;
        }
    }

    /// The findings that are not known; each line of the file holds back as many as it says.
    pub fn without(
        &mut self,
        found: Vec<Diagnostic>,
        sources: &SourceMap,
        root: &Path,
    ) -> Vec<Diagnostic> {
        let is_new = |fault: &Diagnostic| {
            let count = self.0.get_mut(&sort(fault, sources, root));
            let count = count.filter(|n| **n > 0 && fault.severity != Severity::Error);
            count.map(|n| *n -= 1).is_none()
        };
        found.into_iter().filter(is_new).collect()
    }

    /// Says on standard error how many were held back, and how many known ones are gone.
    pub fn tell(&self, held: usize, file: &Path) {
        let (gone, file) = (self.0.values().sum::<usize>(), file.display());
        if held > 0 {
            let known = counted(held, "known finding");
            message(&format!("{known} held back by {file}\n"));
        }
        if gone > 0 {
            message(&format!("{gone} of {file} are gone; write it anew with `--write-baseline`\n"));
        }
    }

    /// Writes the file, whole.
    pub fn write(&self, file: &Path) -> Result<(), End> {
        let line = |((code, name, words), count): (&Sort, &usize)| {
            format!("{count}\t{code}\t{name}\t{words}\n")
        };
        let text: String =
            std::iter::once(HEAD.to_owned()).chain(self.0.iter().map(line)).collect();
        save(file, &text)?;
        let count: usize = self.0.values().sum();
        message(&format!("{} written to {}\n", counted(count, "finding"), file.display()));
        Ok(())
    }
}

/// What a finding is called in the file; the file of the rules as it lies under what was asked.
fn sort(fault: &Diagnostic, sources: &SourceMap, root: &Path) -> Sort {
    let root = if root.is_file() { root.parent().unwrap_or(root) } else { root };
    let name = fault.primary().map_or("", |place| sources.name(place.source));
    let inside = Path::new(name).strip_prefix(root).unwrap_or(Path::new(name));
    let inside: Vec<_> = inside.components().map(|c| c.as_os_str().to_string_lossy()).collect();
    let words = fault.message.replace(['\t', '\n'], " ");
    (fault.code.as_str().to_owned(), inside.join("/"), words)
}
