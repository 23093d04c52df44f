//! All that a ruleset answers to a position: every trace, table and test of every unit on the map,
//! and every trace about spaces.
//!
//! Takes a position; gives texts by the names of things, so that the answers of two rulesets can be
//! laid side by side.

use indexmap::IndexMap;

use crate::ir::*;
use crate::kernel::hex::yes_of;
use crate::kernel::{EvalFault, Position, Value, needs_viewer};
use crate::report::{Decision, all_of_kind, decision, fault_diagnostic, gate_word, thing_name};
use crate::world::ThingRef;

/// What is asked: a trace, a table or a test, of a unit or of the whole game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    /// `trace`, `table` or `test`.
    pub noun: &'static str,
    /// Its name.
    pub name: String,
    /// The id of the unit, or `the world`.
    pub of: String,
}

/// Where the answer to a question comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Trace(TraceId),
    Table(TableId),
    Test(TestId),
}

/// An answer in words, with what it was asked of.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    /// The words: `supplied`, `3`, `loses 3/10, holds 7/10`.
    pub said: String,
    pub thing: ThingRef,
    /// The side that asked about a space.
    pub viewer: Option<SideId>,
    pub asked: Asked,
}

impl Answer {
    /// The answer to a question, asked now.
    pub(super) fn of(
        position: &Position<'_>,
        asked: Asked,
        thing: ThingRef,
        viewer: Option<SideId>,
    ) -> Answer {
        Answer { said: said(position, asked, thing, viewer), thing, viewer, asked }
    }
}

/// What decided an answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Decided {
    /// In words: `through at Holland [SK-22.3a]`.
    pub words: String,
    /// The parts of items that stand in the evidence, as noun, name and part.
    pub parts: Vec<(&'static str, String, String)>,
}

/// The answers to all questions, in the order of the position.
pub(super) fn answers(position: &Position<'_>) -> IndexMap<Question, Answer> {
    let rules = position.rules;
    let units = (0u32..)
        .take(position.world.units.len())
        .filter(|u| position.world.space_of(*u).is_some())
        .map(ThingRef::Unit);
    let mut all = IndexMap::new();
    for thing in units.chain([ThingRef::World]) {
        let of = thing_name(rules, position.world, thing);
        for (noun, name, asked, kind) in questions(rules) {
            if fits(position, kind, thing) {
                let question = Question { noun, name: name.to_owned(), of: of.clone() };
                all.insert(question, Answer::of(position, asked, thing, None));
            }
        }
    }
    about_spaces(position, &mut all);
    all
}

/// All that is asked of units and of the world, in the order of the ruleset: the noun, the name and
/// the kind of which it is asked.
pub(super) fn questions(
    rules: &Ruleset,
) -> impl Iterator<Item = (&'static str, &str, Asked, KindId)> {
    let traces = rules
        .traces
        .iter()
        .enumerate()
        .map(|(at, t)| ("trace", t.name.as_str(), Asked::Trace(TraceId::at(at)), t.of));
    // The table of `over` has no name in the rules; its trace is asked.
    let of_legs: Vec<TableId> = rules.over_tables().collect();
    let named = move |(at, _): &(usize, &Table)| !of_legs.contains(&TableId::at(*at));
    let tables = rules.tables.iter().enumerate().filter(named).map(|(at, t)| {
        let of = t.of.unwrap_or(KindId::WORLD);
        ("table", t.name.as_str(), Asked::Table(TableId::at(at)), of)
    });
    let tests = rules
        .tests
        .iter()
        .enumerate()
        .map(|(at, t)| ("test", t.name.as_str(), Asked::Test(TestId::at(at)), t.of));
    traces.chain(tables).chain(tests)
}

/// Whether something about a kind is asked of a unit or of the world.
pub(super) fn fits(position: &Position<'_>, kind: KindId, thing: ThingRef) -> bool {
    match thing {
        ThingRef::World => kind == KindId::WORLD,
        thing => position.is_kind(thing, kind),
    }
}

/// The sides by which a trace about spaces is asked, where it makes a difference who asks.
pub(super) fn viewers(rules: &Ruleset, trace: TraceId) -> Vec<Option<SideId>> {
    match needs_viewer(rules, trace) {
        true => (0..rules.sides.len()).map(|s| Some(SideId::at(s))).collect(),
        false => vec![None],
    }
}

