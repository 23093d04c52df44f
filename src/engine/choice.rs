//! What a thing may or must do, as sets; nothing is chosen.

use num_rational::Ratio;

use super::begin::happens;
use super::phase::{asking, things};
use crate::arrange::Arrange as _;
use crate::ir::*;
use crate::kernel::route::March;
use crate::map::Stand;

use crate::kernel::{Cx, EvalFault, Position, exact};
use crate::world::ThingRef;

/// One thing that a step offers to a unit, or demands of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// In which phase.
    pub phase: PhaseId,
    /// By which line.
    pub line: LineId,
    /// Whether it must be done.
    pub must: bool,
    /// What, in which ways.
    pub ways: Ways,
}

/// What may or must be done, with all the ways in which it can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ways {
    /// set a mark
    Mark(FactId),
    /// clear a fact
    Clear(FactId),
    /// leave the map
    Remove,
    /// set or change a fact
    Change(FactId),
    /// follow a trace in one of these ways
    Follow(TraceId, March),
    /// go to one of these spaces, ascending
    Move(Vec<u32>),
    /// be laid in one of these places on the table
    Place(PlacementWord, Vec<Stand>),
    /// choose one of these
    Choose(ChoiceId, Vec<ThingRef>),
}

impl Ways {
    /// Whether there is nothing to be done: no space to go to, nothing to choose from.
    #[must_use]
    pub fn is_empty(&self, position: &Position<'_>, thing: ThingRef) -> bool {
        let stays = |ends: &[u32]| matches!((ends, thing), ([end], ThingRef::Unit(unit)) if position.world.space_of(unit) == Some(*end));
        match self {
            Ways::Follow(_, march) => march.ends.is_empty() || stays(&march.ends),
            Ways::Move(spaces) => spaces.is_empty() || stays(spaces),
            Ways::Choose(_, things) => things.is_empty(),
            Ways::Place(_, stands) => match (stands.as_slice(), thing) {
                ([], _) => true,
                ([stand], ThingRef::Unit(unit)) => position.world.stand(unit) == Some(*stand),
                _ => false,
            },
            Ways::Mark(_) | Ways::Clear(_) | Ways::Remove | Ways::Change(_) => false,
        }
    }
}

/// Everything that the phases offer to a thing or demand of it as the position stands, in written
/// order; a phase of each side is asked of one side after the other, as it would run.
pub fn offers(position: &Position<'_>, thing: ThingRef) -> Result<Vec<Offer>, EvalFault> {
    let mut found = Vec::new();
    for (at, phase) in position.rules.phases.iter().enumerate() {
        for side in sides_of(position, phase, thing) {
            if !happens(position, phase, side)? {
                continue;
            }
            for offer in of_phase(position, (PhaseId::at(at), phase), side, thing)? {
                if !found.contains(&offer) {
                    found.push(offer);
                }
            }
        }
    }
    Ok(found)
}

/// The sides for which a phase would run, as far as they may ask about a thing: who asks about a
/// space is the side that the position names, if it names one.
fn sides_of(position: &Position<'_>, phase: &Phase, thing: ThingRef) -> Vec<Option<SideId>> {
    let asks = match thing {
        ThingRef::Space(_) | ThingRef::Link(_) | ThingRef::World => position.viewer_of(thing),
        ThingRef::Unit(_) | ThingRef::Side(_) => None,
    };
    let mut found = Vec::new();
    for moment in &phase.moments {
        let sides: Vec<Option<SideId>> = match moment.whose {
            Whose::All => vec![None],
            Whose::Side(side) => vec![Some(side)],
            Whose::Owner => (0..position.rules.sides.len()).map(|s| Some(SideId::at(s))).collect(),
        };
        let may_ask = |side: &Option<SideId>| asks.is_none() || side.is_none() || *side == asks;
        for side in sides.into_iter().filter(may_ask) {
            if !found.contains(&side) {
                found.push(side);
            }
        }
    }
    found
}

/// What a phase of a side, or of nobody, offers to a thing.
fn of_phase(
    position: &Position<'_>,
    (id, phase): (PhaseId, &Phase),
    side: Option<SideId>,
    thing: ThingRef,
) -> Result<Vec<Offer>, EvalFault> {
    let mut found = Vec::new();
    // What simply happens is a player's only where there is something to choose.
    for step in phase.steps.iter().filter(|s| s.mode != Mode::Do || s.choice.is_some()) {
        if step.things.is_none() || !things(position, step, side)?.contains(&thing) {
            continue;
        }
        if let Some(ways) = ways(position, step, thing, asking(position, thing, side))? {
            found.push(Offer { phase: id, line: step.line, must: step.mode != Mode::May, ways });
        }
    }
    Ok(found)
}

