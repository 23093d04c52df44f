//! What the ends of a link must be: `joins hexes where terrain is not sea`, asked of the map as it
//! is printed.

use super::scope::Scope;
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::kernel::{Cx, Position};
use crate::source::Span;
use crate::syntax::ast::{ItemKind, Name};
use crate::world::{ThingRef, World};

/// One end of a link as it was written: which space, and where.
pub(super) struct End {
    /// The kind of the link.
    pub kind: KindId,
    /// The space.
    pub space: u32,
    /// Where it is named; where its kind is, for a link that no map lists.
    pub span: Span,
    /// Whether no map lists the link.
    pub made: bool,
}

/// What joins spaces is said of a kind that is no link.
pub(super) fn joins_nothing(kind: &str, span: Span) -> Diagnostic {
    let message = format!("a {kind} joins nothing: it is no kind of link");
    Diagnostic::error(code::E0207, span, message)
}

/// What is joined is no kind of space.
pub(super) fn no_kind_of_space(name: &Name) -> Diagnostic {
    let message = format!("`{}` is no kind of space", name.text);
    Diagnostic::error(code::E0207, name.span, message).help("a link joins spaces")
}

impl<'a> Checker<'a> {
    /// Reads the `joins` lines of all kinds of link.
    pub(super) fn joins(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Kind(kind) = &item.item.kind else { continue };
            let Some(joins) = &kind.joins else { continue };
            let Some(id) = self.symbols.kinds.get(&kind.name.text).copied() else { continue };
            if !self.out.is_kind(id, KindId::LINK) {
                let fault = joins_nothing(&kind.name.text, joins.span);
                self.fault(fault.help("`joins` stands under a kind of link"));
                continue;
            }
            if let Some(place) = &joins.place {
                self.fault(
                    Diagnostic::error(
                        code::E0304,
                        place.span,
                        "what a link joins is told by the spaces alone, not by their place",
                    )
                    .help("say it behind `where`"),
                );
                continue;
            }
            let things = self.seen(true, |c| c.things(joins, &Scope::default(), false));
            let of = self.out.things.get(things.index()).map_or(KindId::SPACE, |t| t.kind);
            if !self.out.is_kind(of, KindId::SPACE) {
                self.fault(no_kind_of_space(&joins.kind));
                continue;
            }
            self.symbols.joins.insert(id, (things, joins.span));
        }
    }

    /// Asks the ends of links what their kinds ask for. Each end is told once, however many links
    /// meet there.
    pub(super) fn check_joins(&mut self, map: MapId, ends: &[End]) {
        // With faults in the rules the conditions may have holes.
        if self.symbols.joins.is_empty() || ends.is_empty() || crate::diag::has_errors(&self.faults)
        {
            return;
        }
        let world = World::new(&self.out, map);
        let Some(position) = Position::new(&self.out, &world) else { return };
        let mut faults = Vec::new();
        let mut answers: indexmap::IndexMap<(ThingsId, u32), bool> = indexmap::IndexMap::new();
        for (at, end) in ends.iter().enumerate() {
            for (kind, (things, joins)) in &self.symbols.joins {
                if !self.out.is_kind(end.kind, *kind) {
                    continue;
                }
                let Some(wanted) = self.out.things.get(things.index()) else { continue };
                let space = ThingRef::Space(end.space);
                let fits = *answers.entry((*things, end.space)).or_insert_with(|| {
                    let cx = Cx::world(None).with(wanted.level, space);
                    // What cannot be worked out does not hold.
                    position.is_kind(space, wanted.kind)
                        && wanted.condition.is_none_or(|c| position.holds(c, &cx).unwrap_or(false))
                });
                let told = |e: &End| e.span == end.span && (!end.made || e.space == end.space);
                if !fits && !ends.iter().take(at).rev().take(2).any(told) {
                    let name = match self.out.maps.get(map.index()).filter(|_| end.made) {
                        Some(map) => map.spaces.get(end.space as usize).map_or("", |s| &s.id),
                        None => self.sources.slice(end.span),
                    };
                    let (link, name) = (self.kind_name(end.kind), name.to_owned());
                    faults.push(
                        Diagnostic::error(
                            code::E0711,
                            end.span,
                            format!("a {link} cannot run through `{name}`"),
                        )
                        .label(*joins, format!("a {} joins only these", self.kind_name(*kind)))
                        .help(format!(
                            "lead the {link} another way, or change what `{name}` or the kind says"
                        )),
                    );
                }
            }
        }
        self.faults.extend(faults);
    }
}
