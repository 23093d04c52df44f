//! Tests: dice, what is added to them, and bands of outcomes that leave nothing open.

use super::scope::{Member, Scope, Ty, Typed};
use super::table::bare_name;
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

/// All throws of one test together are fewer than this, so that chances stay exact.
const MOST_THROWS: u64 = 1 << 53;

impl<'a> Checker<'a> {
    pub(super) fn test_head(&mut self, test: &ast::Test) {
        let Some(of) = self.kind(&test.of) else { return self.symbols.lost.push(test.name.text.clone()) };
        if !self.declare_member(&test.name, of) {
            return;
        }
        let id = TestId::at(self.out.tests.len());
        self.add_member(&test.name.text, of, Member::Test(id));
        self.symbols.tests.insert(test.name.text.clone(), id);
        let mut outcomes: Vec<String> = Vec::new();
        let values = test.rows.iter().flat_map(|r| &r.values).chain(test.otherwise.iter().flat_map(|o| &o.values));
        for name in values.filter_map(bare_name) {
            if !outcomes.contains(&name.text) {
                outcomes.push(name.text.clone());
            }
        }
        let set = WordSetId::at(self.out.word_sets.len());
        self.out.word_sets.push(WordSet { name: test.name.text.clone(), words: outcomes, ordered: false });
        let line = self.line(format!("test {}", test.name.text), test.name.span, &test.cites);
        let (dice, sides) = self.dice(&test.dice);
        let title = test.title.as_ref().map_or(&test.name.text, |t| &t.text).clone();
        self.out.tests.push(Test {
            name: test.name.text.clone(),
            title,
            of,
            dice,
            sides,
            plus: None,
            outcomes: set,
            rows: Vec::new(),
            line,
        });
    }

    /// `2d6`: so many that every throw can be counted.
    fn dice(&mut self, dice: &ast::Name) -> (u32, u32) {
        let parsed = dice.text.split_once('d').and_then(|(n, s)| Some((n.parse::<u32>().ok()?, s.parse::<u32>().ok()?)));
        let fits = |(n, s): &(u32, u32)| *n >= 1 && *s >= 2 && *n <= 20 && u64::from(*s).checked_pow(*n).is_some_and(|t| t < MOST_THROWS);
        match parsed.filter(fits) {
            Some(found) => found,
            None => {
                self.fault(
                    Diagnostic::error(code::E0210, dice.span, format!("`{}` cannot be rolled", dice.text))
                        .help("write up to 20 dice of 2 sides or more, as in `2d6`, `1d10` or `1d100`"),
                );
                (1, 6)
            }
        }
    }

    pub(super) fn tests(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Test(test) = &item.item.kind else { continue };
            let Some(id) = self.symbols.tests.get(&test.name.text).copied() else { continue };
            let Some(of) = self.out.tests.get(id.index()).map(|t| t.of) else { continue };
            let scope = Scope::of(of);
            let rolled = Scope { rolled: true, ..Scope::of(of) };
            if let Some(retry) = test.retry {
                self.later(retry, "`retry`");
            }
            let plus = test.plus.as_ref().map(|p| self.amount(p, &scope, None).id);
            if !test.roll_cites.0.is_empty() {
                self.line(format!("test {}, roll", test.name.text), test.dice.span, &test.roll_cites);
            }
            let mut rows = Vec::new();
            for row in &test.rows {
                let when = row.when.as_ref().map(|w| self.truth(w, &rolled));
                let line = self.line(format!("test {}, {}", test.name.text, outcome_text(&row.values)), row.span, &row.cites);
                if let Some(outcome) = self.outcome_of(id, row.span, &row.values) {
                    rows.push((when, outcome, line));
                }
            }
            match &test.otherwise {
                Some(otherwise) => {
                    let line = self.line(format!("test {}, otherwise", test.name.text), otherwise.span, &otherwise.cites);
                    if let Some(outcome) = self.outcome_of(id, otherwise.span, &otherwise.values) {
                        rows.push((None, outcome, line));
                    }
                }
                None if !item.item.broken => self.fault(
                    Diagnostic::error(
                        code::E0508,
                        test.name.span,
                        format!("test `{}` leaves some rolls without an outcome", test.name.text),
                    )
                    .help("end it with `otherwise OUTCOME`"),
                ),
                None => {}
            }
            if let Some(test) = self.out.tests.get_mut(id.index()) {
                (test.plus, test.rows) = (plus, rows);
            }
        }
    }

    fn outcome_of(&mut self, id: TestId, span: Span, values: &[ast::Expr]) -> Option<u16> {
        let name = match values {
            [one] => bare_name(one),
            _ => None,
        };
        let Some(name) = name else {
            self.fault(Diagnostic::error(code::E0504, span, "a row of a test gives one outcome").help("write one word behind `then`"));
            return None;
        };
        let set = self.out.tests.get(id.index())?.outcomes;
        let at = self.out.word_sets.get(set.index())?.words.iter().position(|w| *w == name.text)?;
        u16::try_from(at).ok()
    }

    /// `chance of loses in attrition of A`.
    pub(super) fn chance(&mut self, span: Span, outcome: &ast::Name, of: &ast::Path, scope: &Scope<'_>) -> Typed {
        let found = self.path(of, scope, None, Asked::Kept);
        let Node::Outcome(test, thing) = self.out.node(found.id).clone() else {
            if found.ty != Ty::Poison {
                self.fault(
                    Diagnostic::error(code::E0302, of.span, "a test of something should stand behind `in`")
                        .help("write `chance of OUTCOME in TEST of A`"),
                );
            }
            return self.poison(span);
        };
        let Ty::Of(ty) = found.ty else { return self.poison(span) };
        let Some(word) = self.word(outcome, ty) else {
            let words = match ty {
                Type::Word(set) => self.out.word_sets.get(set.index()).map(|s| s.words.clone()).unwrap_or_default(),
                _ => Vec::new(),
            };
            self.unknown(code::E0206, outcome, "outcome of the test", words.iter().map(String::as_str));
            return self.poison(span);
        };
        let word = match self.out.node(word.id) {
            Node::Word(_, word) => *word,
            _ => 0,
        };
        self.typed(Node::Chance(test, word, thing), Ty::Of(Type::Number { dimension: None, low: 0, high: 1, fraction: true }), span)
    }
}

fn outcome_text(values: &[ast::Expr]) -> String {
    values.iter().filter_map(bare_name).map(|n| n.text.clone()).collect::<Vec<_>>().join(", ")
}
