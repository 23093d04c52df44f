//! Traces: every line looked up, every gate said, nothing read that would feed on itself.

use super::scope::{Scope, Ty};
use super::table::is_word;
use super::{Checker, Progress};

/// More legs than this are no line.
const MOST_LEGS: usize = 8;
/// A step that costs more is a mistake.
const MOST_COST: i64 = 1000;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Cites, Expr, TraceLine, TraceLineKind};

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
            per_subject: false,
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
                Diagnostic::error(code::E0210, low.span.to(high.span), "a count begins at 0 and goes to 1 at least")
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

    /// Reads the lines of a trace if that has not happened yet; false if they are being read just now.
    pub(super) fn need_trace(&mut self, id: TraceId) -> bool {
        let Some(pending) = self.traces.get_mut(id.index()) else { return false };
        let (item, broken, state) = (pending.item, pending.broken, pending.state);
        match state {
            Progress::Done => return true,
            Progress::UnderWay => {
                self.circle(&item.name);
                return false;
            }
            Progress::Waiting => pending.state = Progress::UnderWay,
        }
        self.under_way.push((item.name.text.clone(), item.name.span));
        let outer = (self.viewed, self.reads_subject);
        self.lines_of(id, item, broken);
        (self.viewed, self.reads_subject) = outer;
        self.under_way.pop();
        if let Some(pending) = self.traces.get_mut(id.index()) {
            pending.state = Progress::Done;
        }
        true
    }

    /// An answer that must be known before it can be found; the way begins with its trace.
    pub(super) fn feeds_on_itself(&mut self, way: &[(String, Span)]) {
        let Some((name, span)) = way.first() else { return };
        let spoken = way.iter().map(|(n, _)| format!("`{n}`")).collect::<Vec<_>>().join(" reads ");
        let mut fault = Diagnostic::error(code::E0410, *span, format!("the answer of `{name}` feeds on itself: {spoken} reads `{name}`"))
            .help("read a printed value there, one that does not depend on the answer");
        for (n, span) in way.iter().skip(1) {
            fault = fault.label(*span, format!("by way of `{n}`"));
        }
        self.fault(fault);
    }

    fn lines_of(&mut self, id: TraceId, item: &'a ast::Trace, broken: bool) {
        let Some(of) = self.out.traces.get(id.index()).map(|t| t.of) else { return };
        let space = self.space_kind_of(of).unwrap_or(KindId::SPACE);
        let subject = Scope::of(of);
        let gate_scope = subject.with(space);
        let mut seen: Vec<(&'static str, Span)> = Vec::new();
        let mut legs: Vec<(&ast::Name, Span)> = Vec::new();
        // The budget of a leg is read behind its cost, which gives the dimension, wherever the two stand.
        let mut leg_of = 0usize;
        let mut ordered: Vec<(usize, bool, &TraceLine)> = item
            .lines
            .iter()
            .map(|l| {
                leg_of += usize::from(matches!(l.kind, TraceLineKind::Leg { .. }));
                (leg_of, matches!(l.kind, TraceLineKind::Within(_)), l)
            })
            .collect();
        ordered.sort_by_key(|(leg, is_budget, _)| (*leg, *is_budget));
        for (_, _, line) in ordered {
            if let TraceLineKind::Leg { name, .. } = &line.kind {
                if let Some((leg, span)) = legs.last()
                    && !broken
                {
                    self.missing_in_leg(leg, *span, &seen);
                }
                seen.retain(|(w, _)| !is_leg_line(w));
                if let Some((_, first)) = legs.iter().find(|(l, _)| l.text == name.text) {
                    let fault =
                        Diagnostic::error(code::E0202, name.span, format!("leg `{}` stands twice", name.text)).label(*first, "first here");
                    self.fault(fault);
                }
                legs.push((name, line.span));
            } else {
                self.once(line, &mut seen, &legs);
            }
            self.line_of(id, item, line, &subject, &gate_scope);
        }
        if !broken {
            self.missing(item, &seen, &legs);
        }
    }

    /// A line that may stand once: within the trace, or within its leg.
    fn once(&mut self, line: &TraceLine, seen: &mut Vec<(&'static str, Span)>, legs: &[(&ast::Name, Span)]) {
        let word = word(&line.kind);
        if matches!(word, "always" | "never" | "source" | "relay") {
            return;
        }
        if let Some((_, first)) = seen.iter().find(|(w, _)| *w == word) {
            let fault = Diagnostic::error(code::E0403, line.span, format!("`{word}` is said twice"))
                .label(*first, "first said here")
                .help("keep one of the two lines; two conditions join with `and`");
            self.fault(fault);
        }
        seen.push((word, line.span));
        if is_leg_line(word) && legs.is_empty() {
            self.fault(
                Diagnostic::error(code::E0402, line.span, format!("`{word}` belongs to a leg, and no leg has begun"))
                    .help("write `leg NAME` on a line before it"),
            );
        }
    }

    fn missing(&mut self, item: &ast::Trace, seen: &[(&'static str, Span)], legs: &[(&ast::Name, Span)]) {
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
            None => self.fault(
                Diagnostic::error(code::E0401, item.name.span, format!("trace `{}` has no leg", item.name.text))
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
                Diagnostic::error(code::E0401, item.name.span, format!("trace `{}` has no source", item.name.text))
                    .help("add a line such as `source home where friendly`"),
            );
        };
        let message = match relays.next() {
            Some(second) => format!("relays such as `{}` and `{}` renew only each other: no source starts a line", first.text, second.text),
            None => format!("relay `{}` renews only itself: no source starts a line", first.text),
        };
        self.fault(
            Diagnostic::error(code::E0414, first.span, message)
                .label(item.name.span, "this trace has no source")
                .help("add a line such as `source home where friendly`, or make a source of the relay where lines begin"),
        );
    }

    fn missing_in_leg(&mut self, leg: &ast::Name, span: Span, seen: &[(&'static str, Span)]) {
        let help = [
            ("over", "name the links it goes over, as in `over roads`"),
            ("from", "`from anywhere`, or the condition on the first space, the unit's own"),
            ("through", "`through anywhere`, or the condition on the spaces between"),
            ("into", "`into anywhere` (the enemy may hold the end of the line), or the condition on the last space"),
            ("within", "`within unlimited`, an amount, or a table of the unit"),
        ];
        for (word, help) in help {
            if !seen.iter().any(|(w, _)| *w == word) {
                self.fault(Diagnostic::error(code::E0402, span, format!("leg `{}` does not say `{word}`", leg.text)).help(help));
            }
        }
    }

    /// A new leg: behind the others in the chain, or in the place of the one it stands instead of.
    fn begin_leg(&mut self, id: TraceId, name: &ast::Name, optional: bool, instead: Option<&ast::Name>, line: LineId) {
        let legs = self.out.traces.get(id.index()).map(|t| t.legs.clone()).unwrap_or_default();
        let place = match instead {
            Some(other) => match legs.iter().find(|l| l.name == other.text) {
                Some(leg) => leg.place,
                None => {
                    let known: Vec<&str> = legs.iter().map(|l| l.name.as_str()).collect();
                    self.unknown(code::E0201, other, "leg before this one", known);
                    return;
                }
            },
            None => self.out.traces.get(id.index()).map_or(0, |t| t.places),
        };
        if legs.len() >= MOST_LEGS {
            self.fault(Diagnostic::error(code::E0215, name.span, format!("a trace has at most {MOST_LEGS} legs")));
            return;
        }
        let gate = Gate { when: None, line };
        self.change(id, |t| {
            t.places = t.places.max(place + 1);
            t.legs.push(Leg {
                name: name.text.clone(),
                place,
                optional,
                links: Vec::new(),
                cost: None,
                from: gate.clone(),
                through: gate.clone(),
                into: gate,
                within: Budget { amount: None, high: u32::MAX, line },
                line,
            });
        });
    }

    /// What entering a space costs: a whole amount, 1 at least.
    fn cost(&mut self, id: TraceId, cost: &Expr, subject: &Scope<'_>, name: String, cites: &Cites) {
        let line = self.line(name, cost.span, cites);
        if self.out.traces.get(id.index()).is_some_and(|t| self.out.is_kind(t.of, KindId::SPACE)) {
            return self.later(cost.span, "a cost in a trace of a space");
        }
        let found = self.amount(cost, subject, None);
        if let Ty::Of(Type::Number { dimension, low, high, fraction }) = found.ty {
            if fraction {
                self.fault(
                    Diagnostic::error(code::E0306, cost.span, "a step costs a whole amount, and this can be a fraction")
                        .help("count in the smallest part, or say how it rounds, as in `rounded up (...)`"),
                );
            }
            if low < 1 || high > MOST_COST {
                self.fault(
                    Diagnostic::error(code::E0413, cost.span, format!("a step would cost from {low} to {high}"))
                        .help(format!("a step costs from 1 to {MOST_COST}; what cannot be entered is `barred`")),
                );
            }
            if self.out.traces.get(id.index()).is_some_and(|t| t.legs.len() == 1) {
                self.change(id, |t| t.length = dimension);
            }
            self.cost_dimension = Some(dimension);
        }
        self.leg(id, |leg| {
            leg.cost = Some(found.id);
            leg.line = line;
        });
    }

    fn leg(&mut self, id: TraceId, change: impl FnOnce(&mut Leg)) {
        if let Some(leg) = self.out.traces.get_mut(id.index()).and_then(|t| t.legs.last_mut()) {
            change(leg);
        }
    }

    fn line_of(&mut self, id: TraceId, item: &ast::Trace, line: &TraceLine, subject: &Scope<'_>, gate: &Scope<'_>) {
        let name = |what: &str| format!("trace {}, {what}", item.name.text);
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
                let line = self.line(name(if always { "always" } else { "never" }), line.span, &line.cites);
                self.change(id, |t| t.verdicts.push(Verdict { always, when, line }));
            }
            TraceLineKind::Source { name: source, filter } => {
                let when = self.gate_condition(id, filter, gate);
                let line = self.line(name(&format!("source {}", source.text)), line.span, &line.cites);
                self.change(id, |t| t.sources.push(Source { name: source.text.clone(), when, line }));
            }
            TraceLineKind::Relay { name: relay, filter } => {
                let when = self.gate_condition(id, filter, gate);
                let line = self.line(name(&format!("relay {}", relay.text)), line.span, &line.cites);
                self.change(id, |t| t.relays.push(Source { name: relay.text.clone(), when, line }));
            }
            TraceLineKind::Leg { name: leg, optional, instead } => {
                let at = self.line(name(&format!("leg {}", leg.text)), line.span, &line.cites);
                self.cost_dimension = None;
                self.begin_leg(id, leg, *optional, instead.as_ref(), at);
            }
            TraceLineKind::Over { links, filter } => {
                if let Some(filter) = filter {
                    self.later(filter.span, "a condition on links");
                }
                let links: Vec<KindId> = links.iter().filter_map(|l| self.link(l)).collect();
                let at = self.line(name("over"), line.span, &line.cites);
                self.leg(id, |leg| {
                    leg.links = links;
                    leg.line = at;
                });
            }
            TraceLineKind::From(when) => self.gate(id, when, gate, name("from"), line, |leg, g| leg.from = g),
            TraceLineKind::Through(when) => self.gate(id, when, gate, name("through"), line, |leg, g| leg.through = g),
            TraceLineKind::Into(when) => self.gate(id, when, gate, name("into"), line, |leg, g| leg.into = g),
            TraceLineKind::Within(amount) => self.budget(id, amount, subject, name("within"), &line.cites),
            TraceLineKind::Counts { .. } => {
                self.line(name("counts"), line.span, &line.cites);
            }
            TraceLineKind::Cost(cost) => self.cost(id, cost, subject, name("cost"), &line.cites),
        }
    }

    fn change(&mut self, id: TraceId, change: impl FnOnce(&mut Trace)) {
        if let Some(trace) = self.out.traces.get_mut(id.index()) {
            change(trace);
        }
    }

    /// A condition on a space; whether it reads the unit behind it is noted, for then no search can be shared.
    fn gate_condition(&mut self, id: TraceId, when: &Expr, scope: &Scope<'_>) -> ExprId {
        self.reads_subject = false;
        let found = self.truth(when, scope);
        let reads = self.reads_subject;
        self.change(id, |t| t.per_subject |= reads);
        found
    }

    fn gate(&mut self, id: TraceId, when: &Expr, scope: &Scope<'_>, name: String, line: &TraceLine, set: impl FnOnce(&mut Leg, Gate)) {
        let condition = if is_word(when, "anywhere") { None } else { Some(self.gate_condition(id, when, scope)) };
        let line = self.line(name, line.span, &line.cites);
        self.leg(id, |leg| set(leg, Gate { when: condition, line }));
    }

    fn budget(&mut self, id: TraceId, amount: &Expr, subject: &Scope<'_>, name: String, cites: &Cites) {
        let line = self.line(name, amount.span, cites);
        if is_word(amount, "unlimited") {
            self.leg(id, |leg| leg.within = Budget { amount: None, high: u32::MAX, line });
            return;
        }
        // A leg with a cost is long in the cost's dimension, one without in links.
        let dimension = self.cost_dimension.unwrap_or_else(|| self.link_dimension());
        let found = self.amount(amount, subject, dimension);
        let high = match found.ty {
            Ty::Of(Type::Number { low, high, fraction, .. }) => {
                if fraction {
                    self.fault(
                        Diagnostic::error(code::E0306, amount.span, "a line is a whole number of links long, and this can be a fraction")
                            .help("say how it rounds, as in `rounded down (...)`"),
                    );
                }
                if high < 0 || low < 0 {
                    self.fault(
                        Diagnostic::error(code::E0412, amount.span, "a line cannot be shorter than nothing")
                            .help("write `greater of (0, ...)` around it"),
                    );
                }
                u32::try_from(high.max(0)).unwrap_or(u32::MAX)
            }
            _ => u32::MAX,
        };
        self.leg(id, |leg| leg.within = Budget { amount: Some(found.id), high, line });
    }

    /// Links are counted in the dimension that the ruleset declares first: areas, hexes, regions.
    pub(super) fn link_dimension(&self) -> Option<DimensionId> {
        (!self.out.dimensions.is_empty()).then_some(DimensionId(0))
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
            match judged {
                Some(name) => match self.symbols.phases.get(&name.text).copied() {
                    Some(phase) if judging.iter().any(|(p, _)| *p == phase) => self.change(id, |t| t.judged = Some(phase)),
                    Some(_) if self.is_lost(&item.name.text) => {}
                    Some(_) => {
                        let what = item.name.text.clone();
                        self.fault(
                            Diagnostic::error(code::E0406, name.span, format!("phase `{}` has no step that judges `{what}`", name.text))
                                .help(format!("add the step `judge {what} for ...` to it")),
                        );
                    }
                    None => {
                        let known: Vec<String> = self.symbols.phases.keys().cloned().collect();
                        self.unknown(code::E0406, name, "phase", known.iter().map(String::as_str));
                    }
                },
                None => {
                    if !broken && let Some((_, span)) = judging.first() {
                        self.fault(
                            Diagnostic::error(
                                code::E0406,
                                *span,
                                format!("`{}` is judged here, and its trace does not say so", item.name.text),
                            )
                            .label(item.name.span, "add `judged in` this phase, and how long the answer `lasts`"),
                        );
                    }
                }
            }
            let lasts = self.out.traces.get(at).is_some_and(|t| t.lasts.is_some());
            if !broken && judged.is_some() != lasts {
                let (message, help) = if lasts {
                    ("an answer that nobody judges cannot last", "add `judged in` a phase, or take `lasts` out and ask it live")
                } else {
                    ("a judged answer must end some time", "add `lasts until end of turn`, or another moment")
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
                    let span = self.out.lines.get(step.line.index()).map_or_else(Span::default, |l| l.span);
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
        TraceLineKind::Into(_) => "into",
        TraceLineKind::Cost(_) => "cost",
        TraceLineKind::Within(_) => "within",
    }
}

fn is_leg_line(word: &str) -> bool {
    matches!(word, "over" | "from" | "through" | "into" | "cost" | "within")
}
