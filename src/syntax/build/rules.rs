//! Defines, tables, traces, phases.

use super::super::Rule;
use super::super::ast::*;
use super::expr::{expr, filter, path, things, way};
use super::schema::{bound, moment_point};
use super::{Kids, Origin, P};
use crate::source::Span;

pub(super) fn define(mut k: Kids<'_>) -> Option<Define> {
    let o = k.origin;
    let name = k.name()?;
    let of = k.subject();
    let title = k.text();
    let never = k.has(Rule::k_never);
    Some(Define { name, of, title, never, value: expr(o, k.next()?)?, cites: k.cites() })
}

pub(super) fn pair(mut k: Kids<'_>) -> Option<Pair> {
    let o = k.origin;
    let amount = k.has(Rule::k_from);
    // The name stands before the parties of an amount, and between those of a truth.
    let before = if amount { k.name() } else { None };
    let first = party(o, k.next()?)?;
    let name = before.or_else(|| k.name())?;
    let second = party(o, k.next()?)?;
    let title = k.text();
    Some(Pair {
        name,
        amount,
        parties: [first, second],
        title,
        value: expr(o, k.next()?)?,
        cites: k.cites(),
    })
}

fn party(o: Origin, pair: P<'_>) -> Option<Party> {
    let mut k = Kids::of(o, pair);
    Some(Party { kind: k.name()?, name: k.name()? })
}

pub(super) fn table(mut k: Kids<'_>) -> Option<Table> {
    let o = k.origin;
    let name = k.name()?;
    let of = k.subject();
    let title = k.text();
    let results = k
        .rest_of(Rule::result)
        .into_iter()
        .map(|p| {
            let mut k = Kids::of(o, p);
            Some(TableResult { name: k.name()?, dimension: k.name() })
        })
        .collect::<Option<Vec<_>>>()?;
    let policy = Kids::of(o, k.next_if(Rule::policy)?);
    let policy_span = policy.span;
    let policy = [
        (Rule::k_first, Policy::First),
        (Rule::k_only, Policy::Only),
        (Rule::k_sum, Policy::Sum),
        (Rule::k_all, Policy::All),
    ]
    .into_iter()
    .find(|(rule, _)| policy.has(*rule))?
    .1;
    let cites = k.cites();
    let body = k.next()?;
    let mut from = None;
    let (body, twice) = match body.as_rule() {
        Rule::grid_body => (TableBody::Grid(grid(o, body)?), Vec::new()),
        Rule::sheet_body => {
            let (body, line) = sheet(o, body)?;
            from = Some(Box::new(line));
            (body, Vec::new())
        }
        _ => list(o, body)?,
    };
    Some(Table { name, of, title, results, policy, policy_span, cites, body, from, twice })
}

/// A table without the rows that live in a sheet: a grid if it names its keys, else a list.
fn sheet(o: Origin, pair: P<'_>) -> Option<(TableBody, RowsFrom)> {
    let mut k = Kids::of(o, pair);
    let down = k.next_if(Rule::down);
    let mut before = down.as_ref().map(|p| o.span(p));
    let down = match down {
        Some(p) => Some(paths(o, p)?),
        None => None,
    };
    let across = match k.next_if(Rule::across_key) {
        Some(p) => {
            before = Some(o.span(&p));
            Some(path(o, Kids::of(o, p).next()?)?)
        }
        None => None,
    };
    let mut line = Kids::of(o, k.next_if(Rule::rows_from)?);
    let (span, file, sheet) = (line.span, line.text()?, line.text());
    let brackets = line.next_if(Rule::cites);
    let place = brackets.as_ref().map(|p| o.span(p));
    let from = RowsFrom { span, file, sheet, cites: place, before, read: None };
    let cites = brackets.map(|p| super::cites(o, p)).unwrap_or_default();
    let kept = match k.next_if(Rule::kept) {
        Some(p) => Some(kept(o, p)?),
        None => None,
    };
    let body = match down {
        Some(down) => {
            let (columns, rows) = (Vec::new(), Vec::new());
            TableBody::Grid(Grid { down, across, columns, rows, kept, cites })
        }
        None => TableBody::List { rows: Vec::new(), otherwise: None, kept },
    };
    Some((body, from))
}

