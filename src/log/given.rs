//! Orders as JSON Lines: `{"turn": 2, "thing": "Keith", "move": "hex 0301"}`.

use serde::{Deserialize, Serialize};

use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code, suggest};
use crate::engine::{Deed, Order};
use crate::ir::*;

use crate::map::{Stand, read_coordinate};
use crate::report::thing_name;
use crate::source::{SourceId, Span};
use crate::world::read_heading;
use crate::world::{ThingRef, World};

/// What is wrong with an order, and what to write instead.
pub type Wrong = (String, String);

/// An order as it is written; exactly one of the deeds stands in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    /// In which turn; in the first, if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// In which phase; in the first that offers it, if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// Who is ordered.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thing: String,
    /// The mark to set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// The fact to clear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clear: Option<String>,
    /// The fact to set, raise or lower as the step says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// Whether to leave the map.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub remove: bool,
    /// The space to move to.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub go: Option<String>,
    /// The trace to follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follow: Option<String>,
    /// The space where it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How to be laid anew on the table: `advance`, `fall back`, `conform` and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The coordinates to lie at, where there are several places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[String; 2]>,
    /// The direction to face there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<String>,
    /// The choice to make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choose: Option<String>,
    /// What is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<String>,
}

impl Given {
    /// An order that was taken, as it is written.
    #[must_use]
    pub fn of(rules: &Ruleset, world: &World, deed: Deed) -> Given {
        let fact = |fact: FactId| rules.facts.get(fact.index()).map(|f| f.name.clone());
        let name = |thing: ThingRef| Some(thing_name(rules, world, thing));
        match deed {
            Deed::Mark(f) => Given { mark: fact(f), ..Given::default() },
            Deed::Clear(f) => Given { clear: fact(f), ..Given::default() },
            Deed::Change(f) => Given { change: fact(f), ..Given::default() },
            Deed::Place(word, stand) => Given {
                place: Some(word.text().to_owned()),
                at: stand.map(|s| [s.x.to_string(), s.y.to_string()]),
                facing: stand.map(|s| s.facing.to_string()),
                ..Given::default()
            },
            Deed::Remove => Given { remove: true, ..Given::default() },
            Deed::Move(space) => Given { go: name(ThingRef::Space(space)), ..Given::default() },
            Deed::Follow(trace, space) => Given {
                follow: rules.traces.get(trace.index()).map(|t| t.name.clone()),
                to: name(ThingRef::Space(space)),
                ..Given::default()
            },
            Deed::Choose(choice, thing) => Given {
                choose: rules.choices.get(choice.index()).map(|c| c.name.clone()),
                is: name(thing),
                ..Given::default()
            },
        }
    }

    /// An order with its phase and the thing that it is given to, as it is written.
    #[must_use]
    pub fn order_of(rules: &Ruleset, world: &World, order: Order) -> Given {
        let phase = order.phase.and_then(|phase| rules.phases.get(phase.index()));
        let thing = match order.thing {
            ThingRef::World => String::new(),
            thing => thing_name(rules, world, thing),
        };
        Given {
            phase: phase.map(|phase| phase.name.clone()),
            thing,
            ..Given::of(rules, world, order.deed)
        }
    }

    /// What the order means in a position, or what is wrong with it.
    pub fn order(&self, rules: &Ruleset, world: &World) -> Result<Order, Wrong> {
        let thing = thing_called(rules, world, &self.thing)?;
        let phase = match &self.phase {
            Some(name) => Some(PhaseId::at(place(
                "phase",
                name,
                rules.phases.iter().map(|p| p.name.as_str()),
            )?)),
            None => None,
        };
        self.nothing_idle()?;
        let deed = self.deed(rules, world, thing)?;
        Ok(Order { thing, deed, phase })
    }

