//! From a position to a picture: the one file of the drawing that asks the kernel.

use super::layout::Hexes;
use super::picture::{
    Answered, CrossingView, LinkKind, LinkView, Picture, Reach, SpaceView, TraceView, UnitView,
};
use crate::arrange::Arrange as _;
use crate::ir::*;
use crate::kernel::{EvalFault, Position};
use crate::map::{Coordinate, Crossing, Drawn, Grid, Map};
use crate::report::{gate_word, thing_name};
use crate::world::ThingRef;

/// What a picture is to show.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The trace to ask.
    pub trace: Option<TraceId>,
    /// The side whose lines are shown on the spaces.
    pub side: Option<SideId>,
    /// The units whose lines are drawn, by their places; all if it is empty.
    pub units: Vec<u32>,
    /// The units of a table whose zones are drawn, by their places.
    pub zones: Vec<u32>,
    /// How far these zones reach; 2, if nothing is said.
    pub reach: Option<Coordinate>,
    /// The unit of which the spaces say where it can get to.
    pub reach_of: Option<u32>,
}

/// Gathers all that a drawing shows.
pub fn gather(position: &Position<'_>, wanted: &Wanted) -> Result<Picture, EvalFault> {
    let (rules, map) = (position.rules, position.map);
    let mut picture = empty(position, wanted);
    picture.hexes = map.grid.as_ref().map(|grid| Hexes {
        flat: grid.layout.flat,
        odd: grid.layout.odd,
        // The rows of a drawing are counted by their labels, whose parity says which of them are
        // shifted.
        cells: (0u32..).zip(&map.spaces).map(|(at, _)| cell(grid, at)).collect(),
    });
    picture.setup = setup(position);
    spaces(position, &mut picture);
    links(position, &mut picture);
    crossings(position, &mut picture);
    units(position, wanted, &[], &mut picture)?;
    made_links(position, &mut picture);
    picture.table = super::lay::table(position, wanted)?;
    if let Some(trace) = wanted.trace {
        let sides: Vec<SideId> = (0..rules.sides.len()).map(SideId::at).collect();
        reach(position, trace, wanted, &sides, &mut picture)?;
    }
    Ok(picture)
}

/// Gathers what changes from one position to the next: units, control, and how spaces stand to the
/// side that is wanted. Neither ground nor links are in it. Answers that are known already, by the
/// place of their unit, are not asked for again.
pub fn gather_moving(
    position: &Position<'_>,
    wanted: &Wanted,
    known: &[Option<Answered>],
) -> Result<Picture, EvalFault> {
    let mut picture = empty(position, wanted);
    let spaces = (0u32..).zip(&position.map.spaces).map(|(at, space)| SpaceView {
        id: space.id.clone(),
        control: position.world.control(at).map(SideId::index),
        ..SpaceView::default()
    });
    picture.spaces = spaces.collect();
    units(position, wanted, known, &mut picture)?;
    picture.table = super::lay::table(position, wanted)?;
    if let Some(trace) = wanted.trace {
        reach(position, trace, wanted, wanted.side.as_slice(), &mut picture)?;
    }
    Ok(picture)
}

/// The setup that a position is the beginning of.
fn setup(position: &Position<'_>) -> Option<String> {
    let (rules, world) = (position.rules, position.world);
    let is = |at: usize| {
        let start = crate::world::start(rules, SetupId::at(at));
        start.units == world.units
            && start.unit_facts == world.unit_facts
            && start.space_facts == world.space_facts
            && start.link_facts == world.link_facts
            && start.side_facts == world.side_facts
            && start.world_facts == world.world_facts
    };
    let found =
        rules.setups.iter().enumerate().find(|(at, setup)| setup.map == world.map && is(*at));
    found.map(|(_, setup)| setup.name.clone())
}

