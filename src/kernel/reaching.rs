//! The searches of lines as operations on planes, over some lanes at once: legs whose steps cost
//! different amounts, alternatives, chains of legs, and relays from which lines begin again.

use super::crossing_planes::ByNodes;
use super::plane::{Adjacent, LINES, Leg, Op, Place, Program, Way};
use super::run::{Block, Row, elsewhere, gathered, join, near, or, plane};

/// The planes that a search works with.
struct Work<'w, const W: usize> {
    /// What leads on at each of the last costs, one plane a cost.
    leads: &'w mut [Row<W>],
    reached: &'w mut [Row<W>],
    rows: usize,
}

/// What a leg is searched over.
pub(super) struct Ground<'g, const W: usize> {
    pub way: &'g Way,
    pub through: Option<&'g [Row<W>]>,
}

impl<const W: usize> Block<'_, W> {
    /// Where a line may begin, to the plane `at`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn lines(&mut self, program: &Program, op: &Op, at: u32) {
        let Op::Lines { source, relay, places } = op else { return };
        let rows = program.rows;
        let (before, out) = self.planes.split_at_mut(at as usize * rows);
        let out = &mut out[..rows];
        let (own, leads) = self.pass.split_at_mut(LINES * rows);
        let (goal, own) = own.split_at_mut(rows);
        let (next, own) = own.split_at_mut(rows);
        let (reached, _) = own.split_at_mut(rows);
        let mut work = Work { leads, reached, rows };
        goal.copy_from_slice(plane(before, rows, *source));
        // Off the map no line begins and none ends.
        goal[rows - 1] = [0; W];
        loop {
            next.copy_from_slice(goal);
            for (nth, place) in places.iter().enumerate().rev() {
                work.place(program, before, place, next, out);
                if nth > 0 {
                    next.copy_from_slice(out);
                }
            }
            let Some(relay) = relay else { return };
            if !came_alive(plane(before, rows, *relay), out, goal) {
                return;
            }
        }
    }

    /// A flood whose steps cost different amounts: a plane a cost, each with those before it.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn costly_flood(&mut self, program: &Program, op: &Op, at: u32) {
        let Op::Flood { ends, through, way, steps, .. } = op else { return };
        let rows = program.rows;
        let (before, own) = self.planes.split_at_mut(at as usize * rows);
        let through = through.map(|t| plane(before, rows, t));
        let ground = Ground { way: &program.ways[*way], through };
        let leads = &mut *self.pass;
        own[..rows].copy_from_slice(plane(before, rows, *ends));
        own[rows - 1] = [0; W];
        match steps {
            None => {
                leads[..rows].copy_from_slice(&own[..rows]);
                while ground.widen(&mut own[..rows], leads) {}
                own[rows - 1] = [0; W];
            }
            Some(steps) => {
                leads[..rows].copy_from_slice(&own[..rows]);
                for cost in 1..=*steps as usize {
                    let (reached, next) = own[(cost - 1) * rows..].split_at_mut(rows);
                    next[..rows].copy_from_slice(reached);
                    ground.step(cost, leads, &mut next[..rows]);
                }
            }
        }
    }
}

impl<const W: usize> Work<'_, W> {
    /// Where the rest of a line may begin: `next` is where it may behind this place.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(
        &mut self,
        program: &Program,
        before: &[Row<W>],
        place: &Place,
        next: &[Row<W>],
        out: &mut [Row<W>],
    ) {
        out.fill([0; W]);
        for leg in &place.legs {
            self.leg(program, before, leg, next);
            match leg.from.map(|f| plane(before, self.rows, f)) {
                Some(from) => join_both(out, self.reached, from),
                None => join(out, self.reached),
            }
        }
        if place.optional {
            join(out, next);
        }
    }

    /// Where a leg may begin before `from` is asked, to `reached`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn leg(&mut self, program: &Program, before: &[Row<W>], leg: &Leg, next: &[Row<W>]) {
        let Work { leads, reached, rows } = self;
        let rows = *rows;
        let through = leg.through.map(|t| plane(before, rows, t));
        let way = &program.ways[leg.way];
        let into = leg.into.map(|i| plane(before, rows, i));
        for (row, end) in reached.iter_mut().enumerate() {
            *end = into.map_or(next[row], |into| and(&next[row], &into[row]));
        }
        if way.crosses() {
            let mut nodes = ByNodes::begin(way, reached, through, leads);
            nodes.go(leg.most);
            nodes.take(reached);
            return;
        }
        leads[..rows].copy_from_slice(reached);
        Ground { way, through }.go(leg.most, leads, reached);
    }
}

