//! Maps, setups and cases.

use super::super::Rule;
use super::super::ast::*;
use super::expr::{expr, path, thing};
use super::rules::key_cell;
use super::schema::moment_point;
use super::table::{expected, placed, placement_said, point};
use super::{Kids, Origin, P, name};

pub(super) fn map(mut k: Kids<'_>) -> Option<Map> {
    let o = k.origin;
    let name = k.name()?;
    let title = k.text();
    let lines = k
        .rest_of(Rule::map_line)
        .into_iter()
        .map(|p| map_line(o, p))
        .collect::<Option<Vec<_>>>()?;
    Some(Map { name, title, lines })
}

fn map_line(o: Origin, pair: P<'_>) -> Option<MapLine> {
    let inner = pair.into_inner().next()?;
    let rule = inner.as_rule();
    if rule == Rule::given {
        return Some(MapLine::Given(given(o, inner)?));
    }
    let mut k = Kids::of(o, inner);
    Some(match rule {
        Rule::space => {
            let kind = k.name()?;
            let id = map_id(o, k.next()?)?;
            let title = k.text();
            let along = k.has(Rule::k_along);
            let outline = match k.next_if(Rule::points) {
                Some(p) => {
                    let span = o.span(&p);
                    let points = Kids::of(o, p)
                        .rest_of(Rule::point)
                        .into_iter()
                        .map(|p| point(o, p))
                        .collect::<Option<_>>()?;
                    Some(Outline { span, along, points })
                }
                None => None,
            };
            MapLine::Space(MapSpace { kind, name: id, title, outline, with: withs(o, &mut k)? })
        }
        Rule::table_size => {
            MapLine::Table { span: k.span, width: expr(o, k.next()?)?, depth: expr(o, k.next()?)? }
        }
        Rule::link | Rule::row_of_links => {
            let kind = k.name()?;
            let ends = k
                .rest_of(Rule::link_end)
                .into_iter()
                .map(|p| map_id(o, p))
                .collect::<Option<Vec<_>>>()?;
            MapLine::Link {
                kind,
                ends,
                filled: rule == Rule::row_of_links,
                with: withs(o, &mut k)?,
            }
        }
        Rule::no_junction => {
            MapLine::NoJunction { kind: k.name()?, spaces: map_ids(o, k.next()?)? }
        }
        Rule::grid => {
            let (flat, odd) = (k.has(Rule::k_flat), k.has(Rule::k_odd));
            let span = k.span;
            MapLine::Grid(GridHead { span, kind: k.name()?, flat, odd, from: name(o, &k.next()?) })
        }
        Rule::legend => {
            let outside = k.has(Rule::k_outside);
            let sign = k.text()?;
            let with = withs(o, &mut k)?;
            MapLine::Legend { sign, with: (!outside).then_some(with) }
        }
        _ => MapLine::Row(k.text()?),
    })
}

pub(super) fn map_id(o: Origin, pair: P<'_>) -> Option<Name> {
    let inner = pair.into_inner().next()?;
    if inner.as_rule() == Rule::hex_label {
        return inner.into_inner().next().map(|p| name(o, &p));
    }
    Some(name(o, &inner))
}

fn map_ids(o: Origin, pair: P<'_>) -> Option<Vec<Name>> {
    Kids::of(o, pair).rest_of(Rule::map_id).into_iter().map(|p| map_id(o, p)).collect()
}

fn withs(o: Origin, k: &mut Kids<'_>) -> Option<Vec<With>> {
    let Some(p) = k.next_if(Rule::withs) else { return Some(Vec::new()) };
    Kids::of(o, p)
        .rest_of(Rule::with_)
        .into_iter()
        .map(|p| {
            let mut k = Kids::of(o, p);
            let name = k.name()?;
            let value = match k.next_if(Rule::sum) {
                Some(p) => Some(expr(o, p)?),
                None => None,
            };
            Some(With { name, value })
        })
        .collect()
}

pub(super) fn setup(mut k: Kids<'_>) -> Option<Setup> {
    let o = k.origin;
    let (name, map, title) = (k.name()?, k.name()?, k.text());
    let lines = k
        .rest_of(Rule::setup_line)
        .into_iter()
        .map(|p| setup_line(o, p))
        .collect::<Option<Vec<_>>>()?;
    Some(Setup { name, map, title, lines })
}

fn setup_line(o: Origin, pair: P<'_>) -> Option<SetupLine> {
    let inner = pair.into_inner().next()?;
    if inner.as_rule() == Rule::given {
        return Some(SetupLine::Given(given(o, inner)?));
    }
    let mut k = Kids::of(o, inner);
    let span = k.span;
    let (kind, id, title) = (k.name()?, k.name()?, k.text());
    let owner = k.name();
    let place = match k.next_if(Rule::thing) {
        Some(p) => Some(thing(o, p)?),
        None => None,
    };
    let at = placed(o, &mut k).map(Box::new);
    Some(SetupLine::Put(Put {
        span,
        kind,
        name: id,
        title,
        owner,
        place,
        at,
        with: withs(o, &mut k)?,
    }))
}

