//! Lists of tests: tables by `all matches`. Which of their rows hold, in order, and at which of
//! them a roll stopped.

use super::Checker;
use super::scope::{Scope, Ty, Typed};
use super::table::bare_name;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Expr, Name, TableBody};

/// What `stop` says of a list that was rolled to its end.
const THROUGH: &str = "none";

impl<'a> Checker<'a> {
    /// The rows of a list of tests: each has a name, a condition and one test.
    #[inline(never)]
    pub(super) fn list_body(&mut self, id: TableId, item: &'a ast::Table) {
        let Some(table) = self.out.tables.get(id.index()) else { return };
        let of = table.of;
        let tests_alone = matches!(item.results.as_slice(), [one] if one.name.text == "tests" && one.dimension.is_none());
        let (TableBody::List { rows, otherwise, kept }, Some(of), true) =
            (&item.body, of, tests_alone)
        else {
            self.fault(
                Diagnostic::error(
                    code::E0530,
                    item.policy_span,
                    "what a table by `all matches` gives is a list of tests of some kind of thing",
                )
                .help(format!(
                    "write `table {} of KIND gives tests by all matches`, one test a row",
                    item.name.text
                )),
            );
            return self.symbols.lost.push(item.name.text.clone());
        };
        for (span, what) in otherwise
            .iter()
            .map(|o| (o.span, "otherwise"))
            .chain(kept.iter().map(|k| (k.span, "kept between")))
        {
            self.fault(
                Diagnostic::error(code::E0530, span, format!("a list of tests has no `{what}`"))
                    .help("rows that do not hold list nothing; write a row of its own for what else is rolled"),
            );
        }
        let scope = Scope::of(of);
        let mut names: Vec<String> = Vec::new();
        let (mut found, mut tests) = (Vec::new(), Vec::new());
        let set = WordSetId::at(self.out.word_sets.len());
        self.out.word_sets.push(WordSet {
            name: item.name.text.clone(),
            words: Vec::new(),
            ordered: false,
        });
        for row in rows {
            if let Some(per) = &row.per {
                let fault = Diagnostic::error(
                    code::E0506,
                    per.span,
                    "`per` counts how often a row holds, which matters to a sum alone",
                );
                self.fault(fault.help("write a row for each test that is rolled"));
            }
            let when = row
                .when
                .as_ref()
                .filter(|w| !super::table::is_word(w, "always"))
                .map(|w| self.truth(w, &scope));
            let (Some(name), Some(test)) = (self.row_name(row, &names), self.row_test(row, of))
            else {
                continue;
            };
            names.push(name.text.clone());
            let line =
                self.line(format!("table {}, {}", item.name.text, name.text), row.span, &row.cites);
            let word = self
                .node(Node::Word(set, u16::try_from(found.len()).unwrap_or(u16::MAX)), name.span);
            found.push(Row {
                name: name.text.clone(),
                when,
                per: None,
                values: vec![Some(word)],
                line,
            });
            tests.push(test);
        }
        names.push(THROUGH.to_owned());
        if let Some(words) = self.out.word_sets.get_mut(set.index()) {
            words.words = names;
        }
        let viewed = self.viewed.is_some();
        if let Some(table) = self.out.tables.get_mut(id.index()) {
            table.results = vec![("tests".to_owned(), Type::Word(set))];
            (table.rows, table.tests, table.viewed) = (found, tests, viewed);
        }
    }

