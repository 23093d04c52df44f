//! A program: operations over registers, as few registers as are alive at a time.

use crate::arrange::Arrange as _;
use crate::arrange::gathered;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::amount::Amount;
use super::facts::{Constant, Facts, Inputs};
use super::graph::{Col, Def, Graph};
use super::lane::Width;
use super::refused::Why;
use super::step::Step;
use super::truth::Truth;
use crate::ir::FactId;

/// What a program gives for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// amounts, as whole numbers over [`Program::under`]
    Amounts,
    /// truths
    Truths,
    /// words by their place
    Words,
}

/// Where a column is while a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// a fact of the batch
    Input(usize),
    /// a register of its width
    Register(usize),
}

/// What fills a register before the first row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// a number
    Number(i64),
    /// a constant of the batch, by its place
    Constant(usize),
}

/// An expression or a table as operations on columns.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) inputs: Arc<Inputs>,
    pub(super) steps: Vec<(Step<Place>, usize)>,
    pub(super) fills: Vec<(Width, usize, Fill)>,
    /// Registers of each width: bytes, two bytes, four bytes.
    pub(super) registers: [usize; 3],
    pub(super) gives: Gives,
    under: i64,
    pub(super) out: (Width, Place),
    /// Where the rows are open: a column of truths, or its contrary.
    pub(super) open: Option<(Place, bool)>,
}

impl Program {
    pub(super) fn new(
        mut graph: Graph,
        gives: Gives,
        amount: Amount,
        open: Truth,
    ) -> Result<Program, Why> {
        let width = Width::of(amount.low, amount.high).ok_or(Why::TooLarge)?;
        let out = graph.col(amount, width);
        let open = match open {
            Truth::Fixed(false) => None,
            open => Some(graph.mask(open)),
        };
        let mut kept = vec![out];
        kept.extend(open.map(|(col, _)| col));
        let mut plan = Plan::new(&graph, &kept);
        for (col, def, width) in graph.defs() {
            plan.place(col, def, width);
        }
        Ok(Program {
            out: (width, plan.at(out)),
            open: open.map(|(col, contrary)| (plan.at(col), contrary)),
            gives,
            under: amount.under,
            steps: plan.steps,
            fills: plan.fills,
            registers: plan.free.each_ref().map(|(_, made)| *made),
            inputs: Arc::new(graph.inputs),
        })
    }

    /// The facts it reads of each thing.
    #[must_use]
    pub fn reads(&self) -> &[FactId] {
        &self.inputs.facts
    }

    /// What it reads that is the same in all rows.
    #[must_use]
    pub fn constants(&self) -> Vec<Constant> {
        Facts::new(Arc::clone(&self.inputs), 0).constants().collect()
    }

    /// What it gives for each row.
    #[must_use]
    pub fn gives(&self) -> Gives {
        self.gives
    }

    /// The denominator of its amounts, the same in all rows; 1 where all of them are whole.
    #[must_use]
    pub fn under(&self) -> i64 {
        self.under
    }

    /// How many operations it has.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.steps.len()
    }

    /// Room for the facts of so many things, all of them 0.
    #[must_use]
    pub fn facts(&self, rows: usize) -> Facts {
        Facts::new(Arc::clone(&self.inputs), rows)
    }
}

/// Gives registers to columns; one is free again behind the last operation that reads it.
struct Plan {
    last: BTreeMap<Col, usize>,
    places: BTreeMap<Col, Place>,
    /// By width: registers that are free, and how many there are.
    free: [(Vec<usize>, usize); 3],
    steps: Vec<(Step<Place>, usize)>,
    fills: Vec<(Width, usize, Fill)>,
    widths: Vec<Width>,
}

impl Plan {
    fn new(graph: &Graph, kept: &[Col]) -> Plan {
        let widths = graph.defs().map(|(.., width)| width).collect();
        let defs: Vec<(Col, &Def)> = graph.defs().map(|(col, def, _)| (col, def)).collect();
        // Columns read only earlier ones, so that backward every reader is met before what it
        // reads.
        let mut last: BTreeMap<Col, usize> = gathered(kept.iter().map(|col| (*col, usize::MAX)));
        for (col, def) in defs.into_iter().rev() {
            if let (Def::Step(step), true) = (def, last.contains_key(&col)) {
                for read in step.reads() {
                    last.entry(read).or_insert(col.0 as usize);
                }
            }
        }
        Plan {
            last,
            places: BTreeMap::new(),
            free: Default::default(),
            steps: Vec::new(),
            fills: Vec::new(),
            widths,
        }
    }

    fn at(&self, col: Col) -> Place {
        self.places.get(&col).copied().unwrap_or(Place::Register(0))
    }

    fn register(&mut self, width: Width) -> usize {
        let (free, made) = &mut self.free[width as usize];
        free.pop().unwrap_or_else(|| {
            *made += 1;
            *made - 1
        })
    }

    fn place(&mut self, col: Col, def: &Def, width: Width) {
        if !self.last.contains_key(&col) {
            return;
        }
        let place = match def {
            Def::Input(at) => Place::Input(*at),
            Def::Splat(_, n) => self.filled(width, Fill::Number(*n)),
            Def::Constant(at) => self.filled(width, Fill::Constant(*at)),
            Def::Step(step) => {
                let reads = step.map(|read| self.at(read));
                // What is written is never one of those that are read.
                let register = self.register(width);
                self.steps.push((reads, register));
                let mut done = step.reads();
                done.arrange();
                done.dedup();
                done.retain(|read| self.last.get(read) == Some(&(col.0 as usize)));
                for read in done {
                    if let (Place::Register(at), Some(width)) =
                        (self.at(read), self.widths.get(read.0 as usize))
                    {
                        // A register that was filled before the first row keeps its numbers for all
                        // of them.
                        if !self.fills.iter().any(|(w, r, _)| (w, r) == (width, &at)) {
                            self.free[*width as usize].0.push(at);
                        }
                    }
                }
                Place::Register(register)
            }
        };
        self.places.insert(col, place);
    }

    fn filled(&mut self, width: Width, fill: Fill) -> Place {
        // Never a register that was free: earlier operations write it for each block.
        let (_, made) = &mut self.free[width as usize];
        *made += 1;
        self.fills.push((width, *made - 1, fill));
        Place::Register(*made - 1)
    }
}
