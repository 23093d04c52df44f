//! Random positions for the tests of this module.

use arbtest::arbitrary::{Result, Unstructured};

use super::{Said, ThingRef, World};
use crate::ir::*;

/// A position that a game could come to: a setup or an empty map, and any changes.
pub(crate) fn any_world(rules: &Ruleset, u: &mut Unstructured<'_>) -> Result<World> {
    let mut world = if u.ratio(1, 4)? {
        World::new(rules, MapId(u.int_in_range(0..=below(rules.maps.len())?)?))
    } else {
        super::start(rules, SetupId(u.int_in_range(0..=below(rules.setups.len())?)?))
    };
    for _ in 0..u.int_in_range(0..=4)? {
        any_unit(rules, &mut world, u)?;
    }
    for _ in 0..u.int_in_range(0..=30)? {
        any_change(rules, &mut world, u)?;
    }
    // Whatever was said of it since, a unit that has left the game stands nowhere.
    for unit in 0..u32::try_from(world.units.len()).unwrap_or(0) {
        if world.units.get(unit as usize).is_some_and(|unit| unit.removed) {
            world.leave(unit);
        }
    }
    Ok(world)
}

/// The last place of a list as the type of most ids; an empty list has no test.
fn below(len: usize) -> Result<u16> {
    u16::try_from(len)
        .ok()
        .and_then(|l| l.checked_sub(1))
        .ok_or(arbtest::arbitrary::Error::IncorrectFormat)
}

fn any_unit(rules: &Ruleset, world: &mut World, u: &mut Unstructured<'_>) -> Result<()> {
    let kinds: Vec<KindId> = (0..rules.kinds.len())
        .map(KindId::at)
        .filter(|k| rules.is_kind(*k, KindId::UNIT) && *k != KindId::UNIT)
        .collect();
    let id = format!("{}{}", u.choose(&["n", "Ж", "1st \"x\" \\", "日本"])?, world.units.len());
    let title =
        if u.arbitrary()? { id.clone() } else { (*u.choose(&["", "a\tb", "§ & é"])?).to_owned() };
    let kind = *u.choose(&kinds)?;
    world.put(rules, &PutUnit { id, title, kind, owner: None, space: None, facts: Vec::new() });
    Ok(())
}

fn any_change(rules: &Ruleset, world: &mut World, u: &mut Unstructured<'_>) -> Result<()> {
    let units = u32::from(below(world.units.len())?);
    let spaces = world.map_of(rules).map_or(0, |m| m.spaces.len());
    let sides = u8::try_from(below(rules.sides.len())?).unwrap_or(u8::MAX);
    match u.int_in_range(0..=11)? {
        10 | 11 => any_stated(rules, world, u)?,
        0 => {
            let (a, b) = (SideId(u.int_in_range(0..=sides)?), SideId(u.int_in_range(0..=sides)?));
            if a != b {
                world.relate(
                    a,
                    b,
                    *u.choose(&[Relation::Allied, Relation::Enemy, Relation::Neutral])?,
                );
            }
        }
        1 => {
            let ruling = usize::from(u.int_in_range(0..=below(rules.rulings.len())?)?);
            let words = rules
                .rulings
                .get(ruling)
                .and_then(|r| rules.word_sets.get(r.readings.index()))
                .map_or(0, |s| s.words.len());
            if let Some(cell) = world.readings.get_mut(ruling) {
                *cell = u.int_in_range(0..=below(words)?)?;
            }
        }
        2 => {
            let at = u.int_in_range(0..=below(rules.traces.len())?)?;
            let trace = TraceId(at);
            let of = rules.traces.get(usize::from(at)).map_or(KindId::UNIT, |t| t.of);
            let of = if rules.is_kind(of, KindId::SPACE) {
                ThingRef::Space(u.int_in_range(0..=u32::from(below(spaces)?))?)
            } else {
                let unit = u.int_in_range(0..=units)?;
                if !world.units.get(unit as usize).is_some_and(|u| rules.is_kind(u.kind, of)) {
                    return Ok(());
                }
                ThingRef::Unit(unit)
            };
            world.keep(trace, of, *u.choose(&[None, Some(false), Some(true)])?);
        }
        3 => {
            world.viewer =
                if u.arbitrary()? { Some(SideId(u.int_in_range(0..=sides)?)) } else { None }
        }
        4 => {
            let unit = u.int_in_range(0..=units)?;
            if u.arbitrary()? {
                world.leave(unit);
            } else if let Some(unit) = world.units.get_mut(unit as usize) {
                unit.removed = false;
            }
        }
        _ => any_fact(rules, world, u)?,
    }
    Ok(())
}

