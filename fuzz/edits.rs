//! Scripts of edits to a folder that is open in an editor: after each the language server shows and
//! answers what one does that reads the same texts for the first time.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sutler::Server;

use super::choices::Choices;
use super::seeds::Seeds;

/// Texts by the names of their files.
pub type Files = BTreeMap<String, String>;

/// More edits than this are no other script.
const MOST: usize = 24;

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

/// What an editor asks about a place in a file.
const ASKED: [&str; 20] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/semanticTokens/full",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/codeAction",
    "textDocument/inlayHint",
    "textDocument/signatureHelp",
    "textDocument/codeLens",
    "textDocument/prepareCallHierarchy",
    "textDocument/rangeFormatting",
    "textDocument/onTypeFormatting",
    "textDocument/semanticTokens/range",
    "sutler/map",
];

/// A script of the bytes, over the small game or the game of the tutorial. True if no fault is left.
pub fn edits(bytes: &[u8]) -> bool {
    let mut choices = Choices::new(bytes);
    let files = if choices.once_in(3) { winter_road() } else { small() };
    script(&files, &mut choices, MOST)
}

/// Edits files and asks about them, as the choices say. True if no fault is left.
pub fn script(files: &Files, choices: &mut Choices<'_>, most: usize) -> bool {
    let mut editor = Editor::over(files);
    let names: Vec<&String> = files.keys().filter(|name| name.ends_with(".sut")).collect();
    let first = choices.pick(&names).to_string();
    editor.open(&first, &files[&first]);
    for step in 0..most {
        let file = editor.step(&names, step, choices);
        let mut fresh = Editor::over(files);
        editor.open.iter().for_each(|(name, text)| fresh.open(name, text));
        let texts = || editor.open.iter().map(|(f, text)| format!("---- {f}\n{text}\n"));
        assert_eq!(editor.faults(), fresh.faults(), "{}", texts().collect::<String>());
        let (method, params) = question(&file, &editor.open[&file], choices);
        let (told, fresh) = (editor.ask(&method, params.clone()), fresh.ask(&method, params));
        let texts = editor.open.iter().map(|(f, text)| format!("---- {f}\n{text}\n"));
        assert_eq!(told, fresh, "{method} in {file}:\n{}", texts.collect::<String>());
        if choices.is_over() {
            break;
        }
    }
    editor.faults().is_empty()
}

/// An editor without a window.
struct Editor {
    server: Server,
    /// The texts that are open.
    open: Files,
    /// The last diagnostics of each file.
    shown: BTreeMap<String, Value>,
}

impl Editor {
    fn over(files: &Files) -> Editor {
        let texts = files.iter().map(|(name, text)| (format!("game/{name}"), text.as_str()));
        let server = Server::of_texts(texts);
        let mut editor = Editor { server, open: Files::new(), shown: BTreeMap::new() };
        editor.ask("initialize", json!({ "rootUri": "file:///game", "capabilities": {} }));
        editor
    }

    fn send(&mut self, message: &Value) -> Option<Value> {
        let mut answer = None;
        for one in self.server.message(message) {
            let params = &one["params"];
            match one["method"].as_str() {
                Some("textDocument/publishDiagnostics") => {
                    let uri = params["uri"].as_str().expect("a file").to_owned();
                    self.shown.insert(uri, params["diagnostics"].clone());
                }
                Some(other) => panic!("`{other}` was not asked for"),
                None => answer = Some(one),
            }
        }
        answer
    }

    fn tell(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        assert!(self.send(&message).is_none(), "`{method}` is answered");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.send(&message).expect("an answer")
    }

