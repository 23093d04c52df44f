//! Whole processes: how much CPU they take, start-up included.

use std::process::{Command, Stdio};

/// The program that is measured.
const SUTLER: &str = env!("CARGO_BIN_EXE_sutler");

/// A process to run, with what it prints thrown away when it is timed.
#[derive(Clone)]
pub struct Process {
    program: String,
    arguments: Vec<String>,
}

impl Process {
    /// A command of ours.
    pub fn sutler(arguments: &[&str]) -> Process {
        Process::of(SUTLER, arguments)
    }

    pub fn of(program: &str, arguments: &[&str]) -> Process {
        let arguments = arguments.iter().map(|a| (*a).to_owned()).collect();
        Process { program: program.to_owned(), arguments }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    /// What it prints; nothing where there is no such program.
    pub fn output(&self) -> Option<String> {
        let output = self.command().output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Whether it ends as a question that was answered does.
    pub fn is_answered(&self) -> bool {
        let output = self.command().output();
        output.is_ok_and(|o| matches!(o.status.code(), Some(0 | 1)) && !o.stdout.is_empty())
    }

    /// CPU of a run, the mean of `runs`, in milliseconds; nothing where the system does not count it.
    pub fn cpu(&self, runs: u32) -> Option<f64> {
        let before = children()?;
        for _ in 0..runs {
            self.command().stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        }
        Some((children()? - before) / f64::from(runs))
    }
}

/// CPU of all processes that this one has started and waited for, in milliseconds; the system
/// counts in hundredths of a second.
fn children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    // Fields 16 and 17 of the whole line: user and system time of children.
    Some((ticks(13)? + ticks(14)?) * 10.0)
}
