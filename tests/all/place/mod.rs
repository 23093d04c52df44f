//! A folder of its own with the little game in it, and the command run there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder of its own, in which the command is run.
pub struct Place(pub TempDir);

pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Place {
    /// A folder with a game in `game`.
    pub fn with(rules: &str) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("game/rules.sut", rules);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn command(&self, args: &[&str]) -> Command {
        command(self.0.path(), args)
    }

    pub fn run(&self, args: &[&str]) -> Said {
        said(&self.command(args).output().unwrap())
    }
}

pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sutler"));
    // Whoever runs the tests may be a build server itself.
    command.current_dir(folder).args(args).stdin(Stdio::null()).env_remove("CI");
    // Long lines stay whole, so that a test finds its words.
    command.env("COLUMNS", "10000");
    command
}

pub fn said(output: &Output) -> Said {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Said {
        code: output.status.code().unwrap_or(-1),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}
