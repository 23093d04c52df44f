//! Phases: when they happen and what their steps do.

use super::scope::Scope;
use super::{Checker, Resolved};
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, StepKind};

impl<'a> Checker<'a> {
    pub(super) fn phase_head(&mut self, phase: &ast::Phase) {
        if !self.declare_name("phase", &phase.name) {
            return;
        }
        self.is_no_part_of_the_clock(&phase.name);
        let mut moments = Vec::new();
        for moment in &phase.moments {
            moments.extend(match moment {
                ast::Moment::At(point) => self.moment_point(point),
                ast::Moment::In { part, of } => self.moment(Edge::During, part, of.as_ref()),
            });
        }
        let once = phase.once.and_then(|_| self.happens_once(phase, &moments));
        let line = self.line(format!("phase {}", phase.name.text), phase.name.span, &phase.cites);
        self.symbols.phases.insert(phase.name.text.clone(), PhaseId::at(self.out.phases.len()));
        self.out.phases.push(Phase {
            name: phase.name.text.clone(),
            moments,
            when: None,
            once,
            steps: Vec::new(),
            line,
        });
    }

    /// The mark that a phase has happened, under its own name: of each side where each has its own,
    /// else of the world.
    fn happens_once(&mut self, phase: &ast::Phase, moments: &[Moment]) -> Option<FactId> {
        let each = moments.iter().any(|m| m.whose == Whose::Owner);
        let kind = if each { KindId::SIDE } else { KindId::WORLD };
        let name = &phase.name;
        let is_new = self.declare_member(name, kind);
        let mark = FactOrigin::Mark(None);
        let fact =
            is_new.then(|| self.add_fact(&name.text, &name.text, kind, Type::Truth, 0, mark))?;
        self.symbols.set_facts.push(fact);
        Some(fact)
    }

    pub(super) fn phases(&mut self, resolved: &'a Resolved) {
        for item in &resolved.items {
            let ItemKind::Phase(phase) = &item.item.kind else { continue };
            let Some(id) = self.symbols.phases.get(&phase.name.text).copied() else { continue };
            let of_side = self.out.phases.get(id.index()).is_some_and(|p| {
                // A moment that is not known may be of a side.
                p.moments.len() < phase.moments.len()
                    || p.moments.iter().any(|m| m.whose != Whose::All)
            });
            let when = phase
                .when
                .as_ref()
                .map(|when| self.seen(!of_side, |checker| checker.truth(when, &Scope::default())));
            let mut steps: Vec<Step> = Vec::new();
            for step in &phase.steps {
                let found = self.step(phase, step, of_side);
                steps.extend(self.nothing_lost(step.span, found));
            }
            if let Some(phase) = self.out.phases.get_mut(id.index()) {
                phase.when = when;
                phase.steps = steps;
            }
        }
    }

    fn step(&mut self, phase: &ast::Phase, step: &ast::Step, of_side: bool) -> Option<Step> {
        let (mode, effect, things) = match &step.kind {
            StepKind::Roll { test, once, until, things } => {
                return self.roll(phase, step, (test, *once, until.as_ref()), things, of_side);
            }
            StepKind::Judge { trace, things } => {
                return self.judge(phase, step, trace, things, of_side);
            }
            StepKind::Do { effect, things } => (Mode::Do, effect, things.as_ref()),
            StepKind::May { effect, things } => (Mode::May, effect, Some(things)),
            StepKind::Must { effect, things } => (Mode::Must, effect, Some(things)),
        };
        let (things, scope) = self.step_things(things, of_side)?;
        let of_link = scope.innermost().is_some_and(|(_, kind)| self.out.top(kind) == KindId::LINK);
        if of_link && mode != Mode::Do {
            let message = "a link is nobody's, so that no player is offered what is done to it";
            self.fault(Diagnostic::error(code::E0207, step.span, message).help(
                "offer it to a unit or a space with a mark, and `do` it to the links where that is set",
            ));
            return None;
        }
        if mode != Mode::Do && matches!(effect, ast::Effect::Relate { .. }) {
            let message = "how two sides stand is of both, so that no player is offered it";
            self.fault(
                Diagnostic::error(code::E0207, step.span, message)
                    .help("offer a mark, and `do make ...` where it is set"),
            );
            return None;
        }
        let unseen = !of_side && self.is_seen_by_none(&scope);
        self.acting = Some(Vec::new());
        let effect_found = self.seen(unseen, |c| c.effect(effect, &scope));
        let choice = self.one_choice(step.span);
        let effect = effect_found?;
        let line = self.line(
            format!("phase {}, {}", phase.name.text, spoken(mode, &effect)),
            step.span,
            &step.cites,
        );
        Some(Step { mode, effect, choice, things, line })
    }

