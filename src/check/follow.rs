//! `follow` goes along the lines of one leg: what a chain of legs or a relay joins, it cannot take.

use super::Checker;
use crate::diag::{Diagnostic, code};
use crate::ir::{Effect, Trace};

impl Checker<'_> {
    /// Refuses steps that follow a trace whose lines may have several stretches.
    pub(super) fn followed_in_one(&mut self) {
        let mut faults = Vec::new();
        for step in self.out.phases.iter().flat_map(|phase| &phase.steps) {
            let Effect::Follow { trace, .. } = step.effect else { continue };
            let of = self.out.traces.get(trace.index()).filter(|of| of.is_chain());
            let line = self.out.lines.get(step.line.index());
            let (Some(of), Some(line)) = (of, line) else { continue };
            let why = stretches(of);
            let message = format!("a line of `{}` may have several stretches: {why}", of.name);
            faults.push(Diagnostic::error(code::E0419, line.span, message).help(
                "follow a trace of one leg without relays; it can have the same source and the same gates",
            ));
        }
        self.faults.extend(faults);
    }
}

/// By what a line of a trace comes to have several stretches.
fn stretches(trace: &Trace) -> &'static str {
    if !trace.relays.is_empty() {
        "it has a relay"
    } else if trace.has_several_legs() {
        "it has several legs"
    } else {
        "its budget is asked of the source"
    }
}
