//! Named values and tables: bodies translated when first needed, a grid as the list of its cells.

use super::Checker;
use super::scope::{Scope, Ty, Typed};
use super::sums::Sums;
use crate::diag::{Diagnostic, code, counted};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, KeyCell, KeyCellKind, TableBody};

/// The rows of a table while they are gathered.
type Rows = Vec<Row>;

impl<'a> Checker<'a> {
    pub(super) fn table_body(&mut self, id: TableId, item: &'a ast::Table, broken: bool) {
        self.said_twice(&item.twice);
        if item.policy == ast::Policy::All {
            return self.list_body(id, item);
        }
        let of = self.out.tables.get(id.index()).and_then(|t| t.of);
        let scope = of.map_or_else(Scope::default, Scope::of);
        self.results_apart(&item.results);
        let mut results: Vec<(String, Type)> =
            item.results.iter().map(|r| self.result(r, item)).collect();
        let (rows, kept) = match &item.body {
            TableBody::List { rows, otherwise, kept } => {
                (self.list(item, rows, otherwise.as_ref(), &scope, &mut results), kept.as_ref())
            }
            TableBody::Grid(grid) => {
                (self.grid(item, grid, &scope, &mut results), grid.kept.as_ref())
            }
        };
        // A table without an amount, empty or with all rows barred, is of no size.
        for (_, ty) in &mut results {
            if let Type::Number { low, high, .. } = ty
                && *low > *high
            {
                (*low, *high) = (0, 0);
            }
        }
        let kept = kept.map(|k| {
            let dimension = dimension_of(results.first().map(|r| r.1));
            self.ends_in_order(&k.low, &k.high, &scope);
            let (low, high) =
                (self.amount(&k.low, &scope, dimension), self.amount(&k.high, &scope, dimension));
            if let (
                Ty::Of(Type::Number { low: l, .. }),
                Ty::Of(Type::Number { high: h, .. }),
                Some((_, Type::Number { low, high, .. })),
            ) = (low.ty, high.ty, results.first_mut())
            {
                (*low, *high) = ((*low).max(l).min(h), (*high).min(h).max(l));
            }
            self.line(format!("table {}, kept between", item.name.text), k.span, &k.cites);
            (low.id, high.id)
        });
        let viewed = self.viewed.is_some();
        let policy = self.out.tables.get(id.index()).map_or(Policy::First, |t| t.policy);
        if policy == Policy::Sum && results.iter().any(|(_, ty)| !matches!(ty, Type::Number { .. }))
        {
            self.fault(
                Diagnostic::error(code::E0302, item.policy_span, "only amounts add up")
                    .help("this table gives words: use `by first match` or `by only match`"),
            );
        }
        if let Some(table) = self.out.tables.get_mut(id.index()) {
            (table.results, table.rows, table.kept, table.viewed) = (results, rows, kept, viewed);
        }
        if !broken {
            self.prove(id, item);
            self.prove_rows(id, item);
        }
    }

    /// Refuses a second result of one name, which nothing could ask for.
    #[inline(never)]
    fn results_apart(&mut self, results: &[ast::TableResult]) {
        for (at, result) in results.iter().enumerate() {
            let same = |other: &&ast::TableResult| other.name.text == result.name.text;
            let Some(first) = results.iter().take(at).find(same) else { continue };
            let message = format!("the table gives `{}` twice", result.name.text);
            let fault = Diagnostic::error(code::E0202, result.name.span, message);
            let fault = fault.label(first.name.span, "first here");
            self.fault(fault.help("give it another name, as in `gives loss in men, way in miles`"));
        }
    }

    /// `gives areas`, `gives attack in factors`, `gives state`: a dimension, a named amount, or
    /// words.
    fn result(&mut self, result: &ast::TableResult, table: &ast::Table) -> (String, Type) {
        let amount =
            |dimension| Type::Number { dimension, low: i64::MAX, high: i64::MIN, fraction: false };
        if let Some(dimension) = &result.dimension {
            return (result.name.text.clone(), amount(self.dimension(dimension)));
        }
        if let Some(dimension) = self.symbols.dimensions.get(&result.name.text).copied() {
            self.symbols.note(result.name.span, super::scope::Used::Dimension);
            self.note_columns(result, &table.body);
            return (result.name.text.clone(), amount(Some(dimension)));
        }
        if has_amounts(&table.body) {
            self.dimension(&result.name);
            return (result.name.text.clone(), amount(None));
        }
        let set = WordSetId::at(self.out.word_sets.len());
        self.out.word_sets.push(WordSet {
            name: result.name.text.clone(),
            words: Vec::new(),
            ordered: false,
        });
        (result.name.text.clone(), Type::Word(set))
    }

