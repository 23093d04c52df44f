//! `sutler test`: the cases of one or more rulesets.

use std::path::PathBuf;

use serde::Serialize;

use super::open::{Hashed, hashes, open};
use super::{End, Format, json, print_and, stdout_style};
use crate::diag;
use crate::source::SourceMap;
use crate::suite::{Outcome, run_case};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Ruleset folders, files of a ruleset, or folders of rulesets
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Only cases whose title holds this text
    #[arg(long)]
    only: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The outcomes as JSON.
#[derive(Serialize)]
struct Report<'r> {
    schema: u32,
    passed: usize,
    failed: usize,
    rulesets: Vec<Hashed>,
    cases: Vec<Row<'r>>,
}

#[derive(Serialize)]
struct Row<'r> {
    ruleset: &'r str,
    name: &'r str,
    status: &'static str,
    covers: &'r [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Place<'r>>,
}

#[derive(Serialize)]
struct Place<'r> {
    file: &'r str,
    line: u32,
    message: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

pub(super) fn run(args: &Args) -> End {
    let mut opened = Vec::new();
    for path in &args.paths {
        match open(path) {
            Ok(project) => opened.push(project),
            Err(end) => return end,
        }
    }
    let mut all: Vec<(&str, &SourceMap, Outcome)> = Vec::new();
    for project in &opened {
        for loaded in &project.rulesets {
            let Some(rules) = &loaded.rules else { continue };
            for case in &rules.cases {
                if args.only.as_ref().is_none_or(|only| case.title.contains(only)) {
                    all.push((&loaded.name, &project.sources, run_case(rules, case, |span| project.sources.slice(span))));
                }
            }
        }
    }
    let failed = all.iter().filter(|(_, _, o)| !o.failures.is_empty()).count();
    let end = if failed > 0 { End::Findings } else { End::Clean };
    let text = match args.format {
        Format::Json => as_json(&all, failed, opened.iter().flat_map(hashes).collect()),
        format => as_text(&all, failed, format == Format::Concise),
    };
    print_and(&text, end)
}

fn as_json(all: &[(&str, &SourceMap, Outcome)], failed: usize, rulesets: Vec<Hashed>) -> String {
    let cases = all
        .iter()
        .map(|(ruleset, sources, outcome)| Row {
            ruleset,
            name: &outcome.title,
            status: if outcome.failures.is_empty() { "passed" } else { "failed" },
            covers: &outcome.covers,
            failures: outcome
                .failures
                .iter()
                .map(|f| Place {
                    file: sources.name(f.span.source),
                    line: sources.line_col(f.span.source, f.span.start).line,
                    message: &f.message,
                    code: f.fault.as_ref().map(|d| d.code.as_str()),
                })
                .collect(),
        })
        .collect();
    json(&Report { schema: 1, passed: all.len() - failed, failed, rulesets, cases })
}

fn as_text(all: &[(&str, &SourceMap, Outcome)], failed: usize, concise: bool) -> String {
    let mut out = String::new();
    for (ruleset, sources, outcome) in all {
        for failure in &outcome.failures {
            let at = sources.line_col(failure.span.source, failure.span.start);
            let file = sources.name(failure.span.source);
            if concise {
                out.push_str(&format!("{file}:{}:{}: {}: {}\n", at.line, at.column, outcome.title, failure.message));
                continue;
            }
            out.push_str(&format!("FAILED {ruleset}: {}\n  {file}:{}\n  {}\n", outcome.title, at.line, failure.message));
            let fault = failure.fault.as_ref().map(|f| diag::render(std::slice::from_ref(f), sources, diag::Format::Full, stdout_style()));
            for line in failure.why.iter().chain(&fault).flat_map(|w| w.lines()) {
                out.push_str(&format!("    {line}\n"));
            }
            out.push('\n');
        }
    }
    if !concise {
        let mut names: Vec<&str> = Vec::new();
        for (ruleset, ..) in all {
            if !names.contains(ruleset) {
                names.push(ruleset);
            }
        }
        for name in names {
            let of = all.iter().filter(|(n, ..)| *n == name);
            let (cases, bad) = of.fold((0, 0), |(n, b), (_, _, o)| (n + 1, b + usize::from(!o.failures.is_empty())));
            out.push_str(&format!("{name}: {} passed, {bad} failed\n", cases - bad));
        }
    }
    out.push_str(&format!("{} passed, {failed} failed\n", all.len() - failed));
    out
}
