//! The values of a question for all its things, as rows.

use std::fmt;

use num_traits::ToPrimitive;
use serde::Serialize;
use serde_json::Value as Json;

use super::trace::columns;
use super::{thing_name, value_text};
use crate::ir::*;
use crate::kernel::{Amount, EvalFault, Position, Value};
use crate::world::ThingRef;

/// What was asked of each thing.
#[derive(Debug, Clone, Serialize)]
pub struct ValueReport {
    /// The schema of this report.
    pub schema: u32,
    /// The ruleset.
    pub ruleset: String,
    /// The hash of its resolved rules.
    pub hash: String,
    /// What was asked, as it was written.
    pub question: String,
    /// The kind of thing; none where the world was asked about.
    pub of: Option<String>,
    /// One row a thing, in the order of the position or of the map.
    pub values: Vec<ValueRow>,
}

/// The value for one thing.
#[derive(Debug, Clone, Serialize)]
pub struct ValueRow {
    /// Its id; `world` for the world.
    pub id: String,
    /// Its side.
    pub side: Option<String>,
    /// Where it stands.
    pub space: Option<String>,
    /// A truth, a whole number, a fraction, word or name as a text, or nothing for `none` and for
    /// what is barred.
    pub value: Json,
    /// The value in words.
    pub words: String,
    /// The value, where it is an amount.
    #[serde(skip)]
    amount: Option<Amount>,
}

impl ValueRow {
    /// The number of floating point that is nearest to the value, where it is an amount.
    #[must_use]
    pub fn nearest(&self) -> Option<f64> {
        self.amount.as_ref().and_then(ToPrimitive::to_f64)
    }
}

/// What a thing is called in answers: its id, and `world` for the world.
#[must_use]
pub fn id_of(position: &Position<'_>, thing: ThingRef) -> String {
    match thing {
        ThingRef::World => "world".to_owned(),
        thing => thing_name(position.rules, position.world, thing),
    }
}

/// All things of a kind that have not left the game, units first; then spaces, sides and the world.
#[must_use]
pub fn all_of_kind(position: &Position<'_>, of: KindId) -> Vec<ThingRef> {
    let count = |all: usize| 0..u32::try_from(all).unwrap_or(u32::MAX);
    let world = position.world;
    let stays = |unit: &u32| world.units.get(*unit as usize).is_some_and(|u| !u.removed);
    let units = count(world.units.len()).filter(stays).map(ThingRef::Unit);
    let spaces = count(position.map.spaces.len()).map(ThingRef::Space);
    let sides = (0..position.rules.sides.len()).map(SideId::at).map(ThingRef::Side);
    let all = units.chain(spaces).chain(sides).chain([ThingRef::World]);
    all.filter(|thing| position.is_kind(*thing, of)).collect()
}

/// Works a question out for things.
pub fn value_rows(
    position: &Position<'_>,
    asked: ExprId,
    things: &[ThingRef],
) -> Result<Vec<ValueRow>, EvalFault> {
    let (rules, world) = (position.rules, position.world);
    let side = |thing: ThingRef| match thing {
        ThingRef::Unit(unit) => world.owner(unit),
        ThingRef::Space(space) => world.control(space),
        ThingRef::Link(_) | ThingRef::Side(_) | ThingRef::World => None,
    };
    let mut rows = Vec::new();
    for thing in things.iter().copied() {
        let value = position.value(asked, &position.asked_of(thing))?;
        let words = match value {
            Value::Barred => "barred".to_owned(),
            value => value_text(position, asked, value),
        };
        let space = match thing {
            ThingRef::Unit(unit) => world.space_of(unit),
            _ => None,
        };
        rows.push(ValueRow {
            id: id_of(position, thing),
            side: side(thing).and_then(|s| rules.sides.get(s.index())).map(|s| s.name.clone()),
            space: space.map(|space| thing_name(rules, world, ThingRef::Space(space))),
            value: as_json(value, &words),
            words,
            amount: match value {
                Value::Number(amount) => Some(amount),
                _ => None,
            },
        });
    }
    Ok(rows)
}

fn as_json(value: Value, words: &str) -> Json {
    match value {
        Value::Truth(truth) => truth.into(),
        Value::Number(n) if n.is_integer() => n.to_integer().into(),
        Value::Thing(None) | Value::Barred => Json::Null,
        Value::Number(_) | Value::Word(_) | Value::Thing(Some(_)) => words.into(),
    }
}

impl fmt::Display for ValueReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&values_text(self, false))
    }
}

/// A report for reading, or with the fewest words.
#[must_use]
pub fn values_text(report: &ValueReport, concise: bool) -> String {
    if concise {
        return report.values.iter().map(|row| format!("{} {}\n", row.id, row.words)).collect();
    }
    let all = |has: &dyn Fn(&ValueRow) -> bool| report.values.iter().any(has);
    let (sides, spaces) = (all(&|r| r.side.is_some()), all(&|r| r.space.is_some()));
    let of = report.of.as_deref().unwrap_or("thing");
    let row = |cells: [&str; 4]| {
        let [id, side, space, value] = cells.map(str::to_owned);
        let mut row = vec![id];
        row.extend(sides.then_some(side).into_iter().chain(spaces.then_some(space)));
        row.push(value);
        row
    };
    let mut rows = vec![row([of, "side", "space", report.question.as_str()])];
    rows.extend(report.values.iter().map(|r| {
        let or_none = |cell: &Option<String>| cell.clone().unwrap_or_default();
        row([r.id.as_str(), &or_none(&r.side), &or_none(&r.space), r.words.as_str()])
    }));
    columns(&rows)
}
