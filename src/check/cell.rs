//! The cells of a case's grid: each is a step under the head of its column.

use super::Checker;
use super::scope::{Objects, Scope, Ty};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, CaseCellKind, CaseColumnKind, KeyCellKind, Name, Run};

impl Checker<'_> {
    pub(super) fn cell_step(
        &mut self,
        column: &ast::CaseColumn,
        cell: &ast::CaseCell,
        objects: &Objects,
    ) -> Vec<CaseStep> {
        let scope = Scope { objects: Some(objects), ..Scope::default() };
        let step = |kind| CaseStep { kind, span: cell.span };
        let state = |s: State| step(CaseStepKind::State(s));
        match (&column.kind, &cell.kind) {
            (CaseColumnKind::Dice, CaseCellKind::Any | CaseCellKind::Same) => Vec::new(),
            (CaseColumnKind::Dice, kind) => match dice_in(kind) {
                Some(names) => self.dice_step(&names).into_iter().collect(),
                None => self.wrong_cell(cell.span, "what the dice show, as in `3, 4`"),
            },
            (CaseColumnKind::Expect(_), CaseCellKind::Any) => Vec::new(),
            (CaseColumnKind::Expect(value), _) => {
                self.expect_cell(value, cell, &scope).map(step).into_iter().collect()
            }
            (_, CaseCellKind::Same) => Vec::new(),
            (CaseColumnKind::Run, CaseCellKind::Key(key)) => match &key.kind {
                KeyCellKind::Is(ast::Expr { kind: ast::ExprKind::Path(path), .. }) => {
                    self.run_cell(path).into_iter().collect()
                }
                _ => self.wrong_cell(cell.span, "a phase, as in `supply_check of Red`"),
            },
            (CaseColumnKind::Ruling(name), CaseCellKind::Key(key)) => match &key.kind {
                KeyCellKind::Is(value) => match super::table::bare_name(value) {
                    Some(reading) => self.ruling_step(name, reading).into_iter().collect(),
                    None => self.wrong_cell(cell.span, "a reading"),
                },
                _ => self.wrong_cell(cell.span, "a reading"),
            },
            (CaseColumnKind::Choice(name), CaseCellKind::No) => {
                self.option_step(name, false).into_iter().collect()
            }
            (CaseColumnKind::Choice(name), CaseCellKind::Key(key)) => match &key.kind {
                KeyCellKind::Is(value)
                    if super::table::is_word(value, "on")
                        || super::table::is_word(value, "yes") =>
                {
                    self.option_step(name, true).into_iter().collect()
                }
                KeyCellKind::Is(value) if super::table::is_word(value, "off") => {
                    self.option_step(name, false).into_iter().collect()
                }
                _ => self.wrong_cell(cell.span, "`on` or `off`"),
            },
            (CaseColumnKind::Given(path), CaseCellKind::Key(key)) => match &key.kind {
                KeyCellKind::Is(value) => {
                    self.given_cell(path, value, &scope).map(state).into_iter().collect()
                }
                _ => self.wrong_cell(cell.span, "a value, or `same`"),
            },
            (CaseColumnKind::Given(path), CaseCellKind::No) if path.between.is_some() => {
                self.wrong_cell(cell.span, "an amount, or `same`")
            }
            (CaseColumnKind::Given(path), CaseCellKind::No) => match self.settable(path, &scope) {
                Some((fact, of)) if self.wants_truth(fact, cell.span).is_some() => {
                    let value = self.node(Node::Truth(false), cell.span);
                    vec![state(State::Fact(fact, of, value))]
                }
                _ => Vec::new(),
            },
            (CaseColumnKind::GivenPair { left, name, right }, kind)
                if !super::relation::is_relation(name) =>
            {
                self.pair_given_cell((left, name, right), (kind, cell.span), &scope)
                    .map(state)
                    .into_iter()
                    .collect()
            }
            (CaseColumnKind::GivenPair { left, name, right }, kind) => {
                let Some(yes) = self.yes_or_no(kind, cell.span) else { return Vec::new() };
                self.pair_cell(left, name, right, yes, &scope).map(state).into_iter().collect()
            }
            _ => self.wrong_cell(cell.span, "a value"),
        }
    }

    fn wrong_cell(&mut self, span: Span, want: &str) -> Vec<CaseStep> {
        self.fault(Diagnostic::error(code::E0708, span, format!("this cell should say {want}")));
        Vec::new()
    }

    fn run_cell(&mut self, path: &ast::Path) -> Option<CaseStep> {
        let names: Vec<&Name> = path
            .heads
            .iter()
            .filter_map(|h| match &h.kind {
                ast::HeadKind::Name(name) => Some(name),
                _ => None,
            })
            .collect();
        let point = |edge: &Name, part: &Name, of: Option<&&Name>| ast::MomentPoint {
            span: path.span,
            start: edge.text == "start",
            part: part.clone(),
            of: of.map(|n| (*n).clone()),
        };
        match names.as_slice() {
            [edge, part, rest @ ..]
                if matches!(edge.text.as_str(), "start" | "end") && rest.len() < 2 =>
            {
                self.run_step(&Run::Moment(point(edge, part, rest.first())))
            }
            [phase] => self.run_phase(phase, None),
            [phase, side] => self.run_phase(phase, Some(side)),
            _ => {
                self.wrong_cell(path.span, "a phase, as in `supply_check of Red`");
                None
            }
        }
    }

    fn given_cell(
        &mut self,
        path: &ast::Path,
        value: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Option<State> {
        if path.between.is_some() {
            return self.between_state(path, value, scope);
        }
        if is_viewer(path) {
            return self.side_said(value, scope).map(State::Viewer);
        }
        let found = self.path(path, scope, None, Asked::Kept);
        if found.ty == Ty::Poison {
            return None;
        }
        if let Node::Verdict(trace, of, _) = self.out.node(found.id).clone() {
            return self.answer_state(trace, of, found, value, scope);
        }
        let (fact, of) = self.settable(path, scope)?;
        self.state_value(fact, of, value, scope)
    }

    fn pair_cell(
        &mut self,
        left: &ast::Path,
        name: &Name,
        right: &ast::Path,
        yes: bool,
        scope: &Scope<'_>,
    ) -> Option<State> {
        let relation = match Relation::named(&name.text)? {
            relation if yes => relation,
            Relation::Neutral => {
                return self.wrong_neutral(left.span.to(right.span));
            }
            _ => Relation::Neutral,
        };
        let [left, right] =
            [left, right].map(|p| ast::Expr { span: p.span, kind: ast::ExprKind::Path(p.clone()) });
        self.related(relation, &left, &right, scope)
    }

    /// Who is not neutral may be a friend or an enemy.
    fn wrong_neutral(&mut self, head: Span) -> Option<State> {
        let message = "who is not neutral may be an ally or an enemy";
        let help = "write `yes` or `same`, or another column, as in `given Red is enemy_of Blue`";
        self.fault(Diagnostic::error(code::E0708, head, message).help(help));
        None
    }

    fn expect_cell(
        &mut self,
        value: &ast::Expr,
        cell: &ast::CaseCell,
        scope: &Scope<'_>,
    ) -> Option<CaseStepKind> {
        let value = self.expr(value, scope, None);
        if let Ty::Rows(table) = value.ty {
            let names = match &cell.kind {
                CaseCellKind::Several(all) => all
                    .iter()
                    .map(|e| super::table::bare_name(e).cloned())
                    .collect::<Option<Vec<_>>>(),
                CaseCellKind::Key(key) => match &key.kind {
                    KeyCellKind::Is(one) => {
                        super::table::bare_name(one).map(|name| vec![name.clone()])
                    }
                    _ => None,
                },
                _ => None,
            };
            let Some(names) = names else {
                self.wrong_cell(cell.span, "rows of the list with a comma between them, or `none`");
                return None;
            };
            return Some(CaseStepKind::Expect(self.rows_are(cell.span, value, table, &names).id));
        }
        let holds = match &cell.kind {
            CaseCellKind::No => self.node(Node::Not(value.id), cell.span),
            CaseCellKind::Key(key) => self.key(value, key, &[], scope)?,
            CaseCellKind::Several(_) | CaseCellKind::Same | CaseCellKind::Any => {
                self.wrong_cell(cell.span, "one value, a comparison, or `any`");
                return None;
            }
        };
        Some(CaseStepKind::ExpectValue { value: value.id, holds })
    }
}

/// The head `given viewer`.
fn is_viewer(path: &ast::Path) -> bool {
    path.one_name().is_some_and(|name| name.text == "viewer")
}

/// The numbers in a cell of dice.
fn dice_in(kind: &CaseCellKind) -> Option<Vec<Name>> {
    let number = |e: &ast::Expr| match &e.kind {
        ast::ExprKind::Number { text, dimension: None } => {
            Some(Name { text: text.clone(), span: e.span })
        }
        _ => None,
    };
    match kind {
        CaseCellKind::Several(all) => all.iter().map(number).collect(),
        CaseCellKind::Key(key) => match &key.kind {
            KeyCellKind::Is(value) => Some(vec![number(value)?]),
            _ => None,
        },
        _ => None,
    }
}
