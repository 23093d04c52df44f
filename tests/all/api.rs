//! The public names, so that they grow only on purpose: `BLESS=1 cargo test api` writes the list.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names that the crate exports: those of its `pub use` lines that a feature does not hide.
fn exported(lib: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut rest = lib;
    while let Some(at) = rest.find("\npub use ") {
        rest = &rest[at + "\npub use ".len()..];
        let (one, after) = rest.split_once(';').unwrap();
        rest = after;
        let list = one.rsplit("::").next().unwrap();
        let list = one.split_once('{').map_or(list, |(_, list)| list.trim_end_matches('}'));
        let words = list.split(',').map(|w| w.rsplit(" as ").next().unwrap().trim());
        names.extend(words.filter(|w| !w.is_empty()).map(str::to_owned));
    }
    names
}

/// The public functions, fields and variants of exported types in one file.
fn members(text: &str, exported: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    let mut owner: Option<String> = None;
    let mut is_enum = false;
    for line in text.lines() {
        let word = |at: &str| {
            let rest = line.strip_prefix(at)?;
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            Some(rest[..end].to_owned())
        };
        if line == "#[cfg(test)]" {
            return;
        }
        if let Some(name) = word("pub struct ").or(word("pub enum ")).or(word("impl ")) {
            let inherent = !line.starts_with("impl ") || !line.contains(" for ");
            is_enum = line.starts_with("pub enum ");
            owner = Some(name).filter(|n| inherent && exported.contains(n));
        } else if ["impl", "struct ", "enum ", "pub("].iter().any(|at| line.starts_with(at)) {
            owner = None;
        } else if line == "}" {
            (owner, is_enum) = (None, false);
        } else if let Some(owner) = &owner {
            let member = word("    pub fn ").or(word("    pub "));
            let member = member.or_else(|| word("    ").filter(|w| is_enum && !w.is_empty()));
            if let Some(member) = member.filter(|m| !m.is_empty() && m != "const") {
                let call = if line.contains("fn ") { "()" } else { "" };
                found.insert(format!("{owner}::{member}{call}"));
            }
        }
    }
}

#[test]
fn the_public_names_are_those_of_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lib = fs::read_to_string(root.join("src/lib.rs")).unwrap();
    let names = exported(&lib);
    let mut found = names.clone();
    for folder in ["src/facade", "src/report", "src/diag", "src/lsp"] {
        for entry in fs::read_dir(root.join(folder)).unwrap().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "rs") {
                members(&fs::read_to_string(&path).unwrap(), &names, &mut found);
            }
        }
    }
    // Of what is around it, `play` keeps names of its own that others have too.
    members(&fs::read_to_string(root.join("src/play/games.rs")).unwrap(), &names, &mut found);
    // The one public module.
    let module = fs::read_to_string(root.join("src/arrow/mod.rs")).unwrap();
    let (names, mut within) = (exported(&module), BTreeSet::new());
    for file in ["asked.rs", "table.rs", "files.rs"] {
        let text = fs::read_to_string(root.join("src/arrow").join(file)).unwrap();
        members(&text.replace("impl<W: Write + Send> ", "impl "), &names, &mut within);
    }
    found.extend(names.iter().chain(&within).map(|name| format!("arrow::{name}")));
    let list: String = found.iter().map(|name| format!("{name}\n")).collect();
    let path = root.join("tests/all/api.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &list).unwrap();
    }
    let listed = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(list, listed, "see whether the change is meant, then write the list with BLESS=1");
    // Modules are private but for the tests of this package.
    let modules = lib.lines().filter(|line| line.starts_with("pub mod "));
    for line in modules.filter(|line| *line != "pub mod arrow;") {
        let at = lib.find(line).unwrap();
        assert!(lib[..at].ends_with("#[doc(hidden)]\n"), "{line}");
    }
}
