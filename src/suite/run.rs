//! One case, step by step: given, when, expect.

use super::choice::{self, Expected};
use super::mend::mend;
use super::why::evidence;
use crate::diag::Diagnostic;
use crate::engine::{self, Dice, Order, Orders, RunFault};
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position};
use crate::map::{Coordinate, Heading};
use crate::report::{fault_diagnostic, run_fault_diagnostic, thing_name, value_text};
use crate::source::Span;
use crate::world::{ThingRef, World};

/// What became of one case.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Its title.
    pub title: String,
    /// The ids of the clauses it shows.
    pub covers: Vec<String>,
    /// Where it is written.
    pub span: Span,
    /// What did not come out as expected; none for a case that passed.
    pub failures: Vec<Failure>,
}

/// One expectation that was not met.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Where it is written.
    pub span: Span,
    /// What is so, and what was expected.
    pub message: String,
    /// Why it is so, where a trace was asked.
    pub why: Option<String>,
    /// What could not be worked out, with its code and its place in the rules.
    pub fault: Option<Box<Diagnostic>>,
    /// What is around the thing that was asked about, where a space is involved.
    pub sketch: Option<String>,
    /// What to write so that the expectation is met, or why that cannot be done.
    pub mend: Mend,
}

/// How the text of an expectation can be brought in line with what came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mend {
    /// write this in place of that
    Write(Span, String),
    /// no text can be put in its place, and why
    Refused(&'static str),
}

impl Failure {
    /// A failure that no other text of an expectation mends.
    pub(super) fn plain(span: Span, message: String) -> Failure {
        let mend = Mend::Refused("it is no value that came out otherwise");
        Failure { span, message, why: None, fault: None, sketch: None, mend }
    }
}

/// Runs one case; `text` gives the words of a place, for messages.
pub fn run_case<'t>(rules: &Ruleset, case: &Case, text: impl Fn(Span) -> &'t str) -> Outcome {
    let covers = case
        .covers
        .iter()
        .filter_map(|c| rules.clauses.get(c.index()))
        .map(|c| c.id.clone())
        .collect();
    let mut outcome =
        Outcome { title: case.title.clone(), covers, span: case.span, failures: Vec::new() };
    if let Err(failure) = steps(rules, case, &text, &mut outcome.failures, &mut |_, _| {}) {
        outcome.failures.push(failure);
    }
    if case.taken_over {
        const WHY: &str = "the case is taken over from the parent, whose file is not the variant's";
        outcome.failures.iter_mut().for_each(|f| f.mend = Mend::Refused(WHY));
    }
    outcome
}

/// The positions of a case at its expectations, in order, each with the place of the expectation.
pub fn each_position(rules: &Ruleset, case: &Case, mut at: impl FnMut(Span, &World)) {
    // What stops a case is told when it is run.
    let _ = steps(rules, case, &|_| "", &mut Vec::new(), &mut at);
}