fn paths(o: Origin, pair: P<'_>) -> Option<Vec<Path>> {
    Kids::of(o, pair).rest_of(Rule::path).into_iter().map(|p| path(o, p)).collect()
}

/// The heads of the columns of a sheet.
pub(in crate::syntax) fn head(o: Origin, pair: P<'_>) -> Option<Vec<KeyCell>> {
    Kids::of(o, pair).rest_of(Rule::key_cell).into_iter().map(|p| key_cell(o, p)).collect()
}

/// A row of a list: its cells, or what is given where no row holds.
pub(in crate::syntax) enum SheetRow {
    Row(Box<ListRow>),
    Otherwise(Otherwise),
}

/// A row of a sheet whose table is a list.
pub(in crate::syntax) fn sheet_row(o: Origin, pair: P<'_>) -> Option<SheetRow> {
    if pair.as_rule() != Rule::otherwise {
        return list_row(o, pair).map(|row| SheetRow::Row(Box::new(row)));
    }
    otherwise(o, pair).map(SheetRow::Otherwise)
}

fn otherwise(o: Origin, pair: P<'_>) -> Option<Otherwise> {
    let mut k = Kids::of(o, pair);
    Some(Otherwise { span: k.span, values: values(o, k.next()?)?, cites: k.cites() })
}

/// The rows of a list, and the lines that stand there a second time.
fn list(o: Origin, pair: P<'_>) -> Option<(TableBody, Vec<(&'static str, Span)>)> {
    let (mut rows, mut twice) = (Vec::new(), Vec::new());
    let (mut rest, mut bounds) = (None, None);
    for line in Kids::of(o, pair).rest_of(Rule::table_line) {
        let inner = line.into_inner().next()?;
        match inner.as_rule() {
            Rule::otherwise => {
                let line = otherwise(o, inner)?;
                match rest {
                    Some(_) => twice.push(("otherwise", line.span)),
                    None => rest = Some(line),
                }
            }
            Rule::kept => {
                let line = kept(o, inner)?;
                match bounds {
                    Some(_) => twice.push(("kept between", line.span)),
                    None => bounds = Some(line),
                }
            }
            _ => rows.push(list_row(o, inner)?),
        }
    }
    Some((TableBody::List { rows, otherwise: rest, kept: bounds }, twice))
}

/// A `when` row or a `per` row.
pub(super) fn list_row(o: Origin, pair: P<'_>) -> Option<ListRow> {
    let counted = pair.as_rule() == Rule::per_row;
    let mut k = Kids::of(o, pair);
    let span = k.span;
    let name = k.next_if(Rule::row_name).and_then(|p| Kids::of(o, p).name());
    let per = if counted { Some(expr(o, k.next_if(Rule::sum)?)?) } else { None };
    let beyond = match k.next_if(Rule::number) {
        Some(p) => Some(expr(o, p)?),
        None => None,
    };
    let when = match k.next_if(Rule::expr) {
        Some(p) => Some(expr(o, p)?),
        None => None,
    };
    let exception = false;
    Some(ListRow {
        span,
        name,
        exception,
        per,
        beyond,
        when,
        values: values(o, k.next()?)?,
        cites: k.cites(),
    })
}

