//! Which crossings keep a thing from a line, or from a shorter one: each is made a junction, and the
//! thing is asked again.

use std::rc::Rc;

use super::board::{Board, joining};
use super::{Answer, EvalFault, Gate, Position};
use crate::ir::*;
use crate::map::Map;
use crate::world::ThingRef;

/// Crossings that keep a thing from a line, or from a shorter one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crossed {
    /// Which, by their places on the map: one that does so alone, or several that do so together,
    /// of which none may be left out.
    pub crossings: Vec<usize>,
    /// What the answer would be if these were junctions.
    pub answer: Answer,
}

/// A map whose crossings are made junctions, and what is asked on it.
struct Joining<'j, 'p> {
    position: &'j Position<'p>,
    trace: TraceId,
    thing: ThingRef,
    now: &'j Answer,
    map: Map,
}

impl Position<'_> {
    /// The crossings that a line goes straight on over, in its order, by their places on the map: both
    /// its steps there can be made along one of the lines alone.
    #[must_use]
    pub fn gone_over(&self, trace: TraceId, line: &[u32]) -> Vec<usize> {
        if self.map.crossings.is_empty() {
            return Vec::new();
        }
        let rule = &self.rules.traces[trace.index()];
        let kinds: Vec<KindId> = rule.legs.iter().flat_map(|leg| leg.links.clone()).collect();
        let mut found = Vec::new();
        for step in line.windows(3) {
            let [before, space, behind] = *step else { continue };
            for (at, crossing) in self.map.crossings.iter().enumerate() {
                if crossing.space != space {
                    continue;
                }
                let mut lines = [before, behind].into_iter().flat_map(|end| {
                    let joining = joining(self.rules, self.map, &kinds, (space, end));
                    joining.into_iter().map(move |kind| crossing.line_of(kind, end))
                });
                let first = lines.next().flatten();
                if first.is_some() && lines.all(|line| line == first) {
                    found.push(at);
                }
            }
        }
        found
    }

    /// The crossings of which each alone keeps a thing from a line, or from a shorter one; if none
    /// does, some that do so together.
    ///
    /// # Errors
    ///
    /// What cannot be worked out, as the map is or with junctions.
    pub fn crossed(
        &self,
        trace: TraceId,
        thing: ThingRef,
        answer: &Answer,
    ) -> Result<Vec<Crossed>, EvalFault> {
        let number = self.map.crossings.len();
        let rule = &self.rules.traces[trace.index()];
        if number == 0 || answer.space.is_none() {
            return Ok(Vec::new());
        }
        let reads = reads_answers(self.rules, rule);
        let settled = answer.gate == Gate::Never || answer.yes && answer.length.is_none();
        let turns = || rule.legs.iter().filter_map(|leg| self.board().turns(&leg.links));
        let may = |at: &usize| {
            let space = self.map.crossings.get(*at).map(|crossing| crossing.space);
            reads || !settled && space.is_some_and(|space| turns().any(|t| t.crosses(space)))
        };
        let tried: Vec<usize> = (0..number).filter(may).collect();
        if tried.is_empty() {
            return Ok(Vec::new());
        }
        let map = self.map.clone();
        let mut joining = Joining { position: self, trace, thing, now: answer, map };
        let all = joining.with(&tried)?;
        // Where no other answer is read, more junctions leave no line longer.
        if all.is_none() && !reads {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        if reads {
            for at in &tried {
                let alone = joining.with(&[*at])?;
                found.extend(alone.map(|answer| Crossed { crossings: vec![*at], answer }));
            }
        } else {
            joining.alone(&tried, &mut found)?;
        }
        if let (true, Some(answer)) = (found.is_empty(), all) {
            found.push(joining.fewer(tried, answer)?);
        }
        Ok(found)
    }
}

impl Joining<'_, '_> {
    /// The answer with junctions at some crossings, where it is better than the one without.
    fn with(&mut self, junctions: &[usize]) -> Result<Option<Answer>, EvalFault> {
        let (position, now) = (self.position, self.now);
        let kept = position.map.crossings.iter().enumerate();
        self.map.crossings =
            kept.filter(|(at, _)| !junctions.contains(at)).map(|(_, c)| c.clone()).collect();
        let board = Rc::new(Board::new(position.rules, &self.map));
        let on = Position::over(&board, position.world);
        on.asking.set(position.asking.get());
        let ask = || on.answer(self.trace, self.thing);
        let answer = position.rules.seen.quietly(ask)?;
        let shorter = match (answer.length, now.length) {
            (Some(length), Some(before)) => length < before,
            _ => false,
        };
        Ok((answer.yes && (!now.yes || shorter)).then_some(answer))
    }

    /// Those of some crossings that do so alone. Where together they do not, none of them does, so that
    /// a map of many crossings is asked for few of them.
    fn alone(&mut self, some: &[usize], found: &mut Vec<Crossed>) -> Result<(), EvalFault> {
        let Some(answer) = self.with(some)? else { return Ok(()) };
        if let [at] = some {
            found.push(Crossed { crossings: vec![*at], answer });
            return Ok(());
        }
        let (first, second) = some.split_at(some.len() / 2);
        self.alone(first, found)?;
        self.alone(second, found)
    }

    /// Leaves out what junctions are not needed, one by one.
    fn fewer(
        &mut self,
        mut junctions: Vec<usize>,
        mut answer: Answer,
    ) -> Result<Crossed, EvalFault> {
        for at in junctions.clone() {
            let rest: Vec<usize> = junctions.iter().copied().filter(|j| *j != at).collect();
            if let Some(better) = self.with(&rest)? {
                (junctions, answer) = (rest, better);
            }
        }
        Ok(Crossed { crossings: junctions, answer })
    }
}

/// Whether a trace reads the answers of traces, by whatever way.
fn reads_answers(rules: &Ruleset, rule: &Trace) -> bool {
    let mut reads = false;
    rules.walk(
        rule.parts(),
        |_| true,
        |_, id| {
            reads |= matches!(
                rules.node(id),
                Node::Verdict(..) | Node::Evidence(..) | Node::WouldBe { .. }
            );
        },
    );
    reads
}
