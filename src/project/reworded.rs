//! What a name that means nothing was meant as, by the words beside it or by its declaration: a list
//! of words, a fact that is denied, a plural or a clause that its declaration writes otherwise.

use super::edit::item_around;
use super::names::Names;
use crate::diag::suggest::is_plural;
use crate::diag::{Applicability, Diagnostic, Suggestion, Way, code};
use crate::source::{SourceMap, Span};
use crate::syntax::tokens::{times, tokens};
use crate::syntax::{STANCES, is_reserved};

/// How far a list is from words that `or` joins, and how far a shorter one.
const LISTED: u8 = 2;
/// As far as `no` is from `not`.
const DENIED: u8 = 3;
/// Of longer names no two are made.
const MOST_LETTERS: usize = 40;
/// A list has at most so many words.
const MOST_LISTED: usize = 8;

/// The ways to write what an unknown name was meant as.
pub(super) fn ways(fault: &Diagnostic, names: &Names, sources: &SourceMap) -> Vec<Way> {
    let Some(place) = fault.primary() else { return Vec::new() };
    if let Some(apart) = run_together(place, sources) {
        return vec![apart];
    }
    if fault.code == code::E0201 {
        let of = of_kind(fault, place, sources);
        return listed(place, sources).into_iter().chain(of).collect();
    }
    let declared = if fault.code == code::E0203 {
        plural(place, "kind", names, sources)
    } else if fault.code == code::E0205 {
        plural(place, "dimension", names, sources)
    } else if fault.code == code::E0204 {
        clause(place, sources)
    } else {
        None
    };
    declared.into_iter().collect()
}

/// An edit that is a guess.
pub(super) fn written(span: Span, with: String, help: String, rank: u8) -> Way {
    let fix = Suggestion { span, replacement: with, applies: Applicability::Maybe };
    Way { fix, help, rank, edit: true }
}

/// The line of a place, and where it begins.
pub(super) fn line_of(place: Span, sources: &SourceMap) -> Option<(&str, usize)> {
    let text = sources.text(place.source);
    let start = text.get(..place.start as usize)?.rfind('\n').map_or(0, |p| p + 1);
    Some((text.get(start..)?.lines().next()?, start))
}

/// A place in a text.
pub(super) fn at(start: usize) -> u32 {
    u32::try_from(start).unwrap_or(u32::MAX)
}

/// `waters is open or shoals`: the words behind `is` are a list; the longest first.
fn listed(place: Span, sources: &SourceMap) -> Vec<Way> {
    let Some((line, start)) = line_of(place, sources) else { return Vec::new() };
    let all = tokens(line, true);
    let word = |at: usize| all.get(at).map_or("", |(_, word)| *word);
    let column = place.start as usize - start;
    let Some(here) = all.iter().position(|(p, _)| *p == column) else { return Vec::new() };
    let is_name = |word: &str| word.starts_with(char::is_alphabetic) && !is_reserved(word);
    let mut first = here;
    while first >= 2 && matches!(word(first - 1), "or" | ",") && is_name(word(first - 2)) {
        first -= 2;
    }
    let denied = first >= 2 && word(first - 1) == "not";
    let asks = first.checked_sub(1 + usize::from(denied)).map_or("", word);
    if first == here || asks != "is" {
        return Vec::new();
    }
    let mut ends = vec![here];
    let mut last = here;
    while ends.len() < MOST_LISTED
        && matches!(word(last + 1), "or" | ",")
        && is_name(word(last + 2))
    {
        last += 2;
        ends.push(last);
    }
    let way = |(nth, end): (usize, usize)| {
        let items: Vec<&str> = (first..=end).step_by(2).map(word).collect();
        let with = format!("one of ({})", items.join(", "));
        let (from, to) = (all.get(first)?.0, all.get(end)?);
        let span = Span::new(place.source, at(start + from), at(start + to.0 + to.1.len()));
        let help = format!("write `{with}`");
        let rank = LISTED + u8::try_from(nth).unwrap_or(LISTED);
        Some(written(span, with, help, rank))
    };
    ends.into_iter().rev().enumerate().filter_map(way).collect()
}

/// `formationhere`: a name and a word of the language without the blank between them.
fn run_together(place: Span, sources: &SourceMap) -> Option<Way> {
    let name = sources.slice(place);
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !plain || name.len() > MOST_LETTERS {
        return None;
    }
    let stands = |word: &str| sources.ids().any(|id| times(sources.text(id), word) > 0);
    let cuts = (2..name.len().saturating_sub(1)).filter_map(|at| name.split_at_checked(at));
    // `ownpieces`
    let spoken = |word: &str| is_reserved(word) || STANCES.contains(&word);
    let reads = |(first, second): &(&str, &str)| match (spoken(first), is_reserved(second)) {
        (true, true) => true,
        (true, false) => second.len() > 2 && stands(second),
        (false, true) => first.len() > 2 && stands(first),
        (false, false) => false,
    };
    let mut found = cuts.filter(reads);
    let (Some((first, second)), None) = (found.next(), found.next()) else { return None };
    let with = format!("{first} {second}");
    let help = format!("write `{with}`");
    Some(written(place, with, help, 0))
}

