//! Every name of whole folders gets another one: the rules then say the same, and the way back gives
//! the texts as they were.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gen_lsp_types as protocol;
use serde_json::{Value, json};
use sutler::check::names::{Declared, Space};
use sutler::ir::print;
use sutler::project::Project;
use sutler::suite::run_case;

use super::client::{Client, edited, position, shipped, small, uri};
use crate::common::counts;
use crate::support::{blocks, prelude, root};

type Texts = Vec<(String, String)>;

/// The finished game of the tutorial: phases, marks, dice, rulings, a variant, a script.
fn winter_road() -> Texts {
    let folder = root().join("docs/tutorial/step10");
    ["rules.sut", "map.sut", "setups.sut", "suite.sut", "long_reins.sut", "hooks/forage.rhai"]
        .map(|name| (name.to_owned(), std::fs::read_to_string(folder.join(name)).unwrap()))
        .to_vec()
}

fn project(texts: &Texts) -> Project {
    let all = texts
        .iter()
        .map(|(name, text)| (PathBuf::from(format!("game/{name}")), text.clone().into_bytes()));
    Project::of_texts(all.collect(), Path::new("game"))
}

/// What is declared, each once: its file, its place there, and what it is.
fn declared(texts: &Texts) -> Vec<(String, usize, Declared)> {
    let project = project(texts);
    let mut found: BTreeMap<(String, usize), Declared> = BTreeMap::new();
    for one in &project.rulesets {
        for what in one.names(&project.sources).declared {
            let file = project.sources.name(what.span.source);
            let file = file.strip_prefix("game/").unwrap_or(file).to_owned();
            found.entry((file, what.span.start as usize)).or_insert(what);
        }
    }
    found.into_iter().map(|((file, at), what)| (file, at, what)).collect()
}

/// What the rules say and what their cases come to, with one name in place of another.
fn says(texts: &Texts, new: &str, old: &str) -> Vec<String> {
    let project = project(texts);
    let mut out = Vec::new();
    let as_old = |text: &str| text.replace(new, old);
    for one in &project.rulesets {
        let faults = one.faults.iter().map(|f| format!("{} {}", f.code, as_old(&f.message)));
        out.extend(faults);
        let Some(rules) = &one.rules else { continue };
        // The hash, and the length of a script, change with any word.
        let listing = print(rules);
        let lines = listing.lines().skip(1).filter(|line| !line.starts_with("  script hooks/"));
        out.push(as_old(&lines.collect::<Vec<_>>().join("\n")));
        for case in &rules.cases {
            let done = run_case(rules, case, |span| project.sources.slice(span));
            let failed: Vec<String> = done.failures.iter().map(|f| as_old(&f.message)).collect();
            out.push(format!("{}: {failed:?}", as_old(&done.title)));
        }
        for setup in &rules.setups {
            out.push(as_old(&format!(
                "{} {} {}",
                setup.name,
                setup.units.len(),
                setup.facts.len()
            )));
        }
    }
    out
}

/// The texts with another name in one place; or why not.
fn renamed(texts: &Texts, file: &str, at: usize, new: &str) -> Result<Texts, String> {
    let mut client = Client::over(texts);
    let text = &texts.iter().find(|(name, _)| name == file).unwrap().1;
    let params = json!({
        "textDocument": { "uri": uri(file) }, "position": position(text, at), "newName": new,
    });
    let answer = client.answer("textDocument/rename", params);
    if let Some(error) = answer.get("error") {
        return Err(error["message"].as_str().unwrap().to_owned());
    }
    let edit = &answer["result"];
    serde_json::from_value::<protocol::WorkspaceEdit>(edit.clone()).unwrap();
    let mut out = texts.clone();
    for (name, text) in &mut out {
        let edits = edit["changes"][uri(name)].as_array().cloned().unwrap_or_default();
        *text = edited(text, &edits);
    }
    Ok(out)
}

/// Another name for what is declared, how it is written at its declaration, and the old one there.
fn other(what: &Declared, written: &str) -> (String, String) {
    match what.space {
        Space::Case => (format!("{} zq", what.name), what.name.clone()),
        _ => (format!("{written}zq"), written.to_owned()),
    }
}

