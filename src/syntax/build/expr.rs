//! Conditions, amounts, noun phrases and paths.

use super::super::Rule;
use super::super::ast::*;
use super::play::map_id;
use super::{Kids, Origin, P, name};

/// Any rule of the algebra; one-child rules fall through, so that the tree holds no empty levels.
pub(super) fn expr(o: Origin, pair: P<'_>) -> Option<Expr> {
    let span = o.span(&pair);
    let make = |kind| Some(Expr { span, kind });
    match pair.as_rule() {
        Rule::expr => joined(o, pair, ExprKind::Or),
        Rule::conj => joined(o, pair, ExprKind::And),
        Rule::neg | Rule::claim => negated(o, pair),
        Rule::compare | Rule::plain_claim => compare(o, pair),
        Rule::sum | Rule::product => chain(o, pair),
        Rule::signed => signed(o, pair),
        Rule::atom => expr(o, pair.into_inner().next()?),
        Rule::paren => {
            let inner = expr(o, Kids::of(o, pair).next()?)?;
            make(ExprKind::Paren(Box::new(inner)))
        }
        Rule::quantifier => {
            let mut kids = Kids::of(o, pair);
            let word = if kids.has(Rule::k_any) {
                QuantifierWord::Any
            } else if kids.has(Rule::k_no) {
                QuantifierWord::No
            } else {
                QuantifierWord::Only
            };
            make(ExprKind::Quantifier { word, things: Box::new(things(o, kids.next()?)?) })
        }
        Rule::aggregate => {
            let mut kids = Kids::of(o, pair);
            let word = if kids.has(Rule::k_count) {
                return make(ExprKind::Count(Box::new(things(o, kids.next()?)?)));
            } else if kids.has(Rule::k_sum) {
                AggregateWord::Sum
            } else if kids.has(Rule::k_highest) {
                AggregateWord::Highest
            } else {
                AggregateWord::Lowest
            };
            let value = aggregated(o, kids.next()?)?;
            let things = Box::new(things(o, kids.next()?)?);
            let none = match kids.next_if(Rule::if_none) {
                Some(pair) => Some(Box::new(expr(o, Kids::of(o, pair).next_if(Rule::signed)?)?)),
                None => None,
            };
            make(ExprKind::Aggregate { word, value, things, none })
        }
        Rule::extreme => {
            let mut kids = Kids::of(o, pair);
            let greater = kids.has(Rule::k_greater);
            let left = Box::new(expr(o, kids.next()?)?);
            make(ExprKind::Extreme { greater, left, right: Box::new(expr(o, kids.next()?)?) })
        }
        Rule::round => {
            let mut kids = Kids::of(o, pair);
            make(ExprKind::Rounded { mode: kids.name()?, value: Box::new(expr(o, kids.next()?)?) })
        }
        Rule::now_ => make(ExprKind::Now(path(o, Kids::of(o, pair).next()?)?)),
        Rule::number => {
            let mut kids = Kids::of(o, pair);
            let text = kids.next()?.as_str().to_owned();
            make(ExprKind::Number { text, dimension: kids.name() })
        }
        Rule::no_alone => {
            let word = Name { text: "no".to_owned(), span };
            let heads = vec![Head { span, kind: HeadKind::Name(word) }];
            make(ExprKind::Path(Path { span, heads, here: false, between: None }))
        }
        Rule::path | Rule::hex_label => make(ExprKind::Path(path(o, pair)?)),
        Rule::gate_name => make(ExprKind::GateName(match pair.as_str() {
            word if word.starts_with('w') => "within",
            word if word.starts_with('o') => "over",
            _ => "from",
        })),
        Rule::over_step => {
            let way = way(o, Kids::of(o, pair).next_if(Rule::way)?)?;
            make(ExprKind::OverStep(Box::new(way)))
        }
        Rule::chance => {
            let mut kids = Kids::of(o, pair);
            make(ExprKind::Chance { outcome: kids.name()?, of: path(o, kids.next()?)? })
        }
        Rule::string => make(ExprKind::Quoted),
        _ => None,
    }
}

/// `a or b or c`, flat; one part alone is itself.
fn joined(o: Origin, pair: P<'_>, make: fn(Vec<Expr>) -> ExprKind) -> Option<Expr> {
    let span = o.span(&pair);
    let mut parts = Vec::new();
    for p in pair.into_inner() {
        if !matches!(p.as_rule(), Rule::or_op | Rule::and_op) {
            parts.push(expr(o, p)?);
        }
    }
    if parts.len() == 1 { parts.pop() } else { Some(Expr { span, kind: make(parts) }) }
}

