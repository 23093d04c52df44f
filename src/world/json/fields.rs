//! Objects of the text: every key once, and none that nobody reads.

use std::collections::HashMap;

use super::reader::{Reader, listed};
use super::tree::{Entry, Object, Range, Value};
use crate::diag::{Diagnostic, code};

/// As many keys are compared each with each; more are hashed.
const FEW: usize = 16;

/// The fields of an object by name, and where it begins.
pub(super) struct Fields<'v, 'a> {
    entries: &'v [Entry<'a>],
    /// Places of entries whose key has stood before, in their order.
    again: Vec<usize>,
    /// Its opening bracket, where a missing field is missed.
    pub open: Range,
}

impl<'v, 'a> Fields<'v, 'a> {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&'v Value<'a>> {
        self.entries.iter().find(|entry| entry.key.value == name).map(|entry| &entry.value)
    }

    /// All entries in written order: key, its place, value.
    pub fn entries(
        &self,
    ) -> impl Iterator<Item = (&'v str, Range, &'v Value<'a>)> + use<'_, 'v, 'a> {
        let first = |(at, _): &(usize, &Entry<'a>)| self.again.binary_search(at).is_err();
        let entries = self.entries.iter().enumerate().filter(first);
        entries.map(|(_, entry)| (entry.key.value.as_ref(), entry.key.range, &entry.value))
    }
}

impl Reader<'_, '_> {
    /// The entries of an object whose keys are names; anything else is a fault.
    pub fn entries<'v, 'a>(
        &mut self,
        value: &'v Value<'a>,
        wanted: &str,
    ) -> Option<Fields<'v, 'a>> {
        let Value::Object(object) = value else {
            self.sort(value, wanted);
            return None;
        };
        Some(self.once(object))
    }

    /// The fields of an object that has only these.
    pub fn fields<'v, 'a>(
        &mut self,
        value: &'v Value<'a>,
        wanted: &str,
        known: &[&'static str],
    ) -> Option<Fields<'v, 'a>> {
        let fields = self.entries(value, wanted)?;
        for (key, range, _) in fields.entries() {
            if known.contains(&key) {
                continue;
            }
            let near = self.near(key, known.iter().copied());
            let message = format!("`{key}` is no field of {wanted}");
            match near {
                Some(_) => self.unlike(code::E0803, range, message, near),
                None => self.error(
                    code::E0803,
                    range,
                    message,
                    format!("the fields are {}", listed(known.iter().copied())),
                ),
            }
        }
        Some(fields)
    }

    /// Every key of an object with its first value; a second one is a fault, for other programs
    /// keep the last.
    fn once<'v, 'a>(&mut self, object: &'v Object<'a>) -> Fields<'v, 'a> {
        let entries = object.entries.as_slice();
        let again = repeated(entries);
        for (first, second) in again
            .iter()
            .filter_map(|(first, second)| Some((entries.get(*first)?, entries.get(*second)?)))
        {
            let fault = Diagnostic::error(
                code::E0802,
                self.span(second.key.range),
                format!("the key `{}` stands twice", second.key.value),
            )
            .at("again here")
            .label(self.span(first.key.range), "first here")
            .help("remove one of them");
            self.fault(fault);
        }
        let again = again.into_iter().map(|(_, second)| second).collect();
        let start = object.range.start;
        Fields { entries, again, open: Range::new(start, start + 1) }
    }
}

/// Places of equal keys: of the first one, and of one behind it.
fn repeated(entries: &[Entry<'_>]) -> Vec<(usize, usize)> {
    let mut again = Vec::new();
    if entries.len() <= FEW {
        for (second, entry) in entries.iter().enumerate() {
            let before = entries.iter().take(second);
            let first = before.enumerate().find(|(_, e)| e.key.value == entry.key.value);
            again.extend(first.map(|(first, _)| (first, second)));
        }
        return again;
    }
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    for (second, entry) in entries.iter().enumerate() {
        let first = *seen.entry(entry.key.value.as_ref()).or_insert(second);
        if first != second {
            again.push((first, second));
        }
    }
    again
}
