//! Names that mean something, and not what stands where they are written: a space in a rule, a fact
//! in place of a kind, a fact without its thing.

use std::collections::HashMap;

use super::name::with_article;
use super::scope::Member;
use super::{Checker, ResolvedItem};
use crate::diag::{Diagnostic, Way, code};
use crate::ir::*;
use crate::syntax::ast::{self, ItemKind, MapLine, Name, SetupLine};

impl Checker<'_> {
    /// A name that is none of a kind, and what it is: a side, a fact, a thing of a map or setup.
    pub(super) fn no_kind(&self, name: &Name) -> Option<Diagnostic> {
        let text = &name.text;
        let fault =
            Diagnostic::error(code::E0203, name.span, format!("no kind is called `{text}`"));
        if self.symbols.sides.contains_key(text) {
            let fault = fault.ways(vec![Way::near(name.span, "side")]);
            return Some(fault.or_else(format!("`{text}` is a side, and each of them a `side`")));
        }
        if let Some(help) = self.placed(text) {
            return Some(fault.help(help).settled());
        }
        let members = &self.symbols.members;
        let one = text.strip_suffix('s').filter(|_| !members.contains_key(text));
        let (kind, member) = *members.get(one.unwrap_or(text))?.first()?;
        let kind =
            self.out.kinds.get(kind.index()).filter(|_| self.out.top(kind) != KindId::WORLD)?;
        let thing = match member {
            Member::Fact(fact) => self.out.facts.get(fact.index()).and_then(|f| match f.ty {
                Type::Thing { kind, .. } => self.out.kinds.get(kind.index()),
                _ => None,
            }),
            _ => None,
        };
        let said = one.unwrap_or(text);
        let noun =
            |kind: &Kind| if one.is_some() { kind.plural.clone() } else { kind.name.clone() };
        let write = thing.map_or_else(|| format!("{said} {}", noun(kind)), noun);
        let otherwise =
            format!("`{said}` is said of {}, and a kind stands here", with_article(&kind.name));
        Some(fault.ways(vec![Way::near(name.span, &write)]).or_else(otherwise))
    }

    /// The kind of a noun phrase. Where a fact stands behind the noun, its `where` is missing.
    pub(super) fn kind_of_things(&mut self, things: &ast::Things) -> Option<KindId> {
        let name = &things.kind;
        let known = |text: &str| self.symbols.kinds.contains_key(text);
        let behind = things.adjectives.last().is_some_and(|word| known(&word.text));
        if known(&name.text) || !behind || !self.symbols.members.contains_key(&name.text) {
            return self.kind(name);
        }
        self.symbols.unknown += 1;
        let what = format!("no kind is called `{}`", name.text);
        let write = format!("where {}", name.text);
        let otherwise = "what is asked of a thing stands before its noun, or behind `where`";
        self.fault(
            Diagnostic::error(code::E0203, name.span, what)
                .ways(vec![Way::near(name.span, &write)])
                .or_else(otherwise),
        );
        None
    }

    /// What to do instead of naming a space of a map or a unit of a setup.
    pub(super) fn placed(&self, name: &str) -> Option<String> {
        Some(match self.placed.get_or_init(|| placed(self.items)).get(name)? {
            Some(kind) => format!(
                "`{name}` is a space of a map: with `named {kind} {name}` each map must \
                 have it, and rules may name it"
            ),
            None => format!(
                "`{name}` is a unit of a setup, and rules name none: \
                 give it an attribute and ask for that"
            ),
        })
    }

    /// Words of the language that say how a thing stands to a side, where a fact should stand.
    pub(super) fn said_otherwise(&self, name: &Name, kind: KindId) -> Option<Diagnostic> {
        let text = &name.text;
        let write = match super::things::stance(text) {
            Some(_) => vec![format!("any {text} {}", self.kind_name(kind))],
            // Who holds a space, or who asks about it.
            None if text == "owner" && self.out.top(kind) == KindId::SPACE => {
                vec!["control".to_owned(), "viewer".to_owned()]
            }
            None if text == "owner" => vec!["viewer".to_owned()],
            None => return None,
        };
        let what = format!("no fact of {} is called `{text}`", self.a_kind(kind));
        let fault = Diagnostic::error(code::E0201, name.span, what);
        let otherwise = "the side that asks is `viewer`; how a thing stands to it is asked with `any` and a noun";
        let ways = write.iter().map(|write| Way::near(name.span, write)).collect();
        Some(fault.ways(ways).or_else(otherwise))
    }

    /// What is said of a thing, or by a clock, where nothing is the subject.
    pub(super) fn said_of_a_thing(&mut self, name: &Name) -> bool {
        let text = &name.text;
        let clock = self.out.clock.as_ref().is_some_and(|clock| clock.name == *text);
        let of = self.symbols.members.get(text).and_then(|all| all.first());
        let help = match of {
            _ if clock => format!(
                "count it, as in `clock {text} in {text}s from 1 to 20 has ...`, with a dimension of that name"
            ),
            Some((kind, _)) => {
                let kind = self.kind_name(*kind);
                format!(
                    "it is said of {}: name one behind `of`, or say of what this is, with `of {kind}`",
                    with_article(&kind)
                )
            }
            None => return false,
        };
        let what = format!("no unit, space, side or fact is called `{text}`");
        let fault = Diagnostic::error(code::E0201, name.span, what);
        self.fault(fault.help(help));
        true
    }
}

/// The spaces of all maps and the units of all setups, and which of the two each is.
/// What maps and setups name: the kind of a space, none for a unit.
fn placed(items: &[ResolvedItem]) -> HashMap<&str, Option<&str>> {
    let mut found = HashMap::new();
    for item in items {
        match &item.item.kind {
            ItemKind::Map(map) => found.extend(map.lines.iter().filter_map(|line| match line {
                MapLine::Space(space) => {
                    Some((space.name.text.as_str(), Some(space.kind.text.as_str())))
                }
                _ => None,
            })),
            ItemKind::Setup(setup) => {
                for line in &setup.lines {
                    if let SetupLine::Put(put) = line {
                        found.entry(put.name.text.as_str()).or_insert(None);
                    }
                }
            }
            _ => {}
        }
    }
    found
}
