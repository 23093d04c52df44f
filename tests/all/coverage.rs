//! `sutler coverage`: what the cases of a ruleset reach, and that what they do not reach can be
//! changed without their notice.

use crate::common::counts::{part, seed_base, share};
use crate::place::Place;
use serde_json::Value;
use sutler::diag::code::PRELUDE;
use sutler::ir::{Node, Ruleset, Seen};
use sutler::project::Project;
use sutler::source::SourceMap;
use sutler::suite::{PointKind, Suite, coverage, run_case};

/// One case: the Guard is asked without a leader, and its line of one link ends in Port.
const CASE: &str = "case \"near enough\" [1b] {\n  setup opening\n  expect Guard is supplied\n}\n";

fn place(cases: &str) -> Place {
    Place::with(&format!("{PRELUDE}\n{cases}"))
}

fn json(place: &Place, args: &[&str]) -> Value {
    serde_json::from_str(
        &place.run(&[&["coverage", "game", "--format", "json"][..], args].concat()).out,
    )
    .unwrap()
}

fn names(found: &Value, reached: bool) -> Vec<&str> {
    let points = found["points"].as_array().unwrap();
    points
        .iter()
        .filter(|p| (p["hits"].as_u64() > Some(0)) == reached)
        .map(|p| p["name"].as_str().unwrap())
        .collect()
}

#[test]
fn lines_of_over_are_gates_that_let_by_and_bar() {
    let game = crate::support::blocks("docs/language.md");
    let rules = crate::support::prelude(&game);
    let trace = "trace mail of army {\n  called in_touch else out_of_touch\n  source post where town\n  leg ride\n    over links but not lanes\n    over lanes when veteran\n    from anywhere\n    through anywhere\n    into anywhere\n    within 2\n}\n";
    let case = |sentences: &str| format!("case \"mail\" {{\n  setup opening\n{sentences}}}\n");
    let reached = |cases: &str| -> Vec<String> {
        let found = json(&Place::with(&format!("{rules}\n{trace}{cases}")), &[]);
        let over = |name: &&&str| name.starts_with("trace mail, over");
        names(&found, true).iter().filter(over).map(|name| (*name).to_owned()).collect()
    };
    let (by, bars) = ("trace mail, over, lets by", "trace mail, over, bars");
    let near = "  given space of First is Bridge\n  expect mail of First is in_touch\n";
    // Veterans go from the sea, others do not; a road is asked too, at Bridge.
    let sea = "  given space of First is Gulf\n  expect mail of First is out_of_touch\n";
    let sailed = "  given space of First is Gulf\n  given First is veteran\n  expect mail of First is in_touch\n";
    assert_eq!(reached(""), Vec::<String>::new());
    assert!(reached(&case(near)).contains(&by.to_owned()));
    assert!(reached(&case(sea)).contains(&bars.to_owned()));
    assert_eq!(
        reached(&format!("{}{}", case(near), case(sailed).replace("mail\"", "sea\"")))
            .iter()
            .filter(|n| *n == by)
            .count(),
        2
    );
}

