//! The units of a position: all ids first, then what is said of each, so that units may name later
//! ones.

use std::collections::HashMap;

use super::tree::{Range, Text, Value};

use super::UNIT;
use super::fields::Fields;
use super::names::{Found, Names, kind_name, top};
use super::reader::{Reader, a};
use crate::diag::{Diagnostic, code};
use crate::ir::{KindId, PutUnit};
use crate::world::{ThingRef, World, built_in};

/// Which ids have stood in the list, and where first.
#[derive(Default)]
struct Listed<'v> {
    /// By the places of units that are known: no text of a position need be hashed for them.
    known: Vec<Option<Range>>,
    others: HashMap<&'v str, Range>,
}

impl<'v> Listed<'v> {
    /// Where the id has stood before.
    fn before(&self, id: &str, found: &Found) -> Option<Range> {
        match found {
            Found::At(at, _) => self.known.get(*at as usize).copied().flatten(),
            Found::Lost | Found::Unknown => self.others.get(id).copied(),
        }
    }

    fn note(&mut self, id: &'v Text<'_>, unit: Option<u32>) {
        let Some(at) = unit.map(|at| at as usize) else {
            self.others.insert(&id.value, id.range);
            return;
        };
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        if let Some(place) = self.known.get_mut(at) {
            *place = Some(id.range);
        }
    }
}

/// One entry whose id is known.
pub(super) struct Entry<'v, 'a> {
    pub fields: Fields<'v, 'a>,
    pub at: u32,
    kind: KindId,
    /// Whether this file puts it.
    new: bool,
}

impl Reader<'_, '_> {
    pub fn units(&mut self, value: &Value<'_>, names: &mut Names<'_, '_>, world: &mut World) {
        let Value::List(list) = value else {
            return self.sort(value, "a list of units");
        };
        let mut listed = Listed::default();
        let entries: Vec<Entry<'_, '_>> = list
            .items
            .iter()
            .filter_map(|unit| self.declare(unit, &mut listed, names, world))
            .collect();
        for entry in &entries {
            self.unit(entry, names, world);
        }
    }

    /// Notes the id of a unit, and puts the unit if it is new.
    fn declare<'v, 'a>(
        &mut self,
        value: &'v Value<'a>,
        listed: &mut Listed<'v>,
        names: &mut Names<'_, '_>,
        world: &mut World,
    ) -> Option<Entry<'v, 'a>> {
        let fields = self.fields(value, "a unit", &UNIT)?;
        let Some(id) = fields.get("id") else {
            self.error(code::E0804, fields.open, "this unit has no `id`", "write `\"id\": \"A\"`");
            return None;
        };
        let id = self.text(id, "the id of the unit")?;
        let known = names.unit(&id.value);
        if let Some(before) = listed.before(&id.value, &known) {
            self.twice(id, before);
            return None;
        }
        let at = if let Found::At(at, _) = known { Some(at) } else { None };
        listed.note(id, at);
        let kind = fields.get("kind").map(|kind| self.unit_kind(kind));
        let new = matches!(known, Found::Unknown);
        let unit = match (known, kind) {
            (Found::At(at, is), None) => Some((at, is)),
            (Found::At(at, is), Some(Some(kind))) => {
                self.same_kind(id, is, kind).then_some((at, is))
            }
            // A faulty kind of a unit that is there says nothing against the unit.
            (Found::At(..) | Found::Lost, _) => return None,
            (Found::Unknown, Some(Some(kind))) => self.put(id, kind, &fields, names, world),
            (Found::Unknown, Some(None)) => None,
            (Found::Unknown, None) => {
                let message = format!("the unit `{}` has no `kind`", id.value);
                self.error(
                    code::E0804,
                    id.range,
                    message,
                    "write `\"kind\": ...`; only a unit that is there already needs none",
                );
                None
            }
        };
        if new {
            names.add_unit(&id.value, unit);
        }
        let (at, kind) = unit?;
        listed.note(id, Some(at));
        Some(Entry { fields, at, kind, new })
    }