/// What is asked from outside, by itself.
pub(in crate::syntax) fn one_question(o: Origin, pair: P<'_>) -> Option<Expr> {
    expr(o, pair.into_inner().next()?)
}

/// One sentence of what is given, by itself.
pub(in crate::syntax) fn one_given(o: Origin, pair: P<'_>) -> Option<CaseLine> {
    let inner = pair.into_inner().next()?;
    match inner.as_rule() {
        Rule::given | Rule::given_said => Some(CaseLine::Setup(SetupLine::Given(given(o, inner)?))),
        rule => reading(rule, &mut Kids::of(o, inner)),
    }
}

/// `ruling N is R`, or `option N is on`.
fn reading(rule: Rule, k: &mut Kids<'_>) -> Option<CaseLine> {
    Some(match rule {
        Rule::case_ruling => CaseLine::Ruling { name: k.name()?, reading: k.name()? },
        _ => CaseLine::Option { on: k.has(Rule::k_on), name: k.name()? },
    })
}

fn given(o: Origin, pair: P<'_>) -> Option<Given> {
    let mut k = Kids::of(o, pair);
    let span = k.span;
    if let Some(p) = k.next_if(Rule::given_place) {
        let mut k = Kids::of(o, p);
        let unit = path(o, k.next()?)?;
        return Some(Given {
            span,
            kind: GivenKind::Place { unit, at: placed(o, &mut k).map(Box::new) },
        });
    }
    let fact = expr(o, k.next()?)?;
    let spaces = match k.next_if(Rule::map_ids) {
        Some(p) => map_ids(o, p)?,
        None => Vec::new(),
    };
    Some(Given { span, kind: GivenKind::Fact { fact, spaces } })
}

pub(super) fn case(mut k: Kids<'_>) -> Option<Case> {
    let o = k.origin;
    let title = k.text()?;
    let cites = k.cites();
    let lines = k
        .rest_of(Rule::case_line)
        .into_iter()
        .map(|p| case_line(o, p))
        .collect::<Option<Vec<_>>>()?;
    Some(Case { title, cites, lines })
}

pub(super) fn mistake(mut k: Kids<'_>) -> Option<Mistake> {
    let o = k.origin;
    let title = k.text()?;
    let code = name(o, &k.next_if(Rule::diag_code)?);
    let cites = k.cites();
    let text = o.span(&k.next_if(Rule::mistake_text)?);
    Some(Mistake {
        title,
        cites,
        code,
        text,
        items: Vec::new(),
        lost: Vec::new(),
        faults: Vec::new(),
    })
}

fn case_line(o: Origin, pair: P<'_>) -> Option<CaseLine> {
    let inner = pair.into_inner().next()?;
    let rule = inner.as_rule();
    match rule {
        Rule::case_grid => return Some(CaseLine::Grid(grid(o, inner)?)),
        Rule::setup_line => return Some(CaseLine::Setup(setup_line(o, inner)?)),
        _ => {}
    }
    let mut k = Kids::of(o, inner);
    Some(match rule {
        Rule::case_on => CaseLine::On(k.name()?),
        Rule::case_setup => CaseLine::UseSetup(k.name()?),
        Rule::case_ruling | Rule::case_option => reading(rule, &mut k)?,
        Rule::case_dice => {
            CaseLine::Dice(k.rest_of(Rule::numeral).iter().map(|p| name(o, p)).collect())
        }
        Rule::case_order => CaseLine::Order(order(o, k)?),
        Rule::case_run => CaseLine::Run(match k.next_if(Rule::moment_point) {
            Some(p) => Run::Moment(moment_point(o, p)?),
            None => Run::Phase { name: k.name()?, of: k.name() },
        }),
        Rule::expect => {
            let inner = k.next()?;
            let span = o.span(&inner);
            let kind = match inner.as_rule() {
                Rule::expect_choice => choice(o, inner)?,
                Rule::expect_place => expected(o, inner)?,
                Rule::expect_list => list(o, inner)?,
                _ => ExpectKind::Holds(expr(o, inner)?),
            };
            CaseLine::Expect(Expect { span, kind })
        }
        _ => return None,
    })
}

fn list(o: Origin, pair: P<'_>) -> Option<ExpectKind> {
    let mut k = Kids::of(o, pair);
    let negated = k.has(Rule::k_not);
    let left = path(o, k.next()?)?;
    Some(ExpectKind::List {
        left,
        negated,
        rows: k.rest_of(Rule::name).iter().map(|p| name(o, p)).collect(),
    })
}

