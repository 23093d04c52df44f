//! Tests: dice, what is added to them, and bands of outcomes that leave nothing open.

use super::scope::{Member, Scope, Ty, Typed};
use super::table::bare_name;
use super::test_proof::{Plus, bands, constant};
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

impl<'a> Checker<'a> {
    pub(super) fn test_head(&mut self, test: &ast::Test) {
        let Some(of) = self.kind(&test.of) else {
            return self.symbols.lost.push(test.name.text.clone());
        };
        if !self.can_be_asked(of, test.of.span, &test.name) || !self.declare_member(&test.name, of)
        {
            return;
        }
        let id = TestId::at(self.out.tests.len());
        self.add_member(&test.name.text, of, Member::Test(id));
        self.symbols.tests.insert(test.name.text.clone(), id);
        let mut outcomes: Vec<String> = Vec::new();
        let values = test
            .rows
            .iter()
            .flat_map(|r| &r.values)
            .chain(test.otherwise.iter().flat_map(|o| &o.values));
        for name in values.filter_map(bare_name) {
            if !outcomes.contains(&name.text) {
                outcomes.push(name.text.clone());
            }
        }
        let set = WordSetId::at(self.out.word_sets.len());
        self.out.word_sets.push(WordSet {
            name: test.name.text.clone(),
            words: outcomes,
            ordered: false,
        });
        let line = self.line(format!("test {}", test.name.text), test.name.span, &test.cites);
        let dice = self.throws(&test.dice);
        let title = test.title.as_ref().map_or(&test.name.text, |t| &t.text).clone();
        self.out.tests.push(Test {
            name: test.name.text.clone(),
            title,
            of,
            dice,
            plus: None,
            outcomes: set,
            rows: Vec::new(),
            retry: None,
            line,
        });
    }

