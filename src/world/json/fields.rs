//! Objects of the text: every key once, and none that nobody reads.

use indexmap::IndexMap;
use jsonc_parser::ast::{Object, ObjectProp, ObjectPropName, Value};
use jsonc_parser::common::{Range, Ranged};

use super::reader::{Reader, listed};
use crate::diag::{Diagnostic, code};

/// The fields of an object by name, and where it begins.
pub(super) struct Fields<'v, 'a> {
    found: IndexMap<&'v str, &'v ObjectProp<'a>>,
    /// Its opening bracket, where a missing field is missed.
    pub open: Range,
}

impl<'v, 'a> Fields<'v, 'a> {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&'v Value<'a>> {
        self.found.get(name).map(|p| &p.value)
    }

    /// All entries in written order: key, its place, value.
    pub fn entries(
        &self,
    ) -> impl Iterator<Item = (&'v str, Range, &'v Value<'a>)> + use<'_, 'v, 'a> {
        self.found.iter().map(|(key, prop)| (*key, prop.name.range(), &prop.value))
    }
}

impl Reader<'_> {
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
        let mut found: IndexMap<&str, &ObjectProp<'_>> =
            IndexMap::with_capacity(object.properties.len());
        for prop in &object.properties {
            let key = name(&prop.name);
            match found.get(key) {
                None => {
                    found.insert(key, prop);
                }
                Some(first) => {
                    let fault = Diagnostic::error(
                        code::E0802,
                        self.span(prop.name.range()),
                        format!("the key `{key}` stands twice"),
                    )
                    .at("again here")
                    .label(self.span(first.name.range()), "first here")
                    .help("remove one of them");
                    self.fault(fault);
                }
            }
        }
        let start = object.range.start;
        Fields { found, open: Range::new(start, start + 1) }
    }
}

fn name<'v>(name: &'v ObjectPropName<'_>) -> &'v str {
    match name {
        ObjectPropName::String(text) => &text.value,
        ObjectPropName::Word(word) => word.value,
    }
}
