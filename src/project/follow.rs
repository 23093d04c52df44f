//! Faults that follow from another one, held back: one slip is one message.
//!
//! Takes the faults of one ruleset and its texts; gives those that are left. An unknown name is
//! reported once, with its places; where a declaration is misspelled, there; and not at all where
//! its declaration has a fault of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostic, Severity, Way, code, suggest};
use crate::source::{SourceId, SourceMap, Span};
use crate::syntax::tokens::words;

/// Of how many unknown names a declaration is looked for that may be the slip: each is held against
/// all names.
const MOST_LOOKED_FOR: usize = 20;

/// What an unknown name is reported with.
const UNKNOWN: [Code; 10] = [
    code::E0201,
    code::E0203,
    code::E0205,
    code::E0206,
    code::E0701,
    code::E0211,
    code::E0213,
    code::E0406,
    code::E0703,
    code::E0705,
];
/// So many places beside the first are shown.
const MOST_SHOWN: usize = 3;
/// The label of a declaration that differs from the one use of a name.
pub(super) const UNREAD: &str = "is read nowhere else";
/// The label of a declaration whose name slipped.
const DECLARED: &str = "declared here";

/// The faults that do not follow from another one, in their order.
pub(super) fn hold_back(
    faults: Vec<Diagnostic>,
    sources: &SourceMap,
    texts: &[SourceId],
) -> Vec<Diagnostic> {
    if !faults.iter().any(|f| f.severity == Severity::Error) {
        return faults;
    }
    let held = Held { sources, texts };
    let faults = held.behind_their_declaration(faults);
    held.names_once(faults)
}

struct Held<'a> {
    sources: &'a SourceMap,
    texts: &'a [SourceId],
}

impl Held<'_> {
    /// The name that a fault calls unknown.
    fn unknown(&self, fault: &Diagnostic) -> Option<String> {
        let known = fault.severity == Severity::Error && UNKNOWN.contains(&fault.code);
        let name = self.sources.slice(fault.primary().filter(|_| known)?);
        let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (plain && !name.is_empty()).then(|| name.to_owned())
    }

    /// Without unknown names whose declaration has a fault of its own.
    fn behind_their_declaration(&self, faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut lost: Vec<String> = Vec::new();
        for fault in faults.iter().filter(|f| f.severity == Severity::Error) {
            if self.unknown(fault).is_none_or(|name| self.declares_apart(fault, &name)) {
                lost.extend(fault.primary().into_iter().flat_map(|at| self.declared(at)));
            }
        }
        let follows = |f: &Diagnostic| self.unknown(f).is_some_and(|name| lost.contains(&name));
        faults.into_iter().filter(|f| !follows(f)).collect()
    }

    /// Whether the line of an unknown name declares other names.
    fn declares_apart(&self, fault: &Diagnostic, name: &str) -> bool {
        fault.primary().is_some_and(|at| self.declared(at).iter().any(|n| n != name))
    }

    /// What the line at a place declares; all that its item declares, if the line is its head.
    fn declared(&self, at: Span) -> Vec<String> {
        let text = self.sources.text(at.source);
        let start = text.get(..at.start as usize).map_or(0, |t| t.rfind('\n').map_or(0, |p| p + 1));
        let mut found = Vec::new();
        for (number, line) in text.get(start..).unwrap_or_default().lines().enumerate() {
            if number > 0 && !line.starts_with([' ', '\t']) {
                break;
            }
            let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let mut words = words.by_ref().filter(|w| !w.is_empty());
            let noun = words.next().unwrap_or_default();
            match noun {
                "kind" | "clock" => found.extend(words.take(2).map(str::to_owned)),
                "has" | "define" | "table" | "trace" | "mark" | "given" | "count" | "test"
                | "phase" | "hook" | "choice" | "track" | "called" | "source" => {
                    found.extend(words.take(1).map(str::to_owned));
                }
                _ => {}
            }
            if number == 0 && line.starts_with([' ', '\t']) {
                break;
            }
        }
        found
    }

    /// Each unknown name once: at its misspelled declaration, if there is one, else at its first
    /// place.
    fn names_once(&self, faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut places: BTreeMap<(String, String), Vec<Span>> = BTreeMap::new();
        for fault in &faults {
            if let (Some(name), Some(at)) = (self.unknown(fault), fault.primary()) {
                places.entry(apart(fault, name)).or_default().push(at);
            }
        }
        if places.is_empty() {
            return faults;
        }
        let once = self.words_once();
        let mut kept: Vec<Diagnostic> = Vec::new();
        let mut said: BTreeSet<(String, String)> = BTreeSet::new();
        let mut slipped: Vec<String> = Vec::new();
        for fault in faults {
            let Some(name) = self.unknown(&fault) else {
                kept.push(fault);
                continue;
            };
            let key = apart(&fault, name.clone());
            if said.contains(&key) {
                continue;
            }
            let all = places.get(&key).map_or(&[][..], Vec::as_slice);
            let others = once.keys().copied().filter(|word| *word != name);
            let looks = said.len() < MOST_LOOKED_FOR;
            let near = suggest::closest(&name, others.filter(|_| looks)).map(str::to_owned);
            let declared = near.as_deref().and_then(|near| once.get(near)).copied();
            // `kind leader, leaders`: both names are declared there.
            let declared = declared.filter(|at| !self.line_has(*at, &name) && self.declares(*at));
            said.insert(key.clone());
            kept.push(match (near, declared) {
                (Some(near), Some(at)) if all.len() >= 2 => {
                    slipped.push(near.clone());
                    declared_otherwise(&name, &near, at, all)
                }
                // `here` is a word of the language, and declared nowhere.
                (Some(near), Some(at)) if near != "here" && fault_names(&fault, &near) => {
                    either_name(fault, (&name, &near), at)
                }
                _ => with_places(fault, all),
            });
        }
        // What is said of a thing whose name slipped follows from that.
        let of_it = |f: &Diagnostic| {
            let mut words = f.message.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            words.any(|word| slipped.iter().any(|s| s == word))
        };
        let declares = |f: &Diagnostic| f.labels.first().is_some_and(|l| l.text == DECLARED);
        kept.retain(|f| declares(f) || self.unknown(f).is_none() || !of_it(f));
        kept
    }

    /// Whether the word at a place may be the name that its line declares.
    fn declares(&self, at: Span) -> bool {
        let text = self.sources.text(at.source).get(..at.start as usize).unwrap_or_default();
        let line = text.rsplit('\n').next().unwrap_or_default();
        let before: Vec<&str> = words(line).map(|(_, word)| word).collect();
        let read_by = [
            "case",
            "expect",
            "when",
            "otherwise",
            "do",
            "may",
            "must",
            "judge",
            "roll",
            "run",
            "order",
            "over",
            "from",
            "through",
            "into",
            "within",
            "link",
        ];
        let names_one = [
            "table", "define", "pair", "trace", "mark", "given", "count", "test", "phase", "hook",
            "choice", "track", "row", "leg", "source", "setup", "ruling", "option",
        ];
        match before.as_slice() {
            [] if crate::syntax::is_of_the_language(self.sources.slice(at)) => false,
            [noun, ..] if read_by.contains(noun) => false,
            [noun, _, ..] => !names_one.contains(noun),
            _ => true,
        }
    }

    /// Whether a word stands on the line of a place.
    fn line_has(&self, at: Span, word: &str) -> bool {
        let text = self.sources.text(at.source);
        let start = text.get(..at.start as usize).and_then(|t| t.rfind('\n')).map_or(0, |p| p + 1);
        let line = text.get(start..).and_then(|t| t.lines().next()).unwrap_or_default();
        words(line).any(|(_, w)| w == word)
    }

    /// The words that stand once in all rules, outside texts and comments, each with its place.
    fn words_once(&self) -> BTreeMap<&str, Span> {
        let mut found: BTreeMap<&str, Option<Span>> = BTreeMap::new();
        for &source in self.texts {
            let text = self.sources.text(source);
            for (start, word) in words(text) {
                let span = |p: usize| u32::try_from(p).unwrap_or(u32::MAX);
                let at = Span::new(source, span(start), span(start + word.len()));
                found.entry(word).and_modify(|seen| *seen = None).or_insert(Some(at));
            }
        }
        found.into_iter().filter_map(|(word, at)| Some((word, at?))).collect()
    }
}

