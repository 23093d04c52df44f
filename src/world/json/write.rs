//! The writer: a position as JSON, the same text for the same position.

use super::POSITION_SCHEMA;
use super::names::{facts_of, kind_name, top, words};
use super::pretty::{Json, pretty};
use crate::ir::{Fact, KindId, Ruleset, SideId, TraceId, Type};
use crate::world::{Said, ThingRef, Unit, World, built_in};

/// Writes a position.
///
/// Reading it with the same ruleset gives the same position. Facts that are as the ruleset and the
/// map say at the start are left out, and so are units that the ruleset names and nobody has
/// touched.
#[must_use]
pub fn write(rules: &Ruleset, world: &World) -> String {
    let mut writer = Writer {
        rules,
        world,
        fresh: World::new(rules, world.map),
        facts: (0..rules.kinds.len())
            .map(|kind| facts_of(rules, KindId::at(kind)).collect())
            .collect(),
        fields: Vec::new(),
    };
    writer.position();
    pretty(&Json::Object(writer.fields))
}

struct Writer<'w> {
    rules: &'w Ruleset,
    world: &'w World,
    /// The same map before anything happened.
    fresh: World,
    /// The facts of each kind, found once: a map can have a million spaces.
    facts: Vec<Vec<&'w Fact>>,
    fields: Vec<(String, Json)>,
}

