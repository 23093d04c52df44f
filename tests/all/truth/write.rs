//! A game as the text of a ruleset, and positions as JSON.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::game::{
    CAPTAINS, Cond, Fate, Filter, Game, LANE, Leg, Near, PATH, Position, ROAD, SIDES, Steep,
    TERRAINS, Trace, UnitCond, Within,
};

const HEAD: &str = "edition 1
ruleset random \"Random\" prefix RA
sides Red, Pink against Blue
clock turn in steps from 1 to 9 has action of each side
dimension steps (step), points (point)
kind SPACE is space {
  has terrain one of plain, hill, marsh
  has depot yes or no
}
kind road, roads is link {
  has width in points from 0 to 9
WORN
}
PATHS
LANESSHOALSkind captain, captains is unit {
  has skill in points from 1 to 3
}
named captain Hale, Brandt
kind host, hosts is unit {
  has arm one of foot, horse
  has move in points from 0 to 9
  has wagon yes or no
  has leader maybe a captain
}
kind calendar, calendars is world {
  has season one of summer, winter
}
given flooded of area
FICKLEmark doomed of host
table toll of host gives points by first match {
  when over road                                 then 1
  when terrain here is marsh and arm is horse    then barred
  when terrain here is hill                      then 3
  otherwise 2
}
define slack of captain = 4 - skill
define pay of captain = 3 points
define green of captain = skill at most 1
define sure of captain = yes
define idle of captain = no host here
table lead of captain gives steps by first match {
  when skill at least 3 then 2
  otherwise 1
}
WETtable reach of host gives steps by first match {
  when leader is not none then 3
  when arm is horse       then 2
  otherwise 1
}
table fare of area gives points by first match {
  when over road        then 1
  when terrain is marsh then barred
  when terrain is hill  then 3
  otherwise 2
}
define ground of area = terrain
define manned of area = any friendly host here
hook levy of area gives steps {
  reads     ground
  kept      between 0 and 9
  script    \"levy.rhai\"
  otherwise 0
}
";

/// Links that no map lists.
const LANES: &str = "kind lane, lanes is link from any depot to any other with the same terrain\n";

/// What a cost that bars becomes, said once for the test of odds.
const LUCK: &str = "test luck of host {
  roll 1d6
  when total at most 2 then bad
  otherwise good
}
phase fate OCCASION {
  roll luck for hosts where cut
  do   mark doomed for hosts where luck is bad
}
";

/// The kind of spaces, and the noun for them in conditions.
pub fn noun(game: &Game) -> &'static str {
    if game.hexes.is_some() { "hex" } else { "area" }
}

/// The script of the hook.
pub fn script(game: &Game) -> String {
    let [a, b, c] = game.levy;
    format!("if ground == 0 {{ {a} }} else {{ if ground == 1 {{ {b} }} else {{ {c} }} }}\n")
}

/// The whole text of `rules.sut`.
pub fn rules(game: &Game) -> String {
    let hexes = game.hexes.is_some();
    let mut text = HEAD
        .replace("SPACE", if hexes { "hex, hexes" } else { "area, areas" })
        .replace("PATHS\n", if hexes { "" } else { "kind path, paths is link ONE_WAY\n" })
        .replace(" ONE_WAY", if game.one_way { " one way" } else { "" })
        .replace("LANES", if game.lanes { LANES } else { "" })
        .replace("of area", &format!("of {}", noun(game)))
        .replace("SHOALS", if hexes { "" } else { "kind shoal, shoals is area\n" })
        .replace("WET", if hexes { "" } else { "define wet of shoal = not flooded\n" })
        .replace("WORN\n", if game.fickle { "" } else { "  has worn yes or no\n" })
        .replace("FICKLE", if game.fickle { "given worn of road\n" } else { "" });
    for (at, define) in game.defines.iter().enumerate() {
        let _ = writeln!(text, "define d{at} of {} = {}", noun(game), cond(define));
    }
    if game.traces().any(|t| t.legs.iter().any(|leg| leg.within == Within::Haul)) {
        let [flooded, hill, else_] = game.haul;
        let _ = writeln!(
            text,
            "table haul of {} gives steps by first match {{\n  when flooded then {flooded}\n  when terrain is hill then {hill}\n  \
             otherwise {else_}\n}}",
            noun(game)
        );
    }
    for of in game.traces() {
        trace(game, of, &mut text);
    }
    if game.line.judged {
        text.push_str("phase check at start of action of owner {\n  judge line for own hosts\n}\n");
    }
    text.push_str(&LUCK.replace("OCCASION", game.fate.words()));
    map(game, &mut text);
    setup(game, &mut text);
    text
}

