//! Names: completion, hover, definition, references, rename.

use gen_lsp_types as protocol;
use serde_json::{Value, json};

use super::client::{Client, edited, shipped, small, uri};

/// What is offered at a place.
fn offered(client: &mut Client, file: &str, piece: &str) -> Vec<String> {
    let params = client.at(file, piece);
    let found = client.ask::<protocol::CompletionRequest>("textDocument/completion", params);
    let items = found.get("items").unwrap_or(&found).as_array().unwrap().clone();
    let mut all: Vec<(String, String)> = items
        .iter()
        .map(|i| {
            (i["sortText"].as_str().unwrap().to_owned(), i["label"].as_str().unwrap().to_owned())
        })
        .collect();
    all.sort();
    all.into_iter().map(|(_, label)| label).collect()
}

fn has(found: &[String], words: &[&str]) -> bool {
    words.iter().all(|w| found.iter().any(|f| f == w))
}

/// The small game with a line at the end of its rules that is being typed.
fn typing(line: &str) -> Client {
    let mut client = Client::open_in(&small(), "rules.sut");
    let text = client.texts["rules.sut"].clone();
    client.write("rules.sut", &format!("{text}{}\n", line.replace('¦', "")));
    client
}

#[test]
fn the_words_of_a_fact_are_offered_after_it() {
    let line = "define wood of region = terrain is ¦";
    let found = offered(&mut typing(line), "rules.sut", line);
    assert!(has(&found, &["plain", "forest", "hills", "sea", "not", "one"]), "{found:?}");
    assert_eq!(&found[..4], ["forest", "hills", "plain", "sea"]);
    assert!(!has(&found, &["strength"]) || found.iter().position(|f| f == "strength") > Some(4));
    let line = "define wood of region = terrain is f¦";
    assert!(has(&offered(&mut typing(line), "rules.sut", line), &["forest"]));
}

#[test]
fn facts_of_the_subject_come_first_and_words_that_cannot_stand_are_left_out() {
    let line = "define big of army = ¦";
    let found = offered(&mut typing(line), "rules.sut", line);
    let place = |word: &str| found.iter().position(|f| f == word);
    assert!(place("strength") < place("terrain") && place("strength").is_some(), "{found:?}");
    assert!(has(&found, &["any", "no", "count", "not"]));
    assert!(!has(&found, &["otherwise"]) && !has(&found, &["has"]));
}

#[test]
fn behind_any_stand_kinds_and_what_says_whose_they_are() {
    let line = "define near of army = any ¦";
    let found = offered(&mut typing(line), "rules.sut", line);
    let stances = ["enemy", "friendly", "own"];
    assert!(has(&found, &["army", "region"]) && has(&found, &stances), "{found:?}");
    let place = |word: &str| found.iter().position(|f| f == word);
    assert!(place("army") < place("veteran") && place("own") < place("veteran"), "{found:?}");
    assert!(!has(&found, &["forest", "Crown"]), "{found:?}");
    let line = "define near of army = any enemy ¦";
    let found = offered(&mut typing(line), "rules.sut", line);
    assert!(has(&found, &["army", "region"]) && !has(&found, &["own"]), "{found:?}");
    let line = "define ours of region = fr¦";
    assert!(has(&offered(&mut typing(line), "rules.sut", line), &["friendly"]));
}

#[test]
fn kinds_spaces_setups_and_phases_are_offered_where_they_stand() {
    let line = "define big of ¦";
    let found = offered(&mut typing(line), "rules.sut", line);
    assert!(has(&found, &["army", "region", "wagon"]) && !has(&found, &["strength"]), "{found:?}");
    let mut client = Client::open_in(&small(), "setups.sut");
    let found =
        offered(&mut client, "setups.sut", "put army First \"First Army\" of Crown in ¦Copse");
    assert!(has(&found, &["Abbey", "Copse", "Gulf"]), "{found:?}");
    let mut client = Client::open_in(&small(), "suite.sut");
    let found = offered(&mut client, "suite.sut", "  setup ¦opening");
    assert_eq!(found.iter().filter(|f| *f == "opening").count(), 1, "{found:?}");
    let found = offered(&mut client, "suite.sut", "  run   ¦supply_check");
    assert!(has(&found, &["supply_check", "turn", "end"]), "{found:?}");
}

