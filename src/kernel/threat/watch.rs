//! Units with the lines that prove them supplied, and what a change makes of those lines.

use std::cell::RefCell;
use std::sync::Arc;

use indexmap::IndexMap;

use super::super::answer::Stretch;
use super::super::board::Room;
use super::super::costs::Costs;
use super::super::felt::{Felt, Reader};
use super::super::field::{Field, Gates, Profile};
use super::super::{Change, EvalFault, Gate, Position, Sort};
use super::CutUnit;
use super::sorts::undoing;
use crate::ir::*;
use crate::world::{ThingRef, World};

/// What a space must be for a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    From(usize),
    Through(usize),
    Into(usize),
    Source,
    Relay,
}

/// A space in its role.
type Cell = (Role, u32);

/// A line as a proof: with all its cells open there is a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    cells: Vec<Cell>,
    /// Its spaces but the first, as they come.
    pub spaces: Vec<u32>,
    /// Whether it is there in the position as it is; one may have been found where a change opened
    /// a gate.
    pub whole: bool,
    /// The spaces of its cells in ascending order, so that what is far from a change is passed
    /// over.
    sorted: Vec<u32>,
}

impl Line {
    fn touches(&self, spaces: &[u32]) -> bool {
        spaces.iter().any(|s| self.sorted.binary_search(s).is_ok())
    }
}

/// Things that share their gates.
struct Group {
    thing: ThingRef,
    gates: Arc<Gates>,
}

/// Things that share their fields.
pub(super) struct Shape {
    group: usize,
    budgets: Vec<Option<u32>>,
    enter: Arc<[Costs]>,
    profile: Profile,
}

/// One unit.
pub(super) struct One {
    pub thing: ThingRef,
    /// Whether its answer rests on more than its own lines, such as another trace.
    pub rests: bool,
    pub start: u32,
    pub shape: usize,
    /// The line it has now, then others that were found; none for a unit that needs no line.
    pub lines: Vec<Line>,
    /// The spaces that each of its lines passes, when they are known.
    pub cut_spaces: Vec<u32>,
    /// Within this distance of its space a change is answered by asking anew; none for never.
    asks_within: Option<u32>,
    /// Whether every change is.
    asks_always: bool,
}

/// So many lines of a unit are kept.
const MOST_LINES: usize = 48;

/// The units of a question and all that is known of their lines.
pub(super) struct Watch<'p, 'a> {
    pub position: &'p Position<'a>,
    pub trace: TraceId,
    pub rule: &'p Trace,
    groups: Vec<Group>,
    pub shapes: Vec<Shape>,
    pub ones: Vec<One>,
    /// How far from a change a gate can feel it.
    radius: u32,
    /// Whether gates may feel it anywhere.
    anywhere: bool,
    /// For each space the units whose lines feel a change there.
    touched: Vec<Vec<u32>>,
    /// The spaces that feel the change at hand: those with the number of that change.
    zone: Vec<u32>,
    now: u32,
    /// Room for asking gates.
    room: RefCell<Room>,
    /// How many searches were made.
    pub searches: usize,
}

/// What is known of one change.
struct Tried<'w, 'b> {
    on: &'w Position<'b>,
    places: Vec<u32>,
    /// The spaces that feel it.
    zone: Vec<u32>,
    gates: IndexMap<usize, Gates>,
    fields: IndexMap<usize, Field>,
}

impl<'p, 'a> Watch<'p, 'a> {
    pub fn new(
        position: &'p Position<'a>,
        trace: TraceId,
        things: &[ThingRef],
    ) -> Result<Watch<'p, 'a>, EvalFault> {
        let rule = &position.rules.traces[trace.index()];
        let reader = Reader::new(position.rules);
        let together = |ids: Vec<ExprId>| {
            let mut felt = Felt::default();
            ids.iter().for_each(|id| felt.add(&reader.of(*id)));
            felt
        };
        let gates = together(rule.gates());
        let of_unit = together(
            rule.verdicts
                .iter()
                .map(|v| v.when)
                .chain(rule.legs.iter().filter_map(|l| l.within.amount))
                .collect(),
        );
        let costs = together(rule.legs.iter().filter_map(|l| l.cost).collect());
        let mut watch = Watch {
            position,
            trace,
            rule,
            groups: Vec::new(),
            shapes: Vec::new(),
            ones: Vec::new(),
            radius: gates.space.unwrap_or(0),
            anywhere: gates.anywhere,
            touched: vec![Vec::new(); position.map.spaces.len()],
            zone: vec![0; position.map.spaces.len()],
            now: 0,
            room: RefCell::default(),
            searches: 0,
        };
        let rests = gates.more || of_unit.more || costs.more;
        for thing in things.iter().copied() {
            let answer = position.answer(trace, thing)?;
            let (Some(start), true) = (answer.space, answer.yes) else { continue };
            let shape = watch.shape_of(thing)?;
            let line = position.line(trace, thing)?;
            let proof = (!line.is_empty() || answer.length.is_some())
                .then(|| watch.proof(shape, start, &line))
                .flatten();
            let needs_line = answer.length.is_some();
            watch.ones.push(One {
                thing,
                rests,
                start,
                shape,
                asks_always: of_unit.anywhere || !costs.nothing() || needs_line && proof.is_none(),
                asks_within: of_unit.home.max(gates.home),
                lines: proof.into_iter().collect(),
                cut_spaces: Vec::new(),
            });
        }
        watch.touch();
        Ok(watch)
    }