    /// The choice that the effect just read acts on; a step acts on one at most, so that an order
    /// can name it.
    fn one_choice(&mut self, span: Span) -> Option<(ChoiceId, ExprId)> {
        let found = self.acting.take()?;
        let first = *found.first()?;
        if found.iter().any(|(choice, _)| *choice != first.0) {
            self.fault(
                Diagnostic::error(code::E0313, span, "one step acts on one choice")
                    .help("make it two steps, each with its own choice"),
            );
        }
        Some(first)
    }

    /// The things of a step and the scope in which its effect is read: each thing is the subject.
    fn step_things(
        &mut self,
        things: Option<&ast::Things>,
        of_side: bool,
    ) -> Option<(Option<ThingsId>, Scope<'a>)> {
        let Some(things) = things else { return Some((None, Scope::default())) };
        let kind = self.kind_of_things(things)?;
        if self.out.top(kind) == KindId::LINK && !self.changes(kind) {
            self.fault(
                Diagnostic::error(
                    code::E0207,
                    things.kind.span,
                    format!("nothing that is said of a {} ever changes", self.kind_name(kind)),
                )
                .help("declare what changes of it, as in `mark blown of railway`"),
            );
            return None;
        }
        let scope = Scope::of(kind);
        let unseen = !of_side && self.is_seen_by_none(&scope);
        let id = self.seen(unseen, |c| match c.out.top(kind) == KindId::LINK {
            true => c.links_of_step(things, kind, &scope),
            false => c.things(things, &Scope::default(), false),
        });
        if !of_side && !unseen {
            self.stands_to_itself(id);
        }
        Some((Some(id), scope))
    }

    /// In a phase of no side each unit is asked as its own: `enemy armies` are none, `own` are all.
    fn stands_to_itself(&mut self, things: ThingsId) {
        let Some(when) = self.out.things.get(things.index()).and_then(|t| t.condition) else {
            return;
        };
        let found = self.stance_of_itself(when);
        let place = found.and_then(|id| self.out.node_spans.get(id.index()).copied());
        if let Some(span) = place {
            let text = self.sources.slice(span).trim().to_owned();
            self.no_viewer(&ast::Name { text, span });
        }
    }

    /// Whether the subject of a step is seen by no side of its own: a space, or the world.
    fn is_seen_by_none(&self, scope: &Scope<'_>) -> bool {
        let top = scope.innermost().map(|(_, kind)| self.out.top(kind));
        !matches!(top, Some(KindId::UNIT | KindId::SIDE))
    }

    /// A word in a condition by which the subject itself stands to a side.
    fn stance_of_itself(&self, id: ExprId) -> Option<ExprId> {
        match self.out.node(id) {
            Node::Stands(of, _) => matches!(self.out.node(*of), Node::Subject(0)).then_some(id),
            Node::Not(inner) => self.stance_of_itself(*inner),
            Node::And(parts) | Node::Or(parts) => {
                parts.iter().find_map(|part| self.stance_of_itself(*part))
            }
            _ => None,
        }
    }

    fn judge(
        &mut self,
        phase: &ast::Phase,
        step: &ast::Step,
        trace: &ast::Name,
        things: &ast::Things,
        of_side: bool,
    ) -> Option<Step> {
        let id = self.trace_called(trace)?;
        let phrase = things.span;
        let (things, scope) = self.step_things(Some(things), of_side)?;
        let of = self.out.traces.get(id.index()).map(|t| t.of)?;
        let kind = scope.innermost().map(|(_, k)| k)?;
        if !self.out.is_kind(kind, of) {
            let (a, b) = (self.a_kind(of), self.a_kind(kind));
            self.fault(
                Diagnostic::error(
                    code::E0303,
                    phrase,
                    format!("`{}` is a trace of {a}, and each of these is {b}", trace.text),
                )
                .help(format!("judge it for {}", self.plural_name(of))),
            );
            return None;
        }
        if !of_side && self.out.traces.get(id.index()).is_some_and(|t| t.viewed) {
            self.no_viewer(trace);
        }
        let line = self.line(
            format!("phase {}, judge {}", phase.name.text, trace.text),
            step.span,
            &step.cites,
        );
        Some(Step { mode: Mode::Do, effect: Effect::Judge(id), choice: None, things, line })
    }

