//! The searches of one group: leg by leg from the sources backward, round by round while relays come to life.

use super::movers::{Group, compares_at_end};
use super::tolls::Toll;
use super::wave::{Ground, Wave};
use super::{HexRow, SideGates, Wanted};
use crate::ir::{Leg, Trace};
use crate::kernel::board::{Bits, Board};

/// The room of searches.
#[derive(Debug, Default)]
pub(super) struct Search {
    wave: Wave,
    goal: Bits,
    ends: Bits,
    live: Bits,
    /// For each place of the chain, and the end behind the last, where the rest of a line may begin.
    starts: Vec<Bits>,
    /// The side and the budgets for which `starts` holds behind the first place, if that can be used again.
    late: Option<(usize, Vec<Option<u32>>)>,
    /// Where the members of a group stand.
    stand: Bits,
    /// The lengths that this round found.
    lengths: Vec<Option<u32>>,
}

/// What is asked of a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// where it may begin
    Reach,
    /// that, and at which cost where the members of the group stand
    Costs,
    /// the costs alone, until all are known
    CostsOfAll,
}

/// All that the searches of a group read.
struct Task<'a, 'r> {
    board: &'a Board<'r>,
    rule: &'a Trace,
    gates: &'a SideGates,
    tolls: &'a [std::rc::Rc<Toll>],
    wanted: Wanted,
}

impl Task<'_, '_> {
    fn legs(&self, place: usize) -> impl Iterator<Item = (usize, &Leg)> {
        self.rule.legs.iter().enumerate().filter(move |(_, l)| usize::from(l.place) == place)
    }
}

impl Search {
    /// Forgets what the groups of the last position left.
    pub(super) fn renew(&mut self) {
        self.late = None;
    }

    #[allow(clippy::too_many_arguments, reason = "all that a search reads, and where its answers go")]
    pub(super) fn run(
        &mut self,
        board: &Board<'_>,
        rule: &Trace,
        gates: &SideGates,
        tolls: &[std::rc::Rc<Toll>],
        group: &mut Group,
        wanted: Wanted,
        rows: &mut [HexRow],
    ) {
        let task = Task { board, rule, gates, tolls, wanted };
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
        let shared = task.rule.relays.is_empty() && task.rule.legs.iter().all(|l| l.place == 0 || l.cost.is_none());
        let budgets = || task.rule.legs.iter().zip(&group.budgets).filter(|(l, _)| l.place > 0).map(|(_, b)| *b);
        if shared && self.late.as_ref().is_some_and(|(v, b)| *v == group.viewer && b.iter().copied().eq(budgets())) {
            return;
        }
        self.starts[places].copy(&self.goal);
        for place in (1..places).rev() {
            let mut here = std::mem::take(&mut self.starts[place]);
            here.reset(task.board.layout().size);
            for (at, leg) in task.legs(place) {
                self.leg(task, at, group.budgets[at], Ask::Reach);
                here.or(self.begun(task, at));
                if leg.optional {
                    here.or(&self.starts[place + 1]);
                }
            }
            self.starts[place] = here;
        }
        self.late = shared.then(|| (group.viewer, budgets().collect()));
    }

    /// Where the leg just searched may begin.
    fn begun(&mut self, task: &Task<'_, '_>, leg: usize) -> &Bits {
        self.ends.copy(&self.wave.reached);
        self.ends.and(&task.gates.legs[leg][0]);
        &self.ends
    }

    /// One leg for all budgets: each member reads its bit at the step of its own.
    fn first_place_at_end(&mut self, task: &Task<'_, '_>, group: &Group, rows: &mut [HexRow]) {
        let Some((at, leg)) = task.legs(0).next() else { return };
        let from = &task.gates.legs[at][0];
        let unit = task.tolls[at].unit;
        // Nobody stands to gain where the line may not begin, and where all are reached nothing is left to find.
        self.stand(task, group);
        self.stand.and(from);
        let lengths = task.wanted == Wanted::Lengths;
        let ask = if lengths || group.members.iter().any(|m| m.budget.is_some()) { Ask::CostsOfAll } else { Ask::Reach };
        self.leg(task, at, group.budgets[at], ask);
        for member in &group.members {
            let row = &mut rows[member.row as usize];
            let near = || member.budget.is_none_or(|b| self.wave.cost(member.cell) <= b / unit);
            row.yes = self.wave.reached.get(member.cell) && from.get(member.cell) && near();
            row.length = (row.yes && lengths).then(|| self.wave.cost(member.cell).saturating_mul(unit));
        }
        if leg.optional {
            for member in &group.members {
                let row = &mut rows[member.row as usize];
                if self.starts[1].get(member.cell) {
                    (row.yes, row.length) = (true, None);
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
        if task.wanted == Wanted::Lengths {
            self.stand(task, group);
        }
        let mut lengths = std::mem::take(&mut self.lengths);
        lengths.clear();
        lengths.resize(group.members.len(), None);
        for (at, leg) in task.legs(0) {
            let unit = task.tolls[at].unit;
            let from = &task.gates.legs[at][0];
            let skipped = if leg.optional { Some(self.starts[1].clone()) } else { None };
            let wanted = task.wanted == Wanted::Lengths;
            self.leg(task, at, group.budgets[at], if wanted { Ask::Costs } else { Ask::Reach });
            // The first leg in written order that a thing can take is the one that its line takes.
            for (member, length) in group.members.iter().zip(&mut lengths).filter(|(_, l)| wanted && l.is_none()) {
                if self.wave.reached.get(member.cell) && from.get(member.cell) {
                    *length = Some(self.wave.cost(member.cell).saturating_mul(unit));
                }
            }
            here.or(self.begun(task, at));
            if let Some(skipped) = skipped {
                here.or(&skipped);
            }
        }
        let optional = task.legs(0).any(|(_, l)| l.optional);
        for (member, length) in group.members.iter().zip(&lengths) {
            let row = &mut rows[member.row as usize];
            if !row.yes && here.get(member.cell) {
                row.yes = true;
                row.length = length.filter(|_| !(optional && self.starts[1].get(member.cell)));
            }
        }
        self.lengths = lengths;
        self.starts[0] = here;
    }

    /// Searches one leg, one space after another where no cost counts.
    fn leg(&mut self, task: &Task<'_, '_>, at: usize, budget: Option<u32>, ask: Ask) {
        let toll = &*task.tolls[at];
        let [_, through, into] = &task.gates.legs[at];
        let ground = Ground { layout: task.board.layout(), toll, through };
        let place = usize::from(task.rule.legs[at].place);
        self.ends.copy(&self.starts[place + 1]);
        self.ends.and(into);
        if budget.is_none() && ask == Ask::Reach {
            self.wave.reach(ground, &self.ends);
            return;
        }
        let budget = budget.map_or(u32::MAX, |b| b / toll.unit);
        self.wave.begin(ground, &self.ends, (ask != Ask::Reach).then_some(&self.stand));
        let mut cost = 0u32;
        while cost < budget && self.wave.runs() && (ask != Ask::CostsOfAll || self.wave.is_awaited()) {
            cost += 1;
            self.wave.step(ground, cost as usize);
        }
    }
}
