//! Values of two things: what is stated of them, else what the ruleset works out or the table
//! measures.

use super::meter::Named;
use super::{Cx, EvalFault, Position, Value};
use crate::ir::{ExprId, PairRef, SideId, Type};
use crate::world::{Said, ThingRef};

impl Position<'_> {
    /// The value of a pair. Of what is not there, or cannot be a party, nothing is known.
    pub(super) fn pair(
        &self,
        node: ExprId,
        pair: PairRef,
        (from, to): (Option<ThingRef>, Option<ThingRef>),
        cx: &Cx,
    ) -> Result<Value, EvalFault> {
        let unknown =
            Value::unknown(matches!(self.rules.pair_type(pair), Some(Type::Number { .. })));
        let (Some(from), Some(to)) = (from, to) else { return Ok(unknown) };
        if let Some(said) = self.world.stated.of(pair, from, to) {
            return Ok(match said {
                Said::Truth(truth) => Value::Truth(truth),
                Said::Amount(amount) => Value::Number(amount),
            });
        }
        let id = match pair {
            PairRef::Measured(measure) => return self.measured(measure, from, to),
            PairRef::Own(id) => id,
        };
        let rule = &self.rules.pairs[id.index()];
        if !self.is_kind(from, rule.parties[0]) || !self.is_kind(to, rule.parties[1]) {
            return Ok(unknown);
        }
        let mut inner = Cx::of(self.viewer_of_two(from, to, cx.viewer), from).with(1, to);
        (inner.step, inner.found) = (cx.step, cx.found);
        self.named(node, Named::Pair(id), &inner, || self.value(rule.value, &inner))
    }

    /// Who asks of two things: the owner of the first unit among them, else whoever asked.
    fn viewer_of_two(
        &self,
        from: ThingRef,
        to: ThingRef,
        asking: Option<SideId>,
    ) -> Option<SideId> {
        match [from, to].into_iter().find(|t| matches!(t, ThingRef::Unit(_))) {
            Some(unit) => self.viewer_of(unit),
            None => asking.or_else(|| self.viewer_of(from)),
        }
    }
}
