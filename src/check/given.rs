//! Sentences that are given to a position from outside of the ruleset: checked as those of a case
//! are.

use super::fold::written_out;
use super::scope::{Objects, Scope, Ty};
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code, has_errors};
use crate::ir::*;
use crate::source::{SourceMap, Span};
use crate::syntax::ast::{CaseLine, Expr};

/// A ruleset with what sentences state behind it, each statement with its place.
pub type Given = (Ruleset, Vec<(State, Span)>);

/// The checker of rules that have no error in them, behind all of them.
fn again<'s>(resolved: &'s Resolved, sources: &'s SourceMap) -> Checker<'s> {
    let mut checker = Checker::new(resolved, sources);
    checker.run(resolved);
    checker.faults.clear();
    checker
}

fn objects(map: MapId, units: &[(String, KindId)]) -> Objects {
    let mut objects = Objects { map: Some(map), ..Objects::default() };
    for (at, (id, kind)) in (0u32..).zip(units) {
        objects.units.insert(id.clone(), (at, *kind));
    }
    objects
}

/// What is asked from outside of a ruleset: the rules with the question behind their own
/// expressions, and whether it asks how things stand to the viewer.
pub struct Asked {
    /// The rules; only with these can it be worked out.
    pub rules: Ruleset,
    /// What is asked.
    pub asked: ExprId,
    /// Whether somebody has to ask it of what has no owner.
    pub viewed: bool,
    /// What it gives; nothing for `none`.
    pub ty: Option<Type>,
}

/// A question about each thing of a kind, or about the world; it can name the spaces of a map and
/// these units, in the order of the position. The resolved items must have no error in them.
pub fn asked(
    resolved: &Resolved,
    sources: &SourceMap,
    map: MapId,
    units: &[(String, KindId)],
    (of, question): (Option<KindId>, &Expr),
) -> Result<Asked, Vec<Diagnostic>> {
    let (written, _) = written_out(resolved, sources);
    let mut checker = again(written.as_ref().unwrap_or(resolved), sources);
    let objects = objects(map, units);
    checker.viewed = None;
    let scope = Scope { objects: Some(&objects), ..of.map_or_else(Scope::default, Scope::of) };
    let found = checker.expr(question, &scope, None);
    if matches!(found.ty, Ty::Rows(_)) {
        let message = "this names the rows of a list of tests, and no value";
        let fault = Diagnostic::error(code::E0302, question.span, message);
        checker.fault(fault.help("ask a define, a table, an attribute, a condition or an amount"));
    }
    checker.refuse_steps(vec![found.id]);
    let viewed = checker.viewed.is_some();
    if has_errors(&checker.faults) {
        return Err(checker.faults);
    }
    let ty = match found.ty {
        Ty::Of(ty) => Some(ty),
        _ => None,
    };
    Ok(Asked { rules: checker.out, asked: found.id, viewed, ty })
}

/// What is worked out of a thing from outside of a ruleset.
pub struct Wanted<'e> {
    /// The kind of the thing, behind those of the things around it.
    pub kinds: Vec<KindId>,
    /// What is worked out.
    pub expr: &'e Expr,
    /// Whether it is a condition, and else an amount.
    pub condition: bool,
}

/// Several of them, as [`asked`] reads one: the rules with all of them behind their own
/// expressions.
pub fn all_asked(
    (resolved, sources): (&Resolved, &SourceMap),
    map: MapId,
    units: &[(String, KindId)],
    wanted: &[Wanted<'_>],
) -> Result<(Ruleset, Vec<ExprId>), Vec<Diagnostic>> {
    let (written, _) = written_out(resolved, sources);
    let mut checker = again(written.as_ref().unwrap_or(resolved), sources);
    let objects = objects(map, units);
    let mut found = Vec::new();
    for Wanted { kinds, expr, condition } in wanted {
        let (levels, objects) = (kinds.clone(), Some(&objects));
        let scope = Scope { levels, objects, ..Scope::default() };
        found.push(match condition {
            true => checker.truth(expr, &scope),
            false => checker.amount(expr, &scope, None).id,
        });
    }
    checker.refuse_steps(found.clone());
    if has_errors(&checker.faults) { Err(checker.faults) } else { Ok((checker.out, found)) }
}

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
    let (written, _) = written_out(resolved, sources);
    let mut checker = again(written.as_ref().unwrap_or(resolved), sources);
    let objects = objects(map, units);
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
