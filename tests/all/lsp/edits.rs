//! Scripts of edits: what the server publishes after any of them equals a fresh check of the same
//! text, and no input panics it.

use serde_json::{Value, json};

use super::client::{Client, position, shipped, small, uri};
use crate::common::{Dice, counts};

const PIECES: [&str; 20] = [
    "\n",
    "{",
    "}",
    "\"",
    "#",
    " ",
    "[4a]",
    "define x of army = ",
    "é",
    "\u{1F0A1}",
    "\r\n",
    "army",
    " is ",
    "when ",
    "then 2",
    "\u{202e}",
    "(",
    "0",
    "\n\n  ",
    "override ",
];

/// One change somewhere: words put in, taken out, or put in place of others.
fn change(dice: &mut Dice, text: &mut String) -> Value {
    let mut start = dice.below(text.len() + 1);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (start + dice.below(12) * dice.below(2)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    // An editor knows no place between the two signs of a line end.
    let between = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
    if between(start) || between(end) || text[start..end].contains('\r') {
        (start, end) = (0, 0);
    }
    let new = if dice.percent(60) { (*dice.pick(&PIECES)).to_owned() } else { String::new() };
    let range = json!({ "start": position(text, start), "end": position(text, end) });
    text.replace_range(start..end, &new);
    json!({ "range": range, "text": new })
}

const ASKED: [&str; 19] = [
    "completion",
    "hover",
    "definition",
    "documentHighlight",
    "prepareRename",
    "documentSymbol",
    "foldingRange",
    "formatting",
    "semanticTokens/full",
    "references",
    "rename",
    "codeAction",
    "inlayHint",
    "signatureHelp",
    "codeLens",
    "prepareCallHierarchy",
    "rangeFormatting",
    "onTypeFormatting",
    "semanticTokens/range",
];

fn script(files: &[(String, String)], seed: u64, steps: usize) {
    let mut dice = Dice::new(seed);
    let open: Vec<&(String, String)> = files.iter().filter(|(f, _)| f.ends_with(".sut")).collect();
    let (file, text) = (*dice.pick(&open)).clone();
    let mut client = Client::open_in(files, &file);
    let mut text = text;
    for step in 0..steps {
        if dice.percent(3) {
            text = open.iter().find(|(name, _)| *name == file).unwrap().1.clone();
            client.write(&file, &text);
        }
        let changes: Vec<Value> =
            (0..1 + dice.below(2)).map(|_| change(&mut dice, &mut text)).collect();
        let document = json!({ "uri": uri(&file), "version": step });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        client.tell("textDocument/didChange", params);
        let at = dice.below(text.len() + 1);
        let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let place = position(&text, at);
        let method = format!("textDocument/{}", dice.pick(&ASKED));
        let method = if dice.percent(5) { "sutler/map".to_owned() } else { method };
        let answer = client.answer(
            &method,
            json!({
                "textDocument": { "uri": uri(&file) },
                "position": place,
                "range": { "start": place, "end": place },
                "newName": "zebra",
                "ch": "}",
                "context": { "diagnostics": [], "includeDeclaration": true },
                "options": { "tabSize": 2, "insertSpaces": true },
            }),
        );
        assert!(answer.get("result").is_some() || answer.get("error").is_some());
    }
    let mut fresh: Vec<(String, String)> = files.to_vec();
    for (name, old) in &mut fresh {
        if *name == file {
            old.clone_from(&text);
        }
    }
    let other = Client::open_in(&fresh, &file);
    let shown = |client: &Client| -> Vec<(String, Vec<Value>)> {
        let all = client.shown.iter().filter(|(_, d)| !d.is_empty());
        all.map(|(f, d)| (f.clone(), d.clone())).collect()
    };
    assert_eq!(shown(&client), shown(&other), "seed {seed}, {file}:\n{text}");
}

#[test]
fn after_any_edits_what_is_shown_equals_a_fresh_check() {
    let small = small();
    for seed in counts::seeds(200) {
        script(&small, seed, 20);
    }
    let files = shipped("sgs");
    for seed in counts::seeds(2) {
        script(&files, seed, 3);
    }
}