impl Writer<'_> {
    fn position(&mut self) {
        self.add("schema", Json::Number(POSITION_SCHEMA));
        if let Some(map) = self.world.map_of(self.rules) {
            self.add("map", Json::Text(map.name.clone()));
        }
        if let Some(side) = self.world.viewer {
            let name = self.side(side);
            self.add("viewer", name);
        }
        let rulings = self.rulings();
        self.add_some("rulings", Json::Object(rulings));
        let relations = self.relations();
        self.add_some("relations", Json::List(relations));
        let units = self.units();
        self.add_some("units", Json::List(units));
        let spaces = self.spaces();
        self.add_some("spaces", Json::Object(spaces));
        let links = self.links();
        self.add_some("links", Json::List(links));
        let sides = self.sides();
        self.add_some("sides", Json::Object(sides));
        let facts = self.facts(KindId::WORLD, ThingRef::World);
        self.add_some("world", Json::Object(facts));
        let kept = self.kept();
        self.add_some("kept", Json::Object(kept));
        let stated = self.stated();
        self.add_some("stated", Json::List(stated));
    }

    fn add(&mut self, name: &str, value: Json) {
        self.fields.push((name.to_owned(), value));
    }

    /// A field that says something.
    fn add_some(&mut self, name: &str, value: Json) {
        if !matches!(&value, Json::List(items) if items.is_empty())
            && !matches!(&value, Json::Object(fields) if fields.is_empty())
        {
            self.add(name, value);
        }
    }

    fn side(&self, side: SideId) -> Json {
        self.rules.sides.get(side.index()).map_or(Json::Null, |s| Json::Text(s.name.clone()))
    }

    fn rulings(&self) -> Vec<(String, Json)> {
        let changed = self
            .rules
            .rulings
            .iter()
            .zip(&self.world.readings)
            .filter(|(ruling, reading)| ruling.default != **reading);
        changed
            .filter_map(|(ruling, reading)| {
                let value = match ruling.option {
                    true => Json::Truth(*reading == 1),
                    false => Json::Text(
                        words(self.rules, ruling.readings).get(usize::from(*reading))?.clone(),
                    ),
                };
                Some((ruling.name.clone(), value))
            })
            .collect()
    }

    fn relations(&self) -> Vec<Json> {
        let sides = || (0..self.rules.sides.len()).map(SideId::at);
        let mut out = Vec::new();
        for (a, b) in sides().flat_map(|a| sides().filter(move |b| *b > a).map(move |b| (a, b))) {
            let relation = self.world.relation(a, b);
            if relation != self.fresh.relation(a, b) {
                let word = Json::Text(relation.word().to_owned());
                out.push(Json::List(vec![self.side(a), word, self.side(b)]));
            }
        }
        out
    }

    fn units(&self) -> Vec<Json> {
        let named = self.fresh.units.len();
        let as_ever = |at: usize, unit: &Unit| {
            let place = u32::try_from(at).unwrap_or(u32::MAX);
            at < named
                && !self.lacks(unit.kind, ThingRef::Unit(place))
                && self.fresh.units.get(at) == Some(unit)
                && self.fresh.row(place) == self.world.row(place)
        };
        let each = self.world.units.iter().enumerate();
        each.filter(|(at, unit)| !as_ever(*at, unit))
            .map(|(at, unit)| self.unit(at, unit))
            .collect()
    }

    fn unit(&self, at: usize, unit: &Unit) -> Json {
        let of = ThingRef::Unit(u32::try_from(at).unwrap_or(u32::MAX));
        let mut fields = vec![
            ("id".to_owned(), Json::Text(unit.id.clone())),
            ("kind".to_owned(), Json::Text(kind_name(self.rules, unit.kind).to_owned())),
        ];
        // Nobody's unit says so, for a forgotten side would change every answer.
        if let Some(fact) =
            self.rules.facts.get(built_in::OWNER.index()).filter(|_| !self.rules.sides.is_empty())
        {
            fields.push(("side".to_owned(), self.value(fact, self.world.fact(fact, of))));
        }
        if let Some(fact) =
            self.rules.facts.get(built_in::SPACE.index()).filter(|f| self.world.fact(f, of) != 0)
        {
            fields.push(("space".to_owned(), self.value(fact, self.world.fact(fact, of))));
        }
        if let Some(stand) = unit.stand {
            let at = [stand.x, stand.y].map(|c| Json::Text(c.to_string()));
            fields.push(("at".to_owned(), Json::List(at.into())));
            fields.push(("facing".to_owned(), Json::Text(stand.facing.to_string())));
        }
        if unit.title != unit.id {
            fields.push(("title".to_owned(), Json::Text(unit.title.clone())));
        }
        if unit.removed {
            fields.push(("removed".to_owned(), Json::Truth(true)));
        }
        let facts = self.facts(unit.kind, of);
        if !facts.is_empty() {
            fields.push(("facts".to_owned(), Json::Object(facts)));
        }
        Json::Object(fields)
    }

    fn spaces(&self) -> Vec<(String, Json)> {
        let Some(map) = self.world.map_of(self.rules) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for (space, at) in map.spaces.iter().zip(0..) {
            let mut fields = Vec::new();
            if let Some(fact) = self.rules.facts.get(built_in::CONTROL.index())
                && self.changed(fact, ThingRef::Space(at))
            {
                fields.push((
                    "control".to_owned(),
                    self.value(fact, self.world.fact(fact, ThingRef::Space(at))),
                ));
            }
            let facts = self.facts(space.kind, ThingRef::Space(at));
            if !facts.is_empty() {
                fields.push(("facts".to_owned(), Json::Object(facts)));
            }
            if !fields.is_empty() {
                out.push((space.id.clone(), Json::Object(fields)));
            }
        }
        out
    }

    fn links(&self) -> Vec<Json> {
        let Some(map) = self.world.map_of(self.rules) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for (link, at) in map.changing.iter().zip(0..) {
            let facts = self.facts(link.kind, ThingRef::Link(at));
            if !facts.is_empty() {
                out.push(super::links::entry(self.rules, map, link, facts));
            }
        }
        out
    }

    fn sides(&self) -> Vec<(String, Json)> {
        let mut out = Vec::new();
        for (at, side) in self.rules.sides.iter().enumerate() {
            let facts = self.facts(KindId::SIDE, ThingRef::Side(SideId::at(at)));
            if !facts.is_empty() {
                out.push((
                    side.name.clone(),
                    Json::Object(vec![("facts".to_owned(), Json::Object(facts))]),
                ));
            }
        }
        out
    }

    fn kept(&self) -> Vec<(String, Json)> {
        let map = self.world.map_of(self.rules);
        let mut out = Vec::new();
        for (at, trace) in self.rules.traces.iter().enumerate() {
            let spaces = top(self.rules, trace.of) == KindId::SPACE;
            let answers = words(self.rules, trace.answers);
            let row = self.world.kept.get(TraceId::at(at).index()).map_or(&[][..], |row| row);
            let mut entries = Vec::new();
            for (place, answer) in row.iter().enumerate() {
                let id = match spaces {
                    true => map.and_then(|m| m.spaces.get(place)).map(|s| &s.id),
                    false => self.world.units.get(place).map(|u| &u.id),
                };
                let word = answer.and_then(|yes| answers.get(usize::from(!yes)));
                if let (Some(id), Some(word)) = (id, word) {
                    entries.push((id.clone(), Json::Text(word.clone())));
                }
            }
            if !entries.is_empty() {
                out.push((trace.name.clone(), Json::Object(entries)));
            }
        }
        out
    }

    fn stated(&self) -> Vec<Json> {
        let map = self.world.map_of(self.rules);
        let name = |thing: ThingRef| match thing {
            ThingRef::Unit(u) => {
                self.world.units.get(u as usize).map_or(Json::Null, |u| Json::Text(u.id.clone()))
            }
            ThingRef::Space(s) => map
                .and_then(|m| m.spaces.get(s as usize))
                .map_or(Json::Null, |s| Json::Text(s.id.clone())),
            ThingRef::Side(side) => self.side(side),
            ThingRef::Link(_) | ThingRef::World => Json::Null,
        };
        let each = self.world.stated.iter().map(|((pair, from, to), said)| {
            let value = match said {
                Said::Truth(truth) => Json::Truth(truth),
                Said::Amount(amount) if amount.is_integer() => Json::Number(*amount.numer()),
                Said::Amount(amount) => Json::Text(amount.to_string()),
            };
            let pair = Json::Text(self.rules.pair_name(pair).to_owned());
            let fields = [("pair", pair), ("from", name(from)), ("to", name(to)), ("value", value)];
            Json::Object(
                fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect(),
            )
        });
        each.collect()
    }

    /// Whether play has taken from a thing what each of its kind has.
    fn lacks(&self, kind: KindId, of: ThingRef) -> bool {
        let facts = self.facts.get(kind.index()).map_or(&[][..], |facts| facts);
        facts.iter().any(|fact| self.lost(fact, kind, of))
    }

    fn lost(&self, fact: &Fact, kind: KindId, of: ThingRef) -> bool {
        self.rules.must_have(kind, fact) && self.world.fact(fact, of) == 0
    }

    /// The facts of a thing that are not as they were at the start, or that are said to be lost.
    fn facts(&self, kind: KindId, of: ThingRef) -> Vec<(String, Json)> {
        let facts = self.facts.get(kind.index()).map_or(&[][..], |facts| facts);
        facts
            .iter()
            .filter(|fact| self.changed(fact, of) || self.lost(fact, kind, of))
            .map(|fact| (fact.name.clone(), self.value(fact, self.world.fact(fact, of))))
            .collect()
    }

    fn changed(&self, fact: &Fact, of: ThingRef) -> bool {
        self.world.fact(fact, of) != self.fresh.fact(fact, of)
    }

    /// The value in a cell.
    fn value(&self, fact: &Fact, cell: i64) -> Json {
        let text = |name: Option<&String>| name.map_or(Json::Null, |n| Json::Text(n.clone()));
        let place = usize::try_from(cell - 1).ok();
        match fact.ty {
            Type::Truth => Json::Truth(cell != 0),
            Type::Number { .. } => Json::Number(cell),
            Type::Word(set) => {
                text(usize::try_from(cell).ok().and_then(|w| words(self.rules, set).get(w)))
            }
            Type::Thing { kind, .. } => match top(self.rules, kind) {
                KindId::SIDE => text(place.and_then(|p| self.rules.sides.get(p)).map(|s| &s.name)),
                KindId::SPACE => {
                    let map = self.world.map_of(self.rules);
                    text(place.and_then(|p| map?.spaces.get(p)).map(|s| &s.id))
                }
                _ => text(place.and_then(|p| self.world.units.get(p)).map(|u| &u.id)),
            },
        }
    }
}
