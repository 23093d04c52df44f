//! A trace compiled for many positions at once: who has a line, one bit a position.
//!
//! Conditions on spaces are planes; one flood from the ends of all lines serves every unit that
//! asks alike; a unit then reads one bit a position, in the plane of its budget, at its space. The
//! twin is [`Position::answer`], asked of [`Batch::world`].

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::Position;
use super::build::{Builder, SlowPlane};
use super::columns::Batch;
use super::fault::BatchFault;
use super::look::Look;
use super::plane::{Op, PlaneId, Program};
use super::reads::bit;
use super::rows::Sift;
use super::shape::Shape;
use super::unit_condition::{SlowUnit, UnitCondition};
use crate::ir::{ExprId, FactId, KindId, Leg, Ruleset, SideId, Trace, TraceId};
use crate::world::{ThingRef, World};

/// Planes of lengths beyond this are not kept.
const LONGEST: u32 = 4096;

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
    pub(super) shape: Arc<Shape>,
    pub(super) program: Program,
    /// The units of the trace's kind.
    pub(super) plans: Vec<Plan>,
    /// What is asked of every position, one after another.
    pub(super) slow_planes: Vec<SlowPlane>,
    pub(super) slow_units: Vec<SlowUnit>,
    pub(super) slow_budgets: Vec<u32>,
    /// No budget is read as more than this.
    pub(super) longest: u16,
    /// How units are sifted, once it was asked for; none where they cannot be.
    pub(super) sift: OnceLock<Option<Arc<Sift>>>,
}

/// How the answer for one unit is found.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub unit: u32,
    /// Verdicts that are not settled, in order: what they say, and when.
    pub verdicts: Vec<(bool, UnitCondition)>,
    /// What is asked when no verdict holds.
    pub ending: Ending,
}

/// What is asked when no verdict holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ending {
    /// nothing: a verdict always holds
    Settled(bool),
    /// the bit of its space in the plane of its budget, counted from the first plane of a flood
    Line(PlaneId, Budget),
}

/// The plane of a unit's budget.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Budget {
    /// always the same
    Fixed(u16),
    /// by its facts
    Look(Look),
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
    pub(super) fn resumed(rules: &'r Ruleset, made: Arc<Compiled>) -> Kernel<'r> {
        Kernel { rules, made }
    }

    /// What was made of the rules.
    pub(super) fn made(&self) -> Arc<Compiled> {
        Arc::clone(&self.made)
    }

    /// Compiles a trace for positions that share a template and differ where [`Batch::new`] says.
    pub fn compile(
        rules: &'r Ruleset,
        template: &World,
        trace: TraceId,
        varying: &[FactId],
    ) -> Result<Kernel<'r>, BatchFault> {
        let rule = rules.traces.get(trace.index()).ok_or(BatchFault::NoTrace)?;
        if rules.kinds.get(rule.of.index()).is_none_or(|k| k.top != KindId::UNIT) {
            return Err(BatchFault::OfSpaces);
        }
        if rule.per_subject {
            return Err(BatchFault::PerSubject);
        }
        let leg = rule.legs.first().filter(|_| rule.is_plain()).ok_or(BatchFault::NotPlain)?;
        let shape = Arc::new(Shape::new(rules, template, varying)?);
        let position = Position::new(rules, &shape.template).ok_or(BatchFault::NoMap)?;
        let mut compiler = Compiler {
            build: Builder::new(&position, &shape),
            rule,
            leg,
            trace,
            steps: None,
            slow_units: Vec::new(),
            slow_budgets: Vec::new(),
        };
        let plans = compiler.plans()?;
        let Compiler { build, slow_units, slow_budgets, steps, .. } = compiler;
        let longest = steps.and_then(|s| u16::try_from(s).ok()).unwrap_or(0);
        let (program, slow_planes) = build.finish()?;
        drop(position);
        let made = Compiled {
            trace,
            shape,
            program,
            plans,
            slow_planes,
            slow_units,
            slow_budgets,
            longest,
            sift: OnceLock::new(),
        };
        Ok(Kernel { rules, made: Arc::new(made) })
    }

    /// A batch of so many positions for this kernel, all of them the template.
    #[must_use]
    pub fn batch(&self, positions: usize) -> Batch {
        Batch::of(Arc::clone(&self.shape), positions)
    }

    /// Whether everything is worked out on planes, so that no position is asked by itself.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.slow_planes.is_empty() && self.slow_units.is_empty() && self.slow_budgets.is_empty()
    }
}

