//! The conformance kit: every folder of `conformance` answers as its files say, and what they say
//! must be refused is. `docs/conformance.md` has the form of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sutler::ir::{CaseStepKind, Ruleset};
use sutler::kernel::{Cx, Position};
use sutler::project::{Loaded, Project};
use sutler::report::fault_diagnostic;
use sutler::source::SourceId;
use sutler::{Game, Play, Rules};

use crate::support::{root, text_of};

/// A folder of the kit.
struct Folder {
    name: String,
    path: PathBuf,
    /// Its files, without the answers and what must be refused.
    texts: BTreeMap<String, Vec<u8>>,
}

/// A sentence as it stands behind `expect`, to be asked of a position.
struct Asked {
    place: String,
    /// A variant, by its name; none for the ruleset of the folder.
    ruleset: Option<String>,
    /// The lines of a case that make the names of the position known.
    frame: String,
    position: String,
    sentence: String,
    /// The code of why it cannot be worked out; none if it must hold.
    fault: Option<String>,
}

fn folders() -> Vec<Folder> {
    let entries = std::fs::read_dir(root().join("conformance")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    let folder = |path: PathBuf| {
        let mut texts = BTreeMap::new();
        read(&path, "", &mut texts);
        Folder { name: name_of(&path), path, texts }
    };
    paths.into_iter().map(folder).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn read(folder: &Path, within: &str, texts: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = name_of(&path);
        if path.is_dir() {
            if name != "refused" {
                read(&path, &format!("{within}{name}/"), texts);
            }
        } else if !name.ends_with(".jsonl") {
            texts.insert(format!("{within}{name}"), std::fs::read(&path).unwrap());
        }
    }
}

/// The lines of a file, each with its place; none if the folder has no such file.
fn lines(folder: &Folder, file: &str) -> Vec<(String, Map<String, Value>)> {
    let Ok(text) = std::fs::read_to_string(folder.path.join(file)) else { return Vec::new() };
    let line = |(at, line): (usize, &str)| {
        let place = format!("conformance/{}/{file}:{}", folder.name, at + 1);
        let read = serde_json::from_str(line);
        let value = read.unwrap_or_else(|fault| panic!("{place}: {fault}"));
        (place, value)
    };
    text.lines().enumerate().map(line).collect()
}

fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

fn items(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

/// A value and its answer as a sentence behind `expect`.
fn sentence(ask: &str, answer: &Value) -> String {
    match answer {
        Value::Bool(true) => ask.to_owned(),
        Value::Bool(false) => format!("not ({ask})"),
        Value::Null => format!("{ask} is none"),
        // The label of a hex; a fraction has a stroke, and a name begins with a letter.
        Value::String(text) if text.chars().all(|sign| sign.is_ascii_digit()) => {
            format!("{ask} is hex {text}")
        }
        Value::String(text) => format!("{ask} is {text}"),
        number => format!("{ask} is {number}"),
    }
}

/// The lines of a case that put the units of a position in its order; what they are is read from
/// the position.
fn frame(position: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut lines = match &position["setup"] {
        Value::String(setup) => format!("  setup {setup}\n"),
        _ => format!("  on {}\n", word(&position["map"])),
    };
    if let Value::String(viewer) = &position["viewer"] {
        lines.push_str(&format!("  given viewer is {viewer}\n"));
    }
    for unit in items(position.get("units")).iter().filter(|unit| unit["kind"].is_string()) {
        lines.push_str(&format!("  put {} {}", word(&unit["kind"]), word(&unit["id"])));
        if let Value::String(side) = &unit["side"] {
            lines.push_str(&format!(" of {side}"));
        }
        lines.push('\n');
    }
    lines
}

/// The rules of a variant, or of the folder itself.
fn rules_of<'p>(project: &'p Project, name: Option<&str>) -> &'p Ruleset {
    let is_it = |one: &&Loaded| match name {
        Some(name) => one.name == name,
        None => one.file.is_none(),
    };
    let one = project.rulesets.iter().find(is_it).unwrap_or_else(|| panic!("no ruleset {name:?}"));
    one.rules.as_ref().unwrap_or_else(|| panic!("{}: {:#?}", one.name, one.faults))
}

