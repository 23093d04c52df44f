//! Many positions under two rulesets: only those questions are asked to which a change of the rules
//! can make a difference, traces of many positions together, and what decided is looked for only
//! where an answer flips.
//!
//! The slow and obvious twin is [`super::flips`], which asks everything of each position.

use std::cell::RefCell;
use std::rc::Rc;

use super::answers::{self, Answer, fits, of_spaces, viewers};
use super::case::{Case, Item, question};
use super::caused::{Cause, Turned};
use super::impact::{Asked, Flip, all_flips};
use super::inputs::Inputs;
use super::memo::{Memo, Turn};
use super::prepared::{Prepared, Together};
use super::rested::{Counted, Counting, reads_answers};
use super::suspects::Suspects;
use super::through::{alike, through};
use crate::ir::*;
use crate::kernel::Position;
use crate::report::all_of_kind;
use crate::world::{ThingRef, World};

/// A position under both rulesets, with its name.
pub type Both = (String, World, World);

/// Two rulesets that are asked of many positions.
pub struct Comparing<'r> {
    a: Prepared<'r>,
    b: Prepared<'r>,
    suspects: &'r Suspects<'r>,
    /// What the first asks, in its order, then what only the second asks.
    items: Vec<Item<'r>>,
    /// Whether a trace about spaces is asked otherwise by the second, so that all is compared by
    /// name.
    by_name: bool,
}

impl std::fmt::Debug for Comparing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Comparing").field("items", &self.items.len()).finish_non_exhaustive()
    }
}

