//! What an editor shows beside a word: what it is, as the rules say it with all variants in them,
//! the clauses that it carries out, and who wrote it.

use crate::diag::counted;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::find::mention;
use super::index::{Entity, Index};
use super::unit::{Asked, Unit};
use super::{Answer, Desk};
use crate::check::names::Space;
use crate::check::written::{Sort, tokens};
use crate::check::{Resolved, ResolvedItem};
use crate::source::{SourceId, Span};

/// More lines of an item than this are not shown.
const MOST_LINES: usize = 24;

impl Desk<'_> {
    pub(super) fn hover(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(found) = mention(&self, index, asked, params)? else { return Ok(Value::Null) };
        let Some(entity) = index.entity(found.entity) else { return Ok(Value::Null) };
        let text = about(self.unit, index, entity, found.span.source);
        Ok(json!({
            "contents": { "kind": "markdown", "value": text },
            "range": asked.lines().span(found.span),
        }))
    }
}

/// What is said of a name to one who reads a file: as the ruleset of that file has it.
pub(super) fn about(unit: &Unit, index: &Index, entity: &Entity, reader: SourceId) -> String {
    let what = &entity.what;
    let at = ruleset_of(unit, entity, reader);
    let resolved = unit.project.rulesets.get(at).map(|r| r.resolved());
    if what.space == Space::Clause {
        return clause(unit, entity, resolved);
    }
    let mut out = format!("**{} `{}`**", what.noun, what.name);
    if !what.owner.is_empty() && what.owner != "world" && what.space != Space::Case {
        out.push_str(&format!(" of `{}`", what.owner));
    }
    if !what.about.is_empty() && what.about != what.owner {
        out.push_str(&format!(": {}", what.about));
    }
    out.push('\n');
    let item = resolved.and_then(|r| Some((r, item_of(r, entity)?)));
    if let Some((resolved, item)) = item {
        out.push_str(&body(unit, resolved, item, entity));
        out.push_str(&clauses(unit, resolved, item));
    }
    for place in &entity.places {
        out.push_str(&format!("\nwritten in {}\n", shown(unit, *place)));
    }
    let uses = index.of_entity(entity_at(index, entity)).iter().filter(|m| !m.declares).count();
    let times = if uses == 1 { "once".to_owned() } else { format!("{uses} times") };
    out.push_str(&format!("\nused {times}\n"));
    out
}

fn entity_at(index: &Index, entity: &Entity) -> usize {
    index.entities.iter().position(|e| std::ptr::eq(e, entity)).unwrap_or(usize::MAX)
}

/// The ruleset as which a file is read: the variant whose file it is, else the one that declares.
fn ruleset_of(unit: &Unit, entity: &Entity, reader: SourceId) -> usize {
    let path = unit.file(reader);
    let own = unit.project.rulesets.iter().position(|r| r.file.as_deref() == Some(path));
    own.unwrap_or(entity.ruleset)
}

/// The item that declares a name, as a ruleset has it.
fn item_of<'r>(resolved: &'r Resolved, entity: &Entity) -> Option<&'r ResolvedItem> {
    let holds = |item: &&ResolvedItem| {
        let span = item.item.span;
        entity
            .places
            .iter()
            .any(|p| p.source == span.source && span.start <= p.start && p.end <= span.end)
    };
    resolved.items.iter().rev().find(holds)
}

