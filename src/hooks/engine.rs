//! The engine with every limit set: what a script may use, how much, and for how long.
//!
//! Nothing is left to a default, for the defaults of a debug build are not those of a release.

use std::cell::Cell;
use std::ops::{Range, RangeInclusive};

use rhai::packages::{ArithmeticPackage, BasicMathPackage, LogicPackage, Package};
use rhai::{Array, Dynamic, Engine, EvalAltResult, Position};

use crate::ir::MOST_SCRIPT_STEPS;

/// The longest text a script may hold, in bytes.
const MOST_TEXT: usize = 1_024;
/// The longest list and the largest map, with all that they hold.
const MOST_ITEMS: usize = 64;
/// How deep expressions may lie in each other; a chain of signs counts each sign.
const MOST_DEPTH: usize = 48;
/// Names that a script may hold at a time, those that it reads included.
const MOST_NAMES: usize = 64;
/// Texts that the engine keeps to share.
const MOST_SHARED_TEXTS: usize = 64;

/// What is not part of scripts: calls by name, what leaves the script, and signs that round or cut
/// without a word.
const OFF: [&str; 24] = [
    "<<",
    ">>",
    "<<=",
    ">>=",
    "/",
    "/=",
    "Fn",
    "call",
    "curry",
    "eval",
    "print",
    "debug",
    "type_of",
    "is_shared",
    "is_def_var",
    "is_def_fn",
    "import",
    "export",
    "fn",
    "private",
    "this",
    "throw",
    "try",
    "sleep",
];

thread_local! {
    /// The steps of the script that this thread runs. The engine's own counter begins anew in
    /// nested calls.
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Begins to count the steps of another script.
pub(super) fn begin() {
    STEPS.with(|s| s.set(0));
}

fn step() -> Option<Dynamic> {
    STEPS.with(|s| {
        let steps = s.get().saturating_add(1);
        s.set(steps);
        (steps > MOST_SCRIPT_STEPS).then_some(Dynamic::UNIT)
    })
}

/// An engine for expressions, or for whole scripts.
pub(super) fn engine(scripts: bool) -> Engine {
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    engine.set_strict_variables(true);
    engine.set_fail_on_invalid_map_property(true);
    engine.set_allow_looping(scripts);
    engine.set_max_operations(MOST_SCRIPT_STEPS);
    engine.set_max_expr_depths(MOST_DEPTH);
    engine.set_max_string_size(MOST_TEXT);
    engine.set_max_array_size(MOST_ITEMS);
    engine.set_max_map_size(MOST_ITEMS);
    engine.set_max_variables(MOST_NAMES);
    engine.set_max_strings_interned(MOST_SHARED_TEXTS);
    engine.on_progress(|_| step());
    engine.on_print(|_| {});
    engine.on_debug(|_, _, _| {});
    for symbol in OFF {
        engine.disable_symbol(symbol);
    }
    engine.register_fn("div_down", div_down);
    engine.register_fn("div_up", div_up);
    if scripts {
        engine.register_iterator::<Range<i64>>();
        engine.register_iterator::<RangeInclusive<i64>>();
        engine.register_iterator::<Array>();
        engine.register_fn("len", |list: &mut Array| i64::try_from(list.len()).unwrap_or(i64::MAX));
    }
    engine
}

type Whole = Result<i64, Box<EvalAltResult>>;

/// The quotient, rounded toward less.
fn div_down(a: i64, b: i64) -> Whole {
    divided(a, b, |quotient, rest| {
        if rest != 0 && (rest < 0) != (b < 0) { quotient.checked_sub(1) } else { Some(quotient) }
    })
}

/// The quotient, rounded toward more.
fn div_up(a: i64, b: i64) -> Whole {
    divided(a, b, |quotient, rest| {
        if rest != 0 && (rest < 0) == (b < 0) { quotient.checked_add(1) } else { Some(quotient) }
    })
}

fn divided(a: i64, b: i64, round: impl Fn(i64, i64) -> Option<i64>) -> Whole {
    let fault =
        |words: &str| Box::new(EvalAltResult::ErrorArithmetic(words.to_owned(), Position::NONE));
    if b == 0 {
        return Err(fault(super::fault::BY_ZERO));
    }
    let parts = a.checked_div(b).zip(a.checked_rem(b));
    parts
        .and_then(|(quotient, rest)| round(quotient, rest))
        .ok_or_else(|| fault("Division overflow"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(scripts: bool, text: &str) -> Result<i64, String> {
        begin();
        engine(scripts).eval::<i64>(text).map_err(|e| e.to_string())
    }

    #[test]
    fn division_says_which_way_it_rounds() {
        for (a, b, down, up) in [
            (7, 2, 3, 4),
            (-7, 2, -4, -3),
            (7, -2, -4, -3),
            (-7, -2, 3, 4),
            (6, 3, 2, 2),
            (-6, 3, -2, -2),
            (0, 5, 0, 0),
        ] {
            assert_eq!(
                (div_down(a, b).ok(), div_up(a, b).ok()),
                (Some(down), Some(up)),
                "{a} by {b}"
            );
        }
        for (a, b) in [(1, 0), (0, 0), (i64::MIN, -1)] {
            assert!(div_down(a, b).is_err() && div_up(a, b).is_err(), "{a} by {b}");
        }
    }

    #[test]
    fn no_limit_is_left_to_a_default() {
        for scripts in [false, true] {
            let engine = engine(scripts);
            assert_eq!(engine.max_operations(), MOST_SCRIPT_STEPS);
            assert_eq!(engine.max_expr_depth(), MOST_DEPTH);
            assert_eq!(engine.max_string_size(), MOST_TEXT);
            assert_eq!(engine.max_array_size(), MOST_ITEMS);
            assert_eq!(engine.max_map_size(), MOST_ITEMS);
            assert_eq!(engine.max_variables(), MOST_NAMES);
            assert_eq!(engine.allow_looping(), scripts);
            for symbol in OFF {
                assert!(engine.is_symbol_disabled(symbol), "{symbol}");
            }
        }
    }

    #[test]
    fn what_grows_is_stopped() {
        let long = format!("let s = \"{}\"; 1", "a".repeat(2_000));
        for text in [
            long.as_str(),
            "let s = \"a\"; loop { s += s; }",
            "let a = [1]; loop { a = [a, a]; }",
            "let m = #{}; loop { m = #{a: m, b: m}; }",
            "loop {}",
            "let n = 0; while true { n += 1; } n",
            "for i in 0..9223372036854775807 {} 1",
        ] {
            assert!(eval(true, text).is_err(), "{text}");
        }
        assert_eq!(eval(true, "let n = 0; for i in 0..10 { n += i; } n"), Ok(45));
        assert_eq!(
            eval(true, "let best = 0; for x in [3, 9, 4] { if x > best { best = x; } } best"),
            Ok(9)
        );
    }

    #[test]
    fn what_is_off_is_off() {
        for text in [
            "1 << 2",
            "8 >> 1",
            "7 / 2",
            "print(1)",
            "debug(1)",
            "eval(\"1\")",
            "Fn(\"abs\")",
            "sleep(1)",
            "exit(1)",
            "1.5",
            "type_of(1)",
        ] {
            assert!(eval(true, text).is_err(), "{text}");
        }
    }
}
