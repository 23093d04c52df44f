//! The language server: sessions of messages over the small game and the shipped rulesets.

mod client;
mod edits;
mod names;
mod renames;

use gen_lsp_types as protocol;
use serde_json::{Value, json};

use client::{Client, edited, shipped, small, uri};

const SHIPPED: [&str; 5] = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"];

#[test]
fn a_mistake_is_shown_as_it_is_typed_and_goes_when_it_is_undone() {
    let mut client = Client::open_in(&small(), "rules.sut");
    assert!(client.shown.values().all(Vec::is_empty), "{:?}", client.shown);
    client.replace("rules.sut", "and friendly and not lost", "and friendly and not lots");
    let found = &client.shown["rules.sut"];
    assert_eq!(client.codes("rules.sut"), ["E0201"]);
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("`lots`") && message.contains("help: write `lost`"), "{message}");
    assert_eq!(found[0]["range"]["start"], client.place("rules.sut", "not ¦lots"));
    assert_eq!(found[0]["range"]["end"], client.place("rules.sut", "not lots¦"));
    client.replace("rules.sut", "not lots", "not lost");
    assert_eq!(client.codes("rules.sut"), Vec::<&str>::new());
}

#[test]
fn a_fault_of_one_file_is_shown_in_all_files_that_it_touches() {
    let mut client = Client::open_in(&small(), "rules.sut");
    client.replace("rules.sut", "has feeds in steps from 0 to 9", "");
    assert_eq!(client.codes("rules.sut"), Vec::<&str>::new());
    assert!(client.codes("map.sut").contains(&"E0705"), "{:?}", client.shown);
    // Closed without being saved, the text of the file counts again.
    let document = json!({ "textDocument": { "uri": uri("rules.sut") } });
    client.tell("textDocument/didClose", document);
    assert_eq!(client.codes("map.sut"), Vec::<&str>::new());
}

#[test]
fn all_places_of_a_fault_are_told() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let text = client.texts["rules.sut"].clone();
    client.write("rules.sut", &format!("{text}define lost of region = no army here\n"));
    let fault = &client.shown["rules.sut"][0];
    assert_eq!(fault["code"], "E0202");
    let other = &fault["relatedInformation"][0];
    assert_eq!(other["message"], "first declared here");
    assert_eq!(
        other["location"]["range"]["start"],
        client.place("rules.sut", "define ¦lost of region = any")
    );
}

#[test]
fn what_nothing_uses_is_tagged() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let text = client.texts["rules.sut"].clone();
    client.write("rules.sut", &format!("{text}mark tired of army\n"));
    let fault = &client.shown["rules.sut"][0];
    assert_eq!((&fault["code"], &fault["tags"]), (&json!("W0212"), &json!([1])));
    assert_eq!(fault["severity"], 2);
}

#[test]
fn variants_are_checked_with_what_they_build_on() {
    let files = shipped("soldier_kings");
    let mut client = Client::open_in(&files, "rules.sut");
    assert!(client.shown.values().all(Vec::is_empty), "{:?}", client.shown);
    client.replace(
        "rules.sut",
        "row led       when leader is not none  then 2",
        "row led       when leader is not none  then 4",
    );
    assert!(client.codes("house.sut").contains(&"E0603"), "{:?}", client.codes("house.sut"));
}

#[test]
fn every_shipped_ruleset_opens_without_a_fault() {
    for name in SHIPPED {
        let client = Client::open_in(&shipped(name), "rules.sut");
        let errors = client.shown.values().flatten().filter(|d| d["severity"] == 1);
        assert_eq!(errors.count(), 0, "{name}: {:?}", client.shown);
    }
}

