//! Names that nothing uses, and titles that are missing where nearly all others have one.

use std::collections::BTreeMap;

use crate::check::written::{Sort, tokens};
use crate::diag::{Diagnostic, code};
use crate::mutate::Given;
use crate::syntax::ast::{ItemKind, Name};

/// Of a kind of item so many must be there before a missing title is odd.
const MANY: usize = 4;

/// Declared names that stand nowhere else, neither in a rule nor in a case, a setup or a variant.
pub(super) fn unused(all: &[Given<'_>]) -> Vec<Diagnostic> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for (at, of) in all.iter().enumerate() {
        for item in of.resolved.items.iter().filter(|i| at == 0 || !i.inherited) {
            let clauses = std::collections::BTreeSet::new();
            for token in tokens(item, of.resolved, of.sources, &clauses)
                .into_iter()
                .filter(|t| t.sort == Sort::Word)
            {
                *uses.entry(token.text.into_owned()).or_default() += 1;
            }
        }
    }
    let Some(main) = all.first() else { return Vec::new() };
    let own =
        main.resolved.items.iter().filter(|i| !i.inherited).filter_map(|i| declared(&i.item.kind));
    own.filter(|(_, name)| uses.get(&name.text).is_none_or(|n| *n < 2))
        .map(|(noun, name)| {
            Diagnostic::warning(
                code::W1206,
                name.span,
                format!("nothing reads the {noun} `{}`", name.text),
            )
            .help("use it in a rule or ask for it in a case, or take it out")
        })
        .collect()
}

fn declared(kind: &ItemKind) -> Option<(&'static str, &Name)> {
    Some(match kind {
        // What must never hold is read here.
        ItemKind::Define(i) if i.never => return None,
        ItemKind::Define(i) => ("define", &i.name),
        ItemKind::Table(i) => ("table", &i.name),
        ItemKind::Pair(i) => ("pair", &i.name),
        ItemKind::Given(i) => ("given fact", &i.name),
        ItemKind::Count(i) => ("count", &i.name),
        ItemKind::Choice(i) => ("choice", &i.name),
        ItemKind::Hook(i) => ("hook", &i.name),
        ItemKind::Die(i) => ("die", &i.name),
        ItemKind::Test(i) => ("test", &i.name),
        ItemKind::Track(i) => ("track", &i.name),
        _ => return None,
    })
}

/// Items without a title where more than three of four of their kind have one.
pub(super) fn untitled(main: &Given<'_>) -> Vec<Diagnostic> {
    let mut sorts: BTreeMap<&'static str, Vec<(&Name, bool)>> = BTreeMap::new();
    for item in main.resolved.items.iter().filter(|i| !i.inherited) {
        let (noun, name, titled) = match &item.item.kind {
            ItemKind::Table(i) => ("table", &i.name, i.title.is_some()),
            ItemKind::Trace(i) => ("trace", &i.name, i.title.is_some()),
            ItemKind::Mark(i) => ("mark", &i.name, i.title.is_some()),
            ItemKind::Given(i) => ("given fact", &i.name, i.title.is_some()),
            ItemKind::Test(i) => ("test", &i.name, i.title.is_some()),
            ItemKind::Define(i) => ("define", &i.name, i.title.is_some()),
            _ => continue,
        };
        sorts.entry(noun).or_default().push((name, titled));
    }
    let mut found = Vec::new();
    for (noun, all) in sorts {
        let titled = all.iter().filter(|(_, titled)| *titled).count();
        if all.len() < MANY || titled * 4 <= all.len() * 3 {
            continue;
        }
        for (name, _) in all.iter().filter(|(_, titled)| !titled) {
            let message = format!(
                "the {noun} `{}` has no title, and {titled} of {} have one",
                name.text,
                all.len()
            );
            found.push(
                Diagnostic::warning(code::W1208, name.span, message)
                    .help("write what reports should call it, in quotes"),
            );
        }
    }
    found
}
