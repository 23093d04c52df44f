//! A ruleset printed whole, with the changes of all its variants in it, as text of the language.

use std::collections::BTreeSet;
use std::path::Path;

use crate::check::written::{Sort, tokens};
use crate::check::{Piece, Resolved, ResolvedItem};
use crate::source::{LineCol, SourceId, SourceMap, Span};
use crate::syntax::ast::ItemKind;

/// Lines longer than this do not push the origins of all others to the right.
const WIDEST: usize = 96;

/// One line that is printed, and the places that wrote it.
#[derive(Default)]
struct Line {
    text: String,
    origins: Vec<(SourceId, u32)>,
}

/// The full text of a ruleset; unless it is to be plain, each line tells in a comment which file
/// and line wrote it.
#[must_use]
pub fn resolve(resolved: &Resolved, sources: &SourceMap, plain: bool) -> String {
    let mut lines = vec![Line { text: "edition 1".to_owned(), origins: Vec::new() }];
    if let Some(head) = &resolved.head {
        let scripts = if head.scripts { " with scripts" } else { "" };
        let text = format!(
            "ruleset {} {} prefix {}{scripts}",
            head.name.text,
            sources.slice(head.title.span),
            head.prefix.text
        );
        lines.push(Line { text, origins: vec![origin(sources, head.name.span)] });
    }
    let ids = resolved.clause_ids();
    let clauses: BTreeSet<String> = crate::arrange::gathered(ids.iter().flatten().cloned());
    let mut before: Option<&ResolvedItem> = None;
    let mut section: Option<SourceId> = None;
    for (item, id) in resolved.items.iter().zip(&ids) {
        if matches!(item.item.kind, ItemKind::Edition(_) | ItemKind::Ruleset(_)) {
            continue;
        }
        let above = comments_above(item, sources);
        if before.is_none_or(|before| apart(before, item, above.len(), sources)) {
            lines.push(Line::default());
        }
        lines.extend(above);
        let whole = match (&item.item.kind, id) {
            (ItemKind::Section(_), _) => {
                section = Some(item.item.span.source);
                None
            }
            (ItemKind::Clause(_), Some(id)) => whole_clause(item, id, section, resolved, sources),
            _ => None,
        };
        match whole {
            Some(line) => lines.push(line),
            None => lines.extend(body(item, resolved, sources, &clauses)),
        }
        if let (Some(comment), Some(last)) = (comment_behind(item, sources), lines.last_mut()) {
            last.text.push_str(&format!("  {comment}"));
        }
        before = Some(item);
    }
    print(&lines, sources, plain)
}

/// A clause that would get another id where it is printed is printed with the whole of it.
fn whole_clause(
    item: &ResolvedItem,
    id: &str,
    section: Option<SourceId>,
    resolved: &Resolved,
    sources: &SourceMap,
) -> Option<Line> {
    let ItemKind::Clause(clause) = &item.item.kind else { return None };
    let prefix = clause
        .of
        .as_ref()
        .map_or_else(|| resolved.prefix_of(clause.label.span), |p| p.text.as_str());
    let own = resolved.head.as_ref().is_some_and(|h| h.prefix.text == prefix);
    if own && section == Some(item.item.span.source) {
        return None;
    }
    let label = id.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-')).unwrap_or(id);
    let text = format!("clause {label} of {prefix} {}", sources.slice(clause.text.span));
    Some(Line { text, origins: vec![origin(sources, clause.label.span)] })
}

fn body(
    item: &ResolvedItem,
    resolved: &Resolved,
    sources: &SourceMap,
    clauses: &BTreeSet<String>,
) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    for token in tokens(item, resolved, sources, clauses) {
        if token.sort == Sort::Newline {
            lines.push(Line::default());
            continue;
        }
        let Some(line) = lines.last_mut() else { continue };
        line.text.push_str(&token.text);
        if let Some(at) = token.at.filter(|_| !matches!(token.sort, Sort::Blank | Sort::Comment)) {
            let at = origin(sources, at);
            if !line.origins.contains(&at) {
                line.origins.push(at);
            }
        }
    }
    lines.iter_mut().for_each(|l| l.text.truncate(l.text.trim_end().len()));
    lines
}

