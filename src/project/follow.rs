//! Faults that follow from another one, held back: one slip is one message.
//!
//! Takes the faults of one ruleset and its texts; gives those that are left. An unknown name is
//! reported once, with its places; where a declaration is misspelled, there; and not at all where
//! its declaration has a fault of its own, or the item in which it stands.

use crate::arrange::gathered;
use std::collections::{BTreeMap, BTreeSet};

use super::edit::item_starts;
use crate::diag::{Code, Diagnostic, Severity, Way, code, suggest};
use crate::source::{SourceId, SourceMap, Span};
use crate::syntax::tokens::words;

/// Of how many unknown names a declaration is looked for that may be the slip: each is held against
/// all names.
const MOST_LOOKED_FOR: usize = 20;

/// What an unknown name is reported with.
pub(super) const UNKNOWN: [Code; 12] = [
    code::E0201,
    code::E0203,
    code::E0204,
    code::E0207,
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
/// The end of what is said of a word for a gate.
const GATE: &str = "names a gate, and none is asked for here";
/// What is reported of a map that lacks what could not be read, and of what stands on it.
pub(super) const OF_MAPS: [Code; 4] = [code::E0701, code::E0704, code::E0711, code::E0724];
/// What is warned of where rules seem to do nothing, and what is said of lengths: whether it holds is
/// known once all of the rules can be read.
const OF_THE_WHOLE: [Code; 4] = [code::W0212, code::W0216, code::W0720, code::W0721];
/// The end of what is said of lengths where the table has no dimension.
const NO_TABLE: &str = "is measured on a table, and this game has none";
/// What is said of a moment where no clock is declared.
const NO_CLOCK: &str = "there is no clock to name a moment of";
/// The label of a declaration that a variant leaves out.
const TAKEN: &str = "this variant takes it away";
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
    let places = faults.iter().filter_map(Diagnostic::primary);
    let faulty: BTreeSet<SourceId> = gathered(places.map(|at| at.source));
    let starts = faulty.into_iter().map(|id| (id, item_starts(sources.text(id)).collect()));
    let held = Held { sources, texts, starts: starts.collect() };
    let faults = held.behind_what_is_unread(faults);
    let faults = held.behind_their_declaration(faults);
    held.names_once(faults)
}

/// Whether a fault says that there is no clock.
pub(super) fn of_clock(fault: &Diagnostic) -> bool {
    fault.message == NO_CLOCK
}

struct Held<'a> {
    sources: &'a SourceMap,
    texts: &'a [SourceId],
    /// Where the items of each faulty text begin.
    starts: BTreeMap<SourceId, Vec<usize>>,
}

