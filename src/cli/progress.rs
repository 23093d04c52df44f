//! How far a long command has come: one line on standard error, only where that is a terminal, only
//! after a second, and never in what is printed.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Quicker work shows nothing.
const QUICK: Duration = Duration::from_secs(1);
/// Between one showing and the next.
const PAUSE: Duration = Duration::from_millis(200);

/// The line of the command that runs.
static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

struct Shown {
    bar: ProgressBar,
    /// Dropped when the command is done, so that the thread ends before the first second is over.
    _running: mpsc::Sender<()>,
}

/// Begins to count, if anybody sees it; `quiet` as the call says.
pub(super) fn begin(what: &str, quiet: bool) {
    let asked = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    if !shows(quiet || asked("NO_PROGRESS"), std::io::stderr().is_terminal()) {
        return;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    bar.set_style(style("{spinner} {msg} {elapsed}"));
    bar.set_message(what.to_owned());
    let (running, done) = mpsc::channel::<()>();
    let late = bar.clone();
    std::thread::spawn(move || {
        if done.recv_timeout(QUICK) == Err(mpsc::RecvTimeoutError::Timeout) {
            late.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
            late.enable_steady_tick(PAUSE);
        }
    });
    *shown() = Some(Shown { bar, _running: running });
}

/// Whether anybody sees it and wants to.
fn shows(quiet: bool, terminal: bool) -> bool {
    terminal && !quiet
}

/// What is counted, and how many there are if that is known.
pub(super) fn count(what: &str, all: Option<usize>) {
    if let Some(Shown { bar, .. }) = &*shown() {
        let of =
            if all.is_some() { "{bar:30} {pos} of {len} {msg}" } else { "{pos} {msg}, {per_sec}" };
        bar.set_style(style(&format!("{{spinner}} {of}, {{elapsed}}")));
        bar.set_message(what.to_owned());
        bar.reset();
        all.into_iter().for_each(|all| bar.set_length(all as u64));
    }
}

/// Adds to the number of parts that are done.
pub(super) fn more(done: u64) {
    if let Some(Shown { bar, .. }) = &*shown() {
        bar.inc(done);
    }
}

/// Writes to standard error with the line out of the way.
pub(super) fn aside<R>(write: impl FnOnce() -> R) -> R {
    match &*shown() {
        Some(Shown { bar, .. }) => bar.suspend(write),
        None => write(),
    }
}

/// Wipes the line for good.
pub(super) fn end() {
    if let Some(Shown { bar, .. }) = shown().take() {
        bar.finish_and_clear();
    }
}

fn shown() -> MutexGuard<'static, Option<Shown>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_shows_on_a_terminal_alone_and_not_where_it_is_unwanted() {
        assert!(shows(false, true));
        assert!(!shows(false, false) && !shows(true, true) && !shows(true, false));
    }

    #[test]
    fn what_is_drawn_is_what_is_meant() {
        for template in ["{spinner} {msg} {elapsed}", "{spinner} {bar:30} {pos} of {len} {msg}"] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
