//! Everything in a ruleset that a case can reach, with how often it was reached.

use serde::Serialize;

use super::reason::{Reason, told};
use crate::check::witnesses;
use crate::ir::*;
use crate::source::{SourceMap, Span};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PointKind {
    /// a clause, carried out by a line and shown by a case
    Clause,
    /// a define, table, trace, test, choice, hook or phase
    Rule,
    /// a row of a list
    Row,
    /// a cell of a grid
    Cell,
    /// what a line of a trace comes to: let by, stopped, ended, settled
    Gate,
    /// a reading of a ruling
    Reading,
    /// an option, on and off
    Option,
    /// a band of a test
    Band,
    /// a step of a phase
    Step,
}

impl PointKind {
    /// All kinds but clauses, in the order in which they are reported.
    pub const RULES: [PointKind; 8] = [
        PointKind::Rule,
        PointKind::Row,
        PointKind::Cell,
        PointKind::Gate,
        PointKind::Reading,
        PointKind::Option,
        PointKind::Band,
        PointKind::Step,
    ];

    /// The word for one of them.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            PointKind::Clause => "clause",
            PointKind::Rule => "rule",
            PointKind::Row => "row",
            PointKind::Cell => "cell",
            PointKind::Gate => "gate",
            PointKind::Reading => "reading",
            PointKind::Option => "option",
            PointKind::Band => "band",
            PointKind::Step => "step",
        }
    }
}

/// Something that a case can reach.
#[derive(Debug, Clone, Serialize)]
pub struct Point {
    /// What it is.
    pub kind: PointKind,
    /// Its name: the line of the rules and what of it.
    pub name: String,
    /// The variant that has it, where it is not the ruleset's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
    /// Its file.
    pub file: String,
    /// Its line in the file.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The clauses that it carries out.
    pub clauses: Vec<String>,
    /// How often cases reached it; the answer of a trace counts once for each position.
    pub hits: u32,
    /// Why no case reaches it, in words; none where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// All points of a ruleset that has counted, each with the place that tells it from others.
pub(super) fn points(rules: &Ruleset, sources: &SourceMap) -> Vec<(Span, Point)> {
    let mut all = Gather { rules, sources, found: Vec::new() };
    // What must never hold is asked by `lint`, and by no case.
    for define in rules.defines.iter().filter(|d| !d.never) {
        all.rule(define.line);
    }
    let of_legs: Vec<TableId> =
        rules.traces.iter().flat_map(|t| &t.legs).filter_map(|leg| leg.over).collect();
    for (at, table) in rules.tables.iter().enumerate() {
        if !of_legs.contains(&TableId::at(at)) {
            all.table(TableId::at(at), table);
        }
    }
    for hook in &rules.hooks {
        all.rule(hook.line);
    }
    for trace in &rules.traces {
        all.trace(trace);
    }
    for test in &rules.tests {
        all.test(test);
    }
    for choice in &rules.choices {
        all.rule(choice.line);
        for prefer in &choice.prefers {
            all.line(PointKind::Rule, prefer.line, Reason::Prefer);
        }
    }
    for phase in &rules.phases {
        all.rule(phase.line);
        let ran = rules.seen.of_line(phase.line) > 0;
        for step in &phase.steps {
            all.line(
                PointKind::Step,
                step.line,
                if ran { Reason::Step } else { Reason::NotRun(&phase.name) },
            );
        }
    }
    for (at, ruling) in rules.rulings.iter().enumerate() {
        all.ruling(RulingId::at(at), ruling);
    }
    all.found
}

struct Gather<'r> {
    rules: &'r Ruleset,
    sources: &'r SourceMap,
    found: Vec<(Span, Point)>,
}

