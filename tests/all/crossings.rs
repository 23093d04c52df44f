//! Lines that cross and do not meet: every question against a brute force that knows the lines as
//! they were drawn and nothing else, and what is refused of them.

mod compared;
mod over;
mod planes;
mod told;

use std::fmt::Write;

use crate::common::counts::{full, seeds, seeds_every, share};
use crate::common::told::{series_says, session_says, unit_moves};
use crate::common::{Dice, checked, random_legs};
use crate::place::Place;
use sutler::ir::{KindId, Ruleset, SetupId, SideId, TraceId};
use sutler::kernel::{
    BatchFault, HexKernel, Kernel, Live, LiveEvidence, LiveReach, Position, Refused, Restoring,
    Series, Session, reference, session, threat,
};
use sutler::map::OneLink;
use sutler::project::check_text;
use sutler::world::{ThingRef, World};

const RULES: &str = "edition 1
ruleset roads \"Roads\" prefix RO
sides Red against Blue
dimension steps (step), points (point)
kind area, areas is space {
  has depot yes or no
  has camp yes or no
}
kind road, roads is link
kind highway, highways is road
kind rail, rails is link
kind chute, chutes is link one way
kind army, armies is unit
given blown of road
define taken of area = any enemy army here
table toll of army gives points by first match {
  when over highway then 1
  when over rail    then 2
  otherwise 3
}
";

/// The traces: whose lines, what stands before their legs, and of each leg its links and the rest.
struct Asked {
    of: &'static str,
    head: &'static str,
    legs: &'static [(&'static str, &'static str)],
}

const TRACES: [Asked; 11] = [
    Asked { of: "army", head: "", legs: &[("roads", "within 3")] },
    Asked { of: "army", head: "", legs: &[("roads, rails", "within 5")] },
    Asked { of: "army", head: "", legs: &[("links", "within unlimited")] },
    Asked { of: "army", head: "", legs: &[("rails", "within 2")] },
    Asked { of: "area", head: "", legs: &[("roads", "within 4")] },
    Asked {
        of: "army",
        head: "",
        legs: &[("roads, rails, chutes", "cost toll\n    within 7 points")],
    },
    Asked { of: "army", head: "", legs: &[("roads where not blown", "within unlimited")] },
    Asked { of: "army", head: "", legs: &[("roads", "within 2"), ("rails, roads", "within 2")] },
    Asked { of: "army", head: "  relay camp where camp\n", legs: &[("roads", "within 2")] },
    Asked { of: "area", head: "", legs: &[("links", "within 2")] },
    Asked { of: "army", head: "", legs: &[("highways, rails", "cost toll\n    within unlimited")] },
];

/// Those of which a leg asks more of its links than that they are there.
const TOLD: [usize; 4] = [2, 5, 6, 9];

/// One line as the map draws it.
#[derive(Clone)]
struct Line {
    kind: &'static str,
    spaces: Vec<usize>,
}

/// One link as somebody goes along it: its line, and its two spaces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Along {
    line: usize,
    from: usize,
    to: usize,
}