fn origin(sources: &SourceMap, place: Span) -> (SourceId, u32) {
    (place.source, line_of(sources, place.source, place.start))
}

fn line_of(sources: &SourceMap, source: SourceId, at: u32) -> u32 {
    let LineCol { line, .. } = sources.line_col(source, at);
    line
}

/// The comment right above an item is about it; a copy without one has that of the original.
fn comments_above(item: &ResolvedItem, sources: &SourceMap) -> Vec<Line> {
    let Some(Piece::Text(first)) = item.rope.pieces().first() else { return Vec::new() };
    let own = above(item.item.span, sources);
    if own.is_empty() { above(*first, sources) } else { own }
}

fn above(first: Span, sources: &SourceMap) -> Vec<Line> {
    let mut found = Vec::new();
    let mut at = line_of(sources, first.source, first.start);
    while at > 1 {
        at -= 1;
        let text = sources.line_text(first.source, at);
        if !text.starts_with('#') {
            break;
        }
        found.push(Line { text: text.trim_end().to_owned(), origins: Vec::new() });
    }
    found.reverse();
    found
}

/// The comment in the last line of an item.
fn comment_behind<'t>(item: &ResolvedItem, sources: &'t SourceMap) -> Option<&'t str> {
    let Some(Piece::Text(last)) = item.rope.pieces().last() else { return None };
    let line = line_of(sources, last.source, last.end);
    let end = sources.line_span(last.source, line).end;
    let rest = sources.slice(Span::new(last.source, last.end, end)).trim();
    rest.starts_with('#').then_some(rest)
}

/// Whether a blank line stands between two items: they come from different places, or their file
/// says so.
fn apart(before: &ResolvedItem, item: &ResolvedItem, comments: usize, sources: &SourceMap) -> bool {
    let (Some(Piece::Text(last)), Some(Piece::Text(first))) =
        (before.rope.pieces().last(), item.rope.pieces().first())
    else {
        return true;
    };
    let (end, start) =
        (line_of(sources, last.source, last.end), line_of(sources, first.source, first.start));
    last.source != first.source
        || u32::try_from(comments).is_ok_and(|comments| end + comments + 1 != start)
}

fn print(lines: &[Line], sources: &SourceMap, plain: bool) -> String {
    let width =
        lines.iter().map(|l| l.text.chars().count()).filter(|n| *n <= WIDEST).max().unwrap_or(0);
    let shared = shared_folder(lines, sources);
    let mut out = String::new();
    for line in lines {
        out.push_str(&line.text);
        if !plain && !line.origins.is_empty() {
            let origins: Vec<String> = line
                .origins
                .iter()
                .map(|(source, at)| format!("{}:{at}", short(sources.name(*source), &shared)))
                .collect();
            let gap = width.saturating_sub(line.text.chars().count());
            out.push_str(&format!("{}  # {}", " ".repeat(gap), origins.join(", ")));
        }
        out.push('\n');
    }
    out
}

/// The folder in which all the files lie that wrote a line, so that it need not be told with each.
fn shared_folder(lines: &[Line], sources: &SourceMap) -> String {
    let mut folders = lines
        .iter()
        .flat_map(|l| &l.origins)
        .filter_map(|(s, _)| Path::new(sources.name(*s)).parent());
    let Some(mut shared) = folders.next() else { return String::new() };
    for folder in folders {
        while !folder.starts_with(shared) {
            let Some(parent) = shared.parent() else { return String::new() };
            shared = parent;
        }
    }
    shared.display().to_string()
}

fn short<'n>(name: &'n str, shared: &str) -> &'n str {
    name.strip_prefix(shared).map_or(name, |rest| rest.trim_start_matches(['/', '\\']))
}
