//! A command under a limit of memory.
//!
//! An allocation that the system refuses ends a process at once, with a signal and without a word.
//! So where the system limits the memory of a process, the command runs in a second one, and the
//! first reports how that ended. Without a limit there is one process. Knows no commands.

use std::process::ExitCode;

/// Runs the command in a process of its own, if memory is limited here and this is not that process
/// already; nothing where the caller is to run it.
#[cfg(not(target_os = "linux"))]
pub(super) fn watched() -> Option<ExitCode> {
    None
}

/// Runs the command in a process of its own, if memory is limited here and this is not that process
/// already; nothing where the caller is to run it.
#[cfg(target_os = "linux")]
pub(super) fn watched() -> Option<ExitCode> {
    use std::os::unix::process::ExitStatusExt;

    let most = limit()?;
    if std::env::var_os(WATCHED).is_some() {
        // The two end together, also where somebody ends the first alone.
        let _ =
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
        return None;
    }
    // Where there is no room for a second process the command has to do with this one.
    let mut second = second().ok()?;
    let status = second.wait().ok()?;
    if let Some(code) = status.code() {
        return Some(ExitCode::from(u8::try_from(code).unwrap_or(2)));
    }
    let signal = status.signal().unwrap_or_default();
    let abort = rustix::process::Signal::ABORT.as_raw();
    super::message(&if signal == abort {
        format!(
            "error: the command needs more memory than the {} MiB that a process may have here\n  \
             help: files are written whole or not at all; raise the limit (`ulimit -v`), or ask for less at a time\n",
            most / (1024 * 1024)
        )
    } else {
        format!("error: the command was ended by signal {signal}\n")
    });
    Some(ExitCode::from(2))
}

/// In the environment of the second process.
#[cfg(target_os = "linux")]
const WATCHED: &str = "SUTLER_WATCHED";

/// The bytes that a process may have, if they are limited.
#[cfg(target_os = "linux")]
fn limit() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};

    [Resource::As, Resource::Data].into_iter().filter_map(|of| getrlimit(of).current).min()
}

#[cfg(target_os = "linux")]
fn second() -> std::io::Result<std::process::Child> {
    use std::os::unix::process::CommandExt;

    let mut args = std::env::args_os();
    let mut command = std::process::Command::new(std::env::current_exe()?);
    if let Some(name) = args.next() {
        command.arg0(name);
    }
    command.args(args).env(WATCHED, "1").spawn()
}
