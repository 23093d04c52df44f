//! Where texts come from: what is open in the editor first, then files, on a disk or in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::place::{Encoding, Lines};
use crate::arrange::Arrange as _;
use crate::project::{Parsed, Project};
use crate::source::{MAX_BYTES, read};

/// Files that are not open.
#[derive(Debug)]
pub(super) enum Files {
    /// Those of the disk.
    Disk,
    /// Texts by path, and no disk.
    Memory(BTreeMap<PathBuf, Vec<u8>>),
}

/// A text that is open in the editor.
#[derive(Debug)]
pub(super) struct Open {
    /// Its name as the editor wrote it.
    pub(super) uri: String,
    pub(super) version: Value,
    pub(super) text: String,
}

/// All texts.
#[derive(Debug)]
pub(super) struct Store {
    files: Files,
    pub(super) open: BTreeMap<PathBuf, Open>,
    /// What the editor writes before a path, such as `file://`.
    scheme: String,
}

impl Store {
    pub(super) fn new(files: Files) -> Store {
        Store { files, open: BTreeMap::new(), scheme: "file://".to_owned() }
    }

    /// Reads a path as a project, open texts first; files that stay as they were parsed before are
    /// not parsed again, and fixes may be left for later.
    pub(super) fn project(&self, path: &Path, how: (&Parsed, bool)) -> Project {
        self.project_with(path, &BTreeMap::new(), how)
    }

    /// The same with some texts in place of what is open or in files.
    pub(super) fn project_with(
        &self,
        path: &Path,
        instead: &BTreeMap<PathBuf, String>,
        how: (&Parsed, bool),
    ) -> Project {
        let open = self.open.iter().map(|(path, open)| (path, &open.text));
        let texts = open.chain(instead).map(|(path, text)| (path.clone(), text.clone().into()));
        let (mut all, alone) = match &self.files {
            Files::Disk => (BTreeMap::new(), false),
            Files::Memory(files) => (files.clone(), true),
        };
        all.extend(texts);
        Project::open_again(path, all, alone, how)
    }

    pub(super) fn is_file(&self, path: &Path) -> bool {
        self.open.contains_key(path)
            || match &self.files {
                Files::Disk => path.is_file(),
                Files::Memory(texts) => texts.contains_key(path),
            }
    }

    /// The text of a file as the editor sees it; nothing if it is no UTF-8 or is not there.
    pub(super) fn text(&self, path: &Path) -> Option<Cow<'_, str>> {
        if let Some(open) = self.open.get(path) {
            return Some(Cow::Borrowed(&open.text));
        }
        match &self.files {
            Files::Disk => {
                let bytes = read(path, MAX_BYTES).ok()?;
                String::from_utf8(bytes).ok().map(Cow::Owned)
            }
            Files::Memory(texts) => std::str::from_utf8(texts.get(path)?).ok().map(Cow::Borrowed),
        }
    }

    /// Folders below a folder that hold a ruleset, itself first.
    pub(super) fn rulesets(&self, root: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        match &self.files {
            Files::Disk => rulesets_on_disk(root, 0, &mut found),
            Files::Memory(texts) => {
                let heads = texts.keys().chain(self.open.keys());
                let heads = heads.filter(|p| p.file_name().is_some_and(|n| n == "rules.sut"));
                let folders = heads.filter_map(|p| p.parent().map(Path::to_path_buf));
                found.extend(folders.filter(|f| f.starts_with(root)));
            }
        }
        found.arrange();
        found.dedup();
        found
    }

    /// The path that a name of the editor stands for.
    pub(super) fn path(&self, uri: &str) -> PathBuf {
        let rest = uri.split_once("://").map_or(uri, |(_, rest)| rest);
        // What stands before the first slash is a machine.
        let rest = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest);
        let decoded = decoded(rest);
        match &self.files {
            // `/c:/games` is `c:/games` where disks have letters.
            Files::Disk => match decoded.get(1..3) {
                Some(drive) if drive.ends_with(':') => {
                    PathBuf::from(decoded.get(1..).unwrap_or(""))
                }
                _ => PathBuf::from(decoded),
            },
            Files::Memory(_) => {
                let parts = Path::new(&decoded).components();
                parts.filter(|part| matches!(part, Component::Normal(_))).collect()
            }
        }
    }

    /// The name that the editor has for a path.
    pub(super) fn uri(&self, path: &Path) -> String {
        if let Some(open) = self.open.get(path) {
            return open.uri.clone();
        }
        let text = path.to_string_lossy().replace('\\', "/");
        let slash = if text.starts_with('/') { "" } else { "/" };
        format!("{}{slash}{}", self.scheme, encoded(&text))
    }

    /// Learns from a name how the editor writes names.
    pub(super) fn learn(&mut self, uri: &str) {
        if let Some((scheme, rest)) = uri.split_once("://") {
            let machine = rest.find('/').and_then(|at| rest.get(..at)).unwrap_or("");
            self.scheme = format!("{scheme}://{machine}");
        }
    }

    /// Changes an open text as the editor says; whether it is open.
    pub(super) fn change(&mut self, path: &Path, params: &Value, encoding: Encoding) -> bool {
        let Some(open) = self.open.get_mut(path) else { return false };
        if let Some(version) = params.pointer("/textDocument/version") {
            open.version = version.clone();
        }
        let changes = params.get("contentChanges").and_then(Value::as_array);
        for change in changes.into_iter().flatten() {
            let Some(new) = change.get("text").and_then(Value::as_str) else { continue };
            let Some(range) = change.get("range").filter(|r| r.is_object()) else {
                new.clone_into(&mut open.text);
                continue;
            };
            let lines = Lines::of(open.text.as_str(), encoding);
            let place = |name: &str| range.get(name).and_then(|p| lines.at(p));
            if let (Some(start), Some(end)) = (place("start"), place("end")) {
                open.text.replace_range(start.min(end)..end.max(start), new);
            }
        }
        true
    }
}

/// Folders in folders, this deep at most.
const DEEPEST: usize = 6;

fn rulesets_on_disk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if folder.join("rules.sut").is_file() {
        found.push(folder.to_path_buf());
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .filter(|e| e.file_type().is_ok_and(|t| t.is_dir()))
        .filter(|e| {
            let name = e.file_name();
            let name = name.to_string_lossy();
            !name.starts_with('.') && name != "target" && name != "node_modules"
        })
        .map(|e| e.path())
        .collect();
    folders.arrange();
    if depth < DEEPEST {
        folders.iter().for_each(|folder| rulesets_on_disk(folder, depth + 1, found));
    }
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16));
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn encoded(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-_.~:".contains(&b);
    path.bytes()
        .map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_come_back() {
        let store = Store::new(Files::Disk);
        for path in ["/srv/a b/rules.sut", "/spiel/müller.sut", "/x%y/rules.sut"] {
            assert_eq!(store.path(&store.uri(Path::new(path))), Path::new(path));
        }
        assert_eq!(store.path("file:///C%3A/g/rules.sut"), Path::new("C:/g/rules.sut"));
        let store = Store::new(Files::Memory(BTreeMap::new()));
        assert_eq!(store.path("file:///game/../rules.sut"), Path::new("game/rules.sut"));
        assert_eq!(
            store.path(&store.uri(Path::new("game/rules.sut"))),
            Path::new("game/rules.sut")
        );
    }
}
