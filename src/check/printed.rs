//! Sources and relays that no space of any map can be, by what is printed there and never changes.
//!
//! Always on the safe side: what may change, or is not looked into, may hold.

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::map::Space;

/// Nodes that are looked at for one space, at most; beyond, a condition may hold.
const MOST_LOOKED_AT: u32 = 4096;

impl Checker<'_> {
    /// Reports sources and relays that are on no map.
    pub(super) fn sources_on_no_map(&mut self) {
        let rules = &self.out;
        if rules.maps.is_empty() || self.holes || crate::diag::has_errors(&self.faults) {
            return;
        }
        let changed = changed(rules);
        let mut found = Vec::new();
        for trace in &rules.traces {
            let sources = trace
                .sources
                .iter()
                .map(|s| ("source", s))
                .chain(trace.relays.iter().map(|s| ("relay", s)));
            for (noun, source) in sources {
                let mut spaces = rules.maps.iter().flat_map(|map| &map.spaces);
                let bars = |space| {
                    Printed { rules, changed: &changed, space, left: MOST_LOOKED_AT }
                        .truth(source.when, 1)
                        == Some(false)
                };
                if spaces.all(bars) {
                    let span = rules
                        .lines
                        .get(source.line.index())
                        .map(|line| line.span)
                        .unwrap_or_default();
                    found.push((
                        span,
                        format!("no space of any map can be the {noun} `{}`", source.name),
                    ));
                }
            }
        }
        for (span, message) in found {
            let fault = Diagnostic::warning(code::W0417, span, message);
            self.fault(
                fault
                    .help("give a space what it asks for, fix the condition, or take the line out"),
            );
        }
    }
}

/// For each fact whether a step, a setup or a case changes it.
fn changed(rules: &Ruleset) -> Vec<bool> {
    let in_cases = rules.cases.iter().flat_map(|case| &case.steps).filter_map(CaseStep::state);
    let states = rules.setups.iter().flat_map(|setup| &setup.facts).chain(in_cases);
    let mut changed = rules.changed_by_steps();
    for (fact, changed) in rules.facts.iter().zip(&mut changed) {
        *changed |= fact.origin != FactOrigin::Attribute;
    }
    for fact in states.filter_map(State::fact) {
        changed.iter_mut().skip(fact.index()).take(1).for_each(|c| *c = true);
    }
    changed
}

/// Whether a condition holds of a space as it is printed, where these facts may change; nothing where
/// it asks more than what is printed.
pub(super) fn holds(
    rules: &Ruleset,
    changed: &[bool],
    space: &Space,
    (condition, level): (ExprId, u8),
) -> Option<bool> {
    Printed { rules, changed, space, left: MOST_LOOKED_AT }.truth(condition, level)
}

/// What is printed of one space.
struct Printed<'r> {
    rules: &'r Ruleset,
    changed: &'r [bool],
    space: &'r Space,
    left: u32,
}

impl Printed<'_> {
    /// Whether a condition holds of the space, which is the subject of a level; nothing where that
    /// is not printed.
    fn truth(&mut self, id: ExprId, level: u8) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        let rules = self.rules;
        match rules.node(id) {
            Node::Truth(truth) => Some(*truth),
            Node::Not(inner) => self.truth(*inner, level).map(|holds| !holds),
            Node::And(parts) => self.all(parts, level, false),
            Node::Or(parts) => self.all(parts, level, true),
            Node::Define(define, Some(of)) if self.is_space(*of, level) => {
                let define = rules.defines.get(define.index())?;
                match define.of.is_none_or(|kind| rules.is_kind(self.space.kind, kind)) {
                    true => self.truth(define.value, 0),
                    false => Some(false),
                }
            }
            Node::Fact(..) => self.cell(id, level).map(|cell| cell != 0),
            Node::IsKind(of, kind) if self.is_space(*of, level) => {
                Some(rules.is_kind(self.space.kind, *kind))
            }
            Node::Same(left, right) => Some(self.cell(*left, level)? == self.cell(*right, level)?),
            Node::Compare(left, op, right) => {
                let order = self.cell(*left, level)?.cmp(&self.cell(*right, level)?);
                Some(op.holds(order))
            }
            _ => None,
        }
    }

    /// Whether all parts hold, or one of them; one part may settle it, whatever is not known of the
    /// others.
    fn all(&mut self, parts: &[ExprId], level: u8, settles: bool) -> Option<bool> {
        let mut sure = true;
        for part in parts {
            match self.truth(*part, level) {
                Some(holds) if holds == settles => return Some(settles),
                Some(_) => {}
                None => sure = false,
            }
        }
        sure.then_some(!settles)
    }

    /// A whole number that is printed or written: an amount, the place of a word, 0 or 1 for a
    /// truth.
    fn cell(&mut self, id: ExprId, level: u8) -> Option<i64> {
        self.left = self.left.checked_sub(1)?;
        match self.rules.node(id) {
            Node::Number { over, under: 1 } => Some(*over),
            Node::Word(_, word) => Some(i64::from(*word)),
            Node::Truth(truth) => Some(i64::from(*truth)),
            Node::NoThing => Some(0),
            Node::Side(side) => Some(i64::from(side.0) + 1),
            Node::Rank(of) => self.cell(*of, level),
            Node::Fact(id, of)
                if self.is_space(*of, level) && self.changed.get(id.index()) == Some(&false) =>
            {
                let fact = self.rules.facts.get(id.index())?;
                match self.rules.is_kind(self.space.kind, fact.kind) {
                    true => self.space.facts.get(usize::from(fact.slot)).copied(),
                    false => Some(0),
                }
            }
            _ => None,
        }
    }

    fn is_space(&self, id: ExprId, level: u8) -> bool {
        matches!(self.rules.node(id), Node::Subject(of) if *of == level)
    }
}
