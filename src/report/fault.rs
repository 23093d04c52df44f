//! What went wrong in an answer, with its code and its place.

use crate::diag::{Diagnostic, code};
use crate::engine::RunFault;
use crate::ir::{CallFault, ExprId, HookId, Policy, Ruleset, TableId};
use crate::kernel::EvalFault;
use crate::source::Span;

/// The fault of an answer as it is told: E1001 to E1006, at the amount, the table or the hook that
/// raised it.
#[must_use]
pub fn fault_diagnostic(rules: &Ruleset, fault: EvalFault) -> Diagnostic {
    match fault {
        EvalFault::Division(node) => {
            placed(Diagnostic::bare(code::E1001, fault.to_string()), node_span(rules, node), "this is divided by 0")
                .help("say what holds where there is nothing to divide by, such as `greater of (1, ...)`")
        }
        EvalFault::TooLarge(node) => {
            placed(Diagnostic::bare(code::E1002, fault.to_string()), node_span(rules, node), "this amount cannot be kept")
                .help("look for a factor that is multiplied twice")
        }
        EvalFault::NoRow(table) => {
            let (name, span) = table_place(rules, table);
            placed(
                Diagnostic::bare(code::E1003, format!("no row of the table `{name}` holds")),
                span,
                "asked here for a case it has no row for",
            )
            .help("add `otherwise`")
        }
        EvalFault::SeveralRows(table) => {
            let (name, span) = table_place(rules, table);
            let by = match rules.tables.get(table.index()).map(|t| t.policy) {
                Some(Policy::Only) | None => "`by only match` promises that one row holds",
                Some(Policy::First | Policy::Sum | Policy::All) => "one row should hold",
            };
            placed(Diagnostic::bare(code::E1004, format!("several rows of the table `{name}` hold where only one may")), span, by)
                .help("make one of the rows narrower, or say `by first match` if the upper row is meant to win")
        }
        EvalFault::TooLong(node) => placed(Diagnostic::bare(code::E1006, fault.to_string()), node_span(rules, node), "given up here")
            .help("look for noun phrases within noun phrases, each over all things, and name what they share"),
        EvalFault::Script(hook, fault) => script_fault(rules, hook, fault),
    }
}

/// What stopped a run, as it is told: the fault of an answer, or E1023 for dice.
#[must_use]
pub fn run_fault_diagnostic(rules: &Ruleset, fault: RunFault) -> Diagnostic {
    match fault {
        RunFault::Eval(fault) => fault_diagnostic(rules, fault),
        RunFault::Dice(test, fault) => {
            let line = rules.tests.get(test.index()).and_then(|t| rules.lines.get(t.line.index()));
            placed(
                Diagnostic::bare(code::E1023, fault.to_string()),
                line.map(|l| l.span),
                "rolled for this test",
            )
            .help("say what the dice show, one number a die, in the order of the rolls")
        }
        RunFault::GameOver => {
            let turn = rules.clock.as_ref().map_or("turn", |clock| clock.name.as_str());
            let help = format!("begin with an earlier `{turn}`, and without `game_over`");
            Diagnostic::bare(code::E1027, fault.to_string()).help(help)
        }
    }
}

/// A script that failed: at the hook, with its place in the file of the script.
fn script_fault(rules: &Ruleset, id: HookId, fault: CallFault) -> Diagnostic {
    let Some(hook) = rules.hooks.get(id.index()) else {
        return Diagnostic::bare(code::E1005, fault.kind.to_string());
    };
    let file = hook.script.as_ref().map_or("", |s| s.file.as_str());
    let at = if fault.line == 0 { String::new() } else { format!(", line {}", fault.line) };
    let message =
        format!("the script of the hook `{}` {} (hooks/{file}{at})", hook.name, fault.kind);
    let told = placed(
        Diagnostic::bare(code::E1005, message),
        rules.lines.get(hook.line.index()).map(|l| l.span),
        "asked by this hook",
    );
    let told = match hook.script.as_ref().filter(|_| fault.line > 0) {
        Some(script) => told.label(script.place(fault.line, fault.column), "here"),
        None => told,
    };
    told.help("mend the script, so that it gives a whole number whatever it reads")
}

fn placed(fault: Diagnostic, span: Option<Span>, words: &str) -> Diagnostic {
    match span {
        Some(span) => Diagnostic {
            help: fault.help,
            ..Diagnostic::error(fault.code, span, fault.message).at(words)
        },
        None => fault,
    }
}

fn node_span(rules: &Ruleset, node: ExprId) -> Option<Span> {
    rules.node_spans.get(node.index()).copied()
}

fn table_place(rules: &Ruleset, table: TableId) -> (&str, Option<Span>) {
    let Some(table) = rules.tables.get(table.index()) else { return ("", None) };
    (&table.name, rules.lines.get(table.line.index()).map(|l| l.span))
}