#[derive(Clone)]
struct Game {
    spaces: usize,
    depots: Vec<bool>,
    camps: Vec<bool>,
    lines: Vec<Line>,
    crossings: Vec<(&'static str, usize)>,
    blown: Vec<(&'static str, usize, usize)>,
    units: Vec<usize>,
    enemies: Vec<usize>,
    /// Whether two links may join the same two spaces.
    parallel: bool,
}

fn is_kind(kind: &str, wanted: &str) -> bool {
    let wanted = wanted.trim_end_matches('s');
    kind == wanted || wanted == "link" || kind == "highway" && wanted == "road"
}

impl Game {
    fn random(dice: &mut Dice) -> Game {
        let spaces = 5 + dice.below(5);
        let some = |dice: &mut Dice, percent| (0..spaces).map(|_| dice.percent(percent)).collect();
        let mut game = Game {
            spaces,
            depots: some(dice, 15),
            camps: some(dice, 20),
            lines: Vec::new(),
            crossings: Vec::new(),
            blown: Vec::new(),
            units: (0..4).map(|_| dice.below(spaces)).collect(),
            enemies: (0..2).map(|_| dice.below(spaces)).collect(),
            parallel: dice.percent(40),
        };
        for _ in 0..4 + dice.below(4) {
            let kind = *dice.pick(&["road", "road", "road", "highway", "rail", "rail", "chute"]);
            let mut line = vec![dice.below(spaces)];
            for _ in 0..1 + dice.below(5) {
                let (from, to) = (line[line.len() - 1], dice.below(spaces));
                let pairs = line.windows(2).map(|w| (w[0], w[1]));
                let own = pairs.clone().any(|(a, b)| (a, b) == (from, to) || (b, a) == (from, to));
                let joined =
                    |l: &Line| l.spaces.windows(2).any(|w| w == [from, to] || w == [to, from]);
                // Some links lie on two lines of their kind: that is a warning, and the link counts once.
                let twice = game
                    .lines
                    .iter()
                    .any(|l| joined(l) && (l.kind == kind && dice.percent(70) || !game.parallel));
                if from != to && !own && !twice {
                    line.push(to);
                }
            }
            if line.len() > 1 {
                game.lines.push(Line { kind, spaces: line });
            }
        }
        for space in 0..spaces {
            for kind in ["road", "highway", "rail", "link"] {
                let often = if kind == "link" { 5 } else { 55 };
                if game.groups(kind, space) > 1 && dice.percent(often) {
                    game.crossings.push((kind, space));
                }
            }
        }
        for along in game.all() {
            let kind = game.lines[along.line].kind;
            if is_kind(kind, "road") && along.from < along.to && dice.percent(20) {
                game.blown.push((kind, along.from, along.to));
            }
        }
        game
    }

    /// All links, each in both directions, once for each line that it lies on.
    fn all(&self) -> Vec<Along> {
        let mut all = Vec::new();
        for (line, drawn) in self.lines.iter().enumerate() {
            for pair in drawn.spaces.windows(2) {
                all.push(Along { line, from: pair[0], to: pair[1] });
                all.push(Along { line, from: pair[1], to: pair[0] });
            }
        }
        all
    }

    /// Whether two links at a space are the same one, drawn twice.
    fn same(&self, space: usize, a: Along, b: Along) -> bool {
        let end = |of: Along| if of.from == space { of.to } else { of.from };
        self.lines[a.line].kind == self.lines[b.line].kind && end(a) == end(b)
    }

    /// The links of a kind at a space by the lines that they are on: lines that share one of them
    /// are one.
    fn grouped(&self, kind: &str, space: usize) -> Vec<Vec<Along>> {
        let here = |a: &Along| a.from == space && is_kind(self.lines[a.line].kind, kind);
        let links: Vec<Along> = self.all().into_iter().filter(here).collect();
        let mut groups: Vec<Vec<Along>> = Vec::new();
        for link in links {
            let on = |known: &Along| known.line == link.line || self.same(space, *known, link);
            let (met, mut apart): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| group.iter().any(on));
            apart.push(met.into_iter().flatten().chain([link]).collect());
            groups = apart;
        }
        groups
    }

    fn groups(&self, kind: &str, space: usize) -> usize {
        self.grouped(kind, space).len()
    }

    /// Whether somebody may turn from one link into another, in the space between them.
    fn turns(&self, came: Along, goes: Along) -> bool {
        let space = came.to;
        self.crossings.iter().filter(|(_, at)| *at == space).all(|(kind, _)| {
            let kinds = [came, goes].map(|along| is_kind(self.lines[along.line].kind, kind));
            if kinds != [true, true] {
                return true;
            }
            let back = Along { from: came.to, to: came.from, ..came };
            self.grouped(kind, space).iter().any(|g| g.contains(&back) && g.contains(&goes))
        })
    }

    /// What a step of a leg costs along a link; none where it does not go along it.
    fn step(&self, trace: usize, leg: usize, along: Along) -> Option<u32> {
        let kind = self.lines[along.line].kind;
        let links = TRACES[trace].legs[leg].0.trim_end_matches(" where not blown");
        if !links.split(", ").any(|wanted| is_kind(kind, wanted)) {
            return None;
        }
        let (a, b) = (along.from.min(along.to), along.from.max(along.to));
        if kind == "chute" && !self.leads(along) {
            return None;
        }
        if trace == 6 && self.blown.contains(&(kind, a, b)) {
            return None;
        }
        if !TRACES[trace].legs[leg].1.contains("cost") {
            return Some(1);
        }
        // What a step costs is asked of its two spaces.
        let joined = |wanted: &str| {
            let of = |l: &&Along| is_kind(self.lines[l.line].kind, wanted);
            self.all().iter().filter(of).any(|l| (l.from, l.to) == (along.from, along.to))
        };
        Some(if joined("highway") {
            1
        } else if joined("rail") {
            2
        } else {
            3
        })
    }

    /// Whether a chute leads so.
    fn leads(&self, along: Along) -> bool {
        let mut chutes = self.lines.iter().filter(|l| l.kind == "chute");
        chutes.any(|l| l.spaces.windows(2).any(|w| w == [along.from, along.to]))
    }

    /// How far each space is on one leg, by the link along which it was come to.
    fn leg(&self, trace: usize, leg: usize, from: usize) -> Vec<Option<u32>> {
        let rest = TRACES[trace].legs[leg].1;
        let word = rest.rsplit_once("within ").unwrap().1.split(' ').next().unwrap();
        let most: u32 = word.parse().unwrap_or(u32::MAX);
        let mut far: Vec<((usize, Option<Along>), u32)> = vec![((from, None), 0)];
        let mut at = 0;
        // Nothing is settled: whatever has got nearer is gone on from again.
        while at < far.len() {
            let ((space, came), gone) = far[at];
            at += 1;
            for along in self.all().into_iter().filter(|along| along.from == space) {
                if came.is_some_and(|came| !self.turns(came, along)) {
                    continue;
                }
                let Some(step) = self.step(trace, leg, along) else { continue };
                let (state, whole) = ((along.to, Some(along)), gone + step);
                let known = far.iter().any(|(of, far)| *of == state && *far <= whole);
                if whole <= most && !known {
                    far.push((state, whole));
                }
            }
        }
        let of = |space| far.iter().filter(|((s, _), _)| *s == space).map(|(_, far)| *far).min();
        (0..self.spaces).map(of).collect()
    }

    /// How far lines can end, over all legs and relays.
    fn far(&self, trace: usize, from: usize) -> Vec<Option<u32>> {
        let better = |cell: &mut Option<u32>, new: u32| {
            let is = cell.is_none_or(|old| new < old);
            if is {
                *cell = Some(new);
            }
            is
        };
        let mut ends: Vec<Option<u32>> = vec![None; self.spaces];
        let mut begins: Vec<Option<u32>> = vec![None; self.spaces];
        begins[from] = Some(0);
        loop {
            let mut at = begins.clone();
            for leg in 0..TRACES[trace].legs.len() {
                let mut next: Vec<Option<u32>> = vec![None; self.spaces];
                for (begin, gone) in at.iter().enumerate() {
                    let Some(gone) = gone else { continue };
                    for (end, far) in self.leg(trace, leg, begin).into_iter().enumerate() {
                        if let Some(far) = far {
                            better(&mut next[end], gone + far);
                        }
                    }
                }
                at = next;
            }
            let mut more = false;
            for (space, far) in at.iter().enumerate() {
                let Some(far) = far else { continue };
                better(&mut ends[space], *far);
                if trace == 8 && self.camps[space] {
                    more |= better(&mut begins[space], *far);
                }
            }
            if !more {
                return ends;
            }
        }
    }

    fn nearest(&self, trace: usize, from: usize) -> Option<u32> {
        let far = self.far(trace, from);
        (0..self.spaces).filter(|s| self.depots[*s]).filter_map(|s| far[s]).min()
    }

    /// Whether spaces one after another are a way of a leg, and what it costs.
    fn is_way(&self, trace: usize, leg: usize, way: &[usize]) -> Option<u32> {
        let mut now: Vec<(Option<Along>, u32)> = vec![(None, 0)];
        for pair in way.windows(2) {
            let mut next = Vec::new();
            for along in self.all().into_iter().filter(|l| [l.from, l.to] == *pair) {
                let Some(step) = self.step(trace, leg, along) else { continue };
                for (came, gone) in &now {
                    if came.is_none_or(|came| self.turns(came, along)) {
                        next.push((Some(along), gone + step));
                    }
                }
            }
            now = next;
        }
        now.iter().map(|(_, gone)| *gone).min()
    }

    /// Whether a leg asks along which of several links a step goes that lie on different lines.
    fn unsure(&self) -> bool {
        let links = self.all();
        let lines = |space: usize, of: Along| -> Vec<Option<usize>> {
            let at = self.crossings.iter().filter(|(_, at)| *at == space);
            at.map(|(kind, _)| self.grouped(kind, space).iter().position(|g| g.contains(&of)))
                .collect()
        };
        TOLD.iter().any(|trace| {
            let over = TRACES[*trace].legs[0].0.trim_end_matches(" where not blown");
            let of_leg = |l: &Along| over.split(", ").any(|k| is_kind(self.lines[l.line].kind, k));
            links.iter().filter(|l| of_leg(l)).any(|a| {
                let beside = links.iter().filter(|b| of_leg(b) && (a.from, a.to) == (b.from, b.to));
                beside.into_iter().any(|b| lines(a.from, *a) != lines(a.from, *b))
            })
        })
    }

    fn text(&self, traces: &[usize]) -> String {
        let mut text = RULES.to_owned();
        for at in traces {
            let Asked { of, head, legs } = &TRACES[*at];
            let _ = write!(
                text,
                "trace t{at} of {of} {{\n  called joined{at} else cut{at}\n  source depot where depot\n{head}"
            );
            for (nth, (over, rest)) in legs.iter().enumerate() {
                let _ = write!(
                    text,
                    "  leg l{nth}\n    over {over}\n    from anywhere\n    through anywhere\n    into anywhere\n    {rest}\n"
                );
            }
            text += "}\n";
        }
        text += "trace open of army {\n  called free else shut\n  source depot where (depot and not taken)\n  leg way\n    \
                 over roads, rails\n    from anywhere\n    through not taken\n    into anywhere\n    within 5\n}\n";
        text += "map field {\n";
        for at in 0..self.spaces {
            let mut with = Vec::new();
            with.extend(self.depots[at].then_some("depot"));
            with.extend(self.camps[at].then_some("camp"));
            let with =
                if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
            let _ = writeln!(text, "  space area S{at}{with}");
        }
        for line in &self.lines {
            let spaces: Vec<String> = line.spaces.iter().map(|s| format!("S{s}")).collect();
            let _ = writeln!(text, "  link {} {}", line.kind, spaces.join(" to "));
        }
        for (kind, space) in &self.crossings {
            let _ = writeln!(text, "  no junction of {kind}s at S{space}");
        }
        text += "}\nsetup start on field {\n";
        for (at, space) in self.units.iter().enumerate() {
            let _ = writeln!(text, "  put army U{at} of Red in S{space}");
        }
        for (at, space) in self.enemies.iter().enumerate() {
            let _ = writeln!(text, "  put army E{at} of Blue in S{space}");
        }
        text + "}\n"
    }

    /// The position of the setup, with the links that are blown.
    fn world(&self, rules: &Ruleset) -> World {
        let mut world = sutler::world::start(rules, SetupId(0));
        let blown = rules.facts.iter().find(|f| f.name == "blown").unwrap();
        for (name, a, b) in &self.blown {
            let kind = rules.kinds.iter().position(|k| k.name == *name).map(KindId::at).unwrap();
            let link = rules.maps[0].number_of(OneLink::of(kind, *a as u32, *b as u32)).unwrap();
            world.set_fact(blown, ThingRef::Link(link), 1);
        }
        world
    }

    /// The same without crossings.
    fn joined(&self) -> Game {
        Game { crossings: Vec::new(), ..self.clone() }
    }
}

/// A game whose legs can all be asked, with its text.
fn asked(seed: u64, dice: &mut Dice) -> (Game, Vec<usize>, String) {
    let game = Game::random(dice);
    let all: Vec<usize> = (0..TRACES.len()).collect();
    let text = game.text(&all);
    let (_, rules, faults) = check_text("rules.sut", text.as_bytes());
    let codes: Vec<String> = faults.iter().map(|f| f.code.to_string()).collect();
    let refused = codes.iter().any(|code| code == "E0733");
    assert_eq!(refused, game.unsure(), "seed {seed}\n{text}\n{faults:#?}");
    assert_eq!(rules.is_none(), refused, "seed {seed}\n{text}\n{faults:#?}");
    if !refused {
        return (game, all, text);
    }
    let rest: Vec<usize> = all.into_iter().filter(|at| !TOLD.contains(at)).collect();
    let text = game.text(&rest);
    (game, rest, text)
}

fn trace(rules: &Ruleset, name: &str) -> TraceId {
    rules.traces.iter().position(|trace| trace.name == name).map(TraceId::at).unwrap()
}

fn things(game: &Game, at: usize) -> Vec<(ThingRef, usize)> {
    match TRACES[at].of {
        "area" => (0..game.spaces).map(|s| (ThingRef::Space(s as u32), s)).collect(),
        _ => (0u32..).map(ThingRef::Unit).zip(game.units.iter().copied()).collect(),
    }
}

/// The answer about one thing, by each way of asking one position.
fn one_thing(
    game: &Game,
    at: usize,
    (thing, space): (ThingRef, usize),
    ask: &Position<'_>,
    what: &str,
) -> bool {
    let trace = trace(ask.rules, &format!("t{at}"));
    let wanted = game.nearest(at, space);
    let what = format!("t{at} of {thing:?}, {what}");
    let answer = ask.answer(trace, thing).unwrap();
    assert_eq!(answer.length, wanted, "{what}");
    assert_eq!(answer.yes, wanted.is_some(), "{what}");
    assert_eq!(ask.is_yes(trace, thing).unwrap(), wanted.is_some(), "{what}");
    assert_eq!(reference::ask(ask, trace, thing).unwrap().0, wanted.is_some(), "{what}");
    assert_eq!(reference::shortest(ask, trace, thing).unwrap(), wanted, "{what}");
    let far = game.far(at, space);
    let ends: Vec<(usize, u32)> =
        far.iter().enumerate().filter_map(|(s, far)| Some((s, (*far)?))).collect();
    let reach = ask.reach(trace, thing).unwrap();
    let found: Vec<(usize, u32)> =
        reach.spaces.iter().map(|r| (r.space as usize, r.length)).collect();
    assert_eq!(found, ends, "reach, {what}");
    let told: Vec<(usize, u32)> = ask
        .reach_lengths(trace, thing)
        .unwrap()
        .into_iter()
        .map(|(s, l)| (s as usize, l))
        .collect();
    assert_eq!(told, ends, "reach lengths, {what}");
    for reached in reach.spaces.iter().filter(|_| TRACES[at].legs.len() == 1 && at != 8) {
        let way: Vec<usize> = reached.way.iter().map(|s| *s as usize).collect();
        assert_eq!(game.is_way(at, 0, &way), Some(reached.length), "way {way:?}, {what}");
        assert_eq!(way[0], space, "{what}");
        assert_eq!(way[way.len() - 1], reached.space as usize, "{what}");
    }
    let line = ask.line(trace, thing).unwrap();
    assert_eq!(line.is_empty(), wanted.is_none(), "{what}");
    let mut whole = 0;
    let mut before = space;
    for stretch in &line {
        let way: Vec<usize> = stretch.spaces.iter().map(|(s, _)| *s as usize).collect();
        assert_eq!(way[0], before, "{what}");
        before = way[way.len() - 1];
        let cost = stretch.spaces.last().unwrap().1;
        assert_eq!(game.is_way(at, stretch.leg, &way), Some(cost), "line {way:?}, {what}");
        whole += cost;
    }
    if let Some(wanted) = wanted {
        assert!(game.depots[before] && whole == wanted, "{line:?}, {what}");
    }
    for way in ask.ways_out(trace, thing).unwrap() {
        assert!((way.space as usize) < game.spaces, "{way:?}, {what}");
    }
    for settled in ask.settled(trace, thing).unwrap() {
        assert!((settled.space as usize) < game.spaces, "{settled:?}, {what}");
        assert!(settled.steps.iter().all(|s| (s.to as usize) < game.spaces), "{settled:?}, {what}");
    }
    let lengths = ask.line_lengths(trace, thing).unwrap();
    for (begin, length) in lengths.iter().enumerate() {
        // Where one leg decides the limit is left out of account.
        if game.nearest(at, begin).is_some() {
            assert_eq!(*length, game.nearest(at, begin), "from S{begin}, {what}");
        }
    }
    wanted.is_some()
}

#[test]
fn nobody_turns_where_lines_only_cross() {
    let (mut asked_of, mut yes, mut turned, mut untold) = (0, 0, 0, 0);
    for seed in seeds(200) {
        let mut dice = Dice::new(seed);
        let (game, traces, text) = asked(seed, &mut dice);
        untold += usize::from(traces.len() < TRACES.len());
        let rules = checked(&text);
        let world = game.world(&rules);
        let position = Position::new(&rules, &world).unwrap();
        let what = format!("seed {seed}\n{text}");
        let joined = game.joined();
        for at in &traces {
            for (thing, space) in things(&game, *at) {
                yes += usize::from(one_thing(&game, *at, (thing, space), &position, &what));
                asked_of += 1;
                turned += usize::from(joined.nearest(*at, space) != game.nearest(*at, space));
            }
        }
    }
    println!(
        "{asked_of} answers, {yes} of them yes, {turned} otherwise with junctions, {untold} refused"
    );
    assert!(yes > share(2000) && turned > share(125), "{yes} and {turned} of {asked_of}");
    assert!(untold > share(20), "{untold}");
}

/// Positions one after another, one that changes, and many at once: an engine that cannot answer says so, and
/// no other differs.
#[test]
fn many_positions_are_answered_as_one_is() {
    let (mut refused, mut kept, mut yes) = (0, 0, 0);
    for seed in seeds(150) {
        let mut dice = Dice::new(seed);
        let (game, traces, text) = asked(seed, &mut dice);
        let rules = checked(&text);
        let world = game.world(&rules);
        for at in traces.iter().filter(|at| TRACES[**at].of == "army") {
            let (id, what) =
                (trace(&rules, &format!("t{at}")), format!("seed {seed}, t{at}\n{text}"));
            let mut series = Series::new(&rules, id);
            let mut session = Session::new(&rules, world.clone(), id).unwrap();
            let crossed =
                session.as_ref().and_then(Session::not_local) == Some(session::NotLocal::Crossings);
            let by_bits = HexKernel::compile(&rules, &world, id).err() == Some(Refused::Crossings);
            // Many positions at once are searched by nodes.
            let planes = Kernel::compile(&rules, &world, id, &[]).err();
            assert_ne!(planes, Some(BatchFault::Crossings), "{what}");
            let one = [id];
            let live = [
                Live::new(&rules, &world, one).err(),
                LiveEvidence::new(&rules, &world, id).err(),
                LiveReach::new(&rules, &world, id).err(),
            ];
            // A leg that goes over nothing that crosses is answered as ever.
            assert!(crossed == by_bits || !rules.traces[id.index()].relays.is_empty(), "{what}");
            if by_bits {
                assert!(live.iter().all(Option::is_some), "{what}");
                refused += 1;
            } else {
                kept += 1;
            }
            let mut now = game.clone();
            let (mut worlds, mut wanted) = (vec![world.clone()], Vec::new());
            for _ in 0..12 {
                let told: Vec<bool> =
                    now.units.iter().map(|space| now.nearest(*at, *space).is_some()).collect();
                yes += told.iter().filter(|told| **told).count();
                session_says(session.as_ref(), &told, &what);
                wanted.push(told);
                let (unit, to) = (dice.below(now.units.len()), dice.below(now.spaces));
                now.units[unit] = to;
                let mut next = worlds.last().unwrap().clone();
                unit_moves(&rules, (session.as_mut(), &mut next), unit as u32, to as u32);
                worlds.push(next);
            }
            worlds.pop();
            series_says(&mut series, &worlds, &wanted, now.units.len() + now.enemies.len(), &what);
        }
    }
    println!("{refused} traces refused, {kept} kept, {yes} yes");
    assert!(refused > share(600) && kept > share(200) && yes > share(4000));
}

/// What would cut a line and what would restore one, found and by making every change.
#[test]
fn threats_and_remedies_are_those_of_trials() {
    let (mut cuts, mut remedies) = (0, 0);
    for seed in seeds(300) {
        let mut dice = Dice::new(seed);
        let (game, _, text) = asked(seed, &mut dice);
        let rules = checked(&text);
        let world = game.world(&rules);
        let position = Position::new(&rules, &world).unwrap();
        let (id, what) = (trace(&rules, "open"), format!("seed {seed}\n{text}"));
        let units: Vec<ThingRef> = (0..game.units.len() as u32).map(ThingRef::Unit).collect();
        let found = position.threat(id, &units).unwrap();
        let all: Vec<u32> = (0..game.units.len() as u32).collect();
        let twin = threat::by_trial(&position, id, &all).unwrap();
        cuts += found.cuts.len();
        let things = |units: &[u32]| units.iter().copied().map(ThingRef::Unit).collect::<Vec<_>>();
        let slow: Vec<_> = twin.iter().map(|(change, cut)| (change.clone(), things(cut))).collect();
        let cut = |cut: &threat::Cut| cut.units.iter().map(|u| u.thing).collect::<Vec<_>>();
        let ours: Vec<_> = found.cuts.iter().map(|c| (c.change.clone(), cut(c))).collect();
        assert_eq!(ours, slow, "{what}");
        for watched in &found.units {
            let ThingRef::Unit(unit) = watched.thing else { continue };
            let start = game.units[unit as usize];
            let stays = |space: u32| {
                reference::ask_without(&position, id, watched.thing, &[space]).unwrap().0
            };
            let mut cut: Vec<u32> = watched.cut_spaces.clone();
            cut.sort_unstable();
            let all = (0..game.spaces as u32).filter(|s| *s as usize != start && !stays(*s));
            assert_eq!(cut, all.collect::<Vec<u32>>(), "{what}, {:?}", watched.thing);
        }
        let (ours, slow) = (Restoring::new(&position, id), Restoring::by_trial(&position, id));
        for thing in units {
            let found = ours.why_not(thing).unwrap();
            assert_eq!(found, slow.why_not(thing).unwrap(), "{what}, {thing:?}");
            remedies += found.remedies.len();
        }
    }
    println!("{cuts} cuts, {remedies} remedies");
    assert!(cuts > share(300) && remedies > share(20), "{cuts} cuts, {remedies} remedies");
}

/// The codes of a map with these lines, of roads, highways and rails.
fn codes(lines: &str) -> Vec<String> {
    let text = format!(
        "edition 1\nruleset a \"A\" prefix A\nkind area, areas is space {{\n  has port yes or no\n}}\nkind road, roads is link\n\
         kind highway, highways is road\nkind lane, lanes is link from any port area to any other\nkind army, armies is unit\n\
         map m {{\n  space area A\n  space area B\n  space area X\n  space area C\n  space area D\n{lines}}}\n"
    );
    check_text("a.sut", text.as_bytes()).2.iter().map(|f| f.code.to_string()).collect()
}

#[test]
fn what_crosses_nothing_is_refused() {
    let none: [&str; 0] = [];
    let roads = "  link road A to X to B\n  link road C to X to D\n";
    let with = |lines: &str| codes(&format!("{roads}{lines}"));
    assert_eq!(with("  no junction of roads at X\n"), none);
    assert_eq!(with("  no junction of road at X\n"), none);
    assert_eq!(with("  no junction of links at X\n"), none);
    assert_eq!(with("  no junction of roads at A\n"), ["E0732"]);
    assert_eq!(with("  no junction of highways at X\n"), ["E0732"]);
    assert_eq!(with("  no junction of lanes at X\n"), ["E0732"]);
    assert_eq!(with("  no junction of hexsides at X\n"), ["E0732"]);
    assert_eq!(with("  no junction of roads at X, X\n"), ["E0202"]);
    assert_eq!(with("  no junction of roads at X\n  no junction of road at X\n"), ["E0202"]);
    assert_eq!(with("  no junction of roads at Y\n"), ["E0701"]);
    assert_eq!(with("  no junction of armies at X\n"), ["E0405"]);
    // Two kinds at one space are two crossings.
    let rails = "  link highway A to X to C\n  link highway B to X\n";
    let both = "  no junction of roads at X\n  no junction of highways at X\n";
    assert_eq!(with(&format!("{rails}{both}")), none);
    // One line that comes by twice crosses nothing, nor do two that share a link.
    let loop_ = "  link road A to X to B to C to X to D\n  no junction of roads at X\n";
    assert_eq!(codes(loop_), ["E0732"]);
    let shared = "  link road A to X to B\n  link road C to X to B\n  no junction of roads at X\n";
    assert_eq!(codes(shared), ["W0717", "E0732"]);
    // What ends there is a line of its own; the order of lines in the map makes no difference.
    let end = "  no junction of roads at X\n  link road A to X\n  link road X to B\n";
    assert_eq!(codes(end), none);
}

const VIADUCT: &str = "edition 1
ruleset viaduct \"Viaduct\" prefix VI
sides Red against Blue
dimension steps (step)
kind area, areas is space {
  has depot yes or no
}
kind road, roads is link
kind army, armies is unit
trace way of army {
  called  fed else unfed
  source  depot where depot
  leg go
    over    roads
    from    anywhere
    through anywhere
    into    anywhere
    within  4
}
map hills {
  space area A at (0, 2)
  space area X at (2, 2)
  space area B at (4, 2)
  space area C at (2, 0)
  space area D at (2, 4) with depot
  link road A to X to B
  link road C to X to D
  no junction of roads at X
}
setup start on hills {
  put army First of Red in A
}
case \"over the viaduct\" {
  on     hills
  put    army First of Red in A
  expect First is unfed
  given  space of First is C
  expect First is fed
  given  space of First is X
  expect First is fed
}
";