pub(super) fn exception(mut k: Kids<'_>) -> Option<Exception> {
    const PARTS: [(Rule, &str); 7] = [
        (Rule::k_row, "row"),
        (Rule::k_source, "source"),
        (Rule::k_relay, "relay"),
        (Rule::k_from, "from"),
        (Rule::k_through, "through"),
        (Rule::k_stopping, "stopping"),
        (Rule::k_into, "into"),
    ];
    let o = k.origin;
    let name = k.name()?;
    let mut to = Kids::of(o, k.next_if(Rule::excepted)?);
    let noun = PARTS.iter().find(|(rule, _)| to.has(*rule)).map(|(_, noun)| *noun);
    let part = if noun.is_some() { Some(to.name()?) } else { None };
    let to = Excepted { span: to.span, noun, part, owner: to.name()? };
    let when = expr(o, k.next()?)?;
    let then = k.next_if(Rule::values).or_else(|| k.next_if(Rule::expr)).map(|p| o.span(&p));
    Some(Exception { name, to, when, then, cites: k.cites() })
}

pub(super) fn values(o: Origin, pair: P<'_>) -> Option<Vec<Expr>> {
    Kids::of(o, pair).rest_of(Rule::sum).into_iter().map(|p| expr(o, p)).collect()
}

fn kept(o: Origin, pair: P<'_>) -> Option<Kept> {
    let mut k = Kids::of(o, pair);
    Some(Kept {
        span: k.span,
        low: expr(o, k.next()?)?,
        high: expr(o, k.next()?)?,
        cites: k.cites(),
    })
}

fn grid(o: Origin, pair: P<'_>) -> Option<Grid> {
    let mut k = Kids::of(o, pair);
    let down = paths(o, k.next_if(Rule::down)?)?;
    let mut across = Kids::of(o, k.next_if(Rule::across)?);
    let key = match across.next_if(Rule::path) {
        Some(p) => Some(path(o, p)?),
        None => None,
    };
    let columns = across
        .rest_of(Rule::key_cell)
        .into_iter()
        .map(|p| key_cell(o, p))
        .collect::<Option<Vec<_>>>()?;
    let cites = across.cites();
    let rows = k
        .rest_of(Rule::grid_row)
        .into_iter()
        .map(|p| grid_row(o, p))
        .collect::<Option<Vec<_>>>()?;
    let bounds = match k.next_if(Rule::kept) {
        Some(p) => Some(kept(o, p)?),
        None => None,
    };
    Some(Grid { down, across: key, columns, rows, kept: bounds, cites })
}

pub(in crate::syntax) fn grid_row(o: Origin, pair: P<'_>) -> Option<GridRow> {
    let mut k = Kids::of(o, pair);
    let span = k.span;
    let keys = k
        .rest_of(Rule::key_cell)
        .into_iter()
        .map(|p| key_cell(o, p))
        .collect::<Option<Vec<_>>>()?;
    let values =
        k.rest_of(Rule::sum).into_iter().map(|p| expr(o, p)).collect::<Option<Vec<_>>>()?;
    Some(GridRow { span, keys, values, cites: k.cites() })
}

/// A key cell, or the bare comparison that stands in its place.
pub(super) fn key_cell(o: Origin, pair: P<'_>) -> Option<KeyCell> {
    let span = o.span(&pair);
    let inner = if pair.as_rule() == Rule::key_cell { pair.into_inner().next()? } else { pair };
    let kind = match inner.as_rule() {
        Rule::k_any => KeyCellKind::Any,
        Rule::k_else => KeyCellKind::Else,
        Rule::no_cell => KeyCellKind::No,
        Rule::comparison_cell => comparison_cell(o, inner)?,
        _ => KeyCellKind::Is(expr(o, inner)?),
    };
    Some(KeyCell { span, kind })
}

