//! Tracks: ordered stages, which compare and are raised and lowered; counts, which go back by
//! themselves.

use super::Checker;
use super::declare::MOST;
use super::scope::{Scope, Ty, Typed};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Expr};

/// The greatest value of a count that says none.
const COUNTED: i64 = 1_000;

impl Checker<'_> {
    pub(super) fn track(&mut self, track: &ast::Track) {
        if !self.declare_name("track", &track.name) {
            return;
        }
        let set = self.word_set(&track.name.text, &track.stages);
        if let Some(words) = self.out.word_sets.get_mut(set.index()) {
            words.ordered = true;
        }
        self.symbols.tracks.insert(track.name.text.clone(), set);
        self.line(format!("track {}", track.name.text), track.name.span, &track.cites);
    }

    /// Whether the words of a set are the stages of a track.
    pub(super) fn is_track(&self, set: WordSetId) -> bool {
        self.out.word_sets.get(set.index()).is_some_and(|s| s.ordered)
    }

    /// `stage at least investment`: stages compare by their place on the track.
    pub(super) fn compare_stages(
        &mut self,
        span: Span,
        left: Typed,
        ty: Type,
        op: Comparison,
        right: &Expr,
        scope: &Scope<'_>,
    ) -> Typed {
        let right = self.expr(right, scope, Some(ty));
        if right.ty != Ty::Poison && right.ty != Ty::Of(ty) {
            let (track, what) = (self.type_name(left.ty), self.type_name(right.ty));
            self.fault(
                Diagnostic::error(
                    code::E0303,
                    right.span,
                    format!("{track} is compared with {what}"),
                )
                .help("compare it with a stage of the same track"),
            );
            return self.poison(span);
        }
        let (a, b) = (
            self.node(Node::Rank(left.id), left.span),
            self.node(Node::Rank(right.id), right.span),
        );
        self.typed(Node::Compare(a, op, b), Ty::TRUTH, span)
    }

    pub(super) fn count_decl(&mut self, count: &ast::CountDecl) {
        let Some(kind) = self.kind(&count.of) else { return };
        let dimension = count.dimension.as_ref().and_then(|d| self.dimension(d));
        let until = self.moment(Edge::End, &count.per, None);
        let (low, high) = match &count.range {
            None => (0, COUNTED),
            Some((low, high)) => match (self.whole(low), self.whole(high)) {
                (Some(a), Some(b)) if a <= 0 && b > 0 && b <= MOST => (a, b),
                (Some(_), Some(_)) => {
                    self.fault(
                        Diagnostic::error(
                            code::E0210,
                            low.span.to(high.span),
                            "a count begins at 0 and goes to 1 at least",
                        )
                        .help("write `from 0 to 1`"),
                    );
                    return self.symbols.lost.push(count.name.text.clone());
                }
                _ => return self.symbols.lost.push(count.name.text.clone()),
            },
        };
        // What asks for it must not be told that nothing is called so.
        let Some(until) = until else {
            return self.symbols.lost.push(count.name.text.clone());
        };
        if self.declare_member(&count.name, kind) {
            let title = count.title.as_ref().map_or(&count.name.text, |t| &t.text);
            let ty = Type::Number { dimension, low, high, fraction: false };
            self.add_fact(&count.name.text, title, kind, ty, 0, FactOrigin::Count(until));
            if !count.cites.0.is_empty() {
                self.line(format!("count {}", count.name.text), count.name.span, &count.cites);
            }
        }
    }
}