#[test]
fn positions_count_units_of_utf16_and_changes_come_in_pieces() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let text = client.texts["rules.sut"].replace("An army draws", "\u{1F0A1} é An army draws");
    client.write("rules.sut", &text);
    let range = json!({
        "start": client.place("rules.sut", "clause a \"\u{1F0A1} ¦é"),
        "end": client.place("rules.sut", "clause a \"\u{1F0A1} é¦"),
    });
    let changes = json!([
        { "range": range, "text": "\u{1F0A2}\u{1F0A2}" },
        { "range": client_range(&client, "clause b ¦\"¦A supply"), "text": "" },
    ]);
    let document = json!({ "uri": uri("rules.sut"), "version": 3 });
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": changes }),
    );
    let new = text.replace("\u{1F0A1} é An", "\u{1F0A1} \u{1F0A2}\u{1F0A2} An");
    let new = new.replace("clause b \"A supply", "clause b A supply");
    let mut fresh = Client::open_in(&small(), "rules.sut");
    fresh.write("rules.sut", &new);
    assert_eq!(client.shown["rules.sut"], fresh.shown["rules.sut"]);
    assert_eq!(client.codes("rules.sut"), ["E0100"]);
}

/// The range between two bars.
fn client_range(client: &Client, piece: &str) -> Value {
    let parts: Vec<&str> = piece.split('¦').collect();
    let [a, b, c] = parts[..] else { panic!("{piece}") };
    json!({
        "start": client.place("rules.sut", &format!("{a}¦{b}{c}")),
        "end": client.place("rules.sut", &format!("{a}{b}¦{c}")),
    })
}

#[test]
fn bytes_are_counted_where_the_editor_prefers_them() {
    let files = small();
    let texts = files.iter().map(|(name, text)| (format!("game/{name}"), text.as_str()));
    let server = sutler::lsp::Server::of_texts(texts);
    let general = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let mut client = Client::with(server, json!({ "rootUri": null, "capabilities": general }));
    client.open("rules.sut", "edition 1\nruleset a \"é\" prefix é1\n");
    let start = client.shown["rules.sut"][0]["range"]["start"].clone();
    assert_eq!(start["line"], 1);
    assert_eq!(start["character"], "ruleset a \"é\" prefix ".len());
}

#[test]
fn an_offered_fix_is_an_edit_and_the_sure_ones_are_made_at_once() {
    let mut client = Client::open_in(&small(), "rules.sut");
    client.replace("rules.sut", "town and friendly", "twon and friendly");
    let range = client.shown["rules.sut"][0]["range"].clone();
    let params = json!({
        "textDocument": { "uri": uri("rules.sut") },
        "range": range,
        "context": { "diagnostics": [] },
    });
    let found = client.ask::<protocol::CodeActionRequest>("textDocument/codeAction", params);
    let fix = &found[0];
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["diagnostics"][0]["code"], "E0201");
    let text = client.edited("rules.sut", &fix["edit"]);
    assert!(text.contains("town and friendly and not lost "), "{text}");
    client.write("rules.sut", &text);
    assert_eq!(client.codes("rules.sut"), Vec::<&str>::new());
}