#[test]
fn commands_know_the_crossing() {
    let place = Place::with(VIADUCT);
    let said = |args: &[&str]| {
        let said = place.run(args);
        format!("{}{}", said.out, said.err)
    };
    assert!(said(&["test", "game"]).contains("1 passed"), "{}", said(&["test", "game"]));
    assert!(said(&["explain", "game", "First", "--setup", "start"]).contains("unfed"));
    let map = said(&["map", "game", "--setup", "start", "--format", "json"]);
    let map: serde_json::Value = serde_json::from_str(&map).unwrap();
    let wanted = serde_json::json!([
        { "kind": "road", "space": "X", "lines": [["A", "B"], ["C", "D"]] },
    ]);
    assert_eq!(map["crossings"], wanted, "{map}");
    let svg = said(&["map", "game", "--setup", "start", "--format", "svg"]);
    assert!(svg.contains("no junction of roads"), "{svg}");
    place.write("plain/rules.sut", VIADUCT.replace("  no junction of roads at X\n", ""));
    let diff = said(&["diff", "game", "plain"]);
    assert!(diff.contains("no junction of roads at X"), "{diff}");
    let text = || std::fs::read_to_string(place.path("game/rules.sut")).unwrap();
    place.write(
        "game/rules.sut",
        text().replace("no junction of roads at X", "no  junction of  roads at  X"),
    );
    said(&["fmt", "game"]);
    let laid = text();
    assert!(laid.contains("\n  no junction of roads at X\n"), "{laid}");
    said(&["fmt", "game"]);
    assert_eq!(text(), laid);
}

