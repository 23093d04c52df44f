//! Call hierarchy: which rules read a define, a table or a trace, and what it reads itself.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::find::mention;
use super::index::{Entity, Index};
use super::symbols::symbol_kind;
use super::unit::Asked;
use super::{Answer, Desk};
use crate::check::names::Space;
use crate::source::Span;

impl Desk<'_> {
    pub(super) fn prepare_calls(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let found = mention(&self, index, asked, params)?;
        let found = found.filter(|m| index.entity(m.entity).is_some_and(is_called));
        let item = found.and_then(|m| self.call(index, m.entity));
        Ok(item.map_or(Value::Null, |item| json!([item])))
    }

    pub(super) fn incoming(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(of) = self.called(index, asked, params)? else { return Ok(Value::Null) };
        let mut by: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
        for one in index.of_entity(of).iter().filter(|m| !m.declares) {
            if let Some(from) = self.around(index, one.span) {
                by.entry(from).or_default().push(one.span);
            }
        }
        Ok(self.listed(index, by, "from"))
    }

    pub(super) fn outgoing(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(of) = self.called(index, asked, params)? else { return Ok(Value::Null) };
        let mut by: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
        for place in index.entity(of).map_or(&[][..], |e| &e.places) {
            let Some(item) = index.item_at(place.source, place.start) else { continue };
            let inside = |span: Span| item.span.start <= span.start && span.end <= item.span.end;
            for one in index.of_file(place.source).filter(|m| inside(m.span) && !m.declares) {
                if index.entity(one.entity).is_some_and(is_called) {
                    by.entry(one.entity).or_default().push(one.span);
                }
            }
        }
        Ok(self.listed(index, by, "to"))
    }

    /// What the item of a request stands for.
    fn called(
        &self,
        index: &Index,
        asked: &Asked<'_>,
        params: &Value,
    ) -> Result<Option<usize>, super::Refusal> {
        let start = params.pointer("/item/selectionRange/start").cloned();
        let place = json!({ "position": start });
        Ok(mention(self, index, asked, &place)?.map(|m| m.entity))
    }

    /// What the item around a place declares.
    fn around(&self, index: &Index, span: Span) -> Option<usize> {
        let item = index.item_at(span.source, span.start)?;
        let mut inside = index
            .of_file(span.source)
            .filter(|m| item.span.start <= m.span.start && m.span.end <= item.span.end);
        inside.find(|m| m.declares).map(|m| m.entity)
    }

    fn listed(&self, index: &Index, by: BTreeMap<usize, Vec<Span>>, end: &str) -> Value {
        let ranges = self.ranges();
        let one = |(entity, spans): (usize, Vec<Span>)| {
            let item = self.call(index, entity)?;
            // The places of incoming calls lie with the caller, those of outgoing with the called.
            let ranges: Vec<Value> = spans.iter().map(|span| ranges.range(*span)).collect();
            Some(json!({ end: item, "fromRanges": ranges }))
        };
        by.into_iter().filter_map(one).collect()
    }

    fn call(&self, index: &Index, entity: usize) -> Option<Value> {
        let of = index.entity(entity)?;
        let place = *of.places.first()?;
        let item = index.item_at(place.source, place.start).map_or(place, |i| i.span);
        let ranges = self.ranges();
        Some(json!({
            "name": of.what.name,
            "detail": format!("{} of {}", of.what.noun, of.what.owner),
            "kind": symbol_kind(of.what.space, of.what.noun),
            "uri": ranges.uri(place.source),
            "range": ranges.range(item.to(place)),
            "selectionRange": ranges.range(place),
        }))
    }
}

/// Whether something is worked out when it is read.
fn is_called(entity: &Entity) -> bool {
    match entity.what.space {
        Space::Member => {
            matches!(
                entity.what.noun,
                "define" | "table" | "trace" | "test" | "hook" | "choice" | "answer"
            )
        }
        Space::Name => entity.what.noun == "pair",
        Space::Phase => true,
        _ => false,
    }
}
