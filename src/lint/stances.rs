//! Words of how things stand to a side, of which nothing can ever hold: no two sides are enemies, or
//! none are allies.

use super::own_files;
use crate::diag::{Diagnostic, code};
use crate::ir::{Node, Relation, Stance};
use crate::mutate::Given;
use crate::syntax::ast::ItemKind;

/// The first `enemy` and the first `allied` of the rules where no two sides ever stand so to each
/// other, neither at the start nor by what a setup or a case states.
pub(super) fn of_nobody(main: &Given<'_>) -> Vec<Diagnostic> {
    let (rules, files) = (main.rules, own_files(main));
    let sides = main.resolved.items.iter().find_map(|item| match &item.item.kind {
        ItemKind::Sides(_) => Some(item.item.span),
        _ => None,
    });
    let all = [
        (Stance::Enemy, Relation::Enemy, "enemy", "enemies", "against", "enemy_of"),
        (Stance::Allied, Relation::Allied, "allied", "allies", "with", "ally_of"),
    ];
    let mut found = Vec::new();
    for (stance, relation, word, plural, between, stated) in all {
        if rules.ever_stand(relation) {
            continue;
        }
        let said = rules.nodes.iter().zip(&rules.node_spans).find(|(node, span)| {
            matches!(node, Node::Stands(_, of) if *of == stance) && files.contains(&span.source)
        });
        let (Some((_, span)), Some(sides)) = (said, sides) else { continue };
        let names: Vec<&str> = rules.sides.iter().take(2).map(|s| s.name.as_str()).collect();
        let help = match (names.as_slice(), relation) {
            ([a, b], Relation::Enemy) => format!(
                "write `sides {a} {between} {b}`, or state `given {a} is {stated} {b}` in a setup"
            ),
            ([a, b], _) => format!("state `given {a} is {stated} {b}` in a setup"),
            _ => continue,
        };
        let message = format!("`{word}` holds of nobody, for no two sides are ever {plural}");
        found.push(
            Diagnostic::warning(code::W1212, *span, message).label(sides, "the sides").help(help),
        );
    }
    found
}