#[test]
fn of_several_true_fixes_each_is_offered_and_none_preferred() {
    let mut client = Client::open_in(&small(), "rules.sut");
    client.replace("rules.sut", "and friendly and not lost", "and friendly and not lots");
    let at = client.place("rules.sut", "not ¦lots");
    let params = json!({
        "textDocument": { "uri": uri("rules.sut") },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    let actions = client.ask::<protocol::CodeActionRequest>("textDocument/codeAction", params);
    let titles: Vec<&str> =
        actions.as_array().unwrap().iter().map(|a| a["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Write `lost`", "Call it `lots` where it is declared"]);
    for (action, holds) in actions.as_array().unwrap().iter().zip(["not lost", "define lots"]) {
        assert_eq!(action["isPreferred"], false);
        let text = client.edited("rules.sut", &action["edit"]);
        assert!(text.contains(holds), "{text}");
    }
}

#[test]
fn layout_is_that_of_the_command_and_touches_only_lines_that_change() {
    for name in SHIPPED {
        let rules = |f: &&(String, String)| !f.0.starts_with("suite") && f.0.ends_with(".sut");
        for (file, text) in shipped(name).iter().filter(rules) {
            let messy = text.replace("  has ", " has   ").replace(" then ", "   then  ");
            let mut client = Client::over(&[]);
            client.open(file, &messy);
            let params = json!({
                "textDocument": { "uri": uri(file) },
                "options": { "tabSize": 2, "insertSpaces": true },
            });
            let edits = client
                .ask::<protocol::DocumentFormattingRequest>("textDocument/formatting", params);
            let expected =
                sutler::format::format(sutler::source::SourceId(0), messy.as_bytes()).unwrap();
            let edits = edits.as_array().unwrap();
            assert_eq!(edited(&messy, edits), expected.text, "{name}/{file}");
            let lines = messy.lines().count();
            assert!(edits.len() * 2 < lines, "{name}/{file}: {} edits", edits.len());
        }
    }
}

#[test]
fn a_range_and_a_closed_brace_are_laid_out_alone() {
    let mut client = Client::open_in(&small(), "rules.sut");
    client.replace(
        "rules.sut",
        "  row led when leader is not none then 3",
        "     row led  when leader is not none then 3",
    );
    client.replace("rules.sut", "  otherwise 2", "    otherwise 2");
    let text = client.texts["rules.sut"].clone();
    let start = client.place("rules.sut", "¦     row led");
    let range = json!({ "start": start, "end": start });
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({
        "textDocument": { "uri": uri("rules.sut") }, "range": range, "options": options,
    });
    let edits = client
        .ask::<protocol::DocumentRangeFormattingRequest>("textDocument/rangeFormatting", params);
    let new = edited(&text, edits.as_array().unwrap());
    assert!(new.contains("\n  row led when") && new.contains("\n    otherwise 2"), "{new}");
    let mut params = client.at("rules.sut", "otherwise 2\n}¦");
    params["ch"] = json!("}");
    params["options"] = options;
    let edits = client
        .ask::<protocol::DocumentOnTypeFormattingRequest>("textDocument/onTypeFormatting", params);
    let new = edited(&text, edits.as_array().unwrap());
    assert!(new.contains("\n  row led when") && new.contains("\n  otherwise 2"), "{new}");
}

#[test]
fn the_outline_has_sections_with_their_clauses_and_items_with_their_parts() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let params = json!({ "textDocument": { "uri": uri("rules.sut") } });
    let found = client
        .ask::<protocol::DocumentSymbolRequest>("textDocument/documentSymbol", params.clone());
    let names = |all: &Value| -> Vec<String> {
        all.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap().to_owned()).collect()
    };
    let outer = names(&found);
    assert!(
        outer.contains(&"4 Supply".to_owned()) && outer.contains(&"reach".to_owned()),
        "{outer:?}"
    );
    let at = |name: &str| found.as_array().unwrap().iter().find(|s| s["name"] == name).unwrap();
    assert_eq!(names(&at("reach")["children"]), ["led"]);
    assert_eq!(names(&at("supply")["children"]), ["depot", "march"]);
    assert_eq!(at("4 Supply")["children"].as_array().unwrap().len(), 4);
    let folds = client.ask::<protocol::FoldingRangeRequest>("textDocument/foldingRange", params);
    let line = client.place("rules.sut", "¦trace supply")["line"].clone();
    let fold = folds.as_array().unwrap().iter().find(|f| f["startLine"] == line).unwrap();
    assert_eq!(fold["endLine"], client.place("rules.sut", "within  reach¦")["line"]);
}

#[test]
fn what_is_no_message_is_answered_as_such() {
    let mut server = sutler::lsp::Server::new();
    let early = server.message(&json!({ "id": 1, "method": "textDocument/hover", "params": {} }));
    assert_eq!(early[0]["error"]["code"], -32002);
    assert_eq!(server.message(&json!([1, 2]))[0]["error"]["code"], -32600);
    assert!(server.message_text("{")[0].contains("-32700"));
    server.message(&json!({ "id": 2, "method": "initialize", "params": {} }));
    let unknown = server.message(&json!({ "id": "a", "method": "textDocument/nothing" }));
    assert_eq!((&unknown[0]["id"], &unknown[0]["error"]["code"]), (&json!("a"), &json!(-32602)));
    let unknown = server.message(&json!({ "id": 3, "method": "nothing" }));
    assert_eq!(unknown[0]["error"]["code"], -32601);
    assert_eq!(server.message(&json!({ "id": 4, "method": "shutdown" }))[0]["result"], Value::Null);
    assert!(!server.is_ended());
    server.message(&json!({ "method": "exit" }));
    assert!(server.is_ended());
}

