//! The library as others build it in: what comes with it, and what does not.

use std::process::Command;

/// What the tree of dependencies holds with these features, by name.
fn dependencies(features: &[&str]) -> Vec<String> {
    let out = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .arg("--no-default-features")
        .args(features)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    let mut names: Vec<String> =
        text.lines().filter_map(|l| Some(l.split_whitespace().next()?.to_owned())).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn the_library_alone_brings_nothing_of_the_command_line() {
    let of_the_command = ["clap", "csv", "miette", "rustix", "tempfile"];
    let alone = dependencies(&[]);
    let whole = dependencies(&["--features", "cli"]);
    for name in of_the_command {
        assert!(!alone.iter().any(|n| n == name), "{name} comes with the library");
        assert!(whole.iter().any(|n| n == name), "{name} does not come with the command");
    }
    // Scripts are a choice of their own.
    assert!(!whole.iter().any(|n| n == "rhai"));
    assert!(dependencies(&["--features", "hooks"]).iter().any(|n| n == "rhai"));
}