fn negated(o: Origin, pair: P<'_>) -> Option<Expr> {
    let span = o.span(&pair);
    let mut kids = Kids::of(o, pair);
    if kids.has(Rule::k_not) {
        let inner = expr(o, kids.next()?)?;
        return Some(Expr { span, kind: ExprKind::Not(Box::new(inner)) });
    }
    let left = expr(o, kids.next()?)?;
    match kids.next() {
        Some(test) => comparison(o, span, left, test.into_inner().next()?),
        None => Some(left),
    }
}

fn compare(o: Origin, pair: P<'_>) -> Option<Expr> {
    let span = o.span(&pair);
    let mut kids = Kids::of(o, pair);
    let left = expr(o, kids.next()?)?;
    match kids.next() {
        Some(test) => comparison(o, span, left, test.into_inner().next()?),
        None => Some(left),
    }
}

fn comparison(o: Origin, span: crate::source::Span, left: Expr, test: P<'_>) -> Option<Expr> {
    let left = Box::new(left);
    let rule = test.as_rule();
    let mut kids = Kids::of(o, test);
    let kind = match rule {
        Rule::is_op | Rule::claim_is => {
            let negated = kids.has(Rule::k_not);
            if let Some(list) = kids.next_if(Rule::one_of) {
                ExprKind::IsOneOf { left, negated, options: one_of(o, list)? }
            } else if let Some(name) = kids.name() {
                let other = thing(o, kids.next_if(Rule::party2)?.into_inner().next()?)?;
                let right = Box::new(Expr { span: other.span, kind: ExprKind::Path(other) });
                ExprKind::IsPair { left, negated, name, right }
            } else {
                ExprKind::Is { left, negated, right: Box::new(expr(o, kids.next()?)?) }
            }
        }
        Rule::between_op | Rule::claim_between => {
            let low = Box::new(expr(o, kids.next()?)?);
            ExprKind::Between { left, low, high: Box::new(expr(o, kids.next()?)?) }
        }
        Rule::would_op => ExprKind::WouldBe { subject: left, adjective: kids.name()? },
        _ => {
            let op = compare_op(&kids)?;
            ExprKind::Compare { left, op, right: Box::new(expr(o, kids.next()?)?) }
        }
    };
    Some(Expr { span, kind })
}

fn compare_op(kids: &Kids<'_>) -> Option<CompareOp> {
    [
        (Rule::k_least, CompareOp::AtLeast),
        (Rule::k_most, CompareOp::AtMost),
        (Rule::k_more, CompareOp::MoreThan),
        (Rule::k_less, CompareOp::LessThan),
    ]
    .into_iter()
    .find(|(rule, _)| kids.has(*rule))
    .map(|(_, op)| op)
}

fn one_of(o: Origin, pair: P<'_>) -> Option<Vec<Expr>> {
    Kids::of(o, pair).rest_of(Rule::sum).into_iter().map(|p| expr(o, p)).collect()
}

/// `a + b - c`: the signs between the parts are children of the pair.
fn chain(o: Origin, pair: P<'_>) -> Option<Expr> {
    let span = o.span(&pair);
    let mut first = None;
    let mut op = ArithmeticOp::Plus;
    let mut rest = Vec::new();
    for p in pair.into_inner() {
        match p.as_rule() {
            Rule::plus => op = ArithmeticOp::Plus,
            Rule::minus => op = ArithmeticOp::Minus,
            Rule::times => op = ArithmeticOp::Times,
            Rule::divide => op = ArithmeticOp::Divide,
            _ => {
                let part = expr(o, p)?;
                match first {
                    None => first = Some(Box::new(part)),
                    Some(_) => rest.push((op, part)),
                }
            }
        }
    }
    let first = first?;
    if rest.is_empty() {
        Some(*first)
    } else {
        Some(Expr { span, kind: ExprKind::Arithmetic { first, rest } })
    }
}

fn signed(o: Origin, pair: P<'_>) -> Option<Expr> {
    let span = o.span(&pair);
    let mut kids = Kids::of(o, pair);
    let inner = expr(o, kids.next()?)?;
    if kids.has(Rule::minus) {
        Some(Expr { span, kind: ExprKind::Negate(Box::new(inner)) })
    } else {
        Some(inner)
    }
}

