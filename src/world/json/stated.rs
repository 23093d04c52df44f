//! What a position says beside its units: rulings, relations, spaces, sides, the world, kept
//! answers.

use super::tree::{Range, Value};

use super::names::{Found, Names, kind_name, words};
use super::reader::{Reader, a};
use super::{SIDE, SPACE};
use crate::diag::{Diagnostic, code};
use crate::ir::{KindId, Relation, SideId, Trace, TraceId};
use crate::world::{ThingRef, World, built_in};

impl Reader<'_, '_> {
    pub fn viewer(&mut self, value: &Value<'_>, world: &mut World) {
        match value {
            Value::Null(_) => world.viewer = None,
            Value::Text(text) => world.viewer = self.side(text).or(world.viewer),
            _ => self.sort(value, "the name of a side, or `null` for none,"),
        }
    }

    pub fn rulings(&mut self, value: &Value<'_>, world: &mut World) {
        let Some(entries) = self.entries(value, "an object with rulings") else {
            return;
        };
        let rules = self.rules;
        for (key, range, value) in entries.entries() {
            let Some(at) = rules.rulings.iter().position(|r| r.name == key) else {
                self.unknown(
                    code::E0806,
                    key,
                    range,
                    "ruling or option",
                    rules.rulings.iter().map(|r| r.name.as_str()),
                );
                continue;
            };
            let reading = match rules.rulings.get(at) {
                Some(ruling) if ruling.option => self.truth(value).map(usize::from),
                Some(ruling) => self.word(value, words(rules, ruling.readings), key),
                None => None,
            };
            if let (Some(reading), Some(cell)) =
                (reading.and_then(|r| u16::try_from(r).ok()), world.readings.get_mut(at))
            {
                *cell = reading;
            }
        }
    }

    pub fn relations(&mut self, value: &Value<'_>, world: &mut World) {
        let Value::List(list) = value else {
            return self.sort(value, "a list of relations");
        };
        let sides = self.rules.sides.len();
        let mut first: Vec<Option<Range>> = vec![None; sides * sides];
        for entry in &list.items {
            let Some((a, b, relation)) = self.relation(entry) else { continue };
            // How two sides stand is one thing, whoever is named first.
            let cell = first.get_mut(a.min(b).index() * sides + a.max(b).index());
            match cell {
                Some(Some(before)) => {
                    let before = *before;
                    let fault = Diagnostic::error(
                        code::E0802,
                        self.span(entry.range()),
                        "how these two sides stand is said twice",
                    )
                    .at("again here")
                    .label(self.span(before), "first here")
                    .help("remove one of them");
                    self.fault(fault);
                }
                Some(cell) => {
                    *cell = Some(entry.range());
                    world.relate(a, b, relation);
                }
                None => {}
            }
        }
    }

    fn relation(&mut self, value: &Value<'_>) -> Option<(SideId, SideId, Relation)> {
        let parts = value.items();
        let Some([Value::Text(left), Value::Text(word), Value::Text(right)]) = parts else {
            let message = "a relation is a list of three texts: side, word, side";
            self.error(
                code::E0804,
                value.range(),
                message,
                "write it as in `[\"Red\", \"enemy_of\", \"Blue\"]`",
            );
            return None;
        };
        let relation = Relation::named(&word.value);
        if relation.is_none() {
            self.unknown(
                code::E0806,
                &word.value,
                word.range,
                "relation",
                Relation::NAMED.iter().map(|(name, _)| *name),
            );
        }
        let (a, b) = (self.side(left), self.side(right));
        let (a, b) = (a?, b?);
        if a == b {
            self.error(
                code::E0804,
                value.range(),
                "a side does not stand to itself",
                "name two sides",
            );
            return None;
        }
        Some((a, b, relation?))
    }

    pub fn spaces(&mut self, value: &Value<'_>, names: &Names<'_, '_>, world: &mut World) {
        let Some(entries) = self.entries(value, "an object with spaces") else {
            return;
        };
        for (key, range, value) in entries.entries() {
            let (at, kind) = match names.space(key) {
                Found::At(at, kind) => (at, kind),
                Found::Lost => continue,
                Found::Unknown => {
                    self.no_space(key, range, names);
                    continue;
                }
            };
            let Some(fields) = self.fields(value, "a space", &SPACE) else {
                continue;
            };
            let of = ThingRef::Space(at);
            if let (Some(value), Some(fact)) =
                (fields.get("control"), self.rules.facts.get(built_in::CONTROL.index()))
            {
                self.built_in(value, fact, of, names, world);
            }
            if let Some(facts) = fields.get("facts") {
                self.facts(facts, kind, of, names, world);
            }
        }
    }

    pub fn sides(&mut self, value: &Value<'_>, names: &Names<'_, '_>, world: &mut World) {
        let Some(entries) = self.entries(value, "an object with sides") else {
            return;
        };
        let rules = self.rules;
        for (key, range, value) in entries.entries() {
            let Some(side) = super::names::side(rules, key) else {
                self.unknown(
                    code::E0806,
                    key,
                    range,
                    "side",
                    rules.sides.iter().map(|s| s.name.as_str()),
                );
                continue;
            };
            let Some(fields) = self.fields(value, "a side", &SIDE) else {
                continue;
            };
            if let Some(facts) = fields.get("facts") {
                self.facts(facts, KindId::SIDE, ThingRef::Side(side), names, world);
            }
        }
    }

    pub fn kept(&mut self, value: &Value<'_>, names: &Names<'_, '_>, world: &mut World) {
        let Some(entries) = self.entries(value, "an object with traces") else {
            return;
        };
        let rules = self.rules;
        for (key, range, value) in entries.entries() {
            let Some(at) = rules.traces.iter().position(|t| t.name == key) else {
                self.unknown(
                    code::E0806,
                    key,
                    range,
                    "trace",
                    rules.traces.iter().map(|t| t.name.as_str()),
                );
                continue;
            };
            if let Some(trace) = rules.traces.get(at) {
                self.answers(value, TraceId::at(at), trace, names, world);
            }
        }
    }

    fn answers(
        &mut self,
        value: &Value<'_>,
        id: TraceId,
        trace: &Trace,
        names: &Names<'_, '_>,
        world: &mut World,
    ) {
        let Some(entries) = self.entries(value, "an object with answers") else {
            return;
        };
        let rules = self.rules;
        let spaces = super::names::top(rules, trace.of) == KindId::SPACE;
        for (key, range, value) in entries.entries() {
            let found = if spaces { names.space(key) } else { names.unit(key) };
            let place = match found {
                Found::At(at, kind) if rules.is_kind(kind, trace.of) => Some(at),
                Found::At(_, kind) => {
                    let (is, wants) = (a(kind_name(rules, kind)), a(kind_name(rules, trace.of)));
                    let message =
                        format!("`{key}` is {is}, and `{}` is asked of {wants}", trace.name);
                    self.error(code::E0806, range, message, "");
                    None
                }
                Found::Lost => None,
                Found::Unknown if spaces => {
                    self.no_space(key, range, names);
                    None
                }
                Found::Unknown => {
                    self.unknown(
                        code::E0806,
                        key,
                        range,
                        kind_name(rules, trace.of),
                        names.unit_ids(),
                    );
                    None
                }
            };
            let answer = self.word(value, words(rules, trace.answers), &trace.name);
            if let (Some(place), Some(answer)) = (place, answer) {
                let of = if spaces { ThingRef::Space(place) } else { ThingRef::Unit(place) };
                world.keep(id, of, Some(answer == 0));
            }
        }
    }
}
