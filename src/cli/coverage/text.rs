//! Coverage for reading, one line a finding, and as annotations of GitHub Actions.

use crate::cli::github;
use crate::diag::counted;
use crate::source::SourceMap;
use crate::suite::{Coverage, Point, PointKind};

/// Clause by clause, then what is reached of each kind, and what is not.
pub(super) fn full(found: &Coverage, missing: bool) -> String {
    let mut out = String::new();
    for clause in &found.clauses {
        out.push_str(&format!(
            "{}  {}\n  {}\n",
            clause.id,
            clause.lack().unwrap_or("covered"),
            clause.text
        ));
        for rule in &clause.rules {
            out.push_str(&format!("    rule  {rule}\n"));
        }
        for case in &clause.cases {
            out.push_str(&format!("    case  {case}\n"));
        }
    }
    for hook in found.hooks.iter().filter(|_| !missing) {
        let script = hook.script.as_deref().unwrap_or("otherwise");
        let clauses = if hook.clauses.is_empty() {
            String::new()
        } else {
            format!(" [{}]", hook.clauses.join(", "))
        };
        out.push_str(&format!("hook {} of {}: {script}{clauses}\n", hook.hook, hook.ruleset));
    }
    for kind in PointKind::RULES {
        let lost: Vec<&Point> =
            found.points.iter().filter(|p| p.kind == kind && p.hits == 0).collect();
        if !lost.is_empty() {
            out.push_str(&format!("\nno case reaches {}\n", plural(kind, lost.len())));
        }
        for point in lost {
            let of = point.ruleset.as_deref().map_or_else(String::new, |r| format!("{r}: "));
            let clauses = if point.clauses.is_empty() {
                String::new()
            } else {
                format!(" [{}]", point.clauses.join(", "))
            };
            out.push_str(&format!(
                "  {of}{}{clauses}  {}:{}\n",
                point.name, point.file, point.line
            ));
            out.push_str(&format!("    {}\n", point.why.as_deref().unwrap_or_default()));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out + measures(found).as_str()
}

/// One line a clause, and one for each point that no case reaches.
pub(super) fn concise(found: &Coverage) -> String {
    let mut out = String::new();
    for clause in &found.clauses {
        out.push_str(&format!(
            "{} {}, {}\n",
            clause.id,
            counted(clause.rules.len(), "rule"),
            counted(clause.cases.len(), "case")
        ));
    }
    for point in found.points.iter().filter(|p| p.hits == 0) {
        let why = point.why.as_deref().unwrap_or_default();
        out.push_str(&format!(
            "{}:{}:{}: {}: {why}\n",
            point.file, point.line, point.column, point.name
        ));
    }
    out + measures(found).as_str()
}

/// What is reached of each kind; the clauses stand last.
fn measures(found: &Coverage) -> String {
    let mut out = String::new();
    for m in found.measures.iter().filter(|m| m.kind != PointKind::Clause && m.all > 0) {
        out.push_str(&format!(
            "{:<8} {:>4} of {:>4} reached  {:>3}%\n",
            plural_word(m.kind),
            m.reached,
            m.all,
            m.percent()
        ));
    }
    if let Some(m) = found.measures.iter().find(|m| m.kind == PointKind::Clause) {
        out.push_str(&format!(
            "{} of {} carried out and shown\n",
            m.reached,
            counted(m.all, "clause")
        ));
    }
    out
}

fn plural_word(kind: PointKind) -> String {
    format!("{}s", kind.word())
}

fn plural(kind: PointKind, count: usize) -> String {
    counted(count, kind.word())
}

/// A warning for each thing that is missing.
pub(super) fn github(found: &Coverage, sources: &SourceMap) -> String {
    let mut out = String::new();
    for clause in &found.clauses {
        let Some(lack) = clause.lack() else { continue };
        let (file, at) = (
            sources.name(clause.span.source),
            sources.line_col(clause.span.source, clause.span.start),
        );
        out.push_str(&github::annotation("warning", file, (at.line, at.column), &clause.id, lack));
    }
    for point in found.points.iter().filter(|p| p.hits == 0) {
        let why = point.why.as_deref().unwrap_or_default();
        out.push_str(&github::annotation(
            "warning",
            &point.file,
            (point.line, point.column),
            &point.name,
            why,
        ));
    }
    out
}
