//! What is open, by number, each with a thread of its own.
//!
//! A thread of its own, for the stack: hosts call from threads of a mebibyte or less, and the
//! library needs two for the deepest that it accepts. And a context that ends by a fault of ours takes
//! nothing else with it.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use serde_json::json;

use crate::calls;

const STACK: usize = 4 << 20;

/// A call, and where its answer is waited for.
struct Asked {
    call: Vec<u8>,
    answer: Sender<String>,
}

struct Context {
    calls: Sender<Asked>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Contexts {
    open: BTreeMap<u64, Context>,
    last: u64,
}

static CONTEXTS: Mutex<Contexts> = Mutex::new(Contexts { open: BTreeMap::new(), last: 0 });

/// Nothing that holds the lock can leave the map half changed.
fn contexts() -> MutexGuard<'static, Contexts> {
    CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens one and says its number, 0 where no thread can be had.
pub fn open() -> u64 {
    let (calls, asked) = channel();
    let thread = Builder::new().name("sutler".into()).stack_size(STACK);
    let Ok(thread) = thread.spawn(move || serve(&asked)) else { return 0 };
    let mut contexts = contexts();
    contexts.last += 1;
    let number = contexts.last;
    contexts.open.insert(number, Context { calls, thread });
    number
}

/// Ends one, and waits until its thread is gone.
pub fn close(number: u64) {
    let context = contexts().open.remove(&number);
    if let Some(Context { calls, thread }) = context {
        drop(calls);
        // It has ended either way; how it ended was told to whoever asked.
        let _ = thread.join();
    }
}

/// The answer of a call, or why there is none.
pub fn answer(number: u64, call: Vec<u8>) -> String {
    let calls = contexts().open.get(&number).map(|context| context.calls.clone());
    let Some(calls) = calls else {
        return refused(&format!("there is no context {number}"));
    };
    let (answer, answered) = channel();
    let sent = calls.send(Asked { call, answer });
    // A clone that is kept would hold the thread where the context is closed meanwhile.
    drop(calls);
    match sent.ok().and_then(|()| answered.recv().ok()) {
        Some(answer) => answer,
        None => {
            refused(&format!("context {number} has ended by a fault of the library; open another"))
        }
    }
}

/// A refusal in the form of all others.
pub fn refused(message: &str) -> String {
    json!({ "faults": [{ "message": message }] }).to_string()
}

fn serve(asked: &Receiver<Asked>) {
    let mut desk = calls::Desk::default();
    while let Ok(Asked { call, answer }) = asked.recv() {
        // Whoever asked may have gone.
        let _ = answer.send(desk.answer(&call));
    }
}
