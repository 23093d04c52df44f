//! The heads of rules: their names and what they are said of; bodies wait until they are needed.

use super::name::with_article;
use super::scope::Member;
use super::{Checker, Pending, Progress};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub(super) fn ruling(&mut self, ruling: &ast::Ruling) {
        if !self.declare_name("name", &ruling.name) {
            return;
        }
        let set = self.word_set(&ruling.name.text, &ruling.readings);
        self.symbols.note(ruling.default.span, super::scope::Used::Word(set));
        let default = ruling.readings.iter().position(|r| r.text == ruling.default.text);
        if default.is_none() {
            let names: Vec<&str> = ruling.readings.iter().map(|r| r.text.as_str()).collect();
            self.unknown(code::E0211, &ruling.default, "reading", names);
        }
        let asks = ruling.asks.as_ref().map_or_else(String::new, |t| t.text.clone());
        self.add_ruling(&ruling.name, asks, set, default.unwrap_or(0), false, &ruling.cites);
    }

    pub(super) fn option(&mut self, option: &ast::OptionRule) {
        if !self.declare_name("name", &option.name) {
            return;
        }
        let set = WordSetId::at(self.out.word_sets.len());
        self.out.word_sets.push(WordSet {
            name: option.name.text.clone(),
            words: vec!["off".to_owned(), "on".to_owned()],
            ordered: false,
        });
        self.add_ruling(
            &option.name,
            option.title.text.clone(),
            set,
            usize::from(option.on),
            true,
            &option.cites,
        );
    }

    pub(super) fn add_ruling(
        &mut self,
        name: &ast::Name,
        asks: String,
        readings: WordSetId,
        default: usize,
        option: bool,
        cites: &ast::Cites,
    ) {
        let noun = if option { "option" } else { "ruling" };
        let line = self.line(format!("{noun} {}", name.text), name.span, cites);
        let clauses =
            self.out.lines.get(line.index()).map(|l| l.clauses.clone()).unwrap_or_default();
        self.symbols.rulings.insert(name.text.clone(), RulingId::at(self.out.rulings.len()));
        let default = u16::try_from(default).unwrap_or(0);
        self.out.rulings.push(Ruling {
            name: name.text.clone(),
            asks,
            readings,
            default,
            option,
            clauses,
            span: name.span,
        });
    }

    pub(super) fn define_head(&mut self, define: &'a ast::Define, broken: bool) {
        let of = match &define.of {
            Some(name) => match self.kind(name) {
                Some(kind) => Some(kind),
                None => return self.symbols.lost.push(define.name.text.clone()),
            },
            None => None,
        };
        if let (Some(kind), Some(name)) = (of, &define.of)
            && !self.can_be_asked(kind, name.span, &define.name)
        {
            return;
        }
        if !self.declare_member(&define.name, of.unwrap_or(KindId::WORLD)) {
            return;
        }
        let id = DefineId::at(self.out.defines.len());
        self.add_member(&define.name.text, of.unwrap_or(KindId::WORLD), Member::Define(id));
        self.symbols.defines.insert(define.name.text.clone(), id);
        let line =
            self.line(format!("define {}", define.name.text), define.name.span, &define.cites);
        let title = define.title.as_ref().map_or(&define.name.text, |t| &t.text).clone();
        let value = self.node(Node::Nothing, define.name.span);
        self.out.defines.push(Define {
            name: define.name.text.clone(),
            title,
            of,
            value,
            ty: Type::Truth,
            viewed: false,
            never: define.never,
            line,
        });
        self.defines.push(Pending { item: define, broken, state: Progress::Waiting });
    }

    pub(super) fn table_head(&mut self, table: &'a ast::Table, broken: bool) {
        let of = match &table.of {
            Some(name) => match self.kind(name) {
                Some(kind) => Some(kind),
                None => return self.symbols.lost.push(table.name.text.clone()),
            },
            None => None,
        };
        if let (Some(kind), Some(name)) = (of, &table.of)
            && !self.can_be_asked(kind, name.span, &table.name)
        {
            return;
        }
        if !self.declare_member(&table.name, of.unwrap_or(KindId::WORLD)) {
            return;
        }
        let id = TableId::at(self.out.tables.len());
        self.add_member(&table.name.text, of.unwrap_or(KindId::WORLD), Member::Table(id));
        self.symbols.tables.insert(table.name.text.clone(), id);
        let line = self.line(format!("table {}", table.name.text), table.name.span, &table.cites);
        let title = table.title.as_ref().map_or(&table.name.text, |t| &t.text).clone();
        let policy = match table.policy {
            ast::Policy::First => Policy::First,
            ast::Policy::Only => Policy::Only,
            ast::Policy::Sum => Policy::Sum,
            ast::Policy::All => Policy::All,
        };
        self.out.tables.push(Table {
            name: table.name.text.clone(),
            title,
            of,
            results: Vec::new(),
            policy,
            rows: Vec::new(),
            tests: Vec::new(),
            kept: None,
            viewed: false,
            line,
        });
        self.tables.push(Pending { item: table, broken, state: Progress::Waiting });
    }

    pub(super) fn trace_head(&mut self, trace: &'a ast::Trace, broken: bool) {
        let Some(of) = self.kind(&trace.of) else {
            return self.symbols.lost.push(trace.name.text.clone());
        };
        if !self.out.is_kind(of, KindId::UNIT) && !self.out.is_kind(of, KindId::SPACE) {
            self.fault(
                Diagnostic::error(
                    code::E0207,
                    trace.of.span,
                    format!("a line cannot begin at {}", with_article(&trace.of.text)),
                )
                .help("a trace is of a kind of unit or of space"),
            );
            return self.symbols.lost.push(trace.name.text.clone());
        }
        if !self.declare_member(&trace.name, of) {
            return;
        }
        let id = TraceId::at(self.out.traces.len());
        self.add_member(&trace.name.text, of, Member::Line(id));
        self.symbols.traces.insert(trace.name.text.clone(), id);
        let called = trace.lines.iter().find_map(|l| match &l.kind {
            ast::TraceLineKind::Called { yes, no } => Some((yes, no)),
            _ => None,
        });
        let answers = match called {
            Some((yes, no)) => {
                for (name, is_yes) in [(yes, true), (no, false)] {
                    if self.declare_member(name, of) {
                        self.add_member(&name.text, of, Member::Adjective(id, is_yes));
                    }
                }
                self.word_set(&trace.name.text, &[yes.clone(), no.clone()])
            }
            None => self.word_set(&trace.name.text, &[]),
        };
        self.trace_shell(trace, of, answers);
        self.traces.push(Pending { item: trace, broken, state: Progress::Waiting });
    }
}
