//! JSON text as a tree without places, several times as fast as with them.
//!
//! Takes text; gives its tree, or nothing where it is no JSON or holds what a tree does not: then
//! the text is read with places, which tells what is wrong. Its slow twin is `text::parse`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::tree::{Digits, Entry, List, Number, Object, Range, Text, Value};
use crate::source::MAX_DEPTH;

/// The value that a text holds.
pub(super) fn parse(text: &str) -> Option<Value<'_>> {
    let mut parser = serde_json::Deserializer::from_str(text);
    let value = AnyValue { deeper: MAX_DEPTH }.deserialize(&mut parser).ok()?;
    parser.end().ok()?;
    Some(value)
}

const NOWHERE: Range = Range { start: 0, end: 0 };

/// A value in which brackets are nested so deep at most.
struct AnyValue {
    deeper: usize,
}

impl AnyValue {
    fn inner<E: Error>(&self) -> Result<usize, E> {
        self.deeper.checked_sub(1).ok_or_else(|| E::custom("too deep"))
    }
}

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value<'de>, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value<'de>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a value without fractions")
    }

    fn visit_unit<E: Error>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null(NOWHERE))
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Value<'de>, E> {
        Ok(Value::Truth(truth, NOWHERE))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value<'de>, E> {
        Ok(Value::Number(Number { value: Digits::Whole(number), range: NOWHERE }))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value<'de>, E> {
        i64::try_from(number).map_err(E::custom).and_then(|number| self.visit_i64(number))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Text { value: Cow::Borrowed(text), range: NOWHERE }))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Text { value: Cow::Owned(text.to_owned()), range: NOWHERE }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value<'de>, A::Error> {
        let deeper = self.inner()?;
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(AnyValue { deeper })? {
            items.push(item);
        }
        Ok(Value::List(List { items, range: NOWHERE }))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value<'de>, A::Error> {
        let deeper = self.inner()?;
        let mut entries = Vec::new();
        while let Some(key) = object.next_key_seed(Key)? {
            let value = object.next_value_seed(AnyValue { deeper })?;
            entries.push(Entry { key, value });
        }
        Ok(Value::Object(Object { entries, range: NOWHERE }))
    }
}

/// A key of an object, of the text itself where it has no escapes.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Text<'de>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Text<'de>, D::Error> {
        from.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Text<'de>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text { value: Cow::Borrowed(text), range: NOWHERE })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text { value: Cow::Owned(text.to_owned()), range: NOWHERE })
    }
}
