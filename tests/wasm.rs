//! The library in WebAssembly, run by node, says byte for byte what it says here.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may abort"
)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};
use sutler::{Faults, Rules, Server};

const SHIPPED: [&str; 5] = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"];

/// The module that `SUTLER_ENGINE` names, or else one built once; where the target is missing this
/// says what to install.
fn module() -> &'static Path {
    static MODULE: OnceLock<PathBuf> = OnceLock::new();
    MODULE.get_or_init(|| {
        if let Some(given) = std::env::var_os("SUTLER_ENGINE").filter(|path| !path.is_empty()) {
            return PathBuf::from(given);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let target = root.join("target/wasm");
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--release", "--locked"])
            .args(["--target", "wasm32-unknown-unknown", "--target-dir"])
            .arg(&target)
            .current_dir(root.join("wasm"))
            .output()
            .unwrap();
        assert!(
            built.status.success(),
            "the module does not build; `rustup target add wasm32-unknown-unknown` adds what it \
             is built for\n{}",
            String::from_utf8_lossy(&built.stderr)
        );
        target.join("wasm32-unknown-unknown/release/sutler_wasm.wasm")
    })
}

/// The answers of calls, a line each, on the stack of 2 MiB that a module has.
fn answers(calls: &[Value]) -> Vec<String> {
    let mut node = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("wasm/lines.mjs"))
        .arg(module())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("node runs the module; install it to run this test");
    let lines: String = calls.iter().map(|call| format!("{call}\n")).collect();
    let mut stdin = node.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let out = node.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The files of a shipped ruleset by path.
fn texts(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets").join(name);
    let mut texts = serde_json::Map::new();
    for part in ["", "hooks"] {
        for entry in fs::read_dir(folder.join(part)).into_iter().flatten().flatten() {
            if let Ok(text) = fs::read_to_string(entry.path()) {
                let path = Path::new(part).join(entry.file_name());
                texts.insert(path.to_str().unwrap().to_owned(), text.into());
            }
        }
    }
    Value::Object(texts)
}

fn ok(value: Value) -> String {
    json!({ "ok": value }).to_string()
}

fn done(found: Result<Value, Faults>) -> String {
    found.map_or_else(|faults| json!({ "faults": faults.to_vec() }).to_string(), ok)
}

#[test]
fn five_rulesets_say_the_same_in_node() {
    for name in SHIPPED {
        let texts = texts(name);
        let open: Vec<(String, String)> =
            serde_json::from_value::<std::collections::BTreeMap<String, String>>(texts.clone())
                .unwrap()
                .into_iter()
                .collect();
        let rules = Rules::of_texts(open);
        let names: Vec<&str> = rules.names().collect();
        let mut calls = vec![json!({ "call": "open", "texts": texts })];
        let mut wanted = vec![ok(json!({ "rules": 1, "names": names, "faults": rules.faults() }))];
        let game = rules.game().unwrap();
        calls.push(json!({ "call": "game", "rules": 1, "name": null }));
        let list = |names: Vec<&str>| json!(names);
        wanted.push(ok(json!({
            "game": 2, "name": game.name(), "title": game.title(), "hash": game.hash(),
            "traces": list(game.traces().collect()),
            "sides": list(game.sides().collect()),
            "setups": list(game.setups().collect()),
        })));
        let mut number = 2;
        for setup in game.setups() {
            let mut position = game.setup(setup).unwrap();
            number += 1;
            calls.push(json!({ "call": "setup", "game": 2, "name": setup }));
            wanted.push(ok(json!({ "position": number })));
            let side = game.sides().next().unwrap();
            calls.push(json!({ "call": "viewer", "position": number, "side": side }));
            wanted.push(ok(Value::Null));
            position.set_viewer(Some(game.side(side).unwrap())).unwrap();
            for trace in game.traces() {
                let at = game.trace(trace).unwrap();
                calls.push(json!({ "call": "trace", "position": number, "trace": trace }));
                let report = position.ask_all(at);
                wanted.push(done(report.clone().map(|r| serde_json::to_value(&r).unwrap())));
                for row in report.into_iter().flat_map(|r| r.units).take(8) {
                    let call = "explain";
                    let of = &row.id;
                    calls.push(
                        json!({ "call": call, "position": number, "trace": trace, "of": of }),
                    );
                    let found = position.explain(at, position.thing(at, of).unwrap());
                    wanted.push(done(found.map(
                        |e| json!({ "explanation": serde_json::to_value(&e).unwrap(), "text": e.to_string() }),
                    )));
                }
            }
        }
        let found = answers(&calls);
        assert_eq!(found.len(), wanted.len(), "{name}");
        for ((found, wanted), call) in found.iter().zip(&wanted).zip(&calls) {
            assert_eq!(found, wanted, "{name} {}", call["call"]);
        }
    }
}

#[test]
fn a_wrong_call_is_an_answer_and_a_code_is_explained() {
    let wrong = [
        json!({ "call": "nothing" }),
        json!({ "call": "trace", "position": 9 }),
        json!([1, 2]),
        json!({ "call": "open", "texts": { "rules.sut": "edition 1\nrules" } }),
        json!({ "call": "game", "rules": 1, "name": null }),
        json!({ "call": "code", "text": fs::read_to_string("src/diag/codes/E0201.md").unwrap() }),
    ];
    let found: Vec<Value> =
        answers(&wrong).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(found[..3].iter().all(|a| a["faults"][0]["message"].is_string()), "{found:?}");
    assert_eq!(found[3]["ok"]["faults"][0]["severity"], "error");
    assert_eq!(found[4]["faults"][0]["code"], found[3]["ok"]["faults"][0]["code"]);
    assert_eq!(found[5]["ok"], json!(sutler::explain_code("E0201")));
}

#[test]
fn the_language_server_says_the_same_in_node() {
    let file = "file:///game/rules.sut";
    let text = "edition 1\nruleset tiny \"Tiny\" prefix T\nkind army is unit\ndefine far = raech\n";
    let asked = |id: u32, method: &str, character: u32| {
        let position = json!({ "line": 2, "character": character });
        let params = json!({ "textDocument": { "uri": file }, "position": position });
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    };
    let document = json!({ "uri": file, "languageId": "sutler", "version": 1, "text": text });
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} }),
        json!({
            "jsonrpc": "2.0",
            "method": "textDocument/didOpen",
            "params": { "textDocument": document },
        }),
        asked(2, "textDocument/hover", 6),
        asked(3, "textDocument/completion", 13),
        asked(4, "textDocument/definition", 6),
        json!({ "id": 5, "method": "nothing" }),
    ];
    let mut server = Server::of_texts(Vec::<(String, String)>::new());
    let mut calls = vec![json!({ "call": "serve", "texts": {} })];
    let mut wanted = vec![ok(json!({ "server": 1 }))];
    for message in messages {
        wanted.push(ok(server.message(&message).into()));
        calls.push(json!({ "call": "message", "server": 1, "message": message }));
    }
    assert!(wanted[2].contains("E0201"), "{}", wanted[2]);
    // Mutants are made by the program alone.
    wanted[1] = wanted[1].replace(",\"sutler.mutants\"", "");
    assert_eq!(answers(&calls), wanted);
}
