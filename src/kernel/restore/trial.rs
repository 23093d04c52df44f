//! A change tried for one thing: whether it gives it a line, and which.

use std::cell::OnceCell;
use std::sync::Arc;

use super::super::answer::Stretch;
use super::super::costs::Costs;
use super::super::field::{Field, Gates, Profile};
use super::super::{Change, EvalFault, Gate, Position};
use super::front::{Among, Front, goes_on_from_opened};
use super::scope::{Touched, TouchedGates};
use super::{Remedy, Restored, Restoring};
use crate::ir::*;
use crate::world::{ThingRef, World};

/// What the changes are tried on.
pub(super) struct Trial<'t, 'p, 'a> {
    pub known: &'t Restoring<'p, 'a>,
    pub position: &'p Position<'a>,
    pub trace: TraceId,
    pub thing: ThingRef,
    pub start: u32,
    /// Whether the line itself decided, and no `never`.
    pub traced: bool,
    pub gates: Arc<Gates>,
    profile: Profile,
    pub enter: Arc<[Costs]>,
    /// The longest that each leg may be.
    pub budgets: Vec<Option<u32>>,
    front: OnceCell<Front>,
    nearest: OnceCell<Vec<u32>>,
}

/// What a change makes of the gates, where it opens a line.
struct Opened {
    gates: Gates,
    field: Field,
}

