//! `sutler mutate`: small changes to a ruleset, and which of them its cases do not notice.

use crate::diag::counted;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Serialize;

use super::family::one_family;
use super::open::open;
use super::page::page;
use super::{End, github, json, message, print_and, progress};
use crate::mutate::{Change, Extent, Fate, Given, Sort, Tried, Tries, changes, mutate};
use crate::project::Loaded;
use crate::source::{SourceId, SourceMap};
use crate::syntax::ast::ItemKind;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, or the file of a variant
    ruleset: PathBuf,
    /// So many changes at a time; as many as the machine has processors, if nothing is said
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Only changes in files or of rules whose name holds this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Fails where less than so many hundredths of the changes are caught, and only there
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    fail_under: Option<u8>,
    /// Changes maps and setups too: units and facts left out, other numbers and words
    #[arg(long)]
    positions: bool,
    /// Says which changes there are, and tries none
    #[arg(long)]
    list: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// for reading
    #[default]
    Full,
    /// for programs
    Json,
    /// annotations of GitHub Actions
    Github,
}

pub(super) fn run(args: &Args) -> End {
    let project = match open(&args.ruleset) {
        Ok(project) => project,
        Err(end) => return end,
    };
    // Of a folder its own ruleset is changed, which stands before its variants.
    let at = match one_family(&args.ruleset, &project) {
        Ok(family) => family.first().copied().unwrap_or_default(),
        Err(end) => return end,
    };
    let Some(loaded) = project.rulesets.get(at) else { return End::Findings };
    let Some(rules) = &loaded.rules else { return End::Findings };
    let given = Given { resolved: loaded.resolved(), rules, sources: &project.sources };
    let files = own_files(loaded, given.sources);
    let mut all = changes(given, Extent { files: &files, positions: args.positions });
    if let Some(text) = args.only.as_ref().filter(|_| !all.is_empty()) {
        all.retain(|c| {
            c.owner.contains(text.as_str())
                || given.sources.name(c.span.source).contains(text.as_str())
        });
        if all.is_empty() {
            message(&format!(
                "error: no file and no rule with changes has `{text}` in its name\n  help: `--list` says which there are\n"
            ));
            return End::Trouble;
        }
    }
    if args.list {
        let line = |c: &Change| format!("{}  {}: {}\n", place(given.sources, c), c.owner, c.what);
        return print_and(&all.iter().map(line).collect::<String>(), End::Clean);
    }
    progress::count("changes", Some(all.len()));
    let told = |_| {
        progress::more(1);
        true
    };
    let tries = match mutate((given, &args.ruleset), all, args.jobs, &told) {
        Ok(tries) => tries,
        Err(title) => {
            message(&format!(
                "error: the case `{title}` fails as it is\n  help: `sutler test` says why; what fails notices no change\n"
            ));
            return End::Findings;
        }
    };
    let text = match args.format {
        Format::Full => page(&full(&rules.name, &tries, given.sources)),
        Format::Json => json(&report(&rules.name, &rules.hash, &tries, given.sources)),
        Format::Github => annotations(&tries, given.sources),
    };
    // Not the rounded number: 89 and a half is less than 90.
    let low = |least: u8| match tries.caught() + tries.missed() {
        0 => least > 0,
        all => tries.caught() * 100 < usize::from(least) * all,
    };
    if tries.percent().is_none() && args.fail_under.is_some_and(|least| least > 0) {
        message("there is no score: no change could be noticed by a case\n");
    }
    let findings = args.fail_under.map_or(tries.missed() > 0, low);
    print_and(&text, if findings { End::Findings } else { End::Clean })
}

/// The files that a ruleset wrote itself, in which what it changes in its parent is found.
fn own_files(loaded: &Loaded, sources: &SourceMap) -> Vec<SourceId> {
    let is_own = |path: &Path| match &loaded.file {
        Some(file) => path == file,
        None => {
            path.parent() == Some(&loaded.folder) && path.extension().is_some_and(|e| e == "sut")
        }
    };
    let all = (0..sources.next_id().0).map(SourceId);
    let of_folder = |id: &SourceId| {
        // A file with a head of its own is a variant, if it is not the head itself.
        let (file, _) = crate::syntax::parse(*id, sources.text(*id));
        let headed = file.items.iter().any(|i| matches!(i.kind, ItemKind::Ruleset(_)));
        loaded.file.is_some()
            || !headed
            || Path::new(sources.name(*id)).file_name().is_some_and(|n| n == "rules.sut")
    };
    all.filter(|id| is_own(Path::new(sources.name(*id)))).filter(of_folder).collect()
}

/// `rules.sut:12`.
fn place(sources: &SourceMap, change: &Change) -> String {
    if sources.sheet(change.span.source).is_some() {
        return sources.place(change.span);
    }
    format!(
        "{}:{}",
        sources.name(change.span.source),
        sources.line_col(change.span.source, first(sources, change)).line
    )
}

