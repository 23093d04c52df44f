//! Why one unit is supplied or not: the line with its costs, or the first gate on each frontier.

use serde::Serialize;

use super::bearing::own_text;
use super::crossed::{Crossed, crossed};
use super::reason::{Because, because, because_text, lacking_text};
use super::{gate_word, thing_name, ways_text};
use crate::engine::{Ways, offers};
use crate::ir::*;
use crate::kernel::answer::Stretch;
use crate::kernel::{Answer, Cx, EvalFault, Position};
use crate::world::ThingRef;

/// Everything that bears on one answer.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// The schema of this record.
    pub schema: u32,
    /// The hash of the resolved rules.
    pub hash: String,
    /// The unit or space.
    pub id: String,
    /// Its side.
    pub side: Option<String>,
    /// Where it stands.
    pub space: Option<String>,
    /// The trace.
    pub trace: String,
    /// The answer.
    pub state: String,
    /// Whether the answer is the yes of the trace.
    pub yes: bool,
    /// What a phase has kept, if that differs from the answer now.
    pub kept: Option<String>,
    /// How long the line may be, and the row that says so.
    pub budget: Option<Budgeted>,
    /// How long the whole line is; none where there is none, or none is needed.
    pub length: Option<u32>,
    /// The line, space by space with the length so far.
    pub route: Vec<Stage>,
    /// The stretches of the line with their lengths, a leg each, from relay to relay.
    pub legs: Vec<Stretched>,
    /// The name of its source.
    pub source: Option<String>,
    /// What decided: the gate of a no, `open` for a yes.
    pub gate: &'static str,
    /// The space that stopped it.
    pub stop: Option<String>,
    /// The leg that was stopped there.
    pub leg: Option<String>,
    /// The parts of the condition that decided, where one did: a shut gate, an `always`, a `never`.
    pub because: Vec<Because>,
    /// The crossings that keep it from a line, or from a shorter one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crossings: Vec<Crossed>,
    /// The rule that decided, in the words of the file, and its clauses.
    pub rule: String,
    /// The clauses that the rule cites.
    pub clauses: Vec<Cited>,
    /// For a no: the answers of other traces that an `always` rests on and that keep it from
    /// holding.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmet: Vec<Because>,
    /// For a no: where every way out stops, leg by leg, nearest first.
    pub frontiers: Vec<Frontier>,
    /// Whether the trace has several legs.
    #[serde(skip)]
    pub many_legs: bool,
    /// What the unit may or must do.
    pub offers: Vec<String>,
    /// The hooks that were asked of the unit and of the spaces named here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<Filled>,
}

/// What a hook came to.
#[derive(Debug, Clone, Serialize)]
pub struct Filled {
    /// The hook.
    pub hook: String,
    /// What it was asked of.
    pub of: String,
    /// The amount.
    pub value: String,
    /// The file of its script; none where `otherwise` holds.
    pub script: Option<String>,
}

/// A clause with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cited {
    /// Its id.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// How long a line may be.
#[derive(Debug, Clone, Serialize)]
pub struct Budgeted {
    /// The amount.
    pub amount: u32,
    /// Its dimension.
    pub dimension: String,
    /// What says so: the table and the row, or the amount as written.
    pub by: String,
    /// The first clause of that row.
    pub clause: Option<String>,
}

/// One space of a line.
#[derive(Debug, Clone, Serialize)]
pub struct Stage {
    /// The leg.
    pub leg: String,
    /// The space.
    pub space: String,
    /// The length of the leg so far.
    pub length: u32,
    /// What the step into this space cost; nothing for the first space of a leg.
    pub step: u32,
    /// The gate that is asked of it: `from`, `through` or `into`.
    pub gate: &'static str,
    /// The first clause of that gate.
    pub clause: Option<String>,
    /// Whether a relay stands here, at which the line begins again.
    pub relay: bool,
}

/// One stretch of a line: a leg from its first space to its last.
#[derive(Debug, Clone, Serialize)]
pub struct Stretched {
    /// The leg.
    pub leg: String,
    /// How long it is.
    pub length: u32,
    /// How long it may be; none for unlimited.
    pub budget: Option<u32>,
    /// The first clause of that.
    pub clause: Option<String>,
    /// The relay at which it ends; none at a joint or at the source.
    pub relay: Option<String>,
}

