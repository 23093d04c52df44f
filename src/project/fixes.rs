//! Fixes that are true: what a fault offers to write is written into the text in memory, and the
//! ruleset is checked again.
//!
//! Takes the faults of one ruleset and a way to check it with another text. A fix stays if its fault
//! is gone with it and no other stands in its place; where several are true, and mean different
//! things, all are named and left to choose from, and none is the suggestion.

use super::edit::{Edit, item_around};
use super::follow::{UNREAD, of_clock};
use super::names::Names;
use super::retold::retell;
use super::sentences::Sentences;
use super::twice::{doubles, of_the_first, stands_twice};
use super::weighed::Subjects;
use super::{cited, missing, number, phrases, reworded};
use crate::arrange::Arrange as _;
use crate::diag::diagnostic::Meant;
use crate::diag::{Applicability, Diagnostic, Severity, Suggestion, Way, code};
use crate::halt::Halt;
use crate::source::{SourceId, SourceMap, Span};
use crate::syntax::repair;

/// So many faults of a project have their fixes tried.
const MOST_FAULTS: usize = 20;
/// So many texts are tried for one fault.
pub(super) const MOST_WAYS: usize = 24;
/// So many bytes of rules are read again in all.
const MOST_BYTES: usize = 6 << 20;
/// So many faults take as long to be found again as the text to be read.
const FAULTS_LIKE_A_TEXT: usize = 64;
/// So many states are looked at by the searches for changes.
const MOST_STATES: usize = 100_000;
/// So many that are true are named.
const MOST_NAMED: usize = 3;

/// How far the likeliest sentence is from what is written.
pub(super) const OF_SENTENCES: u8 = 2;
/// What a whole line written otherwise may be faulted for, beside what the grammar does not read.
const OF_LINES: [code::Code; 5] = [code::E0201, code::E0203, code::E0204, code::E0608, code::E0705];

/// Up to this rank a true text goes before what the phrase book says without one.
const NEAR: u8 = 3;
/// Up to this rank it goes before what the book says of the words beside it.
const FAR: u8 = 5;
/// From this rank on the next one is as likely.
const FAR_FROM: u8 = 4;
/// By so much a word in the wrong place ranks behind one too many.
const MISPLACED: u8 = 2;

/// A ruleset checked with other text in place of some.
pub(super) struct Tried {
    /// Its texts.
    pub sources: SourceMap,
    /// Its faults.
    pub faults: Vec<Diagnostic>,
    /// The hash of its rules, if there is no error.
    pub hash: Option<String>,
}

/// One ruleset as it was checked, and how to check it again.
pub(super) struct Asked<'a> {
    /// Its texts.
    pub sources: &'a SourceMap,
    /// The hash of its rules, if there is no error.
    pub hash: Option<String>,
    /// Checks it with another text in place of this one.
    pub again: &'a dyn Fn(SourceId, &str) -> Option<Tried>,
    subjects: Subjects<'a>,
}

impl<'a> Asked<'a> {
    /// A ruleset with these texts and this hash.
    pub(super) fn new(
        sources: &'a SourceMap,
        hash: Option<String>,
        again: &'a dyn Fn(SourceId, &str) -> Option<Tried>,
    ) -> Asked<'a> {
        Asked { sources, hash, again, subjects: Subjects::of(sources) }
    }
}

/// What may still be spent on trying.
pub(super) struct Budget {
    faults: usize,
    bytes: usize,
    states: usize,
    halt: Halt,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            faults: MOST_FAULTS,
            bytes: MOST_BYTES,
            states: MOST_STATES,
            halt: Halt::default(),
        }
    }
}

impl Budget {
    /// Nothing may be spent.
    pub(super) fn none() -> Budget {
        Budget { faults: 0, bytes: 0, states: 0, halt: Halt::default() }
    }

    /// Nothing more may be spent once this is set.
    pub(super) fn until(halt: &Halt) -> Budget {
        Budget { halt: halt.clone(), ..Budget::default() }
    }

    /// Takes one trial of all these texts out, if that much is left.
    ///
    /// A trial finds every other fault again, so that many faults leave few trials.
    fn spend(&mut self, sources: &SourceMap, faults: usize) -> bool {
        if self.halt.is_set() {
            (self.faults, self.bytes, self.states) = (0, 0, 0);
        }
        let all: usize = sources.ids().map(|id| sources.text(id).len()).sum();
        let cost = all.max(1 << 12).saturating_mul(1 + faults / FAULTS_LIKE_A_TEXT);
        let enough = self.bytes >= cost;
        self.bytes = self.bytes.saturating_sub(cost);
        enough
    }
}

