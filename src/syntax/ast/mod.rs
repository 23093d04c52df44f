//! What was written: every node with its span, names as the text the author chose.
//!
//! Takes nothing, knows nothing of meaning: a name here may mean anything or nothing.

#![allow(
    missing_docs,
    reason = "the fields of a form are shown in the comment of the form, as the author writes them"
)]

mod expr;
mod hook;
mod pair;
mod play;
mod rules;
mod schema;
pub(in crate::syntax) mod shift;
mod variant;

pub use expr::*;
pub use hook::*;
pub use pair::*;
pub use play::*;
pub use rules::*;
pub use schema::*;
pub use variant::*;

use std::sync::Arc;

use crate::source::{SourceId, Span};

/// A word the author wrote, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The word itself.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A quoted text without its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What stands between the quotes.
    pub text: String,
    /// The place of the whole, quotes included.
    pub span: Span,
}

/// The clauses in the brackets at the end of a line, as written: `22.3a`, or in full `SK-22.3a`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cites(pub Vec<Name>);

/// One file, as far as it could be read.
#[derive(Debug, Clone)]
pub struct File {
    /// Which file.
    pub source: SourceId,
    /// The items in the order of the file; a broken one is left out or lacks its broken lines. They
    /// are shared by all that read the file.
    pub items: Vec<Arc<Item>>,
    /// Names that lost items would have declared, so that no later stage calls them unknown.
    pub lost: Vec<Name>,
    /// The sheets in which rows of its tables live.
    pub sheets: Vec<SourceId>,
}

impl File {
    /// A file of which nothing is known.
    #[must_use]
    pub fn empty(source: SourceId) -> File {
        File { source, items: Vec::new(), lost: Vec::new(), sheets: Vec::new() }
    }

    /// Whether a text is the file, or a sheet in which rows of it live.
    #[must_use]
    pub fn holds(&self, source: SourceId) -> bool {
        self.source == source || self.sheets.contains(&source)
    }
}

/// One item of a file with the span of all its text.
#[derive(Debug, Clone)]
pub struct Item {
    /// From its first word to its last character.
    pub span: Span,
    /// Whether lines of it could not be read; what is missing then is no fault of its own.
    pub broken: bool,
    /// Which construct it is.
    pub kind: ItemKind,
}

/// The constructs of the language.
#[derive(Debug, Clone)]
pub enum ItemKind {
    /// `edition 1`
    Edition(Name),
    /// `ruleset NAME "title" prefix SK [extends NAME]`
    Ruleset(RulesetHead),
    /// `section 22.3 "title"`
    Section(Section),
    /// `clause a "paraphrase"`
    Clause(Clause),
    /// A question of interpretation with its readings.
    Ruling(Ruling),
    /// A printed optional rule.
    Option(OptionRule),
    /// `sides A, B against C`
    Sides(Sides),
    /// `clock turn has ...`
    Clock(Clock),
    /// `dimension areas (area), ...`
    Dimension(Vec<DimensionName>),
    /// `kind army, armies is force { ... }`
    Kind(Kind),
    /// `named leader Marlow, ...`
    Named(Named),
    /// A note that the rules set.
    Mark(Mark),
    /// A fact that only the host knows.
    Given(GivenDecl),
    /// Ordered stages.
    Track(Track),
    /// A number that goes back to nothing by itself.
    Count(CountDecl),
    /// One of some things, left to a player.
    Choice(Choice),
    /// The dimension in which lengths on a table are measured.
    Tabletop(Name),
    /// `define NAME of KIND = EXPR`
    Define(Define),
    /// A named value of two things.
    Pair(Pair),
    /// A function by rows.
    Table(Table),
    /// A line on the map.
    Trace(Trace),
    /// A die with faces of its own.
    Die(Die),
    /// A random value and the rows that read it.
    Test(Test),
    /// When things happen.
    Phase(Phase),
    /// A gap in the rules that a small script fills.
    Hook(Hook),
    /// Spaces and links.
    Map(Map),
    /// A position to start from.
    Setup(Setup),
    /// Given, when, expect.
    Case(Case),
    /// Text that the checker must refuse.
    Mistake(Mistake),
    /// Where a rule gives something else, or does not apply.
    Exception(Exception),
    /// An item that is as another one.
    Copy(Copy),
    /// A change that a variant makes.
    Override(Override),
    /// A line or row that a variant adds.
    Add(Add),
    /// What a variant takes away.
    Remove(Remove),
}
