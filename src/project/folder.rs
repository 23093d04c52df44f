//! A folder read: its own files, its variants, and what they build on, each added once its parent is
//! there.

use std::path::{Path, PathBuf};

use super::copies::{self, Named};
use super::{Loaded, Project, attach, compiled, is_refused, sheets};
use crate::arrange::Arrange as _;
use crate::check::{self, Checked, Resolved};
use crate::diag::{Diagnostic, Severity, code, sort};
use crate::source::screen;
use crate::syntax::{self, Part, ast};

/// A hash is known by its first 12 digits.
const SHORT_HASH: usize = 12;
/// More files than this are not one ruleset.
const MOST_FILES: usize = 10_000;
/// Variants of variants, this deep at most.
const DEEPEST: usize = 16;

/// A file as it was read: its path, its items and its faults.
type ReadFile = (PathBuf, ast::File, Vec<Diagnostic>);

/// A variant that is not yet translated: its head, its path, its items and its faults.
type Variant = (ast::RulesetHead, PathBuf, ast::File, Vec<Diagnostic>);

impl Project {
    pub(super) fn folder(&mut self, folder: &Path, depth: usize) {
        let mut paths: Vec<PathBuf> = self
            .entries(folder)
            .into_iter()
            .filter(|p| p.extension().is_some_and(|e| e == "sut"))
            .collect();
        paths.retain(|p| self.texts.is_file(p));
        let mut refused = false;
        // The head comes first, so that it is not among the files that are too many.
        paths.arrange_by_key(|p| (p.file_name().is_none_or(|n| n != "rules.sut"), p.clone()));
        if paths.len() > MOST_FILES {
            self.faults.push(Diagnostic::bare(
                code::E0215,
                format!("`{}` holds more than {MOST_FILES} files", folder.display()),
            ));
            paths.truncate(MOST_FILES);
            refused = true;
        }
        let mut own: (Vec<ast::File>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
        let mut variants = Vec::new();
        let mut read = Vec::new();
        for path in paths {
            match self.read(&path) {
                Some((file, faults)) => read.push((path, file, faults)),
                None => refused = true,
            }
        }
        for (path, file, faults) in self.without_copies(read) {
            let is_rules = path.file_name().is_some_and(|n| n == "rules.sut");
            match head(&file).filter(|_| !is_rules) {
                Some(head) => variants.push((head.clone(), path, file, faults)),
                None => {
                    own.0.push(file);
                    own.1.extend(faults);
                }
            }
        }
        if self.part == Part::Rules && depth == 0 {
            self.only_asked(&mut variants);
        }
        let name = own.0.iter().find_map(head).cloned();
        let parent = name.as_ref().and_then(|h| h.extends.clone());
        let shown = name.map_or_else(
            || folder.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned()),
            |h| h.name.text,
        );
        self.add(shown, folder, None, own.0, own.1, parent, depth, refused);
        self.variants(folder, variants, depth);
    }

    /// Leaves out what is a copy of another file, and says so with that file.
    fn without_copies(&self, mut read: Vec<ReadFile>) -> Vec<ReadFile> {
        let named: Vec<Named<'_>> =
            read.iter().map(|(path, file, _)| Named { path, source: file.source }).collect();
        let copies = copies::copies(&named, &self.sources);
        let mut found = Vec::new();
        for (copy, original) in
            copies.iter().enumerate().filter_map(|(at, of)| of.map(|of| (at, of)))
        {
            if let (Some(new), Some(old)) = (named.get(copy), named.get(original)) {
                found.push((original, copies::fault(new, old, &self.sources)));
            }
        }
        for (original, fault) in found {
            if let Some((_, _, faults)) = read.get_mut(original) {
                faults.push(fault);
            }
        }
        let mut of = copies.into_iter();
        read.retain(|_| of.next().flatten().is_none());
        read
    }