fn trace(game: &Game, of: &Trace, text: &mut String) {
    let subject = if of.of_units { "host" } else { noun(game) };
    let _ = writeln!(text, "trace {} of {subject} {{\n  called {} else {}", of.name, of.yes, of.no);
    if of.judged {
        text.push_str("  judged in check\n  lasts until end of turn\n");
    }
    for (always, when) in &of.verdicts {
        let _ =
            writeln!(text, "  {} {}", if *always { "always" } else { "never" }, unit_cond(when));
    }
    for (name, when) in &of.sources {
        let _ = writeln!(text, "  source {name} where ({})", cond(when));
    }
    for (name, when) in &of.relays {
        let _ = writeln!(text, "  relay {name} where ({})", cond(when));
    }
    for (at, leg) in of.legs.iter().enumerate() {
        let first = of.legs.iter().position(|l| l.place == leg.place).unwrap();
        let how = match (first < at, leg.optional) {
            (true, _) => format!(" instead of {}", of.legs[first].name),
            (_, true) => " optional".to_owned(),
            _ => String::new(),
        };
        let gate = |when: &Cond| match when {
            Cond::Always => "anywhere".to_owned(),
            when => cond(when),
        };
        let only = leg.only.as_ref().map_or(String::new(), |w| format!(" when {}", unit_cond(w)));
        let _ = writeln!(text, "  leg {}{how}{only}\n    over {}", leg.name, ways(game, leg));
        if leg.but_not != 0 {
            text.truncate(text.trim_end().len());
            let _ = writeln!(text, " but not {}", links(game, leg.but_not));
        }
        let steep = match leg.steep {
            Steep::Any => "",
            Steep::ByTerrain => {
                " when (terrain of the last is not marsh or terrain of the next is plain)"
            }
            Steep::ByUnits => " when (manned of the last or not manned of the next)",
        };
        text.truncate(text.trim_end().len());
        let _ = writeln!(text, "{steep}");
        if leg.for_horse != 0 {
            let _ = writeln!(text, "    over {} when arm is horse", links(game, leg.for_horse));
        }
        let _ = writeln!(text, "    from {}\n    through {}", gate(&leg.from), gate(&leg.through));
        if let Some(stops) = &leg.stopping {
            let _ = writeln!(text, "    stopping in {}", cond(stops));
        }
        let _ = writeln!(text, "    into {}", gate(&leg.into));
        if leg.cost {
            text.push_str(if of.of_units { "    cost toll\n" } else { "    cost fare\n" });
        }
        let unit = if leg.cost { "points" } else { "steps" };
        let within = match leg.within {
            Within::Number(n) => format!("{n} {unit}"),
            Within::Unlimited => "unlimited".to_owned(),
            Within::Move => "move".to_owned(),
            Within::Reach => "reach".to_owned(),
            Within::Lead => "lead of leader".to_owned(),
            Within::Haul => "haul of the source".to_owned(),
        };
        let _ = writeln!(text, "    within {within}");
    }
    text.push_str("}\n");
}

/// The links of a leg, with what must hold of its roads.
fn ways(game: &Game, leg: &Leg) -> String {
    let what = match (leg.sound, leg.wide) {
        (true, _) => "roads where not worn",
        (_, true) => "roads where width at least move of the host",
        _ => "roads",
    };
    links(game, leg.links).replace("roads", what)
}

fn links(game: &Game, links: u8) -> String {
    let path = if game.hexes.is_some() { "hexsides" } else { "paths" };
    let kinds = [(ROAD, "roads"), (PATH, path), (LANE, "lanes")];
    let named: Vec<&str> =
        kinds.into_iter().filter(|(kind, _)| links & kind != 0).map(|(_, name)| name).collect();
    named.join(", ")
}

fn near(near: Near) -> String {
    match near {
        Near::Here => "here".to_owned(),
        Near::Adjacent => "adjacent".to_owned(),
        Near::OverRoads => "adjacent over roads".to_owned(),
        Near::Within(n) => format!("within {n}"),
    }
}

