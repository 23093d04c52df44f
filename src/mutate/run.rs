//! Changes tried one by one: read, checked, and the cases run until one fails; side by side, and
//! told in order.

use crate::arrange::Arrange as _;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::Serialize;

use super::change::Change;
use super::proof::{Proven, proven};
use crate::check::{Resolved, Rope};
use crate::diag::{Diagnostic, Severity};
use crate::ir::{LineId, Ruleset, Seen};
use crate::project::{Project, compile, rows_of, workers};
use crate::source::{SourceId, SourceMap, Span};
use crate::suite::{mistakes, run_case, run_mistake};
use crate::syntax::ast::{HookLineKind, Item, ItemKind};
use crate::syntax::parse_item;

/// More threads than this do no good.
const MOST_JOBS: usize = 64;

/// A ruleset with its text.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Its items.
    pub resolved: &'a Resolved,
    /// What they compile to.
    pub rules: &'a Ruleset,
    /// Their texts.
    pub sources: &'a SourceMap,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum Fate {
    /// a case fails
    Caught {
        /// the title of that case
        by: String,
    },
    /// the checker finds an error in it
    Refused {
        /// the code of the error
        code: String,
    },
    /// it is proven to change nothing
    Equivalent {
        /// why
        why: &'static str,
    },
    /// no case fails
    Missed {
        /// what would be so in a case that might notice it
        witness: Option<String>,
    },
}

/// A change and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The change.
    pub change: Change,
    /// What became of it.
    pub fate: Fate,
}

/// All changes that were tried.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tries(pub Vec<Tried>);

impl Tries {
    /// How many a case has caught.
    #[must_use]
    pub fn caught(&self) -> usize {
        self.count(|f| matches!(f, Fate::Caught { .. }))
    }

    /// How many the checker refuses.
    #[must_use]
    pub fn refused(&self) -> usize {
        self.count(|f| matches!(f, Fate::Refused { .. }))
    }

    /// How many are proven to change nothing.
    #[must_use]
    pub fn equivalent(&self) -> usize {
        self.count(|f| matches!(f, Fate::Equivalent { .. }))
    }

    /// How many no case notices.
    #[must_use]
    pub fn missed(&self) -> usize {
        self.count(|f| matches!(f, Fate::Missed { .. }))
    }

    /// How many of those that a case could notice one does, in hundredths, rounded down; nothing
    /// where there are none.
    #[must_use]
    pub fn percent(&self) -> Option<usize> {
        (self.caught() * 100).checked_div(self.caught() + self.missed())
    }

    fn count(&self, which: impl Fn(&Fate) -> bool) -> usize {
        self.0.iter().filter(|t| which(&t.fate)).count()
    }
}

/// A ruleset with one change made.
pub(super) struct Made {
    pub rules: Ruleset,
    pub resolved: Resolved,
    pub sources: SourceMap,
    /// The changed text, beside the one that it is a copy of.
    pub source: SourceId,
}

/// Tries changes of the ruleset of a path on several threads; `told` gets the number that are done,
/// and says whether to go on. Where it does not, the first of the changes have been tried.
///
/// # Errors
///
/// The title of the first case that fails without any change: what fails anyway notices nothing.
pub fn mutate(
    (given, path): (Given<'_>, &Path),
    changes: Vec<Change>,
    jobs: Option<NonZeroUsize>,
    told: &(dyn Fn(usize) -> bool + Sync),
) -> Result<Tries, String> {
    let touched = touched(given)?;
    let jobs = jobs
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
        .min(MOST_JOBS)
        .min(changes.len().max(1));
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found: Mutex<Vec<(usize, Fate)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(change) = changes.get(at) else { return };
            let fate = one((given, path), change, &touched);
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, fate));
            if !told(done.fetch_add(1, Ordering::Relaxed) + 1) {
                // What other threads are at they finish, and take up nothing more.
                next.store(changes.len(), Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        match workers(scope, jobs, work) {
            Ok(threads) => {
                for thread in threads {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                }
            }
            // Without room for another thread this one does it all.
            Err(_) => work(),
        }
    });
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.arrange_by_key(|(at, _)| *at);
    Ok(Tries(
        changes.into_iter().zip(found).map(|(change, (_, fate))| Tried { change, fate }).collect(),
    ))
}

