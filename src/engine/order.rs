//! Orders: what players take of what is offered to them.

#[cfg(feature = "play")]
use std::sync::Arc;

#[cfg(feature = "play")]
use super::drawing::Drawing;
#[cfg(feature = "play")]
use super::{Asks, Leaning};
use super::{RunFault, Ways};
use crate::ir::*;
use crate::kernel::{Cx, EvalFault, Position};
use crate::map::Stand;
use crate::world::{ThingRef, World};

/// What a player has one thing do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// Who is ordered.
    pub thing: ThingRef,
    /// What to do.
    pub deed: Deed,
    /// In which phase; in the first that offers it, if nothing is said.
    pub phase: Option<PhaseId>,
}

/// One way of doing what is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// set a mark
    Mark(FactId),
    /// clear a fact
    Clear(FactId),
    /// leave the map
    Remove,
    /// set or change a fact
    Change(FactId),
    /// follow a trace to a space
    Follow(TraceId, u32),
    /// go to a space
    Move(u32),
    /// choose a thing
    Choose(ChoiceId, ThingRef),
    /// be laid anew; where, if there are several places
    Place(PlacementWord, Option<Stand>),
}

impl Order {
    /// The lines of the rules that offer such a deed, to whomever: one that was not taken was not
    /// among their ways.
    #[must_use]
    pub fn offered_by(&self, rules: &Ruleset) -> Vec<LineId> {
        let phases = (0usize..).zip(&rules.phases);
        let of = phases.filter(|(at, _)| self.phase.is_none_or(|p| p.index() == *at));
        let steps = of.flat_map(|(_, phase)| &phase.steps);
        steps.filter(|step| self.deed.is_of(step)).map(|step| step.line).collect()
    }
}

impl Deed {
    /// Whether a step offers such a deed.
    fn is_of(self, step: &Step) -> bool {
        match self {
            Deed::Choose(choice, _) => step.choice.is_some_and(|(of, _)| of == choice),
            _ if step.mode == Mode::Do => false,
            Deed::Mark(fact) => matches!(step.effect, Effect::Mark(of) if of == fact),
            Deed::Clear(fact) => matches!(step.effect, Effect::Clear(of, _) if of == fact),
            Deed::Remove => matches!(step.effect, Effect::Remove),
            Deed::Change(fact) => matches!(
                step.effect,
                Effect::Set(of, ..) | Effect::Change { fact: of, .. } if of == fact
            ),
            Deed::Follow(trace, _) => {
                matches!(step.effect, Effect::Follow { trace: of, .. } if of == trace)
            }
            Deed::Move(_) => matches!(step.effect, Effect::Move(_)),
            Deed::Place(word, _) => {
                matches!(&step.effect, Effect::Place(of) if of.word() == word)
            }
        }
    }

    /// The thing that is chosen, where one is.
    #[must_use]
    pub fn chosen(self) -> Option<ThingRef> {
        match self {
            Deed::Choose(_, thing) => Some(thing),
            _ => None,
        }
    }
}

/// Orders that wait to be taken, each once, in the order in which they were given.
#[derive(Debug, Clone, Default)]
pub struct Orders {
    waiting: Vec<Order>,
    first_way: bool,
    /// Draws what nobody has ordered.
    #[cfg(feature = "play")]
    drawing: Option<Drawing>,
}

impl Orders {
    /// No orders: what may be done is left, what must be done stays open.
    #[must_use]
    pub fn none() -> Orders {
        Orders::default()
    }

    /// No orders, and where something must be done the first lawful way is taken: for programs that
    /// play by themselves.
    #[must_use]
    pub fn first_way() -> Orders {
        Orders { first_way: true, ..Orders::default() }
    }

    /// No orders, and each offer is taken or left with equal chance, in any of its ways with equal
    /// chance: for programs that play at random.
    #[cfg(feature = "play")]
    #[must_use]
    pub fn drawn(seed: u64) -> Orders {
        Orders { drawing: Some(Drawing::new(seed, None)), ..Orders::default() }
    }

    /// The same by one who leans to what the rows say.
    #[cfg(feature = "play")]
    #[must_use]
    pub fn leaning(seed: u64, leaning: Arc<Leaning>) -> Orders {
        Orders { drawing: Some(Drawing::new(seed, Some(leaning))), ..Orders::default() }
    }

    /// No orders, and somebody is asked at each offer.
    #[cfg(feature = "play")]
    #[must_use]
    pub fn asked(asks: Asks) -> Orders {
        Orders { drawing: Some(Drawing::asked(asks)), ..Orders::default() }
    }

    /// What was drawn since this was asked last: the orders that give the same game.
    #[cfg(feature = "play")]
    pub fn take_drawn(&mut self) -> Vec<Order> {
        self.drawing.as_mut().map_or_else(Vec::new, Drawing::take)
    }

    /// Gives an order.
    pub fn give(&mut self, order: Order) {
        self.waiting.push(order);
    }

