//! Which cases are wanted.

use super::notes::Opened;
use crate::diag::suggest;
use crate::ir::{Case, Ruleset};
use crate::project::Loaded;
use crate::source::{SourceMap, Span};
use crate::suite::mistakes;
use crate::syntax::ast::Mistake;

/// What a case must be to be run; one that is told in several ways must be all of it.
#[derive(clap::Args)]
pub(super) struct Wanted {
    /// Only cases whose title holds this text
    #[arg(long, visible_alias = "only", value_name = "TEXT")]
    filter: Option<String>,
    /// Only cases that show this clause, as in `SK-22.1a`
    #[arg(long, value_name = "ID")]
    clause: Option<String>,
    /// Only the case at this line of a file; of a grid the row, or all rows
    #[arg(long, value_name = "FILE:LINE")]
    case: Option<String>,
}

/// A case, or a mistake, that is to be run.
pub(super) struct Task<'p> {
    pub ruleset: &'p str,
    pub sources: &'p SourceMap,
    pub loaded: &'p Loaded,
    pub rules: &'p Ruleset,
    pub what: What<'p>,
}

#[derive(Clone, Copy)]
pub(super) enum What<'p> {
    Case(&'p Case),
    Mistake(&'p Mistake),
}

impl<'p> What<'p> {
    /// All cases of a ruleset that compiles, and the mistakes that it expects.
    pub(super) fn all(loaded: &'p Loaded) -> impl Iterator<Item = What<'p>> {
        let cases = loaded.rules.iter().flat_map(|rules| rules.cases.iter().map(What::Case));
        cases.chain(
            mistakes(loaded.resolved()).filter(|_| loaded.rules.is_some()).map(What::Mistake),
        )
    }
}

impl Task<'_> {
    pub(super) fn title(&self) -> &str {
        match self.what {
            What::Case(case) => &case.title,
            What::Mistake(mistake) => &mistake.title.text,
        }
    }

    pub(super) fn span(&self) -> Span {
        match self.what {
            What::Case(case) => case.span,
            What::Mistake(mistake) => mistake.title.span,
        }
    }

    /// The whole item.
    fn whole(&self) -> Span {
        match self.what {
            What::Case(case) => case.whole,
            What::Mistake(mistake) => mistake.title.span.to(mistake.text),
        }
    }

    /// The ids of the clauses that it shows.
    pub(super) fn covers(&self) -> Vec<&str> {
        let id = |c: &crate::ir::ClauseId| self.rules.clauses.get(c.index()).map(|c| c.id.as_str());
        match self.what {
            What::Case(case) => case.covers.iter().filter_map(id).collect(),
            What::Mistake(mistake) => {
                let cited = mistake.cites.0.iter().map(|c| c.text.as_str());
                let full = |cite: &str| {
                    self.rules.clauses.iter().map(|c| c.id.as_str()).find(|id| is_cited(id, cite))
                };
                cited.filter_map(full).collect()
            }
        }
    }

    fn lines(&self, span: Span) -> std::ops::RangeInclusive<u32> {
        let line = |byte| self.sources.line_col(span.source, byte).line;
        line(span.start)..=line(span.end.max(span.start + 1) - 1)
    }
}

/// `22.1a` and `SK-22.1a` are the same clause.
fn is_cited(id: &str, cite: &str) -> bool {
    id.eq_ignore_ascii_case(cite)
        || id.split_once('-').is_some_and(|(_, bare)| bare.eq_ignore_ascii_case(cite))
}

/// The cases that are wanted, in the order of the files; or why there are none.
pub(super) fn tasks<'p>(opened: &'p [Opened], wanted: &Wanted) -> Result<Vec<Task<'p>>, String> {
    let mut all = Vec::new();
    for Opened { project, .. } in opened {
        for loaded in &project.rulesets {
            let Some(rules) = &loaded.rules else { continue };
            let task = |what| Task {
                ruleset: &loaded.name,
                sources: &project.sources,
                loaded,
                rules,
                what,
            };
            all.extend(What::all(loaded).map(task));
        }
    }
    if let Some(text) = &wanted.filter {
        let titles: Vec<String> = all.iter().map(|t| t.title().to_owned()).collect();
        all.retain(|t| t.title().contains(text.as_str()));
        if all.is_empty() {
            return Err(nothing(
                "the title of no case holds",
                text,
                suggest::closest(text, titles.iter().map(String::as_str)),
            ));
        }
    }
    if let Some(clause) = &wanted.clause {
        let shown: Vec<String> = all.iter().flat_map(|t| t.covers()).map(str::to_owned).collect();
        all.retain(|t| t.covers().iter().any(|id| is_cited(id, clause)));
        if all.is_empty() {
            return Err(nothing(
                "no case shows the clause",
                clause,
                suggest::closest(clause, shown.iter().map(String::as_str)),
            ));
        }
    }
    if let Some(place) = &wanted.case {
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let Ok(line) = line.parse::<u32>() else {
            return Err(format!(
                "error: `{place}` is no place\n  help: write it as in `suite.sut:12`\n"
            ));
        };
        all.retain(|t| {
            is_file(t.sources.name(t.span().source), file) && t.lines(t.whole()).contains(&line)
        });
        if all.iter().any(|t| t.lines(t.span()).contains(&line)) {
            all.retain(|t| t.lines(t.span()).contains(&line));
        }
        if all.is_empty() {
            return Err(nothing("no case stands at", place, None));
        }
    }
    Ok(all)
}

fn nothing(what: &str, wanted: &str, near: Option<&str>) -> String {
    let help = near.map_or_else(
        || "`--list` says which cases there are".to_owned(),
        |n| format!("write `{n}`"),
    );
    format!("error: {what} `{wanted}`\n  help: {help}\n")
}

/// A file by its path, or by as many of its last parts as are written.
fn is_file(name: &str, wanted: &str) -> bool {
    std::path::Path::new(name).ends_with(wanted)
}