/// Where a way out stops.
#[derive(Debug, Clone, Serialize)]
pub struct Frontier {
    /// The leg.
    pub leg: String,
    /// The space.
    pub space: String,
    /// How far it is on that leg.
    pub length: u32,
    /// The gate that is shut there, or `within` where the budget ends.
    pub gate: &'static str,
    /// The units that shut it, each of them alone, there or near; all that are near if none alone
    /// does.
    pub by: Vec<String>,
    /// What shuts it beside units: `control` if that it is not the unit's own side's, `space` if
    /// nobody can open it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub besides: Option<&'static str>,
    /// The parts of the gate's condition that shut it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Because>,
    /// The first clause of the gate.
    pub clause: Option<String>,
}

/// What decided an answer, without how its line runs and where the other ways stop.
pub(crate) struct Decision<'r> {
    /// The answer.
    pub answer: Answer,
    /// How long the line may be.
    pub budget: Option<Budgeted>,
    /// The name of its source.
    pub source: Option<&'r str>,
    /// The space that stopped it.
    pub stop: Option<String>,
    /// The clauses of the rule that decided.
    pub clauses: Vec<&'r Clause>,
}

/// What decides the answer of a trace for one unit or space.
pub(crate) fn decision<'p>(
    position: &Position<'p>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<Decision<'p>, EvalFault> {
    let rules = position.rules;
    let rule = &rules.traces[trace.index()];
    let answer = position.answer(trace, thing)?;
    let needs_line = answer.length.is_some() || !answer.yes;
    let budget = if needs_line { budgeted(position, trace, thing, answer.budget)? } else { None };
    let source = answer.source.and_then(|s| rule.sources.get(usize::from(s)));
    let cited = rules.lines.get(answer.line.index()).map(|l| l.clauses.as_slice());
    let clauses = cited.unwrap_or_default().iter();
    Ok(Decision {
        budget,
        source: source.map(|s| s.name.as_str()),
        stop: answer.stop.map(|s| thing_name(rules, position.world, ThingRef::Space(s))),
        clauses: clauses.filter_map(|c| rules.clauses.get(c.index())).collect(),
        answer,
    })
}

