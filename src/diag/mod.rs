//! What Sutler says when something is wrong.
//!
//! Takes faults from every stage as [`Diagnostic`]s, gives text for a terminal, lines for
//! an editor, or JSON. Never decides what is a fault, and never knows the language: each
//! stage makes its own diagnostics, with codes from the registry in [`code`].

pub mod diagnostic;

pub mod code;

pub mod suggest;

mod counted;

#[cfg(feature = "cli")]
pub mod render;

pub mod concise;

pub mod fault;

pub mod json;

pub mod explain;

pub(crate) mod clean;

#[cfg(feature = "cli")]
mod window;

#[cfg(feature = "cli")]
mod row;

pub use code::{Code, CodeInfo, Example};
pub use counted::counted;
pub use diagnostic::{
    Applicability, Diagnostic, Label, Severity, Suggestion, Way, has_errors, sort,
};
pub use explain::explain_code;
pub use fault::{Fault, Fix, Place};

use crate::source::SourceMap;

/// How diagnostics are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// With the source lines, for a reader at a terminal; without them in a build without `cli`.
    #[default]
    Full,
    /// One line each, for an editor or a log.
    Concise,
    /// One JSON document, for a program.
    Json,
}

/// How text for a terminal looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Colours by escape sequences.
    pub colour: bool,
    /// Frames drawn with characters outside ASCII.
    pub unicode: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Style {
    /// What a file or a pipe gets: ASCII, no colours, 80 columns.
    pub const PLAIN: Self = Self { colour: false, unicode: false, width: 80 };
}

impl Default for Style {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// Writes diagnostics in the order given; see [`sort`] for the order of the text.
///
/// The result ends with a newline unless it is empty. It never holds a control character
/// of the input; the escape sequences of colours are the only ones, if colours are asked for.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], map: &SourceMap, format: Format, style: Style) -> String {
    match format {
        #[cfg(feature = "cli")]
        Format::Full => render::full(diagnostics, map, style),
        #[cfg(not(feature = "cli"))]
        Format::Full => {
            let _ = style;
            diagnostics.iter().map(|d| format!("{}\n", Fault::of(d, map))).collect()
        }
        Format::Concise => concise::concise(diagnostics, map),
        Format::Json => json::json(diagnostics, map),
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod random_tests;
