//! Where a name is declared, and where it is used, in all files and variants of a unit.

use serde_json::{Value, json};

use super::index::{Index, Mention};
use super::place::Lines;
use super::unit::Asked;
use super::{Answer, Desk, Refusal};
use crate::source::Span;

impl Desk<'_> {
    pub(super) fn definition(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(found) = mention(&self, index, asked, params)? else { return Ok(Value::Null) };
        let places = index.entity(found.entity).map_or(&[][..], |e| &e.places);
        Ok(places.iter().map(|span| self.location(*span)).collect())
    }

    pub(super) fn references(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(found) = mention(&self, index, asked, params)? else { return Ok(Value::Null) };
        let with = params.pointer("/context/includeDeclaration").and_then(Value::as_bool);
        let with = with.unwrap_or(true);
        let all = index.family(found.entity).into_iter().flat_map(|e| index.of_entity(e));
        let mut all: Vec<Mention> = all.filter(|m| with || !m.declares).collect();
        all.sort_by_key(|m| m.span);
        Ok(all.iter().map(|m| self.location(m.span)).collect())
    }

    pub(super) fn highlights(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(found) = mention(&self, index, asked, params)? else { return Ok(Value::Null) };
        let lines = asked.lines();
        let family = index.family(found.entity);
        let here = index.of_file(found.span.source).filter(|m| family.contains(&m.entity));
        let shown = |m: &Mention| json!({ "range": lines.span(m.span), "kind": if m.declares { 3 } else { 2 } });
        Ok(here.map(shown).collect())
    }

    /// A place in any file of the unit.
    pub(super) fn location(&self, span: Span) -> Value {
        let text = self.unit.text(self.store, span.source);
        let range = Lines::of(&text, self.encoding).span(span);
        json!({ "uri": self.store.uri(self.unit.file(span.source)), "range": range })
    }
}

/// The name at the position of a request.
pub(super) fn mention(
    desk: &Desk<'_>,
    index: &Index,
    asked: &Asked<'_>,
    params: &Value,
) -> Result<Option<Mention>, Refusal> {
    let byte = byte(asked, params)?;
    let source = desk.unit.source(&asked.path);
    Ok(source.and_then(|source| index.at(source, byte)))
}

/// The byte of the position of a request.
pub(super) fn byte(asked: &Asked<'_>, params: &Value) -> Result<usize, Refusal> {
    let position = params.get("position").and_then(|p| asked.lines().at(p));
    position.ok_or_else(|| Refusal::params("the request has no `position`"))
}