/// The ways in which a thing can do what a step says; none for what is no choice of anybody.
pub fn ways(
    position: &Position<'_>,
    step: &Step,
    thing: ThingRef,
    viewer: Option<SideId>,
) -> Result<Option<Ways>, EvalFault> {
    let cx = Cx::of(viewer, thing);
    let chosen = match step.choice {
        Some((choice, whose)) => Some((choice, candidates(position, choice, whose, &cx)?)),
        None => None,
    };
    Ok(Some(match (&step.effect, chosen) {
        (Effect::Move(to), chosen) => {
            Ways::Move(spaces(position, *to, chosen.map(|(_, things)| things), &cx)?)
        }
        // Whether it is one thing or several that a placement is about, what is offered is where
        // the unit may lie.
        (Effect::Place(placement), chosen) => {
            let questions = match chosen {
                Some((_, things)) => {
                    things.into_iter().map(|thing| cx.choosing(Some(thing))).collect()
                }
                None => vec![cx],
            };
            Ways::Place(placement.word(), stands(position, placement, thing, &questions)?)
        }
        (_, Some((choice, things))) => Ways::Choose(choice, things),
        (Effect::Mark(fact), None) => Ways::Mark(*fact),
        (Effect::Clear(fact, _), None) => Ways::Clear(*fact),
        (Effect::Remove, None) => Ways::Remove,
        (Effect::Set(fact, ..) | Effect::Change { fact, .. }, None) => Ways::Change(*fact),
        (Effect::Follow { trace, within, stopping }, None) => {
            let ThingRef::Unit(unit) = thing else { return Ok(None) };
            let within = match within {
                Some(within) => {
                    Some(links(position.value(*within, &cx)?.amount().unwrap_or_default()))
                }
                None => None,
            };
            position.note(*trace, thing)?;
            Ways::Follow(*trace, position.march(*trace, unit, within, *stopping)?)
        }
        (
            Effect::Judge(_) | Effect::Relate(..) | Effect::Roll { .. } | Effect::RollList { .. },
            None,
        ) => {
            return Ok(None);
        }
    }))
}

/// The places in which a unit may be laid, in order, each once.
fn stands(
    position: &Position<'_>,
    placement: &Placement,
    thing: ThingRef,
    questions: &[Cx],
) -> Result<Vec<Stand>, EvalFault> {
    let ThingRef::Unit(unit) = thing else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for cx in questions {
        if let Some(laying) = position.laying(placement, cx)?
            && let Some(table) = position.laid()?
        {
            found.extend(
                table.ways(unit, laying).unwrap_or_default().iter().filter_map(|way| way.of(unit)),
            );
        }
    }
    found.arrange();
    found.dedup();
    Ok(found)
}

/// A number of links; what is less than nothing is nothing.
fn links(amount: Ratio<i64>) -> u32 {
    u32::try_from(exact::rounded(amount, Rounding::Down).max(0)).unwrap_or(u32::MAX)
}

/// The spaces that a move may lead to: those that the path comes to, one for each thing that may be
/// chosen.
fn spaces(
    position: &Position<'_>,
    to: ExprId,
    chosen: Option<Vec<ThingRef>>,
    cx: &Cx,
) -> Result<Vec<u32>, EvalFault> {
    let questions = match chosen {
        Some(things) => things.into_iter().map(|thing| cx.choosing(Some(thing))).collect(),
        None => vec![*cx],
    };
    let mut found = Vec::new();
    for cx in questions {
        if let Some(ThingRef::Space(space)) = position.value(to, &cx)?.thing()
            && !found.contains(&space)
        {
            found.push(space);
        }
    }
    found.arrange();
    Ok(found)
}

/// What is left of the things of a choice when all that is preferred has been looked at.
pub fn candidates(
    position: &Position<'_>,
    choice: ChoiceId,
    whose: ExprId,
    cx: &Cx,
) -> Result<Vec<ThingRef>, EvalFault> {
    let rule = &position.rules.choices[choice.index()];
    let Some(whose) = position.value(whose, cx)?.thing() else { return Ok(Vec::new()) };
    let cx = Cx::of(cx.viewer.or_else(|| position.viewer_of(whose)), whose);
    position.rules.seen.line(rule.line);
    let mut things = position.choosable(rule.from, whose, cx.viewer)?;
    for prefer in &rule.prefers {
        let all = things.len();
        things = preferred(position, prefer, things, &cx)?;
        if things.len() < all {
            position.rules.seen.line(prefer.line);
        }
    }
    Ok(things)
}

/// Those that come off best; all of them where none does.
fn preferred(
    position: &Position<'_>,
    prefer: &Prefer,
    things: Vec<ThingRef>,
    cx: &Cx,
) -> Result<Vec<ThingRef>, EvalFault> {
    let mut scored = Vec::with_capacity(things.len());
    for thing in things {
        let value = position.value(prefer.value, &cx.with(1, thing))?;
        let score = match prefer.highest {
            None => Ratio::from_integer(i64::from(value.is_true())),
            Some(_) => value.amount().unwrap_or_default(),
        };
        scored.push((score, thing));
    }
    let scores = scored.iter().map(|(score, _)| *score);
    let best = if prefer.highest == Some(false) { scores.min() } else { scores.max() };
    Ok(scored
        .into_iter()
        .filter(|(score, _)| Some(*score) == best)
        .map(|(_, thing)| thing)
        .collect())
}