#[test]
fn a_variant_says_where_links_meet() {
    let place = Place::with(VIADUCT);
    let variant = |body: &str| {
        let head = "edition 1\nruleset met \"Met\" prefix ME extends viaduct\n";
        let case = "case \"as the variant says\" {\n  on     hills\n  put    army Second of Red in A\n  expect Second is";
        place.write("game/met.sut", format!("{head}{body}\n{case} fed\n}}\n"));
        let said = place.run(&["test", "game"]);
        format!("{}{}", said.out, said.err)
    };
    let out = "override map hills, but {\n  without no junction of roads at X\n}";
    assert!(variant(out).contains("met: 1 passed, 0 failed"), "{}", variant(out));
    let wrong = "override map hills, but {\n  no junction of roads at A\n}";
    assert!(variant(wrong).contains("error[E0732]"), "{}", variant(wrong));
    let kept = variant("override map hills, but {\n  space area E\n}");
    assert!(kept.contains("met: 0 passed, 1 failed"), "{kept}");
}

/// Some of the links of a text joined to longer lines, with as many crossings as they take; and the
/// same without crossings.
fn crossed(dice: &mut Dice, text: &str) -> Option<(String, String)> {
    let (head, rest) = text.split_once("map field {\n")?;
    let (map, behind) = rest.split_once("}\n")?;
    let mut lines: Vec<String> = Vec::new();
    for line in map.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["link", kind @ ("road" | "path"), from, "to", to] = words[..] else {
            lines.push(line.to_owned());
            continue;
        };
        let number = |space: &str| space[1..].parse::<u32>().unwrap();
        let (low, high) = (number(from).min(number(to)), number(from).max(number(to)));
        let said = format!("link {kind} S{low} to S{high} is");
        if dice.percent(40) && !text.contains(&said) {
            continue;
        }
        let begins = format!("  link {kind} ");
        let ends = |known: &&mut String| {
            known.starts_with(&begins) && known.ends_with(&format!(" to {from}"))
        };
        match lines.iter_mut().find(ends).filter(|_| dice.percent(70)) {
            Some(known) => *known += &format!(" to {to}"),
            None => lines.push(line.to_owned()),
        }
    }
    let spaces = lines.iter().filter(|line| line.starts_with("  space ")).count();
    let with = |lines: &[String]| format!("{head}map field {{\n{}\n}}\n{behind}", lines.join("\n"));
    let before = lines.len();
    for space in 0..spaces {
        for kind in ["roads", "paths", "ways_", "links"] {
            if !dice.percent(if kind == "links" { 10 } else { 60 }) {
                continue;
            }
            lines.push(format!("  no junction of {kind} at S{space}"));
            if check_text("random.sut", with(&lines).as_bytes()).1.is_none() {
                lines.pop();
            }
        }
    }
    (lines.len() > before).then(|| (with(&lines), with(&lines[..before])))
}

