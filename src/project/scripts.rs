//! The scripts that hooks name: read from the folder `hooks` of their ruleset, and from nowhere
//! else.
//!
//! Takes a file as it was read; notes in it which text each script has. A name is refused by its
//! letters before any disk is asked, so that no rule can name a file elsewhere.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Diagnostic, code, has_errors};
use crate::source::{SourceMap, screen};
use crate::syntax::ast::{self, Item, ItemKind, OverrideKind, ScriptFile};

/// More bytes than this are no small script.
const MOST_BYTES: u64 = 64 << 10;
/// Names that are no files on some systems, whatever stands behind the dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Reads the scripts that a file names. `find` gives the bytes of a name that is safe, or says what
/// is wrong with it.
pub fn attach(
    file: &mut ast::File,
    sources: &mut SourceMap,
    mut find: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let may = |i: &&mut Arc<Item>| matches!(i.kind, ItemKind::Hook(_) | ItemKind::Override(_));
    for item in file.items.iter_mut().filter(may) {
        let hook = match &mut Arc::make_mut(item).kind {
            ItemKind::Hook(hook) => hook,
            ItemKind::Override(change) => match &mut change.kind {
                OverrideKind::Whole(new) => match &mut new.kind {
                    ItemKind::Hook(hook) => hook,
                    _ => continue,
                },
                _ => continue,
            },
            _ => continue,
        };
        for script in hook.scripts_mut() {
            faults.extend(one(script, sources, &mut find));
        }
    }
    faults
}

/// The bytes of a script in the folder `hooks` of a ruleset's folder.
pub(super) fn from_folder(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    let hooks = folder.join("hooks");
    let path = hooks.join(name);
    let look = |path: &Path| {
        fs::symlink_metadata(path)
            .map_err(|_| format!("there is no file `hooks/{name}` in the ruleset's folder"))
    };
    if look(&hooks)?.is_symlink() {
        return Err("the folder `hooks` is a link, and links are not followed".to_owned());
    }
    let found = look(&path)?;
    if found.is_symlink() {
        return Err(format!("`hooks/{name}` is a link, and links are not followed"));
    }
    if !found.is_file() {
        return Err(format!("`hooks/{name}` is no plain file"));
    }
    let mut bytes = Vec::new();
    let read = fs::File::open(&path).and_then(|f| f.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("`hooks/{name}` cannot be read: {error}")),
    }
}

fn one(
    script: &mut ScriptFile,
    sources: &mut SourceMap,
    find: &mut impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Vec<Diagnostic> {
    let (name, span) = (script.name.text.clone(), script.name.span);
    let refuse = |message: String, help: &str| {
        vec![Diagnostic::error(code::E1101, span, message).help(help)]
    };
    if !is_safe(&name) {
        let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let fault =
            Diagnostic::error(code::E1101, span, format!("`{name}` is no name of a script"));
        let help = "name a file of the folder `hooks`, in letters, digits, `_` and `-`, as in `my_rule.rhai`";
        return vec![if is_safe(last) {
            fault.help(help).suggest(span, format!("\"{last}\""))
        } else {
            fault.help(help)
        }];
    }
    let bytes = match find(&name) {
        Ok(bytes) => bytes,
        Err(message) => {
            return refuse(message, "scripts lie beside `rules.sut` in the folder `hooks`");
        }
    };
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MOST_BYTES {
        return refuse(
            format!("`hooks/{name}` is larger than 64 KiB"),
            "a script fills one gap; say the rest in the language",
        );
    }
    let id = sources.next_id();
    let (text, faults) = screen(&bytes, id);
    sources.add(format!("hooks/{name}"), text);
    if !has_errors(&faults) {
        script.source = Some(id);
    }
    faults.into_iter().map(|f| f.label(span, "asked for here")).collect()
}

/// Letters, digits, `_` and `-`, then `.rhai`: no folder, no parent, no drive, no device.
fn is_safe(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".rhai") else { return false };
    !stem.is_empty()
        && stem.len() <= 100
        && !is_device(stem)
        && stem.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Whether a name is no file on some systems.
pub(super) fn is_device(stem: &str) -> bool {
    let lower = stem.to_ascii_lowercase();
    let port = |p: &str| {
        lower.strip_prefix(p).is_some_and(|n| n.len() == 1 && n.bytes().all(|b| b.is_ascii_digit()))
    };
    DEVICES.contains(&lower.as_str()) || port("com") || port("lpt")
}

#[cfg(test)]
mod tests {
    use super::is_safe;

    #[test]
    fn a_name_leads_nowhere_else() {
        for name in ["cavalry_allowed.rhai", "a.rhai", "Fort-2.rhai", "console.rhai"] {
            assert!(is_safe(name), "{name}");
        }
        let bad = [
            "",
            ".rhai",
            "a",
            "a.txt",
            "../a.rhai",
            "hooks/a.rhai",
            "/a.rhai",
            "a/../b.rhai",
            "..rhai",
            "a.b.rhai",
            "C:a.rhai",
            "a\\b.rhai",
            "nul.rhai",
            "COM1.rhai",
            "é.rhai",
            "a b.rhai",
            "a.rhai ",
            "a\0.rhai",
        ];
        for name in bad {
            assert!(!is_safe(name), "{name:?}");
        }
    }
}
