//! The tags and texts of a part, as a flat stream.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::Trouble;
use super::pack::no_workbook;

/// A tag by its name without its namespace, or text.
pub(super) enum Tag {
    Open(String, Attributes),
    Close(String),
    Text(String),
}

/// The attributes of a tag, by their names without namespaces.
pub(super) struct Attributes(Vec<(String, String)>);

impl Attributes {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A count that a tag repeats itself; 1 if it is not said.
    pub(super) fn count(&self, name: &str) -> Option<u32> {
        self.get(name).map_or(Some(1), |text| text.parse().ok())
    }
}

/// Reads a part from its beginning to its end. An empty tag opens and closes.
pub(super) struct Tags<'t> {
    reader: Reader<&'t [u8]>,
    closes: Option<String>,
}

impl<'t> Tags<'t> {
    pub(super) fn of(text: &'t str) -> Tags<'t> {
        Tags { reader: Reader::from_str(text), closes: None }
    }

    /// What comes next; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Tag>, Trouble> {
        if let Some(name) = self.closes.take() {
            return Ok(Some(Tag::Close(name)));
        }
        loop {
            let tag = match self.reader.read_event().map_err(|_| no_workbook())? {
                Event::Start(start) => open(&start)?,
                Event::Empty(start) => {
                    let tag = open(&start)?;
                    if let Tag::Open(name, _) = &tag {
                        self.closes = Some(name.clone());
                    }
                    tag
                }
                Event::End(end) => Tag::Close(end.local_name().as_ref().to_owned()),
                Event::Text(text) => Tag::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Tag::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(name) => {
                    let sign = match name.resolve_char_ref() {
                        Ok(Some(sign)) => sign,
                        Ok(None) => named(&name.xml10_content()).ok_or_else(no_workbook)?,
                        Err(_) => return Err(no_workbook()),
                    };
                    Tag::Text(sign.to_string())
                }
                Event::Eof => return Ok(None),
                // An entity of one's own could grow without end.
                Event::DocType(_) => return Err(no_workbook()),
                _ => continue,
            };
            return Ok(Some(tag));
        }
    }
}

/// The five signs that have names in every document.
fn named(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

fn open(start: &BytesStart<'_>) -> Result<Tag, Trouble> {
    let mut all = Vec::new();
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|_| no_workbook())?;
        let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0);
        let value = value.map_err(|_| no_workbook())?.into_owned();
        all.push((attribute.key.local_name().as_ref().to_owned(), value));
    }
    Ok(Tag::Open(start.local_name().as_ref().to_owned(), Attributes(all)))
}