/// Legs one behind another, optional ones, alternatives, relays, costs, gates that name the unit and
/// traces of spaces, against the twins.
#[test]
fn chains_over_crossings_agree_with_their_twins() {
    let (mut games, mut asked, mut turned, mut remedies, mut cuts) = (0, 0, 0, 0, 0);
    for seed in seeds_every(150, 7) {
        let text = random_legs::ruleset_with_nets(&mut random_legs::Dice::new(seed));
        let Some((with, without)) = crossed(&mut Dice::new(seed), &text) else { continue };
        games += 1;
        let (rules, joined) = (checked(&with), checked(&without));
        let world = sutler::world::start(&rules, SetupId(0));
        let other = sutler::world::start(&joined, SetupId(0));
        let position = Position::new(&rules, &world).unwrap();
        let before = Position::new(&joined, &other).unwrap();
        let line = trace(&rules, "line");
        let units: Vec<u32> = (0..world.units.len() as u32).collect();
        for unit in &units {
            let thing = ThingRef::Unit(*unit);
            let what = format!("seed {seed}, unit {unit}\n{with}");
            let answer = position.answer(line, thing).unwrap();
            let (twin, _) = reference::ask(&position, line, thing).unwrap();
            assert_eq!(answer.yes, twin, "{what}");
            assert_eq!(position.is_yes(line, thing).unwrap(), twin, "{what}");
            if answer.length.is_some() {
                let shortest = reference::shortest(&position, line, thing).unwrap();
                assert_eq!(answer.length, shortest, "{what}\n{answer:?}");
            }
            let reach = position.reach(line, thing).unwrap();
            if let (None, Some(start)) = (reach.never, world.space_of(*unit)) {
                let found: Vec<(u32, u32)> =
                    reach.spaces.iter().map(|r| (r.space, r.length)).collect();
                let twin = reference::reach(&position, line, start, thing).unwrap();
                assert_eq!(found, twin.into_iter().collect::<Vec<_>>(), "{what}");
            }
            position.ways_out(line, thing).unwrap();
            asked += 1;
            let old = before.answer(line, thing).unwrap();
            turned += usize::from((old.yes, old.length) != (answer.yes, answer.length));
        }
        for net in ["net", "trunk"] {
            for space in 0..rules.maps[0].spaces.len() as u32 {
                let thing = ThingRef::Space(space);
                let (answer, twin) = position.seen_by(Some(SideId(0)), || {
                    let net = trace(&rules, net);
                    let answer = position.answer(net, thing).unwrap();
                    (answer, reference::ask(&position, net, thing).unwrap())
                });
                assert_eq!(answer.yes, twin.0, "seed {seed}, {net} of {space}\n{with}");
            }
        }
        let (ours, slow) = (Restoring::new(&position, line), Restoring::by_trial(&position, line));
        let things: Vec<ThingRef> = units.iter().copied().map(ThingRef::Unit).collect();
        for thing in &things {
            let found = ours.why_not(*thing).unwrap();
            assert_eq!(found, slow.why_not(*thing).unwrap(), "seed {seed}, {thing:?}\n{with}");
            remedies += found.remedies.len();
        }
        let found = position.threat(line, &things).unwrap();
        let unit = |cut: &threat::Cut| cut.units.iter().map(|u| u.thing).collect::<Vec<_>>();
        let ours: Vec<_> = found.cuts.iter().map(|c| (c.change.clone(), unit(c))).collect();
        let twin = threat::by_trial(&position, line, &units).unwrap();
        let slow = |(change, cut): (_, Vec<u32>)| {
            (change, cut.into_iter().map(ThingRef::Unit).collect::<Vec<_>>())
        };
        assert_eq!(ours, twin.into_iter().map(slow).collect::<Vec<_>>(), "seed {seed}\n{with}");
        cuts += ours.len();
    }
    println!(
        "{games} games, {asked} answers, {turned} otherwise, {remedies} remedies, {cuts} cuts"
    );
    assert!(games > share(75), "{games} games");
    // What is rare is not among a few.
    assert!(!full() || turned > 2, "{turned} of {asked}");
    assert!(remedies > share(100) && cuts > share(100), "{remedies} remedies, {cuts} cuts");
}