#[test]
fn one_case_reaches_what_its_answer_rests_on() {
    let place = place(CASE);
    let found = json(&place, &[]);
    // By hand: the budget is read from `otherwise`; the line goes from Hill to Port, two spaces, so
    // that none is between and `through` is not asked; it ends in the source. No phase runs.
    assert_eq!(
        names(&found, true),
        [
            "define home",
            "table reach",
            "table reach, row otherwise",
            "trace supply",
            "trace supply, source home_area",
            "trace supply, within, lets by"
        ]
    );
    assert_eq!(
        names(&found, false),
        [
            "define blocked",
            "table reach, row led",
            "trace supply, through, lets by",
            "trace supply, through, bars",
            "trace supply, within, bars",
            "phase supply_check",
            "phase supply_check, judge supply"
        ]
    );
    let why = |name: &str| {
        found["points"].as_array().unwrap().iter().find(|p| p["name"] == name).unwrap()["why"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(why("table reach, row led"), "no case has an army where `leader` is not none");
    assert_eq!(
        why("trace supply, through, bars"),
        "no case has an army that `through not blocked` stops"
    );
    assert_eq!(
        why("trace supply, within, bars"),
        "no case has an army whose line is too long for `within reach`"
    );
    assert_eq!(why("phase supply_check, judge supply"), "no case runs `supply_check`");
}

#[test]
fn a_gate_is_reached_on_both_sides_by_two_cases() {
    // By hand: without a leader a line from Wood to Port is two long, too far; with one it passes
    // Hill, unless an enemy stands there.
    let grid = "case \"from Wood\" [1a, 1b] {\n  setup opening\n  given space of Raiders is Bay\n  given space of Guard is Wood\n  \
                given leader of Guard | given space of Raiders | run                 | expect Guard is supplied\n  \
                row none | same | supply_check of Red | no\n  row Marlow | same | supply_check of Red | yes\n  \
                row Marlow | Hill | supply_check of Red | no\n}\n";
    let found = json(&place(grid), &[]);
    assert_eq!(names(&found, false), [""; 0]);
    assert_eq!(
        place(grid)
            .run(&["coverage", "game", "--fail-under", "row=100,gate=100,step=100,rule=100"])
            .code,
        0
    );
}

#[test]
fn a_threshold_that_is_not_reached_is_one() {
    let place = place(&format!(
        "{CASE}case \"a\" [1a] {{\n  setup opening\n  expect Guard is supplied\n}}\n"
    ));
    assert_eq!(place.run(&["coverage", "game"]).code, 0, "clauses alone decide");
    assert_eq!(place.run(&["coverage", "game", "--fail-under", "row=50"]).code, 0);
    let low = place.run(&["coverage", "game", "--fail-under", "clause=100,row=51"]);
    assert_eq!((low.code, low.err.as_str()), (1, "row: 1 of 2 reached, 50%, and 51% asked for\n"));
    for wrong in ["row", "rwo=5", "row=x", "row=101"] {
        assert_eq!(place.run(&["coverage", "game", "--fail-under", wrong]).code, 2, "{wrong}");
    }
    let missing = json(&place, &["--missing"]);
    assert!(
        missing["points"]
            .as_array()
            .unwrap()
            .iter()
            .all(|p| p["hits"] == 0 && p["why"].is_string())
    );
    assert!(missing["clauses"].as_array().unwrap().is_empty());
    assert_eq!(missing["measures"], json(&place, &[])["measures"]);
}

/// The parts of SARIF 2.1.0 (OASIS Standard, 27 March 2020) that a log of results uses, with what
/// its text requires of them: 3.13 sarifLog, 3.14 run, 3.18 tool, 3.19 toolComponent, 3.49
/// reportingDescriptor, 3.27 result, 3.28 location, 3.29 physicalLocation, 3.30 region, 3.11
/// message.
fn sarif_schema() -> Value {
    serde_json::json!({
        "type": "object",
        "required": ["version", "runs"],
        "properties": {
            "$schema": {"type": "string", "format": "uri"},
            "version": {"const": "2.1.0"},
            "runs": {"type": "array", "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": false,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                        "type": "object",
                        "required": ["name"],
                        "properties": {
                            "name": {"type": "string"},
                            "version": {"type": "string"},
                            "rules": {"type": "array", "uniqueItems": true, "items": {
                                "type": "object",
                                "required": ["id"],
                                "properties": {"id": {"type": "string"}, "shortDescription": {"type": "object", "required": ["text"]}}
                            }}
                        }
                    }}},
                    "results": {"type": "array", "items": {
                        "type": "object",
                        "required": ["message", "ruleId", "locations"],
                        "additionalProperties": false,
                        "properties": {
                            "ruleId": {"type": "string"},
                            "ruleIndex": {"type": "integer", "minimum": 0},
                            "level": {"enum": ["none", "note", "warning", "error"]},
                            "message": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
                            "locations": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["physicalLocation"],
                                "properties": {"physicalLocation": {"type": "object", "required": ["artifactLocation", "region"],
                                    "properties": {
                                        "artifactLocation": {"type": "object", "required": ["uri"], "properties": {"uri": {"type": "string", "pattern": "^[A-Za-z0-9/_.~%-]+$"}}},
                                        "region": {"type": "object", "required": ["startLine"], "properties": {
                                            "startLine": {"type": "integer", "minimum": 1},
                                            "startColumn": {"type": "integer", "minimum": 1}
                                        }}
                                    }}}
                            }}
                        }
                    }}
                }
            }}
        }
    })
}

