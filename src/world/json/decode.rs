//! Values of facts: from JSON to the cell of a position.

use super::tree::{Range, Text, Value};

use super::names::{self, Found, Names, kind_name, top, words};
use super::reader::{Reader, a, listed, quoted};
use crate::diag::{Diagnostic, code};
use crate::ir::{Fact, KindId, Ruleset, Type};
use crate::world::{ThingRef, World};

impl Reader<'_, '_> {
    /// The facts of one thing.
    pub fn facts(
        &mut self,
        value: &Value<'_>,
        kind: KindId,
        of: ThingRef,
        names: &Names<'_, '_>,
        world: &mut World,
    ) {
        let Some(entries) = self.entries(value, "an object with facts") else {
            return;
        };
        for (key, range, value) in entries.entries() {
            match self.known.fact(self.rules, key, kind) {
                Some(fact) if names::built_in(fact) => {
                    let field = if key == "owner" { "side" } else { key };
                    let message = format!("`{key}` has a field of its own");
                    self.error(
                        code::E0806,
                        range,
                        message,
                        format!("write `{}: ...` beside `\"facts\"`", quoted(field)),
                    );
                }
                Some(fact) if names::is_of_map(self.rules, fact) => {
                    let message =
                        format!("`{key}` is printed on the map, and no position changes it");
                    self.error(
                        code::E0806,
                        range,
                        message,
                        match fact.printed {
                            true => "links are made by it; what changes is another fact",
                            false => "declare what changes of a link with `given` or `mark`",
                        },
                    );
                }
                Some(fact) => {
                    if fact.is_required() {
                        self.said.insert((of, fact.name.as_str()));
                        // What each must have may be lost in play, and only then is it written so.
                        if matches!(value, Value::Null(_)) {
                            world.set_fact(fact, of, 0);
                            continue;
                        }
                    }
                    if let Some(cell) = self.value(value, fact.ty, &fact.name, names) {
                        world.set_fact(fact, of, cell);
                    }
                }
                None => self.unknown_fact(key, range, kind),
            }
        }
    }

    fn unknown_fact(&mut self, key: &str, range: Range, kind: KindId) {
        let rules = self.rules;
        let known = || names::facts_of(rules, kind).map(|f| f.name.as_str());
        let what = match kind {
            KindId::WORLD => "the world".to_owned(),
            kind => a(kind_name(rules, kind)),
        };
        let near = self.near(key, known());
        let message = format!("{what} has no fact `{key}`");
        match near {
            Some(_) => self.unlike(code::E0806, range, message, near),
            None if known().next().is_none() => {
                self.error(code::E0806, range, message, format!("{what} has no facts at all"))
            }
            None => {
                self.error(code::E0806, range, message, format!("{what} has {}", listed(known())))
            }
        }
    }

    /// The value of a built-in fact, in its own field.
    pub fn built_in(
        &mut self,
        value: &Value<'_>,
        fact: &Fact,
        of: ThingRef,
        names: &Names<'_, '_>,
        world: &mut World,
    ) {
        if let Some(cell) = self.value(value, fact.ty, &fact.name, names) {
            world.set_fact(fact, of, cell);
        }
    }

    /// A value of a type, encoded as a position keeps it.
    pub fn value(
        &mut self,
        value: &Value<'_>,
        ty: Type,
        name: &str,
        names: &Names<'_, '_>,
    ) -> Option<i64> {
        match ty {
            Type::Truth => self.truth(value).map(i64::from),
            Type::Number { low, high, .. } => self.number(value, name, low, high),
            Type::Word(set) => {
                let rules = self.rules;
                let found = self.word(value, words(rules, set), name)?;
                i64::try_from(found).ok()
            }
            Type::Thing { kind, maybe } => self.thing(value, kind, maybe, name, names),
        }
    }

