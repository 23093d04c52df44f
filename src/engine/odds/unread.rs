//! Which outcomes later steps still read: what nobody reads again makes no state another one.

use super::alone::table_parts;
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
    if reader.anything {
        return Unread::default();
    }
    let lists = (0..rules.tables.len()).map(TableId::at).filter(|list| rules.tables[list.index()].policy == Policy::All);
    Unread {
        tests: (0..rules.tests.len()).map(TestId::at).filter(|test| !reader.outcomes.contains(test)).collect(),
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
        test.is_some_and(|test| reader.outcomes.contains(&test)) || list.is_some_and(|list| reader.stops.contains(&list))
    };
    steps.filter(reads).map(|step| step.line).collect()
}

/// What has a body that is read once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Define(DefineId),
    Table(TableId),
    Pair(PairId),
}

/// Which outcomes are read.
struct Reader<'r> {
    rules: &'r Ruleset,
    outcomes: Vec<TestId>,
    stops: Vec<TableId>,
    /// Whether something is read whose reads are not followed.
    anything: bool,
    bodies: Vec<Body>,
}

impl<'r> Reader<'r> {
    fn new(rules: &'r Ruleset) -> Reader<'r> {
        Reader { rules, outcomes: Vec::new(), stops: Vec::new(), anything: false, bodies: Vec::new() }
    }

    fn step(&mut self, step: &Step) {
        if let Some(things) = step.things {
            self.things(things, None);
        }
        match &step.effect {
            Effect::Mark(_) | Effect::Remove => {}
            Effect::Clear(_, of) => self.expr(*of),
            Effect::Set(_, of, value) | Effect::Change { of, by: value, .. } => {
                self.expr(*of);
                self.expr(*value);
            }
            Effect::Roll { test, .. } => self.test(*test),
            Effect::RollList { table, .. } => {
                self.body(Body::Table(*table), &table_parts(&self.rules.tables[table.index()]));
                self.rules.tables[table.index()].tests.iter().for_each(|test| self.test(*test));
            }
            _ => self.anything = true,
        }
    }

    fn test(&mut self, test: TestId) {
        let rule = &self.rules.tests[test.index()];
        rule.plus.iter().chain(rule.rows.iter().filter_map(|r| r.0.as_ref())).for_each(|e| self.expr(*e));
        if let Some(retry) = &rule.retry {
            retry.at_most.iter().chain(retry.spending.iter().map(|(_, of)| of)).for_each(|e| self.expr(*e));
            // Its own outcome is the one just found, and no reading of an earlier one.
            let own = self.outcomes.contains(&test);
            self.expr(retry.when);
            if !own {
                self.outcomes.retain(|t| *t != test);
            }
        }
    }

    fn things(&mut self, id: ThingsId, value: Option<ExprId>) {
        let things = &self.rules.things[id.index()];
        if let Place::In(of) | Place::Adjacent(of, _) | Place::AdjacentNotOver(of, _) | Place::Within(_, of, _) = &things.place {
            self.expr(*of);
        }
        things.condition.iter().chain(&value).for_each(|e| self.expr(*e));
    }

    fn body(&mut self, of: Body, parts: &[ExprId]) {
        if !self.bodies.contains(&of) {
            self.bodies.push(of);
            parts.iter().for_each(|e| self.expr(*e));
        }
    }

    fn expr(&mut self, id: ExprId) {
        let rules = self.rules;
        match rules.node(id) {
            Node::Nothing | Node::Truth(_) | Node::Number { .. } | Node::Word(..) | Node::NoThing | Node::Unit(_) | Node::Space(_) => {}
            Node::SpaceCalled(_) | Node::Side(_) | Node::Viewer | Node::Subject(_) | Node::Ruling(_) | Node::WorldFact(_) => {}
            Node::Total | Node::Natural => {}
            Node::Fact(_, of) | Node::Removed(of) | Node::IsKind(of, _) | Node::Not(of) | Node::Rounded(_, of) | Node::Stands(of, _) => {
                self.expr(*of);
            }
            Node::Define(define, of) => {
                of.iter().for_each(|of| self.expr(*of));
                self.body(Body::Define(*define), &[rules.defines[define.index()].value]);
            }
            Node::Table(table, _, of) => {
                of.iter().for_each(|of| self.expr(*of));
                self.body(Body::Table(*table), &table_parts(&rules.tables[table.index()]));
            }
            Node::Pair(pair, a, b) => {
                self.expr(*a);
                self.expr(*b);
                if let PairRef::Own(pair) = pair {
                    self.body(Body::Pair(*pair), &[rules.pairs[pair.index()].value]);
                }
            }
            Node::Outcome(test, of) => {
                self.expr(*of);
                self.outcomes.push(*test);
            }
            Node::Stopped(list, of) => {
                self.expr(*of);
                self.stops.push(*list);
            }
            Node::Listed(list, of, _) => {
                self.expr(*of);
                self.body(Body::Table(*list), &table_parts(&rules.tables[list.index()]));
            }
            Node::Sides { left, right, .. } | Node::Same(left, right) | Node::Compare(left, _, right) => {
                self.expr(*left);
                self.expr(*right);
            }
            Node::Arithmetic(left, _, right) | Node::Extreme { left, right, .. } => {
                self.expr(*left);
                self.expr(*right);
            }
            Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|p| self.expr(*p)),
            Node::Any(things) | Node::Only(things) | Node::Count(things) => self.things(*things, None),
            Node::Aggregate(_, value, things) => self.things(*things, Some(*value)),
            // A trace may read anything through its gates.
            _ => self.anything = true,
        }
    }
}