    /// The orders that nothing has taken so far.
    #[must_use]
    pub fn waiting(&self) -> &[Order] {
        &self.waiting
    }

    /// Takes the first order for a thing that is one of its ways.
    pub(super) fn take(&mut self, thing: ThingRef, ways: &Ways, phase: PhaseId) -> Option<Deed> {
        if self.waiting.is_empty() {
            return None;
        }
        let deeds = ways.deeds();
        // Where there is one place only, an order need not say which.
        let meant = |deed: Deed| match (deed, deeds.as_slice()) {
            (Deed::Place(word, None), [one @ Deed::Place(offered, _)]) if word == *offered => {
                Some(*one)
            }
            _ => deeds.contains(&deed).then_some(deed),
        };
        let of_this = |o: &Order| o.thing == thing && o.phase.is_none_or(|p| p == phase);
        let (at, deed) = self
            .waiting
            .iter()
            .enumerate()
            .filter(|(_, o)| of_this(o))
            .find_map(|(at, o)| Some((at, meant(o.deed)?)))?;
        self.waiting.remove(at);
        Some(deed)
    }

    /// What chance takes of what is offered, where a program plays at random.
    #[cfg(feature = "play")]
    pub(super) fn draw(
        &mut self,
        asked: (&Position<'_>, &Cx),
        of: (ThingRef, PhaseId),
        ways: &Ways,
        mode: Mode,
    ) -> Result<Option<Deed>, EvalFault> {
        match self.drawing.as_mut() {
            Some(drawing) => drawing.draw(asked, of, ways, mode),
            None => Ok(None),
        }
    }

    /// Only programs that play many games decide by themselves.
    #[cfg(not(feature = "play"))]
    pub(super) fn draw(
        &mut self,
        _: (&Position<'_>, &Cx),
        _: (ThingRef, PhaseId),
        _: &Ways,
        _: Mode,
    ) -> Result<Option<Deed>, EvalFault> {
        Ok(None)
    }

    /// What is done where nobody has given an order: the first way of what must be, if a program
    /// plays by itself.
    pub(super) fn by_itself(&self, ways: &Ways, mode: Mode) -> Option<Deed> {
        if self.first_way && mode != Mode::May { ways.deeds().first().copied() } else { None }
    }
}

impl Ways {
    /// All ways, one deed each, in the order of the position.
    #[must_use]
    pub fn deeds(&self) -> Vec<Deed> {
        match self {
            Ways::Mark(fact) => vec![Deed::Mark(*fact)],
            Ways::Clear(fact) => vec![Deed::Clear(*fact)],
            Ways::Remove => vec![Deed::Remove],
            Ways::Change(fact) => vec![Deed::Change(*fact)],
            Ways::Follow(trace, march) => {
                march.ends.iter().map(|end| Deed::Follow(*trace, *end)).collect()
            }
            Ways::Move(spaces) => spaces.iter().map(|space| Deed::Move(*space)).collect(),
            Ways::Place(word, stands) => {
                stands.iter().map(|stand| Deed::Place(*word, Some(*stand))).collect()
            }
            Ways::Choose(choice, things) => {
                things.iter().map(|thing| Deed::Choose(*choice, *thing)).collect()
            }
        }
    }

    /// The one way there is, where there is only one.
    pub(super) fn only(&self) -> Option<Deed> {
        match self.deeds().as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// An order of a case, its things worked out as the position stands; none if one of them is not
/// there.
pub fn ordered(
    rules: &Ruleset,
    world: &World,
    subject: ExprId,
    deed: &OrderedDeed,
) -> Result<Option<Order>, RunFault> {
    let Some(position) = Position::new(rules, world) else { return Ok(None) };
    let cx = Cx::world(world.viewer);
    let thing = |id: ExprId| position.value(id, &cx).map(crate::kernel::Value::thing);
    let space = |id: ExprId| {
        thing(id).map(|found| match found {
            Some(ThingRef::Space(space)) => Some(space),
            _ => None,
        })
    };
    let deed = match deed {
        OrderedDeed::Mark(fact) => Some(Deed::Mark(*fact)),
        OrderedDeed::Clear(fact) => Some(Deed::Clear(*fact)),
        OrderedDeed::Change(fact) => Some(Deed::Change(*fact)),
        OrderedDeed::Remove => Some(Deed::Remove),
        OrderedDeed::Place(word, stand) => Some(Deed::Place(*word, *stand)),
        OrderedDeed::Follow(trace, to) => space(*to)?.map(|to| Deed::Follow(*trace, to)),
        OrderedDeed::Move(to) => space(*to)?.map(Deed::Move),
        OrderedDeed::Choose(choice, is) => thing(*is)?.map(|is| Deed::Choose(*choice, is)),
    };
    Ok(thing(subject)?.zip(deed).map(|(thing, deed)| Order { thing, deed, phase: None }))
}
