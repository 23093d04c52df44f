//! The searches of one group: leg by leg from the sources backward, round by round while relays
//! come to life.

use super::bands::{BAND, Shape, TIME_SKEW};
use super::bucket_queue::{BucketQueue, Ground};
use super::movers::{Group, compares_at_end};
use super::readers::{Reader, Readers};
use super::sweep::Sweep;
use super::tolls::Toll;
use super::width::Width;
use super::{HexRow, SideGates, Wanted};
use crate::ir::{Leg, Trace};
use crate::kernel::board::{Bits, Board, Layout, Plane};

/// The room of searches.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// How many words are taken at once.
    pub(super) width: Width,
    /// How many words a band of the sweep has at least, where somebody has said so.
    pub(super) band: Option<usize>,
    bucket_queue: BucketQueue,
    sweep: Sweep,
    /// Whether the last leg was searched by the sweep.
    swept: bool,
    readers: Readers,
    goal: Bits,
    ends: Bits,
    live: Bits,
    /// For each place of the chain, and the end behind the last, where the rest of a line may
    /// begin.
    starts: Vec<Bits>,
    /// The asker for which `starts` holds behind the first place, if that can be used again, and the
    /// budgets.
    late: Option<usize>,
    late_budgets: Vec<Option<u32>>,
    /// Where the members of a group stand.
    stand: Bits,
    /// The cost at which each member of a group was reached by the last leg that was asked for
    /// costs.
    costs: Vec<Option<u32>>,
    /// The members that have not been reached.
    open: Vec<u32>,
}

/// What is asked of a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// where it may begin
    Reach,
    /// the costs alone, until all are known
    CostsOfAll,
}

/// All that the searches of a group read.
struct Task<'a, 'r> {
    board: &'a Board<'r>,
    rule: &'a Trace,
    gates: &'a SideGates,
    tolls: &'a [std::sync::Arc<Toll>],
    wanted: Wanted,
}

impl Task<'_, '_> {
    fn legs(&self, place: usize) -> impl Iterator<Item = (usize, &Leg)> {
        self.rule.legs.iter().enumerate().filter(move |(_, l)| usize::from(l.place) == place)
    }
}

impl Search {
    fn shape(&self, layout: &Layout) -> Shape {
        Shape::of(layout, self.band.unwrap_or(BAND))
    }

    /// Forgets what the groups of the last position left.
    pub(super) fn renew(&mut self) {
        self.late = None;
    }

    pub(super) fn run(
        &mut self,
        board: &Board<'_>,
        rule: &Trace,
        gates: &SideGates,
        group: &Group,
        wanted: Wanted,
        rows: &mut [HexRow],
    ) {
        let task = Task { board, rule, gates, tolls: &group.tolls, wanted };
        let places = usize::from(rule.places);
        self.starts.resize_with(places + 1, Bits::default);
        self.goal.copy(&gates.source);
        loop {
            self.later_places(&task, group);
            if compares_at_end(rule) {
                self.first_place_at_end(&task, group, rows);
                return;
            }
            self.first_place(&task, group, rows);
            self.live.copy(&gates.relay);
            self.live.and(&self.starts[0]);
            self.live.without(&self.goal);
            if self.live.is_empty() {
                return;
            }
            self.goal.or(&self.live);
        }
    }

    /// Where the rest of a line may begin, for all places behind the first.
    fn later_places(&mut self, task: &Task<'_, '_>, group: &Group) {
        let places = usize::from(task.rule.places);
        let shared = task.rule.relays.is_empty()
            && task.rule.legs.iter().all(|l| l.place == 0 || l.cost.is_none());
        let budgets = || {
            task.rule.legs.iter().zip(&group.budgets).filter(|(l, _)| l.place > 0).map(|(_, b)| *b)
        };
        if shared
            && self.late == Some(group.asker)
            && self.late_budgets.iter().copied().eq(budgets())
        {
            return;
        }
        self.starts[places].copy(&self.goal);
        for place in (1..places).rev() {
            let mut here = std::mem::take(&mut self.starts[place]);
            here.reset(task.board.layout().size);
            for (at, leg) in task.legs(place) {
                self.leg(task, at, group, Ask::Reach);
                here.or(self.begun(task, at));
                if leg.optional {
                    here.or(&self.starts[place + 1]);
                }
            }
            self.starts[place] = here;
        }
        self.late = shared.then_some(group.asker);
        self.late_budgets.clear();
        self.late_budgets.extend(budgets());
    }

