//! The links of a map: both ends known, sides of hexes between neighbours, and what each kind
//! joins.

use indexmap::IndexMap;
use indexmap::map::Entry;

use super::Checker;
use super::joins::End;
use super::scope::{Scope, Ty, Typed};
use super::space::{is_label, no_hex};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::map::{Links, Map, OneLink, SaidOfLink};
use crate::source::Span;
use crate::syntax::ast::{self, MapLine, Name};

impl Checker<'_> {
    /// The links as written, and every side between two hexes. The ends are given back, to be asked
    /// what they are.
    pub(super) fn links(&mut self, map: &ast::Map, out: &mut Map) -> Vec<End> {
        let mut pairs: IndexMap<KindId, Vec<(u32, u32)>> = IndexMap::new();
        let mut joined: IndexMap<(KindId, u32, u32), Span> = IndexMap::new();
        let mut told = Vec::new();
        for line in &map.lines {
            let MapLine::Link { kind, ends, with } = line else { continue };
            let Some(kind) = self.link(kind) else { continue };
            let facts = self.withs(with, kind, &Scope::default());
            let found: Vec<Option<u32>> = ends.iter().map(|e| self.end(e, out)).collect();
            for (space, name) in found.iter().zip(ends) {
                told.extend(space.map(|space| End { kind, space, span: name.span }));
            }
            for ((a, b), names) in
                found.iter().zip(found.iter().skip(1)).zip(ends.iter().zip(ends.iter().skip(1)))
            {
                if let (Some(a), Some(b)) = (*a, *b)
                    && self.may_join(kind, (a, b), names, out)
                {
                    match joined.entry((kind, a.min(b), a.max(b))) {
                        Entry::Occupied(first) => {
                            self.link_twice(kind, names, *first.get(), !with.is_empty())
                        }
                        Entry::Vacant(new) => {
                            new.insert(names.0.span.to(names.1.span));
                            if !facts.is_empty() {
                                let link = (kind, a.min(b), a.max(b));
                                out.said.push(SaidOfLink { link, facts: facts.clone() });
                            }
                            pairs.entry(kind).or_default().push((a, b));
                        }
                    }
                }
            }
        }
        let spaces = out.spaces.len();
        // The sides of hexes are there already, whether or not somebody writes them.
        pairs.shift_remove(&KindId::HEXSIDE);
        out.links.extend(out.grid.as_ref().map(|grid| grid.hexsides(KindId::HEXSIDE, spaces)));
        out.links
            .extend(pairs.into_iter().map(|(kind, pairs)| Links::from_pairs(kind, spaces, &pairs)));
        out.said.sort_by_key(|said| said.link);
        out.changing = self.changing_links(out);
        self.select_links(out);
        told
    }

    /// A link that is there already. What is said of it the second time would be lost.
    fn link_twice(&mut self, kind: KindId, names: (&Name, &Name), first: Span, said: bool) {
        let link = self.kind_name(kind);
        let message =
            format!("`{}` and `{}` are joined by a {link} already", names.0.text, names.1.text);
        let place = names.0.span.to(names.1.span);
        let fault = match said {
            true => Diagnostic::error(code::E0202, place, message),
            false => Diagnostic::warning(code::W0717, place, message),
        };
        self.fault(
            fault
                .label(first, "here first; links have no direction")
                .help("take one of the two out, or name another space"),
        );
    }

    /// Whether a link of a kind may join two spaces of the map.
    fn may_join(
        &mut self,
        kind: KindId,
        (a, b): (u32, u32),
        names: (&Name, &Name),
        out: &Map,
    ) -> bool {
        if a == b {
            self.fault(
                Diagnostic::error(
                    code::E0702,
                    names.1.span,
                    format!("a link from `{}` to itself", names.1.text),
                )
                .help("a link joins two spaces"),
            );
            return false;
        }
        if self.out.is_kind(kind, KindId::HEXSIDE)
            && !out.grid.as_ref().is_some_and(|grid| grid.are_neighbours(a, b))
        {
            let link = self.kind_name(kind);
            let message = format!(
                "a {link} runs along one side of a hex, and `{}` and `{}` share none",
                names.0.text, names.1.text
            );
            self.fault(
                Diagnostic::error(code::E0712, names.1.span, message)
                    .label(names.0.span, "the other hex")
                    .help("name two neighbouring hexes; a link that may join any two spaces is a kind of plain `link`"),
            );
            return false;
        }
        true
    }

    /// `link railway Yard to Pass`: one link of the map that is played on, of which a position says
    /// more.
    pub(super) fn link_by_ends(
        &mut self,
        link: &ast::OneLink,
        span: Span,
        scope: &Scope<'_>,
    ) -> Typed {
        let Some(objects) = scope.objects else {
            self.fault(
                Diagnostic::error(code::E0321, span, "rules name no link of a map")
                    .help("say of links what their kind `has`, and ask it with `where`"),
            );
            return self.poison(span);
        };
        let Some(kind) = self.link(&link.kind) else { return self.poison(span) };
        let mut ends = Vec::new();
        for name in [&link.ends.0, &link.ends.1] {
            match self.space_of(objects, &name.text) {
                Some((space, _)) => ends.push(space),
                None => self.no_space(code::E0701, name, objects.map),
            }
        }
        let [a, b] = ends.as_slice() else { return self.poison(span) };
        let map = objects.map.and_then(|map| self.out.maps.get(map.index()));
        let of_kind = |link: &OneLink| self.out.is_kind(link.kind, kind);
        let found: Vec<(u32, OneLink)> = map.map_or_else(Vec::new, |map| {
            map.changing_between(*a, *b).filter(|(_, link)| of_kind(link)).collect()
        });
        match found.as_slice() {
            [(at, link)] => self.typed(Node::Link(*at), Ty::thing(link.kind), span),
            found => {
                let joined = map.is_some_and(|map| {
                    let some = |l: &&Links| self.out.is_kind(l.kind, kind);
                    map.links.iter().filter(some).any(|l| l.of(*a).contains(b))
                });
                self.no_one_link(link, span, (found.len(), joined));
                self.poison(span)
            }
        }
    }

    /// Why no single link is meant.
    fn no_one_link(&mut self, link: &ast::OneLink, span: Span, (found, joined): (usize, bool)) {
        let (kind, a, b) = (&link.kind.text, &link.ends.0.text, &link.ends.1.text);
        let fault = match (found, joined) {
            (0, false) => {
                let message = format!("no {kind} joins `{a}` and `{b}`");
                Diagnostic::error(code::E0701, span, message)
                    .help("name the two ends of a link of the map")
            }
            (0, true) => {
                let message = format!("nothing is declared of a {kind} that changes");
                Diagnostic::error(code::E0321, span, message).help(format!(
                    "what a link `has` is printed on the map; declare what changes, as in `given blown of {kind}`"
                ))
            }
            _ => {
                let message = format!("more than one {kind} joins `{a}` and `{b}`");
                Diagnostic::error(code::E0701, span, message)
                    .help("name the kind of the one that is meant")
            }
        };
        self.fault(fault);
    }

    fn end(&mut self, name: &Name, out: &Map) -> Option<u32> {
        let found = out.find(&name.text);
        if found.is_none() {
            if is_label(&name.text) {
                self.fault(no_hex(out, name));
            } else {
                self.unknown(code::E0701, name, "space of the map", out.names());
            }
        }
        found
    }
}
