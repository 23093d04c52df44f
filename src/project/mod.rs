//! Rulesets from files, checked and ready to be asked.
//!
//! Takes a path; gives parsed and checked rulesets with their faults. The one door to files for
//! everything that is written in the language: the stages behind it do no I/O. Reads only plain
//! files ending in `.sut` directly in a ruleset's folder, the sheets beside them that tables name,
//! and the scripts of its folder `hooks`, so that nothing a ruleset says can name a file elsewhere.
//!
//! A ruleset is a folder. Its head stands in `rules.sut`; every other file without a head belongs
//! to it; a file with a head of its own is a variant. A variant's parent is a ruleset of the same
//! folder, or the folder of that name beside.

mod cited;
mod copies;
mod edit;
mod family;
mod files;
mod fixes;
mod folder;
mod follow;
mod given;
mod join;
mod laid;
mod missing;
mod names;
mod number;
mod parsed;
mod phrases;
mod repeated;
mod retold;
mod reworded;
mod scripts;
#[cfg_attr(not(feature = "sentences"), path = "no_sentences.rs")]
mod sentences;
mod sheets;
mod texts;
#[cfg(feature = "play")]
mod threads;
mod twice;
mod weighed;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::check::names::{Names, names};
use crate::check::{self, Checked, Meant, Resolved};
use crate::diag::{Diagnostic, Suggestion, code, sort};
use crate::hooks;
use crate::ir::Ruleset;
use crate::source::{SourceId, SourceMap, screen};
use crate::syntax::{self, Part, ast};

use fixes::{Asked, Budget, Tried};
use texts::Texts;

pub(crate) use family::base;
#[cfg(feature = "cli")]
pub(crate) use family::family;
pub(crate) use family::own_faults;
pub use files::sut_files;
pub use given::give;
#[cfg(feature = "sheets")]
pub(crate) use laid::CLAUSES;
pub use parsed::Parsed;
pub use scripts::attach;
pub use sheets::{attach_sheets, rows_of};
#[cfg(feature = "play")]
pub(crate) use threads::workers;

/// Everything read from one path.
#[derive(Default)]
pub struct Project {
    /// The texts.
    pub sources: SourceMap,
    /// The rulesets found, each folder's own before its variants.
    pub rulesets: Vec<Loaded>,
    /// Faults that belong to no ruleset, such as a folder that cannot be read.
    pub faults: Vec<Diagnostic>,
    /// Where its files come from.
    texts: Texts,
    /// How much of each file is read.
    part: Part,
    /// The file whose cases are read too, where only rules are.
    whole: Option<PathBuf>,
    /// What was parsed before, for one who reads again and again.
    parsed: Option<Parsed>,
    /// Whether fixes are tried at another time, and none is offered now.
    fixes_later: bool,
    /// The path that was asked for.
    asked: PathBuf,
}

/// One ruleset.
pub struct Loaded {
    /// Its name; the folder's if it has no head.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The file of a variant; none for the folder's own ruleset.
    pub file: Option<PathBuf>,
    /// What it is a variant of: the folder or the file of its parent, where that is there.
    pub extends: Option<PathBuf>,
    /// The compiled rules, if there is no error in them.
    pub rules: Option<Ruleset>,
    /// Its faults, in the order of the files.
    pub faults: Vec<Diagnostic>,
    resolved: Resolved,
    /// What its words were found to mean.
    meant: Meant,
    /// Its own files.
    files: Arc<[ast::File]>,
    /// Whether a file of it could not be read at all, so that nothing can be said of the rest.
    refused: bool,
}

impl Loaded {
    /// A ruleset that could not be translated.
    fn without_rules(
        name: String,
        folder: &Path,
        file: Option<PathBuf>,
        faults: Vec<Diagnostic>,
        refused: bool,
    ) -> Loaded {
        Loaded {
            name,
            folder: folder.to_path_buf(),
            file,
            extends: None,
            rules: None,
            faults,
            resolved: Resolved::default(),
            meant: Meant::default(),
            files: Arc::new([]),
            refused,
        }
    }

    /// Its items with the changes of variants in them; nothing is left behind.
    pub fn take_resolved(&mut self) -> Resolved {
        std::mem::take(&mut self.resolved)
    }