/// Asks each sentence, and gives what is wrong.
fn ask(folder: &Folder, asked: &[Asked]) -> Vec<String> {
    let mut texts = folder.texts.clone();
    for (at, one) in asked.iter().enumerate() {
        let file = one.ruleset.as_deref().unwrap_or("asked");
        let text = texts.entry(format!("{file}.sut")).or_insert_with(|| b"edition 1\n".to_vec());
        let case = format!("case \"{at}\" {{\n{}  expect {}\n}}\n", one.frame, one.sentence);
        text.extend_from_slice(case.as_bytes());
    }
    let texts = texts.into_iter().map(|(name, text)| (PathBuf::from(name), text)).collect();
    let project = Project::of_texts(texts, Path::new(""));
    let mut wrong = Vec::new();
    for (at, one) in asked.iter().enumerate() {
        let rules = rules_of(&project, one.ruleset.as_deref());
        let case = rules.cases.iter().find(|case| case.title == at.to_string()).unwrap();
        let holds = case.steps.iter().find_map(|step| match &step.kind {
            CaseStepKind::Expect(condition) => Some(*condition),
            _ => None,
        });
        let (world, faults) = sutler::world::json::read(&one.position, SourceId(0), rules);
        let Some(world) = world else {
            wrong.push(format!("{}: {faults:?}", one.place));
            continue;
        };
        let position = Position::new(rules, &world).unwrap();
        let came = position.holds(holds.unwrap(), &Cx::world(world.viewer));
        let came = came.map_err(|fault| fault_diagnostic(rules, fault).code.as_str());
        let met = match &one.fault {
            None => came == Ok(true),
            Some(code) => came == Err(code.as_str()),
        };
        if !met {
            wrong.push(format!("{}: `{}` is {came:?}", one.place, one.sentence));
        }
    }
    wrong
}

/// What traces and tests answer of a position, and how many answers were compared.
fn answers(
    position: &sutler::Position,
    line: &Map<String, Value>,
    place: &str,
    wrong: &mut Vec<String>,
) -> usize {
    let mut compared = 0;
    for (name, things) in members(line.get("traces")) {
        let trace = position.game().trace(name).unwrap_or_else(|fault| panic!("{place}: {fault}"));
        for (id, wanted) in members(Some(things)) {
            let thing = position.thing(trace, id).unwrap_or_else(|f| panic!("{place}: {f}"));
            let row = position.ask(trace, thing).unwrap_or_else(|f| panic!("{place}: {f}"));
            let came = json!({
                "answer": row.state,
                "length": row.distance,
                "source": row.source,
                "end": row.route.last(),
                "gate": row.gate.unwrap_or("open"),
                "stop": row.stop,
            });
            for (field, value) in members(Some(wanted)) {
                if came.get(field) != Some(value) {
                    wrong.push(format!(
                        "{place}: {name} of {id}: {field} should be {value}: {came}"
                    ));
                }
            }
            compared += 1;
        }
    }
    for (name, things) in members(line.get("odds")) {
        let odds = position.odds(name, &[]).unwrap_or_else(|fault| panic!("{place}: {fault}"));
        let odds = serde_json::to_value(&odds).unwrap();
        for (id, wanted) in members(Some(things)) {
            let of_thing = items(odds.get("odds")).iter().find(|thing| thing["id"] == **id);
            let of_thing = of_thing.unwrap_or_else(|| panic!("{place}: no odds of {id}"));
            let ends = items(of_thing.get("odds")).iter().map(|end| {
                let what = end["what"].as_str().unwrap();
                // A list of tests ends at one of its rows, or goes through.
                let what = what.strip_prefix("stops at ").unwrap_or(what);
                let what = if what == "goes through" { "none" } else { what };
                (what.to_owned(), end["chance"].clone())
            });
            let came = Value::Object(ends.collect());
            if came != *wanted {
                wrong.push(format!("{place}: {name} of {id} should be {wanted}: {came}"));
            }
            compared += 1;
        }
    }
    compared
}

/// Plays the turns of a line, and gives the position then.
fn play(game: &Game, line: &Map<String, Value>, place: &str, wrong: &mut Vec<String>) -> String {
    let start = line["position"].to_string();
    let mut position = game.position(&start).unwrap_or_else(|fault| panic!("{place}: {fault}"));
    let orders: String = items(line.get("orders")).iter().map(|o| format!("{o}\n")).collect();
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    let mut dice: Vec<u32> = items(line.get("dice")).iter().map(number).collect();
    let mut log: Vec<Value> = Vec::new();
    let mut open: Vec<Value> = Vec::new();
    let mut stopped: BTreeSet<String> = BTreeSet::new();
    for turn in 1..=number(&line["turns"]) {
        let asked = Play { turn, dice: dice.clone(), orders: orders.clone(), ..Play::default() };
        let played = position.play(&asked).unwrap_or_else(|fault| panic!("{place}: {fault}"));
        log.extend(played.steps.iter().flat_map(|step| step.log.clone()));
        dice.drain(..played.dice.len().min(dice.len()));
        stopped.extend(played.faults.iter().map(|fault| fault.code.to_owned()));
        if !played.whole && stopped.is_empty() {
            stopped.insert("E1020".to_owned());
            open = played.open;
        }
        if !stopped.is_empty() {
            break;
        }
    }
    log.retain(|event| event["what"] != "open");
    let wanted: BTreeSet<String> = text(line.get("stopped")).into_iter().collect();
    if stopped != wanted {
        wrong.push(format!("{place}: stopped by {stopped:?}, and should be by {wanted:?}"));
    }
    if stopped.is_empty() && !dice.is_empty() {
        wrong.push(format!("{place}: nobody threw {dice:?}"));
    }
    let ways = items(line.get("open"));
    if line.contains_key("open")
        && (ways.len() != open.len() || ways.iter().any(|way| !open.contains(way)))
    {
        wrong.push(format!("{place}: open is {open:?}"));
    }
    if line.contains_key("events") {
        let events = items(line.get("events"));
        let same = |(wanted, came): (&Value, &Value)| {
            members(Some(wanted)).all(|(field, value)| came.get(field) == Some(value))
        };
        if events.len() != log.len() || !events.iter().zip(&log).all(same) {
            let log = log.iter().map(|event| format!("\n  {event}")).collect::<String>();
            wrong.push(format!("{place}: the events are{log}"));
        }
    }
    position.json()
}

