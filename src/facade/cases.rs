//! The cases of a game, and what became of them.

use super::Game;
use crate::source::Span;
use crate::suite::{CaseRow, case_row, mistakes, run_case, run_mistake};
use serde::Serialize;

/// A case, or a mistake that the suite expects the checker to find.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CaseHead {
    /// Its title.
    pub name: String,
    /// The file it is written in.
    pub file: String,
    /// The line of its title.
    pub line: u32,
}

impl Game {
    /// The cases in the order of the files, those of mistakes last.
    #[must_use]
    pub fn cases(&self) -> Vec<CaseHead> {
        let sources = self.sources();
        let head = |name: &str, span: Span| CaseHead {
            name: name.to_owned(),
            file: sources.name(span.source).to_owned(),
            line: sources.line_col(span.source, span.start).line,
        };
        let cases = self.rules().cases.iter().map(|case| head(&case.title, case.span));
        let mistakes = mistakes(&self.inner().resolved);
        let mistakes = mistakes.map(|m| head(&m.title.text, m.title.span));
        cases.chain(mistakes).collect()
    }

    /// Runs a case, by its place in [`Game::cases`].
    #[must_use]
    pub fn run_case(&self, at: usize) -> Option<CaseRow> {
        let (rules, sources) = (self.rules(), self.sources());
        let outcome = match rules.cases.get(at) {
            Some(case) => run_case(rules, case, |span| sources.slice(span)),
            None => {
                let resolved = &self.inner().resolved;
                let mistake = mistakes(resolved).nth(at.checked_sub(rules.cases.len())?)?;
                run_mistake(resolved, mistake, sources)
            }
        };
        Some(case_row(outcome, sources))
    }
}
