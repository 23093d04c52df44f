//! Several variants of one ruleset at once: the changes of each, with those that meet reported.

use super::{Project, family};
use crate::check::{Resolved, Touched, fold_beside};
use crate::diag::{Diagnostic, Severity, code};
use crate::source::Span;
use crate::syntax::ast;

impl Project {
    /// What a ruleset says with the changes of further variants.
    pub(super) fn joined(
        &self,
        first: usize,
        also: &[(ast::Name, Option<usize>)],
    ) -> (Resolved, Vec<Diagnostic>) {
        let mut faults = Vec::new();
        let mut have = self.layers(first);
        let mut whole = self.rulesets.get(first).map(|r| r.resolved.clone()).unwrap_or_default();
        for (name, at) in also {
            let Some(at) = *at else {
                let message =
                    format!("no ruleset `{}` stands in this folder or beside it", name.text);
                let fault = Diagnostic::error(code::E0601, name.span, message);
                faults.push(fault.help("name a variant of the same folder"));
                continue;
            };
            let layers = self.layers(at);
            let new: Vec<usize> = layers.iter().copied().filter(|l| !have.contains(l)).collect();
            if new.len() == layers.len() {
                let message = format!("`{}` does not build on the same ruleset", name.text);
                let fault = Diagnostic::error(code::E0601, name.span, message);
                faults.push(fault.help("join variants of one ruleset"));
                continue;
            }
            // Changes that both have by way of a common parent meet nothing.
            let apart: Vec<usize> = have.iter().copied().filter(|l| !layers.contains(l)).collect();
            for layer in new.iter().rev().copied() {
                whole = self.with_layer(whole, layer, (&apart, name.span), &mut faults);
            }
            have.extend(new);
        }
        (whole, faults)
    }

    /// A ruleset and all it builds on, the nearest first.
    fn layers(&self, at: usize) -> Vec<usize> {
        std::iter::once(at).chain(family::bases(self, at)).collect()
    }

    fn with_layer(
        &self,
        whole: Resolved,
        layer: usize,
        (apart, joined): (&[usize], Span),
        faults: &mut Vec<Diagnostic>,
    ) -> Resolved {
        let Some(new) = self.rulesets.get(layer) else { return whole };
        // Without its changes the whole would be another ruleset, and look sound.
        let is_error = |f: &&Diagnostic| f.severity == Severity::Error && !faults.contains(f);
        let broken: Vec<Diagnostic> = new.faults.iter().filter(is_error).cloned().collect();
        if crate::diag::has_errors(&new.faults) {
            faults.extend(broken);
            return whole;
        }
        let (folded, more) = fold_beside(&whole, &new.files, &self.sources);
        let mut met: Vec<Span> = Vec::new();
        for other in apart.iter().filter_map(|at| self.rulesets.get(*at)) {
            for (a, b) in pairs(&other.resolved.touched, &folded.touched) {
                met.push(b.span);
                let message = format!("`{}` and `{}` both change {}", other.name, new.name, b.what);
                let fault = Diagnostic::error(code::E0604, b.span, message);
                let fault =
                    fault.label(a.span, "changed here too").label(joined, "they are joined here");
                faults.push(
                    fault.help("keep one of the two changes, or join one of the variants alone"),
                );
            }
        }
        for fault in more {
            let at = fault.primary().unwrap_or(joined);
            if met.iter().any(|span| {
                span.source == at.source && span.start <= at.start && at.end <= span.end
            }) {
                continue;
            }
            let message =
                format!("what `{}` changes is another thing here: {}", new.name, fault.message);
            let mut clash = Diagnostic::error(code::E0604, at, message);
            for label in fault.labels.iter().filter(|l| !l.primary) {
                clash = clash.label(label.span, label.text.clone());
            }
            let clash = clash.label(joined, "they are joined here");
            faults
                .push(clash.help("keep one of the two changes, or join one of the variants alone"));
        }
        folded
    }
}

/// The changes of two variants that meet.
fn pairs<'t>(a: &'t [Touched], b: &'t [Touched]) -> Vec<(&'t Touched, &'t Touched)> {
    b.iter().filter_map(|b| Some((a.iter().find(|a| a.meets(b))?, b))).collect()
}