    /// Where each of its things is declared, and which words refer to it.
    #[must_use]
    pub fn names(&self, sources: &SourceMap) -> Names {
        match self.rules.as_ref().or(self.meant.broken.as_deref()) {
            Some(rules) => names(&self.resolved, sources, (&self.meant, rules)),
            None => names(&self.resolved, sources, (&self.meant, &Ruleset::default())),
        }
    }

    /// Its items, variants folded in.
    #[must_use]
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }
}

impl Project {
    /// Reads a ruleset folder with its variants, one file of it, or a folder of ruleset folders.
    #[must_use]
    pub fn open(path: &Path) -> Project {
        Project::default().opened(path)
    }

    /// Reads what answers depend on: without cases and mistakes, and without the variants of a
    /// folder but the one that the path names and those it builds on.
    #[must_use]
    pub fn open_rules(path: &Path) -> Project {
        Project { part: Part::Rules, ..Project::default() }.opened(path)
    }

    /// Reads a path as [`Project::open`] does, with these texts in place of some of its files, or
    /// beside them.
    #[must_use]
    pub fn open_with(path: &Path, instead: BTreeMap<PathBuf, Vec<u8>>) -> Project {
        Project { texts: Texts::over_disk(instead), ..Project::default() }.opened(path)
    }

    /// The same, as [`Project::open_rules`] reads a path; what faults offer to write is not tried.
    #[must_use]
    pub fn open_rules_with(path: &Path, instead: BTreeMap<PathBuf, Vec<u8>>) -> Project {
        let (texts, part) = (Texts::over_disk(instead), Part::Rules);
        Project { texts, part, fixes_later: true, ..Project::default() }.opened(path)
    }

    /// Reads a path among texts in memory, as [`Project::open`] reads one on the disk; no disk is
    /// touched.
    #[must_use]
    pub fn of_texts(texts: BTreeMap<PathBuf, Vec<u8>>, path: &Path) -> Project {
        Project { texts: Texts::in_memory(texts), ..Project::default() }.opened(path)
    }

    /// Reads two paths as [`Project::open`] reads one, the first ruleset of each, with all their
    /// texts in one place.
    #[must_use]
    pub fn open_two(first: &Path, second: &Path) -> Project {
        Project::open(first).with_second(second)
    }

    /// The same, as [`Project::open_rules`] reads a path.
    #[must_use]
    pub fn open_two_rules(first: &Path, second: &Path) -> Project {
        Project::open_rules(first).with_second(second)
    }

    fn with_second(mut self, second: &Path) -> Project {
        self.rulesets.truncate(1);
        let mut kept = std::mem::take(&mut self.rulesets);
        self.load(second);
        self.rulesets.truncate(1);
        kept.append(&mut self.rulesets);
        self.rulesets = kept;
        self
    }

    /// The same as [`Project::open_with`] and [`Project::of_texts`] over texts that stand alone, with
    /// the files parsed before; those parsed now are kept with them. With `fixes_later` what the
    /// faults offer to write is not tried, and not offered.
    #[must_use]
    pub fn open_again(
        path: &Path,
        texts: BTreeMap<PathBuf, Vec<u8>>,
        alone: bool,
        (parsed, fixes_later): (&Parsed, bool),
    ) -> Project {
        let texts = if alone { Texts::in_memory(texts) } else { Texts::over_disk(texts) };
        let parsed = Some(parsed.clone());
        Project { texts, parsed, fixes_later, ..Project::default() }.opened(path)
    }

    /// Reads a path, and keeps of what the faults offer to write what is true.
    fn opened(mut self, path: &Path) -> Project {
        self.load(path);
        self.keep_true_fixes();
        self
    }