#[expect(clippy::result_large_err, reason = "a case fails once, and the failure is kept as it is")]
fn steps<'t>(
    rules: &Ruleset,
    case: &Case,
    text: &impl Fn(Span) -> &'t str,
    failures: &mut Vec<Failure>,
    at: &mut dyn FnMut(Span, &World),
) -> Result<(), Failure> {
    let broken = |span: Span| {
        move |fault: EvalFault| {
            let fault = fault_diagnostic(rules, fault);
            Failure {
                fault: Some(Box::new(fault.clone())),
                ..Failure::plain(span, format!("{}: {}", fault.code, fault.message))
            }
        }
    };
    let stopped = |span: Span| {
        move |fault: RunFault| match fault {
            RunFault::Eval(fault) => broken(span)(fault),
            fault => {
                let fault = run_fault_diagnostic(rules, fault);
                Failure {
                    fault: Some(Box::new(fault.clone())),
                    ..Failure::plain(span, format!("{}: {}", fault.code, fault.message))
                }
            }
        }
    };
    let mut world = match case.setup {
        Some(setup) => crate::world::start(rules, setup),
        None => World::new(rules, case.map.unwrap_or(MapId(0))),
    };
    let first = u32::try_from(world.units.len()).unwrap_or(u32::MAX);
    let (mut dice, mut dice_at) = (Dice::default(), case.span);
    let mut orders = Orders::none();
    let mut given: Vec<(Order, Span)> = Vec::new();
    // Every unit of the case has its place from the start, so that facts may name it; it comes onto
    // the map when put.
    for unit in &case.units {
        let at = world.put(rules, unit);
        world.set_removed(at, true);
    }
    // Bases are looked at when all that follows each other has been stated, so that two units may
    // exchange places.
    let mut lain: Option<Span> = case.setup.is_none().then_some(case.span);
    for step in &case.steps {
        if matches!(step.kind, CaseStepKind::State(_) | CaseStepKind::Put(_)) {
            lain = Some(step.span);
        } else if let Some(span) = lain.take() {
            failures.extend(table_faults(rules, &world, span).map_err(broken(span))?);
        }
        if step.kind.expects() {
            at(step.span, &world);
        }
        match &step.kind {
            CaseStepKind::Put(at) => world.set_removed(first.saturating_add(*at), false),
            CaseStepKind::State(state) => {
                engine::state(rules, &mut world, state).map_err(broken(step.span))?
            }
            CaseStepKind::Dice(shown) => {
                failures.extend(left_over(&dice, dice_at));
                (dice, dice_at) = (Dice::list(shown.clone()), step.span);
            }
            CaseStepKind::Run(phase, side) => {
                engine::run(rules, &mut world, *phase, *side, &mut dice, &mut orders)
                    .map_err(stopped(step.span))?;
            }
            CaseStepKind::Pass(moment) => {
                engine::pass(rules, &mut world, *moment, &mut dice, &mut orders)
                    .map_err(stopped(step.span))?;
            }
            CaseStepKind::Turn => {
                engine::turn(rules, &mut world, &mut dice, &mut orders)
                    .map_err(stopped(step.span))?;
            }
            CaseStepKind::Part(part, side) => {
                engine::part(rules, &mut world, *part, *side, &mut dice, &mut orders)
                    .map_err(stopped(step.span))?;
            }
            CaseStepKind::Order { subject, deed } => {
                if let Some(order) =
                    engine::ordered(rules, &world, *subject, deed).map_err(stopped(step.span))?
                {
                    orders.give(order);
                    given.push((order, step.span));
                }
            }
            CaseStepKind::Expect(condition) => {
                let failed = expect(rules, &world, *condition, None, step.span, text)
                    .map_err(broken(step.span))?;
                failures.extend(failed);
            }
            CaseStepKind::ExpectPlace { unit, at } => {
                let failed = expect_place(rules, &world, *unit, *at, step.span, text)
                    .map_err(broken(step.span))?;
                failures.extend(failed);
            }
            CaseStepKind::ExpectValue { value, holds } => {
                let failed = expect(rules, &world, *holds, Some(*value), step.span, text)
                    .map_err(broken(step.span))?;
                failures.extend(failed);
            }
            CaseStepKind::ExpectChoice { subject, negated, must, effect } => {
                let expected = Expected {
                    subject: *subject,
                    negated: *negated,
                    must: *must,
                    effect,
                    span: step.span,
                };
                let failed = choice::expect(rules, &world, &expected).map_err(broken(step.span))?;
                failures.extend(failed);
            }
        }
    }
    failures.extend(left_over(&dice, dice_at));
    let waiting = given.iter().filter(|(order, _)| orders.waiting().contains(order));
    failures.extend(waiting.map(|(_, span)| {
        Failure::plain(
            *span,
            format!(
                "nothing offered what `{}` says, so the order was never taken",
                text(*span).trim()
            ),
        )
    }));
    Ok(())
}

/// Dice that a case gives and nobody throws: it tells of another roll than the one that was made.
fn left_over(dice: &Dice, span: Span) -> Option<Failure> {
    let left = dice.left();
    let numbers = left.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let message = match (left.len(), dice.shown().len()) {
        (0, _) => return None,
        (_, 0) => format!("nothing is rolled, and the dice {numbers} are left"),
        (1, _) => format!("the die {numbers} is left when all is rolled"),
        _ => format!("the dice {numbers} are left when all is rolled"),
    };
    Some(Failure::plain(span, message))
}