impl<'t, 'p, 'a> Trial<'t, 'p, 'a> {
    pub fn new(
        known: &'t Restoring<'p, 'a>,
        thing: ThingRef,
        start: u32,
        gate: Gate,
    ) -> Result<Trial<'t, 'p, 'a>, EvalFault> {
        let (position, trace) = (known.position, known.trace);
        let profile = position.profile(trace, thing)?;
        let legs = &position.rules.traces[trace.index()].legs;
        let budgets = legs.iter().map(|leg| position.budget_of(leg, thing));
        Ok(Trial {
            known,
            position,
            trace,
            thing,
            start,
            // A never is told by its own line; the gate alone is also that of a unit off the map.
            traced: gate != Gate::Never,
            gates: position.gates(trace, thing)?,
            enter: position.costs(trace, thing, &profile, false)?,
            budgets: budgets.collect::<Result<_, _>>()?,
            profile,
            front: OnceCell::new(),
            nearest: OnceCell::new(),
        })
    }

    pub fn rule(&self) -> &'p Trace {
        &self.position.rules.traces[self.trace.index()]
    }

    /// Whether a change can touch what the answer rests on.
    pub fn may_touch(&self, change: &Change) -> bool {
        self.known.by_trial || !self.touched(change).nothing()
    }

    fn touched(&self, change: &Change) -> Touched {
        self.known.scope.touched(self.position, change, self.thing, self.start)
    }

    /// Whether a change can touch gates alone, which are then searched by themselves.
    fn gates_alone(&self, touched: Touched, change: &Change) -> bool {
        // The gates after a fact of the thing itself are of no use to other things.
        let of_another = matches!(change, Change::Stated { of, .. } if *of != self.thing);
        !touched.of_thing
            && !touched.costs
            && match touched.gates {
                TouchedGates::None => false,
                TouchedGates::Near => true,
                TouchedGates::All => of_another,
            }
    }

    /// Makes a change, asks of the position after it, and takes the change back.
    fn made<T>(&self, change: &Change, ask: impl FnOnce(&World) -> T) -> T {
        change.tried(self.position.rules, &mut self.known.world.borrow_mut(), ask)
    }

    /// Whether the thing has a line after a change, or needs none.
    pub fn helps(&self, change: &Change) -> Result<bool, EvalFault> {
        if self.known.by_trial {
            return Ok(self.asked_afresh(change)?.is_some());
        }
        let touched = self.touched(change);
        if touched.nothing() {
            return Ok(false);
        }
        if self.gates_alone(touched, change) {
            return Ok(self.opened(change, touched)?.is_some());
        }
        self.made(change, |world| match self.on(world, touched)? {
            Some(on) => on.is_yes(self.trace, self.thing),
            None => Ok(false),
        })
    }

    /// The line that the thing has after a change, if it has one.
    pub fn after(&self, change: &Change) -> Result<Option<Restored>, EvalFault> {
        if self.known.by_trial {
            return self.asked_afresh(change);
        }
        let touched = self.touched(change);
        if touched.nothing() {
            return Ok(None);
        }
        if self.gates_alone(touched, change) {
            let Some(opened) = self.opened(change, touched)? else { return Ok(None) };
            return self.made(change, |world| match self.on_opened(world, opened)? {
                Some(on) => self.restored(&on),
                None => Ok(None),
            });
        }
        self.made(change, |world| match self.on(world, touched)? {
            // Why there is still no line takes more searches than that there is none.
            Some(on) if on.is_yes(self.trace, self.thing)? => self.restored(&on),
            _ => Ok(None),
        })
    }

    /// The slow and obvious twin.
    fn asked_afresh(&self, change: &Change) -> Result<Option<Restored>, EvalFault> {
        let world = self.position.changed(change, &[]);
        let Some(on) = Position::on(&self.position.board(), &world) else { return Ok(None) };
        on.asking.set(self.position.asking.get());
        self.restored(&on)
    }

    fn restored(&self, on: &Position<'_>) -> Result<Option<Restored>, EvalFault> {
        let mut line: Vec<Stretch> = Vec::new();
        let answer = on.answer_along(self.trace, self.thing, &mut line)?;
        let (remedy, length, source) = (Remedy::Gone(Vec::new()), answer.length, answer.source);
        Ok(answer.yes.then_some(Restored { remedy, cost: 1, length, source, line }))
    }

    /// The position after a change, which goes on with all that the change cannot touch.
    fn on<'w>(&self, world: &'w World, touched: Touched) -> Result<Option<Position<'w>>, EvalFault>
    where
        'a: 'w,
    {
        let Some(on) = self.bare(world) else { return Ok(None) };
        if touched.gates == TouchedGates::None {
            let key = (self.trace, on.viewer_of(self.thing), on.mover(self.trace, self.thing));
            on.worked.gates.borrow_mut().insert(key, Arc::clone(&self.gates));
        }
        if touched.costs {
            return Ok(Some(on));
        }
        // The profile asks the gates of the thing, where they are its own.
        let profile = on.profile(self.trace, self.thing)?;
        self.give_costs(&on, &profile);
        if touched.gates == TouchedGates::None && profile == self.profile {
            let field = self.position.field(self.trace, self.thing)?;
            on.worked.fields.borrow_mut().insert((self.trace, profile), field);
        }
        Ok(Some(on))
    }

    /// The position after a change of which the gates and a search are known.
    fn on_opened<'w>(
        &self,
        world: &'w World,
        opened: Opened,
    ) -> Result<Option<Position<'w>>, EvalFault>
    where
        'a: 'w,
    {
        let Some(on) = self.bare(world) else { return Ok(None) };
        let key = (self.trace, on.viewer_of(self.thing), on.mover(self.trace, self.thing));
        on.worked.gates.borrow_mut().insert(key, Arc::new(opened.gates));
        let profile = on.profile(self.trace, self.thing)?;
        self.give_costs(&on, &profile);
        on.worked.fields.borrow_mut().insert((self.trace, profile), Arc::new(opened.field));
        Ok(Some(on))
    }

    fn bare<'w>(&self, world: &'w World) -> Option<Position<'w>>
    where
        'a: 'w,
    {
        let on = Position::on(&self.position.board(), world)?;
        on.asking.set(self.position.asking.get());
        Some(on)
    }

    fn give_costs(&self, on: &Position<'_>, profile: &Profile) {
        let key = (self.trace, profile.without_budgets(), false);
        on.worked.costs.borrow_mut().insert(key, Arc::clone(&self.enter));
    }

    /// The gates after a change that can touch gates alone, if they give the thing a line.
    fn opened(&self, change: &Change, touched: Touched) -> Result<Option<Opened>, EvalFault> {
        // A never decides before any gate.
        if !self.traced {
            return Ok(None);
        }
        let gates = if touched.gates == TouchedGates::Near {
            self.opened_near(change)?
        } else {
            let world = &mut self.known.world.borrow_mut();
            let asked = (self.trace, self.thing);
            let all = self.known.rows.all_after(self.position, asked, (change, world))?;
            all.filter(|gates| !gates.opens_nothing(&self.gates)).map(|gates| (*gates).clone())
        };
        let Some(gates) = gates else { return Ok(None) };
        let field = self.search(&gates, self.profile.budgets.clone());
        let budget = self.budgets.first().copied().flatten().filter(|_| self.rule().is_plain());
        let fits = budget.is_none_or(|budget| field.lengths()[self.start as usize] <= budget);
        let yes = fits && field.round_of(self.start).is_some();
        Ok(yes.then_some(Opened { gates, field }))
    }

    /// The gates after a change that touches those near it alone, if it opens one to which a line
    /// comes from the thing and one from which a line goes on to an end.
    fn opened_near(&self, change: &Change) -> Result<Option<Gates>, EvalFault> {
        let (position, rows, base) = (self.position, &self.known.rows, &*self.gates);
        let front = self.front();
        let comes = |place: &u32| rows.zone(position, *place).iter().any(|s| front.comes_to(*s));
        if !change.places(position.world).iter().any(comes) {
            return Ok(None);
        }
        let world = &mut self.known.world.borrow_mut();
        let felt = rows.after(position, (self.trace, self.thing), (change, world), base)?;
        if !felt.iter().any(|(space, row)| front.comes_to_opened(base, *space, row)) {
            return Ok(None);
        }
        let field = position.field(self.trace, self.thing)?;
        let goes_on = |space, row| goes_on_from_opened(self.rule(), &field, base, space, row);
        if !felt.iter().any(|(space, row)| goes_on(*space, row)) {
            return Ok(None);
        }
        let mut gates = base.clone();
        felt.iter().for_each(|(space, row)| row.write(&mut gates, *space));
        Ok(Some(gates))
    }

    /// A search among other gates or budgets than the thing has.
    pub fn search(&self, gates: &Gates, budgets: Vec<Option<u32>>) -> Field {
        Field::among(self.position, self.rule(), gates, Arc::clone(&self.enter), budgets)
    }

    fn front(&self) -> &Front {
        self.front.get_or_init(|| {
            let (rule, budgets) = (self.rule(), self.budgets.as_slice());
            let among = Among { rule, gates: &self.gates, enter: &self.enter, budgets };
            Front::of(self.position, &among, self.start)
        })
    }

    /// All spaces by their distance, then those that no link reaches.
    pub fn nearest(&self) -> &[u32] {
        self.nearest.get_or_init(|| {
            let map = self.position.map;
            let mut seen = vec![false; map.spaces.len()];
            let mut order = vec![self.start];
            seen[self.start as usize] = true;
            let mut at = 0;
            while let Some(space) = order.get(at).copied() {
                at += 1;
                for to in map.links.iter().flat_map(|l| l.of(space)) {
                    if !std::mem::replace(&mut seen[*to as usize], true) {
                        order.push(*to);
                    }
                }
            }
            order.extend((0u32..).zip(&seen).filter(|(_, s)| !**s).map(|(space, _)| space));
            order
        })
    }
}
