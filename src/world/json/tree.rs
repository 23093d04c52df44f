//! JSON as a tree with byte ranges: what the reader of positions walks over.
//!
//! Takes what a parser has read; knows nothing of positions. A tree that was read fast has no
//! ranges: whoever finds a fault in it reads the text again with them.

use std::borrow::Cow;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;

/// Bytes of the text; nought to nought where they are not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub start: usize,
    pub end: usize,
}

impl Range {
    pub fn new(start: usize, end: usize) -> Range {
        Range { start, end }
    }

    fn of(part: &impl Ranged) -> Range {
        Range::new(part.start(), part.end())
    }
}

/// A value of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Text(Text<'a>),
    Number(Number<'a>),
    Truth(bool, Range),
    Null(Range),
    List(List<'a>),
    Object(Object<'a>),
}

/// A string without its quotes and escapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text<'a> {
    pub value: Cow<'a, str>,
    pub range: Range,
}

/// A number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number<'a> {
    pub value: Digits<'a>,
    pub range: Range,
}

/// A number as far as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Digits<'a> {
    /// a whole one
    Whole(i64),
    /// as it was written
    Written(&'a str),
}

/// Values in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct List<'a> {
    pub items: Vec<Value<'a>>,
    pub range: Range,
}

/// Values by their keys, in written order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object<'a> {
    pub entries: Vec<Entry<'a>>,
    pub range: Range,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    pub key: Text<'a>,
    pub value: Value<'a>,
}

impl<'a> Value<'a> {
    /// The bytes of the value.
    pub fn range(&self) -> Range {
        match self {
            Value::Text(text) => text.range,
            Value::Number(number) => number.range,
            Value::Truth(_, range) | Value::Null(range) => *range,
            Value::List(list) => list.range,
            Value::Object(object) => object.range,
        }
    }

    /// The values of a list.
    pub fn items(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::List(list) => Some(&list.items),
            _ => None,
        }
    }

    /// The first value of a key of an object.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        match self {
            Value::Object(object) => {
                object.entries.iter().find(|entry| entry.key.value == key).map(|entry| &entry.value)
            }
            _ => None,
        }
    }

    /// What a string says.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(&text.value),
            _ => None,
        }
    }
}

/// The tree of the library that knows the places.
impl<'a> From<ast::Value<'a>> for Value<'a> {
    fn from(value: ast::Value<'a>) -> Value<'a> {
        let range = Range::of(&value);
        match value {
            ast::Value::StringLit(text) => Value::Text(Text { value: text.value, range }),
            ast::Value::NumberLit(number) => {
                Value::Number(Number { value: Digits::Written(number.value), range })
            }
            ast::Value::BooleanLit(truth) => Value::Truth(truth.value, range),
            ast::Value::NullKeyword(_) => Value::Null(range),
            ast::Value::Array(list) => {
                let items = list.elements.into_iter().map(Value::from).collect();
                Value::List(List { items, range })
            }
            ast::Value::Object(object) => {
                let entry = |prop: ast::ObjectProp<'a>| {
                    let range = Range::of(&prop.name);
                    let value = match prop.name {
                        ast::ObjectPropName::String(text) => text.value,
                        ast::ObjectPropName::Word(word) => Cow::Borrowed(word.value),
                    };
                    Entry { key: Text { value, range }, value: prop.value.into() }
                };
                let entries = object.properties.into_iter().map(entry).collect();
                Value::Object(Object { entries, range })
            }
        }
    }
}
