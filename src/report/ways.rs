//! What may or must be done, in words.

use super::thing_name;
use crate::engine::Ways;
use crate::ir::{FactId, Ruleset};
use crate::world::{ThingRef, World};

/// What may or must be done, with all the ways there are.
#[must_use]
pub fn ways_text(rules: &Ruleset, world: &World, ways: &Ways) -> String {
    let space = |s: &u32| thing_name(rules, world, ThingRef::Space(*s));
    let fact = |f: &FactId| rules.facts.get(f.index()).map_or("", |f| f.name.as_str());
    let or = |names: Vec<String>| names.join(" or ");
    match ways {
        Ways::Follow(trace, march) if march.routes.is_empty() => {
            let trace = rules.traces.get(trace.index()).map_or("", |t| &t.name);
            format!("follow {trace}, and there is no way")
        }
        Ways::Move(spaces) if spaces.is_empty() => {
            "move, and there is no space to move to".to_owned()
        }
        Ways::Place(word, stands) if stands.is_empty() => {
            format!("{}, and there is no place for it", word.text())
        }
        Ways::Choose(choice, things) if things.is_empty() => {
            let choice = rules.choices.get(choice.index()).map_or("", |c| &c.name);
            format!("choose {choice}, and there is nothing to choose")
        }
        Ways::Mark(f) => format!("mark {}", fact(f)),
        Ways::Clear(f) => format!("clear {}", fact(f)),
        Ways::Remove => "leave the map".to_owned(),
        Ways::Change(f) => format!("change {}", fact(f)),
        Ways::Follow(trace, march) => {
            let routes = march
                .routes
                .iter()
                .map(|r| r.iter().map(space).collect::<Vec<_>>().join(" > "))
                .collect();
            let more = if march.cut { ", and more" } else { "" };
            let trace = rules.traces.get(trace.index()).map_or("", |t| &t.name);
            format!("follow {trace}: {}{more}", or(routes))
        }
        Ways::Move(spaces) => format!("move to {}", or(spaces.iter().map(space).collect())),
        Ways::Place(word, stands) => {
            format!("{} to {}", word.text(), or(stands.iter().map(ToString::to_string).collect()))
        }
        Ways::Choose(choice, things) => {
            let choice = rules.choices.get(choice.index()).map_or("", |c| &c.name);
            format!(
                "choose {choice}: {}",
                or(things.iter().map(|t| thing_name(rules, world, *t)).collect())
            )
        }
    }
}
