//! `sutler lsp`: the language server over standard input and output.
//!
//! A reader thread queues what the editor sends. What waits is taken together: a request that was
//! cancelled before its turn is answered as such, and of texts that follow each other the newest
//! is checked. Long work looks at what waits between its parts, and stops if it was cancelled.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};

use super::{End, message};
use crate::halt::Halt;
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

/// What waits, and what is done meanwhile.
#[derive(Default)]
struct Desk {
    waiting: Vec<Message>,
    doing: Doing,
}

#[derive(Default)]
enum Doing {
    /// What is answered soon.
    #[default]
    Short,
    /// Trials of fixes, before which any message comes.
    Fixes,
    /// The request of this number.
    Request(Value),
}

impl Desk {
    /// Whether nobody waits for what is done.
    fn is_idle(&self) -> bool {
        match &self.doing {
            Doing::Short => false,
            Doing::Fixes => !self.waiting.is_empty(),
            Doing::Request(id) => cancelled(&self.waiting).contains(id),
        }
    }
}

fn locked(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers until the editor ends; whether it did so as the protocol says.
fn serve(connection: &Connection) -> bool {
    let mut server = Server::new();
    let desk = Arc::new(Mutex::new(Desk::default()));
    let (queued, shared) = (connection.receiver.clone(), Arc::clone(&desk));
    server.halt_when(Halt::when(move || {
        let mut desk = locked(&shared);
        desk.waiting.extend(queued.try_iter());
        desk.is_idle()
    }));
    loop {
        let Some(waiting) = next(connection, &mut server, &desk) else { return false };
        let cancelled = cancelled(&waiting);
        for one in waiting {
            let out = match &one {
                Message::Request(request) if cancelled.contains(&json!(request.id)) => {
                    vec![refused(request)]
                }
                Message::Request(request) => {
                    locked(&desk).doing = Doing::Request(json!(request.id));
                    server.take(&json(&one))
                }
                one => server.take(&json(one)),
            };
            locked(&desk).doing = Doing::Short;
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

/// All that waits, at least one message; before the first comes, fixes are tried. None once the editor
/// is gone.
fn next(connection: &Connection, server: &mut Server, desk: &Mutex<Desk>) -> Option<Vec<Message>> {
    let queued = &connection.receiver;
    let take = || {
        let mut desk = locked(desk);
        desk.waiting.extend(queued.try_iter());
        std::mem::take(&mut desk.waiting)
    };
    let mut waiting = take();
    while waiting.is_empty() && server.is_unsettled() {
        match queued.recv_timeout(PAUSE) {
            Ok(first) => waiting.push(first),
            Err(error) if error.is_timeout() => {
                locked(desk).doing = Doing::Fixes;
                let out = server.settle();
                locked(desk).doing = Doing::Short;
                if !send(connection, out) {
                    return None;
                }
                waiting = take();
            }
            Err(_) => return None,
        }
    }
    if waiting.is_empty() {
        waiting.push(queued.recv().ok()?);
    }
    waiting.extend(queued.try_iter());
    Some(waiting)
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
    fn a_request_that_is_cancelled_while_it_is_done_is_not_done_to_its_end() {
        let (server, client) = Connection::memory();
        let desk = Arc::new(Mutex::new(Desk::default()));
        let (queued, shared) = (server.receiver.clone(), Arc::clone(&desk));
        let asked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        // The editor cancels when the work looks for the third time at what waits.
        let sender = client.sender.clone();
        let halt = Halt::when(move || {
            if counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 2 {
                let cancel = json!({ "method": "$/cancelRequest", "params": { "id": 7 } });
                sender.send(serde_json::from_value(cancel).unwrap()).unwrap();
            }
            let mut desk = locked(&shared);
            desk.waiting.extend(queued.try_iter());
            desk.is_idle()
        });
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets/soldier_kings/rules.sut");
        let uri = format!("file://{folder}");
        let document = json!({ "uri": uri, "languageId": "sutler", "version": 1, "text": std::fs::read_to_string(folder).unwrap() });
        let mut sutler = Server::new();
        sutler.halt_when(halt);
        sutler.take(&opened()[0]);
        sutler.take(
            &json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        );
        sutler.settle_first();
        let begun = asked.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(begun, 0, "what is no long work asks nothing");
        locked(&desk).doing = Doing::Request(json!(7));
        let params = json!({ "textDocument": { "uri": uri } });
        let answer =
            sutler.take(&json!({ "id": 7, "method": "sutler/coverage", "params": params }));
        assert_eq!(answer[0]["error"]["code"], -32800, "{answer:?}");
        let asked = asked.load(std::sync::atomic::Ordering::Relaxed);
        assert!(asked < 20, "{asked} parts of the work were done");
        // Asked again and not cancelled, it is answered.
        *locked(&desk) = Desk::default();
        let answer =
            sutler.take(&json!({ "id": 8, "method": "sutler/coverage", "params": params }));
        assert!(answer[0]["result"]["cases"].as_u64().unwrap() > 100, "{answer:?}");
    }

    #[test]
    fn a_message_comes_before_trials_of_fixes() {
        let (server, client) = Connection::memory();
        let desk = Arc::new(Mutex::new(Desk { doing: Doing::Fixes, ..Desk::default() }));
        let (queued, shared) = (server.receiver.clone(), Arc::clone(&desk));
        let mut sutler = Server::new();
        sutler.halt_when(Halt::when(move || {
            let mut desk = locked(&shared);
            desk.waiting.extend(queued.try_iter());
            desk.is_idle()
        }));
        let text = "edition 1\nruleset tiny \"Tiny\" prefix T\nkind town, towns is space\nkind army is unit\ndefine far of twon = no army here\n";
        let mut open = opened();
        open[2]["params"]["textDocument"]["text"] = text.into();
        open.iter().for_each(|one| _ = sutler.take(one));
        let shown = sutler.settle_first();
        let offers = |shown: &[Value]| shown.iter().any(|m| m.to_string().contains("write `town`"));
        assert!(!offers(&shown) && sutler.is_unsettled(), "{shown:?}");
        client.sender.send(serde_json::from_value(open[1].clone()).unwrap()).unwrap();
        let halted = sutler.settle();
        assert!(!offers(&halted) && sutler.is_unsettled(), "{halted:?}");
        *locked(&desk) = Desk { doing: Doing::Fixes, ..Desk::default() };
        assert!(offers(&sutler.settle()) && !sutler.is_unsettled());
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
