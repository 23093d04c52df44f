//! Which outcomes later steps still read: what nobody reads again makes no state another one.

use super::plan::Op;
use crate::ir::*;

/// What nobody reads again.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// Tests by their outcomes.
    pub tests: Vec<TestId>,
    /// Lists of tests by where they stopped.
    pub lists: Vec<TableId>,
}

/// What none of these steps reads of rolls.
pub(super) fn unread(rules: &Ruleset, plan: &[Op]) -> Unread {
    let mut reader = Reader::new(rules);
    plan.iter().filter_map(|op| op.step(rules)).for_each(|step| reader.step(step));
    plan.iter().filter_map(|op| op.when(rules)).for_each(|when| reader.expr(when));
    if reader.anything {
        return Unread::default();
    }
    let lists = (0..rules.tables.len())
        .map(TableId::at)
        .filter(|list| rules.tables[list.index()].policy == Policy::All);
    Unread {
        tests: (0..rules.tests.len())
            .map(TestId::at)
            .filter(|test| !reader.outcomes.contains(test))
            .collect(),
        lists: lists.filter(|list| !reader.stops.contains(list)).collect(),
    }
}

/// The steps that read what a test, or a list of tests, has come to; in the order of the phases.
#[must_use]
pub fn readers(rules: &Ruleset, test: Option<TestId>, list: Option<TableId>) -> Vec<LineId> {
    let steps = rules.phases.iter().flat_map(|phase| &phase.steps);
    let reads = |step: &&Step| {
        let mut reader = Reader::new(rules);
        reader.step(step);
        test.is_some_and(|test| reader.outcomes.contains(&test))
            || list.is_some_and(|list| reader.stops.contains(&list))
    };
    steps.filter(reads).map(|step| step.line).collect()
}

/// Which outcomes are read.
struct Reader<'r> {
    rules: &'r Ruleset,
    outcomes: Vec<TestId>,
    stops: Vec<TableId>,
    /// Whether something is read whose reads are not followed.
    anything: bool,
    /// What has been read once.
    bodies: Vec<Part>,
}

impl<'r> Reader<'r> {
    fn new(rules: &'r Ruleset) -> Reader<'r> {
        Reader {
            rules,
            outcomes: Vec::new(),
            stops: Vec::new(),
            anything: false,
            bodies: Vec::new(),
        }
    }

    fn step(&mut self, step: &Step) {
        if let Some(things) = step.things {
            self.things(things);
        }
        match &step.effect {
            Effect::Mark(_) | Effect::Remove => {}
            Effect::Clear(_, of) => self.expr(*of),
            Effect::Relate(_, a, b) => {
                self.expr(*a);
                self.expr(*b);
            }
            Effect::Set(_, of, value) | Effect::Change { of, by: value, .. } => {
                self.expr(*of);
                self.expr(*value);
            }
            Effect::Roll { test, .. } => self.test(*test),
            Effect::RollList { table, .. } => {
                self.body(Part::Table(*table));
                self.rules.tables[table.index()].tests.iter().for_each(|test| self.test(*test));
            }
            Effect::Judge(_) | Effect::Move(_) | Effect::Follow { .. } | Effect::Place(_) => {
                self.anything = true;
            }
        }
    }

    fn test(&mut self, test: TestId) {
        let rule = &self.rules.tests[test.index()];
        rule.plus
            .iter()
            .chain(rule.rows.iter().filter_map(|r| r.0.as_ref()))
            .for_each(|e| self.expr(*e));
        if let Some(retry) = &rule.retry {
            retry
                .at_most
                .iter()
                .chain(retry.spending.iter().map(|(_, of)| of))
                .for_each(|e| self.expr(*e));
            // Its own outcome is the one just found, and no reading of an earlier one.
            let own = self.outcomes.contains(&test);
            self.expr(retry.when);
            if !own {
                self.outcomes.retain(|t| *t != test);
            }
        }
    }

    fn things(&mut self, id: ThingsId) {
        let mut parts = Vec::new();
        self.rules.for_each_part_of_things(id, &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.part(part));
    }

    fn body(&mut self, of: Part) {
        if !self.bodies.contains(&of) {
            self.bodies.push(of);
            self.rules.expressions_of(of).into_iter().for_each(|e| self.expr(e));
        }
    }

    fn expr(&mut self, id: ExprId) {
        let rules = self.rules;
        match rules.node(id) {
            Node::Outcome(test, of) => {
                self.expr(*of);
                self.outcomes.push(*test);
            }
            Node::Stopped(list, of) => {
                self.expr(*of);
                self.stops.push(*list);
            }
            // What a step or a chance reads is not followed.
            Node::Chance(..) | Node::OverStep(_) | Node::StepEnd(_) | Node::LinkEnd(..) => {
                self.anything = true
            }
            node => {
                let mut parts = Vec::new();
                rules.for_each_part(node, &mut |part| parts.push(part));
                parts.into_iter().for_each(|part| self.part(part));
            }
        }
    }

    fn part(&mut self, part: Part) {
        match part {
            Part::Expr(id) => self.expr(id),
            Part::Define(_) | Part::Table(_) | Part::Pair(_) => self.body(part),
            // A trace may read anything through its gates.
            Part::Hook(_) | Part::Trace(_) | Part::Test(_) | Part::Choice(_) => {
                self.anything = true
            }
        }
    }
}