/// A picture of nothing yet.
fn empty(position: &Position<'_>, wanted: &Wanted) -> Picture {
    let (rules, map) = (position.rules, position.map);
    Picture {
        ruleset: rules.name.clone(),
        hash: rules.hash.clone(),
        map: map.name.clone(),
        title: map.title.clone(),
        sides: rules.sides.iter().map(|s| s.name.clone()).collect(),
        sides_like: rules
            .sides
            .iter()
            .map(|s| like(map, &Drawn::Side(s.name.clone()), &s.name))
            .collect(),
        side: wanted.side.map(SideId::index),
        ..Picture::default()
    }
}

/// The word that something is drawn like: what the map states, else its own name.
fn like(map: &Map, of: &Drawn, name: &str) -> String {
    let stated = map.looks.iter().find(|look| look.of == *of);
    stated.map_or_else(|| name.to_owned(), |look| look.like.clone())
}

/// The column and row of a hex, by its label.
fn cell(grid: &Grid, space: u32) -> Option<(i64, i64)> {
    let (column, row) = *grid.places.get(space as usize)?;
    Some((i64::from(grid.from.0) + i64::from(column), i64::from(grid.from.1) + i64::from(row)))
}

/// The attribute that is drawn as terrain: the one that the map states a look of, or the one of
/// that name, else the first that is a word.
fn terrain<'r>(rules: &'r Ruleset, map: &Map) -> Option<(&'r Fact, WordSetId)> {
    let stated = map.looks.iter().find_map(|look| match &look.of {
        Drawn::Terrain(attribute, _) => Some(attribute.as_str()),
        _ => None,
    });
    let words = rules.facts.iter().filter_map(|f| match f.ty {
        Type::Word(set)
            if f.origin == FactOrigin::Attribute && rules.is_kind(f.kind, KindId::SPACE) =>
        {
            Some((f, set))
        }
        _ => None,
    });
    let called = |name: &str| words.clone().find(|(f, _)| f.name == name);
    stated.and_then(called).or_else(|| called("terrain")).or_else(|| words.clone().next())
}

/// The attribute that is drawn as ground on a map, and the colour of each of its words.
#[must_use]
pub fn ground_colours(rules: &Ruleset, map: &str) -> Option<(String, Vec<(String, u32)>)> {
    let map = rules.maps.iter().find(|m| m.name == map)?;
    let (fact, set) = terrain(rules, map)?;
    let words = rules.word_sets.get(set.index())?.words.clone();
    let look = |word: &String| like(map, &Drawn::Terrain(fact.name.clone(), word.clone()), word);
    let looks: Vec<String> = words.iter().map(look).collect();
    let grounds = super::grounds::grounds(&looks);
    let colour = |ground: super::grounds::Ground| {
        u32::from_str_radix(ground.colour().trim_start_matches('#'), 16).ok()
    };
    let all = words.into_iter().zip(grounds);
    let all = all.filter_map(|(word, ground)| Some((word, colour(ground)?)));
    Some((fact.name.clone(), all.collect()))
}

fn spaces(position: &Position<'_>, picture: &mut Picture) {
    let terrain = terrain(position.rules, position.map);
    if let Some((fact, set)) = terrain {
        picture.terrain_of = fact.name.clone();
        picture.terrains =
            position.rules.word_sets.get(set.index()).map(|s| s.words.clone()).unwrap_or_default();
        let of = |word: &String| Drawn::Terrain(fact.name.clone(), word.clone());
        let words = picture.terrains.iter();
        picture.terrains_like = words.map(|w| like(position.map, &of(w), w)).collect();
    }
    for (at, space) in (0u32..).zip(&position.map.spaces) {
        let word = |(fact, _): (&Fact, WordSetId)| {
            let holds = position.is_kind(ThingRef::Space(at), fact.kind);
            holds
                .then(|| usize::try_from(position.world.fact(fact, ThingRef::Space(at))).ok())
                .flatten()
        };
        picture.spaces.push(SpaceView {
            id: space.id.clone(),
            title: space.title.clone(),
            at: space.at,
            control: position.world.control(at).map(SideId::index),
            terrain: terrain.and_then(word).filter(|t| *t < picture.terrains.len()),
            ..SpaceView::default()
        });
    }
}

