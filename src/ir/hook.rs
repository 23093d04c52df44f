//! Hooks as plain data, and the one door through which a script is called.
//!
//! Takes nothing of any script language: whoever runs scripts gives a [`Call`], and the kernel
//! knows no more of it.

use std::fmt;
use std::fmt::Write;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ExprId, HookId, KindId, LineId, Ruleset, Type};
use crate::source::{SourceId, Span};

/// A named value that a small script works out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Hook {
    /// Its name.
    pub name: String,
    /// For printed output.
    pub title: String,
    /// What it is said of.
    pub of: KindId,
    /// Its type: an amount within the proven ends of `kept`.
    pub ty: Type,
    /// What the script sees; level 0 is the subject.
    pub reads: Vec<Read>,
    /// The ends between which the result is held.
    pub kept: (ExprId, ExprId),
    /// The value where no script is asked.
    pub otherwise: ExprId,
    /// What fills it.
    pub script: Option<Script>,
    /// Whether it asks how things stand to the viewer.
    pub viewed: bool,
    /// Its line.
    pub line: LineId,
}

/// One name that a script sees.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Read {
    /// The name.
    pub name: String,
    /// Its value.
    pub value: ExprId,
    /// Its type: a whole amount, a truth or a word.
    pub ty: Type,
}

/// A script, kept as its text, so that the hash of a ruleset tells one from another.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Script {
    /// Its file in the folder `hooks`.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Where the rules name the file.
    #[serde(skip)]
    pub named: Span,
    /// The source that holds the text.
    #[serde(skip)]
    pub source: SourceId,
}

impl Script {
    /// The word at a line and column of the script, both from 1.
    #[must_use]
    pub fn place(&self, line: u32, column: u32) -> Span {
        let before = |n: u32| usize::try_from(n.saturating_sub(1)).unwrap_or(usize::MAX);
        let start: usize = self.text.split_inclusive('\n').take(before(line)).map(str::len).sum();
        let rest = self.text.get(start..).unwrap_or_default();
        let own = rest.lines().next().unwrap_or_default();
        let skipped: usize = own.chars().take(before(column)).map(char::len_utf8).sum();
        let word = own.get(skipped..).unwrap_or_default();
        let letters = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
        let len =
            if letters == 0 { word.chars().next().map_or(0, char::len_utf8) } else { letters };
        Span::of(self.source, start + skipped..start + skipped + len)
    }
}

/// What a script is given for one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// a whole amount, or the place of a word in its set, from 0
    Whole(i64),
    /// a truth
    Truth(bool),
}

/// Runs the scripts of one ruleset.
pub trait Call: Send + Sync {
    /// The whole number that the script of a hook makes of what it reads; nothing if it has no
    /// script.
    fn call(&self, hook: HookId, arguments: &[Argument]) -> Result<Option<i64>, CallFault>;
}

/// Whatever runs the scripts of a ruleset, or nothing.
#[derive(Clone, Default)]
pub struct Calls(Option<Arc<dyn Call>>);

impl Calls {
    /// The door to these scripts.
    #[must_use]
    pub fn new(call: Arc<dyn Call>) -> Calls {
        Calls(Some(call))
    }

    /// Whether somebody runs scripts.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.0.is_some()
    }

    /// The result of a script; nothing if nobody runs it.
    pub fn call(&self, hook: HookId, arguments: &[Argument]) -> Result<Option<i64>, CallFault> {
        self.0.as_ref().map_or(Ok(None), |c| c.call(hook, arguments))
    }
}

impl fmt::Debug for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_bound() { "Calls(bound)" } else { "Calls(none)" })
    }
}

/// Why a script came to no amount, and where in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallFault {
    /// What went wrong.
    pub kind: CallFaultKind,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// What goes wrong in scripts; the words go on from `the script`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallFaultKind {
    /// the host stopped it
    #[error("does not come to an end: it was stopped after {MOST_SCRIPT_STEPS} steps")]
    Endless,
    /// a division by nothing
    #[error("divides by 0")]
    Division,
    /// a number too large to keep
    #[error("works out a number too large to keep")]
    TooLarge,
    /// a text, list or map that is too long, or too many names
    #[error("keeps more at a time than a script may")]
    TooMuch,
    /// the result is no whole number
    #[error("gives something that is no whole number")]
    NotWhole,
    /// a function that there is not
    #[error("calls a function that there is not")]
    NoFunction,
    /// anything else
    #[error("asks what its values cannot answer")]
    Other,
}

/// Steps after which a script is stopped.
pub const MOST_SCRIPT_STEPS: u64 = 100_000;

/// A hook in the listing of an IR.
pub(super) fn write(rules: &Ruleset, hook: &Hook, cites: &str, out: &mut String) -> fmt::Result {
    writeln!(out, "\nhook {}{cites}", hook.name)?;
    for read in &hook.reads {
        writeln!(out, "  reads {} as {}", super::print_expr(rules, read.value), read.name)?;
    }
    let (low, high) = hook.kept;
    writeln!(
        out,
        "  kept between {} and {}",
        super::print_expr(rules, low),
        super::print_expr(rules, high)
    )?;
    if let Some(script) = &hook.script {
        writeln!(out, "  script hooks/{}, {} bytes", script.file, script.text.len())?;
    }
    writeln!(out, "  otherwise {}", super::print_expr(rules, hook.otherwise))
}
