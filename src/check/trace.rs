//! Traces: every line looked up, every gate said, nothing read that would feed on itself.

use super::Checker;
use super::scope::Scope;
use crate::arrange::Arrange as _;

use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, TraceLine, TraceLineKind};

impl<'a> Checker<'a> {
    /// The trace before its lines are read.
    pub(super) fn trace_shell(&mut self, trace: &ast::Trace, of: KindId, answers: WordSetId) {
        let line = self.line(format!("trace {}", trace.name.text), trace.name.span, &trace.cites);
        let sources: Vec<ast::Name> = trace
            .lines
            .iter()
            .filter_map(|l| match &l.kind {
                TraceLineKind::Source { name, .. } => Some(name.clone()),
                _ => None,
            })
            .collect();
        let source_names = self.word_set(&format!("source of {}", trace.name.text), &sources);
        let counter = self.counter(trace, of);
        self.out.traces.push(Trace {
            name: trace.name.text.clone(),
            title: trace.title.as_ref().map_or(&trace.name.text, |t| &t.text).clone(),
            of,
            answers,
            source_names,
            verdicts: Vec::new(),
            sources: Vec::new(),
            relays: Vec::new(),
            legs: Vec::new(),
            places: 0,
            judged: None,
            lasts: None,
            counter,
            length: self.link_dimension(),
            in_links: false,
            per_subject: false,
            viewed: false,
            line,
            called: line,
        });
    }

    /// `counts turns_out from 0 to 9` declares the number it counts in.
    fn counter(&mut self, trace: &ast::Trace, of: KindId) -> Option<FactId> {
        let (name, low, high) = trace.lines.iter().find_map(|l| match &l.kind {
            TraceLineKind::Counts { name, low, high } => Some((name, low, high)),
            _ => None,
        })?;
        let (low_value, high_value) = (self.whole(low)?, self.whole(high)?);
        if low_value != 0 || high_value < 1 {
            self.fault(
                Diagnostic::error(
                    code::E0210,
                    low.span.to(high.span),
                    "a count begins at 0 and goes to 1 at least",
                )
                .help("write `from 0 to 99`"),
            );
            return None;
        }
        if !self.declare_member(name, of) {
            return None;
        }
        let ty = Type::Number { dimension: None, low: 0, high: high_value, fraction: false };
        let fact = self.add_fact(&name.text, &name.text, of, ty, 0, FactOrigin::Attribute);
        Some(fact)
    }

