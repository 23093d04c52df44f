//! What is translated when it is first needed: defines, tables, traces, hooks, pairs; what reads
//! itself is refused.

use super::scope::{Scope, Ty};
use super::{Checker, Pending, Progress, depth};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Name};

/// An item with a name of its own.
pub(super) trait Named {
    /// Its name.
    fn name(&self) -> &Name;
}

impl Named for ast::Define {
    fn name(&self) -> &Name {
        &self.name
    }
}

impl Named for ast::Pair {
    fn name(&self) -> &Name {
        &self.name
    }
}

impl Named for ast::Table {
    fn name(&self) -> &Name {
        &self.name
    }
}

impl Named for ast::Trace {
    fn name(&self) -> &Name {
        &self.name
    }
}

impl Named for ast::Hook {
    fn name(&self) -> &Name {
        &self.name
    }
}

/// How a pending item is found among those of its sort.
type Find<'a, T> = for<'c> fn(&'c mut Checker<'a>, usize) -> Option<&'c mut Pending<'a, T>>;

impl<'a> Checker<'a> {
    /// Begins to translate an item, and gives it with whether it is broken; how far it is, if it
    /// was begun before. One that is under way reads itself, which is said here.
    pub(super) fn begun<T: Named>(
        &mut self,
        at: usize,
        find: Find<'a, T>,
    ) -> Result<(&'a T, bool), Progress> {
        let depth = self.under_way.len().max(self.nested);
        let Some(pending) = find(self, at) else { return Err(Progress::UnderWay) };
        let (item, broken, state) = (pending.item, pending.broken, pending.state);
        match state {
            Progress::Done | Progress::Lost => return Err(state),
            Progress::UnderWay => {
                self.circle(item.name());
                return Err(state);
            }
            Progress::Waiting if depth >= depth::MOST => {
                self.builds_too_deep(item.name());
                return Err(Progress::UnderWay);
            }
            Progress::Waiting => pending.state = Progress::UnderWay,
        }
        self.under_way.push((item.name().text.clone(), item.name().span));
        Ok((item, broken))
    }

    /// Ends what was begun.
    pub(super) fn ended<T>(&mut self, at: usize, find: Find<'a, T>, state: Progress) {
        self.under_way.pop();
        if let Some(pending) = find(self, at) {
            pending.state = state;
        }
    }