    /// Without a key across, the columns of a chart are called like its results.
    fn note_columns(&mut self, result: &ast::TableResult, body: &ast::TableBody) {
        let ast::TableBody::Grid(grid) = body else { return };
        let columns = grid.columns.iter().filter(|_| grid.across.is_none());
        for column in columns.filter(|c| self.sources.slice(c.span) == result.name.text) {
            self.symbols.note(column.span, super::scope::Used::Dimension);
        }
    }

    fn list(
        &mut self,
        table: &ast::Table,
        rows: &[ast::ListRow],
        otherwise: Option<&ast::Otherwise>,
        scope: &Scope<'_>,
        results: &mut [(String, Type)],
    ) -> Rows {
        let sum = table.policy == ast::Policy::Sum;
        let mut names: Vec<&ast::Name> = Vec::new();
        let mut out = Vec::new();
        let mut sums = Sums::of(results);
        for (at, row) in rows.iter().enumerate() {
            if let Some(name) = &row.name {
                if let Some(first) = names.iter().find(|n| n.text == name.text) {
                    let first = first.span;
                    self.fault(
                        Diagnostic::error(
                            code::E0202,
                            name.span,
                            format!("row `{}` stands twice", name.text),
                        )
                        .label(first, "first here")
                        .help("give it another name"),
                    );
                }
                names.push(name);
            }
            let name =
                row.name.as_ref().map_or_else(|| format!("row {}", at + 1), |n| n.text.clone());
            let when =
                row.when.as_ref().filter(|w| !is_word(w, "always")).map(|w| self.truth(w, scope));
            let per = row.per.as_ref().map(|per| {
                if !sum {
                    self.fault(
                        Diagnostic::error(
                            code::E0506,
                            per.span,
                            "`per` counts how often a row holds, which matters to a sum alone",
                        )
                        .help("use `by sum of matches`, or `when`"),
                    );
                }
                let amount = self.amount(per, scope, None);
                let beyond = row.beyond.as_ref().map(|b| self.amount(b, scope, None).id);
                (amount.id, beyond, amount.ty)
            });
            if let ([only], true) = (row.values.as_slice(), sum)
                && is_word(only, "barred")
            {
                let message = "what is barred adds nothing to a sum, so this row does nothing";
                let help = "take the row out, or bar it in a table `by first match`";
                self.fault(Diagnostic::error(code::E0506, only.span, message).help(help));
            }
            let values = if sum {
                let mut own = sums.fresh(results);
                let values = self.values(row.span, &row.values, scope, &mut own, false);
                sums.add(&own, when.is_none(), per.map(|p| p.2));
                values
            } else {
                self.values(row.span, &row.values, scope, results, per.is_some())
            };
            let per = per.map(|(amount, beyond, _)| (amount, beyond));
            let line =
                self.line(format!("table {}, {name}", table.name.text), row.span, &row.cites);
            out.push(Row { name, when, per, values, line });
        }
        if let Some(otherwise) = otherwise {
            let values = self.values(otherwise.span, &otherwise.values, scope, results, false);
            let line = self.line(
                format!("table {}, otherwise", table.name.text),
                otherwise.span,
                &otherwise.cites,
            );
            out.push(Row { name: "otherwise".to_owned(), when: None, per: None, values, line });
            if sum {
                self.fault(
                    Diagnostic::error(
                        code::E0506,
                        otherwise.span,
                        "a sum has no `otherwise`: rows that do not hold add nothing",
                    )
                    .help("write a row `when always then ...` for what always counts"),
                );
            }
        }
        if sum {
            sums.bound(results);
        }
        out
    }

    fn values(
        &mut self,
        span: Span,
        values: &[ast::Expr],
        scope: &Scope<'_>,
        results: &mut [(String, Type)],
        many: bool,
    ) -> Vec<Option<ExprId>> {
        if values.len() != results.len() {
            self.fault(
                Diagnostic::error(
                    code::E0504,
                    span,
                    format!(
                        "the row has {}, the table gives {}",
                        counted(values.len(), "value"),
                        results.len()
                    ),
                )
                .help("write one value for each result of the head"),
            );
        }
        values
            .iter()
            .zip(results)
            .map(|(value, (_, ty))| self.value(value, scope, ty, many))
            .collect()
    }