/// A way that is true.
struct True {
    way: Way,
    /// The hash of the rules with it, if nothing else is wrong.
    hash: Option<String>,
    /// Which of the other faults are gone with it.
    gone: Vec<usize>,
}

/// Keeps of each fault the fixes that are true, and holds back what is gone with each of these.
pub(super) fn keep_true(faults: &mut Vec<Diagnostic>, asked: &Asked<'_>, budget: &mut Budget) {
    if faults.is_empty() {
        return;
    }
    let texts: Vec<SourceId> = asked.sources.ids().collect();
    let names = Names::of(asked.sources, &texts);
    let sentences = Sentences::of(asked.sources);
    faults.iter_mut().for_each(|fault| names.fit(fault));
    let mut follow = vec![false; faults.len()];
    for at in 0..faults.len() {
        if follow.get(at) == Some(&true) {
            continue;
        }
        // After the first faults nothing is tried, and what is not tried is not offered.
        if budget.faults == 0 {
            if let Some(fault) =
                faults.get_mut(at).filter(|f| f.meant.is_some() || f.suggestion.is_some())
            {
                offer(fault, Vec::new(), None, asked.sources);
            }
            continue;
        }
        let Some(fault) = faults.get(at) else { continue };
        let looks = fault.severity == Severity::Error && !is_told(fault);
        let states = &mut budget.states;
        let mut ways = gathered((fault, faults), &names, asked.sources, states);
        let spoken = if looks { spoken(fault, &ways, &sentences) } else { Vec::new() };
        let said = fault
            .primary()
            .filter(|_| looks)
            .and_then(|place| phrases::look_up(place, asked.sources, &names));
        if ways.is_empty() && spoken.is_empty() && said.is_none() {
            continue;
        }
        budget.faults -= 1;
        // What the book has no text for is no slip of a word that is near.
        if said.as_ref().is_some_and(|said| said.exact && said.ways.is_empty()) {
            ways.retain(|way| way.rank > 0 && way.rank < NEAR);
        }
        let mut kept = true_ways(fault, faults, &ways, asked, budget);
        kept = with_lines(kept, |budget| true_ways(fault, faults, &spoken, asked, budget), budget);
        let near = matches!(kept.as_slice(), [True { way, .. }] if way.rank == 0 || way.rank == 1 && way.edit);
        if let Some(said) = said.as_ref().filter(|said| !near && !said.ways.is_empty()) {
            let better = true_ways(fault, faults, &said.ways, asked, budget);
            kept = if better.is_empty() { kept } else { better };
        }
        // One text that is true goes before a sentence about words beside the fault.
        let one = matches!(kept.as_slice(), [True { way, .. }] if way.edit && way.rank <= FAR);
        let said = said.filter(|said| !one || said.holds || !said.ways.is_empty());
        hold_back(&mut follow, faults, at, &kept);
        let kept = kept.into_iter().map(|one| one.way).collect();
        if let Some(fault) = faults.get_mut(at) {
            offer(fault, kept, said.map(|said| said.help), asked.sources);
        }
    }
    let mut follow = follow.into_iter();
    faults.retain(|_| follow.next() != Some(true));
}

/// What is true, with the lines that are; a line goes before what says the same and is only said.
fn with_lines(
    mut kept: Vec<True>,
    lines: impl FnOnce(&mut Budget) -> Vec<True>,
    budget: &mut Budget,
) -> Vec<True> {
    // What is farther than a sentence may as well have been meant.
    let sure = |one: &True| one.way.rank <= OF_SENTENCES && one.way.edit;
    if kept.first().is_some_and(sure) {
        return kept;
    }
    let lines = lines(budget);
    let same = |one: &True, line: &True| line.hash.is_some() && line.hash == one.hash;
    kept.retain(|one| one.way.edit || !lines.iter().any(|line| same(one, line)));
    let new = |line: &True| line.hash.is_none() || kept.iter().all(|one| one.hash != line.hash);
    let lines: Vec<True> = lines.into_iter().filter(new).collect();
    kept.extend(lines);
    kept
}

