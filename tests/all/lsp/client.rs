//! An editor without a window: it sends messages, and holds that each answer is of the protocol.

use std::collections::BTreeMap;

use gen_lsp_types as protocol;
use serde_json::{Value, json};
use sutler::lsp::Server;

use crate::support::root;

pub struct Client {
    pub server: Server,
    next: u64,
    /// The last diagnostics of each file, by its name in the folder.
    pub shown: BTreeMap<String, Vec<Value>>,
    /// The texts that are open.
    pub texts: BTreeMap<String, String>,
    /// The edits that the server has asked for.
    pub edits: Vec<Value>,
}

/// The files of a shipped ruleset.
pub fn shipped(name: &str) -> Vec<(String, String)> {
    let folder = root().join("rulesets").join(name);
    let mut found = Vec::new();
    for (inner, prefix) in
        [(folder.clone(), String::new()), (folder.join("hooks"), "hooks/".into())]
    {
        let Ok(entries) = std::fs::read_dir(inner) else { continue };
        for path in entries.map(|e| e.unwrap().path()).filter(|p| p.is_file()) {
            let file = path.file_name().unwrap().to_str().unwrap();
            if file.ends_with(".sut") || file.ends_with(".rhai") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((format!("{prefix}{file}"), text));
            }
        }
    }
    found.sort();
    found
}

/// The small game that `sutler new` makes.
pub fn small() -> Vec<(String, String)> {
    ["map", "rules", "setups", "suite"]
        .map(|name| {
            let path = root().join(format!("src/scaffold/{name}.sut"));
            let text = std::fs::read_to_string(path).unwrap();
            let text = text.replace("{name}", "small").replace("{title}", "Small");
            (format!("{name}.sut"), text.replace("{prefix}", "SM"))
        })
        .to_vec()
}

pub fn uri(file: &str) -> String {
    format!("file:///game/{file}")
}

impl Client {
    /// A server over some files, initialised, with nothing open.
    pub fn over(files: &[(String, String)]) -> Client {
        let files = files.iter().map(|(name, text)| (format!("game/{name}"), text.as_str()));
        Client::with(Server::of_texts(files), json!({ "rootUri": "file:///game" }))
    }

    pub fn with(server: Server, params: Value) -> Client {
        let mut client = Client {
            server,
            next: 0,
            shown: BTreeMap::new(),
            texts: BTreeMap::new(),
            edits: Vec::new(),
        };
        let mut params = params;
        params["processId"] = Value::Null;
        if params.get("capabilities").is_none() {
            params["capabilities"] = json!({});
        }
        client.ask::<protocol::InitializeRequest>("initialize", params);
        client.tell("initialized", json!({}));
        client
    }

    /// A server over some files of which one is open.
    pub fn open_in(files: &[(String, String)], open: &str) -> Client {
        let mut client = Client::over(files);
        let text = &files.iter().find(|(name, _)| name == open).unwrap().1;
        client.open(open, text);
        client
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        let out = self.server.message(&message);
        self.told(&out);
    }

    fn told(&mut self, out: &[Value]) {
        for one in out {
            if one["method"] == "workspace/applyEdit" {
                let params = one["params"].clone();
                serde_json::from_value::<protocol::ApplyWorkspaceEditParams>(params).unwrap();
                self.edits.push(one["params"]["edit"].clone());
                // The editor says that it has done so; there is nothing to answer to that.
                let done =
                    json!({ "jsonrpc": "2.0", "id": one["id"], "result": { "applied": true } });
                assert!(self.server.message(&done).is_empty());
                continue;
            }
            assert_eq!(one["method"], "textDocument/publishDiagnostics", "{one}");
            let params = one["params"].clone();
            serde_json::from_value::<protocol::PublishDiagnosticsParams>(params.clone()).unwrap();
            let uri = params["uri"].as_str().unwrap();
            let file = uri.rsplit_once("/game/").map_or(uri, |(_, file)| file);
            let all = params["diagnostics"].as_array().unwrap().clone();
            self.shown.insert(file.to_owned(), all);
        }
    }

    /// Asks, and gives the whole answer.
    pub fn answer(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        let mut out = self.server.message(&message);
        let at = out.iter().position(|m| m["id"] == self.next).expect("an answer");
        let answer = out.remove(at);
        self.told(&out);
        answer
    }

    /// Asks, and gives a result that is of the protocol.
    pub fn ask<R: protocol::Request>(&mut self, method: &str, params: Value) -> Value {
        let params: R::Params =
            serde_json::from_value(params.clone()).unwrap_or_else(|e| panic!("{params}: {e}"));
        let answer = self.answer(method, serde_json::to_value(params).unwrap());
        assert!(answer.get("error").is_none(), "{answer}");
        let result = answer["result"].clone();
        if let Err(error) = serde_json::from_value::<R::Result>(result.clone()) {
            panic!("{method} answers with {result}: {error}");
        }
        result
    }

    pub fn open(&mut self, file: &str, text: &str) {
        self.texts.insert(file.to_owned(), text.to_owned());
        let document =
            json!({ "uri": uri(file), "languageId": "sutler", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text.
    pub fn write(&mut self, file: &str, text: &str) {
        self.texts.insert(file.to_owned(), text.to_owned());
        let document = json!({ "uri": uri(file), "version": 2 });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    /// Replaces the first of some words in an open file.
    pub fn replace(&mut self, file: &str, old: &str, new: &str) {
        let text = self.texts[file].clone();
        assert!(text.contains(old), "{old}");
        self.write(file, &text.replacen(old, new, 1));
    }

    /// The position of a bar in a piece of an open text, which is there without the bar.
    pub fn place(&self, file: &str, piece: &str) -> Value {
        let (before, after) = piece.split_once('¦').expect("a place");
        let text = &self.texts[file];
        let at = text.find(&format!("{before}{after}")).unwrap_or_else(|| panic!("{piece}"));
        position(text, at + before.len())
    }

    pub fn at(&self, file: &str, piece: &str) -> Value {
        let position = self.place(file, piece);
        json!({ "textDocument": { "uri": uri(file) }, "position": position })
    }

    pub fn codes(&self, file: &str) -> Vec<&str> {
        let all = self.shown.get(file).map_or(&[][..], Vec::as_slice);
        all.iter().map(|d| d["code"].as_str().unwrap()).collect()
    }

    /// The text of a file with the edits of a workspace edit in it.
    pub fn edited(&self, file: &str, edit: &Value) -> String {
        let edits = edit["changes"][uri(file)].as_array().cloned().unwrap_or_default();
        edited(&self.texts[file], &edits)
    }
}

/// The position of a byte.
pub fn position(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
    json!({ "line": line, "character": column })
}

/// The byte of a position.
pub fn byte(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = position["character"].as_u64().unwrap() as usize;
    let mut at = start;
    for c in text[start..].chars() {
        if units == 0 {
            break;
        }
        units -= c.len_utf16();
        at += c.len_utf8();
    }
    at
}

/// A text with edits in it, which must not touch each other.
pub fn edited(text: &str, edits: &[Value]) -> String {
    let mut all: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|e| {
            let range = &e["range"];
            let new = e["newText"].as_str().unwrap();
            (byte(text, &range["start"]), byte(text, &range["end"]), new)
        })
        .collect();
    all.sort_unstable();
    let mut out = text.to_owned();
    for (start, end, new) in all.iter().rev() {
        out.replace_range(*start..*end, new);
    }
    for pair in all.windows(2) {
        assert!(pair[0].1 <= pair[1].0, "edits overlap: {pair:?}");
    }
    out
}