#[test]
fn sarif_has_the_published_shape() {
    let place = place(CASE);
    let log: Value =
        serde_json::from_str(&place.run(&["coverage", "game", "--format", "sarif"]).out).unwrap();
    let schema = jsonschema::validator_for(&sarif_schema()).unwrap();
    assert!(
        schema.is_valid(&log),
        "{:?}",
        schema.iter_errors(&log).map(|e| e.to_string()).collect::<Vec<_>>()
    );
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    // One clause without a case, and the seven points of the first test.
    assert_eq!(results.len(), 8);
    for result in results {
        let rule = &run["tool"]["driver"]["rules"]
            [usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"], "the index and the id are of one rule");
    }
    let led = results
        .iter()
        .find(|r| r["message"]["text"].as_str().unwrap().starts_with("table reach, row led"))
        .unwrap();
    let place_of = &led["locations"][0]["physicalLocation"];
    let line = PRELUDE.lines().position(|l| l.contains("row led")).unwrap() + 1;
    assert_eq!(
        (place_of["artifactLocation"]["uri"].as_str(), place_of["region"]["startLine"].as_u64()),
        (Some("game/rules.sut"), Some(line as u64))
    );
    // A log that lacks what is required is refused, so that the shape above asks for something.
    let mut broken = log.clone();
    broken["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"] =
        serde_json::json!({"startLine": 0});
    assert!(!schema.is_valid(&broken));
}

#[test]
fn annotations_are_one_line_each() {
    let place = place(CASE);
    let said = place.run(&["coverage", "game", "--format", "github"]);
    assert_eq!(
        said.out.lines().filter(|l| l.starts_with("::warning file=game/rules.sut,line=")).count(),
        8,
        "{}",
        said.out
    );
    assert!(
        said.out.contains(
            "title=table reach%2C row led::no case has an army where `leader` is not none\n"
        ),
        "{}",
        said.out
    );
}

fn shipped() -> Vec<Project> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets");
    let mut folders: Vec<_> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.is_dir())
        .collect();
    folders.sort();
    folders.iter().map(|f| Project::open(f)).collect()
}

fn failing(rules: &Ruleset, sources: &SourceMap, which: &[usize]) -> Vec<usize> {
    let fails = |at: &&usize| {
        !run_case(rules, &rules.cases[**at], |span| sources.slice(span)).failures.is_empty()
    };
    which.iter().filter(fails).copied().collect()
}

#[test]
fn counting_changes_no_outcome() {
    for project in shipped() {
        for rules in project.rulesets.iter().filter_map(|r| r.rules.as_ref()) {
            let mut counting = rules.clone();
            counting.seen = Seen::counting(&counting);
            let cases: Vec<usize> = part(0..rules.cases.len()).collect();
            let failed = failing(&counting, &project.sources, &cases);
            assert_eq!(failed, [0usize; 0], "{}", rules.name);
            assert!(counting.seen.is_on(), "what was asked quietly is over");
        }
    }
}