/// Explains the answer of a trace for one unit or space.
pub fn explain(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<Explanation, EvalFault> {
    let rules = position.rules;
    let rule = &rules.traces[trace.index()];
    let Decision { answer, budget, source, stop, clauses } = decision(position, trace, thing)?;
    let words =
        rules.word_sets.get(rule.answers.index()).map(|s| s.words.clone()).unwrap_or_default();
    let word = |yes: bool| words.get(usize::from(!yes)).cloned().unwrap_or_default();
    let space = |s: u32| thing_name(rules, position.world, ThingRef::Space(s));
    let line_of = position.line(trace, thing)?;
    let line = rules.lines.get(answer.line.index());
    let reasons = position.answer_reasons(trace, thing, &answer)?;
    let home = answer.stop.map_or(thing, ThingRef::Space);
    Ok(Explanation {
        schema: 1,
        hash: rules.hash.clone(),
        id: thing_name(rules, position.world, thing),
        side: position
            .viewer_of(thing)
            .map(|s| thing_name(rules, position.world, ThingRef::Side(s))),
        space: answer.space.map(space),
        trace: rule.name.clone(),
        state: word(answer.yes),
        yes: answer.yes,
        kept: position.world.kept(trace, thing).filter(|k| *k != answer.yes).map(word),
        budget,
        length: answer.length,
        route: stages(position, rule, &line_of),
        legs: stretched(position, trace, thing, &line_of)?,
        source: source.map(str::to_owned),
        gate: gate_word(answer.gate),
        stop,
        leg: answer.leg.and_then(|l| rule.legs.get(l)).map(|l| l.name.clone()),
        because: because(position, &reasons, Some(home))?,
        crossings: crossed(position, trace, thing, &answer)?,
        rule: line.map_or_else(String::new, |l| l.name.clone()),
        clauses: clauses.iter().map(|c| Cited { id: c.id.clone(), text: c.text.clone() }).collect(),
        unmet: if answer.yes { Vec::new() } else { unmet(position, rule, thing)? },
        frontiers: if answer.yes { Vec::new() } else { frontiers(position, trace, thing)? },
        many_legs: rule.has_several_legs(),
        offers: offers(position, thing)?
            .iter()
            .map(|o| offer_text(position, o.must, &o.ways, o.line))
            .collect(),
        // Gathered last, when all that could ask them has asked.
        hooks: filled(
            position,
            thing,
            &answer,
            line_of.iter().flat_map(|stretch| stretch.spaces.iter().map(|(s, _)| *s)).collect(),
        ),
    })
}

/// Of each `always` that does not hold what rests on the answers of other traces.
fn unmet(
    position: &Position<'_>,
    rule: &Trace,
    thing: ThingRef,
) -> Result<Vec<Because>, EvalFault> {
    let cx = position.asked_of(thing);
    let mut found = Vec::new();
    for verdict in rule.verdicts.iter().filter(|v| v.always) {
        if !position.holds(verdict.when, &cx)? {
            let parts = because(position, &position.reasons(verdict.when, &cx)?, Some(thing))?;
            found.extend(parts.into_iter().filter(|part| part.rests_on.is_some()));
        }
    }
    Ok(found)
}

/// A line space by space, each with its gate.
pub(super) fn stages(position: &Position<'_>, rule: &Trace, line: &[Stretch]) -> Vec<Stage> {
    let mut stages = Vec::new();
    for stretch in line {
        let Some(leg) = rule.legs.get(stretch.leg) else { continue };
        let last = stretch.spaces.len().saturating_sub(1);
        let mut before = 0;
        for (at, (space, length)) in stretch.spaces.iter().enumerate() {
            let (word, gate) = match at {
                _ if at == last => ("into", &leg.into),
                0 => ("from", &leg.from),
                _ => ("through", &leg.through),
            };
            stages.push(Stage {
                leg: leg.name.clone(),
                space: thing_name(position.rules, position.world, ThingRef::Space(*space)),
                length: *length,
                step: length - before,
                gate: word,
                clause: position.rules.first_clause(gate.line).map(str::to_owned),
                relay: stretch.relay && at == last,
            });
            before = *length;
        }
    }
    stages
}

fn stretched(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    line: &[Stretch],
) -> Result<Vec<Stretched>, EvalFault> {
    let rule = &position.rules.traces[trace.index()];
    let mut legs = Vec::new();
    for stretch in line {
        let (Some(leg), Some((end, length))) = (rule.legs.get(stretch.leg), stretch.spaces.last())
        else {
            continue;
        };
        legs.push(Stretched {
            leg: leg.name.clone(),
            length: *length,
            budget: position.leg_budget(trace, stretch.leg, thing)?,
            clause: position.rules.first_clause(leg.within.line).map(str::to_owned),
            relay: stretch
                .relay
                .then(|| thing_name(position.rules, position.world, ThingRef::Space(*end))),
        });
    }
    Ok(legs)
}

/// The hooks that were asked of a thing, of where it stands, of its line and of what stopped it.
fn filled(
    position: &Position<'_>,
    thing: ThingRef,
    answer: &Answer,
    line: Vec<u32>,
) -> Vec<Filled> {
    let rules = position.rules;
    let spaces: Vec<u32> = line.into_iter().chain(answer.space).chain(answer.stop).collect();
    let shown = |of: ThingRef| {
        of == thing
            || of == ThingRef::World
            || matches!(of, ThingRef::Space(s) if spaces.contains(&s))
    };
    let asked = position.asked_hooks().into_iter().filter(|a| shown(a.of));
    asked
        .filter_map(|a| {
            let hook = rules.hooks.get(a.hook.index())?;
            Some(Filled {
                hook: hook.name.clone(),
                of: if a.of == ThingRef::World {
                    String::new()
                } else {
                    thing_name(rules, position.world, a.of)
                },
                value: a.value.amount().map_or_else(|| "not there".to_owned(), |n| n.to_string()),
                script: hook
                    .script
                    .as_ref()
                    .filter(|_| rules.calls.is_bound())
                    .map(|s| format!("hooks/{}", s.file)),
            })
        })
        .collect()
}

/// Which row of a table gave the budget.
fn budgeted(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    budget: Option<u32>,
) -> Result<Option<Budgeted>, EvalFault> {
    let rules = position.rules;
    let rule = &rules.traces[trace.index()];
    let Some(leg) = rule.legs.first() else { return Ok(None) };
    let (Some(amount), Some(node)) = (budget, leg.within.amount) else { return Ok(None) };
    // What is asked of the unit itself is written without it, as the ruleset writes it.
    let mut by = own_text(rules, node);
    let mut line = leg.within.line;
    let asked = position.asked_of(thing);
    if let Some(source) = &leg.by_source {
        let (text, row) = by_source(position, trace, thing, source)?;
        (by, line) = (text, row.unwrap_or(line));
    } else if let Some(why) = lacking_text(position, node, &asked)? {
        by = why;
    } else if let Node::Table(table, _, of) = rules.node(node)
        && let Some(cx) = position.inner(*of, rules.tables[table.index()].of, &asked)?
    {
        let rows = counted_rows(position, *table, &cx)?;
        if let Some(names) = &rows.names {
            by = format!("{}, {names}", rules.tables[table.index()].name);
        }
        line = rows.cited.unwrap_or(line);
    }
    let own = match rules.declared_type(node) {
        Some(Type::Number { dimension, .. }) => dimension,
        Some(Type::Truth | Type::Word(_) | Type::Thing { .. }) | None => None,
    };
    let dimension = own.or(rule.length).and_then(|d| rules.dimensions.get(d.index()));
    let dimension = dimension.map_or_else(String::new, |d| d.behind(amount).to_owned());
    Ok(Some(Budgeted {
        amount,
        dimension,
        by,
        clause: rules.first_clause(line).map(str::to_owned),
    }))
}

/// The rows of a table that were counted.
struct CountedRows {
    /// Their names; none if there are no rows.
    names: Option<String>,
    /// The line of the first that has a clause.
    cited: Option<LineId>,
}

fn counted_rows(
    position: &Position<'_>,
    table: TableId,
    cx: &Cx,
) -> Result<CountedRows, EvalFault> {
    let rules = position.rules;
    let counted = position.rows_counted(table, cx)?;
    let table = &rules.tables[table.index()];
    let rows: Vec<&Row> = counted.iter().filter_map(|at| table.rows.get(*at)).collect();
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let cited = rows.iter().find(|row| rules.first_clause(row.line).is_some());
    Ok(CountedRows {
        names: (!names.is_empty()).then(|| names.join(" + ")),
        cited: cited.map(|row| row.line),
    })
}

/// What of a source gave the budget, and the row of a table that did.
fn by_source(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
    source: &BySource,
) -> Result<(String, Option<LineId>), EvalFault> {
    let rules = position.rules;
    let space = position.source_of_budget(trace, thing)?.map(ThingRef::Space);
    let name = space
        .map_or_else(|| "the source".to_owned(), |space| thing_name(rules, position.world, space));
    let mut text = print_expr(rules, source.whole);
    if let Node::Table(table, ..) = rules.node(source.amount)
        && let Some(table) = rules.tables.get(table.index())
    {
        let amount = print_expr(rules, source.amount);
        text = text.replace(&amount, &format!("{}($1)", table.name));
    }
    let text = text.replace("($1)", &format!(" of {name}")).replace("($0)", "");
    let (Some(space), Node::Table(table, _, of)) = (space, rules.node(source.amount)) else {
        return Ok((text, None));
    };
    let asked = position.asked_of(thing).with(1, space);
    let of_table = rules.tables.get(table.index()).and_then(|table| table.of);
    let Some(cx) = position.inner(*of, of_table, &asked)? else { return Ok((text, None)) };
    let rows = counted_rows(position, *table, &cx)?;
    let alone = rows.names.filter(|_| source.whole == source.amount);
    Ok((alone.map_or(text.clone(), |names| format!("{text}, {names}")), rows.cited))
}

/// From the unit outward through open gates: every space that let the line no farther.
fn frontiers(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<Vec<Frontier>, EvalFault> {
    let rules = position.rules;
    let mut frontiers = Vec::new();
    for out in position.ways_out(trace, thing)? {
        let Some(leg) = rules.traces[trace.index()].legs.get(out.leg) else { continue };
        let barred = position.barred(trace, thing, &out)?;
        let reasons = position.stop_reasons(trace, thing, &out)?;
        frontiers.push(Frontier {
            leg: leg.name.clone(),
            space: thing_name(rules, position.world, ThingRef::Space(out.space)),
            length: out.length,
            gate: gate_word(out.gate),
            because: because(position, &reasons, Some(ThingRef::Space(out.space)))?,
            by: barred
                .units
                .iter()
                .map(|u| thing_name(rules, position.world, ThingRef::Unit(*u)))
                .collect(),
            besides: if barred.control {
                Some("control")
            } else {
                barred.itself.then_some("space")
            },
            clause: rules.first_clause(out.gate.line_of(leg)).map(str::to_owned),
        });
    }
    Ok(frontiers)
}

fn offer_text(position: &Position<'_>, must: bool, ways: &Ways, line: LineId) -> String {
    let clause = position.rules.first_clause(line).map_or_else(String::new, |c| format!(" [{c}]"));
    format!(
        "{} {}{clause}",
        if must { "must" } else { "may" },
        ways_text(position.rules, position.world, ways)
    )
}

/// The stages of a line, one a row, each with its gate where that cites a clause.
pub(super) fn stages_text(route: &[Stage], indent: &str) -> String {
    let many = route.iter().any(|s| route.first().is_some_and(|f| f.leg != s.leg));
    let mut out = String::new();
    for stage in route {
        let leg = if many { format!("  {}", stage.leg) } else { String::new() };
        let gate =
            stage.clause.as_deref().map_or_else(String::new, |c| format!("  {} [{c}]", stage.gate));
        let relay = if stage.relay { ", a relay: the line begins again" } else { "" };
        out.push_str(&format!("{indent}{:>6}   {}{leg}{gate}{relay}\n", stage.length, stage.space));
    }
    out
}

/// Who and what shuts a gate.
fn by_text(f: &Frontier) -> String {
    let besides = match f.besides {
        Some("control") => Some("who controls it".to_owned()),
        Some(_) => Some(because_text(&f.because)),
        None => None,
    };
    let by: Vec<String> = f.by.iter().cloned().chain(besides).collect();
    if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) }
}