/// Whether a fault says itself what was meant.
fn is_told(fault: &Diagnostic) -> bool {
    let told = fault.labels.iter().any(|label| label.text.ends_with(UNREAD));
    told || fault.meant.as_ref().is_some_and(|meant| meant.settled)
}

/// All that may be written for a fault, the nearest first.
fn gathered(
    (fault, all): (&Diagnostic, &[Diagnostic]),
    names: &Names,
    sources: &SourceMap,
    states: &mut usize,
) -> Vec<Way> {
    let told = is_told(fault);
    let looks = fault.severity == Severity::Error && !told;
    let mut ways = ways_of(fault, sources, !told, states);
    if looks {
        let reworded = reworded::ways(fault, names, sources);
        // A plural that is not declared is no slip of the singular.
        if reworded.iter().any(|way| way.rank == 0) {
            ways.retain(|way| way.rank > 0);
        }
        ways.extend(reworded);
        reworded::denied(fault, &mut ways, sources);
    }
    ways.iter_mut().for_each(|way| number::fit(way, names, sources));
    if looks {
        let other = ways.first().map(|way| number::declared(way, sources)).unwrap_or_default();
        ways.extend(other);
    }
    let unread = fault.code.as_str().starts_with("E01");
    if looks && (unread || [code::E0203, code::E0204].contains(&fault.code)) {
        ways.extend(fault.primary().and_then(|place| cited::way(place, sources)));
        ways.extend(missing::ways(fault, all, names, sources));
    }
    if fault.code == code::E0403 {
        ways.extend(of_the_first(fault, &ways, sources));
    }
    ways.retain(|way| !doubles(way, sources));
    // A bracket that is missing does not stand at the end of a line.
    ways.retain(|way| !way.fix.replacement.contains("(\n"));
    ways.arrange_by_key(|way| way.rank);
    ways
}

/// The line of a fault as a sentence of a rulebook.
fn spoken(fault: &Diagnostic, ways: &[Way], sentences: &Sentences<'_>) -> Vec<Way> {
    let unread = fault.code.as_str().starts_with("E01");
    let place = fault.primary().filter(|_| unread || OF_LINES.contains(&fault.code));
    place.map(|place| sentences.ways(place, ways)).unwrap_or_default()
}

/// Marks the faults that are gone with each true way of the one at a place; those before it that
/// have a fix of their own stay.
fn hold_back(follow: &mut [bool], faults: &[Diagnostic], at: usize, kept: &[True]) {
    let Some((first, others)) = kept.split_first() else { return };
    for other in first.gone.iter().filter(|gone| others.iter().all(|o| o.gone.contains(gone))) {
        let stays = *other < at && faults.get(*other).is_some_and(|f| f.suggestion.is_some());
        if let Some(held) = follow.get_mut(*other).filter(|_| !stays) {
            *held = true;
        }
    }
}

/// What a fault offers, and the edits with which the grammar reads the words around it otherwise,
/// the nearest first.
fn ways_of(fault: &Diagnostic, sources: &SourceMap, looks: bool, states: &mut usize) -> Vec<Way> {
    const OF_WORDS: [&str; 5] = ["E02", "E03", "E04", "E07", "E09"];
    let mut ways = fault.meant.as_ref().map(|m| m.ways.clone()).unwrap_or_default();
    if let (true, Some(fix)) = (ways.is_empty(), &fault.suggestion) {
        let help = fault.advice(sources).unwrap_or_default();
        ways.push(Way { fix: fix.clone(), help, rank: 0, edit: true });
    }
    let begins = |all: &[&str]| all.iter().any(|c| fault.code.as_str().starts_with(c));
    let found = match fault.primary().filter(|_| fault.severity == Severity::Error && looks) {
        Some(place) if begins(&["E01"]) => mended(place, false, sources, states),
        // A number out of its range was read as it was meant, and so was a name that stands twice.
        Some(place)
            if (begins(&OF_WORDS) || fault.code == code::E0608)
                && ![code::E0210, code::E0202].contains(&fault.code) =>
        {
            mended(place, true, sources, states)
        }
        _ => Vec::new(),
    };
    // A line that its construct does not know is not mended by other words above it.
    let above = |way: &Way| {
        let begins = fault.primary().filter(|_| fault.code == code::E0107);
        let letters = way.fix.replacement.contains(char::is_alphabetic);
        let between = |at: Span| Span::new(at.source, way.fix.span.end, at.start);
        letters && begins.is_some_and(|at| sources.slice(between(at)).contains('\n'))
    };
    for way in found.into_iter().filter(|way| !above(way)) {
        let same = |known: &Way| {
            known.fix.span == way.fix.span && known.fix.replacement == way.fix.replacement
        };
        if !ways.iter().any(same) {
            ways.push(way);
        }
    }
    ways.arrange_by_key(|way| way.rank);
    ways
}

