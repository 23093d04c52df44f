//! What `sutler sweep` asks: positions of cases, recorded positions, or games.

use super::open::{read_position, setup_called, wrong_name};
use super::play::needs_a_clock;
use super::recorded::Recorded;
use super::sweep::{Args, wrong};
use super::{End, message, progress, threads};
use crate::facade::Game;
use crate::ir::{Ruleset, SetupId};
use crate::mutate::Given;
use crate::play::{self, Book, Plan};
use crate::sweep::{Asked, Corpus, Games, of_cases, read_tables};
use crate::world::json::Positions;
use crate::world::{World, start};

/// Recorded positions, or those of the cases; without cases those of the setups.
pub(super) fn asked_positions<'r>(
    args: &Args,
    rules: &'r Ruleset,
) -> Result<(Asked<'r>, End), End> {
    let named = [
        rules.traces.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(),
        rules.tables.iter().map(|t| t.name.as_str()).collect(),
        rules.tests.iter().map(|t| t.name.as_str()).collect(),
    ];
    let known = named.concat();
    if let Some(wrong) = args.questions.iter().find(|q| !known.contains(&q.as_str())) {
        wrong_name("trace, table or test", wrong, &known);
        return Err(End::Trouble);
    }
    // A table that another rule reads is a step on the way to an answer.
    let read = read_tables(rules);
    let counted = |noun: &str, name: &str| match args.questions.as_slice() {
        [] => noun != "table" || !read.contains(name),
        asked => asked.iter().any(|q| q == name),
    };
    let (positions, end) = match &args.positions {
        Some(path) => recorded(args.recorded(path), rules)?,
        None if rules.cases.is_empty() => (of_setups(rules), End::Clean),
        None => (of_cases(rules), End::Clean),
    };
    if positions.is_empty() {
        message(
            "error: there is no position to ask\n  \
             help: write a case or a setup, or name recorded positions with `--positions FILE`\n",
        );
        return Err(End::Trouble);
    }
    progress::count("positions", Some(positions.len()));
    let corpus = Corpus::new(rules, positions, &counted, threads(args.jobs));
    Ok((Asked::Positions(corpus.map_err(|fault| wrong(&fault))?), end))
}

fn of_setups(rules: &Ruleset) -> Vec<(String, World)> {
    let setups = (0..).map(SetupId::at).zip(&rules.setups);
    setups.map(|(id, setup)| (format!("setup {}", setup.name), start(rules, id))).collect()
}

/// Recorded positions; one that cannot be read is reported and left out.
fn recorded(from: Recorded<'_>, rules: &Ruleset) -> Result<(Vec<(String, World)>, End), End> {
    let mut found = Vec::new();
    let positions = Positions::new(rules);
    let all = from.each(rules, |place, text| {
        let world = read_position(text, place, &positions).map(|world| (place.to_owned(), world));
        let read = world.is_some();
        found.extend(world);
        read
    })?;
    Ok((found, if all { End::Clean } else { End::Findings }))
}

/// Games by the rules as they are.
pub(super) fn asked_games<'r>(args: &Args, given: Given<'_>) -> Result<Asked<'r>, End> {
    needs_a_clock(given.rules)?;
    let setup = setup_called(args.play.setup.as_deref(), given.rules)?;
    let start = start(given.rules, setup);
    let rules = given.rules.clone();
    let game = Game::of(rules, given.resolved.clone(), given.sources.clone());
    let of = args.play.of.clone();
    let asked = args.play.asked.iter().cloned();
    let plan = Plan {
        books: vec![Book { game, start, leaning: None }],
        policy: args.play.policy.policy(),
        seed: args.seed,
        turns: args.play.turns,
        asked: asked.map(|question| play::Asked { question, of: of.clone() }).collect(),
        side: None,
    };
    progress::count("games", None);
    let games = Games::new(plan, args.games.unwrap_or_default(), threads(args.jobs));
    games.map(Asked::Games).map_err(|faults| {
        message(&format!("{faults}\n"));
        End::Trouble
    })
}
