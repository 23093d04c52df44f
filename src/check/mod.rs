//! The translation: what was written becomes what it means.
//!
//! Takes the resolved items of one ruleset; gives an IR and all faults found on the way. Nothing
//! else builds IR. Evaluates constants alone, and knows no position but what is laid out before
//! play: it asks the kernel what a printed map lets a link join, and how setups lie on a table.

mod alike;
mod amount;
mod base;
mod by_source;
mod case;
mod case_idle;
mod case_proof;
mod cell;
mod changes;
mod choice;
mod cite;
mod clock;
mod crossings;
mod declare;
mod depth;
mod dice;
mod effect;
mod every_two;
mod exception_proof;
mod expr;
mod facts;
mod filled;
mod fold;
mod follow;
mod given;
mod heads;
mod hexes;
mod hook;
mod identity;
mod joins;
mod leg;
mod links;
mod list;
mod looks;
mod map;
mod member;
mod misnamed;
mod mistake;
mod name;
pub mod names;
mod need;
mod order;
mod over;
mod pair;
mod pair_state;
mod path;
mod phase;
mod printed;
mod proof;
mod proof_words;
mod proofs;
mod prover;
mod question_key;
mod range;
mod relation;
mod required;
mod row_index;
mod scope;
mod selection;
mod setup;
mod space;
mod state;
mod step;
mod sums;
mod table;
mod table_proof;
mod tabletop;
mod test;
mod test_proof;
mod things;
mod trace;
mod track;
mod unseen;
mod unused;
mod witness;
pub mod written;

pub use alike::{Alike, conditions_alike, tables_alike, tests_alike};
pub(crate) use base::table_code;
pub(crate) use fold::named;
pub(crate) use fold::{LegAs, Touched, fold_beside};
pub use fold::{Piece, Resolved, ResolvedItem, Rope, fold, handle};
pub use given::{Asked, Given, Wanted, all_asked, asked, given};
pub use identity::scripts;
pub(crate) use name::with_article;
pub use proofs::{
    Made, implied, question, same_without, says_already, settled, told_apart, unsteady,
};
pub use witness::witnesses;

use std::cell::OnceCell;
use std::collections::HashMap;

use indexmap::IndexMap;

use crate::diag::{Diagnostic, code, has_errors};
use crate::ir::*;
use crate::source::{SourceMap, Span};
use crate::syntax::ast;
use scope::Symbols;

/// The checker's state while it reads one ruleset.
struct Checker<'a> {
    sources: &'a SourceMap,
    /// All that was written.
    items: &'a [ResolvedItem],
    /// The legs that have the lines of others.
    legs_as: &'a [LegAs],
    out: Ruleset,
    symbols: Symbols,
    /// The clause prefix of each file, by its number.
    prefixes: Vec<String>,
    faults: Vec<Diagnostic>,
    /// Whether lines could not be read, so that what is missing may stand in them.
    holes: bool,
    /// The word by which the expression just read asks how things stand to the viewer, if it does.
    viewed: Option<ast::Name>,
    /// The trace being read.
    read: leg::Read,
    /// The facts of the links that a condition on links is being read for.
    link_facts: Option<selection::KnownFacts>,
    /// The end of a link at which things are looked for: the later one, else the earlier.
    read_end: Option<bool>,
    /// The links that such conditions tell apart.
    selections: Vec<selection::Selection>,
    /// Whether what a map says is given is being read.
    on_map: bool,
    /// Whether the expression just read reads the subject behind a space.
    reads_subject: bool,
    /// While the effect of a step is read: the choices it acts on, and whose they are. None where
    /// nobody acts.
    acting: Option<Vec<(ChoiceId, ExprId)>>,
    defines: Vec<Pending<'a, ast::Define>>,
    tables: Vec<Pending<'a, ast::Table>>,
    pairs: Vec<Pending<'a, ast::Pair>>,
    traces: Vec<Pending<'a, ast::Trace>>,
    hooks: Vec<Pending<'a, ast::Hook>>,
    /// What the items just being translated read, for the refusal of circles.
    under_way: Vec<(String, Span)>,
    /// How many values are being translated, one within the other and through names.
    nested: usize,
    /// The spaces of maps and the units of setups, and which of the two each is; gathered when the
    /// first unknown name asks.
    placed: OnceCell<HashMap<&'a str, Option<&'a str>>>,
}

/// An item whose head is known and whose body is translated when it is first needed.
struct Pending<'a, T> {
    item: &'a T,
    broken: bool,
    state: Progress,
}

/// How far an item has been translated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Waiting,
    UnderWay,
    Done,
    /// A fault stands in it, so nothing is known of it.
    Lost,
}

/// A ruleset that was translated.
pub struct Checked {
    /// The IR, if there is no error.
    pub rules: Option<Ruleset>,
    /// All faults.
    pub faults: Vec<Diagnostic>,
    /// What its words were found to mean, also where there are errors.
    pub meant: Meant,
}

impl Checked {
    /// Rules that turned out to have an error are asked no more, but for their names.
    pub(crate) fn set_aside(&mut self) {
        if let Some(rules) = self.rules.take() {
            self.meant.broken = Some(Box::new(rules));
        }
    }
}