impl<'r> Comparing<'r> {
    /// Prepares the comparison of two rulesets whose changes are known.
    #[must_use]
    pub fn new(a: &'r Ruleset, b: &'r Ruleset, suspects: &'r Suspects<'r>) -> Comparing<'r> {
        let of = |rules: &'r Ruleset, noun: &str, name: &str| {
            let same = |q: &(&str, &str, answers::Asked, KindId)| (q.0, q.1) == (noun, name);
            answers::questions(rules).find(same).map(|q| (q.2, q.3))
        };
        // What is measured between two things rests on more than names.
        let all = a.tabletop.is_some() || b.tabletop.is_some();
        let item = |noun, name| {
            let (was, now) = (of(a, noun, name), of(b, noun, name));
            let open = all || was.is_none() || now.is_none() || suspects.can_touch(name);
            let (first, second) = (was.filter(|_| open && !all), now);
            let through = first.zip(second).and_then(|((was, of), (now, to))| {
                // The same kind by name has the same things in both.
                let alike = kind_name(a, of) == kind_name(b, to);
                alike.then(|| through((a, b), (was, now), name, suspects))?
            });
            let (by_answers, memo) = match first.zip(second) {
                Some((was, now)) => (reads_answers((a, b), [was.0, now.0]), memo((a, b), was, now)),
                None => (false, None),
            };
            Item { noun, name, a: was, b: now, open, through, by_answers, memo }
        };
        let mut items: Vec<Item<'r>> =
            answers::questions(a).map(|(noun, name, ..)| item(noun, name)).collect();
        let more = answers::questions(b).filter(|(noun, name, ..)| of(a, noun, name).is_none());
        items.extend(more.map(|(noun, name, ..)| item(noun, name)));
        let by_name =
            items.iter().any(|item| match (about_spaces(a, item.a), about_spaces(b, item.b)) {
                (None, None) => false,
                (Some(was), Some(now)) => {
                    let kind = |rules: &'r Ruleset, trace: TraceId| {
                        let of = rules.traces.get(trace.index()).map_or(KindId::SPACE, |t| t.of);
                        kind_name(rules, of)
                    };
                    viewers(a, was) != viewers(b, now) || kind(a, was) != kind(b, now)
                }
                _ => true,
            });
        Comparing { a: Prepared::new(a), b: Prepared::new(b), suspects, items, by_name }
    }

    /// Compares the answers to some positions; none where either ruleset has no map for one.
    pub fn flips(&mut self, positions: &[Both]) -> Vec<Option<(Asked, Vec<Flip>)>> {
        let (before, after): (Vec<&World>, Vec<&World>) =
            positions.iter().map(|(_, before, after)| (before, after)).unzip();
        let open = |side: fn(&Item<'r>) -> Option<(answers::Asked, KindId)>, rules: &Ruleset| {
            let traces =
                self.items.iter().filter(|i| i.open).filter_map(|item| match side(item)? {
                    (answers::Asked::Trace(trace), of) if rules.top(of) == KindId::UNIT => {
                        Some(trace)
                    }
                    _ => None,
                });
            traces.collect::<Vec<TraceId>>()
        };
        let (traces_a, traces_b) = (open(|i| i.a, self.a.rules), open(|i| i.b, self.b.rules));
        let together = (self.a.together(&traces_a, &before), self.b.together(&traces_b, &after));
        let bears = |trace: &str| self.suspects.rows_bear_on(trace);
        let counting = [self.a.rules, self.b.rules].map(|rules| Counting::new(rules, bears));
        let rests = RefCell::new(counting.each_ref().map(Counted::new));
        let mut all = Vec::with_capacity(positions.len());
        for (at, (place, before, after)) in positions.iter().enumerate() {
            let (Some(before), Some(after)) = (self.a.position(before), self.b.position(after))
            else {
                all.push(None);
                continue;
            };
            all.push(Some(if self.by_name || !same_things(&before, &after) {
                all_flips(&before, &after, place, self.suspects)
            } else {
                let (before, after) = (&before, &after);
                let closed = self.closed(before, after, (&together, at));
                let flips = Vec::new();
                let (items, turned) = (self.items.as_slice(), RefCell::default());
                let (asked, rests) = (0, &rests);
                let mut case = Case {
                    items,
                    place,
                    before,
                    after,
                    at,
                    closed,
                    asked,
                    flips,
                    rests,
                    turned,
                    key: Vec::new(),
                };
                self.units(&mut case, &together);
                self.spaces(&mut case);
                self.only_after(&mut case, &together);
                let Case { asked, flips, .. } = case;
                let position = place.clone();
                (Asked { position, answers: asked, flips: flips.len() }, flips)
            }));
        }
        all
    }

    /// Of each question whether its answers to a position cannot differ; what traces answer is
    /// known there then.
    fn closed(
        &self,
        before: &Position<'_>,
        after: &Position<'_>,
        (together, at): (&(Together, Together), usize),
    ) -> Vec<bool> {
        for (position, all) in [(before, &together.0), (after, &together.1)] {
            for (trace, answers) in all {
                let answers = answers.get(at).and_then(|answers| answers.as_ref().ok());
                position.learn(*trace, answers.map_or(&[], Vec::as_slice));
            }
        }
        let alike = |through| alike((before, after), through, (together, at));
        self.items
            .iter()
            .map(|item| !item.open || item.through.as_ref().is_some_and(alike))
            .collect()
    }

    /// What the first ruleset asks of units and of the world.
    fn units(&self, case: &mut Case<'_, '_>, together: &(Together, Together)) {
        for thing in things(case.before) {
            for (nth, item) in self.items.iter().enumerate() {
                let Some((a, _)) = item.a.filter(|(_, kind)| fits(case.before, *kind, thing))
                else {
                    continue;
                };
                case.asked += 1;
                if case.closed.get(nth) == Some(&true) {
                    continue;
                }
                let b = item.b.filter(|(_, kind)| fits(case.after, *kind, thing));
                if let (Some((b, _)), Some(memo)) = (b, &item.memo) {
                    self.by_values(case, (item, memo), thing, (a, b));
                    continue;
                }
                let was = known_word(self.a.rules, a, thing, (&together.0, case.at));
                let now = |b| known_word(self.b.rules, b, thing, (&together.1, case.at));
                if was.is_some() && was == b.and_then(|(b, _)| now(b)) {
                    continue;
                }
                let was = answer(case.before, a, thing, (&together.0, case.at));
                let now = b.map(|(b, _)| answer(case.after, b, thing, (&together.1, case.at)));
                self.compare(case, item, thing, (Some(was), now));
            }
        }
    }

    /// A table or a test, asked once for all things that are alike in what it is worked out of.
    fn by_values(
        &self,
        case: &mut Case<'_, '_>,
        (item, memo): (&Item<'_>, &RefCell<Memo>),
        thing: ThingRef,
        (a, b): (answers::Asked, answers::Asked),
    ) {
        let positions = [case.before, case.after];
        let mut key = std::mem::take(&mut case.key);
        let is_key = memo.borrow().key(positions, thing, &mut key);
        let known = is_key.then(|| memo.borrow().get(&key)).flatten();
        if let Some(turn) = &known {
            if let Some(turn) = turn {
                let question = question(case, item, thing, None);
                let by =
                    |cause: &_| self.suspects.by((case.place, &question), cause, positions, case);
                let flip = turn.flip(case.place, &question, thing, by);
                case.flips.push(flip);
            }
        } else {
            let answer = |position, asked| Some(Answer::of(position, asked, thing, None));
            let both = (answer(case.before, a), answer(case.after, b));
            let cause = self.compare(case, item, thing, both);
            let turn = cause.map(|cause| Turn::of(case.flips.last()?, &cause, thing));
            if is_key && !matches!(turn, Some(None)) {
                memo.borrow_mut().keep(&key, turn.flatten().map(Rc::new));
            }
        }
        case.key = key;
    }

    /// What only the second ruleset asks of units and of the world.
    fn only_after(&self, case: &mut Case<'_, '_>, together: &(Together, Together)) {
        for thing in things(case.after) {
            for item in self.items.iter().filter(|item| item.open) {
                let before = item.a.is_some_and(|(_, kind)| fits(case.before, kind, thing));
                let after = item.b.filter(|(_, kind)| fits(case.after, *kind, thing));
                let Some((b, _)) = after.filter(|_| !before) else { continue };
                case.asked += 1;
                let now = answer(case.after, b, thing, (&together.1, case.at));
                self.compare(case, item, thing, (None, Some(now)));
            }
        }
    }

    /// The traces about spaces, which both ask alike.
    fn spaces(&self, case: &mut Case<'_, '_>) {
        for item in &self.items {
            let (Some(a), Some(b)) =
                (about_spaces(self.a.rules, item.a), about_spaces(self.b.rules, item.b))
            else {
                continue;
            };
            let kind = item.a.map_or(KindId::SPACE, |(_, kind)| kind);
            let spaces = all_of_kind(case.before, kind);
            case.asked += spaces.len() * viewers(self.a.rules, a).len();
            if !item.open {
                continue;
            }
            let of = |position, trace| of_spaces(position, trace, &spaces);
            let (was, now) = (of(case.before, a), of(case.after, b));
            for ((thing, viewer, was), (_, _, now)) in was.into_iter().zip(now) {
                let answer = |said, asked| Some(Answer { said, thing, viewer, asked });
                let (a, b) = (answers::Asked::Trace(a), answers::Asked::Trace(b));
                self.compare(case, item, thing, (answer(was, a), answer(now, b)));
            }
        }
    }

    fn compare(
        &self,
        case: &mut Case<'_, '_>,
        item: &Item<'_>,
        thing: ThingRef,
        (was, now): (Option<Answer>, Option<Answer>),
    ) -> Option<Cause> {
        if was.as_ref().map(|a| &a.said) == now.as_ref().map(|a| &a.said) {
            return None;
        }
        let viewer = was.as_ref().and_then(|a| a.viewer);
        let question = question(case, item, thing, viewer);
        let (before, after) = ((case.before, was.as_ref()), (case.after, now.as_ref()));
        let (flip, cause) = self.suspects.flip((case.place, &question), before, after, case);
        if let (Some((answers::Asked::Trace(a), _)), Some((answers::Asked::Trace(b), _))) =
            (item.a, item.b)
        {
            let turned = Turned { trace: (a, b), thing, side: viewer };
            case.turned.borrow_mut().insert(turned, flip.by.clone());
        }
        case.flips.push(flip);
        Some(cause)
    }
}