    pub(super) fn tests(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Test(test) = &item.item.kind else { continue };
            let Some(id) = self.symbols.tests.get(&test.name.text).copied() else { continue };
            let Some(of) = self.out.tests.get(id.index()).map(|t| t.of) else { continue };
            self.said_twice(&test.twice);
            let scope = Scope::of(of);
            let rolled = Scope { rolled: true, ..Scope::of(of) };
            let plus = test.plus.as_ref().map(|p| self.amount(p, &scope, None));
            if let Some(first) = test.dice.first().filter(|_| !test.roll_cites.0.is_empty()) {
                self.line(format!("test {}, roll", test.name.text), first.span, &test.roll_cites);
            }
            let (mut rows, mut spans) = (Vec::new(), Vec::new());
            for row in &test.rows {
                let when = row.when.as_ref().map(|w| self.truth(w, &rolled));
                let line = self.line(
                    format!("test {}, {}", test.name.text, outcome_text(&row.values)),
                    row.span,
                    &row.cites,
                );
                if let Some(outcome) = self.outcome_of(id, row.span, &row.values) {
                    rows.push((when, outcome, line));
                    spans.push(row.span);
                }
            }
            if let Some(otherwise) = &test.otherwise {
                let line = self.line(
                    format!("test {}, otherwise", test.name.text),
                    otherwise.span,
                    &otherwise.cites,
                );
                if let Some(outcome) = self.outcome_of(id, otherwise.span, &otherwise.values) {
                    rows.push((None, outcome, line));
                    spans.push(otherwise.span);
                }
            }
            let whole_item = !item.item.broken
                && spans.len() == test.rows.len() + usize::from(test.otherwise.is_some());
            if whole_item {
                self.prove_bands(test, id, plus, &rows, &spans);
            }
            let retry = self.retry(test, &scope, &rolled);
            if let Some(test) = self.out.tests.get_mut(id.index()) {
                (test.plus, test.rows, test.retry) = (plus.map(|p| p.id), rows, retry);
            }
        }
    }

    /// Every roll must have an outcome, and every row a roll that reaches it.
    fn prove_bands(
        &mut self,
        test: &ast::Test,
        id: TestId,
        plus: Option<Typed>,
        rows: &[(Option<ExprId>, u16, LineId)],
        spans: &[Span],
    ) {
        let Some(dice) = self
            .out
            .tests
            .get(id.index())
            .map(|t| t.dice.clone())
            .filter(|d| d.len() == test.dice.len())
        else {
            return;
        };
        let plus = match plus {
            None => Plus::Always(crate::kernel::Amount::default()),
            Some(plus) => match (constant(&self.out, plus.id), plus.ty) {
                (Some(plus), _) => Plus::Always(plus),
                (None, Ty::Of(Type::Number { fraction, low, high, .. })) => {
                    Plus::Open { fraction, low, high }
                }
                _ => return,
            },
        };
        let whens: Vec<Option<ExprId>> = rows.iter().map(|(when, ..)| *when).collect();
        let found = bands(&self.out, &dice, &plus, &whens);
        if !found.whole && test.otherwise.is_none() {
            self.fault(
                Diagnostic::error(
                    code::E0508,
                    test.name.span,
                    format!("test `{}` leaves some rolls without an outcome", test.name.text),
                )
                .help("end it with `otherwise OUTCOME`, or widen a band until every total has one"),
            );
        }
        for (first, second) in
            found.shared.iter().filter_map(|(a, b)| Some((*spans.get(*a)?, *spans.get(*b)?)))
        {
            self.fault(
                Diagnostic::warning(
                    code::W0523,
                    second,
                    format!("this band of `{}` and one above it share rolls", test.name.text),
                )
                .label(first, "this one, which is read first")
                .help("let one band end where the other begins"),
            );
        }
        let comes = found.range.map_or_else(String::new, |(least, most)| {
            format!("a roll comes to {least} to {most}, and the rows above have theirs; ")
        });
        for span in found.unreached.iter().filter_map(|at| spans.get(*at)) {
            let message = format!("no roll of `{}` ever comes to this row", test.name.text);
            self.fault(
                Diagnostic::warning(code::W0522, *span, message)
                    .help(format!("{comes}mend the numbers, move it up, or take it out")),
            );
        }
    }

    /// When a test is rolled again: at most so often, or as long as an amount lasts.
    fn retry(&mut self, test: &ast::Test, scope: &Scope<'a>, rolled: &Scope<'a>) -> Option<Retry> {
        let (retry, more) = test.retries.split_first()?;
        if let Some(second) = more.first() {
            self.fault(
                Diagnostic::error(
                    code::E0202,
                    second.span,
                    format!("test `{}` is rolled again in two ways", test.name.text),
                )
                .label(retry.span, "the first is here")
                .help("join the two conditions with `or`"),
            );
        }
        if retry.at_most.is_none() && retry.spending.is_none() {
            self.fault(Diagnostic::error(code::E0520, retry.span, "nothing ends this retry").help(
                "say how often, as in `retry at most 2 when ...`, or what it costs, as in `retry spending points of leader when ...`",
            ));
        }
        let at_most = retry.at_most.as_ref().map(|q| {
            let found = self.amount(q, scope, None);
            self.wants_whole(found, "a test is rolled a whole number of times");
            found.id
        });
        let spending = retry.spending.as_ref().and_then(|path| self.spent(path, scope));
        let when = self.truth(&retry.when, rolled);
        let line = self.line(format!("test {}, retry", test.name.text), retry.span, &retry.cites);
        Some(Retry { at_most, spending, when, line })
    }

    /// The stored amount that a retry takes one from.
    fn spent(&mut self, path: &ast::Path, scope: &Scope<'a>) -> Option<(FactId, ExprId)> {
        let (fact, of) = self.settable(path, scope)?;
        if !matches!(self.out.facts.get(fact.index()).map(|f| f.ty), Some(Type::Number { .. })) {
            self.fault(
                Diagnostic::error(code::E0308, path.span, "only an amount is spent")
                    .help("name an attribute that is an amount"),
            );
            return None;
        }
        let of = of.unwrap_or_else(|| self.node(Node::Nothing, path.span));
        Some((fact, of))
    }

    fn outcome_of(&mut self, id: TestId, span: Span, values: &[ast::Expr]) -> Option<u16> {
        let name = match values {
            [one] => bare_name(one),
            _ => None,
        };
        let Some(name) = name else {
            self.fault(
                Diagnostic::error(code::E0504, span, "a row of a test gives one outcome")
                    .help("write one word behind `then`"),
            );
            return None;
        };
        let set = self.out.tests.get(id.index())?.outcomes;
        let at = self.out.word_sets.get(set.index())?.words.iter().position(|w| *w == name.text)?;
        u16::try_from(at).ok()
    }

    /// `chance of loses in attrition of A`.
    pub(super) fn chance(
        &mut self,
        span: Span,
        outcome: &ast::Name,
        of: &ast::Path,
        scope: &Scope<'_>,
    ) -> Typed {
        let found = self.path(of, scope, None, Asked::Kept);
        let Node::Outcome(test, thing) = self.out.node(found.id).clone() else {
            if found.ty != Ty::Poison {
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        of.span,
                        "a test of something should stand behind `in`",
                    )
                    .help("write `chance of OUTCOME in TEST of A`"),
                );
            }
            return self.poison(span);
        };
        let Ty::Of(ty) = found.ty else { return self.poison(span) };
        let Some(word) = self.word(outcome, ty) else {
            let set = match ty {
                Type::Word(set) => self.out.word_sets.get(set.index()),
                _ => None,
            };
            let words = self.gathered(set.into_iter().flat_map(|s| &s.words).cloned());
            self.unknown(
                code::E0206,
                outcome,
                "outcome of the test",
                words.iter().map(String::as_str),
            );
            return self.poison(span);
        };
        let word = match self.out.node(word.id) {
            Node::Word(_, word) => *word,
            _ => 0,
        };
        self.typed(
            Node::Chance(test, word, thing),
            Ty::Of(Type::Number { dimension: None, low: 0, high: 1, fraction: true }),
            span,
        )
    }
}

fn outcome_text(values: &[ast::Expr]) -> String {
    values.iter().filter_map(bare_name).map(|n| n.text.clone()).collect::<Vec<_>>().join(", ")
}
