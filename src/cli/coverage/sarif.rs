//! What no case reaches as SARIF.

use super::{ClausePlace, lack};
use crate::cli::sarif::{Found, Log, log};
use crate::suite::{Coverage, PointKind};

/// One result for each clause and each point that no case reaches.
pub(super) fn sarif(found: &Coverage, places: &[ClausePlace]) -> Log {
    let kinds = [PointKind::Clause].into_iter().chain(PointKind::RULES);
    let clauses = found.clauses.iter().filter_map(|clause| {
        let place = places.iter().find(|p| p.id == clause.id)?;
        let text = format!("{}: {}", clause.id, lack(clause)?);
        Some(Found {
            rule: id(PointKind::Clause),
            level: "warning",
            text,
            file: place.file.clone(),
            line: place.line,
            column: place.column,
        })
    });
    let points = found.points.iter().filter(|p| p.hits == 0).map(|p| {
        let text = format!("{}: {}", p.name, p.why.as_deref().unwrap_or_default());
        Found { rule: id(p.kind), level: "warning", text, file: p.file.clone(), line: p.line, column: p.column }
    });
    let rule = |kind: PointKind| (id(kind), format!("A {} that no case of the suite reaches", kind.word()));
    log(kinds.map(rule).collect(), clauses.chain(points).collect())
}

fn id(kind: PointKind) -> String {
    format!("coverage/{}", kind.word())
}
