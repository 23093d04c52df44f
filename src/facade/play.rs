//! A turn of a game played, moment by moment, with dice and orders.

use serde::Serialize;
use serde_json::Value;

use super::{Faults, Position, names};
use crate::diag::{Diagnostic, Fault, code, has_errors};
use crate::engine::{Dice, Event, Orders, RunFault, What, is_over, moments, pass};
use crate::ir::Moment;
use crate::log;
use crate::report::{moment_text, run_fault_diagnostic, thing_name};
use crate::source::screen;
use crate::world::World;

/// What a turn is played with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Play {
    /// The number of the turn, for the log; orders are those of this turn.
    pub turn: u32,
    /// The seed of the dice.
    pub seed: Option<u64>,
    /// What the dice show, where no seed is given.
    pub dice: Vec<u32>,
    /// Orders, one a line, as `sutler run --orders` reads them.
    pub orders: String,
    /// Whether the first lawful way is taken where no order says which.
    pub first_way: bool,
}

/// A turn that was played, to its end or to what somebody must decide.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Played {
    /// The moments in which something happened, in order.
    pub steps: Vec<Step>,
    /// Whether the turn has come to its end.
    pub whole: bool,
    /// What must be decided before it can go on: the orders that would do it.
    pub open: Vec<Value>,
    /// What stopped the turn, and orders that nothing offered.
    pub faults: Vec<Fault>,
    /// What the dice showed.
    pub dice: Vec<u32>,
    /// The position then, as JSON; answers end with their moments, so that it may differ from that
    /// after the last step.
    pub position: String,
}

/// What happened in a moment.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// The moment.
    pub moment: String,
    /// Whose moment, if it is a side's.
    pub side: Option<String>,
    /// What happened, for reading.
    pub text: String,
    /// The lines of the log.
    pub log: Vec<Value>,
    /// The position after it, as JSON.
    pub position: String,
}

impl Position {
    /// Plays a turn, and leaves the position as it is then.
    ///
    /// # Errors
    ///
    /// What is wrong with the orders, that the rules have no clock, or E1027 where the last turn has
    /// ended. What stops a turn that was
    /// begun is in [`Played::faults`].
    pub fn play(&mut self, play: &Play) -> Result<Played, Faults> {
        self.has_turns()?;
        if is_over(self.game().rules(), self.world()) {
            let fault = run_fault_diagnostic(self.game().rules(), RunFault::GameOver);
            return Err(Faults::bare(fault));
        }
        let mut orders = self.orders(play)?;
        let mut dice = match play.seed {
            Some(seed) => Dice::seeded(seed),
            None => Dice::list(play.dice.clone()),
        };
        let mut world = self.world().clone();
        let played = self.moments(&mut world, &mut dice, &mut orders, play.turn);
        self.replace(world);
        Ok(played)
    }

    /// Refuses rules without a clock.
    pub(crate) fn has_turns(&self) -> Result<(), Faults> {
        if self.game().rules().clock.is_some() {
            return Ok(());
        }
        let help = "declare one, such as `clock turn has movement of each side`";
        Err(names::absent("the ruleset has no clock, so that no turn can pass", help))
    }

    fn moments(
        &self,
        world: &mut World,
        dice: &mut Dice,
        orders: &mut Orders,
        turn: u32,
    ) -> Played {
        let rules = self.game().rules();
        let found = |faults: &[Diagnostic]| Faults::of(faults, self.game().sources()).to_vec();
        let (mut steps, mut faults) = (Vec::new(), Vec::new());
        let turn = (turn, log::date(rules, world));
        let mut open: Option<Vec<Value>> = None;
        for moment in moments(rules) {
            let events = match pass(rules, world, moment, dice, orders) {
                Ok(events) => events,
                Err(fault) => {
                    faults = found(&[run_fault_diagnostic(rules, fault)]);
                    break;
                }
            };
            if !events.is_empty() {
                steps.push(self.step(world, &turn, moment, &events));
            }
            let must = events.iter().filter_map(|event| match &event.what {
                What::Open(ways) => Some(log::ways(rules, world, event.thing, ways)),
                _ => None,
            });
            let must: Vec<Value> =
                must.flatten().filter_map(|way| serde_json::to_value(way).ok()).collect();
            if events.iter().any(|event| matches!(event.what, What::Open(_))) {
                open = Some(must);
                break;
            }
        }
        let whole = open.is_none() && faults.is_empty();
        if whole {
            let untaken = orders.waiting().iter().map(|order| {
                let name = thing_name(rules, world, order.thing);
                let turn = turn.0;
                let text = format!("nothing in turn {turn} offered this to `{name}`");
                let help = "look in the log for what was offered, and when";
                Diagnostic::bare(code::E1022, text).help(help)
            });
            faults = found(&untaken.collect::<Vec<_>>());
        }
        let position = crate::world::json::write(rules, world);
        let (open, dice) = (open.unwrap_or_default(), dice.shown().to_vec());
        Played { steps, whole, open, faults, dice, position }
    }

    fn step(
        &self,
        world: &World,
        (turn, date): &(u32, Option<String>),
        moment: Moment,
        events: &[Event],
    ) -> Step {
        let rules = self.game().rules();
        let line = |event| log::Line {
            date: date.clone(),
            ..log::line(rules, world, *turn, moment, event)
        };
        let lines: Vec<log::Line> = events.iter().map(line).collect();
        let mut text = log::Text::default();
        let mut words: String = lines.iter().map(|line| text.line(line)).collect();
        words.push_str(&text.finish());
        let log = lines.iter().filter_map(|line| serde_json::to_value(line).ok()).collect();
        let (moment, side) = moment_text(rules, moment);
        let position = crate::world::json::write(rules, world);
        Step { moment, side, text: words, log, position }
    }

    fn orders(&self, play: &Play) -> Result<Orders, Faults> {
        let game = self.game();
        let mut sources = game.sources().clone();
        let id = sources.next_id();
        let (text, mut faults) = screen(play.orders.as_bytes(), id);
        sources.add("orders", text);
        let (given, more) = log::orders(sources.text(id), id, game.rules(), self.world());
        faults.extend(more);
        if has_errors(&faults) {
            return Err(Faults::of(&faults, &sources));
        }
        let mut orders = if play.first_way { Orders::first_way() } else { Orders::none() };
        let of_turn = given.iter().filter(|(turn, ..)| *turn == play.turn);
        of_turn.for_each(|(_, order, _)| orders.give(*order));
        Ok(orders)
    }
}