fn links(position: &Position<'_>, picture: &mut Picture) {
    let rules = position.rules;
    for links in position.map.links.iter().filter(|l| rules.is_printed(l.kind)) {
        let kind = picture.link_kinds.len();
        let name = rules.kinds.get(links.kind.index()).map_or_else(String::new, |k| k.name.clone());
        let hexside = lies_on_hexsides(rules, links.kind);
        let drawn = name != HEXSIDE;
        let like = like(position.map, &Drawn::Link(name.clone()), &name);
        let made = rules.joins_each_two(links.kind);
        let made = made.then_some(links.to.len() / 2);
        picture.link_kinds.push(LinkKind { name, like, hexside, drawn, made });
        if made.is_some() {
            continue;
        }
        for a in 0..u32::try_from(picture.spaces.len()).unwrap_or(u32::MAX) {
            for b in links.of(a).iter().filter(|b| **b > a && drawn) {
                let leads = [(a, *b), (*b, a)].map(|(a, b)| position.map.leads(links.kind, a, b));
                let (from, to) = if leads == [false, true] { (*b, a) } else { (a, *b) };
                let one_way = leads != [true, true];
                picture.links.push(LinkView { kind, a: from as usize, b: to as usize, one_way });
            }
        }
    }
}

fn crossings(position: &Position<'_>, picture: &mut Picture) {
    let kind = |kind: KindId| position.rules.kinds.get(kind.index());
    let of = |crossing: &Crossing| CrossingView {
        kind: kind(crossing.kind).map_or_else(String::new, |kind| kind.name.clone()),
        plural: kind(crossing.kind).map_or_else(String::new, |kind| kind.plural.clone()),
        space: crossing.space as usize,
        lines: crossing.lines.iter().map(|line| ends(line)).collect(),
    };
    picture.crossings = position.map.crossings.iter().map(of).collect();
}

/// The other ends of the links of a line, each once.
fn ends(line: &[(KindId, u32)]) -> Vec<usize> {
    let mut ends: Vec<usize> = line.iter().map(|(_, end)| *end as usize).collect();
    ends.arrange();
    ends.dedup();
    ends
}

/// Of the links that no map lists, those that lines go along.
fn made_links(position: &Position<'_>, picture: &mut Picture) {
    let rules = position.rules;
    let printed = position.map.links.iter().filter(|l| rules.is_printed(l.kind));
    let made = printed.enumerate().filter(|(at, _)| is_made(picture, *at));
    let mut found = Vec::new();
    for (kind, links) in made {
        for answer in picture.units.iter().filter_map(|unit| unit.answer.as_ref()) {
            let way = if answer.yes { &answer.route } else { &answer.cut };
            for (a, b) in way.iter().zip(way.iter().skip(1)) {
                let (a, b) = (*a.min(b), *a.max(b));
                let ends = (u32::try_from(a), u32::try_from(b));
                if let (Ok(from), Ok(to)) = ends
                    && links.of(from).binary_search(&to).is_ok()
                {
                    found.push((kind, a, b));
                }
            }
        }
    }
    found.arrange();
    found.dedup();
    let link = |(kind, a, b)| LinkView { kind, a, b, one_way: false };
    picture.links.extend(found.into_iter().map(link));
}

fn is_made(picture: &Picture, kind: usize) -> bool {
    picture.link_kinds.get(kind).is_some_and(|kind| kind.made.is_some())
}

/// The kind of link that joins every two neighbouring hexes.
const HEXSIDE: &str = "hexside";

fn lies_on_hexsides(rules: &Ruleset, kind: KindId) -> bool {
    let mut at = Some(kind);
    while let Some(kind) = at.and_then(|k| rules.kinds.get(k.index())) {
        if kind.name == HEXSIDE {
            return true;
        }
        at = kind.parent;
    }
    false
}