    pub fn things(&self) -> Vec<ThingRef> {
        self.ones.iter().map(|o| o.thing).collect()
    }

    /// The units that search the same, told apart by side, gates, budgets and costs.
    fn shape_of(&mut self, thing: ThingRef) -> Result<usize, EvalFault> {
        let profile = self.position.profile(self.trace, thing)?;
        let mut budgets = Vec::new();
        for leg in &self.rule.legs {
            budgets.push(self.position.budget_of(leg, thing)?);
        }
        // Gates that read the thing may differ after a change that touches it alone.
        let shared = |g: &Group| !self.rule.per_subject || g.thing == thing;
        let same = |s: &Shape| {
            s.profile == profile && s.budgets == budgets && shared(&self.groups[s.group])
        };
        if let Some(at) = self.shapes.iter().position(same) {
            return Ok(at);
        }
        let gates = self.position.gates(self.trace, thing)?;
        let known = self.groups.iter().position(|g| Arc::ptr_eq(&g.gates, &gates) && shared(g));
        let group = known.unwrap_or_else(|| {
            self.groups.push(Group { thing, gates });
            self.groups.len() - 1
        });
        let enter = self.position.costs(self.trace, thing, &profile, false)?;
        self.shapes.push(Shape { group, budgets, enter, profile });
        Ok(self.shapes.len() - 1)
    }

    /// The cells of a line; nothing if the line does not show all that it rests on.
    fn proof(&self, shape: usize, start: u32, line: &[Stretch]) -> Option<Line> {
        let gates = &self.groups[self.shapes[shape].group].gates;
        let mut cells: Vec<Cell> = Vec::new();
        let mut spaces = Vec::new();
        let mut end = start;
        for stretch in line {
            let last = stretch.spaces.len().saturating_sub(1);
            for (at, (space, _)) in stretch.spaces.iter().enumerate() {
                if at == 0 {
                    cells.push((Role::From(stretch.leg), *space));
                }
                if at > 0 && at < last {
                    cells.push((Role::Through(stretch.leg), *space));
                }
                if at == last {
                    cells.push((Role::Into(stretch.leg), *space));
                }
                if *space != start && !spaces.contains(space) {
                    spaces.push(*space);
                }
                end = *space;
            }
            if stretch.relay {
                cells.push((Role::Relay, end));
            }
        }
        // A line found among other gates ends in a source of theirs; whether it is one here is
        // asked like any cell.
        if line.is_empty() && gates.source[start as usize].is_none() {
            return None;
        }
        cells.push((Role::Source, end));
        let whole = cells.iter().all(|cell| is_open(gates, *cell));
        let mut sorted: Vec<u32> = cells.iter().map(|(_, s)| *s).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Some(Line { cells, spaces, whole, sorted })
    }

    /// Notes which spaces the first line of each unit feels.
    fn touch(&mut self) {
        for (at, one) in (0u32..).zip(&self.ones) {
            let cells = one.lines.first().map_or(&[][..], |l| &l.cells);
            for (_, space) in cells {
                for near in self.position.around(*space, self.radius, None, true) {
                    let row = &mut self.touched[near as usize];
                    if row.last() != Some(&at) {
                        row.push(at);
                    }
                }
            }
            if let Some(within) = one.asks_within {
                for near in self.position.around(one.start, within, None, true) {
                    let row = &mut self.touched[near as usize];
                    if row.last() != Some(&at) {
                        row.push(at);
                    }
                }
            }
        }
    }