fn comparison_cell(o: Origin, pair: P<'_>) -> Option<KeyCellKind> {
    let mut k = Kids::of(o, pair);
    if k.has(Rule::k_not) {
        return Some(KeyCellKind::Not(expr(o, k.next()?)?));
    }
    let inner = k.next()?;
    let rule = inner.as_rule();
    let mut k = Kids::of(o, inner);
    Some(match rule {
        Rule::one_of => KeyCellKind::OneOf(
            k.rest_of(Rule::sum).into_iter().map(|p| expr(o, p)).collect::<Option<_>>()?,
        ),
        Rule::between_op => KeyCellKind::Between(expr(o, k.next()?)?, expr(o, k.next()?)?),
        Rule::more_op => KeyCellKind::Compare(CompareOp::MoreThan, expr(o, k.next()?)?),
        Rule::less_op => KeyCellKind::Compare(CompareOp::LessThan, expr(o, k.next()?)?),
        _ => {
            let op = if k.has(Rule::k_least) { CompareOp::AtLeast } else { CompareOp::AtMost };
            KeyCellKind::Compare(op, expr(o, k.next()?)?)
        }
    })
}

pub(super) fn trace(mut k: Kids<'_>) -> Option<Trace> {
    let o = k.origin;
    let name = k.name()?;
    let of = k.subject()?;
    let title = k.text();
    let cites = k.cites();
    let lines = k
        .rest_of(Rule::trace_line)
        .into_iter()
        .map(|p| trace_line(o, p))
        .collect::<Option<Vec<_>>>()?;
    Some(Trace { name, of, title, cites, lines })
}

pub(super) fn trace_line(o: Origin, pair: P<'_>) -> Option<TraceLine> {
    let mut k = Kids::of(o, pair);
    let line = k.next()?;
    let line = if line.as_rule() == Rule::leg_line { line.into_inner().next()? } else { line };
    let span = o.span(&line);
    let kind = trace_line_kind(o, line)?;
    Some(TraceLine { span, kind, exception: None, cites: k.cites() })
}

fn trace_line_kind(o: Origin, line: P<'_>) -> Option<TraceLineKind> {
    let rule = line.as_rule();
    let mut k = Kids::of(o, line);
    Some(match rule {
        Rule::called => TraceLineKind::Called { yes: k.name()?, no: k.name()? },
        Rule::judged => TraceLineKind::Judged(k.name()?),
        Rule::lasts => {
            TraceLineKind::Lasts(moment_point(o, Kids::of(o, k.next_if(Rule::until)?).next()?)?)
        }
        Rule::counts => TraceLineKind::Counts {
            name: k.name()?,
            low: bound(o, &k.next()?),
            high: bound(o, &k.next()?),
        },
        Rule::always => TraceLineKind::Always(expr(o, k.next()?)?),
        Rule::never => TraceLineKind::Never(expr(o, k.next()?)?),
        Rule::source => TraceLineKind::Source { name: k.name()?, filter: filter(o, k.next()?)? },
        Rule::relay => TraceLineKind::Relay { name: k.name()?, filter: filter(o, k.next()?)? },
        Rule::leg => TraceLineKind::Leg {
            optional: k.has(Rule::k_optional),
            name: k.name()?,
            like: match k.next_if(Rule::as_leg) {
                Some(p) => {
                    let mut k = Kids::of(o, p);
                    Some(Like { leg: k.name()?, of: k.name() })
                }
                None => None,
            },
            instead: k.name(),
            when: match k.has(Rule::k_when) {
                true => Some(expr(o, k.next()?)?),
                false => None,
            },
        },
        Rule::left_out => TraceLineKind::Without(super::name(o, &k.next()?)),
        Rule::over => {
            let mut ways = k.rest_of(Rule::ways).into_iter().map(|p| ways(o, p));
            let links = ways.next()??;
            let but_not = ways.next().unwrap_or_else(|| Some(Vec::new()))?;
            let when = match k.has(Rule::k_when) {
                true => Some(expr(o, k.next()?)?),
                false => None,
            };
            TraceLineKind::Over { links, but_not, when }
        }
        Rule::from_gate => TraceLineKind::From(expr(o, k.next()?)?),
        Rule::through_gate => TraceLineKind::Through(expr(o, k.next()?)?),
        Rule::stop_gate => TraceLineKind::Stopping(expr(o, k.next()?)?),
        Rule::into_gate => TraceLineKind::Into(expr(o, k.next()?)?),
        Rule::cost => TraceLineKind::Cost(expr(o, k.next()?)?),
        Rule::budget => TraceLineKind::Within(expr(o, k.next()?)?),
        _ => return None,
    })
}

