//! What is said of legs that are as others and cannot be written out.

use std::collections::BTreeMap;

use super::Fold;
use super::legs::At;
use crate::diag::{Diagnostic, code, suggest};
use crate::syntax::ast::*;

impl Fold<'_> {
    /// What cannot be written out has been said: what is missing of it is not said again.
    pub(super) fn give_up(&mut self, way: &[(At, Like)]) {
        for ((item, _), _) in way {
            if let Some(item) = self.out.items.get_mut(*item) {
                item.item_mut().broken = true;
            }
        }
    }

    /// The same of traces that wait for copies which cannot be made.
    pub(super) fn legs_lost(&mut self, traces: &[usize]) {
        for at in traces {
            if let Some(item) = self.out.items.get_mut(*at) {
                item.item_mut().broken = true;
            }
        }
    }

    /// The legs from this one on lead back to it.
    pub(super) fn in_a_circle(&mut self, first: &At, way: &[(At, Like)]) {
        let mut circle = way.iter().skip_while(|(at, _)| at != first);
        let Some(((_, name), like)) = circle.next() else { return };
        let message = format!("leg `{name}` is in the end as itself");
        let mut fault = Diagnostic::error(code::E0610, like.leg.span, message);
        for (_, like) in circle.take(4) {
            fault = fault.label(like.leg.span, "by way of this one");
        }
        self.faults.push(fault.help("let one of them stand in full"));
    }

    pub(super) fn no_trace(&mut self, like: &Like, traces: &BTreeMap<String, usize>) {
        let Some(of) = &like.of else { return };
        if self.out.lost.contains(&of.text) {
            return;
        }
        let message = format!("there is no trace `{}` with a leg to be as", of.text);
        let fault = Diagnostic::error(code::E0602, of.span, message);
        self.faults.push(match suggest::the_one(&of.text, traces.keys().map(String::as_str)) {
            Some(near) => fault.help(format!("write `{near}`")).suggest(of.span, near.to_owned()),
            None => fault.help("write the name of a trace of this ruleset"),
        });
    }

    pub(super) fn no_leg(&mut self, like: &Like, at: usize) {
        let Some(item) = self.out.items.get(at).filter(|i| !i.item.broken) else { return };
        let ItemKind::Trace(trace) = &item.item.kind else { return };
        let known = trace.lines.iter().filter_map(|l| match &l.kind {
            TraceLineKind::Leg { name, .. } => Some(name.text.as_str()),
            _ => None,
        });
        let known: Vec<&str> = known.collect();
        let message = format!("trace `{}` has no leg `{}`", trace.name.text, like.leg.text);
        let fault = Diagnostic::error(code::E0602, like.leg.span, message);
        let fault = match suggest::the_one(&like.leg.text, known.iter().copied()) {
            Some(near) => fault.help(format!("write `{near}`")).suggest(like.leg.span, near),
            None => {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                fault.help(format!("write one of its legs: {}", known.join(", ")))
            }
        };
        self.faults.push(fault);
    }
}
