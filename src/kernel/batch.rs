//! A trace compiled for many positions at once: who has a line, one bit a position.
//!
//! Conditions on spaces are planes; one flood from the ends of all lines serves every unit that
//! asks alike; a unit then reads one bit a position, in the plane of its budget, at its space. The
//! twin is [`Position::answer`], asked of [`Batch::world`].

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use super::Position;
use super::build::{Builder, SlowPlane};
use super::columns::Batch;
use super::fault::BatchFault;
use super::line_planes::Asker;
use super::lookup::LookupTable;
use super::plane::{Op, PlaneId, Program, Way};
use super::rows::OneHotPlan;
use super::shape::Shape;
use super::unit_condition::{SlowUnit, UnitCondition};
use crate::ir::{FactId, KindId, Ruleset, SideId, Trace, TraceId};
use crate::world::{ThingRef, World, built_in};

/// Planes of lengths beyond this are not kept.
pub(super) const LONGEST: u32 = 4096;

/// A trace compiled for the positions that share a template.
#[derive(Debug, Clone)]
pub struct Kernel<'r> {
    pub(super) rules: &'r Ruleset,
    made: Arc<Compiled>,
}

/// What a kernel has made of its rules.
#[derive(Debug, Clone)]
pub struct Compiled {
    pub(super) trace: TraceId,
    /// Whether it is asked of spaces.
    pub(super) of_spaces: bool,
    pub(super) shape: Arc<Shape>,
    pub(super) program: Program,
    /// The units or spaces of the trace's kind.
    pub(super) plans: Vec<Plan>,
    /// What is asked of every position, one after another.
    pub(super) slow_planes: Vec<SlowPlane>,
    pub(super) slow_units: Vec<SlowUnit>,
    pub(super) slow_budgets: Vec<u32>,
    /// No budget is read as more than this.
    pub(super) longest: u16,
    /// How units are sifted, once it was asked for; none where they cannot be.
    pub(super) one_hot_plan: OnceLock<Option<Arc<OneHotPlan>>>,
}

/// How the answer for one unit is found, or for one space.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub unit: u32,
    /// Verdicts that are not settled, in order: what they say, and when.
    pub verdicts: Vec<(bool, UnitCondition)>,
    /// What is asked when no verdict holds.
    pub ending: Ending,
}

impl Plan {
    /// Calls with every plane that it reads; of a flood with the first.
    fn planes(&self, call: &mut dyn FnMut(PlaneId)) {
        self.verdicts.iter().for_each(|(_, condition)| condition.planes(call));
        match self.ending {
            Ending::Settled(_) => {}
            Ending::Line(plane, _) | Ending::Space(plane, _) => call(plane),
        }
    }
}

/// What is asked when no verdict holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ending {
    /// nothing: a verdict always holds
    Settled(bool),
    /// the bit of its space in the plane of its budget, counted from the first plane of a flood
    Line(PlaneId, Budget),
    /// the bit of a space in a plane
    Space(PlaneId, u32),
}

/// The plane of a unit's budget.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Budget {
    /// always the same
    Fixed(u16),
    /// by its facts
    LookupTable(LookupTable),
    /// asked slowly
    Slow(usize),
}

impl Deref for Kernel<'_> {
    type Target = Compiled;

    fn deref(&self) -> &Compiled {
        &self.made
    }
}

