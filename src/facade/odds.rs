//! The exact odds of tests.

use super::{Faults, Game, Position, Thing, names};
use crate::diag::{Diagnostic, code};
use crate::engine::odds::OddsFault;
use crate::report::{
    TestOdds, all_of_kind, id_of, odds_of_test, results, tested, tested_names, things_of_kind,
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