#[test]
fn colours_know_what_a_name_is() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let params = json!({ "textDocument": { "uri": uri("rules.sut") } });
    let found =
        client.ask::<protocol::SemanticTokensRequest>("textDocument/semanticTokens/full", params);
    let data: Vec<u64> =
        found["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let text = client.texts["rules.sut"].clone();
    let (mut line, mut column) = (0, 0);
    let mut seen = Vec::new();
    for token in data.chunks(5) {
        if token[0] > 0 {
            column = 0;
        }
        (line, column) = (line + token[0], column + token[1]);
        let start = client::byte(&text, &json!({ "line": line, "character": column }));
        seen.push((&text[start..start + token[2] as usize], token[3], token[4]));
    }
    // `town` is declared, and later read; `army` is a kind; `captain` too.
    assert!(seen.contains(&("town", 2, 1)) && seen.contains(&("town", 2, 0)), "{seen:?}");
    assert!(seen.contains(&("army", 1, 1)) && seen.contains(&("kind", 0, 0)));
    assert!(seen.contains(&("Crown", 5, 1)));
}

#[test]
fn hints_show_the_words_of_clauses_what_a_define_is_and_how_far_a_leg_reaches() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let text = client.texts["rules.sut"].clone();
    let range = json!({ "start": client.place("rules.sut", "¦edition 1"), "end": client::position(&text, text.len()) });
    let params = json!({ "textDocument": { "uri": uri("rules.sut") }, "range": range });
    let found = client.ask::<protocol::InlayHintRequest>("textDocument/inlayHint", params);
    let at = |piece: &str| -> Vec<String> {
        let place = client.place("rules.sut", piece);
        let here = found.as_array().unwrap().iter().filter(|h| h["position"] == place);
        here.map(|h| h["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(at("define depot¦ of region"), ["(yes or no)"]);
    assert_eq!(at("within  reach¦"), ["at most 3 regions"]);
    assert_eq!(
        at("by first match [4b]¦"),
        ["A supply line is at most 2 regions long, 3 with a captain."]
    );
}

#[test]
fn the_row_of_a_table_shows_its_columns() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let text = client.texts["rules.sut"].clone();
    let grid = "table odds of army gives steps by first match {\n  down strength, veteran\n  across terrain here | plain | forest\n  row 1, yes | 2 | 3\n}\n";
    client.write("rules.sut", &format!("{text}{grid}"));
    let mut active = |piece: &str| {
        let params = client.at("rules.sut", piece);
        let found =
            client.ask::<protocol::SignatureHelpRequest>("textDocument/signatureHelp", params);
        (found["activeParameter"].clone(), found["signatures"][0]["label"].clone())
    };
    let label = json!("row strength | veteran | plain | forest");
    assert_eq!(active("row 1¦, yes | 2"), (json!(0), label.clone()));
    assert_eq!(active("row 1, yes¦ | 2"), (json!(1), label.clone()));
    assert_eq!(active("| 2 | 3¦"), (json!(3), label));
    let (at, label) = active("when leader is not none then 3¦");
    assert_eq!((at, label), (json!(1), json!("row when CONDITION | regions")));
}

#[test]
fn cases_run_answers_are_explained_and_clauses_are_counted() {
    let mut client = Client::open_in(&small(), "suite.sut");
    let params = json!({ "textDocument": { "uri": uri("suite.sut") } });
    let lenses = client.ask::<protocol::CodeLensRequest>("textDocument/codeLens", params);
    let call = |title: &str| {
        let all = lenses.as_array().unwrap().iter().map(|l| &l["command"]);
        all.filter(|c| c["title"] == title).cloned().collect::<Vec<_>>()
    };
    assert_eq!(call("run this case").len(), 3);
    for command in call("run this case") {
        let result =
            client.ask::<protocol::ExecuteCommandRequest>("workspace/executeCommand", command);
        assert_eq!(result["passed"], true, "{result}");
    }
    let why = call("why")[0].clone();
    let result = client.ask::<protocol::ExecuteCommandRequest>("workspace/executeCommand", why);
    let text = result["message"].as_str().unwrap();
    assert!(text.contains("First") && text.contains("supplied"), "{text}");
    client.replace(
        "suite.sut",
        "length of supply of First is 2 regions",
        "length of supply of First is 3 regions",
    );
    let run = json!({ "command": "sutler.runCase", "arguments": [{ "uri": uri("suite.sut"), "title": "two regions are near enough" }] });
    let result = client.ask::<protocol::ExecuteCommandRequest>("workspace/executeCommand", run);
    assert_eq!(result["passed"], false);
    assert_eq!(result["message"], "case \"two regions are near enough\": failed");
    let place = &result["cases"][0]["failures"][0]["location"]["range"]["start"]["line"];
    assert_eq!(*place, client.place("suite.sut", "  expect ¦length")["line"]);
    let mut client = Client::open_in(&small(), "rules.sut");
    let params = json!({ "textDocument": { "uri": uri("rules.sut") } });
    let lenses = client.ask::<protocol::CodeLensRequest>("textDocument/codeLens", params);
    let clause = &lenses[2]["command"];
    assert_eq!(clause["title"], "3 lines, 1 case");
    let result =
        client.ask::<protocol::ExecuteCommandRequest>("workspace/executeCommand", clause.clone());
    assert_eq!(result["lines"].as_array().unwrap().len(), 3, "{result}");
}

#[test]
fn what_came_is_written_into_a_case_that_fails() {
    let mut client = Client::open_in(&small(), "suite.sut");
    let before = client.texts["suite.sut"].clone();
    let argument = json!({ "uri": uri("suite.sut"), "title": "two regions are near enough" });
    let bless = json!({ "command": "sutler.bless", "arguments": [argument] });
    let ask = |client: &mut Client, command: &Value| {
        client.ask::<protocol::ExecuteCommandRequest>("workspace/executeCommand", command.clone())
    };
    assert_eq!(ask(&mut client, &bless)["written"], 0, "it passes as it is");
    assert!(client.edits.is_empty());
    client.replace(
        "suite.sut",
        "length of supply of First is 2 regions",
        "length of supply of First is 3 regions",
    );
    let done = ask(&mut client, &bless);
    assert_eq!(done["written"], 1, "{done}");
    let edit = client.edits.pop().unwrap();
    assert_eq!(edit, done["edit"]);
    let edits = edit["changes"][uri("suite.sut")].as_array().unwrap();
    assert_eq!(edits.len(), 1, "only the line that changes is touched");
    let line = usize::try_from(edits[0]["range"]["start"]["line"].as_u64().unwrap()).unwrap();
    let mut lines: Vec<String> =
        client.texts["suite.sut"].split_inclusive('\n').map(str::to_owned).collect();
    lines[line] = edits[0]["newText"].as_str().unwrap().to_owned();
    assert_eq!(lines.concat(), before);
}

#[test]
fn coverage_says_of_each_line_what_the_command_says() {
    let files = small();
    let mut client = Client::open_in(&files, "rules.sut");
    let params = json!({ "textDocument": { "uri": uri("rules.sut") } });
    let found = client.answer("sutler/coverage", params)["result"].clone();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in &files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let args = ["coverage", ".", "--format", "json"];
    let said = crate::place::said(&crate::place::command(folder.path(), &args).output().unwrap());
    let printed: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(found["measures"], printed["measures"]);
    assert_eq!(found["cases"], printed["cases_run"]);
    let rows = printed["points"].as_array().unwrap().iter();
    let rows = rows.filter(|p| p["file"].as_str().unwrap().ends_with("rules.sut"));
    let wanted: Vec<Value> = rows
        .map(|p| {
            json!([p["line"].as_u64().unwrap() - 1, p["kind"], p["name"], p["hits"], p["why"]])
        })
        .collect();
    let points = found["points"].as_array().unwrap().iter();
    let points: Vec<Value> =
        points.map(|p| json!([p["line"], p["kind"], p["name"], p["hits"], p["why"]])).collect();
    assert_eq!(points, wanted);
    assert!(points.len() > 3);
    client.replace("rules.sut", "not lost", "not lots");
    let params = json!({ "textDocument": { "uri": uri("rules.sut") } });
    assert!(client.answer("sutler/coverage", params)["error"].is_object());
}

#[test]
fn the_changes_of_a_row_that_live_are_those_of_the_command() {
    let folder = crate::support::root().join("rulesets/blockade_siege");
    let mut client = Client::over(&shipped("blockade_siege"));
    let text = std::fs::read_to_string(folder.join("rules.sut")).unwrap();
    client.open("rules.sut", &text);
    let params = json!({ "textDocument": { "uri": uri("rules.sut") } });
    let lenses = client.ask::<protocol::CodeLensRequest>("textDocument/codeLens", params);
    let rows: Vec<Value> = lenses
        .as_array()
        .unwrap()
        .iter()
        .filter(|lens| lens["command"]["command"] == "sutler.mutants")
        .cloned()
        .collect();
    assert!(rows.len() > 20, "{}", rows.len());
    let line = text.lines().position(|l| l.contains("row siege when besieged")).unwrap();
    let lens = rows.iter().find(|lens| lens["range"]["start"]["line"] == line).unwrap();
    let command = &lens["command"];
    let ask = |client: &mut Client| {
        client.ask::<protocol::ExecuteCommandRequest>("workspace/executeCommand", command.clone())
    };
    let found = ask(&mut client);
    let args = ["mutate", ".", "--only", "table counted, row siege", "--format", "json"];
    let said = crate::place::said(&crate::place::command(&folder, &args).output().unwrap());
    let printed: Value = serde_json::from_str(&said.out).unwrap();
    let missed = printed["changes"].as_array().unwrap().iter();
    let missed = missed.filter(|change| change["fate"] == "missed").count();
    assert_eq!(found["mutants"].as_array().unwrap().len(), missed, "{found}\n{}", said.out);
    assert_eq!(found["message"], "a case notices each of 1 change");
    // Without its cases nothing notices it.
    let mut files = shipped("blockade_siege");
    files.retain(|(name, _)| !name.starts_with("suite"));
    let mut client = Client::over(&files);
    client.open("rules.sut", &text);
    let found = ask(&mut client);
    assert_eq!(found["mutants"][0]["what"], "left out", "{found}");
    assert_eq!(found["mutants"][0]["location"]["range"]["start"]["line"], line);
}

#[test]
fn the_map_of_a_setup_and_of_a_case_is_that_of_the_command() {
    let files = small();
    let mut client = Client::open_in(&files, "setups.sut");
    let params = client.at("setups.sut", "put army Gu¦ard");
    let found = client.answer("sutler/map", params)["result"].clone();
    assert_eq!(found["title"], "opening");
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in &files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let args = ["map", ".", "--setup", "opening", "--format", "svg"];
    let drawn = crate::place::command(folder.path(), &args).output().unwrap();
    let drawn = crate::place::said(&drawn);
    assert_eq!(drawn.err, "");
    assert_eq!(found["svg"].as_str().unwrap().trim_end(), drawn.out.trim_end());
    let params = json!({ "textDocument": { "uri": uri("suite.sut") }, "name": "two regions are near enough" });
    let of_case = client.answer("sutler/map", params)["result"].clone();
    assert_eq!(of_case["svg"], found["svg"]);
    let params = json!({ "textDocument": { "uri": uri("suite.sut") }, "name": "nothing" });
    let refused = client.answer("sutler/map", params);
    assert!(refused["error"]["message"].as_str().unwrap().contains("no setup and no case"));
}

#[test]
fn the_rules_that_read_a_define_are_its_callers() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let params = client.at("rules.sut", "define lo¦st of region");
    let item = client
        .ask::<protocol::CallHierarchyPrepareRequest>("textDocument/prepareCallHierarchy", params)
        [0]
    .clone();
    assert_eq!(item["name"], "lost");
    let params = json!({ "item": item });
    let found = client
        .ask::<protocol::CallHierarchyIncomingCallsRequest>("callHierarchy/incomingCalls", params);
    let names = |found: &Value, end: &str| -> Vec<String> {
        let all = found.as_array().unwrap().iter();
        all.map(|c| c[end]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&found, "from"), ["depot"]);
    let params = json!({ "item": found[0]["from"] });
    let found = client
        .ask::<protocol::CallHierarchyOutgoingCallsRequest>("callHierarchy/outgoingCalls", params);
    assert_eq!(names(&found, "to"), ["lost"]);
}

