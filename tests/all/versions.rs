//! One version for all that is released together, and a heading for it in the changelog.

use serde_json::Value;

use crate::support::text_of;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first `version = "..."` behind a line, as manifests and lock files have it.
fn toml_version(page: &str, behind: &str) -> String {
    let text = text_of(page);
    let mut lines = text.lines().skip_while(|line| *line != behind);
    let line = lines.find_map(|line| line.strip_prefix("version = \""));
    line.unwrap_or_else(|| panic!("{page} has no version behind `{behind}`"))
        .trim_end_matches('"')
        .to_owned()
}

fn json_version(page: &str, pointer: &str) -> String {
    let data: Value = serde_json::from_str(&text_of(page)).unwrap();
    data.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{page}")).to_owned()
}

#[test]
fn all_that_is_released_together_has_one_version() {
    let manifests = ["wasm/Cargo.toml", "python/Cargo.toml", "c/Cargo.toml"];
    let mut found =
        vec![("python/pyproject.toml", toml_version("python/pyproject.toml", "[project]"))];
    found.extend(manifests.map(|page| (page, toml_version(page, "[package]"))));
    let locks = [
        ("Cargo.lock", "name = \"sutler\""),
        ("wasm/Cargo.lock", "name = \"sutler\""),
        ("wasm/Cargo.lock", "name = \"sutler-wasm\""),
        ("python/Cargo.lock", "name = \"sutler\""),
        ("python/Cargo.lock", "name = \"sutler-python\""),
        ("c/Cargo.lock", "name = \"sutler\""),
        ("c/Cargo.lock", "name = \"sutler-c\""),
        ("fuzz/Cargo.lock", "name = \"sutler\""),
    ];
    found.extend(locks.map(|(page, name)| (page, toml_version(page, name))));
    let packages = [
        ("npm/package.json", "/version"),
        ("web/package.json", "/version"),
        ("web/package-lock.json", "/version"),
        ("web/package-lock.json", "/packages//version"),
        ("editors/vscode/package.json", "/version"),
        ("editors/tree-sitter-sutler/package.json", "/version"),
        ("editors/tree-sitter-sutler/tree-sitter.json", "/metadata/version"),
    ];
    found.extend(packages.map(|(page, pointer)| (page, json_version(page, pointer))));
    let other: Vec<_> = found.iter().filter(|(_, version)| version != VERSION).collect();
    assert!(other.is_empty(), "the crate is {VERSION}: {other:?}");
}

/// A heading is `## 1.2.3, unreleased` or `## 1.2.3, 2026-12-01`, newest first.
#[test]
fn the_changelog_has_a_heading_for_each_version_and_the_first_is_this_one() {
    let text = text_of("CHANGELOG.md");
    let headings: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(|line| line.split_once(", ").unwrap_or_else(|| panic!("no day: {line}")))
        .collect();
    assert_eq!(headings.first().map(|(version, _)| *version), Some(VERSION));
    let number = |version: &str| -> Vec<u64> {
        version
            .split('.')
            .map(|part| part.parse().unwrap_or_else(|_| panic!("{version}")))
            .collect()
    };
    for (version, day) in &headings {
        assert_eq!(number(version).len(), 3, "{version}");
        let dated = day.len() == 10 && day.split('-').all(|part| part.parse::<u32>().is_ok());
        assert!(dated || *day == "unreleased", "{version}, {day}");
    }
    assert!(headings.windows(2).all(|two| number(two[0].0) > number(two[1].0)), "{headings:?}");
}
