//! What no case reaches as SARIF 2.1.0 (OASIS, 2020), which code hosts show beside the lines.

use serde::Serialize;

use super::{ClausePlace, lack};
use crate::suite::{Coverage, PointKind};

/// A log: the root of a SARIF file.
#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
struct Run {
    tool: Tool,
    #[serde(rename = "columnKind")]
    column_kind: &'static str,
    results: Vec<Found>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
struct Rule {
    id: String,
    #[serde(rename = "shortDescription")]
    short_description: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
}

/// One result for each clause and each point that no case reaches.
pub(super) fn sarif(found: &Coverage, places: &[ClausePlace]) -> Log {
    let kinds: Vec<PointKind> = [PointKind::Clause].into_iter().chain(PointKind::RULES).collect();
    let result = |kind: PointKind, text: String, file: &str, line: u32, column: u32| Found {
        rule_id: id(kind),
        rule_index: kinds.iter().position(|k| *k == kind).unwrap_or_default(),
        level: "warning",
        message: Message { text },
        locations: [Location {
            physical_location: Physical {
                artifact_location: Artifact { uri: uri(file) },
                region: Region { start_line: line, start_column: column },
            },
        }],
    };
    let clauses = found.clauses.iter().filter_map(|clause| {
        let place = places.iter().find(|p| p.id == clause.id)?;
        Some(result(PointKind::Clause, format!("{}: {}", clause.id, lack(clause)?), &place.file, place.line, place.column))
    });
    let points = found.points.iter().filter(|p| p.hits == 0).map(|p| {
        let text = format!("{}: {}", p.name, p.why.as_deref().unwrap_or_default());
        result(p.kind, text, &p.file, p.line, p.column)
    });
    let results = clauses.chain(points).collect();
    let rule = |kind: &PointKind| Rule {
        id: id(*kind),
        short_description: Message { text: format!("A {} that no case of the suite reaches", kind.word()) },
    };
    let driver = Driver { name: "sutler", version: env!("CARGO_PKG_VERSION"), rules: kinds.iter().map(rule).collect() };
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        // Columns count characters, not the halves of UTF-16.
        runs: [Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", results }],
    }
}

fn id(kind: PointKind) -> String {
    format!("coverage/{}", kind.word())
}

/// A path as a reference of a URI: letters, digits and a few signs stay, all other bytes become their numbers.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'\\' => out.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_is_a_reference() {
        assert_eq!(uri("rules/über uns.sut"), "rules/%C3%BCber%20uns.sut");
        assert_eq!(uri("a\\b:c.sut"), "a/b%3Ac.sut");
    }
}