    fn keep_true_fixes(&mut self) {
        // Files that a trial leaves as they are, are parsed for the first one alone.
        let kept = self.parsed.clone().unwrap_or_default();
        let mut budget = if self.fixes_later { Budget::none() } else { Budget::until(kept.halt()) };
        let mut known: Vec<Diagnostic> = Vec::new();
        for at in 0..self.rulesets.len() {
            let Some(loaded) = self.rulesets.get_mut(at) else { continue };
            let faults = std::mem::take(&mut loaded.faults);
            let folder = loaded.folder.clone();
            let texts: Vec<SourceId> = self
                .sources
                .ids()
                .filter(|id| Path::new(self.sources.name(*id)).parent() == Some(&folder))
                .collect();
            let mut faults = follow::hold_back(faults, &self.sources, &texts);
            // A fault of the base has been tried with the base.
            let same = |a: &Diagnostic, b: &Diagnostic| a.code == b.code && a.labels == b.labels;
            for fault in &mut faults {
                if let Some(tried) = known.iter().find(|k| same(k, fault)) {
                    fault.clone_from(tried);
                }
            }
            if let Some(loaded) = self.rulesets.get(at) {
                let path = loaded.file.as_ref().unwrap_or(&loaded.folder);
                let again = |source: SourceId, text: &str| self.again(path, (source, text), &kept);
                let hash = loaded.rules.as_ref().map(|r| r.hash.clone());
                let asked = Asked::new(&self.sources, hash, &again);
                fixes::keep_true(&mut faults, &asked, &mut budget);
            }
            // What a cell should say stands in the help; nothing writes into a sheet.
            let in_sheet = |s: &Suggestion| self.sources.sheet(s.span.source).is_some();
            faults
                .iter_mut()
                .for_each(|f| f.suggestion = f.suggestion.take().filter(|s| !in_sheet(s)));
            known.extend(faults.iter().filter(|f| f.primary().is_some()).cloned());
            if let Some(loaded) = self.rulesets.get_mut(at) {
                loaded.faults = faults;
            }
        }
        // Behind all, for a fault of the base is known by its places.
        for loaded in &mut self.rulesets {
            loaded.faults = repeated::told_once(std::mem::take(&mut loaded.faults), &self.sources);
        }
    }

    /// Checks the ruleset of a path with another text in place of one of its files; of cases those
    /// of that file alone are read.
    fn again(&self, path: &Path, (source, text): (SourceId, &str), kept: &Parsed) -> Option<Tried> {
        let name = Path::new(self.sources.name(source));
        let in_hooks = name.extension().is_some_and(|e| e == "rhai");
        let folder = if self.texts.is_file(path) { path.parent()? } else { path };
        let file = match self.sources.sheet(source) {
            Some(_) => rows_of(self.sources.name(source)),
            None if in_hooks => folder.join(name),
            None => name.to_path_buf(),
        };
        let texts = self.texts.with(file.clone(), text.as_bytes().to_vec());
        let (whole, parsed) = (Some(file), Some(kept.clone()));
        let mut project = Project { texts, part: Part::Rules, whole, parsed, ..Project::default() };
        project.load(path);
        let of = |r: &Loaded| r.file.as_deref().unwrap_or(&r.folder) == path;
        let at = project.rulesets.iter().position(of)?;
        let loaded = project.rulesets.swap_remove(at);
        let hash = loaded.rules.map(|r| r.hash);
        let mut faults = project.faults;
        faults.extend(loaded.faults);
        Some(Tried { sources: project.sources, faults, hash })
    }

    fn load(&mut self, path: &Path) {
        self.asked = path.to_path_buf();
        if self.texts.is_file(path) && path.extension().is_none_or(|e| e != "sut") {
            let fault = Diagnostic::bare(
                code::E0006,
                format!("`{}` is no file of a ruleset", path.display()),
            )
            .help("name a folder with a file `rules.sut`, or a file that ends in `.sut`");
            return self.faults.push(fault);
        }
        if self.texts.is_file(path) {
            let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
            self.folder(&folder, 0);
            let wanted = self.rulesets.iter().position(|r| r.file.as_deref() == Some(path));
            // A file without a head belongs to its folder's own ruleset.
            let wanted = wanted.or_else(|| {
                self.rulesets.iter().position(|r| r.folder == folder && r.file.is_none())
            });
            if let Some(at) = wanted {
                self.keep(|other, _| other == at);
            }
            return;
        }
        if self.texts.is_file(&path.join("rules.sut")) {
            self.folder(path, 0);
            self.keep(|_, r| r.folder == path);
        } else {
            self.nested(path);
        }
        if self.rulesets.is_empty() && self.faults.is_empty() {
            self.without_rules(path);
        }
    }

    /// A folder without `rules.sut`: its only file is the ruleset, as if it were named.
    fn without_rules(&mut self, path: &Path) {
        let mut files = self.entries(path);
        files.retain(|f| f.extension().is_some_and(|e| e == "sut") && self.texts.is_file(f));
        if let [file] = files.as_slice() {
            return self.load(file);
        }
        let said = match path.as_os_str().is_empty() {
            true => "there is no ruleset here".to_owned(),
            false => format!("`{}` holds no ruleset", path.display()),
        };
        let help = match files.is_empty() {
            true => "name a folder with a file `rules.sut`, or a folder of such folders",
            false => "the file with the line `ruleset …` is to be called `rules.sut`",
        };
        self.faults.push(Diagnostic::bare(code::E0006, said).help(help));
    }

