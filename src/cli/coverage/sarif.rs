//! What no case reaches as SARIF.

use crate::cli::sarif::{Found, Log, log};
use crate::source::SourceMap;
use crate::suite::{Coverage, PointKind};

/// One result for each clause and each point that no case reaches.
pub(super) fn sarif(found: &Coverage, sources: &SourceMap) -> Log {
    let kinds = [PointKind::Clause].into_iter().chain(PointKind::RULES);
    let clauses = found.clauses.iter().filter_map(|clause| {
        let text = format!("{}: {}", clause.id, clause.lack()?);
        let at = sources.line_col(clause.span.source, clause.span.start);
        let file = sources.name(clause.span.source).to_owned();
        Some(Found {
            rule: id(PointKind::Clause),
            level: "warning",
            text,
            file,
            line: at.line,
            column: at.column,
        })
    });
    let points = found.points.iter().filter(|p| p.hits == 0).map(|p| {
        let text = format!("{}: {}", p.name, p.why.as_deref().unwrap_or_default());
        Found {
            rule: id(p.kind),
            level: "warning",
            text,
            file: p.file.clone(),
            line: p.line,
            column: p.column,
        }
    });
    let rule = |kind: PointKind| {
        (id(kind), format!("A {} that no case of the suite reaches", kind.word()))
    };
    log(kinds.map(rule).collect(), clauses.chain(points).collect())
}

fn id(kind: PointKind) -> String {
    format!("coverage/{}", kind.word())
}