fn expect<'t>(
    rules: &Ruleset,
    world: &World,
    holds: ExprId,
    value: Option<ExprId>,
    span: Span,
    text: &impl Fn(Span) -> &'t str,
) -> Result<Option<Failure>, EvalFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(None) };
    let cx = Cx::world(world.viewer);
    if position.holds(holds, &cx)? {
        return Ok(None);
    }
    // The value to show: the column of a grid, or the left side of what was expected.
    let shown = value.or_else(|| left_side(rules, holds));
    let mut message = format!("expected `{}`", text(span).trim());
    if let Some(shown) = shown {
        let found = value_text(&position, shown, position.value(shown, &cx)?);
        let asked = rules.node_spans.get(shown.index()).map_or("", |s| text(*s)).trim();
        message = format!("`{asked}` is {found}, {message}");
    }
    if let Some((list, of)) = asked_list(rules, holds)
        && let Some(thing) = position.value(of, &cx)?.thing()
    {
        let held = position.listed(list, thing)?;
        let table = rules.tables.get(list.index());
        let rows =
            held.into_iter().filter_map(|at| table?.rows.get(at)).map(|row| row.name.as_str());
        let rows = rows.collect::<Vec<_>>().join(", ");
        let held = if rows.is_empty() { "none" } else { &rows };
        message = format!("`{}` is {held}, {message}", table.map_or("", |t| &t.name));
    }
    let evidence = evidence(&position, shown, holds, &cx)?;
    let mend = mend(&position, holds, value, span, &cx, text)?;
    Ok(Some(Failure {
        mend,
        why: evidence.why,
        sketch: evidence.sketch,
        ..Failure::plain(span, message)
    }))
}

/// What is wrong with the table, if the case has laid its units so that they overlap or reach over
/// the edge.
fn table_faults(rules: &Ruleset, world: &World, span: Span) -> Result<Vec<Failure>, EvalFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(Vec::new()) };
    let told = |fault: crate::kernel::TableFault| {
        let (message, help) = fault.told(rules, world);
        let fault = Diagnostic::error(crate::check::table_code(fault), span, message).help(help);
        Failure {
            fault: Some(Box::new(fault.clone())),
            ..Failure::plain(span, format!("{}: {}", fault.code, fault.message))
        }
    };
    Ok(position.table_faults()?.into_iter().map(told).collect())
}

/// What failed of an expectation of a place on the table.
fn expect_place<'t>(
    rules: &Ruleset,
    world: &World,
    unit: ExprId,
    at: Option<(Coordinate, Coordinate, Option<Heading>)>,
    span: Span,
    text: &impl Fn(Span) -> &'t str,
) -> Result<Option<Failure>, EvalFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(None) };
    let Some(thing) = position.value(unit, &Cx::world(world.viewer))?.thing() else {
        return Ok(None);
    };
    let stand = match thing {
        ThingRef::Unit(unit) => world.stand(unit),
        _ => None,
    };
    let met = match (stand, at) {
        (None, None) => true,
        (Some(stand), Some((x, y, facing))) => {
            stand.x == x && stand.y == y && facing.is_none_or(|f| f == stand.facing)
        }
        _ => false,
    };
    let place = stand.map_or_else(|| "off the table".to_owned(), |stand| format!("at {stand}"));
    let message = format!(
        "`{}` is {place}, expected `{}`",
        thing_name(rules, world, thing),
        text(span).trim()
    );
    Ok((!met).then_some(Failure::plain(span, message)))
}

fn left_side(rules: &Ruleset, holds: ExprId) -> Option<ExprId> {
    match rules.node(holds) {
        Node::Same(left, _) | Node::Compare(left, _, _) => match rules.node(*left) {
            Node::Rank(stage) => Some(*stage),
            _ => Some(*left),
        },
        Node::Not(inner) => left_side(rules, *inner),
        _ => None,
    }
}

/// The list of tests that an expression asks, and of what.
fn asked_list(rules: &Ruleset, id: ExprId) -> Option<(TableId, ExprId)> {
    match rules.node(id) {
        Node::Listed(list, of, _) => Some((*list, *of)),
        Node::Not(inner) => asked_list(rules, *inner),
        _ => None,
    }
}
