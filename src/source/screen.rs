//! Screens the bytes of a file before anything else reads them.
//!
//! Takes any bytes. Gives text in which every byte keeps its offset, so that spans agree
//! with the file, and a fault for each run of bytes that had to be blanked. Never fails.

use std::str::Utf8Chunk;

use super::chars::{self, Hazard};
use super::span::{SourceId, Span};
use crate::diag::{Code, Diagnostic, Severity, code, counted};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// How many faults of one file are told in full; the rest are counted.
pub const MAX_FAULTS: usize = 20;

/// The text of a file and the faults of its bytes.
///
/// A byte order mark becomes three spaces, `\r\n` becomes a space and a newline, a lone
/// `\r` a newline. What is refused becomes as many spaces as it has bytes. A file over
/// [`MAX_BYTES`] gives an empty text.
#[must_use]
pub fn screen(bytes: &[u8], source: SourceId) -> (String, Vec<Diagnostic>) {
    if bytes.len() > MAX_BYTES {
        return (String::new(), vec![too_large(source)]);
    }
    if is_utf16(bytes) {
        return (" ".repeat(bytes.len()), vec![utf16(source)]);
    }
    if is_plain_text(bytes)
        && let Ok(text) = String::from_utf8(bytes.to_vec())
    {
        return (text, Vec::new());
    }
    let mut screen =
        Screen { source, text: String::with_capacity(bytes.len()), runs: Runs::default() };
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    screen.blank(bytes.len() - body.len());
    for chunk in body.utf8_chunks() {
        screen.chunk(&chunk);
    }
    let faults = screen.runs.finish(source);
    (screen.text, faults)
}

/// UTF-16 by its mark, or by the zero bytes that plain letters leave in it.
fn is_utf16(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => {
            matches!((a, b, c, d), (1.., 0, 1.., 0) | (0, 1.., 0, 1..))
        }
        _ => false,
    }
}

/// A byte that is text by itself: printable ASCII, a tab, a line end.
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n')
}

/// Whether all bytes are plain; a chunk is looked at as a whole, which is several at once.
fn is_plain_text(bytes: &[u8]) -> bool {
    bytes.chunks(64).all(|chunk| chunk.iter().fold(true, |plain, byte| plain & is_plain(*byte)))
}

struct Screen {
    source: SourceId,
    text: String,
    runs: Runs,
}

impl Screen {
    fn blank(&mut self, bytes: usize) {
        self.text.extend(std::iter::repeat_n(' ', bytes));
    }

    fn chunk(&mut self, chunk: &Utf8Chunk<'_>) {
        let mut rest = chunk.valid();
        loop {
            // Plain text, which is nearly all there is, is taken as a whole.
            let plain = rest.bytes().position(|b| !is_plain(b)).unwrap_or(rest.len());
            let (run, more) = rest.split_at_checked(plain).unwrap_or((rest, ""));
            self.text.push_str(run);
            let mut chars = more.chars();
            let Some(c) = chars.next() else { break };
            rest = chars.as_str();
            match (c, chars::hazard(c)) {
                ('\r', _) if rest.starts_with('\n') => self.text.push(' '),
                ('\r', _) => self.text.push('\n'),
                (_, None) => self.text.push(c),
                (_, Some(Hazard::Control)) => self.refuse(code::E0002, c.len_utf8(), Some(c)),
                (_, Some(Hazard::Hidden)) => self.refuse(code::E0003, c.len_utf8(), Some(c)),
            }
        }
        if !chunk.invalid().is_empty() {
            self.refuse(code::E0001, chunk.invalid().len(), None);
        }
    }

    fn refuse(&mut self, code: Code, bytes: usize, first: Option<char>) {
        let start = self.text.len();
        self.blank(bytes);
        self.runs.add(Run { code, span: Span::of(self.source, start..start + bytes), first });
    }
}

/// Neighbours refused for one reason, told as one fault.
struct Run {
    code: Code,
    span: Span,
    first: Option<char>,
}

#[derive(Default)]
struct Runs {
    open: Option<Run>,
    told: Vec<Diagnostic>,
    /// How many runs came after the last one told, and the first of them.
    more: usize,
    first_more: Option<(Code, Span)>,
}

impl Runs {
    fn add(&mut self, run: Run) {
        if let Some(open) = &mut self.open
            && open.code == run.code
            && open.span.end == run.span.start
        {
            open.span = open.span.to(run.span);
            return;
        }
        self.close();
        self.open = Some(run);
    }

    fn close(&mut self) {
        let Some(run) = self.open.take() else { return };
        if self.told.len() < MAX_FAULTS {
            self.told.push(fault(&run));
        } else {
            self.more += 1;
            self.first_more.get_or_insert((run.code, run.span));
        }
    }

    fn finish(mut self, source: SourceId) -> Vec<Diagnostic> {
        self.close();
        if let Some((code, span)) = self.first_more {
            debug_assert_eq!(span.source, source);
            let places = counted(self.more, "more place");
            let message = format!("and {places} of this file are refused");
            let more = Diagnostic::error(code, span, message).at("the next one");
            self.told.push(more.with_severity(Severity::Note));
        }
        self.told
    }
}

fn fault(run: &Run) -> Diagnostic {
    let Some(first) = run.first else {
        let label = match run.span.len() {
            1 => "a byte that is no character".to_owned(),
            bytes => format!("{bytes} bytes that are no characters"),
        };
        return Diagnostic::error(run.code, run.span, "this text is not UTF-8")
            .at(label)
            .help("save the file as UTF-8");
    };
    let kind = if run.code == code::E0002 { "a control" } else { "an invisible" };
    let message = format!("the text holds {kind} character, `U+{:04X}`", u32::from(first));
    Diagnostic::error(run.code, run.span, message)
        .at(chars::name(first).unwrap_or("here"))
        .help("remove it")
        .suggest(run.span, "")
}

fn too_large(source: SourceId) -> Diagnostic {
    let message = format!("this file is larger than {} MiB", MAX_BYTES / (1024 * 1024));
    Diagnostic::error(code::E0005, Span::new(source, 0, 0), message)
        .help("split it into several files of the same folder")
}

fn utf16(source: SourceId) -> Diagnostic {
    Diagnostic::error(code::E0008, Span::new(source, 0, 0), "this file is UTF-16, not UTF-8")
        .help("save the file as UTF-8")
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