    /// Leaves out the variants that are neither asked for nor built on by the one that is.
    fn only_asked(&self, variants: &mut Vec<Variant>) {
        let mut named: Vec<String> = Vec::new();
        let next = variants.iter().find(|(_, path, ..)| *path == self.asked);
        let mut waiting: Vec<&ast::RulesetHead> = next.map(|(head, ..)| head).into_iter().collect();
        while let Some(head) = waiting.pop() {
            if named.contains(&head.name.text) {
                continue;
            }
            named.push(head.name.text.clone());
            let parents = || head.extends.iter().chain(&head.also);
            let is = |h: &&ast::RulesetHead| parents().any(|p| p.text == h.name.text);
            waiting.extend(variants.iter().map(|(h, ..)| h).filter(is));
        }
        variants.retain(|(head, ..)| named.contains(&head.name.text));
    }

    /// Variants may stand in any order and build on each other; each is added once its parent is
    /// there.
    fn variants(&mut self, folder: &Path, mut waiting: Vec<Variant>, depth: usize) {
        while !waiting.is_empty() {
            let names: Vec<String> = waiting.iter().map(|(h, ..)| h.name.text.clone()).collect();
            let ready = waiting.iter().position(|(h, ..)| {
                h.extends.iter().chain(&h.also).all(|e| !names.contains(&e.text))
            });
            // Variants that wait for each other are added as they are; the circle shows as an
            // unknown parent.
            let (head, path, file, faults) = waiting.remove(ready.unwrap_or(0));
            self.add(
                head.name.text,
                folder,
                Some(path),
                vec![file],
                faults,
                head.extends,
                depth,
                false,
            );
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one record, gathered in one place")]
    fn add(
        &mut self,
        name: String,
        folder: &Path,
        file: Option<PathBuf>,
        files: Vec<ast::File>,
        mut faults: Vec<Diagnostic>,
        parent: Option<ast::Name>,
        depth: usize,
        refused: bool,
    ) {
        if refused || is_refused(&faults) {
            return self.rulesets.push(Loaded::without_rules(name, folder, file, faults, true));
        }
        let at = parent.as_ref().map(|parent| self.parent(parent, folder, depth));
        let also = files.iter().find_map(head).map(|head| head.also.clone()).unwrap_or_default();
        let with_place = |other: ast::Name| {
            let at = self.parent(&other, folder, depth);
            (other, at)
        };
        let also: Vec<(ast::Name, Option<usize>)> = also.into_iter().map(with_place).collect();
        if let (Some(parent), Some(None)) = (&parent, at) {
            let fault = format!("no ruleset `{}` stands in this folder or beside it", parent.text);
            faults.push(Diagnostic::error(code::E0601, parent.span, fault).help(
                "a parent is a ruleset of the same folder, or of the folder of that name beside it; its name stands behind `ruleset`",
            ));
            return self.rulesets.push(Loaded::without_rules(name, folder, file, faults, false));
        }
        let parent = at.flatten().and_then(|at| self.rulesets.get(at));
        // What is wrong with the parent has been said.
        if parent.is_some_and(|p| p.refused) {
            return self.rulesets.push(Loaded::without_rules(name, folder, file, faults, true));
        }
        let extends = parent.map(|p| p.file.clone().unwrap_or_else(|| p.folder.clone()));
        let base = parent.map_or(&[][..], |p| &p.faults);
        let base_is_sound = !crate::diag::has_errors(base);
        faults.extend(parent.and_then(|p| changed_base(&files, p)));
        let joined = match at.flatten() {
            Some(at) if !also.is_empty() => {
                let (joined, more) = self.joined(at, &also);
                faults.extend(more);
                Some(joined)
            }
            _ => None,
        };
        let parent = joined.as_ref().or(parent.map(|l| &l.resolved));
        let (resolved, more) = check::fold(parent, &files, &self.sources);
        // What a variant changes may stand in an item that was lost in its base.
        let follows = |f: &Diagnostic| !base_is_sound && f.code == code::E0602;
        faults.extend(more.into_iter().filter(|f| !follows(f)));
        let mut found = compiled(&resolved, &self.sources);
        let more = std::mem::take(&mut found.faults);
        // What a parent is warned of is said with the parent, not again with each of its variants.
        let own = |f: &Diagnostic| {
            f.primary().is_none_or(|p| files.iter().any(|file| file.holds(p.source)))
        };
        let told = more.into_iter().filter(|f| f.severity == Severity::Error || own(f));
        faults.extend(told.map(|f| if own(&f) { f } else { of_a_case_taken_over(f, &resolved) }));
        // Rules that were lost in the base are lost in its variants too.
        let lost = base.iter().filter(|f| f.severity == Severity::Error && !faults.contains(f));
        faults.extend(lost.cloned().collect::<Vec<_>>());
        if crate::diag::has_errors(&faults) {
            found.set_aside();
        }
        let Checked { rules, meant, .. } = found;
        sort(&mut faults);
        self.rulesets.push(Loaded {
            name,
            folder: folder.to_path_buf(),
            file,
            extends,
            rules,
            faults,
            resolved,
            meant,
            files: files.into(),
            refused: false,
        });
    }

    fn parent(&mut self, parent: &ast::Name, folder: &Path, depth: usize) -> Option<usize> {
        let here = |p: &Project, f: &Path| {
            p.rulesets.iter().position(|r| {
                r.folder == f && (r.name == parent.text || r.refused && r.file.is_none())
            })
        };
        if let Some(at) = here(self, folder) {
            return Some(at);
        }
        let beside = folder.parent().unwrap_or(Path::new("")).join(&parent.text);
        if depth >= DEEPEST || beside == folder || !self.texts.is_file(&beside.join("rules.sut")) {
            return None;
        }
        if !self.rulesets.iter().any(|r| r.folder == beside) {
            self.folder(&beside, depth + 1);
        }
        here(self, &beside)
    }

    fn read(&mut self, path: &Path) -> Option<(ast::File, Vec<Diagnostic>)> {
        let bytes = match self.texts.read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.faults.push(Diagnostic::bare(
                    code::E0006,
                    format!("`{}` cannot be read: {error}", path.display()),
                ));
                return None;
            }
        };
        let id = self.sources.next_id();
        let (text, mut faults) = screen(&bytes, id);
        self.sources.add(path.display().to_string(), text);
        if is_refused(&faults) {
            return Some((ast::File::empty(id), faults));
        }
        let part = if self.whole.as_deref() == Some(path) { Part::Whole } else { self.part };
        let text = self.sources.text(id);
        let (mut file, more) = match &self.parsed {
            Some(parsed) => parsed.get(path, id, text, part),
            None => syntax::parse_part(id, text, part),
        };
        faults.extend(more);
        let folder = path.parent().unwrap_or(Path::new(""));
        let texts = &self.texts;
        faults.extend(attach(&mut file, &mut self.sources, |name| texts.script(folder, name)));
        faults.extend(sheets::attach(&mut file, &mut self.sources, Some((texts, folder))));
        Some((file, faults))
    }
}