fn ways(o: Origin, pair: P<'_>) -> Option<Vec<Way>> {
    Kids::of(o, pair).rest_of(Rule::way).into_iter().map(|p| way(o, p)).collect()
}

pub(super) fn test(mut k: Kids<'_>) -> Option<Test> {
    let o = k.origin;
    let name = k.name()?;
    let of = k.subject()?;
    let title = k.text();
    let cites = k.cites();
    let mut roll = Kids::of(o, k.next_if(Rule::roll_line)?);
    let minus = roll.has(Rule::minus);
    let dice =
        roll.rest_of(Rule::throw).into_iter().map(|p| throw(o, p)).collect::<Option<Vec<_>>>()?;
    let plus = match roll.next_if(Rule::sum) {
        Some(p) => {
            let plus = expr(o, p)?;
            let span = plus.span;
            Some(if minus { Expr { span, kind: ExprKind::Negate(Box::new(plus)) } } else { plus })
        }
        None => None,
    };
    let roll_cites = roll.cites();
    let (mut rows, mut rest, mut retries, mut twice) = (Vec::new(), None, Vec::new(), Vec::new());
    for line in k.rest_of(Rule::test_line) {
        let inner = line.into_inner().next()?;
        match inner.as_rule() {
            Rule::when_row => rows.push(list_row(o, inner)?),
            Rule::otherwise => {
                let line = otherwise(o, inner)?;
                match rest {
                    Some(_) => twice.push(("otherwise", line.span)),
                    None => rest = Some(line),
                }
            }
            _ => retries.push(retry(o, inner)?),
        }
    }
    let otherwise = rest;
    Some(Test { name, of, title, cites, dice, plus, roll_cites, rows, otherwise, retries, twice })
}

fn throw(o: Origin, pair: P<'_>) -> Option<Throw> {
    let mut k = Kids::of(o, pair);
    Some(Throw { span: k.span, dice: crate::syntax::build::name(o, &k.next()?), die: k.name() })
}

fn retry(o: Origin, pair: P<'_>) -> Option<Retry> {
    let mut k = Kids::of(o, pair);
    let span = k.span;
    let at_most = match k.next_if(Rule::sum) {
        Some(p) => Some(expr(o, p)?),
        None => None,
    };
    let spending = match k.next_if(Rule::path) {
        Some(p) => Some(path(o, p)?),
        None => None,
    };
    Some(Retry { span, at_most, spending, when: expr(o, k.next()?)?, cites: k.cites() })
}

pub(super) fn die(mut k: Kids<'_>) -> Option<Die> {
    let o = k.origin;
    let name = k.name()?;
    let faces = k.rest_of(Rule::numeral).iter().map(|p| crate::syntax::build::name(o, p)).collect();
    Some(Die { name, faces, cites: k.cites() })
}

pub(super) fn choice(mut k: Kids<'_>) -> Option<Choice> {
    let o = k.origin;
    let name = k.name()?;
    let of = k.subject()?;
    let title = k.text();
    let cites = k.cites();
    let mut line = Kids::of(o, k.next_if(Rule::choice_from)?);
    let (from, from_cites) = (things(o, line.next()?)?, line.cites());
    let prefers =
        k.rest_of(Rule::prefer).into_iter().map(|p| prefer(o, p)).collect::<Option<_>>()?;
    Some(Choice { name, of, title, cites, from, from_cites, prefers, left_to: k.name()? })
}

