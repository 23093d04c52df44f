//! Hooks: a gap in the rules, what is read there, and the script that fills it.

use super::{Cites, Expr, Name, TableResult, Text};
use crate::source::{SourceId, Span};

/// `hook NAME of KIND ["title"] gives DIM [cites] { ... }`
#[derive(Debug, Clone)]
pub struct Hook {
    /// Its name.
    pub name: Name,
    /// What it is said of.
    pub of: Name,
    /// For printed output.
    pub title: Option<Text>,
    /// What it gives.
    pub result: TableResult,
    /// The clauses it carries out.
    pub cites: Cites,
    /// Its lines.
    pub lines: Vec<HookLine>,
}

/// One line of a hook with its place.
#[derive(Debug, Clone)]
pub struct HookLine {
    /// The whole line.
    pub span: Span,
    /// Which line.
    pub kind: HookLineKind,
}

/// The lines of a hook.
#[derive(Debug, Clone)]
pub enum HookLineKind {
    /// `reads A, B`
    Reads(Vec<Name>),
    /// `kept between A and B`
    Kept(Expr, Expr),
    /// `script "NAME.rhai"`
    Script(ScriptFile),
    /// `otherwise A`
    Otherwise(Expr),
}

/// The file that a hook names.
#[derive(Debug, Clone)]
pub struct ScriptFile {
    /// Its name as written.
    pub name: Text,
    /// Its text among the sources, once it has been read.
    pub source: Option<SourceId>,
}

impl Hook {
    /// The files that it names, to be read.
    pub fn scripts_mut(&mut self) -> impl Iterator<Item = &mut ScriptFile> {
        self.lines.iter_mut().filter_map(|l| match &mut l.kind {
            HookLineKind::Script(file) => Some(file),
            _ => None,
        })
    }
}