/// What is kept of a table or a test by the values that it is worked out of, if there are few.
fn memo(
    (a, b): (&Ruleset, &Ruleset),
    (was, of): (answers::Asked, KindId),
    (now, to): (answers::Asked, KindId),
) -> Option<RefCell<Memo>> {
    let inputs = [Inputs::of(a, was, of)?, Inputs::of(b, now, to)?];
    Some(RefCell::new(Memo::new(inputs)))
}

/// The answer to a question; of a trace of a unit it is there already, unless something could not
/// be worked out.
pub(super) fn answer(
    position: &Position<'_>,
    asked: answers::Asked,
    thing: ThingRef,
    known: (&Together, usize),
) -> Answer {
    let known = known_word(position.rules, asked, thing, known).map(str::to_owned);
    let said = known.unwrap_or_else(|| answers::said(position, asked, thing, None));
    Answer { said, thing, viewer: None, asked }
}

/// The answer of a trace of a unit, in its word, where traces were asked together.
fn known_word<'r>(
    rules: &'r Ruleset,
    asked: answers::Asked,
    thing: ThingRef,
    (together, at): (&Together, usize),
) -> Option<&'r str> {
    let answers::Asked::Trace(trace) = asked else { return None };
    let found = together.get(&trace)?.get(at)?.as_ref().ok()?;
    let nth = found.binary_search_by_key(&thing, |(thing, _)| *thing).ok()?;
    Some(answers::word(rules, trace, found.get(nth)?.1))
}

/// The units on the map, and the world.
pub(super) fn things(position: &Position<'_>) -> impl Iterator<Item = ThingRef> {
    let world = position.world;
    let units = (0u32..).take(world.units.len()).filter(|u| world.space_of(*u).is_some());
    units.map(ThingRef::Unit).chain([ThingRef::World])
}

fn kind_name(rules: &Ruleset, kind: KindId) -> Option<&str> {
    rules.kinds.get(kind.index()).map(|kind| kind.name.as_str())
}

/// The trace of a question about spaces.
fn about_spaces(rules: &Ruleset, asked: Option<(answers::Asked, KindId)>) -> Option<TraceId> {
    match asked? {
        (answers::Asked::Trace(trace), of) if rules.top(of) == KindId::SPACE => Some(trace),
        _ => None,
    }
}

/// Whether the same units and spaces stand in both positions in the same order.
pub(super) fn same_things(before: &Position<'_>, after: &Position<'_>) -> bool {
    let (a, b) = (before.world, after.world);
    let stands = |at: u32| a.space_of(at).is_some() == b.space_of(at).is_some();
    a.units.len() == b.units.len()
        && (0u32..).zip(a.units.iter().zip(&b.units)).all(|(at, (a, b))| a.id == b.id && stands(at))
        && before.map.spaces.iter().map(|s| &s.id).eq(after.map.spaces.iter().map(|s| &s.id))
}
