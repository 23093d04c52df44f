//! What was found as SARIF 2.1.0 (OASIS, 2020), which code hosts show beside the lines.

use serde::Serialize;

use super::github::from_root;

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
    results: Vec<Written>,
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
struct Written {
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

/// One finding.
pub(super) struct Found {
    /// The rule that it breaks.
    pub rule: String,
    /// `error` or `warning`.
    pub level: &'static str,
    /// What is found.
    pub text: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// A log of findings; the rules by their names, with what each is about.
pub(super) fn log(rules: Vec<(String, String)>, found: Vec<Found>) -> Log {
    let written = |f: Found| Written {
        rule_index: rules.iter().position(|(id, _)| *id == f.rule).unwrap_or_default(),
        rule_id: f.rule,
        level: f.level,
        message: Message { text: f.text },
        locations: [Location {
            physical_location: Physical {
                artifact_location: Artifact { uri: uri(from_root(&f.file)) },
                region: Region { start_line: f.line, start_column: f.column },
            },
        }],
    };
    let results = found.into_iter().map(written).collect();
    let rules = rules
        .into_iter()
        .map(|(id, text)| Rule { id, short_description: Message { text } })
        .collect();
    let driver = Driver { name: "sutler", version: env!("CARGO_PKG_VERSION"), rules };
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        // Columns count characters, not the halves of UTF-16.
        runs: [Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", results }],
    }
}

/// A path as a reference of a URI: letters, digits and a few signs stay, all other bytes become
/// their numbers.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'\\' => out.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte))
            }
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