fn units(
    position: &Position<'_>,
    wanted: &Wanted,
    known: &[Option<Answered>],
    picture: &mut Picture,
) -> Result<(), EvalFault> {
    let rules = position.rules;
    for (at, unit) in (0u32..).zip(&position.world.units) {
        let thing = ThingRef::Unit(at);
        let Some(space) = position.world.space_of(at).map(|s| s as usize) else {
            continue;
        };
        let asked = wanted
            .trace
            .filter(|t| rules.traces.get(t.index()).is_some_and(|t| position.is_kind(thing, t.of)));
        let answer = match (asked, known.get(at as usize).cloned().flatten()) {
            (Some(_), Some(known)) => Some(known),
            (Some(trace), None) => Some(answered(position, trace, thing)?),
            (None, _) => None,
        };
        let name = rules.kinds.get(unit.kind.index()).map_or("", |k| k.name.as_str());
        let kind = picture.unit_kinds.iter().position(|k| k == name).unwrap_or_else(|| {
            picture.unit_kinds.push(name.to_owned());
            picture.unit_kinds.len() - 1
        });
        if let Some(space) = picture.spaces.get_mut(space) {
            space.units.push(picture.units.len());
        }
        picture.units.push(UnitView {
            id: unit.id.clone(),
            title: unit.title.clone(),
            kind,
            side: position.world.owner(at).map(SideId::index),
            space,
            answer,
            wanted: wanted.units.is_empty() || wanted.units.contains(&at),
            was: None,
        });
    }
    Ok(())
}

/// The crossings that a line goes straight on over: the spaces, and the kinds of the links.
pub(crate) fn gone_over(
    position: &Position<'_>,
    trace: TraceId,
    line: &[u32],
) -> Vec<(usize, String)> {
    let crossings = position.gone_over(trace, line).into_iter();
    let of = |at: usize| {
        let crossing = position.map.crossings.get(at)?;
        let kind = position.rules.kinds.get(crossing.kind.index())?;
        Some((crossing.space as usize, kind.name.clone()))
    };
    crossings.filter_map(of).collect()
}

fn answered(
    position: &Position<'_>,
    trace: TraceId,
    thing: ThingRef,
) -> Result<Answered, EvalFault> {
    let (answer, way) = position.answer_and_way(trace, thing)?;
    let sources = position.rules.traces.get(trace.index()).map_or(&[][..], |t| &t.sources);
    let over = if answer.yes { gone_over(position, trace, &way) } else { Vec::new() };
    let way: Vec<usize> = way.into_iter().map(|s| s as usize).collect();
    let (route, cut) = if answer.yes { (way, Vec::new()) } else { (Vec::new(), way) };
    Ok(Answered {
        over,
        cut,
        yes: answer.yes,
        gate: (!answer.yes).then(|| gate_word(answer.gate)),
        stop: answer.stop.map(|s| s as usize),
        length: answer.length,
        source: answer.source.and_then(|s| sources.get(usize::from(s))).map(|s| s.name.clone()),
        route,
    })
}