/// Renames one thing and back again; what went wrong.
fn there_and_back(texts: &Texts, (file, at, what): &(String, usize, Declared)) -> Option<String> {
    let text = &texts.iter().find(|(name, _)| name == file)?.1;
    let written = &text[what.span.range()];
    let (new, old) = other(what, written);
    let called = format!("{} {} of {:?} in {file}", what.noun, what.name, what.owner);
    let changed = match renamed(texts, file, *at, &new) {
        Ok(changed) => changed,
        Err(why) => return Some(format!("{called}: refused: {why}")),
    };
    if changed == *texts {
        return Some(format!("{called}: nothing was changed"));
    }
    // The label of a clause is printed behind its section.
    let (after, before) = match what.space {
        Space::Clause => (format!("{}zq", what.name), what.name.clone()),
        _ => (new, old.clone()),
    };
    if says(&changed, &after, &before) != says(texts, &after, &before) {
        return Some(format!("{called}: the rules say something else"));
    }
    // An earlier place in the file may have grown.
    let text = &changed.iter().find(|(name, _)| name == file)?.1;
    let grown = declared(&changed);
    let place = grown.iter().find(|(name, _, other)| {
        name == file
            && other.space == what.space
            && (other.name == after || what.space == Space::Ruleset)
            && text[other.span.range()].contains("zq")
            && other.owner.replace("zq", "") == what.owner
    });
    let Some((_, at, _)) = place else { return Some(format!("{called}: it is declared no more")) };
    match renamed(&changed, file, *at, &old) {
        Err(why) => Some(format!("{called}: not back: {why}")),
        Ok(back) if back != *texts => Some(format!("{called}: the way back ends elsewhere")),
        Ok(_) => None,
    }
}

/// What has no other name: rulesets, and hexes with numbers.
fn keeps_its_name(what: &Declared) -> bool {
    let digits = what.name.starts_with(|c: char| c.is_ascii_digit());
    what.space == Space::Ruleset || what.space == Space::Place && digits
}

