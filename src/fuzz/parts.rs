//! The parts of a position that it may be without.

use std::collections::BTreeSet;

use serde_json::Value as Json;

/// Where something stands in a position: names of fields and places in lists, from the outside in.
pub type Path = Vec<Key>;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Name(String),
    At(usize),
}

/// Fields without which there is no position, and those of a unit that say which it is.
const KEPT: [&str; 9] = ["schema", "map", "id", "kind", "side", "space", "at", "facing", "title"];

/// All parts that may be taken out, whole things before what is said of them.
pub fn parts(position: &Json) -> Vec<Path> {
    let mut found = Vec::new();
    below(position, &mut Vec::new(), &mut found);
    // The top level is no part, for the fields of a position are only headings.
    found.retain(|path| path.len() > 1);
    found.sort_by_key(Path::len);
    found
}

fn below(json: &Json, path: &mut Path, found: &mut Vec<Path>) {
    let mut each = |key: Key, inner: &Json, goes: bool| {
        path.push(key);
        found.push(path.clone());
        if goes {
            below(inner, path, found);
        }
        path.pop();
    };
    match json {
        Json::Object(fields) => {
            for (name, inner) in fields.iter().filter(|(name, _)| !KEPT.contains(&name.as_str())) {
                each(Key::Name(name.clone()), inner, true);
            }
        }
        // What is stated is a list of lists, each of which is one sentence.
        Json::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                each(Key::At(at), inner, inner.is_object());
            }
        }
        _ => {}
    }
}

/// The position without these parts, and without what is empty then.
pub fn without(position: &Json, gone: &BTreeSet<&Path>) -> Json {
    let mut fewer = copy(position, &mut Vec::new(), gone);
    if let Some(fields) = fewer.as_object_mut() {
        let is_empty = |field: &Json| match field {
            Json::Object(inner) => inner.is_empty(),
            Json::Array(inner) => inner.is_empty(),
            _ => false,
        };
        fields.retain(|_, field| !is_empty(field));
    }
    fewer
}

fn copy(json: &Json, path: &mut Path, gone: &BTreeSet<&Path>) -> Json {
    let mut kept = |key: Key, inner: &Json| {
        path.push(key);
        let kept = (!gone.contains(path)).then(|| copy(inner, path, gone));
        path.pop();
        kept
    };
    match json {
        Json::Object(fields) => {
            let fields = fields.iter().filter_map(|(name, inner)| {
                Some((name.clone(), kept(Key::Name(name.clone()), inner)?))
            });
            Json::Object(fields.collect())
        }
        Json::Array(items) => {
            let items = items.iter().enumerate();
            Json::Array(items.filter_map(|(at, inner)| kept(Key::At(at), inner)).collect())
        }
        plain => plain.clone(),
    }
}
