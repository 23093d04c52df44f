//! Items that are as others: `setup late as opening, but { First was in Copse now in Ford }`.

use super::lines::{read, whole_noun};
use super::{CopyOf, Fold, Piece, ResolvedItem};
use crate::diag::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::*;

impl Fold<'_> {
    /// Writes out all copies, each behind the one that it is a copy of.
    pub(super) fn copies(&mut self) {
        let mut waiting = std::mem::take(&mut self.copied);
        let mut legs = self.with_legs_as();
        loop {
            let open: Vec<(String, String)> =
                waiting.iter().map(|(c, _)| (c.noun.text.clone(), c.name.text.clone())).collect();
            let traces = open.iter().filter(|(noun, _)| noun == "trace");
            legs = self.legs(legs, &traces.map(|(_, name)| name.clone()).collect());
            if waiting.is_empty() {
                return;
            }
            let waits = |c: &Copy| {
                open.iter().any(|(n, m)| *n == c.noun.text && *m == c.original.text)
                    || c.noun.text == "trace" && self.has_legs_as(&c.original.text)
            };
            match waiting.iter().position(|(c, _)| !waits(c)) {
                Some(at) => {
                    let (copy, span) = waiting.remove(at);
                    self.copy(&copy, span);
                    self.out.copies.push(CopyOf {
                        noun: copy.noun.text,
                        name: copy.name.text,
                        original: copy.original.text,
                    });
                    legs.extend(self.last_with_legs_as());
                }
                None => {
                    let Some(((first, _), rest)) = waiting.split_first() else { return };
                    let message = format!("`{}` is in the end as itself", first.name.text);
                    let mut fault = Diagnostic::error(code::E0610, first.original.span, message);
                    for (copy, _) in rest.iter().take(4) {
                        fault = fault.label(copy.original.span, "by way of this one");
                    }
                    self.faults.push(fault.help("let one of them stand in full"));
                    let names = waiting.iter().map(|(copy, _)| copy.name.text.clone());
                    self.out.lost.extend(names);
                    return self.legs_lost(&legs);
                }
            }
        }
    }

    fn copy(&mut self, copy: &Copy, span: Span) {
        let Some(noun) = whole_noun(&copy.noun.text) else { return };
        let Some(at) = self.place_of(noun, &copy.original) else { return };
        let Some(original) = self.out.items.get(at).cloned() else { return };
        if original.item.broken {
            return self.out.lost.push(copy.name.text.clone());
        }
        let Some(head) = head(&original.item.kind) else { return };
        let (mut rope, sources) = (original.rope.clone(), self.sources);
        rope.replace(head.name, copy.name.span, sources);
        if let (Some(old), Some(new)) = (head.of, &copy.of) {
            rope.replace(old, new.span, sources);
        }
        match (head.title, &copy.title) {
            (Some(old), Some(new)) => rope.replace(old, new.span, sources),
            (Some(old), None) => rope.take_out(old, sources),
            (None, Some(new)) => {
                rope.insert(head.before_title, [Piece::Joint(" "), Piece::Text(new.span)], sources);
            }
            (None, None) => {}
        }
        let item = match read(&rope, sources) {
            Ok(item) => item,
            Err(fault) => return self.faults.push(*fault),
        };
        let what = format!("{noun} `{}`", copy.name.text);
        let plain = ResolvedItem { item: item.into(), inherited: false, rope };
        match self.with_lines(&plain, &copy.lines, &what) {
            Some(mut new) => {
                new.item_mut().span = span;
                self.out.items.push(new);
            }
            None => self.out.lost.push(copy.name.text.clone()),
        }
    }
}

/// The places of what a copy has anew.
struct Head {
    name: Span,
    of: Option<Span>,
    title: Option<Span>,
    /// Behind this a title comes.
    before_title: Span,
}

fn head(kind: &ItemKind) -> Option<Head> {
    let of = |name: &Name, of: Option<&Name>, title: Option<&Text>, before: Option<Span>| Head {
        name: name.span,
        of: of.map(|of| of.span),
        title: title.map(|title| title.span),
        before_title: before.or(of.map(|of| of.span)).unwrap_or(name.span),
    };
    Some(match kind {
        ItemKind::Setup(s) => of(&s.name, None, s.title.as_ref(), Some(s.map.span)),
        ItemKind::Map(m) => of(&m.name, None, m.title.as_ref(), None),
        ItemKind::Trace(t) => of(&t.name, Some(&t.of), t.title.as_ref(), None),
        ItemKind::Table(t) => of(&t.name, t.of.as_ref(), t.title.as_ref(), None),
        ItemKind::Test(t) => of(&t.name, Some(&t.of), t.title.as_ref(), None),
        ItemKind::Choice(c) => of(&c.name, Some(&c.of), c.title.as_ref(), None),
        ItemKind::Phase(p) => of(&p.name, None, None, None),
        _ => return None,
    })
}