    fn deed(&self, rules: &Ruleset, world: &World, thing: ThingRef) -> Result<Deed, Wrong> {
        let fact = |name: &String, of: Option<ThingRef>| -> Result<FactId, Wrong> {
            let told = |f: &&Fact| of.is_none_or(|of| said_of(rules, world, f.kind, of));
            place("fact", name, rules.facts.iter().filter(told).map(|f| f.name.as_str()))?;
            let called = |f: &Fact| f.name == *name && told(&f);
            // Of several facts of one name that of the thing itself is meant.
            let own =
                rules.facts.iter().position(|f| called(f) && said_of(rules, world, f.kind, thing));
            Ok(FactId::at(own.or_else(|| rules.facts.iter().position(called)).unwrap_or_default()))
        };
        let space = |name: &Option<String>| {
            let name = name.as_deref().unwrap_or_default();
            let spaces = rules.maps.get(world.map.index()).map_or(&[][..], |m| &m.spaces);
            let label = name.strip_prefix("hex ").unwrap_or(name);
            place("space", label, spaces.iter().map(|s| s.id.as_str()))
                .map(|at| u32::try_from(at).unwrap_or(u32::MAX))
        };
        let mut found = Vec::new();
        if let Some(name) = &self.mark {
            found.push(Deed::Mark(fact(name, Some(thing))?));
        }
        if let Some(name) = &self.clear {
            found.push(Deed::Clear(fact(name, None)?));
        }
        if let Some(name) = &self.change {
            found.push(Deed::Change(fact(name, None)?));
        }
        if self.remove {
            found.push(Deed::Remove);
        }
        if self.go.is_some() {
            found.push(Deed::Move(space(&self.go)?));
        }
        for (deed, has, with, is) in [
            ("follow", self.follow.is_some(), "to", self.to.is_some()),
            ("choose", self.choose.is_some(), "is", self.is.is_some()),
        ] {
            if has && !is {
                let help = format!("write `\"{with}\": ...` beside it");
                return Err((format!("`{deed}` stands without `{with}`"), help));
            }
        }
        if let Some(name) = &self.follow {
            let trace = place("trace", name, rules.traces.iter().map(|t| t.name.as_str()))?;
            found.push(Deed::Follow(TraceId::at(trace), space(&self.to)?));
        }
        if let Some(name) = &self.place {
            let words = PlacementWord::ALL.iter().map(|w| w.text());
            let word = PlacementWord::ALL
                .get(place("placement", name, words)?)
                .copied()
                .unwrap_or(PlacementWord::Advance);
            found.push(Deed::Place(word, self.stand()?));
        }
        if let Some(name) = &self.choose {
            let choice = place("choice", name, rules.choices.iter().map(|c| c.name.as_str()))?;
            found.push(Deed::Choose(
                ChoiceId::at(choice),
                thing_called(rules, world, self.is.as_deref().unwrap_or_default())?,
            ));
        }
        match found.as_slice() {
            [one] => Ok(*one),
            [] => Err(("the order says nothing to do".to_owned(), DEEDS.to_owned())),
            _ => Err((
                "the order says two things to do".to_owned(),
                "write a line for each".to_owned(),
            )),
        }
    }
}

impl Given {
    /// Refuses what only stands beside another deed, so that no word of an order is passed over.
    fn nothing_idle(&self) -> Result<(), Wrong> {
        let pairs = [
            ("to", self.to.is_some(), "follow", self.follow.is_some()),
            ("is", self.is.is_some(), "choose", self.choose.is_some()),
            ("at", self.at.is_some(), "place", self.place.is_some()),
            ("facing", self.facing.is_some(), "place", self.place.is_some()),
        ];
        match pairs.iter().find(|(_, has, _, with)| *has && !with) {
            Some((idle, _, deed, _)) => {
                Err((format!("`{idle}` stands without `{deed}`"), DEEDS.to_owned()))
            }
            None => Ok(()),
        }
    }

    /// The place that an order names, if it names one.
    fn stand(&self) -> Result<Option<Stand>, Wrong> {
        let (Some([x, y]), Some(facing)) = (&self.at, &self.facing) else {
            return match (&self.at, &self.facing) {
                (None, None) => Ok(None),
                _ => Err(("a place is `at` and `facing`, both".to_owned(), PLACE.to_owned())),
            };
        };
        let coordinate = |text: &String| {
            read_coordinate(text)
                .ok_or_else(|| (format!("`{text}` is no coordinate"), PLACE.to_owned()))
        };
        let heading = read_heading(facing)
            .ok_or_else(|| (format!("`{facing}` is no direction"), PLACE.to_owned()))?;
        Ok(Some(Stand { x: coordinate(x)?, y: coordinate(y)?, facing: heading }))
    }
}

