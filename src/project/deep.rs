//! Stacks that are deep enough for all that the limits allow.
//!
//! Text nests up to the depth limit, and each level costs the parser, the checker and the evaluator
//! some stack; a stack of its own makes the limit hold whatever stack the caller has. Only the part
//! that is used takes memory.

use std::cell::Cell;
use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};

const STACK: usize = 64 << 20;

thread_local! {
    static DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Works on a deep stack; one that stands on such a stack already stays there.
pub(crate) fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match try_deep(work) {
        Ok(value) => value,
        Err(error) => {
            std::panic::resume_unwind(Box::new(format!("no thread can be started: {error}")))
        }
    }
}

/// The same, for one that can say so where the system has no room for another stack.
pub(crate) fn try_deep<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if DEEP.get() {
        return Ok(work());
    }
    scope(|scope| {
        let thread = deep(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Threads with deep stacks, as many as wanted and as the system has room for.
pub(crate) fn workers<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    wanted: usize,
    work: impl Fn() -> T + Send + Clone + 'scope,
) -> io::Result<Vec<ScopedJoinHandle<'scope, T>>> {
    let mut threads = Vec::new();
    for _ in 0..wanted.max(1) {
        match deep(scope, work.clone()) {
            Ok(thread) => threads.push(thread),
            Err(error) if threads.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    Ok(threads)
}

fn deep<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let work = || {
        DEEP.set(true);
        work()
    };
    Builder::new().stack_size(STACK).spawn_scoped(scope, work)
}
