//! One fault as data.
//!
//! Takes what a stage knows: code, places, words. Gives the record that every renderer,
//! the editor and `--fix` read. Never formats anything.

use super::code::Code;
use crate::arrange::Arrange as _;
use crate::source::{SourceMap, Span};

/// How bad it is, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but is probably not what was meant.
    Warning,
    /// Something worth knowing.
    Note,
}

impl Severity {
    /// The word printed before the code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A place with words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty.
    pub text: String,
    /// Whether this is the place of the fault, not another place that explains it.
    pub primary: bool,
}

/// Whether a suggestion may be applied without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// It cannot change what was meant.
    Always,
    /// It is a guess.
    Maybe,
}

/// Text to write in place of other text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What to replace; an empty span inserts.
    pub span: Span,
    /// What to write there; empty text removes.
    pub replacement: String,
    /// Whether it may be applied without asking.
    pub applies: Applicability,
}

/// One of several texts that may be meant; which of them are true is asked when all is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// What to write.
    pub fix: Suggestion,
    /// The same in words.
    pub help: String,
    /// How far it is from what is written; the nearest that are true are offered.
    pub rank: u8,
    /// Whether it may be offered as an edit, not in words alone: what it takes out says nothing.
    pub edit: bool,
}

impl Way {
    /// A word near the one that is written.
    #[must_use]
    pub fn near(span: Span, word: &str) -> Self {
        let fix = Suggestion { span, replacement: word.to_owned(), applies: Applicability::Maybe };
        Self { fix, help: format!("write `{word}`"), rank: 0, edit: true }
    }
}

/// What may be meant, and what is said where none of it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meant {
    /// The texts, the nearest first; empty where the suggestion alone is.
    pub ways: Vec<Way>,
    /// What to do where no suggestion proves true.
    pub otherwise: Option<String>,
    /// Whether the words are read as they were meant, so that no other text is looked for.
    pub settled: bool,
}

/// One fault: what is wrong, where, and what to do.
///
/// Messages and labels are lower case, without a full stop, with the user's text in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which fault.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where; the primary label first. Faults without a text have none.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
    /// What else to know.
    pub notes: Vec<String>,
    /// What to write instead.
    pub suggestion: Option<Suggestion>,
    /// What may be meant where that is more than the suggestion; in the end what is left to choose
    /// from, where several fixes are true. Boxed: few faults have it, and the
    /// checker, which goes deep, makes faults on its stack.
    pub meant: Option<Box<Meant>>,
}

impl Diagnostic {
    /// An error without a place, such as a file that cannot be read.
    #[must_use]
    pub fn bare(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            notes: Vec::new(),
            suggestion: None,
            meant: None,
        }
    }

    /// An error at a place.
    #[must_use]
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        let mut error = Self::bare(code, message);
        error.labels.push(Label { span, text: String::new(), primary: true });
        error
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::error(code, span, message).with_severity(Severity::Warning)
    }

    /// The same with another severity.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Sets the words at the primary place.
    #[must_use]
    pub fn at(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.labels.iter_mut().find(|label| label.primary) {
            label.text = text.into();
        }
        self
    }

    /// Adds another place that explains the fault.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds something worth knowing.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Offers other text, as a guess.
    #[must_use]
    pub fn suggest(mut self, span: Span, replacement: impl Into<String>) -> Self {
        let replacement = replacement.into();
        self.suggestion = Some(Suggestion { span, replacement, applies: Applicability::Maybe });
        self
    }

    /// Offers other text that cannot change what was meant.
    #[must_use]
    pub fn suggest_always(self, span: Span, replacement: impl Into<String>) -> Self {
        let mut sure = self.suggest(span, replacement);
        if let Some(suggestion) = &mut sure.suggestion {
            suggestion.applies = Applicability::Always;
        }
        sure
    }

    /// Offers several texts, the nearest first; the first stands for them until they are tried.
    #[must_use]
    pub fn ways(mut self, ways: Vec<Way>) -> Self {
        if let Some(first) = ways.first() {
            self.help = Some(first.help.clone());
            self.suggestion = Some(first.fix.clone()).filter(|_| first.edit);
        }
        self.meant.get_or_insert_default().ways = ways;
        self
    }

    /// Says what to do where no suggestion proves true.
    #[must_use]
    pub fn or_else(mut self, text: impl Into<String>) -> Self {
        self.meant.get_or_insert_default().otherwise = Some(text.into());
        self
    }

    /// Says that no text but what is offered is looked for.
    #[must_use]
    pub fn settled(mut self) -> Self {
        self.meant.get_or_insert_default().settled = true;
        self
    }

    /// The fixes to choose from, where there is no suggestion because several are true.
    #[must_use]
    pub fn choices(&self) -> &[Way] {
        match &self.meant {
            Some(meant) if self.suggestion.is_none() => &meant.ways,
            _ => &[],
        }
    }

    /// The place of the fault.
    #[must_use]
    pub fn primary(&self) -> Option<Span> {
        let primary = self.labels.iter().find(|label| label.primary);
        primary.or(self.labels.first()).map(|label| label.span)
    }

    /// What to do: the help, or else the suggestion in words.
    #[must_use]
    pub fn advice(&self, map: &SourceMap) -> Option<String> {
        if self.help.is_some() {
            return self.help.clone();
        }
        let Suggestion { span, replacement, .. } = self.suggestion.as_ref()?;
        let old = map.slice(*span);
        Some(match (old.is_empty(), replacement.is_empty()) {
            (true, _) => format!("add `{replacement}`"),
            (false, true) => format!("remove `{old}`"),
            (false, false) => format!("write `{replacement}` instead of `{old}`"),
        })
    }
}

/// Puts diagnostics in the order of the texts: by text, then place, then code.
/// Those without a place come first.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.arrange_by_key(|d| (d.primary().map(|span| (span.source, span.start)), d.code));
}

/// Whether any of them is an error.
#[must_use]
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

#[cfg(test)]
#[path = "diagnostic_tests.rs"]
mod tests;
