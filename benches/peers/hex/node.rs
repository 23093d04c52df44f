//! The same by hand in a script, run by node where that is installed: one process, asked a round at
//! a time, so that it takes its turn with the others. It times itself, and is not charged for the
//! pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::hand::{Board, NONE, Plain};

const SCRIPT: &str = include_str!("tidy.js");

/// A running script, loaded with a board and some positions.
pub struct Node {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The script and its data, removed when this is dropped.
    _folder: tempfile::TempDir,
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Node {
    /// Starts the script; nothing where there is no node.
    pub fn start(board: &Board, positions: &[Plain]) -> Option<Node> {
        let folder = tempfile::tempdir().ok()?;
        let (script, data) = (folder.path().join("tidy.js"), folder.path().join("data.json"));
        std::fs::write(&script, SCRIPT).ok()?;
        let near: Vec<i64> = board
            .near
            .iter()
            .flatten()
            .map(|n| if *n == NONE { -1 } else { i64::from(*n) })
            .collect();
        let position = |plain: &Plain| {
            let units: Vec<[u32; 4]> = plain
                .units
                .iter()
                .map(|u| [u32::from(u.side), u32::from(u.horse), u.reach, u.hex])
                .collect();
            serde_json::json!({ "units": units, "control": plain.control })
        };
        let all = serde_json::json!({
            "near": near,
            "roads": board.roads,
            "cost": board.cost,
            "depots": board.depots,
            "positions": positions.iter().map(position).collect::<Vec<_>>(),
        });
        std::fs::write(&data, all.to_string()).ok()?;
        let mut child = Command::new("node")
            .arg(&script)
            .arg(&data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let (to, from) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Node { child, to, from, _folder: folder })
    }

    fn say(&mut self, what: &str) -> String {
        writeln!(self.to, "{what}").unwrap();
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    /// The answers for one position.
    pub fn ask(&mut self, position: usize) -> Vec<bool> {
        self.say(&format!("answers {position}")).chars().map(|c| c == '1').collect()
    }

    /// How long one position takes, in nanoseconds.
    pub fn time(&mut self, position: usize) -> u128 {
        self.say(&format!("time {position}")).parse().unwrap()
    }
}
