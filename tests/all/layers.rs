//! The layers: an arrow between two folders of `src` runs down the order that `src/lib.rs` and
//! `ARCHITECTURE.md` declare, and so does one between two groups of files of the kernel. The few
//! that still run up are listed with a reason, and the list only shrinks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Arrows between folders that run up today: the file, the folder it reads, and why.
const UP: &[(&str, &str, &str)] = &[
    ("check/base.rs", "kernel", "lays out the setups on tables"),
    ("check/joins.rs", "kernel", "asks of the printed map what a link may join"),
    ("check/tabletop.rs", "kernel", "makes ground of an outline as the kernel does"),
    ("check/test.rs", "kernel", "the amount that is added to dice"),
    ("check/test_proof.rs", "kernel", "adds up dice, to prove that a test has an outcome"),
    ("source/nesting.rs", "diag", "a text that is nested too deep is a diagnostic"),
    ("source/screen.rs", "diag", "what no later stage should read is a diagnostic"),
];

/// Arrows between groups of the kernel that run up today: from, to, and why.
const UP_IN_KERNEL: &[(&str, &str, &str)] = &[
    ("boards", "hexes", "a board keeps what was made ready for its hexes"),
    ("evaluator", "boards", "a position owns its board"),
    ("evaluator", "searches", "a position owns the fields and costs that it has worked out"),
];

/// Crates that one folder or file alone may name.
const KEPT_IN: &[(&str, &[&str])] = &[
    ("arrow_array", &["arrow/"]),
    ("arrow_buffer", &["arrow/"]),
    ("arrow_schema", &["arrow/"]),
    ("indicatif", &["cli/progress.rs"]),
    ("parquet", &["arrow/files.rs"]),
    ("pest", &["syntax/"]),
    ("pest_derive", &["syntax/"]),
    ("lsp_server", &["cli/lsp.rs"]),
    ("miette", &["diag/render.rs"]),
    ("quick_xml", &["sheet/"]),
    ("rhai", &["hooks/"]),
    ("rust_xlsxwriter", &["sheet/"]),
    ("zip", &["sheet/"]),
];

