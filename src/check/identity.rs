//! The hash of the resolved rules: the same for the same rules, whatever the comments, the layout
//! and the order of items.
//!
//! Takes resolved items; gives the hash of their words. What it covers, and why:
//! docs/decisions/022.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::fold::{Resolved, ResolvedItem};
use super::written::{Sort, tokens};
use crate::arrange::Arrange as _;
use crate::source::SourceMap;
use crate::syntax::ast::{Hook, HookLineKind, ItemKind};

/// The hash of all that can change an answer to a position: rules, maps and scripts, but no setups
/// and no cases.
pub(super) fn hash(resolved: &Resolved, sources: &SourceMap) -> String {
    let ids = resolved.clause_ids();
    let clauses: BTreeSet<String> = crate::arrange::gathered(ids.iter().flatten().cloned());
    let mut kept: Vec<(u8, String)> = Vec::new();
    let mut sorted: Vec<String> = Vec::new();
    for (item, clause) in resolved.items.iter().zip(&ids) {
        if clause.is_none() && !counts(&item.item.kind) {
            continue;
        }
        let words = match (clause, &item.item.kind) {
            (Some(id), ItemKind::Clause(c)) => format!("clause {id} {:?}", c.text.text),
            _ => words(item, resolved, sources, &clauses),
        };
        match in_order(&item.item.kind) {
            Some(sort) => kept.push((sort, words)),
            None => sorted.push(words),
        }
    }
    kept.arrange_by_key(|(sort, _)| *sort);
    sorted.arrange();
    let mut hash = Sha256::new();
    if let Some(head) = &resolved.head {
        hash.update(format!(
            "ruleset {} {:?} prefix {} scripts {}\n",
            head.name.text, head.title.text, head.prefix.text, head.scripts
        ));
    }
    for words in kept.iter().map(|(_, words)| words).chain(&sorted) {
        hash.update(words);
        hash.update("\n");
    }
    hash.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect()
}

/// Whether an item can change an answer. A position says all that a setup said, and a case or a
/// mistake only asks.
fn counts(kind: &ItemKind) -> bool {
    !matches!(
        kind,
        ItemKind::Edition(_)
            | ItemKind::Ruleset(_)
            | ItemKind::Section(_)
            | ItemKind::Setup(_)
            | ItemKind::Case(_)
            | ItemKind::Mistake(_)
    )
}

/// Items of these sorts mean something by their order among themselves: who moves first, what is
/// counted first.
fn in_order(kind: &ItemKind) -> Option<u8> {
    Some(match kind {
        ItemKind::Sides(_) => 0,
        ItemKind::Dimension(_) => 1,
        ItemKind::Clock(_) => 2,
        ItemKind::Kind(_) => 3,
        ItemKind::Named(_) => 4,
        ItemKind::Phase(_) => 5,
        _ => return None,
    })
}

fn words(
    item: &ResolvedItem,
    resolved: &Resolved,
    sources: &SourceMap,
    clauses: &BTreeSet<String>,
) -> String {
    let mut out = String::new();
    for token in tokens(item, resolved, sources, clauses) {
        if matches!(token.sort, Sort::Blank | Sort::Newline | Sort::Comment) {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        // A clause of the ruleset itself may be cited in short or in full.
        if token.sort == Sort::Cite {
            let prefix = resolved.head.as_ref().map_or("", |h| h.prefix.text.as_str());
            let full = format!("{prefix}-{}", token.text);
            out.push_str(if clauses.contains(&full) { &full } else { &token.text });
        } else {
            out.push_str(&token.text);
        }
    }
    if let ItemKind::Hook(hook) = &item.item.kind {
        out.extend(scripts(hook).map(|source| format!(" script {:?}", sources.text(source))));
    }
    out
}

/// The texts of the scripts that a hook names.
pub fn scripts(hook: &Hook) -> impl Iterator<Item = crate::source::SourceId> {
    hook.lines.iter().filter_map(|l| match &l.kind {
        HookLineKind::Script(file) => file.source,
        _ => None,
    })
}