impl<'r> Kernel<'r> {
    /// What was made of these rules before.
    pub(crate) fn resumed(rules: &'r Ruleset, made: Arc<Compiled>) -> Kernel<'r> {
        Kernel { rules, made }
    }

    /// What was made of the rules.
    pub(crate) fn made(&self) -> Arc<Compiled> {
        Arc::clone(&self.made)
    }

    /// Compiles a trace for positions that share a template and differ where [`Batch::new`] says.
    pub fn compile(
        rules: &'r Ruleset,
        template: &World,
        trace: TraceId,
        varying: &[FactId],
    ) -> Result<Kernel<'r>, BatchFault> {
        let shape = Arc::new(Shape::new(rules, template, varying)?);
        let position = Position::new(rules, &shape.template).ok_or(BatchFault::NoMap)?;
        let mut compiler = Compiler::new(Builder::new(&position, &shape), trace)?;
        let (of_spaces, plans) = compiler.all_plans()?;
        let Compiler { build, slow_units, slow_budgets, far, .. } = compiler;
        let longest = far.and_then(|s| u16::try_from(s).ok()).unwrap_or(0);
        let mut wanted = Vec::new();
        plans.iter().for_each(|plan| plan.planes(&mut |plane| wanted.push(plane)));
        let (program, slow_planes) = build.finish(wanted)?;
        drop(position);
        let made = Compiled {
            trace,
            of_spaces,
            shape,
            program,
            plans,
            slow_planes,
            slow_units,
            slow_budgets,
            longest,
            one_hot_plan: OnceLock::new(),
        };
        Ok(Kernel { rules, made: Arc::new(made) })
    }

    /// A batch of so many positions for this kernel, all of them the template.
    #[must_use]
    pub fn batch(&self, positions: usize) -> Batch {
        Batch::of(Arc::clone(&self.shape), positions)
    }

    /// The trace that is asked.
    #[must_use]
    pub fn trace(&self) -> TraceId {
        self.trace
    }

    /// What a number of [`Flags::units`](super::Flags::units) means.
    #[must_use]
    pub fn thing(&self, number: u32) -> ThingRef {
        if self.of_spaces { ThingRef::Space(number) } else { ThingRef::Unit(number) }
    }

    /// Whether everything is worked out on planes, so that no position is asked by itself.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !asks_slowly(&self.program) && self.slow_units.is_empty() && self.slow_budgets.is_empty()
    }
}

/// Whether something is asked of every position by itself.
pub(super) fn asks_slowly(program: &Program) -> bool {
    program.ops.iter().any(|(op, _)| matches!(op, Op::Slow(_)))
}

/// Whether a trace is asked of spaces, and how the answer for each thing is found.
type Plans = (bool, Vec<Plan>);

/// Some traces of one position as one program, which asks nothing slowly.
pub(super) fn compile_all(
    rules: &Ruleset,
    template: &World,
    traces: &[TraceId],
) -> Result<(Program, Vec<Plans>, Shape), BatchFault> {
    let shape = Shape::new(rules, template, &[])?;
    let position = Position::new(rules, &shape.template).ok_or(BatchFault::NoMap)?;
    let mut build = Builder::new(&position, &shape);
    let (mut all, mut wanted) = (Vec::new(), Vec::new());
    for trace in traces {
        let mut compiler = Compiler::new(build, *trace)?;
        let plans = compiler.all_plans()?;
        if !compiler.slow_units.is_empty() || !compiler.slow_budgets.is_empty() {
            return Err(BatchFault::NotWhole);
        }
        plans.1.iter().for_each(|plan| plan.planes(&mut |plane| wanted.push(plane)));
        all.push(plans);
        build = compiler.build;
    }
    let (program, _) = build.finish(wanted)?;
    drop(position);
    if asks_slowly(&program) {
        return Err(BatchFault::NotWhole);
    }
    // What follows moves keeps one cell a space.
    if program.ways.iter().any(Way::crosses) {
        return Err(BatchFault::Crossings);
    }
    Ok((program, all, shape))
}

/// So many units at most have planes that nobody else has.
const MOST_BY_THEMSELVES: usize = 256;

/// A kernel while it is made.
struct Compiler<'a> {
    build: Builder<'a>,
    rule: &'a Trace,
    trace: TraceId,
    /// The longest first leg anybody may draw; none for unlimited.
    far: Option<u32>,
    /// By sort of unit the one whose planes all of them have.
    sorts: IndexMap<SortKey, u32>,
    /// How many have planes that nobody else has.
    by_themselves: usize,
    slow_units: Vec<SlowUnit>,
    slow_budgets: Vec<u32>,
}

/// What tells units apart as far as gates of a trace read them.
type SortKey = (Option<SideId>, KindId, Vec<i64>);