/// What the words of a ruleset were found to mean.
#[derive(Default)]
pub struct Meant {
    /// Kinds by singular and plural.
    kinds: IndexMap<String, KindId>,
    /// Words that are looked up by their text alone, and what they refer to.
    uses: Vec<(Span, scope::Used)>,
    /// What was made of rules that have errors.
    pub(crate) broken: Option<Box<Ruleset>>,
}

/// Translates one ruleset. The IR is given only if there is no error in it.
pub fn check(resolved: &Resolved, sources: &SourceMap) -> (Option<Ruleset>, Vec<Diagnostic>) {
    let Checked { rules, faults, .. } = checked(resolved, sources);
    (rules, faults)
}

/// The same, with what its words were found to mean.
pub fn checked(resolved: &Resolved, sources: &SourceMap) -> Checked {
    let (written, faults) = fold::written_out(resolved, sources);
    let whole = written.as_ref().unwrap_or(resolved);
    let mut checker = Checker::new(whole, sources);
    checker.faults = faults;
    checker.run(whole);
    if !has_errors(&checker.faults) {
        checker.faults.extend(depth::too_deep(&checker.out));
    }
    let Checker { mut out, faults, symbols, .. } = checker;
    let mut meant = Meant { kinds: symbols.kinds, uses: symbols.uses, broken: None };
    if has_errors(&faults) {
        meant.broken = Some(Box::new(out));
        return Checked { rules: None, faults, meant };
    }
    out.hash = identity::hash(resolved, sources);
    Checked { rules: Some(out), faults, meant }
}

impl<'a> Checker<'a> {
    fn new(resolved: &'a Resolved, sources: &'a SourceMap) -> Checker<'a> {
        Checker {
            sources,
            items: &resolved.items,
            legs_as: &resolved.legs_as,
            out: Ruleset { schema: IR_SCHEMA, ..Ruleset::default() },
            symbols: Symbols::default(),
            prefixes: resolved.prefixes.clone(),
            faults: Vec::new(),
            holes: !resolved.lost.is_empty() || resolved.items.iter().any(|i| i.item.broken),
            viewed: None,
            read: leg::Read::default(),
            link_facts: None,
            read_end: None,
            selections: Vec::new(),
            on_map: false,
            reads_subject: false,
            acting: None,
            defines: Vec::new(),
            tables: Vec::new(),
            pairs: Vec::new(),
            traces: Vec::new(),
            hooks: Vec::new(),
            under_way: Vec::new(),
            nested: 0,
            placed: OnceCell::new(),
        }
    }

    fn run(&mut self, resolved: &'a Resolved) {
        self.declare(resolved);
        for at in 0..self.defines.len() {
            self.need_define(DefineId::at(at));
        }
        for at in 0..self.pairs.len() {
            self.need_pair(PairId::at(at));
        }
        for at in 0..self.tables.len() {
            self.need_table(TableId::at(at));
        }
        for at in 0..self.traces.len() {
            self.need_trace(TraceId::at(at));
        }
        for at in 0..self.hooks.len() {
            self.need_hook(HookId::at(at));
        }
        self.every_two(resolved);
        self.tests(resolved);
        self.hooks_in_costs();
        self.choices(resolved);
        self.bases(resolved);
        self.phases(resolved);
        self.lists_stop_alike();
        self.judged_by();
        self.joins(resolved);
        self.maps(resolved);
        self.labels_of_rules();
        self.setups(resolved);
        self.cases(resolved);
        self.mistakes(resolved);
        self.steps_outside_costs();
        self.steps_at_crossings();
        self.followed_in_one();
        self.unseen_expectations();
        self.idle_expectations();
        self.idle_lines();
        self.unused(resolved);
        self.sources_on_no_map();
        self.bases_read_no_measure();
        self.setups_on_tables();
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.faults.push(fault);
    }

    /// Whatever is read is carried out or refused: where a piece was read and came to nothing, and
    /// no fault says why, it is refused here.
    fn nothing_lost<T>(&mut self, span: Span, found: Option<T>) -> Option<T> {
        let holes = self.holes || !self.symbols.lost.is_empty() || has_errors(&self.faults);
        if found.is_none() && !holes {
            self.fault(
                Diagnostic::error(code::E0308, span, "nothing can be made of this here")
                    .help("name the things it is about, as in `do mark tired for own armies` or `given strength of A is 3`"),
            );
        }
        found
    }

    /// Lines that stand a second time, where only one of them could count.
    #[inline(never)]
    fn said_twice(&mut self, twice: &[(&'static str, Span)]) {
        for (word, span) in twice {
            self.fault(
                Diagnostic::error(code::E0202, *span, format!("`{word}` stands twice"))
                    .help("keep one of the two lines"),
            );
        }
    }

    fn node(&mut self, node: Node, span: Span) -> ExprId {
        let id = ExprId::at(self.out.nodes.len());
        self.out.nodes.push(node);
        self.out.node_spans.push(span);
        id
    }

    /// Takes away the nodes after these.
    fn forget_nodes(&mut self, kept: usize) {
        self.out.nodes.truncate(kept);
        self.out.node_spans.truncate(kept);
        self.out.unsure.retain(|id| id.index() < kept);
    }

    /// Registers a line that carries out a rule.
    fn line(&mut self, name: impl Into<String>, span: Span, cites: &ast::Cites) -> LineId {
        let clauses = self.clauses(cites);
        let id = LineId::at(self.out.lines.len());
        self.out.lines.push(RuleLine { name: name.into(), span, clauses });
        id
    }
}
