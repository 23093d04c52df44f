//! Hints between the words: the text of a clause, what a define comes to, how far a line reaches;
//! and the columns of the row that is being typed.

use serde_json::{Value, json};

use super::place::Lines;
use super::unit::Asked;
use super::{Answer, Desk, Refusal};
use crate::arrange::Arrange as _;
use crate::check::names::Space;
use crate::ir::{DimensionId, Ruleset, Type};
use crate::source::{SourceId, Span};
use crate::syntax::words::Role;

/// More letters of a clause than this are not shown at the end of a line.
const MOST_LETTERS: usize = 60;

impl Desk<'_> {
    pub(super) fn hints(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let lines = asked.lines();
        let place =
            |name: &str| params.pointer(&format!("/range/{name}")).and_then(|p| lines.at(p));
        let (Some(from), Some(to)) = (place("start"), place("end")) else {
            return Err(Refusal::params("the request has no `range`"));
        };
        let Some(source) = self.unit.source(&asked.path) else { return Ok(json!([])) };
        let within = |at: usize| from <= at && at <= to;
        let mut found: Vec<(usize, Value)> = Vec::new();
        for loaded in &self.unit.project.rulesets {
            let Some(rules) = &loaded.rules else { continue };
            let mut add = |span: Span, text: String| {
                let at = span.end as usize;
                let hint =
                    json!({ "position": lines.position(at), "label": text, "paddingLeft": true });
                if span.source == source && within(at) && !found.iter().any(|(_, h)| *h == hint) {
                    found.push((at, hint));
                }
            };
            values(rules, &mut add);
            reaches(rules, &mut add);
        }
        found.extend(self.clause_hints(asked, source, &lines).filter(|(at, _)| within(*at)));
        found.arrange_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, hint)| hint).collect())
    }

    /// The words of the first clause at the end of each line that cites one.
    fn clause_hints(
        self,
        asked: &Asked<'_>,
        source: SourceId,
        lines: &Lines<'_>,
    ) -> std::vec::IntoIter<(usize, Value)> {
        let words = self.words.words(&asked.path, &asked.screened());
        let index = self.unit.index(self.words);
        let mut found: Vec<(usize, Value)> = Vec::new();
        let mut open: Option<&str> = None;
        for word in words.iter() {
            let said = asked.text.get(word.range.clone()).unwrap_or_default();
            if word.role == Role::Clause && open.is_none() {
                let mention = index.at(source, word.range.start);
                let entity = mention.filter(|m| !m.declares).and_then(|m| index.entity(m.entity));
                let entity = entity.filter(|e| e.what.space == Space::Clause);
                open = entity.map(|e| e.what.about.as_str());
            } else if said == "]"
                && let Some(text) = open.take()
            {
                let end = word.range.end;
                found.push((
                    end,
                    json!({
                        "position": lines.position(end),
                        "label": shortened(text),
                        "tooltip": text,
                        "paddingLeft": true,
                    }),
                ));
            }
        }
        found.into_iter()
    }

    /// The columns of the row of a table that is being typed.
    pub(super) fn signature(self, asked: &Asked<'_>, params: &Value) -> Answer {
        let byte = super::find::byte(asked, params)?;
        let text = asked.screened();
        let before = text.get(..byte).unwrap_or_default();
        let item =
            before.rfind("\ntable ").map(|at| at + 1).or(before.starts_with("table ").then_some(0));
        let Some(item) = item.and_then(|at| before.get(at..)).filter(|i| !i.contains("\n}")) else {
            return Ok(Value::Null);
        };
        let line = item.rsplit('\n').next().unwrap_or_default().trim_start();
        let found = if item.contains("\n  down") { grid(item, line) } else { list(item, line) };
        let Some((parts, active)) = found else { return Ok(Value::Null) };
        let label = format!("row {}", parts.join(" | "));
        let parameters: Vec<Value> = parts.iter().map(|p| json!({ "label": p })).collect();
        Ok(json!({
            "signatures": [{ "label": label, "parameters": parameters }],
            "activeSignature": 0,
            "activeParameter": active.min(parts.len().saturating_sub(1)),
        }))
    }
}

/// The cells of a row of a grid, and which one the line has come to.
fn grid(item: &str, line: &str) -> Option<(Vec<String>, usize)> {
    let rest = |word: &str| {
        let line =
            item.lines().map(str::trim_start).find(|l| l.starts_with(&format!("{word} ")))?;
        Some(line.get(word.len()..)?.split(['[', '#']).next().unwrap_or_default().trim().to_owned())
    };
    let row = line.strip_prefix("row")?;
    let mut parts: Vec<String> = rest("down")?.split(',').map(|p| p.trim().to_owned()).collect();
    let keys = parts.len();
    let across = rest("across")?;
    parts.extend(across.split('|').skip(1).map(|c| c.trim().to_owned()));
    let bars = row.matches('|').count();
    let active = if bars == 0 { row.matches(',').count().min(keys - 1) } else { keys + bars - 1 };
    Some((parts, active))
}

/// The condition and the results of a row of a list.
fn list(item: &str, line: &str) -> Option<(Vec<String>, usize)> {
    if !line.starts_with("row") && !line.starts_with("when") && !line.starts_with("otherwise") {
        return None;
    }
    let head = item.lines().next()?;
    let gives = head.split(" gives ").nth(1)?.split(" by ").next()?;
    let mut parts = vec!["when CONDITION".to_owned()];
    parts.extend(gives.split(',').map(|r| r.trim().to_owned()));
    let then = line.split(" then").nth(1).or_else(|| line.strip_prefix("otherwise"));
    let active = then.map_or(0, |values| 1 + values.matches(',').count());
    Some((parts, active))
}

/// What each define comes to.
fn values(rules: &Ruleset, add: &mut impl FnMut(Span, String)) {
    for define in &rules.defines {
        if let Some(line) = rules.lines.get(define.line.index()) {
            add(line.span, format!("({})", type_name(rules, define.ty)));
        }
    }
}

/// How far each leg reaches at most, at its `within`.
fn reaches(rules: &Ruleset, add: &mut impl FnMut(Span, String)) {
    for trace in &rules.traces {
        for leg in trace.legs.iter().filter(|leg| leg.is_written()) {
            let Some(amount) = leg.within.amount else { continue };
            let Some(span) = rules.node_spans.get(amount.index()) else { continue };
            if leg.within.high != u32::MAX {
                let unit = trace.length.map_or("", |d| dimension(rules, d));
                add(*span, format!("at most {} {unit}", leg.within.high).trim_end().to_owned());
            }
        }
    }
}

fn dimension(rules: &Ruleset, id: DimensionId) -> &str {
    rules.dimensions.get(id.index()).map_or("", |d| d.name.as_str())
}

fn type_name(rules: &Ruleset, ty: Type) -> String {
    match ty {
        Type::Truth => "yes or no".to_owned(),
        Type::Number { dimension: Some(d), .. } => dimension(rules, d).to_owned(),
        Type::Number { .. } => "a number".to_owned(),
        Type::Word(set) => {
            let name = rules.word_sets.get(set.index()).map_or("", |s| s.name.as_str());
            format!("a word of {name}")
        }
        Type::Thing { kind, .. } => {
            let name = rules.kinds.get(kind.index()).map_or("", |k| k.name.as_str());
            crate::check::with_article(name)
        }
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MOST_LETTERS {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MOST_LETTERS).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words))
}
