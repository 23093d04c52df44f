//! The examples that compile and have a position, for what is read beside rules: positions, orders,
//! logs.

use std::sync::OnceLock;

use sutler::engine::{Dice, Orders};
use sutler::ir::{Ruleset, SetupId};
use sutler::log;
use sutler::project::check_text;
use sutler::source::SourceMap;
use sutler::world::{World, json, start};

use super::choices::Choices;
use super::passes;
use super::seeds::Seeds;

pub struct Game {
    pub rules: Ruleset,
    pub sources: SourceMap,
    pub world: World,
    /// The position as it is written.
    pub position: String,
    /// The names of all that it has.
    pub words: Vec<String>,
    /// Two turns of it as a log, where a turn can pass.
    pub log: Vec<String>,
}

/// A text, and the game that it is, made when it is first asked for.
struct Slot {
    text: String,
    game: OnceLock<Option<Game>>,
}

impl Game {
    /// Any of them.
    pub fn any(choices: &mut Choices<'_>) -> &'static Game {
        static ALL: OnceLock<Vec<Slot>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            let mut texts: Vec<String> = Vec::new();
            for family in &Seeds::get().families {
                let base = family.base.concat();
                texts.extend(family.blocks.iter().map(|block| format!("{base}{}", block.concat())));
                texts.push(base);
            }
            texts.into_iter().map(|text| Slot { text, game: OnceLock::new() }).collect()
        });
        let from = choices.below(all.len());
        // Examples of faults are no games; the next one that is stands for them.
        let slots = all.iter().cycle().skip(from).take(all.len());
        slots
            .flat_map(|slot| slot.game.get_or_init(|| Game::of(&slot.text)))
            .next()
            .expect("some example is a game")
    }

    fn of(text: &str) -> Option<Game> {
        let (sources, rules, _) = check_text("game.sut", text.as_bytes());
        let rules = rules?;
        let setup = rules.setups.iter().position(|s| !s.units.is_empty())?;
        let world = start(&rules, SetupId::at(setup));
        let position = json::write(&rules, &world);
        let begin = log::begin(&rules, &world, 2, Some(7), true);
        let lines = passes::turns(
            &rules,
            &sources,
            world.clone(),
            &mut Orders::first_way(),
            Dice::seeded(7),
        );
        let log = match rules.clock {
            Some(_) => std::iter::once(serde_json::to_string(&begin).ok()?).chain(lines).collect(),
            None => Vec::new(),
        };
        let words = words(&rules, &world);
        Some(Game { rules, sources, world, position, words, log })
    }
}

fn words(rules: &Ruleset, world: &World) -> Vec<String> {
    let spaces = rules.maps.iter().flat_map(|m| &m.spaces).map(|s| &s.id);
    let named = rules.facts.iter().map(|f| &f.name).chain(rules.traces.iter().map(|t| &t.name));
    let named = named
        .chain(rules.phases.iter().map(|p| &p.name))
        .chain(rules.sides.iter().map(|s| &s.name));
    let named = named
        .chain(rules.choices.iter().map(|c| &c.name))
        .chain(rules.kinds.iter().map(|k| &k.name));
    let mut all: Vec<String> =
        spaces.chain(named).chain(world.units.iter().map(|u| &u.id)).cloned().collect();
    all.extend(
        [
            "turn", "phase", "thing", "mark", "clear", "change", "remove", "move", "follow", "to",
            "place", "at",
        ]
        .map(str::to_owned),
    );
    all.extend(
        [
            "facing",
            "choose",
            "is",
            "advance",
            "conform",
            "fall back",
            "north",
            "schema",
            "map",
            "setup",
            "units",
        ]
        .map(str::to_owned),
    );
    all.extend(
        [
            "viewer",
            "rulings",
            "relations",
            "spaces",
            "sides",
            "world",
            "kept",
            "stated",
            "id",
            "kind",
            "space",
        ]
        .map(str::to_owned),
    );
    all.sort();
    all.dedup();
    all
}