/// Which leg is meant, where there are several.
fn on_leg(e: &Explanation, leg: Option<&str>) -> String {
    match leg {
        Some(leg) if e.many_legs => format!(" on {leg}"),
        _ => String::new(),
    }
}

/// An explanation for reading.
#[must_use]
pub fn explanation_text(e: &Explanation) -> String {
    let mut out = String::new();
    let owner = e.side.as_deref().map_or_else(String::new, |s| format!(" of {s}"));
    let place = e.space.as_deref().map_or_else(|| "off the map".to_owned(), |s| format!("in {s}"));
    out.push_str(&format!("{}{owner}, {place}: {}\n", e.id, e.state));
    if let Some(kept) = &e.kept {
        out.push_str(&format!("  kept from an earlier judgment: {kept}\n"));
    }
    if let Some(b) = &e.budget {
        let clause = b.clause.as_deref().map_or_else(String::new, |c| format!(" [{c}]"));
        out.push_str(&format!("  reach    {} {} ({}){clause}\n", b.amount, b.dimension, b.by));
    }
    if e.yes {
        if let Some(source) = &e.source {
            out.push_str(&format!("  source   {source}\n"));
        }
        out.push_str(&stages_text(&e.route, "  "));
        if e.legs.len() > 1 {
            out.push_str(&format!("  length   {}\n", e.length.unwrap_or(0)));
            for leg in &e.legs {
                let most = leg.budget.map_or_else(|| "unlimited".to_owned(), |b| format!("of {b}"));
                let clause = leg.clause.as_deref().map_or_else(String::new, |c| format!(" [{c}]"));
                out.push_str(&format!("  leg      {}: {} {most}{clause}\n", leg.leg, leg.length));
            }
        }
    } else {
        let stop = e.stop.as_deref().map_or_else(String::new, |s| format!(" at {s}"));
        let on = on_leg(e, e.leg.as_deref());
        out.push_str(&format!("  stopped  by `{}`{on}{stop}\n", e.gate));
    }
    if !e.because.is_empty() {
        out.push_str(&format!("  because  {}\n", because_text(&e.because)));
    }
    for crossed in &e.crossings {
        out.push_str(&format!("  crossed  {}\n", crossed.says));
    }
    if !e.unmet.is_empty() {
        out.push_str(&format!("  always   not so: {}\n", because_text(&e.unmet)));
    }
    out.push_str(&format!("  rule     {}\n", e.rule));
    for clause in &e.clauses {
        out.push_str(&format!("  {}  {}\n", clause.id, clause.text));
    }
    if !e.frontiers.is_empty() {
        out.push_str("  every way out\n");
        for f in &e.frontiers {
            let (on, by) = (on_leg(e, Some(&f.leg)), by_text(f));
            let clause = f.clause.as_deref().map_or_else(String::new, |c| format!(" [{c}]"));
            out.push_str(&format!("  {:>6}   {}: {}{on}{by}{clause}\n", f.length, f.space, f.gate));
        }
    }
    for filled in &e.hooks {
        let of = if filled.of.is_empty() { String::new() } else { format!(" of {}", filled.of) };
        let by = filled.script.as_deref().unwrap_or("otherwise");
        out.push_str(&format!("  hook     {}{of} = {} ({by})\n", filled.hook, filled.value));
    }
    for offer in &e.offers {
        out.push_str(&format!("  {offer}\n"));
    }
    out
}

/// The explanation in words.
impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&explanation_text(self))
    }
}
