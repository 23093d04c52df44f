//! From expressions to columns: defines and tables are written out where they are read.

use indexmap::IndexMap;

use super::amount::Amount;
use super::facts::Constant;
use super::graph::{Graph, stored};
use super::program::{Gives, Program};
use super::refused::{Refused, Why};
use super::truth::Truth;
use crate::ir::*;

/// What a program works out. The subject is the thing of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// an expression about the subject of level 0
    Expression(ExprId),
    /// a named value
    Define(DefineId),
    /// a result of a table
    Table(TableId, u8),
}

/// The value of an expression in all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Worth {
    /// yes or no
    Truth(Truth),
    /// an amount
    Amount(Amount),
    /// the place of a word in its set
    Word(Amount),
    /// a thing below a built-in kind as its place plus 1; none where it is no thing at all
    Thing(Amount, Option<KindId>),
}

/// Whose facts the subject of level 0 has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// those of the thing of a row
    Row,
    /// those of the world
    World,
}

/// Builds one program.
pub(super) struct Builder<'r> {
    pub rules: &'r Ruleset,
    pub graph: Graph,
    /// Where the slow evaluator must be asked: no row of a table holds, or several do, or a cell is
    /// barred.
    pub open: Vec<Truth>,
    known: IndexMap<(ExprId, Asked), Worth>,
}

impl Program {
    /// The program of a define, a table or an expression of `rules`.
    pub fn compile(rules: &Ruleset, what: What) -> Result<Program, Refused> {
        let mut builder =
            Builder { rules, graph: Graph::default(), open: Vec::new(), known: IndexMap::new() };
        let worth = match what {
            What::Expression(id) => builder.worth(id, Asked::Row)?,
            What::Define(id) => {
                let define = rules.defines.get(id.index()).ok_or(Why::NoSuch)?;
                builder.graph.inputs.said_of = define.of;
                builder.worth(
                    define.value,
                    if define.of.is_some() { Asked::Row } else { Asked::World },
                )?
            }
            What::Table(id, result) => {
                let of = rules.tables.get(id.index()).ok_or(Why::NoSuch)?.of;
                builder.graph.inputs.said_of = of;
                builder.table(
                    id,
                    usize::from(result),
                    if of.is_some() { Asked::Row } else { Asked::World },
                )?
            }
        };
        let parts = std::mem::take(&mut builder.open);
        let open = builder.graph.one(&parts);
        let (gives, amount) = match worth {
            Worth::Truth(truth) => (Gives::Truths, builder.as_column(truth)),
            Worth::Amount(amount) => (Gives::Amounts, amount),
            Worth::Word(word) => (Gives::Words, word),
            Worth::Thing(..) => return Err(Why::GivesThing.into()),
        };
        Program::new(builder.graph, gives, amount, open).map_err(Refused::from)
    }
}