/// A kernel while it is made.
struct Compiler<'a> {
    build: Builder<'a>,
    rule: &'a Trace,
    /// The one leg of the trace.
    leg: &'a Leg,
    trace: TraceId,
    /// The longest line anybody may draw; none for unlimited.
    steps: Option<u32>,
    slow_units: Vec<SlowUnit>,
    slow_budgets: Vec<u32>,
}

impl Compiler<'_> {
    fn plans(&mut self) -> Result<Vec<Plan>, BatchFault> {
        let position = self.build.position;
        let units: Vec<u32> = (0..position.world.units.len())
            .filter_map(|u| u32::try_from(u).ok())
            .filter(|u| position.is_kind(ThingRef::Unit(*u), self.rule.of))
            .collect();
        let budgets = self.budgets(&units)?;
        let plans: Result<Vec<Plan>, BatchFault> =
            units.iter().zip(budgets).map(|(unit, budget)| self.plan(*unit, budget)).collect();
        plans
    }

    /// The budget of each unit, and with them how far a flood must go.
    fn budgets(&mut self, units: &[u32]) -> Result<Vec<Budget>, BatchFault> {
        let Some(amount) = self.leg.within.amount else {
            return Ok(vec![Budget::Fixed(0); units.len()]);
        };
        let position = self.build.position;
        let shape = self.build.shape;
        // No line is longer than a way through all other spaces.
        let most = u32::try_from(shape.spaces.saturating_sub(1))
            .unwrap_or(u32::MAX)
            .min(self.leg.within.high)
            .min(LONGEST + 1);
        let most_cell = u16::try_from(most).unwrap_or(u16::MAX);
        let reads = self.build.reader.of(amount);
        let trace = self.trace;
        let mut far = 0;
        let budgets = units
            .iter()
            .map(|unit| {
                let ask = |p: &Position<'_>| {
                    let budget = p.budget(trace, ThingRef::Unit(*unit))?;
                    Ok(budget
                        .and_then(|b| u16::try_from(b).ok())
                        .unwrap_or(u16::MAX)
                        .min(most_cell))
                };
                match Look::of(position.rules, shape, *unit, 0, &reads, ask) {
                    Some(look) => {
                        far = far.max(u32::from(look.highest()));
                        look.fixed().map_or(Budget::Look(look), Budget::Fixed)
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
        self.steps = Some(far);
        Ok(budgets)
    }

    fn plan(&mut self, unit: u32, budget: Budget) -> Result<Plan, BatchFault> {
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
        let flood = self.flood(viewer, also)?;
        Ok(Plan { unit, verdicts, ending: Ending::Line(flood, budget) })
    }

    fn flood(&mut self, viewer: Option<SideId>, also: Vec<PlaneId>) -> Result<PlaneId, BatchFault> {
        let leg = self.leg;
        let sources: Result<Vec<PlaneId>, BatchFault> =
            self.rule.sources.iter().map(|s| self.gate(s.when, viewer)).collect();
        let source = self.build.one(sources?);
        let mut gates =
            [leg.from.when, leg.through.when, leg.into.when].into_iter().map(|when| match when {
                Some(when) => self
                    .gate(when, viewer)
                    .map(|plane| (!self.build.always(plane)).then_some(plane)),
                None => Ok(None),
            });
        let mut next = || gates.next().unwrap_or(Ok(None));
        let (from, through, into) = (next()?, next()?, next()?);
        let ends = match into {
            Some(into) => self.build.all(vec![(source, false), (into, false)], false),
            None => source,
        };
        let links = self.build.links(Some(&leg.links));
        Ok(self.build.op(Op::Flood { ends, through, from, also, links, steps: self.steps }))
    }

    /// A gate or source: the space is the subject of level 1, and nothing is asked of level 0.
    fn gate(&mut self, when: ExprId, viewer: Option<SideId>) -> Result<PlaneId, BatchFault> {
        if self.build.reader.of(when).subjects & !bit(1) != 0 {
            return Err(BatchFault::PerSubject);
        }
        Ok(self.build.space_condition(when, 1, viewer))
    }
}
