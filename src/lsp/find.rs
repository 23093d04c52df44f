//! Where a name is declared, and where it is used, in all files and variants of a unit.

use serde_json::{Value, json};

use super::index::{Index, Mention};
use super::unit::{Asked, Ranges};
use super::{Answer, Desk, Refusal};
use crate::arrange::Arrange as _;

impl Desk<'_> {
    pub(super) fn definition(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(found) = mention(&self, index, asked, params)? else { return Ok(Value::Null) };
        let places = index.entity(found.entity).map_or(&[][..], |e| &e.places);
        let ranges = self.ranges();
        Ok(places.iter().map(|span| ranges.location(*span)).collect())
    }

    pub(super) fn references(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let index = self.unit.index(self.words);
        let Some(found) = mention(&self, index, asked, params)? else { return Ok(Value::Null) };
        let with = params.pointer("/context/includeDeclaration").and_then(Value::as_bool);
        let with = with.unwrap_or(true);
        let all = index.family(found.entity).into_iter().flat_map(|e| index.of_entity(e));
        let mut all: Vec<Mention> = all.filter(|m| with || !m.declares).collect();
        all.arrange_by_key(|m| m.span);
        let ranges = self.ranges();
        Ok(all.iter().map(|m| ranges.location(m.span)).collect())
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

    /// Places in the files of the unit.
    pub(super) fn ranges(&self) -> Ranges<'_> {
        Ranges::of(self.unit, self.store, self.encoding)
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