impl Builder<'_> {
    /// A truth as the numbers 0 and -1.
    fn as_column(&mut self, truth: Truth) -> Amount {
        if let Truth::Fixed(truth) = truth {
            return Amount::whole(-i64::from(truth));
        }
        // The contrary of a column is one operation more at its end.
        let (col, contrary) = self.graph.mask(truth);
        let truth = if contrary { self.graph.contrary(col) } else { col };
        self.graph.amount(truth)
    }

    pub(super) fn worth(&mut self, id: ExprId, asked: Asked) -> Result<Worth, Refused> {
        if let Some(known) = self.known.get(&(id, asked)) {
            return Ok(*known);
        }
        let worth = self.build(id, asked)?;
        self.known.insert((id, asked), worth);
        Ok(worth)
    }

    fn build(&mut self, id: ExprId, asked: Asked) -> Result<Worth, Refused> {
        let refuse = |why: Why| Refused::new(why, id);
        let rules = self.rules;
        Ok(match rules.node(id) {
            Node::Truth(truth) => Worth::Truth(Truth::Fixed(*truth)),
            Node::Number { over, under } if *under > 0 => {
                Worth::Amount(Amount::part(*over, *under))
            }
            Node::Word(_, word) => Worth::Word(Amount::whole((*word).into())),
            Node::NoThing => Worth::Thing(Amount::whole(0), None),
            Node::Unit(at) => Worth::Thing(Amount::whole(i64::from(*at) + 1), Some(KindId::UNIT)),
            Node::World => Worth::Thing(Amount::whole(0), Some(KindId::WORLD)),
            Node::Link(at) => Worth::Thing(Amount::whole(i64::from(*at) + 1), Some(KindId::LINK)),
            Node::Space(at) => Worth::Thing(Amount::whole(i64::from(*at) + 1), Some(KindId::SPACE)),
            Node::Side(side) => {
                Worth::Thing(Amount::whole(i64::from(side.0) + 1), Some(KindId::SIDE))
            }
            Node::Fact(fact, of) => match (rules.node(*of), asked) {
                (Node::Subject(0), Asked::Row) => {
                    let col = self.graph.fact(rules, *fact).map_err(refuse)?;
                    self.of_fact(*fact, self.graph.amount(col))
                }
                _ => return Err(refuse(Why::OtherThing)),
            },
            Node::WorldFact(fact) => self.of_world(*fact).map_err(refuse)?,
            Node::Ruling(ruling) => {
                let readings =
                    rules.rulings.get(ruling.index()).ok_or(refuse(Why::NoSuch))?.readings;
                let words = rules.word_sets.get(readings.index()).map_or(1, |s| s.words.len());
                let most = i64::try_from(words).unwrap_or(1) - 1;
                let col = self
                    .graph
                    .constant(Constant::Ruling(*ruling), 0, most.max(0))
                    .map_err(refuse)?;
                Worth::Word(self.graph.amount(col))
            }
            // Some rows may be of a kind that has no such value.
            Node::Define(..) | Node::Table(..) if rules.is_unsure(id) => {
                return Err(refuse(Why::Kind));
            }
            Node::Define(define, of) => {
                let asked = self.inner(*of, asked).map_err(refuse)?;
                let define = rules.defines.get(define.index()).ok_or(refuse(Why::NoSuch))?;
                self.worth(define.value, asked)?
            }
            Node::Table(table, result, of) => {
                let asked = self.inner(*of, asked).map_err(refuse)?;
                self.table(*table, usize::from(*result), asked)
                    .map_err(|r| Refused { at: r.at.or(Some(id)), ..r })?
            }
            Node::And(parts) => {
                let parts: Vec<Truth> =
                    parts.iter().map(|p| self.truth(*p, asked)).collect::<Result<_, _>>()?;
                Worth::Truth(self.graph.all(&parts))
            }
            Node::Or(parts) => {
                let parts: Vec<Truth> =
                    parts.iter().map(|p| self.truth(*p, asked)).collect::<Result<_, _>>()?;
                Worth::Truth(self.graph.one(&parts))
            }
            Node::Not(inner) => Worth::Truth(self.truth(*inner, asked)?.not()),
            Node::Rank(word) => match self.worth(*word, asked)? {
                Worth::Word(word) => Worth::Amount(word),
                _ => return Err(refuse(Why::NotProved)),
            },
            Node::Same(left, right) => {
                let (left, right) = (self.worth(*left, asked)?, self.worth(*right, asked)?);
                Worth::Truth(self.same(left, right).map_err(refuse)?)
            }
            Node::Compare(left, op, right) => {
                let (left, right) = (self.amount(*left, asked)?, self.amount(*right, asked)?);
                Worth::Truth(self.graph.compare(left, *op, right).map_err(refuse)?)
            }
            Node::Arithmetic(left, sign, right) => {
                let (left, right) = (self.amount(*left, asked)?, self.amount(*right, asked)?);
                let found = match sign {
                    Sign::Plus => self.graph.sum(left, right),
                    Sign::Minus => self.graph.difference(left, right),
                    Sign::Times => self.graph.product(left, right),
                    Sign::Divide => self.graph.quotient(left, right),
                };
                Worth::Amount(found.map_err(refuse)?)
            }
            Node::Rounded(by, value) => {
                let value = self.amount(*value, asked)?;
                Worth::Amount(self.rounded(by, value).map_err(refuse)?)
            }
            Node::Extreme { greater, left, right } => {
                let (left, right) = (self.amount(*left, asked)?, self.amount(*right, asked)?);
                Worth::Amount(self.graph.extreme(*greater, left, right).map_err(refuse)?)
            }
            other => return Err(refuse(reason(other))),
        })
    }

    pub(super) fn truth(&mut self, id: ExprId, asked: Asked) -> Result<Truth, Refused> {
        match self.worth(id, asked)? {
            Worth::Truth(truth) => Ok(truth),
            _ => Err(Refused::new(Why::NotProved, id)),
        }
    }

    pub(super) fn amount(&mut self, id: ExprId, asked: Asked) -> Result<Amount, Refused> {
        match self.worth(id, asked)? {
            Worth::Amount(amount) => Ok(amount),
            _ => Err(Refused::new(Why::NotProved, id)),
        }
    }

    /// What a fact says, by its type.
    fn of_fact(&self, fact: FactId, stored: Amount) -> Worth {
        match (self.rules.facts.get(fact.index()).map(|f| f.ty), stored.col) {
            (Some(Type::Truth), Some(col)) => Worth::Truth(Truth::Mask(col, false)),
            (Some(Type::Word(_)), _) => Worth::Word(stored),
            (Some(Type::Thing { kind, .. }), _) => Worth::Thing(stored, Some(self.rules.top(kind))),
            _ => Worth::Amount(stored),
        }
    }

    fn of_world(&mut self, fact: FactId) -> Result<Worth, Why> {
        let truth = self.rules.facts.get(fact.index()).is_some_and(|f| f.ty == Type::Truth);
        let (low, high) = if truth { (0, 1) } else { stored(self.rules, fact)? };
        let col = self.graph.constant(Constant::World(fact), low, high)?;
        let stored = self.graph.amount(col);
        Ok(if truth {
            Worth::Truth(self.graph.between(col, 1, 1))
        } else {
            self.of_fact(fact, stored)
        })
    }

    /// Whose facts a named value reads.
    fn inner(&self, of: Option<ExprId>, asked: Asked) -> Result<Asked, Why> {
        match of.map(|of| self.rules.node(of)) {
            None => Ok(Asked::World),
            Some(Node::Subject(0)) => Ok(asked),
            Some(_) => Err(Why::OtherThing),
        }
    }

    fn same(&mut self, left: Worth, right: Worth) -> Result<Truth, Why> {
        match (left, right) {
            (Worth::Truth(a), Worth::Truth(b)) => Ok(self.graph.agree(a, b)),
            (Worth::Word(a), Worth::Word(b)) | (Worth::Amount(a), Worth::Amount(b)) => {
                self.graph.compare(a, Comparison::Equal, b)
            }
            // No thing is the same as no thing of any sort.
            (Worth::Thing(a, x), Worth::Thing(b, y)) if x == y || x.is_none() || y.is_none() => {
                self.graph.compare(a, Comparison::Equal, b)
            }
            _ => Err(Why::NotProved),
        }
    }

    fn rounded(&mut self, by: &RoundBy, value: Amount) -> Result<Amount, Why> {
        let (ruling, readings) = match by {
            RoundBy::Fixed(by) => return self.graph.rounded(value, *by),
            RoundBy::Ruling(ruling, readings) => (ruling, readings),
        };
        let most = i64::try_from(readings.len()).unwrap_or(1) - 1;
        let reading = self.graph.constant(Constant::Ruling(*ruling), 0, most.max(0))?;
        let mut found = self.graph.rounded(value, Rounding::Down)?;
        for (at, by) in (0..).zip(readings) {
            let when = self.graph.between(reading, at, at);
            let rounded = self.graph.rounded(value, *by)?;
            found = self.graph.choose(when, rounded, found)?;
        }
        Ok(found)
    }
}

