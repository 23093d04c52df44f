//! Numbers of the shipped rulesets varied: as `sutler sweep` does it, and the slow and obvious way,
//! with the other number written into the files of a folder, opened and asked by the public API.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::Dice;
use crate::common::counts::seeds_every;
use crate::support::root;
use sutler::Rules;
use sutler::compare::Suspects;
use sutler::ir::{KindId, Ruleset, TraceId};
use sutler::kernel::needs_viewer;
use sutler::mutate::Given;
use sutler::project::{Loaded, Project};
use sutler::sweep::{
    Asked, Corpus, Design, Outcome, Parameter, Swept, Value, Vary, bearing, of_cases, parameters,
};
use sutler::syntax::ast::ItemKind;
use sutler::world::{World, json};

/// Rulesets and variants, each by its folder and its file.
const ALL: [(&str, &str); 8] = [
    ("malaya", ""),
    ("soldier_kings", ""),
    ("sgs", ""),
    ("blockade_siege", ""),
    ("twilight", ""),
    ("malaya", "jungle_tracks.sut"),
    ("soldier_kings", "soldier_raj.sut"),
    ("sgs", "fair_weather.sut"),
];

/// Positions that are asked of a variant.
const POSITIONS: usize = 6;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// The answers that are asked: for each position each question of each thing, by names.
type Answers = BTreeMap<(usize, String, String), String>;

/// All traces, and the tables with one result, by the public API.
fn answers(rules: &Ruleset, path: &Path, positions: &[String]) -> Result<Answers, String> {
    let opened = Rules::open(path);
    let game = opened.named(&rules.name).map_err(|faults| faults.to_string())?;
    let mut found = Answers::new();
    for (at, text) in positions.iter().enumerate() {
        let mut position = game.position(text).map_err(|faults| faults.to_string())?;
        for (nth, trace) in rules.traces.iter().enumerate() {
            let by_side = needs_viewer(rules, TraceId::at(nth)) && is_space(rules, trace.of);
            let sides: Vec<Option<_>> = match by_side {
                true => game.sides().map(|side| Some(game.side(side).unwrap())).collect(),
                false => vec![None],
            };
            let (own, trace) = (position.viewer(), game.trace(&trace.name).unwrap());
            for side in sides {
                if by_side {
                    position.set_viewer(side).unwrap();
                }
                for (thing, yes) in position.all_yes(trace).map_err(|f| f.to_string())? {
                    let of = format!("{} {side:?}", position.name(thing));
                    let name = format!("trace {}", rules.traces[nth].name);
                    found.insert((at, name, of), yes.to_string());
                }
            }
            position.set_viewer(own).unwrap();
        }
        for table in rules.tables.iter().filter(|table| table.results.len() == 1) {
            let kind = table.of.map(|of| rules.kinds[of.index()].name.as_str());
            let question = game.question(kind, &table.name).unwrap();
            // What cannot be asked so of this position is not compared.
            let Ok(report) = question.of(&position) else { continue };
            for row in report.values {
                let unit = table.of.is_some_and(|of| rules.top(of) == KindId::UNIT);
                if !unit || row.space.is_some() {
                    found.insert((at, format!("table {}", table.name), row.id), row.words);
                }
            }
        }
    }
    Ok(found)
}

fn is_space(rules: &Ruleset, kind: KindId) -> bool {
    rules.top(kind) == KindId::SPACE
}

/// A number written into the file in which it stands.
fn write(project: &Project, number: &Parameter, value: Value, folder: &Path) {
    let file = PathBuf::from(project.sources.name(number.at.span.source));
    let below = file.strip_prefix(root().join("rulesets")).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let range = number.at.span.range();
    assert_eq!(text[range.clone()].replace(' ', ""), number.is.to_string());
    let changed = format!("{}{value}{}", &text[..range.start], &text[range.end..]);
    fs::write(folder.join(below), changed).unwrap();
}