/// All ways of a leg of one length from the end of one that lead to a depot.
fn routes(game: &Game, at: usize, way: &mut Vec<usize>, length: u32, found: &mut Vec<Vec<u32>>) {
    let Some(gone) = game.is_way(at, 0, way).filter(|gone| *gone <= length) else { return };
    if gone == length {
        if game.depots[way[way.len() - 1]] {
            found.push(way.iter().map(|space| *space as u32).collect());
        }
        return;
    }
    for next in 0..game.spaces {
        way.push(next);
        routes(game, at, way, length, found);
        way.pop();
    }
}

/// Whoever follows a line goes along the shortest ones, and turns nowhere.
#[test]
fn marches_go_along_all_shortest_ways() {
    let (mut marches, mut several, mut without) = (0, 0, 0);
    for seed in seeds(150) {
        let mut dice = Dice::new(seed);
        let (game, traces, text) = asked(seed, &mut dice);
        let rules = checked(&text);
        let world = game.world(&rules);
        let position = Position::new(&rules, &world).unwrap();
        // All traces of one leg: also those whose steps cost, are barred, or reach not far enough.
        for at in [0, 1, 3, 5, 6, 10].into_iter().filter(|at| traces.contains(at)) {
            for (unit, space) in (0u32..).zip(&game.units) {
                let nearest = game.nearest(at, *space);
                if nearest.is_some_and(|length| length > 5 && at < 5 || length > 9) {
                    continue;
                }
                let mut wanted = Vec::new();
                if let Some(length) = nearest {
                    routes(&game, at, &mut vec![*space], length, &mut wanted);
                }
                wanted.sort();
                without += usize::from(nearest.is_none());
                let id = trace(&rules, &format!("t{at}"));
                let march = position.march(id, unit, None, None).unwrap();
                let what = format!("seed {seed}, t{at} of {unit}\n{text}");
                let mut ends: Vec<u32> = wanted.iter().map(|way| way[way.len() - 1]).collect();
                ends.sort_unstable();
                ends.dedup();
                assert_eq!(march.ends, ends, "{what}");
                if !march.cut {
                    assert_eq!(march.routes, wanted, "{what}");
                }
                marches += 1;
                several += usize::from(wanted.len() > 1);
            }
        }
    }
    println!("{marches} marches, {several} of them by several ways, {without} without one");
    assert!(marches > share(800) && several > share(50), "{several} of {marches}");
    assert!(without > share(100), "{without} have no line");
}