/// For each case the places of the lines that its answers rest on.
fn touched(given: Given<'_>) -> Result<Vec<Vec<Span>>, String> {
    let mut rules = given.rules.clone();
    let mut all = Vec::new();
    for case in &given.rules.cases {
        rules.seen = Seen::counting(&rules);
        if !run_case(&rules, case, |span| given.sources.slice(span)).failures.is_empty() {
            return Err(case.title.clone());
        }
        let hit = |at: &usize| {
            rules.seen.of_line(LineId::at(*at)) > 0 || rules.seen.of_barred(LineId::at(*at)) > 0
        };
        let lines =
            (0..rules.lines.len()).filter(hit).filter_map(|at| rules.lines.get(at)).map(|l| l.span);
        all.push(lines.collect());
    }
    Ok(all)
}

fn one((given, path): (Given<'_>, &Path), change: &Change, touched: &[Vec<Span>]) -> Fate {
    // A table is read anew with its sheet, and not by its own lines alone.
    let item = given.resolved.items.get(change.item).map(|i| &i.item.kind);
    let in_sheet = matches!(item, Some(ItemKind::Table(table)) if table.from.is_some());
    let folds = change.folded || in_sheet;
    let made = if folds { fold(given, path, change) } else { make(given, change) };
    let made = match made {
        Ok(made) => made,
        Err(code) => return Fate::Refused { code },
    };
    // Cases whose answers rest on the changed line come first, then those that rest on its item. A
    // search may read what no answer rests on, so all others follow.
    let item = given.resolved.items.get(change.item).map_or(change.span, |i| i.item.span);
    let meets = |a: Span, b: Span| a.source == b.source && a.start < b.end && b.start < a.end;
    let rank = |at: &usize| {
        let lines = touched.get(*at).map_or(&[][..], Vec::as_slice);
        let near = lines.iter().any(|l| l.len() < item.len() && meets(*l, change.span));
        if near { 0 } else { u8::from(!lines.iter().any(|l| meets(*l, item))) + 1 }
    };
    let mut order: Vec<usize> = (0..made.rules.cases.len()).collect();
    order.sort_by_cached_key(|at| (rank(at), *at));
    for at in order {
        let Some(case) = made.rules.cases.get(at) else { continue };
        if !run_case(&made.rules, case, |_| "").failures.is_empty() {
            return Fate::Caught { by: case.title.clone() };
        }
    }
    if let Some(mistake) = mistakes(&made.resolved)
        .find(|m| !run_mistake(&made.resolved, m, &made.sources).failures.is_empty())
    {
        return Fate::Caught { by: mistake.title.text.clone() };
    }
    match proven(change, (given.resolved, given.rules, given.sources), &made) {
        Proven::Equal(why) => Fate::Equivalent { why },
        Proven::Apart(when) => Fate::Missed { witness: Some(when) },
        Proven::Nothing => Fate::Missed { witness: None },
    }
}

/// The changed ruleset, or the code of what is wrong with it.
fn make(given: Given<'_>, change: &Change) -> Result<Made, String> {
    let (resolved, sources, source) = changed(given, &[change]).ok_or("E0104")?;
    let (rules, faults) = compile(&resolved, &sources);
    match rules {
        Some(rules) => Ok(Made { rules, resolved, sources, source }),
        None => Err(first_error(&faults)),
    }
}

/// The items with changes made in the text of some of them, which is read anew beside the old one,
/// and the last new text; nothing where an item can no longer be read.
pub(super) fn changed(
    given: Given<'_>,
    changes: &[&Change],
) -> Option<(Resolved, SourceMap, SourceId)> {
    let (mut resolved, mut sources) = (given.resolved.clone(), given.sources.clone());
    let mut texts: BTreeMap<SourceId, Vec<&Change>> = BTreeMap::new();
    changes.iter().for_each(|c| texts.entry(c.span.source).or_default().push(c));
    let mut last = None;
    for (old, mut changes) in texts {
        changes.arrange_by_key(|c| c.span.start);
        let text = rewritten(given.sources.text(old), &changes);
        let source = sources.add(given.sources.name(old).to_owned(), text);
        let prefix = resolved.prefixes.get(old.0 as usize).cloned().unwrap_or_default();
        resolved.prefixes.resize(source.0 as usize + 1, String::new());
        if let Some(cell) = resolved.prefixes.last_mut() {
            *cell = prefix;
        }
        let mut items: Vec<usize> = changes.iter().map(|c| c.item).collect();
        items.dedup();
        for at in items {
            let slot = resolved.items.get_mut(at)?;
            let span = slot.item.span;
            // Whole lines that are left out at the end of an item are not beyond it: its last line
            // is its brace.
            let start = moved(span.start, changes.iter().filter(|c| c.span.end <= span.start));
            let end = moved(span.end, changes.iter().filter(|c| c.span.end <= span.end));
            let mut item = parse_item(source, sources.text(source), start..end)?;
            attach(&mut item, &slot.item);
            slot.rope = Rope::of(item.span);
            slot.item = item.into();
        }
        last = Some(source);
    }
    Some((resolved, sources, last?))
}

/// A text with changes made, which follow each other.
pub(super) fn rewritten(text: &str, changes: &[&Change]) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for change in changes {
        let range = change.span.range();
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&change.new);
        at = range.end;
    }
    out + text.get(at..).unwrap_or_default()
}