#[test]
fn clauses_are_offered_in_brackets_with_their_text() {
    let line = "define big of army = veteran [¦";
    let mut client = typing(line);
    let params = client.at("rules.sut", line);
    let found = client.ask::<protocol::CompletionRequest>("textDocument/completion", params);
    let items = found["items"].as_array().unwrap();
    let labels: Vec<&str> = items.iter().map(|i| i["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["4a", "4b", "4c", "4d"]);
    assert!(items[1]["documentation"].as_str().unwrap().starts_with("A supply line is at most 2"));
}

#[test]
fn nothing_is_offered_in_a_text_or_a_comment() {
    let mut client = Client::open_in(&small(), "rules.sut");
    assert!(offered(&mut client, "rules.sut", "clause a \"An ¦army").is_empty());
    assert!(offered(&mut client, "rules.sut", "# ---- what ¦there is").is_empty());
}

fn hover(client: &mut Client, file: &str, piece: &str) -> String {
    let params = client.at(file, piece);
    let found = client.ask::<protocol::HoverRequest>("textDocument/hover", params);
    found["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hover_shows_the_rule_its_clauses_and_who_wrote_it() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let text = hover(&mut client, "rules.sut", "within  re¦ach");
    assert!(text.contains("**table `reach`** of `army`"), "{text}");
    assert!(text.contains("row led when leader is not none then 3"), "{text}");
    assert!(text.contains("*SM-4b* A supply line is at most 2 regions long"), "{text}");
    assert!(text.contains("written in `rules.sut:"), "{text}");
    let text = hover(&mut client, "rules.sut", "from    anywhere             [4¦c]");
    assert!(text.contains("Enemy armies bar the line"), "{text}");
    assert!(text.contains("shown by 1 case"), "{text}");
}

#[test]
fn hover_in_a_variant_shows_what_it_changed() {
    let mut client = Client::open_in(&shipped("soldier_kings"), "house.sut");
    let text = hover(&mut client, "house.sut", "override row led of land_¦move was 2");
    assert!(text.contains("then 3"), "{text}");
    assert!(text.contains("changed in `house.sut:5`"), "{text}");
    let mut client = Client::open_in(&shipped("soldier_kings"), "rules.sut");
    let text = hover(&mut client, "rules.sut", "table land_¦move");
    assert!(!text.contains("changed in"), "{text}");
}

fn lines(found: &Value) -> Vec<(String, u64)> {
    let all = found.as_array().unwrap().iter();
    all.map(|l| {
        let file = l["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        (file, l["range"]["start"]["line"].as_u64().unwrap() + 1)
    })
    .collect()
}

#[test]
fn a_definition_is_found_from_another_file_and_through_variants() {
    let mut client = Client::open_in(&small(), "suite.sut");
    let params = client.at("suite.sut", "expect length of sup¦ply of First");
    let found = client.ask::<protocol::DefinitionRequest>("textDocument/definition", params);
    assert_eq!(lines(&found).len(), 1);
    assert_eq!(lines(&found)[0].0, "rules.sut");
    // A unit that is put by the setup of the case.
    let params = client.at("suite.sut", "expect Fi¦rst is supplied");
    let found = client.ask::<protocol::DefinitionRequest>("textDocument/definition", params);
    assert_eq!(lines(&found), [("setups.sut".to_owned(), 7)]);
    let mut client = Client::open_in(&shipped("soldier_kings"), "house.sut");
    let params = client.at("house.sut", "override define lost_¦source");
    let found = client.ask::<protocol::DefinitionRequest>("textDocument/definition", params);
    let files: Vec<String> = lines(&found).into_iter().map(|(file, _)| file).collect();
    assert_eq!(files, ["rules.sut", "house.sut"]);
}

#[test]
fn references_are_those_of_all_files_and_of_the_plural() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let mut params = client.at("rules.sut", "kind ca¦ptain, captains");
    params["context"] = json!({ "includeDeclaration": false });
    let found = client.ask::<protocol::ReferencesRequest>("textDocument/references", params);
    assert_eq!(lines(&found).len(), 2, "{found}");
    let mut params = client.at("rules.sut", "trace sup¦ply of army");
    params["context"] = json!({ "includeDeclaration": true });
    let found = client.ask::<protocol::ReferencesRequest>("textDocument/references", params);
    let suite = lines(&found).into_iter().filter(|(file, _)| file == "suite.sut").count();
    assert_eq!(suite, 3, "{found}");
    let params = client.at("rules.sut", "trace sup¦ply of army");
    let here =
        client.ask::<protocol::DocumentHighlightRequest>("textDocument/documentHighlight", params);
    assert_eq!(here.as_array().unwrap().len(), lines(&found).len() - suite);
}

/// Renames, and gives the files that change with their new texts.
fn renamed(
    files: &[(String, String)],
    file: &str,
    piece: &str,
    new: &str,
) -> Vec<(String, String)> {
    let mut client = Client::over(files);
    client.open(file, &files.iter().find(|(name, _)| name == file).unwrap().1);
    let mut params = client.at(file, piece);
    params["newName"] = json!(new);
    let edit = client.ask::<protocol::RenameRequest>("textDocument/rename", params);
    let mut out: Vec<(String, String)> = files.to_vec();
    for (name, text) in &mut out {
        let edits = edit["changes"][uri(name)].as_array().cloned().unwrap_or_default();
        *text = edited(text, &edits);
    }
    out
}

#[test]
fn a_renamed_ruleset_says_the_same() {
    let all = [
        ("soldier_kings", "rules.sut", "table land_¦move of force", "march_allowance"),
        ("soldier_kings", "rules.sut", "define lost_¦source of area", "spoiled"),
        ("soldier_kings", "map.sut", "space area Han¦over", "Hannover"),
        ("soldier_kings", "rules.sut", "ruling by¦standers", "onlookers"),
        ("sgs", "rules.sut", "trace sup¦ply of", "supply_line"),
    ];
    for (ruleset, file, piece, new) in all {
        let files = shipped(ruleset);
        let changed = renamed(&files, file, piece, new);
        let old = piece.replace('¦', "").split(' ').next_back().map(str::to_owned);
        assert_ne!(changed, files, "{ruleset} {piece} {old:?}");
        let client = Client::open_in(&changed, file);
        let faults: Vec<_> = client.shown.values().flatten().collect();
        assert!(faults.is_empty(), "{piece}: {faults:?}");
    }
}

#[test]
fn a_name_that_would_not_check_is_refused() {
    let mut client = Client::open_in(&small(), "rules.sut");
    let all = [
        ("define lo¦st of region", "depot", "would not check"),
        ("define lo¦st of region", "when", "cannot be a name"),
        ("define lo¦st of region", "2b", "cannot be a name"),
        ("clause ¦b \"A supply", "c", "would not check"),
        ("clause ¦b \"A supply", "c d", "cannot be the label of a clause"),
    ];
    for (piece, new, why) in all {
        let mut params = client.at("rules.sut", piece);
        params["newName"] = json!(new);
        let answer = client.answer("textDocument/rename", params);
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(why), "{piece}: {answer}");
    }
    let params = client.at("rules.sut", "define lo¦st of region");
    let found = client.ask::<protocol::PrepareRenameRequest>("textDocument/prepareRename", params);
    assert_eq!(found["placeholder"], "lost");
}

#[test]
fn symbols_of_the_workspace_are_found_by_their_letters() {
    let mut client = Client::over(&small());
    let found = client
        .ask::<protocol::WorkspaceSymbolRequest>("workspace/symbol", json!({ "query": "spchk" }));
    assert_eq!(found[0]["name"], "supply_check");
    assert_eq!(found[0]["location"]["uri"], uri("rules.sut"));
}

#[test]
fn an_editor_finds_and_renames_the_leg_behind_as() {
    let mut files = small();
    let rules = files.iter_mut().find(|(name, _)| name == "rules.sut").unwrap();
    rules.1.push_str(crate::legs_as::HOME);
    let text = rules.1.clone();
    let mut client = Client::open_in(&files, "rules.sut");
    for (piece, line) in [
        ("leg overland as mar¦ch of supply", "  leg march"),
        ("leg overland as march of sup¦ply", "trace supply of army"),
        ("leg ship as over¦land optional", "  leg overland as"),
    ] {
        let params = client.at("rules.sut", piece);
        let found = client.ask::<protocol::DefinitionRequest>("textDocument/definition", params);
        let at = found[0]["range"]["start"]["line"].as_u64().expect(piece) as usize;
        let said = text.lines().nth(at).unwrap();
        assert!(said.starts_with(line), "{piece}: {said}");
    }
    for (piece, known) in [
        ("leg ship as ¦overland optional", ["overland", "march"].as_slice()),
        ("leg overland as march of ¦supply", &["supply", "way_home"]),
    ] {
        let params = client.at("rules.sut", piece);
        let found = client.ask::<protocol::CompletionRequest>("textDocument/completion", params);
        let all: Vec<&str> =
            found["items"].as_array().unwrap().iter().filter_map(|i| i["label"].as_str()).collect();
        assert!(known.iter().all(|name| all.contains(name)), "{piece}: {all:?}");
        assert!(!all.contains(&"season"), "{piece}: {all:?}");
    }
    let mut params = client.at("rules.sut", "leg ship as over¦land optional");
    params["newName"] = json!("by_land");
    let edit = client.ask::<protocol::RenameRequest>("textDocument/rename", params);
    let edits: Vec<_> =
        edit["changes"].as_object().unwrap().values().flat_map(|e| e.as_array().unwrap()).collect();
    assert_eq!(edits.len(), 2, "{edit}");
}