fn choice(o: Origin, pair: P<'_>) -> Option<ExpectKind> {
    let mut k = Kids::of(o, pair);
    let (negated, must) = (k.has(Rule::k_not), k.has(Rule::k_must));
    let subject = path(o, k.next()?)?;
    let mut e = Kids::of(o, k.next()?);
    let effect = if e.has(Rule::k_follow) {
        let trace = e.name()?;
        ExpectEffect::Follow { trace, to: things_named(o, &mut e)? }
    } else if e.has(Rule::k_mark) {
        ExpectEffect::Mark(e.name()?)
    } else if e.has(Rule::k_clear) {
        ExpectEffect::Clear(e.name()?)
    } else if e.has(Rule::k_move) {
        ExpectEffect::Move(things_named(o, &mut e)?)
    } else if e.has(Rule::k_choose) {
        ExpectEffect::Choose { choice: e.name()?, from: things_named(o, &mut e)? }
    } else if let Some((word, to)) = placement_said(o, &mut e) {
        ExpectEffect::Place { word, to }
    } else {
        ExpectEffect::Remove
    };
    Some(ExpectKind::Choice { subject, negated, must, effect })
}

fn things_named(o: Origin, k: &mut Kids<'_>) -> Option<Vec<Path>> {
    k.rest_of(Rule::thing).into_iter().map(|p| thing(o, p)).collect()
}

fn order(o: Origin, mut k: Kids<'_>) -> Option<Order> {
    let span = k.span;
    let subject = path(o, k.next()?)?;
    let mut e = Kids::of(o, k.next()?);
    let effect = if e.has(Rule::k_follow) {
        OrderEffect::Follow { trace: e.name()?, to: thing(o, e.next()?)? }
    } else if e.has(Rule::k_mark) {
        OrderEffect::Mark(e.name()?)
    } else if e.has(Rule::k_clear) {
        OrderEffect::Clear(e.name()?)
    } else if e.has(Rule::k_move) {
        OrderEffect::Move(thing(o, e.next()?)?)
    } else if e.has(Rule::k_choose) {
        OrderEffect::Choose { choice: e.name()?, is: thing(o, e.next()?)? }
    } else if e.has(Rule::k_remove) {
        OrderEffect::Remove
    } else if let Some((word, to)) = placement_said(o, &mut e) {
        OrderEffect::Place { word, to: to.into_iter().next().map(Box::new) }
    } else {
        OrderEffect::Change(e.name()?)
    };
    Some(Order { span, subject, effect })
}

fn grid(o: Origin, pair: P<'_>) -> Option<CaseGrid> {
    let mut k = Kids::of(o, pair);
    let columns = k
        .rest_of(Rule::case_column)
        .into_iter()
        .map(|p| column(o, p))
        .collect::<Option<Vec<_>>>()?;
    let mut rows = Vec::new();
    for p in k.rest_of(Rule::case_row) {
        let mut r = Kids::of(o, p);
        let span = r.span;
        let cells = r
            .rest_of(Rule::case_cell)
            .into_iter()
            .map(|p| cell(o, p))
            .collect::<Option<Vec<_>>>()?;
        rows.push(CaseRow { span, cells, cites: r.cites() });
    }
    Some(CaseGrid { columns, rows })
}

fn column(o: Origin, pair: P<'_>) -> Option<CaseColumn> {
    let mut k = Kids::of(o, pair);
    let span = k.span;
    let kind = if k.has(Rule::k_dice) {
        CaseColumnKind::Dice
    } else if k.has(Rule::k_run) {
        CaseColumnKind::Run
    } else if k.has(Rule::k_expect) {
        CaseColumnKind::Expect(expr(o, k.next()?)?)
    } else if k.has(Rule::k_ruling) {
        CaseColumnKind::Ruling(k.name()?)
    } else if k.has(Rule::k_option) {
        CaseColumnKind::Choice(k.name()?)
    } else {
        let left = path(o, k.next()?)?;
        match k.name() {
            Some(name) => CaseColumnKind::GivenPair { left, name, right: thing(o, k.next()?)? },
            None => CaseColumnKind::Given(left),
        }
    };
    Some(CaseColumn { span, kind })
}

fn cell(o: Origin, pair: P<'_>) -> Option<CaseCell> {
    let span = o.span(&pair);
    let mut inner = pair.into_inner().filter(|p| p.as_rule() != Rule::comma);
    let first = inner.next()?;
    let rest: Vec<P<'_>> = inner.collect();
    let kind = match first.as_rule() {
        Rule::k_same => CaseCellKind::Same,
        Rule::k_any => CaseCellKind::Any,
        Rule::k_no => CaseCellKind::No,
        _ if !rest.is_empty() => CaseCellKind::Several(
            std::iter::once(first).chain(rest).map(|p| expr(o, p)).collect::<Option<Vec<_>>>()?,
        ),
        _ => CaseCellKind::Key(key_cell(o, first)?),
    };
    Some(CaseCell { span, kind })
}
