//! The legs of a trace: links, gates, costs and budgets.

use super::Checker;
use super::scope::{Scope, Ty};
use super::table::is_word;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{self, Cites, Expr, TraceLine};

/// More legs than this are no line.
const MOST_LEGS: usize = 8;
/// A step that costs more is a mistake.
const MOST_COST: i64 = 1000;

/// The lines that each leg must have: the word, the least that it says, and what else it may say.
const LINES: [(&str, &str, &str); 5] = [
    (
        "over",
        "`over` and the links it goes over",
        "name the links it goes over, as in `over roads`",
    ),
    (
        "from",
        "`from anywhere`",
        "`from anywhere`, or the condition on the first space, the unit's own",
    ),
    ("through", "`through anywhere`", "`through anywhere`, or the condition on the spaces between"),
    (
        "into",
        "`into anywhere`",
        "`into anywhere` (the enemy may hold the end of the line), or the condition on the last space",
    ),
    ("within", "`within unlimited`", "`within unlimited`, an amount, or a table of the unit"),
];

/// A trace while its lines are read. A gate may ask another trace that is read first: then this
/// waits.
#[derive(Default)]
pub(super) struct Read {
    /// What the cost of the leg being read is; none if it has no cost so far.
    pub cost_type: Option<Type>,
    /// The lines of `over` of that leg.
    pub over_lines: Vec<super::over::OverLine>,
    /// Whether one of them asks how things stand to the viewer.
    pub over_viewed: bool,
    /// The places of legs that only some may use, and where that is said.
    pub only_for: Vec<(u8, Span)>,
    /// What is asked of the space in which a line ends.
    pub of_sources: super::by_source::OfSources,
    /// In what each leg counts.
    pub leg_dimensions: Vec<Option<DimensionId>>,
}