/// Varies one number of a ruleset both ways; how many answers flip, if it is accepted.
fn agree((name, variant): (&str, &str), seed: u64) -> Option<u64> {
    let mut dice = Dice::new(seed);
    let path = root().join("rulesets").join(name).join(variant);
    let path = if variant.is_empty() { root().join("rulesets").join(name) } else { path };
    let mut project = Project::open(&path);
    let loaded: &mut Loaded = project.rulesets.first_mut().unwrap();
    let (rules, mut resolved) = (loaded.rules.take().unwrap(), loaded.take_resolved());
    resolved.items.retain(|i| !matches!(i.item.kind, ItemKind::Case(_) | ItemKind::Mistake(_)));
    let suspects = Suspects::new(&[], &[(&resolved, &project.sources)]);
    let given = Given { resolved: &resolved, rules: &rules, sources: &project.sources };
    let all = parameters(given, &suspects);
    let number = dice.pick(&all).clone();
    let value = dice.pick(&number.is.steps()).to_owned();
    let mut positions: Vec<(String, World)> = Vec::new();
    let cases = of_cases(&rules);
    for _ in 0..POSITIONS.min(cases.len()) {
        positions.push(dice.pick(&cases).clone());
    }
    let texts: Vec<String> =
        positions.iter().map(|(_, world)| json::write(&rules, world)).collect();

    let before = answers(&rules, &path, &texts).unwrap();
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("rulesets"), folder.path());
    write(&project, &number, value, folder.path());
    let there = path.strip_prefix(root().join("rulesets")).unwrap();
    let after = answers(&rules, &folder.path().join(there), &texts);

    let tables = |noun: &str, name: &str| {
        noun == "trace"
            || before.keys().any(|(_, question, _)| *question == format!("{noun} {name}"))
    };
    let corpus = Corpus::new(&rules, positions, &tables, 1 + dice.below(3)).unwrap();
    let bearing = bearing(&all, &corpus, &suspects);
    let vary = Vary::read(&format!("{}={value}", number.name)).unwrap();
    let design = Design::of(&all, &[vary], &|_| true, None);
    let what = format!("{name} {variant} {}: {} -> {value}, seed {seed}", number.name, number.is);
    let Ok(design) = design else {
        // No rule reads it: then nothing may flip.
        assert!(!number.read, "{what}");
        assert_eq!(before, after.unwrap(), "{what}");
        return Some(0);
    };
    let swept = Swept { given, path: &path, all: &all, bearing: &bearing };
    let report = swept.run(&design, &Asked::Positions(corpus), 1 + dice.below(3), &mut || ());
    let [row] = report.variants.as_slice() else { panic!("{what}: one variant") };
    match (&row.outcome, after) {
        (Outcome::Refused { refused }, Err(told)) => {
            assert!(told.contains(refused.as_str()), "{what}: {refused} {told}");
            None
        }
        (Outcome::Positions(found), Ok(after)) => {
            let mut by: BTreeMap<String, u64> = BTreeMap::new();
            for (key, was) in &before {
                if after.get(key) != Some(was) {
                    *by.entry(key.1.clone()).or_default() += 1;
                }
            }
            assert_eq!(found.by, by, "{what}");
            assert_eq!(found.flips, by.values().sum::<u64>(), "{what}");
            Some(found.flips)
        }
        (outcome, after) => panic!("{what}: {outcome:?} and {:?}", after.map(|a| a.len())),
    }
}

#[test]
fn a_number_varied_is_the_number_written_into_the_file() {
    let (mut flipped, mut refused) = (0, 0);
    for seed in seeds_every(88, 5) {
        let found = agree(ALL[seed as usize % ALL.len()], seed);
        flipped += usize::from(found.is_some_and(|flips| flips > 0));
        refused += usize::from(found.is_none());
    }
    assert!(flipped > 2, "{flipped} flipped, {refused} refused");
}
