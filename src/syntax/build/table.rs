//! What lies on a table: points, directions, and how units are laid anew.

use super::super::Rule;
use super::super::ast::*;
use super::expr::{expr, path};
use super::{Kids, Origin, P, name};

pub(super) fn point(o: Origin, pair: P<'_>) -> Option<Point> {
    let mut k = Kids::of(o, pair);
    Some(Point { span: k.span, x: expr(o, k.next()?)?, y: expr(o, k.next()?)? })
}

pub(super) fn direction(o: Origin, pair: P<'_>) -> Option<Direction> {
    let inner = pair.into_inner().next()?;
    Some(match inner.as_rule() {
        Rule::point => Direction::Toward(point(o, inner)?),
        Rule::numeral => Direction::Degrees(name(o, &inner)),
        _ => Direction::Word(name(o, &inner)),
    })
}

fn facing(o: Origin, pair: P<'_>) -> Option<Direction> {
    direction(o, Kids::of(o, pair).next()?)
}

/// `(x, y) facing DIRECTION`, if it follows.
pub(super) fn placed(o: Origin, k: &mut Kids<'_>) -> Option<Placed> {
    let at = point(o, k.next_if(Rule::point)?)?;
    let pair = k.next_if(Rule::facing)?;
    Some(Placed { span: at.span.to(o.span(&pair)), at, facing: facing(o, pair)? })
}

/// `at (x, y) [facing DIRECTION]` behind a path; nothing for `off table`.
pub(super) fn expected(o: Origin, pair: P<'_>) -> Option<ExpectKind> {
    let mut k = Kids::of(o, pair);
    let unit = path(o, k.next()?)?;
    let at = match k.next_if(Rule::point) {
        Some(p) => Some(point(o, p)?),
        None => None,
    };
    let direction = match k.next_if(Rule::facing) {
        Some(p) => Some(facing(o, p)?),
        None => None,
    };
    Some(ExpectKind::Place { unit, at: at.map(|at| Box::new((at, direction))) })
}

pub(super) fn placement(o: Origin, pair: P<'_>) -> Option<Placement> {
    let rule = pair.as_rule();
    let mut k = Kids::of(o, pair);
    Some(match rule {
        Rule::advance => {
            Placement::Advance { short: k.has(Rule::k_short), by: expr(o, k.next()?)? }
        }
        Rule::fall_back if k.has(Rule::k_gap) => Placement::FallBackToGap,
        Rule::fall_back => Placement::FallBack { by: expr(o, k.next()?)? },
        Rule::swap_with => Placement::Swap(path(o, k.next()?)?),
        Rule::conform => Placement::Conform(path(o, k.next()?)?),
        Rule::face if k.has(Rule::k_about) => Placement::FaceAbout,
        Rule::face => Placement::Face(path(o, k.next()?)?),
        Rule::break_off => Placement::BreakOff { by: expr(o, k.next()?)? },
        Rule::wheel => Placement::Wheel { left: k.has(Rule::k_left), to: direction(o, k.next()?)? },
        _ => return None,
    })
}

pub(super) fn placement_word(k: &Kids<'_>) -> PlacementWord {
    const WORDS: [(Rule, PlacementWord); 6] = [
        (Rule::k_advance, PlacementWord::Advance),
        (Rule::k_fall, PlacementWord::FallBack),
        (Rule::k_swap, PlacementWord::Swap),
        (Rule::k_conform, PlacementWord::Conform),
        (Rule::k_face, PlacementWord::Face),
        (Rule::k_break, PlacementWord::BreakOff),
    ];
    WORDS.iter().find(|(rule, _)| k.has(*rule)).map_or(PlacementWord::Wheel, |(_, word)| *word)
}

/// `advance [to PLACE, PLACE]`, as orders and expectations say it.
pub(super) fn placement_said(o: Origin, k: &mut Kids<'_>) -> Option<(PlacementWord, Vec<Placed>)> {
    let word = placement_word(&Kids::of(o, k.next_if(Rule::placement_name)?));
    let mut places = Vec::new();
    while let Some(place) = placed(o, k) {
        places.push(place);
    }
    Some((word, places))
}