impl<const W: usize> Ground<'_, W> {
    /// All that is reached within a length; none for any. `leads` begins with the ends.
    #[inline(always)]
    pub(super) fn go(&self, most: Option<u32>, leads: &mut [Row<W>], reached: &mut [Row<W>]) {
        let Some(most) = most else {
            while self.widen(reached, leads) {}
            return;
        };
        let mut quiet = 0;
        for cost in 1..=most as usize {
            let changed = self.step(cost, leads, reached);
            quiet = if changed { 0 } else { quiet + 1 };
            // Nothing that leads on is dearer than this.
            if quiet >= self.way.by_cost.len() {
                break;
            }
        }
    }

    /// Adds what is reached at a cost to what was before, and notes what of it leads on; whether
    /// that is more.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn step(&self, cost: usize, leads: &mut [Row<W>], reached: &mut [Row<W>]) -> bool {
        let (rows, dearest) = (reached.len(), self.way.by_cost.len().max(1));
        let mut changed = 0;
        for (nth, links) in self.way.by_cost.iter().enumerate().take(cost) {
            let of = &leads[(cost - 1 - nth) % dearest * rows..][..rows];
            changed |= spread_to(links, of, reached);
        }
        let lead = &mut leads[cost % dearest * rows..][..rows];
        match self.through {
            None => lead.copy_from_slice(reached),
            Some(through) => {
                for ((lead, reached), through) in lead.iter_mut().zip(&*reached).zip(through) {
                    *lead = and(reached, through);
                }
            }
        }
        changed != 0
    }

    /// One round of lines of any length; whether anything changed. `leads` begins with the ends.
    #[inline(always)]
    fn widen(&self, reached: &mut [Row<W>], leads: &mut [Row<W>]) -> bool {
        let rows = reached.len();
        let Some(links) = self.way.any() else { return false };
        let changed = spread_to(links, &leads[..rows], reached);
        for (row, lead) in leads[..rows].iter_mut().enumerate() {
            let passes = self.through.map_or(reached[row], |t| and(&reached[row], &t[row]));
            *lead = or(lead, &passes);
        }
        changed != 0
    }
}

/// Adds what lies beside what leads on; the bits that are new.
#[inline(always)]
fn spread_to<const W: usize>(links: &Adjacent, leads: &[Row<W>], reached: &mut [Row<W>]) -> u64 {
    let mut changed = 0;
    for degree in links.degrees.iter().filter(|d| d.many > 0) {
        for (nth, space) in degree.spaces.iter().enumerate() {
            let old = reached[*space as usize];
            let new = or(&near(degree, nth, leads), &old);
            for (old, new) in old.iter().zip(&new) {
                changed |= old ^ new;
            }
            reached[*space as usize] = new;
        }
    }
    for group in &links.groups {
        let all = gathered(group, leads);
        for space in group {
            let space = *space as usize;
            let old = reached[space];
            let new = or(&elsewhere(&all, &leads[space]), &old);
            for (old, new) in old.iter().zip(&new) {
                changed |= old ^ new;
            }
            reached[space] = new;
        }
    }
    changed
}

/// Adds the relays from which a line now begins to where lines may end; whether there are more.
#[inline(always)]
fn came_alive<const W: usize>(relay: &[Row<W>], begins: &[Row<W>], goal: &mut [Row<W>]) -> bool {
    let mut more = 0;
    for ((relay, begins), goal) in relay.iter().zip(begins).zip(goal) {
        for ((relay, begins), goal) in relay.iter().zip(begins).zip(goal) {
            let live = relay & begins & !*goal;
            more |= live;
            *goal |= live;
        }
    }
    more != 0
}

#[inline(always)]
fn join_both<const W: usize>(out: &mut [Row<W>], a: &[Row<W>], b: &[Row<W>]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = or(out, &and(a, b));
    }
}

#[inline(always)]
fn and<const W: usize>(a: &Row<W>, b: &Row<W>) -> Row<W> {
    let mut row = [0; W];
    for ((row, a), b) in row.iter_mut().zip(a).zip(b) {
        *row = a & b;
    }
    row
}
