//! What all parts of the reader share: where faults go, and one wording for each sort of them.

use std::collections::HashSet;

use super::known::Known;
use super::tree::{Digits, Range, Text, Value};

use crate::diag::{Code, Diagnostic, code, sort, suggest};
use crate::ir::Ruleset;
use crate::source::chars::{self, Hazard};
use crate::source::{SourceId, Span};
use crate::world::ThingRef;

/// How many faults of one position are told in full; the rest are counted.
const MOST_FAULTS: usize = 100;
/// How many names are compared for a did-you-mean: a map can have a million.
const MOST_COMPARED: usize = 100_000;
/// How many faults get a did-you-mean.
const MOST_HINTS: usize = 20;

/// The faults found so far.
pub(super) struct Reader<'k, 'r> {
    /// The rules that the names belong to.
    pub rules: &'r Ruleset,
    /// What is kept of them from one position to the next.
    pub known: &'k Known,
    /// Facts that each of their kind must have, of what the text says them, if only `null`.
    pub said: HashSet<(ThingRef, &'r str)>,
    source: SourceId,
    faults: Vec<Diagnostic>,
    untold: usize,
    hints: usize,
}

impl<'k, 'r> Reader<'k, 'r> {
    pub fn new((rules, known): (&'r Ruleset, &'k Known), source: SourceId) -> Reader<'k, 'r> {
        let said = HashSet::new();
        Reader { rules, known, said, source, faults: Vec::new(), untold: 0, hints: 0 }
    }

    /// Whether nothing was wrong so far.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// All faults in the order of the text.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        sort(&mut self.faults);
        if self.untold > 0
            && let Some(last) = self.faults.pop()
        {
            self.faults.push(
                last.note(format!("{} more faults of this position are not shown", self.untold)),
            );
        }
        self.faults
    }

    pub fn span(&self, range: Range) -> Span {
        Span::of(self.source, range.start..range.end)
    }

    pub fn fault(&mut self, fault: Diagnostic) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        } else {
            self.untold += 1;
        }
    }

    /// A fault at a part of the text.
    pub fn error(
        &mut self,
        code: Code,
        range: Range,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let fault = Diagnostic::error(code, self.span(range), message);
        let help = help.into();
        self.fault(if help.is_empty() { fault } else { fault.help(help) });
    }

    /// A value of another sort than the one wanted.
    pub fn sort(&mut self, value: &Value<'_>, wanted: &str) {
        self.error(
            code::E0804,
            value.range(),
            format!("{wanted} should stand here, and this is {}", sort_name(value)),
            "",
        );
    }

    /// A name that nobody knows, with the nearest of the names that could stand there.
    pub fn unknown<'n>(
        &mut self,
        code: Code,
        name: &str,
        range: Range,
        what: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        let near = self.near(name, known);
        self.unlike(code, range, format!("no {what} is called `{name}`"), near);
    }

    /// The nearest of the names that could stand there.
    pub fn near<'n>(
        &mut self,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        if self.hints == MOST_HINTS || self.faults.len() == MOST_FAULTS {
            return None;
        }
        self.hints += 1;
        suggest::closest(name, known.into_iter().take(MOST_COMPARED))
    }

    /// A fault of a name, with what was probably meant.
    pub fn unlike(&mut self, code: Code, range: Range, message: String, near: Option<&str>) {
        let span = self.span(range);
        let fault = Diagnostic::error(code, span, message);
        self.fault(match near {
            // The quotes belong to the place, so that they belong to the text that replaces it.
            Some(near) => fault.help(format!("write `{near}`")).suggest(span, quoted(near)),
            None => fault,
        });
    }

    /// A string; anything else is a fault.
    pub fn text<'v, 'a>(&mut self, value: &'v Value<'a>, wanted: &str) -> Option<&'v Text<'a>> {
        match value {
            Value::Text(text) => Some(text),
            _ => {
                self.sort(value, wanted);
                None
            }
        }
    }

    /// A text that others will print: an escape can hold what no file may hold.
    pub fn clean(&mut self, text: &Text<'_>) -> bool {
        let Some((c, why)) = text.value.chars().find_map(|c| Some((c, chars::hazard(c)?))) else {
            return true;
        };
        let name = chars::name(c).map_or_else(|| format!("U+{:04X}", u32::from(c)), str::to_owned);
        let (code, what) = match why {
            Hazard::Control => (code::E0002, "control character"),
            Hazard::Hidden => (code::E0003, "invisible or direction-changing character"),
        };
        self.error(code, text.range, format!("this text holds a {what}: {name}"), "remove it");
        false
    }

    /// Yes or no; anything else is a fault.
    pub fn truth(&mut self, value: &Value<'_>) -> Option<bool> {
        match value {
            Value::Truth(truth, _) => Some(*truth),
            _ => {
                self.sort(value, "`true` or `false`");
                None
            }
        }
    }

    /// A whole number; anything else is a fault.
    pub fn whole(&mut self, value: &Value<'_>) -> Option<i64> {
        let Value::Number(number) = value else {
            self.sort(value, "a whole number");
            return None;
        };
        let text = match number.value {
            Digits::Whole(whole) => return Some(whole),
            Digits::Written(text) => text,
        };
        if text.contains(['.', 'e', 'E']) {
            self.error(
                code::E0804,
                number.range,
                "a whole number should stand here, and this has a fraction or an exponent",
                "write its digits alone; a position keeps whole numbers only",
            );
            return None;
        }
        if text == "-0" {
            self.error(code::E0809, number.range, "there is no nought below nought", "write `0`");
            return None;
        }
        let found = text.parse().ok();
        if found.is_none() {
            self.error(code::E0809, number.range, "this number is too large to keep", "");
        }
        found
    }
}

/// What a value is, for messages.
fn sort_name(value: &Value<'_>) -> &'static str {
    match value {
        Value::Text(_) => "a text",
        Value::Number(_) => "a number",
        Value::Truth(..) => "a truth",
        Value::Object(_) => "an object",
        Value::List(_) => "a list",
        Value::Null(_) => "`null`",
    }
}

/// A text as JSON writes it.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A noun with its article.
pub(super) fn a(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// Names in a row: `a`, `b`, `c`.
pub(super) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const MOST: usize = 20;
    let mut names = names.into_iter();
    let mut shown: Vec<String> = names.by_ref().take(MOST).map(|n| format!("`{n}`")).collect();
    let rest = names.count();
    if rest > 0 {
        shown.push(format!("and {rest} more"));
    }
    shown.join(", ")
}
