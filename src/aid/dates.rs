//! What comes on which date: phases that wait for a date alone, and units that are due.

use serde::Serialize;

use super::calendar_text::occasion;
use crate::ir::*;
use crate::kernel::{Cx, Position};
use crate::world::{ThingRef, World};

/// Dates beyond this are not listed one by one.
const MOST_DATES: i64 = 1_000;

/// One date, and what comes on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dated {
    /// The date: a stage of the track, or a number.
    pub date: String,
    /// The phases that happen on it and wait for nothing else; of one that happens once, the first
    /// date on which it can.
    pub phases: Vec<Coming>,
    /// The units of the setup of which a fact is this date.
    pub due: Vec<Due>,
}

/// A phase that comes on a date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coming {
    /// Which.
    pub phase: String,
    /// Whether it happens once.
    pub once: bool,
}

/// A unit of which a fact is a date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Due {
    /// Which.
    pub unit: String,
    /// Which fact of it.
    pub fact: String,
}

/// The dates of a game in order, from that of the setup, as far as something comes on them; none for
/// a clock that counts no turns.
#[must_use]
pub fn dates(rules: &Ruleset, setup: Option<SetupId>) -> Vec<Dated> {
    let counted = rules.clock.as_ref().and_then(|clock| clock.counted);
    let Some((turn, fact)) = counted.and_then(|c| Some((c.turn, rules.facts.get(c.turn.index())?)))
    else {
        return Vec::new();
    };
    let mut world = match setup {
        Some(setup) => crate::world::start(rules, setup),
        None => World::new(rules, MapId(0)),
    };
    let first = world.fact(fact, ThingRef::World);
    let last = rules.within(turn, i64::MAX);
    let waiting: Vec<&Phase> = rules.phases.iter().filter(|p| is_by_date(rules, p, turn)).collect();
    let mut begun: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for date in first..=last.min(first.saturating_add(MOST_DATES)) {
        world.set_fact(fact, ThingRef::World, date);
        let phases = coming(rules, &world, &waiting, &mut begun);
        let due = setup.map_or_else(Vec::new, |setup| due(rules, setup, fact.ty, date));
        if !phases.is_empty() || !due.is_empty() {
            let date = crate::report::fact_text(rules, &world, turn, date);
            found.push(Dated { date, phases, due });
        }
    }
    found
}

/// Whether the date alone decides if a phase happens.
fn is_by_date(rules: &Ruleset, phase: &Phase, turn: FactId) -> bool {
    let mut by_date = phase.when.is_some();
    rules.walk(phase.when, |_| true, |_, id| by_date &= reads_only(rules.node(id), turn));
    by_date
}

/// Whether a node, but for its parts, reads nothing but one fact of the world.
fn reads_only(node: &Node, turn: FactId) -> bool {
    match node {
        Node::WorldFact(fact) => *fact == turn,
        Node::Define(_, of) | Node::Table(_, _, of) | Node::Hook(_, of) => of.is_none(),
        Node::Nothing | Node::Truth(_) | Node::Number { .. } | Node::Word(..) | Node::NoThing => {
            true
        }
        Node::Ruling(_) | Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Rank(_) => true,
        Node::Same(..) | Node::Compare(..) | Node::Arithmetic(..) => true,
        Node::Rounded(..) | Node::Extreme { .. } => true,
        Node::Unit(_) | Node::Space(_) | Node::Link(_) | Node::World => false,
        Node::SpaceCalled(_) | Node::Side(_) => false,
        Node::Viewer | Node::Subject(_) | Node::Fact(..) | Node::Pair(..) => false,
        Node::Verdict(..) | Node::Evidence(..) | Node::WouldBe { .. } => false,
        Node::IsKind(..) | Node::Stands(..) | Node::Sides { .. } => false,
        Node::Total | Node::Natural | Node::Outcome(..) | Node::Chance(..) => false,
        Node::Listed(..)
        | Node::Stopped(..)
        | Node::Removed(_)
        | Node::OverStep(_)
        | Node::StepEnd(_)
        | Node::LinkEnd(..) => false,
        Node::Chosen(..) | Node::Any(_) | Node::Only(_) => false,
        Node::Count(_) | Node::Aggregate(..) => false,
    }
}

fn coming<'r>(
    rules: &Ruleset,
    world: &World,
    waiting: &[&'r Phase],
    begun: &mut Vec<&'r str>,
) -> Vec<Coming> {
    let Some(position) = Position::new(rules, world) else { return Vec::new() };
    let mut found = Vec::new();
    for phase in waiting {
        let holds = phase.when.is_some_and(|when| {
            // Where the date cannot be computed, running the phase reports the error.
            position.holds(when, &Cx::world(None)).unwrap_or(false)
        });
        let once = phase.once.is_some();
        if !holds || (once && begun.contains(&phase.name.as_str())) {
            continue;
        }
        begun.push(&phase.name);
        found.push(Coming { phase: phase.name.clone(), once });
    }
    found
}

/// The units of a setup with a fact on the track of the clock that is this date. A unit whose setup
/// states no date is not listed, although its fact has the first stage by default.
fn due(rules: &Ruleset, setup: SetupId, ty: Type, date: i64) -> Vec<Due> {
    let Some(setup) = rules.setups.get(setup.index()) else { return Vec::new() };
    let mut found = Vec::new();
    for unit in &setup.units {
        for (fact, value) in &unit.facts {
            let Some(fact) = rules.facts.get(fact.index()) else { continue };
            if matches!(ty, Type::Word(_)) && fact.ty == ty && *value == date {
                found.push(Due { unit: unit.id.clone(), fact: fact.name.clone() });
            }
        }
    }
    found
}

/// The dates for reading, a line each.
#[must_use]
pub fn dates_text(dates: &[Dated]) -> String {
    let mut out = String::new();
    for one in dates {
        let phase = |p: &Coming| format!("phase {}{}", p.phase, occasion(p.once, None));
        let due = |d: &Due| format!("{} of {}", d.fact, d.unit);
        let all: Vec<String> =
            one.phases.iter().map(phase).chain(one.due.iter().map(due)).collect();
        out.push_str(&format!("  {}: {}\n", one.date, all.join("; ")));
    }
    out
}