/// Why a node is never a column.
fn reason(node: &Node) -> Why {
    match node {
        Node::Any(_) | Node::Only(_) | Node::Count(_) | Node::Aggregate(..) => Why::OtherThings,
        Node::Viewer | Node::Stands(..) | Node::Sides { .. } => Why::Viewer,
        Node::IsKind(..) | Node::Removed(_) => Why::Kind,
        Node::Verdict(..) | Node::Evidence(..) | Node::WouldBe { .. } => Why::Trace,
        Node::Hook(..) => Why::Hook,
        Node::Total
        | Node::Natural
        | Node::Outcome(..)
        | Node::Chance(..)
        | Node::Listed(..)
        | Node::Stopped(..) => Why::Chance,
        Node::OverStep(_) | Node::StepEnd(_) | Node::LinkEnd(..) | Node::Chosen(..) => Why::Step,
        Node::Subject(_) | Node::SpaceCalled(_) | Node::Pair(..) => Why::OtherThing,
        Node::Nothing
        | Node::Truth(_)
        | Node::Number { .. }
        | Node::Word(..)
        | Node::NoThing
        | Node::Unit(_)
        | Node::Space(_)
        | Node::Link(_)
        | Node::World
        | Node::Side(_) => Why::NotProved,
        Node::Fact(..)
        | Node::WorldFact(_)
        | Node::Define(..)
        | Node::Table(..)
        | Node::Ruling(_) => Why::NotProved,
        Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Same(..) | Node::Compare(..) => {
            Why::NotProved
        }
        Node::Rank(_) | Node::Arithmetic(..) | Node::Rounded(..) | Node::Extreme { .. } => {
            Why::NotProved
        }
    }
}
