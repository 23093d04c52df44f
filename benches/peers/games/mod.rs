//! Whole games: the shipped ones and three that are generated, each against the same rules by hand.

mod board;
mod commands;
mod compare;
mod hand;
mod made;
mod one;
mod ours;
mod pairs;
mod peer;
mod plain;
mod processes;
mod shapes;
mod tables;

use std::path::{Path, PathBuf};

use serde_json::Value;
use sutler::ir::{FactId, KindId, Ruleset, SetupId, TraceId, Type};
use sutler::project::{Project, check_text};
use sutler::world::{World, start};

use board::Board;
use shapes::{GAMES, SHIPPED, Shape};

/// A game, loaded.
pub struct Game {
    pub shape: &'static Shape,
    pub rules: Ruleset,
    /// The same as programs open it.
    pub handle: sutler::Game,
    pub folder: PathBuf,
    pub start: World,
    pub traces: Vec<TraceId>,
    /// Whether the traces are asked of spaces.
    pub of_spaces: bool,
    /// The units of which it is asked where they can get to.
    pub reaching: Vec<usize>,
    pub spaces: usize,
    pub varying: Option<FactId>,
    /// Which units have the fact that varies.
    pub takes_fact: Vec<bool>,
    /// How many values it has.
    pub fact_values: usize,
    /// Whether a gate of `command` names the unit.
    pub naming: bool,
}

impl Game {
    /// Reads a shipped game, or writes and checks one that is generated.
    pub fn load(shape: &'static Shape) -> Game {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (folder, rules) = match shape.text {
            None => {
                let folder = root.join("rulesets").join(shape.name);
                let first = Project::open(&folder).rulesets.into_iter().next().unwrap();
                (folder, first.rules.unwrap())
            }
            Some(text) => {
                let (folder, text) = (root.join("target/games").join(shape.name), text());
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join("rules.sut"), &text).unwrap();
                let (_, rules, faults) = check_text("rules.sut", text.as_bytes());
                assert!(faults.is_empty(), "{}: {faults:#?}", shape.name);
                (folder, rules.unwrap())
            }
        };
        let setup = rules.setups.iter().position(|s| s.name == shape.setup).unwrap();
        let world = start(&rules, SetupId::at(setup));
        Game::of(shape, rules, folder, world)
    }

    fn of(shape: &'static Shape, rules: Ruleset, folder: PathBuf, start: World) -> Game {
        let handle = sutler::Rules::open(&folder).game().unwrap();
        let traces: Vec<TraceId> = (shape.traces)()
            .iter()
            .map(|name| TraceId::at(rules.traces.iter().position(|t| t.name == *name).unwrap()))
            .collect();
        let of = rules.traces[traces[0].index()].of;
        let varying = shape.varying.map(|(_, name)| super::fact(&rules, name));
        let takes = |kind: KindId| {
            shape.varying.is_some_and(|(name, _)| {
                rules
                    .kinds
                    .iter()
                    .position(|k| k.name == name)
                    .is_some_and(|k| rules.is_kind(kind, KindId::at(k)))
            })
        };
        let takes_fact = start.units.iter().map(|u| takes(u.kind)).collect();
        let fact_values = varying.map_or(1, |fact| match rules.facts[fact.index()].ty {
            Type::Thing { .. } => rules.named.len() + 1,
            _ => 2,
        });
        Game {
            of_spaces: rules.top(of) == KindId::SPACE,
            reaching: shape.reach.map_or_else(Vec::new, |kind| of_kind(&rules, &start, kind)),
            spaces: rules.maps[start.map.index()].spaces.len(),
            shape,
            rules,
            handle,
            folder,
            start,
            traces,
            varying,
            takes_fact,
            fact_values,
            naming: true,
        }
    }

    /// The game `command` with a number of troops and of sorts, and this gate on the way.
    fn command(troops: usize, sorts: usize, through: &str) -> Game {
        let shape = GAMES.iter().find(|s| s.name == "command").unwrap();
        let text = made::command::text(troops, sorts, through);
        let name = if through == made::command::NAMING { "naming" } else { "unnamed" };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/games").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("rules.sut"), &text).unwrap();
        let (_, rules, faults) = check_text("rules.sut", text.as_bytes());
        assert!(faults.is_empty(), "{faults:#?}");
        let rules = rules.unwrap();
        let world = start(&rules, SetupId::at(0));
        let naming = through == made::command::NAMING;
        Game { naming, ..Game::of(shape, rules, folder, world) }
    }

    /// What rows call it.
    pub fn title(&self) -> String {
        format!("games: {}", self.shape.name)
    }

    /// As many, or fewer where a position takes long.
    pub fn fewer(&self, many: usize) -> usize {
        match self.shape.name {
            "command" => many.div_ceil(16),
            _ => many,
        }
    }

    pub fn board(&self) -> Board<'_> {
        Board::new(&self.rules, &self.start)
    }

    /// How many answers each trace has: of all units, of all spaces, or of all spaces for each unit
    /// of which it is asked where it can get to.
    pub fn things(&self) -> usize {
        match self.of_spaces {
            true => self.spaces,
            false if self.shape.reach.is_some() => self.reaching.len() * self.spaces,
            false => self.start.units.len(),
        }
    }
}

