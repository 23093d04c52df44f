//! In the place of `sentences`, for a module that is to be small: it knows no sentence.

use std::marker::PhantomData;

use crate::diag::Way;
use crate::source::{SourceMap, Span};

/// No sentences.
pub(super) struct Sentences<'a>(PhantomData<&'a SourceMap>);

impl<'a> Sentences<'a> {
    /// The sentences of these texts.
    pub(super) fn of(_: &'a SourceMap) -> Sentences<'a> {
        Sentences(PhantomData)
    }

    /// What the line of a place may have been meant as.
    #[expect(clippy::unused_self, reason = "it is called as the other one")]
    pub(super) fn ways(&self, _: Span, _: &[Way]) -> Vec<Way> {
        Vec::new()
    }
}
