//! Over which links the steps of a leg go: several lines with links that are left out or lead one
//! way, and lines that hold on a condition, become what entering a space costs.

use super::Checker;
use super::scope::Scope;
use super::selection::Chosen;
use crate::diag::{Diagnostic, code};
use crate::ir::*;
use crate::source::Span;
use crate::syntax::ast::{Expr, TraceLine, TraceLineKind, Way};

/// One line of `over`.
pub(super) struct OverLine {
    links: Vec<Links>,
    but_not: Vec<Links>,
    when: Option<ExprId>,
    /// The whole line.
    span: Span,
    line: LineId,
}

/// What stands between two commas of such a line: links of one kind.
struct Links {
    /// The kind that is named.
    kind: KindId,
    span: Span,
    /// All of them, or those for which something holds, with what else is asked of a step along them.
    chosen: Vec<Chosen>,
}

impl Links {
    fn is_whole(&self) -> bool {
        matches!(self.chosen.as_slice(), [(kind, None)] if *kind == self.kind)
    }
}

impl OverLine {
    fn is_plain(&self, rules: &Ruleset) -> bool {
        self.but_not.is_empty() && self.when.is_none() && !self.asks_steps(rules)
    }

    /// Whether some of its links ask more of a step than that they join its ends on the map.
    fn asks_steps(&self, rules: &Ruleset) -> bool {
        let mut chosen = self.links.iter().flat_map(|links| &links.chosen);
        chosen.any(|(kind, when)| {
            when.is_some() || rules.told_by(*kind).is_some() || rules.has_direction(*kind)
        })
    }
}

