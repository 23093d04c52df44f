//! What bears on an amount: the rows and values that it is the sum of, one by one, each with the
//! things that cause it.
//!
//! The parts of a sum add up to what [`Position::value`] gives, always; the limits of a sum that
//! cut it are a part of their own.

use indexmap::IndexSet;
use num_traits::Zero;

use super::cx::Cx;
use super::{Amount, EvalFault, Position, exact};
use crate::ir::*;
use crate::world::ThingRef;

/// More parts than this are not listed.
const MOST_PARTS: usize = 1 << 14;

/// The tables and the named values that have been asked for their parts.
#[derive(Default)]
struct Asked {
    tables: IndexSet<(TableId, u8, ThingRef)>,
    defines: IndexSet<(DefineId, Cx)>,
}

/// One part of a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearing {
    /// Where it comes from.
    pub from: BearingFrom,
    /// What it adds, as often as it counts.
    pub amount: Amount,
    /// How often it counts.
    pub times: Amount,
    /// The things that cause it: those that were counted, and the witnesses of what must hold.
    pub causes: Vec<ThingRef>,
    /// The parts of it where it is worked out from tables: of a row they add up to what counts
    /// `times`; of a written amount they are what it is made of.
    pub parts: Vec<Bearing>,
}

/// Where a part of a sum comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BearingFrom {
    /// a row of a table
    Row(TableId, usize),
    /// the limits of a table by sum, which are these amounts
    Kept(TableId, Option<Amount>, Option<Amount>),
    /// an amount as it is written
    Written(ExprId),
}

