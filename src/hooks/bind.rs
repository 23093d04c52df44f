//! From the text of scripts to the door of a ruleset.

use std::sync::Arc;

use rhai::{AST, Dynamic, Engine, ParseErrorType, Scope};

use super::{engine, fault};
use crate::diag::{Diagnostic, code, has_errors};
use crate::ir::{
    Argument, Call, CallFault, CallFaultKind, Calls, Hook, HookId, Ruleset, Script, Type,
};

/// The scripts of one ruleset, by the number of their hook.
struct Scripts {
    engine: Engine,
    all: Vec<Option<Compiled>>,
}

/// One script and the names that it sees.
struct Compiled {
    names: Vec<String>,
    ast: AST,
}

/// Compiles the scripts of a ruleset, tries each, and binds them; none is bound if there is a fault
/// in one.
pub fn bind(rules: &mut Ruleset) -> Vec<Diagnostic> {
    if rules.hooks.iter().all(|h| h.script.is_none()) {
        return Vec::new();
    }
    let engine = engine::engine(rules.with_scripts);
    let mut faults = Vec::new();
    let all = rules
        .hooks
        .iter()
        .map(|hook| {
            let script = hook.script.as_ref()?;
            match compile(&engine, rules, hook, script) {
                Ok(compiled) => Some(compiled),
                Err(fault) => {
                    faults.push(*fault);
                    None
                }
            }
        })
        .collect();
    if !has_errors(&faults) {
        rules.calls = Calls::new(Arc::new(Scripts { engine, all }));
    }
    faults
}

fn compile(
    engine: &Engine,
    rules: &Ruleset,
    hook: &Hook,
    script: &Script,
) -> Result<Compiled, Box<Diagnostic>> {
    let names: Vec<String> = hook.reads.iter().map(|r| r.name.clone()).collect();
    for name in &names {
        // The word of another language may be a fine name in a rule, and no name in a script.
        if !names_something(engine, name) {
            let message =
                format!("`{name}` is a word of the scripts themselves, so a script cannot read it");
            let fault = Diagnostic::error(code::E1108, script.named, message);
            return Err(Box::new(fault.help(format!(
                "give it another name: `define its_{name} of ... = {name}`, and read that"
            ))));
        }
    }
    let least = arguments(rules, hook, false);
    let scope = scope(&names, &least);
    let ast = if rules.with_scripts {
        engine
            .compile_with_scope(&scope, &script.text)
            .map_err(|e| fault::parsing(hook, script, &e))?
    } else {
        engine
            .compile_expression_with_scope(&scope, &script.text)
            .map_err(|e| expression(hook, script, &scope, &e))?
    };
    let compiled = Compiled { names, ast };
    for most in [false, true] {
        if let Some(fault) = trial(engine, &compiled, script, &arguments(rules, hook, most)) {
            return Err(Box::new(fault));
        }
    }
    Ok(compiled)
}

fn names_something(engine: &Engine, name: &str) -> bool {
    let mut scope = Scope::new();
    scope.push_constant(name, 0_i64);
    engine.compile_expression_with_scope(&scope, name).is_ok()
}

/// What is no expression may be a whole script, which is for the head of the ruleset to allow.
fn expression(
    hook: &Hook,
    script: &Script,
    scope: &Scope<'_>,
    error: &rhai::ParseError,
) -> Box<Diagnostic> {
    let whole = engine::engine(true).compile_with_scope(scope, &script.text);
    let deep = matches!(
        error.err_type(),
        ParseErrorType::ExprTooDeep | ParseErrorType::VariableUndefined(_)
    );
    if whole.is_err() || deep {
        // What is wrong in either case is told of first; a loop with a slip is a slip.
        let looping = whole.as_ref().err().filter(|_| !deep).unwrap_or(error);
        return Box::new(fault::parsing(hook, script, looping));
    }
    let at = fault::line_column(error.position());
    let fault = fault::placed(
        code::E1103,
        script,
        at,
        "this script is more than one expression".to_owned(),
    );
    Box::new(fault.help("say it in one expression with `if ... { } else { }`, or write `with scripts` at the end of the ruleset's head"))
}

/// Runs a script with the ends of what it reads: a fault that no position could avoid is one of the
/// script.
fn trial(
    engine: &Engine,
    compiled: &Compiled,
    script: &Script,
    arguments: &[Argument],
) -> Option<Diagnostic> {
    match run(engine, compiled, arguments) {
        Ok(found) if found.is_int() => None,
        Ok(found) => Some(fault::no_amount(script, found.type_name())),
        Err(error) => fault::trial(script, &error),
    }
}

/// The least, or the most, of all that a hook reads.
fn arguments(rules: &Ruleset, hook: &Hook, most: bool) -> Vec<Argument> {
    let of = |ty: Type| match ty {
        Type::Number { low, high, .. } => Argument::Whole(if most { high } else { low }),
        Type::Word(set) => {
            let words = rules.word_sets.get(set.index()).map_or(0, |s| s.words.len());
            Argument::Whole(if most {
                i64::try_from(words).map_or(0, |w| (w - 1).max(0))
            } else {
                0
            })
        }
        Type::Truth | Type::Thing { .. } => Argument::Truth(most),
    };
    hook.reads.iter().map(|r| of(r.ty)).collect()
}

fn scope(names: &[String], arguments: &[Argument]) -> Scope<'static> {
    let mut scope = Scope::with_capacity(names.len());
    for (name, argument) in names.iter().zip(arguments) {
        match argument {
            Argument::Whole(n) => scope.push_constant(name.as_str(), *n),
            Argument::Truth(t) => scope.push_constant(name.as_str(), *t),
        };
    }
    scope
}

fn run(
    engine: &Engine,
    compiled: &Compiled,
    arguments: &[Argument],
) -> Result<Dynamic, Box<rhai::EvalAltResult>> {
    engine::begin();
    engine.eval_ast_with_scope::<Dynamic>(&mut scope(&compiled.names, arguments), &compiled.ast)
}

impl Call for Scripts {
    fn call(&self, hook: HookId, arguments: &[Argument]) -> Result<Option<i64>, CallFault> {
        let Some(compiled) = self.all.get(hook.index()).and_then(Option::as_ref) else {
            return Ok(None);
        };
        match run(&self.engine, compiled, arguments) {
            Ok(found) => found.as_int().map(Some).map_err(|_| CallFault {
                kind: CallFaultKind::NotWhole,
                line: 0,
                column: 0,
            }),
            Err(error) => Err(fault::running(&error)),
        }
    }
}