    pub(super) fn lines_of(&mut self, id: TraceId, item: &'a ast::Trace, broken: bool) {
        let Some(of) = self.out.traces.get(id.index()).map(|t| t.of) else { return };
        let space = self.space_kind_of(of).unwrap_or(KindId::SPACE);
        let subject = Scope::of(of);
        let gate_scope = subject.with(space);
        let mut seen: Vec<(&'static str, Span)> = Vec::new();
        let mut legs: Vec<(&ast::Name, Span)> = Vec::new();
        // The budget of a leg is read behind its cost, which gives the dimension, wherever the two
        // stand.
        let mut leg_of = 0usize;
        let mut ordered: Vec<(usize, bool, &TraceLine)> = item
            .lines
            .iter()
            .map(|l| {
                leg_of += usize::from(matches!(l.kind, TraceLineKind::Leg { .. }));
                (leg_of, matches!(l.kind, TraceLineKind::Within(_)), l)
            })
            .collect();
        ordered.arrange_by_key(|(leg, is_budget, _)| (*leg, *is_budget));
        for (_, _, line) in ordered {
            if let TraceLineKind::Leg { name, .. } = &line.kind {
                if let Some((leg, span)) = legs.last()
                    && !broken
                {
                    self.missing_in_leg(leg, *span, &seen);
                }
                seen.retain(|(w, _)| !is_leg_line(w));
                if let Some((_, first)) = legs.iter().find(|(l, _)| l.text == name.text) {
                    let fault = Diagnostic::error(
                        code::E0202,
                        name.span,
                        format!("leg `{}` stands twice", name.text),
                    )
                    .label(*first, "first here");
                    self.fault(fault);
                }
                legs.push((name, line.span));
            } else if let TraceLineKind::Without(word) = &line.kind {
                if !broken {
                    self.nothing_to_leave_out(word, legs.last().map(|(leg, _)| *leg));
                }
                continue;
            } else if !broken {
                // Behind a header that could not be read, its lines look like those of the leg
                // before.
                self.once(line, &mut seen, &legs);
            }
            let told = self.faults.len();
            self.line_of(id, item, line, &subject, &gate_scope);
            self.read_for(told, line.span, legs.last().map(|(leg, _)| *leg), &item.name);
        }
        self.close_leg(id);
        self.others_go_on(id);
        self.source_budgets(id);
        self.whole_length(id);
        if !broken {
            self.missing(item, &seen, &legs);
        }
    }

    /// Faults of a line that a leg has from another one say for which leg it was read.
    fn read_for(&mut self, told: usize, line: Span, leg: Option<&ast::Name>, trace: &ast::Name) {
        let Some(leg) = leg.filter(|_| self.faults.len() > told) else { return };
        if !self.legs_as.iter().any(|one| one.gives(leg.span, line)) {
            return;
        }
        let said = format!("read here for leg `{}` of trace `{}`", leg.text, trace.text);
        for fault in self.faults.iter_mut().skip(told) {
            *fault = fault.clone().label(leg.span, said.clone());
        }
    }

    /// `without WORD` in a leg that is as no other.
    fn nothing_to_leave_out(&mut self, word: &ast::Name, leg: Option<&ast::Name>) {
        let message = match leg {
            Some(leg) => {
                format!("leg `{}` is as no other, so that it leaves out nothing", leg.text)
            }
            None => "no leg has begun that could leave out a line".to_owned(),
        };
        let fault = Diagnostic::error(code::E0602, word.span, message);
        self.fault(fault.help("take this line out, or write `leg NAME as NAME` above it"));
    }

    /// A line is long in the dimension of its legs; where these differ, as many links as it has.
    fn whole_length(&mut self, id: TraceId) {
        let links = self.link_dimension();
        let first = self.read.leg_dimensions.first().copied().unwrap_or(links);
        let mixed = self.read.leg_dimensions.iter().any(|d| *d != first);
        self.change(id, |t| {
            t.length = if mixed { links } else { first };
            t.in_links = mixed;
        });
    }

    /// A line that may stand once: within the trace, or within its leg.
    fn once(
        &mut self,
        line: &TraceLine,
        seen: &mut Vec<(&'static str, Span)>,
        legs: &[(&ast::Name, Span)],
    ) {
        let word = word(&line.kind);
        if matches!(word, "always" | "never" | "source" | "relay") {
            return;
        }
        // Several lines of `over` are alternatives.
        let first = seen.iter().find(|(w, _)| *w == word && word != "over");
        if let Some((_, first)) = first {
            let fault =
                Diagnostic::error(code::E0403, line.span, format!("`{word}` is said twice"))
                    .label(*first, "first said here")
                    .help("keep one of the two lines; two conditions join with `and`");
            self.fault(fault);
        }
        // The lines behind the first one are of the leg that is lacking there.
        let is_first = !seen.iter().any(|(word, _)| is_leg_line(word));
        seen.push((word, line.span));
        if is_leg_line(word) && legs.is_empty() && is_first {
            let message = format!("`{word}` belongs to a leg, and no leg has begun");
            let before = Span::new(line.span.source, line.span.start, line.span.start);
            self.fault(
                Diagnostic::error(code::E0402, line.span, message)
                    .help("write `leg NAME` on a line before it")
                    .suggest(before, "leg march\n    "),
            );
        }
    }

    fn missing(
        &mut self,
        item: &ast::Trace,
        seen: &[(&'static str, Span)],
        legs: &[(&ast::Name, Span)],
    ) {
        if !item.lines.iter().any(|l| matches!(l.kind, TraceLineKind::Called { .. })) {
            self.fault(
                Diagnostic::error(
                    code::E0401,
                    item.name.span,
                    format!("trace `{}` does not say what its answers are called", item.name.text),
                )
                .help("add a line such as `called supplied else out_of_supply`"),
            );
        }
        match legs.last() {
            Some((leg, span)) => self.missing_in_leg(leg, *span, seen),
            None if seen.iter().any(|(word, _)| is_leg_line(word)) => {}
            None => self.fault(
                Diagnostic::error(
                    code::E0401,
                    item.name.span,
                    format!("trace `{}` has no leg", item.name.text),
                )
                .help("add `leg march` and its lines `over`, `from`, `through`, `into`, `within`"),
            ),
        }
        if !item.lines.iter().any(|l| matches!(l.kind, TraceLineKind::Source { .. })) {
            self.no_source(item);
        }
    }

    fn no_source(&mut self, item: &ast::Trace) {
        let mut relays = item.lines.iter().filter_map(|l| match &l.kind {
            TraceLineKind::Relay { name, .. } => Some(name),
            _ => None,
        });
        let Some(first) = relays.next() else {
            return self.fault(
                Diagnostic::error(
                    code::E0401,
                    item.name.span,
                    format!("trace `{}` has no source", item.name.text),
                )
                .help("add a line such as `source home where friendly`"),
            );
        };
        let message = match relays.next() {
            Some(second) => format!(
                "relays such as `{}` and `{}` renew only each other: no source starts a line",
                first.text, second.text
            ),
            None => format!("relay `{}` renews only itself: no source starts a line", first.text),
        };
        self.fault(
            Diagnostic::error(code::E0415, first.span, message)
                .label(item.name.span, "this trace has no source")
                .help("add a line such as `source home where friendly`, or make a source of the relay where lines begin"),
        );
    }

    fn line_of(
        &mut self,
        id: TraceId,
        item: &ast::Trace,
        line: &TraceLine,
        subject: &Scope<'_>,
        gate: &Scope<'_>,
    ) {
        let name = |what: &str| format!("trace {}, {what}", item.name.text);
        // What a step is asked reads the unit as if it stood in the space entered; a space stands
        // nowhere else.
        let of_spaces = subject.levels.first().is_some_and(|k| self.out.is_kind(*k, KindId::SPACE));
        let steps = if of_spaces { gate } else { subject };
        match &line.kind {
            TraceLineKind::Called { .. } => {
                let at = self.line(name("called"), line.span, &line.cites);
                self.change(id, |t| t.called = at);
            }
            TraceLineKind::Judged(_) => {
                self.line(name("judged"), line.span, &line.cites);
            }
            TraceLineKind::Lasts(moment) => {
                self.line(name("lasts"), line.span, &line.cites);
                let moment = self.moment_point(moment);
                self.change(id, |t| t.lasts = moment);
            }
            TraceLineKind::Always(when) | TraceLineKind::Never(when) => {
                let always = matches!(line.kind, TraceLineKind::Always(_));
                let when = self.truth(when, subject);
                let said = match &line.exception {
                    Some(exception) => format!("exception {exception}"),
                    None => if always { "always" } else { "never" }.to_owned(),
                };
                let line = self.line(name(&said), line.span, &line.cites);
                self.change(id, |t| t.verdicts.push(Verdict { always, when, line }));
            }
            TraceLineKind::Source { name: source, filter } => {
                let when = self.gate_condition(id, filter, gate);
                let line =
                    self.line(name(&format!("source {}", source.text)), line.span, &line.cites);
                self.change(id, |t| {
                    t.sources.push(Source { name: source.text.clone(), when, line })
                });
            }
            TraceLineKind::Relay { name: relay, filter } => {
                let when = self.gate_condition(id, filter, gate);
                let line =
                    self.line(name(&format!("relay {}", relay.text)), line.span, &line.cites);
                self.change(id, |t| t.relays.push(Source { name: relay.text.clone(), when, line }));
            }
            TraceLineKind::Leg { name: leg, optional, instead, when, .. } => {
                let at = self.line(name(&format!("leg {}", leg.text)), line.span, &line.cites);
                self.close_leg(id);
                self.read.cost_type = None;
                self.read.leg_dimensions.push(self.link_dimension());
                self.begin_leg(id, leg, *optional, instead.as_ref(), at);
                if let Some(when) = when {
                    self.only_for(id, when, gate, at);
                }
            }
            TraceLineKind::Over { .. } => self.over(line, subject, steps, &name("over")),
            TraceLineKind::From(when) => {
                self.gate(id, when, gate, name("from"), line, |leg, g| leg.from = g)
            }
            TraceLineKind::Through(when) => {
                self.gate(id, when, gate, name("through"), line, |leg, g| leg.through = g)
            }
            TraceLineKind::Stopping(when) => self.stop_gate(id, when, gate, name("stopping"), line),
            TraceLineKind::Into(when) => {
                self.gate(id, when, gate, name("into"), line, |leg, g| leg.into = g)
            }
            TraceLineKind::Within(amount) => {
                self.budget(id, amount, subject, name("within"), &line.cites)
            }
            TraceLineKind::Counts { .. } => {
                self.line(name("counts"), line.span, &line.cites);
            }
            TraceLineKind::Cost(cost) => self.cost(id, cost, steps, name("cost"), &line.cites),
            // Written out before, or refused.
            TraceLineKind::Without(_) => {}
        }
    }

    pub(super) fn change(&mut self, id: TraceId, change: impl FnOnce(&mut Trace)) {
        if let Some(trace) = self.out.traces.get_mut(id.index()) {
            change(trace);
        }
    }

    /// `judged in PHASE`: the phase exists, judges it, and says when the answer ends.
    pub(super) fn judged_by(&mut self) {
        for at in 0..self.traces.len() {
            let Some(pending) = self.traces.get(at) else { continue };
            let (item, broken) = (pending.item, pending.broken);
            let id = TraceId::at(at);
            let judged = item.lines.iter().find_map(|l| match &l.kind {
                TraceLineKind::Judged(name) => Some(name),
                _ => None,
            });
            let judging: Vec<(PhaseId, Span)> = self.judging_steps(id);
            if let Some(name) = judged {
                self.symbols.note(name.span, super::scope::Used::Phase);
            }
            match judged {
                Some(name) => match self.symbols.phases.get(&name.text).copied() {
                    Some(phase) if judging.iter().any(|(p, _)| *p == phase) => {
                        self.change(id, |t| t.judged = Some(phase))
                    }
                    Some(_) if self.is_lost(&item.name.text) => {}
                    Some(_) => {
                        let what = item.name.text.clone();
                        self.fault(
                            Diagnostic::error(
                                code::E0406,
                                name.span,
                                format!("phase `{}` has no step that judges `{what}`", name.text),
                            )
                            .help(format!("add the step `judge {what} for ...` to it")),
                        );
                    }
                    None => {
                        let known = self.gathered(self.symbols.phases.keys().cloned());
                        self.unknown(code::E0406, name, "phase", known.iter().map(String::as_str));
                    }
                },
                None => {
                    if !broken && let Some((_, span)) = judging.first() {
                        self.fault(
                            Diagnostic::error(
                                code::E0406,
                                *span,
                                format!(
                                    "`{}` is judged here, and its trace does not say so",
                                    item.name.text
                                ),
                            )
                            .label(
                                item.name.span,
                                "add `judged in` this phase, and how long the answer `lasts`",
                            ),
                        );
                    }
                }
            }
            // What is wrong with a moment is reported where it stands.
            let lasts = item.lines.iter().any(|l| matches!(l.kind, TraceLineKind::Lasts(_)));
            if !broken && judged.is_some() != lasts {
                let (message, help) = if lasts {
                    (
                        "an answer that nobody judges cannot last",
                        "add `judged in` a phase, or take `lasts` out and ask it live",
                    )
                } else {
                    (
                        "a judged answer must end some time",
                        "add `lasts until end of turn`, or another moment",
                    )
                };
                self.fault(Diagnostic::error(code::E0407, item.name.span, message).help(help));
            }
        }
    }

    fn judging_steps(&self, id: TraceId) -> Vec<(PhaseId, Span)> {
        let mut found = Vec::new();
        for (at, phase) in self.out.phases.iter().enumerate() {
            for step in &phase.steps {
                if matches!(step.effect, Effect::Judge(t) if t == id) {
                    let span = self
                        .out
                        .lines
                        .get(step.line.index())
                        .map_or_else(Span::default, |l| l.span);
                    found.push((PhaseId::at(at), span));
                }
            }
        }
        found
    }
}

fn word(kind: &TraceLineKind) -> &'static str {
    match kind {
        TraceLineKind::Called { .. } => "called",
        TraceLineKind::Judged(_) => "judged",
        TraceLineKind::Lasts(_) => "lasts",
        TraceLineKind::Counts { .. } => "counts",
        TraceLineKind::Always(_) => "always",
        TraceLineKind::Never(_) => "never",
        TraceLineKind::Source { .. } => "source",
        TraceLineKind::Relay { .. } => "relay",
        TraceLineKind::Leg { .. } => "leg",
        TraceLineKind::Over { .. } => "over",
        TraceLineKind::From(_) => "from",
        TraceLineKind::Through(_) => "through",
        TraceLineKind::Stopping(_) => "stopping",
        TraceLineKind::Into(_) => "into",
        TraceLineKind::Cost(_) => "cost",
        TraceLineKind::Within(_) => "within",
        TraceLineKind::Without(_) => "without",
    }
}

fn is_leg_line(word: &str) -> bool {
    matches!(word, "over" | "from" | "through" | "stopping" | "into" | "cost" | "within")
}