/// Where a place of a text is when changes before it are made.
fn moved<'c>(at: u32, before: impl Iterator<Item = &'c &'c Change>) -> usize {
    before.fold(at as usize, |at, c| (at + c.new.len()).saturating_sub(c.span.len() as usize))
}

/// The code of the first error.
pub(super) fn first_error(faults: &[Diagnostic]) -> String {
    let first = faults.iter().find(|f| f.severity == Severity::Error);
    first.map_or_else(String::new, |f| f.code.to_string())
}

/// The changed ruleset, where the change stands in what a variant changes: all files read anew,
/// with the new text among them.
fn fold(given: Given<'_>, path: &Path, change: &Change) -> Result<Made, String> {
    let name = given.sources.name(change.span.source);
    let mut project = Project::open_with(path, instead(given, &[change]));
    let Some(mut loaded) = project.rulesets.drain(..).next() else {
        return Err("E0006".to_owned());
    };
    let source =
        (0..project.sources.next_id().0).map(SourceId).find(|id| project.sources.name(*id) == name);
    match (loaded.rules.take(), source) {
        (Some(rules), Some(source)) => {
            Ok(Made { rules, resolved: loaded.take_resolved(), sources: project.sources, source })
        }
        _ => Err(first_error(&loaded.faults)),
    }
}

/// The files in which changes stand, as they are with them.
pub(super) fn instead(given: Given<'_>, changes: &[&Change]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut texts: BTreeMap<SourceId, Vec<&Change>> = BTreeMap::new();
    changes.iter().for_each(|c| texts.entry(c.span.source).or_default().push(c));
    let file = |(source, mut changes): (SourceId, Vec<&Change>)| {
        changes.arrange_by_key(|c| c.span.start);
        let text = rewritten(given.sources.text(source), &changes);
        let name = given.sources.name(source);
        let file = match given.sources.sheet(source) {
            Some(_) => rows_of(name),
            None => PathBuf::from(name),
        };
        (file, text.into_bytes())
    };
    texts.into_iter().map(file).collect()
}

/// The scripts that a hook names have been read; a changed hook names the same.
fn attach(item: &mut Item, old: &Item) {
    let (ItemKind::Hook(new), ItemKind::Hook(old)) = (&mut item.kind, &old.kind) else { return };
    let known = old.lines.iter().filter_map(|l| match &l.kind {
        HookLineKind::Script(file) => Some(file.source),
        _ => None,
    });
    new.scripts_mut().zip(known).for_each(|(file, source)| file.source = source);
}