impl Checker<'_> {
    /// `over LINKS but not LINKS when CONDITION`
    pub(super) fn over(
        &mut self,
        line: &TraceLine,
        subject: &Scope<'_>,
        steps: &Scope<'_>,
        name: &str,
    ) {
        let TraceLineKind::Over { links, but_not, when } = &line.kind else { return };
        let links = self.ways(links, subject);
        let but_not = self.ways(but_not, subject);
        let when = when.as_ref().map(|when| self.step_condition(when, steps));
        for left_out in but_not.iter().filter(|left_out| left_out.is_whole()) {
            let whole = links.iter().find(|l| self.out.is_kind(l.kind, left_out.kind));
            if let (Some(whole), 1) = (whole, links.len()) {
                let message = format!("all {} are left out again", self.kind_name(left_out.kind));
                let fault = Diagnostic::error(code::E0417, left_out.span, message);
                self.fault(
                    fault.label(whole.span, "the line goes over these").help(
                        "write behind `but not` the links along which such a step must not go",
                    ),
                );
            }
        }
        let at = self.line(name, line.span, &line.cites);
        let new = OverLine { links, but_not, when, span: line.span, line: at };
        self.read.over_lines.push(new);
    }

    /// The links that a line names.
    fn ways(&mut self, ways: &[Way], subject: &Scope<'_>) -> Vec<Links> {
        let mut found: Vec<Links> = Vec::new();
        for way in ways {
            let outer = self.viewed.take();
            let chosen = self.way(way, subject);
            self.read.over_viewed |= self.viewed.is_some();
            self.viewed = outer.or(self.viewed.take());
            let (Some(chosen), Some(kind)) =
                (chosen, self.symbols.kinds.get(&way.name.text).copied())
            else {
                continue;
            };
            let new = Links { kind, span: way.span(), chosen };
            let twice =
                |before: &&Links| before.kind == kind && before.is_whole() && new.is_whole();
            if let Some(first) = found.iter().find(twice) {
                let message = format!("`{}` stands twice in the line", way.name.text);
                let fault = Diagnostic::error(code::E0202, way.name.span, message);
                self.fault(fault.label(first.span, "first here").help("take one of the two out"));
            }
            found.push(new);
        }
        found
    }

    /// A condition that is asked of a step as a cost is.
    fn step_condition(&mut self, when: &Expr, steps: &Scope<'_>) -> ExprId {
        let outer = self.viewed.take();
        let when = self.truth(when, steps);
        self.of_next(when, steps);
        self.read.over_viewed |= self.viewed.is_some();
        self.viewed = outer.or(self.viewed.take());
        when
    }

    /// In a trace of spaces, steps are asked in the scope of a gate: the space of level 1 is the
    /// one that the step enters.
    pub(super) fn of_next(&mut self, read: ExprId, steps: &Scope<'_>) {
        if steps.levels.len() < 2 {
            return;
        }
        let mut found = Vec::new();
        self.out.walk([read], |_| false, |_, id| found.push(id));
        for id in found {
            if let Some(node) = self.out.nodes.get_mut(id.index())
                && *node == Node::Subject(1)
            {
                *node = Node::StepEnd(true);
            }
        }
    }

    /// Ends a leg: what its lines of `over` say together.
    pub(super) fn close_leg(&mut self, id: TraceId) {
        self.join_only(id);
        self.join_stop(id);
        self.close_over(id);
        self.split_leg(id);
    }

    fn close_over(&mut self, id: TraceId) {
        let lines = std::mem::take(&mut self.read.over_lines);
        let Some(first) = lines.first() else { return };
        let (line, span) = (first.line, first.span);
        let mut all: Vec<KindId> = Vec::new();
        let chosen = lines.iter().flat_map(|line| &line.links).flat_map(|links| &links.chosen);
        for (link, _) in chosen {
            if !all.contains(link) {
                all.push(*link);
            }
        }
        let plain = lines.iter().all(|line| line.is_plain(&self.out));
        let mut cost = None;
        self.leg(id, |leg| {
            (leg.links, leg.over_line) = (all, line);
            cost = leg.cost;
            if cost.is_none() {
                leg.line = line;
            }
        });
        if plain {
            return;
        }
        let table = self.steps_over(id, &lines, cost);
        let subject = self.node(Node::Subject(0), span);
        let cost = self.node(Node::Table(table, 0, Some(subject)), span);
        self.leg(id, |leg| (leg.cost, leg.over) = (Some(cost), Some(table)));
    }

    /// The table that bars the steps which no line allows.
    fn steps_over(&mut self, id: TraceId, lines: &[OverLine], cost: Option<ExprId>) -> TableId {
        let span = lines.first().map(|l| l.span).unwrap_or_default();
        let line = lines.first().map_or(LineId(0), |l| l.line);
        let price = cost.unwrap_or_else(|| self.one_link(span));
        let rows: Vec<Row> = lines
            .iter()
            .map(|over| Row {
                name: "over".to_owned(),
                when: self.allowed(over, lines.len() > 1),
                per: None,
                values: vec![Some(price)],
                line: over.line,
            })
            .collect();
        let barred =
            Row { name: "otherwise".to_owned(), when: None, per: None, values: vec![None], line };
        let (of, owner) = match self.out.traces.get(id.index()) {
            Some(trace) => (trace.of, trace.name.clone()),
            None => (KindId::UNIT, String::new()),
        };
        let leg = self.out.traces.get(id.index()).and_then(|t| t.legs.last());
        let name = format!("over of {} of {owner}", leg.map_or("", |leg| leg.name.as_str()));
        let ty = self.read.cost_type.unwrap_or(Type::Number {
            dimension: self.link_dimension(),
            low: 1,
            high: 1,
            fraction: false,
        });
        let table = TableId::at(self.out.tables.len());
        self.out.tables.push(Table {
            title: name.clone(),
            name,
            of: Some(of),
            results: vec![("over".to_owned(), ty)],
            policy: Policy::First,
            rows: rows.into_iter().chain([barred]).collect(),
            tests: Vec::new(),
            kept: None,
            viewed: std::mem::take(&mut self.read.over_viewed),
            line,
        });
        table
    }

    fn one_link(&mut self, span: Span) -> ExprId {
        self.node(Node::Number { over: 1, under: 1 }, span)
    }

    /// When a line allows a step; none for always. That one of its links joins the two spaces is known
    /// where there is no other line.
    fn allowed(&mut self, over: &OverLine, among_others: bool) -> Option<ExprId> {
        let mut parts = Vec::new();
        if among_others || over.asks_steps(&self.out) {
            let links: Vec<Chosen> = over.links.iter().flat_map(|l| l.chosen.clone()).collect();
            parts.push(self.over_any(&links, over.span));
        }
        for left_out in &over.but_not {
            let step = self.over_any(&left_out.chosen, left_out.span);
            parts.push(self.node(Node::Not(step), left_out.span));
        }
        parts.extend(over.when);
        match parts.as_slice() {
            [] => None,
            [one] => Some(*one),
            _ => Some(self.node(Node::And(parts), over.span)),
        }
    }

    /// Whether one of some links joins the two spaces of a step, and leads from one to the other.
    pub(super) fn over_any(&mut self, links: &[Chosen], span: Span) -> ExprId {
        let mut any = Vec::new();
        for (kind, when) in links {
            let along = self.directed(*kind);
            let over = self.node(Node::OverStep(along), span);
            any.push(match when {
                Some(when) => self.node(Node::And(vec![over, *when]), span),
                None => over,
            });
        }
        match any.as_slice() {
            [one] => *one,
            _ => self.node(Node::Or(any), span),
        }
    }
}
