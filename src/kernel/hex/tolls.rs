//! What steps cost a group, as planes: one for each cost that occurs, by the space entered.

use crate::arrange::Arrange as _;
use std::sync::Arc;

use super::HexKernel;
use super::movers::Group;
use crate::ir::*;
use crate::kernel::board::{Bits, Net, Plane};
use crate::kernel::costs::Costs;
use crate::kernel::id_map::IdMap;
use crate::kernel::{EvalFault, Position};

/// What steps of a leg cost a group.
#[derive(Debug)]
pub(super) struct Toll {
    /// The links of the leg.
    pub net: Arc<Net>,
    /// All costs are multiples of this.
    pub unit: u32,
    /// The dearest step, in units.
    pub most: u32,
    /// For each cost in units the spaces that it takes to enter; a space in none is barred.
    pub planes: Vec<(u32, Plane)>,
    /// Every space that may be entered.
    pub open: Bits,
    /// Spaces whose steps are told one by one: a link to them goes far, or makes a difference.
    pub special: Bits,
    /// Whether there are none such.
    pub plain: bool,
    /// Whether no link makes a difference.
    pub evenly: bool,
    /// What the steps of such spaces cost; not kept where there are none.
    costs: Costs,
}

/// What the tolls of a leg depend on: the leg, the side, the kind and the facts of the mover.
type TollKey = (usize, Vec<i64>);

/// Tolls made so far, as long as nothing changes that they depend on.
#[derive(Debug, Default)]
pub(super) struct Tolls {
    kept: IdMap<TollKey, Arc<Toll>>,
}

impl Toll {
    /// What a step costs in units; none where it is barred.
    #[inline]
    pub(super) fn step(&self, from: u32, into: u32) -> Option<u32> {
        self.costs.step(from, into).map(|c| c / self.unit)
    }

    /// Whether every step over any link costs 1.
    pub(super) fn is_one_a_link(&self) -> bool {
        self.costs == Costs::Even
    }

    fn of(
        kernel: &HexKernel<'_>,
        position: &Position<'_>,
        leg: &Leg,
        group: &Group,
    ) -> Result<Toll, EvalFault> {
        let (board, layout) = (&kernel.board, kernel.board.layout());
        let costs = Costs::of(position, leg, group.mover, false)?;
        let net = board.net(Some(&leg.links));
        let mut special = net.far.clone();
        let mut toll = Toll {
            unit: 1,
            most: 1,
            planes: Vec::new(),
            open: layout.spaces.clone(),
            special: Bits::default(),
            plain: false,
            evenly: true,
            costs: Costs::Even,
            net: Arc::clone(&net),
        };
        if let Costs::Space(by_space, steps) = &costs {
            toll.open.reset(layout.size);
            let all = by_space.iter().chain(steps.costs()).flatten();
            toll.unit = all.clone().fold(0, |a, b| gcd(a, *b)).max(1);
            toll.most = all.max().map_or(1, |most| most / toll.unit);
            steps.spaces().for_each(|space| special.set(layout.cell(space)));
            toll.evenly = steps.spaces().next().is_none();
            for (space, cost) in by_space.iter().enumerate() {
                let cell = layout.cell(u32::try_from(space).unwrap_or(u32::MAX));
                let Some(cost) = cost.map(|c| c / toll.unit) else { continue };
                toll.open.set(cell);
                let at = toll.planes.iter().position(|(c, _)| *c == cost).unwrap_or_else(|| {
                    toll.planes.push((cost, Plane::new(layout.size)));
                    toll.planes.len() - 1
                });
                toll.planes[at].1.set(cell);
            }
        }
        if costs == Costs::Even {
            let mut all = Plane::default();
            all.copy(&layout.spaces.0);
            toll.planes.push((1, all));
        }
        // The cheapest first: what has just been settled may spread at once.
        toll.planes.arrange_by_key(|(cost, _)| *cost);
        toll.plain = special.is_empty();
        toll.special = special;
        if !toll.plain {
            toll.costs = costs;
        }
        Ok(toll)
    }
}

impl Tolls {
    /// Forgets what was made for another cache key, reading or war.
    pub(super) fn renew(&mut self) {
        self.kept.clear();
    }

    /// The tolls of a group, one a leg, into its own list; a list that is still there is good for
    /// this position.
    pub(super) fn give(
        &mut self,
        kernel: &HexKernel<'_>,
        rule: &Trace,
        position: &Position<'_>,
        group: &mut Group,
    ) -> Result<(), EvalFault> {
        if group.tolls.is_empty() {
            for (at, leg) in rule.legs.iter().enumerate() {
                let toll = self.of_leg(kernel, position, at, leg, group)?;
                group.tolls.push(toll);
            }
        }
        Ok(())
    }

    /// Whether the tolls of a leg are the same for all positions of one cache key, reading and war.
    pub(super) fn keeps(kernel: &HexKernel<'_>, leg: &Leg) -> bool {
        leg.cost.is_none_or(|cost| {
            let depends = kernel.board.depends(cost, 0);
            !depends.named
                && depends
                    .here
                    .iter()
                    .all(|f| kernel.made.printed.get(f.index()).copied().unwrap_or(false))
        })
    }

    fn of_leg(
        &mut self,
        kernel: &HexKernel<'_>,
        position: &Position<'_>,
        at: usize,
        leg: &Leg,
        group: &Group,
    ) -> Result<Arc<Toll>, EvalFault> {
        let mut key: TollKey = (at, Vec::new());
        if let Some(cost) = leg.cost {
            let depends = kernel.board.depends(cost, 0);
            // What differs from position to position is made anew.
            if !Tolls::keeps(kernel, leg) {
                return Toll::of(kernel, position, leg, group).map(Arc::new);
            }
            let kind = match group.mover {
                crate::world::ThingRef::Unit(u) => {
                    position.world.units.get(u as usize).map_or(-1, |u| i64::from(u.kind.0))
                }
                _ => -1,
            };
            let side = position.viewer_of(group.mover).map_or(-1, |s| i64::from(s.0));
            key.1.extend([kind, side]);
            let fact = |f: &FactId| {
                kernel.rules.facts.get(f.index()).map_or(0, |f| position.world.fact(f, group.mover))
            };
            key.1.extend(depends.facts.iter().map(fact));
        }
        if let Some(kept) = self.kept.get(&key) {
            return Ok(Arc::clone(kept));
        }
        let toll = Arc::new(Toll::of(kernel, position, leg, group)?);
        self.kept.insert(key, Arc::clone(&toll));
        Ok(toll)
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