impl Gather<'_> {
    fn push(
        &mut self,
        kind: PointKind,
        name: String,
        line: Option<LineId>,
        span: Span,
        hits: u32,
        reason: &Reason<'_>,
    ) {
        let at = self.sources.line_col(span.source, span.start);
        let cited =
            line.and_then(|l| self.rules.lines.get(l.index())).map_or(&[][..], |l| &l.clauses);
        let point = Point {
            kind,
            name,
            ruleset: None,
            file: self.sources.name(span.source).to_owned(),
            line: at.line,
            column: at.column,
            clauses: cited
                .iter()
                .filter_map(|c| self.rules.clauses.get(c.index()))
                .map(|c| c.id.clone())
                .collect(),
            hits,
            why: (hits == 0).then(|| told(reason, words(self.sources.slice(span)).as_str())),
        };
        self.found.push((span, point));
    }

    fn place(&self, line: LineId) -> (String, Span) {
        self.rules
            .lines
            .get(line.index())
            .map_or_else(Default::default, |l| (l.name.clone(), l.span))
    }

    fn line(&mut self, kind: PointKind, line: LineId, reason: Reason<'_>) {
        let (name, span) = self.place(line);
        self.push(kind, name, Some(line), span, self.rules.seen.of_line(line), &reason);
    }

    fn rule(&mut self, line: LineId) {
        let (name, _) = self.place(line);
        self.line(PointKind::Rule, line, Reason::Rule(&name));
    }

    fn table(&mut self, id: TableId, table: &Table) {
        self.rule(table.line);
        let (rules, sources) = (self.rules, self.sources);
        let asked = rules.seen.of_line(table.line) > 0;
        let missing = asked && (0..table.rows.len()).any(|at| rules.seen.of_row(id, at) == 0);
        let witnesses = if missing { witnesses(rules, sources, table) } else { Vec::new() };
        let of = table.of.and_then(|k| rules.kinds.get(k.index())).map(|k| k.name.as_str());
        // Cells of one line of a chart share that line.
        let is_cell = |row: &Row| table.rows.iter().filter(|r| r.line == row.line).count() > 1;
        for (at, row) in table.rows.iter().enumerate() {
            let (kind, what) =
                if is_cell(row) { (PointKind::Cell, "cell") } else { (PointKind::Row, "row") };
            let name = format!("table {}, {what} {}", table.name, row.name);
            let (_, span) = self.place(row.line);
            let reason = match witnesses.get(at) {
                _ if !asked => Reason::NotAsked(&table.name),
                Some(Some(witness)) => Reason::Row { of, witness },
                _ => Reason::NoWitness,
            };
            self.push(kind, name, Some(row.line), span, rules.seen.of_row(id, at), &reason);
        }
    }

    fn trace(&mut self, trace: &Trace) {
        let rules = self.rules;
        self.rule(trace.line);
        let of = rules.kinds.get(trace.of.index()).map_or("thing", |k| k.name.as_str());
        for verdict in &trace.verdicts {
            self.line(PointKind::Gate, verdict.line, Reason::Settled(of));
        }
        for source in &trace.sources {
            self.line(PointKind::Gate, source.line, Reason::Ends);
        }
        for relay in &trace.relays {
            self.line(PointKind::Gate, relay.line, Reason::Relay);
        }
        for leg in trace.legs.iter().filter(|leg| leg.is_written()) {
            let leg_name = trace.has_several_legs().then_some(leg.name.as_str());
            self.over(leg, leg_name, of);
            // A leg of one link at most has no space between.
            let (from, through, into) = (leg.own_from(), leg.through_alone(), leg.own_into());
            let only = leg.only.as_ref().map(|only| &only.gate);
            let stopping = leg.stopping.as_ref().map(|stopping| &stopping.gate);
            let between =
                [Some(&through), stopping].into_iter().flatten().filter(|_| leg.within.high > 1);
            let first = only.into_iter().chain([&from]);
            for gate in first.chain(between).chain([&into]) {
                if gate.when.is_some() {
                    self.gate(gate.line, leg_name, &Reason::LetsBy(of), &Reason::Bars(of));
                }
            }
            if leg.within.amount.is_some() {
                self.gate(leg.within.line, leg_name, &Reason::Fits(of), &Reason::TooLong(of));
            }
        }
    }

    /// Each line of `over` that leaves steps out, leads one way or has a condition lets by, and all
    /// together bar.
    fn over(&mut self, leg: &Leg, leg_name: Option<&str>, of: &str) {
        let Some(id) = leg.over else { return };
        let Some(table) = self.rules.tables.get(id.index()) else { return };
        for (at, row) in table.rows.iter().enumerate() {
            let (name, span) = self.gate_place(row.line, leg_name);
            let (what, reason) = match row.values.iter().any(Option::is_some) {
                true => ("lets by", Reason::LetsBy(of)),
                false => ("bars", Reason::Bars(of)),
            };
            let hits = self.rules.seen.of_row(id, at);
            self.push(
                PointKind::Gate,
                format!("{name}, {what}"),
                Some(row.line),
                span,
                hits,
                &reason,
            );
        }
    }

    fn gate_place(&self, line: LineId, leg: Option<&str>) -> (String, Span) {
        let (name, span) = self.place(line);
        let name = match (leg, name.rsplit_once(", ")) {
            (Some(leg), Some((trace, gate))) => format!("{trace}, {leg}, {gate}"),
            _ => name,
        };
        (name, span)
    }

    /// A gate that can be shut is two things to reach: a line let by, and a line stopped.
    fn gate(&mut self, line: LineId, leg: Option<&str>, open: &Reason<'_>, shut: &Reason<'_>) {
        let (name, span) = self.gate_place(line, leg);
        let seen = &self.rules.seen;
        let (passed, barred) = (seen.of_line(line), seen.of_barred(line));
        self.push(PointKind::Gate, format!("{name}, lets by"), Some(line), span, passed, open);
        self.push(PointKind::Gate, format!("{name}, bars"), Some(line), span, barred, shut);
    }

    fn test(&mut self, test: &Test) {
        self.rule(test.line);
        let words = self.rules.word_sets.get(test.outcomes.index()).map_or(&[][..], |s| &s.words);
        for (_, outcome, line) in &test.rows {
            let word = words.get(usize::from(*outcome)).map_or("", String::as_str);
            self.line(PointKind::Band, *line, Reason::Band(&test.name, word));
        }
        if let Some(retry) = &test.retry {
            self.line(PointKind::Band, retry.line, Reason::Retry(&test.name));
        }
    }

    fn ruling(&mut self, id: RulingId, ruling: &Ruling) {
        let words = self.rules.word_sets.get(ruling.readings.index()).map_or(&[][..], |s| &s.words);
        let kind = if ruling.option { PointKind::Option } else { PointKind::Reading };
        for (at, word) in words.iter().enumerate() {
            let hits = self.rules.seen.of_reading(id, at);
            let (name, span) = (
                format!(
                    "{} {}: {word}",
                    if ruling.option { "option" } else { "ruling" },
                    ruling.name
                ),
                ruling.span,
            );
            self.push(kind, name, None, span, hits, &Reason::Reading(&ruling.name, word));
        }
    }
}

/// The text of a line with its blanks folded and without a comment or brackets at its end.
fn words(text: &str) -> String {
    let plain: Vec<&str> = text
        .lines()
        .flat_map(|l| l.split('#').next().unwrap_or_default().split_whitespace())
        .collect();
    let joined = plain.join(" ");
    match joined.split_once(" [") {
        Some((before, _)) => before.to_owned(),
        None => joined,
    }
}
