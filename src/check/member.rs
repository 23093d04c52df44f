//! What a name means of a thing already found: facts, values, answers and what they rest on.

use super::Checker;
use super::scope::{Member, Scope, Ty, Typed};
use crate::diag::{Diagnostic, code, suggest};
use crate::ir::*;
use crate::syntax::ast::{self, Head, HeadKind, Name, Path};

impl Checker<'_> {
    /// The fact that a head names, of a thing already found.
    pub(super) fn fact_of(&mut self, head: &Head, of: Typed, path: &Path, asked: Asked) -> Typed {
        let HeadKind::Name(name) = &head.kind else {
            self.fault(
                Diagnostic::error(code::E0302, head.span, "a fact should stand before `of`")
                    .help("write it as in `strength of the army`"),
            );
            return self.poison(path.span);
        };
        match of.ty {
            Ty::Poison => self.poison(path.span),
            Ty::Of(Type::Thing { kind, .. }) => match self.member(&name.text, kind) {
                Some(member) => match self.apply(member, of, name, asked) {
                    Some(found) => found,
                    None => self.poison(path.span),
                },
                None if path.here && super::things::stance(&name.text).is_some() => {
                    let fault = self.said_otherwise(name, kind);
                    fault.into_iter().for_each(|fault| self.fault(fault));
                    self.poison(path.span)
                }
                None => {
                    let known = self.members_of(kind);
                    let what = format!("fact of {}", self.a_kind(kind));
                    self.unknown(code::E0201, name, &what, known.iter().map(String::as_str));
                    self.poison(path.span)
                }
            },
            Ty::Rows(table) => self.stop_of(name, of, table),
            Ty::Of(Type::Word(_)) if self.answer_of(of.id).is_some() => self.evidence(name, of),
            // A table with several results: `attack of penalty of A`.
            _ => match self.other_result(name, of) {
                Some(found) => found,
                None => {
                    let what = self.type_name(of.ty);
                    self.fault(
                        Diagnostic::error(
                            code::E0303,
                            head.span,
                            format!("`{}` is asked of {what}, which has no facts", name.text),
                        )
                        .help("ask it of a unit, a space or a side, or of the answer of a trace"),
                    );
                    self.poison(path.span)
                }
            },
        }
    }

    /// The trace and the thing behind a verdict node.
    fn answer_of(&self, id: ExprId) -> Option<(TraceId, ExprId, Asked)> {
        match self.out.node(id) {
            Node::Verdict(trace, of, asked) => Some((*trace, *of, *asked)),
            _ => None,
        }
    }

    fn evidence(&mut self, name: &Name, of: Typed) -> Typed {
        let Some((trace, thing, asked)) = self.answer_of(of.id) else {
            return self.poison(name.span);
        };
        let Some((_, field)) = EVIDENCE.iter().find(|(word, _)| *word == name.text) else {
            let fault = Diagnostic::error(
                code::E0201,
                name.span,
                format!("an answer has no `{}`", name.text),
            );
            let near = suggest::the_one(&name.text, EVIDENCE.iter().map(|(w, _)| *w));
            self.fault(match near {
                Some(near) => fault.help(format!("write `{near}`")).suggest(name.span, near),
                None => {
                    fault.help("an answer has its `length`, `source`, `end`, `stop` and `gate`")
                }
            });
            return self.poison(name.span);
        };
        let space = self
            .out
            .traces
            .get(trace.index())
            .and_then(|t| self.space_kind_of(t.of))
            .unwrap_or(KindId::SPACE);
        let ty = match field {
            EvidenceField::Length => {
                let dimension = self.out.traces.get(trace.index()).and_then(|t| t.length);
                Ty::number(dimension, 0, i64::from(u32::MAX))
            }
            EvidenceField::Source => {
                let set =
                    self.out.traces.get(trace.index()).map_or(WordSetId(0), |t| t.source_names);
                Ty::Of(Type::Word(set))
            }
            EvidenceField::Gate => Ty::Of(Type::Word(self.gate_words())),
            EvidenceField::End | EvidenceField::Stop => {
                Ty::Of(Type::Thing { kind: space, maybe: true })
            }
        };
        self.typed(Node::Evidence(trace, *field, thing, asked), ty, name.span)
    }

    /// The words by which evidence names what settled an answer.
    pub(super) fn gate_words(&mut self) -> WordSetId {
        if let Some(at) = self.out.word_sets.iter().position(|s| s.name == GATES) {
            return WordSetId::at(at);
        }
        let words = GATE_WORDS.iter().map(|w| (*w).to_owned()).collect();
        self.out.word_sets.push(WordSet { name: GATES.to_owned(), words, ordered: false });
        WordSetId::at(self.out.word_sets.len() - 1)
    }

    fn other_result(&mut self, name: &Name, of: Typed) -> Option<Typed> {
        let Node::Table(table, _, thing) = self.out.node(of.id).clone() else { return None };
        let results = self.out.tables.get(table.index())?.results.clone();
        let at = results.iter().position(|(n, _)| *n == name.text)?;
        let ty = Ty::Of(results.get(at)?.1);
        let sure = !self.out.is_unsure(of.id);
        let found = self.typed(Node::Table(table, u8::try_from(at).ok()?, thing), ty, name.span);
        Some(if sure { found } else { self.unsure(found) })
    }

    /// A member said of a thing, as a node with its type.
    pub(super) fn apply(
        &mut self,
        member: Member,
        of: Typed,
        name: &Name,
        asked: Asked,
    ) -> Option<Typed> {
        let span = name.span;
        let sure = self.surely_of(member, of);
        let world = matches!(of.ty, Ty::Of(Type::Thing { kind, .. }) if self.out.kinds.get(kind.index()).is_some_and(|k| k.top == KindId::WORLD));
        let thing = (!world).then_some(of.id);
        let found = match member {
            Member::Fact(fact) => {
                if let Some(known) = self.known_of_link(fact, of, span) {
                    let ty = match known {
                        Node::Nothing => Ty::Poison,
                        _ => Ty::Of(self.out.facts.get(fact.index())?.ty),
                    };
                    return Some(self.typed(known, ty, span));
                }
                let ty = self.out.facts.get(fact.index())?.ty;
                let ty = match (fact, of.ty) {
                    (crate::world::built_in::SPACE, Ty::Of(Type::Thing { kind, .. })) => {
                        Type::Thing {
                            kind: self.space_kind_of(kind).unwrap_or(KindId::SPACE),
                            maybe: true,
                        }
                    }
                    (_, _) => ty,
                };
                let node = thing.map_or(Node::WorldFact(fact), |t| Node::Fact(fact, t));
                self.typed(node, Ty::Of(ty), span)
            }
            Member::Define(define) => {
                if !self.need_define(define) {
                    return None;
                }
                let (ty, viewed) =
                    self.out.defines.get(define.index()).map(|d| (d.ty, d.viewed))?;
                self.sees(viewed, name);
                self.typed(Node::Define(define, thing), Ty::Of(ty), span)
            }
            Member::Table(table) => {
                if !self.need_table(table) {
                    return None;
                }
                let (ty, viewed) = self
                    .out
                    .tables
                    .get(table.index())
                    .and_then(|t| Some((t.results.first()?.1, t.viewed)))?;
                self.sees(viewed, name);
                if self.out.tables.get(table.index()).is_some_and(|t| t.policy == Policy::All) {
                    let thing = thing.unwrap_or_else(|| self.node(Node::World, span));
                    return Some(self.typed(
                        Node::Listed(table, thing, Vec::new()),
                        Ty::Rows(table),
                        span,
                    ));
                }
                self.typed(Node::Table(table, 0, thing), Ty::Of(ty), span)
            }
            Member::Hook(hook) => {
                if !self.need_hook(hook) {
                    return None;
                }
                let (ty, viewed) = self.out.hooks.get(hook.index()).map(|h| (h.ty, h.viewed))?;
                self.sees(viewed, name);
                self.typed(Node::Hook(hook, thing), Ty::Of(ty), span)
            }
            Member::Line(trace) => {
                if !self.need_trace(trace) {
                    return None;
                }
                let (answers, viewed) =
                    self.out.traces.get(trace.index()).map(|t| (t.answers, t.viewed))?;
                self.sees(viewed, name);
                self.typed(Node::Verdict(trace, thing?, asked), Ty::Of(Type::Word(answers)), span)
            }
            Member::Test(test) => {
                let outcomes = self.out.tests.get(test.index())?.outcomes;
                let thing = thing.unwrap_or_else(|| self.node(Node::World, span));
                self.typed(Node::Outcome(test, thing), Ty::Of(Type::Word(outcomes)), span)
            }
            Member::Choice(choice) => {
                let thing = thing?;
                let Some(acting) = &mut self.acting else {
                    self.choice_without_step(name);
                    return None;
                };
                acting.push((choice, thing));
                let kind = self.out.choices.get(choice.index())?.kind;
                self.typed(Node::Chosen(choice, thing), Ty::thing(kind), span)
            }
            Member::Adjective(trace, yes) => {
                if !self.need_trace(trace) {
                    return None;
                }
                let (answers, viewed) =
                    self.out.traces.get(trace.index()).map(|t| (t.answers, t.viewed))?;
                self.sees(viewed, name);
                let verdict = self.node(Node::Verdict(trace, thing?, asked), span);
                let word = self.node(Node::Word(answers, u16::from(!yes)), span);
                self.typed(Node::Same(verdict, word), Ty::TRUTH, span)
            }
        };
        Some(if sure { found } else { self.unsure(found) })
    }

    /// A fact or a value of what need not be there, or need not have it: it may be nothing.
    fn unsure(&mut self, found: Typed) -> Typed {
        self.out.unsure.push(found.id);
        let ty = match found.ty {
            Ty::Of(Type::Number { dimension, low, high, fraction }) => {
                let (low, high) = (low.min(0), high.max(0));
                Ty::Of(Type::Number { dimension, low, high, fraction })
            }
            Ty::Of(Type::Thing { kind, .. }) => Ty::Of(Type::Thing { kind, maybe: true }),
            ty => ty,
        };
        Typed { ty, ..found }
    }

    /// Whether a thing is there for certain and of the kind of which a fact, a define, a table or a
    /// hook is said.
    fn surely_of(&self, member: Member, of: Typed) -> bool {
        let said_of = match member {
            Member::Fact(fact) => self.out.facts.get(fact.index()).map(|f| f.kind),
            Member::Define(define) => self.out.defines.get(define.index()).and_then(|d| d.of),
            Member::Table(table) => self.out.tables.get(table.index()).and_then(|t| t.of),
            Member::Hook(hook) => self.out.hooks.get(hook.index()).map(|h| h.of),
            Member::Line(_) | Member::Test(_) | Member::Choice(_) | Member::Adjective(..) => {
                return true;
            }
        };
        let Ty::Of(Type::Thing { kind, maybe: false }) = of.ty else { return false };
        let top = self.out.kinds.get(kind.index()).map(|k| k.top);
        // The world and the sides have the facts of all kinds below their own.
        let whole = matches!(top, Some(KindId::WORLD | KindId::SIDE));
        let called = matches!(self.out.node(of.id), Node::SpaceCalled(_));
        !called && (whole || said_of.is_none_or(|said| self.out.is_kind(kind, said)))
    }

    /// A path that names a thing of a position, such as a space.
    pub(super) fn thing(
        &mut self,
        path: &ast::Path,
        scope: &Scope<'_>,
        kind: KindId,
    ) -> Option<Typed> {
        let found = self.path(path, scope, Some(Type::Thing { kind, maybe: false }), Asked::Kept);
        match found.ty {
            Ty::Of(Type::Thing { kind: k, .. })
                if self.out.is_kind(k, kind) || self.out.is_kind(kind, k) =>
            {
                Some(found)
            }
            Ty::Poison => None,
            other => {
                let (what, want) = (self.type_name(other), self.a_kind(kind));
                self.fault(
                    Diagnostic::error(
                        code::E0302,
                        found.span,
                        format!("{want} should stand here, and this is {what}"),
                    )
                    .help(format!("name {want}")),
                );
                None
            }
        }
    }
}

/// What can be read of an answer, by its word.
const EVIDENCE: [(&str, EvidenceField); 5] = [
    ("length", EvidenceField::Length),
    ("source", EvidenceField::Source),
    ("end", EvidenceField::End),
    ("stop", EvidenceField::Stop),
    ("gate", EvidenceField::Gate),
];

const GATES: &str = "gate";

/// What settled an answer, in the order of [`crate::kernel::Gate`].
const GATE_WORDS: [&str; 10] =
    ["never", "from", "through", "into", "within", "source", "open", "cost", "over", "stopping"];