impl<'a> Checker<'a> {
    pub(super) fn missing_in_leg(
        &mut self,
        leg: &ast::Name,
        span: Span,
        seen: &[(&'static str, Span)],
    ) {
        let missing: Vec<_> = LINES
            .iter()
            .filter(|(word, ..)| !seen.iter().any(|(known, _)| known == word))
            .collect();
        let words: Vec<String> = missing.iter().map(|(word, ..)| format!("`{word}`")).collect();
        let (says, help) = match (words.split_last(), missing.as_slice()) {
            (Some((last, [])), [(.., help)]) => {
                (format!("does not say {last}"), (*help).to_owned())
            }
            (Some((last, others)), several) => {
                let least: Vec<_> = several.iter().map(|(_, least, _)| *least).collect();
                (
                    format!("says neither {} nor {last}", others.join(", ")),
                    format!("where the rules set no condition: {}", least.join(", ")),
                )
            }
            (None, _) => return,
        };
        let title = format!("leg `{}` {says}", leg.text);
        self.fault(Diagnostic::error(code::E0402, span, title).help(help));
    }

    /// A new leg: behind the others in the chain, or in the place of the one it stands instead of.
    pub(super) fn begin_leg(
        &mut self,
        id: TraceId,
        name: &ast::Name,
        optional: bool,
        instead: Option<&ast::Name>,
        line: LineId,
    ) {
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
        if legs.iter().filter(|leg| leg.is_written()).count() >= MOST_LEGS {
            self.fault(Diagnostic::error(
                code::E0215,
                name.span,
                format!("a trace has at most {MOST_LEGS} legs"),
            ));
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
                over: None,
                from: gate.clone(),
                only: None,
                through: gate.clone(),
                stopping: None,
                into: gate,
                within: Budget { amount: None, high: u32::MAX, line },
                by_source: None,
                line,
                over_line: line,
            });
        });
    }

    /// What entering a space costs: a whole amount, 1 at least.
    pub(super) fn cost(
        &mut self,
        id: TraceId,
        cost: &Expr,
        steps: &Scope<'_>,
        name: String,
        cites: &Cites,
    ) {
        let line = self.line(name, cost.span, cites);
        let found = self.amount(cost, steps, None);
        self.of_next(found.id, steps);
        if let Ty::Of(Type::Number { dimension, low, high, fraction }) = found.ty {
            if fraction {
                self.fault(
                    Diagnostic::error(code::E0306, cost.span, "a step costs a whole amount, and this can be a fraction")
                        .help("count in the smallest part, or say how it rounds, as in `rounded up (...)`"),
                );
            }
            if low < 1 || high > MOST_COST {
                self.fault(
                    Diagnostic::error(
                        code::E0413,
                        cost.span,
                        format!("a step would cost from {low} to {high}"),
                    )
                    .help(format!(
                        "a step costs from 1 to {MOST_COST}; what cannot be entered is `barred`"
                    )),
                );
            }
            self.read.cost_type = Some(Type::Number { dimension, low, high, fraction });
            if let Some(last) = self.read.leg_dimensions.last_mut() {
                *last = dimension;
            }
        }
        self.leg(id, |leg| {
            leg.cost = Some(found.id);
            leg.line = line;
        });
    }

    pub(super) fn leg(&mut self, id: TraceId, change: impl FnOnce(&mut Leg)) {
        if let Some(leg) = self.out.traces.get_mut(id.index()).and_then(|t| t.legs.last_mut()) {
            change(leg);
        }
    }

    /// A condition on a space; whether it reads the unit behind it is noted, for then no search can
    /// be shared.
    pub(super) fn gate_condition(&mut self, id: TraceId, when: &Expr, scope: &Scope<'_>) -> ExprId {
        self.reads_subject = false;
        let found = self.truth(when, scope);
        let reads = self.reads_subject;
        self.change(id, |t| t.per_subject |= reads);
        found
    }

    pub(super) fn gate(
        &mut self,
        id: TraceId,
        when: &Expr,
        scope: &Scope<'_>,
        name: String,
        line: &TraceLine,
        set: impl FnOnce(&mut Leg, Gate),
    ) {
        let condition = if is_word(when, "anywhere") {
            None
        } else {
            Some(self.gate_condition(id, when, scope))
        };
        let line = self.line(name, line.span, &line.cites);
        self.leg(id, |leg| set(leg, Gate { when: condition, line }));
    }

    /// `stopping in COND`: a gate that is open where the condition does not hold.
    pub(super) fn stop_gate(
        &mut self,
        id: TraceId,
        when: &Expr,
        scope: &Scope<'_>,
        name: String,
        line: &TraceLine,
    ) {
        let stops = self.gate_condition(id, when, scope);
        let open = self.node(Node::Not(stops), when.span);
        let line = self.line(name, line.span, &line.cites);
        let gate = Gate { when: Some(open), line };
        self.leg(id, |leg| leg.stopping = Some(Stopping { gate, through: None }));
    }

    /// `leg NAME ... when COND`: those alone of whom it holds may use the leg.
    pub(super) fn only_for(&mut self, id: TraceId, when: &Expr, gate: &Scope<'_>, line: LineId) {
        let tracer = Scope { of_tracer: true, ..gate.clone() };
        let found = self.truth(when, &tracer);
        self.change(id, |t| t.per_subject = true);
        let place = self.out.traces.get(id.index()).and_then(|t| t.legs.last()).map(|l| l.place);
        self.read.only_for.extend(place.map(|place| (place, when.span)));
        let gate = Gate { when: Some(found), line };
        self.leg(id, |leg| leg.only = Some(Only { gate, from: None }));
    }

    /// A leg is begun by those who may use it, where `from` lets them: one condition for all searches.
    pub(super) fn join_only(&mut self, id: TraceId) {
        let leg = self.out.traces.get(id.index()).and_then(|t| t.legs.last());
        let Some((from, when)) =
            leg.and_then(|leg| Some((leg.from.when, leg.only.as_ref()?.gate.when?)))
        else {
            return;
        };
        let both = self.both([Some(when), from], when);
        self.leg(id, |leg| {
            leg.from.when = both;
            if let Some(only) = &mut leg.only {
                only.from = from;
            }
        });
    }

    /// What holds where all of these do, with the place of one of them.
    fn both(&mut self, parts: [Option<ExprId>; 2], at: ExprId) -> Option<ExprId> {
        match parts {
            [Some(first), Some(second)] => {
                let span = self.out.node_spans.get(at.index()).copied().unwrap_or_default();
                Some(self.node(Node::And(vec![first, second]), span))
            }
            [first, second] => first.or(second),
        }
    }

    /// What only some may use must be one of several ways, or a way that may be left out: nothing
    /// says how the others go on.
    pub(super) fn others_go_on(&mut self, id: TraceId) {
        for (place, span) in std::mem::take(&mut self.read.only_for) {
            let legs = self.out.traces.get(id.index()).map_or(&[][..], |t| &t.legs);
            let of_place = || legs.iter().filter(|l| l.place == place && l.is_written());
            if of_place().count() > 1 || of_place().any(|leg| leg.optional) {
                continue;
            }
            let fault = Diagnostic::error(
                code::E0420,
                span,
                "only some may use this leg, and nothing says how the others go on",
            );
            self.fault(fault.help(
                "write `optional` before `when` if the others leave it out, a leg `instead of` it if they go another way, or `never not (...)` if they have no line",
            ));
        }
    }

    /// A space between is passed where `through` lets by and nothing stops there: one condition for
    /// all searches.
    pub(super) fn join_stop(&mut self, id: TraceId) {
        let leg = self.out.traces.get(id.index()).and_then(|t| t.legs.last());
        let Some((through, open)) =
            leg.and_then(|leg| Some((leg.through.when, leg.stopping.as_ref()?.gate.when?)))
        else {
            return;
        };
        let both = self.both([through, Some(open)], open);
        self.leg(id, |leg| {
            leg.through.when = both;
            if let Some(stopping) = &mut leg.stopping {
                stopping.through = through;
            }
        });
    }

    pub(super) fn budget(
        &mut self,
        id: TraceId,
        amount: &Expr,
        subject: &Scope<'_>,
        name: String,
        cites: &Cites,
    ) {
        let line = self.line(name, amount.span, cites);
        if is_word(amount, "unlimited") {
            self.leg(id, |leg| leg.within = Budget { amount: None, high: u32::MAX, line });
            return;
        }
        // A leg with a cost is long in the cost's dimension, one without in links.
        let dimension = match self.read.cost_type {
            Some(Type::Number { dimension, .. }) => dimension,
            _ => self.link_dimension(),
        };
        let found = self.budget_amount(amount, subject, dimension);
        let high = match found.ty {
            Ty::Of(Type::Number { low, high, fraction, .. }) => {
                if fraction {
                    self.fault(
                        Diagnostic::error(
                            code::E0306,
                            amount.span,
                            "a line is a whole number of links long, and this can be a fraction",
                        )
                        .help("say how it rounds, as in `rounded down (...)`"),
                    );
                }
                if high < 0 || low < 0 {
                    self.fault(
                        Diagnostic::error(
                            code::E0412,
                            amount.span,
                            "a line cannot be shorter than nothing",
                        )
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
}
