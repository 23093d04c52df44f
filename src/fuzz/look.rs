//! A game that is looked at after every step.

use std::collections::BTreeSet;

use super::sample::Piece;
use crate::engine::{Dice, Event, Ground, Stride, Watch};
use crate::ir::*;
use crate::kernel::{Cx, EvalFault};
use crate::report::{fault_diagnostic, holds_of, thing_name, why_text};
use crate::world::{ThingRef, World};

/// What must not be, and is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// this define must never hold
    Never(DefineId),
    /// the rules cannot be carried out, by the code of the fault
    Fault(String),
}

/// When it is looked whether something is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum After {
    /// behind every step
    #[default]
    Step,
    /// behind every phase, and not between its steps
    Phase,
}

/// Something that is wrong, as it was met.
#[derive(Debug, Clone)]
pub(super) struct Met {
    pub wrong: Wrong,
    /// The thing it holds of; empty for the whole game.
    pub thing: String,
    /// Why it holds.
    pub why: String,
    /// Where a smaller run may begin, the nearest first.
    pub from: Vec<From>,
}

/// A place of a turn from which it may be played again.
#[derive(Debug, Clone)]
pub(super) struct From {
    pub piece: Piece,
    pub world: World,
    /// How many dice had been shown.
    pub dice: usize,
}

/// What is looked for, and what has been met in this game.
pub(super) struct Looking<'g, 'r> {
    ground: &'g Ground<'r>,
    sought: Vec<DefineId>,
    after: After,
    /// What held before the game began, or has been told.
    known: BTreeSet<(DefineId, String)>,
    /// The position that was looked at last.
    last: World,
    turn: From,
    phase: Option<From>,
    pub met: Vec<Met>,
}

impl<'g, 'r> Looking<'g, 'r> {
    /// Looks for all that must never hold; what holds at the start is known.
    pub(super) fn new(ground: &'g Ground<'r>, start: &World, after: After) -> Looking<'g, 'r> {
        let defines = ground.rules().defines.iter().enumerate();
        let sought = defines.filter(|(_, d)| d.never).map(|(at, _)| DefineId::at(at)).collect();
        let mut looking = Looking {
            ground,
            sought,
            after,
            known: BTreeSet::new(),
            last: start.clone(),
            turn: From { piece: Piece::Turn, world: start.clone(), dice: 0 },
            phase: None,
            met: Vec::new(),
        };
        looking.look(start);
        looking.met.clear();
        looking
    }

    /// A turn begins.
    pub(super) fn turn(&mut self, world: &World, dice: &Dice) {
        self.turn = From { piece: Piece::Turn, world: world.clone(), dice: dice.shown().len() };
        self.phase = None;
    }

    /// Looks at the position behind a step.
    pub(super) fn behind(&mut self, world: &World) {
        if self.last != *world {
            self.last = world.clone();
            self.look(world);
        }
    }

    /// A fault has ended the game.
    pub(super) fn fault(&mut self, code: &str, message: &str) {
        let wrong = Wrong::Fault(code.to_owned());
        self.meet(wrong, String::new(), message.to_owned());
    }

    fn look(&mut self, world: &World) {
        let rules = self.ground.rules();
        for at in self.sought.clone() {
            let Some(define) = rules.defines.get(at.index()) else { continue };
            let known = &mut self.known;
            let asked = self.ground.ask(world, |position| -> Result<_, EvalFault> {
                let mut first = None;
                for (thing, viewer) in holds_of(position, define)? {
                    let name = name_in(rules, world, define, thing);
                    // Why it holds is worked out for the first that is new.
                    if known.insert((at, name.clone())) && first.is_none() {
                        let why = why_text(position, define.value, &Cx::of(viewer, thing))?;
                        first = Some((name, why));
                    }
                }
                Ok(first)
            });
            match asked {
                None | Some(Ok(None)) => {}
                Some(Ok(Some((name, why)))) => self.meet(Wrong::Never(at), name, why),
                Some(Err(fault)) => {
                    let fault = fault_diagnostic(rules, fault);
                    self.fault(fault.code.as_str(), &fault.message);
                }
            }
        }
    }

    /// Notes the first of each that is wrong.
    fn meet(&mut self, wrong: Wrong, thing: String, why: String) {
        if self.met.iter().all(|met| met.wrong != wrong) {
            let from = self.phase.iter().chain([&self.turn]).cloned().collect();
            self.met.push(Met { wrong, thing, why, from });
        }
    }
}

impl Watch for Looking<'_, '_> {
    fn before(&mut self, stride: Stride, world: &World, dice: &Dice) {
        let within = matches!(stride, Stride::Step(_, at, _) if at > 0);
        if self.after == After::Step || !within {
            self.behind(world);
        }
        match stride {
            Stride::Begins(phase, side) => {
                let piece = Piece::Phase(phase, side);
                self.phase = Some(From { piece, world: world.clone(), dice: dice.shown().len() });
            }
            Stride::Step(..) => {}
            Stride::Ends(..) | Stride::NextTurn => self.phase = None,
        }
    }

    fn happened(&mut self, _: Moment, _: Event) {}
}

/// What a define holds of, by its name; empty for the whole game.
pub(super) fn name_in(rules: &Ruleset, world: &World, define: &Define, thing: ThingRef) -> String {
    define.of.map_or_else(String::new, |_| thing_name(rules, world, thing))
}