fn prefer(o: Origin, pair: P<'_>) -> Option<Prefer> {
    let mut k = Kids::of(o, pair);
    let highest =
        if k.has(Rule::k_highest) { Some(true) } else { k.has(Rule::k_lowest).then_some(false) };
    Some(Prefer { span: k.span, highest, value: expr(o, k.next()?)?, cites: k.cites() })
}

pub(super) fn phase(mut k: Kids<'_>) -> Option<Phase> {
    let o = k.origin;
    let name = k.name()?;
    let once = k.next_if(Rule::single).map(|p| o.span(&p));
    let moments = Kids::of(o, k.next_if(Rule::moments)?)
        .rest_of(Rule::moment)
        .into_iter()
        .map(|p| moment(o, p))
        .collect::<Option<Vec<_>>>()?;
    let when = match k.next_if(Rule::expr) {
        Some(p) => Some(super::expr::expr(o, p)?),
        None => None,
    };
    let cites = k.cites();
    let steps =
        k.rest_of(Rule::step).into_iter().map(|p| step(o, p)).collect::<Option<Vec<_>>>()?;
    Some(Phase { name, moments, once, when, cites, steps })
}

fn moment(o: Origin, pair: P<'_>) -> Option<Moment> {
    let mut k = Kids::of(o, pair);
    match k.next_if(Rule::moment_point) {
        Some(p) => Some(Moment::At(moment_point(o, p)?)),
        None => Some(Moment::In { part: k.name()?, of: k.name() }),
    }
}

fn step(o: Origin, pair: P<'_>) -> Option<Step> {
    let mut k = Kids::of(o, pair);
    let inner = k.next()?;
    let span = o.span(&inner);
    let rule = inner.as_rule();
    let mut s = Kids::of(o, inner);
    let kind = match rule {
        Rule::judge => StepKind::Judge { trace: s.name()?, things: things(o, s.next()?)? },
        Rule::do_ => {
            let effect = effect(o, s.next_if(Rule::effect)?)?;
            let things = match s.next_if(Rule::things) {
                Some(p) => Some(things(o, p)?),
                None => None,
            };
            StepKind::Do { effect, things }
        }
        Rule::may => StepKind::May { effect: effect(o, s.next()?)?, things: things(o, s.next()?)? },
        Rule::must => {
            StepKind::Must { effect: effect(o, s.next()?)?, things: things(o, s.next()?)? }
        }
        Rule::roll_step => {
            let test = s.name()?;
            let once = s.has(Rule::k_once).then_some(test.span);
            StepKind::Roll { test, once, until: s.name(), things: things(o, s.next()?)? }
        }
        _ => return None,
    };
    Some(Step { span, kind, cites: k.cites() })
}

fn effect(o: Origin, pair: P<'_>) -> Option<Effect> {
    let inner = pair.into_inner().next()?;
    let rule = inner.as_rule();
    let mut k = Kids::of(o, inner);
    Some(match rule {
        Rule::set => Effect::Set { path: path(o, k.next()?)?, value: expr(o, k.next()?)? },
        Rule::relate => {
            Effect::Relate { left: path(o, k.next()?)?, how: k.name()?, right: path(o, k.next()?)? }
        }
        Rule::change => Effect::Change {
            raise: k.has(Rule::k_raise),
            path: path(o, k.next()?)?,
            by: expr(o, k.next()?)?,
        },
        Rule::mark => Effect::Mark(k.name()?),
        Rule::clear => Effect::Clear(path(o, k.next()?)?),
        Rule::remove_it => Effect::Remove(k.span),
        Rule::move_ => Effect::Move(path(o, k.next()?)?),
        Rule::follow => {
            let trace = k.name()?;
            let within = match k.next_if(Rule::sum) {
                Some(p) => Some(expr(o, p)?),
                None => None,
            };
            Effect::Follow { trace, within, stopping: k.name() }
        }
        Rule::placement => Effect::Place {
            span: k.span,
            placement: Box::new(super::table::placement(o, k.next()?)?),
        },
        _ => return None,
    })
}
