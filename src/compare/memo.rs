//! What was found for the values that a table or a test is worked out of, so that it is asked once
//! for all things and positions that are alike in them.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::answers::Question;
use super::caused::{Cause, Turned};
use super::impact::Flip;
use super::inputs::Inputs;
use crate::kernel::{Amount, Position, Value};
use crate::world::ThingRef;

/// Values that are kept at once, at most.
const MOST: usize = 1 << 16;

/// What was found, by the values under both rulesets; nothing where both answer the same.
pub(super) struct Memo {
    inputs: [Inputs; 2],
    known: IndexMap<Vec<Value>, Option<Rc<Turn>>, FxBuildHasher>,
}

/// An answer that is another, without where and of what it was asked.
pub(super) struct Turn {
    flip: Flip,
    cause: Cause,
}

impl Memo {
    pub(super) fn new(inputs: [Inputs; 2]) -> Memo {
        Memo { inputs, known: IndexMap::default() }
    }

    /// The values of a question of a thing; none where one cannot be worked out.
    pub(super) fn key(
        &self,
        positions: [&Position<'_>; 2],
        thing: ThingRef,
        key: &mut Vec<Value>,
    ) -> bool {
        key.clear();
        self.inputs.iter().zip(positions).all(|(inputs, position)| {
            // Labels are found on the map.
            let map = i64::try_from(position.world.map.index()).unwrap_or(i64::MAX);
            key.push(Value::Number(Amount::from_integer(map)));
            inputs.read(position, thing, key)
        })
    }

    /// What was found for these values.
    pub(super) fn get(&self, key: &[Value]) -> Option<Option<Rc<Turn>>> {
        self.known.get(key).cloned()
    }

    pub(super) fn keep(&mut self, key: &[Value], turn: Option<Rc<Turn>>) {
        if self.known.len() == MOST {
            self.known.clear();
        }
        self.known.insert(key.to_vec(), turn);
    }
}

impl Turn {
    /// What stays of a flip where another thing is alike in all values; none where it may rest on
    /// more than these.
    pub(super) fn of(flip: &Flip, cause: &Cause, thing: ThingRef) -> Option<Turn> {
        let own = |turned: &Turned| turned.thing == thing && turned.side.is_none();
        (cause.of_inputs && cause.turned.iter().all(own)).then(|| {
            let (position, of, by) = Default::default();
            Turn { flip: Flip { position, of, by, ..flip.clone() }, cause: cause.clone() }
        })
    }

    /// The flip of a thing that is alike in all values; `by` finds the changes of its cause.
    pub(super) fn flip(
        &self,
        place: &str,
        question: &Question,
        thing: ThingRef,
        by: impl FnOnce(&Cause) -> Vec<String>,
    ) -> Flip {
        let mut cause = self.cause.clone();
        cause.turned.iter_mut().for_each(|turned| turned.thing = thing);
        let (position, of) = (place.to_owned(), question.of.clone());
        Flip { position, of, by: by(&cause), ..self.flip.clone() }
    }
}
