//! Sentences that are given to a position from outside of the ruleset: checked as those of a case
//! are.

use super::scope::Objects;
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, has_errors};
use crate::ir::*;
use crate::source::{SourceMap, Span};
use crate::syntax::ast::CaseLine;

/// A ruleset with what sentences state behind it, each statement with its place.
pub type Given = (Ruleset, Vec<(State, Span)>);

/// What sentences state, each with its place, and the faults in them.
///
/// The things they can name are the spaces of a map and these units, in the order of the position.
/// The resolved items must have no error in them. The ruleset that comes back is the same with the
/// expressions of the sentences behind its own; only with it can the statements be worked out.
pub fn given(
    resolved: &Resolved,
    sources: &SourceMap,
    map: MapId,
    units: &[(String, KindId)],
    sentences: &[CaseLine],
) -> Result<Given, Vec<Diagnostic>> {
    let mut checker = Checker::new(resolved, sources);
    checker.run(resolved);
    checker.faults.clear();
    let mut objects = Objects { map: Some(map), ..Objects::default() };
    for (at, (id, kind)) in (0u32..).zip(units) {
        objects.units.insert(id.clone(), (at, *kind));
    }
    let mut states = Vec::new();
    for sentence in sentences {
        states.extend(checker.given_steps(sentence, &objects).into_iter().filter_map(|step| {
            match step.kind {
                CaseStepKind::State(state) => Some((state, step.span)),
                _ => None,
            }
        }));
    }
    if has_errors(&checker.faults) { Err(checker.faults) } else { Ok((checker.out, states)) }
}
