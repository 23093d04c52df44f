//! One change of a text: where, what stands there instead, and what it is called.

use serde::Serialize;

use crate::source::{SourceMap, Span};

/// What sort of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// a number one more or one less
    Number,
    /// a comparison that takes its end in, or leaves it out
    Comparison,
    /// `is` and `is not`
    Is,
    /// `and` and `or`
    Joint,
    /// a `not` left out
    Not,
    /// `any` and `no`
    Quantifier,
    /// whose things are meant
    Stance,
    /// a row left out
    RowDropped,
    /// two rows of a table by first match in the other order
    RowsSwapped,
    /// a gate that stands open, a length without a limit
    GateOpened,
    /// a line of a trace or of a choice left out
    LineDropped,
    /// a step of a phase left out
    StepDropped,
    /// the start of a part of the clock and its end
    Moment,
    /// bounds left out
    KeptDropped,
    /// another rounding
    Rounding,
    /// `greater of` and `lesser of`, `highest` and `lowest`, `raise` and `lower`
    Contrary,
    /// another reading in force
    Default,
    /// two steps of a phase in the other order
    StepsSwapped,
    /// the kept answer in place of a fresh one
    Kept,
    /// a change that a variant makes left out
    OverrideDropped,
    /// a unit of a setup left out
    PutDropped,
    /// a fact of a map or a setup left out
    FactDropped,
    /// a crossing of a map left out: the links meet there
    CrossingDropped,
    /// another word in a map or a setup
    Word,
}

impl Sort {
    /// Which case would notice it, in words, where no combination of values is known.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Sort::Number => "a case whose answer turns at this very number",
            Sort::Comparison => "a case in which both sides are equal",
            Sort::Is | Sort::Not | Sort::Quantifier => "a case in which this part alone decides",
            Sort::Joint => "a case in which one part holds and the other does not",
            Sort::Stance => "a case in which things of another side stand there",
            Sort::RowDropped => "a case in which this row decides",
            Sort::RowsSwapped => "a case in which both rows hold",
            Sort::GateOpened => "a case whose line is stopped here and has no other way",
            Sort::LineDropped => "a case in which this line alone gives the answer",
            Sort::StepDropped => "a case that runs the phase and asks what this step has done",
            Sort::Moment => "a case that asks between the two moments",
            Sort::KeptDropped => {
                "a case in which the rows come to more, or to less, than the bounds"
            }
            Sort::Rounding => "a case with an amount that is not whole, such as a half",
            Sort::Contrary => "a case in which the two differ",
            Sort::Default => "a case that states no reading",
            Sort::StepsSwapped => {
                "a case in which one step reads what the other sets, or where the other has moved"
            }
            Sort::Kept => "a case that asks when the answer kept is no longer so",
            Sort::OverrideDropped => "a case in which the variant and what it builds on differ",
            Sort::PutDropped => {
                "a case of this setup that asks of this unit, or in which it stands in the way"
            }
            Sort::CrossingDropped => "a case whose line would turn where the links cross",
            Sort::FactDropped | Sort::Word => {
                "a case on this map or in this setup that asks of this fact"
            }
        }
    }
}

/// A change of one stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The item in which it stands, by its place in the resolved ruleset.
    pub item: usize,
    /// What sort of change it is.
    pub sort: Sort,
    /// What it changes, in words: `table reach, row led`.
    pub owner: String,
    /// What is changed into what: `3 -> 4`.
    pub what: String,
    /// What is replaced.
    pub span: Span,
    /// What stands there instead.
    pub new: String,
    /// The whole condition in which it stands, if it stands in one.
    pub condition: Option<Span>,
    /// Whether it stands in a change that a variant makes, so that the files are read and folded
    /// anew.
    pub folded: bool,
}

impl Change {
    /// The lines that it touches, as they are and as they would be.
    #[must_use]
    pub fn lines(&self, sources: &SourceMap) -> (Vec<String>, Vec<String>) {
        let text = sources.text(self.span.source);
        let range = self.span.range();
        let start = text.get(..range.start).and_then(|t| t.rfind('\n')).map_or(0, |at| at + 1);
        // Whole lines that are left out end with their newline.
        let whole = text.get(range.clone()).is_some_and(|t| t.ends_with('\n'));
        let end = if whole {
            range.end
        } else {
            text.get(range.end..).and_then(|t| t.find('\n')).map_or(text.len(), |at| range.end + at)
        };
        let old = text.get(start..end).unwrap_or_default();
        let new = text.get(start..range.start).unwrap_or_default().to_owned()
            + self.new.as_str()
            + text.get(range.end..end).unwrap_or_default();
        let lines = |t: &str| t.lines().map(str::to_owned).collect::<Vec<String>>();
        (lines(old), lines(&new))
    }
}