/// How every space stands to the lines of sides, from the field that a side's units share.
fn reach(
    position: &Position<'_>,
    trace: TraceId,
    wanted: &Wanted,
    sides: &[SideId],
    picture: &mut Picture,
) -> Result<(), EvalFault> {
    let rules = position.rules;
    let Some(rule) = rules.traces.get(trace.index()) else {
        return Ok(());
    };
    let words = rules.word_sets.get(rule.answers.index()).map_or(&[][..], |s| &s.words);
    let word = |at: usize| words.get(at).cloned().unwrap_or_default();
    let mut view =
        TraceView { name: rule.name.clone(), yes: word(0), no: word(1), ..TraceView::default() };
    for side in (0..rules.sides.len()).map(SideId::at) {
        if !sides.contains(&side) {
            view.asked.push(None);
            picture.spaces.iter_mut().for_each(|space| space.reach.push(Reach::default()));
            continue;
        }
        if rules.top(rule.of) == KindId::SPACE {
            view.asked.push(None);
            position.seen_by(Some(side), || spaces_asked(position, trace, picture))?;
            continue;
        }
        // A plain line is the side's own; one with budgets or costs of its own is asked for one
        // unit.
        let of_unit = rule.per_subject || !rule.is_plain();
        let subject = if of_unit {
            spokesman(position, rule, wanted, side)
        } else {
            Some(ThingRef::Side(side))
        };
        view.asked.push(subject.filter(|_| of_unit).map(|s| thing_name(rules, position.world, s)));
        let Some(subject) = subject else {
            picture.spaces.iter_mut().for_each(|space| space.reach.push(Reach::default()));
            continue;
        };
        let lengths = position.line_lengths(trace, subject)?;
        let gates = position.gates(trace, subject)?;
        for (at, space) in picture.spaces.iter_mut().enumerate() {
            let length = lengths.get(at).copied().flatten();
            let source = gates.source.get(at).copied().flatten().filter(|_| length == Some(0));
            let first = gates.legs.first();
            space.reach.push(Reach {
                source: source
                    .and_then(|s| rule.sources.get(usize::from(s)))
                    .map(|s| s.name.clone()),
                length,
                shut: first.is_some_and(|l| l.through.get(at) == Some(&false)),
            });
        }
    }
    if let Some(unit) = wanted.reach_of {
        reached(position, trace, unit, picture)?;
        view.from = position.world.units.get(unit as usize).map(|unit| unit.id.clone());
        view.asked.iter_mut().for_each(|asked| *asked = None);
    }
    picture.trace = Some(view);
    Ok(())
}

/// Where one unit can get to, said of each space for the unit's side.
fn reached(
    position: &Position<'_>,
    trace: TraceId,
    unit: u32,
    picture: &mut Picture,
) -> Result<(), EvalFault> {
    let Some(side) = position.world.owner(unit).map(SideId::index) else { return Ok(()) };
    let cells = picture.spaces.iter_mut().filter_map(|space| space.reach.get_mut(side));
    cells.for_each(|cell| *cell = Reach::default());
    for found in position.reach(trace, ThingRef::Unit(unit))?.spaces {
        let space = picture.spaces.get_mut(found.space as usize);
        if let Some(cell) = space.and_then(|space| space.reach.get_mut(side)) {
            (cell.length, cell.shut) = (Some(found.length), found.stop.is_some());
        }
    }
    Ok(())
}

/// How every space stands in a trace about spaces, each asked for itself.
fn spaces_asked(
    position: &Position<'_>,
    trace: TraceId,
    picture: &mut Picture,
) -> Result<(), EvalFault> {
    let Some(rule) = position.rules.traces.get(trace.index()) else { return Ok(()) };
    for (at, space) in (0u32..).zip(&mut picture.spaces) {
        let thing = ThingRef::Space(at);
        if !position.is_kind(thing, rule.of) {
            space.reach.push(Reach::default());
            continue;
        }
        let answer = position.answer(trace, thing)?;
        let gates = position.gates(trace, thing)?;
        let source = answer.source.filter(|_| answer.length == Some(0));
        space.reach.push(Reach {
            source: source.and_then(|s| rule.sources.get(usize::from(s))).map(|s| s.name.clone()),
            length: if answer.yes { answer.length.or(Some(0)) } else { None },
            shut: gates.legs.iter().all(|l| l.through.get(at as usize) == Some(&false)),
        });
    }
    Ok(())
}

/// The unit that a side's spaces are asked for where the trace reads its unit: the first wanted
/// one, else the first.
fn spokesman(
    position: &Position<'_>,
    rule: &Trace,
    wanted: &Wanted,
    side: SideId,
) -> Option<ThingRef> {
    let count = u32::try_from(position.world.units.len()).unwrap_or(u32::MAX);
    let fits = |u: &u32| {
        let here = position.world.space_of(*u).is_some() && position.world.owner(*u) == Some(side);
        here && position.is_kind(ThingRef::Unit(*u), rule.of)
    };
    wanted
        .units
        .iter()
        .copied()
        .find(|u| fits(u))
        .or_else(|| (0..count).find(|u| fits(u)))
        .map(ThingRef::Unit)
}
