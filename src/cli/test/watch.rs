//! `--watch`: the cases again whenever a file of the rulesets changes.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use super::{Args, once};
use crate::cli::{End, message};

/// Files are looked at so often.
const PAUSE: Duration = Duration::from_millis(200);

/// What tells a file from what it was.
type Stamp = (PathBuf, Option<SystemTime>, u64);

/// Runs until standard input is closed; ends as the last run has ended.
pub(super) fn watch(args: &Args) -> End {
    let closed = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&closed);
    // Reading waits, so it has a thread of its own; whatever is typed means nothing.
    thread::spawn(move || {
        let mut room = [0u8; 256];
        while std::io::stdin().read(&mut room).is_ok_and(|n| n > 0) {}
        seen.store(true, Ordering::Relaxed);
    });
    loop {
        let before = stamps(&args.paths);
        let end = once(args);
        message("watching; close standard input to stop\n");
        loop {
            if closed.load(Ordering::Relaxed) {
                return end;
            }
            if stamps(&args.paths) != before {
                break;
            }
            thread::sleep(PAUSE);
        }
    }
}

/// The files that may bear on the rulesets of these paths: theirs, and those of the folders beside
/// them, where parents stand.
fn stamps(paths: &[PathBuf]) -> Vec<Stamp> {
    let mut found = Vec::new();
    for path in paths {
        let folder = if path.is_file() { path.parent().unwrap_or(Path::new("")) } else { path };
        gather(folder, 0, &mut found);
        if folder.join("rules.sut").is_file() {
            // A ruleset may build on one that stands beside it.
            let beside =
                fs::canonicalize(folder).ok().and_then(|f| f.parent().map(Path::to_path_buf));
            beside.iter().for_each(|f| gather(f, 1, &mut found));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The files of a folder and of the folders in it, two deep: a folder of rulesets, a ruleset, its
/// scripts.
fn gather(folder: &Path, depth: usize, found: &mut Vec<Stamp>) {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(here).into_iter().flatten().flatten() {
        let path = folder.join(entry.file_name());
        let Ok(about) = entry.metadata() else { continue };
        if about.is_dir() && depth < 2 {
            gather(&path, depth + 1, found);
        } else if about.is_file() && path.extension().is_some_and(|e| e == "sut" || e == "rhai") {
            found.push((path, about.modified().ok(), about.len()));
        }
    }
}