impl<'a> Compiler<'a> {
    fn new(build: Builder<'a>, trace: TraceId) -> Result<Compiler<'a>, BatchFault> {
        let rules: &'a Ruleset = build.position.rules;
        let rule = rules.traces.get(trace.index()).ok_or(BatchFault::NoTrace)?;
        if rule.legs.is_empty() {
            return Err(BatchFault::NotPlain);
        }
        Ok(Compiler {
            build,
            rule,
            trace,
            far: None,
            sorts: IndexMap::new(),
            by_themselves: 0,
            slow_units: Vec::new(),
            slow_budgets: Vec::new(),
        })
    }

    fn all_plans(&mut self) -> Result<Plans, BatchFault> {
        match self.build.position.rules.top(self.rule.of) {
            KindId::UNIT => Ok((false, self.plans()?)),
            KindId::SPACE => Ok((true, self.space_plans()?)),
            _ => Err(BatchFault::OfSpaces),
        }
    }

    fn plans(&mut self) -> Result<Vec<Plan>, BatchFault> {
        let position = self.build.position;
        let units: Vec<u32> = (0..position.world.units.len())
            .filter_map(|u| u32::try_from(u).ok())
            .filter(|u| position.is_kind(ThingRef::Unit(*u), self.rule.of))
            .collect();
        let compares_at_end = self.rule.relays.is_empty() && self.first_legs().count() == 1;
        let budgets: Vec<Option<Budget>> = match compares_at_end {
            true => self.budgets(&units)?.into_iter().map(Some).collect(),
            false => vec![None; units.len()],
        };
        units.iter().zip(budgets).map(|(unit, budget)| self.plan(*unit, budget)).collect()
    }

    /// The plans of the spaces of a trace of spaces.
    fn space_plans(&mut self) -> Result<Vec<Plan>, BatchFault> {
        let position = self.build.position;
        let viewer = position.viewer_of(ThingRef::Space(0));
        let plane = self.build.space_trace(self.trace, viewer).ok_or(BatchFault::NotPlain)?;
        let spaces = 0..u32::try_from(self.build.shape.spaces).unwrap_or(0);
        let of_kind = spaces.filter(|s| position.is_kind(ThingRef::Space(*s), self.rule.of));
        let plan = |unit| Plan { unit, verdicts: Vec::new(), ending: Ending::Space(plane, unit) };
        Ok(of_kind.map(plan).collect())
    }

    fn first_legs(&self) -> impl Iterator<Item = usize> + use<'a> {
        let rule: &'a Trace = self.rule;
        let legs = rule.legs.iter().enumerate();
        legs.filter(|(_, leg)| leg.place == 0).map(|(at, _)| at)
    }