fn filter(filter: Filter) -> String {
    match filter {
        Filter::None => "".to_owned(),
        Filter::Wagon => " where wagon".to_owned(),
        Filter::Horse => " where arm is horse".to_owned(),
        Filter::Led => " where leader is not none".to_owned(),
        Filter::Boss(so, boss) => format!(" where {}", said(so, &boss.words("leader"))),
        Filter::Linked => " where linked".to_owned(),
        Filter::FasterThanTracer => " where move more than move of the host".to_owned(),
    }
}

fn said(so: bool, what: &str) -> String {
    if so { what.to_owned() } else { format!("not ({what})") }
}

fn cond(when: &Cond) -> String {
    match when {
        Cond::Always => "always".to_owned(),
        Cond::Terrain(t) => format!("terrain is {}", TERRAINS[usize::from(*t)]),
        Cond::Depot => "depot".to_owned(),
        Cond::Control(stance) => stance.word().to_owned(),
        Cond::NoControl => "control is none".to_owned(),
        Cond::Winter => "season is winter".to_owned(),
        Cond::Flooded => "flooded".to_owned(),
        Cond::Any { none, stance, near: at, filter: of } => {
            let any = if *none { "no" } else { "any" };
            format!("({any} {} host {}{})", stance.word(), near(*at), filter(*of))
        }
        Cond::AtLeast { count, stance, near: at } => {
            format!("(count of {} hosts {} at least {count})", stance.word(), near(*at))
        }
        Cond::Levy(least) => format!("levy at least {least}"),
        Cond::TracerHorse => "arm of the host is horse".to_owned(),
        Cond::TracerLed => "leader of the host is not none".to_owned(),
        Cond::TracerMoves(least) => format!("move of the host at least {least}"),
        Cond::TracerBoss(boss) => boss.words("leader of the host"),
        Cond::Wet => "wet".to_owned(),
        Cond::Define(d) => format!("d{d}"),
        Cond::Joined => "joined".to_owned(),
        Cond::Not(a) => format!("not ({})", cond(a)),
        Cond::And(a, b) => format!("(({}) and ({}))", cond(a), cond(b)),
        Cond::Or(a, b) => format!("(({}) or ({}))", cond(a), cond(b)),
    }
}

fn unit_cond(when: &UnitCond) -> String {
    match when {
        UnitCond::Wagon => "wagon".to_owned(),
        UnitCond::Horse => "arm is horse".to_owned(),
        UnitCond::Led => "leader is not none".to_owned(),
        UnitCond::Boss(so, boss) => said(*so, &boss.words("leader")),
        UnitCond::Winter => "season is winter".to_owned(),
        UnitCond::Here(d) => format!("d{d} here"),
        UnitCond::Linked(true) => "linked".to_owned(),
        UnitCond::Linked(false) => "not linked".to_owned(),
    }
}

fn map(game: &Game, text: &mut String) {
    text.push_str("map field {\n");
    if let Some(columns) = game.hexes {
        text.push_str("  grid hexes flat even columns lower from 0101\n");
        text.push_str("  legend \".\" with terrain plain\n");
        for row in 0..game.spaces() / columns {
            let _ = writeln!(text, "  row \"{}\"", vec!["."; columns].join(" "));
            let _ = row;
        }
    }
    for at in 0..game.spaces() {
        let depot = if game.depot[at] { ", depot" } else { "" };
        let terrain = TERRAINS[usize::from(game.terrain[at])];
        let _ = writeln!(
            text,
            "  space {} {} with terrain {terrain}{depot}",
            if game.shoal[at] { "shoal" } else { noun(game) },
            game.space(at)
        );
    }
    for (at, (a, b, kind)) in game.links.iter().enumerate() {
        let kind = match (*kind, game.hexes) {
            (PATH, Some(_)) => continue,
            (PATH, None) => "path",
            _ => "road",
        };
        if game.pairs.iter().any(|(_, second, _)| *second == at) {
            continue;
        }
        let (from, to) = if game.leads(*a, *b) { (a, b) } else { (b, a) };
        // The other end of the link with which it is one line.
        let pair = game.pairs.iter().find(|(first, ..)| *first == at).map(|(_, second, space)| {
            let (c, d, _) = game.links[*second];
            let end = |(a, b): (usize, usize)| if a == *space { b } else { a };
            (end((*a, *b)), *space, end((c, d)))
        });
        let _ = match pair {
            Some((a, b, c)) => {
                let [a, b, c] = [a, b, c].map(|space| game.space(space));
                write!(text, "  link {kind} {a} to {b} to {c}")
            }
            None => write!(text, "  link {kind} {} to {}", game.space(*from), game.space(*to)),
        };
        if kind == "path" && game.one_way && game.leads(*to, *from) {
            let _ = write!(text, " to {}", game.space(*from));
        }
        if kind == "road" {
            let printed = !game.fickle && game.worn.contains(&(*a.min(b), *a.max(b)));
            let worn = if printed { ", worn" } else { "" };
            let _ = write!(text, " with width {}{worn}", game.width(*a, *b));
        }
        text.push('\n');
    }
    for (kinds, space) in &game.crossings {
        let _ = writeln!(text, "  no junction of {}s at {}", crossed(*kinds), game.space(*space));
    }
    if game.fickle {
        for (a, b) in &game.worn {
            let _ = writeln!(
                text,
                "  given link road {} to {} is worn",
                game.space(*a),
                game.space(*b)
            );
        }
    }
    text.push_str("}\n");
}

