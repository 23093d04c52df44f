//! `sutler coverage`: clause by clause, the rules that carry it out and the cases that show it.

use std::path::PathBuf;

use super::open::open;
use super::{End, Format, json, print_and};
use crate::ir::Ruleset;
use crate::suite::{Coverage, coverage};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The ruleset: its folder, variants included, or the file of a variant
    ruleset: PathBuf,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> End {
    let project = match open(&args.ruleset) {
        Ok(project) => project,
        Err(end) => return end,
    };
    let all: Vec<&Ruleset> = project.rulesets.iter().filter_map(|r| r.rules.as_ref()).collect();
    let found = coverage(&all);
    let bare = found.clauses.iter().any(|c| c.cases.is_empty() || c.rules.is_empty());
    let text = if args.format == Format::Json { json(&found) } else { as_text(&found, args.format == Format::Concise) };
    print_and(&text, if bare { End::Findings } else { End::Clean })
}

fn as_text(found: &Coverage, concise: bool) -> String {
    let mut out = String::new();
    for clause in &found.clauses {
        let lack = match (clause.rules.is_empty(), clause.cases.is_empty()) {
            (false, false) => "covered",
            (true, false) => "no rule cites it",
            (false, true) => "no case shows it",
            (true, true) => "no rule cites it, no case shows it",
        };
        if concise {
            out.push_str(&format!("{} {} rules, {} cases\n", clause.id, clause.rules.len(), clause.cases.len()));
            continue;
        }
        out.push_str(&format!("{}  {lack}\n  {}\n", clause.id, clause.text));
        for rule in &clause.rules {
            out.push_str(&format!("    rule  {rule}\n"));
        }
        for case in &clause.cases {
            out.push_str(&format!("    case  {case}\n"));
        }
    }
    for hook in &found.hooks {
        let script = hook.script.as_deref().unwrap_or("otherwise");
        let clauses = if hook.clauses.is_empty() { String::new() } else { format!(" [{}]", hook.clauses.join(", ")) };
        out.push_str(&format!("hook {} of {}: {script}{clauses}\n", hook.hook, hook.ruleset));
    }
    let covered = found.clauses.iter().filter(|c| !c.rules.is_empty() && !c.cases.is_empty()).count();
    out.push_str(&format!("{covered} of {} clauses carried out and shown\n", found.clauses.len()));
    out
}