/// Adjectives, the kind, the place, the claim.
pub(super) fn things(o: Origin, pair: P<'_>) -> Option<Things> {
    let span = o.span(&pair);
    let mut kids = Kids::of(o, pair);
    let mut words: Vec<Name> = kids.rest_of(Rule::name).iter().map(|p| name(o, p)).collect();
    let kind = words.pop()?;
    let place = match kids.next_if(Rule::place) {
        Some(p) => Some(place(o, p)?),
        None => None,
    };
    let filter = match kids.next_if(Rule::where_) {
        Some(p) => Some(filter(o, p)?),
        None => None,
    };
    Some(Things { span, adjectives: words, kind, place, filter })
}

/// The claim behind `where`.
/// `roads where not blown`
pub(super) fn way(o: Origin, pair: P<'_>) -> Option<Way> {
    let mut k = Kids::of(o, pair);
    let name = k.name()?;
    let filter = match k.next_if(Rule::where_) {
        Some(p) => Some(filter(o, p)?),
        None => None,
    };
    Some(Way { name, filter })
}

pub(super) fn filter(o: Origin, pair: P<'_>) -> Option<Expr> {
    let claim = expr(o, Kids::of(o, pair).next()?)?;
    Some(match claim.kind {
        ExprKind::Paren(inner) => *inner,
        _ => claim,
    })
}

fn place(o: Origin, pair: P<'_>) -> Option<Place> {
    let span = o.span(&pair);
    let mut kids = Kids::of(o, pair);
    let kind = if kids.has(Rule::k_within) {
        let distance = Box::new(expr(o, kids.next()?)?);
        let of = optional_thing(o, &mut kids)?;
        PlaceKind::Within { distance, of, over: kids.name() }
    } else if kids.has(Rule::k_adjacent) {
        let to = optional_thing(o, &mut kids)?;
        PlaceKind::Adjacent { to, not_over: kids.has(Rule::k_not), over: kids.name() }
    } else if kids.has(Rule::k_in) {
        PlaceKind::In(thing(o, kids.next()?)?)
    } else {
        PlaceKind::Here
    };
    Some(Place { span, kind })
}

fn optional_thing(o: Origin, kids: &mut Kids<'_>) -> Option<Option<Path>> {
    match kids.next_if(Rule::thing) {
        Some(p) => Some(Some(thing(o, p)?)),
        None => Some(None),
    }
}

/// A path, or the label of a hex.
pub(super) fn thing(o: Origin, pair: P<'_>) -> Option<Path> {
    let inner = if pair.as_rule() == Rule::thing { pair.into_inner().next()? } else { pair };
    path(o, inner)
}

/// `a of b of c`.
pub(super) fn path(o: Origin, pair: P<'_>) -> Option<Path> {
    let span = o.span(&pair);
    if pair.as_rule() == Rule::hex_label {
        return Some(Path { span, heads: vec![head(o, pair)?], here: false, between: None });
    }
    let mut kids = Kids::of(o, pair);
    let here = kids.has(Rule::k_here);
    let mut between = None;
    let mut heads = Vec::new();
    while let Some(p) = kids.next() {
        if p.as_rule() == Rule::from_to {
            let mut ends = Kids::of(o, p);
            between = Some(Box::new((path(o, ends.next()?)?, path(o, ends.next()?)?)));
        } else {
            heads.push(head(o, p)?);
        }
    }
    Some(Path { span, heads, here, between })
}

/// What is made one of many: a fact of each, or an amount from one thing to another.
fn aggregated(o: Origin, pair: P<'_>) -> Option<Path> {
    let span = o.span(&pair);
    let mut kids = Kids::of(o, pair);
    let one = |p: P<'_>| {
        let head = head(o, p)?;
        Some(Path { span: head.span, heads: vec![head], here: false, between: None })
    };
    let mut value = Path { span, ..one(kids.next()?)? };
    if let (Some(from), Some(to)) = (kids.next(), kids.next()) {
        value.between = Some(Box::new((one(from)?, one(to)?)));
    }
    Some(value)
}

fn head(o: Origin, pair: P<'_>) -> Option<Head> {
    let span = o.span(&pair);
    if pair.as_rule() == Rule::hex_label {
        let digits = pair.into_inner().next()?;
        return Some(Head { span, kind: HeadKind::Hex(name(o, &digits)) });
    }
    let inner = pair.into_inner().next()?;
    let kind = match inner.as_rule() {
        Rule::the => HeadKind::The(Kids::of(o, inner).name()?),
        Rule::k_it => HeadKind::It,
        Rule::one_link => {
            let mut kids = Kids::of(o, inner);
            let kind = kids.name()?;
            let ends = (map_id(o, kids.next()?)?, map_id(o, kids.next()?)?);
            HeadKind::Link(Box::new(OneLink { kind, ends }))
        }
        _ => HeadKind::Name(name(o, &inner)),
    };
    Some(Head { span, kind })
}
