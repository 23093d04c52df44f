//! One position under two rulesets while it is compared, and a question that both are asked.

use std::cell::RefCell;

use indexmap::IndexMap;

use super::answers::{self, Answer, Question, space_asked};
use super::caused::Turned;
use super::impact::Flip;
use super::memo::Memo;
use super::rested::{Counted, Own, Rests, Rows};
use super::through::Through;
use crate::ir::*;
use crate::kernel::{Position, Value};
use crate::report::thing_name;
use crate::world::ThingRef;

/// One question under both rulesets.
pub(super) struct Item<'r> {
    pub noun: &'static str,
    pub name: &'r str,
    pub a: Option<(answers::Asked, KindId)>,
    pub b: Option<(answers::Asked, KindId)>,
    /// Whether the answers can differ.
    pub open: bool,
    /// The traces by whose answers alone they can; none where that is not known.
    pub through: Option<Through>,
    /// Whether it reads of traces their answers alone.
    pub by_answers: bool,
    /// What was found for the values that it is worked out of, where these are few.
    pub memo: Option<RefCell<Memo>>,
}

/// One position under both, while it is compared.
pub(super) struct Case<'c, 'p> {
    pub items: &'c [Item<'c>],
    pub place: &'c str,
    pub before: &'c Position<'p>,
    pub after: &'c Position<'p>,
    /// Its place among the positions that are asked together.
    pub at: usize,
    /// Of each question whether its answers cannot differ here.
    pub closed: Vec<bool>,
    pub asked: usize,
    pub flips: Vec<Flip>,
    pub rests: &'c RefCell<[Counted<'p>; 2]>,
    /// The changes by which answers of traces are others.
    pub turned: RefCell<IndexMap<Turned, Vec<String>>>,
    /// Room for the values of one question.
    pub key: Vec<Value>,
}

impl<'p> Rests for Case<'_, 'p> {
    fn rows(&self, which: usize, answer: &Answer) -> Option<Rows> {
        let of = [self.before, self.after];
        self.rests.borrow_mut().get_mut(which)?.rows(of.get(which)?, answer)
    }

    fn own(&self, which: usize, answer: &Answer) -> Option<Own> {
        let of = [self.before, self.after];
        self.rests.borrow_mut().get_mut(which)?.own(of.get(which)?, answer)
    }

    fn same_things(&self) -> bool {
        true
    }

    fn by_answers(&self, [was, now]: [answers::Asked; 2]) -> bool {
        let asked = |of: Option<(answers::Asked, KindId)>| of.map(|(asked, _)| asked);
        let same = |item: &&Item<'_>| (asked(item.a), asked(item.b)) == (Some(was), Some(now));
        self.items.iter().find(same).is_some_and(|item| item.by_answers)
    }

    fn by_trace(&self, turned: &Turned, work: &dyn Fn() -> Vec<String>) -> Vec<String> {
        if let Some(known) = self.turned.borrow().get(turned) {
            return known.clone();
        }
        let found = work();
        self.turned.borrow_mut().insert(*turned, found.clone());
        found
    }
}

/// A question of a thing, as a flip names it.
pub(super) fn question(
    case: &Case<'_, '_>,
    item: &Item<'_>,
    thing: ThingRef,
    viewer: Option<SideId>,
) -> Question {
    let of = match thing {
        ThingRef::Space(_) => space_asked(case.before, thing, viewer),
        _ => thing_name(case.before.rules, case.before.world, thing),
    };
    Question { noun: item.noun, name: item.name.to_owned(), of }
}