#[test]
fn every_folder_of_the_kit_answers_as_it_says() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for folder in folders() {
        let rules = Rules::of_texts(folder.texts.clone());
        assert!(rules.faults().is_empty(), "{}: {:#?}", folder.name, rules.faults());
        let game = |line: &Map<String, Value>| -> Game {
            match text(line.get("ruleset")) {
                Some(name) => rules.named(&name).unwrap(),
                None => rules.game().unwrap(),
            }
        };
        let mut asked = Vec::new();
        let mut add = |place: &str, line: &Map<String, Value>, position: &str, field: &str| {
            let ask = |sentence: String, fault: Option<String>| Asked {
                place: place.to_owned(),
                ruleset: text(line.get("ruleset")),
                frame: frame(&line["position"]),
                position: position.to_owned(),
                sentence,
                fault,
            };
            match field {
                "holds" => {
                    let all = items(line.get(field)).iter();
                    asked.extend(all.map(|said| ask(said.as_str().unwrap().to_owned(), None)));
                }
                "faults" => asked.extend(
                    members(line.get(field))
                        .map(|(of, code)| ask(format!("{of} is 0"), text(Some(code)))),
                ),
                _ => asked.extend(
                    members(line.get(field)).map(|(of, answer)| ask(sentence(of, answer), None)),
                ),
            }
        };
        for (place, line) in lines(&folder, "questions.jsonl") {
            let start = line["position"].to_string();
            match (game(&line).position(&start), text(line.get("refused"))) {
                (Ok(position), None) => {
                    compared += answers(&position, &line, &place, &mut wrong);
                    compared += by_question(&game(&line), &position, &line, &place, &mut wrong);
                    for field in ["values", "holds", "faults"] {
                        add(&place, &line, &start, field);
                    }
                }
                (Err(faults), Some(code)) => {
                    let came: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
                    if came != [code.as_str()] {
                        wrong.push(format!("{place}: refused by {came:?}"));
                    }
                    compared += 1;
                }
                (Ok(_), Some(code)) => wrong.push(format!("{place}: not refused by {code}")),
                (Err(faults), None) => wrong.push(format!("{place}: {faults}")),
            }
        }
        for (place, line) in lines(&folder, "runs.jsonl") {
            let end = play(&game(&line), &line, &place, &mut wrong);
            add(&place, &line, &end, "after");
            compared += 1;
        }
        compared += asked.len();
        wrong.extend(ask(&folder, &asked));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 900, "only {compared} answers");
}

/// The values of a line as questions to the world; where owners ask, a question has nobody to ask it.
fn by_question(
    game: &Game,
    position: &sutler::Position,
    line: &Map<String, Value>,
    place: &str,
    wrong: &mut Vec<String>,
) -> usize {
    let mut compared = 0;
    for (of, answer) in members(line.get("values")) {
        match game.question(None, of).unwrap().of(position) {
            Ok(report) => {
                compared += 1;
                if report.values.iter().map(|row| &row.value).ne([answer]) {
                    wrong.push(format!("{place}: `{of}` asked is {:?}", report.values));
                }
            }
            Err(faults) if faults[0].code == "E1051" => {}
            Err(faults) => wrong.push(format!("{place}: `{of}` asked: {faults}")),
        }
    }
    compared
}

#[test]
fn what_the_kit_says_must_be_refused_is() {
    let mut refused = 0;
    for folder in folders() {
        let Ok(entries) = std::fs::read_dir(folder.path.join("refused")) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = name_of(&path);
            let mut texts = folder.texts.clone();
            texts.insert("refused.sut".to_owned(), std::fs::read(&path).unwrap());
            let rules = Rules::of_texts(texts);
            let codes: BTreeSet<&str> = rules.faults().iter().map(|fault| fault.code).collect();
            let wanted = name.split('_').next().unwrap();
            assert_eq!(
                codes,
                BTreeSet::from([wanted]),
                "conformance/{}/refused/{name}",
                folder.name
            );
            refused += 1;
        }
    }
    assert!(refused >= 60, "only {refused} texts");
}

#[test]
fn the_page_lists_every_folder() {
    let page = text_of("docs/conformance.md");
    for folder in folders() {
        assert!(page.contains(&format!("`{}`", folder.name)), "{} is not listed", folder.name);
    }
}