    fn open(&mut self, file: &str, text: &str) {
        self.open.insert(file.to_owned(), text.to_owned());
        let document =
            json!({ "uri": uri(file), "languageId": "sutler", "version": 0, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn close(&mut self, file: &str) {
        self.open.remove(file);
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(file) } }));
    }

    /// What is wrong, by file; files without a fault are left out.
    fn faults(&self) -> BTreeMap<&String, &Value> {
        self.shown.iter().filter(|(_, all)| all.as_array().is_some_and(|a| !a.is_empty())).collect()
    }

    /// Opens, closes or edits a file; gives one that is open then.
    fn step(&mut self, names: &[&String], step: usize, choices: &mut Choices<'_>) -> String {
        let open: Vec<String> = self.open.keys().cloned().collect();
        let file = choices.pick(&open).clone();
        match choices.below(16) {
            0 => {
                let other = choices.pick(names).to_string();
                let text = self.whole_text(&other, choices);
                if !self.open.contains_key(&other) {
                    self.open(&other, &text);
                }
                return other;
            }
            // A file that is on no disk yet.
            1 if !self.open.contains_key("more.sut") => {
                let text = self.whole_text("more.sut", choices);
                self.open("more.sut", &text);
                return "more.sut".to_owned();
            }
            2 if open.len() > 1 => {
                self.close(&file);
                return self.open.keys().next().cloned().unwrap_or_default();
            }
            3 => {
                let text = self.whole_text(&file, choices);
                let whole = json!([{ "text": text }]);
                self.change(&file, step, whole, text);
            }
            _ => {
                let mut text = self.open[&file].clone();
                let many = 1 + choices.below(2);
                let changes: Vec<Value> = (0..many).map(|_| change(choices, &mut text)).collect();
                self.change(&file, step, changes.into(), text);
            }
        }
        file
    }

    fn change(&mut self, file: &str, version: usize, changes: Value, text: String) {
        let document = json!({ "uri": uri(file), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.open.insert(file.to_owned(), text);
        self.tell("textDocument/didChange", params);
    }

    /// A whole text for a file: some item behind a head, or what is open with one more item.
    fn whole_text(&self, file: &str, choices: &mut Choices<'_>) -> String {
        let families = &Seeds::get().families;
        let made = Seeds::get().part(&families[0], "item", choices).unwrap_or_default();
        let old = self.open.get(file).map_or("edition 1\n", String::as_str);
        format!("{}\n{}\n", old.trim_end(), made.trim_end())
    }
}

fn uri(file: &str) -> String {
    format!("file:///game/{file}")
}

/// One change somewhere: words put in, taken out, or put in place of others.
fn change(choices: &mut Choices<'_>, text: &mut String) -> Value {
    let mut start = choices.below(text.len() + 1);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (start + choices.below(12) * choices.below(2)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    // An editor knows no place between the two signs of a line end.
    let between = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
    if between(start) || between(end) || text[start..end].contains('\r') {
        (start, end) = (0, 0);
    }
    let new = match choices.below(5) {
        0 | 1 => String::new(),
        _ => (*choices.pick(&PIECES)).to_owned(),
    };
    let range = json!({ "start": position(text, start), "end": position(text, end) });
    text.replace_range(start..end, &new);
    json!({ "range": range, "text": new })
}

/// The position of a byte, in units of UTF-16.
fn position(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
    json!({ "line": line, "character": column })
}

/// A question about a place of a file.
fn question(file: &str, text: &str, choices: &mut Choices<'_>) -> (String, Value) {
    let at = choices.below(text.len() + 1);
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let place = position(text, at);
    let params = json!({
        "textDocument": { "uri": uri(file) },
        "position": place,
        "range": { "start": place, "end": place },
        "newName": "zebra",
        "ch": "}",
        "context": { "diagnostics": [], "includeDeclaration": true },
        "options": { "tabSize": 2, "insertSpaces": true },
    });
    ((*choices.pick(&ASKED)).to_owned(), params)
}

/// The small game that `sutler new` makes.
fn small() -> Files {
    let texts = [
        ("map.sut", include_str!("../src/scaffold/map.sut")),
        ("rules.sut", include_str!("../src/scaffold/rules.sut")),
        ("setups.sut", include_str!("../src/scaffold/setups.sut")),
        ("suite.sut", include_str!("../src/scaffold/suite.sut")),
    ];
    let named = |text: &str| {
        text.replace("{name}", "small").replace("{title}", "Small").replace("{prefix}", "SM")
    };
    texts.into_iter().map(|(file, text)| (file.to_owned(), named(text))).collect()
}

/// The finished game of the tutorial, with a variant and a script.
fn winter_road() -> Files {
    [
        ("map.sut", include_str!("../docs/tutorial/step10/map.sut")),
        ("rules.sut", include_str!("../docs/tutorial/step10/rules.sut")),
        ("setups.sut", include_str!("../docs/tutorial/step10/setups.sut")),
        ("suite.sut", include_str!("../docs/tutorial/step10/suite.sut")),
        ("long_reins.sut", include_str!("../docs/tutorial/step10/long_reins.sut")),
        ("hooks/forage.rhai", include_str!("../docs/tutorial/step10/hooks/forage.rhai")),
    ]
    .map(|(file, text)| (file.to_owned(), text.to_owned()))
    .into()
}
