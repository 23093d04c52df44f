//! `sutler lsp`: the language server over standard input and output.
//!
//! A reader thread queues what the editor sends. What waits is taken together: a request that was
//! cancelled before its turn is answered as such, and of texts that follow each other the newest
//! is checked.

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
            message("error: the editor ended without saying `exit`\n");
            End::Trouble
        }
        Err(error) => {
            message(&format!("error: standard input cannot be read: {error}\n"));
            End::Trouble
        }
    }
}

/// Answers until the editor ends; whether it said so.
fn serve(connection: &Connection) -> bool {
    let mut server = Server::new();
    while let Ok(first) = connection.receiver.recv() {
        let mut waiting = vec![first];
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
                return true;
            }
        }
        if !send(connection, server.settle()) {
            return false;
        }
    }
    false
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