    fn value(
        &mut self,
        value: &ast::Expr,
        scope: &Scope<'_>,
        ty: &mut Type,
        many: bool,
    ) -> Option<ExprId> {
        if is_word(value, "barred") {
            return None;
        }
        match ty {
            Type::Word(set) => {
                let Some(name) = bare_name(value) else {
                    self.fault(
                        Diagnostic::error(code::E0302, value.span, "a row of this table gives a word, and this is none")
                            .help("write one word, or `barred`; a table of amounts names their dimension behind `gives`"),
                    );
                    return None;
                };
                let words = &mut self.out.word_sets.get_mut(set.index())?.words;
                let at = words.iter().position(|w| *w == name.text).unwrap_or_else(|| {
                    words.push(name.text.clone());
                    words.len() - 1
                });
                let node = Node::Word(*set, u16::try_from(at).ok()?);
                Some(self.node(node, value.span))
            }
            Type::Number { dimension, low, high, fraction } => {
                let found = self.amount(value, scope, *dimension);
                if let Ty::Of(Type::Number { low: l, high: h, fraction: f, .. }) = found.ty {
                    *low = if many { (*low).min(l.min(0)) } else { (*low).min(l) };
                    *high = if many { (*high).max(h.max(0)) } else { (*high).max(h) };
                    *fraction |= f;
                }
                Some(found.id)
            }
            _ => None,
        }
    }