/// The answer to a question in words; of a trace without what it rests on.
pub(super) fn said(
    position: &Position<'_>,
    asked: Asked,
    thing: ThingRef,
    viewer: Option<SideId>,
) -> String {
    let rules = position.rules;
    let said = match asked {
        Asked::Trace(id) => position
            .seen_by(viewer, || position.is_yes(id, thing))
            .map(|yes| word(rules, id, yes).to_owned()),
        Asked::Table(id) => position.table_values(id, thing).map(|found| {
            rules.tables.get(id.index()).map(|t| values(position, t, &found)).unwrap_or_default()
        }),
        Asked::Test(id) => odds(position, id, thing),
    };
    said.unwrap_or_else(|fault| format!("fault {}", fault_diagnostic(rules, fault).code))
}

/// A space, the side that asks, and the answer in words.
pub(super) type OfSpace = (ThingRef, Option<SideId>, String);

/// The answers of a trace about spaces: space by space, and of each by every side, where it makes a
/// difference who asks.
pub(super) fn of_spaces(
    position: &Position<'_>,
    trace: TraceId,
    spaces: &[ThingRef],
) -> Vec<OfSpace> {
    let viewers = viewers(position.rules, trace);
    let said: Vec<Vec<String>> =
        viewers.iter().map(|viewer| said_together(position, trace, spaces, *viewer)).collect();
    let mut found = Vec::with_capacity(spaces.len() * viewers.len());
    for (at, space) in spaces.iter().enumerate() {
        let of = viewers.iter().zip(&said);
        found
            .extend(of.filter_map(|(viewer, said)| Some((*space, *viewer, said.get(at)?.clone()))));
    }
    found
}

/// The answers of a trace to one side, in words, of spaces that are asked together.
fn said_together(
    position: &Position<'_>,
    trace: TraceId,
    spaces: &[ThingRef],
    viewer: Option<SideId>,
) -> Vec<String> {
    match position.seen_by(viewer, || yes_of(position, trace, spaces)) {
        Ok(all) => all.iter().map(|yes| word(position.rules, trace, *yes).to_owned()).collect(),
        // Each says its own fault.
        Err(_) => {
            let alone = |space: &ThingRef| said(position, Asked::Trace(trace), *space, viewer);
            spaces.iter().map(alone).collect()
        }
    }
}

/// The answer of a trace in its word.
pub(super) fn word(rules: &Ruleset, trace: TraceId, yes: bool) -> &str {
    let set = rules.traces.get(trace.index()).and_then(|t| rules.word_sets.get(t.answers.index()));
    set.and_then(|set| set.words.get(usize::from(!yes))).map_or("", String::as_str)
}

/// The traces about spaces, asked by each side where it makes a difference who asks.
fn about_spaces(position: &Position<'_>, all: &mut IndexMap<Question, Answer>) {
    let rules = position.rules;
    for (id, trace) in
        (0..).map(TraceId::at).zip(&rules.traces).filter(|(_, t)| rules.top(t.of) == KindId::SPACE)
    {
        for thing in all_of_kind(position, trace.of) {
            for viewer in viewers(rules, id) {
                let of = space_asked(position, thing, viewer);
                let question = Question { noun: "trace", name: trace.name.clone(), of };
                all.insert(question, Answer::of(position, Asked::Trace(id), thing, viewer));
            }
        }
    }
}

/// What a space is called in a question, with the side that asks.
pub(super) fn space_asked(
    position: &Position<'_>,
    thing: ThingRef,
    viewer: Option<SideId>,
) -> String {
    let name = thing_name(position.rules, position.world, thing);
    match viewer.and_then(|side| position.rules.sides.get(side.index())) {
        Some(side) => format!("{name} as {}", side.name),
        None => name,
    }
}

