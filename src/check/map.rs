//! Maps: spaces with their facts.

use std::collections::HashMap;

use super::name::with_article;
use super::scope::{Scope, Ty, Typed};
use super::setup::Said;
use super::space::{is_label, no_hex};
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code, suggest};
use crate::ir::*;
use crate::map::{MOST_SPACES, Map, SaidOfLink, Space};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, HeadKind, ItemKind, MapLine, Name, With};

/// Whether a line says something of a link.
fn names_link(given: &ast::Given) -> bool {
    let ast::GivenKind::Fact { fact, .. } = &given.kind else { return false };
    let mut expr = fact;
    loop {
        expr = match &expr.kind {
            ExprKind::Paren(inner) | ExprKind::Not(inner) => inner,
            ExprKind::Is { left, .. } | ExprKind::IsPair { left, .. } => left,
            ExprKind::Path(path) => {
                return path.heads.iter().any(|head| matches!(head.kind, HeadKind::Link(_)));
            }
            _ => return false,
        };
    }
}

/// No space is drawn farther out than this.
const FARTHEST: i64 = 100_000;

impl<'a> Checker<'a> {
    pub(super) fn maps(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Map(map) = &item.item.kind else { continue };
            if self.declare_name("map", &map.name) {
                self.map(map, item.item.broken);
                if !item.item.broken {
                    self.has_named_places(&map.name);
                }
            }
        }
    }

    fn map(&mut self, map: &ast::Map, broken: bool) {
        let mut out = Map {
            name: map.name.text.clone(),
            title: map.title.as_ref().map_or(&map.name.text, |t| &t.text).clone(),
            ..Map::default()
        };
        self.hexes(map, broken, &mut out);
        self.table_of(map, &mut out);
        self.looks(map, &mut out);
        let mut said: indexmap::IndexMap<&str, Span> = indexmap::IndexMap::new();
        for line in &map.lines {
            match line {
                MapLine::Space(space) => {
                    if let Some(first) = said.get(space.name.text.as_str()) {
                        let first = *first;
                        self.fault(
                            Diagnostic::error(
                                code::E0202,
                                space.name.span,
                                format!("space `{}` stands twice on the map", space.name.text),
                            )
                            .label(first, "first here")
                            .help("take one of the two out, or give it another name"),
                        );
                        continue;
                    }
                    said.insert(&space.name.text, space.name.span);
                    if out.spaces.len() >= MOST_SPACES {
                        self.fault(Diagnostic::error(
                            code::E0215,
                            space.name.span,
                            format!("a map has at most {MOST_SPACES} spaces"),
                        ));
                        return;
                    }
                    if is_label(&space.name.text) {
                        self.hex_said(space, &mut out);
                        continue;
                    }
                    let found = self.space(space);
                    if found.is_none() {
                        self.symbols.lost.push(space.name.text.clone());
                    }
                    if let Some(found) = found {
                        let at = u32::try_from(out.spaces.len()).unwrap_or(u32::MAX);
                        out.spaces.push(found);
                        if let Some(outline) =
                            space.outline.as_ref().filter(|_| self.has_outline(space))
                        {
                            self.ground(at, outline, &mut out);
                        }
                    }
                }
                MapLine::Given(_)
                | MapLine::Table { .. }
                | MapLine::Link { .. }
                | MapLine::NoJunction { .. }
                | MapLine::Grid(_)
                | MapLine::Legend { .. }
                | MapLine::Row(_) => {}
            }
        }
        out.index();
        let id = MapId::at(self.out.maps.len());
        self.symbols.maps.insert(map.name.text.clone(), id);
        self.out.maps.push(out);
        // Links may be made by what is said of spaces, and what is said of links needs the links.
        self.all_given_on_map(id, map, false);
        let mut out = self.out.maps.pop().unwrap_or_default();
        let ends = self.links(map, &mut out);
        self.out.maps.push(out);
        self.all_given_on_map(id, map, true);
        self.check_joins(id, &ends);
    }

    /// What a map says is given of its links, or of its spaces.
    fn all_given_on_map(&mut self, id: MapId, map: &ast::Map, of_links: bool) {
        self.on_map = true;
        let mut before = HashMap::new();
        for line in &map.lines {
            if let MapLine::Given(given) = line
                && names_link(given) == of_links
            {
                self.given_on_map(id, given, &mut before);
            }
        }
        self.on_map = false;
    }

    /// `given control is Crown in Ford`: how spaces are where no setup says otherwise.
    fn given_on_map(&mut self, map: MapId, given: &ast::Given, before: &mut HashMap<Said, Span>) {
        let objects = self.objects_of(map);
        let stated = self.states(given, &objects);
        let some = (!stated.is_empty()).then_some(stated);
        let stated = self.nothing_lost(given.span, some).unwrap_or_default();
        self.said_once(given.span, &stated, before);
        for state in stated {
            if let Some((link, fact, value)) = self.said_of_link(&state) {
                self.print_of_link(map, link, (fact, value));
                continue;
            }
            let Some((space, fact, value)) = self.said_of_space(&state) else {
                let message = "a map states facts of its spaces and links, by their names";
                self.fault(Diagnostic::error(code::E0308, given.span, message).help(
                    "write `given control is Red in Hill`; what else holds when play begins is said in a setup",
                ));
                return;
            };
            let slot = self.out.facts.get(fact.index()).map_or(usize::MAX, |f| usize::from(f.slot));
            let spaces = self.out.maps.get_mut(map.index()).map(|m| &mut m.spaces);
            let cell = spaces
                .and_then(|all| all.get_mut(space as usize))
                .and_then(|space| space.facts.get_mut(slot));
            if let Some(cell) = cell {
                *cell = value;
                self.symbols.set_facts.push(fact);
            }
        }
    }

    /// A fact of a space with its value, encoded as positions keep it.
    fn said_of_space(&self, state: &State) -> Option<(u32, FactId, i64)> {
        let State::Fact(fact, Some(of), value) = state else { return None };
        let Node::Space(space) = self.out.node(*of) else { return None };
        Some((*space, *fact, self.printed_value(*value)?))
    }

    /// The same of a link.
    fn said_of_link(&self, state: &State) -> Option<(u32, FactId, i64)> {
        let State::Fact(fact, Some(of), value) = state else { return None };
        let Node::Link(link) = self.out.node(*of) else { return None };
        Some((*link, *fact, self.printed_value(*value)?))
    }

    /// What a map says of a link where no setup says otherwise.
    fn print_of_link(&mut self, map: MapId, link: u32, said: (FactId, i64)) {
        self.symbols.set_facts.push(said.0);
        let Some(map) = self.out.maps.get_mut(map.index()) else { return };
        let Some(link) = map.changing.get(link as usize).copied() else { return };
        let link = (link.kind, link.from, link.to);
        match map.said.binary_search_by(|known| known.link.cmp(&link)) {
            Ok(at) => {
                if let Some(known) = map.said.get_mut(at) {
                    known.facts.retain(|(fact, _)| *fact != said.0);
                    known.facts.push(said);
                }
            }
            Err(at) => map.said.insert(at, SaidOfLink { link, facts: vec![said] }),
        }
    }

    /// A constant as positions keep it.
    fn printed_value(&self, value: ExprId) -> Option<i64> {
        Some(match self.folded(value) {
            Node::Truth(holds) => i64::from(holds),
            Node::Word(_, word) => i64::from(word),
            Node::Number { over, under: 1 } => over,
            Node::NoThing => 0,
            Node::Side(side) => i64::from(side.0) + 1,
            Node::Unit(at) | Node::Space(at) => i64::from(at) + 1,
            _ => return None,
        })
    }

    fn space(&mut self, space: &ast::MapSpace) -> Option<Space> {
        let kind = self.kind_of_space(&space.kind)?;
        let facts = self.facts_of(&space.with, kind, None);
        let title = space.title.as_ref().map_or(&space.name.text, |t| &t.text).clone();
        let at = match space.outline.as_ref().map(|o| (o.along, o.points.as_slice())) {
            Some((false, [point])) => {
                Some((self.coordinate(&point.x)?, self.coordinate(&point.y)?))
            }
            _ => None,
        };
        Some(Space { id: space.name.text.clone(), title, kind, at, facts })
    }

    /// One coordinate of a space in hundredths.
    fn coordinate(&mut self, value: &ast::Expr) -> Option<i64> {
        let (over, under) = self.constant_amount(value, None, "at (7, 13/2)")?;
        let number = over.checked_mul(100).map(|o| o.div_euclid(under));
        if number.is_none_or(|n| n.unsigned_abs() > FARTHEST.unsigned_abs() * 100) {
            let fault = Diagnostic::error(code::E0309, value.span, "the coordinate is too far out");
            self.fault(fault.help(format!("write one between -{FARTHEST} and {FARTHEST}")));
            return None;
        }
        number
    }

    /// A number of a map, written out: its two parts.
    pub(super) fn constant_amount(
        &mut self,
        value: &ast::Expr,
        dimension: Option<DimensionId>,
        example: &str,
    ) -> Option<(i64, i64)> {
        let (nodes, faults) = (self.out.nodes.len(), self.faults.len());
        let found = self.amount(value, &Scope::default(), dimension);
        let folded = self.folded(found.id);
        // No rule reads a coordinate, so its nodes do not stay: the hash of the rules is the same
        // without it.
        self.forget_nodes(nodes);
        if self.faults.len() > faults || found.ty == Ty::Poison {
            return None;
        }
        match folded {
            Node::Number { over, under } if under > 0 => Some((over, under)),
            _ => {
                let fault = Diagnostic::error(
                    code::E0302,
                    value.span,
                    "a coordinate is a number, written out",
                );
                self.fault(fault.help(format!("write it as in `{example}`")));
                None
            }
        }
    }

    /// More of one hex of the grid; what is said here counts, not what its sign stands for.
    fn hex_said(&mut self, said: &ast::MapSpace, out: &mut Map) {
        let Some(kind) = self.kind_of_space(&said.kind) else { return };
        let Some(at) = out.find(&said.name.text) else {
            let fault = no_hex(out, &said.name);
            return self.fault(fault);
        };
        let of_grid = out.grid.as_ref().map_or(kind, |grid| grid.kind);
        if !self.out.is_kind(kind, of_grid) {
            let want = self.kind_name(of_grid);
            let message =
                format!("`{}` is a {want} of the grid, not a {}", said.name.text, said.kind.text);
            let fault = Diagnostic::error(code::E0207, said.kind.span, message);
            return self.fault(
                fault.help(format!(
                    "write `{want}`, or declare `kind {} is {want}`",
                    said.kind.text
                )),
            );
        }
        let Some(space) = out.spaces.get_mut(at as usize) else { return };
        space.kind = kind;
        space.facts = self.facts_of(&said.with, kind, Some(std::mem::take(&mut space.facts)));
        if let Some(title) = &said.title {
            space.title.clone_from(&title.text);
        }
    }

    /// `with terrain land, coastal, supports 6`: facts and their encoded values.
    pub(super) fn withs(
        &mut self,
        withs: &[With],
        kind: KindId,
        scope: &Scope<'_>,
    ) -> Vec<(FactId, i64)> {
        let mut out: Vec<(FactId, i64)> = Vec::new();
        for with in withs {
            let Some(fact) = self.fact_called(&with.name, kind) else { continue };
            if out.iter().any(|(f, _)| *f == fact) {
                self.fault(
                    Diagnostic::error(
                        code::E0202,
                        with.name.span,
                        format!("`{}` is said twice", with.name.text),
                    )
                    .help("keep one of the two"),
                );
                continue;
            }
            if let Some(value) = self.with_value(with, fact, scope) {
                self.symbols.set_facts.push(fact);
                out.push((fact, value));
            }
        }
        out
    }

    fn fact_called(&mut self, name: &Name, kind: KindId) -> Option<FactId> {
        match self.member(&name.text, kind) {
            Some(super::scope::Member::Fact(fact))
                if self
                    .out
                    .facts
                    .get(fact.index())
                    .is_some_and(|f| self.out.is_kind(kind, f.kind)) =>
            {
                self.symbols.note(name.span, super::scope::Used::Fact(fact));
                Some(fact)
            }
            _ => {
                let facts = self.out.facts.iter().filter(|f| self.out.is_kind(kind, f.kind));
                let known = self.gathered(facts.map(|f| f.name.clone()));
                self.suggests();
                let near = suggest::the_one(&name.text, known.iter().map(String::as_str))
                    .map(str::to_owned);
                let what = self.kind_name(kind);
                if !self.is_lost(&name.text) {
                    let fault = Diagnostic::error(
                        code::E0705,
                        name.span,
                        format!("{} has no attribute `{}`", with_article(&what), name.text),
                    );
                    self.fault(match near {
                        Some(near) => {
                            fault.help(format!("write `{near}`")).suggest(name.span, near)
                        }
                        None => fault.help(format!(
                            "declare it with `has {} ...` under `kind {what}`",
                            name.text
                        )),
                    });
                }
                None
            }
        }
    }

    fn with_value(&mut self, with: &With, fact: FactId, scope: &Scope<'_>) -> Option<i64> {
        let ty = self.out.facts.get(fact.index())?.ty;
        match &with.value {
            None if ty == Type::Truth => Some(1),
            None => {
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        with.name.span,
                        format!("`{}` wants a value", with.name.text),
                    )
                    .help(format!("write it behind the name, as in `with {} ...`", with.name.text)),
                );
                None
            }
            Some(value) => self.constant_of(value, ty, scope),
        }
    }

    /// A written value of a type, encoded as positions keep it.
    pub(super) fn constant_of(
        &mut self,
        value: &ast::Expr,
        ty: Type,
        scope: &Scope<'_>,
    ) -> Option<i64> {
        let before = self.faults.len();
        let found = match ty {
            Type::Number { dimension, .. } => self.amount(value, scope, dimension),
            _ => self.expr(value, scope, Some(ty)),
        };
        if self.faults.len() > before || found.ty == Ty::Poison {
            return None;
        }
        let encoded = match (self.folded(found.id), ty) {
            (Node::Number { over, under: 1 }, Type::Number { low, high, .. }) => {
                if !(low..=high).contains(&over) {
                    let what = format!("{over} lies outside the range from {low} to {high}");
                    self.lies_outside(value.span, what);
                    return None;
                }
                Some(over)
            }
            (Node::Truth(t), Type::Truth) => Some(i64::from(t)),
            (Node::Word(set, word), Type::Word(want)) if set == want => Some(i64::from(word)),
            (Node::NoThing, Type::Thing { maybe: true, .. }) => Some(0),
            (Node::Unit(at) | Node::Space(at), Type::Thing { kind, .. })
                if self.is_thing_of(found, kind) =>
            {
                Some(i64::from(at) + 1)
            }
            (Node::Side(side), Type::Thing { kind, .. }) if self.out.top(kind) == KindId::SIDE => {
                Some(i64::from(side.0) + 1)
            }
            _ => None,
        };
        if encoded.is_none() {
            if let (Ty::Of(Type::Number { fraction, .. }), Type::Number { .. }) = (found.ty, ty) {
                self.no_whole_number(value, fraction);
                return None;
            }
            if let (Ty::Of(Type::Word(is)), Type::Word(want)) = (found.ty, ty) {
                self.no_written_word(value, is == want, want);
                return None;
            }
            let (is, want) = (self.type_name(found.ty), self.type_name(Ty::Of(ty)));
            self.fault(
                Diagnostic::error(
                    code::E0302,
                    value.span,
                    format!("{want} should stand here, and this is {is}"),
                )
                .help("write a value of the attribute's own sort, as its kind declares it"),
            );
        }
        encoded
    }

    /// A word that is worked out, or of another thing, where one is stated.
    fn no_written_word(&mut self, value: &ast::Expr, same: bool, want: WordSetId) {
        let text = self.sources.slice(value.span).trim().to_owned();
        let why = if same { "is worked out" } else { "has words of its own" };
        let words = self.out.word_sets.get(want.index()).map_or(&[][..], |set| &set.words);
        let listed: Vec<String> = words.iter().take(4).map(|word| format!("`{word}`")).collect();
        let message = format!("a written word should stand here, and `{text}` {why}");
        let fault = Diagnostic::error(code::E0302, value.span, message)
            .help(format!("write {}", listed.join(" or ")));
        self.fault(fault.settled());
    }

    /// An amount that is not written as a whole number, where one is stated.
    fn no_whole_number(&mut self, value: &ast::Expr, fraction: bool) {
        let text = self.sources.slice(value.span).trim().to_owned();
        let fault = if fraction {
            Diagnostic::error(
                code::E0306,
                value.span,
                format!("a whole number is stated here, and `{text}` can be a fraction"),
            )
        } else {
            Diagnostic::error(
                code::E0302,
                value.span,
                format!("a written number should stand here, and `{text}` is worked out"),
            )
        };
        let help = if fraction {
            "write a whole number: an attribute holds no fractions"
        } else {
            "write the number that it comes to, without signs between"
        };
        self.fault(fault.help(help).settled());
    }

    /// Whether a value is a thing of a kind, whatever kind a declaration above it might allow.
    pub(super) fn is_thing_of(&self, found: Typed, kind: KindId) -> bool {
        matches!(found.ty, Ty::Of(Type::Thing { kind: is, .. }) if self.out.is_kind(is, kind))
    }

    /// A constant behind a sign.
    pub(super) fn folded(&self, id: ExprId) -> Node {
        match self.out.node(id) {
            Node::Arithmetic(zero, Sign::Minus, inner)
                if matches!(self.out.node(*zero), Node::Number { over: 0, .. }) =>
            {
                match self.out.node(*inner) {
                    Node::Number { over, under } => Node::Number { over: -over, under: *under },
                    other => other.clone(),
                }
            }
            other => other.clone(),
        }
    }
}
