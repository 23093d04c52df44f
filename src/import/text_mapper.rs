//! The lines of a text map: `0102 mountain village "Title"`.
//!
//! The first word of a hex is its terrain, the others are truths of it. Lines that paint, that draw
//! lines across hexes or that name other files are left out, each with a warning.

use super::{Draft, DraftSpace, Options, is_label, name_of, quotable, refuse, whole};
use crate::diag::{Diagnostic, Severity, code};
use crate::source::{SourceId, Span};

/// Reads a text map. `attribute` is what the first word of a hex says, as a rule `terrain`.
#[must_use]
pub fn read(
    text: &str,
    source: SourceId,
    attribute: &str,
    options: &Options,
) -> (Draft, Vec<Diagnostic>) {
    let mut draft = Draft { name: options.name.clone(), ..Draft::default() };
    let mut faults = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let said = line.trim();
        let place = start + line.find(said).unwrap_or(0);
        start += line.len();
        if said.is_empty() || said.starts_with('#') {
            continue;
        }
        let span = Span::of(source, place..place + said.len());
        let (label, rest) =
            said.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((said, ""));
        if is_label(label) {
            hex(&mut draft, label, rest, attribute, span, options, &mut faults);
        } else {
            faults.push(left_out(span, label));
        }
    }
    whole(&draft, source, &mut faults);
    (draft, faults)
}

fn left_out(span: Span, label: &str) -> Diagnostic {
    let line = label.starts_with(|c: char| c.is_ascii_digit()) && label.contains('-');
    let fault = Diagnostic::error(code::E0010, span, "this line is left out")
        .with_severity(Severity::Warning);
    if line {
        fault.help("a line across hexes is written as `line`, from bend to bend")
    } else {
        fault.help("only lines that begin with the label of a hex are read")
    }
}

fn hex(
    draft: &mut Draft,
    label: &str,
    rest: &str,
    attribute: &str,
    span: Span,
    options: &Options,
    faults: &mut Vec<Diagnostic>,
) {
    let (words, title) = match rest.split_once('"') {
        Some((words, quoted)) => {
            (words, Some(quotable(quoted.split('"').next().unwrap_or_default())))
        }
        None => (rest, None),
    };
    let mut with: Vec<String> = Vec::new();
    for word in words.split_ascii_whitespace() {
        let Some(name) = name_of(word) else {
            faults.push(
                refuse(span, format!("`{word}` cannot be a name"))
                    .help("a name begins with a letter"),
            );
            continue;
        };
        let fact = if with.is_empty() { format!("{attribute} {name}") } else { name };
        if !with.contains(&fact) {
            with.push(fact);
        }
    }
    let title = title.filter(|t| !t.is_empty());
    draft.spaces.push(DraftSpace {
        id: label.to_owned(),
        title,
        kind: options.kind.clone(),
        with,
        span,
    });
}
