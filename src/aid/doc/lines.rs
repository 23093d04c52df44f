//! Traces in sentences: who, from what sources, over what, what bars, how far.

use super::desk::{Desk, anchor};
use super::page::{Block, Word, Words, joined, plain};
use crate::aid::words::{said, tidy};
use crate::check::with_article;
use crate::syntax::ast::{Cites, Expr, Name, Trace, TraceLine, TraceLineKind, Way};

/// The blocks of a trace.
pub(super) fn trace(desk: &Desk<'_>, trace: &Trace) -> Vec<Block> {
    let head = Block::Head {
        anchor: desk.anchor("trace", &trace.name),
        noun: "trace",
        title: desk.title(trace.title.as_ref(), &trace.name),
        cites: desk.cites(&trace.cites),
    };
    let mut blocks = vec![head, Block::Text(answer(desk, trace))];
    let settled: Vec<Words> =
        trace.lines.iter().filter_map(|line| before_any_line(desk, trace, line)).collect();
    blocks.extend((!settled.is_empty()).then_some(Block::List(settled)));
    blocks.push(Block::Text(vec![plain("A line may end at:")]));
    let ends = |relay: bool| trace.lines.iter().filter_map(move |line| end(desk, line, relay));
    blocks.push(Block::List(ends(false).collect()));
    let relays: Vec<Words> = ends(true).collect();
    if !relays.is_empty() {
        blocks
            .push(Block::Text(vec![plain("It may also come to a relay, and begins anew there:")]));
        blocks.push(Block::List(relays));
    }
    let legs = legs(trace);
    let places = legs.iter().filter(|leg| leg.instead.is_none()).count();
    let about = match places {
        1 => "The way of the line:".to_owned(),
        many => format!("The way of the line has {many} legs, one after the other:"),
    };
    blocks.push(Block::Text(vec![plain(about)]));
    blocks.push(Block::List(legs.iter().map(|leg| way(desk, leg)).collect()));
    blocks
}

/// The words of its two answers: yes, no.
fn called(trace: &Trace) -> (String, String, Option<&Cites>) {
    let found = trace.lines.iter().find_map(|line| match &line.kind {
        TraceLineKind::Called { yes, no } => {
            Some((tidy(&yes.text), tidy(&no.text), Some(&line.cites)))
        }
        _ => None,
    });
    found.unwrap_or_else(|| ("reached".to_owned(), "not reached".to_owned(), None))
}

/// Who has which answer, when it is judged and how long it holds.
fn answer(desk: &Desk<'_>, trace: &Trace) -> Words {
    let (yes, no, cites) = called(trace);
    let mut out = Words::new();
    if trace.title.is_some() {
        out.push(plain(format!("Called {}. ", tidy(&trace.name.text))));
    }
    out.extend([
        plain(format!("The answer for {} is ", with_article(&tidy(&trace.of.text)))),
        Word::Strong(yes),
        plain(" if it has such a line, and "),
        Word::Strong(no),
        plain(" if it has none."),
    ]);
    let dot = |cites: Words| {
        if cites.is_empty() { cites } else { std::iter::once(plain(" ")).chain(cites).collect() }
    };
    out.extend(dot(cites.map_or_else(Words::new, |c| desk.cites(c))));
    let mut kept = false;
    for line in &trace.lines {
        let words = match &line.kind {
            TraceLineKind::Judged(phase) => {
                kept = true;
                let link = Word::Link { to: anchor("phase", &phase.text), text: tidy(&phase.text) };
                vec![plain(" It is judged in the phase "), link, plain(" and kept.")]
            }
            TraceLineKind::Lasts(moment) => {
                vec![plain(format!(
                    " The answer holds until {}.",
                    tidy(&said(desk.book.sources, moment.span))
                ))]
            }
            TraceLineKind::Counts { name, low, high } => {
                let counts = format!(
                    " {} counts the judgements in a row that found none",
                    super::page::capital(&tidy(&name.text))
                );
                vec![plain(format!("{counts}, from {} to {}.", low.text, high.text))]
            }
            _ => continue,
        };
        out.extend(words);
        out.extend(dot(desk.cites(&line.cites)));
    }
    if !kept {
        out.push(plain(" It is asked whenever it matters, as things then stand."));
    }
    out
}

/// `always` and `never`.
fn before_any_line(desk: &Desk<'_>, trace: &Trace, line: &TraceLine) -> Option<Words> {
    let (yes, no, _) = called(trace);
    let (words, when) = match &line.kind {
        TraceLineKind::Always(when) => (format!("Always {yes}, without a line: "), when),
        TraceLineKind::Never(when) => (format!("Always {no}, whatever lines there are: "), when),
        _ => return None,
    };
    Some(sentence(desk, vec![plain(words)], when, &line.cites))
}

fn end(desk: &Desk<'_>, line: &TraceLine, relay: bool) -> Option<Words> {
    let (name, filter) = match &line.kind {
        TraceLineKind::Source { name, filter } if !relay => (name, filter),
        TraceLineKind::Relay { name, filter } if relay => (name, filter),
        _ => return None,
    };
    let lead =
        vec![Word::Strong(tidy(&name.text)), plain(format!(": any {} where ", desk.space.0))];
    Some(sentence(desk, lead, filter, &line.cites))
}

