//! The position that a place of a text is about: that of the setup, or of the case, around it.

use super::unit::Unit;
use crate::facade::{Game, Position};
use crate::ir::Ruleset;
use crate::project::Loaded;
use crate::report::fault_diagnostic;
use crate::source::{SourceId, Span};
use crate::suite::begun;
use crate::world::World;

/// A position, and what it is called.
pub(super) struct Scene {
    pub(super) title: String,
    pub(super) position: Position,
}

/// What a scene is looked for by.
#[derive(Clone, Copy)]
pub(super) enum Sought<'a> {
    /// The item that holds a byte of a file.
    At(SourceId, usize),
    /// The setup or the case of a name.
    Called(&'a str),
}

/// The scene of a place; in words why there is none.
pub(super) fn scene(unit: &Unit, sought: Sought<'_>) -> Result<Scene, String> {
    let mut broken = None;
    for loaded in &unit.project.rulesets {
        let Some(rules) = &loaded.rules else {
            broken = broken.or(Some(&loaded.name));
            continue;
        };
        if let Some((title, world)) = found(loaded, rules, sought)? {
            let sources = unit.project.sources.clone();
            let game = Game::of(rules.clone(), loaded.resolved().clone(), sources);
            return Ok(Scene { title, position: Position::new(game, world) });
        }
    }
    Err(match (broken, sought) {
        (Some(name), _) => format!("`{name}` has errors, so that no position can be made of it"),
        (None, Sought::At(..)) => "no setup and no case stands here".to_owned(),
        (None, Sought::Called(name)) => format!("no setup and no case is called `{name}`"),
    })
}

fn found(
    loaded: &Loaded,
    rules: &Ruleset,
    sought: Sought<'_>,
) -> Result<Option<(String, World)>, String> {
    let holds = |span: Span| match sought {
        Sought::At(source, byte) => {
            span.source == source && span.start as usize <= byte && byte <= span.end as usize
        }
        Sought::Called(_) => false,
    };
    // Of the rows of a grid the one at the place, else the first.
    let cases = || rules.cases.iter().filter(|c| holds(c.whole) || is_called(sought, &c.title));
    if let Some(case) = cases().find(|c| holds(c.span)).or_else(|| cases().next()) {
        let world = begun(rules, case).map_err(|fault| fault_diagnostic(rules, fault).message)?;
        return Ok(Some((case.title.clone(), world)));
    }
    let of_item = loaded.resolved().items.iter().find_map(|item| match &item.item.kind {
        crate::syntax::ast::ItemKind::Setup(s) if holds(item.item.span) => Some(&s.name.text),
        _ => None,
    });
    let setup =
        rules.setups.iter().position(|s| Some(&s.name) == of_item || is_called(sought, &s.name));
    Ok(setup.and_then(|at| {
        let id = crate::ir::SetupId::at(at);
        let name = rules.setups.get(at)?.name.clone();
        Some((name, crate::world::start(rules, id)))
    }))
}

fn is_called(sought: Sought<'_>, name: &str) -> bool {
    matches!(sought, Sought::Called(wanted) if wanted == name)
}
