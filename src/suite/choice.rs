//! What a case expects that a thing may or must do.

use super::Failure;
use crate::arrange::Arrange as _;
use crate::engine::{Ways, offers};
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position};
use crate::report::{thing_name, ways_text};
use crate::source::Span;
use crate::world::{ThingRef, World};

/// One expectation of a choice.
pub(super) struct Expected<'c> {
    pub subject: ExprId,
    pub negated: bool,
    pub must: bool,
    pub effect: &'c ChosenEffect,
    pub span: Span,
}

/// What failed of an expectation; none if it is met.
pub(super) fn expect(
    rules: &Ruleset,
    world: &World,
    expected: &Expected<'_>,
) -> Result<Option<Failure>, EvalFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(None) };
    let cx = Cx::world(world.viewer);
    let Some(thing) = position.value(expected.subject, &cx)?.thing() else { return Ok(None) };
    let named = things(&position, expected.effect, &cx)?;
    let mut seen: Vec<Ways> = Vec::new();
    // What would leave the thing where it stands is not offered.
    let (mut found, mut idle) = (false, false);
    for offer in offers(&position, thing)?.into_iter().filter(|o| o.must == expected.must) {
        if let Some(all) = matching(&offer.ways, expected.effect) {
            rules.seen.line(offer.line);
            rules.phases.get(offer.phase.index()).into_iter().for_each(|p| rules.seen.line(p.line));
            let meant = (named.is_empty() || all == named) && lies(&offer.ways, expected.effect);
            let leads = !offer.ways.is_empty(&position, thing);
            found |= meant && leads;
            idle |= meant && !leads && !all.is_empty();
            seen.push(offer.ways);
        }
    }
    if found != expected.negated {
        return Ok(None);
    }
    let name = thing_name(rules, world, thing);
    let verb = if expected.must { "must" } else { "may" };
    let mut names: Vec<String> = named.iter().map(|t| thing_name(rules, world, *t)).collect();
    if let ChosenEffect::Place(_, stands) = expected.effect {
        names.extend(stands.iter().map(ToString::to_string));
    }
    let ways = offered(&position, thing, &seen);
    let message = if expected.negated {
        format!("`{name}` {verb} do it, expected that it {verb} not")
    } else if idle {
        let ways = ways.join(", or ");
        format!("`{name}` {verb} {ways}, and nothing would change by it, so it is not offered")
    } else if ways.is_empty() || names.is_empty() {
        format!("nothing says that `{name}` {verb} do it")
    } else {
        format!("`{name}` {verb} {}, expected {}", ways.join(", or "), names.join(", "))
    };
    Ok(Some(Failure::plain(expected.span, message)))
}

/// What is offered in words, each once; what leads nowhere is told where nothing else is offered.
fn offered(position: &Position<'_>, thing: ThingRef, seen: &[Ways]) -> Vec<String> {
    let leads = |ways: &&Ways| !ways.is_empty(position, thing);
    let some: Vec<&Ways> = seen.iter().filter(leads).collect();
    let some = if some.is_empty() { seen.iter().take(1).collect() } else { some };
    let mut texts: Vec<String> = Vec::new();
    for ways in some {
        let text = ways_text(position.rules, position.world, ways);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// The things that an expectation names, in the order of the position.
fn things(
    position: &Position<'_>,
    effect: &ChosenEffect,
    cx: &Cx,
) -> Result<Vec<ThingRef>, EvalFault> {
    let named = match effect {
        ChosenEffect::Follow(_, named)
        | ChosenEffect::Move(named)
        | ChosenEffect::Choose(_, named) => named.as_slice(),
        ChosenEffect::Mark(_)
        | ChosenEffect::Clear(_)
        | ChosenEffect::Remove
        | ChosenEffect::Place(..) => &[],
    };
    let mut found = Vec::new();
    for id in named {
        found.extend(position.value(*id, cx)?.thing());
    }
    found.arrange();
    Ok(found)
}

/// Whether the places that are offered on a table are those that are named, if any are.
fn lies(ways: &Ways, effect: &ChosenEffect) -> bool {
    match (ways, effect) {
        (Ways::Place(_, stands), ChosenEffect::Place(_, named)) if !named.is_empty() => {
            let mut named = named.clone();
            named.arrange();
            *stands == named
        }
        _ => true,
    }
}

/// All that the ways of an offer lead to, if the offer is of what is expected.
fn matching(ways: &Ways, effect: &ChosenEffect) -> Option<Vec<ThingRef>> {
    let spaces = |spaces: &[u32]| spaces.iter().map(|s| ThingRef::Space(*s)).collect::<Vec<_>>();
    let mut all = match (ways, effect) {
        (Ways::Mark(a), ChosenEffect::Mark(b)) | (Ways::Clear(a), ChosenEffect::Clear(b)) => {
            (a == b).then(Vec::new)?
        }
        (Ways::Remove, ChosenEffect::Remove) => Vec::new(),
        (Ways::Follow(a, march), ChosenEffect::Follow(b, _)) => {
            (a == b).then(|| spaces(&march.ends))?
        }
        (Ways::Move(ends), ChosenEffect::Move(_)) => spaces(ends),
        (Ways::Place(a, _), ChosenEffect::Place(b, _)) => (a == b).then(Vec::new)?,
        (Ways::Choose(a, things), ChosenEffect::Choose(b, _)) => {
            (a == b).then(|| things.clone())?
        }
        _ => return None,
    };
    all.arrange();
    Some(all)
}