    fn twice(&mut self, id: &Text<'_>, before: Range) {
        let fault = Diagnostic::error(
            code::E0807,
            self.span(id.range),
            format!("the unit `{}` stands twice", id.value),
        )
        .at("again here")
        .label(self.span(before), "first here")
        .help("every unit has an id of its own");
        self.fault(fault);
    }

    fn unit_kind(&mut self, value: &Value<'_>) -> Option<KindId> {
        let text = self.text(value, "a kind of unit")?;
        let rules = self.rules;
        let kinds =
            || (0..rules.kinds.len()).map(KindId::at).filter(|k| top(rules, *k) == KindId::UNIT);
        let found = kinds().find(|k| kind_name(rules, *k) == text.value);
        if found.is_none() {
            self.unknown(
                code::E0806,
                &text.value,
                text.range,
                "kind of unit",
                kinds().map(|k| kind_name(rules, k)),
            );
        }
        found
    }

    /// An entry for a unit that is there must mean that unit.
    fn same_kind(&mut self, id: &Text<'_>, is: KindId, said: KindId) -> bool {
        if is == said {
            return true;
        }
        let message = format!(
            "a unit `{}` is there already, and it is {}",
            id.value,
            a(kind_name(self.rules, is))
        );
        self.error(code::E0807, id.range, message, "give the new unit another id");
        false
    }

    fn put(
        &mut self,
        id: &Text<'_>,
        kind: KindId,
        fields: &Fields<'_, '_>,
        names: &Names<'_, '_>,
        world: &mut World,
    ) -> Option<(u32, KindId)> {
        if !self.clean(id) {
            return None;
        }
        if id.value.trim() != id.value || id.value.is_empty() || id.value.contains(['\n', '\t']) {
            self.error(
                code::E0804,
                id.range,
                "an id is a short text on one line without spaces around it",
                "",
            );
            return None;
        }
        let side = super::names::side(self.rules, &id.value).is_some();
        if side || matches!(names.space(&id.value), Found::At(..)) {
            let message = format!("`{}` is the name of a space or a side", id.value);
            self.error(code::E0807, id.range, message, "give the unit another id");
            return None;
        }
        if fields.get("side").is_none() && !self.rules.sides.is_empty() {
            let message = format!("nobody owns `{}`", id.value);
            self.error(
                code::E0804,
                id.range,
                message,
                "write `\"side\": ...`, or `\"side\": null` if nobody should",
            );
        }
        let unit = PutUnit {
            id: id.value.to_string(),
            title: id.value.to_string(),
            kind,
            owner: None,
            space: None,
            facts: Vec::new(),
        };
        Some((world.put(self.rules, &unit), kind))
    }

    /// What is said of one unit.
    fn unit(&mut self, entry: &Entry<'_, '_>, names: &Names<'_, '_>, world: &mut World) {
        let of = ThingRef::Unit(entry.at);
        if let Some(title) = entry.fields.get("title").and_then(|t| self.text(t, "a title"))
            && self.clean(title)
            && let Some(unit) = world.units.get_mut(entry.at as usize)
        {
            unit.title = title.value.to_string();
        }
        if let Some(removed) = entry.fields.get("removed").and_then(|r| self.truth(r)) {
            if removed {
                world.leave(entry.at);
            } else {
                world.set_removed(entry.at, false);
            }
        }
        for (field, fact) in [("side", built_in::OWNER), ("space", built_in::SPACE)] {
            if let (Some(value), Some(fact)) =
                (entry.fields.get(field), self.rules.facts.get(fact.index()))
            {
                self.built_in(value, fact, of, names, world);
            }
        }
        self.stand(entry, world);
        if let Some(facts) = entry.fields.get("facts") {
            self.facts(facts, entry.kind, of, names, world);
        }
        if let Some(id) = entry.fields.get("id").filter(|_| entry.new) {
            self.has_what_it_must(id.range(), of, world);
        }
    }
}
