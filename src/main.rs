//! The `sutler` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    sutler::command()
}
