//! Headings, sides, clock, kinds, named things, marks.

use super::super::Rule;
use super::super::ast::*;
use super::{Kids, Origin, P, name};

pub(super) fn ruleset(mut k: Kids<'_>) -> Option<RulesetHead> {
    let scripts = k.has(Rule::k_scripts);
    let o = k.origin;
    let inner = |pair| Kids::of(o, pair);
    Some(RulesetHead {
        name: k.name()?,
        title: k.text()?,
        prefix: k.name()?,
        extends: k.name(),
        base_hash: k.next_if(Rule::base_hash).and_then(|p| inner(p).text()),
        also: k.rest_of(Rule::name).iter().map(|p| name(o, p)).collect(),
        cases: k.next_if(Rule::with_cases).is_some(),
        scripts,
        requires: k
            .next_if(Rule::requires)
            .and_then(|p| inner(p).next_if(Rule::version).map(|p| name(o, &p))),
    })
}

pub(super) fn section(mut k: Kids<'_>) -> Option<Section> {
    let o = k.origin;
    Some(Section { number: k.next_if(Rule::clause_ref).map(|p| name(o, &p)), title: k.text()? })
}

pub(super) fn clause(mut k: Kids<'_>) -> Option<Clause> {
    let o = k.origin;
    Some(Clause { label: name(o, &k.next_if(Rule::clause_ref)?), of: k.name(), text: k.text()? })
}

pub(super) fn ruling(mut k: Kids<'_>) -> Option<Ruling> {
    let name = k.name()?;
    let cites = k.cites();
    Some(Ruling { name, cites, asks: k.text(), readings: k.names()?, default: k.name()? })
}

pub(super) fn option(mut k: Kids<'_>) -> Option<OptionRule> {
    let on = k.has(Rule::k_on);
    Some(OptionRule { name: k.name()?, title: k.text()?, on, cites: k.cites() })
}

pub(super) fn sides(mut k: Kids<'_>) -> Option<Sides> {
    Some(Sides { names: k.names()?, against: k.names().unwrap_or_default() })
}

pub(super) fn clock(mut k: Kids<'_>) -> Option<Clock> {
    let o = k.origin;
    let name = k.name()?;
    let counted = match k.next_if(Rule::counted) {
        Some(p) => Some(attr_type(o, p)?),
        None => None,
    };
    let mut parts = Vec::new();
    for p in k.rest_of(Rule::clock_part) {
        let mut part = Kids::of(o, p);
        let each_side = part.has(Rule::k_each);
        let names = part.rest_of(Rule::name).iter().map(|p| self::name(o, p)).collect();
        let times = part.next_if(Rule::numeral).map(|p| self::name(o, &p));
        parts.push(ClockPart { names, each_side, times });
    }
    Some(Clock { name, counted, parts })
}

pub(super) fn dimension(mut k: Kids<'_>) -> Vec<DimensionName> {
    let o = k.origin;
    let one = |p| {
        let mut k = Kids::of(o, p);
        Some(DimensionName { name: k.name()?, singular: k.name() })
    };
    k.rest_of(Rule::dim_name).into_iter().filter_map(one).collect()
}

pub(super) fn kind(mut k: Kids<'_>) -> Option<Kind> {
    let o = k.origin;
    let mut words: Vec<Name> = k.rest_of(Rule::name).iter().map(|p| name(o, p)).collect();
    let parent = words.pop()?;
    let mut words = words.into_iter();
    let (name, plural) = (words.next()?, words.next());
    let one_way = k.next_if(Rule::one_way).map(|p| o.span(&p));
    let every_two = match k.next_if(Rule::every_two) {
        Some(p) => Some(Box::new(every_two(o, p)?)),
        None => None,
    };
    let (mut attributes, mut joins, mut bases, mut twice) =
        (Vec::new(), None, Vec::new(), Vec::new());
    while let Some(p) = k.next() {
        let rule = p.as_rule();
        let mut a = Kids::of(o, p);
        match rule {
            Rule::joins if joins.is_some() => twice.push(("joins", a.span)),
            Rule::joins => joins = Some(super::expr::things(o, a.next()?)?),
            Rule::base => bases.push(base(o, a)?),
            _ => attributes.push(Attribute { name: a.name()?, ty: attr_type(o, a.next()?)? }),
        }
    }
    Some(Kind { name, plural, parent, one_way, every_two, attributes, joins, bases, twice })
}

