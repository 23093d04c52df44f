//! What is checked together: the folder of a ruleset with its variants, or a file that stands
//! alone; and what of it is asked again and again.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::{Value, json};

use super::index::Index;
use super::place::{Encoding, Lines};
use super::store::Store;
use crate::project::{Parsed, Project};
use crate::source::{SourceId, Span, screen};
use crate::syntax::words::{Known, Word, words_again};

/// The words of files, kept while their texts stay; of a text that changed, those of its items.
#[derive(Default)]
pub(super) struct WordCache(BTreeMap<PathBuf, (String, Rc<Vec<Word>>, Known)>);

impl WordCache {
    /// The words of a screened text.
    pub(super) fn words(&mut self, path: &Path, text: &str) -> Rc<Vec<Word>> {
        let (read, words, known) = self.0.entry(path.to_path_buf()).or_default();
        if read != text {
            *words = Rc::new(words_again(text, known));
            text.clone_into(read);
        }
        Rc::clone(words)
    }
}

/// A ruleset with its variants, as it was read last.
pub(super) struct Unit {
    /// What was read: a folder, or one file.
    pub(super) path: PathBuf,
    pub(super) project: Project,
    /// The file of each text.
    pub(super) files: Vec<PathBuf>,
    index: OnceCell<Index>,
}

impl Unit {
    pub(super) fn read(store: &Store, path: &Path, how: (&Parsed, bool)) -> Unit {
        Unit::of(store.project(path, how), path)
    }

    pub(super) fn of(project: Project, path: &Path) -> Unit {
        let folder = if path.extension().is_some_and(|e| e == "sut") {
            path.parent().unwrap_or(Path::new(""))
        } else {
            path
        };
        let mut folder = folder.to_path_buf();
        let mut files = Vec::new();
        for id in 0..project.sources.next_id().0 {
            let name = Path::new(project.sources.name(SourceId(id)));
            // An editor of texts shows a sheet where it is asked for.
            if let Some(sheet) = project.sources.sheet(SourceId(id)) {
                let asks: Option<&PathBuf> = files.get(sheet.asked.source.0 as usize);
                files.push(asks.cloned().unwrap_or_default());
                continue;
            }
            // Scripts are called by their place in the folder of the file that asks for them, and
            // were read right after it.
            if name.extension().is_some_and(|e| e == "rhai") {
                files.push(folder.join(name));
            } else {
                folder = name.parent().unwrap_or(Path::new("")).to_path_buf();
                files.push(name.to_path_buf());
            }
        }
        Unit { path: path.to_path_buf(), project, files, index: OnceCell::new() }
    }

    pub(super) fn file(&self, source: SourceId) -> &Path {
        self.files.get(source.0 as usize).map_or(Path::new(""), PathBuf::as_path)
    }

    /// The text of a file among those that were read.
    pub(super) fn source(&self, path: &Path) -> Option<SourceId> {
        let at = self.files.iter().position(|file| file == path)?;
        u32::try_from(at).ok().map(SourceId)
    }

    /// A text as the editor sees it: what could not be read is blanks.
    pub(super) fn text<'a>(&'a self, store: &'a Store, source: SourceId) -> Cow<'a, str> {
        store
            .text(self.file(source))
            .unwrap_or_else(|| Cow::Borrowed(self.project.sources.text(source)))
    }

    pub(super) fn index(&self, cache: &mut WordCache) -> &Index {
        self.index.get_or_init(|| Index::of(self, cache))
    }
}

/// A file that is being asked about.
pub(super) struct Asked<'a> {
    pub(super) path: PathBuf,
    pub(super) text: Cow<'a, str>,
    pub(super) encoding: Encoding,
}

impl Asked<'_> {
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines::of(&*self.text, self.encoding)
    }

    /// The text as the parser sees it, with the same bytes.
    pub(super) fn screened(&self) -> String {
        screen(self.text.as_bytes(), SourceId::default()).0
    }
}

/// Places in the files of a unit; the lines of each file are counted once.
pub(super) struct Ranges<'a> {
    unit: &'a Unit,
    store: &'a Store,
    encoding: Encoding,
    lines: RefCell<BTreeMap<SourceId, Rc<Lines<'a>>>>,
}

impl<'a> Ranges<'a> {
    pub(super) fn of(unit: &'a Unit, store: &'a Store, encoding: Encoding) -> Ranges<'a> {
        Ranges { unit, store, encoding, lines: RefCell::default() }
    }

    pub(super) fn range(&self, span: Span) -> Value {
        let span = self.unit.project.sources.in_rules(span);
        let known = self.lines.borrow().get(&span.source).cloned();
        let lines = known.unwrap_or_else(|| {
            let text = self.unit.text(self.store, span.source);
            let lines = Rc::new(Lines::of(text, self.encoding));
            self.lines.borrow_mut().insert(span.source, Rc::clone(&lines));
            lines
        });
        lines.span(span)
    }

    pub(super) fn uri(&self, source: SourceId) -> String {
        self.store.uri(self.unit.file(source))
    }

    pub(super) fn location(&self, span: Span) -> Value {
        json!({ "uri": self.uri(span.source), "range": self.range(span) })
    }
}
