//! Setups: units with ids of their own, in spaces that exist, and what is stated of the position.

use std::collections::HashMap;

use super::scope::{Objects, Scope};
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::{SourceId, Span};
use crate::syntax::ast::{self, ItemKind, Name, Put, SetupLine};

/// A fact of a thing, or of the world, as one file says it.
pub(super) type Said = (SourceId, FactId, Option<u32>);

impl<'a> Checker<'a> {
    pub(super) fn setups(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Setup(setup) = &item.item.kind else { continue };
            if !self.declare_name("setup", &setup.name) {
                continue;
            }
            let Some(map) = self.map_called(&setup.map) else {
                self.symbols.lost.push(setup.name.text.clone());
                let puts = setup.lines.iter().filter_map(|l| match l {
                    SetupLine::Put(put) => Some(put.name.text.clone()),
                    SetupLine::Given(_) => None,
                });
                self.symbols.lost.extend(puts);
                continue;
            };
            let mut objects = self.objects_of(map);
            let puts: Vec<&Put> = setup
                .lines
                .iter()
                .filter_map(|l| match l {
                    SetupLine::Put(put) => Some(put),
                    SetupLine::Given(_) => None,
                })
                .collect();
            let units = self.put_units(&puts, &mut objects);
            let mut facts: Vec<State> =
                puts.iter().filter_map(|put| self.put_place(put, &objects)).collect();
            let mut before = HashMap::new();
            for line in &setup.lines {
                if let SetupLine::Given(given) = line {
                    let stated = self.states(given, &objects);
                    let some = (!stated.is_empty()).then_some(stated);
                    let stated = self.nothing_lost(given.span, some).unwrap_or_default();
                    self.said_of_things(given.span, &stated);
                    self.said_once(given.span, &stated, &mut before);
                    facts.extend(stated);
                }
            }
            for (put, unit) in puts.iter().zip(&units) {
                let at = objects.units.get(&unit.id).map_or(u32::MAX, |(at, _)| *at);
                let mut said = self.stated_of(at, facts.iter());
                said.extend(unit.facts.iter().map(|(fact, _)| *fact));
                self.has_what_it_must(unit.kind, (&unit.id, put.name.span), &said);
            }
            self.setup_has_what_it_must(map, (&setup.name.text, setup.name.span), &facts);
            self.symbols.setups.insert(setup.name.text.clone(), SetupId::at(self.out.setups.len()));
            let title = setup.title.as_ref().map_or(&setup.name.text, |t| &t.text).clone();
            self.out.setups.push(Setup { name: setup.name.text.clone(), title, map, units, facts });
        }
    }

    /// One line would do nothing where a setup or a map says twice how a thing begins; a line of a
    /// variant takes the place of one of its parent.
    pub(super) fn said_once(
        &mut self,
        span: Span,
        stated: &[State],
        before: &mut HashMap<Said, Span>,
    ) {
        for state in stated {
            let State::Fact(fact, of, _) = state else { continue };
            let of = match of.map(|of| self.out.node(of)) {
                None => None,
                Some(Node::Unit(at) | Node::Space(at) | Node::Link(at)) => Some(*at),
                Some(_) => continue,
            };
            let first = *before.entry((span.source, *fact, of)).or_insert(span);
            if first != span {
                let name = self.out.facts.get(fact.index()).map_or("", |fact| fact.name.as_str());
                let place = if self.on_map { "on this map" } else { "in this setup" };
                let message = format!("`{name}` of one thing is given twice {place}");
                let fault = Diagnostic::error(code::E0202, span, message);
                self.fault(fault.label(first, "first given here").help("leave one of the two out"));
                return;
            }
        }
    }

    /// A setup states facts of things by their names, so that a position can begin before anything
    /// is worked out.
    fn said_of_things(&mut self, span: Span, stated: &[State]) {
        let named = |of: &ExprId| self.out.node(*of).is_object();
        let worked_out = stated.iter().any(|s| match s {
            State::Fact(_, Some(of), _) | State::Verdict(_, of, _) | State::Place(of, _) => {
                !named(of)
            }
            State::Pair(_, a, b, _) => !named(a) || !named(b),
            State::Fact(_, None, _)
            | State::Relation(..)
            | State::Viewer(_)
            | State::Ruling(..) => false,
        });
        if worked_out {
            self.fault(
                Diagnostic::error(
                    code::E0308,
                    span,
                    "a setup states facts of things by their names",
                )
                .help("name the unit or the space itself, as in `given strength of A is 3`"),
            );
        }
    }

    pub(super) fn map_called(&mut self, name: &Name) -> Option<MapId> {
        let found = self.symbols.maps.get(&name.text).copied();
        if found.is_none() && !self.is_lost("map") {
            let known = self.gathered(self.symbols.maps.keys().cloned());
            self.unknown(code::E0703, name, "map", known.iter().map(String::as_str));
        }
        found
    }

    /// The named units of the ruleset and the spaces of a map.
    pub(super) fn objects_of(&self, map: MapId) -> Objects {
        let mut objects = Objects { map: Some(map), ..Objects::default() };
        for (at, named) in self.out.named.iter().enumerate() {
            objects
                .units
                .insert(named.name.clone(), (u32::try_from(at).unwrap_or(u32::MAX), named.kind));
        }
        objects
    }

    /// The units of `put` lines; all ids are known before any attribute is read, so that order does
    /// not matter.
    pub(super) fn put_units(&mut self, puts: &[&Put], objects: &mut Objects) -> Vec<PutUnit> {
        let mut kept = Vec::new();
        for put in puts {
            let Some(kind) = self.kind(&put.kind) else {
                self.symbols.lost.push(put.name.text.clone());
                continue;
            };
            if !self.out.is_kind(kind, KindId::UNIT) {
                self.fault(
                    Diagnostic::error(
                        code::E0207,
                        put.kind.span,
                        format!("`{}` is no kind of unit", put.kind.text),
                    )
                    .help("put a kind below `unit`, as in `put army A of Red in Port`"),
                );
                continue;
            }
            let id = &put.name.text;
            if objects.units.contains_key(id) {
                self.fault(
                    Diagnostic::error(
                        code::E0202,
                        put.name.span,
                        format!("a unit called `{id}` is there already"),
                    )
                    .help("every unit has an id of its own"),
                );
                continue;
            }
            if self.space_of(objects, id).is_some() || self.symbols.sides.contains_key(id) {
                self.fault(
                    Diagnostic::error(
                        code::E0202,
                        put.name.span,
                        format!("`{id}` is the name of a space or a side"),
                    )
                    .help("give the unit another id"),
                );
                continue;
            }
            let at = u32::try_from(objects.units.len()).unwrap_or(u32::MAX);
            objects.units.insert(id.clone(), (at, kind));
            kept.push((*put, kind));
        }
        kept.into_iter().map(|(put, kind)| self.put_unit(put, kind, objects)).collect()
    }

    fn put_unit(&mut self, put: &Put, kind: KindId, objects: &Objects) -> PutUnit {
        // `in Hill of Red`: the owner stands behind the place.
        let misplaced = match put.place.as_ref().map(|p| p.heads.as_slice()) {
            Some(
                [
                    ast::Head { kind: ast::HeadKind::Name(space), .. },
                    ast::Head { kind: ast::HeadKind::Name(side), .. },
                ],
            ) if put.owner.is_none() && self.symbols.sides.contains_key(&side.text) => {
                Some((space.clone(), side.clone()))
            }
            _ => None,
        };
        if let Some((space, side)) = &misplaced {
            let (kind, id) = (&put.kind.text, &put.name.text);
            self.fault(
                Diagnostic::error(
                    code::E0706,
                    side.span,
                    "the owner of a unit stands before its place",
                )
                .help(format!("write `put {kind} {id} of {} in {}`", side.text, space.text)),
            );
        }
        let owner = match &put.owner {
            None if misplaced.is_some() => None,
            Some(name) => self.side(name),
            None => {
                if !self.out.sides.is_empty() {
                    self.fault(
                        Diagnostic::error(
                            code::E0706,
                            put.name.span,
                            format!("nobody owns `{}`", put.name.text),
                        )
                        .help(format!("write `put {} {} of SIDE`", put.kind.text, put.name.text)),
                    );
                }
                None
            }
        };
        let scope = Scope { objects: Some(objects), ..Scope::default() };
        let space = put
            .place
            .as_ref()
            .filter(|_| misplaced.is_none())
            .and_then(|path| self.space_called(path, objects));
        let facts = self.withs(&put.with, kind, &scope);
        let title = put.title.as_ref().map_or(&put.name.text, |t| &t.text).clone();
        PutUnit { id: put.name.text.clone(), title, kind, owner, space, facts }
    }

    /// Where a `put` lays its unit on a table.
    pub(super) fn put_place(&mut self, put: &Put, objects: &Objects) -> Option<State> {
        let placed = put.at.as_deref()?;
        let stand = self.stand(placed, objects.map)?;
        let (at, _) = objects.units.get(&put.name.text).copied()?;
        let unit = self.node(Node::Unit(at), put.name.span);
        Some(State::Place(unit, Some(stand)))
    }

    /// The space that a `put` names.
    fn space_called(&mut self, path: &ast::Path, objects: &Objects) -> Option<u32> {
        let name = match path.heads.as_slice() {
            [ast::Head { kind: ast::HeadKind::Name(name) | ast::HeadKind::Hex(name), .. }]
                if !path.here && path.between.is_none() =>
            {
                name
            }
            _ => {
                self.fault(
                    Diagnostic::error(
                        code::E0704,
                        path.span,
                        "a unit is put into a space of the map",
                    )
                    .help("name the space"),
                );
                return None;
            }
        };
        let found = self.space_of(objects, &name.text);
        if found.is_none() {
            self.no_space(code::E0704, name, objects.map);
        }
        found.map(|(at, _)| at)
    }
}
