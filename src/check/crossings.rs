//! `no junction of roads at Bridge, Ford`: spaces in which links of a kind cross and do not meet.
//!
//! What a map draws with one `link` or `line` is one line at each space that it comes by.

use super::Checker;
use super::links::Found;
use crate::arrange::Arrange as _;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::map::{Crossing, Map, OnLines};
use crate::source::Span;
use crate::syntax::ast::{self, MapLine, Name};

/// The links of a drawn line at one space, by kind and other end.
type OneLine = Vec<(KindId, u32)>;

/// The lines of a kind at a space: what one link lies on is one line, however often it is drawn.
fn lines_at(rules: &Ruleset, drawn: &[Vec<(KindId, u32, u32)>], at: (KindId, u32)) -> Vec<OneLine> {
    let (kind, space) = at;
    let mut lines: Vec<OneLine> = Vec::new();
    for line in drawn {
        let here = line
            .iter()
            .filter(|(of, a, b)| (*a == space || *b == space) && rules.is_kind(*of, kind));
        let mut new: OneLine =
            here.map(|(of, a, b)| (*of, if *a == space { *b } else { *a })).collect();
        if new.is_empty() {
            continue;
        }
        let (joined, apart): (Vec<OneLine>, Vec<OneLine>) =
            lines.into_iter().partition(|known| known.iter().any(|link| new.contains(link)));
        new.extend(joined.into_iter().flatten());
        new.arrange();
        new.dedup();
        lines = apart;
        lines.push(new);
    }
    lines
}

impl Checker<'_> {
    /// The crossings of a map, of the lines that it has drawn.
    pub(super) fn crossings(&mut self, map: &ast::Map, all: &Found, out: &mut Map) {
        let mut said: Vec<(KindId, u32, Span)> = Vec::new();
        for line in &map.lines {
            let MapLine::NoJunction { kind: noun, spaces } = line else { continue };
            let Some(kind) = self.link(noun) else { continue };
            if !self.may_cross(noun, kind) {
                continue;
            }
            for name in spaces {
                let Some(space) = self.end(name, out) else { continue };
                let known = said.iter().find(|(of, at, _)| (*of, *at) == (kind, space));
                if let Some((.., first)) = known.copied() {
                    let message =
                        format!("`{}` has no junction of {} already", name.text, noun.text);
                    self.fault(
                        Diagnostic::error(code::E0202, name.span, message)
                            .label(first, "here first")
                            .help("take one of the two out"),
                    );
                    continue;
                }
                said.push((kind, space, name.span));
                let lines = lines_at(&self.out, &all.drawn, (kind, space));
                if lines.len() < 2 {
                    self.nothing_crosses(noun, name, lines.len());
                    continue;
                }
                out.crossings.push(Crossing { space, kind, lines });
            }
        }
        out.crossings.arrange_by_key(|crossing| (crossing.space, crossing.kind));
        if !said.is_empty() {
            let spans = said.into_iter().map(|(kind, space, span)| (space, kind, span)).collect();
            self.symbols.crossings.insert(out.name.clone(), spans);
        }
    }

    /// Whether links of a kind are drawn in lines.
    fn may_cross(&mut self, noun: &Name, kind: KindId) -> bool {
        let message = if self.out.joins_each_two(kind) {
            format!("no map draws {}, so that none crosses another", noun.text)
        } else if self.out.is_kind(kind, KindId::HEXSIDE) {
            format!("{} lie along the sides of hexes and cross in none", noun.text)
        } else {
            return true;
        };
        self.fault(
            Diagnostic::error(code::E0732, noun.span, message)
                .help("name a kind of link that the map draws from space to space"),
        );
        false
    }

    fn nothing_crosses(&mut self, noun: &Name, name: &Name, lines: usize) {
        let message = match lines {
            0 => format!("no line of {} comes by `{}`", noun.text, name.text),
            _ => format!("one line of {} comes by `{}`, and crosses none", noun.text, name.text),
        };
        self.fault(Diagnostic::error(code::E0732, name.span, message).label(noun.span, "of these").help(
            "draw each of the lines that cross by itself: `link road A to X to B` and `link road C to X to D`; what one `link` \
             draws is one line",
        ));
    }

    /// Refuses legs that tell apart by which of several links a step goes, where these lie on
    /// different lines of a crossing: a step is known by its two spaces.
    pub(super) fn steps_at_crossings(&mut self) {
        let mut faults = Vec::new();
        for map in &self.out.maps {
            let said = self.symbols.crossings.get(&map.name);
            for (space, kind, span) in said.into_iter().flatten() {
                let legs = self.out.traces.iter().flat_map(|trace| &trace.legs);
                for leg in legs {
                    let Some(other) = self.unsure_step(map, leg, *space) else { continue };
                    let id = map.spaces.get(other as usize).map_or("", |space| &space.id);
                    let line = self.out.lines.get(leg.over_line.index()).map(|line| line.span);
                    let message = format!(
                        "a step from `{id}` goes along links of several lines, and this leg asks which"
                    );
                    let fault = Diagnostic::error(code::E0733, line.unwrap_or(*span), message);
                    let crossed = format!("no junction of {} here", self.kind_name(*kind));
                    faults.push(fault.label(*span, crossed).help(
                        "let the leg go over all of these links alike, or give each a leg of its own with `instead of`",
                    ));
                }
            }
        }
        self.faults.extend(faults);
    }

    /// A neighbour of a space from which a step of a leg goes along links that lie on different
    /// lines, where the leg asks more of its links than that they are there.
    fn unsure_step(&self, map: &Map, leg: &Leg, space: u32) -> Option<u32> {
        let rules = &self.out;
        let base = |kind: KindId| {
            rules.kinds.get(kind.index()).and_then(|kind| kind.some_of).unwrap_or(kind)
        };
        let told = leg.over.is_some() || leg.links.iter().any(|kind| !rules.is_printed(*kind));
        let of_leg = |kind| leg.links.iter().any(|link| rules.is_kind(kind, base(*link)));
        let mut met: Vec<(u32, OnLines)> = Vec::new();
        for links in map.links.iter().filter(|l| told && rules.is_printed(l.kind) && of_leg(l.kind))
        {
            for other in links.of(space) {
                let lines = map.on_lines(space, links.kind, *other);
                if met.iter().any(|(known, of)| known == other && *of != lines) {
                    return Some(*other);
                }
                met.push((*other, lines));
            }
        }
        None
    }
}