    fn number(&mut self, value: &Value<'_>, name: &str, low: i64, high: i64) -> Option<i64> {
        if let Value::Text(text) = value {
            // Whoever writes `"5"` or `"3/4"` should read more than that this is a text.
            let span = self.span(text.range);
            let fault = Diagnostic::error(
                code::E0804,
                span,
                format!("`{name}` is a whole number, and this is a text"),
            );
            self.fault(match text.value.parse::<i64>() {
                Ok(number) => fault
                    .help(format!("write `{number}` without quotes"))
                    .suggest(span, number.to_string()),
                Err(_) => fault.help("a position keeps whole numbers only"),
            });
            return None;
        }
        let found = self.whole(value)?;
        if (low..=high).contains(&found) {
            return Some(found);
        }
        let message = format!("{found} lies outside the range of `{name}`, from {low} to {high}");
        self.error(code::E0809, value.range(), message, "");
        None
    }

    /// One of some words, by its place.
    pub fn word(&mut self, value: &Value<'_>, words: &[String], name: &str) -> Option<usize> {
        let Value::Text(text) = value else {
            self.sort(value, &format!("a word of `{name}`"));
            return None;
        };
        let found = words.iter().position(|w| *w == text.value);
        if found.is_none() {
            let message = format!("`{name}` is never `{}`", text.value);
            let near = self.near(&text.value, words.iter().map(String::as_str));
            match near {
                Some(_) => self.unlike(code::E0806, text.range, message, near),
                None => {
                    let words = listed(words.iter().map(String::as_str));
                    self.error(code::E0806, text.range, message, format!("it is one of {words}"));
                }
            }
        }
        found
    }

    /// A thing by its id, or `null` for none.
    fn thing(
        &mut self,
        value: &Value<'_>,
        kind: KindId,
        maybe: bool,
        name: &str,
        names: &Names<'_, '_>,
    ) -> Option<i64> {
        let text = match value {
            Value::Null(_) if maybe => return Some(0),
            Value::Text(text) => text,
            _ => {
                let none = if maybe { ", or `null` for none," } else { "" };
                self.sort(value, &format!("the id of {}{none}", a(kind_name(self.rules, kind))));
                return None;
            }
        };
        match top(self.rules, kind) {
            KindId::SIDE => self.side(text).map(|side| i64::from(side.0) + 1),
            KindId::SPACE => self.placed(names.space(&text.value), text, kind, name, names),
            KindId::UNIT => self.placed(names.unit(&text.value), text, kind, name, names),
            _ => {
                let what = kind_name(self.rules, kind);
                self.error(
                    code::E0806,
                    text.range,
                    format!("no {what} has an id that a position could name"),
                    "write `null`",
                );
                None
            }
        }
    }

    fn placed(
        &mut self,
        found: Found,
        text: &Text<'_>,
        wanted: KindId,
        name: &str,
        names: &Names<'_, '_>,
    ) -> Option<i64> {
        let rules = self.rules;
        match found {
            Found::At(at, kind) if rules.is_kind(kind, wanted) => return Some(i64::from(at) + 1),
            Found::At(_, kind) => {
                let (is, wants) = (a(kind_name(rules, kind)), a(kind_name(rules, wanted)));
                let message = format!("`{}` is {is}, and `{name}` wants {wants}", text.value);
                self.error(code::E0806, text.range, message, "");
            }
            Found::Lost => {}
            Found::Unknown if top(rules, wanted) == KindId::SPACE => {
                self.no_space(&text.value, text.range, names)
            }
            Found::Unknown => self.unknown(
                code::E0806,
                &text.value,
                text.range,
                kind_name(rules, wanted),
                names.unit_ids(),
            ),
        }
        None
    }

    /// An id that is no space of the map.
    pub fn no_space(&mut self, id: &str, range: Range, names: &Names<'_, '_>) {
        self.unknown(code::E0805, id, range, "space of the map", names.space_ids());
    }

    /// A side by its name.
    pub fn side(&mut self, text: &Text<'_>) -> Option<crate::ir::SideId> {
        let rules: &Ruleset = self.rules;
        let found = names::side(rules, &text.value);
        if found.is_none() {
            self.unknown(
                code::E0806,
                &text.value,
                text.range,
                "side",
                rules.sides.iter().map(|s| s.name.as_str()),
            );
        }
        found
    }
}