/// The edits with which the grammar reads the lines around a place; `known` if it reads them as they
/// are, and some of its words mean nothing.
fn mended(place: Span, known: bool, sources: &SourceMap, states: &mut usize) -> Vec<Way> {
    let text = sources.text(place.source);
    let touching = known.then(|| place.range());
    let mut found = repair::mends(text, place.start as usize, touching, states);
    found.extend(repair::heads(text, place.start as usize));
    if !known {
        found.extend(repair::breaks(text, place.start as usize));
    }
    let at = |p: usize| u32::try_from(p).unwrap_or(u32::MAX);
    let way = |mend: repair::Mend| {
        let span = Span::new(place.source, at(mend.range.start), at(mend.range.end));
        let rank = mend.cost - u8::from(!known);
        Way { help: mend.help, rank, edit: mend.edit, ..Way::near(span, &mend.with) }
    };
    found.into_iter().map(way).collect()
}

/// What is true is offered, if only one thing is; else what the phrase book says.
fn offer(fault: &mut Diagnostic, kept: Vec<Way>, said: Option<String>, sources: &SourceMap) {
    let otherwise = fault.meant.take().and_then(|meant| meant.otherwise);
    match kept.as_slice() {
        [one] if one.edit && one.rank <= NEAR || said.is_none() => {
            let known = fault.suggestion.as_ref().map_or(Applicability::Maybe, |s| s.applies);
            let sure = one.rank == 0 && is_sure(sources.slice(one.fix.span), &one.fix.replacement);
            let applies = if sure { Applicability::Always } else { known };
            let fix = Suggestion { applies, ..one.fix.clone() };
            fault.suggestion = one.edit.then_some(fix);
            fault.help = Some(one.help.clone());
            if one.edit {
                retell(fault, &one.fix, sources);
            }
        }
        several if several.len() > 1 && said.is_none() => {
            fault.suggestion = None;
            let mut helps: Vec<&str> =
                several.iter().take(MOST_NAMED).map(|way| way.help.as_str()).collect();
            helps.dedup();
            fault.help = Some(helps.join(", or "));
            let ways: Vec<Way> =
                several.iter().take(MOST_NAMED).filter(|way| way.edit).cloned().collect();
            fault.meant = Some(Box::new(Meant { ways, ..Meant::default() }));
        }
        _ => {
            let is_error = fault.severity == Severity::Error;
            // What a warning says stays: it is not written by itself, for it would say another thing.
            let untrue = fault.suggestion.take().map(|s| s.replacement).filter(|_| is_error);
            let names = |help: &String| untrue.as_ref().is_some_and(|text| help.contains(text));
            let old = fault.help.take().filter(|help| !names(help));
            fault.help = said.or(otherwise).or(old);
        }
    }
}

/// Whether a true fix of the nearest sort may be written without asking: one letter, a word that
/// stood twice, or a sign.
fn is_sure(old: &str, new: &str) -> bool {
    // Lines that are joined are a guess.
    let sign = !old.is_empty() && !old.contains(|c: char| c.is_alphanumeric() || c == '\n');
    // Short words have many neighbours.
    let long = old.chars().count() > 3 && new.chars().count() > 3;
    new.is_empty() || sign || long && strsim::damerau_levenshtein(old, new) <= 1
}

/// The ways that are true, of those the nearest, each meaning once.
fn true_ways(
    fault: &Diagnostic,
    all: &[Diagnostic],
    ways: &[Way],
    asked: &Asked<'_>,
    budget: &mut Budget,
) -> Vec<True> {
    let mut kept: Vec<True> = Vec::new();
    // What says another thing is none, whatever reads with it.
    let says_it =
        |way: &&Way| fault.severity != Severity::Error || !asked.subjects.are_said_otherwise(way);
    for (tried, way) in ways.iter().filter(says_it).enumerate() {
        if kept.first().is_some_and(|first| rivals(&first.way, asked.sources) < way.rank) {
            break;
        }
        if tried == MOST_WAYS || !budget.spend(asked.sources, all.len()) {
            // One of those that are not tried may be true too.
            kept.iter_mut().for_each(|one| one.way.edit = false);
            break;
        }
        let Some(one) = truth(fault, all, way, asked) else { continue };
        let known = |other: &True| {
            other.way.fix == way.fix
                || one.hash.is_some() && other.hash == one.hash && !in_a_proof(way, asked)
        };
        if !kept.iter().any(known) {
            kept.push(one);
        }
    }
    kept
}