/// What a name is known by: a map and a setup that are not there may have one name.
fn apart(fault: &Diagnostic, name: String) -> (String, String) {
    let what = if fault.code == code::E0703 { fault.message.clone() } else { String::new() };
    (name, what)
}

/// Whether a fault offers to write a name.
fn fault_names(fault: &Diagnostic, name: &str) -> bool {
    fault.suggestion.as_ref().is_some_and(|s| s.replacement == name)
}

/// A name and a declaration near it, each read and written once: either may be the slip, so that
/// both are ways to write it.
fn either_name(fault: Diagnostic, (name, near): (&str, &str), at: Span) -> Diagnostic {
    let Some(place) = fault.primary() else { return fault };
    let declared = Way {
        help: format!("call it `{name}` where it is declared"),
        // Another file may be another ruleset's too.
        edit: at.source == place.source,
        ..Way::near(at, name)
    };
    let fault = fault.label(at, format!("`{near}` {UNREAD}"));
    fault.ways(vec![Way::near(place, near), declared])
}

/// A declaration whose name is read nowhere, where another near it is read and not declared.
fn declared_otherwise(name: &str, near: &str, at: Span, all: &[Span]) -> Diagnostic {
    let message = format!("`{near}` is read nowhere, and `{name}` is declared nowhere");
    let fault = Diagnostic::error(code::E0201, at, message).at(DECLARED);
    let fault =
        all.iter().take(MOST_SHOWN).fold(fault, |fault, place| fault.label(*place, "read here"));
    let places = format!("`{name}` stands at {} places", all.len());
    fault.note(places).help(format!("write `{name}`")).suggest(at, name)
}

/// A fault with the other places of the same.
fn with_places(fault: Diagnostic, all: &[Span]) -> Diagnostic {
    let others = all.iter().filter(|at| Some(**at) != fault.primary());
    let shown: Vec<Span> = others.clone().take(MOST_SHOWN).copied().collect();
    let more = others.count().saturating_sub(shown.len());
    let fault = shown.into_iter().fold(fault, |fault, at| fault.label(at, "and here"));
    if more == 0 { fault } else { fault.note(format!("and at {more} more places")) }
}