    /// Translates a define if that has not happened yet; false if it is being translated just now,
    /// or nothing is known of it.
    pub(super) fn need_define(&mut self, id: DefineId) -> bool {
        let (item, broken) = match self.begun(id.index(), |c, at| c.defines.get_mut(at)) {
            Ok(begun) => begun,
            // What is wrong with it has been said.
            Err(state) => return state == Progress::Done,
        };
        let outer = std::mem::take(&mut self.viewed);
        let mut lost = broken;
        if !broken {
            let of = self.out.defines.get(id.index()).and_then(|d| d.of);
            let scope = of.map_or_else(Scope::default, Scope::of);
            let found = self.expr(&item.value, &scope, item.never.then_some(Type::Truth));
            if item.never && !matches!(found.ty, Ty::Rows(_)) {
                self.want_truth(found);
            }
            let ty = match found.ty {
                Ty::Of(ty) => ty,
                _ => Type::Truth,
            };
            if let Ty::Rows(_) = found.ty {
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        found.span,
                        "one value should stand here, and this is a list of tests",
                    )
                    .help("ask which of its rows hold, as in `due is none`, or where it stopped"),
                );
            }
            let viewed = self.viewed.is_some();
            if matches!(found.ty, Ty::Poison | Ty::Rows(_)) {
                lost = true;
                self.symbols.lost.push(item.name.text.clone());
            }
            if let Some(define) = self.out.defines.get_mut(id.index()) {
                (define.value, define.ty, define.viewed) = (found.id, ty, viewed);
            }
        }
        self.viewed = outer;
        self.ended(
            id.index(),
            |c, at| c.defines.get_mut(at),
            if lost { Progress::Lost } else { Progress::Done },
        );
        !lost
    }

    /// Translates a table if that has not happened yet; false if it is being translated just now.
    pub(super) fn need_table(&mut self, id: TableId) -> bool {
        let (item, broken) = match self.begun(id.index(), |c, at| c.tables.get_mut(at)) {
            Ok(begun) => begun,
            Err(state) => {
                return state != Progress::UnderWay
                    && self.out.tables.get(id.index()).is_some_and(|t| !t.results.is_empty());
            }
        };
        if let Some(from) = &item.from
            && (broken || from.read.is_none())
        {
            return self.lost_rows(id, item, (broken, &**from));
        }
        let outer = std::mem::take(&mut self.viewed);
        self.table_body(id, item, broken);
        self.viewed = outer;
        self.ended(id.index(), |c, at| c.tables.get_mut(at), Progress::Done);
        true
    }

    /// Of a table whose sheet could not be read nothing is known; false.
    fn lost_rows(
        &mut self,
        id: TableId,
        item: &ast::Table,
        (said, from): (bool, &ast::RowsFrom),
    ) -> bool {
        if !said {
            let message = format!("`{}` cannot be read here", from.file.text);
            let fault = Diagnostic::error(code::E0015, from.span, message);
            self.fault(fault.help("write the rows as text"));
        }
        self.symbols.lost.push(item.name.text.clone());
        self.ended(id.index(), |c, at| c.tables.get_mut(at), Progress::Lost);
        false
    }

    /// Reads the lines of a trace if that has not happened yet; false if they are being read just
    /// now.
    pub(super) fn need_trace(&mut self, id: TraceId) -> bool {
        let (item, broken) = match self.begun(id.index(), |c, at| c.traces.get_mut(at)) {
            Ok(begun) => begun,
            Err(state) => return state != Progress::UnderWay,
        };
        let outer = (std::mem::take(&mut self.viewed), self.reads_subject);
        let waiting = std::mem::take(&mut self.read);
        self.lines_of(id, item, broken);
        self.read = waiting;
        self.prove_verdicts(id, item);
        let of_spaces = |c: &Self, t: &Trace| c.out.top(t.of) == KindId::SPACE;
        let viewed = self.viewed.is_some()
            && self.out.traces.get(id.index()).is_some_and(|t| of_spaces(self, t));
        self.change(id, |t| t.viewed = viewed);
        (self.viewed, self.reads_subject) = outer;
        self.ended(id.index(), |c, at| c.traces.get_mut(at), Progress::Done);
        true
    }

    /// Translates a hook if that has not happened yet; false if it is being translated just now.
    pub(super) fn need_hook(&mut self, id: HookId) -> bool {
        let (item, broken) = match self.begun(id.index(), |c, at| c.hooks.get_mut(at)) {
            Ok(begun) => begun,
            Err(state) => return state != Progress::UnderWay,
        };
        let outer = std::mem::take(&mut self.viewed);
        self.hook_body(id, item, broken);
        self.viewed = outer;
        self.ended(id.index(), |c, at| c.hooks.get_mut(at), Progress::Done);
        true
    }

    /// A value that reads itself, directly or through others.
    pub(super) fn circle(&mut self, name: &ast::Name) {
        let from = self.under_way.iter().position(|(n, _)| *n == name.text).unwrap_or(0);
        let mut way: Vec<(String, Span)> = self.under_way.iter().skip(from).cloned().collect();
        // With a trace on the way it is the answer that feeds on itself, wherever the circle was
        // entered.
        if let Some(trace) = way.iter().position(|(n, span)| {
            self.traces.iter().any(|t| t.item.name.text == *n && t.item.name.span == *span)
        }) {
            way.rotate_left(trace);
            return self.feeds_on_itself(&way);
        }
        let spoken = way.iter().map(|(n, _)| format!("`{n}`")).collect::<Vec<_>>().join(" reads ");
        let mut fault = Diagnostic::error(
            code::E0411,
            name.span,
            format!("`{}` reads itself: {spoken} reads `{}`", name.text, name.text),
        )
        .help("break the circle: one of them must be said without the others");
        let reads = |said: &Span| {
            crate::syntax::tokens::words(self.sources.slice(*said)).any(|(_, w)| w == name.text)
        };
        let exception = self.items.iter().find_map(|item| match &item.item.kind {
            ItemKind::Exception(e) if e.to.owner.text == name.text => e.then.filter(reads),
            _ => None,
        });
        if let Some(then) = exception.filter(|_| way.len() == 1) {
            fault = fault.label(then, "this exception reads it").help(
                "an exception gives the value anew: say it by what the rows read, or override the rows",
            );
        }
        for (n, span) in way.iter().skip(1) {
            fault = fault.label(*span, format!("by way of `{n}`"));
        }
        self.fault(fault);
    }

    /// An answer that must be known before it can be found; the way begins with its trace.
    pub(super) fn feeds_on_itself(&mut self, way: &[(String, Span)]) {
        let Some((name, span)) = way.first() else { return };
        let spoken = way.iter().map(|(n, _)| format!("`{n}`")).collect::<Vec<_>>().join(" reads ");
        let mut fault = Diagnostic::error(
            code::E0410,
            *span,
            format!("the answer of `{name}` feeds on itself: {spoken} reads `{name}`"),
        )
        .help("read a printed value there, one that does not depend on the answer");
        for (n, span) in way.iter().skip(1) {
            fault = fault.label(*span, format!("by way of `{n}`"));
        }
        self.fault(fault);
    }
}