impl Position<'_> {
    /// What is added to the dice of a test for a thing, part by part.
    pub fn bearings(&self, test: TestId, thing: ThingRef) -> Result<Vec<Bearing>, EvalFault> {
        match self.rules.tests[test.index()].plus {
            Some(plus) => self.amount_parts(plus, &self.asked_of(thing)),
            None => Ok(Vec::new()),
        }
    }

    /// What is added to the dice of a test for a thing in all; nothing where the test adds nothing.
    pub fn added(&self, test: TestId, thing: ThingRef) -> Result<Option<Amount>, EvalFault> {
        let Some(plus) = self.rules.tests[test.index()].plus else { return Ok(None) };
        let value = self.rules.seen.quietly(|| self.value(plus, &self.asked_of(thing)))?;
        Ok(Some(value.amount().unwrap_or_default()))
    }

    /// What the outcomes of a test for a thing are measured by: the tables of amounts that its rows
    /// ask, part by part.
    pub fn measured_by(&self, test: TestId, thing: ThingRef) -> Result<Vec<Bearing>, EvalFault> {
        let rows = &self.rules.tests[test.index()].rows;
        let (cx, mut asked, mut found) = (self.asked_of(thing), Asked::default(), Vec::new());
        self.rules.seen.quietly(|| {
            for when in rows.iter().filter_map(|(when, ..)| *when) {
                self.meter().part(when, || self.tables_of(when, &cx, &mut asked, &mut found))?;
            }
            Ok(found)
        })
    }

    /// The things by which a row of a list of tests holds.
    pub fn listed_by(
        &self,
        list: TableId,
        row: usize,
        thing: ThingRef,
    ) -> Result<Vec<ThingRef>, EvalFault> {
        let when = self.rules.tables[list.index()].rows.get(row).and_then(|row| row.when);
        let mut found = Vec::new();
        if let Some(when) = when {
            self.rules.seen.quietly(|| self.causes(when, &self.asked_of(thing), &mut found))?;
        }
        Ok(found)
    }

    /// What an amount is the sum of, part by part.
    pub fn amount_parts(&self, id: ExprId, cx: &Cx) -> Result<Vec<Bearing>, EvalFault> {
        self.rules.seen.quietly(|| self.all_parts(id, cx))
    }

    /// The parts of an amount, as one question.
    fn all_parts(&self, id: ExprId, cx: &Cx) -> Result<Vec<Bearing>, EvalFault> {
        self.meter().part(id, || self.parts(id, cx))
    }

    /// The parts of an amount. Where it is no sum of tables it is one part.
    fn parts(&self, id: ExprId, cx: &Cx) -> Result<Vec<Bearing>, EvalFault> {
        self.meter().step()?;
        match self.rules.node(id) {
            Node::Arithmetic(left, Sign::Plus, right) => {
                let mut all = self.parts(*left, cx)?;
                all.extend(self.parts(*right, cx)?);
                if all.len() > MOST_PARTS { Err(EvalFault::TooLong(id)) } else { Ok(all) }
            }
            Node::Arithmetic(left, Sign::Minus, right) => {
                let mut all = self.parts(*left, cx)?;
                let taken: Option<Vec<Bearing>> =
                    self.parts(*right, cx)?.into_iter().map(negated).collect();
                all.extend(taken.ok_or(EvalFault::TooLarge(id))?);
                Ok(all)
            }
            Node::Define(define, of)
                if self.asks_tables(self.rules.defines[define.index()].value) =>
            {
                let rule = &self.rules.defines[define.index()];
                match self.inner(*of, rule.of, cx)? {
                    Some(inner) => self.parts(rule.value, &inner),
                    None => Ok(Vec::new()),
                }
            }
            Node::Table(table, result, of) if is_amount(self.rules, *table, *result) => {
                match self.inner(*of, self.rules.tables[table.index()].of, cx)? {
                    Some(inner) => self.rows_of(*table, usize::from(*result), &inner),
                    None => Ok(Vec::new()),
                }
            }
            _ => {
                let amount = self.value(id, cx)?.amount().unwrap_or_default();
                let (mut causes, mut parts) = (Vec::new(), Vec::new());
                self.tables_of(id, cx, &mut Asked::default(), &mut parts)?;
                self.causes(id, cx, &mut causes)?;
                let part = Bearing {
                    from: BearingFrom::Written(id),
                    amount,
                    times: Amount::from_integer(1),
                    causes,
                    parts,
                };
                Ok(if amount.is_zero() && part.parts.is_empty() { Vec::new() } else { vec![part] })
            }
        }
    }

    /// The rows of a table that hold: all of a sum, and what its limits cut; else the one that
    /// counts.
    fn rows_of(&self, id: TableId, result: usize, cx: &Cx) -> Result<Vec<Bearing>, EvalFault> {
        let table = &self.rules.tables[id.index()];
        let (mut found, mut sum) = (Vec::new(), Amount::zero());
        for (at, row) in table.rows.iter().enumerate() {
            let holds = match row.when {
                Some(when) => self.holds(when, cx)?,
                None => table.policy == Policy::Sum || found.is_empty(),
            };
            let Some(value) = row.values.get(result).copied().flatten().filter(|_| holds) else {
                continue;
            };
            let part = self.row_of((id, at), value, cx)?;
            sum = exact::plus(sum, part.amount).ok_or(EvalFault::TooLarge(value))?;
            let counts =
                table.policy != Policy::Sum || !part.amount.is_zero() || !part.parts.is_empty();
            found.extend(counts.then_some(part));
            if table.policy == Policy::First {
                break;
            }
        }
        if let Some((low, high)) = table.kept {
            let (low, high) = (self.value(low, cx)?.amount(), self.value(high, cx)?.amount());
            let raised = low.map_or(sum, |low| sum.max(low));
            let kept = high.map_or(raised, |high| raised.min(high));
            if kept != sum {
                let amount =
                    exact::combine(kept, Sign::Minus, sum).ok_or(EvalFault::TooLarge(ExprId(0)))?;
                let (from, times) = (BearingFrom::Kept(id, low, high), Amount::from_integer(1));
                found.push(Bearing { from, amount, times, causes: Vec::new(), parts: Vec::new() });
            }
        }
        Ok(found)
    }

    fn row_of(
        &self,
        (table, at): (TableId, usize),
        value: ExprId,
        cx: &Cx,
    ) -> Result<Bearing, EvalFault> {
        let row = &self.rules.tables[table.index()].rows[at];
        let one = self.value(value, cx)?.amount().unwrap_or_default();
        let times = if row.per.is_some() { self.times(row, cx)? } else { Amount::from_integer(1) };
        let amount = exact::combine(one, Sign::Times, times).ok_or(EvalFault::TooLarge(value))?;
        let mut causes = Vec::new();
        for id in row.when.iter().chain(row.per.iter().map(|(per, _)| per)) {
            self.causes(*id, cx, &mut causes)?;
        }
        let parts = if self.asks_tables(value) { self.parts(value, cx)? } else { Vec::new() };
        if parts.is_empty() {
            self.causes(value, cx, &mut causes)?;
        }
        Ok(Bearing { from: BearingFrom::Row(table, at), amount, times, causes, parts })
    }

    /// The tables of amounts that an expression asks, each once of a thing, part by part.
    fn tables_of(
        &self,
        id: ExprId,
        cx: &Cx,
        asked: &mut Asked,
        out: &mut Vec<Bearing>,
    ) -> Result<(), EvalFault> {
        self.meter().step()?;
        match self.rules.node(id) {
            Node::Table(table, result, of) if is_amount(self.rules, *table, *result) => {
                let said_of = self.rules.tables[table.index()].of;
                let Some(inner) = self.inner(*of, said_of, cx)? else { return Ok(()) };
                let key = (*table, *result, inner.subject(0));
                if asked.tables.insert(key) {
                    out.extend(self.rows_of(*table, usize::from(*result), &inner)?);
                }
            }
            Node::Define(define, of) => {
                let rule = &self.rules.defines[define.index()];
                let Some(inner) = self.inner(*of, rule.of, cx)? else { return Ok(()) };
                if asked.defines.insert((*define, inner)) {
                    self.tables_of(rule.value, &inner, asked, out)?;
                }
            }
            node => {
                for child in operands(node) {
                    self.tables_of(child, cx, asked, out)?;
                }
            }
        }
        Ok(())
    }

    /// Whether an amount is worked out from tables of amounts.
    fn asks_tables(&self, id: ExprId) -> bool {
        let (mut open, mut seen) = (vec![id], IndexSet::new());
        while let Some(id) = open.pop() {
            match self.rules.node(id) {
                Node::Table(table, result, _) if is_amount(self.rules, *table, *result) => {
                    return true;
                }
                Node::Table(..) => {}
                Node::Define(define, _) => {
                    open.extend(
                        seen.insert(*define).then(|| self.rules.defines[define.index()].value),
                    );
                }
                node => open.extend(operands(node)),
            }
        }
        false
    }
}

