//! What goes wrong in a script, in the words of the language.

use rhai::{EvalAltResult, LexError, ParseError, ParseErrorType, Position};

use crate::diag::{Code, Diagnostic, code, suggest};
use crate::ir::{CallFault, CallFaultKind, Hook, Script};

/// How the engine begins to say that something is divided by 0.
pub(super) const BY_ZERO: &str = "Division by zero";
const REST_BY_ZERO: &str = "Modulo division by zero";

/// The longest message, for a script may hold a name as long as itself.
const MOST_WORDS: usize = 160;

/// A fault in a script, placed in its file and at the line that names it.
pub(super) fn placed(
    code: Code,
    script: &Script,
    at: (u32, u32),
    mut message: String,
) -> Diagnostic {
    if let Some((cut, _)) = message.char_indices().nth(MOST_WORDS) {
        message.truncate(cut);
        message.push_str(" ...");
    }
    Diagnostic::error(code, script.place(at.0, at.1), message).label(script.named, "asked for here")
}

/// Line and column from 1; the beginning of a line if the column is not known, and 0 if nothing is.
pub(super) fn line_column(at: Position) -> (u32, u32) {
    let number = |n: Option<usize>| n.and_then(|n| u32::try_from(n).ok());
    number(at.line()).map_or((0, 0), |line| (line, number(at.position()).unwrap_or(1)))
}

/// A script that cannot be read.
pub(super) fn parsing(hook: &Hook, script: &Script, error: &ParseError) -> Diagnostic {
    let at = line_column(error.position());
    let (kind, words) = (error.err_type(), error.err_type().to_string());
    match kind {
        ParseErrorType::VariableUndefined(name) => unknown(hook, script, at, name),
        ParseErrorType::Reserved(word)
        | ParseErrorType::UnknownOperator(word)
        | ParseErrorType::BadInput(LexError::ImproperSymbol(word, _)) => {
            let fault =
                placed(code::E1102, script, at, format!("`{word}` is no part of these scripts"));
            fault.help(match word.as_str() {
                "/" | "/=" => "say which way it rounds: `div_down(a, b)` or `div_up(a, b)`",
                "<<" | ">>" | "<<=" | ">>=" => "multiply, or say `div_down(a, b)`",
                _ => "a script works out one whole number from what the hook reads",
            })
        }
        ParseErrorType::ExprTooDeep => {
            placed(code::E1102, script, at, "the script is nested too deep".to_owned())
                .help("fewer brackets in brackets, and fewer signs in one row")
        }
        _ => {
            placed(code::E1102, script, at, format!("the script cannot be read: {}", lower(&words)))
                .help("an expression such as `if stage >= 2 { div_down(outside, 3) } else { 0 }`")
        }
    }
}

/// A name that the hook does not read.
fn unknown(hook: &Hook, script: &Script, at: (u32, u32), name: &str) -> Diagnostic {
    let known: Vec<&str> = hook.reads.iter().map(|r| r.name.as_str()).collect();
    let fault =
        placed(code::E1104, script, at, format!("the hook `{}` does not read `{name}`", hook.name));
    match suggest::closest(name, known.iter().copied()) {
        Some(near) => fault.help(format!("write `{near}`")).suggest(script.place(at.0, at.1), near),
        None if name.chars().count() > MOST_WORDS => {
            fault.help("read what the script needs, under a shorter name")
        }
        None => fault.help(format!(
            "add it to the hook, as in `reads {}`",
            known.iter().copied().chain([name]).collect::<Vec<_>>().join(", ")
        )),
    }
}

/// A trial that shows a script to be wrong whatever it reads: nothing for what may never happen in
/// play.
pub(super) fn trial(script: &Script, error: &EvalAltResult) -> Option<Diagnostic> {
    let at = line_column(error.position());
    match error {
        EvalAltResult::ErrorFunctionNotFound(call, _) => {
            Some(placed(code::E1104, script, at, format!("there is no `{}`", call.trim_end_matches(" ()"))).help(
                "scripts have `+ - * %`, comparisons, `min`, `max`, `abs`, `div_down(a, b)` and `div_up(a, b)`, all of whole numbers",
            ))
        }
        EvalAltResult::ErrorMismatchDataType(wanted, found, _) => Some(
            placed(code::E1105, script, at, format!("{} should stand here, and this is {}", sort(wanted), sort(found)))
                .help("compare it, as in `stage >= 2`, or work with numbers"),
        ),
        _ => None,
    }
}

/// A result that is no whole number.
pub(super) fn no_amount(script: &Script, found: &str) -> Diagnostic {
    placed(code::E1105, script, (1, 1), format!("a whole number should come out, and this script gives {}", sort(found)))
        .help("let the last expression be the amount; a condition becomes one by `if ... { 1 } else { 0 }`")
}

/// A value's sort, by the engine's name for it.
fn sort(name: &str) -> &str {
    match name {
        "i64" => "a whole number",
        "bool" => "a truth",
        "string" => "a text",
        "char" => "a letter",
        "array" => "a list",
        "map" => "a map",
        "()" => "nothing",
        other => other,
    }
}

/// What went wrong while a script ran.
pub(super) fn running(error: &EvalAltResult) -> CallFault {
    use CallFaultKind as Kind;
    let kind = match error {
        EvalAltResult::ErrorTerminated(..) | EvalAltResult::ErrorTooManyOperations(_) => {
            Kind::Endless
        }
        EvalAltResult::ErrorArithmetic(words, _)
            if words.starts_with(BY_ZERO) || words.starts_with(REST_BY_ZERO) =>
        {
            Kind::Division
        }
        EvalAltResult::ErrorArithmetic(..) => Kind::TooLarge,
        EvalAltResult::ErrorDataTooLarge(..)
        | EvalAltResult::ErrorTooManyVariables(_)
        | EvalAltResult::ErrorStackOverflow(_) => Kind::TooMuch,
        EvalAltResult::ErrorFunctionNotFound(..) => Kind::NoFunction,
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => return running(inner),
        _ => Kind::Other,
    };
    let (line, column) = line_column(error.position());
    CallFault { kind, line, column }
}

/// Messages begin with a small letter.
fn lower(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
