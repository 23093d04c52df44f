//! The small changes of expressions.

use super::change::{Change, Sort};
use super::number::NumberAt;
use crate::check::LegAs;
use crate::source::{SourceMap, Span};
use crate::syntax::ast::*;

/// Gathers changes while a ruleset is walked.
pub(super) struct Maker<'a> {
    pub sources: &'a SourceMap,
    /// Whether a thing of an ally is another thing than one of one's own.
    pub allies: bool,
    /// The legs that have the lines of others, which are changed where they were written.
    pub legs_as: &'a [LegAs],
    pub item: usize,
    pub owner: String,
    pub condition: Option<Span>,
    /// Whether what is walked is a change that a variant makes.
    pub folded: bool,
    pub found: Vec<Change>,
    /// The parts of the item in which what is walked stands, from the outside in.
    pub parts: Vec<String>,
    /// Where a number stands in its part, if that is not all of it: `when`, a column.
    pub role: String,
    /// The numbers that were met.
    pub numbers: Vec<NumberAt>,
}

impl Maker<'_> {
    /// Notes a change; `what` says it in words.
    pub(super) fn push(
        &mut self,
        sort: Sort,
        span: Span,
        new: impl Into<String>,
        what: impl Into<String>,
    ) {
        let (new, what, owner) = (new.into(), what.into(), self.owner.clone());
        let (item, condition, folded) = (self.item, self.condition, self.folded);
        self.found.push(Change { item, sort, owner, what, span, new, condition, folded });
    }

    /// Words in the place of other words.
    pub(super) fn replace(&mut self, sort: Sort, span: Span, new: &str) {
        let old = self.sources.slice(span).to_owned();
        self.push(sort, span, new, format!("{old} -> {new}"));
    }

    /// Whole lines left out, from the line on which a thing begins to the one on which it or its
    /// clauses end.
    pub(super) fn drop_lines(&mut self, sort: Sort, span: Span, cites: &Cites) {
        let end = cites.0.iter().map(|c| c.span.end).fold(span.end, u32::max);
        let whole = self.whole_lines(Span::new(span.source, span.start, end));
        self.push(sort, whole, "", "left out");
    }

    pub(super) fn whole_lines(&self, span: Span) -> Span {
        let text = self.sources.text(span.source);
        let start =
            text.get(..span.start as usize).and_then(|t| t.rfind('\n')).map_or(0, |at| at + 1);
        let end = text
            .get(span.end as usize..)
            .and_then(|t| t.find('\n'))
            .map_or(text.len(), |at| span.end as usize + at + 1);
        Span::of(span.source, start..end)
    }

    /// Whole conditions are proven whole: the outermost one is noted with what is changed in it.
    pub(super) fn condition(&mut self, expr: &Expr) {
        let outer = self.condition.replace(bare(expr).span);
        self.expr(expr);
        self.condition = outer;
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Or(parts) => self.joined(parts, "or", "and"),
            ExprKind::And(parts) => self.joined(parts, "and", "or"),
            ExprKind::Not(inner) => {
                self.push(
                    Sort::Not,
                    Span::new(expr.span.source, expr.span.start, inner.span.start),
                    "",
                    "not left out",
                );
                self.expr(inner);
            }
            ExprKind::Is { left, negated, right } => self.is(left, *negated, right.span, &[right]),
            ExprKind::IsPair { left, negated, right, name } => {
                self.is(left, *negated, name.span, &[right])
            }
            ExprKind::IsOneOf { left, negated, options } => {
                let Some(first) = options.first() else { return };
                let all: Vec<&Expr> = options.iter().collect();
                self.is(left, *negated, first.span, &all);
            }
            ExprKind::Compare { left, op, right } => {
                let (old, new) = turned(*op);
                self.between(Sort::Comparison, left.span, right.span, old, new);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Between { left, low, high } => {
                [left, low, high].into_iter().for_each(|e| self.expr(e))
            }
            ExprKind::Quantifier { word, things } => {
                let (old, new) = match word {
                    QuantifierWord::Any => ("any", "no"),
                    QuantifierWord::No => ("no", "any"),
                    QuantifierWord::Only => ("only", "any"),
                };
                let start = expr.span.start;
                let span = Span::new(
                    expr.span.source,
                    start,
                    start + u32::try_from(old.len()).unwrap_or(0),
                );
                self.replace(Sort::Quantifier, span, new);
                self.things(things);
            }
            ExprKind::Count(things) => self.things(things),
            ExprKind::Aggregate { word, value, things, none } => {
                none.iter().for_each(|none| self.expr(none));
                let (old, new) = match word {
                    AggregateWord::Sum => ("", ""),
                    AggregateWord::Highest => ("highest", "lowest"),
                    AggregateWord::Lowest => ("lowest", "highest"),
                };
                if !old.is_empty() {
                    let start = expr.span.start;
                    let span = Span::new(
                        expr.span.source,
                        start,
                        start + u32::try_from(old.len()).unwrap_or(0),
                    );
                    self.replace(Sort::Contrary, span, new);
                }
                self.path(value);
                self.things(things);
            }
            ExprKind::Arithmetic { first, rest } => {
                self.expr(first);
                rest.iter().for_each(|(_, e)| self.expr(e));
            }
            ExprKind::Negate(inner) => {
                let met = self.numbers.len();
                self.expr(inner);
                if let (ExprKind::Number { .. }, Some(number)) =
                    (&inner.kind, self.numbers.get_mut(met))
                {
                    number.negate(expr.span);
                }
            }
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Number { text, .. } => self.number(expr.span, text),
            ExprKind::Path(path) => self.path(path),
            ExprKind::Now(path) => {
                let word = Span::new(expr.span.source, expr.span.start, path.span.start);
                self.push(Sort::Kept, word, "", "now left out");
                self.path(path);
            }
            ExprKind::Rounded { mode, value } => {
                let new = if mode.text == "down" { "up" } else { "down" };
                self.replace(Sort::Rounding, mode.span, new);
                self.expr(value);
            }
            ExprKind::Extreme { greater, left, right } => {
                let (old, new) =
                    if *greater { ("greater", "lesser") } else { ("lesser", "greater") };
                let span = Span::new(
                    expr.span.source,
                    expr.span.start,
                    expr.span.start + u32::try_from(old.len()).unwrap_or(0),
                );
                self.replace(Sort::Contrary, span, new);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::WouldBe { subject, .. } => self.expr(subject),
            ExprKind::OverStep(way) => self.way(way),
            ExprKind::GateName(_) | ExprKind::Chance { .. } | ExprKind::Quoted => {}
        }
    }

    fn joined(&mut self, parts: &[Expr], old: &str, new: &str) {
        // All of them at once: `and` and `or` side by side would need brackets.
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let mut text = String::new();
        for pair in parts.windows(2) {
            let [a, b] = pair else { continue };
            let Some(word) = self.word(a.span.end, b.span, old) else { return };
            text.push_str(self.sources.slice(a.span));
            text.push_str(self.sources.slice(Span::new(word.source, a.span.end, word.start)));
            text.push_str(new);
            text.push_str(self.sources.slice(Span::new(word.source, word.end, b.span.start)));
        }
        text.push_str(self.sources.slice(last.span));
        self.push(Sort::Joint, first.span.to(last.span), text, format!("{old} -> {new}"));
        parts.iter().for_each(|p| self.expr(p));
    }

    fn is(&mut self, left: &Expr, negated: bool, next: Span, right: &[&Expr]) {
        if negated {
            self.between(Sort::Is, left.span, next, "is not", "is");
        } else {
            self.between(Sort::Is, left.span, next, "is", "is not");
        }
        self.expr(left);
        right.iter().for_each(|e| self.expr(e));
    }

    /// Changes words that stand between two parts.
    fn between(&mut self, sort: Sort, left: Span, right: Span, old: &str, new: &str) {
        if let Some(span) = self.word(left.end, right, old) {
            self.replace(sort, span, new);
        }
    }

    /// Where words stand between a place and the part behind it.
    fn word(&self, from: u32, next: Span, words: &str) -> Option<Span> {
        let text = self.sources.slice(Span::new(next.source, from, next.start));
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let free = |at: usize| {
            !text.get(..at).is_some_and(|t| t.ends_with(is_letter))
                && !text.get(at + words.len()..).is_some_and(|t| t.starts_with(is_letter))
        };
        let at = text.match_indices(words).map(|(at, _)| at).find(|at| free(*at))?;
        Some(Span::of(next.source, from as usize + at..from as usize + at + words.len()))
    }

    /// One more and one less; of a fraction its upper number. No number falls below nothing.
    pub(super) fn number(&mut self, span: Span, text: &str) {
        let (upper, lower) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let Ok(old) = upper.trim().parse::<i64>() else { return };
        let place =
            Span::new(span.source, span.start, span.start + u32::try_from(text.len()).unwrap_or(0));
        self.numbers.push(NumberAt::met(self, place, text));
        for new in [old.saturating_add(1), old.saturating_sub(1)] {
            if new >= 0 || old < 0 {
                let new = lower.map_or_else(|| new.to_string(), |under| format!("{new}/{under}"));
                self.replace(Sort::Number, place, &new);
            }
        }
    }

    pub(super) fn things(&mut self, things: &Things) {
        for adjective in &things.adjectives {
            self.stance(adjective);
        }
        if let Some(Place { kind: PlaceKind::Within { distance, .. }, .. }) = &things.place {
            self.expr(distance);
        }
        if let Some(filter) = &things.filter {
            self.condition(filter);
        }
    }

    pub(super) fn path(&mut self, path: &Path) {
        if let ([Head { kind: HeadKind::Name(name), .. }], None) =
            (path.heads.as_slice(), &path.between)
        {
            self.stance(name);
        }
    }

    fn stance(&mut self, name: &Name) {
        let new: &[&str] = match name.text.as_str() {
            "own" if self.allies => &["enemy", "friendly"],
            "friendly" if self.allies => &["enemy", "own"],
            "own" | "friendly" => &["enemy"],
            "enemy" => &["friendly"],
            "allied" => &["own"],
            _ => &[],
        };
        new.iter().for_each(|new| self.replace(Sort::Stance, name.span, new));
    }
}

/// An expression without the brackets around it.
fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => bare(inner),
        _ => expr,
    }
}

fn turned(op: CompareOp) -> (&'static str, &'static str) {
    match op {
        CompareOp::AtLeast => ("at least", "more than"),
        CompareOp::AtMost => ("at most", "less than"),
        CompareOp::MoreThan => ("more than", "at least"),
        CompareOp::LessThan => ("less than", "at most"),
    }
}

/// Whether an expression is one bare word.
pub(super) fn is_word(expr: &Expr, word: &str) -> bool {
    match &expr.kind {
        ExprKind::Path(Path { heads, between: None, .. }) => {
            matches!(heads.as_slice(), [Head { kind: HeadKind::Name(name), .. }] if name.text == word)
        }
        _ => false,
    }
}
