//! Changes of texts, each with the cell that asks for it.

use crate::arrange::Arrange as _;
use crate::source::{SourceId, Span};

/// A change of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// What is written there.
    pub text: String,
    /// The cell or the row that asks for it, in the page that was given.
    pub cell: Span,
}

/// The text of a file with the edits of that file, and where each of them came to stand.
#[must_use]
pub fn applied(
    old: &[u8],
    file: SourceId,
    edits: &[Edit],
) -> (Vec<u8>, Vec<(std::ops::Range<usize>, Span)>) {
    let mut own: Vec<&Edit> = edits.iter().filter(|edit| edit.span.source == file).collect();
    // What is put into one place stays in its order.
    own.arrange_by_key(|edit| (edit.span.start, edit.span.end));
    let ends = if old.windows(2).any(|two| two == b"\r\n") { "\r\n" } else { "\n" };
    let (mut new, mut places, mut from) = (Vec::with_capacity(old.len()), Vec::new(), 0);
    for edit in own {
        let range = edit.span.range();
        // Two changes of one place are one too many; the check of the result shows that.
        let Some(kept) = old.get(from..range.start) else { continue };
        new.extend_from_slice(kept);
        let start = new.len();
        new.extend_from_slice(edit.text.replace('\n', ends).as_bytes());
        places.push((start..new.len(), edit.cell));
        from = range.end.min(old.len());
    }
    new.extend_from_slice(old.get(from..).unwrap_or_default());
    (new, places)
}