    fn row_name<'r>(&mut self, row: &'r ast::ListRow, names: &[String]) -> Option<&'r Name> {
        let Some(name) = &row.name else {
            self.fault(
                Diagnostic::error(code::E0531, row.span, "a row of a list of tests has no name")
                    .help("write `row NAME when ...`, so that `stop` can say where a roll stopped"),
            );
            return None;
        };
        if name.text == THROUGH {
            let fault = Diagnostic::error(
                code::E0531,
                name.span,
                "`none` says that no row stopped a roll, and is no name of one",
            );
            self.fault(fault.help("take another name"));
            return None;
        }
        if names.contains(&name.text) {
            let fault = Diagnostic::error(
                code::E0202,
                name.span,
                format!("row `{}` stands twice", name.text),
            );
            self.fault(fault.help("give it another name; the test behind it may be the same"));
            return None;
        }
        Some(name)
    }

    fn row_test(&mut self, row: &ast::ListRow, of: KindId) -> Option<TestId> {
        let name = match row.values.as_slice() {
            [one] => bare_name(one),
            _ => None,
        };
        let Some(name) = name else {
            self.fault(
                Diagnostic::error(code::E0530, row.span, "a row of a list of tests gives one test")
                    .help("write its name behind `then`"),
            );
            return None;
        };
        let Some(id) = self.symbols.tests.get(&name.text).copied() else {
            let known = self.gathered(self.symbols.tests.keys().cloned());
            self.unknown(code::E0201, name, "test", known.iter().map(String::as_str));
            return None;
        };
        let test_of = self.out.tests.get(id.index()).map(|t| t.of)?;
        if !self.out.is_kind(of, test_of) {
            let (a, b) = (self.a_kind(test_of), self.a_kind(of));
            self.fault(
                Diagnostic::error(
                    code::E0303,
                    name.span,
                    format!("`{}` is a test of {a}, and this list is one of {b}", name.text),
                )
                .help(format!("list tests of {b}")),
            );
            return None;
        }
        Some(id)
    }

    /// `due of A is fire, wheel`: exactly these rows hold, in this order; `none` for no row at all.
    pub(super) fn rows_are(
        &mut self,
        span: Span,
        left: Typed,
        table: TableId,
        names: &[Name],
    ) -> Typed {
        let Node::Listed(_, of, _) = *self.out.node(left.id) else { return self.poison(span) };
        let rows: Vec<String> = self
            .out
            .tables
            .get(table.index())
            .map_or_else(Vec::new, |t| t.rows.iter().map(|r| r.name.clone()).collect());
        let mut listed: Vec<u16> = Vec::new();
        let none = matches!(names, [one] if one.text == THROUGH);
        for name in names.iter().filter(|_| !none) {
            let Some(at) =
                rows.iter().position(|r| *r == name.text).and_then(|at| u16::try_from(at).ok())
            else {
                let what = format!(
                    "row of `{}`",
                    self.out.tables.get(table.index()).map_or("", |t| t.name.as_str())
                );
                let known: Vec<&str> = rows.iter().map(String::as_str).chain([THROUGH]).collect();
                self.unknown(code::E0206, name, &what, known);
                return self.poison(span);
            };
            if listed.last().is_some_and(|last| *last >= at) {
                self.fault(
                    Diagnostic::error(
                        code::E0534,
                        name.span,
                        format!(
                            "`{}` stands before that in its table, so this is never so",
                            name.text
                        ),
                    )
                    .help("write the rows in the order of the table, each once"),
                );
                return self.poison(span);
            }
            listed.push(at);
        }
        self.typed(Node::Listed(table, of, listed), Ty::TRUTH, span)
    }

    /// The same, where a condition names one row or `none`.
    pub(super) fn row_is(
        &mut self,
        span: Span,
        left: Typed,
        table: TableId,
        right: &Expr,
    ) -> Typed {
        match bare_name(right).cloned() {
            Some(name) => self.rows_are(span, left, table, &[name]),
            None => {
                self.fault(
                    Diagnostic::error(code::E0302, right.span, "the rows of a list are named here")
                        .help("write a row of the table, several with a comma between them in an `expect`, or `none`"),
                );
                self.poison(span)
            }
        }
    }

    /// `stop of due of A`: the row at which the last roll of the list stopped.
    pub(super) fn stop_of(&mut self, name: &Name, of: Typed, table: TableId) -> Typed {
        let Node::Listed(_, thing, _) = *self.out.node(of.id) else {
            return self.poison(name.span);
        };
        if name.text != "stop" {
            self.fault(
                Diagnostic::error(
                    code::E0201,
                    name.span,
                    format!("a list of tests has no `{}`", name.text),
                )
                .help("write `stop`, for the row at which a roll of it stopped"),
            );
            return self.poison(name.span);
        }
        match self.out.tables.get(table.index()).and_then(|t| t.results.first()).map(|r| r.1) {
            Some(ty) => self.typed(Node::Stopped(table, thing), Ty::Of(ty), name.span),
            None => self.poison(name.span),
        }
    }

    /// `roll due [until halted]`: the effect of the step; `of` is the kind of its things.
    pub(super) fn roll_list(
        &mut self,
        list: &Name,
        once: Option<Span>,
        until: Option<&Name>,
    ) -> Option<(KindId, Effect)> {
        let id = self.symbols.tables.get(&list.text).copied()?;
        let table = self.out.tables.get(id.index())?;
        let of = table.of.filter(|_| table.policy == Policy::All);
        let tests = table.tests.clone();
        let Some(of) = of else {
            self.fault(
                Diagnostic::error(
                    code::E0533,
                    list.span,
                    format!("`{}` is a table, and what it gives is not rolled", list.text),
                )
                .help("only a test is rolled, or a list of tests by `all matches`"),
            );
            return None;
        };
        if let Some(span) = once {
            self.fault(
                Diagnostic::error(
                    code::E0533,
                    span,
                    "each thing has a list of its own, so one throw cannot count for all",
                )
                .help("leave `once` out"),
            );
        }
        let stops = match until {
            Some(word) => self.stops(&tests, word)?,
            None => vec![None; tests.len()],
        };
        Some((of, Effect::RollList { table: id, stops }))
    }

    /// For each test the outcome that stops a roll of the list; at least one of them must have it.
    fn stops(&mut self, tests: &[TestId], word: &Name) -> Option<Vec<Option<u16>>> {
        let mut known: Vec<String> = Vec::new();
        let mut stops = Vec::new();
        for test in tests {
            let set = self
                .out
                .tests
                .get(test.index())
                .and_then(|t| self.out.word_sets.get(t.outcomes.index()));
            let words = set.map_or(&[][..], |s| &s.words);
            stops.push(
                words.iter().position(|w| *w == word.text).and_then(|at| u16::try_from(at).ok()),
            );
            known.extend(words.iter().filter(|w| !known.contains(w)).cloned().collect::<Vec<_>>());
        }
        if !tests.is_empty() && stops.iter().all(Option::is_none) {
            self.unknown(
                code::E0532,
                word,
                "outcome of a test in the list",
                known.iter().map(String::as_str),
            );
            return None;
        }
        Some(stops)
    }

    /// All rolls of one list stop at the same outcome, so that `stop` and odds say one thing.
    pub(super) fn lists_stop_alike(&mut self) {
        let mut first: Vec<(TableId, Vec<Option<u16>>, LineId)> = Vec::new();
        let steps: Vec<Step> = self.out.phases.iter().flat_map(|p| &p.steps).cloned().collect();
        for step in steps {
            let Effect::RollList { table, stops } = step.effect else { continue };
            match first.iter().find(|(t, ..)| *t == table) {
                None => first.push((table, stops, step.line)),
                Some((_, before, _)) if *before == stops => {}
                Some((.., line)) => {
                    let place = |line: LineId| {
                        self.out.lines.get(line.index()).map_or_else(Span::default, |l| l.span)
                    };
                    let fault = Diagnostic::error(
                        code::E0533,
                        place(step.line),
                        "this list is rolled in another way elsewhere",
                    )
                    .label(place(*line), "here it stops otherwise")
                    .help("let all rolls of a list stop at the same outcome, or make two lists");
                    self.fault(fault);
                }
            }
        }
    }
}