const PLACE: &str = "write it as in `\"at\": [\"3\", \"19/2\"], \"facing\": \"west\"`";

pub(super) const DEEDS: &str = "write the unit or space as `thing`, and a deed: `mark`, `clear`, `change`, `move`, `follow` with `to`, `choose` with `is`, `place`, or `\"remove\": true`";

fn said_of(rules: &Ruleset, world: &World, kind: KindId, of: ThingRef) -> bool {
    match of {
        ThingRef::Unit(u) => {
            world.units.get(u as usize).is_some_and(|u| rules.is_kind(u.kind, kind))
        }
        ThingRef::Space(_) => rules.top(kind) == KindId::SPACE,
        ThingRef::Link(_) => rules.top(kind) == KindId::LINK,
        ThingRef::Side(_) => rules.top(kind) == KindId::SIDE,
        ThingRef::World => rules.top(kind) == KindId::WORLD,
    }
}

/// A unit, a space or a side by its name; the world, where no name is said.
fn thing_called(rules: &Ruleset, world: &World, name: &str) -> Result<ThingRef, Wrong> {
    if name.is_empty() {
        return Ok(ThingRef::World);
    }
    let spaces = rules.maps.get(world.map.index()).map_or(&[][..], |m| &m.spaces);
    let label = name.strip_prefix("hex ").unwrap_or(name);
    let at = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let unit =
        world.units.iter().position(|u| u.id == name && !u.removed).map(|u| ThingRef::Unit(at(u)));
    let space = || spaces.iter().position(|s| s.id == label).map(|s| ThingRef::Space(at(s)));
    let side =
        || rules.sides.iter().position(|s| s.name == name).map(|s| ThingRef::Side(SideId::at(s)));
    unit.or_else(space).or_else(side).ok_or_else(|| {
        let known =
            world.units.iter().map(|u| u.id.as_str()).chain(spaces.iter().map(|s| s.id.as_str()));
        unknown(
            "unit, space or side",
            name,
            known.chain(rules.sides.iter().map(|s| s.name.as_str())),
        )
    })
}

fn place<'n>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
) -> Result<usize, Wrong> {
    known.clone().position(|k| k == name).ok_or_else(|| unknown(what, name, known))
}

fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> Wrong {
    const FEW: usize = 8;
    let mut all: Vec<&str> = known.clone().collect();
    all.arrange();
    all.dedup();
    let help = match suggest::closest(name, known) {
        Some(near) => format!("write `{near}`"),
        None if (1..=FEW).contains(&all.len()) => {
            let listed: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
            format!("write {}", listed.join(" or "))
        }
        None => format!("name a {what} of the position"),
    };
    (format!("no {what} is called `{name}`"), help)
}

/// The orders of a file, each with its turn and its place; blank lines and lines that begin with
/// `#` are passed over.
pub fn orders(
    text: &str,
    source: SourceId,
    rules: &Ruleset,
    world: &World,
) -> (Vec<(u32, Order, Span)>, Vec<Diagnostic>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end().len();
        let span = Span::new(
            source,
            u32::try_from(at).unwrap_or(u32::MAX),
            u32::try_from(end).unwrap_or(u32::MAX),
        );
        at += line.len();
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let given = super::reading::read(line).and_then(|given| match given.turn {
            Some(0) => {
                Err(("there is no turn 0".to_owned(), "turns are counted from 1".to_owned()))
            }
            _ => Ok(given),
        });
        match given.and_then(|given| Ok((given.turn.unwrap_or(1), given.order(rules, world)?))) {
            Ok((turn, order)) => found.push((turn, order, span)),
            Err((message, help)) => {
                faults.push(Diagnostic::error(code::E1021, span, message).help(help))
            }
        }
    }
    (found, faults)
}