/// `from any port to any other with the same sea`
fn every_two(o: Origin, pair: P<'_>) -> Option<EveryTwo> {
    let span = o.span(&pair);
    let mut k = Kids::of(o, pair);
    let things = super::expr::things(o, k.next_if(Rule::things)?)?;
    let same = match k.next_if(Rule::same_value) {
        Some(p) => Some(Same { span: o.span(&p), fact: Kids::of(o, p).name()? }),
        None => None,
    };
    Some(EveryTwo { span, things, same })
}

fn base(o: Origin, mut k: Kids<'_>) -> Option<Base> {
    let span = k.span;
    let (width, depth) = (super::expr::expr(o, k.next()?)?, super::expr::expr(o, k.next()?)?);
    let bent = match k.next_if(Rule::expr) {
        Some(p) => Some(super::expr::expr(o, p)?),
        None => None,
    };
    Some(Base { span, width, depth, bent, cites: k.cites() })
}

fn attr_type(o: Origin, pair: P<'_>) -> Option<AttributeType> {
    let mut k = Kids::of(o, pair);
    if let Some(words) = k.names() {
        return Some(AttributeType::Word(words));
    }
    if k.next_if(Rule::yes_no).is_some() {
        return Some(AttributeType::Truth);
    }
    if k.has(Rule::k_from) {
        let dimension = if k.has(Rule::k_in) { Some(k.name()?) } else { None };
        let (low, high) = (bound(o, &k.next()?), bound(o, &k.next()?));
        return Some(AttributeType::Number { dimension, low, high });
    }
    let first = k.name()?;
    Some(if k.has(Rule::k_on) {
        AttributeType::Track(first)
    } else {
        AttributeType::Thing { kind: first, maybe: k.has(Rule::k_maybe) }
    })
}

pub(super) fn bound(o: Origin, pair: &P<'_>) -> Bound {
    let text: String = pair.as_str().chars().filter(|c| !c.is_whitespace()).collect();
    Bound { text, span: o.span(pair) }
}

pub(super) fn named(mut k: Kids<'_>) -> Option<Named> {
    Some(Named { kind: k.name()?, names: k.names()? })
}

pub(super) fn mark(mut k: Kids<'_>) -> Option<Mark> {
    let o = k.origin;
    let name = k.name()?;
    let of = k.subject()?;
    let title = k.text();
    let until = match k.next_if(Rule::until) {
        Some(p) => Some(moment_point(o, Kids::of(o, p).next()?)?),
        None => None,
    };
    Some(Mark { name, of, title, until, cites: k.cites() })
}

pub(super) fn track(mut k: Kids<'_>) -> Option<Track> {
    let o = k.origin;
    let (name, title, cites) = (k.name()?, k.text(), k.cites());
    let stages = k.rest_of(Rule::name).iter().map(|p| self::name(o, p)).collect();
    Some(Track { name, title, stages, cites })
}

pub(super) fn count(mut k: Kids<'_>) -> Option<CountDecl> {
    let o = k.origin;
    let in_dimension = k.has(Rule::k_in);
    let name = k.name()?;
    let of = k.subject()?;
    let dimension = if in_dimension { Some(k.name()?) } else { None };
    let per = k.name()?;
    let mut bounds = k.rest_of(Rule::bound).into_iter();
    let range =
        bounds.next().zip(bounds.next()).map(|(low, high)| (bound(o, &low), bound(o, &high)));
    Some(CountDecl { name, of, dimension, per, range, title: k.text(), cites: k.cites() })
}

pub(super) fn moment_point(o: Origin, pair: P<'_>) -> Option<MomentPoint> {
    let mut k = Kids::of(o, pair);
    Some(MomentPoint { span: k.span, start: k.has(Rule::k_start), part: k.name()?, of: k.name() })
}

pub(super) fn given(mut k: Kids<'_>) -> Option<GivenDecl> {
    let o = k.origin;
    let name = k.name()?;
    let of = k.subject()?;
    let ty = match k.next_if(Rule::attr_type) {
        Some(p) => Some(attr_type(o, p)?),
        None => None,
    };
    Some(GivenDecl { name, of, ty, title: k.text(), cites: k.cites() })
}