/// What the command says over pipes when it is sent all of these, and how it ends.
fn piped(sent: &[Value]) -> (Vec<Value>, i32) {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let mut child = crate::place::command(folder.path(), &["lsp"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    for one in sent {
        let text = one.to_string();
        write!(pipe, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }
    drop(pipe);
    let said = child.wait_with_output().unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((head, body)) = rest.split_once("\r\n\r\n") {
        let length: usize = head.rsplit("Content-Length: ").next().unwrap().trim().parse().unwrap();
        found.push(serde_json::from_str(&body[..length]).unwrap());
        rest = &body[length..];
    }
    assert_eq!(rest, "");
    (found, said.status.code().unwrap())
}

#[test]
fn the_command_speaks_over_pipes_and_ends_as_the_editor_says() {
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } });
    let text = "edition 1\nruleset a \"A\" prefix A\ndefine x = raech\n";
    let document =
        json!({ "uri": "untitled:///a.sut", "languageId": "sutler", "version": 1, "text": text });
    let open = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } });
    let shutdown = json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" });
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });
    let (said, code) = piped(&[initialize.clone(), open, shutdown, exit.clone()]);
    assert_eq!(code, 0, "{said:?}");
    assert_eq!(said[0]["result"]["serverInfo"]["name"], "sutler");
    let shown = said.iter().find(|m| m["method"] == "textDocument/publishDiagnostics").unwrap();
    assert_eq!(shown["params"]["diagnostics"][0]["code"], "E0201");
    assert_eq!(piped(&[initialize, exit]).1, 1);
}