    /// Where the leg just searched may begin.
    fn begun(&mut self, task: &Task<'_, '_>, leg: usize) -> &Bits {
        match self.swept {
            true => self.ends.0.copy_from_slice(self.sweep.reached.words()),
            false => self.ends.copy(&self.bucket_queue.reached),
        }
        self.ends.and(&task.gates.legs[leg][0]);
        &self.ends
    }

    /// One leg for all budgets: each member reads its bit at the step of its own.
    fn first_place_at_end(&mut self, task: &Task<'_, '_>, group: &Group, rows: &mut [HexRow]) {
        let Some((at, leg)) = task.legs(0).next() else { return };
        let from = &task.gates.legs[at][0];
        let unit = task.tolls[at].unit;
        let lengths = task.wanted == Wanted::Lengths;
        if lengths || !self.by_budgets(task, at, group, rows) {
            // Nobody stands to gain where the line may not begin, and where all are reached nothing
            // is left to find.
            self.stand(task, group);
            self.stand.and(from);
            let counts = lengths || group.members.iter().any(|m| m.budget.is_some());
            self.leg(task, at, group, if counts { Ask::CostsOfAll } else { Ask::Reach });
            if !counts {
                let reached = self.begun(task, at);
                group.members.iter().for_each(|m| rows[m.row as usize].yes = reached.get(m.cell));
            }
            for (member, cost) in group.members.iter().zip(&self.costs).filter(|_| counts) {
                let row = &mut rows[member.row as usize];
                let near = |cost: u32| member.budget.is_none_or(|b| cost.saturating_mul(unit) <= b);
                let cost = cost.filter(|cost| from.get(member.cell) && near(*cost));
                row.yes = cost.is_some();
                row.length = cost.filter(|_| lengths).map(|cost| cost.saturating_mul(unit));
            }
        }
        if leg.optional {
            for member in &group.members {
                let row = &mut rows[member.row as usize];
                if self.starts[1].get(member.cell) {
                    (row.yes, row.length) = (true, lengths.then_some(0));
                }
            }
        }
    }

    fn stand(&mut self, task: &Task<'_, '_>, group: &Group) {
        self.stand.reset(task.board.layout().size);
        group.members.iter().for_each(|m| self.stand.set(m.cell));
    }

    /// Several legs, or relays: the budgets are the same for the whole group.
    fn first_place(&mut self, task: &Task<'_, '_>, group: &Group, rows: &mut [HexRow]) {
        let mut here = std::mem::take(&mut self.starts[0]);
        here.reset(task.board.layout().size);
        for (at, leg) in task.legs(0) {
            self.leg(task, at, group, Ask::Reach);
            here.or(self.begun(task, at));
            if leg.optional {
                here.or(&self.starts[1]);
            }
        }
        for member in &group.members {
            let row = &mut rows[member.row as usize];
            row.yes |= here.get(member.cell);
        }
        self.starts[0] = here;
    }

