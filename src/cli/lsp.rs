//! `sutler lsp`: the language server over standard input and output.
//!
//! A reader thread queues what the editor sends. What waits is taken together: a request that was
//! cancelled before its turn is answered as such, and of texts that follow each other the newest
//! is checked.

use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};

use super::{End, message};
use crate::lsp::Server;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Speaks over standard input and output, which is the only way; editors say it
    #[arg(long)]
    stdio: bool,
}

pub(super) fn run(args: &Args) -> End {
    let _ = args.stdio;
    let (connection, threads) = Connection::stdio();
    let ended = serve(&connection);
    // The writer ends when nothing can be sent any more.
    drop(connection);
    match threads.join() {
        Ok(()) if ended => End::Clean,
        Ok(()) => {
            message("error: the editor ended without `shutdown` and `exit`\n");
            End::Findings
        }
        Err(error) => {
            message(&format!("error: standard input cannot be read: {error}\n"));
            End::Trouble
        }
    }
}

/// How long typing must have stopped before fixes are tried.
const PAUSE: Duration = Duration::from_millis(150);

/// Answers until the editor ends; whether it did so as the protocol says.
fn serve(connection: &Connection) -> bool {
    let mut server = Server::new();
    loop {
        let mut waiting = Vec::new();
        if server.is_unsettled() && connection.receiver.is_empty() {
            // A new message comes before the fixes of an older text.
            match connection.receiver.recv_timeout(PAUSE) {
                Ok(first) => waiting.push(first),
                Err(error) if error.is_timeout() => {
                    if !send(connection, server.settle()) {
                        return false;
                    }
                }
                Err(_) => return false,
            }
        }
        if waiting.is_empty() {
            let Ok(first) = connection.receiver.recv() else { return false };
            waiting.push(first);
        }
        waiting.extend(connection.receiver.try_iter());
        let cancelled = cancelled(&waiting);
        for one in waiting {
            let out = match &one {
                Message::Request(request) if cancelled.contains(&json!(request.id)) => {
                    vec![refused(request)]
                }
                one => server.take(&json(one)),
            };
            if !send(connection, out) {
                return false;
            }
            if server.is_ended() {
                return server.is_shut_down();
            }
        }
        if !send(connection, server.settle_first()) {
            return false;
        }
    }
}

/// The requests that are cancelled by what waits behind them.
fn cancelled(waiting: &[Message]) -> Vec<Value> {
    let ids = waiting.iter().filter_map(|one| match one {
        Message::Notification(n) if n.method == "$/cancelRequest" => n.params.get("id").cloned(),
        _ => None,
    });
    ids.collect()
}

fn refused(request: &Request) -> Value {
    let error = json!({ "code": -32800, "message": "the request was cancelled" });
    json!({ "id": request.id, "error": error })
}

fn json(message: &Message) -> Value {
    match message {
        Message::Request(Request { id, method, params }) => {
            json!({ "id": id, "method": method, "params": params })
        }
        Message::Notification(Notification { method, params }) => {
            json!({ "method": method, "params": params })
        }
        Message::Response(Response { id, .. }) => json!({ "id": id, "result": null }),
    }
}

fn send(connection: &Connection, out: Vec<Value>) -> bool {
    out.into_iter().all(|value| match serde_json::from_value::<Message>(value) {
        Ok(message) => connection.sender.send(message).is_ok(),
        Err(error) => {
            message(&format!("error: an answer is no message: {error}\n"));
            true
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed test may abort")]

    use super::*;

    /// What the server sends when all of these wait at once.
    fn session(sent: &[Value]) -> Vec<Value> {
        let (server, client) = Connection::memory();
        for one in sent {
            client.sender.send(serde_json::from_value(one.clone()).unwrap()).unwrap();
        }
        serve(&server);
        drop(server);
        client.receiver.iter().map(|m| serde_json::to_value(m).unwrap()).collect()
    }

    fn opened() -> Vec<Value> {
        let text = "edition 1\nruleset tiny \"Tiny\" prefix T\n";
        let document = json!({ "uri": "file:///nowhere/a.sut", "languageId": "sutler", "version": 1, "text": text });
        vec![
            json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
            json!({ "method": "initialized", "params": {} }),
            json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        ]
    }

    #[test]
    fn a_request_that_is_cancelled_before_its_turn_is_answered_as_such() {
        let mut sent = opened();
        let params = json!({ "textDocument": { "uri": "file:///nowhere/a.sut" } });
        let symbols = "textDocument/documentSymbol";
        sent.push(json!({ "id": 2, "method": symbols, "params": params }));
        sent.push(json!({ "id": "three", "method": symbols, "params": params }));
        sent.push(json!({ "method": "$/cancelRequest", "params": { "id": "three" } }));
        sent.push(json!({ "method": "exit" }));
        let answers = session(&sent);
        let of = |id: Value| answers.iter().find(|m| m["id"] == id).unwrap();
        assert_eq!(of(json!(2))["result"][0]["name"], "tiny");
        assert_eq!(of(json!("three"))["error"]["code"], -32800);
    }

    #[test]
    fn a_fault_is_shown_at_once_and_its_fix_when_nobody_types() {
        let text = "edition 1\nruleset tiny \"Tiny\" prefix T\nkind town, towns is space\nkind army is unit\ndefine far of twon = no army here\n";
        let (server, client) = Connection::memory();
        let thread = std::thread::spawn(move || serve(&server));
        for mut one in opened() {
            if let Some(document) = one.pointer_mut("/params/textDocument") {
                document["text"] = text.into();
            }
            client.sender.send(serde_json::from_value(one).unwrap()).unwrap();
        }
        let mut shown = Vec::new();
        while shown.len() < 2 {
            let message = client.receiver.recv_timeout(Duration::from_secs(60)).unwrap();
            let message = serde_json::to_value(message).unwrap();
            if message["method"] == "textDocument/publishDiagnostics" {
                shown.push(message["params"]["diagnostics"][0].clone());
            }
        }
        assert_eq!((&shown[0]["code"], &shown[1]["code"]), (&json!("E0203"), &json!("E0203")));
        let offers = |one: &Value| one["message"].as_str().unwrap().contains("write `town`");
        assert!(!offers(&shown[0]) && offers(&shown[1]), "{shown:?}");
        drop(client);
        assert!(!thread.join().unwrap());
    }

    #[test]
    fn of_texts_that_wait_together_the_newest_is_checked() {
        let mut sent = opened();
        for (version, text) in
            [(2, "edition 1\n{"), (3, "edition 1\nkind a is\n"), (4, "edition 1\n")]
        {
            let document = json!({ "uri": "file:///nowhere/a.sut", "version": version });
            let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
            sent.push(json!({ "method": "textDocument/didChange", "params": params }));
        }
        sent.push(json!({ "id": 9, "method": "shutdown" }));
        sent.push(json!({ "method": "exit" }));
        let answers = session(&sent);
        let shown: Vec<&Value> = answers.iter().filter(|m| m.get("id").is_none()).collect();
        assert_eq!(shown.len(), 1, "{shown:?}");
        assert_eq!(shown[0]["params"]["version"], 4);
    }
}