/// Whether a result of a table is an amount.
fn is_amount(rules: &Ruleset, table: TableId, result: u8) -> bool {
    let table = &rules.tables[table.index()];
    table.policy != Policy::All
        && matches!(table.results.get(usize::from(result)), Some((_, Type::Number { .. })))
}

/// What a node works with, where it asks no other things.
fn operands(node: &Node) -> Vec<ExprId> {
    match node {
        Node::And(parts) | Node::Or(parts) => parts.clone(),
        Node::Not(a) | Node::Rounded(_, a) | Node::Rank(a) => vec![*a],
        Node::Compare(a, _, b)
        | Node::Arithmetic(a, _, b)
        | Node::Same(a, b)
        | Node::Extreme { left: a, right: b, .. } => vec![*a, *b],
        Node::Nothing
        | Node::Truth(_)
        | Node::Number { .. }
        | Node::Word(..)
        | Node::NoThing
        | Node::Unit(_)
        | Node::Space(_)
        | Node::Link(_)
        | Node::World
        | Node::SpaceCalled(_)
        | Node::Side(_)
        | Node::Viewer
        | Node::Subject(_)
        | Node::Chosen(..) => Vec::new(),
        Node::Fact(..)
        | Node::WorldFact(_)
        | Node::Ruling(_)
        | Node::OverStep(_)
        | Node::StepEnd(_)
        | Node::LinkEnd(..) => Vec::new(),
        Node::IsKind(..) | Node::Stands(..) | Node::Sides { .. } | Node::Removed(_) => Vec::new(),
        Node::Verdict(..) | Node::Evidence(..) | Node::WouldBe { .. } => Vec::new(),
        Node::Total
        | Node::Natural
        | Node::Outcome(..)
        | Node::Listed(..)
        | Node::Stopped(..)
        | Node::Chance(..) => Vec::new(),
        // These have a body of their own, which is asked of other things than the subject.
        Node::Define(..) | Node::Table(..) | Node::Pair(..) | Node::Hook(..) => Vec::new(),
        Node::Any(_) | Node::Only(_) | Node::Count(_) | Node::Aggregate(..) => Vec::new(),
    }
}

fn negated(part: Bearing) -> Option<Bearing> {
    let amount = exact::combine(Amount::zero(), Sign::Minus, part.amount)?;
    let parts = part.parts.into_iter().map(negated).collect::<Option<_>>()?;
    Some(Bearing { amount, parts, ..part })
}