fn values(position: &Position<'_>, table: &Table, values: &[Value]) -> String {
    let rules = position.rules;
    let one = |(value, (_, ty)): (&Value, &(String, Type))| match (value, ty) {
        (Value::Word(word), Type::Word(set)) => {
            let words = rules.word_sets.get(set.index()).map_or(&[][..], |s| &s.words);
            words.get(usize::from(*word)).cloned().unwrap_or_default()
        }
        (Value::Number(n), _) => n.to_string(),
        (Value::Truth(true), _) => "yes".to_owned(),
        (Value::Truth(false), _) => "no".to_owned(),
        (Value::Thing(Some(thing)), _) => thing_name(rules, position.world, *thing),
        (Value::Thing(None), _) => "none".to_owned(),
        (Value::Barred | Value::Word(_), _) => "barred".to_owned(),
    };
    values.iter().zip(&table.results).map(one).collect::<Vec<_>>().join(", ")
}

fn odds(position: &Position<'_>, test: TestId, thing: ThingRef) -> Result<String, EvalFault> {
    let rules = position.rules;
    let words = rules
        .tests
        .get(test.index())
        .and_then(|t| rules.word_sets.get(t.outcomes.index()))
        .map_or(&[][..], |s| &s.words);
    let odds = position.odds(test, thing)?;
    let said = odds.iter().map(|(outcome, chance)| {
        let word =
            outcome.and_then(|o| words.get(usize::from(o))).map_or("nothing", String::as_str);
        format!("{word} {chance}")
    });
    Ok(said.collect::<Vec<_>>().join(", "))
}

/// What decided an answer: the gate or the source of a line, the row of a table.
pub(super) fn decided(position: &Position<'_>, answer: &Answer) -> Decided {
    match answer.asked {
        Asked::Trace(trace) => position
            .seen_by(answer.viewer, || of_trace(position, trace, answer.thing))
            .unwrap_or_default(),
        Asked::Table(table) => of_table(position, table, answer.thing).unwrap_or_default(),
        Asked::Test(_) => Decided::default(),
    }
}

fn of_trace(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<Decided, EvalFault> {
    let Decision { answer, budget, source, stop, clauses } = decision(position, trace, thing)?;
    let name =
        position.rules.traces.get(trace.index()).map_or_else(String::new, |t| t.name.clone());
    let mut found = Decided::default();
    let clause = clauses.first().map_or_else(String::new, |c| format!(" [{}]", c.id));
    let length = answer.length.unwrap_or(0);
    let gate = gate_word(answer.gate);
    found.words = match (answer.yes, source, stop) {
        (true, Some(source), _) => format!("{length} to {source}{clause}"),
        (true, None, _) => format!("no line needed{clause}"),
        (false, _, Some(stop)) => format!("{gate} at {stop}{clause}"),
        (false, _, None) => format!("{gate}{clause}"),
    };
    let part = match (answer.yes, source) {
        (false, _) => Some(gate.to_owned()),
        (true, source) => source.map(|source| format!("source {source}")),
    };
    found.parts.extend(part.map(|part| ("trace", name, part)));
    // How far the line may run has decided, where it runs out.
    let ran_out = budget.as_ref().filter(|_| gate == "within");
    if let Some((table, row)) = ran_out.and_then(|b| b.by.split_once(", ")) {
        let row = if row == "otherwise" { row.to_owned() } else { format!("row {row}") };
        found.parts.push(("table", table.to_owned(), row));
    }
    Ok(found)
}

fn of_table(position: &Position<'_>, id: TableId, thing: ThingRef) -> Result<Decided, EvalFault> {
    let mut found = Decided::default();
    let Some(table) = position.rules.tables.get(id.index()) else { return Ok(found) };
    let cx = position.asked_of(thing);
    let mut words = Vec::new();
    for row in &table.rows {
        let holds = match row.when {
            Some(when) => position.holds(when, &cx)?,
            None => true,
        };
        if holds {
            let clause = position
                .rules
                .first_clause(row.line)
                .map_or_else(String::new, |c| format!(" [{c}]"));
            words.push(format!("{}{clause}", row.name));
            let part = if row.name == "otherwise" {
                row.name.clone()
            } else {
                format!("row {}", row.name)
            };
            found.parts.push(("table", table.name.clone(), part));
            // In a grid each cell is a row of what it compiled to.
            found.parts.push(("table", table.name.clone(), format!("cell ({})", row.name)));
            if table.policy != Policy::Sum {
                break;
            }
        }
    }
    found.words = if words.is_empty() { "no row".to_owned() } else { words.join(" + ") };
    Ok(found)
}
