//! What runs, step by step: the same order in which phases run and moments pass.

use crate::engine::agenda::{Happening, agenda};
use crate::ir::*;

/// What runs: a phase, or a moment with all its phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// a phase, of a side if it is of one
    Phase(PhaseId, Option<SideId>),
    /// a moment
    Moment(Moment),
}

/// One thing to do to each state.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    /// take away what ends
    Expire(Moment, Option<SideId>),
    /// begin a phase: forget what its tests came to before, and ask whether it happens
    Begin(PhaseId, Option<SideId>),
    /// one step of a phase
    Step(PhaseId, usize, Option<SideId>),
    /// go on to the next turn
    NextTurn,
}

/// What a step rolls.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rolls<'r> {
    /// a test, each thing by itself or one throw for all
    Test { test: TestId, once: bool },
    /// a list of tests, and for each row the outcome that stops it
    List { table: TableId, stops: &'r [Option<u16>] },
}

impl Op {
    /// The step that happens by itself, if this is one.
    pub(super) fn step<'r>(&self, rules: &'r Ruleset) -> Option<&'r Step> {
        let Op::Step(phase, at, _) = self else { return None };
        rules.phases[phase.index()].steps.get(*at).filter(|s| s.mode == Mode::Do)
    }

    /// What is asked before a phase happens, if this begins one.
    pub(super) fn when(&self, rules: &Ruleset) -> Option<ExprId> {
        let Op::Begin(phase, _) = self else { return None };
        rules.phases[phase.index()].when
    }

    /// What it rolls, if it rolls anything.
    pub(super) fn rolls<'r>(&self, rules: &'r Ruleset) -> Option<Rolls<'r>> {
        match &self.step(rules)?.effect {
            Effect::Roll { test, once } => Some(Rolls::Test { test: *test, once: *once }),
            Effect::RollList { table, stops } => Some(Rolls::List { table: *table, stops }),
            _ => None,
        }
    }
}

pub(super) fn plan(rules: &Ruleset, passing: &[Passing]) -> Vec<Op> {
    let mut ops = Vec::new();
    for one in passing {
        match one {
            Passing::Phase(phase, side) => {
                let of_edge = |edge: Edge| {
                    let moments =
                        rules.phases[phase.index()].moments.iter().filter(move |m| m.edge == edge);
                    moments.map(|m| Op::Expire(*m, *side))
                };
                ops.extend(of_edge(Edge::Start));
                steps(rules, *phase, *side, &mut ops);
                ops.extend(of_edge(Edge::End));
            }
            Passing::Moment(moment) => {
                for happening in agenda(rules, *moment) {
                    match happening {
                        Happening::Ends(moment, side) => ops.push(Op::Expire(moment, side)),
                        Happening::Phase(phase, side) => steps(rules, phase, side, &mut ops),
                        Happening::NextTurn => ops.push(Op::NextTurn),
                    }
                }
            }
        }
    }
    ops
}

fn steps(rules: &Ruleset, phase: PhaseId, side: Option<SideId>, ops: &mut Vec<Op>) {
    ops.push(Op::Begin(phase, side));
    ops.extend((0..rules.phases[phase.index()].steps.len()).map(|at| Op::Step(phase, at, side)));
}