/// `table reach gives`: what a rule reads says which kind it is of.
fn of_kind(fault: &Diagnostic, place: Span, sources: &SourceMap) -> Option<Way> {
    let help = fault.help.as_deref()?;
    let kind = help.rsplit_once("or say of what this is, with `of ")?.1.strip_suffix('`')?;
    let text = sources.text(place.source);
    let start = item_around(text, place.start as usize).start;
    let head = text.get(start..)?.lines().next()?;
    let all = tokens(head, true);
    let [(_, noun), (from, name), (_, next), ..] = all.as_slice() else { return None };
    if !matches!(*noun, "define" | "table") || *next == "of" {
        return None;
    }
    let end = at(start + from + name.len());
    let help = format!("write `{noun} {name} of {kind}`");
    Some(written(Span::new(place.source, end, end), format!(" of {kind}"), help, LISTED))
}

/// `no fogbound`, where a fact is denied: both readings are as near.
pub(super) fn denied(fault: &Diagnostic, ways: &mut Vec<Way>, sources: &SourceMap) {
    let Some(place) = fault.primary().filter(|_| fault.code == code::E0203) else { return };
    let text = sources.text(place.source);
    let before = text.get(..place.start as usize).unwrap_or_default();
    let bare = before.trim_end();
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    if !bare.ends_with("no") || bare.get(..bare.len() - 2).is_some_and(|t| t.ends_with(joins)) {
        return;
    }
    let name = sources.slice(place);
    let noun = format!("{name} ");
    let span = Span::new(place.source, at(bare.len() - 2), at(bare.len()));
    let is_not = |way: &Way| way.fix.replacement.trim() == "not";
    let rank = ways.iter().filter(|way| is_not(way)).map(|way| way.rank).min();
    let rank = rank.unwrap_or(DENIED);
    let mut of_noun = false;
    for way in ways.iter_mut().filter(|way| way.fix.replacement.starts_with(&noun)) {
        (way.rank, of_noun) = (rank, true);
    }
    if of_noun {
        ways.retain(|way| !is_not(way));
        ways.push(written(span, "not".to_owned(), format!("write `not {name}`"), rank));
    }
}

/// A plural that is read, where its kind or dimension was declared without one.
fn plural(place: Span, noun: &str, names: &Names, sources: &SourceMap) -> Option<Way> {
    let many = sources.slice(place);
    let is = |one: &str| is_plural(many, one);
    if noun == "kind" {
        let [one, other] = names.alone(&is)?;
        if one != other {
            return None;
        }
    }
    for source in sources.ids() {
        let text = sources.text(source);
        let mut begin = 0;
        for line in text.split_inclusive('\n') {
            let start = begin;
            begin += line.len();
            if !line.starts_with(noun) {
                continue;
            }
            let all = tokens(line, true);
            let found = all.iter().position(|(_, word)| is(word));
            let Some((from, one)) = found.and_then(|at| all.get(at)) else { continue };
            let end = at(start + from + one.len());
            let (span, with) = match noun {
                "kind" => (Span::new(source, end, end), format!(", {many}")),
                _ => (Span::new(source, at(start + from), end), format!("{many} ({one})")),
            };
            let shown = if noun == "kind" { format!("{one}, {many}") } else { with.clone() };
            let help = format!("declare the plural too: `{noun} {shown}`");
            return Some(written(span, with, help, 0));
        }
    }
    None
}

/// Whether a clause with this label is cited so.
fn same_clause(section: &str, label: &str, cite: &str) -> bool {
    let rest = cite.strip_prefix(section);
    rest.is_some_and(|rest| rest.trim_start_matches('.') == label)
}

/// `clause 7a` in section 7 is cited as `7a`: its label is what stands behind the number.
fn clause(place: Span, sources: &SourceMap) -> Option<Way> {
    let cite = sources.slice(place);
    let cite = cite.rsplit('-').next().unwrap_or(cite);
    for source in sources.ids() {
        let (mut section, mut begin) = ("", 0);
        for line in sources.text(source).split_inclusive('\n') {
            let start = begin;
            begin += line.len();
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some("section"), Some(number)) => section = number,
                (Some("clause"), Some(label)) if !section.is_empty() => {
                    // `clause 7a`, `clause a.` and `clause 7a:`
                    let short = label.trim_matches(['.', '-', ':', ')', '(']);
                    let bare = short.strip_prefix(section).unwrap_or(short);
                    let bare = bare.trim_start_matches(['.', '-']);
                    if bare == label || !same_clause(section, bare, cite) {
                        continue;
                    }
                    let from = start + line.find(label)?;
                    let span = Span::new(source, at(from), at(from + label.len()));
                    let help = format!("write `clause {bare}`: its section stands above it");
                    return (!bare.is_empty()).then(|| written(span, bare.to_owned(), help, 0));
                }
                _ => {}
            }
        }
    }
    None
}