/// Up to which rank another text that is true may as well have been meant.
fn rivals(nearest: &Way, sources: &SourceMap) -> u8 {
    // A word too many may as well stand in the wrong place.
    let word = sources.slice(nearest.fix.span).trim();
    let left_out = nearest.fix.replacement.trim().is_empty() && !stands_twice(nearest, sources);
    match nearest.rank {
        rank if left_out && word.contains(char::is_alphabetic) => rank + MISPLACED,
        rank if rank >= FAR_FROM => rank + 1,
        rank => rank,
    }
}

/// Whether an edit stands where the hash says nothing of it.
fn in_a_proof(way: &Way, asked: &Asked<'_>) -> bool {
    let text = asked.sources.text(way.fix.span.source);
    let item = item_around(text, way.fix.span.start as usize);
    let head = text.get(item).unwrap_or_default();
    ["case", "mistake", "setup"].iter().any(|word| head.starts_with(word))
}

/// A way with what comes of it, if it is true.
fn truth(fault: &Diagnostic, all: &[Diagnostic], way: &Way, asked: &Asked<'_>) -> Option<True> {
    let fix = &way.fix;
    let mut text = asked.sources.text(fix.span.source).to_owned();
    let range = fix.span.range();
    text.get(range.clone())?;
    text.replace_range(range, &fix.replacement);
    let tried = (asked.again)(fix.span.source, &text)?;
    let is = |hash, gone| True { way: way.clone(), hash, gone };
    if fault.severity != Severity::Error {
        // What is accepted keeps its meaning.
        let same = asked.hash.is_some() && tried.hash == asked.hash;
        return same.then(|| is(tried.hash, Vec::new()));
    }
    let edit = Edit { fix, asked, tried: &tried };
    let is_error = |f: &&Diagnostic| f.severity == Severity::Error;
    let stands = |f: &Diagnostic| {
        let same = || all.iter().filter(is_error).filter(|b| edit.same(b, f));
        // Of several of one code at one place it is the one with its words.
        let by_words = same().any(|b| b.message == f.message);
        same().any(|b| b != fault && (!by_words || b.message == f.message))
    };
    // A clock that still cannot be read is missed by moments that other edits let be read.
    let no_clock = tried.faults.iter().any(|f| f.code == code::E0108);
    let mut new = tried.faults.iter().filter(is_error).filter(|f| !no_clock || !of_clock(f));
    if new.any(|f| !stands(f) && !edit.uncovered(fault, f)) {
        return None;
    }
    let gone = edit.gone(all, fault);
    Some(is(tried.hash, gone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// How often a text is checked again, in which so many names are unknown.
    fn trials(faults: usize) -> usize {
        let mut text = String::from("edition 1\nruleset many \"Many\" prefix MA\n");
        for at in 0..faults {
            text.push_str(&format!("define user_{at} of army = knwon and known\n"));
        }
        text.push_str(&" ".repeat(1 << 16));
        let (sources, _, mut found) = crate::project::check_as_it_is("many", text.as_bytes());
        assert!(found.len() >= faults, "{}", found.len());
        // Each of the two that a fault offers is tried.
        for fault in &mut found {
            let Some(place) = fault.primary() else { continue };
            let way = |text: &str| Way::near(place, text);
            fault.meant = Some(Box::new(Meant {
                ways: vec![way("known"), way("owner")],
                ..Meant::default()
            }));
        }
        let tried = Cell::new(0);
        let again = |_: SourceId, _: &str| {
            tried.set(tried.get() + 1);
            None
        };
        let asked = Asked::new(&sources, None, &again);
        keep_true(&mut found, &asked, &mut Budget::default());
        tried.get()
    }

    #[test]
    fn many_faults_leave_few_trials() {
        let (few, many) = (trials(20), trials(640));
        assert!(few >= 20, "{few}");
        assert!((1..=8).contains(&many), "{many}");
    }
}