/// The tables that a cost, a gate or a source reads: a search asks them of spaces on which no
/// answer comes to rest.
fn searched(rules: &Ruleset) -> Vec<usize> {
    let text = serde_json::to_string(&rules.traces).unwrap();
    let traces: Value = serde_json::from_str(&text).unwrap();
    let mut roots = Vec::new();
    numbers_under(&traces, &["when", "cost"], &mut roots);
    let nodes: Vec<Value> = rules.nodes.iter().map(|n| serde_json::to_value(n).unwrap()).collect();
    let things: Vec<Value> =
        rules.things.iter().map(|n| serde_json::to_value(n).unwrap()).collect();
    let mut found = Vec::new();
    let mut seen = vec![false; nodes.len()];
    while let Some(at) = roots.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        match &rules.nodes[at] {
            Node::Table(table, ..) => {
                found.push(table.index());
                let rows = serde_json::to_value(&rules.tables[table.index()].rows).unwrap();
                every_number(&rows, nodes.len(), &mut roots);
            }
            Node::Define(define, _) => roots.push(rules.defines[define.index()].value.index()),
            Node::Any(t) | Node::Only(t) | Node::Count(t) | Node::Aggregate(_, _, t) => {
                every_number(&things[t.index()], nodes.len(), &mut roots)
            }
            _ => {}
        }
        // Too many roots only make the test ask less.
        every_number(&nodes[at], nodes.len(), &mut roots);
    }
    found
}

fn numbers_under(value: &Value, keys: &[&str], out: &mut Vec<usize>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, v)| match v.as_u64() {
            Some(n) if keys.contains(&key.as_str()) => out.push(usize::try_from(n).unwrap()),
            _ => numbers_under(v, keys, out),
        }),
        Value::Array(all) => all.iter().for_each(|v| numbers_under(v, keys, out)),
        _ => {}
    }
}

fn every_number(value: &Value, below: usize, out: &mut Vec<usize>) {
    match value {
        Value::Object(fields) => fields.values().for_each(|v| every_number(v, below, out)),
        Value::Array(all) => all.iter().for_each(|v| every_number(v, below, out)),
        Value::Number(n) => {
            out.extend(n.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n < below))
        }
        _ => {}
    }
}

#[test]
fn a_row_that_no_case_reaches_can_be_taken_away_without_their_notice() {
    let mut tried = 0;
    for project in shipped() {
        let Some(rules) = project.rulesets.first().and_then(|r| r.rules.as_ref()) else { continue };
        let searched = searched(rules);
        // A part of the suite, so that there is something that it does not reach; another part each
        // time.
        for part in (0..4).map(|n| (n + seed_base() as usize) % 4).take(share(4)) {
            let mut mine = rules.clone();
            mine.seen = Seen::counting(&mine);
            let which: Vec<usize> =
                (0..rules.cases.len()).filter(|c| (c * 7 + part * 5) % 37 == 0).collect();
            assert_eq!(failing(&mine, &project.sources, &which), [0usize; 0]);
            for (t, table) in rules.tables.iter().enumerate().filter(|(t, _)| !searched.contains(t))
            {
                for at in (0..table.rows.len())
                    .filter(|at| mine.seen.of_row(sutler::ir::TableId::at(t), *at) == 0)
                {
                    let mut changed = rules.clone();
                    changed.tables[t].rows[at].values.iter_mut().for_each(|v| *v = None);
                    let noticed = failing(&changed, &project.sources, &which);
                    assert!(
                        noticed.is_empty(),
                        "{}: {}, {}: {noticed:?}",
                        rules.name,
                        table.name,
                        table.rows[at].name
                    );
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > share(100), "only {tried} rows were taken away");
}

#[test]
fn the_shipped_suites_reach_every_rule_reading_band_and_step() {
    for project in shipped() {
        let all: Vec<Suite<'_>> = project
            .rulesets
            .iter()
            .filter_map(|r| r.rules.as_ref())
            .map(|rules| Suite { rules, sources: &project.sources })
            .collect();
        let found = coverage(&all);
        for kind in [PointKind::Rule, PointKind::Reading, PointKind::Band, PointKind::Step] {
            let lost: Vec<&str> = found
                .points
                .iter()
                .filter(|p| p.kind == kind && p.hits == 0)
                .map(|p| p.name.as_str())
                .collect();
            assert_eq!(lost, [""; 0], "{}", found.ruleset);
        }
    }
}
