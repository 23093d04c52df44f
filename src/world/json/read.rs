//! The reader: a position as a whole.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;

use super::fields::Fields;
use super::names::Names;
use super::reader::{Reader, listed};
use super::{POSITION, POSITION_SCHEMA, text};
use crate::diag::{Diagnostic, code};
use crate::ir::{KindId, MapId, Ruleset, SetupId};
use crate::source::SourceId;
use crate::world::{ThingRef, World};

/// Reads a position.
///
/// Takes any text, and gives a position exactly if there is no fault; as many faults as there are,
/// up to a hundred, in the order of the text. All ids and names are those of the ruleset, the map
/// and the text itself.
#[must_use]
pub fn read(text: &str, source: SourceId, rules: &Ruleset) -> (Option<World>, Vec<Diagnostic>) {
    let value = match text::parse(text, source) {
        Ok(value) => value,
        Err(fault) => return (None, vec![*fault]),
    };
    let mut reader = Reader::new(rules, source);
    let world = reader.position(&value);
    let faults = reader.finish();
    (world.filter(|_| faults.is_empty()), faults)
}

impl<'r> Reader<'r> {
    fn position(&mut self, value: &Value<'_>) -> Option<World> {
        let wanted = "a position";
        if !self.schema_number(value) {
            return None;
        }
        let fields = self.fields(value, wanted, &POSITION)?;
        if let Some(name) = fields.get("$schema") {
            self.text(name, "the name of a schema");
        }
        let (mut world, known) = self.beginning(&fields);
        let mut names = Names::new(world.map_of(self.rules).filter(|_| known));
        for (unit, at) in world.units.iter().zip(0..) {
            names.add_unit(&unit.id, Some((at, unit.kind)));
        }
        if let Some(viewer) = fields.get("viewer") {
            self.viewer(viewer, &mut world);
        }
        if let Some(rulings) = fields.get("rulings") {
            self.rulings(rulings, &mut world);
        }
        if let Some(relations) = fields.get("relations") {
            self.relations(relations, &mut world);
        }
        if let Some(units) = fields.get("units") {
            self.units(units, &mut names, &mut world);
        }
        if let Some(spaces) = fields.get("spaces") {
            self.spaces(spaces, &names, &mut world);
        }
        if let Some(sides) = fields.get("sides") {
            self.sides(sides, &names, &mut world);
        }
        if let Some(facts) = fields.get("world") {
            self.facts(facts, KindId::WORLD, ThingRef::World, &names, &mut world);
        }
        if let Some(kept) = fields.get("kept") {
            self.kept(kept, &names, &mut world);
        }
        if let Some(stated) = fields.get("stated") {
            self.stated(stated, &names, &mut world);
        }
        if known && fields.get("setup").is_none() {
            let place = fields.get("map").map_or(fields.open, Ranged::range);
            self.all_have_what_they_must(place, &world);
        }
        Some(world)
    }

    /// Whether the form is one that this reader knows. Of another form nothing else can be said.
    fn schema_number(&mut self, value: &Value<'_>) -> bool {
        let Value::Object(object) = value else {
            self.sort(value, "a position, an object `{ ... }`,");
            return false;
        };
        let Some(prop) = object.properties.iter().find(|p| p.name.as_str() == "schema") else {
            let start = object.range.start;
            let open = jsonc_parser::common::Range::new(start, start + 1);
            let help = format!("write `\"schema\": {POSITION_SCHEMA}` as its first field");
            self.error(
                code::E0808,
                open,
                "this position does not say which schema it follows",
                help,
            );
            return true;
        };
        if let Value::NumberLit(number) = &prop.value
            && number.value != POSITION_SCHEMA.to_string()
        {
            let message = format!(
                "this position follows schema {}, and only schema {POSITION_SCHEMA} is known",
                number.value
            );
            self.error(
                code::E0808,
                prop.value.range(),
                message,
                "a newer version of the program may read it",
            );
            return false;
        }
        if !matches!(prop.value, Value::NumberLit(_)) {
            self.sort(&prop.value, &format!("the number `{POSITION_SCHEMA}`"));
        }
        true
    }

    /// The position that everything else is applied to, and whether its map is known.
    fn beginning(&mut self, fields: &Fields<'_, '_>) -> (World, bool) {
        let rules = self.rules;
        let map = fields.get("map").map(|value| self.map(value));
        let setup = fields.get("setup").map(|value| self.setup(value));
        match (map, setup) {
            (map, Some(Some(setup))) => {
                let world = crate::world::start(rules, setup);
                if let (Some(Some(map)), Some(value)) = (map, fields.get("map"))
                    && map != world.map
                {
                    let name = world.map_of(rules).map_or("", |m| &m.name);
                    let message = format!("the setup is played on the map `{name}`");
                    self.error(
                        code::E0806,
                        value.range(),
                        message,
                        format!("write `{name}`, or leave the map out"),
                    );
                }
                (world, true)
            }
            (Some(Some(map)), _) => (World::new(rules, map), true),
            (Some(None), _) | (None, Some(None)) => (World::new(rules, MapId(0)), false),
            // Without maps there is nothing to choose from, and no space to name.
            (None, None) if rules.maps.is_empty() => (World::new(rules, MapId(0)), true),
            (None, None) => {
                let maps = listed(rules.maps.iter().map(|m| m.name.as_str()));
                self.error(
                    code::E0804,
                    fields.open,
                    "this position has no `map`",
                    format!("the maps are {maps}"),
                );
                (World::new(rules, MapId(0)), false)
            }
        }
    }

    fn map(&mut self, value: &Value<'_>) -> Option<MapId> {
        let text = self.text(value, "the name of a map")?;
        let rules = self.rules;
        let found = rules.maps.iter().position(|m| m.name == text.value).map(MapId::at);
        if found.is_none() {
            self.unknown(
                code::E0806,
                &text.value,
                text.range,
                "map",
                rules.maps.iter().map(|m| m.name.as_str()),
            );
        }
        found
    }

    fn setup(&mut self, value: &Value<'_>) -> Option<SetupId> {
        let text = self.text(value, "the name of a setup")?;
        let rules = self.rules;
        let found = rules.setups.iter().position(|s| s.name == text.value).map(SetupId::at);
        if found.is_none() {
            self.unknown(
                code::E0806,
                &text.value,
                text.range,
                "setup",
                rules.setups.iter().map(|s| s.name.as_str()),
            );
        }
        found
    }
}
