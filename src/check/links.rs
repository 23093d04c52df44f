//! The links of a map: both ends known, sides of hexes between neighbours, and what each kind
//! joins.

use indexmap::IndexMap;
use indexmap::map::Entry;

use super::Checker;
use super::joins::End;
use super::scope::{Scope, Ty, Typed};
use super::space::{is_label, no_hex};
use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::map::{Links, Map, OneLink, SaidOfLink};
use crate::source::Span;
use crate::syntax::ast::{self, MapLine, Name};

/// A link as it was written first.
pub(super) struct Written {
    span: Span,
    facts: Vec<(FactId, i64)>,
    /// Whether it leads from its lower end to the other, and back.
    leads: [bool; 2],
}

/// What the lines of a map have said of links so far.
#[derive(Default)]
pub(super) struct Found {
    pub pairs: IndexMap<KindId, Vec<(u32, u32)>>,
    written: IndexMap<(KindId, u32, u32), Written>,
    pub ends: Vec<End>,
    /// The links of each drawn line, where the map has crossings.
    pub drawn: Vec<Vec<(KindId, u32, u32)>>,
}

/// Whether two lines say the same, in whatever order.
fn same_facts(a: &[(FactId, i64)], b: &[(FactId, i64)]) -> bool {
    a.len() == b.len() && a.iter().all(|fact| b.contains(fact))
}

/// What one line says of each of its links.
struct Said {
    kind: KindId,
    facts: Vec<(FactId, i64)>,
}

impl Checker<'_> {
    /// The links as written, and every side between two hexes. The ends are given back, to be asked
    /// what they are.
    pub(super) fn links(&mut self, map: &ast::Map, out: &mut Map) -> Vec<End> {
        let mut all = Found::default();
        let crosses = map.lines.iter().any(|line| matches!(line, MapLine::NoJunction { .. }));
        for line in &map.lines {
            let MapLine::Link { kind: noun, ends, filled, with } = line else { continue };
            if crosses {
                all.drawn.push(Vec::new());
            }
            let Some(kind) = self.link(noun) else { continue };
            if self.is_made(noun, kind) {
                continue;
            }
            let said = Said { kind, facts: self.withs(with, kind, &Scope::default()) };
            let found: Vec<Option<u32>> = ends.iter().map(|e| self.end(e, out)).collect();
            for (space, name) in found.iter().zip(ends) {
                all.ends.extend(space.map(|space| End {
                    kind,
                    space,
                    span: name.span,
                    made: false,
                }));
            }
            if *filled && !self.may_fill(noun, kind) {
                continue;
            }
            for ((a, b), names) in
                found.iter().zip(found.iter().skip(1)).zip(ends.iter().zip(ends.iter().skip(1)))
            {
                let (Some(a), Some(b)) = (*a, *b) else { continue };
                if !self.may_join(kind, (a, b), names, out) {
                    continue;
                }
                let steps = match filled {
                    true => self.filled((a, b), names, out),
                    false => vec![(a, b)],
                };
                for step in steps {
                    let place = names.0.span.to(names.1.span);
                    if *filled && step.1 != b {
                        all.ends.push(End { kind, space: step.1, span: place, made: false });
                    }
                    self.written_link(&said, step, place, (out, &mut all));
                }
            }
        }
        if crosses {
            self.crossings(map, &all, out);
        }
        self.make_links(&map.name, out, &mut all);
        self.lay_links(all, out)
    }

    /// Writes down a link of the map, or says that it is there already.
    fn written_link(
        &mut self,
        said: &Said,
        (a, b): (u32, u32),
        place: Span,
        to: (&mut Map, &mut Found),
    ) {
        let (out, all) = to;
        let link = (said.kind, a.min(b), a.max(b));
        if let Some(line) = all.drawn.last_mut() {
            line.push(link);
        }
        let one_way = self.out.kinds.get(said.kind.index()).is_some_and(|kind| kind.one_way);
        let leads = [!one_way || a < b, !one_way || a > b];
        match all.written.entry(link) {
            Entry::Occupied(mut first) => {
                let first = first.get_mut();
                let back = leads.iter().zip(&first.leads).any(|(new, old)| *new && !old);
                if back && same_facts(&first.facts, &said.facts) {
                    first.leads = [true, true];
                } else {
                    let names = [a, b].map(|at| out.spaces.get(at as usize).map_or("", |s| &s.id));
                    self.link_twice((said, names), place, first.span, (one_way, back));
                }
            }
            Entry::Vacant(new) => {
                new.insert(Written { span: place, facts: said.facts.clone(), leads });
                if !said.facts.is_empty() {
                    out.said.push(SaidOfLink { link, facts: said.facts.clone() });
                }
                all.pairs.entry(said.kind).or_default().push((a, b));
            }
        }
    }

    /// Lays the links of a map in rows, with those of conditions on them.
    fn lay_links(&self, all: Found, out: &mut Map) -> Vec<End> {
        let Found { mut pairs, written, ends, .. } = all;
        let spaces = out.spaces.len();
        // The sides of hexes are there already, whether or not somebody writes them.
        pairs.shift_remove(&KindId::HEXSIDE);
        out.links.extend(out.grid.as_ref().map(|grid| grid.hexsides(KindId::HEXSIDE, spaces)));
        out.links
            .extend(pairs.into_iter().map(|(kind, pairs)| Links::from_pairs(kind, spaces, &pairs)));
        for ((kind, a, b), Written { leads, .. }) in written {
            out.against.extend((!leads[0]).then_some((kind, a, b)));
            out.against.extend((!leads[1]).then_some((kind, b, a)));
        }
        out.against.arrange();
        out.said.sort_by_key(|said| said.link);
        out.changing = self.changing_links(out);
        self.select_links(out);
        ends
    }

    /// A link that is there already. What is said of it the second time would be lost.
    fn link_twice(
        &mut self,
        (said, names): (&Said, [&str; 2]),
        place: Span,
        first: Span,
        (one_way, back): (bool, bool),
    ) {
        let link = self.kind_name(said.kind);
        let message = format!("`{}` and `{}` are joined by a {link} already", names[0], names[1]);
        if back {
            self.fault(
                Diagnostic::error(code::E0202, place, message)
                    .label(first, "the way out, with other facts")
                    .help("one that leads both ways is one link: say the same of it both times"),
            );
            return;
        }
        let fault = match said.facts.is_empty() {
            false => Diagnostic::error(code::E0202, place, message),
            true => Diagnostic::warning(code::W0717, place, message),
        };
        let here = if one_way { "here first" } else { "here first; links have no direction" };
        self.fault(fault.label(first, here).help("take one of the two out, or name another space"));
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

    pub(super) fn end(&mut self, name: &Name, out: &Map) -> Option<u32> {
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