fn sentence(desk: &Desk<'_>, mut lead: Words, asked: &Expr, cites: &Cites) -> Words {
    lead.extend(desk.expr(asked));
    with_cites(desk, lead, cites)
}

fn with_cites(desk: &Desk<'_>, mut words: Words, cites: &Cites) -> Words {
    let cites = desk.cites(cites);
    if !cites.is_empty() {
        words.push(plain(" "));
        words.extend(cites);
    }
    words
}

/// One leg with its lines.
struct Leg<'t> {
    name: &'t Name,
    optional: bool,
    instead: Option<&'t Name>,
    when: Option<&'t Expr>,
    cites: &'t Cites,
    /// Its lines, each with how many before it have its place.
    lines: Vec<(usize, &'t TraceLine)>,
}

fn legs(trace: &Trace) -> Vec<Leg<'_>> {
    let mut legs: Vec<Leg<'_>> = Vec::new();
    for (nth, line) in trace.repeats().into_iter().zip(&trace.lines) {
        match (&line.kind, legs.last_mut()) {
            (TraceLineKind::Leg { name, optional, instead, when, .. }, _) => {
                legs.push(Leg {
                    name,
                    optional: *optional,
                    instead: instead.as_ref(),
                    when: when.as_ref(),
                    cites: &line.cites,
                    lines: Vec::new(),
                });
            }
            (_, Some(leg)) => leg.lines.push((nth, line)),
            (_, None) => {}
        }
    }
    legs
}

/// One leg as a sentence: `march goes over borders [22.2a], starts anywhere, runs through ...`.
fn way(desk: &Desk<'_>, leg: &Leg<'_>) -> Words {
    let name = tidy(&leg.name.text);
    let mut out = vec![Word::Strong(name)];
    match (leg.instead, leg.optional) {
        (Some(other), _) => out.push(plain(format!(", instead of {},", tidy(&other.text)))),
        (None, true) => out.push(plain(", which may be left out,")),
        (None, false) => {}
    }
    if let Some(when) = leg.when {
        out.push(plain(" when "));
        out.extend(desk.expr(when));
    }
    out.extend(with_cites(desk, Words::new(), leg.cites));
    let (one, many) = (&desk.space.0, &desk.space.1);
    let gate = |anywhere: String, where_: String, asked: &Expr| {
        if said(desk.book.sources, asked.span) == "anywhere" {
            return vec![plain(anywhere)];
        }
        let mut words = vec![plain(where_)];
        words.extend(desk.expr(asked));
        words
    };
    let parts = leg.lines.iter().filter_map(|(nth, line)| {
        desk.tell_line(*nth);
        let words = match &line.kind {
            TraceLineKind::Over { links, but_not, when } => {
                let mut words = vec![plain("goes over ")];
                words.extend(ways(desk, links));
                if !but_not.is_empty() {
                    words.push(plain(" but not "));
                    words.extend(ways(desk, but_not));
                }
                if let Some(when) = when {
                    words.push(plain(" when "));
                    words.extend(desk.expr(when));
                }
                words
            }
            TraceLineKind::From(asked) => gate(
                "starts anywhere".to_owned(),
                format!("starts in {} where ", with_article(one)),
                asked,
            ),
            TraceLineKind::Through(asked) => gate(
                format!("runs through any {many}"),
                format!("runs through {many} where "),
                asked,
            ),
            TraceLineKind::Stopping(asked) => {
                let mut words = vec![plain(format!("goes no farther from {many} where "))];
                words.extend(desk.expr(asked));
                words
            }
            TraceLineKind::Into(asked) => gate(
                "ends anywhere".to_owned(),
                format!("ends in {} where ", with_article(one)),
                asked,
            ),
            TraceLineKind::Cost(cost) => {
                let mut words = vec![plain(format!("pays for each {one} it enters: "))];
                words.extend(desk.expr(cost));
                words
            }
            TraceLineKind::Within(most) if said(desk.book.sources, most.span) == "unlimited" => {
                vec![plain("may be of any length")]
            }
            TraceLineKind::Within(most) => {
                let mut words = vec![plain("is no longer than ")];
                words.extend(desk.expr(most));
                words
            }
            _ => return None,
        };
        Some(with_cites(desk, words, &line.cites))
    });
    out.push(plain(" "));
    out.extend(joined(parts.collect(), "; "));
    out.push(plain("."));
    out
}

/// `roads where not blown or lanes`
fn ways(desk: &Desk<'_>, ways: &[Way]) -> Words {
    let mut words = Words::new();
    for way in ways {
        let or = if words.is_empty() { "" } else { " or " };
        words.push(plain(format!("{or}{}", tidy(&way.name.text))));
        if let Some(filter) = &way.filter {
            words.push(plain(" where "));
            words.extend(desk.expr(filter));
        }
    }
    words
}