    /// The units that a change cuts. `world` is the position, and is so again afterwards.
    pub fn cut_by(
        &mut self,
        change: &Change,
        sorts: &[Sort],
        world: &mut World,
    ) -> Result<Vec<CutUnit>, EvalFault> {
        let places = change.places(self.position.world);
        let mut near: Vec<u32> = if self.anywhere {
            (0..u32::try_from(self.ones.len()).unwrap_or(0)).collect()
        } else {
            let touched = places.iter().flat_map(|p| &self.touched[*p as usize]).copied();
            touched
                .chain((0u32..).zip(&self.ones).filter(|(_, o)| o.asks_always).map(|(at, _)| at))
                .collect()
        };
        near.retain(|at| {
            self.position.is_against(
                change,
                sorts,
                self.position.viewer_of(self.ones[*at as usize].thing),
            )
        });
        near.sort_unstable();
        near.dedup();
        if near.is_empty() {
            return Ok(Vec::new());
        }
        let undo = undoing(change, world);
        change.make(self.position.rules, sorts, world);
        let found = self.cut_on(&near, places, world);
        match undo {
            Some(undo) => undo.make(self.position.rules, sorts, world),
            None => world.truncate(self.position.world.units.len()),
        }
        found
    }

    fn cut_on(
        &mut self,
        near: &[u32],
        places: Vec<u32>,
        world: &World,
    ) -> Result<Vec<CutUnit>, EvalFault> {
        let Some(on) = Position::on(&self.position.board(), world) else { return Ok(Vec::new()) };
        self.now += 1;
        let mut zone: Vec<u32> =
            places.iter().flat_map(|p| self.position.around(*p, self.radius, None, true)).collect();
        zone.sort_unstable();
        zone.dedup();
        zone.iter().for_each(|space| self.zone[*space as usize] = self.now);
        let mut tried =
            Tried { on: &on, places, zone, gates: IndexMap::new(), fields: IndexMap::new() };
        let mut cut = Vec::new();
        for at in near {
            let at = *at as usize;
            cut.extend(self.cut_one(at, &mut tried)?);
        }
        Ok(cut)
    }

    fn cut_one(
        &mut self,
        at: usize,
        tried: &mut Tried<'_, '_>,
    ) -> Result<Option<CutUnit>, EvalFault> {
        let one = &self.ones[at];
        let (thing, start, shape) = (one.thing, one.start, one.shape);
        let close = one.asks_within.is_some_and(|n| {
            self.position.around(start, n, None, true).iter().any(|s| tried.places.contains(s))
        });
        if one.asks_always || close {
            let answer = tried.on.answer(self.trace, thing)?;
            return Ok((!answer.yes).then_some(CutUnit {
                thing,
                gate: answer.gate,
                stop: answer.stop,
                line: answer.line,
            }));
        }
        // A unit that needs no line has none to lose.
        let lines = self.ones[at].lines.len();
        if lines == 0 {
            return Ok(None);
        }
        let group = self.shapes[shape].group;
        self.ask_gates(group, tried)?;
        let Some((role, stop)) = self.first_shut(shape, at, 0, tried) else { return Ok(None) };
        let (gate, line) = self.said(role, stop, (group, thing), tried)?;
        let cut = CutUnit { thing, gate, stop: Some(stop), line };
        // Where nothing opens, a closed space that all lines pass leaves none.
        if self.ones[at]
            .cut_spaces
            .iter()
            .any(|s| self.anywhere || self.zone[*s as usize] == self.now)
        {
            let gates = &tried.gates[&group];
            let closed = self.ones[at].cut_spaces.iter().any(|s| gates.is_closed(self.rule, *s));
            if closed && gates.opens_nothing(&self.groups[group].gates) {
                return Ok(Some(cut));
            }
        }
        for line in 1..lines {
            if self.first_shut(shape, at, line, tried).is_none() {
                return Ok(None);
            }
        }
        if !tried.fields.contains_key(&shape) {
            let field = self.search(shape, &tried.gates[&group]);
            tried.fields.insert(shape, field);
        }
        if self.learn(at, &tried.fields[&shape], &tried.gates[&group]) {
            return Ok(None);
        }
        Ok(Some(cut))
    }

