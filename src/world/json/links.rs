//! What a position says of links, entry by entry.

use std::collections::HashMap;

use super::fields::Fields;
use super::names::{Found, Names, facts_of, kind_name};
use super::reader::Reader;
use super::tree::{Range, Value};
use super::{LINK, pretty::Json};
use crate::diag::{Diagnostic, code};
use crate::ir::{KindId, Ruleset};
use crate::map::{Map, OneLink};
use crate::world::{ThingRef, World};

impl Reader<'_, '_> {
    /// `"links": [{"kind": "railway", "from": "Stop", "to": "Yard", "facts": {"blown": true}}]`
    pub fn links(&mut self, value: &Value<'_>, names: &Names<'_, '_>, world: &mut World) {
        let Value::List(list) = value else {
            return self.sort(value, "a list of links");
        };
        let mut first: HashMap<u32, Range> = HashMap::new();
        for entry in &list.items {
            let Some(fields) = self.fields(entry, "a link", &LINK) else { continue };
            let Some((at, link)) = self.link(&fields, names) else { continue };
            if let Some(before) = first.insert(at, entry.range()) {
                let fault = Diagnostic::error(
                    code::E0802,
                    self.span(entry.range()),
                    "this link stands twice",
                )
                .at("again here")
                .label(self.span(before), "first here")
                .help("write its facts in one entry; links have no direction");
                self.fault(fault);
                continue;
            }
            if let Some(facts) = fields.get("facts") {
                self.facts(facts, link.kind, ThingRef::Link(at), names, world);
            }
        }
    }

    /// The link that an entry names.
    fn link(&mut self, fields: &Fields<'_, '_>, names: &Names<'_, '_>) -> Option<(u32, OneLink)> {
        let kind = self.link_kind(fields);
        let (from, to) = (self.link_end(fields, "from", names), self.link_end(fields, "to", names));
        let (kind, from, to) = (kind?, from?, to?);
        let map = names.map()?;
        let found = map.number_of(OneLink::of(kind, from, to));
        if found.is_none() {
            let id = |at: u32| map.spaces.get(at as usize).map_or("", |space| space.id.as_str());
            let message =
                format!("no {} joins `{}` and `{}`", kind_name(self.rules, kind), id(from), id(to));
            self.error(code::E0806, fields.open, message, "name the two ends of a link of the map");
        }
        Some((found?, OneLink::of(kind, from, to)))
    }

    fn link_kind(&mut self, fields: &Fields<'_, '_>) -> Option<KindId> {
        let rules = self.rules;
        let kinds = || changing_kinds(rules).map(|kind| kind_name(rules, kind));
        let Some(value) = fields.get("kind") else {
            self.error(
                code::E0804,
                fields.open,
                "this link has no `kind`",
                "name the kind of the link",
            );
            return None;
        };
        let text = self.text(value, "a kind of link")?;
        let found = changing_kinds(rules).find(|kind| kind_name(rules, *kind) == text.value);
        if found.is_none() {
            let what = "kind of link of which a position says more";
            self.unknown(code::E0806, &text.value, text.range, what, kinds());
        }
        found
    }

    fn link_end(
        &mut self,
        fields: &Fields<'_, '_>,
        name: &str,
        names: &Names<'_, '_>,
    ) -> Option<u32> {
        let Some(value) = fields.get(name) else {
            let message = format!("this link has no `{name}`");
            self.error(code::E0804, fields.open, message, "name the two spaces that it joins");
            return None;
        };
        let text = self.text(value, "the id of a space")?;
        match names.space(&text.value) {
            Found::At(at, _) => Some(at),
            Found::Lost => None,
            Found::Unknown => {
                self.no_space(&text.value, text.range, names);
                None
            }
        }
    }
}

/// The kinds of link of which a position says more.
pub(super) fn changing_kinds(rules: &Ruleset) -> impl Iterator<Item = KindId> {
    let kinds = (0..rules.kinds.len()).map(KindId::at).filter(|kind| rules.is_printed(*kind));
    kinds.filter(|kind| rules.top(*kind) == KindId::LINK && facts_of(rules, *kind).next().is_some())
}

/// The entry of a link, by its kind and its ends.
pub(super) fn entry(
    rules: &Ruleset,
    map: &Map,
    link: &OneLink,
    facts: Vec<(String, Json)>,
) -> Json {
    let id = |at: u32| {
        map.spaces.get(at as usize).map_or(Json::Null, |space| Json::Text(space.id.clone()))
    };
    Json::Object(vec![
        ("kind".to_owned(), Json::Text(kind_name(rules, link.kind).to_owned())),
        ("from".to_owned(), id(link.from)),
        ("to".to_owned(), id(link.to)),
        ("facts".to_owned(), Json::Object(facts)),
    ])
}