/// A file of `src` without comments, strings and tests.
pub struct File {
    /// Its path below `src`.
    pub path: String,
    /// Its text.
    pub code: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Files that hold only tests are no part of the layers.
fn only_tests(path: &str) -> bool {
    path.ends_with("tests.rs") || path.ends_with("testing.rs")
}

/// All files of `src` but those of tests.
pub fn files() -> Vec<File> {
    let (src, mut found) = (root().join("src"), Vec::new());
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let short = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
                if !only_tests(&short) && short != "lib.rs" && short != "main.rs" {
                    let text = read(&path);
                    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
                    found.push(File { path: short, code: code_of(code) });
                }
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The text without what stands in comments and between quotes.
fn code_of(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") || rest.starts_with("b'\"'") {
            rest.find("\"'").unwrap() + 2
        } else if c == '"' {
            string_end(rest)
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[skip..];
    }
    out
}

/// Where a string ends that begins the text.
fn string_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Every path of the code that begins with `crate` or `super`, with lists in braces written out.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                let mut rest = &code[at..];
                tree(&mut rest, &mut Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Reads one path, or a list of them, behind what stands before it.
fn tree(rest: &mut &str, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    *rest = rest.trim_start();
    if let Some(list) = rest.strip_prefix('{') {
        *rest = list;
        loop {
            tree(rest, &mut before.clone(), found);
            let end = rest.find([',', '}']).unwrap_or(rest.len());
            let closed = rest[end..].starts_with('}');
            *rest = rest.get(end + 1..).unwrap_or_default();
            if closed || rest.is_empty() {
                return;
            }
        }
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    if !name.is_empty() {
        before.push(name.to_owned());
    }
    *rest = after;
    match after.strip_prefix("::") {
        Some(more) if !name.is_empty() => {
            *rest = more;
            tree(rest, before, found);
        }
        _ => found.push(before.clone()),
    }
}

/// The modules that a file reads, as paths from the root of the crate.
fn reads(file: &File) -> Vec<Vec<String>> {
    let mut own: Vec<&str> = file.path.trim_end_matches(".rs").split('/').collect();
    if own.last() == Some(&"mod") {
        own.pop();
    }
    let absolute = |path: Vec<String>| {
        let up = path.iter().take_while(|p| *p == "super").count();
        let below = path.iter().skip(up).filter(|p| *p != "crate").cloned();
        let kept = if up > 0 { own.len().saturating_sub(up) } else { 0 };
        own.iter().take(kept).map(|p| (*p).to_owned()).chain(below).collect()
    };
    paths(&file.code).into_iter().map(absolute).collect()
}

/// The folders in their order, the lowest first.
fn order() -> Vec<String> {
    let modules = code_of(&read(&root().join("src/lib.rs")));
    let line = |line: &str| {
        let name = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?;
        Some(name.strip_suffix(';')?.to_owned())
    };
    // A private module is declared a second time, public, for the tests.
    let mut order: Vec<String> = modules.lines().filter_map(line).collect();
    order.dedup();
    order
}

/// What stands between back quotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A section of the page on the architecture, up to the next heading.
fn section(heading: &str) -> String {
    let page = read(&root().join("ARCHITECTURE.md"));
    let from = page.find(heading).unwrap_or_else(|| panic!("no heading `{heading}`"));
    let rest = &page[from + heading.len()..];
    rest[..rest.find("\n## ").unwrap_or(rest.len())].to_owned()
}

/// The groups of the kernel in their order, each with its files and folders.
fn groups() -> Vec<(String, Vec<String>)> {
    let rows = section("## The kernel");
    let rows = rows.lines().filter(|l| l.starts_with("| ") && l.contains('`'));
    let cells = |row: &str| {
        let mut cells = row.trim_matches('|').split('|');
        let name = cells.next().unwrap().trim().to_owned();
        (name, quoted(cells.next().unwrap()))
    };
    rows.map(cells).collect()
}

/// What must be said of arrows: which run up and are not listed, which are listed and do not occur.
fn judge(up: &BTreeMap<(String, String), String>, listed: &[(&str, &str, &str)]) -> String {
    let mut wrong = String::new();
    let known: BTreeSet<_> = listed.iter().map(|(a, b, _)| (*a, *b)).collect();
    for ((from, to), example) in up {
        if !known.contains(&(from.as_str(), to.as_str())) {
            wrong += &format!("{from} reads {to}, which is above it: {example}\n");
        }
    }
    for (from, to, why) in listed {
        assert!(!why.is_empty());
        if !up.contains_key(&((*from).to_owned(), (*to).to_owned())) {
            wrong += &format!("{from} no longer reads {to}: take it from the list\n");
        }
    }
    wrong
}

#[test]
fn arrows_between_folders_run_down() {
    let order = order();
    let height = |name: &str| order.iter().position(|m| m == name);
    let (mut up, mut arrows) = (BTreeMap::new(), 0);
    for file in files() {
        let own = file.path.split(['/', '.']).next().unwrap();
        let from = height(own).unwrap_or_else(|| panic!("{} is in no folder of lib.rs", file.path));
        for path in reads(&file) {
            let Some(to) = path.first().and_then(|name| height(name)) else { continue };
            arrows += usize::from(to != from);
            if to > from {
                up.insert((file.path.clone(), order[to].clone()), path.join("::"));
            }
        }
    }
    assert!(arrows > 500, "only {arrows} arrows were found");
    assert_eq!(judge(&up, UP), "");
}

#[test]
fn the_page_has_the_folders_in_the_order_of_the_crate() {
    let lines = section("## Layers");
    let numbered = lines.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_digit()));
    let page: Vec<String> = numbered.flat_map(|l| quoted(l.split(": ").next().unwrap())).collect();
    assert_eq!(page, order());
}

#[test]
fn every_file_of_the_kernel_has_one_place() {
    let there: BTreeSet<String> = std::fs::read_dir(root().join("src/kernel"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .filter(|name| name != "mod")
        .collect();
    let named: Vec<String> = groups().into_iter().flat_map(|(_, files)| files).collect();
    let once: BTreeSet<String> = named.iter().cloned().collect();
    assert_eq!(named.len(), once.len(), "a file is named twice");
    let lost: Vec<_> = there.difference(&once).collect();
    let gone: Vec<_> = once.difference(&there).collect();
    assert!(lost.is_empty() && gone.is_empty(), "without a place {lost:?}, not there {gone:?}");
}

/// Where the kernel's own names come from: `pub use answer::{Answer, Gate};` and the like.
fn exported() -> BTreeMap<String, String> {
    let code = code_of(&read(&root().join("src/kernel/mod.rs")));
    let mut from = BTreeMap::new();
    for (at, _) in code.match_indices("pub use ") {
        let (mut rest, mut found) = (&code[at + 8..], Vec::new());
        tree(&mut rest, &mut Vec::new(), &mut found);
        for path in found {
            from.insert(path.last().unwrap().clone(), path[0].clone());
        }
    }
    from
}

#[test]
fn arrows_between_groups_of_the_kernel_run_down() {
    let (groups, exported) = (groups(), exported());
    let group = |name: &str| {
        let name = exported.get(name).map_or(name, String::as_str);
        groups.iter().position(|(_, files)| files.iter().any(|f| f == name))
    };
    let (mut up, mut arrows) = (BTreeMap::new(), 0);
    for file in files().iter().filter(|f| f.path != "kernel/mod.rs") {
        let Some(inner) = file.path.strip_prefix("kernel/") else { continue };
        let from = group(inner.split(['/', '.']).next().unwrap()).unwrap();
        for path in reads(file).iter().filter(|p| p.first().is_some_and(|p| p == "kernel")) {
            let Some(to) = path.get(1).and_then(|name| group(name)) else { continue };
            arrows += usize::from(to != from);
            if to > from {
                let example = format!("{} reads {}", file.path, path.join("::"));
                up.insert((groups[from].0.clone(), groups[to].0.clone()), example);
            }
        }
    }
    assert!(arrows > 100, "only {arrows} arrows were found");
    assert_eq!(judge(&up, UP_IN_KERNEL), "");
}

#[test]
fn some_crates_are_known_in_one_place_only() {
    let (mut wrong, mut seen) = (String::new(), BTreeSet::new());
    for file in files() {
        for (name, places) in KEPT_IN {
            let word = |at: usize| {
                let before = file.code[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            };
            let path = format!("{name}::");
            if file.code.match_indices(&path).any(|(at, _)| word(at)) {
                seen.insert(*name);
                if !places.iter().any(|p| file.path.starts_with(p)) {
                    wrong += &format!("{} names {name}\n", file.path);
                }
            }
        }
    }
    assert_eq!(wrong, "");
    assert_eq!(seen.len(), KEPT_IN.len(), "only {seen:?} are named at all");
}

#[test]
fn the_files_that_the_pages_name_exist() {
    let mut named = 0;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        for path in quoted(&read(&root().join(page))) {
            let first = path.split('/').next().unwrap_or_default();
            if path.contains('/') && !path.contains(' ') && root().join(first).is_dir() {
                assert!(root().join(&path).exists(), "{page} names {path}, which is not there");
                named += 1;
            }
        }
    }
    assert!(named > 40, "only {named} files are named");
}

#[test]
fn paths_are_read_with_their_lists() {
    let code = code_of(
        "use crate::{ir::{Node, Seen as S}, map}; // crate::cli\nsuper::super::x::Y(\"crate::aid\")",
    );
    let found: Vec<String> = paths(&code).iter().map(|p| p.join("::")).collect();
    assert_eq!(found, ["crate::ir::Node", "crate::ir::Seen", "crate::map", "super::super::x::Y"]);
    let file = File { path: "kernel/board/ask.rs".to_owned(), code };
    let of: Vec<String> = reads(&file).iter().map(|p| p.join("::")).collect();
    assert_eq!(of[3], "kernel::x::Y");
}