    fn grid(
        &mut self,
        table: &ast::Table,
        grid: &ast::Grid,
        scope: &Scope<'_>,
        results: &mut [(String, Type)],
    ) -> Rows {
        let keys: Vec<Typed> =
            grid.down.iter().map(|p| self.path(p, scope, None, Asked::Kept)).collect();
        let across = grid.across.as_ref().map(|p| self.path(p, scope, None, Asked::Kept));
        if across.is_none() {
            self.result_columns(grid, results);
        }
        let columns: Vec<Option<ExprId>> = match across {
            Some(key) => grid
                .columns
                .iter()
                .enumerate()
                .map(|(at, c)| self.key(key, c, &others(&grid.columns, at), scope))
                .collect(),
            None => Vec::new(),
        };
        let mut out = Vec::new();
        for (at, row) in grid.rows.iter().enumerate() {
            self.grid_shape(row, keys.len(), grid.columns.len());
            let name = row
                .keys
                .iter()
                .map(|k| self.sources.slice(k.span).trim().to_owned())
                .collect::<Vec<_>>()
                .join(", ");
            let mut conditions: Vec<ExprId> = Vec::new();
            for (column, (key, cell)) in keys.iter().zip(&row.keys).enumerate() {
                let same_column: Vec<&KeyCell> =
                    grid.rows.iter().filter_map(|r| r.keys.get(column)).collect();
                let rest = same_column
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| *i != at)
                    .map(|(_, c)| *c)
                    .collect::<Vec<_>>();
                conditions.extend(self.key(*key, cell, &rest, scope));
            }
            let line =
                self.line(format!("table {}, row {name}", table.name.text), row.span, &row.cites);
            if across.is_some() {
                let Some((_, ty)) = results.first_mut() else { continue };
                for ((value, column), head) in row.values.iter().zip(&columns).zip(&grid.columns) {
                    let when: Vec<ExprId> = conditions.iter().copied().chain(*column).collect();
                    let when = self.all(when, row.span);
                    let name = format!("{name}, {}", self.sources.slice(head.span).trim());
                    let value = self.value(value, scope, ty, false);
                    out.push(Row { name, when, per: None, values: vec![value], line });
                }
            } else {
                let when = self.all(conditions, row.span);
                let values = row
                    .values
                    .iter()
                    .zip(results.iter_mut())
                    .map(|(v, (_, ty))| self.value(v, scope, ty, false))
                    .collect();
                out.push(Row { name, when, per: None, values, line });
            }
        }
        if table.policy == ast::Policy::Sum {
            super::sums::bound_grid(results);
        }
        out
    }

    fn all(&mut self, mut conditions: Vec<ExprId>, span: Span) -> Option<ExprId> {
        match conditions.len() {
            0 => None,
            1 => conditions.pop(),
            _ => Some(self.node(Node::And(conditions), span)),
        }
    }

    /// Without a key, the columns of a grid are the results, by name and in order.
    fn result_columns(&mut self, grid: &ast::Grid, results: &[(String, Type)]) {
        let heads: Vec<String> =
            grid.columns.iter().map(|c| self.sources.slice(c.span).trim().to_owned()).collect();
        let names: Vec<String> = results.iter().map(|(n, _)| n.clone()).collect();
        if heads != names {
            let span = grid.columns.iter().map(|c| c.span).reduce(Span::to).unwrap_or_default();
            self.fault(
                Diagnostic::error(
                    code::E0504,
                    span,
                    format!(
                        "the columns are `{}`, the results `{}`",
                        heads.join(" | "),
                        names.join(" | ")
                    ),
                )
                .help(
                    "a grid without a key across has one column a result, in the order of the head",
                ),
            );
        }
    }

    fn grid_shape(&mut self, row: &ast::GridRow, keys: usize, columns: usize) {
        if row.keys.len() != keys {
            self.fault(
                Diagnostic::error(
                    code::E0504,
                    row.span,
                    format!("the row has {} keys, `down` names {keys}", row.keys.len()),
                )
                .help("write one key for each name behind `down`, with commas between them"),
            );
        }
        if row.values.len() != columns {
            self.fault(
                Diagnostic::error(
                    code::E0504,
                    row.span,
                    format!(
                        "the row has {}, `across` has {}",
                        counted(row.values.len(), "value"),
                        counted(columns, "column")
                    ),
                )
                .help("write one value under each column"),
            );
        }
    }

    /// The condition that a key cell puts on its key; none for `any`.
    pub(super) fn key(
        &mut self,
        key: Typed,
        cell: &KeyCell,
        others: &[&KeyCell],
        scope: &Scope<'_>,
    ) -> Option<ExprId> {
        match &cell.kind {
            KeyCellKind::Any => None,
            KeyCellKind::No => {
                self.want_truth(key);
                Some(self.node(Node::Not(key.id), cell.span))
            }
            KeyCellKind::Else => {
                // Each cell is read for its own row too, and its faults are told there.
                let told = self.faults.len();
                let rest: Vec<ExprId> = others
                    .iter()
                    .filter(|c| !matches!(c.kind, KeyCellKind::Else | KeyCellKind::Any))
                    .filter_map(|c| self.key(key, c, &[], scope))
                    .collect();
                self.faults.truncate(told);
                let any = self.node(Node::Or(rest), cell.span);
                Some(self.node(Node::Not(any), cell.span))
            }
            KeyCellKind::Is(value) if self.range_for_value(key, value, value.span, "") => {
                Some(self.poison(value.span).id)
            }
            KeyCellKind::Is(value) => Some(self.same(cell.span, key, value, scope).id),
            KeyCellKind::Not(value) => {
                let same = self.same(cell.span, key, value, scope).id;
                Some(self.node(Node::Not(same), cell.span))
            }
            KeyCellKind::OneOf(values) => {
                let same = values.iter().map(|v| self.one_of(key, v, scope)).collect();
                Some(self.node(Node::Or(same), cell.span))
            }
            KeyCellKind::Compare(op, value) => {
                Some(self.sized(key, super::expr::comparison(*op), value, scope))
            }
            KeyCellKind::Between(low, high) => {
                self.ends_in_order(low, high, scope);
                let both = vec![
                    self.sized(key, Comparison::AtLeast, low, scope),
                    self.sized(key, Comparison::AtMost, high, scope),
                ];
                Some(self.node(Node::And(both), cell.span))
            }
        }
    }

    fn sized(
        &mut self,
        key: Typed,
        op: Comparison,
        value: &ast::Expr,
        scope: &Scope<'_>,
    ) -> ExprId {
        if let Ty::Of(ty @ Type::Word(set)) = key.ty
            && self.is_track(set)
        {
            return self.compare_stages(value.span, key, ty, op, value, scope).id;
        }
        let right = self.amount(
            value,
            scope,
            dimension_of(match key.ty {
                Ty::Of(ty) => Some(ty),
                _ => None,
            }),
        );
        if !matches!(key.ty, Ty::Poison | Ty::Of(Type::Number { .. })) {
            let what = self.type_name(key.ty);
            self.fault(
                Diagnostic::error(
                    code::E0302,
                    value.span,
                    format!("the key is {what} and has no size"),
                )
                .help("write a single value in this cell"),
            );
        }
        self.node(Node::Compare(key.id, op, right.id), value.span)
    }
}

fn others(cells: &[KeyCell], at: usize) -> Vec<&KeyCell> {
    cells.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| c).collect()
}

pub(super) fn dimension_of(ty: Option<Type>) -> Option<DimensionId> {
    match ty {
        Some(Type::Number { dimension, .. }) => dimension,
        _ => None,
    }
}

/// Whether a table writes any number, so that its result is an amount.
fn has_amounts(body: &TableBody) -> bool {
    let amount = |e: &ast::Expr| !matches!(e.kind, ExprKind::Path(_));
    match body {
        TableBody::List { rows, otherwise, .. } => rows
            .iter()
            .flat_map(|r| &r.values)
            .chain(otherwise.iter().flat_map(|o| &o.values))
            .any(amount),
        TableBody::Grid(grid) => grid.rows.iter().flat_map(|r| &r.values).any(amount),
    }
}

/// A single bare name.
pub(super) fn bare_name(expr: &ast::Expr) -> Option<&ast::Name> {
    let ExprKind::Path(path) = &expr.kind else { return None };
    path.one_name()
}

pub(super) fn is_word(expr: &ast::Expr, word: &str) -> bool {
    bare_name(expr).is_some_and(|n| n.text == word)
}
