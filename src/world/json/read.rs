//! The reader: a position as a whole.

use super::fields::Fields;
use super::known::{Beginning, Known};
use super::names::Names;
use super::reader::{Reader, listed};
use super::tree::{Digits, Range, Value};
use super::{POSITION, POSITION_SCHEMA, quick, text};
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
    Positions::new(rules).read(text, source)
}

/// Reads positions of one ruleset, one after another, and keeps what is the same in all.
pub struct Positions<'r> {
    rules: &'r Ruleset,
    known: Known,
}

impl<'r> Positions<'r> {
    /// Positions of a ruleset.
    #[must_use]
    pub fn new(rules: &'r Ruleset) -> Positions<'r> {
        Positions { rules, known: Known::new(rules) }
    }

    /// Reads a position, as [`read`] does.
    #[must_use]
    pub fn read(&self, text: &str, source: SourceId) -> (Option<World>, Vec<Diagnostic>) {
        self.known.read(self.rules, text, source)
    }

    /// A position in which nothing is wrong, or nothing: then [`Positions::read`] says what is.
    #[must_use]
    pub fn read_sound(&self, text: &str) -> Option<World> {
        self.known.read_sound(self.rules, text)
    }

    /// A position, by a tree that knows the places of faults.
    #[cfg(test)]
    pub(super) fn read_placed(
        &self,
        text: &str,
        source: SourceId,
    ) -> (Option<World>, Vec<Diagnostic>) {
        self.known.read_placed(self.rules, text, source)
    }
}

impl Known {
    /// Reads a position of the rules, as [`read`] does.
    #[must_use]
    pub fn read(
        &self,
        rules: &Ruleset,
        text: &str,
        source: SourceId,
    ) -> (Option<World>, Vec<Diagnostic>) {
        // Nearly all are sound, and a sound one needs no places; a page reads few, and loads less code.
        if cfg!(not(target_arch = "wasm32"))
            && let Some(world) = self.read_sound(rules, text)
        {
            return (Some(world), Vec::new());
        }
        self.read_placed(rules, text, source)
    }

    fn read_sound(&self, rules: &Ruleset, text: &str) -> Option<World> {
        let value = quick::parse(text)?;
        let mut reader = Reader::new((rules, self), SourceId::default());
        reader.position(&value).filter(|_| reader.is_sound())
    }

    fn read_placed(
        &self,
        rules: &Ruleset,
        text: &str,
        source: SourceId,
    ) -> (Option<World>, Vec<Diagnostic>) {
        let value = match text::parse(text, source) {
            Ok(value) => value,
            Err(fault) => return (None, vec![*fault]),
        };
        let mut reader = Reader::new((rules, self), source);
        let world = reader.position(&value);
        let faults = reader.finish();
        (world.filter(|_| faults.is_empty()), faults)
    }
}

impl<'k, 'r> Reader<'k, 'r> {
    fn position(&mut self, value: &Value<'_>) -> Option<World> {
        let wanted = "a position";
        if !self.schema_number(value) {
            return None;
        }
        let fields = self.fields(value, wanted, &POSITION)?;
        if let Some(name) = fields.get("$schema") {
            self.text(name, "the name of a schema");
        }
        let (beginning, known) = self.beginning(&fields);
        let mut world = beginning.world.clone();
        let mut names = Names::new((self.rules, self.known), beginning, known);
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
        if let Some(links) = fields.get("links") {
            self.links(links, &names, &mut world);
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
            let place = fields.get("map").map_or(fields.open, Value::range);
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
        let Some(number) = value.get("schema") else {
            let start = object.range.start;
            let open = Range::new(start, start + 1);
            let help = format!("write `\"schema\": {POSITION_SCHEMA}` as its first field");
            self.error(
                code::E0808,
                open,
                "this position does not say which schema it follows",
                help,
            );
            return true;
        };
        let Value::Number(digits) = number else {
            self.sort(number, &format!("the number `{POSITION_SCHEMA}`"));
            return true;
        };
        let said = match digits.value {
            Digits::Whole(POSITION_SCHEMA) => return true,
            Digits::Whole(other) => other.to_string(),
            Digits::Written(text) => text.to_owned(),
        };
        if said == POSITION_SCHEMA.to_string() {
            return true;
        }
        let message = format!(
            "this position follows schema {said}, and only schema {POSITION_SCHEMA} is known"
        );
        let help = "a newer version of the program may read it";
        self.error(code::E0808, digits.range, message, help);
        false
    }

    /// The position that everything else is applied to, and whether its map is known.
    fn beginning(&mut self, fields: &Fields<'_, '_>) -> (&'k Beginning, bool) {
        let (rules, kept) = (self.rules, self.known);
        let map = fields.get("map").map(|value| self.map(value));
        let setup = fields.get("setup").map(|value| self.setup(value));
        match (map, setup) {
            (map, Some(Some(setup))) => {
                let beginning = kept.of_setup(rules, setup);
                let world = &beginning.world;
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
                (beginning, true)
            }
            (Some(Some(map)), _) => (kept.of_map(rules, map), true),
            (Some(None), _) | (None, Some(None)) => (kept.of_map(rules, MapId(0)), false),
            // Without maps there is nothing to choose from, and no space to name.
            (None, None) if rules.maps.is_empty() => (kept.of_map(rules, MapId(0)), true),
            (None, None) => {
                let maps = listed(rules.maps.iter().map(|m| m.name.as_str()));
                self.error(
                    code::E0804,
                    fields.open,
                    "this position has no `map`",
                    format!("the maps are {maps}"),
                );
                (kept.of_map(rules, MapId(0)), false)
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
