//! Runs the operations on planes over some lanes at once.

use super::columns::Batch;
use super::plane::{Adjacent, Degree, Op, PlaneId, Program};

/// A row of a plane: the lanes of a block.
pub(super) type Row<const W: usize> = [u64; W];

/// Where the planes of a program come from: what stands where, and who controls what.
pub(super) trait Ground<const W: usize> {
    /// Puts every unit into the plane of its atom, where atoms are used.
    fn place(&self, program: &Program, atoms: &mut [Row<W>]);
    /// The plane of a query; the row behind the last space is of no account.
    fn presence(&self, program: &Program, query: usize, atoms: &[Row<W>], out: &mut [Row<W>]);
    /// Adds where a side is in control; the first writes over what was there.
    fn control(&self, side: usize, first: bool, out: &mut [Row<W>]);
}

/// The planes of one block of lanes.
pub(super) struct Block<'b, const W: usize> {
    /// `[plane][row]`.
    pub planes: &'b mut [Row<W>],
    /// `[atom][row]`.
    pub atoms: &'b mut [Row<W>],
    /// Planes to work with, as many as [`Program::passes`] says.
    pub pass: &'b mut [Row<W>],
}

/// Some lanes of a batch.
pub(super) struct Lanes<'b> {
    /// The batch.
    pub batch: &'b Batch,
    /// The first lane.
    pub lane: usize,
}

/// Runs a program at the width of the machine.
pub(super) struct Run<'r, 'b, G, const W: usize> {
    /// The program.
    pub program: &'r Program,
    /// What it reads.
    pub ground: &'r G,
    /// Where it writes.
    pub block: Block<'b, W>,
    /// Whether planes that are the same for all blocks must be written.
    pub first: bool,
}

impl<G: Ground<W>, const W: usize> pulp::WithSimd for Run<'_, '_, G, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) {
        self.block.run(self.program, self.ground, self.first);
    }
}

impl<const W: usize> Ground<W> for Lanes<'_> {
    #[inline(always)]
    fn place(&self, program: &Program, atoms: &mut [Row<W>]) {
        let rows = program.rows;
        atoms.fill([0; W]);
        for (units, plane) in program.atoms.iter().zip(atoms.chunks_exact_mut(rows)) {
            for unit in units {
                for w in 0..self.lanes::<W>() {
                    put(plane, self.batch.lane_of_spaces(*unit, self.lane + w), w, u64::MAX);
                }
            }
            plane[rows - 1] = [0; W];
        }
    }

    #[inline(always)]
    fn presence(&self, program: &Program, query: usize, atoms: &[Row<W>], out: &mut [Row<W>]) {
        let rows = program.rows;
        let (of_query, depends) = &program.queries[query];
        match of_query.split_first() {
            None => out.fill([0; W]),
            Some((atom, more)) => {
                out.copy_from_slice(&atoms[atom * rows..][..rows]);
                for atom in more {
                    join(out, &atoms[atom * rows..][..rows]);
                }
            }
        }
        for (unit, look) in depends {
            for w in 0..self.lanes::<W>() {
                let word = look.bits(self.batch, *unit, self.lane + w);
                put(out, self.batch.lane_of_spaces(*unit, self.lane + w), w, word);
            }
        }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn control(&self, side: usize, first: bool, out: &mut [Row<W>]) {
        let (batch, lanes) = (self.batch, self.lanes::<W>());
        if first {
            out.fill([0; W]);
        }
        let plane = &batch.control[side * out.len() * batch.lanes..];
        for (out, words) in out.iter_mut().zip(plane.chunks_exact(batch.lanes)) {
            for (out, word) in out.iter_mut().zip(&words[self.lane..self.lane + lanes]) {
                *out |= *word;
            }
        }
    }
}

impl Lanes<'_> {
    /// How many lanes of a block the batch has.
    fn lanes<const W: usize>(&self) -> usize {
        W.min(self.batch.lanes.saturating_sub(self.lane))
    }
}