    /// What a leg is searched over; where it may end is left in `ends`.
    fn ground<'a>(&mut self, task: &'a Task<'_, '_>, at: usize) -> Ground<'a> {
        let [_, through, into] = &task.gates.legs[at];
        let place = usize::from(task.rule.legs[at].place);
        self.ends.copy(&self.starts[place + 1]);
        self.ends.and(into);
        Ground { layout: task.board.layout(), toll: &task.tolls[at], through }
    }

    /// Searches one leg for yes or no alone, each member by its own budget; tells whether it can be
    /// done so.
    fn by_budgets(
        &mut self,
        task: &Task<'_, '_>,
        at: usize,
        group: &Group,
        rows: &mut [HexRow],
    ) -> bool {
        let (toll, from) = (&*task.tolls[at], &task.gates.legs[at][0]);
        let shape = self.shape(task.board.layout());
        if group.members.iter().all(|m| m.budget.is_none())
            || !Sweep::fits(toll)
            || !self.readers.sort(&group.members, toll.unit, &shape)
        {
            return false;
        }
        let ground = self.ground(task, at);
        let Search { sweep, readers, width, ends, .. } = self;
        sweep.begin(*width, ground, shape, ends);
        let mut read = |reader: &Reader, reached: &Plane| {
            rows[reader.row as usize].yes = reached.get(reader.cell) && from.get(reader.cell);
        };
        readers.due(0, usize::MAX).iter().for_each(|r| read(r, &sweep.reached));
        loop {
            // Nothing more can happen to things that are reached, or that stand where no line may
            // begin.
            while let Some(reader) =
                readers.last().filter(|r| sweep.reached.get(r.cell) || !from.get(r.cell))
            {
                read(&reader, &sweep.reached);
                readers.settle_last();
            }
            if readers.last().is_none() || !sweep.runs {
                break;
            }
            sweep.chunk(*width, ground, |cost, end, reached| {
                readers.due(cost, end).iter().for_each(|r| read(r, reached))
            });
        }
        readers.rest().iter().for_each(|r| read(r, &sweep.reached));
        self.swept = true;
        true
    }

    /// Searches one leg; where no cost counts, one space after another.
    fn leg(&mut self, task: &Task<'_, '_>, at: usize, group: &Group, ask: Ask) {
        let toll = &*task.tolls[at];
        let ground = self.ground(task, at);
        self.swept = false;
        if group.budgets[at].is_none() && ask == Ask::Reach {
            self.bucket_queue.reach(ground, &self.ends);
            return;
        }
        let budget = group.budgets[at].map_or(u32::MAX, |b| b / toll.unit);
        if Sweep::fits(toll) {
            self.swept = true;
            self.sweep_leg(ground, group, budget, ask);
            return;
        }
        self.bucket_queue.begin(ground, &self.ends, (ask != Ask::Reach).then_some(&self.stand));
        let mut cost = 0u32;
        while cost < budget
            && self.bucket_queue.runs()
            && (ask != Ask::CostsOfAll || self.bucket_queue.is_awaited())
        {
            cost += 1;
            self.bucket_queue.step(ground, cost as usize);
        }
        if ask != Ask::Reach {
            let bucket_queue = &self.bucket_queue;
            let cost = |cell: u32| {
                (bucket_queue.reached.get(cell) && self.stand.get(cell))
                    .then(|| bucket_queue.cost(cell))
            };
            self.costs.clear();
            self.costs.extend(group.members.iter().map(|m| cost(m.cell)));
        }
    }

    /// The same over whole words; members are asked after each step until they are reached.
    fn sweep_leg(&mut self, ground: Ground<'_>, group: &Group, budget: u32, ask: Ask) {
        let shape = self.shape(ground.layout);
        let Search { sweep, width, ends, costs, open, stand, .. } = self;
        sweep.begin(*width, ground, shape, ends);
        costs.clear();
        costs.resize(group.members.len(), None);
        open.clear();
        if ask != Ask::Reach {
            let members = 0u32..;
            open.extend(
                members.zip(&group.members).filter(|(_, m)| stand.get(m.cell)).map(|(at, _)| at),
            );
        }
        let mut cost = 0;
        loop {
            open.retain(|at| {
                let reached = sweep.reached.get(group.members[*at as usize].cell);
                if reached {
                    costs[*at as usize] = Some(cost);
                }
                !reached
            });
            if cost >= budget || !sweep.runs || ask == Ask::CostsOfAll && open.is_empty() {
                return;
            }
            // Where no cost is asked for, nobody looks in between.
            if ask == Ask::Reach && budget - cost >= TIME_SKEW as u32 {
                cost += TIME_SKEW as u32;
                sweep.chunk(*width, ground, |_, _, _| {});
            } else {
                cost += 1;
                sweep.step(*width, ground);
            }
        }
    }
}
