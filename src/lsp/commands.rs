//! Commands: a case run, an answer explained, a position drawn, the lines of a clause.

use crate::arrange::Arrange as _;
use crate::diag::counted;
use serde_json::{Value, json};

use super::place::Lines;
use super::scene::{Scene, Sought, scene};
use super::unit::Asked;
use super::{Answer, Desk, Refusal};
use crate::draw::{self, Wanted};
use crate::facade::Trace;
use crate::ir::{Case, Ruleset, TraceId};
use crate::suite::{Failure, run_case};

/// The commands that an editor may call, as it registers them.
pub(super) const COMMANDS: &[&str] = &[
    "sutler.runCase",
    "sutler.bless",
    "sutler.why",
    "sutler.map",
    "sutler.clause",
    #[cfg(feature = "cli")]
    "sutler.mutants",
];

impl Desk<'_> {
    /// A command with its argument: an object that names a file.
    pub(super) fn command(self, asked: &Asked<'_>, command: &str, argument: &Value) -> Answer {
        match command {
            "sutler.runCase" => self.run(argument),
            "sutler.bless" => self.bless(argument),
            #[cfg(feature = "cli")]
            "sutler.mutants" => self.mutants(asked, argument),
            "sutler.why" => self.why(asked, argument),
            "sutler.map" => self.map(asked, argument),
            "sutler.clause" => self.clause(argument),
            _ => Err(Refusal::params("there is no such command")),
        }
    }

    /// The drawn position of the setup or the case at a place, or of a name.
    pub(super) fn map(&self, asked: &Asked<'_>, params: &Value) -> Answer {
        let Scene { title, position } = self.scene(asked, params)?;
        let trace = position.game().main_trace().ok().map(|Trace(at)| TraceId(at));
        let wanted = Wanted { trace, ..Wanted::default() };
        let picture = position.with(|asked| draw::gather(asked, &wanted));
        let picture = picture.map_err(|faults| Refusal::failed(faults.to_string()))?;
        Ok(json!({ "title": title, "svg": draw::svg(&picture) }))
    }

    fn scene(&self, asked: &Asked<'_>, params: &Value) -> Result<Scene, Refusal> {
        let sought = match params.get("name").and_then(Value::as_str) {
            Some(name) => Sought::Called(name),
            None => {
                let byte = super::find::byte(asked, params)?;
                Sought::At(self.unit.source(&asked.path).unwrap_or_default(), byte)
            }
        };
        scene(self.unit, sought).map_err(Refusal::failed)
    }

    /// Runs a case, each row of it where it has a grid.
    fn run(&self, argument: &Value) -> Answer {
        let title = super::bless::title(argument)?;
        let sources = &self.unit.project.sources;
        let mut rows = Vec::new();
        let mut failed = 0;
        for (rules, case) in self.cases(title)? {
            let outcome = run_case(rules, case, |span| sources.slice(span));
            failed += usize::from(!outcome.failures.is_empty());
            let failures: Vec<Value> = outcome.failures.iter().map(|f| self.failure(f)).collect();
            rows.push(json!({ "title": outcome.title, "failures": failures }));
        }
        let said = match (rows.len(), failed) {
            (1, 0) => "passed".to_owned(),
            (1, _) => "failed".to_owned(),
            (n, 0) => format!("{} passed", counted(n, "row")),
            (n, failed) => format!("{failed} of {} failed", counted(n, "row")),
        };
        let message = format!("case \"{title}\": {said}");
        Ok(json!({ "passed": failed == 0, "message": message, "cases": rows }))
    }

    /// The cases of a title in all rulesets: one, or each row where it has a grid.
    pub(super) fn cases(&self, title: &str) -> Result<Vec<(&Ruleset, &Case)>, Refusal> {
        let sources = &self.unit.project.sources;
        let is_it =
            |whole: crate::source::Span| sources.slice(whole).split('"').nth(1) == Some(title);
        let rules = self.unit.project.rulesets.iter().filter_map(|loaded| loaded.rules.as_ref());
        let found: Vec<(&Ruleset, &Case)> = rules
            .flat_map(|rules| rules.cases.iter().map(move |case| (rules, case)))
            .filter(|(_, case)| case.title == title || is_it(case.whole))
            .collect();
        if found.is_empty() {
            let errors = self.unit.project.rulesets.iter().any(|r| r.rules.is_none());
            let why = if errors { "the rules have errors" } else { "there is no such case" };
            return Err(Refusal::failed(format!("`{title}` was not run: {why}")));
        }
        Ok(found)
    }

    fn failure(&self, failure: &Failure) -> Value {
        json!({
            "location": self.ranges().location(failure.span),
            "message": failure.message,
            "why": failure.why,
        })
    }

    /// Why a unit or a space has its answer: the line, or what would give it one.
    fn why(self, asked: &Asked<'_>, argument: &Value) -> Answer {
        let Scene { title, position } = self.scene(asked, argument)?;
        let byte = super::find::byte(asked, argument)?;
        let thing = match argument.get("thing").and_then(Value::as_str) {
            Some(thing) => thing.to_owned(),
            None => word_at(&asked.text, byte),
        };
        let game = position.game().clone();
        let mut last = format!("`{thing}` is no unit and no space of \"{title}\"");
        for name in game.traces().map(str::to_owned).collect::<Vec<_>>() {
            let Ok(trace) = game.trace(&name) else { continue };
            let Ok(found) = position.thing(trace, &thing) else { continue };
            let text = match position.is_yes(trace, found) {
                Ok(true) => position.explain(trace, found).map(|e| e.to_string()),
                Ok(false) => position.why_not(trace, found).map(|w| w.to_string()),
                Err(faults) => Err(faults),
            };
            match text {
                Ok(text) => return Ok(json!({ "title": title, "trace": name, "message": text })),
                Err(faults) => last = faults.to_string(),
            }
        }
        Err(Refusal::failed(last))
    }

    /// The lines that carry a clause out, and the cases that show it.
    fn clause(&self, argument: &Value) -> Answer {
        let Some(id) = argument.get("clause").and_then(Value::as_str) else {
            return Err(Refusal::params("the command has no `clause`"));
        };
        let (mut lines, mut cases) = (Vec::new(), Vec::new());
        for rules in self.unit.project.rulesets.iter().filter_map(|r| r.rules.as_ref()) {
            let Some(at) = rules.clauses.iter().position(|c| c.id == id) else { continue };
            let cites = |all: &[crate::ir::ClauseId]| all.iter().any(|c| c.index() == at);
            lines.extend(rules.lines.iter().filter(|l| cites(&l.clauses)).map(|l| l.span));
            cases.extend(rules.cases.iter().filter(|c| cites(&c.covers)).map(|c| c.span));
        }
        let ranges = self.ranges();
        let places = |mut spans: Vec<crate::source::Span>| -> Value {
            spans.arrange();
            spans.dedup();
            spans.into_iter().map(|span| ranges.location(span)).collect()
        };
        Ok(json!({ "lines": places(lines), "cases": places(cases) }))
    }

    /// What can be called at the items of a file.
    pub(super) fn lenses(self, asked: &Asked<'_>) -> Answer {
        use crate::syntax::ast::{CaseLine, ExpectKind, ExprKind, ItemKind};
        let lines = asked.lines();
        let (file, _) = crate::syntax::parse(Default::default(), &asked.screened());
        let uri = self.store.uri(&asked.path);
        let mut found = Vec::new();
        let mut add = |span, title: &str, command: &str, argument: Value| {
            found.push(json!({
                "range": lines.span(span),
                "command": { "title": title, "command": command, "arguments": [argument] },
            }));
        };
        for item in &file.items {
            match &item.kind {
                ItemKind::Case(case) => {
                    let title = &case.title.text;
                    let argument = json!({ "uri": uri, "title": title });
                    add(case.title.span, "run this case", "sutler.runCase", argument.clone());
                    add(case.title.span, "bless it", "sutler.bless", argument);
                    let argument = json!({ "uri": uri, "name": title });
                    if !case.lines.iter().any(|l| matches!(l, CaseLine::Grid(_))) {
                        add(case.title.span, "draw its map", "sutler.map", argument);
                    }
                    for line in &case.lines {
                        if let CaseLine::Expect(expect) = line
                            && let ExpectKind::Holds(expr) = &expect.kind
                            && let ExprKind::Is { left, .. } = &expr.kind
                            && let ExprKind::Path(path) = &left.kind
                            && let Some(last) = path.heads.last()
                        {
                            let argument = json!({
                                "uri": uri,
                                "position": lines.position(last.span.start as usize),
                            });
                            add(expect.span, "why", "sutler.why", argument);
                        }
                    }
                }
                ItemKind::Setup(setup) => {
                    let argument = json!({ "uri": uri, "name": setup.name.text });
                    add(setup.name.span, "draw its map", "sutler.map", argument);
                }
                _ => {}
            }
        }
        #[cfg(feature = "cli")]
        let rows = self.row_lenses(asked, &lines, &uri);
        found.extend(self.clause_lenses(asked, &lines, &uri));
        #[cfg(feature = "cli")]
        found.extend(rows);
        Ok(found.into())
    }

    /// At each clause, how much of the rules and the cases is about it.
    fn clause_lenses(self, asked: &Asked<'_>, lines: &Lines<'_>, uri: &str) -> Vec<Value> {
        let Some(source) = self.unit.source(&asked.path) else { return Vec::new() };
        let mut found = Vec::new();
        for loaded in &self.unit.project.rulesets {
            let Some(rules) = &loaded.rules else { continue };
            for (at, clause) in rules.clauses.iter().enumerate() {
                if clause.inherited || clause.span.source != source {
                    continue;
                }
                let cites = |all: &[crate::ir::ClauseId]| all.iter().any(|c| c.index() == at);
                let rows = rules.lines.iter().filter(|l| cites(&l.clauses)).count();
                let cases = super::hover::cases_of(rules, at);
                let title = format!("{}, {}", counted(rows, "line"), counted(cases, "case"));
                let argument = json!({ "uri": uri, "clause": clause.id });
                found.push(json!({
                    "range": lines.span(clause.span),
                    "command": { "title": title, "command": "sutler.clause", "arguments": [argument] },
                }));
            }
        }
        found
    }
}

/// The word at a byte.
fn word_at(text: &str, byte: usize) -> String {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..byte).unwrap_or_default();
    let start = before.trim_end_matches(inside).len();
    let rest = text.get(start..).unwrap_or_default();
    rest.chars().take_while(|c| inside(*c)).collect()
}