    /// Asks the gates of a group after the change, once.
    fn ask_gates(&self, group: usize, tried: &mut Tried<'_, '_>) -> Result<(), EvalFault> {
        if !tried.gates.contains_key(&group) {
            let gates = self.gates_on(group, tried)?;
            tried.gates.insert(group, gates);
        }
        Ok(())
    }

    /// A search among these gates.
    pub fn search(&mut self, shape: usize, gates: &Gates) -> Field {
        self.searches += 1;
        let shape = &self.shapes[shape];
        Field::among(
            self.position,
            self.rule,
            gates,
            Arc::clone(&shape.enter),
            shape.budgets.clone(),
        )
    }

    /// Whether a field has a line for a unit; if so it is kept.
    pub fn learn(&mut self, at: usize, field: &Field, gates: &Gates) -> bool {
        self.line_in(at, field, gates).is_some()
    }

    /// The spaces of the line of a unit in a field, its own left out; the line is kept.
    pub fn line_in(&mut self, at: usize, field: &Field, gates: &Gates) -> Option<Vec<u32>> {
        let (start, shape) = (self.ones[at].start, self.ones[at].shape);
        let round = field.round_of(start)?;
        let stretches = self.position.walk(self.rule, field, gates, start, round);
        let Some(line) = self.proof(shape, start, &stretches) else { return Some(Vec::new()) };
        let spaces = line.spaces.clone();
        let lines = &mut self.ones[at].lines;
        if lines.len() < MOST_LINES && !lines.contains(&line) {
            lines.push(line);
        }
        Some(spaces)
    }

    /// The gates of a shape as they are now.
    pub fn gates_of(&self, shape: usize) -> &Gates {
        &self.groups[self.shapes[shape].group].gates
    }

    /// The first cell of a line that the change shuts.
    fn first_shut(
        &self,
        shape: usize,
        at: usize,
        line: usize,
        tried: &Tried<'_, '_>,
    ) -> Option<Cell> {
        let group = self.shapes[shape].group;
        let line = &self.ones[at].lines[line];
        if line.whole && !self.anywhere && !line.touches(&tried.zone) {
            return None;
        }
        for cell in &line.cells {
            let felt = self.anywhere || self.zone[cell.1 as usize] == self.now;
            if line.whole && !felt {
                continue;
            }
            let open =
                is_open(if felt { &tried.gates[&group] } else { &self.groups[group].gates }, *cell);
            if !open {
                return Some(*cell);
            }
        }
        None
    }

    /// All gates after the change: asked anew where it is felt, else as they were.
    fn gates_on(&self, group: usize, tried: &Tried<'_, '_>) -> Result<Gates, EvalFault> {
        let Group { thing, gates } = &self.groups[group];
        if self.anywhere {
            return Gates::ask(tried.on, self.trace, *thing);
        }
        let mut gates = (**gates).clone();
        gates.ask_some(tried.on, self.rule, *thing, &tried.zone, &mut self.room.borrow_mut())?;
        Ok(gates)
    }

    /// The gate of a role and the line of the ruleset that says it.
    fn said(
        &self,
        role: Role,
        space: u32,
        (group, thing): (usize, ThingRef),
        tried: &Tried<'_, '_>,
    ) -> Result<(Gate, LineId), EvalFault> {
        Ok(match role {
            Role::From(leg) => (Gate::From, Gate::From.line_of(&self.rule.legs[leg])),
            Role::Through(leg) => {
                let leg = &self.rule.legs[leg];
                let gate = tried.on.between_gate(leg, thing, space)?;
                (gate, gate.line_of(leg))
            }
            Role::Into(leg) => {
                let leg = &self.rule.legs[leg];
                let gate = tried.on.last_gate(leg, thing, space)?;
                (gate, gate.line_of(leg))
            }
            Role::Source => {
                let source = self.groups[group].gates.source[space as usize];
                (
                    Gate::Source,
                    source
                        .and_then(|s| self.rule.sources.get(usize::from(s)))
                        .map_or(self.rule.line, |s| s.line),
                )
            }
            Role::Relay => {
                (Gate::Source, self.rule.relays.first().map_or(self.rule.line, |r| r.line))
            }
        })
    }
}

fn is_open(gates: &Gates, (role, space): Cell) -> bool {
    let space = space as usize;
    match role {
        Role::From(leg) => gates.legs[leg].from[space],
        Role::Through(leg) => gates.legs[leg].through[space],
        Role::Into(leg) => gates.legs[leg].into[space],
        Role::Source => gates.source[space].is_some(),
        Role::Relay => gates.relay[space],
    }
}
