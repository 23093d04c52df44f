//! The exact odds of tests.

use super::{Columns, Faults, Game, Position, Thing, names};
use crate::diag::{Diagnostic, code};
use crate::engine::odds::OddsFault;
use crate::ir::{ExprId, Node, Part, Ruleset, TestId};
use crate::kernel;
use crate::kernel::column::{Program, What};
use crate::report::{
    TestOdds, Tested, all_of_kind, id_of, odds_of_test, results, tested, tested_names,
    things_of_kind,
};
use crate::world::ThingRef;

impl Game {
    /// The names of its tests, and of its lists of tests.
    pub fn tests(&self) -> impl Iterator<Item = &str> + Clone {
        tested_names(self.rules())
    }
}

impl Game {
    /// All that can come of a test, or of a list of tests, as its odds call it.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such test.
    pub(crate) fn results(&self, test: &str) -> Result<Vec<String>, Faults> {
        names::place("test", test, self.tests())?;
        let found = tested(self.rules(), test);
        Ok(found.map_or_else(Vec::new, |(tested, _)| results(self.rules(), tested)))
    }
}

impl Position {
    /// The ids of all that a test is about, also where it stands nowhere.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such test.
    pub(crate) fn tested(&self, test: &str) -> Result<Vec<String>, Faults> {
        names::place("test", test, self.game().tests())?;
        self.with(|position| {
            let Some((_, kind)) = tested(position.rules, test) else { return Ok(Vec::new()) };
            let all = all_of_kind(position, kind);
            Ok(all.into_iter().map(|thing| id_of(position, thing)).collect())
        })
    }

    /// The way to the odds of a test by columns, for positions that are like this one: wherever all
    /// programs come to the same, the odds are the same. None for a list of tests, and where more
    /// counts than dice and facts of the thing itself.
    pub(crate) fn odds_columns(&self, test: &str) -> Option<Columns> {
        let rules = self.game().rules();
        let (Tested::Test(id), kind) = tested(rules, test)? else { return None };
        let rule = rules.tests.get(id.index())?;
        // What a retry spends may be of anybody.
        if rule.retry.as_ref().is_some_and(|retry| retry.spending.is_some()) {
            return None;
        }
        let when = rule.retry.as_ref().map(|retry| retry.when);
        let mut programs = Vec::new();
        for part in rule.parts() {
            // There, and there alone, the outcome of the test is that of the roll just made.
            let own = Some(id).filter(|_| Some(part) == when);
            without_dice(rules, (part, own), &mut programs)?;
        }
        let position = kernel::Position::new(rules, self.world())?;
        Columns::new(rules, self, programs, all_of_kind(&position, kind))
    }

    /// The unit or space of an id.
    pub(crate) fn thing_called(&self, id: &str) -> Option<Thing> {
        let unit = self.unit(id).map(Thing::from);
        unit.or_else(|_| self.space(id).map(Thing::from)).ok()
    }

    /// Whether a test can be asked of a thing of its kind that stands in no space.
    pub(crate) fn is_tested_off_map(&self, thing: Thing) -> bool {
        match thing {
            Thing::Unit(unit) => self.world().stand(unit.0).is_some(),
            Thing::Space(_) => true,
        }
    }

    /// What a test, or where a list of tests, can come to for each of these things; for all that it
    /// is about, if none is named.
    ///
    /// # Errors
    ///
    /// E1052 where there is no such test, or a thing is not of its kind; what cannot be worked out.
    pub fn odds(&self, test: &str, of: &[Thing]) -> Result<TestOdds, Faults> {
        names::place("test", test, self.game().tests())?;
        let found = self.with(|position| {
            let Some((test, kind)) = tested(position.rules, test) else { return Ok(Ok(None)) };
            let mut things: Vec<ThingRef> = of.iter().map(|thing| thing.inner()).collect();
            if things.iter().any(|thing| !position.is_kind(*thing, kind)) {
                return Ok(Ok(None));
            }
            if things.is_empty() {
                things = things_of_kind(position, kind);
            }
            match odds_of_test(position, test, &things) {
                Err(OddsFault::Eval(fault)) => Err(fault),
                other => Ok(other.map(Some)),
            }
        })?;
        match found {
            Ok(Some(odds)) => Ok(odds),
            Ok(None) => {
                let message = format!("`{test}` is no test of all these things");
                Err(names::absent(&message, "name things of its own kind, or none"))
            }
            Err(fault) => {
                let fault = Diagnostic::bare(code::E1011, fault.to_string());
                Err(Faults::bare(fault.help("the list has too many rolls to follow all of them")))
            }
        }
    }
}

/// Finds the largest parts of an expression that read no dice; nothing where one of them reads more
/// than facts of its thing.
fn without_dice(
    rules: &Ruleset,
    (id, own): (ExprId, Option<TestId>),
    programs: &mut Vec<Program>,
) -> Option<()> {
    if let Ok(program) = Program::compile(rules, What::Expression(id)) {
        if !program.reads().is_empty() || !program.constants().is_empty() {
            programs.push(program);
        }
        return Some(());
    }
    match rules.node(id) {
        Node::Total | Node::Natural => Some(()),
        Node::Outcome(test, of) if Some(*test) == own && *rules.node(*of) == Node::Subject(0) => {
            Some(())
        }
        node @ (Node::And(_)
        | Node::Or(_)
        | Node::Not(_)
        | Node::Same(..)
        | Node::Compare(..)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Extreme { .. }) => {
            let mut parts = Vec::new();
            rules.for_each_part(node, &mut |part| {
                if let Part::Expr(part) = part {
                    parts.push(part);
                }
            });
            parts.into_iter().try_for_each(|part| without_dice(rules, (part, own), programs))
        }
        _ => None,
    }
}
