//! Threads of the commands, as many as wanted and as the system has room for.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// As large as a main thread's: what one thread answers, every thread answers.
const STACK: usize = 8 << 20;

/// Threads that all do the same work. Without room for any of them it is a fault; fewer than wanted
/// are enough.
pub(crate) fn workers<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    wanted: usize,
    work: impl Fn() -> T + Send + Clone + 'scope,
) -> io::Result<Vec<ScopedJoinHandle<'scope, T>>> {
    let mut threads = Vec::new();
    for _ in 0..wanted.max(1) {
        match Builder::new().stack_size(STACK).spawn_scoped(scope, work.clone()) {
            Ok(thread) => threads.push(thread),
            Err(error) if threads.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    Ok(threads)
}