fn all_of(texts: &Texts, wanted: impl Iterator<Item = (String, usize, Declared)>) {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for one in wanted.filter(|(_, _, what)| !keeps_its_name(what)) {
        tried += 1;
        wrong.extend(there_and_back(texts, &one));
    }
    assert!(tried > 0);
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_name_of_the_small_game_has_another_one_and_the_old_one_again() {
    let texts = small();
    all_of(&texts, declared(&texts).into_iter());
}

#[test]
fn every_name_of_the_tutorial_has_another_one_and_the_old_one_again() {
    let texts = winter_road();
    let all = declared(&texts);
    let spaces: std::collections::BTreeSet<Space> = all.iter().map(|(_, _, d)| d.space).collect();
    assert!(spaces.len() >= 13, "{spaces:?}");
    all_of(&texts, counts::part(all));
}

#[test]
fn names_of_shipped_rulesets_have_another_one_and_the_old_one_again() {
    for (nth, name) in ["soldier_kings", "sgs", "blockade_siege", "twilight"].iter().enumerate() {
        let texts = shipped(name);
        let all = declared(&texts);
        let first = counts::seed_base() as usize * 7 + nth * 11;
        let every = if counts::full() { 211 } else { 311 };
        all_of(&texts, all.into_iter().skip(first % every).step_by(every));
    }
}

#[test]
fn a_script_is_changed_with_the_name_that_it_reads() {
    let texts = winter_road();
    let rules = &texts[0].1;
    let at = rules.find("define cold").unwrap() + "define ".len();
    let changed = renamed(&texts, "rules.sut", at, "frosty").unwrap();
    let script = &changed.iter().find(|(name, _)| name.ends_with(".rhai")).unwrap().1;
    assert_eq!(script.trim(), "if frosty { div_down(country, 3) } else { div_down(country, 2) }");
    assert!(changed[0].1.contains("reads  country, frosty"), "{}", changed[0].1);
}

#[test]
fn a_clause_is_renamed_where_it_is_cited_in_short_and_in_full() {
    let mut texts = small();
    let suite = texts.iter_mut().find(|(name, _)| name == "suite.sut").unwrap();
    suite.1 = suite.1.replacen("[4a, 4b]", "[SM-4a, SM-4b]", 1);
    let rules = texts.iter().find(|(name, _)| name == "rules.sut").unwrap().1.clone();
    let at = rules.find("within  reach                [4b]").unwrap();
    let at = at + "within  reach                [".len();
    let changed = renamed(&texts, "rules.sut", at, "4length").unwrap();
    let text = |file: &str| &changed.iter().find(|(name, _)| name == file).unwrap().1;
    assert!(text("rules.sut").contains("clause length \"A supply line"));
    assert!(text("rules.sut").contains("within  reach                [4length]"));
    assert!(text("suite.sut").contains("[SM-4a, SM-4length]"), "{}", text("suite.sut"));
    let why = renamed(&texts, "rules.sut", at, "5b").unwrap_err();
    assert!(why.contains("write `4` and a new label"), "{why}");
    let why = renamed(&texts, "rules.sut", at, "4c").unwrap_err();
    assert!(why.contains("would not check"), "{why}");
}

#[test]
fn a_name_that_another_rule_would_read_is_refused() {
    let mut texts = small();
    let rules = &mut texts.iter_mut().find(|(name, _)| name == "rules.sut").unwrap().1;
    rules.push_str("define lonely of region = no army here\ndefine quiet of region = lonely\n");
    let at = rules.find("define lonely").unwrap() + "define ".len();
    let why = renamed(&texts, "rules.sut", at, "town").unwrap_err();
    assert!(why.contains("would not check") || why.contains("something else"), "{why}");
}

#[test]
fn what_has_no_other_name_is_refused_before_one_is_asked_for() {
    let files = small();
    let mut client = Client::open_in(&files, "rules.sut");
    let mut refused = |piece: &str| -> String {
        let params = client.at("rules.sut", piece);
        let answer = client.answer("textDocument/prepareRename", params);
        answer["error"]["message"].as_str().unwrap_or_default().to_owned()
    };
    for (piece, why) in [
        ("ruleset sm¦all", "called like its folder"),
        ("tra¦ce supply of army", "`trace` is a word of the language"),
        ("town and frie¦ndly", "no line of these rules declares `friendly`"),
        ("from 1 to ¦9", "`9` is an amount"),
        ("section ¦4 \"Supply\"", "number of a section"),
        ("clause a \"An ar¦my draws", "nothing refers to this text"),
        ("# ---- what th¦ere is", "there is no name here"),
    ] {
        let said = refused(piece);
        assert!(said.contains(why), "{piece}: {said}");
    }
    let mut client = Client::open_in(&files, "suite.sut");
    let params = client.at("suite.sut", "case \"two re¦gions are near enough\"");
    let found = client.ask::<protocol::PrepareRenameRequest>("textDocument/prepareRename", params);
    assert_eq!(found["placeholder"], "two regions are near enough");
    let mut client = Client::open_in(&shipped("malaya"), "setups.sut");
    let text = client.texts["setups.sut"].clone();
    let at = position(&text, text.find("in hex 0203").unwrap() + "in hex 0".len());
    let hex = json!({ "textDocument": { "uri": uri("setups.sut") }, "position": at });
    let answer = client.answer("textDocument/prepareRename", hex);
    let said: &Value = &answer["error"]["message"];
    assert!(said.as_str().is_some_and(|s| s.contains("the map prints")), "{answer}");
}

#[test]
fn names_behind_but_are_renamed_with_what_they_name() {
    let game = prelude(&blocks("docs/language.md")).to_owned();
    let copies = "table late of army as reach, but {
  led was 3 now 4
  before led as row strong when strength is 9 then 6
}
table later of army as late, but {
  led was 4 now 5
}
setup autumn as opening, but {
  First was strength 5 now strength 6
}
";
    let variant = "edition 1
ruleset house \"House\" prefix HR extends winter_road
override table reach, but {
  led was 3 now 4
}
override trace supply, but {
  depot was where depot now where (depot and town)
  from of march was anywhere now no enemy army here
}
override setup opening, but {
  First was strength 5 now strength 6
}
";
    let rules = game.split("\ncase ").next().unwrap();
    let texts = vec![
        ("rules.sut".to_owned(), format!("{rules}\n{copies}")),
        ("house.sut".to_owned(), variant.to_owned()),
    ];
    for one in &project(&texts).rulesets {
        assert!(one.rules.is_some(), "{:?}", one.faults);
    }
    all_of(&texts, declared(&texts).into_iter());
    let at = texts[0].1.find("row led").unwrap() + "row ".len();
    let changed = renamed(&texts, "rules.sut", at, "headed").unwrap();
    assert!(changed.iter().all(|(_, text)| !text.contains("led was")), "{changed:?}");
    // What a copy takes out is a line of what it is as.
    let mut texts = texts;
    texts[0].1.push_str(
        "setup bare as opening, but {\n  without Guard\n}\nsetup barer as bare, but {\n  without First\n}\n\
         setup other as opening, but {\n  without Guard\n  put army Guard of League in Ford with strength 1\n}\n\
         table flat of army as late, but {\n  without strong\n  without led\n}\n",
    );
    for one in &project(&texts).rulesets {
        assert!(one.rules.is_some(), "{:?}", one.faults);
    }
    all_of(&texts, declared(&texts).into_iter());
    let at = texts[0].1.find("army Guard").unwrap() + "army ".len();
    let changed = renamed(&texts, "rules.sut", at, "Watch").unwrap();
    assert_eq!(changed[0].1.matches("without Watch").count(), 2, "{}", changed[0].1);
    assert_eq!(changed[0].1.matches("put army Guard").count(), 1, "{}", changed[0].1);
}
