//! Tests with their dice and bands, and exact chances where these depend on nothing but the dice.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};

use super::desk::Desk;
use super::page::{Block, Table, Word, Words, plain};
use crate::aid::words::{said, tidy};
use crate::ir::{ExprId, Node, Ruleset, Sign, Test};
use crate::kernel::{Fraction, sums};
use crate::report::percent;
use crate::syntax::ast::{self, ExprKind};

/// The blocks of a test.
pub(super) fn test(desk: &Desk<'_>, test: &ast::Test) -> Vec<Block> {
    let head = Block::Head {
        anchor: desk.anchor("test", &test.name),
        noun: "test",
        title: desk.title(test.title.as_ref(), &test.name),
        cites: desk.cites(&test.cites),
    };
    let mut about = Words::new();
    if test.title.is_some() {
        about.push(plain(format!("Called {}. ", tidy(&test.name.text))));
    }
    about.push(plain(format!("Rolled for {}: ", crate::check::with_article(&tidy(&test.of.text)))));
    about.push(Word::Strong(dice(desk, test)));
    match test.plus.as_ref().map(|plus| (&plus.kind, plus)) {
        Some((ExprKind::Negate(inner), _)) => {
            about.push(plain(" minus "));
            about.extend(desk.expr(inner));
        }
        Some((_, plus)) => {
            about.push(plain(" plus "));
            about.extend(desk.expr(plus));
        }
        None => {}
    }
    about.push(plain(". "));
    about.extend(desk.cites(&test.roll_cites));
    let mut blocks = vec![head, Block::Text(about), Block::Table(bands(desk, test))];
    blocks.extend(test.retries.iter().map(|retry| Block::Text(again(desk, retry))));
    blocks
}

fn dice(desk: &Desk<'_>, test: &ast::Test) -> String {
    test.dice
        .iter()
        .map(|throw| tidy(&said(desk.book.sources, throw.span)))
        .collect::<Vec<_>>()
        .join(" + ")
}

fn bands(desk: &Desk<'_>, test: &ast::Test) -> Table {
    let compiled = desk.book.rules.tests.iter().find(|t| t.name == test.name.text);
    let chances = compiled.and_then(|compiled| band_chances(desk.book.rules, compiled));
    let cited = test.rows.iter().any(|r| !r.cites.0.is_empty())
        || test.otherwise.as_ref().is_some_and(|o| !o.cites.0.is_empty());
    let mut heads = vec!["when".to_owned(), "outcome".to_owned()];
    heads.extend(chances.as_ref().map(|_| "chance".to_owned()));
    heads.extend(cited.then(|| "clauses".to_owned()));
    let rows = test
        .rows
        .iter()
        .map(|r| (r.when.as_ref().map_or_else(Words::new, |w| desk.expr(w)), &r.values, &r.cites));
    let last = test.otherwise.iter().map(|o| (vec![plain("otherwise")], &o.values, &o.cites));
    let rows = rows.chain(last).enumerate().map(|(at, (when, values, cites))| {
        let mut cells = vec![when, desk.exprs(values)];
        if let Some(chances) = &chances {
            let chance =
                chances.get(at).map_or_else(String::new, |c| format!("{c} ({} %)", percent(c)));
            cells.push(vec![plain(chance)]);
        }
        cells.extend(cited.then(|| desk.cites(cites)));
        cells
    });
    Table { heads, keys: 0, rows: rows.collect() }
}

fn again(desk: &Desk<'_>, retry: &ast::Retry) -> Words {
    let mut words = vec![plain("It is rolled again if ")];
    words.extend(desk.expr(&retry.when));
    if let Some(most) = &retry.at_most {
        words.push(plain(", no more often than "));
        words.extend(desk.expr(most));
    }
    if let Some(spending) = &retry.spending {
        words.push(plain(", each time for one of "));
        words.extend(desk.said(spending.span));
    }
    words.push(plain("; the last roll counts. "));
    words.extend(desk.cites(&retry.cites));
    words
}

/// The exact chance of each row of a test; nothing where a row, what is added to the dice or a
/// retry asks for more than what the dice show.
#[must_use]
pub fn band_chances(rules: &Ruleset, test: &Test) -> Option<Vec<Fraction>> {
    if test.retry.is_some() {
        return None;
    }
    let throws = sums(&test.dice);
    let all: i64 = throws.iter().map(|(_, ways)| ways).sum();
    let mut found = vec![0_i64; test.rows.len()];
    for (natural, ways) in throws {
        let dice = Dice { rules, natural: Ratio::from_integer(natural), total: None };
        let plus = test.plus.map_or(Some(Ratio::from_integer(0)), |plus| dice.amount(plus))?;
        let dice = Dice { total: Some(dice.natural.checked_add(&plus)?), ..dice };
        for (row, cell) in test.rows.iter().zip(&mut found) {
            if row.0.map_or(Some(true), |when| dice.holds(when))? {
                *cell = cell.checked_add(ways)?;
                break;
            }
        }
    }
    let part = |ways: i64| Fraction::new(BigInt::from(ways), BigInt::from(all.max(1)));
    Some(found.into_iter().map(part).collect())
}

/// What the dice show, and what can be said of that alone.
struct Dice<'r> {
    rules: &'r Ruleset,
    natural: Ratio<i64>,
    total: Option<Ratio<i64>>,
}

impl Dice<'_> {
    fn holds(&self, id: ExprId) -> Option<bool> {
        match self.rules.node(id) {
            Node::Truth(truth) => Some(*truth),
            Node::And(parts) => all(parts.iter().map(|p| self.holds(*p)), true),
            Node::Or(parts) => all(parts.iter().map(|p| self.holds(*p)), false),
            Node::Not(inner) => self.holds(*inner).map(|held| !held),
            Node::Same(left, right) => Some(self.amount(*left)? == self.amount(*right)?),
            Node::Compare(left, how, right) => {
                Some(how.holds(self.amount(*left)?.cmp(&self.amount(*right)?)))
            }
            _ => None,
        }
    }

    fn amount(&self, id: ExprId) -> Option<Ratio<i64>> {
        match self.rules.node(id) {
            Node::Number { over, under } => (*under != 0).then(|| Ratio::new(*over, *under)),
            Node::Natural => Some(self.natural),
            Node::Total => self.total,
            Node::Arithmetic(left, sign, right) => {
                let (left, right) = (self.amount(*left)?, self.amount(*right)?);
                match sign {
                    Sign::Plus => left.checked_add(&right),
                    Sign::Minus => left.checked_sub(&right),
                    Sign::Times => left.checked_mul(&right),
                    Sign::Divide => left.checked_div(&right),
                }
            }
            _ => None,
        }
    }
}

/// Whether all of some truths hold, or any of them; nothing where one of them cannot be told.
fn all(mut truths: impl Iterator<Item = Option<bool>>, every: bool) -> Option<bool> {
    truths.try_fold(every, |so_far, truth| {
        truth.map(|t| if every { so_far && t } else { so_far || t })
    })
}