impl Held<'_> {
    /// The name that a fault calls unknown.
    fn unknown(&self, fault: &Diagnostic) -> Option<String> {
        let known = fault.severity == Severity::Error && UNKNOWN.contains(&fault.code);
        let name = self.sources.slice(fault.primary().filter(|_| known)?);
        let signs = if fault.code == code::E0204 { "_.-" } else { "_" };
        let plain = name.chars().all(|c| c.is_alphanumeric() || signs.contains(c));
        (plain && !name.is_empty()).then(|| name.to_owned())
    }

    /// Without what follows from lines that could not be read: names of their item, spaces of a map,
    /// what a variant was to say otherwise, and gates of a trace.
    fn behind_what_is_unread(&self, faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_error = |f: &&Diagnostic| f.severity == Severity::Error;
        let of_gates = |f: &Diagnostic| f.message.ends_with(GATE);
        let begins = |f: &Diagnostic, code: &str| f.code.as_str().starts_with(code);
        let unread: BTreeSet<(SourceId, usize)> = faults
            .iter()
            .filter(|f| is_error(f) && begins(f, "E01") && !of_gates(f))
            .filter_map(|f| self.item(f.primary()?))
            .collect();
        let other = faults.iter().filter(is_error).any(|f| !of_gates(f));
        let head = |f: &Diagnostic| {
            let item = f.primary().and_then(|at| self.item(at));
            item.and_then(|(source, start)| self.sources.text(source).get(start..)).unwrap_or("")
        };
        let in_map = |f: &Diagnostic| ["map ", "kind "].iter().any(|w| head(f).starts_with(w));
        let no_map = faults
            .iter()
            .any(|f| is_error(&f) && (begins(f, "E01") || begins(f, "E02")) && in_map(f));
        // An item that begins with no word of the language may have been the clock.
        let clock_lost = faults
            .iter()
            .filter(is_error)
            .any(|f| f.code == code::E0108 || begins(f, "E01") && head(f).starts_with("clock "));
        let mut all_unread = faults.iter().filter(is_error).filter(|f| begins(f, "E01"));
        let dimension_lost = all_unread.any(|f| head(f).starts_with("dimension"));
        let of_dimensions = |f: &Diagnostic| {
            [code::E0728, code::E0302].contains(&f.code) || f.message.ends_with(NO_TABLE)
        };
        let follows = |f: &Diagnostic| {
            let item = f.primary().and_then(|at| self.item(at));
            let here = item.is_some_and(|item| unread.contains(&item));
            of_gates(f) && other
                || clock_lost && of_clock(f)
                || dimension_lost && of_dimensions(f)
                || no_map && OF_MAPS.contains(&f.code)
                || here && f.code == code::E0704
                || here && UNKNOWN.contains(&f.code)
                || !unread.is_empty() && f.labels.iter().any(|label| label.text == TAKEN)
        };
        let any = faults.iter().any(|f| is_error(&f));
        let stays = |f: &Diagnostic| match f.severity {
            Severity::Error => !follows(f),
            _ => !any || !OF_THE_WHOLE.contains(&f.code),
        };
        faults.into_iter().filter(stays).collect()
    }

    /// The item around a place, by its text and where it begins there.
    fn item(&self, at: Span) -> Option<(SourceId, usize)> {
        let starts = self.starts.get(&at.source)?;
        let behind = starts.partition_point(|start| *start <= at.start as usize);
        let start = behind.checked_sub(1).and_then(|before| starts.get(before));
        Some((at.source, start.copied().unwrap_or_default()))
    }

    /// Without unknown names whose declaration has a fault of its own.
    fn behind_their_declaration(&self, faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let (mut lost, mut kinds) = (Vec::<String>::new(), Vec::<String>::new());
        for fault in faults.iter().filter(|f| f.severity == Severity::Error) {
            if self.unknown(fault).is_none_or(|name| self.declares_apart(fault, &name)) {
                let declared = fault.primary().map(|at| self.declared(at)).unwrap_or_default();
                if fault.code == code::E0203 && self.line_begins(fault, "kind") {
                    kinds.extend(declared.iter().take(2).cloned());
                }
                lost.extend(declared);
            }
        }
        // What is said of a kind whose parent is unknown may be a fact of the parent.
        let of_lost = |f: &Diagnostic| {
            let mut words = f.message.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            f.code != code::E0203 && words.any(|word| kinds.iter().any(|kind| kind == word))
        };
        let follows =
            |f: &Diagnostic| self.unknown(f).is_some_and(|name| lost.contains(&name) || of_lost(f));
        faults.into_iter().filter(|f| !follows(f)).collect()
    }

    /// Whether the line of an unknown name declares other names.
    fn declares_apart(&self, fault: &Diagnostic, name: &str) -> bool {
        fault.primary().is_some_and(|at| self.declared(at).iter().any(|n| n != name))
    }

    /// Whether the line of a fault begins with a word.
    fn line_begins(&self, fault: &Diagnostic, word: &str) -> bool {
        let Some(at) = fault.primary() else { return false };
        let before = self.sources.text(at.source).get(..at.start as usize).unwrap_or_default();
        before.rsplit('\n').next().and_then(|line| line.split_whitespace().next()) == Some(word)
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
                "kind" => {
                    let names = words.take_while(|word| *word != "is").take(MOST_SHOWN);
                    found.extend(names.map(str::to_owned));
                }
                "clock" => found.extend(words.take(2).map(str::to_owned)),
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
                // Two variants read the same place.
                let all = places.entry(apart(fault, name)).or_default();
                if !all.contains(&at) {
                    all.push(at);
                }
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
            let looks = said.len() < MOST_LOOKED_FOR && self.may_be_near(&fault, &name);
            let near = suggest::closest(&name, others.filter(|_| looks)).map(str::to_owned);
            let near = near.map(|near| self.its_plural(&name, &once, near));
            let near = near.map(|near| self.its_singular(&name, &once, near));
            let declared = near.as_deref().and_then(|near| once.get(near)).copied();
            let plural =
                near.as_deref().is_some_and(|near| self.is_plural_beside(&name, near, &once));
            // `kind leader, leaders`: both names are declared there.
            // What is known and stands once is declared there, whatever its line looks like.
            let known = all.len() < 2 && near.as_ref().is_some_and(|n| fault_names(&fault, n));
            let declared =
                declared.filter(|at| !self.line_has(*at, &name) && (known || self.declares(*at)));
            said.insert(key.clone());
            kept.push(match (near, declared) {
                (Some(near), Some(at)) if all.len() >= 2 => {
                    slipped.push(near.clone());
                    declared_otherwise(&name, &near, at, all)
                }
                // `here` is a word of the language, and declared nowhere.
                (Some(near), Some(at))
                    if near != "here" && (plural || fault_names(&fault, &near)) =>
                {
                    self.one_of_two(fault, (&name, &near), at, all)
                }
                _ if fault.code == code::E0204 && all.len() > 1 => {
                    let fault = Diagnostic { suggestion: None, meant: None, ..fault };
                    with_places(fault.help(format!("declare the clause `{name}`")), all)
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

    /// `dimension ponts (point)`, where `points` is read: the plural slipped, not the singular.
    fn its_plural(&self, name: &str, once: &BTreeMap<&str, Span>, near: String) -> String {
        let Some(at) = once.get(near.as_str()).filter(|_| suggest::is_plural(name, &near)) else {
            return near;
        };
        let slips = |word: &str, place: &Span| {
            place.source == at.source
                && strsim::osa_distance(name, word) == 1
                && word != near
                && self.line_has(*place, &near)
        };
        let other = once.iter().find(|(word, place)| slips(word, place));
        other.map_or(near.clone(), |(word, _)| (*word).to_owned())
    }

    /// Of a kind whose two names are both near a name the first: `kind arrmy, armies` slipped there.
    fn its_singular(&self, name: &str, once: &BTreeMap<&str, Span>, near: String) -> String {
        let Some(at) = once.get(near.as_str()) else { return near };
        let far = |text: &str| strsim::osa_distance(name, text);
        match self.kind_before(*at).filter(|first| once.contains_key(first)) {
            // `kind bridge, brdiges`, where `bridges` is read: the plural slipped.
            Some(first) if suggest::is_plural(name, first) => near,
            Some(first) if far(first) <= far(&near) => first.to_owned(),
            _ => near,
        }
    }

    /// Whether a name is the plural of the kind beside which another one is declared.
    fn is_plural_beside(&self, name: &str, near: &str, once: &BTreeMap<&str, Span>) -> bool {
        let first = once.get(near).and_then(|at| self.kind_before(*at));
        first.is_some_and(|first| suggest::is_plural(name, first))
    }

    /// The kind beside which a place declares the plural.
    fn kind_before(&self, at: Span) -> Option<&str> {
        let before = self.sources.text(at.source).get(..at.start as usize)?;
        let line = before.rsplit('\n').next()?;
        let first = line.strip_prefix("kind ")?.trim_end().strip_suffix(',')?;
        Some(first.trim())
    }

    /// Whether what is near a name may be its declaration: labels of hexes and clauses are all near
    /// each other, and a word in the place of a kind is no name of a unit.
    fn may_be_near(&self, fault: &Diagnostic, name: &str) -> bool {
        let in_kinds = fault.code == code::E0203 && self.line_begins(fault, "put");
        name.starts_with(char::is_alphabetic) && fault.code != code::E0204 && !in_kinds
    }

    /// A name and a declaration near it: the one whose words stand nowhere else slipped.
    fn one_of_two(
        &self,
        fault: Diagnostic,
        (name, near): (&str, &str),
        at: Span,
        all: &[Span],
    ) -> Diagnostic {
        // The singular of a word is spoken of wherever the plural is meant.
        let number = suggest::is_plural(near, name);
        match (self.is_spoken(name), self.is_spoken(near)) {
            (true, false) if !number => declared_otherwise(name, near, at, all),
            (false, true) => fault,
            _ => either_name(fault, (name, near), at),
        }
    }

    /// Whether each part of a name stands elsewhere too: in another name, a text or a comment.
    fn is_spoken(&self, name: &str) -> bool {
        let joins = |c: char| c.is_alphanumeric();
        let whole = |c: char| joins(c) || c == '_';
        let elsewhere = |part: &str| {
            self.texts.iter().map(|source| self.sources.text(*source)).any(|text| {
                let all = words(text).filter(|(_, word)| *word == name);
                let read: Vec<usize> = all.map(|(at, _)| at).collect();
                text.match_indices(part).any(|(at, _)| {
                    let before = text.get(..at).unwrap_or_default();
                    let behind = text.get(at + part.len()..).unwrap_or_default();
                    let start = before.trim_end_matches(whole).len();
                    !before.ends_with(joins) && !behind.starts_with(joins) && !read.contains(&start)
                })
            })
        };
        name.split('_').filter(|part| part.len() > 1).all(elsewhere)
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
            "line",
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
    let fault = if all.len() > 1 { fault.note(places) } else { fault };
    fault.help(format!("write `{name}`")).suggest(at, name)
}

/// A fault with the other places of the same.
pub(super) fn with_places(fault: Diagnostic, all: &[Span]) -> Diagnostic {
    let others = all.iter().filter(|at| Some(**at) != fault.primary());
    let shown: Vec<Span> = others.clone().take(MOST_SHOWN).copied().collect();
    let more = others.count().saturating_sub(shown.len());
    let fault = shown.into_iter().fold(fault, |fault, at| fault.label(at, "and here"));
    if more == 0 { fault } else { fault.note(format!("and at {more} more places")) }
}