/// The text of an item with the changes of variants in it; of a long one the lines about the name.
fn body(unit: &Unit, resolved: &Resolved, item: &ResolvedItem, entity: &Entity) -> String {
    let sources = &unit.project.sources;
    let all = tokens(item, resolved, sources, &BTreeSet::new());
    let mut lines = vec![(String::new(), false)];
    let main = item.item.span.source;
    let mut from: Vec<Span> = Vec::new();
    for token in &all {
        if token.sort == Sort::Newline {
            lines.push((String::new(), false));
            continue;
        }
        let Some((line, of_name)) = lines.last_mut() else { continue };
        line.push_str(&token.text);
        *of_name |= token.at.is_some_and(|at| entity.places.contains(&at));
        let other = token.at.filter(|at| at.source != main);
        from.extend(other.filter(|at| !from.iter().any(|f| f.source == at.source)));
    }
    let part = matches!(entity.what.space, Space::Part | Space::Place | Space::Unit | Space::Word);
    let kept: Vec<&str> = if part || lines.len() > MOST_LINES {
        let head = lines.first().map(|l| l.0.as_str());
        let about = lines.iter().skip(1).filter(|l| l.1).map(|l| l.0.as_str());
        let room = if part { 1 } else { MOST_LINES };
        let rest = lines.iter().skip(1).map(|l| l.0.as_str()).take(if part { 0 } else { room });
        head.into_iter().chain(about).chain(rest).collect()
    } else {
        lines.iter().map(|l| l.0.as_str()).collect()
    };
    let text: Vec<&str> = kept.iter().map(|l| l.trim_end()).collect();
    let mut out = format!("```sutler\n{}\n```\n", text.join("\n").trim_end());
    for place in from {
        out.push_str(&format!("\nchanged in {}\n", shown(unit, place)));
    }
    out
}

/// The clauses in the brackets of an item, each with its words.
fn clauses(unit: &Unit, resolved: &Resolved, item: &ResolvedItem) -> String {
    let all = tokens(item, resolved, &unit.project.sources, &BTreeSet::new());
    let mut ids: Vec<String> = Vec::new();
    for token in all.iter().filter(|t| t.sort == Sort::Cite) {
        let prefix = token.at.map_or("", |at| resolved.prefix_of(at));
        for id in [format!("{prefix}-{}", token.text), token.text.to_string()] {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    let known = resolved.items.iter().zip(resolved.clause_ids());
    let mut out = String::new();
    for (item, id) in known {
        if let (Some(id), crate::syntax::ast::ItemKind::Clause(clause)) = (id, &item.item.kind)
            && ids.contains(&id)
        {
            out.push_str(&format!("\n*{id}* {}\n", clause.text.text));
        }
    }
    out
}

/// A clause: its words, and which rules and cases cite it.
fn clause(unit: &Unit, entity: &Entity, resolved: Option<&Resolved>) -> String {
    let mut out = format!("**clause `{}`**: {}\n", entity.what.name, entity.what.about);
    let rules = resolved.and_then(|_| unit.project.rulesets.get(entity.ruleset)?.rules.as_ref());
    if let Some(rules) = rules
        && let Some(at) = rules.clauses.iter().position(|c| c.id == entity.what.name)
    {
        let cites = |clauses: &[crate::ir::ClauseId]| clauses.iter().any(|c| c.index() == at);
        let lines = rules.lines.iter().filter(|l| cites(&l.clauses)).count();
        let cases = cases_of(rules, at);
        out.push_str(&format!("\ncarried out by {}", counted(lines, "line")));
        out.push_str(&format!(", shown by {}\n", counted(cases, "case")));
    }
    for place in &entity.places {
        out.push_str(&format!("\nwritten in {}\n", shown(unit, *place)));
    }
    out
}

/// How many cases show a clause; the rows of a grid are one case.
pub(super) fn cases_of(rules: &crate::ir::Ruleset, clause: usize) -> usize {
    let shows = |c: &&crate::ir::Case| c.covers.iter().any(|c| c.index() == clause);
    let wholes: BTreeSet<Span> =
        crate::arrange::gathered(rules.cases.iter().filter(shows).map(|c| c.whole));
    wholes.len()
}

fn shown(unit: &Unit, span: Span) -> String {
    let file = unit.file(span.source).file_name().map(|n| n.to_string_lossy().into_owned());
    let line = unit.project.sources.line_col(span.source, span.start).line;
    format!("`{}:{line}`", file.unwrap_or_default())
}