fn any_stated(rules: &Ruleset, world: &mut World, u: &mut Unstructured<'_>) -> Result<()> {
    let pairs: Vec<PairRef> = rules.all_pairs().collect();
    if pairs.is_empty() {
        return Ok(());
    }
    let pair = *u.choose(&pairs)?;
    let mut party = |at: usize| -> Result<Option<ThingRef>> {
        let spaces = world.map_of(rules).map_or(&[][..], |m| &m.spaces);
        let units = world.units.iter().zip(0..).map(|(unit, at)| (ThingRef::Unit(at), unit.kind));
        let all = units
            .chain(spaces.iter().zip(0..).map(|(space, at)| (ThingRef::Space(at), space.kind)));
        let fit: Vec<ThingRef> = all
            .filter(|(_, kind)| rules.is_party(pair, at, *kind))
            .map(|(thing, _)| thing)
            .collect();
        if fit.is_empty() { Ok(None) } else { Ok(Some(*u.choose(&fit)?)) }
    };
    let (Some(from), Some(to)) = (party(0)?, party(1)?) else { return Ok(()) };
    let said = match rules.pair_type(pair) {
        Some(Type::Number { low, high, fraction, .. }) => {
            let under = if fraction { u.int_in_range(1..=7)? } else { 1 };
            Said::Amount(num_rational::Ratio::new(
                u.int_in_range(low * under..=high * under)?,
                under,
            ))
        }
        _ => Said::Truth(u.arbitrary()?),
    };
    world.stated.say(pair, from, to, said);
    Ok(())
}

fn any_fact(rules: &Ruleset, world: &mut World, u: &mut Unstructured<'_>) -> Result<()> {
    let fact = u.choose(&rules.facts)?;
    let top = rules.kinds.get(fact.kind.index()).map_or(KindId::LINK, |k| k.top);
    let spaces = world.map_of(rules).map_or(0, |m| m.spaces.len());
    let (of, kind) = match top {
        KindId::UNIT => {
            let unit = u.int_in_range(0..=u32::from(below(world.units.len())?))?;
            (ThingRef::Unit(unit), world.units.get(unit as usize).map(|u| u.kind))
        }
        KindId::SPACE => {
            let space = u.int_in_range(0..=u32::from(below(spaces)?))?;
            (
                ThingRef::Space(space),
                world.map_of(rules).and_then(|m| m.spaces.get(space as usize)).map(|s| s.kind),
            )
        }
        KindId::LINK => {
            let links = world.map_of(rules).map_or(&[][..], |m| &m.changing);
            let link = u32::from(u.int_in_range(0..=below(links.len())?)?);
            (ThingRef::Link(link), links.get(link as usize).map(|link| link.kind))
        }
        KindId::SIDE => (ThingRef::Side(SideId(u.int_in_range(0..=2)?)), Some(KindId::SIDE)),
        KindId::WORLD => (ThingRef::World, Some(KindId::WORLD)),
        _ => return Ok(()),
    };
    if !kind.is_some_and(|k| rules.is_kind(k, fact.kind) || rules.is_kind(fact.kind, k)) {
        return Ok(());
    }
    let value = any_value(rules, world, fact.ty, u)?;
    world.set_fact(fact, of, value);
    Ok(())
}

fn any_value(rules: &Ruleset, world: &World, ty: Type, u: &mut Unstructured<'_>) -> Result<i64> {
    Ok(match ty {
        Type::Truth => u.int_in_range(0..=1)?,
        Type::Number { low, high, .. } => u.int_in_range(low..=high)?,
        Type::Word(set) => i64::from(u.int_in_range(
            0..=below(rules.word_sets.get(set.index()).map_or(0, |s| s.words.len()))?,
        )?),
        Type::Thing { kind, .. } => {
            let fit = |(at, k): (usize, KindId)| {
                rules.is_kind(k, kind).then(|| i64::try_from(at + 1).unwrap_or(0))
            };
            let mut places: Vec<i64> =
                match rules.kinds.get(kind.index()).map_or(KindId::LINK, |k| k.top) {
                    KindId::UNIT => {
                        world.units.iter().map(|u| u.kind).enumerate().filter_map(fit).collect()
                    }
                    KindId::SPACE => world
                        .map_of(rules)
                        .into_iter()
                        .flat_map(|m| m.spaces.iter().map(|s| s.kind).enumerate())
                        .filter_map(fit)
                        .collect(),
                    KindId::SIDE => (1..=3).collect(),
                    _ => Vec::new(),
                };
            places.push(0);
            *u.choose(&places)?
        }
    })
}