    fn nested(&mut self, path: &Path) {
        for entry in self.entries(path) {
            if self.texts.is_folder(&entry)
                && self.texts.is_file(&entry.join("rules.sut"))
                && !self.rulesets.iter().any(|r| r.folder == entry)
            {
                self.folder(&entry, 0);
            }
        }
        self.keep(|_, r| r.folder.parent() == Some(path));
    }

    /// Keeps the rulesets that were asked for, by their place or by what they are.
    fn keep(&mut self, wanted: impl Fn(usize, &Loaded) -> bool) {
        let mut dropped = Vec::new();
        for (at, loaded) in std::mem::take(&mut self.rulesets).into_iter().enumerate() {
            if wanted(at, &loaded) {
                self.rulesets.push(loaded);
            } else {
                dropped.extend(loaded.faults.into_iter().filter(|_| loaded.refused));
            }
        }
        // A variant of what could not be read has no fault of its own to tell.
        if let [one, ..] = self.rulesets.as_mut_slice()
            && one.refused
            && one.faults.is_empty()
        {
            one.faults = dropped;
        }
    }

    /// The entries of a folder in name order; links are left out.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        self.texts.entries(folder).unwrap_or_else(|error| {
            self.faults.push(Diagnostic::bare(
                code::E0006,
                format!("`{}` cannot be read: {error}", folder.display()),
            ));
            Vec::new()
        })
    }
}

/// Whether a file was refused as a whole, so that what would be missing is no second fault.
fn is_refused(faults: &[Diagnostic]) -> bool {
    faults.iter().any(|f| f.code == code::E0005 || f.code == code::E0008)
}

/// Translates one ruleset and binds its scripts.
#[must_use]
pub fn compile(resolved: &Resolved, sources: &SourceMap) -> (Option<Ruleset>, Vec<Diagnostic>) {
    let Checked { rules, faults, .. } = compiled(resolved, sources);
    (rules, faults)
}

/// The same, with what its words were found to mean.
fn compiled(resolved: &Resolved, sources: &SourceMap) -> Checked {
    let mut found = check::checked(resolved, sources);
    if let Some(rules) = &mut found.rules {
        found.faults.extend(hooks::bind(rules));
    }
    if crate::diag::has_errors(&found.faults) {
        found.set_aside();
    }
    found
}

/// Checks one text as a ruleset of its own, without touching a disk; for examples, tests and
/// editors.
#[must_use]
pub fn check_text(name: &str, bytes: &[u8]) -> (SourceMap, Option<Ruleset>, Vec<Diagnostic>) {
    let (sources, rules, faults) = check_as_it_is(name, bytes);
    let texts: Vec<SourceId> = sources.ids().take(1).collect();
    let mut faults = follow::hold_back(faults, &sources, &texts);
    let again = |_: SourceId, text: &str| {
        let (sources, rules, faults) = check_as_it_is(name, text.as_bytes());
        Some(Tried { sources, faults, hash: rules.map(|r| r.hash) })
    };
    let hash = rules.as_ref().map(|r| r.hash.clone());
    let asked = Asked::new(&sources, hash, &again);
    fixes::keep_true(&mut faults, &asked, &mut Budget::default());
    let faults = repeated::told_once(faults, &sources);
    (sources, rules, faults)
}

fn check_as_it_is(name: &str, bytes: &[u8]) -> (SourceMap, Option<Ruleset>, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let id = sources.next_id();
    let (text, mut faults) = screen(bytes, id);
    sources.add(name, text);
    if is_refused(&faults) {
        return (sources, None, faults);
    }
    let (mut file, more) = syntax::parse(id, sources.text(id));
    faults.extend(more);
    faults.extend(attach(&mut file, &mut sources, |script| {
        Err(format!("`{script}` cannot be read: a text alone has no folder `hooks`"))
    }));
    faults.extend(sheets::attach(&mut file, &mut sources, None));
    let (resolved, more) = check::fold(None, &[file], &sources);
    faults.extend(more);
    let (rules, more) = compile(&resolved, &sources);
    faults.extend(more);
    let rules = rules.filter(|_| !crate::diag::has_errors(&faults));
    sort(&mut faults);
    (sources, rules, faults)
}