    /// The budget of each unit on the one leg of the first place, and with them how far a flood
    /// must go.
    fn budgets(&mut self, units: &[u32]) -> Result<Vec<Budget>, BatchFault> {
        let Some(leg) = self.first_legs().next().and_then(|leg| self.rule.legs.get(leg)) else {
            return Err(BatchFault::NotPlain);
        };
        let Some(amount) = leg.within.amount else {
            return Ok(vec![Budget::Fixed(0); units.len()]);
        };
        // No line is longer than a way through all other spaces.
        let most = match leg.cost {
            None => self.build.most_steps(leg),
            Some(_) => u32::MAX,
        };
        let most = most.min(leg.within.high).min(LONGEST + 1);
        let most_cell = u16::try_from(most).unwrap_or(u16::MAX);
        let reads = self.build.reader.of(amount);
        let mut far = 0;
        let budgets = units
            .iter()
            .map(|unit| {
                let ask = |p: &Position<'_>| {
                    let budget = p.budget_of(leg, ThingRef::Unit(*unit))?;
                    Ok(budget
                        .and_then(|b| u16::try_from(b).ok())
                        .unwrap_or(u16::MAX)
                        .min(most_cell))
                };
                match LookupTable::of(&self.build, *unit, 0, &reads, ask) {
                    Some(look) => {
                        far = far.max(u32::from(look.highest()));
                        look.fixed().map_or(Budget::LookupTable(look), Budget::Fixed)
                    }
                    None => {
                        far = most;
                        self.slow_budgets.push(*unit);
                        Budget::Slow(self.slow_budgets.len() - 1)
                    }
                }
            })
            .collect();
        if far > LONGEST {
            return Err(BatchFault::TooLarge);
        }
        self.far = Some(far);
        Ok(budgets)
    }

    fn plan(&mut self, unit: u32, budget: Option<Budget>) -> Result<Plan, BatchFault> {
        let viewer = self.build.position.world.owner(unit);
        let mut verdicts: Vec<(bool, UnitCondition)> = Vec::new();
        let mut settled = None;
        for verdict in &self.rule.verdicts {
            match self.build.unit_condition(verdict.when, unit, viewer, &mut self.slow_units) {
                UnitCondition::Always(false) => {}
                UnitCondition::Always(true) => {
                    settled = Some(verdict.always);
                    break;
                }
                condition => verdicts.push((verdict.always, condition)),
            }
        }
        if let Some(settled) = settled {
            // What says the same as the end says nothing.
            while verdicts.last().is_some_and(|(always, _)| *always == settled) {
                verdicts.pop();
            }
            return Ok(Plan { unit, verdicts, ending: Ending::Settled(settled) });
        }
        // What says yes of a space can be read with the line itself, unless some verdict says no.
        let mut also = Vec::new();
        if verdicts.iter().all(|(always, _)| *always) {
            verdicts.retain(|(_, condition)| match condition {
                UnitCondition::Plane(plane) => {
                    also.push(*plane);
                    false
                }
                _ => true,
            });
        }
        let ending = self.ending(unit, viewer, budget, also)?;
        Ok(Plan { unit, verdicts, ending })
    }

    /// Where a unit reads whether it has a line.
    fn ending(
        &mut self,
        unit: u32,
        viewer: Option<SideId>,
        budget: Option<Budget>,
        also: Vec<PlaneId>,
    ) -> Result<Ending, BatchFault> {
        let asker = Asker { trace: self.trace, thing: ThingRef::Unit(unit), viewer };
        self.build.bound = if self.rule.per_subject { Some(self.like(unit)?) } else { None };
        let (line, budget) = match (budget, self.first_legs().next()) {
            (Some(budget), Some(leg)) => {
                let far = self.rule.legs[leg].within.amount.and(self.far);
                let (flood, part) = self.build.flood(asker, leg, far, also)?;
                (flood, self.build.in_parts(budget, part)?)
            }
            _ => {
                let legs = 0..self.rule.legs.len();
                let budgets: Result<Vec<Option<u32>>, BatchFault> =
                    legs.map(|leg| self.build.fixed_budget(asker, leg)).collect();
                let lines = self.build.lines(asker, &budgets?)?;
                (self.build.one(also.into_iter().chain([lines])), Budget::Fixed(0))
            }
        };
        self.build.bound = None;
        Ok(Ending::Line(line, budget))
    }

    /// The first unit that looks the same to the gates of the trace, where that never varies; else
    /// the unit itself.
    fn like(&mut self, unit: u32) -> Result<u32, BatchFault> {
        let position = self.build.position;
        let facts = position.board().mover_facts(self.trace);
        let varies = |f: &FactId| {
            *f == built_in::SPACE || self.build.shape.varying.iter().any(|v| v.fact == *f)
        };
        let Some(facts) = facts.gates.as_ref().filter(|facts| !facts.iter().any(varies)) else {
            self.by_themselves += 1;
            let few = self.by_themselves <= MOST_BY_THEMSELVES;
            return if few { Ok(unit) } else { Err(BatchFault::PerSubject) };
        };
        let (world, rules) = (position.world, position.rules);
        let fact = |f: &FactId| world.fact(&rules.facts[f.index()], ThingRef::Unit(unit));
        let kind = world.units.get(unit as usize).map_or(KindId::UNIT, |u| u.kind);
        let key = (world.owner(unit), kind, facts.iter().map(fact).collect());
        Ok(*self.sorts.entry(key).or_insert(unit))
    }
}