    fn roll(
        &mut self,
        phase: &ast::Phase,
        step: &ast::Step,
        (test, once, until): (&ast::Name, Option<Span>, Option<&ast::Name>),
        things: &ast::Things,
        of_side: bool,
    ) -> Option<Step> {
        let (of, effect) = match self.symbols.tests.get(&test.text).copied() {
            Some(id) => (
                self.out.tests.get(id.index()).map(|t| t.of)?,
                Effect::Roll { test: id, once: once.is_some() },
            ),
            None if self.symbols.tables.contains_key(&test.text) => {
                self.roll_list(test, once, until)?
            }
            None => {
                let lists = self
                    .out
                    .tables
                    .iter()
                    .filter(|t| t.policy == Policy::All)
                    .map(|t| t.name.clone());
                let known = self.gathered(self.symbols.tests.keys().cloned().chain(lists));
                self.unknown(code::E0201, test, "test", known.iter().map(String::as_str));
                return None;
            }
        };
        if let (Effect::Roll { .. }, Some(until)) = (&effect, until) {
            self.fault(
                Diagnostic::error(
                    code::E0533,
                    until.span,
                    format!("`{}` is one test, and `until` ends a list of them", test.text),
                )
                .help("leave `until` out; what is rolled again stands behind `retry` in the test"),
            );
        }
        let (things, scope) = self.step_things(Some(things), of_side)?;
        let kind = scope.innermost().map(|(_, k)| k)?;
        if !self.out.is_kind(kind, of) {
            let (a, b) = (self.kind_name(of), self.kind_name(kind));
            self.fault(Diagnostic::error(
                code::E0303,
                step.span,
                format!("`{}` is a test of a {a}, and these are of kind {b}", test.text),
            ));
            return None;
        }
        if let (Some(span), Effect::Roll { test: id, .. }) = (once, &effect)
            && self.out.tests.get(id.index()).is_some_and(|t| t.retry.is_some())
        {
            self.fault(
                Diagnostic::error(
                    code::E0521,
                    span,
                    format!(
                        "one throw of `{}` counts for all, so it is not rolled again for one",
                        test.text
                    ),
                )
                .help("leave `once` out, or take the `retry` out of the test"),
            );
        }
        let line = self.line(
            format!("phase {}, roll {}", phase.name.text, test.text),
            step.span,
            &step.cites,
        );
        Some(Step { mode: Mode::Do, effect, choice: None, things, line })
    }

    pub(super) fn trace_called(&mut self, name: &ast::Name) -> Option<TraceId> {
        let found = self.symbols.traces.get(&name.text).copied();
        if found.is_none() {
            let known = self.gathered(self.symbols.traces.keys().cloned());
            self.unknown(code::E0201, name, "trace", known.iter().map(String::as_str));
        }
        found
    }

    /// Whether a trace is asked of things of a kind, or of some of them.
    pub(super) fn is_traced(
        &mut self,
        name: &ast::Name,
        trace: TraceId,
        kind: KindId,
    ) -> Option<()> {
        let of = self.out.traces.get(trace.index()).map(|t| t.of)?;
        if self.out.is_kind(kind, of) || self.out.is_kind(of, kind) {
            return Some(());
        }
        let (a, b) = (self.a_kind(of), self.a_kind(kind));
        self.fault(
            Diagnostic::error(
                code::E0303,
                name.span,
                format!("`{}` is a trace of {a}, and this is {b}", name.text),
            )
            .help(format!("name a trace of {b}")),
        );
        None
    }
}

fn spoken(mode: Mode, effect: &Effect) -> String {
    let mode = match mode {
        Mode::Do => "do",
        Mode::May => "may",
        Mode::Must => "must",
    };
    let effect = match effect {
        Effect::Judge(_) => "judge",
        Effect::Roll { .. } | Effect::RollList { .. } => "roll",
        Effect::Set(..) => "set",
        Effect::Relate(..) => "make",
        Effect::Change { raise: true, .. } => "raise",
        Effect::Change { .. } => "lower",
        Effect::Mark(_) => "mark",
        Effect::Clear(..) => "clear",
        Effect::Remove => "remove",
        Effect::Move(_) => "move",
        Effect::Follow { .. } => "follow",
        Effect::Place(placement) => placement.word().text(),
    };
    format!("{mode} {effect}")
}
