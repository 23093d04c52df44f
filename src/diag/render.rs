//! Diagnostics with their source lines; the only user of `miette`.
//!
//! Takes diagnostics, gives text for a reader. The head, help and notes are written here;
//! `miette` draws the source lines, from a window in which nothing can upset it.

use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents, ThemeStyles,
};

use super::concise::place;
use super::window::{Mark, Window, window};
use super::{Diagnostic, Severity, Style, clean};
use crate::source::{SourceId, SourceMap};

/// Writes all diagnostics, with an empty line between them.
#[must_use]
pub fn full(diagnostics: &[Diagnostic], map: &SourceMap, style: Style) -> String {
    let all: Vec<String> = diagnostics.iter().map(|d| one(d, map, style)).collect();
    all.join("\n")
}

fn one(d: &Diagnostic, map: &SourceMap, style: Style) -> String {
    let head = format!("{}[{}]", d.severity.as_str(), d.code);
    let tone = match d.severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Note => "1;36",
    };
    let mut out = String::new();
    paragraph(&mut out, "", &head, tone, &d.message, style);
    if let Some(span) = d.primary() {
        out.push_str(&snippet(d, map, span.source, style));
        for label in d.labels.iter().filter(|label| label.span.source != span.source) {
            let text = format!("{}: {}", place(map, label.span), label.text);
            paragraph(&mut out, "  ", "note", "36", &text, style);
        }
    }
    if let Some(advice) = d.advice(map) {
        paragraph(&mut out, "  ", "help", "36", &advice, style);
    }
    for note in &d.notes {
        paragraph(&mut out, "  ", "note", "36", note, style);
    }
    out
}

/// `head: text`, wrapped, the lines after the first set in below the text of a short head.
fn paragraph(out: &mut String, margin: &str, head: &str, tone: &str, text: &str, style: Style) {
    let inset = if margin.is_empty() { 2 } else { margin.len() + head.len() + 2 };
    let width = style.width.max(40);
    // The head is wrapped with the text, as one word that is taken off again.
    let dummy = "x".repeat((margin.len() + head.len() + 1).saturating_sub(inset));
    let lines = clean::wrap(&format!("{dummy} {text}"), width - inset);
    out.push_str(margin);
    if style.colour {
        out.push_str(&format!("\u{1b}[{tone}m{head}\u{1b}[0m:"));
    } else {
        out.push_str(&format!("{head}:"));
    }
    for (i, line) in lines.iter().enumerate() {
        if i == 0 {
            let first = line.strip_prefix(dummy.as_str()).unwrap_or(line).trim_start();
            out.push_str(if first.is_empty() { "" } else { " " });
            out.push_str(first);
        } else {
            out.push_str(&format!("\n{:inset$}{line}", ""));
        }
    }
    out.push('\n');
}

fn snippet(d: &Diagnostic, map: &SourceMap, source: SourceId, style: Style) -> String {
    let view =
        View { name: clean::line(map.name(source)), window: window(map, source, &d.labels, style) };
    let mut drawn = String::new();
    let handler = GraphicalReportHandler::new_themed(theme(d.severity, &view.window.marks, style))
        .without_syntax_highlighting()
        .with_urls(false)
        .with_wrap_lines(false)
        .with_context_lines(1);
    if handler.render_report(&mut drawn, &view).is_err() {
        return String::new();
    }
    // A sheet has cells, where other texts have lines and columns.
    if map.sheet(source).is_some()
        && let Some(label) = d.labels.iter().find(|l| l.primary && l.span.source == source)
    {
        let at = map.line_col(source, label.span.start);
        let from = format!("[{}:{}:{}]", view.name, at.line, at.column);
        drawn = drawn.replacen(&from, &format!("[{}]", place(map, label.span)), 1);
    }
    // The first line is the message, which is written above and empty here.
    let lines = drawn.lines().skip(1).map(str::trim_end);
    lines.fold(String::new(), |all, line| all + line + "\n")
}

/// The primary place has the colour of the severity, the others that of notes.
fn theme(severity: Severity, marks: &[Mark], style: Style) -> GraphicalTheme {
    let mut theme = if style.unicode { GraphicalTheme::unicode() } else { GraphicalTheme::ascii() };
    theme.styles = if style.colour { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let primary = match severity {
        Severity::Error => theme.styles.error,
        Severity::Warning => theme.styles.warning,
        Severity::Note => theme.styles.advice,
    };
    let other = theme.styles.help;
    theme.styles.highlights =
        marks.iter().map(|mark| if mark.primary { primary } else { other }).collect();
    theme
}

/// A window as `miette` reads it: no message, no code, only lines and labels.
#[derive(Debug)]
struct View {
    name: String,
    window: Window,
}

impl fmt::Display for View {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for View {}

impl miette::Diagnostic for View {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.window.marks.iter().map(|mark| {
            let text = Some(mark.text.clone()).filter(|text| !text.is_empty());
            let span = SourceSpan::from(mark.start..mark.end);
            if mark.primary {
                LabeledSpan::new_primary_with_span(text, span)
            } else {
                LabeledSpan::new_with_span(text, span)
            }
        })))
    }
}

impl SourceCode for View {
    /// The whole chunk around a span, with its true line; asked without context, the true
    /// line and column of the mark, for the head of the frame.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inside = |start: usize, len: usize| {
            start <= span.offset() && span.offset() + span.len() <= start + len
        };
        let chunk = self.window.chunks.iter().find(|c| inside(c.offset, c.text.len()));
        let chunk = chunk.ok_or(MietteError::OutOfBounds)?;
        let mut line = chunk.line as usize - 1;
        let mut column = 0;
        let marks = &self.window.marks;
        if before == 0
            && let Some(mark) =
                marks.iter().find(|m| m.start == span.offset() && m.end - m.start == span.len())
        {
            (line, column) = (mark.at.line as usize - 1, mark.at.column as usize - 1);
        }
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            chunk.text.as_bytes(),
            SourceSpan::from(chunk.offset..chunk.offset + chunk.text.len()),
            line,
            column,
            chunk.count as usize,
        )))
    }
}
