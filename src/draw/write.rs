//! A writer of SVG: elements, attributes in the order given, and text that cannot break out of its
//! place.

use std::fmt::Display;

/// Attributes in order.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

/// SVG being written, one element a line.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    open: Vec<&'static str>,
}

impl Writer {
    /// Begins an element that others stand in.
    pub fn begin(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.tag(tag, attributes);
        self.out.push_str(">\n");
        self.open.push(tag);
    }

    /// Ends the element that was begun last.
    pub fn end(&mut self) {
        if let Some(tag) = self.open.pop() {
            self.indent();
            self.out.push_str(&format!("</{tag}>\n"));
        }
    }

    /// An element with nothing in it.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.tag(tag, attributes);
        self.out.push_str("/>\n");
    }

    /// An element with text in it.
    pub fn text(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) {
        self.tag(tag, attributes);
        self.out.push_str(&format!(">{}</{tag}>\n", escape(text)));
    }

    /// Ends whatever is open and gives the text.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.end();
        }
        self.out
    }

    fn tag(&mut self, tag: &str, attributes: Attributes<'_>) {
        self.indent();
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes {
            self.out.push_str(&format!(" {name}=\"{}\"", escape(&value.to_string())));
        }
    }

    fn indent(&mut self) {
        self.out.extend(std::iter::repeat_n(' ', self.open.len()));
    }
}

/// Text for an element or an attribute. What XML forbids, and what would turn the direction of the
/// text around it, becomes the sign for a character that is not there.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(plain(c)),
        }
    }
    out
}

/// A character that neither a terminal nor XML takes for more than itself.
pub(crate) fn plain(c: char) -> char {
    match c {
        '\t' | '\n' | '\r' => ' ',
        c if c.is_control() => '\u{fffd}',
        '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fffe}'
        | '\u{ffff}' => '\u{fffd}',
        c => c,
    }
}

/// An id as an XML name part: letters, digits, `_` and `-` stay, everything else becomes its number
/// between points.
pub(super) fn id(prefix: &str, id: &str) -> String {
    let mut out = format!("{prefix}-");
    for c in id.chars() {
        if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
            out.push(c);
        } else {
            out.push_str(&format!(".{:x}.", u32::from(c)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(
            escape("<script>alert('x')</script> & \"y\""),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;"
        );
        assert_eq!(escape("a\u{0}b\u{1b}[31m\u{202e}c\nd"), "a\u{fffd}b\u{fffd}[31m\u{fffd}c d");
    }

    #[test]
    fn ids_are_names_and_differ() {
        assert_eq!(id("space", "Marsh_1"), "space-Marsh_1");
        assert_eq!(id("space", "a b"), "space-a.20.b");
        assert_ne!(id("space", "a b"), id("space", "a\u{a0}b"));
    }
}