impl<const W: usize> Block<'_, W> {
    /// Runs a program; what is slow has been written before. Fixed planes are written with the
    /// first block.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run<G: Ground<W>>(&mut self, program: &Program, ground: &G, first: bool) {
        ground.place(program, self.atoms);
        for (op, at) in &program.ops {
            match op {
                Op::Fixed(rows) if first => {
                    let (_, out) = self.split(program, *at);
                    for (out, row) in out.iter_mut().zip(rows) {
                        *out = [if *row { u64::MAX } else { 0 }; W];
                    }
                }
                Op::Fixed(_) | Op::Slow(_) => {}
                Op::Control { sides, nobody, nowhere } => {
                    self.control(program, ground, *at, (sides, *nobody, *nowhere))
                }
                Op::Presence(query) => {
                    let out = &mut self.planes[*at as usize * program.rows..][..program.rows];
                    ground.presence(program, *query, self.atoms, out);
                    out[program.rows - 1] = [0; W];
                }
                Op::All { parts, contrary } => {
                    let (before, out) = self.split(program, *at);
                    all(before, out, parts, *contrary);
                }
                Op::Spread { of, links, steps, itself } => {
                    let pass = &mut *self.pass;
                    let rows = program.rows;
                    let (before, out) = self.planes.split_at_mut(*at as usize * rows);
                    let input = plane(before, rows, *of);
                    spread(&program.links[*links], input, out, pass, *steps, *itself);
                    out[rows - 1] = [0; W];
                }
                Op::Flood { .. } => self.flood(program, op, *at),
                Op::Lines { .. } => self.lines(program, op, *at),
            }
        }
    }

    #[inline(always)]
    fn split(&mut self, program: &Program, at: PlaneId) -> (&[Row<W>], &mut [Row<W>]) {
        let (before, out) = self.planes.split_at_mut(at as usize * program.rows);
        (before, &mut out[..program.rows])
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn control<G: Ground<W>>(
        &mut self,
        program: &Program,
        ground: &G,
        at: PlaneId,
        (sides, nobody, nowhere): (&[bool], bool, bool),
    ) {
        let rows = program.rows;
        let out = &mut self.planes[at as usize * rows..][..rows];
        // Nobody controls what no side does: the contrary of all other sides.
        let mut first = true;
        for (side, _) in sides.iter().enumerate().filter(|(_, wanted)| **wanted != nobody) {
            ground.control(side, first, &mut out[..rows - 1]);
            first = false;
        }
        if first {
            out.fill([0; W]);
        }
        if nobody {
            out.as_flattened_mut().iter_mut().for_each(|w| *w = !*w);
        }
        out[rows - 1] = [if nowhere { u64::MAX } else { 0 }; W];
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn flood(&mut self, program: &Program, op: &Op, at: PlaneId) {
        let Op::Flood { ends, through, from, also, way, steps } = op else {
            return;
        };
        let rows = program.rows;
        match program.ways[*way].by_cost.as_slice() {
            _ if program.ways[*way].crosses() => self.crossed_flood(program, op, at),
            [links] => self.even_flood(program, (*ends, *through), links, *steps, at),
            _ => self.costly_flood(program, op, at),
        }
        let (before, own) = self.planes.split_at_mut(at as usize * rows);
        let from = from.map(|f| plane(before, rows, f));
        for reached in own[..op.planes() as usize * rows].chunks_exact_mut(rows) {
            if let Some(from) = from {
                for (out, from) in reached.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
                    *out &= from;
                }
            }
            reached[rows - 1] = [0; W];
            for also in also {
                join(reached, plane(before, rows, *also));
            }
        }
    }

    /// A flood whose steps all cost 1.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn even_flood(
        &mut self,
        program: &Program,
        (ends, through): (PlaneId, Option<PlaneId>),
        links: &Adjacent,
        steps: Option<u32>,
        at: PlaneId,
    ) {
        let rows = program.rows;
        let (before, own) = self.planes.split_at_mut(at as usize * rows);
        let ends = plane(before, rows, ends);
        let through = through.map(|t| plane(before, rows, t));
        own[..rows].copy_from_slice(ends);
        let (pass, next_pass) = self.pass.split_at_mut(rows);
        match steps {
            None => {
                pass.copy_from_slice(ends);
                while widen(links, &mut own[..rows], pass, ends, through) {}
            }
            Some(steps) => {
                let (mut pass, mut next_pass) = (pass, &mut next_pass[..rows]);
                for step in 0..steps as usize {
                    let (reached, next) = own[step * rows..].split_at_mut(rows);
                    let next = &mut next[..rows];
                    // An end that may not be passed need not lead on again: all beside it is
                    // reached by the first step.
                    let leads: &[Row<W>] = match through {
                        _ if step == 0 => ends,
                        Some(_) => pass,
                        None => reached,
                    };
                    match through.filter(|_| step + 1 < steps as usize) {
                        Some(through) => {
                            step_through(links, leads, reached, through, next, next_pass);
                            std::mem::swap(&mut pass, &mut next_pass);
                        }
                        None => step_to(links, leads, reached, next),
                    }
                    next[rows - 1] = [0; W];
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn plane<const W: usize>(planes: &[Row<W>], rows: usize, at: PlaneId) -> &[Row<W>] {
    &planes[at as usize * rows..][..rows]
}

#[inline(always)]
pub(super) fn join<const W: usize>(out: &mut [Row<W>], other: &[Row<W>]) {
    for (out, other) in out.as_flattened_mut().iter_mut().zip(other.as_flattened()) {
        *out |= other;
    }
}

/// Puts one unit of a lane of positions where it stands, in those positions that a word names.
#[inline(always)]
fn put<const W: usize>(plane: &mut [Row<W>], spaces: &[u16], w: usize, which: u64) {
    let nowhere = plane.len() - 1;
    let mut bit = 1u64;
    for space in spaces {
        plane[usize::from(*space).min(nowhere)][w] |= bit & which;
        bit <<= 1;
    }
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn all<const W: usize>(
    before: &[Row<W>],
    out: &mut [Row<W>],
    parts: &[(PlaneId, bool)],
    contrary: bool,
) {
    let rows = out.len();
    let out = out.as_flattened_mut();
    let mask = |contrary: bool| if contrary { u64::MAX } else { 0 };
    let words = |part: &(PlaneId, bool)| (plane(before, rows, part.0).as_flattened(), mask(part.1));
    for (nth, four) in parts.chunks(4).enumerate() {
        // A part given twice says nothing new, so fewer than four are made up with the first.
        let part = |at: usize| words(four.get(at).unwrap_or(&four[0]));
        let ((a, not_a), (b, not_b)) = (part(0), part(1));
        if four.len() <= 2 && nth == 0 {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = (a ^ not_a) & (b ^ not_b);
            }
            continue;
        }
        let ((c, not_c), (d, not_d)) = (part(2), part(3));
        for ((((out, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            let before = if nth == 0 { u64::MAX } else { *out };
            *out = before & (a ^ not_a) & (b ^ not_b) & (c ^ not_c) & (d ^ not_d);
        }
    }
    if parts.is_empty() {
        out.fill(u64::MAX);
    }
    if contrary {
        for word in out {
            *word = !*word;
        }
    }
}

/// What holds at a neighbour of the nth space of a degree.
///
/// Here and below loops stand where closures would be shorter: a closure is compiled for the
/// narrowest machine wherever it is not written into its caller.
#[inline(always)]
pub(super) fn near<const W: usize>(degree: &Degree, nth: usize, of: &[Row<W>]) -> Row<W> {
    let mut sum = [0; W];
    for near in &degree.to[nth * degree.many..][..degree.many] {
        sum = or(&sum, &of[*near as usize]);
    }
    sum
}

/// What holds somewhere in a group, and what in two of its spaces at least.
#[inline(always)]
pub(super) fn gathered<const W: usize>(group: &[u32], of: &[Row<W>]) -> [Row<W>; 2] {
    let (mut some, mut two) = ([0; W], [0; W]);
    for space in group {
        let row = &of[*space as usize];
        two = or(&two, &and(&some, row));
        some = or(&some, row);
    }
    [some, two]
}

/// What holds in another space of a group than one of which this holds.
#[inline(always)]
pub(super) fn elsewhere<const W: usize>([some, two]: &[Row<W>; 2], own: &Row<W>) -> Row<W> {
    let mut row = [0; W];
    for w in 0..W {
        row[w] = two[w] | some[w] & !own[w];
    }
    row
}

/// What is reached, or lies beside what leads on.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn step_to<const W: usize>(
    links: &Adjacent,
    leads: &[Row<W>],
    reached: &[Row<W>],
    next: &mut [Row<W>],
) {
    for degree in &links.degrees {
        for (nth, space) in degree.spaces.iter().enumerate() {
            let space = *space as usize;
            next[space] = or(&near(degree, nth, leads), &reached[space]);
        }
    }
    for group in &links.groups {
        let all = gathered(group, leads);
        for space in group {
            let space = *space as usize;
            next[space] = or(&next[space], &elsewhere(&all, &leads[space]));
        }
    }
}

/// The same, and what of it leads on.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn step_through<const W: usize>(
    links: &Adjacent,
    leads: &[Row<W>],
    reached: &[Row<W>],
    through: &[Row<W>],
    next: &mut [Row<W>],
    next_leads: &mut [Row<W>],
) {
    for degree in &links.degrees {
        for (nth, space) in degree.spaces.iter().enumerate() {
            let space = *space as usize;
            let sum = or(&near(degree, nth, leads), &reached[space]);
            next[space] = sum;
            next_leads[space] = and(&sum, &through[space]);
        }
    }
    for group in &links.groups {
        let all = gathered(group, leads);
        for space in group {
            let space = *space as usize;
            next[space] = or(&next[space], &elsewhere(&all, &leads[space]));
            next_leads[space] = and(&next[space], &through[space]);
        }
    }
}

#[inline(always)]
pub(super) fn or<const W: usize>(a: &Row<W>, b: &Row<W>) -> Row<W> {
    let mut row = [0; W];
    for ((row, a), b) in row.iter_mut().zip(a).zip(b) {
        *row = a | b;
    }
    row
}

#[inline(always)]
fn and<const W: usize>(a: &Row<W>, b: &Row<W>) -> Row<W> {
    let mut row = [0; W];
    for ((row, a), b) in row.iter_mut().zip(a).zip(b) {
        *row = a & b;
    }
    row
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn spread<const W: usize>(
    links: &Adjacent,
    of: &[Row<W>],
    out: &mut [Row<W>],
    pass: &mut [Row<W>],
    steps: u32,
    itself: bool,
) {
    let rows = of.len();
    for degree in &links.degrees {
        for (nth, space) in degree.spaces.iter().enumerate() {
            let space = *space as usize;
            let near = near(degree, nth, of);
            out[space] = if itself { or(&near, &of[space]) } else { near };
        }
    }
    for group in &links.groups {
        let all = gathered(group, of);
        for space in group {
            let space = *space as usize;
            out[space] = or(&out[space], &elsewhere(&all, &of[space]));
        }
    }
    for _ in 1..steps {
        pass[..rows].copy_from_slice(&out[..rows]);
        step_to(links, pass, &pass[..rows], out);
    }
}

/// One round in place, as far as it leads; whether anything changed. Only for lines of any length.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn widen<const W: usize>(
    links: &Adjacent,
    reached: &mut [Row<W>],
    pass: &mut [Row<W>],
    ends: &[Row<W>],
    through: Option<&[Row<W>]>,
) -> bool {
    let mut changed = 0;
    for degree in &links.degrees {
        for (nth, space) in degree.spaces.iter().enumerate() {
            let space = *space as usize;
            let old = reached[space];
            let new = or(&near(degree, nth, pass), &old);
            for w in 0..W {
                changed |= old[w] ^ new[w];
                pass[space][w] =
                    ends[space][w] | new[w] & through.map_or(u64::MAX, |t| t[space][w]);
            }
            reached[space] = new;
        }
    }
    for group in &links.groups {
        let all = gathered(group, pass);
        for space in group {
            let space = *space as usize;
            let old = reached[space];
            let new = or(&elsewhere(&all, &pass[space]), &old);
            for w in 0..W {
                changed |= old[w] ^ new[w];
                pass[space][w] =
                    ends[space][w] | new[w] & through.map_or(u64::MAX, |t| t[space][w]);
            }
            reached[space] = new;
        }
    }
    changed != 0
}