/// Where the change begins to be read: behind the blanks of a whole line.
fn first(sources: &SourceMap, change: &Change) -> u32 {
    let text = sources.slice(change.span);
    change.span.start + u32::try_from(text.len() - text.trim_start().len()).unwrap_or(0)
}

fn advice(tried: &Tried) -> Option<String> {
    match &tried.fate {
        Fate::Missed { witness: Some(witness) } => Some(format!("it would show when {witness}")),
        Fate::Missed { witness: None } => {
            Some(format!("it would show in {}", tried.change.sort.advice()))
        }
        _ => None,
    }
}

/// What was missed, each with its lines, then what is proven to change nothing, then the counts.
fn full(name: &str, tries: &Tries, sources: &SourceMap) -> String {
    let mut out = String::new();
    for tried in &tries.0 {
        let Some(advice) = advice(tried) else { continue };
        let change = &tried.change;
        out.push_str(&format!(
            "missed  {}: {}  {}\n",
            change.owner,
            change.what,
            place(sources, change)
        ));
        let (old, new) = change.lines(sources);
        // Of two rows that are swapped both stay, and are shown in both orders.
        let moved = old.iter().all(|l| new.contains(l));
        old.iter()
            .filter(|l| moved || !new.contains(l))
            .for_each(|l| out.push_str(&format!("  - {}\n", l.trim())));
        new.iter()
            .filter(|l| moved || !old.contains(l))
            .for_each(|l| out.push_str(&format!("  + {}\n", l.trim())));
        out.push_str(&format!("  {advice}\n"));
    }
    for tried in &tries.0 {
        if let Fate::Equivalent { why } = tried.fate {
            let change = &tried.change;
            out.push_str(&format!(
                "equal   {}: {}  {}\n  {why}\n",
                change.owner,
                change.what,
                place(sources, change)
            ));
        }
    }
    let (caught, missed, refused, equal) =
        (tries.caught(), tries.missed(), tries.refused(), tries.equivalent());
    if tries.0.is_empty() {
        out.push_str(&format!("{name}: nothing to change\n"));
        return out;
    }
    let all = counted(tries.0.len(), "change");
    out.push_str(&format!(
        "{name}: {all}, {refused} refused by the checker, {equal} proven to change nothing\n"
    ));
    match tries.percent() {
        Some(percent) => {
            out.push_str(&format!("{caught} of {} caught by a case, {percent}%\n", caught + missed))
        }
        None => out.push_str("none of them could be noticed by a case\n"),
    }
    out
}

#[derive(Serialize)]
struct Report<'t> {
    schema: u32,
    ruleset: &'t str,
    hash: &'t str,
    caught: usize,
    missed: usize,
    refused: usize,
    equivalent: usize,
    /// How many of those that a case could notice one does, in hundredths; null where there are
    /// none.
    percent: Option<usize>,
    changes: Vec<Row<'t>>,
}

#[derive(Serialize)]
struct Row<'t> {
    file: &'t str,
    line: u32,
    column: u32,
    sort: Sort,
    owner: &'t str,
    what: &'t str,
    old: Vec<String>,
    new: Vec<String>,
    #[serde(flatten)]
    fate: &'t Fate,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

fn report<'t>(
    ruleset: &'t str,
    hash: &'t str,
    tries: &'t Tries,
    sources: &'t SourceMap,
) -> Report<'t> {
    let row = |tried: &'t Tried| {
        let change = &tried.change;
        let at = sources.line_col(change.span.source, first(sources, change));
        let (old, new) = change.lines(sources);
        Row {
            file: sources.name(change.span.source),
            line: at.line,
            column: at.column,
            sort: change.sort,
            owner: &change.owner,
            what: &change.what,
            old,
            new,
            fate: &tried.fate,
            advice: advice(tried),
        }
    };
    let (caught, missed, refused, equivalent) =
        (tries.caught(), tries.missed(), tries.refused(), tries.equivalent());
    let changes = tries.0.iter().map(row).collect();
    Report {
        schema: 1,
        ruleset,
        hash,
        caught,
        missed,
        refused,
        equivalent,
        percent: tries.percent(),
        changes,
    }
}

/// A warning for each change that no case notices.
fn annotations(tries: &Tries, sources: &SourceMap) -> String {
    let mut out = String::new();
    for tried in &tries.0 {
        let Some(advice) = advice(tried) else { continue };
        let change = &tried.change;
        let at = sources.line_col(change.span.source, first(sources, change));
        let told = format!("{}: no case notices it; {advice}", change.what);
        out.push_str(&github::annotation(
            "warning",
            sources.name(change.span.source),
            (at.line, at.column),
            &change.owner,
            &told,
        ));
    }
    if out.is_empty() {
        let caught = tries.caught();
        let said = if tries.0.is_empty() {
            "nothing to change".to_owned()
        } else {
            format!("{caught} of {caught} caught by a case")
        };
        out.push_str(&format!("::notice title=sutler mutate::{said}\n"));
    }
    out
}
