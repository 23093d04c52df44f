//! A session: the answers after each change, one change after another.

use sutler::ir::{FactId, Ruleset, SideId, TraceId};
use sutler::kernel::Session;
use sutler::project::Project;
use sutler::world::ThingRef;

use super::{Bench, Held, same};
use crate::truth::brute::{Brute, Subject};
use crate::truth::game::{Position, Trace};
use crate::truth::make::Dice;

/// Changes of each game and trace.
const CHANGES: usize = 20;

pub fn session(bench: &Bench<'_>, dice: &mut Dice, held: &mut Held) -> Result<(), String> {
    let project = Project::open(&bench.folder.join("game"));
    let rules =
        project.rulesets.first().and_then(|r| r.rules.as_ref()).ok_or("the game does not open")?;
    for trace in bench.game.traces().filter(|t| t.of_units) {
        let id = rules.traces.iter().position(|t| t.name == trace.name).map(TraceId::at).unwrap();
        let world = sutler::world::start(rules, sutler::ir::SetupId(0));
        let Some(session) = Session::new(rules, world, id).map_err(|e| format!("{e:?}"))? else {
            continue;
        };
        let mut play = Play { bench, rules, trace, session, at: bench.game.start.clone() };
        play.compare(held)?;
        for _ in 0..CHANGES {
            play.change(dice)?;
            play.compare(held)?;
        }
    }
    Ok(())
}

struct Play<'a> {
    bench: &'a Bench<'a>,
    rules: &'a Ruleset,
    trace: &'a Trace,
    session: Session<'a>,
    at: Position,
}

impl Play<'_> {
    fn id(&self, unit: usize) -> u32 {
        let name = format!("U{unit}");
        u32::try_from(self.session.world().units.iter().position(|u| u.id == name).unwrap())
            .unwrap()
    }

    fn fact(&self, name: &str) -> FactId {
        self.rules.facts.iter().position(|f| f.name == name).map(FactId::at).unwrap()
    }

    fn change(&mut self, dice: &mut Dice) -> Result<(), String> {
        let (unit, space) = (dice.below(self.at.units.len()), dice.below(self.bench.game.spaces()));
        let id = self.id(unit);
        let done = match dice.below(8) {
            0..=3 => {
                let to = (!dice.one_in(8)).then_some(space);
                self.at.units[unit].space = to;
                self.session.move_unit(id, to.map(|s| u32::try_from(s).unwrap()))
            }
            4 | 5 => {
                let side = (!dice.one_in(4)).then(|| dice.below(3));
                self.at.control[space] = side;
                let side = side.map(|s| SideId(u8::try_from(s).unwrap()));
                self.session.set_control(u32::try_from(space).unwrap(), side)
            }
            6 => {
                let wagon = dice.one_in(2);
                self.at.units[unit].wagon = wagon;
                self.session.set_fact(self.fact("wagon"), ThingRef::Unit(id), i64::from(wagon))
            }
            _ => {
                let horse = dice.one_in(2);
                self.at.units[unit].horse = horse;
                self.session.set_fact(self.fact("arm"), ThingRef::Unit(id), i64::from(horse))
            }
        };
        done.map(|_| ()).map_err(|e| format!("a session: {e:?}"))
    }

    fn compare(&self, held: &mut Held) -> Result<(), String> {
        let brute = Brute::new(self.bench.game, &self.at);
        for unit in (0..self.at.units.len()).filter(|u| self.at.units[*u].space.is_some()) {
            let want = brute.answer(self.trace, Subject::Unit(unit), None).yes;
            let got = self.session.yes(self.id(unit));
            same(&got, &Some(want), || {
                format!("a session, {} of U{unit}, {:?}", self.trace.name, self.at)
            })?;
            held.session += 1;
        }
        Ok(())
    }
}