#[test]
fn a_fault_of_a_sheet_is_shown_where_it_is_asked_for() {
    let rows = "  row led when leader is not none then 3\n  otherwise 2\n";
    let with = |sheet: &str| {
        let mut files = small();
        for (_, text) in &mut files {
            *text = text.replace(rows, "  from \"reach.csv\"\n");
        }
        files.push(("reach.csv".to_owned(), sheet.to_owned()));
        Client::open_in(&files, "rules.sut")
    };
    let mut client = with("row,when,regions\nled,leader is not none,3\n,otherwise,2\n");
    assert!(client.shown.values().all(Vec::is_empty), "{:?}", client.shown);
    // A name that stands in a sheet cannot be changed there.
    let mut params = client.at("rules.sut", "has lea¦der maybe");
    params["newName"] = json!("chief");
    let answer = client.answer("textDocument/rename", params);
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("also stands in a sheet") && message.contains("cell B2"), "{answer}");

    let client = with("row,when,regions\nled,leeder is not none,3\n,otherwise,2\n");
    assert_eq!(client.codes("rules.sut"), ["E0201"]);
    let found = &client.shown["rules.sut"][0];
    let message = found["message"].as_str().unwrap();
    assert!(message.contains("reach.csv, cell B2: "), "{message}");
    assert_eq!(found["range"]["start"], client.place("rules.sut", "¦from \"reach.csv\""));
    assert_eq!(found["range"]["end"], client.place("rules.sut", "from \"reach.csv\"¦"));
}