/// The units of a kind.
fn of_kind(rules: &Ruleset, world: &World, kind: &str) -> Vec<usize> {
    let kind = KindId::at(rules.kinds.iter().position(|k| k.name == kind).unwrap());
    (0..world.units.len()).filter(|u| rules.is_kind(world.units[*u].kind, kind)).collect()
}

/// What is measured: `-- games --game=nets --row=evidence` names one game and one row.
struct Wanted {
    games: Vec<String>,
    rows: Vec<String>,
}

impl Wanted {
    fn from_arguments() -> Wanted {
        let of = |flag: &str| {
            std::env::args().filter_map(|a| a.strip_prefix(flag).map(String::from)).collect()
        };
        let wanted = Wanted { games: of("--game="), rows: of("--row=") };
        for row in &wanted.rows {
            assert!(ROWS.contains(&row.as_str()), "there is no row `{row}`, but {ROWS:?}");
        }
        for name in &wanted.games {
            let known = GAMES.map(|g| g.name);
            assert!(known.contains(&name.as_str()), "there is no game `{name}`, but {known:?}");
        }
        wanted
    }

    fn game(&self, name: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|g| g == name)
    }

    fn row(&self, name: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|r| r == name)
    }
}

/// What `--row=` can name.
const ROWS: [&str; 8] =
    ["answers", "evidence", "together", "columns", "naming", "batch", "impact", "starts"];

/// The rows of the report.
pub fn report(quick: bool) -> Vec<Value> {
    let wanted = Wanted::from_arguments();
    let games: Vec<Game> =
        GAMES.iter().filter(|shape| wanted.game(shape.name)).map(Game::load).collect();
    // The same trace with a gate that names the unit, and without it.
    let naming: Vec<Game> = [made::command::NAMING, made::command::PLAIN]
        .into_iter()
        .filter(|_| wanted.game("command") && wanted.row("naming"))
        .map(|gate| Game::command(100, 4, gate))
        .collect();
    for game in games.iter().chain(&naming) {
        compare::answers(game, game.fewer(if quick { 24 } else { 400 }));
        compare::evidence(game, game.fewer(if quick { 12 } else { 100 }));
    }
    let timed = |row: &str| !quick && wanted.row(row);
    let mut rows = Vec::new();
    if timed("answers") {
        rows.extend(games.iter().map(one::answers));
    }
    if timed("evidence") {
        rows.extend(games.iter().filter_map(one::evidence));
    }
    if timed("together") {
        rows.extend(games.iter().map(one::together));
    }
    if timed("columns") {
        let of_units = games.iter().filter(|game| !game.of_spaces && game.shape.reach.is_none());
        rows.extend(of_units.map(tables::columns));
    }
    if let ([with, without], true) = (&naming[..], !quick) {
        rows.push(one::naming(with, without));
    }
    if wanted.row("batch") {
        rows.extend(games.iter().filter_map(|g| commands::stream(g, quick)));
    }
    for (name, variant, given) in SHIPPED {
        if let Some(game) = games.iter().find(|g| g.shape.name == name) {
            if timed("impact") {
                rows.extend(commands::impact(game, variant));
            }
            if timed("starts") {
                rows.extend(commands::starts(game, given));
            }
        }
    }
    rows
}