/// The kind of the links of a crossing.
pub fn crossed(kinds: u8) -> &'static str {
    match kinds {
        ROAD => "road",
        PATH => "path",
        _ => "link",
    }
}

fn setup(game: &Game, text: &mut String) {
    let at = &game.start;
    text.push_str("setup start on field {\n");
    for (captain, skill) in CAPTAINS.iter().zip(game.skill) {
        let _ = writeln!(text, "  given skill of {captain} is {skill}");
    }
    if at.winter {
        text.push_str("  given season is winter\n");
    }
    if game.fate == Fate::Before {
        text.push_str("  given fate\n");
    }
    for space in 0..game.spaces() {
        if at.flooded[space] {
            let _ = writeln!(text, "  given flooded of {} is yes", game.place(space));
        }
        if let Some(side) = at.control[space] {
            let _ = writeln!(text, "  given control is {} in {}", SIDES[side], game.place(space));
        }
    }
    for (a, b) in roads(game).filter(|_| game.fickle) {
        let (then, now) = (game.worn.contains(&(a, b)), at.worn.contains(&(a, b)));
        if then != now {
            let not = if now { "" } else { "not " };
            let (a, b) = (game.space(a), game.space(b));
            let _ = writeln!(text, "  given link road {a} to {b} is {not}worn");
        }
    }
    for (u, unit) in at.units.iter().enumerate() {
        let _ = write!(text, "  put host U{u} of {}", SIDES[unit.side]);
        if let Some(space) = unit.space {
            let _ = write!(text, " in {}", game.place(space));
        }
        let arm = if unit.horse { "horse" } else { "foot" };
        let _ = write!(text, " with arm {arm}, move {}", unit.moves);
        if unit.wagon {
            text.push_str(", wagon");
        }
        if let Some(leader) = unit.leader {
            let _ = write!(text, ", leader {}", CAPTAINS[leader]);
        }
        text.push('\n');
    }
    text.push_str("}\n");
}

/// The roads by their ends.
pub fn roads(game: &Game) -> impl Iterator<Item = (usize, usize)> + '_ {
    let roads = game.links.iter().filter(|link| link.2 == ROAD);
    roads.map(|(a, b, _)| (*a.min(b), *a.max(b)))
}

/// A position as one line of JSON, all of it said on top of the setup.
pub fn position(game: &Game, at: &Position) -> String {
    let units: Vec<Value> = at
        .units
        .iter()
        .enumerate()
        .map(|(u, unit)| {
            json!({
                "id": format!("U{u}"),
                "space": unit.space.map(|s| game.space(s)),
                "facts": {
                    "arm": if unit.horse { "horse" } else { "foot" },
                    "move": unit.moves,
                    "wagon": unit.wagon,
                    "leader": unit.leader.map(|l| CAPTAINS[l]),
                },
            })
        })
        .collect();
    let spaces: Map<String, Value> = (0..game.spaces())
        .map(|s| {
            let said = json!({"control": at.control[s].map(|c| SIDES[c]), "facts": {"flooded": at.flooded[s]}});
            (game.space(s), said)
        })
        .collect();
    let links: Vec<Value> = roads(game)
        .filter(|_| game.fickle)
        .map(|(a, b)| {
            let facts = json!({"worn": at.worn.contains(&(a, b))});
            json!({"kind": "road", "from": game.space(b), "to": game.space(a), "facts": facts})
        })
        .collect();
    json!({
        "schema": 1,
        "setup": "start",
        "links": links,
        "viewer": SIDES[at.viewer],
        "world": {"season": if at.winter { "winter" } else { "summer" }},
        "spaces": spaces,
        "units": units,
    })
    .to_string()
}