/// Says of a fault in a case of the parent how the variant does without it.
fn of_a_case_taken_over(fault: Diagnostic, resolved: &Resolved) -> Diagnostic {
    let Some(at) = fault.primary() else { return fault };
    let case = resolved.items.iter().filter(|i| i.inherited).find_map(|i| match &i.item.kind {
        ast::ItemKind::Case(case)
            if i.item.span.source == at.source
                && i.item.span.range().contains(&(at.start as usize)) =>
        {
            Some(case)
        }
        _ => None,
    });
    match case {
        Some(case) => {
            let title = &case.title.text;
            fault.note(format!(
                "the case is taken over from the parent: `remove case \"{title}\"` leaves it out"
            ))
        }
        None => fault,
    }
}

/// A parent whose hash does not begin as the variant says.
fn changed_base(files: &[ast::File], parent: &Loaded) -> Option<Diagnostic> {
    let known = files.iter().find_map(head)?.base_hash.as_ref()?;
    let hash = &parent.rules.as_ref()?.hash;
    if known.text.len() >= SHORT_HASH && hash.starts_with(&known.text) {
        return None;
    }
    let short = hash.get(..SHORT_HASH).unwrap_or(hash);
    let message = format!("the rules of `{}` are not those of hash `{}`", parent.name, known.text);
    let fault =
        Diagnostic::error(code::E0606, known.span, message).at(format!("it is `{short}` now"));
    Some(fault.help(format!(
        "see what has changed; if the variant is still right, write `hash \"{short}\"`"
    )))
}

fn head(file: &ast::File) -> Option<&ast::RulesetHead> {
    file.items.iter().find_map(|i| match &i.kind {
        ast::ItemKind::Ruleset(head) => Some(head),
        _ => None,
    })
}
